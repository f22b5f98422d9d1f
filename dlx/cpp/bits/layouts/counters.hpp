// States as a set of live options and a counter for each item.
//
// The options that a choice removes are the bits of (live & removal). `Counters` has a vector of
// zeros and ones for each option. It adds up those of the options removed, or of the options left
// if these are fewer, as deep in the search: then the sums are the new counts. They stay in
// registers. `Scattered` is for more counters than registers: it decrements only the counters of
// the options removed, one by one.
#pragma once

#include "bits/layouts/few_options.hpp"

namespace dlx::DLX_BITS_LEVEL {

// The part that Counters and Scattered share: the live options as one set of words.
class LiveSet {
public:
    static constexpr bool multiple = false;
    static constexpr bool has_weights = false;

    explicit LiveSet(const BitsTask& task) : LiveSet(task.tables.set, task.scratch) {}
    LiveSet(const SetView& tables, std::byte* scratch)
        : tables_(tables), scratch_(scratch), set_bytes_(tables_.vectors * Vec::size) {}

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
    // Removes an option and all options that clash with it from the set. Calls `each` with every
    // option removed.
    template <class Each>
    DLX_INLINE void remove_each(const std::byte* from, std::byte* to, Int option, Each each) {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * set_bytes_;
        remove_all(from, to, [&](std::size_t at) { return Vec::load(removal + at); }, each);
    }

    // The same with the options that `removal` returns, a vector at a time.
    template <class Removal, class Each>
    DLX_INLINE void remove_all(const std::byte* from, std::byte* to, Removal removal, Each each) {
        std::byte* removed = scratch_;
        for (std::size_t base = 0; base < set_bytes_; base += block) {
            const std::size_t end = base + block < set_bytes_ ? base + block : set_bytes_;
            std::uint64_t words = 0;
            for (std::size_t at = base; at < end; at += Vec::size) {
                const Vec live = Vec::load(from + at);
                const Vec gone = live & removal(at);
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

    // Removes from the set what `removal` returns, a vector at a time. Returns the smaller of two
    // sets: the options removed, in memory of its own, or those that are left in `to`. A small set
    // is not counted unless `Counts`, since that takes longer than it saves without multiplicities;
    // then it returns what is left only if that is nothing.
    template <bool Counts, class Removal>
    DLX_INLINE const std::byte* remove_set(const std::byte* from, std::byte* to, Removal removal) {
        const auto remove_at = [&](std::size_t at) {
            const Vec live = Vec::load(from + at);
            const Vec removed = live & removal(at);
            removed.store(scratch_ + at);
            live.without(removed).store(to + at);
            return removed;
        };
        std::int64_t excess = 0;  // of options removed over options left
        if (set_bytes_ <= bits_small_set) {
            std::uint64_t any_left = 0;
            for (std::size_t at = 0; at < set_bytes_; at += Vec::size) remove_at(at);
            for (std::size_t place = 0; place < set_bytes_ / 8; ++place) {
                any_left |= word_at(to, place);
                if constexpr (Counts) {
                    excess += std::popcount(word_at(scratch_, place));
                    excess -= std::popcount(word_at(to, place));
                }
            }
            return excess > 0 || any_left == 0 ? to : scratch_;
        }
        for (std::size_t base = 0; base < set_bytes_; base += counted_at_once) {
            const std::size_t end =
                base + counted_at_once < set_bytes_ ? base + counted_at_once : set_bytes_;
            Vec removed_in = Vec::zeros();  // how many of the options of each byte
            Vec left_in = Vec::zeros();
            for (std::size_t at = base; at < end; at += Vec::size) {
                removed_in = removed_in.plus(remove_at(at).bits_in_bytes());
                left_in = left_in.plus(Vec::load(to + at).bits_in_bytes());
            }
            excess += removed_in.sum_of_bytes() - left_in.sum_of_bytes();
        }
        return excess > 0 ? to : scratch_;
    }

    template <class Visit>
    DLX_INLINE void each_of(const std::byte* set, Visit visit) {
        for (std::size_t base = 0; base < set_bytes_; base += block) {
            const std::size_t end = base + block < set_bytes_ ? base + block : set_bytes_;
            std::uint64_t words = 0;
            for (std::size_t at = base; at < end; at += Vec::size) {
                words |= Vec::load(set + at).nonzero_words() << ((at - base) / 8);
            }
            for (; words != 0; words &= words - 1) {
                const std::size_t place = base / 8 + static_cast<std::size_t>(lowest(words));
                std::uint64_t bits = word_at(set, place);
                do {
                    visit(64 * place + static_cast<std::size_t>(lowest(bits)));
                    bits &= bits - 1;
                    ++updates;
                } while (bits != 0);
            }
        }
    }

    // The item to branch on, from counters in memory.
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
        if (count == saturated && is_saturated(state)) return choose_among_saturated(state);
        return {count, static_cast<Int>(first_byte_equal(count, vectors, counts))};
    }

    // -- items with more options than a byte can count -------------------------------------------

    const std::byte* saturation(const std::byte* state) const {
        return state + set_bytes_ + tables_.counters * Vec::size;
    }

    DLX_INLINE bool is_saturated(const std::byte* state) const {
        for (std::size_t v = 0; v < tables_.saturation_vectors; ++v) {
            if (Vec::load(saturation(state) + v * Vec::size).nonzero_words() != 0) return true;
        }
        return false;
    }

    // After an option has been taken: recounts the options of the saturated items. Items whose
    // count fits into a byte are no longer saturated.
    [[gnu::noinline]] void recount(const std::byte* from, std::byte* to, Int option) {
        auto* left = const_cast<std::byte*>(saturation(to));
        for (std::size_t place = 0; place < tables_.saturation_vectors * Vec::size / 8; ++place) {
            const std::uint64_t before = word_at(saturation(from), place);
            std::uint64_t after = before;
            for (std::uint64_t bits = before; bits != 0; bits &= bits - 1) {
                const Int item =
                    tables_.saturable[64 * place + static_cast<std::size_t>(lowest(bits))];
                const bool covered = covers(option, item);
                const std::uint32_t live = covered ? 0 : live_options(to, item);
                if (live < saturated) after &= ~(bits & (~bits + 1));
                const std::uint32_t count = covered ? solved : live < saturated ? live : saturated;
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

    // The item to branch on if all open items are saturated.
    [[gnu::noinline]] Choice choose_among_saturated(const std::byte* state) const {
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
        return count == saturated ? live_options(state, item) : count;
    }

    DLX_INLINE std::uint64_t options_word(Int item, std::size_t place) const {
        return word_at(tables_.options_of + static_cast<std::size_t>(item) * set_bytes_, place);
    }

    static constexpr std::size_t block = bits_block_bytes;
    static constexpr std::size_t counted_at_once = 256;  // so that no count exceeds 8 * 16

    SetView tables_;
    std::byte* scratch_;  // of bits_block_bytes, and of a set
    std::size_t set_bytes_;
};

template <int Fixed>
class Counters : public LiveSet {
public:
    explicit Counters(const BitsTask& task)
        : LiveSet(task), few_(task, task.scratch + few_options_at(set_bytes_)) {}

    DLX_INLINE Int only(const std::byte* state, Int item) {
        return few_.serves(state) ? few_.only(state, item) : LiveSet::only(state, item);
    }

    DLX_INLINE void open(BitsFrame& frame, std::byte* state) {
        if (!few_.serves(state) && !is_saturated(state)) few_.look(state);
        if (few_.serves(state)) {
            few_.open(frame, state);
        } else {
            LiveSet::open(frame, state);
        }
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte* state) {
        return few_.serves(state) ? few_.next(frame, state) : LiveSet::next(frame, state);
    }

    std::uint32_t length(const std::byte* state, Int item) {
        return few_.serves(state) ? few_.length(state, item) : LiveSet::length(state, item);
    }

    void keep(BitsTask& task) {
        few_.keep(task);
        updates += few_.updates;
    }

    void remove(const std::byte* from, std::byte* to, Int option) { take(from, to, option); }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* rows = tables_.decrement;
        const std::byte* own = rows + static_cast<std::size_t>(option) * stride;
        if (few_.serves(from)) return few_.take(from, to, option);
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * set_bytes_;
        const bool saturated_before = tables_.saturation_vectors != 0 && is_saturated(from);
        const std::byte* fewer =
            remove_set<false>(from, to, [&](std::size_t at) { return Vec::load(removal + at); });
        Vec count[Fixed];
        for (Vec& sum : count) sum = Vec::zeros();
        each_of(fewer, [&](std::size_t other) {
            const std::byte* row = rows + other * stride;
            for (std::size_t v = 0; v < Fixed; ++v) {
                count[v] = count[v].plus(Vec::load(row + v * Vec::size));
            }
        });
        few_.sample(from, updates);
        for (std::size_t v = 0; v < Fixed; ++v) {
            const Vec before = Vec::load(from + set_bytes_ + v * Vec::size);
            const Vec mine = Vec::load(own + v * Vec::size);
            if (fewer == to) {
                count[v] = (before.equal(Vec::ones()) | Vec::zeros().minus(mine)) | count[v];
            } else {
                count[v] = before.minus(mine).minus(count[v]);
            }
        }
        for (std::size_t v = 0; v < Fixed; ++v) count[v].store(to + set_bytes_ + v * Vec::size);
        if (saturated_before) {
            recount(from, to, option);
            return choose(to);
        }
        for (std::size_t v = 0; v < tables_.saturation_vectors; ++v) {
            Vec::zeros().store(to + set_bytes_ + stride + v * Vec::size);
        }
        Vec least = count[0];
        for (std::size_t v = 1; v < Fixed; ++v) least = least.min(count[v]);
        return chosen(least.smallest_byte(), to, Fixed, [&](std::size_t v) { return count[v]; });
    }

private:
    static constexpr std::size_t stride = Fixed * Vec::size;
    FewOptions few_;
};

class Scattered : public LiveSet {
public:
    using LiveSet::LiveSet;

    void remove(const std::byte* from, std::byte* to, Int option) { take(from, to, option); }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        std::byte* counters = to + set_bytes_;
        const bool saturated_before = tables_.saturation_vectors != 0 && is_saturated(from);
        if (from != to) {
            std::memcpy(counters, from + set_bytes_,
                        (tables_.counters + tables_.saturation_vectors) * Vec::size);
        }
        decrement(counters, static_cast<std::size_t>(option));
        remove_each(from, to, option, [&](std::size_t removed) { decrement(counters, removed); });
        if (saturated_before) recount(from, to, option);
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

}  // namespace dlx::DLX_BITS_LEVEL
