"""`dlx estimate`, `explain`, `relaxation` and `symmetries`: what is known without solutions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from dlx.analysis.linear_program import ENGINES as LINEAR_ENGINES
from dlx.analysis.symmetry.texts import cycles_text, listed, orbits_text
from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, STOPPED
from dlx.cli.display import echo, echo_json, short_integers
from dlx.cli.drawing import profile_chart
from dlx.cli.shared import (
    given_options,
    json_option,
    load_problem,
    named_option,
    names_json,
    option_label,
    options_json,
    proof_option,
    read_given,
    rotations_option,
    stopped,
    timeout_option,
)
from dlx.core.entries import item_text
from dlx.engines.registry import ENGINES
from dlx.errors import SearchInterrupted, counted
from dlx.escapes import visible
from dlx.formats.json_text import name_value

if TYPE_CHECKING:
    from dlx.keywords import EngineName

__all__ = ["estimate", "explain", "relaxation", "symmetries"]


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
@proof_option("Write a proof that the set has no solution to OUT.drat or OUT.pbp.")
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
    items = {item_text(item): item for item in problem.items} if among else {}
    try:
        found = problem.explain(
            **read_given(problem, given, forbid),
            among=[items.get(text, text) for text in among] or None,
            **limits,
        )
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


@click.command()
@click.argument("file", type=FILE_NAME)
@click.option("--max", "maximize", is_flag=True, help="An upper bound on the costs instead.")
@given_options
@timeout_option
@click.option("--engine", type=click.Choice(LINEAR_ENGINES), default="auto", show_default=True)
@json_option
def relaxation(
    file: str, given: tuple[str, ...], forbid: tuple[str, ...], as_json: bool, **arguments: Any
) -> int:
    """Solve the linear relaxation of FILE: a bound on the cost of all solutions.

    Prints the bound, the options that are chosen, each with its part from 0 to 1, and the prices of
    items (the dual values) that are not 0. With --json, also the reduced costs of all options.

    Exit status: 0 the relaxation has a solution, 1 it has none, and so has FILE, 3 stopped by the
    timeout.
    """
    problem = load_problem(file, names="all")
    try:
        found = problem.relaxation(**read_given(problem, given, forbid), **arguments)
    except SearchInterrupted:
        return stopped("timed out")
    if as_json:
        chosen = options_json(problem, [*found.values])
        del chosen["items"]
        facts = {
            "bound": found.bound if found.feasible else None,
            "feasible": found.feasible,
            **chosen,
            "values": [*found.values.values()],
            "prices": [[name_value(item), price] for item, price in found.prices.items()],
            "reduced_costs": [*found.reduced_costs.values()],
            "iterations": found.iterations,
        }
        echo_json(facts)
    elif found.feasible:
        echo(f"bound {found.bound:.12g}")
        for name, value in found.values.items():
            echo(f"{value:9.6g}  {named_option(problem, name)}")
        for item, price in found.prices.items():
            if price:
                echo(f"price {price:.6g} of {_item_label(item)}")
    else:
        echo("the relaxation has no solution")
    return SOLVED if found.feasible else NO_SOLUTION


SHOWN: Final = 10  # orbits of each sort, generators, cycles, and elements of each, without --full


@click.command()
@click.argument("file", type=FILE_NAME)
@given_options
@click.option("--costs", is_flag=True, help="Only symmetries that keep the costs of options.")
@rotations_option("Only the rotations of the cells, no reflections.")
@click.option(
    "--node-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Stop after N items and options tried as images.",
)
@click.option("--full", is_flag=True, help="Print all orbits, generators and cycles.")
@json_option
def symmetries(
    file: str,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    costs: bool,
    rotations: bool,
    node_limit: int | None,
    full: bool,
    as_json: bool,
) -> int:
    """List the symmetries of FILE.

    Prints their number, the orbits of items and of options that have several members,
    and generators as products of cycles; of each the first ten. With --given and --forbid, only
    symmetries that keep these sets of options.

    Exit status: 0 all were found, 3 stopped by a limit.
    """
    if rotations and node_limit is not None:
        raise click.UsageError("--rotations and --node-limit cannot be used together")
    problem = load_problem(file, names="all")
    group = problem.symmetries(
        **read_given(problem, given, forbid),
        costs=costs,
        node_limit=node_limit,
        generators="rotations" if rotations else None,
    )
    if as_json:
        number_of = problem.index_of
        facts = {
            "order": group.order,
            "complete": group.complete,
            "stopped_by": None if group.complete else "node_limit",
            "option_orbits": [[*map(number_of, orbit)] for orbit in group.option_orbits],
            **names_json(problem, problem.names),
            "item_orbits": group.item_orbits,
            "generators": [
                {
                    "options": [[*map(number_of, pair)] for pair in one.options.items()],
                    "items": [*one.items.items()],
                }
                for one in group.generators
            ],
        }
        echo_json(facts)
    else:
        most = None if full else SHOWN
        label = partial(option_label, problem)
        echo(group)
        _print_orbits("item", group.item_orbits, most, _item_label)
        _print_orbits("option", group.option_orbits, most, label)
        generators = group.generators
        for number, one in enumerate(generators[:most], start=1):
            echo(f"generator {number}")
            echo(f"  items: {cycles_text(one.items, most, _item_label)}")
            echo(f"  options: {cycles_text(one.options, most, label)}")
        _print_left(len(generators), most, "generator")
    if group.complete:
        return SOLVED
    return stopped("stopped by a limit; there may be more symmetries")


def _item_label(item: Hashable) -> str:
    return visible(item_text(item))


def _print_orbits(
    sort: str,
    orbits: Sequence[Sequence[Hashable]],
    most: int | None,
    text_of: Callable[[Hashable], str],
) -> None:
    echo(f"{sort}s: {orbits_text(orbits)}")
    large = [orbit for orbit in orbits if len(orbit) > 1]
    for orbit in large[:most]:
        echo(f"  orbit of {len(orbit)} {sort}s: {listed(orbit, most, text_of)}")
    _print_left(len(large), most, "orbit", indent="  ")


def _print_left(number: int, most: int | None, noun: str, indent: str = "") -> None:
    """Says how many lines are not printed."""
    if most is not None and number > most:
        echo(f"{indent}... {counted(number - most, f'more {noun}')}; --full prints all")
