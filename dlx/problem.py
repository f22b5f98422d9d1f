"""The exact cover problem and the questions that can be asked of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from dlx.asynchronous import AsyncQuestions
from dlx.costs import CostQuestions
from dlx.diagram_questions import DiagramQuestions
from dlx.errors import FrozenProblem, InvalidEntry, quote
from dlx.estimates import EstimateQuestion
from dlx.exchange import Exchange
from dlx.explanations import ExplainQuestion
from dlx.limits import check_item_count
from dlx.many import ManyQuestions
from dlx.multiplicity import Multiplicities, set_multiplicities
from dlx.options import Options
from dlx.pictures.questions import PictureQuestions
from dlx.prepared import Prepared
from dlx.reducible import Reducible
from dlx.searching import SearchQuestions
from dlx.splits import SplitQuestion
from dlx.table import Table

if TYPE_CHECKING:
    import os
    from typing import IO

    from dlx.multiplicity import Multiplicity

__all__ = ["Problem"]


class Problem(
    AsyncQuestions,
    CostQuestions,
    DiagramQuestions,
    EstimateQuestion,
    Exchange,
    ExplainQuestion,
    ManyQuestions,
    Multiplicities,
    PictureQuestions,
    Reducible,
    SearchQuestions,
    SplitQuestion,
):
    """An exact cover problem, and the searches on it.

    Items are any hashable values. `primary` items must be covered exactly once, unless
    `multiplicities` maps them to a number n (exactly n times) or a pair (low, high) (at least low
    and at most high times); `secondary` items at most once, or any number of times in one color
    (see `dlx.colored`). With `primary=None` every item that is not declared secondary is primary,
    in order of first appearance; if `primary` is given, options may contain no others.

    An option is known by its *name*, which is its index (0, 1, ...) unless another is given. A
    *solution* is a tuple of option names, in the order chosen. All engines find the same solutions
    in the same order: the item with the fewest options left comes first (the one declared first,
    among several; see `dlx.heuristics` for others), and its options are tried in the order in which
    they were added.

    The problem is kept in compact arrays: 4 bytes an entry, 8 with colors.

    >>> import dlx
    >>> problem = dlx.Problem()
    >>> for items in ["ce", "adg", "bcf", "adf", "bg", "deg"]:
    ...     index = problem.add_option(list(items))
    >>> problem.solve()
    (0, 4, 3)
    >>> problem
    <dlx.Problem: 7 primary items, 0 secondary items, 6 options>
    """

    __slots__ = ()

    def __init__(
        self,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicities: Mapping[Any, Multiplicity] | None = None,
    ) -> None:
        self._table = Table(open_items=primary is None)
        self._frozen = False
        self._prepared: Prepared | None = None
        for items, flag in ((() if primary is None else primary, False), (secondary, True)):
            if isinstance(items, str | bytes):
                raise InvalidEntry(f"items come as a list, not as the text {quote(items)}")
            if isinstance(items, Mapping):
                raise InvalidEntry(_mapping_of_items("secondary" if flag else "primary", items))
            check_item_count(items)
            for item in items:
                self._table.add_item(item, secondary=flag)
        if multiplicities is not None:
            set_multiplicities(self._table, multiplicities)

    # -- building --------------------------------------------------------------------------------

    def add_item(
        self, item: Hashable, *, secondary: bool = False, multiplicity: Multiplicity = 1
    ) -> None:
        """Declares an item, after those declared before. O(1).

        A primary item is covered exactly `multiplicity` times, or, if that is a pair (low, high),
        at least low and at most high times.

        Raises `DuplicateItem` if it is declared already, `InvalidEntry` if it cannot be an item,
        `InvalidMultiplicity` if low is above high or negative, if high is 0, and for a secondary
        item. Bounds that no options can meet are no error: there is no solution then.

        >>> import dlx
        >>> problem = dlx.Problem()
        >>> problem.add_item("a")
        >>> problem.add_item(("row", 3), secondary=True)
        >>> problem.add_item("b", multiplicity=(1, 2))
        >>> problem.items
        ('a', ('row', 3), 'b')
        """
        with self._table.lock:
            self._change()
            self._table.add_item(item, secondary=secondary, multiplicity=multiplicity)
            self._prepared = None  # again: hashing the item may have asked a question

    def add_option(self, items: Iterable[Hashable], *, name: Hashable = None, cost: int = 0) -> int:
        """Adds an option and returns its index. O(number of its items).

        `items` may contain `dlx.colored` entries. `name` defaults to the index. `cost` is any
        integer, negative ones too, for `minimum`. If anything is wrong (see `dlx.errors`), an
        exception says what, and the problem is as it was before.

        >>> import dlx
        >>> problem = dlx.Problem(primary=["a", "b"])
        >>> problem.add_option(["a", "b"], name="both")
        0
        >>> problem.add_option(["a", "z"])
        Traceback (most recent call last):
        ...
        dlx.errors.UnknownItem: option 1: item 'z' was not declared
        """
        table = self._table
        with table.lock:
            self._change()
            index = table.add_option(items, name, cost)
            self._prepared = None  # again: hashing an item may have asked a question
        return index

    @classmethod
    def from_options(
        cls,
        options: Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]],
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Self:
        """A problem with these options: an iterable of them, or a mapping from names to them.

        `multiplicities` may name items that only the options declare. `costs` are those of the
        options, one after another, or by name in a mapping or a pandas Series, which must then have
        all of them.

        The same as `add_option` for one after another, and raises what that raises, but a tenth of
        a microsecond or two an option: one or two dozen times as fast.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]}).count()
        2
        """
        problem = cls(primary, secondary)
        if isinstance(options, str | bytes):
            raise InvalidEntry(f"options come as a list of lists, not as the text {quote(options)}")
        frozen, problem._frozen = problem._frozen, True  # to code that comparing items may run
        try:
            if isinstance(options, Mapping):
                problem._table.extend(_pairs(options), named=True)
            else:
                problem._table.extend(options)
            if costs is not None:
                problem._table.set_costs(costs)
        finally:
            problem._frozen, problem._prepared = frozen, None
        if multiplicities is not None:
            set_multiplicities(problem._table, multiplicities)
        return problem

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        secondary: int = 0,
        multiplicities: Mapping[Any, Multiplicity] | None = None,
    ) -> Self:
        """A problem from a matrix of zeros and ones: rows are options, columns are items.

        `matrix` is a list of lists, a 2-D NumPy array, or any scipy.sparse matrix or array. The
        items are the column numbers, of which the last `secondary` ones are secondary. Raises
        `InvalidEntry` for anything but 0 and 1 (or False and True), naming the row and the column.

        >>> import dlx
        >>> dlx.Problem.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 1]]).count()
        2
        """
        from dlx.formats.arrays import read_matrix

        start, entries, columns = read_matrix(matrix)
        return cls.from_arrays(
            start, entries, items=columns, secondary=secondary, multiplicities=multiplicities
        )

    @classmethod
    def from_arrays(
        cls,
        indptr: Any,
        indices: Any,
        *,
        items: int | Iterable[Hashable],
        secondary: int = 0,
        colors: Any = None,
        names: Iterable[Hashable] | None = None,
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Any = None,
    ) -> Self:
        """A problem from compressed rows (CSR), without a Python loop: for millions of options.

        Option `o` has the items `indices[indptr[o]:indptr[o + 1]]`. The arrays are NumPy arrays,
        `array.array`s, anything else with the buffer protocol and integers in it, or lists.
        `items` is the number of items (which are then 0, 1, ...) or the items themselves; the last
        `secondary` of them are secondary. `colors`, if there are any, runs parallel to `indices`,
        with 0 for no color. `names` are the options' names, `costs` what they cost (as in
        `from_options`), and `multiplicities` those of items.

        >>> import dlx
        >>> dlx.Problem.from_arrays([0, 2, 3, 5], [0, 1, 2, 1, 2], items=3).count()
        1
        """
        from dlx.formats.arrays import read_arrays, split_items

        problem = cls(*split_items(items, secondary))
        problem._table.adopt(*read_arrays(indptr, indices, colors))
        if names is not None:
            problem._table.set_names(names)
        if multiplicities is not None:
            set_multiplicities(problem._table, multiplicities)
        if costs is not None:
            problem._table.set_costs(costs)
        return problem

    @classmethod
    def load(cls, source: str | os.PathLike[str] | IO[str]) -> Self:
        """A problem from a file in Knuth's format: see `dlx.formats.knuth`.

        `source` is a path or an open text file. Raises `FormatError` with the number of the line.
        """
        from dlx.formats import knuth

        problem = cls(primary=())
        knuth.load(problem, source)
        return problem

    def freeze(self) -> Self:
        """Forbids all further change, so that the problem can be shared. Returns the problem.

        >>> import dlx
        >>> dlx.Problem(["a"]).freeze().add_option(["a"])
        Traceback (most recent call last):
        ...
        dlx.errors.FrozenProblem: the problem is frozen; build another one to change it
        """
        self._frozen = True
        return self

    def _change(self) -> None:
        if self._frozen:
            raise FrozenProblem("the problem is frozen; build another one to change it")
        self._prepared = None

    # -- inspection ------------------------------------------------------------------------------

    @property
    def items(self) -> tuple[Hashable, ...]:
        """All items, as declared."""
        return tuple(self._table.items)

    @property
    def primary(self) -> tuple[Hashable, ...]:
        """The items that must be covered: exactly once, or as often as their multiplicity says."""
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
        """The options as a sequence of tuples of items, `dlx.colored` ones among them."""
        return Options(self._table)

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names of the options, in order."""
        names = self._table.names
        return tuple(range(len(self)) if names is None else names)

    @property
    def entry_count(self) -> int:
        """The number of ones in the matrix: the lengths of all options together."""
        return len(self._table.entry_item)

    def index_of(self, name: Hashable) -> int:
        """The index of the option of that name. O(1). Raises `UnknownOption`."""
        return self._table.index_of(name)

    def __len__(self) -> int:
        """The number of options."""
        return len(self._table)

    def __bool__(self) -> bool:
        """A problem is true, with options or without."""
        return True

    def __eq__(self, other: object) -> bool:
        """Are the items of each kind, the options and their names the same, in the same order?

        And the multiplicities of the items, and the costs of the options.
        """
        if not isinstance(other, Problem):
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

    def __repr__(self) -> str:
        secondary = sum(self._table.secondary)
        counts = (
            (len(self._table.items) - secondary, "primary item"),
            (secondary, "secondary item"),
            (len(self), "option"),
        )
        shown = ", ".join(f"{number} {what}{'s' * (number != 1)}" for number, what in counts)
        if self._table.has_multiplicities:
            shown += f", multiplicities of {len(self._table.multiplicities)}"
        return f"<dlx.Problem: {shown}>"

    def __copy__(self) -> Self:
        problem = type(self).__new__(type(self))
        problem.__setstate__((self._table.copy(), self._frozen))
        return problem

    def __getstate__(self) -> tuple[Table, bool]:
        return self._table, self._frozen

    def __setstate__(self, state: tuple[Table, bool]) -> None:
        self._table, self._frozen = state
        self._prepared = None

    # -- checking --------------------------------------------------------------------------------

    def verify(self, solution: Iterable[Hashable]) -> None:
        """Raises `InvalidSolution` unless these options are a solution, in whatever order.

        Looks at the options only, independently of any engine. O(items + entries of the options).

        >>> import dlx
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
        >>> problem.verify(["y", "x"])
        >>> problem.verify(["x", "xy"])
        Traceback (most recent call last):
        ...
        dlx.errors.InvalidSolution: options 'x' and 'xy' both cover item 'a'
        """
        from dlx.verifying import verify

        verify(self._table, solution)


def _mapping_of_items(argument: str, items: Mapping[Any, Any]) -> str:
    """What to say of a mapping where items belong: most likely it has options by name."""
    meant = "" if argument == "secondary" else "for options by name, call Problem.from_options; "
    return f"{argument} is the mapping {quote(items)}; {meant}for its keys as items, give list(...)"


def _pairs(options: Mapping[Any, Iterable[Hashable]]) -> Iterable[tuple[Any, Iterable[Hashable]]]:
    """The names and options of a mapping, as tuples whatever kind of mapping it is."""
    if type(options) is dict:
        return options.items()
    return ((name, items) for name, items in options.items())
