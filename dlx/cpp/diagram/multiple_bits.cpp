// Live options as bits, with residual bounds: tables, and taking options level by level.
#include "diagram/multiple_bits.hpp"

#include <algorithm>
#include <bit>

namespace dlx {

std::uint64_t MultipleBits::bytes(const Problem& problem) noexcept {
    const std::uint64_t words = words_for(problem.options());
    const auto options = static_cast<std::uint64_t>(problem.options());
    const auto items = static_cast<std::uint64_t>(problem.items);
    const std::uint64_t levels = options + 1;
    return 8 * words * (options + items + levels + 1) + sizeof(State) * items * levels;
}

bool MultipleBits::pays(const Problem& problem, std::uint64_t memory_limit) {
    constexpr std::uint64_t most = 1 << 26;
    if (problem.options() == 0) return false;
    if (bytes(problem) > std::min(most, memory_limit / 4)) return false;
    std::vector<double> length(index(problem.items), 0);
    for (const Int item : problem.item) ++length[index(item)];
    double meetings = 0;
    for (const double options : length) meetings += options * options;
    const double options = problem.options();
    const double entries_gone = (meetings / options) * (problem.entries() / options);
    return 4 * entries_gone >= problem.items;
}

MultipleBits::MultipleBits(const Problem& problem, MultipleKey& key)
    : problem_(problem),
      key_(key),
      words_(words_for(problem.options())),
      primary_(index(problem.primary)),
      with_(index(problem.items) * words_, 0),
      conflict_(index(problem.options()) * words_, 0),
      live_(words_, 0),
      gone_(words_, 0) {
    for (const BoundedItem& item : bounded_items(problem)) {
        states_.push_back({item.high, 0, 0});
        slack_.push_back(item.high - item.low);
    }
    for (Int option = 0; option < problem.options(); ++option) {
        const Word bit = Word{1} << (option % 64);
        live_[index(option) / 64] |= bit;
        count(option, 1);
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            with_[index(problem.item[index(entry)]) * words_ + index(option) / 64] |= bit;
        }
    }
    fill_tables();
}

template <class Visit>
void MultipleBits::for_each(const Word* words, Visit&& visit) const {
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = words[word]; bits != 0; bits &= bits - 1) {
            visit(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
        }
    }
}

void MultipleBits::fill_tables() {
    for (Int option = 0; option < problem_.options(); ++option) {
        Word* const conflict = conflict_.data() + index(option) * words_;
        for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
             ++entry) {
            const Int item = problem_.item[index(entry)];
            const Int color = problem_.color_of(entry);
            if (item < problem_.primary) continue;
            for_each(with(item), [&](std::size_t other) {
                if (color != 0 && problem_.color_of(entry_of(other, item)) == color) return;
                conflict[other / 64] |= Word{1} << (other % 64);
            });
        }
    }
}

Int MultipleBits::entry_of(std::size_t option, Int item) const noexcept {
    for (Int entry = problem_.start[option];; ++entry) {
        if (problem_.item[index(entry)] == item) return entry;
    }
}

bool MultipleBits::dead() const noexcept {
    const State* const states = states_.data() + level_ * primary_;
    bool found = false;
    for (std::size_t item = 0; item < primary_; ++item) {
        found |= states[item].total < states[item].bound - slack_[item];
    }
    return found;
}

void MultipleBits::list(Int item, std::vector<Int>& into) const {
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = live()[word] & with(item)[word]; bits != 0; bits &= bits - 1) {
            into.push_back(static_cast<Int>(64 * word) + std::countr_zero(bits));
        }
    }
}

// Adds an option to the numbers of its items, or takes it away.
void MultipleBits::count(Int option, Int sign) noexcept {
    for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
         ++entry) {
        const Int item = problem_.item[index(entry)];
        if (item >= problem_.primary) continue;
        state(item).size += sign;
        state(item).total += sign * problem_.weight_of(entry);
    }
}

void MultipleBits::exclude(Int option) noexcept {
    live()[index(option) / 64] &= ~(Word{1} << (option % 64));
    count(option, -1);
    ++updates_;
}

void MultipleBits::add_level() {
    const std::size_t before = level_++;
    if (live_.size() < (level_ + 1) * words_) {
        live_.resize((level_ + 1) * words_);
        states_.resize((level_ + 1) * primary_);
    }
    std::copy_n(live_.begin() + static_cast<std::ptrdiff_t>(before * words_), words_,
                live_.begin() + static_cast<std::ptrdiff_t>(level_ * words_));
    std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(before * primary_), primary_,
                states_.begin() + static_cast<std::ptrdiff_t>(level_ * primary_));
}

// Marks the live options that cover an item more often than `weight` times.
void MultipleBits::remove_heavier(Int item, Int weight) noexcept {
    const Word* const options = with(item);
    if (weight == 0) {
        for (std::size_t word = 0; word < words_; ++word) gone_[word] |= options[word];
        return;
    }
    for_each(options, [&](std::size_t other) {
        if (problem_.weight_of(entry_of(other, item)) <= weight) return;
        gone_[other / 64] |= Word{1} << (other % 64);
    });
}

bool MultipleBits::take(Int option) {
    add_level();
    const Word* const conflict = conflict_.data() + index(option) * words_;
    std::copy_n(conflict, words_, gone_.begin());
    for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
         ++entry) {
        const Int item = problem_.item[index(entry)];
        if (item >= problem_.primary) continue;
        Int& bound = state(item).bound;
        bound -= problem_.weight_of(entry);
        if (bound < key_.heaviest(item)) remove_heavier(item, bound);
    }
    int gone = 0;
    int left = 0;
    for (std::size_t word = 0; word < words_; ++word) {
        gone_[word] &= live()[word];
        live()[word] &= ~gone_[word];
        gone += std::popcount(gone_[word]);
        left += std::popcount(live()[word]);
    }
    const bool anew = left < gone;
    if (anew) {
        for (std::size_t item = 0; item < primary_; ++item) {
            State& own = states_[level_ * primary_ + item];
            own.size = 0;
            own.total = 0;
        }
    }
    for_each(anew ? live() : gone_.data(),
             [&](std::size_t other) { count(static_cast<Int>(other), anew ? 1 : -1); });
    updates_ += static_cast<std::uint64_t>(anew ? left : gone);
    return !dead();
}

Int MultipleBits::common_color(Int item) const noexcept {
    Int common = -1;
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = live()[word] & with(item)[word]; bits != 0; bits &= bits - 1) {
            const std::size_t option = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
            const Int color = problem_.color_of(entry_of(option, item));
            if (color == 0 || (common >= 0 && color != common)) return 0;
            common = color;
        }
    }
    return common;
}

void MultipleBits::complete_key() noexcept {
    key_.set_live({live(), words_});
    for (Int item = 0; item < problem_.primary; ++item) {
        key_.set_bound(item, {bound(item), need(item), total(item)});
    }
    if (!key_.is_ordered()) return;
    for (Int item = problem_.primary; item < problem_.items; ++item) {
        key_.set_color(item, common_color(item));
    }
}

}  // namespace dlx
