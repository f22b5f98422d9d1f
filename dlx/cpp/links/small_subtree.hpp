// The search of a subtree with at most 64 open items and 64 live options, on words of bits.
//
// Most nodes of a search are deep in its tree, where few options are left. There a set of options
// is one word, taking an option clears the bits of those that clash with it, and nothing has to be
// undone, since each level has words of its own:
//
//     open      the items that are not covered yet
//     live      the options that clash with none of those taken
//     untried   the options of the item branched on that are still to be tried
//
// The nodes are those that links would visit. A search is all or nothing: one that would visit too
// many nodes or find too many solutions stops, what it did is dropped, and links search the
// subtree. So no search ever pauses inside, and positions and limits know nothing of it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// What the loop reads and writes.
struct SmallTables {
    static constexpr std::size_t most = 64;  // items, and options

    using Word = std::uint64_t;
    using Function = bool (*)(SmallTables& tables, std::uint64_t limit, std::uint64_t wanted);

    static constexpr Word first(std::size_t size) noexcept {
        return size == most ? ~Word{0} : (Word{1} << size) - 1;
    }

    std::size_t items;
    std::size_t options;
    std::array<Word, most> options_of;  // of each item
    std::array<Word, most> items_of;    // of each option
    std::array<Word, most> clashing;    // with each option, itself included; 0: not known yet
    std::array<Word, most> rivals;      // with each option, by secondary items

    bool lists;                             // are solutions listed, not only counted?
    bool same_lengths;                      // has each option as many primary items?
    std::vector<std::uint8_t> found;        // of each: its number of options, and these
    std::uint64_t nodes;                    // visited
    std::uint64_t solutions;                // found
    std::array<std::uint64_t, most> depth;  // nodes at each depth
};

// The fastest of the functions that follow, for the processor and $DLX_SIMD. They return false if
// the search stops since it has visited `limit` nodes or found `wanted` solutions.
SmallTables::Function choose_small_search();
bool search_small_plain(SmallTables& tables, std::uint64_t limit, std::uint64_t wanted);
bool search_small_v3(SmallTables& tables, std::uint64_t limit, std::uint64_t wanted);

// Has each option as many primary items? O(entries).
bool have_same_lengths(const Problem& problem) noexcept;

class SmallSubtree {
public:
    // `same_lengths`: see `have_same_lengths`.
    SmallSubtree(const Problem& problem, bool same_lengths)
        : problem_(problem),
          place_(static_cast<std::size_t>(problem.options()), 0),
          search_(choose_small_search()) {
        tables_.same_lengths = same_lengths;
        if (problem.items > problem.primary) {
            sharing_.assign(static_cast<std::size_t>(problem.items - problem.primary), 0);
        }
    }

    // The number of options up to which a subtree is searched here.
    std::size_t most() const noexcept { return most_; }
    // Entries that were read for tables.
    std::uint64_t read() const noexcept { return read_; }
    // After `search` has returned true.
    const SmallTables& result() const noexcept { return tables_; }
    Int option(std::size_t place) const noexcept { return options_[place]; }

    // Makes tables of a subproblem. `each_item(visit)` visits its open items until visit(options)
    // returns false; options(visit) visits the live options of an item until visit(option) does.
    // Returns false if there are too many options.
    template <class EachItem>
    bool gather(bool lists, EachItem each_item) {
        tables_.items = tables_.options = 0;
        tables_.lists = lists;
        bool fits = true;
        each_item([&](auto each_option) {
            const SmallTables::Word item = SmallTables::Word{1} << tables_.items;
            SmallTables::Word set = 0;
            each_option([&](Int option) {
                ++read_;
                const std::size_t place = place_of(option);
                fits = place < most_;
                if (!fits) return false;
                tables_.items_of[place] |= item;
                set |= SmallTables::Word{1} << place;
                return true;
            });
            tables_.options_of[tables_.items++] = set;
            return fits;
        });
        if (!fits) return false;
        if (lists) sort();
        for (std::size_t place = 0; place < tables_.options; ++place) tables_.rivals[place] = 0;
        if (!sharing_.empty()) add_rivals();
        return true;
    }

    // Searches what has been gathered. Returns false if it stops at `limit` nodes or `wanted`
    // solutions.
    bool search(std::uint64_t limit, std::uint64_t wanted) {
        if (search_(tables_, limit, wanted)) {
            nodes_ += tables_.nodes;
            return true;
        }
        if (tables_.nodes >= large) most_ -= most_ / 8;
        return false;
    }

    // Does this take less time than links? Reading ten entries costs about as much as a node saves.
    bool pays(std::uint64_t allowance) const noexcept { return read_ <= allowance + 10 * nodes_; }

    // Forgets how well it has done.
    void forget() noexcept { read_ = nodes_ = 0; }

private:
    static constexpr std::uint64_t large = 4000;  // nodes, after which starting again is a pity

    // The place of an option in the tables, a new one if it has none; at most `most_`.
    std::size_t place_of(Int option) noexcept {
        std::uint8_t& place = place_[static_cast<std::size_t>(option)];
        if (place < tables_.options && options_[place] == option) return place;
        if (tables_.options == most_) return most_;
        place = static_cast<std::uint8_t>(tables_.options++);
        options_[place] = option;
        tables_.items_of[place] = tables_.clashing[place] = 0;
        return place;
    }

    // Numbers the options in ascending order, in which they are tried.
    void sort() noexcept {
        const std::array<Int, SmallTables::most> options = options_;
        const std::array<SmallTables::Word, SmallTables::most> items_of = tables_.items_of;
        tables_.options_of.fill(0);
        for (std::size_t place = 0; place < tables_.options; ++place) {
            std::size_t rank = 0;
            for (std::size_t other = 0; other < tables_.options; ++other) {
                rank += options[other] < options[place];
            }
            options_[rank] = options[place];
            tables_.items_of[rank] = items_of[place];
            for (SmallTables::Word left = items_of[place]; left != 0; left &= left - 1) {
                tables_.options_of[static_cast<std::size_t>(std::countr_zero(left))] |=
                    SmallTables::Word{1} << rank;
            }
        }
    }

    void add_rivals() noexcept {
        each_secondary([](SmallTables::Word& sharing, std::size_t place) {
            sharing |= SmallTables::Word{1} << place;
        });
        each_secondary([&](const SmallTables::Word& sharing, std::size_t place) {
            tables_.rivals[place] |= sharing;
        });
        each_secondary([](SmallTables::Word& sharing, std::size_t) { sharing = 0; });
    }

    template <class Visit>
    void each_secondary(Visit visit) noexcept {
        for (std::size_t place = 0; place < tables_.options; ++place) {
            const auto option = static_cast<std::size_t>(options_[place]);
            const auto first = static_cast<std::size_t>(problem_.start[option]);
            const auto last = static_cast<std::size_t>(problem_.start[option + 1]);
            for (const Int item : std::span(problem_.item).subspan(first, last - first)) {
                if (item < problem_.primary) continue;
                visit(sharing_[static_cast<std::size_t>(item - problem_.primary)], place);
                read_ += 1;
            }
        }
    }

    const Problem& problem_;
    SmallTables tables_;
    std::array<Int, SmallTables::most> options_;  // in the tables
    std::vector<std::uint8_t> place_;             // of each option, if `options_` says the same
    std::vector<SmallTables::Word> sharing_;      // the options of each secondary item; else 0
    SmallTables::Function search_;
    std::size_t most_ = SmallTables::most;
    std::uint64_t read_ = 0;
    std::uint64_t nodes_ = 0;
};

}  // namespace dlx
