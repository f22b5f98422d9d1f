"""Standard output is the same whether or not a command shows its progress on a terminal."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from example_puzzles import WIKIPEDIA
from terminals import run_on_terminal

import dlx
from dlx.models import pentominoes, queens

CLASH = "55" + WIKIPEDIA[2:]
EAGER = """
import sys
from dlx.cli import display as cli_display
from sudoku.cli import progress
cli_display.DELAY = cli_display.REDRAWN = progress.DELAY = progress.UPDATE_INTERVAL = 0.0
"""
DLX = f"{EAGER}from dlx.cli.main import main\nsys.exit(main())"
SUDOKU = f"{EAGER}from sudoku.cli.main import main\nsys.exit(main())"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("progress")
    queens(7).dump(folder / "queens.dlx")
    pentominoes(3, 20).dump(folder / "pentominoes.dlx")
    problem = dlx.Problem.from_options(
        [[item] for item in "abcdef" for _ in range(4)], costs=[*range(24)]
    )
    problem.dump(folder / "costs.dlx")
    lines = [f"{WIKIPEDIA} {number}" for number in range(1, 301)]
    lines[200] = CLASH
    (folder / "puzzles.txt").write_text("\n".join(lines) + "\n")
    (folder / "few.txt").write_text(f"{WIKIPEDIA}\n{CLASH}\n" * 2 + "nothing\n")
    return folder


def without_terminal(code: str, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes]:
    command = [sys.executable, "-P", "-c", code, *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120)
    return done.returncode, done.stdout


COMMANDS = [
    (DLX, "solve --all queens.dlx"),
    (DLX, "solve --all --workers 2 queens.dlx"),
    (DLX, "count --engine links pentominoes.dlx"),
    (DLX, "min -k 200 costs.dlx"),
    (SUDOKU, "solve puzzles.txt"),
    (SUDOKU, "solve --workers 2 puzzles.txt"),
    (SUDOKU, "solve --json puzzles.txt"),
    (SUDOKU, "solve --grid puzzles.txt"),
    (SUDOKU, "generate -n 40 --box 2x2 --seed 1"),
    (SUDOKU, "generate -n 4 --box 2x2 --seed 1 --workers 2"),
    (SUDOKU, "lint --no-equivalents puzzles.txt"),
]
WITHOUT_PROGRESS = ["check", "rate", "minimize", "count --limit 1", "canonical", "hint", "convert"]


@pytest.mark.parametrize(("code", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
@pytest.mark.lengthy
def test_output_beside_a_progress_bar(code: str, command: str, files: Path, tmp_path: Path) -> None:
    words = [str(files / word) if "." in word else word for word in command.split()]
    plain = without_terminal(code, *words)
    for out in (tmp_path / "out", None):  # a file, then a pipe
        shown = run_on_terminal(code, *words, out=out)
        assert ("%" in shown.err) or ("best so far" in shown.err), "no progress was shown"
        assert shown.out.splitlines() == plain[1].splitlines()
        assert (shown.status, shown.out) == plain


@pytest.mark.parametrize("command", WITHOUT_PROGRESS)
@pytest.mark.lengthy
def test_output_of_other_commands(command: str, files: Path) -> None:
    words = [*command.split(), str(files / "few.txt")]
    shown = run_on_terminal(SUDOKU, *words)
    assert (shown.status, shown.out) == without_terminal(SUDOKU, *words)


@pytest.mark.lengthy
def test_output_of_a_resumed_search(files: Path, tmp_path: Path) -> None:
    search = ["solve", "--all", str(files / "queens.dlx")]
    journals = [tmp_path / name for name in ("one.db", "two.db", "three.db")]
    assert (
        without_terminal(DLX, *search, "--timeout", "0", "--checkpoint", str(journals[0]))[0] == 3
    )
    for copy in journals[1:]:
        shutil.copy(journals[0], copy)
    plain = without_terminal(DLX, "resume", str(journals[0]))
    for journal, out in zip(journals[1:], (tmp_path / "out", None), strict=True):
        shown = run_on_terminal(DLX, "resume", str(journal), out=out)
        assert "%" in shown.err
        assert (shown.status, shown.out) == plain


def test_messages_stand_whole_above_the_bar(files: Path, tmp_path: Path) -> None:
    shown = run_on_terminal(SUDOKU, "solve", str(files / "puzzles.txt"), out=tmp_path / "out")
    message = f"sudoku: {files / 'puzzles.txt'}:201: r1c1 and r1c2 are both 5"
    assert any(line.startswith(message) for line in re.split(r"[\r\n]", shown.err))


@pytest.mark.lengthy
def test_a_pipeline_on_a_terminal(tmp_path: Path) -> None:
    """Both commands show progress on the same terminal; every puzzle gets its solution."""
    made = without_terminal(SUDOKU, "generate", "-n", "200", "--box", "2x2", "--seed", "5")[1]
    generate = f"{EAGER}from sudoku.cli.main import main\nsys.exit(main({PIPED!r}))"
    pipeline = f"""
import subprocess, sys
first = subprocess.Popen([sys.executable, "-P", "-c", {generate!r}], stdout=subprocess.PIPE)
second = [sys.executable, "-P", "-c", {SUDOKU!r}, "solve", "-"]
done = subprocess.run(second, stdin=first.stdout).returncode
sys.exit(first.wait() or done)
"""
    shown = run_on_terminal(pipeline, out=tmp_path / "out")
    expected = without_terminal(SUDOKU, "solve", "-", stdin=made)
    assert len(expected[1].splitlines()) == 200
    assert (shown.status, shown.out) == expected


PIPED = ["generate", "-n", "200", "--box", "2x2", "--seed", "5"]
