"""One process at a time: a lock that dies with the process that holds it.

The lock is an advisory one of POSIX on a file beside the journal, `run.db-lock`. The system drops
it when the process ends, however it ends; and unlike `flock` it does not pass on to children made
by `fork`, which may outlive a killed parent. What it leaves behind then is an empty-handed file,
which the next run locks, and removes when it is done.

Not on the journal itself: a process loses all its locks of this kind on a file when it closes *any*
descriptor of that file, and SQLite opens and closes it as it likes.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from contextlib import suppress

from dlx.errors import JournalError

__all__ = ["Lock", "holder"]

SUFFIX = "-lock"
ATTEMPTS = 25  # `holder` holds a lock for a moment, too, in order to see whether it can
PAUSE = 0.02  # seconds

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
            try:
                file = os.open(self._beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise JournalError(
                    f"{self._path}: no journal can be kept there: {error.strerror} ({self._beside})"
                ) from None
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(file, self._beside):  # else it was removed meanwhile
                    os.truncate(file, 0)
                    os.write(file, f"{self._process}\n".encode())
                    return file
            except OSError as error:
                in_use = isinstance(error, BlockingIOError | PermissionError)
                if not in_use:  # it cannot be written, or there are no locks
                    with suppress(OSError):
                        os.unlink(self._beside)
                os.close(file)
                if not in_use:
                    raise JournalError(
                        f"{self._path}: the journal cannot be locked: {error.strerror}"
                    ) from None
            else:
                os.close(file)
        process = _process_in(self._beside)
        who = "another process" if process is None else f"process {process}"
        raise JournalError(
            f"{self._path}: the journal is in use by {who}; wait for it to end, or stop it"
        )

    def release(self) -> None:
        """Gives the lock back. In a fork of the process that took it, does nothing."""
        with _guard:
            if self._file < 0 or os.getpid() != self._process:
                return
            file, self._file = self._file, -1
            try:
                with suppress(OSError):
                    if _is_at(file, self._beside):  # else somebody removed it, and it is another's
                        os.unlink(self._beside)
            finally:  # Ctrl-C
                _held.pop(self._path, None)
                os.close(file)


def holder(path: str) -> int | None:
    """The process that writes to a journal, or None. A lock that was left behind is none."""
    with _guard:
        if _held.get(path) == os.getpid():
            return os.getpid()
        try:
            file = os.open(path + SUFFIX, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _process_in(path + SUFFIX) or 0
        finally:
            os.close(file)
        return None


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except OSError:
        return False


def _process_in(path: str) -> int | None:
    with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
        return int(file.readline())
    return None
