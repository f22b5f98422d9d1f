"""Ratings: reproducible, and the same for all puzzles that are the same puzzle."""

from __future__ import annotations

import pickle
from itertools import islice

import pytest
from example_puzzles import INKALA
from hint_positions import random_puzzle
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout
from sudoku.hinting.deduction import changes_of
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.registry import BANDS, Technique, by_name

HARD = [*(random_puzzle(seed) for seed in (3, 8, 11, 14, 17, 25, 40, 64)), sudoku.parse(INKALA)]


def orders(draw: st.DrawFn) -> list[int]:
    """Nine lines, shuffled within their bands, and the bands shuffled."""
    return [
        3 * band + line
        for band in draw(st.permutations(range(3)))
        for line in draw(st.permutations(range(3)))
    ]


@st.composite
def twins(draw: st.DrawFn) -> tuple[Grid, Grid]:
    """A puzzle, and the same puzzle in disguise."""
    grid = draw(st.sampled_from(HARD))
    digits = [0, *draw(st.permutations(range(1, 10)))]
    rows, columns = orders(draw), orders(draw)
    turned = draw(st.booleans())
    cells = [
        digits[grid.cells[column * 9 + row if turned else row * 9 + column]]
        for row in rows
        for column in columns
    ]
    return grid, Grid.from_cells(tuple(cells), Layout(3, 3))


@settings(max_examples=40, deadline=None)
@given(twins())
@pytest.mark.lengthy
def test_a_rating_does_not_see_symmetries(pair: tuple[Grid, Grid]) -> None:
    assert sudoku.rate(pair[0]) == sudoku.rate(pair[1])


def test_one_step_at_a_time_would_see_symmetries(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is why a round does all at once; and the property above can fail."""

    def first(self: Technique, position: Position) -> Changes:
        return changes_of(position, islice(self.find(position), 1))

    monkeypatch.setattr(Technique, "deduce", first)
    turned = [Grid.from_cells(grid.cells[::-1], Layout(3, 3)) for grid in HARD]
    assert any(sudoku.rate(one) != sudoku.rate(two) for one, two in zip(HARD, turned, strict=True))


def test_the_puzzles_above_are_of_many_kinds() -> None:
    ratings = [sudoku.rate(grid) for grid in HARD]
    assert len({rating.band for rating in ratings}) >= 3
    assert len({name for rating in ratings for name, _ in rating.techniques}) >= 12


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
@example(0)
@pytest.mark.lengthy
def test_a_rating_adds_up(seed: int) -> None:
    puzzle = random_puzzle(seed)
    rating = sudoku.rate(puzzle)
    assert rating == sudoku.rate(puzzle)
    assert rating.steps == sum(count for _, count in rating.techniques) >= 81 - puzzle.filled
    assert rating.score == sum(by_name(name).score * count for name, count in rating.techniques)
    assert rating.hardest == rating.techniques[-1][0]
    assert rating.band == by_name(rating.hardest).band
    assert rating.band in BANDS


def test_what_a_rating_is() -> None:
    rating = sudoku.rate("1... .2.. ..3. 4...")
    assert rating == ("easy", "hidden single", 12, rating.score, rating.techniques)
    assert str(rating) == f"easy (hidden single), 12 steps, {rating.score}"
    assert pickle.loads(pickle.dumps(rating)) == rating


def test_a_full_grid_is_nothing_to_do() -> None:
    rating = sudoku.rate("1234 3412 2143 4321")
    assert (rating.band, rating.hardest, rating.steps, rating.score) == ("easy", "", 0, 0)
    assert str(rating) == "easy (nothing to do), 0 steps, 0"


def test_the_hardest_puzzles_are_extreme() -> None:
    assert sudoku.rate(INKALA).band == "extreme"


@pytest.mark.parametrize(("box", "band"), [((2, 3), "easy"), ((3, 2), "easy")])
def test_other_shapes(box: tuple[int, int], band: str) -> None:
    layout = Layout(*box)
    cells = list(sudoku.solve("." * 36, layout=layout, seed=1).cells)
    cells[::3] = [0] * 12
    assert sudoku.rate(Grid.from_cells(tuple(cells), layout)).band == band
