"""Which part of a search is next, and which solutions may be handed over: no threads, no clock.

A schedule is the list of all parts that are left, in visiting order. Workers take parts from it and
give back slices: a part's place in the list is taken by what is left of it::

    left:     [A taken] - [B taken] - [C] - [D]           two workers, at A and B
    B done:   [A taken] - (17 solutions) - [B'] - [C] - [D]        in order: these wait for A
    A done:   [B'] - [C] - [D]                            and are handed over now: A's, then those

The earliest part comes first, so that little has to wait for others; where the order does not
matter, that which begins nearest to the root, being likely to be the largest. When there are fewer
parts than workers, what comes back is split: what lies below the shallowest decision with an
alternative, and that alternative. So the list is no longer than it must be.

Solutions that wait, be it for parts before them or for whoever draws them, take up to a bounded
number of bytes. Beyond that only the first part of all is worked on, whose solutions wait for
nobody, and it is not either as long as nobody draws.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import Pack
from dlx.core.part import Part, split_at_floor
from dlx.parallel.results import WorkBudget, WorkResult, add_stats

if TYPE_CHECKING:
    from dlx.engines.protocols import RawStats, Start
    from dlx.parallel.results import Recorder

__all__ = ["QueueNode", "Schedule", "split"]

MOST_FAILURES: Final = 3
LARGEST_BUFFER: Final = 32 * 2**20  # bytes of solutions that wait
LEAST_SHARE: Final = 2**12  # bytes that one slice may bring home, at least
LARGEST_SHARE: Final = 2**20
LEAST_NODES: Final = 1000  # in a slice, when nodes are limited
FIRST_LENGTH: Final = 16.0  # options, of solutions that nobody has seen


class QueueNode:
    """A place in the list: a part, and the solutions that come just before it and wait."""

    __slots__ = ("before", "failures", "following", "nodes", "part", "previous", "share", "taken")

    def __init__(self, part: Part | None) -> None:
        self.part = part  # None: the end of the list
        self.before: Pack | None = None
        self.taken = False
        self.share = 0  # bytes that a worker may bring home
        self.nodes = 0  # that he may search
        self.failures = 0
        self.previous: QueueNode = self
        self.following: QueueNode = self


class Schedule:
    """The parts of a search that are left, and the solutions found that are still here.

    One thread at a time may call its methods. `output` is for whoever draws: it may be taken from
    at any time.
    """

    def __init__(
        self,
        start: Start,
        *,
        ordered: bool,
        recorder: Recorder | None = None,
        buffer: int = LARGEST_BUFFER,
    ) -> None:
        self.keep = True
        """Are solutions wanted, or only their number?"""
        self.node_limit = UNLIMITED
        """No part is taken when the nodes of all slices have come to this."""
        self.output = Pack()
        """Solutions to be handed over."""
        self.counted = 0
        """Solutions that were only counted."""
        self.stats: RawStats = start.stats
        """The work of all slices, and what was done before."""
        self.waiting = 0
        """Parts that nobody works on."""
        self.taken = 0
        """Parts that somebody works on."""
        self.done_parts = 0
        """Parts that were searched to their end."""
        self.failed: list[tuple[Part, BaseException]] = []
        """Parts that failed too often, and how they did the last time."""
        self._ordered = ordered
        self._recorder = recorder
        self._buffer = buffer
        self._held = 0  # bytes of solutions that wait for parts before them
        self._reserved = 0  # bytes that workers may bring home
        self._nodes = 0  # that they may search
        self._length = FIRST_LENGTH  # of a solution, the longest seen so far
        # Those that nobody works on, by floor; ordered, for a dict finds its first in O(deleted).
        self._waiting: dict[int, OrderedDict[Part, QueueNode]] = {}
        self._end = QueueNode(None)
        for part in start.parts:
            if isinstance(part, Part):
                self._insert((part,), self._end)
                self._move_waiting(self._end, self._end.previous)
            else:
                self._add_waiting(self._end, Pack(part.options, part.lengths))
        self._hand_over()

    # -- what there is -----------------------------------------------------------------------------

    def __iter__(self) -> Iterator[QueueNode]:
        place = self._end.following
        while place is not self._end:
            yield place
            place = place.following

    @property
    def parts(self) -> list[Part]:
        """What is left, in visiting order."""
        return [place.part for place in self if place.part is not None]

    def standing(self) -> tuple[Part | Pack, ...]:
        """What is left, in visiting order, with all solutions still here: for a `Start`."""
        listed: list[Part | Pack] = [Pack(self.output.options, self.output.lengths)]
        for place in (*self, self._end):
            if place.before is not None:
                listed.append(Pack(place.before.options, place.before.lengths))
            if place.part is not None:
                listed.append(place.part)
        return tuple(one for one in listed if isinstance(one, Part) or len(one))

    @property
    def over(self) -> bool:
        """Is nothing left to be searched?"""
        return self._end.following is self._end

    def is_first(self, place: QueueNode) -> bool:
        """Do the solutions of this part wait for no other?"""
        return not self._ordered or self._end.following is place

    # -- taking and giving back --------------------------------------------------------------------

    def take(self, *, crew: int, prefer: Part | None = None) -> QueueNode | None:
        """The place of the part to be worked on next, or None if there is none at the moment.

        If the solutions are to come in order, it is the first part of those that may be taken;
        otherwise that which begins nearest to the root, or the part `prefer` that a worker has at
        hand. `crew`: how many take parts.
        """
        nodes = self.node_limit - self.stats[0] - self._nodes
        if not self.waiting or nodes <= 0:
            return None
        share = min(LARGEST_SHARE, max(LEAST_SHARE, self._buffer // (2 * crew)))
        chosen = self._first(share) if self.keep and self._ordered else self._any(share, prefer)
        if chosen is not None:
            assert chosen.part is not None
            self._forget_waiting(chosen.part)
            chosen.taken = True
            chosen.share = share if self.keep else 0
            chosen.nodes = max(LEAST_NODES, nodes // (2 * crew))
            self._reserved += chosen.share
            self._nodes += chosen.nodes
            self.taken += 1
        return chosen

    def _first(self, share: int) -> QueueNode | None:
        """The first of those that may be taken. What is taken comes before it: O(crew)."""
        for place in self:
            if not place.taken and self._has_room(place, share):
                return place
            if not place.taken and not self.is_first(place):
                break  # and no room for those that come later, either
        return None

    def _any(self, share: int, prefer: Part | None) -> QueueNode | None:
        """That of the part `prefer`, or of one whose floor is the least. O(floors there are)."""
        place = None
        if prefer is not None and prefer.floor in self._waiting:
            place = self._waiting[prefer.floor].get(prefer)
        if place is None:
            place = next(iter(self._waiting[min(self._waiting)].values()))
        return place if self._has_room(place, share) else None  # as there is for any other

    def budget(self, place: QueueNode, seconds: float) -> WorkBudget:
        """How far to go on the part of a place that was taken."""
        if not self.keep:
            return WorkBudget(seconds, UNLIMITED, keep=False, nodes=place.nodes)
        solutions = max(1, int(place.share / (4 * self._length + 4)))
        return WorkBudget(seconds, solutions, keep=True, nodes=place.nodes)

    def _has_room(self, place: QueueNode, share: int) -> bool:
        """May what a worker finds there wait?"""
        if not self.keep:
            return True
        if self.is_first(place):
            return self.output.memory <= self._buffer // 2
        waiting = self._held + self._reserved + self.output.memory
        return waiting + share <= self._buffer

    def done(self, place: QueueNode, piece: WorkResult, *, wanted: int = 0) -> None:
        """Takes a slice of the part that was taken. What is left of it is split, if possible, so
        that there are about as many parts more as are `wanted`.
        """
        assert place.part is not None
        assert place.taken
        left = split(piece.left, wanted)
        if self._recorder is not None:
            self._recorder.done(place.part, piece._replace(left=left))
        self._release(place)
        self.stats = add_stats(self.stats, piece.stats)
        if piece.solutions is None:
            self.counted += piece.found
        elif piece.found:
            self._keep(place, piece.solutions, piece.found)
        following = place.following
        self._insert(left, following)
        if not left:
            self.done_parts += 1
        self._remove(place)

    def put_back(self, place: QueueNode) -> None:
        """Nothing was done: somebody else may take it."""
        assert place.part is not None
        self._release(place)
        self._remember_waiting(place, place.part)

    def fail(self, place: QueueNode, error: BaseException) -> bool:
        """Nothing was done: an error. After three of them the part is given up: False."""
        assert place.part is not None
        self.put_back(place)
        place.failures += 1
        if place.failures < MOST_FAILURES:
            return True
        self.failed.append((place.part, error))
        self._forget_waiting(place.part)
        self._remove(place)
        return False

    def _release(self, place: QueueNode) -> None:
        place.taken = False
        self.taken -= 1
        self._reserved -= place.share
        self._nodes -= place.nodes
        place.share = place.nodes = 0

    # -- solutions ---------------------------------------------------------------------------------

    def _keep(self, place: QueueNode, solutions: Pack, count: int) -> None:
        """Takes solutions found at a place."""
        self._length = max(self._length, solutions.memory / (4 * count))
        if self.is_first(place):
            self.output.extend(solutions)
        else:
            self._add_waiting(place, solutions)

    def _add_waiting(self, place: QueueNode, solutions: Pack) -> None:
        """Puts solutions before a place, after those that wait there."""
        if place.before is None:
            place.before = Pack()
        self._held -= place.before.memory
        place.before.extend(solutions)
        self._held += place.before.memory

    def _move_waiting(self, place: QueueNode, to: QueueNode) -> None:
        """What waits before a place waits before another one, in front of what waits there."""
        solutions, place.before = place.before, None
        if solutions is None:
            return
        if to.before is not None:
            self._held -= solutions.memory + to.before.memory
            solutions.extend(to.before)
            self._held += solutions.memory
        to.before = solutions

    def _hand_over(self) -> None:
        """What waits before the first place waits for nobody any more."""
        first = self._end.following
        if first.before is not None:
            self._held -= first.before.memory
            self.output.extend(first.before)
            first.before = None

    # -- the list ----------------------------------------------------------------------------------

    def _insert(self, parts: Sequence[Part], following: QueueNode) -> None:
        """Puts parts into the list, before a place."""
        for part in parts:
            place = QueueNode(part)
            place.previous, place.following = following.previous, following
            following.previous.following = place
            following.previous = place
            self._remember_waiting(place, part)

    def _remember_waiting(self, place: QueueNode, part: Part) -> None:
        self._waiting.setdefault(part.floor, OrderedDict())[part] = place
        self.waiting += 1

    def _forget_waiting(self, part: Part) -> None:
        alike = self._waiting[part.floor]
        del alike[part]
        if not alike:
            del self._waiting[part.floor]
        self.waiting -= 1

    def _remove(self, place: QueueNode) -> None:
        """Takes a place out of the list. What waits there now waits for those before it only."""
        previous, following = place.previous, place.following
        previous.following, following.previous = following, previous
        self._move_waiting(place, following)
        self._hand_over()


def split(parts: tuple[Part, ...], wanted: int) -> tuple[Part, ...]:
    """The same in more parts: up to so many more. The last ones are likely to be the largest.

    >>> split((Part(((0, 4), (3, 1), (5, 7)), 0),), 9)
    (Part(path=((0, 4), (3, 1), (5, 7)), floor=2), Part(path=((0, 4), (3, 1)), floor=1), \
Part(path=((0, 4),), floor=0))
    """
    if not parts:
        return ()
    first, *rest = parts
    while wanted > 0 and len(halves := split_at_floor(first)) == 2:
        first, second = halves
        rest.insert(0, second)
        wanted -= 1
    return (first, *rest)
