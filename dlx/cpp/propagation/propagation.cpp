#include "propagation/propagation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/interrupt_check.hpp"

namespace dlx {
namespace {

constexpr std::uint64_t unit = 100;  // dead ends of the shortest try
constexpr std::size_t candidates = 32;
constexpr std::uint64_t between_readings = 1 << 17;  // words visited between readings of the clock

std::shared_ptr<const Problem> checked_problem(std::shared_ptr<const Problem> problem) {
    if (problem->multiple()) throw std::invalid_argument("propagation: no multiplicities");
    return problem;
}

}  // namespace

using propagation::none;
using propagation::Place;
using propagation::word_bits;

Propagation::Propagation(std::shared_ptr<const Problem> problem, std::span<const Int> given)
    : problem_(checked_problem(std::move(problem))),
      tables_(*problem_),
      given_(given.begin(), given.end()),
      is_given_(index(problem_->options()), 0) {
    const std::size_t primary = tables_.alone.size();
    const std::size_t secondary = tables_.left_out.size();
    const std::size_t values = tables_.value_start.back();
    live_.assign(tables_.word_start.back(), 0);
    nonzero_.resize(live_.size());
    nonzeros_.resize(primary);
    count_.resize(primary);
    word_mark_.assign(live_.size(), 0);
    item_mark_.assign(primary, 0);
    weight_.assign(primary, 1.0);
    in_item_queue_.assign(primary, 0);
    Number longest = 0;
    for (Number item = 0; item < primary; ++item) {
        const auto length = static_cast<Number>(tables_.options[item].size());
        Word* const words = words_of(item);
        for (Number bit = 0; bit < length; ++bit)
            words[bit / word_bits] |= Word{1} << bit % word_bits;
        const Number size = tables_.words_of(item);
        std::iota(nonzero_.begin() + tables_.word_start[item],
                  nonzero_.begin() + tables_.word_start[item] + size, Number{0});
        nonzeros_[item] = size;
        count_[item] = length;
        longest = std::max(longest, size);
        touch(item);
    }
    union_.resize(longest);
    order_.resize(values);
    rank_.resize(values);
    secondary_of_.resize(values);
    possible_.resize(secondary);
    in_secondary_queue_.assign(secondary, 0);
    deleted_.assign(secondary, none);
    next_deleted_.assign(values, none);
    residue_.assign(tables_.supports.size(), 0);
    for (Number item = 0; item < secondary; ++item) {
        const Number first = tables_.value_start[item];
        possible_[item] = tables_.value_start[item + 1] - first;
        for (Number value = first; value < first + possible_[item]; ++value) {
            order_[value] = rank_[value] = value;
            secondary_of_[value] = item;
        }
    }
    gain_.assign(values, 0.0);
    for (const Int option : given_) {
        is_given_[index(option)] = 1;
        for (const Place& at : tables_.places_of(static_cast<Number>(option))) keep_only(at);
    }
    stats_.nodes = 1;
    limit_ = unit;
}

// -- sets of options ------------------------------------------------------------------------------

void Propagation::touch(Number item) {
    if (std::exchange(in_item_queue_[item], std::uint8_t{1}) == 0) item_queue_.push_back(item);
}

void Propagation::save(Number item) {
    if (item_mark_[item] == mark_) return;
    item_mark_[item] = mark_;
    item_trail_.push_back({item, count_[item], nonzeros_[item]});
}

// Calls `visit(place)` for the words of an item that are not zero; it may make them zero.
template <class Visit>
void Propagation::visit_nonzero(Number item, Visit visit) {
    const Word* const words = words_of(item);
    Number* const places = nonzero_.data() + tables_.word_start[item];
    stats_.updates += nonzeros_[item];
    for (Number at = nonzeros_[item]; at-- > 0;) {
        const Number place = places[at];
        visit(place);
        if (words[place] == 0) {
            save(item);
            std::swap(places[at], places[--nonzeros_[item]]);
        }
    }
}

// Deletes the options of an item that are missing in `word`, which has no others.
void Propagation::set_word(Number item, Number place, Word word) {
    const std::size_t at = tables_.word_start[item] + place;
    Word gone = live_[at] & ~word;
    if (gone == 0) return;
    save(item);
    if (word_mark_[at] != mark_) {
        word_mark_[at] = mark_;
        word_trail_.push_back({at, live_[at]});
    }
    live_[at] = word;
    count_[item] -= static_cast<Number>(std::popcount(gone));
    touch(item);
    if (tables_.alone[item]) return;
    for (; gone != 0; gone &= gone - 1) {
        const auto bit =
            static_cast<Number>(place * word_bits) + static_cast<Number>(std::countr_zero(gone));
        for (const Place& other : tables_.places_of(tables_.option_at(item, bit))) {
            if (other.item != item) clear_bit(other);
        }
    }
}

void Propagation::clear_bit(Place at) {
    const auto place = static_cast<Number>(at.bit / word_bits);
    const Word word = words_of(at.item)[place];
    set_word(at.item, place, word & ~(Word{1} << at.bit % word_bits));
    ++stats_.updates;
}

void Propagation::keep_only(Place kept) {
    const auto kept_place = static_cast<Number>(kept.bit / word_bits);
    const Word own = Word{1} << kept.bit % word_bits;
    const Word* const words = words_of(kept.item);
    visit_nonzero(kept.item, [&](Number place) {
        set_word(kept.item, place, place == kept_place ? words[place] & own : 0);
    });
}

void Propagation::subtract(Number item, const Support& support) {
    const Word* const words = words_of(item);
    const Word* const other = tables_.words.data() + support.first;
    if (support.listed()) {
        const Number* const places = tables_.places.data() + support.places;
        stats_.updates += support.count;
        for (Number at = 0; at < support.count; ++at) {
            set_word(item, places[at], words[places[at]] & ~other[at]);
        }
    } else {
        visit_nonzero(item,
                      [&](Number place) { set_word(item, place, words[place] & ~other[place]); });
    }
}

// Deletes the options of an item none of whose values of the column is possible.
void Propagation::keep_possible(const Column& column) {
    const Number item = column.item;
    std::fill_n(union_.begin(), tables_.words_of(item), Word{0});
    const auto add = [&](const Support& support) {
        const Word* const words = tables_.words.data() + support.first;
        if (support.listed()) {
            const Number* const places = tables_.places.data() + support.places;
            for (Number at = 0; at < support.count; ++at) union_[places[at]] |= words[at];
            stats_.updates += support.count;
            return;
        }
        stats_.updates += nonzeros_[item];
        const Number* const places = nonzero_.data() + tables_.word_start[item];
        for (Number at = 0; at < nonzeros_[item]; ++at) union_[places[at]] |= words[places[at]];
    };
    const Number first = tables_.value_start[column.secondary];
    for (const Number value : possible(column.secondary)) {
        add(tables_.supports[column.supports + value - first]);
    }
    if (column.without != none) add(tables_.supports[column.without]);
    const Word* const words = words_of(item);
    visit_nonzero(item, [&](Number place) { set_word(item, place, words[place] & union_[place]); });
}

bool Propagation::is_supported(Number item, Number number) {
    const Support& support = tables_.supports[number];
    const Word* const own = words_of(item);
    const Word* const words = tables_.words.data() + support.first;
    Number& residue = residue_[number];
    if (support.listed()) {
        if (support.count == 0) return false;
        const Number* const places = tables_.places.data() + support.places;
        if ((own[places[residue]] & words[residue]) != 0) return true;
        stats_.updates += support.count;
        for (Number at = 0; at < support.count; ++at) {
            if ((own[places[at]] & words[at]) == 0) continue;
            residue = at;
            return true;
        }
        return false;
    }
    if ((own[residue] & words[residue]) != 0) return true;
    const Number* const places = nonzero_.data() + tables_.word_start[item];
    stats_.updates += nonzeros_[item];
    for (Number at = 0; at < nonzeros_[item]; ++at) {
        const Number place = places[at];
        if ((own[place] & words[place]) == 0) continue;
        residue = place;
        return true;
    }
    return false;
}

Propagation::Number Propagation::count_with(Number item, const Support& support) const {
    const Word* const own = live_.data() + tables_.word_start[item];
    const Word* const words = tables_.words.data() + support.first;
    int count = 0;
    if (support.listed()) {
        const Number* const places = tables_.places.data() + support.places;
        for (Number at = 0; at < support.count; ++at) {
            count += std::popcount(own[places[at]] & words[at]);
        }
    } else {
        const Number* const places = nonzero_.data() + tables_.word_start[item];
        for (Number at = 0; at < nonzeros_[item]; ++at) {
            count += std::popcount(own[places[at]] & words[places[at]]);
        }
    }
    return static_cast<Number>(count);
}

// -- values ---------------------------------------------------------------------------------------

std::span<const Propagation::Number> Propagation::possible(Number secondary) const noexcept {
    return std::span(order_).subspan(tables_.value_start[secondary], possible_[secondary]);
}

void Propagation::delete_value(Number value, Number secondary) {
    const Number end = tables_.value_start[secondary] + --possible_[secondary];
    const Number at = rank_[value];
    const Number other = order_[end];
    order_[at] = other;
    rank_[other] = at;
    order_[end] = value;
    rank_[value] = end;
    value_trail_.push_back(secondary);
    next_deleted_[value] = std::exchange(deleted_[secondary], value);
    if (std::exchange(in_secondary_queue_[secondary], std::uint8_t{1}) == 0) {
        secondary_queue_.push_back(secondary);
    }
}

void Propagation::keep_only_value(Number value, Number secondary) {
    const auto values = possible(secondary);
    stats_.updates += values.size();
    for (std::size_t at = values.size(); at-- > 0;) {  // backwards: deleting swaps with the last
        if (values[at] != value) delete_value(values[at], secondary);
    }
}

// -- propagation ----------------------------------------------------------------------------------

Propagation::Reached Propagation::propagate(Clock::time_point until) {
    std::uint64_t next_reading = stats_.updates + between_readings;
    for (;;) {
        bool sound = true;
        if (!secondary_queue_.empty()) {
            const Number secondary = secondary_queue_.back();
            secondary_queue_.pop_back();
            in_secondary_queue_[secondary] = 0;
            sound = delete_options_with_values(secondary);
        } else if (!item_queue_.empty()) {
            const Number item = item_queue_.back();
            item_queue_.pop_back();
            in_item_queue_[item] = 0;
            sound = delete_values_without_support(item);
        } else {
            return Reached::fixed_point;
        }
        if (!sound) return Reached::dead_end;
        if (stats_.updates >= next_reading) {
            if (Clock::now() >= until) return Reached::timed_out;
            next_reading = stats_.updates + between_readings;
        }
    }
}

// False if an item has no option left.
bool Propagation::delete_options_with_values(Number secondary) {
    const Number newest = std::exchange(deleted_[secondary], none);
    Number number = 0;
    for (Number value = newest; value != none; value = next_deleted_[value]) ++number;
    const Number first = tables_.value_start[secondary];
    for (const Number at : tables_.columns_of[secondary]) {
        const Column& column = tables_.columns[at];
        if (number > possible_[secondary]) {
            keep_possible(column);
        } else {
            for (Number value = newest; value != none; value = next_deleted_[value]) {
                subtract(column.item, tables_.supports[column.supports + value - first]);
            }
        }
        if (count_[column.item] == 0) {
            weight_[column.item] += 1;
            return false;
        }
    }
    for (Number value = newest; value != none; value = next_deleted_[value]) {
        for (const Number option : tables_.loose[value]) {
            for (const Place& at : tables_.places_of(option)) {
                clear_bit(at);
                if (count_[at.item] == 0) {
                    weight_[at.item] += 1;
                    return false;
                }
            }
        }
    }
    return true;
}

// False if the item has no option left.
bool Propagation::delete_values_without_support(Number item) {
    ++stats_.updates;
    if (count_[item] == 0) {
        weight_[item] += 1;
        return false;
    }
    if (count_[item] == 1) keep_values_of(item);
    for (Number at = tables_.column_start[item]; at < tables_.column_start[item + 1]; ++at) {
        const Column& column = tables_.columns[at];
        const Number secondary = column.secondary;
        if (column.without != none && is_supported(item, column.without)) continue;
        const auto values = possible(secondary);
        const Number first = tables_.value_start[secondary];
        stats_.updates += values.size();
        for (std::size_t place = values.size(); place-- > 0;) {
            const Number value = values[place];
            if (!is_supported(item, column.supports + value - first))
                delete_value(value, secondary);
        }
    }
    return true;
}

// Deletes what clashes with the only option left of an item.
void Propagation::keep_values_of(Number item) {
    const Word* const words = words_of(item);
    Number place = 0;
    visit_nonzero(item, [&](Number at) {
        if (words[at] != 0) place = at;
    });
    const auto bit = static_cast<Number>(place * word_bits) +
                     static_cast<Number>(std::countr_zero(words[place]));
    const Number option = tables_.option_at(item, bit);
    for (const Place& other : tables_.places_of(option)) {
        if (other.item != item) keep_only(other);
    }
    const Problem& problem = *problem_;
    for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
        if (problem.item[index(entry)] < problem.primary) continue;
        const auto secondary = static_cast<Number>(problem.item[index(entry)] - problem.primary);
        if (tables_.left_out[secondary]) continue;
        const Int color = problem.color_of(entry);
        const Number value = tables_.value_of(secondary, color);
        keep_only_value(value, secondary);
        if (color != 0) continue;
        for (const Number rival : tables_.loose[value]) {
            if (rival == option) continue;
            for (const Place& at : tables_.places_of(rival)) clear_bit(at);
        }
    }
}

// -- branching ------------------------------------------------------------------------------------

std::optional<Propagation::Number> Propagation::item_to_branch() {
    const auto items = static_cast<Number>(count_.size());
    std::optional<Number> best;
    double least = 0;
    Number ties = 0;
    stats_.updates += items;
    for (Number item = 0; item < items; ++item) {
        if (count_[item] == 1) continue;
        const double score = count_[item] / weight_[item];
        if (!best || score < least) {
            best = item;
            least = score;
            ties = 1;
        } else if (score == least && random_.below(++ties) == 0) {
            best = item;
        }
    }
    return best;
}

// The option, among some, whose values leave the most options to other items.
Propagation::Number Propagation::option_to_take(Number item) {
    const Problem& problem = *problem_;
    for (Number at = tables_.column_start[item]; at < tables_.column_start[item + 1]; ++at) {
        const Number secondary = tables_.columns[at].secondary;
        const Number first = tables_.value_start[secondary];
        for (const Number value : possible(secondary)) {
            double gain = 0;
            for (const Number other : tables_.columns_of[secondary]) {
                const Column& crossing = tables_.columns[other];
                if (crossing.item == item || crossing.without != none) continue;
                const Support& support = tables_.supports[crossing.supports + value - first];
                stats_.updates += support.listed() ? support.count : nonzeros_[crossing.item];
                gain += std::log(1.0 + count_with(crossing.item, support));
            }
            gain_[value] = gain;
        }
    }
    const Word* const words = words_of(item);
    std::vector<Number> bits;
    visit_nonzero(item, [&](Number place) {
        for (Word word = words[place]; word != 0; word &= word - 1) {
            bits.push_back(static_cast<Number>(place * word_bits) +
                           static_cast<Number>(std::countr_zero(word)));
        }
    });
    Number best = bits.front();
    double most = -1;
    for (std::size_t drawn = 0; drawn < std::min(bits.size(), candidates); ++drawn) {
        std::swap(bits[drawn], bits[drawn + random_.below(bits.size() - drawn)]);
        const Number option = tables_.option_at(item, bits[drawn]);
        double gain = 0;
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            ++stats_.updates;
            if (problem.item[index(entry)] < problem.primary) continue;
            const auto secondary =
                static_cast<Number>(problem.item[index(entry)] - problem.primary);
            if (!tables_.left_out[secondary]) {
                gain += gain_[tables_.value_of(secondary, problem.color_of(entry))];
            }
        }
        if (gain > most) {
            most = gain;
            best = bits[drawn];
        }
    }
    for (Number at = tables_.column_start[item]; at < tables_.column_start[item + 1]; ++at) {
        for (const Number value : possible(tables_.columns[at].secondary)) gain_[value] = 0;
    }
    return best;
}

void Propagation::choose(Place chosen) {
    levels_.push_back({chosen, word_trail_.size(), item_trail_.size(), value_trail_.size(), mark_});
    mark_ = ++last_mark_;
    ++stats_.nodes;
    keep_only(chosen);
}

void Propagation::clear_queues() {
    for (const Number item : item_queue_) in_item_queue_[item] = 0;
    for (const Number secondary : secondary_queue_) {
        in_secondary_queue_[secondary] = 0;
        deleted_[secondary] = none;
    }
    item_queue_.clear();
    secondary_queue_.clear();
}

void Propagation::undo_to(const Level& level) {
    clear_queues();
    stats_.updates += word_trail_.size() - level.words;
    for (; word_trail_.size() > level.words; word_trail_.pop_back()) {
        live_[word_trail_.back().place] = word_trail_.back().word;
    }
    for (; item_trail_.size() > level.items; item_trail_.pop_back()) {
        const SavedItem& saved = item_trail_.back();
        count_[saved.item] = saved.count;
        nonzeros_[saved.item] = saved.nonzero;
    }
    for (; value_trail_.size() > level.values; value_trail_.pop_back()) {
        ++possible_[value_trail_.back()];
    }
    mark_ = level.mark;
}

// Gives up the option taken last, and deletes it.
void Propagation::retreat() {
    if (levels_.empty()) {
        phase_ = Phase::finished;
        return;
    }
    const Level level = levels_.back();
    levels_.pop_back();
    undo_to(level);
    clear_bit(level.taken);
    phase_ = Phase::propagating;
}

void Propagation::give_up_try() {
    dead_ends_ = 0;
    if ((counter_ & (~counter_ + 1)) == term_) {
        ++counter_;
        term_ = 1;
    } else {
        term_ *= 2;
    }
    limit_ = unit * term_;
    if (levels_.empty()) return;
    undo_to(levels_.front());
    levels_.clear();
}

void Propagation::hand_over(Found* found) {
    std::vector<Int> chosen(given_);
    for (Number item = 0; item < count_.size(); ++item) {
        const Word* const words = words_of(item);
        visit_nonzero(item, [&](Number place) {
            if (words[place] == 0) return;
            const auto bit = static_cast<Number>(place * word_bits) +
                             static_cast<Number>(std::countr_zero(words[place]));
            const auto option = tables_.option_at(item, bit);
            const auto places = tables_.places_of(option);
            const bool first = std::all_of(places.begin(), places.end(),
                                           [&](const Place& at) { return at.item >= item; });
            if (first && !is_given_[option]) chosen.push_back(static_cast<Int>(option));
        });
    }
    if (first_clash(*problem_, chosen)) throw std::logic_error("propagation: no solution");
    ++stats_.solutions;
    if (found == nullptr) return;
    for (const Int option : chosen) found->labels.push_back(problem_->label_of(option));
    found->ends.push_back(found->labels.size());
}

Outcome Propagation::run(const Quota& quota) {
    const std::uint64_t wanted = stats_.solutions + quota.solutions;
    std::uint64_t next_reading = stats_.updates + between_readings;
    for (;;) {
        if (phase_ == Phase::finished) return Outcome::finished;
        if (phase_ == Phase::retreating) retreat();
        if (phase_ == Phase::propagating) {
            const Reached reached = propagate(quota.until);
            if (reached == Reached::timed_out) return Outcome::timed_out;
            phase_ = Phase::choosing;
            if (reached == Reached::dead_end) {
                ++dead_ends_;
                phase_ = Phase::retreating;
            }
        }
        if (stats_.updates >= next_reading) {
            if (Clock::now() >= quota.until) return Outcome::timed_out;
            next_reading = stats_.updates + between_readings;
        }
        if (phase_ == Phase::choosing) {
            if (dead_ends_ >= limit_ && stats_.solutions == 0) give_up_try();
            const auto item = item_to_branch();
            branch_ = item.value_or(0);
            phase_ = item ? Phase::taking : Phase::retreating;
            if (!item) {
                hand_over(quota.found);
                if (stats_.solutions >= wanted) return Outcome::enough;
            }
        }
        if (phase_ == Phase::taking) {
            if (stats_.nodes >= quota.nodes) return Outcome::spent;
            choose({branch_, option_to_take(branch_)});
            phase_ = Phase::propagating;
        }
    }
}

void Propagation::rewind() {
    if (!levels_.empty()) undo_to(levels_.front());
    levels_.clear();
    phase_ = Phase::finished;
}

std::optional<Position> Propagation::position() {
    throw std::logic_error("propagation: no position");
}

std::vector<std::byte> Propagation::image() const {
    throw std::logic_error("propagation: no image");
}

void Propagation::restart(std::span<const Int>, const Position&) {
    throw std::logic_error("propagation: no restart at a position");
}

}  // namespace dlx
