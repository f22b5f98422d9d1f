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

`sudoku.layouts` has the other kinds, jigsaw and killer and samurai, and `sudoku.rules` what they
are made of. `sudoku.oracle` (backtrackers that are independent of `dlx`) and `sudoku.comparing` are
imported by themselves.
"""

import typing

from sudoku.board import is_valid_board, solve_board
from sudoku.checking import Flaw, check
from sudoku.cover import cover
from sudoku.errors import LayoutError, NoSolution, PuzzleError, SudokuError
from sudoku.grid import Grid
from sudoku.layout import House, Layout
from sudoku.many import Answers, count_many, solve_many
from sudoku.reading import Entry, parse, read
from sudoku.solving import Solutions, count, is_unique, solutions, solve

__all__ = [
    "Answers",
    "Entry",
    "Flaw",
    "Grid",
    "House",
    "Layout",
    "LayoutError",
    "NoSolution",
    "PuzzleError",
    "Solutions",
    "SudokuError",
    "check",
    "count",
    "count_many",
    "cover",
    "is_unique",
    "is_valid_board",
    "parse",
    "read",
    "solutions",
    "solve",
    "solve_board",
    "solve_many",
]

if typing.TYPE_CHECKING:
    from sudoku import layouts as layouts
    from sudoku import rules as rules
else:  # imported when first asked for: not every program needs them

    def __getattr__(name):
        from importlib import import_module

        if name in ("layouts", "rules"):
            return import_module(f"sudoku.{name}")
        raise AttributeError(f"module 'sudoku' has no attribute {name!r}")
