"""Problems with multiplicities, solved slowly and obviously, and strategies that make them.

As in `bruteforce`, nothing is shared with `dlx`, nothing is clever, and nothing is undone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from bruteforce import Case, SearchTree, colors_by_item
from hypothesis import strategies as st
from strategies import cases, large_cases, random_option

import dlx

__all__ = [
    "MultiCase",
    "all_subsets",
    "any_cases",
    "any_large_cases",
    "bounded",
    "large_multi_cases",
    "multi_cases",
    "search_slowly",
    "small_multi_case",
    "weights_by_item",
]

Bounds = tuple[int, int | None]


class MultiCase(NamedTuple):
    """A problem as plain data; bounds are those of the primary items, in order."""

    primary: tuple[Any, ...]
    secondary: tuple[Any, ...]
    options: tuple[tuple[Any, ...], ...]
    bounds: tuple[Bounds, ...]

    def problem(self, costs: Sequence[int] | None = None) -> dlx.Problem:
        """The same as a `dlx.Problem`, its options named by their indices."""
        return dlx.Problem.from_options(
            self.options,
            primary=self.primary,
            secondary=self.secondary,
            multiplicities=dict(zip(self.primary, self.bounds, strict=True)),
            costs=costs,
        )


def bounded(case: Case) -> MultiCase:
    """The same problem; each primary item is covered once."""
    return MultiCase(*case, ((1, 1),) * len(case.primary))


def weights_by_item(option: Iterable[Hashable]) -> dict[Hashable, int]:
    """The items of an option, each with its weight."""
    return {
        entry.item if isinstance(entry, dlx.Colored | dlx.Times) else entry: (
            entry.weight if isinstance(entry, dlx.Times) else 1
        )
        for entry in option
    }


@st.composite
def multi_cases(draw: st.DrawFn, *, max_options: int = 9, weights: bool = False) -> MultiCase:
    """Problems small enough for brute force. Many are satisfiable: some bounds are counted off a
    set of options that fits together, others are anything.

    With `weights`, options may cover an item up to 4 times, and upper bounds may be None.
    """
    case = draw(cases(max_primary=5, max_options=max_options))
    listed = case.options
    if weights and draw(st.booleans()):
        listed = tuple(draw(_weighted(option, case.primary)) for option in listed)
    options = [colors_by_item(option) for option in listed]
    heavy = [weights_by_item(option) for option in listed]
    indices = range(len(options))
    wanted = draw(st.sets(st.sampled_from(indices))) if indices else set()
    kept: list[int] = []
    for index in sorted(wanted):
        if _secondary_agree(case.secondary, [options[other] for other in (*kept, index)]):
            kept.append(index)
    bounds: list[Bounds] = []
    for item in case.primary:
        count = sum(heavy[index].get(item, 0) for index in kept)
        least = max([1, *(option.get(item, 0) for option in heavy)])  # that high may be
        low = draw(st.integers(0, count) | st.integers(0, 3))
        most = max(count, low, least)
        high = draw(st.integers(most, most + 2) | st.just(max(low, least)))
        bounds.append((low, None if weights and draw(st.integers(0, 4)) == 0 else high))
    return MultiCase(case.primary, case.secondary, listed, tuple(bounds))


@st.composite
def _weighted(
    draw: st.DrawFn, option: tuple[Any, ...], primary: Sequence[Hashable]
) -> tuple[Any, ...]:
    """The option with some of its primary items covered several times."""
    weights = st.sampled_from((1, 1, 1, 2, 2, 3, 4))
    drawn = [draw(weights) if entry in primary else 1 for entry in option]
    return tuple(
        dlx.times(entry, weight) if weight > 1 else entry
        for entry, weight in zip(option, drawn, strict=True)
    )


@st.composite
def large_multi_cases(draw: st.DrawFn, *, weights: bool = False) -> MultiCase:
    """Problems too large for brute force, from a random generator with a drawn seed."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    primary = tuple(range(draw(st.integers(1, 12))))
    secondary = tuple("uvwxyz"[: draw(st.integers(0, 4))])
    longest = draw(st.integers(1, 4))
    weighted = weights and draw(st.booleans())
    options = []
    for _ in range(draw(st.integers(0, 50))):
        option = random_option(rng, primary, secondary, longest)
        if weighted:
            option = tuple(
                dlx.times(entry, rng.randint(2, 5))
                if entry in primary and rng.random() < 0.3
                else entry
                for entry in option
            )
        options.append(option)
    bounds: list[Bounds] = []
    for item in primary:
        heaviest = max([1, *(weights_by_item(option).get(item, 0) for option in options)])
        low = rng.choice((0, 1, 1, 1, 2, 3))
        high = max(heaviest, low + rng.choice((0, 0, 0, 1, 2, 50)))
        bounds.append((low, None if weighted and rng.random() < 0.1 else high))
    return MultiCase(primary, secondary, tuple(options), tuple(bounds))


def any_cases(*, max_options: int = 10) -> st.SearchStrategy[MultiCase]:
    """Problems small enough for brute force, half of them with multiplicities and weights."""
    multiple = multi_cases(max_options=max_options, weights=True)
    return cases(max_options=max_options).map(bounded) | multiple


def any_large_cases() -> st.SearchStrategy[MultiCase]:
    """Problems too large for brute force, half of them with multiplicities and weights."""
    return large_cases().map(bounded) | large_multi_cases(weights=True)


def small_multi_case(rng: random.Random) -> MultiCase:
    """A problem of up to 4 items and 8 options with bounds, weights and colors."""
    primary = tuple("abcd"[: rng.randint(1, 4)])
    secondary = tuple("xy"[: rng.choice((0, 0, 1, 2))])
    weights = rng.choice(((1,), (1, 1, 2), (1, 2, 3, 5)))
    options = []
    for _ in range(rng.randint(1, 8)):
        entries = random_option(rng, primary, secondary, 3)
        drawn = [rng.choice(weights) if entry in primary else 1 for entry in entries]
        options.append(
            tuple(
                dlx.times(entry, weight) if weight > 1 else entry
                for entry, weight in zip(entries, drawn, strict=True)
            )
        )
    kept = [option for option in options if rng.random() < 0.5]
    bounds: list[Bounds] = []
    for item in primary:
        count = sum(weights_by_item(option).get(item, 0) for option in kept)
        heaviest = max([1, *(weights_by_item(option).get(item, 0) for option in options)])
        low = max(0, count - rng.choice((0, 0, 0, 1, 2)))
        high = max(heaviest, low, count + rng.choice((0, 0, 1, 3)))
        bounds.append((low, None if rng.random() < 0.15 else high))
    return MultiCase(primary, secondary, tuple(options), tuple(bounds))


def all_subsets(case: MultiCase) -> set[frozenset[int]]:
    """All solutions, found by looking at every subset of the options. O(2^options)."""
    colors = [colors_by_item(option) for option in case.options]
    weights = [weights_by_item(option) for option in case.options]
    indices = range(len(colors))
    return {
        frozenset(chosen)
        for size in range(len(colors) + 1)
        for chosen in combinations(indices, size)
        if _within_bounds(case, [weights[index] for index in chosen])
        and _secondary_agree(case.secondary, [colors[index] for index in chosen])
    }


def _within_bounds(case: MultiCase, chosen: Sequence[dict[Hashable, int]]) -> bool:
    for item, (low, high) in zip(case.primary, case.bounds, strict=True):
        total = sum(option.get(item, 0) for option in chosen)
        if total < low or (high is not None and total > high):
            return False
    return True


def _secondary_agree(
    secondary: Sequence[Hashable], chosen: Sequence[dict[Hashable, Hashable]]
) -> bool:
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


def search_slowly(
    case: MultiCase, given: Sequence[int] = (), *, heuristic: str = "mrv"
) -> SearchTree:
    """The whole search by the rules in `dlx.links.weights`, each node with lists of its own."""
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
            if heuristic == "mrv":
                return least
            return 0 if least == 1 else least * ((tries[item] + 1) / (failures[item] + 0.5))

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

    bounds = list(zip(case.primary, case.bounds, strict=True))
    start = _State(
        {item: low for item, (low, _) in bounds},
        {item: inf if high is None else high for item, (_, high) in bounds},
        list(range(len(case.options))),
    )
    for index in given:
        start = _take(case, start, index)
    visit(start, tuple(given), ())
    return SearchTree(solutions, tuple(profile))


def _take(case: MultiCase, state: _State, index: int) -> _State:
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
            and _secondary_agree(case.secondary, pair)
        ):
            live.append(other)
    return _State(needs, room, live)
