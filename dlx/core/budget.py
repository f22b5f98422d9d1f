"""`Budget`: how far a run of a search may go, and `Reason`: why it has stopped.

"No limit" is a number larger than all others, so that limits are compared and combined like any
numbers: `UNLIMITED` solutions and nodes (`dlx.core.arguments`), and the deadline `inf`.
"""

from __future__ import annotations

import time
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Literal

from dlx.core.arguments import UNLIMITED
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Budget", "Reason", "make_budget"]

Reason = Literal["finished", "solutions", "nodes", "deadline"]
"""Nothing is left; there are solutions, perhaps fewer than wanted; a limit was reached."""


class Budget(NamedTuple):
    """How far a run may go: until it reaches the first of these limits.

    solutions
        The most solutions to find.
    deadline
        A moment of `time.monotonic`.
    nodes
        The number of nodes in the `stats` of the runner itself at which it stops.

    >>> Budget(solutions=2).for_nodes(1000)
    Budget(solutions=2, deadline=inf, nodes=1000)
    >>> Budget.of(seconds=60).within(0.0).expired
    True
    """

    solutions: int = UNLIMITED
    deadline: float = inf
    nodes: int = UNLIMITED

    @classmethod
    def of(cls, solutions: int = UNLIMITED, seconds: float = inf, nodes: int = UNLIMITED) -> Budget:
        """With a number of seconds from now instead of a deadline."""
        return make_budget((solutions, time.monotonic() + seconds, nodes))

    def seconds_left(self) -> float:
        """The seconds until the deadline, at least 0."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline < inf and time.monotonic() >= self.deadline

    def with_solutions(self, solutions: int) -> Budget:
        """With this number of solutions instead."""
        return make_budget((solutions, self.deadline, self.nodes))

    def for_nodes(self, nodes: int) -> Budget:
        """With no more than this number of nodes."""
        return make_budget((self.solutions, self.deadline, min(nodes, self.nodes)))

    def within(self, seconds: float) -> Budget:
        """With no more than these seconds from now."""
        return make_budget(
            (self.solutions, min(self.deadline, time.monotonic() + seconds), self.nodes)
        )


make_budget: Callable[[tuple[int, float, int]], Budget] = partial(tuple.__new__, Budget)
"""A budget of its three limits, in half the time that the constructor takes."""
