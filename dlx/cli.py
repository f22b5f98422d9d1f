"""The `dlx` command: solve, count, inspect and trace exact cover problems in files."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import click

from dlx.cli_common import (
    entry_text,
    heuristic_option,
    json_option,
    load_problem,
    option_text,
    read_given,
    search_options,
    seed_option,
    stopped,
)
from dlx.cli_convert import convert
from dlx.cli_insights import estimate, explain
from dlx.cli_minimum import minimum
from dlx.cli_reduce import reduce
from dlx.commands import NO_SOLUTION, SOLVED, STOPPED, run
from dlx.errors import SearchInterrupted
from dlx.problem import Problem
from dlx.search import Search, Solution, Stats

__all__ = ["main"]

EPILOG = """FILE is in Knuth's format; "-" is standard input.

Exit status: 0 solved, 1 no solution, 2 bad input, 3 stopped by a limit, 130 interrupted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    return run(dlx, "dlx", arguments)


@click.group(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(metadata.version("exactcover"), prog_name="dlx")
def dlx() -> None:
    """Exact cover problems: choose options so that every item is covered exactly once."""


@dlx.command()
@search_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Print up to N solutions.")
@click.option("--all", "everything", is_flag=True, help="Print all solutions.")
def solve(
    file: str,
    given: tuple[str, ...],
    limit: int | None,
    everything: bool,
    as_json: bool,
    **search: Any,
) -> int:
    """Print solutions of FILE: the first, unless --limit or --all says otherwise.

    Each is printed as the numbers and the items of its options.
    """
    if everything and limit is not None:
        raise click.UsageError("--all and --limit contradict each other")
    if limit is None and not everything:
        limit = 1
    problem = load_problem(file)
    with problem.solutions(given=read_given(problem, given), limit=limit, **search) as solutions:
        found = 0
        for found, solution in enumerate(solutions, start=1):
            show = _solution_json if as_json else _solution_text
            click.echo(show(problem, found, solution))
        _report_end(solutions, found, as_json)
        if solutions.stopped_by == "timeout":
            return STOPPED
        return SOLVED if found or solutions.stopped_by else NO_SOLUTION


@dlx.command()
@search_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Count up to N.")
@click.option(
    "--memory-limit", metavar="SIZE", help="Remember in so much: '500 MB' (default 1 GiB)."
)
def count(
    file: str, given: tuple[str, ...], limit: int | None, as_json: bool, **search: Any
) -> int:
    """Print the number of solutions of FILE."""
    problem = load_problem(file)
    complete = True
    try:
        number = problem.count(given=read_given(problem, given), limit=limit, **search)
        if number == limit:
            complete = False
            click.echo(f"dlx: stopped at the limit of {limit}; there may be more", err=True)
    except SearchInterrupted as error:
        number, complete = error.count, False
        click.echo(f"dlx: {error}", err=True)
    click.echo(json.dumps({"count": number, "complete": complete}) if as_json else number)
    if not complete:
        return STOPPED
    return SOLVED if number else NO_SOLUTION


@dlx.command()
@click.argument("file")
@json_option
def info(file: str, as_json: bool) -> int:
    """Print the size and shape of the problem in FILE, and what looks wrong with it."""
    from dlx.describing import describe

    facts = describe(load_problem(file))
    if as_json:
        click.echo(json.dumps(facts))
    elif sys.stdout.isatty():
        _print_table(facts)
    else:
        for name, value in facts.items():
            click.echo(f"{name}: {_shown(value)}")
    return SOLVED


@dlx.command()
@click.argument("file")
@seed_option
@click.option(
    "--steps",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Stop after N steps.",
)
@heuristic_option
def trace(file: str, seed: int | None, steps: int, heuristic: str) -> int:
    """Print every step of Algorithm X on FILE, as a teacher would."""
    problem = load_problem(file)
    matrix = problem.matrix(seed)
    for number, step in enumerate(matrix.search(heuristic=heuristic)):
        if number == steps:
            return stopped(f"stopped after {steps} steps; there are more")
        items = "" if step.option is None else f": {option_text(problem.options[step.option])}"
        click.echo(f"{step}{items}")
    nodes = sum(matrix.profile)
    click.echo(_summary(matrix.solutions_found, nodes, matrix.updates), err=True)
    return SOLVED if matrix.solutions_found else NO_SOLUTION


@dlx.command(context_settings={"ignore_unknown_options": True})
@click.argument("model", required=False)
@click.argument("arguments", nargs=-1)
def make(model: str | None, arguments: tuple[str, ...]) -> int:
    """Write a classic problem to standard output; without MODEL, list what there is."""
    from dlx import models

    if model is None:
        width = max(map(len, models.USAGE))
        for name, usage in models.USAGE.items():
            click.echo(f"{name:{width}}  {usage}")
    else:
        models.make(model, arguments).dump(sys.stdout)
    return SOLVED


for command in (reduce, convert, estimate, explain, minimum):
    dlx.add_command(command)


# -- writing -------------------------------------------------------------------------------------


def _solution_text(problem: Problem, number: int, solution: Solution) -> str:
    lines = [f"solution {number}:"]
    for name in solution:
        lines.append(f"  {name}: {option_text(problem.options[problem.index_of(name)])}")
    return "\n".join(lines)


def _solution_json(problem: Problem, number: int, solution: Solution) -> str:
    options = [list(map(entry_text, problem.options[problem.index_of(name)])) for name in solution]
    return json.dumps({"solution": number, "options": solution, "items": options})


def _report_end(search: Search, found: int, as_json: bool) -> None:
    """Says how the search ended, so that a part of the answer cannot pass for all of it."""
    stats: Stats = search.stats
    if as_json:
        click.echo(
            json.dumps(
                {
                    "solutions": found,
                    "exhausted": search.exhausted,
                    "stopped_by": search.stopped_by,
                    "nodes": stats.nodes,
                    "updates": stats.updates,
                    "seconds": stats.seconds,
                    **({} if stats.conflicts is None else {"conflicts": stats.conflicts}),
                }
            )
        )
        return
    if stats.conflicts is not None:
        click.echo(
            f"the SAT solver took part and learned from {stats.conflicts} conflicts", err=True
        )
    ending = {
        None: "" if search.exhausted else "; there may be more",
        "limit": "; there may be more",
        "timeout": "; stopped by the timeout",
    }[search.stopped_by]
    click.echo(f"{_summary(found, stats.nodes, stats.updates, stats.seconds)}{ending}", err=True)


def _summary(found: int, nodes: int, updates: int, seconds: float | None = None) -> str:
    time = "" if seconds is None else f", {seconds:.3g} s"
    plural = "" if found == 1 else "s"
    return f"{found or 'no'} solution{plural}, {nodes} nodes, {updates} updates{time}"


def _shown(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(str, value)) or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _print_table(facts: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in facts.items():
        table.add_row(name, _shown(value))
    Console().print(table)
