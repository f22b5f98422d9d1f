"""Orbits, permutations and groups as text, for the command line and for notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from dlx.core.html import facts_table
from dlx.errors import counted
from dlx.escapes import visible

__all__ = ["cycles_text", "group_html", "listed", "orbit_sizes", "orbits_text", "sizes_text"]

SIZES: Final = 4  # sizes of orbits in a line
SHOWN: Final = 5  # generators in a notebook, cycles of each, elements of each cycle


def orbits_text(orbits: Sequence[Sequence[Hashable]]) -> str:
    """The numbers of orbits by their sizes.

    >>> orbits_text([["a"], ["b", "c"], ["d"]])
    '2 orbits of 1 and 1 of 2'
    >>> orbits_text([["a", "b", "c"]])
    '1 orbit of 3'
    """
    return sizes_text(orbit_sizes(orbits))


def orbit_sizes(orbits: Iterable[Sequence[Hashable]]) -> list[tuple[int, int]]:
    """The sizes of orbits, the smallest first, each with the number of such orbits.

    >>> orbit_sizes([["a"], ["b", "c"], ["d"]])
    [(1, 2), (2, 1)]
    """
    return sorted(Counter(map(len, orbits)).items())


def sizes_text(numbers: Sequence[tuple[int, int]]) -> str:
    """What `orbit_sizes` returned, as text.

    >>> sizes_text([(1, 2), (2, 1)])
    '2 orbits of 1 and 1 of 2'
    """
    if len(numbers) > SIZES:
        orbits = sum(number for _, number in numbers)
        return f"{counted(orbits, 'orbit')} of {numbers[0][0]} to {numbers[-1][0]}"
    if not numbers:
        return "no orbits"
    (size, number), *rest = numbers
    parts = [f"{counted(number, 'orbit')} of {size}"]
    parts += [f"{number} of {size}" for size, number in rest]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if rest else parts[0]


Text = Callable[[Any], str]


def cycles_text(
    images: Mapping[Hashable, Hashable], most: int | None = None, text_of: Text = visible
) -> str:
    """A permutation as a product of cycles, such as "(a b)(c d e)"; "()" if it moves nothing.

    Shows the first `most` cycles, and `most` elements of each, as the texts that `text_of` returns.

    >>> cycles_text({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"})
    '(a b)(c d e)'
    >>> cycles_text({"a": "b", "b": "a", "c": "d", "d": "e", "e": "c"}, 1)
    '(a ... 1 more) ... 1 more cycle'
    """
    cycles = list(_each_cycle(images))
    more = 0 if most is None else max(0, len(cycles) - most)
    shown = "".join(f"({listed(cycle, most, text_of)})" for cycle in cycles[:most])
    return (shown or "()") + (f" ... {counted(more, 'more cycle')}" if more else "")


def listed(names: Sequence[Hashable], most: int | None, text_of: Text = visible) -> str:
    """The first `most` names, and how many more there are."""
    more = "" if most is None or len(names) <= most else f" ... {len(names) - most} more"
    return " ".join(map(text_of, names[:most])) + more


def group_html(
    order: str,
    options: Sequence[Sequence[Hashable]],
    items: Sequence[Sequence[Hashable]],
    generators: Sequence[Any],
) -> str:
    """A table for notebooks: the order as text, the orbits of options and items, and the first
    generators, by the items moved.
    """
    facts: list[tuple[str, object]] = [
        ("order", order),
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
