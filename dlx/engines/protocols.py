"""The protocols of the engines: what every engine does, and further abilities of some.

Every engine is an `Engine`. All but the SAT engine search the tree in order, and are `TreeEngine`s
as well. Engines that may use a SAT solver derive from `LearningEngine`; engines with worker threads
or a journal derive from `ManagedEngine`.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import starmap
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dlx.core.arguments import UNLIMITED
from dlx.core.part import parts_at
from dlx.core.stats import NO_STATS, Stats
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Sequence

    from dlx.core.budget import Budget, Reason
    from dlx.core.kernel import Code as KernelCode
    from dlx.core.kernel import Pack
    from dlx.core.part import Decision, Part
    from dlx.links.heuristics import Heuristic

__all__ = [
    "BackgroundMinimizer",
    "BatchEngine",
    "BatchTask",
    "Engine",
    "KeptMinimizer",
    "LearningEngine",
    "ManagedEngine",
    "Minimizer",
    "Moments",
    "Probes",
    "Start",
    "TreeEngine",
    "hand_over_new",
    "parts_of",
    "skip_by_running",
    "why_stopped",
]


Moments = tuple[float, int, float, int]
"""A mean and the sum of the squared distances from it, each as mantissa and exponent of two."""


class Engine(Protocol):
    """A search that can be paused: the interface that `dlx.search.search` uses."""

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed."""

    @property
    def stats(self) -> Stats:
        """The work so far."""

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list, and returns why it has stopped.

        It may return with fewer solutions than the budget has, but with at least one unless it is
        finished or has reached a limit. The list is the caller's, so that no solution is lost if a
        signal handler raises.

        An engine may pass the limit of nodes while its path has no choice. A solution that it finds
        there waits: see `take_waiting`.
        """

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends the solutions found beyond the limits of a run; searches no further."""

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped.

        If a signal handler raises, `stats` has the number.
        """

    def close(self) -> None:
        """Ends the search and undoes all its changes to the matrix."""


def why_stopped(engine: Engine, budget: Budget, found: int) -> Reason:
    """Why a run of an engine has stopped that has found this number of solutions."""
    if engine.finished:
        return "finished"
    if found:
        return "solutions"
    return "nodes" if engine.stats.nodes >= budget.nodes else "deadline"


def skip_by_running(engine: Engine, budget: Budget, at_once: int = UNLIMITED) -> int:
    """`Engine.skip` by `run`, for up to `at_once` solutions in each."""
    skipped = 0
    while skipped < budget.solutions:
        found: list[tuple[Any, ...]] = []
        reason = engine.run(budget.with_solutions(min(budget.solutions - skipped, at_once)), found)
        skipped += len(found)
        if reason != "solutions":
            break
    return skipped


def hand_over_new(
    found: list[tuple[Any, ...]],
    known: dict[frozenset[Any], tuple[Any, ...]],
    into: list[tuple[Any, ...]],
    count: int = UNLIMITED,
) -> None:
    """Moves up to `count` solutions that are not `known` yet to the caller's list.

    Drops those that are known, which are kept by their sets of options.
    """
    new = {key: one for one in found if (key := frozenset(one)) not in known}
    # A signal must not come between remembering a solution and appending it: one call of C.
    into.extend(starmap(known.setdefault, [*new.items()][:count]))
    found[:] = [one for one in found if frozenset(one) not in known]


class TreeEngine(Engine, Protocol):
    """An engine that searches the tree in order: the interface that `dlx.parallel` uses.

    Every engine but the SAT engine is one. Their positions are interchangeable: each can continue
    at another's position. With the heuristic "mrv" the parts of a search have, together, exactly
    the nodes of the undivided search. Other heuristics start learning anew at a position, so they
    may choose other items below it, but find the same solutions.
    """

    def run(self, budget: Budget, into: list[tuple[Any, ...]] | Pack) -> Reason:
        """As `Engine.run`; in a pack, solutions consist of indices of options, not of names."""

    def take_waiting(self, into: list[tuple[Any, ...]] | Pack) -> None:
        """As `Engine.take_waiting`, also to a pack."""

    def position(self) -> tuple[list[Decision], int] | None:
        """The rest of the search, as the path and the floor of a `dlx.Part`; None if it is empty.

        The path ends at an item that has an option left, and the floor is as high as possible. So
        either `split_at_floor` splits it into two parts that are not empty, or all options left
        belong to one item. For a part that has not been started, its own path and floor. The result
        may be None before `finished` is true.

        Raises RuntimeError if a solution waits: after an exception in `run`, or a limit of nodes,
        call `take_waiting` first.
        """

    def untried(self) -> list[int]:
        """The options not tried yet of the item at the end of the path, in order.

        Each, with the path above it, is a subtree of its own. -2 means "no further option". Empty
        if nothing is left. Raises RuntimeError on "bits", and on "auto" while that uses "bits".
        """

    def restart(self, path: Sequence[Decision], floor: int) -> None:
        """Closes the search and starts a part of it, with `stats` of 0.

        O(entries of the path's options and of those they remove). Raises `InvalidPart` or
        ValueError if no search reaches the path; then the engine is finished, and may be restarted.
        """


def parts_of(engine: TreeEngine) -> list[Part] | None:
    """What an engine has left to search; None while a solution waits."""
    try:
        return [*parts_at(engine.position())]
    except RuntimeError:
        return None


class LearningEngine:
    """Base class of the engines that may use others than a search in the promised order."""

    # The type checker sees to the abstract methods. `abc.ABC` would make each `isinstance` with
    # this class or the next one take four times as long, and each short search has some of them.
    __slots__ = ()

    @property
    @abstractmethod
    def out_of_order(self) -> bool:
        """Whether the engine has started another one that does not keep the order."""

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method that has run, by its name in a plan."""
        return {}


if TYPE_CHECKING:
    EngineBase = Engine
else:
    EngineBase = object  # for the same reason


class ManagedEngine(EngineBase):
    """Base class of the engines that use worker threads, an executor or a journal."""

    journaled: bool = False
    """Are its solutions recorded in a journal?"""

    on_tick: Callable[[Engine], object] | None = None
    """Called with the engine at intervals while it works."""

    def end_refuted(self) -> None:
        """Closes the search, since a certificate shows that there is no solution."""
        self.close()

    @abstractmethod
    def parts_left(self) -> list[Part] | None:
        """The parts not searched yet; None while solutions wait."""

    def pause(self) -> None:
        """Lets the workers stop; the next `run` or `skip` wakes them."""

    def resume_point(self) -> Start | None:
        """The state from which another engine can continue; None if only the journal has it."""
        return None


class BackgroundMinimizer:
    """Base class of the searches for the cheapest solutions that run in the background."""

    __slots__ = ()

    @abstractmethod
    def pause(self) -> None:
        """Stops the work until the search is run again."""


class Minimizer(Protocol):
    """An engine that finds the cheapest solutions, and can be paused."""

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least cost so far, and the bound of all solutions not yet found."""

    @property
    def stats(self) -> Stats:
        """The work so far."""

    def run(self, seconds: float = inf) -> bool:
        """Searches for `seconds`. True when it has finished."""

    def best(self) -> list[tuple[int, list[int]]]:
        """Costs and options of the cheapest so far, in order."""


@runtime_checkable
class KeptMinimizer(Minimizer, Protocol):
    """A minimizer whose state can be kept in a journal."""

    def save(self) -> bytes:
        """What is known and what is left."""

    def restore(self, state: bytes) -> None:
        """Goes on from what `save` returned; before the first `run`. Raises ValueError."""


class BatchTask(NamedTuple):
    """The arguments of a batch: what to find for each of many sets of givens.

    names
        The names of the options in the answers; None for their indices.
    code
        A line codec; if there is one, each solution is a line of text.
    limit, seconds
        Find up to `limit` solutions of each set in up to `seconds` seconds. The answer is one
        solution or None if the limit is 1, otherwise a list of them.
    keep
        If False, the answer is only the number of solutions.
    workers, heuristic
        As in `Problem.solve_many`.
    nodes
        The engine gives a set up after that number of nodes, unless the set forbids options: a
        `Refusal` of the kind "nodes" takes the place of its answer. The engine "python" never does.
    """

    names: list[Hashable] | None
    code: KernelCode | None
    limit: int
    keep: bool
    seconds: float
    workers: int
    heuristic: str | Heuristic
    nodes: int = UNLIMITED


class BatchEngine(Protocol):
    """One problem under many sets of givens: the interface that `dlx.analysis.batches` uses."""

    @property
    def submitted(self) -> int:
        """The number of sets submitted."""

    @property
    def pending(self) -> int:
        """The number of submitted sets whose answers were not collected yet."""

    @property
    def stats(self) -> Stats:
        """The work of all searches together."""

    def submit(
        self,
        start: array[int],
        option: array[int],
        sets: list[Any],
        forbid_start: array[int],
        forbid: array[int],
    ) -> None:
        """Submits sets: set s is option[start[s]:start[s + 1]], counted from start[0].

        It forbids forbid[forbid_start[s]:forbid_start[s + 1]], likewise; no set forbids anything if
        `forbid_start` is empty.

        Removes as many elements from the front of `sets`, the caller's list of the same sets, in
        the same step: a signal must not come between the two.
        """

    def submit_lines(self, lines: list[Any]) -> int:
        """Submits lines from the front of a list and removes them; stops at the first invalid one.

        Returns how many it has submitted.
        """

    def collect(self, into: list[Any]) -> None:
        """Waits for the next answers, in order of submission, and appends them to a list.

        Appends at least one, unless nothing is pending. A set that cannot be answered has a
        `Refusal` in place of an answer. The list is the caller's, so that no answer is lost if a
        signal handler raises.
        """

    def close(self) -> None:
        """Stops all work and drops the pending sets."""


class Probes(Protocol):
    """Random probes, which are descents through a search tree, as in Knuth's estimate (1975)."""

    def run(self, total: int, seconds: float = ...) -> int:
        """Probes until there are `total` probes or `seconds` have passed; returns their number."""

    def moments(self) -> tuple[Moments, Moments, list[Moments]]:
        """The moments of the numbers of nodes, of solutions, and of nodes by depth."""


class Start(NamedTuple):
    """The state in which a search starts: at the beginning, or where an earlier one stopped.

    parts
        The parts to be searched, in visiting order. Packs among them are solutions that were found
        before and are returned at this place in the order.
    stats
        The work done before, which is added to that of the search. Its number of solutions counts
        those that were returned to the caller before.
    """

    parts: tuple[Part | Pack, ...]
    stats: Stats = NO_STATS
