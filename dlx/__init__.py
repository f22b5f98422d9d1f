"""Exact cover for Python. `Problem` is the main class; the README is an introduction.

>>> import dlx
>>> dlx.solve({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
('x', 'y')
"""

import typing

from dlx.core.entries import Colored, Times, colored, times
from dlx.core.stats import Stats
from dlx.core.version import __version__ as __version__
from dlx.engines.registry import KernelInfo, kernel_info
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
    KernelMissing,
    KernelMissingWarning,
    MinimumInterrupted,
    NoPrimaryItem,
    ObjectiveWarning,
    PartFailed,
    ProblemError,
    SearchInterrupted,
    UnknownItem,
    UnknownOption,
    WorkersLost,
)
from dlx.functions import ColumnGeneration, column_generation, count, solutions, solve
from dlx.plan import Plan
from dlx.problem import Problem, Reduction
from dlx.search.search import Search

if typing.TYPE_CHECKING:
    from dlx.analysis.batches import Answers
    from dlx.analysis.diagram.diagram import Diagram
    from dlx.analysis.estimate import Estimate
    from dlx.analysis.explain import Explanation
    from dlx.analysis.minimum import Progress, Ranking
    from dlx.analysis.relaxation import Relaxation
    from dlx.analysis.symmetry.canonical import Isomorphism
    from dlx.analysis.symmetry.group import Symmetries, Symmetry
    from dlx.core.kernel import ChunkIterator
    from dlx.core.part import Part
    from dlx.core.picture import Picture
    from dlx.drawing.progress_bar import ProgressBar
    from dlx.drawing.trajectory import Trajectory
    from dlx.journal import Journal, JournalStatus
    from dlx.search.codec import Code
    from dlx.search.progress import SearchProgress

__all__ = [
    "Answers",
    "ChunkIterator",
    "Code",
    "ColorOnPrimary",
    "Colored",
    "ColumnGeneration",
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
    "Isomorphism",
    "Journal",
    "JournalError",
    "JournalStatus",
    "KernelInfo",
    "KernelMissing",
    "KernelMissingWarning",
    "MinimumInterrupted",
    "NoPrimaryItem",
    "ObjectiveWarning",
    "Part",
    "PartFailed",
    "Picture",
    "Plan",
    "Problem",
    "ProblemError",
    "Progress",
    "ProgressBar",
    "Ranking",
    "Reduction",
    "Relaxation",
    "Search",
    "SearchInterrupted",
    "SearchProgress",
    "Stats",
    "Symmetries",
    "Symmetry",
    "Times",
    "Trajectory",
    "UnknownItem",
    "UnknownOption",
    "WorkersLost",
    "colored",
    "column_generation",
    "count",
    "kernel_info",
    "solutions",
    "solve",
    "times",
]

_LAZY = {  # imported on first use, so that `import dlx` stays fast: name -> module
    "Answers": "dlx.analysis.batches",
    "ChunkIterator": "dlx.core.kernel",
    "Code": "dlx.search.codec",
    "Diagram": "dlx.analysis.diagram.diagram",
    "Estimate": "dlx.analysis.estimate",
    "Explanation": "dlx.analysis.explain",
    "Isomorphism": "dlx.analysis.symmetry.canonical",
    "Journal": "dlx.journal",
    "JournalStatus": "dlx.journal",
    "Part": "dlx.core.part",
    "Picture": "dlx.core.picture",
    "Progress": "dlx.analysis.minimum",
    "ProgressBar": "dlx.drawing.progress_bar",
    "Ranking": "dlx.analysis.minimum",
    "Relaxation": "dlx.analysis.relaxation",
    "SearchProgress": "dlx.search.progress",
    "Symmetries": "dlx.analysis.symmetry.group",
    "Symmetry": "dlx.analysis.symmetry.group",
    "Trajectory": "dlx.drawing.trajectory",
}

if not typing.TYPE_CHECKING:

    def __getattr__(name):
        from importlib import import_module

        if name == "models":
            return import_module("dlx.models")
        if name not in _LAZY:
            raise AttributeError(f"module 'dlx' has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_LAZY[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *_LAZY})
