"""`sudoku convert`, and `sudoku solve` on long and on odd files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from example_puzzles import CLASH, SOLVED, WIKIPEDIA
from format_examples import CAGES
from sudoku_commands import refused, run

import sudoku
from sudoku import layouts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.txt").write_text(f"# two\n{WIKIPEDIA} {SOLVED} easy\n{WIKIPEDIA}\n")
    return tmp_path


def test_by_suffix_and_by_name(folder: Path) -> None:
    source = str(folder / "in.txt")
    for suffix in ("sdk", "ss", "opensudoku", "csv", "json", "sdm", "txt", "fpuzzles"):
        target = str(folder / f"out.{suffix}")
        assert run("convert", source, "-o", target).exit_code == 0
        back = run("convert", target, "--to", "lines")
        assert back.exit_code == 0
        assert [line[:81] for line in back.stdout.splitlines()] == [WIKIPEDIA] * 2
    assert not [path for path in folder.iterdir() if ".tmp" in path.name]
    result = run("convert", source, "--to", "json")
    first = json.loads(result.stdout.splitlines()[0])
    assert first == {"puzzle": WIKIPEDIA, "solution": SOLVED, "remark": "easy"}
    assert run("convert", source).stdout == f"{WIKIPEDIA} {SOLVED} easy\n{WIKIPEDIA}\n"
    assert run("convert", source, source, "--to", "sdm").stdout.count("\n") == 4
    assert run("convert", stdin=WIKIPEDIA).stdout == f"{WIKIPEDIA}\n"
    assert run("convert", "-", "--from", "lines", stdin=WIKIPEDIA).exit_code == 0
    assert "sudopedia" not in run("convert", "--formats").stdout
    assert "opensudoku" in run("convert", "--formats").stdout


def test_what_is_lost_is_said(folder: Path) -> None:
    result = run("convert", str(folder / "in.txt"), "--to", "sdm")
    assert result.exit_code == 0
    assert result.stdout == f"{WIKIPEDIA.replace('.', '0')}\n" * 2
    assert result.stderr.splitlines() == [
        "sudoku: sdm cannot hold remark: lost for 1 puzzle",
        "sudoku: sdm cannot hold solution: lost for 1 puzzle",
    ]


def test_what_cannot_be_held_is_left_out(folder: Path) -> None:
    path = folder / "killers.txt"
    path.write_text(f"{CAGES}\n{CAGES.replace('15', '99')}\n")
    result = run("convert", str(path), str(folder / "in.txt"), "--to", "rows")
    assert result.exit_code == 2
    assert result.stdout.count("\n") == 19
    first, second = result.stderr.splitlines()[:2]
    assert first == f"sudoku: {path}:1: rows cannot hold a killer layout: skipped"
    result = run("convert", "--to", "lines", "--layout", "anti-knight", "-", stdin=WIKIPEDIA)
    assert "lines cannot hold an anti-knight layout: skipped" in result.stderr
    assert second.startswith(f"sudoku: {path}: line 2: cage r2c1 r3c1 of sum 99")


def test_bad_usage(folder: Path) -> None:
    source = str(folder / "in.txt")
    for arguments, words in (
        (["--to", "jason"], "did you mean json?"),
        (["-o", "x.doc"], "unknown suffix of x.doc"),
        (["-o", str(folder / "none" / "x.sdk")], "none/x.sdk: No such file or directory"),
        (["missing.txt"], "missing.txt: No such file or directory"),
        ([str(folder)], "Is a directory"),
    ):
        result = run("convert", source, *arguments)
        assert result.exit_code == 2
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1
    (folder / "empty").write_text("")
    assert "no puzzles found" in run("convert", str(folder / "empty")).stderr


def test_each_of_several_files_is_told_of(folder: Path) -> None:
    """An empty file is an error of its own; what the others have is written."""
    good, empty, bad = (str(folder / name) for name in ("in.txt", "empty.txt", "bad.txt"))
    (folder / "empty.txt").write_text("# nothing\n")
    (folder / "bad.txt").write_text(f"{WIKIPEDIA[:-1]}\n")
    for order in ([good, empty, bad], [bad, empty, good], [empty, bad, good], [bad, good, empty]):
        result = run("convert", *order)
        assert result.exit_code == 2
        assert result.stdout == f"{WIKIPEDIA} {SOLVED} easy\n{WIKIPEDIA}\n"
        errors = {line.split(": ", 2)[1]: line for line in result.stderr.splitlines()}
        assert list(errors) == [path for path in order if path != good]
        assert errors[empty] == f"sudoku: {empty}: no puzzles found"
        assert "80 characters" in errors[bad]
    target = folder / "out.csv"
    assert run("convert", good, empty, "-o", str(target)).exit_code == 2
    assert target.read_text().count(WIKIPEDIA) == 2


def test_a_file_stays_if_there_is_nothing_to_write(folder: Path) -> None:
    target = folder / "out.csv"
    target.write_text("old")
    (folder / "empty").write_text("")
    (folder / "killer").write_text(CAGES)
    for source in ("empty", "missing", "killer"):
        result = run("convert", str(folder / source), "-o", str(target))
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
        assert target.read_text() == "old"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
@pytest.mark.lengthy
def test_a_failure_leaves_the_old_file(folder: Path, number: int, status: int) -> None:
    """Nothing is written in the place of a file until all of it is there."""
    target = folder / "out.csv"
    target.write_text("old")
    before = set(os.listdir(folder))
    command = [sys.executable, "-P", "-m", "sudoku", "convert", "-", "-o", str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        # Far more than a pipe holds: when all is written, most of it has been read, and the new
        # file has been begun.
        process.stdin.write(f"{WIKIPEDIA}\n".encode() * 50_000)
        process.stdin.flush()
        (begun,) = set(os.listdir(folder)) - before
        assert WIKIPEDIA in (folder / begun).read_text()
        assert target.read_text() == "old"
        process.send_signal(number)
        process.communicate()
    assert process.returncode == status
    assert target.read_text() == "old"
    if number != signal.SIGKILL:
        assert set(os.listdir(folder)) == before


# -- solve ---------------------------------------------------------------------------------------


def test_remarks_stay_on_the_line_of_their_puzzle() -> None:
    """JSON and XML have remarks of many lines; what is solved has a line for each puzzle."""
    remark = f"one\n{WIKIPEDIA}\r\u2028two\ud800"
    result = run("solve", "-", stdin=json.dumps({"puzzle": WIKIPEDIA, "remark": remark}) + "\n")
    assert result.exit_code == 0
    assert result.stdout == f"{SOLVED} one {WIKIPEDIA} two\ufffd\n"
    note = f"one&#10;{WIKIPEDIA}"
    game = f'<opensudoku><game data="{WIKIPEDIA.replace(".", "0")}" note="{note}"/></opensudoku>'
    assert run("solve", "-", stdin=game).stdout == f"{SOLVED} one {WIKIPEDIA}\n"


def test_solve_takes_every_format(folder: Path) -> None:
    source = str(folder / "in.txt")
    for name in ("sdk", "opensudoku", "csv", "json", "candidates", "grid", "hodoku", "fpuzzles"):
        target = str(folder / name)
        assert run("convert", source, "--to", name, "-o", target).exit_code == 0
        result = run("solve", target)
        assert result.exit_code == 0
        assert [line[:81] for line in result.stdout.splitlines()] == [SOLVED] * 2
    marks = "".join(f"{'.' * (int(d) - 1)}{d}{'.' * (9 - int(d))}" for d in SOLVED[:-1])
    (folder / "sukaku").write_text(f"{marks}123456789\n")  # 729 characters, as 27x27 has
    assert run("solve", str(folder / "sukaku")).stdout == f"{SOLVED}\n"
    (folder / "large").write_text("." * 729)
    assert len(run("solve", str(folder / "large")).stdout) == 730
    (folder / "bad.xml").write_text("<opensudoku><game/></opensudoku>")
    assert "bad.xml: line 1: a game without data" in refused("solve", str(folder / "bad.xml"))


@pytest.mark.parametrize("workers", ["1", "3"])
def test_a_long_file_with_bad_lines(folder: Path, workers: str) -> None:
    """Order, numbers and summary, whichever block a bad line is in."""
    lines = [WIKIPEDIA] * 3000
    wrong = {1, 2, 500, 1700, 1701, 2999}
    for number in wrong:
        lines[number - 1] = WIKIPEDIA[:-1]
    lines[999] = CLASH
    lines[1199] = f"{WIKIPEDIA} rest"
    lines[1499:1499] = ["", "# comment"]
    path = folder / "long.txt"
    path.write_text("\n".join(lines))
    result = run("solve", str(path), "--workers", workers)
    assert result.exit_code == 2
    expected = [SOLVED] * 2993
    expected[expected.index(SOLVED) + 1199 - 4] = f"{SOLVED} rest"
    assert result.stdout.splitlines() == expected
    errors = [line.split(":")[2].strip().removeprefix("line ") for line in result.stderr.split("\n")
              if line.startswith("sudoku: ")]  # fmt: skip
    assert errors == ["1", "2", "500", "1000", "1702", "1703", "3001"]
    assert "2994 puzzles: 2993 solved, 1 without solution, 6 unreadable" in result.stderr


def asked_of(kind: str) -> tuple[list[str], str, str]:
    """Options, a question in that format, and its answer."""
    if kind == "lines":
        return [], WIKIPEDIA, SOLVED
    if kind == "json":
        return [], json.dumps({"puzzle": WIKIPEDIA, "layout": {"box": [3, 3]}}), SOLVED
    if kind == "csv":
        return [], f"puzzle,level\n{WIKIPEDIA},easy", SOLVED
    samurai = layouts.samurai()
    solved = next(sudoku.solutions("." * samurai.size, layout=samurai)).line
    asked = solved[:-1] + "."
    if kind == "samurai":
        return ["--layout", "samurai"], asked, solved
    cells = ["#"] * (samurai.height * samurai.width)
    for (row, column), digit in zip(samurai.positions, asked, strict=True):
        cells[(row - 1) * samurai.width + column - 1] = digit
    return [], f"{samurai.height} {samurai.width} {''.join(cells)}", solved


@pytest.mark.parametrize("kind", ["lines", "json", "csv", "samurai", "overlaps"])
@pytest.mark.lengthy
def test_answers_come_while_more_is_waited_for(kind: str) -> None:
    """A program may ask through a pipe, one puzzle at a time, in any format."""
    options, asked, solved = asked_of(kind)
    command = [sys.executable, "-P", "-m", "sudoku", "solve", "-", "--workers", "2", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for count in (1, 1, 5, 300 if kind == "lines" else 3, 1):
            process.stdin.write(f"{asked}\n".encode() * count)
            process.stdin.flush()
            asked = asked.split("\n")[-1]  # a heading comes once
            assert [process.stdout.readline() for _ in range(count)] == [
                f"{solved}\n".encode()
            ] * count
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["solve", "-"], 1),
        (["solve", "--json", "-"], 1),
        (["solve", "--grid", "-"], 14),
        (["count", "-"], 1),
        (["canonical", "-"], 1),
        (["convert", "--to", "lines", "-"], 1),
    ],
)
@pytest.mark.parametrize("boxed", [False, True])
def test_every_command_answers_while_more_is_waited_for(
    options: list[str], lines: int, boxed: bool
) -> None:
    """Also a grid of many lines, with a rule or a blank line after it, and into a pipe."""
    asked = f"{sudoku.parse(WIKIPEDIA)}\n\n" if boxed else f"{WIKIPEDIA}\n"
    command = [sys.executable, "-P", "-m", "sudoku", *options]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(asked.encode())
            process.stdin.flush()
            assert all(process.stdout.readline() for _ in range(lines))
        process.stdin.close()
        assert process.stdout.read() == b""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="Linux tells")
@pytest.mark.lengthy
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Four times the puzzles take as much memory, not four times as much."""
    filled = f"{SOLVED}\n" * 1000  # solved at once: it is reading and writing that is tested
    peaks = []
    for times in (15, 60):
        path = tmp_path / f"{times}.txt"
        path.write_text(filled * times)
        with open(os.devnull, "wb") as nowhere:
            command = [sys.executable, "-P", "-c", CHILD, "solve", str(path), "--workers", "2"]
            done = subprocess.run(
                command, stdout=nowhere, stderr=subprocess.PIPE, check=False, timeout=100
            )
        assert done.returncode == 0
        peaks.append(int(done.stderr.split()[-1]))
    assert peaks[1] < peaks[0] + 3_000  # KiB; the larger file has 3 700 more


CHILD = """
import sys
from sudoku.cli.main import main
status = main()
with open("/proc/self/status") as file:
    print(*[line.split()[1] for line in file if line.startswith("VmHWM")], file=sys.stderr)
sys.exit(status)
"""


FOUR_LINK = (
    "https://sudokupad.app/fpuzzlesN4IgzglgXgpiBcACALAGkSALhTAbOSII6IAhgK6YAWA9gE4IbEZ3n5gyaNEkDmdE"
    "ACaMA2iNAA3UrnIFEARj4QJMAHaNMrGAF90wXYn17tAXXTiDRw5dPmr9m2cQXjr6yacg6agEal1SOIguBCqMGCiIiAASvI"
    "AwgBMzDEJicnRAMxxGSAeptpAA"
)
WIKI_LINK = f"https://www.sudokuwiki.org/sudoku.htm?bd={WIKIPEDIA.replace('.', '0')}"


def test_links_are_arguments() -> None:
    """A puzzle in a link, with its rules; messages have no line."""
    pytest.importorskip("lzstring")
    assert run("solve", WIKI_LINK).stdout == f"{SOLVED}\n"
    both = run("count", FOUR_LINK, WIKI_LINK)
    assert (both.exit_code, both.stdout) == (0, "argument 1: 24\nargument 2: 1\n")
    shown = json.loads(run("count", FOUR_LINK, "--json").stdout)
    assert (shown["layout"], shown["line"]) == ("renban", 1)
    for link, wrong in (
        ("https://sudokupad.app/abc123", "'abc123' is not a puzzle, but perhaps its name on a "),
        ("https://example.com/", "the link contains no puzzle: 'https://example.com/'"),
    ):
        assert refused("hint", link).startswith(f"sudoku: {wrong}")


def test_lint_of_a_missing_file_says_only_that() -> None:
    result = run("lint", "nowhere.txt")
    assert (result.exit_code, result.stderr) == (
        2,
        "sudoku: nowhere.txt: No such file or directory\n",
    )
