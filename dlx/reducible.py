"""The question of a `Problem` what can go from it without a change to its solutions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, cast

from dlx.questions import Questions

if TYPE_CHECKING:
    from dlx.problem import Problem
    from dlx.reduction import Reduction

__all__ = ["Reducible"]


class Reducible(Questions):
    """A `Problem` that can be reduced."""

    __slots__ = ()

    def reduced(self, *, given: Iterable[Hashable] = (), timeout: float | None = None) -> Reduction:
        """A smaller problem with the same solutions: see `dlx.Reduction`.

        Options that conflict with every option of some primary item are removed, until there are
        none: they are in no solution. Then items are: of primary items that have the same options
        all but the first, and secondary items that constrain nothing. Options keep their names, so
        that a solution of `.problem` is one of this problem as it stands. If only items were
        removed, solutions come in the same order as before; otherwise perhaps in another.

        given
            Names of options that every solution must contain: the solutions of `.problem` are
            those that do.
        timeout
            Stop after so many seconds. What was found by then is removed; `.complete` is False.

        An item of another multiplicity than 1 stays, and nothing is concluded from it. Where there
        is no solution, all options may go, and one item that then has none be left.

        Raises `UnknownOption` and `GivenClash` for givens, `InvalidArgument` for the rest. What is
        removed is what TAOCP 7.2.2.1, Algorithm P, would remove, and perhaps more. That tries every
        option against all it conflicts with; this does so for one option of each item, and again
        only for items that have lost options. O(items + entries) memory.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a", "b"], "y": ["c", "d"], "z": ["b", "c"], "w": ["a"]}
        ... )
        >>> reduction = problem.reduced()
        >>> reduction
        <dlx reduction: 2 of 4 options and 2 of 4 items removed in 1 round>
        >>> reduction.blocked, reduction.merged
        ({'z': 'd', 'w': 'b'}, {'b': 'a', 'd': 'c'})
        >>> reduction.problem.names, reduction.problem.options[0]
        (('x', 'y'), ('a',))
        """
        from dlx.reduction import reduce

        return reduce(cast("Problem", self), given, timeout)
