"""The facts that `dlx info` prints: the size of a problem, and likely mistakes in it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from dlx.analysis.reduce import reducible
from dlx.analysis.symmetry.group import find_symmetries, order_text
from dlx.analysis.symmetry.texts import orbits_text
from dlx.core.color import Colored, item_of
from dlx.core.multiplicity import Bounds
from dlx.core.times import Times
from dlx.errors import SearchInterrupted, counted

if TYPE_CHECKING:
    from dlx.analysis.estimate import Estimate
    from dlx.problem import Problem

__all__ = ["describe", "profile_rows", "search_estimate"]

ENOUGH = 2_000_000_000
"""The limit on entries examined to find what `dlx reduce` would remove: some seconds of work."""

PROBES = 500
ENOUGH_SECONDS = 0.5
MOST_ROWS = 30

ENOUGH_EDGES = 100_000_000
"""The limit on edges that are read to find symmetries: less than a second of work."""


def describe(problem: Problem) -> dict[str, Any]:
    """Facts about a problem, by name; "problems" lists likely mistakes: see `Problem.warnings`.

    Lengths are given as smallest, largest and mean. "dlx reduce" is what `Problem.reduced` would
    remove, "symmetries" the number that `Problem.symmetries` finds. Takes some seconds at most, and
    O(items + entries) memory.

    >>> import dlx
    >>> describe(dlx.Problem.from_options([["a", "b"], ["a"]]))["entries"]
    3
    """
    options = [tuple(option) for option in problem.options]
    uses: dict[Hashable, int] = dict.fromkeys(problem.items, 0)
    colors: set[Hashable] = set()
    for option in options:
        for entry in option:
            if isinstance(entry, Colored):
                colors.add(entry.color)
            uses[item_of(entry)] += 1
    entries = problem.entry_count
    bounds = problem.multiplicities
    heavy = [entry.weight for option in options for entry in option if isinstance(entry, Times)]
    cells = len(problem.items) * len(options)
    return {
        "primary items": len(problem.primary),
        "secondary items": len(problem.secondary),
        **({"multiplicities": _bounds_shown(bounds)} if bounds else {}),
        **({"weights": f"{len(heavy)}, the largest {max(heavy)}"} if heavy else {}),
        "options": len(options),
        "entries": entries,
        "colors": len(colors),
        "density": entries / cells if cells else 0.0,
        "items an option": _spread([len(option) for option in options]),
        "options an item": _spread(list(uses.values())),
        "dlx reduce": reducible(problem._table, problem._prepare(None), ENOUGH),
        "symmetries": _symmetries(problem),
        "problems": list(problem.warnings()),
    }


def search_estimate(problem: Problem) -> Estimate | None:
    """An estimate of the search, from `PROBES` probes in half a second; None if there was no time.

    >>> import dlx
    >>> round(search_estimate(dlx.models.queens(6)).nodes_error) < 20
    True
    """
    try:
        return problem.estimate(PROBES, timeout=ENOUGH_SECONDS)
    except SearchInterrupted:
        return None


def profile_rows(found: Estimate) -> tuple[list[str], list[float]]:
    """Texts and numbers of the nodes by depth, at most `MOST_ROWS`: of many, each n-th.

    >>> import dlx
    >>> profile_rows(dlx.Problem.from_options([["a"]]).estimate(2))
    (['depth 0: 1 +- 0 nodes', 'depth 1: 1 +- 0 nodes'], [1.0, 1.0])
    """
    step = -(-len(found.profile) // MOST_ROWS)
    return found.profile_lines()[::step], list(found.profile[::step])


def _symmetries(problem: Problem) -> str:
    """The number of symmetries, and the numbers of orbits by their sizes."""
    group = find_symmetries(
        problem._table,
        problem._prepare(None),
        (),
        costs=False,
        node_limit=None,
        work=ENOUGH_EDGES,
    )
    least = "" if group.complete else "at least "
    if group.order == 1:
        return f"{least}1, the identity alone"
    return (
        f"{least}{order_text(group.order)}; options in {orbits_text(group.option_orbits)}; "
        f"items in {orbits_text(group.item_orbits)}"
    )


def _bounds_shown(bounds: dict[Hashable, Bounds]) -> str:
    """The number of items with a multiplicity, and the smallest and largest bound."""
    low = min(low for low, _ in bounds.values())
    highs = [high for _, high in bounds.values() if high is not None]
    times = f"{low} to {max(highs)} times" if len(highs) == len(bounds) else f"{low} times or more"
    return f"{counted(len(bounds), 'item')}, {times} each"


def _spread(numbers: Sequence[int]) -> str:
    if not numbers:
        return "-"
    mean = sum(numbers) / len(numbers)
    return f"{min(numbers)} to {max(numbers)}, {mean:.4g} on average"
