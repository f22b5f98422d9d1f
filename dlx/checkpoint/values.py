"""Values read from a journal: each one is checked here for its type and its range.

A journal may come from a stranger, who can make its digests right. So what is read is no more than
bytes until one of these functions has returned it; each of them raises `DamagedJournal` for
anything that no journal holds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any, NoReturn

from dlx.core.part import LARGEST, Part
from dlx.errors import quote

__all__ = [
    "DamagedJournal",
    "LARGEST_COUNT",
    "choice",
    "count",
    "fields",
    "integer",
    "json_value",
    "list_of",
    "part",
    "seconds",
    "text",
]

LARGEST_COUNT = 2**62
"""More than any search comes to; sums of two fit into the kernel's 64 bits."""
LONGEST = 1e18  # seconds


class DamagedJournal(Exception):
    """What is wrong with the contents of a journal."""


def json_value(data: bytes, what: str) -> Any:
    """What the JSON says, without NaN and infinity."""
    try:
        return json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, 5000 digits; or nested too deep
        raise DamagedJournal(f"{what} cannot be read") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def fields(value: object, names: Sequence[str], what: str) -> dict[str, Any]:
    """A dictionary with exactly these keys."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise DamagedJournal(f"{what} cannot be read")
    return value


def list_of(value: object, what: str, length: int | None = None) -> list[Any]:
    """A list, if need be of a certain length."""
    if not isinstance(value, list) or length not in (None, len(value)):
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def integer(value: object, what: str, least: int | None, most: int | None) -> int:
    """An integer from `least` to `most`; None is no bound."""
    if (
        type(value) is not int
        or (least is not None and value < least)
        or (most is not None and value > most)
    ):
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def count(value: object, what: str) -> int:
    """How many there are of something."""
    return integer(value, what, 0, LARGEST_COUNT)


def seconds(value: object, what: str) -> float:
    """A duration."""
    if type(value) is int and 0 <= value <= LONGEST:
        return float(value)
    if type(value) is float and isfinite(value) and 0 <= value <= LONGEST:
        return value
    raise DamagedJournal(f"{what} is {_shown(value)}")


def text(value: object, what: str) -> str:
    """A text."""
    if type(value) is not str:
        raise DamagedJournal(f"{what} is {_shown(value)}")
    return value


def choice(value: object, names: Sequence[str], what: str) -> str:
    """One of some texts."""
    if text(value, what) not in names:
        raise DamagedJournal(f"{what} is {quote(value)}; this version knows {', '.join(names)}")
    return str(value)


def part(path: Sequence[object], floor: object, what: str) -> Part:
    """A part of a search that some problem might have; `path` has pairs, as lists."""
    decisions = []
    for place, pair in enumerate(path):
        where = f"decision {place} of {what}"
        item, option = list_of(pair, where, 2)
        numbers = [integer(number, where, -LARGEST, LARGEST - 1) for number in (item, option)]
        decisions.append((numbers[0], numbers[1]))
    return Part(tuple(decisions), integer(floor, f"the floor of {what}", 0, len(decisions)))


def _shown(value: object) -> str:
    try:
        return quote(value)
    except RecursionError:  # lists nested about as deep as JSON can be read
        return "nested too deep"
