// A smaller problem with the very same solutions: TAOCP 7.2.2.1, Algorithm P, done another way.
//
// An option is *blocked* by a primary item i that it does not contain if it conflicts with every
// option of i: once it is taken, nothing covers i any more. Blocked options are in no solution, and
// without them others may be blocked; what is left when none is does not depend on the order.
//
// Algorithm P hides the items of one option after another and looks whether some item runs out of
// options: options x (what an option conflicts with) steps a round. Here it is the items that are
// looked at one by one. Whatever i blocks conflicts with each of its options, hence is among the
// *candidates*: all that conflicts with the one of them that conflicts with least:
//
//     options of i      o1   o2   o3          only one list has to be walked through, and the
//     candidates        abcdefgh              candidates left after two or three options are few:
//       conflict with o2  bcd  h              items x (what an option conflicts with), with far
//       and with o3         d                 fewer items than options
//
// An item that all options of i share needs no such list: whatever else contains it is blocked.
//
// The options of i that were used to find that it blocks nothing, o1 to o3 here, are *watched*, as
// literals are in SAT solvers: as long as they are there it blocks nothing, and need not be looked
// at again. Lists of items are arrays that are compacted when they are next read; their counts are
// always right.
//
// When no option is blocked any more, items go. Primary items with the same options are one item:
// the first of them is kept, which a search would have chosen anyway, as it chooses the first of
// those with the fewest options. A secondary item constrains nothing, and goes, if it is in one
// option only, has the same color wherever it is, or if all its options share some other item
// without color, which keeps them apart already.
//
// What is left is a problem that gives the same solutions; if no option was blocked, also in the
// same order and by the same search tree. Items may be left alone (`alone`): they are kept, and
// nothing is concluded from them.
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
    std::function<bool()> go_on;  // asked every 65536 entries or so; may throw
};

struct Reduction {
    static constexpr Int none = -1;

    std::vector<Int> blocker;  // of each option: the item that blocks it, or `none`: it is kept
    std::vector<Int> into;  // of each item: itself (kept), the item that does its work, or `none`
    std::uint64_t rounds = 0;  // passes over the items that blocked something
    std::uint64_t work = 0;    // entries looked at
    bool complete = true;      // false: a limit came first, and more may be blocked
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

// The problem without what can go, if so much work finds a twentieth of its options to be blocked:
// then what is left is clearly less to search.
std::optional<Problem> clearly_smaller(const Problem& problem, std::uint64_t work);

}  // namespace dlx
