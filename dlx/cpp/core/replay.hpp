// Replays a search that goes straight to a known solution.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/active_options.hpp"

namespace dlx {

// The options of a solution in the order in which a search with the heuristic "mrv" takes them,
// after the givens, which are among them. O(entries + options x items).
inline std::vector<Int> in_search_order(std::shared_ptr<const Problem> problem,
                                        std::span<const Int> given, std::span<const Int> solution) {
    const bool multiple = problem->multiple();
    std::vector<bool> wanted(static_cast<std::size_t>(problem->options()), false);
    for (const Int option : solution) wanted[static_cast<std::size_t>(option)] = true;
    ActiveOptions active(std::move(problem));
    std::vector<Int> order;
    const auto take = [&](Int option) {
        wanted[static_cast<std::size_t>(option)] = false;
        order.push_back(option);
    };
    for (const Int option : given) {
        active.take(option);
        take(option);
    }
    PeriodicCheck periodic;
    while (active.open() > 0) {
        const Int item = active.choose();
        if (active.live(item) >= ActiveOptions::far) break;  // all items are done
        Int found = ActiveOptions::none;
        std::uint64_t above = 0;
        for (const Int option : active.options_of(item)) {
            if (!active.is_active(option)) continue;
            if (wanted[static_cast<std::size_t>(option)]) {
                found = option;
                break;
            }
            ++above;
        }
        if (multiple) {
            active.take_next(item, above);
        } else {
            active.take(found);
        }
        if (found != ActiveOptions::none) take(found);
        periodic.add(static_cast<std::uint64_t>(active.open()));
    }
    return order;
}

}  // namespace dlx
