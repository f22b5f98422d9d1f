// Splits problems into parts, and joins the cheapest solutions of these: see minimum/parts.hpp.
#include "minimum/parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "minimum/saved_state.hpp"
#include "minimum/visiting_order.hpp"

namespace dlx {
namespace {

class Splitter {
public:
    Splitter(const Problem& problem, std::span<const Int> given)
        : problem_(problem), cells_(problem), root_(index(problem.items)) {
        for (const Int option : given) viable_ = viable_ && cells_.take(option, ignore);
        options_.assign(cells_.alive().begin(), cells_.alive().end());
        std::sort(options_.begin(), options_.end());
    }

    std::vector<ProblemPart> parts() {
        if (!viable_) return {};
        connect();
        std::vector<Int> part_of(root_.size(), -1);
        std::vector<Int> number(root_.size(), -1);  // of an item in its part
        std::vector<Problem> problems;
        std::vector<ProblemPart> parts;
        for (Int item = 0; item < problem_.primary; ++item) {
            if (!cells_.is_open(item)) continue;
            Int& part = part_of[index(find(item))];
            if (part < 0) {
                part = static_cast<Int>(problems.size());
                problems.emplace_back().start.push_back(0);
                parts.emplace_back();
            }
            Problem& own = problems[index(part)];
            number[index(item)] = own.items++;
            ++own.primary;
            own.low.push_back(cells_.need(item));
            own.high.push_back(cells_.bound(item));
        }
        if (problems.size() < 2) return {};
        add_options(part_of, number, problems, parts);
        for (std::size_t part = 0; part < parts.size(); ++part) {
            Problem& own = problems[part];
            const auto is_one = [](Int bound) { return bound == 1; };
            if (std::all_of(own.low.begin(), own.low.end(), is_one) &&
                std::all_of(own.high.begin(), own.high.end(), is_one)) {
                own.low.clear();
                own.high.clear();
                own.weight.clear();
            }
            parts[part].problem = std::make_shared<const Problem>(std::move(own));
        }
        return parts;
    }

private:
    void add_options(const std::vector<Int>& part_of, std::vector<Int>& number,
                     std::vector<Problem>& problems, std::vector<ProblemPart>& parts) {
        std::vector<Int> owner(root_.size(), -1);  // the part that has numbered a secondary item
        for (const Int option : options_) {
            const Int part = part_of[index(find(primary_item_of(option)))];
            Problem& own = problems[index(part)];
            for (const Int entry : cells_.entries_of(option)) {
                const Int item = cells_.item_of(entry);
                if (!cells_.is_primary(item)) {
                    if (!connects_[index(item)]) continue;
                    if (owner[index(item)] != part) {
                        owner[index(item)] = part;
                        number[index(item)] = own.items++;
                    }
                }
                own.item.push_back(number[index(item)]);
                if (problem_.weighted()) own.weight.push_back(problem_.weight_of(entry));
                if (problem_.colored()) own.color.push_back(problem_.color_of(entry));
            }
            own.start.push_back(own.entries());
            parts[index(part)].option.push_back(option);
        }
    }

    // Joins the items of each option. A secondary item that all options left give the same color
    // excludes nothing, and is left out.
    void connect() {
        std::iota(root_.begin(), root_.end(), 0);
        connects_.assign(root_.size(), 1);
        for (Int item = problem_.primary; item < problem_.items; ++item) {
            const std::span<const Int> left = cells_.left(item);
            if (left.empty()) continue;
            const Int color = problem_.color_of(left.front());
            const bool same = std::all_of(left.begin(), left.end(), [&](Int entry) {
                return problem_.color_of(entry) == color;
            });
            if (left.size() == 1 || (same && color != 0)) connects_[index(item)] = 0;
        }
        for (const Int option : options_) {
            const Int first = find(primary_item_of(option));
            for (const Int entry : cells_.entries_of(option)) {
                const Int item = cells_.item_of(entry);
                if (connects_[index(item)]) root_[index(find(item))] = first;
            }
        }
    }

    Int primary_item_of(Int option) const noexcept {
        for (const Int entry : cells_.entries_of(option)) {
            if (cells_.is_primary(cells_.item_of(entry))) return cells_.item_of(entry);
        }
        return 0;  // not reached: every option has a primary item
    }

    Int find(Int item) noexcept {
        while (root_[index(item)] != item) {
            root_[index(item)] = root_[index(root_[index(item)])];
            item = root_[index(item)];
        }
        return item;
    }

    const Problem& problem_;
    Cells cells_;
    std::vector<Int> root_;       // union-find forest of the items that options connect
    std::vector<char> connects_;  // does a secondary item exclude anything?
    std::vector<Int> options_;    // those left
    bool viable_ = true;
};

class MinimumOfParts final : public MinimumSearch {
public:
    MinimumOfParts(const std::shared_ptr<const Problem>& problem,
                   std::span<const std::int64_t> cost, std::span<const Int> given,
                   const MinimumOptions& options, std::vector<ProblemPart> parts, MakeMinimum make)
        : problem_(problem),
          given_(given.begin(), given.end()),
          cells_(*problem),
          order_(given, *problem),
          k_(options.k),
          any_order_(options.any_order),
          parts_(std::move(parts)),
          cost_(cost.begin(), cost.end()),
          make_(std::move(make)),
          searches_(parts_.size()) {
        for (const Int option : given_) {
            cells_.take(option, ignore);
            given_cost_ += cost[index(option)];
        }
    }

    bool finished() const noexcept override { return finished_; }

    // A round gives each part a slice; a call may end within a round, and the next continues there.
    bool run(Clock::time_point until) override {
        bool late = false;
        while (!finished_ && !late) {
            while (next_ < searches_.size() && !finished_ && !late) {
                MinimumSearch& search = opened(next_++);
                if (!search.finished()) {
                    search.run(std::min(until, Clock::now() + slice_));
                    late = Clock::now() >= until;
                }
                finished_ = search.finished() && !search.best_cost();  // it has no solution
            }
            if (finished_ || next_ < searches_.size()) break;
            next_ = 0;
            slice_ = std::min(slice_ * 2, longest_slice);
            if (std::ranges::all_of(searches_, [](const auto& one) { return one->finished(); })) {
                answer_ = joined(std::nullopt);
                finished_ = true;
            }
        }
        add_up();
        return finished_;
    }

    std::vector<Costed> best(Clock::time_point until) override {
        return finished_ ? answer_ : joined(until);
    }

    std::optional<std::int64_t> best_cost() const override {
        if (finished_ && answer_.empty()) return std::nullopt;
        std::int64_t sum = given_cost_;
        for (const auto& search : searches_) {
            const std::optional<std::int64_t> own = search ? search->best_cost() : std::nullopt;
            if (!own) return std::nullopt;
            sum += *own;
        }
        return sum;
    }

    std::optional<std::int64_t> bound() const override {
        if (finished_) {
            if (answer_.empty()) return std::nullopt;
            return answer_.back().cost;
        }
        std::int64_t sum = given_cost_;
        for (const auto& search : searches_) {
            if (!search) return std::nullopt;
            const std::optional<std::int64_t> least = search->best_cost();
            const std::optional<std::int64_t> others = search->bound();
            if (!others) return std::nullopt;
            sum += std::min(*others, least.value_or(*others));
        }
        return sum;
    }

    std::vector<std::int64_t> save() override {
        StateWriter state;
        state.put_size(searches_.size());
        for (const auto& search : searches_) {
            state.put_words(search ? search->save() : std::vector<std::int64_t>());
        }
        return state.take();
    }

    void restore(std::span<const std::int64_t> words) override {
        StateReader state(words, *problem_, given_, {});
        if (state.size() != searches_.size()) StateReader::refuse();
        for (std::size_t part = 0; part < searches_.size(); ++part) {
            if (const auto own = state.words(); !own.empty()) opened(part).restore(own);
        }
        state.end();
    }

private:
    static constexpr std::chrono::milliseconds longest_slice{20};

    // The search of a part. It is made at its first run: making tens of thousands takes long.
    MinimumSearch& opened(std::size_t part) {
        if (!searches_[part]) {
            std::vector<std::int64_t> own;
            for (const Int option : parts_[part].option) own.push_back(cost_[index(option)]);
            searches_[part] = make_(parts_[part].problem, own);
        }
        return *searches_[part];
    }

    void add_up() {
        stats_ = {};
        for (const auto& search : searches_) {
            if (search) add_to(stats_, search->stats());
        }
    }

    // The best solutions of a part so far, in the numbers of the whole.
    std::vector<Costed> best_of(std::size_t part, Clock::time_point until) {
        std::vector<Costed> own = searches_[part]->best(until);
        for (Costed& one : own) {
            for (Int& option : one.options) option = parts_[part].option[index(option)];
        }
        return own;
    }

    // The best solutions of the whole that consist of those of the parts so far. Lists are joined
    // in pairs, so that most joins are of small parts. With a time, their order matters only as far
    // as it is known by then.
    std::vector<Costed> joined(std::optional<Clock::time_point> until) {
        const auto end = until.value_or(Clock::time_point::max());
        if (!best_cost()) return {};
        std::vector<std::vector<Costed>> lists;
        for (std::size_t part = 0; part < searches_.size(); ++part) {
            lists.push_back(best_of(part, end));
            if (lists.back().empty()) return {};
        }
        while (lists.size() > 1) {
            std::vector<std::vector<Costed>> joins;
            for (std::size_t one = 0; one + 1 < lists.size(); one += 2) {
                joins.push_back(join(lists, one, any_order_ || until));
            }
            if (lists.size() % 2 == 1) joins.push_back(std::move(lists.back()));
            lists = std::move(joins);
        }
        std::vector<Costed> result = std::move(lists.front());
        for (Costed& one : result) one.cost += given_cost_;
        order_.restore_until(end, result, cells_);
        keep_best(result, k_);
        return result;
    }

    // The k best pairs of solutions of lists[one] and lists[one + 1], in order.
    std::vector<Costed> join(const std::vector<std::vector<Costed>>& lists, std::size_t one,
                             bool any_order) {
        std::vector<Costed> pairs = cheapest_pairs(lists[one], lists[one + 1]);
        const bool in_order = lists[one].size() == 1 || lists[one + 1].size() == 1;
        if (any_order || in_order) {
            pairs.resize(std::min<std::size_t>(pairs.size(), k_));
            return pairs;
        }
        // Takes any solution of the other parts, which does not change the order here.
        const Cells::Mark mark = cells_.mark();
        for (std::size_t other = 0; other < lists.size(); ++other) {
            if (other == one || other == one + 1) continue;
            for (const Int option : lists[other].front().options) cells_.take(option, ignore);
        }
        for (Costed& pair : pairs) {
            Costed visited{pair.cost, pair.options, {}};
            order_.restore(visited, cells_);
            pair.visit = std::move(visited.visit);
        }
        order_.return_to_root(cells_);
        cells_.undo(mark);
        keep_best(pairs, k_);
        return pairs;
    }

    // The pairs that may be among the k best, in order of cost; of equal cost in the order of the
    // first list, then of the second.
    std::vector<Costed> cheapest_pairs(const std::vector<Costed>& some,
                                       const std::vector<Costed>& others) const {
        std::vector<Costed> pairs;
        for (std::size_t one = 0; one < some.size(); ++one) {
            for (std::size_t other = 0; other < others.size(); ++other) {
                if (!pairs.empty() && one + 1 > k_ / (other + 1)) break;
                Costed pair{some[one].cost + others[other].cost, some[one].options, {}};
                pair.options.insert(pair.options.end(), others[other].options.begin(),
                                    others[other].options.end());
                pairs.push_back(std::move(pair));
            }
        }
        std::stable_sort(pairs.begin(), pairs.end(), [](const Costed& one, const Costed& other) {
            return one.cost < other.cost;
        });
        const std::int64_t most = pairs[std::min<std::size_t>(pairs.size(), k_) - 1].cost;
        while (pairs.back().cost > most) pairs.pop_back();
        return pairs;
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> given_;
    Cells cells_;  // of the whole, with the givens taken
    VisitingOrder order_;
    std::uint64_t k_;
    bool any_order_;
    std::vector<ProblemPart> parts_;
    std::vector<std::int64_t> cost_;
    MakeMinimum make_;
    std::vector<std::unique_ptr<MinimumSearch>> searches_;  // null before the first run of a part
    std::size_t next_ = 0;                                  // the part that runs next
    std::chrono::milliseconds slice_{1};
    std::int64_t given_cost_ = 0;
    std::vector<Costed> answer_;
    bool finished_ = false;
};

}  // namespace

std::vector<ProblemPart> minimum_parts(const Problem& problem, std::span<const Int> given) {
    return Splitter(problem, given).parts();
}

std::unique_ptr<MinimumSearch> make_minimum_of_parts(std::shared_ptr<const Problem> problem,
                                                     std::span<const std::int64_t> cost,
                                                     std::span<const Int> given,
                                                     const MinimumOptions& options,
                                                     std::vector<ProblemPart> parts,
                                                     MakeMinimum make) {
    return std::make_unique<MinimumOfParts>(problem, cost, given, options, std::move(parts),
                                            std::move(make));
}

}  // namespace dlx
