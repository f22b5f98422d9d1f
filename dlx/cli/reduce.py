"""`dlx reduce`: a smaller problem with the same solutions."""

from __future__ import annotations

import json
import sys

import click

from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.shared import load_problem, stopped
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
    reduction = load_problem(file, names="none").reduced(timeout=timeout)
    if map_file is not None:
        facts = {
            "options": reduction.problem.names,
            "blocked": reduction.blocked,
            "merged": reduction.merged,
            "dropped": reduction.dropped,
            "rounds": reduction.rounds,
            "complete": reduction.complete,
        }
        replace_file(map_file, [json.dumps(facts).encode(), b"\n"])
    reduction.problem.dump(sys.stdout)
    click.echo(f"dlx: {reduction.summary}", err=True)
    if reduction.complete:
        return SOLVED
    return stopped("stopped by the timeout; more could perhaps be removed")
