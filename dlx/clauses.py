"""Relations as clauses: a problem for SAT solvers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from dlx.cardinality import Clause, clauses_of_sum
from dlx.relations import Relations

__all__ = ["clauses_of", "size_of"]


def clauses_of(relations: Relations) -> Iterator[Clause]:
    """The clauses, one after another; variables beyond those of the relations only count.

    A set of options is a solution just if some assignment of the other variables satisfies all.
    """
    numbers = count(relations.variables + 1)
    for option, color in relations.implications:
        yield [-option, color]
    for total in relations.sums:
        yield from clauses_of_sum(total.variables, total.low, total.high, numbers.__next__)


def size_of(relations: Relations) -> tuple[int, int]:
    """How many variables and clauses there are. As much work as making the clauses."""
    variables, clauses = relations.variables, 0
    for clause in clauses_of(relations):
        clauses += 1
        if clause:
            variables = max(variables, max(map(abs, clause)))
    return variables, clauses
