// Searches that end with a solution or with the reasons why there is none.
//
// A search by Algorithm X that fails is a proof, and the proof uses some of the items and of the
// given options only. Here each dead end says what it was made of:
//
//     item i has no option left        i itself, and for each of its options where it fell: the
//                                      item it clashed at, and the option taken that it clashed
//                                      with (core/active_options.hpp keeps both)
//     all options of item i fail       i itself, the reasons of all these failures, and for each
//                                      option of i that did not stand any more where it fell
//
// A *reason* is a sorted list of numbers: items, then options taken, those given first. Whoever
// keeps just the items of a reason, and takes just its options, has no solution either. Two things
// follow. The last of the options taken that a reason mentions is the one to be changed; all that
// was chosen after it made no difference and is taken back at once (conflict-directed backjumping:
// P. Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993). And an option
// that agrees with one that failed on all items of the reason would fail in the same way: it is
// passed over, or, when items are left out, everything would be tried again for each of many
// options that have become equal. A reason without options that were chosen is the answer: items
// and given options without a solution. Small they are not yet; dlx/analysis/explain.py asks again
// and again.
//
// The item branched on is that with the fewest options in proportion to its weight, one more than
// the number of times it starved ("dom/wdeg": Boussemart, Hemery, Lecoutre and Sais, 2004). Weights
// outlive a search, so that the next one goes straight for where the trouble was.
#pragma once

#include <algorithm>
#include <iterator>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class Refuting {
public:
    enum class Verdict : std::uint8_t { running, solution, refuted };

    explicit Refuting(std::shared_ptr<const Problem> problem)
        : problem_(problem), standing_(std::move(problem)) {
        weights_.assign(static_cast<std::size_t>(problem_->primary), 1);
        marks_.assign(static_cast<std::size_t>(problem_->items), 0);
        wanted_.assign(marks_.size(), -1);
    }

    // Begins a search among these items (a flag for each) with these options given. Options that
    // clash have no solution, and an answer.
    void begin(std::span<const std::uint8_t> kept, std::span<const Int> given) {
        standing_.restart(kept);
        frames_.clear();
        answer_.clear();
        nodes_ = 1;
        verdict_ = Verdict::running;
        given_ = given.size();
        for (std::size_t place = 0; place < given.size(); ++place) {
            if (!standing_.stands(given[place])) {
                answer_ = {code_of_taken(static_cast<Int>(place))};
                add_fall(given[place], answer_);
                tidy(answer_);
                verdict_ = Verdict::refuted;
                return;
            }
            standing_.take(given[place]);
        }
        arrive();
    }

    // Goes on until the verdict is in, until there are so many nodes, or until the time is up.
    Verdict run(std::uint64_t nodes, Clock::time_point until) {
        std::uint64_t next_look = 0;
        while (verdict_ == Verdict::running && nodes_ < nodes) {
            if (standing_.work() + reading_ >= next_look) {
                next_look = standing_.work() + reading_ + patience;
                if (Clock::now() >= until) break;
            }
            step();
        }
        return verdict_;
    }

    // Instead of a search: is there a reason that weights show (explain/modular_certificate.hpp,
    // explain/farkas_certificate.hpp)? If not, the verdict stays what it is after `begin`.
    template <class Weights>
    Verdict weigh(Weights& weights, Clock::time_point until) {
        if (verdict_ != Verdict::running) return verdict_;
        if (weights.run(until) == Weights::Verdict::found) {
            answer_ = reason_of(weights);
            verdict_ = Verdict::refuted;
        }
        return verdict_;
    }

    const Standing& standing() const noexcept { return standing_; }
    std::uint64_t nodes() const noexcept { return nodes_; }

    // Of a refutation: the items, and the places of the given options, that it needs.
    std::vector<Int> items() const { return part(0, problem_->items); }
    std::vector<Int> givens() const {
        return part(problem_->items, problem_->items + static_cast<Int>(given_));
    }

    // Of a solution: its options, in search numbering.
    std::vector<Int> solution() const {
        std::vector<Int> options;
        for (Int place = 0; place < standing_.taken(); ++place) {
            options.push_back(standing_.taken(place));
        }
        return options;
    }

private:
    static constexpr std::uint64_t patience = 100'000;  // work between looks at the clock
    static constexpr int most_starved = 8;              // starved items looked at in a dead end

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
        standing_.take(option);
        arrive();
    }

    // An option has been taken, or all given ones have.
    void arrive() {
        if (standing_.open() == 0) {
            verdict_ = Verdict::solution;
        } else if (standing_.starved() != 0) {
            fail(reason_of_starvation());
        } else {
            const Int item = choose();
            Frame frame{item, {}, {}};
            for (const Int option : standing_.options_of(item)) {
                if (standing_.stands(option)) frame.left.push_back(option);
            }
            reading_ += standing_.options_of(item).size();
            std::reverse(frame.left.begin(), frame.left.end());
            frames_.push_back(std::move(frame));
        }
    }

    // Goes back to the last choice that has to do with it.
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
        while (static_cast<std::size_t>(standing_.taken()) > given_ + level) {
            option = standing_.taken(standing_.taken() - 1);
            standing_.release();
        }
        Frame& frame = frames_[level];
        pass_over_equals(frame, option, reason);
        Reason both;
        both.reserve(frame.reason.size() + reason.size());
        std::set_union(frame.reason.begin(), frame.reason.end(), reason.begin(), reason.end(),
                       std::back_inserter(both));
        frame.reason = std::move(both);
        reading_ += frame.reason.size();
    }

    Int choose() noexcept {
        const auto weight = [this](Int item) { return weights_[static_cast<std::size_t>(item)]; };
        const auto live = [this](Int item) {
            return static_cast<std::uint64_t>(standing_.live(item));
        };
        Int best = standing_.next_open(Standing::nobody);
        for (Int item = best; item != Standing::nobody; item = standing_.next_open(item)) {
            ++reading_;
            if (live(item) == 1) return item;
            if (live(item) * weight(best) < live(best) * weight(item)) best = item;
        }
        return best;
    }

    // -- reasons ---------------------------------------------------------------------------------

    // Where an option fell.
    void add_fall(Int option, Reason& reason) const {
        const Standing::Fall& fall = standing_.fall(option);
        reason.push_back(fall.item);
        reason.push_back(code_of_taken(fall.taken));
    }

    // An item, and where those of its options fell that do not stand.
    void add_item(Int item, Reason& reason) {
        reason.push_back(item);
        for (const Int option : standing_.options_of(item)) {
            if (!standing_.stands(option)) add_fall(option, reason);
        }
        reading_ += standing_.options_of(item).size();
    }

    // Of several starved items, that which leads back farthest, with the shortest reason.
    Reason reason_of_starvation() {
        Reason best;
        int seen = 0;
        for (Int item = standing_.next_open(Standing::nobody);
             item != Standing::nobody && seen < most_starved; item = standing_.next_open(item)) {
            ++reading_;
            if (standing_.live(item) != 0) continue;
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

    // The items that have a weight, and where those options fell that would spoil it.
    template <class Weights>
    Reason reason_of(const Weights& weights) const {
        Reason reason;
        for (Int item = 0; item < problem_->items; ++item) {
            if (!weights.has_weight(item)) continue;
            reason.push_back(item);
            for (const Int option : standing_.options_of(item)) {
                if (!standing_.stands(option) && weights.objects(option)) add_fall(option, reason);
            }
        }
        tidy(reason);
        return reason;
    }

    // Strikes out the options that would fail for the same reason as this one did.
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
        const auto color_at = [this](std::size_t entry) {
            return problem_->color_of(static_cast<Int>(entry));
        };
        std::size_t shared = 0;  // entries that matter to the reason
        for (const std::size_t entry : entries_of(*problem_, failed)) {
            if (marks_[item_of(entry)] != mark_) continue;
            wanted_[item_of(entry)] = color_at(entry);
            ++shared;
        }
        std::erase_if(frame.left, [&](Int option) {
            std::size_t same = 0;
            for (const std::size_t entry : entries_of(*problem_, option)) {
                const std::size_t item = item_of(entry);
                if (marks_[item] != mark_) continue;
                if (wanted_[item] == color_at(entry)) {
                    ++same;
                } else if (item < static_cast<std::size_t>(problem_->primary) ||
                           wanted_[item] >= 0) {
                    return false;  // another secondary item would only make matters worse
                }
            }
            return same == shared;
        });
        for (const std::size_t entry : entries_of(*problem_, failed)) wanted_[item_of(entry)] = -1;
        reading_ += frame.left.size();
    }

    std::shared_ptr<const Problem> problem_;
    Standing standing_;
    std::size_t given_ = 0;
    std::vector<Frame> frames_;
    std::vector<std::uint64_t> weights_;  // of the primary items
    Reason answer_;
    Verdict verdict_ = Verdict::running;
    std::uint64_t nodes_ = 0;
    std::uint64_t reading_ = 0;         // work, apart from that of standing_
    std::vector<std::uint64_t> marks_;  // of each item: the last reason it was found in
    std::uint64_t mark_ = 0;
    std::vector<Int> wanted_;  // of each item: the color an option wants there, or -1
};

}  // namespace dlx
