// Sets of options as bits of words.
//
// Two tables say all that a search needs of a problem whose options fit into a few words:
//
//     members(item)     the options that contain it
//     clashes(option)   the options that cannot be taken with it, and itself
//
// Taking an option is `left & ~clashes(option)`, and what an item can still choose is
// `left & members(item)`. So a level of a search has words of its own, and nothing is undone.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// Calls visit(number) for each bit of a set, in ascending order.
template <class Visit>
inline void for_each_bit(const std::uint64_t* set, std::size_t words, Visit&& visit) {
    for (std::size_t word = 0; word < words; ++word) {
        for (std::uint64_t left = set[word]; left != 0; left &= left - 1) {
            visit(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
}

inline void set_bit(std::uint64_t* set, std::size_t number) noexcept {
    set[number / 64] |= std::uint64_t{1} << (number % 64);
}

// `fixed`: words of a set; 0: as many as the options need.
template <std::size_t fixed = 0>
class OptionBits {
public:
    using Word = std::uint64_t;

    static std::size_t words_for(Int options) noexcept {
        return fixed != 0 ? fixed : (index(options) + 63) / 64;
    }
    // Bytes of the tables.
    static std::uint64_t bytes(Int options, Int items) noexcept {
        return 8 * words_for(options) * (index(options) + index(items));
    }

    // `Source` is a Problem, or another class with `items`, `start`, `item`, `options` and
    // `color_of`. Options that share an item before `first` do not clash there.
    // O(options x (entries of an option) x (options of an item)).
    template <class Source>
    explicit OptionBits(const Source& source, Int first = 0)
        : words_(words_for(source.options())),
          members_(index(source.items) * words_, 0),
          clashes_(index(source.options()) * words_, 0) {
        const auto each_entry = [&](Int option, auto visit) {
            const Int end = source.start[index(option) + 1];
            for (Int entry = source.start[index(option)]; entry < end; ++entry) {
                visit(source.item[index(entry)], source.color_of(entry));
            }
        };
        for (Int option = 0; option < source.options(); ++option) {
            each_entry(option, [&](Int item, Int) {
                set_bit(members_.data() + index(item) * words(), index(option));
            });
        }
        for (Int option = 0; option < source.options(); ++option) {
            Word* const clashes = clashes_.data() + index(option) * words();
            set_bit(clashes, index(option));
            each_entry(option, [&](Int item, Int color) {
                if (item < first) return;
                const Word* const sharing = members(item);
                for (std::size_t word = 0; word < words(); ++word) {
                    Word clashing = sharing[word];
                    for (Word left = color == 0 ? 0 : clashing; left != 0; left &= left - 1) {
                        const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                        const Int entry = entry_of(source, 64 * word + bit, item);
                        if (source.color_of(entry) == color) clashing ^= Word{1} << bit;
                    }
                    clashes[word] |= clashing;
                }
            });
        }
    }

    std::size_t words() const noexcept { return fixed != 0 ? fixed : words_; }
    const Word* members(Int item) const noexcept { return members_.data() + index(item) * words(); }
    const Word* clashes(Int option) const noexcept {
        return clashes_.data() + index(option) * words();
    }

    // The entry of an item that the option contains.
    template <class Source>
    static Int entry_of(const Source& source, std::size_t option, Int item) noexcept {
        Int entry = source.start[option];
        while (source.item[index(entry)] != item) ++entry;
        return entry;
    }

private:
    std::size_t words_;
    std::vector<Word> members_;
    std::vector<Word> clashes_;
};

}  // namespace dlx
