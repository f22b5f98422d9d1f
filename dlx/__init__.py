"""dlx: exact cover for Python. See `Problem`, or the README for the whole story.

>>> import dlx
>>> dlx.solve({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
('x', 'y')
"""

from dlx.batches import Answers
from dlx.coding import Code
from dlx.color import Colored, colored
from dlx.diagram import Diagram
from dlx.engines import KernelInfo, kernel_info
from dlx.errors import (
    ColorOnPrimary,
    DiagramTooLarge,
    DLXError,
    DuplicateItem,
    DuplicateName,
    EmptyOption,
    FormatError,
    FrozenProblem,
    GivenClash,
    InvalidArgument,
    InvalidEntry,
    InvalidSolution,
    NoPrimaryItem,
    ProblemError,
    SearchInterrupted,
    UnknownItem,
    UnknownOption,
)
from dlx.oneliners import count, solutions, solve
from dlx.problem import Problem
from dlx.search import Search, Stats

__all__ = [
    "Answers",
    "Code",
    "ColorOnPrimary",
    "Colored",
    "DLXError",
    "Diagram",
    "DiagramTooLarge",
    "DuplicateItem",
    "DuplicateName",
    "EmptyOption",
    "FormatError",
    "FrozenProblem",
    "GivenClash",
    "InvalidArgument",
    "InvalidEntry",
    "InvalidSolution",
    "KernelInfo",
    "NoPrimaryItem",
    "Problem",
    "ProblemError",
    "Search",
    "SearchInterrupted",
    "Stats",
    "UnknownItem",
    "UnknownOption",
    "colored",
    "count",
    "kernel_info",
    "solutions",
    "solve",
]
