// The `bits` engine: prepares tasks for the loops of bits/loop.hpp and collects what they find.
#include "bits/bits.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dlx {
namespace {

constexpr std::size_t solutions_at_once = 1 << 13;  // room for numbers in found_, at least

}  // namespace

Bits::Bits(std::shared_ptr<const Problem> problem, std::shared_ptr<const BitsTables> tables,
           Heuristic heuristic, std::span<const Int> given)
    : problem_(std::move(problem)), tables_(std::move(tables)) {
    const BitsView& view = tables_->view();
    const auto items = static_cast<std::size_t>(view.items);
    const std::size_t deepest = tables_->deepest();
    const std::size_t branches = tables_->branching();
    task_.tables = view;
    states_ = AlignedBytes((branches + 2) * view.state_bytes);
    scratch_ = tables_->scratch();
    frames_.resize(branches + 1);
    path_.resize(deepest + 1);
    nodes_.resize(deepest + 2);
    task_.states = states_.data();
    task_.scratch = scratch_.data();
    task_.frames = frames_.data();
    task_.path = path_.data();
    task_.nodes = nodes_.data();
    task_.heuristic = heuristic;
    if (heuristic == Heuristic::learning) {
        learned_.resize(items);
        blamed_.resize(2 * deepest);
        task_.learned = learned_.data();
        task_.blamed = blamed_.data();
    }
    restart(given, {});
}

void Bits::continue_from(const Position& position, const Learned& learned) {
    replay(position, position.path.size());
    task_.updates = 0;  // the engine before has counted them
    entry_ = BitsEntry::taken_over;
    if (learned.weights != nullptr) {
        learned_ = *learned.weights;
        task_.learned = learned_.data();
        std::copy(learned.blamed.begin(), learned.blamed.end(), blamed_.begin());
        task_.shared_blame = static_cast<Int>(learned.blamed.size());
    }
}

void Bits::restart(std::span<const Int> given, const Position& begin) {
    finished_ = true;
    if (!begin.path.empty()) check(given, begin);
    stats_ = Stats{};
    learned_.assign(learned_.size(), {});
    task_.shared_blame = 0;
    std::fill(nodes_.begin(), nodes_.end(), BitsNode{});
    task_.level = -1;
    task_.few_options = {.nodes_to_sample = tables_->view().nodes_to_sample,
                         .least_rows = 9 * tables_->view().nodes_to_sample};
    task_.floor = task_.depth = task_.replay_depth = static_cast<Int>(given.size());
    task_.solutions = 0;
    std::memcpy(states_.data(), tables_->view().root, tables_->view().state_bytes);
    for (std::size_t place = 0; place < given.size(); ++place) {
        path_[place] = tables_->find(given[place]);
    }
    tables_->loops().run(task_, BitsEntry::given);
    begin_ = begin;
    entry_ = BitsEntry::start;
    if (!begin.path.empty()) {
        if (!replay(begin, begin.path.size() - 1)) refuse_dead_path();
        // The branch that a subtree begins with is above the floor, so that no frame is pushed.
        const BitsStop stop = tables_->loops().run(task_, BitsEntry::branch);
        if (stop == BitsStop::dead) refuse_dead_path();
        entry_ = begin.is_subtree() ? BitsEntry::attempt : BitsEntry::resume;
    }
    task_.updates = 0;  // preparation, not search
    fresh_ = begin.is_subtree();
    finished_ = false;
}

// With multiplicities, the loops find a wrong path.
void Bits::check(std::span<const Int> given, const Position& begin) const {
    if (problem_->multiple()) {
        check_numbers(*problem_, begin);
        if (begin.path.size() + given.size() > tables_->deepest()) refuse_dead_path();
    } else {
        check_path(*problem_, given, begin);
    }
}

// Takes the first decisions of a path; returns false if they lead to a leaf.
bool Bits::replay(const Position& begin, std::size_t taken) {
    const auto root = static_cast<std::size_t>(task_.depth);
    for (std::size_t place = 0; place < begin.path.size(); ++place) {
        const auto [item, option] = begin.path[place];
        path_[root + place] = option < 0 ? option : tables_->find(option);
        nodes_[root + place + 1].item = item;
    }
    task_.floor = task_.depth + static_cast<Int>(begin.floor);
    task_.replay_depth = task_.depth + static_cast<Int>(taken);
    return tables_->loops().run(task_, BitsEntry::replay) != BitsStop::dead;
}

std::optional<Position> Bits::position() {
    if (finished_) return std::nullopt;
    if (fresh_) return begin_;
    if (task_.level < 0) return std::nullopt;
    Position here;
    const BitsFrame& last = frames_[index(task_.level)];
    for (Int depth = task_.depth; depth < last.depth; ++depth) {
        here.path.push_back({nodes_[index(depth) + 1].item, option_at(depth)});
    }
    const bool begun = last.left < last.branches;
    here.path.push_back({last.item, begun ? option_at(last.depth) : Decision::none_yet});
    here.floor = index(frames_[0].depth - task_.depth);
    return here;
}

// The decision at this depth of the path.
Int Bits::option_at(Int depth) const {
    const Int option = path_[index(depth)];
    return option < 0 ? option : tables_->option(option);
}

Outcome Bits::run(const Quota& quota) {
    if (finished_) return Outcome::finished;
    task_.wanted = quota.solutions;
    if (quota.found != nullptr && found_.empty()) {
        found_.resize(solutions_at_once + 2 * path_.size());
    }
    for (task_.tries_left = 0;; task_.tries_left = allowance(quota)) {  // first check: at once
        if (task_.wanted == 0) return Outcome::enough;
        task_.found = quota.found != nullptr ? found_.data() : nullptr;
        if (task_.found != nullptr) task_.nearly_full = task_.found + solutions_at_once;
        fresh_ = false;
        const BitsStop stop = tables_->loops().run(task_, std::exchange(entry_, BitsEntry::resume));
        if (quota.found != nullptr) collect(*quota.found);
        if (stop == BitsStop::finished) {
            finished_ = true;
            update_stats();
            return Outcome::finished;
        }
        if (stop != BitsStop::enough && Clock::now() >= quota.until) {
            update_stats();
            return Outcome::timed_out;
        }
        if (stop == BitsStop::enough) {
            update_stats();
        } else if (allowance(quota) == 0) {
            return Outcome::spent;
        }
    }
}

// How many options may be tried before the next clock check; 0 if the node quota is used up.
std::int64_t Bits::allowance(const Quota& quota) {
    if (quota.nodes == Quota{}.nodes) return check_interval;
    update_stats();
    const std::uint64_t left = quota.nodes - std::min(quota.nodes, stats_.nodes);
    return static_cast<std::int64_t>(std::min(left, static_cast<std::uint64_t>(check_interval)));
}

void Bits::rewind() {
    update_stats();
    task_.level = -1;
    finished_ = true;
}

std::vector<std::byte> Bits::image() const {
    const BitsView& view = tables_->view();
    return {view.root, view.root + view.state_bytes};
}

void Bits::collect(Found& found) {
    for (const Int* at = found_.data(); at != task_.found;) {
        const Int length = *at++;
        for (const Int* end = at + length; at != end; ++at) {
            found.labels.push_back(problem_->label_of(tables_->option(*at)));
        }
        found.ends.push_back(found.labels.size());
    }
}

void Bits::update_stats() {
    const auto root = nodes_.begin() + task_.depth;
    auto last = nodes_.end();
    while (last != root && last[-1].visits == 0) --last;
    stats_.profile.clear();
    for (auto node = root; node != last; ++node) stats_.profile.push_back(node->visits);
    stats_.nodes = 0;
    for (const std::uint64_t nodes : stats_.profile) stats_.nodes += nodes;
    stats_.solutions = task_.solutions;
    stats_.updates = task_.updates;
}

}  // namespace dlx
