"""`parse`: every form of one puzzle, and errors for texts that are none."""

from __future__ import annotations

import re

import numpy as np
import pytest
from example_puzzles import ROWS, WIKIPEDIA, WIKIPEDIA_GRID
from hypothesis import given
from hypothesis import strategies as st

from sudoku import Layout, LayoutError, PuzzleError, layouts, parse


@pytest.mark.parametrize("blank", ".0-_*")
def test_blanks(blank: str) -> None:
    assert parse(WIKIPEDIA.replace(".", blank)) == WIKIPEDIA_GRID
    assert parse("\n".join(ROWS).replace(".", blank)) == WIKIPEDIA_GRID
    assert parse(str(WIKIPEDIA_GRID).replace(".", blank)) == WIKIPEDIA_GRID
    assert parse(blank * 81).filled == 0


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ROWS),
        "\r\n".join(ROWS),
        "\n\n  " + " \n\n".join(ROWS) + "\n\n",
        "\ufeff" + WIKIPEDIA + "\n",
        " ".join(WIKIPEDIA),
        "\n".join(WIKIPEDIA[n : n + 27] for n in range(0, 81, 27)),
        "\n".join(WIKIPEDIA),
        str(WIKIPEDIA_GRID).replace("+", "┼").replace("-", "─").replace("|", "│"),
        "\n".join("║" + "│".join(row) + "║" for row in ROWS),
        "\n".join([*ROWS[:3], "---+---+---", *ROWS[3:6], "---+---+---", *ROWS[6:]]),
    ],
)
def test_forms_of_one_puzzle(text: str) -> None:
    assert parse(text) == WIKIPEDIA_GRID


@pytest.mark.parametrize("rule", ["-" * 9, "-" * 11, "---|---|---", "--- --- ---", "-" * 81])
def test_a_line_of_dashes_is_a_rule_if_the_count_is_right_without(rule: str) -> None:
    assert parse("\n".join([*ROWS[:3], rule, *ROWS[3:6], rule, *ROWS[6:]])) == WIKIPEDIA_GRID
    assert parse("\n".join([rule, *ROWS, rule])) == WIKIPEDIA_GRID


def test_a_line_of_dashes_is_an_empty_row_if_it_is_needed() -> None:
    rows = ["53--7----", "---------", *ROWS[2:8], "---------"]
    assert parse("\n".join(rows)).rows[1] == parse("\n".join(rows)).rows[8] == (0,) * 9
    divided = [*rows[:3], "-----------", *rows[3:6], "---+---+---", *rows[6:]]
    assert parse("\n".join(divided)) == parse("\n".join(rows))
    # Five empty rows of nine: without them there would be the 36 cells of a 6x6 puzzle.
    assert parse("\n".join(["123456---"] * 4 + ["-" * 9] * 5)).layout is Layout(3, 3)
    assert parse("\n".join(["- - - | - - - | - - -"] * 9)).filled == 0


def test_sides_and_symbols() -> None:
    assert parse("1234" * 4).layout is Layout(2, 2)
    assert parse("G" + "." * 255)[1, 1] == parse("g" + "." * 255)[1, 1] == 16
    assert parse("P" + "." * 624)[1, 1] == 25
    assert parse("0Z" + "." * 1294).cells[:3] == (36, 35, 0)  # the one side where 0 is a digit
    assert parse("." * 25, Layout(5, 1)).layout is Layout(5, 1)
    assert parse("." * 36, Layout(3, 2)).layout is Layout(3, 2)


def test_rows() -> None:
    numbers = [list(row) for row in WIKIPEDIA_GRID.rows]
    assert parse(numbers) == WIKIPEDIA_GRID
    assert parse(tuple(map(tuple, numbers))) == WIKIPEDIA_GRID
    assert parse(iter(numbers)) == WIKIPEDIA_GRID
    assert parse([[value or None for value in row] for row in numbers]) == WIKIPEDIA_GRID
    assert parse([list(row) for row in ROWS]) == WIKIPEDIA_GRID
    assert parse(ROWS) == WIKIPEDIA_GRID
    assert parse(np.array(numbers)) == WIKIPEDIA_GRID
    assert parse(np.array([list(row) for row in ROWS])) == WIKIPEDIA_GRID
    assert parse([[36, None] + [0] * 34] + [[0] * 36] * 35)[1, 1] == 36
    assert parse([["0"] + ["."] * 35] + [[0] * 36] * 35)[1, 1] == 36


def bad(puzzle: object, *words: str, layout: Layout | None = None) -> PuzzleError:
    with pytest.raises(PuzzleError) as caught:
        parse(puzzle, layout)  # type: ignore[arg-type]
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 300
    for word in words:
        assert word in text, text
    return caught.value


@pytest.mark.parametrize(("text", "says"), [("." * 36, True), ("." * 6, True), ("." * 35, False)])
def test_the_shape_of_boxes_is_not_the_size_of_a_grid(text: str, says: bool) -> None:
    with pytest.raises(PuzzleError) as caught:
        parse(text, Layout(6, 6))
    assert ("a grid of 6x6 is called 2x3" in str(caught.value)) == says
    with pytest.raises(LayoutError, match="a grid of 9x9 is called 3x3, after its boxes"):
        layouts.named("9x9")


def test_wrong_length() -> None:
    bad(WIKIPEDIA[:-1], "80 characters; a 9x9 grid has 81", "'53..7")
    bad(WIKIPEDIA + ".", "82 characters; a 9x9 grid has 81")
    bad(WIKIPEDIA * 2, "162 characters: two puzzles on one line? A 9x9 grid has 81")
    bad("\n".join(ROWS * 2), "162 cells in 18 lines", "two puzzles?")
    bad("", "no cells; a 9x9 grid has 81")
    bad(" \n+---+\n", "no cells")
    bad("." * 25, "25 characters; a 5x5 grid has no usual boxes", "latin-5 or a jigsaw")
    bad("abcdefghi", "9 characters; a 9x9 grid has 81, a 4x4 grid 16")
    bad("." * 36, "36 characters; a 9x9 grid has 81", layout=Layout(3, 3))
    bad("." * 1369, "1369 characters", "1296")
    bad("5" * 1_000_000, "1000000 characters", "...'")
    bad("-" * 80, "80 characters")


def test_foreign_characters() -> None:
    bad(WIKIPEDIA.replace("8", "?", 1), "'?' (character 21)", "digits are 1-9")
    bad("\n".join(ROWS).replace("8", "?", 1), "line 3", "'?' (character 3)", "'.9?....6.'")
    bad("\n".join(ROWS).replace("8", "é", 1), "line 3", "'é'")
    bad("\n".join(ROWS).replace("8", "\uff18", 1), "line 3")  # a full-width 8
    bad("\n".join(ROWS).replace("8", "\0", 1), "line 3", r"'\x00'")
    bad("Hello, world!", "','")


def test_digits_too_large_for_the_side() -> None:
    bad(
        WIKIPEDIA.replace("8", "A", 1),
        "'A' (character 21) is neither a digit nor a blank of "
        "a 9x9 grid; its digits are 1-9, blanks . 0 - _ *",
    )
    bad("\n".join(ROWS).replace("8", "b", 1), "line 3", "'b' (character 3) is neither a digit")
    bad("5" + "." * 15, "'5' (character 1) is too large for a 4x4 grid; its digits are 1-4")
    bad("H" + "." * 255, "'H' (character 1) is too large for a 16x16 grid", "1-9 and A-G")


def test_ragged_grids() -> None:
    bad("\n".join([*ROWS[:3], ROWS[3][:-1], *ROWS[4:]]), "line 4", "row of 8 cells", "9 columns")
    bad("\n".join([*ROWS[:3], ROWS[3] + ".", ROWS[4][1:], *ROWS[5:]]), "line 4", "row of 10")
    bad("\n".join(ROWS[:8]), "72 cells in 8 lines; a 9x9 grid has 81")


def test_bad_rows() -> None:
    numbers = [list(row) for row in WIKIPEDIA_GRID.rows]
    bad([], "0 rows")
    bad(numbers[:8], "row 1 has 9 cells; it needs 8")
    bad([*numbers[:8], numbers[8][:8]], "row 9 has 8 cells; it needs 9")
    bad([*numbers, numbers[0]], "row 1 has 9 cells; it needs 10")
    bad(numbers, "9 rows; the grid has 6", layout=Layout(2, 3))
    bad([*numbers[:8], 5], "row 9 is 5, not a list")
    bad([*numbers[:8], b"........."], "row 9 is b'")
    for wrong in (10, -1, 1.0, float("nan"), "10", "x", "", True, [], {}, object()):
        bad([[wrong, *numbers[0][1:]], *numbers[1:]], "row 1, column 1 is ", "from 0 to 9")
    with pytest.raises(LayoutError, match="side of 5"):
        parse([[0] * 5] * 5)


def test_the_error_carries_line_and_text() -> None:
    error = bad("\n".join(ROWS).replace("8", "?", 1))
    assert (error.line, error.text) == (3, ".9?....6.")
    assert isinstance(error, ValueError)


@given(st.text(max_size=100))
def test_any_text_is_a_puzzle_or_a_puzzle_error(text: str) -> None:
    message = ""
    try:
        grid = parse(text)
    except PuzzleError as error:
        message = str(error)
    else:
        assert parse(grid.line) == grid
    assert "\n" not in message


@given(st.text("12345.-_|+ \n", max_size=120))
def test_nearly_puzzles(text: str) -> None:
    try:
        grid = parse(text)
    except PuzzleError:
        return
    assert [c for c in text if c in "12345"] == re.findall("[1-9]", grid.line)
