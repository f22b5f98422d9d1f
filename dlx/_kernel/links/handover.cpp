// Cost models of `links` and `bits`, and the decision when a search changes from one to the other.
#include "links/handover.hpp"

#include <algorithm>

namespace dlx {
namespace {

// The approximate cost of a node in nanoseconds; measured (docs/performance.md). Up to a dozen
// updates, mispredicted branches dominate.
double links_node(const Stats& stats) {
    const double updates = static_cast<double>(stats.updates) /
                           static_cast<double>(std::max<std::uint64_t>(1, stats.nodes));
    return 7 + std::min(8 * updates, 60 + 3.4 * updates);
}

double bits_node(const BitsPlan& plan, const Stats& stats, double entries_per_option) {
    const double width = static_cast<double>(bits_loops().vector_bytes) / 32;
    const double set = width * static_cast<double>(plan.vectors);
    if (plan.layout == BitsLayout::slices) return 10 + set;
    if (plan.counters == 0) return 3 + (plan.multiple ? 7 : 3) * set;
    const double removed = static_cast<double>(stats.updates) /
                           static_cast<double>(std::max<std::uint64_t>(1, stats.nodes)) /
                           std::max(1.0, entries_per_option - 1);
    const double counters = width * static_cast<double>(plan.counters);
    if (plan.layout == BitsLayout::counters) {
        return 15 + 2 * set + removed * (1.5 + 0.3 * counters);
    }
    return 25 + 2 * set + 1.5 * counters + removed * (1 + 1.2 * entries_per_option);
}

double entries_per_option(const Problem& problem) {
    return static_cast<double>(problem.entries()) / std::max(1, problem.options());
}

// In units of work, each of which takes links about 3 nanoseconds.
std::uint64_t cost_of(const BitsPlan& plan) {
    constexpr std::uint64_t base = 5000;
    constexpr std::uint64_t bytes_per_unit = 4;
    return base + plan.bytes / bytes_per_unit;
}

// Has there been enough work that the tables of the whole problem probably pay? At this factor they
// pay on all but the shortest searches.
bool pays_for(const BitsPlan& whole, std::uint64_t work) {
    constexpr std::uint64_t factor = 16;
    return factor * work >= cost_of(whole);
}

}  // namespace

bool dense_from_the_start(const Problem& problem, const BitsPlan& plan) {
    constexpr Int many = 20'000;  // for fewer, making links takes negligible time
    if (!plan.fits() || problem.primary == 0 || problem.entries() < many) return false;
    const auto options = static_cast<double>(problem.options());
    const double entries = entries_per_option(problem);
    const double per_item = options * entries / problem.items;
    return pays_for(plan,
                    static_cast<std::uint64_t>(std::min(options, entries * per_item) * entries));
}

void Handover::give_up() noexcept {
    bits_ = nullptr;
    depth_ = never;
    next_check_ = never;
}

// Should the rest of the search use the tables of the whole problem?
bool Handover::look(const Stats& stats) {
    if (always_) return shared_->plan().fits();
    const std::uint64_t work = stats.nodes + stats.updates;
    next_check_ = 2 * work;
    const double before = links_node(stats);
    const BitsPlan& whole = shared_->plan();
    const bool faster =
        whole.fits() && bits_node(whole, stats, entries_per_option(*problem_)) < before;
    if (faster) return pays_for(whole, work + shared_->credit());
    if (keeps_subtrees_ || heuristic_ == Heuristic::weighted) return false;
    // The deepest level whose subtrees, by the average so far, have enough work to pay for tables.
    constexpr std::uint64_t enough = 500'000;
    depth_ = never;
    for (std::size_t depth = 1; depth < stats.profile.size(); ++depth) {
        if (stats.profile[depth] < 2) continue;
        if (work / stats.profile[depth] >= enough) depth_ = depth;
    }
    return false;
}

bool Handover::worthwhile(const Residue& left, const Stats& stats) const {
    const BitsPlan plan = BitsPlan::of({left.options.size(), left.lengths, !left.high.empty(),
                                        BitsWeights::of(*problem_, left.items, left.options)},
                                       bits_loops());
    if (always_) return plan.fits();
    const std::uint64_t work = stats.nodes + stats.updates;
    return plan.fits() && 10 * cost_of(plan) * stats.profile[depth_] <= work &&
           bits_node(plan, stats, entries_per_option(*problem_)) < links_node(stats);
}

void Handover::take_all(std::span<const Int> given, const Position& position,
                        const Bits::Learned& learned) {
    bits_ = std::make_unique<Bits>(problem_, shared_->tables(), heuristic_, given);
    bits_->go_on_from(position, learned);
    took_all_ = true;
    base_ = 0;
    items_.clear();
    prefix_.clear();
    seen_ = Stats{};
}

void Handover::take_residue(const Residue& left, std::span<const Int> given,
                            const Position& position, std::size_t depth) {
    auto tables = std::make_shared<const BitsTables>(
        *problem_, BitsPart{left.items, left.options, left.low, left.high});
    bits_ = std::make_unique<Bits>(problem_, std::move(tables), heuristic_, std::span<const Int>{});
    base_ = depth;
    items_ = left.items;
    prefix_.clear();
    for (const Int option : given) prefix_.push_back(problem_->label_of(option));
    for (const Decision& decision : position.path) {
        if (decision.option >= 0) prefix_.push_back(problem_->label_of(decision.option));
    }
    seen_ = Stats{};
    seen_.nodes = 1;  // its root has been counted
    seen_.profile = {1};
}

std::optional<Position> Handover::position() {
    std::optional<Position> rest = bits_->position();
    if (!rest || took_all_) return rest;
    for (Decision& decision : rest->path) {
        decision.item = items_[static_cast<std::size_t>(decision.item)];
    }
    return rest;
}

void Handover::add_work(Stats& stats) {
    const Stats& now = bits_->stats();
    stats.nodes += now.nodes - seen_.nodes;
    stats.updates += now.updates - seen_.updates;
    stats.solutions += now.solutions - seen_.solutions;
    if (stats.profile.size() < base_ + now.profile.size()) {
        stats.profile.resize(base_ + now.profile.size(), 0);
    }
    seen_.profile.resize(now.profile.size(), 0);
    for (std::size_t level = 0; level < now.profile.size(); ++level) {
        stats.profile[base_ + level] += now.profile[level] - seen_.profile[level];
    }
    seen_ = now;
}

void Handover::pass_on(Found& found) {
    std::size_t first = 0;
    for (const std::size_t end : found_.ends) {
        found.labels.insert(found.labels.end(), prefix_.begin(), prefix_.end());
        found.labels.insert(found.labels.end(),
                            found_.labels.begin() + static_cast<std::ptrdiff_t>(first),
                            found_.labels.begin() + static_cast<std::ptrdiff_t>(end));
        found.ends.push_back(found.labels.size());
        first = end;
    }
}

}  // namespace dlx
