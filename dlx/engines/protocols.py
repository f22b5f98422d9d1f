"""What an engine is, and which abilities it may have besides.

Every engine is an `Engine`. Those that go through the search tree in order are `TreeEngine`s as
well; all but the SAT solver's are. Engines in which a SAT solver may take part derive from
`LearningEngine`, those with workers or a journal behind them from `ManagedEngine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Sequence

    from dlx.core.kernel import Code as KernelCode
    from dlx.core.kernel import Pack
    from dlx.core.part import Decision, Part
    from dlx.links.heuristics import Heuristic

__all__ = [
    "BatchEngine",
    "BatchTask",
    "Engine",
    "LearningEngine",
    "ManagedEngine",
    "Moments",
    "NO_STATS",
    "Probes",
    "RawStats",
    "Start",
    "TreeEngine",
]


RawStats = tuple[int, int, int, list[int], float]


Moments = tuple[float, int, float, int]
"""A mean and the sum of the squared distances from it, each as mantissa and exponent of two."""


NO_STATS: RawStats = (0, 0, 0, [], 0.0)
"""The stats of no work."""


class Engine(Protocol):
    """A search that can be paused: what `dlx.search.search` needs of an engine."""

    @property
    def finished(self) -> bool:
        """Has everything been searched (or the search been given up)?"""

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work."""

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = ...
    ) -> None:
        """Appends up to `count` further solutions to a list.

        Returns earlier, with what there is, when the search ends, when `seconds` have passed
        (negative: no such limit) or `stats` counts so many `nodes`, and may do so after a while if
        there is anything. The list is the caller's because a signal may keep a result from being
        returned.

        An engine may go beyond the last node as long as it has no choice. A solution it finds there
        waits to be drawn; `draw(0, 0, into)` appends what waits, and searches no further.
        """

    def skip(self, count: int, seconds: float, nodes: int = ...) -> int:
        """Passes over up to `count` further solutions and returns how many there were.

        The same limits. If a signal keeps the number from being returned, `stats` has it.
        """

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done to the matrix."""


class TreeEngine(Engine, Protocol):
    """An engine that goes through the search tree in order: what `dlx.parallel` needs.

    All of them but the SAT solver's. Their positions are the same, and any of them can go on from
    where another one stands. With the heuristic "mrv" the parts of a search have, together, exactly
    the nodes of the search in one piece; other heuristics may choose otherwise below a position,
    beginning to learn anew there, but find the same solutions.
    """

    def draw_packed(self, count: int, seconds: float, into: Pack, nodes: int = ...) -> None:
        """As `draw`, into a pack, and as indices of options whatever their names are."""

    def position(self) -> tuple[list[Decision], int] | None:
        """What is left, as the path and the floor of a `dlx.Part`; None if nothing is.

        The path ends at an item that has an option left, and the floor is as high as it can be: so
        `split_at_floor` makes of it two parts, neither of them empty, or the options left are all
        of one item. Of a subtree that has not been begun, its own path and floor. None may come
        before `finished` turns true.

        Everything found must have been drawn or passed over, or RuntimeError is raised: after an
        exception in `draw`, or a node limit, `draw(0, 0, into)` first.
        """

    def untried(self) -> list[int]:
        """The options left of the item at the end of the path, in order.

        Each with the rest of the path is a subtree of its own. -2 stands for no further option.
        Empty where no path is left. Not on "bits", nor while "auto" leaves the search to that:
        RuntimeError.
        """

    def restart(self, path: Sequence[Decision], floor: int) -> None:
        """Gives the search up and begins anew with a part of it, and with `stats` of 0.

        O(entries of the path's options and of those they remove). Raises `InvalidPart` or
        ValueError if no search comes along the path; then the engine is finished, and may be
        restarted.
        """


class LearningEngine:
    """Base of the engines in which a SAT solver may take part: they keep no order."""

    __slots__ = ()

    @property
    def conflicts(self) -> int | None:
        """Dead ends from which the SAT solver learned; None if it took no part."""
        raise NotImplementedError


class ManagedEngine:
    """Base of the engines with workers, or a journal, behind them."""

    journaled: ClassVar[bool] = False
    """Is what it finds kept in a journal?"""

    on_tick: Callable[[Engine], object] | None = None
    """Called with the engine now and then, while it works."""

    def parts_left(self) -> list[Part] | None:
        """What is left to be searched; None while solutions wait to be drawn."""
        raise NotImplementedError

    def pause(self) -> None:
        """Lets the workers stop for now; they go on when more is drawn."""

    def resume_point(self) -> Start | None:
        """Where another engine can go on; None if only the journal knows."""
        return None


class BatchTask(NamedTuple):
    """What is asked of each of many sets of givens.

    names
        What options are called in the answers; None for their indices.
    code
        If there is one, solutions are lines of text.
    limit, seconds
        Look for `limit` solutions of each set, for up to `seconds` (negative: no such limit). The
        answer is one solution or None if the limit is 1, otherwise a list of them.
    keep
        If False, the answer is only the number of solutions.
    workers, heuristic
        As in `Problem.solve_many`.
    """

    names: list[Hashable] | None
    code: KernelCode | None
    limit: int
    keep: bool
    seconds: float
    workers: int
    heuristic: str | Heuristic


class BatchEngine(Protocol):
    """The same problem under many sets of givens: what `dlx.search.batches` needs of an engine."""

    @property
    def submitted(self) -> int:
        """How many sets were submitted."""

    @property
    def pending(self) -> int:
        """How many of them have no answer yet."""

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of all searches together."""

    def submit(self, start: array[int], option: array[int], sets: list[Any]) -> None:
        """Adds sets to be answered: option[start[s]:start[s + 1]], counted from start[0].

        As many are taken from the front of `sets`, out of which the caller made them: a signal
        must not come between the two.
        """

    def submit_lines(self, lines: list[Any]) -> int:
        """Takes lines from the front of a list, as far as they stand for sets."""

    def collect(self, into: list[Any]) -> None:
        """Waits for answers and appends those that come next to a list.

        At least one, unless nothing is pending. A `Refusal` stands for an answer that is none. The
        list is the caller's because a signal may keep a result from being returned.
        """

    def close(self) -> None:
        """Stops all work and forgets what is pending."""


class Probes(Protocol):
    """Random descents through a search tree."""

    def run(self, total: int, seconds: float) -> int:
        """Goes on until there are `total` of them, or for `seconds`; returns how many there are."""

    def moments(self) -> tuple[Moments, Moments, list[Moments]]:
        """Of the numbers of nodes, of solutions, and of nodes by depth."""


class Start(NamedTuple):
    """Where a search begins: not always at the beginning.

    parts
        What is left to be searched, in visiting order. Among them may be packs: solutions that were
        found before, to be handed over at this place in the order.
    stats
        The work done before, which is added to what is done from now on. Its number of solutions is
        that of those which have been handed over and will not be again.
    """

    parts: tuple[Part | Pack, ...]
    stats: RawStats = NO_STATS
