"""Functions that add lines of today's setters to a layout, `base`; by default the classic 9x9."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku.board.cells import Cell, checked_list, checked_pairs
from sudoku.board.layout import Layout, checked_layout
from sudoku.board.rule import LineRule
from sudoku.rules.lines.between import BetweenLine, LockoutLine
from sudoku.rules.lines.classes import EntropicLine, ModularLine, ParityLine
from sudoku.rules.lines.palindrome import Clone, Palindrome
from sudoku.rules.lines.sets import Nabner, Renban
from sudoku.rules.lines.sums import (
    DoubleArrow,
    EqualAreas,
    EqualSums,
    SumLine,
    Zipper,
    parts_by_box,
)
from sudoku.rules.lines.whisper import Whisper
from sudoku.rules.thermometer import SlowThermometer

__all__ = [
    "between_lines",
    "clones",
    "double_arrows",
    "entropic_lines",
    "equal_areas",
    "lockout_lines",
    "modular_lines",
    "nabner",
    "palindromes",
    "parity_lines",
    "region_sums",
    "renban",
    "slow_thermometers",
    "sum_lines",
    "whispers",
    "zippers",
]

Cells = Iterable[Cell | str] | str
Lines = Iterable[Cells]


def renban(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds renban lines: consecutive digits in any order, without a repeat.

    >>> renban(["r1c1 r1c2 r2c2"])
    <Layout renban: side 9, 81 cells, 27 houses, 1 rule>
    """
    return _with(base, lines, Renban, "renban")


def nabner(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds nabner lines: no two digits on a line are equal or consecutive."""
    return _with(base, lines, Nabner, "nabner")


def whispers(lines: Lines, least: int | None = None, base: Layout | None = None) -> Layout:
    """Adds whisper lines: neighbours differ by at least `least`, by default half of the side.

    On 9x9 the default is 5, for German whispers; Dutch whispers have 4.

    >>> whispers(["r1c1 r1c2 r2c2"]).rules
    (Whisper(5, ((1, 1), (1, 2), (2, 2))),)
    """
    layout = checked_layout(base)
    amount = (layout.side + 1) // 2 if least is None else least
    rules = [Whisper(amount, line) for line in checked_list(lines, "whispers")]
    return layout.with_rules(*rules, name="whispers")


def palindromes(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds palindromes: lines that read the same from both ends."""
    return _with(base, lines, Palindrome, "palindromes")


def clones(pairs: Iterable[tuple[Cells, Cells]], base: Layout | None = None) -> Layout:
    """Adds clones: pairs of groups of cells with the same digits, each in the same place.

    >>> clones([("r1c1 r1c2", "r5c5 r5c6")])
    <Layout clones: side 9, 81 cells, 27 houses, 1 rule>
    """
    rules = [Clone(*pair) for pair in checked_pairs(pairs, "clones (two groups of cells)")]
    return checked_layout(base).with_rules(*rules, name="clones")


def parity_lines(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds parity lines: odd and even digits alternate."""
    return _with(base, lines, ParityLine, "parity")


def modular_lines(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds modular lines: any three neighbours have different remainders modulo 3."""
    return _with(base, lines, ModularLine, "modular")


def entropic_lines(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds entropic lines: any three neighbours are a low, a middle and a high digit.

    Raises `LayoutError` if the side is no multiple of 3.
    """
    layout = checked_layout(base)
    low = max(1, layout.side // 3)
    rules = [EntropicLine(low, line) for line in checked_list(lines, "lines")]
    return layout.with_rules(*rules, name="entropic")


def between_lines(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds between lines: the digits inside are between the digits at the ends."""
    return _with(base, lines, BetweenLine, "between")


def lockout_lines(lines: Lines, least: int = 4, base: Layout | None = None) -> Layout:
    """Adds lockout lines: the digits at the ends differ by at least `least`, and the digits inside
    are neither between them nor equal to one of them.
    """
    rules = [LockoutLine(least, line) for line in checked_list(lines, "lines")]
    return checked_layout(base).with_rules(*rules, name="lockout")


def region_sums(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds region sum lines: the boxes divide a line into parts of the same sum.

    >>> region_sums(["r1c2 r1c3 r1c4"]).rules
    (EqualSums((((1, 2), (1, 3)), ((1, 4),))),)

    Raises `LayoutError` if the layout has neither boxes nor regions.
    """
    layout = checked_layout(base)
    rules = [EqualSums(parts_by_box(line, layout)) for line in checked_list(lines, "lines")]
    return layout.with_rules(*rules, name="region-sums")


def equal_areas(groups: Iterable[Iterable[Cells]], base: Layout | None = None) -> Layout:
    """Adds groups of areas: the digits in each area of a group, which may repeat, have one sum.

    >>> equal_areas([["r1c1 r1c2", "r5c5 r5c6", "r9c9"]])
    <Layout equal-areas: side 9, 81 cells, 27 houses, 1 rule>
    """
    rules = [EqualAreas(areas) for areas in checked_list(groups, "groups of areas")]
    return checked_layout(base).with_rules(*rules, name="equal-areas")


def sum_lines(lines: Lines, total: int = 10, base: Layout | None = None) -> Layout:
    """Adds sum lines (10-lines): a line consists of groups of neighbours with the sum `total`.

    >>> sum_lines(["r1c1 r1c2 r2c2"]).rules
    (SumLine(10, ((1, 1), (1, 2), (2, 2))),)
    """
    rules = [SumLine(total, line) for line in checked_list(lines, "lines")]
    return checked_layout(base).with_rules(*rules, name="sum-lines")


def zippers(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds zipper lines: cells equally far from the middle have the same sum, which is the digit in
    the middle if there is a cell.
    """
    return _with(base, lines, Zipper, "zipper")


def slow_thermometers(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds slow thermometers: from the bulb on, digits rise or stay equal."""
    rules = [SlowThermometer(line) for line in checked_list(lines, "lines")]
    return checked_layout(base).with_rules(*rules, name="slow-thermometers")


def double_arrows(lines: Lines, base: Layout | None = None) -> Layout:
    """Adds double arrows: the digits inside add up to the sum of the two ends."""
    return _with(base, lines, DoubleArrow, "double-arrows")


def _with(base: Layout | None, lines: Lines, kind: type[LineRule], name: str) -> Layout:
    rules = [kind(line) for line in checked_list(lines, "lines")]
    return checked_layout(base).with_rules(*rules, name=name)
