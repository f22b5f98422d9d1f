"""Word rectangles: letters in which every row and every column is a word."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from unicodedata import category

from dlx.core.arguments import check_number
from dlx.core.entries import Colored
from dlx.errors import InvalidArgument, quote
from dlx.models.checking import check_size, list_of
from dlx.models.regions import box
from dlx.problem import Problem

__all__ = ["word_rectangle"]


def word_rectangle(
    words: Iterable[str], rows: int, columns: int, distinct: bool = True
) -> Problem[tuple[str, int, str]]:
    """Fills rows x columns cells with letters so that all rows and columns are words of the list.

    Words of the length of a row go across, words of the length of a column down; others are
    ignored, and so are repetitions in the list. With `distinct` no word occurs twice in the
    rectangle. Options are named ("across", row, word) and ("down", column, word). Primary items are
    the rows "a0" ... and the columns "d0" ...; secondary items are the cells, colored by their
    letters, and with `distinct` the words ("=cat"). Options: rows times the words that fit a row,
    plus columns times the words that fit a column; each has 1 or 2 items more than letters.

    Source: TAOCP 7.2.2.1, "Color-controlled covering", word rectangles.

    Raises `InvalidArgument` for invalid sides, for words that are not strings, for words of these
    lengths with other characters than letters and digits, and if there is no word of a length.

    >>> import dlx.models
    >>> words = ["be", "at", "ta", "it", "bat", "bit", "eta"]
    >>> for direction, line, word in dlx.models.word_rectangle(words, 2, 3).solve():
    ...     print(direction, line, word)
    across 0 bat
    down 0 be
    across 1 eta
    down 1 at
    down 2 ta
    """
    rows = check_number("rows", rows, 1)
    columns = check_number("columns", columns, 1)
    listed = list_of("words", words, "words")
    for word in listed:
        if not isinstance(word, str):
            raise InvalidArgument(f"words has {quote(word)}, which is not a string")
    fitting = [word for word in dict.fromkeys(listed) if len(word) in (rows, columns)]
    _check_letters(fitting)
    entries = rows * columns * (2 + len(fitting) * (1 + (rows == columns)))
    check_size(entries, "cells and entries of options", rows=rows, columns=columns)
    for kind, length in (("row", columns), ("column", rows)):
        if all(len(word) != length for word in fitting):
            raise InvalidArgument(f"words has no word of length {length}, for a {kind}")
    options: dict[tuple[str, int, str], list[Hashable]] = {}
    for direction, lines, length in (("across", rows, columns), ("down", columns, rows)):
        for line in range(lines):
            for word in fitting:
                if len(word) == length:
                    items: list[Hashable] = [f"{direction[0]}{line}"]
                    items += [
                        Colored((line, k) if direction == "across" else (k, line), letter)
                        for k, letter in enumerate(word)
                    ]
                    if distinct:
                        items.append(f"={word}")
                    options[direction, line, word] = items
    primary = [f"a{row}" for row in range(rows)] + [f"d{column}" for column in range(columns)]
    secondary: list[Hashable] = [*box(rows, columns)]
    if distinct:
        secondary += [f"={word}" for word in fitting]
    return Problem.from_options(options, primary=primary, secondary=secondary)


def _check_letters(words: Iterable[str]) -> None:
    """Raises `InvalidArgument` for a character that is no letter, combining mark or digit."""
    for word in words:
        for character in "" if word.isalnum() else word:
            if not character.isalnum() and category(character)[0] != "M":
                raise InvalidArgument(
                    f"words has {quote(word)} with {quote(character)}, which is neither a letter "
                    "nor a digit; leave the word out, or write it without"
                )
