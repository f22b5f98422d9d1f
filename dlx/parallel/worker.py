"""Work on one part of a search, wherever it is done: in a thread here or in a process far away."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from dlx.core.kernel import Pack
from dlx.core.part import Part
from dlx.engines.protocols import TreeEngine
from dlx.parallel.results import WorkBudget, WorkResult, subtract_stats

__all__ = ["Open", "PartWorker"]

STEP: Final = 0.005  # seconds between looks at whether to come back


Open = Callable[[Part], TreeEngine]
"""Starts an engine on a part."""


def never(have: int) -> bool:
    """Never come back before the budget is used up."""
    return False


class PartWorker:
    """Does slices of parts, one after another, with an engine that it keeps.

    What is left of the part it worked on last it goes on with at no cost.
    """

    def __init__(self, open_engine: Open) -> None:
        self._open = open_engine
        self._engine: TreeEngine | None = None
        self.standing: Part | None = None
        """What the engine has left to do."""

    def run(
        self, part: Part, budget: WorkBudget, come_back: Callable[[int], bool] = never
    ) -> WorkResult:
        """Works on a part until the budget is used up, or `come_back`, called with the number of
        solutions so far every few milliseconds, says so.

        At least something is done, whatever the budget.
        """
        engine = self._at(part)
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
        if pack is not None:  # there may be more, found beyond the nodes
            engine.draw_packed(0, 0.0, pack)
            found = len(pack)
        position = engine.position()
        left = () if position is None else (Part(tuple(position[0]), position[1]),)
        self._engine, self.standing = engine, left[0] if left else None
        return WorkResult(found, pack, subtract_stats(engine.stats, before), left)

    def _at(self, part: Part) -> TreeEngine:
        """The engine, standing at the beginning of a part. It is forgotten, lest it break."""
        engine, standing = self._engine, self.standing
        self._engine = self.standing = None
        if engine is None:
            return self._open(part)
        if standing != part:
            engine.restart(part.path, part.floor)
        return engine
