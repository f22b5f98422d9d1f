"""Layouts of every kind as objects: what they refuse, how they are drawn and read."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from io import BytesIO
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_oracle import latin_squares

import sudoku
from sudoku import Grid, Layout, LayoutError, PuzzleError, layouts, rules

FOUR = Layout(2, 2)
ROWS = [[(row, column) for column in range(1, 5)] for row in range(1, 5)]
JIGSAW = "1112 1222 3334 3444"
TWINS = layouts.overlapping(["r1c1", "r3c3"], base=FOUR)
EVERY = [
    *map(layouts.named, layouts.NAMES),
    layouts.jigsaw(JIGSAW),
    layouts.latin(5),
    layouts.even_odd("r1c1", "r1c2"),
    layouts.sukaku("1234" * 16, FOUR),
    layouts.thermometers(["r1c1 r1c2"]),
    layouts.inequalities([("r1c1", "r1c2")]),
    layouts.kropki([("r1c1", "r1c2")], negative=True),
    layouts.arrows([("r1c1", "r1c2 r1c3")]),
    layouts.little_killer([(5, "r1c2 r2c1")]),
    layouts.killer([(5, "r1c1 r1c2"), (None, "r2c1 r2c2")]),
    TWINS,
]
LINE, HOUSE = "r1c1 r1c2 r2c2", [(1, column) for column in range(1, 5)]
FOUR_RULES = [
    rules.BetweenLine(LINE),
    rules.Clone("r1c1 r1c2", "r4c4 r3c3"),
    rules.Difference(2, "r1c1", "r1c2"),
    rules.Distant(2, [(1, 1)]),
    rules.DoubleArrow(LINE),
    rules.EqualSums(["r1c2 r1c1", "r1c3"]),
    rules.Indexer("r1c1", HOUSE),
    rules.LockoutLine(2, LINE),
    rules.Maximum("r2c2"),
    rules.Minimum("r2c2"),
    rules.ModularLine(LINE),
    rules.Nabner("r1c1 r1c2"),
    rules.NoMorePairs("sum", [5, 3], [("r1c1", "r1c2")]),
    rules.PairSum(5, "r1c1", "r1c2"),
    rules.Palindrome(LINE),
    rules.ParityLine(LINE),
    rules.Quadruple([1, 2, 2], "r2c2 r2c3 r3c2 r3c3"),
    rules.Ratio(2, "r1c1", "r1c2"),
    rules.Renban(LINE),
    rules.Sandwich(2, HOUSE),
    rules.Skyscraper(2, HOUSE),
    rules.SlowThermometer(LINE),
    rules.Whisper(2, LINE),
    rules.XSum(4, HOUSE),
    rules.Zipper(LINE),
]
RULES = [
    rules.Allowed({(1, 1): [1, 2]}),
    rules.Apart([(1, 1)]),
    rules.Arrow("r1c1", "r1c2 r1c3"),
    rules.Arrow(["r1c1", "r1c2"], "r2c1 r2c2 r2c3"),
    rules.Cage(5, "r1c1 r1c2"),
    rules.Cage(None, "r1c1 r1c2"),
    rules.Dot("white", "r1c1", "r1c2"),
    rules.Greater("r1c1", "r1c2"),
    rules.LittleKiller(5, "r1c1 r1c2"),
    rules.NoMoreDots([("r1c1", "r1c2")]),
    rules.NonConsecutive(),
    rules.Thermometer("r1c2 r1c1"),
    rules.Unique("r1c1 r1c2"),
    *FOUR_RULES,
]


def test_names_of_latin_squares_and_of_negative_rules() -> None:
    assert layouts.named("latin") is layouts.latin(9)
    assert layouts.named("Latin-5") is layouts.latin(5)
    names = {"anti-kropki": layouts.kropki, "anti-xv": layouts.xv}
    for name, function in names.items():
        layout, made = layouts.named(f"2x2 + {name}"), function(negative=True, base=FOUR)
        assert (str(layout), layout.rules) == (name, made.rules)
        assert sudoku.count("." * 16, layout=layout) == sudoku.count("." * 16, layout=made)


def test_each_function_of_layouts_has_a_name_or_a_message() -> None:
    for name in {*layouts.__all__} - {"NAMES", "named", "gattai8"}:
        try:
            layouts.named(name)
        except LayoutError as error:
            assert "differ from puzzle to puzzle" in str(error)  # noqa: PT017


@pytest.mark.parametrize("layout", EVERY, ids=str)
def test_layouts_are_interned_immutable_and_pickle(layout: Layout) -> None:
    assert pickle.loads(pickle.dumps(layout)) is layout
    assert copy.deepcopy(layout) is layout is copy.copy(layout)
    assert {layout: 1}[pickle.loads(pickle.dumps(layout))] == 1
    assert layout.is_classic == isinstance(
        eval(repr(layout)) if layout.is_classic else None, Layout
    )
    with pytest.raises(AttributeError):
        layout.side = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del layout.rules
    assert all(len(house.cells) == layout.side for house in layout.houses)
    assert len({house.name for house in layout.houses}) == len(layout.houses)
    assert [layout.index[cell] for cell in layout.positions] == list(range(layout.size))
    assert (layout.height, layout.width) == tuple(map(max, zip(*layout.positions, strict=True)))


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_rules_are_values(rule: rules.Rule) -> None:
    twin = eval(repr(rule), vars(rules))
    assert twin == rule == pickle.loads(pickle.dumps(rule)) == copy.deepcopy(rule)
    assert hash(twin) == hash(rule)
    assert [other for other in RULES if other == rule] == [rule]
    assert rule != tuple(getattr(rule, name) for name in rule.fields)
    assert str(rule)
    with pytest.raises(AttributeError):
        rule.cells = ()
    with pytest.raises(AttributeError):
        del rule.cells
    layout = FOUR.with_rules(rule)
    assert layout is FOUR.with_rules(twin, rule) is layout.with_rules(twin)
    assert layout is not FOUR
    assert layout.rules == (rule,)


def test_whether_digits_are_alike() -> None:
    """They are if no renaming of them makes a difference to any grid."""
    alike = [rule for rule in RULES if rule.digits_alike]
    assert alike == [
        rules.Apart([(1, 1)]),
        rules.Cage(None, "r1c1 r1c2"),
        rules.Unique("r1c1 r1c2"),
        rules.Clone("r1c1 r1c2", "r4c4 r3c3"),
        rules.Palindrome(LINE),
    ]
    for rule in alike:
        for grid in latin_squares(4)[::8]:
            for names in permutations((1, 2, 3, 4)):
                renamed = {cell: names[digit - 1] for cell, digit in grid.items()}
                assert rule.broken(renamed) == rule.broken(grid)


def test_rules_that_the_base_has_already() -> None:
    """What is there once more is no second one; dots of the base are dots."""
    cages = [(3, "r1c1 r1c2")]
    assert layouts.killer(cages, layouts.killer(cages)) is layouts.killer(cages)
    pairs = [("r1c1", "r1c2")]
    assert layouts.inequalities(pairs, layouts.inequalities(pairs)) is layouts.inequalities(pairs)
    both = layouts.kropki(pairs, negative=True)
    assert layouts.kropki(pairs, base=both) is both
    assert layouts.kropki(negative=True, base=layouts.kropki(pairs)) is both


def test_a_text_without_cells_is_none() -> None:
    assert layouts.even_odd(even="") is layouts.even_odd()
    assert layouts.even_odd(even=" r1c1 , ") is layouts.even_odd(even=[(1, 1)])


def test_a_cell_of_no_house_has_to_be_filled_too() -> None:
    cells = [(row, column) for row in (1, 2) for column in (1, 2)]
    layout = Layout.of(2, cells, [("row", cells[:2])])
    assert layout.is_square
    assert not Grid([[1, 2], [0, 1]], layout=layout).is_solved
    assert Grid([[1, 2], [1, 1]], layout=layout).is_solved


def test_composition() -> None:
    both = layouts.diagonal(layouts.hyper())
    assert both is layouts.named("hyper + diagonal")
    assert layouts.diagonal(both) is both  # nothing is added twice
    assert str(both) == "hyper + diagonal"
    assert len(both.houses) == 33
    assert len(layouts.anti_knight(layouts.anti_king()).rules) == 2
    assert layouts.named("2X3") is Layout(2, 3)
    assert layouts.named(" Windoku ") is layouts.hyper()
    assert layouts.named("non touching+X") is layouts.diagonal(layouts.non_touching())


def test_a_layout_that_nobody_needs_is_forgotten() -> None:
    layout = layouts.killer([(7, "r1c1 r1c2")])
    sudoku.cover(layout)
    assert layouts.killer([(7, "r1c1 r1c2")]) is layout
    seen = weakref.ref(layout)
    del layout
    gc.collect()
    assert seen() is None


BAD: dict[str, Callable[[], object]] = {
    "r1c2 is in two cages": lambda: layouts.killer([(3, "r1c1 r1c2"), (9, "r1c2 r2c2")]),
    "r9c10, which is not in the grid": lambda: layouts.killer([(3, "r9c9 r9c10")]),
    "2 cells cannot have a sum of 18; expected 3 to 17": lambda: layouts.killer(
        [(18, "r1c1 r1c2")]
    ),
    "cage r1c1 of sum 10: 1 cell cannot": lambda: layouts.killer([(10, "r1c1")]),
    "10 cells, but only 9 digits": lambda: layouts.killer(
        [(45, [(1 + i // 9, 1 + i % 9) for i in range(10)])]
    ),
    "cage of 0 cells": lambda: layouts.killer([(5, [])]),
    "cage has r1c1 twice": lambda: layouts.killer([(5, "r1c1 r1c1")]),
    "sum 0; a sum is a number from 1": lambda: layouts.killer([(0, "r1c1")]),
    "sum True": lambda: layouts.killer([(True, "r1c1")]),
    "a total sum of 16; it must be 40": lambda: layouts.killer(
        [(1, [cell]) for cell in FOUR.positions], base=FOUR
    ),
    "region '2' has 3 cells; in a 4x4 grid it has 4": lambda: layouts.jigsaw("1112 1322 3344 3444"),
    "regions of 15 cells together": lambda: layouts.jigsaw("111222333444555"),
    "regions of 0 cells": lambda: layouts.jigsaw(""),
    "r1c1 is in region 1 and in region 2": lambda: layouts.jigsaw(
        [["r1c1", "r1c2"], ["r1c1", "r2c2"]]
    ),
    "region 2 has r1c3, which is not in a 2x2 grid": lambda: layouts.jigsaw(
        [["r1c1", "r1c2"], ["r1c3", "r2c2"]]
    ),
    "r1c2 is in two cages: cage r1c1 r1c2 of sum 3; cage r1c2 r2c2 of sum 9": lambda: (
        layouts.killer([(9, "r1c2 r2c2")], base=layouts.killer([(3, "r1c1 r1c2")]))
    ),
    "a total sum of 41; it must be 40": lambda: layouts.killer(
        [(10, house) for house in ROWS[:3]],
        base=FOUR.with_rules(rules.Cage(7, ROWS[3][:3]), rules.Cage(4, ROWS[3][3:])),
    ),
    "a cycle: r1c1 > r1c2 > r1c3 > r1c1": lambda: layouts.inequalities(
        [("r1c3", "r1c1")], base=layouts.inequalities([("r1c1", "r1c2"), ("r1c2", "r1c3")])
    ),
    "two dots between r1c2 and r1c3": lambda: layouts.kropki(
        [("r1c2", "r1c3")], base=layouts.kropki(black=[("r1c2", "r1c3")])
    ),
    "r1c2, where the base excludes more dots": lambda: layouts.kropki(
        [("r1c1", "r1c2")], base=layouts.kropki(negative=True)
    ),
    "5 is not a list of cages": lambda: layouts.killer(5),  # type: ignore[arg-type]
    "5 among cages (sum and cells) is not a pair": lambda: layouts.killer([5]),  # type: ignore[list-item]
    "(5,) among cages": lambda: layouts.killer([(5,)]),  # type: ignore[list-item]
    "5 is not a list of cells": lambda: layouts.killer([(5, 5)]),  # type: ignore[list-item]
    "5 is not a list of thermometers": lambda: layouts.thermometers(5),  # type: ignore[arg-type]
    "('r1c1', 'r1c2', 'r1c3') among inequalities": lambda: layouts.inequalities(
        [("r1c1", "r1c2", "r1c3")]  # type: ignore[list-item]
    ),
    "'r1c1' among arrows": lambda: layouts.arrows(["r1c1"]),  # type: ignore[list-item]
    "5 is not a list of clues": lambda: layouts.little_killer(5),  # type: ignore[arg-type]
    "5 are not pencil marks": lambda: layouts.sukaku(5),  # type: ignore[arg-type]
    "among white dots (two cells) is not a pair": lambda: layouts.kropki([(1, 2, 3)]),  # type: ignore[list-item]
    "among dots (two cells) is not a pair": lambda: rules.NoMoreDots([("r1c1", "r1c2", "r1c3")]),
    "5 is not a list of dots": lambda: rules.NoMoreDots(5),  # type: ignore[arg-type]
    "5 is not a list of offsets": lambda: rules.Apart(5),  # type: ignore[arg-type]
    "5 is not a list of marks": lambda: rules.Allowed(5),  # type: ignore[arg-type]
    "5 among marks (a cell and digits)": lambda: rules.Allowed([5]),  # type: ignore[list-item]
    "7 is not a list of cells": lambda: layouts.overlapping(7),  # type: ignore[arg-type]
    "'2x2' is not a Layout": lambda: layouts.diagonal("2x2"),  # type: ignore[arg-type]
    "5 is not a Layout": lambda: layouts.anti_knight(5),  # type: ignore[arg-type]
    "6 is not a Layout": lambda: sudoku.solve("." * 16, layout=6),  # type: ignore[arg-type]
    "7 is not a Layout": lambda: sudoku.generate(7),  # type: ignore[arg-type]
    "8 is not a Layout": lambda: sudoku.random_grid(8),  # type: ignore[arg-type]
    "9 is not a Layout": lambda: sudoku.lint(["." * 16], layout=9),  # type: ignore[arg-type]
    "box is (2,); it must be two numbers, its rows and columns": lambda: Grid("." * 16, box=(2,)),  # type: ignore[arg-type]
    "box is 5; it must be": lambda: Grid("." * 16, box=5),  # type: ignore[arg-type]
    "box is (3,); it must be": lambda: Layout.of(3, [(1, 1)], [], box=(3,)),  # type: ignore[arg-type]
    "box is None; it must be": lambda: Layout.of(3, [(1, 1)], [], box=None),  # type: ignore[arg-type]
    "box is (-2, -2); it must be": lambda: Layout.of(4, FOUR.positions, [], box=(-2, -2)),
    "5 is not a list of houses": lambda: Layout.of(3, [(1, 1)], 5),  # type: ignore[arg-type]
    "5 among houses": lambda: Layout.of(3, [(1, 1)], [5]),  # type: ignore[list-item]
    "5 is not a list of rules": lambda: Layout.of(3, [(1, 1)], [], 5),  # type: ignore[arg-type]
    "5 is not a rule: sudoku.rules has them": lambda: FOUR.with_rules(5),  # type: ignore[arg-type]
    "5 is not the name of a kind": lambda: FOUR.with_rules(name=5),  # type: ignore[arg-type]
    "unique cells of 0 cells; it needs at least 2": lambda: rules.Unique(""),
    "are not regions": lambda: layouts.jigsaw(5),  # type: ignore[arg-type]
    "10 cells, but only": lambda: layouts.thermometers(
        [[(1 + i // 9, 1 + i % 9) for i in range(10)]]
    ),
    "thermometer of 1 cell;": lambda: layouts.thermometers(["r1c1"]),
    "thermometer has r1c1 twice": lambda: layouts.thermometers(["r1c1 r1c2 r1c1"]),
    "r1c1 is marked twice": lambda: layouts.even_odd("r1c1", "r1c1"),
    "contradictory marks": lambda: layouts.even_odd("r1c1", base=layouts.even_odd(odd="r1c1")),
    "is marked with no digit": lambda: rules.Allowed({(1, 1): []}),
    "marked with 'x'; marks are digits": lambda: rules.Allowed({(1, 1): "x"}),  # type: ignore[dict-item]
    "too large for a side of 4": lambda: FOUR.with_rules(rules.Allowed({(1, 1): [5]})),
    "pencil marks of 4 characters; those of 2x2 have 64": lambda: layouts.sukaku("1234", FOUR),
    "'3' among the marks of r1c1; write '2'": lambda: layouts.sukaku("13.." * 16, FOUR),
    "no common edge": lambda: layouts.kropki([("r1c1", "r2c2")]),
    "two dots between r1c1 and r1c2": lambda: layouts.kropki(
        [("r1c1", "r1c2")], [("r1c2", "r1c1")]
    ),
    "'white' or 'black', not 'red'": lambda: rules.Dot("red", "r1c1", "r1c2"),
    "form a cycle: r1c1 > r1c2 > r1c1": lambda: layouts.inequalities(
        [("r1c1", "r1c2"), ("r1c2", "r1c1")]
    ),
    "thermometers form a cycle: r2c2 > r1c1 > r1c2 > r2c2": lambda: layouts.thermometers(
        ["r1c1 r2c2 r2c1", "r2c2 r1c2 r1c1"]
    ),
    "thermometers form a cycle: r1c2 > r1c1 > r1c2": lambda: layouts.thermometers(
        ["r1c2 r1c1"], base=layouts.thermometers(["r1c1 r1c2"])
    ),
    "inequalities and thermometers form a cycle: r1c1 > r1c2 > r1c1": lambda: layouts.thermometers(
        ["r1c1 r1c2"], base=layouts.inequalities([("r1c1", "r1c2")])
    ),
    "cells on the path, but at most 4": lambda: layouts.arrows(
        [("r1c1", "r1c2 r1c3 r1c4 r2c1 r2c2")], FOUR
    ),
    "the path cannot reach 11": lambda: layouts.arrows([(["r1c1", "r1c2"], "r1c3")]),
    "an arrow needs": lambda: rules.Arrow([], "r1c1"),
    "arrow has r1c1 twice": lambda: rules.Arrow("r1c1", "r1c1"),
    "2 cells cannot have a sum of 19; expected 2 to 18": lambda: layouts.little_killer(
        [(19, "r1c1 r1c2")]
    ),
    "11 cells for 9 digits": lambda: Layout(3, 3).with_rules(
        rules.Unique([(r, c) for r in (1, 2) for c in range(1, 7)][:11])
    ),
    "(0, 0) is not an offset": lambda: rules.Apart([(0, 0)]),
    "two grids at r1c1": lambda: layouts.overlapping([(1, 1), (1, 1)]),
    "no corners": lambda: layouts.overlapping([]),
    "squares without rules": lambda: layouts.overlapping([(1, 1)], base=layouts.anti_king()),
    "'r0c1' is not a cell": lambda: layouts.killer([(5, "r0c1")]),
    "(1, 2, 3) is not a cell": lambda: layouts.killer([(5, [(1, 2, 3)])]),  # type: ignore[list-item]
    "did you mean diagonal?": lambda: layouts.named("diagnal"),
    "did you mean hyper": lambda: layouts.named("windoko"),
    "the cells of palindromes differ": lambda: layouts.named("palindrome"),
    "the cells of little killer differ": lambda: layouts.named("diagonal + Little_Killer"),
    "the cells of sandwiches differ": lambda: layouts.named("sandwich"),
    "side is 99": lambda: layouts.named("latin-99"),
    "expected anti-king, anti-knight": lambda: layouts.named("zzz"),
    "has 2 grids; expected one": lambda: layouts.named("samurai + 2x2"),
    "5 is not the name": lambda: layouts.named(5),  # type: ignore[arg-type]
    "needs a square grid": lambda: layouts.named("samurai + diagonal"),
    "needs boxes of one shape": lambda: layouts.hyper(layouts.latin(9)),
    "no room for the windows": lambda: layouts.hyper(Layout(1, 4)),
    "have no middle": lambda: layouts.center_dot(FOUR),
    "is for 9x9 grids": lambda: layouts.asterisk(FOUR),
    "row 1 has 3 cells; it needs 2": lambda: Layout.of(
        2, [(1, 1), (1, 2), (1, 3)], [("row", [(1, 1), (1, 2), (1, 3)])]
    ),
    "row 1 has r1c1 twice": lambda: Layout.of(2, [(1, 1)], [("row", [(1, 1), (1, 1)])]),
    "row 1 has r2c1, which is not": lambda: Layout.of(2, [(1, 1)], [("row", [(1, 1), (2, 1)])]),
    "r1c1 occurs twice": lambda: Layout.of(2, [(1, 1), (1, 1)], []),
    "at least one cell": lambda: Layout.of(2, [], []),
    "side is 37": lambda: Layout.of(37, [(1, 1)], []),
    "(501, 1) is not a cell": lambda: Layout.of(2, [(501, 1)], []),
    "side is 0": lambda: layouts.latin(0),
    "boxes of shape (2, 3)": lambda: Layout.of(4, FOUR.positions, [], box=(2, 3)),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_layouts(message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        BAD[message]()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.sampled_from(EVERY), st.data())
def test_pictures_and_lines_are_read_again(layout: Layout, data: st.DataObject) -> None:
    cells = data.draw(st.binary(min_size=layout.size, max_size=layout.size))
    grid = Grid.from_cells(tuple(cell % (layout.side + 1) for cell in cells), layout)
    wide = [["#"] * layout.width for _ in range(layout.height)]
    for (row, column), symbol in zip(layout.positions, grid.line, strict=True):
        wide[row - 1][column - 1] = symbol
        assert grid[row, column] == (0 if symbol == "." else int(symbol))
    texts = ["".join("".join(row) for row in wide), "\n".join("".join(row) for row in wide)]
    for text in (grid.line, str(grid), *texts, list(map("".join, wide))):
        assert sudoku.parse(text, layout) == grid
    assert sudoku.parse([list(row) for row in wide], layout) == grid
    assert sudoku.parse(grid.rows, layout) == grid == Grid(grid, layout=layout)
    assert grid.values == {
        cell: digit for cell, digit in zip(layout.positions, grid.cells, strict=True) if digit
    }
    assert hash(pickle.loads(pickle.dumps(grid))) == hash(grid)


def test_the_picture_of_an_overlap() -> None:
    assert str(Grid("." * 28, layout=TWINS)) == (
        "+-----+-----+\n"
        "| . . | . . |\n"
        "| . . | . . |\n"
        "+-----+-----+-----+\n"
        "| . . | . . | . . |\n"
        "| . . | . . | . . |\n"
        "+-----+-----+-----+\n"
        "      | . . | . . |\n"
        "      | . . | . . |\n"
        "      +-----+-----+"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("." * 27, "27 characters; the grid overlapping has 28"),
        ("#" * 36, "'#' at r1c1, which is a cell"),
        ("." * 35 + "#", "at r1c5, which is not a cell"),
        ("." * 20 + "#", "21 characters with the `#`; the layout has 36 (6 rows of 6)"),
        ("5" + "." * 27, "is too large for a grid of side 4; its digits are 1-4"),
        ([[1, 2]], "1 row; the grid has 6"),
        ([[1, 2, 3, 4]] * 2 + [[0] * 5] * 4, "row 3 has 5 cells; it needs 6"),
        (
            [[1, 2, 3, 4, 5, 0]] + [[0] * 6] * 5,
            "row 1, column 5 is 5, but the layout has no cell",
        ),
    ],
)
def test_bad_puzzles(text: Any, message: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        sudoku.parse(text, TWINS)
    assert message in str(caught.value)


def test_grids_of_one_layout_in_another() -> None:
    grid = Grid("1234341221434321")
    assert sudoku.parse(grid, layouts.jigsaw(JIGSAW)).layout is layouts.jigsaw(JIGSAW)
    with pytest.raises(LayoutError, match="other cells or digits"):
        sudoku.parse(grid, TWINS)
    with pytest.raises(LayoutError, match="a box or a layout"):
        Grid("." * 16, box=(2, 2), layout=FOUR)
    with pytest.raises(IndexError, match="no r1c5 in a grid of layout overlapping"):
        Grid("." * 28, layout=TWINS)[1, 5]


def test_what_is_wrong_with_a_puzzle() -> None:
    layout = layouts.killer([(4, "r1c1 r1c2"), (6, "r3c3 r3c4")], base=FOUR)
    flaws = [str(flaw) for flaw in sudoku.check("12..............", layout=layout)]
    assert flaws == ["r1c1 and r1c2 break a rule (cage r1c1 r1c2 of sum 4)"]
    puzzle = "..........13...."
    assert [f.kind for f in sudoku.check(puzzle, layout=layout)] == ["rule"]
    with pytest.raises(
        sudoku.NoSolution,
        match="given r1c1=2 and the rule cage r1c1 r1c2 of sum 4 already leave no solution",
    ):
        sudoku.solve("2" + "." * 15, layout=layout)
    with pytest.raises(sudoku.NoSolution, match="the rule anti-king alone leaves no solution"):
        sudoku.solve("." * 16, layout=layouts.anti_king(FOUR))


class Product(rules.Rule):
    """The digits of two cells have this product: a rule of one's own."""

    __slots__ = ("cells", "product")
    fields = ("product", "cells")
    kind = "product"

    def __init__(self, product: int, cells: list[tuple[int, int]]) -> None:
        self._fill(product=product, cells=tuple(cells))

    def contribute(self, model: Any) -> None:
        first, second = map(model.digits, self.cells)
        model.fillings(self.cells, [(a, b) for a in first for b in second if a * b == self.product])

    def broken(self, values: Any) -> Any:
        found = [values[cell] for cell in self.cells if cell in values]
        wrong = len(found) == 2 and found[0] * found[1] != self.product
        return self.cells if wrong else ()


def test_a_rule_of_ones_own() -> None:
    rule = Product(4, [(1, 1), (3, 2)])
    found = list(sudoku.solutions("." * 16, layout=FOUR.with_rules(rule)))
    expected = [g.line for g in sudoku.solutions("." * 16) if g[1, 1] * g[3, 2] == 4]
    assert sorted(g.line for g in found) == sorted(expected)
    assert all(grid.is_solved for grid in found)
    with pytest.raises(LayoutError, match="product r1c1 r9c9 has r9c9, which is not in the grid"):
        FOUR.with_rules(Product(4, [(1, 1), (9, 9)]))


@pytest.mark.parametrize("name", ["sohei", "samurai", "butterfly"])
def test_files_of_grids_with_gaps(name: str) -> None:
    layout = layouts.named(name)
    one, two = (sudoku.solve("." * layout.size, layout=layout, seed=seed) for seed in (1, 2))
    wide = [["#"] * layout.width for _ in range(layout.height)]
    for (row, column), symbol in zip(layout.positions, two.line, strict=True):
        wide[row - 1][column - 1] = symbol
    rows = list(map("".join, wide))
    lines = ["# a comment", f"{one.line} a remark", "", "".join(rows) + "  another", *rows]
    lines += ["", *str(one).splitlines(), "nonsense", "# ##", *str(two).splitlines(), *rows[:4]]
    errors: list[PuzzleError] = []
    for source in (lines, BytesIO("\n".join(lines).encode())):
        found = list(sudoku.read(source, layout, on_error=errors.append))
        assert [entry.grid for entry in found] == [one, two, two, one, two]
        assert [entry.rest for entry in found] == ["a remark", "another", "", "", ""]
        assert [entry.line for entry in found][:4] == [2, 4, 5, 7 + layout.height]
    assert [error.what.partition(";")[0] for error in errors[2:]] == [
        f"a row of {len('nonsense')} cells",
        "4 rows",
    ]
    with pytest.raises(PuzzleError, match=f"the grid has {layout.height}"):
        list(sudoku.read(rows[:4], layout))


def test_comparing_leaves_out_who_knows_boxes_only() -> None:
    from sudoku.analysis.compare import compare

    rows = compare("." * 16, layout=layouts.jigsaw(JIGSAW), limit=5)
    assert [row.method for row in rows] == ["dlx, links.py", "dlx, kernel"]
    assert {row.solutions for row in rows} == {5}


# -- `Layout`: shapes of boxes, interning, houses and peers --------------------------------------


@pytest.mark.parametrize(
    ("side", "shape"),
    [
        *((4, (2, 2)), (6, (2, 3)), (8, (2, 4)), (9, (3, 3)), (10, (2, 5)), (12, (3, 4))),
        *((14, (2, 7)), (15, (3, 5)), (16, (4, 4)), (18, (3, 6)), (20, (4, 5)), (24, (4, 6))),
        *((25, (5, 5)), (30, (5, 6)), (35, (5, 7)), (36, (6, 6))),
    ],
)
def test_usual_shapes(side: int, shape: tuple[int, int]) -> None:
    layout = Layout.of_side(side)
    assert (layout.box_rows, layout.box_columns) == shape
    assert layout.is_usual


@pytest.mark.parametrize("side", [0, -3, 1, 2, 3, 5, 7, 11, 31, 37, 100, True, 9.0, "9"])
def test_no_usual_shape(side: int) -> None:
    with pytest.raises(LayoutError):
        Layout.of_side(side)


@pytest.mark.parametrize("shape", [(0, 3), (3, -1), (6, 7), (1, 37), (3.0, 3), ("3", "3")])
def test_impossible_boxes(shape: tuple[int, int]) -> None:
    with pytest.raises(LayoutError, match="box"):
        Layout(*shape)


def test_interned_immutable_and_hashable() -> None:
    layout = Layout(2, 3)
    assert layout is Layout(2, 3)
    assert pickle.loads(pickle.dumps(layout)) is layout
    assert copy.deepcopy(layout) is layout
    assert {layout: 1}[Layout(2, 3)] == 1
    assert layout != Layout(3, 2)
    assert eval(repr(layout)) is layout
    assert str(layout) == "2x3"
    with pytest.raises(AttributeError):
        layout.side = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del layout.side
    assert not Layout(3, 2).is_usual


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (1, 5), (5, 1), (6, 6)])
def test_every_cell_is_in_three_houses_of_side_cells(shape: tuple[int, int]) -> None:
    layout = Layout(*shape)
    side = layout.side
    assert len(layout.houses) == 3 * side
    assert all(len(set(house.cells)) == side for house in layout.houses)
    for kind in ("row", "column", "box"):
        cells = [cell for house in layout.houses if house.kind == kind for cell in house.cells]
        assert sorted(cells) == list(range(side * side))


def test_box_numbers_go_row_by_row() -> None:
    layout = Layout(2, 3)
    named = {house.name: house.cells for house in layout.houses}
    assert named["box 2"] == (3, 4, 5, 9, 10, 11)
    assert named["box 3"] == (12, 13, 14, 18, 19, 20)
    assert named["row 4"] == (18, 19, 20, 21, 22, 23)
    assert named["column 2"] == (1, 7, 13, 19, 25, 31)


def test_symbols() -> None:
    assert Layout(3, 3).symbols == "123456789"
    assert Layout(4, 4).symbols[-1] == "G"
    assert Layout(6, 6).symbols[-1] == "0"


DIAGONAL = [(1, 1), (2, 2), (3, 3), (4, 4)]
NAMES = "r1c1 r2c2 r3c3 r4c4"


@pytest.mark.parametrize(
    "arguments", [([DIAGONAL],), ([NAMES],), ([NAMES, DIAGONAL],), ("x", DIAGONAL), ("x", NAMES)]
)
def test_more_houses(arguments: tuple[Any, ...]) -> None:
    """A list of houses, as other functions take them, or their kind and the houses."""
    layout = Layout(2, 2).with_houses(*arguments)
    kind = arguments[0] if isinstance(arguments[0], str) else "house"
    assert [(h.name, h.cells) for h in layout.houses[12:]] == [(f"{kind} 1", (0, 5, 10, 15))]
    assert sudoku.count("." * 16, layout=layout) == 48


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "without a house; expected a list of houses, or a kind and houses"),
        (([],), "without a house"),
        (("diagonal",), "without a house"),
        ((NAMES,), "without a house"),
        ((DIAGONAL,), "1 is not a cell"),
        (([DIAGONAL], DIAGONAL), "is not the name of a kind; expected a str"),
        (([DIAGONAL[:3]],), "house 1 has 3 cells; it needs 4, one for each digit"),
        ((["r1c1 r2c2 r3c3 r5c5"],), "house 1 has r5c5, which is not in the grid"),
        ((5,), "5 is not a list of houses"),
    ],
)
def test_what_is_not_a_house(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        Layout(2, 2).with_houses(*arguments)
