"""What goes to a worker, and what comes back: a part with a budget, and a slice of it done.

Who is told of every slice of a long search when it is done, such as a journal.
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
    """How far to go on a part before coming back: whichever of these is reached first.

    seconds
        Of work; 0 stands for as little as can be done.
    solutions
        To be found.
    keep
        Are the solutions wanted, or only their number?
    nodes
        To be searched.
    """

    seconds: float
    solutions: int
    keep: bool
    nodes: int = UNLIMITED


class WorkResult(NamedTuple):
    """A piece of work that is done: the beginning of a part, in visiting order, or all of it.

    found
        How many solutions there are in it.
    solutions
        These, in the order found, as indices of options; None if they were only counted.
    stats
        Nodes, updates, solutions, nodes by depth and seconds of work: of this slice alone.
    left
        The parts, in visiting order, that together are what has not been searched of the part.
        None of them if it is done. (Parts with nothing in them may be left out.)
    """

    found: int
    solutions: Pack | None
    stats: RawStats
    left: tuple[Part, ...]


def add_stats(one: RawStats, other: RawStats) -> RawStats:
    """The stats of two pieces of work together.

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
    """What was done between two looks at the stats of an engine, `other` being the earlier one."""
    profile = [a - b for a, b in zip_longest(one[3], other[3], fillvalue=0)]
    return (
        one[0] - other[0],
        one[1] - other[1],
        one[2] - other[2],
        profile,
        one[4] - other[4],
    )


class Recorder(Protocol):
    """Keeps what has been done of a search, so that it could go on from there.

    The parts that are left are, at any time, those of the `Start` with each part that `done` named
    replaced by the parts left of it. What was recorded up to *any* of the calls is therefore a
    state to go on from; a recorder may put several calls into one transaction, and lose the last of
    them in a crash, but must keep each one wholly or not at all, and their order.
    """

    def done(self, part: Part, piece: WorkResult) -> None:
        """Replaces a part by what is left of it; keeps what was found, and the stats.

        `part` was in the `Start` or in the `left` of a piece before, and is not named again.
        `piece.solutions.options` and `.lengths` are bytes, ready to be stored; the object itself
        belongs to the search and changes later. A piece may have nothing found and no work in it:
        then the part was only split.

        Called by one thread at a time, but not always by the same one, and never by the main
        thread; before anything of the piece is handed to whoever draws from the search. What it
        raises stops all workers, and whoever draws next gets it; the part counts as not done.
        """
