"""The cheapest solutions by branch and bound and, alternating, over the linear relaxation.

Branch and bound with prices that are only adjusted in its tree visits millions of nodes, each in
less than a microsecond. Over the linear relaxation a node takes some milliseconds, but its bound is
the best that prices can give, and cuts raise it further: so that is the better method where many
options overlap (airline crews). Both find the same solutions. They alternate, tell each other
what they find, and the first to finish has the answer. Once both have worked for a while, the one
with the higher bound gets most of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING

from dlx.core import kernel

if TYPE_CHECKING:
    from dlx.core.stats import Stats

__all__ = ["MinimumWithRelaxation"]

SLICE = 0.02  # seconds of a turn
EQUAL = 0.04  # seconds of each, before the better bound gets more;
FIRST = 2.0  # but as many for the first bound of the relaxation
MORE = 6  # times the time of the other

Found = list[tuple[int, list[int]]]


class MinimumWithRelaxation:
    """A kernel search for the cheapest solutions, alternating with one over the relaxation."""

    def __init__(
        self, search: kernel.Minimum, open_relaxation: Callable[[], kernel.Minimum], after: float
    ) -> None:
        """The search over the relaxation is opened after this number of seconds of the other."""
        self._search = search
        self._open_relaxation = open_relaxation
        self._after = after
        self._relaxation: kernel.Minimum | None = None
        self._told = inf  # the least cost that one has told the other
        self._opening = 0.0  # seconds
        self._finished: kernel.Minimum | None = None

    def run(self, seconds: float = inf) -> bool:
        """Searches for `seconds`. True when it has finished."""
        until = self._spent() + seconds
        while self._finished is None and (left := until - self._spent()) > 0:
            alone = self._after - self._search.stats.seconds
            if self._relaxation is None and alone > 0:
                member, turn = self._search, alone
            elif self._relaxation is None:
                began = time.monotonic()
                self._relaxation = self._open_relaxation()
                self._opening = time.monotonic() - began
                continue
            elif self._relaxation.given_up:
                member, turn = self._search, left
            else:
                member, turn = self._next(self._relaxation), SLICE
            if member.run(min(left, turn)):
                self._finished = member
            elif self._relaxation is not None:
                self._tell(member)
        return self._finished is not None

    def _next(self, relaxation: kernel.Minimum) -> kernel.Minimum:
        """The one whose turn it is."""
        own, other = self._search.stats.seconds, relaxation.stats.seconds + self._opening
        bound, other_bound = self._search.bounds[1], relaxation.bounds[1]
        if min(own, other) > (FIRST if other_bound is None else EQUAL):
            if other_bound is not None and (bound is None or bound < other_bound):
                other /= MORE
            elif bound is not None and (other_bound is None or other_bound < bound):
                own /= MORE
        return self._search if own < other else relaxation

    def _tell(self, member: kernel.Minimum) -> None:
        """Tells the other search of a solution that is cheaper than those it knows."""
        assert self._relaxation is not None
        other = self._relaxation if member is self._search else self._search
        least = member.bounds[0]
        if least is not None and least < self._told:
            self._told = least
            for cost, options in member.best():
                other.offer(cost, options)

    def offer(self, cost: int, options: Sequence[int]) -> None:
        """Tells both of a solution that was found elsewhere."""
        for member in (self._search, self._relaxation):
            if member is not None:
                member.offer(cost, options)

    def best(self) -> Found:
        """Costs and options of the cheapest solutions so far, in order."""
        if self._finished is not None:
            return self._finished.best()
        least, relaxation = self._search.bounds[0], self._relaxation
        others = None if relaxation is None else relaxation.bounds[0]
        if relaxation is None or others is None or (least is not None and least <= others):
            return self._search.best()
        return relaxation.best()

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least cost so far, and the bound of all solutions not yet found."""
        if self._finished is not None:
            return self._finished.bounds
        both = [one.bounds for one in (self._search, self._relaxation) if one is not None]
        costs = [least for least, _ in both if least is not None]
        bounds = [bound for _, bound in both if bound is not None]
        return min(costs, default=None), max(bounds, default=None)

    @property
    def stats(self) -> Stats:
        """The work of both."""
        stats = self._search.stats
        if self._relaxation is None:
            return stats
        both = stats.plus(self._relaxation.stats)
        return both._replace(seconds=both.seconds + self._opening)

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method, by its name in a plan."""
        seconds = {"branch and bound": self._search.stats.seconds}
        if self._relaxation is not None:
            seconds["relaxation"] = self._relaxation.stats.seconds + self._opening
        return seconds

    def save(self) -> bytes:
        """The state of the branch and bound; a resumed search begins the other one anew."""
        return self._search.save()

    def restore(self, state: bytes) -> None:
        """Goes on from what `save` returned; before the first `run`."""
        self._search.restore(state)

    def _spent(self) -> float:
        return sum(self.seconds_by_method().values())
