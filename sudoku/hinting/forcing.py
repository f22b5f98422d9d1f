"""Forcing: assume a candidate, follow the singles, and meet a contradiction.

The last resort but one. Where it finds nothing either, a cell is solved by trial: each of its
candidates but one leaves no solution, which the search of `sudoku.solve` knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from sudoku.grid import Grid
from sudoku.hinting.finding import Find, Told, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Deduction, Position
from sudoku.hinting.propagation import propagation
from sudoku.layout import symbol
from sudoku.solving import solve

__all__ = ["all_forcing", "all_trials", "forcing", "implications", "trials"]

LONG = 12  # a net of more conclusions is told from its end


class Forced(NamedTuple):
    """A digit that follows from others, in the order in which they were met."""

    cell: int
    digit: int
    house: int | None
    """The house where it is the only place; None if it is all that the cell can be."""
    because: tuple[int, ...]
    """The indices of the conclusions it follows from."""


class Net(NamedTuple):
    """What follows from an assumption, up to the contradiction."""

    steps: list[Forced]
    """The assumption is the first."""
    cell: int | None
    """The cell that nothing is left for, if it is a cell."""
    digit: int | None
    """Otherwise the digit,"""
    house: int | None
    """and the house without a place for it."""
    because: tuple[int, ...]
    """The indices of the conclusions that leave nothing."""


def all_forcing(position: Position) -> Deduction:
    """Everything that one assumption and singles refute."""
    found = Deduction(position.tables.side)
    size = position.tables.size
    for candidate, _ in propagation(position.tables).refuted(position):
        found.removed[candidate // size + 1] |= 1 << candidate % size
    return found


def forcing(position: Position) -> Iterator[Find]:
    """The same one by one; first those that took the fewest digits to fail."""
    size = position.tables.size
    refuted = propagation(position.tables).refuted(position)
    for candidate, _ in sorted(refuted, key=lambda found: (found[1], found[0])):
        net = implications(position, candidate % size, candidate // size + 1)
        cell, digit = net.steps[0].cell, net.steps[0].digit
        cells = 0
        for step in net.steps:
            cells |= 1 << step.cell
        tell = partial(_told, position, net)
        yield Find("forcing net", cells, (), ((digit, 1 << cell),), tell)


def implications(position: Position, cell: int, digit: int) -> Net:
    """The net from an assumption that is known to fail; only what the contradiction needs.

    Breadth first, so that conclusions are as near to the assumption as can be.
    """
    tables = position.tables
    planes = list(position.planes)
    steps: list[Forced] = []
    why: dict[tuple[int, int], int] = {}  # which conclusion removed a candidate
    queue = [Forced(cell, digit, None, ())]
    queued = {(cell, digit)}
    while True:
        fresh, queue = queue, []
        for step in fresh:
            number = len(steps)
            steps.append(step)
            gone = [(d, 1 << step.cell) for d in tables.digits if d != step.digit]
            gone.append((step.digit, tables.peers[step.cell]))
            for d, cells in gone:
                for c in bits(planes[d] & cells):
                    why[c, d] = number
                planes[d] &= ~cells
        empty = _contradiction(position, planes, why, steps)
        if empty is not None:
            return _needed(empty)
        for found in _singles(position, planes, why):
            if (found.cell, found.digit) not in queued:
                queued.add((found.cell, found.digit))
                queue.append(found)
        if not queue:
            raise AssertionError("an assumption without contradiction has no net")


def _contradiction(
    position: Position, planes: list[int], why: dict[tuple[int, int], int], steps: list[Forced]
) -> Net | None:
    tables = position.tables
    left = 0
    for plane in planes:
        left |= plane
    for cell in bits(position.unsolved & ~left):
        reasons = {why[cell, d] for d in position.digits_of[cell]}
        return Net(steps, cell, None, None, tuple(sorted(reasons)))
    for digit in tables.digits:
        for house, mask in enumerate(tables.houses):
            before = position.planes[digit] & mask
            if before and not planes[digit] & mask:
                reasons = {why[c, digit] for c in bits(before)}
                return Net(steps, None, digit, house, tuple(sorted(reasons)))
    return None


def _singles(
    position: Position, planes: list[int], why: dict[tuple[int, int], int]
) -> Iterator[Forced]:
    tables = position.tables
    once = twice = 0
    for plane in planes:
        twice |= once & plane
        once |= plane
    for cell in bits(once & ~twice):
        digit = next(d for d in tables.digits if planes[d] >> cell & 1)
        others = [d for d in position.digits_of[cell] if d != digit]
        yield Forced(cell, digit, None, tuple(sorted({why[cell, d] for d in others})))
    for digit in tables.digits:
        for house, mask in enumerate(tables.houses):
            only = planes[digit] & mask
            if only and not only & (only - 1):
                rest = position.planes[digit] & mask & ~only
                reasons = {why[c, digit] for c in bits(rest)}
                yield Forced(only.bit_length() - 1, digit, house, tuple(sorted(reasons)))


def _needed(net: Net) -> Net:
    """The net without the conclusions that nothing depends on."""
    needed: set[int] = {0}
    stack = list(net.because)
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += net.steps[number].because
    order = {number: at for at, number in enumerate(sorted(needed))}
    steps = [
        step._replace(because=tuple(order[b] for b in step.because))
        for number, step in enumerate(net.steps)
        if number in needed
    ]
    return net._replace(steps=steps, because=tuple(sorted({order[b] for b in net.because})))


def _told(position: Position, net: Net) -> Told:
    tables = position.tables
    first, *others = net.steps
    words = []
    for step in others:
        where = (
            "" if step.house is None else f" (its only place in {tables.house_names[step.house]})"
        )
        words.append(f"{tables.names[step.cell]} is {symbol(step.digit)}{where}")
    if len(words) > LONG:
        words[: len(words) - LONG] = [f"{len(words) - LONG} more digits follow"]
    if net.cell is not None:
        end = f"nothing is left for {tables.names[net.cell]}"
    else:
        end = f"{tables.house_names[net.house or 0]} has no place for {symbol(net.digit or 0)}"
    chain = f", then {', '.join(words)}" if words else ""
    seen = f"if {tables.names[first.cell]} is {symbol(first.digit)}{chain}, and {end}"
    marks = tuple((step.digit, 1 << step.cell, "on") for step in net.steps)
    links = tuple(
        ((net.steps[b].digit, 1 << net.steps[b].cell), (step.digit, 1 << step.cell), False)
        for step in net.steps
        for b in step.because
    )
    return Told(seen, () if net.house is None else (net.house,), marks, links)


def _fewest(position: Position) -> list[int]:
    """The cells with the fewest candidates, singles aside."""
    counts = {cell: n for cell in bits(position.unsolved) if (n := position.counts[cell]) > 1}
    least = min(counts.values(), default=0)
    return [cell for cell, n in counts.items() if n == least]


def all_trials(position: Position) -> Deduction:
    """The digits of all cells with the fewest candidates."""
    found = Deduction(position.tables.side)
    solution = solve(Grid.from_cells(tuple(position.values), position.tables.layout)).cells
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
