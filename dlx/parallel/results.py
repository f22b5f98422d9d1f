"""What a worker gets and gives back: a budget for a part, and the result of working on it.

`Recorder` is the protocol of an object, such as a journal, that receives every result.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx.core.arguments import UNLIMITED

if TYPE_CHECKING:
    from dlx.core.kernel import Pack
    from dlx.core.part import Part
    from dlx.engines.protocols import RawStats

__all__ = ["Recorder", "WorkBudget", "WorkResult", "add_stats", "subtract_stats"]


class WorkBudget(NamedTuple):
    """How far a worker goes on a part before it comes back: the first limit that it reaches.

    seconds
        Seconds of work; with 0, the worker does as little as it can.
    solutions
        Number of solutions to find.
    keep
        True if the solutions are wanted, False if only their number is.
    nodes
        Number of nodes to search.
    """

    seconds: float
    solutions: int
    keep: bool
    nodes: int = UNLIMITED


class WorkResult(NamedTuple):
    """What a worker has done of a part: its beginning, in visiting order, or all of it.

    found
        How many solutions the worker found.
    solutions
        These solutions, in the order found, as indices of options; None if they were only counted.
    stats
        Nodes, updates, solutions, nodes by depth and seconds of this work alone.
    left
        Parts, in visiting order, that together are what is left of the part; empty if it is done.
        (Parts with nothing in them may be missing.)
    """

    found: int
    solutions: Pack | None
    stats: RawStats
    left: tuple[Part, ...]


def add_stats(one: RawStats, other: RawStats) -> RawStats:
    """The sum of the stats of two results.

    >>> add_stats((3, 9, 1, [1, 2], 0.5), (2, 5, 0, [0, 1, 1], 0.25))
    (5, 14, 1, [1, 3, 1], 0.75)
    """
    profile = [a + b for a, b in zip_longest(one[3], other[3], fillvalue=0)]
    return (
        one[0] + other[0],
        one[1] + other[1],
        one[2] + other[2],
        profile,
        one[4] + other[4],
    )


def subtract_stats(one: RawStats, other: RawStats) -> RawStats:
    """The stats of the work between two readings of an engine's stats; `other` is the earlier."""
    profile = [a - b for a, b in zip_longest(one[3], other[3], fillvalue=0)]
    return (
        one[0] - other[0],
        one[1] - other[1],
        one[2] - other[2],
        profile,
        one[4] - other[4],
    )


class Recorder(Protocol):
    """Stores the results of a search, so that another run can go on from there.

    At any time, the parts that are left are those of the `Start`, with each part that was passed to
    `done` replaced by the `left` of its result. So the calls up to *any* one of them are a state to
    go on from. A recorder may put several calls into one transaction, and a crash may lose the last
    calls. It must store each call wholly or not at all, and in order.
    """

    def done(self, part: Part, result: WorkResult) -> None:
        """Replaces a part by what is left of it; stores the solutions found and the stats.

        `part` was in the `Start` or in the `left` of an earlier result, and is not passed again.
        `result.solutions.options` and `.lengths` are bytes, ready to be stored; the pack itself
        belongs to the search and changes later. A result may have no solutions and no work: then
        the part was only split.

        One thread at a time calls it, never the main thread, and not always the same one. The call
        comes before the search hands over any solution of the result. An exception stops all
        workers, and the next caller that draws gets it; the part counts as not done.
        """
