"""The exceptions of `sudoku`: one small tree under the root of `dlx`.

    ValueError
    └── dlx.DLXError
        └── SudokuError       everything this package raises by itself
            ├── LayoutError   no grid has such boxes, houses or rules
            ├── NoPuzzle      `generate` has found none with that many givens
            ├── PuzzleError   a text, a list of rows or a file that is no puzzle
            ├── MissingExtra  a library that is needed for this and not installed
            ├── NoSolution    `solve`, `hints` and `rate` on a puzzle that has none
            └── NotUnique     `hints` and `rate` on a puzzle that has several

A search that a timeout stopped raises `dlx.SearchInterrupted`, as everywhere in `dlx`.

Lists of names in sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dlx import DLXError

__all__ = [
    "LayoutError",
    "MissingExtra",
    "NoPuzzle",
    "NoSolution",
    "NotUnique",
    "PuzzleError",
    "SudokuError",
    "listed",
]


class SudokuError(DLXError):
    """The root of what `sudoku` raises."""


class LayoutError(SudokuError):
    """A layout that cannot be: a side below 1 or above 36, or to guess; houses of the wrong size;
    rules that do not fit the grid, or each other; an unknown name.
    """


class MissingExtra(SudokuError):
    """A library that only some features need is not installed; the text says how to get it."""


class NoPuzzle(SudokuError):
    """`generate` has found no puzzle as it was asked for: the text says how often it tried."""


class NoSolution(SudokuError):
    """The puzzle has no solution; the text says which flaws show it, or which givens leave none."""


class NotUnique(SudokuError):
    """The puzzle has more than one solution; the text says where two of them differ."""


class PuzzleError(SudokuError):
    """Something that should be a puzzle and is not.

    `what` says what is wrong and what was expected, `line` is the number of the line (from 1) in
    the file or the text, or None, and `text` is the offending text, in full (the message
    shortens it).

    >>> str(PuzzleError("80 cells, expected 81", line=7, text="53..7...."))
    "line 7: 80 cells, expected 81: '53..7....'"
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
        # Exceptions pickle their positional arguments only; the state brings the rest back.
        return (PuzzleError, (self.what,), {"line": self.line, "text": self.text})


def nearest(
    name: object, known: Iterable[str] | Mapping[str, str], number: int = 1, cutoff: float = 0.6
) -> str:
    """What may have been meant by a name that is not known, or all names there are.

    `known` are names, or what may be written for each with the name it stands for.

    >>> nearest("hard", ["easy", "harder"]), nearest(5, ["easy", "harder"])
    ('did you mean harder?', 'there are easy, harder')
    """
    from difflib import get_close_matches  # here, since nobody needs it who makes no mistakes

    names = known if isinstance(known, Mapping) else {each: each for each in known}
    near = [names[one] for one in get_close_matches(str(name).lower(), names, number, cutoff)]
    if near:
        return f"did you mean {' or '.join(dict.fromkeys(near))}?"
    return f"there are {', '.join(dict.fromkeys(names.values()))}"


def counted(number: int, noun: str, spec: str = "") -> str:
    """A number, in the format of `spec`, and a noun: in the plural unless the number is 1.

    >>> counted(0, "cell"), counted(1, "cell"), counted(1234, "cell", ",")
    ('0 cells', '1 cell', '1,234 cells')
    """
    return f"{number:{spec}} {noun}{'' if number == 1 else 's'}"


def shown(value: object) -> str:
    """Any value as Python writes it, shortened for a message.

    >>> shown([1] * 100), shown("r0c0"), shown(-(10**5000))
    ('[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...', "'r0c0'", 'an int too large to print')
    """
    if isinstance(value, str):
        return shorten(value)
    try:
        return shorten(repr(value))[1:-1]
    except ValueError:  # a number of more than 4300 digits, or something that has one in it
        kind = type(value).__name__
        return f"a{'n' * (kind[:1] in 'aeiou')} {kind} too large to print"


def shorten(text: str, width: int = 40) -> str:
    """`text` quoted, with unprintable characters escaped, cut to about `width` characters.

    >>> shorten("5" * 100, 8)
    "'55555555...'"
    """
    return repr(text) if len(text) <= width else f"{text[:width]!r}"[:-1] + "...'"


def listed(words: Iterable[str], last: str, most: int | None = None) -> str:
    """Words with commas, and a last word; beyond so many, how many more there are.

    >>> listed(["a", "b", "c"], "and"), listed(["a"], "or")
    ('a, b and c', 'a')
    >>> listed("abcde", "or", most=3), listed("abc", "or", most=3)
    ('a, b, c or 2 more', 'a, b or c')
    """
    shown = list(words)
    if most is not None and len(shown) > most:
        shown[most:] = [f"{len(shown) - most} more"]
    *others, end = shown
    return f"{', '.join(others)} {last} {end}" if others else end
