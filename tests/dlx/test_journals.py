"""Journals: whatever happens to a run, going on ends with the answer of an undisturbed one."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from alarms import ProfiledCtrlC
from bruteforce import Case
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import problem_of, search_in, table_of
from journal_runs import PAGE, Run, everything, finish, folder_in_memory, hot_journal, problem
from sqlite_statements import BeforeStatements, copied_before_statements
from strategies import cases
from toy_search import ToyCrew, ToyDriver, Tree

import dlx
from dlx.checkpoint import journal_file
from dlx.checkpoint import lock as locks
from dlx.checkpoint import writer as writing
from dlx.checkpoint.contents import APPLICATION, VERSION, VERSIONS
from dlx.checkpoint.description import JournalDescription
from dlx.checkpoint.problems import fingerprint, pack_problem, unpack_problem
from dlx.checkpoint.sort_keys import sort_key
from dlx.checkpoint.writer import Writer
from dlx.core.budget import Budget

seeds = st.integers(0, 2**32)
few = settings(max_examples=25)


def tree_of(seed: int, least: int = 1) -> tuple[Tree, random.Random]:
    """A tree with some leaves, and what comes after it."""
    rng = random.Random(seed)
    while len((tree := Tree.random(rng)).leaves) < least:
        pass
    return tree, rng


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.db"


def half_done(path: Path, seed: int = 5) -> Tree:
    """Leaves a journal with some solutions and some parts left behind."""
    tree, rng = tree_of(seed, least=25)
    run = Run(path, tree, rng)
    while len(run.writer.start().parts) < 3 or run.writer.state.stats.solutions < 4:
        run.slices(1)
    run.close()
    assert not run.writer.finished
    return tree


# -- what it is for ------------------------------------------------------------------------------


@few
@given(seeds)
def test_interrupted_runs_end_with_the_undisturbed_answer(seed: int) -> None:
    with folder_in_memory() as folder:
        path = folder / "run.db"
        tree, rng = tree_of(seed)
        for _ in range(rng.randint(0, 3)):
            run = Run(path, tree, rng)
            run.slices(rng.randint(0, 4))
            run.close()
        run = Run(path, tree, rng)
        assert run.all() == tree.solutions
        assert run.engine.stats.nodes == len(tree.leaves)  # nothing was done twice, either
        assert finish(path, tree) == tree.solutions  # at once


@few
@given(seeds)
def test_counts_as_well(seed: int) -> None:
    with folder_in_memory() as folder:
        path = folder / "run.db"
        tree, rng = tree_of(seed)
        run = Run(path, tree, rng, "count")
        run.slices(rng.randint(0, 5))
        run.close()
        limit = rng.randint(0, 20)
        assert Run(path, tree, rng, "count").engine.skip(Budget(limit)) == min(
            limit, len(tree.solutions)
        )
        run = Run(path, tree, rng, "count")
        assert run.engine.skip(Budget()) == len(tree.solutions)
        assert run.engine.finished


@few
@given(seeds)
def test_slices_come_while_somebody_looks(seed: int) -> None:
    with folder_in_memory() as folder:
        tree, rng = tree_of(seed, least=10)
        assert Run(folder / "run.db", tree, rng, driver=ToyCrew).all() == tree.solutions
        counting = Run(folder / "count.db", tree, rng, "count", driver=ToyCrew)
        assert counting.engine.skip(Budget()) == len(tree.solutions)


@pytest.mark.parametrize("kind", ["solutions", "count"])
def test_the_last_slice_comes_just_before_the_end_is_noticed(
    path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a look at what was found and the question whether that is all."""
    tree, rng = tree_of(10, least=20)
    run = Run(path, tree, rng, kind)
    finished = Writer.finished.fget
    assert finished is not None

    def all_at_once(writer: Writer) -> bool:
        driver = search_in(run.engine)
        while isinstance(driver, ToyDriver) and driver.parts:
            driver.do_slice()
        return finished(writer)

    run.slices(1)
    monkeypatch.setattr(Writer, "finished", property(all_at_once))
    if kind == "count":
        assert run.engine.skip(Budget()) == len(tree.solutions)
    else:
        assert run.all() == tree.solutions


def test_what_is_drawn_early_is_the_beginning(path: Path) -> None:
    """In visiting order from the very first, whatever order the work is done in."""
    tree, rng = tree_of(3, least=30)
    with dlx.Search(Run(path, tree, rng).engine, 3, None) as search:
        assert list(search) == tree.solutions[:3]
        assert search.stopped_by == "limit"
    assert finish(path, tree) == tree.solutions


@few
@given(seeds)
def test_a_journal_can_be_read_meanwhile(seed: int) -> None:
    with folder_in_memory() as folder:
        path = folder / "run.db"
        tree, rng = tree_of(seed)
        run = Run(path, tree, rng)
        run.slices(rng.randint(0, 5))
        run.writer.commit()
        journal = dlx.Journal(path)
        status = journal.status()
        assert status.process == os.getpid()
        assert status.parts_left == len(run.writer.start().parts)
        found = list(journal.solutions())
        assert found == sorted(found)
        assert len(found) == status.stats.solutions
        assert set(found) <= set(tree.solutions)
        follower = journal.follow()
        early = [next(follower) for _ in found]
        assert sorted(early) == found
        assert run.all() == tree.solutions
        assert sorted(early + list(follower)) == sorted(tree.solutions)
        assert journal.status().finished
        assert journal.status().process is None


# -- faults --------------------------------------------------------------------------------------


def test_killed_before_any_statement(path: Path, statements: BeforeStatements) -> None:
    """The files as they are at each moment are what a `kill -9` at that moment leaves."""
    tree, rng = tree_of(11, least=25)
    with copied_before_statements(path, statements) as copies:
        assert Run(path, tree, rng).all() == tree.solutions
    assert len(copies) > 50
    assert any((copy.parent / "run.db-journal").exists() for copy in copies)
    for copied in copies:
        assert finish(copied, tree) == tree.solutions
        assert [file.name for file in copied.parent.iterdir()] == ["run.db"]


@pytest.mark.parametrize("commits", [0, 1, 2])
def test_killed_during_a_commit(path: Path, commits: int) -> None:
    """After any write to the file; a reader sees the commit before, and changes nothing."""
    tree, rng = tree_of(11, least=25)
    contents = [b""]
    for number in range(commits + 1):
        run = Run(path, tree, rng)
        run.slices(3 * number)
        run.close()
        contents.append(path.read_bytes())
    before, after = contents[-2:]
    path.write_bytes(before)
    expected = dlx.Journal(path).status() if before else None
    unfinished = hot_journal(before, after)
    states = [(before, b""), (before, bytes(12) + unfinished[12:])] + [
        (after[:written] + before[written:], unfinished)
        for page in range(0, len(after) + 1, PAGE)
        for written in (page, page + 100)
    ]
    assert len(states) > 10
    beside = Path(f"{path}-journal")
    for state in states:
        path.write_bytes(state[0])
        beside.write_bytes(state[1])
        there = everything(path.parent)
        if expected is None:
            with pytest.raises(dlx.JournalError, match="empty: no search has recorded anything"):
                dlx.Journal(path)
        else:
            assert dlx.Journal(path).status() == expected
            with pytest.raises(dlx.JournalError, match="this call asks for a count"):
                Run(path, tree, rng, "count")
            del there["."]  # the lock was there
        assert {name: there[name] for name in there} == {
            name: now for name, now in everything(path.parent).items() if name in there
        }
        assert finish(path, tree) == tree.solutions
        assert [file.name for file in path.parent.iterdir()] == ["run.db"]


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR])
@pytest.mark.lengthy
def test_any_statement_may_fail(tmp_path: Path, statements: BeforeStatements, code: int) -> None:
    tree, _ = tree_of(12, least=20)
    failed = 0
    for number in range(1000):
        path = tmp_path / f"{number}.db"
        left = [number]

        def fail(left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == -1:
                error = sqlite3.OperationalError("as if")
                error.sqlite_errorcode = code
                raise error

        statements(fail)
        try:
            found = Run(path, tree, random.Random(7)).all()
        except dlx.JournalError:
            failed += 1
        else:
            assert found == tree.solutions
        statements(lambda: None)
        assert finish(path, tree) == tree.solutions
        if left[0] >= 0:
            break  # it had fewer statements than that
    assert failed > 30


def test_an_error_is_not_forgotten(path: Path, statements: BeforeStatements) -> None:
    tree, rng = tree_of(12, least=20)
    run = Run(path, tree, rng)

    def fail() -> None:
        error = sqlite3.OperationalError("as if")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    statements(fail)
    with pytest.raises(dlx.JournalError, match=r"run\.db: .* disk is full; .* go on"):
        run.slices(3)
    statements(lambda: None)
    with pytest.raises(dlx.JournalError, match="disk is full"):
        run.slices(1)
    run.close()
    assert finish(path, tree) == tree.solutions


def test_files_may_not_grow(path: Path) -> None:
    """As on a full disk: the system refuses to make any file longer than a number of bytes."""
    tree, rng = tree_of(13, least=25)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    failed = 0
    for size in range(0, 40_000, 3_000):
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
            run = Run(path, tree, rng)
            run.slices(1)
            run.close()
        except dlx.JournalError:
            failed += 1
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failed > 3
    assert finish(path, tree) == tree.solutions
    assert [file.name for file in path.parent.iterdir()] == ["run.db"]


@pytest.mark.lengthy
def test_flipped_bits(path: Path, tmp_path: Path) -> None:
    """Noticed and left as it was, or of no consequence."""
    tree = half_done(path)
    sound = path.read_bytes()
    rng = random.Random(14)
    refused = 0
    damaged = tmp_path / "damaged.db"
    for _ in range(250):
        data = bytearray(sound)
        for _ in range(rng.choice((1, 1, 8))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        damaged.write_bytes(data)
        with suppress(dlx.JournalError):
            journal = dlx.Journal(damaged)
            journal.status()
            assert set(journal.solutions()) <= set(tree.solutions)
        assert damaged.read_bytes() == data
        try:
            assert finish(damaged, tree) == tree.solutions
        except dlx.JournalError:
            refused += 1
            assert damaged.read_bytes() == data
    assert 25 < refused < 250
    assert sorted(file.name for file in tmp_path.iterdir()) == ["damaged.db", "run.db"]


def test_cut_off(path: Path, tmp_path: Path) -> None:
    tree = half_done(path)
    sound = path.read_bytes()
    for size in range(1, len(sound), 1000):
        path.write_bytes(sound[:size])
        with pytest.raises(dlx.JournalError, match=r"run\.db"):
            finish(path, tree)
        assert path.read_bytes() == sound[:size]


def test_rows_lost_doubled_or_changed(path: Path) -> None:
    """What SQLite cannot notice, for it is as good a file as any."""
    tree = half_done(path)
    sound = path.read_bytes()
    for change in (
        "DELETE FROM parts WHERE rowid IN (SELECT rowid FROM parts LIMIT 1)",
        "DELETE FROM slices WHERE id IN (SELECT id FROM slices LIMIT 1)",
        "INSERT INTO slices SELECT NULL, place || x'00', options, lengths, digest FROM slices",
        "UPDATE slices SET options = zeroblob(length(options))",
        "UPDATE slices SET place = x'7f' || place WHERE id = 1",
        "UPDATE parts SET number = number + 1",
        "UPDATE parts SET part = '[0]'",
        "UPDATE parts SET part = CAST('[0,[0,0]]' AS BLOB)",
        "UPDATE state SET value = replace(value, '\"slices\"', '\"slides\"')",
        "DELETE FROM state",
        "DELETE FROM facts WHERE name = 'problem'",
        "UPDATE facts SET value = CAST(value AS TEXT)",
        "DROP TABLE slices",
        "CREATE TRIGGER t AFTER INSERT ON slices BEGIN DELETE FROM slices; END",
    ):
        path.write_bytes(sound)
        with sqlite3.connect(path) as connection:
            connection.execute(change)
        connection.close()
        changed = path.read_bytes()
        with pytest.raises(dlx.JournalError, match="damaged"):
            finish(path, tree)
        assert path.read_bytes() == changed, change


@pytest.mark.lengthy
def test_ctrl_c_while_solutions_are_handed_over(path: Path) -> None:
    """From the journal, that is: nothing is lost, and the same search continues."""
    tree, _ = tree_of(3, least=12)
    finish(path, tree)
    for number in range(1000):
        run = Run(path, tree, random.Random(0))
        search = dlx.Search(run.engine, None, None)
        found: list[Any] = []

        def draw(search: dlx.Search = search, found: list[Any] = found) -> None:
            while len(found) < len(tree.solutions):  # and not to the end, where the file is closed
                found.append(next(search))

        interrupted = ProfiledCtrlC("/dlx/checkpoint/", number).during(draw)
        assert [*found, *search] == tree.solutions, number
        if not interrupted:
            break
    assert 20 < number < 999


# -- refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"fingerprint": "00"}, "another problem"),
        ({"names": "00"}, "another problem.* other names"),
        ({"kind": "count"}, "holds the solutions of this problem, and this call asks for a count"),
        ({"seed": 3}, r"of solutions\(seed=None\), not of solutions\(seed=3\)"),
        ({"given": (1, 2)}, r"not of solutions\(given=\[1, 2\]\)"),
        ({"limit": 9}, "limit=9"),
        ({"engine": "links"}, "engine='links'"),
        ({"heuristic": "weighted"}, "heuristic='weighted'"),
    ],
)
def test_of_another_question(path: Path, changed: dict[str, Any], message: str) -> None:
    tree = half_done(path)
    before = path.read_bytes()
    packed = pack_problem(table_of(problem))
    question = JournalDescription("solutions", fingerprint(table_of(problem)), packed.names)
    with pytest.raises(dlx.JournalError, match=message):
        journal_file.open_file(
            writing.Writer, str(path), question._replace(**changed), packed, len(problem)
        )
    assert path.read_bytes() == before
    assert finish(path, tree) == tree.solutions


def test_of_a_newer_version(path: Path) -> None:
    tree = half_done(path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    for look in (lambda: finish(path, tree), lambda: dlx.Journal(path)):
        with pytest.raises(dlx.JournalError, match=r"version 3 .* up to 2; use a newer"):
            look()
    assert path.read_bytes() == before


def test_no_journal_at_all(tmp_path: Path) -> None:
    tree, _ = tree_of(1)
    text = tmp_path / "notes.txt"
    text.write_text("not a journal, but notes\n" * 100)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    before = text.read_bytes(), other.read_bytes()
    for path, message in (
        (text, "not a journal"),
        (other, "SQLite file, but not a journal"),
        (tmp_path, "a directory"),
        (fifo, "not an ordinary file"),
    ):
        for look in (lambda path=path: finish(path, tree), lambda path=path: dlx.Journal(path)):
            with pytest.raises(dlx.JournalError, match=message):
                look()
    assert (text.read_bytes(), other.read_bytes()) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["fifo", "notes.txt", "other.db"]


def test_nowhere_to_write(tmp_path: Path) -> None:
    """Even root cannot write there."""
    (tmp_path / "file").touch()
    tree, rng = tree_of(1)
    for path in (tmp_path / "no" / "run.db", tmp_path / "file" / "run.db", Path("/proc/run.db")):
        with pytest.raises(dlx.JournalError, match=r"run\.db: no journal can be kept there: "):
            Run(path, tree, rng)
        with pytest.raises(dlx.JournalError, match=r"run\.db: No"):
            dlx.Journal(path)


@pytest.mark.parametrize("path", [3, None, b"run.db", "", "run\0.db"])
def test_what_is_no_path(path: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match="path of a file"):
        dlx.Journal(path)


def test_an_empty_file_is_a_journal_to_be(path: Path) -> None:
    path.touch()
    tree, _ = tree_of(2)
    assert finish(path, tree) == tree.solutions


# -- one at a time -------------------------------------------------------------------------------


def test_in_use_by_this_process(path: Path) -> None:
    tree, rng = tree_of(4, least=9)
    run = Run(path, tree, rng)
    with pytest.raises(dlx.JournalError, match="already"):
        Run(path, tree, rng)
    link = path.parent / "link.db"
    link.symlink_to(path)
    with pytest.raises(dlx.JournalError, match="already"):
        Run(link, tree, rng)
    run.close()
    assert finish(link, tree) == tree.solutions


HOLDS_IT = """
import sys
from dlx.checkpoint.lock import Lock
lock = Lock(sys.argv[1])
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.lengthy
def test_in_use_by_another_process(path: Path) -> None:
    """Until that is killed: it cannot say good-bye then."""
    tree = half_done(path)
    before = path.read_bytes()
    command = [sys.executable, "-P", "-c", HOLDS_IT, str(path)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdin is not None
    assert other.stdout is not None
    with other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(dlx.JournalError, match=f"in use by process {other.pid};"):
            finish(path, tree)
        assert path.read_bytes() == before
        assert dlx.Journal(path).status().process == other.pid
        other.kill()
        other.wait()
    assert dlx.Journal(path).status().process is None
    assert finish(path, tree) == tree.solutions
    assert [file.name for file in path.parent.iterdir()] == ["run.db"]


@pytest.mark.parametrize("limit", [None, 9])
def test_another_run_is_done_before_the_lock_is_ours(
    path: Path, monkeypatch: pytest.MonkeyPatch, limit: int | None
) -> None:
    """Whether there is a journal is as it is then: it is gone on with, or refused and kept."""
    tree, _ = tree_of(4, least=9)

    class Late(locks.Lock):
        def __init__(self, path: str) -> None:
            monkeypatch.undo()
            assert finish(Path(path), tree) == tree.solutions
            super().__init__(path)

    packed = pack_problem(table_of(problem))
    question = JournalDescription(
        "solutions", fingerprint(table_of(problem)), packed.names, limit=limit
    )
    monkeypatch.setattr(journal_file, "Lock", Late)
    if limit is None:
        writer = journal_file.open_file(writing.Writer, path, question, packed, len(problem))
        assert writer.finished
        writer.close()
    else:
        with pytest.raises(dlx.JournalError, match="limit=9"):
            journal_file.open_file(writing.Writer, path, question, packed, len(problem))
    assert list(dlx.Journal(path).solutions()) == tree.solutions
    assert [file.name for file in path.parent.iterdir()] == ["run.db"]


def test_two_writers_without_a_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has removed it: the first to notice stops, before it writes."""
    tree, rng = tree_of(4, least=20)
    first = Run(path, tree, rng)
    first.slices(2)
    first.writer.commit()
    Path(f"{path}{locks.SUFFIX}").unlink()
    monkeypatch.setattr(locks, "_held", {})  # as in another process
    second = Run(path, tree, rng)
    second.slices(1)
    second.writer.commit()
    with pytest.raises(dlx.JournalError, match="another process has written"):
        first.slices(1)
    assert Path(f"{path}{locks.SUFFIX}").exists()  # that of the second one
    assert second.all() == tree.solutions
    assert list(dlx.Journal(path).solutions()) == tree.solutions
    assert [file.name for file in path.parent.iterdir()] == ["run.db"]


@pytest.mark.parametrize("gone", [Path.unlink, lambda path: path.rename(f"{path}-moved")])
@pytest.mark.parametrize("closing", [False, True])
def test_a_journal_that_is_removed_is_written_anew(
    path: Path, gone: Callable[[Path], object], closing: bool
) -> None:
    """Nothing that was committed is lost; the search stops, and says so once."""
    tree, rng = tree_of(4, least=20)
    run = Run(path, tree, rng)
    run.slices(2)
    run.writer.commit()
    gone(path)
    with pytest.raises(
        dlx.JournalError, match=r"was removed .* written anew: run the same command again"
    ):
        run.writer.close() if closing else run.slices(1)
    assert not Path(f"{path}{locks.SUFFIX}").exists()
    again = Run(path, tree, rng)
    assert len(again.writer.parts_left()) == len(run.writer.parts_left())
    assert again.all() == tree.solutions
    assert list(dlx.Journal(path).solutions()) == tree.solutions


def test_a_journal_that_is_replaced_is_written_beside(path: Path) -> None:
    tree, rng = tree_of(4, least=20)
    run = Run(path, tree, rng)
    run.slices(2)
    run.writer.commit()
    path.unlink()
    path.write_text("something else")
    with pytest.raises(dlx.JournalError, match=r"was written to .*run\.db-rescued"):
        run.slices(1)
    assert path.read_text() == "something else"
    beside = Path(f"{path}-rescued")
    again = Run(beside, tree, rng)
    assert again.all() == tree.solutions


def test_a_journal_that_is_removed_with_its_directory(path: Path) -> None:
    folder = path.parent / "folder"
    folder.mkdir()
    tree, rng = tree_of(4, least=20)
    run = Run(folder / "run.db", tree, rng)
    run.slices(1)
    shutil.rmtree(folder)
    with pytest.raises(dlx.JournalError, match="cannot be written anew: No such file"):
        run.writer.close()


def test_a_fork_neither_holds_the_lock_nor_writes(path: Path) -> None:
    tree, rng = tree_of(6, least=20)
    run = Run(path, tree, rng)
    run.slices(2)
    to_child, from_parent = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - in another process
        status = 1
        with suppress(BaseException):
            os.close(from_parent)
            with suppress(dlx.JournalError):
                run.slices(1)
                os._exit(2)
            run.writer.close()
            os.read(to_child, 1)  # until the parent is done with all
            status = 0
        os._exit(status)
    os.close(to_child)
    assert run.all() == tree.solutions
    assert finish(path, tree) == tree.solutions  # although the child is alive
    os.close(from_parent)
    assert os.waitpid(child, 0)[1] == 0


def test_readers_do_not_stop_the_writer(path: Path) -> None:
    """One that keeps its lock on the file: commits wait until it has gone."""
    tree, rng = tree_of(8, least=40)
    run = Run(path, tree, rng)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM slices").fetchall()
    run.slices(4)
    reader.execute("COMMIT")
    reader.close()
    run.close()
    assert finish(path, tree) == tree.solutions


def test_a_run_that_is_dropped_lets_go(path: Path) -> None:
    tree, rng = tree_of(9, least=20)
    run = Run(path, tree, rng)
    run.slices(3)
    known = run.writer.state.stats
    del run
    assert dlx.Journal(path).status().stats[:3] == known[:3]
    assert finish(path, tree) == tree.solutions


def test_a_lock_file_that_was_left_behind_is_none(path: Path) -> None:
    Path(f"{path}{locks.SUFFIX}").write_text("1\n")
    tree, _ = tree_of(2)
    assert locks.holder(str(path)) is None
    assert finish(path, tree) == tree.solutions


# -- its pieces ----------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**40), min_size=1), st.lists(st.integers(0, 2**40), min_size=1))
def test_sort_keys_are_in_order(one: list[int], other: list[int]) -> None:
    def joined(numbers: list[int]) -> bytes:
        prefix = b""
        for number in numbers:
            prefix = sort_key(prefix, number)
        return prefix

    assert (joined(one) < joined(other)) == (one < other)


@given(cases())
def test_problems_come_back(case: Case) -> None:
    before = case.problem()
    table = unpack_problem(pack_problem(table_of(before)).data)
    assert table is not None
    after = problem_of(table)
    assert after == before
    assert fingerprint(table_of(after)) == fingerprint(table_of(before))
    assert list(after.solutions()) == list(before.solutions())


def test_problems_with_everything_come_back() -> None:
    before = dlx.Problem(["a", ("b", 1)], ["c"], multiplicities={"a": (0, 2)})
    before.add_option(["a", ("b", 1), dlx.colored("c", "red")], name=("x", None), cost=-3)
    before.add_option(["a", dlx.colored("c", 5)], cost=2**40)
    before.add_option(["a"])
    table = unpack_problem(pack_problem(table_of(before)).data)
    assert table is not None
    after = problem_of(table)
    assert after == before
    assert after.costs == before.costs


def test_names_that_no_file_can_hold() -> None:
    strange = dlx.Problem.from_options([[frozenset("a")], [frozenset("a"), 3.5]])
    packed = pack_problem(table_of(strange))
    assert packed.names is None
    assert unpack_problem(packed.data) is None


@given(st.data())
def test_fingerprints_tell_problems_apart(data: st.DataObject) -> None:
    one, other = (data.draw(cases()).problem() for _ in range(2))
    shapes = []
    for some in (one, other):
        table = table_of(some)
        columns = (table.start, table.entry_item, table.entry_color)
        shapes.append((len(table.items), bytes(table.secondary), *map(bytes, columns)))
    same = fingerprint(table_of(one)) == fingerprint(table_of(other))
    assert same == (shapes[0] == shapes[1])


def test_the_kind_of_file_is_in_its_header(path: Path) -> None:
    """For `file` and the like: see docs/journals.md."""
    half_done(path)
    header = path.read_bytes()[:100]
    assert header[:16] == b"SQLite format 3\0"
    assert int.from_bytes(header[60:64], "big") == VERSIONS[0]
    assert int.from_bytes(header[68:72], "big") == APPLICATION
