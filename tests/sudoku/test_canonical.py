"""Canonical forms: one form for all equivalent puzzles, and the known numbers of classes."""

from __future__ import annotations

import itertools

import pytest
import sudoku_strategies as some
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout, LayoutError, PuzzleError, canonical, is_equivalent
from sudoku.rules.layouts import named

# "Most canonical", as it is called: of all solved grids the one with the most symmetries.
SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
# The first of all solved grids in the order of their lines: OEIS A114288.
FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
QUICK = [Layout(2, 2), Layout(2, 3), Layout(3, 2), Layout(2, 4), Layout(3, 3)]
few = settings(max_examples=25, deadline=None)


@st.composite
def written_otherwise(draw: st.DrawFn, grid: Grid) -> Grid:
    """The grid after a symmetry: any that the rules have."""
    layout = grid.layout
    side, tall, wide = layout.side, layout.box_rows, layout.box_columns
    rows, columns = draw(some.orders_of_lines(layout))
    digits = [0, *draw(st.permutations(range(1, side + 1)))]
    cells = [[digits[grid.cells[row * side + column]] for column in columns] for row in rows]
    if tall == wide and draw(st.booleans()):
        cells = [list(column) for column in zip(*cells, strict=True)]
    return Grid.from_cells(tuple(itertools.chain(*cells)), layout)


@few
@given(st.data(), some.puzzles(QUICK, empty=(0.0, 1.0)))
def test_the_same_for_all_ways_to_write_it(data: st.DataObject, puzzle: Grid) -> None:
    form = canonical(puzzle)
    other = data.draw(written_otherwise(puzzle))
    assert canonical(other) == form
    assert canonical(form) == form
    assert is_equivalent(puzzle, other)
    assert form.cells <= min(puzzle.cells, other.cells)
    assert form.layout is puzzle.layout
    assert form.filled == puzzle.filled
    assert sudoku.count(form, limit=20) == sudoku.count(puzzle, limit=20)


@settings(max_examples=10, deadline=None)
@given(st.data(), st.sampled_from([(3, 3), (3, 4)]), st.integers(0, 2**50))
def test_made_puzzles(data: st.DataObject, box: tuple[int, int], seed: int) -> None:
    """Grids that are no pattern, and puzzles in them."""
    grid = sudoku.random_grid(Layout(*box), seed=seed)
    assert canonical(data.draw(written_otherwise(grid))) == canonical(grid)
    puzzle = sudoku.minimize(grid)
    assert canonical(data.draw(written_otherwise(puzzle))) == canonical(puzzle)


def all_ways(grid: Grid) -> set[tuple[int, ...]]:
    """Everything that is equivalent to a grid of 4x4, its digits named in order of appearance."""
    orders = [
        (*first, *second)
        for bands in itertools.permutations([(0, 1), (2, 3)])
        for first in itertools.permutations(bands[0])
        for second in itertools.permutations(bands[1])
    ]
    ways = set()
    for rows in (grid.rows, tuple(zip(*grid.rows, strict=True))):
        for order, across in itertools.product(orders, repeat=2):
            names = {0: 0}
            ways.add(
                tuple(
                    names.setdefault(rows[row][column], len(names))
                    for row in order
                    for column in across
                )
            )
    return ways


@settings(max_examples=60, deadline=None)
@given(some.puzzles([Layout(2, 2)], empty=(0.0, 1.0)))
def test_the_smallest_of_all_of_4x4(puzzle: Grid) -> None:
    """Among them, to name digits in order of appearance is always best."""
    assert canonical(puzzle).cells == min(all_ways(puzzle))


def test_any_digits_of_4x4() -> None:
    """Puzzles with no solution, and with very many, have a form as well."""
    for digits in itertools.product([0, 0, 0, 1, 2], repeat=4):
        cells = [0] * 16
        for cell, digit in zip((0, 6, 9, 15), digits, strict=True):
            cells[cell] = digit
        puzzle = Grid.from_cells(tuple(cells), Layout(2, 2))
        assert canonical(puzzle).cells == min(all_ways(puzzle))


def test_the_number_of_different_grids_of_4x4() -> None:
    """There are 2 (OEIS A109741)."""
    assert len({canonical(grid) for grid in sudoku.solutions("." * 16)}) == 2


@pytest.mark.lengthy
def test_the_number_of_different_grids_of_6x6() -> None:
    """There are 49 (OEIS A291188).

    The first row of a canonical grid is 123456, the second 456 and then 1, 2, 3 in one of three
    orders; and the rows of the other bands, and these, can be put in order.
    """
    forms = set()
    for second in ("456123", "456132", "456231"):
        for grid in sudoku.solutions(f"123456{second}" + "." * 24):
            rows = grid.rows
            if rows[2] < rows[3] and rows[4] < rows[5] and rows[2] < rows[4]:
                forms.add(canonical(grid))
    assert len(forms) == 49
    assert all(form.line.startswith("123456456") for form in forms)


def test_known_forms() -> None:
    for known in (SYMMETRIC, FIRST):
        assert canonical(known).line == known
        assert canonical(known[::-1]).line == known
    line = ""
    for _ in range(81):  # the first there is: the smallest digit that leaves a solution
        line += next(d for d in "123456789" if sudoku.count((line + d).ljust(81, "."), limit=1))
    assert line == FIRST


def test_few_givens() -> None:
    assert canonical("." * 81).line == "." * 81
    one = canonical("5" + "." * 80).line
    assert one == "." * 80 + "1"
    for layout in (Layout(1, 5), Layout(5, 1), Layout(3, 4)):
        cells = [0] * layout.size
        cells[3] = 2
        grid = Grid.from_cells(tuple(cells), layout)
        assert canonical(grid).cells == (*[0] * (layout.size - 1), 1)


def test_latin_squares() -> None:
    """Boxes of one row say nothing, so that rows and columns may change places."""
    grid = Grid.from_cells((1, 2, 3, 2, 3, 1, 0, 0, 2), Layout(1, 3))
    turned = Grid.from_cells((1, 2, 0, 2, 3, 0, 3, 1, 2), Layout(1, 3))
    assert canonical(grid) == canonical(turned)
    upright = Grid.from_cells(turned.cells, Layout(3, 1))
    assert canonical(upright).cells == canonical(grid).cells
    assert not is_equivalent(upright, grid)


def test_is_equivalent() -> None:
    assert not is_equivalent("1234 3412 2143 4321", "1234 3412 2341 4123")
    assert not is_equivalent("1" + "." * 15, "1" + "." * 80)
    assert not is_equivalent("1" + "." * 15, "12" + "." * 14)
    assert is_equivalent("1" + "." * 35, "." * 35 + "6", layout=Layout(3, 2))


def test_what_has_no_canonical_form() -> None:
    with pytest.raises(PuzzleError, match="digit twice has no canonical form: r1c1 and r1c4"):
        canonical("1..1" + "." * 12)
    with pytest.raises(PuzzleError, match="digit twice"):
        is_equivalent("1..1" + "." * 12, "1" + "." * 15)
    with pytest.raises(LayoutError, match="no canonical form for the layout diagonal"):
        canonical("." * 81, layout=named("diagonal"))
    with pytest.raises(PuzzleError, match="5 characters"):
        canonical("12345")
