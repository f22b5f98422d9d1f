"""Counting solutions, by enumeration, layers or subproblems: see docs/counting.md.

With the engine "auto", the kernel chooses between enumeration, counting by layers, which caches the
counts of equal states, and by subproblems, which caches those of isomorphic ones, by the work that
each is expected to take. If there are workers, they do the enumeration, while the calling thread
counts by one of the other methods. `count_by_layers` is the method in a few
lines of Python, for readers and tests.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from dlx.analysis.solutions import count_by_enumeration
from dlx.core.arguments import check_limit, check_timeout, kernel_limit, memory_size
from dlx.core.budget import Budget
from dlx.core.entries import Colored
from dlx.core.kernel import listing_of
from dlx.core.logs import EndLogger, log
from dlx.core.part import Part, check_part
from dlx.engines.certificates import CERTIFICATE_INTERVAL, Certificates
from dlx.engines.protocols import Start
from dlx.engines.registry import check_compiled
from dlx.engines.spec import KernelSpec, engine_spec
from dlx.errors import InvalidArgument, SearchInterrupted, quote
from dlx.plan import answers_at_once, make_plan

if TYPE_CHECKING:
    from dlx.core.kernel import Count as KernelCount
    from dlx.core.numbering import SearchInput
    from dlx.parallel.driver import Driver
    from dlx.search.options import SearchOptions, WorkerConfig
    from dlx.search.progress import SearchProgress, TreeShares

__all__ = [
    "EnumerationWorkers",
    "check_memory",
    "count_by_layers",
    "count_solutions",
    "count_with_cache",
]


MIN_MEMORY: Final = 2**20  # bytes
MAX_RUN: Final = 1e9  # seconds for one call of the kernel
REPORT_INTERVAL: Final = 0.1  # seconds between two calls of `progress`
WORKER_CHECK_INTERVAL: Final = 1.0  # seconds of layers between two looks at the workers
STALLED: Final = 0.2  # enumeration that stands still for this part of the time is stalled


def count_solutions(search_input: SearchInput, options: SearchOptions) -> int:
    """What `Problem.count` returns.

    By the methods of its plan: see `dlx.plan`.
    """
    if (options.limit is None or options.limit > 2) and answers_at_once(options):
        return count_with_cache(search_input, options)
    plan = make_plan("count", search_input, options)
    if options.proof is not None:
        return _count_with_proof(search_input, options)
    if plan.step("orbits") is not None:
        number, options = _count_by_orbits(search_input, options)
        if number is not None:
            return number
    if plan.runner != "counter" or options.distinct is not False:
        return count_by_enumeration(search_input, options, plan)
    if options.part is not None:
        table, numbered, given = search_input
        part = check_part(table, numbered, given, options.part)
        # Raises `InvalidPart` if the part does not belong to this search.
        engine_spec(search_input, "auto", options.heuristic).open(part)
        given = [*given, *(option for _, option in part.path)]
        search_input = search_input._replace(given=given)
    return count_with_cache(search_input, options)


def _count_with_proof(search_input: SearchInput, options: SearchOptions) -> int:
    """The number of solutions, or of their classes, with a certificate for a checker."""
    from dlx.proofs.count import certified_count

    if options.distinct is False:
        return certified_count(search_input, options)
    from dlx.analysis.solutions import open_search
    from dlx.analysis.symmetry.distinct import symmetries_for
    from dlx.search.deadline import Deadline

    deadline = Deadline(options.timeout)
    with deadline.preparing():
        group = symmetries_for(search_input, options.distinct)

    def classes(timeout: float | None) -> Iterator[tuple[int, Sequence[int]]]:
        plain = options._replace(distinct=group, proof=None, progress=None, timeout=timeout)
        search = open_search(search_input, plain, "solutions")
        for solution in search:
            yield search.orbit_size, [*map(search_input.table.index_of, solution)]
        if not search.exhausted:
            raise SearchInterrupted("timeout", count=0, stats=search.stats)

    timed = options._replace(timeout=deadline.left())
    return certified_count(search_input, timed, group.on_options().generators, classes)


def _count_by_orbits(
    search_input: SearchInput, options: SearchOptions
) -> tuple[int | None, SearchOptions]:
    """The number of classes of symmetric solutions; None if there are too many symmetries.

    And the options of a count by enumeration then: with the group, and the time that is left.
    """
    from dlx.analysis.symmetry.distinct import count_classes, symmetries_for
    from dlx.search.deadline import Deadline

    deadline = Deadline(options.timeout)
    with deadline.preparing():
        group = symmetries_for(search_input, options.distinct)
    plain = options._replace(distinct=False, timeout=deadline.left())
    number = count_classes(search_input, group, plain, count_solutions)
    return number, options._replace(distinct=group, timeout=deadline.left())


def count_with_cache(
    search_input: SearchInput, options: SearchOptions, way: str | None = None
) -> int:
    """The number of solutions, up to a limit. Raises `SearchInterrupted` after the timeout.

    `way` is that of the kernel: "auto" chooses the cheapest method, "without symmetry" does not
    look for isomorphic subproblems, "layers" and "subproblems" count by that method from the
    beginning (subproblems with multiplicities by layers). None: what the options say. Long
    enumerations are left to the workers, if there are any.
    """
    if way is None:
        way = "auto" if options.symmetry else "without symmetry"
    problem = search_input.numbered.problem
    heuristic = check_compiled("auto", problem, options.heuristic)
    limit, shared = kernel_limit(options.limit), options.workers is not None
    count = problem.count(search_input.given, limit, options.memory, heuristic, way, shared=shared)
    alone = options.timeout is None and options.progress is None and not shared
    if alone and not log.is_enabled():
        _run(count, CERTIFICATE_INTERVAL)
        if count.finished:  # as most counts are
            return _found(count, options.limit)
    if options.progress is not None:
        from dlx.search.progress import check_progress

        check_progress(options.progress)
    certificates = Certificates(search_input)
    task = ResumableCount(
        count, options.limit, heuristic, options.workers, options.progress, certificates
    )
    if count.stats.seconds > 0:  # it has run for an interval
        task.refute()
    return task.resume(options.timeout, None)


class ResumableCount:
    """A count that can be continued after a timeout: see `SearchInterrupted.resume`."""

    def __init__(
        self,
        count: KernelCount,
        limit: int | None,
        heuristic: str,
        workers: WorkerConfig | None,
        progress: Callable[[SearchProgress], object] | None,
        certificates: Certificates,
    ) -> None:
        self._count = count
        self._certificates = certificates
        self._refuted = False  # is there a certificate that there is no solution?
        self._limit = limit
        self._heuristic = heuristic
        self._workers = workers
        self._monitor = None if progress is None else CountMonitor(count, progress)
        self._ending = EndLogger()
        self._seconds = 0.0  # wall-clock time

    def _log_end(self, why: str) -> None:
        nodes, part = self._count.stats.nodes, self._count.part
        lookups, hits, skipped = self._count.tally
        message = (
            "count that may use a cache: %s at part %d; %d nodes, %d classes of subproblems, "
            "%d hits, %d options in the orbit of another, %.3g seconds"
        )
        values = (why, part, nodes, lookups - hits, hits, skipped, self._seconds)
        self._ending.log(why, self._seconds, message, *values)

    def resume(self, timeout: float | None, node_limit: int | None) -> int:
        """The number of solutions; `SearchInterrupted` after `timeout` seconds more."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        if node_limit is not None:
            raise InvalidArgument(
                "a count that uses a cache has no node limit; start it again with a node_limit to "
                "count by enumeration"
            )
        began = time.monotonic() - self._seconds
        if not self._seconds:
            log.debug("count that may use a cache: begins")
        why = "left by an exception"
        try:
            found, why = self._run_until(timeout)
        finally:
            self._seconds = time.monotonic() - began
            self._log_end(why)
        if why != "timeout":
            return found
        helpers = ("subproblems",) if self._count.tally[0] else ()
        seconds = self._work_seconds()
        stats = self._count.stats._replace(solutions=found, seconds=seconds, helpers=helpers)
        raise SearchInterrupted("timeout", count=found, stats=stats, continuation=self)

    def _run_until(self, timeout: float | None) -> tuple[int, str]:
        """The number of solutions so far, and why the count stopped."""
        count = self._count
        if self._monitor is not None:
            self._monitor.begin()
        if self._workers is None:
            self._run(timeout, None)
        else:
            workers = EnumerationWorkers(
                count, kernel_limit(self._limit), self._heuristic, self._workers
            )
            try:
                self._run(timeout, workers)
            finally:
                workers.shut_down()
        found = self._found()
        if self._monitor is not None:
            self._monitor.report(found)
        if count.finished or self._refuted:
            return found, "exhausted"
        return found, "limit" if found == self._limit else "timeout"

    def _run(self, timeout: float | None, workers: EnumerationWorkers | None) -> None:
        """Runs to the end, or for `timeout` seconds: of work, or on the clock with workers."""
        count, clock = self._count, self._work_seconds if workers is None else time.monotonic
        until = inf if timeout is None else clock() + timeout
        interval = MAX_RUN if self._monitor is None else REPORT_INTERVAL
        while not count.finished and not self._refuted and (left := until - clock()) > 0:
            longest = min(interval, CERTIFICATE_INTERVAL) if self._may_refute() else interval
            seconds = longest if workers is None else workers.run_seconds(longest)
            workers_turn = _run(count, min(left, seconds))
            if workers is not None:
                workers.run(min(until - clock(), longest), wait=workers_turn)
            if self._monitor is not None and self._monitor.is_due():
                self._monitor.report(self._found(), None if workers is None else workers.driver)
            self.refute(until - clock())

    def refute(self, left: float = inf) -> None:
        """Looks for a certificate that there is no solution, if one can still help.

        For no more than the seconds that are `left`.
        """
        if self._may_refute():
            name = self._certificates.find_within_share(self._count.stats.seconds, left)
            if name is not None:
                self._refuted = True
                log.debug("count: no solution, by a certificate: %s", name)

    def _may_refute(self) -> bool:
        """Whether a certificate can still help: the count is unfinished and without a solution."""
        unfinished = not (self._refuted or self._count.finished)
        return unfinished and self._certificates.pending and not self._found()

    def _work_seconds(self) -> float:
        return self._count.stats.seconds + self._certificates.seconds

    def _found(self) -> int:
        return 0 if self._refuted else _found(self._count, self._limit)


def _run(count: KernelCount, seconds: float) -> bool:
    """Continues a count for that time; returns whether the workers must enumerate."""
    try:
        return count.run(seconds)
    except MemoryError:
        raise MemoryError(
            "not enough memory for the cache of this count, and without a cache it would take too "
            "long; engine='links' counts without one"
        ) from None


def _found(count: KernelCount, limit: int | None) -> int:
    """The number of solutions counted so far, at most `limit`."""
    found = 1
    for factor in count.factors:
        found *= int.from_bytes(factor, "little")
    return found if limit is None else min(found, limit)


class CountMonitor:
    """Reports the progress of a count: the fraction of its current part that is enumerated.

    The fraction is unknown (None) while the count works by layers and the enumeration stands still.
    """

    def __init__(self, count: KernelCount, progress: Callable[[SearchProgress], object]) -> None:
        from dlx.search.progress import TimeLeft

        self._count = count
        self._progress = progress
        self._time_left = TimeLeft()
        self._time_left.seconds_left(0.0, 0.0)
        self._seconds = 0.0  # wall-clock time of the count
        self._began = self._next = 0.0
        self._shares: TreeShares | None = None
        self._part = 0  # the part of the count that `_shares` belongs to
        self._left: list[Part] = []  # what was left at the last report
        self._done = 0.0  # the largest fraction of the part reported so far
        self._moved = 0.0  # the time, in `_seconds`, of the last change of `_left`

    def begin(self) -> None:
        """Starts the clock, or starts it again after a timeout."""
        self._began = time.monotonic() - self._seconds

    def is_due(self) -> bool:
        """True if the last report is long enough ago."""
        return time.monotonic() >= self._next

    def report(self, found: int, driver: Driver | None = None) -> None:
        """Calls the function with `found` solutions; `driver` is that of the workers, if any."""
        from dlx.search.progress import SearchProgress

        now = time.monotonic()
        self._next = now + REPORT_INTERVAL
        self._seconds = seconds = now - self._began
        done = 1.0 if self._count.finished else self._fraction(seconds, driver)
        left = self._time_left.seconds_left(seconds, done)
        self._progress(SearchProgress(self._count.stats.nodes, found, seconds, done, left))

    def _fraction(self, seconds: float, driver: Driver | None) -> float | None:
        from dlx.search.progress import TreeShares

        listing = listing_of(self._count)
        if listing is None:
            return None
        problem, given, path, floor = listing
        if self._shares is None or self._part != self._count.part:
            self._shares, self._part = TreeShares(problem, given), self._count.part
            self._done = 0.0
        left = None if driver is None else driver.parts_left()
        if left is None:
            left = [Part(tuple(path), floor)]
        if left != self._left:
            self._left, self._moved = left, seconds
            self._done = max(self._done, self._shares.done(left))
        return None if seconds - self._moved > seconds * STALLED else self._done


def check_memory(memory: object) -> int:
    """The memory limit of a count in bytes: see `dlx.core.arguments`."""
    size = memory_size(memory)
    if size < MIN_MEMORY:
        raise InvalidArgument(
            f"memory_limit is {quote(memory)}, which is too small for a cache; give at least "
            "'1 MiB', or count with engine='bits' or engine='links', which use no cache"
        )
    return size


def count_by_layers(
    order: Iterable[Hashable],
    options: Iterable[Iterable[Hashable]],
) -> int:
    """The number of exact covers of the items in `order`; all other items are secondary.

    The items are taken in this order. A state is the set of items that are covered and occur in
    later options, each with its color or None. The options whose first item is the current one are
    tried on each state, and the numbers of equal states are added up: O(states * options), where
    the states are those between two items, not the solutions.

    >>> count_by_layers("abcdefg", ["ce", "adg", "bcf", "adf", "bg", "deg"])
    1
    >>> ways = [[i, i + 1] for i in range(199)] + [[i] for i in range(200)]
    >>> count_by_layers(range(200), ways)  # a Fibonacci number
    453973694165307953197296969697410619233826

    Source: the transfer-matrix method; `dlx/cpp/counting/layers.hpp` explains the kernel's
    form of it.
    """
    rank = {item: place for place, item in enumerate(order)}
    by_first: list[list[dict[Hashable, Hashable]]] = [[] for _ in rank]
    last: dict[Hashable, int] = dict(rank)  # the place after which an item is in no option
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


class EnumerationWorkers:
    """The workers of a shared count, which enumerate its parts one after another.

    The calling thread chooses the method, as a count by one worker does, and counts by layers where
    that is expected to be less work (see `dlx/cpp/counting/counting.hpp`). The workers
    enumerate at the same time. The method that finishes first ends the count.
    """

    def __init__(
        self, count: KernelCount, limit: int, heuristic: str, config: WorkerConfig
    ) -> None:
        self._count = count
        self._limit = limit
        self._heuristic = heuristic
        self._config = config
        self.driver: Driver | None = None
        """The workers' search, if one is open."""
        self._part = 0

    def run_seconds(self, longest: float) -> float:
        """The seconds that the calling thread may count by itself, at most `longest`."""
        return longest if self.driver is None else min(longest, WORKER_CHECK_INTERVAL)

    def run(self, seconds: float, *, wait: bool) -> None:
        """Starts the workers on the current part and passes their results to the count.

        To be called after each run of the count. With `wait`, it is the workers' turn: waits for
        them for up to `seconds`.
        """
        count = self._count
        if self.driver is not None and count.part != self._part:
            self.shut_down()
        if wait and self.driver is None:
            self.driver, self._part = self._open(), count.part
        driver = self.driver
        if driver is None:
            return
        if wait:
            driver.tally(Budget.of(self._limit, seconds, count.nodes_for_others))
        count.report(*driver.stats[:4], driver.finished)
        driver.keep_running()

    def shut_down(self) -> None:
        """Ends the workers' search."""
        driver, self.driver = self.driver, None
        if driver is not None:
            driver.close()

    def _open(self) -> Driver:
        """A driver for the current part."""
        from dlx.parallel.start import open_driver

        left = listing_of(self._count)
        assert left is not None  # a count that has nothing left to enumerate is finished
        problem, given, path, floor = left
        spec = KernelSpec(problem, given, "auto", self._heuristic)
        start = Start((Part(tuple(path), floor),))
        return open_driver(spec, self._config._replace(ordered=False), names=None, start=start)
