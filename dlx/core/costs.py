"""Costs of any type of numbers as integers, exactly: `scaled_costs`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from math import isfinite, lcm
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import LARGEST_TOTAL, integer
from dlx.core.named_values import values_in_order
from dlx.core.table import Table
from dlx.errors import InvalidCost, quote
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

SMALL_TOTAL = 10**6  # of all costs together
LARGEST_COMBINED = LARGEST_TOTAL  # of the numbers of several costs together
REDUCTIONS = 3  # passes over the options

# `decimal` and `fractions` are imported where they are used: few callers have such costs, and the
# imports take longer than a short search.

__all__ = [
    "ScaledCosts",
    "bounded_sums",
    "check_total",
    "combined",
    "rational",
    "scaled_columns",
    "scaled_costs",
]


class Level(NamedTuple):
    """One of several costs in lexicographic order: its unit, and the range of its totals."""

    scale: int
    kind: type
    low: int
    width: int


class ScaledCosts(NamedTuple):
    """Costs as integers: each is the cost that the caller gave times `scale`.

    `kind` is the caller's type: int, Decimal, Fraction or float. Options beyond the last cost 0.

    tuple: several costs in lexicographic order. Each total, plus the offset, is a number whose
    digits are the totals of the `levels`, the first of which has no bounds. If this would need
    more than 64 bits, the last ones are left out, as `rest`.
    """

    numbers: Sequence[int]
    scale: int = 1
    kind: type = int
    levels: tuple[Level, ...] = ()
    offset: int = 0
    rest: tuple[ScaledCosts, ...] = ()

    def of_options(self, kept: Sequence[int]) -> ScaledCosts:
        """The costs of these options, by index."""
        rest = tuple(one.of_options(kept) for one in self.rest)
        return self._replace(numbers=[self.numbers[option] for option in kept], rest=rest)

    def total(self, number: int) -> Any:
        """A sum of these integers as a sum of the caller's costs, in the caller's type.

        A float is the one nearest to the sum. The other types are exact.
        """
        if self.kind is int:
            return number
        if self.kind is tuple:
            totals = []
            number += self.offset
            for scale, kind, low, width in reversed(self.levels):
                number, part = divmod(number - low, width) if width else (0, number)
                totals.append(ScaledCosts((), scale, kind).total(part + low))
            return tuple(reversed(totals))
        from decimal import Decimal
        from fractions import Fraction

        if self.kind is Decimal:
            return _exact_quotient(number, self.scale)
        return self.kind(Fraction(number, self.scale))


def scaled_costs(table: Table, costs: object, *, single: bool = False) -> ScaledCosts:
    """Costs of all options, as `Table.set_costs` takes them, of any type of numbers.

    If `single`, `total` is exact for each option alone; otherwise for the options of a solution.

    Integers may be mixed with one of the types Decimal, Fraction and float. A float counts as the
    rational number that it is, so 0.1 is a little more than a tenth. Raises `InvalidCost`, and
    `UnknownOption` for a name that no option has. O(options).

    >>> import dlx
    >>> from decimal import Decimal
    >>> problem = dlx.Problem.from_options([["a"], ["a"], ["b"]])
    >>> problem.minimum(costs=[Decimal("0.30"), Decimal("0.25"), 2])
    [(Decimal('2.25'), (2, 1))]

    In a call with `forbid`, the costs are those of all options of the problem.
    """
    if isinstance(costs, ScaledCosts):
        return costs  # of the options of this table
    if table.narrowed_from is not None:
        scaled = scaled_costs(table.narrowed_from.whole, costs, single=single)
        return scaled.of_options(table.narrowed_from.kept)
    wanted = values_in_order(costs, "costs", table.name_of, len(table), table.index_of, InvalidCost)

    def title(place: int) -> str:
        return f"{table.title(place, table.name_of(place))} has the cost {quote(wanted[place])}"

    return combined(table, scaled_columns(wanted, title), single=single)


def scaled_columns(
    values: Sequence[Any], title: Callable[[int], str]
) -> ScaledCosts | list[ScaledCosts]:
    """These costs as integers; if they are tuples, the first parts of all, the second parts, ...

    `title` says where a value is, and which. Raises `InvalidCost`.
    """
    size = next((len(one) for one in values if isinstance(one, tuple)), None)
    if size is None:
        return _scaled(values, values, title)
    for place, one in enumerate(values):
        if not isinstance(one, tuple) or len(one) != size or not size:
            raise InvalidCost(
                f"{title(place)}; give all options tuples of the same number of costs, or numbers"
            )
    return [_scaled([one[part] for one in values], values, title) for part in range(size)]


def _scaled(
    parts: Sequence[Any], values: Sequence[Any], title: Callable[[int], str]
) -> ScaledCosts:
    """Numbers as integers; each is a value, or a part of it."""
    rationals: list[Fraction] = []
    kind: type = int
    for place, part in enumerate(parts):
        found = rational(part)
        if found is None:
            ratio = hasattr(part, "as_integer_ratio") and not isinstance(part, bool)
            raise InvalidCost(f"{title(place)}; a cost is a {'finite ' if ratio else ''}number")
        rationals.append(found[0])
        own = found[1]
        if own is int or own is kind:
            continue
        if kind is not int:
            raise InvalidCost(
                f"{title(place)}, other options have costs of type {kind.__name__}; use one of the "
                "two types"
            )
        kind = own
    scale = lcm(*(rational.denominator for rational in rationals))
    numbers = [rational.numerator * (scale // rational.denominator) for rational in rationals]
    return ScaledCosts(numbers, scale, kind)


def combined(
    table: Table,
    costs: ScaledCosts | list[ScaledCosts],
    *,
    single: bool = False,
    all_levels: bool = False,
) -> ScaledCosts:
    """Several costs of each option in lexicographic order, as one number for each option.

    The number of an option is its first cost times the width of the range that totals of the second
    can have, plus its second cost, and so on. The wider the range, the larger the numbers, and the
    slower the search. So if they are not small, narrower bounds of the totals are computed, and
    what every solution pays for an item is made part of the offset. O(entries) then. If they are
    still too large, the last costs become the `rest`, unless `all_levels` are wanted.
    """
    if isinstance(costs, ScaledCosts):
        return costs
    numbers, levels = _as_digits(costs, _sums)
    if single or sum(map(abs, numbers)) <= SMALL_TOTAL:
        return ScaledCosts(numbers, 1, tuple, levels)
    for count in range(len(costs), 0, -1):
        numbers, levels = _as_digits(costs[:count], partial(bounded_sums, table))
        numbers, offset = _reduced(table, numbers)
        if all_levels or sum(map(abs, numbers)) <= LARGEST_COMBINED:
            break
    return ScaledCosts(numbers, 1, tuple, levels, offset, tuple(costs[count:]))


def _as_digits(
    costs: list[ScaledCosts], most: Callable[[Sequence[int]], int]
) -> tuple[list[int], tuple[Level, ...]]:
    """The numbers of the options, and the levels, where `most` is an upper bound of totals."""
    numbers = list(costs[0].numbers)
    levels = [Level(costs[0].scale, costs[0].kind, 0, 0)]
    for own, scale, kind, *_ in costs[1:]:
        low, high = -most([-number for number in own]), most(own)
        width = high - low + 1
        numbers = [number * width + more for number, more in zip(numbers, own, strict=True)]
        levels.append(Level(scale, kind, low, width))
    return numbers, tuple(levels)


def _sums(numbers: Sequence[int]) -> int:
    """An upper bound of the totals of these costs: the sum of those above 0."""
    return sum(number for number in numbers if number > 0)


def _shares(
    table: Table, numbers: Sequence[int], items: Container[int]
) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """For each option, those of its entries without a color that have one of these items.

    With the cost of the option, divided by their weights and rounded up.
    """
    for option, number in enumerate(numbers):
        held = [
            (item, times) for item, color, times in table.row(option) if item in items and not color
        ]
        yield held, -(-number // (sum(times for _, times in held) or 1))


def bounded_sums(table: Table, numbers: Sequence[int]) -> int:
    """An upper bound of the totals, from how often items can be covered.

    Each option shares its cost among its items that have an upper bound, in proportion to the
    weights. All that cover an item pay at most the largest share, rounded up, each time they cover
    it. (The largest shares are a solution of the dual linear program.)
    """
    bounds = list(map(table.bounds_of, range(len(table.items))))
    largest: dict[int, int] = {}
    total = 0
    for held, share in _shares(table, numbers, {n for n, (_, high) in enumerate(bounds) if high}):
        total += 0 if held else max(0, share)
        for item, _ in held:
            largest[item] = max(largest.get(item, share), share)
    for item, share in largest.items():
        low, high = bounds[item]
        total += share * ((high or 0) if share > 0 else low)
    return min(_sums(numbers), total)


def _reduced(table: Table, numbers: list[int]) -> tuple[list[int], int]:
    """The same costs, less what all options pay that cover an item; and what every solution pays.

    For items that must be covered an exact number of times.
    """
    bounds = list(map(table.bounds_of, range(len(table.items))))
    exact = {number for number, (low, high) in enumerate(bounds) if low == high}
    offset = 0
    for _ in range(REDUCTIONS):
        rows = list(_shares(table, [-number for number in numbers], exact))
        least: dict[int, int] = {}
        for held, share in rows:
            for item, _ in held:
                least[item] = min(least.get(item, -share), -share)
        offset += sum(paid * bounds[item][0] for item, paid in least.items())
        for option, (held, _) in enumerate(rows):
            numbers[option] -= sum(times * least[item] for item, times in held)
    return numbers, offset


def rational(number: Any) -> tuple[Fraction, type] | None:
    """A number as a rational one, with its type: int, Fraction, Decimal or float (any other).

    None if it is not a finite number.
    """
    from decimal import Decimal
    from fractions import Fraction

    whole = integer(number)
    if whole is not None:
        return Fraction(whole), int
    if isinstance(number, Fraction):
        return number, Fraction
    if isinstance(number, bool) or not hasattr(number, "as_integer_ratio"):
        return None
    if not (number.is_finite() if isinstance(number, Decimal) else isfinite(number)):
        return None
    return Fraction(*number.as_integer_ratio()), Decimal if isinstance(number, Decimal) else float


def check_total(numbers: Sequence[int]) -> None:
    """Raises `InvalidCost` if these integers are too large for the kernel."""
    if sum(map(abs, numbers)) > LARGEST_TOTAL:
        raise InvalidCost(
            "the costs have too many digits: as integers of one unit they add up to more than "
            f"{LARGEST_TOTAL}; round them, or use engine='python', which has no such limit"
        )


def _exact_quotient(number: int, divisor: int) -> Decimal:
    """A quotient whose divisor divides a power of ten, as a Decimal with all its digits."""
    from decimal import Context, Decimal, Inexact

    digits = number.bit_length() + 4 * divisor.bit_length() + 10
    return Context(prec=digits, traps=[Inexact]).divide(Decimal(number), Decimal(divisor))
