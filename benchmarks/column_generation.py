"""Column generation: `dlx.column_generation` beside the loop that one writes with HiGHS alone.

    python benchmarks/column_generation.py [INSTANCE ...] [--rounds 3]

Both call the same pricing function, which returns one
column, or the best 20. The loop with HiGHS keeps its basis,
as ours does, and stops at a reduced cost of -1e-6; ours ends with a proof in integers. The time is
CPU time without that of the pricing function; the relaxation's bound must agree.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import highspy
import numpy as np

import dlx
from dlx.models.seeded_random import SeededRandom

__all__ = ["main"]

Price = Callable[[dict[Any, float]], list[tuple[list[Any], int]]]
Instance = tuple[dict[Any, int], bool, Price]
"""The demand of each item, whether columns are used several times, and the pricing function."""


def cutting(widths: int, seed: int) -> Instance:
    """Cutting stock: rolls of width 1000, and a knapsack."""
    chance = SeededRandom(seed)
    demand = {60 + 7 * n + chance.below(7): 10 + chance.below(90) for n in range(widths)}

    def price(prices: dict[Any, float]) -> list[tuple[list[Any], int]]:
        best: list[tuple[float, int]] = [(0.0, 0)] * 1001  # the value, and the last piece
        for width in range(1, 1001):
            fits = [(best[width - w][0] + prices[w], w) for w in demand if w <= width]
            best[width] = max([(best[width - 1][0], 0), *fits])
        if best[1000][0] <= 1:
            return []
        pieces, left = [], 1000
        while left:
            piece = best[left][1]
            pieces += [piece] if piece else []
            left -= piece or 1
        return [([dlx.times(w, pieces.count(w)) for w in sorted({*pieces})], 1)]

    return demand, True, price


def crew(flights: int, seed: int) -> Instance:
    """Crew pairing: flights between six towns, and shortest paths, from 20 flights."""
    chance = SeededRandom(seed)
    legs = []
    for _ in range(flights):
        start, here = chance.below(6), chance.below(4 * 24 * 4)
        there = (start + 1 + chance.below(5)) % 6
        legs.append((here, here + 4 + chance.below(12), start, there))
    legs.sort()
    after = [
        [n for n, two in enumerate(legs) if two[2] == one[3] and 2 <= two[0] - one[1] <= 80]
        for one in legs
    ]

    best: list[tuple[float, int, int | None]] = [(0.0, 0, None)] * flights

    def chain(first: int) -> tuple[list[Any], int]:
        found, here = [first], best[first][2]
        while here is not None:
            found.append(here)
            here = best[here][2]
        return found, best[first][1] + (180 if legs[first][2] else 80)

    def price(prices: dict[Any, float]) -> list[tuple[list[Any], int]]:
        for n in reversed(range(flights)):  # the cheapest chain that begins with this flight
            begin, end, _, there = legs[n]
            ends = [(100.0 if there else 0.0, 100 if there else 0, None)]
            waits = [
                (best[m][0] + legs[m][0] - end, best[m][1] + legs[m][0] - end, m) for m in after[n]
            ]
            reduced, cost, then = min([*ends, *waits], key=lambda one: one[0])
            best[n] = reduced + end - begin - prices[n], cost + end - begin, then
        starts = sorted((best[n][0] + (180 if legs[n][2] else 80), n) for n in range(flights))
        return [chain(first) for reduced, first in starts[:20] if reduced < 0]

    return dict.fromkeys(range(flights), 1), False, price


INSTANCES: dict[str, Callable[[], Instance]] = {
    "cutting-20": lambda: cutting(20, 1),
    "cutting-40": lambda: cutting(40, 2),
    "cutting-60": lambda: cutting(60, 3),
    "crew-100": lambda: crew(100, 1),
    "crew-150": lambda: crew(150, 2),
    "crew-200": lambda: crew(200, 2),
}


def ours(instance: Instance, price: Price, engine: Any) -> tuple[float, int]:
    """The bound of the relaxation, and the number of columns."""
    demand, several, _ = instance
    bounds = {item: (least, None) if several else 1 for item, least in demand.items()}
    problem = dlx.Problem(list(demand), multiplicities=bounds)
    found = dlx.column_generation(problem, price, copies=several, minimum=False, engine=engine)
    assert found.complete
    assert found.relaxation is not None
    return found.relaxation.bound, found.columns


def loop(instance: Instance, price: Price) -> tuple[float, int]:
    """The same by the loop that one writes with HiGHS alone."""
    demand, several, _ = instance
    numbers, rows = {item: n for n, item in enumerate(demand)}, len(demand)
    solver = highspy.Highs()  # type: ignore[no-untyped-call, unused-ignore]
    solver.setOptionValue("output_flag", False)
    low = np.array([*demand.values()], float)
    high = np.full(rows, highspy.kHighsInf) if several else low
    none = np.zeros(rows, np.int32)
    solver.addRows(rows, low, high, 0, none, np.zeros(0, np.int32), np.zeros(0))
    for row in range(rows):
        solver.addCol(1e5, 0, highspy.kHighsInf, 1, np.array([row], np.int32), np.ones(1))
    columns = 0
    while True:
        solver.run()
        duals = solver.getSolution().row_dual
        prices = {item: duals[n] for item, n in numbers.items()}
        fresh = [one for one in price(prices) if _reduced(one, prices) < -1e-6]
        if not fresh:
            return solver.getObjectiveValue(), columns
        for items, cost in fresh:
            entries = [_entry(one) for one in items]
            places = np.array([numbers[item] for item, _ in entries], np.int32)
            weight = np.array([float(n) for _, n in entries])
            solver.addCol(cost, 0, highspy.kHighsInf, len(entries), places, weight)
            columns += 1


def _entry(entry: Any) -> tuple[Any, int]:
    return (entry.item, entry.weight) if isinstance(entry, dlx.Times) else (entry, 1)


def _reduced(column: tuple[list[Any], int], prices: dict[Any, float]) -> float:
    items, cost = column
    return cost - sum(prices[item] * times for item, times in map(_entry, items))


class _Timed:
    """A pricing function, and the CPU time that it takes."""

    def __init__(self, price: Price) -> None:
        self._price = price
        self.seconds = 0.0

    def __call__(self, prices: dict[Any, float]) -> list[tuple[list[Any], int]]:
        began = time.process_time()
        found = self._price(prices)
        self.seconds += time.process_time() - began
        return found


SOLVERS: dict[str, Callable[[Instance, Price], tuple[float, int]]] = {
    "kernel": lambda instance, price: ours(instance, price, "kernel"),
    "highs": lambda instance, price: ours(instance, price, "highs"),
    "HiGHS alone": loop,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, alternately, and prints a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("instances", nargs="*", metavar="INSTANCE")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    print(f"| instance | bound | pricing | {' | '.join(SOLVERS)} |")
    print(f"|---|{'---:|' * (len(SOLVERS) + 2)}")
    agreed = True
    for name in options.instances or INSTANCES:
        instance = INSTANCES[name]()
        spent: dict[str, list[float]] = {solver: [] for solver in SOLVERS}
        pricing: list[float] = []
        columns, bounds = {}, {}
        for _ in range(options.rounds):
            for solver, solve in SOLVERS.items():
                timed = _Timed(instance[2])
                began = time.process_time()
                bounds[solver], columns[solver] = solve(instance, timed)
                spent[solver].append(time.process_time() - began - timed.seconds)
                pricing.append(timed.seconds)
        agreed = agreed and max(bounds.values()) - min(bounds.values()) < 1e-3
        cells = [f"{median(spent[s]):.3f} s, {columns[s]} columns" for s in SOLVERS]
        print(
            f"| {name} | {bounds['kernel']:.3f} | {median(pricing):.2f} s | {' | '.join(cells)} |"
        )
        sys.stdout.flush()
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
