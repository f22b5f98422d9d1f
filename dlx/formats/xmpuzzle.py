"""Puzzles of BurrTools: files .xmpuzzle, of XML, usually compressed by gzip.

::

    <puzzle version="2">
     <gridType type="0"/>
     <shapes>
      <voxel x="2" y="2" z="1" type="0" name="corner">##_#</voxel>
      <voxel x="3" y="2" z="1" type="0">###++#</voxel>
     </shapes>
     <problems>
      <problem name="one">
       <shapes><shape id="0" count="1"/></shapes>
       <result id="1"/>
      </problem>
     </problems>
    </puzzle>

A voxel space is a box of x * y * z characters, x the fastest: `#` a cell, `_` none, `+` a cell that
may stay empty; digits after it are a color. A problem fills its result with shapes, each `count`
times, or from `min` to `max` times. They may be rotated in space, not reflected. If both a cell of
a shape and its place in the result have a color, the problem must list the two as a pair. If counts
vary, at most `maxHoles` cells stay empty.

It is read as `dlx.models.polyominoes` would make it: options are named (shape, cells), items are
the shapes and the cells (layer, row, column), which are z, y, x. A shape without a name, or with
that of another, is "S1", "S2", ... as in BurrTools, and what Knuth's format cannot hold becomes "_"
in names. With `maxHoles` the item "filled" counts cells. Groups, weights and solutions, which
concern taking the puzzle apart, are skipped. Only grids of cubes (type 0) are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, NoReturn
from xml.parsers import expat

from dlx.core.cells import Cell, placements
from dlx.core.encoding import CHUNK, GZIP, checked_text, unpacked
from dlx.core.entries import Times
from dlx.core.multiplicity import set_multiplicities
from dlx.errors import FormatError, counted, quote

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Puzzle", "fill", "read", "read_all"]

TEXT: Final = ("utf-8", "surrogateescape")  # how files are opened
MOST_CELLS: Final = 100_000  # of a voxel space
MOST_ENTRIES: Final = 20_000_000  # of the options of a problem: some gigabytes
MOST: Final = 2**15  # of the copies of a shape, and of other numbers, as in BurrTools
SHOWN: Final = 9  # problems in a message
FILLED: Final = "filled"  # the item that an option covers once for each of its cells
GRIDS: Final = ("cubes", "triangular prisms", "spheres", "rhombic dodecahedra", "tetrahedra")


class _Space(NamedTuple):
    """The cells of a voxel space with their colors, those to fill and those that may be filled."""

    name: str
    cells: dict[Cell, int]
    variable: dict[Cell, int]


class Puzzle:
    """A problem of a file: the spaces of the file, and how it uses them."""

    def __init__(self, file: _Reader, name: str, holes: int | None) -> None:
        self.spaces, self.where, self.line = file.spaces, file.where, file.line
        self.name = name
        self.holes = holes
        self.colored = False
        self.counts: dict[int, tuple[int, int]] = {}
        """The least and the greatest number of copies of each shape."""
        self.pairs: set[tuple[int, int]] = set()
        """The colors of shapes and results that fit."""
        self.result: int | None = None


# -- problems ------------------------------------------------------------------------------------


def read(table: Table, file: IO[Any] | Iterable[Any], where: str | None, choice: str = "") -> None:
    """Reads a problem of a file into an empty table. `where` is the file's name, for messages.

    `choice` is the number, from 1, or the name of the problem; a file with one needs none. Raises
    `FormatError` with the number of the line. O(size of the file) and what `fill` takes.
    """
    puzzles = read_all(file, where)
    numbers = {str(number): name for number, name in enumerate(puzzles, start=1)}
    name = numbers.get(choice, choice) or (numbers["1"] if len(puzzles) == 1 else "")
    if name not in puzzles:
        listed = [f"#{number} {quote(name)}" for number, name in numbers.items()]
        more = ", ..." if len(listed) > SHOWN else ""
        advice = "add the number of one to the name of the file"
        raise FormatError(
            f"the file has {counted(len(listed), 'problem')}, {', '.join(listed[:SHOWN])}{more}; "
            f"{f'{quote(choice)} is none of them' if choice else advice}",
            source=where,
        )
    fill(table, puzzles[name])


def read_all(file: IO[Any] | Iterable[Any], where: str | None) -> dict[str, Puzzle]:
    """The problems of a file by their names, or as "P1", "P2", ... Raises `FormatError`."""
    reader = _Reader(where)
    for data in _unpacked(_chunks(file, where), where):
        reader.feed(data, False)
    reader.feed(b"", True)
    if not reader.puzzles:
        raise FormatError("the file has no problem", source=where)
    names = _labels([puzzle.name for puzzle in reader.puzzles], "P")
    return dict(zip(names, reader.puzzles, strict=True))


def fill(table: Table, puzzle: Puzzle) -> None:
    """Fills an empty table with a problem: see the module. O(entries + orientations * cells)."""

    def fail(message: str) -> NoReturn:
        what = f"problem {quote(puzzle.name)}: {message}"
        raise FormatError(what, line=puzzle.line, source=puzzle.where)

    def check(entries: int) -> None:
        if entries > MOST_ENTRIES:
            fail(f"more than {MOST_ENTRIES:,} entries of options")

    if puzzle.result is None:
        fail("it has no <result>")
    labels = _labels([re.sub(r"[\s:|]+", "_", space.name) for space in puzzle.spaces], "S")
    used = {number: count for number, count in puzzle.counts.items() if count[1]}
    counts = {labels[number]: count for number, count in used.items()}
    shapes = {labels[number]: puzzle.spaces[number] for number in used}
    for label, space in shapes.items():
        if space.variable or not space.cells:
            why = "has cells that may stay empty" if space.variable else "has no cells"
            fail(f"the shape {quote(label)} {why}; only a result may")
    result = puzzle.spaces[puzzle.result]
    region = sorted({**result.cells, **result.variable}.items())
    if not region:
        fail("its result has no cells")
    colors = {0}.union(*(space.cells.values() for space in shapes.values()))
    allowed = {
        color: frozenset(
            cell
            for cell, other in region
            if not (color and other and puzzle.colored) or (color, other) in puzzle.pairs
        )
        for color in colors
    }
    cells = [cell for cell, _ in region]
    options: dict[Any, tuple[Hashable, ...]] = dict(
        placements({label: space.cells for label, space in shapes.items()}, cells, allowed, check)
    )
    primary: list[Hashable] = [*shapes]
    if puzzle.holes is not None and any(low < high for low, high in counts.values()):
        primary.append(FILLED)
        counts[FILLED] = max(0, len(cells) - puzzle.holes), len(cells)
        options = {name: (*items, Times(FILLED, len(items) - 1)) for name, items in options.items()}
    table.add_items([*primary, *sorted(result.cells)], secondary=False)
    table.add_items(sorted(result.variable), secondary=True)
    table.extend(options.items(), named=True)
    set_multiplicities(table, counts)


def _labels(names: list[str], letter: str) -> list[str]:
    """The names; for those that are missing, not unique or ambiguous "S1", "S2", ..."""
    often = Counter(names)
    return [
        name
        if often[name] == 1 and name not in ("", FILLED) and not re.fullmatch(rf"{letter}\d+", name)
        else f"{letter}{number}"
        for number, name in enumerate(names, start=1)
    ]


# -- files ---------------------------------------------------------------------------------------


def _chunks(file: IO[Any] | Iterable[Any], where: str | None) -> Iterator[bytes]:
    """The bytes of an open file, also of one opened as text with errors="surrogateescape"."""
    buffer = getattr(file, "buffer", None)
    if buffer is not None:
        yield from iter(lambda: buffer.read(CHUNK), b"")
        return
    for line in file:
        yield line if isinstance(line, bytes) else checked_text(line, where).encode(*TEXT)


def _unpacked(chunks: Iterator[bytes], where: str | None) -> Iterator[bytes]:
    """The bytes of a file that may be compressed."""
    first = next(chunks, b"")
    whole = chain([first], chunks)
    return unpacked(whole, where) if first.startswith(GZIP) else whole


class _Reader:
    """The state of reading, and the handlers that expat calls."""

    def __init__(self, where: str | None) -> None:
        self.where = where
        self.spaces: list[_Space] = []
        self.puzzles: list[Puzzle] = []
        self._colors = 0
        self._tags: list[str] = []
        self._sides: tuple[int, ...] | None = None  # of the voxel space that is read
        self._name = ""
        self._text: list[str] = []
        self._length = 0
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, data: bytes, last: bool) -> None:
        """Parses the next bytes of the file."""
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            message = f"this is not XML: {expat.ErrorString(error.code)}"
            raise FormatError(message, line=error.lineno, source=self.where) from None

    @property
    def line(self) -> int:
        """The number of the current line."""
        return self._parser.CurrentLineNumber

    def _fail(self, message: str) -> NoReturn:
        raise FormatError(message, line=self.line, source=self.where)

    def _refuse(self, *_: object) -> None:
        self._fail("the XML has a document type; a puzzle needs none")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._tags and tag != "puzzle":
            self._fail("this is XML, but not a puzzle of BurrTools, which begins with <puzzle>")
        self._tags.append(tag)
        take = self._TAKERS.get("/".join(self._tags[1:])) if len(self._tags) < 6 else None
        if take is not None:
            take(self, attributes)

    def _end(self, tag: str) -> None:
        self._tags.pop()
        if self._sides is not None and tag == "voxel":
            self.spaces.append(self._space(self._sides, "".join(self._text)))
            self._sides = None
            self._text.clear()

    def _characters(self, text: str) -> None:
        if self._sides is not None:
            self._text.append(text)
            self._length += len(text)
            if self._length > 10 * MOST_CELLS:
                self._fail("the voxel space has too much text")

    def _number(
        self, attributes: dict[str, str], key: str, most: int, default: int | None = None
    ) -> int:
        text = attributes.get(key, "")
        if not text and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
            tag = self._tags[-1]
            self._fail(f"<{tag}> has {key}={quote(text)}; it must be a number from 0 to {most:,}")
        return int(text)

    def _number_of_space(self, attributes: dict[str, str]) -> int:
        if not self.spaces:
            self._fail("the problem comes before the shapes")
        return self._number(attributes, "id", len(self.spaces) - 1)

    # -- tags ------------------------------------------------------------------------------------

    def _grid(self, attributes: dict[str, str]) -> None:
        kind = self._number(attributes, "type", MOST)
        if kind != 0:
            named = f" ({GRIDS[kind]})" if kind < len(GRIDS) else ""
            self._fail(f"the grid has type {kind}{named}; only grids of cubes, type 0, are read")

    def _color(self, attributes: dict[str, str]) -> None:
        self._colors += 1

    def _voxel(self, attributes: dict[str, str]) -> None:
        if self._number(attributes, "type", MOST, 0):
            self._fail("the voxel space has another type than 0")
        layers, rows, columns = (self._number(attributes, key, MOST_CELLS) for key in "zyx")
        if layers * rows * columns > MOST_CELLS:
            self._fail(f"the voxel space has more than {MOST_CELLS:,} cells")
        self._sides, self._length = (layers, rows, columns), 0
        self._name = attributes.get("name", "").strip()

    def _space(self, sides: tuple[int, ...], text: str) -> _Space:
        _, rows, columns = sides
        text = "".join(text.split())
        if wrong := re.search(r"[^#+_0-9]|^[0-9]|[0-9]{4}", text):
            self._fail(
                f"the voxel space has {quote(wrong[0])}; it is made of # + _ and numbers of colors"
            )
        states = re.findall(r"([#+_])([0-9]*)", text)
        wanted = sides[0] * rows * columns
        if len(states) != wanted:
            shown = " x ".join(map(str, sides))
            self._fail(f"the voxel space has {len(states)} cells; {shown} is {wanted}")
        space = _Space(self._name, {}, {})
        for place, (state, color) in enumerate(states):
            if state != "_":
                cell = place // (rows * columns), place // columns % rows, place % columns
                (space.cells if state == "#" else space.variable)[cell] = int(color or 0)
        return space

    def _problem(self, attributes: dict[str, str]) -> None:
        holes = self._number(attributes, "maxHoles", 10**9) if "maxHoles" in attributes else None
        self.puzzles.append(Puzzle(self, attributes.get("name", "").strip(), holes))
        self.puzzles[-1].colored = self._colors > 0

    def _shape(self, attributes: dict[str, str]) -> None:
        counts = self.puzzles[-1].counts
        number = self._number_of_space(attributes)
        count = self._number(attributes, "count", MOST, 1)
        low, high = count, count
        if "count" not in attributes and {"min", "max"} <= attributes.keys():
            low, high = (self._number(attributes, key, MOST) for key in ("min", "max"))
        if low > high:
            self._fail(f"the shape has min={low} and max={high}")
        before = counts.get(number, (0, 0))
        counts[number] = before[0] + low, before[1] + high

    def _result(self, attributes: dict[str, str]) -> None:
        self.puzzles[-1].result = self._number_of_space(attributes)

    def _pair(self, attributes: dict[str, str]) -> None:
        piece, result = (self._number(attributes, key, MOST) for key in ("piece", "result"))
        self.puzzles[-1].pairs.add((piece + 1, result + 1))

    _TAKERS: Final = {
        "gridType": _grid,
        "colors/color": _color,
        "shapes/voxel": _voxel,
        "problems/problem": _problem,
        "problems/problem/shapes/shape": _shape,
        "problems/problem/result": _result,
        "problems/problem/bitmap/pair": _pair,
    }
