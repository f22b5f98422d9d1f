// States of problems with multiplicities: items that are covered several times.
//
// dlx/links/multiplicities.py has the rules of the search. An item has a *bound*, how many more of
// its options may be taken, and a *need*, how many must be. Its *score* is its number of branches,
//
//     score  =  live options + 1 - need,
//
// and a state has these numbers for every item, besides its live options:
//
//     lanes      | live options of item 0 | of item 1 | ... | needs | bounds |
//     counters   | live options, a bit each | scores | needs | bounds |
//
// A need or a bound stands at the same place as the lane or the counter of its item, so one row of
// zeros and ones for each option, with the ones at its items, serves all three. What happens to
// them when option o is taken, for item a with two live options left besides o, bound 2, need 1:
//
//     need    - row, not below 0              1 -> 0
//     bound   - row                           2 -> 1
//     score   + min(row, need)                3 -> 4     the need falls
//             - row, for o and for each other option removed
//                                             4 -> 3     o; its two other options are live
//
// Removed are the options that clash with o in any state (`removal`: they share an item that may be
// covered once only, or a secondary item), and all options of each item whose bound this makes 0.
// Only the items that may be covered more than once, but fewer times than they have options, need
// to be looked at for that: the *bounded* ones. (An item with as many covers as options runs out of
// options first.)
//
// Then the item to choose is the one with the smallest score, as everywhere:
//
//     0      fewer options than needed: a dead end. The true score may be below 0, but it never
//            rises again: an item with an option needs at least two then, so it stays open.
//     1      all of the item's options must be taken: the first is, without a level of its own.
//            Or the item is done, if its need is 0; then it counts as 255. That holds for covered
//            items, too, since none of their options is live. So they need no mark.
//     255    no item at all: a solution.
//
// An item of bound 1 has all its options removed by each of its branches. For an item of a higher
// bound, those above the option taken are removed one by one, from the state that the item was
// chosen in (`exclude`). If the item needs no more, its last branch takes no further option
// (`close`).
//
// With *weights*, an option may cover an item several times (dlx/links/weights.py). Then the score
// above is kept with the total weight of the live options in place of their number, and a state has
// the number of live options as well, since the item to choose is the one with the least
//
//     min(live options + 1 if need == 0, total + 1 - need).
//
// That is an upper bound of the number of branches, which is counted when an item is chosen. Taking
// an option also removes the *misfits*, the live options whose weight at one of its items is more
// than the bound is now. For each bounded item and each weight there, a set has the options of this
// weight or more. At bound 0, all options of the item are misfits.
//
// The bytes of counters are pairs of bytes if some item has 254 options or more. Lanes are fastest
// where they are narrow, since no loop's length depends on the options removed.
#pragma once

#include <type_traits>

#include "bits/layouts/counters.hpp"
#include "bits/layouts/lanes.hpp"

namespace dlx::DLX_BITS_LEVEL {

alignas(64) constexpr std::uint8_t byte_places[256] = {
#define DLX_4(n) n, n + 1, n + 2, n + 3
#define DLX_16(n) DLX_4(n), DLX_4(n + 4), DLX_4(n + 8), DLX_4(n + 12)
#define DLX_64(n) DLX_16(n), DLX_16(n + 16), DLX_16(n + 32), DLX_16(n + 48)
    DLX_64(0), DLX_64(64), DLX_64(128), DLX_64(192)
#undef DLX_4
#undef DLX_16
#undef DLX_64
};

// Scores, needs and bounds as bytes.
struct Narrow {
    using Value = std::uint8_t;
    DLX_INLINE static Vec one() { return Vec::splat(1); }
    DLX_INLINE static Vec plus(Vec a, Vec b) { return a.plus(b); }
    DLX_INLINE static Vec minus(Vec a, Vec b) { return a.minus(b); }
    DLX_INLINE static Vec less(Vec a, Vec b) { return a.less(b); }
    DLX_INLINE static Vec min(Vec a, Vec b) { return a.min(b); }
    DLX_INLINE static Vec equal(Vec a, Vec b) { return a.equal(b); }

    // The smallest byte of several vectors, and its first place. For at most 256 bytes.
    template <class At>
    DLX_INLINE static Choice first_least(std::size_t vectors, At at) {
        Vec least = Vec::ones();
        for (std::size_t v = 0; v < vectors; ++v) {
            const auto* places = reinterpret_cast<const std::byte*>(byte_places) + v * Vec::size;
            least = least.min16(at(v).keys(Vec::load(places)));
        }
        const std::uint16_t key = least.smallest_pair();
        return {static_cast<std::uint32_t>(key >> 8), static_cast<Int>(key & 255)};
    }
    static constexpr std::size_t most_places = 256;
};

// The same as pairs of bytes.
struct Wide {
    using Value = std::uint16_t;
    DLX_INLINE static Vec one() { return Vec::splat16(1); }
    DLX_INLINE static Vec plus(Vec a, Vec b) { return a.plus16(b); }
    DLX_INLINE static Vec minus(Vec a, Vec b) { return a.minus16(b); }
    DLX_INLINE static Vec less(Vec a, Vec b) { return a.less16(b); }
    DLX_INLINE static Vec min(Vec a, Vec b) { return a.min16(b); }
    DLX_INLINE static Vec equal(Vec a, Vec b) { return a.equal16(b); }
};

// The same as 32-bit numbers, for large weights.
struct Broad {
    using Value = std::uint32_t;
};

// A score, or 255 where an item is done: its score is 1 and its need 0.
template <class Element>
DLX_INLINE Vec unless_done(Vec score, Vec need) {
    return score | (Element::equal(score, Element::one()) & Element::equal(need, Vec::zeros()));
}

template <class Value>
DLX_INLINE std::uint32_t value_at(const std::byte* from, std::size_t place) {
    Value value;
    std::memcpy(&value, from + place * sizeof(Value), sizeof(Value));
    return value;
}

// -- lanes ---------------------------------------------------------------------------------------

// 2 in the lowest byte of each lane.
template <int Bits>
struct Twos {
    alignas(64) std::uint8_t bytes[Vec::size] = {};
    constexpr Twos() {
        for (std::size_t k = 0; k < Vec::size; k += Bits / 8) bytes[k] = 2;
    }
    DLX_INLINE Vec vector() const { return Vec::load(reinterpret_cast<const std::byte*>(bytes)); }
};
template <int Bits>
constexpr Twos<Bits> twos;

template <int Bits, int Fixed>
class MultipleLanes : public ItemWords<MultipleLanes<Bits, Fixed>, MultipleLanesView> {
    using Base = ItemWords<MultipleLanes, MultipleLanesView>;
    using Base::tables_;

public:
    static constexpr bool multiple = true;

    explicit MultipleLanes(const BitsTask& task)
        : Base(task.tables.multiple_lanes),
          scores_(reinterpret_cast<Vec*>(task.scratch)),
          width_(vectors() * Vec::size) {}

    void remove(const std::byte* from, std::byte* to, Int option) { take(from, to, option); }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const auto at = static_cast<std::size_t>(option);
        const std::byte* removal = tables_.removal + at * stride();
        const std::byte* rows = tables_.decrement + at * stride();
        this->updates += vectors();
        if constexpr (Fixed > 0) {
            // The address of the first bounded item is known at once, without looking up where the
            // list begins; everything else waits for that item's bound.
            const Int* bounded = tables_.bounded_of + at * tables_.most_bounded;
            const Int many = tables_.bounded_start[at + 1] - tables_.bounded_start[at];
            Vec gone[Fixed];
            for (std::size_t v = 0; v < Fixed; ++v) gone[v] = Vec::load(removal + v * Vec::size);
            for (Int k = 0; k < many; ++k) {
                const auto item = static_cast<std::size_t>(bounded[k]);
                const auto bound = static_cast<std::uint8_t>(from[2 * stride() + place_of(item)]);
                const Vec covered = Vec::splat(bound).equal(Vec::splat(1));
                const std::byte* mine = tables_.options_of + item * stride();
                for (std::size_t v = 0; v < Fixed; ++v) {
                    gone[v] = gone[v] | (Vec::load(mine + v * Vec::size) & covered);
                }
            }
            return step(from, to, rows, [&](std::size_t v) { return gone[v]; });
        } else {
            const std::byte** covered = reinterpret_cast<const std::byte**>(scores_ + vectors());
            std::size_t many = 0;
            for (Int k = tables_.bounded_start[at]; k < tables_.bounded_start[at + 1]; ++k) {
                const auto item = static_cast<std::size_t>(tables_.bounded[k]);
                covered[many] = tables_.options_of + item * stride();
                many += static_cast<std::uint8_t>(from[2 * stride() + place_of(item)]) == 1;
            }
            return step(from, to, rows, [&](std::size_t v) {
                Vec gone = Vec::load(removal + v * Vec::size);
                for (std::size_t k = 0; k < many; ++k) {
                    gone = gone | Vec::load(covered[k] + v * Vec::size);
                }
                return gone;
            });
        }
    }

    // Takes no further option of an item.
    Choice close(const std::byte* from, std::byte* to, Int item) {
        const std::byte* mine = tables_.options_of + static_cast<std::size_t>(item) * stride();
        const std::byte* nothing =
            tables_.decrement + static_cast<std::size_t>(tables_.options) * stride();
        return step(from, to, nothing,
                    [&](std::size_t v) { return Vec::load(mine + v * Vec::size); });
    }

    DLX_INLINE void exclude(std::byte* state, Int option) const {
        const std::byte* own = tables_.own + static_cast<std::size_t>(option) * stride();
        remove_bits(state, state, own, stride());
    }

    DLX_INLINE std::uint64_t word_of(const std::byte* state, Int item) const {
        return lane_at<Bits>(state, item);
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        const std::size_t place = place_of(static_cast<std::size_t>(frame.item));
        Base::open(frame, state);
        frame.optional = state[stride() + place] == std::byte{0};
        frame.cumulative = state[2 * stride() + place] > std::byte{1};
    }

    // The number of branches of an item; 0 if it is done, or a dead end.
    std::uint32_t length(const std::byte* state, Int item) const {
        const auto options = static_cast<std::uint32_t>(std::popcount(word_of(state, item)));
        const auto need =
            static_cast<std::uint32_t>(state[stride() + place_of(static_cast<std::size_t>(item))]);
        return options == 0 || options < need ? 0 : options + 1 - need;
    }

private:
    DLX_INLINE std::size_t vectors() const { return Fixed > 0 ? Fixed : tables_.vectors; }
    DLX_INLINE std::size_t stride() const { return Fixed > 0 ? Fixed * Vec::size : width_; }
    DLX_INLINE static std::size_t place_of(std::size_t item) { return item * (Bits / 8); }

    // Removes options from lanes, and a row from needs and bounds.
    template <class Gone>
    DLX_INLINE Choice step(const std::byte* from, std::byte* to, const std::byte* rows, Gone gone) {
        Vec local[Fixed > 0 ? Fixed : 1];
        Vec* scores = Fixed > 0 ? local : scores_;
        Vec least = Vec::ones();
        for (std::size_t v = 0; v < vectors(); ++v) {
            const std::size_t at = v * Vec::size;
            const Vec lanes = Vec::load(from + at).without(gone(v));
            const Vec row = Vec::load(rows + at);
            const Vec need = Vec::load(from + stride() + at).less(row);
            const Vec bound = Vec::load(from + 2 * stride() + at).minus(row);
            lanes.store(to + at);
            need.store(to + stride() + at);
            bound.store(to + 2 * stride() + at);
            // As unless_done, but with what is known before the options are counted: if an item
            // needs no more, its score is 1 only if it has no options.
            const Vec done = lanes.template empty_lanes<Bits>() & need.equal(Vec::zeros());
            const Vec counts = lanes.counts_in_lanes<Bits>().plus(twos<Bits>.vector());
            scores[v] = counts.less(need) | done;
            if constexpr (Fixed == 0) least = least.min(scores[v]);
        }
        Choice choice{};
        if constexpr (Fixed > 0) {
            choice = Narrow::first_least(Fixed, [&](std::size_t v) { return scores[v]; });
        } else {
            const std::uint8_t count = least.smallest_byte();
            if (count != solved) {
                choice = {count, static_cast<Int>(first_byte_equal(
                                     count, vectors(), [&](std::size_t v) { return scores[v]; }))};
            } else {
                choice.count = solved;
            }
        }
        if (choice.count == solved) return {solved_for_good, 0};
        return {choice.count, choice.item / (Bits / 8)};
    }

    Vec* scores_;
    std::size_t width_;
};

// -- counters ------------------------------------------------------------------------------------

// The part that MultipleCounters and MultipleScattered share.
template <class Element, bool Weights>
class MultipleSet : public LiveSet {
public:
    static constexpr bool multiple = true;
    static constexpr bool has_weights = Weights;
    using Value = typename Element::Value;

    explicit MultipleSet(const BitsTask& task)
        : LiveSet(task.tables.multiple_set.set, task.scratch),
          bounded_(task.tables.multiple_set.bounded),
          stride_(tables_.counters * Vec::size),
          covered_(
              reinterpret_cast<const std::byte**>(task.scratch + bits_block_bytes + set_bytes_)) {}

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        LiveSet::open(frame, state);
        const auto item = static_cast<std::size_t>(frame.item);
        frame.optional = need_of(state, item) == 0;
        frame.cumulative = bound_of(state, item) > 1;
    }

    // The score of an item; 0 if it is done, or a dead end.
    std::uint32_t length(const std::byte* state, Int item) const {
        const auto at = static_cast<std::size_t>(item);
        std::uint32_t score = value_at<Value>(state + set_bytes_, at);
        if constexpr (Weights) {
            const std::uint32_t most = live_of(state, at) + (need_of(state, at) == 0);
            score = score < most ? score : most;
        }
        return score == 1 && need_of(state, at) == 0 ? 0 : score;
    }

    // The number of branches of an item; 0 if it is done, or a dead end.
    std::uint32_t branches(const std::byte* state, Int item) const {
        const std::uint32_t score = length(state, item);
        const auto at = static_cast<std::size_t>(item);
        if (score <= 1 || need_of(state, at) == 0) return score;
        std::uint32_t spare = value_at<Value>(state + set_bytes_, at);
        std::uint32_t many = 0;
        for (std::size_t place = 0;; ++place) {
            std::uint64_t bits = word_at(state, place) & options_word(item, place);
            for (; bits != 0; bits &= bits - 1) {
                ++many;
                const auto option = static_cast<Int>(64 * place) + lowest(bits);
                const std::uint32_t weight = weight_of(option, item);
                if (spare <= weight) return many;
                spare -= weight;
            }
        }
    }

protected:
    DLX_INLINE std::size_t lengths() const { return set_bytes_ + 3 * stride_; }
    DLX_INLINE std::size_t needs() const { return set_bytes_ + stride_; }
    DLX_INLINE std::size_t bounds() const { return set_bytes_ + 2 * stride_; }

    DLX_INLINE std::uint32_t need_of(const std::byte* state, std::size_t item) const {
        return value_at<Value>(state + needs(), item);
    }
    DLX_INLINE std::uint32_t bound_of(const std::byte* state, std::size_t item) const {
        return value_at<Value>(state + bounds(), item);
    }

    DLX_INLINE std::uint32_t live_of(const std::byte* state, std::size_t item) const {
        return value_at<Value>(state + lengths(), item);
    }

    // How often an option covers an item that it has.
    DLX_INLINE std::uint32_t weight_of(Int option, Int item) const {
        Int at = tables_.counter_start[option];
        while (tables_.counter[at] != item) ++at;
        return static_cast<std::uint32_t>(bounded_.counter_weight[at]);
    }

    // The options of an item that do not fit if its bound is `left`; null if all do.
    DLX_INLINE const std::byte* misfits(std::size_t item, std::uint32_t left) const {
        Int first = bounded_.misfit_start[item];
        Int many = bounded_.misfit_start[item + 1] - first;
        while (many > 0) {  // to the first weight of more than `left`
            const Int half = many / 2;
            const bool fits =
                static_cast<std::uint32_t>(bounded_.misfit_weight[first + half]) <= left;
            if (fits) first += half + 1;
            many = fits ? many - half - 1 : half;
        }
        if (first == bounded_.misfit_start[item + 1]) return nullptr;
        return bounded_.misfits + static_cast<std::size_t>(first) * set_bytes_;
    }

    // Finds the items that taking an option covers, of those that are not covered at once; with
    // weights, the sets of options that do not fit then.
    DLX_INLINE std::size_t find_covered(const std::byte* state, Int option) const {
        std::size_t many = 0;
        const Int last = bounded_.start[option + 1];
        for (Int at = bounded_.start[option]; at < last; ++at) {
            const auto item = static_cast<std::size_t>(bounded_.item[at]);
            if constexpr (Weights) {
                const auto weight = static_cast<std::uint32_t>(bounded_.weight[at]);
                covered_[many] = misfits(item, bound_of(state, item) - weight);
                many += covered_[many] != nullptr;
            } else {
                covered_[many] = tables_.options_of + item * set_bytes_;
                many += bound_of(state, item) == 1;
            }
        }
        return many;
    }

    // Removes an option, those that clash with it, and all of the items found to be covered.
    template <class Each>
    DLX_INLINE void remove_covered(const std::byte* from, std::byte* to, Int option,
                                   std::size_t many, Each each) {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * set_bytes_;
        this->remove_all(
            from, to,
            [&](std::size_t at) {
                Vec gone = Vec::load(removal + at);
                for (std::size_t k = 0; k < many; ++k) gone = gone | Vec::load(covered_[k] + at);
                return gone;
            },
            each);
    }

    template <class Each>
    DLX_INLINE void remove_of(const std::byte* from, std::byte* to, Int item, Each each) {
        const std::byte* mine = tables_.options_of + static_cast<std::size_t>(item) * set_bytes_;
        this->remove_all(from, to, [&](std::size_t at) { return Vec::load(mine + at); }, each);
    }

    DLX_INLINE void drop(std::byte* state, Int option) const {
        std::byte* word = state + static_cast<std::size_t>(option) / 64 * 8;
        const std::uint64_t left = word_at(word, 0) & ~(std::uint64_t{1} << (option % 64));
        std::memcpy(word, &left, 8);
    }

    // The item to branch on; `score` and `need` return vectors of a state.
    template <class Score, class Need>
    DLX_INLINE Choice choose(std::size_t vectors, Score score, Need need) const {
        const auto at = [&](std::size_t v) { return unless_done<Element>(score(v), need(v)); };
        if constexpr (std::is_same_v<Element, Narrow>) {
            if (vectors * Vec::size <= Narrow::most_places) {
                const Choice choice = Narrow::first_least(vectors, at);
                return choice.count == solved ? Choice{solved_for_good, 0} : choice;
            }
            Vec least = Vec::ones();
            for (std::size_t v = 0; v < vectors; ++v) least = least.min(at(v));
            const std::uint8_t count = least.smallest_byte();
            if (count == solved) return {solved_for_good, 0};
            return {count, static_cast<Int>(first_byte_equal(count, vectors, at))};
        } else {
            Vec least = Vec::ones();
            for (std::size_t v = 0; v < vectors; ++v) least = least.min16(at(v));
            const std::uint16_t count = least.smallest_pair();
            if (count == 0xffff) return {solved_for_good, 0};
            const Vec wanted = Vec::splat16(count);
            for (std::size_t v = 0;; ++v) {
                const std::uint64_t equal = at(v).equal16(wanted).bytes_equal(255);
                if (equal == 0) continue;
                const auto place = static_cast<std::size_t>(lowest(equal)) / 2;
                return {count, static_cast<Int>(v * Vec::size / 2 + place)};
            }
        }
    }

    BoundedView bounded_;
    std::size_t stride_;
    const std::byte** covered_;
};

template <class Element, int Fixed>
class MultipleCounters : public MultipleSet<Element, false> {
    using Base = MultipleSet<Element, false>;
    using Base::tables_, Base::set_bytes_, Base::needs, Base::bounds;

public:
    using Base::Base;

    void remove(const std::byte* from, std::byte* to, Int option) { take(from, to, option); }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* rows = tables_.decrement;
        const std::byte* own = rows + static_cast<std::size_t>(option) * stride;
        std::size_t many = 0;
        for (std::size_t v = 0; v < Fixed; ++v) {
            const std::size_t at = v * Vec::size;
            const Vec row = Vec::load(own + at) & Vec::load(this->bounded_.is_bounded + at);
            const Vec due = Element::equal(Vec::load(from + bounds() + at), Element::one()) & row;
            for (std::uint64_t bits = due.bytes_equal(1); bits != 0; bits &= bits - 1) {
                const std::size_t item = at + static_cast<std::size_t>(lowest(bits));
                this->covered_[many++] = tables_.options_of + item * set_bytes_;
            }
        }
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * set_bytes_;
        const std::byte* fewer = this->template remove_set<true>(from, to, [&](std::size_t at) {
            Vec gone = Vec::load(removal + at);
            for (std::size_t k = 0; k < many; ++k) gone = gone | Vec::load(this->covered_[k] + at);
            return gone;
        });
        Vec score[Fixed];
        Vec need[Fixed];
        for (Vec& sum : score) sum = Vec::zeros();
        this->each_of(fewer, [&](std::size_t other) {
            const std::byte* row = rows + other * stride;
            for (std::size_t v = 0; v < Fixed; ++v) {
                score[v] = Element::plus(score[v], Vec::load(row + v * Vec::size));
            }
        });
        for (std::size_t v = 0; v < Fixed; ++v) {
            const std::size_t at = v * Vec::size;
            const Vec row = Vec::load(own + at);
            const Vec before = Vec::load(from + needs() + at);
            need[v] = Element::less(before, row);
            if (fewer == to) {
                score[v] = Element::less(Element::plus(score[v], Element::one()), need[v]);
            } else {
                const Vec old = Vec::load(from + set_bytes_ + at);
                score[v] = Element::less(Element::plus(old, Element::min(row, before)), score[v]);
            }
            score[v].store(to + set_bytes_ + at);
            need[v].store(to + needs() + at);
            Element::minus(Vec::load(from + bounds() + at), row).store(to + bounds() + at);
        }
        return this->choose(
            Fixed, [&](std::size_t v) { return score[v]; }, [&](std::size_t v) { return need[v]; });
    }

    Choice close(const std::byte* from, std::byte* to, Int item) {
        if (from != to) std::memcpy(to + set_bytes_, from + set_bytes_, 3 * stride);
        this->remove_of(from, to, item, [&](std::size_t removed) { subtract(to, removed); });
        return this->choose(
            Fixed, [&](std::size_t v) { return Vec::load(to + set_bytes_ + v * Vec::size); },
            [&](std::size_t v) { return Vec::load(to + needs() + v * Vec::size); });
    }

    DLX_INLINE void exclude(std::byte* state, Int option) const {
        this->drop(state, option);
        subtract(state, static_cast<std::size_t>(option));
    }

private:
    DLX_INLINE void subtract(std::byte* state, std::size_t option) const {
        const std::byte* row = tables_.decrement + option * stride;
        for (std::size_t v = 0; v < Fixed; ++v) {
            std::byte* at = state + set_bytes_ + v * Vec::size;
            Element::less(Vec::load(at), Vec::load(row + v * Vec::size)).store(at);
        }
    }

    static constexpr std::size_t stride = Fixed * Vec::size;
};

template <class Element, bool Weights>
class MultipleScattered : public MultipleSet<Element, Weights> {
    using Base = MultipleSet<Element, Weights>;
    using Base::tables_, Base::set_bytes_, Base::stride_, Base::needs, Base::bounds, Base::lengths;
    using Value = typename Element::Value;

public:
    using Base::Base;

    void remove(const std::byte* from, std::byte* to, Int option) { take(from, to, option); }

    Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::size_t many = this->find_covered(from, option);
        copy(from, to);
        each_item(static_cast<std::size_t>(option), [&](std::size_t item, Value weight) {
            const auto need = static_cast<Value>(this->need_of(to, item));
            const Value met = need < weight ? need : weight;
            add(to + set_bytes_, item, met);
            subtract(to + needs(), item, met);
            subtract(to + bounds(), item, weight);
        });
        this->remove_covered(from, to, option, many,
                             [&](std::size_t removed) { remove_from_lists(to, removed); });
        return choose_in(to);
    }

    Choice close(const std::byte* from, std::byte* to, Int item) {
        copy(from, to);
        this->remove_of(from, to, item,
                        [&](std::size_t removed) { remove_from_lists(to, removed); });
        return choose_in(to);
    }

    void exclude(std::byte* state, Int option) const {
        this->drop(state, option);
        remove_from_lists(state, static_cast<std::size_t>(option));
    }

private:
    template <class Visit>
    DLX_INLINE void each_item(std::size_t option, Visit visit) const {
        const Int last = tables_.counter_start[option + 1];
        for (Int at = tables_.counter_start[option]; at < last; ++at) {
            visit(static_cast<std::size_t>(tables_.counter[at]),
                  Weights ? static_cast<Value>(this->bounded_.counter_weight[at]) : Value{1});
        }
    }

    DLX_INLINE static void add(std::byte* values, std::size_t item, Value change) {
        const auto sum = static_cast<Value>(value_at<Value>(values, item) + change);
        std::memcpy(values + item * sizeof(Value), &sum, sizeof(Value));
    }

    DLX_INLINE static void subtract(std::byte* values, std::size_t item, Value change) {
        const auto sum = static_cast<Value>(value_at<Value>(values, item) - change);
        std::memcpy(values + item * sizeof(Value), &sum, sizeof(Value));
    }

    DLX_INLINE void remove_from_lists(std::byte* state, std::size_t option) const {
        each_item(option, [&](std::size_t item, Value weight) {
            const auto score = static_cast<Value>(value_at<Value>(state + set_bytes_, item));
            subtract(state + set_bytes_, item, score < weight ? score : weight);
            if constexpr (Weights) subtract(state + lengths(), item, 1);
        });
    }

    DLX_INLINE void copy(const std::byte* from, std::byte* to) const {
        if (from == to) return;
        std::memcpy(to + set_bytes_, from + set_bytes_, (Weights ? 4 : 3) * stride_);
    }

    Choice choose_in(const std::byte* state) const {
        if constexpr (std::is_same_v<Element, Broad>) {
            return choose_broad(state);
        } else {
            const auto at = [&](std::size_t offset, std::size_t v) {
                return Vec::load(state + offset + v * Vec::size);
            };
            const auto score = [&](std::size_t v) {
                if constexpr (!Weights) return at(set_bytes_, v);
                const Vec unneeded = Element::equal(at(needs(), v), Vec::zeros());  // -1 each, or 0
                return Element::min(at(set_bytes_, v), Element::minus(at(lengths(), v), unneeded));
            };
            return this->choose(tables_.counters, score,
                                [&](std::size_t v) { return at(needs(), v); });
        }
    }

    Choice choose_broad(const std::byte* state) const {
        Choice best{solved_for_good, 0};
        for (Int item = 0; item < tables_.items; ++item) {
            const auto at = static_cast<std::size_t>(item);
            const bool needed = this->need_of(state, at) != 0;
            const std::uint32_t score = value_at<Value>(state + set_bytes_, at);
            const std::uint32_t most = this->live_of(state, at) + !needed;
            const std::uint32_t least = score < most ? score : most;
            if (least < best.count && (least != 1 || needed)) best = {least, item};
        }
        return best;
    }
};

}  // namespace dlx::DLX_BITS_LEVEL
