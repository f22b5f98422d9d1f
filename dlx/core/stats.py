"""`Stats`, the work of a search: what every engine has as `stats`, and `dlx.Stats`."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["NO_STATS", "Stats", "shares_of_time"]


def shares_of_time(seconds: Mapping[str, float]) -> str:
    """The methods that took time, with their shares of it if there are several.

    >>> shares_of_time({"in order": 3.0, "weighted": 1.0, "sat": 0.0})
    'in order 75 %, weighted 25 %'
    >>> shares_of_time({"in order": 3.0})
    'in order'
    """
    total = sum(seconds.values())
    used = {name: spent for name, spent in seconds.items() if spent > 0}
    if len(used) < 2:
        return next(iter(used or seconds), "")
    return ", ".join(f"{name} {100 * spent / total:.0f} %" for name, spent in used.items())


class Stats(NamedTuple):
    """The work of a search so far.

    nodes
        The root and every option tried: the size of the search tree, the same on every engine.
    updates
        Elementary steps of the engine; for dancing links, how often a node was unlinked. "links"
        searches subtrees with few options on words of bits, and counts the entries that it reads
        for that. So this number, unlike `nodes`, depends on where a search pauses.
    solutions
        Solutions found. There may be a few more than were returned: they are found in batches.
    profile
        Nodes by depth, the root at depth 0.
    seconds
        Time spent searching, without the time between two solutions drawn by the caller.
    conflicts
        Dead ends from which the SAT solver learned; None if it took no part in the search. If it
        did, `nodes` includes its decisions and `updates` its propagations; `profile` does not.
    helpers
        What took part besides the search in order, where any solution will do, in the order in
        which it started: "propagation" (a search that deletes colors without support, and options
        with them), "restarts" (searches in random orders, each given up after some nodes),
        "weighted" (a second search by that heuristic), "symmetric" (a search that leaves out
        symmetric subtrees), "sat" (the SAT solver), "parts" (searches of the independent parts of
        the problem, see `dlx.engines.components`), "subproblems" (a count of isomorphic
        subproblems, see docs/counting.md), or a certificate, which proved without a search that
        there is no solution: "counting", "modulo 2147483647" or "parity" (see
        `dlx.engines.certificates`).
    plan
        By which methods the search went, as of `Problem.plan`, with their shares of the time if
        there were several: "in order 38 %, weighted 41 %, sat 21 %". Empty for a count that may use
        a cache, a batch and the status of a journal.
    """

    nodes: int
    updates: int
    solutions: int
    profile: tuple[int, ...]
    seconds: float
    conflicts: int | None = None
    helpers: tuple[str, ...] = ()
    plan: str = ""

    def plus(self, other: Stats) -> Stats:
        """The work of both searches together.

        >>> Stats(3, 9, 1, (1, 2), 0.5).plus(Stats(2, 5, 0, (0, 1, 1), 0.25))[:5]
        (5, 14, 1, (1, 3, 1), 0.75)
        """
        return Stats(
            self.nodes + other.nodes,
            self.updates + other.updates,
            self.solutions + other.solutions,
            tuple(a + b for a, b in zip_longest(self.profile, other.profile, fillvalue=0)),
            self.seconds + other.seconds,
            self.conflicts if other.conflicts is None else (self.conflicts or 0) + other.conflicts,
            self.helpers + tuple(one for one in other.helpers if one not in self.helpers),
        )

    def joined_by(self, helpers: Iterable[Stats]) -> Stats:
        """With the nodes, updates, conflicts and seconds of other searches for the same answer."""
        nodes, updates, _, _, seconds, conflicts, *_ = self
        for other in helpers:
            nodes += other.nodes
            updates += other.updates
            seconds += other.seconds
            conflicts = conflicts if other.conflicts is None else other.conflicts
        return self._replace(nodes=nodes, updates=updates, seconds=seconds, conflicts=conflicts)

    def since(self, earlier: Stats) -> Stats:
        """The work between two readings of an engine's stats: this one and an earlier one."""
        profiles = zip_longest(self.profile, earlier.profile, fillvalue=0)
        return self._replace(
            nodes=self.nodes - earlier.nodes,
            updates=self.updates - earlier.updates,
            solutions=self.solutions - earlier.solutions,
            profile=tuple(a - b for a, b in profiles),
            seconds=self.seconds - earlier.seconds,
        )

    def _repr_html_(self) -> str:
        """HTML for notebooks: the numbers as a table, and the profile as a bar chart."""
        return self._html()

    def _html(self, *before: tuple[str, object]) -> str:
        """The HTML, with further facts before the numbers."""
        from dlx.core.html import bars, facts_table

        facts: list[tuple[str, object]] = [
            *before,
            ("solutions", f"{self.solutions:,}"),
            ("nodes", f"{self.nodes:,}"),
            ("updates", f"{self.updates:,}"),
            ("seconds", f"{self.seconds:.3g}"),
        ]
        if self.conflicts is not None:
            facts.append(("conflicts", f"{self.conflicts:,}"))
        if self.helpers:
            facts.append(("helpers", ", ".join(self.helpers)))
        if self.plan:
            facts.append(("plan", self.plan))
        table = facts_table("Search", facts)
        if not self.profile:
            return table
        return table + bars(("depth", "nodes"), self.profile, [f"{n:,}" for n in self.profile])


NO_STATS = Stats(0, 0, 0, (), 0.0)
"""The stats of a search that has not started."""
