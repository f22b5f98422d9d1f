"""`dlx convert`, `dlx make` and `dlx reduce`: commands that write a problem."""

from __future__ import annotations

import click

from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.display import echo, echo_error, json_line
from dlx.cli.shared import load_problem, names_json, print_problem, stopped
from dlx.core.encoding import replace_file
from dlx.formats.files import FORMATS, READABLE

__all__ = ["convert", "make", "reduce"]


@click.command()
@click.argument("file", type=FILE_NAME)
@click.argument("out", type=FILE_NAME)
@click.option(
    "--from",
    "source",
    type=click.Choice(READABLE),
    help="Format of FILE [default: by its suffix or its first line].",
)
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMATS),
    help="Format of OUT [default: by its suffix].",
)
def convert(file: str, out: str, source: str | None, form: str | None) -> int:
    """Convert the problem in FILE to another file format.

    Suffixes select the formats: JSON (.json), integer programs (.mps, .lp), covers and partitions
    of OR-Library (.scp, .rail, .spp), Knuth's format (.dlx, .knuth, .txt, .xc or no suffix); only
    for FILE BurrTools' format (.xmpuzzle); only for OUT CSV (.csv), DIMACS clauses (.cnf), OPB
    (.opb), MiniZinc (.mzn, .dzn) and XCSP3 (.xml). With .gz behind the suffix OUT is compressed.
    For other suffixes use --from and --to. "-" is standard input or output.
    """
    problem = load_problem(file, names="all", form=source)
    if out == "-":
        print_problem(problem, form)
    else:
        problem.dump(out, format=form)
    return SOLVED


def _models(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of models that begin so."""
    from dlx import models

    return [name for name in models.USAGE if name.startswith(incomplete)]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("model", required=False, shell_complete=_models)
@click.argument("arguments", nargs=-1)
def make(model: str | None, arguments: tuple[str, ...]) -> int:
    """Write a classic problem, or list the models.

    Writes the problem in Knuth's format to standard output. Without MODEL, lists all models with
    their arguments.
    """
    from dlx import models  # only here: the other commands need none

    if model is None:
        width = max(map(len, models.USAGE))
        for name, usage in models.USAGE.items():
            echo(f"{name:{width}}  {usage}")
    else:
        print_problem(models.make(model, arguments))
    return SOLVED


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
