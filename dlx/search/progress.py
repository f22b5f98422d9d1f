"""The progress of a search: what fraction of its tree is done, and the estimated time left.

The whole tree is 1, and each node divides its share evenly among its children. So the position of a
search determines the fraction that is done. Knuth's programs report their progress in this way::

              .-------- root --------.          done: 1/3 + 1/9
            1/3     .--- 1/3 ---.   1/3         left: 1/9 + 1/9 + 1/3, the part with
                  1/9    1/9    1/9                   path (2, 1) and floor 0

Source: D. E. Knuth, the program DLX1 that belongs to TAOCP 7.2.2.1 (`print_progress`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from dlx.core.logs import EndLogger, log
from dlx.core.part import NONE_YET, Part
from dlx.engines.protocols import LearningEngine, ManagedEngine, TreeEngine, parts_of
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.part import Decision, Part
    from dlx.engines.protocols import Engine

__all__ = [
    "ProgressMonitor",
    "SearchProgress",
    "TimeLeft",
    "TreeShares",
    "check_progress",
    "parts_left",
]


REPORT_INTERVAL: Final = 0.1  # seconds between two calls of `progress`


class SearchProgress(NamedTuple):
    """The progress of a search, as `progress=` functions receive it.

    nodes, solutions, seconds
        As in `Stats`.
    fraction
        The fraction of the tree, or of the given part of it, that is done, from 0 to 1. It counts
        the options tried of each item on the path, as if their subtrees were of equal size (as
        Knuth's progress reports do, TAOCP 7.2.2.1). None where it is unknown: with a SAT solver, or
        while a count uses its cache. For a count that falls into parts, or restarts with fewer
        options (docs/counting.md), the fraction of the current part.
    seconds_left
        The estimated time left, from the growth of the fraction since the search was started or
        resumed; None if it is unknown.
    """

    nodes: int
    solutions: int
    seconds: float
    fraction: float | None
    seconds_left: float | None


def check_progress(progress: object) -> None:
    """Raises `InvalidArgument` if `progress` is neither None nor callable."""
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"progress is {quote(progress)}; it must be a function")


def parts_left(engine: Engine) -> list[Part] | None:
    """The parts that an engine has still to search, in visiting order.

    None if unknown: a SAT solver takes part, or solutions wait to be drawn.
    """
    if isinstance(engine, ManagedEngine):
        return engine.parts_left()
    if isinstance(engine, LearningEngine) and engine.out_of_order:
        return None
    return parts_of(cast("TreeEngine", engine))


class TimeLeft:
    """Estimates the time left, from the progress since the first call.

    Work done before the first call, such as in an earlier run, is ignored.

    >>> time_left = TimeLeft()
    >>> [time_left.seconds_left(*report) for report in [(1, 0.5), (2, 0.625), (3, 0.75)]]
    [None, 3.0, 2.0]
    """

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None

    def seconds_left(self, seconds: float, fraction: float | None) -> float | None:
        """The time left after `seconds` of search; None if it cannot be estimated."""
        if fraction is None:
            return None
        if fraction >= 1:
            return 0.0
        if self._first is None or fraction < self._first[1]:  # the search has begun another part
            self._first = seconds, fraction
        grown = fraction - self._first[1]
        return (seconds - self._first[0]) * (1 - fraction) / grown if grown > 0 else None


class ProgressMonitor:
    """Reports the progress of a search, to a function and to the logger `dlx`.

    Calls the function every 0.1 seconds and at the end, and logs when the search begins and ends.
    `what` describes the search in log messages.
    """

    interval: float
    """Seconds that an engine may search before the next report."""

    def __init__(
        self, progress: Callable[[SearchProgress], object] | None, shares: TreeShares, what: str
    ) -> None:
        self.interval = inf if progress is None else REPORT_INTERVAL
        self._progress = progress
        self._shares = shares
        self._what = what
        self._time_left = TimeLeft()
        self._ending = EndLogger()
        self._next = 0.0
        self._ended = False

    def begin(self, engine: Engine) -> None:
        """Logs the beginning. An engine with workers reports by itself, without stopping."""
        log.debug("%s: begins", self._what)
        if self._progress is None:
            return
        before: float | None = 0.0
        if isinstance(engine, ManagedEngine):
            engine.on_tick, self.interval = self.check, inf
            if engine.journaled:
                before = self._fraction(engine)
        self._time_left.seconds_left(engine.stats.seconds, before)

    def check(self, engine: Engine) -> None:
        """Reports the progress, if the last report is long enough ago."""
        self._ended = False
        if self._progress is None:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + min(self.interval, REPORT_INTERVAL)
            self._report(engine, finished=engine.finished)

    def end(self, engine: Engine, stopped_by: str | None) -> None:
        """The final report of a search, stopped by a limit or exhausted."""
        if not self._ended:
            self.log_end(engine, stopped_by or "exhausted")
            if self._progress is not None:
                self._report(engine, finished=stopped_by is None)

    def log_end(self, engine: Engine, why: str) -> None:
        """Logs, once, that the search stops for now."""
        if not self._ended:
            self._ended = True
            nodes, _, found, _, seconds, *_ = engine.stats
            said = (self._what, why, nodes, found, seconds)
            self._ending.log(why, seconds, "%s: %s; %d nodes, %d solutions, %.3g seconds", *said)

    def _report(self, engine: Engine, *, finished: bool) -> None:
        assert self._progress is not None
        nodes, _, solutions, _, seconds, *_ = engine.stats
        fraction = 1.0 if finished else self._fraction(engine)
        left = self._time_left.seconds_left(seconds, fraction)
        self._progress(SearchProgress(nodes, solutions, seconds, fraction, left))

    def _fraction(self, engine: Engine) -> float | None:
        parts = parts_left(engine)
        if parts is None:
            return None
        try:
            return self._shares.done(parts)
        except ValueError:  # a damaged journal, which the search itself reports
            return None


MIN_SHARE: Final = 1e-7  # smaller shares are not resolved further
MAX_CACHED: Final = 10_000  # nodes whose children are cached


class TreeShares:
    """The shares of parts of a search in a whole: in all of the search, or in a larger part.

    An engine visits each node above the parts, except where the share is tiny: O(depth) nodes for
    each part. The children found there are cached. The engine is opened at the first call. Not
    thread-safe.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
    >>> shares = TreeShares(problem._prepare(None).problem, [])
    >>> search = problem.solutions()
    >>> shares.done(search.parts_left()), next(search), shares.done(search.parts_left())
    (0.0, (0, 1), 0.25)
    """

    def __init__(
        self, problem: KernelProblem, given: Sequence[int], whole: Part | None = None
    ) -> None:
        """`given` are indices of options; the parts must be those of a search with them."""
        self._problem = problem
        self._given = list(given)
        self._engine: TreeEngine | None = None
        self._children: dict[tuple[Decision, ...], list[int]] = {}
        self._whole = Part() if whole is None else whole
        self._root: int | None = None  # the depth of the lowest node above all of the whole
        self._size = 1.0  # the share of the whole in that node

    def of(self, part: Part) -> float:
        """The share of a part in the whole, of which it must be a part.

        Raises ValueError for a part that does not exist in the search tree.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> kernel_problem = problem._prepare(None).problem
        >>> rest = Part(((0, 0), (1, 1)), 0)
        >>> TreeShares(kernel_problem, []).of(rest)
        0.75
        >>> within = TreeShares(kernel_problem, [], rest)
        >>> [within.of(part) for part in (rest, Part(((0, 0), (1, 1)), 1), Part(((0, 0),), 0))]
        [1.0, 0.3333333333333333, 0.6666666666666666]
        """
        if part == self._whole:
            return 1.0
        if self._root is None:
            self._root = self._find_root()
            self._size = self._below(self._whole, self._root)
        return self._below(part, self._root) / self._size if self._size else 0.0

    def done(self, left: Iterable[Part]) -> float:
        """The fraction of the whole that is done, if these parts are left, from 0 to 1."""
        return min(1.0, max(0.0, 1.0 - sum(map(self.of, left))))

    def _find_root(self) -> int:
        """The depth of the lowest node that has all of the whole below it.

        Shares are relative to that node, because shares in the whole tree of a part deep in it are
        too small for a float.
        """
        path, floor = self._whole
        while len(path) > floor + 1 and not self._after(path, floor)[0]:
            floor += 1
        return floor

    def _below(self, part: Part, root: int) -> float:
        """The share of a part in the node that its path leads to at the depth `root`."""
        path, floor = part
        share, left = 1.0, 0.0
        for depth in range(root, len(path)):
            after, options = self._after(path, depth)
            if not options:
                return left
            share /= options
            if depth >= floor:
                left += share * after
            if share < MIN_SHARE:
                break
        return share if part.is_subtree else left

    def _after(self, path: tuple[Decision, ...], depth: int) -> tuple[int, int]:
        """How many options of an item on the path follow the chosen one, and how many it has."""
        item, option = path[depth]
        options = self._options_at(path[:depth], item)
        tried = 0 if option == NONE_YET else options.index(option) + 1
        return len(options) - tried, len(options)

    def _options_at(self, path: tuple[Decision, ...], item: int) -> list[int]:
        """The options of an item at the end of a path, in order."""
        key = (*path, (item, NONE_YET))
        options = self._children.get(key)
        if options is None:
            engine, self._engine = self._engine, None  # an error makes the engine unusable
            if engine is None:
                engine = self._open()
            engine.restart(key, len(path))
            options = engine.untried()
            self._engine = engine
            if len(self._children) >= MAX_CACHED:
                self._children.clear()
            self._children[key] = options
        return options

    def _open(self) -> TreeEngine:
        from dlx.core.kernel import COMPILED
        from dlx.core.kernel import Search as KernelSearch

        if not COMPILED:
            from dlx.engines.python.search import PythonEngine
            from dlx.links.build import matrix_of

            return PythonEngine(matrix_of(self._problem), self._given, None, "mrv")
        return KernelSearch(self._problem, self._given, None, "links", "mrv")
