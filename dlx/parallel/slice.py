"""What goes to a worker, and what comes back: a part with a budget, and a slice of it done."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from dlx.limits import UNLIMITED

if TYPE_CHECKING:
    from dlx.engines import RawStats
    from dlx.kernel import Pack
    from dlx.parallel.part import Part

__all__ = ["Budget", "NO_STATS", "Slice", "add_stats", "subtract_stats"]

NO_STATS: RawStats = (0, 0, 0, [], 0.0)
"""The stats of no work."""


class Budget(NamedTuple):
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


class Slice(NamedTuple):
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
