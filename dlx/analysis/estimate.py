"""Estimates of the size and time of a search, from random probes: see `Problem.estimate`.

The kernel makes the probes (`dlx/cpp/estimate/probes.hpp`), or `dlx.engines.python.probes`.
"""

from __future__ import annotations

import math
import os
import time
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.arguments import check_number, check_seed, kernel_limit
from dlx.core.budget import Budget
from dlx.core.stats import Stats
from dlx.engines.protocols import Moments
from dlx.engines.spec import engine_spec
from dlx.errors import InvalidArgument, SearchInterrupted, counted
from dlx.links.heuristics import check_heuristic
from dlx.search.options import SearchOptions

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.engines.protocols import Engine, Probes

__all__ = ["Estimate", "duration_text", "estimate", "number_text"]


class Estimate(NamedTuple):
    """The estimated size of a search: the result of `Problem.estimate`; `str` summarizes it.

    Numbers are means over the probes, with the standard errors of these means. A number too large
    for a float is an integer. The means are unbiased. But if few probes reach a large part of the
    tree, the standard errors, which are estimates as well, are too small.
    """

    nodes: float
    """The nodes of the search tree, as `Stats` counts them."""
    nodes_error: float
    """The standard error of `nodes`."""
    solutions: float
    """The solutions. 0 if no probe found one; there may still be solutions."""
    solutions_error: float
    """The standard error of `solutions`."""
    profile: tuple[float, ...]
    """Nodes by depth, the root at depth 0, down to the deepest probe."""
    profile_errors: tuple[float, ...]
    """The standard errors of `profile`."""
    seconds: float
    """The time of the whole search in seconds: `nodes` divided by `rate`."""
    rate: float
    """Nodes per second, measured in a short run; the only number that the seed does not fix."""
    probes: int
    """The number of probes made."""
    seed: int
    """The seed that gives the same numbers again."""
    stopped_by: str | None
    """`"timeout"` if there are fewer probes than requested; otherwise None."""

    def __str__(self) -> str:
        solutions = f"{_shown(self.solutions, self.solutions_error)} solutions"
        if self.solutions == 0:
            # There may be many in rare branches. Each is a node, so the nodes are an upper bound.
            most = number_text(math.ceil(self.nodes) + 3 * math.ceil(self.nodes_error))
            solutions = f"no probe met a solution: between 0 and about {most} solutions"
        cut = "; stopped by the timeout" if self.stopped_by else ""
        return (
            f"about {_shown(self.nodes, self.nodes_error)} nodes; {solutions} "
            f"({counted(self.probes, 'probe')}, seed {self.seed}{cut})\n"
            f"about {duration_text(self.seconds)}, at {number_text(self.rate)} nodes a second"
        )

    def _repr_html_(self) -> str:
        """HTML for notebooks: the summary, and the estimated nodes by depth as a bar chart."""
        from dlx.core.html import bars, facts_table

        lines = str(self).splitlines()
        table = facts_table("Estimate", zip(("size", "time"), lines, strict=True))
        texts = [
            _shown(nodes, error)
            for nodes, error in zip(self.profile, self.profile_errors, strict=True)
        ]
        return table + (bars(("depth", "nodes"), self.profile, texts) if texts else "")

    def profile_lines(self) -> list[str]:
        """The number of nodes at each depth, as lines of text."""
        return [
            f"depth {depth}: {_shown(nodes, error)} nodes"
            for depth, (nodes, error) in enumerate(
                zip(self.profile, self.profile_errors, strict=True)
            )
        ]


def _shown(number: float, error: float) -> str:
    """A number and its standard error."""
    return f"{number_text(number)} +- {number_text(error)}"


def number_text(number: float) -> str:
    """The number with three significant digits and commas; from 10^15 up as a power of ten.

    >>> number_text(7.0), number_text(0.01234), number_text(1234.5), number_text(10**4400)
    ('7', '0.0123', '1,230', '1.00e4400')
    """
    if number < 1000 and number == int(number):
        return str(int(number))
    if number < 1e15:
        places = max(0, 2 - math.floor(math.log10(number)))
        return f"{round(number, 2 - math.floor(math.log10(number))):,.{min(places, 4)}f}"
    power = math.log10(number)  # works for integers too large for a float
    return f"{10 ** (power % 1):.2f}e{math.floor(power)}"


def duration_text(seconds: float) -> str:
    """A time with three significant digits, in a suitable unit.

    >>> duration_text(0.25), duration_text(90), duration_text(200), duration_text(1e6)
    ('250 ms', '90 seconds', '3.33 minutes', '11.6 days')
    """
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    for size, unit, most in (
        (1, "seconds", 120),
        (60, "minutes", 7200),
        (3600, "hours", 172800),
        (86400, "days", 63115200),
    ):
        if seconds < most:
            return f"{seconds / size:.3g} {unit}"
    year = 31557600
    return f"{number_text(seconds / year if seconds < 1e300 else int(seconds) // year)} years"


WARM_UP, MEASURED = 0.05, 0.2  # seconds
FLOATS = 1e300  # larger numbers are computed as integers


def estimate(
    search_input: SearchInput, options: SearchOptions, *, probes: int, seed: int | None
) -> Estimate:
    """What `Problem.estimate` returns; `seed` is that of the probes."""
    seed = check_seed(seed)
    probes = kernel_limit(check_number("probes", probes, 2))
    heuristic = options.heuristic
    check_heuristic(heuristic)
    if isinstance(heuristic, str) and heuristic != "mrv":
        raise InvalidArgument(
            f"probes cannot follow heuristic={heuristic!r}, which depends on a whole search; "
            "estimate with 'mrv', or with engine='python' by a function of yours"
        )
    engine = engine_spec(search_input, options.engine, heuristic).open()
    seed = int.from_bytes(os.urandom(8)) if seed is None else seed % 2**64
    started = time.monotonic()
    source = _open_probes(search_input, options, seed)
    return estimate_from(source, engine, probes, seed, started=started, timeout=options.timeout)


def _open_probes(search_input: SearchInput, options: SearchOptions, seed: int) -> Probes:
    table, numbered, given = search_input
    if options.engine != "python":
        return numbered.problem.probes(given, seed)
    from dlx.engines.python.probes import PythonProbes
    from dlx.links.build import build_matrix

    matrix = build_matrix(table, numbered.rank, numbered.order)
    return PythonProbes(matrix, given, seed, options.heuristic)


def estimate_from(
    source: Probes,
    engine: Engine,
    probes: int,
    seed: int,
    *,
    started: float,
    timeout: float | None,
) -> Estimate:
    """An estimate from up to `probes` probes; the speed of `engine` is measured for the time."""
    made = source.run(probes, inf if timeout is None else timeout)
    if made < 2:
        seconds = time.monotonic() - started
        raise SearchInterrupted("timeout", count=0, stats=Stats(0, 0, 0, (), seconds))
    nodes, solutions, profile = source.moments()
    by_moments = {one: (_mean(one), _error(one, made)) for one in set(profile)}  # many are equal
    spare = None if timeout is None else timeout - (time.monotonic() - started)
    rate = _rate(engine, MEASURED if spare is None or spare > MEASURED else 0.0)
    mean = _mean(nodes)
    return Estimate(
        nodes=mean,
        nodes_error=_error(nodes, made),
        solutions=_mean(solutions),
        solutions_error=_error(solutions, made),
        profile=tuple(by_moments[one][0] for one in profile),
        profile_errors=tuple(by_moments[one][1] for one in profile),
        seconds=mean / rate if mean < FLOATS else int(mean) // max(1, int(rate)),
        rate=rate,
        probes=made,
        seed=seed,
        stopped_by="timeout" if made < probes else None,
    )


def _rate(engine: Engine, duration: float) -> float:
    """Nodes per second, measured for some seconds after a short warm-up; closes the engine.

    If `duration` is 0, the warm-up is measured.
    """
    engine.skip(Budget.of(seconds=WARM_UP))
    nodes, _, _, _, seconds, *_ = engine.stats
    if duration and not engine.finished:
        before, since = nodes, seconds
        engine.skip(Budget.of(seconds=duration))
        nodes, _, _, _, seconds, *_ = engine.stats
        if nodes > before:
            nodes, seconds = nodes - before, seconds - since
    engine.close()
    return max(nodes, 1) / max(seconds, 1e-9)  # a busy machine may visit none meanwhile


def _mean(moments: Moments) -> float:
    return _value(moments[0], moments[1])


def _error(moments: Moments, count: int) -> float:
    """The standard error of the mean of `count` numbers."""
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
