"""`solve_board` and `is_valid_board`: boards as lists of lists, solved in place."""

from __future__ import annotations

import copy

import pytest
import sudoku_strategies as some
from example_puzzles import SOLVED, WIKIPEDIA
from hypothesis import given

from sudoku import Grid, Layout, NoSolution, PuzzleError, is_valid_board, solve_board
from sudoku.board.layout import symbol


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
