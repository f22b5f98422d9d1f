"""Counting by several workers, where there is no better way than to enumerate."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dlx.kernel import listing_of
from dlx.parallel.opening import open_driver
from dlx.parallel.part import Part
from dlx.parallel.question import CompiledQuestion
from dlx.parallel.recorder import Start

if TYPE_CHECKING:
    from dlx.crews import CrewWanted
    from dlx.kernel import Count
    from dlx.parallel.driver import Driver

__all__ = ["count_together"]

TICK: Final = 0.1  # seconds between two calls of `tick`
BOUT: Final = 1.0  # seconds that the caller's thread remembers before it looks at the workers


def count_together(
    counting: Count,
    limit: int,
    seconds: float,
    heuristic: str,
    crew: CrewWanted,
    tick: Callable[[Driver | None], None] | None = None,
) -> None:
    """Goes on with a shared count to its end, a limit, or until so many seconds have passed.

    The calling thread decides, as a count by one worker does, and remembers where that seems to be
    worth while (see `dlx/_kernel/counting.hpp`). It leaves enumerating to the crew, which goes on
    while it remembers: whoever is done first ends the count. `tick` is called now and then, with
    the crew's search if there is one.
    """
    until = time.monotonic() + seconds if seconds >= 0 else float("inf")
    driver: Driver | None = None
    part = 0
    longest = 1e9 if tick is None else TICK
    try:
        while not counting.finished and (left := until - time.monotonic()) > 0:
            theirs = counting.run(min(left, longest if driver is None else BOUT))
            if driver is not None and counting.part != part:
                driver.rewind()
                driver = None
            if theirs and driver is None:
                driver, part = _open(counting, heuristic, crew), counting.part
            if tick is not None:
                tick(driver)
            if driver is None:
                continue
            if theirs:
                left = until - time.monotonic()
                driver.tally(min(left, longest), counting.nodes_for_others, limit)
            nodes, updates, found, profile, _ = driver.stats
            counting.listed(nodes, updates, found, profile, driver.finished)
            driver.go_on()
    finally:
        if driver is not None:
            driver.rewind()


def _open(counting: Count, heuristic: str, crew: CrewWanted) -> Driver:
    """A driver for what is to be enumerated now."""
    left = listing_of(counting)
    assert left is not None  # a count that has nothing left to enumerate is finished
    problem, given, path, floor = left
    question = CompiledQuestion(problem, given, "auto", heuristic)
    start = Start((Part(tuple(path), floor),))
    return open_driver(question, crew._replace(ordered=False), names=None, start=start)
