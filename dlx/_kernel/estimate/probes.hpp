// Random descents through the search tree, from which its size is estimated.
//
// D. E. Knuth, "Estimating the efficiency of backtrack programs" (Mathematics of Computation 29,
// 1975); TAOCP 7.2.2, Algorithm E. From a node with d children go to one of them, each with
// probability 1/d, until there are none. On the way, a node at depth k stands for d_0 d_1 ... d_k-1
// nodes: this is one over the probability of coming there, so that the expected sum of these
// numbers is exactly the number of nodes, for every tree; counting leaves of one kind only, it is
// the number of those leaves. Only the variance depends on the tree, and it can be large.
//
// The tree is that of the engines: the root, and below a node that is neither a dead end nor a
// solution all options of the item chosen, the dead ends among them. At most one child of a node
// is ever looked at, so there is nothing to be gained from failing early: Standing
// (core/active_options.hpp) takes the option, and the next step looks at what is left.
//
// Nodes at the top that have one child only are the same for all probes. They are entered once.
//
// The random numbers are SplitMix64's (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014), made into numbers below a bound without bias by rejection: the same
// on every machine, and in dlx/engines/python/probes.py.
#pragma once

#include "core/active_options.hpp"
#include "core/engine.hpp"
#include "core/scaled_double.hpp"
#include "estimate/tournament.hpp"

namespace dlx {

class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }

    // One of 0 .. bound-1, all equally likely. Numbers from the last, incomplete, run of `bound`
    // numbers are passed over.
    std::uint64_t below(std::uint64_t bound) noexcept {
        const std::uint64_t extra = (0 - bound) % bound;  // 2^64 mod bound
        for (;;) {
            const std::uint64_t number = next();
            if (number >= extra) return number % bound;
        }
    }

private:
    std::uint64_t state_;
};

class Probing {
public:
    // `given`: options (in search numbering), no two of which clash.
    Probing(std::shared_ptr<const Problem> problem, std::span<const Int> given, std::uint64_t seed)
        : standing_(std::move(problem)), tournament_(standing_), random_(seed) {
        root_below(given);
    }

    // Forgets all probes; the next ones begin below other options. No two may clash.
    void restart(std::span<const Int> given) {
        roots_ = shared_ = 0;
        go_back();
        nodes_ = solutions_ = Tally();
        profile_.clear();
        root_below(given);
    }
    Probing(const Probing&) = delete;
    Probing& operator=(const Probing&) = delete;

    // Goes on until there are `total` probes (true), or until the time is up (false), be it in the
    // middle of a probe.
    bool run(std::uint64_t total, Clock::time_point until) {
        std::uint64_t next_look = 0;
        while (made() < total) {
            if (work() >= next_look) {
                next_look = work() + patience;
                if (Clock::now() >= until) return false;
            }
            step();
        }
        return true;
    }

    // What has been done so far, in steps that do not depend on the machine.
    std::uint64_t work() const noexcept { return standing_.work() + looks_; }
    std::uint64_t made() const noexcept { return nodes_.count(); }
    const Tally& nodes() const noexcept { return nodes_; }
    const Tally& solutions() const noexcept { return solutions_; }
    std::size_t depths() const noexcept { return profile_.size(); }
    // What the last probe found.
    const Wide& last_nodes() const noexcept { return last_nodes_; }
    const Wide& last_solutions() const noexcept { return last_solutions_; }
    Tally at_depth(std::size_t depth) const { return profile_[depth].padded(made()); }

private:
    static constexpr std::uint64_t patience = 100'000;  // work between looks at the clock

    static constexpr Int many = 500;  // open items, for which a tournament is played

    void root_below(std::span<const Int> given) {
        for (const Int option : given) standing_.take(option);
        roots_ = static_cast<std::size_t>(standing_.taken());
        begin();
    }

    void begin() {
        weights_.assign(shared_ + 1, Wide(1.0));
        playing_ = standing_.open() >= many;
        if (!playing_) return;
        tournament_.play();
        looks_ += static_cast<std::uint64_t>(standing_.problem().primary);
    }

    Int choose() noexcept {
        if (playing_) return tournament_.champion();
        looks_ += static_cast<std::uint64_t>(standing_.open());
        return standing_.choose();
    }

    // From a node to one of its children; or, from a leaf, back up.
    void step() {
        ++looks_;
        if (standing_.open() == 0) return finish(weights_.back());
        if (standing_.starved() != 0) return finish(Wide());
        const Int item = choose();
        const auto children = static_cast<std::uint64_t>(standing_.live(item));
        if (children == 1) {
            if (weights_.size() == shared_ + 1) ++shared_;
            descend(item, 0, weights_.back());
        } else {
            const std::uint64_t drawn = random_.below(children);
            descend(item, drawn, weights_.back() * Wide(static_cast<double>(children)));
        }
    }

    // Takes the option of that number among the standing ones of an item.
    void descend(Int item, std::uint64_t number, const Wide& weight) {
        for (const Int option : standing_.options_of(item)) {
            if (!standing_.stands(option) || number-- != 0) continue;
            weights_.push_back(weight);
            standing_.take(option);
            break;
        }
        playing_ = playing_ && standing_.open() >= many;
        if (playing_) replay();
    }

    // Plays the matches of all items whose numbers the option taken last has changed.
    void replay() noexcept {
        const Problem& problem = standing_.problem();
        for (const Int option : standing_.felled()) {
            for (const std::size_t entry : entries_of(problem, option)) {
                if (problem.item[entry] < problem.primary) tournament_.play(problem.item[entry]);
            }
        }
    }

    void finish(const Wide& solutions) {
        Wide nodes;
        profile_.resize(std::max(profile_.size(), weights_.size()));
        for (std::size_t depth = 0; depth < weights_.size(); ++depth) {
            nodes = nodes + weights_[depth];
            profile_[depth].add(weights_[depth]);
        }
        solutions_.add(last_solutions_ = solutions);
        nodes_.add(last_nodes_ = nodes);
        go_back();
        begin();
    }

    // To where all probes begin. If nearly everything has fallen, it is quicker to set it all up
    // again, in the order of memory, than to undo it one by one.
    void go_back() {
        const auto start = static_cast<Int>(roots_ + shared_);
        const auto all = static_cast<std::size_t>(standing_.problem().options());
        if (standing_.felled_by(start) > all / 8 ||
            standing_.felled_by(standing_.taken()) < all / 2) {
            while (standing_.taken() > start) standing_.release();
            return;
        }
        std::vector<Int> first;
        for (Int place = 0; place < start; ++place) first.push_back(standing_.taken(place));
        standing_.restart({});
        for (const Int option : first) standing_.take(option);
    }

    Standing standing_;
    Tournament tournament_;
    bool playing_ = false;  // is it being kept up to date?
    RandomNumbers random_;
    std::size_t roots_ = 0;      // options given
    std::size_t shared_ = 0;     // options that every probe begins with, after these
    std::vector<Wide> weights_;  // of the nodes from the root to where we are
    Tally nodes_, solutions_;
    Wide last_nodes_, last_solutions_;
    std::vector<Tally> profile_;  // by depth, of the probes that came so far
    std::uint64_t looks_ = 0;
};

}  // namespace dlx
