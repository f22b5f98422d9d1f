"""`lesson`: what a technique is, in a sentence for players that do not know it, and where it is
explained in docs/techniques.md.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Lesson", "lesson"]


class Lesson(NamedTuple):
    """What a technique is."""

    about: str = ""
    """One sentence, or two."""
    section: str = ""
    """The anchor of its section in docs/techniques.md; empty if the page does not have it."""


def lesson(technique: str) -> Lesson:
    """The lesson of a technique by its name, as in `Step.technique`; an empty one if it has none.

    >>> print(lesson("sashimi X-wing").about)
    A fish that fails only because of a few more places, its fins: one of them is true, or the fish.
    """
    if technique in _RULES:
        return Lesson("A candidate is wrong if the rule cannot be kept with it.", _RULES[technique])
    return _LESSONS.get(technique) or _of_family(technique)


def _of_family(technique: str) -> Lesson:
    return next((found for part, found in _FAMILIES if part in technique), Lesson())


_SUBSET = "naked-pair-triple"
_HIDDEN = "hidden-pair-triple"
_PAIRS = "skyscraper-two-string-kite-turbot-fish-empty-rectangle"
_CHAINS = "x-chain-xy-chain-alternating-inference-chain"
_SETS = "als-xz-als-xy-wing"

_LESSONS = {
    "full house": Lesson("The last empty cell of a house takes its last digit.", "full-house"),
    "hidden single": Lesson("A digit has only one place left in a house.", "hidden-single"),
    "naked single": Lesson("A cell has only one candidate left.", "naked-single"),
    "locked candidates (pointing)": Lesson(
        "All places for a digit in a box are on one line, so the rest of the line cannot have it.",
        "locked-candidates",
    ),
    "locked candidates (claiming)": Lesson(
        "All places for a digit on a line are in one box, so the rest of the box cannot have it.",
        "locked-candidates",
    ),
    "locked pair": Lesson(
        "Two cells on a line and in a box have the same two candidates, which both houses lose.",
        _SUBSET,
    ),
    "locked triple": Lesson(
        "Three cells on a line and in a box have three candidates in all, which both houses lose.",
        _SUBSET,
    ),
    "naked pair": Lesson(
        "Two cells of a house have the same two candidates, so no other cell of it has them.",
        _SUBSET,
    ),
    "naked triple": Lesson(
        "Three cells of a house have three candidates in all, so no other cell of it has them.",
        _SUBSET,
    ),
    "naked quad": Lesson(
        "Four cells of a house have four candidates in all, so no other cell of it has them.",
        "naked-and-hidden-quads",
    ),
    "hidden pair": Lesson(
        "Two digits have only the same two places in a house, so these cells have no others.",
        _HIDDEN,
    ),
    "hidden triple": Lesson(
        "Three digits have only three places in a house, so these cells have no others.", _HIDDEN
    ),
    "hidden quad": Lesson(
        "Four digits have only four places in a house, so these cells have no others.",
        "naked-and-hidden-quads",
    ),
    "BUG+1": Lesson(
        "Without one candidate, every cell would have two candidates and every digit two places in "
        "each house, which leaves two solutions or none; so this candidate is true.",
        "bug1",
    ),
    "X-wing": Lesson(
        "In two lines all places for a digit are in the same two crossing lines, whose other cells "
        "cannot have it.",
        "x-wing",
    ),
    "swordfish": Lesson(
        "In three lines all places for a digit are in the same three crossing lines, whose other "
        "cells cannot have it.",
        "swordfish",
    ),
    "jellyfish": Lesson(
        "In four lines all places for a digit are in the same four crossing lines, whose other "
        "cells cannot have it.",
        "jellyfish-and-larger-fish-with-fins",
    ),
    "empty rectangle": Lesson(
        "In a box all places for a digit are on one row and one column; a pair of places elsewhere "
        "links them.",
        _PAIRS,
    ),
    "remote pairs": Lesson(
        "Cells with the same two candidates, each of which sees the next, hold the two digits in "
        "turns.",
        "remote-pairs",
    ),
    "W-wing": Lesson(
        "Two cells have the same two candidates, and one of the digits has two places in a house, "
        "each seen by one of the cells: so one of them holds the other digit.",
        "w-wing",
    ),
    "XY-wing": Lesson(
        "A cell with two candidates sees two others; whichever digit it is, one of these two holds "
        "their common digit.",
        "xy-wing-xyz-wing",
    ),
    "XYZ-wing": Lesson(
        "A cell with three candidates sees two others; whichever digit it is, one of the three "
        "holds their common digit.",
        "xy-wing-xyz-wing",
    ),
    "multi-colors 1": Lesson(
        "Two groups of pairs of one digit are colored; two colors that see each other cannot both "
        "be true, so one of the two opposite ones is.",
        "multi-colors",
    ),
    "multi-colors 2": Lesson(
        "Two groups of pairs of one digit are colored; a color that sees both colors of the other "
        "group is false.",
        "multi-colors",
    ),
    "simple colors (trap)": Lesson(
        "The places of a digit that come in pairs are colored with two colors, one of which is "
        "true; a cell that sees both colors cannot have the digit.",
        "simple-colors",
    ),
    "simple colors (wrap)": Lesson(
        "The places of a digit that come in pairs are colored with two colors, one of which is "
        "true; a color whose own cells see each other is false.",
        "simple-colors",
    ),
    "X-chain": Lesson(
        "A chain of places of one digit: if one end is false, the other end is true.", _CHAINS
    ),
    "XY-chain": Lesson(
        "A chain of cells with two candidates each: if one end is false, the other end is true.",
        _CHAINS,
    ),
    "sue de coq": Lesson(
        "Cells where a box and a line cross, with a few others of each, have as many digits as "
        "cells, so each digit is used up."
    ),
    "ALS-XZ": Lesson(
        "Two almost locked sets, cells with one candidate more than cells: only one of them can "
        "have a common digit, so one of them has all its others.",
        _SETS,
    ),
    "ALS-XY-wing": Lesson(
        "Three almost locked sets, cells with one candidate more than cells: the middle one can "
        "lack only one digit, so one of the other two has all its others.",
        _SETS,
    ),
    "death blossom": Lesson(
        "Each candidate of a cell takes a digit from an almost locked set; one of these sets then "
        "holds all its others.",
        "death-blossom",
    ),
    "franken fish": Lesson(
        "A fish with boxes among its houses: in n houses all places for a digit are in n others, "
        "whose other cells cannot have it, or a fin is true."
    ),
    "mutant fish": Lesson(
        "A fish of rows, columns and boxes in any mixture: in n houses all places for a digit are "
        "in n others, whose other cells cannot have it, or a fin is true."
    ),
    "template set": Lesson("Every way to place a digit in the whole grid has it in these cells."),
    "template delete": Lesson("No way to place a digit in the whole grid has it in these cells."),
    "forcing net": Lesson(
        "A candidate is assumed, and the singles that follow end in a contradiction.",
        "extreme-forcing",
    ),
    "nested forcing net": Lesson(
        "A candidate is assumed; what follows, with further assumptions on the way, ends in a "
        "contradiction.",
        "extreme-forcing",
    ),
    "combination net": Lesson(
        "A candidate is assumed; what follows by singles, by the rules, and by the cages of whole "
        "houses, ends in a contradiction.",
        "rule-nets-and-combination-nets",
    ),
    "killer subset": Lesson(
        "Cages and cells of a house have some digits in every combination, so the rest of the "
        "house does not have them.",
        "killer-subsets",
    ),
    "conflicting combinations": Lesson(
        "Cages and cells of a house have no digit in common, so combinations that leave nothing "
        "for the others are wrong.",
        "conflicting-combinations",
    ),
    "common conflict": Lesson(
        "Every candidate of a cell, or every place of a digit in a house, excludes the same "
        "candidate, by houses or by rules.",
        "common-conflict",
    ),
    "cage combinations": Lesson(
        "Only some combinations of digits have the sum of a cage; a candidate in none of them is "
        "wrong.",
        "cage-combinations",
    ),
    "single combination": Lesson(
        "Only one combination of digits has the sum of a cage, or of its empty cells.",
        "cage-combinations",
    ),
    "cage-house interaction": Lesson(
        "Every combination of a cage has a digit, so cells that see all its places in the cage "
        "cannot have it.",
        "cage-house-interaction",
    ),
    "rule-house interaction": Lesson(
        "A rule needs a digit, so cells that see all its places among the cells of the rule cannot "
        "have it.",
        "rule-house-interaction",
    ),
    "innies and outies": Lesson(
        "The digits of a house have a known sum (45 on a 9x9 grid); without the cages inside, the "
        "sum of the cells that remain is known.",
        "innies-and-outies-the-rule-of-45",
    ),
    "rule of 45": Lesson(
        "The digits of a house have a known sum (45 on a 9x9 grid); the cages say how much of it "
        "is left for one cell, or how much one cell outside has.",
        "innies-and-outies-the-rule-of-45",
    ),
    "rule net": Lesson(
        "A candidate is assumed: what follows, by singles and by the rules, ends in a "
        "contradiction, so it is wrong.",
        "rule-nets-and-combination-nets",
    ),
    "trial": Lesson("No other candidate of the cell leaves a solution.", "extreme-forcing"),
}

_RULES = {
    "arrow": "arrows",
    "inequality": "inequalities-and-thermometers",
    "kropki dot": "dots-x-and-v",
    "line": "lines",
    "little killer": "little-killers-and-clues-outside-the-grid",
    "outside clue": "little-killers-and-clues-outside-the-grid",
    "rule": "other-rules",
    "thermometer": "inequalities-and-thermometers",
    "XV pair": "dots-x-and-v",
}
"""Techniques about one rule, and their sections."""

_FAMILIES = [
    (
        "unique rectangle",
        Lesson(
            "Four cells in two boxes with only two digits could be swapped, so the puzzle would "
            "have two solutions: one of them has another digit.",
            "unique-rectangles",
        ),
    ),
    (
        "hidden rectangle",
        Lesson(
            "Four cells in two boxes with only two digits could be swapped, so the puzzle would "
            "have two solutions; here that excludes one of the digits.",
            "unique-rectangles",
        ),
    ),
    (
        "avoidable rectangle",
        Lesson(
            "Four cells in two boxes, none of them given, with only two digits could be swapped, "
            "so the puzzle would have two solutions.",
            "unique-rectangles",
        ),
    ),
    ("empty rectangle", _LESSONS["empty rectangle"]),
    *(
        (
            name,
            Lesson(
                "A digit has only two places in each of two houses, and one place of each sees the "
                "other: so one of the other two places holds it.",
                _PAIRS,
            ),
        )
        for name in ("skyscraper", "two-string kite", "turbot fish")
    ),
    *(
        (
            name,
            Lesson(
                "A fish that fails only because of a few more places, its fins: one of them is "
                "true, or the fish.",
                "finned-fish",
            ),
        )
        for name in ("finned", "sashimi", "siamese")
    ),
    *(
        (
            f"innies and outies of {count} houses",
            Lesson(
                "The digits of several houses have a known sum; without the cages inside, the sum "
                "of the cells that remain is known.",
                "innies-and-outies-the-rule-of-45",
            ),
        )
        for count in (2, 3, 4)
    ),
    (
        "AIC with ALS",
        Lesson(
            "A chain with almost locked sets, cells with one candidate more than cells, which hold "
            "all their other digits without one: if one end is false, the other end is true.",
            "aic-with-als",
        ),
    ),
    (
        "discontinuous nice loop",
        Lesson(
            "A chain that leads from a candidate to its own opposite: what it assumes is wrong.",
            _CHAINS,
        ),
    ),
    (
        "continuous nice loop",
        Lesson(
            "A chain that closes on itself: of every two neighbours in it one is true.", _CHAINS
        ),
    ),
    *(
        (name, Lesson("A chain: if one end is false, the other end is true.", _CHAINS))
        for name in ("inference chain", "grouped AIC")
    ),
]
"""Parts of names, for techniques with several variants; the first that fits counts."""
