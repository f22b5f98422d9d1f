// The live options as dancing cells: closing items, removing options, purifying, and undoing.
#include "diagram/live_cells.hpp"

#include <algorithm>

namespace dlx {

LiveOptions::LiveOptions(const Problem& problem)
    : problem_(problem),
      first_(index(problem.items) + 1, 0),
      size_(index(problem.items), 0),
      cell_(index(problem.entries())),
      place_(index(problem.entries())),
      option_of_(index(problem.entries())),
      open_(index(problem.items), 1),
      live_(index(problem.options()), 1),
      held_(index(problem.items), 0) {
    for (const Int item : problem.item) ++first_[index(item) + 1];
    for (std::size_t item = 1; item < first_.size(); ++item) first_[item] += first_[item - 1];
    for (Int option = 0; option < problem.options(); ++option) {
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            const Int item = problem.item[index(entry)];
            const Int cell = first_[index(item)] + size_[index(item)]++;
            cell_[index(cell)] = entry;
            place_[index(entry)] = cell;
            option_of_[index(entry)] = option;
        }
    }
    for (Int item = 0; item < problem.primary; ++item) zeros_ += size(item) == 0;
    gone_.reserve(live_.size());
    purified_.reserve(size_.size());
}

std::uint64_t LiveOptions::bytes(const Problem& problem) noexcept {
    const auto items = static_cast<std::uint64_t>(problem.items);
    const auto options = static_cast<std::uint64_t>(problem.options());
    return 12 * static_cast<std::uint64_t>(problem.entries()) + 17 * items + 5 * options;
}

void LiveOptions::list(Int item, std::vector<Int>& into) const {
    const auto begin = static_cast<std::ptrdiff_t>(into.size());
    const Int first = first_[index(item)];
    for (Int cell = first; cell < first + size(item); ++cell) {
        into.push_back(option_of_[index(cell_[index(cell)])]);
    }
    std::sort(into.begin() + begin, into.end());
}

Int LiveOptions::common_color(Int item) const noexcept {
    const Int first = first_[index(item)];
    const Int color = problem_.color_of(cell_[index(first)]);
    for (Int cell = first + 1; color != 0 && cell < first + size(item); ++cell) {
        if (problem_.color_of(cell_[index(cell)]) != color) return 0;
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
        const Int size = --size_[index(item)];
        const Int from = place_[index(entry)];
        const Int to = first_[index(item)] + size;
        const Int other = cell_[index(to)];
        cell_[index(from)] = other;
        place_[index(other)] = from;
        cell_[index(to)] = entry;
        place_[index(entry)] = to;
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
            zeros_ -= size_[index(item)]++ == 0 && item < problem_.primary;
        }
    }
}

// Removes the options of a closed item. With `Early`, stops at a dead end.
template <bool Early>
bool LiveOptions::clear(Int item) noexcept {
    const Int first = first_[index(item)];
    for (Int cell = first; cell < first + size(item); ++cell) {
        const Int option = option_of_[index(cell_[index(cell)])];
        if (!live_[index(option)]) continue;
        remove(option);
        if (Early && dead()) return false;
    }
    return true;
}

// Removes the options that have another color for an item than its own. The item is open, so its
// cells change: the entry swapped into the current cell has been visited already.
bool LiveOptions::purify(Int item) noexcept {
    const Int first = first_[index(item)];
    for (Int cell = first + size(item) - 1; cell >= first; --cell) {
        const Int entry = cell_[index(cell)];
        if (problem_.color_of(entry) == held(item)) continue;
        remove(option_of_[index(entry)]);
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
