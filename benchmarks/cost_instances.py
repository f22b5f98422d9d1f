"""Problems with costs: four families, each in a few sizes.

* `crew-*`: set partitioning as airlines have it. Flights must be covered exactly once; a pairing is
  a chain of flights that fit together in time and place, and costs what its hours cost. The linear
  program nearly solves it.
* `tiles-*`: a board is cut into pentominoes (each shape once), into dominoes, or into dominoes and
  trominoes, and each placement costs at random. Few coverings, or astronomically many.
* `queens-*`: n queens that do not attack each other, near the axes of the board or as cheap as can
  be on a board of random costs. Secondary items.
* `words-*`, `latin-*`: rectangles of made-up words, each of which costs (secondary items with
  colors), and Latin squares with a cost for each digit in each place.

`OPTIMISATION` is for comparisons with solvers of integer programs: crews; `cover-*`, weighted set
covers, and `blocks-*`, covers of all small sets of points; `pack-*`, combinatorial auctions;
`assignment-*` of two or three kinds; `matching-*`, cheapest perfect matchings of sparse graphs;
`cutting-*`, rolls for a list of widths; and `roster-*`, weeks of employees that meet demands.

    python benchmarks/cost_instances.py NAME > FILE   writes one in Knuth's format
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

from instances import random_words

from dlx import Problem, models, times
from dlx.models.seeded_random import SeededRandom

__all__ = ["COST_INSTANCES", "OPTIMISATION"]


def crew(flights: int, pairings: int, seed: int) -> Problem:
    """Flights between a few towns, and chains of them as options."""
    chance = SeededRandom(seed)
    towns = 6
    legs = []
    for _ in range(flights):
        start, here = chance.below(towns), chance.below(4 * 24 * 4)
        there = (start + 1 + chance.below(towns - 1)) % towns
        length = 4 + chance.below(12)
        legs.append((here, here + length, start, there))
    legs.sort()
    problem = Problem(primary=range(flights))
    seen = set()
    for flight, (begin, end, _, _) in enumerate(legs):  # one alone can always be had, for much
        problem.add_option([flight], cost=300 + 10 * (end - begin))
    for _ in range(20 * pairings):
        if len(problem) == pairings:
            break
        chain = [chance.below(flights)]
        while len(chain) < 8:
            _, end, _, place = legs[chain[-1]]
            after = [
                f
                for f in range(chain[-1] + 1, flights)
                if legs[f][2] == place and 2 <= legs[f][0] - end <= 80
            ]
            if not after or chance.below(8) == 0:
                break
            chain.append(after[chance.below(min(8, len(after)))])
        if len(chain) < 2 or tuple(chain) in seen:
            continue
        seen.add(tuple(chain))
        flown = sum(legs[f][1] - legs[f][0] for f in chain)
        away = legs[chain[-1]][1] - legs[chain[0]][0]
        home = legs[chain[-1]][3] == legs[chain[0]][2]
        problem.add_option(chain, cost=100 + 2 * flown + away + (0 if home else 150))
    return problem


def costed(plain: Problem, cost: Callable[[int, Any], int]) -> Problem:
    """The problem with costs, made from the index and the items of each option."""
    return Problem.from_options(
        plain.options,
        primary=plain.primary,
        secondary=plain.secondary,
        costs=[cost(index, option) for index, option in enumerate(plain.options)],
    )


def at_random(plain: Problem, below: int, seed: int) -> Problem:
    """The problem with costs from 0 up to `below`."""
    chance = SeededRandom(seed)
    return costed(plain, lambda index, option: chance.below(below))


def mixed_tiles(rows: int, columns: int, below: int, seed: int) -> Problem:
    """Dominoes and trominoes of both kinds on a board, all at random costs by square."""
    shapes = [
        [(0, 0), (0, 1)],
        [(0, 0), (1, 0)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (0, 1), (1, 0)],
        [(0, 0), (0, 1), (1, 1)],
        [(0, 0), (1, 0), (1, 1)],
        [(0, 1), (1, 0), (1, 1)],
    ]
    chance = SeededRandom(seed)
    problem = Problem(primary=[f"{r},{c}" for r in range(rows) for c in range(columns)])
    for r in range(rows):
        for c in range(columns):
            for shape in shapes:
                cells = [(r + y, c + x) for y, x in shape]
                if all(y < rows and x < columns for y, x in cells):
                    items = [f"{y},{x}" for y, x in cells]
                    problem.add_option(items, cost=chance.below(below) * len(cells))
    return problem


def queens_by_distance(size: int) -> Problem:
    """Queens near the axes: each costs the product of the squares of her two distances."""
    plain = models.queens(size)

    def cost(index: int, option: Any) -> int:
        row, column = index // size, index % size
        return (2 * row - size + 1) ** 2 * (2 * column - size + 1) ** 2

    return costed(plain, cost)


def words(rows: int, columns: int, count: int, seed: int) -> Problem:
    """Word rectangles; each placement of a word costs."""
    plain = models.word_rectangle(random_words(count, (rows, columns), seed=seed), rows, columns)
    return at_random(plain, 1000, seed)


def weighted_cover(items: int, options: int, seed: int) -> Problem:
    """Options of 4 to 12 items at costs of 10 to 100; each item is covered at least once."""
    chance = random.Random(seed)
    covered = [chance.sample(range(items), chance.randint(4, 12)) for _ in range(options)]
    return Problem.covering(covered, costs=[chance.randint(10, 100) for _ in covered])


def block_design(points: int, size: int, within: int) -> Problem:
    """Blocks of `size` points; any `within` points must be in one of them."""
    blocks = combinations(range(points), size)
    return Problem.covering([list(combinations(block, within)) for block in blocks])


def pack(items: int, options: int, seed: int) -> Problem:
    """Bids for bundles of 2 to 6 items: each item is sold once at most, bundles cost -price."""
    chance = SeededRandom(seed)
    bids = [sorted(chance.sample(items, 2 + chance.below(5))) for _ in range(options)]
    prices = [sum(50 + chance.below(50) for _ in bid) + 10 * len(bid) ** 2 for bid in bids]
    return Problem.packing(bids, costs=[-price for price in prices])


def assignment(size: int, kinds: int, seed: int) -> Problem:
    """One of each kind together, at random costs: with three kinds it is NP-hard."""
    chance = SeededRandom(seed)
    groups = [list(enumerate(one)) for one in product(range(size), repeat=kinds)]
    return Problem.from_options(groups, costs=[chance.below(1000) for _ in groups])


def matching(vertices: int, degree: int, seed: int) -> Problem:
    """A perfect matching of a graph with edges at random lengths, in which there is one."""
    chance = SeededRandom(seed)
    order = chance.shuffled(range(vertices))
    edges = {tuple(sorted(order[n : n + 2])) for n in range(0, vertices, 2)}
    while len(edges) < vertices * degree // 2:
        edges.add(tuple(sorted(chance.sample(vertices, 2))))
    return Problem.from_options(sorted(edges), costs=[1 + chance.below(1000) for _ in edges])


def cutting(widths: int, demand: int, seed: int) -> Problem:
    """As few rolls of width 1000 as possible; an option cuts 1, 2 or 4 of them alike."""
    chance = SeededRandom(seed)
    needed = {190 + 25 * n + chance.below(25): 1 + chance.below(demand) for n in range(widths)}

    def patterns(left: int, rest: list[int]) -> Iterator[dict[int, int]]:
        if not rest:
            if left < min(needed):
                yield {}
            return
        for count in range(left // rest[0] + 1):
            for one in patterns(left - count * rest[0], rest[1:]):
                yield {rest[0]: count, **one} if count else one

    options = [
        ([times(width, rolls * count) for width, count in one.items()], rolls)
        for one in patterns(1000, [*needed])
        for rolls in (1, 2, 4)
        if rolls == 1 or all(count * rolls <= needed[width] + 1 for width, count in one.items())
    ]
    return Problem.from_options(
        [items for items, _ in options],
        costs=[rolls for _, rolls in options],
        multiplicities={width: (count, None) for width, count in needed.items()},
    )


def roster(people: int, weeks: int, seed: int) -> Problem:
    """Each person works one of some weeks of shifts, and dislikes each; shifts have demands."""
    chance = SeededRandom(seed)
    worked: dict[tuple[int, int], int] = {}
    options, costs = [], []
    for person in range(people):
        for number in range(weeks):
            start, off = chance.below(3), {*chance.sample(7, 2)}
            week = [(day, (start + chance.below(2)) % 3) for day in range(7) if day not in off]
            options.append([("person", person), *week])
            costs.append(chance.below(100))
            for shift in week if number == 0 else ():  # so there is a solution
                worked[shift] = worked.get(shift, 0) + 1
    return Problem.from_options(
        options,
        costs=costs,
        multiplicities={
            shift: (worked.get(shift, 0), worked.get(shift, 0) + 1)
            for shift in product(range(7), range(3))
        },
    )


OPTIMISATION: dict[str, Callable[[], Problem]] = {
    "crew-60": lambda: crew(60, 3000, seed=1),
    "crew-80": lambda: crew(80, 4000, seed=4),
    "crew-100": lambda: crew(100, 5000, seed=5),
    "crew-120": lambda: crew(120, 10000, seed=2),
    "crew-150": lambda: crew(150, 12000, seed=3),
    "cover-200-a": lambda: weighted_cover(200, 1000, seed=0),
    "cover-200-b": lambda: weighted_cover(200, 1000, seed=1),
    "cover-200-c": lambda: weighted_cover(200, 1000, seed=2),
    "cover-400": lambda: weighted_cover(400, 4000, seed=3),
    "blocks-9-4-2": lambda: block_design(9, 4, 2),
    "blocks-9-5-3": lambda: block_design(9, 5, 3),
    "blocks-11-6-4": lambda: block_design(11, 6, 4),
    "pack-60": lambda: pack(60, 400, seed=1),
    "pack-100": lambda: pack(100, 600, seed=2),
    "pack-150": lambda: pack(150, 1000, seed=3),
    "pack-200": lambda: pack(200, 2000, seed=4),
    "assignment-50": lambda: assignment(50, 2, seed=1),
    "assignment-150": lambda: assignment(150, 2, seed=2),
    "assignment-3x10": lambda: assignment(10, 3, seed=3),
    "assignment-3x16": lambda: assignment(16, 3, seed=4),
    "matching-100": lambda: matching(100, 8, seed=1),
    "matching-200": lambda: matching(200, 10, seed=2),
    "matching-400": lambda: matching(400, 10, seed=3),
    "matching-1000": lambda: matching(1000, 10, seed=4),
    "cutting-8": lambda: cutting(8, 6, seed=1),
    "cutting-12": lambda: cutting(12, 6, seed=2),
    "cutting-16": lambda: cutting(16, 8, seed=3),
    "cutting-20": lambda: cutting(20, 8, seed=4),
    "roster-12": lambda: roster(12, 30, seed=1),
    "roster-20": lambda: roster(20, 40, seed=2),
    "roster-30": lambda: roster(30, 60, seed=3),
    "roster-50": lambda: roster(50, 80, seed=4),
}


COST_INSTANCES: dict[str, Callable[[], Problem]] = {
    **{name: OPTIMISATION[name] for name in ("crew-60", "crew-120", "crew-80", "crew-100")},
    "tiles-pentominoes-6x10": lambda: at_random(models.pentominoes(6, 10), 1000, seed=1),
    "tiles-dominoes-16x16": lambda: at_random(models.dominoes(16, 16), 1000, seed=2),
    "tiles-mixed-12x12": lambda: mixed_tiles(12, 12, 1000, seed=3),
    "tiles-mixed-14x14": lambda: mixed_tiles(14, 14, 1000, seed=5),
    "queens-distance-16": lambda: queens_by_distance(16),
    "queens-random-16": lambda: at_random(models.queens(16), 1000, seed=1),
    "queens-random-24": lambda: at_random(models.queens(24), 1000, seed=2),
    "words-3x4": lambda: words(3, 4, 600, seed=1),
    "words-4x5": lambda: words(4, 5, 1200, seed=2),
    "latin-9": lambda: at_random(models.latin_square(9), 100, seed=3),
}


if __name__ == "__main__":
    {**COST_INSTANCES, **OPTIMISATION}[sys.argv[1]]().dump(sys.stdout)
