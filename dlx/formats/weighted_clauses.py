"""Clauses for sums with weights (pseudo-Boolean constraints), by decision diagrams.

"At most k of 3 x1 + 2 x2 + 2 x3 + x4" is decided literal by literal: a node knows which literals
are left and how much they may still add up to. For k = 4: if x1 is true, 1 is left, so x2 and x3
must be false; if x1 is false, 4 is left, and only all three others together would be too much. Many
amounts mean the same, so a node has an interval of them.

Each node has a variable that is true if the rest of the sum stays within its amount: it implies the
variable of its false child, and, with the literal, that of its true child. Two clauses a node are
enough because the constraint is monotone: what fits with a literal fits without it. "At least low"
is the same for the negated literals: at most (total - low) of the weights may be left out.

A diagram has at most (literals x bound) nodes. If weights are large, that can be very many; then
each weight is split into powers of two, and the diagram has O(literals^2 x bits of the largest
weight) nodes. Unit propagation on the clauses of a diagram finds every literal that the sum
implies; if weights were split, it need not find all of them.

Source: I. Abio, R. Nieuwenhuis, A. Oliveras, E. Rodriguez-Carbonell and V. Mayer-Eichberger,
"A new look at BDDs for pseudo-Boolean constraints", Journal of Artificial Intelligence Research 45
(2012), 443-480.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import Final, NamedTuple

__all__ = ["Clause", "clauses_of_weighted_sum"]

Clause = list[int]

Term = tuple[int, int]
"""A weight and a literal."""

SPLIT: Final = 64
"""Weights are split into powers of two if the bound is above this many times their number."""


def clauses_of_weighted_sum(
    terms: Sequence[Term], low: int, high: int, fresh: Callable[[], int]
) -> Iterator[Clause]:
    """Clauses that are satisfiable if and only if the weights of true literals are low to high.

    `terms` are pairs of a weight, from 1 up, and a literal. `fresh` returns a new variable. Bounds
    that cannot be met give the empty clause.

    >>> list(clauses_of_weighted_sum([(2, 1), (1, 2)], 0, 2, fresh=iter([3, 4]).__next__))
    [[-3, -2], [-4, -1, 3], [4]]
    >>> list(clauses_of_weighted_sum([(2, 1), (2, 2)], 3, 3, fresh=lambda: 3))
    [[]]
    """
    factor = gcd(*(weight for weight, _ in terms))
    if factor > 1:
        terms = [(weight // factor, literal) for weight, literal in terms]
        low, high = -(-low // factor), high // factor
    total = sum(weight for weight, _ in terms)
    if low > min(high, total) or high < 0:
        yield []
        return
    if high < total:
        yield from _at_most(terms, high, fresh)
    if low > 0:
        yield from _at_most([(weight, -literal) for weight, literal in terms], total - low, fresh)


class _Node(NamedTuple):
    """A node of the diagram: the same for all amounts from `low` to `high`."""

    low: int
    high: int
    variable: int | bool  # True: any values of the literals left fit; False: none do


def _at_most(terms: Sequence[Term], bound: int, fresh: Callable[[], int]) -> Iterator[Clause]:
    """Clauses for "the weights of true literals add up to at most `bound`". Depth first."""
    terms = sorted(_split(terms, bound), reverse=True)
    rest = [0]  # the sum of the weights from a term on
    for weight, _ in reversed(terms):
        rest.append(rest[-1] + weight)
    rest.reverse()
    known: list[list[_Node]] = [[] for _ in terms]  # the nodes of each term, by amount

    def find(place: int, amount: int) -> _Node | None:
        if amount < 0:
            return _Node(-rest[0], -1, False)  # no amount is less
        if amount >= rest[place]:
            return _Node(rest[place], bound, True)
        at = bisect_right(known[place], amount, key=lambda node: node.low)
        node = known[place][at - 1] if at else None
        return node if node is not None and amount <= node.high else None

    stack = [(0, bound)]
    while stack:
        place, amount = stack[-1]
        if find(place, amount) is not None:
            stack.pop()
            continue
        weight, literal = terms[place]
        without = find(place + 1, amount)
        if without is None:
            stack.append((place + 1, amount))
            continue
        within = find(place + 1, amount - weight)
        if within is None:
            stack.append((place + 1, amount - weight))
            continue
        variable = fresh()
        if without.variable is not True:
            yield [-variable, without.variable]
        if within.variable is False:
            yield [-variable, -literal]
        elif within.variable is not True:
            yield [-variable, -literal, within.variable]
        node = _Node(
            max(without.low, within.low + weight), min(without.high, within.high + weight), variable
        )
        nodes = known[place]
        nodes.insert(bisect_right(nodes, node.low, key=lambda other: other.low), node)
    root = find(0, bound)
    assert root is not None
    if root.variable is False:
        yield []
    elif root.variable is not True:
        yield [root.variable]


def _split(terms: Sequence[Term], bound: int) -> Sequence[Term]:
    """The terms, their weights split into powers of two if that makes a smaller diagram."""
    if bound <= SPLIT * len(terms):
        return terms
    return [
        (1 << bit, literal)
        for weight, literal in terms
        for bit in range(weight.bit_length())
        if weight >> bit & 1
    ]
