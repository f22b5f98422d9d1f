"""Perfect matchings of complete graphs."""

from __future__ import annotations

from itertools import combinations

from dlx.core.arguments import check_number
from dlx.problem import Problem

__all__ = ["matchings"]


def matchings(n: int) -> Problem[tuple[int, int]]:
    """Splits 2n people into n pairs: the perfect matchings of the complete graph on 2n vertices.

    Options are the pairs (a, b), a < b, of the numbers 0, ..., 2n - 1. Items: 2n; options:
    n(2n - 1). The search has no dead ends, so it measures the cost of a solution.

    Source: OEIS A001147, the double factorial (2n - 1)!! = 1, 3, 15, 105, 945, ...

    Raises `InvalidArgument` if n is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.matchings(4).count()
    105
    >>> list(dlx.models.matchings(2).solutions())
    [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    """
    check_number("n", n, 1)
    people = list(map(str, range(2 * n)))
    options = {(a, b): [people[a], people[b]] for a, b in combinations(range(2 * n), 2)}
    return Problem.from_options(options, primary=people)
