// Where a search stands, and so all that is left of it.
//
// A search that tries options in order needs no more than its path from the root to say what is
// left. Here it has taken b of item 0, then d of item 3, and of item 5 it has tried e, to the end:
//
//                       root
//           item 0:   a  [b]  c              path = (0, b) (3, d) (5, e)
//                   done  |   later
//           item 3:      [d]  g              left: f, then g, then c, with all below them
//                         |   later
//           item 5:      [e]  f
//                       done  later
//
// What comes after the path in the order of visiting is left, with one restriction: the `floor`.
// Only what shares the first `floor` decisions belongs to this part of the search; with floor 1, c
// is somebody else's. So a part is split by raising its floor, and two parts arise which have
// nothing in common and of which one comes wholly before the other:
//
//     (0, b) (3, d) (5, e), floor 0    =    (0, b) (3, d) (5, e), floor 1     f and g
//                                      +    (0, b), floor 0                   c
//
// A path no longer than its floor is the root of a whole subtree: the node at the end of the path,
// which is still to be visited, and all below it. Without a path that is the whole search.
//
// The items are in the path because they need not be those that would be chosen today: weights
// change, and a heuristic of the caller's has moods. Whatever chose them, the parts fit together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct Decision {
    // In the place of an option: none has been tried yet; or (with multiplicities) no further one.
    static constexpr Int none_yet = -1;
    static constexpr Int no_more = -2;

    Int item;
    Int option;
};

struct Position {
    std::vector<Decision> path;  // from the root; options given beforehand are not in it
    std::size_t floor = 0;

    // Is the node at the end of the path still to be visited?
    bool is_subtree() const noexcept { return path.size() == floor; }
};

// Throws std::invalid_argument unless the numbers mean something, each option has the item it
// stands for, and only the last decision of a path beyond the floor is "none yet". O(path).
void check_numbers(const Problem& problem, const Position& position);

// As check_numbers, and that no two options of the path clash with each other or with one that is
// given, and that items are chosen before they are covered. Then each option of the path is live
// when its turn comes. Not for problems with multiplicities. O(items + entries of the path).
void check_path(const Problem& problem, std::span<const Int> given, const Position& position);

// A path that leads into a dead end, or beyond a solution: no search comes along there.
[[noreturn]] void refuse_dead_path();

// The number of the entry of an option that is about this item. Throws if there is none.
std::size_t entry_about(const Problem& problem, const Decision& decision);

}  // namespace dlx
