"""Files as the programs write them, and what is understood of each."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from example_puzzles import REGIONS, SOLVED, WIKIPEDIA
from format_examples import dumped, read_text
from sudoku_commands import run

import sudoku
from sudoku import Grid, PuzzleError, hints, layouts
from sudoku.formats import Record, load
from sudoku.web.answers import answer

ZEROS = WIKIPEDIA.replace(".", "0")


HODOKU = (
    ":0000:2:+5+7+63+8+9+4+21+3+9+2+6+1487+5+4+1+8+7+52639+8+619+47+253+7+39+2..1..25+41."
    "89..6435.....+9854.....1.+7+8.3...:::292:\n"
    ":0709-1:56:3....876....9..+3287..3...54.4....2.+72...8...5..7..+3.4.41+2.+39..683..."
    "6..+2.768....3:933 143 543 943 544 545 645 148 948 154 654 156 958 962 564 665 967 9"
    "87 595 596 997:521 587 662::7\n"
    ":0711-2:14:.6+2.+7..8.3+8+742.6+5..9+5.+68+7+2...8716..5....+3.+8..5.+38942..+8+5.9+"
    "4..7...4.57..8+73..+8.+54.:114 117 317 119 441 151 251 451 152 252 658 159 659 959 1"
    "69 179 379 181 284 188 693 199:131 411::15\n"
    ":0400:8:.+9+7.41+5+2.5.67.2+4.1+42+1..+5....4+59....2+1+79+2586436.+2.+1.+9+5.+9+641"
    "+2...57+1+3+58+9+2+6+4+25+8.....9::819 839 848::\n"
    ":0610::.+9.+613.+8+4...2+5+7+1+393.184+92..968+5+7+1+42+3+4379+2+6+81+5+1..+3+84...."
    "..+1+9+2..8..9+435+67+1+51.+76+8..+2::373 673::\n"
)


def test_hodoku_lines_come_back_as_they_were() -> None:
    records = read_text(HODOKU)
    assert dumped(records, "hodoku") == HODOKU
    second = records[1]
    assert second.grid.line.startswith("3....876....9...287..3")
    assert second.placed is not None
    assert second.placed.startswith("3....876....9..3287..3")
    assert second.marks is not None
    assert second.marks[2 * 9] == 0  # a given
    assert second.marks[2 * 9 + 2] == 1 << 1 | 1 << 8  # and not 9: 933
    assert not second.marks[3 * 9 + 2] & (1 << 1 | 1 << 5 | 1 << 9)  # 143 543 943
    assert second.about["step removed"] == "521 587 662"


def game(data: str) -> Record:
    (record,) = read_text(f'<opensudoku version="2"><folder name="F"><game data="{data}" note="n"/>'
                     "</folder></opensudoku>")  # fmt: skip
    assert (record.about, record.rest) == ({"title": "F"}, "n")
    return record


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_opensudoku_games_of_every_version(version: int) -> None:
    """A given, a digit filled in, and a cell with the notes 1 and 9."""
    notes = "1,9," if version == 1 else "257"
    none = "-" if version == 1 else "0"
    more = {1: "", 2: "|", 3: "", 4: "|0", 5: "|0|0"}[version]  # version 2 wrote a bar too many
    cells = [f"5|{none}{more}|0|", f"3|{none}{more}|1|", f"0|{notes}{more}|1|"]
    cells += [f"0|{none}{more}|1|"] * 78
    record = game(f"version: {version}&#10;{''.join(cells)}")
    assert record.grid.line == "5" + "." * 80
    assert record.placed == "53" + "." * 79
    assert record.marks == (0, 0, 1 << 1 | 1 << 9) + (0,) * 78


def test_opensudoku_headings() -> None:
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- from somewhere -->
<opensudoku>
  <name>Gnome-Sudoku Easy</name><author>r &amp; c</author><description></description>
  <created>2009-09-16</created><level>easy</level><sourceURL>http://x/</sourceURL>
  <game data="{ZEROS}" /><game data='{ZEROS}' />
</opensudoku>"""
    records = read_text(text)
    assert [record.line for record in records] == [6, 6]
    assert records[1].about == {
        "title": "Gnome-Sudoku Easy",
        "author": "r & c",
        "date": "2009-09-16",
        "level": "easy",
        "url": "http://x/",
    }


@pytest.mark.parametrize(
    ("cells", "marks"),
    [
        ({0: {"centerPencilMarks": [1, 2], "cornerPencilMarks": [3]}}, {0: 0b110}),
        ({0: {"cornerPencilMarks": [3]}, 5: {"centerPencilMarks": [4]}}, {5: 0b10000}),
        ({0: {"cornerPencilMarks": [3]}, 5: {"centerPencilMarks": []}}, None),
        ({0: {"cornerPencilMarks": [3]}, 5: {"cornerPencilMarks": [4]}}, None),
    ],
)
@pytest.mark.parametrize("names", [None, {"center": "centremarks", "corner": "pencilMarks"}])
def test_corner_marks_are_no_candidates(
    cells: dict[int, dict[str, list[int]]],
    marks: dict[int, int] | None,
    names: dict[str, str] | None,
) -> None:
    """They are the places of a digit in a box, in f-puzzles' JSON as in SudokuPad's."""
    if names:
        named = {f"{kind}PencilMarks": name for kind, name in names.items()}
        cells = {at: {named[name]: digits for name, digits in c.items()} for at, c in cells.items()}
    rows = [[cells.get(4 * row + column, {}) for column in range(4)] for row in range(4)]
    boxes = [[[r + i // 2, c + i % 2] for i in range(4)] for r in (0, 2) for c in (0, 2)]
    value = {"cells": rows, "regions": boxes} if names else {"size": 4, "grid": rows}
    (record,) = read_text(json.dumps(value))
    wanted = None if marks is None else tuple(marks.get(cell, 0) for cell in range(16))
    assert record.marks == wanted


def test_hints_do_not_miss_a_digit_among_corner_marks() -> None:
    """Corner marks of 3, as Snyder's notation has them, in cells that hold 4 and 2."""
    puzzle = ["1...", ".2..", "..3.", "4..."]
    rows = [[{"value": int(d), "given": True} if d != "." else {} for d in row] for row in puzzle]
    rows[0][1]["cornerPencilMarks"] = rows[1][0]["cornerPencilMarks"] = [3]
    rows[0][3]["value"] = 3
    text = json.dumps({"size": 4, "grid": rows})
    step = next(hints(" ".join(puzzle), candidates=text))
    assert step.technique not in ("mistake", "notes")


def test_csv_of_kaggle_and_of_spreadsheets() -> None:
    for head, row in (
        ("quizzes,solutions", f"{ZEROS},{SOLVED}"),
        ("id,puzzle,solution,clues,difficulty", f"1,{WIKIPEDIA},{SOLVED},30,0.0"),
        ('"Puzzle","Solution"', f'"{WIKIPEDIA}","{SOLVED}"'),
    ):
        (record,) = read_text(f"{head}\n{row}\n")
        assert (record.grid.line, record.solution) == (WIKIPEDIA, SOLVED)
    assert read_text(f"id,puzzle,clues\n7,{WIKIPEDIA},30")[0].about == {"id": "7", "clues": "30"}
    rows = [WIKIPEDIA[at : at + 9].replace(".", "") for at in range(0, 81, 9)]
    assert len(rows) == 9
    grid = "\n".join(
        ",".join(c if c != "." else "" for c in WIKIPEDIA[at : at + 9]) for at in range(0, 81, 9)
    )
    found = read_text(f"{grid}\n\n{grid.replace(',,', ',0,')}\n{grid}")
    assert [record.grid.line for record in found] == [WIKIPEDIA] * 3
    assert [record.line for record in found] == [1, 11, 20]
    large = "\n".join([",".join(str(n) for n in range(1, 17)), *[",".join("0" * 16)] * 15])
    assert read_text(large)[0].grid.cells[:16] == tuple(range(1, 17))


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_what_is_copied_from_a_spreadsheet(delimiter: str) -> None:
    for blank in (".", "", "0"):
        cells = [c.replace(".", blank) for c in WIKIPEDIA]
        rows = [delimiter.join(cells[at : at + 9]) for at in range(0, 81, 9)]
        text = "\n".join(rows)
        found = read_text(f"{text}\n{text}\r\n\n{text}")
        assert [record.grid.line for record in found] == [WIKIPEDIA] * 3
    empty = [delimiter * 8] * 8
    for rows in ([*empty, "5" + delimiter * 8], ["5" + delimiter * 8, *empty]):
        assert read_text("\n".join(rows), "csv")[0].grid.filled == 1
    (record,) = read_text(f"Level{delimiter}Puzzle{delimiter}solution\neasy{delimiter}{WIKIPEDIA}"
                     f"{delimiter}{SOLVED}\n")  # fmt: skip
    assert (record.grid.line, record.solution) == (WIKIPEDIA, SOLVED)
    assert record.about == {"level": "easy"}


def test_no_column_and_no_error_of_a_spreadsheet_is_lost() -> None:
    (record,) = read_text(f"puzzle,level,,level,grid,\n{WIKIPEDIA},1,2,3,4,\n")
    assert record.about == {"level": "1", "column 3": "2", "level 4": "3", "grid": "4"}
    errors: list[PuzzleError] = []
    text = f'"broken\n\xe9\npuzzle,level\n{WIKIPEDIA},1\n{WIKIPEDIA}\n'.encode("latin-1")
    found = list(load(io.BytesIO(text), format="csv", on_error=errors.append))
    assert [one.line for one in found] == [4]
    assert [error.line for error in errors] == [1, 2, 5]
    short = ["1,2,3,4", "3,4,1,2", "2,1,4,3"]
    errors.clear()
    text = "\n".join([*short, "", *short, "4,3,2,1", "", *short[:1]]).encode()
    found = list(load(io.BytesIO(text), format="csv", on_error=errors.append))
    assert [one.line for one in found] == [5]
    assert [error.line for error in errors] == [1, 10]


def test_sdk_files_of_both_programs() -> None:
    rows = "\n".join(WIKIPEDIA[at : at + 9] for at in range(0, 81, 9))
    sudocue = f"#ARuud\n#DA random puzzle\n#CJust start\n#Cand go on\n#B03-08-2006\n{rows}\n"
    (record,) = read_text(sudocue)
    assert record.grid.line == WIKIPEDIA
    assert record.about == {
        "author": "Ruud",
        "description": "A random puzzle",
        "comment": "Just start\nand go on",
        "date": "03-08-2006",
    }
    two = read_text(f"{sudocue}\n{sudocue}")
    assert [one.about["author"] for one in two] == ["Ruud"] * 2
    assert [one.line for one in two] == [1, 16]
    (record,) = read_text(f"[Puzzle]\n{rows}\n[State]\n{rows}\n[Colours]\n{rows}\n")
    assert record.placed == WIKIPEDIA
    assert record.about["colors"] == rows


def test_lists_of_variants() -> None:
    solution = sudoku.solve("." * 81, layout=layouts.jigsaw(REGIONS)).line
    givens = f"{solution[:9]}{'.' * 72}"
    (jigsaw,) = read_text(f"# size givens regions solution\n9 {givens} {REGIONS} {solution} note\n")
    assert jigsaw.grid.layout is layouts.jigsaw(REGIONS)
    assert (jigsaw.solution, jigsaw.rest) == (solution, "note")
    (killer,) = read_text("# size flags cages\n9 X 3:r1c1,r1c2;?:r2c1,r2c2 ?\n")
    cages = [(3, "r1c1 r1c2"), (None, "r2c1 r2c2")]
    assert killer.grid.layout is layouts.killer(cages, base=layouts.diagonal())
    (small,) = read_text("4 5:r1c1,r2c1 3421214312344312")
    assert small.grid.layout.side == 4
    assert small.solution == "3421214312344312"
    sohei = layouts.sohei()
    cells = ["#"] * (sohei.height * sohei.width)
    for row, column in sohei.positions:
        cells[(row - 1) * sohei.width + column - 1] = "."
    (overlap,) = read_text(f"{sohei.height} {sohei.width} {''.join(cells)}")
    assert overlap.grid.layout is sohei
    parities = "".join("EO"[int(digit) % 2] for digit in SOLVED[:8])
    (even,) = read_text(f"{parities}{'.' * 72}9 {SOLVED}")
    assert even.solution == SOLVED
    assert even.grid.givens == ((9, 9, 9),)


def test_perfect_sudoku_and_sumocue_say_the_same() -> None:
    layout = layouts.killer([(3, "r1c1 r1c2"), (17, "r8c9 r9c9")], base=layouts.diagonal())
    fields = ["0"] * 81
    fields[0] = fields[1] = str(3 * 256)
    fields[71] = fields[80] = str(17 * 256 + 71)
    (ps,) = read_text(f"3x3:d:k:{':'.join(fields)}:")
    entries = ["=0"] * 81
    entries[0], entries[1], entries[71], entries[80] = "=3", "+0", "=17", "+71"
    (sumocue,) = read_text(f"SumoCueV1D{''.join(entries)}")
    assert ps.grid.layout is sumocue.grid.layout is layout


# -- A wrong solution in a file is an error, wherever the file is read ---------------------------


GIVEN = "9" + SOLVED[1:]
"""Another digit in the place of a given."""
TWICE = SOLVED[:3] + "1" + SOLVED[4:]
"""Another digit in an empty cell."""
OTHER = SOLVED.translate(str.maketrans("12", "21"))
"""The solution of another puzzle."""
WORDS = {
    GIVEN: "the solution has 9 in r1c1, which is given as 5",
    TWICE: "the solution is wrong: r1c4 and r1c8 are both 1 (row 1)",
    OTHER: "the solution has 2 in r2c4, which is given as 1",
}
FORMATS_WITH_SOLUTION = ["lines", "csv", "json", "share", "fpuzzles", "sudokupad", "links"]


@pytest.mark.parametrize("name", FORMATS_WITH_SOLUTION)
@pytest.mark.parametrize("wrong", WORDS)
def test_every_format_and_door(name: str, wrong: str, tmp_path: Path) -> None:
    text = dumped([Record(Grid(WIKIPEDIA), solution=wrong)], name)
    good = dumped([Record(Grid(WIKIPEDIA), solution=SOLVED)], name)
    form = name if name in ("lines", "csv", "json") else None
    with pytest.raises(PuzzleError, match="line "):
        list(load(io.BytesIO(text.encode()), format=form))
    for source in (io.BytesIO(text.encode()),) + (text.splitlines(),) * (name == "lines"):
        errors: list[PuzzleError] = []
        assert not list(sudoku.read(source, on_error=errors.append))
        assert [WORDS[wrong] in str(error) for error in errors] == [True]
    assert WORDS[wrong] in str(answer({"kind": "open", "text": text})["error"])
    assert "error" not in answer({"kind": "open", "text": good})
    file, right = tmp_path / "wrong", tmp_path / "good"
    file.write_text(text)
    right.write_text(good)
    for command in ("check", "convert", "solve", "count", "rate", "show", "hint", "minimize"):
        found = run(command, str(file))
        assert (found.exit_code, WORDS[wrong] in found.stderr) == (2, True), command
        assert run(command, str(right)).exit_code == 0
    found = run("lint", "--no-minimal", str(file))
    assert found.exit_code == 1
    assert WORDS[wrong] in found.stdout
    assert run("lint", "--no-minimal", str(right)).exit_code == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("jigsaw", f"9 {'.' * 81} {REGIONS} {SOLVED}"),
        ("killer", f"9 3:r1c1,r1c2; {SOLVED}"),
        ("sukaku", "12345678." * 81 + f" {SOLVED}"),
        ("even-odd", f"E{'.' * 80} {SOLVED}"),
        ("overlaps", dumped([Record(Grid.from_cells((0,) * 369, layouts.samurai()),
                                     solution="1" * 369)], "overlaps")),
    ],
)  # fmt: skip
def test_solutions_that_break_the_layout(name: str, text: str) -> None:
    with pytest.raises(PuzzleError, match="the solution is wrong: "):
        read_text(text, name)


def test_a_solution_is_compared_in_the_layout_that_is_given() -> None:
    line = "puzzle,solution\n" + f"{WIKIPEDIA},{SOLVED}\n"
    assert list(sudoku.read(io.BytesIO(line.encode())))
    with pytest.raises(PuzzleError, match=r"line 2: the solution is wrong: .*\(diagonal"):
        list(sudoku.read(io.BytesIO(line.encode()), layouts.diagonal()))


def test_with_rules_that_may_be_unread_it_is_a_warning() -> None:
    value = json.loads(dumped([Record(Grid(WIKIPEDIA), solution=GIVEN)], "fpuzzles"))
    value["line"] = [{"lines": [["R1C1", "R2C2"]]}]
    (record,) = read_text(json.dumps(value), "fpuzzles")
    assert record.warning.endswith(WORDS[GIVEN])
    assert "may mean rules that were not read" in record.warning
