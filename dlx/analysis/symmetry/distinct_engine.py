"""The engine of a search for the first solution of each class of symmetric ones.

It runs another engine and leaves out solutions to which a symmetric one is earlier in the tree of
the search (`dlx/cpp/symmetry/first_of_class.hpp`). It leaves out subtrees as well. After some
nodes it looks at the position of the engine:

    path      (item 0, option 3) (item 4, option 7) (item 2, option 9) ...
    cut       ------------------------------------                      2

Options 3 and 7 alone have an image that comes earlier: so nothing below these two decisions is the
first of its class, and the engine restarts after them. Such checks come often while they bring
something, and rarely while they do not.

The positions are those of the whole search. So the search can be split, resumed, shared by workers
and recorded in a journal like any other, and nothing is remembered but the position.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget
from dlx.core.kernel import Pack
from dlx.core.stats import NO_STATS, Stats
from dlx.engines.protocols import LearningEngine, why_stopped
from dlx.engines.spec import WHOLE

if TYPE_CHECKING:
    from dlx._kernel import ClassTest
    from dlx.analysis.symmetry.group import OptionGroup
    from dlx.core.budget import Reason
    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.part import Decision, Part
    from dlx.core.table import Table
    from dlx.engines.protocols import Engine, TreeEngine
    from dlx.engines.spec import EngineSpec

__all__ = ["ClassFilter", "DistinctEngine", "DistinctEngineSpec", "DistinctLearningEngine"]

MIN_NODES: Final = 200  # between two checks at the position
MAX_NODES: Final = 2**20
MAX_BATCH: Final = 1024  # solutions between two checks


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
        self._before = NO_STATS  # of the inner engine, before its last restart
        self._testing = 0.0  # seconds, which are seconds of the search as well

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed."""
        return self._inner.finished and not self._waiting()

    @property
    def stats(self) -> Stats:
        """The work of the search; the number of classes handed over."""
        stats = self._before.plus(self._inner.stats)
        solutions = self._found.before + self._found.ready.taken
        return stats._replace(solutions=solutions, seconds=stats.seconds + self._testing)

    def run(self, budget: Budget, into: list[tuple[Any, ...]] | Pack) -> Reason:
        """Appends further solutions: see `dlx.engines.protocols.TreeEngine`."""
        self._search(budget)
        return why_stopped(self, budget, self._hand_over(budget.solutions, into))

    def take_waiting(self, into: list[tuple[Any, ...]] | Pack) -> None:
        """Appends the solutions that were found and not returned."""
        self._inner.take_waiting(self._found.raw)
        while self._waiting():
            self._filter()
            self._hand_over(len(self._found.ready), into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions: see `dlx.engines.protocols.Engine`."""
        before = self.stats.solutions
        while (skipped := self.stats.solutions - before) < budget.solutions:
            self._search(budget.with_solutions(budget.solutions - skipped))
            if not len(self._found.ready):
                break
            self._found.ready.drop(budget.solutions - skipped)
        return self.stats.solutions - before

    def close(self) -> None:
        """Closes the search."""
        self._inner.close()
        self._found = _Found([], Pack(), self.stats.solutions)

    def _waiting(self) -> bool:
        return bool(self._found.raw) or len(self._found.ready) > 0

    def _hand_over(self, count: int, into: list[tuple[Any, ...]] | Pack) -> int:
        """Moves up to `count` solutions to a list or a pack; returns how many."""
        if isinstance(into, list):
            return self._found.ready.take(count, self._names, into)
        found: list[tuple[int, ...]] = []
        self._found.ready.take(count, None, found)
        for solution in found:
            into.append(solution)
        return len(found)

    def _search(self, budget: Budget) -> None:
        """Searches until a solution is ready, the end, or a limit."""
        self._filter()
        while not self._inner.finished and not len(self._found.ready):
            expired = budget.expired
            own = budget  # that of the inner engine
            if budget.nodes < UNLIMITED:
                own = budget._replace(nodes=max(0, budget.nodes - self._before.nodes))
            self._step(own)
            if expired or self._inner.stats.nodes >= own.nodes:
                break

    def _step(self, budget: Budget) -> None:
        """Searches for a while; the budget is that of the inner engine."""
        self._inner.run(budget, self._found.raw)
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
        self._nodes = MIN_NODES  # until the next check of the position
        self._batch = 1

    def position(self) -> tuple[list[Decision], int] | None:
        """The rest of the search: see `dlx.engines.protocols.TreeEngine`."""
        if self._waiting():
            raise RuntimeError("solutions wait to be handed over: take_waiting(into)")
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

    def _step(self, budget: Budget) -> None:
        if self._floor is None:
            return super()._step(budget)
        check, nodes = self._inner.stats.nodes + self._nodes, budget.nodes
        super()._step(
            Budget(min(budget.solutions, self._batch), budget.deadline, min(nodes, check))
        )
        if self._inner.finished or (nodes <= check and self._inner.stats.nodes >= nodes):
            return None
        self._inner.take_waiting(self._found.raw)  # what it found beyond the last node
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
        before = self._before.plus(self._inner.stats)
        if length <= floor:
            self._inner.close()
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
