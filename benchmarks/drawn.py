"""Problems drawn by a seed, of many families: `first_solutions.py` and `counts.py` ask for them.

A builder takes a `random.Random`, whose state decides what is drawn, and the sizes.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

from multiplicity_instances import contingency_tables

from dlx import Problem, colored, models

__all__ = [
    "FAMILIES",
    "Drawn",
    "crossword",
    "cubic_graph",
    "draw_many",
    "edge_matching",
    "kakuro",
    "nonogram",
    "one_factorizations",
    "partitioning",
    "random_cover",
    "random_graph",
    "random_tree",
    "sudoku_with_holes",
]


class Drawn(NamedTuple):
    """A problem of a family."""

    family: str
    name: str
    problem: Problem[Any]


def random_cover(rng: random.Random, items: int, size: int, options: int) -> Problem[Any]:
    """Random options of one size, among them a hidden solution."""
    order = rng.sample(range(items), items)
    hidden = [sorted(order[at : at + size]) for at in range(0, items, size)]
    drawn = [sorted(rng.sample(range(items), size)) for _ in range(options)]
    return Problem.from_options(rng.sample(hidden + drawn, len(hidden) + len(drawn)))


def random_graph(rng: random.Random, vertices: int, edges: int) -> list[tuple[int, int]]:
    """Distinct edges between vertices 0, 1, 2, ..."""
    pairs = [(u, v) for v in range(vertices) for u in range(v)]
    return rng.sample(pairs, edges)


OF_LENGTH = (900, 3000, 5500, 8500, 11000, 11500, 10500, 8500, 6000, 4000, 2200, 1000, 500)
WORDS = dict(enumerate(OF_LENGTH, start=3))
"""How many words of each length: about as in an English list of that size."""

Cell = tuple[int, int]


@cache
def drawn_words(seed: int) -> dict[int, list[str]]:
    """Distinct words by length, each letter drawn by the two before it."""
    rng = random.Random(f"words {seed}")
    after: dict[str, list[str]] = defaultdict(list)
    docs = Path(__file__).parents[1] / "docs"
    texts = [page.read_text(encoding="utf-8") for page in sorted(docs.glob("*.md"))]
    for word in sorted({word for text in texts for word in re.findall("[a-z]{2,}", text)}):
        padded = f"^^{word}$"
        for at in range(len(word) + 1):
            after[padded[at : at + 2]].append(padded[at + 2])
    found: dict[int, dict[str, None]] = {length: {} for length in WORDS}
    while any(len(found[length]) < wanted for length, wanted in WORDS.items()):
        word = "^^"
        while len(word) < 18 and (letter := rng.choice(after[word[-2:]])) != "$":
            word += letter
        length = len(word) - 2
        if len(found.get(length, ())) < WORDS.get(length, 0):
            found[length][word[2:]] = None
    return {length: list(words) for length, words in found.items()}


def runs(white: set[Cell], size: int) -> list[list[Cell]]:
    """The maximal runs of white cells, across and then down."""
    found = []
    for down in (False, True):
        for line in range(size):
            cells = [(at, line) if down else (line, at) for at in range(size)]
            text = "".join(".#"[cell not in white] for cell in cells)
            found += [cells[run.start() : run.end()] for run in re.finditer(r"\.+", text)]
    return found


def is_connected(white: set[Cell]) -> bool:
    """Whether a path of white cells joins any two of them."""
    reached = {min(white)}
    waiting = [*reached]
    while waiting:
        row, column = waiting.pop()
        beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        new = beside & white - reached
        reached |= new
        waiting += new
    return reached == white


def crossword_grid(rng: random.Random, size: int, words: int, black: int) -> list[list[Cell]]:
    """The runs of a grid that a half turn keeps: `words` to `words` + 2, of 3 to 11 cells.

    At most `black` cells are black; most of them divide a run, or there would be too many.
    """
    while True:
        white = {(row, column) for row in range(size) for column in range(size)}
        found = runs(white, size)
        for _ in range(600):
            if len(found) >= words:
                break
            row, column = rng.choice(sorted(white))
            fewer = white - {(row, column), (size - 1 - row, size - 1 - column)}
            left = runs(fewer, size)
            divides = len(left) >= len(found) + 2
            if min(map(len, left)) >= 3 and (divides or rng.random() < 0.15):
                white, found = fewer, left
        fits = words <= len(found) <= words + 2 and max(map(len, found)) <= 11
        if fits and len(white) >= size * size - black and is_connected(white):
            return found


def crossword(rng: random.Random, size: int, words: int, black: int, seed: int) -> Problem[Any]:
    """A grid to be filled with distinct words."""
    grid, by_length = crossword_grid(rng, size, words, black), drawn_words(seed)
    cells = sorted({cell for run in grid for cell in run})
    listed = [word for some in by_length.values() for word in some]
    problem = Problem[Any](range(len(grid)), [*cells, *listed])
    for number, run in enumerate(grid):
        for word in by_length[len(run)]:
            problem.add_option([number, *map(colored, run, word), word])
    return problem


def partitioning(rng: random.Random, items: int, options: int) -> Problem[Any]:
    """Set partitioning: options of 2 to 8 items near each other, among them a hidden solution."""
    rows = []
    left = list(range(items))
    while left:
        size = min(len(left), rng.randint(2, 8))
        part = [left[0], *rng.sample(left[1 : 3 * size], min(size, len(left[1 : 3 * size])))]
        left = [item for item in left if item not in part]
        rows.append(sorted(part))
    while len(rows) < options:
        size, first = rng.randint(2, 8), rng.randrange(items)
        near = range(first, min(items, first + 3 * size))
        rows.append(sorted(rng.sample(near, min(len(near), size))))
    return Problem.from_options(rng.sample(rows, len(rows)))


def patterns(blocks: list[int], length: int) -> Iterator[tuple[int, ...]]:
    """All lines of that length with these blocks of ones, apart from each other."""
    if not blocks:
        yield (0,) * length
        return
    block, *others = blocks
    rest = sum(others) + len(others)
    for start in range(length - block - rest + 1):
        head = (0,) * start + (1,) * block + (0,) * bool(others)
        yield from (head + tail for tail in patterns(others, length - len(head)))


def nonogram(rng: random.Random, rows: int, columns: int, density: float) -> Problem[Any]:
    """A random picture, by the blocks of its rows and columns; cells are colored black or white."""
    picture = [[rng.random() < density for _ in range(columns)] for _ in range(rows)]
    cells = [[(row, column) for column in range(columns)] for row in range(rows)]
    options = {}
    for line in [*cells, *map(list, zip(*cells, strict=True))]:
        text = "".join(".#"[picture[row][column]] for row, column in line)
        name = (line[0], line[-1])
        blocks = [len(block) for block in re.findall("#+", text)]
        for pattern in patterns(blocks, len(line)):
            options[name, pattern] = [name, *map(colored, line, pattern)]
    return Problem.from_options(options, secondary=[cell for line in cells for cell in line])


def kakuro(rng: random.Random, size: int, longest: int = 5) -> Problem[Any]:
    """Sums of distinct digits: a random board with runs of 2 to `longest` cells, colored by digit.

    The sums are those of a random filling, so that there is a solution.
    """
    while True:
        white = {(r, c) for r in range(size) for c in range(size) if rng.random() < 0.75}
        found = runs(white, size)
        while wrong := [run for run in found if not 2 <= len(run) <= longest]:
            white.remove(rng.choice(wrong[0]))
            found = runs(white, size)
        filled = filling(rng, found) if 3 * len(white) >= size * size else None
        if filled is not None:
            break
    problem = Problem[Any](range(len(found)), sorted(white))
    for number, run in enumerate(found):
        total = sum(filled[cell] for cell in run)
        for digits in permutations(range(1, 10), len(run)):
            if sum(digits) == total:
                problem.add_option([number, *map(colored, run, digits)])
    return problem


def filling(rng: random.Random, found: list[list[Cell]]) -> dict[Cell, int] | None:
    """Random digits for the cells, distinct in each run; None if the last cells have none left."""
    filled: dict[Cell, int] = {}
    for cell in sorted({cell for run in found for cell in run}):
        seen = {filled.get(other) for run in found if cell in run for other in run}
        possible = [digit for digit in range(1, 10) if digit not in seen]
        if not possible:
            return None
        filled[cell] = rng.choice(possible)
    return filled


def edge_matching(rng: random.Random, size: int, colors: int) -> Problem[Any]:
    """Square pieces with colored edges fill a square; its border has a color of its own.

    Pieces may be turned; one corner piece stands where it was cut. Edges between cells are colored.
    """
    border = 0
    across = {(r, c): rng.randint(1, colors) for r in range(size) for c in range(size - 1)}
    down = {(r, c): rng.randint(1, colors) for r in range(size - 1) for c in range(size)}
    problem_cells = [(r, c) for r in range(size) for c in range(size)]
    pieces = [  # top, right, bottom, left
        (
            down.get((r - 1, c), border),
            across.get((r, c), border),
            down.get((r, c), border),
            across.get((r, c - 1), border),
        )
        for r, c in problem_cells
    ]
    names = [("piece", number) for number in range(len(pieces))]
    edges = [*(("across", *cell) for cell in across), *(("down", *cell) for cell in down)]
    problem = Problem[Any]([*names, *problem_cells], edges)
    for number in rng.sample(range(len(pieces)), len(pieces)):
        for turned in sorted({pieces[number][k:] + pieces[number][:k] for k in range(4)}):
            for r, c in problem_cells if number else [(0, 0)]:
                around = (
                    ("down", r - 1, c),
                    ("across", r, c),
                    ("down", r, c),
                    ("across", r, c - 1),
                )
                inner = [item[1:] in (down if item[0] == "down" else across) for item in around]
                if inner == [color != border for color in turned]:
                    entries = zip(around, turned, strict=True)
                    colors_of = [colored(*entry) for entry in entries if entry[1] != border]
                    problem.add_option(
                        [names[number], (r, c), *colors_of], name=(number, r, c, turned)
                    )
    return problem


def sudoku_with_holes(rng: random.Random, base: int, holes: float) -> Problem[Any]:
    """A Sudoku with boxes of `base` x `base`, of which that share of the cells is open."""
    side = base * base

    def order() -> list[int]:
        bands = rng.sample(range(base), base)
        return [base * band + line for band in bands for line in rng.sample(range(base), base)]

    rows, columns, digits = order(), order(), rng.sample(range(side), side)
    full = {
        (r, c): digits[(base * rows[r] + rows[r] // base + columns[c]) % side]
        for r in range(side)
        for c in range(side)
    }
    opened = set(rng.sample(sorted(full), round(holes * side * side)))

    def covered(r: int, c: int, digit: int) -> list[Any]:
        box = (r // base, c // base)
        return [("cell", r, c), ("row", r, digit), ("column", c, digit), ("box", *box, digit)]

    done = {item for cell in full.keys() - opened for item in covered(*cell, full[cell])}
    options = {
        (*cell, digit): items
        for cell in sorted(opened)
        for digit in range(side)
        if done.isdisjoint(items := covered(*cell, digit))
    }
    return Problem.from_options(options)


def one_factorizations(vertices: int) -> Problem[Any]:
    """The edges of a complete graph in perfect matchings; vertex 0 says which of them is which."""
    options = {
        (u, v, day): [(u, v), ("day", day, u), ("day", day, v)]
        for u, v in combinations(range(vertices), 2)
        for day in range(1, vertices)
        if (v == day if u == 0 else day not in (u, v))
    }
    return Problem.from_options(options)


def cubic_graph(rng: random.Random, vertices: int) -> list[tuple[int, int]]:
    """A random graph with three edges at each vertex."""
    while True:
        ends = rng.sample([*range(vertices)] * 3, 3 * vertices)
        edges = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)}
        if len(edges) == 3 * vertices // 2 and all(u != v for u, v in edges):
            return sorted(edges)


def random_tree(rng: random.Random, vertices: int) -> list[tuple[int, int]]:
    """Each vertex but the first has an edge to an earlier one."""
    return [(rng.randrange(vertex), vertex) for vertex in range(1, vertices)]


def partial_square(rng: random.Random, n: int, givens: int) -> Problem[Any]:
    """A Latin square with random givens that do not contradict each other at once."""
    square: list[list[int | None]] = [[None] * n for _ in range(n)]
    for r, c in rng.sample([(r, c) for r in range(n) for c in range(n)], givens):
        seen = {*square[r], *(row[c] for row in square)}
        if possible := [digit for digit in range(1, n + 1) if digit not in seen]:
            square[r][c] = rng.choice(possible)
    return models.latin_square(n, square)


class Family(NamedTuple):
    """A family: what it is called, and how one of its problems is drawn."""

    name: str
    draw: Callable[[random.Random], Problem[Any]]


def _pieces(rng: random.Random) -> Problem[Any]:
    columns = rng.randint(6, 11)
    pieces = rng.sample(list(models.PENTOMINOES), columns)
    return models.polyominoes(pieces, models.box(5, columns))


def _uneven_tables(rng: random.Random) -> Problem[Any]:
    return contingency_tables(rng.randint(8, 16), rng.randint(8, 16), (3, 4), (2, 5))


def _coloring(rng: random.Random, colors: int, ratio: float) -> Problem[Any]:
    vertices = rng.randint(60, 150)
    edges = round(vertices * ratio * rng.uniform(0.92, 1.02))
    return models.graph_coloring(random_graph(rng, vertices, edges), colors)


FAMILIES = [
    Family("queens", lambda rng: models.queens(rng.randint(20, 300))),
    Family(
        "quasigroups with holes",
        lambda rng: models.quasigroup(
            n := rng.randint(25, 40),
            round(n * n * rng.uniform(0.38, 0.46)),
            seed=rng.randrange(10**6),
        ),
    ),
    Family(
        "partial Latin squares",
        lambda rng: partial_square(
            rng, n := rng.randint(12, 30), round(n * n * rng.uniform(0.2, 0.45))
        ),
    ),
    Family("Sudoku 16x16", lambda rng: sudoku_with_holes(rng, 4, rng.uniform(0.5, 0.75))),
    Family("Sudoku 25x25", lambda rng: sudoku_with_holes(rng, 5, rng.uniform(0.45, 0.65))),
    Family(
        "nonograms",
        lambda rng: nonogram(rng, rng.randint(12, 20), rng.randint(12, 20), rng.uniform(0.4, 0.6)),
    ),
    Family(
        "crosswords 9x9", lambda rng: crossword(rng, 9, rng.randint(24, 28), 20, rng.randrange(99))
    ),
    Family("kakuro", lambda rng: kakuro(rng, rng.randint(9, 18))),
    Family(
        "exact covers",
        lambda rng: random_cover(rng, 90, rng.choice((3, 5, 6)), rng.randint(300, 600)),
    ),
    Family(
        "exact covers, perhaps none",
        lambda rng: models.random_exact_cover(
            80, rng.randint(240, 400), 4, seed=rng.randrange(10**6), satisfiable=False
        ),
    ),
    Family(
        "set partitioning",
        lambda rng: partitioning(rng, rng.randint(100, 500), rng.randint(1000, 10000)),
    ),
    Family("pentominoes", _pieces),
    Family("edge matching", lambda rng: edge_matching(rng, rng.randint(5, 8), rng.randint(4, 9))),
    Family("3-colorings", lambda rng: _coloring(rng, 3, 2.3)),
    Family("4-colorings", lambda rng: _coloring(rng, 4, 4.3)),
    Family(
        "colored covers",
        lambda rng: models.random_exact_cover(
            90, rng.randint(400, 800), 3, seed=rng.randrange(10**6), secondary=10, colors=3
        ),
    ),
    Family(
        "graceful trees",
        lambda rng: models.graceful_labeling(random_tree(rng, rng.randint(10, 20))),
    ),
    Family("one-factorizations", lambda rng: one_factorizations(2 * rng.randint(5, 15))),
    Family("Langford pairs", lambda rng: models.langford(rng.randint(12, 60))),
    Family("0-1 matrices by sums", _uneven_tables),
]
"""The families of `draw_many`, in turn."""


def draw_many(seed: int, count: int) -> Iterator[Drawn]:
    """That many problems, of the families in turn."""
    for number in range(count):
        family = FAMILIES[number % len(FAMILIES)]
        rng = random.Random(f"{family.name} {seed} {number}")
        problem = family.draw(rng)
        yield Drawn(family.name, f"{family.name} {number // len(FAMILIES) + 1}", problem)
