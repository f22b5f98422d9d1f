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
from sudoku.errors import (
    LayoutError,
    MissingExtra,
    NoPuzzle,
    NoSolution,
    NotUnique,
    PuzzleError,
    SudokuError,
)
from sudoku.grid import Grid
from sudoku.layout import House, Layout
from sudoku.many import Answers, count_many, solve_many
from sudoku.reading import Entry, parse, read
from sudoku.solving import Solutions, count, is_unique, solutions, solve

if typing.TYPE_CHECKING:
    from sudoku.equivalence import canonical, is_equivalent
    from sudoku.hinting import Rating, Step, hints, rate
    from sudoku.judging import Verdict, judge
    from sudoku.linting import Finding, lint
    from sudoku.making.digging import minimize
    from sudoku.making.generating import Generated, generate, generate_many
    from sudoku.making.grids import random_grid
    from sudoku.making.symmetries import SYMMETRIES

__all__ = [
    "Answers",
    "Entry",
    "Finding",
    "Flaw",
    "Generated",
    "Grid",
    "House",
    "Layout",
    "LayoutError",
    "MissingExtra",
    "NoPuzzle",
    "NoSolution",
    "NotUnique",
    "PuzzleError",
    "Rating",
    "SYMMETRIES",
    "Solutions",
    "Step",
    "SudokuError",
    "Verdict",
    "canonical",
    "check",
    "count",
    "count_many",
    "cover",
    "generate",
    "generate_many",
    "hints",
    "is_equivalent",
    "is_unique",
    "is_valid_board",
    "judge",
    "lint",
    "minimize",
    "parse",
    "random_grid",
    "rate",
    "read",
    "solutions",
    "solve",
    "solve_board",
    "solve_many",
]

_HOMES = {
    "Finding": "sudoku.linting",
    "Generated": "sudoku.making.generating",
    "Rating": "sudoku.hinting",
    "SYMMETRIES": "sudoku.making.symmetries",
    "Step": "sudoku.hinting",
    "Verdict": "sudoku.judging",
    "canonical": "sudoku.equivalence",
    "generate": "sudoku.making.generating",
    "generate_many": "sudoku.making.generating",
    "hints": "sudoku.hinting",
    "is_equivalent": "sudoku.equivalence",
    "judge": "sudoku.judging",
    "lint": "sudoku.linting",
    "minimize": "sudoku.making.digging",
    "random_grid": "sudoku.making.grids",
    "rate": "sudoku.hinting",
}

if typing.TYPE_CHECKING:
    from sudoku import layouts as layouts
    from sudoku import rules as rules
else:  # what many programs do without is imported when it is first asked for

    def __getattr__(name):
        from importlib import import_module

        if name in ("layouts", "rules"):
            return import_module(f"sudoku.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'sudoku' has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *_HOMES, "layouts", "rules"})
