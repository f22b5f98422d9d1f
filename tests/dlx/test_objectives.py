"""Objectives of `minimum` and `maximum` against all subsets of the options.

Several costs in lexicographic order, penalties, bottlenecks, and solutions that differ.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import random
from collections.abc import Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bruteforce import Case, agree, all_subsets, colors_by_item, weights_by_item
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import any_cases
from timeouts import TIMEOUTS

import dlx
from dlx import models
from dlx.analysis.minimum import ENGINES
from dlx.cli.main import main
from dlx.core import costs

UNITS = [int, Fraction, Decimal, float]
"""Types of costs; in those other than int, the smallest cost is a quarter, which all can hold."""


def number(unit: Any, quarters: int) -> Any:
    return quarters if unit is int else unit(quarters) / 4


@st.composite
def costs_of(draw: st.DrawFn, count: int, least: int = -9) -> tuple[int, Any, list[Any]]:
    """The size of tuples, or 0 for numbers; the type of the numbers; the costs."""
    size, unit = draw(st.integers(0, 3)) if count else 0, draw(st.sampled_from(UNITS))
    one = st.integers(least, 9).map(lambda quarters: number(unit, quarters))
    each = one if size == 0 else st.tuples(*[one] * size)
    return size, unit, draw(st.lists(each, min_size=count, max_size=count))


class Question(NamedTuple):
    """A problem, costs, and keywords of a ranking."""

    case: Case
    costs: list[Any]
    size: int
    penalties: dict[Hashable, Any]
    sign: int
    k: int
    keywords: dict[str, Any]
    small: int
    largest: int

    def ask(self, **keywords: Any) -> dlx.Ranking[int, Any]:
        problem = self.case.problem()
        method = problem.minimum if self.sign > 0 else problem.maximum
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(costs, "SMALL_TOTAL", self.small)
            patch.setattr(costs, "LARGEST_COMBINED", self.largest)
            once = {name: iter(self.keywords[name]) for name in ("given", "forbid")}
            read_once = {"costs": iter(self.costs), **self.keywords, **once, **keywords}
            found = method(self.k, **read_once)
            if {int} >= {*map(type, self.costs)}:
                own = problem.with_costs(self.costs)
                method = own.minimum if self.sign > 0 else own.maximum
                again = method(self.k, **self.keywords, **keywords)
                if again.stopped_by is None and found.stopped_by is None:  # else time decides
                    assert [cost for cost, _ in again] == [cost for cost, _ in found]
        return found

    def vector(self, cost: Any) -> tuple[Any, ...]:
        """A cost or a penalty as numbers in lexicographic order."""
        parts = cost if isinstance(cost, tuple) else (cost,)
        return (*parts, *[0] * (self.size - len(parts)))

    def total(self, chosen: frozenset[int], *more: Any) -> Any:
        vectors = [*(self.vector(self.costs[option]) for option in chosen), *more]
        sums = [sum(part) for part in zip(*vectors, strict=True)] or [0] * max(1, self.size)
        return tuple(sums) if self.size else sums[0]

    def key(self, total: Any) -> tuple[Any, ...]:
        """What a ranking sorts totals by."""
        return tuple(self.sign * part for part in self.vector(total))

    def allowed(self, chosen: frozenset[int]) -> bool:
        return chosen.issuperset(self.keywords["given"]) and chosen.isdisjoint(
            self.keywords["forbid"]
        )

    def solutions(self) -> list[frozenset[int]]:
        return [chosen for chosen in all_subsets(self.case) if self.allowed(chosen)]

    def soft_solutions(self) -> dict[frozenset[int], Any]:
        """Each set of options that penalties allow, with its cost."""
        colors = [colors_by_item(option) for option in self.case.options]
        weights = [weights_by_item(option) for option in self.case.options]
        hard = [item for item in self.case.secondary if item not in self.penalties]
        bounds = [*self.case.bounds_by_item(), *((item, (0, 1)) for item in self.case.secondary)]
        found = {}
        for size in range(len(weights) + 1):
            for chosen in combinations(range(len(weights)), size):
                paid = []
                for item, (low, high) in bounds:
                    if item in self.case.secondary and item not in self.penalties:
                        continue
                    penalty = self.penalties.get(item, (None, None))
                    under, over = penalty if isinstance(penalty, tuple) else (penalty, penalty)
                    times = sum(weights[option].get(item, 0) for option in chosen)
                    extra = 0 if high is None else max(0, times - high)
                    for wrong, price in ((max(0, low - times), under), (extra, over)):
                        if wrong and price is None:
                            break
                        if wrong:
                            paid.append([self.sign * wrong * p for p in self.vector(price)])
                    else:
                        continue
                    break
                else:
                    if agree(hard, [colors[option] for option in chosen]):
                        found[frozenset(chosen)] = self.total(frozenset(chosen), *paid)
        return {chosen: cost for chosen, cost in found.items() if self.allowed(chosen)}


@st.composite
def questions(draw: st.DrawFn, *, soft: bool = False) -> Question:
    case = draw(any_cases(max_options=8))
    count = len(case.options)
    size, unit, listed = draw(costs_of(count))
    penalties: dict[Hashable, Any] = {}
    for item in (*case.primary, *case.secondary) if soft else ():
        tints = {colors_by_item(option).get(item) for option in case.options} - {None}
        if tints or draw(st.booleans()):
            continue
        one = st.integers(0, 9).map(lambda quarters: number(unit, quarters))
        each = one if size == 0 else one | st.tuples(*[one] * size)
        penalties[item] = draw(one | st.tuples(*[st.none() | each] * 2))
    names = draw(st.permutations(range(count)))
    held, left_out = draw(st.sampled_from([(0, 0), (0, 0), (1, 0), (0, 1), (1, 2)]))
    assume(held + left_out <= count)
    keywords = {
        "given": names[:held],
        "forbid": names[held : held + left_out],
        "engine": draw(st.sampled_from(ENGINES)),
        "seed": draw(st.none() | st.integers(0, 3)),
    }
    sign, k = draw(st.sampled_from([1, -1])), draw(st.sampled_from([1, 1, 2, 3, 7, 1000]))
    small = draw(st.sampled_from([0, costs.SMALL_TOTAL]))
    largest = draw(st.sampled_from([costs.LARGEST_COMBINED, 50]))
    return Question(case, listed, size, penalties, sign, k, keywords, small, largest)


@settings(max_examples=500)
@given(asked=questions())
def test_costs_in_lexicographic_order(asked: Question) -> None:
    visited = list(
        asked.case.problem().solutions(
            **{name: asked.keywords[name] for name in ("given", "forbid", "seed")}
        )
    )
    assert {*map(frozenset, visited)} == {*asked.solutions()}
    pairs = [(asked.total(frozenset(solution)), solution) for solution in visited]
    wanted = sorted(pairs, key=lambda pair: asked.key(pair[0]))[: asked.k]
    found = asked.ask()
    assert found == wanted
    unit = {type(part) for cost in asked.costs for part in asked.vector(cost)}
    assert {type(part) for cost, _ in found for part in asked.vector(cost)} <= unit | {int}


@settings(max_examples=800)
@given(asked=questions(soft=True))
def test_penalties(asked: Question) -> None:
    cost_of = asked.soft_solutions()
    found = asked.ask(penalties=asked.penalties)
    wanted = sorted(cost_of.values(), key=asked.key)[: asked.k]
    assert [cost for cost, _ in found] == wanted
    assert len({frozenset(solution) for _, solution in found}) == len(found)
    weights = [weights_by_item(option) for option in asked.case.options]
    bounds = dict(asked.case.bounds_by_item())
    for cost, solution in found:
        assert cost_of[frozenset(solution)] == cost
        assert solution[: len(asked.keywords["given"])] == tuple(asked.keywords["given"])
        lacks = asked.case.problem().deviations(solution)
        assert {*lacks} <= {*asked.penalties}
        for item in asked.penalties:
            times = sum(weights[option].get(item, 0) for option in solution)
            low, high = bounds.get(item, (0, 1))
            short = min(0, times - low)
            assert lacks.get(item, 0) == short + max(0, times - (times if high is None else high))


@settings(max_examples=400)
@given(asked=questions(soft=True), least=st.integers(2, 4))
def test_solutions_that_differ(asked: Question, least: int) -> None:
    left = asked.soft_solutions()
    found = asked.ask(penalties=asked.penalties, min_difference=least)
    for cost, solution in found:
        chosen = frozenset(solution)
        assert left[chosen] == cost
        assert asked.key(cost) == min(map(asked.key, left.values()))
        left = {other: cost for other, cost in left.items() if len(chosen - other) >= least}
    assert len(found) == asked.k or not left


@settings(max_examples=400)
@given(asked=questions())
def test_bottlenecks(asked: Question) -> None:
    def greatest(chosen: frozenset[int]) -> Any:
        each = [asked.costs[option] for option in chosen]
        return max(each, key=asked.key) if each else None

    def rank(chosen: frozenset[int]) -> Any:
        total = asked.key(asked.total(chosen))
        return (bool(chosen), asked.key(greatest(chosen)) if chosen else (), total)

    heights = {*map(asked.key, asked.costs)}
    reports: list[dlx.Progress] = []
    found = asked.ask(bottleneck=True, progress=reports.append)
    chosen = [frozenset(solution) for _, solution in found]
    for report in reports:  # also of the search that finds no more
        known = [asked.key(cost) for cost in (report.best, report.bound) if cost is not None]
        assert {*known} <= heights
    assert [cost for cost, _ in found] == list(map(greatest, chosen))
    wanted = sorted(map(rank, asked.solutions()))[: asked.k]
    assert list(map(rank, chosen)) == wanted
    assert len({*chosen}) == len(chosen)
    assert {*chosen} <= {*asked.solutions()}


# -- limits, journals, progress ------------------------------------------------------------------


def crews() -> dlx.Problem[int]:
    """Pairs and triples of 20 flights; too many covers to list at once."""
    options = [*combinations(range(20), 2), *combinations(range(0, 20, 2), 3)]
    costs = [100 + (2654435761 * place) % 47 for place in range(len(options))]
    return dlx.Problem.from_options(options, costs=costs)


SOFT = dict.fromkeys(range(5), (40, 30))
OBJECTIVES: list[dict[str, Any]] = [
    {"penalties": SOFT},
    {"bottleneck": True, "k": 12},
    {"min_difference": 5, "k": 4},
    {"min_difference": 4, "k": 3, "penalties": SOFT},
]


def check_costs(found: Iterable[tuple[Any, tuple[int, ...]]], keywords: dict[str, Any]) -> None:
    """That the costs of these solutions of `crews` are right, whether they are the best or not."""
    problem = crews()
    for cost, solution in found:
        lacks = problem.deviations(solution)
        assert {*lacks} <= {*keywords.get("penalties", ())}
        paid = sum(-40 * times if times < 0 else 30 * times for times in lacks.values())
        if keywords.get("bottleneck"):
            assert cost == max(problem.costs[option] for option in solution)
        else:
            assert cost == problem.cost_of(solution) + paid


@pytest.mark.parametrize("keywords", OBJECTIVES)
def test_a_timeout_can_be_resumed(keywords: dict[str, Any]) -> None:
    problem = crews()
    truth = problem.minimum(**keywords)
    for timeout in (0, *TIMEOUTS):
        stopped = None
        try:
            found = problem.minimum(**keywords, timeout=timeout)
        except dlx.MinimumInterrupted as error:
            stopped = error
        if stopped is None:
            assert [cost for cost, _ in found] == [cost for cost, _ in truth]
            return
        assert stopped.reason == "timeout"
        assert str(pickle.loads(pickle.dumps(stopped))) == str(stopped)
        check_costs(stopped.best, keywords)
        if stopped.bound is not None:
            assert stopped.bound <= truth[-1][0]
        with pytest.raises(dlx.InvalidArgument, match="minimum has no node limit"):
            stopped.resume(node_limit=5)
        assert [cost for cost, _ in stopped.resume()] == [cost for cost, _ in truth]
        with pytest.raises(dlx.InvalidArgument, match="it has been resumed already"):
            stopped.resume()


@pytest.mark.parametrize(
    "keywords", [*OBJECTIVES, {"costs": [(7 * n % 11, n) for n in range(310)]}]
)
def test_workers_and_asyncio(keywords: dict[str, Any]) -> None:
    problem = crews()
    truth = [cost for cost, _ in problem.minimum(**keywords)]
    assert [cost for cost, _ in problem.minimum(**keywords, workers=2)] == truth
    assert [cost for cost, _ in asyncio.run(problem.aminimum(**keywords))] == truth
    problem.freeze()
    assert problem.plan("minimum", **keywords) == problem.plan("minimum", k=keywords.get("k", 1))


@pytest.mark.parametrize("keywords", OBJECTIVES)
def test_progress(keywords: dict[str, Any]) -> None:
    seen: list[dlx.Progress] = []
    found = crews().minimum(**keywords, progress=seen.append)
    assert seen
    assert seen[-1].nodes <= found.stats.nodes
    assert all(progress.best is None or progress.best >= found[0][0] for progress in seen)

    def stop(progress: dlx.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        crews().minimum(**keywords, progress=stop)


@pytest.mark.parametrize("keywords", OBJECTIVES)
def test_the_best_so_far(keywords: dict[str, Any]) -> None:
    problem = crews()
    truth = problem.minimum(**keywords)
    assert (truth.proved, truth.bound, truth.stopped_by) == (True, truth[-1][0], None)
    for timeout in (0, *TIMEOUTS):
        found = problem.minimum(**keywords, timeout=timeout, on_timeout="best")
        if found.stopped_by is None:
            assert [cost for cost, _ in found] == [cost for cost, _ in truth]
            return
        assert found.stopped_by == "timeout"
        assert found.bound is None or found.bound <= truth[-1][0]
        costs = [cost for cost, _ in found]
        assert not found.proved or costs == [cost for cost, _ in truth]
        check_costs(found, keywords)


@pytest.mark.parametrize("seed", range(8))
def test_the_penalties_of_solutions_that_may_not_be_the_best(seed: int) -> None:
    """A search may first find an item missing more often than it is, or missing and covered."""
    rng = random.Random(seed)
    options = [rng.sample(range(30), rng.randint(2, 6)) for _ in range(120)]
    problem = dlx.Problem.covering(options, costs=[rng.randint(10, 100) for _ in options])
    penalties = {item: rng.randint(5, 60) for item in range(30)}
    for timeout in (0.0005, 0.002, 0.01, 0.05):
        found = problem.minimum(
            penalties=penalties, timeout=timeout, on_timeout="best", engine="python"
        )
        for cost, solution in found:
            lacks = problem.deviations(solution)
            paid = sum(-times * penalties[item] for item, times in lacks.items())
            assert cost == problem.cost_of(solution) + paid


@settings(max_examples=200)
@given(asked=questions(soft=True), gap=st.sampled_from([0, 0.25, 1]), target=st.integers(-9, 9))
def test_penalties_up_to_a_gap_or_a_target(asked: Question, gap: float, target: int) -> None:
    assume(asked.size == 0)
    cost_of = asked.soft_solutions()
    found = asked.ask(penalties=asked.penalties, gap=gap, target=target)
    assert all(cost_of[frozenset(solution)] == cost for cost, solution in found)
    wanted = sorted(map(asked.key, cost_of.values()))[: asked.k]
    assert len(found) == len(wanted)
    if found.stopped_by is None:
        assert [asked.key(cost) for cost, _ in found] == wanted
    elif found.stopped_by == "target":
        assert all(asked.sign * cost <= asked.sign * target for cost, _ in found)
    else:
        assert abs(found[-1][0] - asked.sign * wanted[-1][0]) <= gap * abs(found[-1][0])


def test_several_costs_have_no_gap_but_a_proof() -> None:
    problem, seen = crews(), dlx.Trajectory()
    pairs = [(cost, place % 7) for place, cost in enumerate(problem.costs)]
    found = problem.minimum(costs=pairs, progress=seen)
    assert (found.gap, found.bound) == (0.0, found[0][0])
    assert seen.points[-1].relative_gap == 0
    assert all(point.gap is None for point in seen.points)
    assert f"best {found[0][0]}" in seen.picture()
    stopped = problem.minimum(costs=pairs, timeout=0, on_timeout="best")
    assert (stopped.proved, stopped.gap) == (False, inf)


def test_penalties_and_several_costs_in_a_journal(tmp_path: Path) -> None:
    problem, path = crews(), tmp_path / "soft.db"
    pairs = [(cost, place % 7) for place, cost in enumerate(problem.costs)]
    keywords: dict[str, Any] = {"costs": pairs, "penalties": SOFT, "checkpoint": path}
    with pytest.raises(dlx.MinimumInterrupted):
        problem.minimum(**keywords, timeout=0)
    assert dlx.Journal(path).status().gap is None
    found = problem.minimum(**keywords)
    assert dlx.Journal(path).status().best == str(found[0][0])
    assert found == problem.minimum(**keywords)  # as recorded
    assert found[0][0] == problem.minimum(costs=pairs, penalties=SOFT)[0][0]
    with pytest.raises(dlx.JournalError, match="costs=<with the digest"):
        problem.minimum(**keywords | {"costs": [(cost, 0) for cost, _ in pairs]})
    with pytest.raises(dlx.JournalError, match="is of"):
        problem.minimum(**keywords | {"penalties": {}})


# -- costs of many digits ------------------------------------------------------------------------


def test_large_costs_of_an_assignment_against_scipy() -> None:
    """Of 400 options a solution has 20: with the sum of all as range, 64 bits are too few."""
    optimize = pytest.importorskip("scipy.optimize")
    np = pytest.importorskip("numpy")
    places = list(product(range(20), repeat=2))
    small = [(i * j % 3, 4 - (i + j) % 5, (7 * i + 3 * j) % 7) for i, j in places]
    table = np.array([10**6 * a + 10**3 * b + c for a, b, c in small]).reshape(20, 20)
    best = int(table[optimize.linear_sum_assignment(table)].sum())
    problem = dlx.Problem.from_options([[("row", i), ("column", j)] for i, j in places])
    [(cost, _)] = problem.minimum(costs=[(a + 10**6, b + 10**6, c) for a, b, c in small])
    rest, last = divmod(best, 10**3)
    assert cost == (20 * 10**6 + rest // 10**3, 20 * 10**6 + rest % 10**3, last)


def test_more_digits_than_the_kernel_has() -> None:
    problem = dlx.Problem.covering([["a"], ["a"], ["b"]])
    large = [(10**12, 10**12), (10**12, 5), (1, -(10**12))]
    for engine in ENGINES:
        assert problem.minimum(costs=large, engine=engine) == [((10**12 + 1, 5 - 10**12), (2, 1))]
    with pytest.raises(dlx.InvalidCost, match="too many digits"):
        problem.minimum(costs=large, penalties={"a": 1})
    with pytest.raises(dlx.InvalidArgument, match="checkpoint cannot be combined with costs of mo"):
        problem.minimum(costs=large, checkpoint="large.db")
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(costs=large, timeout=0)
    assert caught.value.resume() == problem.minimum(costs=large)
    seen: list[dlx.Progress] = []
    problem.minimum(costs=large, progress=seen.append)
    assert seen[-1].best == (10**12 + 1,)


def test_three_costs_of_many_digits() -> None:
    rng = random.Random(5)
    rows = [[("row", i), ("column", j)] for i, j in product(range(7), repeat=2)]
    problem = dlx.Problem.from_options(rows)
    for few in (2, 10**7):  # first costs with many ties, and with none
        large = [(rng.randrange(few), *(rng.randrange(10**9) for _ in "ab")) for _ in rows]
        totals = [
            (tuple(sum(part) for part in zip(*(large[o] for o in one), strict=True)), one)
            for one in problem.solutions()
        ]
        wanted = sorted(totals, key=lambda pair: pair[0])[:9]
        assert problem.minimum(9, costs=large) == wanted
        worst = sorted(totals, key=lambda pair: pair[0], reverse=True)[:9]
        assert problem.maximum(9, costs=large) == worst


# -- wrong arguments -----------------------------------------------------------------------------


def colored() -> dlx.Problem[str]:
    return dlx.Problem.from_options(
        {"x": ["a", dlx.colored("u", 1)], "y": ["a", "b"], "z": ["b"]}, secondary=["u"]
    )


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"penalties": {"q": 1}}, dlx.UnknownItem, "item 'q' was not declared"),
        ({"penalties": {"a": -1}}, dlx.InvalidCost, "item 'a' has the penalty -1; give a number"),
        ({"penalties": {"a": (0, -1)}}, dlx.InvalidCost, "item 'a' has the penalty -1"),
        ({"penalties": {"a": "9"}}, dlx.InvalidCost, "item 'a' has the penalty '9'; a cost is a n"),
        ({"penalties": {"a": (1, 2, 3)}}, dlx.InvalidArgument, r"'a' with the penalty \(1, 2, 3\)"),
        ({"penalties": {"a": ()}}, dlx.InvalidArgument, r"'a' with the penalty \(\)"),
        ({"penalties": {"u": 1}}, dlx.InvalidArgument, "item 'u', which has colors"),
        ({"penalties": ["a"]}, dlx.InvalidArgument, "penalties is .*; give a mapping"),
        ({"penalties": 5}, dlx.InvalidArgument, "penalties is 5; give a mapping"),
        ({"penalties": {"a": ((1, 1), 1)}}, dlx.InvalidCost, "same number of costs"),
        ({"min_difference": 0}, dlx.InvalidArgument, "min_difference is 0; it must be an integer"),
        ({"min_difference": True}, dlx.InvalidArgument, "min_difference is True"),
        ({"min_difference": 1.5}, dlx.InvalidArgument, "min_difference is 1.5"),
        ({"bottleneck": 1}, dlx.InvalidArgument, "bottleneck is 1; it must be True or False"),
        ({"bottleneck": True, "penalties": {}}, dlx.InvalidArgument, "penalties cannot be comb"),
        ({"bottleneck": True, "min_difference": 2}, dlx.InvalidArgument, "min_difference cannot b"),
        ({"bottleneck": True, "checkpoint": "x.db"}, dlx.InvalidArgument, "checkpoint cannot be"),
        ({"min_difference": 2, "checkpoint": "x.db"}, dlx.InvalidArgument, "checkpoint cannot be"),
        ({"bottleneck": True, "gap": 0.1}, dlx.InvalidArgument, "gap cannot be combined with bo"),
        ({"bottleneck": True, "target": 0}, dlx.InvalidArgument, "target cannot be combined"),
        ({"min_difference": 2, "gap": 1}, dlx.InvalidArgument, "gap cannot be combined with min_d"),
        ({"costs": [(1, 2)] * 3, "gap": 0.1}, dlx.InvalidArgument, "gap and target are for a sin"),
        ({"costs": [(1, 2)] * 3, "target": 0}, dlx.InvalidArgument, "gap and target are for a si"),
        ({"costs": [(1, 2)] * 3, "target": (0, 1)}, dlx.InvalidArgument, r"target is \(0, 1\)"),
        ({"min_difference": 2, "k": 0}, dlx.InvalidArgument, "k is 0"),
        ({"bottleneck": True, "given": ["q"]}, dlx.UnknownOption, "no option named 'q'"),
        ({"penalties": {"a": 1}, "given": ["constant"]}, dlx.UnknownOption, "named 'constant'"),
        ({"bottleneck": True, "engine": "bits"}, dlx.InvalidArgument, "engine is 'bits'"),
        ({"costs": [(1,), (1,), 1]}, dlx.InvalidCost, r"option 2 \('z'\) has the cost 1; give all"),
        ({"costs": [1, (1,), 1]}, dlx.InvalidCost, r"option 0 \('x'\) has the cost 1; give all"),
        ({"costs": [(1,), (1, 2), (1,)]}, dlx.InvalidCost, r"option 1 \('y'\).*same number of c"),
        ({"costs": [(), (), ()]}, dlx.InvalidCost, r"option 0 \('x'\) has the cost \(\)"),
        ({"costs": [(1, None)] * 3}, dlx.InvalidCost, r"the cost \(1, None\); a cost is a number"),
        ({"costs": [(1, 0.5), (1, Decimal(1)), (0, 0)]}, dlx.InvalidCost, "costs of type float"),
    ],
)
def test_wrong_arguments(keywords: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        colored().minimum(**keywords)


def test_an_item_that_can_lack_too_many_times() -> None:
    problem = dlx.Problem.from_options([["a"]] * 10_001, multiplicities={"a": (10_001, None)})
    with pytest.raises(dlx.InvalidArgument, match="can lack 10,001 different numbers of times"):
        problem.minimum(penalties={"a": 1})


@pytest.mark.parametrize("engine", ["highs", "cp-sat"])
def test_integer_programs(engine: Any) -> None:
    pytest.importorskip({"highs": "highspy", "cp-sat": "ortools"}[engine])
    queens = models.queens(6).with_costs([n * n % 17 for n in range(36)])
    pairs = [(cost % 3, cost) for cost in queens.costs]
    soft = dict.fromkeys(queens.items[:6], 2)
    for keywords in ({"costs": pairs}, {"penalties": soft}, {"bottleneck": True, "k": 3}):
        found = queens.minimum(**keywords, engine=engine)  # type: ignore[arg-type]
        wanted = queens.minimum(**keywords)  # type: ignore[arg-type]
        assert [cost for cost, _ in found] == [cost for cost, _ in wanted]


# -- the command -----------------------------------------------------------------------------------


def test_dlx_min(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "towns.dlx"
    path.write_text("a b c\na b |7\nb c |2\nb |1\n")

    def run(*words: str) -> tuple[int, str]:
        return main(["min", *words, str(path)]), capsys.readouterr().out

    assert run() == (1, "")
    status, out = run("--soft", "a=9", "--soft", "b=1")
    assert (status, out[:21]) == (0, "solution 1, cost 10:\n")
    assert out.endswith("  b: 1 time too often\n")
    assert run("--soft", "a=6")[1] == "solution 1, cost 8:\n  1: b c |2\n  a: 1 time too rarely\n"
    assert json.loads(run("--soft", "a=6", "--json")[1].splitlines()[0])["deviations"] == [
        ["a", -1]
    ]
    path.write_text("a b c\na b |7\na |3\nb |3\nc |5\n")
    assert run("--bottleneck")[1].startswith("solution 1, cost 5:\n")
    assert run("-k", "3", "--min-difference", "3")[1].count("solution") == 1
    assert run("-k", "3", "--min-difference", "2")[1].count("solution") == 2
    for words in (["--soft", "a"], ["--soft", "a=x"], ["--soft", "q=1"], ["--soft", "a=-1"]):
        assert main(["min", *words, str(path)]) == 2
        assert words[1].partition("=")[0] in capsys.readouterr().err
