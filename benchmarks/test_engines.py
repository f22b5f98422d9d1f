"""How long the default engine takes to answer each instance of the set."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from instances import INSTANCES, Instance
from measuring import stats_of
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Problem, Stats

# The one heavy instance that is always run: everyone's yardstick.
YARDSTICK = "pentominoes-6x10"


@pytest.mark.benchmark(group="instances", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.name)
def test_instance(
    instance: Instance,
    benchmark: BenchmarkFixture,
    build: Callable[[str], Problem],
    record: Callable[[Stats], None],
    request: pytest.FixtureRequest,
) -> None:
    """Counts its solutions, up to its limit; building excluded."""
    heavy = instance.weight == "heavy"
    if heavy and instance.name != YARDSTICK and not request.config.getoption("--heavy"):
        pytest.skip("takes seconds: run with --heavy")
    problem = build(instance.name)
    limit = {"limit": instance.limit}
    if instance.weight != "vast":
        record(stats_of(problem, **limit))
    if heavy:
        found = benchmark.pedantic(  # type: ignore[no-untyped-call]
            problem.count, kwargs=limit, rounds=1
        )
    else:
        found = benchmark(problem.count, **limit)
    assert found == instance.expected
