"""Hypothesis strategies that all tests share: random exact cover problems, and parts of solutions.

A problem comes as a `bruteforce.Case`, plain data that shrinks and prints well.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import Any

from bruteforce import Case
from hypothesis import strategies as st

import dlx

__all__ = [
    "COLORS",
    "cases",
    "large_cases",
    "parts_of_solutions",
    "possible_givens",
    "random_option",
    "words",
]

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
