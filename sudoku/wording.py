"""Lists of names in sentences."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["listed"]


def listed(words: Iterable[str], last: str, most: int | None = None) -> str:
    """Words with commas, and a last word; beyond so many, how many more there are.

    >>> listed(["a", "b", "c"], "and"), listed(["a"], "or")
    ('a, b and c', 'a')
    >>> listed("abcde", "or", most=3), listed("abc", "or", most=3)
    ('a, b, c or 2 more', 'a, b or c')
    """
    shown = list(words)
    if most is not None and len(shown) > most:
        shown[most:] = [f"{len(shown) - most} more"]
    *others, end = shown
    return f"{', '.join(others)} {last} {end}" if others else end
