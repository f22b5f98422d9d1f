"""How a search chooses the item to branch on.

Any open item would do: some option of it must be chosen sooner or later. The choice decides how
large the tree gets, and the order of the solutions, but not which solutions there are.

=============  ==================================================================================
`"mrv"`        the item with the fewest options left ("minimum remaining values"). Right for most
               problems, and the default.
`"weighted"`   items that keep leading to dead ends come earlier, their options being likely to
               fail soon once more. Right for problems with a hard core, such as the completion of
               Latin squares.
a function     a rule of one's own, for experiments, on the engine "python": see `Heuristic`. It
               may be called from another thread than the one that searches.
=============  ==================================================================================

Of several items that are equally good, the first in declaration order is chosen.

The weighted rule, in full. Each item counts its *tries*, the options of it that the search has
tried, and its *failures*. When an option that is tried turns out to be a dead end at once, because
it leaves an open item without an option, the item it was tried for has a failure; and if that item
had no other option, then so has the item chosen before it, and so on back to the first that had a
choice, for the dead end is its doing as well. An item with a single option is chosen at once;
otherwise the one with the least ::

    options x ((tries + 1) / (failures + 1/2))

in double precision. All counts are 0 when a search begins. They depend on the tree alone, so that
every engine chooses the same items. (Of an item with a multiplicity it is not its options that are
counted but its branches, of which "no more options" may be one: see `dlx.links.multiplicities`.)

Source: H. Li, M. Yin and Z. Li, "Failure based variable ordering heuristics for solving CSPs"
(CP 2021), where the items that we call forced are left to propagation; and D. E. Knuth's program
SSXCC-FRB, which counts a dead end against the item last branched on. On Latin squares with holes,
sharing it with the forced items takes about half as many nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING

from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.links.torus import Header

__all__ = ["HEURISTICS", "Heuristic", "check_heuristic", "choose_by", "choose_weighted"]

HEURISTICS = ("mrv", "weighted")

Heuristic = Callable[["Sequence[Header]"], "Header"]
"""Is given the headers of all open items, in declaration order; returns the one to branch on.

None of them is without options. `dlx.links.matrix.Header` has the `name`, the `length` and what is
known of the past; nothing of it may be changed. In a problem with multiplicities it is a
`dlx.links.multiplicities.MultipleHeader`, which has the number of `branches` too.
"""


def check_heuristic(heuristic: object) -> None:
    """Raises `InvalidArgument` unless it is the name of a heuristic, or can be called."""
    known = isinstance(heuristic, str) and heuristic in HEURISTICS
    if not known and not callable(heuristic):
        raise InvalidArgument(
            f"there is no heuristic {quote(heuristic)}; choose one of "
            f"{', '.join(map(repr, HEURISTICS))}, or write a function (see dlx.links.heuristics)"
        )


def choose_weighted(
    headers: Iterable[Header], branches_of: Callable[[Header], int] = attrgetter("length")
) -> Header:
    """The choice of the "weighted" heuristic among the open items. O(open items).

    There must be an open item, and none may be without options. `branches_of` tells how many
    branches an item has.
    """
    least = inf
    for header in headers:
        branches = branches_of(header)
        if branches == 1:
            return header
        # Dividing before multiplying, as the kernel does: the two round alike.
        score = branches * ((header.tries + 1.0) / (header.failures + 0.5))
        if score < least:
            least, best = score, header
    return best


def choose_by(heuristic: Heuristic, headers: Sequence[Header]) -> Header:
    """The choice of a caller's heuristic. Raises `InvalidArgument` if it is no open item."""
    chosen = heuristic(headers)
    if not any(chosen is header for header in headers):
        raise InvalidArgument(
            f"the heuristic returned {quote(chosen)}; it must return one of the {len(headers)} "
            "headers it was given"
        )
    return chosen
