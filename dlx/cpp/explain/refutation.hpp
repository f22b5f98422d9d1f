// Refutation search: finds a solution, or items and given options that prove there is none.
//
// A search by Algorithm X that fails is a proof, which uses only some of the items and of the given
// options. Here each dead end has a reason:
//
//     item i has no option left        i itself, and for each of its options the cause of its
//                                      removal: the item where it clashed, and the taken option
//                                      that it clashed with (both are in core/active_options.hpp)
//     all options of item i fail       i itself, the reasons of all these failures, and for each
//                                      removed option of i the cause of its removal
//
// A *reason* is a sorted list of numbers: items, then options taken, those given first. With only
// the items of a reason, and only its options taken, there is no solution either. This has two
// consequences. First, the search can change the last taken option in the reason at once; all later
// choices are undone, because they made no difference (conflict-directed backjumping: P. Prosser,
// "Hybrid algorithms for the constraint satisfaction problem", 1993). Second, an option that agrees
// with a failed one on all items of the reason would fail in the same way, so it is skipped.
// (Without that, when items are excluded, many options become equal and each would be searched.) A
// reason without chosen options is the result: items and given options without a solution. They are
// not yet minimal; dlx/analysis/explain.py calls this search repeatedly.
//
// With multiplicities, an item is a dead end if the options left are less than its *need*. It stays
// so without the options taken, which only lower the need, so these are no cause. The cause of the
// removal of an option at an item are all taken options that cover the item. A branch takes one
// option; when it has failed, the option is *excluded*, since its reason proves that no solution
// contains it, and the cause of that is the reason. The branches end when the options that are left
// are less than the need. If no item needs an option, the options taken are a solution.
//
// The item branched on has the fewest options in proportion to its weight, which is 1 + the number
// of times that it was uncoverable ("dom/wdeg": Boussemart, Hemery, Lecoutre and Sais, 2004).
// Weights are kept for the next search, so that it begins with the difficult items.
#pragma once

#include <algorithm>
#include <iterator>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class RefutationSearch {
public:
    enum class Verdict : std::uint8_t { running, solution, refuted };

    explicit RefutationSearch(std::shared_ptr<const Problem> problem)
        : problem_(problem), active_(std::move(problem)) {
        weights_.assign(static_cast<std::size_t>(problem_->primary), 1);
        marks_.assign(static_cast<std::size_t>(problem_->items), 0);
        wanted_.assign(marks_.size(), -1);
    }

    // Begins a search on these items (a flag for each) with these options given. If given options
    // clash, the verdict is `refuted` at once.
    void begin(std::span<const std::uint8_t> kept, std::span<const Int> given) {
        active_.restart(kept);
        frames_.clear();
        answer_.clear();
        nodes_ = 1;
        verdict_ = Verdict::running;
        given_ = given.size();
        for (std::size_t place = 0; place < given.size(); ++place) {
            if (!active_.is_active(given[place])) {
                answer_ = {code_of_taken(static_cast<Int>(place))};
                add_removal(given[place], answer_);
                tidy(answer_);
                verdict_ = Verdict::refuted;
                return;
            }
            active_.take(given[place]);
        }
        arrive();
    }

    // Continues until there is a verdict, until there are `nodes` nodes, or until the time is up.
    Verdict run(std::uint64_t nodes, Clock::time_point until) {
        std::uint64_t next_check = 0;
        while (verdict_ == Verdict::running && nodes_ < nodes) {
            if (active_.work() + extra_work_ >= next_check) {
                next_check = active_.work() + extra_work_ + check_interval;
                if (Clock::now() >= until) break;
            }
            step();
        }
        return verdict_;
    }

    // Looks for a certificate instead of searching (explain/modular_certificate.hpp,
    // explain/farkas_certificate.hpp). If there is none, the verdict of `begin` does not change.
    template <class Weights>
    Verdict weigh(Weights& weights, Clock::time_point until) {
        if (verdict_ != Verdict::running) return verdict_;
        if (weights.run(until) == Weights::Verdict::found) {
            answer_ = reason_of(weights);
            verdict_ = Verdict::refuted;
        }
        return verdict_;
    }

    const ActiveOptions& active() const noexcept { return active_; }
    std::uint64_t nodes() const noexcept { return nodes_; }

    // The items, and the places of the given options, of a refutation.
    std::vector<Int> items() const { return part(0, problem_->items); }
    std::vector<Int> givens() const {
        return part(problem_->items, problem_->items + static_cast<Int>(given_));
    }

    // The options of a solution, in search numbering.
    std::vector<Int> solution() const {
        std::vector<Int> options;
        for (Int place = 0; place < active_.taken(); ++place) {
            options.push_back(active_.taken(place));
        }
        return options;
    }

private:
    static constexpr std::uint64_t check_interval = 100'000;  // work between clock checks
    static constexpr int most_uncoverable = 8;  // uncoverable items compared in a dead end

    using Reason = std::vector<Int>;

    struct Frame {
        Int item;
        std::vector<Int> left;  // options to be tried yet, the next one last
        Reason reason;          // why those tried failed
    };

    Int code_of_taken(Int place) const noexcept { return problem_->items + place; }
    Int code_of_level(std::size_t level) const noexcept {
        return code_of_taken(static_cast<Int>(given_ + level));
    }

    std::vector<Int> part(Int first, Int last) const {
        std::vector<Int> numbers;
        for (const Int code : answer_) {
            if (first <= code && code < last) numbers.push_back(code - first);
        }
        return numbers;
    }

    static void tidy(Reason& reason) {
        std::sort(reason.begin(), reason.end());
        reason.erase(std::unique(reason.begin(), reason.end()), reason.end());
    }

    // -- the search ------------------------------------------------------------------------------

    // Tries the next option of the item branched on last.
    void step() {
        Frame& frame = frames_.back();
        if (problem_->multiple() && active_.uncoverable() != 0) {
            Reason reason = reason_of_uncoverable();
            frames_.pop_back();
            return fail(std::move(reason));
        }
        if (frame.left.empty()) {
            Reason reason = std::move(frame.reason);
            add_item(frame.item, reason);
            tidy(reason);
            frames_.pop_back();
            return fail(std::move(reason));
        }
        const Int option = frame.left.back();
        frame.left.pop_back();
        ++nodes_;
        active_.take(option);
        arrive();
    }

    // Continues after an option, or all given ones, have been taken.
    void arrive() {
        if (active_.open() == 0) {
            verdict_ = Verdict::solution;
        } else if (active_.uncoverable() != 0) {
            fail(reason_of_uncoverable());
        } else {
            const Int item = choose();
            if (item == ActiveOptions::none) {
                verdict_ = Verdict::solution;
                return;
            }
            Frame frame{item, {}, {}};
            for (const Int option : active_.options_of(item)) {
                if (active_.is_active(option)) frame.left.push_back(option);
            }
            extra_work_ += active_.options_of(item).size();
            std::reverse(frame.left.begin(), frame.left.end());
            frames_.push_back(std::move(frame));
        }
    }

    // Goes back to the last choice that is in the reason.
    void fail(Reason reason) {
        if (reason.empty() || reason.back() < code_of_level(0)) {
            answer_ = std::move(reason);
            verdict_ = Verdict::refuted;
            return;
        }
        const auto level = static_cast<std::size_t>(reason.back() - code_of_level(0));
        reason.pop_back();
        frames_.resize(level + 1);
        Int option = 0;
        while (static_cast<std::size_t>(active_.taken()) > given_ + level) {
            option = active_.taken(active_.taken() - 1);
            active_.release();
        }
        Frame& frame = frames_[level];
        if (problem_->multiple()) active_.exclude(option);
        pass_over_equals(frame, option, reason);
        Reason both;
        both.reserve(frame.reason.size() + reason.size());
        std::set_union(frame.reason.begin(), frame.reason.end(), reason.begin(), reason.end(),
                       std::back_inserter(both));
        frame.reason = std::move(both);
        extra_work_ += frame.reason.size();
    }

    // The item to branch on; `none` if no item needs an option.
    Int choose() noexcept {
        const auto weight = [this](Int item) { return weights_[static_cast<std::size_t>(item)]; };
        const auto live = [this](Int item) {
            return static_cast<std::uint64_t>(active_.live(item));
        };
        Int best = ActiveOptions::none;
        for (Int item = active_.next_open(ActiveOptions::none); item != ActiveOptions::none;
             item = active_.next_open(item)) {
            ++extra_work_;
            if (problem_->multiple() && active_.need(item) == 0) continue;
            if (live(item) == 1) return item;
            if (best == ActiveOptions::none ||
                live(item) * weight(best) < live(best) * weight(item)) {
                best = item;
            }
        }
        return best;
    }

    // -- reasons ---------------------------------------------------------------------------------

    // Adds the cause of an option's removal: the item and the option taken, or with
    // multiplicities all options taken at the item before; for an excluded one, why.
    void add_removal(Int option, Reason& reason) const {
        const ActiveOptions::Removal& removal = active_.removal_of(option);
        if (removal.item == ActiveOptions::none) {
            const Reason& why = frames_[static_cast<std::size_t>(removal.taken) - given_].reason;
            reason.insert(reason.end(), why.begin(), why.end());
            return;
        }
        reason.push_back(removal.item);
        reason.push_back(code_of_taken(removal.taken));
        if (problem_->multiple() && removal.item < problem_->primary) {
            add_taken(removal.item, removal.taken, reason);
        }
    }

    // Adds the options taken at an item, at this place or before.
    void add_taken(Int item, Int place, Reason& reason) const {
        for (const Int option : active_.options_of(item)) {
            if (active_.is_active(option) || !active_.is_taken(option)) continue;
            const Int taken = active_.removal_of(option).taken;
            if (taken <= place) reason.push_back(code_of_taken(taken));
        }
    }

    // Adds an item, and the causes of the removals of its options. Of the options taken there is
    // none, except with multiplicities, where they lower the need as much as the supply.
    void add_item(Int item, Reason& reason) {
        reason.push_back(item);
        for (const Int option : active_.options_of(item)) {
            if (active_.is_active(option)) continue;
            if (problem_->multiple() && active_.is_taken(option)) continue;
            add_removal(option, reason);
        }
        extra_work_ += active_.options_of(item).size();
    }

    // The reason of the uncoverable item that allows the longest backjump; on a tie, the shortest.
    Reason reason_of_uncoverable() {
        Reason best;
        int seen = 0;
        for (Int item = active_.next_open(ActiveOptions::none);
             item != ActiveOptions::none && seen < most_uncoverable;
             item = active_.next_open(item)) {
            ++extra_work_;
            if (active_.live(item) > 0) continue;
            ++weights_[static_cast<std::size_t>(item)];
            Reason reason;
            add_item(item, reason);
            tidy(reason);
            if (seen++ == 0 ||
                std::pair(reason.back(), reason.size()) < std::pair(best.back(), best.size())) {
                best = std::move(reason);
            }
        }
        return best;
    }

    // The reason of a certificate: the items that have a weight, and the causes of the removals of
    // options that would violate it.
    template <class Weights>
    Reason reason_of(const Weights& weights) const {
        Reason reason;
        for (Int item = 0; item < problem_->items; ++item) {
            if (!weights.has_weight(item)) continue;
            reason.push_back(item);
            for (const Int option : active_.options_of(item)) {
                if (active_.is_active(option)) continue;
                if (problem_->multiple() && active_.is_taken(option)) {
                    reason.push_back(code_of_taken(active_.removal_of(option).taken));
                } else if (weights.violates(option)) {
                    add_removal(option, reason);
                }
            }
        }
        tidy(reason);
        return reason;
    }

    // Removes the untried options that would fail for the same reason as this one did.
    void pass_over_equals(Frame& frame, Int failed, const Reason& reason) {
        if (frame.left.empty()) return;
        ++mark_;
        for (const Int code : reason) {
            if (code >= problem_->items) break;
            marks_[static_cast<std::size_t>(code)] = mark_;
        }
        const auto item_of = [this](std::size_t entry) {
            return static_cast<std::size_t>(problem_->item[entry]);
        };
        const auto color_at = [this](std::size_t entry) {  // of a primary item, its weight
            const auto number = static_cast<Int>(entry);
            return problem_->item[entry] < problem_->primary ? problem_->weight_of(number)
                                                             : problem_->color_of(number);
        };
        std::size_t shared = 0;  // entries that matter to the reason
        for (const std::size_t entry : entries_of(*problem_, failed)) {
            if (marks_[item_of(entry)] != mark_) continue;
            wanted_[item_of(entry)] = color_at(entry);
            ++shared;
        }
        const auto equals = [&](Int option) {
            std::size_t same = 0;
            for (const std::size_t entry : entries_of(*problem_, option)) {
                const std::size_t item = item_of(entry);
                if (marks_[item] != mark_) continue;
                if (wanted_[item] == color_at(entry)) {
                    ++same;
                } else if (item < static_cast<std::size_t>(problem_->primary) ||
                           wanted_[item] >= 0) {
                    return false;  // (a further secondary item only adds clashes: ignored)
                }
            }
            return same == shared;
        };
        if (problem_->multiple()) {
            for (const Int option : frame.left) {
                if (equals(option)) active_.exclude(option);
            }
        }
        std::erase_if(frame.left, equals);
        for (const std::size_t entry : entries_of(*problem_, failed)) wanted_[item_of(entry)] = -1;
        extra_work_ += frame.left.size();
    }

    std::shared_ptr<const Problem> problem_;
    ActiveOptions active_;
    std::size_t given_ = 0;
    std::vector<Frame> frames_;
    std::vector<std::uint64_t> weights_;  // of the primary items
    Reason answer_;
    Verdict verdict_ = Verdict::running;
    std::uint64_t nodes_ = 0;
    std::uint64_t extra_work_ = 0;      // work besides that of active_
    std::vector<std::uint64_t> marks_;  // of each item: the last reason it was found in
    std::uint64_t mark_ = 0;
    std::vector<Int> wanted_;  // of each item: an option's color or weight there, or -1
};

}  // namespace dlx
