"""`Problem`: an exact cover problem; how to build and inspect it, and a method for each question.

`solve`, `solutions` and `count` make a problem from options and answer in one call.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, overload

from dlx.analysis.count import check_memory, count_solutions
from dlx.analysis.solutions import find_first, has_one_solution, open_search
from dlx.core.arguments import check_item_count, check_seed, is_iterable, is_list_like
from dlx.core.givens import allowed, check_forbidden, check_given, indices_of
from dlx.core.multiplicity import set_all_multiplicities, set_multiplicities
from dlx.core.name_types import Name
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Options, Table
from dlx.errors import FrozenProblem, InvalidArgument, InvalidEntry, UnknownItem, quote
from dlx.named_tuple import NamedTuple
from dlx.search.options import SearchOptions

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor
    from typing import IO

    from dlx.analysis.batches import Answers, Givens
    from dlx.analysis.diagram.diagram import Diagram
    from dlx.analysis.estimate import Estimate
    from dlx.analysis.explain import Explanation
    from dlx.analysis.minimum import Progress, Ranking
    from dlx.analysis.symmetry.canonical import Isomorphism
    from dlx.analysis.symmetry.group import Symmetries, Symmetry
    from dlx.core.multiplicity import Bounds, Multiplicity
    from dlx.core.name_types import MaybeNone, OtherName, Solution
    from dlx.core.part import Part
    from dlx.core.picture import Picture
    from dlx.errors import DLXError
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Matrix
    from dlx.plan import Plan
    from dlx.search.asynchronous import AsyncSearch
    from dlx.search.codec import Code
    from dlx.search.progress import SearchProgress
    from dlx.search.search import Search

__all__ = ["Problem", "Reduction", "count", "solutions", "solve"]


class Problem(Generic[Name]):
    """An exact cover problem: items, and options that cover some of them.

    Items are any hashable values. A `primary` item must be covered exactly once, unless
    `multiplicities` maps it to a number n (exactly n times) or a pair (low, high) (at least low and
    at most high times; a high of None is no upper bound). A `secondary` item may be covered at most
    once, or any number of times in one color (see `dlx.colored`). An option may cover a primary
    item several times: see `dlx.times`, and docs/multiplicities.md. With `primary=None` every item
    that is not declared secondary is primary, in order of first appearance. If `primary` is given,
    options may contain no undeclared items.

    Each option has a *name*, which is its index (0, 1, ...) unless another is given. A *solution*
    is a tuple of option names, in the order in which the search chose them. All engines find the
    same solutions in the same order: they branch on the item with the fewest options left (on a
    tie, the one declared first; see `dlx.links.heuristics` for other rules), and try its options in
    the order in which they were added.

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

    __slots__ = ("_frozen", "_prepared", "_table")

    def __init__(
        self,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicities: Mapping[Any, Multiplicity] | None = None,
    ) -> None:
        self._table = Table(open_items=primary is None)
        self._frozen = False
        self._prepared: NumberedProblem | None = None
        for items, flag in ((() if primary is None else primary, False), (secondary, True)):
            if type(items) is tuple and not items:
                continue  # the most frequent case
            if isinstance(items, str | bytes):
                raise InvalidEntry(f"items come as a list, not as the text {quote(items)}")
            if not is_iterable(items):
                raise InvalidEntry(f"items come as a list, not as {quote(items)}")
            if isinstance(items, Mapping):
                raise InvalidEntry(_mapping_of_items("secondary" if flag else "primary", items))
            check_item_count(items)
            self._table.add_items(items, secondary=flag)
        if multiplicities is not None:
            set_multiplicities(self._table, multiplicities)

    # -- building ----------------------------------------------------------------------------------

    @overload
    @classmethod
    def from_options(
        cls,
        options: Mapping[OtherName, Iterable[Hashable]],
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[OtherName]: ...
    @overload
    @classmethod
    def from_options(
        cls,
        options: Iterable[Iterable[Hashable]],
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[int]: ...
    @classmethod
    def from_options(
        cls,
        options: OptionsLike,
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[Any]:
        """A problem with these options: an iterable of them, or a mapping from names to them.

        `multiplicities` may name items that only the options declare. `costs` has a cost for every
        option: in their order, or by name in a mapping or a pandas Series.

        Does the same as `add_option` in a loop, and raises the same errors, but is 12 to 24 times
        as fast: 0.1 to 0.2 microseconds an option.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]}).count()
        2
        """
        problem = cls._of_options(options, primary, secondary, costs)
        if multiplicities is not None:
            set_multiplicities(problem._table, multiplicities)
        else:
            problem._table.check_weights()
        return problem

    @classmethod
    def _of_options(
        cls,
        options: OptionsLike,
        primary: Iterable[Hashable] | None,
        secondary: Iterable[Hashable],
        costs: Iterable[int] | Mapping[Any, int] | None,
        *,
        default_cost: int = 0,
    ) -> Self:
        """As `from_options`, but before multiplicities are set and weights are checked."""
        problem = cls(primary, secondary)
        if isinstance(options, str | bytes):
            raise InvalidEntry(f"options come as a list of lists, not as the text {quote(options)}")
        frozen, problem._frozen = problem._frozen, True  # items' __eq__ must not change it
        try:
            if isinstance(options, Mapping):
                problem._table.extend(_pairs(options), named=True)
            else:
                problem._table.extend(options)
            if costs is None and default_cost != 0:
                costs = [default_cost] * len(problem)
            if costs is not None:
                problem._table.set_costs(costs)
        finally:
            problem._frozen, problem._prepared = frozen, None
        return problem

    @overload
    @classmethod
    def covering(
        cls,
        options: Mapping[OtherName, Iterable[Hashable]],
        *,
        at_least: int | Mapping[Any, int] = 1,
        secondary: Iterable[Hashable] = (),
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[OtherName]: ...
    @overload
    @classmethod
    def covering(
        cls,
        options: Iterable[Iterable[Hashable]],
        *,
        at_least: int | Mapping[Any, int] = 1,
        secondary: Iterable[Hashable] = (),
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[int]: ...
    @classmethod
    def covering(
        cls,
        options: OptionsLike,
        *,
        at_least: int | Mapping[Any, int] = 1,
        secondary: Iterable[Hashable] = (),
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[Any]:
        """A set covering problem: choose options that cover every item at least once.

        Every item of the options that is not secondary has the multiplicity (`at_least`, None). As
        a mapping, `at_least` has the demand of some items; all others must be covered once. An item
        of demand 0 need not be covered. `options`, `secondary` and `costs` are as in
        `from_options`, but without `costs` every option costs 1, so that `minimum` takes as few
        options as possible.

        >>> import dlx
        >>> reach = {"hill": "abc", "church": "ad", "school": "bcd", "mill": "cd"}
        >>> towers = {place: list(villages) for place, villages in reach.items()}
        >>> problem = dlx.Problem.covering(towers)
        >>> problem.multiplicities["a"]
        (1, None)
        >>> problem.minimum()
        [(2, ('hill', 'church'))]
        >>> dlx.Problem.covering(towers, at_least={"d": 2}).count()
        6
        """
        problem = cls._of_options(options, None, secondary, costs, default_cost=1)
        set_all_multiplicities(problem._table, at_least, lambda n: (n, None))
        return problem

    @overload
    @classmethod
    def packing(
        cls,
        options: Mapping[OtherName, Iterable[Hashable]],
        *,
        at_most: int | Mapping[Any, int] = 1,
        secondary: Iterable[Hashable] = (),
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[OtherName]: ...
    @overload
    @classmethod
    def packing(
        cls,
        options: Iterable[Iterable[Hashable]],
        *,
        at_most: int | Mapping[Any, int] = 1,
        secondary: Iterable[Hashable] = (),
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[int]: ...
    @classmethod
    def packing(
        cls,
        options: OptionsLike,
        *,
        at_most: int | Mapping[Any, int] = 1,
        secondary: Iterable[Hashable] = (),
        costs: Iterable[int] | Mapping[Any, int] | None = None,
    ) -> Problem[Any]:
        """A set packing problem: choose options that cover every item at most once.

        Every item of the options that is not secondary has the multiplicity (0, `at_most`). As a
        mapping, `at_most` has the capacity of some items; all others may be covered once.
        `options`, `secondary` and `costs` are as in `from_options`, but without `costs` every
        option costs 1, so that `maximum` takes as many options as possible.

        >>> import dlx
        >>> problem = dlx.Problem.packing({"x": ["a", "b"], "y": ["b", "c"], "z": ["c", "d"]})
        >>> sorted(problem.solutions())
        [(), ('x',), ('x', 'z'), ('y',), ('z',)]
        >>> problem.maximum()
        [(2, ('x', 'z'))]
        >>> dlx.Problem.packing({"x": [dlx.times("kg", 3)], "y": ["kg"]}, at_most=3).count()
        3
        """
        problem = cls._of_options(options, None, secondary, costs, default_cost=1)
        set_all_multiplicities(problem._table, at_most, lambda n: (0, n))
        return problem

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        secondary: int = 0,
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Any = None,
    ) -> Problem[Any]:
        """A problem from a matrix of zeros and ones: rows are options, columns are items.

        `matrix` is a list of lists, a 2-D NumPy array, any scipy.sparse matrix or array, or a frame
        of pandas or polars. The items are the column numbers, or the labels of a frame's columns;
        the last `secondary` ones are secondary. The labels of a pandas index are the options'
        names. `costs` are as in `from_options`, such as a Series with the same labels. Raises
        `InvalidEntry` for anything but 0 and 1 (or False and True), naming the row and the column.
        With `multiplicities` the matrix may have any integers from 0 up: they are weights (see
        `dlx.times`).

        >>> import dlx
        >>> dlx.Problem.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 1]]).count()
        2
        >>> dlx.Problem.from_matrix([[3], [2], [1], [1]], multiplicities={0: 4}).count()
        3
        """
        from dlx.formats.arrays import read_matrix, split_items

        rows = read_matrix(matrix, weighted=multiplicities is not None)
        items: Any = rows.columns
        names: Any = None
        if hasattr(matrix, "columns"):
            from dlx.formats.frames import labels_of

            items, names = labels_of(matrix) or (items, None)
        arrays = (rows.start, rows.entries, array("i"), rows.weights)
        declared = split_items(items, secondary)
        return cls._of_arrays(declared, arrays, names, multiplicities, costs)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        option: Any = None,
        item: Any = None,
        color: Any = None,
        times: Any = None,
        cost: Any = None,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        multiplicities: Mapping[Any, Multiplicity] | None = None,
    ) -> Problem[Any]:
        """A problem from a data frame: of pandas or polars, or a mapping of columns to lists.

        If `item` is one column, the frame is *long*: each row has an item of an option. `option`
        is the column with the option's name, or a list of columns, whose tuples are the names.
        `color` and `times` are columns with the item's color and weight (see `dlx.colored` and
        `dlx.times`), empty where it has none. Items with a color are secondary.

        If `item` is a list of columns, or not given for all other columns, the frame is *wide*:
        each row is an option, each column an item, with 0 or 1 in the cells, or a number for
        `dlx.times`. `color` is a column or a list of columns that are secondary items, whose cells
        have the item's color or are empty. Without `option`, the labels of a pandas index are the
        names.

        `cost` is a column with the options' costs. `primary`, `secondary` and `multiplicities` are
        as in `from_options`. Raises `InvalidArgument` for a column that is not there, and what
        `from_options` raises; messages name the row, counted from 0. O(rows), or O(cells) if wide.

        >>> import dlx
        >>> long = {"shift": ["early", "early", "late"], "who": ["Ann", "Bo", "Ann"]}
        >>> list(dlx.Problem.from_frame(long, option="shift", item="who").options)
        [('Ann', 'Bo'), ('Ann',)]
        >>> wide = {"shift": ["early", "late"], "Ann": [1, 1], "Bo": [1, 0], "pay": [9, 5]}
        >>> dlx.Problem.from_frame(wide, option="shift", cost="pay").minimum()
        [(9, ('early',))]
        """
        from dlx.formats.frames import FrameColumns, read_frame

        read = read_frame(frame, FrameColumns(option, item, color, times, cost))
        listed = dict.fromkeys(cls((), secondary).secondary)  # checked there
        listed.update(dict.fromkeys(read.colored))
        if primary is None:
            primary = [x for x in read.items if x not in listed]
        problem = cls(primary, list(listed))
        problem._table.extend(read.options, named=True)
        if multiplicities is not None:
            set_multiplicities(problem._table, multiplicities)
        problem._table.check_weights()
        if read.costs is not None:
            problem._table.set_costs(read.costs)
        return problem

    @classmethod
    def from_arrays(
        cls,
        indptr: Any,
        indices: Any,
        *,
        items: int | Iterable[Hashable],
        secondary: int = 0,
        colors: Any = None,
        weights: Any = None,
        names: Iterable[OtherName] | None = None,
        multiplicities: Mapping[Any, Multiplicity] | None = None,
        costs: Any = None,
    ) -> Problem[OtherName]:
        """A problem from compressed rows (CSR); for millions of options, without a Python loop.

        Option `o` has the items `indices[indptr[o]:indptr[o + 1]]`. The arrays are NumPy arrays,
        `array.array`s, anything else with the buffer protocol and integers in it, or lists.
        `items` is the number of items (which are then 0, 1, ...) or the items themselves; the last
        `secondary` of them are secondary. `colors` has a color for each entry of `indices`, 0 for
        no color; `weights` has its weight, 1 for a plain entry (see `dlx.times`). `names` are the
        options' names, `costs` their costs (as in `from_options`), and `multiplicities` those of
        items.

        >>> import dlx
        >>> dlx.Problem.from_arrays([0, 2, 3, 5], [0, 1, 2, 1, 2], items=3).count()
        1
        """
        from dlx.formats.arrays import read_arrays, split_items

        arrays = read_arrays(indptr, indices, colors, weights)
        declared = split_items(items, secondary)
        return cls._of_arrays(declared, arrays, names, multiplicities, costs)

    @classmethod
    def _of_arrays(
        cls,
        declared: tuple[Sequence[Hashable], Sequence[Hashable]],
        arrays: tuple[array[int], array[int], array[int], array[int]],
        names: Iterable[Hashable] | None,
        multiplicities: Mapping[Any, Multiplicity] | None,
        costs: Any,
    ) -> Problem[Any]:
        """A problem of primary and secondary items, and of the arrays that `Table.adopt` takes."""
        problem: Problem[Any] = cls(())
        for items, secondary in zip(declared, (False, True), strict=True):
            problem._table.add_items(items, secondary=secondary)
        problem._table.adopt(*arrays)
        if names is not None:
            problem._table.set_names(names)
        if multiplicities is not None:
            set_multiplicities(problem._table, multiplicities)
        else:
            problem._table.check_weights()
        if costs is not None:
            problem._table.set_costs(costs)
        return problem

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str] | IO[str],
        *,
        format: str | None = None,  # noqa: A002  # as a user would call it
    ) -> Problem[Any]:
        """A problem from a file: JSON (`dlx.formats.json_text`) or Knuth's (`dlx.formats.knuth`).

        `source` is a path or an open text file. `format` is "json" or "knuth". By default, the
        suffix of a path decides: .json; Knuth's format for .dlx, .knuth, .txt, .xc and no suffix.
        The first line of an open file decides. Raises `FormatError` with the line or the place,
        and `InvalidArgument` for another format or suffix.

        >>> import dlx, io
        >>> text = '{"dlx": 1, "primary": ["a"], "options": [{"name": "x", "items": ["a"]}]}'
        >>> dlx.Problem.load(io.StringIO(text)).solve()
        ('x',)
        """
        from dlx.formats.load import load

        problem = cls(primary=())
        load(problem._table, source, format)
        return problem

    def add_item(
        self, item: Hashable, *, secondary: bool = False, multiplicity: Multiplicity = 1
    ) -> None:
        """Declares an item, after those declared before. O(1).

        A primary item is covered exactly `multiplicity` times, or, if that is a pair (low, high),
        at least low and at most high times. A high of None is no upper bound.

        Raises `DuplicateItem` if it is declared already, `InvalidEntry` if it cannot be an item,
        `InvalidMultiplicity` if low is above high or negative, if high is 0, and for a secondary
        item. Bounds that no options can meet are not an error; the problem has no solution then.

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
            self._prepared = None  # again: the item's __hash__ may have called a search method

    def add_option(
        self, items: Iterable[Hashable], *, name: Name | None = None, cost: int = 0
    ) -> int:
        """Adds an option and returns its index. O(number of its items).

        `items` may contain `dlx.colored` and `dlx.times` entries. `name` defaults to the index.
        `cost` is any integer, also a negative one, for `minimum`. An invalid option raises an error
        that says what is wrong (see `dlx.errors`), and leaves the problem as it was.

        >>> import dlx
        >>> problem = dlx.Problem(primary=["a", "b"])
        >>> problem.add_option(["a", "b"], name="both")
        0
        >>> problem.add_option(["a", "z"])
        Traceback (most recent call last):
        ...
        dlx.errors.UnknownItem: option 1: item 'z' was not declared; declare it in primary= ...
        """
        table = self._table
        with table.lock:
            self._change()
            index = table.add_option(items, name, cost)
            self._prepared = None  # again: an item's __hash__ may have called a search method
        return index

    def freeze(self) -> Self:
        """Makes the problem immutable, so that it can be shared, and returns it.

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

    # -- inspecting --------------------------------------------------------------------------------

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
        return f"<dlx.Problem: {self._table.summary()}>"

    # -- checking ----------------------------------------------------------------------------------

    def warnings(self) -> tuple[str, ...]:
        """Likely mistakes in the problem, a sentence each: what `dlx info` finds odd.

        Items that no option covers, or not as often as they need; options that are too small or too
        large for the items that they must cover, such as pieces that cover 60 of 64 cells; items
        that no caller has declared and that look misspelled; options with the same items. None of
        them is an error. O(items + entries).

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"])
        >>> both = [problem.add_option(["a"], name="x"), problem.add_option(["a"], name="y")]
        >>> for sentence in problem.warnings():
        ...     print(sentence)
        no option contains the primary item 'b': there is no solution
        options 'x' and 'y' have the same items
        """
        from dlx.analysis.lint import warnings

        return warnings(self._table)

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

    # -- searching ---------------------------------------------------------------------------------

    def solutions(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        part: Part | None = None,
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        checkpoint: str | os.PathLike[str] | None = None,
        distinct: bool | Symmetries = False,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Search[Name]:
        """All solutions, one after another: a lazy iterator (see `dlx.Search`).

        given
            Names of options that every solution must contain; they come first in each.
        forbid
            Names of options that no solution may contain. The search is that of `without(forbid)`,
            which is quicker for many calls: leaving options out takes O(items + entries) each time.
            (A seed shuffles all options, and the forbidden ones are then left out.)
        limit
            The maximum number of solutions.
        timeout
            The maximum time of the search, in seconds.
        seed
            Break ties between items, and order options, at random, as a function of this integer.
        engine
            "auto", "links" or "bits" (compiled), "python" (`dlx.links.matrix`), or "sat" (a SAT
            solver, which finds solutions in an order of its own: see `dlx.engines.sat`). With a
            limit of 1, "auto" also looks for proofs that there is none, and runs the heuristic
            "weighted" and the SAT solver, if it is installed, in turns with a longer search; then
            another solution than the first in order may be found. `stats.helpers` tells.
        heuristic
            Which item to branch on: "mrv", the one with the fewest options left; "weighted", which
            learns from dead ends (another order, and often a far smaller tree); or, with the
            engine "python", a function of your own. See `dlx.links.heuristics`.
        part
            Search only a part, from `split` with the same `given`, `forbid` and seed. Any engine
            except "sat".
        workers
            The number of threads; None for one per processor. With an executor, the number of its
            workers: needed only if it is above 1 and the executor does not know it.
        executor
            Run the search on the workers of a `concurrent.futures.Executor` or a Dask `Client`.
        ordered
            True: solutions come in the order of a search by one worker. False: they come as they
            are found. (With a heuristic other than "mrv", several workers find the same solutions
            in another order. The engine "sat" has one worker.)
        checkpoint
            Record the search in this journal file (see `dlx.Journal` and docs/journals.md). If the
            file exists, the search continues from it: first come the solutions found before, then
            the others, in the order of one worker. Raises `JournalError` for a journal of another
            problem or of other keywords; those that only say how the work is done may differ.
        distinct
            True: of solutions that a symmetry of the problem maps to each other, only the one that
            the default heuristic finds first (see `symmetries`; with `given` and `forbid`, the
            symmetries that keep both sets). Or the symmetries to use: a `dlx.Symmetries`, such as
            only the rotations. Whole subtrees without first solutions are left out. The search then
            has an `orbit_size`: the number of solutions symmetric to the last one, with itself.
            Raises `InvalidArgument` for symmetries of another problem, or that do not keep these
            sets, and `SearchInterrupted` if the timeout passes before the symmetries are found.
        node_limit
            The maximum number of nodes. The engine "bits" may exceed it a little, where it has no
            choice, and several workers by the nodes that each is working on.
        progress
            A function that is called with a `dlx.SearchProgress` every 0.1 seconds, and whenever
            the search stops. An exception in it ends the call. Afterwards a `Search` can be
            continued; `count`, `solve` and `is_unique` start again, or continue from their journal.

        After a limit the search can be continued: see `Search.resume`.

        Several workers search ahead while the caller draws no solutions, until their buffers are
        full: see `docs/parallel.md`.

        The search works on a snapshot: changing the problem does not disturb it. Raises
        `UnknownOption` and `GivenClash` for `given` and `forbid`, `InvalidPart` for a part of
        another search, and `InvalidArgument` for other arguments. While solutions are drawn, raises
        `WorkersLost` and `PartFailed` if an executor fails.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solutions())
        [(0, 1), (0, 3), (2,)]
        >>> list(problem.solutions(given=[3]))
        [(3, 0)]
        >>> list(problem.solutions(forbid=[1, 2]))
        [(0, 3)]
        >>> list(problem.solutions(limit=1))
        [(0, 1)]
        >>> list(problem.solutions(engine="python", heuristic=lambda headers: headers[-1]))
        [(1, 0), (2,), (3, 0)]
        """
        options = SearchOptions(
            given=given,
            forbid=forbid,
            limit=limit,
            timeout=timeout,
            node_limit=node_limit,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            part=part,
            workers=workers,
            executor=executor,
            ordered=ordered,
            checkpoint=checkpoint,
            distinct=distinct,
            progress=progress,
        )
        return open_search(self._input(options), options, "solutions")

    def solve(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Solution[Name] | MaybeNone:
        """The first solution, or None if there is none.

        After a long search, "auto" may return another solution than the first, as `solutions`
        does with `limit=1`. The other engines always return the first. (Type checkers do not insist
        on a test for None.)

        Raises `SearchInterrupted` at the timeout. For the keywords see `solutions`.
        """
        options = SearchOptions(
            given=given,
            forbid=forbid,
            timeout=timeout,
            node_limit=node_limit,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
            executor=executor,
            ordered=ordered,
            progress=progress,
        )
        return find_first(self._input(options), options)

    def count(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        memory_limit: int | str | None = None,
        part: Part | None = None,
        workers: int | None = 1,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        distinct: bool | Symmetries = False,
        symmetry: bool = True,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> int:
        """The number of solutions, exact at any size, but at most `limit`.

        The engine "auto" caches the counts of subproblems where that is less work than enumeration
        (see `docs/counting.md`). Of isomorphic subproblems it counts one, unless `symmetry` is
        False or there are multiplicities; the number is the same. `memory_limit` bounds the cache:
        bytes, or a text such as "500 MB"; 1 GiB if it is None. The other engines enumerate without
        a cache.

        With a `part` (see `solutions`) the solutions of that part are counted: if it is a whole
        subtree, in the same way as all solutions; otherwise by enumeration.

        Several workers, or an executor, only enumerate. The engine "auto" first decides in the
        calling thread whether caching is less work.

        With a `checkpoint`, which keeps a journal as in `solutions`, all engines enumerate.

        With `distinct`, solutions that a symmetry maps to each other count once (see `solutions`
        and docs/symmetry.md). The classes are not listed, unless there are more than 500
        symmetries or a keyword needs an enumeration.

        Raises `SearchInterrupted`, with the count so far, at the timeout, and `InvalidArgument` for
        a memory limit below 1 MiB. For the keywords see `solutions`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> problem.count(), problem.count(limit=2)
        (3, 2)
        >>> import dlx.models
        >>> dlx.models.dominoes(16, 16).count()
        2444888770250892795802079170816
        >>> dlx.models.dominoes(8, 8).count(), dlx.models.dominoes(8, 8).count(distinct=True)
        (12988816, 1629189)
        >>> dlx.models.latin_square(6).count()
        812851200
        """
        options = SearchOptions(
            given=given,
            forbid=forbid,
            limit=limit,
            timeout=timeout,
            node_limit=node_limit,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            part=part,
            workers=workers,
            executor=executor,
            checkpoint=checkpoint,
            distinct=distinct,
            symmetry=symmetry,
            memory=check_memory(memory_limit),
            progress=progress,
        )
        return count_solutions(self._input(options), options)

    def is_unique(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> bool:
        """True if there is exactly one solution.

        In a longer search, "auto" also uses other methods: see `dlx.engines.portfolio`.

        Raises `SearchInterrupted` at the timeout. For the keywords see `solutions`.
        """
        options = SearchOptions(
            limit=2,
            given=given,
            forbid=forbid,
            timeout=timeout,
            node_limit=node_limit,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
            executor=executor,
            checkpoint=checkpoint,
            progress=progress,
        )
        return has_one_solution(self._input(options), options)

    # -- searching from a coroutine (asyncio) ------------------------------------------------------
    # Other tasks run during the search. Cancelling the task stops it within 50 ms.

    def asolutions(self, **search: Any) -> AsyncSearch[Name]:
        """All solutions, for `async for`; the keywords are those of `solutions`.

        Other tasks run during the search. Leaving the loop or cancelling the task stops the search
        within 50 ms.

        >>> import asyncio, dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> async def collect():
        ...     return [solution async for solution in problem.asolutions()]
        >>> asyncio.run(collect())
        [(0, 1), (0, 3), (2,)]
        """
        from dlx.search.asynchronous import AsyncSearch

        return AsyncSearch(self.solutions(**search))

    async def asolve(self, **search: Any) -> Solution[Name] | MaybeNone:
        """The first solution, or None; the keywords are those of `solve`."""
        from dlx.search.asynchronous import run_async

        return await run_async(self.solve, (), search, slices=True, reports=True)

    async def acount(self, **search: Any) -> int:
        """The number of solutions; the keywords are those of `count`.

        >>> import asyncio, dlx.models
        >>> asyncio.run(dlx.models.queens(8).acount())
        92
        """
        from dlx.search.asynchronous import run_async

        return await run_async(self.count, (), search, slices=True, reports=True)

    async def ais_unique(self, **search: Any) -> bool:
        """True if there is exactly one solution; the keywords are those of `is_unique`."""
        from dlx.search.asynchronous import run_async

        return await run_async(self.is_unique, (), search, slices=True, reports=True)

    async def aminimum(self, k: int = 1, **search: Any) -> Ranking[Name]:
        """The `k` cheapest solutions; the keywords are those of `minimum`.

        >>> import asyncio, dlx
        >>> asyncio.run(dlx.Problem.from_options([["a"], ["a"]], costs=[7, 3]).aminimum())
        [(3, (1,))]
        """
        from dlx.search.asynchronous import run_async

        return await run_async(self.minimum, (k,), search, reports=True)

    async def amaximum(self, k: int = 1, **search: Any) -> Ranking[Name]:
        """The `k` most expensive solutions; the keywords are those of `maximum`."""
        from dlx.search.asynchronous import run_async

        return await run_async(self.maximum, (k,), search, reports=True)

    async def adiagram(self, **search: Any) -> Diagram[Name]:
        """All solutions as a decision diagram; the keywords are those of `diagram`.

        >>> import asyncio, dlx.models
        >>> len(asyncio.run(dlx.models.queens(8).adiagram()))
        92
        """
        from dlx.search.asynchronous import run_async

        return await run_async(self.diagram, (), search)

    async def asample(
        self, n: int = 1, seed: int | None = None, **search: Any
    ) -> list[Solution[Name]]:
        """`n` solutions drawn at random; the keywords are those of `sample`."""
        from dlx.search.asynchronous import run_async

        return await run_async(self.sample, (n, seed), search)

    async def aexplain(self, **search: Any) -> Explanation | None:
        """Why there is no solution, or None; the keywords are those of `explain`."""
        from dlx.search.asynchronous import run_async

        return await run_async(self.explain, (), search)

    # -- batches: many sets of givens --------------------------------------------------------------

    def plan(self, question: str = "solve", **keywords: Any) -> Plan:
        """By which methods a question is answered with these keywords, and why, without asking it.

        The question is "solve", "is_unique", "solutions", "count", "minimum" or "maximum"; the
        keywords are those of that method. What took part in a search is in its `stats`. O(1) after
        the first search of the problem. Raises `InvalidArgument`.

        >>> import dlx
        >>> problem = dlx.models.queens(8)
        >>> problem.plan("count").methods
        ('enumeration', 'layers', 'subproblems', 'certificates')
        >>> print(problem.plan("count", node_limit=1000))
        count with engine 'auto': a node limit counts the nodes of the search in order
          in order: the search in the promised order
        """
        from dlx.plan import plan_of

        of_ranking = {name: keywords.pop(name) for name in ("k", "any_order") if name in keywords}
        options = SearchOptions(**keywords)
        return plan_of(question, self._input(options), options, **of_ranking)

    # A limit of 1 gives answers of another type than other limits; to mypy the two overlap.
    @overload
    def solve_many(  # type: ignore[overload-overlap]
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: Literal[1] = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: None = None,
    ) -> Answers[Solution[Name] | None]: ...
    @overload
    def solve_many(  # type: ignore[overload-overlap]
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: Literal[1] = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: Code,
    ) -> Answers[str | None]: ...
    @overload
    def solve_many(
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: int | None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: Code | None = None,
    ) -> Answers[list[Any]]: ...
    @overload
    def solve_many(
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str,
        code: Code | None = None,
    ) -> Answers[Any]: ...
    def solve_many(
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """Solutions of this problem under many sets of givens, in order: see `dlx.Answers`.

        givens
            Sets of option names, from any iterable, which may be endless; or a tuple of two arrays,
            indptr and indices: set s is then the options indices[indptr[s]:indptr[s + 1]]. An
            iterable with a method `read_sets(into, count)` is read by that, in chunks: it appends
            the next `count` sets to a list, fewer only at the end.
        forbid
            Names of options that no solution of any set may contain.
        forbids
            For each set, the names of options that its solutions may not contain: as many sets as
            `givens` has, from any iterable. A set that forbids other options than the one before
            (by the same worker) costs O(entries) more.
        limit
            With 1, an answer is the first solution of a set, or None. With any other number it is
            the list of the first `limit` solutions; with None, the list of all.
        timeout
            The maximum time for each set, in seconds.
        seed, engine, heuristic
            As in `solutions`.
        workers
            The maximum number of threads; None for one per processor. The answers do not depend on
            it. The "python" engine has one.
        errors
            What to do with a set that has no answer: because it names an option that does not exist
            (`UnknownOption`), contains two that clash or one that is forbidden (`GivenClash`), or
            reached the timeout (`SearchInterrupted`). The exception's `position` is the number of
            the set. "raise": raise it in place of the answer; the iterator can be continued with
            the next set. "return": return it in place of the answer.
        code
            A `dlx.Code`: givens may then also be lines of text, and solutions are lines.

        The sets are solved inside the kernel. Each solution begins with the set's givens. The
        search works on a snapshot, as `solutions` does. Raises `InvalidArgument`, and
        `InvalidEntry` for malformed arrays. O(1) memory.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solve_many([[], [3], [2], [1, 0]]))
        [(0, 1), (3, 0), (2,), (1, 0)]
        >>> list(problem.solve_many([[], [3]], limit=None))
        [[(0, 1), (0, 3), (2,)], [(3, 0)]]
        >>> list(problem.solve_many([[], [], [0]], forbids=[[1], [0], [3]]))
        [(0, 3), (2,), (0, 1)]
        >>> [type(answer).__name__ for answer in problem.solve_many([[0, 2], [9]], errors="return")]
        ['GivenClash', 'UnknownOption']
        """
        from dlx.analysis.batches import answer_many

        options = SearchOptions(
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
        )
        return answer_many(
            self._input(options),
            options,
            givens=givens,
            forbid=forbid,
            forbids=forbids,
            errors=errors,
            code=code,
            keep=True,
        )

    @overload
    def count_many(
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: Code | None = None,
    ) -> Answers[int]: ...
    @overload
    def count_many(
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str,
        code: Code | None = None,
    ) -> Answers[int | DLXError]: ...
    def count_many(
        self,
        givens: Givens[Name],
        *,
        forbid: Iterable[Name] = (),
        forbids: Iterable[Iterable[Name]] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """The numbers of solutions under many sets of givens, each at most `limit`.

        With `limit=2`, 1 means exactly one solution. For the other keywords see `solve_many`.

        Since the solutions are only counted, the engine may search another tree than `solve_many`:
        where the processor has AVX-512, "auto" and "bits" remove dominated options and choose items
        by what their options remove (dlx/cpp/bits/rounds/loop.hpp). The answers are the same;
        `Answers.stats` has the nodes of that tree.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.count_many([[], [3], [0]], limit=2))
        [2, 1, 2]
        """
        from dlx.analysis.batches import answer_many

        options = SearchOptions(
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
        )
        return answer_many(
            self._input(options),
            options,
            givens=givens,
            forbid=forbid,
            forbids=forbids,
            errors=errors,
            code=code,
            keep=False,
        )

    # -- parts of a search -------------------------------------------------------------------------

    def split(
        self,
        parts: int,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        seed: int | None = None,
        heuristic: str | Heuristic = "mrv",
    ) -> list[Part]:
        """The search, cut into parts (`dlx.Part`) that can be searched separately.

        Search a part with `solutions(part=...)` or `count(part=...)` and the same `given`, `forbid`
        and `seed`, in any process that has built the same problem in the same way. A part is small
        and can be pickled. (Unpickle only what you trust: `pickle.loads` runs what its input says.)
        No two parts have a solution in common. The solutions of the parts, one after another, are
        those of the whole search in order.

        parts
            The minimum number of parts, up to a million. There are fewer if the search tree has
            fewer nodes. There are usually three to eight times more, so that no part is larger than
            half of an equal share. The sizes are estimated by random probes. In trees with
            thousands of levels the probes find out little; then about `parts` are returned.
        given, forbid, seed
            As in `solutions`. The same seed gives the same parts.
        heuristic
            Chooses the items above the parts. It is reset for each part: "weighted" forgets what it
            learned in the part before, so the solutions of the whole come in another order.

        The nodes of the parts are those of the whole search without those above the parts. About
        ten nodes a part are visited, and the size below them is estimated. That takes 0.1 seconds
        for a few parts, and some seconds where a probe is long. Raises the errors of `solutions`.

        >>> import dlx.models
        >>> problem = dlx.models.queens(8)
        >>> parts = problem.split(5)
        >>> len(parts) >= 5
        True
        >>> sum(problem.count(part=part) for part in parts)
        92
        """
        from dlx.parallel.split import split

        options = SearchOptions(given=given, forbid=forbid, seed=seed, heuristic=heuristic)
        return split(self._input(options), options, parts=parts)

    # -- costs -------------------------------------------------------------------------------------

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

    def minimum(
        self,
        k: int = 1,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        any_order: bool = False,
        costs: Any = None,
    ) -> Ranking[Name]:
        """The `k` cheapest solutions, as a list of pairs (cost, solution) in order of cost.

        Solutions of equal cost come in the order in which `solutions` visits them (with the same
        givens and seed). The list is shorter than `k` if there are fewer solutions, and empty if
        there are none. Secondary items, colors and multiplicities are supported.

        k
            The number of solutions; 1 or more.
        given, forbid, seed
            As in `solutions`.
        timeout
            The maximum time, in seconds. Then `MinimumInterrupted` is raised, which has the best
            solutions so far and a lower bound on the cost of all others.
        engine
            "links", the compiled branch and bound; "auto", the same, and if that has not finished
            after 0.2 seconds, also a decision diagram, for at most a quarter of the time (it is
            fast for long and narrow problems: see `dlx.analysis.minimum_by_diagram`); "python", a
            short branch and bound to read and to compare with (`dlx.engines.python.minimum`). Or a
            solver of integer programs: "highs" (HiGHS, which the extra `highs` installs) or
            "cp-sat" (CP-SAT of OR-Tools, extra `cp-sat`). These treat every search as one with
            `any_order`. HiGHS computes in floating point: its solutions are checked and their costs
            exact, but that there are no cheaper ones holds within its tolerances.
        progress
            A function that is called with a `Progress` every 0.05 seconds, and once at the end.
        workers
            The number of threads; None for one per processor. They share the best costs found. The
            answer is the same as with one thread, including the order of ties. (Executors are for
            `solutions` and `count`.)
        any_order
            True if any solutions of the least costs will do: the costs are the same, but which of
            several solutions of equal cost are returned, and in which order, is unspecified. That
            saves the search for those that are visited first.
        costs
            Other costs than those of the problem, for this question only: a mapping or a pandas
            Series by option name, or a list in the options' order, for all options of the problem.
            Besides integers they may be of type `decimal.Decimal`, `fractions.Fraction` or float
            (which counts as the rational number that it is). Totals and bounds have the same type.
        checkpoint
            The path of a journal, as in `solutions`: a file with the best solutions so far, the
            bound, and what is left. The same call goes on with it after a crash or a timeout, also
            with another timeout or number of workers, and `dlx resume` does. When the search has
            finished, the file has the answer. Raises `JournalError`. The engine "python" cannot
            keep a journal.

        Costs are exact. The absolute costs of all options together may be at most 2^63-1: a problem
        with larger ones is refused with `InvalidCost` when it gets them. `costs` are multiplied by
        the least number that makes them integers; then the same holds (engine "python" has no
        limit).

        The method is branch and bound with item prices (Knuth's taxes) as the lower bound. It is
        exponential in the worst case, but often takes a small part of the time of a full
        enumeration. Raises `InvalidArgument`, `UnknownOption` and `GivenClash`. Source: TAOCP
        7.2.2.1, Algorithms X$ and C$; here the prices come from the linear program, see
        `dlx/cpp/minimum/minimum.hpp`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a"], "y": ["b"], "xy": ["a", "b"], "z": ["b"]},
        ...     costs={"x": 1, "y": 2, "xy": 3, "z": 5},
        ... )
        >>> problem.minimum()
        [(3, ('x', 'y'))]
        >>> for cost, solution in problem.minimum(k=10):
        ...     print(cost, solution)
        3 ('x', 'y')
        3 ('xy',)
        6 ('x', 'z')
        >>> problem.minimum(given=["z"])
        [(6, ('z', 'x'))]
        """
        from dlx.analysis.minimum import rank

        options = SearchOptions(
            given=given,
            forbid=forbid,
            timeout=timeout,
            seed=seed,
            engine=engine,
            workers=workers,
            checkpoint=checkpoint,
        )
        return rank(
            self._input(options),
            options,
            k=k,
            costs=costs,
            any_order=any_order,
            progress=progress,
            sign=1,
        )

    def maximum(
        self,
        k: int = 1,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        any_order: bool = False,
        costs: Any = None,
    ) -> Ranking[Name]:
        """The `k` most expensive solutions, the most expensive first.

        Works as `minimum` on the negative costs. Solutions of equal cost are in visiting order here
        as well; the bound of `MinimumInterrupted` is an upper one.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).maximum()
        [(4, (2,))]
        """
        from dlx.analysis.minimum import rank

        options = SearchOptions(
            given=given,
            forbid=forbid,
            timeout=timeout,
            seed=seed,
            engine=engine,
            workers=workers,
            checkpoint=checkpoint,
        )
        return rank(
            self._input(options),
            options,
            k=k,
            costs=costs,
            any_order=any_order,
            progress=progress,
            sign=-1,
        )

    # -- decision diagrams and random solutions ----------------------------------------------------

    def diagram(
        self,
        *,
        order: str = "search",
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        memory_limit: int | str | None = None,
    ) -> Diagram[Name]:
        """All solutions, compiled into a decision diagram: see `dlx.Diagram`.

        order
            "search": items are chosen as in a search with the heuristic "mrv", and the diagram
            lists its solutions in the order of `solutions`. "narrow": items are taken in one fixed
            order, chosen so that a sweep over the problem has few partly covered items at a time.
            Use "narrow" for boards and other long or flat shapes; the diagram is then ordered (see
            `Diagram.variables`), and lists its solutions as a search that branches on items in that
            order.
        given, forbid, seed
            As in `solutions`. Given options come first.
        timeout
            The maximum time, in seconds. Then `SearchInterrupted` is raised.
        memory_limit
            The maximum memory while the diagram is built: bytes, or a text such as "500 MB"; 1 GiB
            if it is None. Then `DiagramTooLarge` is raised, which says how far the work got.

        Either limit discards what was built. Every subproblem is searched once and then cached, so
        the time is that of a search divided by how often subproblems recur. The number of nodes can
        differ between the two orders by any factor.

        >>> import dlx
        >>> diagram = dlx.models.queens(8).diagram()
        >>> len(diagram), diagram.nodes
        (92, 473)
        >>> list(diagram) == list(dlx.models.queens(8).solutions())
        True
        """
        from dlx.analysis.diagram.build import build, check_memory

        options = SearchOptions(
            given=given,
            forbid=forbid,
            timeout=timeout,
            seed=seed,
            memory=check_memory(memory_limit),
        )
        return build(self._input(options), options, order=order)

    def sample(
        self,
        n: int = 1,
        seed: int | None = None,
        *,
        order: str = "search",
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        memory_limit: int | str | None = None,
    ) -> list[Solution[Name]]:
        """`n` solutions drawn at random, each as likely as any other: see `Diagram.sample`.

        They are drawn from the problem's diagram; if it does not fit into `memory_limit`,
        `DiagramTooLarge` is raised. To draw more than once, build the `diagram` once and keep it.
        Raises `InvalidArgument` if there is no solution.

        >>> import dlx
        >>> [solution] = dlx.models.dominoes(8, 8).sample(seed=1)
        >>> len(solution)
        32
        """
        diagram = self.diagram(
            order=order, given=given, forbid=forbid, timeout=timeout, memory_limit=memory_limit
        )
        return diagram.sample(n, seed)

    # -- analysis ----------------------------------------------------------------------------------

    def estimate(
        self,
        probes: int = 1000,
        seed: int | None = 0,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
    ) -> Estimate:
        """The likely numbers of nodes and solutions, and the time of a search for all of them.

        Each probe walks down the search tree at random. A node that is reached after choices among
        2, then 5, then 3 options has the weight 30. The mean over all probes is an unbiased
        estimate for every tree (see `Estimate`), whether it has a thousand nodes or 10^1000.

        probes
            The number of probes; at least 2. The error goes down with their square root.
        seed
            The seed of the probes. The same integer (modulo 2^64) gives the same numbers on every
            machine; None takes a new one each time. The search tree is always that of a search
            without a seed.
        given, forbid
            As in `solutions`.
        timeout
            The maximum time of probing, in seconds. There are fewer probes then, and `stopped_by`
            is "timeout"; `SearchInterrupted` is raised if there are fewer than 2.
        engine
            The engine whose speed is measured, for 0.25 seconds; 0.05 if the time is up.
        heuristic
            "mrv", or, with the engine "python", a function of your own, to find out whether it
            makes the tree smaller (probes are then made in Python). "weighted" is refused with
            `InvalidArgument`: its choices depend on the dead ends of a whole search.

        A probe takes no longer than a path through the search does: O(entries), usually less.

        Source: D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975); TAOCP 7.2.2,
        Algorithm E.

        >>> import dlx
        >>> from dlx import models
        >>> problem = models.langford(8)
        >>> estimate = problem.estimate(probes=2000)
        >>> abs(estimate.nodes - 2789) < 4 * estimate.nodes_error
        True
        >>> abs(estimate.solutions - 300) < 4 * estimate.solutions_error
        True
        """
        from dlx.analysis.estimate import estimate

        options = SearchOptions(
            given=given, forbid=forbid, timeout=timeout, engine=engine, heuristic=heuristic
        )
        return estimate(self._input(options), options, probes=probes, seed=seed)

    def explain(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        node_limit: int | None = None,
        givens_only: bool = False,
        among: Iterable[Hashable] | None = None,
    ) -> Explanation | None:
        """A small irreducible set of items and givens that has no solution; None if there is one.

        An item that is *dropped* is removed from all options: it may then be covered any number of
        times, or not at all, in any colors. A dropped secondary item no longer restricts anything.
        A given that is dropped may be taken, but need not be. The returned set has no solution even
        if everything else is dropped. If it is `irreducible`, it has a solution as soon as any one
        of its members is dropped, too.

        Givens that clash are not an error here: the clash is the explanation. The returned set is
        not always the smallest one; smaller ones are searched for a limited time.

        given
            Names of options, as in `solutions`, each once.
        forbid
            Names of options that no solution may contain. The answer is about the problem without
            them, and does not name them.
        timeout
            The maximum time, in seconds. The set found so far is returned, with `irreducible` false
            if that is not proved.
        node_limit
            The maximum number of nodes of all searches together. Unlike a timeout, it gives the
            same answer every time.

        Without limits, the answer is irreducible, unless sizes show that there is no solution (such
        as pieces that cover 60 of 64 cells) and an irreducible set takes long to find: then it is
        the items whose sizes do not fit, at once. With a limit, the search goes on until then.

        givens_only
            Drop only givens. All items stay, and are not part of the answer: use it for puzzles,
            whose rules are fixed. The answer has no givens if there is no solution without any.
        among
            Drop only these items, and givens. All other items stay, and are not part of the answer:
            use it to ask which wishes conflict, in a problem whose other items are fixed rules.

        Raises `SearchInterrupted` if a limit is reached before it is known whether there is a
        solution, `UnknownOption`, `UnknownItem`, `GivenClash` for an option given twice, and
        `InvalidArgument`.

        There is a search for a solution for about each item and given of the answer, and some more.
        These searches also find out which items a failure depends on: see `dlx.analysis.explain`.

        >>> import dlx
        >>> options = [["a", "b"], ["b", "c"], ["a", "c"], ["d"], ["d", "e"], ["e"]]
        >>> problem = dlx.Problem.from_options(options)
        >>> print(problem.explain())
        items 'a', 'b' and 'c' cannot be satisfied together (all are needed)
        >>> problem.explain(given=[3, 4]).givens
        (3, 4)
        >>> print(problem.explain(among=["a", "d"]))
        item 'a' cannot be satisfied together with the items that stay (all are needed)
        """
        from dlx.analysis.explain import explain

        options = SearchOptions(given=given, forbid=forbid, timeout=timeout, node_limit=node_limit)
        if givens_only and among is not None:
            raise InvalidArgument("givens_only keeps all items, so it cannot be used with among")
        search_input = self._input(options, may_clash=True)
        return explain(search_input, options, among=() if givens_only else among)

    def reduced(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
    ) -> Reduction[Name]:
        """A smaller problem with the same solutions: see `dlx.Reduction`.

        Options that conflict with every option of some primary item are in no solution; they are
        removed until none is left. Then items are removed: of primary items with the same options
        all but the first, and secondary items that restrict nothing. Options keep their names, so
        that a solution of `.problem` is a solution of this problem. If only items were removed,
        solutions come in the same order as before; otherwise the order may change.

        given
            Names of options that every solution must contain: the solutions of `.problem` are
            those that do. A given whose items all have multiplicities is forced by an item of its
            own there, such as "given-7" for the option of index 7.
        forbid
            Names of options that no solution may contain. `.problem` does not have them; they are
            not part of `.blocked`.
        timeout
            The maximum time, in seconds. What was found so far is removed; `.complete` is False.

        An item with a multiplicity other than 1 stays, and nothing is concluded from it. If there
        is no solution, all options may be removed, and an item without options may be left.

        Raises `UnknownOption` and `GivenClash` for givens, `InvalidArgument` for other arguments.
        Removes at least what TAOCP 7.2.2.1, Algorithm P, removes. Algorithm P tests every option
        against all options that it conflicts with. This method tests one option of each item, and
        repeats that only for items that have lost options. O(items + entries) memory.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a", "b"], "y": ["c", "d"], "z": ["b", "c"], "w": ["a"]}
        ... )
        >>> reduction = problem.reduced()
        >>> reduction
        <dlx reduction: 2 of 4 options and 2 of 4 items removed in 1 round>
        >>> reduction.blocked, reduction.merged
        ({'z': 'd', 'w': 'b'}, {'b': 'a', 'd': 'c'})
        >>> reduction.problem.names, reduction.problem.options[0]
        (('x', 'y'), ('a',))
        """
        from dlx.analysis.reduce import reduce

        def make(left: Table, *removed: Any) -> Reduction[Name]:
            return Reduction(self._of_table(left), *removed)

        options = SearchOptions(given=given, forbid=forbid, timeout=timeout)
        return reduce(self._input(options), options, make=make)

    # -- symmetries --------------------------------------------------------------------------------

    def symmetries(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        costs: bool = False,
        node_limit: int | None = None,
        generators: Iterable[Symmetry | Mapping[Any, Any]] | None = None,
        item_generators: Iterable[Mapping[Any, Any]] | None = None,
    ) -> Symmetries:
        """The symmetries of the problem: its automorphism group, as a `dlx.Symmetries`.

        A symmetry permutes the options and the items so that the items of each option become those
        of its image. It keeps primary and secondary items, multiplicities and weights. It may
        rename the colors of a secondary item, differently for each item. It maps solutions to
        solutions.

        given
            Names of options: only symmetries that map this set of options to itself.
        forbid
            Names of other options: only symmetries that map this set to itself, too.
        costs
            Only symmetries that map options to options of the same cost.
        node_limit
            The maximum number of items and options tried as images. After a limit the symmetries
            found so far are returned, which are a group, too: `complete` is False. None: about a
            billion steps, some seconds.
        generators
            Only products of these: symmetries, or mappings of option names to their images, where
            names that are missing stay. For example only the rotations of a board.
        item_generators
            The same, as mappings of item names.

        The order is exact. Raises `UnknownOption` and `GivenClash` for givens, and
        `InvalidArgument`, also for a generator that is no symmetry. Usually takes about as long as
        reading all entries ten times; with much regularity and little symmetry, exponential time.
        Source: McKay and Piperno, "Practical graph isomorphism, II" (2014).

        >>> import dlx.models
        >>> group = dlx.models.queens(8).symmetries()
        >>> group
        <dlx symmetries: 8 symmetries; 64 options in 10 orbits, 42 items in 11 orbits>
        >>> group.option_orbits[0]
        ((0, 0), (0, 7), (7, 0), (7, 7))
        >>> dlx.models.queens(8).symmetries(given=[(0, 0)]).order
        2
        >>> rotation = {(r, c): (c, 7 - r) for r in range(8) for c in range(8)}
        >>> dlx.models.queens(8).symmetries(generators=[rotation]).order
        4
        """
        from dlx.analysis.symmetry.group import find_symmetries

        options = SearchOptions(given=given, node_limit=node_limit)
        return find_symmetries(
            self._input(options),
            options,
            forbid=forbid,
            costs=costs,
            generators=generators,
            item_generators=item_generators,
        )

    def canonical(self, *, costs: bool = False, node_limit: int | None = None) -> Problem[int]:
        """The canonical form: equal for two problems if and only if they are isomorphic.

        Its items are 0, 1, ..., the primary ones first; its options have no names, and the colors
        of each item are 1, 2, ... It has no costs unless `costs` are to be kept.

        Raises `SearchInterrupted` at the limit (see `symmetries`), and `InvalidArgument`.

        >>> import dlx
        >>> one = dlx.Problem.from_options({"x": ["a", "b"], "y": ["b", "c"], "z": ["c"]})
        >>> other = dlx.Problem.from_options([["q", "r"], ["q"], ["p", "r"]])
        >>> one.canonical() == other.canonical()
        True
        >>> list(one.canonical().options)
        [(2,), (0, 1), (1, 2)]
        """
        from dlx.analysis.symmetry.canonical import canonical_table

        options = SearchOptions(node_limit=node_limit)
        problem: Problem[Any] = self._of_table(
            canonical_table(self._input(options), options, costs=costs)
        )
        return problem

    def is_isomorphic(
        self, other: Problem, *, costs: bool = False, node_limit: int | None = None
    ) -> Isomorphism | None:
        """A mapping of the options and items to those of the other problem; None if there is none.

        The mapping is an isomorphism: see `dlx.Isomorphism`. With `costs`, it keeps them.

        Raises `SearchInterrupted` at the limit for either problem (see `symmetries`), and
        `InvalidArgument`.

        >>> import dlx
        >>> one = dlx.Problem.from_options({"x": ["a", "b"], "y": ["b", "c"], "z": ["c"]})
        >>> other = dlx.Problem.from_options([["q", "r"], ["q"], ["p", "r"]])
        >>> found = one.is_isomorphic(other)
        >>> found.options, found.items
        ({'x': 2, 'y': 0, 'z': 1}, {'a': 'p', 'b': 'r', 'c': 'q'})
        """
        from dlx.analysis.symmetry.canonical import find_isomorphism

        if not isinstance(other, Problem):
            raise InvalidArgument(f"{quote(other)} is not a dlx.Problem")
        options = SearchOptions(node_limit=node_limit)
        onto = other._input(options)
        return find_isomorphism(self._input(options), options, onto=onto, costs=costs)

    # -- files (`load` is above) -------------------------------------------------------------------

    def dump(
        self,
        target: str | os.PathLike[str] | IO[str],
        *,
        format: str | None = None,  # noqa: A002  # as a user would call it
    ) -> None:
        """Writes the problem to a path or an open text file.

        `format` is "knuth", "json" (`dlx.formats.json_text`), "cnf" (DIMACS, for SAT solvers:
        `dlx.formats.dimacs`), "mps" or "lp" (integer programs: `dlx.formats.linear`), "minizinc"
        or "dzn" (a model or its data: `dlx.formats.minizinc`) or "xcsp3" (`dlx.formats.xcsp3`). The
        default depends on the path's suffix: .json, .cnf, .mps, .lp, .mzn, .dzn or .xml; Knuth's
        format for .dlx, .knuth, .txt, .xc, no suffix, and an open file. Any other suffix is refused
        with `InvalidArgument`. `load` reads the first two formats; `read_model` reads what solvers
        answer to files in the others.

        JSON holds items, colors and names of options that are texts, integers, True, False, None
        and tuples of such. In Knuth's format, items and colors must be texts without white space,
        ":" and "|", or integers, and comments hold the names of options. If an item cannot be
        written, a `FormatError` says which, and nothing is written. An existing file is replaced
        only when the new one is complete. Other threads may change the problem meanwhile: what is
        written is the problem as it was at one moment.
        """
        from dlx.formats.dump import dump

        dump(self._of_table(self._table.copy()), target, format)

    def read_model(self, source: str | os.PathLike[str] | IO[str]) -> Solution[Name] | None:
        r"""The solution in a solver's answer to this problem, or None if it says there is none.

        `source` is a path or an open text file: the output of a SAT solver for the file that
        `dump("x.cnf")` wrote, or the solution file of CBC, Gurobi, HiGHS or SCIP for
        `dump("x.mps")` or `dump("x.lp")`; see `dlx.formats.answers`. The options come in their
        order. The solution is verified: raises `InvalidSolution` if it is not a solution, and
        `FormatError`, with the line, for a text that is not a solver's answer.

        >>> import dlx, io
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
        >>> problem.read_model(io.StringIO("s SATISFIABLE\nv 1 2 -3 0\n"))
        ('x', 'y')
        >>> print(problem.read_model(io.StringIO("s UNSATISFIABLE\n")))
        None
        """
        from dlx.formats.answers import read_solution

        return read_solution(self._table, source)

    def to_frame(
        self, solutions: Iterable[Iterable[Hashable]] | None = None, *, library: str = "pandas"
    ) -> Any:
        """The problem, or solutions, as a long data frame: a row for each item of each option.

        The columns are "option" and "item", and if the problem has such "color", "times" and
        "cost"; they are those that `from_frame` reads. For `solutions`, a list of solutions or a
        search, the first column is "solution", a number from 0. `library` is "pandas", "polars", or
        "dict" for a mapping from columns to lists.

        >>> import dlx
        >>> problem = dlx.Problem.from_options({"early": ["Ann", "Bo"], "late": ["Ann"]})
        >>> problem.to_frame([problem.solve()], library="dict")
        {'solution': [0, 0], 'option': ['early', 'early'], 'item': ['Ann', 'Bo']}
        """
        from dlx.formats.frames import make_frame

        return make_frame(self, solutions, library)

    # -- drawing -----------------------------------------------------------------------------------

    def matrix(self, seed: int | None = None) -> Matrix:
        """The problem as a toroidal matrix in Python, to read or to trace: see `dlx.links.matrix`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["a", "b"]])
        >>> for step in problem.matrix().search():
        ...     print(step)
        level 0: item b (1 option)
          try option 1
          solution!
        level 0: item b is done
        """
        from dlx.links.build import build_matrix

        numbered = self._prepare(check_seed(seed))
        return build_matrix(self._table, numbered.rank, numbered.order)

    def trace_page(
        self,
        *,
        title: str = "Algorithm X",
        seed: int | None = None,
        steps: int = 1000,
        heuristic: str | Heuristic = "mrv",
    ) -> str:
        """A self-contained HTML page that steps through the search for all solutions.

        It plays the first `steps` steps forwards and backwards, or link by link: what covering an
        item removes from the lists of the toroidal matrix, and how uncovering restores it. The page
        says if the search has more steps. It loads nothing, and its content security policy allows
        no other script than its own.

        seed, heuristic
            As in `solutions`.

        Raises `InvalidArgument` for a problem of more than 1000 items and entries, which would not
        fit on a page, and if `steps` is not an integer from 0 up.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a", "b"]]).trace_page()[:15]
        '<!DOCTYPE html>'
        """
        from dlx.drawing.trace_page import trace_page

        numbered = self._prepare(check_seed(seed))
        return trace_page(self, numbered, title=title, steps=steps, heuristic=heuristic)

    def tree_picture(
        self,
        *,
        nodes: int = 100,
        seed: int | None = None,
        heuristic: str | Heuristic = "mrv",
    ) -> Picture:
        """The first nodes of the search tree as an SVG picture, from the root on the left.

        A box is an item that the search branches on; on the line to it is the option taken before.
        Green boxes are solutions, red ones dead ends: the item has no option left. A white box with
        three dots is where the picture ends and the search goes on.

        nodes
            The number of nodes drawn, at most 2000.
        seed, heuristic
            As in `solutions`.

        Takes O(entries) time, and that of a search of `nodes` nodes in Python. Raises
        `InvalidArgument` for a number of nodes out of range.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a", "b"]]).tree_picture()
        <dlx.Picture: SVG, ... bytes>
        """
        from dlx.drawing.search_tree import tree_picture

        return tree_picture(self, self.matrix(seed), nodes=nodes, heuristic=heuristic)

    def picture(self, solution: Iterable[Name]) -> Picture:
        """A solution as an SVG picture, if the items of its options name places on a board.

        Three kinds of problems can be drawn. Tilings and packings: each option covers cells, which
        are items such as "3,4" or (3, 4). Words: the options give letters to cells, as colors.
        Queens and similar pieces: each option is in one row and one column, which are items such as
        "r3" and "c4", or ("row", 3) and ("column", 4), or it covers the cells that a queen attacks.
        Most of `dlx.models` are of these kinds, and so are your own problems with such items.
        Options differ in color, and have borders.

        Raises `InvalidArgument` if the items are not of these forms or pieces overlap,
        `UnknownOption`, and `InvalidSolution` for None, as `solve` returns if there is no solution.

        >>> import dlx.models
        >>> problem = dlx.models.dominoes(2, 2)
        >>> problem.picture(problem.solve())
        <dlx.Picture: SVG, 689 bytes>
        """
        from dlx.drawing.pictures import picture_of

        return picture_of(self, solution)

    def sheet(
        self,
        solutions: Iterable[Iterable[Name]],
        *,
        captions: Iterable[str] | None = None,
        title: str | None = None,
        columns: int | None = None,
    ) -> Picture:
        """Solutions side by side, small, as one SVG picture; see `picture` for what can be drawn.

        solutions
            Solutions, or a search. The sheet says if the search has not found all, and for a search
            with `distinct=True` the size of each class.
        captions
            A line for each solution, below its picture; by default numbers, and sizes of classes.
        title
            The line above; by default the number of solutions.
        columns
            Pictures in a row; by default up to 1200 pixels.

        A sheet has at most 200 000 pieces, queens or letters, and says if there are more. Pieces of
        the same name have the same color on all pictures. O(cells of all solutions).

        Raises `InvalidArgument` as `picture` does, and if `captions` has more or fewer lines than
        there are solutions.

        >>> import dlx.models
        >>> queens = dlx.models.queens(8)
        >>> sheet = queens.sheet(queens.solutions(distinct=True))
        >>> "12 classes of symmetric solutions, with 92 solutions" in sheet
        True
        """
        from dlx.drawing.sheets import sheet_of

        return sheet_of(self, solutions, captions=captions, title=title, columns=columns)

    def _repr_html_(self) -> str:
        """HTML for notebooks: a line about the problem and, if it is small, its matrix."""
        from dlx.drawing.tables import problem_html

        return problem_html(self)

    # -- copying and pickling ----------------------------------------------------------------------

    def without(self, options: Iterable[Name] = (), *, items: Iterable[Hashable] = ()) -> Self:
        """A copy without these options, and without these items and the options that contain them.

        The other options keep their names, also where these are indices; so give a name to options
        that you add to such a copy. The search of the copy is that of this problem with `forbid`.
        The copy is not frozen. O(items + entries).

        Raises `UnknownOption`, `UnknownItem`, and `GivenClash` for an option that is named twice.

        >>> import dlx.models
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.without([1]).solutions())
        [(0, 3), (2,)]
        >>> board = dlx.models.dominoes(3, 3)
        >>> board.count(), board.without(items=["1,1"]).count()
        (0, 2)
        """
        table = self._table
        left_out = check_forbidden(table, [], options, "options")
        if not is_list_like(items):
            raise UnknownItem(f"items is {quote(items)}; give a list of items")
        numbers = {table.number_of(item) for item in items}
        if not numbers:
            return self._of_table(table.without(left_out))
        return self._of_table(table.without_items(numbers, left_out))

    def with_costs(self, costs: Iterable[int] | Mapping[Any, int]) -> Self:
        """A copy with these costs in place of its own: in order, or by name as in `from_options`.

        The copy is not frozen. O(items + entries). Raises `InvalidCost` and `UnknownOption`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"]}, costs=[1, 1])
        >>> problem.with_costs({"x": 5, "y": 7}).costs, problem.costs
        ((5, 7), (1, 1))
        """
        table = self._table.copy()
        table.set_costs(costs)
        return self._of_table(table)

    def __copy__(self) -> Self:
        problem = type(self).__new__(type(self))
        problem.__setstate__((self._table.copy(), self._frozen))
        return problem

    def __getstate__(self) -> tuple[Table, bool]:
        return self._table, self._frozen

    def __setstate__(self, state: tuple[Table, bool]) -> None:
        self._table, self._frozen = state
        self._prepared = None

    @classmethod
    def _of_table(cls, table: Table) -> Self:
        problem = cls.__new__(cls)
        problem.__setstate__((table, False))
        return problem

    # -- for this package --------------------------------------------------------------------------

    def _prepare(self, seed: int | None) -> NumberedProblem:
        """The problem in search order, for the kernel; cached until the problem changes."""
        prepared = self._prepared if seed is None else None
        if prepared is not None:
            return prepared
        with self._table.lock:  # another thread must not add an option before the result is cached
            prepared = NumberedProblem.of(self._table, seed)
            if seed is None:
                self._prepared = prepared
        return prepared

    def _input(self, options: SearchOptions, *, may_clash: bool = False) -> SearchInput:
        """The numbered problem of a call, without the options that it forbids, and its givens.

        Raises `GivenClash` for givens that no solution can contain together, unless they
        `may_clash`.
        """
        problem, given = self, options.given
        if type(options.forbid) is not tuple or options.forbid:
            table, given = allowed(self._table, given, options.forbid)
            problem = self if table is self._table else self._of_table(table)
        table, numbered = problem._table, problem._prepare(options.seed)
        if may_clash:
            return SearchInput(table, numbered, indices_of(table, given))
        return SearchInput(table, numbered, check_given(table, numbered, given))


def _mapping_of_items(argument: str, items: Mapping[Any, Any]) -> str:
    """The message for a mapping in place of items; usually its values are options."""
    meant = "" if argument == "secondary" else "for options by name, call Problem.from_options; "
    return f"{argument} is the mapping {quote(items)}; {meant}for its keys as items, give list(...)"


def _pairs(options: Mapping[Any, Iterable[Hashable]]) -> Iterable[tuple[Any, Iterable[Hashable]]]:
    """Pairs (name, items); tuples for any kind of mapping."""
    if type(options) is dict:
        return options.items()
    return ((name, items) for name, items in options.items())


class Reduction(NamedTuple, Generic[Name]):
    """The result of `Problem.reduced`: a smaller problem, and what was removed.

    problem
        The smaller problem. Its options keep their names, and it has the solutions of the original.
    blocked
        The options that were removed, by name, each with a primary item that it would leave
        without options.
    merged
        The items that were removed because another item implies them, each with that item: for a
        primary item one with the same options; for a secondary item one that all its options
        contain.
    dropped
        The secondary items that were removed because they exclude no pair of options: only one
        option has them, or all options that have them give them the same color.
    rounds
        The number of passes over the items that removed options.
    complete
        True if reducing the problem again would remove nothing. False after a timeout.

    >>> import dlx
    >>> secondary = dlx.Problem(["a", "b"], ["x"])
    >>> index = secondary.add_option(["a", dlx.colored("x", 1)])
    >>> index = secondary.add_option(["b", dlx.colored("x", 1)])
    >>> index = secondary.add_option(["b", dlx.colored("x", 2)])
    >>> reduction = secondary.reduced()
    >>> reduction.blocked, reduction.merged, reduction.dropped
    ({2: 'a'}, {}, ('x',))
    """

    problem: Problem[Name]
    blocked: dict[Name, Hashable]
    merged: dict[Hashable, Hashable]
    dropped: tuple[Hashable, ...]
    rounds: int
    complete: bool

    @property
    def summary(self) -> str:
        """How many options and items were removed, as a text."""
        from dlx.analysis.reduce import amount_text

        blocked, gone = len(self.blocked), len(self.merged) + len(self.dropped)
        options, items = len(self.problem) + blocked, len(self.problem.items) + gone
        return amount_text(blocked, options, gone, items, self.rounds)

    def __repr__(self) -> str:
        return f"<dlx reduction: {self.summary}{'' if self.complete else ', incomplete'}>"


OptionsLike = Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]]


@overload
def solve(
    options: Mapping[OtherName, Iterable[Hashable]],
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Solution[OtherName] | MaybeNone: ...


@overload
def solve(
    options: Iterable[Iterable[Hashable]],
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Solution[int] | MaybeNone: ...


def solve(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Solution[Any] | None:
    """The first solution, or None: `Problem.from_options(...).solve(...)`.

    >>> import dlx
    >>> dlx.solve([["a", "c"], ["b"], ["a", "b"]])
    (0, 1)
    """
    return _problem(options, primary, secondary, multiplicities).solve(**search)


@overload
def solutions(
    options: Mapping[OtherName, Iterable[Hashable]],
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Search[OtherName]: ...


@overload
def solutions(
    options: Iterable[Iterable[Hashable]],
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Search[int]: ...


def solutions(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Search[Any]:
    """A lazy iterator over all solutions: `Problem.from_options(...).solutions(...)`.

    >>> import dlx
    >>> list(dlx.solutions({"left": ["a"], "right": ["a"]}))
    [('left',), ('right',)]
    """
    return _problem(options, primary, secondary, multiplicities).solutions(**search)


def count(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> int:
    """The number of solutions: `Problem.from_options(...).count(...)`.

    >>> import dlx
    >>> dlx.count([["a"], ["a"], ["b"]])
    2
    >>> dlx.count([["a"], ["a"], ["b"]], multiplicities={"a": 2})
    1
    """
    return _problem(options, primary, secondary, multiplicities).count(**search)


def _problem(
    options: OptionsLike,
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicities: Mapping[Any, Multiplicity] | None,
) -> Problem[Any]:
    return Problem.from_options(
        options, primary=primary, secondary=secondary, multiplicities=multiplicities
    )
