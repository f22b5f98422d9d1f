"""Limits in the kernel's 64 bits, and the sentinel for 'no limit'."""

from __future__ import annotations

from collections.abc import Sized
from typing import Final

from dlx.errors import InvalidEntry, quote

__all__ = ["LARGEST_ITEMS", "UNLIMITED", "check_item_count", "kernel_limit"]

UNLIMITED: Final = 2**63
"""More solutions, or nodes, than any search visits one by one; it fits into 64 bits."""

LARGEST_ITEMS: Final = 2**28 - 1
"""Items of a problem, at most: the kernel's indices have 32 bits, of which it needs 4 itself."""


def check_item_count(items: object) -> None:
    """Raises `InvalidEntry` for more items than the kernel takes: a number, or a sized collection.

    Before anything is allocated for them. What is neither is left for others to refuse.

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
    """The limit as the kernel takes it: None, and what no search can reach, as `UNLIMITED`.

    For what is visited one by one. A count may be larger than `UNLIMITED`, and is compared with
    the limit itself.

    >>> kernel_limit(7), kernel_limit(None) == kernel_limit(10**40) == UNLIMITED
    (7, True)
    """
    return UNLIMITED if limit is None else min(limit, UNLIMITED)
