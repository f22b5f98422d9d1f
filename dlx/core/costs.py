"""Checks of the costs of options: integers whose absolute values add up to less than 2**63.

`scaled_costs` turns costs of other types into such integers, exactly.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isfinite, lcm
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import integer
from dlx.core.named_values import values_in_order
from dlx.errors import InvalidCost, quote
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

    from dlx.core.table import Table

# `decimal` and `fractions` are imported where they are used: few callers have such costs, and the
# imports take longer than a short search.

__all__ = [
    "LARGEST_TOTAL",
    "ScaledCosts",
    "check_cost",
    "check_costs",
    "check_total",
    "scaled_costs",
]


LARGEST_TOTAL = 2**63 - 1
"""The largest sum of the absolute costs of all options: the kernel adds costs in 64 bits."""


def check_cost(cost: object, where: str, total: int = 0) -> int:
    """`cost` as an int. Raises `InvalidCost`.

    `where` names the option in messages; `total` is the sum of the absolute costs before this one.
    """
    number = cost if type(cost) is int else integer(cost)
    if number is None:
        number_of_another_type = hasattr(cost, "as_integer_ratio") and not isinstance(cost, bool)
        other = "; minimum(costs=...) takes others" if number_of_another_type else ""
        raise InvalidCost(f"{where} has the cost {quote(cost)}; a cost is an integer{other}")
    if total + abs(number) > LARGEST_TOTAL:
        raise InvalidCost(
            f"{where} has the cost {quote(number)}; the absolute costs of all options together "
            f"may be at most {LARGEST_TOTAL}"
        )
    return number


def check_costs(table: Table, costs: object) -> array[int]:
    """The costs of all options, from a mapping by name or a list in the options' order.

    Raises `InvalidCost`, and `UnknownOption` for a name that no option has. O(options).
    """
    wanted = values_in_order(costs, "costs", table.name_of, len(table), table.index_of, InvalidCost)
    if {int} >= set(map(type, wanted)) and sum(map(abs, wanted)) <= LARGEST_TOTAL:
        return array("q", wanted)  # the common case, without a call for each cost
    total, checked = 0, array("q")
    for place, cost in enumerate(wanted):
        checked.append(check_cost(cost, table.title(place, table.name_of(place)), total))
        total += abs(checked[-1])
    return checked


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
    """Costs of all options, as `check_costs` takes them, of any type of numbers.

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


def _rational(cost: Any, table: Table, place: int) -> tuple[Fraction, type]:
    """A cost as a rational number, and the type of its totals. Raises `InvalidCost`."""
    from decimal import Decimal
    from fractions import Fraction

    problem = "a cost is a number"
    number = integer(cost)
    if number is not None:
        return Fraction(number), int
    if not isinstance(cost, bool):
        if isinstance(cost, Fraction):
            return cost, Fraction
        if isinstance(cost, Decimal | float) or hasattr(cost, "as_integer_ratio"):
            if cost.is_finite() if isinstance(cost, Decimal) else isfinite(cost):
                kind = Decimal if isinstance(cost, Decimal) else float
                return Fraction(*cost.as_integer_ratio()), kind
            problem = "a cost is a finite number"
    raise InvalidCost(
        f"{table.title(place, table.name_of(place))} has the cost {quote(cost)}; {problem}"
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
