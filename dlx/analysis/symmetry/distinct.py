"""`solutions(distinct=True)`: the first solution of each class of symmetric ones.

The kernel decides for each solution, by itself, whether a symmetric one comes earlier in the tree
of the search (`dlx/_kernel/symmetry/first_of_class.hpp`). Nothing is remembered, so the search can
be limited, resumed, shared by workers and recorded in a journal like any other.

`count_classes` counts the classes without listing them (the orbit-counting lemma of Cauchy,
Frobenius and Burnside): their number is the mean, over all symmetries, of the number of solutions
that the symmetry maps to themselves. Such a solution is a union of orbits of options. So these are
the solutions of a smaller problem, whose options are the orbits, and `Problem.count` counts them.
"""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from dlx.analysis.symmetry.group import find_symmetries
from dlx.core.color import colored
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Table
from dlx.core.times import times
from dlx.errors import InvalidArgument, SearchInterrupted
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from collections.abc import Hashable

    from dlx._kernel import ClassTest
    from dlx.search.options import SearchOptions

__all__ = ["DistinctSearch", "MAX_ORDER", "class_test", "count_classes"]

MAX_ORDER: Final = 20_000
"""The largest group of symmetries whose elements are listed."""
MOST_COUNTS: Final = 500
"""The largest group for which the solutions of each symmetry are counted."""

Permutation = tuple["array[int]", "array[int]"]


def class_test(search_input: SearchInput) -> ClassTest:
    """The test for the first solution of each class under the symmetries that keep the givens.

    Raises `InvalidArgument` if there are too many symmetries, or more than could be found.
    """
    table, numbered, given = search_input
    names = [table.name_of(index) for index in given]
    group = find_symmetries(table, numbered, names, costs=False, node_limit=None)
    if not group.complete:
        raise InvalidArgument(
            "distinct=True needs all symmetries of the problem, and it takes too long to find them"
        )
    moves = [_in_search_numbering(numbered, move) for move in group.generator_images()]
    try:
        return numbered.problem.class_test(moves, given, MAX_ORDER)
    except ValueError:
        raise InvalidArgument(
            f"distinct=True works with up to {MAX_ORDER:,} symmetries, and this problem has "
            f"{group.order:,}; give options as `given`, which leaves fewer"
        ) from None


def _in_search_numbering(numbered: NumberedProblem, move: Permutation) -> Permutation:
    options, items = move
    rank, order = numbered.rank, numbered.order
    moved = array("i", items)
    for item, image in enumerate(items):
        moved[rank[item]] = rank[image]
    if order is None:
        return options, moved
    place = array("i", order)
    for here, option in enumerate(order):
        place[option] = here
    return array("i", (place[options[option]] for option in order)), moved


class DistinctSearch(Search):
    """A search that returns the first solution of each class; made by `solutions(distinct=True)`.

    `stats` counts the work and the solutions of the search for all solutions.
    """

    __slots__ = ("_classes", "_orbit_size", "_raw", "_sizes", "_table", "_test")

    def __init__(self, test: ClassTest, table: Table, *arguments: Any, **keywords: Any) -> None:
        self._test = test
        self._table = table
        self._raw: list[Solution] = []  # found, and not tested yet
        self._sizes: dict[Solution, int] = {}  # of the classes of solutions not returned yet
        self._classes = 0  # found so far
        self._orbit_size = 0
        super().__init__(*arguments, **keywords)

    @property
    def orbit_size(self) -> int:
        """The number of solutions symmetric to the one returned last, with itself."""
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
        return self._classes

    def drop_left_over(self) -> None:
        """Discards the solutions that were found and not returned."""
        super().drop_left_over()
        self._sizes.clear()

    def _fetch(self, count: int, seconds: float, nodes: int) -> None:
        self._fetching = True
        try:
            if not self._raw:
                self._engine.draw(count, seconds, self._raw, nodes)
            index_of, raw = self._table.index_of, self._raw
            sizes = self._test.sizes([[*map(index_of, solution)] for solution in raw])
            first = {found: size for found, size in zip(raw, sizes, strict=True) if size}
            self._sizes |= first
            self._classes += len(first)
            self._drawn += first
            self._raw = []
        finally:
            self._fetching = False

    def _number_found(self) -> int:
        return self._classes

    @property
    def exhausted(self) -> bool:
        """As in `Search`; solutions that are not tested yet count as not drawn."""
        return not self._raw and super().exhausted

    def __reduce__(self) -> tuple[Any, ...]:
        raise InvalidArgument("a search with distinct=True cannot be pickled")


def count_classes(
    search_input: SearchInput,
    options: SearchOptions,
    count: Callable[[SearchInput, SearchOptions], int],
) -> int | None:
    """The number of classes of symmetric solutions; None if there are too many symmetries.

    `count` counts the solutions of a problem. Raises `SearchInterrupted` after the timeout, with a
    count of 0.
    """
    table, _, given = search_input
    numbered = NumberedProblem.of(table, None)
    test = class_test(SearchInput(table, numbered, given))
    if test.order > MOST_COUNTS:
        return None
    until = None if options.timeout is None else time.monotonic() + options.timeout
    known: dict[tuple[int, ...], int] = {}
    fixed = 0
    for images in test.images():
        orbits = _orbits(images)
        if orbits not in known:
            left = None if until is None else max(0.0, until - time.monotonic())
            try:
                known[orbits] = count(
                    _problem_of_orbits(table, orbits, given), options._replace(timeout=left)
                )
            except SearchInterrupted as error:
                raise SearchInterrupted("timeout", count=0, stats=error.stats) from None
        fixed += known[orbits]
    return fixed // int(test.order)


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
    for first, options in members.items():
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
