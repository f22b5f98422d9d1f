// The live options as bits: conflict tables, and taking options level by level.
#include "diagram/live_bits.hpp"

#include <algorithm>

namespace dlx {

std::uint64_t LiveBits::bytes(const Problem& problem) noexcept {
    const std::uint64_t words = words_for(problem.options());
    const auto options = static_cast<std::uint64_t>(problem.options());
    const auto items = static_cast<std::uint64_t>(problem.items);
    const auto levels = static_cast<std::uint64_t>(problem.primary) + 1;
    return 8 * words * (options + items + levels + 1) + 2 * items * levels;
}

bool LiveBits::pays(const Problem& problem, std::uint64_t memory_limit) {
    constexpr std::uint64_t most = 1 << 26;
    if (problem.options() >= closed || problem.options() == 0) return false;
    if (bytes(problem) > std::min(most, memory_limit / 4)) return false;
    std::vector<double> length(index(problem.items), 0);
    for (const Int item : problem.item) ++length[index(item)];
    double meetings = 0;
    for (const double options : length) meetings += options * options;
    const double options = problem.options();
    const double entries_gone = (meetings / options) * (problem.entries() / options);
    return 4 * entries_gone >= problem.items;
}

LiveBits::LiveBits(const Problem& problem)
    : problem_(problem),
      words_(words_for(problem.options())),
      items_(index(problem.items)),
      conflict_(index(problem.options()) * words_, 0),
      with_(items_ * words_, 0),
      live_((index(problem.primary) + 1) * words_, 0),
      counts_((index(problem.primary) + 1) * items_, 0),
      gone_(words_, 0) {
    for (Int option = 0; option < problem.options(); ++option) {
        const Word bit = Word{1} << (option & 63);
        const std::size_t word = index(option) / 64;
        live_[word] |= bit;
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            const std::size_t item = index(problem.item[index(entry)]);
            with_[item * words_ + word] |= bit;
            ++counts_[item];
        }
    }
    lay_conflicts();
}

template <class Visit>
void LiveBits::for_each(const Word* words, Visit&& visit) const {
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = words[word]; bits != 0; bits &= bits - 1) {
            visit(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
        }
    }
}

void LiveBits::lay_conflicts() {
    std::vector<Word> agreeing(words_);
    for (Int option = 0; option < problem_.options(); ++option) {
        Word* const conflict = conflict_.data() + index(option) * words_;
        for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
             ++entry) {
            const Int item = problem_.item[index(entry)];
            const Word* const with = with_.data() + index(item) * words_;
            std::fill(agreeing.begin(), agreeing.end(), 0);
            if (const Int color = problem_.color_of(entry); color != 0) {
                for_each(with, [&](std::size_t other) {
                    if (color_in(other, item) == color)
                        agreeing[other / 64] |= Word{1} << (other % 64);
                });
            }
            for (std::size_t word = 0; word < words_; ++word) {
                conflict[word] |= with[word] & ~agreeing[word];
            }
        }
        conflict[index(option) / 64] |= Word{1} << (option & 63);
    }
}

Int LiveBits::color_in(std::size_t option, Int item) const noexcept {
    for (Int entry = problem_.start[option];; ++entry) {
        if (problem_.item[index(entry)] == item) return problem_.color_of(entry);
    }
}

bool LiveBits::dead() const noexcept {
    const Count* const count = counts();
    bool zero = false;
    for (std::size_t item = 0; item < index(problem_.primary); ++item) zero |= count[item] == 0;
    return zero;
}

void LiveBits::list(Int item, std::vector<Int>& into) const {
    const Word* const with = with_.data() + index(item) * words_;
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = live()[word] & with[word]; bits != 0; bits &= bits - 1) {
            into.push_back(static_cast<Int>(64 * word) + std::countr_zero(bits));
        }
    }
}

Int LiveBits::common_color(Int item) const noexcept {
    if (!problem_.colored()) return 0;
    const Word* const with = with_.data() + index(item) * words_;
    Int common = -1;
    for (std::size_t word = 0; word < words_; ++word) {
        for (Word bits = live()[word] & with[word]; bits != 0; bits &= bits - 1) {
            const std::size_t option = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
            const Int color = color_in(option, item);
            if (color == 0 || (common >= 0 && color != common)) return 0;
            common = color;
        }
    }
    return common;
}

bool LiveBits::take(Int option, Int, Mark&) noexcept {
    const Word* const from = live();
    const Count* const before = counts();
    ++level_;
    Word* const to = live_.data() + level_ * words_;
    Count* const after = counts_.data() + level_ * items_;
    const Word* const conflict = conflict_.data() + index(option) * words_;
    int left = 0;
    int gone = 0;
    for (std::size_t word = 0; word < words_; ++word) {
        gone_[word] = from[word] & conflict[word];
        to[word] = from[word] & ~conflict[word];
        gone += std::popcount(gone_[word]);
        left += std::popcount(to[word]);
    }
    const bool anew = left < gone;
    if (anew) {
        for (std::size_t item = 0; item < items_; ++item) {
            after[item] = static_cast<Count>(before[item] & closed);
        }
    } else {
        std::copy_n(before, items_, after);
    }
    for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
         ++entry) {
        const Int item = problem_.item[index(entry)];
        if (item < problem_.primary) after[index(item)] += closed;
    }
    const Count step = anew ? Count{1} : static_cast<Count>(-1);
    for_each(anew ? to : gone_.data(), [&](std::size_t other) {
        const Int* item = problem_.item.data() + problem_.start[other];
        const Int* const last = problem_.item.data() + problem_.start[other + 1];
        for (; item != last; ++item) after[*item] += step;
    });
    updates_ += static_cast<std::uint64_t>(anew ? left : gone);
    return !dead();
}

}  // namespace dlx
