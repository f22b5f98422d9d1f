"""The `dlx` command: solve, count, inspect and trace exact cover problems in files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Hashable, Sequence
from importlib import metadata
from typing import Any

import click

from dlx.cli_convert import convert
from dlx.cli_insights import estimate, explain
from dlx.cli_minimum import minimum_command
from dlx.cli_reduce import reduce
from dlx.color import Colored
from dlx.commands import NO_SOLUTION, SOLVED, STOPPED, open_input, run
from dlx.engines import ENGINES, HEURISTICS
from dlx.errors import SearchInterrupted, UnknownOption, quote
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


dlx.add_command(reduce)
dlx.add_command(convert)


heuristic_option = click.option(
    "--heuristic",
    type=click.Choice(HEURISTICS),
    default="mrv",
    show_default=True,
    help="The item to branch on: that with the fewest options, or by its dead ends as well.",
)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every searching command has."""
    for option in reversed(
        (
            click.argument("file"),
            click.option(
                "--given",
                metavar="NAME",
                multiple=True,
                help="An option every solution must contain: its number or its items. Repeatable.",
            ),
            click.option(
                "--timeout",
                type=click.FloatRange(min=0),
                metavar="S",
                help="Stop after S seconds of search.",
            ),
            click.option(
                "--seed", type=int, metavar="N", help="Break ties at random, as N has it."
            ),
            click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True),
            heuristic_option,
            click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line."),
        )
    ):
        command = option(command)
    return command


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
    problem = _load(file)
    with problem.solutions(given=_given(problem, given), limit=limit, **search) as solutions:
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
    problem = _load(file)
    complete = True
    try:
        number = problem.count(given=_given(problem, given), limit=limit, **search)
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(file: str, as_json: bool) -> int:
    """Print the size and shape of the problem in FILE, and what looks wrong with it."""
    from dlx.describing import describe

    facts = describe(_load(file))
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
@click.option("--seed", type=int, metavar="N", help="Break ties at random, as N has it.")
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
    problem = _load(file)
    matrix = problem.matrix(seed)
    for number, step in enumerate(matrix.search(heuristic=heuristic)):
        if number == steps:
            click.echo(f"dlx: stopped after {steps} steps; there are more", err=True)
            return STOPPED
        items = "" if step.option is None else f": {_option_text(problem.options[step.option])}"
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


dlx.add_command(estimate)
dlx.add_command(explain)


# -- reading -------------------------------------------------------------------------------------


def _load(path: str) -> Problem:
    with open_input(path) as file:
        return Problem.load(file)


def _given(problem: Problem, texts: Sequence[str]) -> list[int]:
    """The options meant by --given: by their numbers, or by their items as the file has them."""
    indices = []
    for text in texts:
        if text.strip().isdecimal():
            indices.append(problem.index_of(int(text)))
            continue
        wanted = sorted(text.split())
        for index, option in enumerate(problem.options):
            if sorted(map(_entry_text, option)) == wanted:
                indices.append(index)
                break
        else:
            raise UnknownOption(f"there is no option with the items {quote(text)}")
    return indices


# -- writing -------------------------------------------------------------------------------------


def _entry_text(entry: Hashable) -> str:
    return f"{entry.item}:{entry.color}" if isinstance(entry, Colored) else str(entry)


def _option_text(option: Sequence[Hashable]) -> str:
    return " ".join(map(_entry_text, option))


dlx.add_command(minimum_command(_load, _given, _option_text))


def _solution_text(problem: Problem, number: int, solution: Solution) -> str:
    lines = [f"solution {number}:"]
    for name in solution:
        lines.append(f"  {name}: {_option_text(problem.options[problem.index_of(name)])}")
    return "\n".join(lines)


def _solution_json(problem: Problem, number: int, solution: Solution) -> str:
    options = [list(map(_entry_text, problem.options[problem.index_of(name)])) for name in solution]
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
