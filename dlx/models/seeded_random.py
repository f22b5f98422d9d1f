"""A seeded random generator whose choices are the same on every machine and Python version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

__all__ = ["SeededRandom"]

T = TypeVar("T")


class SeededRandom:
    """Random choices determined by a seed.

    Python guarantees that `random.Random(seed).random()` never changes, but not the results of
    `shuffle`, `sample` and other methods. So this class implements them by `random` alone.

    >>> generator = SeededRandom(1)
    >>> generator.below(6), generator.choice("abc"), generator.sample(5, 3)
    (0, 'c', [2, 0, 4])
    """

    __slots__ = ("_draw",)

    def __init__(self, seed: int) -> None:
        from random import Random  # only here: the import takes milliseconds

        self._draw = Random(seed).random

    def below(self, bound: int) -> int:
        """A random number from 0 to bound - 1; the bound is at least 1."""
        return int(self._draw() * bound)

    def choice(self, values: Sequence[T]) -> T:
        """A random element of the values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in random order."""
        mixed = list(values)
        for last in range(len(mixed) - 1, 0, -1):
            place = self.below(last + 1)
            mixed[place], mixed[last] = mixed[last], mixed[place]
        return mixed

    def sample(self, bound: int, count: int) -> list[int]:
        """`count` different numbers from 0 to bound - 1, in random order."""
        if 4 * count > bound:
            return self.shuffled(range(bound))[:count]
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            chosen[self.below(bound)] = None
        return list(chosen)
