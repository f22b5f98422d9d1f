"""Puzzles of a wanted difficulty."""

from __future__ import annotations

import itertools
from importlib import import_module
from itertools import pairwise
from types import SimpleNamespace

import pytest

import dlx
import sudoku
from sudoku import Grid, Layout, NoPuzzle
from sudoku.generation import difficulty as grading
from sudoku.generation.symmetries import orbits
from sudoku.hinting.rating import band_within
from sudoku.solving import deadline


@pytest.mark.parametrize("band", ["gentle", "easy", "medium", "hard", "expert"])
@pytest.mark.parametrize("symmetry", ["none", "rotation-2"])
def test_it_is_rated_so(band: str, symmetry: str) -> None:
    puzzle = sudoku.generate(difficulty=band, symmetry=symmetry, seed=7)
    assert sudoku.rate(puzzle).band == band
    assert sudoku.is_unique(puzzle)
    for group in orbits(puzzle.layout, symmetry):
        assert len({puzzle.cells[cell] == 0 for cell in group}) == 1
    assert puzzle == sudoku.generate(difficulty=band, symmetry=symmetry, seed=7)


@pytest.mark.parametrize(("band", "least"), [("gentle", 38), ("easy", 32)])
@pytest.mark.parametrize("layout", [None, "diagonal"])
def test_beginners_get_more_givens(band: str, least: int, layout: str | None) -> None:
    chosen = None if layout is None else sudoku.layouts.named(layout)
    for puzzle in sudoku.generate_many(4, chosen, difficulty=band, seed=5):
        assert least <= puzzle.filled <= least + 8
        assert sudoku.rate(puzzle).band == band
        assert sudoku.is_unique(puzzle)


@pytest.mark.parametrize(("box", "least"), [((2, 2), 0), ((2, 3), 17), ((3, 3), 38), ((4, 4), 121)])
def test_the_givens_of_beginners_grow_with_the_grid(box: tuple[int, int], least: int) -> None:
    assert grading.fewest_givens(0, Layout(*box)) == least
    assert grading.fewest_givens(2, Layout(*box)) == 0
    assert grading.fewest_givens(0, sudoku.layouts.named("anti-knight")) == 0


@pytest.mark.parametrize(("band", "hardest"), [(0, "full house"), (1, "hidden single in a box")])
def test_4x4_puzzles_are_gentle_or_easy(band: int, hardest: str) -> None:
    for puzzle in sudoku.generate_many(8, Layout(2, 2), difficulty=grading.BANDS[band], seed=2):
        rating = sudoku.rate(puzzle)
        assert (rating.band, rating.hardest) == (grading.BANDS[band], hardest)
        assert band_within(puzzle, band, deadline.Deadline(None)) == band
        assert band_within(puzzle, band - 1, deadline.Deadline(None)) is None


def test_no_4x4_puzzle_is_harder() -> None:
    """Not after a thousand attempts, but at once; with rules, and on larger grids, some are."""
    for band in grading.BANDS[2:]:
        with pytest.raises(NoPuzzle, match=f"^no 4x4 puzzle is {band}: each is gentle or easy"):
            sudoku.generate(Layout(2, 2), difficulty=band, seed=1)
    puzzle = sudoku.generate(Layout(2, 2), kind="killer", difficulty="medium", seed=1)
    assert sudoku.rate(puzzle).band == "medium"


def test_groups_that_make_a_puzzle_too_easy_are_left_out() -> None:
    """With 15 random givens most puzzles of 6x6 are gentle; an easy one is found all the same."""
    puzzle = sudoku.generate(Layout(2, 3), difficulty="easy", attempts=60, seed=1)
    assert puzzle.filled >= 15
    assert sudoku.rate(puzzle).band == "easy"


@pytest.mark.lengthy
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
    with pytest.raises(dlx.InvalidArgument, match="unknown difficulty 'extrem': did you mean"):
        sudoku.generate(difficulty="extrem")
    with pytest.raises(
        dlx.InvalidArgument, match="expected gentle, easy, medium, hard, expert or extreme"
    ):
        sudoku.generate(difficulty=3)  # type: ignore[arg-type]
    with pytest.raises(sudoku.LayoutError, match="no hints or ratings for a side of 25"):
        sudoku.generate(Layout(5, 5), difficulty="easy")
    with pytest.raises(sudoku.NoPuzzle, match="no extreme puzzle in 2 attempts"):
        sudoku.generate(Layout(2, 3), difficulty="extreme", attempts=2)


def test_attempts_are_all_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those for the number of givens and those for the difficulty are the same."""
    made = []
    generating = import_module("sudoku.generation.generate")
    remove = generating.remove_givens
    monkeypatch.setattr(
        generating, "remove_givens", lambda *what: made.append(what) or remove(*what)
    )
    for minimal in (True, False):
        made.clear()
        with pytest.raises(NoPuzzle, match="no extreme puzzle in 25 attempts"):
            sudoku.generate(
                Layout(2, 3), 10, difficulty="extreme", minimal=minimal, attempts=25, seed=1
            )
        assert len(made) == 25
    with pytest.raises(NoPuzzle, match="with 36 givens in 4 attempts: the closest"):
        sudoku.generate(Layout(2, 3), 36, difficulty="easy", minimal=True, attempts=4, seed=1)


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> itertools.count[int]:
    """A clock of which each look at a deadline takes a second."""
    seconds = itertools.count()
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: float(next(seconds))))
    return seconds


def test_a_rating_ends_at_its_timeout(ticks: itertools.count[int]) -> None:
    puzzle = sudoku.generate(seed=1)
    with pytest.raises(dlx.SearchInterrupted):
        sudoku.rate(puzzle, timeout=5)
    assert next(ticks) == 6  # looks: at the beginning, and before each technique


def test_ratings_count_towards_the_timeout(
    ticks: itertools.count[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left for a rating is what the search for the puzzle has left over."""
    left: list[float | None] = []

    def rated(puzzle: Grid, most: int, until: deadline.Deadline) -> int | None:
        left.append(until.left)
        return band_within(puzzle, most, until)

    monkeypatch.setattr(grading, "band_within", rated)
    with pytest.raises(dlx.SearchInterrupted):
        sudoku.generate(Layout(2, 3), difficulty="extreme", seed=1, timeout=300)
    assert len(left) > 1
    assert all(before > after > 0 for before, after in pairwise(left))  # type: ignore[operator]
