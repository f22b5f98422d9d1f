"""Work on one part of a search, wherever it is done: in a thread here or in a process far away."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from dlx.kernel import Pack
from dlx.parallel.part import Part
from dlx.parallel.slice import Budget, Slice, subtract_stats

if TYPE_CHECKING:
    from dlx.engines import RawStats
    from dlx.parallel.part import Decision

__all__ = ["Open", "PartEngine", "Runner"]

STEP: Final = 0.005  # seconds between looks at whether to come back


class PartEngine(Protocol):
    """An engine that can search a part: each one of those in `dlx.engines.IN_ORDER`."""

    @property
    def finished(self) -> bool:
        """Has all of the part been searched?"""

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth and seconds, of this part."""

    def draw_packed(self, count: int, seconds: float, into: Pack) -> None:
        """Adds up to `count` further solutions to a pack; returns soon if it has any."""

    def skip(self, count: int, seconds: float) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""

    def position(self) -> tuple[list[Decision], int] | None:
        """What is left, as path and floor; None if nothing is."""

    def restart(self, path: list[Decision], floor: int) -> None:
        """Begins with another part."""


Open = Callable[[Part], PartEngine]
"""Starts an engine on a part."""


def never(have: int) -> bool:
    """Never come back before the budget is used up."""
    return False


class Runner:
    """Does slices of parts, one after another, with an engine that it keeps.

    What is left of the part it worked on last it goes on with at no cost.
    """

    def __init__(self, open_engine: Open) -> None:
        self._open = open_engine
        self._engine: PartEngine | None = None
        self.standing: Part | None = None
        """What the engine has left to do."""

    def run(self, part: Part, budget: Budget, come_back: Callable[[int], bool] = never) -> Slice:
        """Works on a part until the budget is used up, or `come_back`, called with the number of
        solutions so far every few milliseconds, says so.

        At least something is done, whatever the budget.
        """
        engine = self._at(part)
        before = engine.stats
        until = time.monotonic() + budget.seconds
        pack, count = (Pack(), 0) if budget.keep else (None, 0)
        step = STEP
        while not engine.finished and count < budget.solutions:
            wanted = budget.solutions - count
            if pack is None:
                count += engine.skip(wanted, step)
            else:
                engine.draw_packed(wanted, step, pack)
                count = len(pack)
            step = min(STEP, until - time.monotonic())
            if step <= 0 or come_back(count):
                break
        position = engine.position()
        left = () if position is None else (Part(tuple(position[0]), position[1]),)
        self._engine, self.standing = engine, left[0] if left else None
        return Slice(count, pack, subtract_stats(engine.stats, before), left)

    def _at(self, part: Part) -> PartEngine:
        """The engine, standing at the beginning of a part. It is forgotten, lest it break."""
        engine, standing = self._engine, self.standing
        self._engine = self.standing = None
        if engine is None:
            return self._open(part)
        if standing != part:
            engine.restart(list(part.path), part.floor)
        return engine
