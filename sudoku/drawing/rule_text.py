"""The rules of a layout in sentences for players, and those that digits break.

The sentences name the shapes and colors of the pictures that `sudoku.drawing` makes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from sudoku.board.cells import SYMBOLS, Cell, cell_name
from sudoku.board.grid import Grid
from sudoku.board.layout import House, Layout
from sudoku.board.rule import Rule
from sudoku.drawing.lines import picture_of
from sudoku.errors import listed
from sudoku.rules.check import duplicates
from sudoku.rules.unique import is_sujiken

__all__ = ["HOUSES", "Violation", "rule_sentences", "sentences_of", "violations"]


class Violation(NamedTuple):
    """Some cells whose digits break a rule of the layout."""

    cells: tuple[Cell, ...]
    """The cells, as (row, column) from 1."""
    sentence: str
    """A sentence for players."""


def rule_sentences(layout: Layout) -> list[str]:
    """The rules of a layout in sentences, one for each kind of house and of rule.

    A rule without a sentence has the first line of its class's docstring, and its cells.
    O(size of the layout).

    >>> from sudoku import layouts
    >>> for sentence in rule_sentences(layouts.killer([(3, "r1c1 r1c2")], base=layouts.diagonal())):
    ...     print(sentence)
    Each row, column and box has each of the digits 1 to 9 once.
    Both diagonals have each digit once.
    The digits in a cage differ and add up to the number in its corner.
    """
    if is_sujiken(layout):
        found = [f"Each box has each of the digits {_digits(layout)} once."]
    else:
        found = _house_sentences(layout)
    return list(dict.fromkeys([*found, *sentences_of(layout.rules, layout)]))


def violations(grid: Grid) -> list[Violation]:
    """The houses and rules that the digits of a grid break for certain; cells may be empty.

    >>> from sudoku import Grid, Layout
    >>> violations(Grid("11.. .... .... ...1"))[0].sentence
    'r1c1 and r1c2 are both 1 (row 1 and box 1).'

    O(size of the layout), without a search.
    """
    found = []
    houses: dict[tuple[tuple[Cell, ...], int | None], list[str]] = {}
    for flaw in duplicates(grid):
        houses.setdefault((flaw.cells, flaw.digit), []).append(flaw.house or "")
    for (cells, digit), names in houses.items():
        both = "both" if len(cells) == 2 else "all"
        what = SYMBOLS[(digit or 1) - 1]
        where = listed(names, "and")
        found.append(Violation(cells, f"{_named(cells)} are {both} {what} ({where})."))
    values = grid.values if grid.layout.rules else {}
    for rule in grid.layout.rules:
        wrong = rule.broken(values)
        if wrong:
            meaning = " ".join(sentences_of([rule], grid.layout))
            verb = "breaks" if len(wrong) == 1 else "break"
            which, clue = "", cast("Any", rule)
            if picture_of(type(rule)) == "number outside":
                which = f" (the {clue.total} at {cell_name(*rule.cells[0])})"
            sentence = f"{_named(sorted(wrong))} {verb} a rule{which}: {meaning}"
            found.append(Violation(tuple(sorted(wrong)), sentence))
    return found


def _named(cells: Sequence[Cell]) -> str:
    return listed((cell_name(*cell) for cell in cells), "and", most=10)


# -- houses --------------------------------------------------------------------------------------

_LINES: Final = ("row", "column", "box", "region")  # the kinds that one sentence names together


def _digits(layout: Layout) -> str:
    """The symbols of a layout, such as "1 to 9 and A to G"."""
    letters = layout.symbols[9:35]
    parts = [f"1 to {layout.symbols[:9][-1]}"]
    if letters:
        parts.append("A" if letters == "A" else f"A to {letters[-1]}")
    return listed([*parts, *layout.symbols[35:]], "and")


def _house_sentences(layout: Layout) -> list[str]:
    """A sentence for rows, columns, boxes and regions, and one for each other kind of house."""
    kinds: dict[str, list[House]] = {}
    grids = set()
    for house in layout.houses:
        found = re.fullmatch(r"grid (\d+) (.+)", house.kind)
        if found:
            grids.add(found[1])
        kinds.setdefault(found[2] if found else house.kind, []).append(house)
    lines = [kind for kind in kinds if kind in _LINES]
    sentences = []
    if lines:
        where = f" of each of the {len(grids)} grids" if grids else ""
        what = f"has each of the digits {_digits(layout)} once"
        sentences.append(f"Each {listed(lines, 'and')}{where} {what}.")
    for kind, houses in kinds.items():
        if kind in HOUSES:
            sentences.append(HOUSES[kind])
        elif kind not in _LINES:
            every = {1: f"The {kind} has", 2: f"Both {kind}s have"}
            sentences.append(f"{every.get(len(houses), f'Each {kind} has')} each digit once.")
    return sentences


HOUSES: Final = {
    "asterisk": "The nine shaded cells have each digit once.",
    "center": "The middle cells of the boxes have each digit once.",
    "extra region": "Each shaded region has each digit once.",
    "girandola": "The nine shaded cells have each digit once.",
    "group": "Cells in the same place of their boxes have different digits.",
    "window": "Each shaded window has each digit once.",
}
"""Sentences about houses of these kinds."""

# -- rules ---------------------------------------------------------------------------------------


def sentences_of(these: Sequence[Rule], layout: Layout) -> list[str]:
    """The sentences about some rules of a layout, by the class of the rules.

    Where rules of several classes have the same picture, sentences name cells.
    """
    by_class: dict[type[Rule], list[Rule]] = {}
    for rule in these:
        by_class.setdefault(type(rule), []).append(rule)
    pictures = [picture_of(kind) for kind in by_class]
    found = []
    for kind, same in by_class.items():
        if not {"sentence", "sentences"} & {*vars(kind)}:
            found += [_described(rule) for rule in same]
            continue
        more = kind.sentences(same, layout)
        shared = picture_of(kind) and pictures.count(picture_of(kind)) > 1
        if shared and all(rule.cells for rule in same):
            where = listed((_ends(rule) for rule in same), "and", most=10)
            more = [f"{sentence.removesuffix('.')} ({where})." for sentence in more]
        found += more
    return found


def _ends(rule: Rule) -> str:
    return f"{cell_name(*rule.cells[0])} to {cell_name(*rule.cells[-1])}"


def _described(rule: Rule) -> str:
    """The first line of the docstring of a rule's class, or the rule's text; with its cells."""
    written = (type(rule).__doc__ or "").strip().partition("\n")[0].rstrip(".")
    if not written:
        text = str(rule)
        return f"{text[:1].upper()}{text[1:]}."
    return f"{written} ({_named(rule.cells)})." if rule.cells else f"{written}."
