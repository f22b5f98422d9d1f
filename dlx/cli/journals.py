"""`dlx status` and `dlx resume`: inspect the journal of a long search, and continue the search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from dlx.analysis.estimate import duration_text, number_text
from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.display import echo, echo_json
from dlx.cli.minimum import run_minimum, stopping_options
from dlx.cli.shared import json_lines_option, json_option, timeout_option
from dlx.cli.solve import (
    WorkConfig,
    run_count,
    run_solve,
    solution_json,
    solution_text,
    work_options,
)
from dlx.errors import JournalError, counted

if TYPE_CHECKING:
    from dlx.journal import Journal, JournalStatus

__all__ = ["resume", "status"]


@click.command()
@click.argument("journal", type=FILE_NAME)
@click.option("--solutions", is_flag=True, help="Print the solutions found so far instead.")
@click.option("--follow", is_flag=True, help="Also print new solutions until the search ends.")
@json_option
def status(journal: str, solutions: bool, follow: bool, as_json: bool) -> int:
    """Show the progress of the search in JOURNAL.

    The search may be running. The fraction searched is an estimate that takes all branches of a
    node to be equally large. The time left follows from it.
    """
    from dlx.journal import Journal

    opened = Journal(journal)
    if solutions or follow:
        show = solution_json if as_json else solution_text
        source = opened.follow() if follow else opened.solutions()
        for number, solution in enumerate(source, start=1):
            echo(show(opened.problem, number, solution))
        return SOLVED
    facts = _facts(opened, opened.status())
    if as_json:
        echo_json(facts)
        return SOLVED
    for line in _lines(opened, facts):
        echo(line)
    return SOLVED


@click.command()
@click.argument("journal", type=FILE_NAME)
@timeout_option
@json_lines_option
@work_options
@stopping_options
def resume(
    journal: str,
    timeout: float | None,
    as_json: bool,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
    **stopping: Any,
) -> int:
    """Continue the search in JOURNAL.

    The journal contains the problem and all search options. Prints the complete result, including
    the solutions found before. --gap, --target and --svg are for the journals of `dlx min`.
    """
    from dlx.journal import Journal

    opened = Journal(journal)
    problem, question = opened.problem, opened.question
    if question.is_ranking:
        if scheduler is not None:
            raise click.UsageError(f"a {question.kind} has worker threads, but no --scheduler")
        stopping |= {"timeout": timeout, "quiet": quiet, "as_json": as_json}
        return _resume_ranking(opened, workers, **stopping)
    if any(value is not None for value in stopping.values()):
        raise click.UsageError(
            "--gap, --target and --svg are for a minimum or maximum; the journal is of "
            f"{opened.question.kind}"
        )
    search: dict[str, Any] = {
        "given": [problem.names[index] for index in question.given],
        "limit": question.limit,
        "seed": question.seed,
        "engine": question.engine,
        "heuristic": question.heuristic,
        "part": question.part if question.part.path else None,
        "timeout": timeout,
        "distinct": question.distinct == "all" or question.distinct or False,
    }
    if question.distinct not in (None, "all", "rotations"):
        raise JournalError(
            f"{opened.path}: the search is for solutions that differ under symmetries that the "
            "caller gave, and the journal does not have them; go on by the same call in Python"
        )
    run = run_count if question.kind == "count" else run_solve
    work = WorkConfig(workers, scheduler, opened.path, quiet)
    return run(problem, work, as_json=as_json, **search)


def _resume_ranking(journal: Journal, workers: int | None, **search: Any) -> int:
    problem, question = journal.problem, journal.question
    if question.costs is not None:
        raise JournalError(
            f"{journal.path}: this search has other costs than its problem; go on by the same call "
            "in Python"
        )
    return run_minimum(
        problem,
        question.k,
        maximize=question.kind == "maximum",
        given=[problem.names[index] for index in question.given],
        seed=question.seed,
        engine=question.engine,
        any_order=question.any_order,
        workers=1 if workers is None else workers,
        checkpoint=journal.path,
        **search,
    )


def _facts(journal: Journal, status: JournalStatus) -> dict[str, Any]:
    nodes, seconds, fraction = status.stats.nodes, status.seconds, status.fraction
    left = seconds * (1 - fraction) / fraction if fraction else None
    problem, question = journal.problem, json.loads(journal.question.to_json())
    del question["fingerprint"], question["names"]  # for programs that compare journals
    facts: dict[str, Any] = {
        "problem": {
            "primary_items": len(problem.primary),
            "secondary_items": len(problem.secondary),
            "options": len(problem),
        },
        "question": question,
        "finished": status.finished,
        "process": status.process,
        "parts_done": status.parts_done,
        "parts_left": status.parts_left,
        "solutions": status.stats.solutions,
        "nodes": nodes,
        "updates": status.stats.updates,
        "seconds": seconds,
        "runs": status.runs,
        "rate": nodes / seconds if seconds else 0.0,
        "fraction": fraction,
        "seconds_left": left,
    }
    if journal.question.is_ranking:
        for name, cost in (("best", status.best), ("bound", status.bound)):
            whole = cost is not None and cost.lstrip("-").isdecimal()
            facts[name] = int(cost or 0) if whole else cost  # a fraction is a text
        facts["gap"] = status.gap
    return facts


def _known(facts: dict[str, Any]) -> list[str]:
    """What the search knows so far."""
    if "bound" not in facts:
        return [
            f"parts: {facts['parts_done']} done, {facts['parts_left']} left",
            f"solutions: {facts['solutions']:,}",
        ]
    return [
        "best: " + ("none yet" if facts["best"] is None else f"{facts['best']}"),
        "bound for all others: " + ("none yet" if facts["bound"] is None else f"{facts['bound']}"),
        *([] if None in (facts["best"], facts["gap"]) else [f"gap: {facts['gap']:.2%}"]),
    ]


def _lines(journal: Journal, facts: dict[str, Any]) -> list[str]:
    if facts["finished"]:
        state = "finished"
    elif facts["process"] is None:
        state = "stopped; continue with `dlx resume`"
    else:
        state = f"running in process {facts['process']}"
    lines = [
        f"problem: {journal.problem!r}",
        f"question: {journal.question.as_call()}",
        f"state: {state}",
        *_known(facts),
        f"nodes: {facts['nodes']:,}",
        f"time: {duration_text(facts['seconds'])} in {counted(facts['runs'], 'run')}",
        f"rate: {number_text(facts['rate'])} nodes a second",
    ]
    if facts["finished"]:
        return lines
    if facts["fraction"] is not None:
        lines.append(f"searched: about {facts['fraction']:.1%}")
    if facts["seconds_left"] is not None:
        lines.append(f"left: about {duration_text(facts['seconds_left'])}")
    return lines
