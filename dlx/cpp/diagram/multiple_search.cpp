// The search that builds a diagram with multiplicities, for MultipleCells and for MultipleBits.
#include "diagram/multiple_search.hpp"

#include <algorithm>
#include <utility>

#include "diagram/frames.hpp"
#include "diagram/multiple_bits.hpp"
#include "diagram/multiple_cells.hpp"
#include "diagram/multiple_key.hpp"

namespace dlx {
namespace {

template <class Live>
struct MultipleFrame {
    Int item;               // the item branched on
    std::uint32_t problem;  // the number of this subproblem
    std::size_t first;      // its branches are pending_[first], ...
    std::size_t next;       // the next one to try
    std::size_t last;
    typename Live::Mark before;  // to undo the option tried last
};

template <class Live>
class MultipleSearch final : public FrameSearch<MultipleSearch<Live>, MultipleFrame<Live>> {
    using Frame = MultipleFrame<Live>;
    using Base = FrameSearch<MultipleSearch, Frame>;
    friend Base;

public:
    MultipleSearch(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                   std::span<const Int> order, std::uint64_t memory_limit, std::size_t key_words)
        : Base(std::move(problem), given, order, memory_limit, key_words),
          key_(*problem_, order_),
          live_(affordable(), key_) {}

private:
    using Base::budget_, Base::problem_, Base::given_, Base::order_, Base::layout_, Base::nodes_;
    using Base::find, Base::remember, Base::conclude, Base::hash_of;
    using Base::results_, Base::tried_, Base::frames_, Base::pending_, Base::children_;

    // Reserves the memory of the tables in the budget, then returns the problem.
    const Problem& affordable() {
        const auto options = static_cast<std::uint64_t>(problem_->options());
        budget_.take(Live::bytes(*problem_) + (8 + sizeof(Frame)) * options + 8 * key_.size());
        return *problem_;
    }
    void begin();
    void attempt(Frame& frame);
    bool open(NodeId& node);
    void unbranch(const Frame&) const noexcept {}  // a branch undoes all of its changes
    void retract(const Frame& frame) { live_.undo(frame.before); }
    Int choose() const noexcept;
    Int choose_in_order() const noexcept;
    bool is_undecided(Int item) const noexcept { return live_.size(item) > 0; }

    MultipleKey key_;  // of the current subproblem
    Live live_;
};

template <class Live>
void MultipleSearch<Live>::begin() {
    tried_ = 1;
    if (live_.dead()) return;
    for (const Int option : given_) {
        live_.exclude(option);
        if (!live_.take(option)) return;
    }
    NodeId node = diagram::empty;
    if (open(node)) conclude(node);
}

// The item to branch on, as links/algorithm_m.hpp chooses it; -1 if all items are done.
template <class Live>
Int MultipleSearch<Live>::choose() const noexcept {
    if (key_.is_ordered()) return choose_in_order();
    Int best = -1;
    std::int64_t least = 0;
    for (Int item = 0; item < problem_->primary; ++item) {
        if (!is_undecided(item)) continue;
        const Int need = live_.need(item);
        const std::int64_t options = live_.size(item) + (need == 0);
        const std::int64_t score = std::min(options, live_.total(item) - need + 1);
        if (best >= 0 && score >= least) continue;
        best = item;
        least = score;
        if (score == 1) break;
    }
    return best;
}

// The items before the one that was branched on last are done.
template <class Live>
Int MultipleSearch<Live>::choose_in_order() const noexcept {
    std::size_t place = frames_.empty() ? 0 : layout_.place_of(frames_.back().item);
    while (place < order_.size() && !is_undecided(layout_.item_at(place))) ++place;
    return place < order_.size() ? layout_.item_at(place) : -1;
}

// Finds the node of the current subproblem, which is no dead end: true if it is known. Otherwise
// opens the subproblem: lists the branches of an item.
template <class Live>
bool MultipleSearch<Live>::open(NodeId& node) {
    const Int item = choose();
    if (item < 0) {
        node = diagram::top;
        return true;
    }
    const std::size_t first = pending_.size();
    live_.list(item, pending_);
    key_.set_first(pending_[first]);
    live_.complete_key();
    const std::uint32_t hash = hash_of(key_.words());
    const std::uint32_t known = find(key_.words(), hash);
    if (known != Places::none) {
        pending_.resize(first);
        node = results_[known];
        return true;
    }
    if (live_.need(item) == 0) pending_.push_back(no_more);
    children_.resize(pending_.size(), diagram::empty);
    const std::uint32_t problem = remember(key_.words(), hash);
    frames_.push_back({item, problem, first, first, pending_.size(), live_.mark()});
    return false;
}

// Tries the next branch: its node is known at once, or its subproblem is opened.
template <class Live>
void MultipleSearch<Live>::attempt(Frame& frame) {
    if (live_.total(frame.item) < live_.need(frame.item)) {
        frame.next = frame.last;  // the options below do not suffice
        return;
    }
    const std::size_t at = frame.next++;
    const Int option = pending_[at];
    ++tried_;
    if (option == no_more) {
        frame.before = live_.mark();
        if (live_.dead()) return;
    } else {
        live_.exclude(option);
        const typename Live::Mark before = live_.mark();
        frame.before = before;
        if (!live_.take(option)) {
            live_.undo(before);
            return;
        }
    }
    const typename Live::Mark before = frame.before;
    NodeId node = diagram::empty;
    if (!open(node)) return;  // `frame` is invalid now
    children_[at] = node;
    live_.undo(before);
}

}  // namespace

std::unique_ptr<DiagramBuilder> make_multiple(std::shared_ptr<const Problem> problem,
                                              std::span<const Int> given,
                                              std::span<const Int> order,
                                              std::uint64_t memory_limit, bool bits) {
    const std::size_t words = MultipleKey(*problem, order).size();
    if (bits && MultipleBits::pays(*problem, memory_limit)) {
        return std::make_unique<MultipleSearch<MultipleBits>>(std::move(problem), given, order,
                                                              memory_limit, words);
    }
    return std::make_unique<MultipleSearch<MultipleCells>>(std::move(problem), given, order,
                                                           memory_limit, words);
}

}  // namespace dlx
