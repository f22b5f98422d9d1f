"""From what a caller wishes (`workers`, `executor`) to a driver."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from dlx.engines import check_compiled
from dlx.errors import InvalidArgument, quote
from dlx.heuristics import check_heuristic
from dlx.parallel.driver import Driver
from dlx.parallel.question import CompiledQuestion, PythonQuestion

if TYPE_CHECKING:
    from dlx.heuristics import Heuristic
    from dlx.kernel import Problem as KernelProblem
    from dlx.links import Matrix
    from dlx.parallel.crew import Crew
    from dlx.parallel.question import Question
    from dlx.parallel.recorder import Recorder, Start
    from dlx.parallel.schedule import Schedule

__all__ = ["ask", "open_driver"]


def ask(
    engine: str,
    *,
    problem: KernelProblem,
    matrix: Callable[[], Matrix],
    given: list[int],
    heuristic: str | Heuristic,
) -> Question:
    """The question of a search whose parts can be done by many. Raises `InvalidArgument`."""
    if engine in ("auto", "bits", "links"):
        rule = check_compiled(engine, problem, heuristic)
        return CompiledQuestion(problem, given, engine, rule)
    if engine == "python":
        check_heuristic(heuristic)
        return PythonQuestion(matrix, given, heuristic)
    raise InvalidArgument(
        f"engine={quote(engine)} searches in one piece and cannot be shared by workers; choose "
        "'auto', 'bits', 'links' or 'python', or leave workers and executor out"
    )


def open_driver(
    question: Question,
    *,
    names: list[Hashable] | None,
    workers: int,
    ordered: bool,
    start: Start | None = None,
    recorder: Recorder | None = None,
) -> Driver:
    """Begins a search by several workers."""
    from dlx.parallel.threads import ThreadCrew

    def hire(schedule: Schedule) -> Crew:
        return ThreadCrew(schedule, question.open, workers)

    first = question.open_whole(names) if start is None else None
    return Driver(first, hire, names=names, ordered=ordered, start=start, recorder=recorder)
