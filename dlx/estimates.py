"""How large a search would be: the question `Problem.estimate`, and its answer."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from dlx.errors import counted
from dlx.searching import SearchQuestions

if TYPE_CHECKING:
    from dlx.estimating import Probes
    from dlx.heuristics import Heuristic

__all__ = ["Estimate", "EstimateQuestion", "duration_text", "number_text"]


class Estimate(NamedTuple):
    """The likely size of a search, as `Problem.estimate` finds it; `str` is a sentence or two.

    Numbers are means over the probes, with the standard errors of these means. A number too large
    for a float is an integer. The means are unbiased, but a large tree may hide where few probes
    come: errors are estimates, too, and then too small.
    """

    nodes: float
    """The nodes of the search tree, as `Stats` counts them."""
    nodes_error: float
    """The standard error of `nodes`."""
    solutions: float
    """The solutions. 0 if no probe came upon one, which does not mean that there is none."""
    solutions_error: float
    """The standard error of `solutions`."""
    profile: tuple[float, ...]
    """Nodes by depth, the root at depth 0, as far down as any probe came."""
    profile_errors: tuple[float, ...]
    """The standard errors of `profile`."""
    seconds: float
    """How long the whole search would take: `nodes` at the measured rate."""
    rate: float
    """Nodes a second, measured in a short run of the search. This is all that varies by itself."""
    probes: int
    """How many probes there were."""
    seed: int
    """With this seed the same numbers come out."""
    stopped_by: str | None
    """`"timeout"` if that kept it from making all probes that were asked for; else None."""

    def __str__(self) -> str:
        solutions = f"{_shown(self.solutions, self.solutions_error)} solutions"
        if self.solutions == 0:
            # Rare ones may still be very many. Each is a node of the tree, which bounds them.
            most = number_text(math.ceil(self.nodes) + 3 * math.ceil(self.nodes_error))
            solutions = f"no probe met a solution: between 0 and about {most} solutions"
        cut = "; stopped by the timeout" if self.stopped_by else ""
        return (
            f"about {_shown(self.nodes, self.nodes_error)} nodes; {solutions} "
            f"({counted(self.probes, 'probe')}, seed {self.seed}{cut})\n"
            f"about {duration_text(self.seconds)}, at {number_text(self.rate)} nodes a second"
        )

    def profile_lines(self) -> list[str]:
        """A line for each depth with the nodes there, to be printed one below another."""
        return [
            f"depth {depth}: {_shown(nodes, error)} nodes"
            for depth, (nodes, error) in enumerate(
                zip(self.profile, self.profile_errors, strict=True)
            )
        ]


class EstimateQuestion(SearchQuestions):
    """What a `Problem` can be asked about the size of its search."""

    __slots__ = ()

    def estimate(
        self,
        probes: int = 1000,
        seed: int | None = 0,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
    ) -> Estimate:
        """The likely numbers of nodes and solutions, and the time of a search for all of them.

        Each probe walks down the search tree at random; a node reached where 2, then 5, then 3
        options could be tried stands for 30. The mean over all probes is right on average, for
        every tree (see `Estimate`), whether it has a thousand nodes or 10^1000.

        probes
            How many; at least 2. The error goes down with their square root.
        seed
            Of the random numbers: the same integer (up to multiples of 2^64), the same numbers, on
            every machine. None for another one each time. The tree is always that of a search
            without a seed.
        given
            As in `solutions`.
        timeout
            Stop probing after so many seconds. Then there are fewer probes, and `stopped_by` says
            so; `SearchInterrupted` is raised if there are not even 2.
        engine
            The engine whose speed is measured, for a quarter of a second at most.
        heuristic
            "mrv", or, with the engine "python", a function of your own (probes are then made in
            Python), to find out whether it makes for a smaller tree. What "weighted" chooses hangs
            on the dead ends of the whole search, of which probes know nothing: `InvalidArgument`.

        A probe takes no longer than a path through the search does: O(entries), usually less.

        Source: D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975); TAOCP 7.2.2,
        Algorithm E.

        >>> import dlx
        >>> from dlx import models
        >>> problem = models.langford(8)
        >>> estimate = problem.estimate(probes=2000)
        >>> abs(estimate.nodes - 2789) < 4 * estimate.nodes_error
        True
        >>> abs(estimate.solutions - 300) < 4 * estimate.solutions_error
        True
        """
        from dlx.estimating import estimate

        given = _kept(given)
        prepared = self._prepare(None)

        def probe(chosen: list[int], seed: int) -> Probes:
            if engine == "python":
                from dlx.python_probing import PythonProbes

                return PythonProbes(self._lay_matrix(prepared), chosen, seed, heuristic)
            return prepared.problem.probes(chosen, seed)

        return estimate(
            self._table,
            probe,
            lambda: self._open_engine(given, None, engine, heuristic),
            given=given,
            probes=probes,
            seed=seed,
            timeout=timeout,
            heuristic=heuristic,
        )


def _kept(given: Iterable[Hashable]) -> Iterable[Hashable]:
    """The same, to be gone through twice; what is no list of names is left for others to refuse."""
    return given if isinstance(given, str | bytes) or not isinstance(given, Iterable) else [*given]


def _shown(number: float, error: float) -> str:
    """A number and its error, with as many digits as make sense."""
    return f"{number_text(number)} +- {number_text(error)}"


def number_text(number: float) -> str:
    """Three digits, and a comma after every three; powers of ten for what is very large.

    >>> number_text(7.0), number_text(0.01234), number_text(1234.5), number_text(10**4400)
    ('7', '0.0123', '1,230', '1.00e4400')
    """
    if number < 1000 and number == int(number):
        return str(int(number))
    if number < 1e15:
        places = max(0, 2 - math.floor(math.log10(number)))
        return f"{round(number, 2 - math.floor(math.log10(number))):,.{min(places, 4)}f}"
    power = math.log10(number)  # also of integers beyond all floats
    return f"{10 ** (power % 1):.2f}e{math.floor(power)}"


def duration_text(seconds: float) -> str:
    """A time in the largest unit it has one of.

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
