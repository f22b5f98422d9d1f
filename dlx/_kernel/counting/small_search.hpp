// Counts the solutions of a small residual: its options and its primary items fit into a few words.
//
// The engines prepare tables before they begin, which takes longer than the whole search of a
// problem with thirty options. Here a state is two bit sets, the active options and the open items,
// and everything else is a table of masks. Items are chosen by the fewest options, as the engines do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/random_numbers.hpp"
#include "counting/residual.hpp"

namespace dlx {

struct SmallCount {
    std::uint64_t solutions = 0;
    std::uint64_t nodes = 0;
};

template <std::size_t words>
class SmallSearch {
public:
    static bool fits(const Residual& residual) noexcept {
        constexpr auto most = static_cast<Int>(64 * words);
        return residual.options() <= most && residual.primary <= most;
    }

    explicit SmallSearch(const Residual& residual)
        : residual_(residual),
          with_(at(residual.primary)),
          clashing_(at(residual.options())),
          covering_(at(residual.options())) {
        for (Int item = 0; item < residual.items; ++item) add_clashes(item);
    }

    // The number of solutions, or nullopt after this number of nodes. It must be small enough for
    // the numbers of copies: see `may_overflow`.
    std::optional<SmallCount> run(std::uint64_t nodes) {
        Bits active{}, open{};
        for (Int option = 0; option < residual_.options(); ++option) set(active, option);
        for (Int item = 0; item < residual_.primary; ++item) set(open, item);
        nodes_ = 0;
        most_ = nodes;
        const std::uint64_t solutions = search(active, open);
        if (nodes_ > most_) return std::nullopt;
        return SmallCount{solutions, nodes_};
    }

    // The mean number of nodes that random descents estimate: see estimate/probes.hpp.
    double estimate(std::size_t descents, RandomNumbers& random) const {
        double sum = 0;
        for (std::size_t number = 0; number < descents; ++number) sum += descend(random);
        return sum / static_cast<double>(descents);
    }

private:
    using Bits = std::array<std::uint64_t, words>;

    static std::size_t at(Int number) noexcept { return static_cast<std::size_t>(number); }
    static void set(Bits& bits, Int number) noexcept {
        bits[at(number) / 64] |= std::uint64_t{1} << (at(number) % 64);
    }
    static Bits without(Bits bits, const Bits& others) noexcept {
        for (std::size_t word = 0; word < words; ++word) bits[word] &= ~others[word];
        return bits;
    }

    void add_clashes(Int item) {
        const auto options = residual_.options_of(item);
        Bits all{};
        for (const Int option : options) set(all, option);
        if (item < residual_.primary) with_[at(item)] = all;
        for (const Int option : options) {
            if (item < residual_.primary) set(covering_[at(option)], item);
            const Int color = color_of(option, item);
            if (color == 0) {
                for (std::size_t word = 0; word < words; ++word) {
                    clashing_[at(option)][word] |= all[word];
                }
                continue;
            }
            for (const Int other : options) {
                if (color_of(other, item) != color) set(clashing_[at(option)], other);
            }
        }
    }

    Int color_of(Int option, Int item) const noexcept {
        if (residual_.color.empty()) return 0;
        Int entry = residual_.start[at(option)];
        while (residual_.item[at(entry)] != item) ++entry;
        return residual_.color[at(entry)];
    }

    // Finds the open item with the fewest options, and returns their number: 0 is a dead end, and
    // `solved` if no item is open.
    int choose(const Bits& active, const Bits& open, Bits& choices) const {
        int fewest = solved;
        for (std::size_t word = 0; word < words; ++word) {
            for (std::uint64_t left = open[word]; left != 0; left &= left - 1) {
                const std::size_t item =
                    64 * word + static_cast<std::size_t>(std::countr_zero(left));
                Bits here;
                int count = 0;
                for (std::size_t part = 0; part < words; ++part) {
                    here[part] = with_[item][part] & active[part];
                    count += std::popcount(here[part]);
                }
                if (count >= fewest) continue;
                if (count == 0) return 0;
                fewest = count;
                choices = here;
            }
        }
        return fewest;
    }

    std::uint64_t search(const Bits& active, const Bits& open) {
        if (++nodes_ > most_) return 0;
        Bits choices{};
        const int fewest = choose(active, open, choices);
        if (fewest == 0) return 0;
        if (fewest == solved) return 1;
        std::uint64_t found = 0;
        for (std::size_t word = 0; word < words; ++word) {
            for (std::uint64_t left = choices[word]; left != 0; left &= left - 1) {
                const std::size_t option =
                    64 * word + static_cast<std::size_t>(std::countr_zero(left));
                found +=
                    static_cast<std::uint64_t>(residual_.copies[option]) *
                    search(without(active, clashing_[option]), without(open, covering_[option]));
            }
        }
        return found;
    }

    double descend(RandomNumbers& random) const {
        Bits active{}, open{}, choices{};
        for (Int option = 0; option < residual_.options(); ++option) set(active, option);
        for (Int item = 0; item < residual_.primary; ++item) set(open, item);
        double nodes = 1, weight = 1;
        for (;;) {
            const int fewest = choose(active, open, choices);
            if (fewest == 0 || fewest == solved) return nodes;
            weight *= fewest;
            nodes += weight;
            std::uint64_t drawn = random.below(static_cast<std::uint64_t>(fewest));
            std::size_t word = 0;
            while (drawn >= static_cast<std::uint64_t>(std::popcount(choices[word]))) {
                drawn -= static_cast<std::uint64_t>(std::popcount(choices[word++]));
            }
            std::uint64_t left = choices[word];
            while (drawn-- > 0) left &= left - 1;
            const std::size_t option = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
            active = without(active, clashing_[option]);
            open = without(open, covering_[option]);
        }
    }

    static constexpr int solved = static_cast<int>(64 * words) + 1;

    const Residual& residual_;
    std::vector<Bits> with_;      // of each primary item: its options
    std::vector<Bits> clashing_;  // of each option: those that it excludes, and itself
    std::vector<Bits> covering_;  // of each option: its primary items
    std::uint64_t nodes_ = 0;
    std::uint64_t most_ = 0;
};

// Could the number of solutions of a search with less than 2^24 nodes overflow, because options
// have many copies? A solution has one option of each primary item at most.
inline bool may_overflow(const Residual& residual) {
    const Int most = *std::max_element(residual.copies.begin(), residual.copies.end());
    const int bits = std::bit_width(static_cast<std::uint32_t>(most - 1));
    return 24 + static_cast<std::int64_t>(bits) * residual.primary > 63;
}

}  // namespace dlx
