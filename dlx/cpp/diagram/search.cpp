// The search that builds a diagram; see diagram/builder.hpp.
//
// `Live` is LiveCells or LiveBits. The loop has a stack of frames, one for each item branched on.
// What differs with multiplicities: options are excluded one by one, so a branch may also take no
// option, and the key is known only when an option has been taken.
#include <algorithm>
#include <bit>
#include <utility>

#include "diagram/builder.hpp"
#include "diagram/live_bits.hpp"
#include "diagram/live_cells.hpp"

namespace dlx {
namespace {

template <bool multiple, class Live>
class RememberingSearch final : public DiagramBuilder {
public:
    RememberingSearch(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                      std::span<const Int> order, std::uint64_t memory_limit)
        : DiagramBuilder(std::move(problem), given, order, memory_limit),
          live_(affordable(), key_),
          price_(1 + static_cast<std::uint64_t>(problem_->items + problem_->options() / 8) / 16) {}

    bool run(Clock::time_point until) final;
    std::uint64_t updates() const noexcept final { return live_.updates(); }

private:
    static constexpr Int no_more = -1;  // in place of an option: no further one of the item
    static constexpr std::uint64_t check_interval = 1 << 14;  // steps between clock checks

    struct Frame {
        Int item;               // the item branched on
        std::uint32_t problem;  // the number of this subproblem
        std::size_t first;      // its branches are pending_[first], ...
        std::size_t next;       // the next one to try
        std::size_t last;
        std::size_t mark;           // to undo the branching
        typename Live::Mark taken;  // to undo the option tried last
    };

    // Reserves the memory of the tables in the budget, then returns the problem.
    const Problem& affordable() {
        const auto options = static_cast<std::uint64_t>(problem_->options());
        const auto levels = multiple ? options : static_cast<std::uint64_t>(problem_->primary);
        budget_.take(Live::bytes(*problem_) + 8 * options + sizeof(Frame) * levels);
        return *problem_;
    }
    // Steps so far, of a few nanoseconds each.
    std::uint64_t work() const noexcept { return live_.updates() + price_ * tried_; }

    void begin();
    void attempt(Frame& frame);
    bool open(NodeId& node);
    void finish();
    bool take(Int option, Int branched, typename Live::Mark& mark);
    void retract(const Frame& frame);
    Int choose() const noexcept;
    Int choose_multiple() const noexcept;
    void flip(Int option) noexcept;
    bool all_covered() const noexcept {
        return std::ranges::all_of(key_.open(), [](std::uint64_t word) { return word == 0; });
    }

    Live live_;
    std::vector<Frame> frames_;
    std::vector<Int> pending_;      // the branches of all frames: options, or `no_more`
    std::vector<NodeId> children_;  // beside them, the nodes of those that were tried
    std::uint64_t price_;  // of trying an option, apart from updates: it grows with the problem
    bool begun_ = false;
};

template <bool multiple, class Live>
bool RememberingSearch<multiple, Live>::run(Clock::time_point until) {
    if (!std::exchange(begun_, true)) begin();
    std::uint64_t next_check = work();
    while (!frames_.empty()) {
        if (work() >= next_check) {
            if (Clock::now() >= until) return false;
            next_check = work() + check_interval;
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

template <bool multiple, class Live>
void RememberingSearch<multiple, Live>::begin() {
    if constexpr (!multiple) {
        for (Int item = 0; item < problem_->primary; ++item) key_.flip_open(item);
    }
    tried_ = 1;
    if (live_.dead()) return;
    typename Live::Mark mark{};
    for (const Int option : given_) {
        flip(option);
        if (!take(option, -1, mark)) return;
    }
    NodeId node = diagram::empty;
    if constexpr (!multiple) {
        if (all_covered()) {
            conclude(diagram::top);
            return;
        }
        find_node(node);
    }
    if (open(node)) conclude(node);
}

// Takes an option, or makes sure that no more of an item is needed. False at a dead end.
template <bool multiple, class Live>
bool RememberingSearch<multiple, Live>::take(Int option, Int branched, typename Live::Mark& mark) {
    if constexpr (multiple) {
        if (option == no_more) {
            mark = live_.mark();
            return !live_.dead();
        }
        live_.exclude(option);
    }
    return live_.take(option, branched, mark);
}

template <bool multiple, class Live>
void RememberingSearch<multiple, Live>::retract(const Frame& frame) {
    const Int option = pending_[frame.next - 1];
    live_.retract(option, frame.item, frame.taken);
    flip(option);
}

// The item to branch on. There must be an open item, and no open one without options.
template <bool multiple, class Live>
Int RememberingSearch<multiple, Live>::choose() const noexcept {
    Int best = -1;
    Int least = 0;
    const std::span<const std::uint64_t> open = key_.open();
    for (std::size_t word = 0; word < open.size(); ++word) {
        for (std::uint64_t bits = open[word]; bits != 0; bits &= bits - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
            const Int item = key_.item_at(64 * word + bit);
            if (key_.is_ordered()) return item;
            const Int size = live_.size(item);
            if (best >= 0 && size >= least) continue;
            best = item;
            least = size;
            if (size == 1) return best;
        }
    }
    return best;
}

// The item to branch on with multiplicities: the next one in a fixed order, or as
// links/algorithm_m.hpp chooses it; -1 if all items are done.
template <bool multiple, class Live>
Int RememberingSearch<multiple, Live>::choose_multiple() const noexcept {
    if (key_.is_ordered()) {
        // The items before the one that was branched on last are done.
        std::size_t place = frames_.empty() ? 0 : key_.place_of(frames_.back().item);
        const std::size_t end = index(problem_->primary);
        while (place < end && live_.size(key_.item_at(place)) == 0) ++place;
        return place < end ? key_.item_at(place) : -1;
    }
    Int best = -1;
    std::int64_t least = 0;
    for (Int item = 0; item < problem_->primary; ++item) {
        if (live_.size(item) == 0) continue;
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

// Finds the node of the current subproblem, which is no dead end: true if it is known. Otherwise
// opens the subproblem: lists the branches of an item. A key that has nothing but open items has
// been looked up already.
template <bool multiple, class Live>
bool RememberingSearch<multiple, Live>::open(NodeId& node) {
    Int item = -1;
    const std::size_t first = pending_.size();
    if constexpr (multiple) {
        item = choose_multiple();
        if (item < 0) {
            node = diagram::top;
            return true;
        }
        live_.list(item, pending_);
        key_.set_first(pending_[first]);
        live_.complete_key();
    }
    if (multiple || !key_.is_plain()) {
        key_.set_colors([&](Int secondary) { return live_.common_color(secondary); });
        if (find_node(node)) {
            pending_.resize(first);
            return true;
        }
    }
    std::size_t mark = 0;
    if constexpr (multiple) {
        if (live_.need(item) == 0) pending_.push_back(no_more);
    } else {
        item = choose();
        live_.list(item, pending_);
        mark = live_.branch(item);
    }
    children_.resize(pending_.size(), diagram::empty);
    frames_.push_back({item, remember(), first, first, pending_.size(), mark, {}});
    return false;
}

// Tries the next branch: its node is known at once, or its subproblem is opened.
template <bool multiple, class Live>
void RememberingSearch<multiple, Live>::attempt(Frame& frame) {
    if constexpr (multiple) {
        if (live_.total(frame.item) < live_.need(frame.item)) {
            frame.next = frame.last;  // the options below do not suffice
            return;
        }
    }
    const std::size_t at = frame.next++;
    const Int option = pending_[at];
    ++tried_;
    flip(option);
    NodeId node = diagram::empty;
    if (!multiple && all_covered()) {
        node = diagram::top;
    } else if (multiple || !key_.is_plain() || !find_node(node)) {
        // If a subproblem is opened, `frame` is invalid.
        if (take(option, frame.item, frame.taken) && !open(node)) return;
        live_.retract(option, frame.item, frame.taken);
    }
    children_[at] = node;
    flip(option);
}

// Closes a subproblem whose branches have all been tried: makes its nodes, last option first.
template <bool multiple, class Live>
void RememberingSearch<multiple, Live>::finish() {
    const Frame frame = frames_.back();
    NodeId node = diagram::empty;
    for (std::size_t at = frame.last; at-- > frame.first;) {
        node = pending_[at] == no_more
                   ? children_[at]
                   : nodes_.make(problem_->label_of(pending_[at]), node, children_[at]);
    }
    results_[frame.problem] = node;
    if constexpr (!multiple) live_.unbranch(frame.item, frame.mark);
    pending_.resize(frame.first);
    children_.resize(frame.first);
    frames_.pop_back();
    if (frames_.empty()) {
        conclude(node);
        return;
    }
    const Frame& above = frames_.back();
    children_[above.next - 1] = node;
    retract(above);
}

// Takes the primary items of an option out of the key, or puts them in again.
template <bool multiple, class Live>
void RememberingSearch<multiple, Live>::flip(Int option) noexcept {
    if constexpr (!multiple) {
        const Int last = problem_->start[index(option) + 1];
        for (Int entry = problem_->start[index(option)]; entry < last; ++entry) {
            const Int item = problem_->item[index(entry)];
            if (item < problem_->primary) key_.flip_open(item);
        }
    }
}

template <bool multiple>
std::unique_ptr<DiagramBuilder> make_builder(std::shared_ptr<const Problem> problem,
                                             std::span<const Int> given, std::span<const Int> order,
                                             std::uint64_t memory_limit, bool bits) {
    if (bits && LiveBits<multiple>::pays(*problem, memory_limit)) {
        return std::make_unique<RememberingSearch<multiple, LiveBits<multiple>>>(
            std::move(problem), given, order, memory_limit);
    }
    return std::make_unique<RememberingSearch<multiple, LiveCells<multiple>>>(
        std::move(problem), given, order, memory_limit);
}

}  // namespace

std::unique_ptr<DiagramBuilder> DiagramBuilder::make(std::shared_ptr<const Problem> problem,
                                                     std::span<const Int> given,
                                                     std::span<const Int> order,
                                                     std::uint64_t memory_limit, bool bits) {
    const auto make = problem->multiple() ? make_builder<true> : make_builder<false>;
    return make(std::move(problem), given, order, memory_limit, bits);
}

}  // namespace dlx
