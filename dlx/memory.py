"""Limits of memory, as callers write them."""

from __future__ import annotations

import re
from typing import Final

from dlx.errors import InvalidArgument, quote

__all__ = ["DEFAULT_MEMORY", "memory_size"]

DEFAULT_MEMORY: Final = 2**30

_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY_UNITS: Final = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def memory_size(limit: object) -> int:
    """Bytes, from a number of them or a text such as "500 MB" or "2 GiB"; None is 1 GiB.

    More than any machine has is as good as any other. Raises `InvalidArgument`.

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
    parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)(?:b|bytes)?\s*", text, re.IGNORECASE)
    if parts is None:
        return None
    number, unit = parts[1], parts[2].lower()
    size = (_BINARY_UNITS if unit.endswith("i") else _UNITS).get(unit)
    if size is None:
        return None
    return round(float(number) * size) if "." in number else int(number) * size
