"""The commands that make, and look after, collections of puzzles."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sudoku_commands import refused, run, spawn

import dlx
import sudoku
from sudoku import Grid, Layout
from sudoku.generation import Generated

GOOD = "1....2....3.4..."
OTHERWISE = "2....1....3.4..."


def on_terminal(*arguments: str) -> str:
    """What the command prints on a terminal, which is none of pytest's."""
    master, slave = pty.openpty()
    command = [sys.executable, "-P", "-m", "sudoku", *arguments]
    with subprocess.Popen(command, stdout=slave, stderr=subprocess.DEVNULL) as process:
        os.close(slave)
        parts = []
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # the end, on Linux
                break
            if not part:
                break
            parts.append(part)
    os.close(master)
    assert process.returncode == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", b"".join(parts).decode()).replace("\r\n", "\n")


def test_generate() -> None:
    result = run("generate", "--seed", "1")
    assert (result.exit_code, result.stdout) == (0, sudoku.generate(seed=1).line + "\n")
    assert re.fullmatch(r"1 puzzle in \d+\.\d+ s, seed 1\n", result.stderr)
    result = run("generate", "-n", "3", "--layout", "2x3", "--symmetry", "mirror", "--seed", "4")
    made = sudoku.generate_many(3, Layout(2, 3), symmetry="mirror", seed=4)
    assert result.stdout.splitlines() == [puzzle.line for puzzle in made]
    boxed = run("generate", "--box", "2x2", "--grid", "--seed", "1").stdout
    assert boxed == f"{sudoku.generate(Layout(2, 2), seed=1)}\n"
    assert run("generate", "-n", "0").stdout == ""
    joined = run("generate", "--layout", "2x2+diagonal", "--seed", "1").stdout
    for names in (["2x2", "diagonal"], ["diagonal", "2x2"]):
        options = [f"--{kind}={name}" for kind, name in zip(("box", "layout"), names, strict=True)]
        assert run("generate", *options, "--seed", "1").stdout == joined
    drawn = run("generate", "--layout", "kropki", "--box", "2x2", "--seed", "1", "--grid").stdout
    assert "\nwhite dot r1c1 r2c1\n" in drawn
    assert drawn.splitlines()[-1].startswith("All dots are shown: ")


def test_generate_again_with_the_seed_that_was_told() -> None:
    result = run("generate", "-n", "2", "--box", "2x2")
    seed = result.stderr.split()[-1]
    assert run("generate", "-n", "2", "--box", "2x2", "--seed", seed).stdout == result.stdout


def test_generate_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The puzzle is printed with its seed, from which it can be generated again."""
    make = Generated.__next__

    def stop_at_third(made: Generated) -> Grid:
        if made.made == 2:
            raise KeyboardInterrupt
        return make(made)

    two = run("generate", "-n", "2", "--box", "2x2", "--seed", "5").stdout
    monkeypatch.setattr(Generated, "__next__", stop_at_third)
    result = run("generate", "-n", "9", "--box", "2x2", "--seed", "5")
    assert (result.exit_code, result.stdout) == (130, two)
    assert result.stderr == "sudoku: interrupted; 2 made with seed 5\n"


def test_generate_solutions_and_json() -> None:
    line = run("generate", "--clues", "30", "--not-minimal", "--solutions", "--seed", "1").stdout
    puzzle, solution = line.split()
    assert sudoku.solve(puzzle).line == solution
    assert Grid(puzzle).filled == 30
    [found] = map(json.loads, run("generate", "--layout", "diagonal", "--json").stdout.splitlines())
    assert found["layout"] == "diagonal"
    assert found["clues"] == 81 - found["puzzle"].count(".")
    assert found["solution"] is None
    found = json.loads(run("generate", "--layout", "butterfly", "--json", "--solutions").stdout)
    assert found["box"] is None or len(found["box"]) == 2
    assert "." not in found["solution"]


@pytest.mark.lengthy
def test_generate_on_a_terminal() -> None:
    shown = on_terminal("generate", "--box", "2x2", "--seed", "1")
    assert shown == f"{sudoku.generate(Layout(2, 2), seed=1)}\n"


@pytest.mark.lengthy
def test_generate_with_processes() -> None:
    alone = run("generate", "-n", "30", "--box", "2x2", "--seed", "5").stdout
    together = spawn("generate", "-n", "30", "--box", "2x2", "--seed", "5", "--workers", "2")
    assert together.stdout.decode() == alone
    assert together.returncode == 0
    assert "--timeout cannot be used with" in run("generate", "--workers=2", "--timeout=1").stderr


def test_generate_what_cannot_be() -> None:
    result = run("generate", "--clues", "60", "--attempts", "2", "-n", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    first, _, summary = result.stderr.splitlines()
    assert first.startswith("sudoku: no minimal puzzle with 60 givens in 2 attempts: the closest")
    assert first.endswith("--not-minimal allows redundant givens")
    assert summary.startswith("0 puzzles, 2 failed in ")
    result = run("generate", "--timeout", "0")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "sudoku: stopped by the timeout" in result.stderr
    for arguments, message in (
        (["--symmetry", "rotaton-2"], "did you mean rotation-2 or rotation-4?"),
        (["--layout", "samurais"], "did you mean samurai?"),
        (["--clues", "90"], "clues is 90; the layout has 81 cells"),
        (["--engine", "fast"], "engine"),
        (["--workers", "0"], "--workers"),
        (["53..7"], "unexpected extra argument"),
    ):
        assert message in refused("generate", *arguments)


def test_canonical(tmp_path: Path) -> None:
    assert run("canonical", GOOD).stdout == sudoku.canonical(GOOD).line + "\n"
    path = tmp_path / "list.txt"
    path.write_text(f"{GOOD} easy\n{OTHERWISE} hard\n11{'.' * 14}\n{'.' * 16}\n")
    form = sudoku.canonical(GOOD).line
    result = run("canonical", str(path))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [f"{form} easy", f"{form} hard", "." * 16]
    assert f"sudoku: {path}:3: a puzzle with a digit twice has no canonical form" in result.stderr
    result = run("canonical", "--unique", "-", stdin=path.read_text())
    assert result.stdout.splitlines() == [f"{form} easy", "." * 16]
    found = json.loads(run("canonical", "--json", GOOD).stdout)
    assert (found["puzzle"], found["canonical"]) == (GOOD, form)
    result = run("canonical", "--layout", "diagonal", "." * 81)
    assert result.exit_code == 2
    assert "no canonical form for the layout" in result.stderr
    assert run("canonical", "12345" * 4).exit_code == 2


def test_lint(tmp_path: Path) -> None:
    path, other = tmp_path / "list.txt", tmp_path / "other.txt"
    path.write_text(f"# some\n{GOOD}\n{OTHERWISE}\n{'.' * 16}\n{'3' * 20}\n")
    other.write_text(f"{GOOD}\n")
    result = run("lint", str(path), str(other))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"{path}:3: equivalent: a transformed copy of {path}:2"
    assert lines[1].startswith(f"{path}:4: not unique: two solutions differ in ")
    assert lines[2].startswith(f"{path}:5: unreadable: ")
    assert lines[3] == f"{other}:1: duplicate: the same as {path}:2"
    assert len(lines) == 4
    assert result.stderr.startswith(
        "4 puzzles: 1 unreadable, 1 not unique, 1 duplicate, 1 equivalent in "
    )
    found = [json.loads(line) for line in run("lint", "--json", str(path)).stdout.splitlines()]
    assert [(one["line"], one["kind"]) for one in found] == [
        (3, "equivalent"),
        (4, "not unique"),
        (5, "unreadable"),
    ]
    assert found[0]["other"] == [str(path), 2]
    assert found[2]["puzzle"] is None


def test_lint_where_all_is_well_or_nothing_is(tmp_path: Path) -> None:
    result = run("lint", "-", stdin=f"{GOOD}\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("1 puzzle: no problems in ")
    needless = "14...2....3.4..."
    assert run("lint", needless).stdout.startswith(
        "not minimal: any one of 2 of the 5 givens can be"
    )
    assert run("lint", "--no-minimal", needless).exit_code == 0
    assert run("lint", "--no-equivalents", GOOD, OTHERWISE).exit_code == 0
    assert run("lint", GOOD, OTHERWISE).stdout.startswith(
        "argument 2: equivalent: a transformed copy of "
    )
    assert run("lint", "--timeout", "0", "." * 81).exit_code == 3
    assert "No such file" in refused("lint", str(tmp_path / "nowhere"))


def test_check_of_another_kind() -> None:
    result = run("check", "--layout", "2x2+diagonal", "1" + "." * 15)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "not unique: more than one solution"
    assert run("count", "--layout", "2x2+diagonal", "." * 16).stdout == "48\n"
    compared = run("compare", "--layout", "2x2+diagonal", "1" + "." * 15)
    assert compared.exit_code == 0
    assert "plain" not in compared.stdout


@pytest.mark.parametrize("command", ["generate", "canonical", "lint"])
def test_help(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "--layout" in result.stdout


def test_minimize(tmp_path: Path) -> None:
    full = "1423324121344312"
    least = sudoku.minimize(full).line
    assert run("minimize", full).stdout == f"{least}\n"
    path = tmp_path / "list.txt"
    path.write_text(f"# some\n{full} one\n{'.' * 16}\n11{'.' * 14}\n{least}\n")
    result = run("minimize", str(path))
    assert result.exit_code == 1
    assert result.stdout == f"{least} one\n{least}\n"
    several, none = result.stderr.splitlines()
    assert several.startswith(f"sudoku: {path}:3: the puzzle has more than one solution")
    assert none.startswith(f"sudoku: {path}:4: r1c1 and r1c2 are both 1")
    assert run("minimize", "-", stdin=path.read_text()).stdout == result.stdout


def test_minimize_options() -> None:
    full = sudoku.random_grid(Layout(2, 3), seed=1).line
    for seed in (1, 2):
        least = sudoku.minimize(full, symmetry="rotation-2", seed=seed).line
        asked = ["--symmetry", "rotation-2", "--seed", str(seed), "--engine", "links"]
        assert run("minimize", *asked, full).stdout == f"{least}\n"
    other = sudoku.random_grid(Layout(3, 2), seed=1)
    least = sudoku.minimize(other).line
    assert run("minimize", "--box", "3x2", other.line).stdout == f"{least}\n"
    lines = run("minimize", "--json", "-", stdin=f"{full} far\n{'.' * 16}\n").stdout.splitlines()
    found, wrong = map(json.loads, lines)
    least = sudoku.minimize(full).line
    assert (found["puzzle"], found["rest"], found["minimal"]) == (full, "far", least)
    assert (found["clues"], found["error"]) == (36 - least.count("."), None)
    assert (wrong["line"], wrong["minimal"], wrong["clues"]) == (2, None, None)
    assert "more than one solution" in wrong["error"]


def test_minimize_what_cannot_be(tmp_path: Path) -> None:
    result = run("minimize", "--timeout", "0", GOOD)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "sudoku: stopped by the timeout\n"
    windmill = "." * sudoku.layouts.windmill().size
    for arguments, message in (
        (["--symmetry", "mirrors", GOOD], "did you mean mirror?"),
        (["--symmetry", "mirror", "--layout", "windmill", windmill], "has no symmetry"),
        (["--engine", "fast", GOOD], "engine"),
        (["--seed", "x", GOOD], "--seed"),
        (["12345" * 4], "20"),
        (["--box", "2x2", "." * 36], "36"),
        ([str(tmp_path)], "s a directory"),
        ([str(tmp_path / "none.txt")], "No such file"),
    ):
        assert message in refused("minimize", *arguments)


def test_boxes_of_6x6_are_pointed_out() -> None:
    """Other commands see by the cells what was meant; this one can only say what it does."""
    stderr = run("generate", "--layout", "6x6", "--timeout", "0").stderr
    assert stderr.startswith(
        "sudoku: note: boxes of 6x6 make a grid of 36x36; a grid of 6x6 is called 2x3, after its "
        "boxes\n"
    )
    assert "note" not in run("generate", "--layout", "2x3").stderr


@pytest.mark.parametrize("kind", ["", "killer"])
def test_cover(tmp_path: Path, kind: str) -> None:
    puzzle = sudoku.generate(kind="killer", seed=1) if kind else Grid(GOOD)
    path = str(tmp_path / "puzzle.json")
    (tmp_path / "in.txt").write_text(run("generate", "--layout", kind, "--seed", "1").stdout)
    source = str(tmp_path / "in.txt") if kind else GOOD
    missing = set(sudoku.solve(puzzle).givens) - set(puzzle.givens)
    names = {f"r{row}c{column}={digit}" for row, column, digit in missing}
    problem = dlx.Problem.load(io.StringIO(run("cover", source).stdout))
    (solution,) = problem.solutions()
    assert names == {name for name in solution if re.fullmatch(r"r\dc\d=\d", name)}
    assert run("cover", source, "-o", path).stdout == ""
    assert dlx.Problem.load(path) == sudoku.cover(puzzle)
    with_kinds = run("cover", source, "--to", "csv").stdout.splitlines()
    assert with_kinds[0].startswith("option,item,kind")
    assert len(with_kinds) == 1 + problem.entry_count


def test_cover_draws(tmp_path: Path) -> None:
    page, picture = tmp_path / "page.html", tmp_path / "matrix.svg"
    assert run("cover", GOOD, "--html", str(page), "--svg", str(picture)).stdout == ""
    assert "Algorithm X on a Sudoku" in page.read_text()
    whole = sudoku.cover(Layout(2, 2))
    assert picture.read_text() == whole.matrix_picture(Grid(GOOD).givens)
    assert dlx.Problem.load(io.StringIO(run("cover", "--box", "2x2").stdout)).count() == 288


def test_cover_of_what_is_no_puzzle(tmp_path: Path) -> None:
    clash = run("cover", "11" + "." * 14)
    assert (clash.exit_code, clash.stdout) == (1, "")
    assert clash.stderr.startswith("sudoku: r1c1 and r1c2 are both 1 (row 1); ")
    assert "nothere: No such file" in refused("cover", "nothere")
    (tmp_path / "two.txt").write_text(f"{GOOD}\n{OTHERWISE}\n")
    assert "has 2 puzzles; give one of them" in refused("cover", str(tmp_path / "two.txt"))
    assert "a page shows up to 2000" in refused("cover", "." * 81, "--html", str(tmp_path / "x"))
    assert "cannot write a file with the suffix '.foo'" in refused("cover", GOOD, "-o", "x.foo")
