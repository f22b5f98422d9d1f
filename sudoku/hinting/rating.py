"""`rate`: how hard a puzzle is for a person.

The puzzle is solved in rounds. A round takes the easiest technique that sees anything and does, at
once, everything that it sees. So nothing depends on which of several equal steps is met first,
and the rating is the same for a puzzle and for all that can be made of it by renaming digits, by
turning and mirroring, and by shuffling the rows of a band, the columns of a stack, bands and
stacks.
"""

from __future__ import annotations

from typing import NamedTuple

from sudoku.board.layout import Layout
from sudoku.errors import counted
from sudoku.hinting.player import Puzzle, solution_of
from sudoku.hinting.position import Position
from sudoku.hinting.registry import BANDS, RATING_TECHNIQUES
from sudoku.solving.deadline import Deadline
from sudoku.text.puzzles import parse

__all__ = ["Rating", "rate"]


class Rating(NamedTuple):
    """How hard a puzzle is."""

    band: str
    """`"easy"`, `"medium"`, `"hard"`, `"expert"` or `"extreme"`: that of the hardest technique."""
    hardest: str
    """The name of the hardest technique it takes; `""` for a grid that is full."""
    steps: int
    """Digits placed, and rounds in which candidates were removed."""
    score: int
    """The sum of the techniques' scores over all steps."""
    techniques: tuple[tuple[str, int], ...]
    """How many steps of which technique, from the easiest."""

    def __str__(self) -> str:
        hardest, steps = self.hardest or "nothing to do", counted(self.steps, "step")
        return f"{self.band} ({hardest}), {steps}, {self.score}"


def rate(puzzle: Puzzle, *, layout: Layout | None = None, timeout: float | None = None) -> Rating:
    """The rating of a puzzle; docs/hints.md has the scale.

    `timeout` is how many seconds all of it may take: the search that makes sure there is one
    solution, and the techniques, of which the one at work comes to its end.

    >>> rating = rate("1... .2.. ..3. 4...")
    >>> rating.band, rating.hardest, rating.steps
    ('easy', 'hidden single', 12)

    Raises `NoSolution` or `NotUnique` for a puzzle that has not exactly one solution, and
    `LayoutError`, at once, for one that is more than one square of houses, or larger than 16.
    `dlx.SearchInterrupted` after `timeout` seconds.
    """
    grid = parse(puzzle, layout)
    deadline = Deadline(timeout)
    solution_of(grid, timeout)
    position = Position.of(grid)
    taken = [0] * len(RATING_TECHNIQUES)
    while not position.is_solved:
        for at, technique in enumerate(RATING_TECHNIQUES):
            deadline.check()
            if found := technique.deduce(position):
                taken[at] += len(found.placed) or 1
                position = position.after(found)
                break
    used = [
        (technique, count)
        for technique, count in zip(RATING_TECHNIQUES, taken, strict=True)
        if count
    ]
    return Rating(
        used[-1][0].band if used else BANDS[0],
        used[-1][0].name if used else "",
        sum(taken),
        sum(technique.score * count for technique, count in used),
        tuple((technique.name, count) for technique, count in used),
    )
