#include "diagram_builder.hpp"

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
        Int& color = largest[static_cast<std::size_t>(problem.item[static_cast<std::size_t>(entry)])];
        color = std::max(color, problem.color_of(entry));
    }
    std::uint32_t bit = 64 * static_cast<std::uint32_t>(primary_words());
    for (Int item = problem.primary; item < problem.items; ++item) {
        const auto code = static_cast<std::uint32_t>(largest[static_cast<std::size_t>(item)]) + 1;
        const auto width = static_cast<std::uint32_t>(std::bit_width(code));
        if (bit % 64 + width > 64) bit += 64 - bit % 64;
        secondary_.push_back({bit / 64, bit % 64});
        bit += width;
    }
    words_ = (bit + 63) / 64;
}

void DiagramBuilder::encode_secondary() noexcept {
    std::fill(key_.begin() + static_cast<std::ptrdiff_t>(layout_.primary_words()), key_.end(), 0);
    const Problem& problem = *problem_;
    for (Int item = problem.primary; item < problem.items; ++item) {
        if (!live_.open(item) || live_.size(item) == 0) continue;
        const Int color = live_.held(item) != 0 ? live_.held(item) : live_.common_color(item);
        const auto field = layout_.secondary(static_cast<std::size_t>(item - problem.primary));
        key_[field.word] |= (static_cast<std::uint64_t>(color) + 1) << field.shift;
    }
}

std::uint32_t DiagramBuilder::hash_key() const noexcept {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key_) hash = mix(hash, word);
    return upper(hash);
}

std::uint32_t DiagramBuilder::find(std::uint32_t hash) const noexcept {
    return seen_.find(hash, [&](std::uint32_t number) {
        return std::equal(key_.begin(), key_.end(), keys_.at(number));
    });
}

std::uint32_t DiagramBuilder::remember(std::uint32_t hash) {
    const auto number = static_cast<std::uint32_t>(results_.size());
    if (number == Places::none) throw OverBudget("a diagram can have 2^32 subproblems at most");
    seen_.add(hash, number);
    std::copy(key_.begin(), key_.end(), keys_.extend());
    results_.push(diagram::empty);
    return number;
}

// Takes the primary items of an option out of the key.
void DiagramBuilder::shut(Int option) noexcept {
    const Problem& problem = *problem_;
    const auto at = static_cast<std::size_t>(option);
    for (Int entry = problem.start[at]; entry < problem.start[at + 1]; ++entry) {
        const Int item = problem.item[static_cast<std::size_t>(entry)];
        if (item >= problem.primary) continue;
        const auto field = layout_.primary(item);
        key_[field.word] ^= std::uint64_t{1} << field.shift;
    }
}

bool DiagramBuilder::all_shut() const noexcept {
    for (std::size_t word = 0; word < layout_.primary_words(); ++word) {
        if (key_[word] != 0) return false;
    }
    return true;
}

// -- building ------------------------------------------------------------------------------------

DiagramBuilder::DiagramBuilder(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                               std::span<const Int> order, std::uint64_t memory_limit)
    : budget_(memory_limit),
      problem_((budget_.take(LiveOptions::bytes(*problem)), std::move(problem))),
      given_(given.begin(), given.end()),
      order_(order.begin(), order.end()),
      layout_(*problem_, order_),
      live_(*problem_),
      key_(layout_.words(), 0),
      nodes_(budget_),
      seen_(budget_),
      keys_(budget_, layout_.words()),
      results_(budget_) {}

void DiagramBuilder::begin() {
    begun_ = true;
    for (Int item = 0; item < problem_->primary; ++item) {
        const auto field = layout_.primary(item);
        key_[field.word] |= std::uint64_t{1} << field.shift;
    }
    tried_ = 1;
    if (live_.dead()) return;
    for (const Int option : given_) {
        LiveOptions::Mark mark;
        shut(option);
        if (!live_.take(option, -1, mark)) return;
    }
    if (all_shut()) {
        conclude(diagram::top);
        return;
    }
    encode_secondary();
    branch(remember(hash_key()));
}

bool DiagramBuilder::run(Clock::time_point until) {
    if (!begun_) begin();
    std::uint64_t next_look = live_.updates() + tried_;
    while (!frames_.empty()) {
        const std::uint64_t work = live_.updates() + tried_;
        if (work >= next_look) {
            if (Clock::now() >= until) return false;
            next_look = work + patience;
        }
        Frame& frame = frames_.back();
        if (frame.next == frame.last) {
            finish();
        } else {
            attempt(frame);
        }
    }
    return true;
}

// The item to branch on: there is an open one, and none is without options.
Int DiagramBuilder::choose() const noexcept {
    Int best = -1;
    Int least = 0;
    for (std::size_t word = 0; word < layout_.primary_words(); ++word) {
        for (std::uint64_t bits = key_[word]; bits != 0; bits &= bits - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
            const Int item = layout_.item_at(64 * word + bit);
            if (!order_.empty()) return item;
            const Int size = live_.size(item);
            if (best >= 0 && size >= least) continue;
            best = item;
            least = size;
            if (size == 1) return best;
        }
    }
    return best;
}

// Opens a subproblem: lists the options of an item, and removes them for all others.
void DiagramBuilder::branch(std::uint32_t problem) {
    const Int item = choose();
    const std::size_t first = pending_.size();
    live_.list(item, pending_);
    children_.resize(pending_.size(), diagram::empty);
    frames_.push_back({item, problem, first, first, pending_.size(), live_.branch(item), {}});
}

// Tries the next option: its node is known at once, or its subproblem is opened.
void DiagramBuilder::attempt(Frame& frame) {
    const std::size_t at = frame.next++;
    const Int option = pending_[at];
    ++tried_;
    shut(option);
    const bool plain = layout_.plain();
    std::uint32_t hash = plain ? hash_key() : 0;
    std::uint32_t known = Places::none;
    if (all_shut()) {
        children_[at] = diagram::top;
    } else if (plain && (known = find(hash)) != Places::none) {
        children_[at] = results_[known];
    } else {
        if (live_.take(option, frame.item, frame.taken)) {
            if (!plain) {
                encode_secondary();
                hash = hash_key();
                known = find(hash);
            }
            if (known == Places::none) {
                branch(remember(hash));
                return;
            }
            children_[at] = results_[known];
        }
        live_.retract(option, frame.item, frame.taken);
    }
    shut(option);
}

// Closes a subproblem whose options have all been tried: makes its nodes, last option first.
void DiagramBuilder::finish() {
    const Frame frame = frames_.back();
    NodeId node = diagram::empty;
    for (std::size_t at = frame.last; at-- > frame.first;) {
        node = nodes_.make(problem_->label_of(pending_[at]), node, children_[at]);
    }
    results_[frame.problem] = node;
    live_.unbranch(frame.item, frame.mark);
    pending_.resize(frame.first);
    children_.resize(frame.first);
    frames_.pop_back();
    if (frames_.empty()) {
        conclude(node);
        return;
    }
    const Frame& above = frames_.back();
    const std::size_t at = above.next - 1;
    children_[at] = node;
    live_.retract(pending_[at], above.item, above.taken);
    shut(pending_[at]);
}

// Puts the givens on top, and gives back what is needed no more.
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
