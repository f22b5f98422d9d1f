"""Orbits, permutations and groups as text, for the command line and for notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from dlx.core.html import facts_table
from dlx.errors import counted

if TYPE_CHECKING:
    from dlx.analysis.symmetry.group import Symmetries

__all__ = ["cycles_text", "group_html", "listed", "orbits_text"]

SIZES: Final = 4  # sizes of orbits in a line
SHOWN: Final = 5  # generators in a notebook, cycles of each, elements of each cycle


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


def cycles_text(images: Mapping[Hashable, Hashable], most: int | None = None) -> str:
    """A permutation as a product of cycles, such as "(a b)(c d e)"; "()" if it moves nothing.

    Shows the first `most` cycles, and `most` elements of each.

    >>> cycles_text({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"})
    '(a b)(c d e)'
    >>> cycles_text({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"}, 1)
    '(a ... 1 more) ... 1 more cycle'
    """
    cycles = list(_each_cycle(images))
    more = 0 if most is None else max(0, len(cycles) - most)
    shown = "".join(f"({listed(cycle, most)})" for cycle in cycles[:most])
    return (shown or "()") + (f" ... {counted(more, 'more cycle')}" if more else "")


def listed(names: Sequence[Hashable], most: int | None) -> str:
    """The first `most` names, and how many more there are."""
    more = "" if most is None or len(names) <= most else f" ... {len(names) - most} more"
    return " ".join(map(str, names[:most])) + more


def group_html(group: Symmetries, order: str) -> str:
    """A table for notebooks: the order, the orbits, and the first generators, by the items moved.

    `order` is the order as text.
    """
    generators = group.generators
    options, items = group.option_orbits, group.item_orbits
    facts: list[tuple[str, object]] = [
        ("order", order if group.complete else f"at least {order} (stopped by a limit)"),
        ("options", f"{sum(map(len, options))} in {orbits_text(options)}"),
        ("items", f"{sum(map(len, items))} in {orbits_text(items)}"),
        ("generators", len(generators)),
    ]
    facts += [
        (f"generator {number}", _generator_text(one.items, one.options))
        for number, one in enumerate(generators[:SHOWN], start=1)
    ]
    if len(generators) > SHOWN:
        facts.append(("...", f"{len(generators) - SHOWN} more"))
    return facts_table("Symmetries", facts)


def _generator_text(
    items: Mapping[Hashable, Hashable], options: Mapping[Hashable, Hashable]
) -> str:
    if items:
        return f"items {cycles_text(items, SHOWN)}"
    return f"options {cycles_text(options, SHOWN)}"


def _each_cycle(images: Mapping[Hashable, Hashable]) -> Iterator[list[Hashable]]:
    left = dict(images)
    while left:
        name = next(iter(left))
        cycle = []
        while name in left:
            cycle.append(name)
            name = left.pop(name)
        yield cycle
