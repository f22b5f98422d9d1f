"""What the generator aims at, a difficulty or a technique, and how it eases puzzles to that."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from dlx import InvalidArgument
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import NoPuzzle, listed, nearest, shown
from sudoku.generation.random import SeededRandom
from sudoku.hinting.geometry import check_supported
from sudoku.hinting.position import Position
from sudoku.hinting.rating import band_within, taken
from sudoku.hinting.registry import BANDS, RATING_TECHNIQUES, SMALL, Technique, band_index
from sudoku.solving.deadline import Deadline

__all__ = [
    "Goal",
    "check_goal",
    "check_offered",
    "check_reach",
    "ease_to",
    "fewest_givens",
    "offered",
    "reach",
]

Ease = TypeVar("Ease")

BEGINNERS = {"gentle": 38, "easy": 32}
"""The fewest givens of a generated puzzle of these bands, if it has 81 cells."""


NOT_OFFERED = {
    "2x2": "medium hard expert extreme",  # each of the 3568 puzzles is solved by hidden singles
    "2x3": "extreme",
    "3x2": "extreme",
    "gattai8": "hard expert extreme",
    "killer": "expert",
    "kropki": "hard",
    "sandwich": "hard expert extreme",
    "shogun": "medium hard expert extreme",
}
"""The difficulties that `generate` does not offer, by the name of a layout or kind: they do not
exist, or fewer than 95 of 100 searches for one take less than 5 seconds."""

MAX_LEFT_OUT = 10
"""Changes that make a puzzle too easy, after which it is given up."""


class Goal(NamedTuple):
    """What a generated puzzle is to be: of a band, or solved with a technique, or both."""

    band: int | None
    """The index in `BANDS`; None for any."""
    technique: Technique | None = None
    """A technique that its rating uses; without a band, before any harder one."""
    needed: bool = False
    """Whether the technique must be the hardest that it needs."""

    def judge(self, puzzle: Grid, deadline: Deadline) -> int:
        """Below 0 for a puzzle with one solution that is too easy, 0 for one that fits; else above.

        Techniques that are too hard are not tried: these are the slow ones. Raises
        `dlx.SearchInterrupted` at the deadline.
        """
        if self.technique is None or not (self.needed or self.band is None):
            assert self.band is not None
            found = band_within(puzzle, self.band, deadline)
            if found != self.band or self.technique is None:
                return 1 if found is None else found - self.band
        most = RATING_TECHNIQUES.index(self.technique)
        steps, solved = taken(Position.of(puzzle), RATING_TECHNIQUES[: most + 1], deadline)
        if steps[most]:
            return int(self.needed and not solved)
        return -1 if solved else 1

    def __str__(self) -> str:
        what = "puzzle" if self.band is None else f"{BANDS[self.band]} puzzle"
        if self.technique is not None:
            what += f" solved with {self.technique.name}{' at most' if self.needed else ''}"
        return what


def check_goal(band: object, technique: object, needed: bool, layout: Layout) -> Goal | None:
    """The goal of these arguments of `generate`; None if there is none.

    Raises `dlx.InvalidArgument`, with the nearest name, for an unknown band or technique and for a
    technique that the band excludes, and `LayoutError` for a layout whose puzzles cannot be rated.
    """
    if band is None and technique is None:
        if needed:
            raise InvalidArgument("need=True is for a technique; there is none")
        return None
    if band is not None and (not isinstance(band, str) or band not in BANDS):
        raise InvalidArgument(f"unknown difficulty {shown(band)}: {nearest(band, BANDS)}")
    check_supported(layout)
    index = None if band is None else BANDS.index(band)
    if technique is None:
        return Goal(index)
    known = {one.name: one for one in RATING_TECHNIQUES}
    names = {name.lower(): name for name in known}
    found = names.get(technique.lower()) if isinstance(technique, str) else None
    if found is None:
        hint = nearest(technique, names, 3)
        hint = hint if hint.startswith("did") else "`sudoku rate` prints names of techniques"
        raise InvalidArgument(f"unknown technique {shown(technique)} of ratings: {hint}")
    own = band_index(known[found], layout.side)
    if index is not None and (own > index or (needed and own < index)):
        must = f"a puzzle that {'needs' if needed else 'is solved with'} it is {BANDS[own]}"
        raise InvalidArgument(
            f"{found} and the difficulty {band} exclude each other: {must}"
            f"{'' if needed else ' or harder'}"
        )
    return Goal(index, known[found], needed)


def offered(name: str) -> tuple[str, ...]:
    """The difficulties that are offered for a layout or a kind with hints: see `bands_of`."""
    return tuple(band for band in BANDS if band not in NOT_OFFERED.get(name, ""))


def check_offered(goal: Goal, name: str) -> None:
    """Raises `NoPuzzle` for a difficulty that is not offered for the layout or kind."""
    if goal.band is not None and BANDS[goal.band] not in offered(name):
        raise NoPuzzle(
            f"no {BANDS[goal.band]} puzzles of {name} are generated: there are none, or a search "
            f"for one takes too long; offered are {listed(offered(name), 'and')}, and attempts=N "
            "tries N puzzles all the same"
        )


def check_reach(goal: Goal, layout: Layout) -> None:
    """Raises `NoPuzzle` for a technique that no puzzle of the layout needs."""
    if goal.technique is not None and goal.technique.rules and not layout.rules:
        raise NoPuzzle(
            f"{goal.technique.name} needs rules, such as those of a killer; {layout} has none"
        )


def fewest_givens(band: int | None, layout: Layout) -> int:
    """The fewest givens of a generated puzzle of a band; 0: as few as possible.

    Beginners need something to start from: on 9x9, where a minimal puzzle has about 24 givens, a
    gentle puzzle has at least 38 and an easy one at least 32, other sizes in proportion. Layouts
    with rules (cages, lines, marks) have none: their rules are something to start from. Grids with
    a side below 6 have none either: gentle there means that only full houses are needed, and easy
    takes as few givens as any puzzle.
    """
    if band is None or layout.side < SMALL or layout.rules:
        return 0
    of_81 = BEGINNERS.get(BANDS[band], 0)
    return -(-layout.size * of_81 // 81)


def ease_to(
    puzzle: Grid,
    full: Sequence[int],
    groups: Sequence[Sequence[int]],
    goal: Goal,
    rng: SeededRandom,
    deadline: Deadline,
) -> Grid | None:
    """The puzzle with enough additional givens to reach the goal; None if that fails.

    `full` is its solution. Whole `groups` of cells (orbits of a symmetry) are added in random
    order: for gentle and easy puzzles a few more than `fewest_givens`, and then until the puzzle is
    no longer too hard. Layouts with rules get no given that they do not need. Without `groups` the
    puzzle stays as it is. Raises `dlx.SearchInterrupted` at the deadline.
    """

    def filled(some: Sequence[Sequence[int]]) -> Grid:
        cells = list(puzzle.cells)
        for group in some:
            for cell in group:
                cells[cell] = full[cell]
        return Grid.from_cells(tuple(cells), puzzle.layout)

    least = fewest_givens(goal.band, puzzle.layout) if groups else 0
    if least:
        least += rng.below(1 + puzzle.layout.size // 20)
    judge = partial(goal.judge, deadline=deadline)
    return reach(filled, rng.shuffled(groups), judge, least, thin=bool(puzzle.layout.rules))


def reach(
    make: Callable[[Sequence[Ease]], Grid],
    eases: Sequence[Ease],
    judge: Callable[[Grid], int],
    least: int = 0,
    *,
    thin: bool = False,
) -> Grid | None:
    """A puzzle that fits, made with some of the changes that ease it; None if none is found.

    `make` returns the puzzle with some changes, `judge` whether it is too easy (below 0), fits (0)
    or is too hard (above 0). More changes seldom make a puzzle harder, so the number that is needed
    is found in O(log n) ratings. If the last of these makes the puzzle too easy, it is left out,
    and others are tried after the rest. A puzzle that fits gets as many changes as it takes to have
    `least` givens, or with `thin` loses those that it does not need.
    """
    order = list(eases)
    enough = bisect_left(range(len(order)), least, key=lambda some: make(order[:some]).filled)
    high, found = enough, judge(make(order[:enough]))
    if found < 0 < enough:  # fewer givens, and then those that do not make it too easy
        high, found = 0, judge(make([]))
    left_out = 0
    while found:
        if found < 0:
            if high == 0 or left_out == MAX_LEFT_OUT:
                return None
            high, left_out = high - 1, left_out + 1
            del order[high]
        boundary = _boundary(make, order, judge, high)
        if boundary is None:
            return None
        high, found = boundary
    kept = order[:high]
    for change in order[:high] if thin else ():
        fewer = [each for each in kept if each is not change]
        if judge(make(fewer)) == 0:
            kept = fewer
    for change in order[high:]:
        if make(kept).filled >= least:
            break
        if judge(make([*kept, change])) == 0:
            kept.append(change)
    puzzle = make(kept)
    return puzzle if puzzle.filled >= least else None


def _boundary(
    make: Callable[[Sequence[Ease]], Grid],
    order: Sequence[Ease],
    judge: Callable[[Grid], int],
    low: int,
) -> tuple[int, int] | None:
    """The fewest changes, in this order, with which a puzzle is not too hard, and its judgement.

    With `low` of them it is too hard. None if it always is.
    """
    step = 1
    while True:
        if low == len(order):
            return None
        high = min(low + step, len(order))
        found = judge(make(order[:high]))
        if found <= 0:
            break
        low, step = high, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        at = judge(make(order[:middle]))
        if at > 0:
            low = middle
        else:
            high, found = middle, at
    return high, found
