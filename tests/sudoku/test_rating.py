"""Ratings: reproducible, and the same for all puzzles that are the same puzzle."""

from __future__ import annotations

import itertools
import pickle
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
import ratings_correlation as benchmark
from example_puzzles import INKALA, WIKIPEDIA
from hint_positions import random_puzzle
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ratings_correlation import ranks, read, spearman

import dlx
import sudoku
from sudoku import Grid, Layout, NoPuzzle
from sudoku.generation import difficulty as grading
from sudoku.generation.symmetries import orbits
from sudoku.hinting.deduction import changes_of
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rating import band_within
from sudoku.hinting.registry import BANDS, RATING_TECHNIQUES, Technique
from sudoku.hinting.technique import registered
from sudoku.hinting.techniques.singles import all_box_singles, box_singles, hidden_singles
from sudoku.solving import deadline

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
    assert rating.score == sum(
        registered()[name].score * count for name, count in rating.techniques
    )
    assert rating.hardest == rating.techniques[-1][0]
    assert rating.band == registered()[rating.hardest].band
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


# -- Puzzles of a wanted difficulty --------------------------------------------------------------


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
        with pytest.raises(NoPuzzle, match=f"no {band} puzzles of 2x2 .* gentle and easy"):
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
        sudoku.rate(puzzle, timeout=6)
    assert next(ticks) == 7  # looks: at the beginning, and before each technique


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
        sudoku.generate(Layout(2, 3), difficulty="extreme", attempts=1000, seed=1, timeout=300)
    assert len(left) > 1
    assert all(before > after > 0 for before, after in pairwise(left))  # type: ignore[operator]
