"""Drawing rules on the page of `sudoku serve`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from browser import monitored_page
from example_puzzles import WIKIPEDIA
from sudoku_page import begin, center, click_cell, describe, digits, drag, enter, press, said

from sudoku.web.answers import answer
from sudoku.web.setter import tools

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from sudoku.web.server import Server

COLUMN = list(range(4, 81, 9))
SELECTIONS = [[], [30, 31], [2, 11], [2, 10], [36, 37, 38, 39], [40, 41, 49, 50], [4, *COLUMN]]
"""Cells that some rule fits: none, two, two at the start of a column or a diagonal, a line, a
square, an index with its column."""


def blank() -> dict[str, Any]:
    return answer({"kind": "open", "text": "." * 81})


def drawn(board: dict[str, Any], **more: Any) -> dict[str, Any]:
    said: dict[str, Any] = answer({"kind": "draw", "puzzle": board["puzzle"], **more})
    return said


@pytest.mark.parametrize("rule", [tool["rule"] for tool in tools()])
def test_every_rule_that_is_offered_can_be_drawn(rule: str) -> None:
    (tool,) = (tool for tool in answer({"kind": "tools"})["tools"] if tool["rule"] == rule)
    assert tool["say"].endswith(".")
    values = {field["name"]: "3" for field in tool["fields"] if not field["choices"]}
    answers = [drawn(blank(), rule=rule, cells=cells, values=values) for cells in SELECTIONS]
    boards = [board for board in answers if "error" not in board]
    assert boards, answers
    for board in boards:
        (text,) = board["drawn"]
        assert tool["name"].split()[0] in text
        again = answer({"kind": "open", "text": board["share"]})
        assert (again["drawn"], again["ground"]) == ([text], board["ground"])
        assert drawn(board, remove_rule=0)["puzzle"] == blank()["puzzle"]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"rule": "Sandwich", "cells": [2, 11]}, "sandwich needs its total; type it"),
        ({"rule": "Cage", "cells": [], "values": {"total": "3"}}, "cage of 0 cells"),
        ({"rule": "Cage", "cells": [0], "values": {"total": "x?"}}, "'x?' is not a number"),
        ({"rule": "Dot", "cells": [0, 1, 2]}, "dot needs 2 cells; select them in order"),
        ({"rule": "Apart", "cells": []}, "there is no rule 'Apart' to draw"),
        ({"rule": "Thermometer", "cells": [81]}, "cells must be numbers below 81"),
    ],
    ids=lambda value: value["rule"] if isinstance(value, dict) else "",
)
def test_what_cannot_be_drawn_is_said(request_: dict[str, Any], why: str) -> None:
    assert why in drawn(blank(), **request_)["error"]


def test_a_rule_is_drawn_once_and_keeps_digits_and_names() -> None:
    filled = [1, *[0] * 80]
    marks = [[], [2, 3], *[[]] * 79]
    board = drawn(
        blank(), rule="Whisper", cells=[0, 1], values={"least": "5"}, title="A", author="B"
    )
    board = drawn(board, rule="Cage", cells=[0, 9], filled=filled, marks=marks)
    assert (board["name"], board["title"], board["author"]) == ("whisper line + cage", "A", "B")
    assert (list(board["filled"]), list(map(list, board["marks"]))) == (filled, marks)
    assert "is drawn already" in drawn(board, rule="Cage", cells=[0, 9])["error"]
    outside = drawn(board, rule="Sandwich", cells=[17, 16], values={"total": "12"})
    assert json.loads(outside["puzzle"])["layout"]["rules"][-1]["cells"][::8] == ["r2c9", "r2c1"]


def test_solutions_are_counted_and_shown() -> None:
    def count(puzzle: str) -> dict[str, Any]:
        board = answer({"kind": "open", "text": puzzle})
        found: dict[str, Any] = answer({"kind": "solutions", "puzzle": board["puzzle"]})
        return found

    assert count("1... .2.. ..3. ...4")["say"] == "2 solutions."
    assert count("1... .2.. ..3. ...4")["digits"][1] == (3, 4)
    assert count("." * 81)["say"] == "1000 solutions or more."
    assert count(WIKIPEDIA)["say"] == "Exactly one solution."
    none = count("11" + "." * 79)
    assert none["say"] == "The puzzle has no solution: r1c1 and r1c2 are both 1 (row 1 and box 1)."
    assert not any(none["digits"])


def test_contradicting_rules_are_named() -> None:
    board = blank()
    for cells, total in (([0, 1], "3"), ([18, 19], "17"), ([9, 10], "3")):
        board = drawn(board, rule="Cage", cells=cells, values={"total": total})
    found = answer({"kind": "solutions", "puzzle": board["puzzle"]})["say"]
    assert found.startswith("The puzzle has no solution: ")
    assert "cage r1c1 r1c2 of sum 3" in found
    assert "cage r2c1 r2c2 of sum 3" in found
    assert "r3c1" not in found


# -- in the browser ------------------------------------------------------------------------------


def add(page: Page, rule: str, **values: str) -> None:
    page.locator("#rule").select_option(rule)
    for name, value in values.items():
        page.locator(f"#fields [name={name}]").fill(value)
    page.locator("#add").click()


def rules(page: Page) -> list[str]:
    return page.locator("#drawn li").evaluate_all("all => all.map(one => one.firstChild.data)")


@pytest.mark.browser
def test_a_puzzle_is_set_with_the_mouse(page: Page) -> None:
    enter(page, "1... .2.. ..3. ....")
    page.locator("#about", has_text="4 x 4").wait_for()
    page.locator("#draw").click()
    page.locator("#count", has_text="solutions").wait_for()
    page.locator("#pieces text.found").first.wait_for()
    assert describe(page, 4, 4) == "empty, possible 1 2 4"
    drag(page, (1, 3), (1, 4))
    assert page.locator("#chosen").inner_text() == "r1c3 r1c4"
    add(page, "Thermometer")
    page.locator("#count", has_text="solutions").wait_for()
    assert rules(page) == ["thermometer r1c3 r1c4"]
    drag(page, (4, 4), (4, 3))
    add(page, "Cage", total="6")
    page.locator("#count", has_text="Exactly one solution.").wait_for()
    page.locator("#pieces text.found").first.wait_for()
    assert len(digits(page, "found")) == 13  # one in each empty cell
    add(page, "Dot")  # one cell is selected now
    said(page, "dot needs 2 cells; select them in order")
    assert len(rules(page)) == 2
    page.locator("#title").fill("Small")
    page.locator("#author").fill("Ann")
    page.locator("#rule").focus()
    page.locator("#about", has_text="Small by Ann").wait_for()
    page.locator("#share").click()
    page.locator("#link button").click()
    link = page.locator("#address").input_value()
    page.locator("#setter summary").click()
    page.get_by_role("button", name="Remove thermometer r1c3 r1c4").click()
    page.locator("#drawn li").nth(1).wait_for(state="detached")
    assert rules(page) == ["cage r4c3 r4c4 of sum 6"]
    page.locator("#undo").click()
    assert rules(page) == ["thermometer r1c3 r1c4", "cage r4c3 r4c4 of sum 6"]
    page.locator("#draw").click()
    assert digits(page, "found") == []
    page.goto("about:blank")
    page.goto(link)
    page.locator("#about", has_text="Small by Ann").wait_for()
    assert "rise" in (page.locator("#rules").text_content() or "")


@pytest.mark.browser
def test_rules_are_drawn_with_the_keyboard_and_keep_the_notes(page: Page) -> None:
    click_cell(page, 1, 3)
    press(page, "Shift+1", "Control+2", "Control+Shift+3", "d")
    page.locator("#rule option").first.wait_for(state="attached")
    press(page, "Shift+ArrowRight")
    page.locator("#rule").focus()
    page.keyboard.type("cage")
    page.locator("#fields [name=total]").focus()
    press(page, "1", "0", "Enter")
    page.locator("#about", has_text="cage").wait_for()
    assert rules(page) == ["cage r1c3 r1c4 of sum 10"]
    assert describe(page, 1, 3).startswith("notes 2, corner notes 1, purple")
    page.locator("#count", has_text="Exactly one solution.").wait_for()
    page.locator("#board").focus()
    press(page, "Control+z")
    assert rules(page) == []
    press(page, "Control+y", "d")
    assert page.locator("#setter").is_hidden()


@pytest.mark.browser
@pytest.mark.parametrize("size", [(390, 664), (664, 390), (320, 568)], ids=str)
def test_rules_are_drawn_with_a_finger(
    server: Server, browser: Browser, size: tuple[int, int]
) -> None:
    phone: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}, "is_mobile": True}
    with monitored_page(browser, has_touch=True, **phone) as page:
        begin(page, server)
        page.locator("#draw").tap()
        page.locator("#rule option").first.wait_for(state="attached")
        page.evaluate("scrollTo(0, 0)")
        finger = """([type, [x, y]]) => {
            const board = document.getElementById("board");
            board.setPointerCapture = () => {};
            board.dispatchEvent(new PointerEvent(type, {
                pointerId: 9, pointerType: "touch", clientX: x, clientY: y, bubbles: true,
            }));
        }"""
        steps = [("pointerdown", (1, 6)), ("pointermove", (3, 6)), ("pointerup", (3, 6))]
        for kind, cell in steps:
            page.evaluate(finger, [kind, center(page, *cell)])
        assert page.locator("#chosen").inner_text() == "r1c6 r2c6 r3c6"
        page.locator("#rule").select_option("Renban")
        page.locator("#add").tap()
        page.locator("#count", has_text="The puzzle has no solution").wait_for()
        assert rules(page) == ["renban line r1c6 r2c6 r3c6"]
        for part in page.locator("#add, #rule, #undo").all():
            box = part.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
