// States as segments, and rows of bits by color in place of a removal for each option.
//
// For problems whose options have one primary item each, like the words of a crossword or the
// values of variables. As in `Segments`, a state has the live options of each item in words of
// their own. But taking an option does not read a removal as large as the state. Where the option
// crosses another item, in a secondary item that they share, the other item keeps the options that
// agree with the color there:
//
//     word "cat" across row 0, column 1:  segment of column 1  &=  row "a" of slot (cell 0 1,
//     column 1)
//
// So an option reads and counts only segments of the items that it crosses, and there are as many
// rows as colors, not as many as options: the tables grow in proportion to the options.
//
// States become sparse: after two words of a word square from a list of 3000, each item has about
// 200 options left. Then a *nested* table is made, in which the live options are numbered again
// without gaps, and rows are as short as the segments have become. The first number of a state says
// which table its bits belong to. Tables nest like the states of a path, so that one for each level
// of nesting is enough. The numbers of nodes that earlier subtrees at the same depth have had
// decide whether a table is made.
//
// The beginning of a state: the number of its table, how many items are open, and for each item how
// many options it has, or `covered`.
#pragma once

#include "bits/choice.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#define DLX_OUTLINE __declspec(noinline)
#else
#define DLX_OUTLINE [[gnu::noinline]]
#endif

namespace dlx::DLX_BITS_LEVEL {

class Crossings {
public:
    static constexpr bool multiple = false;
    static constexpr bool has_weights = false;

    explicit Crossings(const BitsTask& task)
        : view_(*task.tables.crossings),
          items_(task.tables.items),
          nothing_(task.tables.options),
          nodes_(task.nodes),
          scratch_(task.scratch) {}

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) {
        cut<false>(from, to, option);
    }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        if (option != nothing_ && !cut<true>(from, to, option)) return {0, 0};
        const std::uint32_t* counts = counts_of(to);
        Choice best{solved_for_good, 0};
        for (Int item = 0; item < items_; ++item) {
            if (counts[item] < best.count) best = {counts[item], item};
        }
        if (best.count > 1 && best.count != solved_for_good) nest(to);
        return best;
    }

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        const Table table = table_of(state);
        std::uint32_t place = table.first_word[item];
        while (word_at(live(state), place) == 0) ++place;
        return table.option_at[64 * place +
                               static_cast<std::uint32_t>(lowest(word_at(live(state), place)))];
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.place = table_of(state).first_word[frame.item];
        frame.bits = word_at(live(state), frame.place);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte* state) const {
        while (frame.bits == 0) frame.bits = word_at(live(state), ++frame.place);
        const auto bit = static_cast<std::uint32_t>(lowest(frame.bits));
        frame.bits &= frame.bits - 1;
        return table_of(state).option_at[64 * frame.place + bit];
    }

    // How many live options an item has; 0 if it is covered.
    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        const std::uint32_t count = counts_of(state)[item];
        return count == covered ? 0 : count;
    }

    template <class Visit>
    DLX_INLINE void each_open(const std::byte* state, Visit visit) const {
        const std::uint32_t* counts = counts_of(state);
        for (Int item = 0; item < items_; ++item) {
            if (counts[item] != covered) visit(item, counts[item]);
        }
    }

    std::uint64_t updates = 0;

private:
    static constexpr std::uint32_t covered = solved_for_good;
    static constexpr std::uint32_t vector_words = Vec::size / 8;

    // See CrossingsView.
    struct Table {
        const std::uint32_t* first_word;
        const std::uint32_t* words;
        const std::uint32_t* first_row;
        const Int* option_at;
        const Int* place;
        const Int* root_place;  // null: the same
        const std::byte* rows;
    };

    DLX_INLINE static const std::uint32_t* header(const std::byte* state) {
        return reinterpret_cast<const std::uint32_t*>(state);
    }
    DLX_INLINE static std::uint32_t* header(std::byte* state) {
        return reinterpret_cast<std::uint32_t*>(state);
    }
    DLX_INLINE static const std::uint32_t* counts_of(const std::byte* state) {
        return header(state) + 2;
    }
    DLX_INLINE static std::uint32_t* counts_of(std::byte* state) { return header(state) + 2; }
    DLX_INLINE const std::byte* live(const std::byte* state) const {
        return state + view_.header_bytes;
    }

    DLX_INLINE std::byte* nested(std::uint32_t level) const {
        return scratch_ + (level - 1) * view_.nested_bytes;
    }

    DLX_INLINE Table table_of(const std::byte* state) const {
        const std::uint32_t level = header(state)[0];
        if (level == 0) {
            return {view_.first_word, view_.words, view_.first_row, view_.option_at,
                    view_.place,      nullptr,     view_.rows};
        }
        const std::byte* base = nested(level);
        const auto* first_word = reinterpret_cast<const std::uint32_t*>(base + 8);
        return {first_word,
                first_word + items_,
                reinterpret_cast<const std::uint32_t*>(base + view_.nested_row),
                reinterpret_cast<const Int*>(base + view_.nested_option),
                reinterpret_cast<const Int*>(base + view_.nested_place),
                reinterpret_cast<const Int*>(base + view_.nested_root_place),
                base + view_.nested_rows};
    }

    DLX_INLINE std::uint64_t all_words(const std::byte* state) const {
        const std::uint32_t level = header(state)[0];
        return level == 0 ? view_.all_words : word_at(nested(level), 0);
    }

    DLX_INLINE static void copy(const std::byte* from, std::byte* to, std::size_t bytes) {
        for (std::size_t at = 0; at < bytes; at += Vec::size) {
            Vec::load(from + at).store(to + at);
        }
    }

    DLX_INLINE static void set_word(std::byte* to, std::size_t place, std::uint64_t word) {
        std::memcpy(to + 8 * place, &word, 8);
    }

    // Takes an option. With `early`, returns false as soon as an item has no options; what is in
    // `to` has no meaning then.
    template <bool early>
    DLX_INLINE bool cut(const std::byte* from, std::byte* to, Int option) {
        const Table table = table_of(from);
        if (to != from) copy(from, to, view_.header_bytes);
        std::uint32_t* const counts = counts_of(to);
        const Int* change = view_.change + view_.change_start[option];
        counts[change[0]] = covered;
        --header(to)[1];
        const std::byte* const before = live(from);
        std::byte* const after = to + view_.header_bytes;
        const Int* const rows = change + 2;
        const Int* const end = rows + change[1];
        Int previous = -1;
        for (const Int* at = rows; at != end; at += 2) {
            const Int item = view_.slot_item[at[0]];
            if (counts[item] == covered) continue;
            const std::uint32_t words = table.words[item];
            const std::size_t first = 8 * std::size_t{table.first_word[item]};
            const std::byte* const source = (item == previous ? after : before) + first;
            std::byte* const target = after + first;
            const std::byte* const mask =
                table.rows + 8 * (table.first_row[at[0]] + static_cast<std::size_t>(at[1]) * words);
            int count = 0;
            for (std::uint32_t word = 0; word < words; word += vector_words) {
                for (std::uint32_t k = word; k < word + vector_words; ++k) {
                    const std::uint64_t kept = word_at(source, k) & word_at(mask, k);
                    set_word(target, k, kept);
                    count += std::popcount(kept);
                }
            }
            updates += words;
            counts[item] = static_cast<std::uint32_t>(count);
            if (early && count == 0) return false;
            previous = item;
        }
        if (to != from) copy_others(table, counts, before, after, rows, end);
        return remove_clashes<early>(table, counts, after, end);
    }

    // Copies the segments of the items to which no rows are applied, and perhaps covered ones.
    DLX_INLINE void copy_others(const Table& table, const std::uint32_t* counts,
                                const std::byte* before, std::byte* after, const Int* rows,
                                const Int* end) const {
        std::size_t done = 0;
        for (const Int* at = rows; at != end; at += 2) {
            const Int item = view_.slot_item[at[0]];
            if (counts[item] == covered) continue;
            const std::size_t here = 8 * std::size_t{table.first_word[item]};
            if (done < here) copy(before + done, after + done, here - done);
            done = here + 8 * std::size_t{table.words[item]};
        }
        const std::size_t all =
            8 * (std::size_t{table.first_word[items_ - 1]} + table.words[items_ - 1]);
        if (done < all) copy(before + done, after + done, all - done);
    }

    template <bool early>
    DLX_INLINE bool remove_clashes(const Table& table, std::uint32_t* counts, std::byte* after,
                                   const Int* clashes) const {
        const Int* const end = clashes + 1 + clashes[0];
        for (const Int* at = clashes + 1; at != end; at += 2) {
            const Int item = at[0];
            if (counts[item] == covered) continue;
            // Of an option that a nested table does not have: 0, or the place in an earlier one.
            const auto place = static_cast<std::uint32_t>(table.place[at[1]]);
            if (place >= 64 * table.words[item]) continue;
            const std::uint32_t bit = 64 * table.first_word[item] + place;
            const std::uint64_t word = word_at(after, bit / 64);
            const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
            if ((word & mask) == 0 || table.option_at[bit] != at[1]) continue;
            set_word(after, bit / 64, word & ~mask);
            if (--counts[item] == 0 && early) return false;
        }
        return true;
    }

    // Changes a state to a nested table if that probably pays.
    DLX_INLINE void nest(std::byte* state) {
        const std::uint64_t open = header(state)[1];
        if (all_words(state) <= 2 * open * vector_words) return;
        Crossings(*this).consider_nesting(state);  // of a copy: see Loop::go
    }

    DLX_OUTLINE void consider_nesting(std::byte* state) const {
        if (header(state)[0] == most_nested_crossings) return;
        const std::uint32_t* const counts = counts_of(state);
        std::uint64_t words = 0;
        std::uint64_t options = 0;
        for (Int item = 0; item < items_; ++item) {
            if (counts[item] == covered) continue;
            words += words_for(counts[item]);
            options += counts[item];
        }
        const std::uint64_t now = all_words(state);
        if (2 * words > now) return;
        // An option takes as long here as these many words at a node.
        const auto depth = static_cast<std::size_t>(items_) - header(state)[1];
        std::uint64_t below = 0;
        for (std::size_t at = depth + 1; at <= static_cast<std::size_t>(items_); ++at) {
            below += nodes_[at].visits;
        }
        constexpr double option_cost = 15;
        if (static_cast<double>(below) * static_cast<double>(now - words) <=
            static_cast<double>(nodes_[depth].visits) * option_cost *
                static_cast<double>(options)) {
            return;
        }
        make_nested(state, words);
    }

    DLX_INLINE static std::uint32_t words_for(std::uint32_t options) {
        return (options + 64 * vector_words - 1) / (64 * vector_words) * vector_words;
    }

    void make_nested(std::byte* state, std::uint64_t words) const {
        const std::uint32_t level = header(state)[0] + 1;
        const std::uint32_t* const counts = counts_of(state);
        const Table old = table_of(state);
        std::byte* const base = nested(level);
        set_word(base, 0, words);
        auto* const first_word = reinterpret_cast<std::uint32_t*>(base + 8);
        auto* const item_words = first_word + items_;
        auto* const first_row = reinterpret_cast<std::uint32_t*>(base + view_.nested_row);
        auto* const option_at = reinterpret_cast<Int*>(base + view_.nested_option);
        auto* const place = reinterpret_cast<Int*>(base + view_.nested_place);
        auto* const root_place = reinterpret_cast<Int*>(base + view_.nested_root_place);
        std::byte* const rows = base + view_.nested_rows;
        std::byte* const after = state + view_.header_bytes;
        std::uint32_t first = 0;
        for (Int item = 0; item < items_; ++item) {
            first_word[item] = first;
            item_words[item] = 0;
            if (counts[item] == covered) continue;
            item_words[item] = words_for(counts[item]);
            Int number = 0;
            const std::uint32_t from = old.first_word[item];
            for (std::uint32_t word = from; word < from + old.words[item]; ++word) {
                for (std::uint64_t bits = word_at(after, word); bits != 0; bits &= bits - 1) {
                    const std::uint32_t bit = 64 * word + static_cast<std::uint32_t>(lowest(bits));
                    const Int option = old.option_at[bit];
                    const std::uint32_t to = 64 * first + static_cast<std::uint32_t>(number);
                    option_at[to] = option;
                    root_place[to] = old.root_place != nullptr ? old.root_place[bit]
                                                               : static_cast<Int>(bit - 64 * from);
                    place[option] = number++;
                }
            }
            first += item_words[item];
        }
        const std::uint32_t all_rows = place_rows(counts, item_words, first_row);
        const Vec zeros = Vec::zeros();
        for (std::size_t at = 0; at < 8 * std::size_t{all_rows}; at += Vec::size) {
            zeros.store(rows + at);
        }
        header(state)[0] = level;
        fill_rows(state, rows);
        for (Int item = 0; item < items_; ++item) {
            if (counts[item] == covered) continue;
            std::uint32_t left = counts[item];
            for (std::uint32_t k = 0; k < item_words[item]; ++k) {
                const std::uint32_t here = left < 64 ? left : 64;
                set_word(after, first_word[item] + k,
                         here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1);
                left -= here;
            }
        }
    }

    // Gives rows to the slots of open items that cross another open item. Returns their words.
    std::uint32_t place_rows(const std::uint32_t* counts, const std::uint32_t* item_words,
                             std::uint32_t* first_row) const {
        std::uint32_t next_row = 0;
        for (std::size_t slot = 0; slot < view_.slots; ++slot) {
            const Int item = view_.slot_item[slot];
            first_row[slot] = no_rows;
            if (counts[item] == covered) continue;
            bool crossed = false;
            for (Int at = view_.partner_start[slot]; at < view_.partner_start[slot + 1]; ++at) {
                crossed |= counts[view_.partner[at]] != covered;
            }
            if (!crossed) continue;
            first_row[slot] = next_row;
            next_row += static_cast<std::uint32_t>(view_.slot_rows[slot]) * item_words[item];
        }
        return next_row;
    }

    // Sets the bits of a nested table's rows; see CrossingTables::lay_rows.
    void fill_rows(const std::byte* state, std::byte* rows) const {
        const Table table = table_of(state);
        const std::uint32_t* const counts = counts_of(state);
        for (std::size_t slot = 0; slot < view_.slots; ++slot) {
            if (table.first_row[slot] == no_rows) continue;
            const Int item = view_.slot_item[slot];
            const Int* const places = table.root_place + 64 * std::size_t{table.first_word[item]};
            const std::uint16_t* const own = view_.own_row + view_.own_first[slot];
            const auto stride = static_cast<std::size_t>(view_.own_stride[slot]);
            std::byte* const to = rows + 8 * std::size_t{table.first_row[slot]};
            const std::size_t words = table.words[item];
            const auto all = static_cast<std::size_t>(view_.slot_rows[slot]);
            for (std::uint32_t place = 0; place < counts[item]; ++place) {
                const std::size_t row = own[static_cast<std::size_t>(places[place]) * stride];
                const std::uint64_t bit = std::uint64_t{1} << (place % 64);
                if (row == in_no_row) {
                    for (std::size_t each = 0; each < all; ++each) {
                        add_bit(to, each * words + place / 64, bit);
                    }
                } else if (row != 0) {
                    add_bit(to, row * words + place / 64, bit);
                }
            }
        }
    }

    DLX_INLINE static void add_bit(std::byte* rows, std::size_t word, std::uint64_t bit) {
        set_word(rows, word, word_at(rows, word) | bit);
    }

    static constexpr std::uint32_t no_rows = 0xffff'ffff;

    CrossingsView view_;
    Int items_;
    Int nothing_;
    const BitsNode* nodes_;
    std::byte* scratch_;
};

}  // namespace dlx::DLX_BITS_LEVEL
