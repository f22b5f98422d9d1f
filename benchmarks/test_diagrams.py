"""How long diagrams take to build, in both orders, and what asking them takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Problem, models

INSTANCES = [
    "dominoes-8x8",
    "latin-5",
    "langford-12",
    "queens-12",
    "coloring-petersen-6",
    "pentominoes-8x8-hole",
    "words-3x4",
]


@pytest.mark.benchmark(group="diagrams", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("order", ["search", "narrow"])
@pytest.mark.parametrize("name", INSTANCES)
def test_building(
    name: str, order: str, benchmark: BenchmarkFixture, build: Callable[[str], Problem]
) -> None:
    """From the problem to the diagram."""
    problem = build(name)
    diagram = benchmark(problem.diagram, order=order)
    benchmark.extra_info["nodes"] = diagram.nodes
    benchmark.extra_info["solutions"] = diagram.count()


@pytest.mark.benchmark(group="asking a diagram", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("question", ["count", "option_counts", "minimum", "sample", "restrict"])
def test_asking(question: str, benchmark: BenchmarkFixture) -> None:
    """What a question takes that goes over all nodes, on dominoes 14x14."""
    problem = models.dominoes(14, 14)
    diagram = problem.diagram()
    first = problem.names[0]
    ask: Callable[[], object] = {
        "count": lambda: diagram.restrict([]).count(),
        "option_counts": diagram.option_counts,
        "minimum": lambda: diagram.minimum([1] * len(problem), k=10),
        "sample": lambda: diagram.sample(100, seed=1),
        "restrict": lambda: diagram.restrict([first]),
    }[question]
    benchmark(ask)
    benchmark.extra_info["nodes"] = diagram.nodes
