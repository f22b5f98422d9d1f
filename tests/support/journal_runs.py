"""Running a random search with a journal, for tests: see `toy_search`."""

from __future__ import annotations

import os
import random
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from internals import search_one_slice, table_of
from toy_search import OPTIONS, ToyDriver, Tree

import dlx
from dlx.checkpoint.description import JournalDescription
from dlx.checkpoint.engine import JournalEngine
from dlx.checkpoint.journal_file import open_file
from dlx.checkpoint.problems import fingerprint, pack_problem
from dlx.checkpoint.writer import Writer
from dlx.search.search import Search


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A folder for journals: in memory where possible, since shared disks are slow.

    What tests are about is not how long a disk takes, and a kill leaves the same there.
    """
    memory = Path("/dev/shm")
    home = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=home) as folder:
        yield Path(folder)


def everything(folder: Path) -> dict[str, Any]:
    """What is in a folder, by name, and when it and the folder were changed."""
    found: dict[str, Any] = {".": folder.stat().st_mtime_ns}
    for entry in folder.iterdir():
        there = entry.lstat()
        content: object = None
        if stat.S_ISLNK(there.st_mode):
            content = os.readlink(entry)
        elif stat.S_ISREG(there.st_mode):
            content = entry.read_bytes()
        found[entry.name] = (there.st_mode, there.st_ino, there.st_mtime_ns, content)
    return found


PAGE = 4096
"""Bytes of a page of SQLite."""


def hot_journal(before: bytes, after: bytes) -> bytes:
    """What SQLite has in `run.db-journal` while a commit changes a file; it undoes that commit."""
    nonce, pages = 12345, len(before) // PAGE
    records = b""
    for number in range(pages):
        page = before[number * PAGE : (number + 1) * PAGE]
        if page != after[number * PAGE : (number + 1) * PAGE]:
            checksum = nonce + sum(page[PAGE - 200 : 0 : -200])
            records += (number + 1).to_bytes(4, "big") + page + checksum.to_bytes(4, "big")
    header = b"".join(
        number.to_bytes(4, "big")
        for number in (0xD9D505F9, 0x20A163D7, len(records) // (PAGE + 8), nonce, pages, 512, PAGE)
    )
    return header.ljust(512, b"\0") + records


problem = dlx.Problem.from_options([["a"]] * OPTIONS)
"""What the journals believe to be about: a problem with as many options as the trees have."""


class Run:
    """One run with the journal at a path: begun, or gone on with."""

    writer: Writer

    def __init__(
        self,
        path: Path,
        tree: Tree,
        rng: random.Random,
        kind: str = "solutions",
        driver: type[ToyDriver] = ToyDriver,
    ) -> None:
        packed = pack_problem(table_of(problem))
        question = JournalDescription(kind, fingerprint(table_of(problem)), packed.names)
        writer = open_file(Writer, str(path), question, packed, len(problem))
        keep = kind == "solutions"
        self.writer = writer
        self.engine = JournalEngine(
            writer,
            lambda: driver(tree, writer.start(), writer, rng, keep=keep),
            None,
            keep=keep,
        )

    def slices(self, number: int) -> None:
        """Does `number` slices, or fewer if the search ends before."""
        for _ in range(number):
            if not self.writer.finished:
                search_one_slice(self.engine)

    def all(self) -> list[Any]:
        return list(Search(self.engine, None, None))

    def close(self) -> None:
        self.engine.close()


def finish(path: Path, tree: Tree, seed: int = 0) -> list[Any]:
    """All solutions, by another run with the journal."""
    return Run(path, tree, random.Random(seed)).all()
