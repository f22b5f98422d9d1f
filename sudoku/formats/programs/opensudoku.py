"""The format `opensudoku`: the XML files of OpenSudoku, with a folder of games.

    <opensudoku><name>Easy</name><author>me</author><game data="0030...81 digits"/>...</opensudoku>

Version 2 has `<folder name="Easy">` with games that have a `note`, and the state of play in `data`:
"version: 3" and then `value|notes|editable|` for each cell, notes as the sum of 2^(d-1).
Source: OpenSudoku, gui/importing/OpenSudokuImportTask and game/CellCollection,
https://gitlab.com/opensudoku/opensudoku. Only 9x9.

The reader uses the standard library's expat, and never has the whole file in memory. It refuses
document types, and with them all entities, so that no file can expand to a huge one ("billion
laughs") or make the reader fetch another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError, counted, foreign_errors, shorten
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    PLACED,
    REMARK,
    Format,
    Lost,
    Record,
    nine_only,
    placed_error,
)
from sudoku.text.chunks import BufferedInput

__all__ = ["OPENSUDOKU"]

LONGEST = 1 << 18  # bytes of one tag or text
LONGEST_NOTE = LONGEST // 8  # characters, of which one may be written as six bytes
PIECE = 1 << 14
EXPAT_ENCODINGS = {"UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "ISO-8859-1", "US-ASCII"}
DEEPEST = 20

HEADERS = {
    "name": "title",
    "author": "author",
    "description": "description",
    "comment": "comment",
    "created": "date",
    "source": "source",
    "level": "level",
    "sourceURL": "url",
}
# As in `xml.sax.saxutils`, whose import takes 50 ms: it imports urllib, http and email.
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_QUOTED = _TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_NO_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # 3 ms to compile
_TAGS = {name: tag for tag, name in HEADERS.items()}


def _detect(head: str, comments: list[str]) -> bool:
    start = head.lstrip()
    return start.startswith(("<?xml", "<!DOCTYPE", "<opensudoku", "<!--"))


class _Reader:
    """The state of reading, and the handlers that expat calls."""

    def __init__(self) -> None:
        self.found: list[Record | PuzzleError] = []
        self.unparsed = 0
        """Bytes since expat last called a handler: all of one tag or text."""
        self._depth = 0
        self._about: dict[str, str] = {}
        self._tag = ""
        self._pieces: list[str] = []
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.CommentHandler = self._comment

    def feed(self, data: bytes, last: bool) -> None:
        """Parses the next bytes of the file."""
        with foreign_errors("not valid XML"):
            try:
                self._parser.Parse(data, last)
            except expat.ExpatError as error:
                what = f"not valid XML: {expat.ErrorString(error.code)}"
                raise PuzzleError(what, line=error.lineno) from None

    @property
    def line(self) -> int:
        """The number of the current line."""
        return self._parser.CurrentLineNumber

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and not _is_known(encoding):
            what = f"the encoding {shorten(encoding)} of the XML is not supported"
            raise PuzzleError(f"{what}; save the file as UTF-8", line=self.line)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.unparsed = 0
        self._depth += 1
        if self._depth > DEEPEST:
            raise PuzzleError(f"more than {DEEPEST} nested tags", line=self.line)
        self._finish_text()
        self._tag = tag
        if tag == "folder" and "name" in attributes:
            self._about = {"title": attributes["name"]}
        elif tag == "game":
            try:
                self.found.append(_game(attributes, self._about, self.line))
            except PuzzleError as error:
                self.found.append(placed_error(error, self.line))

    def _end(self, tag: str) -> None:
        self.unparsed = 0
        self._depth -= 1
        self._finish_text()
        self._tag = ""
        name = HEADERS.get(tag)
        if name is not None and name in self._about:
            self._about[name] = self._about[name].strip()

    def _finish_text(self) -> None:
        """Stores the text of a tag. Its pieces are joined once, because there may be very many."""
        text, name = "".join(self._pieces), HEADERS.get(self._tag)
        self._pieces.clear()
        if name is not None and (text.strip() or name in self._about):
            self._about[name] = (self._about.get(name, "") + text)[:LONGEST]

    def _comment(self, text: str) -> None:
        self.unparsed = 0

    def _text(self, text: str) -> None:
        self.unparsed = 0
        if self._tag in HEADERS:
            self._pieces.append(text)

    def _refuse(self, *what: object) -> None:
        raise PuzzleError(
            "document types and entities in XML are not supported; remove them", line=self.line
        )


def _is_known(encoding: str) -> bool:
    """Whether expat can read an encoding, itself or by a Python codec with one byte a character.

    For other encodings expat would raise the error of the codec: LookupError, UnicodeError, ...
    """
    if encoding.upper() in EXPAT_ENCODINGS:
        return True
    try:  # one character at a time, because a codec may take a backslash as an escape
        is_ascii = all(bytes([n]).decode(encoding) == chr(n) for n in range(32, 127))
        return is_ascii and len(bytes(range(256)).decode(encoding, "replace")) == 256
    except (LookupError, ValueError):  # not a codec, or not one of text
        return False


def _game(attributes: dict[str, str], about: dict[str, str], line: int) -> Record:
    data = attributes.get("data", attributes.get("cells_data"))
    if data is None:
        raise PuzzleError("a game without data")
    data = data.strip()
    rest = attributes.get("note", "").strip()
    if re.fullmatch(r"[0-9.]{81}", data):
        grid = Grid.from_line(data.replace("0", "."), Layout(3, 3))
        return Record(grid, line, rest, about=dict(about))
    givens, placed, marks = _cells(data)
    grid = Grid.from_line(givens, Layout(3, 3))
    notes = marks if any(marks) else None
    return Record(grid, line, rest, placed=placed, marks=notes, about=dict(about))


def _cells(data: str) -> tuple[str, str, tuple[int, ...]]:
    """The givens, the digits filled in and the notes of a game that was played."""
    head = re.match(r"version: ?([1-5])\s+", data)
    if head is None:
        raise PuzzleError("the data must be 81 digits, or a version and cells", text=data)
    version = int(head[1])
    width = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5}[version]
    text = data[head.end() :]
    if version == 2:
        text = re.sub(r"\|\|", "|", text)  # this version of OpenSudoku doubled them
    fields = [field.strip() for field in text.rstrip().removesuffix("|").split("|")]
    if len(fields) != 81 * width:
        raise PuzzleError(
            f"data with {counted(len(fields), 'field')}; a puzzle has {81 * width}", text=data
        )
    givens, placed, marks = "", "", []
    for at in range(0, len(fields), width):
        value, notes, editable = fields[at], fields[at + 1], fields[at + width - 1]
        numbers = notes.strip(",").split(",") if version == 1 and notes != "-" else ["0"]
        if not re.fullmatch("[0-9]", value) or editable not in ("0", "1"):
            cell = "|".join(fields[at : at + width])
            raise PuzzleError(f"cell {at // width + 1} is {shorten(cell)}")
        if version == 1:
            bits = sum(1 << int(n) for n in set(numbers) if re.fullmatch("[1-9]", n))
        elif re.fullmatch("[0-9]{1,3}", notes) and int(notes) < 512:
            bits = int(notes) << 1
        else:
            raise PuzzleError(f"cell {at // width + 1} has the notes {shorten(notes)}")
        digit = "." if value == "0" else value
        placed += digit
        givens += "." if editable == "1" else digit
        marks.append(bits)
    return givens, placed, tuple(marks)


def _read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
    reader = _Reader()
    while True:
        data = stream.read(PIECE)
        reader.unparsed += len(data)
        try:
            reader.feed(data, not data)
            if reader.unparsed > LONGEST:
                what = f"a tag or text of more than {LONGEST} bytes"
                raise PuzzleError(what, line=reader.line)
        except PuzzleError as error:
            yield from reader.found
            yield error
            return
        yield from reader.found
        reader.found.clear()
        if not data:
            return


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    yield ('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n')
    first: dict[str, str] | None = None
    for record in records:
        if first is None:
            first = {name: text for name, text in record.about.items() if name in _TAGS}
            for name, text in first.items():
                yield (f"  <{_TAGS[name]}>{_xml(text).translate(_TEXT)}</{_TAGS[name]}>\n")
        for name, text in record.about.items():
            if first.get(name) != text:  # a file has one title, author ... for all games
                lost(record, f"its {name}")
        rest = _xml(record.rest)
        if len(rest) > LONGEST_NOTE:
            lost(record, REMARK)
            rest = ""
        data, note = _data(record).translate(_QUOTED), rest.translate(_QUOTED)
        yield f'  <game data="{data}"' + (f' note="{note}"' if rest else "") + " />\n"
    yield ("</opensudoku>\n")


def _xml(text: str) -> str:
    """The text without characters that XML forbids: a space for control characters, else U+FFFD."""
    return re.sub(_NO_XML, lambda found: " " if found[0] < " " else "\ufffd", text)


def _data(record: Record) -> str:
    if record.placed is None and record.marks is None:
        return record.grid.line.replace(".", "0")
    placed = (record.placed or record.grid.line).replace(".", "0")
    marks = record.marks or (0,) * 81
    cells = zip(record.grid.line, placed, marks, strict=True)
    return "version: 3\n" + "".join(f"{p}|{m >> 1}|{int(g == '.')}|" for g, p, m in cells)


OPENSUDOKU = Format(
    "opensudoku",
    "OpenSudoku's XML",
    (".opensudoku", ".xml"),
    _detect,
    _read,
    _write,
    nine_only,
    frozenset({ABOUT, PLACED, MARKS, REMARK}),
)
