"""Forcing: assume a candidate, follow the singles, and meet a contradiction.

`nesting` goes one level deeper. Where that finds nothing either, a cell is solved by trial: each of
its candidates but one leaves no solution, which the search of `sudoku.solve` knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.board.grid import Grid
from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Find, Told, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.nets import Spread, cells_of, tell
from sudoku.hinting.position import Deduction, Position
from sudoku.hinting.propagation import propagation
from sudoku.solving.solve import solve

__all__ = ["all_forcing", "all_trials", "forcing", "solution_cells", "trials"]


def all_forcing(position: Position) -> Deduction:
    """Everything that one assumption and singles refute."""
    found = Deduction(position.tables.side)
    size = position.tables.size
    for candidate, _ in propagation(position.tables.layout).refuted(position):
        found.removed[candidate // size + 1] |= 1 << candidate % size
    return found


def forcing(position: Position) -> Iterator[Find]:
    """The same one by one; first those that took the fewest digits to fail."""
    tables = position.tables
    refuted = propagation(tables.layout).refuted(position)
    for candidate, _ in sorted(refuted, key=lambda found: (found[1], found[0])):
        cell, digit = candidate % tables.size, candidate // tables.size + 1
        spread = Spread(position, cell, digit)
        empty = spread.run()
        if empty is None:
            raise AssertionError("an assumption without contradiction has no net")
        net = spread.net(empty)
        yield Find(
            "forcing net", cells_of(net), (), ((digit, 1 << cell),), partial(tell, tables, net)
        )


def _fewest(position: Position) -> list[int]:
    """The cells with the fewest candidates, singles aside."""
    counts = {cell: n for cell in bits(position.unsolved) if (n := position.counts[cell]) > 1}
    least = min(counts.values(), default=0)
    return [cell for cell, n in counts.items() if n == least]


def solution_cells(position: Position) -> tuple[int, ...]:
    """The digits of all cells in the solution."""
    return solve(Grid.from_cells(tuple(position.values), position.tables.layout)).cells


def all_trials(position: Position) -> Deduction:
    """The digits of all cells with the fewest candidates."""
    found = Deduction(position.tables.side)
    solution = solution_cells(position)
    found.placed = {cell: solution[cell] for cell in _fewest(position)}
    return found


def trials(position: Position) -> Iterator[Find]:
    """The same one by one."""
    for cell, digit in all_trials(position).placed.items():

        def tell(cell: int = cell, digit: int = digit) -> Told:
            others = position.candidates[cell] & ~(1 << digit)
            return Told(
                f"{position.tables.names[cell]} is {symbol(digit)}: by trial, {symbols(others)} "
                f"{'each leave' if others & (others - 1) else 'leaves'} no solution",
                (),
                ((digit, 1 << cell, "base"),),
            )

        yield Find("trial", 1 << cell, ((cell, digit),), (), tell)
