"""A problem in search order as a matrix in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from dlx.links import Matrix

if TYPE_CHECKING:
    from array import array

    from dlx.table import Table

__all__ = ["lay", "lay_matrix"]

M = TypeVar("M", bound=Matrix)


def lay_matrix(table: Table, rank: array[int], order: array[int] | None) -> Matrix:
    """The matrix of a table with the numbering of a `dlx.prepared.Prepared`. O(entries)."""
    if table.has_multiplicities:
        from dlx.multiple import MultipleMatrix

        return lay(table, rank, order, MultipleMatrix)
    return lay(table, rank, order, Matrix)


def lay(table: Table, rank: array[int], order: array[int] | None, kind: Callable[..., M]) -> M:
    """As a matrix of that kind, which must know multiplicities if the table has any."""
    by_rank = sorted(range(len(table.items)), key=rank.__getitem__)
    labels = range(len(table)) if order is None else order
    primary = [table.items[number] for number in by_rank if not table.secondary[number]]
    secondary = [table.items[number] for number in by_rank if table.secondary[number]]
    options = map(table.entries, labels)
    if not table.has_multiplicities:
        return kind(primary, secondary, options, labels=labels)
    bounds = table.bounds_by_item()
    return kind(primary, secondary, options, labels=labels, multiplicities=bounds)
