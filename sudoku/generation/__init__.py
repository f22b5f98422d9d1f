"""Making Sudokus: random grids, puzzles with one solution, and what can be taken away from them.

    random_grid      a solved grid                         grids.py
    generate         a puzzle with exactly one solution    generating.py
    generate_many    many of them, in bulk                 generating.py
    minimize         a puzzle within a puzzle              digging.py

All uniqueness is proved by `dlx`. The makers are written as generators that ask about one puzzle at
a time (`asking.py`): one maker is answered by itself, many at once by one batch for the kernel.
What is made depends on the seed alone, not on the engine, the workers or the machine.
"""

from sudoku.generation.generate import Generated, generate, generate_many
from sudoku.generation.grids import random_grid
from sudoku.generation.minimize import minimize
from sudoku.generation.symmetries import SYMMETRIES

__all__ = ["Generated", "SYMMETRIES", "generate", "generate_many", "minimize", "random_grid"]
