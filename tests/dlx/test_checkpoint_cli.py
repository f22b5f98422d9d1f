"""Journals from outside: `checkpoint=` with real engines, the commands, and what kills them."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case
from commands import Run, run_python
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_runs import folder_in_memory
from strategies import large_cases
from timeouts import TIMEOUTS

import dlx
from dlx.cli.main import main
from dlx.models import dominoes, langford, queens

HERE = Path(__file__).parent


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield folder


COMMAND = [sys.executable, "-P", "-m", "dlx"]


# -- in Python -----------------------------------------------------------------------------------


@settings(max_examples=25)
@given(large_cases(), st.sampled_from((1, 2)), st.integers(0, 99))
def test_the_same_as_without(case: Case, workers: int, seed: int) -> None:
    """Drawn in several runs, each of which goes a little further."""
    problem = case.problem()
    wanted = list(problem.solutions(seed=seed, limit=500))
    search: dict[str, Any] = {"seed": seed, "workers": workers}
    sizes = random.Random(seed)
    with folder_in_memory() as folder:
        search["checkpoint"] = folder / "run.db"
        for _ in range(3):
            size = sizes.randint(0, len(wanted))
            with problem.solutions(**search) as solutions:
                assert list(islice(solutions, size)) == wanted[:size]
        if len(wanted) == 500:
            return
        with problem.solutions(**search) as solutions:
            assert list(solutions) == wanted
            assert solutions.exhausted
            assert solutions.stats.nodes == _nodes(problem, seed)
        search["checkpoint"] = folder / "count.db"
        for _ in range(2):
            assert problem.count(**search) == len(wanted)


def _nodes(problem: dlx.Problem, seed: int) -> int:
    search = problem.solutions(seed=seed)
    for _ in search:
        pass
    return search.stats.nodes


@pytest.mark.parametrize("heuristic", ["mrv", "weighted"])
def test_every_engine(tmp_path: Path, engine: str, heuristic: str) -> None:
    problem = queens(7)
    path = tmp_path / "run.db"
    search: dict[str, Any] = {"engine": engine, "heuristic": heuristic, "checkpoint": path}
    with problem.solutions(**search) as solutions:
        first = next(solutions)
    found = list(problem.solutions(**search))
    assert found[0] == first
    assert len(found) == len(set(found)) == 40
    for solution in found:
        problem.verify(solution)
    count = {**search, "checkpoint": tmp_path / "count.db"}
    assert problem.count(**count) == 40


def test_names_givens_and_limits(tmp_path: Path) -> None:
    problem = langford(8)
    named = dlx.Problem.from_options({f"o{i}": items for i, items in enumerate(problem.options)})
    wanted = list(named.solutions(given=["o4"]))
    assert len(wanted) == 8
    assert list(named.solutions(given=["o4"], checkpoint=tmp_path / "1.db")) == wanted
    search = named.solutions(given=["o4"], limit=3, checkpoint=tmp_path / "2.db")
    assert list(search) == wanted[:3]
    assert search.stopped_by == "limit"
    search.close()
    with pytest.raises(dlx.JournalError, match=r"limit=3.*limit=None"):
        named.solutions(given=["o4"], checkpoint=tmp_path / "2.db")
    journal = dlx.Journal(tmp_path / "1.db")
    assert list(journal.solutions()) == wanted
    assert journal.problem == named
    assert named.count(limit=2, checkpoint=tmp_path / "3.db") == 2
    assert named.is_unique(given=["o4"], checkpoint=tmp_path / "4.db") is False
    assert named.is_unique(given=wanted[0], checkpoint=tmp_path / "5.db") is True
    with pytest.raises(dlx.JournalError, match="of a count"):
        next(dlx.Journal(tmp_path / "3.db").solutions())


def test_multiplicities(tmp_path: Path) -> None:
    problem = dlx.Problem(["a", "b"], multiplicities={"a": (1, 3)})
    for items in (["a"], ["a"], ["a", "b"], ["b"], ["a"]):
        problem.add_option(items)
    wanted = list(problem.solutions())
    assert len(wanted) > 5
    assert list(problem.solutions(checkpoint=tmp_path / "run.db")) == wanted


def test_a_seed_of_too_many_digits(tmp_path: Path) -> None:
    for keep in ({}, {"checkpoint": tmp_path / "run.db"}):
        with pytest.raises(dlx.InvalidArgument, match="seed has more digits than Python writes"):
            queens(4).count(seed=10**5000, **keep)
        assert list(tmp_path.iterdir()) == []
    for _ in range(2):
        assert queens(4).count(seed=10**4000, limit=10**5000, checkpoint=tmp_path / "run.db") == 2


def test_a_part(tmp_path: Path, run: Run) -> None:
    problem = queens(6)
    path = tmp_path / "run.db"
    found = []
    for number, part in enumerate(problem.split(3)):
        path = tmp_path / f"{number}.db"
        found += problem.solutions(part=part, checkpoint=path)
        assert problem.count(part=part, checkpoint=tmp_path / f"{number}.count.db") >= 0
    assert found == list(problem.solutions())
    with pytest.raises(dlx.JournalError, match="part="):
        problem.solutions(checkpoint=path)
    assert f", part={part!r})\n" in run("status", str(path)).out


def test_names_that_no_file_can_hold(tmp_path: Path) -> None:
    """The journal knows the problem by its shape, and cannot show what it found."""
    problem = dlx.Problem.from_options([[frozenset("a")], [2.5], [frozenset("a"), 2.5]])
    path = tmp_path / "run.db"
    for _ in range(2):
        assert list(problem.solutions(checkpoint=path)) == list(problem.solutions())
    with pytest.raises(dlx.JournalError, match="does not hold the names"):
        list(dlx.Journal(path).solutions())


def test_a_timeout_loses_nothing(tmp_path: Path) -> None:
    problem = queens(9)
    path = tmp_path / "run.db"
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        problem.count(timeout=0, checkpoint=path)
    with problem.solutions(timeout=0, checkpoint=tmp_path / "s.db") as search:
        assert list(search) == []
        assert search.stopped_by == "timeout"
    assert problem.count(checkpoint=path) == 352
    assert list(problem.solutions(checkpoint=tmp_path / "s.db")) == list(problem.solutions())


def test_a_node_limit_is_for_one_run(tmp_path: Path) -> None:
    """Not for all of them together: or the second would stop where the first one did."""
    problem = queens(10)
    whole = problem.solutions(engine="links")
    expected = list(whole)
    limit = whole.stats.nodes // 4
    found: list[object] = []
    nodes = runs = 0
    while len(found) < len(expected):
        path = tmp_path / "a.db"
        with problem.solutions(engine="links", checkpoint=path, node_limit=limit) as search:
            found = list(search)
        assert found == expected[: len(found)]
        now = search.stats.nodes
        assert limit <= now - nodes <= limit + 1000 or search.exhausted
        nodes, runs = now, runs + 1
    assert nodes == whole.stats.nodes
    assert 2 <= runs <= 4
    for _ in range(runs - 1):
        with pytest.raises(dlx.SearchInterrupted, match="node"):
            problem.count(engine="links", checkpoint=tmp_path / "b.db", node_limit=limit)
    count = problem.count(engine="links", checkpoint=tmp_path / "b.db", node_limit=2 * limit)
    assert count == len(expected)


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    problem = queens(4)
    path = tmp_path / "run.db"
    for wrong in ({"engine": "sat"}, {"engine": "nonsense"}, {"heuristic": "nonsense"}):
        with pytest.raises(dlx.InvalidArgument):
            problem.count(checkpoint=path, **wrong)
    with pytest.raises(dlx.InvalidArgument, match="heuristic of your own"):
        problem.count(checkpoint=path, engine="python", heuristic=lambda headers: headers[0])
    with pytest.raises(dlx.InvalidArgument, match="path of a file"):
        problem.count(checkpoint=7)
    assert not path.exists()


def test_the_engine_of_a_question_is_open_to_a_second_run_once_it_is_over(tmp_path: Path) -> None:
    problem = queens(6)
    path = tmp_path / "run.db"
    first = problem.solutions(checkpoint=path)
    with pytest.raises(dlx.JournalError, match="already"):
        problem.solutions(checkpoint=path)
    wanted = list(first)
    assert list(problem.solutions(checkpoint=path)) == wanted  # `first` is still there


@pytest.mark.parametrize("workers", [1, 2])
def test_a_search_that_is_dropped_lets_go(tmp_path: Path, workers: int) -> None:
    problem = queens(8)
    path = tmp_path / "run.db"
    wanted = list(problem.solutions())
    for _ in range(5):
        assert next(problem.solutions(checkpoint=path, workers=workers)) == wanted[0]
    assert list(problem.solutions(checkpoint=path)) == wanted


ROWS = {"x": ["a", "e"], "y": ["b"], "z": ["a", "b"]}


@pytest.mark.parametrize(
    ("there", "here", "message"),
    [
        ([["a"], ["b"]], [["a"], ["c"]], "item 1 is 'b' in the journal and 'c' in this call"),
        ([["a"], ["b"]], [["a"]], "items: 2 in the journal and 1 in this"),
        ([["a"], ["a"]], [["a"]], "options: 2 in the journal and 1 in"),
        ([["a"], ["a", "b"]], [["a"], ["b"]], r"option 1 is \('a', 'b'\) .* and \('b',\)"),
        ({"x": ["a"]}, {"y": ["a"]}, "the name of option 0 is 'x' in .* and 'y' in"),
    ],
)
def test_the_first_difference_of_another_problem(
    tmp_path: Path, there: Any, here: Any, message: str
) -> None:
    path = tmp_path / "run.db"
    dlx.Problem.from_options(there).count(checkpoint=path)
    before = path.read_bytes()
    with pytest.raises(dlx.JournalError, match=f"another problem.*: {message}") as caught:
        dlx.Problem.from_options(here).count(checkpoint=path)
    assert "set" not in str(caught.value).split()
    assert path.read_bytes() == before


def test_other_differences_of_another_problem(tmp_path: Path) -> None:
    one = {"primary": ["a", "b"], "secondary": ["e"]}
    for number, (left, right, message) in enumerate(
        (
            (one, {"primary": ["a", "b", "e"]}, "secondary items: 1 in .* and 0 in"),
            (one, {**one, "multiplicities": {"a": 2}}, "multiplicities: 0 in .* and 1 in"),
        )
    ):
        problems = [dlx.Problem(**keywords) for keywords in (left, right)]
        for problem in problems:
            for name, items in ROWS.items():
                problem.add_option(items, name=name)
        path = tmp_path / f"{number}.db"
        problems[0].count(checkpoint=path)
        with pytest.raises(dlx.JournalError, match=f"of another problem: {message}"):
            problems[1].count(checkpoint=path)
    costly = dlx.Problem.from_options(ROWS, costs=[1, 2, 3])
    costly.count(checkpoint=tmp_path / "costs.db")
    with pytest.raises(dlx.JournalError, match=r"the cost of option 0 is 1 in .* and 0 in this"):
        dlx.Problem.from_options(ROWS).count(checkpoint=tmp_path / "costs.db")


FROM_A_SET = """
import sys
import dlx
rows = {*"abcdefgh"}
problem = dlx.Problem.from_options([[row] for row in rows])
try:
    problem.count(checkpoint=sys.argv[1])
except dlx.JournalError as error:
    print(error)
"""


def test_options_from_a_set_come_in_another_order(tmp_path: Path) -> None:
    reported = []
    for seed in ("1", "2"):
        done = run_python(
            FROM_A_SET, tmp_path / "run.db", env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert done.stderr == ""
        reported.append(done.stdout)
    assert reported[0] == ""
    assert " is of another problem" in reported[1]
    assert re.search(r": item \d is '\w' in the journal and '\w' in this call\. Both ", reported[1])
    assert "iterating over a set" in reported[1]
    assert "sort it" in reported[1]


# -- commands ------------------------------------------------------------------------------------


@pytest.fixture
def queens_file(tmp_path: Path) -> str:
    path = tmp_path / "queens.dlx"
    queens(6).dump(path)
    return str(path)


@pytest.mark.parametrize("command", ["resume", "status"])
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"given": [36]}, "option 36 is given, and its problem has 36 options"),
        ({"given": [-1]}, "option -1 is given, and its problem has 36 options"),
        ({"given": [2**70]}, f"option {2**70} is given, and its problem has 36 options"),
        ({"given": [True]}, "a given option is True"),
        ({"given": 5}, "given is 5"),
        ({"limit": "9"}, "limit is '9'"),
        ({"seed": [1]}, "seed is [1]"),
        ({"engine": None}, "engine is None"),
        ({"heuristic": 7}, "heuristic is 7"),
        ({"names": 7}, "names is 7"),
        ({"part": [[["a", "b"]], 1]}, "decision 0 of part is 'a'"),
        (
            {"kind": "solve"},
            "the kind of its search is 'solve'; this version knows solutions, count, minimum, "
            "maximum",
        ),
    ],
)
def test_the_question_of_a_stranger(
    tmp_path: Path, command: str, changed: dict[str, Any], message: str, run: Run
) -> None:
    """With all the right checksums."""
    path = tmp_path / "run.db"
    queens(6).count(checkpoint=path)
    connection = sqlite3.connect(path)
    (value,) = connection.execute("SELECT value FROM facts WHERE name = 'question'").fetchone()
    value = json.dumps({**json.loads(value), **changed}).encode()
    row = (value, sha256(value).digest())
    connection.execute("UPDATE facts SET value = ?, digest = ? WHERE name = 'question'", row)
    connection.commit()
    connection.close()
    before = path.read_bytes()
    shown = run(command, str(path), status=2)
    assert shown.out == ""
    assert shown.err.startswith(f"dlx: {path}: the journal is damaged: {message}; it is left")
    assert shown.err.count("\n") == 1
    assert path.read_bytes() == before


@pytest.fixture
def endless(tmp_path: Path) -> str:
    path = tmp_path / "endless.dlx"
    dominoes(16, 16).dump(path)
    return str(path)


def test_solve_count_and_resume(queens_file: str, run: Run) -> None:
    for words in (["solve", "--all"], ["solve", "--limit", "2"], ["solve", "--seed", "5"]):
        journal = f"{queens_file}.{len(words)}{words[-1]}.db"
        plain = run(*words, queens_file).out
        for again in ([*words, queens_file, "--checkpoint", journal], ["resume", journal]):
            assert run(*again).out == plain
        assert run(*words, queens_file, "--checkpoint", journal, "--workers", "2").out == plain
    journal = f"{queens_file}.count.db"
    for words in (["count", queens_file, "--checkpoint", journal], ["resume", journal, "--quiet"]):
        assert run(*words).out == "4\n"
    assert json.loads(run("resume", journal, "--json").out) == {
        "solutions": 4,
        "exhausted": True,
        "stopped_by": None,
    }


QUESTIONS: dict[str, Callable[[dlx.Problem, str], object]] = {
    "solve --all": lambda problem, journal: list(problem.solutions(checkpoint=journal)),
    "count": lambda problem, journal: problem.count(checkpoint=journal, workers=2),
    "count --distinct": lambda problem, journal: problem.count(distinct=True, checkpoint=journal),
    "min": lambda problem, journal: problem.minimum(checkpoint=journal),
    "min --max": lambda problem, journal: problem.maximum(checkpoint=journal),
}
HELD = {
    "solve --all": ("the solutions of", "solutions(distinct=False)"),
    "count": ("a count of", "count(distinct=False)"),
    "count --distinct": ("a count of", "count(distinct=True)"),
    "min": ("a minimum of", ""),
    "min --max": ("a maximum of", ""),
}


@pytest.mark.parametrize("by_command", [False, True])
@pytest.mark.parametrize("held", QUESTIONS)
def test_the_journal_of_another_question(
    queens_file: str, held: str, by_command: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the same problem, whose options have names that are not texts."""
    problem, journal = dlx.Problem.load(queens_file), f"{queens_file}.db"
    if by_command:
        assert main([*held.split(), queens_file, "--checkpoint", journal]) == 0
    else:
        QUESTIONS[held](problem, journal)
    before = Path(journal).read_bytes()
    for asked, ask in QUESTIONS.items():
        if asked == held:
            continue
        capsys.readouterr()
        assert main([*asked.split(), queens_file, "--checkpoint", journal]) == 2
        with pytest.raises(dlx.JournalError) as caught:
            ask(problem, journal)
        for message in (capsys.readouterr().err, str(caught.value)):
            assert HELD[held][held[:5] == asked[:5] == "count"] in message
            assert " of another problem" not in message
            assert message.rstrip().count("\n") == 0
    assert Path(journal).read_bytes() == before
    QUESTIONS[held](problem, journal)
    assert main([*held.split(), queens_file, "--checkpoint", journal]) == 0


def test_a_timeout_says_how_to_go_on(endless: str, run: Run) -> None:
    journal = f"{endless}.db"
    assert run("count", endless, "--timeout", "0", "--checkpoint", journal, status=3).err.endswith(
        f"to continue: dlx resume {journal}\n"
    )
    for timeout in TIMEOUTS:
        assert run("resume", journal, "--timeout", str(timeout), status=3).err.endswith(
            f"to continue: dlx resume {journal}\n"
        )
        lines = dict(line.split(": ", 1) for line in run("status", journal).out.splitlines())
        if "left" in lines:
            break
    assert lines["state"] == "stopped; continue with `dlx resume`"
    runs = dlx.Journal(journal).status().runs
    assert 2 <= runs < 2 + len(TIMEOUTS)  # one that came to nothing does not count
    assert lines["time"].endswith(f" in {runs} runs")
    assert {"problem", "parts", "solutions", "nodes", "rate", "searched", "left"} <= set(lines)
    facts = json.loads(run("status", "--json", journal).out)
    assert facts["finished"] is False
    assert facts["nodes"] > 0
    assert 0 <= facts["fraction"] < 1


def test_status_shows_solutions(queens_file: str, run: Run) -> None:
    journal = f"{queens_file}.db"
    plain = run("solve", "--all", queens_file, "--checkpoint", journal).out
    for words in (["--solutions"], ["--follow"]):
        assert run("status", journal, *words).out == plain
    first = json.loads(run("status", "--solutions", "--json", journal).out.splitlines()[0])
    problem = dlx.Problem.load(queens_file)
    assert first["options"] == [problem.index_of(name) for name in next(problem.solutions())]
    assert "state: finished\n" in run("status", journal).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["status", "{}.nowhere"], "No such file"),
        (["status", "{}"], "not a journal"),
        (["resume", "{}"], "not a journal"),
        (["count", "{}", "--checkpoint", "{}"], "not a journal"),
        (["count", "{}", "--checkpoint", "{}/run.db"], "no journal can be kept there"),
        (["count", "{}", "--checkpoint", "/"], "directory"),
        (["solve", "{}", "--checkpoint", ""], "path of a file"),
    ],
)
def test_bad_journals(queens_file: str, words: list[str], message: str, run: Run) -> None:
    before = Path(queens_file).read_bytes()
    out, err = run(*[word.replace("{}", queens_file) for word in words], status=2)
    assert out == ""
    assert err.startswith("dlx: ")
    assert message in err
    assert err.count("\n") == 1
    assert Path(queens_file).read_bytes() == before


# -- signals -------------------------------------------------------------------------------------


@pytest.fixture
def running(endless: str) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A search that has recorded something, in a process of its own."""
    journal = Path(f"{endless}.db")
    words = ["count", endless, "--quiet", "--checkpoint", str(journal), "--workers", "2"]
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        while not _has_nodes(journal):
            assert run.poll() is None, run.communicate()
        yield run, journal
        run.kill()


def _has_nodes(journal: Path) -> bool:
    if not journal.exists() or not journal.stat().st_size:
        return False
    try:
        return dlx.Journal(journal).status().stats.nodes > 0
    except dlx.JournalError:  # the very first commit is under way
        return False


@pytest.mark.parametrize(
    ("number", "status", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_signals(
    running: tuple[subprocess.Popen[str], Path], number: int, status: int, word: str
) -> None:
    run, journal = running
    assert dlx.Journal(journal).status().process == run.pid
    before = dlx.Journal(journal).status().stats.nodes
    run.send_signal(number)
    out, err = run.communicate()
    assert run.returncode == status
    assert (out, err) == (
        "",
        f"dlx: {word}; progress is saved; to continue: dlx resume {journal}\n",
    )
    after = dlx.Journal(journal).status()
    assert after.process is None
    assert after.stats.nodes >= before
    assert not Path(f"{journal}-journal").exists()
    assert not Path(f"{journal}-lock").exists()


@pytest.mark.lengthy
def test_in_use(running: tuple[subprocess.Popen[str], Path], run: Run) -> None:
    process, journal = running
    assert f"in use by process {process.pid}" in run("resume", str(journal), status=2).err


def test_sigterm_without_a_journal(endless: str) -> None:
    """Every command ends in good order."""
    words = [*COMMAND, "solve", "--all", "--quiet", endless]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "solution 1:\n"
        run.terminate()
        _, err = run.communicate()
    assert (run.returncode, err) == (143, "dlx: terminated\n")


@pytest.mark.lengthy
def test_killed_at_random_moments() -> None:
    """A few rounds of the script, which is meant for many."""
    script = HERE.parent / "support" / "kill_driver.py"
    board = ["8", "8", "3,3", "3,4", "4,3", "4,4"]
    done = subprocess.run(
        [sys.executable, "-P", script, "--kills", "3", "--board", *board],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("all right") == 2
