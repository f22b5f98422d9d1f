"""`dlx status` and `dlx resume`: inspect the journal of a long search, and continue the search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from dlx.analysis.estimate import duration_text, number_text
from dlx.cli.commands import SOLVED
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
@click.argument("journal", metavar="JOURNAL")
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
            click.echo(show(opened.problem, number, solution))
        return SOLVED
    facts = _facts(opened, opened.status())
    if as_json:
        click.echo(json.dumps(facts))
        return SOLVED
    for line in _lines(facts):
        click.echo(line)
    return SOLVED


@click.command()
@click.argument("journal", metavar="JOURNAL")
@timeout_option
@json_lines_option
@work_options
def resume(
    journal: str,
    timeout: float | None,
    as_json: bool,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
) -> int:
    """Continue the search in JOURNAL.

    The journal contains the problem and all search options. Prints the complete result, including
    the solutions found before.
    """
    from dlx.journal import Journal

    opened = Journal(journal)
    problem, question = opened.problem, opened.question
    search: dict[str, Any] = {
        "given": [problem.names[index] for index in question.given],
        "limit": question.limit,
        "seed": question.seed,
        "engine": question.engine,
        "heuristic": question.heuristic,
        "part": question.part if question.part.path else None,
        "timeout": timeout,
        "distinct": question.distinct == "all",
    }
    if question.distinct not in (None, "all"):
        raise JournalError(
            f"{opened.path}: the search is for solutions that differ under symmetries that the "
            "caller gave, and the journal does not have them; go on by the same call in Python"
        )
    run = run_count if question.kind == "count" else run_solve
    work = WorkConfig(workers, scheduler, opened.path, quiet)
    return run(problem, work, as_json=as_json, **search)


def _facts(journal: Journal, status: JournalStatus) -> dict[str, Any]:
    nodes, seconds, fraction = status.stats.nodes, status.seconds, status.fraction
    left = seconds * (1 - fraction) / fraction if fraction else None
    return {
        "problem": repr(journal.problem),
        "question": journal.question.as_call(),
        "finished": status.finished,
        "process": status.process,
        "parts_done": status.parts_done,
        "parts_left": status.parts_left,
        "solutions": status.stats.solutions,
        "nodes": nodes,
        "updates": status.stats.updates,
        "seconds": seconds,
        "runs": status.runs,
        "nodes_per_second": nodes / seconds if seconds else 0.0,
        "fraction": fraction,
        "seconds_left": left,
    }


def _lines(facts: dict[str, Any]) -> list[str]:
    if facts["finished"]:
        state = "finished"
    elif facts["process"] is None:
        state = "stopped; continue with `dlx resume`"
    else:
        state = f"running in process {facts['process']}"
    lines = [
        f"problem: {facts['problem']}",
        f"question: {facts['question']}",
        f"state: {state}",
        f"parts: {facts['parts_done']} done, {facts['parts_left']} left",
        f"solutions: {facts['solutions']:,}",
        f"nodes: {facts['nodes']:,}",
        f"time: {duration_text(facts['seconds'])} in {counted(facts['runs'], 'run')}",
        f"rate: {number_text(facts['nodes_per_second'])} nodes a second",
    ]
    if facts["finished"]:
        return lines
    if facts["fraction"] is not None:
        lines.append(f"searched: about {facts['fraction']:.1%}")
    if facts["seconds_left"] is not None:
        lines.append(f"left: about {duration_text(facts['seconds_left'])}")
    return lines
