// The search of the `rounds` engine: it counts solutions on the slices layout
// (bits/layouts/slices.hpp), in a tree of its own, which is the same on every instruction set.
//
// Where only the number of solutions is wanted, the order in which options are taken is free.
// So this search differs from that of bits/loop.hpp in five ways:
//
//   * Forced options are taken in *rounds*. A pass over the slices (`pass`) finds all forced items;
//     the options of the first and of the last of them are taken at once (`take`), without a loop
//     that the processor would mispredict. If they clash, that is a dead end.
//   * Two searches run *by turns*, a round each. In a round, each instruction waits for the one
//     before; so one search computes while the other one waits.
//   * Where no item is forced, *dominance* is tried: if all live options of an item also cover its
//     partner, the other options of the partner go (bits/rounds/dominance.hpp).
//   * The items to branch on are *compared*: of the first few with two options, the one is taken
//     whose options shorten the most other items (`most_forcing`). That halves the passes of hard
//     Sudokus.
//   * Where solutions are plenty, the search branches *freely*: if no item is forced, the round
//     takes the first option of the first item with two. So there is no jump between a round and a
//     branch that the processor would mispredict.
//
// Dominance costs several rounds, and where solutions are plenty it brings nothing. So it is tried
// only while dead ends keep up with branches, and not before the first dead end. It has a *credit*
// as well, which trying without success uses up.
//
// The parts, from the inside out:
//
//     FixedShape, AnyShape   the size of a state; known beforehand for 8 to 10 options an item
//     Places                 the first live option of each item
//     Tree                   what happens between rounds
//     Search                 the rounds, and when to change over to the tree
//     run_rounds             one search or two, until one of them stops
//
// A state is in memory all the time: 20 vectors for two searches, and what a pass needs, do not fit
// into registers. Each pass reads one state and writes another one or the same, so that the state
// of a frame stays where it is, and no change between rounds and tree copies anything.
#pragma once

#include "bits/choice.hpp"
#include "bits/rounds/task.hpp"
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

// The width of a slice that is known beforehand: of 257 to 384 items, or to 512.
constexpr std::size_t fixed_width = V::size == 64 ? 1 : 48 / V::size;

// How many slices a state has, without that of the open items, and how many vectors each of them.
template <int Slices>
struct FixedShape {
    explicit FixedShape(const BitsView&) {}
    static constexpr std::size_t width() { return fixed_width; }
    static constexpr std::size_t slices() { return Slices; }
    static constexpr std::size_t block = Slices + 1;  // vectors at a time, in registers
};

struct AnyShape {
    explicit AnyShape(const BitsView& tables)
        : width_(tables.state_bytes / V::size / (tables.vectors / tables.slice_vectors)),
          slices_(tables.vectors / tables.slice_vectors - 1) {}
    std::size_t width() const { return width_; }
    std::size_t slices() const { return slices_; }
    static constexpr std::size_t block = 1;

private:
    std::size_t width_;
    std::size_t slices_;
};

// The slice of the first live option of each item: digit by digit where the number of slices is
// known, so that it costs no loop.
template <class Shape>
class Places;

template <int Slices>
class Places<FixedShape<Slices>> {
    static constexpr std::size_t digits =
        static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(Slices - 1)));

public:
    // `before`: the items that have a live option in an earlier slice.
    DLX_INLINE void add(std::size_t place, V slice, V before) {
        for (std::size_t digit = 0; digit < digits; ++digit) {
            if (place == std::size_t{1} << digit) {
                plane_[digit] = slice.without(before);
            } else if (place >> digit & 1) {
                plane_[digit] = or_without(plane_[digit], slice, before);
            }
        }
    }
    DLX_INLINE void store(std::byte* planes) const {
        for (std::size_t digit = 0; digit < digits; ++digit) {
            plane_[digit].store(planes + digit * plane_bytes);
        }
    }
    DLX_INLINE static std::size_t find(const std::byte* planes, const std::byte*,
                                       FixedShape<Slices>, std::size_t word, int bit) {
        std::uint64_t place = 0;
        for (std::size_t digit = digits; digit-- > 0;) {
            place = 2 * place + (word_at(planes + digit * plane_bytes, word) >> bit & 1);
        }
        return static_cast<std::size_t>(place);
    }

private:
    static constexpr std::size_t plane_bytes = fixed_width * V::size;
    V plane_[digits] = {};
};

template <>
class Places<AnyShape> {
public:
    DLX_INLINE void add(std::size_t, V, V) {}
    DLX_INLINE void store(std::byte*) const {}
    DLX_INLINE static std::size_t find(const std::byte*, const std::byte* state, AnyShape shape,
                                       std::size_t word, int bit) {
        const std::byte* slice = state + 8 * word;
        for (std::size_t place = 0;; ++place) {
            slice += shape.width() * V::size;
            if (word_at(slice, 0) >> bit & 1) return place;
        }
    }
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
        return tables_.by_item.removal + static_cast<std::size_t>(option) * state_bytes();
    }

    // Where the removal of an item's option is.
    DLX_INLINE std::size_t removal_at(std::size_t item, std::size_t place) const {
        return task_.removal_at[item * slices() + place];
    }

    Shape shape() const { return shape_; }

    // The state to look at next: a state, and the removal of the option that is to be taken there.
    struct Coming {
        const std::byte* from;
        const std::byte* gone;
    };
    Coming coming() const { return coming_; }

    // Makes the current state the one to look at next.
    DLX_INLINE void stay() { coming_ = {here(), task_.no_removal}; }

    // Makes the first state: that of the root, without what the given options remove. These do not
    // clash.
    DLX_INLINE void begin() {
        constexpr std::size_t block = Shape::block;
        std::byte* const to = here();
        for (std::size_t at = 0; at < state_bytes(); at += block * V::size) {
            V left[block];
            for (std::size_t k = 0; k < block; ++k) {
                left[k] = V::load(tables_.root + at + k * V::size);
            }
            for (Int given = 0; given < task_.givens; ++given) {
                const std::byte* const gone = tables_.by_item.removal + task_.given[given] + at;
                for (std::size_t k = 0; k < block; ++k) {
                    left[k] = left[k].without(V::load(gone + k * V::size));
                }
            }
            for (std::size_t k = 0; k < block; ++k) left[k].store(to + at + k * V::size);
        }
        stay();
    }

    // Goes on from a state without forced items to the next one. Returns whether there is one; if
    // not, the search has stopped.
    [[gnu::noinline]] bool leave(bool dead, bool open) {
        const bool must_choose = open && !dead;
        if (must_choose && pays_dominance() && remove_dominated()) {
            stay();
            return true;
        }
        task_.add_visits();
        if (dead) {
            ++task_.dead_ends;
        } else if (must_choose) {
            push(choose());
            ++task_.branches;
        } else {
            ++task_.solutions;
            if (--task_.wanted == 0) return stop(BitsStop::enough);
        }
        return next();
    }

    // May the search branch on any item with two options, at once?
    DLX_INLINE bool branches_freely() const { return !is_hard(); }
    DLX_INLINE bool has_tries() const { return task_.tries_left > task_.depth - task_.above; }

    // Pushes a frame if `branch` is 1: the current state, without the first option of this item.
    DLX_INLINE void branch(std::size_t item, Int branch) const {
        task_.frames[task_.level + 1] = {0, static_cast<Int>(item), task_.depth};
        task_.level += branch;
        task_.branches += static_cast<std::uint64_t>(branch);
    }

    // Finds the next option of the current frame, if there is one and there is time. `coming` then
    // is the state from which to remove it.
    bool next() {
        task_.clash = 0;
        if (task_.level < 0) return stop(BitsStop::finished);
        if (task_.tries_left <= 0) return stop(BitsStop::tries_used);
        RoundsFrame& frame = task_.frames[task_.level];
        const std::byte* const from = state_at(task_.level);
        if (frame.options == 0) {
            frame.options = row(from, static_cast<std::size_t>(frame.item));
            frame.options &= frame.options - 1;
        }
        const auto place = static_cast<std::size_t>(lowest(frame.options));
        const std::byte* const gone =
            tables_.by_item.removal + removal_at(static_cast<std::size_t>(frame.item), place);
        frame.options &= frame.options - 1;
        task_.above = frame.depth;
        task_.depth = frame.depth + 1;
        if (frame.options == 0) --task_.level;  // the last option may overwrite the state
        coming_ = {from, gone};
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

    // The scratch, behind what a pass over the slices has found.
    DLX_INLINE std::byte* work() const {
        return task_.scratch + RoundsTask::found_sets * slice_bytes();
    }

    // The live options of an item, as bits.
    DLX_INLINE std::uint64_t row(const std::byte* state, std::size_t item) const {
        const std::byte* slice = state + state_bytes() + item / 64 * 8;
        std::uint64_t bits = 0;
        for (std::size_t left = slices(); left != 0; --left) {
            slice -= slice_bytes();
            bits = 2 * bits + (word_at(slice, 0) >> (item % 64) & 1);
        }
        return bits;
    }

    // Have there been about as many dead ends as branches?
    DLX_INLINE bool is_hard() const { return task_.branches <= 2 * task_.dead_ends; }

    // -- dominance --

    // Branches cost less, and often are enough until one of them fails.
    DLX_INLINE bool pays_dominance() const {
        return task_.dead_ends > 0 && is_hard() && task_.credit > 0;
    }

    static constexpr std::int64_t dominance_cost = 2;  // in credit; removing an option earns 1

    // Compares each item with its partners. Returns whether it removed an option.
    [[gnu::noinline]] bool remove_dominated() const {
        const DominanceView& pairs = task_.dominance;
        std::byte* const state = here();
        const std::size_t size = slice_bytes();
        const auto most = static_cast<std::size_t>(pairs.most);
        std::byte* const outside = work();
        std::byte* const inside = outside + most * size;
        const std::byte* mask = pairs.outside;
        std::uint64_t words[most_groups] = {};  // that are not empty, of `inside`
        for (std::size_t place = 0; place < most; ++place) {
            for (std::size_t at = 0; at < size; at += V::size) {
                V out = V::zeros();
                for (std::size_t k = 0; k < slices(); ++k) {
                    out = or_both(out, V::load(state + (k + 1) * size + at),
                                  V::load(mask + k * size + at));
                }
                const V in = V::load(state + at).without(out);
                out.store(outside + place * size + at);
                in.store(inside + place * size + at);
                const std::size_t word = (place * size + at) / 8;
                words[word / 64] |= in.nonzero_words() << (word % 64);
            }
            mask += slices() * size;
        }
        std::int64_t removed = 0;
        std::uint16_t pair[64 * 64 + listed_at_once];
        for (std::size_t group = 0; 64 * group < most * size / 8; ++group) {
            const std::size_t listed = list_bits(inside, group, words[group], pair);
            removed += remove_outside(pair, keep_useful(outside, pair, listed));
        }
        task_.credit += removed - dominance_cost;
        return removed != 0;
    }

    // Words of all sets of `remove_dominated`, 64 in a group.
    static constexpr std::size_t most_groups =
        RoundsTask::most_places * RoundsTask::most_slice_bytes / 8 / 64;
    static constexpr std::size_t listed_at_once = 4;
    static constexpr std::uint64_t highest_bit = std::uint64_t{1} << 63;

    // Lists the bits of a group of words, without a branch for each of them. Returns how many.
    // `words`: those that are not empty.
    DLX_INLINE static std::size_t list_bits(const std::byte* sets, std::size_t group,
                                            std::uint64_t words, std::uint16_t* list) {
        std::uint16_t* next = list;
        for (; words != 0; words &= words - 1) {
            const std::size_t word = 64 * group + static_cast<std::size_t>(lowest(words));
            std::uint64_t bits = word_at(sets, word);
            std::uint16_t* const end = next + std::popcount(bits);
            do {
                for (std::size_t k = 0; k < listed_at_once; ++k, bits &= bits - 1) {
                    // With a bit that is always there: countr_zero(0) would be a branch.
                    *next++ = static_cast<std::uint16_t>(64 * word + lowest(bits | highest_bit));
                }
            } while (bits != 0);
            next = end;
        }
        return static_cast<std::size_t>(next - list);
    }

    // Replaces each bit of a list by that of the partner, if the partner has options outside.
    // Returns how many.
    DLX_INLINE std::size_t keep_useful(const std::byte* outside, std::uint16_t* list,
                                       std::size_t listed) const {
        const std::uint16_t* const partner = task_.dominance.partner;
        std::size_t useful = 0;
        for (std::size_t k = 0; k < listed; ++k) {
            const std::uint16_t bit = partner[list[k]];
            list[useful] = bit;
            useful += word_at(outside, bit / 64) >> (bit % 64) & 1;
        }
        return useful;
    }

    // Removes the options of items that their partners lack. Returns their number: an option may be
    // counted once for each of its items.
    std::int64_t remove_outside(const std::uint16_t* pair, std::size_t pairs) const {
        constexpr std::size_t most = 256;
        std::uint32_t option[most + 64 + 2];
        std::uint32_t* next = option;
        std::int64_t removed = 0;
        for (std::size_t k = 0; k < pairs; ++k) {
            const std::size_t item = pair[k] % (8 * slice_bytes());
            std::uint64_t options = row(here(), item) & ~task_.dominance.common[pair[k]];
            std::uint32_t* const end = next + std::popcount(options);
            removed += end - next;
            do {
                for (std::size_t n = 0; n < 2; ++n, options &= options - 1) {
                    const int place = lowest(options | highest_bit);
                    *next++ = static_cast<std::uint32_t>(item * slices()) +
                              static_cast<std::uint32_t>(place);
                }
            } while (options != 0);
            next = end;
            if (next < option + most) continue;
            remove_options(option, next);
            next = option;
        }
        remove_options(option, next);
        return removed;
    }

    DLX_INLINE void remove_options(const std::uint32_t* option, const std::uint32_t* last) const {
        const DominanceView& pairs = task_.dominance;
        std::byte* const state = here();
        for (; option != last; ++option) {
            const std::uint16_t* const row = pairs.row + pairs.row_at[*option];
            const std::size_t many = row[0];
            for (std::size_t k = 1; k <= many; ++k) {
                const std::size_t word = row[k] / 64;
                const std::uint64_t bit = std::uint64_t{1} << (row[k] % 64);
                set_word(state, word, word_at(state, word) & ~bit);
            }
        }
    }

    // -- branching --

    DLX_INLINE void push(std::size_t item) const {
        const std::uint64_t options = row(here(), item);
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
        // As `take` does, which may have left this branch to a later call for want of tries.
        if (words2 != 0) return branches_freely() ? first_of(two, words2) : most_forcing(words2);
        return words3 != 0 ? first_of(three, words3) : choose_among_long();
    }

    // How many items are compared before a branch: at first, and after a few dead ends.
    static constexpr int few_compared = 4;
    static constexpr int most_compared = 8;

    // Of the first items with two options, the one whose options shorten most: each other item that
    // loses an option counts 1, and 1 more if it has three, 3 more if it has two and so is forced.
    // `words`: of the sets in the scratch, of items with two options and with three.
    [[gnu::noinline]] std::size_t most_forcing(std::uint64_t words) const {
        std::byte* const left = work();
        std::memcpy(left, task_.scratch, slice_bytes());
        std::int64_t best = 0;  // with the item in the low digits, so that there is no jump
        for (int more = task_.dead_ends < 3 ? few_compared : most_compared; more != 0; --more) {
            const auto word = static_cast<std::size_t>(lowest(words));
            const std::uint64_t bits = word_at(left, word);
            const std::size_t item = 64 * word + static_cast<std::size_t>(lowest(bits));
            const std::int64_t key =
                (shortened(item) + 1) * item_digits - static_cast<std::int64_t>(item) - 1;
            best = key > best ? key : best;
            set_word(left, word, bits & (bits - 1));
            words &= words - ((bits & (bits - 1)) == 0 ? 1 : 0);
            if (words == 0) break;
        }
        return static_cast<std::size_t>(item_digits - 1 - best % item_digits);
    }
    static constexpr std::int64_t item_digits = 8 * RoundsTask::most_slice_bytes;

    // What the two options of an item count for.
    DLX_INLINE std::int64_t shortened(std::size_t item) const {
        const std::byte* const state = here();
        const std::byte* const two = task_.scratch;
        const std::uint64_t options = row(state, item);
        const std::byte* const gone[2] = {
            tables_.by_item.removal + removal_at(item, static_cast<std::size_t>(lowest(options))),
            tables_.by_item.removal + removal_at(item, static_cast<std::size_t>(highest(options)))};
        std::int64_t sum = 0;
        for (std::size_t at = 0; at < slice_bytes(); at += V::size) {
            V counts = V::zeros();
            for (const std::byte* const option : gone) {
                V shorter = V::zeros();
                for (std::size_t k = 1; k <= slices(); ++k) {
                    shorter = or_both(shorter, V::load(state + k * slice_bytes() + at),
                                      V::load(option + k * slice_bytes() + at));
                }
                shorter = shorter.without(V::load(option + at));  // the option's own items
                const V forced = (shorter & V::load(two + at)).bits_in_bytes();
                const V three = (shorter & V::load(two + slice_bytes() + at)).bits_in_bytes();
                counts = counts.plus(shorter.bits_in_bytes()).plus(three);
                counts = counts.plus(forced).plus(forced).plus(forced);
            }
            sum += counts.sum_of_bytes();
        }
        return sum;
    }

    // The first item of a set. `words`: the words of the set that are not empty.
    DLX_INLINE static std::size_t first_of(const std::byte* items, std::uint64_t words) {
        const auto word = static_cast<std::size_t>(lowest(words));
        return 64 * word + static_cast<std::size_t>(lowest(word_at(items, word)));
    }

    // The first of the items with the fewest options, where all have four or more. Adds the slices
    // up as Slices::choose_fewest does.
    [[gnu::noinline]] std::size_t choose_among_long() const {
        constexpr std::size_t digits = RoundsTask::most_digits;
        const std::byte* const state = here();
        const std::size_t size = slice_bytes();
        std::byte* const candidates = work();
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
    Coming coming_{};
};

// -- rounds ------------------------------------------------------------------------------------

// A search.
template <class Shape>
class Search {
public:
    explicit Search(RoundsTask& task) : task_(task), tree_(task) {}

    // Goes to the current state. Returns false if the search has stopped.
    DLX_INLINE bool enter() {
        switch (task_.phase) {
            case RoundsPhase::start:
                tree_.begin();
                break;
            case RoundsPhase::next:
                if (!tree_.next()) return false;
                break;
            case RoundsPhase::middle:
                tree_.stay();
                task_.updates -= updates_of_pass();  // this pass was made before the pause
                break;
        }
        look();
        return true;
    }

    // Leaves the search where it is, to be continued by `enter`.
    DLX_INLINE void pause() { task_.phase = RoundsPhase::middle; }

    // Makes a round, if that is possible. If not, the search goes on with `leave`.
    DLX_INLINE bool round() {
        if (freely_) {
            const bool branches = (found_.two != 0) & tree_.has_tries();
            if ((found_.dead != 0) | ((found_.forced == 0) & !branches)) return false;
            take<true>();
        } else {
            if ((found_.dead != 0) | (found_.forced == 0)) return false;
            take<false>();
        }
        return true;
    }

    // The step to another node, or removes dominated options. Returns false if the search has
    // stopped.
    DLX_INLINE bool leave() {
        if (!tree_.leave(found_.dead != 0, found_.open != 0)) return false;
        look();
        return true;
    }

private:
    static constexpr std::size_t words_of_vector = V::size / 8;

    // What a pass over the slices finds. Sets of items are given by their words that are not empty;
    // `forced` and `two` themselves are in the scratch, and then places.
    struct Found {
        std::uint64_t forced;
        std::uint64_t two;   // with two options; only where the search branches freely
        std::uint64_t dead;  // open, and without options; or not 0 after a clash
        std::uint64_t open;
    };

    DLX_INLINE void look() {
        const auto [from, gone] = tree_.coming();
        state_ = tree_.here();
        freely_ = tree_.branches_freely();
        freely_ ? pass<true>(from, gone, gone) : pass<false>(from, gone, gone);
    }

    DLX_INLINE std::uint64_t updates_of_pass() const {
        return (tree_.slices() + 1) * ((tree_.slice_bytes() + 63) / 64);  // on any processor
    }

    // Makes the current state: another one without what two options remove. Reads each vector once,
    // and finds what `Found` has.
    template <bool freely>
    DLX_INLINE void pass(const std::byte* from, const std::byte* gone, const std::byte* also) {
        const std::size_t size = tree_.slice_bytes();
        std::byte* const one = task_.scratch;
        std::byte* const two = one + size;
        task_.updates += updates_of_pass();
        found_ = {0, 0, task_.clash, 0};
        for (std::size_t v = 0; v < tree_.width(); ++v) {
            const auto slice = [&](std::size_t k) {
                const std::size_t at = (k * tree_.width() + v) * V::size;
                const V left =
                    without_both(V::load(from + at), V::load(gone + at), V::load(also + at));
                left.store(state_ + at);
                return left;
            };
            const V open = slice(0);
            V some = slice(1);
            V more = V::zeros();  // than one
            V many = V::zeros();  // more than two
            Places<Shape> places;
            for (std::size_t k = 2; k <= tree_.slices(); ++k) {
                const V here = slice(k);
                places.add(k - 1, here, some);
                if constexpr (freely) many = k == 2 ? V::zeros() : or_both(many, more, here);
                more = k == 2 ? some & here : or_both(more, some, here);
                some = some | here;
            }
            const V with_one = some.without(more);
            with_one.store(one + v * V::size);
            found_.forced |= with_one.nonzero_words() << (v * words_of_vector);
            if constexpr (freely) {
                const V with_two = more.without(many);
                with_two.store(two + v * V::size);
                found_.two |= with_two.nonzero_words() << (v * words_of_vector);
            }
            places.store(two + size + v * V::size);
            found_.dead |= open.without(some).nonzero_words();
            found_.open |= open.nonzero_words();
        }
    }

    // A round: takes the options of the first and of the last forced item. If there is none, and
    // the search may branch: the first option of the first item with two, below a new frame.
    // Without a jump, which would be mispredicted.
    template <bool freely>
    DLX_INLINE void take() {
        const std::size_t size = tree_.slice_bytes();
        const Int branch = freely && found_.forced == 0 ? 1 : 0;
        const std::byte* const items = task_.scratch + static_cast<std::size_t>(branch) * size;
        const std::byte* const planes = task_.scratch + 2 * size;
        const std::uint64_t words =
            found_.forced | (found_.two & (std::uint64_t{0} - static_cast<std::uint64_t>(branch)));
        const auto first = static_cast<std::size_t>(lowest(words));
        const auto last = static_cast<std::size_t>(highest(words));
        const int first_bit = lowest(word_at(items, first));
        const int last_bit = highest(word_at(items, last));
        const std::size_t first_place =
            Places<Shape>::find(planes, state_, tree_.shape(), first, first_bit);
        const std::size_t last_place =
            Places<Shape>::find(planes, state_, tree_.shape(), last, last_bit);
        const std::size_t item = 64 * first + static_cast<std::size_t>(first_bit);
        const std::size_t one = tree_.removal_at(item, first_place);
        std::size_t other =
            tree_.removal_at(64 * last + static_cast<std::size_t>(last_bit), last_place);
        // As masks, because the compiler would turn `?:` into a jump.
        if constexpr (freely)
            other = one ^ ((one ^ other) & (static_cast<std::size_t>(branch) - 1));
        const Int two = one != other ? 1 : 0;
        const std::byte* const gone = task_.tables.by_item.removal + one;
        const std::byte* const also = task_.tables.by_item.removal + other;
        // Does the first option remove the other one?
        task_.clash = word_at(gone + (last_place + 1) * size, last) >> last_bit &
                      static_cast<std::uint64_t>(two);
        const std::byte* const from = state_;
        state_ += static_cast<std::size_t>(branch) * tree_.state_bytes();
        if constexpr (freely) tree_.branch(item, branch);
        task_.depth += 1 + two;
        pass<freely>(from, gone, also);
    }

    RoundsTask& task_;
    Tree<Shape> tree_;
    std::byte* state_ = nullptr;  // the current one
    Found found_;
    bool freely_ = false;  // see Tree::branches_freely
};

template <class Shape>
void run_one(RoundsTask& task) {
    Search<Shape> search(task);
    if (!search.enter()) return;
    while (search.round() || search.leave()) {
    }
}

template <class Shape>
void run_two(RoundsTask& one, RoundsTask& other) {
    Search<Shape> a(one);
    Search<Shape> b(other);
    if (!a.enter()) return;
    if (!b.enter()) return a.pause();
    for (;;) {
        if (!a.round() && !a.leave()) return b.pause();
        if (!b.round() && !b.leave()) return a.pause();
    }
}

template <class Shape>
void run_searches(RoundsTask& task, RoundsEntry entry) {
    if (entry == RoundsEntry::by_turns) {
        run_two<Shape>(task, *task.other);
    } else {
        run_one<Shape>(task);
    }
}

inline BitsStop run_rounds(RoundsTask& task, RoundsEntry entry) {
    const std::size_t slices = task.tables.vectors / task.tables.slice_vectors - 1;
    const bool narrow = task.tables.state_bytes == (slices + 1) * fixed_width * V::size;
    if (narrow && slices == 8) {
        run_searches<FixedShape<8>>(task, entry);
    } else if (narrow && slices == 9) {
        run_searches<FixedShape<9>>(task, entry);
    } else if (narrow && slices == 10) {
        run_searches<FixedShape<10>>(task, entry);
    } else {
        run_searches<AnyShape>(task, entry);
    }
    return task.stopped ? task.stop : task.other->stop;
}

}  // namespace dlx::DLX_BITS_LEVEL
