"""Tilings of boards by dominoes, by squares and by bricks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dlx.core.arguments import check_number
from dlx.core.cells import Cell
from dlx.errors import InvalidArgument, quote
from dlx.models.checking import check_size
from dlx.models.polyforms import Placement, polyominoes
from dlx.models.regions import box
from dlx.problem import Problem

if TYPE_CHECKING:
    from dlx.core.multiplicity import Multiplicity

__all__ = ["bricks", "dominoes", "partridge"]


def dominoes(rows: int, columns: int) -> Problem[tuple[Cell, Cell]]:
    """Covers a board of rows x columns with dominoes.

    Options are named by their pairs of cells: ((0, 0), (0, 1)) is the domino on the first two.
    Items: rows * columns; options: about twice as many, of 2 items each.

    Source: OEIS A099390 (all boards), A004003 (2n x 2n boards: 2, 36, 6728, 12988816, ...).

    Raises `InvalidArgument` if a side is not an integer from 1 up.

    >>> import dlx.models
    >>> dlx.models.dominoes(4, 4).count()
    36
    >>> dlx.models.dominoes(2, 1).solve()
    (((0, 0), (1, 0)),)
    """
    rows = check_number("rows", rows, 1)
    columns = check_number("columns", columns, 1)
    check_size(4 * rows * columns, "entries of options", rows=rows, columns=columns)
    options: dict[tuple[Cell, Cell], tuple[Cell, Cell]] = {}
    board = box(rows, columns)
    for row, column in board:
        here = (row, column)
        for there in ((row, column + 1), (row + 1, column)):
            if there[0] < rows and there[1] < columns:
                options[here, there] = here, there
    return Problem.from_options(options, primary=board)


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
        (k, row, column): [f"side{k}", *box(k, k, at=(row, column))]
        for k in range(1, n + 1)
        for row in range(side - k + 1)
        for column in range(side - k + 1)
    }
    sides = {f"side{k}": k for k in range(1, n + 1)}
    primary = [*box(side, side), *sides]
    return Problem.from_options(options, primary=primary, multiplicities=sides)


def bricks(counts: Mapping[tuple[int, ...], Multiplicity], *sides: int) -> Problem[Placement]:
    """Fills a rectangle or a cuboid with bricks, given the number of bricks of each size.

    `counts` maps sizes, such as (1, 2, 2), to n (use all n) or (low, high) (use at least low and at
    most high). Bricks may be rotated. Options are named (brick, cells), with the brick as "1x2x2"
    and the cells as a sorted tuple. Items: each size, with its count as the multiplicity, and each
    cell of the box. Bricks of the same size are interchangeable; solutions that are rotations or
    reflections of each other are all found.

    Source: Knuth wrote his first program for covering with multiplicities for bricks in boxes
    (TAOCP 7.2.2.1; the introduction of his DLX3). The puzzle below, six flat bricks and three small
    cubes, is by J. Slothouber and W. Graatsma. A larger one is by J. H. Conway: thirteen bricks of
    1 x 2 x 4, one of 2 x 2 x 2, one of 1 x 2 x 2 and three of 1 x 1 x 3 in a box of 5 x 5 x 5.

    Raises `InvalidArgument` for invalid sizes, and for two sizes that are rotations of each other;
    `InvalidMultiplicity` for an invalid count.

    >>> import dlx.models
    >>> puzzle = dlx.models.bricks({(1, 2, 2): 6, (1, 1, 1): 3}, 3, 3, 3)
    >>> puzzle.multiplicities
    {'1x2x2': (6, 6), '1x1x1': (3, 3)}
    >>> small = [cells for brick, cells in puzzle.solve() if brick == "1x1x1"]
    >>> sorted(cell for (cell,) in small)
    [(0, 2, 0), (1, 1, 1), (2, 0, 2)]
    """
    region = box(*sides)
    if not isinstance(counts, Mapping):
        raise InvalidArgument(
            f"bricks are {quote(counts)}; give a mapping from sizes such as (1, 2, 2) to numbers"
        )
    names: dict[tuple[int, ...], str] = {}
    boxes: dict[str, list[Cell]] = {}
    for size in counts:
        if not isinstance(size, tuple):
            raise InvalidArgument(f"a size is {quote(size)}; it must be a tuple such as (1, 2, 2)")
        cells = box(*size)  # checks the size
        boxes[_name(size)] = cells
        turned = (*sorted(size),)
        if turned in names:
            raise InvalidArgument(
                f"the brick {_name(size)} is a rotation of the brick {names[turned]}"
            )
        names[turned] = _name(size)
    return polyominoes(
        boxes,
        region,
        counts={_name(size): multiplicity for size, multiplicity in counts.items()},
    )


def _name(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))
