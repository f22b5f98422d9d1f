"""The command `trace`: every step of Algorithm X, as text, a page or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, write_output
from dlx.cli.display import echo, echo_error
from dlx.cli.shared import (
    given_options,
    heuristic_option,
    load_problem,
    named_option,
    number_option,
    read_given,
    seed_option,
    stopped,
)
from dlx.cli.solve import search_summary
from dlx.errors import counted

if TYPE_CHECKING:
    from dlx.keywords import HeuristicChoice

__all__ = ["trace"]


@click.command()
@click.argument("file", type=FILE_NAME)
@given_options
@seed_option
@number_option("--steps", 0, 1000, "Stop after N steps.")
@heuristic_option
@click.option(
    "--html", type=FILE_NAME, metavar="PAGE", help="Write an interactive HTML page into this file."
)
@click.option(
    "--svg", type=FILE_NAME, metavar="PICTURE", help="Draw the search tree into this SVG file."
)
@click.option(
    "--matrix", type=FILE_NAME, metavar="PICTURE", help="Draw the matrix into this SVG file."
)
@number_option("--nodes", 1, 100, "Draw N nodes of the tree.")
def trace(
    file: str,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    html: str | None,
    svg: str | None,
    matrix: str | None,
    nodes: int,
    seed: int | None,
    steps: int,
    heuristic: HeuristicChoice,
) -> int:
    """Print every step of Algorithm X on FILE.

    --html, --svg and --matrix write a page or a picture instead. With --given and --forbid, the
    search begins where these options have been taken and left out; in the picture of the matrix,
    they and what they exclude are green and gray.
    """
    whole = load_problem(file)
    chosen = read_given(whole, given, forbid)
    problem = whole.residual(**chosen)
    if matrix is not None:
        write_output(matrix, whole.matrix_picture(**chosen).encode())
    if svg is not None:
        picture = problem.tree_picture(nodes=nodes, seed=seed, heuristic=heuristic)
        write_output(svg, picture.encode())
    if html is not None:
        title = f"Algorithm X on {'standard input' if file == '-' else Path(file).name}"
        page = problem.trace_page(title=title, seed=seed, steps=steps, heuristic=heuristic)
        write_output(html, page.encode())
    if html is not None or svg is not None or matrix is not None:
        return SOLVED
    links = problem.matrix(seed)
    names = problem.names
    for number, step in enumerate(links.search(heuristic=heuristic)):
        if number == steps:
            return stopped(f"stopped after {counted(steps, 'step')}; use --steps for more")
        line = str(step)
        if step.option is not None:
            option = named_option(problem, names[step.option])
            line = f"{line.removesuffix(str(step.option))}{option}"
        echo(line)
    tried = sum(links.profile)
    echo_error(search_summary(links.solutions_found, tried, links.updates))
    return SOLVED if links.solutions_found else NO_SOLUTION
