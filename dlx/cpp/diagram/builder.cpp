// Keys of subproblems, and the parts of a diagram's construction that do not depend on `Live`.
#include "diagram/builder.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace dlx {

// -- keys ----------------------------------------------------------------------------------------

KeyLayout::KeyLayout(const Problem& problem, std::span<const Int> order)
    : position_(static_cast<std::size_t>(problem.primary)),
      item_at_(static_cast<std::size_t>(problem.primary)) {
    if (order.empty()) {
        std::iota(item_at_.begin(), item_at_.end(), 0);
    } else {
        std::copy(order.begin(), order.end(), item_at_.begin());
    }
    for (std::size_t at = 0; at < item_at_.size(); ++at) {
        position_[static_cast<std::size_t>(item_at_[at])] = static_cast<std::uint32_t>(at);
    }
    // Codes 0 and 1, and c + 1 for the colors c that the item has anywhere.
    std::vector<Int> largest(static_cast<std::size_t>(problem.items), 0);
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        Int& color =
            largest[static_cast<std::size_t>(problem.item[static_cast<std::size_t>(entry)])];
        color = std::max(color, problem.color_of(entry));
    }
    std::uint64_t bit = 64 * primary_words();
    for (Int item = problem.primary; item < problem.items; ++item) {
        const auto code = static_cast<std::uint32_t>(largest[static_cast<std::size_t>(item)]) + 1;
        const auto width = static_cast<std::uint64_t>(std::bit_width(code));
        if (bit % 64 + width > 64) bit += 64 - bit % 64;
        secondary_.push_back(
            {static_cast<std::uint32_t>(bit / 64), static_cast<std::uint32_t>(bit % 64)});
        bit += width;
    }
    words_ = (bit + 63) / 64;
}

std::uint32_t DiagramBuilder::hash_of(const Key& key) noexcept {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key) hash = mix(hash, word);
    return upper(hash);
}

std::uint32_t DiagramBuilder::find(const Key& key, std::uint32_t hash) const noexcept {
    return seen_.find(hash, [&](std::uint32_t number) {
        return std::equal(key.begin(), key.end(), keys_.at(number));
    });
}

std::uint32_t DiagramBuilder::remember(const Key& key, std::uint32_t hash) {
    const auto number = static_cast<std::uint32_t>(results_.size());
    if (number == Places::none) throw OverBudget("a diagram can have 2^32 subproblems at most");
    seen_.add(hash, number);
    std::copy(key.begin(), key.end(), keys_.extend());
    results_.push(diagram::empty);
    return number;
}

DiagramBuilder::DiagramBuilder(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                               std::span<const Int> order, std::uint64_t memory_limit,
                               std::size_t key_words)
    : budget_(memory_limit),
      problem_(std::move(problem)),
      given_(given.begin(), given.end()),
      order_(order.begin(), order.end()),
      layout_(*problem_, order_),
      nodes_(budget_),
      seen_(budget_),
      keys_(budget_, key_words == 0 ? layout_.words() : key_words),
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
            const auto field = layout_.primary(item);
            least = std::min(least, 64 * field.word + field.shift + 1);
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
