"""`dlx.Journal`: a journal for those who want to look at it, also while a search writes it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from dlx.checkpoint import files
from dlx.checkpoint.contents import (
    check_slice,
    read_fact,
    read_parts,
    read_question,
    read_state,
    unpacked,
)
from dlx.checkpoint.lock import holder
from dlx.checkpoint.problems import fingerprint, unpack_problem
from dlx.checkpoint.values import DamagedJournal
from dlx.core.givens import check_given
from dlx.core.part import check_part
from dlx.errors import DLXError, JournalError, quote
from dlx.problem import Problem
from dlx.search.progress import TreeShares
from dlx.search.search import Stats

if TYPE_CHECKING:
    from sqlite3 import Connection

    from dlx.checkpoint.description import JournalDescription
    from dlx.core.numbering import NumberedProblem
    from dlx.core.part import Part
    from dlx.search.search import Solution

__all__ = ["Journal", "JournalStatus"]

BATCH = 16  # slices read at once: no reader keeps the writer waiting for long
PAUSE = 0.25  # seconds between two looks for more


class JournalStatus(NamedTuple):
    """How far a search has come that is kept in a journal.

    finished
        Has everything been searched?
    parts_done, parts_left
        Parts of the search that were searched to their end, and those that were not. Parts are
        split while the search goes on, so both may grow.
    stats
        The work of all runs together, as of an undisturbed search; `stats.solutions` are found.
    seconds, runs
        For how long somebody has worked on it (on the clock, where `stats.seconds` adds up the
        workers), and how often it was begun or gone on with.
    process
        The process that works on it now; None if none does.
    fraction
        How much of the tree is done, from 0 to 1, as `dlx.SearchProgress` has it; None if that
        cannot be said, as when the journal does not hold the names of its problem.
    """

    finished: bool
    parts_done: int
    parts_left: int
    stats: Stats
    seconds: float
    runs: int
    process: int | None
    fraction: float | None


class Journal:
    """The journal of a search: what `checkpoint=` keeps, to look at and to go on with.

    Looking never changes it, and is allowed while a search writes it. Raises `JournalError` for
    what is no journal, damaged, or of a newer version.

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
            self._question = read_question(connection)
        self._problem: Problem | None = None
        self._searched: tuple[NumberedProblem, TreeShares] | None = None

    @property
    def question(self) -> JournalDescription:
        """What is asked of the problem."""
        return self._question

    @property
    def problem(self) -> Problem:
        """The problem, made of what is in the journal. Read once; O(items + entries).

        The givens of the question are options of it, or it raises `JournalError`.
        """
        if self._problem is None:
            with self._reading() as connection:
                table = unpack_problem(read_fact(connection, "problem"))
                problem = None if table is None else Problem._of_table(table)
                if problem is not None:
                    _check_question(self._question, problem)
            if problem is None:
                raise JournalError(
                    f"{self.path}: the journal does not hold the names of its problem, which are "
                    "not made of texts and integers; go on with the problem's own methods"
                )
            self._problem = problem
        return self._problem

    def status(self) -> JournalStatus:
        """How far the search has come, as of the last commit.

        Makes the problem when it is first asked about a search that has not finished.
        """
        process = holder(self.path)
        with self._reading() as connection:
            state = read_state(connection)
            left = read_parts(connection, state)
        nodes, updates, solutions, profile, seconds = state.stats
        return JournalStatus(
            finished=not left,
            parts_done=state.parts_done,
            parts_left=len(left),
            stats=Stats(nodes, updates, solutions, tuple(profile), seconds),
            seconds=state.elapsed,
            runs=state.runs,
            process=process,
            fraction=self._done([entry.part for entry in left]) if left else 1.0,
        )

    def _done(self, left: list[Part]) -> float | None:
        """How much of the tree is done if these parts are left."""
        if self._question.names is None:
            return None
        try:
            return self._measure(left)
        except ValueError:  # what is damaged is refused by who goes on with it
            return None

    def _measure(self, left: list[Part]) -> float:
        table, question = self.problem._table, self._question
        if self._searched is None:
            prepared = self.problem._prepare(question.seed)
            whole = TreeShares(prepared.problem, question.given, question.part)
            self._searched = prepared, whole
        prepared, shares = self._searched
        for part in left:
            check_part(table, prepared, question.given, part)
        return shares.done(left)

    def solutions(self) -> Iterator[Solution]:
        """The solutions found so far, in visiting order; there may be gaps where parts are left.

        Raises `JournalError` for the journal of a count, which has none.
        """
        return self._solutions("place", b"", follow=False)

    def follow(self) -> Iterator[Solution]:
        """The solutions in the order in which they were recorded, and those that come meanwhile.

        Ends when the search has ended or, for whatever reason, nobody works on it any more.
        """
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
            working = follow and holder(self.path) is not None  # before looking for the last ones
            with self._reading() as connection:
                rows = connection.execute(query, (last,)).fetchall()
                packs = []
                for key_of_row, *row in rows:
                    check_slice(row)
                    if key_of_row <= last:  # an index that is damaged might go round in circles
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

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A connection for one short look."""
        with files.guarded(self.path):
            connection = files.open_to_read(self.path)
            try:
                yield connection
            finally:
                connection.close()

    def __repr__(self) -> str:
        return f"<dlx.Journal of {self.question.kind}: {self.path}>"


def _check_question(question: JournalDescription, problem: Problem) -> None:
    """Raises `DamagedJournal` if a problem is not that of the question."""
    table = problem._table
    if fingerprint(table) != question.fingerprint:
        raise DamagedJournal("its problem does not match its fingerprint")
    for index in question.given:
        if not 0 <= index < len(table):
            raise DamagedJournal(
                f"option {quote(index)} is given, and its problem has {len(table)}"
            )
    try:
        prepared = problem._prepare(question.seed)
        check_given(table, prepared, [table.name_of(index) for index in question.given])
        check_part(table, prepared, question.given, question.part)
    except DLXError as error:
        raise DamagedJournal(str(error)) from None
