"""`sudoku.read`, which iterates over the puzzles of a file in any format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import IO, TypeVar, cast

from sudoku.board.cells import checked_path, is_iterable
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import PuzzleError, SudokuError, shown
from sudoku.formats import LINES, detect
from sudoku.formats.record import Record, compared, one_line, split_solution, warn_of
from sudoku.text.chunks import BufferedInput, ByteSource, Chunk, ChunkReader
from sudoku.text.puzzles import Entry, LettersEntry, lines_reader, text_pieces, wait_marker

__all__ = ["RecordEntry", "read"]

OnError = Callable[[PuzzleError], object]


class RecordEntry(Entry):
    """An entry of a file in one of `sudoku.formats`, with all that the file has about the puzzle.

    It equals the entry without the record.
    """

    record: Record
    """The content of the puzzle in the file: also the digits filled in, notes and title."""

    @classmethod
    def of(cls, record: Record) -> RecordEntry:
        """The entry of a record; its rest is the solution and the remark."""
        rest = one_line(" ".join(filter(None, (record.solution, record.rest))))
        entry = cls(record.line, record.grid, rest)
        entry.record = record
        return entry


def read(
    source: str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[str],
    layout: Layout | None = None,
    *,
    on_error: OnError | None = None,
    keep_drawings: bool = False,
) -> Iterator[Entry]:
    """Iterates over the puzzles of a file, given by its path, open, or as an iterable of lines.

    `on_error` is called with a `PuzzleError` for each line or grid that is not a puzzle, and
    reading continues after it; without it the error is raised. After the error for a file that is
    not text, reading ends. An entry of a format with more than grids has a `record`: title, digits
    filled in, notes (`sudoku.formats.Record`). An `UnreadRulesWarning` is issued for a puzzle that
    may have rules that were not read, or drawings that were read as rules, which `keep_drawings`
    keeps as drawings.

    >>> lines = ["# two small ones", "1.....2.3......4 easy", "", "1 2|. .", ". .|1 2"]
    >>> for entry in read(lines, on_error=print): print(entry)
    Entry(line=2, grid=Grid('1.....2.3......4'), rest='easy')
    line 4: 2 rows; the grid has 4: '1 2|. .'

    Raises OSError, immediately, if the path cannot be opened, and `SudokuError` for a source of
    another type.
    """
    file: IO[bytes] | None = None
    layout = None if layout is None else checked_layout(layout)
    if isinstance(source, (str, os.PathLike)):
        file = open(checked_path(source), "rb")  # noqa: SIM115 - closed by the generator
    elif not (hasattr(source, "readline") or is_iterable(source)):
        raise SudokuError(f"{shown(source)} is not a path, open file or list of lines")
    entries = _entries(file, source if file is None else file, layout, on_error)  # type: ignore[arg-type]
    return _checked_entries(entries, keep_drawings)


def _entries(
    file: IO[bytes] | None,
    source: IO[str] | IO[bytes] | Iterable[str],
    layout: Layout | None,
    on_error: OnError | None,
) -> Iterator[Entry]:
    with file or nullcontext():
        for piece in pieces(source, layout):
            if isinstance(piece, Chunk):
                for line, puzzle in enumerate(piece.puzzles, piece.line):
                    yield Entry(line, Grid.from_line(puzzle, piece.layout), "")
            elif isinstance(piece, Entry):
                yield piece
            elif on_error is None:
                raise piece
            else:
                on_error(piece)


def _checked_entries(entries: Iterator[Entry], keep_drawings: bool) -> Iterator[Entry]:
    """The entries, after the warnings of their records."""
    for entry in entries:
        if isinstance(entry, RecordEntry):
            if keep_drawings and entry.record.drawn:
                entry = RecordEntry.of(entry.record.drawn)
            if entry.record.warning:
                warn_of(entry.record)
        yield entry


def pieces(
    source: IO[str] | IO[bytes] | Iterable[str], layout: Layout | None
) -> Iterator[Chunk | Entry | PuzzleError]:
    """Iterates over the puzzles and errors of a file in order, plain lines in chunks."""
    if not hasattr(source, "read1"):
        yield from map(_compared, lines_reader(source, layout, 1))
        return
    stream = BufferedInput(cast("ByteSource", source))
    is_plain = ChunkReader(stream, layout).starts_plain()
    form = LINES if is_plain else detect(stream.head())
    if form is LINES:
        yield from map(_compared, text_pieces(stream, layout))
        return
    for found in form.records(stream, layout):
        if isinstance(found, PuzzleError):
            yield found
        else:
            yield RecordEntry.of(found)
        if not stream.is_ready():
            yield wait_marker(stream.number)


Piece = TypeVar("Piece", bound=Chunk | Entry | PuzzleError)


def _compared(piece: Piece) -> Piece | RecordEntry | PuzzleError:
    """The piece; an error if it is a puzzle that a wrong solution follows."""
    if isinstance(piece, LettersEntry):
        return RecordEntry.of(Record(piece.grid, piece.line, piece.rest, about=piece.about))
    if not isinstance(piece, Entry) or len(piece.rest) < piece.grid.layout.size:
        return piece
    solution, rest = split_solution(piece.rest, piece.grid.layout)
    found = compared(Record(piece.grid, piece.line, rest, solution=solution))
    return found if isinstance(found, PuzzleError) else piece
