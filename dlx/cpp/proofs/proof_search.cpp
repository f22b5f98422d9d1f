#include "proofs/proof_search.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

namespace dlx {
namespace {

template <class Integer>
void append(std::string& text, Integer number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

}  // namespace

ProofSearch::ProofSearch(std::shared_ptr<const Problem> problem, Format format, bool in_order,
                         bool all, std::uint64_t constraints, std::vector<std::uint8_t> loose)
    : problem_(problem),
      active_(std::move(problem)),
      format_(format),
      in_order_(in_order),
      all_(all),
      loose_(std::move(loose)),
      last_(constraints) {
    weights_.assign(static_cast<std::size_t>(problem_->primary), 1);
    excluder_.assign(static_cast<std::size_t>(problem_->options()), 0);
}

void ProofSearch::begin(std::span<const Int> given, std::span<const std::uint8_t> kept) {
    active_.restart(kept);
    nodes_ = 1;
    for (const Int option : given) {
        if (!active_.is_active(option)) return end();  // unit propagation finds the clash
        active_.take(option);
        ++given_;
    }
    arrive();
}

void ProofSearch::begin_below(Branch branch) {
    branch_ = std::move(branch);
    active_.restart({});
    frames_.clear();
    options_.clear();
    remove_nogoods(0);
    text_.clear();
    verdict_ = Verdict::running;
    reported_ = false;
    nodes_ = 1;
    last_ = branch_.constraints;
    given_ = 0;
    by_cost_.clear();
    for (Int option = 0; option < problem_->options(); ++option) {
        if (cost(option) > 0) by_cost_.push_back(option);
    }
    std::ranges::sort(by_cost_, std::ranges::greater{}, [this](Int one) { return cost(one); });
    for (const Int option : branch_.given) {
        if (!active_.is_active(option)) return end();  // unit propagation finds the clash
        active_.take(option);
        ++given_;
    }
    for (const Int option : branch_.removed) {
        if (!active_.is_active(option)) continue;
        active_.exclude(option);
        excluder_[static_cast<std::size_t>(option)] = no_reason;
    }
    left_.assign(static_cast<std::size_t>(given_) + 1, branch_.amount);
    dear_.assign(left_.size(), 0);
    exclude_dear();
    arrive();
}

ProofSearch::Verdict ProofSearch::run(std::uint64_t nodes, std::size_t bytes,
                                      Clock::time_point until) {
    if (verdict_ == Verdict::exhausted) return verdict_;
    if (reported_) note_solution();
    std::uint64_t next_check = active_.work() + check_interval;
    while (verdict_ == Verdict::running && nodes_ < nodes && text_.size() < bytes) {
        if (active_.work() >= next_check) {
            next_check = active_.work() + check_interval;
            if (Clock::now() >= until) break;
        }
        step();
    }
    reported_ = verdict_ == Verdict::solution;
    return verdict_;
}

// Tries the next option of the item branched on last.
void ProofSearch::step() {
    Frame& frame = frames_.back();
    if (active_.uncoverable() != 0) return fail(reason_of_uncoverable());
    while (frame.next < frame.end && !active_.is_active(options_[frame.next])) ++frame.next;
    if (frame.next < frame.end) {
        const Int option = options_[frame.next++];
        ++nodes_;
        active_.take_or_stop(option);
        if (!branch_.costs.empty() && !pay(option)) {
            Reason reason;
            add_costs(active_.taken(), branch_.amount, reason);
            return fail(std::move(reason));
        }
        return arrive();
    }
    if (may_leave(frame.item)) return arrive();  // with no further option of the item
    Reason reason = std::move(frame.reason);
    add_item(frame.item, reason);
    fail(std::move(reason));
}

// Continues after an option, or all given ones, have been taken.
void ProofSearch::arrive() {
    if (active_.uncoverable() != 0) return fail(reason_of_uncoverable());
    const Int item = active_.open() == 0 ? ActiveOptions::none : choose();
    if (item == ActiveOptions::none) {
        solution_.clear();
        for (Int place = 0; place < active_.taken(); ++place) {
            solution_.push_back(active_.taken(place));
        }
        verdict_ = Verdict::solution;
        if (all_) write_solution();
        return;
    }
    push(item);
}

void ProofSearch::push(Int item) {
    const std::size_t first = options_.size();
    for (const Int option : active_.options_of(item)) {
        if (active_.is_active(option)) options_.push_back(option);
    }
    frames_.push_back({item, active_.taken(), first, options_.size(), nogoods_.size(), {}});
}

// The item to branch on; `none` if no item has anything to choose.
Int ProofSearch::choose() noexcept {
    if (in_order_) {
        const Int item = active_.choose();
        const bool done = item != ActiveOptions::none && active_.live(item) >= ActiveOptions::far;
        return done ? ActiveOptions::none : item;
    }
    const auto weight = [this](Int item) { return weights_[static_cast<std::size_t>(item)]; };
    const auto live = [this](Int item) { return static_cast<std::uint64_t>(active_.live(item)); };
    Int best = ActiveOptions::none;
    for (Int item = active_.next_open(ActiveOptions::none); item != ActiveOptions::none;
         item = active_.next_open(item)) {
        if (may_leave(item)) continue;
        if (live(item) == 1) return item;
        if (best == ActiveOptions::none || live(item) * weight(best) < live(best) * weight(item)) {
            best = item;
        }
    }
    return best;
}

// Goes on after a solution, which a clause excludes.
void ProofSearch::note_solution() {
    verdict_ = Verdict::running;
    reported_ = false;
    Reason reason;
    for (Int place = 0; place < active_.taken(); ++place) add_place(place, reason);
    fail(std::move(reason));
}

// Goes back to the last choice that is in the reason.
void ProofSearch::fail(Reason reason) {
    const Int level = last_place(reason);
    if (level < given_) return end();
    while (frames_.back().base > level) frames_.pop_back();
    const Int option = active_.taken(level);
    while (active_.taken() > level) active_.release();
    Frame& frame = frames_.back();
    options_.resize(frame.end);
    reason[static_cast<std::size_t>(level) / 64] &= ~(std::uint64_t{1} << (level % 64));
    if (frame.reason.size() < reason.size()) frame.reason.resize(reason.size());
    for (std::size_t word = 0; word < reason.size(); ++word) frame.reason[word] |= reason[word];
    if (excludes()) {
        active_.exclude(option);
        excluder_[static_cast<std::size_t>(option)] =
            static_cast<std::uint32_t>(frames_.size() - 1);
    }
    while (frame.next < frame.end && !active_.is_active(options_[frame.next])) ++frame.next;
    const bool last =
        active_.uncoverable() != 0 || (frame.next == frame.end && !may_leave(frame.item));
    if (!last) write_nogood(reason, option);
}

void ProofSearch::end() {
    text_ += format_ == Format::drat ? "0\n" : "rup" + branch_.decisions + " >= 1 ;\n";
    ++last_;
    if (!branch_.costs.empty()) remove_nogoods(0);  // other lines of the proof follow
    frames_.clear();
    while (active_.taken() > 0) active_.release();
    verdict_ = Verdict::exhausted;
}

// -- reasons -------------------------------------------------------------------------------------

// The last place in a reason, or -1.
Int ProofSearch::last_place(const Reason& reason) const noexcept {
    for (std::size_t word = reason.size(); word-- > 0;) {
        if (reason[word] != 0) {
            return static_cast<Int>(64 * word) + 63 - std::countl_zero(reason[word]);
        }
    }
    return -1;
}

// Adds why an option is not active: the option taken that it clashed with, or with multiplicities
// all taken at the item before; of an excluded one the reason.
void ProofSearch::add_removal(Int option, Reason& reason) const {
    const ActiveOptions::Removal& removal = active_.removal_of(option);
    if (removal.item == ActiveOptions::none) {
        const std::uint32_t excluder = excluder_[static_cast<std::size_t>(option)];
        if (excluder == no_reason) return;
        if (excluder == too_dear) {
            return add_costs(removal.taken, branch_.amount - cost(option), reason);
        }
        const Reason& why = frames_[excluder].reason;
        if (reason.size() < why.size()) reason.resize(why.size());
        for (std::size_t word = 0; word < why.size(); ++word) reason[word] |= why[word];
        return;
    }
    add_place(removal.taken, reason);
    if (!problem_->multiple() || removal.item >= problem_->primary) return;
    for (const Int other : active_.options_of(removal.item)) {
        if (active_.is_active(other) || !active_.is_taken(other)) continue;
        const Int taken = active_.removal_of(other).taken;
        if (taken <= removal.taken) add_place(taken, reason);
    }
}

// Adds why the options of an item are not active. Options taken lower the need of an item as much
// as its supply, so they are no reason.
void ProofSearch::add_item(Int item, Reason& reason) const {
    for (const Int option : active_.options_of(item)) {
        if (active_.is_active(option)) continue;
        if (problem_->multiple() && active_.is_taken(option)) continue;
        add_removal(option, reason);
    }
}

// Pays for the option taken last. Is the budget enough?
bool ProofSearch::pay(Int option) {
    const auto before = static_cast<std::size_t>(active_.taken()) - 1;
    left_.resize(before + 1);
    dear_.resize(before + 1);
    left_.push_back(left_[before] - std::max<std::int64_t>(0, cost(option)));
    dear_.push_back(dear_[before]);
    if (left_.back() < 0) return false;
    exclude_dear();
    return true;
}

void ProofSearch::exclude_dear() {
    std::size_t& next = dear_.back();
    for (; next < by_cost_.size() && cost(by_cost_[next]) > left_.back(); ++next) {
        const Int option = by_cost_[next];
        if (!active_.is_active(option)) continue;
        active_.exclude(option);
        excluder_[static_cast<std::size_t>(option)] = too_dear;
    }
}

// Adds the first of these options taken that together cost more than `enough`.
void ProofSearch::add_costs(Int taken, std::int64_t enough, Reason& reason) const {
    for (Int place = given_; place < taken && enough >= 0; ++place) {
        const std::int64_t paid = cost(active_.taken(place));
        if (paid <= 0) continue;
        add_place(place, reason);
        enough -= paid;
    }
}

// The reason of an uncoverable item: the first; others are worth little.
ProofSearch::Reason ProofSearch::reason_of_uncoverable() {
    for (Int item = active_.next_open(ActiveOptions::none); item != ActiveOptions::none;
         item = active_.next_open(item)) {
        if (active_.live(item) > 0) continue;
        if (!in_order_) ++weights_[static_cast<std::size_t>(item)];
        Reason reason;
        add_item(item, reason);
        return reason;
    }
    return {};
}

// -- the text ------------------------------------------------------------------------------------

// Writes that the options of a reason, and one more, are in no further solution; deletes the
// nogoods that led to it.
void ProofSearch::write_nogood(const Reason& reason, Int option) {
    literals_.clear();
    for (std::size_t word = 0; word < reason.size(); ++word) {
        for (std::uint64_t left = reason[word]; left != 0; left &= left - 1) {
            const Int place = static_cast<Int>(64 * word) + std::countr_zero(left);
            if (place >= given_) literals_.push_back(variable(active_.taken(place)));
        }
    }
    literals_.push_back(variable(option));
    if (format_ == Format::drat) {
        write_clause(literals_);
    } else {
        text_ += "rup" + branch_.decisions;
        for (const Int one : literals_) append(text_ += " 1 ~x", one);
        text_ += " >= 1 ;\n";
    }
    Frame& frame = frames_.back();
    remove_nogoods(frame.nogoods);
    nogoods_.push_back({++last_, variables_.size()});
    variables_.insert(variables_.end(), literals_.begin(), literals_.end());
    frame.nogoods = nogoods_.size();
}

// Writes that the options taken are a solution, which excludes it from here on.
void ProofSearch::write_solution() {
    text_ += "solx";
    for (const Int option : solution_) append(text_ += " x", variable(option));
    for (Int option = 0; !loose_.empty() && option < problem_->options(); ++option) {
        const bool free = loose_[static_cast<std::size_t>(problem_->label_of(option))] != 0;
        if (free && !active_.is_taken(option)) append(text_ += " ~x", variable(option));
    }
    text_ += " ;\n";
    ++last_;
}

void ProofSearch::write_clause(std::span<const Int> variables) {
    for (const Int one : variables) {
        append(text_ += '-', one);
        text_ += ' ';
    }
    text_ += "0\n";
}

// Deletes all nogoods but the first ones.
void ProofSearch::remove_nogoods(std::size_t kept) {
    if (nogoods_.size() == kept) return;
    const std::size_t first = nogoods_[kept].first;
    if (format_ == Format::drat) {
        for (std::size_t place = kept; place < nogoods_.size(); ++place) {
            const std::size_t from = nogoods_[place].first;
            const bool has_next = place + 1 < nogoods_.size();
            const std::size_t to = has_next ? nogoods_[place + 1].first : variables_.size();
            text_ += "d ";
            write_clause(std::span(variables_).subspan(from, to - from));
        }
    } else {
        text_ += "del id";
        for (std::size_t place = kept; place < nogoods_.size(); ++place) {
            append(text_ += ' ', nogoods_[place].number);
        }
        text_ += " ;\n";
    }
    nogoods_.resize(kept);
    variables_.resize(first);
}

}  // namespace dlx
