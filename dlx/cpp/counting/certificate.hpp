// Writes a certificate of the number of solutions, which dlx/check/count.py reads.
//
// The state of a partial solution is what is left of the problem: the live options, and what the
// primary items still need. Equal states have equally many ways to go on, so the search keeps each
// once, with the number of ways that lead to it:
//
//     line        way to the state    meaning
//
//     1 7 2 3     1                   branches on item 7, whose live options lead to 2 and 3
//     2 8 4 -5    1                   the second option of 8 leaves item 5 without options
//     3 9 4       1                   the same state as the first option of 8 led to
//     4 6 0       2                   a solution, in two ways
//
// Each branch removes live options, so states are expanded by descending numbers of these: all ways
// to a state are known when its line is written, and the state is then forgotten. No more than the
// states that are reached and not yet expanded is kept, here and by the checker.
//
// Isomorphic states may be one, too, as in counting/subproblems.hpp: "4:7,5,9" is
// a branch to a state that becomes that of node 4 if its live options are called 7, 5 and 9.
// Canonical forms find them; such a line takes a hundred times as long to write and to check.
//
// With multiplicities, branch k of an item takes its k-th live option and excludes those before; a
// last branch takes no further option, if the item needs none. A number that leaves all choices to
// the options to come is the lower bound, as in counting/bounded_items.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/option_bits.hpp"
#include "core/problem.hpp"
#include "counting/natural.hpp"

namespace dlx {

class CountCertificate {
public:
    // `given`: options that every solution contains; no two may clash. `order`: a permutation of
    // the primary items to branch by; empty: on an item with the fewest branches. `isomorphic`: are
    // isomorphic states one? Not with multiplicities. Throws std::bad_alloc, here and later, where
    // more than `memory` bytes would be taken.
    CountCertificate(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                     std::span<const Int> order, bool isomorphic, std::uint64_t memory);

    // Appends lines until a time, until there are `lines` in all, or until they are a megabyte.
    void run(Clock::time_point until, std::uint64_t lines);

    bool finished() const noexcept { return finished_; }
    // Does `run` go on only with more lines, or when the text has been taken?
    bool pauses(std::uint64_t lines) const noexcept {
        return finished_ || lines_ >= lines || text_.size() >= most_text;
    }
    std::uint64_t lines() const noexcept { return lines_; }
    const Natural& solutions() const noexcept { return solutions_; }
    // The lines since the last call.
    std::string take_text() { return std::exchange(text_, {}); }

private:
    static constexpr std::size_t most_text = 1 << 20;
    using Word = std::uint64_t;
    static constexpr Word all = ~Word{0};

    // A state up to isomorphism, and its live options in the order of that.
    struct Form {
        std::string text;
        std::vector<Int> options;
    };
    // The states with the same number of live options.
    struct Level {
        std::vector<Word> words;            // of all states, one after another
        std::vector<Natural> ways;          // of each
        std::vector<std::uint32_t> names;   // of each
        std::vector<std::uint32_t> places;  // states + 1, by hash; 0: none
        std::vector<Form> forms;            // of each, where isomorphic ones are one
        std::uint64_t bytes = 0;            // of all these
    };
    // The options that cover an item `weight` times: the words of their set that are not 0.
    struct Share {
        Word weight;
        std::vector<std::pair<std::size_t, Word>> members;
    };

    void begin();
    void expand();
    Int choose(const Word* state) const;
    void take(Int option);
    void settle();
    Int dead_item(Int option) const;
    void arrive(Int option, const Natural& ways);
    void find_form();
    void write_names(const Form& known);
    void write(std::uint64_t number);
    void charge(std::uint64_t bytes);

    Word live(const Word* state, Int item, bool weighted, Word most = all) const;
    // What the item still needs. Without multiplicities, a bit for each item says so; with them,
    // a word for each says how often it is covered.
    bool needs(const Word* state, Int item) const {
        const Word* const items = state + option_words_;
        if (multiple_) return items[item] < static_cast<Word>(problem_->low[index(item)]);
        return (items[index(item) / 64] >> (index(item) % 64) & 1) != 0;
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> given_;
    std::vector<Int> order_;
    std::uint64_t memory_;  // bytes that may still be taken
    bool multiple_;
    std::size_t option_words_;
    std::size_t words_;  // of a state: the live options, and the items
    OptionBits<> bits_;
    std::vector<std::vector<Share>> shares_;  // of each primary item
    std::vector<Word> near_;  // of each option, the primary items that lose options by it
    std::vector<Level> levels_;
    std::vector<std::uint32_t> free_;  // names of states that were expanded
    std::uint32_t names_ = 0;
    std::size_t depth_ = 0;    // the level that is being expanded
    std::size_t next_ = 0;     // and the state there
    std::vector<Word> state_;  // that is being expanded, without the options before
    std::vector<Word> child_;
    bool isomorphic_;
    Form form_;  // of `child_`, if isomorphic states are one
    std::string text_;
    Natural solutions_;
    std::uint64_t lines_ = 0;
    bool begun_ = false;
    bool finished_ = false;
};

}  // namespace dlx
