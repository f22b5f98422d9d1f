"""How often an item must be covered: its *multiplicity*, a number or two bounds.

A primary item of multiplicity (0, 1) is much like a secondary item without colors, but not the
same: the search branches on it, so that all of its options may be taken for its own sake, while a
secondary item waits for others to bring their options in. Hence an option needs a primary item, and
one with low 0 will do.

What some questions cannot be asked of, said in one way.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import index
from typing import TYPE_CHECKING, Any

from dlx.core.named_values import labelled_pairs, refuse_set
from dlx.errors import InvalidArgument, InvalidMultiplicity, quote

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = [
    "Multiplicity",
    "ONCE",
    "check_multiplicity",
    "refuse_multiplicities",
    "set_multiplicities",
]


Multiplicity = int | tuple[int, int]
"""`n` for exactly n times, or `(low, high)` for at least low and at most high times."""

ONCE = (1, 1)

LARGEST = 10**1000 - 1
"""What a bound may be at most: so that files can hold every multiplicity there is."""


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
        raise InvalidMultiplicity(secondary_has_none(item))
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


def secondary_has_none(item: Hashable) -> str:
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


def refuse_multiplicities(table: Table, question: str) -> None:
    """Raises `InvalidArgument` if items are to be covered another number of times than once.

    Random descents, refutations and branch and bound know plain items only.
    """
    if table.has_multiplicities:
        raise InvalidArgument(
            f"{question} does not know multiplicities: all primary items must be covered exactly "
            "once"
        )
