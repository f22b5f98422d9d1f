// Encodes options as characters: in each place of a line, a character means an option.
//
// A set of givens is read directly from a line of text, and a solution is written as one. The
// digits in the cells of a puzzle are an example.
#pragma once

#include <algorithm>
#include <vector>

#include "batch/batch.hpp"

namespace dlx {

class LineCodec {
public:
    static constexpr std::size_t alphabet = 128;  // ASCII
    static constexpr Int blank = -1;              // means no option
    static constexpr Int invalid = -2;            // has no meaning

    // The place and the character of an option.
    struct Symbol {
        Int place = -1;  // nowhere
        char letter = 0;
    };

    // `meaning`: for each place and each character an option, `blank` or `invalid`. `letter`: for
    // each option its character, in the place where that character means it. Both use the caller's
    // numbering. `open`: the character of a place without an option.
    LineCodec(std::span<const Int> meaning, std::span<const std::uint8_t> letter, char open)
        : meaning_(meaning.size()), symbols_(letter.size()), open_(open) {
        for (std::size_t at = 0; at < meaning.size(); ++at) {
            const std::size_t place = at / alphabet;
            const std::size_t character = at % alphabet;
            meaning_[character * places() + place] = meaning[at];
            if (meaning[at] < 0) continue;
            const auto option = static_cast<std::size_t>(meaning[at]);
            if (letter[option] != character) continue;
            symbols_[option] = {static_cast<Int>(place), static_cast<char>(character)};
        }
    }

    std::size_t places() const noexcept { return meaning_.size() / alphabet; }

    // Adds the set that a line encodes. If the line is invalid, adds nothing and returns false.
    bool read(std::span<const std::uint8_t> line, Sets& sets) const {
        if (line.size() != places()) return false;
        const std::size_t before = sets.option.size();
        sets.option.resize(before + line.size());
        Int* next = sets.option.data() + before;
        Int least = blank;
        const Int* const meaning = meaning_.data();
        for (std::size_t place = 0; place < line.size(); ++place) {
            const std::uint8_t character = line[place];
            const Int option =
                character < alphabet ? meaning[character * line.size() + place] : invalid;
            least = std::min(least, option);
            *next = option;
            next += option >= 0;
        }
        const bool good = least != invalid;
        sets.option.resize(good ? static_cast<std::size_t>(next - sets.option.data()) : before);
        if (good) sets.start.push_back(static_cast<Int>(sets.option.size()));
        return good;
    }

    // Writes options into a line of `places()` characters.
    void write(std::span<const Int> options, char* line) const noexcept {
        std::fill_n(line, places(), open_);
        for (const Int option : options) {
            if (static_cast<std::size_t>(option) >= symbols_.size()) continue;  // added later
            const Symbol& symbol = symbols_[static_cast<std::size_t>(option)];
            if (symbol.place >= 0) line[symbol.place] = symbol.letter;
        }
    }

private:
    // By character and place: lines use few characters, so that few lines of cache are needed.
    std::vector<Int> meaning_;
    std::vector<Symbol> symbols_;
    char open_;
};

}  // namespace dlx
