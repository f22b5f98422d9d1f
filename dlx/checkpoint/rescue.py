"""A journal whose file somebody removes, moves or replaces while a search writes it.

SQLite still has it open, and so it can be read to the end: what was committed is written anew where
it was, or beside it if there is something else now. Nobody's file is written over.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from dlx.errors import JournalError

__all__ = ["identity", "rescued"]

SUFFIX = "-rescued"


def identity(path: str) -> tuple[int, int] | None:
    """What tells the file at a path from all others; None if there is none."""
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_dev, there.st_ino


def rescued(path: str, connection: sqlite3.Connection) -> JournalError:
    """Writes the journal of a connection anew; returns the error that says so, or why it cannot."""
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
            f"{gone}. What was recorded was written anew: run the same again to go on"
        )
    return JournalError(
        f"{gone}. What was recorded was written to {target}: move it where you want it, and run "
        "the same with it to go on"
    )
