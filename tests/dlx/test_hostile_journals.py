"""Journals made by a stranger, all of whose digests are right: a right answer or `JournalError`.

Short in CI; `HYPOTHESIS_PROFILE=thorough` tries 5000 journals.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import tempfile
from array import array
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from copy import deepcopy
from functools import cache
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from alarms import Alarm, alarms
from commands import Run
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_runs import everything, folder_in_memory, hot_journal

import dlx
from dlx.checkpoint import files
from dlx.checkpoint.contents import MODULUS, digest_of
from dlx.checkpoint.sort_keys import sort_key
from dlx.cli.main import main


@pytest.fixture
def path() -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield folder / "run.db"


def changed(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


PROBLEM = dlx.models.queens(6)
ENDLESS = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    "SELECT 'question' AS name, x AS value, x AS digest FROM c WHERE x < 0"
)


# -- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE facts", f"CREATE VIEW facts AS {ENDLESS}"),
        (
            "DROP TABLE facts",
            "CREATE VIEW facts AS SELECT 'question' AS name, zeroblob(900000000) AS value, x'00'"
            " AS digest",
        ),
        (
            "DROP TABLE state",
            "CREATE TABLE state (id INTEGER PRIMARY KEY, digest BLOB,"
            " value BLOB AS (zeroblob(900000000)))",
            "INSERT INTO state VALUES (1, x'00')",
        ),
        ("DROP TABLE parts", "CREATE TABLE parts (prefix BLOB PRIMARY KEY, number, part BLOB)"),
        ("DROP TABLE parts",),
        ("CREATE TABLE more (x)",),
        ("CREATE INDEX more ON slices (digest)",),
        ("CREATE VIEW more AS SELECT * FROM slices",),
        ("CREATE TRIGGER more AFTER INSERT ON slices BEGIN DELETE FROM slices; END",),
        ("ANALYZE",),
        ("CREATE TABLE more (x INTEGER PRIMARY KEY AUTOINCREMENT)",),
        ("DROP TABLE slices", f"CREATE TABLE slices (x TEXT DEFAULT '{'x' * 200_000}')"),
    ],
)
def test_other_tables_are_refused_before_they_are_read(
    path: Path, statements: tuple[str, ...], run: Run
) -> None:
    assert PROBLEM.count(checkpoint=path) == 4
    changed(path, *statements)
    before = path.read_bytes()
    for look in (lambda: dlx.Journal(path), lambda: PROBLEM.count(checkpoint=path)):
        with pytest.raises(dlx.JournalError, match="damaged"):
            look()
    for command in ("status", "resume"):
        assert run(command, str(path), status=2).err.count("\n") == 1
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_value_is_no_longer_than_the_file(path: Path) -> None:
    """Even if SQLite would make one up."""
    assert PROBLEM.count(checkpoint=path) == 4
    with files.open_to_read(str(path)) as connection:
        with pytest.raises(sqlite3.DataError, match="too big"):
            connection.execute("SELECT hex(zeroblob(200000))").fetchone()
        assert connection.execute("SELECT hex(zeroblob(2))").fetchone() == ("0000",)


def test_signals_are_heeded_while_sqlite_works(path: Path, alarm: Alarm) -> None:
    """What their handler raises comes out, and the connection is as good as before."""

    class Raised(BaseException):
        pass

    def handler(*_: object) -> None:
        raise Raised

    assert PROBLEM.count(checkpoint=path) == 4
    with files.open_to_read(str(path)) as connection:
        for _ in range(3):
            with alarm.expected(0.01), files.guarded("it"):
                connection.execute(ENDLESS).fetchone()
        signal.signal(signal.SIGPROF, handler)
        alarm.set(0.01)
        with pytest.raises(Raised), files.guarded("it"):
            connection.execute(ENDLESS).fetchone()
        assert connection.execute("SELECT count(*) FROM state").fetchone() == (1,)


def test_a_connection_is_closed_if_it_cannot_be_prepared(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From Python 3.13 on, one that is not closed is a ResourceWarning."""
    closed = []

    class Failing(sqlite3.Connection):
        def execute(self, *_: Any) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("as if")

        def close(self) -> None:
            closed.append(self)
            super().close()

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Failing, **k))
    with pytest.raises(sqlite3.OperationalError, match="as if"):
        files.connect(str(path), "mode=rwc")
    assert len(closed) == 1


# -- what else is there ---------------------------------------------------------------------------


def in_wal_mode(path: Path) -> None:
    """By another program, which was killed before it had moved its rows to the file."""
    changed(path, "PRAGMA journal_mode=WAL")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE state SET id = id")
        connection.commit()
        files = {name: Path(f"{path}{name}").read_bytes() for name in ("", "-wal")}
    for name, content in files.items():
        Path(f"{path}{name}").write_bytes(content)


def in_wal_mode_alone(path: Path) -> None:
    in_wal_mode(path)
    Path(f"{path}-wal").unlink()


def killed(path: Path) -> None:
    Path(f"{path}-journal").write_bytes(hot_journal(path.read_bytes(), b""))


def killed_at_first(path: Path) -> None:
    Path(f"{path}-journal").write_bytes(hot_journal(b"", path.read_bytes()))


def emptied(path: Path) -> None:
    in_wal_mode(path)
    path.write_bytes(b"")


def notes_for_a_journal(path: Path) -> None:
    Path(f"{path}-journal").write_text("my notes")


def notes_for_a_wal(path: Path) -> None:
    Path(f"{path}-wal").write_text("my notes")


def a_fifo(path: Path) -> None:
    os.mkfifo(f"{path}-journal")


def a_link(path: Path) -> None:
    path.with_name("notes").write_text("my notes")
    Path(f"{path}-journal").symlink_to("notes")


def a_killed_database(path: Path) -> None:
    """Of another program: not even its commit is undone."""
    changed(path, "PRAGMA application_id=7")
    killed(path)


def nothing(path: Path) -> None:
    pass


EMPTY, NOT_OURS, ANSWER = "the file is empty", "keeps unfinished commits in", "finished"
OTHER_FILES = [
    (nothing, ANSWER, 4),
    (in_wal_mode, ANSWER, 4),
    (in_wal_mode_alone, ANSWER, 4),
    (killed, ANSWER, 4),
    (killed_at_first, EMPTY, 4),
    (emptied, EMPTY, 4),
    (notes_for_a_journal, ANSWER, NOT_OURS),
    (notes_for_a_wal, ANSWER, NOT_OURS),
    (a_fifo, NOT_OURS, NOT_OURS),
    (a_link, NOT_OURS, NOT_OURS),
    (a_killed_database, "not a journal", "not a journal"),
]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder and files that this process cannot write; root becomes another user."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    user = os.geteuid()
    with folder_in_memory() as copies, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(copies))  # that of root may be root's alone
        if user == 0:
            os.chown(copies, 65534, -1)
            os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(user)
            folder.chmod(0o755)


@pytest.mark.parametrize("where", [nullcontext, read_only])
@pytest.mark.parametrize(("prepare", "shown"), [case[:2] for case in OTHER_FILES])
def test_status_changes_nothing(
    path: Path,
    prepare: Callable[[Path], None],
    shown: str,
    where: Callable[[Path], AbstractContextManager[None]],
    run: Run,
) -> None:
    assert PROBLEM.count(checkpoint=path) == 4
    prepare(path)
    with where(path.parent):
        before = everything(path.parent)
        for words in (["status"], ["status", "--json"]):
            output = run(*words, str(path), status=0 if shown == ANSWER else 2)
            assert shown in output.out + output.err
            assert output.err.count("\n") == (0 if shown == ANSWER else 1)
        assert everything(path.parent) == before


def test_status_changes_nothing_while_a_search_writes(path: Path) -> None:
    with PROBLEM.solutions(checkpoint=path) as search:
        next(search)
        before = everything(path.parent)
        assert len(before) > 2  # the lock
        assert dlx.Journal(path).status().process == os.getpid()
        assert everything(path.parent) == before
        assert len(list(search)) == 3


@pytest.mark.parametrize(("prepare", "result"), [case[::2] for case in OTHER_FILES])
def test_files_of_the_users_beside_a_journal(
    path: Path, prepare: Callable[[Path], None], result: object
) -> None:
    assert PROBLEM.count(checkpoint=path) == 4
    prepare(path)
    before = everything(path.parent)
    if result == 4:
        assert PROBLEM.count(checkpoint=path) == 4
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        return
    with pytest.raises(dlx.JournalError, match=str(result)):
        PROBLEM.count(checkpoint=path)
    assert before | {".": 0} == everything(path.parent) | {".": 0}  # the lock was there


def test_a_journal_that_cannot_be_copied_is_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    assert PROBLEM.count(checkpoint=path) == 4
    killed(path)
    before = everything(path.parent)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", full)
        for look in (lambda: dlx.Journal(path), lambda: PROBLEM.count(checkpoint=path)):
            with pytest.raises(dlx.JournalError, match=r"No space left .* Set TMPDIR"):
                look()
    assert before | {".": 0} == everything(path.parent) | {".": 0}
    assert PROBLEM.count(checkpoint=path) == 4


@pytest.mark.parametrize("copied", [1, 2])
def test_another_process_undoes_the_commit_while_it_is_copied(
    path: Path, copied: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PROBLEM.count(checkpoint=path) == 4
    killed(path)
    copyfile, calls = shutil.copyfile, list[str]()

    def copy(source: str, target: str) -> None:
        copyfile(source, target)
        calls.append(source)
        if len(calls) == copied:
            Path(f"{path}-journal").unlink()

    monkeypatch.setattr(shutil, "copyfile", copy)
    assert dlx.Journal(path).status().finished
    assert calls[-1] == str(path)


# -- values --------------------------------------------------------------------------------------

DEEP = {f"nested {depth}": depth for depth in (50, 101, 900, 100_000)}
"""Texts that are replaced by lists nested to this depth: `json` cannot write all of them."""

NUMBERS = (-1, 0, 1, 2, 3, 35, 36, 2**31 - 1, 2**31, -(2**31), 2**53, 2**62, 2**63 - 1, 2**63)
HOSTILE: tuple[Any, ...] = (
    *NUMBERS,
    -(2**63),
    2**64,
    10**4000,
    0.5,
    -1.0,
    1e18,
    1e308,
    float("inf"),
    float("-inf"),
    float("nan"),
    None,
    True,
    False,
    "",
    "x",
    "0x0",
    "0x" + "f" * 70,
    "\ud800",
    "x" * 10_000,
    *DEEP,
    [],
    [[]],
    [0],
    [0, 0],
    [[0, 0], 0],
    {},
    {"stats": 1},
)


def named() -> dlx.Problem:
    """A problem with everything."""
    problem = dlx.Problem(
        ["a", ("b", 1), "c", "d"], ["e", "f"], multiplicities={"a": (1, 3), "c": (0, 2)}
    )
    for number in range(3):
        problem.add_option(["a", dlx.colored("e", "red")], name=("first", number), cost=number)
        problem.add_option([("b", 1), dlx.colored("e", number)], cost=-1)
        problem.add_option(["c", "d"], name=f"x{number}")
        problem.add_option(["d", "f"])
    return problem


class Sample:
    """A journal as values that can be changed, and written with the right digests."""

    def __init__(self, problem: dlx.Problem, kind: str, nodes: int | None, **search: Any) -> None:
        self.problem, self.kind, self.search = problem, kind, search
        self.answer = self.ask()
        with folder_in_memory() as folder:
            path = folder / "run.db"
            with suppress(dlx.SearchInterrupted):
                self.ask(checkpoint=path, node_limit=nodes)
            self.file = path.read_bytes()
            self.values = self._read(path)

    def ask(self, **how: Any) -> Any:
        if self.kind == "count":
            return self.problem.count(**self.search, **how)
        with self.problem.solutions(**self.search, **how) as solutions:
            return list(solutions)

    @staticmethod
    def _read(path: Path) -> dict[str, Any]:
        with closing(sqlite3.connect(path)) as connection:
            facts = dict(connection.execute("SELECT name, value FROM facts"))
            ((state,),) = connection.execute("SELECT value FROM state")
            parts = connection.execute("SELECT prefix, number, part FROM parts").fetchall()
            slices = connection.execute("SELECT place, options, lengths FROM slices").fetchall()
        head, _, columns = facts["problem"].partition(b"\n")
        return {
            "question": json.loads(facts["question"]),
            "problem": json.loads(head),
            "columns": [*columns],
            "state": json.loads(state),
            "parts": [[prefix, number, json.loads(part)] for prefix, number, part in parts],
            "slices": [
                [where, [*array("i", options)], [*array("i", lengths)]]
                for where, options, lengths in slices
            ],
        }

    def write(self, path: Path, values: Any) -> None:
        """The values as a journal. Where they are of a type that SQLite can hold, as they are."""
        path.write_bytes(self.file)
        state = values.get("state")
        parts = [self._row_of_part(row) for row in rows(values.get("parts"), 3)]
        slices = [self._row_of_slice(row) for row in rows(values.get("slices"), 3)]
        if isinstance(state, dict):
            sums = {"parts_sum": hex(sum_of(parts)), "slices_sum": hex(sum_of(slices))}
            for name, value in sums.items():
                if state.get(name) == self.values["state"][name]:
                    state[name] = value
        problem = written(values.get("problem")) + b"\n" + in_bytes(values.get("columns"), "B")
        with closing(sqlite3.connect(path)) as connection:
            for name, value in (
                ("question", written(values.get("question"))),
                ("problem", problem),
            ):
                row = (value, sha256(value).digest(), name)
                connection.execute("UPDATE facts SET value = ?, digest = ? WHERE name = ?", row)
            value = written(state)
            connection.execute(
                "UPDATE state SET value = ?, digest = ?", (value, sha256(value).digest())
            )
            connection.execute("DELETE FROM parts")
            connection.execute("DELETE FROM slices")
            for (prefix, number, part), _ in parts:
                row = (for_sqlite(prefix), for_sqlite(number), part)
                connection.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", row)
            for (where, options, lengths), digest in slices:
                row = (for_sqlite(where), options, lengths, digest.to_bytes(32, "little"))
                connection.execute(
                    "INSERT OR REPLACE INTO slices (place, options, lengths, digest)"
                    " VALUES (?, ?, ?, ?)",
                    row,
                )
            connection.commit()

    @staticmethod
    def _row_of_part(row: list[Any]) -> tuple[list[Any], int]:
        prefix, number, part = row[0], row[1], written(row[2])
        digest = 0
        if isinstance(prefix, bytes) and type(number) is int and 0 <= number < 2**64:
            digest = digest_of(sort_key(prefix, number), part)
        return [prefix, number, part], digest

    @staticmethod
    def _row_of_slice(row: list[Any]) -> tuple[list[Any], int]:
        where, options, lengths = row[0], in_bytes(row[1], "i"), in_bytes(row[2], "i")
        digest = digest_of(where, options, lengths) if isinstance(where, bytes) else 0
        return [where, options, lengths], digest


def rows(value: Any, width: int) -> list[list[Any]]:
    """What of a value is rows of a table."""
    if not isinstance(value, list):
        return []
    return [row for row in value if isinstance(row, list) and len(row) >= width]


def sum_of(rows: list[tuple[list[Any], int]]) -> int:
    return sum(digest for _, digest in rows) % MODULUS


def written(value: Any) -> bytes:
    """The JSON of a value, with the nested lists that its texts mean."""
    data = json.dumps(value, default=repr).encode()
    for name, depth in DEEP.items():
        data = data.replace(json.dumps(name).encode(), b"[" * depth + b"]" * depth)
    return data


def in_bytes(value: Any, typecode: str) -> bytes:
    """The integers of a list as a column, as far as they fit; anything else as a text."""
    if not isinstance(value, list):
        return repr(value).encode(errors="replace")
    column = array(typecode)
    for number in value:
        with suppress(TypeError, OverflowError):
            column.append(number)
    return column.tobytes()


def for_sqlite(value: Any) -> Any:
    fits = type(value) is int and -(2**63) <= value < 2**63
    return value if fits or value is None or isinstance(value, bytes | float) else repr(value)


def half(kind: str, **search: Any) -> Sample:
    return Sample(PROBLEM, kind, 60, **search)


SAMPLES = {
    "half a count": lambda: half("count"),
    "half of all": lambda: half("solutions", seed=5),
    "with givens": lambda: half("solutions", given=PROBLEM.names[1:2], limit=3),
    "of a part": lambda: half("count", part=PROBLEM.split(4)[1]),
    "finished": lambda: Sample(named(), "solutions", None, given=["x1"]),
    "begun": lambda: Sample(named(), "count", 4, heuristic="weighted"),
}


@cache
def sample(name: str) -> Sample:
    return SAMPLES[name]()


def mutated(values: Any, rng: random.Random) -> list[Any]:
    """Changes one value somewhere within; returns the way to it."""
    way: list[Any] = []
    parent, key = None, None
    node = values
    while isinstance(node, dict | list) and node and (parent is None or rng.random() < 0.85):
        parent = node
        key = rng.choice([*node] if isinstance(node, dict) else range(len(node)))
        node = node[key]
        way.append(key)
    assert parent is not None
    what = rng.randrange(8)
    if what == 0:
        del parent[key]
    elif what == 1 and isinstance(parent, list):
        parent.insert(rng.randrange(len(parent) + 1), deepcopy(node))
    elif what == 2 and isinstance(parent, list):
        other = rng.randrange(len(parent))
        parent[key], parent[other] = parent[other], parent[key]
    elif what == 3 and isinstance(parent, dict):
        parent[f"{key}2"] = node
    elif what <= 4 and type(node) is int:
        parent[key] = rng.choice((node + 1, node - 1, -node, 2 * node, node ^ 0x80))
    else:
        parent[key] = deepcopy(rng.choice(HOSTILE))
    return way


def looks(path: Path) -> Iterator[Any]:
    """What can be done with a journal; some of it works on it, too."""
    yield lambda: dlx.Journal(path)
    journal = dlx.Journal(path)
    yield from (
        lambda: repr(journal.problem),
        journal.status,
        lambda: list(journal.solutions()),
        lambda: list(journal.follow()),
    )


COMMANDS = (["status"], ["status", "--json"], ["status", "--solutions"], ["resume", "--quiet"])


@settings(max_examples=max(200, settings().max_examples))
@given(st.sampled_from([*SAMPLES]), st.integers(0, 2**48))
@pytest.mark.lengthy
def test_values_of_a_stranger(name: str, seed: int) -> None:
    """Whatever is asked of the journal, there is an answer or a `JournalError`."""
    one = sample(name)
    rng = random.Random(seed)
    values = deepcopy(one.values)
    ways = [mutated(values, rng) for _ in range(rng.choice((1, 1, 1, 2, 4)))]
    harmless = all(way[0] in ("problem", "columns") for way in ways) or all(
        way[0] == "state" and (way[1:2] != ["stats"] or len(way) > 3) for way in ways
    )
    with folder_in_memory() as folder, alarms() as alarm:
        path = folder / "run.db"
        alarm.set(20)  # nothing takes for ever
        for command in COMMANDS:
            one.write(path, values)
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as complaint:
                status = main([*command, str(path)])
            assert status in (0, 1, 2, 3), ways
            assert len(complaint.getvalue().splitlines()) <= 1, ways
            assert complaint.getvalue().startswith("dlx: ") or status < 2, ways
        one.write(path, values)
        try:
            for look in looks(path):
                with suppress(dlx.JournalError):
                    look()
        except dlx.JournalError:
            pass  # and so there is no journal to be looked at
        try:
            answer = one.ask(checkpoint=path)
        except dlx.JournalError:
            return
        alarm.cancel()
        assert type(answer) is type(one.answer)
        if harmless:
            assert answer == one.answer, ways


def test_what_is_not_changed_is_right() -> None:
    """The samples are written as they were read, and lead to the right answers."""
    for name in SAMPLES:
        one = sample(name)
        with folder_in_memory() as folder:
            one.write(folder / "run.db", deepcopy(one.values))
            assert one.ask(checkpoint=folder / "run.db") == one.answer
            assert dlx.Journal(folder / "run.db").problem == one.problem
