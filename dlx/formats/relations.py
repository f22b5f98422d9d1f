"""A problem as sums of 0/1 variables: the basis of CNF, MPS, LP and the SAT engine.

Each option has a variable, 1 if it is chosen. Each color of an item that more than one option
requires has a variable, 1 if the item has that color. The problem is then a list of *sums*, one for
each item, with a lower and an upper bound, and *implications* from options to colors::

    p:  x1 + x2         = 1       option 1 = {p x:A},  option 2 = {p x},
    q:  x3 + x4         = 1       option 3 = {q x:A},  option 4 = {q x:B}
    x:  x5 + x2 + x4   <= 1       x5: item x has color A
    x1 implies x5, x3 implies x5  (color B has one option, whose variable serves as well)

An option that covers an item several times (`dlx.times`) counts as often in the item's sum: the sum
of item p above would be 3 x1 + x2.

A secondary item has at most one of its colors, or is in one of the options that contain it without
a color: at most one of all these variables is 1.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.entries import Colored, Times
from dlx.core.multiplicity import ONCE
from dlx.core.numbering import kernel_bounds
from dlx.errors import FormatError, counted

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = [
    "Relations",
    "Sum",
    "all_relations",
    "color_users",
    "comments",
    "label",
    "option_label",
    "relate",
    "relate_all",
    "relations_with_options",
]

PAUSE = 20_000  # entries between two places where `relate` can be interrupted


class Sum(NamedTuple):
    """The constraint of an item, by number: `low` to `high` of these variables are 1.

    With weights, each variable that is 1 counts as often as its weight says.
    """

    item: int
    variables: list[int]
    low: int
    high: int
    weights: list[int] | None = None  # of each variable; None: all are 1

    def terms(self) -> list[tuple[int, int]]:
        """Pairs of a weight and a variable."""
        weights = repeat(1) if self.weights is None else self.weights
        return list(zip(weights, self.variables, strict=False))

    def bounds(self) -> tuple[int, int | None]:
        """The bounds as a constraint needs them: an upper bound that nothing exceeds is None.

        A lower bound that nothing reaches is the first number out of reach.
        """
        most = len(self.variables) if self.weights is None else sum(self.weights)
        return min(self.low, most + 1), self.high if self.high < most else None


class Relations(NamedTuple):
    """Variables are numbered from 1: options in their order, then colors."""

    options: int
    colors: list[tuple[int, int]]  # of each variable beyond those of options: item, color number
    implications: list[tuple[int, int]]  # the first variable implies the second
    sums: list[Sum]

    @property
    def variables(self) -> int:
        """The number of variables."""
        return self.options + len(self.colors)

    def among(self, items: Collection[int]) -> Relations:
        """The relations of these items alone, with the same variables."""
        colors = {
            number
            for number, (item, _) in enumerate(self.colors, start=self.options + 1)
            if item in items
        }
        implications = [pair for pair in self.implications if pair[1] in colors]
        sums = [total for total in self.sums if total.item in items]
        return self._replace(implications=implications, sums=sums)

    def loose(self) -> set[int]:
        """The options all of whose items have different lower and upper bounds.

        Only these can be added to a solution, or left out, to make another one. O(entries). Without
        multiplicities there are none.
        """
        loose = set(range(1, self.options + 1))
        for total in self.sums:
            if total.low == total.high:
                loose.difference_update(total.variables)
        return loose


def relate(
    table: Table, options: int, rank: Sequence[int], order: Sequence[int] | None = None
) -> Generator[None, None, Relations]:
    """Computes the relations of the first `options` options and of the items that have a rank.

    Sums are in order of rank, options in that `order`. It is a generator so that it can be
    interrupted; its return value is the result. O(items + entries).
    """
    uses: list[dict[int, list[int]]] = [{} for _ in rank]  # of each item: color -> variables
    heavy: dict[int, dict[int, int]] = {}  # of an item: variable -> weight, if that is above 1
    done = 0
    for variable, option in enumerate(range(options) if order is None else order, start=1):
        first, last = table.start[option], table.start[option + 1]
        colors = table.entry_color[first:last] or [0] * (last - first)
        for item, color in zip(table.entry_item[first:last], colors, strict=True):
            uses[item].setdefault(color, []).append(variable)
        for place, weight in enumerate(table.entry_weight[first:last], start=first):
            if weight > 1:
                heavy.setdefault(table.entry_item[place], {})[variable] = weight
        done += last - first
        if done >= PAUSE:
            done = 0
            yield
    relations = Relations(options, [], [], [])
    bounds = kernel_bounds(table)
    for item in sorted(range(len(rank)), key=rank.__getitem__):
        low, high = (0, 1) if table.secondary[item] else bounds.get(item, ONCE)
        if item in heavy:
            variables = uses[item][0]
            weights = [heavy[item].get(variable, 1) for variable in variables]
            if low or high < sum(weights):
                relations.sums.append(Sum(item, variables, low, high, weights))
        else:
            _add_sum(relations, item, uses[item], low, high)
        done += 1
        if done >= PAUSE:
            done = 0
            yield
    return relations


def _add_sum(
    relations: Relations, item: int, uses: dict[int, list[int]], low: int, high: int
) -> None:
    """Adds the sum and the implications of one item."""
    variables = list(uses.pop(0, ()))
    if len(uses) == 1 and not variables:
        return  # all options require the same color: no constraint
    for color, users in uses.items():
        if len(users) == 1:
            variables += users
            continue
        relations.colors.append((item, color))
        variables.append(relations.variables)
        relations.implications.extend((user, relations.variables) for user in users)
    if low or high < len(variables):
        relations.sums.append(Sum(item, variables, low, high))


def relate_all(table: Table, options: int, items: int) -> Generator[None, None, Relations]:
    """As `relate`, for the first items, as declared."""
    primary_first = sorted(range(items), key=table.secondary.__getitem__)
    rank = [0] * len(primary_first)
    for place, item in enumerate(primary_first):
        rank[item] = place
    return relate(table, options, rank)


def all_relations(table: Table) -> Relations:
    """The relations of a whole table, as declared."""
    work = relate_all(table, len(table), len(table.items))
    while True:
        try:
            next(work)
        except StopIteration as end:
            relations: Relations = end.value
            return relations


def relations_with_options(table: Table) -> Relations:
    """As `all_relations`. Raises `FormatError` if the table has no options, and so no variables."""
    relations = all_relations(table)
    if not relations.options:
        raise FormatError("a problem without options cannot be written: it has no variables")
    return relations


def color_users(relations: Relations) -> dict[int, list[int]]:
    """For each variable of a color, the variables of the options that require the color."""
    users: dict[int, list[int]] = {}
    for user, color in relations.implications:
        users.setdefault(color, []).append(user)
    return users


def comments(table: Table, relations: Relations, names: Sequence[str]) -> Iterator[str]:
    """Comments that say what the variables are; `names` are those of the variables, in order."""
    options, items = counted(relations.options, "option"), counted(len(table.items), "item")
    yield f"exact cover: {options} over {items}"
    for option in range(relations.options):
        yield f"{names[option]}: {option_label(table, option)}"
    for name, (item, color) in zip(names[relations.options :], relations.colors, strict=True):
        yield f"{name}: {label(table.items[item])}:{label(table.color_names[color - 1])}"


def label(value: Hashable) -> str:
    """The text of a name: unchanged if it is one word, otherwise its `repr` in ASCII.

    >>> label("r1c1"), label(3), label(("cell", 1, 2)), label("two words"), label("")
    ('r1c1', '3', "('cell',1,2)", "'two words'", "''")
    """
    text = value if isinstance(value, str) else repr(value)
    if not isinstance(value, str):
        text = text.replace(", ", ",")
    if text and text.isprintable() and not set(text) & set(" |:"):
        return text
    return ascii(value)


def _entry_label(entry: Hashable) -> str:
    """The label of an option's entry: "item", "item:color" or "item*weight"."""
    if isinstance(entry, Colored):
        return f"{label(entry.item)}:{label(entry.color)}"
    if isinstance(entry, Times):
        return f"{label(entry.item)}*{entry.weight}"
    return label(entry)


def option_label(table: Table, option: int) -> str:
    """The items of an option, preceded by its name if that is not its index.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"both": ["a", "b"], 1: ["a"]})
    >>> option_label(problem._table, 0), option_label(problem._table, 1)
    ('both = a b', 'a')
    """
    items = " ".join(map(_entry_label, table.entries(option)))
    name = table.name_of(option)
    return items if name == option else f"{label(name)} = {items}"
