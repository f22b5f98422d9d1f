"""`dlx convert`: a problem in Knuth's format, written for other solvers."""

from __future__ import annotations

import sys

import click

from dlx.cli_common import load_problem
from dlx.commands import SOLVED
from dlx.formats.writing import FORMATS

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

    Any other suffix means Knuth's format. "-" is standard output, for which --to names the format.
    """
    problem = load_problem(file)
    if out == "-":
        problem.dump(sys.stdout, format=form)
    else:
        problem.dump(out, format=form)
    return SOLVED
