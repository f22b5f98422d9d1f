"""Why a puzzle has no solution: the givens that are named are enough, and all are needed."""

from __future__ import annotations

import pickle
import re

import pytest
import sudoku_strategies as some
from hypothesis import assume, given, settings

import sudoku
from sudoku import Grid, Layout, NoSolution
from sudoku.analysis.oracle import fewest_first
from sudoku.board.layout import cell_name, symbol
from sudoku.rules.check import duplicates
from sudoku.solving.no_solution import conflicting_givens

SMALL = [Layout(2, 2), Layout(2, 3), Layout(3, 2)]
HARD = "........7..4.2.6..8.....31......29...4..9..3...95.6....1......8..6.5.2..7...1..6."


def explained(grid: Grid) -> str | None:
    """The sentence that names the givens, or None."""
    found = conflicting_givens(grid)
    return None if found is None else str(found)


def has_solution(grid: Grid, cells: set[int]) -> bool:
    """Whether these cells of it alone have one, by the oracle."""
    layout = grid.layout
    values = tuple(value if cell in cells else 0 for cell, value in enumerate(grid.cells))
    if duplicates(Grid.from_cells(values, layout)):
        return False
    return bool(fewest_first(values, layout.box_rows, layout.box_columns, limit=1).solutions)


def named(grid: Grid, sentence: str) -> set[int]:
    """The cells that a sentence names, with the right digits."""
    side = grid.layout.side
    cells = set()
    for row, column, value in re.findall(r"r(\d+)c(\d+)=(\w)", sentence):
        cell = (int(row) - 1) * side + int(column) - 1
        assert symbol(grid.cells[cell]) == value
        assert cell_name(*grid.layout.positions[cell]) == f"r{row}c{column}"
        cells.add(cell)
    assert cells
    return cells


def check(grid: Grid, sentence: str) -> None:
    assert re.fullmatch(r"the givens r\d.*=\w and r\d+c\d+=\w already leave no solution", sentence)
    cells = named(grid, sentence)
    assert not has_solution(grid, cells)
    for cell in cells:
        assert has_solution(grid, cells - {cell})


@given(some.any_puzzles(SMALL))
def test_sentences_are_true_and_irreducible(grid: Grid) -> None:
    sentence = explained(grid)
    assert (sentence is None) == (sudoku.count(grid, limit=1) == 1)
    if sentence is not None:
        check(grid, sentence)


def test_a_puzzle_that_only_a_search_refutes() -> None:
    grid = sudoku.parse(HARD)
    assert not sudoku.check(grid)
    with pytest.raises(NoSolution) as caught:
        sudoku.solve(grid)
    check(grid, str(caught.value))
    assert str(caught.value) == str(pickle.loads(pickle.dumps(caught.value)))
    assert repr(caught.value) == f"NoSolution({str(caught.value)!r})"


def test_flaws_come_first() -> None:
    with pytest.raises(NoSolution) as caught:
        sudoku.solve("12.3 ..4. .... ....")
    *flaws, givens = str(caught.value).split("; ")
    assert flaws == [str(flaw) for flaw in sudoku.check("12.3 ..4. .... ....")]
    assert givens == "the givens r1c1=1, r1c2=2 and r2c3=4 already leave no solution"


@given(some.any_puzzles(SMALL))
@settings(max_examples=25)
@pytest.mark.lengthy
def test_equal_digits_explain_themselves(grid: Grid) -> None:
    assume(duplicates(grid))
    with pytest.raises(NoSolution) as caught:
        sudoku.solve(grid)
    assert "already" not in str(caught.value)


def test_it_repeats_and_is_quick_to_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = sudoku.parse(HARD)
    assert explained(grid) == explained(grid)
    monkeypatch.setattr("sudoku.solving.no_solution.NODES", 3)
    assert explained(grid) is None
    with pytest.raises(NoSolution) as caught:
        sudoku.solve(grid)
    assert str(caught.value).startswith("no solution: no flaw is visible")


def test_long_lists_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = sudoku.parse(HARD)
    whole = explained(grid)
    monkeypatch.setattr("sudoku.solving.no_solution._MOST_GIVENS", 4)
    short = explained(grid)
    assert whole is not None
    assert short is not None
    first = ", ".join(whole.split(", ")[:4])
    more = len(named(grid, whole)) - 4
    assert short == f"{first} and {more} more already leave no solution"
