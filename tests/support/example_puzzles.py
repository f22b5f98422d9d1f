"""Sudokus that several test files use."""

from __future__ import annotations

from sudoku import Grid

WIKIPEDIA = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
"""The example of https://en.wikipedia.org/wiki/Sudoku."""
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
"""The solution of `WIKIPEDIA`."""
ROWS = [WIKIPEDIA[at : at + 9] for at in range(0, 81, 9)]
WIKIPEDIA_GRID = Grid(WIKIPEDIA)
CLASH = WIKIPEDIA.replace("53", "55", 1)
"""With the same digit twice in a row."""
HOPELESS = ".12.3.........12"
"""A puzzle of side 4 without a solution, in which no given contradicts another."""

INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""By Arto Inkala, 2012, who published it as the hardest Sudoku."""
DIAGONAL = "...5...4......43......3...2.......56...4.6..3.2.....1...9.....78..3.............9"
"""A puzzle for the layout "diagonal"; its first deduction needs a diagonal."""
REGIONS = "111223444111223444111253444222253333665555533666657777888657999888677999888677999"
"""Nine regions of a jigsaw Sudoku, for each cell the number of its region."""
JIGSAW = """
    111112222 331111222 333445522 334455667 344456667 344556677 885566777 888999977 888899999
"""
"""Regions of another jigsaw Sudoku, one word per row."""
