"""Costs of any type of numbers as integers, exactly: `scaled_costs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, lcm
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import LARGEST_TOTAL, integer
from dlx.core.multiplicity import ONCE
from dlx.core.named_values import values_in_order
from dlx.core.table import Table
from dlx.errors import InvalidCost, quote
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

SMALL_TOTAL = 10**9  # of all costs together: every method can compute with them

# `decimal` and `fractions` are imported where they are used: few callers have such costs, and the
# imports take longer than a short search.

__all__ = ["ScaledCosts", "check_total", "combined", "rational", "scaled_columns", "scaled_costs"]


class Level(NamedTuple):
    """One of several costs in lexicographic order: its unit, and the range of its totals."""

    scale: int
    kind: type
    low: int
    width: int


class ScaledCosts(NamedTuple):
    """Costs as integers: each is the cost that the caller gave times `scale`.

    `kind` is the caller's type: int, Decimal, Fraction or float. Options beyond the last cost 0.

    tuple: several costs in lexicographic order. Each total is a number whose digits are the totals
    of the `levels`, the first of which has no bounds.
    """

    numbers: Sequence[int]
    scale: int = 1
    kind: type = int
    levels: tuple[Level, ...] = ()

    def total(self, number: int) -> Any:
        """A sum of these integers as a sum of the caller's costs, in the caller's type.

        A float is the one nearest to the sum. The other types are exact.
        """
        if self.kind is int:
            return number
        if self.kind is tuple:
            totals = []
            for scale, kind, low, width in reversed(self.levels):
                number, part = divmod(number - low, width) if width else (0, number)
                totals.append(ScaledCosts((), scale, kind).total(part + low))
            return tuple(reversed(totals))
        from decimal import Decimal
        from fractions import Fraction

        if self.kind is Decimal:
            return _exact_quotient(number, self.scale)
        return self.kind(Fraction(number, self.scale))


def scaled_costs(table: Table, costs: object) -> ScaledCosts:
    """Costs of all options, as `Table.set_costs` takes them, of any type of numbers.

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
    if table.narrowed_from is not None:
        scaled = scaled_costs(table.narrowed_from.whole, costs)
        return scaled._replace(numbers=[scaled.numbers[i] for i in table.narrowed_from.kept])
    if isinstance(costs, ScaledCosts):
        return costs
    wanted = values_in_order(costs, "costs", table.name_of, len(table), table.index_of, InvalidCost)

    def title(place: int) -> str:
        return f"{table.title(place, table.name_of(place))} has the cost {quote(wanted[place])}"

    return combined(table, scaled_columns(wanted, title))


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


def combined(table: Table, costs: ScaledCosts | list[ScaledCosts]) -> ScaledCosts:
    """Several costs of each option in lexicographic order, as one number for each option.

    The number of an option is its first cost times the width of the range that totals of the second
    can have, plus its second cost, and so on. The wider the range, the larger the numbers, so
    the narrower of two bounds is taken where they would be large. O(entries) then.
    """
    if isinstance(costs, ScaledCosts):
        return costs
    for range_of in (_sums, _bounded_sums):
        numbers: Sequence[int] = costs[0].numbers
        levels = [Level(costs[0].scale, costs[0].kind, 0, 0)]
        for own, scale, kind, _ in costs[1:]:
            low, high = -range_of(table, [-number for number in own]), range_of(table, own)
            width = high - low + 1
            numbers = [number * width + more for number, more in zip(numbers, own, strict=True)]
            levels.append(Level(scale, kind, low, width))
        if sum(map(abs, numbers)) <= SMALL_TOTAL:
            break
    return ScaledCosts(numbers, 1, tuple, tuple(levels))


def _sums(table: Table, numbers: Sequence[int]) -> int:
    """An upper bound of the totals of these costs: the sum of those above 0."""
    return sum(number for number in numbers if number > 0)


def _bounded_sums(table: Table, numbers: Sequence[int]) -> int:
    """An upper bound of the totals, from how often items can be covered.

    A cost above 0 is shared by the items of its option that have an upper bound, in proportion to
    the weights. Each item then has the largest share that it gets per time it is covered, rounded
    up, and is covered `high` times. (The shares are a solution of the dual linear program.)
    """
    shares: dict[int, int] = {}
    total = 0
    for option, number in enumerate(numbers):
        if number > 0:
            held = [
                (item, weight)
                for item, color, weight in table.row(option)
                if not color and table.multiplicities.get(item, ONCE)[1] is not None
            ]
            weights = sum(weight for _, weight in held)
            total += 0 if held else number
            for item, _ in held:
                shares[item] = max(shares.get(item, 0), -(-number // weights))
    highs = {item: table.multiplicities.get(item, ONCE)[1] or 0 for item in shares}
    return min(_sums(table, numbers), total + sum(shares[item] * highs[item] for item in shares))


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
