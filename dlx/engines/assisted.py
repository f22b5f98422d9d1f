"""Searches by workers or with a journal, and what assists them where "auto" may do more.

Several workers that search in order are no help if another method is the right one. Where any
solution will do, the calling thread, which would only wait for them, runs after some nodes the
portfolio that answers without workers (`dlx.engines.portfolio`): `AssistedSearch`. A journal keeps
what a search in order has done and a count may need all solutions, so these look for certificates
only (`dlx.engines.certificates`): `RefutableSearch`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.engines.protocols import (
    LearningEngine,
    ManagedEngine,
    hand_over_new,
    skip_by_running,
    why_stopped,
)

if TYPE_CHECKING:
    from dlx.core.budget import Budget, Reason
    from dlx.core.part import Part
    from dlx.core.stats import Stats
    from dlx.engines.certificates import Certificates
    from dlx.engines.portfolio import Portfolio
    from dlx.engines.protocols import Engine, Start

__all__ = ["AssistedSearch", "RefutableSearch"]

TURN = 0.02  # seconds of the portfolio between two looks at the workers' results
LOOK = 0.001  # seconds of a look, in which workers that have stopped are woken


class _Assisted(LearningEngine, ManagedEngine):
    """What both have of the search that they assist."""

    def __init__(self, search: ManagedEngine) -> None:
        self._search = search
        self.journaled = search.journaled

    @property
    def on_tick(self) -> Callable[[Engine], object] | None:
        """That of the search."""
        return self._search.on_tick

    @on_tick.setter
    def on_tick(self, called: Callable[[Engine], object] | None) -> None:
        self._search.on_tick = called

    def close(self) -> None:
        """Gives the search up."""
        self._search.close()

    def pause(self) -> None:
        """Lets the workers stop; the next `run` or `skip` wakes them."""
        self._search.pause()

    def parts_left(self) -> list[Part] | None:
        """The parts not searched yet; None while solutions wait."""
        return [] if self._decided else self._search.parts_left()

    @property
    @abstractmethod
    def _decided(self) -> bool:
        """Whether what assists the search has the answer."""

    def resume_point(self) -> Start | None:
        """The state from which another engine can continue; None if only the journal has it."""
        return self._search.resume_point()


class RefutableSearch(_Assisted):
    """A search by workers or with a journal that also looks for certificates."""

    out_of_order = False

    def __init__(self, search: ManagedEngine, certificates: Certificates) -> None:
        super().__init__(search)
        self._certificates = certificates
        self._name: str | None = None  # of the certificate that was found

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed, or a certificate was found."""
        return self._decided or self._search.finished

    @property
    def _decided(self) -> bool:
        return self._name is not None

    @property
    def stats(self) -> Stats:
        """The work of the search; a certificate that was found is among the helpers."""
        stats = self._search.stats
        return stats if self._name is None else stats._replace(helpers=(self._name,))

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list."""
        while self._name is None:
            due = self._due()
            reason = self._search.run(budget.for_nodes(due), into)
            if reason != "nodes" or self._search.stats.nodes < due:
                return reason
            self._look_for_certificate(budget)
            if budget.expired:
                return "deadline"
        return "finished"

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends the solutions that were found and not returned."""
        self._search.take_waiting(into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        while self._name is None:
            due = self._due()
            found = self._search.skip(budget.for_nodes(due))
            if found or self._search.finished or self._search.stats.nodes < due:
                return found
            self._look_for_certificate(budget)
            if budget.expired:
                break
        return 0

    def _due(self) -> int:
        """The number of nodes after which a certificate is looked for."""
        looks = self._certificates.pending and self._search.stats.solutions == 0
        return self._certificates.due if looks else UNLIMITED

    def _look_for_certificate(self, budget: Budget) -> None:
        self._name = self._certificates.find(budget.seconds_left())
        if self._name is not None:
            self._search.end_refuted()


class AssistedSearch(_Assisted):
    """A search by workers that a portfolio in the calling thread assists.

    Solutions come in no particular order, each once.
    """

    def __init__(
        self, search: ManagedEngine, open_portfolio: Callable[[], Portfolio], alone: int
    ) -> None:
        """The workers search the first `alone` nodes alone."""
        super().__init__(search)
        self._open_portfolio = open_portfolio
        self._portfolio: Portfolio | None = None
        self._alone = alone
        self._found: list[tuple[Any, ...]] = []  # by one of the two, not handed over yet
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}

    @property
    def finished(self) -> bool:
        """Whether one of the two is exhausted, or the search is closed."""
        return not self._found and (self._decided or self._search.finished)

    @property
    def _decided(self) -> bool:
        return self._portfolio is not None and self._portfolio.finished

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

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds that passed for the workers, and of work of each method beside them."""
        methods = {} if self._portfolio is None else self._portfolio.seconds_by_method()
        return {"workers": self._search.stats.seconds + sum(methods.values()), **methods}

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
            hand_over_new(self._found, self._known, into, budget.solutions)
            found = len(into) - before
            if found or self.finished or budget.expired or self.stats.nodes >= budget.nodes:
                return why_stopped(self, budget, found)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends the solutions that were found and not returned."""
        self._search.take_waiting(self._found)
        hand_over_new(self._found, self._known, into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        return skip_by_running(self, budget)

    def close(self) -> None:
        """Gives the search up."""
        super().close()
        if self._portfolio is not None:
            self._portfolio.close()
        self._found.clear()

    def _run_both(self, portfolio: Portfolio, budget: Budget) -> None:
        """A look at the workers' results, then a turn of the portfolio."""
        of_portfolio, of_workers = portfolio.stats.nodes, self._search.stats.nodes
        turn = budget.within(TURN).with_solutions(1)
        self._search.run(turn.within(LOOK).for_nodes(budget.nodes - of_portfolio), self._found)
        if not self._found and not self._search.finished:
            portfolio.run(turn.for_nodes(budget.nodes - of_workers), self._found)
