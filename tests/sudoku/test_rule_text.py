"""Rules in sentences for players, and the rules that digits break."""

from __future__ import annotations

import random

import pytest
from example_puzzles import REGIONS
from format_examples import EVERY_RULE

import sudoku
from sudoku import Grid, Layout, layouts, rules
from sudoku.drawing.lines import picture_of
from sudoku.drawing.rule_text import rule_sentences, violations
from sudoku.drawing.rules import OVER, UNDER
from sudoku.formats.json_format.layouts import KINDS

NINE = "Each row, column and box has each of the digits 1 to 9 once."


def words(*some: rules.Rule) -> list[str]:
    first, *others = rule_sentences(Layout(3, 3).with_rules(*some))
    assert first == NINE
    return others


def test_every_rule_has_a_sentence() -> None:
    for rule in EVERY_RULE:
        for sentence in words(rule):
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert sentence.count(".") == 1
    for name, kind in KINDS.items():
        assert {"sentence", "sentences"} & {*vars(kind)}, f"add a `sentence` to the class {name}"
        known = {"", *UNDER, *OVER}
        assert picture_of(kind) in known, f"add {kind.picture!r} to a table of sudoku.drawing.rules"


def test_what_a_subclass_means_is_its_own() -> None:
    class First(rules.Thermometer):
        """The first cells rise."""

        __slots__ = ()

    (sentence,) = words(First("r1c1 r1c2"))
    assert sentence == "The first cells rise (r1c1 and r1c2)."
    mine = {"__slots__": (), "sentence": "A product.", "picture": "white number"}
    rule = type("Product", (rules.Ratio,), mine)(4, "r1c1", "r1c2")
    assert words(rule) == ["A product."]
    pictures = {
        Grid("." * 81, layout=Layout(3, 3).with_rules(each)).to_svg()
        for each in (rule, rules.Difference(4, "r1c1", "r1c2"))
    }
    assert len(pictures) == 1
    bare, drawn = (
        Grid("." * 81, layout=Layout(3, 3).with_rules(kind("r1c1 r1c2"))).to_svg()
        for kind in (First, rules.Thermometer)
    )
    assert "<circle" not in bare
    assert "<circle" in drawn


def test_a_kind_of_rule_is_said_once() -> None:
    cages = [rules.Cage(10, "r1c1 r1c2"), rules.Cage(9, "r2c1 r2c2")]
    assert words(*cages) == ["The digits in a cage differ and add up to the number in its corner."]
    assert words(*cages, rules.Cage(None, "r3c1 r3c2")) == [
        "The digits in a cage differ and add up to the number in its corner, if it has one."
    ]
    assert words(rules.Cage(None, "r3c1 r3c2")) == ["The digits in a cage differ."]
    assert len(words(rules.Whisper(5, "r1c1 r1c2"), rules.Whisper(4, "r2c1 r2c2"))) == 2


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (rules.Allowed({"r1c1": [2, 4, 6, 8]}), "A cell with a grey square has an even digit."),
        (rules.Allowed({"r1c1": [1, 3, 5, 7, 9]}), "A cell with a grey circle has an odd digit."),
        (rules.Allowed({"r1c1": [2, 3]}), "A cell with small digits has one of them."),
        (
            rules.Apart([(1, -2), (0, 3)]),
            "Two cells have different digits if one is 3 columns to the right, or 1 row below and "
            "2 columns to the left of the other.",
        ),
        (
            rules.EntropicLine(3, "r1c1 r1c2 r1c3"),
            "Of any three neighbours on a peach line, one is of 1 to 3, one of 4 to 6, one of 7 "
            "to 9.",
        ),
        (
            rules.PairSum(7, "r1c1", "r1c2"),
            "A number between two cells is the sum of their digits.",
        ),
    ],
)
def test_sentences_that_depend_on_the_rule(rule: rules.Rule, sentence: str) -> None:
    assert words(rule) == [sentence]


@pytest.mark.parametrize(
    ("layout", "sentences"),
    [
        (Layout(4, 4), ["Each row, column and box has each of the digits 1 to 9 and A to G once."]),
        (Layout(2, 5), ["Each row, column and box has each of the digits 1 to 9 and A once."]),
        (layouts.latin(5), ["Each row and column has each of the digits 1 to 5 once."]),
        (
            layouts.jigsaw(REGIONS),
            ["Each row, column and region has each of the digits 1 to 9 once."],
        ),
        (layouts.diagonal(), [NINE, "Both diagonals have each digit once."]),
        (
            layouts.samurai(),
            ["Each row, column and box of each of the 5 grids has each of the digits 1 to 9 once."],
        ),
        (
            layouts.sujiken(),
            [
                "Each box has each of the digits 1 to 9 once.",
                "No digit repeats in a row, a column or a diagonal of any length.",
            ],
        ),
        (
            Layout(2, 2).with_houses("ring", [(1, 1), (1, 4), (4, 1), (4, 4)]),
            [
                "Each row, column and box has each of the digits 1 to 4 once.",
                "The ring has each digit once.",
            ],
        ),
    ],
    ids=str,
)
def test_houses(layout: Layout, sentences: list[str]) -> None:
    assert rule_sentences(layout) == sentences


def test_rules_that_look_alike_name_their_cells() -> None:
    between, double = rules.BetweenLine("r1c1 r1c2 r1c3"), rules.DoubleArrow("r2c1 r2c2 r2c3")
    assert not any("r1c1" in sentence for sentence in words(between))
    first, second = words(between, double)
    assert "(r1c1 to r1c3)" in first
    assert "(r2c1 to r2c3)" in second


class Largest(rules.Rule):
    """A cell that has the largest digit.

    More about it.
    """

    __slots__ = ("cells",)
    fields = ("cells",)

    def __init__(self, cells: tuple[tuple[int, int], ...]) -> None:
        self._fill(cells=cells)


class Plain(Largest):
    __slots__ = ()
    kind = "plain cells"


def test_rules_of_users_have_their_docstring() -> None:
    assert words(Largest(((1, 1),)), Largest(((1, 2),))) == [
        "A cell that has the largest digit (r1c1).",
        "A cell that has the largest digit (r1c2).",
    ]
    assert words(Plain(((1, 1), (2, 2)))) == ["Plain cells r1c1 r2c2."]


@pytest.mark.parametrize(
    "name", ["classic", "diagonal", "samurai", "anti-knight", "non-consecutive", "sujiken"]
)
def test_a_solution_breaks_no_rule_and_a_changed_one_does(name: str) -> None:
    layout = layouts.named(name)
    grid = sudoku.solve(Grid.from_cells((0,) * layout.size, layout))
    assert violations(grid) == []
    draws = random.Random(1)
    partial = tuple(cell if draws.random() < 0.6 else 0 for cell in grid.cells)
    assert violations(Grid.from_cells(partial, layout)) == []
    first, *others = grid.cells
    cells = (first % layout.side + 1, *others)
    place = layout.positions[0]
    assert any(place in each.cells for each in violations(Grid.from_cells(cells, layout)))


def test_violations_name_houses_and_rules() -> None:
    layout = layouts.anti_knight().with_rules(rules.Cage(3, "r1c1 r1c2"))
    cells = [0] * 81
    for row, column, digit in ((1, 1, 1), (1, 2, 4), (2, 3, 1), (9, 9, 5), (8, 8, 5)):
        cells[9 * row + column - 10] = digit
    found = violations(Grid.from_cells(tuple(cells), layout))
    assert [each.cells for each in found] == [
        ((1, 1), (2, 3)),
        ((8, 8), (9, 9)),
        ((1, 1), (2, 3)),
        ((1, 1), (1, 2)),
    ]
    assert [each.sentence for each in found] == [
        "r1c1 and r2c3 are both 1 (box 1).",
        "r8c8 and r9c9 are both 5 (box 9).",
        "r1c1 and r2c3 break a rule: Cells a knight's move apart have different digits.",
        "r1c1 and r1c2 break a rule: The digits in a cage differ and add up to the number in its "
        "corner.",
    ]


def test_a_clue_beside_the_grid_is_named() -> None:
    layout = layouts.skyscrapers({"row 1 reversed": 1})
    cells = (9, *(0,) * 7, 8) + (0,) * 72
    (found,) = violations(Grid.from_cells(cells, layout))
    assert found.cells == ((1, 1), (1, 9))
    assert found.sentence == (
        "r1c1 and r1c9 break a rule (the 1 at r1c9): A number beside the grid says how many "
        "digits, seen from there, are greater than all digits before them."
    )
    assert violations(Grid.from_cells((9, *(0,) * 80), layouts.skyscrapers({"row 1": 1}))) == []


@pytest.mark.parametrize("kind", ["window", "center", "asterisk", "girandola", "extra region"])
def test_houses_that_are_called_shaded_are_shaded(kind: str) -> None:
    cells = [(row, column) for row in (1, 2) for column in (2, 3)]
    layout = Layout(2, 2).with_houses(kind, cells)
    assert 'fill="#e4e4e4"' in Grid.from_cells((0,) * 16, layout).to_svg()
