"""Random choices that are the same for a seed on every machine and in every Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Chance"]

T = TypeVar("T")


class Chance:
    """Random numbers from a seed.

    Python promises that `random.Random(seed).random()` stays the same for ever, but not what
    `shuffle`, `sample` and the others make of it; so here they are made of `random` alone.

    >>> chance = Chance(1)
    >>> chance.below(6), chance.choice("abc"), chance.sample(5, 3)
    (0, 'c', [2, 0, 4])
    """

    __slots__ = ("_draw",)

    def __init__(self, seed: int) -> None:
        from random import Random  # here, since importing it takes milliseconds

        self._draw = Random(seed).random

    def below(self, bound: int) -> int:
        """One of 0, ..., bound - 1; the bound is at least 1."""
        return int(self._draw() * bound)

    def choice(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in random order."""
        mixed = list(values)
        for last in range(len(mixed) - 1, 0, -1):
            place = self.below(last + 1)
            mixed[place], mixed[last] = mixed[last], mixed[place]
        return mixed

    def sample(self, bound: int, count: int) -> list[int]:
        """So many different ones of 0, ..., bound - 1, in random order."""
        if 4 * count > bound:
            return self.shuffled(range(bound))[:count]
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            chosen[self.below(bound)] = None
        return list(chosen)
