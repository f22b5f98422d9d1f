"""Checks of the costs of options: integers whose absolute values add up to less than 2**63."""

from __future__ import annotations

from array import array
from operator import index
from typing import TYPE_CHECKING

from dlx.core.named_values import values_in_order
from dlx.errors import InvalidCost, quote

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["LARGEST_TOTAL", "check_cost", "check_costs"]


LARGEST_TOTAL = 2**63 - 1
"""The largest sum of the absolute costs of all options: the kernel adds costs in 64 bits."""


def check_cost(cost: object, where: str, total: int = 0) -> int:
    """`cost` as an int. Raises `InvalidCost`.

    `where` names the option in messages; `total` is the sum of the absolute costs before this one.
    """
    if type(cost) is int:
        number = cost
    elif isinstance(cost, bool) or not hasattr(cost, "__index__"):
        raise InvalidCost(f"{where} has the cost {quote(cost)}; a cost is an integer")
    else:
        try:
            number = index(cost)  # an integer of another type, such as NumPy's
        except TypeError:
            raise InvalidCost(f"{where} has the cost {quote(cost)}; a cost is an integer") from None
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
