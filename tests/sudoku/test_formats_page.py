"""The examples of docs/formats.md are what the page says; the JSON schema says what is written."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from folders import DOCS, ROOT
from format_examples import EVERY_RULE, ON_PAGE, PAGE, dumped
from schemas import Schema

from sudoku import Grid, Layout, layouts
from sudoku.formats import FORMATS, Record, detect, load


@pytest.mark.parametrize("name", ON_PAGE)
def test_example(name: str) -> None:
    expected = "lines" if name in ("rows", "grid", "ss") else name
    assert detect(ON_PAGE[name].encode()).name == expected
    (record,) = load(io.BytesIO(ON_PAGE[name].encode()))
    (again,) = load(io.BytesIO(dumped([record], name).encode()), format=name)
    assert again.grid == record.grid


def test_every_format_is_on_the_page() -> None:
    assert set(ON_PAGE) | {"sdm"} == {form.name for form in FORMATS}
    table = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert {name for line in table for name in re.findall("`([a-z-]+)`", line.split("|")[1])} == {
        form.name for form in FORMATS
    }
    for line in table:
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        for name in re.findall("`([a-z-]+)`", cells[0]):
            form = next(form for form in FORMATS if form.name == name)
            assert cells[1] == " ".join(form.suffixes)
            parts = ("digits filled in", "pencil marks", "solution", "remark",
                     "title, author and the like")  # fmt: skip
            assert [bool(cell) for cell in cells[3:]] == [part in form.holds for part in parts]


# -- the schema ----------------------------------------------------------------------------------

SCHEMA = Schema(DOCS / "sudoku.schema.json")


def test_what_is_written_fits_the_schema() -> None:
    every = [layouts.named(name) for name in layouts.NAMES]
    every += [
        Layout(3, 2),
        Layout(3, 3).with_rules(*EVERY_RULE),
    ]
    for layout in every:
        size = layout.size
        record = Record(
            Grid.from_cells((0,) * size, layout),
            rest="remark",
            placed="1" + "." * (size - 1),
            marks=(6,) * size,
            solution="1" * size,
            about={"title": "x"},
        )
        assert SCHEMA.fits(json.loads(dumped([record], "json")))


def test_the_rules_in_the_schema_are_those_of_the_classes(tmp_path: Path) -> None:
    written = tmp_path / "schema.json"
    shutil.copy(DOCS / "sudoku.schema.json", written)
    subprocess.run([sys.executable, ROOT / ".ci" / "rule_schema.py", written], check=True)
    same = written.read_text("utf-8") == (DOCS / "sudoku.schema.json").read_text("utf-8")
    assert same, "run `make schema`"


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"puzzle": 5},
        {"puzzle": "", "colour": "red"},
        {"puzzle": "", "layout": 5},
        {"puzzle": "", "layout": {"box": [3]}},
        {"puzzle": "", "layout": {"rules": [{"rule": "Cage", "cells": ["r1c1"]}]}},
        {"puzzle": "", "layout": {"rules": [{"rule": "Cage", "total": 3, "cells": ["a1"]}]}},
        {"puzzle": "", "marks": [["1"]]},
    ],
)
def test_what_does_not_fit_is_not_read(value: Any) -> None:
    assert not SCHEMA.fits(value)
    errors: list[object] = []
    assert not list(load(io.BytesIO(json.dumps(value).encode()), format="json",
                         on_error=errors.append))  # fmt: skip
    assert errors
