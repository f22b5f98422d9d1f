// The engine `propagation`: generalised arc consistency of options over the colors they share.
//
// A value of a secondary item (see propagation/tables.hpp) is *possible* while every primary item
// that must cover the secondary item has an option with it; and an option is *live* while all its
// values are possible. So the search deletes alternately
//
//     values without a support            "1 across" has only t.. and n.. left, so its first cell
//     among the options of an item        is t or n;
//     options with a deleted value        "1 down" loses all words that begin otherwise
//
// until nothing changes ("compact table", J. Demeulenaere et al., CP 2016: sets of options are
// words of bits, of which only those that are not zero are visited). Then it branches: it takes an
// option of an item or, when that has failed, deletes it. The item has the fewest options for its
// weight, which counts the times that it ran out of options (dom/wdeg, F. Boussemart et al., ECAI
// 2004); the option is, among some drawn at random, the one whose values leave the most options to
// other items.
//
// Until the first solution, a try is given up after some dead ends, by Luby's sequence. The next
// one begins with the weights of this one and with what was deleted at the root, where an option is
// deleted once all below it has been searched. So the search is complete, and no solution comes
// twice.
#pragma once

#include <memory>

#include "core/engine.hpp"
#include "core/random_numbers.hpp"
#include "propagation/tables.hpp"

namespace dlx {

class Propagation final : public Engine {
public:
    // Throws std::invalid_argument for a problem with multiplicities, and `propagation::TooLarge`.
    // `given`: options, no two of which clash.
    Propagation(std::shared_ptr<const Problem> problem, std::span<const Int> given);

    // `stats().nodes`: the root and each option taken; `updates`: words visited.
    Outcome run(const Quota& quota) override;
    void rewind() override;
    bool finished() const noexcept override { return phase_ == Phase::finished; }

    // It has no position in the search in order. These throw std::logic_error.
    std::optional<Position> position() override;
    std::vector<std::byte> image() const override;
    using Engine::restart;
    void restart(std::span<const Int> given, const Position& begin) override;

private:
    using Word = propagation::Word;
    using Number = propagation::Number;
    using Support = propagation::Support;
    using Column = propagation::Column;

    enum class Phase : std::uint8_t { propagating, choosing, taking, retreating, finished };
    enum class Reached : std::uint8_t { fixed_point, dead_end, timed_out };

    struct SavedWord {
        std::size_t place;
        Word word;
    };
    struct SavedItem {
        Number item, count, nonzero;
    };
    // An option taken, and the lengths of the trails before.
    struct Level {
        propagation::Place taken;
        std::size_t words, items, values;
        std::uint64_t mark;
    };

    Reached propagate(Clock::time_point until);
    bool delete_options_with_values(Number secondary);
    bool delete_values_without_support(Number item);
    void keep_values_of(Number item);
    void choose(propagation::Place chosen);
    void retreat();
    void give_up_try();
    std::optional<Number> item_to_branch();
    Number option_to_take(Number item);
    void hand_over(Found* found);

    void undo_to(const Level& level);
    void clear_queues();
    void touch(Number item);
    void save(Number item);
    void set_word(Number item, Number place, Word word);
    void clear_bit(propagation::Place at);
    void keep_only(propagation::Place at);
    void delete_value(Number value, Number secondary);
    void keep_only_value(Number value, Number secondary);
    void subtract(Number item, const Support& support);
    void keep_possible(const Column& column);
    bool is_supported(Number item, Number support);
    Number count_with(Number item, const Support& support) const;
    std::span<const Number> possible(Number secondary) const noexcept;
    Word* words_of(Number item) noexcept { return live_.data() + tables_.word_start[item]; }
    template <class Visit>
    void visit_nonzero(Number item, Visit visit);

    std::shared_ptr<const Problem> problem_;
    propagation::Tables tables_;
    std::vector<Int> given_;
    std::vector<std::uint8_t> is_given_;
    std::vector<Number> secondary_of_;  // of each value

    std::vector<Word> live_;        // the options of each primary item
    std::vector<Number> nonzero_;   // its words that are not zero, and perhaps others, first
    std::vector<Number> nonzeros_;  // the number of those
    std::vector<Number> count_;     // its live options
    std::vector<Number> order_;     // the values of each secondary item, possible ones first
    std::vector<Number> rank_;      // the inverse of that
    std::vector<Number> possible_;  // the number of those
    std::vector<Number> residue_;   // of each support, where there was a live option last

    std::vector<SavedWord> word_trail_;
    std::vector<SavedItem> item_trail_;
    std::vector<Number> value_trail_;                   // the secondary item of each value deleted
    std::vector<std::uint64_t> word_mark_, item_mark_;  // the level where they were saved last
    std::uint64_t mark_ = 1, last_mark_ = 1;
    std::vector<Level> levels_;

    std::vector<Number> item_queue_, secondary_queue_;
    std::vector<std::uint8_t> in_item_queue_, in_secondary_queue_;
    std::vector<Number> deleted_;       // of each secondary item, the last value deleted
    std::vector<Number> next_deleted_;  // and the one before each of them
    std::vector<Word> union_;
    std::vector<double> gain_;  // of the values of an item that is branched on

    std::vector<double> weight_;
    RandomNumbers random_{0};
    Phase phase_ = Phase::propagating;
    Number branch_ = 0;                        // the item of which an option is to be taken
    std::uint64_t dead_ends_ = 0, limit_ = 0;  // of this try
    std::uint64_t counter_ = 1, term_ = 1;     // of Luby's sequence, by "reluctant doubling"
};

}  // namespace dlx
