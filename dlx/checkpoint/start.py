"""Opens the engine of a search with `checkpoint=`, which goes on with its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.checkpoint.description import JournalDescription
from dlx.checkpoint.engine import JournalEngine
from dlx.checkpoint.journal_file import open_file
from dlx.checkpoint.problems import fingerprint, pack_problem
from dlx.checkpoint.writer import Writer
from dlx.core.arguments import kernel_limit
from dlx.core.part import Part, check_part
from dlx.errors import InvalidArgument, InvalidPart, JournalError
from dlx.parallel.start import open_driver
from dlx.search.options import WorkerConfig

if TYPE_CHECKING:
    from dlx.checkpoint.engine import BackgroundSearch
    from dlx.core.numbering import SearchInput
    from dlx.engines.spec import EngineSpec
    from dlx.search.options import SearchOptions

__all__ = ["open_journaled"]


def open_journaled(
    search_input: SearchInput,
    options: SearchOptions,
    kind: str,
    spec: EngineSpec,
    distinct: str | None = None,
) -> JournalEngine:
    """Returns the engine for a search with a checkpoint; `kind` is "solutions" or "count".

    `spec` opens its engines; `distinct` is that field of the description. Without `workers` in the
    options, one worker searches. Raises `JournalError`, and `InvalidArgument` for arguments that a
    journal cannot keep.
    """
    table, numbered, given = search_input
    heuristic, limit, checkpoint = options.heuristic, options.limit, options.checkpoint
    assert checkpoint is not None
    if not isinstance(heuristic, str):
        raise InvalidArgument(
            "a heuristic of your own cannot be kept in a journal; with a checkpoint, use the name "
            "of one"
        )
    whole = Part() if options.part is None else check_part(table, numbered, given, options.part)
    workers = options.workers or WorkerConfig(1, None, ordered=False)
    packed = pack_problem(table)
    description = JournalDescription(
        kind,
        fingerprint(table),
        packed.names,
        tuple(given),
        None
        if limit is None
        else kernel_limit(limit),  # bounded, so that it can be read back from JSON
        options.seed,
        options.engine,
        heuristic,
        whole,
        distinct,
    )
    writer = open_file(Writer, checkpoint, description, packed, len(table))

    def open_search() -> BackgroundSearch:
        start = writer.start()
        try:
            for left in start.parts:
                assert isinstance(left, Part)
                check_part(table, numbered, given, left)
        except InvalidPart as error:
            raise JournalError(f"{writer.path}: the journal is damaged: {error}") from None
        config = workers._replace(ordered=False)
        return open_driver(spec, config, names=None, start=start, recorder=writer)

    return JournalEngine(writer, open_search, table.names, keep=kind != "count")
