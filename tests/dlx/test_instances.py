"""The benchmark set: engines agree on every instance that does not take long."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from itertools import islice

import pytest
from instances import BY_NAME, INSTANCES
from internals import kernel_problem

import dlx
from dlx.engines.registry import HEURISTICS

LIGHT = [instance.name for instance in INSTANCES if instance.weight == "light"]
MOST = 2000  # solutions to compare; of most instances that is all

pytestmark = pytest.mark.slow


@cache
def build(name: str) -> dlx.Problem:
    return BY_NAME[name].build().freeze()


@cache
def reported(name: str, engine: str, heuristic: str) -> tuple[object, ...]:
    """A hash of the solutions in their order, and the tree."""
    limit = min(MOST, BY_NAME[name].limit or MOST)
    known = limit if limit > 1 else None  # for one solution, "auto" might turn to the SAT solver
    search = build(name).solutions(limit=known, engine=engine, heuristic=heuristic)
    digest = sha256()
    for solution in islice(search, limit):
        digest.update(repr(solution).encode())
    stats = search.stats
    return digest.hexdigest(), search.exhausted, stats.solutions, stats.nodes, stats.profile


def engines_for(name: str) -> list[str]:
    fits, _, _ = kernel_problem(build(name)).bits_plan()
    return ["auto", "bits"] if fits else ["auto"]


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("name", LIGHT)
def test_engines_agree(name: str, heuristic: str) -> None:
    expected = reported(name, "links", heuristic)
    for engine in engines_for(name):
        assert reported(name, engine, heuristic) == expected
    _, exhausted, solutions, *_ = expected
    instance = BY_NAME[name]
    if exhausted or solutions == instance.limit:
        assert solutions == instance.expected


def test_most_instances_fit_bits() -> None:
    """Otherwise the test above would show little."""
    assert sum("bits" in engines_for(name) for name in LIGHT) > len(LIGHT) // 2
