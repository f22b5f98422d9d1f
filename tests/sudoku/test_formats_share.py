"""Texts for the fragment of a URL: short, of every layout, and damage is one clear error."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode

import pytest
from example_puzzles import REGIONS, WIKIPEDIA
from format_examples import EVERY_RULE, read_text
from hypothesis import given
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout, LayoutError, PuzzleError, layouts, rules
from sudoku.formats import Record, detect
from sudoku.formats.editors.share import record_of_share_text, share_text

KILLER = layouts.killer([(3, "r1c1 r1c2"), (None, "r2c1 r2c2")])


def empty(layout: Layout) -> Grid:
    return Grid.from_cells((0,) * layout.size, layout)


@pytest.mark.parametrize(
    "layout",
    [
        *(layouts.named(name) for name in layouts.NAMES),
        *(Layout(*box) for box in ((2, 2), (2, 3), (3, 2), (4, 4), (6, 6))),
        KILLER,
        layouts.jigsaw(REGIONS),
        layouts.latin(5),
        layouts.diagonal(base=layouts.classic(2, 3)),
        Layout(3, 3).with_rules(*EVERY_RULE),
        Layout(3, 3).with_rules(rules.Apart([(0, 4)]), name="anti-knight"),  # not what it says
    ],
    ids=str,
)
def test_every_layout_comes_back(layout: Layout) -> None:
    text = share_text(Record(empty(layout)))
    assert re.fullmatch(r"[A-Za-z0-9._-]+", text)  # no character needs an escape in a URL
    assert record_of_share_text(text) == Record(empty(layout))
    for link in (f"http://localhost:8324/#{text}", f"http://[::1]:81/secret/#{text}"):
        assert detect(link.encode()).name == "links"
        assert [record.grid for record in read_text(f"{link} a remark")] == [empty(layout)]


@pytest.mark.parametrize("name", [name for name in layouts.NAMES if name != "anti-knight"])
def test_a_layout_with_a_name_makes_a_short_text(name: str) -> None:
    assert len(share_text(Record(empty(layouts.named(f"{name} + anti-knight"))))) < 110


def test_a_classic_puzzle_is_its_line() -> None:
    assert share_text(Record(Grid(WIKIPEDIA))) == WIKIPEDIA
    assert record_of_share_text(WIKIPEDIA) == Record(Grid(WIKIPEDIA))
    assert read_text(f"http://localhost/#{WIKIPEDIA.replace('.', '%2E')}")[0].grid.line == WIKIPEDIA


def test_all_of_a_record_comes_back_from_a_file() -> None:
    record = Record(
        sudoku.parse("53" + "." * 79, layouts.killer([(8, "r1c1 r1c2")])),
        rest="hard ünicode",
        placed="534" + "." * 78,
        marks=(2,) * 81,
        solution=sudoku.solve("534" + "." * 78).line,
        about={"title": "Nr. 1"},
    )
    text = share_text(record)
    assert record_of_share_text(text) == record
    first, second = read_text(f"# shared\n{text}\n{text} softer")
    assert (first.line, first.rest, first.about) == (2, "hard ünicode", {"title": "Nr. 1"})
    assert (second.line, second.rest, second.solution) == (3, "softer", record.solution)


def test_a_layout_with_an_unknown_rule_is_refused() -> None:
    class Own(rules.Rule):
        __slots__ = ()

    with pytest.raises(LayoutError, match="share cannot hold the rule Own"):
        share_text(Record(empty(Layout(2, 2).with_rules(Own()))))


GOOD = share_text(Record(empty(KILLER)))


def packed(data: bytes) -> str:
    return "sudoku1." + urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "sudoku1.",
        GOOD[:-4],
        GOOD[:20],
        f"{GOOD}AAAA",
        GOOD.replace(GOOD[40:44], "____"),
        f"{GOOD[:30]}*{GOOD[31:]}",
        packed(zlib.compress(b"{")),
        packed(zlib.compress(b"\xff")),
        packed(zlib.compress(b" " * (2 << 20))),  # expands to more than is read
        packed(zlib.compress(b"[" * 100_000)),  # nested too deeply
        packed(b"plain"),
    ],
)
def test_damage_is_one_error(text: str) -> None:
    with pytest.raises(PuzzleError, match="the shared puzzle is damaged; copy the whole link"):
        record_of_share_text(text)


@given(st.integers(8, len(GOOD) - 1), st.sampled_from("AZaz09-_"))
def test_a_changed_character_is_noticed(place: int, character: str) -> None:
    changed = GOOD[:place] + character + GOOD[place + 1 :]
    try:
        found = record_of_share_text(changed)
    except PuzzleError:
        assert changed != GOOD
    else:  # the same character, or spare bits of the last one
        assert found.grid == empty(KILLER)


def test_json_that_is_no_puzzle_is_refused() -> None:
    with pytest.raises(PuzzleError, match="expected an object with a puzzle"):
        record_of_share_text(packed(zlib.compress(b"[]")))
