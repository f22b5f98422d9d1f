"""The plain text formats `lines`, `sdm`, `rows`, `grid` and `ss`.

`sudoku.text.puzzles` reads all of them, in any mixture; this module writes them. The conventions
are as old as computer Sudoku: 81 characters row by row, `.` or `0` (or `*`, `-`, `_`, `?`) for a
blank. `.sdm` is SudoCue's suffix for such files, `.ss` is Simple Sudoku's:
http://www.sudocue.net/fileformats.php.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError
from sudoku.formats.record import (
    REMARK,
    SOLUTION,
    Format,
    Lost,
    Record,
    classic_only,
    joined,
    nine_only,
    solution_of,
    split_solution,
)
from sudoku.text.chunks import BufferedInput, Chunk
from sudoku.text.puzzles import Entry, LettersEntry, text_pieces

__all__ = ["GRID", "LINES", "ROWS", "SDM", "SS", "read_lines"]


def read_lines(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
    """Reads lines and grids in any mixture."""
    for piece in text_pieces(stream, layout):
        if isinstance(piece, Chunk):
            for number, puzzle in enumerate(piece.puzzles, piece.line):
                yield Record(Grid.from_line(puzzle, piece.layout), number)
        elif isinstance(piece, Entry):
            solution, rest = split_solution(piece.rest, piece.grid.layout)
            about = piece.about if isinstance(piece, LettersEntry) else {}
            yield Record(piece.grid, piece.line, rest, solution=solution, about=about)
        else:
            yield piece


def _write_lines(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        yield joined(record, lost, record.grid.line, solution_of(record))


def _write_sdm(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        line = record.grid.line  # from side 10 on, 0 may be a digit
        yield ((line if record.grid.layout.side > 9 else line.replace(".", "0")) + "\n")


def _write_rows(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for number, record in enumerate(records):
        line, side = record.grid.line, record.grid.layout.side
        yield ("\n" * (number > 0))
        yield from (f"{line[at : at + side]}\n" for at in range(0, side * side, side))


def _write_grids(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for number, record in enumerate(records):
        yield ("\n" * (number > 0) + f"{record.grid}\n")


def _write_ss(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for number, record in enumerate(records):
        line = record.grid.line
        rows = [line[at : at + 9] for at in range(0, 81, 9)]
        rows = ["|".join((row[:3], row[3:6], row[6:])) for row in rows]
        rows[3:3] = rows[7:7] = ["-" * 11]
        yield ("\n" * (number > 0) + "\n".join(rows[:11]) + "\n")


def _never(head: str, comments: list[str]) -> bool:
    return False


LINES = Format(
    "lines",
    "a puzzle on each line, . for a blank, then its solution and a remark",
    (".txt",),
    _never,  # the format of all files that no other format detects
    read_lines,
    _write_lines,
    classic_only,
    frozenset({REMARK, SOLUTION}),
)
SDM = Format(
    "sdm", "a puzzle on each line, 0 for a blank", (".sdm",), _never, read_lines, _write_sdm,
    classic_only,
)  # fmt: skip
ROWS = Format(
    "rows", "grids of n lines with n characters", (), _never, read_lines, _write_rows, classic_only
)
GRID = Format(
    "grid", "grids with lines around boxes", (), _never, read_lines, _write_grids, classic_only
)
SS = Format("ss", "Simple Sudoku's grids", (".ss",), _never, read_lines, _write_ss, nine_only)
