r"""A problem as an integer program (set partitioning): what MPS and LP files share.

The variables x0, x1, ... are 1 for the chosen options and 0 for the others. The program minimizes
the cost of the chosen options; each primary item is covered once, each secondary item at most
once. With multiplicities the sums have other bounds, with weights (`dlx.times`) coefficients::

    \ exact cover: 3 options over 2 items
    \ {"dlx": 1,
    \ "primary": ["p"],
    \ "secondary": ["x"],
    \ "options": [
    \ x0: {"items": ["p", {"item": "x", "color": "A"}], "cost": 2},
    ...
    \ i0: p
    Minimize
     cost: 2 x0 + 3 x1 + x2
    Subject To
     i0: x0 + x1 = 1
     ...
    Binary
     x0 x1 x2
    End

A color that more than one option requires is a variable as well: k4 is 1 if its item has its color
(a comment names both). x0 <= k4 for each option x0 that requires the color. The colors of an item,
and the options that contain it without one of these colors, add up to at most 1. Options are
numbered from 0: x0 is option 0.

Comments hold the problem in JSON (`dlx.formats.json_text`); with names that JSON cannot hold, they
say only what each variable and row is.

Reading. A program that `dump` wrote is read from its comments if it is still the program of the
problem there. Of any other program, a column is an option of that name, and a row an item:

* Columns are 0/1 variables. A column is left out if it is fixed at 0, has a factor above its row's
  upper bound, or requires two colors of an item; one fixed at 1 has an item of its own.
* A row is a sum of columns with factors that are integers from 1 up, or all of them negated. Its
  sides are the item's multiplicity; a row that allows any sum is left out. "At most 1" is a
  secondary item, or, if an option would have no primary item, one of multiplicity (0, 1). An option
  in no row has such an item of its own.
* Colors are found: a column k that costs nothing, with rows x - k <= 0 and one row "at most 1".
* Costs are those of the objective, also if it is to be maximized: then call `Problem.maximum`.
  Decimals are multiplied by a power of ten. Both issue an `ObjectiveWarning`. A constant in the
  objective is the cost of an option "constant", which is in every solution.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeAlias
from warnings import warn

from dlx.core.entries import Colored, Times
from dlx.core.table import Table
from dlx.core.view import ProblemView
from dlx.errors import DLXError, FormatError, ObjectiveWarning, quote
from dlx.formats import json_text
from dlx.formats.relations import Relations, comments, label, relations_with_options

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = ["Constraint", "Number", "ProgramBuilder", "head", "number", "restored", "rows"]

Number: TypeAlias = "int | Decimal"

WIDTH: Final = 240
"""The most characters of a comment: CBC reads no line of more than 1000 bytes."""

MOST_DIGITS: Final = 18
"""The most decimal places of a cost. The sum of all costs as integers has no more digits."""


# -- writing -------------------------------------------------------------------------------------


class Constraint(NamedTuple):
    """A linear constraint: its name, its terms (factor and variable), and its bounds."""

    name: str
    terms: list[tuple[int, int]]
    low: int | None
    high: int | None


def rows(table: Table, relations: Relations) -> Iterator[Constraint]:
    """All constraints; each has at least one bound."""
    place_of = {item: place for place, item in enumerate(_primary_first(table))}
    for total in relations.sums:
        terms = total.terms()
        bounded = total.low == total.high or total.high < sum(weight for weight, _ in terms)
        high = total.high if bounded else None
        yield Constraint(f"i{place_of[total.item]}", terms, total.low or None, high)
    for place, (option, color) in enumerate(relations.implications):
        yield Constraint(f"c{place}", [(1, option), (-1, color)], None, 0)


def _primary_first(table: Table) -> list[int]:
    """The items in the order of the rows, which JSON has as well."""
    return sorted(range(len(table.items)), key=table.secondary.__getitem__)


def _variables(relations: Relations) -> list[str]:
    """The names of the variables: x0, x1, ... for options, then k0, k1, ... for colors."""
    options = [f"x{number}" for number in range(relations.options)]
    return options + [f"k{number}" for number in range(len(relations.colors))]


def head(problem: ProblemView, mark: str) -> tuple[Relations, list[str], list[str]]:
    """The relations of a problem, the names of its variables, and the comments of a file.

    `mark` begins a comment. Raises `FormatError` if the problem has no options.
    """
    table = problem._table
    relations = relations_with_options(table)
    names = _variables(relations)
    texts = list(comments(table, relations, names))
    try:
        whole = [line.rstrip("\n") for line in json_text.lines(problem)]
    except FormatError:
        pass  # a name that JSON cannot hold
    else:
        first = len(whole) - relations.options - 1
        named = map("{}: {}".format, names, whole[first:-1])
        texts[1 : relations.options + 1] = [*whole[:first], *named, whole[-1]]
    items = map(table.items.__getitem__, _primary_first(table))
    texts += [f"i{place}: {label(item)}" for place, item in enumerate(items)]
    return relations, names, [line for text in texts for line in _comment_lines(mark, text)]


def _comment_lines(mark: str, text: str) -> Iterator[str]:
    """A text as comments; another space begins a line that continues the one before."""
    for first in range(0, len(text), WIDTH):
        yield f"{mark}{' ' if first == 0 else '  '}{text[first : first + WIDTH]}\n"


# -- reading -------------------------------------------------------------------------------------


def restored(
    table: Table, texts: Sequence[str], mark: str, write: Callable[[ProblemView], Iterable[str]]
) -> bool:
    """Reads the problem in the comments of a file into an empty table.

    Returns False if there is none, or if `write` would write another program for it.
    """
    if not texts or not texts[0].startswith(f"{mark} exact cover: "):
        return False
    comment = "".join(text for text in texts if text.startswith(mark))
    found = [text[len(mark) + 1 :] for text in comment.replace(f"\n{mark}  ", "").split("\n")]
    try:
        first, last = found.index(f'{{"dlx": {json_text.VERSION},'), found.index("]}")
    except ValueError:
        return False
    view: ProblemView = ProblemView()
    view._table = Table(open_items=False)
    try:
        whole = [re.sub("^x[0-9]+: ", "", text) for text in found[first : last + 1]]
        json_text.read(view._table, whole, None)
        written = "".join(line for line in write(view) if not line.startswith(mark))
    except FormatError:
        return False
    if written != "".join(text for text in texts if not text.startswith(mark)):
        return False
    for slot in Table.columns:
        setattr(table, slot, getattr(view._table, slot))
    return True


def number(word: str) -> Number:
    """The exact value of a number in a file: an int, or a Decimal that is no integer.

    Raises ValueError.

    >>> number("12"), number("1.50D1"), number("0.5")
    (12, 15, Decimal('0.5'))
    """
    from decimal import Decimal

    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([dDeE][+-]?[0-9]{1,4})?", word):
        raise ValueError
    value = Decimal(re.sub("[dD]", "e", word))  # D is Fortran's
    if value and abs(value.adjusted()) > json_text.DIGITS:
        raise ValueError
    whole = int(value)
    return whole if whole == value else value


class ProgramBuilder:
    """A program that is read: rows and columns, numbered in the order of the file.

    The methods that add to it raise `FormatError` with the line.
    """

    def __init__(self, where: str | None) -> None:
        self._where = where
        self._values: dict[str, Number] = {}  # of numbers as the file has them
        self.rows: dict[str, int] = {}
        self._row_lines: list[int] = []
        self.sides: list[list[Number | None]] = []  # of each row: the lower and upper bound
        self.columns: dict[str, int] = {}
        self._column_lines: list[int] = []
        self.costs: list[Number] = []
        self.bounds: list[list[Number | None]] = []  # of each column
        self.integers: set[int] = set()  # columns
        self._entries: list[dict[int, Number]] = []  # of each column: its factors by row
        self._unusual: dict[tuple[int, int], int] = {}  # column, row: line; not an integer above 0
        self.constant: Number = 0
        self.maximized = False

    def fail(self, message: str, line: int | None) -> NoReturn:
        """Raises `FormatError`."""
        raise FormatError(message, line=line, source=self._where)

    def value(self, word: str, line: int) -> Number:
        """The number that a word is."""
        found = self._values.get(word)
        if found is None:
            try:
                found = self._values[word] = number(word)
            except ValueError:
                self.fail(f"{quote(word)} is not a number", line)
        return found

    def add_row(self, name: str, low: Number | None, high: Number | None, line: int) -> int:
        """Adds a row, and returns its number."""
        if name in self.rows:
            self.fail(f"a second row has the name {quote(name)}", line)
        self.rows[name] = len(self.rows)
        self._row_lines.append(line)
        self.sides.append([low, high])
        return len(self.rows) - 1

    def add_column(self, name: str, upper: Number | None, line: int) -> int:
        """Adds a column that no row has yet and that costs nothing, and returns its number."""
        if name in self.columns:
            self.fail(f"the lines of column {quote(name)} must be next to each other", line)
        self.columns[name] = len(self.columns)
        self._column_lines.append(line)
        self.costs.append(0)
        self.bounds.append([0, upper])
        self._entries.append({})
        return len(self.columns) - 1

    def add_entry(self, row: int, column: int, factor: Number, line: int) -> None:
        """Gives a column a factor in a row that has none for it."""
        entries = self._entries[column]
        if row in entries:
            name, of = [*self.columns][column], [*self.rows][row]
            self.fail(f"column {quote(name)} is in the row {quote(of)} twice", line)
        if factor:
            entries[row] = factor
            if type(factor) is not int or factor < 1:
                self._unusual[column, row] = line

    # -- as a problem ----------------------------------------------------------------------------

    def fill(self, table: Table) -> None:
        """Fills an empty table: see the module. O(entries)."""
        self._negate_rows()
        colors, required, implications = self._find_colors()
        self._check_factors(implications)
        limits = {
            row: limit
            for name, row in self.rows.items()
            if row not in implications
            if (limit := self._multiplicity(name, row)) != (0, None)
        }
        items, names = [*self.rows], [*self.columns]
        packed = {row for row, limit in limits.items() if limit == (0, 1)}
        tinted = {*colors.values()}
        used: set[int] = set()
        own: dict[str, tuple[int, int]] = {}  # items of single options: multiplicities
        options: list[tuple[str, list[Hashable]]] = []
        costs: list[Number] = []
        for column, name in enumerate(names):
            fixed = self._fixed(name, column)
            if column in colors:
                continue
            tints = required.get(column, {})
            factors: dict[int, Any] = {
                row: factor for row, factor in self._entries[column].items() if row in limits
            }
            # Two colors of an item, or a color beside the item itself, are more than once.
            fits = fixed != 0 and len({*factors, *tints.values()}) == len(factors) + len(tints)
            for row, factor in factors.items():
                high = limits[row][1]
                fits = fits and (high is None or factor <= high)
            low = 1 if fixed == 1 else None  # of an item of its own
            if fits and low is None and packed.issuperset(factors):
                spare = next((row for row in factors if row not in tinted), None)
                if spare is None:
                    low = 0
                else:
                    packed.remove(spare)
            if low is not None:
                item = _new_name(name, self.rows, own)
                own[item] = low, 1
            if fits:
                entries: list[Hashable] = [
                    items[row] if factor == 1 else Times(items[row], factor)
                    for row, factor in factors.items()
                ]
                entries += [Colored(items[row], names[color]) for color, row in tints.items()]
                options.append((name, entries if low is None else [*entries, item]))
                costs.append(self.costs[column])
                used.update(factors, tints.values())
        if self.constant:
            name, item = _new_name("constant", self.columns), _new_name("constant", self.rows, own)
            own[item] = 1, 1
            options.append((name, [item]))
            costs.append(self.constant)
        try:
            for row, limit in limits.items():
                if limit[0] or row in used:
                    secondary = row in packed
                    multiplicity = 1 if secondary else limit
                    table.add_item(items[row], secondary=secondary, multiplicity=multiplicity)
            for item, multiplicity in own.items():
                table.add_item(item, secondary=False, multiplicity=multiplicity)
            table.extend(options, named=True)
            table.check_weights()
            scale = self._cost_scale()
            table.set_costs([int(cost * scale) for cost in costs])
        except DLXError as error:
            raise FormatError(str(error), source=self._where) from None

    def _check_factors(self, implications: Collection[int]) -> None:
        """Raises for a factor that is not an integer above 0, in rows that are not implications."""
        for (column, row), line in self._unusual.items():
            if row not in implications:
                self.fail(
                    f"row {quote([*self.rows][row])} has the factor {self._entries[column][row]} "
                    f"for column {quote([*self.columns][column])}; a row says how often options "
                    "cover an item, with factors that are integers from 1 up",
                    line,
                )

    def _negate_rows(self) -> None:
        """Changes the signs of the rows that have only negative factors."""
        negative = Counter(row for column, row in self._unusual if self._entries[column][row] < 0)
        if not negative:
            return
        sizes = Counter(chain.from_iterable(self._entries))
        rows = {row for row, size in negative.items() if size == sizes[row]}
        for row in rows:
            low, high = self.sides[row]
            self.sides[row] = [None if side is None else -side for side in (high, low)]
        for column, row in [key for key in self._unusual if key[1] in rows]:
            factor = self._entries[column][row] = -self._entries[column][row]
            if type(factor) is int:
                del self._unusual[column, row]

    def _find_colors(self) -> tuple[dict[int, int], dict[int, dict[int, int]], set[int]]:
        """The columns that are colors, with the rows of their items; those of them that columns
        require; and the rows that say so.
        """
        terms: dict[int, dict[int, Number]] = {
            row: {}
            for column, row in self._unusual
            if self._entries[column][row] == -1 and self.sides[row] == [None, 0]
        }
        if terms:
            for column, entries in enumerate(self._entries):
                for row in entries.keys() & terms.keys():
                    terms[row][column] = entries[row]
        pairs = {  # of a row x - k <= 0: x and k
            row: (max(found, key=found.__getitem__), min(found, key=found.__getitem__))
            for row, found in terms.items()
            if sorted(found.values()) == [-1, 1]
        }
        colors: dict[int, int] = {}
        for color in {color for _, color in pairs.values()}:
            others = [row for row in self._entries[color] if pairs.get(row, (0, -1))[1] != color]
            if (
                len(others) == 1
                and self._entries[color][others[0]] == 1
                and self.sides[others[0]] in ([None, 1], [0, 1])
                and (self.bounds[color], self.costs[color]) == ([0, 1], 0)
                and color in self.integers
            ):
                colors[color] = others[0]
        required: dict[int, dict[int, int]] = {}
        rows = {row for row, (_, color) in pairs.items() if color in colors}
        for row in sorted(rows):
            column, color = pairs[row]
            required.setdefault(column, {})[color] = colors[color]
        return colors, required, rows

    def _fixed(self, name: str, column: int) -> int | None:
        """The only value of a column, or None if it may be 0 and 1."""
        lower, upper = self.bounds[column]
        if lower == upper and upper in (0, 1):
            return int(upper)
        integer = column in self.integers
        if not integer or lower != 0 or upper != 1:
            least = "no lower bound" if lower is None else f"the lower bound {lower}"
            most = "no upper bound" if upper is None else f"the upper bound {upper}"
            self.fail(
                f"column {quote(name)} is {'an integer' if integer else 'not an integer'} with "
                f"{least} and {most}; a column is an option, chosen or not: an integer from 0 to 1",
                self._column_lines[column],
            )
        return None

    def _multiplicity(self, name: str, row: int) -> tuple[int, int | None]:
        """The multiplicity that the sides of a row say."""
        low, high = self.sides[row]
        for side in (low, high):
            if side is not None and type(side) is not int:
                self.fail(
                    f"row {quote(name)} has the side {side}; a row says how often options cover an "
                    "item, with sides that are integers",
                    self._row_lines[row],
                )
        least = max(int(low or 0), 0)
        if high is not None and high < least:
            self.fail(
                f"row {quote(name)} must be at least {least} and at most {high}: nothing is",
                self._row_lines[row],
            )
        return least, None if high is None else int(high)

    def _cost_scale(self) -> int:
        """The power of ten by which costs become integers. Issues the warnings."""
        digits = max(map(_digits, [*self.costs, self.constant]))
        if digits > MOST_DIGITS:
            self.fail(
                f"a cost has {digits} decimal places; round it to at most {MOST_DIGITS}", None
            )
        scale = int(10**digits)
        place = "" if self._where is None else f"{self._where}: "
        scaled = f"costs are multiplied by {scale} to make them integers; divide the totals of "
        scaled += "minimum and maximum by it"
        maximized = "the objective is to be maximized: call Problem.maximum, or dlx min --max"
        for holds, message in ((digits, scaled), (self.maximized, maximized)):
            if holds:
                warn(f"{place}{message}", ObjectiveWarning, stacklevel=6)
        return scale


def _digits(cost: Number) -> int:
    """The number of decimal places."""
    if isinstance(cost, int):
        return 0
    _, digits, exponent = cost.as_tuple()
    zeros = next(place for place, digit in enumerate(reversed(digits)) if digit)
    return -int(exponent) - zeros


def _new_name(name: str, *known: Collection[str]) -> str:
    """The name, with as many ' added as make it a new one."""
    while any(name in names for names in known):
        name += "'"
    return name
