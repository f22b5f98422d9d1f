"""Nets: what follows from an assumption by singles, with the reason for each conclusion.

The reasons are what `propagation`, which is fast, does not keep. A net is made breadth first, so
that conclusions are as near to the assumption as can be, and in the end is left with those that the
contradiction needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import Told
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Position

__all__ = ["Conclusion", "Denied", "Empty", "Net", "Spread", "cells_of", "tell"]

LONG = 40  # a net of more conclusions is told from its end


class Empty(NamedTuple):
    """A contradiction: a cell without candidates, or a house without a place for a digit."""

    cell: int | None
    """The cell, if it is one;"""
    digit: int | None
    """otherwise the digit,"""
    house: int | None
    """and the house that has no place for it."""
    because: tuple[int, ...]
    """The indices of the conclusions that leave nothing."""


class Denied(NamedTuple):
    """Why a candidate is false: if it were true, there would be a contradiction."""

    digits: int
    """How many more digits it takes to meet it."""
    empty: Empty
    """The contradiction."""


class Conclusion(NamedTuple):
    """A digit that follows from others, in the order in which they were met; or one that cannot."""

    cell: int
    digit: int
    house: int | None
    """The house where it is the only place; None if it is all that the cell can be."""
    because: tuple[int, ...]
    """The indices of the conclusions it follows from."""
    denied: Denied | None = None
    """Why the cell cannot be the digit, if that is what follows."""


class Net(NamedTuple):
    """What follows from an assumption, up to the contradiction."""

    steps: list[Conclusion]
    """The assumption is the first."""
    empty: Empty


class Spread:
    """A net while it grows: the candidates that are left, and which conclusion removed which."""

    def __init__(self, position: Position, cell: int, digit: int) -> None:
        """The net of an assumption."""
        self.position = position
        self.planes = list(position.planes)
        self.steps: list[Conclusion] = []
        self.why: dict[tuple[int, int], int] = {}
        self.placed = [0] * len(position.planes)  # for each digit the cells
        self._place(Conclusion(cell, digit, None, ()))

    def _copy(self) -> Spread:
        other = object.__new__(Spread)
        other.position, other.planes = self.position, list(self.planes)
        other.steps, other.why, other.placed = list(self.steps), dict(self.why), list(self.placed)
        return other

    def _place(self, step: Conclusion) -> None:
        tables, number = self.position.tables, len(self.steps)
        self.steps.append(step)
        self.placed[step.digit] |= 1 << step.cell
        gone = [(digit, 1 << step.cell) for digit in tables.digits if digit != step.digit]
        gone.append((step.digit, tables.peers[step.cell]))
        for digit, cells in gone:
            for cell in bits(self.planes[digit] & cells):
                self.why[cell, digit] = number
            self.planes[digit] &= ~cells

    def run(self) -> Empty | None:
        """Follow all singles; the contradiction, if they end in one."""
        while True:
            empty = self._contradiction()
            if empty is not None:
                return empty
            fresh = list(self._singles())
            if not fresh:
                return None
            for step in fresh:
                self._place(step)

    def deny(self, cell: int, digit: int) -> bool:
        """Conclude that the cell cannot be the digit; False if it is known, or does not follow."""
        if not self.planes[digit] >> cell & 1:
            return False
        inner, known = self._copy(), len(self.steps)
        inner._place(Conclusion(cell, digit, None, ()))
        empty = inner.run()
        if empty is None:
            return False
        needed = _needed(inner.steps, empty)
        because = tuple(sorted(number for number in needed if number < known))
        denied = Denied(sum(number > known for number in needed), empty)
        self.why[cell, digit] = known
        self.planes[digit] &= ~(1 << cell)
        self.steps.append(Conclusion(cell, digit, None, because, denied))
        return True

    def net(self, empty: Empty) -> Net:
        """The net without the conclusions that its contradiction does not depend on."""
        kept = sorted({0} | _needed(self.steps, empty))
        order = {number: at for at, number in enumerate(kept)}

        def renumbered(because: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sorted(order[number] for number in because))

        steps = [self.steps[number] for number in kept]
        return Net(
            [step._replace(because=renumbered(step.because)) for step in steps],
            empty._replace(because=renumbered(empty.because)),
        )

    def _contradiction(self) -> Empty | None:
        position, planes, why = self.position, self.planes, self.why
        left = 0
        for plane in planes:
            left |= plane
        for cell in bits(position.unsolved & ~left):
            reasons = {why[cell, digit] for digit in position.digits_of[cell]}
            return Empty(cell, None, None, tuple(sorted(reasons)))
        for digit in position.tables.digits:
            for house, mask in enumerate(position.tables.houses):
                before = position.planes[digit] & mask
                if before and not planes[digit] & mask:
                    reasons = {why[cell, digit] for cell in bits(before)}
                    return Empty(None, digit, house, tuple(sorted(reasons)))
        return None

    def _singles(self) -> Iterator[Conclusion]:
        """What is alone in its cell or house now, and was not placed before."""
        position, planes, why = self.position, self.planes, self.why
        once = twice = 0
        for plane in planes:
            twice |= once & plane
            once |= plane
        alone = once & ~twice
        for digit in position.tables.digits:
            plane, placed = planes[digit], self.placed[digit]
            for cell in bits(alone & plane & ~placed):
                others = [d for d in position.digits_of[cell] if d != digit]
                yield Conclusion(cell, digit, None, tuple(sorted({why[cell, d] for d in others})))
            for house, mask in enumerate(position.tables.houses):
                only = plane & mask
                if only and not only & (only - 1) and not only & (placed | alone):
                    rest = position.planes[digit] & mask & ~only
                    reasons = tuple(sorted({why[cell, digit] for cell in bits(rest)}))
                    yield Conclusion(only.bit_length() - 1, digit, house, reasons)
                    placed |= only


def _needed(steps: list[Conclusion], empty: Empty) -> set[int]:
    """The indices of the conclusions that a contradiction depends on."""
    needed: set[int] = set()
    stack = list(empty.because)
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += steps[number].because
    return needed


def cells_of(net: Net) -> int:
    """The cells of a net."""
    cells = 0
    for step in net.steps:
        cells |= 1 << step.cell
    return cells


def tell(tables: Geometry, net: Net) -> Told:
    """The net in words, and as links from reasons to conclusions."""
    first, *others = net.steps
    words = [_say(tables, step) for step in others]
    if len(words) > LONG:
        words[: len(words) - LONG] = [f"{len(words) - LONG} more things follow"]
    chain = f"then {', '.join(words)}, and " if words else ""
    seen = f"if {tables.names[first.cell]} is {symbol(first.digit)}, {chain}"
    marks = tuple(
        (step.digit, 1 << step.cell, "on" if step.denied is None else "off") for step in net.steps
    )
    links = tuple(
        ((net.steps[b].digit, 1 << net.steps[b].cell), (step.digit, 1 << step.cell), False)
        for step in net.steps
        for b in step.because
    )
    house = net.empty.house
    twice = [s.digit for s in net.steps if s.cell == net.empty.cell and s.denied is None]
    if net.empty.cell is not None and len(twice) > 1:
        both = listed(map(symbol, sorted(twice)), "and")
        end = f"{tables.names[net.empty.cell]} cannot be both {both}"
    else:
        end = _end(tables, net.empty, "is", "has")
    return Told(
        seen + end,
        () if house is None else (house,),
        marks,
        links,
    )


def _say(tables: Geometry, step: Conclusion) -> str:
    name, digit = tables.names[step.cell], symbol(step.digit)
    if step.denied is not None:
        more = step.denied.digits
        after = f"after {more} more digit{'s' * (more > 1)} " if more else ""
        end = _end(tables, step.denied.empty, "would be", "would have")
        return f"{name} cannot be {digit} ({after}{end})"
    where = "" if step.house is None else f" (its only place in {tables.house_words[step.house]})"
    return f"{name} is {digit}{where}"


def _end(tables: Geometry, empty: Empty, be: str, have: str) -> str:
    if empty.cell is not None:
        return f"nothing {be} left for {tables.names[empty.cell]}"
    return f"{tables.house_words[empty.house or 0]} {have} no place for {symbol(empty.digit or 0)}"
