// The live options as dancing cells: closing items, removing options, purifying, and undoing.
#include "diagram/live_cells.hpp"

#include <algorithm>

namespace dlx {

LiveOptions::LiveOptions(const Problem& problem)
    : problem_(problem),
      sets_(problem),
      open_(index(problem.items), 1),
      live_(index(problem.options()), 1),
      held_(index(problem.items), 0) {
    for (Int item = 0; item < problem.primary; ++item) zeros_ += size(item) == 0;
    gone_.reserve(live_.size());
    purified_.reserve(index(problem.items));
}

std::uint64_t LiveOptions::bytes(const Problem& problem) noexcept {
    const auto items = static_cast<std::uint64_t>(problem.items);
    const auto options = static_cast<std::uint64_t>(problem.options());
    return SparseSets::bytes(problem) + 9 * items + 5 * options;
}

void LiveOptions::list(Int item, std::vector<Int>& into) const {
    const auto begin = static_cast<std::ptrdiff_t>(into.size());
    for (const Int entry : sets_.entries(item)) into.push_back(sets_.option_of(entry));
    std::sort(into.begin() + begin, into.end());
}

Int LiveOptions::common_color(Int item) const noexcept {
    const Int color = problem_.color_of(sets_.entry_at(item, 0));
    for (const Int entry : sets_.entries(item)) {
        if (color == 0 || problem_.color_of(entry) != color) return 0;
    }
    return color;
}

void LiveOptions::close(Int item) noexcept {
    open_[index(item)] = 0;
    if (item < problem_.primary) zeros_ -= size(item) == 0;
}

void LiveOptions::reopen(Int item) noexcept {
    open_[index(item)] = 1;
    if (item < problem_.primary) zeros_ += size(item) == 0;
}

// Removes an option from the cells of all its open items.
void LiveOptions::remove(Int option) noexcept {
    live_[index(option)] = 0;
    gone_.push_back(option);
    const Int last = problem_.start[index(option) + 1];
    for (Int entry = problem_.start[index(option)]; entry < last; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (!open(item)) continue;
        const Int size = sets_.remove(entry, item);
        zeros_ += size == 0 && item < problem_.primary;
        ++updates_;
    }
}

void LiveOptions::restore(std::size_t mark) noexcept {
    while (gone_.size() > mark) {
        const Int option = gone_.back();
        gone_.pop_back();
        live_[index(option)] = 1;
        const Int last = problem_.start[index(option) + 1];
        for (Int entry = problem_.start[index(option)]; entry < last; ++entry) {
            const Int item = problem_.item[index(entry)];
            if (!open(item)) continue;
            zeros_ -= sets_.restore(item) == 1 && item < problem_.primary;
        }
    }
}

// Removes the options of a closed item. With `Early`, stops at a dead end.
template <bool Early>
bool LiveOptions::clear(Int item) noexcept {
    for (const Int entry : sets_.entries(item)) {
        const Int option = sets_.option_of(entry);
        if (!live_[index(option)]) continue;
        remove(option);
        if (Early && dead()) return false;
    }
    return true;
}

// Removes the options that have another color for an item than its own. The item is open, so its
// cells change: the entry swapped into the current cell has been visited already.
bool LiveOptions::purify(Int item) noexcept {
    for (Int place = size(item); place-- > 0;) {
        const Int entry = sets_.entry_at(item, place);
        if (problem_.color_of(entry) == held(item)) continue;
        remove(sets_.option_of(entry));
        if (dead()) return false;
    }
    return true;
}

std::size_t LiveOptions::branch(Int item) noexcept {
    const std::size_t mark = gone_.size();
    close(item);
    clear<false>(item);
    return mark;
}

void LiveOptions::unbranch(Int item, std::size_t mark) noexcept {
    restore(mark);
    reopen(item);
}

bool LiveOptions::take(Int option, Int branched, Mark& mark) noexcept {
    mark = {gone_.size(), purified_.size()};
    const Int begin = problem_.start[index(option)];
    const Int end = problem_.start[index(option) + 1];
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        const Int color = problem_.color_of(entry);
        if (color == 0) {
            if (item != branched) close(item);
        } else if (held(item) == 0) {
            held_[index(item)] = color;
            purified_.push_back(item);
        }
    }
    if (live_[index(option)]) remove(option);
    if (dead()) return false;
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (problem_.color_of(entry) == 0 && item != branched && !clear<true>(item)) return false;
    }
    for (std::size_t at = mark.purified; at < purified_.size(); ++at) {
        if (!purify(purified_[at])) return false;
    }
    return true;
}

void LiveOptions::retract(Int option, Int branched, const Mark& mark) noexcept {
    restore(mark.gone);
    const Int end = problem_.start[index(option) + 1];
    for (Int entry = problem_.start[index(option)]; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (problem_.color_of(entry) == 0 && item != branched) reopen(item);
    }
    while (purified_.size() > mark.purified) {
        held_[index(purified_.back())] = 0;
        purified_.pop_back();
    }
}

}  // namespace dlx
