"""The engine of a search for the first solution of each class of symmetric ones.

It runs another engine and leaves out solutions to which a symmetric one is earlier in the tree of
the search (`dlx/cpp/symmetry/first_of_class.hpp`). It leaves out subtrees as well. After some
nodes it looks at the position of the engine:

    path      (item 0, option 3) (item 4, option 7) (item 2, option 9) ...
    cut       ------------------------------------                      2

Options 3 and 7 alone have an image that comes earlier: so nothing below these two decisions is the
first of its class, and the engine restarts after them. Such looks come often while they bring
something, and rarely while they do not.

The positions are those of the whole search. So the search can be split, resumed, shared by workers
and recorded in a journal like any other, and nothing is remembered but the position.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import Pack
from dlx.engines.protocols import NO_STATS, LearningEngine, RawStats
from dlx.engines.spec import WHOLE
from dlx.parallel.results import add_stats

if TYPE_CHECKING:
    from dlx._kernel import ClassTest
    from dlx.analysis.symmetry.group import OptionGroup
    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.part import Decision, Part
    from dlx.core.table import Table
    from dlx.engines.protocols import Engine, TreeEngine
    from dlx.engines.spec import EngineSpec

__all__ = ["ClassFilter", "DistinctEngine", "DistinctEngineSpec", "DistinctLearningEngine"]

MIN_NODES: Final = 200  # between two looks at the position
MAX_NODES: Final = 2**20
MAX_BATCH: Final = 1024  # solutions between two looks


class ClassFilter(NamedTuple):
    """A problem, a group of symmetries, and the givens that it keeps."""

    problem: KernelProblem
    group: OptionGroup
    given: list[int]

    def open(self) -> ClassTest:
        """A new test for the first solutions of classes."""
        return self.problem.class_test(*self.group, self.given)


class DistinctEngineSpec(NamedTuple):
    """An `EngineSpec` of engines for the first solutions of classes."""

    spec: EngineSpec
    classes: ClassFilter
    cuts: bool
    """May the engine leave out subtrees?"""

    def open(self, part: Part = WHOLE, names: list[Hashable] | None = None) -> TreeEngine:
        """An engine at the beginning of a part: see `EngineSpec`."""
        inner = self.spec.open(part)
        floor = part.floor if self.cuts else None
        return DistinctEngine(inner, self.classes.open(), names, floor)


class _Found(NamedTuple):
    """Solutions that were not handed over yet. Replaced as a whole: a signal may come any time."""

    raw: list[tuple[Any, ...]]  # not tested yet
    ready: Pack
    before: int  # solutions handed over before those of `ready`


class _Filter:
    """Tests the solutions of an engine: what both engines here have in common."""

    def __init__(self, inner: Engine, test: ClassTest, names: list[Hashable] | None) -> None:
        self._inner = inner
        self._test = test
        self._names = names
        self._found = _Found([], Pack(), 0)
        self._before: RawStats = NO_STATS  # of the inner engine, before its last restart
        self._testing = 0.0  # seconds, which are seconds of the search as well

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed."""
        return self._inner.finished and not self._waiting()

    @property
    def stats(self) -> RawStats:
        """The work of the search; the number of classes handed over."""
        nodes, updates, _, profile, seconds = add_stats(self._before, self._inner.stats)
        solutions = self._found.before + self._found.ready.taken
        return nodes, updates, solutions, profile, seconds + self._testing

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = UNLIMITED
    ) -> None:
        """Appends up to `count` further solutions: see `dlx.engines.protocols.Engine`."""
        self._hand_over(count, seconds, nodes, self._names, into)

    def draw_packed(self, count: int, seconds: float, into: Pack, nodes: int = UNLIMITED) -> None:
        """As `draw`, but appends indices of options to a pack."""
        found: list[tuple[int, ...]] = []
        self._hand_over(count, seconds, nodes, None, found)
        for solution in found:
            into.append(solution)

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Skips up to `count` further solutions: see `dlx.engines.protocols.Engine`."""
        until = None if seconds < 0 else time.monotonic() + seconds
        before = self.stats[2]
        while (skipped := self.stats[2] - before) < count:
            left = -1.0 if until is None else max(0.0, until - time.monotonic())
            self._search(count - skipped, left, nodes)
            if not len(self._found.ready):
                break
            self._found.ready.drop(count - skipped)
        return self.stats[2] - before

    def rewind(self) -> None:
        """Closes the search."""
        self._inner.rewind()
        self._found = _Found([], Pack(), self.stats[2])

    def _waiting(self) -> bool:
        return bool(self._found.raw) or len(self._found.ready) > 0

    def _hand_over(
        self,
        count: int,
        seconds: float,
        nodes: int,
        names: list[Hashable] | None,
        into: list[tuple[Any, ...]],
    ) -> None:
        self._search(count, seconds, nodes)
        while True:
            ready = self._found.ready
            ready.take(count or len(ready), names, into)
            if count or not self._found.raw:
                break
            self._filter()  # a deadline came before all were tested

    def _search(self, count: int, seconds: float, nodes: int) -> None:
        """Searches until a solution is ready, the end, or a limit."""
        until = None if seconds < 0 else time.monotonic() + seconds
        self._filter()
        if count == 0:
            self._inner.draw(0, 0.0, self._found.raw)
            self._filter()
            return
        while not self._inner.finished and not len(self._found.ready):
            left = -1.0 if until is None else max(0.0, until - time.monotonic())
            limit = nodes if nodes == UNLIMITED else max(0, nodes - self._before[0])
            self._step(count, left, limit)
            if left == 0 or self._inner.stats[0] >= limit:
                break

    def _step(self, count: int, seconds: float, nodes: int) -> None:
        """Searches for a while; `nodes` is the limit of the inner engine."""
        self._inner.draw(count, seconds, self._found.raw, nodes)
        self._filter()

    def _indices(self, raw: list[tuple[Any, ...]]) -> list[tuple[int, ...]]:
        """The solutions of the inner engine as indices of options."""
        return raw

    def _filter(self) -> None:
        """Tests the solutions found; at a deadline at least one of them, or raises `TimeUp`."""
        raw, ready, before = self._found
        if not raw or len(ready):
            return
        solutions = self._indices(raw)
        began = time.monotonic()
        try:
            stabilizers = self._test.stabilizers(solutions)
        finally:
            self._testing += time.monotonic() - began
        first = Pack()
        for solution, factors in zip(solutions, stabilizers, strict=False):
            if factors is not None:
                first.append(solution)
        self._found = _Found(raw[len(stabilizers) :], first, before + ready.taken)


class DistinctEngine(_Filter):
    """A `TreeEngine` for the first solutions of classes."""

    _inner: TreeEngine

    def __init__(
        self,
        inner: TreeEngine,
        test: ClassTest,
        names: list[Hashable] | None,
        floor: int | None,
    ) -> None:
        """`floor` is that of the part that `inner` is at; None: leave out no subtrees."""
        super().__init__(inner, test, names)
        self._floor = floor
        self._nodes = MIN_NODES  # until the next look at the position
        self._batch = 1

    def position(self) -> tuple[list[Decision], int] | None:
        """The rest of the search: see `dlx.engines.protocols.TreeEngine`."""
        if self._waiting():
            raise RuntimeError("solutions wait to be handed over: draw(0, 0, into)")
        return self._inner.position()

    def untried(self) -> list[int]:
        """The options not tried yet of the item at the end of the path, in order."""
        return self._inner.untried()

    def restart(self, path: Sequence[Decision], floor: int) -> None:
        """Closes the search and starts a part of it."""
        self._found = _Found([], Pack(), 0)
        self._before = NO_STATS
        self._testing = 0.0
        if self._floor is not None:
            self._floor = floor
        self._inner.restart(path, floor)

    def _step(self, count: int, seconds: float, nodes: int) -> None:
        if self._floor is None:
            return super()._step(count, seconds, nodes)
        look = self._inner.stats[0] + self._nodes
        super()._step(min(count, self._batch), seconds, min(nodes, look))
        if self._inner.finished or (nodes <= look and self._inner.stats[0] >= nodes):
            return None
        self._inner.draw(0, 0.0, self._found.raw)  # what it found beyond the last node
        if self._found.raw:
            return self._filter()
        if self._leave_out(self._floor):
            self._nodes, self._batch = MIN_NODES, 1
        else:
            self._nodes = min(2 * self._nodes, MAX_NODES)
            self._batch = min(2 * self._batch, MAX_BATCH)
        return None

    def _leave_out(self, floor: int) -> bool:
        """Leaves out the largest subtree around the position without first solutions, if any."""
        position = self._inner.position()
        if position is None:
            return False
        path = position[0]
        began = time.monotonic()
        try:
            length = self._test.cut([option for _, option in path[:-1]])
        finally:
            self._testing += time.monotonic() - began
        if length == 0:
            return False
        before = add_stats(self._before, self._inner.stats)
        if length <= floor:
            self._inner.rewind()
        else:
            self._inner.restart(path[:length], floor)
            self._before = before
        return True


class DistinctLearningEngine(_Filter, LearningEngine):
    """Engine of first solutions on an engine without the promised order, such as the SAT solver."""

    _inner: Any

    def __init__(self, inner: Engine, test: ClassTest, table: Table) -> None:
        """`inner` returns the names that the options have in the table."""
        super().__init__(inner, test, table.names)
        self._index_of = table.index_of

    def _indices(self, raw: list[tuple[Any, ...]]) -> list[tuple[int, ...]]:
        return [tuple(map(self._index_of, solution)) for solution in raw]

    @property
    def out_of_order(self) -> bool:
        """Whether the engine has started another one that does not keep the order."""
        found: bool = self._inner.out_of_order
        return found

    @property
    def helpers(self) -> tuple[str, ...]:
        """What took part besides a search in order: see `dlx.Stats`."""
        names: tuple[str, ...] = self._inner.helpers
        return names

    @property
    def conflicts(self) -> int | None:
        """The number of conflicts that the SAT solver learned from."""
        number: int | None = self._inner.conflicts
        return number
