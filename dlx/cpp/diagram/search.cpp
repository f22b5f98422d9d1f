// The search that builds a diagram, for LiveOptions and for LiveBits; see diagram/builder.hpp.
#include <bit>
#include <utility>

#include "diagram/frames.hpp"
#include "diagram/live_bits.hpp"
#include "diagram/live_cells.hpp"
#include "diagram/multiple_search.hpp"

namespace dlx {
namespace {

template <class Live>
struct RememberingFrame {
    Int item;               // the item branched on
    std::uint32_t problem;  // the number of this subproblem
    std::size_t first;      // its options are pending_[first], ...
    std::size_t next;       // the next one to try
    std::size_t last;
    std::size_t mark;           // to undo the branching
    typename Live::Mark taken;  // to undo the option tried last
};

// The search that builds a diagram. `Live` is LiveOptions or LiveBits.
template <class Live>
class RememberingSearch final
    : public FrameSearch<RememberingSearch<Live>, RememberingFrame<Live>> {
    using Frame = RememberingFrame<Live>;
    using Base = FrameSearch<RememberingSearch, Frame>;
    friend Base;

public:
    RememberingSearch(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                      std::span<const Int> order, std::uint64_t memory_limit)
        : Base(std::move(problem), given, order, memory_limit),
          key_(layout_.words(), 0),
          live_(affordable()) {}

private:
    using Base::budget_, Base::problem_, Base::given_, Base::order_, Base::layout_, Base::nodes_;
    using Base::find, Base::remember, Base::conclude, Base::hash_of;
    using Base::results_, Base::tried_, Base::frames_, Base::pending_, Base::children_;
    using typename Base::Key;

    // Reserves the memory of the tables in the budget, then returns the problem.
    const Problem& affordable() {
        const auto options = static_cast<std::uint64_t>(problem_->options());
        const auto levels = static_cast<std::uint64_t>(problem_->primary);
        budget_.take(Live::bytes(*problem_) + 8 * options + sizeof(Frame) * levels);
        return *problem_;
    }
    void begin();
    void attempt(Frame& frame);
    void branch(std::uint32_t problem);
    Int choose() const noexcept;
    void shut(Int option) noexcept;
    void unbranch(const Frame& frame) { live_.unbranch(frame.item, frame.mark); }
    void retract(const Frame& frame) {
        const Int option = pending_[frame.next - 1];
        live_.retract(option, frame.item, frame.taken);
        shut(option);
    }
    bool all_shut() const noexcept;
    void encode_secondary() noexcept;

    Key key_;  // of the current subproblem
    Live live_;
};

template <class Live>
void RememberingSearch<Live>::begin() {
    for (Int item = 0; item < problem_->primary; ++item) {
        const auto field = layout_.primary(item);
        key_[field.word] |= std::uint64_t{1} << field.shift;
    }
    tried_ = 1;
    if (live_.dead()) return;
    for (const Int option : given_) {
        typename Live::Mark mark;
        shut(option);
        if (!live_.take(option, -1, mark)) return;
    }
    if (all_shut()) {
        conclude(diagram::top);
        return;
    }
    encode_secondary();
    branch(remember(key_, hash_of(key_)));
}

// The item to branch on. There must be an open item, and no open one without options.
template <class Live>
Int RememberingSearch<Live>::choose() const noexcept {
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
template <class Live>
void RememberingSearch<Live>::branch(std::uint32_t problem) {
    const Int item = choose();
    const std::size_t first = pending_.size();
    live_.list(item, pending_);
    children_.resize(pending_.size(), diagram::empty);
    frames_.push_back({item, problem, first, first, pending_.size(), live_.branch(item), {}});
}

// Tries the next option: its node is known at once, or its subproblem is opened.
template <class Live>
void RememberingSearch<Live>::attempt(Frame& frame) {
    const std::size_t at = frame.next++;
    const Int option = pending_[at];
    ++tried_;
    shut(option);
    const bool plain = layout_.plain();
    std::uint32_t hash = plain ? hash_of(key_) : 0;
    std::uint32_t known = Places::none;
    if (all_shut()) {
        children_[at] = diagram::top;
    } else if (plain && (known = find(key_, hash)) != Places::none) {
        children_[at] = results_[known];
    } else {
        if (live_.take(option, frame.item, frame.taken)) {
            if (!plain) {
                encode_secondary();
                hash = hash_of(key_);
                known = find(key_, hash);
            }
            if (known == Places::none) {
                branch(remember(key_, hash));
                return;
            }
            children_[at] = results_[known];
        }
        live_.retract(option, frame.item, frame.taken);
    }
    shut(option);
}

// Takes the primary items of an option out of the key, or puts them in again.
template <class Live>
void RememberingSearch<Live>::shut(Int option) noexcept {
    const Problem& problem = *problem_;
    const auto at = static_cast<std::size_t>(option);
    for (Int entry = problem.start[at]; entry < problem.start[at + 1]; ++entry) {
        const Int item = problem.item[static_cast<std::size_t>(entry)];
        if (item >= problem.primary) continue;
        const auto field = layout_.primary(item);
        key_[field.word] ^= std::uint64_t{1} << field.shift;
    }
}

template <class Live>
bool RememberingSearch<Live>::all_shut() const noexcept {
    for (std::size_t word = 0; word < layout_.primary_words(); ++word) {
        if (key_[word] != 0) return false;
    }
    return true;
}

template <class Live>
void RememberingSearch<Live>::encode_secondary() noexcept {
    std::fill(key_.begin() + static_cast<std::ptrdiff_t>(layout_.primary_words()), key_.end(), 0);
    const Problem& problem = *problem_;
    for (Int item = problem.primary; item < problem.items; ++item) {
        if (!live_.open(item) || live_.size(item) == 0) continue;
        const Int color = live_.held(item) != 0 ? live_.held(item) : live_.common_color(item);
        const auto field = layout_.secondary(static_cast<std::size_t>(item - problem.primary));
        key_[field.word] |= (static_cast<std::uint64_t>(color) + 1) << field.shift;
    }
}

}  // namespace

std::unique_ptr<DiagramBuilder> DiagramBuilder::make(std::shared_ptr<const Problem> problem,
                                                     std::span<const Int> given,
                                                     std::span<const Int> order,
                                                     std::uint64_t memory_limit, bool bits) {
    if (problem->multiple()) {
        return make_multiple(std::move(problem), given, order, memory_limit, bits);
    }
    if (bits && LiveBits::pays(*problem, memory_limit)) {
        return std::make_unique<RememberingSearch<LiveBits>>(std::move(problem), given, order,
                                                             memory_limit);
    }
    return std::make_unique<RememberingSearch<LiveOptions>>(std::move(problem), given, order,
                                                            memory_limit);
}

}  // namespace dlx
