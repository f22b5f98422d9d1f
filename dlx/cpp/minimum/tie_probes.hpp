// Looks into subtrees of a walk in order: is there a solution of the wanted cost at all?
//
// When the least cost is known, the first solutions of that cost in visiting order are wanted. A
// walk in order finds them, but it branches as an ordinary search does, which knows nothing of
// costs. So it may take very long to find out that a subtree has no such solution. A walk that
// branches by cost may see it at once:
//
//     walk in order:  a --- b --- c --- ...     probe at a: the solution {a, x, y}
//                                               probe at b: none. So b's subtree is left out
//
// Probes take as much work as the walk. Half of that goes to the newest node of the path, half to
// the topmost one for which it is not known whether its subtree has a solution. The *witness*, a
// solution that a probe has found, answers for all nodes on the path to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "minimum/walk.hpp"

namespace dlx {

template <class Cost>
class TieProbes {
public:
    // `walk`: any walk, which this copies. `options`: how many the problem has.
    TieProbes(const Walk<Cost>& walk, std::size_t options)
        : probe_(walk), begun_(walk.work()), in_witness_(options, 0) {
        probe_.return_to_root();
        probe_.forget_work();
    }

    std::uint64_t work() const noexcept { return probe_.work(); }
    const Stats& stats() const noexcept { return probe_.stats(); }

    // After a step that went down: leaves out what has no solution. `is_wanted(options)` says
    // whether a solution, without its given options, has the wanted cost.
    template <class IsWanted>
    void look(Walk<Cost>& walk, Cost cutoff, IsWanted&& is_wanted) {
        const std::uint64_t spent = walk.work() - begun_;
        const std::size_t levels = walk.levels();
        const std::size_t top = first_unknown(walk);
        if (top + 1 >= levels) return;  // all of the path is on the way to the witness
        // The budget grows until it is enough, so a node is looked at again with twice as much.
        if (top_work_ + top_budget_ < spent / 2 + first_work) {
            const std::uint64_t before = probe_.work();
            const Verdict verdict = probe(walk.moves_to(top), cutoff, top_budget_, is_wanted);
            const std::uint64_t used = probe_.work() - before;
            top_work_ += used;
            if (verdict == Verdict::none) walk.leave_out(top);
            if (verdict != Verdict::unknown) {
                if (used < top_budget_ / 4) top_budget_ = std::max(top_budget_ / 2, least_budget);
                return;
            }
            top_budget_ *= 2;
        }
        if (levels < 2 || last_work_ > spent / 2 + first_work) return;
        const std::uint64_t before = probe_.work();
        const Verdict verdict = probe(walk.moves_to(levels - 2), cutoff, last_budget, is_wanted);
        last_work_ += probe_.work() - before;
        if (verdict == Verdict::none) walk.leave_out(levels - 2);
    }

    // The witness has been reached, so another one is needed.
    void forget_witness() noexcept {
        for (const Int option : witness_) in_witness_[static_cast<std::size_t>(option)] = 0;
        witness_.clear();
    }

private:
    enum class Verdict : std::uint8_t { none, some, unknown };

    // In units of about 10 ns.
    static constexpr std::uint64_t first_work = 1'000'000;  // without work of the walk
    static constexpr std::uint64_t least_budget = 50'000;
    static constexpr std::uint64_t last_budget = 20'000;

    // The first level of the path whose option is not in the witness.
    std::size_t first_unknown(const Walk<Cost>& walk) const {
        if (witness_.empty()) return 0;
        const std::vector<Int> tried = walk.tried();
        const auto at = std::find_if(tried.begin(), tried.end(), [this](Int option) {
            return option == no_more || !in_witness_[static_cast<std::size_t>(option)];
        });
        return static_cast<std::size_t>(at - tried.begin());
    }

    template <class IsWanted>
    Verdict probe(const std::vector<Move>& moves, Cost cutoff, std::uint64_t budget,
                  IsWanted&& is_wanted) {
        const std::uint64_t begun = probe_.work();
        probe_.begin_below(moves, cutoff);
        while (probe_.busy()) {
            if (probe_.work() - begun > budget) return Verdict::unknown;
            if (!probe_.step()) continue;
            const std::vector<Int> options = probe_.path();
            if (!is_wanted(options)) continue;
            forget_witness();
            witness_ = options;
            for (const Int option : options) in_witness_[static_cast<std::size_t>(option)] = 1;
            return Verdict::some;
        }
        return Verdict::none;
    }

    Walk<Cost> probe_;
    std::uint64_t begun_;  // the work of the walk in order at the beginning
    std::vector<Int> witness_;
    std::vector<char> in_witness_;  // of each option
    std::uint64_t top_budget_ = least_budget;
    std::uint64_t top_work_ = 0;
    std::uint64_t last_work_ = 0;
};

}  // namespace dlx
