"""Reads problems from data frames and writes them as such: pandas, polars, and tables like these.

A frame is used by what all of them have: `frame[name]` is a column, and a column has a method that
returns its values as a list. So no library is imported to read a frame, and mappings of lists and
tables of PyArrow can be read as well. (The package narwhals would cover more libraries; for reading
columns as lists it is not needed.)

Missing values are None, NaN, and what pandas uses for them (NaT, NA).
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from io import StringIO
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.core.arguments import integer, is_iterable, is_list_like
from dlx.core.building import declare_items, finish
from dlx.core.entries import Colored, Times, item_text
from dlx.core.multiplicity import bounds_text
from dlx.core.table import Table
from dlx.errors import FormatError, InvalidArgument, InvalidCost, InvalidEntry, counted, quote
from dlx.formats.arrays import read_matrix, split_items

if TYPE_CHECKING:
    from dlx.core.multiplicity import Multiplicity
    from dlx.core.view import ProblemView

__all__ = [
    "FrameColumns",
    "FrameOptions",
    "csv_lines",
    "load_frame",
    "make_frame",
    "read_labelled",
]


class FrameColumns(NamedTuple):
    """Which columns of a frame mean what: the keywords of `Problem.from_frame`."""

    option: Any
    item: Any
    color: Any
    times: Any
    cost: Any


class FrameOptions(NamedTuple):
    """The options of a frame."""

    options: list[tuple[Hashable, list[Hashable]]]  # pairs of a name, or None, and entries
    items: list[Hashable]  # that have no color in any row, in order of first appearance
    colored: list[Hashable]  # those that have a color in some row, in the same order
    costs: list[int] | None


def load_frame(
    table: Table,
    frame: Any,
    columns: FrameColumns,
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicities: Mapping[Any, Multiplicity] | None,
) -> None:
    """Reads a frame into an empty table: see `Problem.from_frame`."""
    read = _read_frame(frame, columns)
    checked = Table(open_items=False)
    declare_items(checked, (), secondary)
    listed = dict.fromkeys([*checked.items, *read.colored])
    if primary is None:
        primary = [item for item in read.items if item not in listed]
    declare_items(table, primary, list(listed))
    table.extend(read.options, named=True)
    finish(table, multiplicities)
    if read.costs is not None:
        table.set_costs(read.costs)


def _read_frame(frame: Any, columns: FrameColumns) -> FrameOptions:
    """The options of a frame. O(rows), or O(cells) of a wide frame."""
    if columns.item is None or isinstance(columns.item, list):
        return _read_wide(frame, columns)
    return _read_long(frame, columns)


def read_labelled(
    matrix: Any, secondary: Any, weighted: bool
) -> tuple[
    tuple[Sequence[Hashable], Sequence[Hashable]],
    tuple[array[int], array[int], array[int], array[int]],
    list[Hashable] | None,
]:
    """The items and the arrays of a matrix, and the options' names, if it is a frame with labels.

    For `dlx.core.building.add_arrays`; the last `secondary` items are secondary.
    """
    rows = read_matrix(matrix, weighted=weighted)
    items, names = _labels_of(matrix) or (rows.columns, None)
    return (
        split_items(items, secondary),
        (rows.start, rows.entries, array("i"), rows.weights),
        names,
    )


def _labels_of(matrix: Any) -> tuple[list[Hashable], list[Hashable] | None] | None:
    """The labels of a frame's columns and rows; None for a matrix without labels.

    The labels of the rows are None if they are the numbers 0, 1, ...
    """
    if not hasattr(matrix, "columns") or not hasattr(matrix, "__array__"):
        return None
    return [_label(name) for name in matrix.columns], _row_labels(matrix)


def _row_labels(frame: Any) -> list[Hashable] | None:
    """The labels of a pandas index, unless they are just numbers of rows."""
    index = getattr(frame, "index", None)
    if index is None or callable(index):
        return None
    labels = [_label(label) for label in index.to_list()]
    return None if labels == list(range(len(labels))) else labels


# -- long frames ---------------------------------------------------------------------------------


def _read_long(frame: Any, columns: FrameColumns) -> FrameOptions:
    """Each row is an item of an option."""
    if columns.option is None:
        raise InvalidArgument(
            "option is missing: where each row has one item, it is the column that says of which "
            "option; if each row is an option, item is the list of the columns with its items"
        )
    options: dict[Hashable, list[Hashable]] = {}
    items: dict[Hashable, bool] = {}  # has it a color?
    costs: dict[Hashable, int] = {}
    rows = zip(
        _labels(frame, "option", columns.option),
        _labels(frame, "item", columns.item),
        *(_values(frame, name, getattr(columns, name)) for name in ("color", "times", "cost")),
        strict=False,  # columns that are not given have no values
    )
    for row, (option, item, color, times, cost) in enumerate(rows):
        entry = item
        if not _is_missing(color):
            entry = Colored(item, _label(color))
        if not _is_missing(times):
            if entry is not item:
                raise InvalidEntry(
                    f"row {row}: item {quote(item)} has the color {quote(color)} and the number of "
                    f"times {quote(times)}; give one of the two"
                )
            entry = Times(item, _whole(times))
        items[item] = items.get(item, False) or isinstance(entry, Colored)
        options.setdefault(option, []).append(entry)
        if not _is_missing(cost) and costs.setdefault(option, _cost(row, cost)) != cost:
            raise InvalidCost(
                f"row {row}: option {quote(option)} has the cost {quote(cost)}, and "
                f"{costs[option]} in a row before"
            )
    if columns.cost is not None:
        for option in options:
            if option not in costs:
                raise InvalidCost(f"option {quote(option)} has no cost in any of its rows")
    return FrameOptions(
        list(options.items()),
        [item for item, has_color in items.items() if not has_color],
        [item for item, has_color in items.items() if has_color],
        None if columns.cost is None else [costs[option] for option in options],
    )


# -- wide frames ---------------------------------------------------------------------------------


def _read_wide(frame: Any, columns: FrameColumns) -> FrameOptions:
    """Each row is an option, and each item has a column."""
    if columns.times is not None:
        raise InvalidArgument(
            "times is for frames with one item in each row; here, write the number into the "
            "item's cell"
        )
    colored = _listed(columns.color)
    if columns.item is None:
        special = [*_listed(columns.option), *colored, *_listed(columns.cost)]
        items = [name for name in _names(frame) if name not in special]
    else:
        items = list(columns.item)
    cells = {name: _column(frame, "item", name) for name in items}
    colors = {name: _column(frame, "color", name) for name in colored}
    names: Sequence[Hashable] | None = _row_labels(frame)
    if columns.option is not None:
        names = _labels(frame, "option", columns.option)
    count = len(next(iter([*cells.values(), *colors.values(), names or []]), []))
    options: list[list[Hashable]] = [[] for _ in range(count)]
    for name, column in cells.items():
        item = _label(name)
        for row, cell in enumerate(column):
            number = _weight(row, name, cell)
            if number:
                options[row].append(item if number == 1 else Times(item, number))
    for name, column in colors.items():
        for row, cell in enumerate(column):
            if not _is_missing(cell):
                options[row].append(Colored(_label(name), _label(cell)))
    costs = None
    if columns.cost is not None:
        values = _column(frame, "cost", columns.cost)
        costs = [_cost(row, cost) for row, cost in enumerate(values)]
    return FrameOptions(
        list(zip(names or [None] * count, options, strict=True)),
        [_label(name) for name in items],
        [_label(name) for name in colored],
        costs,
    )


def _weight(row: int, column: Hashable, cell: Any) -> int:
    """The number in a cell of an item's column."""
    number = int(cell) if isinstance(cell, bool) else integer(_whole(cell))
    if number is not None and 0 <= number < 2**31:
        return number
    raise InvalidEntry(
        f"row {row}, column {quote(column)} of the frame is {quote(cell)}; it must be 0 or 1, or "
        "how often the option covers the item"
    )


def _listed(names: Any) -> list[Any]:
    if names is None:
        return []
    return names if isinstance(names, list) else [names]


# -- columns and values --------------------------------------------------------------------------


def _names(frame: Any) -> list[Any]:
    """The names of a frame's columns."""
    if callable(getattr(type(frame), "collect", None)):
        raise InvalidArgument("the frame is lazy, so it has no values yet: give frame.collect()")
    for attribute in ("column_names", "columns"):  # PyArrow has both
        if hasattr(frame, attribute):
            return list(getattr(frame, attribute))
    if isinstance(frame, Mapping):
        return list(frame)
    raise InvalidArgument(
        f"{quote(frame)} is not a data frame: it has no columns; give a frame of pandas or polars, "
        "or a mapping from names of columns to lists"
    )


def _column(frame: Any, role: str, name: Any) -> list[Any]:
    """The values of a column; `role` is the keyword that names it, for messages."""
    names = _names(frame)
    if name not in names:
        shown = ", ".join(map(quote, names[:10])) + (", ..." if len(names) > 10 else "")
        raise InvalidArgument(
            f"{role} is {quote(name)}, and the frame has no such column; it has {shown or 'none'}"
        )
    if names.count(name) > 1:
        raise InvalidArgument(f"{role} is {quote(name)}, and the frame has several such columns")
    values = _listed_values(role, name, frame[name])
    if isinstance(frame, Mapping):  # a frame's columns are as long as each other
        rows = len(_listed_values(role, names[0], frame[names[0]]))
        if len(values) != rows:
            raise InvalidArgument(
                f"column {quote(name)} has {counted(len(values), 'row')}, and column "
                f"{quote(names[0])} has {rows}"
            )
    return values


def _listed_values(role: str, name: Any, column: Any) -> list[Any]:
    for method in ("to_list", "to_pylist", "tolist"):  # pandas and polars, PyArrow, NumPy
        if hasattr(column, method):
            return list(getattr(column, method)())
    if not is_list_like(column):
        raise InvalidArgument(
            f"{role} is {quote(name)}, and this column is {quote(column)}; it must be a list"
        )
    return list(column)


def _values(frame: Any, role: str, name: Any) -> Iterable[Any]:
    """The values of a column, or None for each row if there is no such column."""
    if name is not None:
        return _column(frame, role, name)
    first = _names(frame)[0]
    return [None] * len(_column(frame, role, first))


def _labels(frame: Any, role: str, names: Any) -> list[Hashable]:
    """The labels in a column, or the tuples of those in a list of columns."""
    if isinstance(names, list) and not names:
        raise InvalidArgument(f"{role} is an empty list; give a column, or a list of columns")
    columns = [_column(frame, role, name) for name in _listed(names)]
    labels: list[Hashable] = []
    for row, values in enumerate(zip(*columns, strict=True)):
        for value, name in zip(values, _listed(names), strict=True):
            if _is_missing(value):
                raise InvalidEntry(f"row {row} of the frame has no value in column {quote(name)}")
        parts = tuple(map(_label, values))
        labels.append(parts if isinstance(names, list) else parts[0])
    return labels


def _label(value: Any) -> Hashable:
    """A value as a label: a list, which polars makes of a tuple, is a tuple again.

    A scalar of NumPy becomes the number or text of Python that it holds.
    """
    if isinstance(value, list | tuple):
        return tuple(map(_label, value))
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    try:
        hash(value)
    except TypeError:
        raise InvalidEntry(
            f"{quote(value)} in the frame cannot be an item, a color or a name: it is not hashable"
        ) from None
    label: Hashable = value
    return label


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, list | tuple | str):
        return False
    try:
        return bool(value != value)  # NaN and NaT
    except (TypeError, ValueError):  # pandas' NA; an array
        return type(value).__name__ == "NAType"


def _whole(value: Any) -> Any:
    """A whole number as an int: pandas has floats in a column with missing values."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _cost(row: int, cost: Any) -> int:
    number = None if _is_missing(cost) else integer(_whole(cost))
    if number is None:
        raise InvalidCost(
            f"row {row} of the frame has the cost {quote(cost)}; a cost is an integer. "
            "minimum(costs=...) takes others"
        )
    return number


# -- writing -------------------------------------------------------------------------------------


def make_frame(problem: ProblemView, solutions: Any, library: Any) -> Any:
    """The options of solutions, or all options, as a long frame: see `Problem.to_frame`."""
    columns: dict[str, list[Any]] = {"solution": [], "option": [], "item": []}
    columns.update({"color": [], "times": [], "cost": []})
    names, costs = problem.names, problem.costs
    if solutions is not None and not is_iterable(solutions):
        raise InvalidArgument(f"solutions is {quote(solutions)}; give a list of solutions")
    chosen = enumerate([names] if solutions is None else solutions)
    for number, solution in chosen:
        if not is_list_like(solution):
            none = " (there is none where solve() returned None)" if solution is None else ""
            raise InvalidArgument(
                f"solutions has {quote(solution)}, which is not a solution{none}; give a list of "
                "solutions, also for a single one"
            )
        for name in solution:
            index = problem.index_of(name)
            for entry in problem.options[index]:
                item = entry.item if isinstance(entry, Colored | Times) else entry
                color = entry.color if isinstance(entry, Colored) else None
                times = entry.weight if isinstance(entry, Times) else 1
                row = (number, names[index], item, color, times, costs[index])
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
    if solutions is None:
        del columns["solution"]
    table = problem._table
    for name, used in (
        ("color", bool(table.color_names)),
        ("times", table.has_weights),
        ("cost", any(table.costs)),
    ):
        if not used:
            del columns[name]
    return _to_library(columns, library)


def _to_library(columns: dict[str, list[Any]], library: Any) -> Any:
    if library == "dict":
        return columns
    if library == "pandas":
        pandas: Any = import_module("pandas")
        # The type "object" keeps 1 an integer beside missing values, and tuples tuples.
        labels = {"option", "item", "color"}
        return pandas.DataFrame(
            {
                name: pandas.Series(values, dtype=object if _has_gaps(values) else None)
                if name in labels
                else values
                for name, values in columns.items()
            }
        )
    if library == "polars":
        polars: Any = import_module("polars")
        return polars.DataFrame(
            [
                polars.Series(name, values, dtype=None if _is_uniform(values) else polars.Object)
                for name, values in columns.items()
            ]
        )
    raise InvalidArgument(f"library is {quote(library)}; it must be 'pandas', 'polars' or 'dict'")


def _has_gaps(values: list[Any]) -> bool:
    return any(value is None for value in values)


def _is_uniform(values: list[Any]) -> bool:
    """Whether a column of polars can hold the values as they are: texts, or numbers, or gaps."""
    kinds = {type(value) for value in values} - {type(None)}
    return kinds <= {str} or (kinds <= {int} and all(abs(n) < 2**63 for n in values if n))


def csv_lines(table: Table) -> Iterator[str]:
    """The long frame of a problem as lines of CSV: a line for each item of each option.

    The columns are "option", "item", "kind" (primary or secondary) and, if the problem has such,
    "color", "times" and "cost". Raises `FormatError` for what they cannot hold: multiplicities,
    items without options, and two items, colors or options of the same text.
    """
    bounds = next(iter(table.bounds_by_item().items()), None)
    unused = next(iter(sorted(set(range(len(table.items))) - set(table.entry_item))), None)
    if bounds is not None:
        why = f"item {quote(bounds[0])} has the multiplicity {bounds_text(bounds[1])}"
        raise FormatError(f"{why}, which CSV cannot hold; JSON (a path ending in .json) can")
    if unused is not None:
        why = f"item {quote(table.items[unused])} is in no option"
        raise FormatError(f"{why}, so CSV cannot hold it; JSON (a path ending in .json) can")
    names = [item_text(table.name_of(index)) for index in range(len(table))]
    items, tints = list(map(item_text, table.items)), list(map(str, table.color_names))
    for what, texts in (("items", items), ("colors", tints), ("options", names)):
        if len(set(texts)) < len(texts):
            why = f"two {what} have the same text, as 7 and '7' have"
            raise FormatError(f"{why}, so CSV cannot tell them apart; JSON can")
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    costs = table.every_cost() if any(table.costs) else ()
    has = (bool(table.color_names), table.has_weights, bool(costs))
    more = list(compress(("color", "times", "cost"), has))
    writer.writerow(["option", "item", "kind", *more])
    for index, name in enumerate(names):
        for number, color, weight in table.row(index):
            kind = "secondary" if table.secondary[number] else "primary"
            tint = tints[color - 1] if color else ""
            values = compress((tint, weight, costs[index] if costs else 0), has)
            writer.writerow([name, items[number], kind, *values])
        yield line.getvalue()
        line.seek(0)
        line.truncate()
    yield line.getvalue()
