"""Random probes over `dlx.links.matrix`: the reference implementation for the kernel's.

The numbers of a probe are integers and their means are fractions, so nothing is rounded before the
end. The random numbers are those of the kernel (dlx/cpp/estimate/probes.hpp), so both make the
same probes.

>>> from dlx.links.matrix import Matrix
>>> probes = PythonProbes(Matrix("ab", options=["a", "a", "b", "ab"]), [], seed=1)
>>> probes.run(3)
3
>>> probes.nodes
[3, 3, 7]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from dlx.links.heuristics import choose_by
from dlx.links.multiplicities import MultipleHeader

if TYPE_CHECKING:
    from dlx.engines.protocols import Moments
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Header, Matrix, Node

__all__ = ["PythonProbes", "RandomNumbers"]

MASK = 2**64 - 1


class RandomNumbers:
    """The kernel's random number generator: SplitMix64, with unbiased numbers below a bound.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).

    >>> hex(RandomNumbers(0).next())
    '0xe220a8397b1dcdaf'
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & MASK

    def next(self) -> int:
        """A random number from 0 to 2^64 - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        mixed = self._state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """A random number from 0 to bound - 1, all equally likely."""
        extra = 2**64 % bound
        while (number := self.next()) < extra:
            pass
        return number % bound


class PythonProbes:
    """Random probes, which are descents through the search tree of a matrix (Knuth, 1975).

    Nothing else may use the matrix meanwhile. `draw` returns a number below the number of children;
    it is random unless a test passes its own.
    """

    def __init__(
        self,
        matrix: Matrix,
        given: Sequence[int],
        seed: int,
        heuristic: str | Heuristic = "mrv",
        draw: Callable[[int], int] | None = None,
    ) -> None:
        self.matrix = matrix
        # Each probe's estimates of the numbers of nodes, of solutions, and of nodes by depth.
        self.nodes: list[int] = []
        self.solutions: list[int] = []
        self.profiles: list[list[int]] = []
        self._draw = draw or RandomNumbers(seed).below
        self._choose = self._chooser(heuristic)
        for option in given:
            matrix.force(matrix.primary_entry(option))

    def run(self, total: int, seconds: float = inf) -> int:
        """Probes until there are `total` probes or `seconds` have passed; returns their number."""
        until = time.monotonic() + seconds
        while len(self.nodes) < total and time.monotonic() < until:
            self._probe()
        return len(self.nodes)

    def moments(self) -> tuple[Moments, Moments, list[Moments]]:
        """The moments of the numbers of nodes, of solutions, and of nodes by depth."""
        depths = max(map(len, self.profiles), default=0)
        by_depth = (
            [profile[depth] if depth < len(profile) else 0 for profile in self.profiles]
            for depth in range(depths)
        )
        return _moments(self.nodes), _moments(self.solutions), list(map(_moments, by_depth))

    def _probe(self) -> None:
        matrix = self.matrix
        weights = [1]
        path: list[Node] = []
        while not matrix.uncoverable and not matrix.complete():
            header = self._choose()
            children = header.branches if isinstance(header, MultipleHeader) else header.length
            number = self._draw(children) if children > 1 else 0
            matrix.enter(header)
            node: Node = header
            for _ in range(number + 1):
                node = matrix.next_branch(node)
            matrix.take(node)
            path.append(node)
            weights.append(weights[-1] * children)
        self.nodes.append(sum(weights))
        self.solutions.append(0 if matrix.uncoverable else weights[-1])
        self.profiles.append(weights)
        for node in reversed(path):
            matrix.release(node)
            matrix.leave(node.head)

    def _chooser(self, heuristic: str | Heuristic) -> Callable[[], Header]:
        matrix = self.matrix
        if callable(heuristic):
            return lambda: choose_by(heuristic, tuple(matrix.open_headers()))
        return matrix.choose


def _moments(numbers: Sequence[int]) -> Moments:
    total, squares = sum(numbers), sum(number * number for number in numbers)
    mean = Fraction(total, len(numbers))
    return (*_parts(mean), *_parts(squares - total * mean))


def _parts(number: Fraction) -> tuple[float, int]:
    """Mantissa and exponent."""
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    scaled = number * Fraction(2) ** -exponent
    return float(scaled), exponent
