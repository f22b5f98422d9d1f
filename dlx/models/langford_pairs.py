"""Langford pairs."""

from __future__ import annotations

from dlx.core.arguments import check_number
from dlx.models.checking import check_size
from dlx.problem import Problem

__all__ = ["langford"]


def langford(n: int) -> Problem[tuple[int, int, int]]:
    """Arranges 1, 1, 2, 2, ..., n, n in a row so that k other numbers are between the two k's.

    Options are named (k, first, second), with the two positions of k from 0. Each arrangement
    and its mirror image are both found. Items: 3n, all primary; options: n(3n - 1)/2 - n, of 3
    items each.

    Source: TAOCP 7.2.2.1, Langford pairs; the number of solutions is twice OEIS A014552, which is
    0, 0, 1, 1, 0, 0, 26, 150, 0, 0, 17792, 108144, ...

    Raises `InvalidArgument` if n is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.langford(7).count()
    52
    >>> row = [0] * 6
    >>> for k, first, second in dlx.models.langford(3).solve():
    ...     row[first] = row[second] = k
    >>> row
    [3, 1, 2, 1, 3, 2]
    """
    n = check_number("n", n, 1)
    check_size(3 * n * (3 * n - 3) // 2, "entries of options", n=n)
    options = {
        (k, first, first + k + 1): [str(k), f"s{first}", f"s{first + k + 1}"]
        for k in range(1, n + 1)
        for first in range(2 * n - k - 1)
    }
    primary = [str(k) for k in range(1, n + 1)] + [f"s{place}" for place in range(2 * n)]
    return Problem.from_options(options, primary=primary)
