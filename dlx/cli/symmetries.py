"""`dlx symmetries`: the order, the orbits and the generators of a problem's symmetry group."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final

import click

from dlx.cli.commands import SOLVED
from dlx.cli.shared import given_option, json_option, load_problem, read_given, stopped
from dlx.errors import counted

__all__ = ["orbits_text", "symmetries"]

SHOWN: Final = 10  # orbits of each sort, generators, cycles, and elements of each, without --full
SIZES: Final = 4  # sizes of orbits in a line


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
@click.option("--full", is_flag=True, help="Print all orbits, generators and cycles.")
@json_option
def symmetries(
    file: str,
    given: tuple[str, ...],
    costs: bool,
    node_limit: int | None,
    full: bool,
    as_json: bool,
) -> int:
    """List the symmetries of FILE.

    Prints their number, the orbits of items and of options (by number) that have several members,
    and generators as products of cycles; of each the first ten. With --given, only symmetries that
    keep the set of given options.

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
        most = None if full else SHOWN
        click.echo(str(group))
        _print_orbits("item", group.item_orbits, most)
        _print_orbits("option", group.option_orbits, most)
        generators = group.generators
        for number, one in enumerate(generators[:most], start=1):
            click.echo(f"generator {number}")
            click.echo(f"  items: {_cycles(one.items, most)}")
            click.echo(f"  options: {_cycles(one.options, most)}")
        _print_left(len(generators), most, "generator")
    if group.complete:
        return SOLVED
    return stopped("stopped by a limit; there may be more symmetries")


def orbits_text(orbits: Sequence[Sequence[Hashable]]) -> str:
    """The numbers of orbits by their sizes.

    >>> orbits_text([["a"], ["b", "c"], ["d"]])
    '2 orbits of 1 and 1 of 2'
    >>> orbits_text([["a", "b", "c"]])
    '1 orbit of 3'
    """
    numbers = sorted(Counter(map(len, orbits)).items())
    if len(numbers) > SIZES:
        return f"{counted(len(orbits), 'orbit')} of {numbers[0][0]} to {numbers[-1][0]}"
    if not numbers:
        return "no orbits"
    (size, number), *rest = numbers
    parts = [f"{counted(number, 'orbit')} of {size}"]
    parts += [f"{number} of {size}" for size, number in rest]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if rest else parts[0]


def _print_orbits(sort: str, orbits: Sequence[Sequence[Hashable]], most: int | None) -> None:
    click.echo(f"{sort}s: {orbits_text(orbits)}")
    large = [orbit for orbit in orbits if len(orbit) > 1]
    for orbit in large[:most]:
        click.echo(f"  orbit of {len(orbit)} {sort}s: {_listed(orbit, most)}")
    _print_left(len(large), most, "orbit", indent="  ")


def _print_left(number: int, most: int | None, noun: str, indent: str = "") -> None:
    """Says how many lines are not printed."""
    if most is not None and number > most:
        click.echo(f"{indent}... {counted(number - most, f'more {noun}')}; --full prints all")


def _listed(orbit: Sequence[Hashable], most: int | None) -> str:
    more = "" if most is None or len(orbit) <= most else f" ... {len(orbit) - most} more"
    return " ".join(map(str, orbit[:most])) + more


def _cycles(images: Mapping[Hashable, Hashable], most: int | None) -> str:
    """A permutation as a product of cycles, such as "(a b)(c d e)"; "()" if it moves nothing.

    >>> _cycles({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"}, None)
    '(a b)(c d e)'
    >>> _cycles({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"}, 1)
    '(a ... 1 more) ... 1 more cycle'
    """
    cycles = list(_each_cycle(images))
    more = 0 if most is None else max(0, len(cycles) - most)
    shown = "".join(f"({_listed(cycle, most)})" for cycle in cycles[:most])
    return (shown or "()") + (f" ... {counted(more, 'more cycle')}" if more else "")


def _each_cycle(images: Mapping[Hashable, Hashable]) -> Iterator[list[Hashable]]:
    left = dict(images)
    while left:
        name = next(iter(left))
        cycle = []
        while name in left:
            cycle.append(name)
            name = left.pop(name)
        yield cycle
