"""Work on one part of a search at a time: the same in a thread here and in a remote process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from dlx.core.kernel import Pack
from dlx.core.part import Part
from dlx.engines.protocols import TreeEngine
from dlx.parallel.results import WorkBudget, WorkResult, subtract_stats

__all__ = ["Open", "PartWorker"]

STEP: Final = 0.005  # seconds between two calls of `come_back`


Open = Callable[[Part], TreeEngine]
"""Starts an engine on a part."""


def never(found: int) -> bool:
    """Never come back before the budget is used up."""
    return False


class PartWorker:
    """Works on parts, one after another, with one engine.

    Going on with what is left of the last part costs nothing: the engine is still there.
    """

    def __init__(self, open_engine: Open) -> None:
        self._open = open_engine
        self._engine: TreeEngine | None = None
        self.remaining: Part | None = None
        """What the engine has left to do."""

    def run(
        self, part: Part, budget: WorkBudget, come_back: Callable[[int], bool] = never
    ) -> WorkResult:
        """Works on a part until the budget is used up or `come_back` returns True.

        `come_back` is called every few milliseconds, with the number of solutions found so far.
        At least something is done, whatever the budget.
        """
        engine = self._engine_at(part)
        before = engine.stats
        until = time.monotonic() + budget.seconds
        nodes = before[0] + budget.nodes
        pack = Pack() if budget.keep else None
        found, step = 0, STEP
        while not engine.finished and found < budget.solutions:
            wanted = budget.solutions - found
            if pack is None:
                found += engine.skip(wanted, step, nodes)
            else:
                engine.draw_packed(wanted, step, pack, nodes)
                found = len(pack)
            step = min(STEP, until - time.monotonic())
            if step <= 0 or come_back(found) or engine.stats[0] >= nodes:
                break
        if pack is not None:  # an engine may have found more beyond the last node
            engine.draw_packed(0, 0.0, pack)
            found = len(pack)
        position = engine.position()
        left = () if position is None else (Part(tuple(position[0]), position[1]),)
        self._engine, self.remaining = engine, left[0] if left else None
        return WorkResult(found, pack, subtract_stats(engine.stats, before), left)

    def _engine_at(self, part: Part) -> TreeEngine:
        """The engine at the beginning of a part.

        The worker forgets it until the work has succeeded: an engine that raised is not used again.
        """
        engine, remaining = self._engine, self.remaining
        self._engine = self.remaining = None
        if engine is None:
            return self._open(part)
        if remaining != part:
            engine.restart(part.path, part.floor)
        return engine
