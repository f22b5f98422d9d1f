"""Numbered lines of a file, with lookahead and checks of encoding and length."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import IO, cast

from sudoku.board.notations import numbers_as_symbols, usual_characters
from sudoku.board.parse import is_frame, plain_blanks, strip_rules
from sudoku.errors import PuzzleError, shown
from sudoku.text.chunks import BufferedInput

__all__ = ["LONGEST", "Line", "Lines"]

TextSource = IO[str] | IO[bytes] | BufferedInput | Iterable[str]

LONGEST = 1 << 16
"""The longest line that is read, in characters; the largest puzzle has 1296 cells."""


class Line:
    """One line of text, and properties that tell a row from a rule or a comment."""

    __slots__ = ("_cells", "is_ended", "number", "text")

    def __init__(self, number: int, text: str, *, is_ended: bool = True) -> None:
        self.number = number
        self.text = text
        self.is_ended = is_ended
        """False for the last line of a file that does not end with a line break."""
        self._cells: str | None = None

    @property
    def cells(self) -> str:
        """The line without rules and spaces; empty for a comment."""
        if self._cells is None:
            text = plain_blanks(usual_characters(self.text.strip()))
            if text.startswith("#") or is_frame(text):
                self._cells = ""
            else:
                self._cells = numbers_as_symbols(text) or strip_rules(text)
        return self._cells

    @property
    def is_blank(self) -> bool:
        """Whether it is a blank line or a comment."""
        return not self.text or self.text.isspace() or self.text.lstrip().startswith("#")

    @property
    def is_empty(self) -> bool:
        """Whether it has no cells: it is blank, or a rule that cannot be anything else."""
        return not self.cells or (self.is_dashes and "+" in self.text)

    @property
    def is_dashes(self) -> bool:
        """Whether its cells are all dashes: a rule or an empty row."""
        return bool(self.cells) and not self.cells.strip("-")


class Lines:
    """The lines of a text or binary file, or of any iterable of lines.

    `first` is the number of the first line, `longest` the longest line allowed, in characters.

    `pop` raises `PuzzleError` for a line that is not UTF-8 or too long; the next call continues
    with the next line. At a NUL byte, which no text file has, the lines end.
    """

    def __init__(self, source: TextSource, first: int = 1, *, longest: int = LONGEST) -> None:
        self._longest = longest
        self._ahead: deque[Line | PuzzleError] = deque()
        self._next: int | None = first
        self.last: Line | None = None
        """The line that was popped last."""
        self._source = self._read(source, first)

    @property
    def next_number(self) -> int | None:
        """The number of the next line; None if lines were read ahead of it, or at the end."""
        return None if self._ahead else self._next

    def pop(self) -> Line | None:
        """The next line, None at the end."""
        line = self._ahead.popleft() if self._ahead else next(self._source, None)
        if isinstance(line, PuzzleError):
            raise line
        self.last = line
        return line

    def peek(self, ahead: int) -> Line | None:
        """The line `ahead` lines after the next; None at the end, or if that line is not text."""
        while len(self._ahead) <= ahead:
            line = next(self._source, None)
            if line is None:
                return None
            self._ahead.append(line)
        found = self._ahead[ahead]
        return None if isinstance(found, PuzzleError) else found

    def _read(self, source: TextSource, first: int) -> Iterator[Line | PuzzleError]:
        is_file = hasattr(source, "readline")  # others may have lines without their ends
        for number, line in enumerate(_raw_lines(source, self._longest), first):
            self._next = number + 1
            if isinstance(line, UnicodeDecodeError):
                self._next = None
                what = f"not {line.encoding} (byte 0x{line.object[line.start]:02x})"
                what += "; open the file in its encoding, or in binary mode"
                yield PuzzleError(what, line=number)
                return
            if not isinstance(line, str | bytes):
                yield PuzzleError(f"{shown(line)} is not a line of text", line=number)
                continue
            if len(line) > self._longest:
                what = f"more than {self._longest} characters; no puzzle is that long"
                start = line[:100] if isinstance(line, str) else line[:100].decode("latin-1")
                yield PuzzleError(what, line=number, text=start)
                continue
            if ("\0" if isinstance(line, str) else b"\0") in line:  # type: ignore[operator]
                self._next = None
                yield PuzzleError("not a text file: it contains a NUL byte", line=number)
                return
            if isinstance(line, str):
                text = line
            else:
                try:
                    text = line.decode()
                except UnicodeDecodeError as error:
                    # A comment may be in any encoding.
                    text = line.decode("latin-1")
                    if not text.lstrip().startswith("#"):
                        what = f"not UTF-8 (byte 0x{line[error.start]:02x} at {error.start + 1})"
                        yield PuzzleError(what, line=number, text=text.rstrip("\r\n"))
                        continue
            if number == 1:
                text = text.removeprefix("\ufeff")
            content = text.rstrip("\r\n")
            yield Line(number, content, is_ended=not is_file or len(content) < len(text))


def _raw_lines(source: TextSource, longest: int) -> Iterator[object]:
    """The lines of the source; of a longer line in a file, only about `longest` characters.

    A line is str or bytes, or any object that an iterable yields. A text file that is not in the
    encoding it was opened with ends with the UnicodeDecodeError.
    """
    readline = getattr(source, "readline", None)
    if readline is None:
        yield from cast("Iterable[str]", source)
        return
    try:
        while line := readline(longest + 2):
            yield line
            end: str | bytes = "\n" if isinstance(line, str) else b"\n"
            while len(line) > longest and line[-1:] != end and line:
                line = readline(longest + 2)
    except UnicodeDecodeError as error:
        yield error
