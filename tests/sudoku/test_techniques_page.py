"""docs/techniques.md: its pictures are of the techniques in examples/techniques.tsv."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pytest
from folders import DOCS, EXAMPLES

import sudoku
from sudoku.formats import load

PAGE = (DOCS / "techniques.md").read_text("utf-8")
EXAMPLES = [
    tuple(line.split("\t"))
    for line in (EXAMPLES / "techniques.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def file_of(technique: str) -> str:
    """The name of its picture."""
    return f"{re.sub('[^a-z0-9]+', '-', technique.lower()).strip('-')}.svg"


@pytest.mark.parametrize(("technique", "puzzle"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_its_puzzle_takes_it_and_the_picture_says_so(technique: str, puzzle: str) -> None:
    (record,) = load(BytesIO(puzzle.encode()))
    step = next(step for step in sudoku.hints(record.grid) if step.technique == technique)
    picture = (DOCS / "pictures" / "techniques" / file_of(technique)).read_text("utf-8")
    said = " ".join(re.findall(r"<text x=[^>]* font-size=\"12\">([^<]*)</text>", picture))
    assert unescape(said).endswith(f"{technique}: {step}")  # after the rules of the kind


def test_every_picture_has_its_place() -> None:
    shown = re.findall(r"\(pictures/techniques/([^)]*)\)", PAGE)
    assert sorted(shown) == sorted(file_of(technique) for technique, _ in EXAMPLES)
    kept = (DOCS / "pictures" / "techniques").iterdir()
    assert sorted(path.name for path in kept) == sorted(shown)
