// The open item with the fewest options, kept at hand while the numbers change.
//
// Looking at all open items whenever one is to be chosen costs nothing to speak of while there are
// hundreds. With a hundred thousand, and a descent tens of thousands of levels deep, it would be
// nearly all the work. So the items play a tournament: each of two neighbours the one with fewer
// options goes on, the first on a tie, and the champion is the item to choose.
//
//                     a
//                 a       d           a:1 b:3 c:3 d:2    when d gets down to 1, it wins nothing:
//               a   b   c   d                            one match is played again, no more
//
// When the number of an item changes, the matches on its way up are played again, until the winner
// is the same as before and another item: mostly at once.
#pragma once

#include <bit>
#include <vector>

#include "core/active_options.hpp"

namespace dlx {

class Tournament {
public:
    explicit Tournament(const Standing& standing)
        : standing_(standing),
          players_(static_cast<std::size_t>(standing.problem().primary)),
          leaves_(std::bit_ceil(std::max<std::size_t>(players_, 1))),
          winner_(2 * leaves_, Standing::nobody) {
        for (std::size_t item = 0; item < players_; ++item) {
            winner_[leaves_ + item] = static_cast<Int>(item);
        }
    }

    // All matches. O(items).
    void play() noexcept {
        for (std::size_t match = leaves_; --match > 0;) winner_[match] = winner_of(match);
    }

    // Those of a primary item whose number has changed.
    void play(Int item) noexcept {
        for (std::size_t match = (leaves_ + static_cast<std::size_t>(item)) / 2; match > 0;
             match /= 2) {
            const Int winner = winner_of(match);
            if (winner == winner_[match] && winner != item) return;
            winner_[match] = winner;
        }
    }

    // The item to choose; there must be an open one.
    Int champion() const noexcept { return winner_[1]; }

private:
    Int winner_of(std::size_t match) const noexcept {
        const Int one = winner_[2 * match];
        const Int other = winner_[2 * match + 1];
        if (other == Standing::nobody) return one;
        return standing_.live(other) < standing_.live(one) ? other : one;
    }

    const Standing& standing_;
    std::size_t players_;
    std::size_t leaves_;
    std::vector<Int> winner_;  // of match m, played by the winners of 2m and 2m + 1; 1 is the final
};

}  // namespace dlx
