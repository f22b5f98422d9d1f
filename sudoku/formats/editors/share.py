"""The format `share`: a puzzle in the characters that the fragment of a URL may have.

    sudoku1.eNqrViooTa_KSVWyUjI...    an object of the format `json`, compressed

After the prefix `sudoku1.` comes the JSON text in UTF-8, compressed by zlib (RFC 1950) and encoded
as base64 for URLs without padding (RFC 4648, section 5). A layout that a name describes is written
as its name. The page of `sudoku serve` puts such a text after the # of its address, or the line of
the format `lines` if that says it all.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, usual_layouts
from sudoku.errors import LayoutError, foreign_errors
from sudoku.formats.json_format.layouts import unknown_rule
from sudoku.formats.json_format.reader import LONGEST, loaded
from sudoku.formats.json_format.records import record_of, value_of
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    PLACED,
    REMARK,
    SOLUTION,
    Format,
    Lost,
    Record,
    by_line,
    first_field,
    slimmed,
)
from sudoku.rules.layouts import named
from sudoku.text.puzzles import parse

__all__ = ["SHARE", "is_share_text", "record_of_share_text", "share_text"]

PREFIX: Final = "sudoku1."
_BASE64 = re.compile(r"[A-Za-z0-9_-]+")


def share_text(record: Record) -> str:
    """The puzzle as a text for the fragment of a URL, without white space.

    >>> share_text(Record(Grid("1... .2.. ..3. ...4")))
    '1....2....3....4'
    >>> from sudoku import layouts
    >>> text = share_text(Record(Grid.from_cells((0,) * 369, layouts.samurai())))
    >>> text[:8], len(text) < 100
    ('sudoku1.', True)

    Raises LayoutError for a layout with a rule that is not in `sudoku.rules`.
    """
    layout = record.grid.layout
    if layout.is_classic and layout.is_usual and not record.parts():
        return record.grid.line
    reason = unknown_rule(record.grid)
    if reason is not None:
        raise LayoutError(f"share {reason}")
    return _packed(record)


def _packed(record: Record) -> str:
    return PREFIX + urlsafe_b64encode(zlib.compress(_json(record), 9)).decode().rstrip("=")


def _json(record: Record) -> bytes:
    """The JSON text of a record in UTF-8, as short as possible."""
    value = value_of(record)
    if "layout" in value and _has_name(record.grid.layout):
        value["layout"] = str(record.grid.layout)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")


def _has_name(layout: Layout) -> bool:
    """Whether the text of a layout is a name of this layout."""
    try:
        return named(str(layout)) is layout
    except LayoutError:
        return False


def is_share_text(text: str) -> bool:
    """Whether a text is one of those that `share_text` makes.

    >>> is_share_text("1....2....3....4"), is_share_text("sudoku1.eNqr"), is_share_text("top")
    (True, True, False)
    """
    layout = usual_layouts().get(len(text))
    return text.startswith(PREFIX) or (layout is not None and {*text} <= {*layout.symbols, "."})


def record_of_share_text(text: str) -> Record:
    """The puzzle of a text that `share_text` has made; raises PuzzleError for other texts."""
    if not text.startswith(PREFIX):
        return Record(parse(text))
    code = text.removeprefix(PREFIX)
    what = "the shared puzzle is damaged; copy the whole link"
    with foreign_errors(what, text[:40], quoted=False):
        unpacker = zlib.decompressobj()
        if not _BASE64.fullmatch(code):
            raise ValueError
        data = unpacker.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), LONGEST)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError
        value = loaded(data.decode())
    return record_of(value, None, 0)


def _detect(head: str, comments: list[str]) -> bool:
    return head.lstrip().startswith(PREFIX)


def _parse(text: str, layout: Layout | None) -> Record:
    shared, rest = first_field(text)
    if not shared.startswith(PREFIX):
        return Record(parse(shared, layout), rest=rest)
    found = record_of_share_text(shared)
    return replace(found, rest=rest) if rest else found


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    def text_of(record: Record) -> str:
        """The text, or the JSON if that is longer than the reader accepts."""
        plain = _json(record)
        return plain.decode() if len(plain) > LONGEST else _packed(record)

    for record in records:
        yield f"{slimmed(record, lost, text_of, LONGEST)}\n"


def _refuses(grid: Grid) -> str | None:
    reason = unknown_rule(grid)
    if reason is None and len(_json(Record(grid))) > LONGEST // 2:  # the rest is for notes
        size = f"{grid.layout.size:,} cells with {len(grid.layout.rules):,} rules"
        return f"cannot hold a layout of {size}"
    return reason


SHARE = Format(
    "share",
    "a text for the fragment of a URL, with every layout and all data of a puzzle",
    (),
    _detect,
    by_line(_parse, longest=LONGEST),
    _write,
    _refuses,
    frozenset({SOLUTION, REMARK, PLACED, MARKS, ABOUT}),
)
