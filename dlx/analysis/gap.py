"""The gap of a solution, and when a search for the cheapest ones may stop: `StoppingRule`.

Costs are those to minimize, as integers of one unit (`dlx.core.costs`): comparisons are exact.
"""

from __future__ import annotations

from math import inf, ulp
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.costs import rational
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["StoppingRule", "relative_gap"]


class StoppingRule(NamedTuple):
    """A search may stop when its last solution is within this gap, or costs at most `target`."""

    gap: Fraction
    target: Fraction | None

    @classmethod
    def checked(cls, gap: object, target: object) -> StoppingRule | None:
        """The rule of two arguments; None if they are the defaults. Raises `InvalidArgument`."""
        if isinstance(gap, float) and gap == 0 and target is None:
            return None  # without the imports of `rational`, which take longer than a short search
        found, wanted = rational(gap), rational(target)
        if found is None or not 0 <= found[0] <= 1:
            raise InvalidArgument(
                f"gap is {quote(gap)}; it must be a number from 0 to 1, such as 0.01 for 1 %"
            )
        if wanted is None and target is not None:
            raise InvalidArgument(f"target is {quote(target)}; it must be a finite number, or None")
        if not found[0] and wanted is None:
            return None
        return cls(found[0], None if wanted is None else wanted[0])

    def scaled(self, factor: int) -> StoppingRule:
        """The rule for costs that are multiplied by this factor."""
        return self._replace(target=None if self.target is None else factor * self.target)

    def reason(self, cost: int, bound: int | None) -> str | None:
        """Why a search stops whose last solution has this cost: "gap", "target", or None.

        A gap of 0 stops none: such a search ends by itself, with its ties in order.
        """
        if self.gap and bound is not None and cost - bound <= self.gap * abs(cost):
            return "gap"
        return None if self.target is None or cost > self.target else "target"


def relative_gap(cost: int | None, bound: int | None) -> float:
    """How far a bound is below a cost, in parts of the absolute cost, as the nearest float.

    0 only if the bound is not below the cost; infinite if the cost is 0, or if one is unknown.

    >>> relative_gap(12, 9), relative_gap(-8, -12), relative_gap(0, -1), relative_gap(7, 9)
    (0.25, 0.5, inf, 0.0)
    """
    if cost is None or bound is None:
        return inf
    if bound >= cost:
        return 0.0
    try:
        return max((cost - bound) / abs(cost), ulp(0.0))
    except (ZeroDivisionError, OverflowError):
        return inf
