"""Draws a Latin square of each main class, with the number of squares in the class.

    python examples/latin_classes.py ORDER --svg PICTURE

Two squares are in the same main class if rows, columns, numbers and these three roles can be
permuted so that one becomes the other. Every class has a square whose first row and column are
1, 2, ..., n; so these squares are listed, up to symmetry, and compared by their canonical forms.
Order 6 takes half a second.
"""

from __future__ import annotations

import argparse
from math import factorial
from pathlib import Path

import dlx
from dlx import models

Cells = list[tuple[int, int, int]]


def main_classes(n: int) -> list[tuple[Cells, int]]:
    """The first square of each main class, as (row, column, number), and the size of the class."""
    problem = models.latin_square(n)
    border = [(0, k, k + 1) for k in range(n)] + [(k, 0, k + 1) for k in range(1, n)]
    found: dict[tuple[object, ...], tuple[Cells, int]] = {}
    for square in problem.solutions(given=border, distinct=True):
        form = tuple(as_problem(list(square)).canonical().options)
        if form not in found:
            kept = problem.symmetries(given=square).order  # those that map the square to itself
            found[form] = list(square), 6 * factorial(n) ** 3 // kept
    return list(found.values())


def as_problem(square: Cells) -> dlx.Problem:
    """A problem whose symmetries are those of the square: each cell is an option."""
    lines = [[("row", row), ("column", column), ("number", k)] for row, column, k in square]
    n = max(k for *_, k in square)
    return dlx.Problem.from_options(
        lines, multiplicities={item: n for line in lines for item in line}
    )


def main() -> None:
    """Reads the command line and writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("order", type=int)
    parser.add_argument("--svg", type=Path, required=True)
    arguments = parser.parse_args()
    n = arguments.order
    classes = sorted(main_classes(n), key=lambda one: -one[1])
    squares = sum(size for _, size in classes)
    picture = models.latin_square(n).sheet(
        [square for square, _ in classes],
        captions=[f"{size:,}" for _, size in classes],
        title=f"{len(classes)} main classes of the {squares:,} Latin squares of order {n}",
    )
    arguments.svg.write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
