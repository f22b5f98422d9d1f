"""The two well-known interview questions, in the form in which they are asked.

A board is a list of nine lists of nine one-character strings, `"."` for an empty cell. (Other
sides work as well.)
"""

from __future__ import annotations

from sudoku.checking import duplicates
from sudoku.errors import PuzzleError, shown
from sudoku.grid import Grid
from sudoku.layout import symbol
from sudoku.reading import parse
from sudoku.solving import solve

__all__ = ["is_valid_board", "solve_board"]


def solve_board(board: list[list[str]]) -> None:
    """Fill the empty cells of the board with the (first) solution, in place.

    >>> board = [list("1..."), list(".2.."), list("..3."), list("4...")]
    >>> solve_board(board)
    >>> ["".join(row) for row in board]
    ['1423', '3241', '2134', '4312']

    Raises `NoSolution` if there is none and `PuzzleError` if this is no board; the board is then
    exactly as it was.
    """
    solution = solve(_grid(board))
    for row, values in zip(board, solution.rows, strict=True):
        row[:] = map(symbol, values)


def is_valid_board(board: list[list[str]]) -> bool:
    """Whether no row, column or box has a digit twice. It need not have a solution.

    >>> is_valid_board([list("1.2."), list("...."), list("...."), list("...1")])
    True
    >>> is_valid_board([list("1..1"), list("...."), list("...."), list("....")])
    False

    Raises `PuzzleError` if this is no board.
    """
    return not duplicates(_grid(board))


def _grid(board: object) -> Grid:
    if not isinstance(board, list):
        raise PuzzleError(f"a board is a list of lists, not a {type(board).__name__}")
    for number, row in enumerate(board, 1):
        if not isinstance(row, list):
            raise PuzzleError(f"row {number} is a {type(row).__name__}, expected a list")
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str) or len(cell) != 1:
                where = f"row {number}, column {column}"
                raise PuzzleError(f"{where} is {shown(cell)}, expected a one-character string")
    return parse(board)
