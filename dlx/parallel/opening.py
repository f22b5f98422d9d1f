"""From what a caller wishes (`workers`, `executor`) to a driver."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from dlx.engines import check_compiled, no_such_engine
from dlx.errors import InvalidArgument
from dlx.heuristics import check_heuristic
from dlx.parallel.driver import Driver
from dlx.parallel.part import Part
from dlx.parallel.question import CompiledQuestion, PythonQuestion, Question
from dlx.parallel.recorder import Recorder, Start

if TYPE_CHECKING:
    from dlx.crews import CrewWanted
    from dlx.heuristics import Heuristic
    from dlx.parallel.crew import Crew
    from dlx.parallel.schedule import Schedule
    from dlx.prepared import Prepared
    from dlx.table import Table

__all__ = ["ask", "open_driver"]


def ask(
    engine: str,
    table: Table,
    prepared: Prepared,
    given: list[int],
    heuristic: str | Heuristic,
) -> Question:
    """The question of a search whose parts can be done by many. Raises `InvalidArgument`.

    It is a snapshot: the table may grow.
    """
    if engine in ("auto", "bits", "links"):
        rule = check_compiled(engine, prepared.problem, heuristic)
        return CompiledQuestion(prepared.problem, given, engine, rule)
    if engine == "python":
        check_heuristic(heuristic)
        return PythonQuestion(table.copy(), prepared.rank, prepared.order, given, heuristic)
    if engine == "sat":
        raise InvalidArgument(
            "engine='sat' searches in one piece, which workers cannot share; choose 'auto', "
            "'bits', 'links' or 'python', or leave workers and executor out"
        )
    raise no_such_engine(engine)


def open_driver(
    question: Question,
    crew: CrewWanted,
    *,
    names: list[Hashable] | None,
    part: Part | None = None,
    start: Start | None = None,
    recorder: Recorder | None = None,
) -> Driver:
    """Begins a search by several workers: of the whole, of a part, or from where another stopped.

    A search without a `start` begins in the calling thread.
    """

    def hire(schedule: Schedule) -> Crew:
        if crew.executor is not None:
            from dlx.parallel.executors import ExecutorCrew

            return ExecutorCrew(schedule, question, crew.executor, crew.workers)
        from dlx.parallel.threads import ThreadCrew

        return ThreadCrew(schedule, question.open, crew.workers)

    return Driver(
        question.open_first(names, Part() if part is None else part) if start is None else None,
        hire,
        names=names,
        ordered=crew.ordered,
        start=start,
        recorder=recorder,
    )
