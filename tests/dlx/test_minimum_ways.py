"""The ways to a cheapest solution: parts, first solutions, neighborhoods, diagrams, any order."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from bruteforce import Case, ranked, side_by_side
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    any_cases,
    any_large_cases,
    multi_cases,
    parts_of_solutions,
)
from timeouts import cut_short

import dlx
from dlx import models
from dlx.analysis import minimum_by_diagram
from dlx.plan import Thresholds

Pairs = list[tuple[int, tuple[Any, ...]]]


@st.composite
def several_parts(draw: st.DrawFn) -> dlx.Problem:
    """Two or three problems with multiplicities side by side, their options mixed."""
    small = multi_cases(max_options=5, weights=draw(st.booleans()))
    parts: list[Case] = draw(st.lists(small, min_size=2, max_size=3))
    whole = side_by_side(parts)
    options = draw(st.permutations(whole.options))
    largest = draw(st.sampled_from([0, 1, 3, 100]))
    costs = [draw(st.integers(-largest, largest)) for _ in options]
    return dlx.Problem.from_options(
        options,
        primary=draw(st.permutations(whole.primary)),
        secondary=whole.secondary,
        multiplicities=dict(whole.bounds_by_item()),
        costs=costs,
    )


@given(problem=several_parts(), k=st.sampled_from([1, 2, 5, 40]), data=st.data())
def test_parts_are_searched_apart_and_joined_in_visiting_order(
    problem: dlx.Problem, k: int, data: st.DataObject
) -> None:
    visited = list(itertools.islice(problem.solutions(), 3000))
    if len(visited) == 3000:
        return
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    visited = list(problem.solutions(given=chosen))
    assert problem.minimum(k, given=chosen) == ranked(visited, problem.costs)[:k]


def test_many_copies_take_as_long_as_one() -> None:
    """Nodes add up; searched as a whole they would multiply."""
    options, costs = [], []
    for copy in range(9):
        rng = random.Random(2)
        for _ in range(60):
            options.append([(copy, item) for item in rng.sample(range(12), rng.randint(2, 4))])
            costs.append(rng.randint(1, 9))
    alone = dlx.Problem.from_options(options[:60], costs=costs[:60]).minimum(engine="links")
    ranking = dlx.Problem.from_options(options, costs=costs).minimum(engine="links")
    assert ranking[0][0] == 9 * alone[0][0]
    assert ranking.stats.nodes <= 9 * alone.stats.nodes + 100
    assert ranking.stats.nodes == sum(ranking.stats.profile)


def test_a_part_without_a_solution() -> None:
    queens = models.queens(6)
    options = [*queens.options, ["x", "y"], ["y", "z"], ["z", "x"]]
    problem = dlx.Problem.from_options(
        options, primary=[*queens.primary, "x", "y", "z"], secondary=queens.secondary
    )
    assert problem.minimum() == []


# -- the diagram beside the search ---------------------------------------------------------------


@settings(max_examples=200)
@given(
    case=any_cases() | any_large_cases(),
    costs=st.lists(st.integers(0, 2), min_size=1, max_size=7)
    | st.lists(st.integers(-99, 99), min_size=1),
    k=st.sampled_from([1, 1, 2, 7, 300]),
    seed=st.none() | st.integers(0, 3),
    data=st.data(),
)
def test_the_diagram_finds_the_same(
    case: Case, costs: list[int], k: int, seed: int | None, data: st.DataObject
) -> None:
    problem = case.problem(costs)
    visited = list(itertools.islice(problem.solutions(seed=seed), 2000))
    if len(visited) == 2000:
        return
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    visited = list(problem.solutions(given=chosen, seed=seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Thresholds, "diagram", -1.0)
        patch.setattr(minimum_by_diagram, "SHARE", float("inf"))
        patch.setattr(minimum_by_diagram.MinimumWithDiagram, "run", diagram_first)
        assert problem.minimum(k, given=chosen, seed=seed) == ranked(visited, problem.costs)[:k]
        found = problem.minimum(k, given=chosen, seed=seed, any_order=True)
        check_any_order(problem, found, visited, k)


plain_run = minimum_by_diagram.MinimumWithDiagram.run


def diagram_first(self: minimum_by_diagram.MinimumWithDiagram, seconds: float) -> bool:
    """As `run`, but the diagram is complete before the branch and bound begins."""
    while self._answer is None and not self._dropped:
        self._build(1.0)
    return plain_run(self, seconds)


def test_a_ranking_says_its_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = models.queens(6).with_costs(range(36))
    assert problem.minimum().stats.plan == "branch and bound"
    assert problem.maximum(engine="python").stats.plan == "branch and bound"
    monkeypatch.setattr(minimum_by_diagram.MinimumWithDiagram, "run", diagram_first)
    assert "diagram" in problem.minimum().stats.plan


def test_a_long_line_is_left_to_the_diagram() -> None:
    """Segments of 3 to 7 cells: branch and bound alone does not end."""
    rng = random.Random(1)
    options = [
        list(range(first, first + length))
        for first in range(700)
        for length in range(3, 8)
        if first + length <= 700
    ]
    costs = [rng.randint(0, 3) for _ in options]
    problem = dlx.Problem.from_options(options, primary=range(700), costs=costs)
    found = problem.minimum()
    cheapest = problem.diagram(order="narrow").minimum(costs)
    assert found[0][0] == cheapest[0][0] == problem.cost_of(found[0][1])
    problem.verify(found[0][1])
    assert problem.minimum(any_order=True)[0][0] == cheapest[0][0]


# -- any order -----------------------------------------------------------------------------------


def check_any_order(
    problem: dlx.Problem, found: Pairs, visited: Sequence[tuple[Any, ...]], k: int
) -> None:
    """The right costs, and as many different solutions."""
    right = ranked(visited, problem.costs)
    assert [cost for cost, _ in found] == [cost for cost, _ in right[:k]]
    assert len(set(found)) == len(found)
    assert set(found) <= set(right)


@given(
    case=multi_cases(),
    costs=st.lists(st.integers(-1, 2), min_size=9, max_size=9),
    k=st.sampled_from([1, 2, 7, 300]),
    engine=st.sampled_from(["auto", "links", "python"]),
)
def test_any_order_has_the_same_costs(case: Case, costs: list[int], k: int, engine: str) -> None:
    problem = case.problem(costs[: len(case.options)])
    found = problem.minimum(k, engine=engine, any_order=True)
    check_any_order(problem, found, list(problem.solutions()), k)


@pytest.mark.parametrize("value", [1, None, "yes"])
def test_any_order_is_a_bool(value: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match=r"any_order is .*; it must be True or False"):
        models.queens(4).minimum(any_order=value)


# -- first solutions -----------------------------------------------------------------------------


def conflicts() -> dlx.Problem:
    """48 lessons in 12 slots, pairs of lessons exclude each other: its bounds are weak."""
    rng = random.Random(1)
    lessons = range(48)
    pairs = [pair for pair in itertools.combinations(lessons, 2) if rng.random() < 0.4]
    options = [
        [("lesson", lesson), *[(pair, slot) for pair in pairs if lesson in pair]]
        for lesson in lessons
        for slot in range(12)
    ]
    return dlx.Problem.from_options(
        options,
        primary=[("lesson", lesson) for lesson in lessons],
        secondary=[(pair, slot) for pair in pairs for slot in range(12)],
        costs=[rng.randint(0, 20) for _ in options],
    )


def test_a_first_solution_comes_soon_and_becomes_better() -> None:
    """After the nodes that `solve` takes, and before the prices are computed."""
    problem = conflicts()
    solved = problem.solve()
    assert solved is not None
    at_first = problem.cost_of(solved)
    seen: list[dlx.Progress] = []
    error = cut_short(
        lambda timeout: problem.minimum(timeout=timeout, progress=seen.append),
        lambda _: seen and None not in seen[-1] and seen[-1].best < at_first,
    )
    assert isinstance(error, dlx.MinimumInterrupted)
    cost, solution = error.best[0]
    problem.verify(solution)
    assert error.bound <= cost == problem.cost_of(solution) < at_first
    assert seen[-1].gap == cost - error.bound
    assert seen[-1].best == cost
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        error.resume(timeout=0.2)
    assert caught.value.best[0][0] <= cost


def test_the_gap_is_unknown_without_a_bound() -> None:
    assert dlx.Progress(None, 3, 1, 0.1).gap is None
    assert dlx.Progress(3, None, 1, 0.1).gap is None
    assert dlx.Progress(best=3, bound=5, nodes=1, seconds=0.1).gap == 2


# -- costs of very different sizes ---------------------------------------------------------------


def test_costs_in_two_tiers_keep_the_bound() -> None:
    """A penalty of a million is no more work than one of a thousand."""

    def nodes(penalty: int) -> int:
        rng = random.Random(1)
        options, costs = [], []
        for lesson in range(24):
            group, teacher = rng.randrange(4), rng.randrange(4)
            for slot, room in itertools.product(range(12), range(2)):
                options.append(
                    [
                        ("lesson", lesson),
                        ("group", group, slot),
                        ("teacher", teacher, slot),
                        ("room", room, slot),
                    ]
                )
                costs.append(rng.randint(0, 20) + penalty * (len(costs) % 7 == 0))
        secondary = list(dict.fromkeys(item for option in options for item in option[1:]))
        problem = dlx.Problem.from_options(
            options,
            primary=[("lesson", lesson) for lesson in range(24)],
            secondary=secondary,
            costs=costs,
        )
        return problem.minimum(engine="links").stats.nodes

    usual = nodes(1000)
    assert nodes(10**6) <= 3 * usual
    assert nodes(10**12) <= 3 * usual


# -- all solutions visited beside the branch and bound --------------------------------------------


def test_where_bounds_are_weak_all_solutions_are_visited() -> None:
    """Pentominoes with costs of 0 to 2: most solutions are nearly as cheap as the best."""
    plain = models.pentominoes(4, 15)
    rng = random.Random(2)
    problem = dlx.Problem.from_options(
        plain.options, primary=plain.primary, costs=[rng.randint(0, 2) for _ in plain.options]
    )
    right = ranked(problem.solutions(), problem.costs)[:40]
    assert problem.minimum(40, engine="links") == right
    found = problem.minimum(40, engine="links", any_order=True)
    assert [cost for cost, _ in found] == [cost for cost, _ in right]


def test_a_large_diagram_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch and bound then finds the answer."""
    monkeypatch.setattr(minimum_by_diagram, "MOST_NODES", 3)
    monkeypatch.setattr(minimum_by_diagram.MinimumWithDiagram, "run", diagram_first)
    problem = Case(*_case_of(models.queens(6))).problem([3, 1, 2])
    assert problem.minimum(9) == ranked(problem.solutions(), problem.costs)[:9]


def test_a_timeout_is_kept_while_the_diagram_gives_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visits = 0
    visit_of = minimum_by_diagram.visit_of

    def count(*arguments: Any) -> Any:
        nonlocal visits
        visits += 1
        return visit_of(*arguments)

    monkeypatch.setattr(minimum_by_diagram, "visit_of", count)
    monkeypatch.setattr(minimum_by_diagram.MinimumWithDiagram, "run", diagram_first)
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(ticks) / 1000)
    monkeypatch.setattr(minimum_by_diagram, "time", clock)
    problem = Case(*_case_of(models.dominoes(4, 8))).problem([3, 1, 4, 1, 5])
    right = ranked(problem.solutions(), problem.costs)[:100]
    proceed: Callable[..., Any] = partial(problem.minimum, 100)
    found, interruptions = None, 0
    while found is None:
        before = visits
        try:
            found = proceed(timeout=0.05)
        except dlx.MinimumInterrupted as error:
            interruptions += 1
            proceed = error.resume
        assert visits - before <= 50
    assert visits >= 100
    assert interruptions >= 3
    assert found == right


def _case_of(problem: dlx.Problem) -> tuple[Any, Any, Any]:
    return problem.primary, problem.secondary, tuple(map(tuple, problem.options))


def test_the_order_of_ties_is_not_what_takes_long() -> None:
    """Dominoes and trominoes on 12x12, of few different costs: the order took over 20 times as long
    as the cost, and now about as long.
    """
    cells = [(row, column) for row in range(12) for column in range(12)]
    rng = random.Random(1)
    shapes = [
        [(0, 0), (0, 1)],
        [(0, 0), (1, 0)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (0, 1), (1, 0)],
    ]
    shapes += [[(0, 0), (1, 0), (2, 0)], [(0, 0), (0, 1), (1, 1)], [(0, 1), (1, 0), (1, 1)]]
    rows = [[(r + y, c + x) for y, x in shape] for r, c in cells for shape in shapes]
    rows = [row for row in rows if set(row) <= set(cells)]
    costs = [len(row) * rng.randrange(3) for row in rows]
    problem = dlx.Problem.from_options(rows, primary=cells, costs=costs)
    ranking = problem.minimum(engine="links")
    assert ranking[0][0] == problem.minimum(engine="links", any_order=True)[0][0]
    assert ranking.stats.nodes < 2_000_000
