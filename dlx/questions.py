"""What the questions of a `Problem` have in common: its data, and these made ready for a search.

Each kind of question is a room of its own, a class that derives from `Questions`; `Problem` derives
from all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from dlx.prepared import Prepared
from dlx.search import check_seed

if TYPE_CHECKING:
    from dlx.links import Matrix
    from dlx.table import Table

__all__ = ["Questions"]

M = TypeVar("M", bound="Matrix")


class Questions:
    """A problem as those see it who answer questions about it."""

    __slots__ = ("_frozen", "_prepared", "_table")

    _table: Table
    _frozen: bool
    _prepared: Prepared | None

    def matrix(self, seed: int | None = None) -> Matrix:
        """The problem as a toroidal matrix in plain Python, to look at or to trace: `dlx.links`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["a", "b"]])
        >>> for step in problem.matrix().search():
        ...     print(step)
        level 0: item b (1 option)
          try option 1
          solution!
        level 0: item b is done
        """
        return self._lay_matrix(self._prepare(check_seed(seed)))

    def _prepare(self, seed: int | None) -> Prepared:
        """The problem in search order, for the kernel; kept until the problem changes."""
        if seed is not None:
            return Prepared.of(self._table, seed)
        if self._prepared is None:
            self._prepared = Prepared.of(self._table, None)
        return self._prepared

    def _lay_matrix(self, prepared: Prepared) -> Matrix:
        if self._table.has_multiplicities:
            from dlx.multiple import MultipleMatrix

            return self._lay(prepared, MultipleMatrix)
        from dlx.links import Matrix

        return self._lay(prepared, Matrix)

    def _lay(self, prepared: Prepared, kind: Callable[..., M]) -> M:
        """The problem as a matrix of that kind, which has multiplicities if the problem has."""
        table = self._table
        by_rank = sorted(range(len(table.items)), key=prepared.rank.__getitem__)
        order = range(len(table)) if prepared.order is None else prepared.order
        primary = [table.items[number] for number in by_rank if not table.secondary[number]]
        secondary = [table.items[number] for number in by_rank if table.secondary[number]]
        options = map(table.entries, order)
        if not table.has_multiplicities:
            return kind(primary, secondary, options, labels=order)
        bounds = table.bounds_by_item()
        return kind(primary, secondary, options, labels=order, multiplicities=bounds)
