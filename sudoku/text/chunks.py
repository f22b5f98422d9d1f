"""Fast reading of files with one puzzle on each line, in chunks of up to 64 KiB.

Most long files have that form, perhaps with comments or a bad line here and there. A chunk of such
plain lines is checked and translated in a few C calls; a grid decodes its cells on first access.
All other lines are left to the general reader (`sudoku.text.puzzles`), which hands back to this one
at the next plain line.

The size of a chunk adapts: after a line that is not plain it restarts with one line and doubles, so
that the total work stays linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from select import select
from typing import Protocol

from dlx.named_tuple import NamedTuple
from sudoku.board.layout import MAX_SIDE, SYMBOLS, Layout
from sudoku.board.parse import ALLOWED, BLANKS, layout_of, plain_zeros, zero_doubt

__all__ = ["BufferedInput", "ByteSource", "Chunk", "ChunkReader"]

CHUNK_BYTES = 1 << 16
_DIVIDERS = b" \t\r\n-+=|" + bytes(range(128, 256))  # bytes of blank lines and rules
LONGEST = MAX_SIDE * MAX_SIDE + 2  # bytes of the longest line, with its line break


class ByteSource(Protocol):
    """The part of a binary file's interface that `BufferedInput` needs."""

    def read1(self, size: int, /) -> bytes:
        """Some bytes, as soon as there are any; none at the end."""

    def fileno(self) -> int:
        """The file descriptor."""


class Chunk(NamedTuple):
    """Puzzles on consecutive lines, as `Grid.line` writes them.

    An empty chunk is a marker: reading on may block, so the caller should output its results now.
    """

    line: int
    """The number of the first line, from 1."""
    puzzles: list[str]
    layout: Layout


class BufferedInput:
    """A binary file with a read-ahead buffer, line numbers and a test for blocking."""

    def __init__(self, file: ByteSource) -> None:
        self._file = file
        self._ahead = b""
        self._at = 0  # the number of bytes of `_ahead` that have been used
        self.number = 1
        """The number of the next line; each reader that uses lines updates it."""

    def readline(self, size: int) -> bytes:
        """Uses a line, or `size` bytes of it."""
        while not (end := self._ahead.find(b"\n", self._at, self._at + size) + 1):
            if len(self._ahead) - self._at >= size or not self._fill():
                break
        line = self._ahead[self._at : end or self._at + size]
        self._at += len(line)
        return line

    def head(self, most: int = CHUNK_BYTES) -> bytes:
        """The next bytes, at most `most`: through the first line that is not a comment, or more."""
        while len(self._ahead) - self._at < most:
            lines = self._ahead[self._at :].removeprefix(b"\xef\xbb\xbf").split(b"\n")[:-1]
            if any(line.strip()[:1] not in (b"", b"#") for line in lines):
                break
            if not self._fill():
                break
        return self._ahead[self._at : self._at + most]

    def read(self, size: int) -> bytes:
        """Uses up to `size` bytes; returns none at the end."""
        if self._at == len(self._ahead):
            self._fill()
        data = self._ahead[self._at : self._at + size]
        self._at += len(data)
        return data

    def is_ready(self) -> bool:
        """Whether the next line can be read without blocking; True if that is unknown.

        Blank lines, rules and comments do not count.
        """
        start = self._at
        while end := self._ahead.find(b"\n", start) + 1:
            if self._ahead[start:end].translate(None, _DIVIDERS)[:1] not in (b"", b"#"):
                return True
            start = end
        try:
            return bool(select([self._file.fileno()], [], [], 0)[0])
        except (OSError, ValueError, AttributeError):  # no descriptor, or select does not take it
            return True

    def _fill(self) -> bool:
        """Reads more bytes into the buffer; False at the end."""
        more = self._file.read1(CHUNK_BYTES)
        self._ahead, self._at = self._ahead[self._at :] + more, 0
        return bool(more)

    def peek_lines(self, most: int, longest: int = LONGEST) -> bytes:
        """The next whole lines: at least one, and more within `most` bytes.

        Empty at the end, and if the next line is longer than `longest` bytes.
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
        """Marks `size` bytes, which are `lines` lines, as used."""
        self._at += size
        self.number += lines


class ChunkReader:
    """Reads the plain lines of a file, each exactly one puzzle, in chunks."""

    def __init__(self, stream: BufferedInput, layout: Layout | None) -> None:
        self._stream = stream
        self._layout = layout
        self._size = CHUNK_BYTES

    def chunks(self) -> Iterator[Chunk]:
        """The next plain lines, up to another kind of line or the end of the file.

        A last line without a line break is left out: it may have been cut short.
        """
        stream = self._stream
        while True:
            if not stream.is_ready():
                yield Chunk(stream.number, [], Layout(3, 3))
            lines = stream.peek_lines(self._size)
            if not lines.endswith(b"\n"):
                return
            found = self._decode_lines(lines)
            if found is None:
                lines = self._plain_prefix(lines)
                self._size = 1
                found = self._decode_lines(lines) if lines else None
                if found is None:
                    return
            text, layout = found
            width = layout.size
            puzzles = [text[start : start + width] for start in range(0, len(text), width)]
            yield Chunk(stream.number, puzzles, layout)
            stream.use(len(lines), len(puzzles))
            self._size = min(max(2 * self._size, 2 * len(lines)), CHUNK_BYTES)

    def skip_comments(self) -> None:
        """Skips the next lines as long as they are comments."""
        stream = self._stream
        while (lines := stream.peek_lines(1)).startswith(b"#"):
            stream.use(len(lines), 1)

    def starts_plain(self) -> bool:
        """Whether the first line that is not a comment is certainly plain. Uses nothing.

        A line of 729 characters is not certain: a grid of side 27, or the pencil marks of a 9x9.
        """
        lines = self._stream.head().splitlines(keepends=True)
        first = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
        found = self._decode_lines(first)
        return found is not None and found[1].size != 729

    def is_next(self) -> bool:
        """Whether the next line is plain."""
        return self._decode_lines(self._stream.peek_lines(1)) is not None

    def _plain_prefix(self, lines: bytes) -> bytes:
        """The first of the lines, as long as they are plain and of one width."""
        size, width = 0, -1
        for line in lines.splitlines(keepends=True):
            if width not in (-1, len(line)) or self._decode_lines(line) is None:
                break
            size, width = size + len(line), len(line)
        return lines[:size]

    def _decode_lines(self, lines: bytes) -> tuple[str, Layout] | None:
        """The cells of lines with a puzzle each, as `Grid.line` writes them, and their layout.

        None if some line is not plain.
        """
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
        if layout.side > 9 and b"0" in cells:
            texts = [cells[at : at + width].decode() for at in range(0, len(cells), width)]
            if any(zero_doubt(text, layout) for text in texts):
                return None
            cells = "".join(plain_zeros(text, layout.side) for text in texts).encode()
        return cells.translate(_CANONICAL[layout.side == MAX_SIDE]).decode(), layout


def _canonical(digits: str) -> bytes:
    """A translation table that writes all blanks as `.` and all letters in upper case."""
    blanks = "".join(blank for blank in BLANKS if blank not in digits)
    letters = digits.lower()
    return bytes.maketrans((blanks + letters).encode(), ("." * len(blanks) + digits).encode())


_CANONICAL = (_canonical(SYMBOLS[:-1]), _canonical(SYMBOLS))
