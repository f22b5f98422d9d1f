"""The layout "crossings" of `bits`: rows of bits by color, parts of tables, looking ahead."""

from __future__ import annotations

import random
from collections.abc import Hashable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem
from kernel_searches import assert_same_at_pauses, engine_choice, kernel_search, layout_of, tell
from search_strategies import SEEDS
from strategies import possible_givens

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.registry import HEURISTICS

CROSSINGS = "bits/crossings"


def variables(
    seed: int, items: int, options: int, *, shared: int, colors: int, density: float
) -> dlx.Problem:
    """Options with a primary item each, and with some of the `shared` secondary items.

    Of these items, the first has one color, the second none, and all have options without a color.
    """
    chance = random.Random(seed)
    problem = dlx.Problem(
        primary=[f"p{item}" for item in range(items)],
        secondary=[f"s{item}" for item in range(shared)],
    )
    for _ in range(options):
        chosen: list[Hashable] = [f"p{int(items * chance.random() ** 1.5)}"]
        for item in range(shared):
            if chance.random() < density:
                color = chance.randrange(min(colors, item) + 1) or 1
                exclusive = item == 1 or chance.random() < 0.03
                chosen.append(f"s{item}" if exclusive else dlx.colored(f"s{item}", f"c{color}"))
        problem.add_option(chosen)
    return problem


@st.composite
def small_problems(draw: st.DrawFn) -> dlx.Problem:
    return variables(
        draw(st.integers(0, 10**6)),
        draw(st.integers(1, 6)),
        draw(st.integers(1, 120)),
        shared=draw(st.integers(0, 8)),
        colors=draw(st.integers(1, 6)),
        density=draw(st.sampled_from([0.1, 0.4, 0.8, 1.0])),
    )


@st.composite
def large_problems(draw: st.DrawFn) -> dlx.Problem:
    """Items have more options than fit a vector, so that tables have parts."""
    return variables(
        draw(st.integers(0, 10**6)),
        draw(st.integers(3, 4)),
        draw(st.integers(1500, 3000)),
        shared=draw(st.integers(5, 7)),
        colors=draw(st.integers(15, 30)),
        density=draw(st.sampled_from([0.8, 0.9, 0.95, 1.0])),
    )


def square(words: int, side: int, *, distinct: bool, seed: int = 1) -> dlx.Problem:
    """Squares of random words of few letters, of which many fit."""
    chance = random.Random(seed)
    every = ["".join(letters) for letters in product("abcdefgh", repeat=side)]
    return models.word_rectangle(chance.sample(every, words), side, side, distinct=distinct)


# Squares of three letters; half of their nodes are dead ends.
small_squares = st.builds(
    square,
    words=st.integers(40, 150),
    side=st.just(3),
    distinct=st.booleans(),
    seed=st.integers(0, 10**6),
)


@given(problem=small_problems() | large_problems(), seed=SEEDS, data=st.data())
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_crossings_agree_with_links(
    heuristic: str, problem: dlx.Problem, seed: int | None, data: st.DataObject
) -> None:
    given = possible_givens(data, problem, seed)
    search: dict[str, Any] = {"given": given, "seed": seed, "heuristic": heuristic}
    expected = tell(kernel_search(problem, "links", **search), 2000)
    assert tell(kernel_search(problem, CROSSINGS, **search), 2000) == expected


@given(problem=small_problems())
def test_crossings_agree_with_python(problem: dlx.Problem) -> None:
    expected = list(problem.solutions(engine="python", limit=50))
    assert tell(kernel_search(problem, CROSSINGS), 50).solutions == expected


@given(problem=small_problems() | large_problems(), pause=st.integers(1, 40))
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_pauses_leave_no_trace(heuristic: str, problem: dlx.Problem, pause: int) -> None:
    search = kernel_search(problem, CROSSINGS, heuristic=heuristic)
    assert_same_at_pauses(search, kernel_search(problem, "links", heuristic=heuristic), pause)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(("words", "side"), [(300, 3), (500, 3), (900, 4), (1500, 4)])
def test_word_squares(words: int, side: int, distinct: bool) -> None:
    problem = square(words, side, distinct=distinct)
    expected = tell(kernel_search(problem, "links"), 3000)
    assert tell(kernel_search(problem, CROSSINGS), 3000) == expected
    assert tell(kernel_search(problem, "auto"), 3000) == expected


@given(problem=small_problems() | large_problems(), drawn=st.integers(0, 60), data=st.data())
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_another_engine_goes_on_where_one_stopped(
    heuristic: str, problem: dlx.Problem, drawn: int, data: st.DataObject
) -> None:
    """The rest has the other solutions, and in the default order the other nodes."""
    engines = st.sampled_from(["links", CROSSINGS])
    whole = tell(kernel_search(problem, "links", heuristic=heuristic), 1000)
    search = kernel_search(problem, data.draw(engines), heuristic=heuristic)
    begun = tell(search, drawn)
    position = search.position()
    if position is None:
        assert begun.solutions == whole.solutions
        return
    path, floor = position
    other = data.draw(engines)
    rest = KernelSearch(
        kernel_problem(problem), [], None, engine_choice(other), heuristic, path, floor
    )
    found = tell(rest, 1000 - len(begun.solutions))
    if heuristic == "mrv":
        assert begun.solutions + found.solutions == whole.solutions
        assert not whole.finished or begun.nodes + found.nodes == whole.nodes
    elif whole.finished:
        both = begun.solutions + found.solutions
        assert set(map(frozenset, both)) == set(map(frozenset, whole.solutions))


@given(
    problem=small_problems() | small_squares,
    step=st.integers(1, 4),
    listing=st.booleans(),
)
def test_a_node_limit_may_end_among_dead_ends(
    problem: dlx.Problem, step: int, listing: bool
) -> None:
    """Dead ends and siblings are counted without being tried, but not before the search comes to
    them: it ends at the node at which segments end, which try each option.
    """
    search, segments, whole = (
        kernel_search(problem, engine) for engine in (CROSSINGS, "bits/segments", "links")
    )
    found: list[tuple[Hashable, ...]] = []
    solutions = 0
    for limit in range(0, 150 * step, step):
        if listing:
            segments.run(Budget(nodes=limit), found)
            segments.take_waiting(found)
        else:
            segments.skip(Budget(nodes=limit))
        solutions += search.skip(Budget(nodes=limit))
        assert (search.stats.nodes, search.stats.profile) == (
            segments.stats.nodes,
            segments.stats.profile,
        )
        assert solutions == segments.stats.solutions
        assert search.position() == segments.position()
    if (position := search.position()) is None:
        return
    whole_solutions = whole.skip(Budget(nodes=3000))
    if whole.finished:
        rest = KernelSearch(kernel_problem(problem), [], None, "links", "mrv", *position)
        assert solutions + rest.skip(Budget()) == whole_solutions
        assert search.stats.nodes + rest.stats.nodes == whole.stats.nodes


def test_parts_of_tables_are_read() -> None:
    """A node reads 2.3 words; a segment of a whole table has 24."""
    problem = square(1500, 4, distinct=False)
    assert kernel_problem(problem).bits_layout("bits") == "crossings"
    search = kernel_search(problem, "bits")
    search.skip(Budget(20_000))
    nodes, words, *_ = search.stats
    assert nodes > 20_000
    assert words < 8 * nodes


@pytest.mark.parametrize("seed", [0, 7])
def test_parts_have_options_without_the_crossing(seed: int) -> None:
    problem = variables(seed, 3, 2560, shared=6, colors=29, density=0.9)
    expected = tell(kernel_search(problem, "links"), 10**5)
    assert tell(kernel_search(problem, CROSSINGS), 10**5) == expected
    assert expected.nodes > 10_000


def test_large_problems_of_words_are_laid_out_as_crossings() -> None:
    assert layout_of(square(1500, 4, distinct=True), "bits") == "crossings"
    assert layout_of(square(200, 3, distinct=True), "bits") == "segments"
    assert layout_of(square(200, 3, distinct=True), CROSSINGS) == "crossings"


def test_other_problems_are_not() -> None:
    """Options with two primary items cannot be crossings; without colors they are not."""
    for problem in (models.langford(40), models.queens(40), models.latin_square(9)):
        assert layout_of(problem, CROSSINGS) != "crossings"
    plain = dlx.Problem.from_options([item] for item in range(10) for _ in range(1000))
    assert layout_of(plain, "bits") == "segments"
    assert layout_of(plain, CROSSINGS) == "crossings"


def test_states_of_many_items_are_charged() -> None:
    """The tables take 8 MB, but a search has a state of 108 kB for each of 3000 items."""
    problem = dlx.Problem(
        primary=[f"p{item}" for item in range(3000)],
        secondary=[f"s{item}" for item in range(2999)],
    )
    for item, value in product(range(3000), range(12)):
        shared = range(max(0, item - 1), min(2999, item + 1))
        problem.add_option(
            [f"p{item}", *(dlx.colored(f"s{cell}", f"c{(value + cell) % 3}") for cell in shared)]
        )
    prepared = kernel_problem(problem)
    assert prepared.bits_layout(engine_choice(CROSSINGS)) == "crossings"
    assert prepared.bits_layout("bits") != "crossings"
