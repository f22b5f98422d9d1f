"""Files that have one puzzle on each line and nothing else, read by the block.

Most long files are such, perhaps after some comments. A block of lines is looked at and translated
in a few calls, and its grids are read when somebody asks for their cells. With the first line that
is anything else this room is left for good: `Plain.rest` gives what was not read here to the
reader that understands everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import IO

from sudoku.grid import Grid
from sudoku.layout import MAX_SIDE, SYMBOLS, Layout
from sudoku.text import ALLOWED, BLANKS, layout_of

__all__ = ["Plain", "Rest"]

BLOCK = 1 << 16
LONGEST = MAX_SIDE * MAX_SIDE


class Plain:
    """The puzzles of a binary file, as far as it is plain."""

    def __init__(self, source: IO[bytes], layout: Layout | None) -> None:
        self._source = source
        self._layout = layout
        self._ahead = b""  # what was read and not given away
        self.number = 1
        """The number of the next line."""

    def grids(self) -> Iterator[tuple[int, Grid]]:
        """The numbers of the lines, and the grids on them."""
        self._skip_comments()
        while lines := self._read_lines():
            found = self._look_at(lines)
            if found is None:
                return
            text, layout = found
            width = layout.size
            for number, start in enumerate(range(0, len(text), width), self.number):
                yield number, Grid.from_line(text[start : start + width], layout)
            self.number += len(text) // width
            self._ahead = self._ahead[len(lines) :]

    @property
    def rest(self) -> Rest:
        """What was not read, to be read otherwise."""
        return Rest(self._ahead, self._source)

    def _skip_comments(self) -> None:
        while (line := self._source.readline(LONGEST)).startswith(b"#") and line.endswith(b"\n"):
            self.number += 1
        self._ahead = line

    def _read_lines(self) -> bytes:
        """Some whole lines, which stay `ahead`; nothing at the end, or if a line is too long."""
        while not (end := self._ahead.rfind(b"\n") + 1):
            more = self._source.read1(BLOCK)  # type: ignore[attr-defined]
            if not more or len(self._ahead) > LONGEST:
                self._ahead += more
                return b"" if more else self._ahead
            self._ahead += more
        return self._ahead[:end]

    def _look_at(self, lines: bytes) -> tuple[str, Layout] | None:
        """The cells in lines that are all puzzles of one size, as `Grid.line` writes them."""
        width = lines.find(b"\n")
        end = b"\r\n" if lines[:width].endswith(b"\r") else b"\n"
        width = len(lines) if width < 0 else width + 1 - len(end)
        layout = layout_of(width, self._layout)
        if layout is None or width <= MAX_SIDE or (b"-" in lines and width != 81):
            return None  # perhaps a row of a grid, or a rule
        count = -(-len(lines) // (width + len(end)))
        cells = b"".join(lines.split(end)) if count > 1 else lines.removesuffix(end)
        if cells.translate(None, ALLOWED[layout.side]) or len(cells) != count * width:
            return None
        if any(
            lines[place :: width + len(end)].strip(end) for place in range(width, width + len(end))
        ):
            return None  # lines of unequal length
        return cells.translate(_CANONICAL[layout.side == MAX_SIDE]).decode(), layout


class Rest:
    """The rest of a file of which something was read ahead."""

    def __init__(self, ahead: bytes, source: IO[bytes]) -> None:
        self._ahead = BytesIO(ahead)
        self._source = source

    def readline(self, size: int) -> bytes:
        """A line, or `size` bytes of it."""
        line = self._ahead.readline(size)
        if len(line) < size and not line.endswith(b"\n"):
            line += self._source.readline(size - len(line))
        return line


def _canonical(digits: str) -> bytes:
    """A table that makes all blanks the same, and all letters large."""
    blanks = "".join(blank for blank in BLANKS if blank not in digits)
    letters = digits.lower()
    return bytes.maketrans((blanks + letters).encode(), ("." * len(blanks) + digits).encode())


_CANONICAL = (_canonical(SYMBOLS[:-1]), _canonical(SYMBOLS))
