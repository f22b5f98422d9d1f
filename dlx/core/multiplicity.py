"""How often an item must be covered: its *multiplicity*, a number or two bounds.

The upper bound may be None: no bound. An option covers an item once, or `dlx.times(item, n)` times.

A primary item of multiplicity (0, 1) is much like a secondary item without colors, but not the
same. The search branches on a primary item and so tries each of its options; it never branches on a
secondary item. Hence every option needs a primary item, for which low may be 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from dlx.core.arguments import integer
from dlx.core.named_values import labelled_pairs, refuse_set
from dlx.errors import InvalidMultiplicity, quote

__all__ = [
    "Bounds",
    "Multiplicity",
    "ONCE",
    "bounds_text",
    "check_multiplicity",
    "set_all_multiplicities",
    "set_multiplicities",
]


Bounds = tuple[int, int | None]
"""At least `low` and at most `high` times; None: no upper bound."""

Multiplicity = int | Bounds
"""`n` for exactly n times, `(low, high)` for at least low and at most high times, or `(low, None)`
for at least low times."""

ONCE = (1, 1)


class _Items(Protocol):
    """Protocol of a table of declared items: see `dlx.core.table`."""

    items: list[Hashable]
    secondary: bytearray

    def number_of(self, item: Hashable) -> int:
        """The number of an item. Raises `UnknownItem`."""

    def set_multiplicity(self, item: Hashable, multiplicity: Any) -> None:
        """Gives an item another multiplicity."""

    def check_weights(self) -> None:
        """Raises `InvalidMultiplicity` if an option covers an item more often than it may."""


LARGEST = 10**1000 - 1
"""The largest bound: Python can write it into a file (see sys.get_int_max_str_digits)."""


def bounds_text(bounds: Bounds) -> str:
    """The bounds as words.

    >>> bounds_text((2, 2)), bounds_text((0, 3)), bounds_text((1, None))
    ('exactly 2', '0 to 3', 'at least 1')
    """
    low, high = bounds
    if high is None:
        return f"at least {low}"
    return f"exactly {low}" if low == high else f"{low} to {high}"


def check_multiplicity(item: Hashable, multiplicity: Any, *, secondary: bool) -> Bounds:
    """The bounds (low, high) of a multiplicity of an item. Raises `InvalidMultiplicity`.

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
        if multiplicity[0] is None:
            raise InvalidMultiplicity(f"{where}: low is None; for no lower bound, use 0")
        low = _integer(where, multiplicity[0])
        high = None if multiplicity[1] is None else _integer(where, multiplicity[1])
    else:
        low = high = _integer(where, multiplicity)
    if low < 0:
        raise InvalidMultiplicity(f"{where}: the multiplicity {quote(low)} is negative")
    if high is None:
        _check_size(where, low)
        if secondary:
            raise InvalidMultiplicity(secondary_has_none(item))
        return low, high
    if high < low:
        raise InvalidMultiplicity(
            f"{where}: low is {quote(low)} and high {quote(high)}; low must not be above high"
        )
    _check_size(where, high)
    if high == 0:
        raise InvalidMultiplicity(
            f"{where}: the upper bound is 0; to exclude the item, leave out its options"
        )
    if secondary and (low, high) != ONCE:
        raise InvalidMultiplicity(secondary_has_none(item))
    return low, high


def _check_size(where: str, bound: int) -> None:
    if bound > LARGEST:
        raise InvalidMultiplicity(
            f"{where}: the multiplicity {quote(bound)} has more than 1000 digits; for no upper "
            "bound, use (low, None)"
        )


def _integer(where: str, value: Any) -> int:
    """`value` as an int. Raises `InvalidMultiplicity` if it is not an integer."""
    number = integer(value)
    if number is not None:
        return number
    raise InvalidMultiplicity(
        f"{where}: the multiplicity {quote(value)} is not an integer; "
        "it must be a number n, or a pair (low, high), where high may be None"
    )


def secondary_has_none(item: Hashable) -> str:
    """The message for a multiplicity of a secondary item."""
    return f"item {quote(item)} is secondary; only primary items have a multiplicity"


def set_multiplicities(table: _Items, multiplicities: Any) -> None:
    """Sets the multiplicities of declared items from a mapping, a pandas Series or pairs.

    Other items keep their multiplicities. Raises `InvalidMultiplicity`, also if an option covers an
    item more often than its new upper bound.
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
    table.check_weights()


def set_all_multiplicities(
    table: _Items, numbers: Any, bounds_of: Callable[[Any], Multiplicity]
) -> None:
    """Sets the multiplicities of all primary items: `bounds_of` the number of each.

    `numbers` is one number for all items, or a mapping; items that it does not have get 1.
    """
    pairs = labelled_pairs(numbers)
    given: dict[Hashable, Any] = {}
    for item, number in pairs or ():
        table.number_of(item)  # raises `UnknownItem`
        given[item] = number
    for item, secondary in zip(table.items, table.secondary, strict=True):
        if not secondary or item in given:
            number = numbers if pairs is None else given.get(item, 1)
            table.set_multiplicity(item, bounds_of(number))
    table.check_weights()


_MAPPING = "a mapping from items to numbers n or pairs (low, high)"
