// Finds given options that exceed the bound of an item (problems with multiplicities).
#include "links/algorithm_m.hpp"

#include <unordered_map>

namespace dlx {

std::optional<Clash> first_multiple_clash(const Problem& problem, std::span<const Int> given) {
    struct Use {
        std::size_t last = 0;  // place of the last option that covers the item
        Int times = 0;
        Int color = 0;
    };
    std::unordered_map<Int, Use> uses;
    std::unordered_map<Int, std::size_t> places;
    for (std::size_t place = 0; place < given.size(); ++place) {
        const auto option = static_cast<std::size_t>(given[place]);
        const Int first = problem.start[option];
        const Int first_item = problem.item[static_cast<std::size_t>(first)];
        const auto [known, is_new] = places.try_emplace(given[place], place);
        if (!is_new) return Clash{known->second, place, first_item};
        for (Int entry = first; entry < problem.start[option + 1]; ++entry) {
            const Int item = problem.item[static_cast<std::size_t>(entry)];
            const Int color = problem.color_of(entry);
            Use& use = uses[item];
            const Int weight = problem.weight_of(entry);
            const bool fits =
                use.times == 0 ||
                (item < problem.primary
                     ? weight <= problem.high[static_cast<std::size_t>(item)] - use.times
                     : color != 0 && use.color == color);
            if (!fits) return Clash{use.last, place, item};
            use = {place, use.times + weight, color};
        }
    }
    return std::nullopt;
}

}  // namespace dlx
