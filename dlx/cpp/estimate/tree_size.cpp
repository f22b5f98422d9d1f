// The median of a few groups' mean estimates of the tree size.
#include "estimate/tree_size.hpp"

#include <algorithm>

namespace dlx {
namespace {

template <std::size_t count>
double median_of(const std::array<ScaledDouble, count>& sums, double rounds) {
    constexpr double most = 1e250;  // to be multiplied without becoming infinite
    std::array<double, count> means{};
    std::transform(sums.begin(), sums.end(), means.begin(),
                   [&](const ScaledDouble& sum) { return (sum / rounds).at_most(most); });
    std::sort(means.begin(), means.end());
    return (means[(count - 1) / 2] + means[count / 2]) / 2;
}

}  // namespace

bool TreeProbes::run(std::uint64_t work, Clock::time_point until) {
    for (;;) {
        const std::uint64_t made = probing_.made();
        const bool whole = made % groups == 0 && made > 0;  // as many probes in each group
        if (whole && (made >= most_probes || probing_.work() >= work)) return true;
        if (!probing_.run(made + 1, until)) return false;
        nodes_[made % groups] = nodes_[made % groups] + probing_.last_nodes();
        solutions_[made % groups] = solutions_[made % groups] + probing_.last_solutions();
    }
}

TreeSize TreeProbes::size() const {
    const auto rounds = static_cast<double>(probing_.made() / groups);
    return {median_of(nodes_, rounds), median_of(solutions_, rounds)};
}

}  // namespace dlx
