"""Searches by the kernel's own engines, by names that only tests use: "bits/LAYOUT",
"links/DEPTH", "links/DEPTH/WORK", "auto/WORK", "auto/whole" (without tables of subtrees).

And what one can tell of a `bits` search from outside: how its states are laid out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from internals import input_of, kernel_problem

import dlx
from dlx._kernel import EngineChoice
from dlx.analysis import solutions
from dlx.analysis.count import count_with_cache
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.plan import make_plan
from dlx.search.options import SearchOptions

LAYOUTS = (
    *("lanes8", "lanes16", "lanes32", "lanes64"),
    *("slices", "segments", "crossings", "counters", "scattered", "renumbered"),
)
BITS = ["bits", *(f"bits/{layout}" for layout in LAYOUTS)]


PLENTY = 2**30  # bytes of memory of a count


class Told(NamedTuple):
    """All that engines must agree on."""

    solutions: list[tuple[Hashable, ...]]
    finished: bool
    nodes: int
    profile: tuple[int, ...]


def engine_choice(name: str) -> EngineChoice:
    """The engine that tests call by this name."""
    kind, *details = name.split("/")
    if kind == "bits":
        return EngineChoice(kind, layout=details[0] if details else None)
    if details == ["whole"]:
        return EngineChoice(kind, subtrees=False)
    numbers = [*map(int, details), None, None]
    if kind == "auto":
        return EngineChoice(kind, work=numbers[0])
    return EngineChoice(kind, depth=numbers[0], work=numbers[1])


def kernel_search(
    problem: dlx.Problem,
    engine: str,
    *,
    given: Sequence[int] = (),
    seed: int | None = None,
    heuristic: str = "mrv",
) -> KernelSearch:
    """Starts a search; solutions are tuples of indices."""
    prepared = kernel_problem(problem, seed)
    return KernelSearch(prepared, list(given), None, engine_choice(engine), heuristic)


def tell(search: KernelSearch, limit: int, *, pause: int = 2**40) -> Told:
    """Draws up to `limit` solutions, `pause` at a time; and what the search has done by then."""
    found: list[tuple[Any, ...]] = []
    while len(found) < limit and not search.finished:
        search.run(Budget(min(pause, limit - len(found))), found)
    nodes, _, _, profile, *_ = search.stats
    return Told(found, search.finished, nodes, profile)


def assert_given_up_half_way(
    problem: dlx.Problem, engine: str, given: Sequence[int], limit: int, heuristic: str
) -> None:
    """Rewound after some solutions, the same as those of `links`, the matrix is as it was."""
    fresh = kernel_search(problem, "links").image()
    search = kernel_search(problem, engine, given=given, heuristic=heuristic)
    reference = tell(kernel_search(problem, "links", given=given, heuristic=heuristic), limit)
    assert tell(search, limit) == reference
    search.close()
    if not engine.startswith("bits"):  # which have no matrix
        assert search.image() == fresh
    assert search.finished
    assert search.stats.nodes == reference.nodes
    assert tell(search, 1).solutions == []
    assert search.skip(Budget(1)) == 0


def layout_of(problem: dlx.Problem, engine: str) -> str:
    """How `engine`, one of those called "bits...", lays out the states of a problem: "lanes8" to
    "lanes64", "slices", "segments", "crossings", or "set" for both of the others.

    The state at the root shows it. A lane with n options is n + 1 ones; slice k has a one for each
    item with at least k options; crossings begin with a zero, the number of items and 4096 times
    those of their options, plus the item; a set has a one for each option, and counters behind.
    """
    root = kernel_search(problem, engine).image()
    lengths = _lengths(problem)
    longest = max(lengths)
    for bits in (8, 16, 32, 64):
        lanes = [(1 << (length + 1)) - 1 for length in lengths]
        if longest < bits and root.rstrip(b"\0") == _packed(lanes, bits).rstrip(b"\0"):
            return f"lanes{bits}"
    size, rest = divmod(8 * len(root), longest + 1)
    if rest == 0 and size % 8 == 0 and size >= len(lengths):
        slices = [
            sum((length >= least) << item for item, length in enumerate(lengths))
            for least in range(longest + 1)
        ]
        if root == _packed(slices, size):
            return "slices"
    segments = b"".join(
        ((2 << length) - 1).to_bytes(8 * (length // 64 + 1), "little") for length in lengths
    )
    if root.rstrip(b"\0") == segments.rstrip(b"\0"):
        return "segments"
    counts = [4096 * length + item for item, length in enumerate(lengths)]
    if root.startswith(_packed([0, len(counts), *counts], 32)):
        return "crossings"
    assert (int.from_bytes(root, "little") + 1) % (1 << len(problem)) == 0
    return "set"


def _lengths(problem: dlx.Problem) -> list[int]:
    lengths = dict.fromkeys(problem.primary, 0)
    for option in problem.options:
        for item in option:
            if item in lengths:
                lengths[item] += 1
    return list(lengths.values())


def _packed(lanes: Sequence[int], bits: int) -> bytes:
    return b"".join(lane.to_bytes(bits // 8, "little") for lane in lanes)


def open_engine(problem: dlx.Problem, name: str, *, any_order: bool = False) -> Any:
    """The engine of that name at the beginning of the search of a problem."""
    asked, options = input_of(problem, SearchOptions()), SearchOptions(engine=name)
    plan = make_plan("solve" if any_order else "solutions", asked, options)
    return solutions.open_engine(asked, options, plan)[0]


def assert_same_at_pauses(search: KernelSearch, reference: KernelSearch, pause: int) -> None:
    """Both searches agree after each further `pause` solutions, sixty times at the most."""
    for _ in range(60):
        expected = tell(reference, pause)
        assert tell(search, pause) == expected
        if expected.finished:
            break


def by_layers(
    problem: dlx.Problem,
    given: Sequence[int] = (),
    *,
    seed: int | None = None,
    limit: int | None = None,
    memory: int = PLENTY,
    way: str = "layers",
) -> int:
    """The count with remembering from the beginning, as the kernel alone can be told."""
    options = SearchOptions(seed=seed, limit=limit, memory=memory)
    asked = input_of(problem, options)._replace(given=list(given))
    return count_with_cache(asked, options, way)
