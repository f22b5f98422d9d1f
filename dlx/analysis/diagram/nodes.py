"""The nodes of a diagram, and algorithms that pass over them.

A node represents a set of sets of options. Node 0 is empty; node 1 contains only the empty set.
Every other node `i` contains the sets of `high[i]`, with `option[i]` added to each, followed by the
sets of `low[i]`. Children have smaller numbers than their parents, so a pass upwards over the
columns visits children first, and a pass downwards visits parents first.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

__all__ = [
    "Columns",
    "columns_from",
    "contains",
    "count_options",
    "counts",
    "nth",
    "sets_without",
    "walk",
]

EMPTY, TOP = 0, 1


class Columns(NamedTuple):
    """A diagram as three columns of 32-bit numbers and the number of its root."""

    option: Sequence[int]  # of nodes 0 and 1: -1
    low: Sequence[int]
    high: Sequence[int]
    root: int


def columns_from(option: bytes, low: bytes, high: bytes, root: int) -> Columns:
    """The columns that the kernel returned, without copying."""
    return Columns(
        memoryview(option).cast("i"), memoryview(low).cast("I"), memoryview(high).cast("I"), root
    )


def sets_without(columns: Columns, options: Container[int]) -> Columns:
    """The sets that have none of these options, as another diagram. O(nodes)."""
    option, low, high, root = columns
    needed = bytearray(root + 1)
    needed[root] = True
    for node in range(root, TOP, -1):
        if needed[node]:
            needed[low[node]] = True
            if option[node] not in options:
                needed[high[node]] = True
    kept = (array("i", [-1, -1]), array("I", [EMPTY, TOP]), array("I", [EMPTY, TOP]))
    image = [EMPTY, TOP, *([EMPTY] * (root - TOP))]  # of each needed node, the node with its rest
    known: dict[tuple[int, int, int], int] = {}
    for node in range(TOP + 1, root + 1):
        if not needed[node]:
            continue
        without = image[low[node]]
        taken = EMPTY if option[node] in options else image[high[node]]
        if taken == EMPTY:
            image[node] = without
            continue
        key = (option[node], without, taken)
        image[node] = known.setdefault(key, len(kept[0]))
        if image[node] == len(kept[0]):
            for column, value in zip(kept, key, strict=True):
                column.append(value)
    own, lows, highs = kept
    return Columns(memoryview(own), memoryview(lows), memoryview(highs), image[root])


def counts(columns: Columns) -> list[int]:
    """The number of sets in each node. O(nodes) additions."""
    found = [0, 1]
    append = found.append
    for low, high in islice(zip(columns.low, columns.high, strict=True), 2, None):
        append(found[low] + found[high])
    return found


def count_options(columns: Columns, found: Sequence[int], options: int) -> list[int]:
    """The number of sets that contain each option; `found` are the `counts`. O(nodes).

    In a pass downwards, the number of paths to a node is added to those of its children.
    """
    option, low, high, root = columns
    reached = [0] * len(option)
    reached[root] = 1
    result = [0] * options
    for node in range(root, TOP, -1):
        times = reached[node]
        if times:
            reached[low[node]] += times
            reached[high[node]] += times
            result[option[node]] += times * found[high[node]]
    return result


def walk(columns: Columns) -> Iterator[tuple[int, ...]]:
    """All sets in order, each as its options from the root downwards."""
    option, low, high, root = columns
    path: list[int] = []
    waiting = [(root, 0)] if root != EMPTY else []
    while waiting:
        node, depth = waiting.pop()
        del path[depth:]
        while node != TOP:
            if low[node] != EMPTY:
                waiting.append((low[node], len(path)))
            path.append(option[node])
            node = high[node]  # never empty
        yield tuple(path)


def contains(columns: Columns, wanted: frozenset[int]) -> bool:
    """True if `wanted` is one of the sets. O(length of a path downwards)."""
    option, low, high, node = columns
    left = len(wanted)
    while node > TOP:
        if option[node] in wanted:
            left -= 1
            node = high[node]
        else:
            node = low[node]
    return node == TOP and left == 0


def nth(columns: Columns, found: Sequence[int], place: int) -> tuple[int, ...]:
    """The set with this index in the order, from 0; `found` are the `counts`."""
    option, low, high, node = columns
    path = []
    while node != TOP:
        with_option = found[high[node]]
        if place < with_option:
            path.append(option[node])
            node = high[node]
        else:
            place -= with_option
            node = low[node]
    return tuple(path)
