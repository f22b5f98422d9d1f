"""What a worker gets and gives back: limits for a part, and the result of working on it.

`Recorder` is the protocol of an object, such as a journal, that receives every result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx.core.arguments import UNLIMITED

if TYPE_CHECKING:
    from dlx.core.kernel import Pack
    from dlx.core.part import Part
    from dlx.core.stats import Stats

__all__ = ["Recorder", "TaskLimits", "WorkResult"]


class TaskLimits(NamedTuple):
    """How far a worker goes on a part before it returns: the first limit that it reaches.

    Unlike those of a `Budget`, they count from the moment when the worker begins: a task may wait
    for it, and may go to another machine.

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
        This work alone.
    left
        Parts, in visiting order, that together are what is left of the part; empty if it is done.
        (Parts with nothing in them may be missing.)
    """

    found: int
    solutions: Pack | None
    stats: Stats
    left: tuple[Part, ...]


class Recorder(Protocol):
    """Stores the results of a search, so that another run can continue from there.

    At any time, the parts that are left are those of the `Start`, with each part that was passed to
    `done` replaced by the `left` of its result. So the calls up to *any* one of them are a state to
    continue from. A recorder may put several calls into one transaction, and a crash may lose the
    last calls. It must store each call wholly or not at all, and in order.
    """

    def done(self, part: Part, result: WorkResult) -> None:
        """Replaces a part by what is left of it; stores the solutions found and the stats.

        `part` was in the `Start` or in the `left` of an earlier result, and is not passed again.
        `result.solutions.options` and `.lengths` are bytes, ready to be stored; the pack itself
        belongs to the search and changes later. A result may have no solutions and no work: then
        the part was only split.

        One thread at a time calls it, never the main thread, and not always the same one. The call
        comes before the search hands over any solution of the result. An exception stops all
        workers, and the next caller gets it; the part counts as not done.
        """
