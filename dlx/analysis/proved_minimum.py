"""`minimum` with a proof: the answer of any search, and then a proof of it (dlx/proofs/minimum.py).

The search, which may be that of a solver in floating point, tells only a solution. That none is
cheaper is what the proof shows; a better one that it comes upon takes the place of the answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any, cast

from dlx.analysis.minimum import Ranking, RankingTask, ResumableRanking, limit_of_time
from dlx.analysis.relaxation import TableProgram
from dlx.core.locks import exclusive, new_guard
from dlx.errors import InvalidArgument, MinimumInterrupted
from dlx.proofs.files import check_replaceable, kind_of
from dlx.proofs.minimum import MinimumProof

if TYPE_CHECKING:
    from dlx.analysis.minimum import RankingArguments
    from dlx.core.stats import Stats
    from dlx.core.table import Table
    from dlx.search.options import SearchOptions
    from dlx.search.search import Solution

__all__ = ["ProvedRanking", "check_proof", "prove"]

PENALTY = 10.0  # times the largest cost: that of an item without options
GRACE = 0.1  # of the timeout: for a bound, after a search that has used it up


def check_proof(options: SearchOptions, arguments: RankingArguments) -> None:
    """Raises `InvalidArgument` if there is no proof of the answer to this question."""
    path, _ = kind_of(options.proof, ("pbp",), f"{arguments.method} with a proof")
    check_replaceable(path)
    stopped = "a search that stops before its end"
    others = {
        "k": (arguments.k != 1, "solutions after the best one"),
        "penalties": (arguments.penalties is not None, "items that may be left out"),
        "bottleneck": (arguments.bottleneck is not False, "a greatest cost instead of a total"),
        "min_difference": (arguments.min_difference != 1, "solutions after the best one"),
        "gap": (arguments.gap != 0, stopped),
        "target": (arguments.target is not None, stopped),
        "checkpoint": (options.checkpoint is not None, "a search that goes on in another process"),
    }
    for keyword, (is_used, what) in others.items():
        if is_used:
            raise InvalidArgument(
                f"proof cannot be combined with {keyword}: there are no proofs for {what}; leave "
                "out one of the two"
            )


def prove(
    task: RankingTask, search: ResumableRanking | Ranking[Any, Any] | None, path: object
) -> ProvedRanking:
    """A search and the proof after it; call it while the table is locked.

    There is no search for several costs of more than 64 bits together: `InvalidArgument` then.
    """
    if not isinstance(search, ResumableRanking):
        raise InvalidArgument(
            "there are no proofs for costs that need more than 64 bits together; leave out proof, "
            "or the last of the costs"
        )
    return ProvedRanking(task, search, kind_of(path, ("pbp",), task.arguments.method)[0])


class ProvedRanking:
    """A search for the best solution, and its proof. Each call begins the file anew."""

    def __init__(self, task: RankingTask, search: ResumableRanking, path: str) -> None:
        self._task, self._search, self._path = task, search, path
        self._table = task.table.copy()
        sign = task.arguments.sign
        # A maximum is the minimum of the negative costs; so the formula has these.
        self._costs = [sign * number for number in task.costs.numbers]
        self._found: Ranking | None = None  # by the search, when it has ended
        self._turn = new_guard()

    def resume(self, timeout: float | None, node_limit: int | None) -> Ranking:
        """The best solution with a proof; after `timeout` seconds more, as far as it is proved."""
        method = self._task.arguments.method
        timeout = limit_of_time(method, timeout, node_limit)
        until = inf if timeout is None else time.monotonic() + timeout
        with (
            exclusive(self._turn, f"a {method}"),
            MinimumProof(self._path, self._table, self._costs, self._task.given) as proof,
        ):
            if self._found is None:
                pairs, stats = self._search_until(until)
            else:
                pairs, stats = self._found, self._found.stats
            if self._found is None and timeout is not None:
                until = time.monotonic() + GRACE * timeout
            best = sorted(map(self._table.index_of, pairs[0][1])) if pairs else None
            began = time.monotonic()
            proved = proof.prove(best, self._open_program, until)
        seconds = stats.seconds + time.monotonic() - began
        stats = stats._replace(nodes=stats.nodes + proved.nodes, seconds=seconds)
        total = self._task.total
        if proved.cost is not None and proved.options != best:
            pairs = [(total(proved.cost), self._task.named(proved.options or ()))]
        bound = None if proved.bound is None else total(proved.bound)
        if proved.complete:
            return Ranking(pairs, stats, bound)
        if self._task.arguments.on_timeout == "raise":
            raise MinimumInterrupted(
                "timeout", best=tuple(pairs), bound=bound, stats=stats, continuation=self
            )
        return Ranking(pairs, stats, bound, self._task.gap(proved.cost, proved.bound), "timeout")

    def _search_until(self, until: float) -> tuple[Sequence[tuple[Any, Solution]], Stats]:
        """The answer of the search, or after a timeout what it has found."""
        left = None if until == inf else max(0.0, until - time.monotonic())
        try:
            found = self._search.resume(left, None)
        except MinimumInterrupted as error:
            return error.best, cast("Stats", error.stats)
        if found.stopped_by is None:
            self._found = found
        return found, found.stats

    def _open_program(self, table: Table, costs: Sequence[int]) -> TableProgram:
        penalty = PENALTY * max(1, *map(abs, costs)) if costs else 1.0
        return TableProgram(table, "auto", costs, penalty=penalty)
