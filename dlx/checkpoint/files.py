"""Opening, creating and checking journal files; each error of SQLite becomes a `JournalError`.

A journal is an SQLite file with a rollback journal (`run.db-journal`, while a transaction is open)
and `synchronous=FULL`. So a commit is on the disk when it returns. After a kill, a full disk or a
power cut during a commit, the previous commit is still there. WAL mode does not fit: it needs
memory shared by all readers, leaves two more files after a kill, and cannot be read in a directory
that is not writable.

A file that is refused is left as it was, byte for byte. So the description of the journal is read
first, with `immutable=1`, which neither locks nor recovers. Those rows are written once and never
change, so that even an unfinished transaction does not matter. Then everything is checked with
`mode=ro`, and only then is the file opened for writing. There is one exception: if a run was killed
during a commit, SQLite must first undo the unfinished commit. That does not change what the
journal holds.

A file may come from a stranger. So its tables are compared with those of a journal before anything
is read from them, no value may be longer than the file, and signal handlers run while SQLite works.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from urllib.parse import quote as quote_path

from dlx.checkpoint import contents
from dlx.checkpoint.contents import APPLICATION, SCHEMA, VERSION, VERSIONS, check_all, check_schema
from dlx.checkpoint.description import JournalDescription
from dlx.checkpoint.values import DamagedJournal
from dlx.errors import InvalidArgument, JournalError, quote

__all__ = [
    "check_file",
    "check_path",
    "create",
    "guarded",
    "open_checked",
    "open_to_read",
    "read_description",
    "read_problem",
]

STEPS = 100_000  # instructions of SQLite between two runs of signal handlers: about 1 ms
SHORTEST = 100_000  # bytes of a value that may always be read
LONGEST = 1_000_000_000  # bytes of a value: SQLite's own limit
BUSY_TIMEOUT = 10.0  # seconds to wait for other processes that read or write

GO_ON = "what was recorded before is kept: solve this and run the same command again to go on"


def check_path(path: object) -> str:
    """Returns the absolute path of a journal, without symbolic links."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidArgument(f"checkpoint is {quote(path)}; it must be the path of a file")
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text:
        raise InvalidArgument(f"checkpoint is {quote(path)}; it must be the path of a file")
    return os.path.realpath(text)


@contextmanager
def guarded(path: str) -> Iterator[None]:
    """Turns errors of SQLite, and of damaged contents, into `JournalError`."""
    try:
        yield
    except DamagedJournal as damage:
        raise JournalError(
            f"{path}: the journal is damaged: {damage}; it is left as it is. Begin a new one, "
            "or restore this one from a copy"
        ) from None
    except sqlite3.Error as error:
        if _raised and getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            raise _raised.pop() from None
        raise _translated(path, error) from None
    except UnicodeDecodeError:  # SQLite quotes what it found
        raise JournalError(f"{path}: the journal is damaged; it is left as it is") from None
    except MemoryError:
        raise JournalError(f"{path}: the journal needs more memory than there is") from None


def _translated(path: str, error: sqlite3.Error) -> JournalError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(f"{path}: the journal is locked by another process")
    if code == sqlite3.SQLITE_FULL:
        return JournalError(f"{path}: the journal cannot be written: the disk is full; {GO_ON}")
    if code in (
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOLFS,
    ):
        return JournalError(
            f"{path}: the journal cannot be read or written ({error}): is the disk full, or the "
            f"file or its directory not writable? {GO_ON.capitalize()}"
        )
    if code == sqlite3.SQLITE_TOOBIG:
        return JournalError(
            f"{path}: the journal is damaged, or a value too large for SQLite: {error}"
        )
    if code == sqlite3.SQLITE_NOTADB:
        return JournalError(f"{path}: this is not a journal, or a damaged one; it is left as it is")
    return JournalError(f"{path}: the journal is damaged: SQLite says: {error}")


_raised: list[BaseException] = []  # what signal handlers raised while SQLite was at work


def _progress_handler() -> Iterator[int]:
    """Runs signal handlers: SQLite calls its `__next__` every `STEPS` instructions.

    SQLite would drop what a signal handler raises, such as KeyboardInterrupt. So the exception is
    kept, and the answer 1 makes SQLite stop with an error that `guarded` replaces by it. This is a
    generator because signal handlers run as soon as a function begins, before any `try` in it.
    """
    answer = 0
    while True:
        try:
            yield answer
            answer = 0
        except GeneratorExit:
            raise
        except BaseException as error:
            _raised.append(error)
            answer = 1


def connect(path: str, how: str) -> sqlite3.Connection:
    """Opens a connection without automatic transactions, to a file that may not be trusted.

    `how`: the query of SQLite's URI.
    """
    connection = sqlite3.connect(
        f"file:{quote_path(os.fsencode(path))}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,  # `Writer` has a lock for its threads
        timeout=BUSY_TIMEOUT,
    )
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, SHORTEST)  # until the schema is known
        connection.set_progress_handler(_progress_handler().__next__, STEPS)
        # Text that is not UTF-8 must not raise here: a journal has no text values.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    except BaseException:
        connection.close()
        raise
    return connection


# -- for readers ---------------------------------------------------------------------------------


def open_to_read(path: str) -> sqlite3.Connection:
    """Opens a connection for reading; it writes only to undo an unfinished commit.

    A transaction is open, so that all reads see the same state.
    """
    check_file(path)
    with guarded(path):
        for how in ("mode=ro", "mode=rw"):  # the second one undoes an unfinished commit
            connection = connect(path, how)
            try:
                connection.execute("BEGIN")
                _check_kind(path, connection)
                return connection
            except sqlite3.OperationalError as error:
                connection.close()
                again = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
                if how == "mode=rw" or error.sqlite_errorcode & 0xFF not in again:
                    raise
            except BaseException:
                connection.close()
                raise
    raise AssertionError("unreachable")


def read_description(path: str) -> JournalDescription | None:
    """Reads the description in a journal; None if the file is empty.

    Locks and writes nothing, except to undo an unfinished first commit. Raises `JournalError` if
    the file is not a journal.
    """
    check_file(path)
    with guarded(path):
        try:
            return _read_description(path)
        except (DamagedJournal, sqlite3.DatabaseError, UnicodeDecodeError):
            if not os.path.exists(f"{path}-journal"):
                raise
        connection = connect(path, "mode=rw")
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        finally:
            connection.close()
        return _read_description(path)


def _read_description(path: str) -> JournalDescription | None:
    if os.path.getsize(path) == 0:
        return None
    connection = connect(path, "mode=ro&immutable=1")
    try:
        _check_kind(path, connection)
        return contents.read_description(connection)
    finally:
        connection.close()


def read_problem(path: str) -> bytes:
    """Reads the packed problem of a journal. Locks and writes nothing."""
    connection = connect(path, "mode=ro&immutable=1")
    try:
        _check_kind(path, connection)
        return contents.read_fact(connection, "problem")
    finally:
        connection.close()


def check_file(path: str) -> None:
    """Raises `JournalError` unless the path leads to an ordinary file."""
    try:
        ordinary = stat.S_ISREG(os.stat(path).st_mode)
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}") from None
    if not ordinary:
        what = "a directory" if os.path.isdir(path) else "not an ordinary file"
        raise JournalError(f"{path}: this is {what}; a journal is a file")


def _check_kind(path: str, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise JournalError(
            f"{path}: this is an SQLite file, but not a journal; it is left as it is"
        )
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise JournalError(
            f"{path}: the journal has version {version} of the format, and this program reads up "
            f"to {VERSION}; use a newer program. The journal is left as it is"
        )
    if version not in VERSIONS:
        raise DamagedJournal(f"its version is {version}")
    check_schema(connection)
    # No value can be longer than the file, which no process writes to now.
    longest = min(max(os.path.getsize(path), SHORTEST), LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


# -- for writers ---------------------------------------------------------------------------------


def open_checked(path: str) -> sqlite3.Connection:
    """Opens an existing journal for writing, after checking all of it."""
    connection = open_to_read(path)
    with guarded(path):
        try:
            check_all(connection)
        finally:
            connection.close()
        return _for_writing(path)


def create(path: str, version: int, facts: dict[str, bytes]) -> sqlite3.Connection:
    """Creates a journal of this version, with these facts, and opens it for writing.

    The transaction that creates it is open: the caller adds the first state and commits.
    """
    with guarded(path):
        connection = _for_writing(path)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={version}")
            for line in SCHEMA:
                connection.execute(line)
            for name, value in facts.items():
                row = (name, value, sha256(value).digest())
                connection.execute("INSERT INTO facts VALUES (?, ?, ?)", row)
        except BaseException:
            connection.close()
            raise
        return connection


def _for_writing(path: str) -> sqlite3.Connection:
    connection = connect(path, "mode=rwc")
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        connection.execute("PRAGMA synchronous=FULL")
        # Otherwise SQLite may begin to write in a large transaction, which locks out all readers.
        connection.execute("PRAGMA cache_spill=OFF")
        connection.execute("PRAGMA temp_store=MEMORY")
    except BaseException:
        connection.close()
        raise
    return connection
