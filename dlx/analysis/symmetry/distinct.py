"""`solutions(distinct=True)`: of each class of symmetric solutions, the first in the search order.

The kernel decides for each solution, by itself, whether a symmetric one comes earlier in the tree of
the search (`dlx/_kernel/symmetry/first_of_class.hpp`). Nothing is remembered, so a search can be
limited, resumed, split among workers and recorded in a journal like any other.

`count_classes` counts the classes without a list of them, by the lemma that is not Burnside's: the
number of classes is the mean, over all symmetries, of the number of solutions that the symmetry
maps to themselves. Such a solution is a union of orbits of options, so they are the solutions of a
smaller problem, whose options are these orbits; `Problem.count` counts them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dlx.errors import InvalidArgument
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from dlx.core.kernel import ClassTest
    from dlx.core.numbering import NumberedProblem, SearchInput
    from dlx.core.table import Table

__all__ = ["MAX_ORDER", "DistinctSearch", "class_test"]

MAX_ORDER = 20_000
"""The largest group whose elements are listed."""

Permutation = tuple["array[int]", "array[int]"]
"""The images of all options and of all items, by their numbers in the table."""


def class_test(search_input: SearchInput, generators: Sequence[Permutation]) -> ClassTest:
    """The test for the first solution of each class. Raises `InvalidArgument` for a large group.

    The generators must map the set of givens to itself.
    """
    table, numbered, given = search_input
    moves = [_in_search_numbering(table, numbered, move) for move in generators]
    try:
        return numbered.problem.class_test(moves, given, MAX_ORDER)
    except ValueError:
        raise InvalidArgument(
            f"distinct=True lists the elements of the symmetry group, and this problem has more "
            f"than {MAX_ORDER:,} of them"
        ) from None


def _in_search_numbering(
    table: Table, numbered: NumberedProblem, move: Permutation
) -> Permutation:
    options, items = move
    rank, order = numbered.rank, numbered.order
    moved = array("i", items)
    for item, image in enumerate(items):
        moved[rank[item]] = rank[image]
    if order is None:
        return array("i", options), moved
    place = array("i", order)
    for here, option in enumerate(order):
        place[option] = here
    return array("i", (place[options[option]] for option in order)), moved


class DistinctSearch(Search):
    """A search that returns the first solution of each class; made by `solutions(distinct=True)`.

    `orbit_size` is the number of solutions in the class of the one returned last. `stats` counts
    the work and the solutions of the search for all of them.
    """

    __slots__ = ("_found", "_orbit_size", "_raw", "_sizes", "_table", "_test")

    def __init__(self, test: ClassTest, table: Table, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._test = test
        self._table = table
        self._raw: list[Solution] = []  # found, and not tested yet
        self._sizes: dict[Solution, int] = {}  # of the classes of solutions not returned yet
        self._found = 0  # classes
        self._orbit_size = 0

    @property
    def orbit_size(self) -> int:
        """The number of solutions symmetric to the one returned last, itself among them."""
        return self._orbit_size

    def __next__(self) -> Solution:
        solution = super().__next__()
        self._orbit_size = self._sizes.pop(solution)
        return solution

    def take(self, count: int, seconds: float | None = None) -> list[Solution]:
        """Up to `count` further solutions: see `Search.take`. `orbit_size` is that of the last."""
        found = super().take(count, seconds)
        for solution in found:
            self._orbit_size = self._sizes.pop(solution)
        return found

    def skip_all(self) -> int:
        """The number of classes up to the limits: see `Search.skip_all`."""
        self.drop_left_over()
        while self._draw():
            self.drop_left_over()
        return self._found

    def drop_left_over(self) -> None:
        """Discards the solutions that were found and not returned."""
        super().drop_left_over()
        self._sizes.clear()

    def _fetch(self, count: int, seconds: float, nodes: int) -> None:
        self._fetching = True
        try:
            if not self._raw:
                self._engine.draw(count, seconds, self._raw, nodes)
            self._keep_first()
        finally:
            self._fetching = False

    def _keep_first(self) -> None:
        """Moves the solutions that are the first of their classes to the batch."""
        index_of = self._table.index_of
        sizes = self._test.sizes([[index_of(name) for name in found] for found in self._raw])
        first = {found: size for found, size in zip(self._raw, sizes, strict=True) if size}
        self._sizes |= first
        self._found += len(first)
        self._drawn += first
        self._raw = []

    def _number_found(self) -> int:
        return self._found

    @property
    def exhausted(self) -> bool:
        """As in `Search`; solutions that are not tested yet count as not drawn."""
        return not self._raw and super().exhausted

    def __reduce__(self) -> tuple[Any, ...]:
        raise InvalidArgument("a search for distinct solutions cannot be pickled")
