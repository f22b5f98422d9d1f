#include "bits.hpp"

#include <algorithm>
#include <cstring>

namespace dlx {
namespace {

constexpr std::int64_t patience = 4000;             // options tried between looks at the clock
constexpr std::size_t solutions_at_once = 1 << 13;  // room for numbers in found_, at least

}  // namespace

Bits::Bits(std::shared_ptr<const Problem> problem, std::shared_ptr<const BitsTables> tables,
           Heuristic heuristic, std::span<const Int> given)
    : problem_(std::move(problem)), tables_(std::move(tables)) {
    const BitsView& view = tables_->view();
    const auto items = static_cast<std::size_t>(view.items);
    const auto options = static_cast<std::size_t>(view.options);
    const std::size_t deepest = std::min(items, options) + 1;
    const std::size_t branches = std::min(items, options / 2);  // of two options at least
    task_.tables = view;
    states_ = AlignedBytes((branches + 2) * view.state_bytes);
    scratch_ = AlignedBytes(tables_->scratch_bytes());
    frames_.resize(branches + 1);
    path_.resize(deepest + 1);
    profile_.resize(deepest + 2);
    task_.states = states_.data();
    task_.scratch = scratch_.data();
    task_.frames = frames_.data();
    task_.path = path_.data();
    task_.profile = profile_.data();
    if (heuristic == Heuristic::weighted) {
        weights_.resize(items);
        blamed_.resize(2 * deepest);
        task_.weights = weights_.data();
        task_.blamed = blamed_.data();
    }
    restart(given);
}

void Bits::go_on_from(const Position& position) {
    replayed_ = position.items;
    for (std::size_t place = 0; place < position.options.size(); ++place) {
        path_[static_cast<std::size_t>(task_.depth) + place] =
            tables_->find(position.options[place]);
    }
    task_.replayed = replayed_.data();
    task_.replay_depth = task_.depth + static_cast<Int>(position.options.size());
    if (position.weights != nullptr) {
        weights_ = *position.weights;
        task_.weights = weights_.data();
        std::copy(position.blamed.begin(), position.blamed.end(), blamed_.begin());
        task_.shared_blame = static_cast<Int>(position.blamed.size());
    }
}

void Bits::restart(std::span<const Int> given) {
    stats_ = Stats{};
    weights_.assign(weights_.size(), {});
    task_.shared_blame = 0;
    std::fill(profile_.begin(), profile_.end(), 0);
    task_.level = -1;
    task_.depth = task_.replay_depth = static_cast<Int>(given.size());
    task_.solutions = 0;
    std::memcpy(states_.data(), tables_->view().root, tables_->view().state_bytes);
    for (std::size_t place = 0; place < given.size(); ++place) {
        path_[place] = tables_->find(given[place]);
    }
    tables_->loops().run(task_, BitsEntry::given);
    task_.updates = 0;  // preparation, not search
    phase_ = Phase::fresh;
}

Outcome Bits::run(const Quota& quota) {
    if (phase_ == Phase::finished) return Outcome::finished;
    task_.wanted = quota.solutions;
    if (quota.found != nullptr && found_.empty()) {
        found_.resize(solutions_at_once + 2 * path_.size());
    }
    std::int64_t left = patience;
    for (task_.patience = 0;; task_.patience = left) {  // the first look comes at once
        if (task_.wanted == 0) return Outcome::enough;
        task_.found = quota.found != nullptr ? found_.data() : nullptr;
        if (task_.found != nullptr) task_.nearly_full = task_.found + solutions_at_once;
        const auto entry = phase_ == Phase::fresh ? BitsEntry::start : BitsEntry::resume;
        phase_ = Phase::searching;
        const BitsStop stop = tables_->loops().run(task_, entry);
        if (quota.found != nullptr) collect(*quota.found);
        if (stop == BitsStop::finished) {
            phase_ = Phase::finished;
            update_stats();
            return Outcome::finished;
        }
        if (stop != BitsStop::enough && Clock::now() >= quota.until) {
            update_stats();
            return Outcome::timed_out;
        }
        const bool counted = quota.nodes != Quota{}.nodes;
        if (stop == BitsStop::enough || counted) update_stats();
        if (counted) {
            if (stop != BitsStop::enough && stats_.nodes >= quota.nodes) return Outcome::timed_out;
            left = static_cast<std::int64_t>(std::min<std::uint64_t>(
                patience, quota.nodes - std::min(quota.nodes, stats_.nodes)));
        }
    }
}

void Bits::rewind() {
    update_stats();
    task_.level = -1;
    phase_ = Phase::finished;
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
    const auto root = profile_.begin() + task_.depth;
    auto last = profile_.end();
    while (last != root && last[-1] == 0) --last;
    stats_.profile.assign(root, last);
    stats_.nodes = 0;
    for (const std::uint64_t nodes : stats_.profile) stats_.nodes += nodes;
    stats_.solutions = task_.solutions;
    stats_.updates = task_.updates;
}

}  // namespace dlx
