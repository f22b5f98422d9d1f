"""Queens on a chessboard."""

from __future__ import annotations

from collections.abc import Iterator

from dlx.models.checking import check_number
from dlx.problem import Problem

__all__ = ["queens"]


def queens(n: int) -> Problem:
    """Places n queens on an n x n board so that none attacks another.

    Options are named (row, column), both from 0. Rows and columns must be covered exactly once;
    diagonals are secondary. Primary items stand in "organ-pipe order", the middle of the board
    first, so that ties go to the lines that cut off most. A diagonal of a single square forbids
    nothing and is left out. Items: 2n + 4n - 6; options: n^2, of 3 or 4 items.

    Source: TAOCP 7.2.2.1, "The n queens problem"; the number of solutions is OEIS A000170:
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, ...

    Raises `InvalidArgument` if n is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.queens(6).count()
    4
    >>> dlx.models.queens(4).solve()
    ((2, 0), (0, 1), (3, 2), (1, 3))
    """
    check_number("n", n, 1)
    lines = list(organ_pipe(n))
    primary = [f"{kind}{line}" for line in lines for kind in "rc"]
    diagonals = [f"a{total}" for total in range(1, 2 * n - 2)]
    diagonals += [f"b{difference}" for difference in range(2 - n, n - 1)]
    options: dict[tuple[int, int], list[str]] = {}
    for row in range(n):
        for column in range(n):
            items = [f"r{row}", f"c{column}"]
            if 0 < row + column < 2 * n - 2:
                items.append(f"a{row + column}")
            if 1 - n < row - column < n - 1:
                items.append(f"b{row - column}")
            options[row, column] = items
    return Problem.from_options(options, primary=primary, secondary=diagonals if n > 1 else ())


def organ_pipe(n: int) -> Iterator[int]:
    """0, 1, ..., n-1 from the middle outwards, as the pipes of an organ stand by height.

    >>> list(organ_pipe(5))
    [2, 1, 3, 0, 4]
    """
    for step in range(n):
        yield (n - 1 - step if step % 2 else n + step) // 2
