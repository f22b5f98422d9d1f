"""Builds the matrix of a problem, of the class that its multiplicities and weights need."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from dlx.core.entries import colored, times
from dlx.core.numbering import kernel_bounds
from dlx.links.matrix import Matrix
from dlx.links.multiplicities import MultipleMatrix
from dlx.links.weights import WeightedMatrix

if TYPE_CHECKING:
    from dlx.core.kernel import Problem
    from dlx.core.table import Table

__all__ = ["build_matrix", "build_matrix_of_kind", "matrix_in_steps", "matrix_of"]


PAUSE = 1000  # items or options between two steps
M = TypeVar("M", bound=Matrix)

Kinds = tuple[Callable[..., M], Callable[..., M], Callable[..., M]]
"""Classes of matrices: of plain problems, with multiplicities, and with weights as well."""

KINDS: Kinds[Matrix] = (Matrix, MultipleMatrix, WeightedMatrix)


def build_matrix(table: Table, rank: array[int], order: array[int] | None) -> Matrix:
    """The matrix of a table, numbered by `rank` and `order` of a `NumberedProblem`. O(entries)."""
    return build_matrix_of_kind(table, rank, order, KINDS)


def build_matrix_of_kind(
    table: Table, rank: array[int], order: array[int] | None, kinds: Kinds[M]
) -> M:
    """As `build_matrix`, of one of these classes."""
    matrix, filling = _in_steps(table, rank, order, kinds)
    for _ in filling:
        pass
    return matrix


def matrix_in_steps(
    table: Table, rank: array[int], order: array[int] | None
) -> tuple[Matrix, Iterator[None]]:
    """An empty matrix, and an iterator that fills it as `build_matrix` does, from the table as it
    is now, in steps of `PAUSE` items or options.
    """
    return _in_steps(table, rank, order, KINDS)


def _in_steps(
    table: Table, rank: array[int], order: array[int] | None, kinds: Kinds[M]
) -> tuple[M, Iterator[None]]:
    kind = kinds[2 if table.has_weights else table.has_multiplicities]
    by_rank = sorted(range(len(table.items)), key=rank.__getitem__)
    items = [(table.items[number], not table.secondary[number]) for number in by_rank]
    labels = range(len(table)) if order is None else order
    if not table.has_multiplicities:
        matrix = kind(())
    else:
        bounds = {table.items[number]: pair for number, pair in kernel_bounds(table).items()}
        matrix = kind((), multiplicities=bounds)
    return matrix, _fill(matrix, items, labels, table)


def _fill(
    matrix: Matrix, items: list[tuple[Hashable, bool]], labels: Sequence[int], table: Table
) -> Iterator[None]:
    for number, (name, primary) in enumerate(items, start=1):
        matrix.append_item(name, primary)
        if number % PAUSE == 0:
            yield
    for number, label in enumerate(labels, start=1):
        matrix.append_option(label, table.entries(label))
        if number % PAUSE == 0:
            yield


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
    return KINDS[2 if weight else 1](*both, labels=labels, multiplicities=bounds)
