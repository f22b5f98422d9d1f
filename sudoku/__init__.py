"""Sudoku by exact cover: reading, checking, solving, for every box shape up to a side of 36.

>>> import sudoku
>>> print(sudoku.solve("1... .2.. ..3. 4..."))
+-----+-----+
| 1 4 | 2 3 |
| 3 2 | 4 1 |
+-----+-----+
| 2 1 | 3 4 |
| 4 3 | 1 2 |
+-----+-----+

`sudoku.oracle` (backtrackers that are independent of `dlx`) and `sudoku.comparing` are imported by
themselves.
"""

import typing

from sudoku.board import is_valid_board, solve_board
from sudoku.checking import Flaw, check
from sudoku.cover import cover
from sudoku.errors import LayoutError, NoSolution, NotUnique, PuzzleError, SudokuError
from sudoku.grid import Grid
from sudoku.layout import House, Layout
from sudoku.many import Answers, count_many, solve_many
from sudoku.reading import Entry, parse, read
from sudoku.solving import Solutions, count, is_unique, solutions, solve

if typing.TYPE_CHECKING:
    from sudoku.hinting import Rating, Step, hints, rate

__all__ = [
    "Answers",
    "Entry",
    "Flaw",
    "Grid",
    "House",
    "Layout",
    "LayoutError",
    "NoSolution",
    "NotUnique",
    "PuzzleError",
    "Rating",
    "Solutions",
    "Step",
    "SudokuError",
    "check",
    "count",
    "count_many",
    "cover",
    "hints",
    "is_unique",
    "is_valid_board",
    "parse",
    "rate",
    "read",
    "solutions",
    "solve",
    "solve_board",
    "solve_many",
]

if not typing.TYPE_CHECKING:  # imported when first asked for: not every program needs them
    _HINTING = ("Rating", "Step", "hints", "rate")

    def __getattr__(name):
        if name not in _HINTING:
            raise AttributeError(f"module 'sudoku' has no attribute {name!r}")
        from importlib import import_module

        globals()[name] = value = getattr(import_module("sudoku.hinting"), name)
        return value

    def __dir__():
        return sorted({*globals(), *_HINTING})
