"""Subtrees with few options, which `links` searches on words of bits: nothing else changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_searches import kernel_search, tell

import dlx
from dlx import models
from dlx.core.budget import Budget


@st.composite
def problems(draw: st.DrawFn) -> dlx.Problem:
    """Problems without colors, whose 40 to 200 options become 64 and fewer during a search."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    primary = range(draw(st.integers(6, 14)))
    secondary = range(100, 100 + draw(st.integers(0, 8)))
    longest = draw(st.integers(2, 4))
    shortest = draw(st.sampled_from([1, longest]))
    options = []
    for _ in range(draw(st.integers(40, 200))):
        covered = rng.sample(primary, rng.randint(shortest, longest))
        excluded = rng.sample(secondary, rng.randint(0, min(2, len(secondary))))
        options.append(covered + excluded)
    return dlx.Problem.from_options(options, primary=primary, secondary=secondary)


@given(problem=problems(), limit=st.integers(1, 3000), pause=st.integers(1, 500))
def test_the_same_as_bits(problem: dlx.Problem, limit: int, pause: int) -> None:
    expected = tell(kernel_search(problem, "bits"), limit)
    assert tell(kernel_search(problem, "links"), limit) == expected
    assert tell(kernel_search(problem, "links"), limit, pause=pause) == expected


@given(problem=problems(), first=st.integers(1, 500))
def test_counting_from_the_middle(problem: dlx.Problem, first: int) -> None:
    """Counting, where the order within a subtree is another, after listing, and resumed."""
    links, bits = (kernel_search(problem, name) for name in ("links", "bits"))
    assert tell(links, first) == tell(bits, first)
    assert links.position() == bits.position()
    resumed = kernel_search(problem, "links")
    rest = 0
    if (position := links.position()) is not None:
        resumed.restart(*position)
        rest = resumed.skip(Budget(10**5))
    assert links.skip(Budget(10**5)) == bits.skip(Budget(10**5)) == rest
    assert links.stats.nodes == bits.stats.nodes
    assert links.stats.profile == bits.stats.profile


MOST = 50_000  # nodes: some of the problems have millions


@given(problem=problems(), nodes=st.integers(1, 5000))
def test_limits_of_nodes(problem: dlx.Problem, nodes: int) -> None:
    search, whole = (kernel_search(problem, "links") for _ in range(2))
    count = search.skip(Budget(nodes=nodes))
    assert search.finished or search.stats.nodes == nodes
    while not search.finished and search.stats.nodes < MOST:
        count += search.skip(Budget(nodes=min(search.stats.nodes + 1000, MOST)))
    assert count == whole.skip(Budget(nodes=MOST))
    assert search.stats.nodes == whole.stats.nodes
    assert search.stats.profile == whole.stats.profile


@pytest.mark.parametrize("listing", [False, True])
def test_it_does_happen(listing: bool) -> None:
    """Links that are not changed are not counted as updates."""
    problem = models.langford(8)
    reference = problem.solutions(engine="python")
    solutions = sum(1 for _ in reference)
    search = kernel_search(problem, "links")
    found = tell(search, 10**6).solutions if listing else range(search.skip(Budget(10**6)))
    assert len(found) == solutions == 300
    assert search.stats.updates < reference.stats.updates // 4


def test_a_subtree_with_many_nodes() -> None:
    """It is given up after some nodes and begun anew by links, one item deeper."""
    problem = dlx.Problem.from_options([[item] for item in range(11) for _ in range(3)])
    search = kernel_search(problem, "links")
    assert search.skip(Budget()) == 3**11
    assert search.stats.profile == tuple(3**depth for depth in range(12))
