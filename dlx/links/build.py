"""Builds the matrix of a problem, of the class that its multiplicities and weights need."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from dlx.core.color import colored
from dlx.core.numbering import kernel_bounds
from dlx.core.times import times
from dlx.links.matrix import Matrix
from dlx.links.multiplicities import MultipleMatrix
from dlx.links.weights import WeightedMatrix

if TYPE_CHECKING:
    from array import array

    from dlx.core.kernel import Problem
    from dlx.core.table import Table

__all__ = ["build_matrix", "build_matrix_of_kind", "matrix_of"]


M = TypeVar("M", bound=Matrix)


def build_matrix(table: Table, rank: array[int], order: array[int] | None) -> Matrix:
    """The matrix of a table, numbered by `rank` and `order` of a `NumberedProblem`. O(entries)."""
    if table.has_weights:
        return build_matrix_of_kind(table, rank, order, WeightedMatrix)
    if table.has_multiplicities:
        return build_matrix_of_kind(table, rank, order, MultipleMatrix)
    return build_matrix_of_kind(table, rank, order, Matrix)


def build_matrix_of_kind(
    table: Table, rank: array[int], order: array[int] | None, kind: Callable[..., M]
) -> M:
    """As `build_matrix`, of the class `kind`.

    It must be a `MultipleMatrix` if there are multiplicities, a `WeightedMatrix` for weights.
    """
    by_rank = sorted(range(len(table.items)), key=rank.__getitem__)
    labels = range(len(table)) if order is None else order
    primary = [table.items[number] for number in by_rank if not table.secondary[number]]
    secondary = [table.items[number] for number in by_rank if table.secondary[number]]
    options = map(table.entries, labels)
    if not table.has_multiplicities:
        return kind(primary, secondary, options, labels=labels)
    bounds = {table.items[number]: pair for number, pair in kernel_bounds(table).items()}
    return kind(primary, secondary, options, labels=labels, multiplicities=bounds)


def matrix_of(problem: Problem) -> Matrix:
    """A problem as links in Python; its items are numbers. O(entries)."""
    primary, items, *columns = problem.__getstate__()
    start, item, color, label, low, high, weight = (memoryview(one).cast("i") for one in columns)
    entries: list[Hashable] = list(item)
    for place in range(len(entries) if color or weight else 0):
        if color and color[place]:
            entries[place] = colored(item[place], color[place])
        elif weight and weight[place] > 1:
            entries[place] = times(item[place], weight[place])
    options = [entries[first:last] for first, last in pairwise(start)]
    labels = label or range(len(options))
    both = (range(primary), range(primary, items), options)
    if not high:
        return Matrix(*both, labels=labels)
    bounds: dict[Hashable, tuple[int, int]] = dict(enumerate(zip(low, high, strict=True)))
    kind = WeightedMatrix if weight else MultipleMatrix
    return kind(*both, labels=labels, multiplicities=bounds)
