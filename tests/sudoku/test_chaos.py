"""Chaos construction: unknown regions, against all fillings with all divisions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from typing import Any
from xml.etree import ElementTree

import pytest
from format_examples import dumped, read_text
from hypothesis import given
from hypothesis import strategies as st

import dlx
import sudoku
from sudoku import Grid, LayoutError, layouts, rules
from sudoku.drawing.rule_text import rule_sentences
from sudoku.formats import Record, named
from sudoku.rules import ChaosRegions
from sudoku.rules.chaos import connected_regions
from sudoku.rules.check import check

Cell = tuple[int, int]
Pair = tuple[Cell, Cell]


# -- the oracle ----------------------------------------------------------------------------------


def is_connected(cells: frozenset[Cell]) -> bool:
    found, queue = set(), [min(cells)]
    while queue:
        cell = queue.pop()
        if cell in cells and cell not in found:
            found.add(cell)
            row, column = cell
            queue += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return len(found) == len(cells)


@cache
def partitions(side: int) -> list[list[frozenset[Cell]]]:
    """All divisions of a square into connected regions: of all sets of cells, the connected."""
    cells = [(row, column) for row in range(1, side + 1) for column in range(1, side + 1)]
    good = [c for c in map(frozenset, combinations(cells, side)) if is_connected(c)]

    def split(left: frozenset[Cell]) -> Iterator[list[frozenset[Cell]]]:
        if not left:
            yield []
        for region in good:
            if left and min(left) in region and region <= left:
                for rest in split(left - region):
                    yield [region, *rest]

    return list(split(frozenset(cells)))


@cache
def solutions(side: int) -> list[tuple[dict[Cell, int], list[frozenset[Cell]]]]:
    """All fillings of rows and columns with all divisions whose regions have every digit."""
    rows = list(permutations(range(1, side + 1)))
    squares: list[list[tuple[int, ...]]] = [[]]
    for _ in range(side):
        squares = [
            [*square, row]
            for square in squares
            for row in rows
            if all(a != b for other in square for a, b in zip(other, row, strict=True))
        ]
    found = []
    for square in squares:
        values = {(r, c): d for r, row in enumerate(square, 1) for c, d in enumerate(row, 1)}
        for division in partitions(side):
            if all(len({values[cell] for cell in region}) == side for region in division):
                found.append((values, division))
    return found


def fits(
    values: dict[Cell, int], division: list[frozenset[Cell]], apart: list[Pair], joined: list[Pair]
) -> bool:
    region_of = {cell: n for n, region in enumerate(division) for cell in region}
    return all(region_of[a] != region_of[b] for a, b in apart) and all(
        region_of[a] == region_of[b] for a, b in joined
    )


# -- the rule ------------------------------------------------------------------------------------


def test_the_regions_are_all_there_are() -> None:
    """Source of the numbers of divisions: OEIS A172477."""
    for side, divisions in ((1, 1), (2, 2), (3, 10), (4, 117), (5, 4006), (6, 451206)):
        regions = connected_regions(side)
        assert len(set(regions)) == len(regions)
        problem = dlx.Problem(range(side * side))
        for region in regions:
            problem.add_option([cell for cell in range(side * side) if region >> cell & 1])
        assert problem.count() == divisions
    assert len(partitions(4)) == 117


cells_4 = st.tuples(st.integers(1, 4), st.integers(1, 4))
pairs_4 = st.lists(st.tuples(cells_4, cells_4).filter(lambda p: p[0] != p[1]), max_size=3)


@given(pairs_4, pairs_4, st.dictionaries(cells_4, st.integers(1, 4), max_size=5))
def test_every_solution_is_found_once(
    apart: list[Pair], joined: list[Pair], givens: dict[Cell, int]
) -> None:
    layout = layouts.chaos(4, apart, joined)
    grid = Grid.from_cells(tuple(givens.get(cell, 0) for cell in layout.positions), layout)
    wanted = [
        (values, division)
        for values, division in solutions(4)
        if givens.items() <= values.items() and fits(values, division, apart, joined)
    ]
    assert sudoku.count(grid) == len(wanted)
    (rule,) = layout.rules
    assert isinstance(rule, ChaosRegions)
    for values, _ in wanted[:3]:
        assert not rule.broken(values)
        texts = list(rule.divisions(values))
        assert len(texts) == len(set(texts)) == sum(v == values for v, _ in wanted)
        for text in texts:  # each is a layout in which the digits are a solution
            solved = Grid.from_cells(
                tuple(values[c] for c in layout.positions), layouts.jigsaw(text)
            )
            assert solved.is_solved


def test_small_counts() -> None:
    for side in (2, 3):
        assert sudoku.count("." * side * side, layout=layouts.chaos(side)) == len(solutions(side))


def test_a_full_grid_without_a_division_is_broken() -> None:
    layout = layouts.chaos(3, joined=[("r1c1", "r1c2"), ("r1c1", "r2c1")])
    wrong = Grid("123 231 312", layout=layout)
    assert not wrong.is_solved  # r1c2 and r2c1 are both 2
    assert check(wrong)
    assert sudoku.count(wrong) == 0
    assert not layout.rules[0].broken({(1, 1): 1})


def test_other_rules_beside_it() -> None:
    base = layouts.chaos(4, apart=[("r1c1", "r1c2"), ("r2c2", "r3c2")])
    cage = rules.Cage(7, "r1c1 r1c2")
    wanted = sum(
        fits(values, division, [((1, 1), (1, 2)), ((2, 2), (3, 2))], [])
        and values[1, 1] + values[1, 2] == 7
        for values, division in solutions(4)
    )
    assert sudoku.count("." * 16, layout=base.with_rules(cage)) == wanted


BORDERS = [("r1c1", "r2c1"), ("r1c1", "r1c2"), ("r5c3", "r5c4")]


def test_solutions_with_the_same_digits_differ_in_their_regions() -> None:
    full = sudoku.solve("." * 16, layout=layouts.chaos(4)).line
    verdict = sudoku.judge(full, layout=layouts.chaos(4))
    assert verdict.kind == "not unique"
    assert str(verdict).endswith("; two have the same digits in other regions")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: layouts.chaos(10), "of side 10; it must be from 1 to 9"),
        (lambda: layouts.chaos(9), "of 302,574 forms and places; at most 50,000"),
        (lambda: layouts.chaos(4, apart=[("r1c1", "r5c1")]), "r5c1, which is not in the grid"),
        (lambda: layouts.chaos(4, apart=[("r1c1", "r1c2", "r1c3")]), "is not a pair of cells"),
        (lambda: layouts.chaos(4, joined=[("r1c1", "r1c1")]), "has r1c1 twice"),
        (lambda: layouts.chaos(4, joined=5), "5 is not a list of cells"),  # type: ignore[arg-type]
        (lambda: layouts.samurai().with_rules(ChaosRegions(9)), "need a square grid"),
        (lambda: layouts.latin(4).with_rules(ChaosRegions(3)), "of side 3 need a square grid"),
    ],
)
def test_what_is_no_chaos(make: Any, words: str) -> None:
    with pytest.raises(LayoutError) as caught:
        make()
    assert words in str(caught.value)


def test_files_pictures_and_words() -> None:
    layout = layouts.chaos(6, BORDERS, joined=[("r1c2", "r1c3"), ("r6c6", "r4c6")])
    record = Record(Grid.from_cells((0,) * 36, layout))
    for name in ("json", "share"):
        (again,) = read_text(dumped([record], name))
        assert again.grid.layout is layout
    assert named("fpuzzles").refuses(record.grid) == "cannot hold a latin + chaos layout"
    ElementTree.fromstring(record.grid.to_svg())
    assert rule_sentences(layout)[1:] == [
        "The grid has to be divided into 6 regions of 6 connected cells, each with the digits 1 "
        "to 6.",
        "A thick line or red dots between two cells say that their regions differ.",
        "Two cells that a grey line joins are in the same region.",
    ]


def test_generate_needs_clues_about_regions() -> None:
    with pytest.raises(sudoku.NoPuzzle, match="even filled grids of this layout have several"):
        sudoku.generate(layouts.chaos(4), seed=1)
    apart = [("r3c1", "r3c2"), ("r2c2", "r3c2"), ("r1c1", "r2c1"), ("r2c3", "r2c4")]
    puzzle = sudoku.generate(layouts.chaos(4, apart=apart), seed=1)
    assert sudoku.is_unique(puzzle)
    assert puzzle.filled < 16
