// A set of sets of options as a zero-suppressed decision diagram.
//
// Each node tests whether an option is taken:
//
//        (x) ---> hi      the sets with x, each without x itself
//         |
//         v
//         lo              the sets without x
//
//   * Node 0, `empty`, represents no sets; node 1, `top`, represents the empty set only. All other
//     nodes have higher numbers than their children. So an ascending pass over the arrays visits
//     children first, and a descending pass visits parents first.
//   * No node has `hi` = empty (the zero-suppression that gave these diagrams their name: S.
//     Minato, DAC 1993; TAOCP 7.1.4), and no two nodes have the same option, lo and hi. So equal
//     parts are stored once.
//   * The number of sets is the number of paths to `top`. `hi` before `lo` lists them in order.
//
// The options along different paths need not come in the same order. If they do, the diagram is
// *ordered*, and it is unique for its sets and that order. But the functions here only need that
// the sets of hi (with x) and of lo (without x) are disjoint.
//
// The nodes are three columns of 32-bit numbers, not an array of structures: Python reads them as
// they are, and most passes need two of the three.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

using NodeId = std::uint32_t;

namespace diagram {

constexpr NodeId empty = 0;
constexpr NodeId top = 1;
constexpr NodeId inner = 2;  // the first node with an option

}  // namespace diagram

// Raised when a diagram would take more memory than its limit allows.
struct OverBudget : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A limit on bytes, and the bytes in use.
class Budget {
public:
    explicit Budget(std::uint64_t limit) : limit_(limit) {}

    bool allows(std::uint64_t bytes) const noexcept {
        return bytes <= limit_ && used_ <= limit_ - bytes;
    }
    void take(std::uint64_t bytes) {
        if (!allows(bytes)) throw OverBudget("the memory limit of the diagram is reached");
        used_ += bytes;
        if (used_ > peak_) peak_ = used_;
    }
    void give(std::uint64_t bytes) noexcept { used_ -= bytes; }
    std::uint64_t peak() const noexcept { return peak_; }

private:
    std::uint64_t limit_;
    std::uint64_t used_ = 0;
    std::uint64_t peak_ = 0;
};

// A column that grows without ever being copied: blocks of about 64 KB. An element is `width` Ts.
template <class T>
class Column {
public:
    explicit Column(Budget& budget, std::size_t width = 1) : budget_(&budget), width_(width) {
        while (shift_ > 0 && (width * sizeof(T)) << shift_ > std::size_t{1} << 16) --shift_;
    }

    std::size_t size() const noexcept { return size_; }
    T* at(std::size_t index) noexcept {
        return blocks_[index >> shift_].get() + (index & (block() - 1)) * width_;
    }
    const T* at(std::size_t index) const noexcept {
        return blocks_[index >> shift_].get() + (index & (block() - 1)) * width_;
    }
    T& operator[](std::size_t index) noexcept { return *at(index); }
    const T& operator[](std::size_t index) const noexcept { return *at(index); }

    // Room for one more element; the caller fills it.
    T* extend() {
        if (size_ >> shift_ == blocks_.size()) {
            const std::size_t length = block() * width_;
            budget_->take(length * sizeof(T));
            blocks_.emplace_back(new T[length]);
        }
        return at(size_++);
    }
    void push(T value) { *extend() = value; }

    void copy_to(T* to) const {
        for (std::size_t first = 0; first < size_; first += block()) {
            std::copy_n(at(first), std::min(block(), size_ - first) * width_, to + first * width_);
        }
    }
    void clear() noexcept {
        budget_->give(blocks_.size() * block() * width_ * sizeof(T));
        blocks_.clear();
        blocks_.shrink_to_fit();
        size_ = 0;
    }

private:
    std::size_t block() const noexcept { return std::size_t{1} << shift_; }

    Budget* budget_;
    std::size_t width_;
    int shift_ = 14;
    std::size_t size_ = 0;
    std::vector<std::unique_ptr<T[]>> blocks_;
};

// A hash table of the numbers of objects stored elsewhere: open addressing, linear probing.
//
// A slot has the object's number and 32 bits of its hash. Its place is the upper part of these
// bits, so the table grows without reading the objects. All 32 bits are compared first; if they are
// equal, the caller compares the objects in full. So hash collisions do no harm.
class Places {
public:
    static constexpr std::uint32_t none = 0xffffffff;

    explicit Places(Budget& budget) : budget_(&budget) { allocate(12); }

    // The number of the object with this hash that `same` accepts, or `none`.
    template <class Same>
    std::uint32_t find(std::uint32_t hash, Same&& same) const {
        for (std::size_t at = hash >> shift_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.number == none) return none;
            if (slot.hash == hash && same(slot.number)) return slot.number;
        }
    }

    // Adds an object that is not in the table.
    void add(std::uint32_t hash, std::uint32_t number) {
        if (4 * (count_ + 1) > 3 * (mask_ + 1)) grow();
        put({hash, number});
        ++count_;
    }

    void clear() noexcept {
        if (slots_ != nullptr) budget_->give((mask_ + 1) * sizeof(Slot));
        slots_.reset();
    }

private:
    struct Slot {
        std::uint32_t hash;
        std::uint32_t number;
    };

    // Makes an empty table of this size; returns the one there was.
    std::unique_ptr<Slot[]> allocate(int log_size) {
        if (log_size > 32) throw OverBudget("a diagram cannot have more than 2^32 nodes");
        const std::size_t size = std::size_t{1} << log_size;
        budget_->take(size * sizeof(Slot));
        std::unique_ptr<Slot[]> slots(new Slot[size]);
        std::fill_n(slots.get(), size, Slot{0, none});
        std::swap(slots, slots_);
        mask_ = size - 1;
        shift_ = 32 - log_size;
        return slots;
    }
    void put(Slot slot) noexcept {
        std::size_t at = slot.hash >> shift_;
        while (slots_[at].number != none) at = (at + 1) & mask_;
        slots_[at] = slot;
    }
    void grow() {
        const std::size_t size = mask_ + 1;
        const std::unique_ptr<Slot[]> old = allocate(32 - shift_ + 1);
        for (std::size_t at = 0; at < size; ++at) {
            if (old[at].number != none) put(old[at]);
        }
        budget_->give(size * sizeof(Slot));
    }

    Budget* budget_;
    std::unique_ptr<Slot[]> slots_;
    std::size_t mask_ = 0;
    std::size_t count_ = 0;
    int shift_ = 0;
};

// Mixes a word into a hash; the upper 32 bits of the result are well mixed.
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) noexcept {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 29);
}
inline std::uint32_t upper(std::uint64_t hash) noexcept {
    return static_cast<std::uint32_t>((hash * 0xd6e8feb86659fd93U) >> 32);
}

// The nodes of a diagram, each stored once.
class Nodes {
public:
    explicit Nodes(Budget& budget) : option_(budget), low_(budget), high_(budget), places_(budget) {
        for (NodeId terminal = 0; terminal < diagram::inner; ++terminal) {
            append(-1, terminal, terminal);
        }
    }

    // The node that tests `option`; `low` if `high` is empty.
    NodeId make(Int option, NodeId low, NodeId high) {
        if (high == diagram::empty) return low;
        const std::uint32_t hash = upper(mix(mix(static_cast<std::uint32_t>(option), low), high));
        const std::uint32_t known = places_.find(hash, [&](NodeId id) {
            return low_[id] == low && high_[id] == high && option_[id] == option;
        });
        if (known != Places::none) return known;
        const auto id = static_cast<NodeId>(size());
        places_.add(hash, id);
        append(option, low, high);
        return id;
    }

    std::size_t size() const noexcept { return option_.size(); }
    const Column<Int>& options() const noexcept { return option_; }
    const Column<NodeId>& lows() const noexcept { return low_; }
    const Column<NodeId>& highs() const noexcept { return high_; }

    // Frees the hash table. No nodes may be made afterwards.
    void seal() noexcept { places_.clear(); }

private:
    void append(Int option, NodeId low, NodeId high) {
        option_.push(option);
        low_.push(low);
        high_.push(high);
    }

    Column<Int> option_;
    Column<NodeId> low_;
    Column<NodeId> high_;
    Places places_;
};

}  // namespace dlx
