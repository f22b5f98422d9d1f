"""A search under way: the lazy, limited, interruptible iterator over solutions."""

from __future__ import annotations

import _thread
from collections.abc import Hashable, Iterator
from operator import length_hint
from typing import TYPE_CHECKING, NamedTuple, Self

from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.engines import Engine

__all__ = ["Search", "Solution", "Stats"]

Solution = tuple[Hashable, ...]
"""The names of the chosen options, in the order in which they were chosen."""

UNLIMITED = 2**63
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
    conflicts: int | None = getattr(engine, "conflicts", None)
    return Stats(nodes, updates, solutions, tuple(profile), seconds, conflicts)


class Search(Iterator[Solution]):
    """The solutions of a problem, one after another; made by `Problem.solutions`.

    An iterator, and a context manager that closes it. Nothing is searched before the first solution
    is asked for, nor much further than was asked: solutions are found in batches that begin with
    one and grow. Dropping a search half-way is fine. Ctrl-C interrupts it within a few
    hundredths of a second; it can go on afterwards. Several threads may draw from one search: each
    solution goes to one of them.

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
        "_drawing",
        "_drawn",
        "_engine",
        "_exhausted",
        "_limit",
        "_stopped_by",
        "_timeout",
    )

    def __init__(self, engine: Engine, limit: int | None, timeout: float | None) -> None:
        self._engine = engine
        self._limit = limit
        self._timeout = timeout
        self._drawn: list[Solution] = []  # the last batch
        self._batch = (self._drawn, iter(self._drawn))  # that which is being handed out
        self._batch_size = 1
        self._drawing = _thread.allocate_lock()
        self._stopped_by: str | None = None
        self._exhausted = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Solution:
        while True:
            batch = self._batch
            for solution in batch[1]:  # no signal comes between taking and returning it
                return solution
            with self._drawing:  # by one thread at a time
                if self._batch is batch:
                    self._draw()

    def _draw(self) -> None:
        """Fetches the next batch, or raises StopIteration."""
        engine = self._engine
        while self._stopped_by is None:
            if self._drawn and self._drawn is not self._batch[0]:
                # In one step, so that no signal comes between. Until then nobody looks at an
                # iterator over it: one that was found at its end stays there.
                self._batch = (self._drawn, iter(self._drawn))
                self._batch_size = min(2 * self._batch_size, LARGEST_BATCH)
                return
            if engine.finished:
                break
            left = UNLIMITED if self._limit is None else self._limit - engine.stats[2]
            if left == 0:
                self._stop("limit")
                break
            # Ours before the engine fills it: a signal may come as soon as `draw` returns.
            self._drawn = []
            engine.draw(min(self._batch_size, left), self.seconds_left(), self._drawn)
            if not self._drawn and self.seconds_left() == 0 and not engine.finished:
                self._stop("timeout")
        raise StopIteration

    def _stop(self, reason: str) -> None:
        self._stopped_by = reason
        pause = getattr(self._engine, "pause", None)  # those with workers have it
        if pause is not None:
            pause()

    def seconds_left(self) -> float:
        """What is left of the timeout, in seconds of search; negative if there is none."""
        if self._timeout is None:
            return -1.0
        return max(0.0, self._timeout - self._engine.stats[4])

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
        return self._engine.finished and not self._has_more()

    def _has_more(self) -> bool:
        """Has it solutions that were drawn and not handed out?"""
        batch = self._batch
        return length_hint(batch[1]) > 0 or (bool(self._drawn) and self._drawn is not batch[0])

    @property
    def stopped_by(self) -> str | None:
        """What ended the search early: "limit", "timeout" or "close"; None if nothing did."""
        return None if self.exhausted else self._stopped_by

    def close(self) -> None:
        """Ends the search and puts the matrix back as it was. It yields nothing any more."""
        self._exhausted = self.exhausted
        self._stopped_by = self._stopped_by or "close"
        self._drawn = []
        self._batch = (self._drawn, iter(self._drawn))
        self._engine.rewind()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "exhausted" if self.exhausted else self._stopped_by or "under way"
        return f"<dlx.Search: {self._engine.stats[2]} solutions found, {state}>"


def check_limit(limit: object) -> int | None:
    """`limit` if it means something: None or an integer that is not negative.

    One that no search can reach is as good as none, and fits into 64 bits.
    """
    if limit is None:
        return None
    if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0:
        return min(limit, UNLIMITED)
    raise InvalidArgument(f"limit is {quote(limit)}; it must be None or an integer from 0 up")


def check_timeout(timeout: object) -> float | None:
    """`timeout` if it means something: None or a number of seconds that is not negative."""
    if timeout is None:
        return None
    if isinstance(timeout, int | float) and type(timeout) is not bool and timeout >= 0:
        return float(min(timeout, 1e18))  # an integer may be too large for a float
    raise InvalidArgument(f"timeout is {quote(timeout)}; it must be None or seconds from 0 up")


def check_seed(seed: object) -> int | None:
    """`seed` if it is None or an integer."""
    if seed is None:
        return None
    if isinstance(seed, int) and not isinstance(seed, bool):
        return seed
    raise InvalidArgument(f"seed is {quote(seed)}; it must be None or an integer")
