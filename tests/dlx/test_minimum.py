"""The cheapest and the most expensive solutions: all searches against sorting all solutions."""

from __future__ import annotations

import itertools
import pickle
import random
from array import array
from types import SimpleNamespace
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case, all_subsets, ranked, search_slowly
from hypothesis import example, given, settings
from hypothesis import strategies as st
from internals import input_of, numbered
from strategies import any_cases, any_large_cases, parts_of_solutions
from timeouts import simulated_clock

import dlx
from dlx import _kernel, models
from dlx.analysis.minimum import ENGINES
from dlx.core.table import Table
from dlx.core.verify import verify
from dlx.search.options import SearchOptions

COMPILED = "links"
few_costs = st.integers(-2, 2)
costs_of_all_sizes = st.one_of(
    few_costs,
    st.integers(-1000, 1000),
    st.sampled_from([0, 10, 20, 30]),  # a common divisor
    st.integers(-(2**55), 2**55),  # too large for fine fractions of 64 bits
)


@st.composite
def costed(draw: st.DrawFn, source: st.SearchStrategy[Case]) -> tuple[Case, list[int]]:
    """A problem and the costs of its options, from many ties to none."""
    case = draw(source)
    each = draw(st.sampled_from([few_costs, st.integers(0, 1000), costs_of_all_sizes]))
    return case, [draw(each) for _ in case.options]


# -- against all solutions -----------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=150)
@given(problem=costed(any_cases(max_options=9)), k=st.integers(1, 12))
@example(problem=(Case((), (), ()), []), k=1)
@example(problem=(Case(("a",), (), ()), []), k=3)
@example(  # a solution found early gives way to a cheaper one, and has an equal that stays
    problem=(
        Case(
            ("a", "b"),
            ("u",),
            tuple(map(tuple, ("abu", "a", "b", "b", "ba", "ab", "b", "b", "ba", "b"))),
        ),
        [-2, 2, 2, 2, -1, 1, -2, -1, 0, 2],
    ),
    k=7,
)
def test_minimum_and_maximum_are_the_sorted_solutions(
    engine: str, problem: tuple[Case, list[int]], k: int
) -> None:
    case, costs = problem
    visited = search_slowly(case).solutions
    assert {frozenset(solution) for solution in visited} == all_subsets(case)
    costly = case.problem(costs)
    assert costly.minimum(k, engine=engine) == ranked(visited, costs)[:k]
    assert costly.maximum(k, engine=engine) == ranked(visited, costs, -1)[:k]


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=150)
@given(
    problem=costed(any_large_cases()),
    k=st.sampled_from([1, 2, 7, 50, 10**6]),
    seed=st.none() | st.integers(0, 3),
    data=st.data(),
)
def test_larger_problems_with_seeds_and_givens(
    engine: str,
    problem: tuple[Case, list[int]],
    k: int,
    seed: int | None,
    data: st.DataObject,
) -> None:
    case, costs = problem
    costly = case.problem(costs)
    visited = list(costly.solutions(seed=seed, limit=2000))
    if len(visited) == 2000:
        return
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    visited = list(costly.solutions(seed=seed, given=chosen))
    found = costly.minimum(k, seed=seed, given=chosen, engine=engine)
    assert found == ranked(visited, costs)[:k]
    found = costly.maximum(k, seed=seed, given=chosen, engine=engine)
    assert found == ranked(visited, costs, -1)[:k]


@pytest.mark.parametrize(
    "make",
    [
        lambda: models.queens(6),
        lambda: models.langford(7),
        lambda: models.dominoes(4, 5),
        lambda: models.latin_square(4),
        lambda: models.graph_coloring(models.petersen_graph(), 3),
        lambda: models.graceful_labeling(models.wheel_graph(4)),
        lambda: models.matchings(4),
    ],
)
@pytest.mark.parametrize("spread", [1, 2, 10**6])
def test_classic_problems(make: Any, spread: int) -> None:
    plain = make()
    costs = [(1103515245 * o + 12345) % (1 << 31) % spread - spread // 3 for o in range(len(plain))]
    costly = dlx.Problem.from_options(
        plain.options, primary=plain.primary, secondary=plain.secondary, costs=costs
    )
    visited = list(costly.solutions())
    for k in (1, 5, len(visited) + 1):
        assert costly.minimum(k) == ranked(visited, costs)[:k]
    assert costly.maximum(3) == ranked(visited, costs, -1)[:3]


def test_no_costs_means_the_first_solutions() -> None:
    queens = models.queens(10)
    assert [solution for _, solution in queens.minimum(20)] == list(queens.solutions(limit=20))


@pytest.mark.parametrize("k", [1, 30, 2500])
@pytest.mark.parametrize("period", [3, 7, 1000])
def test_thousands_of_ties(period: int, k: int) -> None:
    """More than are looked for in another order than that of the visit."""
    plain = models.dominoes(6, 6)
    costs = [int(o % period == 1) for o in range(len(plain))]
    problem = dlx.Problem.from_options(plain.options, primary=plain.primary, costs=costs)
    assert problem.minimum(k) == ranked(list(problem.solutions()), costs)[:k]


@pytest.mark.lengthy
def test_thousands_of_ties_with_multiplicities() -> None:
    """More than are looked for in another order than that of the visit."""
    case = Case(
        ("a", "b"), (), tuple(("a",) if o % 2 else ("b",) for o in range(24)), ((2, 5), (3, 4))
    )
    problem = case.problem([o // 20 for o in range(24)])
    visited = list(problem.solutions())
    costs = [o // 20 for o in range(24)]
    for k in (1, 30, 2500):
        assert problem.minimum(k) == ranked(visited, costs)[:k]


def test_a_set_covering() -> None:
    """Each point at least once; the sets are the triples of a line in the Fano plane."""
    lines = ["abc", "ade", "afg", "bdf", "beg", "cdg", "cef"]
    problem = dlx.Problem.from_options(
        map(list, lines),
        multiplicities=dict.fromkeys("abcdefg", (1, 7)),
        costs=[3, 1, 4, 1, 5, 9, 2],
    )
    covers = [
        subset
        for size in range(8)
        for subset in itertools.combinations(range(7), size)
        if set("abcdefg") == set("".join(lines[line] for line in subset))
    ]
    least = min(sum([3, 1, 4, 1, 5, 9, 2][line] for line in cover) for cover in covers)
    for engine in ENGINES:
        assert problem.minimum(engine=engine)[0][0] == least


def test_an_assignment_against_scipy() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    np = pytest.importorskip("numpy")
    table = np.random.default_rng(5).integers(-1000, 1000, (40, 40))
    problem = dlx.Problem()
    for (i, j), cost in np.ndenumerate(table):
        problem.add_option([("worker", i), ("job", j)], cost=cost)
    best = int(table[optimize.linear_sum_assignment(table)].sum())
    assert problem.minimum()[0][0] == best
    best = int(table[optimize.linear_sum_assignment(table, maximize=True)].sum())
    assert problem.maximum()[0][0] == best


@given(limit=st.integers(0, 5), far=st.booleans())
def test_costs_up_to_the_limit_are_exact(limit: int, far: bool) -> None:
    large = (2**63 - 1) // 2
    costs = [large, large - limit, -1 if far else 1]
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"]], costs=costs)
    for engine in ENGINES:
        found = problem.minimum(2, engine=engine)
        assert [cost for cost, _ in found] == sorted([costs[0] + costs[2], costs[1] + costs[2]])


# -- arguments and results -----------------------------------------------------------------------


def tiny() -> dlx.Problem:
    return dlx.Problem.from_options(
        {"x": ["a"], "y": ["b"], "xy": ["a", "b"]}, costs={"x": 1, "y": 2, "xy": -4}
    )


def test_a_ranking_is_a_list_with_stats() -> None:
    ranking = tiny().minimum(2)
    assert ranking == [(-4, ("xy",)), (3, ("x", "y"))]
    assert isinstance(ranking, list)
    again = pickle.loads(pickle.dumps(ranking))
    assert again == ranking
    assert again.stats == ranking.stats
    assert ranking.stats.nodes >= 1


@pytest.mark.parametrize("k", [0, -1, 1.0, True, "1", None])
def test_k_must_be_an_integer_from_1_up(k: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match="k is"):
        tiny().minimum(k)


def test_wrong_arguments() -> None:
    with pytest.raises(dlx.InvalidArgument, match="engine is 'bits'; minimum takes one of 'auto'"):
        tiny().minimum(engine="bits")
    with pytest.raises(dlx.InvalidArgument, match="progress is 3"):
        tiny().minimum(progress=3)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="timeout"):
        tiny().minimum(timeout=-1)
    with pytest.raises(dlx.UnknownOption, match="'z'"):
        tiny().maximum(given=["z"])
    with pytest.raises(dlx.GivenClash, match="'x' and 'xy' clash"):
        tiny().minimum(given=["x", "xy"])


# -- limits --------------------------------------------------------------------------------------


def hard() -> dlx.Problem:
    """Without a solution, as 129 is no multiple of 4: certificates show it, no search does."""
    problem = models.random_exact_cover(129, 600, 4, seed=1, satisfiable=False)
    costs = [100 + (2654435761 * o) % 7 for o in range(len(problem))]
    return dlx.Problem.from_options(problem.options, primary=problem.primary, costs=costs)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_timeout_has_the_best_so_far_and_a_bound(engine: str) -> None:
    problem = models.queens(9)
    costs = [(o * o) % 11 for o in range(len(problem))]
    problem = dlx.Problem.from_options(
        problem.options, primary=problem.primary, secondary=problem.secondary, costs=costs
    )
    truth = problem.minimum(1000)
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(timeout=0)
    assert (caught.value.best, caught.value.bound) == ((), None)
    costs_of = {solution: cost for cost, solution in truth}
    for timeout in (0.0005, 0.002, 0.01, 0.03):
        stopped: dlx.MinimumInterrupted | None = None
        try:
            assert problem.minimum(1000, timeout=timeout, engine=engine) == truth
        except dlx.MinimumInterrupted as error:
            stopped = error
        if stopped is None:
            continue
        assert list(stopped.best) == sorted(stopped.best, key=lambda pair: pair[0])
        assert all(costs_of[solution] == cost for cost, solution in stopped.best)
        assert stopped.solutions == tuple(solution for _, solution in stopped.best)
        missing = [pair for pair in truth if pair not in stopped.best]
        if stopped.bound is not None and missing:
            assert stopped.bound <= missing[0][0]
        again = pickle.loads(pickle.dumps(stopped))
        assert (again.best, again.bound) == (stopped.best, stopped.bound)
        assert str(again) == str(stopped)


@pytest.mark.lengthy
def test_the_bound_of_a_maximum_is_from_above() -> None:
    with pytest.raises(dlx.MinimumInterrupted, match="cut short by its timeout") as caught:
        hard().maximum(timeout=0.5, engine="links")
    assert caught.value.best == ()
    assert caught.value.bound is None or 0 < caught.value.bound < 107 * 129 / 4


def test_progress_is_reported_and_may_stop_the_search() -> None:
    seen: list[dlx.Progress] = []
    tiny().minimum(progress=seen.append)
    assert seen[-1].best == -4
    assert seen[-1].bound == -4

    def stop(progress: dlx.Progress) -> None:
        seen.append(progress)
        if len(seen) > 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        hard().minimum(engine="links", progress=stop)
    assert seen[-1].nodes >= seen[-2].nodes


@pytest.mark.parametrize("engine", ["links", "python"])
def test_ctrl_c(engine: str, alarm: Alarm) -> None:
    problem = hard()
    with alarm.expected():
        problem.minimum(engine=engine)


def test_changing_the_problem_meanwhile_disturbs_nothing() -> None:
    problem = tiny()
    problem.minimum(progress=lambda _: problem.add_option(["a", "b"], cost=-9) and None)
    assert problem.minimum()[0][0] == -9


# -- large problems ------------------------------------------------------------------------------


def chain(items: int, *, forced: bool = False) -> dlx.Problem:
    """Pairs of neighbors; unless `forced`, also single items."""
    options = [[item, item + 1] for item in range(items - 1)]
    options += [] if forced else [[item] for item in range(items)]
    costs = [place * 7919 % 13 for place in range(len(options))]
    return dlx.Problem.from_options(options, primary=range(items), costs=costs)


@pytest.mark.parametrize("forced", [True, False])
def test_the_work_on_a_chain_is_proportional_to_its_length(forced: bool) -> None:
    updates = []
    for items in (10_000, 20_000):
        with simulated_clock(1_000):
            ranking = chain(items, forced=forced).minimum(any_order=True, engine="links")
        updates.append(ranking.stats.updates)
    assert updates[1] < 3 * updates[0]


def test_what_is_known_is_returned_in_time() -> None:
    """The order of solutions of equal cost is not computed beyond some milliseconds."""
    board = models.dominoes(12, 12)
    costs = array("q", [place * 7919 % 13 for place in range(len(board))])
    search = numbered(board).problem.minimum(costs, [3], 1000)
    with simulated_clock(1_000_000):
        while len(search.best()) < 50:
            assert not search.run(0.01)
        in_order = search.best()
    with simulated_clock(30_000_000):
        before = _kernel.simulate_clock(30_000_000)
        hasty = search.best()
        looks = (_kernel.simulate_clock(30_000_000) - before) // 30_000_000
    assert looks < 3 * len(hasty)
    assert hasty != in_order
    assert [cost for cost, _ in hasty] == [cost for cost, _ in in_order]
    assert all(options[0] == 3 for _, options in hasty)
    ordered = {(cost, *sorted(options)) for cost, options in in_order}
    assert {(cost, *sorted(options)) for cost, options in hasty} == ordered


def test_python_looks_at_the_clock_while_it_builds_the_matrix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = 0
    entries = Table.entries

    def count(table: Table, index: int) -> tuple[Any, ...]:
        nonlocal read
        read += 1
        return entries(table, index)

    monkeypatch.setattr(Table, "entries", count)
    clock = SimpleNamespace(monotonic=itertools.count().__next__)
    monkeypatch.setattr("dlx.engines.python.minimum.time", clock)
    problem = chain(20_000)
    search = problem.solutions(engine="python")  # fills the matrix in its first steps
    assert (search.stats.nodes, read) == (0, 0)
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(engine="python", timeout=25)
    assert (caught.value.best, caught.value.bound, caught.value.stats.nodes) == ((), None, 0)
    assert 0 < read < 10_000
    for _ in range(4):
        resume = caught.value.resume
        with pytest.raises(dlx.MinimumInterrupted) as caught:
            resume(timeout=25)
    assert read == len(problem)
    assert 0 < caught.value.stats.nodes < 20


def test_solutions_of_parts_that_are_not_ordered_in_time_contain_the_givens() -> None:
    """The simulated clock leaves the ordering of the best solutions 50 of its readings."""
    rng, board = random.Random(4), models.queens(8)
    sides = "LR"
    options = {
        (side, name): [(side, item) for item in items]
        for side in sides
        for name, items in zip(board.names, board.options, strict=True)
    }
    problem = dlx.Problem.from_options(
        options | {"forced": ["z"]},
        primary=[*((side, item) for side in sides for item in board.primary), "z"],
        secondary=[(side, item) for side in sides for item in board.secondary],
        costs=[rng.randrange(1, 1000) for _ in range(len(options) + 1)],
    )
    cut = []
    for readings in range(60, 120, 3):
        with simulated_clock(1_000_000):
            try:
                problem.minimum(500, given=["forced"], timeout=readings / 1000)
            except dlx.MinimumInterrupted as error:
                cut.append(error.best)
    assert max(map(len, cut)) == 500
    for cost, solution in itertools.chain.from_iterable(cut):
        assert "forced" in solution
        assert (len(solution), problem.cost_of(solution)) == (17, cost)


@pytest.mark.parametrize("seed", [None, 1])
def test_restarts_find_a_first_solution(seed: int | None) -> None:
    """In the order of declaration, 2 000 million steps are too few for 100 queens."""
    board = models.queens(100)
    rng = random.Random(1)
    costs = array("q", [rng.randrange(1, 100) for _ in board.options])
    chosen = 17
    table, prepared, _ = input_of(board, SearchOptions(seed=seed))
    search = prepared.problem.minimum(costs, [chosen], 1, True, 1)
    while search.bounds[0] is None and search.stats.updates < 100_000_000:
        search.run(0.01)
    ((cost, options),) = search.best()
    assert chosen in options
    assert cost == sum(costs[option] for option in options)
    verify(table, map(table.name_of, options))
