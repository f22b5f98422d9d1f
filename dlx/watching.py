"""How far a search has come, for those who want to see: `progress=`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dlx.errors import InvalidArgument, quote
from dlx.telling import Ending, log

if TYPE_CHECKING:
    from dlx.engines import Engine
    from dlx.parallel.part import Part
    from dlx.parallel.shares import Shares

__all__ = ["Outlook", "SearchProgress", "Watch", "check_progress", "parts_left"]

EVERY: Final = 0.1  # seconds between two calls


class SearchProgress(NamedTuple):
    """How far a search has come.

    nodes, solutions, seconds
        As in `Stats`.
    fraction
        How much of the tree, or of the part of it that was asked for, lies behind, from 0 to 1: of
        the options of each item on the way those that were tried, each as if it were as large as
        the others. (Knuth's progress reports say the same, TAOCP 7.2.2.1.) None where that is not
        known: of a SAT solver, or of a count that is remembering. Of a count that falls into parts,
        or begins anew with fewer options (docs/counting.md), how much of what it is at.
    seconds_left
        By how the fraction has grown since the search was begun or gone on with, if it goes on as
        it has; None if nothing can be said.
    """

    nodes: int
    solutions: int
    seconds: float
    fraction: float | None
    seconds_left: float | None


def check_progress(progress: object) -> None:
    """Raises `InvalidArgument` for anything that cannot be called."""
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"progress is {quote(progress)}; it must be a function")


def parts_left(engine: Engine) -> list[Part] | None:
    """What an engine has not searched, as parts of the search in visiting order.

    None while that cannot be said: a SAT solver takes part, or solutions wait to be drawn.
    """
    from dlx.parallel.part import Part

    asked: Any = engine
    if hasattr(asked, "parts_left"):  # those with workers, or a journal
        parts: list[Part] | None = asked.parts_left()
        return parts
    if getattr(asked, "conflicts", None) is not None or not hasattr(asked, "position"):
        return None
    try:
        position = asked.position()
    except RuntimeError:
        return None
    return [] if position is None else [Part(tuple(position[0]), position[1])]


class Outlook:
    """How long a search will go on, by how far it has come since somebody first looked.

    What was done before, in another run say, took its time elsewhere.

    >>> outlook = Outlook()
    >>> [outlook.seconds_left(seconds, done) for seconds, done in [(1, 0.5), (2, 0.625), (3, 0.75)]]
    [None, 3.0, 2.0]
    """

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None

    def seconds_left(self, seconds: float, fraction: float | None) -> float | None:
        """By the seconds that the search has taken so far; None if nothing can be said."""
        if fraction is None:
            return None
        if fraction >= 1:
            return 0.0
        if self._first is None or fraction < self._first[1]:  # it has begun with something else
            self._first = seconds, fraction
        grown = fraction - self._first[1]
        return (seconds - self._first[0]) * (1 - fraction) / grown if grown > 0 else None


class Watch:
    """Follows a search: tells a function every tenth of a second and at the end, and the logger
    `dlx` when it begins and ends.

    `what` says what it is, for the logger. Without a function nobody looks in between.
    """

    every: float
    """How long an engine may search before the next look; negative: as long as it likes."""

    def __init__(
        self, progress: Callable[[SearchProgress], object] | None, shares: Shares, what: str
    ) -> None:
        self.every = -1.0 if progress is None else EVERY
        self._progress = progress
        self._shares = shares
        self._what = what
        self._outlook = Outlook()
        self._ending = Ending()
        self._next = 0.0
        self._ended = False

    def begin(self, engine: Engine) -> None:
        """Looks at an engine for the first time. One with workers is asked not to stop for us."""
        log.debug("%s: begins", self._what)
        if self._progress is None:
            return
        ticking: Any = engine
        if hasattr(ticking, "tick"):
            ticking.tick, self.every = self.look, -1.0
        before = self._fraction(engine) if hasattr(engine, "journaled") else 0.0
        self._outlook.seconds_left(engine.stats[4], before)

    def look(self, engine: Engine) -> None:
        """Tells how far it is, unless that was told a moment ago."""
        self._ended = False
        if self._progress is None:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (self.every if self.every >= 0 else EVERY)
            self._tell(engine, finished=engine.finished)

    def end(self, engine: Engine, stopped_by: str | None) -> None:
        """Tells it once more, when the search has stopped: by a limit, or because it is over."""
        if not self._ended:
            self.leave(engine, stopped_by or "exhausted")
            if self._progress is not None:
                self._tell(engine, finished=stopped_by is None)

    def leave(self, engine: Engine, why: str) -> None:
        """Nobody goes on with the search, for now: says so to the logger, once."""
        if not self._ended:
            self._ended = True
            nodes, _, found, _, seconds = engine.stats
            said = (self._what, why, nodes, found, seconds)
            self._ending.say(why, seconds, "%s: %s; %d nodes, %d solutions, %.3g seconds", *said)

    def _tell(self, engine: Engine, *, finished: bool) -> None:
        assert self._progress is not None
        nodes, _, solutions, _, seconds = engine.stats
        fraction = 1.0 if finished else self._fraction(engine)
        left = self._outlook.seconds_left(seconds, fraction)
        self._progress(SearchProgress(nodes, solutions, seconds, fraction, left))

    def _fraction(self, engine: Engine) -> float | None:
        parts = parts_left(engine)
        if parts is None:
            return None
        try:
            return self._shares.done(parts)
        except ValueError:  # of a damaged journal: the search itself says so
            return None
