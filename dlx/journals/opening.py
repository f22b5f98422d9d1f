"""A question with `checkpoint=`: the search as an engine that goes on with its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.engines import IN_ORDER
from dlx.errors import InvalidArgument, quote
from dlx.fingerprints import fingerprint
from dlx.journals.engine import JournalEngine, Labour
from dlx.journals.problems import pack_problem
from dlx.journals.question import Question
from dlx.journals.writer import open_writer

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from dlx.heuristics import Heuristic
    from dlx.parallel.recorder import Recorder, Start
    from dlx.table import Table

__all__ = ["open_journaled"]


def open_journaled(
    table: Table,
    checkpoint: str | os.PathLike[str],
    kind: str,
    open_driver: Callable[[Start, Recorder], Labour],
    *,
    given: Sequence[int],
    limit: int | None,
    seed: int | None,
    engine: str,
    heuristic: str | Heuristic,
) -> JournalEngine:
    """The engine for a question of this kind, "solutions" or "count", about a table.

    `open_driver` starts the search where it has to go on, with a recorder, when it has to go on;
    its solutions come in any order. Raises `JournalError`, and `InvalidArgument` for what cannot
    be kept in a journal.
    """
    if engine not in IN_ORDER:
        raise InvalidArgument(
            f"engine={quote(engine)} cannot go on where it was stopped; with a checkpoint, choose "
            f"one of {', '.join(map(repr, IN_ORDER))}"
        )
    if not isinstance(heuristic, str):
        raise InvalidArgument(
            "a heuristic of your own cannot be kept in a journal; with a checkpoint, choose one by "
            "its name"
        )
    packed = pack_problem(table)
    question = Question(
        kind, fingerprint(table), packed.names, tuple(given), limit, seed, engine, heuristic
    )
    writer = open_writer(checkpoint, question, packed, len(table))
    return JournalEngine(
        writer, lambda: open_driver(writer.start(), writer), table.names, keep=kind != "count"
    )
