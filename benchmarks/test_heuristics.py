"""What the heuristics are worth where the choice of the item matters, and where it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from instances import BY_NAME
from measuring import stats_of
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Problem, Stats
from dlx.engines.registry import HEURISTICS

NAMES = ["quasigroup-22-many", "quasigroup-30-first", "graceful-wheel-7", "langford-12", "soma"]


@pytest.mark.benchmark(group="heuristics", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("name", NAMES)
def test_heuristic(
    name: str,
    heuristic: str,
    benchmark: BenchmarkFixture,
    build: Callable[[str], Problem],
    record: Callable[[Stats], None],
) -> None:
    """Counts the solutions of an instance, up to its limit; building excluded."""
    instance = BY_NAME[name]
    problem = build(name)
    record(stats_of(problem, limit=instance.limit, heuristic=heuristic))
    found = benchmark(problem.count, limit=instance.limit, heuristic=heuristic)
    assert found == instance.expected
