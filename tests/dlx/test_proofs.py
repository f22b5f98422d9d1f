"""Proofs of `solve` and `solutions`: checked by `dlx.check`, compared with searches without proof."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import cases, large_cases, large_multi_cases, multi_cases

import dlx
from dlx.check import drat, pseudo_boolean

PROBLEMS = st.one_of(
    cases(),
    multi_cases(),
    multi_cases(weights=True),
    large_cases(),
    large_multi_cases(weights=True),
)
MOST = 300  # solutions of a problem that are all listed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


def checked(path: Path) -> Any:
    """What the proof in a file proves, according to the checker."""
    open_it = gzip.open if path.suffix == ".gz" else open
    with open_it(path, "rt") as file:
        proof = file.read().splitlines(keepends=True)
    if ".drat" in path.name:
        formula = path.with_name(f"{path.name.partition('.')[0]}.cnf")
        return drat.check(formula.read_text().splitlines(keepends=True), proof)
    formula = path.with_name(f"{path.name.partition('.')[0]}.opb")
    return pseudo_boolean.check(formula.read_text().splitlines(keepends=True), proof)


def variables_of(problem: dlx.Problem[Any], solution: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(sorted(f"x{problem.names.index(name) + 1}" for name in solution))


@given(PROBLEMS, st.data())
def test_all_solutions_are_proved(folder: Path, case: Any, data: st.DataObject) -> None:
    problem = case.problem()
    found = list(problem.solutions(limit=MOST + 1))
    assume(len(found) <= MOST)
    chosen: list[Any] = []
    if len(problem) and data.draw(st.booleans()):
        chosen = [data.draw(st.sampled_from(problem.names))]
        found = list(problem.solutions(given=chosen))
    path = folder / "all.pbp"
    search = problem.solutions(given=chosen, proof=path)
    assert list(search) == found  # in the same order
    assert search.exhausted
    proved = checked(path)
    assert str(proved) == f"exactly {len(found)} solution{'s' * (len(found) != 1)}"
    expected = sorted(variables_of(problem, solution) for solution in found)
    assert sorted(tuple(sorted(one)) for one in proved.solutions) == expected


@given(PROBLEMS, st.sampled_from([".drat", ".pbp"]), st.data())
def test_no_solution_is_proved(folder: Path, case: Any, suffix: str, data: st.DataObject) -> None:
    problem = case.problem()
    engine = data.draw(st.sampled_from(["auto", "links"]))
    chosen: list[Any] = []
    if len(problem) and data.draw(st.booleans()):
        chosen = [data.draw(st.sampled_from(problem.names))]
    path = folder / f"none{suffix}"
    solution = problem.solve(given=chosen, proof=path, engine=engine)
    expected = problem.solve(given=chosen)
    if solution is None:
        assert expected is None
        assert str(checked(path)) == "no solution"
        return
    problem.verify(solution)
    assert set(chosen) <= set(solution)
    if engine == "links":
        assert solution == problem.solve(given=chosen, engine="links")
    if suffix == ".pbp":
        assert str(checked(path)) == "a solution exists"
    else:
        with pytest.raises(drat.ProofRefused):
            checked(path)
