"""How far a search has come, for those who want to see: `progress=`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.errors import InvalidArgument, quote
from dlx.parallel.part import NONE_YET, Part

if TYPE_CHECKING:
    from dlx.kernel import Problem as KernelProblem
    from dlx.parallel.part import Decision
    from dlx.search import Search

__all__ = ["Meter", "SearchProgress", "Watch", "check_progress"]

EVERY: Final = 0.1  # seconds between two calls
FINEST: Final = 1e-7  # shares of the tree below this are not looked at


class SearchProgress(NamedTuple):
    """How far a search has come.

    nodes, solutions, seconds
        As in `Stats`.
    fraction
        How much of the tree lies behind, from 0 to 1: of the options of each item on the way those
        that were tried, each as if it were as large as the others. (Knuth's progress reports say
        the same, TAOCP 7.2.2.1.) None where that is not known: of a SAT solver, or before workers
        have told where they stand.
    seconds_left
        By that, if it goes on as it has; None if nothing can be said.
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


class Watch:
    """Calls a function with the progress of a search, every tenth of a second and at the end."""

    every = EVERY

    def __init__(self, progress: Callable[[SearchProgress], object], meter: Meter | None) -> None:
        self._progress = progress
        self._meter = meter
        self._next = 0.0
        self._ended = False

    def look(self, search: Search) -> None:
        """Tells how far it is, unless that was told a moment ago."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self.every
        self._ended = False
        self._tell(search)

    def end(self, search: Search) -> None:
        """Tells it once more, when it has stopped."""
        if not self._ended:
            self._ended = True
            self._tell(search)

    def _tell(self, search: Search) -> None:
        stats = search.stats
        fraction = 1.0 if search.exhausted else self._fraction(search)
        left = None
        if fraction is not None and fraction > 0:
            left = stats.seconds * (1 - fraction) / fraction
        self._progress(SearchProgress(stats.nodes, stats.solutions, stats.seconds, fraction, left))

    def _fraction(self, search: Search) -> float | None:
        if self._meter is None:
            return None
        parts = search.parts_left()
        if parts is None:
            return None
        return max(0.0, 1.0 - sum(map(self._meter.share, parts)))


class Meter:
    """Says how large parts of a search are, as shares of the whole tree.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
    >>> meter = Meter(problem._prepare(None).problem, [])
    >>> search = problem.solutions()
    >>> meter.share(dlx.Part()), next(search), [meter.share(part) for part in search.parts_left()]
    (1.0, (0, 1), [0.75])
    """

    def __init__(self, problem: KernelProblem, given: Sequence[int]) -> None:
        from dlx.kernel import Search as KernelSearch

        self._search = KernelSearch(problem, list(given), None, "links", "mrv")
        self._siblings: dict[tuple[tuple[Decision, ...], int], list[int]] = {}

    def share(self, part: Part) -> float:
        """How much of the tree it is. O(decisions), of which only the first ones are looked at."""
        path, floor = part
        weight, left = 1.0, 0.0
        for depth, (item, option) in enumerate(path):
            siblings = self._options(path[:depth], item)
            if not siblings:
                return 0.0
            weight /= len(siblings)
            place = -1 if option == NONE_YET else siblings.index(option)
            if depth >= floor:
                left += weight * (len(siblings) - place - 1)
            if weight < FINEST:
                break
        return weight if len(path) == floor else left

    def _options(self, above: tuple[Decision, ...], item: int) -> list[int]:
        """The options of an item where the path leads, in order."""
        known = self._siblings.get((above, item))
        if known is None:
            if len(self._siblings) > 1000:
                self._siblings.clear()
            self._search.restart([*above, (item, NONE_YET)], len(above))
            known = self._siblings[above, item] = list(self._search.untried())
        return known
