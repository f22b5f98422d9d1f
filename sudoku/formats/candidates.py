"""The format `candidates`: grids with the candidates of each cell, as players post them in forums.

    *-----------------------------------------*
    | 1567   3     1567 | 4   12579  179 | ...      one digit: the cell is filled
    ...

Source: Simple Sudoku's clipboard, http://sudopedia.sudocue.net/index.php?title=Sudoku_Clipboard_
and_File_Formats: 81 groups of digits are a candidate grid, and formatting is ignored. The reader
takes them as pencil marks that are part of the puzzle, because such a grid does not show which
digits were given. Only 9x9.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError, counted
from sudoku.formats.record import Format, Lost, Record, lines_of, placed_error, shape
from sudoku.formats.sukaku import digits_of, refuses
from sudoku.rules import Allowed
from sudoku.text.chunks import BufferedInput
from sudoku.text.lines import Line

__all__ = ["CANDIDATES"]

_FRAME = re.compile(r"[-+|*.:' \t]*")
_ROW = re.compile(r"(?:[|*: \t]*[1-9]{1,9}(?![1-9]))+[|*: \t]*")


def _groups(text: str) -> list[str] | None:
    """The groups of digits in a line; None if it is not a row of a grid."""
    return re.findall("[1-9]+", text) if _ROW.fullmatch(text) else None


def _detect(head: str, comments: list[str]) -> bool:
    rows = (line for line in head.splitlines() if line.strip() and not _FRAME.fullmatch(line))
    groups = _groups(next(rows, "").strip())
    return (
        groups is not None
        and len(groups) == 9
        and any(len(group) > 1 for group in groups)
        and all(list(group) == sorted(set(group)) for group in groups)
    )


def _read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
    rows: list[tuple[Line, list[str]]] = []
    for line in lines_of(stream):
        if isinstance(line, PuzzleError):
            yield line
            continue
        text = line.text.strip()
        if line.is_blank or _FRAME.fullmatch(text):
            continue
        groups = _groups(text)
        if groups is None or len(groups) != 9:
            if rows or groups:  # outside of grids, programs write remarks
                what = "expected a row of nine groups of digits"
                yield PuzzleError(what, line=line.number, text=text)
            rows = []
            continue
        rows.append((line, groups))
        if len(rows) == 9:
            yield _record(rows)
            rows = []
    if rows:
        first = rows[0][0]
        what = f"{counted(len(rows), 'row')}; a 9x9 grid has 9"
        yield PuzzleError(what, line=first.number, text=first.text)


def _record(rows: list[tuple[Line, list[str]]]) -> Record | PuzzleError:
    groups = [group for _, row in rows for group in row]
    base = Layout(3, 3)
    every = set("123456789")
    marks = {
        cell: map(int, group)
        for cell, group in zip(base.positions, groups, strict=True)
        if len(set(group)) > 1 and set(group) != every
    }
    cells = tuple(int(group) if len(group) == 1 else 0 for group in groups)
    try:
        layout = base.with_rules(Allowed(marks), name="sukaku") if marks else base
    except LayoutError as error:
        return placed_error(error, rows[0][0].number)
    return Record(Grid.from_cells(cells, layout), rows[0][0].number)


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for number, record in enumerate(records):
        marks = "".join(digits_of(record.grid)).replace(".", " ")
        cells = ["".join(marks[at : at + 9].split()) for at in range(0, 729, 9)]
        widths = [max(map(len, cells[column::9])) for column in range(9)]
        yield ("\n" * (number > 0))
        inner = [sum(widths[at : at + 3]) + 8 for at in (0, 3, 6)]
        rule = "-+-".join("-" * (width - 2) for width in inner)
        edge = "-" * len(rule)
        lines = [f"*-{edge}-*"]
        for row in range(9):
            texts = [
                cell.ljust(width)
                for cell, width in zip(cells[9 * row : 9 * row + 9], widths, strict=True)
            ]
            boxes = ("  ".join(texts[at : at + 3]) + "  " for at in (0, 3, 6))
            lines.append("| " + "| ".join(boxes) + "|")
            if row in (2, 5):
                lines.append(f"|-{rule}-|")
        lines.append(f"*-{edge}-*")
        yield ("\n".join(lines) + "\n")


def _refuses(grid: Grid) -> str | None:
    if grid.layout.side != 9:
        return f"cannot hold {shape(grid.layout)}"
    return refuses(grid)


CANDIDATES = Format(
    "candidates",
    "grids with all candidates of each cell, as posted in forums",
    (),
    _detect,
    _read,
    _write,
    _refuses,
)
