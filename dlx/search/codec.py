"""`Code`: a line codec, which decodes lines of text into options and encodes options as lines.

For example, a line of 81 characters is a Sudoku puzzle, that is, a set of givens; its solution is
another such line. With a codec, `Problem.solve_many` decodes and encodes lines inside the kernel,
in less than a microsecond each.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

from dlx.core import kernel
from dlx.core.arguments import is_iterable
from dlx.core.givens import indices_of
from dlx.core.table import Table
from dlx.errors import FormatError, InvalidArgument, counted, quote

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = ["Code"]

ALPHABET = 128  # this and the next two values as in dlx/cpp/batch/line_codec.hpp
BLANK = -1  # means no option
FOREIGN = -2  # not allowed in this place


class Code:
    """A line codec: says which character in which place of a line means which option of a problem.

    `places` has, for each place of a line, a mapping from characters to names of options. If two
    characters mean the same option, the first one is written. `blanks` are the characters that
    mean no option; the first one is written. All characters are ASCII.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"a": [1], "b": [1], "c": [2], "d": [2]})
    >>> code = dlx.Code(problem, [{"a": "a", "b": "b"}, {"c": "c", "d": "d"}])
    >>> code.read("b."), code.write(["d", "b"])
    (('b',), 'bd')
    >>> list(problem.solve_many(["..", "b.", ".d"], code=code))
    ['ac', 'bc', 'ad']

    Raises `InvalidArgument` for invalid characters, and `UnknownOption` for names that the problem
    does not have. O(places + options).
    """

    __slots__ = ("_blanks", "_length", "_problem", "compiled")

    def __init__(
        self, problem: ProblemView, places: Iterable[Mapping[str, Hashable]], *, blanks: str = "."
    ) -> None:
        if not isinstance(getattr(problem, "_table", None), Table):
            raise InvalidArgument(f"problem is {quote(problem)}; it must be a dlx.Problem")
        self._problem = problem
        self._blanks = _characters(blanks, "blanks")
        if not blanks:
            raise InvalidArgument("blanks is empty; give the character for an empty place")
        meaning = array("i")
        letters = bytearray(len(problem))
        if isinstance(places, str | bytes | Mapping) or not is_iterable(places):
            raise InvalidArgument(f"places is {quote(places)}; it must be a list of mappings")
        for place, options in enumerate(places):
            meaning.extend(self._meaning(place, options, letters))
        self._length = len(meaning) // ALPHABET
        self.compiled = kernel.Code(meaning, letters, self._blanks[0])

    def _meaning(
        self, place: int, options: Mapping[str, Hashable], letters: bytearray
    ) -> array[int]:
        """The meaning of each character in a place; stores the options' characters in `letters`."""
        if not isinstance(options, Mapping):
            raise InvalidArgument(
                f"place {place} is {quote(options)}; it must be a mapping from characters to names"
            )
        row = array("i", [FOREIGN]) * ALPHABET
        for blank in self._blanks:
            row[blank] = BLANK
        for character, name in options.items():
            code = _characters(character, f"a character of place {place}")
            if len(code) != 1 or row[code[0]] == BLANK:
                raise InvalidArgument(
                    f"place {place} has {quote(character)} for option {quote(name)}; "
                    "it must be one character that is not a blank"
                )
            row[code[0]] = index = self._problem.index_of(name)
            letters[index] = letters[index] or code[0]
        return row

    def __len__(self) -> int:
        """The number of places: the length of each line."""
        return self._length

    def belongs_to(self, table: Table) -> bool:
        """True if this is a codec for the problem of that table."""
        return self._problem._table is table

    def read(self, line: str) -> tuple[Hashable, ...]:
        """The names of the options in a line. Raises `FormatError` with the wrong character."""
        if not isinstance(line, str):
            raise FormatError(f"{quote(line)} is not a line; give a text")
        options = self.compiled.read(line) if line.isascii() else None
        if options is None:
            raise FormatError(self._flaw(line))
        return tuple(map(self._problem._table.name_of, options))

    def write(self, options: Iterable[Hashable]) -> str:
        """The line with the characters of the options of these names, and blanks elsewhere."""
        return self.compiled.write(indices_of(self._problem._table, options))

    def _flaw(self, line: str) -> str:
        expected = f"expected {len(self)}"
        if len(line) != len(self):
            return f"{quote(line)} has {counted(len(line), 'character')}: {expected}"
        blank = chr(self._blanks[0])
        for place, character in enumerate(line):
            one = blank * place + character + blank * (len(self) - place - 1)
            if not character.isascii() or self.compiled.read(one) is None:
                return f"{quote(character)} (character {place + 1} of {quote(line)}) means nothing"
        raise AssertionError("each character is valid, but the line is not")

    def __repr__(self) -> str:
        return f"<dlx.Code: {counted(len(self), 'place')}>"


def _characters(text: object, what: str) -> bytes:
    """Printable ASCII characters as bytes."""
    if not isinstance(text, str) or not (text.isascii() and text.isprintable()):
        raise InvalidArgument(f"{what} is {quote(text)}; it must be printable ASCII")
    return text.encode()
