"""Every kind of layout: the engines against the rules as they are written."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_strategies import CELLS, Larger, jigsaw_killers, killers, kinds, larger_kinds
from rules_oracle import BOXED, is_latin, keeps, latin_squares, squares

import sudoku
from sudoku import Grid, Layout, layouts
from sudoku.rules import Cage, Rule
from sudoku.rules.cover import restricted
from sudoku.rules.implied import implied_rules

SQUARES = latin_squares(4)
THREE = list(product((1, 2, 3), repeat=2))
digits_3 = st.integers(1, 3)


def lines(found: list[dict[tuple[int, int], int]]) -> list[str]:
    return sorted("".join(str(values[cell]) for cell in CELLS) for values in found)


def test_the_oracle_knows_the_numbers() -> None:
    assert len(SQUARES) == 576  # OEIS A002860
    assert len(BOXED) == 288  # A107739
    assert all(map(is_latin, SQUARES))


@given(kinds(SQUARES))
def test_all_solutions_of_any_composition(kind: tuple[Layout, list[Any]]) -> None:
    layout, specs = kind
    expected = squares(specs)
    found = list(sudoku.solutions("." * 16, layout=layout))
    assert sorted(grid.line for grid in found) == lines(expected)
    assert all(grid.is_solved for grid in found)
    kept = {"".join(str(values[cell]) for cell in CELLS) for values in expected}
    for values in BOXED[::40] + SQUARES[::80]:
        line = "".join(str(values[cell]) for cell in CELLS)
        assert Grid(line, layout=layout).is_solved == (line in kept)


@given(larger_kinds() | jigsaw_killers())
@pytest.mark.lengthy
def test_all_solutions_of_rules_together(kind: Larger) -> None:
    """On jigsaws and boxes of side 5 and 6, with many givens, few, or none."""
    layout, specs, grids, givens = kind
    expected = [values for values in grids if all(keeps(values, spec) for spec in specs)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = [grid.line for grid in sudoku.solutions(puzzle, layout=layout)]
    wanted = ["".join(str(values[cell]) for cell in layout.positions) for values in expected]
    assert sorted(found) == sorted(wanted)
    assert sudoku.count(puzzle, layout=layout, engine="links") == len(expected)


@given(killers(BOXED), st.data())
def test_all_solutions_of_a_killer(kind: tuple[Layout, list[Any]], data: st.DataObject) -> None:
    layout, specs = kind
    expected = lines(squares(specs))
    assert sorted(grid.line for grid in sudoku.solutions("." * 16, layout=layout)) == expected
    line = data.draw(st.sampled_from(expected))
    shown = data.draw(st.sets(st.integers(0, 15), max_size=5))
    puzzle = "".join(c if i in shown else "." for i, c in enumerate(line))
    left = [one for one in expected if all(one[i] == line[i] for i in shown)]
    assert sudoku.count(puzzle, layout=layout) == len(left)
    assert [sudoku.is_unique(puzzle, layout=layout)] == [len(left) == 1]
    assert list(sudoku.count_many([puzzle, puzzle], layout=layout)) == [len(left)] * 2
    assert next(sudoku.solve_many([puzzle], layout=layout)).line in left


@given(kinds(SQUARES), st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=5))
def test_puzzles_with_any_digits(
    kind: tuple[Layout, list[Any]], digits: list[tuple[int, int]]
) -> None:
    """Whether the digits fit the rules or not, one puzzle or many, there is the same answer."""
    layout, specs = kind
    cells = ["."] * 16
    for cell, digit in digits:
        cells[cell] = str(digit)
    puzzle = "".join(cells)
    expected = [
        line
        for line in lines(squares(specs))
        if all(c in (".", d) for c, d in zip(puzzle, line, strict=True))
    ]
    assert sorted(grid.line for grid in sudoku.solutions(puzzle, layout=layout)) == expected
    (many,) = sudoku.solve_many([puzzle], layout=layout, errors="return")
    if expected:
        assert isinstance(many, Grid)
        assert sudoku.check(puzzle, layout=layout) == []
        assert many == sudoku.solve(puzzle, layout=layout)
    else:
        assert isinstance(many, sudoku.NoSolution)
        with pytest.raises(sudoku.NoSolution) as caught:
            sudoku.solve(puzzle, layout=layout)
        assert str(caught.value) == str(many) != ""


NINES: dict[str, Callable[[Any], Layout]] = {
    "diagonal": layouts.diagonal,
    "hyper": layouts.hyper,
    "disjoint-groups": layouts.disjoint_groups,
    "center-dot": layouts.center_dot,
    "asterisk": layouts.asterisk,
    "girandola": layouts.girandola,
    "anti-knight": layouts.anti_knight,
    "anti-king": layouts.anti_king,
    "non-touching": layouts.non_touching,
    "non-consecutive": layouts.non_consecutive,
}


@pytest.mark.parametrize("name", sorted(NINES))
def test_full_grids_of_side_9_keep_the_rule(name: str) -> None:
    layout = NINES[name](None)
    assert layout is layouts.named(name)
    for seed in range(3):
        grid = sudoku.solve("." * 81, layout=layout, seed=seed)
        assert is_latin(grid.values)
        assert keeps(grid.values, ("boxes", 3, 3))
        assert keeps(grid.values, (name,))
    plain = [sudoku.solve("." * 81, seed=seed) for seed in range(12)]
    kept = [keeps(grid.values, (name,)) for grid in plain]
    assert [Grid(grid.line, layout=layout).is_solved for grid in plain] == kept


@given(st.randoms(use_true_random=False))
def test_killers_of_side_6(random: Any) -> None:
    """Sums taken from a full grid: it is a solution, and every solution keeps the sums."""
    full = sudoku.solve("." * 36, seed=random.randrange(1000)).values
    left, cages = set(full), []
    while left:
        cage = [min(left)]
        for _ in range(random.randrange(5)):
            r, c = random.choice(cage)
            near = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
            near = [b for b in near if b in left and full[b] not in [full[a] for a in cage]]
            cage += near[:1]
        left -= set(cage)
        cages.append((sum(full[cell] for cell in cage), cage))
    layout = layouts.killer(cages, base=Layout(2, 3))
    found = [grid.values for grid in sudoku.solutions("." * 36, layout=layout, limit=200)]
    assert full in found or len(found) == 200
    for values in found:
        assert is_latin(values)
        assert keeps(values, ("boxes", 2, 3))
        assert all(keeps(values, ("cage", *cage)) for cage in cages)
    assert len({tuple(values.items()) for values in found}) == len(found)


@settings(max_examples=3 * settings().max_examples)
@given(killers(BOXED) | kinds(SQUARES))
def test_candidates_are_left_when_nothing_excludes_any_more(
    kind: tuple[Layout, list[Any]],
) -> None:
    """Each rule and each house may be asked once more: it removes nothing."""
    layout, specs = kind
    rules = [*layout.rules, *implied_rules(layout)]
    left = restricted(layout, rules)
    again = dict(left)
    for rule in rules:
        rule.restrict(again, layout)
        assert again == left, rule
    for house in layout.houses if squares(specs) else ():
        for digit in range(1, 5):
            masks = [left[layout.positions[cell]] for cell in house.cells]
            places = [mask for mask in masks if mask >> digit & 1]
            assert places == [1 << digit] or (1 << digit not in places and len(places) > 1)


class One(Rule):
    """Some cell is 1; each time it is asked, one digit less is left."""

    __slots__ = fields = ("cells",)

    def __init__(self, cell: tuple[int, int]) -> None:
        self._fill(cells=(cell,))

    def restrict(self, candidates: dict[tuple[int, int], int], layout: Layout) -> None:
        mask = candidates[self.cells[0]]
        if mask > 2:
            candidates[self.cells[0]] = mask ^ 1 << mask.bit_length() - 1


def test_a_rule_that_does_not_exclude_all_at_once() -> None:
    assert restricted(Layout(2, 2), [One((1, 1))])[1, 1] == 2


@st.composite
def odd_layouts(draw: st.DrawFn) -> tuple[Layout, list[str]]:
    """Some cells of a 3x3 square, houses and cages anywhere; and all solutions, by trial."""
    cells = sorted(draw(st.sets(st.sampled_from(THREE), min_size=4, max_size=8)))
    of = st.sampled_from(cells)
    three = st.lists(of, min_size=3, max_size=3, unique=True)
    kinds = st.sampled_from(["row", "column", "box", "region", "grid 2 row", "window"])
    kind = draw(kinds)  # most are of one, so that they stand side by side
    houses = draw(st.lists(st.tuples(st.just(kind) | kinds, three), max_size=5))
    values = dict(zip(cells, draw(st.lists(digits_3, min_size=8, max_size=8)), strict=False))
    cages, left = [], list(cells)
    for size in draw(st.lists(st.integers(1, 3), max_size=4)):
        cage = draw(st.lists(of, min_size=size, max_size=size, unique=True))
        distinct = len({values[cell] for cell in cage}) == size
        if distinct and all(cell in left for cell in cage):
            left = [cell for cell in left if cell not in cage]
            cages.append(Cage(sum(values[cell] for cell in cage), cage))
    expected = []
    for digits in product((1, 2, 3), repeat=len(cells)):
        filled = dict(zip(cells, digits, strict=True))
        if all({filled[cell] for cell in house} == {1, 2, 3} for _, house in houses) and all(
            keeps(filled, ("cage", cage.total, cage.cells)) for cage in cages
        ):
            expected.append("".join(map(str, digits)))
    return Layout.of(3, cells, houses, cages), expected


@settings(max_examples=3 * settings().max_examples)
@given(odd_layouts())
def test_houses_that_overlap(kind: tuple[Layout, list[str]]) -> None:
    """What follows from sums must not believe that houses of one kind have no common cell."""
    layout, expected = kind
    found = sudoku.solutions("." * layout.size, layout=layout)
    assert sorted(grid.line for grid in found) == expected


def test_two_grids_that_overlap() -> None:
    """Both are Sudokus, and every pair of Sudokus that agree in the common box is found."""
    layout = layouts.overlapping([(1, 1), (3, 3)], base=Layout(2, 2))
    boxes = [((3, 3), (3, 4), (4, 3), (4, 4)), ((1, 1), (1, 2), (2, 1), (2, 2))]
    lower, upper = ([tuple(v[c] for c in box) for v in BOXED] for box in boxes)
    expected = sum(lower.count(corner) * upper.count(corner) for corner in set(lower))
    found = list(sudoku.solutions("." * layout.size, layout=layout))
    assert len(found) == expected == sudoku.count("." * layout.size, layout=layout)
    for grid in found[::97]:
        for top in (0, 2):
            part = {(r, c): grid[r + top, c + top] for r in range(1, 5) for c in range(1, 5)}
            assert part in BOXED


@pytest.mark.parametrize("name", ["samurai", "sohei", "windmill", "butterfly", "gattai8", "shogun"])
def test_overlapping_grids_have_solutions(name: str) -> None:
    layout = layouts.named(name)
    grid = sudoku.solve("." * layout.size, layout=layout)
    corners = [house for house in layout.houses if house.kind.endswith("row") and house.number == 1]
    assert grid.is_solved
    assert len(corners) >= 4
    whole = set(range(1, 10))
    for house in layout.houses:
        assert {grid.cells[cell] for cell in house.cells} == whole


def test_a_long_sum_of_cells_that_may_be_equal() -> None:
    """More fillings than are listed: a chain of partial sums says the same."""
    cells = [(r, c) for r, c in CELLS if r != 3]
    for amount in (30, 31):
        layout = layouts.little_killer([(amount, cells)], base=layouts.latin(4))
        expected = squares([("total", amount, cells)])
        assert sudoku.count("." * 16, layout=layout) == len(expected)
    cells = CELLS[::3] + CELLS[1::3]
    layout = layouts.little_killer([(30, cells)], base=layouts.latin(4))
    assert any("after" in item for item in sudoku.cover(layout).items)
    assert sudoku.count("." * 16, layout=layout) == len(squares([("total", 30, cells)])) > 0


def test_named_options_and_items() -> None:
    """The names of options tell rules and candidates apart."""
    layout = layouts.killer([(5, "r1c1 r1c2")], base=Layout(2, 2))
    names = sudoku.cover(layout).names
    assert ("cage", 1, 1, 4) in names
    assert ("cage", 1, 2, 3) in names
    candidates = [name for name in names if isinstance(name[0], int)]  # type: ignore[index]
    assert candidates == sorted(candidates)  # type: ignore[type-var]
    (solution,) = sudoku.cover(layout).solutions(limit=1)
    sudoku.cover(layout).verify(solution)
