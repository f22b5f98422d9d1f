"""`sudoku hint` and `sudoku rate`."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from example_puzzles import DIAGONAL, INKALA, SOLVED
from example_puzzles import WIKIPEDIA as PUZZLE
from hint_positions import random_puzzle
from sudoku_commands import refused, run

from dlx.cli.commands import STOPPED
from sudoku import Layout, generate, layouts, parse
from sudoku.formats import dump
from sudoku.formats.record import Record
from sudoku.solving import deadline

WRONG = PUZZLE[:2] + "5" + PUZZLE[3:]
FIRST = "hidden single: r1c6 is the only place for 8 in box 2\n"


def test_hint() -> None:
    result = run("hint", PUZZLE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, FIRST, "")
    assert run("hint", PUZZLE.replace(".", "-")).stdout == FIRST
    assert len(run("hint", PUZZLE, "--steps", "3").stdout.splitlines()) == 3
    assert len(run("hint", PUZZLE, "--all").stdout.splitlines()) == 51
    assert run("hint", SOLVED).stdout == "no steps left: the grid is full\n"
    assert run("hint", "1.....2.3......4", "--box", "2x2", "--steps", "1").exit_code == 0


@pytest.mark.lengthy
def test_hint_with_rare_techniques() -> None:
    puzzle = "........7..4.2.6..8.....31......29...4..9..3...95.6....1......8..6.5.2..7......6."
    assert "franken fish" not in run("hint", "--all", puzzle).stdout
    assert "franken fish" in run("hint", "--all", "--every", puzzle).stdout


HARD = "94..5....2.7..98...5.....6...46..1.9...8.4...6.3..57...3.....9...95..3.8....2..16"


def test_hint_of_a_technique(tmp_path: Path) -> None:
    picture = tmp_path / "step.svg"
    result = run("hint", HARD, "--technique", "x-WING", "--svg", str(picture))
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = result.stdout.splitlines()
    assert line.startswith("X-wing: the places for 6 in rows 2 and 8 are all in columns 2 and 5")
    assert "so r7c5 cannot be 6</text>" in picture.read_text()
    steps = run("hint", HARD, "--all").stdout.splitlines()
    assert next(step for step in steps if step.startswith("X-wing")) == line
    (reported,) = map(
        json.loads, run("hint", "--json", HARD, "--technique", "X-wing").stdout.splitlines()
    )
    assert [step["technique"] for step in reported["steps"]] == ["X-wing"]


def test_a_technique_that_is_not_there() -> None:
    result = run("hint", PUZZLE, "--technique", "X-wing")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "sudoku: no X-wing in the steps to the solution, which use hidden single, full house\n"
    )
    result = run("hint", PUZZLE, "--all", "--techniques", "jellyfish,x-wing")
    assert result.stdout.endswith("\nthese techniques find no step: 51 cells left\n")
    result = run("hint", PUZZLE, "--technique", "x-wnig")
    assert result.exit_code == 2
    assert "unknown technique 'x-wnig'; did you mean X-wing or " in result.stderr
    assert run("hint", PUZZLE, "--technique", "X-wing", "--all").exit_code == 2


def test_hint_of_files_and_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"# two\n{PUZZLE}\n{PUZZLE} again\n")
    assert run("hint", str(path)).stdout == f"{path}:2: {FIRST}{path}:3: {FIRST}"
    assert run("hint", "-", stdin=path.read_text()).stdout.count(FIRST) == 2


ON_IT = (
    "locked candidates (pointing): all places for 4 in the diagonal from r1c9 are in box 7, so "
    "r7c1, r7c2, r8c3, r9c2 and r9c3 cannot be 4\n"
)


def test_hint_and_rating_of_another_layout(tmp_path: Path) -> None:
    picture = tmp_path / "step.svg"
    result = run("hint", "--layout", "diagonal", DIAGONAL, "--svg", str(picture))
    assert (result.exit_code, result.stdout, result.stderr) == (0, ON_IT, "")
    assert "diagonal from r1c9" in " ".join(picture.read_text().split())
    reported = json.loads(run("hint", "--json", "--layout", "diagonal", DIAGONAL).stdout)
    assert reported["steps"][0]["houses"] == ["diagonal 2", "box 7"]
    rated = run("rate", "--layout", "diagonal", DIAGONAL)
    assert (rated.exit_code, rated.stdout.split("\t")[0]) == (0, "extreme")


@pytest.mark.parametrize("command", ["hint", "rate"])
def test_a_jigsaw_of_a_file(command: str, tmp_path: Path) -> None:
    regions = "111122311422333442344452366655666555"
    layout = layouts.jigsaw(regions)
    file = tmp_path / "jigsaw.json"
    with file.open("w") as out:
        dump([Record(random_puzzle(3, layout))], out, "json")
    result = run(command, str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize("command", ["hint", "rate"])
def test_a_layout_without_techniques(command: str) -> None:
    assert (
        refused(command, "--layout", "5x5", "." * 625)
        == "sudoku: no hints or ratings for a side of 25: at most 16\n"
    )


def test_hint_as_json() -> None:
    result = run("hint", "--json", "--steps", "2", PUZZLE)
    (line,) = map(json.loads, result.stdout.splitlines())
    assert line["puzzle"] == PUZZLE
    assert line["error"] is None
    first, _ = line["steps"]
    assert first["technique"] == "hidden single"
    assert first["placements"] == [[1, 6, 8]]
    assert first["sentence"] == "r1c6 is the only place for 8 in box 2"
    assert first["houses"] == ["box 2"]
    (line,) = map(json.loads, run("hint", "--json", WRONG).stdout.splitlines())
    assert line["steps"] is None
    assert "r1c3=5 is wrong" in line["error"]


def test_hint_draws(tmp_path: Path) -> None:
    path = tmp_path / "hint.svg"
    assert run("hint", PUZZLE, "--svg", str(path)).stdout == FIRST
    drawn = path.read_bytes()
    assert b"r1c6 is the only place" in drawn
    result = run("hint", "--json", PUZZLE, "--svg", str(path))
    assert json.loads(result.stdout)["error"] is None
    assert path.read_bytes() == drawn
    assert run("hint", PUZZLE, "--svg", "-").stdout.encode() == drawn
    assert run("hint", PUZZLE, "--svg", "-", "--json").exit_code == 2
    result = run("hint", PUZZLE, "--svg", "")
    assert (result.exit_code, result.stderr) == (2, "sudoku: '': No such file or directory\n")
    # A second puzzle does not take the place of the first.
    result = run("hint", PUZZLE, SOLVED[:-1] + ".", "--svg", str(path))
    assert (result.exit_code, len(result.stdout.splitlines())) == (2, 2)
    assert "argument 2: not drawn: --svg draws only one puzzle" in result.stderr
    assert path.read_bytes() == drawn


def test_hint_with_candidates_crossed_out(tmp_path: Path) -> None:
    result = run("hint", PUZZLE, "--removed", "r1c3=1 r1c3=2,R1C3=4")
    assert result.stdout == "mistake: r1c3 is 4, which was crossed out\n"
    path = tmp_path / "hint.svg"
    result = run("hint", PUZZLE, "--removed", "r1c3=1,r1c3=2", "--svg", str(path))
    assert result.stdout == "hidden single: r3c1 is the only place for 1 in box 1\n"
    assert path.exists()
    for wrong in ("r1c3", "r1c3=", "r1c3=44", "c3r1=4", "r1c3=4,x", "r1c3=A", "r10c3=4"):
        result = run("hint", PUZZLE, "--removed", wrong)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1), wrong


@pytest.mark.parametrize("command", ["hint", "rate"])
def test_a_search_that_takes_too_long(command: str) -> None:
    result = run(command, "--json", "--timeout", "0", "." * 256)
    assert result.exit_code == STOPPED
    assert "timeout" in json.loads(result.stdout)["error"]
    assert result.stderr.count("\n") == 1


def test_hint_from_what_is_filled_in() -> None:
    filled = PUZZLE[:5] + "8" + PUZZLE[6:]
    assert "r1c6" not in run("hint", PUZZLE, "--filled", filled).stdout
    result = run("hint", PUZZLE, "--filled", WRONG)
    assert (result.exit_code, result.stdout) == (
        0,
        "mistake: 5 in r1c3 is wrong\n",
    )
    result = run("hint", PUZZLE, "--filled", "6" + PUZZLE[1:])
    assert (result.exit_code, result.stderr) == (
        2,
        "sudoku: r1c1 is 5 in the puzzle but 6 in the filled-in grid\n",
    )


@pytest.mark.parametrize("command", ["hint", "rate"])
def test_bad_puzzles(command: str) -> None:
    result = run(command, WRONG)
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr
        == "sudoku: no solution; r1c3=5 is wrong: without it there is exactly one solution\n"
    )
    result = run(command, "." * 81)
    assert result.exit_code == 1
    assert result.stderr.startswith("sudoku: the puzzle has more than one solution (r")
    assert result.stderr.count("\n") == 1
    result = run(command, PUZZLE[:-1])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    result = run(command, "." * 625)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert run(command, "nowhere.txt").exit_code == 2
    assert run(command, PUZZLE, "--box", "4x4").exit_code == 2
    # A bad one does not keep the good ones from being answered.
    result = run(command, WRONG, PUZZLE)
    assert result.exit_code == 1
    assert result.stdout.startswith("argument 2: ")


def test_hint_options_that_clash() -> None:
    assert run("hint", PUZZLE, "--all", "--steps", "2").exit_code == 2
    assert run("hint", PUZZLE, "--steps", "0").exit_code == 2


def test_rate() -> None:
    result = run("rate", PUZZLE)
    assert (result.exit_code, result.stderr) == (0, "")
    band, hardest, steps, score = result.stdout.rstrip("\n").split("\t")
    assert (band, hardest, steps) == ("gentle", "hidden single in a box", "51")
    assert int(score) > 0
    assert " hidden single" in run("rate", "--techniques", PUZZLE).stdout.split("\t")[4]
    assert run("rate", SOLVED).stdout == "gentle\t-\t0\t0\n"


def test_rate_as_json() -> None:
    result = run("rate", "--json", "-", stdin=f"{PUZZLE} a\n{WRONG}\n")
    good, bad = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert good["rating"]["band"] == "gentle"
    assert sum(good["rating"]["techniques"].values()) == good["rating"]["steps"] == 51
    assert (good["line"], good["rest"], good["error"]) == (1, "a", None)
    assert bad["rating"] is None
    assert "is wrong" in bad["error"]


def test_a_timeout_counts_the_time_of_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that ticks once a look, and passes over the search before the first step."""
    clock = itertools.count()
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    result = run("hint", "--steps", "5", "--timeout", "11", PUZZLE)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 5)
    result = run("hint", "--steps", "5", "--timeout", "10", PUZZLE)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "timeout" in result.stderr


def test_hint_from_candidates(tmp_path: Path) -> None:
    """In a file, or as they are; a digit of the solution that they lack, and a picture of them."""
    marks = tmp_path / "marks.txt"
    marks.write_text("[[], [], [1, 2]" + ", []" * 78 + "]")
    result = run("hint", PUZZLE, "--candidates", str(marks))
    assert result.stdout == "mistake: r1c3 is 4, which its candidates lack\n"
    assert run("hint", PUZZLE, "--candidates", marks.read_text()).stdout == result.stdout
    marks.write_text("[[], [], [4]" + ", []" * 78 + "]")
    picture = tmp_path / "step.svg"
    result = run("hint", PUZZLE, "--candidates", str(marks), "--all", "--svg", str(picture))
    assert result.exit_code == 0
    assert "r3c1 is the only place for 1 in box 1" in result.stdout
    assert "</svg>" in picture.read_text()
    result = run("hint", PUZZLE, "--candidates", "nowhere.txt")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "'nowhere.txt': No such file or directory" in result.stderr
    marks.write_text("hello")
    assert "no pencil marks" in refused("hint", PUZZLE, "--candidates", str(marks))


FOUR = "1....2....3.2..4"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("r1c1 12 x", "the text has no pencil marks for the cells of the puzzle: 'r1c1 12 x'"),
        ("1 34 24", "the text has no pencil marks for the cells of the puzzle: '1 34 24'"),
        ("[[1],[2]]", "marks for 2 cells; the grid has 16"),
        ("my marks.txt", "'my marks.txt': No such file or directory"),
        ("no such/file", "'no such/file': No such file or directory"),
    ],
)
def test_candidates_that_are_no_file(text: str, wrong: str) -> None:
    """A file is missing only if the text can be its name."""
    result = run("hint", FOUR, "--candidates", text)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert wrong in result.stderr


@pytest.mark.parametrize(
    "marks",
    [
        "1 34 24 23 34 2 14 13 4 14 3 12 2 13 1 4",
        "1.....34.2.4.23...34.2..1..41.3....41..4..3.12...2..1.3.1......4",
        "[[],[4]" + ",[]" * 14 + "]",
    ],
)
def test_short_candidates_on_the_command_line(marks: str) -> None:
    result = run("hint", FOUR, "--candidates", marks, "--all")
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_candidates_of_a_player_are_drawn(tmp_path: Path) -> None:
    marks = tmp_path / "marks.txt"
    marks.write_text("[[], [], [4]" + ", []" * 78 + "]")
    drawn = [
        run("hint", PUZZLE, "--removed", "r1c3=1,r1c3=2", "--svg", "-").stdout,
        run("hint", PUZZLE, "--candidates", str(marks), "--svg", "-").stdout,
    ]
    assert drawn[0] == drawn[1]
    assert drawn[0] != run("hint", PUZZLE, "--svg", "-").stdout


@pytest.mark.parametrize("form", ["hodoku", "opensudoku", "json", "sdk"])
def test_hint_from_the_notes_in_the_puzzle_file(form: str, tmp_path: Path) -> None:
    """The position in the file is where it continues, unless an option says another one."""
    filled = PUZZLE[:5] + "8" + PUZZLE[6:]
    file = tmp_path / "game"
    with file.open("w") as out:
        grid = parse(PUZZLE)
        marks = tuple(2 + 4 if cell == 2 else 1022 * (not grid.cells[cell]) for cell in range(81))
        dump([Record(grid, placed=filled, marks=marks)], out, form)
    assert "r1c3 is 4, which its candidates lack" in run("hint", str(file)).stdout
    with file.open("w") as out:
        dump([Record(grid, placed=filled, marks=tuple(1022 if m else 0 for m in marks))], out, form)
    after = run("hint", PUZZLE, "--filled", filled).stdout
    assert after != FIRST
    assert run("hint", str(file)).stdout.endswith(after)
    assert run("hint", str(file), "--filled", PUZZLE).stdout.endswith(FIRST)


def test_hint_in_stages() -> None:
    result = run("hint", "--staged", PUZZLE)
    assert result.stdout.splitlines() == [
        "look at box 2",
        "the technique is hidden single",
        "r1c6 is the only place for 8 in box 2",
    ]
    lines = run("hint", "--staged", INKALA).stdout.splitlines()
    assert lines[0].startswith("look at r")
    assert lines[1].startswith("the technique is nested forcing net: assume that ")
    assert lines[2].startswith("  assume that ")
    assert len(lines) > 12
    assert ", so " in lines[-1]
    assert "implications follow" in run("hint", INKALA).stdout
    (reported,) = map(json.loads, run("hint", "--json", "--staged", INKALA).stdout.splitlines())
    (step,) = reported["steps"]
    assert [stage["sentence"] for stage in step["stages"]][:2] == lines[:2]
    assert [link["sentence"] for link in step["chain"]] == [line.strip() for line in lines[2:]]
    (reported,) = map(json.loads, run("hint", "--json", INKALA).stdout.splitlines())
    assert "stages" not in reported["steps"][0]
    assert reported["steps"][0]["details"] == step["details"]


def test_coordinates_in_the_picture_of_a_hint() -> None:
    assert ">r9</text>" in run("hint", PUZZLE, "--svg", "-", "--coordinates").stdout
    assert ">r9</text>" not in run("hint", PUZZLE, "--svg", "-").stdout
    assert run("hint", PUZZLE, "--coordinates").exit_code == 2
    assert ">c9</text>" in run("show", PUZZLE, "--svg", "-", "--coordinates").stdout
    assert ">c9</text>" not in run("show", PUZZLE, "--svg", "-").stdout
    assert run("show", PUZZLE, "--coordinates").exit_code == 2


def test_worker_processes_say_the_same(tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    lines = [generate(Layout(2, 2), seed=seed).line for seed in range(20)]
    puzzles.write_text("\n".join([*lines, "11" + "." * 14, "." * 16]))
    for options in (["--all"], ["--json"], ["--technique", "full house"], ["--steps", "3"]):
        alone = run("hint", *options, str(puzzles))
        several = run("hint", *options, "--workers", "2", str(puzzles))
        assert (several.exit_code, several.stdout, several.stderr) == (
            alone.exit_code,
            alone.stdout,
            alone.stderr,
        )
        assert alone.exit_code == 1
