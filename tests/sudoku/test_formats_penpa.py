"""Links of penpa+: a published one, drawings that are rules, drawings that are not, and writing."""

from __future__ import annotations

import io
import json
import zlib
from base64 import b64encode
from typing import Any

import pytest
from format_examples import EVERY_RULE, dumped, read_text
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout, PuzzleError, layouts, rules
from sudoku.formats import Record, detect, dump, named
from sudoku.formats.editors.penpa import SHORT_NAMES
from sudoku.formats.editors.penpa_writing import penpa_link
from sudoku.rules.drawings import shapes_of

SITE = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
WILD = "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VVPb5tOFLz7U1h73oP5szjhlqZJL4l/TeMqipAVrR2SWMYmXeCXCMvfPfMeJCyYqmqrqjlUiNUwPGbnLcySfSu0iWWAwzuQI+ngcIOAT8f3+RzVx3SZJ3E4nMZZPgyeA3lU5A+pCYfn2qzAru70RspJOjRFEmfyv9NTeaeTLB5EtcBssC0Pw/JClp/CSDhCChenI2ayvAi35XlYTmR5iVtCOuDOqiIX8KSBV3yf0HFFOiPgSY0BrwEXS7NI4puzivkcRuVUCprnAz9NUKzT/2NR+6DrRbqeL4mY6xx9Zg/Lx/pOVtymq6KudWY7WR5Vdi977HqNXYKVXUI9dqmLP2z3cLbbYdm/wPBNGJH3rw08aOBluMU4CbfCdelRBS/VuxFuQETQEJ5HhG8R6nVxXokxEV5D+CxqVfh+t4JnsUQVV+ALeSO4wtII2IdN8COWRsDGLOsBG7OaG7OGVTHmR940sCgOL801j6c8ujxOsXKy9Hj8yOOIR8XjGdecYEEdBzFyYc2Fogvs1djjeFWYokYdE1bA1ArhAHj8Wo9welhIxi4wvDP22pr0OhgrYCwaY8SZ3grrQ0fVOgo6qtZR0LE9qFpHQYcWnzF0FOmguStu8ZhHn8eAWx/TJ/VTH93vr/IP7UQuOn070NGv4tkgwkYmsjS5yQpzpxeIJe9zSB64TbGex6ZFJWn6mCw37brl/SY1ce8tIuPb+776eWpuO+pPOklaRLWlt6hqg2lRucHuYV1rY9KnFrPW+UOLsHaallK8ydsGct22qFe6M9u66Xk3EM+Cz8ijH9C/38Tf+k3QOxi9t9y+Nzv8+aamN/uge+IPtjfmNb+XdPB7maYJ92MNtifZYLvhBrWfb5B7EQf3nZSTajfo5KqbdZpqL+40lZ147KCMXgA="
"""A link in the tests of marktekfan/sudokupad-penpa-import (test/penpa-loader)."""
NINE = Layout(3, 3)
WIDE = 13  # cells of a row with the two on each side
SIZE = WIDE * WIDE


def one(link: str) -> Record:
    (record,) = read_text(link)
    return record


def texts(link: str) -> list[str]:
    """The lines of the text in a link, with the usual names, decoded as the editor does."""
    from base64 import b64decode

    text = zlib.decompress(b64decode(link.partition("p=")[2]), -15).decode()
    for name, short in reversed(SHORT_NAMES):
        text = text.replace(short, name)
    return text.split("\n")


def linked(lines: list[str]) -> str:
    packer = zlib.compressobj(wbits=-15)
    return SITE + b64encode(packer.compress("\n".join(lines).encode()) + packer.flush()).decode()


PLAIN = texts(penpa_link(Record(Grid.from_cells((0,) * 81, NINE))))


def drawn(words: str = "", head: dict[int, str] | None = None, **fields: Any) -> Record:
    """The record of an empty 9x9 with a drawing."""
    lines = list(PLAIN)
    header = lines[0].split(",")
    for at, text in {18: words, **(head or {})}.items():
        header[at] = text
    lines[0] = ",".join(header)
    layer = json.loads(lines[3])
    for name, value in fields.items():
        layer[name] = layer[name] | value if name == "lineE" else value
    lines[3] = json.dumps(layer)
    return one(linked(lines))


# -- a link from the wild ------------------------------------------------------------------------


def test_a_link_from_the_wild() -> None:
    assert detect(WILD.encode()).name == "penpa"
    record = one(f"{WILD} a remark")
    assert record.grid.layout is Layout(2, 3)
    assert (
        str(record.grid).split()
        == str(Grid("5...6. .4.1.3 1.3.4. ..2.1. .146.5 .6.4..", layout=Layout(2, 3))).split()
    )
    assert record.about["title"] == "Test 6x6"
    assert record.about["author"] == "Mark Tekfan"
    assert (record.rest, record.warning) == ("a remark", "")


def test_what_is_written_is_what_penpa_writes() -> None:
    ours, theirs = texts(penpa_link(one(WILD))), texts(WILD)
    assert ours[0] == theirs[0]
    assert [json.loads(line) for line in ours[1:]] == [json.loads(line) for line in theirs[1:]]


def test_a_cage_is_drawn_as_by_its_editor() -> None:
    """The cage, its points and its sum are those of a test of another reader."""
    cells = [(3, 1), (3, 2), (4, 1), (4, 2), (5, 1), (5, 2)]
    layout = NINE.with_rules(rules.Cage(22, cells))
    layer = json.loads(texts(penpa_link(Record(Grid.from_cells((0,) * 81, layout))))[3])
    assert layer["killercages"] == [[54, 55, 67, 68, 80, 81]]
    assert layer["numberS"] == {"892": [" 22", 1]}
    wanted = (
        "892,894 892,893 893,896 894,944 896,897 897,899 899,949 944,946 946,996 949,951 951,1001 "
        "996,998 999,1002 998,999 1001,1003 1002,1003"
    )
    assert layer["cage"] == dict.fromkeys(wanted.split(), 10)


# -- drawings that are rules ---------------------------------------------------------------------


def test_rules() -> None:
    """The fields are those of the same test: a thermometer, a cage, an arrow, texts, diagonals."""
    down = {f"{SIZE + 14 * n + 14},{SIZE + 14 * n + 28}": 12 for n in range(9)}
    up = {f"{SIZE + 35 + 12 * n},{SIZE + 23 + 12 * n}": 12 for n in range(9)}
    record = drawn(
        head={0: "sudoku", 11: "1", 14: "1"},
        thermo=[[33, 34, 35, 49, 62]],
        killercages=[[54, 55, 67, 68, 80, 81]],
        numberS={"892": [" 22", 1]},
        cage={"892,894": 10, "893,896": 10},
        arrows=[[72, 73, 74, 87, 100, 113]],
        number={"43": ["1", 1, "1"], "44": ["2", 1, "1"], "45": ["3", 1, "10"]},
        lineE={**down, **up},
    )
    assert record.warning == ""
    assert record.grid.values == {(2, 3): 1, (2, 4): 2, (2, 5): 3}
    assert record.grid.layout.houses == layouts.diagonal().houses
    assert set(record.grid.layout.rules) == {
        rules.Thermometer("r1c6 r1c7 r1c8 r2c9 r3c9"),
        rules.Cage(22, "r3c1 r3c2 r4c1 r4c2 r5c1 r5c2"),
        rules.Arrow("r4c6", "r4c7 r4c8 r5c8 r6c8 r7c8"),
    }


def test_diagonals_need_the_option_and_the_line() -> None:
    line = {f"{SIZE + 14 * n + 14},{SIZE + 14 * n + 28}": 12 for n in range(9)}
    for head, lines in (({}, line), ({11: "1"}, {}), ({11: "1"}, dict(list(line.items())[1:]))):
        record = drawn(head=head, lineE=lines)
        assert record.grid.layout.houses == NINE.houses
        assert [shape.kind for shape in shapes_of(record.grid.layout)] == ["line"] * bool(lines)


def test_dots_are_rules_where_the_words_say_so() -> None:
    dots = {str(3 * SIZE + 28): [8, "circle_SS", 2], str(2 * SIZE + 29): [2, "circle_SS", 2]}
    words = "White dots: consecutive digits. Black dots: one digit is double the other."
    assert drawn(words, symbol=dots).grid.layout.rules == (
        rules.Dot("white", "r1c1", "r1c2"), rules.Dot("black", "r1c2", "r2c2"),
    )  # fmt: skip
    assert [shape.kind for shape in shapes_of(drawn(symbol=dots).grid.layout)] == ["circle"] * 2


# -- drawings that are not -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"thermo": [[28, 30]]}, "1 line"),  # not adjacent
        ({"thermo": [[28, 27]]}, "1 line"),  # one cell is outside
        ({"thermo": [[28, 29, 28]]}, "1 line"),
        ({"thermo": [[28, 29]], "words": "Along slow thermometers"}, "1 line"),
        ({"thermo": [[*range(28, 37), 49]]}, "1 line"),  # ten cells, nine digits
        ({"arrows": [[28]]}, "1 arrow"),
        (
            {"killercages": [[28, 29]], "numberS": {"788": ["x", 1]}},
            "1 cage without a rule and 1 t",
        ),
        ({"killercages": [[28, 29]], "numberS": {"788": ["3", 1], "792": ["4", 1]}}, "1 cage"),
        ({"cage": {"788,789": 10}}, "1 cage without a rule"),
        ({"number": {"28": ["5", 2, "1"]}}, "1 text"),  # green
        ({"number": {"28": ["12", 1, "1"]}}, "1 text"),
        ({"number": {"28": ["5", 1, "5"]}}, "1 text"),  # small
        ({"number": {"15": ["5", 1, "1"]}}, "1 text"),  # above the grid
        ({"symbol": {"28": [3, "square_L", 1]}}, "1 rectangle"),
        ({"symbol": {"28": [1, "star", 1]}}, "1 mark"),
        ({"surface": {"28": 3, "29": 0}}, "1 rectangle"),
        ({"line": {"28,29": 5, "29,42": 5, "60,61": 5}}, "2 lines"),
        ({"line": {"28,29": 5, "29,30": 8}}, "2 lines"),
        ({"nobulbthermo": [[28, 29]], "direction": [[28, 29]]}, "1 line and 1 arrow"),
        ({"deletelineE": {"183,184": 1}}, "1 mark"),
        ({"head": {21: "eJyrVkrLzE"}}, "1 background image"),
    ],
)
def test_other_drawings(fields: dict[str, Any], kinds: str) -> None:
    words = fields.pop("words", "") if "words" in fields else ""
    lines = [*PLAIN[0].split(","), ""] if "head" in fields else None
    if lines is not None:
        PLAIN[0], before = ",".join(lines), PLAIN[0]
    try:
        record = drawn(words, **fields)
    finally:
        if lines is not None:
            PLAIN[0] = before
    assert record.warning.startswith(kinds)
    assert not record.grid.values
    assert [type(rule) for rule in record.grid.layout.rules] == [rules.Drawings]
    record.grid.to_svg()


def test_a_loop_and_a_fork_are_drawn_whole() -> None:
    loop = {"28,29": 5, "29,42": 5, "41,42": 5, "28,41": 5}
    (shape,) = shapes_of(drawn(line=loop).grid.layout)
    assert len(shape.points) == 5
    assert shape.points[0] == shape.points[-1]
    fork = {"28,29": 5, "29,30": 5, "29,42": 5}
    assert len(shapes_of(drawn(line=fork).grid.layout)) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({0: {0: "hex"}}, "a 'hex' grid of penpa+; only square grids are read"),
        ({0: {0: "9"}}, "the first version of penpa"),
        ({0: {4: "90"}}, "a rotated or reflected view"),
        ({0: {5: "-1"}}, "a rotated or reflected view"),
        ({0: {1: "0"}}, "a grid of 9 rows and 0 columns"),
        ({0: {1: "x"}}, "not a puzzle of penpa+"),
        ({5: "[28,1,1]"}, "3 cells that are not one square"),
        ({3: '{"lineE":{}}'}, "divide the grid into 1 region of 81 cells; 9 regions of 9"),
        ({3: "{"}, "the link is damaged"),
        ({3: '{"lineE":{"x":2}}'}, "divide the grid into"),
        ({3: '{"lineE":{"x,y":2}}'}, "not a puzzle of penpa+"),
    ],
)
def test_links_that_cannot_be_read(change: dict[int, Any], words: str) -> None:
    lines = list(PLAIN)
    for at, value in change.items():
        if isinstance(value, dict):
            header = lines[at].split(",")
            for field, text in value.items():
                header[field] = text
            lines[at] = ",".join(header)
        else:
            lines[at] = value
    with pytest.raises(PuzzleError, match="line 1") as caught:
        one(linked(lines))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        (SITE.replace("&p=", ""), "it has no p="),
        (SITE + "7VZ", "the link is damaged: it cannot be decompressed"),
        (SITE + "é", "the link is damaged"),
        (SITE + WILD.partition("p=")[2][:-40], "the link is damaged"),
        (SITE + b64encode(zlib.compress(b"a" * 3_000_000, 9)[2:-4]).decode(), "is damaged"),
    ],
)
def test_damaged_links(link: str, words: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        one(link)
    assert words in str(caught.value)


def test_links_of_the_player_and_in_other_forms() -> None:
    solution = sudoku.solve("." * 81).line
    grid = Grid("1" + "." * 80)
    lines = texts(penpa_link(Record(grid)))
    cells = [(row + 2) * WIDE + column + 2 for row in range(9) for column in range(9)]
    player = {str(cell): [digit, 2, "1"] for cell, digit in zip(cells, solution, strict=True)}
    lines[4] = json.dumps({"number": player})
    assert (one(linked(lines)).solution, one(linked(lines)).placed) == (solution, None)
    player[str(cells[80])][0] = player[str(cells[79])][0]
    lines[4] = json.dumps({"number": player})
    wrong = solution[:80] + solution[79]
    assert (one(linked(lines)).solution, one(linked(lines)).placed) == (None, wrong)
    half = solution[:40] + "." * 41
    link = penpa_link(Record(grid, placed=half))
    assert one(link).placed == half
    for other in (link.replace("#m=edit", "?m=solve"), link.rstrip("=") + "&a=xyz",
                  link.replace("+", "%2B").replace("%2Bpenpa", "+penpa")):  # fmt: skip
        assert one(other).grid == grid


# -- writing -------------------------------------------------------------------------------------

ADJACENT = st.lists(st.sampled_from([(0, 1), (1, 0), (1, 1), (-1, 1), (1, -1)]), min_size=1,
                    max_size=4)  # fmt: skip


@settings(max_examples=30)
@given(
    st.sampled_from([NINE, Layout(2, 3), layouts.diagonal(), layouts.jigsaw("1112132233243444")]),
    st.lists(st.tuples(st.sampled_from("tac"), st.integers(2, 4), st.integers(2, 4), ADJACENT),
             max_size=3),
    st.lists(st.sampled_from(["white", "black"]), max_size=2),
    st.text("abc,=&\n%é '\"", max_size=12),
)  # fmt: skip
def test_what_is_written_is_read_again(
    base: Layout, lines: list[Any], colors: list[str], title: str
) -> None:
    side, made = base.side, []
    for kind, row, column, steps in lines:
        path = [(row, column)]
        for down, right in steps:
            near = (path[-1][0] + down, path[-1][1] + right)
            if near in base.index and near not in path:
                path.append(near)
        if len(path) < 2 or len(path) > side:
            continue
        made.append(
            rules.Thermometer(path) if kind == "t"
            else rules.Arrow([path[0]], path[1:]) if kind == "a"
            else rules.Cage([None, sum(range(len(path) + 1)) + (len(path) < side)][row != 2], path)
        )  # fmt: skip
    made += [rules.Dot(color, (1, at), (1, at + 1)) for at, color in enumerate(colors, 1)]
    caged = [cell for rule in made if isinstance(rule, rules.Cage) for cell in rule.cells]
    if len(caged) > len(set(caged)):
        return  # a cell has one corner for a sum
    layout = base.with_rules(*made) if made else base
    grid = Grid.from_cells((1,) + (0,) * (layout.size - 1), layout)
    assert named("penpa").refuses(grid) is None
    again = one(dumped([Record(grid, about={"title": title} if title else {})], "penpa"))
    assert (again.grid.line, again.grid.layout.houses) == (grid.line, layout.houses)
    assert set(again.grid.layout.rules) == set(layout.rules)
    assert not again.warning.replace("dot joins", "") or colors


def test_what_cannot_be_written() -> None:
    readable = {rules.Thermometer, rules.Cage, rules.Arrow, rules.Dot, rules.Drawings}
    for rule in EVERY_RULE:
        refused = named("penpa").refuses(Grid.from_cells((0,) * 81, NINE.with_rules(rule)))
        assert (refused is None) == (type(rule) in readable), rule
    for layout in (layouts.samurai(), layouts.hyper(), layouts.latin(4)):
        grid = Grid.from_cells((0,) * layout.size, layout)
        assert named("penpa").refuses(grid) == f"cannot hold a {layout} layout"
    pill = NINE.with_rules(rules.Arrow("r1c1 r1c2", "r2c1 r3c1"))
    refused = named("penpa").refuses(Grid.from_cells((0,) * 81, pill))
    assert refused == "cannot hold the rule Arrow"


def test_drawings_are_not_written() -> None:
    grid = drawn(line={"28,29": 5}).grid
    lost: list[str] = []
    out = io.StringIO()
    dump([Record(grid)], out, "penpa", lost=lambda record, part: lost.append(part))
    assert lost == ["drawings"]
    assert one(out.getvalue()).grid.layout is NINE
