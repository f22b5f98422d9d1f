"""Checks of values read from a journal: each value's type and range.

A journal may come from a stranger, who can make its digests right. So the package uses no value
from a journal before one of these functions has checked it. Each raises `DamagedJournal` for a
value that no journal holds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from dlx.core.part import LARGEST, Part
from dlx.errors import quote

__all__ = [
    "DamagedJournal",
    "LARGEST_COUNT",
    "choice",
    "count",
    "fields",
    "flag",
    "integer",
    "json_value",
    "list_of",
    "part",
    "seconds",
    "text",
]

LARGEST_COUNT = 2**62
"""More than any search reaches; the sum of two fits into the kernel's 64 bits."""
LONGEST = 1e18  # seconds of a duration


class DamagedJournal(Exception):
    """The contents of a journal are not valid; the message says which."""


def json_value(data: bytes, what: str) -> Any:
    """Parses JSON, in which NaN and infinity are errors."""
    try:
        return json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):  # not JSON or UTF-8, 5000 digits; nested too deep
        raise DamagedJournal(f"{what} cannot be read") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def fields(value: object, names: Sequence[str], what: str) -> dict[str, Any]:
    """Returns a dictionary that must have exactly these keys."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise DamagedJournal(f"{what} cannot be read")
    return value


def list_of(value: object, what: str, length: int | None = None) -> list[Any]:
    """Returns a list, of this length if one is given."""
    if not isinstance(value, list) or length not in (None, len(value)):
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def integer(value: object, what: str, least: int | None, most: int | None) -> int:
    """Returns an integer from `least` to `most`; None means no bound."""
    if (
        type(value) is not int
        or (least is not None and value < least)
        or (most is not None and value > most)
    ):
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def count(value: object, what: str) -> int:
    """Returns a number of things: an integer from 0 to `LARGEST_COUNT`."""
    return integer(value, what, 0, LARGEST_COUNT)


def seconds(value: object, what: str) -> float:
    """Returns a duration in seconds."""
    return number(value, what, LONGEST)


def number(value: object, what: str, most: float = sys.float_info.max) -> float:
    """Returns a number from 0 to `most`."""
    if (type(value) is int or type(value) is float) and 0 <= value <= most:
        return float(value)
    raise DamagedJournal(f"{what} is {_shown(value)}")


def text(value: object, what: str) -> str:
    """Returns a string."""
    if type(value) is not str:
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def flag(value: object, what: str) -> bool:
    """Returns True or False."""
    if type(value) is not bool:
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def choice(value: object, names: Sequence[str], what: str) -> str:
    """Returns a string that must be one of `names`."""
    if text(value, what) not in names:
        raise DamagedJournal(f"{what} is {quote(value)}; this version knows {', '.join(names)}")
    return str(value)


def part(path: Sequence[object], floor: object, what: str) -> Part:
    """Returns a part of a search, not checked against a problem; `path` has pairs, as lists."""
    decisions = []
    for number, pair in enumerate(path):
        where = f"decision {number} of {what}"
        item, option = list_of(pair, where, 2)
        decision = [integer(index, where, -LARGEST, LARGEST - 1) for index in (item, option)]
        decisions.append((decision[0], decision[1]))
    return Part(tuple(decisions), integer(floor, f"the floor of {what}", 0, len(decisions)))


def _shown(value: object) -> str:
    try:
        return quote(value)
    except RecursionError:  # lists nested about as deep as JSON can be read
        return "nested too deep"
