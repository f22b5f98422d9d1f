"""What the questions of a `Problem` have in common: its data, and these made ready for a search.

Each kind of question is a room of its own, a class that derives from `Questions`; `Problem` derives
from all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.prepared import Prepared
from dlx.search import check_seed

if TYPE_CHECKING:
    from dlx.links import Matrix
    from dlx.table import Table

__all__ = ["Questions"]


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
        prepared = self._prepared if seed is None else None
        if prepared is not None:
            return prepared
        with self._table.lock:  # or what another thread adds now is missing from what is kept
            prepared = Prepared.of(self._table, seed)
            if seed is None:
                self._prepared = prepared
        return prepared

    def _lay_matrix(self, prepared: Prepared) -> Matrix:
        from dlx.laying import lay_matrix

        return lay_matrix(self._table, prepared.rank, prepared.order)
