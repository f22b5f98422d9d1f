"""Hypothesis strategies for small kinds of Sudoku: a layout, and rules for the oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from hypothesis import strategies as st
from rules_oracle import fillings, keeps

from sudoku import Layout, layouts, rules

Cell = tuple[int, int]
Spec = tuple[Any, ...]
Kind = tuple[Layout, list[Spec]]
Larger = tuple[Layout, list[Spec], list[dict[Cell, int]], dict[Cell, int]]

CELLS = [(row, column) for row in range(1, 5) for column in range(1, 5)]
FIVES = [
    "11122 13122 33342 35444 55554",
    "11223 14223 14425 13435 55345",
    "11222 11223 14333 44553 44555",
]
"""Regions of side 5, with 2040, 360 and 3600 grids."""
SIXES = {
    "111222 111222 333444 333444 555666 555666": (2, 3),
    "112233 112233 112233 445566 445566 445566": (3, 2),
    "111222 113222 133344 553344 556644 556666": None,
}
"""Regions of side 6, and the shape of the boxes that they are."""
MANY = 300
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
RULES = ["even", "marks", "thermometer", "greater", "dots"]
RULES += ["arrow", "pill", "total", "cage", "unique"]
"""What `some_rules` draws."""
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


def pairs_of(places: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Those with a common edge, once each."""
    return [
        (a, b) for a in places for b in places if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    ]


@st.composite
def some_rules(
    draw: st.DrawFn, values: dict[Cell, int], name: str | None = None
) -> list[tuple[rules.Rule, Spec]]:
    """A rule, or a few that belong together; most of them the given grid keeps."""
    name = name or draw(st.sampled_from([*RULES, "cage", "cage"]))
    slip = draw(st.sampled_from([0, 0, 0, 0, 1, -1]))
    side, places = max(values.values()), sorted(values)

    def lists_of_cells(least: int, most: int) -> st.SearchStrategy[list[Cell]]:
        return st.lists(st.sampled_from(places), min_size=least, max_size=most, unique=True)

    if name == "even":
        cells = draw(lists_of_cells(1, 5))
        even = [cell for cell in cells if values[cell] % 2 == 0]
        return [(rules.Allowed(dict.fromkeys(even, range(2, side + 1, 2))), ("even", even))]
    if name == "marks":
        cells = draw(lists_of_cells(1, 8))
        digits = st.sets(st.integers(1, side), min_size=1)
        marks = {cell: {values[cell]} | draw(digits) for cell in cells}
        return [(rules.Allowed(marks), ("marks", marks))]
    if name == "thermometer":
        cells = draw(lists_of_cells(2, 4))
        cells.sort(key=lambda cell: values[cell])
        return [(rules.Thermometer(cells), ("thermometer", cells))]
    if name == "greater":
        b, a = sorted(draw(lists_of_cells(2, 2)), key=lambda cell: values[cell])
        return [(rules.Greater(a, b), ("greater", a, b))]
    if name == "dots":
        return _dots(values, draw(st.lists(st.sampled_from(pairs_of(places)), max_size=5)), draw)
    if name == "arrow":
        circle, *path = draw(lists_of_cells(2, 5))
        length = sum(values[cell] for cell in path)
        circle = next((c for c in places if c not in path and values[c] == length), circle)
        return [(rules.Arrow(circle, path), ("arrow", [circle], path))]
    if name == "pill":
        one, two, *path = draw(lists_of_cells(7, 12))
        return [(rules.Arrow([one, two], path), ("arrow", [one, two], path))]
    if name == "total":
        cells = draw(lists_of_cells(1, 9))
        amount = min(side * len(cells), max(len(cells), sum(values[c] for c in cells) + slip))
        return [(rules.LittleKiller(amount, cells), ("total", amount, cells))]
    cells = draw(lists_of_cells(2, 4))
    if name == "unique":
        return [(rules.Unique(cells), ("unique", cells))]
    if draw(st.integers(0, 9)) == 0:
        return [(rules.Cage(None, cells), ("cage", None, cells))]
    cells = list({values[cell]: cell for cell in cells}.values())  # of each digit one
    least = len(cells) * (len(cells) + 1) // 2
    most = len(cells) * (2 * side + 1 - len(cells)) // 2
    amount = min(most, max(least, sum(values[c] for c in cells) + slip))
    return [(rules.Cage(amount, cells), ("cage", amount, cells))]


def _dots(
    values: dict[Cell, int], pairs: list[tuple[Cell, Cell]], draw: st.DrawFn
) -> list[tuple[rules.Rule, Spec]]:
    found: list[tuple[rules.Rule, Spec]] = []
    dotted = []
    for a, b in dict.fromkeys(pairs):
        if abs(values[a] - values[b]) == 1:
            found.append((rules.Dot("white", a, b), ("white", a, b)))
        elif values[a] in (2 * values[b], values[b] / 2):
            found.append((rules.Dot("black", b, a), ("black", a, b)))
        else:
            continue
        dotted.append((a, b))
    if draw(st.integers(0, 3)) == 0:
        found.append((rules.NoMoreDots(dotted), ("no more dots", dotted)))
    return found


@st.composite
def kinds(draw: st.DrawFn, squares: list[dict[Cell, int]]) -> Kind:
    """A layout with rules, and the same as the oracle has them."""
    layout, specs = draw(bases())
    values = draw(st.sampled_from(squares))
    chosen: list[rules.Rule] = []
    for _ in range(draw(st.integers(0, 4))):
        for rule, spec in draw(some_rules(values)):
            if not any(
                isinstance(rule, rules.Allowed) and isinstance(r, rules.Allowed) for r in chosen
            ):
                chosen.append(rule)
                specs = [*specs, spec]
    return layout.with_rules(*chosen), specs


@st.composite
def larger_kinds(
    draw: st.DrawFn,
) -> tuple[Layout, list[Spec], list[dict[Cell, int]], dict[Cell, int]]:
    """One of 5x5 or 6x6 with two or three sorts of rules.

    With it come the givens that it is asked with, and all grids that keep rows, columns, regions
    and givens: the solutions are those of them that keep the rules.
    """
    layout, full, grids, givens = draw(jigsaws())
    chosen: list[rules.Rule] = []
    specs: list[Spec] = []
    for name in draw(st.lists(st.sampled_from(sorted(EXTRA)), max_size=1)):
        if keeps(full, (name,)) or draw(st.integers(0, 3)) == 0:
            layout, specs = EXTRA[name](layout), [*specs, (name,)]
    for _ in range(draw(st.integers(1, 5))):
        for rule, spec in draw(some_rules(full)):
            if not any(
                isinstance(rule, rules.Allowed) and isinstance(r, rules.Allowed) for r in chosen
            ):
                chosen.append(rule)
                specs.append(spec)
    return layout.with_rules(*chosen), specs, grids, givens


@st.composite
def jigsaws(
    draw: st.DrawFn,
) -> tuple[Layout, dict[Cell, int], list[dict[Cell, int]], dict[Cell, int]]:
    """Regions, a full grid, all that have some of its digits, and these."""
    if draw(st.booleans()):
        text = draw(st.sampled_from(FIVES))
        full = draw(st.sampled_from(every_filling(text)))
        givens = {
            cell: full[cell] for cell in draw(st.sets(st.sampled_from(sorted(full)), max_size=6))
        }
        grids = [grid for grid in every_filling(text) if givens.items() <= grid.items()]
        return layouts.jigsaw(text), full, grids, givens
    text, box = draw(st.sampled_from(sorted(SIXES.items(), key=str)))
    full = draw(st.sampled_from(some_fillings(text)))
    order = draw(st.permutations(sorted(full)))
    number = draw(st.integers(9, 20))
    while True:  # as many givens as it takes to have few grids
        givens = {cell: full[cell] for cell in order[:number]}
        grids = list(islice(fillings(text, givens), MANY))
        if len(grids) < MANY:
            return Layout(*box) if box else layouts.jigsaw(text), full, grids, givens
        number += 2


@cache
def every_filling(text: str) -> list[dict[Cell, int]]:
    """All grids of these regions."""
    return list(fillings(text, {}))


@cache
def some_fillings(text: str) -> list[dict[Cell, int]]:
    """A few full grids of these regions, unlike each other."""
    return list(islice(fillings(text, {}), 0, 3000, 75))


@st.composite
def killers(draw: st.DrawFn, squares: list[dict[Cell, int]]) -> Kind:
    """A killer of 4x4, of which a given grid is a solution."""
    cages = draw(cages_of(draw(st.sampled_from(squares))))
    specs: list[Spec] = [("boxes", 2, 2), *(("cage", amount, cage) for amount, cage in cages)]
    return layouts.killer(cages, base=Layout(2, 2)), specs


@st.composite
def jigsaw_killers(draw: st.DrawFn) -> Larger:
    """A killer of side 5 or 6, on regions of any shape; some cells may be in no cage."""
    layout, full, grids, givens = draw(jigsaws())
    cages = draw(cages_of(full))
    dropped = draw(st.sets(st.sampled_from(range(len(cages))), max_size=3))
    cages = [cage for number, cage in enumerate(cages) if number not in dropped]
    for name in draw(st.lists(st.sampled_from(sorted(EXTRA)), max_size=1)):
        if keeps(full, (name,)):
            layout = EXTRA[name](layout)
            grids = [grid for grid in grids if keeps(grid, (name,))]
    specs: list[Spec] = [("cage", amount, cage) for amount, cage in cages]
    return layouts.killer(cages, base=layout), specs, grids, givens


@st.composite
def cages_of(draw: st.DrawFn, values: dict[Cell, int]) -> list[tuple[int, list[Cell]]]:
    """Cages for all cells, with the sums that they have in a full grid."""
    left, cages = sorted(values), []
    for cell in sorted(values):
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
    return cages
