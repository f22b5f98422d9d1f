"""`Writer`: a `Recorder` that stores every result of a search in an SQLite file.

A result is recorded by a few rows, all of them or none: its part is deleted, the parts left of it
are inserted, the totals are replaced, and its solutions are inserted. Several results may share a
transaction. A commit waits for the disk, so it follows a result only if all commits together have
taken no more than a hundredth of the time. What was not committed is done again after a crash. No
solution is lost or found twice, because the parts that are left and the solutions that were found
change in the same transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from sqlite3 import SQLITE_BUSY, OperationalError
from typing import TYPE_CHECKING, Final

from dlx.checkpoint import files
from dlx.checkpoint.contents import (
    MODULUS,
    JournalTotals,
    RemainingPart,
    check_slice,
    digest_of,
    part_to_json,
    read_parts,
    read_state,
    unpacked,
)
from dlx.checkpoint.lock import Lock
from dlx.checkpoint.order import sort_key
from dlx.checkpoint.problems import first_difference, unpack_problem
from dlx.checkpoint.rescue import identity, rescue
from dlx.checkpoint.values import DamagedJournal
from dlx.core.encoding import little_endian
from dlx.core.logs import log
from dlx.errors import JournalError
from dlx.parallel.results import add_stats

if TYPE_CHECKING:
    from sqlite3 import Connection

    from dlx.checkpoint.description import JournalDescription
    from dlx.checkpoint.problems import PackedProblem
    from dlx.core.kernel import Pack
    from dlx.core.part import Part
    from dlx.engines.protocols import Start
    from dlx.parallel.results import WorkResult

__all__ = ["Writer", "open_writer"]

COMMIT_SHARE: Final = 100
"""Commits take at most 1/100 of the time, except those of large transactions."""
LARGEST_TRANSACTION: Final = 16 * 2**20  # bytes of solutions, after which a commit must come
READER_TIMEOUT: Final = 0.05  # seconds to wait for readers at a commit that can be put off


def open_writer(
    path: str | os.PathLike[str],
    description: JournalDescription,
    packed: PackedProblem,
    options: int,
) -> Writer:
    """Opens the journal of a search for writing; creates it if the file does not exist.

    `options` is the number of options in the problem.

    Raises `JournalError` if the journal is of another problem or search, or cannot be used. Then
    the file is left as it was.
    """
    path = files.check_path(path)
    if os.path.lexists(path):
        files.check_file(path)
    lock = Lock(path)
    existed = True  # assumed until the lock is held: another run may create the file
    try:
        existed = os.path.lexists(path)
        there = files.read_description(path) if existed else None
        if there is not None:
            _check_description(path, there, description, packed)
            connection = files.open_checked(path)
        else:
            connection = files.create(path, _facts(description, packed))
        try:
            with files.guarded(path):
                return Writer(path, lock, connection, description, options, new=there is None)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        if not existed:
            with suppress(OSError):
                os.unlink(path)  # it is empty
        lock.release()
        raise


def _check_description(
    path: str, there: JournalDescription, wanted: JournalDescription, packed: PackedProblem
) -> None:
    difference = there.difference(wanted)
    if difference is None:
        return
    if there.is_of_same_problem(wanted):
        raise JournalError(
            f"{path}: the journal is {difference}; it is left as it is. Use another file for "
            "this search"
        )
    with suppress(DamagedJournal, sqlite3.Error):
        there_packed = files.read_problem(path)
        details = first_difference(unpack_problem(there_packed), unpack_problem(packed.data))
        if details is not None:
            difference = f"{difference}: {details}"
    raise JournalError(
        f"{path}: the journal is {difference}. It is left as it is; use another file for this "
        "problem"
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


class Writer:
    """A journal that this process, and no other, has open for writing: see `open_writer`.

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
        self._keep = description.kind != "count"
        self._process = os.getpid()
        self._broken: JournalError | None = None
        self._closed = True  # until everything has been read
        self._pending = 0  # bytes of solutions in the transaction
        self._began = time.monotonic()
        self._next_commit = self._began
        self._state = JournalTotals() if new else read_state(connection)
        self._left: dict[Part, RemainingPart] = {}
        self._digest: object = b""  # of the totals that this run wrote last
        if new:
            self._add(b"", 0, (description.part,))
        else:
            self._left = {entry.part: entry for entry in read_parts(connection, self._state)}
        self._before = self._state.elapsed
        self._state = self._state._replace(runs=self._state.runs + 1)
        if new:
            self._write_state()
            self._commit(wait=True)
        self._digest = self._read_digest()
        self._closed = False
        log.info(
            "journal %s: run %d begins, with %d parts left and %d solutions found",
            path,
            self._state.runs,
            len(self._left),
            self._state.stats[2],
        )

    # -- what is left ------------------------------------------------------------------------------

    @property
    def state(self) -> JournalTotals:
        """The totals, including what is not committed yet."""
        return self._state

    @property
    def finished(self) -> bool:
        """Is no part left?

        A caller reads this before it reads solutions, because the last ones may come in between.
        """
        with self._lock:  # `_record` deletes a part before it inserts the parts left of it
            return not self._left

    def start(self) -> Start:
        """Where a search has to go on."""
        from dlx.engines.protocols import Start

        with self._lock:
            return Start(tuple(self.parts_left()), self._state.stats)

    def parts_left(self) -> list[Part]:
        """What is left to be searched, in visiting order."""
        with self._lock:
            left = sorted(self._left.values(), key=lambda entry: entry.sort_key)
        return [entry.part for entry in left]

    # -- recording ---------------------------------------------------------------------------------

    def done(self, part: Part, result: WorkResult) -> None:
        """Replaces a part by what is left of it; stores the solutions found: see `Recorder`."""
        with self._lock:
            self._check()
            with self._guarded():
                if not self._connection.in_transaction:
                    self._check_there()
                    self._connection.execute("BEGIN IMMEDIATE")
                    self._check_no_other_writer()
                self._record(part, result)
                self._write_state()
                large = self._pending > LARGEST_TRANSACTION
                if large or time.monotonic() >= self._next_commit:
                    self._commit(wait=large)

    def _record(self, part: Part, result: WorkResult) -> None:
        entry = self._left.pop(part)
        prefix, number, _ = entry
        self._connection.execute("DELETE FROM parts WHERE prefix = ?", (prefix,))
        state = self._state
        slices_sum = state.slices_sum
        if self._keep and result.found:
            slices_sum += self._add_solutions(entry.sort_key, result)
            number += 1
        self._state = state._replace(
            stats=add_stats(state.stats, result.stats),
            slices=state.slices + 1,
            parts_done=state.parts_done + (not result.left),
            elapsed=self._before + time.monotonic() - self._began,
            parts_sum=(state.parts_sum - entry.digest) % MODULUS,
            slices_sum=slices_sum % MODULUS,
        )
        self._add(prefix, number, result.left)

    def _add(self, prefix: bytes, number: int, parts: tuple[Part, ...]) -> None:
        """Inserts what is left of a part. The last part keeps its prefix: see `order`."""
        total = self._state.parts_sum
        for part in parts[:-1]:
            total += self._add_part(RemainingPart(sort_key(prefix, number), 0, part))
            number += 1
        if parts:
            total += self._add_part(RemainingPart(prefix, number, parts[-1]))
        self._state = self._state._replace(parts_sum=total % MODULUS)

    def _add_part(self, entry: RemainingPart) -> int:
        row = (entry.prefix, entry.number, part_to_json(entry.part))
        self._connection.execute("INSERT INTO parts VALUES (?, ?, ?)", row)
        self._left[entry.part] = entry
        return entry.digest

    def _add_solutions(self, key: bytes, result: WorkResult) -> int:
        assert result.solutions is not None
        options, lengths = (
            little_endian(array("i", column))
            for column in (result.solutions.options, result.solutions.lengths)
        )
        number = digest_of(key, options, lengths)
        self._connection.execute(
            "INSERT INTO slices (place, options, lengths, digest) VALUES (?, ?, ?, ?)",
            (key, options, lengths, number.to_bytes(32, "little")),
        )
        self._pending += len(options) + len(lengths)
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
            left, slices = len(self._left), self._state.slices
            log.debug(
                "journal %s: committed; %d parts left after %d slices", self.path, left, slices
            )
        except OperationalError as error:
            if wait or error.sqlite_errorcode & 0xFF != SQLITE_BUSY:
                raise
        finally:
            now = time.monotonic()
            self._next_commit = now + COMMIT_SHARE * (now - began)
            self._connection.execute(f"PRAGMA busy_timeout={int(files.BUSY_TIMEOUT * 1000)}")

    # -- reading back ------------------------------------------------------------------------------

    def next_slice(self, after: bytes) -> tuple[bytes, Pack] | None:
        """The next solutions in visiting order, with their sort key.

        They come after the sort key `after`, and before all parts that are left. None if the search
        has to go on first. A signal handler may raise at any point: nothing is changed.
        """
        with self._lock:
            self._check()
            query = "SELECT place, options, lengths, digest FROM slices WHERE place > ?"
            first = min((entry.sort_key for entry in self._left.values()), default=None)
            values: tuple[bytes, ...] = (after,)
            if first is not None:
                query, values = f"{query} AND place < ?", (after, first)
            with self._guarded(changes=False):
                row = self._connection.execute(f"{query} ORDER BY place LIMIT 1", values).fetchone()
                if row is None:
                    return None
                check_slice(row)
                if row[0] <= after:
                    raise DamagedJournal("its solutions are out of order")
                return row[0], unpacked(row[1], row[2], self._options)

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
            log.info(
                "journal %s: closed, with %d parts left and %d solutions found",
                self.path,
                len(self._left),
                self._state.stats[2],
            )

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
