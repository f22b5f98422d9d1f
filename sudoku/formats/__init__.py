"""Reading and writing puzzles in the formats that Sudoku programs and people use.

A file for each format; a `Format` says how to know it, to read it and to write it. What a file says
about a puzzle is a `Record`: givens and layout, and perhaps digits filled in, notes, the solution,
remarks. docs/formats.md has an example of each format, and where it comes from.

>>> import io
>>> from sudoku import formats
>>> text = b'<opensudoku><name>Easy</name><game data="%s"/></opensudoku>' % (b"0" * 80 + b"1")
>>> for record in formats.load(io.BytesIO(text)): print(record.grid.givens, record.about)
((9, 9, 1),) {'title': 'Easy'}
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import IO, cast

from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import PuzzleError, SudokuError, shorten, shown
from sudoku.formats.candidates import CANDIDATES
from sudoku.formats.fpuzzles import FPUZZLES
from sudoku.formats.hodoku import HODOKU
from sudoku.formats.jigsaw import JIGSAW
from sudoku.formats.killer import KILLER
from sudoku.formats.lines import GRID, LINES, ROWS, SDM, SS
from sudoku.formats.objects import JSON
from sudoku.formats.opensudoku import OPENSUDOKU
from sudoku.formats.overlaps import OVERLAPS
from sudoku.formats.parity import PARITY
from sudoku.formats.record import Format, Lost, Record
from sudoku.formats.sdk import SDK
from sudoku.formats.spreadsheet import CSV
from sudoku.formats.sukaku import SUKAKU
from sudoku.formats.sumocue import PS, SUMOCUE
from sudoku.text.chunks import BufferedInput, ByteSource

__all__ = [
    "FORMATS",
    "Format",
    "LINES",
    "Record",
    "detect",
    "dump",
    "fitting",
    "format_of_path",
    "load",
    "named",
]

FORMATS = (
    LINES,
    SDM,
    ROWS,
    GRID,
    SS,
    CANDIDATES,
    SUKAKU,
    SDK,
    HODOKU,
    OPENSUDOKU,
    CSV,
    JSON,
    FPUZZLES,
    JIGSAW,
    KILLER,
    PS,
    SUMOCUE,
    OVERLAPS,
    PARITY,
)
"""All formats, simple ones first."""


def named(name: str) -> Format:
    """The format of that name.

    >>> named("sdk").suffixes
    ('.sdk',)

    Raises `SudokuError` if there is none, with the nearest names.
    """
    from difflib import get_close_matches

    known = {form.name: form for form in FORMATS}
    if not isinstance(name, str):
        raise SudokuError(
            f"{shown(name)} is not the name of a format; there are {', '.join(known)}"
        )
    if name in known:
        return known[name]
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    raise SudokuError(f"no format is called {shorten(name)}; {hint}")


def format_of_path(path: str) -> Format | None:
    """The format that the suffix of a path says, or None."""
    suffix = os.path.splitext(path)[1].lower()
    return next((form for form in FORMATS if suffix in form.suffixes), None)


def detect(head: bytes) -> Format:
    r"""The format of a file that begins so; `LINES` if it is like none of the others.

    >>> detect(b"# killers\n9 3:r1c1,r1c2;...").name, detect(b'{"puzzle": ""}').name
    ('killer', 'json')
    """
    lines = head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    start = next((n for n, line in enumerate(lines) if line.strip()[:1] not in ("", "#")), None)
    if start is None:
        return LINES
    comments = [line.strip() for line in lines[:start] if line.strip()]
    content = "\n".join(lines[start:])
    return next((form for form in FORMATS if form.detect(content, comments)), LINES)


def load(
    source: str | os.PathLike[str] | IO[bytes],
    layout: Layout | None = None,
    *,
    format: str | None = None,  # noqa: A002 - what else
    on_error: Callable[[PuzzleError], object] | None = None,
) -> Iterator[Record]:
    """What a file, by its path or open in binary mode, says about each of its puzzles.

    The format is found by content unless its name is given. `layout` is for puzzles that do not
    tell theirs. `on_error` is called with a `PuzzleError` for what is no puzzle, and reading goes
    on; without it the error is raised. Files are read as they come: memory does not grow.

    Raises OSError, at once, if the path cannot be opened, and `SudokuError` for no such format.
    """
    form = None if format is None else named(format)
    layout = None if layout is None else checked_layout(layout)
    if isinstance(source, str | os.PathLike):
        file = open(source, "rb")  # noqa: SIM115 - closed by the generator
        return _records(file, file, form, layout, on_error)
    if not hasattr(source, "read1"):
        raise SudokuError(
            "formats are read from a path, or from a file that is open in binary mode"
        )
    return _records(None, source, form, layout, on_error)


def _records(
    ours: IO[bytes] | None,
    file: IO[bytes],
    form: Format | None,
    layout: Layout | None,
    on_error: Callable[[PuzzleError], object] | None,
) -> Iterator[Record]:
    with ours or nullcontext():
        stream = BufferedInput(cast("ByteSource", file))
        for found in (form or detect(stream.head())).read(stream, layout):
            if isinstance(found, Record):
                yield found
            elif on_error is None:
                raise found
            else:
                on_error(found)


def dump(
    records: Iterable[Record],
    out: IO[str],
    format: str,  # noqa: A002
    *,
    lost: Lost | None = None,
) -> None:
    """Writes records to a text file, one by one.

    `lost` is called with a record and the name of a part of it ("pencil marks") that the format
    has no place for; without it that raises `SudokuError`, as does always a puzzle that cannot be
    said in this format at all.
    """
    form = named(format)

    def refuse(record: Record, part: str) -> None:
        raise SudokuError(f"{form.name} has no place for {part}")

    out.writelines(form.write(fitting(form, records, lost or refuse), lost or refuse))


def fitting(
    form: Format,
    records: Iterable[Record],
    lost: Lost,
    refused: Callable[[Record, str], object] | None = None,
) -> Iterator[Record]:
    """The records that the format can hold.

    `refused` is called with the others, and the reason; without it they raise `SudokuError`. `lost`
    is called with what it has no place for, as in `dump`.
    """
    for record in records:
        reason = form.refuses(record.grid)
        if reason is not None:
            if refused is None:
                raise SudokuError(f"{form.name} {reason}")
            refused(record, f"{form.name} {reason}")
            continue
        for part in record.parts():
            if part not in form.holds:
                lost(record, part)
        yield record
