"""Who is told of every slice of a long search when it is done, such as a journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx.parallel.slice import NO_STATS

if TYPE_CHECKING:
    from dlx.engines import RawStats
    from dlx.kernel import Pack
    from dlx.parallel.part import Part
    from dlx.parallel.slice import Slice

__all__ = ["Recorder", "Start"]


class Recorder(Protocol):
    """Keeps what has been done of a search, so that it could go on from there.

    The parts that are left are, at any time, those of the `Start` with each part that `done` named
    replaced by the parts left of it. What was recorded up to *any* of the calls is therefore a
    state to go on from; a recorder may put several calls into one transaction, and lose the last of
    them in a crash, but must keep each one wholly or not at all, and their order.
    """

    def done(self, part: Part, piece: Slice) -> None:
        """Replaces a part by what is left of it; keeps what was found, and the stats.

        `part` was in the `Start` or in the `left` of a piece before, and is not named again.
        `piece.solutions.options` and `.lengths` are bytes, ready to be stored; the object itself
        belongs to the search and changes later. A piece may have nothing found and no work in it:
        then the part was only split.

        Called by one thread at a time, but not always by the same one, and never by the main
        thread; before anything of the piece is handed to whoever draws from the search. What it
        raises stops all workers, and whoever draws next gets it; the part counts as not done.
        """


class Start(NamedTuple):
    """Where a search begins: not always at the beginning.

    parts
        What is left to be searched, in visiting order. Among them may be packs: solutions that were
        found before, to be handed over at this place in the order.
    stats
        The work done before, which is added to what is done from now on. Its number of solutions is
        that of those which have been handed over and will not be again.
    """

    parts: tuple[Part | Pack, ...]
    stats: RawStats = NO_STATS
