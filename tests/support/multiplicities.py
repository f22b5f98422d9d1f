"""Problems with multiplicities, solved slowly and obviously, and a strategy that makes them.

As in `bruteforce`, nothing is shared with `dlx`, nothing is clever, and nothing is undone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from bruteforce import SearchTree, colors_by_item, subsets_of
from hypothesis import strategies as st
from strategies import cases, random_option

import dlx

__all__ = ["MultiCase", "all_subsets", "large_multi_cases", "multi_cases", "search_slowly"]

Bounds = tuple[int, int]


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


@st.composite
def multi_cases(draw: st.DrawFn, *, max_options: int = 9) -> MultiCase:
    """Problems small enough for brute force. Many are satisfiable: some bounds are counted off a
    set of options that fits together, others are anything.
    """
    case = draw(cases(max_primary=5, max_options=max_options))
    options = [colors_by_item(option) for option in case.options]
    indices = range(len(options))
    wanted = draw(st.sets(st.sampled_from(indices))) if indices else set()
    kept: list[int] = []
    for index in sorted(wanted):
        if _secondary_agree(case.secondary, [options[other] for other in (*kept, index)]):
            kept.append(index)
    bounds = []
    for item in case.primary:
        count = sum(item in options[index] for index in kept)
        low = draw(st.integers(0, count) | st.integers(0, 3))
        high = draw(st.integers(max(count, low, 1), max(count, low, 1) + 2) | st.just(max(low, 1)))
        bounds.append((low, high))
    return MultiCase(case.primary, case.secondary, case.options, tuple(bounds))


@st.composite
def large_multi_cases(draw: st.DrawFn) -> MultiCase:
    """Problems too large for brute force, from a random generator with a drawn seed."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    primary = tuple(range(draw(st.integers(1, 12))))
    secondary = tuple("uvwxyz"[: draw(st.integers(0, 4))])
    longest = draw(st.integers(1, 4))
    options = [
        random_option(rng, primary, secondary, longest) for _ in range(draw(st.integers(0, 50)))
    ]
    bounds = []
    for _ in primary:
        low = rng.choice((0, 1, 1, 1, 2, 3))
        bounds.append((low, max(1, low + rng.choice((0, 0, 0, 1, 2, 50)))))
    return MultiCase(primary, secondary, tuple(options), tuple(bounds))


def all_subsets(case: MultiCase) -> set[frozenset[int]]:
    """All solutions, found by looking at every subset of the options. O(2^options)."""
    return subsets_of(case.options, lambda chosen: _is_solution(case, chosen))


def _is_solution(case: MultiCase, chosen: Sequence[dict[Hashable, Hashable]]) -> bool:
    for item, (low, high) in zip(case.primary, case.bounds, strict=True):
        if not low <= sum(item in option for option in chosen) <= high:
            return False
    return _secondary_agree(case.secondary, chosen)


def _secondary_agree(
    secondary: Sequence[Hashable], chosen: Sequence[dict[Hashable, Hashable]]
) -> bool:
    for item in secondary:
        colors = [option[item] for option in chosen if item in option]
        if len(colors) > 1 and (None in colors or len(set(colors)) > 1):
            return False
    return True


def search_slowly(
    case: MultiCase, given: Sequence[int] = (), *, heuristic: str = "mrv"
) -> SearchTree:
    """The whole search by the rules in `dlx.links.multiplicities`, each node with lists of its
    own.
    """
    options = [colors_by_item(option) for option in case.options]
    solutions: list[tuple[int, ...]] = []
    profile: list[int] = []
    tries: Counter[Hashable] = Counter()
    failures: Counter[Hashable] = Counter()

    def visit(
        bounds: dict[Hashable, Bounds],  # what each item still needs, and still may take
        live: list[int],
        chosen: tuple[int, ...],
        path: tuple[tuple[Hashable, int], ...],  # the items chosen, and the branches each had
    ) -> None:
        profile.extend([0] * (len(path) + 1 - len(profile)))
        profile[len(path)] += 1
        choices = {
            item: [index for index in live if item in options[index]]
            for item, (_, most) in bounds.items()
            if most > 0
        }
        branches = {item: len(choices[item]) + 1 - bounds[item][0] for item in choices}
        if any(number <= 0 for number in branches.values()):
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
            if heuristic == "mrv":
                return branches[item]
            if branches[item] == 1:
                return 0
            return branches[item] * ((tries[item] + 1) / (failures[item] + 0.5))

        item = min(undecided, key=score)
        here = (*path, (item, branches[item]))
        out: set[int] = set()
        for index in choices[item][: branches[item]]:
            tries[item] += 1
            left = [other for other in live if other not in out]
            visit(*_take(case, options, index, bounds, left), (*chosen, index), here)
            out.add(index)
        if bounds[item][0] == 0:
            tries[item] += 1
            visit(bounds, [other for other in live if other not in out], chosen, here)

    start = dict(zip(case.primary, case.bounds, strict=True))
    live = list(range(len(options)))
    for index in given:
        start, live = _take(case, options, index, start, live)
    visit(start, live, tuple(given), ())
    return SearchTree(solutions, tuple(profile))


def _take(
    case: MultiCase,
    options: Sequence[dict[Hashable, Hashable]],
    index: int,
    bounds: dict[Hashable, Bounds],
    live: list[int],
) -> tuple[dict[Hashable, Bounds], list[int]]:
    """The bounds and the options that are left once an option is taken."""
    taken = options[index]
    after = {
        item: (max(0, least - 1), most - 1) if item in taken else (least, most)
        for item, (least, most) in bounds.items()
    }
    full = {item for item, (_, most) in after.items() if most == 0}
    return after, [
        other
        for other in live
        if other != index
        and not full & options[other].keys()
        and _secondary_agree(case.secondary, [taken, options[other]])
    ]
