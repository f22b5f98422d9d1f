"""`Search`: a lazy iterator over solutions, with limits."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import islice
from math import inf
from operator import length_hint
from typing import TYPE_CHECKING, Any, Generic, Self

from dlx.core.arguments import UNLIMITED, check_limit, check_number, check_timeout, kernel_limit
from dlx.core.budget import Budget, make_budget
from dlx.core.locks import exclusive, new_guard, shared_iterator
from dlx.core.name_types import Name, Solution
from dlx.engines.protocols import ManagedEngine
from dlx.errors import InvalidArgument, counted

if TYPE_CHECKING:
    from dlx.core.budget import Reason
    from dlx.core.part import Part
    from dlx.core.stats import Stats
    from dlx.engines.protocols import Engine
    from dlx.search.progress import ProgressMonitor
    from dlx.search.snapshot import EngineFactory

__all__ = ["Search", "Solution"]

MAX_BATCH_SIZE = 4096


class Search(Iterator[tuple[Name, ...]], Generic[Name]):
    """The solutions of a problem, one after another; made by `Problem.solutions`.

    An iterator, and a context manager that closes it. It is lazy: the search starts when the first
    solution is requested, and finds solutions in batches of one solution at first, which grow. A
    search may be abandoned at any time. Ctrl-C interrupts it within 50 ms. It can be continued
    after that and after any of its limits: see `resume`. Several threads may iterate over one
    search: each solution goes to one of them.

    A search can be pickled at any time. The unpickled search continues with exactly the remaining
    solutions; if it had workers, with the same number of threads, but without an executor. Unpickle
    only what you trust: `pickle.loads` runs what its input says.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
    >>> with problem.solutions() as search:
    ...     print(next(search), search.exhausted)
    ...     print(list(search), search.exhausted)
    ('x', 'y') False
    [('xy',)] True
    """

    __slots__ = (
        "_batch",
        "_batch_size",
        "_closed",
        "_drawing",
        "_drawn",
        "_engine",
        "_exhausted",
        "_factory",
        "_fetching",
        "_limit",
        "_monitor",
        "_node_limit",
        "_searched",
        "_stopped_by",
        "_timeout",
    )

    def __init__(
        self,
        engine: Engine,
        limit: int | None,
        timeout: float | None,
        *,
        node_limit: int | None = None,
        monitor: ProgressMonitor | None = None,
        factory: EngineFactory | None = None,
    ) -> None:
        """`monitor` reports the progress of the engine; `factory` opens another like it."""
        self._engine = engine
        self._limit = limit  # these three limits count from the beginning of the engine
        self._timeout = timeout
        self._node_limit = node_limit
        self._monitor = monitor
        if monitor is not None:
            monitor.begin(engine)
        self._factory = factory
        self._drawn: list[Solution[Name]] = []  # the last batch
        self._batch = (self._drawn, shared_iterator(self._drawn))  # the one being returned
        self._batch_size = 1
        self._drawing = new_guard()
        self._fetching = False  # True while the engine is searching
        self._searched = False  # True once it has searched since the last `resume`
        self._stopped_by: str | None = None
        self._exhausted = self._closed = False

    if TYPE_CHECKING:

        @property
        def orbit_size(self) -> int:
            """In a search with `distinct`, the number of solutions symmetric to the last one."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Solution[Name]:
        while True:
            batch = self._batch
            for solution in batch[1]:  # no signal comes between taking and returning it
                return solution
            with exclusive(self._drawing, "a search"):  # by one thread at a time
                if self._batch is batch and not self._draw():
                    raise StopIteration

    def take(self, count: int, seconds: float | None = None) -> list[Solution[Name]]:
        """Up to `count` further solutions; fewer at the end, or when `seconds` have passed.

        An empty list does not mean that the search has ended: see `exhausted` and `stopped_by`.

        >>> import dlx
        >>> search = dlx.Problem.from_options([["a"], ["a"], ["a"]]).solutions()
        >>> search.take(2), search.take(2), search.take(2), search.exhausted
        ([(0,), (1,)], [(2,)], [], True)
        """
        count = check_number("count", count, 0, sys.maxsize)
        seconds = check_timeout(seconds, "seconds")
        exclusive(self._drawing, "a search")  # before anything is taken
        deadline = inf if seconds is None else time.monotonic() + seconds
        found: list[Solution[Name]] = []
        try:
            while len(found) < count:
                batch = self._batch
                found += islice(batch[1], count - len(found))
                if len(found) == count or (found and deadline < inf):
                    break
                with exclusive(self._drawing, "a search"):
                    if self._batch is not batch:
                        continue
                    on_time = deadline == inf or time.monotonic() < deadline
                    if not self._draw(deadline) or not on_time:
                        break
        except BaseException:
            self._put_back(found)
            raise
        return found

    def _put_back(self, taken: list[Solution[Name]]) -> None:
        """Returns solutions to the front of the batch, when an error kept them from the caller."""
        with exclusive(self._drawing, "a search"):
            found, rest = self._batch
            again = [*taken, *rest]
            if self._drawn is found:
                self._drawn = again
            self._batch = (again, shared_iterator(again))

    def _draw(self, deadline: float = inf) -> bool:
        """Fetches the next batch, or the part of it found before a moment of `time.monotonic`.

        False at the end of the search, and at a limit.
        """
        engine = self._engine
        while self._stopped_by is None:
            if self._drawn and self._drawn is not self._batch[0]:
                # One assignment, so that a signal cannot come between the list and its iterator.
                # The iterator is made only now, because an exhausted one would stay exhausted when
                # the engine appends to the list.
                self._batch = (self._drawn, shared_iterator(self._drawn))
                self._batch_size = min(2 * self._batch_size, MAX_BATCH_SIZE)
                return True
            if engine.finished:
                break
            left = UNLIMITED if self._limit is None else self._solutions_left()
            if left <= 0:
                self._stop("limit")
                break
            if self._timeout is not None and self._searched and self.seconds_left() == 0:
                self._stop("timeout")
                break
            self._searched = True
            # Assigned before the engine fills it: a signal may come as soon as `run` returns.
            self._drawn = []
            reason = self._fetch(self._budget(min(self._batch_size, left), deadline))
            if not self._drawn and reason == "nodes":
                self._engine.take_waiting(self._drawn)  # a solution just beyond the limit
                if not self._drawn:
                    self._stop("node_limit")
            elif not self._drawn and reason == "deadline":
                if self.seconds_left() == 0:
                    self._stop("timeout")
                elif deadline < inf:
                    self._check_monitor()
                    return True
            if self._monitor is not None:
                self._monitor.check(engine)
        if self._monitor is not None:
            self._monitor.end(self._engine, self.stopped_by)
        return False

    def _fetch(self, budget: Budget) -> Reason:
        """Lets the engine append to `_drawn`. `finished` may turn true before it has done so."""
        self._fetching = True
        try:
            return self._engine.run(budget, self._drawn)
        finally:
            self._fetching = False

    def _pass_over(self, budget: Budget) -> None:
        """Lets the engine find solutions without returning them."""
        self._engine.skip(budget)

    def skip_all(self) -> int:
        """The number of solutions up to the limits, including those drawn before.

        Finds the solutions without returning them. `exhausted` is True if there are no more.
        """
        engine = self._engine
        self.drop_left_over()
        while self._stopped_by is None and not engine.finished:
            left = self._solutions_left()
            if left <= 0:
                self._stop("limit")
                break
            self._pass_over(self._budget(left))
            if not engine.finished:
                if self._reached_last_node():
                    left = self._solutions_left()
                    engine.skip(Budget.of(min(left, 1), 0.0))  # one found just beyond the limit
                    self._stop("limit" if left == 0 else "node_limit")
                elif self.seconds_left() == 0:
                    self._stop("timeout")
            self._check_monitor()
        if self._monitor is not None:
            self._monitor.end(self._engine, self.stopped_by)
        return engine.stats.solutions

    def drop_left_over(self) -> None:
        """Discards the solutions that were found and not returned."""
        self._drawn = []
        self._batch = (self._drawn, shared_iterator(self._drawn))

    def _budget(self, solutions: int, deadline: float = inf) -> Budget:
        """How far the engine may go until limits and progress are checked."""
        if self._timeout is not None or self._monitor is not None:
            seconds = self.seconds_left()
            if self._monitor is not None:
                seconds = min(seconds, self._monitor.interval)
            deadline = min(deadline, time.monotonic() + seconds)
        nodes = UNLIMITED if self._node_limit is None else kernel_limit(self._node_limit)
        return make_budget((solutions, deadline, nodes))

    def _check_monitor(self) -> None:
        if self._monitor is not None:
            self._monitor.check(self._engine)

    def _solutions_left(self) -> int:
        if self._limit is None:
            return UNLIMITED
        return kernel_limit(self._limit - self._number_found())

    def _number_found(self) -> int:
        """The number of solutions found that count towards the limit."""
        return self._engine.stats.solutions

    def _reached_last_node(self) -> bool:
        return self._node_limit is not None and self._engine.stats.nodes >= self._node_limit

    def _stop(self, reason: str) -> None:
        self._stopped_by = self._stopped_by or reason  # another thread may have closed it
        if isinstance(self._engine, ManagedEngine):
            self._engine.pause()

    def seconds_left(self) -> float:
        """The seconds left until the timeout; infinity if there is none."""
        if self._timeout is None:
            return inf
        return max(0.0, self._timeout - self._engine.stats.seconds)

    def resume(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        node_limit: int | None = None,
    ) -> Self:
        """Continues the search after a limit, with new limits that count from here.

        Without arguments, it continues to the end. An exhausted search stays so. Returns the search
        itself. Raises `InvalidArgument` if it was closed.

        >>> import dlx
        >>> search = dlx.Problem.from_options([["a"], ["a"], ["a"]]).solutions(limit=1)
        >>> list(search), search.stopped_by
        ([(0,)], 'limit')
        >>> list(search.resume()), search.stopped_by
        ([(1,), (2,)], None)
        """
        limit, timeout = check_limit(limit), check_timeout(timeout)
        node_limit = check_limit(node_limit, "node_limit")
        with exclusive(self._drawing, "a search"):
            if self._closed and not self._exhausted:
                raise InvalidArgument("the search was closed, so it cannot be resumed")
            stats = self._engine.stats
            waiting = len(self._left_over())
            self._limit = None if limit is None else self._number_found() - waiting + limit
            self._timeout = None if timeout is None else stats.seconds + timeout
            self._node_limit = None if node_limit is None else stats.nodes + node_limit
            if not self._closed:
                self._stopped_by = None
            self._searched = False
        return self

    @property
    def stats(self) -> Stats:
        """The work done so far; can be read at any time, from any thread."""
        return self._engine.stats

    @property
    def exhausted(self) -> bool:
        """True when all solutions have been drawn and the search has ended.

        False after a limit, a timeout or `close`: there may be more solutions.
        """
        if self._stopped_by is not None:
            return self._exhausted
        return self._engine.finished and not self._fetching and not self._has_more()

    def parts_left(self) -> list[Part] | None:
        """The parts that are still to be searched, in visiting order.

        None if unknown: a SAT solver takes part, or solutions wait to be drawn.
        """
        from dlx.search.progress import parts_left

        return parts_left(self._engine)

    def _has_more(self) -> bool:
        """True if there are solutions that were found and not returned."""
        batch = self._batch
        return length_hint(batch[1]) > 0 or (bool(self._drawn) and self._drawn is not batch[0])

    def _left_over(self) -> list[Solution[Name]]:
        """The solutions that were found and not returned."""
        found, rest = self._batch
        left = found[len(found) - length_hint(rest) :]
        return left if self._drawn is found else [*left, *self._drawn]

    @property
    def stopped_by(self) -> str | None:
        """Why the search stopped early: "limit", "timeout", "node_limit", "close", or None."""
        return None if self.exhausted else self._stopped_by

    def close(self) -> None:
        """Ends the search and frees its resources. It yields no more solutions."""
        self._exhausted = self.exhausted
        self._stopped_by = self._stopped_by or "close"
        self._closed = True
        self.drop_left_over()
        if self._monitor is not None:
            why = "exhausted" if self._exhausted else self._stopped_by
            self._monitor.log_end(self._engine, why)
        self._engine.close()

    def release(self, why: str = "answered") -> bool:
        """Closes the journal or the workers, if any. True if that ended the search.

        The statistics and `stopped_by` remain available. `why` is for the logger.
        """
        if self._monitor is not None:
            self._monitor.log_end(self._engine, why)
        engine = self._engine
        if not isinstance(engine, ManagedEngine):
            return False
        if engine.journaled or self.exhausted or self._stopped_by is None:
            self.close()
            return True
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        found = counted(self._engine.stats.solutions, "solution")
        return f"<dlx.Search: {found} found, {self._state()}>"

    def _repr_html_(self) -> str:
        """HTML for notebooks: the state of the search and its statistics; searches no further."""
        return self.stats._html(("state", self._state()))

    def _state(self) -> str:
        begun = self._engine.stats.nodes or self._engine.stats.seconds
        going = "under way" if begun else "not started"
        return "exhausted" if self.exhausted else self._stopped_by or going

    def __reduce__(self) -> tuple[Any, ...]:
        from dlx.search.snapshot import restore_search, save_search

        with exclusive(self._drawing, "a search"):
            limits = (self._limit, self._timeout, self._node_limit)
            left = self._left_over()
            ending = (self._stopped_by, self._exhausted, self._closed)
            saved = save_search(self._engine, self._factory, left, closed=self._closed)
        return restore_search, (saved, limits, ending, Search)
