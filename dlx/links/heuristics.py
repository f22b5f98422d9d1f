"""Heuristics: the rules by which a search chooses the item to branch on.

Any open item is correct, since every solution contains an option of it. The choice determines the
size of the tree and the order of the solutions, not the set of solutions.

=============  ==================================================================================
`"mrv"`        the item with the fewest options left ("minimum remaining values"). The default, and
               best for most problems.
`"weighted"`   prefers items whose options have often led to dead ends, since they are likely to
               fail soon again. Best for problems with a hard core, such as the completion of Latin
               squares.
a function     the caller's own rule, for experiments, on the engine "python": see `Heuristic`. The
               engine may call it in another thread than the caller's.
=============  ==================================================================================

On a tie, the first item in declaration order is chosen.

The weighted rule in full: each item counts its *tries*, the options of it that the search has
tried, and its *failures*. When an option leaves an open item without options, that is a dead end,
and the item that the option was tried for has a failure. If that item had only one option, the item
chosen before it has a failure too, and so on up to the first item that had a choice, because that
choice forced the others. An item with a single option is chosen at once; otherwise the item with
the least ::

    options x ((tries + 1) / (failures + 1/2))

in double precision. All counts are 0 at the start of a search. They depend only on the tree, so
every engine chooses the same items. (For an item with a multiplicity, the branches are counted
instead of the options; "no further option" may be one: see `dlx.links.multiplicities`. With
weights, the score of `dlx.links.weights` takes the place of the number of branches.)

Source: H. Li, M. Yin and Z. Li, "Failure based variable ordering heuristics for solving CSPs"
(CP 2021), whose solver assigns items with one option by propagation; and D. E. Knuth's program
SSXCC-FRB, which counts a dead end only for the item last branched on. On Latin squares with holes,
counting it for the forced items as well takes about half as many nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, get_args

from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.links.torus import Header

__all__ = ["CHOOSERS", "HEURISTICS", "Heuristic", "HeuristicName", "check_heuristic", "choose_by"]

HeuristicName = Literal["mrv", "weighted"]
HEURISTICS: Final[tuple[HeuristicName, ...]] = get_args(HeuristicName)

Heuristic = Callable[["Sequence[Header]"], "Header"]
"""A function that takes the headers of all open items, in declaration order, and returns one of
them, the item to branch on.

Every header has at least one option. A header (`dlx.links.torus.Header`) has the `name`, the
`length`, and the counts of tries and failures; the function must not change it. In a problem with
multiplicities it is a `dlx.links.multiplicities.MultipleHeader`, which also has `branches`; with
weights a `dlx.links.weights.WeightedHeader`, which also has the `total` of the weights.
"""


def check_heuristic(heuristic: object) -> None:
    """Raises `InvalidArgument` unless it is the name of a heuristic or a callable."""
    known = isinstance(heuristic, str) and heuristic in HEURISTICS
    if not known and not callable(heuristic):
        raise InvalidArgument(
            f"there is no heuristic {quote(heuristic)}; choose one of "
            f"{', '.join(map(repr, HEURISTICS))}, or pass a function (see dlx.links.heuristics)"
        )


def choose_weighted(
    headers: Iterable[Header], branches_of: Callable[[Header], int] = attrgetter("length")
) -> Header:
    """The item that the "weighted" heuristic chooses from the open items. O(open items).

    There must be at least one, and each must have a branch. `branches_of` returns the number of
    branches of an item.
    """
    least = inf
    for header in headers:
        branches = branches_of(header)
        if branches == 1:
            return header
        # Divide before multiplying, as the kernel does, so that both round in the same way.
        score = branches * ((header.tries + 1.0) / (header.failures + 0.5))
        if score < least:
            least, best = score, header
    return best


CHOOSERS: Final = {"weighted": choose_weighted}
"""A function like `choose_weighted` for each name but "mrv", which is `Matrix.choose`."""


def choose_by(heuristic: Heuristic, headers: Sequence[Header]) -> Header:
    """The item that a caller's function chooses. Raises `InvalidArgument` if it is not open."""
    chosen = heuristic(headers)
    if not any(chosen is header for header in headers):
        raise InvalidArgument(
            f"the heuristic returned {quote(chosen)}; it must return one of the {len(headers)} "
            "headers it was given"
        )
    return chosen
