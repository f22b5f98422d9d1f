"""Random probes, put together into an estimate of the size of a search.

The probes themselves are made by the kernel (`probing.hpp`) or by `dlx.python_probing`.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Protocol

from dlx.errors import InvalidArgument, SearchInterrupted, quote
from dlx.estimates import Estimate
from dlx.givens import indices_of
from dlx.heuristics import check_heuristic
from dlx.limits import UNLIMITED, kernel_limit
from dlx.plain_only import refuse_multiplicities
from dlx.search import Stats, check_seed, check_timeout

if TYPE_CHECKING:
    from dlx.engines import Engine
    from dlx.table import Table

__all__ = ["Moments", "Probes", "estimate"]

Moments = tuple[float, int, float, int]
"""A mean and the sum of the squared distances from it, each as mantissa and exponent of two."""

WARM_UP, MEASURED = 0.05, 0.2  # seconds
FLOATS = 1e300  # beyond, numbers are integers if need be


class Probes(Protocol):
    """Random descents through a search tree."""

    def run(self, total: int, seconds: float) -> int:
        """Goes on until there are `total` of them, or for `seconds`; returns how many there are."""

    def moments(self) -> tuple[Moments, Moments, list[Moments]]:
        """Of the numbers of nodes, of solutions, and of nodes by depth."""


def estimate(
    table: Table,
    probe: Callable[[list[int], int], Probes],
    open_engine: Callable[[], Engine],
    *,
    given: Iterable[Hashable],
    probes: int,
    seed: int | None,
    timeout: float | None,
    heuristic: object,
) -> Estimate:
    """What `Problem.estimate` returns; `probe` begins with the probes, given options and a seed."""
    refuse_multiplicities(table, "estimate")
    probes = _check_probes(probes)
    check_heuristic(heuristic)
    if heuristic == "weighted":
        raise InvalidArgument(
            "what heuristic='weighted' chooses hangs on the dead ends of the whole search, of "
            "which probes know nothing; estimate with 'mrv'"
        )
    seed = check_seed(seed)
    seed = int.from_bytes(os.urandom(8)) if seed is None else seed % 2**64
    timeout = check_timeout(timeout)
    engine = open_engine()
    started = time.monotonic()
    probing = probe(indices_of(table, given), seed)
    made = probing.run(probes, -1.0 if timeout is None else timeout)
    if made < 2:
        seconds = time.monotonic() - started
        raise SearchInterrupted("timeout", count=0, stats=Stats(0, 0, 0, (), seconds))
    nodes, solutions, profile = probing.moments()
    rate = _rate(engine)
    likely = _mean(nodes)
    return Estimate(
        nodes=likely,
        nodes_error=_error(nodes, made),
        solutions=_mean(solutions),
        solutions_error=_error(solutions, made),
        profile=tuple(map(_mean, profile)),
        profile_errors=tuple(_error(moments, made) for moments in profile),
        seconds=likely / rate if likely < FLOATS else int(likely) // max(1, int(rate)),
        rate=rate,
        probes=made,
        seed=seed,
        stopped_by="timeout" if made < probes else None,
    )


def _check_probes(probes: object) -> int:
    if isinstance(probes, int) and not isinstance(probes, bool) and probes >= 2:
        return kernel_limit(probes)
    raise InvalidArgument(f"probes is {quote(probes)}; it must be an integer from 2 up")


def _rate(engine: Engine) -> float:
    """Nodes a second, once the engine is under way."""
    engine.skip(UNLIMITED, WARM_UP)
    nodes, _, _, _, seconds = engine.stats
    if not engine.finished:
        before, since = nodes, seconds
        engine.skip(UNLIMITED, MEASURED)
        nodes, _, _, _, seconds = engine.stats
        if nodes > before:
            nodes, seconds = nodes - before, seconds - since
    engine.rewind()
    return nodes / max(seconds, 1e-9)


def _mean(moments: Moments) -> float:
    return _value(moments[0], moments[1])


def _error(moments: Moments, count: int) -> float:
    """The standard error of the mean of so many numbers."""
    mantissa, exponent = abs(moments[2]) / count / (count - 1), moments[3]
    if exponent % 2:
        mantissa, exponent = 2 * mantissa, exponent - 1
    return _value(math.sqrt(mantissa), exponent // 2)


def _value(mantissa: float, exponent: int) -> float:
    """The number as a float, or as an integer if it is too large for one."""
    try:
        return math.ldexp(mantissa, exponent)
    except OverflowError:
        return int(math.ldexp(mantissa, 53)) << (exponent - 53)
