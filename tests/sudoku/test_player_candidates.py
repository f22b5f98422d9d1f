"""Hints from the candidates that a player has written: every form of them, mistakes, offers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from math import ceil, isqrt
from textwrap import indent

import folders
import pytest
from example_puzzles import DIAGONAL, WIKIPEDIA
from format_examples import dumped
from hint_positions import random_puzzle
from hint_verifier import Board
from hypothesis import given
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout, layouts
from sudoku.board.candidates import candidates_of
from sudoku.drawing.figures import figures
from sudoku.formats.player_marks import read_marks
from sudoku.formats.record import Record

Cells = dict[tuple[int, int], list[int]]

SHAPES = [Layout(2, 2), Layout(2, 3), Layout(3, 3)]
PUZZLE = Grid(WIKIPEDIA)
EXAMPLES = {
    technique.lower(): puzzle
    for technique, puzzle in (
        line.split("\t")
        for line in (folders.EXAMPLES / "techniques.tsv").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
}


@cache
def puzzle_of(seed: int, shape: Layout) -> tuple[Grid, Grid]:
    """A random minimal puzzle and its solution."""
    puzzle = random_puzzle(seed, shape)
    return puzzle, sudoku.solve(puzzle)


def bits_of(marks: Cells, layout: Layout) -> tuple[int, ...]:
    return tuple(sum(1 << digit for digit in marks.get(place, ())) for place in layout.positions)


@st.composite
def crossed_out(draw: st.DrawFn) -> tuple[Grid, Grid, list[tuple[int, int, int]]]:
    """A puzzle, its solution, and wrong candidates of empty cells that a player crossed out."""
    puzzle, solution = puzzle_of(draw(st.integers(0, 5)), draw(st.sampled_from(SHAPES)))
    wrong = [
        (*cell, digit)
        for cell, digits in candidates_of(puzzle).items()
        for digit in digits
        if solution[cell] != digit
    ]
    return puzzle, solution, draw(st.lists(st.sampled_from(wrong), unique=True, max_size=40))


def left_after(puzzle: Grid, gone: Iterable[tuple[int, int, int]]) -> Cells:
    removed = set(gone)
    return {
        cell: [digit for digit in digits if (*cell, digit) not in removed]
        for cell, digits in candidates_of(puzzle).items()
    }


@given(crossed_out())
def test_candidates_left_are_what_is_not_removed(
    case: tuple[Grid, Grid, list[tuple[int, int, int]]],
) -> None:
    """Written or crossed out: the same steps, and each right by the independent verifier."""
    puzzle, _, gone = case
    steps = list(islice(sudoku.hints(puzzle, candidates=left_after(puzzle, gone)), 30))
    assert steps == list(islice(sudoku.hints(puzzle, removed=gone), 30))
    given_cells = {place for place, digit in puzzle.values.items() if digit}
    board = Board.of(puzzle, given_cells, gone)
    for step in steps:
        board.verify(step)
        board.apply(step)


@given(crossed_out(), st.data())
def test_marks_that_a_digit_excludes_are_ignored(
    case: tuple[Grid, Grid, list[tuple[int, int, int]]], data: st.DataObject
) -> None:
    puzzle, _, gone = case
    left = left_after(puzzle, gone)
    possible = candidates_of(puzzle)
    side = puzzle.layout.side
    stale = {
        cell: digits
        + data.draw(st.lists(st.sampled_from(sorted({*range(1, side + 1)} - {*possible[cell]}))))
        for cell, digits in left.items()
        if len(possible[cell]) < side
    }
    more = {place: [1] for place in puzzle.values}  # nothing counts in a filled cell
    with_more = sudoku.hints(puzzle, candidates={**left, **stale, **more})
    assert next(with_more) == next(sudoku.hints(puzzle, candidates=left))


@given(crossed_out(), st.data())
def test_a_digit_of_the_solution_that_the_candidates_lack_is_said_first(
    case: tuple[Grid, Grid, list[tuple[int, int, int]]], data: st.DataObject
) -> None:
    puzzle, solution, gone = case
    left = left_after(puzzle, gone)
    cell = data.draw(st.sampled_from(sorted(left)))
    right = solution[cell]
    others = [digit for digit in range(1, puzzle.layout.side + 1) if digit != right]
    left[cell] = data.draw(st.lists(st.sampled_from(others), min_size=1, unique=True))
    (step,) = sudoku.hints(puzzle, candidates=left)
    assert (step.technique, step.placements, step.eliminations) == (
        "mistake",
        ((*cell, right),),
        (),
    )
    assert str(step) == f"r{cell[0]}c{cell[1]} is {right}, which its candidates lack"


def test_all_mistakes_come_together() -> None:
    marks: Cells = {(1, 3): [1, 2], (1, 4): [2]}
    wrong = WIKIPEDIA[:8] + "4" + WIKIPEDIA[9:]
    (step,) = sudoku.hints(WIKIPEDIA, filled=wrong, candidates=marks, removed=[(1, 4, 6)])
    assert str(step) == (
        "4 in r1c9 is wrong; r1c4 is 6, which was crossed out; r1c3 is 4, which its candidates lack"
    )
    assert step.cells == ((1, 9), (1, 4), (1, 3))
    assert step.placements == ((1, 4, 6), (1, 3, 4))
    assert step.eliminations == ((1, 9, 4),)
    assert step.stages() == (step,)


@pytest.mark.parametrize("technique", ["Swordfish", "X-wing", "Naked pair", "XY-chain"])
def test_a_step_that_the_player_has_taken_does_not_come_back(technique: str) -> None:
    """All the way to the solution: the notes are all that the hints know of what was removed."""
    puzzle = Grid(EXAMPLES[technique.lower()])
    steps = list(sudoku.hints(puzzle))
    assert technique.lower() in {step.technique.lower() for step in steps}
    cells, marks = list(puzzle.cells), left_after(puzzle, ())
    for step in steps:
        now = Grid.from_cells(tuple(cells), puzzle.layout)
        assert next(sudoku.hints(puzzle, filled=now, candidates=marks)) == step
        for row, column, digit in step.eliminations:
            marks[row, column].remove(digit)
        for row, column, digit in step.placements:
            cells[puzzle.layout.index[row, column]] = digit
            del marks[row, column]


# -- offers of notes -----------------------------------------------------------------------------


def test_notes_are_offered_before_the_first_step_that_needs_them() -> None:
    puzzle = Grid(EXAMPLES["swordfish"])
    plain = list(sudoku.hints(puzzle))
    first = next(at for at, step in enumerate(plain) if step.eliminations)
    values = dict(puzzle.values)
    for step in plain[:first]:
        values |= {(row, column): digit for row, column, digit in step.placements}
    marked = next(place for place in candidates_of(puzzle) if place not in values)
    marks = {marked: list(candidates_of(puzzle)[marked])}
    offered = list(sudoku.hints(puzzle, candidates=marks))
    assert [step for step in offered if step.technique != "notes"] == plain
    assert [at for at, step in enumerate(offered) if step.technique == "notes"] == [first]
    offer = offered[first]
    cells = tuple(values.get(place, 0) for place in puzzle.layout.positions)
    left = candidates_of(Grid.from_cells(cells, puzzle.layout))
    del left[marked]
    assert [(m.row, m.column, m.digit) for m in offer.pattern.marks] == [
        (*place, digit) for place, digits in left.items() for digit in digits
    ]
    assert (offer.placements, offer.eliminations, offer.cells) == ((), (), tuple(left))
    assert offer.stages() == (offer,)


def test_notes_are_not_offered_to_a_player_without_any_or_with_all() -> None:
    puzzle = Grid(EXAMPLES["swordfish"])
    for marks in ({}, [0] * 81, left_after(puzzle, ())):
        steps = sudoku.hints(puzzle, candidates=marks)
        assert not any(step.technique == "notes" for step in steps)


# -- the forms of candidates ---------------------------------------------------------------------


def written(form: str, record: Record) -> str:
    return dumped([record], form, lost=lambda *_: None)


def framed(marks: Cells, values: dict[tuple[int, int], int], layout: Layout) -> str:
    """As programs draw it: bars between boxes, rules between bands, `.` for nothing written."""
    lines = []
    for row in range(1, layout.side + 1):
        groups = []
        for column in range(1, layout.side + 1):
            digits = [values[row, column]] if (row, column) in values else marks.get((row, column))
            group = "".join(layout.symbols[digit - 1] for digit in digits or ()) or "."
            groups.append(group + " |" * (column % layout.box_columns == 0))
        lines.append(f"| {'  '.join(groups)}")
        if row % layout.box_rows == 0 and row < layout.side:
            lines.append("|-------+-------+-------|")
    return "\n".join([".-------.-------.-------.", *lines, "'-------'-------'-------'"])


def characters(marks: Cells, layout: Layout) -> str:
    return "".join(
        symbol if digit in marks.get(place, ()) else "."
        for place in layout.positions
        for digit, symbol in enumerate(layout.symbols, 1)
    )


def lists(marks: Cells, layout: Layout) -> str:
    return json.dumps([marks.get(place, []) for place in layout.positions])


@given(crossed_out(), st.data())
def test_texts_of_marks(
    case: tuple[Grid, Grid, list[tuple[int, int, int]]], data: st.DataObject
) -> None:
    """Grids of groups, a character for each digit, JSON lists; with nothing in some cells."""
    puzzle, _, gone = case
    layout = puzzle.layout
    left = {cell: digits for cell, digits in left_after(puzzle, gone).items() if digits}
    for cell in data.draw(st.lists(st.sampled_from(sorted(left)))):
        left.pop(cell, None)
    expected = bits_of(left, layout)
    values = puzzle.values
    with_givens = {**left, **{place: [digit] for place, digit in values.items()}}
    assert read_marks(characters(left, layout), puzzle).marks == expected
    assert read_marks(characters(left, layout).replace(".", "0"), puzzle).marks == expected
    assert read_marks(lists(left, layout), puzzle).marks == expected
    assert read_marks(framed(left, {}, layout), puzzle).marks == expected
    grid = framed(left, values, layout)
    assert read_marks(grid, puzzle).marks == bits_of(with_givens, layout)
    assert next(sudoku.hints(puzzle, candidates=grid)) == next(
        sudoku.hints(puzzle, candidates=left)
    )


@given(crossed_out(), st.data())
def test_what_show_prints_can_be_edited(
    case: tuple[Grid, Grid, list[tuple[int, int, int]]], data: st.DataObject
) -> None:
    """The text of `sudoku show --candidates`, without the digits that a player has taken out."""
    puzzle, _, gone = case
    with_marks = {**left_after(puzzle, ()), **{place: [d] for place, d in puzzle.values.items()}}
    text = figures(puzzle)
    assert read_marks(text, puzzle).marks == bits_of(with_marks, puzzle.layout)
    assert read_marks("\n" + indent(text, "    ") + "\n", puzzle).marks == bits_of(
        with_marks, puzzle.layout
    )
    if gone:
        row, column, digit = data.draw(st.sampled_from(gone))
        side = puzzle.layout.side
        wide = isqrt(side - 1) + 1
        tall = ceil(side / wide)
        down, right = divmod(digit - 1, wide)
        lines = text.split("\n")
        line = (tall + 1) * (row - 1) + 1 + down
        at = (2 * wide + 2) * (column - 1) + 2 + 2 * right
        assert lines[line][at] == puzzle.layout.symbols[digit - 1]
        lines[line] = lines[line][:at] + " " + lines[line][at + 1 :]
        with_marks[row, column].remove(digit)
        expected = bits_of(with_marks, puzzle.layout)
        assert read_marks("\n".join(lines), puzzle).marks == expected
        lines[line] = lines[line][:at] + "x" + lines[line][at + 1 :]
        with pytest.raises(sudoku.PuzzleError, match="no pencil marks"):
            read_marks("\n".join(lines), puzzle)


def test_what_show_prints_of_overlapping_grids() -> None:
    layout = layouts.samurai()
    puzzle = Grid.from_cells((1,) + (0,) * (layout.size - 1), layout)
    assert read_marks(figures(puzzle), puzzle).marks == bits_of(
        {**candidates_of(puzzle), (1, 1): [1]}, layout
    )


FORMS: list[tuple[str, Callable[[Cells], object]]] = [
    ("a mapping", lambda marks: marks),
    ("names of cells", lambda marks: {f"r{r}c{c}": digits for (r, c), digits in marks.items()}),
    ("lists", lambda marks: [marks.get(place) for place in PUZZLE.layout.positions]),
    ("bits", lambda marks: bits_of(marks, PUZZLE.layout)),
    ("groups", lambda marks: framed(marks, PUZZLE.values, PUZZLE.layout)),
    ("characters", lambda marks: characters(marks, PUZZLE.layout)),
    ("a JSON list", lambda marks: lists(marks, PUZZLE.layout)),
    *(
        (
            form,
            lambda marks, form=form: written(
                form, Record(PUZZLE, placed=PUZZLE.line, marks=bits_of(marks, PUZZLE.layout))
            ),
        )
        for form in ("json", "hodoku", "opensudoku", "sdk", "csv", "fpuzzles", "sudokupad")
    ),
]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_every_form_says_the_same(name: str, form: Callable[[Cells], object]) -> None:
    """The next step is the one that is left when the first one's candidates are gone."""
    gone = [(1, 3, 1), (1, 3, 2)]
    marks = left_after(PUZZLE, gone)
    (step, *_) = sudoku.hints(WIKIPEDIA, candidates=form(marks))  # type: ignore[arg-type]
    assert step == next(sudoku.hints(WIKIPEDIA, removed=gone)), name
    marks[1, 3] = [1, 2]
    (step, *_) = sudoku.hints(WIKIPEDIA, candidates=form(marks))  # type: ignore[arg-type]
    assert str(step) == "r1c3 is 4, which its candidates lack", name


def test_digits_filled_in_that_the_text_has() -> None:
    filled = WIKIPEDIA[:5] + "8" + WIKIPEDIA[6:]
    text = written("hodoku", Record(PUZZLE, placed=filled))
    assert next(sudoku.hints(PUZZLE, candidates=text)) == next(sudoku.hints(PUZZLE, filled=filled))
    wrong = WIKIPEDIA[:5] + "2" + WIKIPEDIA[6:]
    text = written("opensudoku", Record(PUZZLE, placed=wrong, marks=(2,) + (0,) * 80))
    assert str(next(sudoku.hints(PUZZLE, candidates=text))) == "2 in r1c6 is wrong"
    # The argument `filled` comes before them.
    assert next(sudoku.hints(PUZZLE, candidates=text, filled=filled)).technique != "mistake"


def test_the_marks_of_the_puzzle_in_a_file_of_many() -> None:
    other = Record(Grid(DIAGONAL), marks=(2,) * 81)
    own = Record(PUZZLE, marks=bits_of({(1, 3): [1, 2]}, PUZZLE.layout))
    assert "r1c3 is 4" in str(next(sudoku.hints(PUZZLE, candidates=dumped([other, own], "json"))))


def test_candidates_in_another_layout() -> None:
    diagonal = layouts.named("diagonal")
    grid = sudoku.parse(DIAGONAL, diagonal)
    left = candidates_of(grid)
    (step, *_) = sudoku.hints(grid, candidates=left)
    assert step == next(sudoku.hints(grid))
    gone = {
        cell: [digit for digit in digits if (*cell, digit) not in step.eliminations]
        for cell, digits in left.items()
    }
    assert next(sudoku.hints(grid, candidates=gone)) == next(
        sudoku.hints(grid, removed=step.eliminations)
    )


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ("hello", "no pencil marks"),
        ("", "no pencil marks"),
        (WIKIPEDIA[:40], "no pencil marks"),
        ("12 " * 80, "no pencil marks"),
        ("11 " * 81, "no pencil marks"),
        ("[[1], [2]]", "marks for 2 cells; the grid has 81"),
        (json.dumps([[10]] * 81), "not a digit from 1 to 9"),
        (json.dumps([[True]] * 81), "not a digit from 1 to 9"),
        ([[1]] * 80, "candidates of 80 cells; the grid has 81"),
        ([[0]] * 81, "the candidates of r1c1 are [0]; write digits from 1 to 9"),
        ([1] * 81, "the candidates of r1c1 are 1;"),
        ([1 << 10] * 81, "the candidates of r1c1 are 1024;"),
        ([["1"]] * 81, "the candidates of r1c1"),
        ({(1, 1): "12"}, "the candidates of r1c1"),
        ({(10, 1): [1]}, "no such cell"),
        ({(1, 2): [True]}, "the candidates of r1c2"),
        (7, "is not pencil marks"),
        (b"12", "is not pencil marks"),
        (json.dumps({"puzzle": WIKIPEDIA}), "puzzles without pencil marks"),
        (
            json.dumps({"puzzle": "6" + WIKIPEDIA[1:], "marks": [[1]] * 81}),
            "of another puzzle: r1c1 is 6 there and 5 in the puzzle",
        ),
        (json.dumps({"puzzle": "." * 16, "marks": [[1]] * 16}), "16"),
    ],
)
def test_what_is_not_candidates(candidates: object, message: str) -> None:
    with pytest.raises(sudoku.SudokuError, match=r".") as caught:
        sudoku.hints(WIKIPEDIA, candidates=candidates)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
