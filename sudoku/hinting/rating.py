"""`rate`: how hard a puzzle is for a person.

The puzzle is solved in rounds. A round takes the easiest technique that finds anything and applies
all its deductions at once. So the result does not depend on the order of equally easy steps: the
rating does not change if digits are renamed, if the puzzle is rotated or mirrored, or if the rows
of a band, the columns of a stack, the bands or the stacks are permuted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import SudokuError, counted
from sudoku.hinting.player import Puzzle, solution_of
from sudoku.hinting.position import Position
from sudoku.hinting.registry import BANDS, RATING_TECHNIQUES, Technique, band_index, chosen
from sudoku.solving.deadline import Deadline
from sudoku.text.puzzles import parse

__all__ = ["Rating", "band_within", "rate"]


class Rating(NamedTuple):
    """How hard a puzzle is."""

    band: str
    """`"gentle"`, `"easy"`, `"medium"`, `"hard"`, `"expert"` or `"extreme"`: that of the hardest
    technique."""
    hardest: str
    """The name of the hardest technique used; `""` for a full grid."""
    steps: int
    """The number of digits placed, plus the number of rounds that removed candidates."""
    score: int
    """The sum of the techniques' scores over all steps."""
    techniques: tuple[tuple[str, int], ...]
    """(name, number of steps) of each technique used, from the easiest."""

    def __str__(self) -> str:
        hardest, steps = self.hardest or "nothing to do", counted(self.steps, "step")
        return f"{self.band} ({hardest}), {steps}, score {self.score}"


def rate(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    techniques: str | Iterable[str] | None = None,
    timeout: float | None = None,
) -> Rating:
    """The rating of a puzzle; docs/hints.md has the scale.

    With `techniques`, only these are used, in this order; the names are as in `hints`.
    `timeout` limits the whole rating, in seconds: the search that checks for exactly one solution,
    and the techniques. It is checked between two techniques, not while one is running.

    >>> rating = rate("1... .2.. ..3. 4...")
    >>> rating.band, rating.hardest, rating.steps
    ('easy', 'hidden single in a box', 12)
    >>> print(rate("1... .2.. ..3. 4...", techniques=["naked single"]))
    easy (naked single), 12 steps, score 168

    Raises `NoSolution` or `NotUnique` for a puzzle that does not have exactly one solution;
    `SudokuError` if `techniques` do not solve it, and `dlx.InvalidArgument` for unknown ones;
    `LayoutError`, before any search, for a layout with a side of more than 16;
    `dlx.SearchInterrupted` after `timeout` seconds.
    """
    grid = parse(puzzle, layout)
    deadline = Deadline(timeout)
    position = Position.of(grid, solution=solution_of(grid, timeout).cells)
    some = RATING_TECHNIQUES if techniques is None else chosen(techniques, RATING_TECHNIQUES)
    taken = _taken(position, some, deadline)
    if taken is None:
        raise SudokuError("these techniques do not solve the puzzle; allow more of them")
    used = [(technique, count) for technique, count in zip(some, taken, strict=True) if count]
    side = grid.layout.side
    bands = [band_index(technique, side) for technique, _ in used]
    band, last = max(zip(bands, range(len(used)), strict=True), default=(0, 0))
    return Rating(
        BANDS[band],
        used[last][0].name if used else "",
        sum(taken),
        sum(technique.score * count for technique, count in used),
        tuple((technique.name, count) for technique, count in used),
    )


def band_within(grid: Grid, most: int, deadline: Deadline) -> int | None:
    """The index of the band of a puzzle with one solution; None if it is above `most`.

    Faster than `rate` for puzzles that are harder: techniques above that band, which are the slow
    ones, are not tried. Raises `dlx.SearchInterrupted` at the deadline.
    """
    side = grid.layout.side
    techniques = [one for one in RATING_TECHNIQUES if band_index(one, side) <= most]
    taken = _taken(Position.of(grid), techniques, deadline)
    if taken is None:
        return None
    used = [one for one, count in zip(techniques, taken, strict=True) if count]
    return band_index(used[-1], side) if used else 0


def _taken(
    position: Position, techniques: Sequence[Technique], deadline: Deadline
) -> list[int] | None:
    """How many steps of each technique solve a puzzle; None if these do not suffice."""
    taken = [0] * len(techniques)
    while not position.is_solved:
        for at, technique in enumerate(techniques):
            deadline.check()
            if found := technique.deduce(position):
                taken[at] += len(found.placed) or 1
                position = position.after(found)
                break
        else:
            return None
    return taken
