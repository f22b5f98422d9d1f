// Local search for cheap solutions: see minimum/local_search.hpp.
#include "minimum/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace dlx {

LocalSearch::LocalSearch(IntegerProgram rows, std::uint64_t seed)
    : rows_(std::move(rows)), random_(seed) {
    const std::size_t count = rows_.low.size();
    std::vector<std::int64_t> most(count, 0);  // how often each row can be covered
    heaviest_.assign(count, 0);
    choices_start_.assign(count + 1, 0);
    row_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
        constexpr std::int64_t most_times = std::numeric_limits<Int>::max();
        row_[row].low = static_cast<Int>(rows_.low[row]);
        row_[row].high = static_cast<Int>(std::min(rows_.high[row], most_times));
    }
    option_.resize(rows_.cost.size());
    usable_.assign(rows_.cost.size(), false);
    for (Int option = 0; option < static_cast<Int>(option_.size()); ++option) {
        total_ += std::abs(rows_.cost[index(option)]);
        if (!fits(option)) continue;  // it is in no solution
        usable_[index(option)] = true;
        for (std::size_t at = first(option); at < last(option); ++at) {
            const std::size_t row = row_of(at);
            ++choices_start_[row + 1];
            most[row] += times(at);
            heaviest_[row] = std::max(heaviest_[row], times(at));
        }
    }
    holders_.resize(count);
    place_.assign(count, none);
    for (std::size_t row = 0; row < count; ++row) {
        choices_start_[row + 1] += choices_start_[row];
        packs_ = packs_ || most[row] > row_[row].high;
        weights_ += row_[row].low;
        if (row_[row].low > 0) open(row);
    }
    choices_.resize(choices_start_.back());
    std::vector<std::size_t> next(choices_start_.begin(), choices_start_.end() - 1);
    for (Int option = 0; option < static_cast<Int>(option_.size()); ++option) {
        if (!usable_[index(option)]) continue;
        for (std::size_t at = first(option); at < last(option); ++at) {
            choices_[next[row_of(at)]++] = option;
        }
    }
    set_reduced(rows_.cost);
    if (negative_.empty()) return;
    double least = 0;  // the price of one time that leaves no cost negative
    for (const Int option : negative_) {
        Int exact = 0;
        for (std::size_t at = first(option); at < last(option); ++at) {
            if (row_[row_of(at)].low == row_[row_of(at)].high) exact += times(at);
        }
        if (exact > 0)
            least = std::min(least, static_cast<double>(rows_.cost[index(option)]) / exact);
    }
    set_prices(std::vector<double>(count, least));
    priced_ = false;  // they are not good ones
}

void LocalSearch::set_reduced(std::vector<std::int64_t> reduced) {
    reduced_ = std::move(reduced);
    paid_ = 0;
    negative_sum_ = 0;
    negative_.clear();
    for (Int option = 0; option < static_cast<Int>(option_.size()); ++option) {
        if (taken(option)) paid_ += reduced_[index(option)];
        if (reduced_[index(option)] >= 0 || !usable_[index(option)]) continue;
        negative_.push_back(option);
        negative_sum_ += reduced_[index(option)];
    }
    limit_ = limit_of(cutoff_);
}

void LocalSearch::set_cutoff(std::int64_t cutoff) noexcept {
    if (cutoff <= total_) cutoff_ = std::min(cutoff_, std::max(cutoff, -total_));
    limit_ = limit_of(cutoff_);
}

void LocalSearch::set_prices(std::span<const double> prices) {
    // In 64 bits, a solution's cost and any set's reduced costs must have room.
    auto sum = static_cast<double>(total_) + 1;
    for (std::size_t at = 0; at < rows_.row.size(); ++at) {
        sum += std::abs(prices[row_of(at)]) * times(at);
    }
    const double room = std::floor(std::log2(std::ldexp(1.0, 60) / sum));
    if (!(room >= 0)) return;
    scale_ = std::int64_t{1} << std::min(static_cast<int>(room), finest);
    priced_ = true;
    offset_ = 0;
    std::vector<std::int64_t> price(row_.size(), 0);
    for (std::size_t row = 0; row < row_.size(); ++row) {
        weights_ -= static_cast<double>(row_[row].weight - 1) * row_[row].low;
        row_[row].weight = 1;
        if (row_[row].low != row_[row].high || choices_start_[row] == choices_start_[row + 1]) {
            continue;
        }
        price[row] = std::llround(prices[row] * static_cast<double>(scale_));
        offset_ += price[row] * row_[row].low;
    }
    std::vector<std::int64_t> reduced = rows_.cost;
    for (Int option = 0; option < static_cast<Int>(option_.size()); ++option) {
        reduced[index(option)] *= scale_;
        option_[index(option)].loss = 0;
        for (std::size_t at = first(option); at < last(option); ++at) {
            reduced[index(option)] -= price[row_of(at)] * times(at);
            if (taken(option)) option_[index(option)].loss += row_[row_of(at)].loss(times(at));
        }
    }
    set_reduced(std::move(reduced));
    work_ += rows_.row.size();
}

std::optional<LocalSearch::Solution> LocalSearch::run(std::uint64_t most_work,
                                                      Clock::time_point until) {
    const std::uint64_t end = work_ + most_work * steps_a_unit;
    std::optional<Solution> found;
    std::uint64_t next_check = work_ + check_interval;
    while (work_ < end) {
        if (open_.empty()) {
            note(found);
            if (open_.empty()) break;  // no set is cheaper than the empty one
        } else {
            step();
        }
        if (work_ < next_check) continue;
        if (Clock::now() >= until) break;
        next_check = work_ + check_interval;
    }
    return found;
}

void LocalSearch::step() {
    const Int option = best_choice(index(open_[random_.below(open_.size())]));
    ++work_;
    if (option != none) {
        exchange(option);
        drop_expensive(option);
    }
    raise_weights();
}

// The best option of a row, or of a sample of its options if there are many.
Int LocalSearch::best_choice(std::size_t row) {
    const std::size_t begin = choices_start_[row];
    const std::size_t size = choices_start_[row + 1] - begin;
    if (size == 0) return none;
    const std::size_t stride = (size + most_compared - 1) / most_compared;
    // What a unit of cost is worth. With equality at the cutoff, options would on average be worth
    // as much as they cost; then the set would stay far from a solution.
    const double limit = std::abs(static_cast<double>(limit_));
    const double worth =
        limit_ == no_limit ? 0 : (priced_ ? 0.1 : 0.4) * weights_ / std::max(1.0, limit);
    // Every solution with a more expensive option is too expensive.
    const std::int64_t most = limit_ == no_limit ? no_limit : limit_ - negative_sum_;
    Int best = none;
    Move best_move{0, 0, false};
    double best_value = 0;
    for (std::size_t at = stride == 1 ? 0 : random_.below(stride); at < size; at += stride) {
        const Int option = choices_[begin + at];
        if (taken(option) || reduced_[index(option)] >= most) continue;
        const Move move = move_of(option);
        const auto gain = static_cast<double>(move.gain);
        const auto cost = static_cast<double>(move.cost);
        const double value = packs_ ? gain - worth * cost : gain / std::max(1.0, cost);
        if (best != none) {
            if (move.blocked != best_move.blocked ? move.blocked : value < best_value) continue;
            if (move.blocked == best_move.blocked && value == best_value &&
                option_[index(option)].moved >= option_[index(best)].moved) {
                continue;
            }
        }
        best = option;
        best_move = move;
        best_value = value;
    }
    return best;
}

// About what taking an option changes. What the options that it clashes with share with each other
// is not considered.
LocalSearch::Move LocalSearch::move_of(Int option) {
    ++marks_;
    const std::uint64_t moved = option_[index(option)].moved;
    Move move{0, reduced_[index(option)], moved != 0};
    for (std::size_t at = first(option); at < last(option); ++at) {
        const Row& row = row_[row_of(at)];
        if (row.changed > moved) move.blocked = false;
        if (row.covered + times(at) <= row.high) {
            if (row.covered < row.low) {
                move.gain += row.weight * std::min(times(at), row.low - row.covered);
            }
        } else if (row.high == 1 && row.covered == 1) {
            Option& other = option_[index(row.holder)];
            if (row.low == 1) move.gain += row.weight;
            if (other.marked == marks_) continue;
            other.marked = marks_;
            move.gain -= other.loss;
            move.cost -= reduced_[index(row.holder)];
        } else {
            count_clash(row_of(at), times(at), move);
        }
    }
    work_ += 1 + last(option) - first(option);
    return move;
}

// The same for one of its rows, if that is covered too often then.
void LocalSearch::count_clash(std::size_t row, Int wanted, Move& move) {
    const Row& one = row_[row];
    Int left = one.covered;
    const auto leave = [&](const Holder& holder) {
        left -= holder.times;
        move.gain += one.loss(holder.times);  // counted below for the whole row
    };
    for (const Holder& holder : holders_[row]) {
        if (option_[index(holder.option)].marked == marks_) leave(holder);
    }
    while (left + wanted > one.high) {
        const Holder* clash = next_clash(row);
        if (clash == nullptr) break;  // it alone is too much
        option_[index(clash->option)].marked = marks_;
        move.gain -= option_[index(clash->option)].loss;
        move.cost -= reduced_[index(clash->option)];
        leave(*clash);
    }
    move.gain += one.weight * (one.lacking(one.covered) - one.lacking(left + wanted));
}

// The holder of a row that loses least and is not marked.
const LocalSearch::Holder* LocalSearch::next_clash(std::size_t row) {
    const Holder* least = nullptr;
    for (const Holder& holder : holders_[row]) {
        const Option& one = option_[index(holder.option)];
        if (one.marked != marks_ &&
            (least == nullptr || one.loss < option_[index(least->option)].loss)) {
            least = &holder;
        }
    }
    work_ += holders_[row].size();
    return least;
}

// Sets clashing_ to the options that must be dropped for an option.
void LocalSearch::find_clashes(Int option) {
    clashing_.clear();
    ++marks_;
    for (std::size_t at = first(option); at < last(option); ++at) {
        const std::size_t row = row_of(at);
        Int over = row_[row].covered + times(at) - row_[row].high;
        if (over <= 0) continue;
        for (const Holder& holder : holders_[row]) {
            if (option_[index(holder.option)].marked == marks_) over -= holder.times;
        }
        while (over > 0) {
            const Holder* clash = next_clash(row);
            if (clash == nullptr) break;
            option_[index(clash->option)].marked = marks_;
            clashing_.push_back(clash->option);
            over -= clash->times;
        }
    }
}

// Takes an option, and drops those that it clashes with.
void LocalSearch::exchange(Int option) {
    find_clashes(option);
    take(option);
    for (const Int other : clashing_) drop(other);
}

void LocalSearch::raise_weights() {
    for (const Int number : open_) {
        Row& row = row_[index(number)];
        ++row.weight;
        weights_ += row.low;
        for (const Holder& holder : holders_[index(number)]) {
            option_[index(holder.option)].loss += holder.times;
        }
        work_ += 1 + holders_[index(number)].size();
    }
}

// No row is open: notes the solution, if it is cheap enough, and begins to search for the next one.
void LocalSearch::note(std::optional<Solution>& found) {
    drop_spare();
    if (paid_ < limit_) {
        limit_ = paid_;
        cutoff_ = (paid_ + offset_) / scale_;
        found = {cutoff_, taken_};
        std::ranges::sort(found->options);
        work_ += taken_.size();
    }
    drop_expensive(none);
    if (open_.empty() && !negative_.empty()) {
        const Int option = negative_[random_.below(negative_.size())];
        if (!taken(option)) exchange(option);
    }
    if (open_.empty() && !taken_.empty()) drop(taken_[random_.below(taken_.size())]);
    ++work_;
}

// Drops options without which the set is still a solution, the most expensive first; then takes
// those that lower the cost and fit.
void LocalSearch::drop_spare() {
    for (;;) {
        Int most = none;
        for (const Int option : taken_) {
            if (option_[index(option)].loss == 0 && reduced_[index(option)] > 0 &&
                (most == none || reduced_[index(option)] > reduced_[index(most)])) {
                most = option;
            }
        }
        work_ += taken_.size();
        if (most == none) break;
        drop(most);
    }
    if (negative_.empty()) return;
    const std::size_t begin = random_.below(negative_.size());
    for (std::size_t at = 0; at < negative_.size(); ++at) {
        const Int option = negative_[(begin + at) % negative_.size()];
        if (!taken(option) && fits(option)) take(option);
    }
    work_ += negative_.size();
}

bool LocalSearch::fits(Int option) const noexcept {
    for (std::size_t at = first(option); at < last(option); ++at) {
        if (row_[row_of(at)].covered + times(at) > row_[row_of(at)].high) return false;
    }
    return true;
}

// While the set is too expensive, drops the option, but `tabu`, that loses least for its cost.
void LocalSearch::drop_expensive(Int tabu) {
    while (paid_ >= limit_) {
        Int best = none;
        double least = 0;
        for (const Int option : taken_) {
            if (option == tabu || reduced_[index(option)] <= 0) continue;
            const Option& one = option_[index(option)];
            const double ratio =
                static_cast<double>(one.loss) / static_cast<double>(reduced_[index(option)]);
            if (best == none || ratio < least ||
                (ratio == least && one.moved < option_[index(best)].moved)) {
                best = option;
                least = ratio;
            }
        }
        work_ += taken_.size();
        if (best == none) return;
        drop(best);
    }
}

void LocalSearch::take(Int option) {
    ++move_;
    Option& one = option_[index(option)];
    one.place = static_cast<Int>(taken_.size());
    one.moved = move_;
    one.loss = 0;
    taken_.push_back(option);
    paid_ += reduced_[index(option)];
    for (std::size_t at = first(option); at < last(option); ++at) {
        const std::size_t row = row_of(at);
        cover(row, times(at));
        one.loss += row_[row].loss(times(at));
        holders_[row].push_back({option, times(at)});
        row_[row].holder = option;
    }
    work_ += last(option) - first(option);
}

void LocalSearch::drop(Int option) {
    ++move_;
    Option& one = option_[index(option)];
    const Int other = taken_.back();
    taken_[index(one.place)] = other;
    option_[index(other)].place = one.place;
    taken_.pop_back();
    one.place = none;
    one.moved = move_;
    paid_ -= reduced_[index(option)];
    for (std::size_t at = first(option); at < last(option); ++at) {
        const std::size_t row = row_of(at);
        std::vector<Holder>& holders = holders_[row];
        std::size_t place = 0;
        while (holders[place].option != option) ++place;
        holders[place] = holders.back();
        holders.pop_back();
        row_[row].holder = holders.empty() ? none : holders.front().option;
        cover(row, -times(at));
    }
    work_ += last(option) - first(option);
}

// Changes how often a row is covered, and what its holders would lose.
void LocalSearch::cover(std::size_t row, Int change) {
    Row& one = row_[row];
    const Int before = one.covered;
    const Int after = before + change;
    if (std::min(before, after) - heaviest_[row] < one.low) {
        for (const Holder& holder : holders_[row]) {
            Weight& loss = option_[index(holder.option)].loss;
            one.covered = before;
            loss -= one.loss(holder.times);
            one.covered = after;
            loss += one.loss(holder.times);
        }
        work_ += holders_[row].size();
    }
    one.covered = after;
    one.changed = move_;
    if (place_[row] == none && after < one.low) open(row);
    if (place_[row] != none && after >= one.low) close(row);
}

void LocalSearch::open(std::size_t row) {
    place_[row] = static_cast<Int>(open_.size());
    open_.push_back(static_cast<Int>(row));
}

void LocalSearch::close(std::size_t row) {
    const Int other = open_.back();
    open_[index(place_[row])] = other;
    place_[index(other)] = place_[row];
    open_.pop_back();
    place_[row] = none;
}

void LocalSearch::check() const {
    const auto expect = [](bool condition) {
        if (!condition) throw std::logic_error("local search: an invariant is broken");
    };
    std::vector<Int> covered(row_.size(), 0);
    std::int64_t paid = 0;
    for (const Int option : taken_) {
        paid += reduced_[index(option)];
        for (std::size_t at = first(option); at < last(option); ++at) {
            covered[row_of(at)] += times(at);
        }
    }
    expect(paid == paid_);
    std::size_t lacking = 0;
    for (std::size_t row = 0; row < row_.size(); ++row) {
        expect(covered[row] == row_[row].covered && covered[row] <= row_[row].high);
        expect((place_[row] != none) == (covered[row] < row_[row].low));
        lacking += covered[row] < row_[row].low ? 1 : 0;
    }
    expect(lacking == open_.size());
    for (const Int option : taken_) {
        Weight loss = 0;
        for (std::size_t at = first(option); at < last(option); ++at) {
            loss += row_[row_of(at)].loss(times(at));
        }
        expect(loss == option_[index(option)].loss);
    }
}

}  // namespace dlx
