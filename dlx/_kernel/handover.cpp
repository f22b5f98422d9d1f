#include "handover.hpp"

#include <algorithm>

namespace dlx {
namespace {

// What a node costs, roughly, in nanoseconds; measured (docs/performance.md).
double links_node(const Stats& stats) {
    const double work = static_cast<double>(stats.nodes + stats.updates);
    return 3.0 * work / static_cast<double>(stats.nodes);
}

double bits_node(const BitsPlan& plan, const Stats& stats, double entries_per_option) {
    const double width = static_cast<double>(bits_loops().vector_bytes) / 32;
    const double set = 2 * width * static_cast<double>(plan.vectors);
    if (plan.counters == 0) return 10 + set;
    const double removed = static_cast<double>(stats.updates) / static_cast<double>(stats.nodes) /
                           std::max(1.0, entries_per_option - 1);
    const double counters = width * static_cast<double>(plan.counters);
    if (plan.layout == BitsLayout::counters) {
        return 15 + set + removed * (1.5 + 0.3 * counters);
    }
    return 25 + set + 1.5 * counters + removed * (1 + 1.2 * entries_per_option);
}

double entries_per_option(const Problem& problem) {
    return static_cast<double>(problem.entries()) / std::max(1, problem.options());
}

}  // namespace

void Handover::give_up() noexcept {
    tables_ = nullptr;
    bits_ = nullptr;
    in_use_ = nullptr;
    depth_ = never;
    next_look_ = never;
}

void Handover::look(const Stats& stats) {
    const std::uint64_t work = stats.nodes + stats.updates;
    next_look_ = 2 * work;
    const double before = links_node(stats);
    const BitsPlan& whole = shared_->plan();
    const bool faster =
        whole.fits() && bits_node(whole, stats, entries_per_option(*problem_)) < before;
    if (faster) {
        const std::uint64_t build = build_base + whole.bytes / build_bytes_per_unit;
        if (4 * (work + shared_->credit()) >= build) tables_ = shared_->tables();
        return;
    }
    if (heuristic_ == Heuristic::weighted) return;
    // The deepest level below which there is, on average, work enough to pay for tables.
    constexpr std::uint64_t enough = 500'000;
    depth_ = never;
    for (std::size_t depth = 1; depth < stats.profile.size(); ++depth) {
        if (work / stats.profile[depth] >= enough) depth_ = depth;
    }
}

bool Handover::worthwhile(const Residue& left, const Stats& stats) const {
    const BitsPlan plan = BitsPlan::of(left.options.size(), left.lengths, bits_loops());
    if (always_) return plan.fits();
    const std::uint64_t work = stats.nodes + stats.updates;
    const std::uint64_t build = build_base + plan.bytes / build_bytes_per_unit;
    return plan.fits() && 10 * build * stats.profile[depth_] <= work &&
           bits_node(plan, stats, entries_per_option(*problem_)) < links_node(stats);
}

void Handover::begin(std::shared_ptr<const BitsTables> tables, std::span<const Int> given,
                     std::span<const Int> path) {
    if (bits_ == nullptr || in_use_ != tables) {
        bits_ = std::make_unique<Bits>(problem_, tables, heuristic_, given);
        in_use_ = std::move(tables);
    } else {
        bits_->restart(given);
    }
    prefix_.clear();
    for (const Int option : path.subspan(given.size())) {
        prefix_.push_back(problem_->label_of(option));
    }
    seen_ = Stats{};
    seen_.nodes = 1;  // its root is our node
    seen_.profile = {1};
}

void Handover::add_work(Stats& stats, std::size_t depth) {
    const Stats& now = bits_->stats();
    stats.nodes += now.nodes - seen_.nodes;
    stats.updates += now.updates - seen_.updates;
    stats.solutions += now.solutions - seen_.solutions;
    if (stats.profile.size() < depth + now.profile.size()) {
        stats.profile.resize(depth + now.profile.size(), 0);
    }
    seen_.profile.resize(now.profile.size(), 0);
    for (std::size_t level = 0; level < now.profile.size(); ++level) {
        stats.profile[depth + level] += now.profile[level] - seen_.profile[level];
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
