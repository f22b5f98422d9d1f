"""`dlx reduce`: a smaller problem with the same solutions."""

from __future__ import annotations

import click

from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.display import echo_error, json_line
from dlx.cli.shared import load_problem, names_json, print_problem, stopped
from dlx.core.encoding import replace_file

__all__ = ["reduce"]


@click.command()
@click.argument("file", type=FILE_NAME)
@click.option(
    "--map",
    "map_file",
    type=click.Path(dir_okay=False),
    metavar="PATH",
    help="Write a JSON map from the new problem to the old one into this file.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Stop after S seconds; write the problem as far as it is reduced.",
)
def reduce(file: str, map_file: str | None, timeout: float | None) -> int:
    """Remove unneeded options and items from FILE.

    Removes options that no solution contains, and items that make no difference, and writes the
    problem to standard output. It has the same solutions (TAOCP 7.2.2.1, Algorithm P).
    """
    problem = load_problem(file, names="all")
    reduction = problem.reduced(timeout=timeout)
    if map_file is not None:
        number_of, names = problem.index_of, reduction.problem.names
        facts = {
            "options": list(map(number_of, names)),
            **names_json(problem, names),
            "blocked": [[number_of(name), item] for name, item in reduction.blocked.items()],
            "merged": [*reduction.merged.items()],
            "dropped": reduction.dropped,
            "rounds": reduction.rounds,
            "complete": reduction.complete,
            "stopped_by": None if reduction.complete else "timeout",
        }
        replace_file(map_file, [json_line(facts).encode(), b"\n"])
    print_problem(reduction.problem)
    echo_error(f"dlx: {reduction.summary}")
    if reduction.complete:
        return SOLVED
    return stopped("stopped by the timeout; more could perhaps be removed")
