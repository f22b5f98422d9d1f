"""Ratings: reproducible, and the same for all puzzles that are the same puzzle."""

from __future__ import annotations

import pickle
from itertools import islice
from pathlib import Path

import pytest
import ratings_correlation as benchmark
from example_puzzles import INKALA, WIKIPEDIA
from hint_positions import random_puzzle
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ratings_correlation import ranks, read, spearman

import sudoku
from sudoku import Grid, Layout
from sudoku.hinting.deduction import changes_of
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.registry import BANDS, RATING_TECHNIQUES, Technique, by_name
from sudoku.hinting.techniques.singles import all_box_singles, box_singles, hidden_singles

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
    hardest = "hidden single in a box"
    assert rating == ("easy", hardest, 12, rating.score, rating.techniques)
    assert str(rating) == f"easy ({hardest}), 12 steps, score {rating.score}"
    assert pickle.loads(pickle.dumps(rating)) == rating


def test_a_full_grid_is_nothing_to_do() -> None:
    rating = sudoku.rate("1234 3412 2143 4321")
    assert (rating.band, rating.hardest, rating.steps, rating.score) == ("gentle", "", 0, 0)
    assert str(rating) == "gentle (nothing to do), 0 steps, score 0"


def test_the_hardest_puzzles_are_extreme() -> None:
    assert sudoku.rate(INKALA).band == "extreme"


@pytest.mark.parametrize(("box", "band"), [((2, 3), "gentle"), ((3, 2), "gentle")])
def test_other_shapes(box: tuple[int, int], band: str) -> None:
    layout = Layout(*box)
    cells = list(sudoku.solve("." * 36, layout=layout, seed=1).cells)
    cells[::3] = [0] * 12
    assert sudoku.rate(Grid.from_cells(tuple(cells), layout)).band == band


def test_hidden_singles_in_boxes_come_before_those_in_lines() -> None:
    """Gentle: each digit is the only one of its kind in a box; easy: look along a line as well."""
    position = Position.of(sudoku.parse(WIKIPEDIA))
    found = {find.placed for find in box_singles(position)}
    assert found < {find.placed for find in hidden_singles(position)}
    steps = [find.step(position) for find in box_singles(position)]
    assert all(" in box " in str(step) for step in steps)
    assert set(all_box_singles(position).placed.items()) == {place for (place,) in found}
    names = [technique.name for technique in RATING_TECHNIQUES[:4]]
    assert names == ["full house", "hidden single in a box", "hidden single", "naked single"]


@pytest.mark.parametrize("shape", [(1, 5), (5, 1)])
def test_rows_and_columns_are_not_boxes(shape: tuple[int, int]) -> None:
    """Where the boxes are rows or columns, only full houses are gentle."""
    puzzle = next(
        puzzle
        for puzzle in sudoku.generate_many(20, Layout(*shape), seed=1)
        if sudoku.rate(puzzle).hardest != "full house"
    )
    assert "hidden single in a box" not in dict(sudoku.rate(puzzle).techniques)


@pytest.mark.lengthy
@pytest.mark.parametrize(("name", "least"), [("sukaku-explainer", 0.93), ("hodoku", 0.92)])
def test_ratings_agree_with_published_ones(name: str, least: float) -> None:
    """Spearman's rank correlation, by the hardest technique, then by score."""
    puzzles = list(read(Path(benchmark.__file__).parent / "ratings" / f"{name}.txt"))
    assert len(puzzles) > 200
    ratings = [sudoku.rate(puzzle) for puzzle, _ in puzzles]
    ours = [(benchmark.ORDER[rating.hardest], rating.score) for rating in ratings]
    assert spearman(ours, [published for _, published in puzzles]) > least


def test_rank_correlation() -> None:
    assert spearman([1, 2, 3], [10, 20, 15]) == pytest.approx(0.5)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert ranks([30, 10, 20, 20]) == [3, 0, 1.5, 1.5]
