"""Work on one part of a search at a time: the same in a thread here and in a remote process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from dlx.core.budget import Budget
from dlx.core.kernel import Pack
from dlx.core.part import Part, parts_at
from dlx.engines.protocols import TreeEngine
from dlx.parallel.results import TaskLimits, WorkResult

__all__ = ["Open", "PartWorker"]

STEP: Final = 0.005  # seconds between two calls of `come_back`


Open = Callable[[Part], TreeEngine]
"""Starts an engine on a part."""


def never(found: int) -> bool:
    """Never come back before a limit is reached."""
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
        self, part: Part, limits: TaskLimits, come_back: Callable[[int], bool] = never
    ) -> WorkResult:
        """Works on a part until a limit is reached or `come_back` returns True.

        `come_back` is called every few milliseconds, with the number of solutions found so far.
        At least something is done, whatever the limits.
        """
        engine = self._engine_at(part)
        before = engine.stats
        until = time.monotonic() + limits.seconds
        nodes = before.nodes + limits.nodes
        pack = Pack() if limits.keep else None
        found, step = 0, STEP
        while not engine.finished and found < limits.solutions:
            budget = Budget.of(limits.solutions - found, step, nodes)
            if pack is None:
                found += engine.skip(budget)
            else:
                engine.run(budget, pack)
                found = len(pack)
            step = min(STEP, until - time.monotonic())
            if step <= 0 or come_back(found) or engine.stats.nodes >= nodes:
                break
        if pack is not None:  # an engine may have found more beyond the last node
            engine.take_waiting(pack)
            found = len(pack)
        left = parts_at(engine.position())
        self._engine, self.remaining = engine, left[0] if left else None
        return WorkResult(found, pack, engine.stats.since(before), left)

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
