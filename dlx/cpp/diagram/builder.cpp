// The table of subproblems, and the parts of a diagram's construction that do not depend on `Live`.
#include "diagram/builder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dlx {

// Looks the current key up: its node, if the subproblem is known.
bool DiagramBuilder::find_node(NodeId& node) noexcept {
    const std::vector<std::uint64_t>& key = key_.words();
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key) hash = mix(hash, word);
    hash_ = upper(hash);
    const std::uint32_t known = seen_.find(hash_, [&](std::uint32_t number) {
        return std::equal(key.begin(), key.end(), keys_.at(number));
    });
    if (known == Places::none) return false;
    node = results_[known];
    return true;
}

// Adds the subproblem that was looked up last; returns its number.
std::uint32_t DiagramBuilder::remember() {
    const auto number = static_cast<std::uint32_t>(results_.size());
    if (number == Places::none) throw OverBudget("a diagram can have 2^32 subproblems at most");
    seen_.add(hash_, number);
    std::copy(key_.words().begin(), key_.words().end(), keys_.extend());
    results_.push(diagram::empty);
    return number;
}

DiagramBuilder::DiagramBuilder(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                               std::span<const Int> order, std::uint64_t memory_limit)
    : budget_(memory_limit),
      problem_(std::move(problem)),
      given_(given.begin(), given.end()),
      key_(*problem_, order),
      nodes_(budget_),
      seen_(budget_),
      keys_(budget_, key_.words().size()),
      results_(budget_) {}

// Puts the givens on top, and frees the tables.
void DiagramBuilder::conclude(NodeId node) {
    root_ = node;
    if (node != diagram::empty) {
        for (std::size_t at = given_.size(); at-- > 0;) {
            root_ = nodes_.make(problem_->label_of(given_[at]), diagram::empty, root_);
        }
    }
    nodes_.seal();
    seen_.clear();
    keys_.clear();
}

std::vector<Int> DiagramBuilder::variables() const {
    const Problem& problem = *problem_;
    const auto options = static_cast<std::size_t>(problem.options());
    std::vector<std::uint32_t> rank(options, 0);  // the givens first, 0
    std::vector<Int> sorted(options);
    std::iota(sorted.begin(), sorted.end(), 0);
    for (std::size_t option = 0; option < options; ++option) {
        std::uint32_t least = 0xffffffff;
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            const Int item = problem.item[static_cast<std::size_t>(entry)];
            if (item >= problem.primary) continue;
            least = std::min(least, static_cast<std::uint32_t>(key_.place_of(item)) + 1);
        }
        rank[option] = least + static_cast<std::uint32_t>(given_.size());
    }
    for (std::size_t at = 0; at < given_.size(); ++at) {
        rank[static_cast<std::size_t>(given_[at])] = static_cast<std::uint32_t>(at);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [&](Int a, Int b) {
        return rank[static_cast<std::size_t>(a)] < rank[static_cast<std::size_t>(b)];
    });
    for (Int& option : sorted) option = problem.label_of(option);
    return sorted;
}

}  // namespace dlx
