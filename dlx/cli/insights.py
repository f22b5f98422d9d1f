"""`dlx estimate` and `dlx explain`: the size of a search, and why there is no solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, STOPPED
from dlx.cli.display import echo, echo_json, short_integers
from dlx.cli.drawing import profile_chart
from dlx.cli.shared import (
    given_options,
    json_option,
    load_problem,
    read_given,
    stopped,
    timeout_option,
)
from dlx.engines.registry import ENGINES
from dlx.errors import SearchInterrupted

if TYPE_CHECKING:
    from dlx.keywords import EngineName

__all__ = ["estimate", "explain"]


@click.command()
@click.argument("file", type=FILE_NAME)
@click.option(
    "--probes",
    type=click.IntRange(min=2, max=2**62),
    default=1000,
    show_default=True,
    metavar="N",
    help="Number of random probes; the error shrinks with its square root.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed.")
@given_options
@timeout_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="Engine whose running time to predict.",
)
@click.option(
    "--profile",
    is_flag=True,
    help="Also print the number of nodes by depth; a terminal shows bars.",
)
@json_option
def estimate(
    file: str,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    profile: bool,
    as_json: bool,
    probes: int,
    seed: int,
    timeout: float | None,
    engine: EngineName,
) -> int:
    """Estimate the size and the time of a search of FILE.

    Prints the estimated numbers of nodes and solutions, and the predicted time. The estimate comes
    from random descents through the search tree (Knuth, 1975). Each number has a standard error,
    which is an estimate as well.
    """
    problem = load_problem(file)
    try:
        found = problem.estimate(
            probes,
            seed,
            timeout=timeout,
            engine=engine,
            **read_given(problem, given, forbid),
        )
    except SearchInterrupted:
        return stopped("timed out before two probes were made; try a longer --timeout")
    if as_json:
        echo_json(short_integers(found._asdict(), 2**1000))
    else:
        echo(found)
        if profile:
            for line in profile_chart(found.profile_lines(), found.profile):
                echo(line)
    return STOPPED if found.stopped_by else SOLVED


@click.command()
@click.argument("file", type=FILE_NAME)
@given_options
@timeout_option
@click.option(
    "--node-limit",
    "--nodes",
    "node_limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N nodes; unlike a timeout, this gives the same result each time.",
)
@click.option("--givens-only", is_flag=True, help="Keep all items; find which givens matter.")
@click.option(
    "--among",
    metavar="ITEM",
    multiple=True,
    help="Keep all items except the one named; find which of those matter. Repeatable.",
)
@json_option
def explain(
    file: str,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    among: tuple[str, ...],
    as_json: bool,
    **limits: Any,
) -> int:
    """Explain why FILE has no solution.

    Prints a minimal set of items (and givens) that conflict: with all other items removed from the
    options there is still no solution; without any one more of the set there is one. Where sizes
    do not fit, such as pieces that cover 60 of 64 cells, it prints that, unless there is a limit.

    Exit status: 0 there is a solution, 1 there is none, 3 stopped by a limit, so that the set may
    not be minimal or the answer is unknown.
    """
    problem = load_problem(file)
    try:
        found = problem.explain(**read_given(problem, given, forbid), among=among or None, **limits)
    except SearchInterrupted as error:
        return stopped(f"cannot tell whether there is a solution: {error}")
    if as_json:
        facts: dict[str, Any] = (
            {"infeasible": False} if found is None else {"infeasible": True, **found._asdict()}
        )
        facts.pop("fixed", None)  # that is what --among and --givens-only say
        if found is not None:
            facts["givens"] = [problem.index_of(name) for name in found.givens]
        echo_json(facts)
    else:
        echo("there is a solution" if found is None else found)
    if found is None:
        return SOLVED
    return STOPPED if found.stopped_by else NO_SOLUTION
