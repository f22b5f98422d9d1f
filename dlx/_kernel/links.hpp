// Dancing links over index arrays: Algorithms X and C of TAOCP 7.2.2.1.
//
// The search of dlx/links.py, on the torus as torus.hpp lays it out.
//
//   operation     here             what it does
//   cover         cover            hides every option of an item from the lists of other items
//   hide          hide             takes one option out of the lists of its other items
//   purify        purify           hides every option that wants another color for an item, and
//                                  marks the others (color -1) so that they are left alone
//   commit        commit           cover or purify, as the entry has it
//   un-...        un-...           the same steps backwards; the order must mirror the order of
//                                  doing, because an entry that left a list remembers as its
//                                  neighbours those it had at that moment
//
// Failing early. When an option is taken, all its items are first closed (lengths.hpp): their
// lengths are raised out of reach. From then on, a length that drops to zero belongs to
// an open primary item that nothing can cover any more, and covering stops there and then: only
// what was done is undone. Secondary items have their lengths out of reach from the start.
// Covering the branching item itself may legitimately empty other items - those of the option about
// to be taken - so there the empties are counted, and an option is viable only if it contains all
// of them. Hence no open item is ever empty when an item is chosen, and the choice can stop at the
// first item with a single option.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "engine.hpp"
#include "handover.hpp"
#include "heuristic.hpp"
#include "lengths.hpp"
#include "torus.hpp"

// What the loop of `run` does at each node belongs into that loop, and what happens once in a
// search does not: left to itself, the compiler outlines the former for having found it in the
// latter, too. That is 5 % more instructions at each node.
#define DLX_COLD [[gnu::cold]]

namespace dlx {

template <bool Colored, Heuristic heuristic>
class Links : public Engine {
public:
    // `given`: options (in search numbering) that every solution must contain; no two may clash.
    // `handover`: who decides whether a subtree is left to `bits`; none if none is.
    Links(std::shared_ptr<const Problem> problem, std::shared_ptr<const Torus> torus,
          std::unique_ptr<Handover> handover, std::span<const Int> given)
        : problem_(std::move(problem)),
          torus_(std::move(torus)),
          slots_(torus_->slots()),
          base_(reinterpret_cast<char*>(slots_.data())),
          first_entry_(torus_->first_entry()),
          lengths_(torus_->lengths()),
          handover_(std::move(handover)) {
        if constexpr (Colored) color_ = problem_->color;
        restart(given, {});
    }

    bool finished() const noexcept override { return phase_ == Phase::finished; }

    Outcome run(const Quota& quota) override {
        std::uint64_t wanted = quota.solutions;
        if (phase_ == Phase::fresh) {
            if (wanted == 0) return Outcome::enough;
            if (begin(quota)) --wanted;
        }
        if (phase_ == Phase::ending) {
            if (wanted == 0) return Outcome::enough;
            rewind();
        }
        std::uint64_t next_look = work();
        while (phase_ == Phase::searching) {
            if (wanted == 0) return Outcome::enough;
            if (handover_ != nullptr && handover_->busy()) {
                const std::uint64_t before = stats_.solutions;
                const Outcome outcome =
                    handover_->run({wanted, quota.until, quota.found, quota.nodes}, stats_);
                wanted -= stats_.solutions - before;
                if (outcome != Outcome::finished) return outcome;
                retract(frames_.back().choice);
                if (handover_->took_all()) {
                    rewind();
                    break;
                }
                next_look = work();
                continue;
            }
            if (work() >= next_look) {
                if (stats_.nodes >= quota.nodes) return Outcome::spent;
                next_look = work() + std::min(patience, quota.nodes - stats_.nodes);
                if (Clock::now() >= quota.until) return Outcome::timed_out;
            }
            Frame& frame = frames_.back();
            const Ref next = at(frame.choice).down;
            if (next == frame.head) {
                ascend();
                continue;
            }
            frame.choice = next;
            switch (attempt(frame)) {
                case Attempt::dead:
                    if constexpr (weighted)
                        blame([&](std::size_t item) { weights_[item].failed(); });
                    break;
                case Attempt::solved:
                    report(quota);
                    --wanted;
                    break;
                case Attempt::open:
                    if (!hand_over()) descend();
                    break;
            }
        }
        return Outcome::finished;
    }

    void rewind() override {
        if (handover_ != nullptr && handover_->busy()) take_back();
        while (!frames_.empty()) go_up();
        while (!given_.empty()) {
            const Ref first = given_.back();
            given_.pop_back();
            retract(first);
            leave(at(first).head);
        }
        phase_ = Phase::finished;
    }

    void restart(std::span<const Int> given, const Position& begin) override {
        rewind();
        if (!begin.path.empty()) check_path(*problem_, given, begin);
        for (const Int option : given) take_given(option);
        if (handover_ != nullptr) handover_->reset();
        begin_ = begin;
        if constexpr (weighted) weights_.assign(static_cast<std::size_t>(problem_->primary), {});
        const bool arrived = replay();
        stats_.nodes = stats_.updates = stats_.solutions = 0;
        stats_.profile.assign(frames_.empty() ? 0 : frames_.size() + 1, 0);
        if constexpr (weighted) weights_.assign(weights_.size(), {});
        phase_ = begin_.is_subtree() ? Phase::fresh : Phase::searching;
        if (arrived) return;
        rewind();
        refuse_dead_path();
    }

    std::optional<Position> position() override {
        if (phase_ == Phase::fresh) return begin_;
        std::optional<Position> rest;  // of what was left to bits
        if (handover_ != nullptr && handover_->busy()) {
            rest = handover_->position();
            if (handover_->took_all()) return rest;
            if (!rest) take_back();
        }
        if (!rest) drop_exhausted();
        if (phase_ != Phase::searching) return std::nullopt;
        Position here{path(), begin_.floor};
        const std::size_t mine = here.path.size();
        while (here.floor < mine && is_exhausted(frames_[here.floor])) ++here.floor;
        if (rest) {
            here.path.insert(here.path.end(), rest->path.begin(), rest->path.end());
            if (here.floor == mine) here.floor += rest->floor;
        }
        return here;
    }

    std::vector<Int> untried() override {
        std::vector<Int> options;
        if (handover_ != nullptr && handover_->busy()) return Engine::untried();
        drop_exhausted();
        if (phase_ != Phase::searching) return options;
        const Frame& frame = frames_.back();
        for (Ref entry = at(frame.choice).down; entry != frame.head; entry = at(entry).down) {
            options.push_back(option_at(entry));
        }
        return options;
    }

    std::vector<std::byte> image() const override {
        std::vector<std::byte> bytes;
        const auto append = [&bytes](const auto& values) {
            const auto raw = std::as_bytes(std::span(values));
            bytes.insert(bytes.end(), raw.begin(), raw.end());
        };
        append(slots_);
        append(lengths_.all());
        append(color_);
        return bytes;
    }

protected:
    static constexpr std::uint64_t patience = 20'000;  // work between looks at the clock
    static constexpr Ref step = Torus::step;
    static constexpr bool weighted = heuristic == Heuristic::weighted;

    enum class Phase : std::uint8_t { fresh, searching, ending, finished };
    enum class Attempt : std::uint8_t { dead, solved, open };

    struct Frame {
        Ref head;      // the item branched on
        Ref choice;    // its option being tried, or `head` before the first
        Ref starving;  // open items that covering `head` has left without an option
    };

    Slot& at(Ref ref) noexcept { return *reinterpret_cast<Slot*>(base_ + ref); }
    static Int item_at(Ref head) noexcept { return Torus::item_at(head); }
    Lengths::Length& length(Ref head) noexcept { return lengths_[number(head)]; }
    static std::size_t number(Ref head) noexcept { return static_cast<std::size_t>(item_at(head)); }
    bool is_primary(Ref head) const noexcept { return item_at(head) < problem_->primary; }
    std::size_t entry_of(Ref ref) const noexcept { return (ref - first_entry_) / step; }
    Int& color(Ref ref) noexcept { return color_[entry_of(ref)]; }
    Int option_at(Ref ref) const noexcept { return torus_->option_of()[entry_of(ref)]; }
    std::uint64_t work() const noexcept { return stats_.nodes + stats_.updates; }

    // The slots of an option's entries: [first, second).
    std::pair<Ref, Ref> bounds(Ref ref) const noexcept {
        const auto option = static_cast<std::size_t>(option_at(ref));
        return {first_entry_ + step * static_cast<Ref>(problem_->start[option]),
                first_entry_ + step * static_cast<Ref>(problem_->start[option + 1])};
    }

    // -- the items yet to be covered -------------------------------------------------------------

    void close(Ref head) noexcept { lengths_.close(number(head)); }
    void reopen(Ref head) noexcept { lengths_.reopen(number(head)); }

    Ref choose() const noexcept {
        const std::size_t item = weighted ? least_weight() : lengths_.shortest();
        return Torus::head_of(static_cast<Int>(item));
    }

    // The open item with the smallest product of length and weight; the first forced one, if any.
    std::size_t least_weight() const noexcept {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        lengths_.each_open([&](std::size_t item) {
            const Lengths::Length length = lengths_.all()[item];
            const double score = length * weights_[item].value;
            if (score < least || length <= 1) {
                least = score;
                best = item;
            }
            return length > 1;
        });
        return best;
    }

    // Visits the items that share the blame if the option just tried is a dead end: all from the
    // last that had a choice. An item that is branched on has its length when it was chosen, `far`
    // added.
    template <class Visit>
    void blame(Visit visit) {
        for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
            visit(number(frame->head));
            if (length(frame->head) > Lengths::far + 1) break;
        }
    }

    // -- the dance -------------------------------------------------------------------------------

    // Returns how many open items this has left without an option.
    DLX_INLINE Ref hide(Ref entry) noexcept {
        Ref emptied = 0;
        std::uint64_t updates = 0;
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            if constexpr (Colored) {
                if (color(other) < 0) continue;
            }
            const Slot& slot = at(other);
            at(slot.up).down = slot.down;
            at(slot.down).up = slot.up;
            emptied += --length(slot.head) == 0;
            ++updates;
        }
        stats_.updates += updates;
        return emptied;
    }

    DLX_INLINE void unhide(Ref entry) noexcept {
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            if constexpr (Colored) {
                if (color(other) < 0) continue;
            }
            const Slot& slot = at(other);
            at(slot.up).down = other;
            at(slot.down).up = other;
            ++length(slot.head);
        }
    }

    // Covers an item to the end; returns how many open items that has emptied.
    DLX_INLINE Ref cover(Ref head) noexcept {
        Ref emptied = 0;
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            emptied += hide(entry);
        }
        return emptied;
    }

    // Covers an item until an open item is emptied. Returns the entry at which that happened, or
    // `head` if all went well.
    Ref cover_while_viable(Ref head) noexcept {
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (hide(entry) != 0) return entry;
        }
        return head;
    }

    // Undoes a cover that went as far as `last` (`head`: all the way).
    DLX_INLINE void uncover(Ref head, Ref last) noexcept {
        for (Ref entry = last == head ? at(head).up : last; entry != head; entry = at(entry).up) {
            unhide(entry);
        }
    }

    // As cover_while_viable, sparing the options that want the color of `chosen` too.
    Ref purify_while_viable(Ref chosen) noexcept {
        const Ref head = at(chosen).head;
        const Int wanted = color(chosen);
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (color(entry) == wanted) {
                color(entry) = -1;
            } else if (hide(entry) != 0) {
                return entry;
            }
        }
        return head;
    }

    void unpurify(Ref chosen, Ref last) noexcept {
        const Ref head = at(chosen).head;
        const Int wanted = color(chosen);
        for (Ref entry = last == head ? at(head).up : last; entry != head; entry = at(entry).up) {
            if (color(entry) < 0) {
                color(entry) = wanted;
            } else {
                unhide(entry);
            }
        }
    }

    Ref commit(Ref entry) noexcept {
        const Ref head = at(entry).head;
        if constexpr (Colored) {
            if (color(entry) < 0) return head;  // its item has this color already
            if (color(entry) > 0) return purify_while_viable(entry);
        }
        return cover_while_viable(head);
    }

    DLX_INLINE void uncommit(Ref entry, Ref last) noexcept {
        if constexpr (Colored) {
            if (color(entry) < 0) return;
            if (color(entry) > 0) return unpurify(entry, last);
        }
        uncover(at(entry).head, last);
    }

    // -- taking an option and giving it back -----------------------------------------------------

    DLX_INLINE void reopen_items(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (entry != chosen && is_primary(at(entry).head)) reopen(at(entry).head);
        }
    }

    // Takes the option of frame.choice, whose item is covered. If that cannot lead anywhere, or if
    // it completes a solution, nothing stays changed.
    DLX_INLINE Attempt attempt(const Frame& frame) noexcept {
        ++stats_.nodes;
        ++stats_.profile[frames_.size()];
        if constexpr (weighted) weights_[number(frame.head)].tried();
        const Ref chosen = frame.choice;
        const auto [first, last] = bounds(chosen);
        Ref starving = frame.starving;
        for (Ref entry = first; entry != last; entry += step) {
            const Ref head = at(entry).head;
            if (entry == chosen || !is_primary(head)) continue;
            starving -= length(head) == 0;
            close(head);
        }
        if (starving == 0) {
            if (lengths_.open() == 0) {
                reopen_items(chosen, first, last);
                return Attempt::solved;
            }
            if (commit_all(chosen, first, last)) return Attempt::open;
        }
        reopen_items(chosen, first, last);
        return Attempt::dead;
    }

    // The same where time does not matter: the loop of `run` is to have the other one for itself.
    DLX_COLD Attempt attempt_top() noexcept { return attempt(frames_.back()); }

    DLX_INLINE bool commit_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = first; entry != last; entry += step) {
            if (entry == chosen) continue;
            const Ref reached = commit(entry);
            if (reached == at(entry).head) continue;
            uncommit(entry, reached);
            uncommit_all(chosen, first, entry);
            return false;
        }
        return true;
    }

    void uncommit_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (entry != chosen) uncommit(entry, at(entry).head);
        }
    }

    void retract(Ref chosen) noexcept {
        const auto [first, last] = bounds(chosen);
        uncommit_all(chosen, first, last);
        reopen_items(chosen, first, last);
    }

    // Undoes what entering an item did: Frame or given.
    DLX_INLINE void leave(Ref head) noexcept {
        uncover(head, head);
        reopen(head);
    }

    void descend() { branch_on(choose()); }

    DLX_INLINE void branch_on(Ref head) {
        close(head);
        frames_.push_back({head, head, cover(head)});
        if (stats_.profile.size() == frames_.size()) stats_.profile.push_back(0);
    }

    // Back to the end of this part of the search, or to the item before.
    DLX_INLINE void ascend() noexcept {
        leave(frames_.back().head);
        frames_.pop_back();
        if (frames_.begin() + static_cast<std::ptrdiff_t>(begin_.floor) == frames_.end()) {
            end_part();
        } else {
            retract(frames_.back().choice);
        }
    }

    DLX_COLD void end_part() noexcept {
        if (!frames_.empty()) retract(frames_.back().choice);
        rewind();
    }

    DLX_COLD void go_up() noexcept {
        leave(frames_.back().head);
        frames_.pop_back();
        if (!frames_.empty()) retract(frames_.back().choice);
    }

    // -- where it stands -------------------------------------------------------------------------

    bool is_exhausted(const Frame& frame) noexcept { return at(frame.choice).down == frame.head; }

    // What `run` would do first: it goes back to an item that has an option left.
    DLX_COLD void drop_exhausted() noexcept {
        while (phase_ == Phase::searching && is_exhausted(frames_.back())) ascend();
    }

    std::vector<Decision> path() {
        std::vector<Decision> path;
        for (const Frame& frame : frames_) {
            const bool begun = frame.choice != frame.head;
            path.push_back(
                {item_at(frame.head), begun ? option_at(frame.choice) : Decision::none_yet});
        }
        return path;
    }

    // Goes down the path to where this part of the search begins, as the search does. Returns false
    // on coming to a leaf.
    DLX_COLD bool replay() {
        const auto& path = begin_.path;
        if (path.empty()) return true;
        stats_.profile.assign(1, 0);
        bool viable = !lengths_.any_empty();
        for (std::size_t place = 0; viable && place < path.size(); ++place) {
            branch_on(Torus::head_of(path[place].item));
            if (path[place].option == Decision::none_yet) break;
            const auto entry = static_cast<Ref>(entry_about(*problem_, path[place]));
            frames_.back().choice = first_entry_ + step * entry;
            if (place + 1 < path.size()) viable = attempt_top() == Attempt::open;
        }
        return viable;
    }

    // -- leaving a subtree to bits ---------------------------------------------------------------

    void take_back() noexcept {
        handover_->drop();
        retract(frames_.back().choice);
    }

    // After an option was taken: is what is below it searched by others?
    bool hand_over() {
        if (handover_ == nullptr || !handover_->due(work(), frames_.size())) return false;
        try {
            std::vector<Int> given;
            for (const Ref entry : given_) given.push_back(option_at(entry));
            handover_->decide(
                stats_, given, frames_.size(), [this] { return Position{path(), begin_.floor}; },
                [this] { return learned(); }, [this] { return residue(); });
        } catch (const std::bad_alloc&) {  // without tables it goes more slowly, but it goes
            handover_->give_up();
        }
        return handover_->busy();
    }

    Bits::Learned learned() {
        Bits::Learned so_far;
        if constexpr (weighted) {
            so_far.weights = &weights_;
            blame([&](std::size_t item) { so_far.blamed.push_back(static_cast<Int>(item)); });
        }
        return so_far;
    }

    Residue residue() {
        Residue left;
        lengths_.each_open([&](std::size_t item) {
            left.items.push_back(static_cast<Int>(item));
            left.lengths.push_back(lengths_[item]);
            const Ref head = Torus::head_of(static_cast<Int>(item));
            for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
                left.options.push_back(option_at(entry));
            }
            return true;
        });
        std::sort(left.options.begin(), left.options.end());
        left.options.erase(std::unique(left.options.begin(), left.options.end()),
                           left.options.end());
        return left;
    }

    // -- the root --------------------------------------------------------------------------------

    // As descend and attempt, but without failing: givens must be undone as a whole, at the end.
    void take_given(Int option) {
        Ref chosen = first_entry_ +
                     step * static_cast<Ref>(problem_->start[static_cast<std::size_t>(option)]);
        while (!is_primary(at(chosen).head)) chosen += step;  // every option has a primary item
        const auto [first, last] = bounds(chosen);
        given_.push_back(chosen);
        close(at(chosen).head);
        cover(at(chosen).head);
        for (Ref entry = first; entry != last; entry += step) {
            if (entry != chosen && is_primary(at(entry).head)) close(at(entry).head);
        }
        for (Ref entry = first; entry != last; entry += step) {
            if (entry != chosen) commit_given(entry);
        }
        stats_.updates = 0;  // preparation, not search
    }

    void commit_given(Ref entry) noexcept {
        const Ref head = at(entry).head;
        if constexpr (Colored) {
            if (color(entry) < 0) return;
            if (const Int wanted = color(entry); wanted > 0) {
                for (Ref row = at(head).down; row != head; row = at(row).down) {
                    if (color(row) == wanted) {
                        color(row) = -1;
                    } else {
                        hide(row);
                    }
                }
                return;
            }
        }
        cover(head);
    }

    // The root node, or that of the subtree to be searched. Returns true if it is a solution.
    DLX_COLD bool begin(const Quota& quota) {
        if (!frames_.empty()) return begin_subtree(quota);
        stats_.nodes = 1;
        stats_.profile.assign(1, 1);
        if (lengths_.open() == 0) {
            report(quota);
            phase_ = Phase::ending;  // as after any last solution, the next run finds no more
            return true;
        }
        if (lengths_.any_empty()) {
            rewind();
            return false;
        }
        phase_ = Phase::searching;
        descend();
        return false;
    }

    bool begin_subtree(const Quota& quota) {
        phase_ = Phase::searching;
        switch (attempt_top()) {
            case Attempt::dead:
                rewind();
                return false;
            case Attempt::solved:
                report(quota);
                phase_ = Phase::ending;
                return true;
            case Attempt::open:
                descend();
        }
        return false;
    }

    void report(const Quota& quota) {
        ++stats_.solutions;
        if (quota.found == nullptr) return;
        auto& labels = quota.found->labels;
        for (const Ref entry : given_) labels.push_back(problem_->label_of(option_at(entry)));
        for (const Frame& frame : frames_) {
            labels.push_back(problem_->label_of(option_at(frame.choice)));
        }
        quota.found->ends.push_back(labels.size());
    }

    std::shared_ptr<const Problem> problem_;
    std::shared_ptr<const Torus> torus_;
    std::vector<Slot> slots_;
    std::vector<Int> color_;  // of each entry; -1 once its item has that color
    char* base_;              // slots_ as bytes
    Ref first_entry_;
    Lengths lengths_;
    Phase phase_ = Phase::fresh;
    std::vector<Frame> frames_;
    std::vector<Ref> given_;  // a primary entry of each given option
    Position begin_;          // of this part of the search; the frames below its floor stay
    Weights weights_;         // empty unless the search is weighted
    std::unique_ptr<Handover> handover_;
};

}  // namespace dlx
