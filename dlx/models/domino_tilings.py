"""Domino tilings of a board."""

from __future__ import annotations

from dlx.core.arguments import check_number
from dlx.models.checking import check_size
from dlx.models.regions import Cell, box, cell_item
from dlx.problem import Problem

__all__ = ["dominoes"]


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
    options: dict[tuple[Cell, Cell], list[str]] = {}
    board = box(rows, columns)
    for row, column in board:
        here = (row, column)
        for there in ((row, column + 1), (row + 1, column)):
            if there[0] < rows and there[1] < columns:
                options[here, there] = [cell_item(here), cell_item(there)]
    return Problem.from_options(options, primary=map(cell_item, board))
