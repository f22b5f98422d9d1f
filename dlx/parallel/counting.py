"""Counting by several workers, where there is no better way than to enumerate."""

from __future__ import annotations

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

__all__ = ["Listers"]

BOUT: Final = 1.0  # seconds that the caller's thread remembers before it looks at the workers


class Listers:
    """A crew for what a shared count leaves to others to enumerate, part after part.

    The calling thread decides, as a count by one worker does, and remembers where that seems to be
    worth while (see `dlx/_kernel/counting.hpp`). It leaves enumerating to the crew, which goes on
    while it remembers: whoever is done first ends the count.
    """

    def __init__(self, counting: Count, limit: int, heuristic: str, crew: CrewWanted) -> None:
        self._counting = counting
        self._limit = limit
        self._heuristic = heuristic
        self._crew = crew
        self.driver: Driver | None = None
        """The crew's search, if there is one at this moment."""
        self._part = 0

    def bout(self, longest: float) -> float:
        """For how many seconds the calling thread may go on by itself, if no longer than that."""
        return longest if self.driver is None else min(longest, BOUT)

    def go_on(self, seconds: float, *, theirs: bool) -> None:
        """To be called after each bout: takes over what is left to the crew, and tells the count
        how far that has got. If it is `theirs` to go on, waits for them for so many seconds.
        """
        counting = self._counting
        if self.driver is not None and counting.part != self._part:
            self.rewind()
        if theirs and self.driver is None:
            self.driver, self._part = self._open(), counting.part
        driver = self.driver
        if driver is None:
            return
        if theirs:
            driver.tally(seconds, counting.nodes_for_others, self._limit)
        nodes, updates, found, profile, _ = driver.stats
        counting.listed(nodes, updates, found, profile, driver.finished)
        driver.go_on()

    def rewind(self) -> None:
        """Sends the crew home."""
        driver, self.driver = self.driver, None
        if driver is not None:
            driver.rewind()

    def _open(self) -> Driver:
        """A driver for what is to be enumerated now."""
        left = listing_of(self._counting)
        assert left is not None  # a count that has nothing left to enumerate is finished
        problem, given, path, floor = left
        question = CompiledQuestion(problem, given, "auto", self._heuristic)
        start = Start((Part(tuple(path), floor),))
        return open_driver(question, self._crew._replace(ordered=False), names=None, start=start)
