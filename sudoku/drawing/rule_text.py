"""The rules of a layout in sentences for players, and those that digits break.

The sentences name the shapes and colors of the pictures that `sudoku.drawing` makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from sudoku import rules
from sudoku.board.cells import SYMBOLS, Cell, cell_name
from sudoku.board.grid import Grid
from sudoku.board.layout import House, Layout
from sudoku.drawing.lines import OUTSIDE
from sudoku.drawing.rules import is_even_odd
from sudoku.errors import listed
from sudoku.rules.check import duplicates
from sudoku.rules.drawings import shapes_in_words
from sudoku.rules.layouts.ruled import CORNERS, KING, KNIGHT

__all__ = ["Violation", "rule_sentences", "sentences_of", "violations"]


class Violation(NamedTuple):
    """Some cells whose digits break a rule of the layout."""

    cells: tuple[Cell, ...]
    """The cells, as (row, column) from 1."""
    sentence: str
    """A sentence for players."""


def rule_sentences(layout: Layout) -> list[str]:
    """The rules of a layout in sentences, one for each kind of house and of rule.

    A rule of a class that is not in `sudoku.rules` has the first line of its docstring, and its
    cells. O(size of the layout).

    >>> from sudoku import layouts
    >>> for sentence in rule_sentences(layouts.killer([(3, "r1c1 r1c2")], base=layouts.diagonal())):
    ...     print(sentence)
    Each row, column and box has each of the digits 1 to 9 once.
    Both diagonals have each digit once.
    The digits in a cage differ and add up to the number in its corner.
    """
    if _is_sujiken(layout):
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
            which = ""
            if isinstance(rule, OUTSIDE):
                which = f" (the {rule.total} at {cell_name(*rule.cells[0])})"
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


def _is_sujiken(layout: Layout) -> bool:
    """Whether it has rows, columns and diagonals of any length, most of them as rules."""
    return "sujiken" in layout.name.split(" + ")


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
        if kind in _HOUSES:
            sentences.append(_HOUSES[kind])
        elif kind not in _LINES:
            every = {1: f"The {kind} has", 2: f"Both {kind}s have"}
            sentences.append(f"{every.get(len(houses), f'Each {kind} has')} each digit once.")
    return sentences


_HOUSES: Final = {
    "asterisk": "The nine shaded cells have each digit once.",
    "center": "The middle cells of the boxes have each digit once.",
    "extra region": "Each shaded region has each digit once.",
    "girandola": "The nine shaded cells have each digit once.",
    "group": "Cells in the same place of their boxes have different digits.",
    "window": "Each shaded window has each digit once.",
}

# -- rules ---------------------------------------------------------------------------------------

_ALIKE: Final[tuple[tuple[type[rules.Rule], ...], ...]] = (
    (rules.BetweenLine, rules.DoubleArrow),
    (rules.Sandwich, rules.Skyscraper, rules.XSum),
    (rules.Clone, rules.Unique),
)
"""Rules that look alike in the picture: if a layout has several of them, sentences name cells."""


def sentences_of(these: Sequence[rules.Rule], layout: Layout) -> list[str]:
    """The sentences about some rules of a layout, by the class of the rules."""
    by_class: dict[type[rules.Rule], list[rules.Rule]] = {}
    for rule in these:
        by_class.setdefault(type(rule), []).append(rule)
    found = []
    for kind, same in by_class.items():
        sentences = _KINDS.get(kind)
        if sentences is None:
            found += [_described(rule) for rule in same]
            continue
        more = [sentences] if isinstance(sentences, str) else sentences(same, layout)
        if any(kind in alike and len({*alike} & {*by_class}) > 1 for alike in _ALIKE):
            where = listed((_ends(rule) for rule in same), "and", most=10)
            more = [f"{sentence.removesuffix('.')} ({where})." for sentence in more]
        found += more
    return found


def _ends(rule: rules.Rule) -> str:
    return f"{cell_name(*rule.cells[0])} to {cell_name(*rule.cells[-1])}"


def _described(rule: rules.Rule) -> str:
    """The first line of the docstring of a rule's class, or the rule's text; with its cells."""
    written = (type(rule).__doc__ or "").strip().partition("\n")[0].rstrip(".")
    if not written:
        text = str(rule)
        return f"{text[:1].upper()}{text[1:]}."
    return f"{written} ({_named(rule.cells)})." if rule.cells else f"{written}."


def _allowed(these: Sequence[Any], layout: Layout) -> list[str]:
    shapes = [rule for rule in these if is_even_odd(rule, layout)]
    parities = {digits[0] % 2 for rule in shapes for _, digits in rule.marks}
    found = []
    if 0 in parities:
        found.append("A cell with a grey square has an even digit.")
    if 1 in parities:
        found.append("A cell with a grey circle has an odd digit.")
    if len(shapes) < len(these):
        found.append("A cell with small digits has one of them.")
    return found


def _apart(these: Sequence[Any], layout: Layout) -> Iterable[str]:
    known = {
        rules.Apart(KNIGHT): "Cells a knight's move apart have different digits.",
        rules.Apart(KING): "Cells a king's move apart have different digits.",
        rules.Apart(CORNERS): "Equal digits do not touch, not even at a corner.",
    }
    for rule in these:
        yield known.get(rule, f"Two cells have different digits if one is {_away(rule.offsets)}.")


def _away(offsets: Iterable[tuple[int, int]]) -> str:
    """The places of the second of two cells, such as "1 row below and 2 columns to the left"."""
    places = []
    for down, right in offsets:
        parts = []
        if down:
            parts.append(f"{down} row{'s' * (down != 1)} below")
        if right:
            side = "right" if right > 0 else "left"
            parts.append(f"{abs(right)} column{'s' * (abs(right) != 1)} to the {side}")
        places.append(" and ".join(parts))
    return f"{', or '.join(places)} of the other" if places else "the other"


def _arrow(these: Sequence[Any], layout: Layout) -> list[str]:
    circle = "number" if any(len(rule.circle) > 1 for rule in these) else "digit"
    return [f"The digits along an arrow, which may repeat, add up to the {circle} in its circle."]


def _cage(these: Sequence[Any], layout: Layout) -> list[str]:
    totals = {rule.total is None for rule in these}
    if totals == {True}:
        return ["The digits in a cage differ."]
    end = ", if it has one" if True in totals else ""
    return [f"The digits in a cage differ and add up to the number in its corner{end}."]


def _chaos(these: Sequence[Any], layout: Layout) -> Iterable[str]:
    digits, n = _digits(layout), layout.side
    yield (
        f"The grid has to be divided into {n} regions of {n} connected cells, each with the digits "
        f"{digits}."
    )
    if any(rule.apart for rule in these):
        yield "A thick line or red dots between two cells say that their regions differ."
    if any(rule.joined for rule in these):
        yield "Two cells that a grey line joins are in the same region."


def _distant(these: Sequence[Any], layout: Layout) -> Iterable[str]:
    for rule in these:
        yield f"Two digits differ by at least {rule.least} if one is {_away(rule.offsets)}."


def _dot(these: Sequence[Any], layout: Layout) -> list[str]:
    words = {
        "white": "A white dot is between consecutive digits.",
        "black": "A black dot is between a digit and its double.",
    }
    return [sentence for color, sentence in words.items() if color in {r.color for r in these}]


def _drawings(these: Sequence[Any], layout: Layout) -> list[str]:
    shapes = shapes_in_words(shape for rule in these for shape in rule.shapes)
    return [f"The drawings ({shapes}) may mean rules that this program does not know."]


def _entropic(these: Sequence[Any], layout: Layout) -> list[str]:
    low, symbols = these[0].low, layout.symbols
    parts = [f"{symbols[at]} to {symbols[at + low - 1]}" for at in (0, low, 2 * low)]
    return [f"Of any three neighbours on a peach line, one is of {', one of '.join(parts)}."]


def _indexer(these: Sequence[Any], layout: Layout) -> list[str]:
    words = {
        "row": "The digit of a red cell is the column of its row that has the number of the "
        "cell's column.",
        "column": "The digit of a green cell is the row of its column that has the number of the "
        "cell's row.",
        "box": "The digit of a blue cell is the place in its box that has the number of the "
        "cell's place.",
    }
    kinds = set()
    for rule in these:
        (r1, c1), (r2, c2) = min(rule.house), max(rule.house)
        kinds.add("row" if r1 == r2 else "column" if c1 == c2 else "box")
    return [sentence for kind, sentence in words.items() if kind in kinds]


def _lockout(these: Sequence[Any], layout: Layout) -> Iterable[str]:
    for least in sorted({rule.least for rule in these}):
        yield (
            f"The digits in the two diamonds of a line differ by at least {least}; no other digit "
            "of the line is equal to one of them or between them."
        )


def _no_more_pairs(these: Sequence[Any], layout: Layout) -> Iterable[str]:
    for rule in these:
        numbers = listed(map(str, rule.values), "or")
        who = "Cells with a common edge and no mark between them"
        yield f"{who} do not have the {rule.relation} {numbers}."


def _pair_sum(these: Sequence[Any], layout: Layout) -> list[str]:
    words = {10: "Two digits with an X between them have the sum 10.",
             5: "Two digits with a V between them have the sum 5."}  # fmt: skip
    values = {rule.value for rule in these}
    found = [sentence for value, sentence in words.items() if value in values]
    if values - {*words}:
        found.append("A number between two cells is the sum of their digits.")
    return found


def _quadruple(these: Sequence[Any], layout: Layout) -> list[str]:
    often = any(len({*rule.digits}) < len(rule.digits) for rule in these)
    end = ", at least as often as in the circle" if often else ""
    return [f"The digits in a circle where cells meet are all in these cells{end}."]


def _sandwich(these: Sequence[Any], layout: Layout) -> list[str]:
    what = f"the digits between 1 and {layout.symbols[-1]}"
    return [f"A number beside the grid is the sum of {what} in its row or column."]


def _unique(these: Sequence[Any], layout: Layout) -> list[str]:
    if _is_sujiken(layout):
        return ["No digit repeats in a row, a column or a diagonal of any length."]
    return ["Digits in a group of shaded cells differ."]


def _whisper(these: Sequence[Any], layout: Layout) -> Iterable[str]:
    for least in sorted({rule.least for rule in these}):
        line = "a green line" if least >= 5 else "an orange line"
        yield f"Neighbours on {line} differ by at least {least}."


_KINDS: Final[dict[type[rules.Rule], str | Callable[[Sequence[Any], Layout], Iterable[str]]]] = {
    rules.Allowed: _allowed,
    rules.Apart: _apart,
    rules.Arrow: _arrow,
    rules.BetweenLine: "The digits on a line with two circles are between the digits in the "
    "circles.",
    rules.Cage: _cage,
    rules.ChaosRegions: _chaos,
    rules.Clone: "Grey shapes of the same form have the same digits in the same places.",
    rules.Difference: "A number in a white circle is the difference of the two digits beside it.",
    rules.Distant: _distant,
    rules.Dot: _dot,
    rules.DoubleArrow: "The digits on a line with two circles add up to the sum of the digits in "
    "the circles.",
    rules.Drawings: _drawings,
    rules.EntropicLine: _entropic,
    rules.EqualSums: "The borders of the boxes divide a blue line into parts with the same sum.",
    rules.Greater: "A sign between two cells points to the smaller digit.",
    rules.Indexer: _indexer,
    rules.LittleKiller: "A number with an arrow beside the grid is the sum of the digits, which "
    "may repeat, in the direction of the arrow.",
    rules.LockoutLine: _lockout,
    rules.Maximum: "A grey cell whose angles point away from it is greater than its neighbours.",
    rules.Minimum: "A grey cell whose angles point into it is less than its neighbours.",
    rules.ModularLine: "Any three neighbours on a teal line have different remainders modulo 3.",
    rules.Nabner: "No two digits on a golden line are equal or consecutive.",
    rules.NoMoreDots: "All dots are shown: without a dot, cells with a common edge are not "
    "consecutive, and none is the double of the other.",
    rules.NoMorePairs: _no_more_pairs,
    rules.NonConsecutive: "Cells with a common edge do not have consecutive digits.",
    rules.PairSum: _pair_sum,
    rules.Palindrome: "A grey line reads the same from both ends.",
    rules.ParityLine: "Odd and even digits alternate on a red line.",
    rules.Quadruple: _quadruple,
    rules.Ratio: "A number in a black circle says how many times one digit beside it is the other.",
    rules.Renban: "A pink line has different consecutive digits in any order.",
    rules.Sandwich: _sandwich,
    rules.Skyscraper: "A number beside the grid says how many digits, seen from there, are greater "
    "than all digits before them.",
    rules.SlowThermometer: "From the bulb of a blue thermometer on, the digits rise or stay equal.",
    rules.Thermometer: "From the bulb of a thermometer on, the digits rise.",
    rules.Unique: _unique,
    rules.Whisper: _whisper,
    rules.XSum: "A number beside the grid is the sum of the first X digits, where X is the first "
    "digit.",
    rules.Zipper: "Two digits equally far from the middle of a violet line have the same sum as "
    "all others, and as the digit in the middle.",
}
