"""Forcing nets: what follows from an assumption by singles, with the reasons of each conclusion.

`propagation` finds the contradictions fast, but does not record reasons; a net does. It is built
breadth first, which keeps the conclusions close to the assumption. In the end only the conclusions
that the contradiction needs are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import Evidence, names, symbols
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Position

__all__ = [
    "Conclusion",
    "Contradiction",
    "Net",
    "NetBuilder",
    "Refutation",
    "needed_steps",
    "net_cells",
    "net_evidence",
]

LONG = 12  # conclusions that a sentence names; of a larger net it gives their number


class Contradiction(NamedTuple):
    """A contradiction: a cell without candidates, or a house without a place for a digit.

    Or a solved cell whose digit a rule excludes: then there are a cell and a digit.
    """

    cell: int | None
    """The cell without candidates; None if a house has no place for a digit."""
    digit: int | None
    """The digit without a place; None if a cell has no candidates."""
    house: int | None
    """The index of the house without a place for the digit; None if a cell has no candidates."""
    because: tuple[int, ...]
    """The indices of the conclusions that cause it."""
    rule: str = ""
    """The rule that cannot be filled, in words; then there is neither a cell nor a house."""


class Refutation(NamedTuple):
    """The proof that a candidate is false: assuming it leads to a contradiction."""

    digits: int
    """The number of digits that follow from it before the contradiction."""
    contradiction: Contradiction


class Conclusion(NamedTuple):
    """A cell that must hold a digit; or, with a `refutation`, one that cannot hold it."""

    cell: int
    digit: int
    house: int | None
    """The index of the house where the cell is the only place; None if it is a naked single."""
    because: tuple[int, ...]
    """The indices of the conclusions that it follows from."""
    refutation: Refutation | None = None
    """The proof, by an inner net, that the cell cannot hold the digit."""
    rule: str = ""
    """The rule, in words, because of which the cell cannot hold the digit."""

    @property
    def is_true(self) -> bool:
        """Whether the cell must hold the digit; otherwise it cannot."""
        return self.refutation is None and not self.rule


class Net(NamedTuple):
    """The conclusions from an assumption, and the contradiction that they end in."""

    steps: list[Conclusion]
    """The assumption comes first."""
    contradiction: Contradiction


class NetBuilder:
    """Builds the net of one assumption."""

    def __init__(self, position: Position, cell: int, digit: int) -> None:
        """Starts with the assumption that the cell holds the digit."""
        self.position = position
        self.planes = list(position.planes)
        """For each digit the cells that may hold it, as in `Position.planes`."""
        self.steps: list[Conclusion] = []
        self.removed_by: dict[tuple[int, int], int] = {}
        """For each removed candidate (cell, digit) the index of the conclusion that removed it."""
        self.placed = [0] * len(position.planes)
        """For each digit the cells where a conclusion placed it."""
        self.clash: Contradiction | None = None
        """That a conclusion excludes the digit of a solved cell, which only rules do."""
        self._place(Conclusion(cell, digit, None, ()))

    def _copy(self) -> NetBuilder:
        other = object.__new__(NetBuilder)
        other.position, other.planes = self.position, list(self.planes)
        other.steps, other.placed = list(self.steps), list(self.placed)
        other.removed_by, other.clash = dict(self.removed_by), self.clash
        return other

    def _place(self, step: Conclusion) -> None:
        """Appends a conclusion that places a digit, and removes the candidates that it excludes."""
        tables, number = self.position.tables, len(self.steps)
        self.steps.append(step)
        self.placed[step.digit] |= 1 << step.cell
        weak = tables.weak[(step.digit - 1) * tables.size + step.cell]
        for candidate in bits(weak & self.position.true):
            cell, digit = candidate % tables.size, candidate // tables.size + 1
            self.clash = Contradiction(cell, digit, None, (number,))
        for digit in tables.digits:
            cells = weak >> (digit - 1) * tables.size & tables.all_cells
            for cell in bits(self.planes[digit] & cells):
                self.removed_by[cell, digit] = number
            self.planes[digit] &= ~cells

    def run(self) -> Contradiction | None:
        """Follows all singles; returns the contradiction that they end in, or None."""
        while True:
            contradiction = self._contradiction()
            if contradiction is not None:
                return contradiction
            fresh = list(self._singles())
            if not fresh:
                return None
            for step in fresh:
                self._place(step)

    def refute(self, cell: int, digit: int) -> bool:
        """Concludes, by an inner net, that the cell cannot hold the digit.

        Returns False, and changes nothing, if the digit is removed already, or if the inner net
        ends in no contradiction.
        """
        if not self.planes[digit] >> cell & 1:
            return False
        inner, known = self._copy(), len(self.steps)
        inner._place(Conclusion(cell, digit, None, ()))
        contradiction = inner.run()
        if contradiction is None:
            return False
        needed = needed_steps(inner.steps, contradiction)
        because = tuple(sorted(number for number in needed if number < known))
        refutation = Refutation(sum(number > known for number in needed), contradiction)
        self.removed_by[cell, digit] = known
        self.planes[digit] &= ~(1 << cell)
        self.steps.append(Conclusion(cell, digit, None, because, refutation))
        return True

    def net(self, contradiction: Contradiction) -> Net:
        """The net, without the conclusions that the contradiction does not depend on."""
        needed = sorted({0} | needed_steps(self.steps, contradiction))
        order = {number: at for at, number in enumerate(needed)}

        def renumbered(because: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sorted(order[number] for number in because))

        steps = [self.steps[number] for number in needed]
        return Net(
            [step._replace(because=renumbered(step.because)) for step in steps],
            contradiction._replace(because=renumbered(contradiction.because)),
        )

    def _contradiction(self) -> Contradiction | None:
        """The first contradiction, if there is one."""
        if self.clash is not None:
            return self.clash
        position, planes, removed_by = self.position, self.planes, self.removed_by
        left = 0
        for plane in planes:
            left |= plane
        for cell in bits(position.unsolved & ~left):
            reasons = {removed_by[cell, digit] for digit in position.digits_of[cell]}
            return Contradiction(cell, None, None, tuple(sorted(reasons)))
        for digit in position.tables.digits:
            for house, mask in enumerate(position.tables.houses):
                before = position.planes[digit] & mask
                if before and not planes[digit] & mask:
                    reasons = {removed_by[cell, digit] for cell in bits(before)}
                    return Contradiction(None, digit, house, tuple(sorted(reasons)))
        return None

    def _singles(self) -> Iterator[Conclusion]:
        """The naked and hidden singles that are not placed yet."""
        position, planes, removed_by = self.position, self.planes, self.removed_by
        once = twice = 0
        for plane in planes:
            twice |= once & plane
            once |= plane
        alone = once & ~twice
        for digit in position.tables.digits:
            plane, placed = planes[digit], self.placed[digit]
            for cell in bits(alone & plane & ~placed):
                others = [d for d in position.digits_of[cell] if d != digit]
                reasons = tuple(sorted({removed_by[cell, d] for d in others}))
                yield Conclusion(cell, digit, None, reasons)
            for house, mask in enumerate(position.tables.houses):
                only = plane & mask
                if only and not only & (only - 1) and not only & (placed | alone):
                    rest = position.planes[digit] & mask & ~only
                    reasons = tuple(sorted({removed_by[cell, digit] for cell in bits(rest)}))
                    yield Conclusion(only.bit_length() - 1, digit, house, reasons)
                    placed |= only


def needed_steps(steps: list[Conclusion], contradiction: Contradiction) -> set[int]:
    """The indices of the conclusions that a contradiction depends on."""
    needed: set[int] = set()
    stack = list(contradiction.because)
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += steps[number].because
    return needed


def net_cells(net: Net) -> int:
    """The cells that the conclusions of a net are about."""
    cells = 0
    for step in net.steps:
        cells |= 1 << step.cell
    return cells


def net_evidence(tables: Geometry, net: Net) -> Evidence:
    """The sentence of a net, its links from reasons to conclusions, and its implications."""
    first, *others = net.steps
    known = _words(tables, others)
    words = [said for said, _ in known]
    chain = f"then {', '.join(words)}, and " if words else ""
    if len(words) > LONG:
        chain = f"then {len(words)} implications follow, and "
    text = f"if {tables.names[first.cell]} is {symbol(first.digit)}, {chain}"
    marks = tuple(
        (step.digit, 1 << step.cell, "on" if step.is_true else "off") for step in net.steps
    )
    links = tuple(
        ((net.steps[b].digit, 1 << net.steps[b].cell), (step.digit, 1 << step.cell), False)
        for step in net.steps
        for b in step.because
    )
    house = net.contradiction.house
    twice = [s.digit for s in net.steps if s.cell == net.contradiction.cell and s.is_true]
    if net.contradiction.cell is not None and len(twice) > 1:
        both = listed(map(symbol, sorted(twice)), "and")
        end = f"{tables.names[net.contradiction.cell]} cannot be both {both}"
    else:
        end = _end(tables, net.contradiction, "is", "has")
    return Evidence(
        text + end,
        () if house is None else (house,),
        marks,
        links,
        (*known, (end, 0)),
    )


def _words(tables: Geometry, steps: list[Conclusion]) -> list[tuple[str, int]]:
    """Half a sentence for each conclusion, and 1; one for all that a rule excludes at once."""
    words: list[tuple[str, int]] = []
    for (rule, _), group in groupby(steps, key=lambda step: (step.rule, step.because)):
        some = list(group)
        if not rule:
            words += [(_say(tables, step), 1) for step in some]
            continue
        gone: dict[int, int] = {}
        for step in some:
            gone[step.cell] = gone.get(step.cell, 0) | 1 << step.digit
        alike: dict[int, int] = {}
        for cell, mask in gone.items():
            alike[mask] = alike.get(mask, 0) | 1 << cell
        parts = [
            f"{names(tables, cells)} {'are' if cells & (cells - 1) else 'is'} not "
            f"{symbols(mask, 'or')}"
            for mask, cells in alike.items()
        ]
        words.append((f"{listed(parts, 'and')} ({rule})", len(some)))
    return words


def _say(tables: Geometry, step: Conclusion) -> str:
    """Half a sentence: the conclusion, and its reason."""
    name, digit = tables.names[step.cell], symbol(step.digit)
    if step.refutation is not None:
        more = step.refutation.digits
        after = f"after {more} more digit{'s' * (more > 1)} " if more else ""
        end = _end(tables, step.refutation.contradiction, "would be", "would have")
        return f"{name} cannot be {digit} ({after}{end})"
    where = "" if step.house is None else f" (its only place in {tables.house_words[step.house]})"
    return f"{name} is {digit}{where}"


def _end(tables: Geometry, contradiction: Contradiction, be: str, have: str) -> str:
    if contradiction.rule:
        return f"{contradiction.rule} cannot be filled"
    if contradiction.cell is not None and contradiction.digit is not None:
        return f"{tables.names[contradiction.cell]} cannot be {symbol(contradiction.digit)}"
    if contradiction.cell is not None:
        return f"nothing {be} left for {tables.names[contradiction.cell]}"
    house = tables.house_words[contradiction.house or 0]
    return f"{house} {have} no place for {symbol(contradiction.digit or 0)}"
