"""`Grid`: text and back, equality, cells, pickles."""

from __future__ import annotations

import copy
import pickle

import pytest
import sudoku_strategies as some
from example_puzzles import SOLVED, WIKIPEDIA
from hypothesis import example, given

import sudoku
from sudoku import Grid, Layout, LayoutError, NoSolution, PuzzleError, is_valid_board, solve_board
from sudoku.board.layout import symbol


@given(some.any_grids())
@example(Grid("0Zz." * 324))
@example(Grid("." * 1296))
@example(Grid("....5...." * 69 + "AbPo", box=(5, 5)))
def test_texts_read_back(grid: Grid) -> None:
    assert eval(repr(grid), {"Grid": Grid}) == grid
    assert sudoku.parse(str(grid), grid.layout) == grid
    assert sudoku.parse(grid.line, grid.layout) == grid
    assert sudoku.parse(grid.line.lower(), grid.layout) == grid
    assert sudoku.parse(grid.rows, grid.layout) == grid
    assert [entry.grid for entry in sudoku.read([grid.line], grid.layout)] == [grid]
    assert [entry.grid for entry in sudoku.read(str(grid).splitlines(), grid.layout)] == [grid]
    if grid.layout.is_usual:
        assert sudoku.parse(str(grid)) == sudoku.parse(grid.line) == grid
    assert pickle.loads(pickle.dumps(grid)) == grid
    assert hash(Grid.from_cells(grid.cells, grid.layout)) == hash(grid)


def test_boxed() -> None:
    assert str(Grid(WIKIPEDIA)).splitlines()[:5] == [
        "+-------+-------+-------+",
        "| 5 3 . | . 7 . | . . . |",
        "| 6 . . | 1 9 5 | . . . |",
        "| . 9 8 | . . . | . 6 . |",
        "+-------+-------+-------+",
    ]
    assert str(Grid("." * 36)).splitlines()[:2] == ["+-------+-------+", "| . . . | . . . |"]


def test_places_count_from_one() -> None:
    grid = Grid(WIKIPEDIA)
    assert grid[1, 1] == 5
    assert grid[9, 8] == 7
    assert grid[1, 3] == 0
    assert grid.rows[8] == (0, 0, 0, 0, 8, 0, 0, 7, 9)
    assert grid.filled == len(grid.givens) == 30
    assert grid.givens[0] == (1, 1, 5)
    for place in ((0, 1), (1, 0), (10, 1), (1, 10), (-1, -1)):
        with pytest.raises(IndexError):
            grid[place]


def test_equality() -> None:
    assert Grid(WIKIPEDIA) == Grid(WIKIPEDIA)
    assert Grid(WIKIPEDIA) != Grid("." * 81)
    assert Grid("." * 36, box=(3, 2)) != Grid("." * 36)
    assert Grid(WIKIPEDIA) != WIKIPEDIA
    with pytest.raises(AttributeError):
        Grid(WIKIPEDIA).cells = ()  # type: ignore[misc]


def test_repr_says_the_box_only_if_it_must() -> None:
    assert repr(Grid("." * 16)) == "Grid('................')"
    assert repr(Grid("." * 36, box=(3, 2))) == f"Grid('{'.' * 36}', box=(3, 2))"
    assert repr(Grid("." * 25, box=(1, 5))) == f"Grid('{'.' * 25}', box=(1, 5))"


def test_a_grid_of_a_grid() -> None:
    grid = Grid(WIKIPEDIA)
    assert Grid(grid) == grid
    assert sudoku.parse(grid) is grid
    assert Grid(Grid("." * 36), box=(3, 2)).layout is Layout(3, 2)
    with pytest.raises(LayoutError):
        Grid(grid, box=(2, 3))
    with pytest.raises(LayoutError):
        Grid(grid, box=(9, 9))


@given(some.full_grids())
def test_is_solved(grid: Grid) -> None:
    assert grid.is_solved
    cells = (grid.cells[1], *grid.cells[1:])
    assert not Grid.from_cells(cells, grid.layout).is_solved
    assert not Grid.from_cells((0, *grid.cells[1:]), grid.layout).is_solved


def test_no_puzzle() -> None:
    for wrong in (None, 5, b"." * 81, {}, 1.5):
        with pytest.raises(PuzzleError, match="expected"):
            Grid(wrong)  # type: ignore[arg-type]


# -- `solve_board` and `is_valid_board`: boards as lists of lists, solved in place ---------------


def board(line: str) -> list[list[str]]:
    return [list(line[n : n + 9]) for n in range(0, 81, 9)]


def test_solved_in_place() -> None:
    given = board(WIKIPEDIA)
    rows = list(given)
    solve_board(given)
    assert given == board(SOLVED)
    assert all(new is old for new, old in zip(given, rows, strict=True))


@pytest.mark.parametrize(
    "line",
    ["55" + "." * 79, WIKIPEDIA.replace("53", "54", 1), "12345678." + "........9" + "." * 63],
)
def test_left_as_it_was_if_there_is_no_solution(line: str) -> None:
    given = board(line)
    with pytest.raises(NoSolution):
        solve_board(given)
    assert given == board(line)


def test_left_as_it_was_if_it_is_no_board() -> None:
    good = board(WIKIPEDIA)
    for wrong in (
        good[:8],
        [*good, ["."] * 9],
        [*good[:8], good[8][:8]],
        [*good[:8], tuple(good[8])],
        [*good[:8], "....8..79"],
        [[5, *good[0][1:]], *good[1:]],
        [["55", *good[0][1:]], *good[1:]],
        [["", *good[0][1:]], *good[1:]],
        [["x", *good[0][1:]], *good[1:]],
        [[None, *good[0][1:]], *good[1:]],
        tuple(good),
        WIKIPEDIA,
        [],
        None,
    ):
        before = copy.deepcopy(wrong)
        for function in (solve_board, is_valid_board):
            with pytest.raises(PuzzleError):
                function(wrong)  # type: ignore[operator]
            assert wrong == before


def test_valid_means_no_duplicates() -> None:
    assert is_valid_board(board(WIKIPEDIA))
    assert is_valid_board(board("." * 81))
    assert is_valid_board(board("12345678." + "........9" + "." * 63))  # valid, but not solvable
    assert not is_valid_board(board("5.......5" + "." * 72))
    assert not is_valid_board(
        board(("5" + "." * 8 + "." * 62 + ".5" + "." * 8)[:72] + "5" + "." * 8)
    )
    assert not is_valid_board(board("5........" + ".5......." + "." * 63))


@given(some.any_puzzles([Layout(2, 2), Layout(3, 3)]))
def test_valid_against_the_rules(grid: Grid) -> None:
    given = [[symbol(value) for value in row] for row in grid.rows]
    houses = [[grid.cells[c] for c in house.cells if grid.cells[c]] for house in grid.layout.houses]
    assert is_valid_board(given) == all(len(set(house)) == len(house) for house in houses)
