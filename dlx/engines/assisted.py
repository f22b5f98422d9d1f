"""A search by workers, and beside it a portfolio in the calling thread.

Where any solution will do, several workers that search in order are no help if another method is
the right one. So after some nodes the calling thread, which would only wait for them, runs the
portfolio that answers without workers (`dlx.engines.portfolio`). The first with an answer ends the
search.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, starmap
from typing import TYPE_CHECKING, Any

from dlx.engines.protocols import LearningEngine, ManagedEngine, why_stopped

if TYPE_CHECKING:
    from dlx.core.budget import Budget, Reason
    from dlx.core.part import Part
    from dlx.core.stats import Stats
    from dlx.engines.portfolio import Portfolio
    from dlx.engines.protocols import Engine, Start

__all__ = ["AssistedSearch"]

TURN = 0.02  # seconds of the portfolio between two looks at the workers' results
LOOK = 0.001  # seconds of a look, in which workers that have stopped are woken


class AssistedSearch(LearningEngine, ManagedEngine):
    """A search by workers that a portfolio in the calling thread assists.

    Solutions come in no particular order, each once.
    """

    def __init__(
        self, search: ManagedEngine, open_portfolio: Callable[[], Portfolio], alone: int
    ) -> None:
        """The workers search the first `alone` nodes alone."""
        self._search = search
        self._open_portfolio = open_portfolio
        self._portfolio: Portfolio | None = None
        self._alone = alone
        self._found: list[tuple[Any, ...]] = []  # by one of the two, not handed over yet
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}

    @property
    def on_tick(self) -> Callable[[Engine], object] | None:
        """That of the search by workers."""
        return self._search.on_tick

    @on_tick.setter
    def on_tick(self, called: Callable[[Engine], object] | None) -> None:
        self._search.on_tick = called

    @property
    def finished(self) -> bool:
        """Whether one of the two is exhausted, or the search is closed."""
        if self._found:
            return False
        portfolio = self._portfolio
        return self._search.finished or (portfolio is not None and portfolio.finished)

    @property
    def out_of_order(self) -> bool:
        """Whether the portfolio has started."""
        return self._portfolio is not None

    @property
    def stats(self) -> Stats:
        """The work of both; each solution counts once."""
        stats = self._search.stats
        if self._portfolio is None:
            return stats
        assistant = self._portfolio.stats
        joined = stats.joined_by([assistant])
        return joined._replace(solutions=len(self._known), helpers=assistant.helpers)

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list."""
        before = len(into)
        while True:
            if self._portfolio is None:
                self._search.run(budget.for_nodes(self._alone), self._found)
                if self._search.stats.nodes >= self._alone and not self._search.finished:
                    self._portfolio = self._open_portfolio()
            else:
                self._run_both(self._portfolio, budget)
            self._hand_over(budget.solutions, into)
            found = len(into) - before
            if found or self.finished or budget.expired or self.stats.nodes >= budget.nodes:
                return why_stopped(self, budget, found)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends the solutions that were found and not returned."""
        self._search.take_waiting(self._found)
        self._hand_over(len(self._found), into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        found: list[tuple[Any, ...]] = []
        while len(found) < budget.solutions:
            if self.run(budget.with_solutions(budget.solutions - len(found)), found) != "solutions":
                break
        return len(found)

    def close(self) -> None:
        """Gives the search up."""
        self._search.close()
        if self._portfolio is not None:
            self._portfolio.close()
        self._found.clear()

    def pause(self) -> None:
        """Lets the workers stop; the next `run` or `skip` wakes them."""
        self._search.pause()

    def parts_left(self) -> list[Part] | None:
        """The parts that the workers have not searched yet; None while solutions wait."""
        return [] if self.finished else self._search.parts_left()

    def resume_point(self) -> Start | None:
        """The state from which another engine can continue."""
        return self._search.resume_point()

    def _run_both(self, portfolio: Portfolio, budget: Budget) -> None:
        """A look at the workers' results, then a turn of the portfolio."""
        of_portfolio, of_workers = portfolio.stats.nodes, self._search.stats.nodes
        turn = budget.within(TURN).with_solutions(1)
        self._search.run(turn.within(LOOK).for_nodes(budget.nodes - of_portfolio), self._found)
        if not self._found and not self._search.finished:
            portfolio.run(turn.for_nodes(budget.nodes - of_workers), self._found)

    def _hand_over(self, count: int, into: list[tuple[Any, ...]]) -> None:
        """Moves up to `count` solutions that are not known yet to the caller's list."""
        known = self._known
        new = {key: one for one in self._found if (key := frozenset(one)) not in known}
        taken = list(islice(new.items(), count))
        # A signal must not come between remembering a solution and appending it: one call of C.
        into.extend(starmap(known.setdefault, taken))
        self._found = [one for one in self._found if frozenset(one) not in known]
