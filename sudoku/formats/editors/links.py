"""The format `links`: the links by which players share puzzles, one on each line.

    https://www.f-puzzles.com/?load=N4IgzglgX...       f-puzzles, the JSON compressed by lz-string
    https://sudokupad.app/fpuzzlesN4IgzglgX...         the same in SudokuPad
    https://sudokupad.app/sclN4IgzglgX...              SudokuPad's own JSON (also `ctc`)
    https://sudokuexchange.com/play/?s=0001...         any link with 81 digits, 0 for a blank
    https://.../puzzles/js/solo.html#3x3:5_3b7d6b1_9... an ID of Solo: format `solo`
    https://www.sudokuwiki.org/sudoku.htm?bd=S9B4s...  with candidates: two characters a cell
    https://swaroopg92.github.io/penpa-edit/#m=edit&p= penpa+: `sudoku.formats.editors.penpa`
    http://localhost:8324/#53..7....6..                the page of `sudoku serve`: format `share`

What follows the link on its line is a remark. The links of f-puzzles are written, in SudokuPad's
form; the format `penpa` writes those of penpa+. Compressed links of the former need lzstring (the
extra `links`). A short link such as sudokupad.app/abc123 names a puzzle on a server, which is not
asked.

Source: SudokuPad/sudokutools, src/fpuzzlesdecoder.js, and marktekfan/sudokupad-penpa-import,
docs/lib/puzzleloader.js (the prefixes and their encodings). The two forms of `bd` are those of
links that others have published; tests/sudoku/test_formats_links.py has two of them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from sudoku.board.layout import Layout
from sudoku.errors import MissingExtra, PuzzleError, foreign_errors, shorten
from sudoku.formats.editors.fpuzzles import FPUZZLES, parse_fpuzzles
from sudoku.formats.editors.penpa import is_penpa, parse_penpa
from sudoku.formats.editors.penpa_writing import penpa_format
from sudoku.formats.editors.share import is_share_text, record_of_share_text
from sudoku.formats.editors.sudokupad import expanded, parse_sudokupad
from sudoku.formats.json_format.reader import loaded
from sudoku.formats.programs.solo import is_solo, parse_solo
from sudoku.formats.record import REMARK, Lost, Record, first_field, line_format
from sudoku.text.puzzles import parse

__all__ = ["LINKS", "PENPA", "packed", "unpacked"]

SITE = "https://sudokupad.app/"
LONGEST_LINK = 1 << 15
"""Characters of a compressed link: a longer one could expand to hundreds of megabytes."""
SOLVED = 18  # in sudokuwiki's states: 1 to 9 given, 10 to 18 filled in, above it candidates
LARGEST = 1 << 20  # characters of an unpacked puzzle

_START = re.compile(r"(?:https?://|fpuz(?:zles)?N4I|(?:scl|ctc)N4I)")
_CELLS = re.compile(r"(?<![\w.*+-])(?:[0-9.]{81}|[1-9_]{81}|[1-9*]{81}|[1-9-]{81})(?![\w.*+-])")
_PACKAGE = re.compile(r"(fpuz(?:zles)?|scl|ctc|scf)(.*)", re.DOTALL)


def _detect(head: str, comments: list[str]) -> bool:
    return _START.match(head.lstrip()) is not None and not is_penpa(head.lstrip())


def _parse(text: str, layout: Layout | None) -> Record:
    link, rest = first_field(text)
    found = _record(link)
    return replace(found, rest=rest or found.rest)


def _record(link: str) -> Record:
    """The record of a link, or of the part of it that has the puzzle."""
    if is_penpa(link):
        return parse_penpa(link)
    with foreign_errors("not a link"):
        address = urlsplit(link)
        fields = parse_qs(address.query.replace("+", "%2B"), keep_blank_values=True)
    if is_share_text(unquote(address.fragment)):
        return record_of_share_text(unquote(address.fragment))
    if is_solo(unquote(address.fragment)):
        return parse_solo(unquote(address.fragment))
    if found := _CELLS.search(unquote(link)):
        return Record(parse(found[0], Layout(3, 3)))
    if "bd" in fields:
        return _sudokuwiki(fields["bd"][0])
    if "load" in fields:
        return _fpuzzles(fields["load"][0])
    package = fields.get("puzzleid", [unquote(link.rpartition("/")[2] if "://" in link else link)])
    if "://" in link and "puzzleid" not in fields:
        package = [unquote(address.path.lstrip("/").removeprefix("sudoku/"))]
    if not package[0]:
        raise PuzzleError("the link contains no puzzle")
    found = _PACKAGE.fullmatch(package[0])
    if not found or len(found[2]) < 20:
        raise PuzzleError(
            f"{shorten(package[0])} is not a puzzle, but perhaps its name on a server; "
            "open the link and copy the long one"
        )
    if found[1].startswith("fpuz"):
        return _fpuzzles(found[2])
    if found[1] == "scf":
        raise PuzzleError("SudokuPad's links with scf are not supported")
    text = unpacked(found[2])
    return parse_sudokupad(_json(text) if '"' in text else expanded(text), 0)


def _fpuzzles(packed_text: str) -> Record:
    return parse_fpuzzles(_json(unpacked(packed_text)), 0)


def _json(text: str) -> Any:
    with foreign_errors("the link has no JSON in it", text[:40]):
        return loaded(text)


def _sudokuwiki(text: str) -> Record:
    """The puzzle of a `bd` field: the state of a puzzle in two characters a cell."""
    if not text.startswith("S9B"):
        what = f"bd has {len(text)} characters; a 9x9 grid has 81 digits"
        raise PuzzleError(what, text=text)
    if not re.fullmatch(r"S9B(?:[0-9a-e][0-9a-z]){81}", text):
        what = "bd must have two characters, a number in base 36, for each of 81 cells"
        raise PuzzleError(what, text=text)
    numbers = [int(text[at : at + 2], 36) for at in range(3, 165, 2)]
    if any(not 1 <= number <= SOLVED + 511 for number in numbers):
        raise PuzzleError("bd has a cell without a digit and without candidates", text=text)
    givens = "".join(str(number) if number <= 9 else "." for number in numbers)
    placed = "".join(str((number - 1) % 9 + 1) if number <= SOLVED else "." for number in numbers)
    marks = tuple(2 * (number - SOLVED) if number > SOLVED else 0 for number in numbers)
    return Record(
        parse(givens, Layout(3, 3)),
        placed=placed if placed != givens else None,
        marks=marks if any(marks) else None,
    )


def unpacked(text: str) -> str:
    """The text that lz-string compressed, in base64.

    Raises `PuzzleError` for other texts, `MissingExtra` without lzstring.
    """
    if len(text) > LONGEST_LINK:
        raise PuzzleError(f"a link of {len(text):,} characters; at most {LONGEST_LINK:,} are read")
    tool = _lzstring()
    what = "the link is damaged: lz-string cannot decompress it"
    with foreign_errors(what, text[:40], quoted=False):
        found = tool.decompressFromBase64(text.replace(" ", "+"))
        if not isinstance(found, str) or not found:
            raise ValueError
    if len(found) > LARGEST:
        raise PuzzleError(f"a puzzle of {len(found):,} characters; at most {LARGEST:,} are read")
    return found


def packed(text: str) -> str:
    """A text compressed by lz-string, in base64; `MissingExtra` without lzstring."""
    made: str = _lzstring().compressToBase64(text)
    return made


def _lzstring() -> Any:
    try:
        from lzstring import LZString
    except ImportError:
        raise MissingExtra(
            "lzstring is not installed, which compressed links need: `pip install lzstring`"
        ) from None
    return LZString()


def _fields(record: Record, lost: Lost) -> list[str]:
    (text,) = FPUZZLES.write([record], lost)
    return [f"{SITE}fpuzzles{packed(text.strip())}"]


LINKS = line_format(
    "links",
    "links to f-puzzles and SudokuPad that contain the puzzle, and all with 81 digits",
    _detect,
    _parse,
    _fields,
    FPUZZLES.refuses,
    FPUZZLES.holds | {REMARK},
    suffixes=(".url",),
    solution=None,
)
PENPA = penpa_format(_parse)
