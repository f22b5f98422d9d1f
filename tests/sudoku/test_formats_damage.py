"""Files of every format, damaged badly, to every reader; and what is read to every writer.

`DLX_FUZZ=20000` (`make fuzz`) is the number of damaged files for each reader; the seeds are those
of the numbers, so that each is found again.
"""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Callable
from random import Random

import pytest
from alarms import Alarm
from example_puzzles import ROWS, WIKIPEDIA
from format_examples import EXAMPLES, GAME, as_dot, content
from sudoku_damage import CODECS, damaged, files

from sudoku import (
    Grid,
    Layout,
    PuzzleError,
    SudokuError,
    UnreadRulesWarning,
    layouts,
    parse,
    read,
)
from sudoku.formats import FORMATS, Record, detect, dump, load, named
from sudoku.formats.editors.links import packed
from sudoku.rules import Drawings, Greater, Rule, Thermometer

NUMBER = int(os.environ.get("DLX_FUZZ", "100"))
"""How many damaged files each reader gets."""


def ignored(record: Record) -> None:
    """Warnings are tested elsewhere."""


def taken(data: bytes, name: str | None, layout: Layout | None = None) -> list[Record]:
    """The records of a file; what is wrong are errors with a line, each a short line itself."""
    errors: list[PuzzleError] = []
    found = list(
        load(io.BytesIO(data), layout, format=name, on_error=errors.append, on_warning=ignored)
    )
    for error in errors:
        check_error(error)
        assert error.line is not None
    return found


def check_error(error: SudokuError) -> None:
    assert isinstance(error, SudokuError)
    assert len(str(error)) < 700
    assert "\n" not in str(error)


def written(record: Record, name: str) -> tuple[str, set[str]]:
    """A record in a format, and what was lost of it."""
    out, lost = io.StringIO(), set[str]()
    dump([record], out, name, lost=lambda _, part: lost.add(part))
    return out.getvalue(), lost


def rules_of(layout: Layout, lost: set[str]) -> tuple[object, ...]:
    """All that a layout demands; formats may call it otherwise, and lose drawings."""
    houses = {house.cells for house in layout.houses}
    kept = [rule for rule in layout.rules if not (lost and isinstance(rule, Drawings))]
    rules = {as_written(rule) for rule in kept}
    return layout.side, layout.positions, houses, rules


def as_written(rule: Rule) -> Rule:
    """A rule as f-puzzles has it: there are no inequalities, and some clues are dots."""
    if isinstance(rule, Greater):
        return Thermometer(rule.cells)
    return as_dot(rule)


def check_round_trip(record: Record, name: str) -> None:
    """What was written is read again as it was, and then written so again."""
    if named(name).refuses(record.grid) is not None:
        return
    text, lost = written(record, name)
    (again,) = load(io.BytesIO(text.encode()), format=name, on_warning=ignored)
    if name == "json" and not lost:
        assert content(again) == content(record)
    if name not in ("sukaku", "candidates"):  # which take a given for a mark
        assert again.grid.cells == record.grid.cells
        drawings = lost & {"drawings", "some drawings"}
        kept = rules_of(record.grid.layout, drawings)
        assert rules_of(again.grid.layout, drawings) == kept
    if "solution" in named(name).holds - lost:
        assert again.solution == record.solution
    if "digits filled in" in named(name).holds - lost:
        assert (again.placed or again.grid.line) == (record.placed or record.grid.line)
    data = io.BytesIO(written(again, name)[0].encode())
    (twice,) = load(data, format=name, on_warning=ignored)
    assert content(twice) == content(again)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", [None, *(form.name for form in FORMATS)])
def test_damaged_files(name: str | None) -> None:
    """Puzzles, which can be written and read again, or errors; no other exception."""
    good = files(name)
    for number in range(NUMBER):
        data = damaged(Random(f"{name} {number}"), good)
        try:
            check_file(data, name)
            if number % 50 == 0:
                check_others(data)
        except BaseException as error:
            error.add_note(f"damage {number} of {name}: {data[:2000]!r}")
            raise


def check_file(data: bytes, name: str | None) -> None:
    for record in taken(data, name)[:3]:
        check_round_trip(record, "json")
        for form in FORMATS if name is None else [named(name)]:
            check_round_trip(record, form.name)


def check_others(data: bytes) -> None:
    """The other readers: of files and of texts, with a layout and without."""
    data = data[: 1 << 14]
    text = data.decode("utf-8", "replace")
    readers: list[Callable[[Layout | None], object]] = [
        lambda layout: [entry.grid.cells for entry in read(io.BytesIO(data), layout)],
        lambda layout: [entry.grid.cells for entry in read(io.StringIO(text), layout)],
        lambda layout: [entry.grid.cells for entry in read(text.splitlines(), layout)],
        lambda layout: parse(text, layout).cells,
        lambda layout: Grid(text.split(), layout=layout).cells,
        lambda layout: Grid([row.split() for row in text.splitlines()], layout=layout).cells,
        lambda layout: layouts.named(text),
        lambda layout: layouts.jigsaw(text),
        lambda layout: layouts.sukaku(text, layout),
    ]
    for reader in readers:
        for layout in (None, Layout(2, 3), layouts.butterfly()):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UnreadRulesWarning)
                    reader(layout)
            except SudokuError as error:
                check_error(error)
    for layout in (Layout(2, 3), Layout(3, 3), layouts.butterfly()):
        for form in FORMATS:
            taken(data, form.name, layout)


@pytest.mark.parametrize("name", [form.name for form in FORMATS if form.name in EXAMPLES])
def test_truncated_at_each_byte(name: str) -> None:
    """No part of a file is another puzzle, unless it was cut between puzzles or in what follows."""
    data = EXAMPLES[name].encode()
    for end in range(len(data)):
        for record in taken(data[:end], name):
            check_round_trip(record, name)


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
@pytest.mark.parametrize(
    "piece", [b"\n", b"[\n", b'{"a":\n', b"<a>", b"1:r1c1;", b"#A\n", b"[Puzzle]\n", b"5,\n", b"{}"]
)
def test_one_piece_a_thousand_times(name: str, piece: bytes) -> None:
    errors: list[PuzzleError] = []
    found = list(load(io.BytesIO(piece * 1000), format=name, on_error=errors.append))
    assert len(errors) <= 2001
    assert not found
    assert detect(piece * 1000).name


# -- OpenSudoku's encodings ----------------------------------------------------------------------


def in_encoding(name: str) -> tuple[list[Record], list[PuzzleError]]:
    text = f'<?xml version="1.0" encoding="{name}"?>\n<opensudoku>{GAME}</opensudoku>'
    errors: list[PuzzleError] = []
    found = list(load(io.BytesIO(text.encode()), format="opensudoku", on_error=errors.append))
    return found, errors


@pytest.mark.parametrize("name", [*CODECS, "UTF-8", "ISO-8859-1", "no-such-code", "x" * 10_000])
def test_every_encoding_that_python_knows(name: str) -> None:
    """The puzzle or one error; whatever the codec of that name raises."""
    found, errors = in_encoding(name)
    assert len(found) + len(errors) == 1
    for error in errors:
        check_error(error)
        assert error.line == 1
    assert all(record.grid.line == WIKIPEDIA for record in found)


@pytest.mark.parametrize("name", ["rot13", "zlib_codec", "idna", "undefined", "gbk", "nonsense"])
def test_an_encoding_that_cannot_be_read(name: str) -> None:
    (error,) = in_encoding(name)[1]
    assert error.what == (
        f"the encoding '{name}' of the XML is not supported; save the file as UTF-8"
    )


@pytest.mark.parametrize("name", ["utf-8", "latin-1", "cp1252", "iso8859-15", "koi8-r", "US-ASCII"])
def test_an_encoding_that_can_be_read(name: str) -> None:
    (record,) = in_encoding(name)[0]
    assert record.grid.line == WIKIPEDIA


# -- files cut short -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[Puzzle]\n", 1, "[Puzzle] is empty; it needs 9 rows"),
        ("#A me\n[Puzzle]\n", 2, "[Puzzle] is empty; it needs 9 rows"),
        ("[Puzzle]\n---+---+---\n", 1, "[Puzzle] is empty; it needs 9 rows"),
        ("\n".join(["[Puzzle]", *ROWS, "[State]"]), 11, "[State] is empty; it needs 9 rows"),
        ("\n".join(["[Puzzle]", *ROWS, "[PencilMarks]"]), 11, "0 rows of pencil marks"),
        ("[State]\n" + "\n".join(ROWS), 1, "no puzzle under these headers"),
        ("\n".join(["[Puzzle]", "[State]", *ROWS]), 1, "[Puzzle] is empty"),
    ],
)
def test_a_section_that_is_empty(text: str, line: int, words: str) -> None:
    errors: list[PuzzleError] = []
    assert not list(load(io.BytesIO(text.encode()), format="sdk", on_error=errors.append))
    (error,) = errors
    assert words in error.what
    assert error.line == line


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json", json.dumps({"puzzle": WIKIPEDIA, "solution": "5" * 80 + "."})),
        ("csv", f"puzzle,solution\n{WIKIPEDIA},{'5' * 80}."),
        ("fpuzzles", json.dumps({"size": 9, "grid": [[{}] * 9] * 9, "solution": "5" * 80 + "."})),
    ],
)
def test_a_solution_with_an_empty_cell(name: str, text: str) -> None:
    with pytest.raises(PuzzleError, match=r"a solution with 1 empty cell: '55"):
        list(load(io.BytesIO(text.encode()), format=name))


def test_a_solution_with_an_empty_cell_is_lost_by_fpuzzles() -> None:
    record = Record(Grid(WIKIPEDIA), solution=WIKIPEDIA)
    assert written(record, "fpuzzles")[1] == {"solution"}


# -- megabytes -----------------------------------------------------------------------------------


def in_json(**value: object) -> str:
    return json.dumps({"puzzle": "." * 81, **value})


def with_layout(**layout: object) -> str:
    return in_json(layout={"box": [3, 3], **layout})


def fpuzzle(**value: object) -> str:
    return json.dumps({"size": 9, "grid": [[{}] * 9] * 9, **value})


WIDE = [f"r{row}c{column}" for row in range(100, 300) for column in range(100, 300)]
MEGABYTES: dict[str, tuple[str, Callable[[], str]]] = {
    "rows": ("json", lambda: json.dumps({"puzzle": "1\n" * 150_000})),
    "headings": ("csv", lambda: "puzzle" + ",a" * 32_000 + "\n1\n"),
    "headers": ("sdk", lambda: "[Puzzle]\n" + "#A x\n" * 150_000),
    "house": ("json", lambda: with_layout(box=[0, 0], side=9, cells=WIDE, houses=[["row", *WIDE]])),
    "cages": ("json", lambda: with_layout(rules=[{"rule": "Cage", "total": 3, "cells": WIDE}])),
    "circle": ("json", lambda: with_layout(rules=[
        {"rule": "Arrow", "circle": [f"r{r}c{c}" for r in range(1, 10) for c in range(1, 10)][1:],
         "path": ["r1c1"]}
    ])),
    "wide circle": ("json", lambda: json.dumps({"puzzle": "", "layout": {
        "side": 1, "cells": WIDE, "houses": [],
        "rules": [{"rule": "Arrow", "circle": WIDE[1:], "path": WIDE[:1]}]}})),
    "marks": ("json", lambda: with_layout(
        rules=[{"rule": "Allowed", "marks": {"r1c1": [1, n]}} for n in range(2, 9_999)])),
    "equal marks": ("json", lambda: with_layout(
        rules=[{"rule": "Allowed", "marks": {"r1c1": [1]}}] * 9_999)),
    "names": ("json", lambda: in_json(layout="diagonal+" * 110_000 + "diagonal")),
    "grids": ("json", lambda: in_json(layout="shogun+" * 140_000 + "shogun")),
    "name": ("json", lambda: in_json(layout="x" * 1_000_000)),
    "regions": ("fpuzzles", lambda: fpuzzle(
        extraregion=[{"cells": [f"R1C{a}", f"R{b}C9"]}
                     for a in range(1, 9) for b in range(2, 10)] * 500)),
    "arrow": ("fpuzzles", lambda: fpuzzle(
        arrow=[{"cells": ["R1C1"] * 60_000, "lines": [["R1C2"] * 60_000]}])),
    "arrows": ("fpuzzles", lambda: fpuzzle(
        arrow=[{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"]] * 50_000}])),
    "even": ("fpuzzles", lambda: fpuzzle(even=[{"cell": "R1C1"}] * 50_000)),
    "brackets": ("json", lambda: "[" * 1_000_000),
    "values": ("json", lambda: ('{"a":[' + "[]," * 8_000 + "\n") * 20),
    "open values": ("json", lambda: '{"a":\n' * 50_000),
    "text": ("opensudoku", lambda: "<opensudoku><name>" + "x<!---->" * 130_000),
    "titles": ("opensudoku", lambda: "<opensudoku>" + "<name>x</name>" * 70_000),
    "tags": ("opensudoku", lambda: "<opensudoku>" + "<a/>" * 250_000),
    "games": ("opensudoku", lambda: "<opensudoku><name>x</name>" + GAME * 8_000),
    "attributes": ("opensudoku", lambda: "<a" + "".join(f" a{n}=''" for n in range(110_000))),
    "small grids": ("lines", lambda: f"{'.' * 16}\n" * 20_000),
    "dashes": ("lines", lambda: f"{'-' * 9}\n" * 20_000),
    "dashes and rows": ("lines", lambda: f"{'-' * 9}\n1........\n" * 20_000),
    "rules": ("lines", lambda: f"{WIKIPEDIA}\n" + "-\n" * 100_000),
    "bad lines": ("lines", lambda: "x\n" * 50_000),
    "comments": ("lines", lambda: "#\n" * 200_000),
    "puzzles": ("lines", lambda: f"{WIKIPEDIA}\n{WIKIPEDIA} x\n" * 6_000),
    "groups": ("candidates", lambda: "1 2\n" + ("1 " * 30_000 + "x\n") * 16),
    "spaces": ("candidates", lambda: "1 2\n" + ("1 " + " " * 60_000 + "x\n") * 16),
    "sums": ("killer", lambda: ("9 " + "1:r1c1;" * 9_000 + "\n") * 8),
    "fields": ("ps", lambda: ("3x3::k:" + "1:" * 30_000 + "\n") * 16),
    "entries": ("sumocue", lambda: ("SumoCueV1" + "=0" * 30_000 + "\n") * 16),
    "candidates": ("hodoku", lambda: (f":1:1:{WIKIPEDIA}:" + "111 " * 15_000 + "\n") * 16),
    "cubes": ("sukaku", lambda: ("1" * 46_656 + "\n") * 20),
    "expanding links": ("links", lambda: (
        "https://f-puzzles.com/?load=" + packed("a" * 2_000_000) + "\n") * 5),
    "links": ("links", lambda: ("https://f-puzzles.com/?load=" + "N4Ig" * 7_000 + "\n") * 30),
    "drawings": ("sudokupad", lambda: json.dumps({"cells": [], "lines": [{}] * 200_000})),
    "cages of SudokuPad": ("sudokupad", lambda: json.dumps(
        {"cells": [[{}] * 9] * 9, "cages": [{"cells": [[0, 0]], "unique": True}] * 18_000,
         "regions": [[[r, c] for r in range(9)] for c in range(9)]})),
    "frames": ("lines", lambda: "| 1 |   | 3 |\n" * 10_000),
    "frames of nine": ("lines", lambda: "|12 | 4 |  5|\n" * 20_000),
    "rows of letters": ("lines", lambda: "SNOWBRIDG\n" * 20_000 + "x\n"),
    "words": ("lines", lambda: "diabolical\n" * 10_000),
    "numbers": ("lines", lambda: ("10 " * 20_000 + "\n") * 16),
    "first fields": ("lines", lambda: (f"{'a ' * 30_000}{WIKIPEDIA}\n") * 16),
    "texts in a list": ("json", lambda: "[\n" + '"12",\n' * 30_000 + "1]"),
    "numbers in a list": ("json", lambda: "[\n" + "1,\n" * 80_000 + "1]"),
    "borders": ("solo", lambda: ("9j:zzzc," + "z_" * 30_000 + "\n") * 16),
    "constraints": ("fpuzzles", lambda: fpuzzle(**{f"x{n}": True for n in range(50_000)})),
    "symbols": ("jigsaw", lambda: ("1" * 60_000 + "\n") * 16),
}  # fmt: skip


@pytest.mark.parametrize("what", MEGABYTES)
def test_a_megabyte_is_read_in_seconds(what: str, alarm: Alarm) -> None:
    """However it is made: no reader needs time that grows with the square of the size."""
    name, make = MEGABYTES[what]
    data = make().encode()
    errors: list[PuzzleError] = []
    try:
        alarm.set(8)  # of work; where all is well it is a second at most
        found = sum(1 for _ in load(io.BytesIO(data), format=name, on_error=errors.append))
        alarm.cancel()
    except KeyboardInterrupt:
        pytest.fail(f"{what}: {len(data)} bytes take more than 8 seconds of work")
    assert found or errors or what in ("comments", "tags")
    for error in errors[:100]:
        check_error(error)
