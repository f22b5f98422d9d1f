"""Other solutions of a puzzle than a known one, in a problem made for that one solution.

The last checks of a large puzzle take most of the time: nearly all of them find a second solution,
and have to find the first one as well. If the digit of one cell is removed from a puzzle with one
solution, every other solution has another digit there. So these checks search for solutions with
another digit in that cell, in an exact cover problem that helps them in three ways:

* The options of the known solution come first. The search tries them first, and what it finds
  differs from the known solution in few cells.
* Givens that have to stay are no longer part of the problem, nor are the candidates that they
  exclude.
* Excluding a digit is an option, which covers a secondary item of the candidate. Since each option
  needs a primary item, some cells share one, which an option of its own covers if no digit of them
  is excluded.

On 16x16 the searches visit a quarter of the nodes, but making the problem takes as long as twenty
checks or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import dlx
from sudoku.board.layout import Layout, layout_cache, symbol
from sudoku.solving.deadline import Deadline

__all__ = ["OtherChecks", "OtherSolutions", "suits_other_solutions"]

CELLS = range(200, 300)  # the layouts that it pays for: the checks of smaller ones are short
SHARED = 12  # cells that share a primary item: fewer than a cell has candidates, most of the time

GIVEN, CHANGED, NOTHING, OPEN = "+", "-", "0", "."

Option = tuple[int, ...]


def suits_other_solutions(layout: Layout, engine: str | None) -> bool:
    """Whether the checks of a layout take less time in such problems."""
    return (
        engine == "auto"
        and layout.size in CELLS
        and layout.is_square
        and not layout.rules
        and not dlx.kernel_info().missing
    )


class OtherSolutions:
    """Checks which givens of puzzles with a known solution can be removed.

    `full` is that solution; the cells in `kept` are givens of all puzzles. Making it takes O(n) for
    n candidates: 2 milliseconds on 16x16, and the first check another 3.
    """

    def __init__(self, layout: Layout, full: str, kept: Iterable[int]) -> None:
        candidates = _candidates(layout)
        digits = {symbol(digit): digit - 1 for digit in range(1, layout.side + 1)}
        own = [options[digits[digit]] for options, digit in zip(candidates, full, strict=True)]
        covered: set[int] = set()
        for cell in (stay := set(kept)):
            covered.update(own[cell])
        self._open = [cell for cell in range(layout.size) if cell not in stay]
        items = layout.size + len(layout.houses) * layout.side
        shared = range(items, items + -(-len(self._open) // SHARED))
        marks = range(shared.stop, shared.stop + len(self._open))
        known = [(*own[cell], mark) for cell, mark in zip(self._open, marks, strict=True)]
        excluded = [(shared[at // SHARED], mark) for at, mark in enumerate(marks)]
        nothing = [(item,) for item in shared]
        rest = [
            option
            for cell in self._open
            for option in candidates[cell]
            if option is not own[cell] and covered.isdisjoint(option)
        ]
        primary = [item for item in range(items) if item not in covered]
        self._problem = dlx.Problem.from_options(
            [*known, *excluded, *nothing, *rest], primary=[*primary, *shared], secondary=marks
        ).freeze()
        number = len(self._open)
        places = [{GIVEN: at, CHANGED: number + at} for at in range(number)]
        places += [{NOTHING: 2 * number + at} for at in range(len(shared))]
        self._code = dlx.Code(self._problem, places, blanks=OPEN)
        self._place = {cell: at for at, cell in enumerate(self._open)}
        self._nothing = NOTHING * len(shared)

    def counts(self, line: str, cells: Sequence[int], deadline: Deadline) -> list[int]:
        """The number of solutions, counted up to 2, of the line without the given of each cell.

        The line has the known solution only. Raises `dlx.SearchInterrupted` at the deadline.
        """
        with self._problem.count_many(
            self._lines(line, cells),
            limit=1,
            timeout=deadline.left,
            engine="bits",
            heuristic="weighted",
            code=self._code,
        ) as others:
            return [1 + other for other in others]

    def _lines(self, line: str, cells: Sequence[int]) -> list[str]:
        """The text of each check: a character for each open cell and for each shared item."""
        givens = "".join(OPEN if line[cell] == OPEN else GIVEN for cell in self._open)
        lines = []
        for cell in cells:
            at = self._place[cell]
            text = [*givens, *self._nothing]
            text[at], text[len(givens) + at // SHARED] = CHANGED, OPEN
            lines.append("".join(text))
        return lines


class OtherChecks(NamedTuple):
    """Checks of one line without one given or another, which a coroutine yields."""

    search: OtherSolutions
    """Runs the checks."""
    line: str
    """A line that has the known solution only."""
    cells: Sequence[int]
    """The cells whose givens are left out, one in each check."""

    def run(self, deadline: Deadline) -> list[int]:
        """The counts: see `OtherSolutions.counts`."""
        return self.search.counts(self.line, self.cells, deadline)


@layout_cache
def _candidates(layout: Layout) -> list[list[Option]]:
    """The options of the candidates, by cell and digit: the items of the cell and its houses."""
    side = layout.side
    houses: list[list[int]] = [[] for _ in range(layout.size)]
    for number, house in enumerate(layout.houses):
        for cell in house.cells:
            houses[cell].append(layout.size + number * side)
    return [
        [(cell, *(first + digit for first in houses[cell])) for digit in range(side)]
        for cell in range(layout.size)
    ]
