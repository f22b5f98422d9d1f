"""The page of `sudoku serve` in a browser."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from browser import monitored_page
from example_puzzles import DIAGONAL, JIGSAW, WIKIPEDIA
from format_examples import dumped
from sudoku_internals import until, working_workers
from sudoku_page import PASTE, begin, center, digits, enter, press, said, selected, show_hint
from sudoku_serving import serving

from sudoku import Grid, Layout, layouts, parse
from sudoku.formats.record import Record
from sudoku.generation.kinds import bands_of
from sudoku.web.server import Server
from sudoku.web.worker import WorkerPool

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser


class Held:
    """Answers of the server to one kind of question, which come when they are let go."""

    def __init__(self, page: Page, kind: str) -> None:
        self._routes: list[Route] = []
        self._page, self._kind = page, kind
        page.route("**/ask", self._take)

    def _take(self, route: Route) -> None:
        asked = route.request.post_data_json
        if asked["kind"] == self._kind:
            self._routes.append(route)
        else:
            route.continue_()

    def release(self) -> None:
        """Lets the first one go, and waits until the page has read it."""
        until = time.monotonic() + 60
        while not self._routes:  # it was asked, but may not have come yet
            assert time.monotonic() < until
            self._page.wait_for_timeout(10)  # in which events are heard
        route = self._routes.pop(0)
        with self._page.expect_response(lambda response: response.request == route.request) as got:
            route.continue_()
        got.value.finished()
        self._page.locator("body:not(.busy)").wait_for()


def test_enter_check_hint_and_solve(page: Page) -> None:
    assert len(digits(page, "given")) == 30
    page.locator("#check").click()
    said(page, "No mistakes so far; 51 cells are empty.")
    show_hint(page, 1)
    said(page, "Look at")
    page.keyboard.press("h")
    said(page, "The technique is hidden single.")
    page.keyboard.press("h")
    assert page.locator("#pieces circle.place").count() == 1
    page.locator("#apply").click()
    assert len(digits(page, "filled")) == 1
    page.locator("#rate").click()
    said(page, "Difficulty: gentle")
    page.locator("#solve").click()
    said(page, "This is the solution.")
    assert len(digits(page, "filled")) == 51
    page.locator("#undo").click()
    assert len(digits(page, "filled")) == 1
    page.locator("#redo").click()
    page.locator("#reset").click()
    assert digits(page, "filled") == []


def test_the_keyboard_is_enough(page: Page) -> None:
    page.locator("#board").focus()
    for key in ("End", "Home", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "4"):  # r1c3
        page.keyboard.press(key)
    assert digits(page, "filled") == ["4"]
    page.keyboard.press("k")
    said(page, "No mistakes so far")
    page.keyboard.press("Delete")
    page.keyboard.press("1")
    assert digits(page, "filled") == ["1"]
    page.keyboard.press("k")
    said(page, "1 in r1c3 is wrong.")
    assert digits(page, "wrong") == ["1"]
    page.keyboard.press("h")
    said(page, "r1c")
    page.keyboard.press("Control+z")
    assert digits(page, "filled") == []
    page.keyboard.press("n")
    page.keyboard.press("2")
    page.keyboard.press("4")
    assert digits(page, "note") == ["2", "4"]
    page.keyboard.press("n")
    page.keyboard.press("h")
    page.locator("#apply:enabled").wait_for()
    page.locator("#board").focus()
    page.keyboard.press("Enter")
    assert len(digits(page, "filled")) == 1


def test_a_mistake_and_a_clash_are_seen(page: Page) -> None:
    page.locator("#board").focus()
    page.keyboard.press("5")  # r1c3: there is a 5 in the row
    assert page.locator("#pieces rect.clash").count() == 2
    assert page.locator("#say").inner_text() == "r1c1 and r1c3 are both 5 (row 1 and box 1)."
    page.locator("#check").click()
    said(page, "5 in r1c3 is wrong.")
    page.locator("#fix").click()
    page.locator("#pieces text.given").nth(30).wait_for()
    for button in ("check", "hint", "solve", "all"):
        page.locator(f"#{button}").click()
        why = "The puzzle has no solution: r1c1 and r1c3 are both 5 (row 1 and box 1)."
        page.wait_for_function("why => document.getElementById('say').textContent === why", arg=why)
        page.evaluate("document.getElementById('say').textContent = ''")


def test_pasting_opens_a_puzzle_of_any_kind(page: Page) -> None:
    blank = json.dumps({"puzzle": "." * layouts.samurai().size, "layout": "samurai"})
    page.evaluate(PASTE, blank)
    page.locator("#about", has_text="samurai").wait_for()
    assert page.locator("#pad button").count() == 9
    enter(page, "1... .2.. ..3. ...4")
    page.locator("#about", has_text="4 x 4").wait_for()
    assert page.locator("#pad button").count() == 4


def test_a_puzzle_of_any_layout_is_entered_digit_by_digit(page: Page) -> None:
    page.locator("#enter").click()
    page.locator("#text").fill("")
    page.locator("#as").select_option("2x3")
    page.locator("#read").click()
    page.locator("#about", has_text="6 x 6").wait_for()
    page.locator("#board").focus()
    for key in ("1", "ArrowRight", "2"):
        page.keyboard.press(key)
    page.locator("#fix").click()
    page.locator("#pieces text.given").first.wait_for()
    assert (digits(page, "given"), digits(page, "filled")) == (["1", "2"], [])
    page.locator("#undo").click()
    assert (digits(page, "given"), digits(page, "filled")) == ([], ["1", "2"])


def test_a_hostile_paste_is_only_text(page: Page) -> None:
    for text in (
        "<img src=x onerror=alert(1)>",
        "9" * 300_000,
        '{"puzzle": "<svg onload=alert(1)>"}',
    ):
        enter(page, text)
        page.locator("#refused:not(:empty)").wait_for()
        assert page.locator("#refused *").count() == 0
        page.locator("#dialog button[value=cancel]").click()
    hostile = {"puzzle": WIKIPEDIA, "about": {"title": "<img src=x onerror=alert(1)>"}}
    enter(page, json.dumps(hostile))
    page.locator("#about", has_text="<img src=x").wait_for()
    assert page.locator("img").count() == 0


def test_a_new_puzzle_of_a_difficulty(page: Page) -> None:
    before = page.locator("#pieces").inner_html()
    page.locator("#start").click()
    kind = page.locator(".kind", has=page.locator("input[value='killer']"))
    kind.locator("svg").click()
    offered = page.locator("#band option:not([disabled])").all_text_contents()
    assert offered == ["any", *bands_of("killer")]
    assert "expert" not in offered
    page.locator(".kind", has=page.locator("input[value='classic']")).locator("svg").click()
    page.locator("#band").select_option("easy")
    page.locator("#new button.primary").click()
    page.wait_for_selector("#say:empty", state="attached")
    assert page.locator("#pieces").inner_html() != before
    page.locator("#rate").click()
    said(page, "Difficulty: easy")


def test_saving_keeps_what_was_known_and_noted(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    with monitored_page(browser, accept_downloads=True) as page:
        about = {"title": "Nr. 7", "author": "Ann"}
        begin(page, server, json.dumps({"puzzle": WIKIPEDIA, "about": about, "remark": "a gift"}))
        page.locator("#board").focus()
        for key in ("n", "2", "4", "n", "ArrowDown", "7"):
            page.keyboard.press(key)
        page.locator("#format").select_option("json")
        with page.expect_download() as download:
            page.locator("#export button").click()
        download.value.save_as(tmp_path / "saved.json")
    saved = json.loads((tmp_path / "saved.json").read_text())
    assert (saved["about"], saved["remark"]) == (about, "a gift")
    assert saved["marks"][2] == [2, 4]
    assert saved["filled"][11] == "7"
    with monitored_page(browser) as page:
        begin(page, server, json.dumps(saved))
        assert page.locator("#about").inner_text() == "Nr. 7 by Ann"
        assert (digits(page, "note"), digits(page, "filled")) == (["2", "4"], ["7"])


@pytest.mark.parametrize("kind", ["check", "hint", "solve", "candidates"])
def test_a_question_is_stopped_when_the_board_changes(page: Page, kind: str) -> None:
    Held(page, kind)
    with page.expect_request("**/ask"):
        page.locator(f"#{kind}").click()
    page.locator("#board").focus()
    with page.expect_event("requestfailed"):
        page.keyboard.press("1")  # r1c3
    page.locator("body:not(.busy)").wait_for()
    assert page.locator("#say").inner_text() == ""
    assert page.locator("#apply").is_disabled()
    assert (digits(page, "filled"), digits(page, "note")) == (["1"], [])


@contextmanager
def endless_hints() -> Iterator[tuple[Server, WorkerPool]]:
    """A server that looks for a hint for ever, and its workers."""
    code = """
import sys, threading
from sudoku.web import answers, worker
answers._KINDS["hint"] = lambda question: threading.Event().wait()
worker.main(worker._lines_until_closed(sys.stdin), sys.stdout)
"""
    workers = WorkerPool(600.0, [sys.executable, "-P", "-c", code])
    with serving(Server(workers=workers, token="secret")) as server:
        yield server, workers


@pytest.mark.parametrize("end", ["digit", "button", "escape", "again", "reload"])
def test_the_server_stops_what_the_page_no_longer_needs(browser: Browser, end: str) -> None:
    with endless_hints() as (server, workers), monitored_page(browser) as page:
        begin(page, server)
        page.locator("#hint").click()
        page.locator("#stop").wait_for()
        [working] = working_workers(workers)
        if end == "digit":
            page.keyboard.press("1")
        elif end == "button":
            page.locator("#stop").click()
        elif end == "escape":
            page.keyboard.press("Escape")
        elif end == "again":
            page.locator("#hint").click()
        else:
            page.reload()
        until(workers, lambda: working not in working_workers(workers))
        assert not working.is_alive()
        if end in ("button", "escape"):
            said(page, "Stopped.")
        if end != "again":
            page.locator("#stop").wait_for(state="hidden")
            page.locator("#pieces text.given").first.wait_for()
            page.locator("#check").click()
            said(page, "1 in r1c3 is wrong." if end == "digit" else "No mistakes so far")


def test_nothing_moves_when_an_answer_takes_long(browser: Browser) -> None:
    with endless_hints() as (server, _), monitored_page(browser) as page:
        begin(page, server)
        buttons = page.locator("#side .row button, #keys button").all()
        before = [button.bounding_box() for button in buttons]
        page.locator("#hint").click()
        page.locator("#stop").wait_for()
        assert [button.bounding_box() for button in buttons] == before


def test_why_a_request_is_refused_is_shown(server: Server, browser: Browser) -> None:
    with monitored_page(browser, unless="403") as page:
        begin(page, server)
        why = "the address lacks the token"
        page.route("**/ask", lambda route: route.fulfill(status=403, body=why))
        page.locator("#check").click()
        said(page, why)


def test_an_answer_in_time_is_shown(page: Page) -> None:
    held = Held(page, "hint")
    page.locator("#hint").click()
    page.keyboard.press("ArrowDown")  # another cell, but the same position
    held.release()
    said(page, "Look at")
    assert page.locator("#apply").is_enabled()


def test_of_two_boards_the_one_asked_for_later_stays(page: Page) -> None:
    Held(page, "new")
    page.locator("#start").click()
    page.locator("#new button.primary").click()
    said(page, "Generating a puzzle")
    page.evaluate(PASTE, "1... .2.. ..3. ...4")
    page.locator("#about", has_text="4 x 4").wait_for()
    page.locator("body:not(.busy)").wait_for()  # the first request was stopped
    assert digits(page, "given") == ["1", "2", "3", "4"]
    assert page.locator("#say").inner_text() == ""


def test_undo_brings_everything_back(page: Page) -> None:
    page.locator("#board").focus()
    for key in ("n", "2", "4", "ArrowDown", "4", "ArrowUp", "n"):  # notes in r1c3 and r2c3
        page.keyboard.press(key)
    assert digits(page, "note") == ["2", "4", "4"]
    page.keyboard.press("4")  # takes its notes, and the 4 in r2c3
    assert (digits(page, "filled"), digits(page, "note")) == (["4"], [])
    page.keyboard.press("Control+z")
    assert (digits(page, "filled"), digits(page, "note")) == ([], ["2", "4", "4"])
    page.keyboard.press("Control+y")
    assert (digits(page, "filled"), digits(page, "note")) == (["4"], [])
    for key in ("n", "5", "n", "ArrowRight", "Delete"):  # no note in a filled cell; empty
        page.keyboard.press(key)
    page.keyboard.press("Control+z")
    assert (digits(page, "filled"), digits(page, "note")) == ([], ["2", "4", "4"])
    page.evaluate(PASTE, "1... .2.. ..3. ...4")
    page.locator("#about", has_text="4 x 4").wait_for()
    page.locator("#undo").click()
    assert (len(digits(page, "given")), digits(page, "note")) == (30, ["2", "4", "4"])
    assert page.locator("#about").inner_text() == ""
    assert page.locator("#pad button").count() == 9


def test_narrow_dark_and_touch(server: Server, browser: Browser) -> None:
    size = {"width": 360, "height": 740}
    with monitored_page(browser, viewport=size, color_scheme="dark", has_touch=True) as page:
        begin(page, server)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert max(map(int, paper[4:-1].split(","))) < 64
        box = page.locator("#board").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] * 0.28, box["y"] + box["height"] * 0.07)
        page.locator("#pad button", has_text="4").tap()
        assert digits(page, "filled") == ["4"]
        sizes = [button.bounding_box() for button in page.locator("#pad button").all()]
        assert all(size and size["width"] >= 44 and size["height"] >= 44 for size in sizes)
        assert all(size and size["y"] + size["height"] <= 740 for size in sizes)


@pytest.mark.parametrize("size", [(820, 1100), (768, 1024), (1280, 780)], ids=str)
def test_board_and_digits_are_seen_together(
    server: Server, browser: Browser, size: tuple[int, int]
) -> None:
    width, height = size
    with monitored_page(browser, viewport={"width": width, "height": height}) as page:
        begin(page, server)
        for part in ("#board", "#keys"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height


def test_nothing_moves_when_a_hint_comes(page: Page) -> None:
    buttons = page.locator("#top button, #keys button, #side .row button").all()
    before = [button.bounding_box() for button in buttons]
    page.locator("#hint").click()
    page.locator("#apply:enabled").wait_for()
    assert [button.bounding_box() for button in buttons] == before


def test_an_answer_that_is_none(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server)
        page.route("**/ask", lambda route: route.fulfill(body="not JSON"))
        page.locator("#check").click()
        said(page, "the server does not answer")


def as_json(grid: Grid) -> str:
    """A puzzle as the page takes it, with its layout."""
    return dumped([Record(grid)], "json")


@pytest.mark.parametrize(
    ("layout", "puzzle", "words"),
    [
        (
            layouts.diagonal(),
            DIAGONAL,
            "all places for 4 in the diagonal from r1c9 are in box 7",
        ),
        (
            layouts.jigsaw(JIGSAW),
            ".4......3......294...4.......7.4.....6....4.84.5............74.............52....",
            "all places for 3 in the region of r1c1 are in row 2",
        ),
    ],
    ids=["diagonal", "jigsaw"],
)
def test_a_hint_of_other_layouts_is_explained(
    server: Server, browser: Browser, layout: Layout, puzzle: str, words: str
) -> None:
    with monitored_page(browser) as page:
        begin(page, server, as_json(parse(puzzle, layout)))
        page.locator("#about", has_text=layout.name).wait_for()
        show_hint(page)
        said(page, words)
        struck = page.locator("#pieces circle.remove").count()
        assert struck >= 2
        page.locator("#apply").click()
        page.locator("#hint").click()
        page.locator("#apply:enabled").wait_for()
        assert words not in page.locator("#say").inner_text()
        page.locator("#rate").click()
        said(page, "Difficulty: ")


def test_a_reload_keeps_the_game_and_what_can_be_undone(page: Page) -> None:
    before = digits(page, "given")
    page.locator("#board").focus()
    page.keyboard.press("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    page.keyboard.press("6")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    page.locator("#undo").click()
    page.reload()
    page.locator("#pieces text.filled").wait_for()
    assert (digits(page, "given"), digits(page, "filled")) == (before, ["4"])
    assert digits(page, "note") == ["6"]
    page.locator("#redo").click()
    assert digits(page, "note") == ["6", "1"]
    for _ in range(3):
        page.locator("#undo").click()
    assert digits(page, "filled") + digits(page, "note") == []
    page.locator("#undo").click()  # the puzzle that was there before this one
    assert digits(page, "given") != before


def test_what_was_kept_by_another_version_is_left_alone(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        page.goto(server.url)
        page.locator("#pieces text.given").first.wait_for()
        for odd in (
            "{",
            '{"version": 2, "boards": [{}]}',
            '{"version": 2, "boards":[],"past":[],"future":[],"now":{"board":9}}',
        ):
            page.add_init_script(
                f"localStorage['sudoku.game'] = sessionStorage['sudoku.game'] = {json.dumps(odd)}"
            )
            page.reload()
            page.locator("#pieces text.given").first.wait_for()
            said(page, "The saved game cannot be read")
            assert page.locator("#undo").is_disabled()


@pytest.mark.parametrize("part", ["givens", "small", "ground", "houses"])
def test_a_damaged_board_is_not_restored(page: Page, part: str) -> None:
    page.evaluate(
        """async (part) => {
        (await import("./game.js")).save();
        const saved = JSON.parse(localStorage["sudoku.game"]);
        for (const board of saved.boards) board[part] = [[1, 999]];
        window.name = JSON.stringify(saved);
    }""",
        part,
    )
    page.add_init_script(
        "if (window.name) localStorage['sudoku.game'] = sessionStorage['sudoku.game'] = name"
    )
    page.reload()
    page.locator("#pieces text.given").first.wait_for()
    said(page, "The saved game cannot be read")
    assert page.locator("#undo").is_disabled()


def test_a_good_copy_of_a_damaged_game_is_restored(page: Page) -> None:
    page.evaluate("async () => (await import('./game.js')).save()")
    page.add_init_script("sessionStorage['sudoku.game'] = '{'")
    page.reload()
    page.locator("#pieces text.given").first.wait_for()
    assert len(digits(page, "given")) == 30
    assert page.locator("#say").inner_text() == ""


def test_a_page_that_was_open_during_an_upgrade(browser: Browser) -> None:
    with monitored_page(browser, unless="409 (Conflict)") as page:
        with serving(Server()) as old:
            begin(page, old)
            press(page, "4")
            port = old.server_port
        new = Server(port=port)
        before = new.version.encode()
        for path, file in new.files.items():
            content = file.content.replace(before, b"new")
            new.files[path] = file._replace(content=content, etag='"new"')
        with serving(new):
            page.locator("#hint").click()
            page.locator("#old").wait_for()
            said(page, "the page is of another version than the server; reload it")
            page.locator("#reload").click()
            page.locator("#pieces text.filled").wait_for()
            page.locator("#check").click()
            said(page, "empty")
            assert page.locator("#old").is_hidden()


def test_a_damaged_link_is_said_without_a_game(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        page.goto(server.url + "#%%%zz")
        page.locator("#pieces text.given").first.wait_for()
        page.locator("#say.bad").wait_for()


def test_two_tabs_are_two_games(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server)
        other = page.context.new_page()
        begin(other, server, WIKIPEDIA.replace("5", "x").replace("7", "5").replace("x", "7"))
        for one in (page, other):
            one.reload()
            one.locator("#pieces text.given").first.wait_for()
        assert (digits(page, "given")[0], digits(other, "given")[0]) == ("5", "7")


def test_a_screen_reader_has_cells_in_rows(page: Page) -> None:
    assert page.get_by_role("row").count() == 9
    cells = page.get_by_role("gridcell")
    assert cells.count() == 81
    now = page.get_by_role("gridcell", selected=True)
    assert now.text_content() == "row 1, column 3, empty"
    assert page.locator("#board").get_attribute("aria-activedescendant") == "cell2"
    page.keyboard.press("3")
    assert now.text_content() == "row 1, column 3, 3, twice in a house"
    page.locator("#check").click()
    said(page, "3 in r1c3 is wrong.")
    assert now.text_content() == "row 1, column 3, 3, wrong, twice in a house"
    assert cells.first.text_content() == "row 1, column 1, 5, given"


def test_a_screen_reader_finds_cells_where_they_are(page: Page) -> None:
    def at_its_place(row: int, column: int) -> None:
        cell = page.get_by_role("gridcell", name=f"row {row}, column {column},")
        box = cell.bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert middle == pytest.approx(center(page, row, column), abs=1)

    at_its_place(1, 1)
    at_its_place(9, 4)
    page.evaluate("document.getElementById('cell30').click()")  # without a pointer
    assert selected(page) == ["r4c4"]
    page.evaluate("async () => (await import('./view.js')).zoom(2)")
    at_its_place(5, 4)


def test_a_print_has_the_title_and_the_rules_but_no_hint(server: Server, browser: Browser) -> None:
    with monitored_page(browser, viewport={"width": 390, "height": 664}) as page:
        about = {"title": "Nr. 7", "author": "Ann"}
        begin(page, server, json.dumps({"puzzle": WIKIPEDIA, "about": about}))
        show_hint(page)
        page.locator("#board").focus()
        assert page.locator("#pieces text.note").count() > 0
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("h1").inner_text() == "Nr. 7 by Ann"
        title, board, rules = (
            page.locator(part).bounding_box() for part in ("h1", "#board", "#rules li >> nth=0")
        )
        assert title is not None
        assert board is not None
        assert rules is not None
        assert title["y"] + title["height"] <= board["y"] < rules["y"]
        for part in ("#say", "#keys", "#start", "#steps"):
            assert page.locator(part).is_hidden()
        assert page.locator("#pieces text.note, #pieces circle, #pieces .strike").count() == 0
        style = "getComputedStyle(document.getElementById('board')).outlineStyle"
        assert page.evaluate(style) == "none"
        assert page.pdf()[:4] == b"%PDF"
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("#pieces text.note").count() > 0


def test_delete_works_after_a_click_on_a_digit(page: Page) -> None:
    page.get_by_role("button", name="4", exact=True).click()
    assert digits(page, "filled") == ["4"]
    page.keyboard.press("Delete")
    assert digits(page, "filled") == []
    page.keyboard.press("Control+z")
    assert digits(page, "filled") == ["4"]
    page.keyboard.press("Control+Shift+z")
    assert digits(page, "filled") == []
