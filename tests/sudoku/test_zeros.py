"""`0` in grids of side 10 and more: a digit beside another blank, a blank alone, or an error."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from format_examples import read_text
from sudoku_commands import run

import sudoku
from sudoku import Grid, Layout, PuzzleError, layouts, parse
from sudoku.formats import Record, dump
from sudoku.formats.player_marks import read_marks

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
        out = io.StringIO()
        dump([Record(Grid(text))], out, name)
        assert [record.grid.line for record in read_text(out.getvalue())] == [line]


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
