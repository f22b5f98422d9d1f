"""The batch of the engine "python": solves many sets of givens, one after another.

Tests compare the kernel's batches with it. A signal handler may raise between any two instructions.
So the progress of the batch is one tuple, which is replaced as a whole, and two lists that must
change together are changed by one call of a function written in C.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.core.budget import Budget
from dlx.core.kernel import Refusal
from dlx.core.stats import NO_STATS, Stats
from dlx.engines.python.search import PythonEngine

if TYPE_CHECKING:
    from dlx.core.kernel import Problem as KernelProblem
    from dlx.engines.protocols import BatchTask
    from dlx.links.matrix import Matrix

__all__ = ["PythonBatch"]


_Row = tuple[list[int], list[int]]
"""The options of a set, and those that it forbids."""


def _rows(start: Sequence[int], option: Sequence[int]) -> list[list[int]]:
    first = start[0]
    return [list(option[a - first : b - first]) for a, b in pairwise(start)]


class _SetState(NamedTuple):
    sets: list[tuple[Any, ...]]  # for each set, first its options and those it forbids
    answers: list[Any]  # the caller's list, with the answers to the first of these sets
    before: int  # the number of sets answered before these


class _SetSearch(NamedTuple):
    number: int  # of the set
    engine: PythonEngine
    found: list[tuple[Any, ...]]


class PythonBatch:
    """A batch that opens a `PythonEngine` for each set, in the caller's thread."""

    def __init__(
        self,
        problem: KernelProblem,
        build: Callable[[Collection[int]], Matrix],
        task: BatchTask,
    ) -> None:
        """`build` returns a new matrix without these options; it is called for each set."""
        self._problem = problem
        self._heuristic = task.heuristic
        self._matrix = build
        self._options = len(build(()).options)
        self._names = task.names if task.code is None else None
        self._code = task.code
        self._limit = task.limit
        self._keep = task.keep
        self._seconds = task.seconds
        self._state = _SetState([], [], 0)
        self._search: _SetSearch | None = None
        self._closed = False
        self._work = (-1, NO_STATS)  # up to the set of that number

    @property
    def submitted(self) -> int:
        """The number of sets submitted."""
        return self._state.before + len(self._state.sets)

    @property
    def pending(self) -> int:
        """The number of submitted sets whose answers were not collected yet."""
        return len(self._state.sets) - len(self._state.answers)

    @property
    def stats(self) -> Stats:
        """The work of all searches together."""
        return self._work[1]

    def submit(
        self,
        start: Sequence[int],
        option: Sequence[int],
        sets: list[Any],
        forbid_start: Sequence[int],
        forbid: Sequence[int],
    ) -> None:
        """Submits sets, and removes as many elements from the front of `sets`."""
        given = _rows(start, option)
        forbidden = _rows(forbid_start, forbid) if forbid_start else repeat([])
        self._take(list(zip(given, forbidden, strict=False)), sets)

    def submit_lines(self, lines: list[Any]) -> int:
        """Submits lines from the front of a list, up to the first invalid one."""
        assert self._code is not None
        rows: list[_Row] = []
        for line in lines:
            row = self._code.read(line) if isinstance(line, str) else None
            if row is None:
                break
            rows.append((row, []))
        self._take(rows, lines)
        return len(rows)

    def _take(self, rows: list[_Row], sets: list[Any]) -> None:
        if self._closed:
            del sets[: len(rows)]
            return
        taken = zip(rows, map(sets.pop, repeat(0)), strict=False) if sets else zip(rows)
        self._state.sets.extend(taken)

    def collect(self, into: list[Any]) -> None:
        """Appends the next answer to a list, if any is pending."""
        sets, answers, before = self._state
        answered = len(answers)
        self._state = state = _SetState(sets[answered:], into, before + answered)
        if state.sets:
            answer = self._answer(state.before, *state.sets[0][0])
            if not self._closed:  # else the search was closed before it had finished
                into.append(answer)

    def _answer(self, number: int, given: list[int], forbidden: list[int]) -> Any:
        search = self._search
        if search is None or search.number != number:
            for options in (given, forbidden):
                for place, option in enumerate(options):
                    if not 0 <= option < self._options:
                        return Refusal("unknown", number, option, place, 0, NO_STATS, [])
            clash = self._problem.clash(given)
            if clash is not None:
                earlier, later, rank = clash
                first, second = given[earlier], given[later]
                return Refusal("clash", number, first, second, rank, NO_STATS, [])
            for option in given:
                if option in forbidden:
                    return Refusal("forbidden", number, option, 0, 0, NO_STATS, [])
            engine = PythonEngine(self._matrix(forbidden), given, self._names, self._heuristic)
            self._search = search = _SetSearch(number, engine, [])
            if self._closed:  # by another thread, which saw no search
                engine.close()
        finished = self._advance(search)
        self._add_work(search)
        answer = self._form(search)
        if finished:
            return answer
        found = answer if self._keep and self._limit != 1 else []
        return Refusal("timeout", number, 0, 0, 0, search.engine.stats, found)

    def _advance(self, search: _SetSearch) -> bool:
        """Searches until the set is answered; False if the time limit came first."""
        engine, found = search.engine, search.found
        while not self._has_all(engine):
            stats = engine.stats
            seconds = max(0.0, self._seconds - stats.seconds)
            budget = Budget.of(self._limit - stats.solutions, seconds)
            if self._keep:
                engine.run(budget, found)
            else:
                engine.skip(budget)
            if seconds == 0:
                return self._has_all(engine)
        return True

    def _has_all(self, engine: PythonEngine) -> bool:
        return engine.finished or engine.stats.solutions == self._limit

    def _form(self, search: _SetSearch) -> Any:
        """The answer to a set in the form that the task asks for."""
        if not self._keep:
            return search.engine.stats.solutions
        found: list[Any] = list(search.found)
        if self._code is not None:
            found = [self._code.write(solution) for solution in found]
        if self._limit == 1:
            return found[0] if found else None
        return found

    def _add_work(self, search: _SetSearch) -> None:
        number, work = self._work
        if search.number != number:
            self._work = (search.number, work.plus(search.engine.stats))

    def close(self) -> None:
        """Stops all work and drops the pending sets."""
        self._closed = True
        search, self._search = self._search, None
        if search is not None:
            search.engine.close()
        self._state = _SetState([], [], self._state.before + len(self._state.answers))
