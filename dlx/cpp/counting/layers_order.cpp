// Makes orders of the primary items for counting by layers, and compares their costs.
#include "counting/layers_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "counting/bounded_items.hpp"

namespace dlx {
namespace {

class Orders {
public:
    Orders(const Problem& problem, std::uint64_t steps)
        : problem_(problem), steps_given_(steps), steps_(steps), bits_(index(problem.items), 1.0) {
        count_colors();
        if (problem.multiple()) count_bounds();
        std::vector<Int> declared(index(problem.primary));
        std::iota(declared.begin(), declared.end(), 0);
        consider(std::move(declared));
        if (problem.primary < 3 || steps == 0) return;
        list_uses();
        if (!count_neighbours()) return;
        const auto least = std::min_element(neighbours_.begin(), neighbours_.end());
        const Int start = static_cast<Int>(least - neighbours_.begin());
        list_hubs();
        consider_orders_from(start);
        if (hubs_.empty()) return;
        hubs_.clear();  // again, with all items in their places
        consider_orders_from(start);
    }

    LayerOrder take_best() {
        best_.work = steps_given_ - steps_ + considered_ * 4 * problem_.item.size();
        return std::move(best_);
    }

private:
    template <class Visit>
    void each_item(Int option, Visit visit) const {
        for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
             ++entry) {
            visit(problem_.item[index(entry)]);
        }
    }

    template <class Visit>
    void each_use(Int item, Visit visit) const {
        for (Int use = first_use_[index(item)]; use < first_use_[index(item) + 1]; ++use) {
            visit(uses_[index(use)]);
        }
    }

    // A secondary item with colors takes more than one bit.
    void count_colors() {
        if (!problem_.colored()) return;
        std::vector<Int> most(bits_.size(), 0);
        for (Int entry = 0; entry < problem_.entries(); ++entry) {
            Int& highest = most[index(problem_.item[index(entry)])];
            highest = std::max(highest, problem_.color_of(entry));
        }
        for (std::size_t item = 0; item < most.size(); ++item) {
            bits_[item] = std::log2(2.0 + most[item]);
        }
    }

    // An item that may be covered several times takes the bits of a number.
    void count_bounds() {
        const std::vector<BoundedItem> items = bounded_items(problem_);
        for (std::size_t item = 0; item < items.size(); ++item) {
            const BoundedItem& own = items[item];
            bits_[item] =
                own.bits() > 1 ? std::log2(1.0 + static_cast<double>(own.largest())) : own.bits();
        }
    }

    void list_uses() {
        first_use_.assign(index(problem_.items) + 1, 0);
        for (const Int item : problem_.item) ++first_use_[index(item) + 1];
        std::partial_sum(first_use_.begin(), first_use_.end(), first_use_.begin());
        uses_.resize(problem_.item.size());
        std::vector<Int> next(first_use_.begin(), first_use_.end() - 1);
        for (Int option = 0; option < problem_.options(); ++option) {
            each_item(option, [&](Int item) { uses_[index(next[index(item)]++)] = option; });
        }
    }

    bool count_neighbours() {
        neighbours_.assign(index(problem_.primary), 0);
        std::vector<Int> seen(index(problem_.items), -1);
        for (Int item = 0; item < problem_.primary; ++item) {
            std::uint64_t work = 0;
            each_use(item, [&](Int option) {
                each_item(option, [&](Int other) {
                    ++work;
                    if (std::exchange(seen[index(other)], item) != item) ++neighbours_[index(item)];
                });
            });
            if (!spend(work)) return false;
        }
        return true;
    }

    bool spend(std::uint64_t work) {
        if (work > steps_) return false;
        steps_ -= work;
        return true;
    }

    // Items that touch more than half of the others come last, since they connect nearly all items.
    void list_hubs() {
        for (Int item = 0; item < problem_.primary; ++item) {
            if (2 * neighbours_[index(item)] > problem_.items) hubs_.push_back(item);
        }
    }

    std::vector<Int> hubs_except(Int start) const {
        std::vector<Int> hubs = hubs_;
        std::erase(hubs, start);
        return hubs;
    }

    // Orders from an item with few neighbours, and from the last item of a walk from there.
    void consider_orders_from(Int start) {
        std::vector<Int> walk = by_breadth(start);
        const Int rim = walk.back();
        consider(std::move(walk));
        consider(by_breadth(rim));
        for (const Int first : {start, rim}) {
            std::vector<Int> order = greedily(first);
            if (order.size() == index(problem_.primary)) consider(std::move(order));
        }
    }

    std::vector<Int> by_breadth(Int start) const {
        std::vector<Int> order;
        std::vector<bool> seen(index(problem_.items), false);
        const std::vector<Int> hubs = hubs_except(start);
        for (const Int hub : hubs) seen[index(hub)] = true;
        const auto fewer = [&](Int one, Int other) {
            return neighbours_[index(one)] < neighbours_[index(other)];
        };
        std::size_t done = 0;
        for (Int next = start, from = 0;;) {
            seen[index(next)] = true;
            order.push_back(next);
            for (; done < order.size(); ++done) {
                const std::size_t first = order.size();
                each_use(order[done], [&](Int option) {
                    each_item(option, [&](Int item) {
                        if (item >= problem_.primary || seen[index(item)]) return;
                        seen[index(item)] = true;
                        order.push_back(item);
                    });
                });
                std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                                 fewer);
            }
            while (from < problem_.primary && seen[index(from)]) ++from;
            if (from == problem_.primary) break;
            next = from;
        }
        order.insert(order.end(), hubs.begin(), hubs.end());
        return order;
    }

    // Ends early, with part of the items, when the work is more than may be.
    std::vector<Int> greedily(Int start) {
        std::vector<Int> order;
        std::vector<Int> frontier;  // touched, not yet passed, in the order in which it happened
        std::vector<bool> touched(index(problem_.items), false);
        std::vector<bool> passed(index(problem_.primary), false);
        const std::vector<Int> hubs = hubs_except(start);
        for (const Int hub : hubs) touched[index(hub)] = passed[index(hub)] = true;
        std::vector<bool> gone(index(problem_.options()), false);
        std::vector<double> gain(index(problem_.primary),
                                 -1.0);  // bits that passing an item brings
        std::vector<Int> seen(index(problem_.items), -1);
        Int stamp = 0;
        Int from = 0;
        std::uint64_t work = 0;
        const auto weigh = [&](Int candidate) {
            double bits = 0;
            ++stamp;
            each_use(candidate, [&](Int option) {
                ++work;
                if (gone[index(option)]) return;
                each_item(option, [&](Int item) {
                    ++work;
                    if (item == candidate || touched[index(item)] || seen[index(item)] == stamp)
                        return;
                    seen[index(item)] = stamp;
                    bits += bits_[index(item)];
                });
            });
            return bits;
        };
        for (Int next = start; next >= 0;) {
            if (!spend(std::exchange(work, 0))) return order;
            passed[index(next)] = true;
            touched[index(next)] = true;
            order.push_back(next);
            std::erase(frontier, next);
            each_use(next, [&](Int option) {
                ++work;
                if (gone[index(option)]) return;
                gone[index(option)] = true;
                each_item(option, [&](Int item) {
                    if (item < problem_.primary) gain[index(item)] = -1;
                    if (touched[index(item)]) return;
                    touched[index(item)] = true;
                    if (item < problem_.primary) frontier.push_back(item);
                    each_use(item, [&](Int use) {
                        if (gone[index(use)]) return;
                        each_item(use, [&](Int other) {
                            ++work;
                            if (other < problem_.primary) gain[index(other)] = -1;
                        });
                    });
                });
            });
            next = -1;
            for (const Int item : frontier) {
                if (gain[index(item)] < 0) gain[index(item)] = weigh(item);
                if (next < 0 || gain[index(item)] < gain[index(next)]) next = item;
            }
            work += frontier.size();
            if (next >= 0) continue;
            while (from < problem_.primary && passed[index(from)]) ++from;
            if (from < problem_.primary) next = from;
        }
        order.insert(order.end(), hubs.begin(), hubs.end());
        return order;
    }

    void consider(std::vector<Int> order) {
        ++considered_;
        LayerOrder judged = judge(std::move(order));
        if (best_.items.empty() || judged.cost < best_.cost) best_ = std::move(judged);
    }

    LayerOrder judge(std::vector<Int> order) const {
        std::vector<Int> place(index(problem_.primary));
        for (std::size_t number = 0; number < order.size(); ++number) {
            place[index(order[number])] = static_cast<Int>(number);
        }
        const Int layers = problem_.primary;
        std::vector<Int> first(index(problem_.items), layers);
        std::vector<Int> last(index(problem_.items), -1);
        std::vector<double> tried(index(layers), 1.0);
        for (Int option = 0; option < problem_.options(); ++option) {
            Int layer = layers;
            each_item(option, [&](Int item) {
                if (item < problem_.primary) layer = std::min(layer, place[index(item)]);
            });
            ++tried[index(layer)];
            each_item(option, [&](Int item) {
                first[index(item)] = std::min(first[index(item)], layer);
                last[index(item)] = std::max(last[index(item)], layer);
            });
        }
        std::vector<double> change(index(layers) + 2, 0.0);
        for (Int item = 0; item < problem_.items; ++item) {
            const Int end = item < problem_.primary ? place[index(item)] : last[index(item)];
            if (first[index(item)] >= end) continue;
            change[index(first[index(item)]) + 1] += bits_[index(item)];
            change[index(end)] -=
                bits_[index(item)];          // the item being passed is open in every state
            if (item >= problem_.primary) {  // but a secondary item may have any color there
                change[index(end)] += bits_[index(item)];
                change[index(end) + 1] -= bits_[index(item)];
            }
        }
        LayerOrder judged{std::move(order)};
        double width = 0;
        for (std::size_t layer = 0; layer < index(layers); ++layer) {
            width += change[layer];
            judged.widest = std::max(judged.widest, width);
            judged.cost += tried[layer] * std::exp2(std::min(width, 900.0));
        }
        return judged;
    }

    const Problem& problem_;
    std::uint64_t steps_given_;
    std::uint64_t steps_;           // left
    std::uint64_t considered_ = 0;  // orders
    std::vector<double> bits_;
    std::vector<Int> first_use_, uses_;
    std::vector<Int> neighbours_;  // of each primary item, items it shares an option with
    std::vector<Int> hubs_;        // items that come last
    LayerOrder best_;
};

}  // namespace

LayerOrder best_order(const Problem& problem, std::uint64_t steps) {
    return Orders(problem, steps).take_best();
}

}  // namespace dlx
