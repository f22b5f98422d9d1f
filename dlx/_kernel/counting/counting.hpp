// Counting solutions: by enumeration, or by layers where that is less work.
//
// Nobody knows beforehand which it is, so both are tried, with an account of the work of each:
//
//   1. The engines enumerate. A small problem is done with before anything else begins.
//   2. What falls into parts is counted part by part, each in the way of its own; the numbers
//      multiply.
//   3. Random probes say how large the search tree might be (estimate/tree_size.hpp), and the
//   layers
//      (counting/layers.hpp) are tried with a twentieth of the work that it would take to
//      enumerate.
//   4. If that was not enough, the layers by now say how much they might have left to do. They go
//   on
//      if it is clearly less than what enumeration has left; otherwise enumeration goes on, and the
//      layers get another chance whenever it has done twice what it was thought to need.
//
// Enumeration may be left to others, who have more hands: then a count stops where it would
// enumerate for long, says what is to be enumerated, and goes on when it is told how far they got.
//
// So remembering that does not pay costs a few hundredths of the whole, and enumeration that does
// not pay a few milliseconds. Work is counted in what takes about a nanosecond, but it is counted
// and not measured: the same count takes the same way every time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "counting/layers.hpp"
#include "engines/engines.hpp"
#include "estimate/tree_size.hpp"

namespace dlx {

// How to count: as told above, or, for tests and measurements, by layers from the beginning.
enum class Way : std::uint8_t { watched, by_layers };

// A part of a problem, or all of it.
class PartCount {
public:
    // `engine` searches all of the part, from the beginning; `limit`: more need not be counted.
    // `shared`: enumerating is left to others, except for the beginning.
    PartCount(std::unique_ptr<Engine> engine, std::size_t entries, std::uint64_t limit,
              std::size_t memory, Way way, bool shared);

    // Goes on until a time. `enough`: the part is to be looked at before it can go on, by `lay`.
    Outcome run(Clock::time_point until);

    // Is it the turn of others, to enumerate? Then `run` stops with `spent`.
    bool leaves_listing() const noexcept {
        return shared_ && (step_ == Step::enumerating || step_ == Step::only_enumerating);
    }
    // What they have to do, if nothing was done of it yet, and up to which number of nodes, those
    // that were searched here not counted.
    std::optional<Position> listing() { return engine_->position(); }
    std::uint64_t nodes_for_others() const;
    // How far they have got: all they have done so far.
    void listed(const Stats& stats, bool finished);

    // Says what the part is made of, for counting by layers.
    void lay(std::shared_ptr<const Problem> part) { part_ = std::move(part); }

    bool finished() const noexcept { return step_ == Step::finished; }
    Natural found() const;  // so far, or all
    std::uint64_t work_for_reducing() const;
    void add_stats(Stats& stats) const;
    // Elementary steps of whatever kind so far, for tests of how long it goes on at once.
    std::uint64_t work() const;

private:
    enum class Step : std::uint8_t {
        warming_up,        // by enumeration
        waiting,           // for the part
        ordering,          // of the items
        planning,          // of the layers
        probing,           // of the tree
        layering,          // for a while
        enumerating,       // for a while
        only_enumerating,  // to the end
        finished
    };

    Outcome enumerate(Clock::time_point until);
    Outcome remember(Clock::time_point until);
    Outcome pass_layers(Clock::time_point until);
    void warm_up_longer_or(double for_entry, Step next);
    void order();
    void plan();
    Outcome probe(Clock::time_point until);
    void reconsider();
    void enumerate_on();
    Stats listing_stats() const;  // of the engine and of others
    double spent() const;         // on enumeration
    double to_enumerate() const;  // all in all, at least

    std::unique_ptr<Engine> engine_;
    std::size_t entries_;
    std::uint64_t limit_;
    std::size_t memory_;
    Way way_;
    bool shared_;
    Stats others_;
    Step step_;
    std::uint64_t node_quota_;
    double guess_ = 0;  // of the work of enumerating all
    std::uint64_t layer_quota_ = 0;
    std::shared_ptr<const Problem> part_;
    LayerOrder order_;
    std::shared_ptr<const LayerPlan> plan_;
    std::unique_ptr<TreeProbes> probes_;  // while they are being made
    std::unique_ptr<Layers> layers_;
    std::uint64_t preparing_ = 0;  // work on the way to layers that was done so far
};

class Counting {
public:
    // `given`: options, no two of which clash. `memory`: bytes for remembering.
    Counting(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines,
             const EngineChoice& choice, std::span<const Int> given, std::uint64_t limit,
             std::size_t memory, Way way, bool shared);

    // `spent`, if `shared`: others are to enumerate a part, before it can go on.
    Outcome run(Clock::time_point until);
    bool finished() const noexcept { return finished_; }

    // A part that others are to enumerate, with the problem and the givens that it is a part of.
    struct Listing {
        std::shared_ptr<const Problem> problem;
        std::shared_ptr<Engines> engines;
        std::vector<Int> given;
        Position begin;
    };
    std::size_t part() const noexcept { return opened_; }  // which of them is being counted
    std::optional<Listing> listing();
    std::uint64_t nodes_for_others() const {
        return part_ == nullptr ? 0 : part_->nodes_for_others();
    }
    void listed(const Stats& stats, bool finished) {
        if (part_ != nullptr) part_->listed(stats, finished);
    }

    // Numbers whose product is the number of solutions found so far.
    std::vector<Natural> factors() const;
    Stats stats() const;
    // Elementary steps of whatever kind so far.
    std::uint64_t work() const;

private:
    void open(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines,
              std::vector<Int> given);
    void take_apart();
    void next_part();

    std::shared_ptr<const Problem> problem_;
    EngineChoice choice_;
    std::vector<Int> given_;
    std::uint64_t limit_;
    std::size_t memory_;
    Way way_;
    bool shared_;
    Listing searched_;                 // what the engine of the part searches, from the beginning
    std::unique_ptr<PartCount> part_;  // the whole, to begin with
    std::vector<Problem> waiting_;     // parts to be counted after it
    std::vector<Natural> done_;        // the numbers of those before
    Natural seen_;                     // solutions of the whole, before it was taken apart
    Stats stats_;                      // of parts that are done
    std::uint64_t work_ = 0;           // on these, and on taking apart
    bool taken_apart_ = false;         // the whole, or found to be one part
    std::size_t opened_ = 0;
    bool finished_ = false;
};

}  // namespace dlx
