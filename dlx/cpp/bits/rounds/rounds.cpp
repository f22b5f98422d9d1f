// The `rounds` engine: prepares tasks for the loop of bits/rounds/loop.hpp.
#include "bits/rounds/rounds.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dlx {
namespace {

// Options taken before the first clock check, which easy searches do not reach.
constexpr std::int64_t first_check = 200;
constexpr std::int64_t first_credit = 6;  // for dominance

std::size_t bytes_of_slice(const BitsTables& tables) {
    return tables.view().slice_vectors * tables.loops().vector_bytes;
}

}  // namespace

RoundsTables::RoundsTables(std::shared_ptr<const BitsTables> tables)
    : tables_(std::move(tables)),
      dominance_(tables_->view(), bytes_of_slice(*tables_)),
      no_removal_(AlignedBytes::zeros(tables_->view().state_bytes)) {
    const BitsView& view = tables_->view();
    const std::size_t slices = view.vectors / view.slice_vectors - 1;
    removal_at_.assign(static_cast<std::size_t>(view.items) * slices, 0);
    for (Int item = 0; item < view.items; ++item) {
        auto at = removal_at_.begin() + static_cast<std::ptrdiff_t>(slices) * item;
        for (Int k = view.by_item.item_start[item]; k < view.by_item.item_start[item + 1]; ++k) {
            *at++ = removal_at(view.by_item.item_option[k]);
        }
    }
}

std::uint32_t RoundsTables::removal_at(Int option) const noexcept {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(option) *
                                      tables_->view().state_bytes);
}

bool RoundsTables::suits(const BitsPlan& plan, const BitsLoops& loops) noexcept {
    if (plan.layout != BitsLayout::slices || plan.multiple) return false;
    const std::size_t slice = plan.slice_vectors * loops.vector_bytes;
    const std::size_t widest = (slice + 31) / 32 * 32;  // on any processor
    return plan.bytes / slice * widest <= BitsPlan::limit && widest % 64 == 0 &&
           widest <= RoundsTask::most_slice_bytes && plan.vectors > plan.slice_vectors;
}

Rounds::Rounds(std::shared_ptr<const RoundsTables> tables, std::span<const Int> given)
    : tables_(std::move(tables)) {
    const BitsTables& all = tables_->tables();
    const std::size_t branches = all.branching();
    task_.tables = all.view();
    task_.dominance = tables_->dominance();
    task_.removal_at = tables_->removals();
    task_.no_removal = tables_->no_removal();
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
    std::fill(visits_.begin() + task_.givens, visits_.begin() + task_.deepest + 2, 0);
    stats_.nodes = stats_.updates = stats_.solutions = 0;
    stats_.profile.clear();
    given_.clear();
    for (const Int option : given) {
        given_.push_back(tables_->removal_at(tables_->tables().find(option)));
    }
    task_.given = given_.data();
    task_.givens = task_.depth = static_cast<Int>(given_.size());
    task_.above = task_.deepest = task_.givens - 1;
    task_.level = -1;
    task_.phase = RoundsPhase::start;
    task_.clash = 0;
    task_.solutions = task_.updates = task_.branches = task_.dead_ends = 0;
    task_.credit = task_.dominance.most > 0 ? first_credit : 0;
    finished_ = false;
}

Outcome Rounds::run(const Quota& quota) {
    std::optional<Outcome> outcome = begin(quota);
    while (!outcome) {
        tables_->tables().loops().rounds(task_, RoundsEntry::alone);
        outcome = after_stop(quota);
    }
    return *outcome;
}

RunsByTurns::Outcomes Rounds::run_both(RunsByTurns& other, const Quota& own, const Quota& others) {
    auto& second = static_cast<Rounds&>(other);
    task_.other = &second.task_;
    Outcomes outcome{begin(own), second.begin(others)};
    while (!outcome.own && !outcome.others) {
        tables_->tables().loops().rounds(task_, RoundsEntry::by_turns);
        outcome = {after_stop(own), second.after_stop(others)};
    }
    return outcome;
}

// Prepares for a call of the loop. Returns an outcome if there is nothing to do.
std::optional<Outcome> Rounds::begin(const Quota& quota) {
    if (quota.found != nullptr) throw std::logic_error("rounds: only counts");
    if (finished_) return Outcome::finished;
    task_.stopped = false;
    task_.wanted = quota.solutions;
    // Without any time, only what needs no branching is found.
    const auto now = quota.now != Clock::time_point{} ? quota.now : Clock::now();
    task_.tries_left = now < quota.until ? allowance(quota, first_check) : 0;
    if (task_.wanted > 0) return std::nullopt;
    update_stats();
    return Outcome::enough;
}

// Returns the outcome after the loop has stopped; nullopt if this search can go on at once.
std::optional<Outcome> Rounds::after_stop(const Quota& quota) {
    if (!std::exchange(task_.stopped, false)) {
        stats_.solutions = task_.solutions;
        return std::nullopt;
    }
    if (task_.stop == BitsStop::finished) {
        finished_ = true;
        update_stats();
        return Outcome::finished;
    }
    if (task_.stop == BitsStop::enough) {
        update_stats();
        return Outcome::enough;
    }
    if (Clock::now() >= quota.until) {
        update_stats();
        return Outcome::timed_out;
    }
    task_.tries_left = allowance(quota, check_interval);
    if (task_.tries_left > 0) return std::nullopt;
    return Outcome::spent;
}

// How many options may be taken before the next clock check; 0 if the node quota is used up.
std::int64_t Rounds::allowance(const Quota& quota, std::int64_t interval) {
    if (quota.nodes == Quota{}.nodes) return interval;
    update_stats();
    const std::uint64_t left = quota.nodes - std::min(quota.nodes, stats_.nodes);
    return static_cast<std::int64_t>(std::min(left, static_cast<std::uint64_t>(interval)));
}

void Rounds::rewind() {
    if (!finished_ && task_.phase == RoundsPhase::middle) task_.add_visits();
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
    stats_.profile.resize(static_cast<std::size_t>(task_.deepest + 1 - task_.givens));
    const std::uint64_t* more = visits_.data() + task_.givens;
    std::uint64_t here = 0;
    stats_.nodes = 0;
    for (std::uint64_t& nodes : stats_.profile) {
        here += *more++;
        nodes = here;
        stats_.nodes += here;
    }
    stats_.solutions = task_.solutions;
    stats_.updates = task_.updates;
}

}  // namespace dlx
