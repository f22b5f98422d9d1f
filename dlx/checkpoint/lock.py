"""The lock file of a journal: one writing process at a time; the lock ends with its process.

The lock file `run.db-lock` is beside the journal and holds the id of the process. Where there is
`fcntl`, the lock is an advisory POSIX lock. The system releases it when the process ends, however
it ends. Unlike a `flock` lock, it is not inherited by children made by `fork`, which may outlive a
killed parent. On Windows it is a lock on one byte, far behind the end of the file. A killed process
leaves behind an unlocked file, which the next run locks, and removes when it is done.

The journal itself is not locked this way: a process loses all its POSIX locks on a file when it
closes *any* descriptor of that file, and SQLite opens and closes it at any time.

A file of the user's may have the name of the lock file. So only a regular file that is empty or
holds nothing but a process id is ever written or removed. Symbolic links are not followed.
"""

from __future__ import annotations

import os
import re
import stat
import threading
import time
from contextlib import suppress
from importlib import import_module

from dlx.errors import JournalError

__all__ = ["Lock", "holder"]

SUFFIX = "-lock"
ATTEMPTS = 25  # more than one, because `holder` takes the lock for a moment to test it
PAUSE = 0.02  # seconds between two attempts
LOCKED_BYTE = 2**30  # on Windows, where other processes cannot read a locked byte
PROCESS_ID = re.compile(rb"([0-9]{1,10})\r?\n?")

# No system has all of these. O_NONBLOCK: without it, opening a FIFO would wait for a writer.
_SAFELY = sum(
    getattr(os, name, 0)
    for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOINHERIT", "O_BINARY")
)

_guard = threading.Lock()
_held: dict[str, int] = {}  # locked paths; the process id tells this process from its forks


class Lock:
    """The lock of a journal, held until `release`.

    Raises `JournalError` if another process holds it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._beside = path + SUFFIX
        self._process = os.getpid()
        with _guard:
            if _held.get(path) == self._process:
                raise JournalError(f"{path}: this process already writes to the journal")
            self._file = self._take()
            _held[path] = self._process

    def _take(self) -> int:
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(PAUSE)
            file = self._open()
            locked = False
            try:
                locked = _lock(file)
                if locked and _is_at(file, self._beside):  # otherwise it was removed meanwhile
                    self._check_content(file)
                    os.ftruncate(file, 0)
                    os.lseek(file, 0, os.SEEK_SET)
                    os.write(file, f"{self._process}\n".encode())
                    return file
                _close(file, locked=locked)
            except OSError as error:  # not writable, or a file system without locks
                self._remove(file, locked=locked)
                raise JournalError(
                    f"{self._path}: the journal cannot be locked: {error.strerror}"
                ) from None
            except BaseException:
                _close(file, locked=locked)
                raise
        process = _process_at(self._beside)
        writer = "another process" if process is None else f"process {process}"
        raise JournalError(
            f"{self._path}: the journal is in use by {writer}; wait for it to end, or stop it"
        )

    def _open(self) -> int:
        """Opens or creates the lock file. Raises `JournalError` if it is something else."""
        try:
            with suppress(FileNotFoundError):  # first, because opening a device may have effects
                self._check_kind(os.lstat(self._beside))
            file = os.open(self._beside, os.O_RDWR | os.O_CREAT | _SAFELY, 0o666)
        except OSError as error:
            raise JournalError(
                f"{self._path}: no journal can be kept there: {error.strerror} ({self._beside})"
            ) from None
        try:
            self._check_kind(os.fstat(file))
            self._check_content(file)
        except BaseException:
            os.close(file)
            raise
        return file

    def _check_kind(self, found: os.stat_result) -> None:
        if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
            return
        what = "a file with several names" if stat.S_ISREG(found.st_mode) else "something else"
        for is_it, name in (
            (stat.S_ISLNK, "a symbolic link"),
            (stat.S_ISDIR, "a directory"),
            (stat.S_ISFIFO, "a FIFO"),
            (stat.S_ISSOCK, "a socket"),
        ):
            if is_it(found.st_mode):
                what = name
        raise self._not_ours(what)

    def _check_content(self, file: int) -> None:
        if not _is_lock(file):
            raise self._not_ours("a file with something else in it")

    def _not_ours(self, what: str) -> JournalError:
        return JournalError(
            f"{self._path}: its lock file would be {self._beside}, and that is {what}; it is left "
            "as it is. Move it away, or give the journal another name"
        )

    def release(self) -> None:
        """Releases the lock. Does nothing in a fork of the process that took it."""
        with _guard:
            if self._file < 0 or os.getpid() != self._process:
                return
            file, self._file = self._file, -1
            try:
                self._remove(file, locked=True)
            finally:  # Ctrl-C
                _held.pop(self._path, None)

    def _remove(self, file: int, *, locked: bool) -> None:
        """Closes the lock file, and removes it unless another file has taken its place."""
        try:
            ours = False
            with suppress(OSError):
                ours = _is_at(file, self._beside) and _is_lock(file)
                if ours:
                    os.unlink(self._beside)
                    ours = False
        finally:
            _close(file, locked=locked)
        if ours:  # Windows does not remove an open file
            with suppress(OSError):
                os.unlink(self._beside)


def holder(path: str) -> int | None:
    """Id of the process that writes to a journal, or None. An unlocked lock file does not count."""
    with _guard:
        if _held.get(path) == os.getpid():
            return os.getpid()
        try:
            if not stat.S_ISREG(os.lstat(path + SUFFIX).st_mode):
                return None
            file = os.open(path + SUFFIX, os.O_RDONLY | _SAFELY)
        except OSError:
            return None
        free = False
        try:
            free = _lock(file, shared=True)
            if free or not _is_lock(file):
                return None
            return _process_in(file) or 0  # 0: the process has not written its id yet
        except OSError:
            return None
        finally:
            _close(file, locked=free)


# -- POSIX and Windows ---------------------------------------------------------------------------


def _lock(file: int, *, shared: bool = False) -> bool:
    """Locks a file; False if another process has locked it. OSError where there are no locks."""
    try:
        try:
            import fcntl
        except ModuleNotFoundError:
            _lock_a_byte(file, "LK_NBLCK")
        else:
            kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.lockf(file, kind | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _close(file: int, *, locked: bool) -> None:
    """Closes a file; on POSIX systems that releases its lock."""
    try:
        if locked:
            try:
                import fcntl  # noqa: F401
            except ModuleNotFoundError:
                with suppress(OSError):
                    _lock_a_byte(file, "LK_UNLCK")
    finally:
        os.close(file)


def _lock_a_byte(file: int, how: str) -> None:
    try:
        msvcrt = import_module("msvcrt")
    except ModuleNotFoundError:
        raise OSError(0, "this Python has neither fcntl nor msvcrt") from None
    os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
    msvcrt.locking(file, getattr(msvcrt, how), 1)


# -- contents of the lock file -------------------------------------------------------------------


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.lstat(path))
    except OSError:
        return False


def _content(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, 32)


def _is_lock(file: int) -> bool:
    """Is the file empty, or a process id? Raises OSError if it cannot be read."""
    content = _content(file)
    return not content or PROCESS_ID.fullmatch(content) is not None


def _process_in(file: int) -> int | None:
    found = PROCESS_ID.fullmatch(_content(file))
    return None if found is None else int(found[1])


def _process_at(path: str) -> int | None:
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | _SAFELY)
        try:
            return _process_in(file)
        finally:
            os.close(file)
    return None
