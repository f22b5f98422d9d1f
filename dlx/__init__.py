"""dlx: exact cover for Python. See `Problem`, or the README for the whole story.

>>> import dlx
>>> dlx.solve({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
('x', 'y')
"""

import typing

from dlx.color import Colored, colored
from dlx.costs import Progress, Ranking
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
    InvalidCost,
    InvalidEntry,
    InvalidMultiplicity,
    InvalidPart,
    InvalidSolution,
    JournalError,
    MinimumInterrupted,
    NoPrimaryItem,
    PartFailed,
    ProblemError,
    SearchInterrupted,
    UnknownItem,
    UnknownOption,
    WorkersLost,
)
from dlx.estimates import Estimate
from dlx.explanations import Explanation
from dlx.oneliners import count, solutions, solve
from dlx.problem import Problem
from dlx.search import Search, Stats

if typing.TYPE_CHECKING:
    from dlx.batches import Answers
    from dlx.coding import Code
    from dlx.diagram import Diagram
    from dlx.journals.journal import Journal, JournalStatus
    from dlx.parallel.part import Part
    from dlx.reduction import Reduction
    from dlx.watching import SearchProgress

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
    "Estimate",
    "Explanation",
    "FormatError",
    "FrozenProblem",
    "GivenClash",
    "InvalidArgument",
    "InvalidCost",
    "InvalidEntry",
    "InvalidMultiplicity",
    "InvalidPart",
    "InvalidSolution",
    "Journal",
    "JournalError",
    "JournalStatus",
    "KernelInfo",
    "MinimumInterrupted",
    "NoPrimaryItem",
    "Part",
    "PartFailed",
    "Problem",
    "ProblemError",
    "Progress",
    "Ranking",
    "Reduction",
    "Search",
    "SearchInterrupted",
    "SearchProgress",
    "Stats",
    "UnknownItem",
    "UnknownOption",
    "WorkersLost",
    "colored",
    "count",
    "kernel_info",
    "solutions",
    "solve",
]

_HOMES = {
    "Answers": "dlx.batches",
    "Code": "dlx.coding",
    "Diagram": "dlx.diagram",
    "Journal": "dlx.journals.journal",
    "JournalStatus": "dlx.journals.journal",
    "Part": "dlx.parallel.part",
    "Reduction": "dlx.reduction",
    "SearchProgress": "dlx.watching",
}

if not typing.TYPE_CHECKING:  # what most programs do without is imported when it is first asked for

    def __getattr__(name):
        from importlib import import_module

        if name == "models":
            return import_module("dlx.models")
        if name not in _HOMES:
            raise AttributeError(f"module 'dlx' has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *_HOMES})
