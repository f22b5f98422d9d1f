"""Large problems: 10 000 options and more, or thousands of items, with long searches.

    python benchmarks/large.py [NAME ...] [--rounds 3] [--engines links bits auto]
    python benchmarks/large.py --write NAME > FILE    an instance in Knuth's format

Most of them do not fit the tables of `bits` (64 MB), or fit so badly that tables of subtrees are
faster. Each search ends after a number of nodes, or when the problem is done. In each round the
engines take turns on an instance, each time on a problem of its own, so that all make their own
tables. The table has the fewest nanoseconds of CPU time a node, tables included, building the
problem excluded, and the medians of the ratios in the same round. The script stops with an error if
two engines find another number of solutions in the same nodes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import median
from typing import NamedTuple

from instances import interval_cover

from dlx import Colored, Problem, models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.models.pieces import PENTOMINOES
from dlx.models.polyforms import orientations
from dlx.models.seeded_random import SeededRandom

__all__ = [
    *("BY_NAME", "LARGE", "Large"),
    *("free_pentominoes", "pseudo_words", "symmetric_squares", "triple_system"),
]


class Large(NamedTuple):
    """A problem, and how many nodes of its search are measured."""

    name: str
    build: Callable[[], Problem]
    nodes: int = 1_000_000


def triple_system(points: int) -> Problem:
    """Steiner triple systems: each pair of points is in exactly one triple.

    points * (points - 1) / 2 items, points * (points - 1) * (points - 2) / 6 options.
    """
    pairs = {pair: f"{pair[0]} {pair[1]}" for pair in combinations(range(points), 2)}
    return Problem.from_options(
        ([pairs[a, b], pairs[a, c], pairs[b, c]] for a, b, c in combinations(range(points), 3)),
        primary=list(pairs.values()),
    )


def free_pentominoes(rows: int, columns: int) -> Problem:
    """Tiles a board with pentominoes, each as often as wanted: items are cells only."""
    shapes = [shape for piece in PENTOMINOES.values() for shape in orientations(piece)]
    placed = (
        [(row + r, column + c) for r, c in shape]
        for shape in shapes
        for row in range(rows)
        for column in range(columns)
    )
    board = {(row, column): f"{row} {column}" for row in range(rows) for column in range(columns)}
    return Problem.from_options(
        ([board[cell] for cell in cells] for cells in placed if all(c in board for c in cells)),
        primary=list(board.values()),
    )


def pseudo_words(count: int, length: int, seed: int) -> list[str]:
    """Made-up words, with letters about as frequent as in English.

    Vowels and consonants mostly take turns.
    """
    chance = SeededRandom(seed)
    letters = ("aaaeeeeiiooou", "bcddfghkllmmnnnprrrsssstttvwy")
    words: dict[str, None] = {}
    while len(words) < count:
        start = chance.below(3)
        kinds = ((start + place + (chance.below(6) == 0)) % 2 for place in range(length))
        words["".join(chance.choice(letters[kind]) for kind in kinds)] = None
    return list(words)


def _words(count: int) -> Problem:
    return models.word_rectangle(pseudo_words(count, 5, seed=1), 5, 5)


def symmetric_squares(words: Sequence[str]) -> Problem:
    """Word squares whose rows are their columns as well; words may be repeated."""
    length = len(words[0])
    return Problem.from_options(
        (
            [
                f"line {line}",
                *(
                    Colored(f"{min(line, place)} {max(line, place)}", letter)
                    for place, letter in enumerate(word)
                ),
            ]
            for line in range(length)
            for word in words
        ),
        primary=[f"line {line}" for line in range(length)],
        secondary=[f"{row} {column}" for column in range(length) for row in range(column + 1)],
    )


LARGE = [
    # Latin squares with holes, and without any number
    Large("quasigroup-40-650", lambda: models.quasigroup(40, 650, seed=1)),
    Large("quasigroup-60-900", lambda: models.quasigroup(60, 900, seed=1)),
    Large("quasigroup-60-1500", lambda: models.quasigroup(60, 1500, seed=1)),
    Large("latin-60", lambda: models.latin_square(60)),
    # boards
    Large("queens-100", lambda: models.queens(100)),
    Large("queens-200", lambda: models.queens(200)),
    Large("free-pentominoes-20x20", lambda: free_pentominoes(20, 20)),
    Large("free-pentominoes-30x60", lambda: free_pentominoes(30, 60)),
    # structured
    Large("langford-120", lambda: models.langford(120)),
    Large("triples-31", lambda: triple_system(31)),
    Large("triples-63", lambda: triple_system(63)),
    Large("intervals-10000", lambda: interval_cover(10_000, 10, seed=1)),
    # random
    Large("random-10k-4", lambda: models.random_exact_cover(400, 10_000, 4, seed=1)),
    Large("random-30k-12", lambda: models.random_exact_cover(120, 30_000, 12, seed=1)),
    Large("random-100k-5", lambda: models.random_exact_cover(1000, 100_000, 5, seed=1)),
    # words with colors
    Large("words-5x5-1000", lambda: _words(1000)),
    Large("words-5x5-3000", lambda: _words(3000)),
    Large("words-5x5-6000", lambda: _words(6000)),
    Large("symmetric-5x5-5000", lambda: symmetric_squares(pseudo_words(5000, 5, seed=1))),
]

BY_NAME = {instance.name: instance for instance in LARGE}


class Run(NamedTuple):
    """What a search reports."""

    seconds: float
    nodes: int
    solutions: int

    def per_node(self) -> float:
        """Nanoseconds of CPU time a node."""
        return 1e9 * self.seconds / self.nodes


def measure(instance: Large, engine: str) -> Run | None:
    """One search; None if the engine is `bits` and the problem does not fit."""
    problem = instance.build()._prepare(None).problem
    if engine == "bits" and not problem.bits_plan()[0]:
        return None
    begin = time.process_time()
    search = KernelSearch(problem, [], None, engine, "mrv")
    solutions = search.skip(Budget(nodes=instance.nodes))
    seconds = time.process_time() - begin
    return Run(seconds, search.stats.nodes, solutions)


def row(instance: Large, engines: Sequence[str], rounds: int) -> str:
    """The row of an instance: each engine against the first."""
    runs: dict[str, list[Run]] = {}
    for _ in range(rounds):
        for engine in engines:
            run = measure(instance, engine)
            if run is not None:
                runs.setdefault(engine, []).append(run)
    found = {run.solutions for each in runs.values() for run in each if run.nodes < instance.nodes}
    if len(found) > 1:
        sys.exit(f"{instance.name}: different numbers of solutions: {sorted(found)}")
    cells = []
    for engine in engines:
        if engine not in runs:
            cells.append("does not fit")
            continue
        both = zip(runs[engines[0]], runs[engine], strict=True)
        ratio = median(base.per_node() / run.per_node() for base, run in both)
        text = f"{min(run.per_node() for run in runs[engine]):.0f} ns"
        cells.append(text if engine == engines[0] else f"{text} ({ratio:.1f}x)")
    problem = instance.build()
    size = f"{len(problem.primary) + len(problem.secondary):,} | {len(problem):,}"
    return f"| {instance.name} | {size} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="(default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", nargs="+", default=["links", "bits", "auto"])
    parser.add_argument("--write", metavar="NAME", choices=BY_NAME)
    options = parser.parse_args(arguments)
    if options.write is not None:
        BY_NAME[options.write].build().dump(sys.stdout)
        return 0
    for name in options.names:
        if name not in BY_NAME:
            parser.error(f"there is no instance {name!r}; there are {', '.join(BY_NAME)}")
    print(f"| instance | items | options | {' | '.join(options.engines)} |")
    print(f"|---|---:|---:|{'---:|' * len(options.engines)}")
    for name in options.names or BY_NAME:
        print(row(BY_NAME[name], options.engines, options.rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
