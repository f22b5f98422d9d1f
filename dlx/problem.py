"""The exact cover problem and the questions that can be asked of it.

One call from options to answers, for when a `Problem` of one's own is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, overload

from dlx.analysis.estimate import Estimate
from dlx.analysis.explain import Explanation
from dlx.analysis.minimum import Progress, Ranking
from dlx.analysis.solutions import find_first, has_one_solution, open_search
from dlx.core.arguments import (
    check_item_count,
    check_seed,
    check_timeout,
)
from dlx.core.givens import check_given
from dlx.core.multiplicity import ONCE, secondary_has_none, set_multiplicities
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Options, Table
from dlx.errors import (
    DLXError,
    FrozenProblem,
    InvalidEntry,
    InvalidMultiplicity,
    quote,
)
from dlx.search.options import SearchOptions
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from concurrent.futures import Executor
    from typing import IO

    from dlx.analysis.diagram.diagram import Diagram
    from dlx.core.multiplicity import Multiplicity
    from dlx.core.numbering import NumberedProblem, SearchInput
    from dlx.core.part import Part
    from dlx.core.table import Table
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Matrix
    from dlx.search.asynchronous import AsyncSearch
    from dlx.search.batches import Answers, Givens
    from dlx.search.codec import Code
    from dlx.search.progress import SearchProgress
    from dlx.search.search import Search, Solution

__all__ = ["Problem", "Reduction", "count", "solutions", "solve"]


class Problem:
    """An exact cover problem, and the searches on it.

    Items are any hashable values. `primary` items must be covered exactly once, unless
    `multiplicities` maps them to a number n (exactly n times) or a pair (low, high) (at least low
    and at most high times); `secondary` items at most once, or any number of times in one color
    (see `dlx.colored`). With `primary=None` every item that is not declared secondary is primary,
    in order of first appearance; if `primary` is given, options may contain no others.

    An option is known by its *name*, which is its index (0, 1, ...) unless another is given. A
    *solution* is a tuple of option names, in the order chosen. All engines find the same solutions
    in the same order: the item with the fewest options left comes first (the one declared first,
    among several; see `dlx.links.heuristics` for others), and its options are tried in the order in
    which they were added.

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
        knuth.load(problem._table, source)
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
        return f"<dlx.Problem: {self._table.summary()}>"

    def __copy__(self) -> Self:
        problem = type(self).__new__(type(self))
        problem.__setstate__((self._table.copy(), self._frozen))
        return problem

    @classmethod
    def _of_table(cls, table: Table) -> Self:
        problem = cls.__new__(cls)
        problem.__setstate__((table, False))
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
        from dlx.core.verify import verify

        verify(self._table, solution)

    # -- multiplicities
    # ------------------------------------------------------------------------------

    @property
    def multiplicities(self) -> dict[Hashable, tuple[int, int]]:
        """The bounds of the items that need not be covered exactly once, as (low, high).

        In the order in which they were set; it is what `multiplicities=` takes.

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"], multiplicities={"b": 3})
        >>> problem.add_item("c", multiplicity=(0, 2))
        >>> problem.multiplicities
        {'b': (3, 3), 'c': (0, 2)}
        """
        return self._table.bounds_by_item()

    def multiplicity_of(self, item: Hashable) -> tuple[int, int]:
        """How often a primary item may be covered: at least and at most. O(1).

        Raises `UnknownItem`, and `InvalidMultiplicity` for a secondary item, which has none.

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"], multiplicities={"b": (2, 3)})
        >>> problem.multiplicity_of("a"), problem.multiplicity_of("b")
        ((1, 1), (2, 3))
        """
        table = self._table
        number = table.number_of(item)
        if table.secondary[number]:
            raise InvalidMultiplicity(secondary_has_none(item))
        return table.multiplicities.get(number, ONCE)

    # -- searching
    # -----------------------------------------------------------------------------------

    def solutions(
        self,
        *,
        given: Iterable[Hashable] = (),
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
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Search:
        """All solutions, one after another: a lazy iterator (see `dlx.Search`).

        given
            Names of options that every solution must contain; they come first in each.
        limit
            Stop after so many solutions.
        timeout
            Stop after so many seconds of search.
        seed
            Break ties between items, and order options, at random as this integer has it.
        engine
            "auto", "links" or "bits" (compiled), "python" (`dlx.links.matrix`), or "sat" (a SAT
            solver, which has an order of its own: see `dlx.engines.sat`). With a limit of 1, "auto"
            turns to the SAT solver, if that is installed, when it has searched for long; it may
            then find another solution than the first in order. `stats.conflicts` tells.
        heuristic
            Which item to branch on: "mrv", that with the fewest options left; "weighted", which
            learns from dead ends (another order, and often a far smaller tree); or, with the
            engine "python", a function of your own. See `dlx.links.heuristics`.
        part
            Only a part of the search, from `split` with the same givens and seed. Any engine but
            "sat" will do.
        workers
            Threads that search at the same time, or None for one on each processor. With an
            executor: how many workers it has, if that is above 1 and known better than by itself.
        executor
            Whose workers do the search: a `concurrent.futures.Executor`, or a Dask `Client`.
        ordered
            Must the solutions come in the order of a search by one worker? That is the default;
            False lets them come as they are found. (With another heuristic than "mrv", several
            workers find the same solutions in some other order. The engine "sat" has one worker.)
        checkpoint
            Keep a journal of the search in this file (see `dlx.Journal` and docs/journals.md). If
            it is there already, the search goes on with it, whatever ended the run before: first
            come the solutions found before, then the others, in the order of one worker. The
            journal of another problem, or of other keywords than those that say how the work is
            done, is refused: `JournalError`.

        node_limit
            Stop after so many nodes; the engine "bits" may go a little further, where it has no
            choice, and several workers by what each has in hand.
        progress
            A function that is called with a `dlx.SearchProgress` every tenth of a second, and
            whenever the search stops. What it raises ends the call; a search that is drawn from
            again goes on, `count`, `solve` and `is_unique` begin anew, or with their journal.

        After a limit the search can go on: see `Search.resume`.

        With several workers, some go on for a while when nobody draws, as far as there is room for
        what they find: see `docs/parallel.md`.

        The search works on a snapshot: changing the problem does not disturb it. Raises
        `UnknownOption` and `GivenClash` for givens, `InvalidPart` for a part of another
        search, `InvalidArgument` for the rest; and while solutions are drawn, `WorkersLost` and
        `PartFailed` if an executor does not do its work.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solutions())
        [(0, 1), (0, 3), (2,)]
        >>> list(problem.solutions(given=[3]))
        [(3, 0)]
        >>> list(problem.solutions(limit=1))
        [(0, 1)]
        >>> list(problem.solutions(engine="python", heuristic=lambda headers: headers[-1]))
        [(1, 0), (2,), (3, 0)]
        """
        options = SearchOptions(
            given=given,
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
            progress=progress,
        )
        return open_search(self._input(options), options, "solutions", any_order=limit == 1)

    def solve(
        self,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Solution | None:
        """The first solution, or None if there is none.

        After a long search, "auto" may return another than the first: see `solutions`, of which
        this is the one with `limit=1`. The other engines never do.

        Raises `SearchInterrupted` if the timeout came first; for the keywords see `solutions`.
        """
        options = SearchOptions(
            given=given,
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
        given: Iterable[Hashable] = (),
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
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> int:
        """The number of solutions, exact at any size; with a `limit`, the smaller of the two.

        The engine "auto" remembers what it has counted where that is less work than enumeration
        (see `docs/counting.md`), in as much memory as `memory_limit` allows: bytes, or a text such
        as "500 MB"; 1 GiB if it is None. The other engines enumerate, and remember nothing.

        With a `part` (see `solutions`) its solutions are counted: if it is a whole subtree, in the
        same way as all solutions; otherwise by enumeration.

        Several workers, or an executor, are given what is to be enumerated, and only that: the
        engine "auto" first finds out, alone, whether it is less work to remember.

        With a `checkpoint`, which keeps a journal as in `solutions`, all engines enumerate.

        Raises `SearchInterrupted`, with the count so far, if the timeout came first, and
        `InvalidArgument` for a memory limit below 1 MiB; for the keywords see `solutions`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> problem.count(), problem.count(limit=2)
        (3, 2)
        >>> import dlx.models
        >>> dlx.models.dominoes(16, 16).count()
        2444888770250892795802079170816
        """
        from dlx.analysis.count import check_memory, count_solutions

        options = SearchOptions(
            given=given,
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
            memory=check_memory(memory_limit),
            progress=progress,
        )
        return count_solutions(self._input(options), options)

    def is_unique(
        self,
        *,
        given: Iterable[Hashable] = (),
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
        """Is there exactly one solution?

        Where that takes long, "auto" asks the SAT solver as well: see `dlx.engines.portfolio`.

        Raises `SearchInterrupted` if the timeout came first; for the keywords see `solutions`.
        """
        options = SearchOptions(
            limit=2,
            given=given,
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

    # -- searching, from a coroutine
    # -----------------------------------------------------------------

    def asolutions(self, **search: Any) -> AsyncSearch:
        """All solutions, for `async for`; the keywords are those of `solutions`.

        Other tasks go on while the search does. Leaving the loop or cancelling the task stops it
        within a few hundredths of a second.

        >>> import asyncio, dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> async def collect():
        ...     return [solution async for solution in problem.asolutions()]
        >>> asyncio.run(collect())
        [(0, 1), (0, 3), (2,)]
        """
        from dlx.search.asynchronous import AsyncSearch

        return AsyncSearch(self.solutions(**search))

    async def asolve(self, **search: Any) -> Solution | None:
        """The first solution, or None; the keywords are those of `solve`."""
        from dlx.search.asynchronous import answered

        return await answered(self.solve, search)

    async def acount(self, **search: Any) -> int:
        """The number of solutions; the keywords are those of `count`.

        >>> import asyncio, dlx.models
        >>> asyncio.run(dlx.models.queens(8).acount())
        92
        """
        from dlx.search.asynchronous import answered

        return await answered(self.count, search)

    async def ais_unique(self, **search: Any) -> bool:
        """Is there exactly one solution? The keywords are those of `is_unique`."""
        from dlx.search.asynchronous import answered

        return await answered(self.is_unique, search)

    # -- many sets of givens
    # -------------------------------------------------------------------------

    # A limit of 1 is another question than other limits, but to mypy they overlap.
    @overload
    def solve_many(  # type: ignore[overload-overlap]
        self,
        givens: Givens,
        *,
        limit: Literal[1] = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: None = None,
    ) -> Answers[Solution | None]: ...
    @overload
    def solve_many(  # type: ignore[overload-overlap]
        self,
        givens: Givens,
        *,
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
        givens: Givens,
        *,
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
        givens: Givens,
        *,
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
        givens: Givens,
        *,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """The same problem under many sets of givens, solved inside the kernel: see `dlx.Answers`.

        givens
            Sets of option names, from any iterable, which may be endless; or a tuple of two arrays,
            indptr and indices: set s is then the options indices[indptr[s]:indptr[s + 1]].
        limit
            With 1, an answer is the first solution of a set, or None. With any other number it is
            the list of the first so many solutions, with None of all solutions.
        timeout
            Seconds for each set.
        seed, engine, heuristic
            As in `solutions`.
        workers
            At most so many threads; None for one on each processor. The answers do not depend on
            it. The "python" engine has one.
        errors
            What to do about a set without an answer: one that is no set of this problem's options
            (`UnknownOption`), that contradicts itself (`GivenClash`), or took too long
            (`SearchInterrupted`). The exception says which set it is in its `position`. "raise":
            raise it in its turn; the iterator can then go on with the next set. "return": it stands
            among the answers.
        code
            A `dlx.Code`: then givens may also be lines of text, and solutions are.

        Each solution begins with the set's givens. The search works on a snapshot, as `solutions`
        does. Raises `InvalidArgument`, and `InvalidEntry` for arrays that cannot be. O(1) memory.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solve_many([[], [3], [2], [1, 0]]))
        [(0, 1), (3, 0), (2,), (1, 0)]
        >>> list(problem.solve_many([[], [3]], limit=None))
        [[(0, 1), (0, 3), (2,)], [(3, 0)]]
        >>> [type(answer).__name__ for answer in problem.solve_many([[0, 2], [9]], errors="return")]
        ['GivenClash', 'UnknownOption']
        """
        from dlx.search.batches import BatchOutput, answer_many

        options = SearchOptions(
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
        )
        output = BatchOutput(errors, code, keep=True)
        return answer_many(self, self._prepare(options.seed), givens, options, output)

    @overload
    def count_many(
        self,
        givens: Givens,
        *,
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
        givens: Givens,
        *,
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
        givens: Givens,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """The number of solutions under each of many sets of givens, but never more than `limit`.

        With `limit=2`, a 1 says that there is exactly one solution. For the rest see `solve_many`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.count_many([[], [3], [0]], limit=2))
        [2, 1, 2]
        """
        from dlx.search.batches import BatchOutput, answer_many

        options = SearchOptions(
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
        )
        output = BatchOutput(errors, code, keep=False)
        return answer_many(self, self._prepare(options.seed), givens, options, output)

    # -- parts
    # ---------------------------------------------------------------------------------------

    def split(
        self,
        parts: int,
        *,
        given: Iterable[Hashable] = (),
        seed: int | None = None,
        heuristic: str | Heuristic = "mrv",
    ) -> list[Part]:
        """Parts of the search that are, one after another, the whole of it.

        Each is searched by `solutions(part=...)` or `count(part=...)`, with the same `given` and
        `seed`, wherever the same problem has been made in the same way; a `dlx.Part` is small and
        can be pickled. (Unpickle only what you trust: `pickle.loads` runs what its input says.) No
        two parts have a solution in common, and the solutions of the first, the second and so on
        are those of the whole in order.

        parts
            How many there should be at least, up to a million. There are fewer if the search tree
            has not so many nodes, and more, mostly three to eight times as many, so that none is
            larger than half a share, as far as random probes can tell: of trees with thousands of
            levels they tell little, and there are about as many as were asked for.
        given, seed
            As in `solutions`. With the same seed, the same parts come out every time.
        heuristic
            Chooses the items above the parts. In the parts, it begins anew: what "weighted" learns
            in one part it does not know in the next, so that the solutions of the whole come in
            another order.

        The nodes of the parts are those of the whole search less those above the parts. Some ten
        nodes a part are visited, and what is below them is estimated: that takes a tenth of a
        second for a few parts, some seconds where a probe is long. Raises as `solutions` does.

        >>> import dlx.models
        >>> problem = dlx.models.queens(8)
        >>> parts = problem.split(5)
        >>> len(parts) >= 5
        True
        >>> sum(problem.count(part=part) for part in parts)
        92
        """
        from dlx.parallel.split import split

        options = SearchOptions(given=given, seed=seed, heuristic=heuristic)
        return split(self._input(options), parts, heuristic)

    # -- costs
    # ---------------------------------------------------------------------------------------

    @property
    def costs(self) -> tuple[int, ...]:
        """The costs of the options, in order.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b"]}, costs={"y": -2, "x": 3}).costs
        (3, -2)
        """
        return self._table.every_cost()

    def cost_of(self, solution: Iterable[Hashable]) -> int:
        """What the options of these names cost together. O(1) each. Raises `UnknownOption`.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).cost_of([0, 1])
        3
        """
        from dlx.core.givens import indices_of

        costs = self._table.costs
        return sum(costs[i] for i in indices_of(self._table, solution) if i < len(costs))

    def minimum(
        self,
        k: int = 1,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
    ) -> Ranking:
        """The `k` cheapest solutions, as a list of pairs (cost, solution) in order of cost.

        Of solutions that cost the same, those that `solutions` visits first (with the same givens
        and seed) come first. The list is shorter than `k` if there are not so many solutions, and
        empty if there are none. Solutions of colored and secondary items are searched alike.

        k
            How many; 1 or more.
        given, seed
            As in `solutions`.
        timeout
            Stop after so many seconds, with `MinimumInterrupted`, which has the best so far and
            what all others cost at least.
        engine
            "auto" or "links", the compiled branch and bound; or "python", a short one to read and
            to compare with (`dlx.engines.python.minimum`).
        progress
            A function that is called now and then, with a `Progress`, and once at the end.
        workers
            Threads that search at the same time, or None for one on each processor. They share the
            best costs found, and the answer is that of one, ties and all. (Executors and journals
            are for `solutions` and `count`.)

        Costs are exact. The absolute costs of all options together may be at most 2^63-1: a problem
        with larger ones is refused with `InvalidCost` when it gets them.

        Branch and bound with prices of items (Knuth's taxes) as lower bound; exponential at worst,
        but often a small part of what it takes to see all solutions. Raises `InvalidArgument`,
        `UnknownOption` and `GivenClash`. Source: TAOCP 7.2.2.1, Algorithms X$ and C$; here the
        prices come from the linear program, see `dlx/_kernel/minimum/minimum.hpp`.

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
        return self._rank(1, k, given, timeout, seed, engine, progress, workers)

    def maximum(
        self,
        k: int = 1,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
    ) -> Ranking:
        """The `k` dearest solutions, the dearest first: `minimum` of the negative costs.

        Ties are in visiting order here, too, and a bound says what other solutions cost at most.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).maximum()
        [(4, (2,))]
        """
        return self._rank(-1, k, given, timeout, seed, engine, progress, workers)

    def _rank(
        self,
        sign: int,
        k: int,
        given: Iterable[Hashable],
        timeout: float | None,
        seed: int | None,
        engine: str,
        progress: Callable[[Progress], object] | None,
        workers: int | None,
    ) -> Ranking:
        from dlx.analysis.minimum import RankingTask, check_progress, open_search, rank
        from dlx.core.arguments import check_count, check_workers

        number = check_count(k)
        seconds = check_timeout(timeout)
        check_progress(progress)
        threads = check_workers(workers)
        seed = check_seed(seed)
        with self._table.lock:  # the search copies from the table, as it is when it is prepared
            prepared = self._prepare(seed)
            task = RankingTask(self._table, prepared, lambda: self._lay_matrix(prepared), sign)
            search = open_search(task, number, given, engine, threads)
        return rank(task, search, seconds, progress)

    # -- diagrams
    # ------------------------------------------------------------------------------------

    def diagram(
        self,
        *,
        order: str = "search",
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        memory_limit: int | str | None = None,
    ) -> Diagram:
        """All solutions, compiled into a decision diagram: see `dlx.Diagram`.

        order
            "search": items are chosen as a search with the heuristic "mrv" does, and the diagram
            lists its solutions exactly as `solutions` does. "narrow": items are taken in one order
            from the first to the last, chosen so that a sweep over the problem has few items half
            done at a time. That is the better way for boards and other long or flat shapes; the
            diagram is then ordered (see `Diagram.variables`), and lists its solutions as a search
            that branches on items in that order.
        given, seed
            As in `solutions`. Given options come first.
        timeout
            Seconds; then `SearchInterrupted` is raised.
        memory_limit
            Bytes the diagram may take while it is built, or a text such as "500 MB"; 1 GiB if it is
            None. Then `DiagramTooLarge` is raised, which
            says how far it got. What was built is given up in either case.

        Every subproblem is searched once and then remembered, so that the time is that of a search
        divided by how often subproblems recur. Between the two orders the number of nodes can
        differ by any factor.

        >>> import dlx
        >>> diagram = dlx.models.queens(8).diagram()
        >>> len(diagram), diagram.nodes
        (92, 473)
        >>> list(diagram) == list(dlx.models.queens(8).solutions())
        True
        """
        from dlx.analysis.diagram.build import build, check_memory, check_order

        check_order(order)
        limit = check_memory(memory_limit)
        seconds = check_timeout(timeout)
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        return build(self._table, prepared, chosen, order, seconds, limit)

    def sample(
        self,
        n: int = 1,
        seed: int | None = None,
        *,
        order: str = "search",
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        memory_limit: int | str | None = None,
    ) -> list[Solution]:
        """`n` solutions drawn at random, each as likely as any other: see `Diagram.sample`.

        They are drawn from the problem's diagram, which has to fit into `memory_limit`:
        otherwise `DiagramTooLarge` is raised. To draw more than once, keep the `diagram`. Raises
        `InvalidArgument` if there is no solution.

        >>> import dlx
        >>> [solution] = dlx.models.dominoes(8, 8).sample(seed=1)
        >>> len(solution)
        32
        """
        diagram = self.diagram(order=order, given=given, timeout=timeout, memory_limit=memory_limit)
        return diagram.sample(n, seed)

    # -- analysis
    # ------------------------------------------------------------------------------------

    def estimate(
        self,
        probes: int = 1000,
        seed: int | None = 0,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
    ) -> Estimate:
        """The likely numbers of nodes and solutions, and the time of a search for all of them.

        Each probe walks down the search tree at random; a node reached where 2, then 5, then 3
        options could be tried stands for 30. The mean over all probes is right on average, for
        every tree (see `Estimate`), whether it has a thousand nodes or 10^1000.

        probes
            How many; at least 2. The error goes down with their square root.
        seed
            Of the random numbers: the same integer (up to multiples of 2^64), the same numbers, on
            every machine. None for another one each time. The tree is always that of a search
            without a seed.
        given
            As in `solutions`.
        timeout
            Stop probing after so many seconds. Then there are fewer probes, and `stopped_by` says
            so; `SearchInterrupted` is raised if there are not even 2.
        engine
            The engine whose speed is measured, for a quarter of a second at most.
        heuristic
            "mrv", or, with the engine "python", a function of your own (probes are then made in
            Python), to find out whether it makes for a smaller tree. What "weighted" chooses hangs
            on the dead ends of the whole search, of which probes know nothing: `InvalidArgument`.

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
            given=given, seed=seed, timeout=timeout, engine=engine, heuristic=heuristic
        )
        return estimate(self._table, self._prepare(None), options, probes)

    def explain(
        self,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        node_limit: int | None = None,
        givens_only: bool = False,
    ) -> Explanation | None:
        """Why there is no solution: a small irreducible set of items, and of givens; else None.

        An item that is *dropped* is taken out of all options: it may then be covered any number of
        times, or not at all, in any colors; a dropped secondary item no longer restricts anything.
        A given that is dropped need not be taken (but may be). What is returned has no solution
        even if everything else is dropped; and if it is `irreducible`, it has one as soon as one
        more is.

        Unlike elsewhere, givens that clash are no error here but an explanation. It is not the
        smallest there is, but smaller ones are looked for a while.

        given
            Names of options, as in `solutions`, each once.
        timeout
            Stop looking for smaller sets after so many seconds. What is found by then is returned,
            with `irreducible` false if that could not be proved.
        node_limit
            Stop after so many nodes of all searches together: a limit that repeats, as times do
            not. Without limits, the answer is always irreducible.
        givens_only
            Drop givens only; all items stay, and are not part of the answer. The question for
            puzzles, whose rules are fixed. The answer has no givens if there is no solution anyway.

        Raises `SearchInterrupted` if a limit comes before it is clear that there is no solution,
        `UnknownOption`, `GivenClash` for an option given twice, and `InvalidArgument`.

        Each search is one for a solution, with all that may take; there are about as many as items
        and givens in the answer, and some more. They are searches of a kind that says which items
        a failure was due to: see `dlx.analysis.explain`.

        >>> import dlx
        >>> options = [["a", "b"], ["b", "c"], ["a", "c"], ["d"], ["d", "e"], ["e"]]
        >>> problem = dlx.Problem.from_options(options)
        >>> print(problem.explain())
        items 'a', 'b' and 'c' cannot be satisfied together (all are needed)
        >>> problem.explain(given=[3, 4]).givens
        (3, 4)
        """
        from dlx.analysis.explain import explain

        options = SearchOptions(given=given, timeout=timeout, node_limit=node_limit)
        return explain(
            self._table, self._prepare(None), self.solutions, options, givens_only=givens_only
        )

    def reduced(self, *, given: Iterable[Hashable] = (), timeout: float | None = None) -> Reduction:
        """A smaller problem with the same solutions: see `dlx.Reduction`.

        Options that conflict with every option of some primary item are removed, until there are
        none: they are in no solution. Then items are: of primary items that have the same options
        all but the first, and secondary items that constrain nothing. Options keep their names, so
        that a solution of `.problem` is one of this problem as it stands. If only items were
        removed, solutions come in the same order as before; otherwise perhaps in another.

        given
            Names of options that every solution must contain: the solutions of `.problem` are
            those that do.
        timeout
            Stop after so many seconds. What was found by then is removed; `.complete` is False.

        An item of another multiplicity than 1 stays, and nothing is concluded from it. Where there
        is no solution, all options may go, and one item that then has none be left.

        Raises `UnknownOption` and `GivenClash` for givens, `InvalidArgument` for the rest. What is
        removed is what TAOCP 7.2.2.1, Algorithm P, would remove, and perhaps more. That tries every
        option against all it conflicts with; this does so for one option of each item, and again
        only for items that have lost options. O(items + entries) memory.

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

        left = reduce(self._table, self._prepare(None), given, timeout=timeout)
        return Reduction(self._of_table(left.table), *left[1:])

    # -- files
    # ---------------------------------------------------------------------------------------

    def dump(
        self,
        target: str | os.PathLike[str] | IO[str],
        *,
        format: str | None = None,  # noqa: A002  # as a user would call it
    ) -> None:
        """Writes the problem to a path or an open text file.

        `format` is "knuth", "cnf" (DIMACS, for SAT solvers: `dlx.formats.dimacs`), "mps" or "lp"
        (integer programs: `dlx.formats.linear`); by default what the path's suffix says: .cnf, .mps
        or .lp, and for Knuth's .dlx, .knuth, .txt, .xc or none, as for an open file. Any other
        suffix is refused with `InvalidArgument`. What solvers make of the last three formats is
        read with `read_model`.

        In Knuth's, items and colors must be texts without white space, ":" and "|", or integers;
        otherwise a `FormatError` says which is not, and nothing is written. Names of options are
        not part of the format. A file that was there before is replaced only when the new one is
        complete.
        """
        from dlx.formats import dump as writing

        writing.dump(self, target, format)

    def read_model(self, source: str | os.PathLike[str] | IO[str]) -> Solution | None:
        r"""The solution in a solver's answer to this problem, or None if it says there is none.

        `source` is a path or an open text file: what a SAT solver prints about the file that
        `dump("x.cnf")` wrote, or the solution file that CBC, Gurobi, HiGHS or SCIP write about
        `dump("x.mps")` or `dump("x.lp")`; see `dlx.formats.answers`. The options come in their
        order. The solution is verified: raises `InvalidSolution` if it is none, and `FormatError`,
        with the line, for a text that is no answer.

        >>> import dlx, io
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
        >>> problem.read_model(io.StringIO("s SATISFIABLE\nv 1 2 -3 0\n"))
        ('x', 'y')
        >>> print(problem.read_model(io.StringIO("s UNSATISFIABLE\n")))
        None
        """
        from dlx.core.verify import verify
        from dlx.formats.answers import read_answer

        chosen = read_answer(source, len(self._table))
        if chosen is None:
            return None
        solution = tuple(map(self._table.name_of, chosen))
        verify(self._table, solution)
        return solution

    # -- pictures
    # ------------------------------------------------------------------------------------

    def trace_page(
        self,
        *,
        title: str = "Algorithm X",
        seed: int | None = None,
        steps: int = 1000,
        heuristic: str | Heuristic = "mrv",
    ) -> str:
        """A self-contained HTML page that steps through the search for all solutions.

        It plays the first so many `steps` forwards and backwards, or link by link: what covering an
        item takes out of the lists of the toroidal matrix, and how uncovering puts it back. Where
        the search goes on beyond, the page says so. It loads nothing, and its content security
        policy lets no script run but its own.

        seed, heuristic
            As in `solutions`.

        Raises `InvalidArgument` for a problem of more than 1000 items and entries, which nobody
        could see at once, and if `steps` is no integer from 0 up.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a", "b"]]).trace_page()[:15]
        '<!DOCTYPE html>'
        """
        from dlx.core.arguments import check_number
        from dlx.drawing.recording import RecordedMatrix, RecordedMultipleMatrix
        from dlx.drawing.trace_page import check_size, trace_page
        from dlx.links.multiplicities import build_matrix_of_kind

        problem = self
        check_number("steps", steps, 0)
        check_size(problem)
        kind = RecordedMultipleMatrix if self._table.has_multiplicities else RecordedMatrix
        prepared = self._prepare(check_seed(seed))
        matrix = build_matrix_of_kind(self._table, prepared.rank, prepared.order, kind)
        return trace_page(problem, matrix, title=title, steps=steps, heuristic=heuristic)

    def picture(self, solution: Iterable[Hashable]) -> str:
        """A solution as an SVG picture, where its options say in which places they lie.

        Drawn are tilings and packings in the plane (each option covers cells, items such as "3,4"
        or (3, 4)) and queens and the like (each option is in one row and one column, items such as
        "r3" and "c4", or ("row", 3) and ("column", 4), or covers the cells that a queen rules):
        most of `dlx.models`, and problems of your own whose items are named so. Colors tell options
        apart, and borders do in black and white.

        Raises `InvalidArgument` where nothing of the kind is to be seen, or pieces lie on each
        other, and `UnknownOption`.

        >>> import dlx.models
        >>> problem = dlx.models.dominoes(2, 2)
        >>> problem.picture(problem.solve())[:4]
        '<svg'
        """
        from dlx.drawing.boards import board_picture

        return board_picture(self, solution)

    def _repr_html_(self) -> str:
        """What a notebook shows: the problem in a line, and, if it is small, its matrix."""
        from dlx.drawing.tables import problem_html

        return problem_html(self)

    # -- shared by the questions
    # ---------------------------------------------------------------------

    def matrix(self, seed: int | None = None) -> Matrix:
        """The problem as a toroidal matrix in plain Python, to look at or to trace:
        `dlx.links.matrix`.

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

    def _prepare(self, seed: int | None) -> NumberedProblem:
        """The problem in search order, for the kernel; kept until the problem changes."""
        prepared = self._prepared if seed is None else None
        if prepared is not None:
            return prepared
        with self._table.lock:  # or what another thread adds now is missing from what is kept
            prepared = NumberedProblem.of(self._table, seed)
            if seed is None:
                self._prepared = prepared
        return prepared

    def _input(self, options: SearchOptions) -> SearchInput:
        """The problem and the givens of a call, ready to be searched."""
        numbered = self._prepare(options.seed)
        return SearchInput(self._table, numbered, check_given(self._table, numbered, options.given))

    def _lay_matrix(self, prepared: NumberedProblem) -> Matrix:
        from dlx.links.multiplicities import build_matrix

        return build_matrix(self._table, prepared.rank, prepared.order)


def _mapping_of_items(argument: str, items: Mapping[Any, Any]) -> str:
    """What to say of a mapping where items belong: most likely it has options by name."""
    meant = "" if argument == "secondary" else "for options by name, call Problem.from_options; "
    return f"{argument} is the mapping {quote(items)}; {meant}for its keys as items, give list(...)"


def _pairs(options: Mapping[Any, Iterable[Hashable]]) -> Iterable[tuple[Any, Iterable[Hashable]]]:
    """The names and options of a mapping, as tuples whatever kind of mapping it is."""
    if type(options) is dict:
        return options.items()
    return ((name, items) for name, items in options.items())


OptionsLike = Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]]


def solve(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Solution | None:
    """The first solution, or None: `Problem.from_options(...).solve(...)`.

    >>> import dlx
    >>> dlx.solve([["a", "c"], ["b"], ["a", "b"]])
    (0, 1)
    """
    return _problem(options, primary, secondary, multiplicities).solve(**search)


def solutions(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Search:
    """All solutions, lazily: `Problem.from_options(...).solutions(...)`.

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
) -> Problem:
    return Problem.from_options(
        options, primary=primary, secondary=secondary, multiplicities=multiplicities
    )


class Reduction(NamedTuple):
    """What `Problem.reduced` tells.

    problem
        What is left. Its options have the names they had, so its solutions are solutions of the
        original as they stand, and there are no others.
    blocked
        The options that were removed, by name, each with a primary item that it would leave
        without options.
    merged
        The items that were removed because another does their work, each with that one: for a
        primary item one with the same options; for a secondary item one that all its options
        contain.
    dropped
        The secondary items that were removed because they kept no two options apart: only one
        option was left that has them, or all that have them give them the same color.
    rounds
        How many passes over the items it took to remove the options.
    complete
        True if no option is blocked any more: to reduce the problem again would remove nothing.
        False if the timeout came first.

    >>> import dlx
    >>> secondary = dlx.Problem(["a", "b"], ["x"])
    >>> index = secondary.add_option(["a", dlx.colored("x", 1)])
    >>> index = secondary.add_option(["b", dlx.colored("x", 1)])
    >>> index = secondary.add_option(["b", dlx.colored("x", 2)])
    >>> reduction = secondary.reduced()
    >>> reduction.blocked, reduction.merged, reduction.dropped
    ({2: 'a'}, {}, ('x',))
    """

    problem: Problem
    blocked: dict[Hashable, Hashable]
    merged: dict[Hashable, Hashable]
    dropped: tuple[Hashable, ...]
    rounds: int
    complete: bool

    @property
    def summary(self) -> str:
        """How many options and items were removed, in words."""
        options = len(self.problem) + len(self.blocked)
        gone = len(self.merged) + len(self.dropped)
        items = len(self.problem.items) + gone
        from dlx.analysis.reduce import amount_text

        return amount_text(len(self.blocked), options, gone, items, self.rounds)

    def __repr__(self) -> str:
        return f"<dlx reduction: {self.summary}{'' if self.complete else ', incomplete'}>"
