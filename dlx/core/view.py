"""`ProblemView`: the items and options of a problem, to be read."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Generic

from dlx.core.givens import indices_of
from dlx.core.name_types import Name
from dlx.core.table import Options, Table

if TYPE_CHECKING:
    from dlx.core.multiplicity import Bounds

__all__ = ["ProblemView"]


class ProblemView(Generic[Name]):
    """The items and options of a problem: the base class of `dlx.Problem`.

    What writes or draws problems takes this.
    """

    __slots__ = ("_table",)

    _table: Table

    @property
    def items(self) -> tuple[Hashable, ...]:
        """All items, in the order of declaration."""
        return tuple(self._table.items)

    @property
    def primary(self) -> tuple[Hashable, ...]:
        """The items that must be covered exactly once, or as often as their multiplicity says."""
        return self._items_with(flag=0)

    @property
    def secondary(self) -> tuple[Hashable, ...]:
        """The items that may be covered at most once, or in one color."""
        return self._items_with(flag=1)

    def _items_with(self, *, flag: int) -> tuple[Hashable, ...]:
        table = self._table
        return tuple(x for x, f in zip(table.items, table.secondary, strict=True) if f == flag)

    @property
    def options(self) -> Options:
        """The options as a sequence of tuples of items, `dlx.colored` and `dlx.times` entries."""
        return Options(self._table)

    @property
    def names(self) -> tuple[Name, ...]:
        """The names of the options, in order."""
        names: Iterable[Any] | None = self._table.names
        return tuple(range(len(self)) if names is None else names)

    def index_of(self, name: Name) -> int:
        """The index of the option of that name. O(1). Raises `UnknownOption`."""
        return self._table.index_of(name)

    def option(self, name: Name) -> tuple[Hashable, ...]:
        """The option of that name: its items, `dlx.colored` and `dlx.times` entries.

        O(its items). Raises `UnknownOption`.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b", "c"]}).option("y")
        ('b', 'c')
        """
        return self._table.entries(self._table.index_of(name))

    @property
    def entry_count(self) -> int:
        """The number of ones in the matrix: the lengths of all options together."""
        return len(self._table.entry_item)

    @property
    def multiplicities(self) -> dict[Hashable, Bounds]:
        """The bounds (low, high) of the items that need not be covered exactly once.

        A high of None is no upper bound. In the order in which they were set, and in the form that
        `multiplicities=` takes.

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"], multiplicities={"b": 3})
        >>> problem.add_item("c", multiplicity=(0, None))
        >>> problem.multiplicities
        {'b': (3, 3), 'c': (0, None)}
        """
        return self._table.bounds_by_item()

    def multiplicity_of(self, item: Hashable) -> Bounds:
        """The bounds (low, high) on how often a primary item may be covered. O(1).

        A high of None is no upper bound.

        Raises `UnknownItem`, and `InvalidMultiplicity` for a secondary item, which has none.

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"], multiplicities={"b": (2, 3)})
        >>> problem.multiplicity_of("a"), problem.multiplicity_of("b")
        ((1, 1), (2, 3))
        """
        return self._table.multiplicity_of(item)

    def __len__(self) -> int:
        """The number of options."""
        return len(self._table)

    def __bool__(self) -> bool:
        """True, also for a problem without options."""
        return True

    def __eq__(self, other: object) -> bool:
        """True if items, multiplicities, options, names and costs are equal, in the same order."""
        if not isinstance(other, ProblemView):
            return NotImplemented
        return (
            self.primary == other.primary
            and self.secondary == other.secondary
            and self.multiplicities == other.multiplicities
            and self.names == other.names
            and self.costs == other.costs
            and self.options == other.options
        )

    __hash__ = None  # type: ignore[assignment]  # a problem can change

    @property
    def costs(self) -> tuple[int, ...]:
        """The costs of the options, in order.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b"]}, costs={"y": -2, "x": 3}).costs
        (3, -2)
        """
        return self._table.every_cost()

    def cost_of(self, solution: Iterable[Name]) -> int:
        """The total cost of the options of these names. O(1) each.

        Raises `UnknownOption`, and `InvalidSolution` for None.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).cost_of([0, 1])
        3
        """
        from dlx.core.verify import check_solution

        return self._table.total_cost(indices_of(self._table, check_solution(solution)))

    def verify(self, solution: Iterable[Name]) -> None:
        """Raises `InvalidSolution` unless these options, in any order, are a solution.

        Looks at the options only, independently of any engine. O(items + entries of the options).

        >>> import dlx
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
        >>> problem.verify(["y", "x"])
        >>> problem.verify(["x", "xy"])
        Traceback (most recent call last):
        ...
        dlx.errors.InvalidSolution: options 'x' and 'xy' both cover item 'a'
        """
        from dlx.core.verify import verify

        verify(self._table, solution)

    def deviations(self, solution: Iterable[Name]) -> dict[Hashable, int]:
        """The items that these options cover too rarely or too often, and by how many times.

        A negative number of times is missing. Colors are not compared. Empty for a solution of the
        problem; for one with penalties (see `dlx.keywords.RankingKeywords`), what they are for.
        O(items + entries of the options). Raises `UnknownOption`, and `InvalidSolution` for None.

        >>> import dlx
        >>> problem = dlx.Problem.from_options({"x": ["a", "b"], "y": ["b", "c"], "z": ["d"]})
        >>> problem.deviations(["x", "y"])
        {'b': 1, 'd': -1}
        """
        from dlx.core.verify import deviations

        return deviations(self._table, solution)
