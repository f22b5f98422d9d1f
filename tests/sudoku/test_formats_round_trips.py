"""What is written in a format is read again as it was, and known as what it is."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
import sudoku_strategies as some
from example_puzzles import REGIONS
from format_examples import (
    EVERY_RULE,
    NO_FPUZZLES,
    SETTER_RULES,
    as_dot,
    content,
    dumped,
    read_text,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st
from setter_rules import NAMES, ruled, some_rule

import sudoku
from sudoku import Grid, Layout, SudokuError, layouts, rules
from sudoku.board.cells import Cell
from sudoku.formats import FORMATS, Record, detect, load, named
from sudoku.formats.json_format.layouts import KINDS

NINE = Layout(3, 3)


def jigsaw() -> Layout:
    return layouts.jigsaw(REGIONS)


OF_KIND: dict[str, list[Layout]] = {
    "lines": [Layout(2, 2), Layout(2, 3), NINE, Layout(4, 4)],
    "sdm": [Layout(2, 2), NINE, Layout(3, 4)],
    "rows": [Layout(2, 2), NINE, Layout(3, 4)],
    "grid": [Layout(2, 2), NINE, Layout(3, 4), Layout(4, 4)],
    "ss": [NINE],
    "sdk": [NINE],
    "hodoku": [NINE],
    "opensudoku": [NINE],
    "csv": [Layout(2, 2), NINE, Layout(3, 2), Layout(4, 4)],
    "json": [NINE, Layout(3, 2), layouts.diagonal(), layouts.samurai(), jigsaw()],
    "fpuzzles": [Layout(2, 3), NINE, layouts.diagonal(), jigsaw()],
    "sudokupad": [Layout(2, 2), Layout(2, 3), NINE, jigsaw()],
    "links": [Layout(2, 3), NINE, layouts.diagonal(), jigsaw()],
    "penpa": [Layout(2, 3), NINE, layouts.diagonal(), jigsaw()],
    "share": [NINE, Layout(3, 2), layouts.diagonal(), layouts.samurai(), jigsaw()],
    "jigsaw": [jigsaw()],
    "solo": [
        Layout(2, 3),
        NINE,
        Layout(3, 4),
        layouts.diagonal(),
        jigsaw(),
        layouts.jigsaw("".join(row * 7 for row in "1234567")),
    ],
    "overlaps": [layouts.samurai(), layouts.sohei(), layouts.butterfly()],
}
TEXTS = st.text("abc é,;:|<&>\"'", max_size=8).map(lambda text: " ".join(text.split()))


def numbers(size: int) -> st.SearchStrategy[list[int]]:
    """`size` numbers below 2^16 in one draw, where a list would need many."""
    return st.binary(min_size=2 * size, max_size=2 * size).map(
        lambda raw: [a << 8 | b for a, b in zip(raw[::2], raw[1::2], strict=True)]
    )


def lines(layout: Layout, blanks: bool = True) -> st.SearchStrategy[str]:
    symbols = "." * layout.side * blanks + layout.symbols
    return numbers(layout.size).map(lambda ns: "".join(symbols[n % len(symbols)] for n in ns))


@cache
def solved(layout: Layout) -> str:
    return sudoku.solve(Grid.from_cells((0,) * layout.size, layout)).line


@st.composite
def records(draw: st.DrawFn, name: str) -> Record:
    layout = draw(st.sampled_from(OF_KIND[name]))
    holds = named(name).holds
    line = draw(lines(layout))
    placed = marks = solution = None
    if "solution" in holds and draw(st.booleans()):
        renamed = "".join(draw(st.permutations(layout.symbols)))
        solution = solved(layout).translate(str.maketrans(layout.symbols, renamed))
        line = "".join(b if a != "." else "." for a, b in zip(line, solution, strict=True))
    if "digits filled in" in holds and draw(st.booleans()):
        other = draw(lines(layout))
        placed = "".join(b if a == "." else a for a, b in zip(line, other, strict=True))
    if "pencil marks" in holds and name != "hodoku" and draw(st.booleans()):
        every = (2 << layout.side) - 2
        marks = tuple(2 * n & every or 2 for n in draw(numbers(layout.size)))
    rest = draw(TEXTS.map(lambda text: text.strip(" ,;:"))) if "remark" in holds else ""
    about = {}
    if name in ("json", "share", "csv", "sdk") and draw(st.booleans()):
        about = {"author": draw(TEXTS.filter(bool)), "level": draw(TEXTS.filter(bool))}
    return Record(Grid.from_line(line, layout), 0, rest, placed, marks, solution, about)


@pytest.mark.parametrize("name", OF_KIND)
@settings(max_examples=40)
@given(data=st.data())
def test_round_trip(name: str, data: st.DataObject) -> None:
    given_records = [data.draw(records(name)) for _ in range(data.draw(st.integers(1, 3)))]
    if name == "csv":  # the headings are those of the first
        given_records = [record for record in given_records if record.about.keys()
                         <= given_records[0].about.keys()]  # fmt: skip
    text = dumped(given_records, name)
    layout = given_records[0].grid.layout
    found = read_text(text, name)
    expected = list(map(content, given_records))
    if name in (
        "sdk",
        "hodoku",
        "opensudoku",
        "fpuzzles",
        "links",
        "penpa",
    ):  # they may write what is known anyway
        for record, wanted in zip(found, given_records, strict=True):
            assert record.grid == wanted.grid
            assert (record.placed or record.grid.line) == (wanted.placed or wanted.grid.line)
            assert record.marks == wanted.marks
            assert record.rest == wanted.rest
    else:
        assert list(map(content, found)) == expected
    if layout.size > 36 and name != "lines":
        assert detect(text.encode()).read is named(name).read


# -- remarks and titles of any text --------------------------------------------------------------

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from([
    "a\n" + "53..7...." * 9, "\r\n[Puzzle]\n" + "1........\n" * 9, "#\n#A", "\x85\u2028" + "." * 81,
    "5" * 81, "5" * 81 + "\n" + "." * 81, "." * 81, "." * 81 + " x", "?", "? x", "? " + "." * 81,
    "." * 441, "1" * 441, "\0", "\ufeff", "\ud800 \udc00", '"', "a\tb", "| | |", ":::", "a:b:c",
    "<game/>", "]]>", "&#0;", "é" * 40_000, "x" * 1_100_000, '{"puzzle": ""}', "#", "[State]", " ",
])  # fmt: skip


def bare(name: str) -> Record:
    """A puzzle that the format can hold."""
    layout = OF_KIND[name][-1] if name in OF_KIND else Layout(3, 3)
    if name in ("killer", "ps", "sumocue"):
        layout = killers()[0]
    if name == "even-odd":
        layout = layouts.even_odd(["r9c8"], ["r9c9"])
    if name in ("sukaku", "candidates"):
        layout = layouts.sukaku("123456789" * 80 + "1.3456789")
    givens = not layout.rules or name == "even-odd"
    return Record(Grid.from_cells((3 * givens,) + (0,) * (layout.size - 1), layout))


def remark(record: Record) -> str:
    """It, but for white space, and for what may stand between it and a puzzle."""
    return "".join(record.rest.split()).lstrip(",;")


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
@settings(max_examples=40)
@given(data=st.data())
def test_no_remark_changes_a_puzzle(name: str, data: st.DataObject) -> None:
    """Whatever a remark or a title says: the same puzzles are read again, and nothing more."""
    one = read_text(dumped([bare(name)], name), name)[0]
    every = []
    for _ in range(2):
        names = ["title", "author", "colors", "step code", "step placed", "quiz", "Puzzle ", "grid"]
        about = data.draw(st.dictionaries(st.sampled_from(names) | ANY_TEXT, ANY_TEXT, max_size=2))
        every.append(replace(one, rest=data.draw(ANY_TEXT), about=about))
    lost: list[str] = []
    raw = dumped(every, name, lost=lambda _, part: lost.append(part)).encode()
    for known in (name, None) if detect(dumped([one], name).encode()).name == name else (name,):
        found = list(load(io.BytesIO(raw), format=known))
        assert [record.grid for record in found] == [one.grid] * 2
        if "remark" in named(name).holds - set(lost):
            expected = [remark(record) for record in every]
            if all(text.isprintable() for text in expected):
                assert [remark(record) for record in found] == expected


def test_the_attributes_of_opensudoku_are_exact() -> None:
    """A parser of XML reads a line break in an attribute as a space, unless it is a reference."""
    text = "a \"b\" & 'c' <d>"
    one = replace(bare("opensudoku"), rest=text, placed="3" * 81, about={"title": text})
    root = ElementTree.fromstring(dumped([one], "opensudoku"))
    ((name, game),) = [list(root)]
    assert (name.text, game.get("note")) == (text, text)
    assert game.get("data", "").startswith("version: 3\n3|0|")


@pytest.mark.parametrize(
    "name", ["lines", "sukaku", "jigsaw", "killer", "ps", "sumocue", "overlaps", "even-odd"]
)
def test_a_tab_before_a_remark(name: str) -> None:
    """As a spreadsheet has it that was copied."""
    one = replace(bare(name), rest="remark")
    for end in ("\tremark\n", "\t remark\t\n", " \t\tremark \n"):
        (found,) = read_text(dumped([one], name).replace(" remark\n", end), name)
        assert (found.grid, found.rest) == (one.grid, "remark")
    if "solution" in named(name).holds:
        if name == "killer":  # the others of `killers` have no solution
            one = replace(one, grid=Grid.from_cells((0,) * 81, killers()[3]))
        answered = replace(one, solution=sudoku.solve(one.grid).line)
        line, _, _ = dumped([answered], name).rpartition(" remark")
        field = line.split(" ")[-1]
        (found,) = read_text(f"{line.removesuffix(' ' + field)}\t{field}\tremark", name)
        assert (found.solution, found.rest) == (answered.solution, "remark")


def killers() -> list[Layout]:
    pairs = [f"r{row}c{column} r{row}c{column + 1}" for row in range(1, 10) for column in (1, 4, 7)]
    cages = [(3 + n % 15, cells) for n, cells in enumerate(pairs)]
    return [
        layouts.killer(cages),
        layouts.killer(cages[:5], base=layouts.diagonal()),
        layouts.killer(cages[:3], base=jigsaw()),
        layouts.killer([(None, "r1c1 r1c2"), (12, "r5c5 r6c5 r6c6")]),
    ]


@pytest.mark.parametrize(
    ("name", "numbers"), [("killer", (0, 1, 3)), ("ps", (0, 1)), ("sumocue", (0, 1, 2))]
)
def test_killers(name: str, numbers: tuple[int, ...]) -> None:
    for number, layout in enumerate(killers()):
        empty = Grid.from_cells((0,) * 81, layout)
        record = Record(empty, rest="a remark")
        if number not in numbers:
            with pytest.raises(SudokuError, match=f"{name} cannot hold"):
                dumped([record], name)
            continue
        text = dumped([record], name)
        assert detect(text.encode()) is named(name)
        (found,) = read_text(text)
        assert found.rest == "a remark"
        assert set(found.grid.layout.rules) == set(layout.rules)
        assert {frozenset(house.cells) for house in found.grid.layout.houses} == {
            frozenset(house.cells) for house in layout.houses
        }
        with_given = Grid.from_cells((5,) + (0,) * 80, layout)
        with pytest.raises(SudokuError, match="cannot hold givens"):
            dumped([Record(with_given)], name)


@settings(max_examples=40)
@given(numbers(81))
def test_sukaku_and_candidates(bits: list[int]) -> None:
    bits = [n % 511 + 1 for n in bits]
    marks = "".join(
        str(digit) if one >> digit - 1 & 1 else "." for one in bits for digit in range(1, 10)
    )
    (record,) = read_text(f"# marks\n{marks} hard\n", "sukaku")
    assert record.rest == "hard"
    assert dumped([record], "sukaku") == f"{marks} hard\n"
    (again,) = read_text(dumped([Record(record.grid)], "candidates"), "candidates")
    assert dumped([Record(again.grid)], "sukaku") == f"{marks}\n"


def test_sukaku_and_candidates_are_known() -> None:
    assert detect(("ß" + "x" * 728).encode()).name == "lines", "which is longer in capitals"
    marks = "123456789" * 80 + "1.3.5.7.9"
    assert detect(f"# marks\n{marks}\n".encode()).name == "sukaku"
    wrong = marks[:4] + "x" + marks[5:]
    assert detect(wrong.encode()).name == "sukaku"
    (record,) = read_text(marks)
    assert detect(dumped([record], "candidates").encode()).name == "candidates"


def digits_by_cell(layout: Layout) -> dict[tuple[int, int], set[int]]:
    """Which digits all the marks of a layout leave."""
    left: dict[tuple[int, int], set[int]] = {}
    for rule in layout.rules:
        assert isinstance(rule, rules.Allowed)
        for cell, digits in rule.marks:
            left[cell] = left.get(cell, {*digits}) & {*digits}
    return left


@pytest.mark.parametrize("name", ["fpuzzles", "sukaku", "candidates", "even-odd", "json"])
@settings(max_examples=50)
@given(
    marks=st.lists(
        st.dictionaries(
            st.sampled_from(["r1c1", "r1c2"]),
            st.sets(st.integers(1, 9), min_size=1)
            | st.sampled_from([{2, 4, 6, 8}, {1, 3, 5, 7, 9}]),
            min_size=1,
        ),
        max_size=4,
    ),
    first=st.integers(0, 9),
)
@example(marks=[{"r1c1": {2, 4, 6, 8}}, {"r1c1": {1, 2}}, {"r1c1": {1, 3, 4}}], first=0)
def test_several_marks_in_one_cell(name: str, marks: list[dict[str, set[int]]], first: int) -> None:
    """What is read again allows the same digits; or it is not written, with a reason."""
    try:
        layout = NINE.with_rules(*map(rules.Allowed, marks))
    except SudokuError:
        return
    grid = Grid.from_cells((first,) + (0,) * 80, layout)
    if (reason := named(name).refuses(grid)) is not None:
        assert reason.startswith("cannot hold")
        return
    (found,) = read_text(dumped([Record(grid)], name), name)
    wanted, again = digits_by_cell(layout), digits_by_cell(found.grid.layout)
    if name in ("sukaku", "candidates"):  # a given is a cell with one digit
        wanted = {cell: left & {first} if (cell, first > 0) == ((1, 1), True) else left
                  for cell, left in wanted.items()}  # fmt: skip
        again |= {cell: {digit} for cell, digit in found.grid.values.items()}
        wanted.setdefault((1, 1), {first} if first else set(range(1, 10)))
    else:
        assert found.grid.cells == grid.cells
    for row, column in layout.positions:
        every = set(range(1, 10))
        assert again.get((row, column), every) == wanted.get((row, column), every)


@settings(max_examples=30)
@given(some.any_grids([Layout(2, 2), Layout(2, 3), NINE]), numbers(81))
def test_even_odd(grid: Grid, kinds: list[int]) -> None:
    layout = grid.layout
    empty = [cell for cell in layout.positions if cell not in grid.values]
    even = [cell for cell, kind in zip(empty, kinds, strict=False) if kind % 3 == 0]
    odd = [cell for cell, kind in zip(empty, kinds, strict=False) if kind % 3 == 1]
    if even or odd:
        layout = layouts.even_odd(even, odd, layout)
    grid = Grid.from_cells(grid.cells, layout)
    text = dumped([Record(grid)], "even-odd")
    assert [record.grid for record in read_text(text, "even-odd")] == [grid]
    if even and odd and layout.side == 9:
        assert detect(text.encode()).name == "even-odd"


def test_json_holds_every_rule() -> None:
    missing = {*KINDS} - {"ChaosRegions"} - {type(rule).__name__ for rule in EVERY_RULE}
    assert not missing, f"add {missing} to EVERY_RULE in tests/support/format_examples.py"
    bases = (NINE, layouts.diagonal(), jigsaw(), layouts.samurai(), layouts.latin(9))
    for base in bases:
        every = [r for r in EVERY_RULE if base.is_square or type(r) is not rules.FullRank]
        layout = base.with_rules(*every)
        record = Record(Grid.from_cells((0,) * layout.size, layout), about={"title": "all"})
        (found,) = read_text(dumped([record], "json"))
        assert found.grid.layout is layout
        assert content(found) == content(record)


def test_json_of_every_named_layout() -> None:
    every = [layouts.named(name) for name in layouts.NAMES]
    listed = [Record(Grid.from_cells((0,) * layout.size, layout)) for layout in every]
    assert [record.grid.layout for record in read_text(dumped(listed, "json"))] == every


def test_rules_of_others_are_refused() -> None:
    class Mine(rules.Rule):
        __slots__ = ()

    layout = NINE.with_rules(Mine())
    with pytest.raises(SudokuError, match="json cannot hold the rule Mine"):
        dumped([Record(Grid.from_cells((0,) * 81, layout))], "json")


class Odd(rules.Rule):
    """A rule whose fields have the names and the values of others' fields, but not their types."""

    __slots__ = fields = ("bounds", "marks", "offsets", "digits", "shapes", "place", "pairs")

    bounds: tuple[int, int]
    marks: tuple[int, int] | None
    offsets: tuple[Cell, ...]
    digits: Cell | None
    shapes: tuple[tuple[Cell, str], ...]
    place: tuple[Cell, Cell]
    pairs: tuple[tuple[tuple[int, int], bool], ...]

    def __init__(self, **values: Any) -> None:
        fill = {**values, "shapes": tuple(values["shapes"])}
        self._fill(**fill)


ODD = Odd(
    bounds=(1, 5), marks=None, offsets=((1, 5), (2, 1)), digits=(3, 4), shapes=(((1, 1), "a"),),
    place=((1, 2), (2, 2)), pairs=(((1, 5), True),),
)  # fmt: skip


def test_fields_are_written_by_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "Odd", Odd)
    record = Record(Grid.from_cells((0,) * 81, NINE.with_rules(ODD)))
    text = dumped([record], "json")
    (value,) = json.loads(text)["layout"]["rules"]
    assert value == {
        "rule": "Odd", "bounds": [1, 5], "marks": None, "offsets": ["r1c5", "r2c1"],
        "digits": "r3c4", "shapes": {"r1c1": "a"}, "place": ["r1c2", "r2c2"],
        "pairs": [[[1, 5], True]],
    }  # fmt: skip
    (found,) = read_text(text)[0].grid.layout.rules
    assert found == ODD
    for name in Odd.fields:
        assert type(getattr(found, name)) is type(getattr(ODD, name))


def test_a_field_without_a_type_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = type("Plain", (rules.Rule,), {"fields": ("bounds",), "bounds": (1, 5)})
    monkeypatch.setitem(KINDS, "Plain", plain)
    record = Record(Grid.from_cells((0,) * 81, NINE.with_rules(plain())))
    with pytest.raises(SudokuError, match="the field bounds of the rule Plain has no declared"):
        dumped([record], "json")


@pytest.mark.parametrize("rule", EVERY_RULE, ids=repr)
def test_a_rule_of_a_subclass_is_no_rule_of_its_base(rule: rules.Rule) -> None:
    mine = type("Mine", (type(rule),), {"__slots__": ()})
    grid = Grid.from_cells((0,) * 81, NINE.with_rules(mine(*rule._content())))
    for form in FORMATS:
        assert "cannot hold " in (form.refuses(grid) or ""), form.name
    for name in ("json", "share", "fpuzzles", "links", "penpa"):
        assert "cannot hold the rule Mine" in (named(name).refuses(grid) or "")


def test_fpuzzles_rules() -> None:
    some_rules = [
        rules.Cage(10, "r3c1 r3c2"),
        rules.Cage(None, "r4c1 r4c2"),
        rules.Thermometer("r6c1 r6c2 r7c2"),
        rules.Arrow("r1c1", "r1c2 r1c3"),
        rules.Arrow("r9c1 r9c2", "r8c3 r7c4 r6c5"),
        rules.Dot("black", "r5c1", "r5c2"),
        rules.Allowed({"r1c9": [2, 4, 6, 8]}),
        rules.Allowed({"r2c9": [1, 9]}),
        rules.Unique("r8c1 r9c2"),
    ]
    layout = layouts.anti_king(layouts.anti_knight(layouts.diagonal())).with_rules(*some_rules)
    text = dumped([Record(Grid.from_cells((0,) * 81, layout))], "fpuzzles")
    assert detect(text.encode()).name == "fpuzzles"
    (record,) = read_text(text)
    assert set(record.grid.layout.rules) == set(layout.rules)
    assert set(record.grid.layout.houses) == set(layout.houses)
    layout = NINE.with_rules(rules.LittleKiller(12, "r1c3 r2c2"))
    little = Record(Grid.from_cells((0,) * 81, layout))
    with pytest.raises(SudokuError, match="fpuzzles cannot hold a little killer whose cells are"):
        dumped([little], "fpuzzles")


SHOWN = [
    rules.LittleKiller(12, "r1c3 r2c2 r3c1"),
    rules.LittleKiller(12, "r9c8 r8c9"),
    rules.LittleKiller(45, [(n, n) for n in range(1, 10)]),
    rules.LittleKiller(5, "r1c9"),
    rules.Indexer("r5c5", [(r, c) for r in (4, 5, 6) for c in (4, 5, 6)]),
    rules.Indexer("r5c5", [(r, 5) for r in range(1, 10)]),
    rules.Skyscraper(3, [(n, 9) for n in range(9, 0, -1)]),
    rules.EqualSums(["r1c2 r1c3", "r1c4", "r2c3"]),
    *SETTER_RULES,
]


@pytest.mark.parametrize("rule", SHOWN, ids=repr)
@pytest.mark.parametrize("base", [NINE, jigsaw()], ids=str)
def test_setter_rules_in_fpuzzles(rule: rules.Rule, base: Layout) -> None:
    """Each is read again as it was, or refused because f-puzzles has no such constraint."""
    try:
        layout = base.with_rules(rule)
    except SudokuError:  # a box indexer in a jigsaw
        return
    grid = Grid.from_cells((0,) * 81, layout)
    reason = named("fpuzzles").refuses(grid)
    if type(rule).__name__ in NO_FPUZZLES:
        assert reason == f"cannot hold the rule {type(rule).__name__}"
    elif isinstance(rule, rules.NoMorePairs):
        assert reason is not None
        assert "with these clues" in reason
    elif reason is None:
        (found,) = read_text(dumped([Record(grid)], "fpuzzles"))
        assert found.grid.layout.rules == (rule,)
    else:  # the parts of these are those in the boxes
        assert base is not NINE or isinstance(rule, rules.EqualSums)
        assert reason.startswith("cannot hold")


@pytest.mark.parametrize("name", sorted({*NAMES} - {"distant", "parity line"}))
@settings(max_examples=20)
@given(data=st.data())
def test_random_setter_rules_in_fpuzzles(name: str, data: st.DataObject) -> None:
    full = Grid("123456789456789123789123456" + "231564897564897231897231564"
                "312645978645978312978312645").values  # fmt: skip
    rule, _ = data.draw(some_rule(full, name))
    grid = Grid.from_cells((0,) * 81, ruled(NINE, [(rule, ())]))
    reason = named("fpuzzles").refuses(grid)
    if reason is None:
        (found,) = read_text(dumped([Record(grid)], "fpuzzles"))
        assert found.grid.layout.rules == (as_dot(rule),)
    else:
        assert reason.startswith("cannot hold")


@pytest.mark.parametrize(
    ("clues", "negative"),
    [
        (layouts.xv(x=[("r1c1", "r1c2")], v=[("r2c2", "r3c2")], negative=True), ["xv"]),
        (layouts.xv(negative=True), ["xv"]),
        (
            NINE.with_rules(
                rules.Dot("black", "r1c1", "r1c2"),
                rules.Ratio(3, "r2c1", "r2c2"),
                rules.NoMorePairs("ratio", [2, 3], [("r1c1", "r1c2"), ("r2c1", "r2c2")]),
            ),
            ["ratio"],
        ),
        (
            NINE.with_rules(
                rules.Dot("white", "r1c1", "r1c2"),
                rules.NoMorePairs("difference", [1], [("r1c1", "r1c2")]),
            ),
            True,
        ),
        (
            NINE.with_rules(
                rules.Dot("white", "r1c1", "r1c2"),
                rules.NoMorePairs("ratio", [2], [("r1c1", "r1c2")]),
            ),
            ["ratio"],
        ),
        (
            NINE.with_rules(
                rules.Dot("black", "r1c1", "r1c2"),
                rules.NoMorePairs("difference", [1], [("r1c1", "r1c2")]),
            ),
            True,
        ),
    ],
)
def test_negative_constraints_in_fpuzzles(clues: Layout, negative: Any) -> None:
    text = dumped([Record(Grid.from_cells((0,) * 81, clues))], "fpuzzles")
    value = json.loads(text)
    assert value["nonconsecutive" if negative is True else "negative"] == negative
    (found,) = read_text(text)
    assert set(found.grid.layout.rules) == set(clues.rules)


def test_a_dot_excepts_its_cells_from_the_other_negative_constraint() -> None:
    """1 and 2 may have a dot of either color; a negative constraint of the other allows them."""
    cells = ["R1C1", "R1C2"]
    for clue, negative in (
        ({"difference": [{"cells": cells}]}, {"negative": ["ratio"]}),
        ({"ratio": [{"cells": cells}]}, {"nonconsecutive": True}),
    ):
        grid = [[{"value": 1, "given": True}, *[{}] * 8], *[[{}] * 9] * 8]
        (found,) = read_text(json.dumps({"size": 9, "grid": grid, **clue, **negative}))
        assert sudoku.count("12" + "." * 79, layout=found.grid.layout, limit=1) == 1


def test_fpuzzles_has_no_strict_nonconsecutive_with_dots() -> None:
    dotted = layouts.non_consecutive(NINE.with_rules(rules.Dot("black", "r1c1", "r1c2")))
    with pytest.raises(SudokuError, match="cannot hold non-consecutive with"):
        dumped([Record(Grid.from_cells((0,) * 81, dotted))], "fpuzzles")


def test_a_little_killer_without_its_cells() -> None:
    clue = {"cell": "R0C4", "direction": "DL", "value": "10"}
    text = json.dumps({"size": 9, "grid": [[{}] * 9] * 9, "littlekillersum": [clue]})
    (found,) = read_text(text)
    assert found.grid.layout.rules == (rules.LittleKiller(10, "r1c3 r2c2 r3c1"),)


def test_a_renban_loop() -> None:
    line = ["R1C1", "R1C2", "R2C2", "R2C1", "R1C1"]
    text = json.dumps({"size": 9, "grid": [[{}] * 9] * 9, "renban": [{"lines": [line]}]})
    (found,) = read_text(text)
    assert found.grid.layout.rules == (rules.Renban("r1c1 r1c2 r2c2 r2c1"),)


def test_names_and_suffixes_are_used_once() -> None:
    names = [form.name for form in FORMATS]
    suffixes = [suffix for form in FORMATS for suffix in form.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert set(OF_KIND) | {
        "candidates", "sukaku", "killer", "ps", "sumocue", "even-odd"
    } == set(names)  # fmt: skip
    with pytest.raises(SudokuError, match="did you mean sdk"):
        named("sdkk")


@pytest.mark.parametrize("name", ["a\nb", "x" * 301])
def test_a_name_that_is_no_line_is_not_written(name: str) -> None:
    grid = Grid.from_cells((0,) * 81, NINE.with_rules(rules.NonConsecutive(), name=name))
    with pytest.raises(SudokuError, match="cannot hold names of more than a line, or 300"):
        dumped([Record(grid)], "json")


def test_a_jigsaw_of_one_cell() -> None:
    for digit in (0, 1):
        record = Record(Grid.from_cells((digit,), layouts.jigsaw("1")), rest="1 2")
        (again,) = read_text(dumped([record], "jigsaw"), "jigsaw")
        assert content(again) == content(record)


def test_houses_that_only_look_like_a_jigsaw() -> None:
    """A file may call any nine cells a row or a region: no format but JSON has a place for that."""
    good = jigsaw()
    houses = [(house.kind, [good.positions[cell] for cell in house.cells]) for house in good.houses]
    region_twice = [*houses[:18], *houses[18:26], ("region", [*houses[25][1][:8], (1, 1)])]
    no_row = [("row", houses[18][1]), *houses[1:]]
    no_diagonals = [*houses, ("diagonal", houses[0][1]), ("diagonal", houses[1][1])]
    for members in (region_twice, no_row, no_diagonals):
        layout = Layout.of(9, good.positions, members, name="jigsaw")
        grid = Grid.from_cells((0,) * 81, layout)
        for name in ("jigsaw", "sumocue"):
            assert named(name).refuses(grid) == "cannot hold a jigsaw layout"
        if members is not no_diagonals:
            assert named("fpuzzles").refuses(grid) == "cannot hold these regions"
        (again,) = read_text(dumped([Record(grid)], "json"))
        assert again.grid == grid
