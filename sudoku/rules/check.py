"""`check`, which finds the flaws of a puzzle that need no search."""

from __future__ import annotations

from collections.abc import Iterable

from dlx.named_tuple import NamedTuple
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.board.peers import peers
from sudoku.board.rule import digits_of
from sudoku.board.time_limit import check_time
from sudoku.errors import listed
from sudoku.text.puzzles import parse

__all__ = ["Flaw", "check"]


class Flaw(NamedTuple):
    """One reason why a puzzle is impossible; `str` gives a sentence about it."""

    kind: str
    """`"duplicate"`, `"rule"` (some digits break a rule), `"no candidate"` (a cell can hold no
    digit), `"no place"` (a digit fits nowhere in a house)."""
    cells: tuple[tuple[int, int], ...]
    """The (row, column) of the cells concerned, from 1: the duplicates, those that break a rule, or
    the one cell; none for "no place"."""
    digit: int | None
    """The digit concerned; None for "rule" and "no candidate"."""
    house: str | None
    """The name of the house, as `"row 4"`, or of the rule; None for "no candidate"."""

    def __str__(self) -> str:
        names = [cell_name(*cell) for cell in self.cells]
        if self.kind == "no candidate":
            return f"{names[0]} has no candidate left"
        if self.kind == "rule":
            return f"{listed(names, 'and')} break{'s' * (len(names) == 1)} a rule ({self.house})"
        what = symbol(self.digit or 0)
        if self.kind == "no place":
            return f"no place for {what} in {self.house}"
        both = "both" if len(names) == 2 else "all"
        return f"{listed(names, 'and')} are {both} {what} ({self.house})"


def check(puzzle: str | Iterable[object] | Grid, *, layout: Layout | None = None) -> list[Flaw]:
    """The flaws of a puzzle that need no search; empty if there are none.

    The order: digits that a house has more than once (rows, columns, boxes), broken rules, cells
    without a candidate by houses and rules, houses without a cell for some digit. A puzzle without
    flaws may still have no solution; only a search can tell.

    >>> for flaw in check("12.3 ..4. .... ...."): print(flaw)
    r1c3 has no candidate left
    no place for 4 in row 1
    no place for 4 in box 1
    >>> [str(flaw) for flaw in check("1..1 .... .1.. ..1.")]
    ['r1c1 and r1c4 are both 1 (row 1)', 'no place for 1 in row 2']

    >>> from sudoku import layouts
    >>> for flaw in check("12.. .... .... ....", layout=layouts.killer([(4, "r1c1 r1c2")],
    ...     base=layouts.classic(2, 2))): print(flaw)
    r1c1 and r1c2 break a rule (cage r1c1 r1c2 of sum 4)

    O(cells x side). Raises `PuzzleError` if `puzzle` is not a puzzle.
    """
    grid = parse(puzzle, layout)
    shape = grid.layout
    candidates = _candidates(grid)
    flaws = duplicates(grid) + _broken_rules(grid)
    for cell, left in enumerate(candidates):
        if not left and not grid.cells[cell]:
            flaws.append(Flaw("no candidate", (shape.positions[cell],), None, None))
    for house in shape.houses:
        somewhere = 0
        for cell in house.cells:
            value = grid.cells[cell]
            somewhere |= 1 << value if value else candidates[cell]
        flaws += [
            Flaw("no place", (), digit, house.name)
            for digit in range(1, shape.side + 1)
            if not somewhere >> digit & 1
        ]
    return flaws


def duplicates(grid: Grid) -> list[Flaw]:
    """A `Flaw` for each house and digit that occurs in it more than once."""
    cells, positions = grid.cells, grid.layout.positions
    flaws = []
    for house in grid.layout.houses:
        values = [cells[cell] for cell in house.cells]
        repeated = {value for value in values if value and values.count(value) > 1}
        for digit in sorted(repeated):
            where = tuple(positions[cell] for cell in house.cells if cells[cell] == digit)
            flaws.append(Flaw("duplicate", where, digit, house.name))
    return flaws


def _broken_rules(grid: Grid) -> list[Flaw]:
    """The rules that digits of the grid break."""
    rules = grid.layout.rules
    values = grid.values if rules else {}
    return [
        Flaw("rule", cells, None, str(rule)) for rule in rules if (cells := rule.broken(values))
    ]


def _candidates(grid: Grid) -> list[int]:
    """For each cell the digits that no house or rule excludes, as bits 1 to side.

    A filled cell has its digit, though other cells may have it too; 0 if a rule excludes it.
    """
    layout, seen_by = grid.layout, peers(grid.layout)
    seen, empty = [0] * (layout.side + 1), 0
    for cell, digit in enumerate(grid.cells):
        seen[digit] |= seen_by[cell]
        empty |= 0 if digit else 1 << cell
    left = [1 << digit if digit else (2 << layout.side) - 2 for digit in grid.cells]
    for digit in range(1, layout.side + 1):
        for cell in digits_of(seen[digit] & empty):
            left[cell] ^= 1 << digit
    candidates = dict(zip(layout.positions, left, strict=True))
    for rule in layout.rules:
        check_time()
        rule.restrict(candidates, layout)
    return list(candidates.values())
