// The search of the `rounds` engine, for AVX-512: it counts solutions on the slices
// layout (bits/slices.hpp), in a tree of its own.
//
// Where only the number of solutions is wanted, the order in which options are taken is free.
// So this search differs from that of bits/loop.hpp in five ways:
//
//   * Forced options are taken in *rounds*. A pass over the slices (`look`) finds all forced items;
//     the options of the first and of the last of them are taken at once (`take`), without a loop
//     that the processor would mispredict. If they clash, that is a dead end.
//   * Two searches run *by turns*, a round each. In a round, each instruction waits for the one
//     before; so one search computes while the other one waits.
//   * Where no item is forced, *dominance* is tried: if all live options of an item also cover its
//     partner, the other options of the partner go (bits/dominance.hpp).
//   * Of the items with two options, the search branches on one whose options remove many others.
//     It looks at the first few only, and at a sample of the state (bits/sample.hpp).
//   * States of at most 512 items with 8 to 10 options live in the 32 registers of AVX-512, two at
//     a time. (With the 16 of AVX2 all this is hardly faster than bits/loop.hpp, often slower.)
//
// Dominance and comparing items cost several rounds, and where solutions are plenty they bring
// nothing. So both are tried only while dead ends keep up with branches, and dominance has a
// *credit* as well, which trying without success uses up.
//
// The parts, from the inside out:
//
//     LocalState, DistantState   the current state of a search, in registers or in memory
//     Tree                       what happens between rounds, on states in memory
//     Search                     the rounds, and when to change over to the tree
//     run_rounds                 one search or two, until one of them stops
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

// -- states ------------------------------------------------------------------------------------

// How many slices a state has, without that of the open items, and how many vectors each of them.
template <int Slices>
struct FixedShape {
    explicit FixedShape(const BitsView&) {}
    static constexpr std::size_t width() { return 1; }
    static constexpr std::size_t slices() { return Slices; }
};

struct AnyShape {
    explicit AnyShape(const BitsView& tables)
        : width_(tables.state_bytes / V::size / (tables.vectors / tables.slice_vectors)),
          slices_(tables.vectors / tables.slice_vectors - 1) {}
    std::size_t width() const { return width_; }
    std::size_t slices() const { return slices_; }

private:
    std::size_t width_;
    std::size_t slices_;
};

// The current state in local variables, which the compiler keeps in registers if there are enough.
template <int Slices>
class LocalState {
public:
    using Shape = FixedShape<Slices>;

    explicit LocalState(Shape) {}
    DLX_INLINE V get(std::size_t slice, std::size_t) const { return state_[slice]; }
    DLX_INLINE void set(std::size_t slice, std::size_t, V value) { state_[slice] = value; }
    DLX_INLINE void load(std::byte* from) {
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
    DLX_INLINE void note_places(std::byte* planes) const {
        for (std::size_t digit = 0; digit < digits; ++digit) {
            V plane = V::zeros();
            for (std::size_t place = 0; place < Slices; ++place) {
                if (place >> digit & 1) plane = plane | state_[place + 1];
            }
            plane.store(planes + digit * V::size);
        }
    }
    DLX_INLINE std::size_t place_of(const std::byte* planes, std::size_t word, int bit) const {
        std::uint64_t place = 0;
        for (std::size_t digit = digits; digit-- > 0;) {
            place = 2 * place + (word_at(planes + digit * V::size, word) >> bit & 1);
        }
        return static_cast<std::size_t>(place);
    }

private:
    static constexpr std::size_t digits =
        static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(Slices - 1)));

    V state_[Slices + 1];
};

// The current state in memory, for all other sizes.
class DistantState {
public:
    using Shape = AnyShape;

    explicit DistantState(Shape shape) : shape_(shape) {}
    DLX_INLINE V get(std::size_t slice, std::size_t v) const {
        return V::load(state_ + (slice * shape_.width() + v) * V::size);
    }
    DLX_INLINE void set(std::size_t slice, std::size_t v, V value) {
        value.store(state_ + (slice * shape_.width() + v) * V::size);
    }
    // From here on, this is where the state is.
    DLX_INLINE void load(std::byte* from) { state_ = from; }
    DLX_INLINE void store(std::byte*) const {}

    DLX_INLINE void note_places(std::byte*) const {}
    DLX_INLINE std::size_t place_of(const std::byte*, std::size_t word, int bit) const {
        const std::byte* slice = state_ + 8 * word;
        for (std::size_t place = 0;; ++place) {
            slice += shape_.width() * V::size;
            if (word_at(slice, 0) >> bit & 1) return place;
        }
    }

private:
    Shape shape_;
    std::byte* state_ = nullptr;
};

// -- between rounds ----------------------------------------------------------------------------

// The tree of a search: begins it, branches, removes dominated options, goes on to the next option.
// The current state is in memory.
template <class Shape>
class Tree {
public:
    explicit Tree(RoundsTask& task) : task_(task), tables_(task.tables), shape_(task.tables) {}

    std::size_t slices() const { return shape_.slices(); }
    std::size_t width() const { return shape_.width(); }
    std::size_t slice_bytes() const { return shape_.width() * V::size; }
    std::size_t state_bytes() const { return (shape_.slices() + 1) * slice_bytes(); }

    // Where the current state belongs.
    DLX_INLINE std::byte* here() const { return state_at(task_.level + 1); }

    DLX_INLINE const std::byte* removal(Int option) const {
        return tables_.removal + static_cast<std::size_t>(option) * state_bytes();
    }
    DLX_INLINE Int option_at(std::size_t item, std::size_t place) const {
        return tables_.item_option[static_cast<std::size_t>(tables_.item_start[item]) + place];
    }

    // Makes the state of the root: takes the given options, which do not clash.
    void begin() const {
        ++task_.visits[task_.depth];
        std::byte* const to = here();
        for (std::size_t at = 0; at < state_bytes(); at += V::size) {
            V state = V::load(tables_.root + at);
            for (Int k = 0; k < task_.givens; ++k) {
                state = state.without(V::load(removal(task_.given[k]) + at));
            }
            state.store(to + at);
        }
    }

    // Goes on from a state without forced items to the next one. Returns whether there is one; if
    // not, the search has stopped.
    [[gnu::noinline]] bool leave(bool dead, bool open) {
        if (dead) {
            ++task_.dead_ends;
        } else if (!open) {
            ++task_.solutions;
            if (--task_.wanted == 0) return stop(BitsStop::enough);
        } else {
            if (is_hard(0) && task_.credit > 0 && remove_dominated()) return true;
            ++task_.branches;
            push(choose());
        }
        return next();
    }

    // Takes the next option of the current frame, if there is one and there is time.
    bool next() {
        task_.clash = 0;
        if (task_.level < 0) return stop(BitsStop::finished);
        if (task_.tries_left <= 0) return stop(BitsStop::tries_used);
        RoundsFrame& frame = task_.frames[task_.level];
        const std::byte* const from = state_at(task_.level);
        const auto place = static_cast<std::size_t>(lowest(frame.options));
        const std::byte* const gone =
            removal(option_at(static_cast<std::size_t>(frame.item), place));
        frame.options &= frame.options - 1;
        task_.depth = frame.depth + 1;
        ++task_.visits[task_.depth];
        --task_.tries_left;
        if (frame.options == 0) --task_.level;  // the last option may overwrite the state
        std::byte* const to = here();
        for (std::size_t at = 0; at < state_bytes(); at += V::size) {
            V::load(from + at).without(V::load(gone + at)).store(to + at);
        }
        return true;
    }

private:
    static constexpr std::size_t words_of_vector = V::size / 8;

    bool stop(BitsStop why) {
        task_.stopped = true;
        task_.stop = why;
        task_.phase = RoundsPhase::next;
        return false;
    }

    DLX_INLINE std::byte* state_at(Int level) const {
        return task_.states + static_cast<std::size_t>(level) * state_bytes();
    }

    // The live options of an item, as bits.
    DLX_INLINE std::uint64_t row(std::size_t item) const {
        const std::byte* slice = here() + state_bytes() + item / 64 * 8;
        std::uint64_t bits = 0;
        for (std::size_t left = slices(); left != 0; --left) {
            slice -= slice_bytes();
            bits = 2 * bits + (word_at(slice, 0) >> (item % 64) & 1);
        }
        return bits;
    }

    // Have there been about as many dead ends as branches?
    DLX_INLINE bool is_hard(std::uint64_t more) const {
        return task_.branches <= 2 * task_.dead_ends + more;
    }

    // -- dominance --

    static constexpr std::int64_t dominance_cost = 2;  // in credit; removing an option earns 1

    // Compares each item with its partners. Returns whether it removed an option.
    [[gnu::noinline]] bool remove_dominated() const {
        const DominanceView& pairs = task_.dominance;
        std::byte* const state = here();
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
                for (std::size_t k = 0; k < slices(); ++k) {
                    out = or_both(out, V::load(state + (k + 1) * size + at),
                                  V::load(mask + k * size + at));
                }
                const V paired = V::load(pairs.paired + place * size + at) & V::load(state + at);
                const V in = paired.without(out);
                out.store(outside + place * size + at);
                in.store(inside + place * size + at);
                words[place] |= in.nonzero_words() << (at / 8);
            }
            mask += slices() * size;
        }
        std::int64_t removed = 0;
        for (std::size_t place = 0; place < most; ++place) {
            for (; words[place] != 0; words[place] &= words[place] - 1) {
                const auto word = static_cast<std::size_t>(lowest(words[place]));
                std::uint64_t items = word_at(inside + place * size, word);
                for (; items != 0; items &= items - 1) {
                    const std::size_t item = 64 * word + static_cast<std::size_t>(lowest(items));
                    const Partner pair = pairs.partner[item * most + place];
                    const std::size_t partner = pair.item;
                    const std::size_t back = pair.place;
                    const std::uint64_t others = word_at(outside + back * size, partner / 64);
                    if ((others >> (partner % 64) & 1) == 0) continue;
                    removed += remove_outside(partner, pairs.common[partner * most + back]);
                }
            }
        }
        task_.credit += removed - dominance_cost;
        return removed != 0;
    }

    // Removes the options of an item that are not among these. Returns their number.
    std::int64_t remove_outside(std::size_t item, std::uint64_t common) const {
        const DominanceView& pairs = task_.dominance;
        std::uint64_t options = row(item) & ~common;
        const int many = std::popcount(options);
        for (; options != 0; options &= options - 1) {
            const Int option = option_at(item, static_cast<std::size_t>(lowest(options)));
            for (Int at = pairs.entry_start[option]; at < pairs.entry_start[option + 1]; ++at) {
                const auto other = static_cast<std::size_t>(pairs.entry_item[at]);
                const auto slice = static_cast<std::size_t>(pairs.entry_place[at]) + 1;
                std::byte* const bits = here() + slice * slice_bytes();
                const std::uint64_t bit = std::uint64_t{1} << (other % 64);
                set_word(bits, other / 64, word_at(bits, other / 64) & ~bit);
            }
        }
        return many;
    }

    // -- branching --

    static constexpr int most_compared = 8;
    static constexpr std::uint64_t head_start = 1;  // of branches before dead ends

    DLX_INLINE void push(std::size_t item) const {
        const std::uint64_t options = row(item);
        ++task_.level;
        task_.frames[task_.level] = {options, static_cast<Int>(item), task_.depth};
    }

    // The item to branch on: one of those with the fewest options.
    DLX_INLINE std::size_t choose() const {
        const std::byte* const state = here();
        std::byte* const two = task_.scratch;
        std::byte* const three = two + slice_bytes();
        std::uint64_t words2 = 0;
        std::uint64_t words3 = 0;
        for (std::size_t at = 0; at < slice_bytes(); at += V::size) {
            V at_least[4] = {V::load(state + slice_bytes() + at), V::zeros(), V::zeros(),
                             V::zeros()};
            for (std::size_t k = 2; k <= slices(); ++k) {
                const V slice = V::load(state + k * slice_bytes() + at);
                at_least[3] = or_both(at_least[3], at_least[2], slice);
                at_least[2] = or_both(at_least[2], at_least[1], slice);
                at_least[1] = or_both(at_least[1], at_least[0], slice);
                at_least[0] = at_least[0] | slice;
            }
            const V just_two = at_least[1].without(at_least[2]);
            just_two.store(two + at);
            words2 |= just_two.nonzero_words() << (at / 8);
            const V just_three = at_least[2].without(at_least[3]);
            just_three.store(three + at);
            words3 |= just_three.nonzero_words() << (at / 8);
        }
        if (words2 != 0) return is_hard(head_start) ? compare(two, words2) : first_of(two, words2);
        if (words3 != 0) return first_of(three, words3);
        return choose_among_long();
    }

    // The first item of a set. `words`: the words of the set that are not empty.
    DLX_INLINE static std::size_t first_of(const std::byte* items, std::uint64_t words) {
        const auto word = static_cast<std::size_t>(lowest(words));
        return 64 * word + static_cast<std::size_t>(lowest(word_at(items, word)));
    }

    // The first of these items with two options whose options remove the most others.
    std::size_t compare(const std::byte* candidates, std::uint64_t words) const {
        const std::byte* const sample = copy_sample();
        std::size_t best = first_of(candidates, words);
        std::uint64_t most = 0;
        int left = most_compared;
        for (; words != 0; words &= words - 1) {
            const auto word = static_cast<std::size_t>(lowest(words));
            for (std::uint64_t items = word_at(candidates, word); items != 0; items &= items - 1) {
                const std::size_t item = 64 * word + static_cast<std::size_t>(lowest(items));
                const std::uint64_t removed = removed_by(item, sample);
                if (removed > most) {
                    most = removed;
                    best = item;
                }
                if (--left == 0) return best;
            }
        }
        return best;
    }

    // The sample of the current state, behind the two sets of `choose`.
    DLX_INLINE const std::byte* copy_sample() const {
        const SampleView& view = task_.sample;
        std::byte* const sample = task_.scratch + 2 * slice_bytes();
        std::byte* to = sample;
        const std::byte* slice = here();
        for (std::size_t left = slices(); left != 0; --left) {
            slice += slice_bytes();
            for (std::size_t k = 0; k < view.columns; ++k, to += 16) {
                std::memcpy(to, slice + view.column[k], 16);
            }
        }
        return sample;
    }

    // How many options of the sample one of an item's two options would remove.
    DLX_INLINE std::uint64_t removed_by(std::size_t item, const std::byte* sample) const {
        const SampleView& view = task_.sample;
        const std::uint64_t two = row(item);
        const auto removal_of = [&](int place) {
            const Int option = option_at(item, static_cast<std::size_t>(place));
            return view.removal + static_cast<std::size_t>(option) * view.bytes;
        };
        const std::byte* const one = removal_of(lowest(two));
        const std::byte* const other = removal_of(highest(two));
        V sum = V::zeros();
        for (std::size_t at = 0; at < view.bytes; at += V::size) {
            const V gone = and_either(V::load(sample + at), V::load(one + at), V::load(other + at));
            sum = sum.plus_words(gone.counts());
        }
        return sum.sum_of_words();
    }

    // The first of the items with the fewest options, where all have four or more. Adds the slices
    // up as Slices::choose_fewest does.
    [[gnu::noinline]] std::size_t choose_among_long() const {
        constexpr std::size_t digits = RoundsTask::most_digits;
        const std::byte* const state = here();
        const std::size_t size = slice_bytes();
        std::byte* const candidates = task_.scratch;
        std::byte* const sums = candidates + size;
        for (std::size_t at = 0; at < size; at += V::size) {
            V::load(state + at).store(candidates + at);
            V sum[digits];
            for (V& digit : sum) digit = V::zeros();
            for (std::size_t k = 1; k <= slices(); ++k) {
                V carry = V::load(state + k * size + at);
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
    Shape shape_;
};

// -- rounds ------------------------------------------------------------------------------------

// A search with its current state in registers, if `State` is a LocalState. No function that is
// called, and not inlined, may get a pointer to this object: its state would move to memory.
template <class State>
class Search {
public:
    explicit Search(RoundsTask& task)
        : task_(task), tree_(task), state_(typename State::Shape(task.tables)) {}

    // Loads the current state. Returns false if the search has stopped.
    DLX_INLINE bool enter() {
        switch (task_.phase) {
            case RoundsPhase::start:
                tree_.begin();
                break;
            case RoundsPhase::next:
                if (!tree_.next()) return false;
                break;
            case RoundsPhase::middle:
                break;
        }
        state_.load(tree_.here());
        return true;
    }

    // Leaves the search where it is, to be continued by `enter`.
    DLX_INLINE void pause() {
        state_.store(tree_.here());
        task_.phase = RoundsPhase::middle;
    }

    // What a pass over the slices finds. Sets of items are given by their words that are not empty.
    struct Look {
        std::uint64_t forced;
        std::uint64_t dead;  // open, and without options; or not 0 after a clash
        std::uint64_t open;

        DLX_INLINE bool must_leave() const { return (forced == 0) | (dead != 0); }
    };

    // Leaves the set of the forced items in the scratch.
    DLX_INLINE Look look() {
        std::byte* const forced = task_.scratch;
        task_.updates += (tree_.slices() + 1) * tree_.width();
        Look found{0, task_.clash, 0};
        for (std::size_t v = 0; v < tree_.width(); ++v) {
            const V open = state_.get(0, v);
            V some = state_.get(1, v);
            V more = V::zeros();  // than one
            for (std::size_t k = 2; k <= tree_.slices(); ++k) {
                const V slice = state_.get(k, v);
                more = or_both(more, some, slice);
                some = some | slice;
            }
            const V one = some.without(more);
            one.store(forced + v * V::size);
            found.forced |= one.nonzero_words() << (v * words_of_vector);
            found.dead |= open.without(some).nonzero_words();
            found.open |= open.nonzero_words();
        }
        return found;
    }

    // A round: takes the options of the first and of the last forced item.
    DLX_INLINE void take(const Look& found) {
        std::byte* const forced = task_.scratch;
        std::byte* const planes = forced + tree_.slice_bytes();
        state_.note_places(planes);
        const auto first = static_cast<std::size_t>(lowest(found.forced));
        const auto last = static_cast<std::size_t>(highest(found.forced));
        const int first_bit = lowest(word_at(forced, first));
        const int last_bit = highest(word_at(forced, last));
        const std::size_t first_place = state_.place_of(planes, first, first_bit);
        const std::size_t last_place = state_.place_of(planes, last, last_bit);
        const Int one = option_of(first, first_bit, first_place);
        const Int other = option_of(last, last_bit, last_place);
        const std::byte* const gone = tree_.removal(one);
        const std::byte* const also = tree_.removal(other);
        const bool two = one != other;
        // Does the first option remove the other one?
        task_.clash = word_at(gone + (last_place + 1) * tree_.slice_bytes(), last) >> last_bit &
                      (two ? 1 : 0);
        for (std::size_t k = 0; k <= tree_.slices(); ++k) {
            for (std::size_t v = 0; v < tree_.width(); ++v) {
                const std::size_t at = (k * tree_.width() + v) * V::size;
                state_.set(k, v,
                           without_both(state_.get(k, v), V::load(gone + at), V::load(also + at)));
            }
        }
        ++task_.visits[task_.depth + 1];
        task_.visits[task_.depth + 2] += two ? 1 : 0;
        const Int taken = two ? 2 : 1;
        task_.depth += taken;
        task_.tries_left -= taken;
    }

    // A round, or the step to another node. Returns false if the search has stopped.
    DLX_INLINE bool step(const Look& found) {
        if (!found.must_leave()) {
            take(found);
            return true;
        }
        state_.store(tree_.here());
        if (!tree_.leave(found.dead != 0, found.open != 0)) return false;
        state_.load(tree_.here());
        return true;
    }

private:
    static constexpr std::size_t words_of_vector = V::size / 8;

    DLX_INLINE Int option_of(std::size_t word, int bit, std::size_t place) const {
        return tree_.option_at(64 * word + static_cast<std::size_t>(bit), place);
    }

    RoundsTask& task_;
    Tree<typename State::Shape> tree_;
    State state_;
};

template <class State>
void run_one(RoundsTask& task) {
    Search<State> search(task);
    if (!search.enter()) return;
    while (search.step(search.look())) {
    }
}

template <class State>
void run_two(RoundsTask& one, RoundsTask& other) {
    Search<State> a(one);
    Search<State> b(other);
    if (!a.enter()) return;
    if (!b.enter()) return a.pause();
    for (;;) {
        const auto of_a = a.look();
        const auto of_b = b.look();
        if (!a.step(of_a)) return b.pause();
        if (!b.step(of_b)) return a.pause();
    }
}

template <class State>
void run_searches(RoundsTask& task, RoundsEntry entry) {
    if (entry == RoundsEntry::by_turns) {
        run_two<State>(task, *task.other);
    } else {
        run_one<State>(task);
    }
}

inline BitsStop run_rounds(RoundsTask& task, RoundsEntry entry) {
    const std::size_t slices = task.tables.vectors / task.tables.slice_vectors - 1;
    const bool narrow = task.tables.state_bytes == (slices + 1) * V::size;
    if (narrow && slices == 8) {
        run_searches<LocalState<8>>(task, entry);
    } else if (narrow && slices == 9) {
        run_searches<LocalState<9>>(task, entry);
    } else if (narrow && slices == 10) {
        run_searches<LocalState<10>>(task, entry);
    } else {
        run_searches<DistantState>(task, entry);
    }
    return task.stopped ? task.stop : task.other->stop;
}

}  // namespace dlx::DLX_BITS_LEVEL
