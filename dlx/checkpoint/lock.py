"""One process at a time: a lock that ends with the process that holds it.

The lock is on a file beside the journal, `run.db-lock`, which holds the id of the process. Where
there is `fcntl` it is an advisory lock of POSIX: the system drops it when the process ends, however
it ends; and unlike `flock` it does not pass on to children made by `fork`, which may outlive a
killed parent. On Windows it is a lock on one byte of the file, far behind its end. What a killed
process leaves behind is an unlocked file, which the next run locks, and removes when it is done.

Not on the journal itself: a process loses all its POSIX locks on a file when it closes *any*
descriptor of that file, and SQLite opens and closes it as it likes.

The name may belong to a file of the user's. So only a regular file that is empty, or holds nothing
but a process id, is ever written or removed; a symbolic link is not followed.
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
ATTEMPTS = 25  # `holder` holds a lock for a moment, too, in order to see whether it can
PAUSE = 0.02  # seconds
LOCKED_BYTE = 2**30  # on Windows, where nobody can read what is locked
PROCESS_ID = re.compile(rb"([0-9]{1,10})\r?\n?")

# Of these, no system has all. O_NONBLOCK: opening a FIFO would wait for a writer.
_SAFELY = sum(
    getattr(os, name, 0)
    for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOINHERIT", "O_BINARY")
)

_guard = threading.Lock()
_held: dict[str, int] = {}  # the paths that this process has locked; its id: a fork has not


class Lock:
    """Holds the lock of a journal until it is released. Raises `JournalError` if another does."""

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
                if locked and _is_at(file, self._beside):  # else it was removed meanwhile
                    self._check_content(file)
                    os.ftruncate(file, 0)
                    os.lseek(file, 0, os.SEEK_SET)
                    os.write(file, f"{self._process}\n".encode())
                    return file
                _close(file, locked=locked)
            except OSError as error:  # it cannot be written, or there are no locks
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
        """The lock file, made if there is none. Raises `JournalError` if it is something else."""
        try:
            with suppress(FileNotFoundError):  # before opening: to open a device may do something
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
        """Gives the lock back. In a fork of the process that took it, does nothing."""
        with _guard:
            if self._file < 0 or os.getpid() != self._process:
                return
            file, self._file = self._file, -1
            try:
                self._remove(file, locked=True)
            finally:  # Ctrl-C
                _held.pop(self._path, None)

    def _remove(self, file: int, *, locked: bool) -> None:
        """Closes the lock file, and removes it unless somebody has put another one there."""
        try:
            ours = False
            with suppress(OSError):
                ours = _is_at(file, self._beside) and _is_lock(file)
                if ours:
                    os.unlink(self._beside)
                    ours = False
        finally:
            _close(file, locked=locked)
        if ours:  # Windows removes no file that is open
            with suppress(OSError):
                os.unlink(self._beside)


def holder(path: str) -> int | None:
    """The process that writes to a journal, or None. A lock file left behind by a kill is none."""
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
            return _process_in(file) or 0  # 0: it has not written its id yet
        except OSError:
            return None
        finally:
            _close(file, locked=free)


# -- what systems do differently -----------------------------------------------------------------


def _lock(file: int, *, shared: bool = False) -> bool:
    """Locks a file; False if another process has. Raises OSError where there are no locks."""
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
    """Closes a file, which with POSIX ends its lock."""
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


# -- what is in the file -------------------------------------------------------------------------


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.lstat(path))
    except OSError:
        return False


def _content(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, 32)


def _is_lock(file: int) -> bool:
    """Is it empty, or a process id? Raises OSError if it cannot be read."""
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
