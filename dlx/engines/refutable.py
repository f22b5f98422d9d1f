"""Certificates for the searches of "auto" by workers or with a journal, as the portfolio has them.

Where one or two solutions are enough, such a search stops after the nodes that a certificate costs
(`dlx.engines.certificates`), and goes on if there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.engines.protocols import LearningEngine, ManagedEngine

if TYPE_CHECKING:
    from dlx.core.part import Part
    from dlx.engines.certificates import Certificates
    from dlx.engines.protocols import Engine, RawStats, Start

__all__ = ["RefutableSearch"]


class RefutableSearch(LearningEngine, ManagedEngine):
    """A search by workers or with a journal that also looks for certificates."""

    conflicts = None
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
    def helpers(self) -> tuple[str, ...]:
        """The name of the certificate that was found, if any."""
        return () if self._name is None else (self._name,)

    @property
    def stats(self) -> RawStats:
        """The work of the search."""
        return self._search.stats

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = UNLIMITED
    ) -> None:
        """Appends up to `count` further solutions to a list."""

        def draw(seconds: float, nodes: int) -> int:
            before = len(into)
            self._search.draw(count, seconds, into, nodes)
            return len(into) - before

        self._go_on(draw, seconds, nodes)

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Skips up to `count` further solutions and returns how many it has skipped."""
        return self._go_on(lambda *limits: self._search.skip(count, *limits), seconds, nodes)

    def rewind(self) -> None:
        """Gives the search up."""
        self._search.rewind()

    def pause(self) -> None:
        """Lets the workers stop; the next `draw` or `skip` wakes them."""
        self._search.pause()

    def parts_left(self) -> list[Part] | None:
        """The parts not searched yet; None while solutions wait to be drawn."""
        return [] if self._name is not None else self._search.parts_left()

    def resume_point(self) -> Start | None:
        """The state from which another engine can continue; None if only the journal has it."""
        return self._search.resume_point()

    def _go_on(self, work: Callable[[float, int], int], seconds: float, nodes: int) -> int:
        """Works up to the limits, and looks for the certificates that become due meanwhile.

        `work` searches for some seconds and up to a number of nodes; it returns how many solutions
        it has found. So does this method.
        """
        certificates = self._certificates
        until = inf if seconds < 0 else time.monotonic() + seconds
        while self._name is None:
            looks = certificates.pending and self.stats[2] == 0
            due = certificates.due if looks else UNLIMITED
            found = work(seconds, min(nodes, due))
            if found or self._search.finished or self.stats[0] < due:
                return found
            seconds = -1.0 if until == inf else max(0.0, until - time.monotonic())
            self._name = certificates.find(seconds)
            if self._name is not None:
                self._search.end_refuted()
            elif seconds >= 0:
                seconds = max(0.0, until - time.monotonic())
                if seconds == 0:
                    break
        return 0
