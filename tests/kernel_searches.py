"""Searches by the kernel's own engines, by names that only tests use: "bits/LAYOUT", "links/DEPTH".

And what one can tell of a `bits` search from outside: how its states are laid out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import dlx
from dlx.kernel import Search as KernelSearch

__all__ = ["LAYOUTS", "Shape", "Told", "kernel_search", "shape_of", "tell"]

LAYOUTS = ("lanes8", "lanes16", "lanes32", "lanes64", "counters", "scattered")
VECTOR_BYTES = {"v4": 64, "v3": 32, "v2": 16, "plain": 16}


class Told(NamedTuple):
    """All that engines must agree on."""

    solutions: list[tuple[Hashable, ...]]
    finished: bool
    nodes: int
    profile: list[int]


class Shape(NamedTuple):
    """How the states of a search are laid out: bits of a lane, or 0 and vectors of counters."""

    lane: int
    counters: int


def kernel_search(
    problem: dlx.Problem,
    engine: str,
    *,
    given: Sequence[int] = (),
    seed: int | None = None,
    heuristic: str = "mrv",
) -> KernelSearch:
    """Starts a search; solutions are tuples of indices."""
    prepared = problem._prepare(seed).problem
    return KernelSearch(prepared, list(given), None, engine, heuristic)


def tell(search: KernelSearch, limit: int, *, pause: int = 2**40) -> Told:
    """Draws up to `limit` solutions, `pause` at a time; and what the search has done by then."""
    found: list[tuple[Any, ...]] = []
    while len(found) < limit and not search.finished:
        search.draw(min(pause, limit - len(found)), -1.0, found)
    nodes, _, _, profile, _ = search.stats
    return Told(found, search.finished, nodes, profile)


def shape_of(problem: dlx.Problem, engine: str) -> Shape:
    """How `engine`, one of those called "bits...", lays out the states of a problem.

    The state at the root shows it: a lane with n options is n + 1 ones, and where there are none,
    a set with a bit for each option is followed by the counters.
    """
    root = kernel_search(problem, engine).image()
    width = VECTOR_BYTES[dlx.kernel_info().simd]
    lengths = _lengths(problem)
    for lane in (8, 16, 32, 64):
        lanes = [(1 << (length + 1)) - 1 for length in lengths]
        if max(lengths) < lane and root.rstrip(b"\0") == _packed(lanes, lane):
            return Shape(lane, 0)
    set_bytes = max(1, -(-len(problem) // (8 * width))) * width
    live = int.from_bytes(root[:set_bytes], "little")
    assert live == (1 << len(problem)) - 1
    return Shape(0, (len(root) - set_bytes) // width)


def _lengths(problem: dlx.Problem) -> list[int]:
    lengths = dict.fromkeys(problem.primary, 0)
    for option in problem.options:
        for item in option:
            if item in lengths:
                lengths[item] += 1
    return list(lengths.values())


def _packed(lanes: Sequence[int], bits: int) -> bytes:
    return b"".join(lane.to_bytes(bits // 8, "little") for lane in lanes).rstrip(b"\0")
