"""dlx: exact cover for Python. See `Problem`, or the README for the whole story.

>>> import dlx
>>> dlx.solve({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
('x', 'y')
"""

from dlx.batches import Answers
from dlx.coding import Code
from dlx.color import Colored, colored
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
    InvalidEntry,
    InvalidSolution,
    NoPrimaryItem,
    ProblemError,
    SearchInterrupted,
    UnknownItem,
    UnknownOption,
)
from dlx.estimates import Estimate
from dlx.explanations import Explanation
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
    "Estimate",
    "Explanation",
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
