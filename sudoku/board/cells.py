"""Cells and digits: names, symbols, and checks of arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf
from operator import index
from typing import Annotated, Any, TypeGuard, cast

from sudoku.errors import LayoutError, SudokuError, shown

__all__ = [
    "BLANKS",
    "Cell",
    "Digit",
    "MAX_PLACE",
    "MAX_SIDE",
    "SIDES",
    "SYMBOLS",
    "cell_name",
    "checked_cell",
    "checked_cells",
    "checked_list",
    "checked_pairs",
    "checked_path",
    "checked_side",
    "integer",
    "is_iterable",
    "neighbours",
    "number",
    "symbol",
]

Cell = Annotated[tuple[int, int], "cell"]
"""The row and the column of a cell, from 1. The annotation tells it from other pairs of integers in
the declared types of a rule's fields."""

MAX_SIDE = 36
"""The largest side: 9 + 26 + 1 symbols."""

Digit = Annotated[int, range(1, MAX_SIDE + 1)]
"""A digit, or a number of digits; the annotation of a rule's field says which values it has."""

MAX_PLACE = 500
"""The largest number of a row or a column."""

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0"
"""The symbols of the digits 1, 2, ... 36."""

SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""The steps from a cell to those with a common edge: up, left, right, down."""

BLANKS = ".0-_*"
"""The characters for an empty cell (`0` only if the side is not 36)."""


def symbol(digit: int) -> str:
    """The symbol of a digit, `.` for 0.

    >>> symbol(0), symbol(7), symbol(16), symbol(36)
    ('.', '7', 'G', '0')
    """
    return SYMBOLS[digit - 1] if digit else "."


def cell_name(row: int, column: int) -> str:
    """The name of a cell, counted from 1.

    >>> cell_name(4, 2)
    'r4c2'
    """
    return f"r{row}c{column}"


def neighbours(cell: Cell, steps: Sequence[tuple[int, int]] = SIDES) -> list[Cell]:
    """The cells at these steps, whether or not they are on the board.

    >>> neighbours((2, 2))
    [(1, 2), (2, 1), (2, 3), (3, 2)]
    """
    row, column = cell
    return [(row + down, column + right) for down, right in steps]


def integer(value: object, least: float = 1, most: float = inf) -> int | None:
    """The value as an int, if it is an integer within the bounds, also one of NumPy's; or None.

    >>> integer(36, most=36), integer(0), integer(True), integer("1")
    (36, None, None, None)
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        number = int(index(value))
    except TypeError:  # such as an array
        return None
    return number if least <= number <= most else None


def number(value: object) -> float | None:
    """The value as an int or a float, if it is a number of any type, also NumPy's; or None."""
    if not isinstance(value, bool) and hasattr(value, "as_integer_ratio"):
        with suppress(OverflowError, TypeError, ValueError):  # of fractions and decimal numbers
            return value if isinstance(value, int) else float(cast("float", value))
    return integer(value, -inf)


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether `iter` takes the value; not so an array without dimensions, though it is `Iterable`.

    >>> is_iterable([]), is_iterable(5)
    (True, False)
    """
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def checked_path(path: object) -> str:
    """The path as a text; raises `SudokuError` if no file can have it."""
    text: object = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if isinstance(text, str) and "\0" not in text:
        with suppress(UnicodeEncodeError):
            os.fsencode(text)
            return text
    raise SudokuError(f"{shown(path)} is not the path of a file")


def checked_side(name: str, value: object, first: int = 1, most: int = MAX_SIDE) -> int:
    """The value as an int from 1 to `most`; raises `LayoutError`, whose range begins at `first`."""
    side = integer(value, most=most)
    if side is None:
        raise LayoutError(
            f"{name} is {shown(value)}; it must be a number from {first} to {MAX_SIDE}"
        )
    return side


def checked_cell(cell: object) -> Cell:
    """The cell given as a pair (row, column) or as a name; `LayoutError` for other values.

    >>> checked_cell("r4c12"), checked_cell([4, 12])
    ((4, 12), (4, 12))
    """
    place: object = cell
    if isinstance(cell, str) and (match := re.fullmatch(r"[rR](\d{1,4})[cC](\d{1,4})", cell)):
        place = (int(match[1]), int(match[2]))
    if isinstance(place, (tuple, list)) and len(place) == 2:
        row, column = (integer(number, most=MAX_PLACE) for number in place)
        if row is not None and column is not None:
            return row, column
    raise LayoutError(
        f"{shown(cell)} is not a cell: expected (row, column) or a name such as r4c2, "
        f"from 1 to {MAX_PLACE}"
    )


def checked_cells(cells: object) -> tuple[Cell, ...]:
    """The cells given as a list, or as a text with names.

    >>> checked_cells("r1c1 r1c2,r2c2"), checked_cells([(1, 1), "r1c2"])
    (((1, 1), (1, 2), (2, 2)), ((1, 1), (1, 2)))
    """
    if isinstance(cells, str):
        return tuple(checked_cell(name) for name in re.split(r"[\s,]+", cells.strip()) if name)
    return tuple(map(checked_cell, checked_list(cells, "cells")))


def checked_list(things: object, what: str) -> list[Any]:
    """The items of any iterable but a text, as a list; raises `LayoutError` for other values."""
    if isinstance(things, str) or not is_iterable(things):
        raise LayoutError(f"{shown(things)} is not a list of {what}")
    return list(things)


def checked_pairs(pairs: object, what: str) -> list[tuple[Any, Any]]:
    """A list of pairs, such as the sum and the cells of each cage; `LayoutError` for other values.

    >>> checked_pairs([[7, "r1c1 r1c2"]], "cages")
    [(7, 'r1c1 r1c2')]
    """
    found = []
    for pair in checked_list(pairs, what):
        members = () if isinstance(pair, str) or not is_iterable(pair) else tuple(pair)
        if len(members) != 2:
            raise LayoutError(f"{shown(pair)} among {what} is not a pair")
        found.append(members)
    return found
