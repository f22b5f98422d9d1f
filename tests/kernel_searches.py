"""Searches by the kernel's own engines, by names that only tests use: "bits/LAYOUT", "links/DEPTH".

And what one can tell of a `bits` search from outside: how its states are laid out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import dlx
from dlx.kernel import Search as KernelSearch

__all__ = ["LAYOUTS", "Told", "kernel_search", "lane_of", "tell"]

LAYOUTS = ("lanes8", "lanes16", "lanes32", "lanes64", "counters", "scattered")


class Told(NamedTuple):
    """All that engines must agree on."""

    solutions: list[tuple[Hashable, ...]]
    finished: bool
    nodes: int
    profile: list[int]


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


def lane_of(problem: dlx.Problem, engine: str) -> int:
    """How many bits wide the lanes are in which `engine`, one of those called "bits...", keeps the
    states of a problem; 0 if it keeps a set of options instead.

    The state at the root shows it: a lane with n options is n + 1 ones, and a set is a bit for each
    option, with some counters behind.
    """
    root = kernel_search(problem, engine).image()
    lengths = _lengths(problem)
    for bits in (8, 16, 32, 64):
        lanes = [(1 << (length + 1)) - 1 for length in lengths]
        if max(lengths) < bits and root.rstrip(b"\0") == _packed(lanes, bits):
            return bits
    assert (int.from_bytes(root, "little") + 1) % (1 << len(problem)) == 0
    return 0


def _lengths(problem: dlx.Problem) -> list[int]:
    lengths = dict.fromkeys(problem.primary, 0)
    for option in problem.options:
        for item in option:
            if item in lengths:
                lengths[item] += 1
    return list(lengths.values())


def _packed(lanes: Sequence[int], bits: int) -> bytes:
    return b"".join(lane.to_bytes(bits // 8, "little") for lane in lanes).rstrip(b"\0")
