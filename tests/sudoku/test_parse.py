"""`parse`: every form of one puzzle, and errors for texts that are none."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from example_puzzles import ROWS, WIKIPEDIA, WIKIPEDIA_GRID
from format_examples import dumped, read_text
from hypothesis import given
from hypothesis import strategies as st
from sudoku_commands import run

import sudoku
from sudoku import Grid, Layout, LayoutError, PuzzleError, layouts, parse
from sudoku.formats import Record
from sudoku.formats.player_marks import read_marks


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
        WIKIPEDIA.replace(".", "?"),
        "\n".join([" *-----------*", *ROWS, " *-----------*"]),
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


# -- `0` in grids of side 10 and more: a digit beside another blank, a blank alone, or an error --


SIDES = [10, 12, 15, 16, 20, 25, 28, 35]


def full(side: int) -> str:
    """A full grid in our symbols."""
    layout = Layout.of_side(side)
    tall, wide = layout.box_rows, layout.box_columns
    return "".join(
        layout.symbols[(row % tall * wide + row // tall + column) % side]
        for row in range(side)
        for column in range(side)
    )


def puzzle(side: int, blank: str = ".") -> str:
    """A puzzle with many solutions or one, in which every digit occurs."""
    return "".join(c if n % 5 else blank for n, c in enumerate(full(side)))


def styles(side: int) -> dict[str, Callable[[str], str]]:
    """Other ways to write the digits: from 0 on, and with 0 as the last."""
    ours = Layout.of_side(side).symbols
    return {
        "0-F": lambda text: text.translate(str.maketrans(ours, ("0" + ours)[:side])),
        "1-F0": lambda text: text.replace(ours[-1], "0"),
    }


def alike(one: str, other: str) -> bool:
    """Whether one text is the other with other symbols, the same for the same."""
    pairs = set(zip(one, other, strict=True))
    return len(pairs) == len(set(one)) == len(set(other)) and all(
        (a == ".") == (b == ".") for a, b in pairs
    )


def rows_of(text: str, side: int) -> list[str]:
    return [text[at : at + side] for at in range(0, len(text), side)]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("style", ["0-F", "1-F0"])
@pytest.mark.parametrize("blank", ".*_")
def test_zero_beside_another_blank_is_a_digit(side: int, style: str, blank: str) -> None:
    text = styles(side)[style](puzzle(side)).replace(".", blank)
    plain, line = text.replace(blank, "."), parse(text).line
    assert alike(line, plain)
    assert "0" not in line
    rows = rows_of(text, side)
    forms: list[str | list[str] | list[list[str]]] = [
        text.lower(), "\n".join(rows), rows, [[*row] for row in rows],
    ]  # fmt: skip
    assert [parse(form).line for form in forms] == [line] * len(forms)
    numbers = [[None if c == blank else "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(c)
                for c in row] for row in rows]  # fmt: skip
    assert alike(parse(numbers).line, plain)
    many = f"{text}\n" * 3 + "\n".join(rows) + f"\n{text} easy\n"
    for source in (many.splitlines(), io.BytesIO(many.encode()), io.StringIO(many)):
        assert [entry.grid.line for entry in sudoku.read(source)] == [line] * 5
    for name in ("lines", "sdm", "rows", "grid", "csv", "json", "share"):
        (record,) = read_text(dumped([Record(Grid(text))], name))
        assert record.grid.line == line


@pytest.mark.parametrize("side", SIDES)
def test_zero_alone_is_a_blank(side: int) -> None:
    text, line = puzzle(side, "0"), puzzle(side)
    assert parse(text).line == line
    assert parse("\n".join(rows_of(text, side))).line == line
    mixed = text[:-1] + "." if text[-1] == "0" else text.replace("0", ".", 1)
    assert parse(mixed).line == line, "all digits occur, so 0 is none of them"
    many = f"{text}\n" * 3
    assert [entry.grid.line for entry in sudoku.read(io.BytesIO(many.encode()))] == [line] * 3
    numbers = [[0 if c == "." else Layout.of_side(side).symbols.index(c) + 1 for c in row]
               for row in rows_of(line, side)]  # fmt: skip
    assert parse(numbers).line == line
    assert parse([[cell or None for cell in row] for row in numbers]).line == line


def test_every_door_solves_the_same(tmp_path: Path) -> None:
    for style in styles(16).values():
        text = style(puzzle(16))
        file = tmp_path / "in.txt"
        file.write_text(f"{text}\n{text}\n{text} easy\n")
        found = run("solve", str(file))
        assert found.exit_code == 0
        lines = found.stdout.split()
        answers = sudoku.solve_many([text, text])
        for line in (*lines[:3], *(grid.line for grid in answers)):
            assert alike(parse(text).line, text)
            assert all(a in (b, ".") for a, b in zip(parse(text).line, line, strict=True))
            assert Grid(line).is_solved
        assert next(sudoku.count_many([text], limit=2)) == sudoku.count(text, limit=2)


@pytest.mark.parametrize(
    ("text", "layout", "words"),
    [
        (full(16).replace("G", "0"), None, "is `0` a blank or a digit? Write G for the digit"),
        (puzzle(16).replace("G", "0"), layouts.non_consecutive(Layout(4, 4)),
         "is `0` the largest or the smallest digit"),
        ("0" * 1000 + full(36)[1000:].replace("0", "1"), None, "`0` is the digit 36 in a grid"),
    ],
)  # fmt: skip
def test_what_cannot_be_known_is_an_error(text: str, layout: Layout | None, words: str) -> None:
    side = 36 if layout is None and len(text) == 1296 else 16
    for form in (text, "\n".join(rows_of(text, side)), rows_of(text, side)):
        with pytest.raises(PuzzleError, match=words.replace("?", r"\?")):
            parse(form, layout)
    for form in (f"{text}\n", "\n".join(rows_of(text, side)) + "\n"):
        for source in (io.BytesIO(form.encode()), form.splitlines()):
            errors: list[PuzzleError] = []
            assert not list(sudoku.read(source, layout, on_error=errors.append))
            assert [(error.line, words in str(error)) for error in errors] == [(1, True)]


@pytest.mark.parametrize("style", ["0-F", "1-F0"])
def test_solutions_with_zero_as_a_digit(style: str) -> None:
    write = styles(16)[style]
    line, solution = write(puzzle(16)), write(full(16))
    for text in (f"puzzle,solution\n{line},{solution}\n", f"{line} {solution} easy\n"):
        (record,) = read_text(text)
        assert record.solution is not None
        assert alike(record.solution, solution)
        assert all(a in (b, ".") for a, b in zip(record.grid.line, record.solution, strict=True))


def test_numbers_from_zero_in_the_fields_of_a_csv_file() -> None:
    symbols = Layout.of_side(16).symbols
    rows: Iterable[str] = (
        ",".join("" if c == "." else str(symbols.index(c)) for c in row)
        for row in rows_of(puzzle(16), 16)
    )
    (record,) = read_text("\n".join(rows) + "\n")
    assert alike(record.grid.line, puzzle(16))


def test_marks_with_zero_as_the_last_digit() -> None:
    symbols = Layout(4, 4).symbols
    marks = (symbols[:4] + "." * 11 + symbols[-1]) * 256
    layout = layouts.sukaku(marks.replace("G", "0"), Layout(4, 4))
    assert layout is layouts.sukaku(marks, Layout(4, 4))
    grid = Grid("." * 256)
    assert read_marks(marks.replace("G", "0"), grid) == read_marks(marks, grid)


def test_even_and_odd_cells_are_no_other_blanks() -> None:
    line = "E" + puzzle(12, "0")[1:]
    (record,) = read_text(line, "even-odd")
    assert record.grid.line == "." + puzzle(12)[1:]
