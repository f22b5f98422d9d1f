"""Something that happens before each statement of SQLite: a copy of the files, or an error."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BeforeStatements = Callable[[Callable[[], None]], None]
"""Calling it with a function has that called before every statement."""


class _Observed(sqlite3.Connection):
    before: Callable[[], None] = staticmethod(lambda: None)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        type(self).before()
        return super().execute(*arguments)


@contextmanager
def before_statements() -> Iterator[BeforeStatements]:
    """Until this ends, new connections of `sqlite3` are observed."""

    def set_before(function: Callable[[], None]) -> None:
        _Observed.before = staticmethod(function)

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=_Observed, **k))
        yield set_before
    set_before(lambda: None)


@contextmanager
def copied_before_statements(path: Path, statements: BeforeStatements) -> Iterator[list[Path]]:
    """Copies of a file, with those beside it, as they are before each statement until this ends."""
    copies: list[Path] = []

    def copy() -> None:
        folder = path.parent / f"{len(copies)}"
        folder.mkdir()
        for file in path.parent.glob(f"{path.name}*"):
            shutil.copy(file, folder)
        copies.append(folder / path.name)

    statements(copy)
    yield copies
    statements(lambda: None)
