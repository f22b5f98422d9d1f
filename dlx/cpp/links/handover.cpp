// Cost models of `links` and `bits`, and the decision when a search changes from one to the other.
#include "links/handover.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "links/torus.hpp"

namespace dlx {
namespace {

double entries_per_option(const Problem& problem) {
    return static_cast<double>(problem.entries()) / std::max(1, problem.options());
}

// In units of work, each of which takes links about 3 nanoseconds.
std::uint64_t cost_of(const BitsPlan& plan) {
    constexpr std::uint64_t base = 5000;
    constexpr std::uint64_t bytes_per_unit = 4;
    return base + plan.bytes / bytes_per_unit;
}

// The time to make tables with this plan, in nanoseconds. Counters need more than removals.
double time_to_make(const BitsPlan& plan) {
    return (plan.counters == 0 ? 3 : 6) * static_cast<double>(cost_of(plan));
}

// Has there been enough work that the tables of the whole problem probably pay? At this factor they
// pay on all but the shortest searches.
bool pays_for(const BitsPlan& whole, std::uint64_t work) {
    constexpr std::uint64_t factor = 16;
    return factor * work >= cost_of(whole);
}

// How many subtrees are entered at this depth: each has a child, and some nodes are dead ends.
double subtrees(const Stats& stats, std::size_t depth) {
    if (depth + 1 >= stats.profile.size()) return 1;
    return static_cast<double>(
        std::max<std::uint64_t>(1, std::min(stats.profile[depth], stats.profile[depth + 1])));
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

Handover::Handover(std::shared_ptr<const Problem> problem, Heuristic heuristic,
                   std::shared_ptr<SharedTables> shared)
    : problem_(std::move(problem)), heuristic_(heuristic), shared_(std::move(shared)) {
    const auto primary = std::count_if(problem_->item.begin(), problem_->item.end(),
                                       [&](Int item) { return item < problem_->primary; });
    primary_per_option_ = static_cast<double>(primary) / std::max(1, problem_->options());
    entries_per_option_ = entries_per_option(*problem_);
}

std::unique_ptr<Handover> Handover::of_all(std::shared_ptr<const Problem> problem,
                                           Heuristic heuristic,
                                           std::shared_ptr<SharedTables> shared,
                                           std::uint64_t work) {
    auto handover = std::make_unique<Handover>(std::move(problem), heuristic, std::move(shared));
    handover->first_check_ = handover->next_check_ = work;
    handover->always_ = true;
    return handover;
}

std::unique_ptr<Handover> Handover::of_subtrees(std::shared_ptr<const Problem> problem,
                                                std::size_t depth, std::uint64_t work) {
    auto handover = std::make_unique<Handover>(std::move(problem), Heuristic::mrv, nullptr);
    handover->target_ = depth;
    handover->first_check_ = work;
    handover->always_ = true;
    handover->reset();
    return handover;
}

void Handover::give_up() noexcept {
    bits_ = nullptr;
    depth_ = deeper_ = never;
    next_check_ = never;
}

// The approximate cost of a node in nanoseconds; measured (benchmarks/lessons.md). Up to a dozen
// updates, mispredicted branches dominate. Each step takes longer if the torus exceeds the caches,
// and choosing an item takes longer if many are open. In small subtrees, a node has no updates.
double Handover::links_node(double open_items) const {
    constexpr double cache = 512 << 10;
    const double torus = static_cast<double>(sizeof(Slot) * problem_->item.size());
    const double misses = 1 + 0.5 * std::max(0.0, std::log2(torus / cache));
    constexpr double in_small_subtree = 4;
    const double outside = std::max(1e-6, 1 - small_share_);
    const double updates = updates_per_node_ / outside;
    const double node = misses * (7 + std::min(8 * updates, 60 + 3.4 * updates)) + 0.2 * open_items;
    return outside * node + small_share_ * in_small_subtree;
}

double Handover::bits_node(const BitsPlan& plan) const {
    const double width = static_cast<double>(bits_loops().vector_bytes) / 32;
    const double set = width * static_cast<double>(plan.vectors);
    if (plan.layout == BitsLayout::slices) return 10 + 1.6 * set;
    if (plan.layout == BitsLayout::crossings) return 100;
    if (plan.counters == 0) return 3 + (plan.multiple ? 7 : 3) * set;
    const double removed = updates_per_node_ / updates_per_option();
    const double counters = width * static_cast<double>(plan.counters);
    if (plan.layout == BitsLayout::counters) {
        return 15 + 2 * set + removed * (1.5 + 0.3 * counters);
    }
    return 25 + 2 * set + 1.5 * counters + removed * (1 + 1.2 * entries_per_option_);
}

// The tables of a subproblem, all of whose items have about the same number of options.
BitsPlan Handover::plan_of(const Extent& extent) const {
    const double items = std::max(1.0, extent.items);
    const double mean = extent.options * primary_per_option_ / items;
    const std::vector<Int> lengths(static_cast<std::size_t>(items), static_cast<Int>(1.5 * mean));
    return BitsPlan::of({static_cast<std::size_t>(extent.options), lengths, problem_->multiple()},
                        bits_loops());
}

std::size_t Handover::look(const Stats& stats, std::uint64_t small_nodes,
                           std::span<const Extent> path) {
    const std::uint64_t work = stats.nodes + stats.updates;
    if (always_) {
        next_check_ = never;
        if (shared_ == nullptr) return depth_ = target_;
        return shared_->plan().fits() ? all : never;
    }
    next_check_ = work + work / 2;
    // What `bits` counts is not comparable, and it leaves only nodes with many updates to links.
    if (!handed_over_ && stats.nodes > looked_.nodes) {
        const auto since = static_cast<double>(stats.nodes - looked_.nodes);
        updates_per_node_ = static_cast<double>(stats.updates - looked_.updates) / since;
        small_share_ = static_cast<double>(small_nodes - looked_.small_nodes) / since;
        looked_ = {stats.nodes, stats.updates, small_nodes};
    }
    depth_ = deeper_ = never;
    constexpr double margin = 1.3;  // by which tables for subtrees must be better
    constexpr std::size_t small = 256 << 10;
    const auto nodes = static_cast<double>(stats.nodes);
    const double by_links = links_node(path.front().items);
    const BitsPlan& whole = shared_->plan();
    std::size_t best = never;
    double least = nodes * by_links;
    if (whole.fits() && nodes * bits_node(whole) < least) {
        best = all;
        least = nodes * bits_node(whole) / margin;
    }
    const bool nested = whole.fits() && whole.layout == BitsLayout::crossings;
    // A path has had few enough of the nodes that these show what the nodes of subtrees cost.
    const bool typical = nodes >= 8 * static_cast<double>(stats.profile.size());
    const bool subtrees_too = !keeps_subtrees_ && heuristic_ == Heuristic::mrv && !nested &&
                              typical && (!whole.fits() || whole.bytes > small);
    if (subtrees_too) {
        std::vector<std::uint64_t> above(stats.profile);  // nodes at each depth and above it
        std::partial_sum(above.begin(), above.end(), above.begin());
        for (const Extent& extent : path) {
            if (extent.depth + 1 >= above.size()) continue;
            const BitsPlan plan = plan_of(extent);
            if (!plan.fits()) break;
            const auto outside = static_cast<double>(above[extent.depth]);
            const double time = outside * by_links +
                                subtrees(stats, extent.depth) * time_to_make(plan) +
                                (nodes - outside) * bits_node(plan);
            if (time >= least) continue;
            least = time;
            best = extent.depth;
        }
    }
    if (best == all) return pays_for(whole, work + shared_->credit()) ? all : never;
    return depth_ = best;
}

// The time in nanoseconds that tables with this plan probably save in a subtree at this depth.
double Handover::saving(const Stats& stats, const BitsPlan& plan, const Extent& here) const {
    const std::size_t depth = here.depth;
    double below = 0;
    for (std::size_t at = depth + 1; at < stats.profile.size(); ++at) {
        below += static_cast<double>(stats.profile[at]);
    }
    return below / subtrees(stats, depth) * (links_node(here.items) - bits_node(plan)) -
           time_to_make(plan);
}

bool Handover::may_pay(const Stats& stats, const Extent& here) {
    if (always_) return true;
    const BitsPlan plan = plan_of(here);
    if (plan.fits() && saving(stats, plan, here) > 0) return true;
    // One level deeper the tables are smaller, but subtrees may be too small for any.
    const bool hopeless = saving(stats, plan_of({here.depth, 8, 8}), here) <= 0;
    deeper_ = hopeless ? never : here.depth + 1;
    return false;
}

void Handover::take_all(std::span<const Int> given, const Position& position,
                        const Bits::Learned& learned) {
    bits_ = std::make_unique<Bits>(problem_, shared_->tables(), heuristic_, given);
    bits_->continue_from(position, learned);
    took_all_ = true;
    base_ = 0;
    items_.clear();
    prefix_.clear();
    seen_ = Stats{};
}

void Handover::take_subtree(const Stats& stats, const Residue& left, std::span<const Int> given,
                            std::span<const Decision> path, std::span<const Decision> below) {
    const BitsPlan plan = BitsPlan::of({left.options.size(), left.lengths, !left.high.empty(),
                                        BitsWeights::of(*problem_, left.items, left.options)},
                                       bits_loops());
    if (!plan.fits()) return;
    const Extent here{path.size(), static_cast<double>(left.options.size()),
                      static_cast<double>(left.items.size())};
    if (!always_ && below.empty() && saving(stats, plan, here) <= 0) return;
    auto tables = std::make_shared<const BitsTables>(
        *problem_, BitsPart{left.items, left.options, left.low, left.high});
    auto bits =
        std::make_unique<Bits>(problem_, std::move(tables), Heuristic::mrv, std::span<const Int>{});
    seen_ = Stats{};
    if (below.empty()) {
        seen_.nodes = 1;  // its root has been counted
        seen_.profile = {1};
    } else {
        Position position{{below.begin(), below.end()}, 0};
        for (Decision& decision : position.path) {
            const auto item = std::ranges::lower_bound(left.items, decision.item);
            decision.item = static_cast<Int>(item - left.items.begin());
        }
        bits->continue_from(position, {});
    }
    bits_ = std::move(bits);
    handed_over_ = true;
    base_ = path.size();
    items_ = left.items;
    prefix_.clear();
    for (const Int option : given) prefix_.push_back(problem_->label_of(option));
    for (const Decision& decision : path) {
        if (decision.option >= 0) prefix_.push_back(problem_->label_of(decision.option));
    }
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
