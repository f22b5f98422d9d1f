"""`sudoku.read`: the puzzles of a file in any format, one after another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import IO, cast

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import PuzzleError, SudokuError, shown
from sudoku.text.chunks import BufferedInput, ByteSource, Chunk, ChunkReader
from sudoku.text.puzzles import Entry, lines_reader, text_pieces, wait_marker

__all__ = ["read"]


OnError = Callable[[PuzzleError], object]


def read(
    source: str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[str],
    layout: Layout | None = None,
    *,
    on_error: OnError | None = None,
) -> Iterator[Entry]:
    """The puzzles of a file - a path, an open file, or an iterable of lines -, one by one.

    `on_error` is called with a `PuzzleError` for each line or grid that is no puzzle, and reading
    goes on after it; without it the error is raised. A file that is no text at all ends there.

    >>> lines = ["# two small ones", "1.....2.3......4 easy", "", "1 2|. .", ". .|1 2"]
    >>> for entry in read(lines, on_error=print): print(entry)
    Entry(line=2, grid=Grid('1.....2.3......4'), rest='easy')
    line 4: a grid of 2 rows, expected 4: '1 2|. .'

    Raises OSError, at once, if the path cannot be opened, and `SudokuError` for no such source.
    """
    file: IO[bytes] | None = None
    layout = None if layout is None else checked_layout(layout)
    if isinstance(source, (str, os.PathLike)):
        file = open(source, "rb")  # noqa: SIM115 - closed by the generator
    elif not (hasattr(source, "readline") or isinstance(source, Iterable)):
        raise SudokuError(f"{shown(source)} is not a path, open file or list of lines")
    return _entries(file, source if file is None else file, layout, on_error)  # type: ignore[arg-type]


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


def pieces(
    source: IO[str] | IO[bytes] | Iterable[str], layout: Layout | None
) -> Iterator[Chunk | Entry | PuzzleError]:
    """The puzzles of a file in order, plain ones by the block, and what is wrong with others."""
    if not hasattr(source, "read1"):
        yield from lines_reader(source, layout, 1)
        return
    stream = BufferedInput(cast("ByteSource", source))
    if ChunkReader(stream, layout).starts_plain():
        yield from text_pieces(stream, layout)
        return
    from sudoku import formats  # which need this module
    from sudoku.formats.record import one_line

    form = formats.detect(stream.head())
    if form is formats.LINES:
        yield from text_pieces(stream, layout)
        return
    for found in form.read(stream, layout):
        if isinstance(found, PuzzleError):
            yield found
        else:
            rest = one_line(" ".join(filter(None, (found.solution, found.rest))))
            yield Entry(found.line, found.grid, rest)
        if not stream.is_ready():
            yield wait_marker(stream.number)
