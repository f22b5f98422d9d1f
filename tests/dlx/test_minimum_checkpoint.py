"""`minimum(checkpoint=)`: what interrupts it changes nothing about the answer."""

from __future__ import annotations

import json
import random
import sqlite3
import struct
import subprocess
import sys
from array import array
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import kernel_problem, table_of
from journal_runs import folder_in_memory
from sqlite_statements import BeforeStatements, copied_before_statements
from timeouts import cut_short

import dlx
from dlx.analysis import minimum
from dlx.checkpoint import files, journal_file, ranking
from dlx.cli.main import main

COMMAND = [sys.executable, "-P", "-m", "dlx"]


@pytest.fixture
def path() -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield folder / "min.db"


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is recorded as often as possible."""
    monkeypatch.setattr(ranking, "RECORD_INTERVAL", 0.0)
    monkeypatch.setattr(ranking, "COMMIT_SHARE", 0)
    monkeypatch.setattr(journal_file, "COMMIT_SHARE", 0)
    monkeypatch.setattr(minimum, "RECORD_PAUSE", 1e-9)
    monkeypatch.setattr(minimum, "PROGRESS_INTERVAL", 1e-9)


def crew(items: int, options: int, seed: int, largest: int = 60) -> dlx.Problem:
    """Set partitioning with costs near 55 an item, so that many solutions cost nearly as little."""
    rng = random.Random(seed)
    names = [f"i{item}" for item in range(items)]
    rows = [[name] for name in names]
    rows += [rng.sample(names, rng.randint(2, 5)) for _ in range(options)]
    costs = [rng.randint(min(50, largest), largest) * len(row) for row in rows]
    return dlx.Problem.from_options(rows, costs=costs)


MIDDLING = crew(50, 900, 1)  # about 0.1 seconds
LARGE = crew(150, 4000, 2)  # as good as endless


def small(seed: int) -> tuple[dlx.Problem, dict[str, Any]]:
    """A problem with or without multiplicities, colors, parts and ties; and what to ask."""
    rng = random.Random(seed)
    kind = rng.choice(["plain", "multiple", "parts", "colors"])
    names = [f"i{item}" for item in range(rng.randint(12, 22))]
    colors = [f"c{number}" for number in range(6)]
    problem = dlx.Problem()
    for name in names:
        several = kind == "multiple" and rng.random() < 0.4
        bounds: Any = rng.choice([(1, 2), (0, 2), 2]) if several else 1
        problem.add_item(name, multiplicity=bounds)
    for name in colors:
        problem.add_item(name, secondary=True)
    largest = rng.choice([0, 0, 1, 3, 1000, 10**12])
    rows: list[list[Any]] = [[name] for name in names]
    for _ in range(rng.randint(50, 130)):
        first = rng.randint(0, 1) * (len(names) // 2)
        pool = names[first : first + len(names) // 2] if kind == "parts" else names
        rows.append(rng.sample(pool, rng.randint(2, 5)))
        if kind == "colors" and rng.random() < 0.5:
            rows[-1].append(dlx.colored(rng.choice(colors), rng.randint(0, 2)))
    for row in rows:
        problem.add_option(row, cost=rng.randint(0, largest) + len(row) * largest // 3)
    return problem, {"k": rng.choice([1, 3, 20, 150]), "any_order": rng.random() < 0.2}


def search_of(problem: dlx.Problem, k: int, any_order: bool, workers: int) -> Any:
    costs = array("q", table_of(problem).every_cost())
    return kernel_problem(problem).minimum(costs, [], k, any_order, workers, 1000)


# -- states of the kernel ------------------------------------------------------------------------


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_a_search_that_moves_from_state_to_state(seed: int, data: st.DataObject) -> None:
    problem, question = small(seed)
    whole = search_of(problem, **question, workers=1)
    assert whole.run()
    wanted = whole.best()
    search = search_of(problem, **question, workers=1)
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 40)):
        if search.run(0.0):
            break
        if rng.random() < 0.4:
            workers = data.draw(st.integers(1, 3))
            after = search_of(problem, **question, workers=workers)
            after.restore(search.save())
            assert [cost for cost, _ in after.best()] == [cost for cost, _ in search.best()]
            search = after
    search.run()
    if question["any_order"]:
        assert [cost for cost, _ in search.best()] == [cost for cost, _ in wanted]
    else:
        assert search.best() == wanted
    again = search_of(problem, **question, workers=1)
    again.restore(search.save())
    assert again.run()
    assert again.best() == search.best()


def test_ties_continue_behind_branches_without_an_option() -> None:
    """Solutions of equal cost are collected in order; "no further option" is the last branch."""
    rng = random.Random(1)
    names = [f"i{item}" for item in range(14)]
    problem = dlx.Problem()
    for name in names:
        problem.add_item(name, multiplicity=(0, 2))
    for _ in range(40):
        problem.add_option(rng.sample(names, 3))
    whole, search = (search_of(problem, 3000, False, workers=1) for _ in range(2))
    assert whole.run()
    search.run(0.0)
    assert not search.run(0.0)
    state = search.save()
    search = search_of(problem, 3000, False, workers=1)
    search.restore(state)
    search.run()
    assert search.best() == whole.best()


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), changes=st.integers(0, 2**32))
def test_a_state_from_a_stranger(seed: int, changes: int) -> None:
    """It is refused, or has a right or wrong answer; whatever it says, nothing breaks."""
    problem, question = small(seed)
    search, rng = search_of(problem, **question, workers=1), random.Random(changes)
    for _ in range(rng.randint(1, 12)):
        search.run(0.0)
    state = search.save()
    words = list(struct.unpack(f"<{len(state) // 8}q", state))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(words))
        other = [words[at] + 1, words[at] - 1, 0, 1, -1, 2**62, -(2**63), 2**63 - 1]
        words[at] = max(-(2**63), min(2**63 - 1, rng.choice(other)))
    fresh = search_of(problem, **question, workers=1)
    try:
        fresh.restore(struct.pack(f"<{len(words)}q", *words))
    except ValueError:
        return
    fresh.run(0.1)
    fresh.save()
    names = [table_of(problem).name_of(one) for _, found in fresh.best()[:1] for one in found]
    if names:
        problem.verify(names)


@pytest.mark.parametrize("state", [b"1234567", b"", b"\1" + b"\0" * 7, b"\x09" + b"\0" * 7])
def test_a_state_that_is_none(state: bytes) -> None:
    with pytest.raises(ValueError, match="state"):
        search_of(MIDDLING, 1, False, 1).restore(state)


# -- in Python -----------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("engine", ["auto", "links"])
@pytest.mark.parametrize(("method", "k"), [("minimum", 1), ("minimum", 5), ("maximum", 2)])
@pytest.mark.usefixtures("eager")
def test_the_same_as_without(path: Path, engine: str, method: str, k: int, workers: int) -> None:
    """Each run is stopped from within; the next one begins where it was."""
    ask: Any = getattr(crew(40, 500, 3), method)
    question: dict[str, Any] = {"k": k, "engine": engine, "workers": workers, "seed": 7}
    wanted = ask(**question)
    rng = random.Random(k)
    nodes = [0]

    class Enough(Exception):
        pass

    left = 0

    def stop(progress: dlx.Progress) -> None:
        nonlocal left
        nodes.append(progress.nodes)
        left -= 1
        if left < 0:
            raise Enough

    for _ in range(5):
        left = rng.randint(5, 100)
        try:
            ask(**question, checkpoint=path, progress=stop)
        except Enough:
            status = dlx.Journal(path).status()
            assert status.stats.nodes >= nodes[-1]
    answer = ask(**question, checkpoint=path)
    assert answer == wanted
    assert nodes == sorted(nodes)
    status = dlx.Journal(path).status()
    assert status.finished
    assert (status.best, status.stats.nodes) == (str(wanted[0][0]), answer.stats.nodes)
    assert list(dlx.Journal(path).solutions()) == [solution for _, solution in wanted]
    again = ask(**question, checkpoint=path, timeout=0)  # from the file
    assert (again, again.stats.nodes) == (wanted, answer.stats.nodes)


@pytest.mark.usefixtures("eager")
def test_each_run_gets_on(path: Path) -> None:
    """Runs that are stopped again and again come to an end, each after a little of the search."""
    wanted = MIDDLING.minimum(3, engine="links")
    runs = 0

    def stop(progress: dlx.Progress) -> None:
        if progress.bound is not None and dlx.Journal(path).status().bound != known:
            raise KeyboardInterrupt

    known: str | None = "none"
    while runs < 200:
        runs += 1
        try:
            answer = MIDDLING.minimum(3, engine="links", checkpoint=path, progress=stop)
        except KeyboardInterrupt:
            known = dlx.Journal(path).status().bound
            continue
        assert answer == wanted
        break
    assert 1 < runs < 200


def further(path: Path, nodes: int, **search: Any) -> dlx.MinimumInterrupted:
    """Goes on in the journal of `LARGE` until there is a solution and more nodes than these."""
    error = cut_short(
        lambda timeout: LARGE.minimum(checkpoint=path, timeout=timeout, **search),
        lambda error: (
            isinstance(error, dlx.MinimumInterrupted) and error.best and error.stats.nodes > nodes
        ),
    )
    assert isinstance(error, dlx.MinimumInterrupted)
    return error


def test_a_timeout(path: Path) -> None:
    first = further(path, 0)
    with pytest.raises(dlx.InvalidArgument, match="repeat the call to continue"):
        first.resume()
    second = further(path, first.stats.nodes, workers=2)
    assert second.best[0][0] <= first.best[0][0]
    status = dlx.Journal(path).status()
    assert not status.finished
    assert status.runs >= 2
    assert status.best == str(second.best[0][0])
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.usefixtures("eager")
def test_killed_before_any_statement(path: Path, statements: BeforeStatements) -> None:
    """The files as they are at each moment are what a `kill -9` at that moment leaves."""
    problem = MIDDLING
    wanted = problem.minimum(3, engine="links")
    with copied_before_statements(path, statements) as copies:
        assert problem.minimum(3, engine="links", checkpoint=path) == wanted
    assert len(copies) > 60
    assert any((copy.parent / "min.db-journal").exists() for copy in copies)
    for copied in [*copies[:10:2], *copies[10 :: len(copies) // 15], *copies[-3:]]:
        assert problem.minimum(3, engine="links", checkpoint=copied) == wanted
        assert [file.name for file in copied.parent.iterdir()] == ["min.db"]


def test_killed(path: Path) -> None:
    """`kill -9` while it works, twice; the third run continues."""
    file = path.with_suffix(".dlx")
    LARGE.dump(file)
    words = ["min", str(file), "--checkpoint", str(path), "--json"]
    seen: list[tuple[int, int]] = []
    for workers in (1, 2):
        command = [*COMMAND, *words, "--workers", str(workers)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            before = seen[-1][1] if seen else 0
            while (status := _status(path)) is None or status.stats.nodes <= before:
                assert run.poll() is None, run.communicate()
            run.kill()
        status = dlx.Journal(path).status()
        assert status.best is not None
        seen.append((int(status.best), status.stats.nodes))
    error = further(path, seen[1][1])
    assert error.best[0][0] <= seen[1][0] <= seen[0][0]
    assert dlx.Journal(path).status().runs >= 3


def _status(path: Path) -> dlx.JournalStatus | None:
    """The status, once a run has recorded an incumbent."""
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        status = dlx.Journal(path).status()
    except dlx.JournalError:  # the very first commit is under way
        return None
    return None if status.best is None else status


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"k": 3}, r"of minimum\(k=2\), not of minimum\(k=3\)"),
        ({"any_order": True}, "any_order=False"),
        ({"seed": 4}, "seed=None"),
        ({"engine": "links"}, "engine='auto'"),
        ({"given": [0]}, "given="),
        ({"costs": [1] * 6}, r"costs=None\), not of minimum\(costs=<with the digest"),
    ],
)
def test_another_question(path: Path, other: dict[str, Any], message: str) -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"], ["a", "b"], ["b"], ["a"]])
    assert len(problem.minimum(2, checkpoint=path)) == 2
    before = path.read_bytes()
    with pytest.raises(dlx.JournalError, match=message):
        problem.minimum(**{"k": 2, **other}, checkpoint=path)
    for ask in (problem.count, problem.solutions, problem.maximum):
        with pytest.raises(dlx.JournalError, match="the journal holds a minimum of this problem"):
            ask(checkpoint=path)
    cheaper = dlx.Problem.from_options(problem.options, costs=[0, 0, 0, 0, 0, 1])
    with pytest.raises(dlx.JournalError, match="the cost of option 5 is 0 in the journal and 1"):
        cheaper.minimum(2, checkpoint=path)
    assert path.read_bytes() == before


def test_a_count_is_no_minimum(path: Path) -> None:
    problem = dlx.models.queens(5)
    assert problem.count(checkpoint=path) == 10
    with pytest.raises(dlx.JournalError, match=r"holds a count of .* asks for a minimum"):
        problem.minimum(checkpoint=path)


def test_engines_that_cannot(path: Path) -> None:
    problem = dlx.models.queens(5)
    with pytest.raises(dlx.InvalidArgument, match="'python', whose state a checkpoint cannot keep"):
        problem.minimum(checkpoint=path, engine="python")
    with pytest.raises(dlx.InvalidArgument, match=r"engine is 'fast'; minimum takes one of"):
        problem.minimum(checkpoint=path, engine="fast")
    assert not path.exists()


def test_a_version_that_older_programs_refuse(path: Path) -> None:
    assert dlx.models.queens(5).minimum(checkpoint=path)[0][0] == 0
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    other = path.with_name("count.db")
    assert dlx.models.queens(5).count(checkpoint=other) == 10
    with closing(sqlite3.connect(other)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"{}\n", "what is known of the best solutions cannot be read"),
        (b'{"best": 1, "bound": null, "gap": null}\n', "what is known of the best solutions is 1"),
        (b'{"best": "1", "bound": null, "gap": -1}\n', "what is known of the best solutions is -1"),
        (b'{"best": "1", "bound": null, "gap": null}\nabc', "the journal is damaged: state"),
        (b'{"best": "1", "bound": null, "gap": null}\n' + b"\x08" * 8, "the state of a search"),
    ],
)
def test_damaged(path: Path, value: bytes, message: str) -> None:
    """By a stranger, who makes the digests right."""
    with pytest.raises(dlx.MinimumInterrupted):
        LARGE.minimum(checkpoint=path, timeout=0)
    with closing(sqlite3.connect(path)) as connection:
        row = (value, sha256(value).digest())
        connection.execute("UPDATE state SET value = ?, digest = ? WHERE id = 2", row)
        connection.commit()
    with pytest.raises(dlx.JournalError, match=message):
        LARGE.minimum(checkpoint=path)
    with pytest.raises(sqlite3.DatabaseError), closing(files.connect(str(path), "mode=ro")) as one:
        one.execute("SELECT * FROM nothing")  # and the file is closed: it can be opened


# -- costs, and the status -----------------------------------------------------------------------


def test_other_costs(path: Path) -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"]])
    costs = [Fraction(1, 3), Fraction(1, 2), 1]
    for _ in range(2):
        assert problem.minimum(costs=costs, checkpoint=path) == [(Fraction(4, 3), (2, 0))]
    assert dlx.Journal(path).status().best == "4/3"
    with pytest.raises(dlx.JournalError, match="digest"):
        problem.minimum(costs=[1, 2, 3], checkpoint=path)
    assert main(["resume", str(path)]) == 2


SOLVED_IN_TWO_RUNS = """
import sys
import dlx
problem, (engine, path) = dlx.Problem.load(sys.argv[1]), sys.argv[2:]
runs = 0
def stop(_):
    global runs
    runs += 1
    if runs == 2:
        raise KeyboardInterrupt
try:
    problem.minimum(4, engine=engine, checkpoint=path, progress=stop)
except KeyboardInterrupt:
    pass
answer = problem.minimum(4, engine=engine, checkpoint=path)
assert problem.minimum(4, engine=engine, checkpoint=path) == answer
for _, solution in answer:
    problem.verify(solution)
print([cost for cost, _ in answer])
"""


@pytest.mark.parametrize(("engine", "package"), [("highs", "highspy"), ("cp-sat", "ortools")])
def test_solvers_of_integer_programs(path: Path, engine: str, package: str) -> None:
    """In a process of its own, because some versions of the two cannot be used in one."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    problem, file = crew(12, 60, 5), path.with_suffix(".dlx")
    problem.dump(file)
    command = [sys.executable, "-P", "-c", SOLVED_IN_TWO_RUNS, str(file), engine, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout.strip() == str([cost for cost, _ in problem.minimum(4)])


def test_on_the_command_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = path.with_suffix(".dlx")
    file.write_text("a b\na |3\na |1\nb |2\na b |7\n")
    assert main(["min", str(file), "-k", "2", "--checkpoint", str(path)]) == 0
    wanted = capsys.readouterr().out
    assert "cost 3" in wanted
    assert main(["resume", str(path)]) == 0
    assert capsys.readouterr().out == wanted
    assert main(["status", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "question: minimum(k=2, given=[], seed=None, engine='auto'" in shown
    assert "best: 3\nbound for all others: 5\n" in shown
    assert main(["status", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] == 3
    assert main(["status", str(path), "--solutions"]) == 0
    assert capsys.readouterr().out.startswith("solution 1:\n")
    assert main(["status", str(path), "--follow"]) == 2
    assert "replaced by better ones" in capsys.readouterr().err
    assert main(["resume", str(path), "--scheduler", "local"]) == 2
    assert "no --scheduler" in capsys.readouterr().err
    large, journal = path.with_name("large.dlx"), path.with_name("large.db")
    LARGE.dump(large)
    words = ["--timeout", "0", "--json"]
    assert main(["min", str(large), "--max", "--checkpoint", str(journal), *words]) == 3
    assert f"to continue: dlx resume {journal}" in capsys.readouterr().err
    assert main(["resume", str(journal), *words, "--workers", "2"]) == 3
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["complete"] is False
    assert dlx.Journal(journal).question.as_call().startswith("maximum(k=1")
