// Hash table of the states of one layer, each with the number of ways that lead to it.
//
//     cells   | tag, 3 | - | tag, 0 | - | - | tag, 1 | tag, 2 | -     open addressing
//                   |              `-------.
//     blocks  | state 0 | state 1 | state 2 | state 3 | ...           in order of arrival
//
// A state is `words` words of key followed by `limbs` words of count, lowest first. States are in
// blocks of 16 that never move, so that a table grows without a copy, and its blocks are freed one
// by one as they are read. A cell has 32 bits of the hash and the state's number. The cells are
// doubled when they are three quarters full. The cells of a large table are in 32 shards, each of
// which grows by itself, so that no step takes long. All allocated bytes are counted.
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

// Blocks of states, in order of arrival; a layer is read from them.
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
          widened_(std::exchange(other.widened_, 0)),
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

    // Frees a block whose states have been read.
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

    // Makes room for another limb in each state, in up to `blocks` blocks. True if all have it.
    bool widen(std::size_t stride, std::size_t& blocks) {
        if (stride_ == stride) return true;
        for (; widened_ < blocks_.size(); ++widened_, --blocks) {
            if (blocks == 0) return false;
            Block& block = blocks_[widened_];
            if (block == nullptr) continue;
            auto wider = std::make_unique_for_overwrite<std::uint64_t[]>(block_states * stride);
            for (std::size_t place = 0; place < block_states; ++place) {
                std::copy_n(&block[place * stride_], stride_, &wider[place * stride]);
                wider[place * stride + stride_] = 0;
            }
            block = std::move(wider);
        }
        for (const Block& block : blocks_) {
            if (block != nullptr) *used_ += block_bytes(stride) - block_bytes(stride_);
        }
        widened_ = 0;
        stride_ = stride;
        return true;
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
    std::size_t widened_ = 0;  // blocks that have a limb more than the stride says
    std::vector<Block> blocks_;
};

class StateTable {
public:
    StateTable(std::size_t stride, std::size_t* used)
        : states_(stride, used), used_(used), shards_(1) {}
    ~StateTable() { drop_cells(); }
    StateTable(StateTable&& other) noexcept
        : states_(std::move(other.states_)), used_(other.used_), shards_(std::move(other.shards_)) {
        other.shards_.clear();
    }
    StateTable& operator=(StateTable&&) = delete;

    std::size_t size() const noexcept { return states_.size(); }

    // The count of the state with this key. Adds the state, with a count of zero, if it is new.
    template <std::size_t words>
    std::uint64_t* find(const std::uint64_t* key, std::size_t limbs) {
        const std::uint64_t hash = hash_state<words>(key);
        const auto tag = static_cast<std::uint32_t>(hash);
        for (;;) {
            Shard& shard = shards_[shard_of(hash)];
            std::size_t place = tag & shard.mask;
            for (; shard.cells[place].number != 0; place = (place + 1) & shard.mask) {
                if (shard.cells[place].tag != tag) continue;
                std::uint64_t* state = states_.state(shard.cells[place].number - 1);
                if (same_state<words>(state, key)) return state + words;
            }
            if (shard.room == 0) {
                make_room<words>(shard);
                continue;
            }
            std::uint64_t* state = states_.append();
            std::copy_n(key, words, state);
            std::fill_n(state + words, limbs, 0);
            shard.owned[place] = {tag, static_cast<std::uint32_t>(states_.size())};
            --shard.room;
            return state + words;
        }
    }

    // Moves all states out of the table, to be read.
    StateBlocks take() {
        drop_cells();
        shards_.resize(1);
        shard_mask_ = 0;
        return std::move(states_);
    }

    bool widen(std::size_t stride, std::size_t& blocks) { return states_.widen(stride, blocks); }

    static constexpr std::size_t least_bytes() noexcept { return cell_bytes(least_cells); }

private:
    struct Cell {
        std::uint32_t tag;     // the low half of the hash
        std::uint32_t number;  // of the state, from 1; 0: a free cell
    };
    static constexpr Cell free{0, 0};
    struct Shard {
        const Cell* cells = &free;
        std::size_t mask = 0;
        std::size_t room = 0;  // states until it is full
        std::vector<Cell> owned;
    };
    static constexpr std::size_t least_cells = 16;
    static constexpr std::size_t most_in_one_shard = 1 << 15;
    static constexpr int shard_bits = 5;

    std::size_t shard_of(std::uint64_t hash) const noexcept {
        return hash >> (64 - shard_bits) & shard_mask_;
    }

    // Counted three times, so that the next growth, which may come at any state, and the cells that
    // it moves are counted already.
    static constexpr std::size_t cell_bytes(std::size_t cells) noexcept {
        return 3 * sizeof(Cell) * cells;
    }

    void drop_cells() noexcept {
        for (Shard& shard : shards_) {
            *used_ -= cell_bytes(shard.owned.size());
            shard = Shard{};
        }
    }

    // One shard for few states, many for many.
    template <std::size_t words>
    void make_room(Shard& full) {
        if (shard_mask_ != 0 || states_.size() < most_in_one_shard) return grow(full);
        drop_cells();
        shards_.resize(std::size_t{1} << shard_bits);
        shard_mask_ = shards_.size() - 1;
        for (std::size_t number = 0; number < states_.size(); ++number) {
            const std::uint64_t hash = hash_state<words>(states_.state(number));
            Shard& shard = shards_[shard_of(hash)];
            if (shard.room == 0) grow(shard);
            put(shard, {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(number + 1)});
        }
    }

    static void put(Shard& shard, Cell cell) noexcept {
        std::size_t place = cell.tag & shard.mask;
        while (shard.owned[place].number != 0) place = (place + 1) & shard.mask;
        shard.owned[place] = cell;
        --shard.room;
    }

    void grow(Shard& shard) {
        const std::size_t before = shard.owned.size();
        if (before >= std::size_t{1} << 26) throw std::bad_alloc();  // a number has 32 bits
        Shard larger;
        larger.owned.resize(std::max(least_cells, 2 * before));
        larger.cells = larger.owned.data();
        larger.mask = larger.owned.size() - 1;
        larger.room = larger.owned.size() / 4 * 3;
        for (const Cell& cell : shard.owned) {
            if (cell.number != 0) put(larger, cell);
        }
        *used_ += cell_bytes(larger.owned.size()) - cell_bytes(before);
        shard = std::move(larger);
    }

    StateBlocks states_;
    std::size_t* used_;
    std::size_t shard_mask_ = 0;
    std::vector<Shard> shards_;
};

}  // namespace dlx
