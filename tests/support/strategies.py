"""Hypothesis strategies that all tests share: random exact cover problems, and parts of solutions.

A problem comes as a `bruteforce.Case`, plain data that shrinks and prints well.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import Any

from bruteforce import Bounds, Case, agree, colors_by_item, weights_by_item
from hypothesis import assume
from hypothesis import strategies as st

import dlx

COLORS = ("A", "B", "C")

words = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters=":|"), min_size=1, max_size=8
)
"""Texts that Knuth's format can hold."""


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    max_primary: int = 6,
    max_secondary: int = 3,
    max_options: int = 10,
    colors: bool = True,
) -> Case:
    """Problems small enough for brute force, about half of them satisfiable by construction."""
    primary = tuple("abcdefghij"[: draw(st.integers(0, max_primary))])
    secondary = tuple("uvwxyz"[: draw(st.integers(0, max_secondary))])
    options: list[tuple[Hashable, ...]] = []
    if primary and draw(st.booleans()):
        options = draw(_planted(primary, secondary, colors))
        rivals = st.lists(_variants(options, secondary, colors), max_size=3)
        options = (options + draw(rivals))[:max_options]
    if primary:
        noise = st.lists(_options(primary, secondary, colors), max_size=max_options - len(options))
        options = draw(st.permutations(options + draw(noise)))
    return Case(primary, secondary, tuple(options))


@st.composite
def _planted(
    draw: st.DrawFn, primary: Sequence[str], secondary: Sequence[str], colors: bool
) -> list[tuple[Hashable, ...]]:
    """Options that together are a solution: a partition of the primary items, and a use of the
    secondary ones that agrees.
    """
    block_of = [draw(st.integers(0, min(place, 4))) for place in range(len(primary))]
    blocks = sorted(set(block_of))
    options: list[list[Hashable]] = [
        [item for item, block in zip(primary, block_of, strict=True) if block == number]
        for number in blocks
    ]
    for item in secondary:
        color = draw(st.sampled_from((None, *COLORS) if colors else (None,)))
        if color is None:
            draw(st.sampled_from([[], *options])).append(item)
        else:
            for option in options:
                if draw(st.booleans()):
                    option.append(dlx.colored(item, color))
    return [tuple(draw(st.permutations(option))) for option in options]


@st.composite
def _variants(
    draw: st.DrawFn, options: Sequence[tuple[Any, ...]], secondary: Sequence[str], colors: bool
) -> tuple[Any, ...]:
    """One of the options with other secondary items: it may fit as well, or just not fit."""
    option = draw(st.sampled_from(options))
    entries = [e for e in option if not isinstance(e, dlx.Colored) and e not in secondary]
    for item in secondary:
        use = draw(st.sampled_from(("as before", "not at all", None, *(COLORS if colors else ()))))
        if use == "as before":
            entries += [e for e in option if item in (e, getattr(e, "item", None))]
        elif use != "not at all":
            entries.append(item if use is None else dlx.colored(item, use))
    return tuple(entries)


@st.composite
def _options(
    draw: st.DrawFn, primary: Sequence[str], secondary: Sequence[str], colors: bool
) -> tuple[Hashable, ...]:
    """Any option that is not wrong."""
    entries: list[Hashable] = draw(
        st.lists(st.sampled_from(primary), min_size=1, max_size=4, unique=True)
    )
    for item in secondary:
        if draw(st.booleans()):
            color = draw(st.sampled_from((None, *COLORS) if colors else (None,)))
            entries.append(item if color is None else dlx.colored(item, color))
    return tuple(draw(st.permutations(entries)))


@st.composite
def large_cases(draw: st.DrawFn) -> Case:
    """Problems of up to 20 primary items and 80 options, too many for brute force.

    They come from a random generator with a drawn seed, so they shrink in size only.
    """
    rng = random.Random(draw(st.integers(0, 2**32)))
    primary = tuple(range(draw(st.integers(1, 20))))
    secondary = tuple("uvwxyz"[: draw(st.integers(0, 6))])
    longest = draw(st.integers(1, 5))
    options = _partition(rng, primary, longest) if draw(st.booleans()) else []
    for _ in range(draw(st.integers(0, 80))):
        options.append(random_option(rng, primary, secondary, longest))
    rng.shuffle(options)
    return Case(primary, secondary, tuple(options))


def random_option(
    rng: random.Random, primary: Sequence[Hashable], secondary: Sequence[Hashable], longest: int
) -> tuple[Hashable, ...]:
    """An option of 1 to `longest` primary items and some secondary ones, most of them colored."""
    entries: list[Hashable] = list(rng.sample(primary, min(len(primary), rng.randint(1, longest))))
    for item in secondary:
        if rng.random() < 0.3:
            color = rng.choice(COLORS)
            entries.append(dlx.colored(item, color) if rng.random() < 0.8 else item)
    rng.shuffle(entries)
    return tuple(entries)


def _partition(
    rng: random.Random, items: Sequence[Hashable], longest: int
) -> list[tuple[Hashable, ...]]:
    left = list(items)
    rng.shuffle(left)
    blocks = []
    while left:
        size = rng.randint(1, longest)
        blocks.append(tuple(left[:size]))
        del left[:size]
    return blocks


@st.composite
def multi_cases(draw: st.DrawFn, *, max_options: int = 9, weights: bool = False) -> Case:
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
        if agree(case.secondary, [options[other] for other in (*kept, index)]):
            kept.append(index)
    bounds: list[Bounds] = []
    for item in case.primary:
        count = sum(heavy[index].get(item, 0) for index in kept)
        least = max([1, *(option.get(item, 0) for option in heavy)])  # that high may be
        low = draw(st.integers(0, count) | st.integers(0, 3))
        most = max(count, low, least)
        high = draw(st.integers(most, most + 2) | st.just(max(low, least)))
        bounds.append((low, None if weights and draw(st.integers(0, 4)) == 0 else high))
    return Case(case.primary, case.secondary, listed, tuple(bounds))


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
def large_multi_cases(draw: st.DrawFn, *, weights: bool = False) -> Case:
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
    return Case(primary, secondary, tuple(options), tuple(bounds))


@st.composite
def _wide_multi_cases(draw: st.DrawFn) -> Case:
    """As `large_multi_cases`, with more items, of which a few or most are plain, and weights of up
    to 6, 300 or 40 000 in some of the options, or none.
    """
    rng = random.Random(draw(st.integers(0, 2**32)))
    primary = tuple(range(draw(st.integers(1, 40))))
    secondary = tuple("uvwxyz"[: draw(st.integers(0, 4))])
    longest = draw(st.integers(1, 6))
    options = [
        random_option(rng, primary, secondary, longest) for _ in range(draw(st.integers(0, 120)))
    ]
    plain = draw(st.sampled_from([0.1, 0.5, 0.9]))
    heaviest = draw(st.sampled_from([1, 1, 6, 300, 40_000]))
    bounds: list[tuple[int, int | None]] = []
    for item in primary:
        if rng.random() <= plain:
            bounds.append((1, 1))
            continue
        holders = [place for place, option in enumerate(options) if item in option]
        weights = [rng.choice([1, 1, 2, 3, heaviest, rng.randint(1, heaviest)]) for _ in holders]
        weights = [min(heaviest, weight) for weight in weights]
        for place, weight in zip(holders, weights, strict=True):
            options[place] = tuple(
                dlx.times(item, weight) if entry == item and weight > 1 else entry
                for entry in options[place]
            )
        total = sum(weights)
        low = rng.randint(0, max(1, total // 2))
        high = max(1, *weights, low + rng.choice([0, 0, 1, 2, total, 10**5])) if weights else 2
        bounds.append((min(low, high), rng.choice([high, high, high, None])))
    case = Case(primary, secondary, tuple(options), tuple(bounds))
    search = case.problem().solutions(engine="links", limit=500, node_limit=5_000)
    assume(search.skip_all() == 500 or search.exhausted)  # a search may take for ever
    return case


def wider_multi_cases() -> st.SearchStrategy[Case]:
    """Problems with multiplicities and weights, small, large, and with many items or weights."""
    small = multi_cases(weights=True) | large_multi_cases(weights=True)
    return small | _wide_multi_cases()


def any_cases(*, max_options: int = 10) -> st.SearchStrategy[Case]:
    """Problems small enough for brute force, half of them with multiplicities and weights."""
    multiple = multi_cases(max_options=max_options, weights=True)
    return cases(max_options=max_options) | multiple


def any_large_cases() -> st.SearchStrategy[Case]:
    """Problems too large for brute force, half of them with multiplicities and weights."""
    return large_cases() | large_multi_cases(weights=True)


def small_multi_case(rng: random.Random) -> Case:
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
    return Case(primary, secondary, tuple(options), tuple(bounds))


def possible_givens(data: st.DataObject, problem: dlx.Problem, seed: int | None) -> Sequence[Any]:
    """Some options of the first solution that `seed` leads to; none if it is not found soon."""
    first = next(problem.solutions(seed=seed, engine="links", node_limit=20_000), None)
    return data.draw(st.just(()) | parts_of_solutions([first])) if first else ()


@st.composite
def parts_of_solutions(draw: st.DrawFn, solutions: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """Some of the options of one of the solutions, in any order: always possible as `given`."""
    solution = draw(st.sampled_from(solutions))
    if not solution:
        return ()
    return tuple(draw(st.lists(st.sampled_from(solution), unique=True)))
