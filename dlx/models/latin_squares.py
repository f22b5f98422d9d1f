"""Latin squares, their completion (quasigroups with holes), and random Latin squares."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from dlx.core.arguments import check_number
from dlx.errors import InvalidArgument, counted, quote
from dlx.models.checking import check_seed, check_size, list_of
from dlx.models.seeded_random import SeededRandom
from dlx.problem import Problem

__all__ = ["latin_square", "quasigroup", "random_latin_square"]

Square = list[list[int]]


def latin_square(
    n: int, given: Iterable[Sequence[int | None]] | None = None
) -> Problem[tuple[int, int, int]]:
    """Fills an n x n square with 1, ..., n so that no row or column has a number twice.

    `given` is a partly filled square as a list of rows; 0 or None is an open cell. Options are
    named (row, column, number), with rows and columns from 0. Solutions contain only the open
    cells; the given cells are not part of the problem. Items: for each open cell, the cell
    itself, and one each that its row and column have a number ("r0n1", "c0n1"). Options: at most n
    for each open cell, of 3 items.

    Source: OEIS A002860: 1, 2, 12, 576, 161280, ... squares; TAOCP 7.2.2.1 on Sudoku has the items.

    Raises `InvalidArgument` for an invalid n, a `given` of another shape, and numbers that occur
    twice in a row or column.

    >>> import dlx.models
    >>> dlx.models.latin_square(4).count()
    576
    >>> dlx.models.latin_square(3, [[1, 0, 0], [0, 0, 1], [0, 0, 0]]).count()
    2
    """
    n = check_number("n", n, 1)
    if given is None:
        check_size(3 * n**3, "entries of options", n=n)
    square = [[0] * n] * n if given is None else _read_square(n, given)
    in_row = [set(row) for row in square]
    in_column = [set(column) for column in zip(*square, strict=True)]
    everything = range(1, n + 1)
    cells = [(r, c) for r in range(n) for c in range(n) if not square[r][c]]
    check_size(3 * n * len(cells), "entries of options", n=n, **{"the number of cells": len(cells)})
    primary: list[Hashable] = [*cells]
    primary += [f"r{row}n{k}" for row in range(n) for k in everything if k not in in_row[row]]
    primary += [f"c{col}n{k}" for col in range(n) for k in everything if k not in in_column[col]]
    options = {
        (row, column, k): [(row, column), f"r{row}n{k}", f"c{column}n{k}"]
        for row, column in cells
        for k in everything
        if k not in in_row[row] and k not in in_column[column]
    }
    return Problem.from_options(options, primary=primary)


def quasigroup(n: int, holes: int, seed: int) -> Problem[tuple[int, int, int]]:
    """Completes a random Latin square of order n from which `holes` cells were erased.

    The seed determines the square and its holes, on every machine. There is at least one solution.
    Problems with about 42% holes are the hardest: fewer holes leave little choice, and with more
    holes solutions are easy to find.
    Options are named as those of `latin_square`.

    Source: C. P. Gomes and B. Selman, "Problem structure in the presence of perturbations", 1997
    (quasigroup completion).

    Raises `InvalidArgument` if `holes` is negative or more than the number of cells.

    >>> import dlx.models
    >>> dlx.models.quasigroup(10, 45, seed=1)
    <dlx.Problem: 135 primary items, 0 secondary items, 109 options>
    """
    n = check_number("n", n, 1)
    check_size(n**3, "triples of coordinates", n=n)
    holes = check_number("holes", holes, 0, n * n)
    generator = SeededRandom(check_seed(seed))
    square = _random_square(n, generator)
    for place in generator.sample(n * n, holes):
        square[place // n][place % n] = 0
    return latin_square(n, square)


def random_latin_square(n: int, seed: int) -> Square:
    """A Latin square of order n, drawn nearly uniformly from all of them.

    Source: M. T. Jacobson and P. Matthews, "Generating uniformly distributed random Latin squares",
    1996: a random walk through the Latin squares and their "improper" neighbors, here of n^3
    steps.

    >>> import dlx.models
    >>> dlx.models.random_latin_square(4, seed=3)
    [[2, 1, 4, 3], [4, 3, 2, 1], [1, 4, 3, 2], [3, 2, 1, 4]]
    """
    n = check_number("n", n, 1)
    check_size(n**3, "triples of coordinates", n=n)
    return _random_square(n, SeededRandom(check_seed(seed)))


def _random_square(n: int, generator: SeededRandom) -> Square:
    # A square is the set of its triples (row, column, number). The three tables look up one
    # coordinate by the other two. An improper square has one cell with two numbers in each table,
    # and one triple, `improper`, that counts as -1.
    if n == 1:
        return [[1]]
    number_at = [[[(row + column) % n] for column in range(n)] for row in range(n)]
    column_of = [[[(number - row) % n] for number in range(n)] for row in range(n)]
    row_of = [[[(number - column) % n] for number in range(n)] for column in range(n)]

    def add(row: int, column: int, number: int) -> None:
        number_at[row][column].append(number)
        column_of[row][number].append(column)
        row_of[column][number].append(row)

    def remove(row: int, column: int, number: int) -> None:
        number_at[row][column].remove(number)
        column_of[row][number].remove(column)
        row_of[column][number].remove(row)

    steps = 0
    improper: tuple[int, int, int] | None = None
    while steps < n**3 or improper is not None:
        steps += 1
        if improper is None:
            row, column = generator.below(n), generator.below(n)
            old = number_at[row][column][0]
            number = (old + 1 + generator.below(n - 1)) % n
            other_row, other_column = row_of[column][number][0], column_of[row][number][0]
        else:
            row, column, number = improper
            old = generator.choice(number_at[row][column])
            other_row = generator.choice(row_of[column][number])
            other_column = generator.choice(column_of[row][number])
        # Put `number` at (row, column), and adjust the other corners of the 2 x 2 x 2 subcube.
        if improper is None:
            add(row, column, number)
        remove(row, column, old)
        remove(other_row, column, number)
        remove(row, other_column, number)
        add(row, other_column, old)
        add(other_row, column, old)
        add(other_row, other_column, number)
        # The last corner loses `old`. If it does not have `old`, the square becomes improper.
        if old in number_at[other_row][other_column]:
            remove(other_row, other_column, old)
            improper = None
        else:
            improper = (other_row, other_column, old)
    return [[numbers[0] + 1 for numbers in row] for row in number_at]


def _read_square(n: int, given: Iterable[Sequence[int | None]]) -> Square:
    rows = list_of("given", given, "rows")
    if len(rows) != n:
        raise InvalidArgument(
            f"given has {counted(len(rows), 'row')}; a square of order {quote(n)} has {quote(n)}"
        )
    square: Square = []
    for number, row in enumerate(rows):
        entries = list_of(f"row {number} of given", row, "numbers")
        entries = [0 if entry is None else entry for entry in entries]
        if len(entries) != n:
            raise InvalidArgument(
                f"row {number} of given has {counted(len(entries), 'number')}, not {quote(n)}"
            )
        names = [f"row {number}, column {column} of given" for column in range(n)]
        square.append([check_number(*pair, 0, n) for pair in zip(names, entries, strict=True)])
    for name, lines in (("row", square), ("column", list(zip(*square, strict=True)))):
        for number, line in enumerate(lines):
            for entry in line:
                if entry and line.count(entry) > 1:
                    raise InvalidArgument(f"{name} {number} of given has {quote(entry)} twice")
    return square
