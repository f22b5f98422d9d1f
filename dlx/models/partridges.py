"""The partridge puzzle: pack one square of side 1, two of side 2, ... into a large square."""

from __future__ import annotations

from dlx.core.arguments import check_number
from dlx.models.checking import check_size
from dlx.models.regions import box, cell_item
from dlx.problem import Problem

__all__ = ["partridge"]


def partridge(n: int) -> Problem[tuple[int, int, int]]:
    """Packs k squares of side k, for k = 1, 2, ..., n, into a square of side 1 + 2 + ... + n.

    The areas are equal, 1^3 + 2^3 + ... + n^3 = (1 + 2 + ... + n)^2, but that does not imply that
    the squares fit. Options are named (k, row, column), with the upper left corner of the square.
    Items: n^2 (n+1)^2 / 4 cells, and an item "side1", "side2", ... for each k, to be covered k
    times; options: about n^5 / 4. Solutions that are rotations or reflections of each other are all
    found.

    Source: R. T. Wainwright 1996, who named it after the presents in "The Twelve Days of
    Christmas"; TAOCP 7.2.2.1, exercises on Algorithm M. Apart from n = 1, the least n with
    solutions is 8 (W. Cutler), with 8 * 2332.

    Raises `InvalidArgument` if n is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.partridge(1).solve()
    ((1, 0, 0),)
    >>> dlx.models.partridge(8)
    <dlx.Problem: 1304 primary items, 0 secondary items, 8492 options, multiplicities of 7>
    >>> dlx.models.partridge(4).count()
    0
    """
    n = check_number("n", n, 1)
    check_size(n**7 // 12, "entries of options", n=n)
    side = n * (n + 1) // 2
    options = {
        (k, row, column): [f"side{k}", *map(cell_item, box(k, k, at=(row, column)))]
        for k in range(1, n + 1)
        for row in range(side - k + 1)
        for column in range(side - k + 1)
    }
    sides = {f"side{k}": k for k in range(1, n + 1)}
    cells = map(cell_item, box(side, side))
    return Problem.from_options(options, primary=[*cells, *sides], multiplicities=sides)
