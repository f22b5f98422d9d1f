// Options as characters: which character in which place stands for which option.
//
// A set of givens can then be read from a line of text, and a solution written as one, without a
// thing in between: for the digits in the cells of a puzzle, say.
#pragma once

#include <algorithm>
#include <vector>

#include "batch/batch.hpp"

namespace dlx {

class Code {
public:
    static constexpr std::size_t alphabet = 128;  // ASCII
    static constexpr Int blank = -1;              // stands for no option
    static constexpr Int foreign = -2;            // stands for nothing at all

    // Where an option is written, and how.
    struct Sign {
        Int place = -1;  // nowhere
        char letter = 0;
    };

    // `meaning`: for each place and each character an option, `blank` or `foreign`. `letter`: for
    // each option how it is written, in the place where that means it. Both in the caller's
    // numbering. `open` is written where no option is.
    Code(std::vector<Int> meaning, std::span<const std::uint8_t> letter, char open)
        : meaning_(std::move(meaning)), signs_(letter.size()), open_(open) {
        for (std::size_t at = 0; at < meaning_.size(); ++at) {
            if (meaning_[at] < 0) continue;
            const auto option = static_cast<std::size_t>(meaning_[at]);
            if (letter[option] != at % alphabet) continue;
            signs_[option] = {static_cast<Int>(at / alphabet), static_cast<char>(letter[option])};
        }
    }

    std::size_t places() const noexcept { return meaning_.size() / alphabet; }

    // Adds the set that a line stands for. False, and nothing is added, if it stands for none.
    bool read(std::span<const std::uint8_t> line, Sets& sets) const {
        if (line.size() != places()) return false;
        const std::size_t before = sets.option.size();
        sets.option.resize(before + line.size());
        Int* next = sets.option.data() + before;
        Int least = blank;
        const Int* row = meaning_.data();
        for (const std::uint8_t character : line) {
            const Int option = character < alphabet ? row[character] : foreign;
            row += alphabet;
            least = std::min(least, option);
            *next = option;
            next += option >= 0;
        }
        const bool good = least != foreign;
        sets.option.resize(good ? static_cast<std::size_t>(next - sets.option.data()) : before);
        if (good) sets.start.push_back(static_cast<Int>(sets.option.size()));
        return good;
    }

    // Writes options into a line of `places()` characters.
    void write(std::span<const Int> options, char* line) const noexcept {
        std::fill_n(line, places(), open_);
        for (const Int option : options) {
            if (static_cast<std::size_t>(option) >= signs_.size()) continue;  // added later
            const Sign& sign = signs_[static_cast<std::size_t>(option)];
            if (sign.place >= 0) line[sign.place] = sign.letter;
        }
    }

private:
    std::vector<Int> meaning_;
    std::vector<Sign> signs_;
    char open_;
};

}  // namespace dlx
