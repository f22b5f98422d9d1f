// The states of one layer, each with the number of ways that lead to it.
//
//     cells   | tag, 3 | - | tag, 0 | - | - | tag, 1 | tag, 2 | -     open addressing
//                   |              `-------.
//     blocks  | state 0 | state 1 | state 2 | state 3 | ...           in order of arrival
//
// A state is `words` words of key followed by `limbs` words of count, lowest first. States stand in
// blocks of 16 that never move, so that a table grows without a copy and is given back block by
// block as it is read; the cells hold nothing but 32 bits of the hash and the state's number, and
// are made anew from the keys when they are three quarters full. All that is allocated is counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace dlx {

// A hash of a key, good in its low and in its high bits (after the finalizer of MurmurHash3).
template <std::size_t words>
std::uint64_t hash_state(const std::uint64_t* key) noexcept {
    std::uint64_t hash = 0;
    for (std::size_t word = 0; word < words; ++word) {
        hash = (hash ^ key[word]) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    hash *= 0xFF51AFD7ED558CCDU;
    return hash ^ (hash >> 29);
}

template <std::size_t words>
bool same_state(const std::uint64_t* one, const std::uint64_t* other) noexcept {
    std::uint64_t difference = 0;
    for (std::size_t word = 0; word < words; ++word) difference |= one[word] ^ other[word];
    return difference == 0;
}

// Blocks of states, in order; what a layer is read from.
class StateBlocks {
public:
    static constexpr std::size_t block_states = 16;
    using Block = std::unique_ptr<std::uint64_t[]>;

    // `used`: the bytes that all tables together have allocated.
    StateBlocks(std::size_t stride, std::size_t* used) : stride_(stride), used_(used) {}
    ~StateBlocks() { clear(); }
    StateBlocks(StateBlocks&& other) noexcept
        : stride_(other.stride_),
          used_(other.used_),
          size_(std::exchange(other.size_, 0)),
          blocks_(std::move(other.blocks_)) {
        other.blocks_.clear();
    }
    StateBlocks& operator=(StateBlocks&&) = delete;

    std::size_t size() const noexcept { return size_; }
    std::uint64_t* state(std::size_t number) noexcept {
        return &blocks_[number / block_states][number % block_states * stride_];
    }

    std::uint64_t* append() {
        if (size_ % block_states == 0) {
            blocks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(block_words()));
            *used_ += block_bytes(stride_);
        }
        return state(size_++);
    }

    // Gives a block back; its states are read no more.
    void drop_block(std::size_t number) noexcept {
        if (blocks_[number] == nullptr) return;
        blocks_[number] = nullptr;
        *used_ -= block_bytes(stride_);
    }

    void clear() noexcept {
        for (std::size_t number = 0; number < blocks_.size(); ++number) drop_block(number);
        blocks_ = std::vector<Block>();
        size_ = 0;
    }

    // Makes room for another limb in each state.
    void widen() {
        const std::size_t wider = stride_ + 1;
        for (Block& block : blocks_) {
            if (block == nullptr) continue;
            auto larger = std::make_unique_for_overwrite<std::uint64_t[]>(block_states * wider);
            for (std::size_t place = 0; place < block_states; ++place) {
                std::copy_n(&block[place * stride_], stride_, &larger[place * wider]);
                larger[place * wider + stride_] = 0;
            }
            block = std::move(larger);
            *used_ += block_bytes(wider) - block_bytes(stride_);
        }
        stride_ = wider;
    }

    static std::size_t block_bytes(std::size_t stride) noexcept {
        constexpr std::size_t overhead = 32;  // of the allocation, and its place in the list
        return 8 * block_states * stride + overhead;
    }

private:
    std::size_t block_words() const noexcept { return block_states * stride_; }

    std::size_t stride_;
    std::size_t* used_;
    std::size_t size_ = 0;
    std::vector<Block> blocks_;
};

class StateTable {
public:
    StateTable(std::size_t stride, std::size_t* used) : states_(stride, used), used_(used) {}
    ~StateTable() { drop_cells(); }
    StateTable(StateTable&& other) noexcept
        : states_(std::move(other.states_)),
          used_(other.used_),
          mask_(std::exchange(other.mask_, 0)),
          cells_(std::move(other.cells_)) {}
    StateTable& operator=(StateTable&&) = delete;

    std::size_t size() const noexcept { return states_.size(); }

    // The count of the state with this key, which is added with a count of zero if it is not there.
    template <std::size_t words>
    std::uint64_t* find(const std::uint64_t* key, std::size_t limbs) {
        if (4 * (states_.size() + 1) > 3 * capacity()) grow<words>();
        const std::uint64_t hash = hash_state<words>(key);
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        for (std::size_t place = hash & mask_;; place = (place + 1) & mask_) {
            Cell& cell = cells_[place];
            if (cell.number == 0) {
                std::uint64_t* state = states_.append();
                std::copy_n(key, words, state);
                std::fill_n(state + words, limbs, 0);
                cell = {tag, static_cast<std::uint32_t>(states_.size())};
                return state + words;
            }
            if (cell.tag != tag) continue;
            std::uint64_t* state = states_.state(cell.number - 1);
            if (same_state<words>(state, key)) return state + words;
        }
    }

    // All states, to be read; the table is empty then.
    StateBlocks take() {
        drop_cells();
        return std::move(states_);
    }

    void widen() { states_.widen(); }

    static constexpr std::size_t least_bytes = 2 * 16 * 8;

private:
    struct Cell {
        std::uint32_t tag;
        std::uint32_t number;  // of the state, from 1; 0: a free cell
    };

    // Counted twice, so that the next growth, which may come at any state, is counted already.
    static constexpr std::size_t cell_bytes(std::size_t cells) noexcept {
        return 2 * sizeof(Cell) * cells;
    }
    std::size_t capacity() const noexcept { return cells_ == nullptr ? 0 : mask_ + 1; }

    void drop_cells() noexcept {
        if (cells_ == nullptr) return;
        *used_ -= cell_bytes(capacity());
        cells_ = nullptr;
        mask_ = 0;
    }

    template <std::size_t words>
    void grow() {
        const std::size_t larger = cells_ == nullptr ? 16 : 2 * capacity();
        if (larger > std::size_t{1} << 31) throw std::bad_alloc();
        drop_cells();
        cells_ = std::make_unique<Cell[]>(larger);
        mask_ = larger - 1;
        *used_ += cell_bytes(larger);
        for (std::size_t number = 0; number < states_.size(); ++number) {
            const std::uint64_t hash = hash_state<words>(states_.state(number));
            std::size_t place = hash & mask_;
            while (cells_[place].number != 0) place = (place + 1) & mask_;
            cells_[place] = {static_cast<std::uint32_t>(hash >> 32),
                             static_cast<std::uint32_t>(number + 1)};
        }
    }

    StateBlocks states_;
    std::size_t* used_;
    std::size_t mask_ = 0;
    std::unique_ptr<Cell[]> cells_;
};

}  // namespace dlx
