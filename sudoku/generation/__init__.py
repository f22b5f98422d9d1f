"""Generating Sudokus: random grids, puzzles with one solution, and minimal puzzles.

    random_grid      a solved grid                         grids.py
    generate         a puzzle with exactly one solution    generate.py
    generate_many    many of them, in bulk                 generate.py
    minimize         a minimal puzzle within a puzzle      minimize.py

`dlx` proves every uniqueness. A generation is a coroutine that yields one puzzle at a time to be
checked (`uniqueness.py`); many coroutines share batches of checks in the kernel. The result depends
on the seed alone, not on the engine, the number of workers or the machine.
"""

from sudoku.generation.generate import Generated, generate, generate_many
from sudoku.generation.grids import random_grid
from sudoku.generation.minimize import minimize
from sudoku.generation.symmetries import SYMMETRIES

__all__ = ["Generated", "SYMMETRIES", "generate", "generate_many", "minimize", "random_grid"]
