"""Random exact cover problems."""

from __future__ import annotations

from array import array

from dlx.core.arguments import check_number
from dlx.models.checking import check_seed, check_size
from dlx.models.seeded_random import SeededRandom
from dlx.problem import Problem

__all__ = ["random_exact_cover"]


def random_exact_cover(
    items: int,
    options: int,
    size: int,
    seed: int,
    satisfiable: bool = True,
    *,
    secondary: int = 0,
    colors: int = 0,
) -> Problem[int]:
    """A random problem whose options have `size` random primary items each.

    items, options
        The numbers of primary items and of options.
    satisfiable
        If true, a random partition of the items is among the options, so there is a solution (its
        last option is shorter if `size` does not divide `items`). If false, there may still be one.
    secondary, colors
        The numbers of secondary items and of colors. If there are secondary items, each option has
        one more entry, a random secondary item with a random color if there are colors.

    Options are named by their indices; items are "0", "1", ... and "s0", "s1", ... The arguments
    determine the problem, on every machine. O(options * size).

    Raises `InvalidArgument` for numbers below 1 (0 for `secondary` and `colors`), a `size` above
    `items`, and fewer options than the hidden solution has.

    >>> import dlx.models
    >>> problem = dlx.models.random_exact_cover(60, 300, 3, seed=1)
    >>> problem
    <dlx.Problem: 60 primary items, 0 secondary items, 300 options>
    >>> problem.count(limit=1)
    1
    """
    items = check_number("items", items, 1)
    secondary = check_number("secondary", secondary, 0)
    check_size(items + secondary, "items", items=items, secondary=secondary)
    size = check_number("size", size, 1, items)
    parts = -(-items // size) if satisfiable else 0
    options = check_number("options", options, max(1, parts))
    colors = check_number("colors", colors, 0)
    check_size(options * (size + 1), "entries of options", options=options, size=size)
    check_size(colors, "colors", colors=colors)
    generator = SeededRandom(check_seed(seed))
    rows = _partition(items, size, generator) if satisfiable else []
    rows += [generator.sample(items, size) for _ in range(options - parts)]
    extra = _secondary_entries(len(rows), parts, secondary, colors, generator)
    start, entries, tints = array("i", [0]), array("i"), array("i")
    for number in generator.shuffled(range(len(rows))):
        entries.extend(rows[number])
        tints.extend([0] * len(rows[number]))
        added = extra[number]
        if added is not None:
            entries.append(items + added[0])
            tints.append(added[1])
        start.append(len(entries))
    names = [str(item) for item in range(items)] + [f"s{item}" for item in range(secondary)]
    return Problem.from_arrays(
        start, entries, items=names, secondary=secondary, colors=tints if colors else None
    )


def _partition(items: int, size: int, generator: SeededRandom) -> list[list[int]]:
    mixed = generator.shuffled(range(items))
    return [mixed[first : first + size] for first in range(0, items, size)]


def _secondary_entries(
    options: int, hidden: int, secondary: int, colors: int, generator: SeededRandom
) -> list[tuple[int, int] | None]:
    """A secondary item and its color (0 for none) for each option, or None.

    The first options are the hidden solution, so their entries must be compatible: they all use the
    same color of a secondary item or, without colors, each secondary item is in one of them only.
    """
    if not secondary:
        return [None] * options
    entries: list[tuple[int, int] | None] = []
    if colors:
        agreed = [1 + generator.below(colors) for _ in range(secondary)]
        for _ in range(hidden):
            item = generator.below(secondary)
            entries.append((item, agreed[item]))
    else:
        taken = generator.sample(secondary, min(hidden, secondary))
        entries += [(item, 0) for item in taken]
        entries += [None] * (hidden - len(taken))
    for _ in range(options - hidden):
        item = generator.below(secondary)
        entries.append((item, 1 + generator.below(colors) if colors else 0))
    return entries
