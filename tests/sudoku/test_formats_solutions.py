"""A wrong solution in a file is an error, wherever the file is read."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from example_puzzles import REGIONS, SOLVED, WIKIPEDIA
from format_examples import read_text
from sudoku_commands import run

import sudoku
from sudoku import Grid, PuzzleError, layouts
from sudoku.formats import Record, dump, load
from sudoku.web.answers import answer

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


def written(record: Record, name: str) -> str:
    out = io.StringIO()
    dump([record], out, name)
    return out.getvalue()


@pytest.mark.parametrize("name", FORMATS_WITH_SOLUTION)
@pytest.mark.parametrize("wrong", WORDS)
def test_every_format_and_door(name: str, wrong: str, tmp_path: Path) -> None:
    text = written(Record(Grid(WIKIPEDIA), solution=wrong), name)
    good = written(Record(Grid(WIKIPEDIA), solution=SOLVED), name)
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
        ("overlaps", written(Record(Grid.from_cells((0,) * 369, layouts.samurai()),
                                    solution="1" * 369), "overlaps")),
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
    value = json.loads(written(Record(Grid(WIKIPEDIA), solution=GIVEN), "fpuzzles"))
    value["line"] = [{"lines": [["R1C1", "R2C2"]]}]
    (record,) = read_text(json.dumps(value), "fpuzzles")
    assert record.warning.endswith(WORDS[GIVEN])
    assert "may mean rules that were not read" in record.warning
