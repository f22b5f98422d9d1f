"""Records every link that a search of the toroidal matrix changes, for the trace page.

An event is one of six operations on a node. Each operation has one that undoes it, so a page can
replay the events forwards and backwards without an implementation of Algorithm X:

========  ==========================================================  ==========
number    operation                                                   undone by
========  ==========================================================  ==========
0         the node leaves its vertical list                           1
1         the node returns to its vertical list                       0
2         the header leaves the list of open items                    3
3         the header returns to the list of open items                2
4         the entry is marked as having the item's color             5
5         the entry gets its color back                               4
========  ==========================================================  ==========
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from dlx.links.matrix import PURIFIED, Header, Matrix, Node, TraceStep
from dlx.links.multiplicities import MultipleMatrix
from dlx.links.weights import WeightedMatrix

if TYPE_CHECKING:
    from dlx.links.heuristics import Heuristic

__all__ = [
    "RECORDED",
    "RecordedMatrix",
    "RecordedMultipleMatrix",
    "RecordedWeightedMatrix",
    "Recording",
    "record",
]

LEAVE, RETURN, CLOSE, REOPEN, PURIFY, UNPURIFY = range(6)


class RecordedMatrix(Matrix):
    """A matrix that appends each change of its links to `events`."""

    events: list[tuple[int, Node]]

    def hide(self, node: Node) -> None:
        """As `Matrix.hide`; records each node of the row that leaves its list."""
        self._walk(LEAVE, node, forwards=True)
        super().hide(node)

    def unhide(self, node: Node) -> None:
        """As `Matrix.unhide`."""
        self._walk(RETURN, node, forwards=False)
        super().unhide(node)

    def cover(self, header: Header) -> None:
        """As `Matrix.cover`; records primary items only, as secondary items are in no list."""
        if header.primary:
            self._write(CLOSE, header)
        super().cover(header)

    def uncover(self, header: Header) -> None:
        """As `Matrix.uncover`."""
        super().uncover(header)
        if header.primary:
            self._write(REOPEN, header)

    def purify(self, chosen: Node) -> None:
        """As `Matrix.purify`; records the nodes that it marks."""
        super().purify(chosen)
        self._mark(PURIFY, chosen)

    def unpurify(self, chosen: Node) -> None:
        """As `Matrix.unpurify`."""
        self._mark(UNPURIFY, chosen)
        super().unpurify(chosen)

    enter = cover
    leave = uncover

    def _mark(self, operation: int, chosen: Node) -> None:
        node = chosen.head.down
        while node is not chosen.head:
            if node.color == PURIFIED:
                self._write(operation, node)
            node = node.down

    def _walk(self, operation: int, node: Node, *, forwards: bool) -> None:
        other = node.right if forwards else node.left
        while other is not node:
            if other.color != PURIFIED:
                self._write(operation, other)
            other = other.right if forwards else other.left

    def _write(self, operation: int, node: Node) -> None:
        self.events.append((operation, node))


class RecordedMultipleMatrix(RecordedMatrix, MultipleMatrix):
    """A `MultipleMatrix` that records its changes."""

    enter = MultipleMatrix.enter
    leave = MultipleMatrix.leave

    def exclude(self, node: Node) -> None:
        """As `MultipleMatrix.exclude`; records that the node itself leaves as well."""
        super().exclude(node)
        self._write(LEAVE, node)

    def restore(self, node: Node) -> None:
        """As `MultipleMatrix.restore`."""
        self._write(RETURN, node)
        super().restore(node)


class RecordedWeightedMatrix(RecordedMultipleMatrix, WeightedMatrix):
    """A `WeightedMatrix` that records its changes."""


RECORDED = (RecordedMatrix, RecordedMultipleMatrix, RecordedWeightedMatrix)
"""For `dlx.links.build.build_matrix_of_kind`."""


class Recording(NamedTuple):
    """A recorded search.

    nodes
        The headers of the items, then the entries option by option. `events` has their indices.
    events
        Pairs of an operation and a node, in order.
    steps
        The steps of the search, each with the number of events before it.
    complete
        True if the search ended, False if it was cut at the limit of steps.
    """

    nodes: list[Node]
    events: list[tuple[int, int]]
    steps: list[tuple[int, TraceStep]]
    complete: bool


def record(matrix: RecordedMatrix, steps: int, heuristic: str | Heuristic = "mrv") -> Recording:
    """Searches a matrix for up to `steps` steps and returns the recording.

    >>> matrix = RecordedMatrix("ab", options=["a", "b", "ab"])
    >>> recording = record(matrix, 100)
    >>> [str(step) for _, step in recording.steps][:2]
    ['level 0: item a (2 options)', '  try option 0']
    >>> recording.events[:2]  # item a leaves, then option 2 leaves the list of b
    [(2, 0), (0, 5)]
    """
    matrix.events = []
    nodes = list(_nodes(matrix))
    number = {id(node): place for place, node in enumerate(nodes)}
    taken: list[tuple[int, TraceStep]] = []
    search = matrix.search(heuristic=heuristic)
    complete = True
    for step in search:
        if len(taken) == steps:
            complete = False
            break
        taken.append((len(matrix.events), step))
    known = len(matrix.events) if complete else taken[-1][0] if taken else 0
    events = [(operation, number[id(node)]) for operation, node in matrix.events[:known]]
    search.close()
    return Recording(nodes, events, taken, complete)


def _nodes(matrix: Matrix) -> Iterable[Node]:
    yield from matrix.headers.values()
    for first in matrix.options:
        node = first
        while True:
            yield node
            node = node.right
            if node is first:
                break
