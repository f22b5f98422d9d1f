"""The journal of a `minimum` or `maximum`: what `checkpoint=` makes there.

Nothing is ever added to such a journal: each record replaces the one before. It has the best
solutions so far, the bound of all others, and the state of the engine, which knows what is left
(`dlx/cpp/minimum/saved_state.hpp`). When the search has ended, the file has the answer.
"""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Sequence
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Final

from dlx.checkpoint.contents import (
    MODULUS,
    RankingState,
    RemainingPart,
    check_slice,
    read_parts,
    read_ranking,
    unpacked,
)
from dlx.checkpoint.journal_file import COMMIT_SHARE, JournalFile, open_file
from dlx.checkpoint.problems import fingerprint, pack_problem
from dlx.checkpoint.values import DamagedJournal
from dlx.core.part import Part
from dlx.errors import JournalError

if TYPE_CHECKING:
    from dlx.checkpoint.description import JournalDescription
    from dlx.core.stats import Stats
    from dlx.core.table import Table

__all__ = ["RECORD_INTERVAL", "RankingJournal", "open_ranking"]

RECORD_INTERVAL: Final = 0.25  # seconds between two records, at least
PLACE: Final = b"1"  # of the only slice


def open_ranking(
    path: str | os.PathLike[str], description: JournalDescription, table: Table
) -> RankingJournal:
    """Opens the journal of a `minimum` or `maximum`; creates it if the file does not exist.

    The fingerprint and the names in the description are filled in. Raises `JournalError` if the
    journal is of another problem or call, or cannot be used. Then the file is left as it was.
    """
    packed = pack_problem(table)
    wanted = description._replace(fingerprint=fingerprint(table), names=packed.names)
    return open_file(RankingJournal, path, wanted, packed, len(table))


class RankingJournal(JournalFile):
    """The journal of a search for the best solutions: see `open_ranking`."""

    _left: list[RemainingPart]
    _known: RankingState

    def _load(self, description: JournalDescription, *, new: bool) -> None:
        if new:
            self._left = [RemainingPart(b"", 0, Part())]
            total = self._insert_part(self._left[0])
            self._state = self._state._replace(parts_sum=total % MODULUS)
            self._known = RankingState()
            self._write_known()
        else:
            self._left = read_parts(self._connection, self._state)
            self._known = read_ranking(self._connection)

    def _summary(self) -> str:
        known = self._known
        return f"{'finished' if self.finished else 'unfinished'}, best {known.best}"

    @property
    def finished(self) -> bool:
        """Whether the best solutions so far are the answer."""
        return not self._left

    @property
    def saved(self) -> bytes:
        """The state of the engine; empty if it has not begun."""
        return self._known.saved

    @property
    def stats(self) -> Stats:
        """The work of all runs so far."""
        return self._state.stats

    @property
    def due(self) -> bool:
        """Whether it is time for a record."""
        return time.monotonic() >= self._next_commit

    def best(self) -> list[tuple[int, ...]]:
        """The best solutions recorded, the best first, as indices of options."""
        with self._lock:
            self._check()
            with self._guarded(changes=False):
                query = "SELECT place, options, lengths, digest FROM slices LIMIT 1"
                row = self._connection.execute(query).fetchone()
                if row is None:
                    return []
                check_slice(row)
                found: list[tuple[int, ...]] = []
                pack = unpacked(row[1], row[2], self._options)
                pack.take(len(pack), None, found)
                return found

    def damaged(self, what: str) -> JournalError:
        """The error for a state that the engine refuses. Closes the journal."""
        try:
            with self._guarded(changes=False):
                raise DamagedJournal(what)
        except JournalError as error:
            return error

    def record(
        self,
        best: Sequence[Sequence[int]],
        known: RankingState,
        stats: Stats,
        began: float,
        *,
        finished: bool,
    ) -> None:
        """Replaces what is known.

        `stats`: the work of all runs. `began`: when the caller began to gather all this. Records
        take no more than a hundredth of the time.
        """
        with self._lock:
            self._check()
            with self._guarded():
                self._begin_transaction()
                self._connection.execute("DELETE FROM slices")
                total = 0
                if best:
                    options = array("i", chain.from_iterable(best)).tobytes()
                    total = self._insert_slice(PLACE, options, array("i", map(len, best)).tobytes())
                if finished:
                    self._connection.execute("DELETE FROM parts")
                    self._left = []
                    self._state = self._state._replace(parts_done=1, parts_sum=0)
                self._state = self._state._replace(
                    stats=stats,
                    slices=self._state.slices + 1,
                    elapsed=self._elapsed(),
                    slices_sum=total % MODULUS,
                )
                self._known = known
                self._write_known()
                self._write_state()
                self._commit(wait=finished)
                now = time.monotonic()
                pause = COMMIT_SHARE * (now - began)
                self._next_commit = now + max(RECORD_INTERVAL, pause)

    def _write_known(self) -> None:
        value = self._known.to_bytes()
        row = (value, sha256(value).digest())
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (2, ?, ?)", row)
