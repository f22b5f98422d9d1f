"""`solutions(distinct=...)` and `count(distinct=...)`: one solution of each class.

`dlx.analysis.symmetry.distinct_engine` finds the first solution of each class.

`count_classes` counts the classes without listing them (the orbit-counting lemma of Cauchy,
Frobenius and Burnside): their number is the mean, over all symmetries, of the number of solutions
that the symmetry maps to themselves. Such a solution is a union of orbits of options. So these are
the solutions of a smaller problem, whose options are the orbits, and `Problem.count` counts them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dlx.analysis.symmetry.distinct_engine import (
    ClassFilter,
    DistinctEngine,
    DistinctEngineSpec,
)
from dlx.analysis.symmetry.group import Symmetries, SymmetryArguments, find_symmetries
from dlx.core.arguments import check_limit, check_timeout
from dlx.core.entries import colored, times
from dlx.core.kernel import Cancellation, PermutationGroup, TimeUp, check_cancelled
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Table
from dlx.engines.spec import KernelSpec
from dlx.errors import InvalidArgument, SearchInterrupted, quote
from dlx.search.deadline import Deadline
from dlx.search.options import SearchOptions
from dlx.search.search import Search, Solution
from dlx.search.snapshot import restore_search

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from dlx._kernel import ClassTest
    from dlx.analysis.symmetry.group import OptionGroup
    from dlx.core.budget import Budget, Reason
    from dlx.engines.spec import EngineSpec

__all__ = [
    "DistinctSearch",
    "class_filter",
    "count_classes",
    "distinct_spec",
    "journal_text",
    "open_symmetric",
    "symmetries_for",
]

T = TypeVar("T")

MOST_COUNTS: Final = 500
"""The largest group for which the solutions of each symmetry are counted."""
CHECKED: Final = 1024
"""How many options a problem of orbits gets between two checks of the time: some 20 ms."""
ENOUGH: Final = 16
"""The least order of a group that `solve` and `is_unique` use."""
WORK: Final = 10_000_000
"""How many edges the kernel reads at most to find it: a tenth of a second."""
SMALL: Final = 20_000
"""The most options of a problem for which they look for it."""
LARGE: Final = 2_000_000
"""The most images that its generators may have together."""


def symmetries_for(search_input: SearchInput, distinct: object) -> Symmetries:
    """The group of a search with this argument `distinct`, True, "rotations" or a group.

    With forbidden options, these are the symmetries of the whole problem that keep them. Raises
    `InvalidArgument` if it is none of them, if there are no cells to rotate, if the group is that
    of another problem or does not keep the givens and the forbidden options, or if it takes too
    long to find all symmetries.
    """
    table, _, given = search_input
    narrowing = table.narrowed_from
    if narrowing is not None and not (isinstance(distinct, Symmetries) and distinct.is_of(table)):
        whole, kept, forbidden = narrowing
        search_input = SearchInput(
            whole, NumberedProblem.of(whole, None), [kept[index] for index in given]
        )
        return _group_of(search_input, distinct, forbidden).narrowed(table)
    return _group_of(search_input, distinct, ())


def _group_of(search_input: SearchInput, distinct: object, forbidden: Sequence[int]) -> Symmetries:
    """As `symmetries_for`, for the whole problem with these options forbidden."""
    table, _, given = search_input
    if isinstance(distinct, Symmetries):
        distinct.check_problem(table, given, forbidden)
        return distinct
    only = distinct if isinstance(distinct, str) and distinct == "rotations" else None
    if only is None and distinct is not True:
        raise InvalidArgument(
            f"distinct is {quote(distinct)}; it must be True, False, 'rotations' or a "
            "dlx.Symmetries"
        )
    forbid = [table.name_of(index) for index in forbidden]
    arguments = SymmetryArguments(forbid, generators=only)
    group = find_symmetries(search_input, SearchOptions(), arguments)
    if not group.complete:
        raise InvalidArgument(
            "distinct=True needs all symmetries of the problem, and it takes too long to find "
            "them; distinct=problem.symmetries() uses those that are found"
        )
    return group


def class_filter(search_input: SearchInput, distinct: object) -> ClassFilter:
    """The problem and the group of a search with this argument `distinct`."""
    group = symmetries_for(search_input, distinct).on_options()
    return ClassFilter(search_input.numbered.problem, group, search_input.given)


def distinct_spec(classes: ClassFilter, heuristic: object, spec: EngineSpec) -> EngineSpec:
    """The spec of engines that find the first solutions of classes."""
    return DistinctEngineSpec(spec, classes, heuristic == "mrv" or not classes.problem.multiple)


def journal_text(distinct: object) -> str | None:
    """What a journal records of the argument `distinct`.

    None, "all", "rotations", or a digest of the group.
    """
    if isinstance(distinct, str):
        return distinct
    if not isinstance(distinct, Symmetries):
        return None if distinct is False else "all"
    generators = sorted(images.tobytes() for images in distinct.on_options().generators)
    return sha256(b"".join(generators)).hexdigest()


def open_symmetric(search_input: SearchInput) -> DistinctEngine | None:
    """The search for first solutions of classes that takes part in `solve` and `is_unique`.

    None if there are too few symmetries, as far as they are found soon, for it to pay.
    """
    table, numbered, given = search_input
    if table.has_multiplicities or len(table) > SMALL:
        return None
    found = find_symmetries(search_input, SearchOptions(), SymmetryArguments(work=WORK))
    if found.order < ENOUGH or len(found.generators) * len(table) > LARGE:
        return None
    classes = ClassFilter(numbered.problem, found.on_options(), given)
    engine = KernelSpec(numbered.problem, given, "auto", "mrv")
    return DistinctEngine(engine.open(), classes.open(), table.names, 0)


class DistinctSearch(Search):
    """A search that returns the first solution of each class; made by `solutions(distinct=...)`.

    The solutions that `stats` counts are classes.
    """

    __slots__ = ("_classes", "_index_of", "_last", "_names", "_test")

    def __init__(
        self,
        classes: ClassFilter,
        names: list[Hashable] | None,
        *arguments: Any,
        **keywords: Any,
    ) -> None:
        """`names` are those of the options; None if they are their indices."""
        self._classes = classes
        self._names = names
        self._test: ClassTest | None = None
        self._index_of: dict[Hashable, int] | None = None
        self._last: Solution | None = None
        super().__init__(*arguments, **keywords)

    @property
    def orbit_size(self) -> int:
        """The number of solutions symmetric to the one returned last, with itself; at first 0."""
        if self._last is None:
            return 0
        if self._test is None:
            self._test = self._classes.open()
        indices: Any = self._last
        if self._names is not None:
            if self._index_of is None:
                self._index_of = {name: index for index, name in enumerate(self._names)}
            indices = [self._index_of[name] for name in self._last]
        (factors,) = self._test.stabilizers([indices])
        assert factors is not None  # it is the first of its class
        size: int = prod(self._classes.group.factors) // prod(factors)
        return size

    def _fetch(self, budget: Budget) -> Reason:
        return self._until_timeout(partial(super()._fetch, budget)) or "deadline"

    def _pass_over(self, budget: Budget) -> None:
        self._until_timeout(partial(super()._pass_over, budget))

    def _until_timeout(self, work: Callable[[], T]) -> T | None:
        """Stops the search at the timeout, also within the test of a solution, which may be long.

        The deadline of a budget does not: a test that it interrupts would begin anew.
        """
        try:
            with Cancellation(self.seconds_left()):
                return work()
        except TimeUp:
            self._stop("timeout")
            return None

    def __next__(self) -> Solution:
        self._last = solution = super().__next__()
        return solution

    def take(self, count: int, seconds: float | None = None) -> list[Solution]:
        """Up to `count` further solutions: see `Search.take`. `orbit_size` is that of the last."""
        found = super().take(count, seconds)
        if found:
            self._last = found[-1]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        _, arguments = super().__reduce__()
        return _restore, (self._classes, self._names, self._last, *arguments[:3])


def _restore(
    classes: ClassFilter, names: list[Hashable] | None, last: Solution | None, *arguments: Any
) -> Search:
    saved, limits, ending = arguments
    search = restore_search(saved, limits, ending, partial(DistinctSearch, classes, names))
    assert isinstance(search, DistinctSearch)
    search._last = last
    return search


def count_classes(
    search_input: SearchInput,
    group: Symmetries,
    options: SearchOptions,
    count: Callable[[SearchInput, SearchOptions], int],
) -> int | None:
    """The number of classes of symmetric solutions; None if there are too many symmetries.

    `count` counts the solutions of a problem. Raises `SearchInterrupted` after the timeout, with a
    count of 0.
    """
    deadline = Deadline(options.timeout)
    with deadline.preparing():
        on_options = group.on_options()
    if prod(on_options.factors) > MOST_COUNTS:
        return None
    return _ClassCount(search_input, on_options, options, count).resume(deadline.left(), None)


class _ClassCount:
    """A count of classes that can be continued after a timeout: see `SearchInterrupted.resume`."""

    def __init__(
        self,
        search_input: SearchInput,
        group: OptionGroup,
        options: SearchOptions,
        count: Callable[[SearchInput, SearchOptions], int],
    ) -> None:
        self._input = search_input
        self._group = group
        self._order = prod(group.factors)
        self._images: PermutationGroup | None = None
        self._options = options
        self._count = count
        self._done = 0  # elements whose fixed solutions are counted
        self._fixed = 0  # these solutions
        self._known: dict[tuple[int, ...], int] = {}  # by orbits
        self._interrupted: SearchInterrupted | None = None  # the count that is to be resumed

    def resume(self, timeout: float | None, node_limit: int | None) -> int:
        """The number of classes; `SearchInterrupted` after `timeout` seconds more."""
        if check_limit(node_limit, "node_limit") is not None:
            raise InvalidArgument(
                "this count of classes has no node limit; start it again with a node_limit to "
                "count them by enumeration"
            )
        deadline = Deadline(check_timeout(timeout))
        with deadline.preparing(self):
            if self._images is None:
                self._images = PermutationGroup(len(self._input.table), *self._group)
        while self._done < self._order:
            with deadline.preparing(self):
                orbits = _orbits(self._images.element(self._done))
            if orbits not in self._known:
                self._known[orbits] = self._count_fixed(orbits, deadline)
            self._fixed += self._known[orbits]
            self._done += 1
        return self._fixed // self._order

    def _count_fixed(self, orbits: tuple[int, ...], deadline: Deadline) -> int:
        """The number of solutions that are unions of these orbits."""
        interrupted, self._interrupted = self._interrupted, None
        if interrupted is None:
            with deadline.preparing(self):
                table, _, given = small = self._input
                if self._done > 0:  # the first one is the identity
                    small = _problem_of_orbits(table, orbits, given)
        try:
            if interrupted is not None:
                found: int = interrupted.resume(timeout=deadline.left())
                return found
            return self._count(small, self._options._replace(timeout=deadline.left()))
        except SearchInterrupted as error:
            self._interrupted = error
            raise SearchInterrupted(
                "timeout", count=0, stats=error.stats, continuation=self
            ) from None
        except BaseException:
            self._interrupted = interrupted  # after Ctrl-C it can be resumed again
            raise


def _orbits(images: list[int]) -> tuple[int, ...]:
    """The first option of the orbit of each option under a permutation."""
    first = list(range(len(images)))
    for start in range(len(images)):
        if first[start] < start:
            continue
        option = images[start]
        while option != start:
            first[option] = start
            option = images[option]
    return tuple(first)


def _problem_of_orbits(table: Table, orbits: tuple[int, ...], given: list[int]) -> SearchInput:
    """The problem whose options are the orbits of which all options fit together."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for option, first in enumerate(orbits):
        members[first].append(option)
    small = Table(open_items=False)
    for number, item in enumerate(table.items):
        bounds = table.multiplicities.get(number, 1)
        small.add_item(item, secondary=bool(table.secondary[number]), multiplicity=bounds)
    index_of_orbit = {}
    for number, (first, options) in enumerate(members.items()):
        if number % CHECKED == 0:
            check_cancelled()
        entries = list(_united(table, options))
        if None not in entries:
            index_of_orbit[first] = small.add_option(entries, name=None)
    chosen = sorted({index_of_orbit[orbits[index]] for index in given})
    return SearchInput(small, NumberedProblem.of(small, None), chosen)


def _united(table: Table, options: list[int]) -> Iterator[Hashable | None]:
    """The entries of options that are taken together; None where that cannot be."""
    weights: defaultdict[int, int] = defaultdict(int)
    colors: dict[int, int] = {}
    for index in options:
        for entry in range(table.start[index], table.start[index + 1]):
            number = table.entry_item[entry]
            color = table.entry_color[entry] if table.entry_color else 0
            if (
                table.secondary[number]
                and number in weights
                and (not color or colors[number] != color)
            ):
                yield None
            colors[number] = color
            weights[number] += table.entry_weight[entry] if table.entry_weight else 1
    for number, weight in weights.items():
        item = table.items[number]
        if table.secondary[number]:
            color = colors[number]
            yield colored(item, table.color_names[color - 1]) if color else item
            continue
        high = table.multiplicities.get(number, (1, 1))[1]
        if high is not None and weight > high:
            yield None
        yield times(item, weight) if weight > 1 else item
