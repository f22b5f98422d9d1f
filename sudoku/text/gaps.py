"""Files of puzzles whose layout is not a square, such as overlapping grids.

A puzzle is one line, with a character for each cell and optionally a `#` for each gap, or as many
lines as the layout has rows, with any spacing. Blank lines, rules and comments may come between. A
line that begins with `#` is a comment unless all of it is a row or a puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator

from sudoku.board.cells import MAX_SIDE
from sudoku.board.layout import Layout
from sudoku.board.parse import ALLOWED, Cells, read_text, row_widths, strip_rules
from sudoku.errors import PuzzleError, counted
from sudoku.text.lines import Line, Lines

__all__ = ["GapReader"]

_CELLS = frozenset(ALLOWED[MAX_SIDE].decode() + "#")


class GapReader:
    """Iterates over the puzzles of a layout with gaps in the lines of a file."""

    def __init__(self, lines: Lines, layout: Layout) -> None:
        self._lines = lines
        self._layout = layout
        self._widths = row_widths(layout)

    def puzzles(self) -> Iterator[tuple[int, Cells, str] | PuzzleError]:
        """Yields for each puzzle the number of its first line, its cells, and the rest of the line.

        Yields the error instead for a line that is not a puzzle.
        """
        while True:
            try:
                found = self._next()
            except PuzzleError as error:
                yield error
                continue
            if found is None:
                return
            yield found

    def _next(self) -> tuple[int, Cells, str] | None:
        layout = self._layout
        while (line := self._lines.pop()) is not None:
            field, *rest = line.text.split(None, 1) or [""]
            if len(field) in (layout.size, layout.height * layout.width) and _is_grid(field):
                return line.number, self._read(field, line), "".join(rest).strip()
            cells = _cells_of(line)
            if cells and cells.strip("-"):
                return line.number, self._read_rows(line, cells), ""
        return None

    def _read_rows(self, first: Line, cells: str) -> Cells:
        if not self._is_row(cells, 0):
            what = f"a row of {counted(len(cells), 'cell')}; the first row has {self._widths[0]}"
            raise PuzzleError(what, line=first.number, text=first.text)
        rows = [cells]
        while len(rows) < self._layout.height:
            line = self._lines.peek(0)
            if line is None or (line.is_blank and not _cells_of(line)):
                break
            cells = _cells_of(line)
            if cells.strip("-") and not self._is_row(cells, len(rows)):
                break
            self._lines.pop()
            if cells.strip("-"):
                rows.append(cells)
        height, width = self._layout.height, self._layout.width
        if len(rows) < height:
            what = f"{counted(len(rows), 'row')}; the grid has {height}"
            raise PuzzleError(what, line=first.number, text=first.text)
        joined = "\n".join(
            row if len(row) == width else self._spread(row, number)
            for number, row in enumerate(rows)
        )
        return self._read(joined, first)

    def _is_row(self, cells: str, number: int) -> bool:
        return len(cells) == self._layout.width or (
            len(cells) == self._widths[number] and "#" not in cells
        )

    def _spread(self, cells: str, number: int) -> str:
        """A row with `#` in its gaps."""
        left = iter(cells)
        columns = range(1, self._layout.width + 1)
        index = self._layout.index
        return "".join(next(left) if (number + 1, c) in index else "#" for c in columns)

    def _read(self, text: str, line: Line) -> Cells:
        try:
            return read_text(text, self._layout)[0]
        except PuzzleError as error:
            raise PuzzleError(error.what, line=line.number, text=line.text) from None


def _cells_of(line: Line) -> str:
    """The cells and gaps of a line; empty for a comment."""
    text = line.text.strip()
    return "" if text.startswith("#") and not _is_grid(text) else strip_rules(text)


def _is_grid(text: str) -> bool:
    """Whether the text consists of cells and gaps only, with at least one cell."""
    return _CELLS.issuperset(text) and bool(text.strip("#"))
