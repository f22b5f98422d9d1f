"""The exceptions of `sudoku`, and functions that format values for their messages.

    ValueError
    └── dlx.DLXError
        └── SudokuError       the root of the exceptions of this package
            ├── LayoutError   boxes, houses or rules that are not a valid layout
            ├── NoPuzzle      `generate` found no puzzle with the requested properties
            ├── PuzzleError   a text, a list of rows or a file that is not a puzzle
            ├── MissingExtra  a required library is not installed
            ├── NoSolution    `solve`, `hints` or `rate` on a puzzle without a solution
            └── NotUnique     `hints` or `rate` on a puzzle with several solutions

A search that a timeout stopped raises `dlx.SearchInterrupted`, as everywhere in `dlx`. There is one
warning, `UnreadRulesWarning`: a file may have rules that were not read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import Final

from dlx import DLXError

__all__ = [
    "LayoutError",
    "MissingExtra",
    "NoPuzzle",
    "NoSolution",
    "NotUnique",
    "PuzzleError",
    "SudokuError",
    "UnreadRulesWarning",
    "listed",
]


class SudokuError(DLXError):
    """The root of the exceptions of `sudoku`."""


class LayoutError(SudokuError):
    """An invalid layout: a side outside 1 to 36, or without usual boxes; houses of the wrong size;
    rules that do not fit the grid or each other; an unknown name.
    """


class MissingExtra(SudokuError):
    """A library that only some features need is not installed; the message says how to get it."""


class NoPuzzle(SudokuError):
    """`generate` found no puzzle with the requested properties; the message has the number of
    attempts.
    """


class NoSolution(SudokuError):
    """The puzzle has no solution; the message names its flaws, or givens that contradict each
    other.
    """


class NotUnique(SudokuError):
    """The puzzle has more than one solution; the message says where two of them differ."""


class PuzzleError(SudokuError):
    """An input that is not a puzzle.

    `what` says what is wrong and what was expected, `line` is the number of the line (from 1) in
    the file or the text, or None, and `text` is the offending text, in full (the message
    shortens it).

    >>> str(PuzzleError("80 cells; a 9x9 grid has 81", line=7, text="53..7...."))
    "line 7: 80 cells; a 9x9 grid has 81: '53..7....'"
    """

    def __init__(self, what: str, *, line: int | None = None, text: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.text = text

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        quote = "" if self.text is None else f": {shorten(self.text)}"
        return f"{place}{self.what}{quote}"

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions pickle their positional arguments only; the state restores the others.
        return (PuzzleError, (self.what,), {"line": self.line, "text": self.text})


class UnreadRulesWarning(UserWarning):
    """A file draws or describes rules of a puzzle in a way that `sudoku` cannot read.

    Without them the puzzle may have more solutions. Also for drawings that were read as rules.
    """


@contextmanager
def foreign_errors(what: str, text: str | None = None, *, quoted: bool = True) -> Iterator[None]:
    """Raises `PuzzleError(what, text=text)` for every exception of code that is not ours.

    A decoder (lz-string, zlib, JSON, XML) or code that goes through its result may raise anything
    for a damaged input. If `quoted`, the message has that of the exception, and exceptions of
    `sudoku` are raised as they are. MemoryError always is.

    >>> with foreign_errors("not base64", text="x", quoted=False): raise UnboundLocalError
    Traceback (most recent call last):
    ...
    sudoku.errors.PuzzleError: not base64: 'x'
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, MemoryError) or (quoted and isinstance(error, SudokuError)):
            raise
        words = str(error)
        if not (" " in words and words.isprintable() and len(words) < 200):
            words = shown(error)  # such as KeyError('cells')
        raise PuzzleError(f"{what}: {words}" if quoted else what, text=text) from None


LONGEST: Final = 180  # characters of the names in a hint, but for the last one


def nearest(
    name: object, known: Iterable[str] | Mapping[str, str], number: int = 1, cutoff: float = 0.6
) -> str:
    """The hint for an unknown name: the most similar known names, or the known ones if none is.

    `known` has the names, or maps aliases to names.

    >>> nearest("hard", ["easy", "harder"]), nearest(5, ["easy", "harder"])
    ('did you mean harder?', 'expected easy or harder')
    """
    from difflib import get_close_matches  # imported here, since only errors need it

    names = known if isinstance(known, Mapping) else {each: each for each in known}
    text = name.lower() if isinstance(name, str) else ""
    near = [names[one] for one in get_close_matches(text, names, number, cutoff)]
    if near:
        return f"did you mean {' or '.join(dict.fromkeys(near))}?"
    unique = list(dict.fromkeys(names.values()))
    most = bisect_left([*accumulate(map(len, unique))], LONGEST)
    return f"expected {listed(unique, 'or', max(1, most))}"


def counted(number: int, noun: str, spec: str = "") -> str:
    """A number, formatted by `spec`, and a noun, in the plural unless the number is 1.

    >>> counted(0, "cell"), counted(1, "cell"), counted(1234, "cell", ",")
    ('0 cells', '1 cell', '1,234 cells')
    """
    return f"{number:{spec}} {noun}{'' if number == 1 else 's'}"


def shown(value: object) -> str:
    """The `repr` of any value, shortened for a message.

    >>> shown([1] * 100), shown("r0c0"), shown(-(10**5000))
    ('[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...', "'r0c0'", 'an int too large to print')
    """
    if isinstance(value, str):
        return shorten(value)
    try:
        return shorten(repr(value))[1:-1]
    except (RecursionError, ValueError):  # deep lists, and integers of more than 4300 digits
        kind = type(value).__name__
        return f"a{'n' * (kind[:1] in 'aeiou')} {kind} too large to print"


def shorten(text: str, width: int = 40) -> str:
    """`text` quoted, with unprintable characters escaped, cut to about `width` characters.

    >>> shorten("5" * 100, 8)
    "'55555555...'"
    """
    return repr(text) if len(text) <= width else f"{text[:width]!r}"[:-1] + "...'"


def listed(words: Iterable[str], last: str, most: int | None = None) -> str:
    """The words joined by commas and the conjunction `last`; at most `most`, then a number.

    >>> listed(["a", "b", "c"], "and"), listed(["a"], "or")
    ('a, b and c', 'a')
    >>> listed("abcde", "or", most=3), listed("abc", "or", most=3)
    ('a, b, c or 2 more', 'a, b or c')
    """
    parts = list(words)
    if most is not None and len(parts) > most:
        parts[most:] = [f"{len(parts) - most} more"]
    *others, end = parts
    return f"{', '.join(others)} {last} {end}" if others else end
