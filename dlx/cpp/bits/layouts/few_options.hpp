// Subtrees with few live options, which are renumbered, for states with counters.
//
// Counters add up a row for each option removed. They find these bit by bit in a set that is wide
// and, deep in the search, mostly empty. So when the search branches and at most 512 options are
// left, these get consecutive numbers: they fill a few words, and a table has the words of each
// open item. Then
//
//     options of an item = live options & the item's words
//
// for several items at a time, without a branch that depends on the data. Most nodes are dead ends:
// items without options are found before anything is counted. What an option removes is renumbered
// when it is taken for the first time.
//
// The table serves the states behind the one that it was made for, which are those below it in the
// search tree. They have the renumbered options in place of the set, and in place of the counters a
// word that says which items of the table are open, and the number of options. All of these items
// have options; so it is a dead end if an option of k items leaves options to fewer than all but k.
//
// Where an option clashes with nearly all others, few rows are added up, and that is faster. The
// first nodes of a search with so few options tell.
//
// Nodes and their order are the same with a table and without.
#pragma once

#include "bits/choice.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace dlx::DLX_BITS_LEVEL {

// The bits of a word at those of a mask, side by side.
DLX_INLINE std::uint64_t packed_bits(std::uint64_t word, std::uint64_t mask) {
#if defined(__BMI2__)
    return _pext_u64(word, mask);
#else
    std::uint64_t packed = 0;
    for (std::uint64_t bit = 1; mask != 0; mask &= mask - 1, bit += bit) {
        if ((word & mask & (~mask + 1)) != 0) packed |= bit;
    }
    return packed;
#endif
}

class FewOptions {
public:
    FewOptions(const BitsTask& task, std::byte* memory)
        : seen_(task.few_options),
          set_(task.tables.set),
          set_bytes_(set_.vectors * Vec::size),
          table_(reinterpret_cast<FewOptionsTable*>(memory)),
          moves_(reinterpret_cast<Move*>(table_ + 1)),
          place_of_(reinterpret_cast<std::uint8_t*>(moves_ + set_bytes_ / 8 +
                                                    FewOptionsTable::most_words)),
          enabled_(set_.fewest != nullptr && task.heuristic == Heuristic::mrv) {}

    // Does the table serve this state? Once the search has left the subtree, there is no table.
    DLX_INLINE bool serves(const std::byte* state) {
        if (reinterpret_cast<std::uintptr_t>(state) >= seen_.root) return true;
        seen_.root = FewOptionsSeen::nowhere;
        return false;
    }

    // For a state on which the search branches and that no table serves: if it has few options,
    // makes a table, or samples the subtree.
    DLX_INLINE void look(std::byte* state) {
        if (!enabled_ || !seen_.may_pay) return;
        std::size_t options = 0;
        for (std::size_t place = 0; place < set_bytes_ / 8; ++place) {
            options += static_cast<std::size_t>(std::popcount(word_at(state, place)));
        }
        if (options > FewOptionsTable::most_options) return;
        const auto here = reinterpret_cast<std::uintptr_t>(state);
        if (seen_.nodes_to_sample == 0) {
            make(state, options);
        } else if (here < seen_.sampled) {
            seen_.sampled = here;
        }
    }

    // After an option has been taken without a table; `all_rows` have been added up so far.
    DLX_INLINE void sample(const std::byte* from, std::uint64_t all_rows) {
        if (seen_.nodes_to_sample == 0) return;
        const std::uint64_t rows = all_rows - rows_;
        rows_ = all_rows;
        if (reinterpret_cast<std::uintptr_t>(from) < seen_.sampled) {
            seen_.sampled = FewOptionsSeen::nowhere;
        } else {
            seen_.rows += rows;
            if (--seen_.nodes_to_sample == 0) seen_.may_pay = seen_.rows >= seen_.least_rows;
        }
    }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const Int items = set_.counter_start[option + 1] - set_.counter_start[option];
        const Int open = std::popcount(word_at(from + set_bytes_, 0)) - items;
        const std::uint64_t before = word_at(from + set_bytes_, 1);
        remove_bits(from, to, removal_of(option), table_->row_bytes);
        std::uint64_t options = 0;
        for (std::size_t word = 0; word < table_->words; ++word) {
            options += static_cast<std::uint64_t>(std::popcount(word_at(to, word)));
        }
        updates += counted_rows(before - options, options);
        std::uint64_t left;
        const std::uint32_t key = set_.fewest[table_->words - 1](*table_, to, open, left);
        if (std::popcount(left) != open) return {0, 0};
        if (left == 0) return {solved_for_good, 0};
        std::memcpy(to + set_bytes_, &left, 8);
        std::memcpy(to + set_bytes_ + 8, &options, 8);
        return {(key >> 8) + 1, table_->item[key & 255]};
    }

    DLX_INLINE Int only(const std::byte* state, Int item) {
        std::uint32_t place = 0;
        while (options_word(state, item, place) == 0) ++place;
        return option(place, lowest(options_word(state, item, place)));
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.place = 0;
        frame.bits = options_word(state, frame.item, 0);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte* state) {
        while (frame.bits == 0) {
            ++frame.place;
            frame.bits = options_word(state, frame.item, frame.place);
        }
        const int bit = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return option(frame.place, bit);
    }

    std::uint32_t length(const std::byte* state, Int item) const {
        if (place_of_[item] == FewOptionsTable::no_place) return 0;
        int count = 0;
        for (std::uint32_t place = 0; place < table_->words; ++place) {
            count += std::popcount(options_word(state, item, place));
        }
        return static_cast<std::uint32_t>(count);
    }

    void keep(BitsTask& task) const { task.few_options = seen_; }

    std::uint64_t updates = 0;

private:
    using Move = FewOptionsTable::Move;

    // As many updates as without a table, so that nothing that goes by them depends on tables.
    DLX_INLINE std::uint64_t counted_rows(std::uint64_t removed, std::uint64_t left) const {
        if (set_bytes_ <= bits_small_set) return left == 0 ? 0 : removed;
        return removed < left ? removed : left;
    }

    DLX_INLINE const std::byte* removal_of(Int option) {
        FewOptionsTable& table = *table_;
        if (table.option[last_] != option) {  // the one that a search begins with
            for (last_ = 0; table.option[last_] != option;) ++last_;
        }
        const auto at = static_cast<std::size_t>(last_);
        std::uint64_t* const row = table.removal + at * (table.row_bytes / 8);
        const std::uint64_t bit = std::uint64_t{1} << (at % 64);
        if ((table.known[at / 64] & bit) == 0) {
            table.known[at / 64] |= bit;
            pack(set_.removal + static_cast<std::size_t>(option) * set_bytes_, row);
        }
        return reinterpret_cast<const std::byte*>(row);
    }

    DLX_INLINE Int option(std::uint32_t place, int bit) {
        last_ = static_cast<Int>(64 * place) + bit;
        return table_->option[last_];
    }

    DLX_INLINE std::uint64_t options_word(const std::byte* state, Int item,
                                          std::uint32_t place) const {
        return word_at(state, place) & column(place_of_[item])[8 * place];
    }

    // Where the words of an item are, each 8 behind the one before.
    DLX_INLINE std::uint64_t* column(std::size_t place) const {
        return table_->columns + place / 8 * 8 * table_->words + place % 8;
    }

    DLX_INLINE void pack(const std::byte* set, std::uint64_t* packed) const {
        std::uint64_t bits = 0;
        const Move* const end = moves_ + table_->move_count;
        for (const Move* move = moves_; move != end; ++move) {
            bits = (bits & move->keep) | packed_bits(word_at(set, move->place), move->mask)
                                             << move->shift;
            packed[move->word] = bits;
        }
    }

    [[gnu::noinline]] void make(std::byte* state, std::size_t options) {
        FewOptionsTable& table = *table_;
        std::size_t items = 0;
        for (Int item = 0; item < set_.items; ++item) {
            place_of_[item] = FewOptionsTable::no_place;
            if (static_cast<std::uint32_t>(state[set_bytes_ + static_cast<std::size_t>(item)]) ==
                solved) {
                continue;
            }
            if (items == FewOptionsTable::most_items) return;
            place_of_[item] = static_cast<std::uint8_t>(items);
            table.item[items++] = item;
        }
        table.words = (options + 63) / 64;
        table.row_bytes = (options + 8 * Vec::size - 1) / (8 * Vec::size) * Vec::size;
        table.groups = (items + 7) / 8;
        std::memset(table.known, 0, sizeof table.known);
        renumber(state);
        std::uint64_t packed[FewOptionsTable::most_words];
        std::memset(table.columns, 0, 64 * table.groups * table.words);
        for (std::size_t item = 0; item < items; ++item) {
            pack(set_.options_of + static_cast<std::size_t>(table.item[item]) * set_bytes_, packed);
            std::uint64_t* const words = column(item);
            for (std::size_t word = 0; word < table.words; ++word) words[8 * word] = packed[word];
        }
        for (std::size_t word = 0; word < table.row_bytes / 8; ++word) {
            const std::size_t before = 64 * word;
            const std::size_t in_word = options < before ? 0 : options - before;
            const std::uint64_t live =
                in_word < 64 ? (std::uint64_t{1} << in_word) - 1 : ~std::uint64_t{0};
            std::memcpy(state + 8 * word, &live, 8);
        }
        const std::uint64_t open = ~std::uint64_t{0} >> (64 - items);
        std::memcpy(state + set_bytes_, &open, 8);
        const std::uint64_t all = options;
        std::memcpy(state + set_bytes_ + 8, &all, 8);
        seen_.root = reinterpret_cast<std::uintptr_t>(state);
    }

    // Numbers the options of a set, and plans how to pack the bits of other sets accordingly.
    void renumber(const std::byte* set) {
        Int* option = table_->option;
        Move* move = moves_;
        std::uint32_t used = 0;
        for (std::uint32_t place = 0; place < set_bytes_ / 8; ++place) {
            std::uint64_t bits = word_at(set, place);
            while (bits != 0) {
                *move = {0, used % 64 == 0 ? 0 : ~std::uint64_t{0}, place, used % 64, used / 64};
                do {
                    *option++ = static_cast<Int>(64 * place) + lowest(bits);
                    move->mask |= bits & (~bits + 1);
                    bits &= bits - 1;
                    ++used;
                } while (bits != 0 && used % 64 != 0);
                ++move;
            }
        }
        table_->move_count = static_cast<std::size_t>(move - moves_);
    }

    FewOptionsSeen seen_;
    SetView set_;
    std::size_t set_bytes_;
    FewOptionsTable* table_;
    Move* moves_;
    std::uint8_t* place_of_;  // of each item, in the table
    Int last_ = 0;            // the number of an option in the table, likely the next one taken
    std::uint64_t rows_ = 0;  // added up before the node that is sampled
    bool enabled_;
};

}  // namespace dlx::DLX_BITS_LEVEL
