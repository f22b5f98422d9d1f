"""`dlx convert`: a problem in Knuth's format, written for other solvers."""

from __future__ import annotations

import sys

import click

from dlx.cli.commands import SOLVED
from dlx.cli.shared import load_problem
from dlx.formats.dump import FORMATS

__all__ = ["convert"]


@click.command()
@click.argument("file")
@click.argument("out")
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMATS),
    help="The format of OUT, whatever its suffix says.",
)
def convert(file: str, out: str, form: str | None) -> int:
    """Write the problem in FILE to OUT: as clauses (.cnf), or an integer program (.mps, .lp).

    Knuth's format has the suffix .dlx, .knuth, .txt, .xc or none; any other needs --to, which names
    the format. "-" is standard output.
    """
    problem = load_problem(file)
    if out == "-":
        problem.dump(sys.stdout, format=form)
    else:
        problem.dump(out, format=form)
    return SOLVED
