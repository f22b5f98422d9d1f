"""Layouts: the cells, houses and rules of a kind of Sudoku; `Rule`, the base class of its rules.

A `Layout` has a side (the number of digits), cells at any places, houses (sets of cells that have
every digit exactly once) and rules for all other constraints: cages, thermometers, anti-knight ...
The usual kind, boxes of r rows and c columns in a square, is `Layout(r, c)`. Its side, r times c,
is also the number of rows, of columns and of boxes. `sudoku.layouts` has functions for the other
kinds, and `Layout.of` builds any layout.

Layouts are immutable and interned: two layouts of the same content are the same object, so that
comparing and hashing them, and using them as cache keys, costs O(1). Values computed from a layout
(its tables, its exact cover problem) are computed on first use and cached in the layout itself: see
`layout_cache`.

Cells are numbered from 0, row by row, as in `Grid.cells`; names shown to users count rows and
columns from 1, as in r4c2. Digits are the numbers 1 to side. Each is written as one symbol: 1 to 9,
then A to Z for 10 to 35 (a to z are read as well), and `0` for 36. So `0` is a digit in grids of
side 36, and a blank in all others.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from itertools import combinations, pairwise, product
from typing import Any, ClassVar, Protocol, Self, TypeVar
from weakref import WeakValueDictionary

from dlx.named_tuple import NamedTuple
from sudoku.board.cells import (
    MAX_SIDE,
    SYMBOLS,
    Cell,
    cell_name,
    checked_cells,
    checked_list,
    checked_pairs,
    checked_side,
    integer,
    is_iterable,
    symbol,
)
from sudoku.errors import LayoutError, counted, shown

__all__ = [
    "Candidates",
    "CoverModel",
    "House",
    "Layout",
    "MAX_SIDE",
    "Rule",
    "SYMBOLS",
    "cell_name",
    "layout_cache",
    "symbol",
]


class House(NamedTuple):
    """A set of cells that has every digit exactly once."""

    kind: str
    """`"row"`, `"column"`, `"box"`, `"region"`, `"diagonal"`, ...; `"grid 2 row"` in overlaps."""
    number: int
    """Counted from 1 in its kind; boxes are counted row by row."""
    cells: tuple[int, ...]
    """The numbers of its cells, in ascending order."""

    @property
    def name(self) -> str:
        """Its name in messages: `"row 4"`, `"column 2"`, `"box 3"`."""
        return f"{self.kind} {self.number}"


Candidates = dict[Cell, int]
"""For each cell the digits it may have, as a set of bits: bit d for digit d."""


class CoverModel(Protocol):
    """Protocol of the exact cover problem that rules contribute to: `sudoku.rules.encoding.model`.

    The names of all items and options begin with `label`, the kind and the number of the rule.
    """

    layout: Layout
    candidates: Candidates
    """The candidates left; rules may read them, but not change them."""
    label: tuple[Hashable, ...]

    def digits(self, cell: Cell) -> list[int]:
        """The digits that the cell may have."""

    def primary(self, *name: Hashable, times: tuple[int, int] = (1, 1)) -> Hashable:
        """Adds a primary item, covered at least and at most that often, and returns its name."""

    def secondary(self, *name: Hashable) -> Hashable:
        """Adds a secondary item, and returns its name."""

    def attach(self, cell: Cell, digit: int, item: Hashable) -> None:
        """Adds an item, which may be `dlx.colored`, to the option of a candidate."""

    def option(self, items: Iterable[Hashable], *name: Hashable) -> None:
        """Adds an option."""

    def value(self, cell: Cell, digit: int) -> Hashable:
        """The colored item that makes an option require a digit in a cell."""

    def absent(self, cell: Cell, digit: int) -> Hashable:
        """The colored item that makes an option exclude a digit from a cell."""

    def never_together(self, candidates: Iterable[tuple[Cell, int]], *name: Hashable) -> None:
        """Allows at most one of these candidates."""

    def exclude(
        self, some: list[tuple[Cell, int]], others: list[tuple[Cell, int]], *name: Hashable
    ) -> None:
        """Forbids every pair of a candidate of `some` and a candidate of `others`."""

    def fillings(
        self, cells: Sequence[Cell], fillings: Iterable[Sequence[int]], *name: Hashable
    ) -> None:
        """Requires one of these fillings of the cells."""

    def digit_sets(
        self,
        cells: Iterable[Cell],
        sets: Iterable[int],
        *name: Hashable,
        tied: Callable[[int], Hashable] | None = None,
    ) -> None:
        """Requires that the digits of the cells, all different, are one of these sets, as bits."""

    def sums(self, cells: Sequence[Cell]) -> dict[int, Hashable]:
        """The colored items by which an option requires a sum of cells that all differ."""


class Rule:
    """The base class of all rules; by itself a rule without any effect.

    >>> from sudoku import layouts
    >>> class Largest(Rule):
    ...     "A cell that has the largest digit."
    ...     __slots__ = fields = ("cells",)
    ...     def __init__(self, cell):
    ...         self._fill(cells=(cell,))
    ...     def restrict(self, candidates, layout):
    ...         candidates[self.cells[0]] &= 1 << layout.side
    ...     def broken(self, values):
    ...         return ()
    >>> import sudoku
    >>> layout = layouts.classic(2, 2).with_rules(Largest((1, 1)))
    >>> sudoku.count("." * 16, layout=layout)
    72
    """

    __slots__ = ()

    fields: ClassVar[tuple[str, ...]] = ()
    """The names of its attributes, which are the arguments of its constructor. The declared types
    of these attributes, or properties, say how the format `json` writes them, and what its schema
    allows: a `Cell`, a `Digit`, a `Sum`, another `Annotated[int, range(...)]`, one of a `Literal`,
    tuples of these, a `Shape`; or None."""

    kind: ClassVar[str] = "rule"
    """Its name in messages."""

    sentence: ClassVar[str] = ""
    """What it means, for players; see `sentences`."""

    picture: ClassVar[str] = ""
    """The name of its picture, a key of a table in `sudoku.drawing`; `""` if it is not drawn. A
    subclass does not inherit it, nor `sentence` and `sentences`: it means something else."""

    technique: ClassVar[str] = "rule"
    """The name of the technique of hints that looks at its fillings."""

    cells: tuple[Cell, ...] = ()
    """The cells that it constrains, as (row, column) from 1; empty if it constrains all cells."""

    @property
    def digits_alike(self) -> bool:
        """Whether a grid that satisfies the rule still does when its digits are renamed.

        Then random grids of few cells are generated faster. False is always correct.
        """
        return False

    def _fill(self, **values: Any) -> None:
        """Sets the attributes, which are read-only afterwards."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the rule does not fit the layout: a cell is outside the grid."""
        for cell in self.cells:
            if cell not in layout.index:
                raise LayoutError(f"{self} has {cell_name(*cell)}, which is not in the grid")

    def pieces(self, layout: Layout) -> Iterable[Rule]:
        """Rules that together mean the same, each for few cells, whose fillings hints look at.

        The rule itself, unless it constrains all cells.
        """
        return (self,) if self.cells else ()

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Groups of cells; the rule forbids that a digit occurs twice in a group."""
        return ()

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """Pairs of cells whose two digits may break the rule; `crossed` asks `broken` about them.

        A pair may be left out if `different` has it.
        """
        return combinations(self.cells, 2)

    def crossed(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """Two digits in two cells that break the rule, plain to see: cell, digit, cell, digit.

        Hints remove one of them as soon as the other is in its cell.
        """
        digits = range(1, layout.side + 1)
        for one, two in self.linked(layout):
            for a, b in product(digits, repeat=2):
                if self.broken({one: a, two: b}):
                    yield one, a, two, b

    def excluded(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """The same as `crossed`, if few players see it: hints take them as links of chains and
        nets only.
        """
        return ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes candidates that are in no solution."""

    def contribute(self, model: CoverModel) -> None:
        """Adds the items and options that express the rule to the exact cover problem."""

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells whose digits break the rule, if any; `values` has only the filled cells."""
        return ()

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """What these rules of the class mean, for players: `sentence`, or one for each variant."""
        return [cls.sentence]

    def _content(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self), self._content()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._content()))})"

    def __str__(self) -> str:
        names = [cell_name(*cell) for cell in self.cells]
        if len(names) > 5:
            names[4:] = [f"... {names[-1]}"]
        return " ".join((self.kind, *names))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self._content())


class Layout:
    """The cells, houses and rules of a grid; `Layout(r, c)` has boxes of r rows and c columns.

    `Layout.of` and the functions of `sudoku.layouts` return other kinds.

    >>> Layout(2, 3)
    Layout(2, 3)
    >>> Layout(2, 3).side, Layout(2, 3) is Layout(2, 3)
    (6, True)
    >>> [house.name for house in Layout(2, 2).houses][::4]
    ['row 1', 'column 1', 'box 1']

    Raises `LayoutError` if the side is not from 1 to 36.
    """

    __slots__ = (
        "__weakref__",
        "_cache",
        "_houses",
        "_index",
        "_positions",
        "box_columns",
        "box_rows",
        "height",
        "is_classic",
        "name",
        "rules",
        "side",
        "size",
        "width",
    )

    side: int
    """The number of digits, and of cells in each house."""
    size: int
    """The number of cells."""
    height: int
    """The number of the last row."""
    width: int
    """The number of the last column."""
    box_rows: int
    """The number of rows of a box, 0 if there are no boxes of one shape."""
    box_columns: int
    """The number of columns of a box, 0 if there are no boxes of one shape."""
    is_classic: bool
    """Whether it is a square with boxes and nothing else."""
    name: str
    """The name of its kind: `"classic"`, `"diagonal"`, `"killer"`, ..."""
    rules: tuple[Rule, ...]
    """The constraints besides the houses."""
    _houses: tuple[House, ...] | None
    _positions: tuple[Cell, ...] | None
    _index: dict[Cell, int] | None
    _cache: dict[Callable[[Layout], Any], Any]

    def __new__(cls, box_rows: int, box_columns: int) -> Layout:  # noqa: PYI034 - there is no other class
        """The layout with boxes of that shape, always the same object."""
        box_rows = checked_side("box_rows", box_rows, most=10**9)  # the product is printed below
        box_columns = checked_side("box_columns", box_columns, most=10**9)
        if box_rows * box_columns > MAX_SIDE:
            raise LayoutError(
                f"boxes of {box_rows}x{box_columns} make a side of {box_rows * box_columns}; "
                f"the largest side is {MAX_SIDE}{size_meant(box_rows, box_columns)}"
            )
        known = _classic.get((box_rows, box_columns))
        if known is not None:
            return known
        side = box_rows * box_columns
        made = cls._make(
            side=side,
            size=side * side,
            height=side,
            width=side,
            box_rows=box_rows,
            box_columns=box_columns,
            is_classic=True,
            name="classic",
            rules=(),
            _positions=None,
            _houses=None,
        )
        return _classic.setdefault((box_rows, box_columns), made)

    @classmethod
    def _make(cls, **attributes: object) -> Layout:
        self = object.__new__(cls)
        for slot, value in attributes.items():
            object.__setattr__(self, slot, value)
        object.__setattr__(self, "_index", None)
        object.__setattr__(self, "_cache", {})
        return self

    @classmethod
    def of(
        cls,
        side: int,
        cells: Iterable[Cell],
        houses: Iterable[tuple[str, Iterable[Cell]]],
        rules: Iterable[Rule] = (),
        *,
        name: str = "custom",
        box: tuple[int, int] = (0, 0),
    ) -> Layout:
        """The layout with any cells, houses and rules.

        `houses` are pairs of a kind and `side` cells; they are numbered within their kind. `box` is
        the shape of the boxes, if they have one.

        >>> cells = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
        >>> rows = [("row", cells[at : at + 3]) for at in (0, 3, 6)]
        >>> columns = [("column", cells[at::3]) for at in (0, 1, 2)]
        >>> latin = Layout.of(3, cells, rows + columns, name="Latin square")
        >>> latin
        <Layout Latin square: side 3, 9 cells, 6 houses, 0 rules>
        >>> latin is Layout.of(3, cells, rows + columns, name="Latin square")
        True

        Raises `LayoutError` for houses or rules that do not fit. O(size of all).
        """
        side = checked_side("side", side)
        given: object = box
        shape = (0, 0) if isinstance(given, tuple) and given == (0, 0) else checked_box(given)
        positions = tuple(sorted(checked_cells(cells)))
        index = {cell: number for number, cell in enumerate(positions)}
        if len(index) < len(positions):
            twice = next(a for a, b in pairwise(positions) if a == b)
            raise LayoutError(f"{cell_name(*twice)} occurs twice among the cells")
        if not positions:
            raise LayoutError("a layout needs at least one cell")
        numbers: dict[str, int] = {}
        checked = []
        for kind, members in checked_pairs(houses, "houses (a kind and cells)"):
            kind = _checked_kind(kind)
            numbers[kind] = number = numbers.get(kind, 0) + 1
            checked.append(
                House(kind, number, house_cells(side, index, f"{kind} {number}", members))
            )
        name = _combined("classic", name)
        return cls._intern(side, positions, tuple(checked), _checked_rules(rules), name, shape)

    @classmethod
    def _intern(
        cls,
        side: int,
        positions: tuple[Cell, ...],
        houses: tuple[House, ...],
        rules: tuple[Rule, ...],
        name: str,
        box: tuple[int, ...],
    ) -> Layout:
        """The interned layout of that content; a new one has its box and rules checked."""
        if box != (0, 0) and not rules:
            classic = cls(*box)
            if positions == classic.positions and houses == classic.houses:
                return classic
        content = (side, positions, houses, rules, name, box)
        with _lock:
            known = _others.get(content)
        if known is not None:
            return known
        last = (positions[-1][0], max(column for _, column in positions))
        if box != (0, 0) and not (
            len(box) == 2 and box[0] * box[1] == side and last == (side, side)
        ):
            raise LayoutError(f"boxes of shape {box} do not fit a layout of side {side}")
        made = cls._make(
            side=side,
            size=len(positions),
            height=last[0],
            width=last[1],
            box_rows=box[0],
            box_columns=box[1],
            is_classic=False,
            name=name,
            rules=rules,
            _positions=positions,
            _houses=houses,
        )
        for rule in rules:
            rule.check(made)
        with _lock:
            return _others.setdefault(content, made)

    def with_rules(self, *rules: Rule, name: str = "custom") -> Layout:
        """This layout with additional rules, each of them once.

        `name` is the name of the rules' kind, which is appended to the name of this layout.

        >>> from sudoku.rules import Cage
        >>> Layout(2, 2).with_rules(Cage(3, [(1, 1), (1, 2)]), name="killer")
        <Layout killer: side 4, 16 cells, 12 houses, 1 rule>
        """
        every = tuple(dict.fromkeys((*self.rules, *_checked_rules(rules))))
        box = (self.box_rows, self.box_columns)
        name = _combined(self.name, name)
        return self._intern(self.side, self.positions, self.houses, every, name, box)

    def with_houses(
        self,
        kind: str | Iterable[Iterable[Cell | str] | str] = (),
        *houses: Iterable[Cell | str] | str,
        name: str = "custom",
    ) -> Layout:
        """This layout with additional houses, each given by its cells; no two have the same cells.

        The houses are a list, and their kind is "house"; or their kind comes first, then each
        house. `name` is the name of the new kind of layout, which is appended to the name of this
        layout.

        >>> Layout(2, 2).with_houses(["r1c1 r2c2 r3c3 r4c4"])
        <Layout custom: side 4, 16 cells, 13 houses, 0 rules>
        >>> Layout(2, 2).with_houses("diagonal", [(1, 1), (2, 2), (3, 3), (4, 4)]).houses[-1].name
        'diagonal 1'

        Raises `LayoutError` for what is not a house of this layout, and if there are no houses.
        """
        if not isinstance(kind, str) and not houses:
            kind, houses = "house", tuple(checked_list(kind, "houses"))
        kind = _checked_kind(kind)
        if not houses:
            raise LayoutError(
                "with_houses without a house; expected a list of houses, or a kind and houses, "
                "each given by its cells"
            )
        number = sum(house.kind == kind for house in self.houses)
        known = {house.cells for house in self.houses}
        more = list(self.houses)
        for members in houses:
            cells = house_cells(self.side, self.index, f"{kind} {number + 1}", members)
            if cells not in known:
                number += 1
                known.add(cells)
                more.append(House(kind, number, cells))
        box = (self.box_rows, self.box_columns)
        name = _combined(self.name, name)
        return self._intern(self.side, self.positions, tuple(more), self.rules, name, box)

    @classmethod
    def of_side(cls, side: int) -> Layout:
        """The usual layout of that side: the boxes nearest to a square, with rows <= columns.

        >>> [str(Layout.of_side(side)) for side in (4, 6, 8, 9, 10, 12, 16)]
        ['2x2', '2x3', '2x4', '3x3', '2x5', '3x4', '4x4']

        Raises `LayoutError` for a side of 1 or a prime, which has no usual box shape.
        """
        side = checked_side("side", side, 4)
        tall = next((r for r in (6, 5, 4, 3, 2) if r * r <= side and side % r == 0), None)
        if tall is None:
            raise LayoutError(
                f"a side of {side} has no usual boxes: give a layout, such as Layout(1, {side})"
            )
        return cls(tall, side // tall)

    @property
    def symbols(self) -> str:
        """The symbols of its digits.

        >>> Layout(3, 4).symbols
        '123456789ABC'
        """
        return SYMBOLS[: self.side]

    @property
    def is_usual(self) -> bool:
        """Whether this is the layout that `of_side` gives for its side."""
        return usual_layouts().get(self.size) is self

    @property
    def is_square(self) -> bool:
        """Whether its cells are a square of `side` rows and `side` columns."""
        return self.size == self.side * self.side and (self.height, self.width) == (
            self.side,
            self.side,
        )

    @property
    def positions(self) -> tuple[Cell, ...]:
        """The row and the column, from 1, of every cell."""
        if self._positions is None:
            numbers = range(1, self.side + 1)
            made = tuple((row, column) for row in numbers for column in numbers)
            object.__setattr__(self, "_positions", made)
            return made
        return self._positions

    @property
    def index(self) -> dict[Cell, int]:
        """The number of each cell, from 0, by its row and column."""
        if self._index is None:
            made = {cell: number for number, cell in enumerate(self.positions)}
            object.__setattr__(self, "_index", made)
            return made
        return self._index

    @property
    def houses(self) -> tuple[House, ...]:
        """All rows from top to bottom, all columns from left to right, all boxes row by row; then
        the other houses.
        """
        if self._houses is None:
            made = tuple(classic_houses(self.box_rows, self.box_columns))
            object.__setattr__(self, "_houses", made)
            return made
        return self._houses

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Layout is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Layout is immutable: cannot delete {name!r}")

    def __repr__(self) -> str:
        if self.is_classic:
            return f"Layout({self.box_rows}, {self.box_columns})"
        return (
            f"<Layout {self.name}: side {self.side}, {counted(self.size, 'cell')}, "
            f"{len(self.houses)} house{'s' * (len(self.houses) != 1)}, "
            f"{len(self.rules)} rule{'s' * (len(self.rules) != 1)}>"
        )

    def __str__(self) -> str:
        return f"{self.box_rows}x{self.box_columns}" if self.is_classic else self.name

    def __copy__(self) -> Layout:
        return self

    def __deepcopy__(self, memo: object) -> Layout:
        return self

    def __reduce__(self) -> tuple[object, ...]:  # unpickling interns it again
        box = (self.box_rows, self.box_columns)
        if self.is_classic:
            return (Layout, box)
        content = (self.side, self.positions, self.houses, self.rules, self.name, box)
        return (Layout._intern, content)


_lock = allocate_lock()
_classic: dict[tuple[int, int], Layout] = {}  # at most 140 entries: r * c <= 36
_others: WeakValueDictionary[object, Layout] = WeakValueDictionary()
_usual: dict[int, Layout] = {}


def classic_houses(box_rows: int, box_columns: int) -> list[House]:
    """The rows, the columns and the boxes of a square with boxes of that shape, in this order.

    >>> [house.cells for house in classic_houses(1, 2)]
    [(0, 1), (2, 3), (0, 2), (1, 3), (0, 1), (2, 3)]
    """
    side = box_rows * box_columns
    members: dict[str, list[list[int]]] = {
        kind: [[] for _ in range(side)] for kind in ("row", "column", "box")
    }
    for cell in range(side * side):
        row, column = divmod(cell, side)
        members["row"][row].append(cell)
        members["column"][column].append(cell)
        members["box"][row // box_rows * box_rows + column // box_columns].append(cell)
    return [
        House(kind, number, tuple(cells))
        for kind, houses in members.items()
        for number, cells in enumerate(houses, 1)
    ]


def house_cells(
    side: int, index: Mapping[Cell, int], name: str, members: Iterable[Cell | str] | str
) -> tuple[int, ...]:
    """The numbers of the cells of a house, ascending; `index` has the number of each cell.

    Raises `LayoutError` unless they are `side` different cells. `name` is the house in its message.
    """
    cells = checked_cells(members)
    seen: set[Cell] = set()
    for cell in cells:
        if cell not in index:
            raise LayoutError(f"{name} has {cell_name(*cell)}, which is not in the grid")
        if cell in seen:
            raise LayoutError(f"{name} has {cell_name(*cell)} twice")
        seen.add(cell)
    if len(cells) != side:
        raise LayoutError(
            f"{name} has {counted(len(cells), 'cell')}; it needs {side}, one for each digit"
        )
    return tuple(sorted(index[cell] for cell in cells))


def size_meant(box_rows: int, box_columns: int) -> str:
    """A hint for errors about boxes of that shape, if the user may have meant the size of a grid.

    >>> size_meant(6, 6), size_meant(2, 3), size_meant(7, 7)
    ('; a grid of 6x6 is called 2x3, after its boxes', '', '')
    """
    if box_rows != box_columns:
        return ""
    try:
        meant = Layout.of_side(box_rows)
    except LayoutError:
        return ""
    return f"; a grid of {box_rows}x{box_columns} is called {meant}, after its boxes"


def usual_layouts() -> dict[int, Layout]:
    """The usual layouts by number of cells: 16 -> 2x2, 36 -> 2x3, ... 1296 -> 6x6."""
    if not _usual:
        sides = (
            side
            for side in range(4, MAX_SIDE + 1)
            if any(side % factor == 0 for factor in (2, 3, 5) if factor < side)
        )
        # One call fills it, so another thread sees all of it or nothing.
        _usual.update({side * side: Layout.of_side(side) for side in sides})
    return _usual


def _checked_rules(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules as a tuple; raises `LayoutError` if one of them is not a `Rule`."""
    found = tuple(checked_list(rules, "rules"))
    for rule in found:
        if not isinstance(rule, Rule):
            raise LayoutError(f"{shown(rule)} is not a rule: sudoku.rules has them")
    return found


def checked_box(box: object) -> tuple[int, int]:
    """The shape of a box, a pair of counts; raises `LayoutError` for other values."""
    shape = tuple(map(integer, box)) if is_iterable(box) else ()
    if len(shape) == 2 and shape[0] is not None and shape[1] is not None:
        return shape[0], shape[1]
    raise LayoutError(f"box is {shown(box)}; it must be two numbers, its rows and columns")


def checked_layout(layout: object) -> Layout:
    """The layout, 3x3 for None; raises `LayoutError` for another type, such as a name."""
    if isinstance(layout, Layout):
        return layout
    if layout is None:
        return Layout(3, 3)
    raise LayoutError(f"{shown(layout)} is not a Layout; sudoku.layouts.named finds one by name")


def _combined(old: str, new: str) -> str:
    """The name of a layout of an old kind with a new kind added, such as `diagonal + killer`."""
    parts = [part for part in old.split(" + ") if part != "classic"]
    return " + ".join(dict.fromkeys((*parts, _checked_kind(new))))


def _checked_kind(kind: object) -> str:
    """The name of a kind of layouts or houses; raises `LayoutError` if it is not a `str`."""
    if isinstance(kind, str):
        return kind
    raise LayoutError(f"{shown(kind)} is not the name of a kind; expected a str")


T = TypeVar("T")


def layout_cache(make: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """Decorator that caches a function of a layout in the layout itself.

    Unlike with `functools.cache`, a result is freed with its layout: a list of a million killers,
    each with a layout of its own, does not fill the memory.
    """

    @wraps(make)
    def look_up(layout: Layout) -> T:
        try:
            return layout._cache[make]  # type: ignore[no-any-return]
        except KeyError:
            # If several threads compute it at once, all use the first result.
            return layout._cache.setdefault(make, make(layout))  # type: ignore[no-any-return]

    return look_up
