"""Sudoku by exact cover: read, check, solve, generate, rate, explain and draw every kind of Sudoku.

>>> import sudoku
>>> print(sudoku.solve("1... .2.. ..3. 4..."))
+-----+-----+
| 1 4 | 2 3 |
| 3 2 | 4 1 |
+-----+-----+
| 2 1 | 3 4 |
| 4 3 | 1 2 |
+-----+-----+

Boxes may have any shape up to a side of 36. `sudoku.layouts` has the other kinds, such as jigsaw,
killer and samurai, and `sudoku.rules` the constraints that they consist of. Two modules must be
imported explicitly: `sudoku.analysis.oracle` (backtrackers that are independent of `dlx`) and
`sudoku.analysis.compare`.
"""

import typing

from dlx import __version__ as __version__
from sudoku.board.grid import Grid
from sudoku.board.grid import set_renderer as _set_renderer
from sudoku.board.layout import House, Layout
from sudoku.errors import (
    LayoutError,
    MissingExtra,
    NoPuzzle,
    NoSolution,
    NotUnique,
    PuzzleError,
    SudokuError,
    UnreadRulesWarning,
)
from sudoku.rules.check import Flaw, check
from sudoku.rules.cover import cover
from sudoku.solving.many import Answers, count_many, solve_many
from sudoku.solving.solve import (
    Solutions,
    count,
    is_unique,
    is_valid_board,
    solutions,
    solve,
    solve_board,
)
from sudoku.text.puzzles import Entry, parse

if typing.TYPE_CHECKING:
    from sudoku.analysis.canonical import canonical, is_equivalent
    from sudoku.analysis.lint import Finding, lint
    from sudoku.analysis.solution_candidates import SolutionCandidates, candidates_of_solutions
    from sudoku.analysis.verdict import Verdict, judge
    from sudoku.formats.read import read
    from sudoku.generation.generate import Generated, generate, generate_many
    from sudoku.generation.grids import random_grid
    from sudoku.generation.minimize import minimize
    from sudoku.generation.symmetries import SYMMETRIES
    from sudoku.hinting import Rating, Step, rate
    from sudoku.hinting.hints import hints

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
    "SolutionCandidates",
    "Solutions",
    "Step",
    "SudokuError",
    "UnreadRulesWarning",
    "Verdict",
    "candidates_of_solutions",
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

_LAZY_MODULES = {
    "Finding": "sudoku.analysis.lint",
    "Generated": "sudoku.generation.generate",
    "Rating": "sudoku.hinting",
    "SYMMETRIES": "sudoku.generation.symmetries",
    "SolutionCandidates": "sudoku.analysis.solution_candidates",
    "Step": "sudoku.hinting",
    "Verdict": "sudoku.analysis.verdict",
    "candidates_of_solutions": "sudoku.analysis.solution_candidates",
    "canonical": "sudoku.analysis.canonical",
    "generate": "sudoku.generation.generate",
    "generate_many": "sudoku.generation.generate",
    "hints": "sudoku.hinting",
    "is_equivalent": "sudoku.analysis.canonical",
    "judge": "sudoku.analysis.verdict",
    "lint": "sudoku.analysis.lint",
    "minimize": "sudoku.generation.minimize",
    "random_grid": "sudoku.generation.grids",
    "rate": "sudoku.hinting",
    "read": "sudoku.formats.read",
}


def _renderer() -> typing.Any:
    from sudoku.drawing import export

    return export


_set_renderer(_renderer)

if typing.TYPE_CHECKING:
    from sudoku import rules as rules
    from sudoku.rules import layouts as layouts
else:  # many programs do not need these names, so they are imported on first access

    def __getattr__(name):
        from importlib import import_module

        if name == "layouts":
            return import_module("sudoku.rules.layouts")
        if name == "rules":
            return import_module("sudoku.rules")
        if name not in _LAZY_MODULES:
            raise AttributeError(f"module 'sudoku' has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_LAZY_MODULES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *_LAZY_MODULES, "layouts", "rules"})
