"""A problem in search order as a matrix in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.links import Matrix

if TYPE_CHECKING:
    from array import array

    from dlx.table import Table

__all__ = ["lay_matrix"]


def lay_matrix(table: Table, rank: array[int], order: array[int] | None) -> Matrix:
    """The matrix of a table with the numbering of a `dlx.prepared.Prepared`. O(entries)."""
    by_rank = sorted(range(len(table.items)), key=rank.__getitem__)
    labels = range(len(table)) if order is None else order
    primary = [table.items[number] for number in by_rank if not table.secondary[number]]
    secondary = [table.items[number] for number in by_rank if table.secondary[number]]
    options = map(table.entries, labels)
    if not table.has_multiplicities:
        return Matrix(primary, secondary, options, labels=labels)
    from dlx.multiple import MultipleMatrix

    bounds = table.bounds_by_item()
    return MultipleMatrix(primary, secondary, options, labels=labels, multiplicities=bounds)
