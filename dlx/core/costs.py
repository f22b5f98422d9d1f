"""Costs of any type of numbers as integers, exactly: `scaled_costs`."""

from __future__ import annotations

from collections.abc import Sequence
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

# `decimal` and `fractions` are imported where they are used: few callers have such costs, and the
# imports take longer than a short search.

__all__ = ["ScaledCosts", "check_total", "rational", "scaled_costs"]


class ScaledCosts(NamedTuple):
    """Costs as integers: each is the cost that the caller gave times `scale`.

    `kind` is the caller's type: int, Decimal, Fraction or float. Options beyond the last cost 0.
    """

    numbers: Sequence[int]
    scale: int = 1
    kind: type = int

    def total(self, number: int) -> Any:
        """A sum of these integers as a sum of the caller's costs, in the caller's type.

        A float is the one nearest to the sum. The other types are exact.
        """
        if self.kind is int:
            return number
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
    wanted = values_in_order(costs, "costs", table.name_of, len(table), table.index_of, InvalidCost)
    rationals: list[Fraction] = []
    kind: type = int
    for place, cost in enumerate(wanted):
        rational, own = _rational(cost, table, place)
        rationals.append(rational)
        if own is int or own is kind:
            continue
        if kind is not int:
            raise InvalidCost(
                f"{table.title(place, table.name_of(place))} has the cost {quote(cost)}, other "
                f"options have costs of type {kind.__name__}; use one of the two types"
            )
        kind = own
    scale = lcm(*(rational.denominator for rational in rationals))
    numbers = [rational.numerator * (scale // rational.denominator) for rational in rationals]
    return ScaledCosts(numbers, scale, kind)


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


def _rational(cost: Any, table: Table, place: int) -> tuple[Fraction, type]:
    """A cost as a rational number, and the type of its totals. Raises `InvalidCost`."""
    found = rational(cost)
    if found is not None:
        return found
    ratio = hasattr(cost, "as_integer_ratio") and not isinstance(cost, bool)
    raise InvalidCost(
        f"{table.title(place, table.name_of(place))} has the cost {quote(cost)}; a cost is a "
        f"{'finite ' if ratio else ''}number"
    )


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
