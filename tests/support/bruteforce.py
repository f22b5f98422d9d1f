"""Exact cover solved slowly and obviously: what the engines are compared with.

Nothing here is shared with `dlx`, nothing is clever, and nothing is undone: there are only subsets
and copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import dlx

__all__ = [
    "Case",
    "SearchTree",
    "colors_by_item",
    "cover_all_subsets",
    "ranked",
    "search_by_copying",
    "subsets_of",
]


class Case(NamedTuple):
    """A problem as plain data, so that a failing example prints as something to paste."""

    primary: tuple[Any, ...]
    secondary: tuple[Any, ...]
    options: tuple[tuple[Any, ...], ...]

    def problem(self, costs: Sequence[int] | None = None) -> dlx.Problem:
        """The same as a `dlx.Problem`, its options named by their indices, with costs in turn."""
        each = costs and [costs[o % len(costs)] for o in range(len(self.options))]
        return dlx.Problem.from_options(
            self.options, primary=self.primary, secondary=self.secondary, costs=each
        )


class SearchTree(NamedTuple):
    """What a whole search yields: the solutions in order, and the tree's nodes by depth."""

    solutions: list[tuple[int, ...]]
    profile: tuple[int, ...]


def ranked(
    solutions: Iterable[tuple[Any, ...]], costs: Sequence[int], sign: int = 1
) -> list[tuple[int, tuple[Any, ...]]]:
    """Solutions in visiting order as `minimum` should give them: Python's sort keeps ties."""
    pairs = [(sum(costs[o] for o in solution), solution) for solution in solutions]
    return sorted(pairs, key=lambda pair: sign * pair[0])


def colors_by_item(option: Iterable[Hashable]) -> dict[Hashable, Hashable]:
    """The items of an option, each with its color or None."""
    return {
        entry.item if isinstance(entry, dlx.Colored | dlx.Times) else entry: (
            entry.color if isinstance(entry, dlx.Colored) else None
        )
        for entry in option
    }


def subsets_of(
    options: Sequence[Iterable[Hashable]],
    wanted: Callable[[Sequence[dict[Hashable, Hashable]]], bool],
) -> set[frozenset[int]]:
    """The subsets of the options, as sets of indices, of which `wanted` is true. O(2^options)."""
    colors = [colors_by_item(option) for option in options]
    return {
        frozenset(chosen)
        for size in range(len(colors) + 1)
        for chosen in combinations(range(len(colors)), size)
        if wanted([colors[index] for index in chosen])
    }


def cover_all_subsets(case: Case) -> set[frozenset[int]]:
    """All solutions, found by looking at every subset of the options. O(2^options)."""
    return subsets_of(case.options, lambda chosen: _is_cover(case, chosen))


def _is_cover(case: Case, chosen: Sequence[dict[Hashable, Hashable]]) -> bool:
    for item in case.primary:
        if sum(item in option for option in chosen) != 1:
            return False
    for item in case.secondary:
        colors = [option[item] for option in chosen if item in option]
        if len(colors) > 1 and (None in colors or len(set(colors)) > 1):
            return False
    return True


def search_by_copying(
    case: Case, given: Sequence[int] = (), *, heuristic: str = "mrv"
) -> SearchTree:
    """The whole search in the promised order, each node with lists of its own.

    The item is the first of those with the fewest options left ("mrv"), or with the least product
    of these and its weight ("weighted"); its options are tried as declared.
    """
    options = [colors_by_item(option) for option in case.options]
    solutions: list[tuple[int, ...]] = []
    profile: list[int] = []
    tries: Counter[Hashable] = Counter()
    failures: Counter[Hashable] = Counter()

    def score(item: Hashable, length: int) -> float:
        if heuristic == "mrv":
            return length
        return 0 if length == 1 else length * ((tries[item] + 1) / (failures[item] + 0.5))

    def visit(
        open_items: list[Hashable],
        live: list[int],
        chosen: tuple[int, ...],
        path: tuple[tuple[Hashable, int], ...],  # the items chosen, and the options each had then
    ) -> None:
        depth = len(chosen) - len(given)
        profile.extend([0] * (depth + 1 - len(profile)))
        profile[depth] += 1
        if not open_items:
            solutions.append(chosen)
            return
        choices = {item: [index for index in live if item in options[index]] for item in open_items}
        if not all(choices.values()):
            for item, length in reversed(path):
                failures[item] += 1
                if length > 1:
                    break
            return
        item = min(choices, key=lambda item: score(item, len(choices[item])))
        for index in choices[item]:
            tries[item] += 1
            here = (*path, (item, len(choices[item])))
            visit(*_take(options, index, open_items, live), (*chosen, index), here)

    open_items, live = list(case.primary), list(range(len(options)))
    for index in given:
        open_items, live = _take(options, index, open_items, live)
    visit(open_items, live, tuple(given), ())
    return SearchTree(solutions, tuple(profile))


def _take(
    options: Sequence[dict[Hashable, Hashable]],
    index: int,
    open_items: list[Hashable],
    live: list[int],
) -> tuple[list[Hashable], list[int]]:
    """The open items and the compatible options that are left once an option is taken."""
    taken = options[index]
    return (
        [item for item in open_items if item not in taken],
        [other for other in live if other != index and _agree(taken, options[other])],
    )


def _agree(one: dict[Hashable, Hashable], other: dict[Hashable, Hashable]) -> bool:
    return all(
        one[item] is not None and one[item] == other[item] for item in one.keys() & other.keys()
    )
