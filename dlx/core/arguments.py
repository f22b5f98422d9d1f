"""Checks of arguments that several functions take: limits, timeouts, seeds, costs, workers.

Each check returns the argument in the form in which the engines use it, or raises
`InvalidArgument` (`InvalidEntry` for items, `InvalidCost` for costs) with a message that quotes it
and says what is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sized
from contextlib import suppress
from operator import index
from typing import Any, Final, TypeGuard, cast

from dlx.errors import InvalidArgument, InvalidCost, InvalidEntry, quote

__all__ = [
    "DEFAULT_MEMORY",
    "LARGEST_ITEMS",
    "LARGEST_TOTAL",
    "MOST_WORKERS",
    "UNLIMITED",
    "check_cost",
    "check_item_count",
    "check_limit",
    "check_number",
    "check_path",
    "check_seed",
    "check_timeout",
    "check_workers",
    "integer",
    "is_iterable",
    "is_list_like",
    "kernel_limit",
    "memory_size",
]


LARGEST_TOTAL = 2**63 - 1
"""The largest sum of the absolute costs of all options: the kernel adds costs in 64 bits."""


def integer(value: object) -> int | None:
    """`value` as an int, if it is an integer of any type, such as NumPy's; otherwise None.

    A bool is not an integer here: it is a flag in the wrong place.

    >>> integer(5), integer(True), integer(5.0), integer("5")
    (5, None, None, None)
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return int(index(value))  # `index` keeps subclasses of int
    except TypeError:  # such as an array
        return None


def check_path(name: str, path: object) -> str:
    """`path` as a text, if it is one that a file can have."""
    text: object = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if isinstance(text, str) and "\0" not in text:
        with suppress(UnicodeEncodeError):
            os.fsencode(text)
            return text
    raise InvalidArgument(f"{name} is {quote(path)}; it must be the path of a file")


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether `iter` takes the value; not so an array without dimensions, though it is `Iterable`.

    >>> is_iterable([]), is_iterable(5)
    (True, False)
    """
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def is_list_like(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether the value is iterable but not a text: a call with one means no list of characters.

    >>> is_list_like(["ab"]), is_list_like("ab")
    (True, False)
    """
    return not isinstance(value, str | bytes) and is_iterable(value)


UNLIMITED: Final = 2**63
"""The sentinel for "no limit" on solutions or nodes. It fits into the kernel's 64 bits, and no
search can visit as many one by one."""

LARGEST_ITEMS: Final = 2**28 - 1
"""The largest number of items in a problem. The kernel's indices have 32 bits; it uses 4 of them
for flags."""


def check_item_count(items: object) -> None:
    """Raises `InvalidEntry` if `items`, a number or a sized collection, exceeds `LARGEST_ITEMS`.

    To be called before memory is allocated for the items. Does nothing for any other object: the
    code that reads the items checks its type.

    >>> check_item_count(range(2**40))
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidEntry: range(0, 1099511627776) are too many items; a problem has at most ...
    """
    count = integer(items)
    is_number = count is not None
    if count is None and isinstance(items, Sized):
        try:
            count = len(items)
        except OverflowError:  # a range beyond sys.maxsize
            count = LARGEST_ITEMS + 1
        except TypeError:  # an array without dimensions
            return
    if count is not None and count > LARGEST_ITEMS:
        shown = f"items is {quote(items)}: that is" if is_number else f"{quote(items)} are"
        raise InvalidEntry(f"{shown} too many items; a problem has at most {LARGEST_ITEMS:,}")


def kernel_limit(limit: int | None) -> int:
    """The limit in the kernel's 64 bits: `UNLIMITED` for None and for anything larger.

    For nodes and solutions that are visited one by one. A count that is computed may exceed
    `UNLIMITED`; compare it with `limit` itself.

    >>> kernel_limit(7), kernel_limit(None) == kernel_limit(10**40) == UNLIMITED
    (7, True)
    """
    return UNLIMITED if limit is None else min(limit, UNLIMITED)


DEFAULT_MEMORY: Final = 2**30
"""The memory limit in bytes if the caller gives none."""

_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY_UNITS: Final = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def memory_size(limit: object) -> int:
    """The memory limit in bytes, from a number or a text such as "500 MB" or "2 GiB".

    None means `DEFAULT_MEMORY`, 1 GiB. The result is at most 2**62, more than any machine has.
    Raises `InvalidArgument`.

    >>> memory_size("64 MiB"), memory_size("1.5GB"), memory_size(None)
    (67108864, 1500000000, 1073741824)
    """
    if limit is None:
        return DEFAULT_MEMORY
    size = _bytes_in(limit) if isinstance(limit, str) else integer(limit)
    if size is None or size < 0:
        raise InvalidArgument(
            f"memory_limit is {quote(limit)}; it must be a number of bytes or a text such as "
            "'500 MB' or '2 GiB'"
        )
    return min(size, 2**62)


def _bytes_in(text: str) -> int | None:
    """The bytes that a text such as "2 GiB" means; None if it cannot be read."""
    import re  # only here: `import dlx` must stay fast

    parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)(?:b|bytes)?\s*", text, re.IGNORECASE)
    if parts is None:
        return None
    number, unit = parts[1], parts[2].lower()
    size = (_BINARY_UNITS if unit.endswith("i") else _UNITS).get(unit)
    if size is None:
        return None
    return round(float(number) * size) if "." in number else int(number) * size


MOST_WORKERS: Final = 1024


def check_workers(workers: object) -> int:
    """The number of worker threads: for None, the number of CPUs that this process may use."""
    if workers is None:
        return min(_processors(), MOST_WORKERS)
    count = integer(workers)
    if count is not None and 1 <= count <= MOST_WORKERS:
        return count
    raise InvalidArgument(
        f"workers is {quote(workers)}; it must be a number of threads from 1 to {MOST_WORKERS}, "
        "or None for one on each processor"
    )


def _processors() -> int:
    """The number of CPUs that this process may use."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_number(name: str, value: object, least: int, most: int | None = None) -> int:
    """`value` as an int, if it is an integer within the bounds.

    >>> check_number("n", 8, 1)
    8
    >>> check_number("n", 0, 1)
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: n is 0; it must be an integer from 1 up
    """
    number = integer(value)
    if number is not None and least <= number and (most is None or number <= most):
        return number
    bounds = f"from {least} up" if most is None else f"from {least} to {most}"
    raise InvalidArgument(f"{name} is {quote(value)}; it must be an integer {bounds}")


def check_limit(limit: object, name: str = "limit", least: int = 0) -> int | None:
    """`limit` if it is None, or as an int if it is an integer from `least` up, of any size."""
    if limit is None:
        return None
    number = integer(limit)
    if number is not None and number >= least:
        return number
    raise InvalidArgument(
        f"{name} is {quote(limit)}; it must be None or an integer from {least} up"
    )


def check_timeout(timeout: object, name: str = "timeout") -> float | None:
    """`timeout` in seconds if it is None or a number of 0 or more, also one of NumPy's."""
    if timeout is None:
        return None
    seconds: float | None = integer(timeout)
    if seconds is None and hasattr(timeout, "as_integer_ratio") and not isinstance(timeout, bool):
        with suppress(OverflowError, TypeError, ValueError):  # of fractions and decimal numbers
            seconds = float(cast("float", timeout))
    if seconds is not None and seconds >= 0:
        return float(min(seconds, 10**18))  # an integer may be too large for a float
    raise InvalidArgument(f"{name} is {quote(timeout)}; it must be None or seconds from 0 up")


def check_seed(seed: object) -> int | None:
    """`seed` if it is None, or as an int if it is an integer."""
    if seed is None:
        return None
    number = integer(seed)
    if number is None:
        raise InvalidArgument(f"seed is {quote(seed)}; it must be None or an integer")
    try:
        str(number)  # the random generators are seeded with this text
    except ValueError:
        raise InvalidArgument(
            "seed has more digits than Python writes (see sys.get_int_max_str_digits)"
        ) from None
    return number


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
