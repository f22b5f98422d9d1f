"""A search under way: the lazy, limited, interruptible iterator over solutions."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from dlx.core.arguments import UNLIMITED, kernel_limit
from dlx.core.locks import exclusive, new_guard, shared_iterator
from dlx.engines.protocols import LearningEngine, ManagedEngine
from dlx.errors import InvalidArgument, counted

if TYPE_CHECKING:
    from dlx.core.part import Part
    from dlx.engines.protocols import Engine
    from dlx.search.continuation import EngineFactory
    from dlx.search.progress import ProgressMonitor

from dlx.core.arguments import check_limit, check_timeout

__all__ = ["Search", "Solution", "Stats"]

Solution = tuple[Hashable, ...]
"""The names of the chosen options, in the order in which they were chosen."""

LARGEST_BATCH = 4096


class Stats(NamedTuple):
    """The work of a search so far.

    nodes
        The root and every option tried: the size of the search tree, the same on every engine.
    updates
        Elementary steps of the engine; for dancing links, how often a node was unlinked.
    solutions
        Solutions found (a few more, perhaps, than were drawn: they are found in batches).
    profile
        Nodes by depth, the root at depth 0.
    seconds
        Time spent searching, not counting what happened between two solutions drawn.
    conflicts
        Dead ends from which the SAT solver learned; None if it took no part in the search. If it
        did, its decisions are among the nodes and its propagations among the updates, but not in
        the profile.
    """

    nodes: int
    updates: int
    solutions: int
    profile: tuple[int, ...]
    seconds: float
    conflicts: int | None = None


def make_stats(engine: Engine) -> Stats:
    """The work of an engine so far."""
    nodes, updates, solutions, profile, seconds = engine.stats
    conflicts = engine.conflicts if isinstance(engine, LearningEngine) else None
    return Stats(nodes, updates, solutions, tuple(profile), seconds, conflicts)


class Search(Iterator[Solution]):
    """The solutions of a problem, one after another; made by `Problem.solutions`.

    An iterator, and a context manager that closes it. Nothing is searched before the first solution
    is asked for, nor much further than was asked: solutions are found in batches that begin with
    one and grow. Dropping a search half-way is fine. Ctrl-C interrupts it within a few
    hundredths of a second; it can go on afterwards, as it can after any of its limits: see
    `resume`. Several threads may draw from one search: each solution goes to one of them.

    A search can be pickled, under way or not, and goes on where it was unpickled with exactly the
    rest; if it had workers, with as many threads there, but without its executor. Unpickle only
    what you trust: `pickle.loads` runs what its input says.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
    >>> with problem.solutions() as search:
    ...     print(next(search), search.exhausted)
    ...     print(list(search), search.exhausted)
    ('x', 'y') False
    [('xy',)] True
    """

    __slots__ = (
        "_awaited",
        "_batch",
        "_batch_size",
        "_closed",
        "_drawing",
        "_drawn",
        "_engine",
        "_exhausted",
        "_factory",
        "_limit",
        "_monitor",
        "_node_limit",
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
        """`monitor` looks at the engine now and then; `factory` opens another like it."""
        self._engine = engine
        self._limit = limit  # these three count from the beginning of the engine
        self._timeout = timeout
        self._node_limit = node_limit
        self._monitor = monitor
        if monitor is not None:
            monitor.begin(engine)
        self._factory = factory
        self._drawn: list[Solution] = []  # the last batch
        self._batch = (self._drawn, shared_iterator(self._drawn))  # that which is being handed out
        self._batch_size = 1
        self._drawing = new_guard()
        self._awaited = False  # is the engine asked for more at this moment?
        self._stopped_by: str | None = None
        self._exhausted = self._closed = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Solution:
        while True:
            batch = self._batch
            for solution in batch[1]:  # no signal comes between taking and returning it
                return solution
            with exclusive(self._drawing, "a search"):  # by one thread at a time
                if self._batch is batch and not self._draw():
                    raise StopIteration

    def take(self, count: int, seconds: float | None = None) -> list[Solution]:
        """Up to `count` further solutions; fewer at the end, or when so many seconds have passed.

        An empty list says nothing about the end: `exhausted` and `stopped_by` do.

        >>> import dlx
        >>> search = dlx.Problem.from_options([["a"], ["a"], ["a"]]).solutions()
        >>> search.take(2), search.take(2), search.take(2), search.exhausted
        ([(0,), (1,)], [(2,)], [], True)
        """
        exclusive(self._drawing, "a search")  # before anything is taken
        until = None if seconds is None else time.monotonic() + seconds
        found: list[Solution] = []
        try:
            while len(found) < count:
                batch = self._batch
                found += islice(batch[1], count - len(found))
                if len(found) == count or (found and until is not None):
                    break
                with exclusive(self._drawing, "a search"):
                    if self._batch is not batch:
                        continue
                    left = -1.0 if until is None else max(0.0, until - time.monotonic())
                    if not self._draw(left) or left == 0:
                        break
        except BaseException:
            self._put_back(found)
            raise
        return found

    def _put_back(self, taken: list[Solution]) -> None:
        """Has solutions handed out again, before all others: the caller never saw them."""
        with exclusive(self._drawing, "a search"):
            found, rest = self._batch
            again = [*taken, *rest]
            if self._drawn is found:
                self._drawn = again
            self._batch = (again, shared_iterator(again))

    def _draw(self, seconds: float = -1.0) -> bool:
        """Fetches the next batch, or as much of it as so many seconds bring (negative: all).

        False if there is no more to come, or not until a limit is lifted.
        """
        engine = self._engine
        while self._stopped_by is None:
            if self._drawn and self._drawn is not self._batch[0]:
                # In one step, so that no signal comes between. Until then nobody looks at an
                # iterator over it: one that was found at its end stays there.
                self._batch = (self._drawn, shared_iterator(self._drawn))
                self._batch_size = min(2 * self._batch_size, LARGEST_BATCH)
                return True
            if engine.finished:
                break
            left = self._solutions_left()
            if left <= 0:
                self._stop("limit")
                break
            # Ours before the engine fills it: a signal may come as soon as `draw` returns.
            self._drawn = []
            count = min(self._batch_size, left)
            self._fetch(count, self._stretch(seconds), self._last_node())
            if not self._drawn and not engine.finished:
                if self._reached_last_node():
                    self._fetch(0, 0.0, UNLIMITED)  # found beyond, where there was no choice
                    if not self._drawn:
                        self._stop("node_limit")
                elif self.seconds_left() == 0:
                    self._stop("timeout")
                elif seconds >= 0:
                    self._look()
                    return True
            self._look()
        if self._monitor is not None:
            self._monitor.end(self._engine, self.stopped_by)
        return False

    def _fetch(self, count: int, seconds: float, nodes: int) -> None:
        """Has the engine add to what was drawn. It may say before that it has finished."""
        self._awaited = True
        try:
            self._engine.draw(count, seconds, self._drawn, nodes)
        finally:
            self._awaited = False

    def pass_over(self) -> int:
        """Passes over all solutions up to the limits; returns how many there were in all.

        Those drawn before are counted as well. `exhausted` tells whether these are all there are.
        """
        engine = self._engine
        self.drop_left_over()
        while self._stopped_by is None and not engine.finished:
            left = self._solutions_left()
            if left <= 0:
                self._stop("limit")
                break
            engine.skip(left, self._stretch(-1.0), self._last_node())
            if not engine.finished:
                if self._reached_last_node():
                    left = self._solutions_left()
                    engine.skip(min(left, 1), 0.0)  # found beyond, where there was no choice
                    self._stop("limit" if left == 0 else "node_limit")
                elif self.seconds_left() == 0:
                    self._stop("timeout")
            self._look()
        if self._monitor is not None:
            self._monitor.end(self._engine, self.stopped_by)
        return engine.stats[2]

    def drop_left_over(self) -> None:
        """Passes over what was drawn and not handed out."""
        self._drawn = []
        self._batch = (self._drawn, shared_iterator(self._drawn))

    def _stretch(self, seconds: float) -> float:
        """How long to search before the next look around; negative: as long as it takes."""
        if self._timeout is None and self._monitor is None:
            return seconds
        wanted = [
            seconds,
            self.seconds_left(),
            -1.0 if self._monitor is None else self._monitor.every,
        ]
        return min((one for one in wanted if one >= 0), default=-1.0)

    def _look(self) -> None:
        if self._monitor is not None:
            self._monitor.look(self._engine)

    def _solutions_left(self) -> int:
        if self._limit is None:
            return UNLIMITED
        return kernel_limit(self._limit - self._engine.stats[2])

    def _last_node(self) -> int:
        return kernel_limit(self._node_limit)

    def _reached_last_node(self) -> bool:
        return self._node_limit is not None and self._engine.stats[0] >= self._node_limit

    def _stop(self, reason: str) -> None:
        self._stopped_by = self._stopped_by or reason  # it may have been closed meanwhile
        if isinstance(self._engine, ManagedEngine):
            self._engine.pause()

    def seconds_left(self) -> float:
        """What is left of the timeout, in seconds of search; negative if there is none."""
        if self._timeout is None:
            return -1.0
        return max(0.0, self._timeout - self._engine.stats[4])

    def resume(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        node_limit: int | None = None,
    ) -> Self:
        """Goes on after a limit, exactly there, up to other limits that count from here; returns
        the search itself.

        Without arguments, to the end. A search that is exhausted stays so. Raises `InvalidArgument`
        if it was closed, since then it has given up where it stood.

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
                raise InvalidArgument("the search was closed, and has given up where it stood")
            stats = self._engine.stats
            waiting = len(self._left_over())
            self._limit = None if limit is None else stats[2] - waiting + limit
            self._timeout = None if timeout is None else stats[4] + timeout
            self._node_limit = None if node_limit is None else stats[0] + node_limit
            if not self._closed:
                self._stopped_by = None
        return self

    @property
    def stats(self) -> Stats:
        """The work done so far. May be asked at any time, from any thread."""
        return make_stats(self._engine)

    @property
    def exhausted(self) -> bool:
        """True once all solutions there are have been drawn and the search knows it.

        False after a limit, a timeout or `close` stopped it: there may be more.
        """
        if self._stopped_by is not None:
            return self._exhausted
        return self._engine.finished and not self._awaited and not self._has_more()

    def parts_left(self) -> list[Part] | None:
        """What has not been searched, as parts of the search in visiting order.

        None while that cannot be said: a SAT solver takes part, or solutions wait to be drawn.
        """
        from dlx.search.progress import parts_left

        return parts_left(self._engine)

    def _has_more(self) -> bool:
        """Has it solutions that were drawn and not handed out?"""
        batch = self._batch
        return length_hint(batch[1]) > 0 or (bool(self._drawn) and self._drawn is not batch[0])

    def _left_over(self) -> list[Solution]:
        """The solutions that were drawn and not handed out."""
        found, rest = self._batch
        left = found[len(found) - length_hint(rest) :]
        return left if self._drawn is found else [*left, *self._drawn]

    @property
    def stopped_by(self) -> str | None:
        """What ended the search early: "limit", "timeout", "node_limit" or "close"; None if nothing
        did.
        """
        return None if self.exhausted else self._stopped_by

    def close(self) -> None:
        """Ends the search and puts the matrix back as it was. It yields nothing any more."""
        self._exhausted = self.exhausted
        self._stopped_by = self._stopped_by or "close"
        self._closed = True
        self.drop_left_over()
        if self._monitor is not None:
            why = "exhausted" if self._exhausted else self._stopped_by
            self._monitor.leave(self._engine, why)
        self._engine.rewind()

    def release(self, why: str = "answered") -> bool:
        """Closes what others may be waiting for: a journal, workers. True if that ended the search.

        What was found, and how the search stopped, can still be asked. `why` is for the logger.
        """
        if self._monitor is not None:
            self._monitor.leave(self._engine, why)
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
        begun = self._engine.stats[0] or self._engine.stats[4]  # nodes, seconds
        going = "under way" if begun else "not started"
        state = "exhausted" if self.exhausted else self._stopped_by or going
        return f"<dlx.Search: {counted(self._engine.stats[2], 'solution')} found, {state}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from dlx.search.continuation import restore_search, save_search

        with exclusive(self._drawing, "a search"):
            limits = (self._limit, self._timeout, self._node_limit)
            left = self._left_over()
            ending = (self._stopped_by, self._exhausted, self._closed)
            saved = save_search(self._engine, self._factory, left, closed=self._closed)
        return restore_search, (saved, limits, ending)
