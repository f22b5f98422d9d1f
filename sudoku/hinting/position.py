"""A position: the digits filled in and the candidates left. It is immutable.

Each step makes a new position, which takes a few integers. Tables that several techniques need are
computed at their first use and cached with the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from sudoku.board.grid import Grid
from sudoku.hinting.geometry import Geometry, bits, geometry

__all__ = ["Changes", "Consequences", "Pair", "Position"]


class Pair(NamedTuple):
    """Conjugate pair: the only two places for a digit in a house."""

    digit: int
    house: int
    """The index of the house."""
    first: int
    """The cell with the smaller number."""
    second: int
    """The cell with the larger number."""


class Changes:
    """Digits to place and candidates to remove, from one deduction or from many."""

    __slots__ = ("placed", "removed")

    def __init__(self, side: int) -> None:
        self.placed: dict[int, int] = {}
        """Cell -> digit."""
        self.removed = [0] * (side + 1)
        """For each digit (none for 0) the cells that lose it."""

    def __bool__(self) -> bool:
        return bool(self.placed) or any(self.removed)


def _uncross(tables: Geometry, planes: list[int], placed: dict[int, int]) -> None:
    """Removes the candidates that these digits exclude by the weak links of `Geometry.crossed`."""
    gone = 0
    for cell, digit in placed.items():
        gone |= tables.crossed.get((digit - 1) * tables.size + cell, 0)
    if gone:
        for digit in tables.digits:
            planes[digit] &= ~(gone >> (digit - 1) * tables.size)


Consequences = dict[int, tuple[int, int]]
"""For each candidate the candidates left if it is true, and those of them that are true then:
see `Propagation`; (0, 0) if it cannot be true."""


class Position:
    """The digits placed and the candidates left of a grid.

    `planes[d]` is the set of unsolved cells that may hold digit d. In a new position these are the
    digits that the marks allow and that no digit placed excludes (see `Geometry.seen`).
    """

    def __init__(
        self,
        tables: Geometry,
        values: Sequence[int],
        planes: list[int],
        given: int,
        unsolved: int,
        before: Position | None = None,
    ) -> None:
        """`before` is an earlier position of the same puzzle."""
        self.tables = tables
        self.values = values
        """The digit of every cell, 0 for none."""
        self.planes = planes
        """For each digit (none for 0) the unsolved cells that may hold it."""
        self.given = given
        """The cells whose digits are givens of the puzzle."""
        self.unsolved = unsolved
        """The cells without a digit."""
        self.solution: tuple[int, ...] | None = before.solution if before else None
        """The digits of all cells in the solution; None if nothing has needed it yet."""
        known: dict[str, Consequences] = before.consequences if before else {}
        self.consequences: dict[str, Consequences] = {
            net: dict(found) for net, found in known.items()
        }
        """For each kind of net what it found here or in earlier positions, where more was left."""

    @classmethod
    def of(
        cls,
        grid: Grid,
        *,
        given: int | None = None,
        removed: Iterable[tuple[int, int]] = (),
        solution: tuple[int, ...] | None = None,
    ) -> Position:
        """The position of a grid.

        `given` are the cells of the puzzle's givens; None: all cells with a digit. `removed` are
        the candidates, (cell, digit), that are known to be wrong. `solution` has the digits of all
        cells, if they are known.
        """
        tables = geometry(grid.layout)
        values = grid.cells
        filled = 0
        planes = list(tables.allowed)
        peers = tables.peers
        for cell, value in enumerate(values):
            if value:
                filled |= 1 << cell
                planes[value] &= ~peers[cell]
        if tables.crossed:
            _uncross(tables, planes, {cell: value for cell, value in enumerate(values) if value})
        for digit in tables.digits:
            planes[digit] &= ~filled
        for cell, digit in removed:
            planes[digit] &= ~(1 << cell)
        unsolved = tables.all_cells & ~filled
        found = cls(tables, list(values), planes, filled if given is None else given, unsolved)
        found.solution = solution
        return found

    def after(self, changes: Changes) -> Position:
        """The position after these changes."""
        values = list(self.values)
        planes = [plane & ~gone for plane, gone in zip(self.planes, changes.removed, strict=True)]
        peers = self.tables.peers
        filled = 0
        for cell, digit in changes.placed.items():
            values[cell] = digit
            filled |= 1 << cell
            planes[digit] &= ~peers[cell]
        if filled:
            if self.tables.crossed:
                _uncross(self.tables, planes, changes.placed)
            keep = ~filled
            planes = [plane & keep for plane in planes]
        unsolved = self.unsolved & ~filled
        return Position(self.tables, values, planes, self.given, unsolved, self)

    @property
    def is_solved(self) -> bool:
        """Whether every cell has a digit."""
        return not self.unsolved

    @cached_property
    def candidates(self) -> list[int]:
        """For each cell the digits it may hold, bit d for digit d; 0 if it is solved."""
        found = [0] * self.tables.size
        for digit in self.tables.digits:
            bit = 1 << digit
            for cell in bits(self.planes[digit]):
                found[cell] |= bit
        return found

    @cached_property
    def flat(self) -> int:
        """All candidates as one set: bit (digit - 1) * cells + cell."""
        size, whole = self.tables.size, 0
        for digit in reversed(self.tables.digits):
            whole = whole << size | self.planes[digit]
        return whole

    @cached_property
    def true(self) -> int:
        """The candidates that are the digits of the solved cells, as in `flat`."""
        size = self.tables.size
        return sum(
            1 << (value - 1) * size + cell for cell, value in enumerate(self.values) if value
        )

    @cached_property
    def bivalue(self) -> int:
        """The cells with exactly two candidates."""
        once = twice = more = 0
        for plane in self.planes:
            more |= twice & plane
            twice |= once & plane
            once |= plane
        return twice & ~more

    @cached_property
    def counts(self) -> list[int]:
        """For each cell its number of candidates."""
        return [mask.bit_count() for mask in self.candidates]

    @cached_property
    def pairs(self) -> list[list[Pair]]:
        """For each digit its conjugate pairs, house by house (two cells may pair in two houses)."""
        found: list[list[Pair]] = [[]]
        for digit in self.tables.digits:
            plane = self.planes[digit]
            here = []
            for house, mask in enumerate(self.tables.houses):
                both = plane & mask
                if both and (rest := both & (both - 1)) and not rest & (rest - 1):
                    low = (both ^ rest).bit_length() - 1
                    here.append(Pair(digit, house, low, rest.bit_length() - 1))
            found.append(here)
        return found

    @cached_property
    def linked(self) -> list[dict[int, int]]:
        """For each digit and each cell of its conjugate pairs the other cells of these pairs."""
        found: list[dict[int, int]] = []
        for pairs in self.pairs:
            ends: dict[int, int] = {}
            for pair in pairs:
                ends[pair.first] = ends.get(pair.first, 0) | 1 << pair.second
                ends[pair.second] = ends.get(pair.second, 0) | 1 << pair.first
            found.append(ends)
        return found

    @cached_property
    def digits_of(self) -> list[tuple[int, ...]]:
        """For each cell its candidates in ascending order."""
        return [tuple(bits(mask)) for mask in self.candidates]

    def groups(self, house: int, limit: int) -> list[tuple[int, int]]:
        """The unsolved cells of a house with 2 to `limit` candidates: (cell, candidates)."""
        candidates = self.candidates
        return [
            (cell, mask)
            for cell in bits(self.tables.houses[house] & self.unsolved)
            if 2 <= (mask := candidates[cell]).bit_count() <= limit
        ]

    def subsets(self, house: int, size: int) -> list[tuple[tuple[int, ...], int]]:
        """The sets of `size` cells of a house that have `size` candidates: (cells, candidates)."""
        members = self.groups(house, size)
        if len(members) < size:
            return []
        if size == 2:
            return [
                ((first, second), one)
                for (first, one), (second, two) in combinations(members, 2)
                if one == two
            ]
        found: list[tuple[tuple[int, ...], int]] = []

        def grow(start: int, chosen: tuple[int, ...], union: int) -> None:
            if len(chosen) == size:
                found.append((chosen, union))
                return
            for at in range(start, len(members)):
                cell, mask = members[at]
                if (union | mask).bit_count() <= size:
                    grow(at + 1, (*chosen, cell), union | mask)

        grow(0, (), 0)
        return found
