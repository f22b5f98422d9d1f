// Checks of positions that come from a caller: numbers in range, a path that a search can follow.
#include "core/position.hpp"

#include <stdexcept>

namespace dlx {
namespace {

[[noreturn]] void refuse(const char* why) {
    throw std::invalid_argument(why);
}

void check_option(const Problem& problem, const Decision& decision) {
    if (decision.option == no_more) {
        const auto item = static_cast<std::size_t>(decision.item);
        if (!problem.multiple() || problem.low[item] == problem.high[item]) {
            refuse("an item of its path cannot do without a further option");
        }
        return;
    }
    if (decision.option < 0 || decision.option >= problem.options()) {
        refuse("its path has an option that the problem does not have");
    }
    entry_about(problem, decision);
}

}  // namespace

std::size_t entry_about(const Problem& problem, const Decision& decision) {
    const auto option = static_cast<std::size_t>(decision.option);
    for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
        if (problem.item[static_cast<std::size_t>(entry)] == decision.item) {
            return static_cast<std::size_t>(entry);
        }
    }
    refuse("an option of its path does not have the item it is taken for");
}

void refuse_dead_path() {
    refuse("its path goes beyond a dead end or a solution");
}

void check_numbers(const Problem& problem, const Position& position) {
    const auto& path = position.path;
    if (position.floor > path.size()) refuse("its floor is beyond the end of its path");
    for (std::size_t place = 0; place < path.size(); ++place) {
        const Decision& decision = path[place];
        if (decision.item < 0 || decision.item >= problem.primary) {
            refuse("its path has a primary item that the problem does not have");
        }
        if (decision.option != Decision::none_yet) {
            check_option(problem, decision);
        } else if (place + 1 < path.size() || position.is_subtree()) {
            refuse("only the last decision of its path may be open, and only beyond the floor");
        }
    }
}

void check_path(const Problem& problem, std::span<const Int> given, const Position& position) {
    check_numbers(problem, position);
    std::vector<Int> options(given.begin(), given.end());
    std::vector<bool> covered(static_cast<std::size_t>(problem.primary), false);
    const auto cover = [&](Int option) {
        const auto at = static_cast<std::size_t>(option);
        for (Int entry = problem.start[at]; entry < problem.start[at + 1]; ++entry) {
            const Int item = problem.item[static_cast<std::size_t>(entry)];
            if (item < problem.primary) covered[static_cast<std::size_t>(item)] = true;
        }
    };
    for (const Int option : given) cover(option);
    for (const Decision& decision : position.path) {
        if (covered[static_cast<std::size_t>(decision.item)]) {
            refuse("an item of its path is covered before it is chosen");
        }
        if (decision.option == Decision::none_yet) break;
        cover(decision.option);
        options.push_back(decision.option);
    }
    if (first_clash(problem, options)) refuse("two options of its path clash");
}

}  // namespace dlx
