"""The set of problems that engines and peers are measured on.

An `Instance` has a name, a builder, and the number of solutions it is asked for: all of them, or
the first `limit`. `expected` is what every correct solver answers, by `source`. "two engines" means
that `dlx`'s compiled and plain Python engines agree on it; "Sage" and "xcover" that those published
packages agree with the compiled engine, in `benchmarks/peers.py`.

    python benchmarks/instances.py               lists the set
    python benchmarks/instances.py NAME > FILE   writes an instance in Knuth's format
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dlx import Problem, models
from dlx.models.seeded_random import SeededRandom

__all__ = ["BY_NAME", "INSTANCES", "Instance", "forced_cover", "interval_cover", "mycielski_graph"]


class Instance(NamedTuple):
    """A problem of the set: see the module."""

    name: str
    build: Callable[[], Problem]
    expected: int
    source: str
    limit: int | None = None
    weight: str = "light"
    """How long the `links` engine takes: "light" up to about a second, "heavy" beyond, "vast" for
    ever: these are for counting without listing."""


# -- builders of what is not a model -------------------------------------------------------------


def forced_cover(items: int, options: int, size: int, seed: int) -> Problem:
    """A large sparse problem with exactly one solution, found by forced choices alone.

    A partition P1, P2, ... of the items is hidden. Every other option contains the first item of
    some part Pj, an item of an earlier part that is not the first there, and items from Pj on.
    So P1 is the only option for its first item; taking it leaves P2 the only one for its; and so
    on to the end: no choice at all, as many levels as parts, and nearly every option is removed
    long before its turn. What is measured is building, covering, and the choice of the item.
    """
    chance = SeededRandom(seed)
    mixed = chance.shuffled(range(items))
    parts = [mixed[first : first + size] for first in range(0, items, size)]
    rows = list(parts)
    while len(rows) < options:
        later = 1 + chance.below(len(parts) - 1)
        row = {parts[later][0], chance.choice(parts[chance.below(later)][1:])}
        while len(row) < size:
            row.add(mixed[later * size + chance.below(items - later * size)])
        rows.append(list(row))
    return _from_rows(items, chance.shuffled(rows))


def interval_cover(items: int, lengths: int, seed: int) -> Problem:
    """Cuts a row of items into intervals, `lengths` of which, of random length, begin at each item.

    Sparse, large, with astronomically many solutions, so that the first one is asked for.
    """
    chance = SeededRandom(seed)
    rows: list[range] = []
    for first in range(items):
        ends = chance.sample(2 * lengths, lengths)
        rows += [range(first, first + 1 + end) for end in ends if first + end < items]
    return _from_rows(items, rows)


def _from_rows(items: int, rows: Sequence[Sequence[int]]) -> Problem:
    start, entries = array("i", [0]), array("i")
    for row in rows:
        entries.extend(row)
        start.append(len(entries))
    return Problem.from_arrays(start, entries, items=items)


def mycielski_graph(colors: int) -> list[tuple[int, int]]:
    """A graph without triangles that needs `colors` colors (J. Mycielski 1955)."""
    edges, vertices = [(0, 1)], 2
    for _ in range(colors - 2):
        top = 2 * vertices
        edges += [(a, vertices + b) for a, b in edges] + [(b, vertices + a) for a, b in edges]
        edges += [(vertices + a, top) for a in range(vertices)]
        vertices = top + 1
    return edges


def grid_graph(rows: int, columns: int) -> list[tuple[int, int]]:
    """Neighbouring squares of a board."""
    across = [
        (r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)
    ]
    down = [
        (r * columns + c, r * columns + c + columns)
        for r in range(rows - 1)
        for c in range(columns)
    ]
    return across + down


def random_words(count: int, lengths: Sequence[int], seed: int) -> list[str]:
    """Made-up words in which vowels and consonants mostly take turns."""
    chance = SeededRandom(seed)
    words: dict[str, None] = {}
    while len(words) < count:
        start, length = chance.below(2), chance.choice(lengths)
        words[
            "".join(chance.choice(("aeiou", "bdlmnrst")[(start + k) % 2]) for k in range(length))
        ] = None
    return list(words)


# -- the set -------------------------------------------------------------------------------------

_MIDDLE = models.box(2, 2, at=(3, 3))
_WORDS = random_words(600, (3, 4, 5), seed=1)

INSTANCES = [
    # exact cover with primary items only, dense and small
    Instance(
        "one-of-each-4",
        lambda: models.random_exact_cover(4, 160, 1, seed=1),
        2492280,
        "two engines",
    ),
    Instance("tiny", lambda: models.random_exact_cover(6, 20, 2, seed=1), 32, "two engines"),
    Instance("pentominoes-3x20", lambda: models.pentominoes(3, 20), 4 * 2, "TAOCP 7.2.2.1"),
    Instance(
        "pentominoes-8x8-hole",
        lambda: models.pentominoes(8, 8, without=_MIDDLE),
        8 * 65,
        "D. S. Scott 1958",
    ),
    Instance(
        "pentominoes-6x10",
        lambda: models.pentominoes(6, 10),
        4 * 2339,
        "TAOCP 7.2.2.1",
        weight="heavy",
    ),
    Instance("soma", models.soma, 240 * 48, "TAOCP 7.2.2.1"),
    Instance("langford-12", lambda: models.langford(12), 2 * 108144, "OEIS A014552"),
    Instance("langford-13", lambda: models.langford(13), 0, "OEIS A014552", weight="heavy"),
    Instance("latin-5", lambda: models.latin_square(5), 161280, "OEIS A002860"),
    Instance("dominoes-6x8", lambda: models.dominoes(6, 8), 167089, "OEIS A099390"),
    Instance(
        "dominoes-8x8", lambda: models.dominoes(8, 8), 12988816, "OEIS A004003", weight="heavy"
    ),
    Instance(
        "dominoes-10x10",
        lambda: models.dominoes(10, 10),
        258584046368,
        "OEIS A004003",
        weight="vast",
    ),
    Instance(
        "dominoes-12x12",
        lambda: models.dominoes(12, 12),
        53060477521960000,
        "OEIS A004003",
        weight="vast",
    ),
    Instance(
        "dominoes-16x16",
        lambda: models.dominoes(16, 16),
        2444888770250892795802079170816,
        "OEIS A004003",
        weight="vast",
    ),
    Instance(
        "dominoes-20x20",
        lambda: models.dominoes(20, 20),
        1269984011256235834242602753102293934298576249856,
        "OEIS A004003",
        weight="vast",
    ),
    Instance("matchings-8", lambda: models.matchings(8), 2027025, "OEIS A001147"),
    Instance(
        "random-dense-24",
        lambda: models.random_exact_cover(24, 2000, 6, seed=1),
        4726,
        "two engines",
    ),
    Instance(
        "random-dense-60", lambda: models.random_exact_cover(60, 5000, 15, seed=1), 1, "two engines"
    ),
    # exact cover, sparse
    Instance(
        "random-3-uniform",
        lambda: models.random_exact_cover(48, 230, 3, seed=1),
        155195,
        "Sage, xcover",
    ),
    Instance(
        "random-4-uniform", lambda: models.random_exact_cover(60, 350, 4, seed=1), 66, "two engines"
    ),
    Instance(
        "random-unsatisfiable",
        lambda: models.random_exact_cover(89, 400, 4, seed=1, satisfiable=False),
        0,
        "89 is no multiple of 4",
        weight="heavy",
    ),
    Instance(
        "quasigroup-22",
        lambda: models.quasigroup(22, 203, seed=3),
        12158,
        "Sage, xcover",
        weight="heavy",
    ),
    Instance(
        "quasigroup-22-many", lambda: models.quasigroup(22, 190, seed=1), 223388, "Sage, xcover"
    ),
    Instance(
        "quasigroup-30-first", lambda: models.quasigroup(30, 360, seed=2), 1, "by construction", 1
    ),
    Instance(
        "intervals-first", lambda: interval_cover(10_000, 10, seed=1), 1, "by construction", 1
    ),
    Instance("intervals-40", lambda: interval_cover(40, 10, seed=1), 518174, "two engines"),
    Instance("forced-100k", lambda: forced_cover(10_000, 100_000, 4, seed=1), 1, "by construction"),
    Instance(
        "forced-1m",
        lambda: forced_cover(60_000, 1_000_000, 4, seed=1),
        1,
        "by construction",
        weight="heavy",
    ),
    # secondary items
    Instance("queens-12", lambda: models.queens(12), 14200, "OEIS A000170"),
    Instance("queens-14", lambda: models.queens(14), 365596, "OEIS A000170"),
    Instance("queens-16", lambda: models.queens(16), 14772512, "OEIS A000170", weight="heavy"),
    Instance(
        "coloring-mycielski-4",
        lambda: models.graph_coloring(mycielski_graph(5), 4),
        0,
        "J. Mycielski 1955: the graph needs 5 colors",
    ),
    Instance(
        "coloring-petersen-6",
        lambda: models.graph_coloring(models.petersen_graph(), 6),
        3868080,
        "chromatic polynomial of Petersen's graph",
    ),
    Instance(
        "random-secondary",
        lambda: models.random_exact_cover(60, 250, 3, seed=1, secondary=60),
        3455,
        "Sage, xcover",
    ),
    # colors
    Instance("words-3x4", lambda: models.word_rectangle(_WORDS, 3, 4), 26918, "two engines"),
    Instance("words-4x5", lambda: models.word_rectangle(_WORDS, 4, 5), 255, "two engines"),
    Instance(
        "graceful-wheel-7",
        lambda: models.graceful_labeling(models.wheel_graph(7)),
        1876,
        "two engines",
    ),
    Instance(
        "graceful-wheel-8",
        lambda: models.graceful_labeling(models.wheel_graph(8)),
        8032,
        "xcover",
    ),
    Instance(
        "random-colors",
        lambda: models.random_exact_cover(60, 400, 3, seed=1, secondary=10, colors=3),
        15571,
        "xcover",
        weight="heavy",
    ),
]

BY_NAME = {instance.name: instance for instance in INSTANCES}


def main(arguments: Sequence[str]) -> int:
    """Lists the set, or writes an instance."""
    if not arguments:
        print(
            f"{'name':22}{'items':>8}{'secondary':>11}{'options':>10}{'entries':>10}{'count':>10}"
        )
        for name, instance in BY_NAME.items():
            problem = instance.build()
            sizes = f"{len(problem.primary):8}{len(problem.secondary):11}{len(problem):10}"
            print(
                f"{name:22}{sizes}{problem.entry_count:10}{instance.expected:10}  {instance.source}"
            )
        return 0
    if len(arguments) != 1 or arguments[0] not in BY_NAME:
        print(f"usage: instances.py [NAME]; there are {', '.join(BY_NAME)}", file=sys.stderr)
        return 2
    BY_NAME[arguments[0]].build().dump(sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
