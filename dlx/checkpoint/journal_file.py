"""`JournalFile`: the journal of a search, open for writing; the base class of its writers.

A transaction replaces what the file says about the state of a search. A commit waits for the disk,
so it follows a change only if all commits together have taken no more than a hundredth of the time.
What was not committed is done again after a crash.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from sqlite3 import SQLITE_BUSY, OperationalError
from typing import TYPE_CHECKING, Final, TypeVar

from dlx.checkpoint import files
from dlx.checkpoint.contents import (
    JournalTotals,
    RemainingPart,
    check_all,
    digest_of,
    part_to_json,
    read_description,
    read_fact,
    read_state,
)
from dlx.checkpoint.lock import Lock
from dlx.checkpoint.problems import first_difference, unpack_problem
from dlx.checkpoint.rescue import identity, rescue
from dlx.checkpoint.values import DamagedJournal
from dlx.core.encoding import little_endian
from dlx.core.logs import log
from dlx.errors import JournalError

if TYPE_CHECKING:
    from sqlite3 import Connection

    from dlx.checkpoint.description import JournalDescription
    from dlx.checkpoint.problems import PackedProblem

__all__ = ["JournalFile", "open_file"]

COMMIT_SHARE: Final = 100
"""Commits take at most 1/100 of the time, except those of large transactions."""
READER_TIMEOUT: Final = 0.05  # seconds to wait for readers at a commit that can be put off

Written = TypeVar("Written", bound="JournalFile")


def open_file(
    kind: type[Written],
    path: str | os.PathLike[str],
    description: JournalDescription,
    packed: PackedProblem,
    options: int,
) -> Written:
    """Opens the journal of a search for writing; creates it if the file does not exist.

    `kind` is the class of its writer, `options` the number of options in the problem.

    Raises `JournalError` if the journal is of another problem or search, or cannot be used. Then
    the file is left as it was.
    """
    path = files.check_path(path)
    if os.path.lexists(path):
        files.check_file(path)
    files.check_side_files(path, writing=True)
    lock = Lock(path)
    existed = True  # assumed until the lock is held: another run may create the file
    try:
        existed = os.path.lexists(path)
        new = not existed or not _is_checked(path, description, packed)
        if new:
            connection = files.create(path, description.version, _facts(description, packed))
        else:
            connection = files.open_to_write(path)
        with files.closed_after_error(connection), files.guarded(path):
            return kind(path, lock, connection, description, options, new=new)
    except BaseException:
        if not existed:
            with suppress(OSError):
                os.unlink(path)  # it is empty
        lock.release()
        raise


def _is_checked(path: str, wanted: JournalDescription, packed: PackedProblem) -> bool:
    """Checks all that a journal holds, by a copy if need be; False if it is empty."""
    try:
        with files.open_to_read(path) as connection:
            _check_description(path, connection, wanted, packed)
            check_all(connection)
    except files.EmptyJournal:
        return False
    return True


def _check_description(
    path: str, connection: Connection, wanted: JournalDescription, packed: PackedProblem
) -> None:
    there, details = read_description(connection), None
    if not there.is_of_same_problem(wanted):
        with suppress(DamagedJournal, sqlite3.Error):
            tables = map(unpack_problem, (read_fact(connection, "problem"), packed.data))
            # `dlx count` leaves names of options out, and they do not change a count.
            by_name = there.kind == wanted.kind != "count"
            details = first_difference(*tables, names=by_name)
            if details is None and not by_name and there.fingerprint == wanted.fingerprint:
                there = there._replace(names=wanted.names)
    difference = there.difference(wanted)
    if difference is not None:
        details = "" if details is None else f": {details}"
        raise JournalError(
            f"{path}: the journal {difference}{details}. It is left as it is; use another file for "
            f"this {'search' if there.is_of_same_problem(wanted) else 'problem'}"
        )


def _facts(description: JournalDescription, packed: PackedProblem) -> dict[str, bytes]:
    import json
    import platform

    from dlx.core.version import __version__

    made = {
        "version": __version__,
        "python": platform.python_version(),
        "time": time.time(),
    }
    return {
        "question": description.to_json().encode(),
        "problem": packed.data,
        "made": json.dumps(made).encode(),
    }


class JournalFile(ABC):
    """A journal that this process, and no other, has open for writing: see `open_file`.

    Its methods are thread-safe. After an error of the file, every call raises that error again; the
    file has what was committed before.
    """

    def __init__(
        self,
        path: str,
        lock: Lock,
        connection: Connection,
        description: JournalDescription,
        options: int,
        *,
        new: bool,
    ) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._file_lock = lock
        self._connection = connection
        self._file = identity(path)
        self._options = options
        self._process = os.getpid()
        self._broken: JournalError | None = None
        self._closed = True  # until everything has been read
        self._pending = 0  # bytes of solutions in the transaction
        self._began = time.monotonic()
        self._next_commit = self._began
        self._state = JournalTotals() if new else read_state(connection)
        self._digest: object = b""  # of the totals that this run wrote last
        self._load(description, new=new)
        self._before = self._state.elapsed
        self._state = self._state._replace(runs=self._state.runs + 1)
        if new:
            self._write_state()
            self._commit(wait=True)
        self._digest = self._read_digest()
        self._closed = False
        log.info("journal %s: run %d begins, %s", path, self._state.runs, self._summary())

    @abstractmethod
    def _load(self, description: JournalDescription, *, new: bool) -> None:
        """Reads where the search is; `new`: writes where it begins."""

    @abstractmethod
    def _summary(self) -> str:
        """What is known and what is left, for the log."""

    @property
    def state(self) -> JournalTotals:
        """The totals, including what is not committed yet."""
        return self._state

    # -- transactions ------------------------------------------------------------------------------

    def _begin_transaction(self) -> None:
        """Opens a transaction, unless one is open."""
        if not self._connection.in_transaction:
            self._check_there()
            self._connection.execute("BEGIN IMMEDIATE")
            self._check_no_other_writer()

    def _elapsed(self) -> float:
        """Seconds on the clock of all runs together."""
        return self._before + time.monotonic() - self._began

    def _insert_part(self, entry: RemainingPart) -> int:
        """Inserts a row of `parts`; returns its digest."""
        row = (entry.prefix, entry.number, part_to_json(entry.part))
        self._connection.execute("INSERT INTO parts VALUES (?, ?, ?)", row)
        return entry.digest

    def _insert_slice(self, key: bytes, options: bytes, lengths: bytes) -> int:
        """Inserts a row of `slices`, from columns as a pack has them; returns its digest."""
        columns = [little_endian(array("i", column)) for column in (options, lengths)]
        number = digest_of(key, *columns)
        self._connection.execute(
            "INSERT INTO slices (place, options, lengths, digest) VALUES (?, ?, ?, ?)",
            (key, *columns, number.to_bytes(32, "little")),
        )
        self._pending += sum(map(len, columns))
        return number

    def _write_state(self) -> None:
        value = self._state.to_json()
        self._digest = sha256(value).digest()
        row = (value, self._digest)
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?)", row)

    def _read_digest(self) -> object:
        return self._connection.execute("SELECT digest FROM state WHERE id = 1").fetchone()[0]

    def _check_there(self) -> None:
        """Raises `JournalError` if the path does not lead to the open file any more."""
        if identity(self.path) != self._file:
            raise JournalError(f"{self.path}: the journal is gone")

    def _check_no_other_writer(self) -> None:
        """Raises `JournalError` if another process has written to the journal.

        The lock does not prevent that if its file was removed, or the file system has no locks.
        """
        if self._read_digest() != self._digest:
            raise JournalError(
                f"{self.path}: another process has written to the journal, which is left as it is; "
                f"was {self.path}-lock removed? Go on with only one of the two processes"
            )

    def _commit(self, *, wait: bool) -> None:
        """Commits. Without `wait`, puts the commit off if another process is reading."""
        began = time.monotonic()
        timeout = files.BUSY_TIMEOUT if wait else READER_TIMEOUT
        self._connection.execute(f"PRAGMA busy_timeout={int(timeout * 1000)}")
        try:
            self._connection.execute("COMMIT")
            self._pending = 0
            log.debug("journal %s: committed, %s", self.path, self._summary())
        except OperationalError as error:
            if wait or error.sqlite_errorcode & 0xFF != SQLITE_BUSY:
                raise
        finally:
            now = time.monotonic()
            self._next_commit = now + COMMIT_SHARE * (now - began)
            self._connection.execute(f"PRAGMA busy_timeout={int(files.BUSY_TIMEOUT * 1000)}")

    # -- ending ------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Commits what was recorded, so that it is on the disk."""
        with self._lock:
            self._check()
            with self._guarded():
                if self._connection.in_transaction:
                    self._commit(wait=True)
                self._check_there()

    def close(self) -> None:
        """Commits, closes the file and releases its lock. Further calls do nothing."""
        with self._lock:
            if self._closed or os.getpid() != self._process:
                return
            try:
                self.commit()
            finally:
                self._release()
            log.info("journal %s: closed, %s", self.path, self._summary())

    def _release(self) -> None:
        self._closed = True
        try:
            self._connection.close()  # rolls back what was not committed
        finally:
            self._file_lock.release()

    def __del__(self) -> None:
        if not getattr(self, "_closed", True):
            with suppress(JournalError):
                self.close()

    def _check(self) -> None:
        if self._broken is not None:
            raise JournalError(str(self._broken))
        if self._closed:
            raise JournalError(f"{self.path}: the journal was closed")
        if os.getpid() != self._process:
            raise JournalError(
                f"{self.path}: the journal is open in process {self._process}, and this process "
                "is a fork of that one"
            )

    @contextmanager
    def _guarded(self, *, changes: bool = True) -> Iterator[None]:
        """Closes the journal for good after an error of the file.

        With `changes`, any other exception closes it too, Ctrl-C included, because the transaction
        may then be incomplete. If the file was removed, writes what was committed to a new one.
        """
        try:
            with files.guarded(self.path):
                yield
        except BaseException as error:
            if isinstance(error, JournalError) and identity(self.path) != self._file:
                self._broken = rescue(self.path, self._connection)
            elif isinstance(error, JournalError):
                self._broken = error
            elif changes:
                self._broken = JournalError(f"{self.path}: the journal was closed after {error!r}")
            else:
                raise
            log.info("journal: %s", self._broken)
            self._release()
            if isinstance(error, JournalError) and error is not self._broken:
                raise self._broken from None
            raise
