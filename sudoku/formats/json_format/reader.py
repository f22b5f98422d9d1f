"""Reads the values in a file of JSON one by one: one a line, over many lines, or in a list.

The standard library decodes every value. It needs the whole text of a value for that, and decoding
again after each line would take quadratic time. So where a value goes on over many lines, this
module counts its brackets to find the line in which it ends, and decodes it once, there.

A value that was cut off does not take the values after it with it: it ends before a line that
cannot continue it, and reading goes on with the next line that may begin a value. Values are handed
over as soon as their last line is there, and lists may be of any length.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from sudoku.errors import PuzzleError
from sudoku.formats.record import lines_of
from sudoku.text.chunks import BufferedInput
from sudoku.text.lines import Line

__all__ = ["LONGEST", "is_row", "loaded", "read_values"]

LARGEST = 1 << 22  # characters of a value over many lines
LONGEST = 1 << 20  # characters of a line: a 36x36 grid with all its marks has 300 000
MOST_DIGITS = 20  # of a number
DEEPEST = 12  # nested brackets of a value over many lines; a layout's rules have 8

_SPACE = re.compile(r"[ \t\r]*+")
_BRACKET = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"|[][{}"]')
"""A string, which may contain brackets; a bracket; or a quote that begins no complete string."""
_WORD = re.compile(r'[^][{},:"\s]++')
"""Characters that are not JSON: values may follow them in the same line."""

Found = tuple[int, Any] | PuzzleError
"""The number of the line in which a value begins, and the value; or the error."""


def read_values(stream: BufferedInput) -> Iterator[Found]:
    """Iterates over the values in a file of JSON, and over the items of its lists but rows."""
    return _Reader(stream).read()


def is_row(value: Any) -> bool:
    """Whether a value is a list of numbers, texts and nulls."""
    return (
        isinstance(value, list)
        and bool(value)
        and not any(isinstance(v, list | dict) for v in value)
    )


class _Broken(Exception):
    """The current value cannot be JSON, however it continues."""


class _Reader:
    """The state of reading a file: the lines of the current value, and the list that has it."""

    def __init__(self, stream: BufferedInput) -> None:
        self._source = lines_of(stream, longest=LONGEST)
        self._again: deque[Line] = deque()  # lines of a broken value, to be read a second time
        self._skipping: int | None = None  # the indentation of a broken value while it is skipped
        self._list_line: int | None = None  # the first line of the list that is being read
        self._clear()

    def _clear(self) -> None:
        """Forgets the current value."""
        self._lines: list[Line] = []
        self._start = 0  # its position in the first of the lines
        self._size = 0
        self._open: list[str] = []  # its brackets that are not closed yet
        self._needs_comma = False  # before the next item of a list

    def read(self) -> Iterator[Found]:
        """Iterates over the values of the file."""
        while True:
            line = self._again.popleft() if self._again else next(self._source, None)
            if isinstance(line, PuzzleError):
                yield line
                self._give_up()
            elif line is None:
                if not self._lines:
                    break
                yield self._broken()
            elif line.text and not line.text.isspace() and not self._is_skipped(line):
                try:
                    yield from self._values_in(line)
                except _Broken:
                    yield self._broken()
        if self._list_line is not None:
            yield PuzzleError("not valid JSON: a list without its end", line=self._list_line)

    def _is_skipped(self, line: Line) -> bool:
        """Whether a line is a comment between values, or belongs to a broken value."""
        if self._skipping is not None:
            text = line.text.lstrip()
            first = "{[" if self._list_line is None else "{[]"
            if len(line.text) - len(text) > self._skipping or text[0] not in first:
                return True
            self._skipping = None
        return line.is_blank and not self._lines

    def _values_in(self, line: Line) -> Iterator[Found]:
        """The values that end in this line. A value that does not end becomes the current one."""
        text, at = line.text, 0
        if self._lines:
            can_continue = self._can_continue(text)
            self._lines.append(line)
            if not can_continue:
                raise _Broken
        while True:
            if not self._lines:
                at = self._after_punctuation(text, at)
                if at == len(text):
                    return
                whole = None if self._needs_comma else _decoded(text, at)
                if whole is not None:
                    value, at = whole
                    is_list = isinstance(value, list) and self._list_line is None
                    is_list = is_list and not is_row(value)
                    yield from ((line.number, item) for item in (value if is_list else [value]))
                    self._needs_comma = self._list_line is not None
                    continue
                if text[at] == "[" and self._list_line is None:
                    self._list_line, at = line.number, at + 1
                    continue
                self._lines, self._start = [line], at
                if (word := _WORD.match(text, at)) and not self._needs_comma:
                    at = word.end()
                    yield self._finished(at)
                    continue
                if self._needs_comma or text[at] not in "[{":
                    raise _Broken
            end = self._end_of_value(text, at)
            if end is None:
                break
            yield self._finished(end)
            at = end
        self._size += len(text)
        if self._size > LARGEST:
            what = f"a JSON value of more than {LARGEST >> 20} MiB; write an object on each line"
            yield PuzzleError(what, line=self._lines[0].number)
            self._give_up()

    def _after_punctuation(self, text: str, at: int) -> int:
        """The position after space, the comma between two items, and the end of a list."""
        while space := _SPACE.match(text, at):
            at = space.end()
            if text.startswith(",", at) and self._needs_comma:
                self._needs_comma = False
            elif text.startswith("]", at) and self._list_line is not None:
                self._needs_comma, self._list_line = False, None
            else:
                break
            at += 1
        return at

    def _can_continue(self, text: str) -> bool:
        """Whether the current value can go on with such a line, by the characters at the break.

        This finds most values that were cut off: the next value begins where a comma is expected,
        or the key of an object.
        """
        before, after = self._lines[-1].text.rstrip()[-1], text.lstrip()[0]
        if before not in "[{,:":
            return after in ",:]}"
        if after in ",:]}":
            return before + after in ("[]", "{}")
        return after == '"' or before == ":" or self._open[-1] == "["

    def _end_of_value(self, text: str, at: int) -> int | None:
        """The position after the bracket that ends the current value; None if it goes on.

        Raises `_Broken` for brackets that do not match, too many, and strings without an end.
        """
        for found in _BRACKET.finditer(text, at):
            token = found[0]
            if token in ("[", "{"):
                self._open.append(token)
            elif token in ("]", "}") and self._open.pop() + token not in ("[]", "{}"):
                raise _Broken
            if token == '"' or len(self._open) > DEEPEST:
                raise _Broken
            if not self._open:
                return found.end()
        return None

    def _text(self, end: int | None = None) -> str:
        """The current value, up to a position in its last line."""
        *others, last = (line.text for line in self._lines)
        return "\n".join((*others, last[:end]))[self._start :]

    def _finished(self, end: int) -> Found:
        """The current value, which ends at this position of its last line."""
        number, text = self._lines[0].number, self._text(end)
        self._clear()
        self._needs_comma = self._list_line is not None
        try:
            return number, loaded(text)
        except json.JSONDecodeError as error:
            return _not_valid(error, number)
        except PuzzleError as error:
            return PuzzleError(error.what, line=number)

    def _broken(self) -> PuzzleError:
        """The error of the current value, which is given up; its other lines are read again."""
        number = self._lines[0].number
        error = PuzzleError("not valid JSON: expected a comma before this value", line=number)
        try:
            loaded(self._text())
        except json.JSONDecodeError as found:
            error = _not_valid(found, number)
        except PuzzleError as found:
            error = PuzzleError(found.what, line=number)
        if len(self._open) > DEEPEST:  # most lines before the last would be as deep again
            self._again.extendleft(self._lines[1:][-1:])
        elif self._size <= LONGEST:
            self._again.extendleft(reversed(self._lines[1:]))
        self._give_up()
        return error

    def _give_up(self) -> None:
        """Forgets the current value; reading goes on with the next line that may begin one."""
        if len(self._lines) > 1:
            text = self._lines[0].text
            self._skipping = len(text) - len(text.lstrip())
        self._clear()


def _not_valid(error: json.JSONDecodeError, number: int) -> PuzzleError:
    """The error of the JSON decoder, with its line in the file and the text around it."""
    quote = error.doc[max(0, error.pos - 10) : error.pos + 30]
    where = f" in the value that begins in line {number}" if error.lineno > 1 else ""
    what = f"not valid JSON: {error.msg}{where}"
    return PuzzleError(what, line=number + error.lineno - 1, text=quote)


def _decoded(text: str, at: int) -> tuple[Any, int] | None:
    """The value at a position in a line, and the position after it; None if no value ends there."""
    try:
        return _DECODER.raw_decode(text, at)
    except (json.JSONDecodeError, PuzzleError, RecursionError):
        return None


def loaded(text: str) -> Any:
    """The value of a whole text; `PuzzleError` for numbers and nesting that are too large.

    Raises `json.JSONDecodeError` for a text that is not JSON.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise PuzzleError("JSON with too many nested brackets") from None


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise PuzzleError(f"a number of {len(digits)} digits: {digits[:10]}...")
    return int(digits)


def _refuse_constant(name: str) -> None:
    raise PuzzleError(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(parse_int=_int, parse_constant=_refuse_constant)
