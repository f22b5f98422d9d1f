"""Who writes a journal: a `Recorder` that keeps every slice of a search in an SQLite file.

A slice is recorded by a few rows, all of them or none: its part goes, what is left of it comes, the
totals are replaced, and its solutions are added. Several slices may share a transaction: a commit
waits for the disk, and so it comes at the end of a slice only if all commits together have taken no
more than a hundredth of the time. What is not committed is done once more after a crash, no matter
how much that is: nothing can be lost or found twice, because the parts that are left and the
solutions that were found change together.
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
    Left,
    check_slice,
    digest_of,
    part_to_json,
    read_parts,
    read_state,
    unpacked,
)
from dlx.checkpoint.lock import Lock
from dlx.checkpoint.order import place
from dlx.checkpoint.problems import first_difference, unpack_problem
from dlx.checkpoint.rescue import identity, rescued
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
"""Commits take a hundredth of the time at most, those of large transactions aside."""
LARGEST_TRANSACTION: Final = 16 * 2**20  # bytes of solutions
READ_LOCKED: Final = 0.05  # seconds to wait for readers at a commit that can come later


def open_writer(
    path: str | os.PathLike[str], question: JournalDescription, packed: PackedProblem, options: int
) -> Writer:
    """The journal of a question, to go on with; made if there is none.

    `options` is their number in the problem.

    Raises `JournalError` for one of another problem or question, and for whatever else cannot be
    used: it is left as it was.
    """
    path = files.check_path(path)
    if os.path.lexists(path):
        files.check_file(path)
    lock = Lock(path)
    existed = True  # until that is known: another run may have made it before the lock was ours
    try:
        existed = os.path.lexists(path)
        there = files.read_question(path) if existed else None
        if there is not None:
            _check_question(path, there, question, packed)
            connection = files.open_checked(path)
        else:
            connection = files.create(path, _facts(question, packed))
        try:
            with files.guarded(path):
                return Writer(path, lock, connection, question, options, new=there is None)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        if not existed:
            with suppress(OSError):
                os.unlink(path)  # which has nothing in it
        lock.release()
        raise


def _check_question(
    path: str, there: JournalDescription, wanted: JournalDescription, packed: PackedProblem
) -> None:
    difference = there.difference(wanted)
    if difference is None:
        return
    if there.is_of_same_problem(wanted):
        raise JournalError(
            f"{path}: the journal is {difference}; it is left as it is. Give each question a "
            "journal of its own"
        )
    with suppress(DamagedJournal, sqlite3.Error):
        there_packed = files.read_problem(path)
        told = first_difference(unpack_problem(there_packed), unpack_problem(packed.data))
        if told is not None:
            difference = f"{difference}: {told}"
    raise JournalError(
        f"{path}: the journal is {difference}. It is left as it is; give each problem a journal of "
        "its own"
    )


def _facts(question: JournalDescription, packed: PackedProblem) -> dict[str, bytes]:
    import json
    import platform
    from importlib import metadata

    made = {
        "version": metadata.version("exactcover"),
        "python": platform.python_version(),
        "time": time.time(),
    }
    return {
        "question": question.to_json().encode(),
        "problem": packed.data,
        "made": json.dumps(made).encode(),
    }


class Writer:
    """A journal that is open for writing, by this process alone: see `open_writer`.

    Threads may call its methods as they like. After an error of the file it does nothing any more
    but raise that error again; what was committed before is in the file.
    """

    def __init__(
        self,
        path: str,
        lock: Lock,
        connection: Connection,
        question: JournalDescription,
        options: int,
        *,
        new: bool,
    ) -> None:
        self.path = path
        self._turn = threading.RLock()
        self._lock = lock
        self._connection = connection
        self._file = identity(path)
        self._options = options
        self._keep = question.kind != "count"
        self._process = os.getpid()
        self._broken: JournalError | None = None
        self._closed = True  # until all is well
        self._pending = 0  # bytes of solutions in the transaction
        self._began = time.monotonic()
        self._next_commit = self._began
        self._state = JournalTotals() if new else read_state(connection)
        self._left: dict[Part, Left] = {}
        self._digest: object = b""  # of the state that this run wrote last
        if new:
            self._add(b"", 0, (question.part,))
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

    # -- what there is -----------------------------------------------------------------------------

    @property
    def state(self) -> JournalTotals:
        """The totals, of what is not committed, too."""
        return self._state

    @property
    def finished(self) -> bool:
        """Is no part left? To be asked before looking for what was found: it may come meanwhile."""
        with self._turn:  # or it might be between taking a part out and putting in what is left
            return not self._left

    def start(self) -> Start:
        """Where the search has to go on."""
        from dlx.engines.protocols import Start

        with self._turn:
            return Start(tuple(self.parts_left()), self._state.stats)

    def parts_left(self) -> list[Part]:
        """What is left to be searched, in visiting order."""
        with self._turn:
            left = sorted(self._left.values(), key=lambda entry: entry.place)
        return [entry.part for entry in left]

    # -- recording ---------------------------------------------------------------------------------

    def done(self, part: Part, piece: WorkResult) -> None:
        """Replaces a part by what is left of it, and keeps what was found: see `Recorder`."""
        with self._turn:
            self._check()
            with self._guarded():
                if not self._connection.in_transaction:
                    self._check_there()
                    self._connection.execute("BEGIN IMMEDIATE")
                    self._check_nobody_else()
                self._record(part, piece)
                self._write_state()
                large = self._pending > LARGEST_TRANSACTION
                if large or time.monotonic() >= self._next_commit:
                    self._commit(wait=large)

    def _record(self, part: Part, piece: WorkResult) -> None:
        entry = self._left.pop(part)
        prefix, number, _ = entry
        self._connection.execute("DELETE FROM parts WHERE prefix = ?", (prefix,))
        state = self._state
        slices_sum = state.slices_sum
        if self._keep and piece.found:
            slices_sum += self._add_solutions(entry.place, piece)
            number += 1
        self._state = state._replace(
            stats=add_stats(state.stats, piece.stats),
            slices=state.slices + 1,
            parts_done=state.parts_done + (not piece.left),
            elapsed=self._before + time.monotonic() - self._began,
            parts_sum=(state.parts_sum - entry.digest) % MODULUS,
            slices_sum=slices_sum % MODULUS,
        )
        self._add(prefix, number, piece.left)

    def _add(self, prefix: bytes, number: int, parts: tuple[Part, ...]) -> None:
        """Puts parts where another one was. The last of them keeps its prefix: see `places`."""
        total = self._state.parts_sum
        for part in parts[:-1]:
            total += self._add_part(Left(place(prefix, number), 0, part))
            number += 1
        if parts:
            total += self._add_part(Left(prefix, number, parts[-1]))
        self._state = self._state._replace(parts_sum=total % MODULUS)

    def _add_part(self, entry: Left) -> int:
        row = (entry.prefix, entry.number, part_to_json(entry.part))
        self._connection.execute("INSERT INTO parts VALUES (?, ?, ?)", row)
        self._left[entry.part] = entry
        return entry.digest

    def _add_solutions(self, where: bytes, piece: WorkResult) -> int:
        assert piece.solutions is not None
        options, lengths = (
            little_endian(array("i", column))
            for column in (piece.solutions.options, piece.solutions.lengths)
        )
        number = digest_of(where, options, lengths)
        self._connection.execute(
            "INSERT INTO slices (place, options, lengths, digest) VALUES (?, ?, ?, ?)",
            (where, options, lengths, number.to_bytes(32, "little")),
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
        """Raises `JournalError` if the file that is written has no longer its name."""
        if identity(self.path) != self._file:
            raise JournalError(f"{self.path}: the journal is gone")

    def _check_nobody_else(self) -> None:
        """Against locks that do not hold: removed by somebody, or on a file system without."""
        if self._read_digest() != self._digest:
            raise JournalError(
                f"{self.path}: another process has written to the journal, which is left as that "
                f"has it; was {self.path}-lock removed? Let only one of them go on"
            )

    def _commit(self, *, wait: bool) -> None:
        """Ends the transaction, unless somebody is reading and it need not be now."""
        began = time.monotonic()
        patience = files.PATIENCE if wait else READ_LOCKED
        self._connection.execute(f"PRAGMA busy_timeout={int(patience * 1000)}")
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
            self._connection.execute(f"PRAGMA busy_timeout={int(files.PATIENCE * 1000)}")

    # -- reading back ------------------------------------------------------------------------------

    def next_slice(self, after: bytes) -> tuple[bytes, Pack] | None:
        """The place of the next solutions in visiting order, and these.

        Those after a place, and before all parts that are left: None if the search has to go on
        first. A signal may come at any point: nothing is changed.
        """
        with self._turn:
            self._check()
            query = "SELECT place, options, lengths, digest FROM slices WHERE place > ?"
            first = min((entry.place for entry in self._left.values()), default=None)
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
        """Brings to the disk what was recorded."""
        with self._turn:
            self._check()
            with self._guarded():
                if self._connection.in_transaction:
                    self._commit(wait=True)
                self._check_there()

    def close(self) -> None:
        """Commits, and lets go of the file. It may be closed again."""
        with self._turn:
            if self._closed or os.getpid() != self._process:
                return
            try:
                self.commit()
            finally:
                self._let_go()
            log.info(
                "journal %s: closed, with %d parts left and %d solutions found",
                self.path,
                len(self._left),
                self._state.stats[2],
            )

    def _let_go(self) -> None:
        self._closed = True
        try:
            self._connection.close()  # which undoes what was not committed
        finally:
            self._lock.release()

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
                f"{self.path}: the journal is written by process {self._process}, of which this "
                "one is a fork"
            )

    @contextmanager
    def _guarded(self, *, changes: bool = True) -> Iterator[None]:
        """After an error of the file it is given up; and so it is after any other, Ctrl-C included,
        in the middle of changes: nobody knows then what is in the transaction. If the file is gone,
        what was committed is written anew.
        """
        try:
            with files.guarded(self.path):
                yield
        except BaseException as error:
            if isinstance(error, JournalError) and identity(self.path) != self._file:
                self._broken = rescued(self.path, self._connection)
            elif isinstance(error, JournalError):
                self._broken = error
            elif changes:
                self._broken = JournalError(f"{self.path}: the journal was left by {error!r}")
            else:
                raise
            log.info("journal: %s", self._broken)
            self._let_go()
            if isinstance(error, JournalError) and error is not self._broken:
                raise self._broken from None
            raise
