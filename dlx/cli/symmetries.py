"""`dlx symmetries`: the order, the orbits and the generators of a problem's symmetry group."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence

import click

from dlx.cli.commands import SOLVED
from dlx.cli.shared import given_option, json_option, load_problem, read_given, stopped

__all__ = ["symmetries"]


@click.command()
@click.argument("file")
@given_option
@click.option("--costs", is_flag=True, help="Only symmetries that keep the costs of options.")
@click.option(
    "--node-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Stop after N items and options tried as images.",
)
@json_option
def symmetries(
    file: str, given: tuple[str, ...], costs: bool, node_limit: int | None, as_json: bool
) -> int:
    """List the symmetries of FILE.

    Prints their number, the orbits of options (by number) and of items that have several members,
    and generators as products of cycles. With --given, only symmetries that keep the set of given
    options.

    Exit status: 0 all were found, 3 stopped by a limit.
    """
    problem = load_problem(file)
    group = problem.symmetries(given=read_given(problem, given), costs=costs, node_limit=node_limit)
    if as_json:
        facts = {
            "order": group.order,
            "complete": group.complete,
            "option_orbits": group.option_orbits,
            "item_orbits": group.item_orbits,
            "generators": [
                {"options": [*one.options.items()], "items": [*one.items.items()]}
                for one in group.generators
            ],
        }
        click.echo(json.dumps(facts))
    else:
        click.echo(str(group))
        _print_orbits("option", group.option_orbits)
        _print_orbits("item", group.item_orbits)
        for one in group.generators:
            click.echo(f"generator: items {_cycles(one.items)} options {_cycles(one.options)}")
    if group.complete:
        return SOLVED
    return stopped("stopped by a limit; there may be more symmetries")


def _print_orbits(sort: str, orbits: Sequence[Sequence[Hashable]]) -> None:
    for orbit in orbits:
        if len(orbit) > 1:
            click.echo(f"orbit of {len(orbit)} {sort}s: {' '.join(map(str, orbit))}")


def _cycles(images: Mapping[Hashable, Hashable]) -> str:
    """A permutation as a product of cycles, such as "(a b)(c d e)"; "()" if it moves nothing.

    >>> _cycles({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"})
    '(a b)(c d e)'
    """
    left = dict(images)
    cycles = []
    while left:
        name = next(iter(left))
        cycle = []
        while name in left:
            cycle.append(str(name))
            name = left.pop(name)
        cycles.append(f"({' '.join(cycle)})")
    return "".join(cycles) or "()"
