"""`benchmarks/native.py`, with shell scripts in place of native programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from native import main, read_programs
from native_rows import FORMATS, Row, Unwritable, families, knuth_text, rows_text

import dlx
from dlx import models

pytestmark = pytest.mark.lengthy  # many processes, for a benchmark

PROGRAMS = """
[one]
families = ["plain", "sudoku"]
input = "knuth"
answer = 'found (\\d+)'

[two]
families = ["plain", "costs"]
input = "knuth"
answer = 'found (\\d+)'
limit = ["first", "{limit}"]
"""


class Folder:
    """A folder with programs, a table of how they are called, and a page for the tables."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table = path.parent / "programs.toml"
        self.page = path.parent / "page.md"
        self.table.write_text(PROGRAMS)
        self.page.write_text("before\n<!-- native: begin --><!-- native: end -->\nafter\n")

    def add(self, name: str, script: str, mode: int = 0o755) -> None:
        path = self.path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(mode)

    def run(self, *arguments: str, row: str = "tiny", family: str = "plain") -> int:
        return main(
            [
                *(str(self.path), "--programs", str(self.table), "--into", str(self.page)),
                *("--families", family, "--rows", row, "--rounds", "1", *arguments),
            ]
        )


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    path = tmp_path / "programs"
    path.mkdir()
    return Folder(path)


def cells(text: str, row: str = "tiny") -> list[str]:
    """The row of a table, without the mark of short rows."""
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {row} ")]
    return [cell.strip() for cell in line.strip("|").split("|")]


Captured = pytest.CaptureFixture[str]
RATIO = r"[\d.e+-]+x"
TIME = r"[\d.]+ (us|ms|s)"


def test_right_answers(folder: Folder, capsys: Captured) -> None:
    folder.add("one", "cat > /dev/null; echo found 32")
    folder.add("two", "echo found 9; echo found 32 >&2")
    assert folder.run() == 0
    found = cells(capsys.readouterr().out)
    assert found[:2] == ["tiny †", "32"]
    assert all(re.fullmatch(TIME, cell) for cell in found[2:4])
    assert all(re.fullmatch(rf"{TIME} \({RATIO}\)", cell) for cell in found[4:6])
    assert re.fullmatch(rf"{RATIO} \((one|two)\)", found[6])
    assert re.fullmatch(RATIO, found[7])
    page = folder.page.read_text()
    assert page.startswith("before\n<!-- native: begin -->\n`benchmarks/native.py ")
    assert page.endswith("<!-- native: end -->\nafter\n")
    assert "| tiny † | 32 |" in page
    assert "geometric mean" in page


def test_a_wrong_answer_is_an_error_and_has_no_part_in_means(
    folder: Folder, capsys: Captured
) -> None:
    folder.add("one", "echo found 33")
    folder.add("two", "echo found 32")
    assert folder.run() == 1
    out = capsys.readouterr().out
    assert cells(out)[4] == "**wrong: 33**"
    assert cells(out)[6].endswith("(two)")
    assert "* one says 33 on tiny, not 32 as its source says" in out
    means = cells(out, "**geometric mean**")
    assert means[4] == ""
    assert means[5].endswith("x of 1")
    assert means[6] == means[5]


def test_ours_is_the_answer_of_rows_without_a_source(folder: Folder, capsys: Captured) -> None:
    folder.add("two", "echo found 9287")
    assert folder.run(row="crew-60", family="costs") == 1
    assert "* two says 9,287 on crew-60, not 9,286 as ours says" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "cell"),
    [
        ("kill -XCPU $$", r"over 7 s \(>[\d.e+-]+x\)"),
        ("kill -KILL $$", r"over 7 s \(>[\d.e+-]+x\)"),
        ("echo 'found (none)'", r"no answer in its output: found \(none\)"),
        (":", r"no answer in its output"),
        ("echo no such option; exit 3", r"crashed \(3\): no such option"),
        ("kill -SEGV $$", r"crashed \(-11\)"),
        ("echo found $(ulimit -t)", r"\*\*wrong: 7\*\*"),  # the limit of CPU seconds
    ],
)
def test_no_answer(folder: Folder, capsys: Captured, script: str, cell: str) -> None:
    folder.add("one", script)
    folder.run("--seconds", "7")
    found = cells(capsys.readouterr().out)
    assert re.fullmatch(cell, found[4])
    if not found[4].startswith("over"):
        assert found[5:] == ["", ""]


def test_over_the_limit_is_a_lower_bound(folder: Folder, capsys: Captured) -> None:
    """Also if an earlier round was within it; a program with an answer is the fastest."""
    once = folder.path.parent / "once"
    folder.add("one", f"test -e {once} && kill -XCPU $$; touch {once}; echo found 32")
    folder.run("--rounds", "2")
    out = capsys.readouterr().out
    found = cells(out)
    assert re.fullmatch(r"over 10 s \(>[\d.e+-]+x\)", found[4])
    assert f"over 10 s ({found[5]})" == found[4]
    assert found[6].startswith(">")
    assert cells(out, "**geometric mean**")[4] == f"{found[5]} of 1"
    folder.add("two", "echo found 32")
    folder.run()
    assert cells(capsys.readouterr().out)[6].endswith("x (two)")


def test_ours_over_the_limit(
    folder: Folder, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratios are upper bounds, and answers are compared among the programs."""
    interpreter = folder.path.parent / "python"
    interpreter.write_text("#!/bin/sh\nkill -XCPU $$\n")
    interpreter.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(interpreter))
    folder.table.write_text(PROGRAMS.replace('["plain", "sudoku"]', '["costs"]'))
    folder.add("one", "echo found 7")
    folder.add("two", "echo found 8")
    assert folder.run("--seconds", "5", row="crew-60", family="costs") == 1
    out = capsys.readouterr().out
    found = cells(out, "crew-60")
    assert found[1:4] == ["7", "over 5 s", "over 5 s"]
    assert re.fullmatch(rf"{TIME} \(<{RATIO}\)", found[4])
    assert found[5] == "**wrong: 8**"
    assert found[6].startswith("<")
    assert "* two says 8 on crew-60, not 7 as one says" in out
    folder.add("one", "kill -XCPU $$")
    folder.add("two", "kill -XCPU $$")
    assert folder.run("--seconds", "5", row="crew-60", family="costs") == 0
    assert cells(capsys.readouterr().out, "crew-60")[4:] == ["over 5 s", "over 5 s", "", ""]


def test_a_file_that_is_not_executable(folder: Folder, capsys: Captured) -> None:
    folder.add("one", "echo found 32", mode=0o644)
    assert folder.run() == 0
    assert cells(capsys.readouterr().out)[4] == "does not start: Permission denied"


def test_missing_programs_and_strange_ones(folder: Folder, capsys: Captured) -> None:
    folder.add("two", "echo found 32")
    folder.add("three", "echo found 32")
    assert folder.run() == 0
    out = capsys.readouterr().out
    assert "Not in the folder: one." in out
    assert "In the folder, but not in the table of programs: three." in out
    assert len(cells(out)) == 7  # no column for `one`


def test_the_current_folder(
    folder: Folder, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.add("one", "echo found 32")
    monkeypatch.chdir(folder.path)
    folder.path = Path()
    assert folder.run() == 0
    assert cells(capsys.readouterr().out)[4].endswith("x)")


@pytest.mark.parametrize("exists", [True, False])
def test_without_programs_only_ours(folder: Folder, capsys: Captured, exists: bool) -> None:
    page = folder.page.read_text()
    if not exists:
        folder.path.rmdir()
    assert folder.run() == 0
    shown = capsys.readouterr()
    assert f"No native program in {folder.path}: only ours is measured." in shown.out
    assert len(cells(shown.out)) == 4
    assert "geometric mean" not in shown.out
    assert "stays as it is" in shown.err
    assert folder.page.read_text() == page


def test_programs_take_turns(folder: Folder) -> None:
    log = folder.path.parent / "log"
    for name in ("one", "two"):
        folder.add(name, f"echo {name} >> {log}; echo found 32")
    folder.run("--rounds", "2")
    assert log.read_text().split() == ["one", "two", "one", "two"]


def test_a_failure_is_not_repeated(folder: Folder) -> None:
    log = folder.path.parent / "log"
    folder.add("one", f"echo one >> {log}; exit 1")
    folder.run("--rounds", "2")
    assert log.read_text().split() == ["one"]


def test_limits(folder: Folder, capsys: Captured) -> None:
    """A program is asked for the first solutions, or cannot do the row."""
    folder.add("one", "echo found 1")
    folder.add("two", 'test "$*" = "first 1" && echo found 1')
    assert folder.run(row="quasigroup-30-first") == 0
    found = cells(capsys.readouterr().out, "quasigroup-30-first")
    assert found[4] == "all solutions only"
    assert found[5].endswith("x)")


def test_sums_of_answers_and_the_path(folder: Folder, capsys: Captured) -> None:
    folder.table.write_text(
        '[many]\nfamilies = ["sudoku"]\ninput = "sudoku"\nanswer = ":([0-9]+):"\nsum = true\n'
        'arguments = ["{file}"]\nexecutable = "other"'
    )
    folder.add("other", r"sed 's/^.\{81\}$/a:1:b/' $1")
    assert folder.run(row="17-clue", family="sudoku") == 0
    assert cells(capsys.readouterr().out, "17-clue")[4].endswith("x)")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("]", "", 1), "(at line 2, column 5)"),
        (lambda text: text.replace("answer", "anwser", 1), "unknown key anwser"),
        (lambda text: text.replace('input = "knuth"', "", 1), "no input"),
        (lambda text: text.replace("knuth", "cnf", 1), "input is one of knuth, rows, sudoku"),
        (lambda text: text.replace("costs", "cost"), "unknown family cost"),
        (lambda text: text.replace("(\\d+)", "\\d+", 1), "answer needs one group"),
    ],
)
def test_mistakes_in_the_table(folder: Folder, change: Callable[[str], str], message: str) -> None:
    folder.table.write_text(change(PROGRAMS))
    with pytest.raises(SystemExit, match=re.escape(message)):
        read_programs(folder.table, folder.path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--families", "colours"], "there is no family 'colours'; there are plain,"),
        (["--rows", "tinny"], "there is no row 'tinny'; there are "),
        (["--lists", "none.txt"], "there is no file none.txt"),
        (["--into", "none.md"], "there is no file none.md"),
        (["--rounds", "0"], "--rounds and --seconds must be at least 1"),
    ],
)
def test_mistakes_on_the_command_line(arguments: list[str], message: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert message in capsys.readouterr().err


def test_a_page_without_a_place(folder: Folder, capsys: Captured) -> None:
    folder.page.write_text("nothing")
    with pytest.raises(SystemExit):
        folder.run()
    assert "has no place for the tables" in capsys.readouterr().err


# -- rows and files ------------------------------------------------------------------------------


def test_the_table_of_the_repository() -> None:
    table = Path(__file__).parents[1] / "benchmarks" / "native_programs.toml"
    assert {"dlx1", "dlx5"} < {program.name for program in read_programs(table, Path("bin"))}


def test_the_rows_of_colors_have_colors() -> None:
    known = families()
    for name in ("plain", "colors"):
        for row in known[name].rows:
            if row.build is not None and not row.heavy:
                options = row.build().options
                colored = any(isinstance(e, dlx.Colored) for option in options for e in option)
                assert colored == (name == "colors"), row.name


def row_of(problem: dlx.Problem) -> Row:
    return Row("row", lambda: problem, None)


def read_back(problem: dlx.Problem, folder: Path) -> dlx.Problem:
    path = folder / "problem"
    path.write_text("".join(f"{line}\n" for line in knuth_text(row_of(problem))), "ascii")
    return dlx.Problem.load(path)


@pytest.mark.parametrize(
    "problem",
    [
        models.queens(6),
        models.langford(7),
        models.word_rectangle(["ab", "ba", "aa", "bab", "aba"], 2, 3),
        models.queen_domination(5, 3),
        models.graceful_labeling(models.wheel_graph(4)),
        models.random_exact_cover(50, 300, 3, seed=1, secondary=10, colors=3),
    ],
    ids=["queens", "langford", "words", "domination", "graceful", "random"],
)
def test_knuths_format(problem: dlx.Problem, tmp_path: Path) -> None:
    """Solutions are the same, option by option, and names are short enough for his programs."""
    copy = read_back(problem, tmp_path)
    found = [problem.index_of(name) for one in problem.solutions(limit=50) for name in one]
    assert found == [name for one in copy.solutions(limit=50) for name in one]
    assert all(len(str(item)) <= 8 for item in copy.items)
    colors = {e.color for option in copy.options for e in option if isinstance(e, dlx.Colored)}
    assert all(len(str(color)) == 1 for color in colors)
    assert list(copy.multiplicities.values()) == list(problem.multiplicities.values())


def test_costs_in_knuths_format(tmp_path: Path) -> None:
    problem = dlx.Problem.from_options([["a", "b"], ["a"], ["b"]], costs=[7, 0, 12])
    assert read_back(problem, tmp_path).costs == (7, 0, 12)


def test_rows_of_numbers() -> None:
    """A secondary item is a primary one with an option of its own."""
    problem = models.queens(6)
    first, *lines = rows_text(row_of(problem))
    items, options = map(int, first.split())
    assert options == len(lines) == len(problem) + len(problem.secondary)
    copy = dlx.Problem.from_options([map(int, line.split()) for line in lines])
    assert set(copy.items) == set(range(items))
    assert copy.count() == problem.count()


def test_what_a_format_cannot_say() -> None:
    colored = dlx.Problem.from_options([["a", dlx.colored("x", 1)]], secondary=["x"])
    with pytest.raises(Unwritable, match="no colors"):
        list(rows_text(row_of(colored)))
    many = [["a", dlx.colored("x", color)] for color in range(93)]
    with pytest.raises(Unwritable, match="over 92 colors"):
        list(knuth_text(row_of(dlx.Problem.from_options(many, secondary=["x"]))))
    open_end = dlx.Problem(["a"], multiplicities={"a": (1, None)})
    with pytest.raises(Unwritable, match="no upper bound"):
        list(knuth_text(row_of(open_end)))
    with pytest.raises(Unwritable, match="no Sudokus"):
        list(FORMATS["sudoku"](row_of(colored)))


def test_lists_of_sudokus(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"# a comment\n{'.' * 81} more\n\n{'1' + '.' * 80}\n")
    (row,) = [row for row in families([path])["sudoku"].rows if row.name == "mine"]
    assert list(FORMATS["sudoku"](row)) == ["." * 81, "1" + "." * 80]
