"""Clauses for SAT solvers (CNF): an encoder for the relations of a problem.

A *literal* is a variable's number, or minus that number for its negation; a *clause* is a list of
literals at least one of which must be true. Each sum of a problem, "at least `low` and at most
`high` of these literals are true", becomes clauses. "At least one" is one clause; "at most one" of
few literals is a clause for each pair. All others use a *sequential counter*: variables s[i][j]
that mean "at least j of the first i literals are true"::

                  j = 1      j = 2
    x1            s[1][1]
    x2            s[2][1]    s[2][2]      x3 and s[2][1] imply s[3][2]: counting up, for a high
    x3            s[3][1]    s[3][2]      s[3][2] implies s[2][2], or x3: counting down, for a low

Counting up enforces an upper bound, counting down a lower bound; without that bound its clauses are
left out. The counter needs one column for each unit of the bound. Unit propagation on these clauses
finds every literal that the sum implies (they are "arc consistent").

A sum with weights is encoded by `dlx.formats.weighted_clauses`.

Source: C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005; the
downward half is the same counter read from its other side. TAOCP 4B, 7.2.2.2, (18) and exercises
26 to 30, has both and better ones for very long sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from dlx.formats.relations import Relations
from dlx.formats.weighted_clauses import Clause, clauses_of_weighted_sum

__all__ = ["Clause", "clauses_of", "clauses_of_sum", "size_of"]


def clauses_of(relations: Relations) -> Iterator[Clause]:
    """Yields the clauses. Variables beyond those of the relations belong to counters.

    A set of options is a solution if and only if some assignment of the other variables satisfies
    all clauses.
    """
    numbers = count(relations.variables + 1)
    for option, color in relations.implications:
        yield [-option, color]
    for total in relations.sums:
        if total.weights is None:
            yield from clauses_of_sum(total.variables, total.low, total.high, numbers.__next__)
        else:
            yield from clauses_of_weighted_sum(
                total.terms(), total.low, total.high, numbers.__next__
            )


def size_of(relations: Relations) -> tuple[int, int]:
    """The numbers of variables and clauses. Takes as long as making the clauses."""
    variables, clauses = relations.variables, 0
    for clause in clauses_of(relations):
        clauses += 1
        if clause:
            variables = max(variables, max(map(abs, clause)))
    return variables, clauses


PAIRWISE = 5
"""The most literals for which "at most one" uses a clause for each pair (at most 10 clauses)."""


def clauses_of_sum(
    literals: Sequence[int], low: int, high: int, fresh: Callable[[], int]
) -> Iterator[Clause]:
    """Clauses that are satisfiable if and only if `low` to `high` of the literals are true.

    `fresh` returns a new variable. Bounds that cannot be met give the empty clause. O(n) clauses
    for a `high` of 1, otherwise O(n * high), or O(n * low) if `high` is not below n.

    >>> list(clauses_of_sum([1, 2, 3], 1, 1, fresh=lambda: 4))
    [[1, 2, 3], [-1, -2], [-1, -3], [-2, -3]]
    >>> list(clauses_of_sum([1, 2], 3, 3, fresh=lambda: 4))
    [[]]
    """
    count = len(literals)
    if low > min(high, count) or high < 0:
        yield []
    elif low == count:
        yield from ([literal] for literal in literals)
    elif high == 0:
        yield from ([-literal] for literal in literals)
    else:
        if low == 1:
            yield list(literals)
        if high == 1 and count <= PAIRWISE:
            for place, literal in enumerate(literals):
                yield from ([-literal, -other] for other in literals[place + 1 :])
            return
        low = low if low > 1 else 0
        if low or high < count:
            yield from _counter(literals, low, high if high < count else None, fresh)


def _counter(
    literals: Sequence[int], low: int, high: int | None, fresh: Callable[[], int]
) -> Iterator[Clause]:
    """A sequential counter; `low` 0 and `high` None mean no bound."""
    columns = low if high is None else high
    before: list[int] = []  # s[i-1][1], s[i-1][2], ...
    for place, literal in enumerate(literals):
        last = place == len(literals) - 1
        if high is not None and len(before) == high:
            yield [-literal, -before[-1]]
        if last and not low:
            return
        here = [fresh() for _ in range(min(place + 1, columns))]
        if high is not None:
            yield from _count_up(literal, before, here)
        if low:
            yield from _count_down(literal, before, here)
        before = here
    yield [before[low - 1]]


def _count_up(literal: int, before: list[int], here: list[int]) -> Iterator[Clause]:
    for column, now in enumerate(here):
        if column < len(before):
            yield [-before[column], now]
        yield [-literal, now] if column == 0 else [-literal, -before[column - 1], now]


def _count_down(literal: int, before: list[int], here: list[int]) -> Iterator[Clause]:
    for column, now in enumerate(here):
        yield [-now, before[column], literal] if column < len(before) else [-now, literal]
        if column > 0:
            yield [-now, before[column - 1]]
