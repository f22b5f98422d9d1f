"""The values in a file of JSON: one on each line, one after another over many lines, or in a list.

A line that is a value is decoded as it is, and that is nearly every line. Other values are followed
token by token to where they end, or to the first place where JSON cannot go on so: then reading
begins again with the next line that may begin a value. So a value that was cut off does not take
those after it with it, lists may be of any length, and values are handed over as they come.
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

__all__ = ["LONGEST", "documents"]

LARGEST = 1 << 22  # of a value over many lines
LONGEST = 1 << 20  # of a line: a 36x36 grid with all its marks has 300 000
MOST_DIGITS = 20  # of a number
DEEPEST = 12  # brackets in each other, over many lines; a layout's rules have 8

_TOKEN = re.compile(
    r"""[ \t\r]*(?:("[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+")|([][{},:])|([^][{},:"\s]+))?"""
)
_NUMBERS = re.compile(r"(?:[ \t\r]*+[\w.+-]++[ \t\r]*+,)++")  # a part of a list, as notes are
_VALUE, _FIRST, _KEY, _FIRST_KEY, _COLON, _AFTER = range(6)
"""What may come next: a value, or also `]`; a key, or also `}`; a colon; a comma or the end."""

Found = tuple[int, Any] | PuzzleError
"""The number of the line in which a value begins, and the value; or what is wrong."""


def documents(stream: BufferedInput) -> Iterator[Found]:
    """The values in a file, as they come; those of a list one by one."""
    return _Values(stream).read()


class _Values:
    """The values of a file, and how far the one is that is being read."""

    def __init__(self, stream: BufferedInput) -> None:
        self._source = lines_of(stream, longest=LONGEST)
        self._again: deque[Line] = deque()  # lines that are looked at once more
        self._skipping: int | None = None  # how far the value was indented that was given up
        self._base = 0  # 1 in a list over many lines, which begins in line `_first`
        self._first = 0
        self._begin()

    def _begin(self) -> None:
        """Expects a value."""
        self._open = ["["] * self._base
        self._state = _VALUE
        self._lines: list[Line] = []  # of the value that is being read
        self._start = 0  # where it begins in the first of them
        self._size = 0

    def read(self) -> Iterator[Found]:
        """All of them."""
        while True:
            line = self._again.popleft() if self._again else next(self._source, None)
            if isinstance(line, PuzzleError):
                yield line
                self._give_up()
            elif line is None:
                if not self._lines:
                    break
                yield self._broken()
            elif not (line.text.isspace() or not line.text or self._is_skipped(line)):
                yield from self._next(line)
        if self._base:
            yield PuzzleError("no JSON: a list without its end", line=self._first)

    def _is_skipped(self, line: Line) -> bool:
        """Whether a line is a comment, or a part of what was given up."""
        if self._skipping is not None:
            text = line.text.lstrip()
            if (
                len(line.text) - len(text) > self._skipping
                or text[0] not in "{[]"[: 2 + self._base]
            ):
                return True
            self._skipping = None
        return line.is_blank and not self._lines

    def _next(self, line: Line) -> Iterator[Found]:
        """Goes on with a line."""
        if self._lines:
            self._lines.append(line)
        elif (whole := self._whole(line)) is not None:
            yield from whole
            return
        text, at = line.text, 0
        while found := _TOKEN.match(text, self._after_numbers(text, at)):
            if found.lastindex is None:
                if found.end() < len(text):
                    yield self._broken(line)
                    return
                break
            at = found.end()
            if not self._lines:
                if self._is_between(found[found.lastindex], line):
                    continue
                self._lines, self._start = [line], found.start(found.lastindex)
            if not self._step(found[found.lastindex][0]):
                yield self._broken(line)
                return
            if len(self._open) == self._base:
                yield self._finished(at)
        self._size += len(text)
        if self._lines and self._size > LARGEST:
            what = f"a JSON value of more than {LARGEST >> 20} MiB; write an object on each line"
            yield PuzzleError(what, line=self._lines[0].number)
            self._give_up()

    def _after_numbers(self, text: str, at: int) -> int:
        """The place after the numbers with commas that come next in an inner list."""
        in_list = self._lines and self._state in (_VALUE, _FIRST) and self._open[-1:] == ["["]
        numbers = _NUMBERS.match(text, at) if in_list else None
        if numbers is None:
            return at
        self._state = _VALUE
        return numbers.end()

    def _whole(self, line: Line) -> list[Found] | None:
        """The values of a line that has nothing else, or None."""
        text = line.text.strip()
        comma = self._base and text[-1] == ","
        body = text[:-1] if comma else text
        if self._state != _VALUE or body[:1] + body[-1:] not in ("{}", "[]")[: 2 - self._base]:
            return None
        try:
            values = _load(body)
        except json.JSONDecodeError:
            return None
        except PuzzleError as error:
            return [PuzzleError(error.what, line=line.number)]
        if self._base and not comma:
            self._state = _AFTER
        return [(line.number, value) for value in (values if body[0] == "[" else [values])]

    def _is_between(self, token: str, line: Line) -> bool:
        """Takes a token between values: those of a list over many lines."""
        if token == "[" and not self._base:
            self._base, self._first = 1, line.number
        elif token == "]" and self._base:
            self._base = 0
        elif token != "," or self._state != _AFTER:
            return False
        self._begin()
        return True

    def _step(self, character: str) -> bool:
        """Takes a token of a value by its first character; False if it cannot stand there."""
        state = self._state
        if state == _AFTER:
            if character == ",":
                self._state = _VALUE if self._open[-1] == "[" else _KEY
                return True
            return character in "]}" and self._close(character)
        if character in "]}":
            fits = state == (_FIRST if character == "]" else _FIRST_KEY)
            return fits and self._close(character)
        if state == _COLON:
            self._state = _VALUE
            return character == ":"
        if state in (_KEY, _FIRST_KEY):
            self._state = _COLON
            return character == '"'
        self._state = _AFTER
        if character in "[{":
            self._open.append(character)
            self._state = _FIRST if character == "[" else _FIRST_KEY
        return character not in ",:" and len(self._open) <= DEEPEST

    def _close(self, character: str) -> bool:
        self._state = _AFTER
        return self._open.pop() + character in ("[]", "{}")

    def _text(self) -> str:
        first, *others = (line.text for line in self._lines)
        return "\n".join((first[self._start :], *others))

    def _finished(self, end: int) -> Found:
        """The value that ends there in the last of its lines."""
        number, rest = self._lines[0].number, len(self._lines[-1].text) - end
        text = self._text()
        self._begin()
        self._state = _AFTER if self._base else _VALUE
        try:
            return number, _load(text[: len(text) - rest])
        except json.JSONDecodeError as error:
            return _wrong(error, number)
        except PuzzleError as error:
            return PuzzleError(error.what, line=number)

    def _broken(self, line: Line | None = None) -> PuzzleError:
        """What is wrong with the value, which is given up; the lines after its first come again."""
        lines = self._lines = self._lines or [line]  # type: ignore[list-item]
        number = lines[0].number
        error = PuzzleError("no JSON: brackets or commas that do not fit", line=number)
        try:
            _load(self._text())
        except json.JSONDecodeError as found:
            error = _wrong(found, number)
        except PuzzleError as found:
            error = PuzzleError(found.what, line=number)
        if len(self._open) > DEEPEST:  # of those before the last, most would end here, too
            self._again.extendleft(lines[1:][-1:])
        elif self._size <= LONGEST:
            self._again.extendleft(reversed(lines[1:]))
        self._give_up()
        return error

    def _give_up(self) -> None:
        """Goes on with the next line that may begin a value."""
        if len(self._lines) > 1:
            text = self._lines[0].text
            self._skipping = len(text) - len(text.lstrip())
        self._begin()


def _wrong(error: json.JSONDecodeError, number: int) -> PuzzleError:
    quote = error.doc[max(0, error.pos - 10) : error.pos + 30]
    where = f" in what begins in line {number}" if error.lineno > 1 else ""
    what = f"no JSON: {error.msg}{where}"
    return PuzzleError(what, line=number + error.lineno - 1, text=quote)


def _load(text: str) -> Any:
    try:
        return json.loads(text, parse_int=_int, parse_constant=_refuse_constant)
    except RecursionError:
        raise PuzzleError("JSON with too many brackets in each other") from None


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise PuzzleError(f"a number of {len(digits)} digits: {digits[:10]}...")
    return int(digits)


def _refuse_constant(name: str) -> None:
    raise PuzzleError(f"{name} is not a JSON number")
