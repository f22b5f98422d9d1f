"""Puzzles of a wanted difficulty."""

from __future__ import annotations

import pytest

import dlx
import sudoku
from sudoku import Grid, Layout, NoPuzzle
from sudoku.making import generating
from sudoku.making.symmetries import orbits


@pytest.mark.parametrize("band", ["easy", "medium", "hard", "expert"])
@pytest.mark.parametrize("symmetry", ["none", "rotation-2"])
def test_it_is_rated_so(band: str, symmetry: str) -> None:
    puzzle = sudoku.generate(difficulty=band, symmetry=symmetry, seed=7)
    assert sudoku.rate(puzzle).band == band
    assert sudoku.is_unique(puzzle)
    for group in orbits(puzzle.layout, symmetry):
        assert len({puzzle.cells[cell] == 0 for cell in group}) == 1
    assert puzzle == sudoku.generate(difficulty=band, symmetry=symmetry, seed=7)


def test_in_bulk_workers_do_not_matter() -> None:
    alone = list(sudoku.generate_many(4, difficulty="medium", seed=3))
    assert alone == list(sudoku.generate_many(4, difficulty="medium", seed=3, workers=2))
    assert {sudoku.rate(puzzle).band for puzzle in alone} == {"medium"}
    assert len(set(alone)) == 4


def test_a_minimal_one_stays_minimal() -> None:
    puzzle = sudoku.generate(difficulty="easy", minimal=True, seed=2)
    assert sudoku.rate(puzzle).band == "easy"
    for cell, digit in enumerate(puzzle.cells):
        if digit:
            cells = (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :])
            assert not sudoku.is_unique(Grid.from_cells(cells, puzzle.layout))


def test_a_number_of_givens_is_kept() -> None:
    puzzle = sudoku.generate(clues=30, difficulty="medium", minimal=False, seed=1)
    assert puzzle.filled == 30
    assert sudoku.rate(puzzle).band == "medium"


def test_what_cannot_be() -> None:
    with pytest.raises(dlx.InvalidArgument, match="there is no difficulty 'extrem'; did you mean"):
        sudoku.generate(difficulty="extrem")
    with pytest.raises(dlx.InvalidArgument, match="there are easy, medium"):
        sudoku.generate(difficulty=3)  # type: ignore[arg-type]
    with pytest.raises(sudoku.LayoutError, match="no hints or ratings for samurai"):
        sudoku.generate(sudoku.layouts.samurai(), difficulty="easy")
    with pytest.raises(sudoku.NoPuzzle, match="no extreme puzzle in 2 attempts"):
        sudoku.generate(Layout(2, 2), difficulty="extreme", attempts=2)


def test_attempts_are_all_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those for the number of givens and those for the difficulty are the same."""
    made = []
    dig = generating.dig
    monkeypatch.setattr(generating, "dig", lambda *what: made.append(what) or dig(*what))
    for minimal in (True, False):
        made.clear()
        with pytest.raises(NoPuzzle, match="no extreme puzzle in 25 attempts"):
            sudoku.generate(
                Layout(2, 3), 10, difficulty="extreme", minimal=minimal, attempts=25, seed=1
            )
        assert len(made) == 25
    with pytest.raises(NoPuzzle, match="with 36 givens in 4 attempts: the nearest"):
        sudoku.generate(Layout(2, 3), 36, difficulty="easy", minimal=True, attempts=4, seed=1)
