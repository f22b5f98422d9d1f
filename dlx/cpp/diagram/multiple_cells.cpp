// Live options and residual bounds: removing, taking and undoing.
#include "diagram/multiple_cells.hpp"

#include <algorithm>

namespace dlx {

MultipleCells::MultipleCells(const Problem& problem, MultipleKey& key)
    : problem_(problem), key_(key), sets_(problem), color_(index(problem.items), 0) {
    for (const BoundedItem& item : bounded_items(problem)) {
        total_.push_back(item.total);
        bound_.push_back(item.high);
        slack_.push_back(item.high - item.low);
    }
    for (Int item = 0; item < problem.primary; ++item) {
        short_ += is_short(item);
        recode(item);
    }
    for (Int option = 0; option < problem.options(); ++option) key_.set_live(option);
}

std::uint64_t MultipleCells::bytes(const Problem& problem) noexcept {
    return SparseSets::bytes(problem) + 24 * static_cast<std::uint64_t>(problem.items) +
           8 * static_cast<std::uint64_t>(problem.options());
}

void MultipleCells::list(Int item, std::vector<Int>& into) const {
    const auto begin = static_cast<std::ptrdiff_t>(into.size());
    for (const Int entry : sets_.entries(item)) into.push_back(sets_.option_of(entry));
    std::sort(into.begin() + begin, into.end());
}

void MultipleCells::recode(Int item) noexcept {
    key_.set_bound(item, {bound(item), need(item), total(item)});
}

void MultipleCells::remove(Int option) noexcept {
    removed_.push_back(option);
    key_.flip_live(option);
    for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
         ++entry) {
        const Int item = problem_.item[index(entry)];
        sets_.remove(entry, item);
        ++updates_;
        if (item >= problem_.primary) continue;
        const bool before = is_short(item);
        total_[index(item)] -= problem_.weight_of(entry);
        short_ += is_short(item) - before;
        recode(item);
    }
}

void MultipleCells::restore(Int option) noexcept {
    key_.flip_live(option);
    for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
         ++entry) {
        const Int item = problem_.item[index(entry)];
        sets_.restore(item);
        if (item >= problem_.primary) continue;
        const bool before = is_short(item);
        total_[index(item)] += problem_.weight_of(entry);
        short_ += is_short(item) - before;
        recode(item);
    }
}

// Reduces the bound of an item, or increases it if the weight is negative.
void MultipleCells::use(Int item, Int weight) noexcept {
    const bool before = is_short(item);
    bound_[index(item)] -= weight;
    short_ += is_short(item) - before;
    recode(item);
}

// Removes the live options that cover an item more often than `weight` times.
bool MultipleCells::remove_heavier(Int item, Int weight) noexcept {
    // From the end: the entry swapped into a removed one's place has been visited already.
    for (Int place = sets_.size(item); place-- > 0;) {
        const Int entry = sets_.entry_at(item, place);
        if (problem_.weight_of(entry) <= weight) continue;
        remove(sets_.option_of(entry));
        if (dead()) return false;
    }
    return true;
}

// Removes the live options that have another color for a secondary item than this one.
bool MultipleCells::purify(Int item, Int color) noexcept {
    for (Int place = sets_.size(item); place-- > 0;) {
        const Int entry = sets_.entry_at(item, place);
        if (color != 0 && problem_.color_of(entry) == color) continue;
        remove(sets_.option_of(entry));
        if (dead()) return false;
    }
    return true;
}

bool MultipleCells::take(Int option) noexcept {
    taken_.push_back(option);
    const Int begin = problem_.start[index(option)];
    const Int end = problem_.start[index(option) + 1];
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (item < problem_.primary) use(item, problem_.weight_of(entry));
    }
    if (dead()) return false;
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (item < problem_.primary) {
            if (bound(item) < key_.heaviest(item) && !remove_heavier(item, bound(item)))
                return false;
            continue;
        }
        const Int color = problem_.color_of(entry);
        if (color != 0) {
            if (color_[index(item)] == color) continue;
            color_[index(item)] = color;
            colored_.push_back(item);
        }
        if (!purify(item, color)) return false;
    }
    return true;
}

void MultipleCells::undo(const Mark& mark) noexcept {
    for (; removed_.size() > mark.removed; removed_.pop_back()) restore(removed_.back());
    for (; taken_.size() > mark.taken; taken_.pop_back()) {
        const Int option = taken_.back();
        for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
             ++entry) {
            const Int item = problem_.item[index(entry)];
            if (item < problem_.primary) use(item, -problem_.weight_of(entry));
        }
    }
    for (; colored_.size() > mark.colored; colored_.pop_back()) {
        color_[index(colored_.back())] = 0;
    }
}

void MultipleCells::complete_key() noexcept {
    if (!key_.is_ordered()) return;
    for (Int item = problem_.primary; item < problem_.items; ++item) {
        Int color = color_[index(item)];
        const auto entries = sets_.entries(item);
        if (color == 0 && !entries.empty()) {
            color = problem_.color_of(entries.front());
            for (const Int entry : entries) {
                if (problem_.color_of(entry) != color) color = 0;
            }
        }
        key_.set_color(item, entries.empty() ? -1 : color);
    }
}

}  // namespace dlx
