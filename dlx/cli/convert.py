"""`dlx convert`: writes a problem in another file format."""

from __future__ import annotations

import click

from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.shared import load_problem, print_problem
from dlx.formats.files import FORMATS

__all__ = ["convert"]


@click.command()
@click.argument("file", type=FILE_NAME)
@click.argument("out", type=FILE_NAME)
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMATS),
    help="Format of OUT [default: by its suffix].",
)
def convert(file: str, out: str, form: str | None) -> int:
    """Convert the problem in FILE to another file format.

    FILE is in Knuth's format or in JSON. The suffix of OUT selects the format: JSON (.json), DIMACS
    clauses (.cnf), integer programs (.mps, .lp), MiniZinc (.mzn, .dzn), XCSP3 (.xml) and Knuth's
    format (.dlx, .knuth, .txt, .xc or no suffix). For other suffixes use --to. "-" is standard
    output.
    """
    problem = load_problem(file, names="all")
    if out == "-":
        print_problem(problem, form)
    else:
        problem.dump(out, format=form)
    return SOLVED
