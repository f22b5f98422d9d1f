"""The commands `dlx estimate` and `dlx explain`: how large a search would be, and why it fails."""

from __future__ import annotations

import json
from typing import Any

import click

from dlx.cli.commands import NO_SOLUTION, SOLVED, STOPPED
from dlx.cli.shared import (
    given_option,
    json_option,
    load_problem,
    read_given,
    stopped,
    timeout_option,
)
from dlx.engines.registry import ENGINES
from dlx.errors import SearchInterrupted

__all__ = ["estimate", "explain"]


@click.command()
@click.argument("file")
@click.option(
    "--probes",
    type=click.IntRange(min=2, max=2**62),
    default=1000,
    show_default=True,
    metavar="N",
    help="So many random descents; the error goes down with their square root.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Of the random numbers."
)
@given_option
@timeout_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="The engine whose time is predicted.",
)
@click.option("--profile", is_flag=True, help="Print the nodes by depth, too.")
@json_option
def estimate(
    file: str,
    given: tuple[str, ...],
    profile: bool,
    as_json: bool,
    probes: int,
    seed: int,
    timeout: float | None,
    engine: str,
) -> int:
    """Print how many nodes and solutions FILE probably has, and how long a search would take.

    Random descents through the search tree tell (Knuth, 1975). Numbers come with their standard
    errors, which are estimates themselves.
    """
    problem = load_problem(file)
    try:
        found = problem.estimate(
            probes, seed, given=read_given(problem, given), timeout=timeout, engine=engine
        )
    except SearchInterrupted:
        return stopped("the timeout came before there were two probes")
    if as_json:
        click.echo(json.dumps({name: _plain(value) for name, value in found._asdict().items()}))
    else:
        click.echo(str(found))
        if profile:
            for line in found.profile_lines():
                click.echo(line)
    return STOPPED if found.stopped_by else SOLVED


def _plain(value: Any) -> Any:
    """The same for JSON; integers that no other program reads become texts as short as a float."""
    from dlx.analysis.estimate import number_text

    if isinstance(value, tuple):
        return list(map(_plain, value))
    return number_text(value) if isinstance(value, int) and abs(value) >= 2**1000 else value


@click.command()
@click.argument("file")
@given_option
@timeout_option
@click.option(
    "--node-limit",
    "--nodes",
    "node_limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N nodes, a limit that repeats.",
)
@click.option("--givens-only", is_flag=True, help="Keep all items; which of the givens matter?")
@json_option
def explain(file: str, given: tuple[str, ...], as_json: bool, **limits: Any) -> int:
    """Say why FILE has no solution: a few items (and givens) that have none together.

    Without any one of them there is a solution, all other items being dropped: taken out of the
    options. The exit status is 0 if there is a solution, 1 if this is why there is none, and 3 if
    a limit came first, and perhaps not all of them are needed, or it is not known at all.
    """
    problem = load_problem(file)
    try:
        found = problem.explain(given=read_given(problem, given), **limits)
    except SearchInterrupted as error:
        return stopped(f"cannot tell whether there is a solution: {error}")
    if as_json:
        facts = {"solution": True} if found is None else {"solution": False, **found._asdict()}
        click.echo(json.dumps(facts))
    else:
        click.echo("there is a solution" if found is None else str(found))
    if found is None:
        return SOLVED
    return NO_SOLUTION if found.irreducible else STOPPED
