"""`Problem`: an exact cover problem; how to build and inspect it, and a method a question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, overload

from dlx.analysis.count import check_memory, count_solutions
from dlx.analysis.solutions import find_first, has_one_solution, open_search
from dlx.core.arguments import check_seed, check_timeout
from dlx.core.building import add_arrays, add_options, declare_items, finish, without
from dlx.core.givens import allowed, check_forbidden, check_given, indices_of, residual
from dlx.core.multiplicity import set_all_multiplicities, set_multiplicities
from dlx.core.name_types import Name
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Table
from dlx.core.view import ProblemView
from dlx.errors import FrozenProblem, InvalidArgument, quote
from dlx.named_tuple import NamedTuple
from dlx.search.asynchronous import AsyncSearch, run_async
from dlx.search.options import SearchOptions

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor
    from typing import IO, Unpack

    from dlx.analysis.batches import Answers, Givens
    from dlx.analysis.diagram.diagram import Diagram
    from dlx.analysis.estimate import Estimate
    from dlx.analysis.explain import Explanation
    from dlx.analysis.linear_program import LinearEngine
    from dlx.analysis.minimum import Progress, Ranking, RankingArguments
    from dlx.analysis.relaxation import Relaxation, TableProgram
    from dlx.analysis.symmetry.canonical import Isomorphism
    from dlx.analysis.symmetry.group import Symmetries, Symmetry
    from dlx.core.multiplicity import Multiplicity
    from dlx.core.name_types import MaybeNone, OtherName, Solution
    from dlx.core.part import Part
    from dlx.core.picture import Picture
    from dlx.errors import DLXError
    from dlx.keywords import (
        CountKeywords,
        CoveringKeywords,
        DiagramKeywords,
        DistinctChoice,
        EngineName,
        ExplainKeywords,
        FromOptionsKeywords,
        HeuristicChoice,
        ManyKeywords,
        PackingKeywords,
        PlanKeywords,
        RankingEngine,
        RankingKeywords,
        RankingName,
        SampleKeywords,
        SearchName,
        SolutionsKeywords,
        SolveKeywords,
        UniqueKeywords,
    )
    from dlx.links.matrix import Matrix
    from dlx.plan import Plan
    from dlx.search.codec import Code
    from dlx.search.progress import SearchProgress
    from dlx.search.search import Search

__all__ = ["OptionsLike", "Problem", "Reduction"]


class Problem(ProblemView[Name]):
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

    The keywords of questions mean the same in all methods that have them; `dlx.keywords` describes
    them, with the errors that they raise.

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

    __slots__ = ("_frozen", "_prepared", "_relaxed")

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
        self._relaxed: TableProgram | None = None
        declare_items(self._table, primary, secondary)
        if multiplicities is not None:
            set_multiplicities(self._table, multiplicities)

    # -- building ----------------------------------------------------------------------------------

    @overload
    @classmethod
    def from_options(
        cls,
        options: Mapping[OtherName, Iterable[Hashable]],
        **keywords: Unpack[FromOptionsKeywords],
    ) -> Problem[OtherName]: ...
    @overload
    @classmethod
    def from_options(
        cls, options: Iterable[Iterable[Hashable]], **keywords: Unpack[FromOptionsKeywords]
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
        finish(problem._table, multiplicities)
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
        frozen, problem._frozen = problem._frozen, True  # items' __eq__ must not change it
        try:
            add_options(problem._table, options, costs, default_cost=default_cost)
        finally:
            problem._frozen, problem._prepared = frozen, None
        return problem

    @overload
    @classmethod
    def covering(
        cls, options: Mapping[OtherName, Iterable[Hashable]], **keywords: Unpack[CoveringKeywords]
    ) -> Problem[OtherName]: ...
    @overload
    @classmethod
    def covering(
        cls, options: Iterable[Iterable[Hashable]], **keywords: Unpack[CoveringKeywords]
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
        of demand 0 need not be covered. Without `costs` every option costs 1, so that `minimum`
        takes as few options as possible.

        >>> import dlx
        >>> reach = {"hill": "abc", "church": "ad", "school": "bcd", "mill": "cd"}
        >>> towers = {place: list(villages) for place, villages in reach.items()}
        >>> problem = dlx.Problem.covering(towers)
        >>> problem.multiplicities["a"]
        (1, None)
        >>> problem.minimum()
        [(2, ('hill', 'church'))]
        """
        problem = cls._of_options(options, None, secondary, costs, default_cost=1)
        set_all_multiplicities(problem._table, at_least, lambda n: (n, None))
        return problem

    @overload
    @classmethod
    def packing(
        cls, options: Mapping[OtherName, Iterable[Hashable]], **keywords: Unpack[PackingKeywords]
    ) -> Problem[OtherName]: ...
    @overload
    @classmethod
    def packing(
        cls, options: Iterable[Iterable[Hashable]], **keywords: Unpack[PackingKeywords]
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
        mapping, `at_most` has the capacity of some items; all others may be covered once. Without
        `costs` every option costs 1, so that `maximum` takes as many options as possible.

        >>> import dlx
        >>> problem = dlx.Problem.packing({"x": ["a", "b"], "y": ["b", "c"], "z": ["c", "d"]})
        >>> sorted(problem.solutions())
        [(), ('x',), ('x', 'z'), ('y',), ('z',)]
        >>> problem.maximum()
        [(2, ('x', 'z'))]
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
        names. Raises `InvalidEntry` for anything but 0 and 1 (or False and True), naming the row
        and the column. With `multiplicities` the matrix may have any integers from 0 up: they are
        weights (see `dlx.times`).

        >>> import dlx
        >>> dlx.Problem.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 1]]).count()
        2
        >>> dlx.Problem.from_matrix([[3], [2], [1], [1]], multiplicities={0: 4}).count()
        3
        """
        from dlx.formats.frames import read_labelled

        declared, arrays, names = read_labelled(matrix, secondary, multiplicities is not None)
        problem: Problem[Any] = cls(())
        add_arrays(problem._table, declared, arrays, names, multiplicities, costs)
        return problem

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

        `cost` is a column with the options' costs. Raises `InvalidArgument` for a column that is
        not there, and what `from_options` raises; messages name the row, counted from 0. O(rows),
        or O(cells) if wide.

        >>> import dlx
        >>> long = {"shift": ["early", "early", "late"], "who": ["Ann", "Bo", "Ann"]}
        >>> list(dlx.Problem.from_frame(long, option="shift", item="who").options)
        [('Ann', 'Bo'), ('Ann',)]
        >>> wide = {"shift": ["early", "late"], "Ann": [1, 1], "Bo": [1, 0], "pay": [9, 5]}
        >>> dlx.Problem.from_frame(wide, option="shift", cost="pay").minimum()
        [(9, ('early',))]
        """
        from dlx.formats.frames import FrameColumns, load_frame

        problem = cls(())
        columns = FrameColumns(option, item, color, times, cost)
        load_frame(problem._table, frame, columns, primary, secondary, multiplicities)
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
        options' names.

        >>> import dlx
        >>> dlx.Problem.from_arrays([0, 2, 3, 5], [0, 1, 2, 1, 2], items=3).count()
        1
        """
        from dlx.formats.arrays import read_arrays, split_items

        arrays = read_arrays(indptr, indices, colors, weights)
        declared = split_items(items, secondary)
        problem: Problem[Any] = cls(())
        add_arrays(problem._table, declared, arrays, names, multiplicities, costs)
        return problem

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str] | IO[str],
        *,
        format: str | None = None,  # noqa: A002  # as a user would call it
    ) -> Problem[Any]:
        """A problem from a file: `dlx.formats` has a module for each format.

        `source` is a path or an open text file, also of a file compressed by gzip; `format` is
        "json", "knuth", "mps" or "lp" (integer programs: `dlx.formats.linear` has how rows and
        columns become items and options), "scp", "rail" or "spp" (`dlx.formats.orlib`) or
        "xmpuzzle". By default a path's suffix decides, which may have ".gz" behind: .json, .mps,
        .lp, .scp, .rail, .spp; .xmpuzzle, with "#2" behind for the second problem; .dlx, .knuth,
        .txt, .xc or none (Knuth's); else the first line. Raises `FormatError` with a place.

        >>> import dlx, io
        >>> text = '{"dlx": 1, "primary": ["a"], "options": [{"name": "x", "items": ["a"]}]}'
        >>> dlx.Problem.load(io.StringIO(text)).solve()
        ('x',)
        """
        from dlx.formats.files import load

        problem = cls(primary=())
        load(problem._table, source, format)
        return problem

    def add_item(
        self, item: Hashable, *, secondary: bool = False, multiplicity: Multiplicity = 1
    ) -> None:
        """Declares an item, after those declared before. O(1).

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

    # -- searching ---------------------------------------------------------------------------------

    def solutions(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
        part: Part | None = None,
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        checkpoint: str | os.PathLike[str] | None = None,
        distinct: DistinctChoice = False,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
        proof: str | os.PathLike[str] | None = None,
    ) -> Search[Name]:
        """All solutions, one after another: a lazy iterator (see `dlx.Search`).

        For the keywords see `dlx.keywords.SolutionsKeywords`. The search works on a snapshot:
        changing the problem does not disturb it. After a limit it can be continued.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solutions())
        [(0, 1), (0, 3), (2,)]
        >>> list(problem.solutions(given=[3]))
        [(3, 0)]
        >>> list(problem.solutions(forbid=[1, 2]))
        [(0, 3)]
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
            proof=proof,
        )
        return open_search(self._input(options), options, "solutions")

    def solve(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
        proof: str | os.PathLike[str] | None = None,
    ) -> Solution[Name] | MaybeNone:
        """The first solution, or None if there is none.

        After a long search, "auto" may return another solution than the first. (Type checkers do
        not insist on a test for None.)

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["a", "b"], "z": ["b"]}).solve()
        ('x', 'z')
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
            proof=proof,
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
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
        memory_limit: int | str | None = None,
        part: Part | None = None,
        workers: int | None = 1,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        distinct: DistinctChoice = False,
        symmetry: bool = True,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
        proof: str | os.PathLike[str] | None = None,
    ) -> int:
        """The number of solutions, exact at any size, but at most `limit`.

        The engine "auto" caches the counts of subproblems where that is less work than enumeration
        (see docs/counting.md). Of isomorphic subproblems it counts one, unless there are
        multiplicities. The other engines enumerate without a cache, and so does "auto" with a
        `checkpoint` or a `node_limit`, for a `part` that is not a whole subtree, and on workers,
        after it has decided whether caching is less work.

        With `proof`, it counts by writing a certificate, which a checker of 300 lines reads.

        With `distinct`, solutions that a symmetry maps to each other count once (see
        docs/symmetry.md). The classes are not listed, unless there are more than 500 symmetries or
        a keyword needs an enumeration. For the keywords see `dlx.keywords.CountKeywords`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> problem.count(), problem.count(limit=2)
        (3, 2)
        >>> dlx.models.dominoes(16, 16).count()
        2444888770250892795802079170816
        >>> dlx.models.dominoes(8, 8).count(), dlx.models.dominoes(8, 8).count(distinct=True)
        (12988816, 1629189)
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
            proof=proof,
        )
        return count_solutions(self._input(options), options)

    def is_unique(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
        workers: int | None = 1,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> bool:
        """True if there is exactly one solution.

        In a longer search, "auto" also uses other methods: see `dlx.plan`.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a"], ["b"]]).is_unique()
        False
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

    @overload
    def plan(
        self, question: SearchName = "solve", **keywords: Unpack[PlanKeywords[Name]]
    ) -> Plan: ...
    @overload
    def plan(
        self,
        question: RankingName,
        *,
        k: int = 1,
        costs: Any = None,
        **keywords: Unpack[RankingKeywords[Name]],
    ) -> Plan: ...
    def plan(self, question: str = "solve", **keywords: Any) -> Plan:
        """By which methods a question is answered with these keywords, and why, without asking it.

        The question is a name in `dlx.plan.QUESTIONS`, such as "count", the keywords are those of
        that method. O(1) after the first search of the problem.

        >>> import dlx
        >>> problem = dlx.models.queens(8)
        >>> problem.plan("count").methods
        ('enumeration', 'layers', 'subproblems', 'weighted', 'certificates')
        >>> print(problem.plan("count", node_limit=1000))
        count with engine 'auto': a node limit counts the nodes of the search in order
          in order: the search in the promised order
        """
        from dlx.plan import plan_of

        of_ranking = {name: keywords.pop(name) for name in ("k", "any_order") if name in keywords}
        for name in (  # which change no plan
            *("costs", "gap", "target", "on_timeout", "penalties", "bottleneck", "min_difference"),
            *("memory_limit", "forbids", "errors", "code"),
        ):
            keywords.pop(name, None)
        if question == "solve_many":
            keywords.setdefault("limit", 1)
        options = SearchOptions(**keywords)
        return plan_of(question, self._input(options), options, **of_ranking)

    # -- asyncio: the same calls from a coroutine --------------------------------------------------
    # Other tasks run meanwhile. Cancelling the task ends the call within 50 ms.

    def asolutions(self, **keywords: Unpack[SolutionsKeywords[Name]]) -> AsyncSearch[Name]:
        """All solutions, for `async for`; the keywords are those of `solutions`.

        Leaving the loop stops the search.

        >>> import asyncio, dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> async def collect():
        ...     return [solution async for solution in problem.asolutions()]
        >>> asyncio.run(collect())
        [(0, 1), (0, 3), (2,)]
        """
        return AsyncSearch(self.solutions(**keywords))

    async def asolve(self, **keywords: Unpack[SolveKeywords[Name]]) -> Solution[Name] | MaybeNone:
        """The first solution, or None: `solve` for asyncio."""
        return await run_async(self.solve, **keywords)

    async def acount(self, **keywords: Unpack[CountKeywords[Name]]) -> int:
        """The number of solutions: `count` for asyncio.

        >>> import asyncio, dlx.models
        >>> asyncio.run(dlx.models.queens(8).acount())
        92
        """
        return await run_async(self.count, **keywords)

    async def ais_unique(self, **keywords: Unpack[UniqueKeywords[Name]]) -> bool:
        """True if there is exactly one solution: `is_unique` for asyncio."""
        return await run_async(self.is_unique, **keywords)

    @overload
    async def aminimum(
        self, k: int = 1, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name]: ...
    @overload
    async def aminimum(
        self, k: int = 1, *, costs: Any, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name, Any]: ...
    async def aminimum(
        self, k: int = 1, *, costs: Any = None, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name, Any]:
        """The `k` cheapest solutions: `minimum` for asyncio.

        >>> import asyncio, dlx
        >>> asyncio.run(dlx.Problem.from_options([["a"], ["a"]], costs=[7, 3]).aminimum())
        [(3, (1,))]
        """
        return await run_async(partial(self.minimum, k, costs=costs, **keywords))

    @overload
    async def amaximum(
        self, k: int = 1, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name]: ...
    @overload
    async def amaximum(
        self, k: int = 1, *, costs: Any, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name, Any]: ...
    async def amaximum(
        self, k: int = 1, *, costs: Any = None, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name, Any]:
        """The `k` most expensive solutions: `maximum` for asyncio."""
        return await run_async(partial(self.maximum, k, costs=costs, **keywords))

    async def adiagram(self, **keywords: Unpack[DiagramKeywords[Name]]) -> Diagram[Name]:
        """All solutions as a decision diagram: `diagram` for asyncio.

        >>> import asyncio, dlx.models
        >>> len(asyncio.run(dlx.models.queens(8).adiagram()))
        92
        """
        return await run_async(self.diagram, **keywords)

    async def asample(
        self, n: int = 1, seed: int | None = None, **keywords: Unpack[SampleKeywords[Name]]
    ) -> list[Solution[Name]]:
        """`n` solutions drawn at random: `sample` for asyncio."""
        return await run_async(self.sample, n, seed, **keywords)

    async def aexplain(self, **keywords: Unpack[ExplainKeywords[Name]]) -> Explanation | None:
        """Why there is no solution, or None: `explain` for asyncio."""
        return await run_async(self.explain, **keywords)

    # -- batches: many sets of givens --------------------------------------------------------------

    @overload
    def solve_many(
        self, givens: Givens[Name], **keywords: Unpack[ManyKeywords[Name]]
    ) -> Answers[Solution[Name] | None]: ...
    @overload
    def solve_many(
        self,
        givens: Givens[Name],
        *,
        limit: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
        **keywords: Unpack[ManyKeywords[Name]],
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
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
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
        limit
            With 1, an answer is the first solution of a set, or None. With any other number it is
            the list of the first `limit` solutions; with None, the list of all.
        errors
            "raise" or "return" an exception in place of the answer to a set that names an option
            that does not exist (`UnknownOption`), contains two that clash or one that is forbidden
            (`GivenClash`), or reached the timeout (`SearchInterrupted`). Its `position` is the
            number of the set. After a raised one the iterator can be continued with the next set.
        code
            A `dlx.Code`: givens may then also be lines of text, and solutions are lines.

        For the other keywords see `dlx.keywords.ManyKeywords`. The sets are solved inside the
        kernel. Each solution begins with the set's givens. Raises `InvalidEntry` for malformed
        arrays. O(1) memory.

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
        from dlx.analysis.batches import BatchArguments, answer_many

        options = SearchOptions(
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
        )
        arguments = BatchArguments(givens, forbid, forbids, errors, code, keep=True)
        return answer_many(self._input(options), options, arguments)

    @overload
    def count_many(
        self,
        givens: Givens[Name],
        *,
        limit: int | None = None,
        code: Code | None = None,
        **keywords: Unpack[ManyKeywords[Name]],
    ) -> Answers[int]: ...
    @overload
    def count_many(
        self,
        givens: Givens[Name],
        *,
        limit: int | None = None,
        errors: str,
        code: Code | None = None,
        **keywords: Unpack[ManyKeywords[Name]],
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
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """The numbers of solutions under many sets of givens, each at most `limit`.

        With `limit=2`, 1 means exactly one solution. The other keywords are those of `solve_many`.
        Since solutions are only counted, "auto" and "bits" may search another tree
        (dlx/cpp/bits/rounds/loop.hpp): the answers are the same, `Answers.stats` has the nodes of
        that tree, the same on every processor.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.count_many([[], [3], [0]], limit=2))
        [2, 1, 2]
        """
        from dlx.analysis.batches import BatchArguments, answer_many

        options = SearchOptions(
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            heuristic=heuristic,
            workers=workers,
        )
        arguments = BatchArguments(givens, forbid, forbids, errors, code, keep=False)
        return answer_many(self._input(options), options, arguments)

    # -- parts of a search -------------------------------------------------------------------------

    def split(
        self,
        parts: int,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        seed: int | None = None,
        heuristic: HeuristicChoice = "mrv",
    ) -> list[Part]:
        """The search, cut into parts (`dlx.Part`) that can be searched separately.

        Search a part with `solutions(part=...)` or `count(part=...)` and the same `given`, `forbid`
        and `seed`, in any process that has built the same problem in the same way. A part is small
        and can be pickled. No two parts have a solution in common. The solutions of the parts, one
        after another, are those of the whole search in order.

        parts
            The minimum number of parts, up to a million. There are fewer if the search tree has
            fewer nodes, and usually three to eight times more, so that no part is larger than half
            of an equal share, as far as random probes find out.
        heuristic
            Chooses the items above the parts. It is reset for each part: "weighted" forgets what it
            learned in the part before, so the solutions of the whole come in another order.

        About ten nodes a part are visited, and the size below them is estimated. That takes 0.1
        seconds for a few parts, and some seconds where a probe is long.

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

    @overload
    def minimum(self, k: int = 1, **keywords: Unpack[RankingKeywords[Name]]) -> Ranking[Name]: ...
    @overload
    def minimum(
        self, k: int = 1, *, costs: Any, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name, Any]: ...
    def minimum(
        self,
        k: int = 1,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: RankingEngine = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        any_order: bool = False,
        gap: float = 0.0,
        target: Any = None,
        on_timeout: Literal["raise", "best"] = "raise",
        penalties: Mapping[Any, Any] | None = None,
        bottleneck: bool = False,
        min_difference: int = 1,
        proof: str | os.PathLike[str] | None = None,
        costs: Any = None,
    ) -> Ranking[Name, Any]:
        """The `k` cheapest solutions, as a list of pairs (cost, solution) in order of cost.

        Solutions of equal cost come in the order in which `solutions` visits them. The list is
        shorter than `k` if there are fewer solutions, and empty if there are none.

        costs
            Other costs than those of the problem, for this question only: a mapping or a pandas
            Series by option name, or a list in the options' order, for all options of the problem.
            Besides integers they may be of type `decimal.Decimal`, `fractions.Fraction` or float
            (which counts as the rational number that it is). Totals and bounds have the same type.
            Or several costs in lexicographic order, as tuples of such numbers: of the solutions
            with the least total of the first, those with the least total of the second, and so on.

        For the other keywords see `dlx.keywords.RankingKeywords`.

        Costs are exact. The absolute costs of all options together may be at most 2^63-1, after
        multiplication by the least number that makes them integers; otherwise `InvalidCost` is
        raised. (The engine "python" has no such limit for `costs`.) Of several costs that exceed
        it together, only the first are minimized in one search; solutions that are equal in these
        are listed and compared, without a checkpoint.

        The method is branch and bound with item prices (Knuth's taxes) as the lower bound. Source:
        TAOCP 7.2.2.1, Algorithms X$ and C$; here the prices come from the linear program, see
        `dlx/cpp/minimum/minimum.hpp`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a"], "y": ["b"], "xy": ["a", "b"], "z": ["b"]},
        ...     costs={"x": 1, "y": 2, "xy": 3, "z": 5},
        ... )
        >>> problem.minimum()
        [(3, ('x', 'y'))]
        >>> problem.minimum(k=10)
        [(3, ('x', 'y')), (3, ('xy',)), (6, ('x', 'z'))]
        >>> problem.minimum(costs={"x": (1, 1), "y": (2, 1), "xy": (3, 1), "z": (5, 1)})
        [((3, 1), ('xy',))]
        >>> problem.minimum(penalties={"b": 1})
        [(2, ('x',))]
        >>> problem.minimum(bottleneck=True)
        [(2, ('x', 'y'))]
        >>> problem.minimum(k=10, min_difference=2)
        [(3, ('x', 'y')), (3, ('xy',))]
        """
        from dlx.analysis.minimum import RankingArguments

        options = SearchOptions(
            given=given,
            forbid=forbid,
            timeout=timeout,
            seed=seed,
            engine=engine,
            workers=workers,
            checkpoint=checkpoint,
            proof=proof,
        )
        objective = penalties, bottleneck, min_difference
        arguments = RankingArguments(
            k, costs, progress, any_order, 1, gap, target, on_timeout, *objective
        )
        return self._rank(options, arguments)

    @overload
    def maximum(self, k: int = 1, **keywords: Unpack[RankingKeywords[Name]]) -> Ranking[Name]: ...
    @overload
    def maximum(
        self, k: int = 1, *, costs: Any, **keywords: Unpack[RankingKeywords[Name]]
    ) -> Ranking[Name, Any]: ...
    def maximum(
        self,
        k: int = 1,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: RankingEngine = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        any_order: bool = False,
        gap: float = 0.0,
        target: Any = None,
        on_timeout: Literal["raise", "best"] = "raise",
        penalties: Mapping[Any, Any] | None = None,
        bottleneck: bool = False,
        min_difference: int = 1,
        proof: str | os.PathLike[str] | None = None,
        costs: Any = None,
    ) -> Ranking[Name, Any]:
        """The `k` most expensive solutions, the most expensive first.

        Works as `minimum` on the negative costs. Solutions of equal cost are in visiting order here
        as well; the bound of `MinimumInterrupted` is an upper one.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).maximum()
        [(4, (2,))]
        """
        from dlx.analysis.minimum import RankingArguments

        options = SearchOptions(
            given=given,
            forbid=forbid,
            timeout=timeout,
            seed=seed,
            engine=engine,
            workers=workers,
            checkpoint=checkpoint,
            proof=proof,
        )
        objective = penalties, bottleneck, min_difference
        arguments = RankingArguments(
            k, costs, progress, any_order, -1, gap, target, on_timeout, *objective
        )
        return self._rank(options, arguments)

    def _rank(self, options: SearchOptions, arguments: RankingArguments) -> Ranking[Any, Any]:
        """What `minimum` and `maximum` return."""
        from dlx.analysis.objectives import rank_by, rank_by_costs

        if options.proof is not None:
            from dlx.analysis.proved_minimum import check_proof

            check_proof(options, arguments)
        if arguments.is_total:
            return rank_by_costs(self._input(options), options, arguments)

        def input_of(table: Table, options: SearchOptions) -> SearchInput:
            return self._of_table(table)._input(options)

        return rank_by(self._table, input_of, options, arguments)

    def relaxation(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        engine: LinearEngine = "auto",
        costs: Any = None,
        maximize: bool = False,
        exact: bool = False,
    ) -> Relaxation[Name]:
        """The linear relaxation: a bound on all costs, prices of items, reduced costs of options.

        Options may be chosen in parts. The least cost of that is a bound on the cost of every
        solution, and what is known of it (see `dlx.Relaxation`) tells which items and options are
        expensive.

        engine
            "highs" (HiGHS, which the extra `highs` installs), "kernel" (the simplex method of this
            package), or "auto": the latter, and HiGHS if that fails.
        costs
            See `minimum`.
        maximize
            The relaxation of `maximum`: an upper bound. Prices and reduced costs are those of the
            negative costs, with the opposite sign.
        exact
            False: floats, within the tolerances of the solver. True: the bound is proved. Prices
            are rounded to multiples of a unit, 2^-20 for usual costs, and what they prove is
            computed in integers, up to a few units below the optimum. All numbers except `values`
            are then of type Fraction; Decimal for such costs.

        A second call starts from the result of the first: after `add_option` it takes milliseconds
        (unless options have colors). Raises `SearchInterrupted` after the timeout, and `DLXError`
        if the solver fails. For the other keywords see `dlx.keywords.QuestionKeywords`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a", "b"], "y": ["b", "c"], "z": ["a", "c"], "all": ["a", "b", "c"]},
        ...     costs={"x": 2, "y": 3, "z": 3, "all": 5},
        ... )
        >>> relaxed = problem.relaxation()
        >>> relaxed.bound, relaxed.prices
        (4.0, {'a': 1.0, 'b': 1.0, 'c': 2.0})
        >>> relaxed.values, relaxed.reduced_costs["all"]
        ({'x': 0.5, 'y': 0.5, 'z': 0.5}, 1.0)
        >>> problem.relaxation(given=["x"]).feasible
        False
        >>> problem.relaxation(exact=True).bound
        Fraction(4, 1)
        """
        from dlx.analysis.relaxation import RelaxationArguments, relax

        table = self._table
        chosen = indices_of(table, given)
        forbidden = check_forbidden(table, chosen, forbid)
        if chosen:
            check_given(table, self._prepare(None), map(table.name_of, chosen))
        arguments = RelaxationArguments(
            chosen, forbidden, costs, check_timeout(timeout), engine, exact, maximize
        )
        with table.lock:
            kept, self._relaxed = self._relaxed, None  # not for two calls at a time
        found, self._relaxed = relax(table, kept, arguments)
        return found

    # -- decision diagrams and random solutions ----------------------------------------------------

    def diagram(
        self,
        *,
        order: Literal["search", "narrow"] = "search",
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        seed: int | None = None,
        memory_limit: int | str | None = None,
    ) -> Diagram[Name]:
        """All solutions, compiled into a decision diagram: see `dlx.Diagram`.

        A limit discards what was built. Every subproblem is searched once and then cached, so the
        time is that of a search divided by how often subproblems recur. For the keywords see
        `dlx.keywords.DiagramKeywords`.

        >>> import dlx
        >>> diagram = dlx.models.queens(8).diagram()
        >>> len(diagram), diagram.nodes
        (92, 473)
        """
        from dlx.analysis.diagram.build import build, check_memory

        memory = check_memory(memory_limit)
        options = SearchOptions(
            given=given, forbid=forbid, timeout=timeout, seed=seed, memory=memory
        )
        return build(self._input(options), options, order=order)

    def sample(
        self,
        n: int = 1,
        seed: int | None = None,
        *,
        order: Literal["search", "narrow"] = "search",
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        timeout: float | None = None,
        memory_limit: int | str | None = None,
    ) -> list[Solution[Name]]:
        """`n` solutions drawn at random, each as likely as any other: see `Diagram.sample`.

        They are drawn from the problem's diagram; to draw more than once, build that once and keep
        it. Raises `InvalidArgument` if there is no solution. For the keywords see
        `dlx.keywords.SampleKeywords`.

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
        engine: EngineName = "auto",
        heuristic: HeuristicChoice = "mrv",
    ) -> Estimate:
        """The likely numbers of nodes and solutions, and the time of a search for all of them.

        Each probe walks down the search tree at random. The mean over all probes is an unbiased
        estimate for every tree (see `Estimate`), whether it has a thousand nodes or 10^1000. A
        probe takes no longer than a path through the search does: O(entries), usually less.

        probes
            The number of probes; at least 2. The error goes down with their square root.
        seed
            The seed of the probes, not of the search. The same integer (modulo 2^64) gives the same
            numbers on every machine; None takes a new one each time.
        timeout
            There are fewer probes then, and `stopped_by` is "timeout"; `SearchInterrupted` is
            raised if there are fewer than 2.
        engine
            The engine whose speed is measured, for 0.25 seconds; 0.05 if the time is up.
        heuristic
            "mrv", or, with the engine "python", a function of your own, to find out whether it
            makes the tree smaller (probes are then made in Python). "weighted" is refused: its
            choices depend on the dead ends of a whole search.

        Source: D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975); TAOCP 7.2.2,
        Algorithm E.

        >>> import dlx.models
        >>> estimate = dlx.models.langford(8).estimate(probes=2000)
        >>> abs(estimate.nodes - 2789) < 4 * estimate.nodes_error
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
        proof: str | os.PathLike[str] | None = None,
    ) -> Explanation | None:
        """A small irreducible set of items and givens that has no solution; None if there is one.

        An item that is *dropped* is removed from all options: it may then be covered any number of
        times, or not at all, in any colors. A given that is dropped may be taken, but need not be.
        The returned set has no solution even if everything else is dropped. If it is `irreducible`,
        it has a solution as soon as any one of its members is dropped, too. It is not always the
        smallest one; smaller ones are searched for a limited time.

        For the keywords, such as `among`, see `dlx.keywords.ExplainKeywords`.

        Without limits, the answer is irreducible, unless sizes show that there is no solution (such
        as pieces that cover 60 of 64 cells) and an irreducible set takes long to find: then it is
        the items whose sizes do not fit, at once. See `dlx.analysis.explain`.

        Raises `SearchInterrupted` if a limit is reached before it is known whether there is a
        solution, and `UnknownItem`.

        >>> import dlx
        >>> options = [["a", "b"], ["b", "c"], ["a", "c"], ["d"], ["d", "e"], ["e"]]
        >>> problem = dlx.Problem.from_options(options)
        >>> print(problem.explain())
        items 'a', 'b' and 'c' cannot be satisfied together (all are needed)
        >>> print(problem.explain(among=["a", "d"]))
        item 'a' cannot be satisfied together with the items that stay (all are needed)
        """
        from dlx.analysis.explain import explain

        if givens_only and among is not None:
            raise InvalidArgument("givens_only keeps all items, so it cannot be used with among")
        options = SearchOptions(
            given=given, forbid=forbid, timeout=timeout, node_limit=node_limit, proof=proof
        )
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

        Options that conflict with every option of some primary item are removed until none is left.
        Then items are removed: of primary items with the same options all but the first, and
        secondary items that restrict nothing. Options keep their names. If only items were removed,
        solutions come in the same order as before; otherwise the order may change.

        given
            The solutions of `.problem` are those that contain these options. A given whose items
            all have multiplicities is forced by an item of its own there, such as "given-7" for the
            option of index 7.
        forbid
            `.problem` does not have these options; they are not part of `.blocked`.
        timeout
            What was found so far is removed; `.complete` is False.

        An item with a multiplicity other than 1 stays, and nothing is concluded from it. If there
        is no solution, all options may be removed, and an item without options may be left.

        Removes at least what TAOCP 7.2.2.1, Algorithm P, removes. O(items + entries) memory.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a", "b"], "y": ["c", "d"], "z": ["b", "c"], "w": ["a"]}
        ... )
        >>> reduction = problem.reduced()
        >>> reduction
        <dlx reduction: 2 of 4 options and 2 of 4 items removed in 1 round>
        >>> reduction.blocked, reduction.merged
        ({'z': 'd', 'w': 'b'}, {'b': 'a', 'd': 'c'})
        """
        from dlx.analysis.reduce import reduce

        options = SearchOptions(given=given, forbid=forbid, timeout=timeout)
        left, removed = reduce(self._input(options), options)
        return Reduction(self._of_table(left), *removed)

    # -- symmetries --------------------------------------------------------------------------------

    def symmetries(
        self,
        *,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        costs: bool = False,
        node_limit: int | None = None,
        generators: Iterable[Symmetry | Mapping[Any, Any]] | Literal["rotations"] | None = None,
        item_generators: Iterable[Mapping[Any, Any]] | None = None,
    ) -> Symmetries:
        """The symmetries of the problem: its automorphism group, as a `dlx.Symmetries`.

        A symmetry permutes the options and the items so that the items of each option become those
        of its image. It keeps primary and secondary items, multiplicities and weights, and may
        rename the colors of each secondary item. It maps solutions to solutions.

        given, forbid
            Names of options: only symmetries that map each of the two sets to itself.
        costs
            Only symmetries that map options to options of the same cost.
        node_limit
            The maximum number of items and options tried as images. After a limit the symmetries
            found so far are returned, which are a group, too: `complete` is False. None: about a
            billion steps, some seconds.
        generators
            Only products of these: symmetries, or mappings of option names to their images, where
            names that are missing stay. "rotations": the rotations of the cells.
        item_generators
            The same, as mappings of item names.

        The order is exact. Raises `InvalidArgument` also for a generator that is no symmetry.
        Usually takes about as long as reading all entries ten times; with much regularity and
        little symmetry, exponential time. Source: McKay and Piperno, "Practical graph isomorphism,
        II" (2014).

        >>> import dlx.models
        >>> group = dlx.models.queens(8).symmetries()
        >>> group
        <dlx symmetries: 8 symmetries; 64 options in 10 orbits, 42 items in 11 orbits>
        >>> group.option_orbits[0]
        ((0, 0), (0, 7), (7, 0), (7, 7))
        >>> dlx.models.queens(8).symmetries(generators="rotations").order
        4
        """
        from dlx.analysis.symmetry.group import SymmetryArguments, find_symmetries

        options = SearchOptions(given=given, node_limit=node_limit)
        kept = SymmetryArguments(forbid, costs, generators, item_generators)
        return find_symmetries(self._input(options), options, kept)

    def canonical(self, *, costs: bool = False, node_limit: int | None = None) -> Problem[int]:
        """The canonical form: equal for two problems if and only if they are isomorphic.

        Its items are 0, 1, ..., the primary ones first; its options have no names, and the colors
        of each item are 1, 2, ... It has no costs unless `costs` are to be kept.

        Raises `SearchInterrupted` at the limit (see `symmetries`).

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
        table = canonical_table(self._input(options), options, costs=costs)
        problem: Problem[Any] = self._of_table(table)
        return problem

    def is_isomorphic(
        self, other: Problem, *, costs: bool = False, node_limit: int | None = None
    ) -> Isomorphism | None:
        """A mapping of the options and items to those of the other problem; None if there is none.

        The mapping is an isomorphism: see `dlx.Isomorphism`. With `costs`, it keeps them.

        Raises `SearchInterrupted` at the limit for either problem (see `symmetries`).

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

        `format` is "knuth", "json" (`dlx.formats.json_text`), "csv" (a line for each item of each
        option, as in `to_frame`), "cnf" (DIMACS, for SAT solvers: `dlx.formats.dimacs`), "opb"
        (pseudo-Boolean: `dlx.formats.opb`), "mps" or "lp" (integer programs: `dlx.formats.linear`),
        "scp", "rail" or "spp" (covers and partitions of OR-Library: `dlx.formats.orlib`),
        "minizinc" or "dzn" (a model or its data: `dlx.formats.minizinc`) or "xcsp3"
        (`dlx.formats.xcsp3`). The default depends on the path's suffix: .json, .csv, .cnf, .opb,
        .mps, .lp, .scp, .rail, .spp, .mzn, .dzn or .xml; Knuth's format for .dlx, .knuth, .txt,
        .xc, no suffix, and an open file. ".gz" behind it compresses the file. Any other suffix is
        refused with `InvalidArgument`. `read_model` reads what solvers answer to files in the
        formats that `load` does not read, MPS and LP.

        JSON holds items, colors and names of options that are texts, integers, True, False, None
        and tuples of such. In Knuth's format, items and colors must be texts without white space,
        ":" and "|", or integers, and comments hold the names of options. If an item cannot be
        written, a `FormatError` says which. A file is replaced when the new one is complete.

        >>> import dlx, sys
        >>> dlx.Problem.from_options({"x": ["a", "b"]}).dump(sys.stdout)
        a b
        | dlx name: "x"
        a b
        """
        from dlx.formats.files import dump

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

        That of a search under givens is the matrix of `residual`.

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
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        seed: int | None = None,
        steps: int = 1000,
        heuristic: HeuristicChoice = "mrv",
    ) -> str:
        """A self-contained HTML page that steps through the search for all solutions.

        It plays the first `steps` steps forwards and backwards, or link by link: what covering an
        item removes from the lists of the toroidal matrix, and how uncovering restores it. The page
        says if the search has more steps. It loads nothing, and its content security policy allows
        no other script than its own.

        Raises `InvalidArgument` for a problem of more than 1000 items and entries.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a", "b"]]).trace_page()[:15]
        '<!DOCTYPE html>'
        """
        from dlx.drawing.trace_page import trace_page

        problem = self.residual(given, forbid=forbid)
        numbered = problem._prepare(check_seed(seed))
        return trace_page(problem, numbered, title=title, steps=steps, heuristic=heuristic)

    def matrix_picture(self, given: Iterable[Name] = (), *, forbid: Iterable[Name] = ()) -> Picture:
        """The matrix as an SVG picture: a column for each item, a row for each option.

        A dot is an entry. Those of the options in `given` are green; what then is left to search is
        black, what conflicts with them, or is in `forbid`, gray. A dot is up to 12 pixels wide, and
        the picture at most about 3000 pixels wide and high. O(items + entries).

        Raises `InvalidArgument` for more than 3000 items or options, or 100 000 entries.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b", "c"]}).matrix_picture(["x"])
        <dlx.Picture: SVG, ... bytes>
        """
        from dlx.drawing.matrix_picture import matrix_picture

        table, _, chosen = self._input(SearchOptions(given=given, forbid=forbid))
        taken = {table.name_of(index) for index in chosen}
        return matrix_picture(self, taken, self._of_table(residual(table, chosen)))

    def tree_picture(
        self,
        *,
        nodes: int = 100,
        given: Iterable[Name] = (),
        forbid: Iterable[Name] = (),
        seed: int | None = None,
        heuristic: HeuristicChoice = "mrv",
    ) -> Picture:
        """The first nodes of the search tree as an SVG picture, from the root on the left.

        A box is an item that the search branches on; on the line to it is the option taken before.
        Green boxes are solutions, red ones dead ends: the item has no option left. A white box with
        three dots is where the picture ends and the search goes on. The root is where the options
        of `given` have been taken.

        It has at most `nodes` nodes, of which 2000 are the most. Takes O(entries) time, and that of
        a search of `nodes` nodes in Python.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a", "b"]]).tree_picture()
        <dlx.Picture: SVG, ... bytes>
        """
        from dlx.drawing.search_tree import tree_picture

        problem = self.residual(given, forbid=forbid)
        return tree_picture(problem, problem.matrix(seed), nodes=nodes, heuristic=heuristic)

    def picture(self, solution: Iterable[Name]) -> Picture:
        """A solution as an SVG picture, if the items of its options name places on a board.

        Three kinds of problems can be drawn. Tilings and packings: each option covers cells, which
        are items such as "3,4" or (3, 4). Words: the options give letters to cells, as colors.
        Queens and similar pieces: each option is in one row and one column, which are items such as
        "r3" and "c4", or ("row", 3) and ("column", 4), or it covers the cells that a queen attacks.

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
            Solutions, or a search. The sheet says if the search has not found all.
        captions
            A line for each solution, below its picture; by default numbers, and, for a search with
            `distinct=True`, the sizes of classes.
        title, columns
            The line above, and the pictures in a row; by default the number of solutions, and up to
            1200 pixels.

        A sheet has at most 200 000 pieces, queens or letters, and says if there are more. Pieces of
        the same name have the same color on all pictures. O(cells of all solutions).

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
        >>> board.count(), board.without(items=[(1, 1)]).count()
        (0, 2)
        """
        return self._of_table(without(self._table, options, items))

    def residual(self, given: Iterable[Name], *, forbid: Iterable[Name] = ()) -> Self:
        """A copy in which these options have been taken: the problem that is then left.

        It has neither the options that conflict with them nor the items that need no more; the
        others keep their names. Its solutions, without the givens, are those of this problem
        under `given` and `forbid`, in the same order. The copy is not frozen. O(items + entries).

        Raises `UnknownOption` and `GivenClash`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a"], "y": ["b", "c"], "z": ["a", "b"], "u": ["b"], "v": ["c"]}
        ... )
        >>> list(problem.solutions(given=["x"])), list(problem.residual(["x"]).solutions())
        ([('x', 'y'), ('x', 'u', 'v')], [('y',), ('u', 'v')])
        """
        table, _, chosen = self._input(SearchOptions(given=given, forbid=forbid))
        return self._of_table(residual(table, chosen))

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

    def with_pairs(
        self,
        *,
        incompatible: Iterable[Iterable[Name]] = (),
        implied: Iterable[Iterable[Name]] = (),
    ) -> Self:
        """A copy whose solutions keep these rules about pairs of options.

        incompatible
            Pairs, or larger groups, of options that exclude each other: a solution has at most one
            of each group.
        implied
            Pairs (a, b): a solution with the option a has b, too.

        The copy has the options of this problem, with further items (see `dlx.analysis.pairs`), so
        it is searched, counted and written into files like any other. Its solutions are those of
        this problem that keep the rules. It is not frozen. O(items + entries), and for each implied
        pair the options of one item.

        Raises `UnknownOption`, and `InvalidArgument` for what is not a pair, and for an implied
        pair of which each option has only items whose bounds leave open whether it is chosen, such
        as "at least once" or "at most once": the message says which item to add.

        >>> import dlx
        >>> crews = {"p": ["out"], "q": ["out"], "r": ["back"], "s": ["back"]}
        >>> problem = dlx.Problem.from_options(crews)
        >>> list(problem.with_pairs(incompatible=[("p", "r")]).solutions())
        [('p', 's'), ('q', 'r'), ('q', 's')]
        >>> list(problem.with_pairs(implied=[("p", "s")]).solutions())
        [('p', 's'), ('q', 'r'), ('q', 's')]
        """
        from dlx.analysis.pairs import with_pairs

        return self._of_table(with_pairs(self._table.copy(), incompatible, implied))

    def __copy__(self) -> Self:
        return self._of_table(self._table.copy(), frozen=self._frozen)

    def __getstate__(self) -> tuple[Table, bool]:
        return self._table, self._frozen

    def __setstate__(self, state: tuple[Table, bool]) -> None:
        self._table, self._frozen = state
        self._prepared = self._relaxed = None

    @classmethod
    def _of_table(cls, table: Table, *, frozen: bool = False) -> Self:
        problem = cls.__new__(cls)
        problem.__setstate__((table, frozen))
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
    >>> reduction = dlx.Problem.from_options([["a", "x"], ["b"]], secondary=["x"]).reduced()
    >>> reduction.blocked, reduction.merged, reduction.dropped
    ({}, {}, ('x',))
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
