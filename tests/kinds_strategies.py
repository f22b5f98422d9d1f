"""Hypothesis strategies for kinds of Sudoku on 4x4 cells: a layout, and rules for the oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from sudoku import Layout, layouts
from sudoku.rules import (
    Allowed,
    Arrow,
    Cage,
    Dot,
    Greater,
    LittleKiller,
    NoMoreDots,
    Rule,
    Thermometer,
    Unique,
)

Cell = tuple[int, int]
Spec = tuple[Any, ...]
Kind = tuple[Layout, list[Spec]]

CELLS = [(row, column) for row in range(1, 5) for column in range(1, 5)]
PAIRS = [(a, b) for a in CELLS for b in CELLS if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
REGIONS = [
    "1112 1222 3334 3444",
    "1122 1122 3344 3344",
    "1112 3122 3342 3444",
    "1111 2233 2233 4444",
    "1222 1123 1433 4443",
]
EXTRA: dict[str, Callable[[Layout | None], Layout]] = {
    "diagonal": layouts.diagonal,
    "anti-knight": layouts.anti_knight,
    "anti-king": layouts.anti_king,
    "non-touching": layouts.non_touching,
    "non-consecutive": layouts.non_consecutive,
}
BOXED: dict[str, Callable[[Layout | None], Layout]] = {
    "hyper": layouts.hyper,
    "disjoint-groups": layouts.disjoint_groups,
}


@st.composite
def bases(draw: st.DrawFn) -> Kind:
    """Latin squares, boxes or regions, perhaps with more houses or rules for all cells."""
    choice = draw(st.integers(0, 3))
    layout, specs = layouts.latin(4), list[Spec]()
    extra = dict(EXTRA)
    if choice == 1:
        regions = draw(st.sampled_from(REGIONS))
        layout, specs = layouts.jigsaw(regions), [("regions", regions)]
    elif choice > 1:
        layout, specs = Layout(2, 2), [("boxes", 2, 2)]
        extra |= BOXED
    for name in draw(st.lists(st.sampled_from(sorted(extra)), max_size=2, unique=True)):
        if draw(st.booleans()):
            layout, specs = extra[name](layout), [*specs, (name,)]
    return layout, specs


def lists_of_cells(least: int, most: int) -> st.SearchStrategy[list[Cell]]:
    return st.lists(st.sampled_from(CELLS), min_size=least, max_size=most, unique=True)


@st.composite
def some_rules(draw: st.DrawFn, values: dict[Cell, int]) -> list[tuple[Rule, Spec]]:
    """A rule, or a few that belong together; most of them the given grid keeps."""
    name = draw(
        st.sampled_from(
            [
                "even",
                "marks",
                "thermometer",
                "greater",
                "dots",
                "arrow",
                "pill",
                "total",
                "cage",
                "cage",
                "cage",
                "unique",
            ]
        )
    )
    slip = draw(st.sampled_from([0, 0, 0, 0, 1, -1]))
    if name == "even":
        cells = draw(lists_of_cells(1, 5))
        even = [cell for cell in cells if values[cell] % 2 == 0]
        return [(Allowed(dict.fromkeys(even, (2, 4))), ("even", even))]
    if name == "marks":
        cells = draw(lists_of_cells(1, 8))
        digits = st.sets(st.integers(1, 4), min_size=1)
        marks = {cell: {values[cell]} | draw(digits) for cell in cells}
        return [(Allowed(marks), ("marks", marks))]
    if name == "thermometer":
        cells = draw(lists_of_cells(2, 4))
        cells.sort(key=lambda cell: values[cell])
        return [(Thermometer(cells), ("thermometer", cells))]
    if name == "greater":
        b, a = sorted(draw(lists_of_cells(2, 2)), key=lambda cell: values[cell])
        return [(Greater(a, b), ("greater", a, b))]
    if name == "dots":
        return _dots(values, draw(st.lists(st.sampled_from(PAIRS), max_size=5)), draw)
    if name == "arrow":
        circle, *path = draw(lists_of_cells(2, 5))
        return [(Arrow(circle, path), ("arrow", [circle], path))]
    if name == "pill":
        one, two, *path = draw(lists_of_cells(7, 12))
        return [(Arrow([one, two], path), ("arrow", [one, two], path))]
    if name == "total":
        cells = draw(lists_of_cells(1, 9))
        amount = min(4 * len(cells), max(len(cells), sum(values[c] for c in cells) + slip))
        return [(LittleKiller(amount, cells), ("total", amount, cells))]
    cells = draw(lists_of_cells(2, 4))
    if name == "unique":
        return [(Unique(cells), ("unique", cells))]
    if draw(st.integers(0, 9)) == 0:
        return [(Cage(None, cells), ("cage", None, cells))]
    cells = list({values[cell]: cell for cell in cells}.values())  # of each digit one
    least = len(cells) * (len(cells) + 1) // 2
    most = len(cells) * (9 - len(cells)) // 2
    amount = min(most, max(least, sum(values[c] for c in cells) + slip))
    return [(Cage(amount, cells), ("cage", amount, cells))]


def _dots(
    values: dict[Cell, int], pairs: list[tuple[Cell, Cell]], draw: st.DrawFn
) -> list[tuple[Rule, Spec]]:
    found: list[tuple[Rule, Spec]] = []
    dotted = []
    for a, b in dict.fromkeys(pairs):
        if abs(values[a] - values[b]) == 1:
            found.append((Dot("white", a, b), ("white", a, b)))
        elif values[a] in (2 * values[b], values[b] / 2):
            found.append((Dot("black", b, a), ("black", a, b)))
        else:
            continue
        dotted.append((a, b))
    if draw(st.integers(0, 3)) == 0:
        found.append((NoMoreDots(dotted), ("no more dots", dotted)))
    return found


@st.composite
def kinds(draw: st.DrawFn, squares: list[dict[Cell, int]]) -> Kind:
    """A layout with rules, and the same as the oracle has them."""
    layout, specs = draw(bases())
    values = draw(st.sampled_from(squares))
    rules: list[Rule] = []
    for _ in range(draw(st.integers(0, 4))):
        for rule, spec in draw(some_rules(values)):
            if not any(isinstance(rule, Allowed) and isinstance(r, Allowed) for r in rules):
                rules.append(rule)
                specs = [*specs, spec]
    return layout.with_rules(*rules), specs


@st.composite
def killers(draw: st.DrawFn, squares: list[dict[Cell, int]]) -> Kind:
    """A killer of 4x4, of which a given grid is a solution."""
    values = draw(st.sampled_from(squares))
    left, cages = list(CELLS), []
    for cell in CELLS:
        if cell in left:
            cage = [cell]
            for _ in range(draw(st.integers(0, 3))):
                near = [
                    b
                    for b in left
                    if b not in cage
                    and values[b] not in [values[c] for c in cage]
                    and any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a in cage)
                ]
                if near:
                    cage.append(draw(st.sampled_from(near)))
            left = [b for b in left if b not in cage]
            cages.append((sum(values[c] for c in cage), cage))
    specs: list[Spec] = [("boxes", 2, 2), *(("cage", amount, cage) for amount, cage in cages)]
    return layouts.killer(cages, base=Layout(2, 2)), specs
