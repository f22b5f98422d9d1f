"""Counting solutions without listing them.

`count_solutions` is what `Problem.count` does with the engine "auto": it lets the kernel choose, by
what it finds, between enumeration and counting by layers. `count_by_layers` is the second in a few
lines of Python, for readers and tests.

Counting by several workers, where there is no better way than to enumerate.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from math import inf, prod
from typing import TYPE_CHECKING, Final

from dlx.analysis.solutions import count_by_enumeration
from dlx.core.arguments import check_limit, check_timeout, kernel_limit, memory_size
from dlx.core.color import Colored
from dlx.core.kernel import listing_of
from dlx.core.logs import EndLogger, log
from dlx.core.part import Part, check_part
from dlx.engines.protocols import Start
from dlx.engines.registry import check_compiled, open_tree
from dlx.errors import InvalidArgument, SearchInterrupted, quote
from dlx.parallel.payload import CompiledEngineSpec
from dlx.parallel.start import open_driver
from dlx.search.search import Stats

if TYPE_CHECKING:
    from dlx.core.kernel import Count
    from dlx.core.kernel import Count as KernelCount
    from dlx.core.numbering import SearchInput
    from dlx.parallel.driver import Driver
    from dlx.search.options import SearchOptions, WorkerConfig
    from dlx.search.progress import SearchProgress, TreeShares

__all__ = [
    "EnumerationWorkers",
    "check_memory",
    "count_by_layers",
    "count_remembering",
    "count_solutions",
]


LEAST_MEMORY: Final = 2**20
LONGEST: Final = 1e9  # seconds that the kernel goes on at once
EVERY: Final = 0.1  # seconds between two calls of `progress`
STILL: Final = 0.2  # of the time that a count has taken: so long layers only have a try


def count_solutions(asked: SearchInput, options: SearchOptions) -> int:
    """What `Problem.count` returns.

    The engine "auto" remembers what it has counted, unless all it does must be enumerated: for a
    journal, a node limit, a part that is no subtree, a limit of one or two, or multiplicities.
    """
    limit, part = options.limit, options.part
    few = limit is not None and limit <= 2
    if (
        options.engine != "auto"
        or few
        or asked.table.has_multiplicities
        or not _is_subtree(part)
        or options.checkpoint is not None
        or options.node_limit is not None
    ):
        return count_by_enumeration(asked, options)
    if part is not None:
        part = check_part(asked.table, asked.numbered, asked.given, part)
        open_tree("auto", asked, heuristic=options.heuristic, part=part)  # is it of this search?
        asked = asked._replace(given=[*asked.given, *(option for _, option in part.path)])
    return count_remembering(asked, options)


def _is_subtree(part: object) -> bool:
    return part is None or (isinstance(part, Part) and part.is_subtree)


def count_remembering(asked: SearchInput, options: SearchOptions, way: str = "watched") -> int:
    """The number of solutions, up to a limit. Raises `SearchInterrupted` after the timeout.

    The way "layers" remembers from the beginning. Workers are given what is to be enumerated for
    long.
    """
    problem = asked.numbered.problem
    heuristic = check_compiled("auto", problem, options.heuristic)
    most, shared = kernel_limit(options.limit), options.workers is not None
    counting = problem.count(asked.given, most, options.memory, heuristic, way, shared=shared)
    if options.progress is not None:
        from dlx.search.progress import check_progress

        check_progress(options.progress)
    work = Remembering(counting, options.limit, heuristic, options.workers, options.progress)
    return work.resume(options.timeout, None)


class Remembering:
    """A count under way, which a timeout may cut short: see `SearchInterrupted.resume`."""

    def __init__(
        self,
        counting: KernelCount,
        limit: int | None,
        heuristic: str,
        crew: WorkerConfig | None,
        progress: Callable[[SearchProgress], object] | None,
    ) -> None:
        self._counting = counting
        self._limit = limit
        self._heuristic = heuristic
        self._crew = crew
        self._gauge = None if progress is None else Gauge(counting, progress)
        self._ending = EndLogger()
        self._seconds = 0.0  # on the clock

    def resume(self, timeout: float | None, node_limit: int | None) -> int:
        """The number of solutions; `SearchInterrupted` after `timeout` seconds more."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        if node_limit is not None:
            raise InvalidArgument(
                "a count that remembers has no nodes to limit; begin it anew with a node_limit, "
                "and it enumerates"
            )
        began = time.monotonic() - self._seconds
        if not self._seconds:
            log.debug("count that may remember: begins")
        why = "left by an exception"
        try:
            found, why = self._go_on(timeout)
        finally:
            self._seconds = seconds = time.monotonic() - began
            said = "count that may remember: %s at part %d; %d nodes, %.3g seconds"
            nodes, part = self._counting.stats[0], self._counting.part
            self._ending.log(why, seconds, said, why, part, nodes, seconds)
        if why != "timeout":
            return found
        nodes, updates, _, profile, worked = self._counting.stats
        stats = Stats(nodes, updates, found, tuple(profile), worked)
        raise SearchInterrupted("timeout", count=found, stats=stats, continuation=self)

    def _go_on(self, timeout: float | None) -> tuple[int, str]:
        """The number of solutions so far, and why it is not higher."""
        counting = self._counting
        if self._gauge is not None:
            self._gauge.begin()
        if self._crew is None:
            self._run(timeout, None)
        else:
            listers = EnumerationWorkers(
                counting, kernel_limit(self._limit), self._heuristic, self._crew
            )
            try:
                self._run(timeout, listers)
            finally:
                listers.rewind()
        found = self._found()
        if self._gauge is not None:
            self._gauge.tell(found)
        if counting.finished:
            return found, "exhausted"
        return found, "limit" if found == self._limit else "timeout"

    def _run(self, timeout: float | None, listers: EnumerationWorkers | None) -> None:
        """Goes on to the end, or for so many seconds: of work, or on the clock with a crew."""
        counting, clock = self._counting, self._worked if listers is None else time.monotonic
        until = inf if timeout is None else clock() + timeout
        longest = LONGEST if self._gauge is None else EVERY
        while not counting.finished and (left := until - clock()) > 0:
            bout = longest if listers is None else listers.bout(longest)
            theirs = counting.run(min(left, bout))
            if listers is not None:
                listers.go_on(min(until - clock(), longest), theirs=theirs)
            self._tell(None if listers is None else listers.driver)

    def _worked(self) -> float:
        return self._counting.stats[4]

    def _found(self) -> int:
        found = prod(int.from_bytes(factor, "little") for factor in self._counting.factors)
        return found if self._limit is None else min(found, self._limit)

    def _tell(self, driver: Driver | None = None) -> None:
        if self._gauge is not None and self._gauge.is_time():
            self._gauge.tell(self._found(), driver)


class Gauge:
    """Tells how far a count is: how much of what is being counted was enumerated.

    Layers know no such thing. While they are at work the enumeration stands still.
    """

    def __init__(self, counting: KernelCount, progress: Callable[[SearchProgress], object]) -> None:
        from dlx.search.progress import TimeLeft

        self._counting = counting
        self._progress = progress
        self._outlook = TimeLeft()
        self._outlook.seconds_left(0.0, 0.0)
        self._seconds = 0.0  # of counting, on the clock: workers have others of their own
        self._began = self._next = 0.0
        self._shares: TreeShares | None = None
        self._part = 0  # of the count that they belong to
        self._left: list[Part] = []  # when it was last looked at
        self._done = 0.0  # of that part; less, if only the caller's own engine is looked at
        self._moved = 0.0  # after so many seconds it was otherwise

    def begin(self) -> None:
        """The count goes on from here."""
        self._began = time.monotonic() - self._seconds

    def is_time(self) -> bool:
        """Was it told long enough ago?"""
        return time.monotonic() >= self._next

    def tell(self, found: int, driver: Driver | None = None) -> None:
        """Calls the function, with so many solutions. The driver is one that enumerates for it."""
        from dlx.search.progress import SearchProgress

        now = time.monotonic()
        self._next = now + EVERY
        self._seconds = seconds = now - self._began
        done = 1.0 if self._counting.finished else self._fraction(seconds, driver)
        left = self._outlook.seconds_left(seconds, done)
        self._progress(SearchProgress(self._counting.stats[0], found, seconds, done, left))

    def _fraction(self, seconds: float, driver: Driver | None) -> float | None:
        from dlx.search.progress import TreeShares

        listing = listing_of(self._counting)
        if listing is None:
            return None
        problem, given, path, floor = listing
        if self._shares is None or self._part != self._counting.part:
            self._shares, self._part = TreeShares(problem, given), self._counting.part
            self._done = 0.0
        left = None if driver is None else driver.parts_left()
        if left is None:
            left = [Part(tuple(path), floor)]
        if left != self._left:
            self._left, self._moved = left, seconds
            self._done = max(self._done, self._shares.done(left))
        return None if seconds - self._moved > seconds * STILL else self._done


def check_memory(memory: object) -> int:
    """The memory that a count may take, in bytes: see `dlx.core.arguments`."""
    size = memory_size(memory)
    if size < LEAST_MEMORY:
        raise InvalidArgument(
            f"memory_limit is {quote(memory)}, too little to remember anything in; give at least "
            "'1 MiB', or count with engine='bits' or 'links', which remember nothing"
        )
    return size


def count_by_layers(
    order: Iterable[Hashable],
    options: Iterable[Iterable[Hashable]],
) -> int:
    """The number of ways to cover the items in `order`, all others being secondary, exactly.

    The items are passed in this order. A state is what may still matter of what has been covered:
    items, each with its color or None. All options whose first item is the one to be passed are
    tried on each state, and equal states are added up: O(states * options), where the states are
    those between two items, not the solutions.

    >>> count_by_layers("abcdefg", ["ce", "adg", "bcf", "adf", "bg", "deg"])
    1
    >>> ways = [[i, i + 1] for i in range(199)] + [[i] for i in range(200)]
    >>> count_by_layers(range(200), ways)  # a Fibonacci number
    453973694165307953197296969697410619233826

    Source: the transfer-matrix method; the kernel's form of it is told in
    `dlx/_kernel/counting/layers.hpp`.
    """
    rank = {item: place for place, item in enumerate(order)}
    by_first: list[list[dict[Hashable, Hashable]]] = [[] for _ in rank]
    last: dict[Hashable, int] = dict(rank)  # the place after which an item matters no more
    for option in options:
        colors = {
            entry.item if isinstance(entry, Colored) else entry: (
                entry.color if isinstance(entry, Colored) else None
            )
            for entry in option
        }
        first = min(rank[item] for item in colors if item in rank)
        by_first[first].append(colors)
        for item in colors:
            if item not in rank:
                last[item] = max(last.get(item, 0), first)
    states: Mapping[frozenset[tuple[Hashable, Hashable]], int] = {frozenset(): 1}
    for item, place in rank.items():
        reached: Counter[frozenset[tuple[Hashable, Hashable]]] = Counter()
        for state, ways in states.items():
            covered = dict(state)
            if item in covered:
                extended = [covered]
            else:
                extended = [covered | new for new in by_first[place] if _agree(covered, new)]
            for after in extended:
                reached[frozenset(pair for pair in after.items() if last[pair[0]] > place)] += ways
        states = reached
    return sum(states.values())


def _agree(covered: Mapping[Hashable, Hashable], option: Mapping[Hashable, Hashable]) -> bool:
    return all(
        color is not None and covered[item] == color
        for item, color in option.items()
        if item in covered
    )


BOUT: Final = 1.0  # seconds that the caller's thread remembers before it looks at the workers


class EnumerationWorkers:
    """A crew for what a shared count leaves to others to enumerate, part after part.

    The calling thread decides, as a count by one worker does, and remembers where that seems to be
    worth while (see `dlx/_kernel/counting/counting.hpp`). It leaves enumerating to the crew, which
    goes on while it remembers: whoever is done first ends the count.
    """

    def __init__(self, counting: Count, limit: int, heuristic: str, crew: WorkerConfig) -> None:
        self._counting = counting
        self._limit = limit
        self._heuristic = heuristic
        self._crew = crew
        self.driver: Driver | None = None
        """The crew's search, if there is one at this moment."""
        self._part = 0

    def bout(self, longest: float) -> float:
        """For how many seconds the calling thread may go on by itself, if no longer than that."""
        return longest if self.driver is None else min(longest, BOUT)

    def go_on(self, seconds: float, *, theirs: bool) -> None:
        """To be called after each bout: takes over what is left to the crew, and tells the count
        how far that has got. If it is `theirs` to go on, waits for them for so many seconds.
        """
        counting = self._counting
        if self.driver is not None and counting.part != self._part:
            self.rewind()
        if theirs and self.driver is None:
            self.driver, self._part = self._open(), counting.part
        driver = self.driver
        if driver is None:
            return
        if theirs:
            driver.tally(seconds, counting.nodes_for_others, self._limit)
        nodes, updates, found, profile, _ = driver.stats
        counting.listed(nodes, updates, found, profile, driver.finished)
        driver.go_on()

    def rewind(self) -> None:
        """Sends the crew home."""
        driver, self.driver = self.driver, None
        if driver is not None:
            driver.rewind()

    def _open(self) -> Driver:
        """A driver for what is to be enumerated now."""
        left = listing_of(self._counting)
        assert left is not None  # a count that has nothing left to enumerate is finished
        problem, given, path, floor = left
        question = CompiledEngineSpec(problem, given, "auto", self._heuristic)
        start = Start((Part(tuple(path), floor),))
        return open_driver(question, self._crew._replace(ordered=False), names=None, start=start)
