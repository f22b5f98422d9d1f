// Collects the first solutions of the least cost, in the order of an ordinary search.
//
// That order depends on how many options each item has left regardless of cost, so plain cells and
// priced cells follow the same path. Walks that branch by cost look into its subtrees: see
// minimum/tie_probes.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "minimum/tie_probes.hpp"
#include "minimum/walk.hpp"

namespace dlx {

// Which solutions are collected.
template <class Cost>
struct TieTarget {
    std::int64_t cost;
    Cost cutoff;
    std::size_t wanted;  // how many
    bool priced;         // are there any costs?
    bool probes;         // may subtrees be probed? Not with multiplicities.
};

template <class Cost>
class TiesInOrder {
public:
    // `walk`: any walk, which this copies. `plain`: cells at the root, which only this changes.
    TiesInOrder(const Walk<Cost>& walk, Cells& plain, std::span<const Int> given,
                std::span<const std::int64_t> cost, const TieTarget<Cost>& target)
        : walk_(walk), given_(given.begin(), given.end()), cost_(cost), target_(target) {
        walk_.return_to_root();
        walk_.forget_work();
        walk_.begin(target.cutoff, &plain, target.priced);
    }

    // Continues behind the solutions that another search had collected when it stopped.
    void resume(std::vector<Costed> found, const std::vector<Int>& tried) {
        found_ = std::move(found);
        walk_.skip_tried(tried);
    }

    // Takes a step. Returns false when there are enough, or all.
    bool step(std::uint64_t& solutions) {
        const std::size_t levels = walk_.levels();
        if (walk_.busy() && walk_.step()) {
            Costed one = solution(walk_.path());
            if (one.cost == target_.cost) {
                ++solutions;
                found_.push_back(std::move(one));
                if (found_.size() == target_.wanted) walk_.give_up();
                if (probes_) probes_->forget_witness();
            }
        } else if (walk_.levels() > levels && target_.probes && target_.priced) {
            if (!probes_) probes_.emplace(walk_, cost_.size());
            probes_->look(walk_, walk_.priced().cutoff(), [this](const std::vector<Int>& path) {
                return solution(path).cost == target_.cost;
            });
        }
        return walk_.busy();
    }

    const std::vector<Costed>& found() const noexcept { return found_; }
    std::vector<Costed> take() noexcept { return std::move(found_); }
    std::vector<Int> tried() const { return walk_.tried(); }

    std::uint64_t work() const noexcept { return walk_.work() + (probes_ ? probes_->work() : 0); }
    // The nodes of the walk and of the probes.
    template <class Add>
    void add_stats(Add&& add) const {
        add(walk_.stats());
        if (probes_) add(probes_->stats());
    }

private:
    Costed solution(const std::vector<Int>& path) const {
        Costed one{0, given_, {}};
        one.options.insert(one.options.end(), path.begin(), path.end());
        for (const Int option : one.options) one.cost += cost_[index(option)];
        return one;
    }

    Walk<Cost> walk_;
    std::vector<Int> given_;
    std::span<const std::int64_t> cost_;
    TieTarget<Cost> target_;
    std::optional<TieProbes<Cost>> probes_;
    std::vector<Costed> found_;
};

}  // namespace dlx
