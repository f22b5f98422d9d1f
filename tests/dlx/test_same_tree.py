"""Every way that the kernel searches, forced by name: the same tree as `links`, on any problem.

"bits/LAYOUT" in each layout; "links/DEPTH" leaves every subtree at that depth to `bits`, with
tables of its own; "links/DEPTH/WORK" begins with that after some work, in the middle of a subtree;
"auto/WORK" takes a search over there. That it is the right tree, test_engines_agree.py says.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_searches import (
    BITS,
    assert_given_up_half_way,
    assert_same_at_pauses,
    kernel_search,
    tell,
)
from search_strategies import SEEDS
from strategies import cases, large_cases, possible_givens, wider_multi_cases

from dlx.engines.registry import HEURISTICS

MOST = settings.default.max_examples
WORK = st.integers(0, 30) | st.integers(0, 1000)
DEPTHS = st.integers(0, 6)
WAYS = {
    **{name: st.just(name) for name in BITS},
    "links/DEPTH": st.builds("links/{}".format, DEPTHS),
    "links/DEPTH/WORK": st.builds("links/{}/{}".format, st.integers(1, 6), WORK),
    "auto/WORK": st.just("auto") | st.builds("auto/{}".format, WORK),
}
CASES = large_cases() | cases(), wider_multi_cases()
ways = pytest.mark.parametrize("way", WAYS)
kinds = pytest.mark.parametrize("kind", [0, 1], ids=["plain", "multiplicities"])
heuristics = st.sampled_from(HEURISTICS)


@ways
@kinds
@given(data=st.data(), heuristic=heuristics, seed=SEEDS)
def test_the_same_tree(
    way: str, kind: int, data: st.DataObject, heuristic: str, seed: int | None
) -> None:
    problem = data.draw(CASES[kind]).problem()
    search: dict[str, Any] = {
        "given": possible_givens(data, problem, seed),
        "seed": seed,
        "heuristic": heuristic,
    }
    expected = tell(kernel_search(problem, "links", **search), 300)
    assert tell(kernel_search(problem, data.draw(WAYS[way]), **search), 300) == expected


@ways
@kinds
@settings(max_examples=max(5, MOST // 2))
@given(data=st.data(), heuristic=heuristics, pause=st.integers(1, 3))
def test_pauses_leave_no_trace(
    way: str, kind: int, data: st.DataObject, heuristic: str, pause: int
) -> None:
    """Nodes and profile at each pause, too, and in the end the matrix is as it was."""
    problem = data.draw(CASES[kind]).problem()
    search = kernel_search(problem, data.draw(WAYS[way]), heuristic=heuristic)
    assert_same_at_pauses(search, kernel_search(problem, "links", heuristic=heuristic), pause)


@ways
@kinds
@settings(max_examples=max(5, MOST // 2))
@given(data=st.data(), heuristic=heuristics, limit=st.integers(0, 20))
def test_given_up_half_way(
    way: str, kind: int, data: st.DataObject, heuristic: str, limit: int
) -> None:
    """Also in the middle of a subtree that was handed over; the matrix is then as it was."""
    problem = data.draw(CASES[kind]).problem()
    given = possible_givens(data, problem, None)
    assert_given_up_half_way(problem, data.draw(WAYS[way]), given, limit, heuristic)
