"""Exact cover solved slowly and obviously: what the engines are compared with.

Nothing here is shared with `dlx`, nothing is clever, and nothing is undone: there are only subsets
and copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import dlx

Bounds = tuple[int, int | None]


class Case(NamedTuple):
    """A problem as plain data, so that a failing example prints as something to paste.

    `bounds` are those of the primary items, in order; none: each is covered once.
    """

    primary: tuple[Any, ...]
    secondary: tuple[Any, ...]
    options: tuple[tuple[Any, ...], ...]
    bounds: tuple[Bounds, ...] = ()

    def problem(self, costs: Sequence[int] | None = None) -> dlx.Problem:
        """The same as a `dlx.Problem`, its options named by their indices, with costs in turn."""
        each = costs and [costs[o % len(costs)] for o in range(len(self.options))]
        return dlx.Problem.from_options(
            self.options,
            primary=self.primary,
            secondary=self.secondary,
            multiplicities=dict(self.bounds_by_item()) if self.bounds else None,
            costs=each,
        )

    def bounds_by_item(self) -> list[tuple[Any, Bounds]]:
        """Each primary item with its bounds."""
        return [*zip(self.primary, self.bounds or [(1, 1)] * len(self.primary), strict=True)]


def side_by_side(parts: Sequence[Case]) -> Case:
    """Several problems as one; an item becomes a pair of its part's number and its name there."""

    def renamed(number: int, entry: Any) -> Any:
        if isinstance(entry, dlx.Colored):
            return dlx.colored((number, entry.item), entry.color)
        if isinstance(entry, dlx.Times):
            return dlx.times((number, entry.item), entry.weight)
        return (number, entry)

    return Case(
        tuple((n, item) for n, part in enumerate(parts) for item in part.primary),
        tuple((n, item) for n, part in enumerate(parts) for item in part.secondary),
        tuple(
            tuple(renamed(n, entry) for entry in option)
            for n, part in enumerate(parts)
            for option in part.options
        ),
        tuple(bounds for part in parts for _, bounds in part.bounds_by_item()),
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


def weights_by_item(option: Iterable[Hashable]) -> dict[Hashable, int]:
    """The items of an option, each with its weight."""
    return {
        entry.item if isinstance(entry, dlx.Colored | dlx.Times) else entry: (
            entry.weight if isinstance(entry, dlx.Times) else 1
        )
        for entry in option
    }


def all_subsets(case: Case) -> set[frozenset[int]]:
    """All solutions, found by looking at every subset of the options. O(2^options)."""
    colors = [colors_by_item(option) for option in case.options]
    weights = [weights_by_item(option) for option in case.options]
    indices = range(len(colors))
    return {
        frozenset(chosen)
        for size in range(len(colors) + 1)
        for chosen in combinations(indices, size)
        if _within_bounds(case, [weights[index] for index in chosen])
        and agree(case.secondary, [colors[index] for index in chosen])
    }


def _within_bounds(case: Case, chosen: Sequence[dict[Hashable, int]]) -> bool:
    for item, (low, high) in case.bounds_by_item():
        total = sum(option.get(item, 0) for option in chosen)
        if total < low or (high is not None and total > high):
            return False
    return True


def agree(secondary: Sequence[Hashable], chosen: Sequence[dict[Hashable, Hashable]]) -> bool:
    """Whether no two of the options use a secondary item in different ways."""
    for item in secondary:
        colors = [option[item] for option in chosen if item in option]
        if len(colors) > 1 and (None in colors or len(set(colors)) > 1):
            return False
    return True


class _State(NamedTuple):
    """What a node of the search knows: all of it copied from node to node."""

    needs: dict[Hashable, int]  # how often each item must still be covered
    room: dict[Hashable, float]  # and may still be
    live: list[int]


def search_slowly(case: Case, given: Sequence[int] = (), *, heuristic: str = "mrv") -> SearchTree:
    """The whole search in the promised order, by the rules in `dlx.links.weights`, each node with
    lists of its own.
    """
    weights = [weights_by_item(option) for option in case.options]
    solutions: list[tuple[int, ...]] = []
    profile: list[int] = []
    tries: Counter[Hashable] = Counter()
    failures: Counter[Hashable] = Counter()

    def visit(
        state: _State,
        chosen: tuple[int, ...],
        path: tuple[tuple[Hashable, int], ...],  # the items chosen, and the branches each had
    ) -> None:
        needs, room, live = state
        profile.extend([0] * (len(path) + 1 - len(profile)))
        profile[len(path)] += 1
        choices = {
            item: [index for index in live if item in weights[index]]
            for item, left in room.items()
            if left > 0
        }
        totals = {item: sum(weights[i][item] for i in choices[item]) for item in choices}
        if any(totals[item] < needs[item] for item in choices):
            for item, number in reversed(path):
                failures[item] += 1
                if number > 1:
                    break
            return
        undecided = [item for item in choices if choices[item]]
        if not undecided:
            solutions.append(chosen)
            return

        def score(item: Hashable) -> float:
            need = needs[item]
            least = min(len(choices[item]) + (need == 0), totals[item] - need + 1)
            weight = (tries[item] + 1) / (failures[item] + 0.5)
            return {"mrv": least, "weighted": least * weight if least > 1 else 0}[heuristic]

        item = min(undecided, key=score)
        branches = [
            (place, index)
            for place, index in enumerate(choices[item])
            if sum(weights[i][item] for i in choices[item][place:]) >= needs[item]
        ]
        here = (*path, (item, len(branches) + (needs[item] == 0)))
        for place, index in branches:
            tries[item] += 1
            left = [other for other in live if other not in choices[item][:place]]
            visit(_take(case, state._replace(live=left), index), (*chosen, index), here)
        if needs[item] == 0:
            tries[item] += 1
            left = [other for other in live if other not in choices[item]]
            visit(state._replace(live=left), chosen, here)

    bounds = case.bounds_by_item()
    start = _State(
        {item: low for item, (low, _) in bounds},
        {item: inf if high is None else high for item, (_, high) in bounds},
        list(range(len(case.options))),
    )
    for index in given:
        start = _take(case, start, index)
    visit(start, tuple(given), ())
    return SearchTree(solutions, tuple(profile))


def _take(case: Case, state: _State, index: int) -> _State:
    """The state once an option is taken; without the options that do not fit any more."""
    taken = weights_by_item(case.options[index])
    needs = {item: max(0, need - taken.get(item, 0)) for item, need in state.needs.items()}
    room = {item: left - taken.get(item, 0) for item, left in state.room.items()}
    live = []
    for other in state.live:
        weights = weights_by_item(case.options[other])
        pair = [colors_by_item(case.options[i]) for i in (index, other)]
        if (
            other != index
            and all(weights.get(item, 0) <= left for item, left in room.items())
            and agree(case.secondary, pair)
        ):
            live.append(other)
    return _State(needs, room, live)
