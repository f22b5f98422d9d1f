"""`dlx.Journal`: reads the journal of a search, also while the search writes it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from dlx.checkpoint import files
from dlx.checkpoint.contents import (
    RankingState,
    check_slice,
    read_description,
    read_fact,
    read_parts,
    read_ranking,
    read_state,
    unpacked,
)
from dlx.checkpoint.lock import holder
from dlx.checkpoint.problems import fingerprint, unpack_problem
from dlx.checkpoint.values import DamagedJournal
from dlx.core.givens import check_given
from dlx.core.part import check_part
from dlx.core.stats import Stats
from dlx.errors import DLXError, JournalError, quote
from dlx.problem import Problem
from dlx.search.progress import TreeShares

if TYPE_CHECKING:
    from sqlite3 import Connection

    from dlx.checkpoint.description import JournalDescription
    from dlx.core.numbering import NumberedProblem
    from dlx.core.part import Part
    from dlx.search.search import Solution

__all__ = ["Journal", "JournalStatus"]

BATCH = 16  # slices read at once; few, so that no reader makes the writer wait for long
PAUSE = 0.25  # seconds between two checks for new solutions


class JournalStatus(NamedTuple):
    """The progress of a search that has a journal.

    finished
        Has everything been searched?
    parts_done, parts_left
        Number of parts that were searched to their end, and number of those that are left. The
        search splits parts as it goes on, so both may grow.
    stats
        The work of all runs together, as one search; `stats.solutions` counts all solutions found.
    seconds, runs
        Seconds on the clock of all runs together (`stats.seconds` adds up the workers instead), and
        the number of runs.
    process
        Id of the process that writes the journal now; None if there is none.
    fraction
        How much of the tree is done, from 0 to 1, measured as in `dlx.SearchProgress`. None if it
        is not known, for example because the journal does not hold the names of its problem.
    best, bound
        Of a `minimum` or `maximum`: the best cost so far and the bound for all other solutions, as
        text; None while unknown, and for other searches.
    gap
        Of a `minimum` or `maximum`: the gap, as of a `dlx.Ranking`; None while it is unknown or
        infinite.
    """

    finished: bool
    parts_done: int
    parts_left: int
    stats: Stats
    seconds: float
    runs: int
    process: int | None
    fraction: float | None
    best: str | None = None
    bound: str | None = None
    gap: float | None = None


class Journal:
    """The journal of a search, which `checkpoint=` writes, for reading.

    Reading changes neither the file nor its directory, and is allowed while a search writes it.
    Raises `JournalError` if the file is not a journal, is empty or damaged, or has a newer version
    of the format.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
    >>> problem.count(checkpoint="run.db")
    3
    >>> journal = dlx.Journal("run.db")
    >>> journal.problem == problem
    True
    >>> status = journal.status()
    >>> status.finished, status.stats.solutions, status.parts_left
    (True, 3, 0)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = files.check_path(path)
        with self._reading() as connection:
            self._description = read_description(connection)
        self._problem: Problem | None = None
        self._searched: tuple[NumberedProblem, TreeShares] | None = None

    @property
    def question(self) -> JournalDescription:
        """The kind of search and its arguments, with the fingerprint of the problem."""
        return self._description

    @property
    def problem(self) -> Problem:
        """The problem, restored from the journal. Read once; O(items + entries).

        Raises `JournalError` if the journal does not hold its names, or its arguments do not fit.
        """
        if self._problem is None:
            with self._reading() as connection:
                table = unpack_problem(read_fact(connection, "problem"))
                problem = None if table is None else Problem._of_table(table)
                if problem is not None:
                    _check_description(self._description, problem)
            if problem is None:
                raise JournalError(
                    f"{self.path}: the journal does not hold the names of its problem, which are "
                    "not made of strings and integers; go on by the same call in Python"
                )
            self._problem = problem
        return self._problem

    def status(self) -> JournalStatus:
        """The progress of the search at the last commit.

        For a search that has not finished, the first call also restores the problem.
        """
        process = holder(self.path)
        with self._reading() as connection:
            state = read_state(connection)
            left = read_parts(connection, state)
            ranked = self._description.is_ranking
            known = read_ranking(connection) if ranked else RankingState()
        return JournalStatus(
            finished=not left,
            parts_done=state.parts_done,
            parts_left=len(left),
            stats=state.stats,
            seconds=state.elapsed,
            runs=state.runs,
            process=process,
            fraction=self._fraction([entry.part for entry in left]) if left else 1.0,
            best=known.best,
            bound=known.bound,
            gap=known.gap,
        )

    def _fraction(self, left: list[Part]) -> float | None:
        """How much of the tree is done if these parts are left; None if it is not known."""
        if self._description.names is None or self._description.is_ranking:
            return None
        try:
            return self._measure(left)
        except ValueError:  # `dlx resume` reports the damage
            return None

    def _measure(self, left: list[Part]) -> float:
        table, description = self.problem._table, self._description
        if self._searched is None:
            prepared = self.problem._prepare(description.seed)
            whole = TreeShares(prepared.problem, description.given, description.part)
            self._searched = prepared, whole
        prepared, shares = self._searched
        for part in left:
            check_part(table, prepared, description.given, part)
        return shares.done(left)

    def solutions(self) -> Iterator[Solution]:
        """Yields the solutions found so far, in visiting order, with gaps where parts are left.

        For a `minimum` or `maximum`: the best so far, the best first. Raises `JournalError` for the
        journal of a count, which has no solutions.
        """
        return self._solutions("place", b"", follow=False)

    def follow(self) -> Iterator[Solution]:
        """Yields the solutions in the order of recording, including those that come meanwhile.

        Ends when no process writes to the journal any more. Raises `JournalError` for the journal
        of a `minimum` or `maximum`, whose solutions are replaced by better ones.
        """
        if self.question.is_ranking:
            raise JournalError(
                f"{self.path}: this is the journal of a {self.question.kind}, whose solutions are "
                "replaced by better ones; look at solutions() again instead"
            )
        return self._solutions("id", 0, follow=True)

    def _solutions(self, key: str, last: bytes | int, *, follow: bool) -> Iterator[Solution]:
        if self.question.kind == "count":
            raise JournalError(f"{self.path}: this is the journal of a count: it has no solutions")
        problem = self.problem
        query = (
            f"SELECT {key}, place, options, lengths, digest FROM slices "
            f"WHERE {key} > ? ORDER BY {key} LIMIT {BATCH}"
        )
        while True:
            working = follow and holder(self.path) is not None  # read before the last rows are
            with self._reading() as connection:
                rows = connection.execute(query, (last,)).fetchall()
                packs = []
                for key_of_row, *row in rows:
                    check_slice(row)
                    if key_of_row <= last:  # a damaged index might be cyclic
                        raise DamagedJournal("its solutions are out of order")
                    last = key_of_row
                    packs.append(unpacked(row[1], row[2], len(problem)))
            for pack in packs:
                found: list[Solution] = []
                pack.take(len(pack), problem._table.names, found)
                yield from found
            if not rows:
                if not working:
                    return
                time.sleep(PAUSE)

    def _reading(self) -> AbstractContextManager[Connection]:
        """Opens a connection for one short read."""
        return files.open_to_read(self.path)

    def __repr__(self) -> str:
        return f"<dlx.Journal of {self.question.kind}: {self.path}>"


def _check_description(description: JournalDescription, problem: Problem) -> None:
    """Raises `DamagedJournal` if a problem is not that of the description."""
    table = problem._table
    if fingerprint(table) != description.fingerprint:
        raise DamagedJournal("its problem does not match its fingerprint")
    for index in description.given:
        if not 0 <= index < len(table):
            raise DamagedJournal(
                f"option {quote(index)} is given, and its problem has {len(table)} options"
            )
    try:
        prepared = problem._prepare(description.seed)
        check_given(table, prepared, [table.name_of(index) for index in description.given])
        check_part(table, prepared, description.given, description.part)
    except DLXError as error:
        raise DamagedJournal(str(error)) from None
