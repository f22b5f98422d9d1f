"""dlx: exact cover for Python. See `Problem`, or the README for the whole story.

>>> import dlx
>>> dlx.solve({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
('x', 'y')
"""

from dlx.batches import Answers
from dlx.coding import Code
from dlx.color import Colored, colored
from dlx.costs import Progress, Ranking
from dlx.engines import KernelInfo, kernel_info
from dlx.errors import (
    ColorOnPrimary,
    DLXError,
    DuplicateItem,
    DuplicateName,
    EmptyOption,
    FormatError,
    FrozenProblem,
    GivenClash,
    InvalidArgument,
    InvalidCost,
    InvalidEntry,
    InvalidSolution,
    MinimumInterrupted,
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
    "DuplicateItem",
    "DuplicateName",
    "EmptyOption",
    "FormatError",
    "FrozenProblem",
    "GivenClash",
    "InvalidArgument",
    "InvalidCost",
    "InvalidEntry",
    "InvalidSolution",
    "KernelInfo",
    "MinimumInterrupted",
    "NoPrimaryItem",
    "Problem",
    "ProblemError",
    "Progress",
    "Ranking",
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
