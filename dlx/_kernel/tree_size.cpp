#include "tree_size.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace dlx {
namespace {

constexpr std::size_t groups = 8;
constexpr std::size_t most_probes = 100 * groups;

std::size_t at(Int number) {
    return static_cast<std::size_t>(number);
}

class Prober {
public:
    explicit Prober(const Problem& problem)
        : problem_(problem),
          first_use_(at(problem.items) + 1, 0),
          uses_(problem.item.size()),
          lengths_(at(problem.primary), 0) {
        for (const Int item : problem.item) ++first_use_[at(item) + 1];
        std::partial_sum(first_use_.begin(), first_use_.end(), first_use_.begin());
        std::vector<Int> next(first_use_.begin(), first_use_.end() - 1);
        for (Int option = 0; option < problem.options(); ++option) {
            each_entry(option, [&](Int entry, Int item) {
                uses_[at(next[at(item)]++)] = {option, problem.color_of(entry)};
            });
        }
        for (std::size_t item = 0; item < lengths_.size(); ++item) {
            lengths_[item] = first_use_[item + 1] - first_use_[item];
        }
    }

    // Adds what one probe finds.
    void probe(TreeSize& size) {
        length_ = lengths_;
        live_.assign(at(problem_.options()), true);
        open_.resize(lengths_.size());
        std::iota(open_.begin(), open_.end(), 0);
        size.steps += open_.size() + live_.size() / 8;
        double product = 1;
        size.nodes += 1;
        while (!open_.empty()) {
            const Int item = *std::min_element(open_.begin(), open_.end(), [&](Int one, Int two) {
                return length_[at(one)] < length_[at(two)];
            });
            size.steps += open_.size();
            const Int length = length_[at(item)];
            if (length == 0) return;
            product *= length;
            size.nodes += product;
            take(nth_live(item, below(length)), size.steps);
        }
        size.solutions += product;
    }

private:
    struct Use {
        Int option;
        Int color;
    };

    template <class Visit>
    void each_entry(Int option, Visit visit) const {
        for (Int entry = problem_.start[at(option)]; entry < problem_.start[at(option) + 1];
             ++entry) {
            visit(entry, problem_.item[at(entry)]);
        }
    }

    Int nth_live(Int item, Int count) const {
        for (Int use = first_use_[at(item)];; ++use) {
            const Int option = uses_[at(use)].option;
            if (live_[at(option)] && count-- == 0) return option;
        }
    }

    void take(Int taken, std::uint64_t& steps) {
        live_[at(taken)] = false;
        each_entry(taken, [&](Int taken_entry, Int item) {
            const Int color = problem_.color_of(taken_entry);
            for (Int use = first_use_[at(item)]; use < first_use_[at(item) + 1]; ++use) {
                const auto [option, wanted] = uses_[at(use)];
                ++steps;
                if (!live_[at(option)] || (color != 0 && color == wanted)) continue;
                live_[at(option)] = false;
                each_entry(option, [&](Int, Int other) {
                    ++steps;
                    if (other < problem_.primary) --length_[at(other)];
                });
            }
        });
        std::erase_if(open_, [&](Int item) {
            bool covered = false;
            each_entry(taken, [&](Int, Int other) { covered = covered || other == item; });
            return covered;
        });
        steps += 2 * open_.size();
    }

    // A linear congruential generator: D. E. Knuth, MMIX.
    Int below(Int bound) {
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<Int>((random_ >> 33) % static_cast<std::uint64_t>(bound));
    }

    const Problem& problem_;
    std::vector<Int> first_use_;
    std::vector<Use> uses_;
    std::vector<Int> lengths_;  // of each primary item, at the root
    std::vector<Int> length_;   // and in the probe at hand
    std::vector<bool> live_;
    std::vector<Int> open_;
    std::uint64_t random_ = 1;
};

double median(std::array<double, groups> values) {
    std::sort(values.begin(), values.end());
    return (values[(groups - 1) / 2] + values[groups / 2]) / 2;
}

}  // namespace

TreeSize estimate_tree(const Problem& problem, std::uint64_t steps) {
    Prober prober(problem);
    std::array<TreeSize, groups> sums;
    std::uint64_t spent = 0;
    std::size_t rounds = 0;
    while (rounds < most_probes / groups && (rounds == 0 || spent < steps)) {
        ++rounds;
        spent = 0;
        for (TreeSize& sum : sums) {
            prober.probe(sum);
            spent += sum.steps;
        }
    }
    std::array<double, groups> nodes{}, solutions{};
    for (std::size_t group = 0; group < groups; ++group) {
        nodes[group] = sums[group].nodes / static_cast<double>(rounds);
        solutions[group] = sums[group].solutions / static_cast<double>(rounds);
    }
    return {median(nodes), median(solutions), spent};
}

}  // namespace dlx
