"""Damaged, hostile and odd files: one clear error with its line, no traceback, bounded memory."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from example_puzzles import REGIONS, ROWS, SOLVED, WIKIPEDIA
from format_examples import CAGES, EXAMPLES, GAME, SDK

from sudoku import Layout, PuzzleError, SudokuError, layouts, read
from sudoku.formats import FORMATS, Record, detect, dump, load, named


def both(data: bytes, name: str | None = None) -> tuple[list[Record], list[PuzzleError]]:
    errors: list[PuzzleError] = []
    return list(load(io.BytesIO(data), format=name, on_error=errors.append)), errors


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_format_is_known_and_no_other(name: str) -> None:
    text = EXAMPLES[name]
    lines = text.splitlines()
    for form in FORMATS:
        assert form.detect("\n".join(line for line in lines if line[0] != "#"),
                           [line for line in lines if line[0] == "#"]) == (
            form.name == name and name != "lines"
        )  # fmt: skip
    for data in (text, f"\ufeff{text}", text.replace("\n", "\r\n"), f"\n{text}\n\n"):
        assert detect(data.encode()).name == name
    if name != "overlaps":
        found, errors = both(f"\ufeff{text}\n".replace("\n", "\r\n").encode())
        assert (len(found), errors) == (1, [])
        assert found[0] == both(text.encode())[0][0]


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        (WIKIPEDIA, REGIONS, "jigsaw"),
        ("." * 81, REGIONS.translate({ord(d): chr(ord(d) + 16) for d in "123456789"}), "jigsaw"),
        (WIKIPEDIA, REGIONS.translate({ord(d): int(d) + 47 for d in "123456789"}), "jigsaw"),
        (WIKIPEDIA, REGIONS[:-1] + "1", "jigsaw"),  # with a wrong cell
        (SOLVED, REGIONS, "jigsaw"),
        ("." * 16, "1122112233443344", "jigsaw"),
        (WIKIPEDIA, SOLVED, "lines"),  # the first of a row may be the last of that before
        (WIKIPEDIA, SOLVED[9:] + SOLVED[:9], "lines"),
        (WIKIPEDIA, SOLVED[:-1] + "8", "lines"),
        (WIKIPEDIA, WIKIPEDIA.replace("9", "."), "lines"),  # nine symbols, and blanks side by side
        (WIKIPEDIA, REGIONS.replace("9", "."), "lines"),
        ("." * 81, "123456789" * 9, "jigsaw"),  # each column a region
        ("." * 81, "".join(row * 9 for row in "123456789"), "jigsaw"),
    ],
)
def test_regions_and_puzzles_are_told_apart(first: str, second: str, name: str) -> None:
    """Two fields of one length in one: regions are what lies together, a puzzle does not."""
    assert detect(f"{first}{second}\n".encode()).name == name
    found, errors = both(f"# x\n{first}{second} remark\n".encode())
    assert len(found) + len(errors) == 1
    assert all(record.grid.layout.name == "jigsaw" for record in found)
    if name == "lines":
        assert "two puzzles" in errors[0].what


def test_comments_do_not_hide_a_format() -> None:
    for name in ("killer", "jigsaw", "even-odd", "hodoku", "sukaku", "csv"):
        text = f"# a list\n\n# of puzzles\n{EXAMPLES[name]}\n".encode()
        assert detect(text).name == name
        assert len(both(text)[0]) == 1
    assert detect(f"# a list\n{ROWS[0]}".encode()).name == "lines"


def test_comments_that_come_slowly_do_not_hide_a_format() -> None:
    """A line each time: a file that begins so is not known before there is more than comments."""

    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return self.readline()

    for start in ("# a", "\ufeff# a", " # a", "\ufeff\n \n#a", "\t# a"):
        text = f"{start}\n# b\n{CAGES}\n".encode()
        (record,) = load(Slow(text))
        assert record.grid.layout.name == "killer"


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
def test_files_with_nothing_in_them(name: str) -> None:
    for data in (b"", b"\n\n", b"\xef\xbb\xbf", b"# nothing\n", b"   \r\n"):
        found, errors = both(data, name)
        assert not found
        assert name == "opensudoku" or not errors
        assert detect(data).name == "lines"


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
def test_a_line_without_end(name: str) -> None:
    """A hundred megabytes without a line break are refused with little of it in memory."""

    class Endless(io.RawIOBase):
        left = 100_000_000
        first = True

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            count = min(len(buffer), self.left)
            buffer[:count] = (start + b"1" * count)[:count] if self.first else b"1" * count
            Endless.first = False
            Endless.left -= count
            return count

    start = {"opensudoku": b"<opensudoku>", "json": b'{"puzzle": "', "csv": b"puzzle\n"}.get(
        name, b""
    )
    if name == "opensudoku":
        start += b'<game data="'
    Endless.left = 100_000_000 if name in ("opensudoku", "json") else 3_000_000
    Endless.first = True
    tracemalloc.start()
    found, errors = both_of(io.BufferedReader(Endless()), name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not found
    assert 1 <= len(errors) <= 2
    assert "more than" in str(errors[0]) or "expected" in str(errors[0])
    assert peak < 8_000_000


def both_of(file: io.BufferedReader, name: str) -> tuple[list[Record], list[PuzzleError]]:
    errors: list[PuzzleError] = []
    return list(load(file, format=name, on_error=errors.append)), errors


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    + "]><opensudoku><name>&l9;</name></opensudoku>"
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB, "document types and entities in XML are not"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><opensudoku/>', "document types"),
        (f"<opensudoku>{GAME}", "not valid XML: no element found"),
        (f"<opensudoku>\n\n{GAME}</x>", "line 3: not valid XML: mismatched tag"),
        ("<opensudoku>\n<game/></opensudoku>", "line 2: a game without data"),
        ('<opensudoku><game data="12"/></opensudoku>', "the data must be 81 digits"),
        ('<opensudoku><game data="version: 3 1|0|0|"/></opensudoku>', "3 fields; a puzzle has 243"),
        ("<opensudoku>" + "<a>" * 1000, "more than 20 nested tags"),
        ("<opensudoku>&nbsp;</opensudoku>", "undefined entity"),
    ],
)
def test_xml(text: str, words: str) -> None:
    found, errors = both(text.encode())
    assert [words in str(error) for error in errors] == [True]
    assert len(found) == text.count(GAME)  # what came before the trouble


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('{"puzzle": 5}', "puzzle must be a string, not '5'"),
        ('{"puzzle": "12"}', "2 characters; a 9x9 grid has 81"),
        ('{"layout": "diagonal"}', "expected an object with a puzzle"),
        ('{"puzzle": "", "colour": 1}', "unknown field 'colour'; expected puzzle, layout"),
        ('{"puzzle": "", "layuot": "diagonal"}', "unknown field 'layuot'; did you mean layout?"),
        ('{"puzzle": "", "layout": {"box": [3, 3], "rules": [{"rule": "cages"}]}}',
         "unknown rule 'cages'; did you mean Cage?"),
        ('{"puzzle": "", "layout": {"box": [3, 3], "rules": [{"rule": "Cage", "cell": []}]}}',
         "unknown field 'cell' in Cage; did you mean cells?"),
        ('{"puzzle": "", "layout": "diagnal"}', "did you mean diagonal?"),
        ('{"puzzle": "", "layout": {"box": [9' + "9" * 5000 + ", 3]}}", "a number of 5001 digits"),
        ('{"puzzle": "", "layout": {"box": [99, 3]}}', "boxes of 99x3 make a side of 297"),
        ('{"puzzle": "", "layout": {"box": [1e999, 3]}}', "box_rows is inf"),
        ('{"puzzle": "", "layout": {"box": [NaN, 3]}}', "NaN is not a JSON number"),
        ('{"puzzle": "", "layout": {"box": [3, 3], "rules": [{"rule": "os"}]}}',
         "unknown rule 'os'; expected "),
        ('{"puzzle": "", "layout": {"box": [3, 3], "rules": [{"rule": "Cage", "total": 3}]}}',
         "wrong arguments of the rule Cage"),
        ('{"puzzle": "", "layout": {"box": [3, 3], "rules": [{"rule": "Cage", "total": 99, '
         '"cells": ["r1c1"]}]}}', "cage r1c1 of sum 99"),
        ('{"puzzle": "", "layout": {"box": [3, 3], "rules": 5}}', "rules must be a list"),
        ('{"puzzle": "", "layout": {"side": 9, "houses": 5}}', "houses must be a list"),
        ('{"puzzle": "", "layout": {"side": 9, "cells": ["r1c1"], "houses": [["row", "r1c1"]]}}',
         "row 1 has 1 cell; it needs 9"),
        ('{"puzzle": "", "layout": ' + "[" * 500, "line 1: no"),
        ('{"puzzle": "", "layout": ' + "[" * 200_000 + "]" * 200_000 + "}", "too many nested"),
        (f'{{"puzzle": "{WIKIPEDIA}", "marks": [[1], [10]]}}', "marks must be a list of 81 lists"),
        (f'{{"puzzle": "{WIKIPEDIA}", "about": {{"title": 5}}}}', "about must be an object of"),
        (f'{{"puzzle": "{WIKIPEDIA}", "solution": "5"}}', "1 character; a 9x9 grid has 81"),
        ('{"puzzle": "1", "layout": {"box": [3, 3], "name": "a\\nb"}}', "a string of one line, up"),
        (f'{{"puzzle": "1", "layout": {{"box": [3, 3], "name": "{"x" * 301}"}}}}', "a string of"),
        (f'{{"puzzle": "1", "layout": {{"houses": [["{"x" * 301}", "r1c1"]]}}}}', "is not a house"),
        ("{", "line 1: not valid JSON"),
        ("[1, 2, 3]", "1 row of 3; the grid has 3"),
    ],
)  # fmt: skip
def test_json(value: str, words: str) -> None:
    found, errors = both(value.encode(), "json")
    assert not found
    assert errors
    assert words in str(errors[0])
    assert all(error.line == 1 and len(str(error)) < 500 for error in errors)


def test_json_documents() -> None:
    """Lines, a document over many lines, a list; a wrong one does not end the file."""
    one = {"puzzle": WIKIPEDIA, "about": {"title": "one"}}
    for text in (json.dumps(one), json.dumps(one, indent=2), json.dumps([one], indent=1)):
        (found,), errors = both(text.encode())
        assert not errors
        assert found.about == {"title": "one"}
    lines = "\n".join([json.dumps(one), "{nonsense}", "", json.dumps(one)])
    found_all, errors = both(lines.encode())
    assert [record.line for record in found_all] == [1, 4]
    assert [error.line for error in errors] == [2]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"palindrome": [{"lines": [["R1C1"]]}]}, "palindrome of 1 cell; it needs at least 2"),
        (
            {"xv": [{"cells": ["R1C1", "R1C2"], "value": "Y"}]},
            "'Y' between cells is neither X nor V",
        ),
        ({"sandwichsum": [{"cell": "R1C1", "value": "3"}]}, "R1C1 is not beside a row"),
        ({"sandwichsum": [{"cell": "A1", "value": "3"}]}, "'A1' is not a place"),
        (
            {"sandwichsum": [{"cell": "R0C1", "value": "x"}]},
            "a sandwich of 'x', which is not a",
        ),
        ({"xsum": [{"cell": "R0C1", "value": "x"}]}, "an X-sum of 'x', which is not a number"),
        ({"littlekillersum": [{"cell": "R0C1", "value": "3", "direction": "N"}]}, "direction 'N'"),
        ({"clone": [{"cells": ["R1C1"], "cloneCells": []}]}, "not the JSON of an f-puzzles"),
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "x"}]}, "a sum of 'x'"),
        ({"killercage": [{"cells": ["A1"]}]}, "are not cells"),
        ({"killercage": [{}]}, "not the JSON of an f-puzzles puzzle"),
        ({"difference": [{"cells": ["R1C1", "R1C2"], "value": "9"}]}, "differ by 8 at most"),
        ({"size": 8}, "grid must have"),
        ({"size": 10**9}, "size must be a number up to 36"),
        ({"grid": [[{"value": 12}] * 9] * 9}, "write a number from 0 to 9"),
        ({"grid": [[{"region": "a"}] * 9] * 9}, "regions must be numbers"),
        ({"thermometer": [{"lines": [[f"R1C{n}" for n in range(1, 11)]]}]}, "not in the grid"),
    ],
)
def test_fpuzzles(value: dict[str, object], words: str) -> None:
    whole = {"size": 9, "grid": [[{}] * 9] * 9} | value
    found, errors = both(json.dumps(whole).encode(), "fpuzzles")
    assert not found
    assert [words in str(error) for error in errors] == [True], errors


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("killer", "9 3:r1c1,r1c2;3:r1c2,r1c3", "r1c2 is in two cages"),
        ("killer", "9 99:r1c1,r1c2", "sum"),
        ("killer", "9 3:r1c1,r1c10", "not in the grid"),
        ("killer", "9 3;r1c1", "expected a cage, such as"),
        ("killer", "7 3:r1c1", "a side of 7"),
        ("killer", "9", "no cages"),
        ("jigsaw", WIKIPEDIA + REGIONS.replace("2", "1", 1), "grid it has 9"),
        ("jigsaw", WIKIPEDIA + REGIONS[:-1], "81"),
        ("ps", "3x3::k:5:", "1 field after k"),
        ("ps", "3x3::x:", "the form is 3x3::k:"),
        ("sumocue", "SumoCueV1=3+0", "2 entries"),
        ("sumocue", "SumoCueV1+0" + "=0" * 80, "where none begins"),
        ("overlaps", "3 3 ###...###", "no layout has these cells"),
        ("overlaps", "3 4 ###...###", "9 characters; 3 x 4 cells are 12"),
        ("even-odd", "EO", "2 cells"),
        ("sukaku", "12", "pencil marks of 2 characters"),
        ("sukaku", "2" * 729, "'2' among the marks of r1c1"),
        ("sukaku", "." * 729, "r1c1 is marked with no digit"),
        ("hodoku", ":1:2:345:::", "3 cells; a 9x9 grid has 81"),
        ("hodoku", f":1:2:{WIKIPEDIA}:9x1::", "'9x1' is not a candidate"),
        ("csv", "puzzle\n1,2", "2 fields under 1 headings"),
        ("csv", 'puzzle\n"12', "not valid CSV"),
        ("csv", "puzzle,box\n1234,99x99", "boxes of 99x99"),
        ("csv", "puzzle,box\n1234,3 by 3", "a box of '3 by 3'; write"),
        ("csv", '"broken', "not valid CSV"),
        ("csv", "1,2,3,4\n1,2,3,4", "2 rows; the grid has 4"),
        ("csv", "1,2,3,4\n1,2,3,4\n,,,\n,,,9", "row 4, column 4 is 9"),
        ("sdk", SDK.replace("53..7....", "53..7...."[:-1]), "a row of nine digits"),
        ("sdk", SDK + "\n[State]\n" + "\n".join(["." * 9] * 9), "[State] must contain all givens"),
        ("sdk", SDK + "\n[PencilMarks]\n1,2", "nine notes"),
        ("sdk", "\n".join(SDK.splitlines()[:-1]), "8 rows; a 9x9 grid has 9"),
        ("candidates", "12 3 4 5 6 7 8 9 1\n", "1 row; a 9x9 grid has 9"),
    ],
)
def test_other_formats(name: str, line: str, words: str) -> None:
    found, errors = both(f"{line}\n".encode(), name)
    assert not found
    assert len(errors) == 1
    assert words in str(errors[0])
    assert (errors[0].line or 0) >= 1


def test_a_bad_line_does_not_end_a_file() -> None:
    lines = [CAGES, "9 3:r1c1,r1c1", b"caf\xe9 9 3:r1c1".decode("latin-1"), CAGES]
    found, errors = both("\n".join(lines).encode("latin-1"))
    assert [record.line for record in found] == [1, 4]
    assert [error.line for error in errors] == [2, 3]
    assert "not UTF-8" in str(errors[1])


def test_nothing_is_lost_in_silence() -> None:
    record = Record(
        both(WIKIPEDIA.encode())[0][0].grid,
        rest="hard",
        placed="534" + WIKIPEDIA[3:],
        marks=(2,) * 81,
        solution="1" * 81,
        about={"title": "x"},
    )
    for form in FORMATS:
        if form.refuses(record.grid):
            with pytest.raises(SudokuError, match="cannot hold a classic 9x9 grid"):
                dump([record], io.StringIO(), form.name)
            continue
        lost: list[str] = []
        dump([record], io.StringIO(), form.name, lost=lambda _, part: lost.append(part))  # noqa: B023
        kept = set(record.parts()) - set(lost)
        assert kept <= form.holds
        if set(record.parts()) - form.holds:
            with pytest.raises(SudokuError, match="cannot hold"):
                dump([record], io.StringIO(), form.name)


def test_text_files_are_refused() -> None:
    with pytest.raises(SudokuError, match="open in binary mode"):
        load(io.StringIO(WIKIPEDIA))  # type: ignore[arg-type]
    with pytest.raises(SudokuError, match="unknown format"):
        load(io.BytesIO(), format="word")
    with pytest.raises(FileNotFoundError):
        load("/no/such/file")


def test_read_takes_any_format() -> None:
    found = list(read(io.BytesIO(f"{CAGES} ? hard\n".encode())))
    assert [(entry.line, entry.rest) for entry in found] == [(1, "hard")]
    assert found[0].grid.layout is layouts.killer([(3, "r1c1 r1c2"), (15, "r2c1 r3c1")])
    errors: list[PuzzleError] = []
    assert not list(read(io.BytesIO(b"<opensudoku>"), on_error=errors.append))
    assert len(errors) == 1
    assert named("csv").refuses(found[0].grid) is not None
    assert Layout(3, 3) is both(GAME.encode(), "opensudoku")[0][0].grid.layout
