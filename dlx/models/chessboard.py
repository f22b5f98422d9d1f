"""Problems of queens on a chessboard: n queens, and queen domination."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from dlx.core.arguments import check_number
from dlx.models.checking import check_size
from dlx.problem import Problem

__all__ = ["queen_domination", "queens"]


def queens(n: int) -> Problem[tuple[int, int]]:
    """Places n queens on an n x n board so that none attacks another.

    Options are named (row, column), both from 0. Rows and columns must be covered exactly once;
    diagonals are secondary. Primary items are in "organ-pipe order", the middle of the board
    first, so that ties go to the lines whose queens attack most squares. Diagonals of a single
    square constrain nothing and are left out. Items: 2n + 4n - 6; options: n^2, of 3 or 4 items.

    Source: TAOCP 7.2.2.1, "The n queens problem"; the number of solutions is OEIS A000170:
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, ...

    Raises `InvalidArgument` if n is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.queens(6).count()
    4
    >>> dlx.models.queens(4).solve()
    ((2, 0), (0, 1), (3, 2), (1, 3))
    """
    n = check_number("n", n, 1)
    check_size(4 * n * n, "entries of options", n=n)
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


def queen_domination(n: int, queens: int) -> Problem[tuple[int, int]]:
    """Places a given number of queens on an n x n board to attack or occupy every square.

    Options are named (row, column), both from 0. Items: "queens", to be covered exactly `queens`
    times, and the n^2 squares, each to be covered at least once. Options: n^2, each with the
    squares that its queen attacks or occupies. Queens attack through other queens here, which makes
    no difference: the other queen attacks the same squares.

    Source: TAOCP 7.2.2.1, where five queens that control the chessboard are the first example of
    covering with multiplicities. The least number of queens for which there is a solution is OEIS
    A075458: 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9, ...; the number of solutions with that
    least number is A002564: 1, 4, 1, 12, 186, 4, 86, 4860, 114, ...

    Raises `InvalidArgument` if n or queens is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.queen_domination(4, 1).count(), dlx.models.queen_domination(4, 2).count()
    (0, 12)
    >>> sorted(dlx.models.queen_domination(6, 3).solve())
    [(0, 0), (2, 4), (4, 2)]
    """
    n = check_number("n", n, 1)
    queens = check_number("queens", queens, 1)
    check_size(4 * n**3, "entries of options", n=n)
    squares = [(row, column) for row in range(n) for column in range(n)]
    options = {(r, c): ["queens", *_ruled(n, r, c)] for r, c in squares}
    bounds: dict[Hashable, tuple[int, int]] = {"queens": (queens, queens)}
    bounds |= dict.fromkeys(squares, (1, queens))
    return Problem.from_options(options, primary=["queens", *squares], multiplicities=bounds)


def _ruled(n: int, r: int, c: int) -> Iterator[tuple[int, int]]:
    """The squares that a queen on (r, c) attacks or occupies, in lexicographic order."""
    for row in range(n):
        away = abs(row - r)
        columns = sorted({c - away, c, c + away}) if away else range(n)
        yield from ((row, column) for column in columns if 0 <= column < n)


def organ_pipe(n: int) -> Iterator[int]:
    """The numbers 0, ..., n-1 from the middle outwards, like organ pipes ordered by height.

    >>> list(organ_pipe(5))
    [2, 1, 3, 0, 4]
    """
    for step in range(n):
        yield (n - 1 - step if step % 2 else n + step) // 2
