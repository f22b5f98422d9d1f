"""Files that have one puzzle on each line, read by the block.

Most long files are such, perhaps with some comments or a bad line here and there. A block of lines
is looked at and translated in a few calls, and its grids are read when somebody asks for their
cells. What is anything else is left to the reader that understands everything, a line at a time
(or a grid); the next plain line leads back here.

How much is looked at in one go adapts itself: after a line that was not plain it begins with one
line again and doubles, so that no line is looked at many times.
"""

from __future__ import annotations

from collections.abc import Iterator
from select import select
from typing import NamedTuple, Protocol

from sudoku.board.layout import MAX_SIDE, SYMBOLS, Layout
from sudoku.board.parse import ALLOWED, BLANKS, layout_of

__all__ = ["Block", "Bytes", "Feed", "Plain"]

BLOCK = 1 << 16
_FRAME = b" \t\r\n-+=|" + bytes(range(128, 256))  # what a line has that is between puzzles
LONGEST = MAX_SIDE * MAX_SIDE + 2  # with its end


class Bytes(Protocol):
    """What is asked of a binary file."""

    def read1(self, size: int, /) -> bytes:
        """Some bytes, as soon as there are any; none at the end."""

    def fileno(self) -> int:
        """Its number for the system."""


class Block(NamedTuple):
    """Puzzles on consecutive lines, as `Grid.line` writes them.

    An empty one says that we shall have to wait for what comes next.
    """

    line: int
    """The number of the first line, from 1."""
    puzzles: list[str]
    layout: Layout


class Feed:
    """A binary file, and what was read of it and not yet used."""

    def __init__(self, file: Bytes) -> None:
        self._file = file
        self._ahead = b""
        self._at = 0  # so much of it has been used
        self.number = 1
        """The number of the next line; whoever uses lines keeps it so."""

    def readline(self, size: int) -> bytes:
        """Uses a line, or `size` bytes of it."""
        while not (end := self._ahead.find(b"\n", self._at, self._at + size) + 1):
            if len(self._ahead) - self._at >= size or not self._fill():
                break
        line = self._ahead[self._at : end or self._at + size]
        self._at += len(line)
        return line

    def head(self, most: int = BLOCK) -> bytes:
        """What comes next, up to and with a line that is no comment, and what else was read."""
        while len(self._ahead) - self._at < most:
            lines = self._ahead[self._at :].removeprefix(b"\xef\xbb\xbf").split(b"\n")[:-1]
            if any(line.strip()[:1] not in (b"", b"#") for line in lines):
                break
            if not self._fill():
                break
        return self._ahead[self._at : self._at + most]

    def read(self, size: int) -> bytes:
        """Uses `size` bytes, or as many as there are; none at the end."""
        if self._at == len(self._ahead):
            self._fill()
        data = self._ahead[self._at : self._at + size]
        self._at += len(data)
        return data

    def is_ready(self) -> bool:
        """Whether it need not wait for what comes next; True where one cannot know.

        What comes next is a line with more in it than a rule or a remark.
        """
        start = self._at
        while end := self._ahead.find(b"\n", start) + 1:
            if self._ahead[start:end].translate(None, _FRAME)[:1] not in (b"", b"#"):
                return True
            start = end
        try:
            return bool(select([self._file.fileno()], [], [], 0)[0])
        except (OSError, ValueError, AttributeError):  # no file of the system, or none one can ask
            return True

    def _fill(self) -> bool:
        """Reads some more; False at the end."""
        more = self._file.read1(BLOCK)
        self._ahead, self._at = self._ahead[self._at :] + more, 0
        return bool(more)

    def look(self, most: int, longest: int = LONGEST) -> bytes:
        """Whole lines that come next: one, and more within `most` bytes; nothing at the end.

        Also nothing if the next line is longer than `longest`.
        """
        while not (end := self._ahead.rfind(b"\n", self._at, self._at + most) + 1):
            end = self._ahead.find(b"\n", self._at) + 1
            if end:
                break
            if len(self._ahead) - self._at > longest:
                return b""
            if not self._fill():
                return self._ahead
        return self._ahead[self._at : end] if end - self._at <= max(most, longest) else b""

    def use(self, size: int, lines: int) -> None:
        """Uses so many bytes of what was looked at, and counts their lines."""
        self._at += size
        self.number += lines


class Plain:
    """The puzzles of a file, as far as it is plain."""

    def __init__(self, feed: Feed, layout: Layout | None) -> None:
        self._feed = feed
        self._layout = layout
        self._size = BLOCK

    def blocks(self) -> Iterator[Block]:
        """The plain lines that come next, until there is another line or the file ends.

        A last line without a line break is none of them: it may have been cut short.
        """
        feed = self._feed
        while True:
            if not feed.is_ready():
                yield Block(feed.number, [], Layout(3, 3))
            lines = feed.look(self._size)
            if not lines.endswith(b"\n"):
                return
            found = self._look_at(lines)
            if found is None:
                lines = self._plain_part(lines)
                self._size = 1
                found = self._look_at(lines) if lines else None
                if found is None:
                    return
            text, layout = found
            width = layout.size
            puzzles = [text[start : start + width] for start in range(0, len(text), width)]
            yield Block(feed.number, puzzles, layout)
            feed.use(len(lines), len(puzzles))
            self._size = min(max(2 * self._size, 2 * len(lines)), BLOCK)

    def skip_comments(self) -> None:
        """Uses the comments that come next."""
        feed = self._feed
        while (lines := feed.look(1)).startswith(b"#"):
            feed.use(len(lines), 1)

    def is_soon(self) -> bool:
        """Whether the first line that is no comment is plain, for sure. Uses nothing.

        729 characters are a grid of side 27, or the pencil marks of one of side 9.
        """
        lines = self._feed.head().splitlines(keepends=True)
        first = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
        found = self._look_at(first)
        return found is not None and found[1].size != 729

    def is_next(self) -> bool:
        """Whether the next line is plain."""
        return self._look_at(self._feed.look(1)) is not None

    def _plain_part(self, lines: bytes) -> bytes:
        """As many of the lines, from the first, as are plain and of one width."""
        size, width = 0, -1
        for line in lines.splitlines(keepends=True):
            if width not in (-1, len(line)) or self._look_at(line) is None:
                break
            size, width = size + len(line), len(line)
        return lines[:size]

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


def _canonical(digits: str) -> bytes:
    """A table that makes all blanks the same, and all letters large."""
    blanks = "".join(blank for blank in BLANKS if blank not in digits)
    letters = digits.lower()
    return bytes.maketrans((blanks + letters).encode(), ("." * len(blanks) + digits).encode())


_CANONICAL = (_canonical(SYMBOLS[:-1]), _canonical(SYMBOLS))
