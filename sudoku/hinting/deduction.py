"""`Deduction`: what a technique finds in a position; `Deduction.step` makes a `Step` of it.

A rating takes thousands of deductions that are never shown. So the sentence and the pattern of a
deduction, its `Evidence`, are made only when `Deduction.step` needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.board.step import Candidate, Link, Mark, Pattern, Step
from sudoku.errors import listed
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Changes, Position

__all__ = ["Deduction", "Evidence", "changes_of", "names", "symbols"]

Removed = tuple[tuple[int, int], ...]


class Evidence(NamedTuple):
    """The reason for a deduction: half a sentence, and the pattern as cells and houses."""

    text: str
    """The first half of the sentence; `Deduction.step` adds what follows from it."""
    houses: tuple[int, ...] = ()
    """The indices of the houses."""
    marks: tuple[tuple[int, int, str], ...] = ()
    """(digit, cells, role)."""
    links: tuple[tuple[tuple[int, int], tuple[int, int], bool], ...] = ()
    """((digit, cells), (digit, cells), strong)."""
    details: tuple[tuple[str, int], ...] = ()
    """For nets: `Step.details`, each with the number of marks that it is about."""
    sets: tuple[int, ...] = ()
    """The cells of the almost locked set of each link, 0 for none; empty if there is none."""


class Deduction(NamedTuple):
    """One application of a technique: digits to place or candidates to remove."""

    technique: str
    cells: int
    """The cells of the pattern."""
    placed: tuple[tuple[int, int], ...]
    """The (cell, digit) to place."""
    removed: Removed
    """The (digit, cells) to remove: each digit once, no empty sets."""
    evidence: Callable[[], Evidence]
    """Makes the evidence."""

    def step(self, position: Position) -> Step:
        """The deduction as a step, with rows, columns, names and a sentence."""
        tables = position.tables
        places = tables.layout.positions
        evidence = self.evidence()
        removed = sorted(
            (*places[cell], digit) for digit, cells in self.removed for cell in bits(cells)
        )
        links = tuple(
            Link(
                _candidates(tables, source),
                _candidates(tables, target),
                strong,
                tuple(places[cell] for cell in bits(cells)),
            )
            for (source, target, strong), cells in zip(
                evidence.links, evidence.sets or (0,) * len(evidence.links), strict=True
            )
        )
        pattern = Pattern(
            tuple(tables.house_names[house] for house in evidence.houses),
            tuple(
                Mark(*places[cell], digit, role)
                for digit, cells, role in evidence.marks
                for cell in bits(cells)
            ),
            links,
            tuple(tables.house_words[house] for house in evidence.houses),
            tuple(count for _, count in evidence.details),
        )
        return Step(
            self.technique,
            tuple(places[cell] for cell in bits(self.cells)),
            tuple((*places[cell], digit) for cell, digit in self.placed),
            tuple(removed),
            evidence.text + self._follows(tables),
            pattern,
            tuple(words for words, _ in evidence.details),
        )

    def _follows(self, tables: Geometry) -> str:
        """The second half of the sentence: the candidates removed.

        Empty if a digit is placed: then the first half names it.
        """
        if not self.removed:
            return ""
        by_digits: dict[int, int] = {}
        for digit, cells in self.removed:
            for cell in bits(cells):
                by_digits[cell] = by_digits.get(cell, 0) | 1 << digit
        together: dict[int, int] = {}
        for cell, digits in by_digits.items():
            together[digits] = together.get(digits, 0) | 1 << cell
        parts = [
            f"{names(tables, cells, 'and')} cannot be {symbols(digits, 'or')}"
            for digits, cells in sorted(together.items())
        ]
        return f", so {listed(parts, 'and')}"


def _candidates(tables: Geometry, node: tuple[int, int]) -> tuple[Candidate, ...]:
    digit, cells = node
    return tuple((*tables.layout.positions[cell], digit) for cell in bits(cells))


def changes_of(position: Position, deductions: Iterable[Deduction]) -> Changes:
    """The digits that these deductions place and the candidates that they remove, together."""
    whole = Changes(position.tables.side)
    for deduction in deductions:
        whole.placed.update(deduction.placed)
        for digit, cells in deduction.removed:
            whole.removed[digit] |= cells
    return whole


def names(tables: Geometry, cells: int, last: str = "and") -> str:
    """The names of a set of cells, as a list in words."""
    return listed([tables.names[cell] for cell in bits(cells)], last)


def symbols(digits: int, last: str = "and") -> str:
    """The symbols of a set of digits, as a list in words.

    >>> symbols(0b10110)
    '1, 2 and 4'
    """
    return listed([symbol(digit) for digit in bits(digits)], last)
