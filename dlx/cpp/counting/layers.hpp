// Counts solutions layer by layer, without listing them.
//
// A state combines all ways to cover the items up to a place in the order that cover the same later
// items; its count is the number of these ways. Each state is extended once by each option that
// fits, and its count is added to the resulting state in a later layer:
//
//     layer 3                layer 4                layer 6                       end
//     [..1.] x 5 --------->  [.1..] x 9  ------->   [....] x 14  -- ... -->   the count
//          \                   ^   \                  ^
//           `---------------- / ----`----------------/
//     [1.1.] x 4 ------------'                                 (arrows add)
//
// A state is stored only until it has been extended, so memory is needed for about as many states
// as the widest frontier has. Counts are exact: they have as many 64-bit limbs as the largest could
// need, and all get another limb before one could overflow. Options with the same effect on a state
// are one option with a weight.
//
// When a share of the memory is used up, the deepest layer is counted to the end before the others
// continue. It may use half of the remaining memory, and so on recursively. Then a state may be
// reached again after it was extended, and is extended again: that takes time, but no count is
// lost.
//
// Source: the transfer-matrix method of statistical physics, as "frontier" or "broken profile"
// dynamic programming (D. E. Knuth, TAOCP 4A, 7.1.4, 'simpath', does the same for paths).
#pragma once

#include <memory>
#include <vector>

#include "core/engine.hpp"
#include "counting/layers_plan.hpp"
#include "counting/layers_table.hpp"
#include "counting/natural.hpp"

namespace dlx {

class Layers {
public:
    // The plan must fit. `memory`: bytes that may be used for states. If that is not enough for a
    // few states in every layer at a time, and it is used up, the count is given up.
    Layers(std::shared_ptr<const LayerPlan> plan, std::size_t memory);

    // Continues until a time, or until the total work reaches `work`. `spent`: given up.
    Outcome run(Clock::time_point until, std::uint64_t work);

    bool finished() const noexcept { return finished_; }
    const Natural& total() const noexcept { return total_; }  // so far: all solutions, if finished

    std::uint64_t states() const noexcept { return states_; }    // that have been extended
    std::uint64_t updates() const noexcept { return updates_; }  // options tried on them
    // The work so far, and an estimate of the remaining work. A unit is about a nanosecond, but
    // work is counted, not measured.
    std::uint64_t work() const noexcept { return work_; }
    double work_left() const;
    bool was_full() const noexcept { return was_full_; }

private:
    // A layer that is being extended, and the memory that its successors may use.
    struct Reading {
        std::size_t layer;
        StateBlocks states;
        std::size_t next = 0;
        std::size_t threshold = 0;
    };

    static std::size_t reserve(const LayerPlan& plan);
    StateTable& table(std::size_t layer);
    bool choose_layer();
    bool relieve();
    void extend_some();
    std::uint64_t try_work() const noexcept;
    std::uint64_t reach_work() const noexcept;
    bool has_room(std::size_t states) const;
    void widen_some();
    template <std::size_t words, std::size_t limbs>
    void extend(Reading& reading, std::size_t end);
    template <std::size_t words>
    void extend_by_limbs(Reading& reading, std::size_t end);
    void add_to_total(const std::uint64_t* count, std::uint64_t weight);
    void start_reading(std::size_t layer, std::size_t threshold);
    std::size_t stride() const noexcept { return plan_->words() + limbs_; }

    std::shared_ptr<const LayerPlan> plan_;
    std::size_t memory_;
    std::size_t used_ = 0;
    std::size_t limbs_ = 1;
    std::uint64_t top_ = 1;                            // the highest limbs of all counts, by "or"
    std::vector<std::unique_ptr<StateTable>> tables_;  // of each layer, if it has states
    std::vector<Reading> readings_;  // the layers being read, each deeper than the one before
    std::size_t farthest_ = 0;       // no layer beyond has states
    Natural total_;
    bool finished_ = false;
    bool may_be_full_;  // is there memory enough to go on when the tables are full?
    bool was_full_ = false;
    bool given_up_ = false;
    bool widening_ = false;
    std::uint64_t states_ = 0;
    std::uint64_t updates_ = 0;
    std::uint64_t reached_ = 0;  // arrivals at states, new or not
    std::uint64_t work_ = 0;
    double density_ = 0;  // log2 of the states of a layer, per bit of its width, at most
};

}  // namespace dlx
