"""Plans: the same question takes the same plan, and has the same answer, at every door."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from example_problems import TAOCP_EXAMPLE, mutilated_board, pigeons
from internals import input_of

import dlx
from dlx import models
from dlx.analysis import solutions
from dlx.cli.main import main
from dlx.plan import EXTRAS, METHODS, QUESTIONS, Plan, Thresholds, is_installed, make_plan
from dlx.search.options import SearchOptions

# -- what is planned -----------------------------------------------------------------------------

ALL = "in order, certificates, restarts, weighted, symmetric, sat"

PLANS: list[tuple[str, dict[str, Any], str, str]] = [
    ("solve", {}, "portfolio", ALL),
    (
        "solve",
        {"heuristic": "weighted"},
        "portfolio",
        "in order, certificates, restarts, symmetric, sat",
    ),
    ("solve", {"timeout": 9, "node_limit": 9}, "portfolio", ALL),
    ("is_unique", {}, "portfolio", ALL),
    ("solutions", {}, "engine", "in order"),
    ("solutions", {"limit": 1}, "portfolio", ALL),
    ("solutions", {"limit": 2}, "engine", "in order"),
    ("count", {}, "counter", "enumeration, layers, subproblems, weighted, certificates"),
    ("count", {"symmetry": False}, "counter", "enumeration, layers, weighted, certificates"),
    ("count", {"limit": 2}, "portfolio", ALL),
    ("count", {"limit": 3}, "counter", "enumeration, layers, subproblems, weighted, certificates"),
    ("count", {"node_limit": 9}, "engine", "in order"),
    ("count", {"engine": "links"}, "engine", "in order"),
    ("count", {"engine": "links", "limit": 2}, "parts", "in order, parts"),
    ("count", {"engine": "python", "limit": 2}, "engine", "in order"),
    ("count", {"workers": 2}, "counter", "enumeration, layers, subproblems, certificates"),
    ("count", {"workers": 2, "node_limit": 9}, "workers", "workers, certificates"),
    ("count", {"checkpoint": "run.db"}, "journal", "journal, certificates"),
    ("count", {"distinct": True}, "counter", "orbits, classes"),
    ("count", {"distinct": True, "limit": 5}, "engine", "in order, classes"),
    ("solutions", {"distinct": True, "workers": 2}, "workers", "workers, classes"),
    ("solutions", {"workers": 2}, "workers", "workers"),
    ("solve", {"workers": 2}, "workers", f"workers, {ALL}"),
    ("count", {"workers": 2, "limit": 2}, "workers", f"workers, {ALL}"),
    ("solutions", {"checkpoint": "run.db"}, "journal", "journal"),
    ("solve", {"engine": "bits"}, "parts", "in order, parts"),
    ("solve", {"engine": "sat"}, "engine", "sat"),
    ("solve_many", {"limit": 1}, "batch", ALL),
    ("solve_many", {"limit": 2}, "batch", "in order"),
    ("count_many", {"limit": 2}, "batch", ALL),
    ("count_many", {"limit": 2, "engine": "bits"}, "batch", "in order"),
    (
        "count_many",
        {},
        "batch",
        "in order, enumeration, layers, subproblems, weighted, certificates",
    ),
    ("minimum", {}, "ranking", "branch and bound, certificates, relaxation, diagram"),
    (
        "minimum",
        {"any_order": True},
        "ranking",
        "branch and bound, certificates, relaxation, diagram, highs",
    ),
    (
        "maximum",
        {"any_order": True, "k": 2},
        "ranking",
        "branch and bound, certificates, relaxation, diagram",
    ),
    ("minimum", {"engine": "links"}, "ranking", "branch and bound"),
    ("minimum", {"engine": "highs"}, "ranking", "highs"),
]


@pytest.mark.parametrize(("question", "keywords", "runner", "methods"), PLANS)
def test_the_plan_of_a_question(
    question: str, keywords: dict[str, Any], runner: str, methods: str
) -> None:
    plan = models.queens(6).plan(question, **keywords)
    assert (plan.question, plan.runner) == (question, runner)
    assert ", ".join(plan.methods) == methods
    assert set(plan.methods) <= set(METHODS)
    assert plan.why
    first, *lines = str(plan).splitlines()
    assert first.startswith(question)
    assert [line.split(":")[0].strip() for line in lines] == list(plan.methods)


def test_a_problem_with_multiplicities_has_no_symmetric_search() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"]], multiplicities={"a": 2})
    assert "symmetric" not in problem.plan("solve").methods


def test_a_part_of_a_search_is_counted_as_far_as_it_is_a_subtree() -> None:
    problem = models.queens(6)
    first, *_ = problem.split(8)
    assert problem.plan("count", part=first._replace(floor=0)).runner == "engine"
    whole = dlx.Part(first.path, len(first.path))
    assert problem.plan("count", part=whole).runner == "counter"


def test_unknown_questions_are_refused() -> None:
    with pytest.raises(dlx.InvalidArgument, match="there is no plan for 'sample'"):
        models.queens(4).plan("sample")


def test_missing_extras_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, EXTRAS["sat"], None)
    assert not is_installed("sat")
    assert "if it were installed" in str(models.queens(4).plan("solve"))


def test_thresholds_grow_with_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = models.queens(8)
    monkeypatch.setattr(Thresholds, "entries", 10_000)
    steps = {step.method: step.after for step in problem.plan("solve").steps}
    assert steps["weighted"] == steps["sat"] == 10_000 * problem.entry_count
    assert steps["certificates"] == Thresholds.certificate


def test_certificates_are_planned_as_they_are_looked_for() -> None:
    """A large problem needs more nodes before they pay, or has none."""
    found = models.queens(30).plan("solve").step("certificates")
    assert found is not None
    assert found.after > Thresholds.certificate
    assert models.queens(100).plan("solve").step("certificates") is None
    large = models.queens(100)
    assert "certificates" not in large.plan("count", checkpoint="run.db").methods
    assert "weighted" in large.plan("solve_many").methods


# -- every door ----------------------------------------------------------------------------------


PROBLEMS: dict[str, Callable[[], dlx.Problem]] = {
    "no item": lambda: dlx.Problem.from_options([]),
    "an item without options": lambda: dlx.Problem.from_options([["a"]], primary=["a", "b"]),
    "one solution": lambda: dlx.Problem.from_options(map(list, TAOCP_EXAMPLE)),
    "queens 6": lambda: models.queens(6),
    "queens 12": lambda: models.queens(12),
    "pigeons": lambda: pigeons(11),
    "mutilated 8x8": lambda: mutilated_board(8),
    "quasigroup": lambda: models.quasigroup(12, 60, seed=3),
    "colors": lambda: dlx.Problem.from_options(
        [["p", dlx.colored("x", "A")], ["q", dlx.colored("x", "A")], ["q", dlx.colored("x", "B")]],
        secondary=["x"],
    ),
    "multiplicities": lambda: dlx.Problem.from_options(
        [["a", "b"], ["a"], ["a", "c"], ["b"], ["c"]], multiplicities={"a": (1, 2)}
    ),
}


def by_command(problem: dlx.Problem, folder: Path, *words: str) -> list[dict[str, Any]]:
    """The JSON lines of a command about a problem."""
    path = folder / "problem.json"
    problem.dump(path)
    return [json.loads(line) for line in captured(["--json", *words, str(path)])]


def captured(words: list[str]) -> list[str]:
    import contextlib
    import io

    text = io.StringIO()
    first = words.pop(1)
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(io.StringIO()):
        main([first, *words])
    return text.getvalue().splitlines()


def exists_at_each_door(problem: dlx.Problem, folder: Path) -> dict[str, bool]:
    """Whether there is a solution, as each door says."""
    with ThreadPoolExecutor(2) as executor:
        by_executor = problem.solve(executor=executor) is not None
    interrupted = problem.solutions(limit=1, node_limit=1)
    list(interrupted)
    if interrupted.stopped_by == "node_limit":
        interrupted.resume(limit=1)
        resumed = bool(list(interrupted)) or interrupted.stats.solutions > 0
    else:
        resumed = interrupted.stats.solutions > 0
    return {
        "solve": problem.solve() is not None,
        "with a timeout": problem.solve(timeout=600) is not None,
        "solutions": bool(list(problem.solutions(limit=1))),
        "asolve": asyncio.run(problem.asolve()) is not None,
        "workers": problem.solve(workers=2) is not None,
        "executor": by_executor,
        "resumed": resumed,
        "journal": bool(list(problem.solutions(limit=1, checkpoint=folder / "solve.db"))),
        "batch": next(problem.solve_many([()])) is not None,
        "dlx solve": by_command(problem, folder, "solve")[-1]["solutions"] == 1,
        "dlx solve --workers": by_command(problem, folder, "solve", "--workers", "2")[-1][
            "solutions"
        ]
        == 1,
    }


def number_at_each_door(problem: dlx.Problem, folder: Path, limit: int | None) -> dict[str, int]:
    """The number of solutions, up to a limit, as each door says."""
    limits = () if limit is None else ("--limit", str(limit))
    with ThreadPoolExecutor(2) as executor:
        by_executor = problem.count(limit=limit, executor=executor)
    journal = problem.count(limit=limit, checkpoint=folder / "count.db")
    answers = {
        "count": problem.count(limit=limit),
        "with a timeout": problem.count(limit=limit, timeout=600),
        "acount": asyncio.run(problem.acount(limit=limit)),
        "solutions": len(list(problem.solutions(limit=limit))),
        "workers": problem.count(limit=limit, workers=2),
        "executor": by_executor,
        "journal": journal,
        "journal again": problem.count(limit=limit, checkpoint=folder / "count.db"),
        "batch": next(problem.count_many([()], limit=limit)),
        "dlx count": int(by_command(problem, folder, "count", *limits)[-1]["solutions"]),
    }
    if limit == 2:
        unique = [problem.is_unique(checkpoint=folder / "unique.db") for _ in range(2)]
        assert unique == [problem.is_unique()] * 2 == [answers["count"] == 1] * 2
        answers["journal of is_unique"] = problem.count(limit=2, checkpoint=folder / "unique.db")
    return answers


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_door_has_the_same_answer(name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]()
    number = problem.count(engine="links")
    assert set(exists_at_each_door(problem, tmp_path).values()) == {number > 0}
    for limit in (1, 2, None):
        folder = tmp_path / str(limit)
        folder.mkdir()
        answers = number_at_each_door(problem, folder, limit)
        expected = number if limit is None else min(limit, number)
        assert answers == dict.fromkeys(answers, expected)


@pytest.mark.parametrize(
    "question", [pytest.param(one, id=one) for one in ("solve", "is_unique", "count")]
)
@pytest.mark.parametrize("keywords", [{}, {"timeout": 600}, {"node_limit": 10**12}])
def test_a_door_runs_what_it_plans(
    question: str, keywords: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan that `Problem.plan` shows is the one that is run."""
    problem = pigeons(8)
    planned: list[Plan] = []

    def monitored(*arguments: Any) -> Plan:
        planned.append(make_plan(*arguments))
        return planned[-1]

    monkeypatch.setattr(solutions, "make_plan", monitored)
    monkeypatch.setattr("dlx.analysis.count.make_plan", monitored)
    getattr(problem, question)(**keywords)
    expected = problem.plan(question, **keywords)
    if question == "count" and "node_limit" not in keywords:
        assert (planned, expected.runner) == ([], "counter")  # which is the only plan then
    else:
        assert set(planned) == {expected}


def test_questions_have_plans_in_any_mix_of_keywords() -> None:
    """No mix of keywords has a plan without methods, or one that differs from run to run."""
    random_source = random.Random("plans")
    problem = models.queens(5)
    parts = [None, *problem.split(3)]
    for _ in range(300):
        options = SearchOptions(
            limit=random_source.choice([None, 0, 1, 2, 3]),
            timeout=random_source.choice([None, 5]),
            node_limit=random_source.choice([None, 7]),
            engine=random_source.choice(["auto", "bits", "links", "python"]),
            part=random_source.choice(parts),
            workers=random_source.choice([1, 2]),
            checkpoint=random_source.choice([None, "run.db"]),
            distinct=random_source.choice([False, True]),
            symmetry=random_source.choice([False, True]),
        )
        for question in QUESTIONS[:4]:
            plan = make_plan(question, input_of(problem, options), options)
            assert plan.methods
            assert len(set(plan.methods)) == len(plan.methods)
            assert plan == make_plan(question, input_of(problem, options), options)


def test_a_search_says_its_plan() -> None:
    """Which methods took part is said with their shares of the time; one alone without."""
    problem = models.queen_domination(11, 4)
    search = problem.solutions(limit=1)
    assert list(search) == []
    names = [share.rsplit(" ", 2)[0] for share in search.stats.plan.split(", ")]
    assert names == ["in order", *search.stats.helpers]
    assert sum(int(share.split()[-2]) for share in search.stats.plan.split(", ")) in range(97, 104)
    assert models.queens(6).solutions(engine="bits").stats.plan == "in order"
    workers = problem.solutions(limit=1, workers=2)
    assert list(workers) == []
    assert workers.stats.plan.startswith("workers ")


# -- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("nodes", [1, 2, 7, 40])
def test_sets_that_need_a_search_of_their_own(
    nodes: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a batch gives a set up: the answers are the same, in order, with their errors."""
    problem = models.queens(7)
    names = [(), ((0, 0),), ((0, 0), (0, 1)), ((9, 9),), ((3, 3),), ((0, 3), (1, 0)), ((0, 6),)]
    exists = [error_or(lambda given=given: problem.solve(given=given)) for given in names]
    numbers = [error_or(lambda given=given: problem.count(given=given, limit=2)) for given in names]
    monkeypatch.setattr(Thresholds, "certificate", nodes)
    answers = problem.solve_many(names, workers=workers, errors="return")
    for given, expected, found in zip(names, exists, answers, strict=True):
        assert (type(found) is tuple) == (type(expected) is tuple), given
        if isinstance(found, tuple):
            problem.verify(found)
            assert set(given) <= set(found)
        else:
            assert (None if found is None else str(found)) == expected
    counted = problem.count_many(names, limit=2, workers=workers, errors="return")
    assert [str(one) if isinstance(one, Exception) else one for one in counted] == numbers
    for limit in (None, 5):
        whole = problem.count_many([(), [(0, 3)], [(0, 3)]], limit=limit, workers=workers)
        assert list(whole) == [min(limit or 40, 40), min(limit or 6, 6), min(limit or 6, 6)]
    forbidding = problem.count_many([(), ()], limit=2, forbids=[[(0, 0)], [(0, 1)]])
    assert list(forbidding) == [2, 2]


def error_or(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except dlx.DLXError as error:
        return str(error)


def test_a_hard_set_is_refuted_by_a_certificate() -> None:
    """A search in order of 12 pigeons takes minutes; the batch asks as `solve` does."""
    holes = pigeons(12)
    answers = holes.solve_many([(), ()])
    assert list(answers) == [None, None]
    assert list(holes.count_many([()], limit=2)) == [0]
    assert answers.exhausted


def test_the_time_limit_of_a_set_goes_on_in_its_own_search() -> None:
    problem = models.queen_domination(12, 5)
    answers = problem.count_many([(), [(9, 9)]], limit=1, timeout=0.05, errors="return")
    late = next(answers)
    assert isinstance(late, dlx.SearchInterrupted)
    assert (late.reason, late.position, late.count) == ("timeout", 0, 0)


# -- workers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("alone", [1, 3, 50])
def test_a_portfolio_assists_workers(alone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of them finds a solution, and whenever the portfolio begins: the same answers."""
    monkeypatch.setattr(Thresholds, "certificate", alone)
    monkeypatch.setattr(Thresholds, "weighted", alone)
    monkeypatch.setattr(Thresholds, "entries", 0)
    for seed in range(15):
        problem = models.quasigroup(7, 20 + seed, seed=seed)
        number = problem.count(engine="links", limit=2)
        found = problem.solve(workers=2)
        assert (found is None) == (number == 0)
        if found is not None:
            problem.verify(found)
        assert problem.is_unique(workers=2) == (number == 1)
        assert problem.count(limit=2, workers=2) == number


def test_workers_are_assisted_where_only_another_method_ends() -> None:
    """A search in order of this board takes minutes."""
    search = mutilated_board(10).solutions(limit=1, workers=2)
    assert list(search) == []
    assert search.stats.helpers


def test_an_assisted_search_continues_after_a_limit() -> None:
    problem = models.queen_domination(9, 4)
    search = problem.solutions(limit=1, workers=2, node_limit=30_000)
    assert list(search) == []
    assert search.stopped_by == "node_limit"
    assert search.stats.nodes >= 30_000
    search.resume(limit=1)
    found = list(search)
    assert bool(found) == (problem.solve() is not None)
