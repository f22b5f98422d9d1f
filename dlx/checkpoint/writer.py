"""`Writer`: a `Recorder` that stores every result of a search in an SQLite file.

A result is recorded by a few rows, all of them or none: its part is deleted, the parts left of it
are inserted, the totals are replaced, and its solutions are inserted. Several results may share a
transaction. No solution is lost or found twice, because the parts that are left and the solutions
that were found change in the same transaction.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from dlx.checkpoint.contents import (
    MODULUS,
    RemainingPart,
    check_slice,
    read_parts,
    unpacked,
)
from dlx.checkpoint.journal_file import JournalFile
from dlx.checkpoint.sort_keys import sort_key
from dlx.checkpoint.values import DamagedJournal

if TYPE_CHECKING:
    from dlx.checkpoint.description import JournalDescription
    from dlx.core.kernel import Pack
    from dlx.core.part import Part
    from dlx.engines.protocols import Start
    from dlx.parallel.results import WorkResult

__all__ = ["Writer"]

LARGEST_TRANSACTION: Final = 16 * 2**20  # bytes of solutions, after which a commit must come


class Writer(JournalFile):
    """The journal of a search for all solutions: see `open_file`."""

    _keep: bool  # does the journal keep solutions, or only their number?
    _left: dict[Part, RemainingPart]

    def _load(self, description: JournalDescription, *, new: bool) -> None:
        self._keep = description.kind != "count"
        self._left = {}
        if new:
            self._add(b"", 0, (description.part,))
        else:
            left = read_parts(self._connection, self._state)
            self._left = {entry.part: entry for entry in left}

    def _summary(self) -> str:
        return (
            f"with {len(self._left)} parts left and {self._state.stats.solutions} solutions found"
        )

    # -- what is left ------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether no part is left to search.

        A caller reads this before it reads solutions, because the last ones may come in between.
        """
        with self._lock:  # `_record` deletes a part before it inserts the parts left of it
            return not self._left

    def start(self) -> Start:
        """Where a search has to go on."""
        from dlx.engines.protocols import Start

        with self._lock:
            return Start(tuple(self.parts_left()), self._state.stats)

    def parts_left(self) -> list[Part]:
        """What is left to be searched, in visiting order."""
        with self._lock:
            left = sorted(self._left.values(), key=lambda entry: entry.sort_key)
        return [entry.part for entry in left]

    # -- recording ---------------------------------------------------------------------------------

    def done(self, part: Part, result: WorkResult) -> None:
        """Replaces a part by what is left of it; stores the solutions found: see `Recorder`."""
        with self._lock:
            self._check()
            with self._guarded():
                self._begin_transaction()
                self._record(part, result)
                self._write_state()
                large = self._pending > LARGEST_TRANSACTION
                if large or time.monotonic() >= self._next_commit:
                    self._commit(wait=large)

    def _record(self, part: Part, result: WorkResult) -> None:
        entry = self._left.pop(part)
        prefix, number, _ = entry
        self._connection.execute("DELETE FROM parts WHERE prefix = ?", (prefix,))
        state = self._state
        slices_sum = state.slices_sum
        if self._keep and result.found:
            slices_sum += self._add_solutions(entry.sort_key, result)
            number += 1
        self._state = state._replace(
            stats=state.stats.plus(result.stats),
            slices=state.slices + 1,
            parts_done=state.parts_done + (not result.left),
            elapsed=self._elapsed(),
            parts_sum=(state.parts_sum - entry.digest) % MODULUS,
            slices_sum=slices_sum % MODULUS,
        )
        self._add(prefix, number, result.left)

    def _add(self, prefix: bytes, number: int, parts: tuple[Part, ...]) -> None:
        """Inserts what is left of a part. The last part keeps its prefix: see `sort_keys`."""
        total = self._state.parts_sum
        for part in parts[:-1]:
            total += self._add_part(RemainingPart(sort_key(prefix, number), 0, part))
            number += 1
        if parts:
            total += self._add_part(RemainingPart(prefix, number, parts[-1]))
        self._state = self._state._replace(parts_sum=total % MODULUS)

    def _add_part(self, entry: RemainingPart) -> int:
        digest = self._insert_part(entry)
        self._left[entry.part] = entry
        return digest

    def _add_solutions(self, key: bytes, result: WorkResult) -> int:
        assert result.solutions is not None
        return self._insert_slice(key, result.solutions.options, result.solutions.lengths)

    # -- reading back ------------------------------------------------------------------------------

    def next_slice(self, after: bytes) -> tuple[bytes, Pack] | None:
        """The next solutions in visiting order, with their sort key.

        They come after the sort key `after`, and before all parts that are left. None if the search
        has to go on first. A signal handler may raise at any point: nothing is changed.
        """
        with self._lock:
            self._check()
            query = "SELECT place, options, lengths, digest FROM slices WHERE place > ?"
            first = min((entry.sort_key for entry in self._left.values()), default=None)
            values: tuple[bytes, ...] = (after,)
            if first is not None:
                query, values = f"{query} AND place < ?", (after, first)
            with self._guarded(changes=False):
                row = self._connection.execute(f"{query} ORDER BY place LIMIT 1", values).fetchone()
                if row is None:
                    return None
                check_slice(row)
                if row[0] <= after:
                    raise DamagedJournal("its solutions are out of order")
                return row[0], unpacked(row[1], row[2], self._options)
