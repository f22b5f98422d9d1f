"""All techniques, from the easiest to the hardest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dlx import InvalidArgument
from sudoku.board.cells import is_iterable
from sudoku.errors import nearest, shown
from sudoku.hinting.rule_techniques import (  # noqa: F401 - registers its techniques
    combinations,
    house_combinations,
    innies_and_outies,
    rule_nets,
)
from sudoku.hinting.technique import BANDS, Technique, registered
from sudoku.hinting.techniques import (  # noqa: F401 - registers its techniques
    als,
    chains,
    coloring,
    fish,
    forcing,
    intersections,
    single_digit,
    singles,
    subsets,
    sue_de_coq,
    templates,
    uniqueness,
    wings,
)

__all__ = [
    "ALL_HINT_TECHNIQUES",
    "BANDS",
    "BOX_SINGLE",
    "HINT_TECHNIQUES",
    "RATING_TECHNIQUES",
    "TECHNIQUES",
    "Technique",
    "band_index",
    "chosen",
]

SMALL = 6
"""The side below which grids have a scale of their own for gentle puzzles: see `band_index`."""

ORDER = """
full house, hidden single, naked single
inequality, kropki dot, XV pair, cage combinations, thermometer, arrow, rule
locked pair, locked triple, locked candidates (pointing), locked candidates (claiming)
common conflict, cage-house interaction, rule-house interaction, innies and outies
line, little killer, outside clue
naked pair, hidden pair, naked triple, hidden triple
innies and outies of 2 houses, innies and outies of 3 houses, innies and outies of 4 houses
naked quad, hidden quad, killer subset, conflicting combinations, BUG+1, X-wing
skyscraper, two-string kite, turbot fish, empty rectangle, remote pairs
W-wing, XY-wing, simple colors (trap), simple colors (wrap)
unique rectangle 1, unique rectangle 2, unique rectangle 3
unique rectangle 4, unique rectangle 5, unique rectangle 6
hidden rectangle, avoidable rectangle 1, avoidable rectangle 2
swordfish, XYZ-wing, finned X-wing, sashimi X-wing
jellyfish, finned swordfish, sashimi swordfish, multi-colors 1, multi-colors 2
finned jellyfish, sashimi jellyfish
X-chain, XY-chain, alternating inference chain, grouped AIC
continuous nice loop, discontinuous nice loop
grouped continuous nice loop, grouped discontinuous nice loop
sue de coq, ALS-XZ, ALS-XY-wing, AIC with ALS
continuous nice loop with ALS, discontinuous nice loop with ALS
death blossom, franken fish, mutant fish, template set, template delete
forcing net, rule net, combination net, nested forcing net, trial
dual two-string kite, dual empty rectangle, siamese fish
"""
"""The names of all techniques but "hidden single in a box": first those that hints try, from the
easiest to the hardest, then the variants."""

_BY_NAME = registered()

TECHNIQUES = tuple(_BY_NAME[name] for name in ORDER.strip().replace("\n", ", ").split(", "))
"""All techniques, in the order in which they are tried; the variants are never tried."""

HINT_TECHNIQUES = tuple(
    technique for technique in TECHNIQUES if technique.use in ("usual", "proof")
)
"""The techniques that hints use by default."""

BOX_SINGLE = _BY_NAME["hidden single in a box"]
"""The hidden singles that are found without looking along rows and columns. Sudoku Explainer rates
them 1.2, the others 1.5; hints try them first, and call them hidden singles too."""

_RATED = [technique for technique in HINT_TECHNIQUES if technique.use == "usual"]
RATING_TECHNIQUES = (_RATED[0], BOX_SINGLE, *_RATED[1:])
"""The techniques that ratings use: after full houses, hidden singles in boxes, then in lines."""

ALL_HINT_TECHNIQUES = tuple(technique for technique in TECHNIQUES if technique.use != "variant")
"""The techniques that hints use with `every=True`: the rare ones too."""


def chosen(
    names: str | Iterable[str], usual: Sequence[Technique] = HINT_TECHNIQUES
) -> tuple[Technique, ...]:
    """The techniques of these names, in this order; a text has the names with commas between them.

    A band means all its usual techniques. A name with a minus sign before it is left out; a list
    that begins with one starts from all usual techniques. Upper and lower case are the same.

    >>> full_house, x_wing = chosen("full house, X-wing")
    >>> x_wing in chosen("hard"), x_wing in chosen(["hard", "-X-wing"]), x_wing in chosen("-easy")
    (True, False, True)

    Raises `InvalidArgument` for an unknown name, and if no technique is left.
    """
    words = names.split(",") if isinstance(names, str) else names
    if not is_iterable(words):
        raise InvalidArgument(f"techniques are {shown(names)}; they must be a list of names")
    known = {one.name.lower(): [one] for one in (*TECHNIQUES, BOX_SINGLE)}
    known |= {band: [one for one in usual if one.band == band] for band in BANDS}
    found: dict[str, Technique] = {}
    for number, word in enumerate(words):
        name = word.strip().lower() if isinstance(word, str) else shown(word)
        if name.startswith("-") and not number:
            found = {one.name: one for one in usual}
        if not name:  # a comma at the end
            continue
        some = known.get(name.removeprefix("-").strip())
        if some is None:
            spelled = {lower: ones[0].name for lower, ones in known.items() if lower not in BANDS}
            near = nearest(name.removeprefix("-"), spelled, 3)
            raise InvalidArgument(f"unknown technique {shown(word)}; {near}")
        for one in some:
            if name.startswith("-"):
                found.pop(one.name, None)
            else:
                found[one.name] = one
    if not found:
        raise InvalidArgument("no technique is left; name at least one")
    return tuple(found.values())


def band_index(technique: Technique, side: int) -> int:
    """The index in `BANDS` of a technique on grids with that side.

    On grids with a side below `SMALL`, hidden singles in boxes are easy, not gentle: they solve
    every 4x4 puzzle, and only full houses are easier.
    """
    band = BANDS.index(technique.band)
    return max(band, 1) if technique is BOX_SINGLE and side < SMALL else band
