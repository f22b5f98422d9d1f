"""Drawings of SudokuPad that certainly mean thermometers, arrows, X, V or dots."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from format_examples import dumped, read_text
from sudoku_commands import run

import sudoku
from sudoku import Grid, Layout, SudokuError, UnreadRulesWarning
from sudoku.board.rule import Rule
from sudoku.formats import Record, dump, load
from sudoku.rules import Arrow, Dot, Drawings, PairSum, Thermometer

NINE = Layout(3, 3)
REGIONS = [
    [[r + i, c + j] for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)
]
SOLUTION = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
THERMOMETERS = [Thermometer("r1c1 r1c2 r1c3 r1c4"), Thermometer("r2c7 r2c8 r2c9")]
ARROWS = [
    Arrow("r1c6", "r2c7 r2c8 r2c9"),
    Arrow("r3c1", "r2c1 r1c2 r1c1"),
    Arrow("r2c6", "r1c5 r1c4"),
]
SUMS = [PairSum(10, "r1c8", "r2c8"), PairSum(5, "r1c2", "r1c3")]
KROPKI = [Dot("white", "r1c1", "r1c2"), Dot("black", "r5c1", "r5c2")]
WORDS = (
    "Normal sudoku rules apply. Digits along a thermometer increase from the bulb end. Digits "
    "along an arrow sum to the digit in that arrow's circle. Cells separated by an X sum to 10; "
    "cells separated by a V sum to 5. A white dot joins consecutive digits. A black dot joins "
    "digits in a 1:2 ratio. Not all dots are given."
)


def center(*cells: tuple[int, int]) -> list[float]:
    return [sum(cell[axis] - 0.5 for cell in cells) / len(cells) for axis in (0, 1)]


def drawn(*rules: Rule) -> dict[str, list[Any]]:
    """The drawings that SudokuPad makes of such constraints of f-puzzles."""
    made: dict[str, list[Any]] = {"lines": [], "arrows": [], "underlays": [], "overlays": []}
    for rule in rules:
        points = [center(cell) for cell in rule.cells]
        if isinstance(rule, Thermometer):
            style = {"borderColor": "#CFCFCF", "backgroundColor": "#CFCFCF", "rounded": True}
            made["underlays"].append({"center": points[0], "width": 0.85, "height": 0.85} | style)
            made["lines"].append({"color": "#cfcfcf", "thickness": 21, "wayPoints": points})
        elif isinstance(rule, Arrow):
            style = {"borderColor": "#a1a1a1", "backgroundColor": "#ffffff", "rounded": True}
            size = {"width": 0.75, "height": 0.75, "text": "", "thickness": 5}
            made["overlays"].append({"center": points[0]} | size | style)
            first = [a + round(0.2 * (b - a), 1) for a, b in zip(*points[:2], strict=True)]
            line = {"color": "#a1a1a1", "headLength": 0.3, "thickness": 5}
            made["arrows"].append(line | {"wayPoints": [first, *points[1:]]})
        elif isinstance(rule, PairSum):
            style = {"backgroundColor": "#FFFFFF", "borderColor": "#FFFFFF", "fontSize": 21}
            text = {"text": "X" if rule.value == 10 else "V", "width": 0.25, "height": 0.25}
            made["overlays"].append(
                {"center": center(*rule.cells), "rounded": False} | style | text
            )
        elif isinstance(rule, Dot):
            fill = "#FFFFFF" if rule.color == "white" else "#000000"
            style = {"borderColor": "#000000", "backgroundColor": fill, "rounded": True, "text": ""}
            size = {"width": 0.3, "height": 0.3}
            made["overlays"].append({"center": center(*rule.cells)} | size | style)
    return made


def pad(*rules: Rule, words: str = "", solution: str = "", **fields: Any) -> dict[str, Any]:
    metadata = {"rules": words} | ({"solution": solution} if solution else {})
    plain = {"cells": [[{}] * 9] * 9, "regions": REGIONS, "metadata": metadata}
    return plain | drawn(*rules) | fields


def read(*rules: Rule, **fields: Any) -> Record:
    (record,) = read_text(json.dumps(pad(*rules, **fields)), "sudokupad")
    return record


def rules_of(record: Record) -> list[Rule]:
    return [rule for rule in record.grid.layout.rules if not isinstance(rule, Drawings)]


EVERY = [*THERMOMETERS, *ARROWS, *SUMS, *KROPKI]


def test_words_make_drawings_rules() -> None:
    record = read(*EVERY, words=WORDS)
    assert set(rules_of(record)) == set(EVERY)
    assert record.grid.layout.rules == tuple(rules_of(record))  # no drawing is left
    assert record.warning.startswith(
        "the drawings of 2 thermometers, 3 arrows, 1 X, 1 V, 1 white dot and 1 black dot are read "
        "as rules; the setter's words ("
    )
    assert record.drawn is not None
    (kept,) = record.drawn.grid.layout.rules
    assert isinstance(kept, Drawings)
    assert len(kept.shapes) == 2 * 2 + 2 * 3 + 4
    assert "read as rules" not in record.drawn.warning


def test_the_solution_makes_drawings_rules_where_no_words_do() -> None:
    grid = Grid(SOLUTION)
    assert grid.is_solved
    assert not any(rule.broken(grid.values) for rule in EVERY)
    for words in ("", "Normal sudoku rules apply."):
        record = read(*EVERY, words=words, solution=SOLUTION)
        # A thermometer of four cells, three arrows, but one dot or letter may satisfy it by chance.
        assert rules_of(record) == [*THERMOMETERS, *ARROWS]
        assert "1 X" not in record.warning
    assert rules_of(read(*EVERY, words="Have fun!")) == []


@pytest.mark.parametrize("wrong", EVERY, ids=str)
def test_a_solution_that_breaks_a_rule_makes_drawings_of_its_kind(wrong: Rule) -> None:
    other = SOLUTION.translate(str.maketrans("123456789", "917382546"))
    broken = [rule for rule in EVERY if rule.broken(Grid(other).values)]
    assert wrong in broken
    record = read(wrong, words=WORDS, solution=other)
    assert rules_of(record) == []
    assert record.drawn is None
    assert [wrong] == rules_of(read(wrong, words=WORDS, solution=SOLUTION))


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("Along thermometers, digits must strictly increase from bulb to tip", {Thermometer}),
        ("Digits on a slow thermometer increase or stay the same", set()),
        ("Thermometers: digits increase by at least 2", set()),
        ("Digits do not increase along thermometers", set()),
        ("Thermometers increase. Two thermometers are liars", set()),
        ("The sum of the digits along an arrow equals the digit in its circle", {Arrow}),
        ("Digits on an arrow sum to the circled digit", {Arrow}),
        ("Digits on an arrow sum to the total outside the grid", set()),
        ("The circle has the average of the digits on its arrow", set()),
        ("Arrows point to the largest neighbour of the circle", set()),
        ("X joins digits that sum to 10", {PairSum}),
        ("An X means a sum of 10. Not all Xs are given", {PairSum}),
        ("X marks the spot", set()),
        ("An X joins digits with a sum of 5, a V those with a sum of 10", set()),
        ("Not all XVs are given", set()),
        ("An X joins digits that add to 10, a V digits that add to 5", {PairSum}),
        ("The first X digits of row 10 matter", set()),
        ("Each digit X of box 1 is in row 10", set()),
        ("Digits along arrows sum to the digit in the attached circle, repeats are fine", {Arrow}),
        ("Digits along an arrow sum to the two-digit number in its pill", set()),
        ("Digits on an arrow sum to the digit in its circle. Some arrows lost theirs", set()),
        ("Thermometers rise from the bulb. Exactly one clue is wrong", set()),
        ("Thermometers rise from the bulb. Each row has a doubler", set()),
        ("On thermometers digits ascend from the bulb; cages show their sums", {Thermometer}),
    ],
)
def test_what_words_make_certain(words: str, kinds: set[type[Rule]]) -> None:
    found = rules_of(read(THERMOMETERS[0], ARROWS[0], SUMS[0], words=words))
    assert {type(rule) for rule in found} == kinds


@pytest.mark.parametrize(
    ("rule", "field", "change"),
    [
        (THERMOMETERS[0], "lines", {"color": "#FF0000"}),
        (THERMOMETERS[0], "lines", {"thickness": 8}),
        (THERMOMETERS[0], "lines", {"wayPoints": [[0.5, 0.5], [1.5, 2.5]]}),  # no straight step
        (THERMOMETERS[0], "lines", {"wayPoints": [[0.5, 0.5], [0, 1]]}),
        (THERMOMETERS[0], "lines", {"wayPoints": [[0.5, 0.5], [0.5, 1.5], [0.5, 0.5]]}),
        (THERMOMETERS[0], "lines", {"wayPoints": [[0.5, 1.5], [0.5, 3.5]]}),  # no bulb
        (THERMOMETERS[0], "underlays", {"width": 0.3, "height": 0.3}),
        (THERMOMETERS[0], "underlays", {"rounded": False}),
        (THERMOMETERS[0], "underlays", {"text": "7"}),
        (ARROWS[0], "overlays", {"backgroundColor": "#FF0000"}),
        (ARROWS[0], "overlays", {"width": 1.75}),  # a pill
        (ARROWS[0], "overlays", {"center": [4.5, 4.5]}),
        (ARROWS[0], "arrows", {"wayPoints": [[0.5, 8.5], [0.9, 8.9]]}),
        (SUMS[0], "overlays", {"text": "XX"}),
        (SUMS[0], "overlays", {"center": [0.5, 0.5]}),
    ],
)
def test_other_shapes_stay_drawings(rule: Rule, field: str, change: dict[str, Any]) -> None:
    assert rules_of(read(rule, words=WORDS)) == [rule]
    shapes = drawn(rule)
    shapes[field] = [shapes[field][0] | change]
    assert rules_of(read(words=WORDS, **shapes)) == []


def test_bulbs_at_both_ends_are_no_thermometer() -> None:
    line = Thermometer("r1c1 r1c2 r1c3")
    both = drawn(line, Thermometer("r1c3 r1c2"))
    both["lines"] = both["lines"][:1]
    assert rules_of(read(words=WORDS, **both)) == []


def test_long_steps_and_branches() -> None:
    long = Thermometer("r1c1 r1c2 r1c3 r2c4 r3c5")
    shapes = drawn(long, Thermometer("r1c1 r2c1"))
    shapes["lines"][0]["wayPoints"] = [[0.5, 0.5], [0.5, 2.5], [2.5, 4.5]]
    shapes["lines"][1]["wayPoints"].reverse()  # drawn from its tip
    shapes["underlays"] = shapes["underlays"][:1]
    assert rules_of(read(words=WORDS, **shapes)) == [long, Thermometer("r1c1 r2c1")]
    longest = Thermometer([(1, column) for column in range(1, 10)] + [(2, 9)])  # no digits for it
    assert rules_of(read(longest, words=WORDS)) == []


@pytest.mark.parametrize("kind", ["thermometer", "arrow", "kropki"])
def test_drawings_of_random_puzzles_are_read(kind: str) -> None:
    """What SudokuPad draws of a puzzle, with its solution, and no words."""
    puzzle = sudoku.generate(kind=kind, seed=3)
    wanted = [rule for rule in puzzle.layout.rules if isinstance(rule, Thermometer | Arrow | Dot)]
    record = read(*wanted, solution=sudoku.solve(puzzle).line)
    assert sorted(map(str, rules_of(record))) == sorted(map(str, wanted))


def test_drawings_are_kept_where_the_caller_says_so(tmp_path: Path) -> None:
    path = tmp_path / "drawn.json"
    path.write_text(json.dumps(pad(*EVERY, words=WORDS)) + "\n", "utf-8")
    for reader in (load, sudoku.read):
        with pytest.warns(UnreadRulesWarning, match="line 1: the drawings of 2 thermometers"):
            (found,) = reader(path)
        assert len(found.grid.layout.rules) == len(EVERY)
        with pytest.warns(UnreadRulesWarning, match="line 1: 7 circles, 2 lines, 3 arrows"):
            (kept,) = reader(path, keep_drawings=True)
        assert [type(rule) for rule in kept.grid.layout.rules] == [Drawings]
    for more, expected in (([], found), (["--keep-drawings"], kept)):
        said = run("convert", *more, "--to", "json", str(path))
        assert ("are read as rules" in said.stderr) == (not more)
        (again,) = load(io.BytesIO(said.stdout.encode()), on_warning=lambda record: None)
        assert again.grid == expected.grid


def test_a_format_without_the_rules_gets_the_drawings() -> None:
    record = read(*EVERY, words=WORDS)
    (again,) = read_text(dumped([record], "sudokupad"), "sudokupad")
    assert again.grid == record.grid
    assert again.drawn == record.drawn
    with pytest.raises(SudokuError, match="lines cannot hold"):
        dump([record], io.StringIO(), "lines")
