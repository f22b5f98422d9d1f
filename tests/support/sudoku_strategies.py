"""Hypothesis strategies for Sudokus: layouts, full grids, and puzzles with 0, 1 and many solutions.

They know nothing of `dlx`: a full grid is a fixed pattern with its digits renamed and its rows,
columns, bands and stacks shuffled; not every grid is one, but they are as good for tests.
"""

from __future__ import annotations

from hypothesis import strategies as st

from sudoku import Grid, Layout

SMALL = [Layout(2, 2), Layout(1, 4), Layout(2, 3), Layout(3, 2)]
LAYOUTS = [*SMALL, Layout(2, 4), Layout(3, 3), Layout(1, 7), Layout(3, 4), Layout(4, 4)]


def layouts(choices: list[Layout] | None = None) -> st.SearchStrategy[Layout]:
    """One of some layouts."""
    return st.sampled_from(choices or LAYOUTS)


@st.composite
def orders_of_lines(draw: st.DrawFn, layout: Layout) -> tuple[list[int], list[int]]:
    """Orders of the rows and of the columns that keep boxes together, as the symmetries do."""
    tall, wide = layout.box_rows, layout.box_columns
    rows = [
        tall * band + row
        for band in draw(st.permutations(range(wide)))
        for row in draw(st.permutations(range(tall)))
    ]
    columns = [
        wide * stack + column
        for stack in draw(st.permutations(range(tall)))
        for column in draw(st.permutations(range(wide)))
    ]
    return rows, columns


@st.composite
def full_grids(draw: st.DrawFn, choices: list[Layout] | None = None) -> Grid:
    """A grid that is filled according to the rules."""
    layout = draw(layouts(choices))
    side, tall, wide = layout.side, layout.box_rows, layout.box_columns
    rows, columns = draw(orders_of_lines(layout))
    digits = draw(st.permutations(range(1, side + 1)))
    cells = tuple(digits[(wide * (r % tall) + r // tall + c) % side] for r in rows for c in columns)
    return Grid.from_cells(cells, layout)


@st.composite
def puzzles(
    draw: st.DrawFn, choices: list[Layout] | None = None, empty: tuple[float, float] = (0.0, 0.7)
) -> Grid:
    """A full grid with a part of its cells emptied: one solution or more."""
    grid = draw(full_grids(choices))
    number = len(grid.cells)
    share = draw(st.floats(*empty))
    order = draw(st.permutations(range(number)))
    emptied = set(order[: int(share * number)])
    cells = tuple(0 if cell in emptied else value for cell, value in enumerate(grid.cells))
    return Grid.from_cells(cells, grid.layout)


@st.composite
def any_puzzles(draw: st.DrawFn, choices: list[Layout] | None = None) -> Grid:
    """A puzzle with none, one or many solutions: some of its digits may have been changed."""
    grid = draw(puzzles(choices))
    cells = list(grid.cells)
    changes = st.tuples(st.integers(0, len(cells) - 1), st.integers(1, grid.layout.side))
    for cell, digit in draw(st.lists(changes, max_size=2)):
        cells[cell] = digit
    return Grid.from_cells(tuple(cells), grid.layout)


@st.composite
def any_grids(draw: st.DrawFn, choices: list[Layout] | None = None) -> Grid:
    """Any values in the cells of any grid, rules or no rules."""
    layout = draw(layouts(choices))
    side = layout.side
    cells = draw(st.binary(min_size=side * side, max_size=side * side))
    return Grid.from_cells(tuple(value % (side + 1) for value in cells), layout)
