// The search of the `bits` engine, for one instruction set.
//
// A state is what is left of the problem after some options have been taken. Each level of the
// search has its own copy, so nothing is ever undone. There are six layouts of a state, in
// bits/layouts/, and one loop (`Loop`) for all of them:
//
//   * `Lanes`: the live options of each item side by side, for few items;
//   * `Slices`: the same across all items, for many items with few options each;
//   * `Segments`: lanes of several words, for items with many options;
//   * `Crossings`: segments, and rows by color in place of removals;
//   * `Counters` and `Scattered`: the live options as one set, with a counter for each item. Where
//     few options are left, `Counters` renumber them (bits/layouts/few_options.hpp).
//
// Problems with multiplicities have layouts of their own (bits/layouts/multiple.hpp).
//
// In all of them `take` ends with the smallest count, in which
//     0    means an item without options: a dead end,
//     1    a forced item, whose option is taken at once, in place, without a level of its own,
//     255  no item at all: a solution.
// An item that has been covered shows 255: its counter reached 0 with the last of its options, and
// the option taken is subtracted once more; a covered lane is empty, and the count less one wraps.
//
// The first place of the smallest byte is the item with the fewest options, the first in order on a
// tie: the choice that all engines make.
#pragma once

#include "bits/layouts/counters.hpp"
#include "bits/layouts/crossings.hpp"
#include "bits/layouts/lanes.hpp"
#include "bits/layouts/multiple.hpp"
#include "bits/layouts/segments.hpp"
#include "bits/layouts/slices.hpp"
#include "core/position.hpp"

namespace dlx::DLX_BITS_LEVEL {

template <class State, Heuristic heuristic>
class Loop {
    static constexpr bool learns = heuristic == Heuristic::learning;

public:
    Loop(BitsTask& task, State& state, Int blamed = 0)
        : task_(task), state_(state), blamed_(blamed) {}
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    BitsStop run(BitsEntry entry) {
        switch (entry) {
            case BitsEntry::given:
                for (Int at = 0; at < task_.depth; ++at) {
                    state_.remove(task_.states, task_.states, task_.path[at]);
                }
                return BitsStop::enough;
            case BitsEntry::replay:
                return replay();
            case BitsEntry::branch:
                return branch(task_.replay_depth) ? BitsStop::enough : BitsStop::dead;
            default:
                return search(entry);
        }
    }

private:
    // Replays a path. Another engine has counted the nodes on it.
    DLX_COLD BitsStop replay() {
        const Choice root = state_.take(state_at(0), state_at(0), task_.tables.options);
        if (root.count == 0 || root.count == solved_for_good) return BitsStop::dead;
        for (Int depth = task_.depth; depth < task_.replay_depth; ++depth) {
            const std::byte* here = state_at(task_.level + 1);
            if (!branch(depth)) return BitsStop::dead;
            const Choice choice = take(here, state_at(task_.level + 1), task_.path[depth], depth);
            if (choice.count == 0 || choice.count == solved_for_good) return BitsStop::dead;
        }
        return BitsStop::enough;
    }

    // Pushes a frame with the options left to try after the one in the path, if there are any and
    // the frame is not above the floor. Returns false if there is no such branch, which only a path
    // with multiplicities is not checked for before.
    DLX_COLD bool branch(Int depth) {
        std::byte* here = state_at(task_.level + 1);
        BitsFrame frame{};
        frame.item = task_.nodes[depth + 1].item;
        frame.depth = depth;
        frame.left = frame.branches = branches_of(here, frame.item);
        frame.above = -1;
        if (frame.left == 0) return false;
        state_.open(frame, here);
        if (const Int wanted = task_.path[depth]; wanted != Decision::none_yet) {
            for (Int option = Decision::none_yet; option != wanted;) {
                if (frame.left == 0) return false;
                option = next_branch(frame, here);
            }
        }
        if (frame.left > 0 && depth >= task_.floor) {
            if constexpr (looks_ahead) state_.look_ahead(frame, here);
            task_.frames[++task_.level] = frame;
        }
        return true;
    }

    std::uint32_t branches_of(const std::byte* state, Int item) {
        if constexpr (State::has_weights) {
            return state_.branches(state, item);
        } else {
            return state_.length(state, item);
        }
    }

    // The next branch of a frame.
    DLX_INLINE Int next_branch(BitsFrame& frame, std::byte* here) {
        if constexpr (State::multiple) {
            if (frame.above >= 0) state_.exclude(here, frame.above);
            if (frame.optional && frame.left == 1) {
                frame.left = 0;
                frame.above = -1;
                return no_more;
            }
        }
        const Int option = state_.next(frame, here);
        --frame.left;
        if constexpr (State::multiple) frame.above = frame.cumulative ? option : -1;
        return option;
    }

    // Takes an option, or no further one of the item on which the search has branched at `depth`.
    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option, Int depth) {
        if constexpr (State::multiple) {
            if (option == no_more) return state_.close(from, to, task_.nodes[depth + 1].item);
        }
        return state_.take(from, to, option);
    }

    BitsStop search(BitsEntry entry) {
        const std::byte* from = state_at(task_.level + 1);
        std::byte* to = state_at(task_.level + 1);
        Int option = task_.tables.options;
        Int depth = task_.replay_depth;
        switch (entry) {
            case BitsEntry::start:
                ++task_.nodes[depth].visits;
                break;
            case BitsEntry::taken_over:
                blamed_ = task_.shared_blame;
                break;
            case BitsEntry::attempt:
                option = task_.path[depth];
                enter(option, task_.nodes[depth + 1].item, depth);
                break;
            default:
                if constexpr (looks_ahead) skip_dead_ends();
                if (task_.level < 0) return BitsStop::finished;
                if (task_.tries_left <= 0) return BitsStop::tries_used;
                option = next(from, to, depth);
        }
        return go(from, to, option, depth);
    }

    // Works on copies of the task and the state, whose addresses nothing else has. Otherwise the
    // compiler would read each of their members again after each store to bytes, which may be
    // anything.
    BitsStop go(const std::byte* from, std::byte* to, Int option, Int depth) {
        BitsTask task = task_;
        State state = state_;
        const BitsStop stop = Loop(task, state, blamed_).run_from(from, to, option, depth);
        task_ = task;
        state_ = state;
        return stop;
    }

    // Enters the next option of the current frame.
    DLX_INLINE Int next(const std::byte*& from, std::byte*& to, Int& depth) {
        BitsFrame& frame = task_.frames[task_.level];
        std::byte* here = state_at(task_.level);
        const Int option = next_branch(frame, here);
        const Int frame_item = frame.item;
        depth = frame.depth;
        from = here;
        if (frame.left == 0) {  // the last option may overwrite the state
            --task_.level;
            to = here;
        } else {
            to = here + task_.tables.state_bytes;
        }
        blamed_ = 0;
        enter(option, frame_item, depth);
        return option;
    }

    DLX_INLINE void enter(Int option, Int item, Int& depth) {
        if constexpr (learns) {
            task_.learned[item].tried();
            task_.blamed[blamed_++] = item;
        }
        task_.path[depth] = option;
        ++depth;
        BitsNode& node = task_.nodes[depth];
        ++node.visits;
        node.item = item;
        --task_.tries_left;
    }

    DLX_INLINE BitsStop run_from(const std::byte* from, std::byte* to, Int option, Int depth) {
        for (;;) {
            const Choice choice = take(from, to, option, depth - 1);
            if (choice.count == 1) {
                option = state_.only(to, choice.item);
                from = to;
                enter(option, choice.item, depth);
                continue;
            }
            if (choice.count == solved_for_good) {
                if (report(depth)) return task_.wanted == 0 ? BitsStop::enough : BitsStop::full;
                if constexpr (!learns && !State::multiple) count_siblings(depth);
            } else if (choice.count != 0) {
                Choice branching = heuristic == Heuristic::mrv ? choice : with_least_score(to);
                if constexpr (State::has_weights) {  // so far, an upper bound of the branches
                    branching.count = state_.branches(to, branching.item);
                    if (branching.count == 1) {
                        option = state_.only(to, branching.item);
                        from = to;
                        enter(option, branching.item, depth);
                        continue;
                    }
                }
                push(branching, depth);
            } else if constexpr (learns) {
                for (Int at = 0; at < blamed_; ++at) task_.learned[task_.blamed[at]].failed();
            }
            if constexpr (looks_ahead) skip_dead_ends();
            if (task_.level < 0) return BitsStop::finished;
            if (task_.tries_left <= 0) return BitsStop::tries_used;
            option = next(from, to, depth);
        }
    }

    // Counts the next options if the state knows that they are dead ends, and goes behind them.
    DLX_INLINE void skip_dead_ends() {
        while (task_.level >= 0 && task_.tries_left > 0) {
            BitsFrame& frame = task_.frames[task_.level];
            const std::byte* const here = state_at(task_.level);
            const std::uint32_t most = task_.tries_left < frame.left
                                           ? static_cast<std::uint32_t>(task_.tries_left)
                                           : frame.left;
            const std::uint32_t skipped = state_.skip(frame, here, most);
            if (skipped == 0) return;
            task_.nodes[frame.depth + 1].visits += skipped;
            task_.tries_left -= skipped;
            frame.left -= skipped;
            if (frame.left == 0) {
                --task_.level;
            } else if (task_.tries_left <= 0) {
                task_.path[frame.depth] = state_.previous(frame, here);
                task_.nodes[frame.depth + 1].item = frame.item;
            } else {
                return;
            }
        }
    }

    DLX_INLINE void push(const Choice& choice, Int depth) {
        ++task_.level;
        BitsFrame& frame = task_.frames[task_.level];
        frame.item = choice.item;
        frame.left = frame.branches = choice.count;
        frame.depth = depth;
        if constexpr (State::multiple) frame.above = -1;
        state_.open(frame, state_at(task_.level));
        if constexpr (looks_ahead) state_.look_ahead(frame, state_at(task_.level));
    }

    // The open item that the heuristic chooses.
    DLX_INLINE Choice with_least_score(const std::byte* state) {
        Choice best{solved_for_good, 0};
        LeastScore<heuristic> least(task_.learned);
        const auto look_at = [&](Int item, std::uint32_t length) {
            if (least.offer(item, length)) best = {length, item};
        };
        if constexpr (requires { state_.each_open(state, look_at); }) {
            state_.each_open(state, look_at);
        } else {
            for (Int item = 0; item < task_.tables.items; ++item) {
                const std::uint32_t length = state_.length(state, item);
                if (length != 0) look_at(item, length);
            }
        }
        return best;
    }

    // Stores a solution. Returns whether to stop.
    DLX_INLINE bool report(Int depth) {
        ++task_.solutions;
        --task_.wanted;
        if (task_.found != nullptr) {
            Int* const length = task_.found++;
            if constexpr (State::multiple) {
                for (const Int* at = task_.path; at != task_.path + depth; ++at) {
                    if (*at != no_more) *task_.found++ = *at;
                }
            } else {
                std::memcpy(task_.found, task_.path, static_cast<std::size_t>(depth) * sizeof(Int));
                task_.found += depth;
            }
            *length = static_cast<Int>(task_.found - length - 1);
            if (task_.found >= task_.nearly_full) return true;
        }
        return task_.wanted == 0;
    }

    // Counts the options left of the last item branched on, without taking them, if an option of it
    // has just solved the problem and so do they: each covers as many items as that one, all open.
    DLX_INLINE void count_siblings(Int depth) {
        if (!task_.tables.same_lengths || task_.found != nullptr || task_.level < 0) return;
        const BitsFrame& frame = task_.frames[task_.level];
        if (frame.depth + 1 != depth || frame.left >= task_.wanted ||
            frame.left > task_.tries_left) {
            return;
        }
        task_.nodes[depth].visits += frame.left;
        task_.solutions += frame.left;
        task_.wanted -= frame.left;
        task_.tries_left -= frame.left;
        --task_.level;
    }

    DLX_INLINE std::byte* state_at(Int level) const {
        return task_.states + static_cast<std::size_t>(level) * task_.tables.state_bytes;
    }

    // A learning search learns from each dead end.
    static constexpr bool looks_ahead =
        !learns && requires(State state, const BitsFrame& frame, std::byte* here) {
            state.look_ahead(frame, here);
        };

    BitsTask& task_;
    State& state_;
    Int blamed_;  // how many of task_.blamed
};

template <Heuristic heuristic, class State>
BitsStop run_with(BitsTask& task, BitsEntry entry) {
    State state(task);
    const BitsStop stop = Loop<State, heuristic>(task, state).run(entry);
    if constexpr (requires { state.keep(task); }) state.keep(task);
    task.updates += state.updates;
    return stop;
}

// The largest states, in vectors, with loops of their own, which take most of the time to compile.
#ifndef DLX_BITS_MOST_FIXED
#define DLX_BITS_MOST_FIXED 8
#endif

// Calls `run` with the number of vectors as a template argument if it is at most `Most`, or with 0.
template <int Most, class Run>
BitsStop with_fixed(std::uint32_t vectors, Run run) {
    if constexpr (Most == 0) {
        return run.template operator()<0>();
    } else if constexpr (Most > DLX_BITS_MOST_FIXED) {
        return with_fixed<DLX_BITS_MOST_FIXED>(vectors, run);
    } else {
        if (vectors == Most) return run.template operator()<Most>();
        return with_fixed<Most - 1>(vectors, run);
    }
}

constexpr bool has_lanes(BitsLayout layout) noexcept {
    return layout <= BitsLayout::lanes64;
}

// Calls `run` with the bits of a lane as a template argument.
template <class Run>
BitsStop with_lanes(BitsLayout layout, Run run) {
    switch (layout) {
        case BitsLayout::lanes8:
            return run.template operator()<8>();
        case BitsLayout::lanes16:
            return run.template operator()<16>();
        case BitsLayout::lanes32:
            return run.template operator()<32>();
        default:
            return run.template operator()<64>();
    }
}

// The largest fixed size. The loops that look at each open item to branch gain less from one.
template <Heuristic heuristic>
constexpr int most_fixed(int most) noexcept {
    return heuristic == Heuristic::mrv ? most : 0;
}

template <Heuristic heuristic>
BitsStop run_multiple(BitsTask& task, BitsEntry entry) {
    const BitsView& tables = task.tables;
    if (has_lanes(tables.layout)) {
        return with_lanes(tables.layout, [&]<int Bits>() {
            return with_fixed<most_fixed<heuristic>(2)>(tables.vectors, [&]<int Fixed>() {
                return run_with<heuristic, MultipleLanes<Bits, Fixed>>(task, entry);
            });
        });
    }
    if (tables.weighted) {
        if (tables.number_bytes == 1)
            return run_with<heuristic, MultipleScattered<Narrow, true>>(task, entry);
        if (tables.number_bytes == 2)
            return run_with<heuristic, MultipleScattered<Wide, true>>(task, entry);
        return run_with<heuristic, MultipleScattered<Broad, true>>(task, entry);
    }
    if (tables.number_bytes == 2)
        return run_with<heuristic, MultipleScattered<Wide, false>>(task, entry);
    const std::uint32_t fixed = tables.layout == BitsLayout::counters ? tables.counters : 0;
    return with_fixed<most_fixed<heuristic>(8)>(fixed, [&]<int Fixed>() {
        if constexpr (Fixed == 0)
            return run_with<heuristic, MultipleScattered<Narrow, false>>(task, entry);
        else
            return run_with<heuristic, MultipleCounters<Narrow, Fixed>>(task, entry);
    });
}

template <Heuristic heuristic>
BitsStop run_plain(BitsTask& task, BitsEntry entry) {
    const BitsView& tables = task.tables;
    if (has_lanes(tables.layout)) {
        return with_lanes(tables.layout, [&]<int Bits>() {
            return with_fixed<most_fixed<heuristic>(3)>(tables.vectors, [&]<int Fixed>() {
                return run_with<heuristic, Lanes<Bits, Fixed>>(task, entry);
            });
        });
    }
    switch (tables.layout) {
        case BitsLayout::slices:
            return with_fixed<most_fixed<heuristic>(3)>(tables.slice_vectors, [&]<int Fixed>() {
                return run_with<heuristic, Slices<Fixed>>(task, entry);
            });
        case BitsLayout::segments:
            return run_with<heuristic, Segments>(task, entry);
        case BitsLayout::crossings:
            return run_with<heuristic, Crossings>(task, entry);
        case BitsLayout::counters:
            return with_fixed<6>(tables.counters, [&]<int Fixed>() {
                if constexpr (Fixed == 0)
                    return run_with<heuristic, Scattered>(task, entry);
                else
                    return run_with<heuristic, Counters<Fixed>>(task, entry);
            });
        default:
            break;
    }
    return run_with<heuristic, Scattered>(task, entry);
}

inline BitsStop run(BitsTask& task, BitsEntry entry) {
    return with_heuristic(task.heuristic, [&]<Heuristic heuristic>() {
        return task.tables.multiple ? run_multiple<heuristic>(task, entry)
                                    : run_plain<heuristic>(task, entry);
    });
}

}  // namespace dlx::DLX_BITS_LEVEL
