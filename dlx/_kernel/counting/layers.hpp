// Counting solutions layer by layer, without listing them.
//
// All ways to cover the items up to a place in the order that leave the same later items covered
// are one state, with the number of these ways. Each state is extended by each option that fits,
// once, and what comes out is added to the states of the layer at which it arrives:
//
//     layer 3                layer 4                layer 6                       end
//     [..1.] x 5 --------->  [.1..] x 9  ------->   [....] x 14  -- ... -->   the count
//          \                   ^   \                  ^
//           `---------------- / ----`----------------/
//     [1.1.] x 4 ------------'                                 (arrows add)
//
// A state is kept only from when it is first reached until it has been extended, so memory is
// needed for about as many states as the widest frontier has. Counts are exact: they have as many
// 64-bit limbs as the largest could need, and another one is added to all when that is no longer
// certain. Options that are the same to a state multiply.
//
// When a share of the memory is used up, the deepest layer is counted to the end before the others
// go on; for that there is half of what is left, and so on. States may then be reached again that
// were extended already, and are extended again: that takes time, but no count is lost.
//
// Source: the transfer-matrix method of statistical physics, as "frontier" or "broken profile"
// dynamic programming (D. E. Knuth, TAOCP 4A, 7.1.4, 'simpath', does the same for paths).
#pragma once

#include <memory>
#include <vector>

#include "core/engine.hpp"
#include "counting/layers_plan.hpp"
#include "counting/layers_table.hpp"

namespace dlx {

// A number of any size, lowest limb first.
using Natural = std::vector<std::uint64_t>;

class Layers {
public:
    // The plan must fit. `memory`: bytes that may be used for states.
    Layers(std::shared_ptr<const LayerPlan> plan, std::size_t memory);

    // Can a count be made at all in so much memory?
    static bool possible(const LayerPlan& plan, std::size_t memory);

    // Goes on until a time, or until so much work has been done in all.
    Outcome run(Clock::time_point until, std::uint64_t work);

    bool finished() const noexcept { return finished_; }
    const Natural& total() const noexcept { return total_; }  // so far: all solutions, if finished

    std::uint64_t states() const noexcept { return states_; }    // that have been extended
    std::uint64_t updates() const noexcept { return updates_; }  // options tried on them
    // The work so far, and the best guess of what is left of it: in nanoseconds, roughly, but
    // counted, not measured.
    std::uint64_t work() const noexcept { return work_; }
    double work_left() const;
    bool was_full() const noexcept { return was_full_; }

private:
    // A layer that is being extended, and the room that its successors have.
    struct Reading {
        std::size_t layer;
        StateBlocks states;
        std::size_t next = 0;
        std::size_t threshold = 0;
    };

    static std::size_t reserve(const LayerPlan& plan);
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
    std::uint64_t top_ = 1;  // the highest limbs of all counts, by "or"
    std::vector<StateTable> tables_;
    std::vector<Reading> readings_;  // the layers being read, each deeper than the one before
    std::size_t farthest_ = 0;       // no layer beyond has states
    Natural total_;
    bool finished_ = false;
    bool was_full_ = false;
    bool widening_ = false;
    std::uint64_t states_ = 0;
    std::uint64_t updates_ = 0;
    std::uint64_t reached_ = 0;  // arrivals at states, new or not
    std::uint64_t work_ = 0;
    double crowding_ = 0;  // log2 of the states of a layer, per bit of its width, at most
};

}  // namespace dlx
