"""Certificates for the searches of "auto" by workers or with a journal, as the portfolio has them.

Where one or two solutions are enough, such a search stops after the nodes that a certificate costs
(`dlx.engines.certificates`), and continues if there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.engines.protocols import LearningEngine, ManagedEngine

if TYPE_CHECKING:
    from dlx.core.budget import Budget, Reason
    from dlx.core.part import Part
    from dlx.core.stats import Stats
    from dlx.engines.certificates import Certificates
    from dlx.engines.protocols import Engine, Start

__all__ = ["RefutableSearch"]


class RefutableSearch(LearningEngine, ManagedEngine):
    """A search by workers or with a journal that also looks for certificates."""

    out_of_order = False

    def __init__(self, search: ManagedEngine, certificates: Certificates) -> None:
        self._search = search
        self._certificates = certificates
        self._name: str | None = None  # of the certificate that was found
        self.journaled = search.journaled

    @property
    def on_tick(self) -> Callable[[Engine], object] | None:
        """That of the search."""
        return self._search.on_tick

    @on_tick.setter
    def on_tick(self, called: Callable[[Engine], object] | None) -> None:
        self._search.on_tick = called

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed, or a certificate was found."""
        return self._name is not None or self._search.finished

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

    def close(self) -> None:
        """Gives the search up."""
        self._search.close()

    def pause(self) -> None:
        """Lets the workers stop; the next `run` or `skip` wakes them."""
        self._search.pause()

    def parts_left(self) -> list[Part] | None:
        """The parts not searched yet; None while solutions wait."""
        return [] if self._name is not None else self._search.parts_left()

    def resume_point(self) -> Start | None:
        """The state from which another engine can continue; None if only the journal has it."""
        return self._search.resume_point()

    def _due(self) -> int:
        """The number of nodes after which a certificate is looked for."""
        looks = self._certificates.pending and self._search.stats.solutions == 0
        return self._certificates.due if looks else UNLIMITED

    def _look_for_certificate(self, budget: Budget) -> None:
        self._name = self._certificates.find(budget.seconds_left())
        if self._name is not None:
            self._search.end_refuted()
