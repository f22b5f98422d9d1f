"""The cheapest sets of a diagram: one pass upwards, then a best-first walk downwards.

The pass computes the cost of the cheapest set of each node. The walk from the root to the cheapest
set follows the cheaper child of each node. At each fork, the cost of the best set of the other
child is known; that child is pushed onto a heap. The next set is below the cheapest fork of the
heap, and so on. After the pass, each set takes O(path length x log(heap size)).

Sets of equal cost come in the order of the diagram. The choices at the forks of a path are recorded
as bytes, 0 for `high` and 1 for `low`. The forks in the heap have disjoint sets below them, so
comparing these bytes gives their order.

Source: the k shortest paths of an acyclic graph by deviations (cf. D. Eppstein 1998; L. Huang and
D. Chiang 2005), with the exact costs to the end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice

from dlx.analysis.diagram.nodes import EMPTY, TOP, Columns

__all__ = ["best_costs", "by_cost", "cheapest"]

_HIGH, _LOW = b"\0", b"\1"


def cheapest(columns: Columns, cost: Sequence[int], k: int) -> list[tuple[int, tuple[int, ...]]]:
    """The `k` cheapest sets with their costs. O(nodes + k x path length x log(heap size))."""
    return list(islice(by_cost(columns, cost), min(k, sys.maxsize)))


def by_cost(columns: Columns, cost: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """All sets with their costs, the cheapest first."""
    option, low, high, root = columns
    if root == EMPTY:
        return
    best = best_costs(columns, cost)
    # (cost of the best set below the fork, choices so far, node, options so far, their cost)
    heap: list[tuple[int, bytes, int, tuple[int, ...], int]] = [(best[root], b"", root, (), 0)]
    while heap:
        total, choices, node, taken, spent = heappop(heap)
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
                    heappush(heap, (instead, choices + _LOW, without, tuple(path), spent))
                    choices += _HIGH
                else:
                    heappush(heap, (there, choices + _HIGH, high[node], (*path, here), price))
                    choices += _LOW
            if goes_high:
                path.append(here)
                node, spent = high[node], price
            else:
                node = without
        yield total, tuple(path)


def best_costs(columns: Columns, cost: Sequence[int]) -> list[int]:
    """The cost of the cheapest set of each node; 0 for node 0, which has no set."""
    best = [0, 0]
    append = best.append
    for option, low, high in islice(zip(*columns[:3], strict=True), 2, None):
        price = cost[option] + best[high]
        if low != EMPTY and best[low] < price:
            price = best[low]
        append(price)
    return best
