"""`solutions(distinct=True)` and `count(distinct=True)`, against orbits of all solutions."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case
from hypothesis import given, settings
from hypothesis import strategies as st
from multiplicities import MultiCase, multi_cases
from strategies import cases, parts_of_solutions

import dlx
from dlx import models
from dlx.cli.main import main


def first_of_each_class(
    problem: dlx.Problem, givens: tuple[Any, ...], seed: int | None
) -> list[tuple[tuple[Any, ...], int]]:
    """The solutions that no symmetric one precedes, with the sizes of their classes."""
    symmetries = list(problem.symmetries(given=givens))
    seen: set[frozenset[Any]] = set()
    found = []
    for solution in problem.solutions(given=givens, seed=seed, engine="links"):
        if frozenset(solution) in seen:
            continue
        orbit = {
            frozenset(symmetry.options.get(name, name) for name in solution)
            for symmetry in symmetries
        }
        seen |= orbit
        found.append((solution, len(orbit)))
    return found


@pytest.mark.lengthy
@given(cases(max_options=8) | multi_cases(weights=True, max_options=8), st.data())
@settings(max_examples=200)
def test_against_orbits(case: Case | MultiCase, data: st.DataObject) -> None:
    problem = case.problem()
    if problem.symmetries().order > 5000:
        return
    found = list(problem.solutions(engine="links", limit=50))
    givens = data.draw(parts_of_solutions(found)) if found else ()
    seed = data.draw(st.none() | st.integers(0, 9))
    expected = first_of_each_class(problem, givens, seed)
    for engine in ("auto", "links", "python"):
        search = problem.solutions(given=givens, seed=seed, distinct=True, engine=engine)
        assert [(solution, search.orbit_size) for solution in search] == expected
        assert search.exhausted
        assert problem.count(given=givens, distinct=True, engine=engine) == len(expected)
    assert sum(size for _, size in expected) == problem.count(given=givens)
    assert problem.count(given=givens, distinct=True, limit=2) == min(2, len(expected))
    assert problem.count(given=givens, distinct=True, workers=2) == len(expected)


@pytest.mark.parametrize(
    ("problem", "number"),
    [
        *(  # A002562
            (models.queens(size), number)
            for size, number in ((4, 1), (5, 2), (6, 1), (7, 6), (8, 12), (9, 46), (10, 92))
        ),
        (models.pentominoes(3, 20), 2),  # Haselgrove and Haselgrove (1960)
        (models.pentominoes(4, 15), 368),
        (models.soma(), 240),  # Conway and Guy (1961)
        *((models.langford(size), number) for size, number in ((3, 1), (4, 1), (7, 26), (8, 150))),
    ],
    ids=str,
)
def test_known_numbers(problem: dlx.Problem, number: int) -> None:
    """Langford pairs up to reversal: A014552."""
    assert problem.count(distinct=True) == number
    search = problem.solutions(distinct=True)
    sizes = [search.orbit_size for _ in search]
    assert len(sizes) == number
    assert sum(sizes) == problem.count()


def test_limits_and_resuming() -> None:
    problem = models.queens(8)
    everything = list(problem.solutions(distinct=True))
    assert everything == [one for one in problem.solutions() if one in everything]
    search = problem.solutions(distinct=True, limit=5)
    assert list(search) == everything[:5]
    assert search.stopped_by == "limit"
    assert list(search.resume()) == everything[5:]
    assert search.exhausted
    search = problem.solutions(distinct=True, node_limit=300)
    some = list(search)
    assert search.stopped_by == "node_limit"
    assert some + list(search.resume()) == everything
    search = problem.solutions(distinct=True)
    assert search.take(3) == everything[:3]
    assert search.orbit_size in (4, 8)
    with pytest.raises(dlx.InvalidArgument, match="distinct=True cannot be pickled"):
        pickle.dumps(search)
    parts = problem.split(5)
    assert [
        one for part in parts for one in problem.solutions(part=part, distinct=True)
    ] == everything


def test_a_journal(tmp_path: Path) -> None:
    problem = models.queens(8)
    path = tmp_path / "queens.journal"
    search = problem.solutions(distinct=True, checkpoint=path)
    first = search.take(4)
    search.close()
    rest = list(problem.solutions(distinct=True, checkpoint=path))
    assert {*first, *rest} == {*problem.solutions(distinct=True)}


def test_too_many_symmetries() -> None:
    problem = models.latin_square(5)
    with pytest.raises(dlx.InvalidArgument, match="up to 20,000 symmetries, and this problem has"):
        problem.solutions(distinct=True)
    with pytest.raises(dlx.InvalidArgument, match="distinct is 1; it must be True or False"):
        problem.count(distinct=1)  # type: ignore[arg-type]


def test_a_timeout() -> None:
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        models.queens(16).count(distinct=True, timeout=0)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "queens.dlx")
    models.queens(8).dump(path)
    assert main(["count", "--distinct", path]) == 0
    assert capsys.readouterr().out.split() == ["12"]
    assert main(["solve", "--all", "--distinct", "--json", path]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 13
