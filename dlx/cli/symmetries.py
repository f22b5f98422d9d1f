"""`dlx symmetries`: the order, the orbits and the generators of a problem's symmetry group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Final

import click

from dlx.analysis.symmetry.texts import cycles_text, listed, orbits_text
from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.display import echo, echo_json
from dlx.cli.shared import (
    given_options,
    json_option,
    load_problem,
    names_json,
    option_label,
    read_given,
    stopped,
)
from dlx.errors import counted
from dlx.escapes import visible

__all__ = ["symmetries"]

SHOWN: Final = 10  # orbits of each sort, generators, cycles, and elements of each, without --full


@click.command()
@click.argument("file", type=FILE_NAME)
@given_options
@click.option("--costs", is_flag=True, help="Only symmetries that keep the costs of options.")
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
    problem = load_problem(file, names="all")
    chosen = read_given(problem, given, forbid)
    group = problem.symmetries(**chosen, costs=costs, node_limit=node_limit)
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
        _print_orbits("item", group.item_orbits, most, visible)
        _print_orbits("option", group.option_orbits, most, label)
        generators = group.generators
        for number, one in enumerate(generators[:most], start=1):
            echo(f"generator {number}")
            echo(f"  items: {cycles_text(one.items, most)}")
            echo(f"  options: {cycles_text(one.options, most, label)}")
        _print_left(len(generators), most, "generator")
    if group.complete:
        return SOLVED
    return stopped("stopped by a limit; there may be more symmetries")


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
