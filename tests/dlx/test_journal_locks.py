"""Locks of journals: one process at a time, and no file of the user's is touched."""

from __future__ import annotations

import os
import random
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import run_python
from hypothesis import given
from hypothesis import strategies as st
from journal_runs import Run, everything, finish, folder_in_memory
from toy_search import Tree

import dlx
from dlx.checkpoint import lock as locks


@pytest.fixture
def path() -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield folder / "run.db"


def lock_file(path: Path) -> Path:
    return Path(f"{path}{locks.SUFFIX}")


# -- what is not ours ----------------------------------------------------------------------------


def a_text(beside: Path) -> None:
    beside.write_text("my notes\n")


def a_number_and_more(beside: Path) -> None:
    beside.write_text("123\nof my notes\n")


def a_link_to_a_text(beside: Path) -> None:
    beside.with_name("notes.txt").write_text("my notes\n")
    beside.symlink_to("notes.txt")


def a_link_to_an_empty_file(beside: Path) -> None:
    beside.with_name("empty.txt").touch()
    beside.symlink_to("empty.txt")


def a_link_to_nothing(beside: Path) -> None:
    beside.symlink_to("nothing.txt")


def a_second_name(beside: Path) -> None:
    beside.with_name("pid.txt").write_text("7\n")
    beside.hardlink_to(beside.with_name("pid.txt"))


def a_fifo(beside: Path) -> None:
    os.mkfifo(beside)


def a_directory(beside: Path) -> None:
    beside.mkdir()


def a_socket(beside: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(beside))


@pytest.mark.parametrize(
    ("put", "what"),
    [
        (a_text, "a file with something else in it"),
        (a_number_and_more, "a file with something else in it"),
        (a_link_to_a_text, "a symbolic link"),
        (a_link_to_an_empty_file, "a symbolic link"),
        (a_link_to_nothing, "a symbolic link"),
        (a_second_name, "a file with several names"),
        (a_fifo, "a FIFO"),
        (a_directory, "a directory"),
        (a_socket, "a socket"),
    ],
)
def test_what_is_no_lock_file_is_left_as_it_is(
    path: Path, put: Callable[[Path], None], what: str
) -> None:
    put(lock_file(path))
    before = everything(path.parent)
    for _ in range(2):
        with pytest.raises(dlx.JournalError, match=rf"run\.db-lock, and that is {what}; .* Move"):
            dlx.models.queens(6).count(checkpoint=path)
        assert everything(path.parent) == before
        assert locks.holder(str(path)) is None


@given(st.binary(max_size=40) | st.from_regex(rb"[0-9]{0,12}\r?\n?", fullmatch=True))
def test_only_an_empty_file_or_a_process_id_is_touched(content: bytes) -> None:
    with folder_in_memory() as folder:
        path = folder / "run.db"
        lock_file(path).write_bytes(content)
        number = content.removesuffix(b"\n").removesuffix(b"\r")
        ours = not content or (number.isdigit() and len(number) <= 10)
        try:
            lock = locks.Lock(str(path))
        except dlx.JournalError:
            assert not ours
            assert lock_file(path).read_bytes() == content
        else:
            assert ours
            assert lock_file(path).read_text() == f"{os.getpid()}\n"
            lock.release()
            assert not lock_file(path).exists()


def test_a_file_that_is_put_there_meanwhile_is_left(path: Path) -> None:
    """Instead of the lock file, or into it."""
    for replace in (True, False):
        lock = locks.Lock(str(path))
        if replace:
            lock_file(path).unlink()
        lock_file(path).write_text("my notes\n")
        lock.release()
        assert lock_file(path).read_text() == "my notes\n"
        lock_file(path).unlink()


# -- without fcntl -------------------------------------------------------------------------------


class FakeLocking:
    """`msvcrt.locking`, as far as it is needed, for files of one process."""

    LK_UNLCK, LK_NBLCK = 0, 2

    def __init__(self) -> None:
        self.locked: dict[tuple[int, int], int] = {}

    def locking(self, file: int, mode: int, count: int) -> None:
        assert count == 1
        assert os.lseek(file, 0, os.SEEK_CUR) == locks.LOCKED_BYTE  # where nothing is read
        key = (os.fstat(file).st_ino, os.fstat(file).st_dev)
        if mode == self.LK_UNLCK:
            assert self.locked.pop(key) == file
        elif key in self.locked:
            raise PermissionError(13, "Permission denied")
        else:
            self.locked[key] = file


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> FakeLocking:
    fake = FakeLocking()
    module = SimpleNamespace(locking=fake.locking, LK_UNLCK=0, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "fcntl", None)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "msvcrt", module)  # type: ignore[arg-type]
    monkeypatch.setattr(locks, "ATTEMPTS", 2)
    return fake


def test_without_fcntl(path: Path, windows: FakeLocking, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = dlx.models.queens(6)
    with problem.solutions(checkpoint=path) as solutions:
        first = next(solutions)
        assert len(windows.locked) == 1
        assert lock_file(path).read_text() == f"{os.getpid()}\n"
        monkeypatch.setattr(locks, "_held", {})  # as in another process
        assert dlx.Journal(path).status().process == os.getpid()
        with pytest.raises(dlx.JournalError, match=f"in use by process {os.getpid()};"):
            problem.count(checkpoint=path)
    assert windows.locked == {}
    assert dlx.Journal(path).status().process is None
    assert list(problem.solutions(checkpoint=path)) == list(problem.solutions())
    assert first in problem.solutions()
    lock_file(path).write_text("1\n")  # left behind by a kill
    assert dlx.Journal(path).status().process is None
    assert problem.count(checkpoint=path.with_name("count.db")) == 4
    assert windows.locked == {}


def test_an_open_file_that_cannot_be_removed(
    path: Path, windows: FakeLocking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: it is removed once it is closed."""
    unlink = os.unlink
    refused = []

    def unlink_closed(name: str) -> None:
        if windows.locked:
            refused.append(name)
            raise PermissionError(13, "Permission denied")
        unlink(name)

    monkeypatch.setattr(os, "unlink", unlink_closed)
    locks.Lock(str(path)).release()
    assert refused == [str(lock_file(path))]
    assert not lock_file(path).exists()


def test_without_any_locks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fcntl", "msvcrt"):
        monkeypatch.setitem(sys.modules, name, None)  # type: ignore[arg-type]
    with pytest.raises(dlx.JournalError, match=r"cannot be locked: .* neither fcntl nor msvcrt"):
        dlx.models.queens(6).count(checkpoint=path)
    assert list(path.parent.iterdir()) == []
    tree = Tree.random(random.Random(3))
    monkeypatch.undo()
    assert finish(path, tree) == Run(path.with_name("other.db"), tree, random.Random(1)).all()


POSIX_ONLY = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")

IMPORTS_ALL = f"""
import importlib, pkgutil, sys
for name in {POSIX_ONLY!r}:
    sys.modules[name] = None
import dlx
for module in pkgutil.walk_packages(dlx.__path__, "dlx."):
    if module.name != "dlx.__main__":
        importlib.import_module(module.name)
"""


@pytest.mark.lengthy
def test_no_module_of_posix_alone_is_needed_to_import_dlx() -> None:
    done = run_python(IMPORTS_ALL)
    assert (done.returncode, done.stderr) == (0, "")
