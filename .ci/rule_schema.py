"""Writes the rules in docs/sudoku.schema.json, from the classes in `sudoku.rules` and their fields.

usage: python .ci/rule_schema.py [FILE]      (`make schema`)

The rest of the file is written by hand.
"""

from __future__ import annotations

import json
import sys
from inspect import getdoc
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from sudoku.board.cells import Cell, Digit
from sudoku.formats.json_format.layouts import KINDS, kinds_of_fields, plain
from sudoku.rules.drawings import MOST_SHAPES, Shape

SCHEMA = Path(__file__).parent.parent / "docs" / "sudoku.schema.json"
RULES = """\
    "rule": {
      "description": "A class of `sudoku.rules` and the arguments of its constructor.",
      "oneOf": [
"""
NAMED = {Cell: "cell", Digit: "digit", tuple[Cell, ...]: "cells", tuple[Cell, Cell]: "cells"}
TYPES = {int: "integer", float: "number", str: "string", bool: "boolean"}


def main(path: Path = SCHEMA) -> None:
    """Replaces the text from the first rule to the end of the file."""
    *before, _ = path.read_text("utf-8").partition(RULES)
    rules = ",\n".join(map(rule, KINDS))
    path.write_text("".join([*before, rules, "\n      ]\n    }\n  }\n}\n"]), "utf-8")


def rule(name: str) -> str:
    """The text about a class of rules, indented."""
    fields = kinds_of_fields(cast("Any", KINDS[name]))
    value = {
        "description": (getdoc(KINDS[name]) or "").partition("\n\n")[0].replace("\n", " "),
        "type": "object",
        "required": ["rule", *fields],
        "additionalProperties": False,
        "properties": {"rule": {"const": name}, **{each: of(fields[each]) for each in fields}},
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value[key])}" for key in value]
    return "        {\n" + ",\n".join(" " * 10 + line for line in lines) + "\n        }"


def of(declared: Any) -> dict[str, Any]:
    """The schema of a declared type."""
    kind, by_cell = plain(declared)
    if NoneType in get_args(declared):
        return {"oneOf": [of(kind), {"type": "null"}]}
    if kind in NAMED:
        return {"$ref": f"#/$defs/{NAMED[kind]}"}
    if by_cell is not None:
        return {"type": "object", "additionalProperties": of(by_cell)}
    if kind is Shape:
        return {"$ref": "#/$defs/shape"}
    if get_origin(kind) is Annotated:
        (values,) = kind.__metadata__
        return {"type": "integer", "minimum": values.start, "maximum": values.stop - 1}
    if get_origin(kind) is Literal:
        return {"enum": [*get_args(kind)]}
    if get_origin(kind) is not tuple:
        return {"type": TYPES[kind]}
    item, *more = get_args(kind)
    made = {"type": "array", "items": of(item)}
    if item is Shape:
        return {**made, "maxItems": MOST_SHAPES}
    return made if more == [...] else {**made, "minItems": len(more) + 1, "maxItems": len(more) + 1}


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
