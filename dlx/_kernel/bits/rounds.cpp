// The `rounds` engine: prepares tasks for the loop of bits/rounds_loop.hpp.
#include "bits/rounds.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dlx {
namespace {

constexpr std::int64_t check_interval = 4000;  // options taken between clock checks
constexpr std::int64_t first_credit = 6;       // for dominance

std::size_t bytes_of_slice(const BitsTables& tables) {
    return tables.view().slice_vectors * tables.loops().vector_bytes;
}

}  // namespace

RoundsTables::RoundsTables(std::shared_ptr<const BitsTables> tables)
    : tables_(std::move(tables)), dominance_(tables_->view(), bytes_of_slice(*tables_)) {}

bool RoundsTables::suits(const BitsPlan& plan, const BitsLoops& loops) noexcept {
    const std::size_t slice = plan.slice_vectors * loops.vector_bytes;
    return loops.rounds != nullptr && plan.layout == BitsLayout::slices && !plan.multiple &&
           plan.fits() && slice % RoundsTask::vector_bytes == 0 &&
           slice <= RoundsTask::most_slice_bytes && plan.vectors > plan.slice_vectors;
}

Rounds::Rounds(std::shared_ptr<const RoundsTables> tables, std::span<const Int> given)
    : tables_(std::move(tables)) {
    const BitsTables& all = tables_->tables();
    const std::size_t branches = all.branching();
    task_.tables = all.view();
    task_.dominance = tables_->dominance();
    states_ = AlignedBytes((branches + 2) * all.view().state_bytes);
    scratch_ = AlignedBytes(RoundsTask::scratch_bytes);
    frames_.resize(branches + 1);
    visits_.resize(all.deepest() + 3);  // a round may take one option too many
    task_.states = states_.data();
    task_.scratch = scratch_.data();
    task_.frames = frames_.data();
    task_.visits = visits_.data();
    restart(given, {});
}

void Rounds::restart(std::span<const Int> given, const Position& begin) {
    if (!begin.path.empty()) throw std::logic_error("rounds: begins at the root only");
    stats_ = Stats{};
    given_.assign(given.begin(), given.end());
    for (Int& option : given_) option = tables_->tables().find(option);
    task_.given = given_.data();
    task_.depth = static_cast<Int>(given_.size());
    task_.level = -1;
    task_.solutions = task_.updates = task_.branches = task_.dead_ends = 0;
    task_.credit = task_.dominance.most > 0 ? first_credit : 0;
    std::fill(visits_.begin(), visits_.end(), 0);
    entry_ = RoundsEntry::start;
    finished_ = false;
}

Outcome Rounds::run(const Quota& quota) {
    if (quota.found != nullptr) throw std::logic_error("rounds: only counts");
    if (finished_) return Outcome::finished;
    task_.wanted = quota.solutions;
    for (task_.tries_left = 0;; task_.tries_left = allowance(quota)) {  // first check: at once
        if (task_.wanted == 0) {
            update_stats();
            return Outcome::enough;
        }
        const BitsStop stop =
            tables_->tables().loops().rounds(task_, std::exchange(entry_, RoundsEntry::resume));
        if (stop == BitsStop::finished) {
            finished_ = true;
            update_stats();
            return Outcome::finished;
        }
        if (stop == BitsStop::enough) continue;
        if (Clock::now() >= quota.until) {
            update_stats();
            return Outcome::timed_out;
        }
        if (allowance(quota) == 0) return Outcome::spent;
    }
}

// How many options may be taken before the next clock check; 0 if the node quota is used up.
std::int64_t Rounds::allowance(const Quota& quota) {
    if (quota.nodes == Quota{}.nodes) return check_interval;
    update_stats();
    const std::uint64_t left = quota.nodes - std::min(quota.nodes, stats_.nodes);
    return static_cast<std::int64_t>(std::min(left, static_cast<std::uint64_t>(check_interval)));
}

void Rounds::rewind() {
    update_stats();
    task_.level = -1;
    finished_ = true;
}

std::optional<Position> Rounds::position() {
    if (finished_) return std::nullopt;
    throw std::logic_error("rounds: has no positions");
}

std::vector<std::byte> Rounds::image() const {
    const BitsView& view = task_.tables;
    return {view.root, view.root + view.state_bytes};
}

void Rounds::update_stats() {
    const auto root = visits_.begin() + task_.depth;
    auto last = visits_.end();
    while (last != root && last[-1] == 0) --last;
    stats_.profile.assign(root, last);
    stats_.nodes = 0;
    for (const std::uint64_t nodes : stats_.profile) stats_.nodes += nodes;
    stats_.solutions = task_.solutions;
    stats_.updates = task_.updates;
}

}  // namespace dlx
