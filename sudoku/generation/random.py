"""Seeded random numbers that are the same on every machine and in every version of Python.

Python guarantees the sequence of `Random.random` between versions, but not of its other methods, so
only that one is used here.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from random import Random, SystemRandom
from typing import TypeVar

from dlx import InvalidArgument
from sudoku.board.cells import integer
from sudoku.errors import shown

__all__ = ["SeededRandom", "check_seed"]

T = TypeVar("T")

LONGEST_SEED = 4300  # digits: Python writes longer integers only after a setting has changed
SEED_RANGE = 1 << 53  # the number of different values of `Random.random`


def check_seed(seed: object) -> int:
    """The seed; a new one from the operating system for None."""
    if seed is None:
        return SystemRandom().randrange(SEED_RANGE)
    number = integer(seed, -inf)
    if number is not None and abs(number) >= 10**LONGEST_SEED:
        raise InvalidArgument(f"seed has more than {LONGEST_SEED} digits")
    if number is None:
        what = f"seed is {shown(seed)}"
        raise InvalidArgument(f"{what}; expected an integer, or None for a random seed")
    return number


class SeededRandom:
    """Random number generator seeded with words (any objects with a fixed `str`).

    >>> SeededRandom("example", 1).below(1000) == SeededRandom("example", 1).below(1000)
    True
    """

    __slots__ = ("_random",)

    def __init__(self, *words: object) -> None:
        self._random = Random(" ".join(map(str, words))).random

    def below(self, number: int) -> int:
        """A random number from 0 to `number` - 1."""
        return int(self._random() * number)

    def seed(self) -> int:
        """A random seed for another generator."""
        return self.below(SEED_RANGE)

    def shuffled(self, values: Iterable[T]) -> list[T]:
        """The values in random order. O(n log n)."""
        random = self._random
        keyed = [(random(), number, value) for number, value in enumerate(values)]
        return [value for *_, value in sorted(keyed, key=_key)]


def _key(keyed: tuple[float, int, object]) -> tuple[float, int]:
    return keyed[:2]
