// Reduces a problem to a smaller one with the same solutions: a variant of TAOCP 7.2.2.1, Algorithm
// P.
//
// An option is *blocked* by a primary item i that it does not contain if it conflicts with every
// option of i: once it is taken, no option can cover i. Blocked options are in no solution. Without
// them others may be blocked; what is left at the end does not depend on the order.
//
// Algorithm P hides the items of one option after another and checks whether some item runs out of
// options: options x (conflicts of an option) steps a round. This variant checks the items one by
// one. The options that i blocks conflict with each of its options. So they are among the
// *candidates*, the conflicts of that option of i which has the fewest:
//
//     options of i      o1   o2   o3          only one list of conflicts is read completely, and
//     candidates        abcdefgh              few candidates are left after two or three options:
//       conflict with o2  bcd  h              items x (conflicts of an option) steps, with far
//       and with o3         d                 fewer items than options
//
// An item that all options of i share needs no such list: all other options with it are blocked.
//
// If i blocks no option, the options of i that showed it, o1 to o3 here, are *watched*, like
// literals in SAT solvers: as long as none of them is removed, i blocks no option and need not be
// checked again. Lists of items are arrays that are compacted when they are next read; their counts
// are always correct.
//
// When no option is blocked any more, items are removed. Of primary items with the same options
// only the first is kept; a search would have chosen it anyway, since it chooses the first item
// with the fewest options. A secondary item is removed if it constrains nothing: if it is in one
// option only, has the same color in all its options, or if all its options share some other item
// without color.
//
// The reduced problem has the same solutions. If no option was blocked, it has them in the same
// order and with the same search tree. Items can be excluded (`alone`): they are kept, and no
// option is found to be blocked by them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct ReductionLimits {
    std::uint64_t work = std::numeric_limits<std::uint64_t>::max();  // entries looked at
    std::function<bool()> go_on;  // called about every 65536 entries; may throw; false: stop
};

struct Reduction {
    static constexpr Int none = -1;

    std::vector<Int> blocker;  // of each option: the item that blocks it, or `none`: it is kept
    std::vector<Int> into;  // of each item: itself (kept), the item that does its work, or `none`
    std::uint64_t rounds = 0;  // passes over the items that blocked something
    std::uint64_t work = 0;    // entries looked at
    bool complete = true;      // false: a limit was reached, and more options may be blocked
};

// Reduces the problem as it is after these options, no two of which clash, have been given.
// `alone`: a flag for each item, or empty.
Reduction reduce(const Problem& problem, std::span<const Int> given,
                 std::span<const std::uint8_t> alone, const ReductionLimits& limits);

// The options that are kept, as compressed rows; `number` is the new number of each item.
struct Rows {
    std::vector<Int> start;
    std::vector<Int> item;
    std::vector<Int> color;
};
Rows kept_rows(const Problem& problem, const Reduction& reduction, std::span<const Int> number);

// The reduced problem, if at most `work` entries show that a twentieth of its options is blocked:
// then searching it is clearly less work. Otherwise nullopt.
std::optional<Problem> clearly_smaller(const Problem& problem, std::uint64_t work);

}  // namespace dlx
