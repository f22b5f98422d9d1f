"""Functions that add rules to a layout, `base`; by default to the classic 9x9."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TypeVar

from sudoku.board.cells import (
    BLANKS,
    SYMBOLS,
    Cell,
    cell_name,
    checked_cells,
    checked_list,
    checked_pairs,
)
from sudoku.board.layout import Layout, checked_layout
from sudoku.board.parse import plain_zeros
from sudoku.errors import LayoutError, counted, shown
from sudoku.rules import (
    Allowed,
    AntiTaxicab,
    Apart,
    Arrow,
    Cage,
    DiagonalNonConsecutive,
    Dot,
    GlobalEntropy,
    GlobalModular,
    Greater,
    LittleKiller,
    NoMoreDots,
    NonConsecutive,
    Rule,
    Thermometer,
)
from sudoku.rules.apart import CORNERS, KING, KNIGHT

__all__ = [
    "anti_king",
    "anti_knight",
    "anti_taxicab",
    "arrows",
    "diagonal_non_consecutive",
    "even_odd",
    "global_entropy",
    "global_modular",
    "inequalities",
    "killer",
    "kropki",
    "little_killer",
    "non_consecutive",
    "non_touching",
    "sukaku",
    "thermometers",
]

R = TypeVar("R", bound=Rule)

Cells = Iterable[Cell | str] | str


def anti_knight(base: Layout | None = None) -> Layout:
    """Adds the rule that cells a knight's move apart have different digits.

    >>> anti_knight()
    <Layout anti-knight: side 9, 81 cells, 27 houses, 1 rule>
    """
    return _with(base, Apart(KNIGHT), name="anti-knight")


def anti_king(base: Layout | None = None) -> Layout:
    """Adds the rule that cells a king's move apart have different digits."""
    return _with(base, Apart(KING), name="anti-king")


def non_touching(base: Layout | None = None) -> Layout:
    """Adds the rule that equal digits do not touch at a corner.

    The same as `anti_king` in layouts whose rows and columns are houses.
    """
    return _with(base, Apart(CORNERS), name="non-touching")


def non_consecutive(base: Layout | None = None) -> Layout:
    """Adds the rule that cells with a common edge have digits that differ by at least 2."""
    return _with(base, NonConsecutive(), name="non-consecutive")


def diagonal_non_consecutive(base: Layout | None = None) -> Layout:
    """Adds the rule that cells that touch at a corner do not have consecutive digits."""
    return _with(base, DiagonalNonConsecutive(), name="diagonal-non-consecutive")


def anti_taxicab(base: Layout | None = None) -> Layout:
    """Adds the rule that two cells with the digit n are not n steps from each other."""
    return _with(base, AntiTaxicab(), name="anti-taxicab")


def global_entropy(base: Layout | None = None) -> Layout:
    """Adds the rule that every 2x2 cells have a low, a middle and a high digit.

    >>> global_entropy().rules
    (GlobalEntropy(3),)

    Raises `LayoutError` if the side is no multiple of 3.
    """
    layout = checked_layout(base)
    rule = GlobalEntropy(max(1, layout.side // 3))
    return layout.with_rules(rule, name="global-entropy")


def global_modular(base: Layout | None = None) -> Layout:
    """Adds the rule that every 2x2 cells have digits with all remainders modulo 3."""
    return _with(base, GlobalModular(), name="global-modular")


def even_odd(even: Cells = (), odd: Cells = (), base: Layout | None = None) -> Layout:
    """Adds the rule that some cells have even digits and some have odd ones.

    >>> even_odd(even="r1c1 r1c2", odd=[(2, 2)])
    <Layout even-odd: side 9, 81 cells, 27 houses, 1 rule>

    Raises `LayoutError` if a cell is marked twice.
    """
    layout = checked_layout(base)
    digits = range(1, layout.side + 1)
    marks: list[tuple[Cell | str, Iterable[int]]] = []
    for cells, parity in ((even, 0), (odd, 1)):
        marks += [
            (cell, [digit for digit in digits if digit % 2 == parity])
            for cell in checked_cells(cells)
        ]
    return layout.with_rules(Allowed(marks), name="even-odd")


def sukaku(marks: str, base: Layout | None = None) -> Layout:
    """Adds pencil marks for every cell.

    `marks` has a character for each digit of each cell: the digit if the cell may have it,
    otherwise a blank. White space is ignored.

    >>> sukaku("12.. .... 1234 .2.4".replace("....", "..3.") * 4, base=Layout(2, 2))
    <Layout sukaku: side 4, 16 cells, 12 houses, 1 rule>
    """
    layout = checked_layout(base)
    if not isinstance(marks, str):
        raise LayoutError(f"{shown(marks)} are not pencil marks; expected a string")
    side, text = layout.side, plain_zeros("".join(marks.split()), layout.side)
    if len(text) != side * layout.size:
        raise LayoutError(
            f"pencil marks of {counted(len(text), 'character')}; "
            f"those of {layout} have {side * layout.size}"
        )
    found = []
    for cell, start in zip(layout.positions, range(0, len(text), side), strict=True):
        digits = []
        for digit, character in enumerate(text[start : start + side], 1):
            if character.upper() == SYMBOLS[digit - 1]:
                digits.append(digit)
            elif character not in BLANKS:
                raise LayoutError(
                    f"{character!r} among the marks of {cell_name(*cell)}; "
                    f"write {SYMBOLS[digit - 1]!r} or a blank here"
                )
        found.append((cell, digits))
    return layout.with_rules(Allowed(found), name="sukaku")


def thermometers(lines: Iterable[Cells], base: Layout | None = None) -> Layout:
    """Adds thermometers: lines of cells along which the digits rise.

    >>> thermometers(["r1c1 r2c2 r3c3"])
    <Layout thermometers: side 9, 81 cells, 27 houses, 1 rule>

    Raises `LayoutError` if they form a cycle, alone or with thermometers and inequalities of the
    base.
    """
    rules = [Thermometer(line) for line in checked_list(lines, "thermometers")]
    _refuse_circles(_joined(base, rules, Thermometer))
    return _with(base, *rules, name="thermometers")


def inequalities(
    pairs: Iterable[tuple[Cell | str, Cell | str]], base: Layout | None = None
) -> Layout:
    """Adds the rule that the first cell of each pair has a larger digit than the second.

    >>> inequalities([("r1c1", "r1c2"), ((1, 2), (1, 3))])
    <Layout inequalities: side 9, 81 cells, 27 houses, 2 rules>

    Raises `LayoutError` if they form a cycle, alone or with inequalities and thermometers of the
    base.
    """
    rules: list[Thermometer] = [
        Greater(*pair) for pair in checked_pairs(pairs, "inequalities (two cells)")
    ]
    _refuse_circles(_joined(base, rules, Thermometer))
    return _with(base, *rules, name="inequalities")


def kropki(
    white: Iterable[tuple[Cell | str, Cell | str]] = (),
    black: Iterable[tuple[Cell | str, Cell | str]] = (),
    *,
    negative: bool = False,
    base: Layout | None = None,
) -> Layout:
    """Adds white dots between consecutive digits, and black dots between a digit and its double.

    With `negative`, neighbours without a dot are neither; the dots of the base count as well.

    >>> kropki(white=[("r1c1", "r1c2")], black=[("r1c2", "r1c3")], negative=True)
    <Layout kropki: side 9, 81 cells, 27 houses, 3 rules>

    Raises `LayoutError` if a pair has two dots, if its cells are not neighbours, or if the base
    excludes a dot there.
    """
    dots = [
        Dot(color, *pair)
        for color, pairs in (("white", white), ("black", black))
        for pair in checked_pairs(pairs, f"{color} dots (two cells)")
    ]
    every = _joined(base, dots, Dot)
    for dot in dots:
        (r1, c1), (r2, c2) = dot.cells
        if abs(r1 - r2) + abs(c1 - c2) != 1:
            raise LayoutError(f"a dot {_between(dot)}, which have no common edge")
    _refuse_wrong_dots(every, _joined(base, (), NoMoreDots))
    rules: list[Rule] = [*dots]
    if negative:
        rules.append(NoMoreDots(dot.cells for dot in every))
    return _with(base, *rules, name="kropki")


def arrows(
    lines: Iterable[tuple[Cell | str | Iterable[Cell | str], Cells]], base: Layout | None = None
) -> Layout:
    """Adds arrows, pairs of circle and path: the path's digits add up to the digit in the circle.

    >>> arrows([("r1c1", "r1c2 r1c3")])
    <Layout arrows: side 9, 81 cells, 27 houses, 1 rule>
    """
    pairs = checked_pairs(lines, "arrows (circle and path)")
    return _with(base, *(Arrow(circle, path) for circle, path in pairs), name="arrows")


def little_killer(clues: Iterable[tuple[int, Cells]], base: Layout | None = None) -> Layout:
    """Adds clues, pairs of sum and cells: the cells, usually a diagonal, have that sum.

    >>> little_killer([(12, "r1c2 r2c1")])
    <Layout little-killer: side 9, 81 cells, 27 houses, 1 rule>
    """
    pairs = checked_pairs(clues, "clues (sum and cells)")
    rules = (LittleKiller(total, cells) for total, cells in pairs)
    return _with(base, *rules, name="little-killer")


def killer(cages: Iterable[tuple[int | None, Cells]], base: Layout | None = None) -> Layout:
    """Adds cages, pairs of sum (or None) and cells: different digits that have that sum.

    >>> killer([(3, "r1c1 r1c2"), (None, "r2c1 r2c2")], base=Layout(2, 2))
    <Layout killer: side 4, 16 cells, 12 houses, 2 rules>

    Raises `LayoutError` for cages that overlap each other or cages of the base, that are not in the
    grid, or that cannot have their sum.
    """
    pairs = checked_pairs(cages, "cages (sum and cells)")
    rules = [Cage(total, cells) for total, cells in pairs]
    every = _joined(base, rules, Cage)
    seen: dict[Cell, Cage] = {}
    for rule in every:
        for cell in rule.cells:
            if cell in seen:
                raise LayoutError(f"{cell_name(*cell)} is in two cages: {seen[cell]}; {rule}")
            seen[cell] = rule
    layout = _with(base, *rules, name="killer")
    _refuse_wrong_total(layout, every)
    return layout


def _with(base: Layout | None, *rules: Rule, name: str) -> Layout:
    return checked_layout(base).with_rules(*rules, name=name)


def _joined(base: Layout | None, new: Iterable[R], kind: type[R]) -> list[R]:
    """The base's rules of that kind and the new ones, without duplicates."""
    rules = list(new)
    old = checked_layout(base).rules
    return [*(rule for rule in old if isinstance(rule, kind) and rule not in rules), *rules]


def _refuse_wrong_dots(dots: Iterable[Dot], no_more: Iterable[NoMoreDots]) -> None:
    seen: set[object] = set()
    for dot in dots:
        if dot.cells in seen:
            raise LayoutError(f"two dots {_between(dot)}")
        if any(dot.cells not in rule.pairs for rule in no_more):
            raise LayoutError(f"a dot {_between(dot)}, where the base excludes more dots")
        seen.add(dot.cells)


def _between(dot: Dot) -> str:
    return f"between {cell_name(*dot.first)} and {cell_name(*dot.second)}"


def _refuse_circles(rules: Iterable[Thermometer]) -> None:
    below: dict[Cell, list[Cell]] = {}
    kinds: dict[tuple[Cell, Cell], str] = {}
    for rule in rules:
        for smaller, larger in pairwise(rule.cells):
            below.setdefault(larger, []).append(smaller)
            kinds[larger, smaller] = "inequalities" if isinstance(rule, Greater) else "thermometers"
    done: set[Cell] = set()
    for start in below:
        path, stack = [start], [iter(below[start])]
        while stack and start not in done:
            cell = next(stack[-1], None)
            if cell is None:
                stack.pop()
                done.add(path.pop())
            elif cell in path:
                circle = [*path[path.index(cell) :], cell]
                names = " > ".join(cell_name(*cell) for cell in circle)
                both = " and ".join(sorted({kinds[pair] for pair in pairwise(circle)}))
                raise LayoutError(f"{both} form a cycle: {names}")
            elif cell not in done and cell in below:
                path.append(cell)
                stack.append(iter(below[cell]))


def _refuse_wrong_total(layout: Layout, cages: Iterable[Cage]) -> None:
    """Raises `LayoutError` if cages fill the square but do not have the sum of all its digits."""
    known = [(cage.total, len(cage.cells)) for cage in cages if cage.total is not None]
    side = layout.side
    expected = side * side * (side + 1) // 2
    total = sum(total for total, _ in known)
    if layout.is_square and sum(n for _, n in known) == layout.size and total != expected:
        raise LayoutError(f"the cages have a total sum of {total}; it must be {expected}")
