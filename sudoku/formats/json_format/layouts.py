"""Converts layouts to JSON values and back: box shapes, or cells, houses and rules.

A rule is written as its class in `sudoku.rules` and the arguments of its constructor; cells are
names such as r4c2. docs/sudoku.schema.json is the JSON schema.
"""

from __future__ import annotations

import inspect
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from sudoku import rules
from sudoku.board.cells import Cell, cell_name, checked_cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError, foreign_errors, nearest, shorten, shown
from sudoku.rules import Rule, Shape
from sudoku.rules.layouts import named

__all__ = ["KINDS", "from_json", "kinds_of_fields", "plain", "to_json", "unknown_rule"]

KINDS: dict[str, type[Rule]] = {
    name: kind
    for name in rules.__all__
    if inspect.isclass(kind := getattr(rules, name)) and issubclass(kind, Rule) and kind is not Rule
}
"""The classes of rules that a file can have, by name."""

MOST_RULES = 10_000
LONGEST_NAME = 300


def unknown_rule(grid: Grid) -> str | None:
    """Why a puzzle cannot be written, or None.

    The reason is a rule that is not in `sudoku.rules`, or a name that is too long or not one line.
    """
    names = {grid.layout.name, *(house.kind for house in grid.layout.houses)}
    if not all(map(_is_name, names)):
        return f"cannot hold names of more than a line, or {LONGEST_NAME} characters"
    for rule in grid.layout.rules:
        if KINDS.get(type(rule).__name__) is not type(rule):
            return f"cannot hold the rule {type(rule).__name__}, which is not in sudoku.rules"
    return None


def to_json(layout: Layout) -> dict[str, Any]:
    """The JSON value of a layout, for `from_json`.

    >>> to_json(Layout(2, 3))
    {'box': [2, 3]}
    """
    if layout.is_classic:
        return {"box": [layout.box_rows, layout.box_columns]}
    made: dict[str, Any] = {"name": layout.name}
    if layout.box_rows:
        made["box"] = [layout.box_rows, layout.box_columns]
    if not layout.box_rows or layout.houses != Layout(*made["box"]).houses:
        made["side"] = layout.side
        made["cells"] = [cell_name(*cell) for cell in layout.positions]
        made["houses"] = [
            [house.kind, *(cell_name(*layout.positions[cell]) for cell in house.cells)]
            for house in layout.houses
        ]
    if layout.rules:
        made["rules"] = [_rule_to_json(rule) for rule in layout.rules]
    return made


@cache
def kinds_of_fields(rule: Any) -> dict[str, Any]:
    """The declared types of the fields of a class of rules: those of its attributes or properties.

    Raises `SudokuError` for a field without a type, and types that cannot be evaluated.
    """
    kinds: dict[str, Any] = {}
    names = {"Cell": Cell}  # which the module of a rule may import for type checkers only
    with foreign_errors(f"the types of the fields of the rule {rule.__name__}"):
        for base in reversed(rule.__mro__):
            kinds |= inspect.get_annotations(base, eval_str=True, locals=names)
            for name in rule.fields:
                if isinstance(found := vars(base).get(name), property):
                    hints = get_type_hints(found.fget, localns=names, include_extras=True)
                    kinds[name] = hints.get("return")
    for name in rule.fields:
        if kinds.get(name) is None:
            raise LayoutError(f"the field {name} of the rule {rule.__name__} has no declared type")
    return {name: kinds[name] for name in rule.fields}


def _rule_to_json(rule: Rule) -> dict[str, Any]:
    kinds = kinds_of_fields(cast("Any", type(rule)))
    values = {name: _to_json(getattr(rule, name), kind) for name, kind in kinds.items()}
    return {"rule": type(rule).__name__} | values


def _to_json(value: Any, kind: Any) -> Any:
    """The JSON value of a value of this type: names for cells, lists for tuples.

    A tuple of pairs, each of a cell and something else, becomes an object with the cells as keys.
    """
    kind, by_cell = plain(kind)
    if value is None:
        return None
    if kind == Cell:
        return cell_name(*value)
    if kind is Shape:
        return _shape_to_json(value)
    if by_cell is not None:
        return {cell_name(*cell): _to_json(item, by_cell) for cell, item in value}
    if get_origin(kind) is tuple:
        types = _types_of_items(kind, len(value))
        return [_to_json(item, part) for item, part in zip(value, types, strict=True)]
    return value


def _from_json(value: Any, kind: Any) -> Any:
    """The value of this type that `_to_json` has written; another value as it is."""
    kind, by_cell = plain(kind)
    if kind == Cell:
        return checked_cell(value)
    if by_cell is not None and isinstance(value, dict):
        return [(checked_cell(cell), _from_json(item, by_cell)) for cell, item in value.items()]
    if get_origin(kind) is tuple and isinstance(value, list):
        types = _types_of_items(kind, len(value))
        return tuple(map(_from_json, value, types) if len(types) == len(value) else value)
    return value


def plain(kind: Any) -> tuple[Any, Any]:
    """A type without `| None`; and, if it is a tuple of pairs of a cell and another type, that."""
    choices = [part for part in get_args(kind) if part is not NoneType]
    if get_origin(kind) in (Union, UnionType) and len(choices) == 1:
        (kind,) = choices
    pair = get_args(get_args(kind)[0]) if get_args(kind)[1:] == (...,) else ()
    is_by_cell = len(pair) == 2 and pair[0] == Cell and pair[1] not in (Cell, ...)
    return kind, pair[1] if is_by_cell else None


def _types_of_items(kind: Any, count: int) -> list[Any]:
    """The types of the items of a tuple with `count` items."""
    parts = get_args(kind)
    return [parts[0]] * count if parts[1:] == (...,) else [*parts]


def _shape_to_json(shape: Shape) -> dict[str, Any]:
    """The fields of a shape that are not empty."""
    made = {name: part for name, part in shape._asdict().items() if part or name == "kind"}
    if shape.points:
        made["points"] = [list(point) for point in shape.points]
    return made


def from_json(value: Any) -> Layout:
    """The layout of a JSON value: the name of a layout, or a value of `to_json`.

    >>> from_json("diagonal"), from_json({"box": [2, 3]})
    (<Layout diagonal: side 9, 81 cells, 29 houses, 0 rules>, Layout(2, 3))

    Raises `PuzzleError` or `LayoutError` for anything else.
    """
    if isinstance(value, str):
        return named(value)
    if not isinstance(value, dict):
        raise PuzzleError(f"a layout must be a name or an object, not {shorten(repr(value))}")
    _refuse_unknown("layout", value, ("name", "box", "side", "cells", "houses", "rules"))
    name = value.get("name", "custom")
    if not _is_name(name):
        what = f"name must be a string of one line, up to {LONGEST_NAME} characters"
        raise PuzzleError(f"{what}, not {shown(name)}")
    listed = _list(value, "rules")
    if len(listed) > MOST_RULES:
        raise PuzzleError(f"{len(listed):,} rules; at most {MOST_RULES:,} are read")
    made = [_rule_from_json(rule) for rule in listed]
    box = value.get("box", [0, 0])
    if not isinstance(box, list) or len(box) != 2:
        raise PuzzleError("box must be a list of two numbers, its rows and its columns")
    if "houses" not in value:
        _refuse_without_houses(value)
        base = Layout(*box)
        return base if set(value) <= {"box"} else _of_boxes(base, made, name)
    side: Any = value.get("side")
    if box != [0, 0] and Layout(*box).side != side:
        raise PuzzleError(f"a layout of side {shown(side)} with boxes of {box[0]}x{box[1]}")
    houses = [_house(house) for house in _list(value, "houses")]
    return Layout.of(side, _list(value, "cells"), houses, made, name=name, box=(box[0], box[1]))


def _is_name(value: Any) -> bool:
    """Whether a value can name a layout or a kind of house; messages quote such names in full."""
    return isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_NAME


def _list(value: dict[str, Any], name: str) -> list[Any]:
    """The list of this name in an object; an empty list if there is none."""
    found = value.get(name, [])
    if not isinstance(found, list):
        raise PuzzleError(f"{name} must be a list, not {shorten(repr(found))}")
    return found


def _refuse_without_houses(value: dict[str, Any]) -> None:
    """Raises `PuzzleError` for a side or cells, which have no effect: they follow from the box."""
    for name in ("side", "cells"):
        if name in value:
            raise PuzzleError(f"a layout with {name} and without houses; add houses")
    if "box" not in value:
        raise PuzzleError("a layout needs a box, such as [3, 3], or side, cells and houses")


def _house(value: Any) -> tuple[str, list[Any]]:
    """The kind of a house and its cells, which `Layout.of` checks."""
    if not isinstance(value, list) or not value or not _is_name(value[0]):
        raise PuzzleError(f"{shorten(repr(value))} is not a house; write its kind and its cells")
    return value[0], value[1:]


def _of_boxes(base: Layout, made: list[Rule], name: str) -> Layout:
    """A layout with the houses of a classic one."""
    cells = base.positions
    houses = [(house.kind, [cells[cell] for cell in house.cells]) for house in base.houses]
    box = (base.box_rows, base.box_columns)
    return Layout.of(base.side, cells, houses, made, name=name, box=box)


def _rule_from_json(value: Any) -> Rule:
    if not isinstance(value, dict) or not isinstance(value.get("rule"), str):
        raise PuzzleError(f"{shorten(repr(value))} is not a rule; expected an object with a rule")
    kind = KINDS.get(value["rule"])
    if kind is None:
        hint = nearest(value["rule"], {kind.lower(): kind for kind in sorted(KINDS)})
        raise PuzzleError(f"unknown rule {shorten(value['rule'])}; {hint}")
    _refuse_unknown(value["rule"], value, ("rule", *kind.fields))
    arguments = {name: item for name, item in value.items() if name != "rule"}
    with foreign_errors(f"wrong arguments of the rule {value['rule']}"):
        kinds = kinds_of_fields(cast("Any", kind))
        return kind(**{name: _from_json(item, kinds[name]) for name, item in arguments.items()})


def _refuse_unknown(what: str, value: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in value:
        if name not in known:
            raise PuzzleError(f"unknown field {shorten(name)} in {what}; {nearest(name, known)}")
