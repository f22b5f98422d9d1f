"""The `dlx` command: what it prints, its exit statuses, and bad input as one line."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import IO
from unittest.mock import Mock

import pytest
from commands import Run

import dlx
from dlx.cli import display as cli_display
from dlx.cli import minimum as cli_minimum
from dlx.cli import solve as cli_search
from dlx.cli.main import main
from dlx.models import dominoes, queens

COLORS = """\
| TAOCP 7.2.2.1, (49)
p q r | x y
p q x y:A
| a comment in the middle
p r x:A y
p x:B
q x:A
r y:B
"""

# Two options for a, then three for c, after each of which b has three that are dead ends. Once that
# is known, "weighted" tries b before c.
DEAD_ENDS = "a c b z | x\n" + "a\n" * 2 + "c\n" * 3 + "b x\n" * 3 + "z x\n" * 4

CHOICES = "a b\na\nb\na b\nb\n"  # three solutions


def written(path: Path, text: str) -> str:
    """The name of the file, after writing the text into it."""
    path.write_text(text)
    return str(path)


@pytest.fixture
def colors(tmp_path: Path) -> str:
    return written(tmp_path / "colors.dlx", COLORS)


@pytest.fixture
def choices(tmp_path: Path) -> str:
    return written(tmp_path / "choices.dlx", CHOICES)


@pytest.fixture
def dead_ends(tmp_path: Path) -> str:
    return written(tmp_path / "dead ends.dlx", DEAD_ENDS)


@pytest.fixture
def endless(tmp_path: Path) -> str:
    """More solutions than a test can wait for, and too intertwined to be counted at once."""
    path = tmp_path / "endless.dlx"
    dominoes(50, 50).dump(path)
    return str(path)


class TestSolve:
    def test_first(self, colors: str, run: Run) -> None:
        out, err = run("solve", colors)
        assert out == "solution 1:\n  3: q x:A\n  1: p r x:A y\n"
        assert err.startswith("1 solution, 4 nodes, ")

    def test_more_is_not_hidden(self, choices: str, run: Run) -> None:
        assert run("solve", choices).err.endswith("there may be more\n")

    def test_all(self, choices: str, run: Run) -> None:
        out, err = run("solve", "--all", choices)
        assert out.count("solution") == 3
        assert "more" not in err

    def test_limit(self, choices: str, run: Run) -> None:
        assert run("solve", "--limit", "2", choices).out.count("solution") == 2

    def test_json(self, choices: str, run: Run) -> None:
        *found, end = map(json.loads, run("solve", "--all", "--json", choices).out.splitlines())
        assert [solution["options"] for solution in found] == [[0, 1], [0, 3], [2]]
        assert found[2]["items"] == [["a", "b"]]
        assert (end["solutions"], end["exhausted"]) == (3, True)

    @pytest.mark.parametrize("given", ["2", "b a"])
    def test_given(self, choices: str, given: str, run: Run) -> None:
        assert run("solve", "--all", "--given", given, choices).out == "solution 1:\n  2: a b\n"

    def test_seed(self, choices: str, run: Run) -> None:
        orders = set()
        for seed in range(10):
            *found, _ = map(
                json.loads,
                run("solve", "--all", "--json", "--seed", str(seed), choices).out.splitlines(),
            )
            orders.add(tuple(tuple(sorted(solution["options"])) for solution in found))
        assert len(orders) > 1
        assert {frozenset(order) for order in orders} == {frozenset({(0, 1), (0, 3), (2,)})}

    def test_timeout(self, endless: str, run: Run) -> None:
        assert "timeout" in run("solve", "--limit", "9", "--timeout", "0", endless, status=3).err

    def test_no_solution(self, tmp_path: Path, run: Run) -> None:
        path = tmp_path / "none.dlx"
        path.write_text("a b\na\n")
        assert run("solve", str(path), status=1).err.startswith("no solutions, 1 node, ")

    @pytest.mark.parametrize(("heuristic", "nodes"), [("mrv", 27), ("weighted", 18)])
    @pytest.mark.parametrize("engine", ["links", "python"])
    def test_heuristic(
        self, dead_ends: str, heuristic: str, nodes: int, engine: str, run: Run
    ) -> None:
        assert run(
            "solve", "--heuristic", heuristic, "--engine", engine, dead_ends, status=1
        ).err.startswith(f"no solutions, {nodes} nodes")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--timeout", "x"], "Invalid value for '--timeout': 'x' is not a number."),
        (["--limit", "1.5"], "Invalid value for '--limit': '1.5' is not an integer."),
        (["--seed", "x"], "Invalid value for '--seed': 'x' is not an integer."),
    ],
)
def test_wrong_numbers(words: list[str], message: str, run: Run) -> None:
    assert run("solve", "x.dlx", *words, status=2).err == f"dlx: {message}\n"


class TestNames:
    """Options with names in the file: texts are printed, and --given and --forbid take them."""

    @pytest.fixture(params=["x.json", "x.dlx"])
    def named(self, request: pytest.FixtureRequest, tmp_path: Path) -> str:
        options = {"red": ["a"], ("b", 1): ["b"], "two\nlines": ["a", "b"]}
        path = tmp_path / request.param
        dlx.Problem.from_options(options).dump(path)
        return str(path)

    def test_solutions(self, named: str, run: Run) -> None:
        lines = run("solve", "--all", named).out.splitlines()
        first = ["solution 1:", "  red: a", "  1: b"]
        assert lines == [*first, "solution 2:", "  2: a b"]
        assert "  red: a\n  1: b\n" in run("min", named).out
        found = json.loads(run("solve", "--json", named).out.splitlines()[0])
        assert (found["options"], found["names"]) == ([0, 1], ["red", ["b", 1]])

    def test_min_reads_each_option_once(
        self, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "board.json"
        board = dominoes(6, 6)
        board.dump(path)
        reads, writes = Mock(wraps=cli_minimum.named_option), Mock(wraps=cli_minimum.click.echo)
        monkeypatch.setattr(cli_minimum, "named_option", reads)
        monkeypatch.setattr(cli_minimum.click, "echo", writes)
        assert run("min", "-k", "200", str(path)).out.count("\n") == 200 * 19
        assert reads.call_count <= len(board)
        assert writes.call_count <= 202

    @pytest.mark.parametrize("given", ["red", "0", "1", "b", "a"])
    @pytest.mark.parametrize("flag", ["--given", "--forbid"])
    def test_given(self, named: str, flag: str, given: str, run: Run) -> None:
        out = run("solve", "--all", flag, given, named).out
        assert ("red: a" in out) == (flag == "--given")
        assert ("2: a b" in out) == (flag == "--forbid")

    def test_conversion_keeps_every_name(self, named: str, run: Run) -> None:
        names = [
            option["name"]
            for option in json.loads(run("convert", "--to", "json", named, "-").out)["options"]
        ]
        assert names == ["red", ["b", 1], "two\nlines"]

    def test_models_are_printed_by_number(self, tmp_path: Path, run: Run) -> None:
        """Their names are tuples of the items."""
        path = tmp_path / "board.dlx"
        dominoes(2, 2).dump(path)
        first = run("solve", "--quiet", str(path)).out.splitlines()[1]
        assert first.split(":")[0].strip().isdecimal()
        found = json.loads(run("solve", "--json", str(path)).out.splitlines()[0])
        board = dlx.Problem.load(path)
        names = [board.names[number] for number in found["options"]]
        assert [tuple(map(tuple, name)) for name in found["names"]] == names

    @pytest.mark.parametrize("command", ["solve", "min"])
    def test_json_loses_nothing(self, command: str, tmp_path: Path, run: Run) -> None:
        """Names and items are written as in a file: read as options, they are those of it."""
        problem = dlx.Problem(["p", ("row", 0), 1, "1"], ["x"], multiplicities={"p": (2, 2)})
        problem.add_option([("row", 0), dlx.colored("x", ("A", 1))], name=("two", (2,)))
        problem.add_option([dlx.times("p", 2), dlx.colored("x", ("A", 1))])
        problem.add_option([1], name="one")
        problem.add_option(["1"], name=7)
        path = tmp_path / "all.json"
        problem.dump(path)
        found = json.loads(run(command, "--json", str(path)).out.splitlines()[0])
        rows = zip(found["options"], found["names"], found["items"], strict=True)
        options = [
            {"items": items} | ({} if name == number else {"name": name})
            for number, name, items in sorted(rows)
        ]
        assert options == json.loads(path.read_text())["options"]

    def test_symmetries(self, named: str, run: Run) -> None:
        assert json.loads(run("symmetries", "--json", "--forbid", "red", named).out)["order"] == 1
        found = json.loads(run("symmetries", "--json", named).out)
        assert sorted(map(sorted, found["option_orbits"])) == [[0, 1], [2]]
        assert found["generators"][0]["options"] == [[0, 1], [1, 0]]
        assert found["names"] == ["red", ["b", 1], "two\nlines"]
        out = run("symmetries", named).out
        assert "  orbit of 2 options: red 1\n" in out
        assert "  options: (red 1)\n" in out

    def test_trace(self, named: str, tmp_path: Path, run: Run) -> None:
        svg = tmp_path / "tree.svg"
        lines = run("trace", named).out.splitlines()
        assert [line for line in lines if "try" in line][:2] == [
            "  try option red: a",
            "    try option 1: b",
        ]
        assert main(["trace", "--svg", str(svg), named]) == 0
        assert "<title>red</title>" in svg.read_text()

    def test_reduction(self, tmp_path: Path, run: Run) -> None:
        options = {"red": ["a"], ("b", 1): ["b"], "blocked": ["a", "c"], 3: ["c", "d"]}
        path, places = tmp_path / "x.json", tmp_path / "map.json"
        dlx.Problem.from_options(options).dump(path)
        left = dlx.Problem.load(io.StringIO(run("reduce", str(path), "--map", str(places)).out))
        assert list(left.names) == ["red", ("b", 1), 3]
        facts = json.loads(places.read_text())
        assert (facts["options"], facts["names"]) == ([0, 1, 3], ["red", ["b", 1], 3])
        assert facts["blocked"] == [[2, "d"]]

    def test_no_such_name(self, named: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["count", "--given", "rad", named]) == 2
        wrong = (
            "dlx: --given: no option has the name or exactly the items 'rad'; did you mean 'red'?\n"
        )
        assert capsys.readouterr().err == wrong

    def test_explanation(self, named: str, run: Run) -> None:
        assert (
            "the given option 'red'"
            in run("explain", "--given", "red", "--forbid", "1", named, status=1).out
        )


class TestCount:
    def test_all(self, choices: str, run: Run) -> None:
        assert run("count", choices).out == "3\n"

    def test_stdin(self, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CHOICES.encode())))
        assert json.loads(run("count", "--json", "-").out) == {
            "solutions": 3,
            "exhausted": True,
            "stopped_by": None,
        }

    def test_limit(self, choices: str, run: Run) -> None:
        out, err = run("count", "--limit", "2", choices, status=3)
        assert out == "2\n"
        assert "there may be more" in err

    @pytest.mark.parametrize("engine", ["auto", "links", "python"])
    def test_timeout(self, endless: str, engine: str, run: Run) -> None:
        out, err = run(
            "count", "--json", "--timeout", "0.02", "--engine", engine, endless, status=3
        )
        assert (json.loads(out)["exhausted"], json.loads(out)["stopped_by"]) == (False, "timeout")
        assert "cut short by its timeout" in err

    def test_heuristic(self, choices: str, run: Run) -> None:
        assert run("count", "--heuristic", "weighted", choices).out == "3\n"


class TestInfo:
    def test_text(self, colors: str, run: Run) -> None:
        out = run("info", colors).out
        assert "primary items: 3\nsecondary items: 2\noptions: 5\nentries: 14\ncolors: 2\n" in out
        assert out.endswith("warnings: none\n")

    def test_problems(self, tmp_path: Path, run: Run) -> None:
        path = tmp_path / "odd.dlx"
        path.write_text("a b c | x\na b\nb a\n")
        assert json.loads(run("info", "--json", str(path)).out)["warnings"] == [
            "no option contains the primary item 'c': there is no solution",
            "no option contains the secondary item 'x'",
            "options 0 and 1 have the same items",
        ]

    def test_the_text_has_the_first_ten_warnings(self, tmp_path: Path, run: Run) -> None:
        path = tmp_path / "many.dlx"
        path.write_text("a\n" + "a\n" * 13)
        out = run("info", str(path)).out
        assert out.endswith("; options 0 and 10 have the same items; 2 more\n")
        assert len(json.loads(run("info", "--json", str(path)).out)["warnings"]) == 12


class TestTrace:
    def test_steps(self, choices: str, run: Run) -> None:
        lines = run("trace", choices).out.splitlines()
        assert lines[:5] == [
            "level 0: item a (2 options)",
            "  try option 0: a",
            "  level 1: item b (2 options)",
            "    try option 1: b",
            "    solution!",
        ]

    @pytest.mark.parametrize(("heuristic", "nodes"), [("mrv", 27), ("weighted", 18)])
    def test_heuristic(self, dead_ends: str, heuristic: str, nodes: int, run: Run) -> None:
        assert run("trace", "--heuristic", heuristic, dead_ends, status=1).err.startswith(
            f"no solutions, {nodes} nodes"
        )

    def test_stopped(self, choices: str, run: Run) -> None:
        out, err = run("trace", "--steps", "2", choices, status=3)
        assert len(out.splitlines()) == 2
        assert "use --steps for more" in err


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "there is no line that names the items"),
            ("a b\na z\n", "line 2: option 0: item 'z' was not declared"),
            ("a b\n\n| note\na a\n", "line 4: option 0 contains item 'a' twice"),
            ("3:2|a b\na\n", "line 1: item 'a': low is 3 and high 2"),
            ("a b\na b |x\n", "line 2: '|x' should be a cost"),
            ("a | x\na:R x\n", "line 2: option 0 gives the primary item 'a' a color"),
            ("a | x\nx\n", "line 2: option 0 has no primary item"),
            ("a\nq", "line 2: option 0: item 'q' was not declared"),
            ("a\n" + "q" * 10**6, "line 2: option 0: item 'qqq"),
            ("a\0b\na\n", "line 1: a null character"),
        ],
    )
    @pytest.mark.parametrize("command", ["solve", "count", "info", "trace"])
    def test_file(self, tmp_path: Path, command: str, text: str, message: str, run: Run) -> None:
        path = tmp_path / "bad.dlx"
        path.write_text(text)
        out, err = run(command, str(path), status=2)
        assert out == ""
        assert err.startswith(f"dlx: {path}")
        assert message in err
        assert err.count("\n") == 1
        assert len(err) < 400

    def test_latin_1(self, tmp_path: Path, run: Run) -> None:
        path = tmp_path / "latin.dlx"
        path.write_bytes(b"a\xe9 b\n")
        assert "not UTF-8 text" in run("count", str(path), status=2).err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["solve", "/nowhere/at all"], "dlx: /nowhere/at all: No such file"),
            (["solve", "/"], "dlx: /: Is a directory"),
            (["frobnicate"], "No such command 'frobnicate'"),
            (["count"], "Missing argument 'FILE'"),
            (["count", "--engine", "steam", "-"], "'steam' is not one of"),
            (["count", "--heuristic", "luck", "-"], "'luck' is not one of"),
            (["count", "--timeout", "-1", "-"], "is not in the range"),
            (["solve", "--all", "--limit", "3", "-"], "cannot be used together"),
        ],
    )
    def test_arguments(self, arguments: list[str], message: str, run: Run) -> None:
        err = run(*arguments, status=2).err
        assert message in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize("command", ["solve", "count"])
    def test_too_large_for_the_engine(self, tmp_path: Path, command: str, run: Run) -> None:
        path = tmp_path / "large.dlx"
        path.write_text("a b\n" + "a\nb\n" * 15_000)
        out, err = run(command, "--engine", "bits", str(path), status=2)
        assert out == ""
        assert err.startswith("dlx: --engine bits would need tables of 1")
        assert "the limit is 67 MB" in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (["7"], "there is no option 7; the problem has 4 options"),
            (["7" * 5000], f"there is no option {'7' * 57}...; the problem has 4 options"),
            (["a c"], "--given: no option has the name or exactly the items 'a c'"),
            (["0", "2"], "the given options 0 and 2 clash: both contain item 'a'"),
            (["0", "0"], "option 0 is given twice"),
        ],
    )
    def test_given(self, choices: str, given: list[str], message: str, run: Run) -> None:
        arguments = [word for name in given for word in ("--given", name)]
        assert run("solve", *arguments, choices, status=2).err == f"dlx: {message}\n"


class TestProcess:
    """The command as a process of its own."""

    command = (sys.executable, "-P", "-m", "dlx")  # -P: not the source tree

    def test_version(self) -> None:
        done = subprocess.run([*self.command, "--version"], capture_output=True, text=True)
        assert done.returncode == 0
        assert "dlx, version " in done.stdout

    def test_console_script(self, choices: str) -> None:
        script = Path(sys.executable).with_name("dlx")
        done = subprocess.run([script, "count", choices], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "3\n")

    @contextmanager
    def solving(self, path: str) -> Iterator[tuple[subprocess.Popen[str], IO[str], IO[str]]]:
        """The process that prints the solutions, its standard output and its standard error."""
        words = [*self.command, "solve", "--all", "--quiet", path]
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            yield process, process.stdout, process.stderr

    def test_interrupt(self, endless: str) -> None:
        """Ctrl-C ends the command with status 130 and without a traceback."""
        with self.solving(endless) as (process, stdout, stderr):
            assert stdout.readline() == "solution 1:\n"  # it is under way
            process.send_signal(signal.SIGINT)
            stdout.read()
            assert stderr.read() == "dlx: interrupted\n"
        assert process.returncode == 130

    @pytest.mark.parametrize(
        ("closed", "path", "status", "out", "said"),
        [
            (
                ">&-",
                "choices",
                2,
                "",
                "dlx: standard output is closed\n",
            ),
            ("<&-", "-", 2, "", "there is no line that names the items\n"),
            ("2>&-", "choices", 0, "3\n", ""),
            ("2>&-", "nofile", 2, "", ""),
            ("<&- >&- 2>&-", "choices", 2, "", ""),
        ],
    )
    def test_streams_that_are_closed_from_the_start(
        self, choices: str, closed: str, path: str, status: int, out: str, said: str
    ) -> None:
        words = [*self.command, "count", choices if path == "choices" else path]
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *words], capture_output=True, text=True
        )
        assert (done.returncode, done.stdout) == (status, out)
        assert done.stderr.endswith(said)
        assert done.stderr.count("\n") == bool(said)

    def test_closed_pipe(self, endless: str) -> None:
        """A reader that goes away ends the command quietly."""
        with self.solving(endless) as (process, stdout, stderr):
            stdout.readline()
            stdout.close()
            assert stderr.read() == ""
        assert process.returncode == 141


def test_dump_and_count(tmp_path: Path, run: Run) -> None:
    """A problem built in Python and written to a file is the same problem for the command."""
    problem = dlx.Problem.from_options([["a", "b"], ["c"], ["b", "c"], ["a"]])
    path = tmp_path / "dumped.dlx"
    problem.dump(path)
    assert run("count", os.fspath(path)).out == f"{problem.count()}\n"


class SlowTerminal:
    """A clock on which nothing takes time but printing: a second a solution."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(cli_search, "time", SimpleNamespace(monotonic=lambda: self.now))
        echo = cli_display.Display.echo

        def echo_slowly(display: cli_display.Display, text: str) -> None:
            self.now += 1.0
            echo(display, text)

        monkeypatch.setattr(cli_display.Display, "echo", echo_slowly)


@pytest.fixture
def eight_queens(tmp_path: Path) -> str:
    """A problem with 92 solutions."""
    queens(8).dump(tmp_path / "queens.dlx")
    return str(tmp_path / "queens.dlx")


@pytest.mark.parametrize("options", [[], ["--workers", "2"], ["--engine", "python"]])
def test_a_timeout_counts_the_time_of_printing(
    options: list[str], eight_queens: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search itself takes next to nothing, and could go on for most of the timeout."""
    SlowTerminal(monkeypatch)
    arguments = ["solve", "--all", "--json", "--timeout", "60", eight_queens, *options]
    *solutions, end = map(json.loads, run(*arguments, status=3).out.splitlines())
    assert len(solutions) == end["solutions"] == 60
    assert (end["exhausted"], end["stopped_by"]) == (False, "timeout")


@pytest.mark.parametrize(("limit", "status"), [(59, 0), (60, 0), (61, 3)])
def test_a_limit_reached_in_time_is_no_timeout(
    limit: int, status: int, eight_queens: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    SlowTerminal(monkeypatch)
    end = json.loads(
        run(
            "solve", "--limit", str(limit), "--json", "--timeout", "60", eight_queens, status=status
        ).out.splitlines()[-1]
    )
    assert end["stopped_by"] == ("limit" if status == 0 else "timeout")


def test_a_resumed_search_counts_the_time_of_printing(
    eight_queens: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    SlowTerminal(monkeypatch)
    journal = f"{eight_queens}.db"
    assert main(["solve", "--all", eight_queens, "--checkpoint", journal, "--timeout", "50"]) == 3
    out, err = run("resume", journal, "--timeout", "60", status=3)
    assert out.count("solution ") == 50 + 60
    assert "stopped by the timeout" in err
    assert run("resume", journal, "--timeout", "100").out.count("solution ") == 92
