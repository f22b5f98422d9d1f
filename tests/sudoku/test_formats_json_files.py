"""Files of JSON: values in lines, over many lines and in lists, whole and cut off, from pipes."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from format_examples import EVERY_RULE, dumped
from hypothesis import given
from hypothesis import strategies as st

from sudoku import Grid, Layout, PuzzleError, layouts
from sudoku.formats import Record, dump, load
from sudoku.formats.json_format.reader import LONGEST

BLANK = "." * 81
TITLES = ["one", "two", "three", "four"]


def values(titles: list[str] = TITLES) -> list[object]:
    rule = {"rule": "Cage", "total": 3, "cells": ["r1c1", "r1c2"]}
    layout = {"name": "killer", "box": [3, 3], "rules": [rule]}
    return [{"puzzle": BLANK, "layout": layout, "about": {"title": one}} for one in titles]


SHAPES: dict[str, Callable[[list[object]], str]] = {
    "lines": lambda many: "\n".join(map(json.dumps, many)),
    "documents": lambda many: "\n".join(json.dumps(one, indent=2) for one in many),
    "one after another": lambda many: " ".join(map(json.dumps, many)),
    "list": json.dumps,
    "list, a line each": lambda many: "[\n" + ",\n".join(map(json.dumps, many)) + "\n]",
    "list, commas first": lambda many: "[" + "\n,".join(map(json.dumps, many)) + "\n]",
    "list, indented": lambda many: json.dumps(many, indent=2),
}


def read(text: str) -> tuple[list[str], list[PuzzleError]]:
    """The titles and the errors."""
    errors: list[PuzzleError] = []
    found = load(io.BytesIO(text.encode()), format="json", on_error=errors.append)
    return [record.about.get("title", "") for record in found], errors


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str) -> None:
    for end in ("", "\n", "\r\n\n"):
        assert read(SHAPES[shape](values()) + end) == (TITLES, [])


def test_the_line_of_each() -> None:
    text = f"# of four\n\n{SHAPES['list, indented'](values())}"
    starts = [n for n, line in enumerate(text.splitlines(), 1) if line == "  {"]
    assert [record.line for record in load(io.BytesIO(text.encode()))] == starts
    assert len(starts) == 4


@pytest.mark.parametrize("shape", ["lines", "list, a line each"])
@given(number=st.integers(0, 3), place=st.integers(1))
def test_a_line_that_is_cut_off_takes_no_other_with_it(shape: str, number: int, place: int) -> None:
    lines = SHAPES[shape](values()).split("\n")
    at = number + (shape != "lines")
    lines[at] = lines[at][: place % (len(lines[at].rstrip(",")) - 1) + 1]
    found, errors = read("\n".join(lines))
    assert found == TITLES[:number] + TITLES[number + 1 :]
    assert len(errors) == 1
    assert errors[0].line == at + 1 or f"that begins in line {at + 1}" in errors[0].what


@pytest.mark.parametrize("shape", ["documents", "list, indented"])
@given(number=st.integers(0, 3), place=st.integers(1))
def test_a_line_that_is_missing(shape: str, number: int, place: int) -> None:
    """Of one of many documents: the others are read, or also all, if it said nothing."""
    lines = SHAPES[shape](values()).split("\n")
    opening = [n for n, line in enumerate(lines) if line.strip() == "{" and
               len(line) == 1 + 2 * (shape != "documents")]  # fmt: skip
    start, end = opening[number], [*opening, len(lines) - (shape != "documents")][number + 1]
    del lines[start + 1 + place % (end - start - 1)]
    found, errors = read("\n".join(lines))
    others = TITLES[:number] + TITLES[number + 1 :]
    assert [title for title in found if title in others] == others
    assert len(errors) < end - start


@pytest.mark.parametrize("shape", ["documents", "list, indented"])
@given(
    number=st.integers(0, 3), wrong=st.sampled_from(["oops", "1 2", '{"a" 1}', "[1,, 2]", "NaN"])
)
def test_a_value_with_a_wrong_token(shape: str, number: int, wrong: str) -> None:
    """It is one error; its other lines are no values, and the other values are read."""
    text = SHAPES[shape](values()).replace(f'"{TITLES[number]}"', wrong)
    found, errors = read(text)
    assert found == TITLES[:number] + TITLES[number + 1 :]
    assert len(errors) == 1


def test_garbage_between_values() -> None:
    one = json.dumps(values(["one"])[0])
    text = "\n".join([one, "foo", "}", one, '{"puzzle": ', one, "5", '["a",', one, "[", one])
    found, errors = read(text)
    assert found == ["one"] * 5
    assert [error.line for error in errors] == [2, 3, 7, 7, 10, 8]
    found, errors = read(f"oops {one} oops{one}")
    assert (found, len(errors)) == (["one", "one"], 2)
    assert read("[1,\n2]")[1][0].what == "1 row of 2; the grid has 2"


def test_many_brackets_and_endless_values() -> None:
    """In bounded time and memory, however often something begins and does not end."""
    for line in ('{"puzzle":', "[", '{"a": [', '{"a": 1,', '[[{"a":', '"'):
        found, errors = read(f"{line}\n" * 600)
        assert not found
        assert 1 <= len(errors) <= 601
    tracemalloc.start()
    _, errors = read('{"marks": [\n' + ("1," * 50_000 + "\n") * 50 + "1]}\n" + "{}\n")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ["more than 4 MiB" in error.what for error in errors[:1]] == [True]
    assert peak < 40_000_000


class Talk(io.RawIOBase):
    """A pipe: what is written into it in pieces, and how many of them have been taken."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces
        self.taken = 0

    def read1(self, size: int) -> bytes:
        self.taken += 1
        return self.pieces[self.taken - 1] if self.taken <= len(self.pieces) else b""


@pytest.mark.parametrize("shape", ["lines", "list, a line each", "list, indented", "documents"])
def test_values_come_before_the_next_is_written(shape: str) -> None:
    text = SHAPES[shape](values())
    ends = [text.index(f'"{title}"') for title in TITLES[1:]]
    ends = [text.rindex("\n", 0, end) + 1 if shape in ("lines", "list, a line each")
            else text.rindex('"puzzle"', 0, end) for end in ends]  # fmt: skip
    cuts = [0, *ends, len(text)]
    talk = Talk([text[a:b].encode() for a, b in pairwise(cuts)])
    found: Iterator[Record] = load(talk, format="json")  # type: ignore[arg-type]
    for number, title in enumerate(TITLES, 1):
        assert next(found).about["title"] == title
        assert talk.taken <= number + 1
    assert next(found, None) is None


def test_large_values_are_written_over_many_lines() -> None:
    layout = layouts.killer([(None, [(r, c)]) for r in range(1, 37) for c in range(1, 37)],
                            base=layouts.classic(6, 6))  # fmt: skip
    (record,) = load(io.BytesIO(json.dumps({"puzzle": "." * 1296}).encode()))
    big = Record(layout_grid(record, layout), rest="x" * LONGEST, marks=((1 << 36) - 2,) * 1296)
    out, lost = io.StringIO(), list[str]()
    dump([big, record], out, "json", lost=lambda _, part: lost.append(part))
    assert lost == ["remark"]
    again = list(load(io.BytesIO(out.getvalue().encode())))
    assert [one.grid for one in again] == [big.grid, record.grid]
    assert again[0].marks == big.marks


def layout_grid(record: Record, layout: layouts.Layout) -> object:  # type: ignore[name-defined]
    return record.grid.from_cells(record.grid.cells, layout)


# -- Any value of JSON at any place of a file: a puzzle, or one of our errors that is one line ---


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
    return [json.loads(line) for line in dumped(records, "json").splitlines()]


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
