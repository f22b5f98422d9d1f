"""Checks of the arguments that several functions take: limits, timeouts, seeds, memory, workers.

Each check returns the argument in the form in which the engines use it, or raises
`InvalidArgument` (`InvalidEntry` for items) with a message that quotes it and says what is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Sized
from typing import Final

from dlx.errors import InvalidArgument, InvalidEntry, quote

__all__ = [
    "DEFAULT_MEMORY",
    "LARGEST_ITEMS",
    "MOST_WORKERS",
    "UNLIMITED",
    "check_count",
    "check_item_count",
    "check_limit",
    "check_number",
    "check_seed",
    "check_timeout",
    "check_workers",
    "kernel_limit",
    "memory_size",
]


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
    if isinstance(items, int):
        count, shown = items, f"items is {quote(items)}: that is"
    elif isinstance(items, Sized):
        try:
            count, shown = len(items), f"{quote(items)} are"
        except OverflowError:  # a range beyond sys.maxsize
            count, shown = LARGEST_ITEMS + 1, f"{quote(items)} are"
    else:
        return
    if count > LARGEST_ITEMS:
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
    size = _bytes_in(limit) if isinstance(limit, str) else limit
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
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
    if isinstance(workers, int) and not isinstance(workers, bool) and 1 <= workers <= MOST_WORKERS:
        return workers
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


def check_count(k: object) -> int:
    """`k`, a number of solutions, if it is an integer from 1 up."""
    if isinstance(k, int) and not isinstance(k, bool) and k >= 1:
        return kernel_limit(k)
    raise InvalidArgument(f"k is {quote(k)}; it must be an integer from 1 up")


def check_number(name: str, value: object, least: int, most: int | None = None) -> int:
    """`value` if it is an integer within the bounds.

    >>> check_number("n", 8, 1)
    8
    >>> check_number("n", 0, 1)
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: n is 0; it must be an integer from 1 up
    """
    top = float("inf") if most is None else most
    if isinstance(value, int) and type(value) is not bool and least <= value <= top:
        return value
    bounds = f"from {least} up" if most is None else f"from {least} to {most}"
    raise InvalidArgument(f"{name} is {quote(value)}; it must be an integer {bounds}")


def check_limit(limit: object, name: str = "limit") -> int | None:
    """`limit` if it is None or an integer of 0 or more, of any size."""
    if limit is None:
        return None
    if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0:
        return int(limit)
    raise InvalidArgument(f"{name} is {quote(limit)}; it must be None or an integer from 0 up")


def check_timeout(timeout: object) -> float | None:
    """`timeout` in seconds if it is None or a number of 0 or more."""
    if timeout is None:
        return None
    if isinstance(timeout, int | float) and type(timeout) is not bool and timeout >= 0:
        return float(min(timeout, 1e18))  # an integer may be too large for a float
    raise InvalidArgument(f"timeout is {quote(timeout)}; it must be None or seconds from 0 up")


def check_seed(seed: object) -> int | None:
    """`seed` if it is None or an integer."""
    if seed is None:
        return None
    if isinstance(seed, int) and not isinstance(seed, bool):
        try:
            str(seed)  # the random generators are seeded with this text
        except ValueError:
            raise InvalidArgument(
                "seed has more digits than Python writes (see sys.get_int_max_str_digits)"
            ) from None
        return seed
    raise InvalidArgument(f"seed is {quote(seed)}; it must be None or an integer")
