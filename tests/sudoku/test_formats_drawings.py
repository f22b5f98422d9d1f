"""Puzzles whose files draw what they mean: what is read, what is kept as drawing, what is said."""

from __future__ import annotations

import io
import json
import warnings
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from format_examples import dumped, read_text
from hypothesis import given
from hypothesis import strategies as st
from sudoku_commands import run

import sudoku
from sudoku import Grid, Layout, LayoutError, UnreadRulesWarning, layouts, rules
from sudoku.formats import Record, dump, load, named
from sudoku.formats.editors.drawn_rules import drawn_rules
from sudoku.formats.editors.sudokupad_drawings import words_with_rules
from sudoku.rules import Dot, Drawings, Shape
from sudoku.rules.drawings import SHAPES, shapes_of
from sudoku.web.answers import answer

FOUR = Layout(2, 2)
REGIONS = [
    [[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)
]  # fmt: skip
PLAIN: dict[str, Any] = {"cells": [[{}] * 4] * 4, "regions": REGIONS}
DOT = {"center": [1, 0.5], "width": 0.3, "height": 0.3, "rounded": True}
WHITE = DOT | {"backgroundColor": "#FFFFFF", "borderColor": "#000000"}
BLACK = DOT | {"backgroundColor": "#000000", "center": [0.5, 3]}
LINE = {"wayPoints": [[0.5, 0.5], [1.5, 1.5]], "color": "#FF0000", "thickness": 8}
KROPKI = "White dots: consecutive digits. Black dots: one digit is double the other."
FISH = "https://sudokupad.app/sclN4SwJgXA5AzgHjAtgfQLIEMBOAXAngZQFMsZkBWADgAYBjANgDMwAjV9ATmYeasIHYAjOkID2VACziGVAExhxNKABpEhbOjDp1EYDAD2AV0w1C0fAbB6A1gYAEGK4Uy2AbjNlkAdLM8zxAWhoaBjJ0CjpldANsAAs9TGgMHFxbIhJlTAMAG0IYaAA5eMR0LNsYC2s7TJyYW3QAB3qs3ABuWwYQLNLYwlsAc0xwWwB3EFjbHtswED6x2oF/djK9CZitKZm5qb0AOwAdKGxbTEJ64iOQHbqdlMw9YaVbGj0sg0Qdx/QdsFtizEcfgBmOCA2zMPRwTx7HYAFWGKxMXVqGgAVugTDsjiVdn06sdCD8spdeogDDAjs9MehLrZdr1CC5CFdprMsd9aTtenowD8WWMobD4U9CEinrtOTRsASwSl0CMYmNepYKbt1DTKTBCDRoiBGRtWTABXCESKsrVKRKpT9mLKwVl0VZtiqqTS+dhasMYk4uZzbCBapYDMwcqsuT1MJ5lPpXtgQLtoBQyOJAXR2AI+DJ2Hw6DIyAIKIDxAIZIW+BR2GQ6EWKxQS3Q+JXy4C+OIZMXmwJxHQyOwKGXK+xWwIU2na83xGRCzJBI32MpmLNin1TFAYthsPU8gB6LcgTwgRB9IyeZ6ILc7QEgADy2HE+U8KLOfXni/Qy709XRY1wEAESmw0AAApYN+tgAGL+jEUAAL5KCYEAANoIUoKGoShAC6SjIWhqGYdhOFKHhBEYVhxGEaRxFEZRFEEVRtGYSciFIVQShUHhLECOxSgyHhf5sVhf6cQJ3F4TIrGiUoQkIWJPF4QhLGAlx4hcWQvFKIpwnKcJqlYWJGnSUoWkGapcksXQXF8FxFBqeZwmWcJ1m6UotkGfZBnWXJgLiVhXlSV5PFYeI3kIUFUlBQFCFkMFUVSVFslYQhXn6V5RleTpIXqXhQVGUF6VRfpUVGVFJkJV5LleW5XmORlLlBW5QXVVFLlRW5UUeQldDBZ1UmdRFfDBf1Un9RFFDBaNUmjfFSGdfpnVGZ16X9fp/VGf16Wjfpo1GaNJXTc5eGdW5nXVf1Ln9W5/XVaNLmjW5o0eZheiIcAkqIYCnhtZhwwQFQniFkoMQ/X9QWxL+vijVK0DKDQEAAMQsQk2BwTIcNgXBAhw1QsEvQBIUfUojnfb9/2A8TIOAwI4P/iu0OY0oiPI6j6OY9jr2RfjhNAyTXPk2DMgQzTcF0wzNAo7DaM0Bj8Os7j4j40JRPAwDPP/hTVOQ1AtPw/TEBI6LTOSyzSg44hk0fV9Kuk0roOU/z1NQ0L2si2LEtS1jxts/1v06Yr3Nk6rfMCw7MNO7rjPi8z0se7jfHm0ovtBVb/02+rgshwjYf6xHhtRybCF0Pj9kJ8r/sp3bGtaxnesu5H7t5wXMUW/7Se87bQea47Vfh67Rt5xQHNN0rLcB239sd+nOvVwbbsy4hfD4z7lsq2X7eV5P3e17PCF/u9i/N8vavl2nwuZzXOd157SheHvQ8H4HY9r870+92zYkN4PfvW4fq+d+vWc97nNm3sRLxyXqXb+D9f5P2zjPaOiE/xyxvp/ZOECK5QNPs/QBuNfJx19l5JOXk0EhzRtAi+2DC4f3wVzQhx8I6kK3jJXB1CS5/RocHJm9C4EIX7nFShLDARsPHhwjBWDTZKHnkgqhxNBFaxISIrG6FoJAA"
"""Parity Fish by Marty Sears, the example of SakanaAI/Sudoku-Bench, from its README. Its red lines
are only in the background image."""


def one(value: dict[str, Any], name: str = "sudokupad") -> Record:
    (record,) = read_text(json.dumps(value), name)
    return record


def pad(words: str = "", **fields: Any) -> Record:
    return one(PLAIN | {"metadata": {"rules": words}} | fields)


def shapes(record: Record) -> list[Shape]:
    return shapes_of(record.grid.layout)


# -- SudokuPad -----------------------------------------------------------------------------------


def test_a_link_from_the_wild() -> None:
    (record,) = read_text(FISH)
    dots = [rule for rule in record.grid.layout.rules if isinstance(rule, Dot)]
    colors = [dot.color for dot in dots]
    assert (colors.count("white"), colors.count("black")) == (16, 5)
    assert Dot("white", "r4c8", "r4c9") in dots
    assert Dot("black", "r3c2", "r4c2") in dots
    assert shapes(record) == [Shape("image")]
    assert record.warning == (
        "the drawings of 16 white dots and 5 black dots are read as rules; "
        "1 background image and the setter's words ('Two cells adjacent along a red line must"
        "...') may mean rules that were not read; without them the puzzle may have several "
        "solutions"
    )
    assert record.solution is not None
    assert Grid(record.solution, layout=record.grid.layout).is_solved
    verdict = sudoku.judge(record.grid)
    assert str(verdict).endswith("; 1 background image may mean rules that were not read")


def test_drawings_are_kept_and_restrict_nothing() -> None:
    text = {"center": [0, 1.5], "text": "12", "width": 1, "height": 0.5}
    square = {"center": [2, 2], "width": 2, "height": 2, "backgroundColor": "#CCCCCC"}
    hidden = {"center": [2, 2], "width": 2, "height": 2, "backgroundColor": "#FFFFFF00"}
    record = pad(
        lines=[LINE],
        arrows=[LINE | {"headLength": 0.3}],
        overlays=[WHITE, text, hidden],
        underlays=[square],
        cages=[{"cells": [[0, 0], [0, 1]], "unique": False}, {"cells": [[3, 3]], "value": "<7"}],
        foglight=[[0, 0]],
    )
    assert sudoku.count(record.grid) == 288
    found = shapes(record)
    assert [shape.kind for shape in found] == [
        "rectangle", "line", "arrow", "circle", "text", "light", "cage", "cage",
    ]  # fmt: skip
    assert found[1] == Shape("line", ((0.5, 0.5), (1.5, 1.5)), color="#FF0000", thickness=8)
    assert (found[0].under, found[3].under) == (True, False)
    assert found[-1].text == "<7"
    assert record.warning.startswith(
        "1 rectangle, 1 line, 1 arrow, 1 circle, 1 text, 1 light in the fog and 2 cages without a "
        "rule may mean rules that were not read"
    )
    out = io.StringIO()
    lost: list[str] = []
    dump([record], out, "sudokupad", lost=lambda record, part: lost.append(part))
    assert not lost
    again = shapes(one(json.loads(out.getvalue())))
    assert sorted(again) == sorted(found)


def test_dots_are_read_where_the_words_say_what_they_mean() -> None:
    record = pad(KROPKI, overlays=[WHITE, BLACK], lines=[LINE])
    dots = [Dot("white", "r1c1", "r2c1"), Dot("black", "r1c3", "r1c4")]
    assert [*record.grid.layout.rules[:-1]] == dots
    assert [shape.kind for shape in shapes(record)] == ["line"]
    assert not shapes(pad(KROPKI, overlays=[WHITE, BLACK]))


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("", set()),
        ("Digits with a white dot between them are consecutive.", {"white"}),
        ("Black dots separate digits in a 1:2 ratio", {"black"}),
        ("A white dot joins consecutive digits and a black dot joins a digit and twice it",
         {"white", "black"}),
        ("White dots separate digits in a ratio of 1:2; black dots consecutive digits", set()),
        ("Digits joined by a white dot are not consecutive", set()),
        ("Digits joined by a white dot aren't consecutive", set()),
        ("A white dot joins consecutive digits or digits in a ratio of 1:2", set()),
        ("A white dot joins consecutive digits. White dots are given to cells of value 5", set()),
        ("White circles hold consecutive digits", {"white"}),
        ("Red dots are consecutive", set()),
    ],
)  # fmt: skip
def test_what_words_make_dots_certain(words: str, read: set[str]) -> None:
    drawn = shapes(pad(overlays=[WHITE, BLACK]))
    found = drawn_rules(drawn, words, FOUR, only="dot")
    assert {said.split()[1] for said in found.said} == read
    assert len(found.shapes) == 2 - len(read)


@pytest.mark.parametrize(
    "change",
    [
        {"center": [1, 1]},  # a corner of four cells
        {"center": [0.5, 0.5]},
        {"center": [0, 0.5]},  # at the edge
        {"center": [1, 0.45]},
        {"width": 0.7, "height": 0.7},
        {"width": 0.2},
        {"text": "3"},
        {"rounded": False},
        {"backgroundColor": "#FFFF00"},
        {"backgroundColor": ""},
    ],
)
def test_other_shapes_are_no_dots(change: dict[str, Any]) -> None:
    record = pad(KROPKI, overlays=[WHITE | change])
    assert [type(rule) for rule in record.grid.layout.rules] == [Drawings]


def test_words_that_every_sudoku_has() -> None:
    assert words_with_rules("Normal Sudoku rules apply.") == ""
    assert pad("Normal sudoku rules apply.").warning == ""
    assert pad("Normal sudoku rules apply; no two 9s touch").warning.startswith(
        "the setter's words ('no two 9s touch') may mean rules that were not read"
    )


@pytest.mark.parametrize("field", ["lines", "overlays", "cages"])
@given(value=st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from([[0.5, 1], [[0, 0]], "#FFFFFF"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from([*WHITE, *LINE, "cells", "value", "text", "unique"]), inner, max_size=4),
    max_leaves=8,
))  # fmt: skip
def test_any_drawing_is_read_or_refused(field: str, value: Any) -> None:
    document = json.dumps(PLAIN | {field: [value]}, allow_nan=False) if _finite(value) else "{}"
    try:
        records = read_text(document, "sudokupad")
    except sudoku.SudokuError:
        return
    for record in records:
        ElementTree.fromstring(record.grid.to_svg())


def _finite(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


# -- f-puzzles -----------------------------------------------------------------------------------

DRAWN = {
    "size": 4,
    "grid": [[{}] * 4] * 4,
    "line": [{"lines": [["R1C1", "R2C2"]], "outlineC": "#ff0000", "width": 0.25}],
    "circle": [{"cells": ["R1C1", "R1C2"], "baseC": "#ffffff", "width": 0.3, "height": 0.3}],
    "text": [{"cells": ["R0C1"], "value": "A & B", "size": 0.5}],
    "cage": [{"cells": ["R4C4"], "value": "x"}],
}


def test_drawings_of_f_puzzles() -> None:
    record = one(DRAWN, "fpuzzles")
    assert shapes(record) == [
        Shape("line", ((0.5, 0.5), (1.5, 1.5)), color="#ff0000", thickness=16, under=True),
        Shape("text", ((-0.5, 0.5),), height=0.5, text="A & B"),
        Shape("circle", ((0.5, 1),), 0.3, 0.3, fill="#ffffff", under=True),
        Shape("cage", ((3.5, 3.5),), text="x"),
    ]
    assert record.warning.startswith("1 line, 1 text, 1 circle and 1 cage without a rule may mean")
    out = io.StringIO()
    lost: list[str] = []
    dump([record], out, "fpuzzles", lost=lambda record, part: lost.append(part))
    assert not lost
    assert sorted(shapes(one(json.loads(out.getvalue()), "fpuzzles"))) == sorted(shapes(record))


UNKNOWN = {
    "fogofwar": ["R1C1", "R1C2"],
    "foglight": ["R2C2"],
    "doubler": [{"cells": ["R3C3"]}, {"cell": "R4C4", "value": "x2"}],
    "road": [{"lines": [["R1C1", "R2C2"]], "outlineC": "#ff0000"}],
    "yinyang": True,
    "negative": ["quadruple", "xv"],
}


def test_constraints_that_no_rule_means_are_kept_and_announced() -> None:
    """Fog, doublers, yin-yang: drawn where their cells are, with their names, and written again."""
    record = one({"size": 4, "grid": [[{}] * 4] * 4} | UNKNOWN, "fpuzzles")
    assert record.warning == (
        "3 cages without a rule, 1 light in the fog, 1 line and 2 effects and the constraints "
        "'fogofwar', 'foglight', 'doubler', 'road', 'yinyang' and 'negative quadruple' may mean "
        "rules that were not read; without them the puzzle may have several solutions"
    )
    assert [(shape.kind, shape.text) for shape in shapes(record)] == [
        ("cage", "fogofwar"),
        ("light", ""),
        ("cage", "doubler"),
        ("cage", "x2"),
        ("line", ""),
        ("effect", "yinyang"),
        ("effect", "negative quadruple"),
    ]
    assert [type(rule) for rule in record.grid.layout.rules][:1] == [rules.NoMorePairs]
    out = io.StringIO()
    lost: list[str] = []
    dump([record], out, "fpuzzles", lost=lambda record, part: lost.append(part))
    assert not lost
    assert sorted(shapes(one(json.loads(out.getvalue()), "fpuzzles"))) == sorted(shapes(record))
    image = record.grid.layout.with_rules(rules.Drawings([Shape("image")]), name="image")
    record = Record(Grid.from_cells((0,) * 16, image))
    dump([record], out, "fpuzzles", lost=lambda record, part: lost.append(part))
    assert lost == ["some drawings"]


# -- the rule, and who says it -------------------------------------------------------------------


@pytest.mark.parametrize("kind", SHAPES)
def test_every_kind_is_drawn_in_valid_svg(kind: str) -> None:
    shape = Shape(kind, ((-0.5, 0.5), (1.5, 1.5)), 1, 1, "#ff0000", "#00ff00", 2, "<&>")
    for under in (True, False):
        layout = FOUR.with_rules(Drawings([shape._replace(under=under)]), name="drawings")
        picture = Grid.from_cells((0,) * 16, layout).to_svg()
        ElementTree.fromstring(picture)
        drawn = kind not in ("image", "light", "effect")
        assert ("#ff0000" in picture) == drawn
        words = " ".join(text for text in ElementTree.fromstring(picture).itertext())
        assert f"The drawings (1 {SHAPES[kind]}) may mean rules" in " ".join(words.split())


def test_a_shape_without_points_is_not_drawn() -> None:
    layout = FOUR.with_rules(Drawings([Shape("image"), Shape("circle")]), name="drawings")
    ElementTree.fromstring(Grid.from_cells((0,) * 16, layout).to_svg())


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"kind": "star"}, "a shape of kind 'star'; use line"),
        ({"kind": "line", "size": 3}, "is not a shape; use kind"),
        ("line", "'line' is not a shape"),
        (Shape("line", cast("Any", ((1,),))), "which is not a row and a column"),
        (Shape("line", ((1, 1e6),)), "from -100 to 100"),
        (Shape("line", cast("Any", 5)), "points must be a list"),
        (Shape("line", color='red" onload="x'), "write it as #ff0000"),
        (Shape("line", fill="url(x)"), "write it as #ff0000"),
        (Shape("line", width=-1), "the width -1; it must be a number from 0"),
        (Shape("line", thickness=float("nan")), "the thickness nan"),
        (Shape("text", text="a\nb"), "characters of one line"),
        (Shape("text", text="a" * 41), "at most 40 characters"),
        (Shape("line", under=cast("Any", 1)), "under=1"),
    ],
)
def test_what_is_no_shape(shape: Any, words: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Drawings([shape])
    assert words in str(caught.value)
    with pytest.raises(LayoutError, match="at most 5,000"):
        Drawings([Shape("line")] * 5001)


def test_python_and_the_command_line_warn(tmp_path: Any) -> None:
    path = tmp_path / "drawn.json"
    path.write_text(json.dumps(DRAWN) + "\n", "utf-8")
    for reader in (load, sudoku.read):
        with pytest.warns(UnreadRulesWarning, match=r"line 1: 1 line, 1 text, 1 circle and 1 cage"):
            assert len(list(reader(path))) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(load(path, on_warning=lambda record: None))) == 1
        for command in (["solve"], ["check"], ["convert", "--to", "json"], ["rate"]):
            said = run(*command, str(path)).stderr.splitlines()
            (line,) = [line for line in said if "warning" in line]
            assert line.startswith(f"sudoku: {path}:1: warning: 1 line, 1 text")
        assert "; 1 background image" in run("check", FISH).stderr


def test_the_page_says_it() -> None:
    board = answer({"kind": "open", "text": json.dumps(DRAWN)})
    assert board["say"].startswith("1 line, 1 text, 1 circle and 1 cage without a rule may mean")
    assert any(sentence.startswith("The drawings (1 line") for sentence in board["rules"])
    again = answer({"kind": "open", "text": board["share"]})
    assert again["say"] == board["say"]
    said = answer({"kind": "check", "puzzle": board["puzzle"], "filled": [0] * 16})
    assert said["say"].startswith("The puzzle has more than one solution")
    assert said["say"].endswith("may mean rules that were not read.")
    hint = answer({"kind": "hint", "puzzle": board["puzzle"], "filled": [0] * 16})
    assert "may mean rules that were not read" in json.dumps(hint)


@pytest.mark.parametrize("name", ["json", "share"])
def test_other_formats_hold_drawings(name: str) -> None:
    record = pad(lines=[LINE], overlays=[BLACK])
    (again,) = read_text(dumped([record], name))
    assert again.grid.layout is record.grid.layout
    assert again.warning == record.warning
    assert named("csv").refuses(record.grid) is not None


def test_swaps_of_digits_are_not_used_beside_drawings() -> None:
    """A rule that was not read may break the symmetry that unique rectangles need."""
    from sudoku.hinting.geometry import geometry

    layout = layouts.classic(3, 3).with_rules(rules.Drawings([Shape("line")]), name="drawings")
    assert not geometry(layout).is_plain
