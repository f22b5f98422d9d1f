"""`sudoku solve`, `check`, `count` and `compare`: output, exit statuses, bad input as one line."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from example_puzzles import CLASH, ROWS, SOLVED, WIKIPEDIA
from folders import EXAMPLES
from sudoku_commands import refused, run, spawn
from terminals import Terminal, read_terminal

import sudoku
from sudoku import Grid, parse
from sudoku.cli.main import commands, main


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"# two\n{WIKIPEDIA} easy  one\n\n{SOLVED}\n")
    return path


def test_solve_text() -> None:
    result = run("solve", WIKIPEDIA)
    assert (result.exit_code, result.stdout) == (0, SOLVED + "\n")
    assert result.stderr.startswith("1 puzzle: 1 solved in ")
    assert run("solve", WIKIPEDIA.replace(".", "-").replace("53", "--", 1)).exit_code == 0
    assert run("solve", "-" + "." * 15).exit_code == 0
    assert run("solve", str(parse(WIKIPEDIA))).stdout == SOLVED + "\n"
    assert run("solve", WIKIPEDIA, "--grid").stdout == str(parse(SOLVED)) + "\n"
    assert run("solve", "." * 36, "--box", "3x2").exit_code == 0


def test_solve_file_and_standard_input(file: Path) -> None:
    result = run("solve", str(file))
    assert (result.exit_code, result.stdout) == (0, f"{SOLVED} easy  one\n{SOLVED}\n")
    assert "2 puzzles: 2 solved" in result.stderr
    for arguments in (["solve", "-"], ["solve"]):
        result = run(*arguments, stdin=file.read_text())
        assert (result.exit_code, result.stdout) == (0, f"{SOLVED} easy  one\n{SOLVED}\n")
    result = run("solve", WIKIPEDIA, str(file), "-", stdin=WIKIPEDIA)
    assert result.stdout.count(SOLVED) == 4
    boxed = run("solve", "--grid", str(file)).stdout
    assert boxed.startswith(f"{file}:2: easy  one\n+-------+")


def test_solve_without_solution(file: Path) -> None:
    result = run("solve", CLASH)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("sudoku: r1c1 and r1c2 are both 5 (row 1); ")
    file.write_text(f"{WIKIPEDIA}\n{CLASH}\n{WIKIPEDIA}")
    result = run("solve", str(file))
    assert (result.exit_code, result.stdout) == (1, f"{SOLVED}\n{SOLVED}\n")
    assert f"sudoku: {file}:2: r1c1 and r1c2 are both 5 (row 1)" in result.stderr
    assert "3 puzzles: 2 solved, 1 without solution" in result.stderr


def test_bad_lines_are_reported_and_the_rest_is_solved(file: Path) -> None:
    file.write_text(f"{WIKIPEDIA}\n{WIKIPEDIA[:-1]}\n{CLASH}\n{WIKIPEDIA * 2}\n{WIKIPEDIA}\n")
    result = run("solve", str(file))
    assert (result.exit_code, result.stdout) == (2, f"{SOLVED}\n{SOLVED}\n")
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"sudoku: {file}: line 2: 80 characters; a 9x9 grid has 81")
    assert lines[2].startswith(f"sudoku: {file}: line 4: 162 characters: two puzzles on one line?")
    assert lines[3].startswith("3 puzzles: 2 solved, 1 without solution, 2 unreadable")
    assert len(lines) == 4


def test_solve_json(file: Path) -> None:
    file.write_text(f"{WIKIPEDIA} easy\n{CLASH}\n")
    one, two = map(json.loads, run("solve", "--json", str(file)).stdout.splitlines())
    assert one == {
        "source": str(file),
        "line": 1,
        "puzzle": WIKIPEDIA,
        "layout": "3x3",
        "box": [3, 3],
        "rest": "easy",
        "solution": SOLVED,
        "error": None,
    }
    assert two["solution"] is None
    assert two["error"].startswith("r1c1 and r1c2 are both 5")


def test_timeout() -> None:
    result = run("solve", "--timeout", "0", "." * 81)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "timeout" in result.stderr
    assert run("check", "--timeout", "0", "." * 81).exit_code == 3
    result = run("count", "--timeout", "0.05", "." * 81)
    assert result.exit_code == 3
    assert result.stdout.endswith("+\n")


@pytest.mark.parametrize("engine", ["auto", "links", "python"])
def test_engine(engine: str) -> None:
    assert run("solve", "--engine", engine, WIKIPEDIA).stdout == SOLVED + "\n"


def test_check() -> None:
    result = run("check", WIKIPEDIA)
    assert (result.exit_code, result.stdout) == (0, "valid: exactly one solution\n")
    result = run("check", "." * 81)
    one, other, differences, verdict = result.stdout.splitlines()
    assert (result.exit_code, verdict) == (1, "not unique: more than one solution")
    solutions = [line.removeprefix("solution: ") for line in (one, other)]
    assert all(parse(line).is_solved for line in solutions)
    number = sum(a != b for a, b in zip(*solutions, strict=True))
    assert differences.startswith(f"two differ in {number} cells: r")
    found = json.loads(run("check", "--json", "." * 81).stdout)
    assert found["solutions"] == solutions
    assert len(found["differences"]) == number
    result = run("check", CLASH)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == "r1c1 and r1c2 are both 5 (row 1)"
    assert result.stdout.splitlines()[-1] == "no solution"
    result = run("check", CLASH, WIKIPEDIA)
    assert result.stdout.splitlines()[-1] == "argument 2: valid: exactly one solution"
    found = json.loads(run("check", "--json", CLASH).stdout)
    assert found["kind"] == "no solution"
    assert found["flaws"][0] == "r1c1 and r1c2 are both 5 (row 1)"
    for name in ("puzzles.txt", "puzzles-other-sizes.txt"):
        assert run("check", str(EXAMPLES / name)).exit_code == 0


def test_the_first_solutions(file: Path) -> None:
    """What is cut short says so; one solution is no less than all."""
    every = [grid.line for grid in sudoku.solutions("1...............")]
    assert len(every) == 72
    result = run("solve", "--limit", "72", "1...............")
    assert (result.exit_code, result.stdout.splitlines()) == (0, every)
    result = run("solve", "--limit", "71", "1...............")
    assert (result.exit_code, result.stdout.splitlines()) == (3, every[:-1])
    assert result.stderr.startswith("sudoku: more than 71 solutions\n1 puzzle: 0 solved, 1 stopped")
    file.write_text(f"{WIKIPEDIA} easy\n{CLASH}\n1...............\nx\n")
    result = run("solve", "--limit", "1", str(file))
    assert (result.exit_code, result.stdout.splitlines()) == (2, [f"{SOLVED} easy", every[0]])
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"sudoku: {file}:2: r1c1 and r1c2 are both 5 (row 1)")
    assert lines[1] == f"sudoku: {file}:3: more than 1 solution"
    found = [
        *map(json.loads, run("solve", "--limit", "2", "--json", str(file)).stdout.splitlines())
    ]
    assert [one["solutions"] for one in found] == [[SOLVED], [], every[:2]]
    assert [one["stopped_by"] for one in found] == [None, None, "limit"]
    result = run("solve", "--limit", "9", "--timeout", "0", "." * 81)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("sudoku: stopped by the timeout after 0 solutions\n")
    assert run("solve", "--limit", "1", "--grid", WIKIPEDIA).stdout == f"{parse(SOLVED)}\n"
    assert run("solve", "--limit", "2", "--workers", "2", WIKIPEDIA).exit_code == 2


def test_the_results_of_a_whole_list(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    wrong = SOLVED[:-2] + SOLVED[:-3:-1]
    rows = [f"{WIKIPEDIA},{SOLVED}", f"{WIKIPEDIA},{wrong}", f"{'.' * 81},", f"{CLASH},", "12,"]
    path.write_text("\n".join(["puzzle,solution", *rows]))
    kinds = ["unique", "several", "none", "unknown", "wrong solution", "unreadable"]
    summary = "".join(f"{kind}: {int(kind != 'unknown')}\n" for kind in kinds)
    for workers in ("1", "2"):
        result = run("check", "--summary", "--workers", workers, str(path))
        assert (result.exit_code, result.stdout) == (2, summary)
    assert "line 3: the solution has" in result.stderr
    assert "line 6: 2 characters" in result.stderr
    found = json.loads(run("check", "--summary", "--json", str(path)).stdout)
    assert found == {kind: int(kind != "unknown") for kind in kinds}
    result = run("check", "--csv", "--summary", str(path))
    assert result.stderr.endswith(summary)
    head, *lines = csv.reader(result.stdout.splitlines())
    assert head == ["source", "line", "puzzle", "result"]
    puzzles = [WIKIPEDIA, "", "." * 81, CLASH, ""]
    order = ["unique", "wrong solution", "several", "none", "unreadable"]
    assert lines == [
        [str(path), str(line), puzzle, kind]
        for line, puzzle, kind in zip(range(2, 7), puzzles, order, strict=True)
    ]
    result = run("check", "--summary", "--timeout", "0", "." * 81)
    assert (result.exit_code, "unknown: 1\n" in result.stdout) == (3, True)
    assert run("check", "--csv", "--json", WIKIPEDIA).exit_code == 2
    assert run("check", "--engine", "sat", "--workers", "2", WIKIPEDIA).exit_code == 2


@pytest.mark.parametrize("command", [["count", "--limit", "5"], ["rate"], ["complete"]])
def test_worker_processes(command: list[str], tmp_path: Path) -> None:
    """The same output in the same order, errors too."""
    path = tmp_path / "list.txt"
    path.write_text(f"{WIKIPEDIA}\n{CLASH}\n{'.' * 16}\n{SOLVED} full\nx\n" * 20)
    alone = run(*command, str(path))
    done = spawn(*command, str(path), "--workers", "2")
    assert done.stdout.decode() == alone.stdout
    assert sorted(done.stderr.decode().splitlines()) == sorted(alone.stderr.splitlines())
    assert done.returncode == alone.exit_code == 2


def test_check_without_flaws_but_without_solution() -> None:
    result = run("check", ".12.3.........12")
    assert result.exit_code == 1
    givens = "the givens r1c2=1, r1c3=2, r2c1=3, r4c3=1 and r4c4=2 already leave no solution"
    assert result.stdout == f"{givens}\nno solution\n"
    found = json.loads(run("check", "--json", ".12.3.........12").stdout)
    assert (found["kind"], found["flaws"], found["clash"]) == ("no solution", [], givens)


def test_count(file: Path) -> None:
    assert run("count", WIKIPEDIA).stdout == "1\n"
    assert run("count", "." * 16).stdout == "288\n"
    result = run("count", "--limit", "288", "." * 16)
    assert (result.exit_code, result.stdout) == (0, "288\n")
    result = run("count", "--limit", "287", "." * 16)
    assert (result.exit_code, result.stdout) == (3, "287+\n")
    assert (run("count", CLASH).exit_code, run("count", CLASH).stdout) == (1, "0\n")
    assert run("count", str(file)).stdout == f"{file}:2: 1\n{file}:4: 1\n"
    found = json.loads(run("count", "--json", "--limit", "5", "." * 16).stdout)
    assert [found[key] for key in ("solutions", "exhausted", "stopped_by")] == [5, False, "limit"]


def test_compare() -> None:
    result = run("compare", WIKIPEDIA)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == WIKIPEDIA
    assert lines[1].split() == ["method", "solutions", "nodes", "time"]
    assert [line.split("  ")[0] for line in lines[2:]] == [
        "plain",
        "bitmask",
        "singles_first",
        "fewest_first",
        "dlx, links.py",
        "dlx, kernel",
    ]
    assert "4,632" in lines[2]
    assert "stopped at 100 nodes" in run("compare", "--nodes", "100", WIKIPEDIA).stdout
    assert run("compare", CLASH).exit_code == 1
    assert run("compare", "--nodes", "1", "--timeout", "0", "." * 81).exit_code == 3
    found = json.loads(run("compare", "--json", WIKIPEDIA).stdout)
    assert [row["solutions"] for row in found["methods"]] == [1] * 6


@pytest.mark.parametrize("command", ["solve", "check", "count", "compare"])
class TestBadInput:
    def refused(self, *arguments: str, stdin: str | bytes = "") -> str:
        result = run(*arguments, stdin=stdin)
        assert (result.exit_code, result.stdout) == (2, "")
        errors = [line for line in result.stderr.splitlines() if line.startswith("sudoku: ")]
        assert len(errors) == 1
        assert len(errors[0]) < 450
        return errors[0]

    def test_files(self, command: str, tmp_path: Path) -> None:
        missing = str(tmp_path / "missing.txt")
        assert self.refused(command, missing) == f"sudoku: {missing}: No such file or directory"
        assert self.refused(command, str(tmp_path)) == f"sudoku: {tmp_path}: Is a directory"
        path = tmp_path / "file"
        for content, words in (
            (b"", "no puzzles found"),
            (b"# nothing\n\n-----\n", "no puzzles found"),
            (b"\x7fELF\0\0\1", "line 1: not a text file: it contains a NUL byte"),
            (WIKIPEDIA.encode("utf-16"), "not a text file"),
            (b"caf\xe9" + WIKIPEDIA.encode(), "line 1: not UTF-8 (byte 0xe9 at 4)"),
            (b"5" * 1_000_000, "line 1: more than 65536 characters"),
            (WIKIPEDIA.encode()[:-1], "line 1: 80 characters; a 9x9 grid has 81"),
            (WIKIPEDIA.encode() * 2, "line 1: 162 characters: two puzzles on one line?"),
            (WIKIPEDIA.encode() + b" " + WIKIPEDIA.encode(), "line 1: two puzzles on one line"),
            (WIKIPEDIA.encode().replace(b"8", b"?", 1), "line 1: '?' (character 21)"),
            (
                WIKIPEDIA.encode().replace(b"8", b"A", 1),
                "line 1: 'A' (character 21) is neither a digit nor a blank",
            ),
            (b"<html><body>", "line 1: '<' (character 1)"),
            (b"123456789\n" * 8, "line 1: 8 rows; the grid has 9"),
        ):
            path.write_bytes(content)
            assert words in self.refused(command, str(path))
            assert words in self.refused(command, "-", stdin=content)

    def test_text(self, command: str) -> None:
        assert "80 characters; a 9x9 grid has 81" in self.refused(command, WIKIPEDIA[:-1])
        assert "two puzzles on one line?" in self.refused(command, WIKIPEDIA * 2)
        assert "'?' (character 21)" in self.refused(command, WIKIPEDIA.replace("8", "?", 1))
        assert "25 characters; a 5x5 grid has no usual boxes" in self.refused(command, "." * 25)
        assert self.refused(command, "nonsense").endswith(": No such file or directory")
        assert "not a puzzle either: 5 characters; a 9x9" in self.refused(command, "12345")
        assert "6x6 grid has 36" in self.refused(command, WIKIPEDIA, "--box", "2x3")

    def test_options(self, command: str) -> None:
        for box in ("3", "3x", "0x3", "7x7", "axb", "-1x3", "3x3x3", "9" * 99 + "x1"):
            assert "--box" in self.refused(command, WIKIPEDIA, f"--box={box}")
        assert "--timeout" in self.refused(command, WIKIPEDIA, "--timeout", "-1")
        assert "--colour" in self.refused(command, WIKIPEDIA, "--colour")
        if command != "compare":
            assert "'--engine': 'steam'" in self.refused(command, WIKIPEDIA, "--engine", "steam")
        two = self.refused(command, WIKIPEDIA, "--box", "2x3", "--box", "3x3")
        assert "'2x3+3x3' has 2 grids" in two
        if command != "check":
            assert "--limit" in self.refused(command, WIKIPEDIA, "--limit", "-1")


def test_help_and_version() -> None:
    assert "compare" in run("--help").stdout
    assert "--timeout" in run("solve", "--help").stdout
    assert run("--version").exit_code == 0
    assert run().exit_code == 2
    assert run("dance").exit_code == 2


@pytest.mark.parametrize("workers", ["1", "2", "5"])
def test_workers(file: Path, workers: str) -> None:
    """Everything comes out as it stands in the file: what is solved, and what is wrong."""
    block = f"{WIKIPEDIA}\n{CLASH}\n{WIKIPEDIA[:-1]}\n1{'.' * 15}\n{WIKIPEDIA} easy\n"
    file.write_text(block * 40)
    result = run("solve", str(file), "--workers", workers)
    assert result.exit_code == 2
    assert result.stdout == f"{SOLVED}\n1234341221434321\n{SOLVED} easy\n" * 40
    places = re.findall(rf"sudoku: {file}:(?: line )?(\d+): ", result.stderr)
    assert list(map(int, places)) == [5 * n + line for n in range(40) for line in (2, 3)]
    assert "160 puzzles: 120 solved, 40 without solution, 40 unreadable" in result.stderr
    for wrong in ("0", "1025", "x"):
        assert run("solve", WIKIPEDIA, "--workers", wrong).exit_code == 2
    assert run("solve", WIKIPEDIA, "--workers", "2", "--engine", "python").exit_code == 2


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_long_plain_files_and_what_follows(file: Path, end: str) -> None:
    """Read by the block until something else comes, with the lines numbered all along."""
    zero, dash = WIKIPEDIA.replace(".", "0"), WIKIPEDIA.replace(".", "-")
    lines = ["# a comment", *[WIKIPEDIA, zero, dash] * 1000, CLASH, "", "# more", f"{zero} rest"]
    lines += ["1234", "3412", "2143", "...."]
    file.write_bytes((end.join([*lines, WIKIPEDIA])).encode())
    result = run("solve", str(file))
    assert result.exit_code == 1
    assert result.stdout == f"{SOLVED}\n" * 3000 + f"{SOLVED} rest\n1234341221434321\n{SOLVED}\n"
    assert f"{file}:3002: r1c1 and r1c2 are both 5" in result.stderr
    assert "3004 puzzles: 3003 solved, 1 without solution" in result.stderr


@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_in_a_list_of_puzzles(as_json: bool) -> None:
    """What was solved is printed; the rest never comes.

    The command waits for more with some lots read and not yet printed: at most the two before.
    """
    command = [sys.executable, "-P", "-m", "sudoku", "solve", "-", "--workers", "2"]
    command += ["--json"] * as_json
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(f"{WIKIPEDIA}\n".encode() * 500)
        process.stdin.flush()
        shown = b"".join(process.stdout.readline() for _ in range(30))
        process.send_signal(signal.SIGINT)
        shown += process.stdout.read()
        errors = process.stderr.read()
    assert process.returncode == 130
    assert errors == b"sudoku: interrupted\n"
    lines = shown.decode().splitlines(keepends=True)
    assert 30 <= len(lines) <= 500
    found = [json.loads(line)["solution"] for line in lines] if as_json else shown.decode().split()
    assert set(found) == {SOLVED}


UNHURRIED = """
import sys
from sudoku.cli import progress
from sudoku.cli.main import main
progress.LONG = float("inf")
sys.exit(main())
"""


def bars(file: Path) -> str:
    """What a terminal that is standard error shows, and standard output is not.

    However long it takes: only the number of puzzles counts.
    """
    lead, follow = pty.openpty()
    command = [sys.executable, "-P", "-c", UNHURRIED, "solve", str(file)]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=follow, stdin=follow, env=environment
    ):
        os.close(follow)
        output = read_terminal(lead)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", output.decode())


@pytest.mark.lengthy
def test_progress(file: Path) -> None:
    file.write_text(f"{WIKIPEDIA}\n" * 1500 + f"{CLASH}\n" + f"{WIKIPEDIA}\n" * 1500)
    shown = bars(file)
    assert re.search(r"\d,\d\d\d puzzles, [\d,]+ a second", shown)
    assert "%" in shown
    assert f"sudoku: {file}:1501: r1c1 and r1c2 are both 5" in shown
    assert "3001 puzzles: 3000 solved, 1 without solution" in shown
    file.write_text(f"{WIKIPEDIA}\n" * 20)
    assert "%" not in bars(file)


@pytest.mark.lengthy
def test_as_a_program(file: Path) -> None:
    result = spawn("solve", str(file))
    assert (result.returncode, result.stdout.decode()) == (0, f"{SOLVED} easy  one\n{SOLVED}\n")
    assert spawn("solve", CLASH).returncode == 1
    assert spawn("check", CLASH).returncode == 1
    result = spawn("solve", "-", stdin=b"\xff\xfe")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.count(b"\n") == 1
    assert b"Traceback" not in result.stderr
    assert spawn("solve", "--timeout", "0", "." * 81).returncode == 3
    file.write_text(f"{WIKIPEDIA} caf\u00e9\n")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-P", "-m", "sudoku", "solve", str(file)]
    printed = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    assert printed == f"{SOLVED} caf\\xe9\n".encode()


def test_interrupt() -> None:
    command = [sys.executable, "-P", "-m", "sudoku", "count", "." * 16, "." * 81]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"argument 1: 288\n"  # now it counts the grids of side 9
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == b"sudoku: interrupted"
    assert b"Traceback" not in errors


@pytest.mark.lengthy
def test_a_reader_that_goes_away(file: Path) -> None:
    file.write_text(f"{WIKIPEDIA}\n" * 5000)
    for command in ("solve", "count"):
        arguments = [sys.executable, "-P", "-m", "sudoku", command, str(file)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 141


def test_on_a_terminal(file: Path) -> None:
    lead, follow = pty.openpty()
    command = [sys.executable, "-P", "-m", "sudoku", "solve", str(file)]
    environment = os.environ | {"TERM": "xterm-256color"}
    with subprocess.Popen(
        command, stdout=follow, stderr=subprocess.DEVNULL, stdin=follow, env=environment
    ) as process:
        os.close(follow)
        output = read_terminal(lead)
    assert process.returncode == 0
    shown = output.decode()
    assert f"{file}:2: easy  one" in shown
    assert "\x1b[" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r\n", "\n")
    assert plain.count(str(parse(SOLVED)) + "\n") == 2


def test_an_empty_argument_is_no_file() -> None:
    """A variable of the shell that is not set."""
    for command in ("solve", "check", "count", "lint", "canonical"):
        assert "sudoku: '': No such file or directory" in refused(command, "")


@pytest.mark.parametrize(
    ("redirected", "message"),
    [
        ("solve >&-", "standard output is closed"),
        ("generate >&-", "standard output is closed"),
        ("solve - <&-", "standard input: no puzzles found"),
        ("convert - <&-", "standard input: no puzzles found"),
        ("lint <&-", "standard input: no puzzles found"),
    ],
)
def test_closed_streams(redirected: str, message: str) -> None:
    """A shell may give a command no standard input or output at all."""
    command = f'"{sys.executable}" -P -m sudoku {redirected}'
    result = subprocess.run(command, shell=True, capture_output=True, check=False, timeout=60)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode().splitlines()[0] == f"sudoku: {message}"


# -- Characters that a terminal or a parser of XML would obey: escaped by every command ----------


HOSTILE = ("\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\u202e", "\u2066", "\u200e", "\x7f", "\x85")
COMMANDS = [
    *sorted(set(commands.commands) - {"generate", "serve", "convert"}),
    "solve --json", "solve --grid", "show --json", "show --candidates", "show --solved",
    "hint --stages", "rate --techniques", "convert", "convert --to json", "convert --to csv",
]  # fmt: skip


def files(folder: Path, text: str) -> list[Path]:
    """Files with puzzles, and with errors, that have the text in all places where it can be."""
    contents = {
        "lines": f"{WIKIPEDIA} {SOLVED} a{text}b\n{WIKIPEDIA}\tc{text}d\n",
        "bad": f"{WIKIPEDIA[:80]} {text}\n{text}\n5{text}\n",
        "csv": f'puzzle,remark,"ti{text}tle"\n{WIKIPEDIA},"a{text}b",c{text}d\n',
        "sdk": f"#A a{text}b\n#D c{text}d\n" + "".join(f"{row}\n" for row in ROWS),
        f"name{text}": f"{WIKIPEDIA} easy\nx\n",
    }
    for name, content in contents.items():
        (folder / name).write_text(content)
    return [folder / name for name in contents] + [folder / f"none{text}"]


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_escapes(
    command: str,
    terminal: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    for text in HOSTILE[:: 1 if command in ("solve", "show") else 3]:
        paths = list(map(str, files(tmp_path, text)))
        for path in paths:
            out = Terminal()
            with monkeypatch.context() as patch:
                if terminal:
                    patch.setattr(sys, "stdout", out)
                assert main([*command.split(), path]) in (0, 1, 2)
            captured = capsys.readouterr()
            printed = captured.err + out.getvalue()
            if terminal or not command.startswith("convert"):  # which writes files exactly
                printed += captured.out
            assert [c for c in printed if not (c.isprintable() or c in "\n\t")] == []


def test_a_tab_of_a_remark_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").write_text(f"{WIKIPEDIA} 1\t2\x1b[0m\n")
    for command in ("solve", "minimize"):
        assert main([command, str(tmp_path / "in")]) == 0
        assert capsys.readouterr().out.endswith(" 1\t2\\x1b[0m\n")


@pytest.mark.parametrize("text", [*HOSTILE, "\0", "\ufffe", "\ud800", "a<b & c"])
def test_a_caption_leaves_the_picture_well_formed(text: str) -> None:
    picture = Grid(WIKIPEDIA).to_svg(caption=text)
    words = "".join(ElementTree.fromstring(picture).itertext())
    assert words.replace("\n", "").isprintable()
