"""The data of a problem: items and options in compact arrays, checked as they are added.

`Table` holds what a `dlx.Problem` consists of; it does not search. Items and options are only ever
appended, so an index stays valid::

    items        a  b  c  x          number 0 1 2 3; secondary = 0 0 0 1
    start        0     2        5    option 0 = {a c}, option 1 = {b c x:A}
    entry_item   0  2  1  2  3
    entry_color  0  0  0  0  1       color number 1 is "A"; no array at all before the first color
    entry_weight 1  1  1  1  1       how often an option covers its item; no array if that is once
    costs        7                   option 0 costs 7; options beyond the last cost nothing

`Options` is a read-only sequence of a table's options; `ProblemView` is the part of a `Problem`'s
interface that modules below it in the layers may use.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count, islice, pairwise, repeat
from math import inf
from typing import Any, TypeVar, overload

from dlx.core import kernel
from dlx.core.arguments import LARGEST_TOTAL, check_cost, is_iterable
from dlx.core.entries import LARGEST_EXTRA, Colored, Times, check_weight
from dlx.core.locks import new_guard
from dlx.core.multiplicity import ONCE, Bounds, check_multiplicity, secondary_has_none
from dlx.core.named_values import values_in_order
from dlx.errors import (
    ColorOnPrimary,
    DuplicateItem,
    DuplicateName,
    EmptyOption,
    InvalidCost,
    InvalidEntry,
    InvalidMultiplicity,
    NoPrimaryItem,
    UnknownItem,
    UnknownOption,
    counted,
    did_you_mean,
    quote,
)
from dlx.named_tuple import NamedTuple

__all__ = ["Narrowing", "Options", "Table"]

V = TypeVar("V")

_PLAIN = frozenset((int, str))
"""The types of most items; others may have an `__eq__` of their own, or be no items."""

MOST_COMPARED = 10_000  # items with which an unknown one is compared, which takes 50 ms


class Table:
    """The items, options, colors, costs and names of a problem.

    With `open_items`, an unknown item in an option is declared as a primary item.
    """

    __slots__ = (
        "color_names",
        "color_numbers",
        "cost_total",
        "costs",
        "entry_color",
        "entry_item",
        "entry_weight",
        "extra_weights",
        "item_numbers",
        "items",
        "lock",
        "multiplicities",
        "names",
        "names_given",
        "narrowed_from",
        "open_items",
        "secondary",
        "start",
    )
    columns = tuple(slot for slot in __slots__ if slot not in ("lock", "narrowed_from"))

    def __init__(self, *, open_items: bool) -> None:
        self.lock = new_guard()  # held by a thread that changes the table or copies its arrays
        self.open_items = open_items
        self.items: list[Hashable] = []
        self.item_numbers: dict[Hashable, int] = {}
        self.secondary = bytearray()  # a flag for each item
        self.multiplicities: dict[int, Bounds] = {}  # of items not covered exactly once
        self.start = array("i", [0])  # option o has the entries start[o] .. start[o+1]-1
        self.entry_item = array("i")
        self.entry_color = array("i")  # parallel to entry_item, or empty if no entry has a color
        self.entry_weight = array("i")  # parallel to entry_item, or empty if every weight is 1
        self.extra_weights: dict[int, int] = {}  # of items with weights: the sum of weight - 1
        self.color_names: list[Hashable] = []  # of color numbers 1, 2, ...
        self.color_numbers: dict[Hashable, int] = {}
        self.costs = array("q")  # of the first options; all others cost nothing
        self.cost_total = 0  # of absolute values
        self.names: list[Hashable] | None = None  # None: every option is named by its index
        self.names_given: dict[Hashable, int] = {}  # the options with names of their own
        self.narrowed_from: Narrowing | None = None  # only for a call with `forbid`; not pickled

    def __len__(self) -> int:
        return len(self.start) - 1

    def copy(self) -> Table:
        """A table that can grow independently; items, colors and names are the same objects."""
        from copy import copy

        other = Table(open_items=self.open_items)
        with self.lock:
            for slot in self.columns:
                setattr(other, slot, copy(getattr(self, slot)))
        return other

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        copied = self.copy()  # another thread may change the table while pickle reads it
        return None, {slot: getattr(copied, slot) for slot in self.columns}

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        self.lock = new_guard()
        self.narrowed_from = None
        for slot, value in state[1].items():
            setattr(self, slot, value)

    def without(self, options: Sequence[int]) -> Table:
        """A table without the options of these indices; the others keep their names.

        All items stay. O(items + entries).
        """
        other = Table(open_items=self.open_items)
        with self.lock:
            count = len(self)
            bounds = (-1, *sorted(set(options)), count)
            runs = [(one + 1, end) for one, end in pairwise(bounds) if one + 1 < end]
            other.items, other.item_numbers = self.items.copy(), self.item_numbers.copy()
            other.secondary = self.secondary.copy()
            other.multiplicities = self.multiplicities.copy()
            other.color_names = self.color_names.copy()
            other.color_numbers = self.color_numbers.copy()
            weights = array("i")
            for first, end in runs:
                entries = slice(self.start[first], self.start[end])
                shift = len(other.entry_item) - self.start[first]
                other.start.extend([bound + shift for bound in self.start[first + 1 : end + 1]])
                other.entry_item.extend(self.entry_item[entries])
                other.entry_color.extend(self.entry_color[entries])
                weights.extend(self.entry_weight[entries])
                other.costs.extend(self.costs[first:end])  # those beyond the last cost nothing
            other.set_weights(weights)
            other.cost_total = sum(map(abs, other.costs))
            kept = [index for first, end in runs for index in range(first, end)]
            if self.names is not None or (kept and kept[-1] >= len(kept)):
                other.set_names([self.name_of(index) for index in kept])
        return other

    def without_items(self, numbers: Container[int], options: Iterable[int] = ()) -> Table:
        """A table without the items of these numbers, all options with them, and these options.

        O(items + entries).
        """
        with self.lock:
            left_out = set(options)
            for place, number in enumerate(self.entry_item):
                if number in numbers:
                    left_out.add(self._option_at(place))
            other = self.without(list(left_out))
        kept = [number for number in range(len(other.items)) if number not in numbers]
        number_of = {number: place for place, number in enumerate(kept)}
        other.items = [other.items[number] for number in kept]
        other.item_numbers = {item: number for number, item in enumerate(other.items)}
        other.secondary = bytearray(other.secondary[number] for number in kept)
        other.entry_item = array("i", map(number_of.__getitem__, other.entry_item))
        other.multiplicities = _renumbered(other.multiplicities, number_of)
        other.extra_weights = _renumbered(other.extra_weights, number_of)
        return other

    # -- items and colors ------------------------------------------------------------------------

    def summary(self) -> str:
        """The numbers of items and options as text, for `repr` and messages."""
        secondary = sum(self.secondary)
        counts = (
            counted(len(self.items) - secondary, "primary item"),
            counted(secondary, "secondary item"),
            counted(len(self), "option"),
        )
        shown = ", ".join(counts)
        if self.has_multiplicities:
            shown += f", multiplicities of {len(self.multiplicities)}"
        if self.has_weights:
            shown += f", weights of {len(self.extra_weights)}"
        return shown

    @property
    def has_multiplicities(self) -> bool:
        """Has any primary item a multiplicity other than exactly once? O(1)."""
        return bool(self.multiplicities)

    @property
    def has_weights(self) -> bool:
        """Does any option cover an item several times? O(1)."""
        return bool(self.entry_weight)

    def bounds_by_item(self) -> dict[Hashable, Bounds]:
        """The bounds (low, high) of each item whose multiplicity is not exactly once."""
        return {self.items[number]: bounds for number, bounds in self.multiplicities.items()}

    def multiplicity_of(self, item: Hashable) -> Bounds:
        """The bounds of a primary item. Raises `UnknownItem` and `InvalidMultiplicity`."""
        number = self.number_of(item)
        if self.secondary[number]:
            raise InvalidMultiplicity(secondary_has_none(item))
        return self.multiplicities.get(number, ONCE)

    def bounds_of(self, number: int) -> Bounds:
        """The bounds of an item; those of a secondary item are (0, 1), without colors."""
        return (0, 1) if self.secondary[number] else self.multiplicities.get(number, ONCE)

    def add_item(self, item: Hashable, *, secondary: bool, multiplicity: Any = 1) -> None:
        """Declares an item after those declared before."""
        flag = bool(secondary)
        if isinstance(item, Colored):
            raise InvalidEntry(f"{item!r} is an item with a color; give colors in options")
        if isinstance(item, Times):
            raise InvalidEntry(f"{item!r} is an item with a weight; give weights in options")
        try:
            known = item in self.item_numbers
        except TypeError:
            raise InvalidEntry(f"{quote(item)} cannot be an item: it is not hashable") from None
        if known:
            raise DuplicateItem(f"item {quote(item)} is declared twice")
        if type(multiplicity) is not int or multiplicity != 1:
            bounds = check_multiplicity(item, multiplicity, secondary=flag)
            if bounds != ONCE:
                self.multiplicities[len(self.items)] = bounds
        self.item_numbers[item] = len(self.items)
        self.items.append(item)
        self.secondary.append(flag)

    def add_items(self, items: Iterable[Hashable], *, secondary: bool) -> None:
        """Declares items, as `add_item` does but faster. After an error discard the table."""
        listed, first = list(items), len(self.items)
        if not listed:
            return
        if _PLAIN.issuperset(map(type, listed)):
            numbers: dict[Hashable, int] = dict(zip(listed, count(first)))
            if len(numbers) == len(listed) and self.item_numbers.keys().isdisjoint(numbers):
                self.item_numbers.update(numbers)
                self.items.extend(listed)
                self.secondary.extend(bytes([secondary]) * len(listed))
                return
        for item in listed:
            self.add_item(item, secondary=secondary)

    def set_multiplicity(self, item: Hashable, multiplicity: Any) -> None:
        """Gives an item that is declared already another multiplicity."""
        number = self.number_of(item)
        bounds = check_multiplicity(item, multiplicity, secondary=bool(self.secondary[number]))
        if bounds == ONCE:
            self.multiplicities.pop(number, None)
        else:
            self.multiplicities[number] = bounds

    def number_of(self, item: Hashable) -> int:
        """The number of an item. Raises `UnknownItem`."""
        try:
            return self.item_numbers[item]
        except (KeyError, TypeError):  # not there, or not hashable
            raise UnknownItem(self._not_declared(item)) from None

    def forget_items(self, keep: int) -> None:
        """Removes all items but the first `keep`. No option may contain one that is removed."""
        for item in self.items[keep:]:
            del self.item_numbers[item]
        del self.items[keep:]
        del self.secondary[keep:]

    def _option_at(self, place: int) -> int:
        """The option with the entry at this place. O(log(options))."""
        from bisect import bisect_right  # only here: few calls need it

        return bisect_right(self.start, place) - 1

    def _number_of_color(self, color: Hashable) -> int:
        number = self.color_numbers.setdefault(color, len(self.color_names) + 1)
        if number > len(self.color_names):
            self.color_names.append(color)
        return number

    # -- options ---------------------------------------------------------------------------------

    def add_option(
        self, items: Iterable[Hashable], name: Hashable, cost: int = 0, *, bounded: bool = True
    ) -> int:
        """Adds an option and returns its index. After an error the table is unchanged.

        Without `bounded`, upper bounds are not final yet: the caller calls `check_weights` later.
        """
        index = len(self)
        known_items = len(self.items)
        try:
            numbers, colors, weights = self._read_option(index, name, items)
            self._check_option(index, name, numbers, colors)
            if weights is not None:
                self._check_weights_of(index, name, numbers, weights, bounded=bounded)
                self._check_extra(index, name, numbers, weights)
            cost = self._check_cost(index, name, cost)
            self._add_name(index, name)
        except BaseException:
            self.forget_items(known_items)
            raise
        self._append(numbers, colors, weights)
        if cost:
            self.costs.extend([0] * (index - len(self.costs)))
            self.costs.append(cost)
            self.cost_total += abs(cost)
        return index

    def extend(self, options: Iterable[Any], *, named: bool = False) -> None:
        """Adds many options, as `add_option` does but faster. After an error discard the table.

        `options` are options without names or, with `named`, pairs of a name and an option. The
        kernel adds the common kinds; it returns any other to `add_option`, which adds it or raises.
        Call `check_weights` afterwards, once the upper bounds of all items are known.
        """
        if not is_iterable(options):
            raise InvalidEntry(f"options is {quote(options)}; give a list or mapping of options")
        reader = kernel.Reader(self, iter(options), Colored, Times, named)
        while (stopped := reader.read()) is not None:
            self.add_option(*stopped, bounded=False)

    def adopt(
        self,
        start: array[int],
        entry_item: array[int],
        entry_color: array[int],
        entry_weight: array[int],
    ) -> None:
        """Makes these arrays the options and checks them; the numbers in them name the colors.

        Call `check_weights` afterwards, once the upper bounds of all items are known.
        """
        self.start, self.entry_item, self.entry_color = start, entry_item, entry_color
        self._check_all()
        self.set_weights(entry_weight)
        if not entry_color:
            return
        self.color_names = [*sorted(set(entry_color) - {0})]
        self.color_numbers = {color: place for place, color in enumerate(self.color_names, 1)}
        number_of = {0: 0, **self.color_numbers}
        self.entry_color = array("i", map(number_of.__getitem__, entry_color))

    def entries(self, index: int) -> tuple[Hashable, ...]:
        """The items of an option, `Colored` where they have a color."""
        with self.lock:
            first, last = self.start[index], self.start[index + 1]
            items = [self.items[number] for number in self.entry_item[first:last]]
            colors = self.entry_color[first:last]
            weights = self.entry_weight[first:last]
        if colors:
            items = [
                Colored(item, self.color_names[color - 1]) if color else item
                for item, color in zip(items, colors, strict=True)
            ]
        if weights:
            items = [
                Times(item, weight) if weight > 1 else item
                for item, weight in zip(items, weights, strict=True)
            ]
        return tuple(items)

    def row(self, index: int) -> Iterator[tuple[int, int, int]]:
        """For each entry of an option, the numbers of its item and color, and its weight."""
        first, last = self.start[index], self.start[index + 1]
        colors = self.entry_color[first:last] or repeat(0)
        weights = self.entry_weight[first:last] or repeat(1)
        return zip(self.entry_item[first:last], colors, weights, strict=False)

    def entries_of(
        self, index: int, name: Hashable, items: Iterable[Hashable]
    ) -> Sequence[Hashable]:
        """The entries of an option as a list. Raises InvalidEntry if it is not an iterable."""
        if isinstance(items, str | bytes):
            raise InvalidEntry(
                f"{self.title(index, name)} is the text {quote(items)}; give a list of items"
            )
        try:
            return list(items)
        except TypeError:
            raise InvalidEntry(
                f"{self.title(index, name)} is {quote(items)}; give a list of items"
            ) from None

    def _read_option(
        self, index: int, name: Hashable, items: Iterable[Hashable]
    ) -> tuple[list[int], list[int], list[int] | None]:
        """The numbers of an option's items and colors, and its weights; None if all are 1.

        Declares new items if `open_items`.
        """
        numbers: list[int] = []
        colors: list[int] = []
        weights: dict[int, int] = {}  # by place in the option
        for entry in self.entries_of(index, name, items):
            try:
                if isinstance(entry, Colored):
                    numbers.append(self._number_of_item(index, name, entry.item))
                    colors.append(self._number_of_color(entry.color))
                elif isinstance(entry, Times):
                    weights[len(numbers)] = self._weight_of(index, name, entry)
                    numbers.append(self._number_of_item(index, name, entry.item))
                    colors.append(0)
                else:
                    numbers.append(self._number_of_item(index, name, entry))
                    colors.append(0)
            except TypeError:
                raise InvalidEntry(
                    f"{self.title(index, name)}: {quote(entry)} is not hashable"
                ) from None
        if not weights or max(weights.values()) == 1:
            return numbers, colors, None
        return numbers, colors, [weights.get(place, 1) for place in range(len(numbers))]

    def _weight_of(self, index: int, name: Hashable, entry: Times) -> int:
        if isinstance(entry.item, Colored | Times):
            raise InvalidEntry(
                f"{self.title(index, name)}: {quote(entry)} gives {quote(entry.item)} a weight; "
                "dlx.times takes a primary item, without a color or another weight"
            )
        return check_weight(self.title(index, name), entry.item, entry.weight)

    def _number_of_item(self, index: int, name: Hashable, item: Hashable) -> int:
        number = self.item_numbers.get(item)
        if number is None:
            if not self.open_items:
                raise UnknownItem(f"{self.title(index, name)}: {self._not_declared(item)}")
            number = len(self.items)
            self.add_item(item, secondary=False)
        return number

    def _not_declared(self, item: Hashable) -> str:
        """The message about an unknown item, and how to declare it or what it may be.

        It may be a text such as "x:A", the notation for colors in Knuth's files.
        """
        said = f"item {quote(item)} was not declared"
        word, colon, color = item.rpartition(":") if isinstance(item, str) else ("", "", "")
        number = self.item_numbers.get(word) if colon and color else None
        if number is not None and self.secondary[number]:
            color = f"dlx.colored({word!r}, {color!r})"
            return f"{said}; the secondary item {quote(word)} in a color is {color}"
        how = "; declare it in primary= or secondary=, or with add_item"
        return f"{said}{how}{did_you_mean(item, islice(self.items, MOST_COMPARED))}"

    def _append(
        self, numbers: Sequence[int], colors: Sequence[int], weights: Sequence[int] | None
    ) -> None:
        """Appends the entries of an option; `weights` is None if all are 1."""
        if self.entry_color or any(colors):
            missing = len(self.entry_item) - len(self.entry_color)
            self.entry_color.extend([0] * missing)
            self.entry_color.extend(colors or [0] * len(numbers))
        if self.entry_weight or weights is not None:
            missing = len(self.entry_item) - len(self.entry_weight)
            self.entry_weight.extend([1] * missing)
            self.entry_weight.extend(weights or [1] * len(numbers))
            self._add_extra(numbers, weights or ())
        self.entry_item.extend(numbers)
        self.start.append(len(self.entry_item))

    # -- weights ---------------------------------------------------------------------------------

    def set_weights(self, weights: array[int]) -> None:
        """Sets the weights of all entries; an empty array: all are 1.

        The caller calls `check_weights` afterwards.
        """
        self.extra_weights = {}
        self.entry_weight = weights if weights.count(1) < len(weights) else array("i")
        self._add_extra(self.entry_item, self.entry_weight)

    def check_weights(self) -> None:
        """Raises `InvalidMultiplicity` for the first invalid weight of an option. O(entries)."""
        if not self.entry_weight:
            return
        most = [1 if secondary else self._high(n) for n, secondary in enumerate(self.secondary)]
        pairs = zip(self.entry_weight, self.entry_item, strict=True)
        for place, (weight, number) in enumerate(pairs):
            if weight != 1 and not 1 < weight <= most[number]:
                index = self._option_at(place)
                self._check_weights_of(index, self.name_of(index), [number], [weight], bounded=True)
        for number, extra in self.extra_weights.items():
            if extra > LARGEST_EXTRA:
                self._raise_too_heavy(number)

    def _raise_too_heavy(self, number: int) -> None:
        """Raises for the first option with which the weights of an item are too large in all."""
        extra = 0
        for place, item in enumerate(self.entry_item):
            if item == number:
                extra += self.entry_weight[place] - 1
                if extra > LARGEST_EXTRA:
                    index = self._option_at(place)
                    where = f"{self.title(index, self.name_of(index))} and those before it"
                    raise InvalidMultiplicity(_too_heavy(where, self.items[number]))

    def _check_weights_of(
        self,
        index: int,
        name: Hashable,
        numbers: Sequence[int],
        weights: Sequence[int],
        *,
        bounded: bool,
    ) -> None:
        title = self.title(index, name)
        for number, weight in zip(numbers, weights, strict=True):
            if weight == 1:
                continue
            item = self.items[number]
            check_weight(title, item, weight)
            if self.secondary[number]:
                raise InvalidMultiplicity(
                    f"{title} covers the secondary item {quote(item)} {weight} times; only primary "
                    "items have weights (dlx.times)"
                )
            if bounded and weight > self._high(number):
                raise InvalidMultiplicity(
                    f"{title} covers item {quote(item)} {quote(weight)} times, and its upper bound "
                    f"is {quote(self._high(number))}; raise the bound, or leave out the option"
                )

    def _high(self, number: int) -> float:
        """The upper bound of a primary item; infinity if it has none."""
        high = self.multiplicities.get(number, ONCE)[1]
        return inf if high is None else high

    def _check_extra(
        self, index: int, name: Hashable, numbers: Iterable[int], weights: Iterable[int]
    ) -> None:
        for number, weight in zip(numbers, weights, strict=True):
            if weight > 1 and self.extra_weights.get(number, 0) + weight - 1 > LARGEST_EXTRA:
                where = f"{self.title(index, name)} and those before it"
                raise InvalidMultiplicity(_too_heavy(where, self.items[number]))

    def _add_extra(self, numbers: Iterable[int], weights: Iterable[int]) -> None:
        for number, weight in zip(numbers, weights, strict=False):
            if weight > 1:
                self.extra_weights[number] = self.extra_weights.get(number, 0) + weight - 1

    # -- costs -----------------------------------------------------------------------------------

    def every_cost(self) -> tuple[int, ...]:
        """The costs of all options, in order."""
        return (*self.costs, *([0] * (len(self) - len(self.costs))))

    def total_cost(self, options: Iterable[int]) -> int:
        """The cost of the options of these indices together."""
        costs = self.costs
        return sum(costs[index] for index in options if index < len(costs))

    def set_costs(self, costs: object) -> None:
        """Sets the costs of all options, from a mapping by name or a list in the options' order.

        Raises `InvalidCost`, and `UnknownOption` for a name that no option has. O(options).
        """
        name_of, place_of = self.name_of, self.index_of
        wanted = values_in_order(costs, "costs", name_of, len(self), place_of, InvalidCost)
        if not {int} >= set(map(type, wanted)) or sum(map(abs, wanted)) > LARGEST_TOTAL:
            total, given, wanted = 0, wanted, []
            for place, cost in enumerate(given):
                wanted.append(check_cost(cost, self.title(place, name_of(place)), total))
                total += abs(wanted[-1])
        self.costs = array("q", wanted)
        self.cost_total = sum(map(abs, self.costs))

    def _check_cost(self, index: int, name: Hashable, cost: object) -> int:
        if type(cost) is int and cost == 0:
            return 0  # the common case
        return check_cost(cost, self.title(index, name), self.cost_total)

    # -- checking --------------------------------------------------------------------------------

    def _check_all(self) -> None:
        """Raises for the first invalid option; the kernel finds it, `_raise_flaw` describes it."""
        colors = self.entry_color or None
        flaw = kernel.find_flaw(self.start, self.entry_item, colors, self.secondary)
        if flaw is not None:
            self._raise_flaw(flaw)

    def _raise_flaw(self, index: int) -> None:
        first, last = self.start[index], self.start[index + 1]
        if not 0 <= first <= last <= len(self.entry_item):
            raise InvalidEntry(
                f"option {index} has the bounds {first} and {last} in indptr; they must ascend "
                f"and stay within the {len(self.entry_item)} indices"
            )
        numbers, colors = self.entry_item[first:last], self.entry_color[first:last]
        for place, number in enumerate(numbers, start=first):
            if not 0 <= number < len(self.items):
                raise UnknownItem(
                    f"option {index}: there is no item {number} (indices[{place}]); "
                    f"the {len(self.items)} items declared by items= are numbered from 0"
                )
        for place, color in enumerate(colors, start=first):
            if color < 0:
                raise InvalidEntry(f"option {index}: color {color} (colors[{place}]) is negative")
        self._check_option(index, None, numbers, colors or [0] * len(numbers))

    def _check_option(
        self, index: int, name: Hashable, numbers: Sequence[int], colors: Sequence[int]
    ) -> None:
        if not numbers:
            raise EmptyOption(f"{self.title(index, name)} has no items")
        seen: set[int] = set()
        for number, color in zip(numbers, colors, strict=True):
            if number in seen:
                hint = "; to cover it several times, use dlx.times"
                raise DuplicateItem(
                    f"{self.title(index, name)} contains item {quote(self.items[number])} twice"
                    + (hint if number in self.multiplicities else "")
                )
            seen.add(number)
            if color and not self.secondary[number]:
                raise ColorOnPrimary(
                    f"{self.title(index, name)} gives the primary item {quote(self.items[number])} "
                    "a color; only secondary items can have colors"
                )
        if all(self.secondary[number] for number in numbers):
            raise NoPrimaryItem(
                f"{self.title(index, name)} has no primary item, so no search would choose it"
            )

    # -- names -----------------------------------------------------------------------------------

    def index_of(self, name: Hashable) -> int:
        """The index of the option of that name. Raises `UnknownOption`."""
        try:
            index = self._find(name)
        except TypeError:
            index = None  # not hashable
        if index is None:
            raise UnknownOption(f"there is no option named {quote(name)}")
        return index

    def name_of(self, index: int) -> Hashable:
        """The name of an option; its index if it has no name of its own."""
        return index if self.names is None else self.names[index]

    def set_names(self, names: Iterable[Hashable]) -> None:
        """Names all options, in order; None for the index. The table must have no names yet."""
        if isinstance(names, Mapping | AbstractSet) or not is_iterable(names):
            raise InvalidEntry(f"names is {quote(names)}; it must be a list, in the options' order")
        listed = [index if name is None else name for index, name in enumerate(names)]
        if len(listed) != len(self):
            raise InvalidEntry(
                f"{counted(len(listed), 'name')} for {counted(len(self), 'option')}: "
                "give one for each"
            )
        for index, name in enumerate(listed):
            try:
                known = self.names_given.setdefault(name, index)
            except TypeError:
                raise self._unhashable_name(index, name) from None
            if known != index:
                raise self._duplicate_name(known, index, name)
        self.names = listed

    def title(self, index: int, name: Hashable = None) -> str:
        """An option's index and name, for messages."""
        if name is None or name == index:
            return f"option {index}"
        return f"option {index} ({quote(name)})"

    def _find(self, name: Hashable) -> int | None:
        index = self.names_given.get(name)
        if index is not None:
            return index
        number = hash(name)  # the value of a small integer, and of anything equal to it
        if 0 <= number < len(self) and number == name and self.name_of(number) == number:
            return number
        return None

    def _add_name(self, index: int, name: Hashable) -> None:
        """Names the option about to be added; None means its index. Raises `DuplicateName`."""
        try:
            known = self.names_given.get(index) if name is None else self._find(name)
        except TypeError:
            raise self._unhashable_name(index, name) from None
        if known is not None:
            error = self._duplicate_name(known, index, index if name is None else name)
            if name is None:
                raise DuplicateName(f"{error}, its index: give it another name")
            raise error
        if name is not None:
            if self.names is None:
                self.names = list(range(index))
            self.names_given[name] = index
        if self.names is not None:
            self.names.append(index if name is None else name)

    def _unhashable_name(self, index: int, name: object) -> InvalidEntry:
        return InvalidEntry(f"option {index}: its name {quote(name)} is not hashable")

    def _duplicate_name(self, first: int, second: int, name: object) -> DuplicateName:
        return DuplicateName(f"options {first} and {second} are both named {quote(name)}")


def _renumbered(by_item: Mapping[int, V], number_of: Mapping[int, int]) -> dict[int, V]:
    """Values of items by their new numbers, without those of items that have none."""
    return {number_of[item]: value for item, value in by_item.items() if item in number_of}


def _too_heavy(where: str, item: Hashable) -> str:
    return (
        f"{where} cover item {quote(item)} too often: beyond once each, more than "
        f"{LARGEST_EXTRA:,} times in all; divide its weights and bounds by a common factor"
    )


class Narrowing(NamedTuple):
    """The table from which another one was made by leaving out options that a call forbids.

    whole
        The table of all options.
    kept
        For each option that is left, its index in `whole`.
    forbidden
        The indices in `whole` of the options that were left out.
    """

    whole: Table
    kept: list[int]
    forbidden: list[int]


class Options(Sequence[tuple[Hashable, ...]]):
    """The options of a problem as a sequence of tuples of items, each made when it is read.

    Options are indexed by number; `Problem.index_of` returns the number of a name.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b", "c"]})
    >>> problem.options[1], problem.options[problem.index_of("y")]
    (('b', 'c'), ('b', 'c'))
    """

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, index: int) -> tuple[Hashable, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[Hashable, ...], ...]: ...
    def __getitem__(
        self, index: int | slice
    ) -> tuple[Hashable, ...] | tuple[tuple[Hashable, ...], ...]:
        try:
            numbers = range(len(self._table))[index]
        except TypeError:
            raise TypeError(
                f"options are numbered from 0, and {quote(index)} is neither a number nor a slice; "
                "for an option by its name, use options[problem.index_of(name)]"
            ) from None
        except IndexError:
            raise IndexError(
                f"there is no option {index}; the problem has {len(self)}, numbered from 0"
            ) from None
        if isinstance(numbers, range):
            return tuple(map(self._table.entries, numbers))
        return self._table.entries(numbers)

    def __iter__(self) -> Iterator[tuple[Hashable, ...]]:
        return map(self._table.entries, range(len(self._table)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<dlx options: {len(self)}>"
