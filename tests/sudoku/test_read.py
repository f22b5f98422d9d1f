"""`read`: the puzzles of plain text files, lines and grids in any mixture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import sudoku_strategies as some
from example_puzzles import ROWS, SOLVED, WIKIPEDIA, WIKIPEDIA_GRID
from hypothesis import given
from hypothesis import strategies as st

import sudoku
from sudoku import Entry, Grid, Layout, PuzzleError, layouts, read
from sudoku.formats import Record


def entries(*lines: str, layout: Layout | None = None) -> list[Entry]:
    return list(read(lines, layout))


def both(*lines: str, layout: Layout | None = None) -> tuple[list[int], list[str]]:
    """The lines of the puzzles, and the errors."""
    errors: list[PuzzleError] = []
    found = [entry.line for entry in read(lines, layout, on_error=errors.append)]
    return found, [str(error) for error in errors]


def test_one_a_line() -> None:
    lines = [
        "# comment",
        "",
        WIKIPEDIA,
        "  # another",
        "-------+-----",
        WIKIPEDIA.replace(".", "0"),
    ]
    assert entries(*lines) == [Entry(3, WIKIPEDIA_GRID, ""), Entry(6, WIKIPEDIA_GRID, "")]


def test_what_read_and_load_return_is_a_puzzle() -> None:
    layout = layouts.diagonal(Layout(2, 2))
    (entry,) = entries("1" + "." * 15, layout=layout)
    puzzles: list[Any] = [entry, Record(entry.grid)]
    for puzzle in puzzles:
        assert sudoku.count(puzzle) == 12
        assert [*sudoku.count_many([puzzle, puzzle])] == [12, 12]


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        (f"{WIKIPEDIA} {SOLVED}", SOLVED),
        (f"{WIKIPEDIA},{SOLVED},3.5", f"{SOLVED},3.5"),
        (f"{WIKIPEDIA}\teasy  one # remark\n", "easy  one # remark"),
        (f"  {WIKIPEDIA} ; 7.2/1.2/1.2\r\n", "7.2/1.2/1.2"),
        (f"{WIKIPEDIA} é", "é"),
    ],
)
def test_trailing_fields_are_kept(line: str, rest: str) -> None:
    assert entries(line) == [Entry(1, WIKIPEDIA_GRID, rest)]


def test_a_puzzle_with_spaces_on_one_line() -> None:
    assert entries(" | ".join(ROWS), " ".join(WIKIPEDIA)) == [
        Entry(1, WIKIPEDIA_GRID, ""),
        Entry(2, WIKIPEDIA_GRID, ""),
    ]


def test_grids() -> None:
    lines = ["# one", *str(WIKIPEDIA_GRID).splitlines(), "", *ROWS, *ROWS, WIKIPEDIA, "# end"]
    assert entries(*lines) == [Entry(n, WIKIPEDIA_GRID, "") for n in (3, 16, 25, 34)]
    spaced = [*ROWS[:3], "", *ROWS[3:6], "# the last band", "---|---|---", *ROWS[6:]]
    assert entries(*spaced) == [Entry(1, WIKIPEDIA_GRID, "")]


@pytest.mark.parametrize("rule", ["-" * 9, "-" * 11, "---+---+---", "- - - + - - -"])
def test_rules_in_grids(rule: str) -> None:
    lines = [rule, *ROWS[:3], rule, *ROWS[3:6], rule, *ROWS[6:], rule]
    assert [entry.grid for entry in entries(*lines, "", *lines)] == [WIKIPEDIA_GRID, WIKIPEDIA_GRID]


def test_empty_rows_of_dashes() -> None:
    rows = ["-" * 9, *(row.replace(".", "-") for row in ROWS[1:8]), "-" * 9]
    (one,) = entries(*rows)
    assert one.grid.rows[0] == one.grid.rows[8] == (0,) * 9
    divided = [*rows[:3], "---+---+---", *rows[3:6], "-----------", *rows[6:]]
    assert [entry.grid for entry in entries(*divided, "", *divided)] == [one.grid] * 2


def test_dashes_between_puzzles_are_rules() -> None:
    for width in (3, 9, 16, 36, 40, 64, 80):
        assert entries(WIKIPEDIA, "-" * width, WIKIPEDIA) == [
            Entry(1, WIKIPEDIA_GRID, ""),
            Entry(3, WIKIPEDIA_GRID, ""),
        ]
    assert [entry.grid.filled for entry in entries("-" * 81)] == [0]
    assert [entry.grid.filled for entry in entries("-" * 16, layout=Layout(2, 2))] == [0]


@pytest.mark.parametrize(("large", "small"), [(16, 4), (36, 6)])
def test_large_grid_or_small_puzzles(large: int, small: int) -> None:
    row = "." * (large - 2) + str(small + 1) + "1"
    fits = "." * (large - 2) + str(small) + "1"
    (one,) = entries(*[fits] * (large - 1), row)
    assert one.grid.layout.side == large
    (one,) = entries(fits, "-" * large + "+", *[fits] * (large - 2), row)
    assert one.grid.layout.side == large
    assert [entry.grid.layout.side for entry in entries(*[fits] * large)] == [small] * large
    assert [entry.grid.layout.side for entry in entries(*[fits] * 3)] == [small] * 3
    layout = Layout.of_side(large)
    assert [entry.grid.layout for entry in entries(*[fits] * large, layout=layout)] == [layout]
    assert len(entries(*[fits] * large, layout=Layout.of_side(small))) == large
    found, errors = both(*[row] * 3)  # too few rows for a large grid
    assert not found
    assert len(errors) == 3
    assert "too large" in errors[0]


def test_bad_lines_are_reported_and_reading_goes_on() -> None:
    lines = [
        WIKIPEDIA,
        WIKIPEDIA[:-1],
        WIKIPEDIA * 2,
        f"{WIKIPEDIA} {WIKIPEDIA}",
        WIKIPEDIA.replace("8", "?", 1),
        WIKIPEDIA.replace("8", "A", 1) + " " + SOLVED,
        "what is this",
        WIKIPEDIA,
    ]
    found, errors = both(*lines)
    assert found == [1, 8]
    assert [error.split(":")[0] for error in errors] == [f"line {n}" for n in range(2, 8)]
    for error, words in zip(
        errors,
        [
            "80 characters",
            "two puzzles on one line?",
            "two puzzles on one line",
            "'?'",
            "neither a digit",
            "",
        ],
        strict=True,
    ):
        assert words in error
        assert "\n" not in error
    with pytest.raises(PuzzleError, match="line 2"):
        entries(*lines)


def test_bad_grids() -> None:
    short = [*ROWS[:4], ROWS[4][:-1], *ROWS[5:]]
    assert both(*short, *ROWS) == (
        [10],
        ["line 5: a row of 8 cells in a grid of 9 columns: '4..8.3..'"],
    )
    found, errors = both(*ROWS[:8], "", *ROWS)
    assert (found, errors) == ([10], ["line 1: 8 rows; the grid has 9: '53..7....'"])
    assert both(*ROWS[:5]) == ([], ["line 1: 5 rows; the grid has 9: '53..7....'"])
    assert both(*ROWS[:5], WIKIPEDIA)[0] == [6]
    found, errors = both(*ROWS[:5], ROWS[5].replace("7", "A"), *ROWS[6:], WIKIPEDIA)
    assert found == [10]
    assert errors[0].startswith("line 6: 'A' (character 1) is neither a digit nor a blank")


def test_layout() -> None:
    layout = Layout(3, 2)
    assert entries("." * 36, layout=layout)[0].grid.layout is layout
    assert entries(*["." * 6] * 6, layout=layout)[0].grid.layout is layout
    assert "a 6x6 grid (boxes 3x2) has 36" in both(WIKIPEDIA, layout=layout)[1][0]
    assert entries(*["12345"] * 5, layout=Layout(1, 5))[0].grid.layout.side == 5


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_bytes(f"\ufeff# caf\u00e9\r\n{WIKIPEDIA}\r\n".encode() + b"# caf\xe9\n")
    assert list(read(path)) == list(read(str(path))) == [Entry(2, WIKIPEDIA_GRID, "")]
    with open(path, "rb") as file:
        assert list(read(file)) == [Entry(2, WIKIPEDIA_GRID, "")]
    assert list(read(io.StringIO(f"{WIKIPEDIA}\n\n{WIKIPEDIA}"))) == [
        Entry(1, WIKIPEDIA_GRID, ""),
        Entry(3, WIKIPEDIA_GRID, ""),
    ]
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.txt")
    with pytest.raises(IsADirectoryError):
        read(tmp_path)


def test_what_is_no_text() -> None:
    errors: list[PuzzleError] = []
    lines = [
        WIKIPEDIA.encode(),
        b"caf\xe9 " + WIKIPEDIA.encode(),
        b"\xff\xfe5\0",
        WIKIPEDIA.encode(),
    ]
    file = io.BytesIO(b"\n".join(lines))
    assert [entry.line for entry in read(file, on_error=errors.append)] == [1]
    assert "line 2: not UTF-8 (byte 0xe9 at 4)" in str(errors[0])
    assert [error.line for error in errors] == [2, 3]
    errors.clear()
    file = io.BytesIO(WIKIPEDIA.encode("utf-16"))
    assert list(read(file, on_error=errors.append)) == []
    assert len(errors) == 1


def test_a_line_of_a_million_characters() -> None:
    errors: list[PuzzleError] = []
    for text in ("5" * 1_000_000, "5 " * 500_000, "|" * 1_000_000, "-" * 1_000_000):
        for file in (io.StringIO(f"{text}\n{WIKIPEDIA}"), [text, WIKIPEDIA]):
            errors.clear()
            found = list(read(file, on_error=errors.append))
            assert [entry.line for entry in found] == [2]
            assert "line 1: more than 65536 characters" in str(errors[0])
            assert len(str(errors[0])) < 200


def test_reading_is_lazy() -> None:
    def lines() -> object:
        while True:
            yield WIKIPEDIA
            yield ""

    stream = read(lines())  # type: ignore[arg-type]
    assert [next(stream).line for _ in range(3)] == [1, 3, 5]


@given(st.lists(some.any_grids([Layout(2, 2), Layout(2, 3), Layout(3, 3)]), max_size=4), st.data())
def test_any_mixture_of_lines_and_grids(grids: list[Grid], data: st.DataObject) -> None:
    lines: list[str] = []
    grids = [grid for grid in grids if grid.layout.is_usual]
    for grid in grids:
        lines += data.draw(st.lists(st.sampled_from(["# remark", "", "--+--"]), max_size=2))
        lines += [grid.line] if data.draw(st.booleans()) else str(grid).splitlines()
    lines.append("# end")
    assert [entry.grid for entry in read(lines)] == grids


@given(st.lists(st.text("1234.-#| +\tab,", max_size=20), max_size=30))
def test_any_lines_are_puzzles_or_puzzle_errors(lines: list[str]) -> None:
    errors: list[PuzzleError] = []
    for entry in read(lines, on_error=errors.append):
        assert 1 <= entry.line <= len(lines)
    assert all(error.line is not None for error in errors)


PIECES = [
    WIKIPEDIA,
    SOLVED,
    WIKIPEDIA.replace(".", "0"),
    "-" * 81,
    "-" * 64,
    "1" + "-" * 63,
    "1" + "." * 63,
    "." * 16,
    "abcdefghijklmnop" * 16,
    "0" * 1296,
    "-" * 9,
    ROWS[0],
    WIKIPEDIA[:-1],
    f"{WIKIPEDIA[:40]}\n{WIKIPEDIA[40:-1]}",
    WIKIPEDIA + "\r",
    "# comment",
    "",
    " ",
    f"{WIKIPEDIA} rest",
    "?" * 81,
    "\u00e9" * 81,
]


@given(st.lists(st.sampled_from(PIECES)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_file_is_its_lines(pieces: list[str], end: str, closed: bool) -> None:
    """Blocks of plain lines are a short cut: what is read by the line is the same."""
    large = [*["." * 16] * 15, "123456789ABCDEFG"]  # one grid, not sixteen puzzles
    for lead in ([], [WIKIPEDIA] * 3, ["1" + "." * 63] * 2, large):
        text = end.join([*lead, *pieces]) + end * closed
        file_errors: list[PuzzleError] = []
        line_errors: list[PuzzleError] = []
        from_file = list(read(io.BytesIO(text.encode()), on_error=file_errors.append))
        from_lines = list(read(io.StringIO(text, newline="\n"), on_error=line_errors.append))
        assert from_file == from_lines
        assert list(map(str, file_errors)) == list(map(str, line_errors))


def test_a_binary_file_that_comes_in_pieces() -> None:
    """As from a pipe: what has come is read, and no line is torn."""

    class Pipe(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(7)

    lines = f"{WIKIPEDIA}\n" * 5 + f"{SOLVED}\n{WIKIPEDIA} rest\n{SOLVED}"
    found = [(entry.line, entry.grid.line, entry.rest) for entry in read(Pipe(lines.encode()))]
    assert found == [
        *((n, WIKIPEDIA, "") for n in range(1, 6)),
        (6, SOLVED, ""),
        (7, WIKIPEDIA, "rest"),
        (8, SOLVED, ""),
    ]


# -- files cut short -----------------------------------------------------------------------------

MORE = "12" * 18  # as much of a puzzle as may be one of 6x6
NINE = MORE + "." * 45


@pytest.mark.parametrize("end", ["\n", "\r\n", " easy\n"])
@pytest.mark.parametrize("size", [16, 36, 64])
def test_a_last_line_cut_short_is_no_smaller_puzzle(end: str, size: int) -> None:
    """81 cells on each line, and 36 at the end of the file: as a broken download has them."""
    errors: list[PuzzleError] = []
    data = (f"{NINE}{end}" * 3 + NINE[:size]).encode()
    found = list(read(io.BytesIO(data), on_error=errors.append))
    assert [entry.grid.layout.side for entry in found] == [9] * 3
    (error,) = errors
    assert error.line == 4
    assert error.what == (
        f"{size} cells on the last line, but the other puzzles have 81: truncated? If it is "
        "complete, end the line with a line break"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{NINE}\n{MORE}\n",  # with its line break
        f"{NINE}\n{MORE} easy",  # with something after it
        "\n".join(["." * 15 + "G"] * 16 + [NINE]),  # after a grid
        f"{MORE}\n{NINE}\n{MORE}",  # in a file that has others of that size
        f"{MORE}\n{NINE}",
        MORE,
    ],
)
def test_a_last_line_that_may_be_complete(text: str) -> None:
    found = list(read(io.BytesIO(text.encode())))
    assert len(found) == (2 if "G" in text else len(text.splitlines()))
