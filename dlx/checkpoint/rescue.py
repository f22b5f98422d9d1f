"""Saves a journal whose file is removed, moved or replaced while a search writes it.

SQLite still has the file open and can read it. So what was committed is written to a new file: at
the same path, or beside it if there is another file now. No existing file is overwritten.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from dlx.errors import JournalError

__all__ = ["identity", "rescue"]

SUFFIX = "-rescued"


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of the file at a path; None if there is no file."""
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_dev, there.st_ino


def rescue(path: str, connection: sqlite3.Connection) -> JournalError:
    """Writes what was committed to a new file; returns the error that says where, or why not."""
    gone = f"{path}: the journal was removed or replaced while a search wrote it"
    target = path + SUFFIX if os.path.lexists(path) else path
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        return JournalError(
            f"{gone}, and cannot be written anew: {error.strerror} ({target}). Its work is lost "
            "unless the file is somewhere else"
        )
    try:
        with suppress(sqlite3.Error):
            connection.rollback()
        copy = sqlite3.connect(target)
        try:
            connection.backup(copy)
        finally:
            copy.close()
    except BaseException as error:
        os.unlink(target)
        if not isinstance(error, sqlite3.Error):
            raise
        return JournalError(f"{gone}, and cannot be written anew: {error}. Its work is lost")
    if target == path:
        return JournalError(
            f"{gone}. What was committed was written anew: run the same command again to go on"
        )
    return JournalError(
        f"{gone}. What was committed was written to {target}: move it where you want it, and run "
        "the same command with that path to go on"
    )
