// The search of the `bits` engine, for one instruction set.
//
// A state is what is left of the problem after some options have been taken: a copy for each level
// of the search, so that nothing is ever undone. There are four ways to lay it out, and one loop
// (`Loop`) over all of them:
//
//   * `Lanes`: a lane of 8, 16, 32 or 64 bits for each primary item. Its lowest bits are the
//     item's options that are still live, and one more bit says that the item is not covered yet.
//     Taking an option is one AND with a precomputed complement; counting is one population count.
//     No loop whose length depends on the data, hence no branch to mispredict.
//   * `Slices`: the same bits the other way round, for many items with few options each: slice k
//     has a bit for each item and says whether the item's k-th option is live. Items are counted
//     all at once, by adding slices up as binary numbers written downwards; and all forced items
//     stand side by side in one word.
//   * `Counters`: the live options as one set, and a byte for each primary item that counts its
//     live options. The options that a choice removes are found as bits of a difference, and each
//     one's vector of zeros and ones is subtracted from the counters, which stay in registers.
//   * `Scattered`: the same with more counters than registers: each removed option decrements the
//     few counters it has, one by one.
//
// In all of them `take` ends with the smallest count, in which
//     0    means an item without options: a dead end,
//     1    a forced item, whose option is taken at once, in place, without a level of its own,
//     255  no item at all: a solution (or items with more options than a byte can tell).
// An item that has been covered shows 255: its counter reached 0 with the last of its options, and
// the option taken is subtracted once more; a covered lane is empty, and the count less one wraps.
//
// The smallest byte, and the first place where it stands, are the item with the fewest options, the
// first in order: the choice that all engines make.
#pragma once

#include <bit>
#include <cstring>
#include <limits>

#include "bits_task.hpp"
#include "bits_vector.hpp"

namespace dlx::DLX_BITS_LEVEL {

struct Choice {
    std::uint32_t count;  // live options of the item; `solved_for_good` if there is no item
    Int item;
};
constexpr std::uint32_t solved = 255;   // what the smallest byte says then
constexpr std::uint32_t crowded = 254;  // what a byte says of an item with as many options, or more
constexpr std::uint32_t solved_for_good = 0xffff'ffff;

DLX_INLINE std::uint64_t word_at(const std::byte* from, std::size_t place) {
    std::uint64_t word;
    std::memcpy(&word, from + 8 * place, 8);
    return word;
}

DLX_INLINE int lowest(std::uint64_t bits) {
    return std::countr_zero(bits);
}

// The place of the first byte with this value among vectors some of which have one.
template <class Counts>
DLX_INLINE std::size_t first_byte_equal(std::uint8_t value, std::size_t vectors, Counts counts) {
    constexpr std::size_t at_once = 64 / Vec::size;
    for (std::size_t v = 0;; v += at_once) {
        std::uint64_t equal = counts(v).bytes_equal(value);
        if constexpr (at_once > 1) {
            for (std::size_t k = 1; k < at_once && v + k < vectors; ++k) {
                equal |= counts(v + k).bytes_equal(value) << (k * Vec::size);
            }
        }
        if (equal != 0) return v * Vec::size + static_cast<std::size_t>(lowest(equal));
    }
}

// Fixed > 0: so many vectors, known when this is compiled; 0: as many as the tables say.
template <int Bits, int Fixed>
class Lanes {
public:
    explicit Lanes(const BitsTask& task)
        : tables_(task.tables),
          counts_(reinterpret_cast<Vec*>(task.scratch)),
          stride_(vectors() * Vec::size) {}

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * stride_;
        updates += vectors();
        Vec least = Vec::ones();
        Vec local[Fixed > 0 ? Fixed : 1];
        Vec* counts = Fixed > 0 ? local : counts_;
        for (std::size_t v = 0; v < vectors(); ++v) {
            const Vec state =
                Vec::load(from + v * Vec::size).without(Vec::load(removal + v * Vec::size));
            state.store(to + v * Vec::size);
            counts[v] = state.counts_in_lanes<Bits>();
            least = least.min(counts[v]);
        }
        const std::uint8_t count = least.smallest_byte();
        if (count == 0) return {0, 0};
        if (count == solved) return {solved_for_good, 0};
        const std::size_t place =
            first_byte_equal(count, vectors(), [&](std::size_t v) { return counts[v]; });
        return {count, static_cast<Int>(place / (Bits / 8))};
    }

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) const {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * stride_;
        for (std::size_t at = 0; at < stride_; at += Vec::size) {
            Vec::load(from + at).without(Vec::load(removal + at)).store(to + at);
        }
    }

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        return option(item, lowest(lane(state, item)));
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.bits = lane(state, frame.item);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte*) const {
        const int place = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return option(frame.item, place);
    }

    // How many live options an item has; 0 if it is covered.
    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        const int bits = std::popcount(lane(state, item));
        return bits == 0 ? 0 : static_cast<std::uint32_t>(bits - 1);
    }

    std::uint64_t updates = 0;

private:
    DLX_INLINE std::size_t vectors() const { return Fixed > 0 ? Fixed : tables_.vectors; }

    DLX_INLINE Int option(Int item, int place) const {
        return tables_.item_option[tables_.item_start[item] + place];
    }

    // The live options of an item; the bit that says it is open comes after all of them.
    DLX_INLINE std::uint64_t lane(const std::byte* state, Int item) const {
        const std::byte* from = state + static_cast<std::size_t>(item) * (Bits / 8);
        std::uint64_t bits = 0;
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(&bits, from, Bits / 8);
        } else {
            for (int k = 0; k < Bits / 8; ++k) bits |= std::uint64_t(from[k]) << (8 * k);
        }
        return bits;
    }

    const BitsView& tables_;
    Vec* counts_;
    std::size_t stride_;
};

template <int Fixed>  // vectors of a slice, as for Lanes
class Slices {
public:
    explicit Slices(const BitsTask& task)
        : item_start_(task.tables.item_start),
          item_option_(task.tables.item_option),
          removal_(task.tables.removal),
          scratch_(task.scratch),
          width_(task.tables.slice_vectors),
          slices_(task.tables.vectors / task.tables.slice_vectors - 1) {}

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) const {
        const std::byte* removal = removal_ + static_cast<std::size_t>(option) * state_bytes();
        const std::size_t size = state_bytes();
        for (std::size_t at = 0; at < size; at += Vec::size) {
            Vec::load(from + at).without(Vec::load(removal + at)).store(to + at);
        }
    }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* removal = removal_ + static_cast<std::size_t>(option) * state_bytes();
        return choose(to, [=](std::size_t at) {
            const Vec slice = Vec::load(from + at).without(Vec::load(removal + at));
            slice.store(to + at);
            return slice;
        });
    }

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        return option_at(item, lowest(row(state, item)));
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.bits = row(state, frame.item);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte*) const {
        const int place = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return option_at(frame.item, place);
    }

    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        return static_cast<std::uint32_t>(std::popcount(row(state, item)));
    }

    std::uint64_t updates = 0;

private:
    DLX_INLINE std::size_t width() const { return Fixed > 0 ? Fixed : width_; }
    DLX_INLINE std::size_t slice_bytes() const { return width() * Vec::size; }
    DLX_INLINE std::size_t state_bytes() const { return (slices_ + 1) * slice_bytes(); }

    DLX_INLINE Int option_at(Int item, int place) const {
        return item_option_[item_start_[item] + place];
    }

    // The live options of an item, as bits.
    DLX_INLINE std::uint64_t row(const std::byte* state, Int item) const {
        const auto at = static_cast<std::size_t>(item);
        const std::byte* slice = state + state_bytes() + at / 64 * 8;
        std::uint64_t bits = 0;
        const std::size_t step = slice_bytes();
        for (std::size_t left = slices_; left != 0; --left) {
            slice -= step;
            bits = 2 * bits + (word_at(slice, 0) >> (at % 64) & 1);
        }
        return bits;
    }

    // Looks at each vector of a state once, `at` a number of bytes. Leaves the set of the forced
    // items in the scratch.
    template <class VectorAt>
    DLX_INLINE Choice choose(const std::byte* state, VectorAt vector) {
        updates += (slices_ + 1) * width();
        const std::size_t step = slice_bytes();
        const std::size_t slices = slices_;
        std::byte* const scratch = scratch_;
        Vec dead = Vec::zeros();
        Vec any_open = Vec::zeros();
        Vec any_forced = Vec::zeros();
        for (std::size_t v = 0; v < width(); ++v) {
            std::size_t at = v * Vec::size;
            const Vec open = vector(at);
            Vec some = Vec::zeros();
            Vec more = Vec::zeros();  // than one
            for (std::size_t left = slices; left != 0; --left) {
                at += step;
                const Vec slice = vector(at);
                more = more | (some & slice);
                some = some | slice;
            }
            const Vec forced = some.without(more);
            forced.store(scratch + v * Vec::size);
            dead = dead | open.without(some);
            any_forced = any_forced | forced;
            any_open = any_open | open;
        }
        if (dead.nonzero_words() != 0) return {0, 0};
        if (any_forced.nonzero_words() != 0) return {1, first_item(scratch)};
        if (any_open.nonzero_words() == 0) return {solved_for_good, 0};
        return choose_fewest(state);
    }

    // Adds the slices up: digit d of all the sums is a vector. Then goes down from the highest
    // digit, keeping the items whose digit is 0, if there are any.
    Choice choose_fewest(const std::byte* state) const {
        constexpr std::size_t digits = 6;
        std::byte* candidates = scratch_;
        std::byte* sums = scratch_ + slice_bytes();
        for (std::size_t v = 0; v < width(); ++v) {
            const std::byte* at = state + v * Vec::size;
            Vec::load(at).store(candidates + v * Vec::size);
            Vec sum[digits];
            for (Vec& digit : sum) digit = Vec::zeros();
            for (std::size_t left = slices_; left != 0; --left) {
                at += slice_bytes();
                Vec carry = Vec::load(at);
                for (Vec& digit : sum) {
                    const Vec next = digit & carry;
                    digit = digit ^ carry;
                    carry = next;
                }
            }
            for (std::size_t d = 0; d < digits; ++d) {
                sum[d].store(sums + (d * width() + v) * Vec::size);
            }
        }
        std::uint32_t count = 0;
        for (std::size_t d = digits; d-- > 0;) {
            const std::byte* sum = sums + d * slice_bytes();
            std::uint64_t small = 0;
            for (std::size_t at = 0; at < slice_bytes(); at += Vec::size) {
                small |= Vec::load(candidates + at).without(Vec::load(sum + at)).nonzero_words();
            }
            if (small == 0) {
                count |= 1U << d;
                continue;
            }
            for (std::size_t at = 0; at < slice_bytes(); at += Vec::size) {
                Vec::load(candidates + at).without(Vec::load(sum + at)).store(candidates + at);
            }
        }
        return {count, first_item(candidates)};
    }

    DLX_INLINE static Int first_item(const std::byte* items) {
        std::size_t place = 0;
        while (word_at(items, place) == 0) ++place;
        return static_cast<Int>(64 * place) + lowest(word_at(items, place));
    }

    const Int* item_start_;
    const Int* item_option_;
    const std::byte* removal_;
    std::byte* scratch_;  // a slice, and room for choose_fewest
    std::size_t width_;   // vectors of a slice
    std::size_t slices_;  // not counting the open items
};

// What Counters and Scattered share: the live options as one set of words.
class LiveSet {
public:
    explicit LiveSet(const BitsTask& task)
        : tables_(task.tables), scratch_(task.scratch), set_bytes_(tables_.vectors * Vec::size) {}

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        const std::byte* mine = tables_.options_of + static_cast<std::size_t>(item) * set_bytes_;
        for (std::size_t at = 0;; at += Vec::size) {
            const Vec both = Vec::load(state + at) & Vec::load(mine + at);
            if (const std::uint64_t words = both.nonzero_words(); words != 0) {
                const std::size_t place = at / 8 + static_cast<std::size_t>(lowest(words));
                return static_cast<Int>(64 * place) +
                       lowest(word_at(state, place) & word_at(mine, place));
            }
        }
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.place = 0;
        frame.bits = word_at(state, 0) & options_word(frame.item, 0);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte* state) const {
        while (frame.bits == 0) {
            ++frame.place;
            frame.bits = word_at(state, frame.place) & options_word(frame.item, frame.place);
        }
        const int place = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return static_cast<Int>(64 * frame.place) + place;
    }

    std::uint32_t length(const std::byte* state, Int item) const {
        const std::uint32_t count = count_of(state, item);
        return count == solved_for_good ? 0 : count;
    }

    std::uint64_t updates = 0;

protected:
    // Takes an option out of the set together with all that clash with it. Calls `each` with every
    // option that this removes.
    template <class Each>
    DLX_INLINE void remove_each(const std::byte* from, std::byte* to, Int option, Each each) {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * set_bytes_;
        std::byte* removed = scratch_;
        for (std::size_t base = 0; base < set_bytes_; base += block) {
            const std::size_t end = base + block < set_bytes_ ? base + block : set_bytes_;
            std::uint64_t words = 0;
            for (std::size_t at = base; at < end; at += Vec::size) {
                const Vec live = Vec::load(from + at);
                const Vec gone = live & Vec::load(removal + at);
                live.without(gone).store(to + at);
                gone.store(removed + (at - base));
                words |= gone.nonzero_words() << ((at - base) / 8);
            }
            for (; words != 0; words &= words - 1) {
                const auto place = static_cast<std::size_t>(lowest(words));
                std::uint64_t bits = word_at(removed, place);
                const std::size_t first = 8 * base + 64 * place;
                do {
                    each(first + static_cast<std::size_t>(lowest(bits)));
                    bits &= bits - 1;
                    ++updates;
                } while (bits != 0);
            }
        }
    }

    // The item to branch on, from counters that stand in memory.
    Choice choose(const std::byte* state) const {
        const std::byte* counters = state + set_bytes_;
        Vec least = Vec::ones();
        for (std::size_t v = 0; v < tables_.counters; ++v) {
            least = least.min(Vec::load(counters + v * Vec::size));
        }
        return chosen(least.smallest_byte(), state, tables_.counters,
                      [&](std::size_t v) { return Vec::load(counters + v * Vec::size); });
    }

    template <class Counts>
    DLX_INLINE Choice chosen(std::uint8_t count, const std::byte* state, std::size_t vectors,
                             Counts counts) const {
        if (count == 0) return {0, 0};
        if (count == solved) return {solved_for_good, 0};
        if (count == crowded && is_crowded(state)) return choose_among_crowded(state);
        return {count, static_cast<Int>(first_byte_equal(count, vectors, counts))};
    }

    // -- items with more options than a byte can count -------------------------------------------

    const std::byte* crowd(const std::byte* state) const {
        return state + set_bytes_ + tables_.counters * Vec::size;
    }

    DLX_INLINE bool is_crowded(const std::byte* state) const {
        for (std::size_t v = 0; v < tables_.crowd_vectors; ++v) {
            if (Vec::load(crowd(state) + v * Vec::size).nonzero_words() != 0) return true;
        }
        return false;
    }

    // After an option has been taken: counts the options of the crowded items anew. Those that a
    // byte can count are crowded no more.
    [[gnu::noinline]] void recount(const std::byte* from, std::byte* to, Int option) {
        auto* left = const_cast<std::byte*>(crowd(to));
        for (std::size_t place = 0; place < tables_.crowd_vectors * Vec::size / 8; ++place) {
            const std::uint64_t before = word_at(crowd(from), place);
            std::uint64_t after = before;
            for (std::uint64_t bits = before; bits != 0; bits &= bits - 1) {
                const Int item = tables_.crowd[64 * place + static_cast<std::size_t>(lowest(bits))];
                const bool covered = covers(option, item);
                const std::uint32_t live = covered ? 0 : live_options(to, item);
                if (live < crowded) after &= ~(bits & (~bits + 1));
                const std::uint32_t count = covered ? solved : live < crowded ? live : crowded;
                to[set_bytes_ + static_cast<std::size_t>(item)] = static_cast<std::byte>(count);
            }
            std::memcpy(left + 8 * place, &after, 8);
        }
    }

    bool covers(Int option, Int item) const {
        const auto at = static_cast<std::size_t>(option);
        for (Int k = tables_.counter_start[at]; k < tables_.counter_start[at + 1]; ++k) {
            if (tables_.counter[k] == item) return true;
        }
        return false;
    }

    std::uint32_t live_options(const std::byte* state, Int item) const {
        int count = 0;
        for (std::size_t place = 0; place < set_bytes_ / 8; ++place) {
            count += std::popcount(word_at(state, place) & options_word(item, place));
        }
        return static_cast<std::uint32_t>(count);
    }

    // All open items are crowded.
    [[gnu::noinline]] Choice choose_among_crowded(const std::byte* state) const {
        Choice best{solved_for_good, 0};
        for (Int item = 0; item < tables_.items; ++item) {
            const std::uint32_t count = count_of(state, item);
            if (count < best.count) best = {count, item};
        }
        return best;
    }

    std::uint32_t count_of(const std::byte* state, Int item) const {
        const auto count =
            static_cast<std::uint32_t>(state[set_bytes_ + static_cast<std::size_t>(item)]);
        if (count == solved) return solved_for_good;
        return count == crowded ? live_options(state, item) : count;
    }

    DLX_INLINE std::uint64_t options_word(Int item, std::size_t place) const {
        return word_at(tables_.options_of + static_cast<std::size_t>(item) * set_bytes_, place);
    }

    static constexpr std::size_t block = 512;  // bytes: as many words as a word has bits

    const BitsView& tables_;
    std::byte* scratch_;  // a block
    std::size_t set_bytes_;
};

template <int Fixed>
class Counters : public LiveSet {
public:
    using LiveSet::LiveSet;

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* rows = tables_.decrement;
        const std::byte* own = rows + static_cast<std::size_t>(option) * stride;
        const bool crowded_before = tables_.crowd_vectors != 0 && is_crowded(from);
        Vec count[Fixed];
        for (std::size_t v = 0; v < Fixed; ++v) {
            count[v] =
                Vec::load(from + set_bytes_ + v * Vec::size).minus(Vec::load(own + v * Vec::size));
        }
        remove_each(from, to, option, [&](std::size_t removed) {
            const std::byte* row = rows + removed * stride;
            for (std::size_t v = 0; v < Fixed; ++v) {
                count[v] = count[v].minus(Vec::load(row + v * Vec::size));
            }
        });
        for (std::size_t v = 0; v < Fixed; ++v) count[v].store(to + set_bytes_ + v * Vec::size);
        if (crowded_before) {
            recount(from, to, option);
            return choose(to);
        }
        for (std::size_t v = 0; v < tables_.crowd_vectors; ++v) {
            Vec::zeros().store(to + set_bytes_ + stride + v * Vec::size);
        }
        Vec least = count[0];
        for (std::size_t v = 1; v < Fixed; ++v) least = least.min(count[v]);
        return chosen(least.smallest_byte(), to, Fixed, [&](std::size_t v) { return count[v]; });
    }

private:
    static constexpr std::size_t stride = Fixed * Vec::size;
};

class Scattered : public LiveSet {
public:
    using LiveSet::LiveSet;

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        std::byte* counters = to + set_bytes_;
        const bool crowded_before = tables_.crowd_vectors != 0 && is_crowded(from);
        if (from != to) {
            std::memcpy(counters, from + set_bytes_,
                        (tables_.counters + tables_.crowd_vectors) * Vec::size);
        }
        decrement(counters, static_cast<std::size_t>(option));
        remove_each(from, to, option, [&](std::size_t removed) { decrement(counters, removed); });
        if (crowded_before) recount(from, to, option);
        return choose(to);
    }

private:
    DLX_INLINE void decrement(std::byte* counters, std::size_t option) const {
        const Int last = tables_.counter_start[option + 1];
        for (Int at = tables_.counter_start[option]; at < last; ++at) {
            std::byte& counter = counters[tables_.counter[at]];
            counter = static_cast<std::byte>(static_cast<int>(counter) - 1);
        }
    }
};

template <class State>
constexpr bool only_removes =
    requires(const State state) { state.remove(nullptr, nullptr, Int{}); };

template <class State, bool weighted>
class Loop {
public:
    explicit Loop(BitsTask& task) : task_(task), state_(task) {}
    ~Loop() { task_.updates += state_.updates; }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    BitsStop run(BitsEntry entry) {
        switch (entry) {
            case BitsEntry::given:
                for (Int at = 0; at < task_.depth; ++at) take_given(task_.path[at]);
                return BitsStop::enough;
            case BitsEntry::start:
                ++task_.profile[task_.depth];
                blamed_ = task_.shared_blame;
                return go(task_.states, task_.states, task_.tables.options, task_.depth);
            case BitsEntry::resume:
                break;
        }
        return search();
    }

private:
    void take_given(Int option) {
        if constexpr (only_removes<State>) {
            state_.remove(task_.states, task_.states, option);
        } else {
            state_.take(task_.states, task_.states, option);
        }
    }

    // Takes the next option, the one of the frame at hand.
    BitsStop search() {
        if (task_.level < 0) return BitsStop::finished;
        if (task_.patience <= 0) return BitsStop::patience;
        const std::byte* from;
        std::byte* to;
        Int depth;
        const Int option = next(from, to, depth);
        return go(from, to, option, depth);
    }

    DLX_INLINE Int next(const std::byte*& from, std::byte*& to, Int& depth) {
        BitsFrame& frame = task_.frames[task_.level];
        std::byte* here = state_at(task_.level);
        const Int option = state_.next(frame, here);
        const Int frame_item = frame.item;
        depth = frame.depth;
        from = here;
        if (--frame.left == 0) {  // the last one may have the state
            --task_.level;
            to = here;
        } else {
            to = here + task_.tables.state_bytes;
        }
        blamed_ = 0;
        enter(option, frame_item, depth);
        return option;
    }

    DLX_INLINE void enter(Int option, [[maybe_unused]] Int item, Int& depth) {
        if constexpr (weighted) {
            task_.weights[item].tried();
            task_.blamed[blamed_++] = item;
        }
        task_.path[depth] = option;
        ++depth;
        ++task_.profile[depth];
        --task_.patience;
    }

    BitsStop go(const std::byte* from, std::byte* to, Int option, Int depth) {
        for (;;) {
            const Choice choice = state_.take(from, to, option);
            if (choice.count == 1) {
                option = state_.only(to, choice.item);
                from = to;
                enter(option, choice.item, depth);
                continue;
            }
            if (choice.count == solved_for_good) {
                if (report(depth)) return task_.wanted == 0 ? BitsStop::enough : BitsStop::full;
            } else if (choice.count != 0) {
                push(weighted ? least_weight(to) : choice, depth);
            } else if constexpr (weighted) {
                for (Int at = 0; at < blamed_; ++at) task_.weights[task_.blamed[at]].failed();
            }
            if (task_.level < 0) return BitsStop::finished;
            if (task_.patience <= 0) return BitsStop::patience;
            option = next(from, to, depth);
        }
    }

    DLX_INLINE void push(const Choice& choice, Int depth) {
        ++task_.level;
        BitsFrame& frame = task_.frames[task_.level];
        frame.item = choice.item;
        frame.left = choice.count;
        frame.depth = depth;
        state_.open(frame, state_at(task_.level));
    }

    // The open item with the least product of length and weight.
    Choice least_weight(const std::byte* state) const {
        Choice best{solved_for_good, 0};
        double least = std::numeric_limits<double>::infinity();
        for (Int item = 0; item < task_.tables.items; ++item) {
            const std::uint32_t length = state_.length(state, item);
            if (length == 0) continue;
            const double score = static_cast<double>(length) * task_.weights[item].value;
            if (score < least) {
                least = score;
                best = {length, item};
            }
        }
        return best;
    }

    // Returns whether to stop.
    DLX_INLINE bool report(Int depth) {
        ++task_.solutions;
        --task_.wanted;
        if (task_.found != nullptr) {
            *task_.found++ = depth;
            std::memcpy(task_.found, task_.path, static_cast<std::size_t>(depth) * sizeof(Int));
            task_.found += depth;
            if (task_.found >= task_.nearly_full) return true;
        }
        return task_.wanted == 0;
    }

    DLX_INLINE std::byte* state_at(Int level) const {
        return task_.states + static_cast<std::size_t>(level) * task_.tables.state_bytes;
    }

    BitsTask& task_;
    State state_;
    Int blamed_ = 0;  // how many of task_.blamed
};

template <class State>
BitsStop run_with(BitsTask& task, BitsEntry entry) {
    if (task.weights != nullptr) return Loop<State, true>(task).run(entry);
    return Loop<State, false>(task).run(entry);
}

// Calls `run` with the number of vectors, as far as it makes a difference when known beforehand.
template <int Most, class Run>
BitsStop with_fixed(std::uint32_t vectors, Run run) {
    if constexpr (Most == 0) {
        return run.template operator()<0>();
    } else {
        if (vectors == Most) return run.template operator()<Most>();
        return with_fixed<Most - 1>(vectors, run);
    }
}

inline BitsStop run(BitsTask& task, BitsEntry entry) {
    const BitsView& tables = task.tables;
    const auto lanes = [&]<int Bits>() {
        return with_fixed<3>(
            tables.vectors, [&]<int Fixed>() { return run_with<Lanes<Bits, Fixed>>(task, entry); });
    };
    switch (tables.layout) {
        case BitsLayout::lanes8:
            return lanes.template operator()<8>();
        case BitsLayout::lanes16:
            return lanes.template operator()<16>();
        case BitsLayout::lanes32:
            return lanes.template operator()<32>();
        case BitsLayout::lanes64:
            return lanes.template operator()<64>();
        case BitsLayout::slices:
            return with_fixed<3>(tables.slice_vectors,
                                 [&]<int Fixed>() { return run_with<Slices<Fixed>>(task, entry); });
        case BitsLayout::counters:
            return with_fixed<6>(tables.counters, [&]<int Fixed>() {
                if constexpr (Fixed == 0)
                    return run_with<Scattered>(task, entry);
                else
                    return run_with<Counters<Fixed>>(task, entry);
            });
        case BitsLayout::scattered:
            break;
    }
    return run_with<Scattered>(task, entry);
}

}  // namespace dlx::DLX_BITS_LEVEL
