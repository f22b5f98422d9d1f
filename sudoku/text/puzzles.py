"""`parse`, for a text with one puzzle, and the reader of text files with many puzzles.

A text file is any mixture of

* puzzles on one line: the first field of the line. The rest of the line - after white space, a
  comma or a semicolon - becomes the entry's `rest`: a rating, a solution, a comment. A second
  puzzle (a field of the same length with blanks in it) is an error;
* grids of n lines with n cells each, with any rules, `|` and spaces. Blank lines and comments may
  come between bands. Within a band they end the grid, which is then an error;
* comments (lines that start with `#`), blank lines, and rules.

Two cases are ambiguous. A line of 16 or 36 cells is a 4x4 or 6x6 puzzle, or a row of a large
grid: it is a row if 15 (35) more such lines follow and some symbol among them is too large for the
small grid, or all of them have bars. And a line of n dashes is a rule or an empty row of an n x n
grid: it is a row if the rows near it write their blanks as `-`. A line of 81 dashes (or side x
side, with a layout) is an empty puzzle; of other lengths, a rule.

Reading is lazy: it looks ahead at most 72 lines, or 64 KiB of a binary file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dlx.named_tuple import NamedTuple
from sudoku.board.grid import Grid, read_cells
from sudoku.board.layout import MAX_SIDE, Layout, usual_layouts
from sudoku.board.notations import (
    TOO_LARGE,
    frame_cells,
    frame_rows,
    has_blanks,
    letters_as_digits,
    usual_characters,
)
from sudoku.board.parse import (
    BLANKS,
    decode,
    layout_of,
    plain_zeros,
    read_puzzle,
    read_text,
    zero_doubt,
)
from sudoku.errors import PuzzleError, counted
from sudoku.text.chunks import BufferedInput, Chunk, ChunkReader
from sudoku.text.lines import Line, Lines, TextSource

__all__ = ["Entry", "LettersEntry", "parse"]

_SEPARATOR = re.compile(r"[\s,;]+")
_NO_BLANKS = dict.fromkeys(map(ord, BLANKS))
_MOST_FIRST = 4  # fields before the puzzle of a line
_SHORTEST = 81  # cells of a puzzle after other fields, which may be numbers


def parse(puzzle: str | Iterable[object] | Grid, layout: Layout | None = None) -> Grid:
    """The grid of a text or a list of rows that holds exactly one puzzle.

    A text has side x side cells, on one line or many: digits and letters, and `. 0 - _ *` for
    blanks. `0` is a digit if the side is 36, and the largest one on sides from 10 up that have
    another blank and no symbol of that digit. White space, `|`, `+`, box drawing characters and
    rules are ignored; `sudoku/board/parse.py` says how a line of dashes is read, and
    `sudoku/board/notations.py` which other notations are. In rows, cells are numbers, characters,
    or None. A `Grid` is returned as it is.

    `layout` is needed only for boxes other than the usual ones for that number of cells, and for
    other kinds of Sudoku. Where it has no cell (between overlapping grids), a text may have a `#`.

    >>> parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    Grid('53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79')
    >>> parse([[1, 2, 3, 4], [3, 4, 0, 0], [2, 0, 4, 0], "4..1"]).line
    '123434..2.4.4..1'

    Raises `PuzzleError`, which quotes the wrong text and says what was expected. O(cells).
    """
    if layout is None and isinstance(puzzle, Grid):
        return puzzle
    return Grid.from_cells(*read_cells(puzzle, layout))


class Entry(NamedTuple):
    """One puzzle of a file."""

    line: int
    """The number of its (first) line, from 1."""
    grid: Grid
    """The puzzle."""
    rest: str
    """The rest of its line after the puzzle, or `""`; one line, in every format."""


class LettersEntry(Entry):
    """A puzzle whose digits are letters in the file."""

    about: dict[str, str]
    """The letters of the digits 1, 2, ..., as of a record: `{"letters": "ABC..."}`."""


def wait_marker(number: int) -> Chunk:
    """An empty chunk: the marker that reading on may block."""
    return Chunk(number, [], Layout(3, 3))


def text_pieces(
    stream: BufferedInput, layout: Layout | None
) -> Iterator[Chunk | Entry | PuzzleError]:
    """The puzzles and errors of a file of lines and grids, plain lines in chunks."""
    if layout is not None and not layout.is_square:
        for piece in lines_reader(stream, layout, stream.number):
            yield piece
            if not stream.is_ready():
                yield wait_marker(stream.number)
        return
    plain_reader = ChunkReader(stream, layout)
    plain_reader.skip_comments()
    sizes: set[int] = set()  # of the puzzles on one line so far
    while True:
        for chunk in plain_reader.chunks():
            if chunk.puzzles:
                sizes.add(chunk.layout.size)
            yield chunk
        reader = _Reader(stream, layout, stream.number, sizes)
        for piece in reader:
            yield piece
            number = reader.next_number
            if number is None:
                continue
            if not stream.is_ready():
                yield wait_marker(number)
            if plain_reader.is_next():
                stream.number = number
                break
        else:
            return


def lines_reader(
    source: TextSource, layout: Layout | None, first: int
) -> Iterator[Entry | PuzzleError]:
    """The puzzles and errors of a file, read line by line."""
    if layout is None or layout.is_square:
        yield from _Reader(source, layout, first)
        return
    from sudoku.text.gaps import GapReader

    for found in GapReader(Lines(source, first), layout).puzzles():
        if isinstance(found, PuzzleError):
            yield found
        else:
            yield Entry(found[0], Grid.from_cells(found[1], layout), found[2])


class _Reader:
    def __init__(
        self,
        source: TextSource,
        layout: Layout | None,
        first: int,
        sizes: set[int] | None = None,
    ) -> None:
        self._lines = Lines(source, first)
        self._layout = layout
        self._sizes: set[int] = set() if sizes is None else sizes

    @property
    def next_number(self) -> int | None:
        """The number of the next unread line; None if lines were read ahead, or at the end."""
        return self._lines.next_number

    def __iter__(self) -> Iterator[Entry | PuzzleError]:
        while True:
            try:
                entry = self.next_entry()
            except PuzzleError as error:
                yield error
                continue
            if entry is None:
                return
            yield self._whole(entry)

    def _whole(self, entry: Entry) -> Entry | PuzzleError:
        """The puzzle; an error if it is on a last line that seems to be truncated.

        A last line seems truncated if it has no line break, nothing follows the puzzle, and all
        puzzles on earlier lines have one larger size.
        """
        line, size, sizes = self._lines.last, entry.grid.layout.size, self._sizes
        if line is None or line.number != entry.line:
            return entry  # a grid of several lines
        if not (line.is_ended or entry.rest) and len(sizes) == 1 and max(sizes) > size:
            what = f"{size} cells on the last line, but the other puzzles have {max(sizes)}: "
            what += "truncated? If it is complete, end the line with a line break"
            return PuzzleError(what, line=line.number, text=line.text)
        sizes.add(size)
        return entry

    def next_entry(self) -> Entry | None:
        """The next puzzle, or None at the end; after a `PuzzleError` the next call continues."""
        lines, layout = self._lines, self._layout
        while (line := lines.pop()) is not None:
            text = line.text.strip()
            field, rest = _split(text) if text else ("", "")
            field = usual_characters(field)
            if (fitting := layout_of(len(field), layout)) and len(field) > MAX_SIDE:
                # The common case: a puzzle, and perhaps a comment.
                cells = decode(field, fitting.side)
                is_rule = text[0] == "-" and not field.strip("-") and (rest or len(field) != 81)
                if cells is not None and not (is_rule or zero_doubt(field, fitting)):
                    _refuse_second(rest, fitting, line)
                    return Entry(line.number, Grid.from_cells(cells, fitting), rest)
            parts = frame_cells(usual_characters(text))
            if parts and has_blanks(parts) and (entry := self._framed(line)):
                return entry
            if line.is_empty or (line.is_dashes and not self._is_empty_row(line)):
                continue
            return self._entry(line, text)
        return None

    def _framed(self, first: Line) -> Entry | None:
        """The grid whose rows, from this one on, have bars around, and spaces for blanks."""
        lines = [first]
        most = 2 * min(len(first.text), MAX_SIDE) + 1  # a row has fewer cells than characters
        while len(lines) < most and (line := self._lines.peek(len(lines) - 1)):
            if line.is_blank:
                break
            if line.cells and not line.is_dashes and not frame_cells(usual_characters(line.text)):
                break
            lines.append(line)
        texts = [usual_characters(line.text) for line in lines]
        rows = frame_rows(texts, self._layout)
        if not rows:
            return None
        side = len(rows[0])
        left = side - 1
        while left and len(lines) > 1:
            left -= frame_cells(texts[1]) is not None
            del lines[1], texts[1]
            self._lines.pop()
        if left:
            what = f"{counted(len(rows), 'row')}; the grid has {side}"
            raise PuzzleError(what, line=first.number, text=first.text)
        return self._read("\n".join(rows[:side]), first, "")

    def _read(self, text: str, line: Line, rest: str) -> Entry:
        """The puzzle in a text that begins in this line."""
        try:
            cells, found, letters = read_puzzle(text, self._layout)
        except PuzzleError as error:
            raise PuzzleError(error.what, line=line.number, text=line.text) from None
        return _made(line, Grid.from_cells(cells, found), rest, letters)

    def _entry(self, line: Line, text: str) -> Entry:
        layout = self._layout
        width = len(line.cells)
        field, rest = _split(text)
        field = usual_characters(field)
        fitting = layout_of(len(field), layout)
        if self._is_row(line):
            small = layout_of(width, layout)
            is_small_puzzle = fitting is not None and rest != ""
            if not is_small_puzzle and (small is None or self._is_large_grid(line)):
                return self._grid(line, layout or Layout.of_side(width))
        is_other = fitting is None or decode(field, fitting.side) is None
        if is_other and (found := self._after_other_fields(text)):
            field, rest = found
        elif fitting is None and len(field) <= MAX_SIDE:
            field, rest = text, ""  # a puzzle with spaces or bars in it, or an error
        elif fitting is not None:
            _refuse_second(rest, fitting, line)
        return self._read(field, line, rest)

    def _after_other_fields(self, text: str) -> tuple[str, str] | None:
        """The puzzle in a line that begins with other fields, such as its number, and the rest.

        The rest has what follows the puzzle, and then the first fields.
        """
        fields = _SEPARATOR.split(text, _MOST_FIRST + 1)
        for at, field in enumerate(fields[: _MOST_FIRST + 1]):
            fitting = layout_of(len(field), self._layout)
            if fitting and fitting.size >= _SHORTEST:
                is_puzzle = at and 0 in (decode(field, fitting.side) or ())
                return (field, " ".join((*fields[at + 1 :], *fields[:at]))) if is_puzzle else None
            if len(field) >= _SHORTEST - 9:  # a damaged puzzle: then its solution may follow
                return None
        return None

    def _is_row(self, line: Line) -> bool:
        """Whether the line may be a row of a grid."""
        width = len(line.cells)
        if self._layout is not None:
            return width == self._layout.side
        if width * width not in usual_layouts():
            return False
        cells = line.cells.replace(TOO_LARGE, ".")
        return decode(cells, width) is not None or self._has_letters(line)

    def _has_letters(self, first: Line) -> bool:
        """Whether a line, with those after it, is a grid of letters."""
        width = len(first.cells)
        rows, ahead = [first.cells], 0
        if not first.cells.translate(_NO_BLANKS).isalpha():
            return False
        while len(rows) < width and (line := self._lines.peek(ahead)) is not None:
            ahead += 1
            if not line.is_empty and not line.is_dashes:
                rows.append(line.cells)
        return {*map(len, rows)} == {width} and (
            letters_as_digits("".join(rows), width) is not None
        )

    def _is_large_grid(self, first: Line) -> bool:
        """Whether lines of 16 (36) cells are the rows of one grid, not puzzles of side 4 (6)."""
        width = len(first.cells)
        small = {16: 4, 36: 6}[width] if width in (16, 36) else width
        rows, ahead = [first], 0
        while len(rows) < width and (line := self._lines.peek(ahead)) is not None:
            ahead += 1
            if line.is_empty:
                continue
            if len(line.cells) == width:
                rows.append(line)
            elif not line.is_dashes:
                return False
        large = any(decode(row.cells, small) is None for row in rows)
        barred = all(any(bar in row.text for bar in "|│┃║") for row in rows)
        return len(rows) == width and (large or barred)

    def _is_empty_row(self, line: Line) -> bool:
        """Whether a line of dashes, before the first row of a grid, is a row itself."""
        width, after = len(line.cells), self._lines.peek(0)
        if self._layout is not None and width == self._layout.side**2:
            return True
        if "+" in line.text or after is None or len(after.cells) != width:
            return False
        return self._is_row(line) and not after.is_empty and self._dash_is_blank([])

    def _dash_is_blank(self, rows: list[Line]) -> bool:
        """Whether the first row with a blank, here or in the next lines, writes it as `-`."""
        ahead = (self._lines.peek(n) for n in range(2 * MAX_SIDE))
        for row in (*rows, *filter(None, ahead)):
            if not row.is_dashes and any(blank in row.cells for blank in BLANKS):
                return "-" in row.cells
        return True

    def _grid(self, first: Line, layout: Layout) -> Entry:
        side, lines = layout.side, self._lines
        rows = [first]
        ragged: Line | None = None
        while len(rows) < side:
            line = lines.peek(0)
            if line is None or (len(line.cells) > MAX_SIDE and not line.is_dashes):
                break
            if line.is_blank and len(rows) % layout.box_rows:
                break  # a row is missing; the next line is the first row of another grid
            lines.pop()
            if line.is_empty or (
                line.is_dashes and (len(line.cells) != side or not self._dash_is_blank(rows))
            ):
                continue
            if len(line.cells) != side:
                ragged = ragged or line
            rows.append(line)
        if ragged is not None:
            width = counted(len(ragged.cells), "cell")
            what = f"a row of {width} in a grid of {counted(side, 'column')}"
            raise PuzzleError(what, line=ragged.number, text=ragged.text)
        if len(rows) < side:
            what = f"{counted(len(rows), 'row')}; the grid has {side}"
            raise PuzzleError(what, line=first.number, text=first.text)
        text = "".join(row.cells for row in rows)
        if (doubt := zero_doubt(text, layout)) is not None:
            raise PuzzleError(doubt, line=first.number, text=first.text)
        lettered = None if (cells := decode(text, side)) else letters_as_digits(text, side)
        if lettered:
            grid = Grid.from_cells(decode(lettered[0], side) or (), layout)
            return _made(first, grid, "", lettered[1])
        if cells is None:
            for row in rows:
                if TOO_LARGE in row.cells:
                    what = f"a number larger than {side}"
                    raise PuzzleError(what, line=row.number, text=row.text)
                try:  # to find the wrong character: as the first row of an otherwise empty grid
                    read_text(row.cells + "." * (side * (side - 1)), layout)
                except PuzzleError as error:
                    raise PuzzleError(error.what, line=row.number, text=row.text) from None
        assert cells is not None
        return Entry(first.number, Grid.from_cells(cells, layout), "")


def _made(line: Line, grid: Grid, rest: str, letters: str) -> Entry:
    """The entry of a puzzle that begins in this line."""
    if not letters:
        return Entry(line.number, grid, rest)
    entry = LettersEntry(line.number, grid, rest)
    entry.about = {"letters": letters}
    return entry


def _refuse_second(rest: str, layout: Layout, line: Line) -> None:
    """Raises `PuzzleError` if what follows a puzzle is another one."""
    if len(rest) >= layout.size:
        field = _split(rest)[0]
        side, is_other = layout.side, len(field) == layout.size
        other = decode(plain_zeros(field, side, full=True), side) if is_other else None
        if other is not None and 0 in other:
            raise PuzzleError(
                "two puzzles on one line; put each on its own", line=line.number, text=line.text
            )


def _split(text: str) -> tuple[str, str]:
    """The first field of a line, and the rest."""
    field = text.split(None, 1)[0]
    for separator in ",;":
        field = field.partition(separator)[0]
    return field, text[len(field) :].lstrip(" \t,;")
