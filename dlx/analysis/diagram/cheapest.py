"""The cheapest sets of a diagram: one pass upwards, then a best-first walk downwards.

The pass finds what the cheapest set of each node costs. So the cheapest set of a whole diagram can
be read off on the way from the root down; and at each fork where the way did not lead, the price of
the best set beyond it is known. The next set is behind the cheapest of all these forks, and so on:
a heap gives the sets in order of cost, and the work after the pass is about the length of the ways
times the logarithm of the heap for each set.

Equal costs come in the order of the diagram. Each fork passed is noted, 0 for `high` and 1 for
`low`; what lies behind two forks in the heap never overlaps, so that the notes, compared as texts,
tell which comes first.

Source: the k shortest paths of an acyclic graph by deviations (cf. D. Eppstein 1998; L. Huang and
D. Chiang 2005), with the exact costs to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import islice

from dlx.analysis.diagram.nodes import EMPTY, TOP, Columns

__all__ = ["cheapest"]

_HIGH, _LOW = b"\0", b"\1"


def cheapest(columns: Columns, cost: Sequence[int], k: int) -> list[tuple[int, tuple[int, ...]]]:
    """The `k` cheapest sets with their costs; O(nodes + k x length of a way x log)."""
    option, low, high, root = columns
    if root == EMPTY or k == 0:
        return []
    best = _best_costs(columns, cost)
    found: list[tuple[int, tuple[int, ...]]] = []
    # (cost of the best set behind the fork, the notes, the node behind it, the options before it,
    # their cost)
    heap: list[tuple[int, bytes, int, tuple[int, ...], int]] = [(best[root], b"", root, (), 0)]
    while heap and len(found) < k:
        total, notes, node, taken, spent = heappop(heap)
        path = [*taken]
        while node != TOP:
            here, without = option[node], low[node]
            price = spent + cost[here]
            if without == EMPTY:
                goes_high = True
            else:
                there, instead = price + best[high[node]], spent + best[without]
                goes_high = there <= instead
                if goes_high:
                    heappush(heap, (instead, notes + _LOW, without, tuple(path), spent))
                    notes += _HIGH
                else:
                    heappush(heap, (there, notes + _HIGH, high[node], (*path, here), price))
                    notes += _LOW
            if goes_high:
                path.append(here)
                node, spent = high[node], price
            else:
                node = without
        found.append((total, tuple(path)))
    return found


def _best_costs(columns: Columns, cost: Sequence[int]) -> list[int]:
    """What the cheapest set of each node costs; of node 0, which has none, 0."""
    best = [0, 0]
    append = best.append
    for option, low, high in islice(zip(*columns[:3], strict=True), 2, None):
        price = cost[option] + best[high]
        if low != EMPTY and best[low] < price:
            price = best[low]
        append(price)
    return best
