// The live options as bits: taking options level by level.
#include "diagram/live_bits.hpp"

#include <bit>

#include "core/heuristic.hpp"
#include "counting/bounded_items.hpp"

namespace dlx {

template <bool multiple>
std::uint64_t LiveBits<multiple>::bytes(const Problem& problem) noexcept {
    const std::uint64_t words = OptionBits<>::words_for(problem.options());
    return OptionBits<>::bytes(problem.options(), problem.items) +
           levels(problem) * (8 * words + sizeof(State) * counted(problem));
}

template <bool multiple>
bool LiveBits<multiple>::pays(const Problem& problem, std::uint64_t memory_limit) {
    constexpr std::uint64_t most = 1 << 26;
    if (problem.options() == 0 || (!multiple && problem.options() >= closed)) return false;
    if (bytes(problem) > std::min(most, memory_limit / 4)) return false;
    std::vector<double> length(index(problem.items), 0);
    for (const Int item : problem.item) ++length[index(item)];
    double meetings = 0;
    for (const double options : length) meetings += options * options;
    const double options = problem.options();
    const double entries_gone = (meetings / options) * (problem.entries() / options);
    return 4 * entries_gone >= problem.items;
}

template <bool multiple>
LiveBits<multiple>::LiveBits(const Problem& problem, SubproblemKey& key)
    : problem_(problem),
      key_(key),
      bits_(problem, multiple ? problem.primary : 0),
      words_(bits_.words()),
      counted_(counted(problem)),
      live_(words_, 0),
      states_(counted_, State{}),
      gone_(words_, 0) {
    if constexpr (multiple) {
        for (const BoundedItem& item : bounded_items(problem)) {
            states_[slack_.size()].bound = item.high;
            slack_.push_back(item.high - item.low);
        }
    }
    for (std::size_t option = 0; option < index(problem.options()); ++option) {
        set_bit(live_.data(), option);
        count(states_.data(), option, 1);
    }
}

template <bool multiple>
bool LiveBits<multiple>::dead() const noexcept {
    const State* const state = states();
    bool found = false;
    for (std::size_t item = 0; item < index(problem_.primary); ++item) {
        if constexpr (multiple) {
            found |= state[item].total < state[item].bound - slack_[item];
        } else {
            found |= state[item] == 0;
        }
    }
    return found;
}

template <bool multiple>
void LiveBits<multiple>::list(Int item, std::vector<Int>& into) const {
    const Word* const members = bits_.members(item);
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = live()[word] & members[word]; bits != 0; bits &= bits - 1) {
            into.push_back(static_cast<Int>(64 * word) + std::countr_zero(bits));
        }
    }
}

template <bool multiple>
Int LiveBits<multiple>::color_of_live(Int item) const noexcept {
    const Word* const members = bits_.members(item);
    Int common = -1;
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = live()[word] & members[word]; bits != 0; bits &= bits - 1) {
            const std::size_t option = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
            const Int color = problem_.color_of(OptionBits<>::entry_of(problem_, option, item));
            if (color == 0 || (common >= 0 && color != common)) return 0;
            common = color;
        }
    }
    return common;
}

// Adds an option to the numbers of its items, or takes it away.
template <bool multiple>
DLX_INLINE void LiveBits<multiple>::count(State* state, std::size_t option, Int sign) noexcept {
    const Int* item = problem_.item.data() + problem_.start[option];
    const Int* const last = problem_.item.data() + problem_.start[option + 1];
    if constexpr (multiple) {
        for (Int entry = problem_.start[option]; item != last; ++item, ++entry) {
            if (*item >= problem_.primary) continue;
            state[*item].size += sign;
            state[*item].total += sign * problem_.weight_of(entry);
        }
    } else {
        const auto step = static_cast<Count>(sign);
        for (; item != last; ++item) state[*item] += step;
    }
}

template <bool multiple>
void LiveBits<multiple>::exclude(Int option) noexcept {
    live()[index(option) / 64] &= ~(Word{1} << (option % 64));
    count(states(), index(option), -1);
    ++updates_;
}

// Marks the options that cover an item more often than `weight` times.
template <bool multiple>
void LiveBits<multiple>::remove_heavier(Int item, Int weight) noexcept {
    const Word* const members = bits_.members(item);
    if (weight == 0) {
        for (std::size_t word = 0; word < words_; ++word) gone_[word] |= members[word];
        return;
    }
    for_each_bit(members, words_, [&](std::size_t other) {
        const Int entry = OptionBits<>::entry_of(problem_, other, item);
        if (problem_.weight_of(entry) > weight) set_bit(gone_.data(), other);
    });
}

// Reduces the bounds of an option's items, and marks the options to be removed.
template <bool multiple>
void LiveBits<multiple>::reduce_bounds(Int option) noexcept
    requires multiple
{
    std::copy_n(bits_.clashes(option), words_, gone_.begin());
    for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
         ++entry) {
        const Int item = problem_.item[index(entry)];
        if (item >= problem_.primary) continue;
        Int& bound = states()[item].bound;
        bound -= problem_.weight_of(entry);
        if (bound < key_.heaviest(item)) remove_heavier(item, bound);
    }
}

template <bool multiple>
bool LiveBits<multiple>::take(Int option, Int, Mark& mark) {
    mark = level_++;
    if (live_.size() < (level_ + 1) * words_) {
        live_.resize((level_ + 1) * words_);
        states_.resize((level_ + 1) * counted_);
    }
    State* const after = states();
    const State* const before = after - counted_;
    const Word* clashes = bits_.clashes(option);
    if constexpr (multiple) {
        std::copy_n(before, counted_, after);
        reduce_bounds(option);
        clashes = gone_.data();
    }
    Word* const to = live();
    const Word* const from = to - words_;
    int left = 0;
    int gone = 0;
    for (std::size_t word = 0; word < words_; ++word) {
        const Word clashing = clashes[word];
        gone_[word] = from[word] & clashing;
        to[word] = from[word] & ~clashing;
        gone += std::popcount(gone_[word]);
        left += std::popcount(to[word]);
    }
    const bool anew = left < gone;
    if constexpr (multiple) {
        for (std::size_t item = 0; anew && item < counted_; ++item) {
            after[item].size = 0;
            after[item].total = 0;
        }
    } else {
        if (anew) {
            for (std::size_t item = 0; item < counted_; ++item) {
                after[item] = static_cast<Count>(before[item] & closed);
            }
        } else {
            std::copy_n(before, counted_, after);
        }
        for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
             ++entry) {
            const Int item = problem_.item[index(entry)];
            if (item < problem_.primary) after[item] = static_cast<Count>(after[item] + closed);
        }
    }
    for_each_bit(anew ? to : gone_.data(), words_,
                 [&](std::size_t other) { count(after, other, anew ? 1 : -1); });
    updates_ += static_cast<std::uint64_t>(anew ? left : gone);
    return !dead();
}

template <bool multiple>
void LiveBits<multiple>::complete_key() noexcept {
    if constexpr (multiple) {
        key_.set_live({live(), words_});
        const State* state = states();
        for (Int item = 0; item < problem_.primary; ++item, ++state) {
            const Int need = std::max(0, state->bound - slack_[index(item)]);
            key_.set_bound(item, state->bound, need, state->total);
        }
    }
}

template class LiveBits<false>;
template class LiveBits<true>;

}  // namespace dlx
