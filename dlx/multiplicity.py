"""How often an item must be covered: its *multiplicity*, a number or two bounds.

A primary item of multiplicity (0, 1) is much like a secondary item without colors, but not the
same: the search branches on it, so that all of its options may be taken for its own sake, while a
secondary item waits for others to bring their options in. Hence an option needs a primary item, and
one with low 0 will do.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import index
from typing import TYPE_CHECKING, Any

from dlx.errors import InvalidMultiplicity, quote
from dlx.named_values import labelled_pairs, refuse_set
from dlx.questions import Questions

if TYPE_CHECKING:
    from dlx.table import Table

__all__ = ["Multiplicities", "Multiplicity", "ONCE", "check_multiplicity", "set_multiplicities"]

Multiplicity = int | tuple[int, int]
"""`n` for exactly n times, or `(low, high)` for at least low and at most high times."""

ONCE = (1, 1)

LARGEST = 10**1000 - 1
"""What a bound may be at most: so that files can hold every multiplicity there is."""


class Multiplicities(Questions):
    """What a `Problem` tells of the multiplicities of its items."""

    __slots__ = ()

    @property
    def multiplicities(self) -> dict[Hashable, tuple[int, int]]:
        """The bounds of the items that need not be covered exactly once, as (low, high).

        In the order in which they were set; it is what `multiplicities=` takes.

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"], multiplicities={"b": 3})
        >>> problem.add_item("c", multiplicity=(0, 2))
        >>> problem.multiplicities
        {'b': (3, 3), 'c': (0, 2)}
        """
        return self._table.bounds_by_item()

    def multiplicity_of(self, item: Hashable) -> tuple[int, int]:
        """How often a primary item may be covered: at least and at most. O(1).

        Raises `UnknownItem`, and `InvalidMultiplicity` for a secondary item, which has none.

        >>> import dlx
        >>> problem = dlx.Problem(["a", "b"], multiplicities={"b": (2, 3)})
        >>> problem.multiplicity_of("a"), problem.multiplicity_of("b")
        ((1, 1), (2, 3))
        """
        table = self._table
        number = table.number_of(item)
        if table.secondary[number]:
            raise InvalidMultiplicity(_of_secondary(item))
        return table.multiplicities.get(number, ONCE)


def check_multiplicity(item: Hashable, multiplicity: Any, *, secondary: bool) -> tuple[int, int]:
    """The bounds meant by a multiplicity; raises `InvalidMultiplicity` if it is none.

    >>> check_multiplicity("a", 2, secondary=False)
    (2, 2)
    >>> check_multiplicity("a", (3, 2), secondary=False)
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidMultiplicity: item 'a': low is 3 and high 2; low must not be above high
    """
    where = f"item {quote(item)}"
    if isinstance(multiplicity, tuple | list):
        if len(multiplicity) != 2:
            raise InvalidMultiplicity(
                f"{where}: the multiplicity {quote(multiplicity)} must be a number n, "
                "or a pair (low, high)"
            )
        low, high = (_integer(where, bound) for bound in multiplicity)
    else:
        low = high = _integer(where, multiplicity)
    if low < 0:
        raise InvalidMultiplicity(f"{where}: the multiplicity {quote(low)} is negative")
    if high < low:
        raise InvalidMultiplicity(
            f"{where}: low is {quote(low)} and high {quote(high)}; low must not be above high"
        )
    if high > LARGEST:
        raise InvalidMultiplicity(
            f"{where}: the multiplicity {quote(high)} has more than 1000 digits; any number from "
            "that of the options up stands for no limit"
        )
    if high == 0:
        raise InvalidMultiplicity(
            f"{where}: the most it may be covered is 0 times; leave out its options instead"
        )
    if secondary and (low, high) != ONCE:
        raise InvalidMultiplicity(_of_secondary(item))
    return low, high


def _integer(where: str, value: Any) -> int:
    """The value of an integer of whatever type, NumPy's included."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        try:
            return index(value)
        except TypeError:  # an array, say
            pass
    raise InvalidMultiplicity(
        f"{where}: the multiplicity {quote(value)} is no integer; "
        "it must be a number n, or a pair (low, high)"
    )


def _of_secondary(item: Hashable) -> str:
    return f"item {quote(item)} is secondary; only primary items have a multiplicity"


def set_multiplicities(table: Table, multiplicities: Any) -> None:
    """Gives items that are declared already their multiplicities: a mapping, Series or pairs.

    Items that are not among them keep what they have.
    """
    pairs = labelled_pairs(multiplicities)
    if pairs is None:
        refuse_set(multiplicities, "multiplicities", InvalidMultiplicity, _MAPPING)
        try:
            pairs = [(item, multiplicity) for item, multiplicity in multiplicities]
        except (TypeError, ValueError):
            raise InvalidMultiplicity(
                f"multiplicities is {quote(multiplicities)}; it must be {_MAPPING}"
            ) from None
    seen: set[int] = set()
    for item, multiplicity in pairs:
        number = table.number_of(item)
        if number in seen:
            raise InvalidMultiplicity(f"multiplicities has the item {quote(item)} twice")
        seen.add(number)
        table.set_multiplicity(item, multiplicity)


_MAPPING = "a mapping from items to numbers n or pairs (low, high)"
