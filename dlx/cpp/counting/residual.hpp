// What is left of a problem when options have been taken: small, renumbered, and simplified.
//
// A search undoes what it does. To compare subproblems that are far apart in the tree, each must be
// a value of its own:
//
//     problem         a: 0 1    taking option 0 = {a c}           residual     b: 0 1
//                     b: 1 2 3  covers a and c, removes 1 = {a b} (copies 1)   d: 0 1
//                     c: 0 4    and 4 = {c d}, so that            0 = {b d}
//                     d: 2 3 4  2 = {b d} and 3 = {b d} are left       copies 2: once, two copies
//
//   * Items that are covered are removed, with all options that clash. So are secondary items that
//     no longer exclude anything, and entries whose secondary item has their color already.
//   * An item with one option left gets it (a forced option), one without any is a dead end.
//   * Equal options become one with a number of copies. If a solution uses it, it counts once for
//     each copy.
//   * Independent parts become residuals of their own; their numbers of solutions multiply.
//
// The new numbers of items and options are in the old order. Primary items come first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "symmetry/graph.hpp"

namespace dlx {

struct Residual {
    Int primary = 0;
    Int items = 0;
    std::vector<Int> start{0};  // option o has the entries start[o] .. start[o+1]-1
    std::vector<Int> item;      // of each entry, ascending within an option
    std::vector<Int> color;     // of each entry, 0 for none; empty if no entry has one
    std::vector<Int> copies;    // of each option
    std::vector<Int> list;      // item i is in the options option_of[list[i] .. list[i+1]-1]
    std::vector<Int> option_of;

    Int options() const noexcept { return static_cast<Int>(copies.size()); }
    std::size_t entries() const noexcept { return item.size(); }
    Int color_of(Int entry) const noexcept {
        return color.empty() ? 0 : color[static_cast<std::size_t>(entry)];
    }
    std::span<const Int> options_of(Int number) const noexcept {
        const auto at = static_cast<std::size_t>(number);
        return std::span(option_of).subspan(static_cast<std::size_t>(list[at]),
                                            static_cast<std::size_t>(list[at + 1] - list[at]));
    }

    // The primary item with the fewest options; of several, the first.
    Int shortest() const noexcept;
    // As a problem of its own, with all copies.
    Problem problem() const;
    // Its graph, without a search for equal items. The kinds tell items from options, and options
    // with different numbers of copies.
    IncidenceGraph graph() const;
    // The residual with its vertices in this order of its graph, as bytes. Two residuals whose
    // canonical orders lead to the same bytes are isomorphic.
    std::string encoded(const IncidenceGraph& graph, std::span<const Int> order) const;
};

// What is left after some options were taken.
struct Rest {
    bool dead = false;                   // an item cannot be covered any more
    std::vector<std::uint64_t> factors;  // copies of options that were taken, if several
    std::vector<Residual> parts;         // none: a solution
};

class Reducer {
public:
    // The whole of a problem without multiplicities.
    Rest whole(const Problem& problem);
    // What is left when an option is taken.
    Rest after(const Residual& from, Int option);

    std::uint64_t work() const noexcept { return work_; }  // entries read

private:
    void begin(const Residual& from);
    void take(Int option);
    void remove(Int option);
    bool take_forced();
    void number_items();
    void collect(Rest& rest);
    Int find(Int item) noexcept;

    const Residual* from_ = nullptr;
    bool dead_ = false;
    std::vector<std::uint64_t> factors_;
    std::vector<std::uint8_t> active_;   // flag of each option
    std::vector<std::uint8_t> covered_;  // flag of each item
    std::vector<Int> live_;              // of each item: its active options
    std::vector<Int> forced_;            // items that have had one active option
    std::vector<Int> root_;              // of each item: union-find forest, or -1 if it is removed
    std::vector<Int> number_;            // of each item in its part
    std::vector<Int> part_;              // of each item that is a root
    std::vector<Int> table_;             // hash table of the options of one part
    std::uint64_t work_ = 0;
};

}  // namespace dlx
