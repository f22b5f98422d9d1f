// The live options as dancing cells: closing items, removing options, purifying, and undoing.
#include "diagram/live_cells.hpp"

#include "counting/bounded_items.hpp"

namespace dlx {

template <bool multiple>
LiveCells<multiple>::LiveCells(const Problem& problem, SubproblemKey& key)
    : problem_(problem), key_(key), sets_(problem), held_(index(problem.items), 0) {
    removed_.reserve(index(problem.options()));
    colored_.reserve(index(problem.items));
    if constexpr (multiple) {
        for (const BoundedItem& item : bounded_items(problem)) {
            total_.push_back(item.total);
            bound_.push_back(item.high);
            slack_.push_back(item.high - item.low);
        }
        for (Int item = 0; item < problem.primary; ++item) change(item, 0, 0);
        for (Int option = 0; option < problem.options(); ++option) key_.flip_live(option);
    } else {
        open_.assign(index(problem.items), 1);
        live_.assign(index(problem.options()), 1);
    }
    for (Int item = 0; item < problem.primary; ++item) missing_ += is_missing(item);
}

template <bool multiple>
std::uint64_t LiveCells<multiple>::bytes(const Problem& problem) noexcept {
    return SparseSets::bytes(problem) +
           (multiple ? 24 : 9) * static_cast<std::uint64_t>(problem.items) +
           (multiple ? 4 : 5) * static_cast<std::uint64_t>(problem.options());
}

template <bool multiple>
void LiveCells<multiple>::list(Int item, std::vector<Int>& into) const {
    const auto begin = static_cast<std::ptrdiff_t>(into.size());
    for (const Int entry : sets_.entries(item)) into.push_back(sets_.option_of(entry));
    std::sort(into.begin() + begin, into.end());
}

template <bool multiple>
Int LiveCells<multiple>::color_of_live(Int item) const noexcept {
    const auto entries = sets_.entries(item);
    if (held_[index(item)] != 0) return held_[index(item)];
    const Int color = problem_.color_of(entries.front());
    for (const Int entry : entries) {
        if (color == 0 || problem_.color_of(entry) != color) return 0;
    }
    return color;
}

// Adds to the bound of an item, and to what its live options cover.
template <bool multiple>
void LiveCells<multiple>::change(Int item, Int bound, Int total) noexcept {
    const bool before = is_missing(item);
    bound_[index(item)] += bound;
    total_[index(item)] += total;
    missing_ += is_missing(item) - before;
    key_.set_bound(item, bound_[index(item)], need(item), total_[index(item)]);
}

template <bool multiple>
void LiveCells<multiple>::set_open(Int item, bool open) noexcept {
    open_[index(item)] = open;
    if (item < problem_.primary && size(item) == 0) missing_ += open ? 1 : -1;
}

// Removes an option from the sets of all its open items.
template <bool multiple>
void LiveCells<multiple>::remove(Int option) noexcept {
    removed_.push_back(option);
    if constexpr (multiple) {
        key_.flip_live(option);
    } else {
        live_[index(option)] = 0;
    }
    const Int last = problem_.start[index(option) + 1];
    for (Int entry = problem_.start[index(option)]; entry < last; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (!is_open(item)) continue;
        const Int size = sets_.remove(entry, item);
        ++updates_;
        if constexpr (multiple) {
            if (item < problem_.primary) change(item, 0, -problem_.weight_of(entry));
        } else {
            missing_ += size == 0 && item < problem_.primary;
        }
    }
}

template <bool multiple>
void LiveCells<multiple>::restore(std::size_t mark) noexcept {
    while (removed_.size() > mark) {
        const Int option = removed_.back();
        removed_.pop_back();
        if constexpr (multiple) {
            key_.flip_live(option);
        } else {
            live_[index(option)] = 1;
        }
        const Int last = problem_.start[index(option) + 1];
        for (Int entry = problem_.start[index(option)]; entry < last; ++entry) {
            const Int item = problem_.item[index(entry)];
            if (!is_open(item)) continue;
            const Int size = sets_.restore(item);
            if constexpr (multiple) {
                if (item < problem_.primary) change(item, 0, problem_.weight_of(entry));
            } else {
                missing_ -= size == 1 && item < problem_.primary;
            }
        }
    }
}

// Removes the options of a closed item. With `early`, stops at a dead end.
template <bool multiple>
template <bool early>
bool LiveCells<multiple>::clear(Int item) noexcept {
    for (const Int entry : sets_.entries(item)) {
        const Int option = sets_.option_of(entry);
        if (!live_[index(option)]) continue;
        remove(option);
        if (early && dead()) return false;
    }
    return true;
}

// Removes the options of an open item whose entries pass a test; false at a dead end. From the end:
// the entry swapped into a removed one's place has been visited already.
template <bool multiple>
template <class Test>
bool LiveCells<multiple>::remove_if(Int item, Test test) noexcept {
    for (Int place = size(item); place-- > 0;) {
        const Int entry = sets_.entry_at(item, place);
        if (!test(entry)) continue;
        remove(sets_.option_of(entry));
        if (dead()) return false;
    }
    return true;
}

template <bool multiple>
std::size_t LiveCells<multiple>::branch(Int item) noexcept {
    const std::size_t mark = removed_.size();
    set_open(item, false);
    clear<false>(item);
    return mark;
}

template <bool multiple>
void LiveCells<multiple>::unbranch(Int item, std::size_t mark) noexcept {
    restore(mark);
    set_open(item, true);
}

template <bool multiple>
bool LiveCells<multiple>::take(Int option, Int branched, Mark& mark) noexcept {
    mark = this->mark();
    const Int begin = problem_.start[index(option)];
    const Int end = problem_.start[index(option) + 1];
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        const Int color = problem_.color_of(entry);
        if (color != 0) {
            if (held_[index(item)] != 0) continue;
            held_[index(item)] = color;
            colored_.push_back(item);
        } else if constexpr (!multiple) {
            if (item != branched) set_open(item, false);
        } else if (item < problem_.primary) {
            change(item, -problem_.weight_of(entry), 0);
        }
    }
    if constexpr (!multiple) {
        if (live_[index(option)]) remove(option);
    }
    if (dead()) return false;
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        if (problem_.color_of(entry) != 0) continue;
        if constexpr (!multiple) {
            if (item != branched && !clear<true>(item)) return false;
        } else {
            const Int most = item < problem_.primary ? bound_[index(item)] : 0;
            if (item < problem_.primary && most >= key_.heaviest(item)) continue;
            if (!remove_if(item, [&](Int one) { return problem_.weight_of(one) > most; })) {
                return false;
            }
        }
    }
    for (std::size_t at = mark.colored; at < colored_.size(); ++at) {
        const Int color = held_[index(colored_[at])];
        if (!remove_if(colored_[at], [&](Int one) { return problem_.color_of(one) != color; })) {
            return false;
        }
    }
    return true;
}

template <bool multiple>
void LiveCells<multiple>::retract(Int option, Int branched, const Mark& mark) noexcept {
    restore(mark.removed);
    const Int begin = option < 0 ? 0 : problem_.start[index(option)];
    const Int end = option < 0 ? 0 : problem_.start[index(option) + 1];
    for (Int entry = begin; entry < end; ++entry) {
        const Int item = problem_.item[index(entry)];
        if constexpr (multiple) {
            if (item < problem_.primary) change(item, problem_.weight_of(entry), 0);
        } else {
            if (problem_.color_of(entry) == 0 && item != branched) set_open(item, true);
        }
    }
    for (; colored_.size() > mark.colored; colored_.pop_back()) {
        held_[index(colored_.back())] = 0;
    }
}

template class LiveCells<false>;
template class LiveCells<true>;

}  // namespace dlx
