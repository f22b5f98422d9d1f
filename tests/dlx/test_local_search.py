"""The kernel's local search: its incumbents are solutions, and what it maintains is right.

A small program, compiled from the kernel's sources, runs the class by itself.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from array import array
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from cost_instances import mixed_tiles, weighted_cover
from folders import KERNEL
from internals import numbered
from timeouts import simulated_clock

import dlx

COMPILER = shutil.which("c++")
MANY = 10**6

PROGRAM = """
#include <cstdio>
#include "minimum/local_search.hpp"

int main() {
    using namespace dlx;
    int rows, options, rounds, priced_round, weighted;
    long long seed, work, cutoff;
    while (std::scanf("%d %d %lld %d %lld %lld %d %d", &rows, &options, &seed, &rounds, &work,
                      &cutoff, &priced_round, &weighted) == 8) {
        IntegerProgram given;
        std::vector<double> prices(static_cast<std::size_t>(rows));
        for (double& price : prices) {
            int low, high;
            if (std::scanf("%d %d %lf", &low, &high, &price) != 3) return 1;
            given.low.push_back(low);
            given.high.push_back(high);
        }
        for (int option = 0; option < options; ++option) {
            long long cost;
            int size;
            if (std::scanf("%lld %d", &cost, &size) != 2) return 1;
            given.cost.push_back(cost);
            for (; size > 0; --size) {
                int row, times;
                if (std::scanf("%d %d", &row, &times) != 2) return 1;
                given.row.push_back(row);
                if (weighted) given.weight.push_back(times);
            }
            given.start.push_back(given.row.size());
        }
        LocalSearch search(std::move(given), static_cast<std::uint64_t>(seed));
        search.set_cutoff(cutoff);
        for (int round = 0; round < rounds; ++round) {
            if (round == priced_round) search.set_prices(prices);
            const auto found =
                search.run(static_cast<std::uint64_t>(work), Clock::time_point::max());
            search.check();
            if (!found) continue;
            std::printf("%lld:", static_cast<long long>(found->cost));
            for (const Int option : found->options) std::printf(" %d", option);
            std::printf(";");
        }
        std::printf("%d\\n", search.packs() ? 1 : 0);
    }
}
"""


class Rows(NamedTuple):
    """A problem, and how the search is run."""

    bounds: list[tuple[int, int]]
    prices: list[float]
    options: list[dict[int, int]]  # how often each row is covered
    costs: list[int]
    seed: int
    rounds: int
    work: int
    cutoff: int
    priced_round: int

    def text(self) -> str:
        """As the program reads it."""
        weighted = any(times > 1 for option in self.options for times in option.values())
        parts: list[object] = [len(self.bounds), len(self.options), self.seed, self.rounds]
        parts += [self.work, self.cutoff, self.priced_round, int(weighted)]
        for (low, high), price in zip(self.bounds, self.prices, strict=True):
            parts += [low, high, price]
        for option, cost in zip(self.options, self.costs, strict=True):
            parts += [cost, len(option)]
            for entry in option.items():
                parts += entry
        return " ".join(map(str, parts))

    def cost_of(self, chosen: list[int]) -> int | None:
        """The cost of these options, or None if they are no solution."""
        for row, (low, high) in enumerate(self.bounds):
            if not low <= sum(self.options[one].get(row, 0) for one in chosen) <= high:
                return None
        return sum(self.costs[one] for one in chosen)

    def least(self) -> int | None:
        """The cost of the cheapest solution, by trying all sets of options."""
        sets = product((False, True), repeat=len(self.options))
        costs = (self.cost_of([at for at, one in enumerate(taken) if one]) for taken in sets)
        return min((cost for cost in costs if cost is not None), default=None)


def random_rows(rng: random.Random) -> Rows:
    """Up to 9 options of up to 6 rows: covers, partitions, packings, or rows of all kinds."""
    count, options = rng.randint(1, 6), rng.randint(1, 9)
    kinds: list[tuple[int, int]] = rng.choice(
        [
            [(1, MANY)],
            [(1, 1)],
            [(1, 1), (0, 1)],
            [(2, MANY), (1, MANY)],
            [(0, 1), (1, 1), (1, 2), (2, 2), (2, 4), (1, MANY), (0, MANY)],
        ]
    )
    heaviest = rng.choice([1, 1, 3])
    least, most = rng.choice([(1, 1), (0, 9), (1, 1000), (-5, 20), (-9, -1)])
    return Rows(
        bounds=[rng.choice(kinds) for _ in range(count)],
        prices=[rng.choice([0.0, rng.uniform(-5, 20), rng.uniform(0, 1)]) for _ in range(count)],
        options=[
            {
                row: rng.randint(1, heaviest)
                for row in rng.sample(range(count), rng.randint(1, count))
            }
            for _ in range(options)
        ],
        costs=[rng.randint(least, most) for _ in range(options)],
        seed=rng.randrange(1000),
        rounds=rng.choice([1, 5, 40]),
        work=rng.choice([1, 30, 1000]),
        cutoff=rng.choice([2**62, 2**62, rng.randint(-10, 60)]),
        priced_round=rng.choice([-1, 0, 3]),
    )


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program."""
    if COMPILER is None or not KERNEL.parent.exists():
        pytest.skip("needs a compiler and sources")
    folder = tmp_path_factory.mktemp("local_search")
    (folder / "program.cpp").write_text(PROGRAM)
    command = [COMPILER, "-std=c++20", "-O1", f"-I{KERNEL}", "program.cpp"]
    command += [str(KERNEL / "minimum" / "local_search.cpp"), "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "program"


def answers(program: Path, cases: list[Rows]) -> list[tuple[list[tuple[int, list[int]]], bool]]:
    """The incumbents of each case in the order in which they were found, and whether it packs."""
    text = "\n".join(case.text() for case in cases)
    ran = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    result = []
    for line in ran.stdout.splitlines():
        *found, packs = line.split(";")
        pairs = (one.split(":") for one in found)
        result.append(
            ([(int(cost), list(map(int, taken.split()))) for cost, taken in pairs], packs == "1")
        )
    assert len(result) == len(cases)
    return result


def test_incumbents_are_solutions_and_mostly_the_cheapest(program: Path) -> None:
    rng = random.Random(5)
    cases = [random_rows(rng) for _ in range(1500)]
    ended, cheapest = 0, 0
    for case, (found, packs) in zip(cases, answers(program, cases), strict=True):
        costs = [cost for cost, _ in found]
        assert costs == sorted(set(costs), reverse=True)
        assert all(case.cost_of(taken) == cost for cost, taken in found)
        assert all(cost < case.cutoff for cost in costs)
        fitting = [o for o in case.options if all(case.bounds[r][1] >= n for r, n in o.items())]
        totals = [sum(option.get(row, 0) for option in fitting) for row in range(len(case.bounds))]
        assert packs == any(
            total > high for total, (_, high) in zip(totals, case.bounds, strict=True)
        )
        least = case.least()
        assert least is not None or not costs
        if least is not None and least < case.cutoff and case.rounds * case.work >= 5000:
            ended += 1
            cheapest += costs[-1:] == [least]
    assert ended > 150
    assert cheapest >= 0.97 * ended, (cheapest, ended)


def test_it_is_the_same_each_time(program: Path) -> None:
    rng = random.Random(6)
    cases = [random_rows(rng) for _ in range(200)]
    found = answers(program, cases)
    assert answers(program, cases) == found
    assert answers(program, [one._replace(seed=one.seed + 1) for one in cases]) != found


# -- beside the branch and bound ------------------------------------------------------------------


def board(tags: int) -> dlx.Problem:
    """A board of 14x14 squares, cut into dominoes and trominoes, each at a random cost; two pieces
    with the same tag, a secondary item, exclude each other.
    """
    plain, rng = mixed_tiles(14, 14, 1000, seed=5), random.Random(5)
    options = [[*option, rng.randrange(tags)] if tags else option for option in plain.options]
    return dlx.Problem.from_options(options, secondary=range(tags), costs=plain.costs)


def incumbents(problem: dlx.Problem, given: list[int], counts: list[int]) -> Iterator[int]:
    """The best cost at each pause, after `count` readings of the clock each."""
    search = numbered(problem).problem.minimum(array("q", problem.costs), given, 1, True, 1, 0)
    with simulated_clock(1000):
        for count in counts:
            search.run(count * 1e-6)
            for cost, solution in search.best():
                problem.verify(solution)
                assert problem.cost_of(solution) == cost
                yield cost


def test_a_cover_is_cheap_at_once() -> None:
    problem = weighted_cover(200, 1000, seed=0)  # the least cost is 525
    assert list(incumbents(problem, [], [2000, 100]))[-1] <= 540


@pytest.mark.parametrize("tags", [0, 3000])
def test_incumbents_of_partitions(tags: int) -> None:
    """With a given option, too, and paused often."""
    problem = board(tags)
    for given in ([], [0]):
        costs = list(incumbents(problem, given, [20] * 60))
        assert costs == sorted(costs, reverse=True)
        assert len(set(costs)) > 1
