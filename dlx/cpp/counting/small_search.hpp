// Counts the solutions of a small residual: its options and its primary items fit into a few words.
//
// The engines prepare tables before they begin, which takes longer than the whole search of a
// problem with thirty options. Here a state is two bit sets, the active options and the open items,
// and everything else is a table of masks. Items are chosen by the fewest options, as the engines
// do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/option_bits.hpp"
#include "core/random_numbers.hpp"
#include "counting/residual.hpp"

namespace dlx {

struct SmallCount {
    std::uint64_t solutions = 0;
    std::uint64_t nodes = 0;
};

// What the loops read and write.
template <std::size_t words>
struct SmallMasks {
    using Bits = std::array<std::uint64_t, words>;

    // `choose` returns this if no item is open.
    static constexpr int solved = static_cast<int>(64 * words) + 1;

    OptionBits<words> options;
    std::vector<Bits> covering;  // of each option: its primary items
    const Int* copies;           // of each option
    std::uint64_t nodes = 0;     // visited
    std::uint64_t most = 0;      // a search gives up after this number of nodes
};

// The functions of counting/small_search_loop.hpp, compiled for an instruction set.
template <std::size_t words>
struct SmallLoops {
    using Masks = SmallMasks<words>;
    using Bits = typename Masks::Bits;

    // The number of solutions with these active options and open items.
    std::uint64_t (*search)(Masks& masks, const Bits& active, const Bits& open);
    // Finds the open item with the fewest options, `choices`, and returns their number: 0 is a
    // dead end.
    int (*choose)(const Masks& masks, const Bits& active, const Bits& open, Bits& choices);
};

// The fastest loops for the processor and $DLX_SIMD, for 1, 2 and 4 words; those for x86-64-v3.
template <std::size_t words>
SmallLoops<words> small_loops();
template <std::size_t words>
SmallLoops<words> small_loops_v3();

template <std::size_t words>
class SmallSearch {
public:
    static bool fits(const Residual& residual) noexcept {
        constexpr auto most = static_cast<Int>(64 * words);
        return residual.options() <= most && residual.primary <= most;
    }

    explicit SmallSearch(const Residual& residual)
        : loops_(small_loops<words>()),
          masks_{OptionBits<words>(residual), std::vector<Bits>(index(residual.options())),
                 residual.copies.data()} {
        for (Int option = 0; option < residual.options(); ++option) {
            set_bit(active_.data(), index(option));
            for (Int entry = residual.start[index(option)];
                 entry < residual.start[index(option) + 1]; ++entry) {
                const Int item = residual.item[index(entry)];
                if (item >= residual.primary) break;
                set_bit(masks_.covering[index(option)].data(), index(item));
            }
        }
        for (Int item = 0; item < residual.primary; ++item) set_bit(open_.data(), index(item));
    }

    // The number of solutions, or nullopt after this number of nodes. It must be small enough for
    // the numbers of copies: see `may_overflow`.
    std::optional<SmallCount> run(std::uint64_t nodes) {
        masks_.nodes = 0;
        masks_.most = nodes;
        const std::uint64_t solutions = loops_.search(masks_, active_, open_);
        if (masks_.nodes > nodes) return std::nullopt;
        return SmallCount{solutions, masks_.nodes};
    }

    // The mean number of nodes that random descents estimate: see estimate/probes.hpp.
    double estimate(std::size_t descents, RandomNumbers& random) const {
        double sum = 0;
        for (std::size_t number = 0; number < descents; ++number) sum += descend(random);
        return sum / static_cast<double>(descents);
    }

private:
    using Masks = SmallMasks<words>;
    using Bits = typename Masks::Bits;

    double descend(RandomNumbers& random) const {
        Bits active = active_, open = open_, choices{};
        double nodes = 1, weight = 1;
        for (;;) {
            const int fewest = loops_.choose(masks_, active, open, choices);
            if (fewest == 0 || fewest == Masks::solved) return nodes;
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
            const auto* const clashes = masks_.options.clashes(static_cast<Int>(option));
            for (std::size_t part = 0; part < words; ++part) {
                active[part] &= ~clashes[part];
                open[part] &= ~masks_.covering[option][part];
            }
        }
    }

    SmallLoops<words> loops_;
    Masks masks_;
    Bits active_{};  // all options
    Bits open_{};    // all primary items
};

// Could the number of solutions of a search with less than 2^24 nodes overflow, because options
// have many copies? A solution has one option of each primary item at most.
inline bool may_overflow(const Residual& residual) {
    const Int most = *std::max_element(residual.copies.begin(), residual.copies.end());
    const int bits = std::bit_width(static_cast<std::uint32_t>(most - 1));
    return 24 + static_cast<std::int64_t>(bits) * residual.primary > 63;
}

}  // namespace dlx
