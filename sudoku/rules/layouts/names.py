"""`named`, which makes a layout from its name, for command lines and files."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from sudoku.board.layout import Layout, checked_layout
from sudoku.board.rule import Rule
from sudoku.errors import LayoutError, nearest, shorten, shown
from sudoku.rules.clues.pairs import NoMorePairs
from sudoku.rules.dot import NoMoreDots
from sudoku.rules.layouts import clues, houses, lines, overlaps, ruled

__all__ = ["NAMES", "named"]


def _without_marks(name: str, rule: Rule, base: Layout | None) -> Layout:
    """Adds the negative rule of a kind of marks, without any mark."""
    return checked_layout(base).with_rules(rule, name=name)


_GRIDS: dict[str, Callable[[], Layout]] = {
    "butterfly": overlaps.butterfly,
    "gattai8": overlaps.gattai8,
    "latin": partial(houses.latin, 9),
    "samurai": overlaps.samurai,
    "shogun": overlaps.shogun,
    "sohei": overlaps.sohei,
    "sujiken": houses.sujiken,
    "windmill": overlaps.windmill,
}
_ADDED: dict[str, Callable[[Layout | None], Layout]] = {
    "anti-king": ruled.anti_king,
    "anti-knight": ruled.anti_knight,
    "anti-kropki": partial(_without_marks, "anti-kropki", NoMoreDots([])),
    "anti-taxicab": ruled.anti_taxicab,
    "anti-xv": partial(_without_marks, "anti-xv", NoMorePairs("sum", (5, 10), [])),
    "asterisk": houses.asterisk,
    "center-dot": houses.center_dot,
    "diagonal": houses.diagonal,
    "diagonal-non-consecutive": ruled.diagonal_non_consecutive,
    "disjoint-groups": houses.disjoint_groups,
    "girandola": houses.girandola,
    "global-entropy": ruled.global_entropy,
    "global-modular": ruled.global_modular,
    "hyper": houses.hyper,
    "non-consecutive": ruled.non_consecutive,
    "non-touching": ruled.non_touching,
}
_ALIASES = {
    "windoku": "hyper",
    "x": "diagonal",
    "sudoku-x": "diagonal",
    "gattai-8": "gattai8",
    "gattai-5": "samurai",
    "centre-dot": "center-dot",
    "center-dots": "center-dot",
    "standard": "classic",
}

NAMES = tuple(sorted(("classic", *_ADDED, *_GRIDS)))
"""The names of layouts without arguments."""


def named(name: str) -> Layout:
    """The layout of a name, or of several names joined by `+`; one part may be a box shape.

    "latin-6" is a Latin square of side 6. The rules of "anti-xv" and "anti-kropki" are those of a
    puzzle with all marks, but without any: no neighbours with the sum 5 or 10; none that are
    consecutive or one twice the other.

    >>> named("diagonal"), named("2x3")
    (<Layout diagonal: side 9, 81 cells, 29 houses, 0 rules>, Layout(2, 3))
    >>> named("4x4 + diagonal + anti-knight")
    <Layout diagonal + anti-knight: side 16, 256 cells, 50 houses, 1 rule>
    >>> named("samurais")
    Traceback (most recent call last):
    ...
    sudoku.errors.LayoutError: unknown layout 'samurais'; did you mean samurai?

    Raises `LayoutError` for an unknown name; the message suggests similar ones.
    """
    if not isinstance(name, str):
        raise LayoutError(f"{shown(name)} is not the name of a layout")
    grids: list[Callable[[], Layout]] = []
    added: dict[str, None] = {}
    for written in name.split("+"):
        part = re.sub(r"[\s_]+", "-", written.strip().lower())
        part = _ALIASES.get(part, part)
        if part == "classic":
            continue
        if part in _ADDED:
            added[part] = None
        elif part in _GRIDS:
            grids.append(_GRIDS[part])
        elif match := re.fullmatch(r"(\d{1,4})x(\d{1,4})", part):
            grids.append(partial(Layout, int(match[1]), int(match[2])))
        elif match := re.fullmatch(r"latin-(\d{1,4})", part):
            grids.append(partial(houses.latin, int(match[1])))
        else:
            raise _unknown(written.strip())
    if len(grids) > 1:
        raise LayoutError(f"{shorten(name)} has {len(grids)} grids; expected one at most")
    layout = grids[0]() if grids else Layout(3, 3)
    for part in added:
        layout = _ADDED[part](layout)
    return layout


def _unknown(name: str) -> LayoutError:
    # The functions that need the cells of their rules, and so have no name here.
    parts = (clues, houses, lines, overlaps, ruled)
    others = {each.replace("_", "-") for part in parts for each in part.__all__} - {*NAMES}
    plural = {form: rule for rule in others for form in (rule, rule[:-1], rule[:-2])}
    if rule := plural.get(re.sub(r"[\s_]+", "-", name.lower())):
        return LayoutError(
            f"the cells of {rule.replace('-', ' ')} differ from puzzle to puzzle, so that is not "
            "the name of a layout; use a file that has the rules, without a layout"
        )
    known = {**{each: each for each in NAMES}, **_ALIASES}
    return LayoutError(f"unknown layout {shorten(name)}; {nearest(name, known, 3)}")
