// The search of the `rounds` engine, for AVX-512: it counts solutions on the slices
// layout (bits/slices.hpp), in a tree of its own.
//
// Where only the number of solutions is wanted, the order in which options are taken is free.
// So this search differs from that of bits/loop.hpp in four ways:
//
//   * Forced options are taken in *rounds*. A pass over the slices finds all forced items; the
//     options of the first and of the last of them are taken at once, without a loop that the
//     processor would mispredict. If they clash, that is a dead end.
//   * Where no item is forced, *dominance* is tried: if all live options of an item also cover its
//     partner, the other options of the partner go (bits/dominance.hpp).
//   * Of the items with two options, the search branches on one whose options remove many others.
//     It looks at the first few only.
//   * States of at most 512 items with 8 to 10 options live in the 32 registers of AVX-512.
//     (With the 16 of AVX2 all this is hardly faster than bits/loop.hpp, and often slower.)
//
// Dominance and comparing items cost several rounds, and where solutions are plenty they bring
// nothing. So both are tried only while dead ends keep up with branches, and dominance has a
// *credit* as well, which trying without success uses up.
#pragma once

#include "bits/choice.hpp"
#include "bits/rounds_task.hpp"
#include "bits/vector512.hpp"

namespace dlx::DLX_BITS_LEVEL {

using V = Vec512;

DLX_INLINE void set_word(std::byte* to, std::size_t place, std::uint64_t word) {
    std::memcpy(to + 8 * place, &word, 8);
}

DLX_INLINE int highest(std::uint64_t bits) {
    return 63 - std::countl_zero(bits);
}

// The current state in local variables, which the compiler keeps in registers if there are enough.
template <int Slices>
class LocalState {
public:
    LocalState(const BitsView&, std::byte* scratch) : planes_(scratch) {}

    static constexpr std::size_t width() { return 1; }
    static constexpr std::size_t slices() { return Slices; }
    static constexpr std::size_t bytes() { return (Slices + 1) * V::size; }

    DLX_INLINE V get(std::size_t slice, std::size_t) const { return state_[slice]; }
    DLX_INLINE void set(std::size_t slice, std::size_t, V value) { state_[slice] = value; }
    DLX_INLINE void load(const std::byte* from) {
        for (std::size_t at = 0; at <= Slices; ++at) {
            state_[at] = V::load(from + at * V::size);
        }
    }
    DLX_INLINE void store(std::byte* to) const {
        for (std::size_t at = 0; at <= Slices; ++at) {
            state_[at].store(to + at * V::size);
        }
    }

    // Prepares for `place_of`: adds up the numbers of the slices, digit by digit. For an item with
    // one live option, the sum is the number of its slice.
    DLX_INLINE void note_places() {
        for (std::size_t digit = 0; digit < digits; ++digit) {
            V plane = V::zeros();
            for (std::size_t place = 0; place < Slices; ++place) {
                if (place >> digit & 1) plane = plane | state_[place + 1];
            }
            plane.store(planes_ + digit * V::size);
        }
    }
    DLX_INLINE std::size_t place_of(std::size_t word, int bit) const {
        std::uint64_t place = 0;
        for (std::size_t digit = digits; digit-- > 0;) {
            place = 2 * place + (word_at(planes_ + digit * V::size, word) >> bit & 1);
        }
        return static_cast<std::size_t>(place);
    }

private:
    static constexpr std::size_t digits =
        static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(Slices - 1)));

    V state_[Slices + 1];
    std::byte* planes_;
};

// The current state in memory, for all other sizes.
class DistantState {
public:
    DistantState(const BitsView& tables, std::byte*)
        : width_(tables.state_bytes / V::size / (tables.vectors / tables.slice_vectors)),
          slices_(tables.vectors / tables.slice_vectors - 1) {}

    DLX_INLINE std::size_t width() const { return width_; }
    DLX_INLINE std::size_t slices() const { return slices_; }
    DLX_INLINE std::size_t bytes() const { return (slices_ + 1) * width_ * V::size; }

    DLX_INLINE V get(std::size_t slice, std::size_t v) const {
        return V::load(state_ + (slice * width_ + v) * V::size);
    }
    DLX_INLINE void set(std::size_t slice, std::size_t v, V value) {
        value.store(state_ + (slice * width_ + v) * V::size);
    }
    // From here on, this is where the state is.
    DLX_INLINE void load(std::byte* from) { state_ = from; }
    DLX_INLINE void store(const std::byte*) const {}

    DLX_INLINE void note_places() const {}
    DLX_INLINE std::size_t place_of(std::size_t word, int bit) const {
        const std::byte* slice = state_ + 8 * word;
        for (std::size_t place = 0;; ++place) {
            slice += width_ * V::size;
            if (word_at(slice, 0) >> bit & 1) return place;
        }
    }

private:
    std::byte* state_ = nullptr;
    std::size_t width_;
    std::size_t slices_;
};

template <class State>
class RoundsLoop {
public:
    explicit RoundsLoop(RoundsTask& task)
        : task_(task),
          tables_(task.tables),
          state_(task.tables, task.scratch + RoundsTask::most_slice_bytes) {}

    BitsStop run(RoundsEntry entry) {
        std::byte* here = state_at(task_.level + 1);
        Int depth = task_.depth;
        if (entry == RoundsEntry::start) {
            ++task_.visits[depth];
            begin(here);
        } else {
            if (task_.level < 0) return BitsStop::finished;
            if (task_.tries_left <= 0) return BitsStop::tries_used;
            here = next(depth);
        }
        for (;;) {
            switch (settle(here, depth)) {
                case Rest::dead_end:
                    ++task_.dead_ends;
                    break;
                case Rest::solution:
                    ++task_.solutions;
                    if (--task_.wanted == 0) return BitsStop::enough;
                    break;
                case Rest::open:
                    ++task_.branches;
                    push(here, depth);
            }
            if (task_.level < 0) return BitsStop::finished;
            if (task_.tries_left <= 0) return BitsStop::tries_used;
            here = next(depth);
        }
    }

private:
    static constexpr std::size_t words_of_vector = V::size / 8;
    enum class Rest : std::uint8_t { dead_end, solution, open };

    DLX_INLINE std::byte* state_at(Int level) const {
        return task_.states + static_cast<std::size_t>(level) * state_.bytes();
    }
    DLX_INLINE std::size_t slice_bytes() const { return state_.width() * V::size; }
    DLX_INLINE const std::byte* removal(Int option) const {
        return tables_.removal + static_cast<std::size_t>(option) * state_.bytes();
    }
    DLX_INLINE Int option_at(std::size_t item, std::size_t place) const {
        return tables_.item_option[static_cast<std::size_t>(tables_.item_start[item]) + place];
    }

    // The live options of an item, as bits.
    DLX_INLINE std::uint64_t row(const std::byte* state, std::size_t item) const {
        const std::byte* slice = state + state_.bytes() + item / 64 * 8;
        std::uint64_t bits = 0;
        for (std::size_t left = state_.slices(); left != 0; --left) {
            slice -= slice_bytes();
            bits = 2 * bits + (word_at(slice, 0) >> (item % 64) & 1);
        }
        return bits;
    }

    // Takes an option in the state in memory at `from`.
    DLX_INLINE void take_from(const std::byte* from, Int option) {
        const std::byte* const gone = removal(option);
        for (std::size_t k = 0; k <= state_.slices(); ++k) {
            for (std::size_t v = 0; v < state_.width(); ++v) {
                const std::size_t at = (k * state_.width() + v) * V::size;
                state_.set(k, v, V::load(from + at).without(V::load(gone + at)));
            }
        }
    }

    // Takes the given options, two at a time. They do not clash.
    DLX_INLINE void begin(std::byte* here) {
        state_.load(here);
        take_from(tables_.root, tables_.options);  // which removes nothing
        const Int* const given = task_.given;
        for (Int at = 0; at < task_.depth; at += 2) {
            take(given[at], given[at + 1 < task_.depth ? at + 1 : at]);
        }
    }

    // Takes the next option of the current frame, and returns where the state belongs.
    DLX_INLINE std::byte* next(Int& depth) {
        RoundsFrame& frame = task_.frames[task_.level];
        std::byte* here = state_at(task_.level);
        const auto place = static_cast<std::size_t>(lowest(frame.options));
        const Int option = option_at(static_cast<std::size_t>(frame.item), place);
        frame.options &= frame.options - 1;
        depth = frame.depth + 1;
        ++task_.visits[depth];
        --task_.tries_left;
        const std::byte* from = here;
        if (frame.options == 0) {  // the last option may overwrite the state
            --task_.level;
        } else {
            here += state_.bytes();
        }
        state_.load(here);
        take_from(from, option);
        return here;
    }

    // Takes forced options, and removes dominated ones, until there are none. Leaves an open state
    // in memory as well.
    DLX_INLINE Rest settle(std::byte* here, Int& depth) {
        for (;;) {
            const Rest rest = take_forced(depth);
            if (rest != Rest::open) return rest;
            state_.store(here);
            if (!is_hard(0) || task_.credit <= 0 || !remove_dominated(here)) return rest;
            state_.load(here);
        }
    }

    DLX_INLINE Rest take_forced(Int& depth) {
        std::byte* const forced = task_.scratch;
        std::uint64_t clash = 0;
        for (;;) {
            task_.updates += (state_.slices() + 1) * state_.width();
            std::uint64_t words = 0;
            V dead = V::zeros();
            V any_open = V::zeros();
            for (std::size_t v = 0; v < state_.width(); ++v) {
                const V open = state_.get(0, v);
                V some = state_.get(1, v);
                V more = V::zeros();  // than one
                for (std::size_t k = 2; k <= state_.slices(); ++k) {
                    const V slice = state_.get(k, v);
                    more = or_both(more, some, slice);
                    some = some | slice;
                }
                const V one = some.without(more);
                one.store(forced + v * V::size);
                words |= one.nonzero_words() << (v * words_of_vector);
                dead = dead | open.without(some);
                any_open = any_open | open;
            }
            if ((dead.nonzero_words() | clash) != 0) return Rest::dead_end;
            if (words == 0) return any_open.nonzero_words() != 0 ? Rest::open : Rest::solution;
            state_.note_places();
            const auto first = static_cast<std::size_t>(lowest(words));
            const auto last = static_cast<std::size_t>(highest(words));
            const int first_bit = lowest(word_at(forced, first));
            const int last_bit = highest(word_at(forced, last));
            const std::size_t last_place = state_.place_of(last, last_bit);
            const Int one = option_of(first, first_bit, state_.place_of(first, first_bit));
            const Int other = option_of(last, last_bit, last_place);
            const std::byte* const gone = removal(one) + (last_place + 1) * slice_bytes();
            clash = word_at(gone, last) >> last_bit & (one != other ? 1 : 0);
            take(one, other);
            const Int taken = one == other ? 1 : 2;
            ++task_.visits[depth + 1];
            task_.visits[depth + 2] += one != other;
            depth += taken;
            task_.tries_left -= taken;
        }
    }

    DLX_INLINE Int option_of(std::size_t word, int bit, std::size_t place) const {
        return option_at(64 * word + static_cast<std::size_t>(bit), place);
    }

    // Takes two options, or one twice.
    DLX_INLINE void take(Int one, Int other) {
        const std::byte* const first = removal(one);
        const std::byte* const second = removal(other);
        for (std::size_t k = 0; k <= state_.slices(); ++k) {
            for (std::size_t v = 0; v < state_.width(); ++v) {
                const std::size_t at = (k * state_.width() + v) * V::size;
                state_.set(
                    k, v,
                    without_both(state_.get(k, v), V::load(first + at), V::load(second + at)));
            }
        }
    }

    // Have there been about as many dead ends as branches?
    DLX_INLINE bool is_hard(std::uint64_t more) const {
        return task_.branches <= 2 * task_.dead_ends + more;
    }

    // -- dominance -------------------------------------------------------------------------------

    static constexpr std::int64_t dominance_cost = 2;  // in credit; removing an option earns 1

    // Compares each item with its partners. Returns whether it removed an option.
    [[gnu::noinline]] bool remove_dominated(std::byte* here) {
        const DominanceView& pairs = task_.dominance;
        const std::size_t size = slice_bytes();
        const auto most = static_cast<std::size_t>(pairs.most);
        std::byte* const outside = task_.scratch;
        std::byte* const inside = outside + most * size;
        const std::byte* mask = pairs.outside;
        std::uint64_t words[RoundsTask::most_places];  // that are not empty, of `inside`
        for (std::size_t place = 0; place < most; ++place) {
            words[place] = 0;
            for (std::size_t at = 0; at < size; at += V::size) {
                V out = V::zeros();
                for (std::size_t k = 0; k < state_.slices(); ++k) {
                    out = or_both(out, V::load(here + (k + 1) * size + at),
                                  V::load(mask + k * size + at));
                }
                const V paired = V::load(pairs.paired + place * size + at) & V::load(here + at);
                const V in = paired.without(out);
                out.store(outside + place * size + at);
                in.store(inside + place * size + at);
                words[place] |= in.nonzero_words() << (at / 8);
            }
            mask += state_.slices() * size;
        }
        std::int64_t removed = 0;
        for (std::size_t place = 0; place < most; ++place) {
            for (; words[place] != 0; words[place] &= words[place] - 1) {
                const auto word = static_cast<std::size_t>(lowest(words[place]));
                std::uint64_t items = word_at(inside + place * size, word);
                for (; items != 0; items &= items - 1) {
                    const std::size_t item = 64 * word + static_cast<std::size_t>(lowest(items));
                    const std::size_t pair = item * most + place;
                    const auto partner = static_cast<std::size_t>(pairs.partner[pair]);
                    const auto back = static_cast<std::size_t>(pairs.place[pair]);
                    const std::uint64_t others = word_at(outside + back * size, partner / 64);
                    if ((others >> (partner % 64) & 1) == 0) continue;
                    removed += remove_outside(here, partner, pairs.common[partner * most + back]);
                }
            }
        }
        task_.credit += removed - dominance_cost;
        return removed != 0;
    }

    // Removes the options of an item that are not among these. Returns their number.
    std::int64_t remove_outside(std::byte* here, std::size_t item, std::uint64_t common) const {
        const DominanceView& pairs = task_.dominance;
        std::uint64_t options = row(here, item) & ~common;
        const int many = std::popcount(options);
        for (; options != 0; options &= options - 1) {
            const Int option = option_at(item, static_cast<std::size_t>(lowest(options)));
            for (Int at = pairs.entry_start[option]; at < pairs.entry_start[option + 1]; ++at) {
                const auto other = static_cast<std::size_t>(pairs.entry_item[at]);
                const auto slice = static_cast<std::size_t>(pairs.entry_place[at]) + 1;
                std::byte* const bits = here + slice * slice_bytes();
                const std::uint64_t bit = std::uint64_t{1} << (other % 64);
                set_word(bits, other / 64, word_at(bits, other / 64) & ~bit);
            }
        }
        return many;
    }

    // -- branching -------------------------------------------------------------------------------

    static constexpr int most_compared = 8;
    static constexpr std::uint64_t head_start = 1;  // of branches before dead ends

    void push(const std::byte* here, Int depth) {
        const std::size_t item = choose(here);
        ++task_.level;
        task_.frames[task_.level] = {row(here, item), static_cast<Int>(item), depth};
    }

    // The item to branch on: one of those with the fewest options.
    DLX_INLINE std::size_t choose(const std::byte* here) const {
        std::byte* const candidates = task_.scratch;
        std::byte* const three = candidates + slice_bytes();
        std::uint64_t words = 0;
        std::uint64_t words3 = 0;
        for (std::size_t v = 0; v < state_.width(); ++v) {
            V at_least[4] = {state_.get(1, v), V::zeros(), V::zeros(), V::zeros()};
            for (std::size_t k = 2; k <= state_.slices(); ++k) {
                const V slice = state_.get(k, v);
                at_least[3] = or_both(at_least[3], at_least[2], slice);
                at_least[2] = or_both(at_least[2], at_least[1], slice);
                at_least[1] = or_both(at_least[1], at_least[0], slice);
                at_least[0] = at_least[0] | slice;
            }
            const V two = at_least[1].without(at_least[2]);
            two.store(candidates + v * V::size);
            words |= two.nonzero_words() << (v * words_of_vector);
            const V just_three = at_least[2].without(at_least[3]);
            just_three.store(three + v * V::size);
            words3 |= just_three.nonzero_words() << (v * words_of_vector);
        }
        if (words == 0) {
            if (words3 == 0) return choose_among_long(here);
            const auto word = static_cast<std::size_t>(lowest(words3));
            return 64 * word + static_cast<std::size_t>(lowest(word_at(three, word)));
        }
        if (!is_hard(head_start)) {
            const auto word = static_cast<std::size_t>(lowest(words));
            return 64 * word + static_cast<std::size_t>(lowest(word_at(candidates, word)));
        }
        return compare(here, candidates, words);
    }

    // The first of these items with two options whose options remove the most others. `words`: the
    // words of `candidates` that are not empty.
    std::size_t compare(const std::byte* here, const std::byte* candidates,
                        std::uint64_t words) const {
        std::size_t best = 0;
        std::uint64_t most = 0;
        int left = most_compared;
        for (; words != 0; words &= words - 1) {
            const auto word = static_cast<std::size_t>(lowest(words));
            std::uint64_t items = word_at(candidates, word);
            for (; items != 0; items &= items - 1) {
                const std::size_t item = 64 * word + static_cast<std::size_t>(lowest(items));
                const std::uint64_t removed = removed_by(here, item);
                if (removed > most) {
                    most = removed;
                    best = item;
                }
                if (--left == 0) return best;
            }
        }
        return best;
    }

    // How many bits of the state one of an item's two options would remove.
    DLX_INLINE std::uint64_t removed_by(const std::byte* here, std::size_t item) const {
        const std::uint64_t two = row(here, item);
        const std::byte* one = removal(option_at(item, static_cast<std::size_t>(lowest(two))));
        const std::byte* other = removal(option_at(item, static_cast<std::size_t>(highest(two))));
        V sum = V::zeros();
        for (std::size_t k = 1; k <= state_.slices(); ++k) {
            for (std::size_t v = 0; v < state_.width(); ++v) {
                const std::size_t at = (k * state_.width() + v) * V::size;
                const V gone = and_either(state_.get(k, v), V::load(one + at), V::load(other + at));
                sum = sum.plus_words(gone.counts());
            }
        }
        return sum.sum_of_words();
    }

    // The first of the items with the fewest options, where all have four or more. Adds the slices
    // up as Slices::choose_fewest does.
    [[gnu::noinline]] std::size_t choose_among_long(const std::byte* here) const {
        constexpr std::size_t digits = RoundsTask::most_digits;
        const std::size_t size = slice_bytes();
        std::byte* const candidates = task_.scratch;
        std::byte* const sums = candidates + size;
        for (std::size_t at = 0; at < size; at += V::size) {
            V::load(here + at).store(candidates + at);
            V sum[digits];
            for (V& digit : sum) digit = V::zeros();
            for (std::size_t k = 1; k <= state_.slices(); ++k) {
                V carry = V::load(here + k * size + at);
                for (V& digit : sum) {
                    const V both = digit & carry;
                    digit = digit ^ carry;
                    carry = both;
                }
            }
            for (std::size_t d = 0; d < digits; ++d) sum[d].store(sums + d * size + at);
        }
        for (std::size_t d = digits; d-- > 0;) {
            std::uint64_t small = 0;
            for (std::size_t word = 0; word < size / 8; ++word) {
                small |= word_at(candidates, word) & ~word_at(sums + d * size, word);
            }
            if (small == 0) continue;
            for (std::size_t word = 0; word < size / 8; ++word) {
                set_word(candidates, word,
                         word_at(candidates, word) & ~word_at(sums + d * size, word));
            }
        }
        std::size_t word = 0;
        while (word_at(candidates, word) == 0) ++word;
        return 64 * word + static_cast<std::size_t>(lowest(word_at(candidates, word)));
    }

    RoundsTask& task_;
    const BitsView& tables_;
    State state_;
};

inline BitsStop run_rounds(RoundsTask& task, RoundsEntry entry) {
    const std::size_t slices = task.tables.vectors / task.tables.slice_vectors - 1;
    if (task.tables.state_bytes == (slices + 1) * V::size) {
        switch (slices) {
            case 8:
                return RoundsLoop<LocalState<8>>(task).run(entry);
            case 9:
                return RoundsLoop<LocalState<9>>(task).run(entry);
            case 10:
                return RoundsLoop<LocalState<10>>(task).run(entry);
            default:
                break;
        }
    }
    return RoundsLoop<DistantState>(task).run(entry);
}

}  // namespace dlx::DLX_BITS_LEVEL
