"""Generates the puzzle files of this folder: `python examples/make_puzzles.py` writes both again.

A puzzle starts as a random full grid (a search with a seed). Givens are removed one by one, in
random order, if the solution stays unique without them. No puzzle is copied from a collection,
except three well-known ones; the file names their sources.
"""

from __future__ import annotations

import random
from pathlib import Path

import sudoku

HERE = Path(__file__).parent

WELL_KNOWN = """\
# Wikipedia's example (https://en.wikipedia.org/wiki/Sudoku)
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
# Arto Inkala, "AI Escargot", 2006
1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..
# Arto Inkala, 2012, "the world's hardest Sudoku" of the newspapers
8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
"""


def make(layout: sudoku.Layout, seed: int, givens: int = 0) -> sudoku.Grid:
    """A puzzle with exactly one solution and at least `givens` givens."""
    choose = random.Random(seed)
    empty = sudoku.Grid.from_cells((0,) * layout.side**2, layout)
    cells = list(sudoku.solve(empty, seed=seed).cells)
    left = len(cells)
    for cell in choose.sample(range(len(cells)), len(cells)):
        if left == givens:
            break
        digit, cells[cell] = cells[cell], 0
        if sudoku.is_unique(sudoku.Grid.from_cells(tuple(cells), layout)):
            left -= 1
        else:
            cells[cell] = digit
    return sudoku.Grid.from_cells(tuple(cells), layout)


def main() -> None:
    """Write the two files."""
    usual = sudoku.Layout(3, 3)
    lines = [f"{make(usual, seed).line} seed {seed}\n" for seed in range(1, 18)]
    text = (
        f"{WELL_KNOWN}# made by examples/make_puzzles.py; none can lose a given\n{''.join(lines)}"
    )
    (HERE / "puzzles.txt").write_text(text)

    lines = ["# made by examples/make_puzzles.py\n"]
    for side, givens in ((4, 0), (6, 0), (8, 0), (12, 60), (16, 120)):
        layout = sudoku.Layout.of_side(side)
        for seed in (1, 2):
            lines.append(f"# {side}x{side}\n{make(layout, seed, givens).line} seed {seed}\n")
    lines.append(f"# 12x12, as a grid\n{make(sudoku.Layout.of_side(12), 3, 60)}\n")
    (HERE / "puzzles-other-sizes.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
