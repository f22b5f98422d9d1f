"""Checks a solution against the options of a problem, independently of every engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from dlx.core.arguments import is_list_like
from dlx.core.entries import Colored, Times, item_of
from dlx.core.multiplicity import Bounds, bounds_text
from dlx.errors import InvalidSolution, counted, quote

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["check_solution", "deviations", "verify"]


def check_solution(solution: Iterable[Hashable] | None) -> Iterable[Hashable]:
    """The argument `solution` itself. Raises `InvalidSolution` if it is None or no iterable."""
    if solution is None:
        raise InvalidSolution(
            "the solution is None, which means that the problem has none: see explain()"
        )
    if not is_list_like(solution):
        raise InvalidSolution(f"{quote(solution)} is not a list of option names")
    return solution


def verify(table: Table, solution: Iterable[Hashable]) -> None:
    """Raises `InvalidSolution` unless the options of these names are a solution.

    O(items + entries of the options).
    """
    covered: dict[Hashable, tuple[int, Hashable]] = {}  # item -> the option, and its entry
    counts = {table.items[number]: 0 for number in table.multiplicities}
    taken: set[int] = set()
    for name in check_solution(solution):
        index = _index(table, name)
        if index in taken:
            raise InvalidSolution(f"option {quote(name)} occurs twice")
        taken.add(index)
        for entry in table.entries(index):
            item = item_of(entry)
            if item in counts:
                counts[item] += entry.weight if isinstance(entry, Times) else 1
                continue
            before, entry_before = covered.setdefault(item, (index, entry))
            if before != index and not (isinstance(entry, Colored) and entry == entry_before):
                _raise_clash(table, item, (before, entry_before), (index, entry))
    for item, secondary in zip(table.items, table.secondary, strict=True):
        if item in counts:
            _check_count(item, counts[item], table.multiplicities[table.number_of(item)])
        elif not secondary and item not in covered:
            raise InvalidSolution(f"no option covers item {quote(item)}")


def deviations(table: Table, solution: Iterable[Hashable]) -> dict[Hashable, int]:
    """How often options cover items too rarely (negative) or too often; without all others.

    Uses of secondary items with a color do not count. O(items + entries of the options).
    """
    counts = dict.fromkeys(range(len(table.items)), 0)
    for name in check_solution(solution):
        for number, color, weight in table.row(table.index_of(name)):
            counts[number] += 0 if color else weight
    found = {}
    for number, count in counts.items():
        low, high = table.bounds_of(number)
        if count < low or (high is not None and count > high):
            found[table.items[number]] = count - (low if count < low else high or 0)
    return found


def _check_count(item: Hashable, count: int, bounds: Bounds) -> None:
    low, high = bounds
    if low <= count and (high is None or count <= high):
        return
    raise InvalidSolution(
        f"item {quote(item)} is covered {counted(count, 'time')} instead of {bounds_text(bounds)}"
    )


def _index(table: Table, name: Hashable) -> int:
    try:
        return table.index_of(name)
    except ValueError as error:
        raise InvalidSolution(str(error)) from None


def _raise_clash(
    table: Table, item: Hashable, first: tuple[int, Hashable], second: tuple[int, Hashable]
) -> None:
    names = [quote(table.name_of(index)) for index, _ in (first, second)]
    entries = [entry for _, entry in (first, second)]
    where = f"options {names[0]} and {names[1]}"
    if all(isinstance(entry, Colored) for entry in entries):
        colors = " and ".join(quote(entry.color) for entry in entries if isinstance(entry, Colored))
        raise InvalidSolution(f"{where} give item {quote(item)} different colors, {colors}")
    raise InvalidSolution(f"{where} both cover item {quote(item)}")
