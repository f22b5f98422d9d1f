"""Reading and writing puzzles in the formats that Sudoku programs and people use.

There is a module for each format, with a `Format` that detects, reads and writes it. The content of
one puzzle in a file is a `Record`: the givens and the layout, and optionally the digits filled in,
notes, the solution and remarks. docs/formats.md has an example and the source of each format.

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

from sudoku.board.cells import checked_path, is_iterable
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import PuzzleError, SudokuError, shorten, shown
from sudoku.formats.candidates import CANDIDATES
from sudoku.formats.csv_format import CSV
from sudoku.formats.editors.fpuzzles import FPUZZLES
from sudoku.formats.editors.links import LINKS, PENPA
from sudoku.formats.editors.share import SHARE
from sudoku.formats.editors.sudokupad import SUDOKUPAD
from sudoku.formats.even_odd import EVEN_ODD
from sudoku.formats.jigsaw import JIGSAW
from sudoku.formats.json_format.records import JSON
from sudoku.formats.killer import KILLER
from sudoku.formats.lines import GRID, LINES, ROWS, SDM, SS
from sudoku.formats.overlaps import OVERLAPS
from sudoku.formats.programs.hodoku import HODOKU
from sudoku.formats.programs.opensudoku import OPENSUDOKU
from sudoku.formats.programs.sdk import SDK
from sudoku.formats.programs.solo import SOLO
from sudoku.formats.programs.sumocue import PS, SUMOCUE
from sudoku.formats.record import Format, Lost, Record, warn_of
from sudoku.formats.sukaku import SUKAKU
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
    SUDOKUPAD,
    LINKS,
    PENPA,
    SHARE,
    JIGSAW,
    KILLER,
    PS,
    SUMOCUE,
    SOLO,
    OVERLAPS,
    EVEN_ODD,
)
"""All formats, simple ones first."""


def named(name: str) -> Format:
    """The format with this name.

    >>> named("sdk").suffixes
    ('.sdk',)

    Raises `SudokuError` for an unknown name; the message suggests a similar one.
    """
    from difflib import get_close_matches

    known = {form.name: form for form in FORMATS}
    if not isinstance(name, str):
        raise SudokuError(f"{shown(name)} is not the name of a format; use {', '.join(known)}")
    if name in known:
        return known[name]
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"use {', '.join(known)}"
    raise SudokuError(f"unknown format {shorten(name)}; {hint}")


def _refuse(value: object, is_good: bool, wanted: str) -> None:
    """Raises `SudokuError` for a value that is not good."""
    if not is_good:
        raise SudokuError(f"{shown(value)} is not {wanted}")


def format_of_path(path: str) -> Format | None:
    """The format with the suffix of this path, or None."""
    suffix = os.path.splitext(checked_path(path))[1].lower()
    return next((form for form in FORMATS if suffix in form.suffixes), None)


def detect(head: bytes) -> Format:
    r"""The format of a file with these first bytes; `LINES` if no other format matches.

    >>> detect(b"# killers\n9 3:r1c1,r1c2;...").name, detect(b'{"puzzle": ""}').name
    ('killer', 'json')
    """
    _refuse(head, isinstance(head, bytes), "the first bytes of a file")
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
    on_warning: Callable[[Record], object] | None = None,
    keep_drawings: bool = False,
) -> Iterator[Record]:
    """Iterates over the puzzles of a file, given by its path or open in binary mode.

    The format is detected from the content unless its name is given. `layout` is used for puzzles
    that do not have a layout of their own. `on_error` is called with a `PuzzleError` for each part
    of the file that cannot be read, and reading continues; without it the error is raised.
    `on_warning` is called with each record that has a `warning`, before it is returned; without it
    an `UnreadRulesWarning` is issued. Drawings that certainly mean a rule are read as that rule,
    which is such a warning too, unless `keep_drawings` is true. Files are read lazily, in bounded
    memory.

    Raises OSError, immediately, if the path cannot be opened, and `SudokuError` for an unknown
    format.
    """
    form = None if format is None else named(format)
    for call in (on_error, on_warning):
        _refuse(call, call is None or callable(call), "a function")
    layout = None if layout is None else checked_layout(layout)
    if isinstance(source, str | os.PathLike):
        file = open(checked_path(source), "rb")  # noqa: SIM115 - closed by the generator
        records = _records(file, file, form, layout, on_error)
        return _checked_records(records, on_warning, keep_drawings)
    is_file = hasattr(source, "read1")
    _refuse(source, is_file, "a path, or a file that is open in binary mode")
    records = _records(None, source, form, layout, on_error)
    return _checked_records(records, on_warning, keep_drawings)


def _records(
    to_close: IO[bytes] | None,
    file: IO[bytes],
    form: Format | None,
    layout: Layout | None,
    on_error: Callable[[PuzzleError], object] | None,
) -> Iterator[Record]:
    with to_close or nullcontext():
        stream = BufferedInput(cast("ByteSource", file))
        for found in (form or detect(stream.head())).records(stream, layout):
            if isinstance(found, Record):
                yield found
            elif on_error is None:
                raise found
            else:
                on_error(found)


def _checked_records(
    records: Iterator[Record], on_warning: Callable[[Record], object] | None, keep_drawings: bool
) -> Iterator[Record]:
    """The records, after their warnings."""
    for found in records:
        record = (found.drawn or found) if keep_drawings else found
        if record.warning:
            (on_warning or warn_of)(record)
        yield record


def dump(
    records: Iterable[Record],
    out: IO[str],
    format: str,  # noqa: A002
    *,
    lost: Lost | None = None,
) -> None:
    """Writes records to a text file, one by one.

    `lost` is called with a record and the name of a part of it ("pencil marks") that the format
    cannot hold; without it such a part raises `SudokuError`. A puzzle that the format cannot hold
    always raises `SudokuError`.
    """
    form = named(format)
    _refuse(records, is_iterable(records), "a list of records")
    _refuse(out, hasattr(out, "writelines"), "a file that is open in text mode")
    _refuse(lost, lost is None or callable(lost), "a function")

    def refuse(record: Record, part: str) -> None:
        raise SudokuError(f"{form.name} cannot hold {part}")

    out.writelines(form.write(fitting(form, records, lost or refuse), lost or refuse))


def fitting(
    form: Format,
    records: Iterable[Record],
    lost: Lost,
    refused: Callable[[Record, str], object] | None = None,
) -> Iterator[Record]:
    """Iterates over the records that the format can hold.

    Where it cannot hold rules that were read from drawings, the drawings are written. `refused` is
    called with each other record and the reason; without it they raise `SudokuError`.
    `lost` is called with the parts that the format cannot hold, as in `dump`.
    """
    _refuse(form, isinstance(form, Format), "a Format; `named` finds one by its name")
    _refuse(records, is_iterable(records), "a list of records")
    for record in records:
        _refuse(record, isinstance(record, Record), "a Record")
        reason = form.refuses(record.grid)
        if reason and record.drawn and not form.refuses(record.drawn.grid):
            record, reason = record.drawn, None
        if reason is not None:
            if refused is None:
                raise SudokuError(f"{form.name} {reason}")
            refused(record, f"{form.name} {reason}")
            continue
        for part in record.parts():
            if part not in form.holds:
                lost(record, part)
        yield record
