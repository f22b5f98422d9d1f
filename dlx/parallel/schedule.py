"""Which part a worker gets next, and which solutions may be handed over: no threads, no clock.

A schedule is a linked list of all parts that are left, in visiting order. A worker takes the part
of a node and gives back a result. What is left of the part then replaces that node::

    left:     [A taken] - [B taken] - [C] - [D]           two workers, at A and B
    B done:   [A taken] - (17 solutions) - [B'] - [C] - [D]        in order: these wait for A
    A done:   [B'] - [C] - [D]                            both are handed over: A's, then the 17

If solutions are wanted in order, workers get the earliest part, so that few solutions wait for
others. Otherwise they get the part that begins nearest to the root, which is likely to be the
largest. When there are fewer parts than workers, a result is split at its shallowest decision with
an alternative: into what is below that decision, and the alternatives. So the list is never longer
than necessary.

Solutions wait for parts before them, or for the caller to draw them. They take a bounded number of
bytes. Beyond that, workers get only the first part of all, whose solutions wait for no other part;
and not even that one while the caller does not draw.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import Pack
from dlx.core.part import Part, split_at_floor
from dlx.parallel.results import TaskLimits, WorkResult

if TYPE_CHECKING:
    from dlx.engines.protocols import Start
    from dlx.parallel.results import Recorder

__all__ = ["QueueNode", "Schedule", "split"]

MOST_FAILURES: Final = 3  # of a part, before it is given up
LARGEST_BUFFER: Final = 32 * 2**20  # bytes of solutions that wait
LEAST_SHARE: Final = 2**12  # bytes of solutions in one result, at least
LARGEST_SHARE: Final = 2**20  # bytes of solutions in one result, at most
LEAST_NODES: Final = 1000  # in one result, when nodes are limited
FIRST_LENGTH: Final = 16.0  # options of a solution, before the first one is found


class QueueNode:
    """A node of the list: a part, and the solutions just before it that wait."""

    __slots__ = ("before", "failures", "following", "nodes", "part", "previous", "share", "taken")

    def __init__(self, part: Part | None) -> None:
        self.part = part  # None: the end of the list
        self.before: Pack | None = None
        self.taken = False
        self.share = 0  # bytes of solutions that the worker may give back
        self.nodes = 0  # nodes that the worker may search
        self.failures = 0
        self.previous: QueueNode = self
        self.following: QueueNode = self


class Schedule:
    """The parts of a search that are left, and the solutions found that were not drawn yet.

    One thread at a time may call its methods. `output` is for the drawing thread, which may take
    from it at any time.
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
        """No part is taken when the nodes of all results have reached this number."""
        self.output = Pack()
        """Solutions to be handed over."""
        self.counted = 0
        """Number of solutions that were only counted."""
        self.stats = start.stats
        """The work of all results, and what was done before the start."""
        self.waiting = 0
        """Number of parts that no worker has taken."""
        self.taken = 0
        """Number of parts that workers have taken."""
        self.done_parts = 0
        """Number of parts that were searched to their end."""
        self.failed: list[tuple[Part, BaseException]] = []
        """Parts that failed too often, each with its last error."""
        self._ordered = ordered
        self._recorder = recorder
        self._buffer = buffer
        self._held = 0  # bytes of solutions that wait for parts before them
        self._reserved = 0  # bytes of solutions that workers may give back
        self._nodes = 0  # nodes that workers may search
        self._length = FIRST_LENGTH  # options of a solution, the longest found so far
        # Nodes without a worker, by floor. An OrderedDict, because a dict needs O(deleted) time to
        # find its first entry.
        self._waiting: dict[int, OrderedDict[Part, QueueNode]] = {}
        self._end = QueueNode(None)
        for part in start.parts:
            if isinstance(part, Part):
                self._insert((part,), self._end)
                self._move_solutions(self._end, self._end.previous)
            else:
                self._add_solutions(self._end, Pack(part.options, part.lengths))
        self._hand_over()

    # -- what is left ------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[QueueNode]:
        node = self._end.following
        while node is not self._end:
            yield node
            node = node.following

    @property
    def parts(self) -> list[Part]:
        """What is left, in visiting order."""
        return [node.part for node in self if node.part is not None]

    def snapshot(self) -> tuple[Part | Pack, ...]:
        """What is left, in visiting order, with all solutions not drawn yet: for a `Start`."""
        listed: list[Part | Pack] = [Pack(self.output.options, self.output.lengths)]
        for node in (*self, self._end):
            if node.before is not None:
                listed.append(Pack(node.before.options, node.before.lengths))
            if node.part is not None:
                listed.append(node.part)
        return tuple(one for one in listed if isinstance(one, Part) or len(one))

    @property
    def over(self) -> bool:
        """Whether nothing is left to search."""
        return self._end.following is self._end

    def is_first(self, node: QueueNode) -> bool:
        """Whether the solutions of this node can be returned at once."""
        return not self._ordered or self._end.following is node

    # -- taking parts and giving back results ------------------------------------------------------

    def take(self, *, workers: int, prefer: Part | None = None) -> QueueNode | None:
        """The node of the part to work on next, or None if there is none at the moment.

        If solutions are wanted in order, it is the first part that may be taken. Otherwise it is
        `prefer`, the part at which the worker's engine already is, or the part that begins nearest
        to the root. `workers`: how many take parts at once.
        """
        nodes = self.node_limit - self.stats.nodes - self._nodes
        if not self.waiting or nodes <= 0:
            return None
        share = min(LARGEST_SHARE, max(LEAST_SHARE, self._buffer // (2 * workers)))
        chosen = self._first(share) if self.keep and self._ordered else self._any(share, prefer)
        if chosen is not None:
            assert chosen.part is not None
            self._remove_waiting(chosen.part)
            chosen.taken = True
            chosen.share = share if self.keep else 0
            chosen.nodes = max(LEAST_NODES, nodes // (2 * workers))
            self._reserved += chosen.share
            self._nodes += chosen.nodes
            self.taken += 1
        return chosen

    def _first(self, share: int) -> QueueNode | None:
        """The first node that may be taken. Only taken ones come before it: O(workers)."""
        for node in self:
            if not node.taken and self._has_room(node, share):
                return node
            if not node.taken and not self.is_first(node):
                break  # and there is no room for later ones, either
        return None

    def _any(self, share: int, prefer: Part | None) -> QueueNode | None:
        """The node of the part `prefer`, or of one with the least floor. O(number of floors)."""
        node = None
        if prefer is not None and prefer.floor in self._waiting:
            node = self._waiting[prefer.floor].get(prefer)
        if node is None:
            node = next(iter(self._waiting[min(self._waiting)].values()))
        return node if self._has_room(node, share) else None  # the same for any other node

    def limits(self, node: QueueNode, seconds: float) -> TaskLimits:
        """How far to search the part of a node that was taken."""
        if not self.keep:
            return TaskLimits(seconds, UNLIMITED, keep=False, nodes=node.nodes)
        solutions = max(1, int(node.share / (4 * self._length + 4)))
        return TaskLimits(seconds, solutions, keep=True, nodes=node.nodes)

    def _has_room(self, node: QueueNode, share: int) -> bool:
        """Whether there is room for the solutions that a worker may find at this node."""
        if not self.keep:
            return True
        if self.is_first(node):
            return self.output.memory <= self._buffer // 2
        waiting = self._held + self._reserved + self.output.memory
        return waiting + share <= self._buffer

    def done(self, node: QueueNode, result: WorkResult, *, wanted: int = 0) -> None:
        """Takes the result for a node that was taken.

        Splits what is left of the part, if possible, into about `wanted` additional parts.
        """
        assert node.part is not None
        assert node.taken
        left = split(result.left, wanted)
        if self._recorder is not None:
            self._recorder.done(node.part, result._replace(left=left))
        self._release(node)
        self.stats = self.stats.plus(result.stats)
        if result.solutions is None:
            self.counted += result.found
        elif result.found:
            self._keep(node, result.solutions, result.found)
        following = node.following
        self._insert(left, following)
        if not left:
            self.done_parts += 1
        self._remove(node)

    def put_back(self, node: QueueNode) -> None:
        """Makes a node that was taken available again: nothing was done."""
        assert node.part is not None
        self._release(node)
        self._add_waiting(node, node.part)

    def fail(self, node: QueueNode, error: BaseException) -> bool:
        """Makes a node available again after an error. False if it has failed too often.

        After `MOST_FAILURES` errors the part is given up.
        """
        assert node.part is not None
        self.put_back(node)
        node.failures += 1
        if node.failures < MOST_FAILURES:
            return True
        self.failed.append((node.part, error))
        self._remove_waiting(node.part)
        self._remove(node)
        return False

    def _release(self, node: QueueNode) -> None:
        node.taken = False
        self.taken -= 1
        self._reserved -= node.share
        self._nodes -= node.nodes
        node.share = node.nodes = 0

    # -- solutions ---------------------------------------------------------------------------------

    def _keep(self, node: QueueNode, solutions: Pack, count: int) -> None:
        """Takes the solutions found at a node: hands them over, or lets them wait."""
        self._length = max(self._length, solutions.memory / (4 * count))
        if self.is_first(node):
            self.output.extend(solutions)
        else:
            self._add_solutions(node, solutions)

    def _add_solutions(self, node: QueueNode, solutions: Pack) -> None:
        """Lets solutions wait before a node, after those that wait there already."""
        if node.before is None:
            node.before = Pack()
        self._held -= node.before.memory
        node.before.extend(solutions)
        self._held += node.before.memory

    def _move_solutions(self, node: QueueNode, to: QueueNode) -> None:
        """Moves the solutions before a node to another node, in front of those that wait there."""
        solutions, node.before = node.before, None
        if solutions is None:
            return
        if to.before is not None:
            self._held -= solutions.memory + to.before.memory
            solutions.extend(to.before)
            self._held += solutions.memory
        to.before = solutions

    def _hand_over(self) -> None:
        """Hands over the solutions before the first node, which wait for no part any more."""
        first = self._end.following
        if first.before is not None:
            self._held -= first.before.memory
            self.output.extend(first.before)
            first.before = None

    # -- the list ----------------------------------------------------------------------------------

    def _insert(self, parts: Sequence[Part], following: QueueNode) -> None:
        """Inserts nodes for some parts before a node."""
        for part in parts:
            node = QueueNode(part)
            node.previous, node.following = following.previous, following
            following.previous.following = node
            following.previous = node
            self._add_waiting(node, part)

    def _add_waiting(self, node: QueueNode, part: Part) -> None:
        self._waiting.setdefault(part.floor, OrderedDict())[part] = node
        self.waiting += 1

    def _remove_waiting(self, part: Part) -> None:
        same_floor = self._waiting[part.floor]
        del same_floor[part]
        if not same_floor:
            del self._waiting[part.floor]
        self.waiting -= 1

    def _remove(self, node: QueueNode) -> None:
        """Removes a node. Solutions that wait before it now wait before the following node."""
        previous, following = node.previous, node.following
        previous.following, following.previous = following, previous
        self._move_solutions(node, following)
        self._hand_over()


def split(parts: tuple[Part, ...], wanted: int) -> tuple[Part, ...]:
    """The part split into up to `wanted` more parts, of which the last are likely the largest.

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
