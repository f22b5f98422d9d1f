"""Problems with multiplicities: the time for each node on "links", and on "bits" beside it.

`python benchmarks/test_multiplicities.py` measures the engines alternately, and prints the time of
each node and the ratio; `pytest benchmarks/test_multiplicities.py` measures "auto".
"""

from __future__ import annotations

import time

import pytest
from measuring import stats_of
from multiplicity_instances import FAMILIES
from pytest_benchmark.fixture import BenchmarkFixture

from dlx.keywords import EngineName


@pytest.mark.benchmark(group="multiplicities", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("name", FAMILIES)
def test_family(name: str, benchmark: BenchmarkFixture) -> None:
    """Counts the solutions one by one; building excluded."""
    problem = FAMILIES[name].build()
    found = benchmark(lambda: problem.count(node_limit=10**9))  # a node limit: one by one
    assert found == FAMILIES[name].solutions


def main(rounds: int = 5) -> None:
    """Prints for each family the nodes, nanoseconds for each of them by engine, and the ratio."""
    print(f"{'family':22} {'solutions':>9} {'nodes':>9} {'links':>8} {'bits':>8}  ratio")
    for name, family in FAMILIES.items():
        problem = family.build()
        problem.solve(engine="bits")  # makes what searches share
        best: dict[EngineName, float] = {"links": float("inf"), "bits": float("inf")}
        for _ in range(rounds):
            for engine in best:
                began = time.process_time()
                found = problem.count(engine=engine)
                best[engine] = min(best[engine], time.process_time() - began)
                if found != family.solutions:
                    raise AssertionError(f"{name}: {engine} finds {found}")
        nodes = stats_of(problem).nodes
        links, bits = (1e9 * seconds / nodes for seconds in best.values())
        print(f"{name:22} {found:9} {nodes:9} {links:8.1f} {bits:8.1f} {links / bits:6.2f}")


if __name__ == "__main__":
    main()
