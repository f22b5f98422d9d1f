"""What setters ask about a puzzle: the candidates of its solutions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
import sudoku_strategies as some
from example_puzzles import CLASH, WIKIPEDIA
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_strategies import Larger, jigsaw_killers, kinds, larger_kinds
from rules_oracle import Values, keeps, latin_squares, squares
from sudoku_commands import run

import dlx
import sudoku
from sudoku import Grid, Layout, candidates_of_solutions, layouts
from sudoku.analysis import solution_candidates
from sudoku.solving.deadline import timed_out

SQUARES = latin_squares(4)
CELLS3 = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]


def counted(
    grids: Iterable[Values], layout: Layout, most: int | None
) -> dict[tuple[int, int], dict[int, int]]:
    """In how many of these grids each candidate is, up to a limit."""
    found = Counter((cell, values[cell]) for values in grids for cell in layout.positions)
    return {
        cell: {
            digit: min(found[cell, digit], most or found[cell, digit])
            for digit in range(1, layout.side + 1)
            if found[cell, digit]
        }
        for cell in layout.positions
    }


limits = st.none() | st.integers(1, 40)


@given(kinds(SQUARES), limits)
def test_candidates_of_any_kind(kind: tuple[Layout, list[Any]], limit: int | None) -> None:
    layout, specs = kind
    found = candidates_of_solutions("." * 16, layout=layout, limit=limit)
    assert found.counts == counted(squares(specs), layout, limit)
    assert not found.undecided


@given(larger_kinds() | jigsaw_killers(), limits)
@settings(max_examples=20)
def test_candidates_of_larger_kinds(kind: Larger, limit: int | None) -> None:
    layout, specs, grids, givens = kind
    expected = [values for values in grids if all(keeps(values, spec) for spec in specs)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = candidates_of_solutions(puzzle, layout=layout, limit=limit)
    assert found.counts == counted(expected, layout, limit)


@given(some.any_puzzles(some.SMALL), st.integers(1, 30), st.sampled_from(["auto", "links"]))
def test_candidates_of_a_classic(puzzle: Grid, limit: int, engine: str) -> None:
    """With none, one and many solutions, listed or counted for each candidate."""
    every = [grid.values for grid in sudoku.solutions(puzzle, limit=3000)]
    if len(every) < 3000:
        found = candidates_of_solutions(puzzle, limit=limit, engine=engine)
        assert found.counts == counted(every, puzzle.layout, limit)
        assert found.digits == {cell: tuple(counts) for cell, counts in found.counts.items()}


def test_few_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """One solution answers for many candidates; one refutation, by `reduced`, for many as well."""
    searches: list[object] = []
    solve = dlx.Problem.solve

    def counting(problem: dlx.Problem, **keywords: Any) -> Any:
        searches.append(keywords)
        return solve(problem, **keywords)

    monkeypatch.setattr(dlx.Problem, "solve", counting)
    assert set(map(len, candidates_of_solutions("." * 81).counts.values())) == {9}
    assert len(searches) < 60
    searches.clear()
    [*killer] = sudoku.generate(kind="killer", seed=1).layout.rules
    layout = Layout(3, 3).with_rules(*killer[:-3])
    found = candidates_of_solutions("." * 81, layout=layout)
    assert 81 < sum(map(len, found.counts.values())) < 200
    assert len(searches) < 60


def test_regions_to_be_found_count() -> None:
    """Two divisions of the only filling are two solutions."""
    layout = layouts.chaos(3)
    puzzle = "123 231 312"
    number = sudoku.count(puzzle, layout=layout)
    assert number > 1
    found = candidates_of_solutions(puzzle, layout=layout, limit=None)
    assert found.counts == {cell: {Grid(puzzle, layout=layout)[cell]: number} for cell in CELLS3}


def test_overlapping_grids() -> None:
    layout = layouts.butterfly()
    solved = sudoku.random_grid(layout, seed=1)
    cells = tuple(0 if number % 9 in (1, 4) else d for number, d in enumerate(solved.cells))
    puzzle = Grid.from_cells(cells, layout)
    every = [grid.values for grid in sudoku.solutions(puzzle)]
    assert candidates_of_solutions(puzzle, limit=None).counts == counted(every, layout, None)
    assert str(candidates_of_solutions(solved)).split() == list(solved.line)


@pytest.mark.parametrize("limit", [1, 5])
def test_a_timeout_leaves_candidates_undecided(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = candidates_of_solutions("." * 81, timeout=0, limit=limit)
    assert set(map(len, found.undecided.values())) == {9}
    assert not any(found.counts.values())
    assert str(found).count("1?2?3?" if limit == 1 else "1:0+,2:0+") == 81
    # After the first solution: what is in it is decided for a limit of 1 only.
    solve = dlx.Problem.solve

    def once(problem: dlx.Problem, **keywords: Any) -> Any:
        if keywords["seed"]:
            raise timed_out()
        return solve(problem, **keywords)

    monkeypatch.setattr(dlx.Problem, "solve", once)
    found = candidates_of_solutions("." * 81, limit=limit)
    assert set(map(len, found.undecided.values())) == {8 if limit == 1 else 9}
    assert set(map(len, found.counts.values())) == {1}
    assert set(map(len, found.digits.values())) == {9}


def test_wrong_arguments() -> None:
    for limit in (0, 1.5, "1"):
        with pytest.raises(dlx.InvalidArgument, match="limit is"):
            candidates_of_solutions("." * 16, limit=limit)  # type: ignore[arg-type]


def test_few_are_listed_more_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = candidates_of_solutions("." * 16, limit=None)
    assert expected.counts[1, 1] == {1: 72, 2: 72, 3: 72, 4: 72}
    monkeypatch.setattr(solution_candidates, "FEW", 100)
    assert candidates_of_solutions("." * 16, limit=None) == expected


def test_the_command() -> None:
    result = run("candidates", "1....2....3.....")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1] == "| 1   34  | 24  234 |"
    result = run("candidates", "1....2....3.....", "--limit", "3")
    assert result.stdout.splitlines()[1].endswith("| 2:3+,4:2    2:2,3:3+,4:1 |")
    result = run("candidates", CLASH, WIKIPEDIA)
    assert result.exit_code == 1
    assert result.stderr == "sudoku: argument 1: no solution\n"
    assert result.stdout.startswith("argument 2:\n+-------+")
    result = run("candidates", "." * 81, "--timeout", "0")
    assert (result.exit_code, result.stderr) == (3, "sudoku: stopped by the timeout\n")
    found = json.loads(run("candidates", "--json", "1....2....3.....").stdout)
    assert found["candidates"][1] == [1, 2, {"3": 1, "4": 1}]
    assert found["undecided"] == []
