"""Limits in the kernel's 64 bits, and the sentinel for 'no limit'."""

from __future__ import annotations

from typing import Final

__all__ = ["UNLIMITED", "kernel_limit"]

UNLIMITED: Final = 2**63
"""More solutions, or nodes, than any search visits one by one; it fits into 64 bits."""


def kernel_limit(limit: int | None) -> int:
    """The limit as the kernel takes it: None, and what no search can reach, as `UNLIMITED`.

    For what is visited one by one. A count may be larger than `UNLIMITED`, and is compared with
    the limit itself.

    >>> kernel_limit(7), kernel_limit(None) == kernel_limit(10**40) == UNLIMITED
    (7, True)
    """
    return UNLIMITED if limit is None else min(limit, UNLIMITED)
