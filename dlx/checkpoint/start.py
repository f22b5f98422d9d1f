"""A question with `checkpoint=`: the search as an engine that goes on with its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.checkpoint.description import JournalDescription
from dlx.checkpoint.engine import JournalEngine
from dlx.checkpoint.problems import fingerprint, pack_problem
from dlx.checkpoint.writer import open_writer
from dlx.core.arguments import kernel_limit
from dlx.core.part import Part, check_part
from dlx.errors import InvalidArgument, InvalidPart, JournalError
from dlx.parallel.start import ask, open_driver
from dlx.search.options import WorkerConfig

if TYPE_CHECKING:
    import os

    from dlx.checkpoint.engine import BackgroundSearch
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.links.heuristics import Heuristic

__all__ = ["open_journaled"]


def open_journaled(
    checkpoint: str | os.PathLike[str],
    kind: str,
    table: Table,
    prepared: NumberedProblem,
    given: list[int],
    *,
    limit: int | None,
    seed: int | None,
    engine: str,
    heuristic: str | Heuristic,
    part: Part | None,
    crew: WorkerConfig | None,
) -> JournalEngine:
    """The engine for a question of this kind, "solutions" or "count".

    One worker does it if no `crew` is wanted. Raises `JournalError`, and `InvalidArgument` for what
    cannot be kept in a journal.
    """
    if not isinstance(heuristic, str):
        raise InvalidArgument(
            "a heuristic of your own cannot be kept in a journal; with a checkpoint, choose one by "
            "its name"
        )
    whole = Part() if part is None else check_part(table, prepared, given, part)
    asked = ask(engine, table, prepared, given, heuristic)  # refuses what cannot be split
    crew = WorkerConfig(1, None, ordered=False) if crew is None else crew._replace(ordered=False)
    packed = pack_problem(table)
    question = JournalDescription(
        kind,
        fingerprint(table),
        packed.names,
        tuple(given),
        None if limit is None else kernel_limit(limit),  # JSON has no room for any integer
        seed,
        engine,
        heuristic,
        whole,
    )
    writer = open_writer(checkpoint, question, packed, len(table))

    def open_labour() -> BackgroundSearch:
        start = writer.start()
        try:
            for left in start.parts:
                assert isinstance(left, Part)
                check_part(table, prepared, given, left)
        except InvalidPart as error:
            raise JournalError(f"{writer.path}: the journal is damaged: {error}") from None
        return open_driver(asked, crew, names=None, start=start, recorder=writer)

    return JournalEngine(writer, open_labour, table.names, keep=kind != "count")
