"""Random choices that are a function of a seed: the same on every machine and Python.

Only `Random.random` is promised to stay the same between versions of Python, so nothing else of it
is used here.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random, SystemRandom
from typing import TypeVar

from dlx import InvalidArgument

__all__ = ["Draws", "check_seed"]

T = TypeVar("T")

SEEDS = 1 << 53  # as many as `Random.random` can tell apart


def check_seed(seed: object) -> int:
    """The seed; one that nobody knows for None."""
    if seed is None:
        return SystemRandom().randrange(SEEDS)
    if isinstance(seed, int) and not isinstance(seed, bool):
        return seed
    raise InvalidArgument(f"seed is {seed!r}; it must be an integer, or None for any")


class Draws:
    """A stream of random choices, the same for the same words.

    >>> Draws("example", 1).shuffled("abcdef") == Draws("example", 1).shuffled("abcdef")
    True
    """

    __slots__ = ("_random",)

    def __init__(self, *words: object) -> None:
        self._random = Random(" ".join(map(str, words))).random

    def below(self, number: int) -> int:
        """A number from 0 up, below `number`."""
        return int(self._random() * number)

    def seed(self) -> int:
        """A seed for something else."""
        return self.below(SEEDS)

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The things in random order. O(n log n)."""
        draw = self._random
        keyed = [(draw(), number, thing) for number, thing in enumerate(things)]
        return [thing for *_, thing in sorted(keyed, key=_key)]


def _key(keyed: tuple[float, int, object]) -> tuple[float, int]:
    return keyed[:2]
