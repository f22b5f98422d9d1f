"""Opening journals, making them, and refusing what is none: every error of SQLite becomes ours.

A journal is an SQLite file in the mode with a rollback journal (`run.db-journal`, while a
transaction is open), with `synchronous=FULL`: a commit is on the disk when it returns, and a kill,
a full disk or a power cut in the middle of one leaves the one before. Not WAL: that needs memory
shared by all who look, leaves two more files behind after a kill, and cannot be read where nothing
may be written.

Whatever is refused is left as it was, byte for byte. So what a file is about is read first with
`immutable=1`, which neither locks nor recovers; those rows are written once and never change, so
that even a transaction cut short does not matter. Then everything is checked with `mode=ro`, and
only then opened for writing. The exception is a run that was cut off in the very middle of a
commit: SQLite must first undo that half of it, which is not a change of what the journal holds.

A file may be a stranger's. So its tables are compared with those of a journal before anything is
read from them, no value may be longer than the file, and signals are heeded while SQLite works.
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
from dlx.checkpoint.contents import APPLICATION, SCHEMA, VERSION, check_all, check_schema
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
    "read_problem",
    "read_question",
]

STEPS = 100_000  # of SQLite's machine, between two moments at which signals are heeded: about 1 ms
SHORTEST = 100_000  # bytes of a value that may always be read
LONGEST = 1_000_000_000  # bytes of a value, as SQLite has it
PATIENCE = 10.0  # seconds to wait for others who read or write for a moment

GO_ON = "what was recorded before is kept: see to it and run the same again to go on"


def check_path(path: object) -> str:
    """The absolute path of a journal, without symbolic links."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidArgument(f"checkpoint is {quote(path)}; it must be the path of a file")
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text:
        raise InvalidArgument(f"checkpoint is {quote(path)}; it must be the path of a file")
    return os.path.realpath(text)


@contextmanager
def guarded(path: str) -> Iterator[None]:
    """Raises `JournalError` for whatever SQLite has to say about a journal."""
    try:
        yield
    except DamagedJournal as damage:
        raise JournalError(
            f"{path}: the journal is damaged: {damage}; it is left as it is. Begin another, or "
            "restore this one from a copy"
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
        return JournalError(f"{path}: the journal is in use by another process, which locks it")
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
        return JournalError(f"{path}: this is no journal, or a damaged one; it is left as it is")
    return JournalError(f"{path}: the journal is damaged: SQLite says: {error}")


_raised: list[BaseException] = []  # by signal handlers, while SQLite was at work


def _attention() -> Iterator[int]:
    """What SQLite calls now and then while it works (`__next__`): signal handlers run in it.

    What they raise, such as KeyboardInterrupt, would get lost in the call. It is kept, and the
    answer 1 has SQLite stop with an error that `guarded` replaces by it. A generator, because
    signal handlers run as soon as a function begins, which is before any `try` in it.
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
    """A connection without automatic transactions, to a file that may be anybody's.

    `how`: the query of SQLite's URI.
    """
    connection = sqlite3.connect(
        f"file:{quote_path(os.fsencode(path))}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,  # threads take turns: see `writer`
        timeout=PATIENCE,
    )
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, SHORTEST)  # until the schema is known
        connection.set_progress_handler(_attention().__next__, STEPS)
        # Text that is no UTF-8 is no error of SQLite's: no value of ours is text.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    except BaseException:
        connection.close()
        raise
    return connection


# -- for those who only look ---------------------------------------------------------------------


def open_to_read(path: str) -> sqlite3.Connection:
    """A connection to a journal that writes nothing, but for undoing what was cut off.

    A transaction is open, so that all that is read belongs together.
    """
    check_file(path)
    with guarded(path):
        for how in ("mode=ro", "mode=rw"):  # the second one, if a commit was cut off
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


def read_question(path: str) -> JournalDescription | None:
    """The question of a journal; None if the file is empty, so that it has none yet.

    Nothing is locked or written, unless the very first commit was cut off: then that is undone.
    Raises `JournalError` for what is no journal.
    """
    check_file(path)
    with guarded(path):
        try:
            return _read_question(path)
        except (DamagedJournal, sqlite3.DatabaseError, UnicodeDecodeError):
            if not os.path.exists(f"{path}-journal"):
                raise
        connection = connect(path, "mode=rw")
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        finally:
            connection.close()
        return _read_question(path)


def _read_question(path: str) -> JournalDescription | None:
    if os.path.getsize(path) == 0:
        return None
    connection = connect(path, "mode=ro&immutable=1")
    try:
        _check_kind(path, connection)
        return contents.read_question(connection)
    finally:
        connection.close()


def read_problem(path: str) -> bytes:
    """The problem of a journal, packed. Nothing is locked or written."""
    connection = connect(path, "mode=ro&immutable=1")
    try:
        _check_kind(path, connection)
        return contents.read_fact(connection, "problem")
    finally:
        connection.close()


def check_file(path: str) -> None:
    """Raises `JournalError` unless there is an ordinary file."""
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
        raise JournalError(f"{path}: this is an SQLite file, but no journal; it is left as it is")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise JournalError(
            f"{path}: the journal is in version {version} of the format, and this program knows "
            f"up to {VERSION}; use a newer one. It is left as it is"
        )
    if version != VERSION:
        raise DamagedJournal(f"its version is {version}")
    check_schema(connection)
    # No value is longer than the file, which nobody writes to now. It could not be read in pieces.
    longest = min(max(os.path.getsize(path), SHORTEST), LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


# -- for those who write -------------------------------------------------------------------------


def open_checked(path: str) -> sqlite3.Connection:
    """A connection for writing to a journal that is there, all of which is sound."""
    connection = open_to_read(path)
    with guarded(path):
        try:
            check_all(connection)
        finally:
            connection.close()
        return _for_writing(path)


def create(path: str, facts: dict[str, bytes]) -> sqlite3.Connection:
    """A connection to a journal that is made, with these facts, or not at all.

    The transaction that makes it is open: the caller adds the first state and commits.
    """
    with guarded(path):
        connection = _for_writing(path)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={VERSION}")
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
        # Or a large transaction would begin to write, and shut out all readers, before its end.
        connection.execute("PRAGMA cache_spill=OFF")
        connection.execute("PRAGMA temp_store=MEMORY")
    except BaseException:
        connection.close()
        raise
    return connection
