// States as segments, and rows of bits by color in place of a removal for each option.
//
// For problems whose options have one primary item each, like the words of a crossword or the
// values of variables. As in `Segments`, the live options of each item are in words of their own.
// But taking an option does not read a removal as large as the state. Where the option crosses
// another item, in a secondary item that they share, the other item keeps the options that agree
// with the color there:
//
//     word "cat" across row 0:  segment of column 1  &=  row "a" of cell 0 1 in the table of column
//     1
//
// So an option reads and counts only segments of the items that it crosses, and there are as many
// rows as colors, not as many as options: the tables grow in proportion to the options.
//
// *Parts.* After the first word, each of those that it crosses has a tenth of its options left. The
// options of column 1 that agree with "a" in cell 0 1 are the same whenever the search comes there.
// So they get a table of their own at the first time, a part of the table, in which they are
// numbered without gaps and rows are as much shorter. An item whose table has been cut nowhere but
// by clashes changes to the part: its new segment is all ones, less the clashes. Parts of more than
// a vector have parts in turn.
//
// *Looking ahead.* Most options that are tried are dead ends, since no option of a crossing item
// agrees with them. When the search branches on an item, each of its options is compared with the
// segments that it crosses. Those that leave one empty are counted when the search comes to them,
// and not taken.
//
// The beginning of a state: zero, how many items are open, for each item how many options it has or
// `covered`, where its segment is, counted from the first state, its table, and the column and row
// of which that is the part (see key_of_any). A segment that has not changed remains in an earlier
// state.
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
          states_(task.states),
          scratch_(task.scratch) {}

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) {
        cut<false>(from, to, option);
    }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        if (option != nothing_ && !cut<true>(from, to, option)) return {0, 0};
        const std::uint32_t* const counts = counts_of(to);
        std::uint32_t least = covered;
        for (std::size_t item = 0; item < padded(); ++item) {
            least = counts[item] < least ? counts[item] : least;
        }
        if (least == covered) return {solved_for_good, 0};
        return {least / crossing_items, static_cast<Int>(least % crossing_items)};
    }

    DLX_INLINE Int only(const std::byte* state, Int item) {
        const std::byte* const segment = segment_of(state, item);
        std::uint32_t word = 0;
        while (word_at(segment, word) == 0) ++word;
        const auto bit = static_cast<std::uint32_t>(lowest(word_at(segment, word)));
        return pick(state, item, 64 * word + bit);
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.place = 0;
        frame.bits = word_at(segment_of(state, frame.item), 0);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte* state) {
        while (frame.bits == 0) frame.bits = word_at(segment_of(state, frame.item), ++frame.place);
        const auto bit = static_cast<std::uint32_t>(lowest(frame.bits));
        frame.bits &= frame.bits - 1;
        return pick(state, frame.item, 64 * frame.place + bit);
    }

    // Finds the options of the frame's item that no crossing item rules out.
    DLX_INLINE void look_ahead(const BitsFrame& frame, std::byte* state) const {
        Partner partners[most_partners];
        bool narrow = true;  // has each a segment of one vector?
        const std::size_t many = list_partners(frame.item, state, partners, narrow);
        if (narrow) {
            each_worthwhile(frame, state, [&](const std::uint16_t* own) {
                std::uint32_t agree = 1;
                for (std::size_t at = 0; at < many; ++at) {
                    agree &= partners[at].agrees_narrow(own[partners[at].column]) ? 1U : 0U;
                }
                return agree;
            });
        } else {
            each_worthwhile(frame, state, [&](const std::uint16_t* own) {
                for (std::size_t at = 0; at < many; ++at) {
                    if (!partners[at].agrees(own[partners[at].column])) return 0U;
                }
                return 1U;
            });
        }
    }

    // How many of the next options are not worth trying; at most `most`. Goes behind these.
    DLX_INLINE std::uint32_t skip(BitsFrame& frame, const std::byte* state,
                                  std::uint32_t most) const {
        std::uint32_t skipped = 0;
        while (true) {
            const std::uint64_t tried = word_at(state + view_.worthwhile, frame.place) & frame.bits;
            std::uint64_t dead = tried == 0 ? frame.bits : frame.bits & ((tried & -tried) - 1);
            const auto many = static_cast<std::uint32_t>(std::popcount(dead));
            if (many > most - skipped) {
                for (; skipped < most; ++skipped) frame.bits &= frame.bits - 1;
                return skipped;
            }
            skipped += many;
            frame.bits &= ~dead;
            if (tried != 0 || skipped == frame.left) return skipped;
            frame.bits = word_at(segment_of(state, frame.item), ++frame.place);
        }
    }

    // The option before the next one.
    DLX_INLINE Int previous(const BitsFrame& frame, const std::byte* state) const {
        const std::byte* const segment = segment_of(state, frame.item);
        std::uint32_t word = frame.place;
        std::uint64_t before = word_at(segment, word) & ~frame.bits;
        while (before == 0) before = word_at(segment, --word);
        const auto bit = static_cast<std::uint32_t>(63 - std::countl_zero(before));
        return option_at(state, frame.item, 64 * word + bit).option;
    }

    // How many live options an item has; 0 if it is covered.
    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        const std::uint32_t count = counts_of(state)[item];
        return count == covered ? 0 : count / crossing_items;
    }

    std::uint64_t updates = 0;

private:
    static constexpr std::uint32_t covered = solved_for_good;
    static constexpr std::uint32_t vector_words = Vec::size / 8;
    static constexpr std::size_t most_partners = 32;
    static constexpr std::uint32_t few = 16;  // options that a table misses, to change to its part

    // What is known of an option that is taken.
    struct Picked {
        Int option = -1;
        Int item = 0;
        const std::uint16_t* own = nullptr;
        const Int* clashes = nullptr;
    };

    // A crossing of the item branched on with an open item.
    struct Partner {
        std::uint32_t column;
        std::uint32_t stride;
        std::uint32_t words;
        const std::byte* rows;
        const std::byte* segment;

        DLX_INLINE bool agrees_narrow(std::uint32_t row) const {
            const std::byte* const mask = rows + 8 * std::size_t{row} * stride;
            return (Vec::load(segment) & Vec::load_unaligned(mask)).nonzero_words() != 0;
        }

        DLX_INLINE bool agrees(std::uint32_t row) const {
            const std::byte* const mask = rows + 8 * std::size_t{row} * stride;
            for (std::size_t at = 0; at < 8 * std::size_t{words}; at += Vec::size) {
                if ((Vec::load(segment + at) & Vec::load_unaligned(mask + at)).nonzero_words() !=
                    0) {
                    return true;
                }
            }
            return false;
        }
    };

    // Stores the live options of the frame's item for whose rows `agree` returns 1, not 0.
    template <class Agree>
    DLX_INLINE void each_worthwhile(const BitsFrame& frame, std::byte* state, Agree agree) const {
        const CrossingTable& table = table_of(state, frame.item);
        const std::byte* const segment = segment_of(state, frame.item);
        const std::size_t columns = columns_of(frame.item);
        for (std::uint32_t word = 0; word < table.words; ++word) {
            std::uint64_t worthwhile = 0;
            for (std::uint64_t bits = word_at(segment, word); bits != 0; bits &= bits - 1) {
                const auto bit = static_cast<std::uint32_t>(lowest(bits));
                const std::uint64_t agrees = agree(table.own + columns * (64 * word + bit));
                worthwhile |= agrees << bit;
            }
            set_word(state + view_.worthwhile, word, worthwhile);
            for (; worthwhile != 0; worthwhile &= worthwhile - 1) {
                const auto bit = static_cast<std::uint32_t>(lowest(worthwhile));
                prefetch(view_.clash + option_at(state, frame.item, 64 * word + bit).clashes);
            }
        }
    }

    // -- a state ---------------------------------------------------------------------------------

    DLX_INLINE static std::uint32_t& open_items(std::byte* state) {
        return reinterpret_cast<std::uint32_t*>(state)[1];
    }
    DLX_INLINE static const std::uint32_t* counts_of(const std::byte* state) {
        return reinterpret_cast<const std::uint32_t*>(state) + 2;
    }
    DLX_INLINE static std::uint32_t* counts_of(std::byte* state) {
        return reinterpret_cast<std::uint32_t*>(state) + 2;
    }
    // Counts up to the end of a line; behind the items, they are `covered`.
    DLX_INLINE std::size_t padded() const { return view_.places / 4 - 2; }

    DLX_INLINE const CrossingPlace& place_of(const std::byte* state, Int item) const {
        return reinterpret_cast<const CrossingPlace*>(state + view_.places)[item];
    }
    DLX_INLINE CrossingPlace& place_of(std::byte* state, Int item) const {
        return reinterpret_cast<CrossingPlace*>(state + view_.places)[item];
    }
    DLX_INLINE const CrossingTable& table_of(const std::byte* state, Int item) const {
        return *place_of(state, item).table;
    }
    DLX_INLINE const std::byte* segment_of(const std::byte* state, Int item) const {
        return states_ + place_of(state, item).segment;
    }
    DLX_INLINE const CrossingOption& option_at(const std::byte* state, Int item,
                                               std::uint32_t place) const {
        const Int whole = table_of(state, item).place_at[place];
        return view_
            .option[64 * std::size_t{view_.first_word[item]} + static_cast<std::size_t>(whole)];
    }
    // The option at a place, which is to be taken next.
    DLX_INLINE Int pick(const std::byte* state, Int item, std::uint32_t place) {
        const CrossingOption& option = option_at(state, item, place);
        picked_ = {option.option, item, table_of(state, item).own + columns_of(item) * place,
                   view_.clash + option.clashes};
        return picked_.option;
    }
    // The segment of an item, in this state from now on.
    DLX_INLINE std::byte* own_segment(std::byte* state, Int item, std::uint32_t words) const {
        const auto number = static_cast<std::size_t>(item);
        std::byte* const segment =
            words == vector_words
                ? state + view_.header_bytes + Vec::size * number
                : state + view_.long_segments + 8 * std::size_t{view_.first_word[item]};
        place_of(state, item).segment = static_cast<std::uint32_t>(segment - states_);
        return segment;
    }
    DLX_INLINE std::size_t columns_of(Int item) const {
        return view_.first_column[item + 1] - view_.first_column[item];
    }

    DLX_INLINE static void set_word(std::byte* to, std::size_t place, std::uint64_t word) {
        std::memcpy(to + 8 * place, &word, 8);
    }

    DLX_INLINE std::size_t list_partners(Int item, const std::byte* state, Partner* partners,
                                         bool& narrow) const {
        const std::uint32_t* const counts = counts_of(state);
        std::size_t many = 0;
        const CrossingEdge* const end = view_.edge + view_.edge_start[item + 1];
        for (const CrossingEdge* edge = view_.edge + view_.edge_start[item];
             edge != end && many < most_partners; ++edge) {
            const CrossingPlace& place = place_of(state, edge->other);
            const CrossingTable& table = *place.table;
            const bool open = counts[edge->other] != covered;
            partners[many] = {edge->column, table.stride, table.words,
                              row_of(table, edge->first_row), states_ + place.segment};
            narrow &= !open || table.words == vector_words;
            many += open ? 1 : 0;
        }
        return many;
    }

    // -- taking an option ------------------------------------------------------------------------

    // Takes an option. With `early`, returns false as soon as an item has no options; what is in
    // `to` has no meaning then.
    template <bool early>
    DLX_INLINE bool cut(const std::byte* from, std::byte* to, Int option) {
        if (to != from) {
            for (std::size_t at = 0; at < view_.header_bytes; at += Vec::size) {
                Vec::load(from + at).store(to + at);
            }
        }
        const Picked known = option == picked_.option ? picked_ : Crossings(*this).find(option);
        const Int item = known.item;
        std::uint32_t* const counts = counts_of(to);
        counts[item] = covered;
        place_of(to, item).key_row = key_of_covered;
        --open_items(to);
        const CrossingEdge* const end = view_.edge + view_.edge_start[item + 1];
        for (const CrossingEdge* edge = view_.edge + view_.edge_start[item]; edge != end;) {
            const CrossingEdge* open[most_partners];  // listed without branches
            std::size_t many = 0;
            for (; edge != end && many < most_partners; ++edge) {
                open[many] = edge;
                many += counts[edge->other] == covered ? 0 : 1;
            }
            for (std::size_t at = 0; at < many; ++at) {
                const auto other = static_cast<std::uint32_t>(open[at]->other);
                const std::uint32_t count = keep_row(to, *open[at], known.own[open[at]->column]);
                counts[other] = count * crossing_items + other;
                if (early && count == 0) return false;
            }
        }
        return remove_clashes<early>(to, known.clashes);
    }

    // An option that is not the one picked.
    DLX_OUTLINE Picked find(Int option) const {
        const Int item = view_.item[option];
        const auto place = static_cast<std::size_t>(view_.place[option]);
        const Int clashes = view_.option[64 * std::size_t{view_.first_word[item]} + place].clashes;
        return {option, item, view_.table[item].own + columns_of(item) * place,
                view_.clash + clashes};
    }

    DLX_INLINE static void prefetch([[maybe_unused]] const Int* numbers) {
#if defined(__GNUC__)
        __builtin_prefetch(numbers);
        __builtin_prefetch(numbers + 16);
#endif
    }

    // The row in a column, of those in `view_.clash`.
    DLX_INLINE static std::uint16_t row_at(const Int* rows, std::uint32_t column) {
        std::uint16_t row;
        std::memcpy(&row, reinterpret_cast<const std::byte*>(rows) + 2 * std::size_t{column},
                    sizeof row);
        return row;
    }

    // Keeps the options of the other item that are in a row, and returns how many there are.
    DLX_INLINE std::uint32_t keep_row(std::byte* state, const CrossingEdge& edge,
                                      std::uint32_t row) {
        const Int item = edge.other;
        const CrossingTable& table = table_of(state, item);
        const std::byte* const source = segment_of(state, item);
        const std::uint32_t words = table.words;
        const std::byte* const mask = row_of(table, edge.first_row + row);
        updates += words;
        if (words == vector_words) {
            std::byte* const target = own_segment(state, item, vector_words);
            (Vec::load(source) & Vec::load_unaligned(mask)).store(target);
            int count = 0;
            for (std::uint32_t k = 0; k < vector_words; ++k) {
                count += std::popcount(word_at(source, k) & word_at(mask, k));
            }
            return static_cast<std::uint32_t>(count);
        }
        if (table.parts != 0 && length(state, item) + few >= table.options) {
            const CrossingTable* const part = part_of(table, edge, row);
            if (part != nullptr) return change_to_part(state, item, table, *part, mask);
        }
        std::byte* const target = own_segment(state, item, words);
        int count = 0;
        for (std::uint32_t k = 0; k < words; ++k) {
            const std::uint64_t kept = word_at(source, k) & word_at(mask, k);
            set_word(target, k, kept);
            count += std::popcount(kept);
        }
        return static_cast<std::uint32_t>(count);
    }

    // A row of a table, by its number among those of all columns. A vector may reach into the next
    // one, where segments have zeros.
    DLX_INLINE static const std::byte* row_of(const CrossingTable& table, std::uint32_t row) {
        return table.rows + 8 * std::size_t{row} * table.stride;
    }

    template <bool early>
    DLX_INLINE bool remove_clashes(std::byte* state, const Int* clashes) const {
        const Int* at = clashes + 1;
        for (Int left = clashes[0]; left != 0; --left, at += view_.clash_size) {
            const CrossingPlace& place = place_of(state, at[0] % static_cast<Int>(crossing_items));
            const std::uint16_t row = row_at(at + 1, place.key_column);
            if (row != place.key_row && row != without_crossing) continue;
            if (!remove_one(state, at) && early) return false;
        }
        return true;
    }

    // Removes the option of a clash, whose item may be covered. Returns false if it was the last
    // one of an open item.
    DLX_INLINE bool remove_one(std::byte* state, const Int* clash) const {
        const Int item = clash[0] % static_cast<Int>(crossing_items);
        std::uint32_t* const counts = counts_of(state);
        const CrossingTable& table = table_of(state, item);
        if (counts[item] == covered || !is_in(table, clash + 1)) return true;
        const std::uint32_t place = place_in(table, clash[0] / static_cast<Int>(crossing_items));
        const std::byte* const source = segment_of(state, item);
        const std::uint64_t bit = std::uint64_t{1} << (place % 64);
        if ((word_at(source, place / 64) & bit) == 0) return true;
        std::byte* const target = own_segment(state, item, table.words);
        if (target != source) std::memcpy(target, source, 8 * std::size_t{table.words});
        set_word(target, place / 64, word_at(target, place / 64) & ~bit);
        counts[item] -= crossing_items;
        return counts[item] >= crossing_items;
    }

    // -- parts of tables -------------------------------------------------------------------------

    // Does a table have the option with these rows?
    DLX_INLINE static bool is_in(const CrossingTable& table, const Int* rows) {
        for (const CrossingTable* at = &table; at->whole != nullptr; at = at->whole) {
            const std::uint32_t row = row_at(rows, at->column);
            if (row != at->row && row != without_crossing) return false;
        }
        return true;
    }

    // The place of an option that a table has, by that in the whole table.
    DLX_INLINE static std::uint32_t place_in(const CrossingTable& table, Int whole) {
        if (table.whole == nullptr) return static_cast<std::uint32_t>(whole);
        std::uint32_t first = 0;
        for (std::uint32_t left = table.options; left > 1;) {
            const std::uint32_t half = left / 2;
            first += table.place_at[first + half] <= whole ? half : 0;
            left -= half;
        }
        return first;
    }

    // The part of a table in a row of the edge's other item, which is made if it pays; otherwise
    // null.
    DLX_INLINE const CrossingTable* part_of(const CrossingTable& table, const CrossingEdge& edge,
                                            std::uint32_t row) const {
        std::uint32_t& place =
            reinterpret_cast<std::uint32_t*>(scratch_ + table.parts)[edge.first_row + row];
        if (place == no_part) return nullptr;
        if (place == 0) place = Crossings(*this).make_part(table, edge, row);
        if (place == no_part) return nullptr;
        return reinterpret_cast<const CrossingTable*>(scratch_ + std::size_t{place} * line);
    }

    // Changes an item from a table, of which few options are missing, to its part.
    DLX_INLINE std::uint32_t change_to_part(std::byte* state, Int item, const CrossingTable& table,
                                            const CrossingTable& part,
                                            const std::byte* mask) const {
        const std::byte* const source = segment_of(state, item);
        std::uint32_t count = part.options;
        Int missing[few];
        std::uint32_t many = 0;
        if (length(state, item) != table.options) {
            for (std::uint32_t word = 0; word < table.stride; ++word) {
                std::uint64_t bits = word_at(mask, word) & ~word_at(source, word);
                for (; bits != 0; bits &= bits - 1) {
                    missing[many++] =
                        table.place_at[64 * word + static_cast<std::uint32_t>(lowest(bits))];
                }
            }
        }
        std::byte* const target = own_segment(state, item, part.words);
        const std::byte* const all = part.rows - 8 * std::size_t{part.words};
        for (std::size_t at = 0; at < 8 * std::size_t{part.words}; at += Vec::size) {
            Vec::load(all + at).store(target + at);
        }
        for (std::uint32_t at = 0; at < many; ++at) {
            const std::uint32_t place = place_in(part, missing[at]);
            const std::uint64_t bit = std::uint64_t{1} << (place % 64);
            set_word(target, place / 64, word_at(target, place / 64) & ~bit);
            --count;
        }
        CrossingPlace& now = place_of(state, item);
        now.table = &part;
        now.key_row = static_cast<std::uint16_t>(part.row);
        now.key_column = static_cast<std::uint16_t>(part.column);
        return count;
    }

    // Sets the first `many` bits, and clears the others.
    DLX_INLINE static void fill(std::byte* to, std::uint32_t many, std::uint32_t words) {
        for (std::uint32_t word = 0; word < words; ++word) {
            const std::uint32_t here = many < 64 ? many : 64;
            set_word(to, word, here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1);
            many -= here;
        }
    }

    DLX_INLINE static std::uint32_t words_for(std::uint32_t options) {
        return (options + 64 * vector_words - 1) / (64 * vector_words) * vector_words;
    }
    DLX_INLINE static std::size_t rounded_up(std::size_t bytes) {
        return (bytes + line - 1) / line * line;
    }

    // Where the part of a table in a row is, in lines of the scratch; `no_part` if it would not be
    // much smaller, or if the scratch has no room for it.
    DLX_OUTLINE std::uint32_t make_part(const CrossingTable& table, const CrossingEdge& edge,
                                        std::uint32_t row) const {
        const Int item = edge.other;
        const std::byte* const mask = row_of(table, edge.first_row + row);
        std::uint32_t options = 0;
        for (std::uint32_t word = 0; word < table.stride; ++word) {
            options += static_cast<std::uint32_t>(std::popcount(word_at(mask, word)));
        }
        const std::uint32_t words = words_for(options);
        if (options == 0 || 3 * words > 2 * table.words) return no_part;
        const std::size_t columns = columns_of(item);
        const std::uint32_t* const rows_in = view_.rows_in + view_.first_column[item];
        std::size_t rows = 0;
        for (std::size_t each = 0; each < columns; ++each) rows += rows_in[each];
        const std::size_t at_places = rounded_up(sizeof(CrossingTable));
        const std::size_t at_own = at_places + rounded_up(sizeof(Int) * options);
        const std::size_t at_parts = at_own + rounded_up(2 * columns * options);
        const std::uint32_t stride = (options + 63) / 64;
        const std::size_t at_all = at_parts + (words > vector_words ? rounded_up(4 * rows) : 0);
        const std::size_t at_rows = at_all + 8 * std::size_t{words};
        const std::size_t bytes = rounded_up(at_rows + 8 * rows * stride + line);
        std::size_t free;
        std::memcpy(&free, scratch_, sizeof free);
        if (free + bytes > view_.scratch_bytes) return no_part;
        const std::size_t after = free + bytes;
        std::memcpy(scratch_, &after, sizeof after);
        std::byte* const base = scratch_ + free;
        std::memset(base + at_parts, 0, bytes - at_parts);
        auto* const place_at = reinterpret_cast<Int*>(base + at_places);
        auto* const own = reinterpret_cast<std::uint16_t*>(base + at_own);
        std::uint32_t place = 0;
        for (std::uint32_t word = 0; word < table.stride; ++word) {
            for (std::uint64_t bits = word_at(mask, word); bits != 0; bits &= bits - 1, ++place) {
                const std::size_t there =
                    64 * std::size_t{word} + static_cast<std::size_t>(lowest(bits));
                place_at[place] = table.place_at[there];
                std::memcpy(own + columns * place, table.own + columns * there, 2 * columns);
            }
        }
        fill(base + at_all, options, words);
        lay_rows(base + at_rows, {own, rows_in, columns, options, stride});
        CrossingTable part;
        part.place_at = place_at;
        part.own = own;
        part.rows = base + at_rows;
        part.whole = &table;
        part.column = edge.other_column;
        part.row = row;
        part.options = options;
        part.words = words;
        part.stride = stride;
        part.parts = words > vector_words ? free + at_parts : 0;
        std::memcpy(base, &part, sizeof part);
        return static_cast<std::uint32_t>(free / line);
    }

    struct Rows {
        const std::uint16_t* own;
        const std::uint32_t* rows_in;
        std::size_t columns;
        std::uint32_t options, stride;
    };

    // Sets the bits of the rows of a part, which are zeros; see CrossingTables::lay_rows.
    static void lay_rows(std::byte* rows, const Rows& table) {
        const std::size_t words = table.stride;
        for (std::size_t column = 0; column < table.columns; ++column) {
            const std::size_t last = table.rows_in[column] - 1;
            for (std::uint32_t place = 0; place < table.options; ++place) {
                const std::uint64_t bit = std::uint64_t{1} << (place % 64);
                const std::size_t row = table.own[table.columns * place + column];
                if (row == last) {
                    for (std::size_t each = 0; each < last; ++each) {
                        add_bit(rows, each * words + place / 64, bit);
                    }
                } else if (row != 0) {
                    add_bit(rows, row * words + place / 64, bit);
                }
            }
            fill(rows + 8 * last * words, table.options, table.stride);
            rows += 8 * (last + 1) * words;
        }
    }

    DLX_INLINE static void add_bit(std::byte* rows, std::size_t word, std::uint64_t bit) {
        set_word(rows, word, word_at(rows, word) | bit);
    }

    static constexpr std::uint32_t no_part = 0xffff'ffff;
    static constexpr std::size_t line = 64;

    CrossingsView view_;
    Int items_;
    Int nothing_;
    std::byte* states_;
    std::byte* scratch_;
    Picked picked_;
};

}  // namespace dlx::DLX_BITS_LEVEL
