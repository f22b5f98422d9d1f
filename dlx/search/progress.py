"""How far a search has come, for those who want to see: `progress=`.

How far a search has come: how much of its tree a part is, by the shares of its branches.

The whole is 1. Each node shares what it has evenly among its children; so a position says exactly
how much is done, if not how long it took. Knuth's programs tell their progress in this way::

              .-------- root --------.
            1/3     .--- 1/3 ---.   1/3         done: 1/3 + 1/9; of path (2, 1), floor 0, is left
                  1/9    1/9    1/9                   1/9 + 1/9 + 1/3

Source: D. E. Knuth, the program DLX1 that belongs to TAOCP 7.2.2.1 (`print_progress`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from dlx.core.logs import EndLogger, log
from dlx.core.part import NONE_YET, Part
from dlx.engines.protocols import LearningEngine, ManagedEngine, TreeEngine
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.kernel import Search as KernelSearch
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


EVERY: Final = 0.1  # seconds between two calls


class SearchProgress(NamedTuple):
    """How far a search has come.

    nodes, solutions, seconds
        As in `Stats`.
    fraction
        How much of the tree, or of the part of it that was asked for, lies behind, from 0 to 1: of
        the options of each item on the way those that were tried, each as if it were as large as
        the others. (Knuth's progress reports say the same, TAOCP 7.2.2.1.) None where that is not
        known: of a SAT solver, or of a count that is remembering. Of a count that falls into parts,
        or begins anew with fewer options (docs/counting.md), how much of what it is at.
    seconds_left
        By how the fraction has grown since the search was begun or gone on with, if it goes on as
        it has; None if nothing can be said.
    """

    nodes: int
    solutions: int
    seconds: float
    fraction: float | None
    seconds_left: float | None


def check_progress(progress: object) -> None:
    """Raises `InvalidArgument` for anything that cannot be called."""
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"progress is {quote(progress)}; it must be a function")


def parts_left(engine: Engine) -> list[Part] | None:
    """What an engine has not searched, as parts of the search in visiting order.

    None while that cannot be said: a SAT solver takes part, or solutions wait to be drawn.
    """
    from dlx.core.part import Part

    if isinstance(engine, ManagedEngine):
        return engine.parts_left()
    if isinstance(engine, LearningEngine) and engine.conflicts is not None:
        return None
    try:
        position = cast("TreeEngine", engine).position()
    except RuntimeError:
        return None
    return [] if position is None else [Part(tuple(position[0]), position[1])]


class TimeLeft:
    """How long a search will go on, by how far it has come since somebody first looked.

    What was done before, in another run say, took its time elsewhere.

    >>> outlook = TimeLeft()
    >>> [outlook.seconds_left(seconds, done) for seconds, done in [(1, 0.5), (2, 0.625), (3, 0.75)]]
    [None, 3.0, 2.0]
    """

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None

    def seconds_left(self, seconds: float, fraction: float | None) -> float | None:
        """By the seconds that the search has taken so far; None if nothing can be said."""
        if fraction is None:
            return None
        if fraction >= 1:
            return 0.0
        if self._first is None or fraction < self._first[1]:  # it has begun with something else
            self._first = seconds, fraction
        grown = fraction - self._first[1]
        return (seconds - self._first[0]) * (1 - fraction) / grown if grown > 0 else None


class ProgressMonitor:
    """Follows a search: tells a function every tenth of a second and at the end, and the logger
    `dlx` when it begins and ends.

    `what` says what it is, for the logger. Without a function nobody looks in between.
    """

    every: float
    """How long an engine may search before the next look; negative: as long as it likes."""

    def __init__(
        self, progress: Callable[[SearchProgress], object] | None, shares: TreeShares, what: str
    ) -> None:
        self.every = -1.0 if progress is None else EVERY
        self._progress = progress
        self._shares = shares
        self._what = what
        self._outlook = TimeLeft()
        self._ending = EndLogger()
        self._next = 0.0
        self._ended = False

    def begin(self, engine: Engine) -> None:
        """Looks at an engine for the first time. One with workers is asked not to stop for us."""
        log.debug("%s: begins", self._what)
        if self._progress is None:
            return
        before: float | None = 0.0
        if isinstance(engine, ManagedEngine):
            engine.on_tick, self.every = self.look, -1.0
            if engine.journaled:
                before = self._fraction(engine)
        self._outlook.seconds_left(engine.stats[4], before)

    def look(self, engine: Engine) -> None:
        """Tells how far it is, unless that was told a moment ago."""
        self._ended = False
        if self._progress is None:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (self.every if self.every >= 0 else EVERY)
            self._tell(engine, finished=engine.finished)

    def end(self, engine: Engine, stopped_by: str | None) -> None:
        """Tells it once more, when the search has stopped: by a limit, or because it is over."""
        if not self._ended:
            self.leave(engine, stopped_by or "exhausted")
            if self._progress is not None:
                self._tell(engine, finished=stopped_by is None)

    def leave(self, engine: Engine, why: str) -> None:
        """Nobody goes on with the search, for now: says so to the logger, once."""
        if not self._ended:
            self._ended = True
            nodes, _, found, _, seconds = engine.stats
            said = (self._what, why, nodes, found, seconds)
            self._ending.log(why, seconds, "%s: %s; %d nodes, %d solutions, %.3g seconds", *said)

    def _tell(self, engine: Engine, *, finished: bool) -> None:
        assert self._progress is not None
        nodes, _, solutions, _, seconds = engine.stats
        fraction = 1.0 if finished else self._fraction(engine)
        left = self._outlook.seconds_left(seconds, fraction)
        self._progress(SearchProgress(nodes, solutions, seconds, fraction, left))

    def _fraction(self, engine: Engine) -> float | None:
        parts = parts_left(engine)
        if parts is None:
            return None
        try:
            return self._shares.done(parts)
        except ValueError:  # of a damaged journal: the search itself says so
            return None


FINEST: Final = 1e-7  # shares below this are not looked at any closer
MOST_KNOWN: Final = 10_000  # nodes, of which the children are remembered


class TreeShares:
    """Says of parts how much they are of a whole: of all of a search, or of a part of it.

    Nothing is made before it is needed. Then an engine goes once to each node above the parts whose
    share is worth it, O(depth) of them for each part; what it sees there is remembered. For one
    thread at a time.

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
        self._engine: KernelSearch | None = None
        self._children: dict[tuple[Decision, ...], list[int]] = {}
        self._whole = Part() if whole is None else whole
        self._root: int | None = None  # the depth below which all of the whole is
        self._size = 1.0  # of the whole, where that node is 1

    def of(self, part: Part) -> float:
        """The share of a part in the whole; it must be in it.

        Raises ValueError for one that no search comes along.

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
        """How much of the whole is done if these parts of it are left, from 0 to 1."""
        return min(1.0, max(0.0, 1.0 - sum(map(self.of, left))))

    def _find_root(self) -> int:
        """The depth of the lowest node that has all of the whole below it.

        TreeShares are counted from there: those of a part deep in the tree are too small for that.
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
            if share < FINEST:
                break
        return share if part.is_subtree else left

    def _after(self, path: tuple[Decision, ...], depth: int) -> tuple[int, int]:
        """How many options of an item on the path come after that taken, and how many there are."""
        item, option = path[depth]
        options = self._options_at(path[:depth], item)
        tried = 0 if option == NONE_YET else options.index(option) + 1
        return len(options) - tried, len(options)

    def _options_at(self, path: tuple[Decision, ...], item: int) -> list[int]:
        """The options of an item at the end of a path, in order."""
        key = (*path, (item, NONE_YET))
        options = self._children.get(key)
        if options is None:
            engine, self._engine = self._engine, None  # it may break
            if engine is None:
                engine = self._open()
            engine.restart(key, len(path))
            options = engine.untried()
            self._engine = engine
            if len(self._children) >= MOST_KNOWN:
                self._children.clear()
            self._children[key] = options
        return options

    def _open(self) -> KernelSearch:
        from dlx.core.kernel import Search as KernelSearch

        return KernelSearch(self._problem, self._given, None, "links", "mrv")
