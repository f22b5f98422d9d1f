// Counts the solutions of a small residual: its options and its primary items fit into a few words.
//
// The engines prepare tables before they begin, which takes longer than the whole search of a
// problem with thirty options. Here a state is two bit sets, the active options and the open items,
// and everything else is a table of masks. By the fewest options, as the engines do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

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
    // the numbers of copies: see `count_small`.
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

    std::uint64_t search(const Bits& active, const Bits& open) {
        if (++nodes_ > most_) return 0;
        Bits choices{};
        int fewest = static_cast<int>(64 * words) + 1;
        for (std::size_t word = 0; word < words; ++word) {
            for (std::uint64_t left = open[word]; left != 0; left &= left - 1) {
                const std::size_t item = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
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
        if (fewest > static_cast<int>(64 * words)) return 1;  // no item is open
        std::uint64_t found = 0;
        for (std::size_t word = 0; word < words; ++word) {
            for (std::uint64_t left = choices[word]; left != 0; left &= left - 1) {
                const std::size_t option =
                    64 * word + static_cast<std::size_t>(std::countr_zero(left));
                found += static_cast<std::uint64_t>(residual_.copies[option]) *
                         search(without(active, clashing_[option]),
                                without(open, covering_[option]));
            }
        }
        return found;
    }

    const Residual& residual_;
    std::vector<Bits> with_;      // of each primary item: its options
    std::vector<Bits> clashing_;  // of each option: those that it excludes, and itself
    std::vector<Bits> covering_;  // of each option: its primary items
    std::uint64_t nodes_ = 0;
    std::uint64_t most_ = 0;
};

// Nullopt if the residual is too large, or if there are more nodes. `nodes` must be below 2^24.
inline std::optional<SmallCount> count_small(const Residual& residual, std::uint64_t nodes) {
    // A solution has one option of each primary item at most, so this bounds the sum.
    std::size_t bits = 24;
    const Int most = *std::max_element(residual.copies.begin(), residual.copies.end());
    bits += static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(most - 1))) *
            static_cast<std::size_t>(residual.primary);
    if (bits > 63) return std::nullopt;
    if (SmallSearch<1>::fits(residual)) return SmallSearch<1>(residual).run(nodes);
    if (SmallSearch<2>::fits(residual)) return SmallSearch<2>(residual).run(nodes);
    if (SmallSearch<4>::fits(residual)) return SmallSearch<4>(residual).run(nodes);
    return std::nullopt;
}

}  // namespace dlx
