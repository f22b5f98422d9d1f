// Tournament tree: the open item with the fewest options, kept up to date while the numbers change.
//
// Reading all open items for each choice is cheap while there are hundreds. With a hundred
// thousand, and a descent tens of thousands of levels deep, it would be nearly all the work. So the
// items are the leaves of a tournament tree: of two neighbours, the one with fewer options goes up,
// the first on a tie. The winner at the root is the item to choose.
//
//                     a
//                 a       d           a:1 b:3 c:3 d:2    when d gets down to 1, it wins nothing:
//               a   b   c   d                            one match is played again, no more
//
// When the number of an item changes, the matches on its way up are replayed until the winner of
// one is the same as before and another item. That is mostly the first match.
#pragma once

#include <bit>
#include <vector>

#include "core/active_options.hpp"

namespace dlx {

class Tournament {
public:
    explicit Tournament(const ActiveOptions& active)
        : active_(active),
          players_(static_cast<std::size_t>(active.problem().primary)),
          leaves_(std::bit_ceil(std::max<std::size_t>(players_, 1))),
          winner_(2 * leaves_, ActiveOptions::none) {
        for (std::size_t item = 0; item < players_; ++item) {
            winner_[leaves_ + item] = static_cast<Int>(item);
        }
    }

    // Plays all matches. O(items).
    void play() noexcept {
        for (std::size_t match = leaves_; --match > 0;) winner_[match] = winner_of(match);
    }

    // Replays the matches of a primary item whose number of options has changed. O(log items).
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
        if (other == ActiveOptions::none) return one;
        return active_.live(other) < active_.live(one) ? other : one;
    }

    const ActiveOptions& active_;
    std::size_t players_;
    std::size_t leaves_;
    std::vector<Int> winner_;  // of match m, played by the winners of 2m and 2m + 1; 1 is the final
};

}  // namespace dlx
