"""The rules of today's setters: all solutions of small grids against the oracle."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from format_examples import SETTER_RULES
from hypothesis import given
from hypothesis import strategies as st
from kinds_strategies import CELLS
from rules_oracle import BOXED, fillings, keeps, line_of, some_grids_of_side_6
from setter_rules import NAMES, THIRDS, ruled, some_rule

import sudoku
from sudoku import Grid, Layout, LayoutError, layouts, rules
from sudoku.drawing.lines import COLORS
from sudoku.rules.clues.outside import OutsideClue
from sudoku.rules.cover import restricted

FOUR, SIX = Layout(2, 2), Layout(2, 3)
EVERYWHERE = {
    "anti-taxicab": ("anti-taxicab",),
    "diagonal-non-consecutive": ("diagonal non-consecutive",),
    "global-entropy": ("global entropy", 2),
    "global-modular": ("global modular",),
}


@pytest.mark.parametrize("name", sorted({*NAMES} - THIRDS))
@given(data=st.data())
def test_all_solutions_of_side_4(name: str, data: st.DataObject) -> None:
    """One rule, or two together; with digits anywhere."""
    full = data.draw(st.sampled_from(BOXED))
    drawn = [data.draw(some_rule(full, name)) for _ in range(data.draw(st.integers(1, 2)))]
    layout = ruled(FOUR, drawn)
    expected = [v for v in BOXED if all(keeps(v, spec) for _, spec in drawn)]
    check_solutions(layout, expected)
    for values in BOXED[:: data.draw(st.integers(7, 40))]:
        good = all(keeps(values, spec) for _, spec in drawn)
        assert Grid(line_of(values), layout=layout).is_solved == good
    check_left(layout, expected)


def check_solutions(layout: Layout, expected: list[dict[tuple[int, int], int]]) -> None:
    found = [grid.line for grid in sudoku.solutions("." * layout.size, layout=layout)]
    assert sorted(found) == sorted(map(line_of, expected))


def check_left(layout: Layout, expected: list[dict[tuple[int, int], int]]) -> None:
    """No rule removes a candidate of a solution; asked once more, it removes nothing."""
    left = restricted(layout, [*layout.rules])
    for values in expected:
        assert all(left[cell] >> digit & 1 for cell, digit in values.items())
    again = dict(left)
    for rule in layout.rules:
        rule.restrict(again, layout)
    assert again == left or not all(left.values())


def check_side_6(data: st.DataObject, names: list[str]) -> None:
    givens, grids = some_grids_of_side_6(data.draw(st.integers(0, 2)))
    full = data.draw(st.sampled_from(grids))
    drawn = [data.draw(some_rule(full, name)) for name in names]
    layout = ruled(SIX, drawn)
    expected = [v for v in grids if all(keeps(v, spec) for _, spec in drawn)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = [grid.line for grid in sudoku.solutions(puzzle, layout=layout)]
    assert sorted(found) == sorted(map(line_of, expected))
    assert sudoku.count(puzzle, layout=layout, engine="links") == len(expected)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_all_solutions_with_givens_of_side_6(name: str, data: st.DataObject) -> None:
    check_side_6(data, [name] * data.draw(st.integers(1, 3)))


@pytest.mark.parametrize("name", EVERYWHERE)
@given(number=st.integers(0, 71), chance=st.randoms(use_true_random=False))
def test_rules_for_all_cells_of_side_6(name: str, number: int, chance: Random) -> None:
    """Around a grid that has the rule: random grids of the test above hardly ever have it."""
    spec = EVERYWHERE[name]
    layout = layouts.named(f"2x3 + {name}")
    full = next(islice(sudoku.solutions("." * 36, layout=layout), number, None))
    kept = chance.sample(sorted(full.values), chance.randint(13, 20))
    givens = {cell: full[cell] for cell in kept}
    grids = islice(fillings("111222 111222 333444 333444 555666 555666", givens), 2000)
    expected = [values for values in grids if keeps(values, spec)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = sudoku.solutions(puzzle, layout=layout, limit=len(expected) + 1)
    lines = {grid.line for grid in found}
    assert full.line in lines
    assert lines >= {*map(line_of, expected)}
    if len(expected) < 2000:
        assert len(lines) == len(expected)


@given(data=st.data())
def test_several_rules_of_side_6(data: st.DataObject) -> None:
    check_side_6(data, data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5)))


@pytest.mark.parametrize("name", sorted({*NAMES} - THIRDS))
@given(data=st.data())
def test_broken_rules_of_unfinished_grids(name: str, data: st.DataObject) -> None:
    """What is reported has no solution, and is reported of no part of a good grid."""
    full = data.draw(st.sampled_from(BOXED))
    rule, spec = data.draw(some_rule(full, name))
    layout = ruled(FOUR, [(rule, spec)])
    values = data.draw(st.sampled_from(BOXED))
    kept = data.draw(st.sets(st.sampled_from(CELLS)))
    part = {cell: values[cell] for cell in CELLS if cell in kept}
    wrong = rule.broken(part)
    assert set(wrong) <= set(part)
    assert layout.index.keys() >= set(wrong)
    completions = [v for v in BOXED if part.items() <= v.items()]
    if any(keeps(v, spec) for v in completions):
        assert wrong == ()
    if len(part) == 16:
        assert bool(wrong) == (not keeps(values, spec))


LINE = [(1, 1), (2, 2), (3, 3), (4, 4)]
HALVES = [LINE[:2], LINE[2:]]
LARGE: dict[str, tuple[rules.Rule, tuple[Any, ...]]] = {
    "zipper": (rules.Zipper(LINE), (LINE,)),
    "double arrow": (rules.DoubleArrow(LINE), (LINE,)),
    "equal sums": (rules.EqualSums(HALVES), (HALVES,)),
    "arrow": (rules.Arrow(LINE[0], LINE[1:]), (LINE[:1], LINE[1:])),
    "total": (rules.LittleKiller(29, LINE), (29, LINE)),
    "cage": (rules.Cage(30, LINE), (30, LINE)),
    "whisper": (rules.Whisper(6, LINE), (6, LINE)),
    "between line": (rules.BetweenLine(LINE), (LINE,)),
    "nabner": (rules.Nabner(LINE), (LINE,)),
    "slow thermometer": (rules.SlowThermometer(LINE), (LINE,)),
}


@pytest.mark.parametrize("differ", [False, True])
@pytest.mark.parametrize("side", range(13, 17))
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.lengthy
def test_counts_on_large_sides(name: str, side: int, differ: bool) -> None:
    """More fillings than an item has options: two ends that differ, or do not see each other."""
    rule, spec = LARGE[name]
    layout = Layout.of(side, LINE, [], [rule, *[rules.Unique([LINE[0], LINE[3]])] * differ])
    fillings = (dict(zip(LINE, d, strict=True)) for d in product(range(1, side + 1), repeat=4))
    expected = sum(
        keeps(values, (name, *spec)) and not (differ and values[1, 1] == values[4, 4])
        for values in fillings
    )
    assert sudoku.count("....", layout=layout) == expected > 0


ROW = [(1, column) for column in range(1, 10)]
BAD: dict[str, Callable[[], object]] = {
    "renban line of 1 cell; it needs at least 2": lambda: layouts.renban(["r1c1"]),
    "renban line has r1c1 twice": lambda: layouts.renban(["r1c1 r1c2 r1c1"]),
    "no 10 different digits from 1 to 9": lambda: layouts.renban([[*ROW, (2, 1)]]),
    "no 6 different digits from 1 to 9": lambda: layouts.nabner([ROW[:6]]),
    "r10c1, which is not in the grid": lambda: layouts.nabner(["r9c1 r10c1"]),
    "'r1c1 r1c2' is not a list of lines": lambda: layouts.renban("r1c1 r1c2"),
    "5 is not a list of lines": lambda: layouts.renban(5),  # type: ignore[arg-type]
    "whisper line of difference 0": lambda: layouts.whispers(["r1c1 r1c2"], least=0),
    "two digits differ by 8 at most": lambda: layouts.whispers(["r1c1 r1c2"], least=9),
    "whisper line has r1c2 twice in a row": lambda: layouts.whispers(["r1c1 r1c2 r1c2"]),
    "whisper line of 1 cell": lambda: layouts.whispers(["r1c1 r1c1"]),
    "clone of 2 cells with 1 cell; both must have as many": lambda: layouts.clones(
        [("r1c1 r1c2", "r1c3")]
    ),
    "3 low digits; it must be a third of 4": lambda: FOUR.with_rules(
        rules.EntropicLine(3, "r1c1 r1c2")
    ),
    "entropic line of 'x' low digits": lambda: rules.EntropicLine("x", "r1c1 r1c2"),  # type: ignore[arg-type]
    "a side of 2 has too few digits": lambda: layouts.modular_lines(["r1c1 r1c2"], Layout(1, 2)),
    "between line of 2 cells; it needs at least 3": lambda: layouts.between_lines(["r1c1 r1c2"]),
    "has no boxes": lambda: layouts.region_sums(["r1c1 r1c2"], layouts.latin(4)),
    "region sum line leaves the grid at r1c10": lambda: layouts.region_sums(["r1c9 r1c10"]),
    "sum line r1c1 r1c2 of 19: its cells have a sum of 18 at most": lambda: layouts.sum_lines(
        ["r1c1 r1c2"], 19
    ),
    "numbered room r1c1 r1c2 r1c3 r1c4 ... r1c9 of 10: expected 1 to 9": lambda: (
        layouts.numbered_rooms({"row 1": 10})
    ),
    "11 circles; all digits are in 10": lambda: layouts.counting_circles(
        [(r, c) for r in range(1, 5) for c in range(1, 5)][:11], base=FOUR
    ),
    "global entropy: 1 low digit; it must be a third of 4": lambda: layouts.global_entropy(FOUR),
    "'21a4' is not the clue of a look-and-say cage": lambda: layouts.look_and_say(
        [("21a4", "r1c1 r1c2")]
    ),
    "look-and-say cage of 3 digits in 2 cells": lambda: layouts.look_and_say([("31", "r1c1 r1c2")]),
    "look-and-say cage that says (1, 4)": lambda: layouts.look_and_say([("1414", "r1c1 r1c2")]),
    "of 26: 6 is too large for a side of 4": lambda: layouts.look_and_say(
        [("26", "r1c1 r1c2")], base=FOUR
    ),
    "multi-sum cage without a sum": lambda: layouts.multi_sum_cages([([], "r1c1 r1c2")]),
    "of 2/18: no 2 different digits from 1 to 9": lambda: layouts.multi_sum_cages(
        [([2, 18], "r1c1 r1c2")]
    ),
    "of 1: no 9 different digits from 1 to 9": lambda: layouts.rellik_cages([(1, ROW)]),
    "table line r1c1 r1c2: a table for 3 digits in a grid with 4": lambda: FOUR.with_rules(
        rules.PairTable([[1]] * 3, "r1c1 r1c2", "equal")
    ),
    "table line r1c1 r1c2: 5 is too large for a side of 4": lambda: FOUR.with_rules(
        rules.PairTable([[5]] * 4, "r1c1 r1c2", "fives")
    ),
    "table line with [0] beside 1": lambda: rules.PairTable([[0]], "r1c1 r1c2", "none"),
    "table line with the words ''": lambda: rules.PairTable([[1]], "r1c1 r1c2", ""),
    "(0, 0) is not an offset; expected (rows": lambda: rules.GridTable([[1]], [(0, 0)], "equal"),
    "automaton line of 0 states": lambda: rules.AutomatonLine([], [], "r1c1", "none"),
    "automaton line of 2 states": lambda: rules.AutomatonLine([[1], [1, 2]], [], "r1c1", "none"),
    "automaton line with the state 3": lambda: rules.AutomatonLine([[3], [1]], [], "r1c1", "none"),
    "automaton line of more than 1000 states": lambda: rules.AutomatonLine.of(
        "r1c1", 9, 0, lambda state, digit: 9 * state + digit, lambda state: True, "all"
    ),
    "region sum line without a part": lambda: rules.EqualSums([]),
    "9 cells between the ends, at most 8": lambda: layouts.double_arrows(
        ["r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3"], FOUR
    ),
    "a quadruple of 5 digits in 4 cells": lambda: layouts.quadruples(
        [([1, 2, 3, 4, 5], "r1c1 r1c2 r2c1 r2c2")]
    ),
    "a quadruple of [0]": lambda: layouts.quadruples([([0], "r1c1 r1c2")]),
    "5 is too large for a side of 4": lambda: layouts.quadruples([([5], "r1c1 r1c2")], FOUR),
    "sandwich of -1": lambda: layouts.sandwiches({"row 1": -1}),
    "expected 0 to 35": lambda: layouts.sandwiches({"row 1": 36}),
    "expected 1 to 45": lambda: layouts.x_sums({"row 1": 46}),
    "X-sum of 0; it must be a number from 1": lambda: layouts.x_sums({"row 1": 0}),
    "expected 1 to 9": lambda: layouts.skyscrapers({"column 1": 10}),
    "'row 10' is not a line": lambda: layouts.skyscrapers({"row 10": 1}),
    "its cells are not a row, a column or another house": lambda: layouts.sandwiches(
        [(ROW[:5], 5)]
    ),
    "indexer r1c1 is not in a box": lambda: layouts.indexers(boxes="r1c1", base=layouts.latin(4)),
    "indexer r2c1 is not in its house": lambda: rules.Indexer("r2c1", ROW),
    "minimum has r10c1": lambda: layouts.extremes(minima="r10c1"),
    "difference of difference 'x'": lambda: layouts.pair_clues([("x", "r1c1", "r1c2")]),  # type: ignore[list-item]
    "no digits up to 9 have it": lambda: layouts.pair_clues(ratios=[(10, "r1c1", "r1c2")]),
    "expected a number and two cells": lambda: layouts.pair_clues([(4, "r1c1")]),  # type: ignore[list-item]
    "of 10: expected 2 to 8": lambda: layouts.xv(x=[("r1c1", "r1c2")], base=FOUR),
    "'product' is not a relation; expected 'difference', 'ratio' or": lambda: rules.NoMorePairs(
        "product", [1]
    ),
    "no sum is excluded": lambda: rules.NoMorePairs("sum", []),
    "a sum of 0": lambda: rules.NoMorePairs("sum", [0]),
    "(0, 0) is not an offset": lambda: layouts.far_apart(2, [(0, 0)]),
}


@pytest.mark.parametrize("message", BAD)
def test_rules_that_do_not_fit(message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        BAD[message]()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sujiken_has_no_repeats() -> None:
    grid = sudoku.solve("." * 45, layout=layouts.sujiken(), seed=1)
    values = grid.values
    for direction in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in values:
            seen = [values[row, column]]
            while (row + direction[0], column + direction[1]) in values:
                row, column = row + direction[0], column + direction[1]
                seen.append(values[row, column])
            assert len(set(seen)) == len(seen)
    for i, j in ((0, 0), (1, 0), (2, 1), (2, 2), (2, 0), (1, 1)):
        box = [values[r, c] for r, c in values if (r - 1) // 3 == i and (c - 1) // 3 == j]
        assert len(set(box)) == len(box)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(rules.Sandwich, "sandwich"), (rules.XSum, "x-sum"), (rules.Skyscraper, "skyscraper")],
)
@pytest.mark.parametrize("total", [0, 1, 2, 3, 4, 5, 10])
def test_boxes_and_automata_agree(
    kind: type[OutsideClue], name: str, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clue that would have too many boxes is an automaton."""
    row, column = [(1, n) for n in (4, 3, 2, 1)], [(n, 2) for n in (1, 2, 3, 4)]
    if not kind.least <= total <= kind(1, row).most:
        return
    clues = [kind(total, row), kind(total, column)]
    expected = [v for v in BOXED if all(keeps(v, (name, total, clue.cells)) for clue in clues)]
    check_solutions(FOUR.with_rules(*clues, name="boxes"), expected)
    assert kind.sets(150, 25) is None or kind is rules.Skyscraper
    monkeypatch.setattr(kind, "sets", staticmethod(lambda total, side: None))
    check_solutions(FOUR.with_rules(*clues, name="automata"), expected)


@pytest.mark.parametrize("rule", SETTER_RULES, ids=repr)
def test_every_rule_is_in_the_picture(rule: rules.Rule) -> None:
    """As a shape or in words; a line goes through the middles of its cells."""
    layout = Layout(3, 3)
    bare = Grid.from_cells((0,) * 81, layout).to_svg()
    picture = Grid.from_cells((0,) * 81, layout.with_rules(rule)).to_svg()
    ElementTree.fromstring(picture)
    assert len(picture) > len(bare) + 50
    assert str(rule) not in picture  # the words of a rule that has no picture
    if rule.picture in COLORS or isinstance(rule, rules.Whisper):
        middles = [f"{44 * column - 12:g} {44 * row - 12:g}" for row, column in rule.cells]
        assert f'd="M{"L".join(middles)}"' in picture


def test_numbers_outside_are_beside_the_first_cell() -> None:
    row = [(5, column) for column in range(1, 10)]
    for cells, x in ((row, range(44)), (row[::-1], range(440, 484))):
        layout = Layout(3, 3).with_rules(rules.Sandwich(27, cells))
        (text,) = [
            each
            for each in ElementTree.fromstring(Grid.from_cells((0,) * 81, layout).to_svg()).iter(
                "{http://www.w3.org/2000/svg}text"
            )
            if each.text == "27"
        ]
        assert int(float(text.attrib["x"])) in x
        assert float(text.attrib["y"]) == 44 + 4 * 44 + 22
