"""The command `make`: classic problems, from `dlx.models`."""

from __future__ import annotations

import click

from dlx import models
from dlx.cli.commands import SOLVED
from dlx.cli.display import echo
from dlx.cli.shared import print_problem

__all__ = ["make"]


def _models(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of models that begin so."""
    return [name for name in models.USAGE if name.startswith(incomplete)]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("model", required=False, shell_complete=_models)
@click.argument("arguments", nargs=-1)
def make(model: str | None, arguments: tuple[str, ...]) -> int:
    """Write a classic problem, or list the models.

    Writes the problem in Knuth's format to standard output. Without MODEL, lists all models with
    their arguments.
    """
    if model is None:
        width = max(map(len, models.USAGE))
        for name, usage in models.USAGE.items():
            echo(f"{name:{width}}  {usage}")
    else:
        print_problem(models.make(model, arguments))
    return SOLVED
