"""Forcing nets and trial.

A forcing net assumes a candidate, follows the singles, and ends in a contradiction: the candidate
is false. `nested_nets` goes one level deeper. Where neither finds anything, trial solves a cell:
`sudoku.solve` finds no solution with any other candidate of the cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.board.grid import Grid
from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.nets import NetBuilder, cells_of, net_evidence
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.propagation import propagation
from sudoku.solving.solve import solve

__all__ = ["all_forcing_nets", "all_trials", "forcing_nets", "solution_cells", "trials"]


def all_forcing_nets(position: Position) -> Changes:
    """The candidates that all forcing nets remove, found by `Propagation.refuted`."""
    found = Changes(position.tables.side)
    size = position.tables.size
    for candidate, _ in propagation(position.tables.layout).refuted(position):
        found.removed[candidate // size + 1] |= 1 << candidate % size
    return found


def forcing_nets(position: Position) -> Iterator[Deduction]:
    """Forcing nets, one by one; first those that need the fewest digits."""
    tables = position.tables
    refuted = propagation(tables.layout).refuted(position)
    for candidate, _ in sorted(refuted, key=lambda found: (found[1], found[0])):
        cell, digit = candidate % tables.size, candidate // tables.size + 1
        builder = NetBuilder(position, cell, digit)
        contradiction = builder.run()
        if contradiction is None:
            raise AssertionError("an assumption without contradiction has no net")
        net = builder.net(contradiction)
        yield Deduction(
            "forcing net",
            cells_of(net),
            (),
            ((digit, 1 << cell),),
            partial(net_evidence, tables, net),
        )


def _fewest(position: Position) -> list[int]:
    """The cells with the fewest candidates, two or more."""
    counts = {cell: n for cell in bits(position.unsolved) if (n := position.counts[cell]) > 1}
    least = min(counts.values(), default=0)
    return [cell for cell, n in counts.items() if n == least]


def solution_cells(position: Position) -> tuple[int, ...]:
    """The digits of all cells in the solution."""
    return solve(Grid.from_cells(tuple(position.values), position.tables.layout)).cells


def all_trials(position: Position) -> Changes:
    """The digits of the solution in all cells with the fewest candidates."""
    found = Changes(position.tables.side)
    solution = solution_cells(position)
    found.placed = {cell: solution[cell] for cell in _fewest(position)}
    return found


def trials(position: Position) -> Iterator[Deduction]:
    """The digits of `all_trials`, one by one."""
    for cell, digit in all_trials(position).placed.items():

        def evidence(cell: int = cell, digit: int = digit) -> Evidence:
            others = position.candidates[cell] & ~(1 << digit)
            return Evidence(
                f"{position.tables.names[cell]} is {symbol(digit)}: by trial, {symbols(others)} "
                f"{'each leave' if others & (others - 1) else 'leaves'} no solution",
                (),
                ((digit, 1 << cell, "base"),),
            )

        yield Deduction("trial", 1 << cell, ((cell, digit),), (), evidence)
