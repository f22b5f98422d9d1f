"""The `dlx` command: solve, count, inspect and trace exact cover problems in files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, run, write_output
from dlx.cli.convert import convert
from dlx.cli.display import echo, echo_error, echo_json
from dlx.cli.doctor import doctor
from dlx.cli.drawing import profile_chart
from dlx.cli.insights import estimate, explain
from dlx.cli.journals import resume, status
from dlx.cli.minimum import minimum
from dlx.cli.reduce import reduce
from dlx.cli.shared import (
    heuristic_option,
    json_option,
    load_problem,
    named_option,
    print_problem,
    seed_option,
    stopped,
)
from dlx.cli.solve import count, search_summary, solve
from dlx.cli.symmetries import symmetries
from dlx.core.version import __version__
from dlx.errors import counted
from dlx.escapes import visible

__all__ = ["main"]

EPILOG = """FILE is in Knuth's format or JSON; "-" is standard input.

Exit status: 0 solved, 1 no solution, 2 bad input, 3 stopped by a limit,
129 terminal closed, 130 interrupted, 143 terminated."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    return run(dlx, "dlx", arguments)


@click.group(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dlx")
def dlx() -> None:
    """Solve exact cover problems: choose options so that every item is covered exactly once."""


@dlx.command()
@click.argument("file", type=FILE_NAME)
@json_option
def info(file: str, as_json: bool) -> int:
    """Print the size of FILE and likely mistakes in it.

    On a terminal it also estimates the search, and draws its nodes by depth (see dlx estimate).
    """
    from dlx.cli.info import describe, profile_rows, search_estimate, texts_of

    problem = load_problem(file, names="none")
    facts = describe(problem)
    if as_json:
        echo_json(facts)
    elif sys.stdout.isatty():
        _print_table(texts_of(facts))
        if (found := search_estimate(problem)) is not None:
            echo(f"\n{found}")
            for line in profile_chart(*profile_rows(found)):
                echo(line)
    else:
        for name, text in texts_of(facts):
            echo(f"{name}: {text}")
    return SOLVED


@dlx.command()
@click.argument("file", type=FILE_NAME)
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
@click.option(
    "--html", type=FILE_NAME, metavar="PAGE", help="Write an interactive HTML page into this file."
)
@click.option(
    "--svg", type=FILE_NAME, metavar="PICTURE", help="Draw the search tree into this SVG file."
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Draw N nodes of the tree.",
)
def trace(
    file: str,
    html: str | None,
    svg: str | None,
    nodes: int,
    seed: int | None,
    steps: int,
    heuristic: str,
) -> int:
    """Print every step of Algorithm X on FILE.

    --html and --svg write a page or a picture instead.
    """
    problem = load_problem(file)
    if svg is not None:
        picture = problem.tree_picture(nodes=nodes, seed=seed, heuristic=heuristic)
        write_output(svg, picture.encode())
    if html is not None:
        title = f"Algorithm X on {'standard input' if file == '-' else Path(file).name}"
        page = problem.trace_page(title=title, seed=seed, steps=steps, heuristic=heuristic)
        write_output(html, page.encode())
    if html is not None or svg is not None:
        return SOLVED
    matrix = problem.matrix(seed)
    names = problem.names
    for number, step in enumerate(matrix.search(heuristic=heuristic)):
        if number == steps:
            return stopped(f"stopped after {counted(steps, 'step')}; use --steps for more")
        line = str(step)
        if step.option is not None:
            option = named_option(problem, names[step.option])
            line = f"{line.removesuffix(str(step.option))}{option}"
        echo(line)
    tried = sum(matrix.profile)
    echo_error(search_summary(matrix.solutions_found, tried, matrix.updates))
    return SOLVED if matrix.solutions_found else NO_SOLUTION


def _models(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of models that begin so."""
    from dlx import models

    return [name for name in models.USAGE if name.startswith(incomplete)]


@dlx.command(context_settings={"ignore_unknown_options": True})
@click.argument("model", required=False, shell_complete=_models)
@click.argument("arguments", nargs=-1)
def make(model: str | None, arguments: tuple[str, ...]) -> int:
    """Write a classic problem, or list the models.

    Writes the problem in Knuth's format to standard output. Without MODEL, lists all models with
    their arguments.
    """
    from dlx import models

    if model is None:
        width = max(map(len, models.USAGE))
        for name, usage in models.USAGE.items():
            echo(f"{name:{width}}  {usage}")
    else:
        print_problem(models.make(model, arguments))
    return SOLVED


for command in (
    solve,
    count,
    status,
    resume,
    reduce,
    symmetries,
    convert,
    estimate,
    explain,
    minimum,
    doctor,
):
    dlx.add_command(command)


# -- writing ---------------------------------------------------------------------------------------


def _print_table(facts: Sequence[tuple[str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, text in facts:
        table.add_row(name, Text(visible(text)))
    Console().print(table)
