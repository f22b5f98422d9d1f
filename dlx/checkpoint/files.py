"""Opening, creating and checking journal files; each error of SQLite becomes a `JournalError`.

A journal is an SQLite file with a rollback journal (`run.db-journal`, while a transaction is open)
and `synchronous=FULL`. So a commit is on the disk when it returns. After a kill, a full disk or a
power cut during a commit, the previous commit is still there. WAL mode does not fit: it needs
memory shared by all readers, leaves two more files after a kill, and cannot be read in a directory
that is not writable.

Readers change nothing, and a file that is refused is left as it was, byte for byte. So a journal is
read with `mode=ro`, and a writer opens it for writing after everything in it was checked. SQLite
cannot read all journals without writing: a run was killed during a commit, which has to be undone,
or another program has switched the file to WAL mode. Such a journal is read in a copy. If the very
first commit is undone, the file is empty, which is a new journal.

A file may come from a stranger. So its tables are compared with those of a journal before anything
is read from them, no value may be longer than the file, and signal handlers run while SQLite works.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from hashlib import sha256
from tempfile import TemporaryDirectory
from urllib.parse import quote as quote_path

from dlx.checkpoint.contents import (
    APPLICATION,
    SCHEMA,
    VERSION,
    VERSIONS,
    bytes_of,
    check_schema,
)
from dlx.checkpoint.values import DamagedJournal
from dlx.core import arguments
from dlx.errors import InvalidArgument, JournalError, quote

__all__ = [
    "EmptyJournal",
    "check_file",
    "check_path",
    "check_side_files",
    "closed_after_error",
    "create",
    "guarded",
    "open_to_read",
    "open_to_write",
]

STEPS = 100_000  # instructions of SQLite between two runs of signal handlers: about 1 ms
SHORTEST = 100_000  # bytes of a value that may always be read
LONGEST = 1_000_000_000  # bytes of a value: SQLite's own limit
BUSY_TIMEOUT = 10.0  # seconds to wait for other processes that read or write
COPIES = 5  # attempts to copy a journal while other processes open it
SIDE_FILES = {  # and how each begins, or with zeros
    "-journal": b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
    "-wal": b"\x37\x7f\x06",
}

GO_ON = "what was recorded before is kept: solve this and run the same command again to go on"


class EmptyJournal(JournalError):
    """An empty file: a journal in which nothing was recorded."""


def check_path(path: object) -> str:
    """Returns the absolute path of a journal, without symbolic links."""
    text = arguments.check_path("checkpoint", path)
    if not text:
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
    with closed_after_error(connection):
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, SHORTEST)  # until the schema is known
        connection.set_progress_handler(_progress_handler().__next__, STEPS)
        # Text that is not UTF-8 must not raise here: a journal has no text values.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    return connection


@contextmanager
def closed_after_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Closes the connection if the block raises."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


# -- for readers ---------------------------------------------------------------------------------


@contextmanager
def open_to_read(path: str) -> Iterator[sqlite3.Connection]:
    """Opens a journal for one short read, in a transaction: all reads see the same state.

    Neither the file nor its directory is changed. Raises `EmptyJournal`, or `JournalError` if the
    file is not a journal.
    """
    check_file(path)
    check_side_files(path)
    with guarded(path):
        try:
            connection = _begin_to_read(path, path, "mode=ro")
        except sqlite3.OperationalError as error:
            code = error.sqlite_errorcode
            if code != sqlite3.SQLITE_IOERR_LOCK and code & 0xFF not in (
                sqlite3.SQLITE_READONLY,
                sqlite3.SQLITE_CANTOPEN,
            ):
                raise
        else:
            with closing(connection):
                yield connection
            return
        with _copied(path) as copy, closing(_begin_to_read(path, copy, "mode=rw")) as connection:
            yield connection


def _begin_to_read(path: str, copy: str, how: str) -> sqlite3.Connection:
    """Begins a transaction on the journal of a path, in a file that may be a copy of it."""
    _check_not_empty(path, copy)  # SQLite may remove files beside an empty one
    connection = connect(copy, how)
    with closed_after_error(connection):
        # In WAL mode this needs a lock that `mode=ro` cannot take, before any file is made.
        connection.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
        connection.execute("BEGIN")
        connection.execute("PRAGMA schema_version").fetchone()  # undoes an unfinished commit
        _check_not_empty(path, copy)
        _check_kind(path, connection)
    return connection


@contextmanager
def _copied(path: str) -> Iterator[str]:
    """Copies a journal and the files beside it into a temporary directory."""
    try:
        folder = TemporaryDirectory(prefix="dlx-")
    except OSError as error:
        raise _not_copied(path, error) from None
    with folder:
        copy = os.path.join(folder.name, "journal")
        for _ in range(COPIES):
            before = _stamps(path)
            try:
                for suffix, stamp in before.items():
                    if stamp is not None:
                        shutil.copyfile(path + suffix, copy + suffix)
                    elif os.path.exists(copy + suffix):
                        os.unlink(copy + suffix)
            except FileNotFoundError:  # another process has undone the commit meanwhile
                continue
            except OSError as error:
                raise _not_copied(path, error) from None
            if before == _stamps(path):
                break
        else:
            raise JournalError(f"{path}: the journal is in use by another process; try again")
        yield copy


def _stamps(path: str) -> dict[str, tuple[int, int, int] | None]:
    """What changes when a file is written or replaced, by suffix; None if there is no file."""
    stamps: dict[str, tuple[int, int, int] | None] = dict.fromkeys(("", *SIDE_FILES))
    for suffix in stamps:
        with suppress(OSError):
            found = os.stat(path + suffix)
            stamps[suffix] = found.st_ino, found.st_size, found.st_mtime_ns
    return stamps


def _not_copied(path: str, error: OSError) -> JournalError:
    return JournalError(
        f"{path}: a run was killed during a commit, which must be undone in a copy to read the "
        f"journal, and it cannot be copied: {error}. Set TMPDIR to a directory with enough space"
    )


def _check_not_empty(path: str, copy: str) -> None:
    if os.path.getsize(copy) == 0:
        raise EmptyJournal(f"{path}: the file is empty: no search has recorded anything in it yet")


def check_side_files(path: str, *, writing: bool = False) -> None:
    """Raises `JournalError` if files of the user's have the names of the files beside a journal.

    SQLite would wait for a FIFO, follow a link, and overwrite or remove a file; the latter only for
    `writing`.
    """
    for suffix, magic in SIDE_FILES.items():
        beside = path + suffix
        try:
            ordinary = stat.S_ISREG(os.lstat(beside).st_mode)
        except OSError:
            continue
        if ordinary and writing:
            begins = b"?"
            with suppress(OSError), open(beside, "rb") as file:
                begins = file.read(len(magic))
            ordinary = begins in (magic[: len(begins)], bytes(len(begins)))
        if not ordinary:
            raise JournalError(
                f"{path}: SQLite keeps unfinished commits in {beside}, and that is something else; "
                "it is left as it is. Move it away, or give the journal another name"
            )


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
    longest = min(max(bytes_of(connection), SHORTEST), LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


# -- for writers ---------------------------------------------------------------------------------


def open_to_write(path: str) -> sqlite3.Connection:
    """Opens a journal for writing. The caller has the lock, and has checked what is in it."""
    with guarded(path):
        return _for_writing(path)


def create(path: str, version: int, facts: dict[str, bytes]) -> sqlite3.Connection:
    """Creates a journal of this version, with these facts, and opens it for writing.

    The transaction that creates it is open: the caller adds the first state and commits.
    """
    with guarded(path):
        connection = _for_writing(path)
        with closed_after_error(connection):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={version}")
            for line in SCHEMA:
                connection.execute(line)
            for name, value in facts.items():
                row = (name, value, sha256(value).digest())
                connection.execute("INSERT INTO facts VALUES (?, ?, ?)", row)
        return connection


def _for_writing(path: str) -> sqlite3.Connection:
    connection = connect(path, "mode=rwc")
    with closed_after_error(connection):
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        connection.execute("PRAGMA synchronous=FULL")
        # Otherwise SQLite may begin to write in a large transaction, which locks out all readers.
        connection.execute("PRAGMA cache_spill=OFF")
        connection.execute("PRAGMA temp_store=MEMORY")
    return connection
