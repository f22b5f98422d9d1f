// The reduction: rounds of checking items for options that they block, then removing items.
#include "reduce/reduction.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/random_numbers.hpp"
#include "reduce/item_lists.hpp"

namespace dlx {
namespace {

constexpr std::uint64_t poll_every = 1 << 16;

class Reducer {
public:
    Reducer(const Problem& problem, std::span<const std::uint8_t> alone,
            const ReductionLimits& limits)
        : problem_(problem),
          limits_(limits),
          alone_(alone),
          lists_(problem),
          waiting_(index(problem.primary), false),
          watched_(problem.item.size(), 0),
          seen_(index(problem.options()), 0),
          marked_(index(problem.items), 0),
          mark_color_(index(problem.items), 0),
          mean_size_(problem.item.size() / std::max<std::size_t>(1, index(problem.options()))) {
        result_.blocker.assign(index(problem.options()), Reduction::none);
        result_.into.resize(index(problem.items));
        std::iota(result_.into.begin(), result_.into.end(), 0);
    }

    Reduction run(std::span<const Int> given) {
        for (Int item = 0; item < problem_.primary; ++item) wait_for(item);
        for (const Int option : given) force(option);
        while (!pending_.empty() && !stopped_) run_round();
        result_.complete = !stopped_;
        merge_primary();
        for (Int item = problem_.items; item-- > problem_.primary;) drop_if_idle(item);
        for (Int item = problem_.primary; item < problem_.items; ++item) {
            Int& into = result_.into[index(item)];  // that item may have been removed later
            if (into != Reduction::none) into = result_.into[index(into)];
        }
        result_.work = work_;
        return std::move(result_);
    }

private:
    bool is_alone(Int item) const noexcept { return !alone_.empty() && alone_[index(item)] != 0; }
    bool is_live(Int option) const noexcept {
        return result_.blocker[index(option)] == Reduction::none;
    }
    Int begin_of(Int option) const noexcept { return problem_.start[index(option)]; }
    Int end_of(Int option) const noexcept { return problem_.start[index(option) + 1]; }
    std::uint64_t size_of(Int option) const noexcept {
        return static_cast<std::uint64_t>(end_of(option) - begin_of(option));
    }

    // Counts work, and checks the limits from time to time.
    void spend(std::uint64_t entries) {
        work_ += entries;
        if (work_ < next_poll_) return;
        next_poll_ = work_ + poll_every;
        if (work_ >= limits_.work || (limits_.go_on && !limits_.go_on())) stopped_ = true;
    }

    void wait_for(Int item) {
        if (item >= problem_.primary || is_alone(item) || waiting_[index(item)]) return;
        waiting_[index(item)] = true;
        pending_.push_back(item);
    }

    void remove(Int option, Int blocker) {
        result_.blocker[index(option)] = blocker;
        for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
            const Int item = problem_.item[index(entry)];
            lists_.lose_one(item);
            if (watched_[index(entry)] != 0 || lists_.count(item) == 0) wait_for(item);
        }
        spend(size_of(option));
        removed_any_ = true;
    }

    std::span<const Int> live_options(Int item) {
        spend(lists_.compact(item, [this](Int option) { return is_live(option); }));
        return lists_.options(item);
    }

    // Makes a given option the only one left for its first item that is not in `alone`.
    void force(Int given) {
        for (Int entry = begin_of(given); entry < end_of(given); ++entry) {
            const Int item = problem_.item[index(entry)];
            if (item >= problem_.primary || is_alone(item)) continue;
            for (const Int option : live_options(item)) {
                if (option != given) remove(option, item);
            }
            return;
        }
    }

    // Checks all items that have lost options (in the first round: all items), short lists first.
    void run_round() {
        std::vector<Int> items;
        items.swap(pending_);
        std::sort(items.begin(), items.end(), [this](Int a, Int b) {
            return std::pair(lists_.count(a), a) < std::pair(lists_.count(b), b);
        });
        removed_any_ = false;
        for (const Int item : items) {
            if (stopped_) break;
            waiting_[index(item)] = false;
            if (lists_.count(item) == 0) {
                remove_all(item);
                break;
            }
            find_blocked(item);
            for (const Int option : blocked_) remove(option, item);
        }
        if (removed_any_) ++result_.rounds;
    }

    // Removes all options: there is no solution, because an item has no options.
    void remove_all(Int item) {
        for (Int option = 0; option < problem_.options(); ++option) {
            if (is_live(option)) remove(option, item);
        }
        pending_.clear();
        stopped_ = false;  // the reduction is complete
    }

    // Sets `blocked_` to the options that `item` blocks.
    void find_blocked(Int item) {
        blocked_.clear();
        candidates_.clear();
        const auto options = live_options(item);
        unwatch(item, options);
        ++stamp_;
        for (const Int option : options) seen_[index(option)] = stamp_;
        find_shared(item, options);
        for (const Int shared : shared_) collect(live_options(shared), blocked_);

        const Int first = least_conflicting(options);
        for_each_rival(first, item, [this](Int rival) { collect({&rival, 1}, candidates_); });
        // Neighbours in a list often conflict with the same options: take them far apart.
        const std::size_t count = options.size();
        const std::size_t step = stride(count);
        for (std::size_t n = 0, place = 0; n < count && !candidates_.empty(); ++n) {
            if (options[place] != first) keep_conflicting(options[place], item);
            if (stopped_) candidates_.clear();
            place = (place + step) % count;
        }
        blocked_.insert(blocked_.end(), candidates_.begin(), candidates_.end());
    }

    // Adds options that have not been collected yet.
    void collect(std::span<const Int> options, std::vector<Int>& to) {
        for (const Int option : options) {
            if (seen_[index(option)] == stamp_) continue;
            seen_[index(option)] = stamp_;
            to.push_back(option);
        }
        spend(options.size());
    }

    void unwatch(Int item, std::span<const Int> options) {
        for (const Int option : options) {
            Int entry = begin_of(option);
            while (problem_.item[index(entry)] != item) ++entry;
            watched_[index(entry)] = 0;
        }
    }

    static std::size_t stride(std::size_t count) {
        std::size_t step = std::max<std::size_t>(1, count * 5 / 8);
        while (std::gcd(step, count) != 1) ++step;
        return step;
    }

    // The option whose items are in the fewest other options in total.
    Int least_conflicting(std::span<const Int> options) {
        Int best = options.front();
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const Int option : options) {
            std::int64_t sum = 0;
            for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
                sum += lists_.count(problem_.item[index(entry)]);
            }
            spend(size_of(option));
            if (sum < least) std::tie(least, best) = std::tuple(sum, option);
        }
        return best;
    }

    // Keeps the candidates that conflict with an option of `item`: reads all conflicts of that
    // option or, if that is less work, the items of each candidate.
    void keep_conflicting(Int option, Int item) {
        std::uint64_t rivals = 0;
        for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
            rivals += index(lists_.count(problem_.item[index(entry)]));
        }
        if (rivals < candidates_.size() * mean_size_) {
            ++stamp_;
            for_each_rival(option, item, [this](Int rival) { seen_[index(rival)] = stamp_; });
            spend(rivals + candidates_.size());
            std::erase_if(candidates_, [this](Int other) { return seen_[index(other)] != stamp_; });
        } else {
            keep_conflicting_by_items(option, item);
        }
    }

    // All options that conflict with an option of `item` other than by that item, which is watched
    // from now on; some more than once.
    template <class Visit>
    void for_each_rival(Int option, Int item, Visit visit) {
        for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
            const Int shared = problem_.item[index(entry)];
            if (shared == item) watched_[index(entry)] = 1;
            if (shared == item || is_alone(shared)) continue;
            const Int color = problem_.color_of(entry);
            const auto rivals = live_options(shared);
            for (std::size_t place = 0; place < rivals.size(); ++place) {
                if (color == 0 || lists_.color(shared, place) != color) visit(rivals[place]);
            }
        }
    }

    void keep_conflicting_by_items(Int option, Int item) {
        ++mark_;
        for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
            const Int other = problem_.item[index(entry)];
            if (other == item) watched_[index(entry)] = 1;
            if (is_alone(other)) continue;
            marked_[index(other)] = mark_;
            mark_color_[index(other)] = problem_.color_of(entry);
        }
        std::uint64_t read = size_of(option);
        std::erase_if(candidates_, [this, &read](Int candidate) {
            read += size_of(candidate);
            return !conflicts_with_marked(candidate);
        });
        spend(read);
    }

    bool conflicts_with_marked(Int option) const noexcept {
        for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
            const auto item = index(problem_.item[index(entry)]);
            if (marked_[item] != mark_) continue;
            const Int color = problem_.color_of(entry);
            if (color == 0 || color != mark_color_[item]) return true;
        }
        return false;
    }

    // Sets `shared_` to the kept items that all these options contain, without color, besides
    // `item`: whatever else contains one of them conflicts with all of these.
    void find_shared(Int item, std::span<const Int> options) {
        shared_.clear();
        for (Int entry = begin_of(options[0]); entry < end_of(options[0]); ++entry) {
            const Int other = problem_.item[index(entry)];
            const bool kept = result_.into[index(other)] == other;
            if (other != item && kept && !is_alone(other) && problem_.color_of(entry) == 0) {
                shared_.push_back(other);
            }
        }
        for (const Int option : options) {
            if (shared_.empty()) return;
            ++mark_;
            for (Int entry = begin_of(option); entry < end_of(option); ++entry) {
                if (problem_.color_of(entry) == 0)
                    marked_[index(problem_.item[index(entry)])] = mark_;
            }
            spend(size_of(option));
            std::erase_if(shared_, [this](Int shared) { return marked_[index(shared)] != mark_; });
        }
    }

    // -- items -----------------------------------------------------------------------------------

    bool same_options(Int one, Int other) {
        const auto a = live_options(one);
        const auto b = live_options(other);
        spend(a.size());
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

    // Replaces primary items with the same options by the first of them.
    void merge_primary() {
        struct Key {
            Int count;
            std::uint64_t hash;
            Int item;
            auto operator<=>(const Key&) const = default;
        };
        std::vector<Key> keys;
        for (Int item = 0; item < problem_.primary; ++item) {
            if (is_alone(item)) continue;
            std::uint64_t hash = 0;
            for (const Int option : live_options(item)) hash += RandomNumbers(index(option)).next();
            spend(index(lists_.count(item)));
            keys.push_back({lists_.count(item), hash, item});
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t place = 1; place < keys.size(); ++place) {
            const Key& key = keys[place];
            const Key& before = keys[place - 1];
            if (key.count != before.count || key.hash != before.hash) continue;
            if (same_options(key.item, before.item)) {
                result_.into[index(key.item)] = result_.into[index(before.item)];
            }
        }
    }

    // Removes a secondary item that excludes no two options, or only such as exclude each other at
    // another item.
    void drop_if_idle(Int item) {
        if (is_alone(item)) return;
        const auto options = live_options(item);
        Int& into = result_.into[index(item)];
        if (options.size() <= 1 || has_one_color(item)) {
            into = Reduction::none;
            return;
        }
        find_shared(item, options);
        if (!shared_.empty()) into = *std::min_element(shared_.begin(), shared_.end());
    }

    bool has_one_color(Int item) {
        const std::size_t length = lists_.options(item).size();
        const Int color = lists_.color(item, 0);
        std::size_t place = 0;
        while (place < length && lists_.color(item, place) == color) ++place;
        spend(place);
        return color != 0 && place == length;
    }

    const Problem& problem_;
    const ReductionLimits& limits_;
    std::span<const std::uint8_t> alone_;
    ItemLists lists_;
    std::vector<Int> pending_;   // primary items to be checked in the next round
    std::vector<bool> waiting_;  // by item: pending, or still to be checked in this round?
    std::vector<std::uint8_t>
        watched_;               // by entry: did its option exclude a candidate of its item?
    std::vector<Int> blocked_;  // by the current item; at first, the candidates
    std::vector<Int> candidates_;
    std::vector<Int> shared_;
    std::vector<std::uint64_t> seen_;    // by option: the stamp of when it was last collected
    std::vector<std::uint64_t> marked_;  // by item: the mark of the option read last that has it
    std::vector<Int> mark_color_;
    std::uint64_t mean_size_;  // of an option
    std::uint64_t stamp_ = 0;
    std::uint64_t mark_ = 0;
    std::uint64_t work_ = 0;
    std::uint64_t next_poll_ = 0;
    bool stopped_ = false;
    bool removed_any_ = false;
    Reduction result_;
};

}  // namespace

Reduction reduce(const Problem& problem, std::span<const Int> given,
                 std::span<const std::uint8_t> alone, const ReductionLimits& limits) {
    return Reducer(problem, alone, limits).run(given);
}

Rows kept_rows(const Problem& problem, const Reduction& reduction, std::span<const Int> number) {
    Rows rows;
    rows.start.push_back(0);
    PeriodicCheck periodic;
    for (std::size_t option = 0; option < reduction.blocker.size(); ++option) {
        periodic.add(1);
        if (reduction.blocker[option] != Reduction::none) continue;
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            const auto item = index(problem.item[index(entry)]);
            if (reduction.into[item] != problem.item[index(entry)]) continue;
            rows.item.push_back(number[item]);
            if (problem.colored()) rows.color.push_back(problem.color[index(entry)]);
            periodic.add(1);
        }
        rows.start.push_back(static_cast<Int>(rows.item.size()));
    }
    const bool plain = std::all_of(rows.color.begin(), rows.color.end(), std::logical_not<Int>{});
    if (plain) rows.color.clear();
    return rows;
}

std::optional<Problem> clearly_smaller(const Problem& problem, std::uint64_t work) {
    std::vector<std::uint8_t> alone(problem.multiple() ? index(problem.items) : 0, 0);
    for (std::size_t item = 0; item < problem.low.size(); ++item) {
        alone[item] = problem.low[item] != 1 || problem.high[item] != 1;
    }
    const Reduction reduction = reduce(problem, {}, alone, {.work = work, .go_on = nullptr});
    const auto kept =
        std::count(reduction.blocker.begin(), reduction.blocker.end(), Reduction::none);
    if (20 * kept > 19 * std::ptrdiff_t{problem.options()}) return std::nullopt;
    Problem smaller;
    std::vector<Int> number(index(problem.items));
    for (Int item = 0; item < problem.items; ++item) {
        number[index(item)] = smaller.items;
        if (reduction.into[index(item)] != item) continue;
        ++smaller.items;
        if (item >= problem.primary) continue;
        ++smaller.primary;
        if (!problem.multiple()) continue;
        smaller.low.push_back(problem.low[index(item)]);
        smaller.high.push_back(problem.high[index(item)]);
    }
    Rows rows = kept_rows(problem, reduction, number);
    smaller.start = std::move(rows.start);
    smaller.item = std::move(rows.item);
    smaller.color = std::move(rows.color);
    for (Int option = 0; option < problem.options(); ++option) {
        if (reduction.blocker[index(option)] != Reduction::none) continue;
        smaller.label.push_back(problem.label_of(option));
        if (!problem.weighted()) continue;
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            const auto item = index(problem.item[index(entry)]);
            if (reduction.into[item] == problem.item[index(entry)]) {
                smaller.weight.push_back(problem.weight[index(entry)]);
            }
        }
    }
    return smaller;
}

}  // namespace dlx
