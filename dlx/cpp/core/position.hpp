// The position of a search, which determines all that is left of it.
//
// A search tries options in order, so its path from the root determines what is left. Here it has
// taken b of item 0, then d of item 3, and of item 5 it has searched e completely:
//
//                       root
//           item 0:   a  [b]  c              path = (0, b) (3, d) (5, e)
//                   done  |   later
//           item 3:      [d]  g              left: f, then g, then c, with all below them
//                         |   later
//           item 5:      [e]  f
//                       done  later
//
// All nodes after the path in visiting order are left, with one restriction: the `floor`. Only
// nodes below the first `floor` decisions belong to this part of the search; with floor 1, c
// belongs to another part. Raising the floor splits a part into two disjoint ones, one of which
// comes completely before the other:
//
//     (0, b) (3, d) (5, e), floor 0    =    (0, b) (3, d) (5, e), floor 1     f and g
//                                      +    (0, b), floor 0                   c
//
// A path no longer than its floor is the root of a whole subtree: the node at the end of the path,
// which is still to be visited, and all below it. Without a path that is the whole search.
//
// The path contains the items because a replay might choose others: weights change, and a caller's
// heuristic may not be deterministic. With the items in the path, the parts fit together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// In place of an option: no further one of an item that may be covered several times. It is the
// last branch of such an item.
inline constexpr Int no_more = -2;

// Does a search try the first of two branches of an item before the second?
constexpr bool branches_before(Int one, Int other) noexcept {
    return one != no_more && (other == no_more || one < other);
}

struct Decision {
    static constexpr Int none_yet = -1;  // in place of an option: none has been tried

    Int item;
    Int option;
};

struct Position {
    std::vector<Decision> path;  // from the root; options given beforehand are not in it
    std::size_t floor = 0;

    // Is the node at the end of the path still to be visited?
    bool is_subtree() const noexcept { return path.size() == floor; }
};

// Throws std::invalid_argument unless all numbers are valid, each option has the item it is taken
// for, and only the last decision of a path beyond the floor is "none yet". O(path).
void check_numbers(const Problem& problem, const Position& position);

// Like check_numbers; also throws if options of the path clash with each other or with a given one,
// or if an item is already covered when it is chosen. So each option of the path is live when the
// search takes it. Not for problems with multiplicities. O(items + entries of the path).
void check_path(const Problem& problem, std::span<const Int> given, const Position& position);

// Throws std::invalid_argument: the path leads into a dead end, or beyond a solution.
[[noreturn]] void refuse_dead_path();

// The number of the option's entry with the decision's item. Throws if there is none.
std::size_t entry_about(const Problem& problem, const Decision& decision);

}  // namespace dlx
