"""Drawing rules on the page: which rules there are, and the rule that selected cells make.

What can be drawn follows from the declared types of a rule's fields, so a new class in
`sudoku.rules` is offered without a line here: cells are the selected ones in the order of their
selection, and the player types numbers and digits, or chooses one of several words. Rules with
other fields, such as offsets, are not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, takewhile
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin

from sudoku.board.cells import Cell, symbol
from sudoku.board.layout import Layout, Rule
from sudoku.drawing.lines import picture_of
from sudoku.errors import PuzzleError, counted, listed, shorten
from sudoku.formats.json_format.layouts import KINDS, from_json, kinds_of_fields, plain, to_json
from sudoku.rules.lines.sums import parts_by_box

__all__ = ["drawn", "tools", "without"]

OUTSIDE = ("number outside", "diagonal sum")
"""The pictures of rules about a line of cells that begins at the edge."""


class Field(NamedTuple):
    """A field of a rule, as the player fills it."""

    name: str
    kind: str
    """A "cell", "cells", "parts" (a line, cut at the borders of boxes), "digits of cells",
    "number", "digits" or "choice"."""
    optional: bool = False
    choices: tuple[str, ...] = ()


def _fields(kind: type[Rule]) -> list[Field] | None:
    """The fields of a class of rules; None if one of them cannot be drawn."""
    declared = kinds_of_fields(cast("Any", kind))
    found = [_field(name, kind) for name, kind in declared.items()]
    return None if None in found else cast("list[Field]", found)


def _field(name: str, declared: Any) -> Field | None:
    kind, by_cell = plain(declared)
    optional = kind is not declared
    if kind == Cell:
        return Field(name, "cell")
    if by_cell is not None:
        return Field(name, "digits of cells") if _is_numbers(by_cell) else None
    if get_origin(kind) is Literal:
        return Field(name, "choice", choices=get_args(kind))
    if _is_number(kind):
        return Field(name, "number", optional)
    if kind == tuple[Cell, ...]:
        return Field(name, "cells")
    if name == "parts" and kind == tuple[tuple[Cell, ...], ...]:
        return Field(name, "parts")
    return Field(name, "digits") if _is_numbers(kind) else None


def _is_number(kind: Any) -> bool:
    return kind is int or (get_origin(kind) is Annotated and get_args(kind)[0] is int)


def _is_numbers(kind: Any) -> bool:
    return get_args(kind)[1:] == (...,) and _is_number(get_args(kind)[0])


def tools() -> list[dict[str, Any]]:
    """The rules that can be drawn: class, name, group, what it means, how to select the cells, and
    the fields that are typed or chosen.

    >>> next(tool for tool in tools() if tool["rule"] == "Cage")["fields"]
    [{'name': 'total', 'optional': True, 'choices': ()}]
    """
    found = []
    for rule, kind in KINDS.items():
        fields = _fields(kind)
        if fields is not None:
            group, how = _group(kind, fields)
            meaning = (kind.__doc__ or "").partition("\n\n")[0].replace("`", "'")
            typed = [
                {"name": field.name, "optional": field.optional, "choices": field.choices}
                for field in fields
                if field.kind not in ("cell", "cells", "parts")
            ]
            about = {"group": group, "name": kind.kind, "say": " ".join(meaning.split())}
            found.append({"rule": rule, **about, "how": how, "fields": typed})
    return sorted(found, key=lambda tool: (tool["group"], tool["name"]))


def _group(kind: type[Rule], fields: Sequence[Field]) -> tuple[str, str]:
    """The group of a rule, and how to select its cells."""
    names = [field.name for field in fields if field.kind in ("cell", "cells", "parts")]
    if picture_of(kind) in OUTSIDE:
        return "outside", "Drag from the edge inward: two cells are enough, they give the line."
    if not fields:
        return "whole grid", "No cells are needed."
    if len(names) < 2:
        return "cells and lines", "Select the cells, lines in their order."
    is_pair = all(field.kind != "cells" for field in fields)
    return (
        "two cells" if is_pair else "cells and lines",
        f"Select in this order: {listed(names, 'and')}.",
    )


def drawn(name: object, cells: Sequence[Cell], values: dict[str, Any], layout: Layout) -> Rule:
    """The rule of this class for the selected cells and the values typed for its fields.

    >>> drawn("Thermometer", [(1, 1), (1, 2)], {}, Layout(3, 3))
    Thermometer(((1, 1), (1, 2)))
    >>> drawn("Sandwich", [(1, 2), (2, 2)], {"total": "12"}, Layout(3, 3)).cells[-1]
    (9, 2)

    Raises `PuzzleError` or `LayoutError`, with what is missing, if they do not make a rule.
    """
    kind = KINDS.get(name) if isinstance(name, str) else None
    fields = None if kind is None else _fields(kind)
    if kind is None or fields is None:
        raise PuzzleError(f"there is no rule {shorten(str(name))} to draw")
    if picture_of(kind) in OUTSIDE:
        cells = _to_the_end(cells, layout)
    arguments = dict(_cells_of(kind, fields, cells, layout))
    for field in fields:
        if field.name not in arguments:
            arguments[field.name] = _value(kind, field, values.get(field.name), cells)
    rule: Rule = cast("Callable[..., Rule]", kind)(**arguments)
    return rule


def _to_the_end(cells: Sequence[Cell], layout: Layout) -> Sequence[Cell]:
    """The cells of a line whose first two are given, up to the edge; other cells as they are."""
    if len(cells) != 2:
        return cells
    (row, column), (below, right) = cells
    line = ((row + k * (below - row), column + k * (right - column)) for k in count())
    return list(takewhile(lambda cell: cell in layout.index, line))


def _cells_of(
    kind: type[Rule], fields: Sequence[Field], cells: Sequence[Cell], layout: Layout
) -> Iterator[tuple[str, Any]]:
    """The fields that are cells: single ones first, then the rest; two groups of the same size, or
    one cell and the rest (a circle and its path).
    """
    single = [field.name for field in fields if field.kind == "cell"]
    several = [field for field in fields if field.kind in ("cells", "parts")]
    if len(cells) < len(single) or (single and not several and len(cells) > len(single)):
        raise PuzzleError(f"{kind.kind} needs {counted(len(single), 'cell')}; select them in order")
    yield from zip(single, cells, strict=False)
    rest = cells[len(single) :]
    for field in several[:-1]:
        size = len(cells) // 2 if field.name == "first" else 1
        yield field.name, rest[:size]
        rest = rest[size:]
    for field in several[-1:]:
        yield field.name, parts_by_box(rest, layout) if field.kind == "parts" else rest


def _value(kind: type[Rule], field: Field, typed: Any, cells: Sequence[Cell]) -> Any:
    """The value of a field that is typed or chosen."""
    text = str(typed or "").strip()
    if field.kind == "choice":
        return text or field.choices[0]
    if not text:
        if field.optional:
            return None
        raise PuzzleError(
            f"{kind.kind} needs its {field.name}; type it beside the name of the rule"
        )
    if field.kind == "number":
        return _number(text)
    digits = tuple(
        map(_number, text.replace(",", " ").split() if " " in text or "," in text else text)
    )
    return digits if field.kind == "digits" else [(cell, digits) for cell in cells]


def _number(text: str) -> int:
    """The number of a text; a letter is a digit above 9."""
    if text.isdecimal() and text.isascii() and len(text) < 9:
        return int(text)
    found = [digit for digit in range(1, 37) if symbol(digit) == text.upper()]
    if not found:
        raise PuzzleError(f"{shorten(text)} is not a number")
    return found[0]


def without(layout: Layout, index: int) -> Layout:
    """The layout without one of its rules; its name is made of the kinds of those that stay.

    >>> from sudoku.rules import NonConsecutive
    >>> without(Layout(3, 3).with_rules(NonConsecutive()), 0)
    Layout(3, 3)
    """
    value = to_json(layout)
    del value["rules"][index]
    if not value["rules"] and "houses" not in value:
        return Layout(*value["box"])
    kinds = [rule.kind for at, rule in enumerate(layout.rules) if at != index]
    value["name"] = " + ".join(dict.fromkeys(kinds)) or "custom"
    return from_json(value)
