"""Any value of JSON at any place of a file: a puzzle, or one of our errors that is one line."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from format_examples import EVERY_RULE

from sudoku import Grid, Layout, PuzzleError, layouts
from sudoku.formats import Record, dump, load

FPUZZLE: dict[str, Any] = {
    "size": 4,
    "grid": [
        [{"value": 1, "given": True, "region": 0, "centerPencilMarks": [1]}, {}, {}, {}],
        [{"givenPencilMarks": [1, 2]}, {}, {}, {}],
        [{}] * 4,
        [{}] * 4,
    ],
    "killercage": [{"cells": ["R1C1", "R1C2"], "value": "5"}],
    "thermometer": [{"lines": [["R1C2", "R2C2"]]}],
    "arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"]]}],
    "littlekillersum": [{"cells": ["R1C2", "R2C1"], "value": "3"}],
    "difference": [{"cells": ["R3C3", "R3C4"]}],
    "even": [{"cell": "R4C4"}],
    "extraregion": [{"cells": ["R4C4", "R4C1"]}],
    "title": "x",
    "solution": [1] * 16,
    "antiknight": True,
}
ODD: list[Any] = [
    None, True, False, 0, -1, 5, 10**18, 1.5, 1e300, float("inf"), "", "x", "a\nb", "\ud800",
    "r1c1", "r99c99", "r0c0", [], {}, [[]], [None], ["x"], [1], [1, 2], [[1, 2]], {"a": 1},
    {"rule": 5}, [{"rule": "Cage"}],
]  # fmt: skip


def of(*records: Record) -> list[Any]:
    out = io.StringIO()
    dump(records, out, "json")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def documents() -> dict[str, Any]:
    latin = Grid.from_cells((0,) * 16, layouts.latin(4))
    ruled = Grid.from_cells((0,) * 81, Layout(3, 3).with_rules(*EVERY_RULE))
    first, second = of(
        Record(latin, 0, "x", "1" + "." * 15, (2,) * 16, "1" * 16, {"title": "b"}), Record(ruled)
    )
    return {"houses": first, "rules": second, "fpuzzles": FPUZZLE}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways into a value; of lists, those to the first few items."""
    yield path
    keys = list(value) if isinstance(value, dict) else range(min(len(value), 3)) \
        if isinstance(value, list) else ()  # fmt: skip
    for key in keys:
        yield from places(value[key], (*path, key))


def changed(value: Any, path: tuple[Any, ...], put: list[Any]) -> Any:
    """A copy with `put[0]` at a place, or without what is there."""
    if not path:
        return put[0] if put else {}
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if put:
        inner[path[-1]] = put[0]
    else:
        del inner[path[-1]]
    return copy


@pytest.mark.parametrize("name", ["houses", "rules", "fpuzzles"])
@pytest.mark.lengthy
def test_any_value_at_any_place(name: str) -> None:
    value = documents()[name]
    form = "fpuzzles" if name == "fpuzzles" else "json"
    tried = refused = 0
    for path in places(value):
        for put in [*([odd] for odd in ODD), []]:
            text = json.dumps(changed(value, path, put)).replace("Infinity", "1e999")
            errors: list[PuzzleError] = []
            data = io.BytesIO(text.encode())
            found = list(
                load(data, format=form, on_error=errors.append, on_warning=lambda record: None)
            )
            assert len(found) + len(errors) <= 2
            assert all("\n" not in str(error) for error in errors), (path, put)
            tried, refused = tried + 1, refused + len(errors)
    assert tried / 2 < refused < tried * 2


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        ({"side": 9, "cells": ["r1c1"]}, "a layout with side and without houses"),
        ({"box": [3, 3], "side": 9}, "a layout with side and without houses"),
        ({"box": [3, 3], "cells": ["r1c1"]}, "a layout with cells and without houses"),
        ({"name": "x"}, "a layout needs a box"),
        ({"side": 4, "cells": {"r1c1": 1}, "houses": []}, "cells must be a list"),
        ({"side": 4, "cells": [], "houses": [["row", "r1c1"], {"row": 1}]}, "is not a house"),
        ({"box": [3, 3], "rules": [{"rule": "Apart", "offsets": [5]}]}, "5 is not an offset"),
    ],
)
def test_layouts_that_say_nothing_are_errors(layout: Any, words: str) -> None:
    text = json.dumps({"puzzle": "." * 81, "layout": layout}).encode()
    errors: list[PuzzleError] = []
    assert not list(load(io.BytesIO(text), format="json", on_error=errors.append))
    assert [words in str(error) for error in errors] == [True], errors
