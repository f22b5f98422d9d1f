"""Ways of playing on the page of `sudoku serve`, in a browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from browser import monitored_page
from example_puzzles import SOLVED, WIKIPEDIA
from format_examples import dumped
from sudoku_page import (
    PASTE,
    begin,
    center,
    click_cell,
    describe,
    digits,
    drag,
    enter,
    press,
    said,
    selected,
    setting,
    show_hint,
)
from sudoku_serving import serving

from sudoku import Grid, layouts
from sudoku.formats.record import Record
from sudoku.generation.kinds import bands_of
from sudoku.web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

EMPTY = "." * 81


def choose(page: Page, kind: str) -> None:
    """Opens the dialog for a new puzzle and chooses a kind by its picture."""
    page.locator("#start").click()
    page.locator(".kind", has=page.locator(f"input[value='{kind}']")).locator("svg").click()


def named(layout: str, puzzle: str | None = None) -> str:
    """A puzzle of a named layout, empty by default, as text."""
    return json.dumps(
        {"puzzle": puzzle or "." * layouts.named(layout).size, "layout": layout},
    )


def as_text(grid: Grid, form: str) -> str:
    """A puzzle as text in a format."""
    return dumped([Record(grid)], form)


# -- selection -----------------------------------------------------------------------------------


def test_several_cells_are_selected_with_the_mouse(page: Page) -> None:
    drag(page, (1, 3), (1, 4), (2, 4))
    assert selected(page) == ["r1c3", "r1c4", "r2c4"]
    click_cell(page, 9, 1, "Control")
    click_cell(page, 9, 2, "Shift")
    assert selected(page) == ["r1c3", "r1c4", "r2c4", "r9c1", "r9c2"]
    click_cell(page, 1, 4, "Control")
    assert selected(page) == ["r1c3", "r2c4", "r9c1", "r9c2"]
    (x0, y0), (x1, y1) = center(page, 5, 5), center(page, 8, 8)
    page.mouse.move(x0 + 6, y0)
    page.mouse.down()
    page.mouse.move(x1 + 6, y1)  # a fast diagonal takes no cell beside it
    page.mouse.up()
    assert selected(page) == ["r5c5", "r6c6", "r7c7", "r8c8"]
    click_cell(page, 3, 3)
    assert selected(page) == ["r3c3"]


def test_several_cells_are_selected_with_keys(page: Page) -> None:
    click_cell(page, 1, 3)
    press(page, "Shift+ArrowRight", "Control+ArrowDown")
    assert selected(page) == ["r1c3", "r1c4", "r2c4"]
    press(page, "ArrowDown")
    assert selected(page) == ["r3c4"]
    press(page, "Control+a")
    assert len(selected(page)) == 81
    press(page, "Escape")
    assert selected(page) == ["r3c4"]


def test_a_double_click_selects_equal_digits(page: Page) -> None:
    page.mouse.dblclick(*center(page, 1, 1))
    fives = [f"r{at // 9 + 1}c{at % 9 + 1}" for at, digit in enumerate(WIKIPEDIA) if digit == "5"]
    assert selected(page) == fives
    for row, column in ((1, 3), (4, 2)):
        click_cell(page, row, column)
        press(page, "Shift+4")
    page.mouse.dblclick(*center(page, 1, 3))
    assert selected(page) == ["r1c3", "r4c2"]


# -- digits, notes, colors -----------------------------------------------------------------------


def test_the_modes_of_sudokupad(page: Page) -> None:
    drag(page, (1, 3), (1, 4))
    press(page, "x", "1", "c", "2", "v", "3", "z")
    for column in (3, 4):
        assert describe(page, 1, column) == "notes 2, corner notes 1, purple"
    press(page, "Shift+1", "Control+2", "Control+Shift+3")
    assert describe(page, 1, 3) == "empty"
    press(page, " ", "6")
    assert describe(page, 1, 3) == "corner notes 6"
    press(page, " ", " ", "Shift+ ", "7")
    assert describe(page, 1, 3) == "notes 7, corner notes 6"
    page.get_by_role("radio", name="Color").click()
    page.get_by_role("button", name="blue").click()
    assert page.locator("#pieces rect.color7").count() == 2
    page.get_by_role("radio", name="Digit").click()
    page.get_by_role("button", name="4", exact=True).click()
    assert digits(page, "filled") == ["4", "4"]
    assert page.locator("#pieces rect.clash").count() >= 2


def test_notes_are_written_if_one_cell_lacks_them(page: Page) -> None:
    click_cell(page, 1, 3)
    press(page, "Control+1")
    click_cell(page, 1, 4, "Control")
    press(page, "Control+1")
    assert digits(page, "center") == ["1", "1"]
    press(page, "Control+1")
    assert digits(page, "center") == []


@pytest.mark.parametrize("key", ["0", "Backspace", "Delete"])
def test_cells_are_emptied(page: Page, key: str) -> None:
    drag(page, (1, 2), (1, 3), (1, 4))
    press(page, "Control+2", "Shift+1", "Control+Shift+3", "6")
    assert digits(page, "filled") == ["6", "6"]  # and a given, which stays
    press(page, key)
    assert describe(page, 1, 3) == "notes 2, corner notes 1, purple"
    press(page, key)
    assert describe(page, 1, 3) == "corner notes 1, purple"
    press(page, key)
    assert describe(page, 1, 3) == "empty, purple"
    assert describe(page, 1, 2) == "3, purple, given"
    press(page, key)
    assert describe(page, 1, 3) == "empty"


def test_tab_leaves_the_board_unless_it_changes_the_mode(page: Page) -> None:
    page.locator("#board").focus()
    press(page, "Tab")
    assert page.evaluate("document.activeElement.id") != "board"
    setting(page, "tab", True)
    page.locator("#board").focus()
    press(page, "Tab", "4")
    assert describe(page, 1, 3) == "corner notes 4"
    page.reload()
    page.locator("#pieces text.note").first.wait_for()
    assert page.locator("[data-setting=tab]").is_checked()


def test_digit_first(page: Page) -> None:
    setting(page, "digitFirst", True)
    page.get_by_role("button", name="4", exact=True).click()
    assert digits(page, "filled") == []
    click_cell(page, 1, 3)
    click_cell(page, 4, 2)
    assert digits(page, "filled") == ["4", "4"]
    click_cell(page, 4, 2)
    assert digits(page, "filled") == ["4"]
    press(page, "x", "2")
    click_cell(page, 1, 4)
    assert describe(page, 1, 4) == "corner notes 2"
    press(page, "2", "z")  # lets the digit go
    click_cell(page, 1, 1)  # picks 5
    assert page.locator("#pad [aria-pressed=true]").text_content() == "5"


def test_notes_of_peers_are_removed_unless_the_player_does_that(page: Page) -> None:
    for kept in (False, True):
        setting(page, "removal", not kept)
        drag(page, (1, 3), (1, 4))
        press(page, "Control+2", "Shift+2")
        click_cell(page, 1, 3)
        press(page, "2")
        assert describe(page, 1, 4) == ("notes 2, corner notes 2" if kept else "empty")
        press(page, "2", "Delete", "Delete")


def test_candidates_are_kept_by_the_page(page: Page) -> None:
    setting(page, "auto", True)
    assert describe(page, 1, 3) == "notes 1 2 4"
    click_cell(page, 1, 3)
    press(page, "Control+4")  # crosses it out
    assert describe(page, 1, 3) == "notes 1 2"
    click_cell(page, 1, 4)
    press(page, "2")
    assert describe(page, 1, 3) == "notes 1"
    press(page, "Delete")
    assert describe(page, 1, 3) == "notes 1 2"
    click_cell(page, 1, 3)
    press(page, "Control+4")
    assert describe(page, 1, 3) == "notes 1 2 4"
    press(page, "Control+z", "Control+z")
    setting(page, "auto", False)
    assert describe(page, 1, 3) == "empty"


def test_rules_are_taken_into_the_candidates_of_the_page(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server, named("anti-knight", "5" + "." * 80))
        setting(page, "auto", True)
        page.locator("[role=gridcell]", has_text="row 2, column 3, notes").wait_for()
        page.locator("#pieces text.center").first.wait_for()
        assert describe(page, 9, 9) == "notes 1 2 3 4 5 6 7 8 9"
        assert "5" not in describe(page, 3, 2)


def test_colors_stay_visible_under_every_highlight(page: Page) -> None:
    top = """([x, y]) => document.elementsFromPoint(x, y)
        .find(one => one.tagName === "rect").classList[1]"""
    cells = [(row, column) for row in (1, 2, 3) for column in range(1, 10)]
    drag(page, (1, 1), (1, 9), (2, 9), (2, 1), (3, 1), (3, 9))
    press(page, "Control+Shift+2")

    def all_colored(*kinds: str) -> None:
        for kind in kinds:
            assert page.locator(f"#pieces rect.{kind}").count() > 0, kind
        for row, column in cells:
            x, y = center(page, row, column)
            assert page.evaluate(top, [x - 10, y - 10]) == "color2", (row, column)

    all_colored("chosen")
    click_cell(page, 1, 3)
    press(page, "5")
    all_colored("near", "same", "clash")
    press(page, "Control+z")
    show_hint(page, 3)
    all_colored("hint", "house")


def test_what_a_hint_removes_is_taken_from_the_notes(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server, HARD)
        for _ in range(12):
            page.locator("#hint").click()
            page.locator("#apply:enabled").wait_for()
            removed = page.evaluate(
                "async () => (await import('./game.js')).game.step.remove.map(String)"
            )
            page.locator("#apply").click()
            if removed:
                break
        noted = page.evaluate(
            """async () => (await import('./game.js')).game.center
                .flatMap((digits, cell) => [...digits].map(digit => `${cell},${digit}`))"""
        )
        assert removed
        assert len(noted) > 100
        assert not {*removed} & {*noted}
        press(page, "Control+z")
        assert digits(page, "note") == []


# -- time, saving, links -------------------------------------------------------------------------


def test_the_time_stands_while_the_game_is_paused(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        page.clock.install()
        begin(page, server)
        page.clock.run_for(65_000)
        assert page.locator("#time").text_content() in ("1:04", "1:05", "1:06", "1:07")
        press(page, "p")
        before = page.locator("#time").text_content()
        assert not page.locator("#board").is_visible()
        page.clock.run_for(60_000)
        press(page, "4", "h")  # the board takes no digits
        assert page.locator("#time").text_content() == before
        page.locator("#resume").click()
        assert digits(page, "filled") == []
        page.clock.run_for(60_000)
        assert page.locator("#time").text_content() in ("2:04", "2:05", "2:06", "2:07", "2:08")
        hide = """hidden => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
        page.evaluate(hide, True)
        before = page.locator("#time").text_content()
        page.clock.run_for(600_000)
        assert page.locator("#time").text_content() == before
        page.evaluate(hide, False)
        page.clock.run_for(1_000_000)
        assert "18:" in (page.locator("#time").text_content() or "")


def test_a_game_outlives_the_browser_window(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server)
        click_cell(page, 1, 3)
        press(page, "4", "ArrowRight", "Control+2", "Shift+6", "Control+Shift+3")
        other = page.context.new_page()
        page.goto("about:blank")
        other.goto(server.url)
        other.locator("#pieces text.filled").wait_for()
        assert (len(digits(other, "given")), digits(other, "filled")) == (30, ["4"])
        assert describe(other, 1, 4) == "notes 2, corner notes 6, purple"
        press(other, "Control+z")
        assert describe(other, 1, 4) == "notes 2, corner notes 6"


def test_a_game_is_saved_without_leaving_the_page(page: Page) -> None:
    click_cell(page, 1, 3)
    press(page, "4")
    page.wait_for_function(
        """() => {
            const saved = JSON.parse(localStorage["sudoku.game"] ?? "null");
            return saved && saved.now.filled[2] === 4;
        }"""
    )


def test_several_games_are_saved(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server)
        click_cell(page, 1, 3)
        press(page, "4")
        enter(page, named("anti-knight", "12" + "." * 79))  # before the first one is saved
        page.locator("#about", has_text="anti-knight").wait_for()
        click_cell(page, 5, 5)
        press(page, "3")
        enter(page, "123434122143432.")  # not listed: nothing is written in it
        page.locator("#about", has_text="4 x 4").wait_for()
        rows = page.locator("#saved-games li")
        page.locator("#games").click()
        texts = rows.all_inner_texts()
        assert [text.partition("\n")[0] for text in texts] == ["anti-knight", "classic"]
        assert ["1 of 79 digits" in texts[0], "1 of 51 digits" in texts[1]] == [True, True]
        rows.nth(1).locator(".open").click()
        page.locator("#saved").wait_for(state="hidden")
        assert (len(digits(page, "given")), digits(page, "filled")) == (30, ["4"])
        press(page, "Control+z")  # the board before
        assert len(digits(page, "given")) == 15
        click_cell(page, 4, 4)
        press(page, "1")
        page.locator("#solved[open] button", has_text="Close").click()
        page.locator("#games").click()
        assert "4 x 4, boxes of 2 x 2 (this game)\nsolved," in rows.nth(0).inner_text()
        page.locator("button", has_text="Delete").first.click()
        assert rows.nth(1).inner_text().startswith("Deleted: classic")
        page.locator("button", has_text="Undo").click()
        assert rows.nth(1).inner_text().startswith("classic")
        page.locator("button", has_text="Delete").last.click()

        other = page.context.new_page()  # a restart of the browser, with the last game
        page.goto("about:blank")
        other.goto(server.url)
        other.locator("#about", has_text="4 x 4").wait_for()
        other.evaluate("""() => {
            const entry = JSON.parse(
                Object.entries(localStorage).find(([key]) => /saved/.test(key))[1]
            );
            const odd = { ...entry, when: 1, about: "odd", game: {} };
            localStorage["sudoku.saved.odd"] = JSON.stringify(odd);
        }""")
        other.locator("#games").click()
        kept = [text.partition("\n")[0] for text in rows_of(other)]
        assert kept == ["4 x 4, boxes of 2 x 2 (this game)", "classic", "odd"]
        other.locator("#saved-games .open", has_text="odd").click()
        other.locator("#saved-say", has_text="This game cannot be read").wait_for()
        other.locator("#saved-games .open", has_text="classic").click()
        assert digits(other, "filled") == ["4"]


def rows_of(page: Page) -> list[str]:
    """The texts of the list of saved games."""
    return page.locator("#saved-games li").all_inner_texts()


def test_solved_games_give_way_first(page: Page) -> None:
    kept = page.evaluate("""async () => {
        const { keepGame, savedGames, MOST_GAMES } = await import("./saved.js");
        const keep = (when, solved, game = {}) => keepGame({
            id: `game${when}`, when, about: "", done: 1, all: 51, elapsed: 0, solved, game,
        });
        const whens = () => savedGames().map(({ when }) => when);
        localStorage["sudoku.saved.damaged"] = "{";
        for (let when = 0; when < MOST_GAMES; when++) keep(when, [7, 9].includes(when));
        const before = whens();
        for (let when = 50; when < 53; when++) keep(when, false);
        const after = whens();
        for (let more = "x".repeat(8_000_000); more;) {
            more = more.slice((more.length + 1) >> 1);
            try {
                localStorage.full = (localStorage.full ?? "") + more;
            } catch { /* half as much may fit */ }
        }
        keep(98, false, "x".repeat(600_000));
        keep(99, false, "x".repeat(500));
        return [before, after, whens(), "sudoku.saved.damaged" in localStorage];
    }""")
    before, after, full, damaged = kept
    assert before == list(range(49, -1, -1))
    assert after == [when for when in range(52, -1, -1) if when not in (0, 7, 9)]
    assert (full[0], full[1:]) == (99, after[: len(full) - 1])  # the oldest gave way, not all
    assert 20 < len(full) < 50
    assert not damaged


def test_a_link_opens_the_puzzle(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        seen: list[str] = []
        begin(page, server, named("anti-knight", "12" + "." * 79))
        page.on("request", lambda request: seen.append(request.url))
        click_cell(page, 5, 5)
        press(page, "4")
        page.locator("#share").click()
        link = page.locator("#address").input_value()
        assert link.startswith(server.url + "#")
        page.locator("#link button").click()
        begin(page, server)
        page.goto(link)
        page.locator("#about", has_text="anti-knight").wait_for()
        assert (digits(page, "given"), digits(page, "filled")) == (["1", "2"], [])
        assert "#" not in page.url
        begin(page, server)
        page.evaluate(PASTE, link)
        page.locator("#about", has_text="anti-knight").wait_for()
        assert not [url for url in seen if link.partition("#")[2] in url]


def test_a_damaged_link(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server)
        page.goto(server.url + "#sudoku1.eNqr")
        page.locator("#say.bad").wait_for()
        assert len(digits(page, "given")) == 30  # the game that was played


@pytest.mark.parametrize("kind", ["sudokuwiki", "sudokupad"])
def test_links_of_other_pages(server: Server, browser: Browser, kind: str) -> None:
    link = "https://www.sudokuwiki.org/sudoku.htm?bd=" + WIKIPEDIA.replace(".", "0")
    if kind == "sudokupad":
        pytest.importorskip("lzstring")
        link = as_text(Grid(WIKIPEDIA), "links")
    with monitored_page(browser) as page:
        begin(page, server, EMPTY[1:] + "1")
        enter(page, link)
        page.wait_for_function("() => document.querySelectorAll('#pieces text.given').length > 1")
        assert len(digits(page, "given")) == 30


# -- rules ---------------------------------------------------------------------------------------


def test_rules_are_written_out_and_violations_marked_at_once(
    server: Server, browser: Browser
) -> None:
    with monitored_page(browser, viewport={"width": 1400, "height": 900}) as page:
        begin(page, server, named("anti-knight"))
        assert page.get_by_text("knight", exact=False).filter(visible=True).count() >= 2
        click_cell(page, 1, 1)
        press(page, "5")
        click_cell(page, 2, 3)
        press(page, "5")  # also the same box
        click_cell(page, 3, 4)
        press(page, "6")
        click_cell(page, 5, 5)
        press(page, "6")  # only the knight's rule
        page.locator("[role=gridcell]", has_text="row 3, column 4, 6, breaks a rule").wait_for()
        assert describe(page, 5, 5) == "6, breaks a rule"
        setting(page, "clashes", False)
        assert page.locator("#pieces rect.clash").count() == 0


def test_a_wrong_sum_is_marked_at_once(server: Server, browser: Browser) -> None:
    cages = layouts.killer([(3, "r1c1 r1c2"), (20, "r5c5 r5c6 r6c5")])
    with monitored_page(browser) as page:
        begin(page, server, as_text(Grid.from_cells((0,) * 81, cages), "json"))
        click_cell(page, 1, 1)
        press(page, "1", "ArrowRight", "4")
        page.locator("[role=gridcell]", has_text="row 1, column 1, 1, breaks a rule").wait_for()
        said(page, "r1c1 and r1c2 break a rule: ")
        press(page, "2")
        page.wait_for_function("() => !document.querySelector('#pieces rect.clash')")


# -- hints ---------------------------------------------------------------------------------------

CHAIN = "...3..5...5..1..3...7..4..12.....4...6..9......1..6..28..7..2...9..8..5...5..9..7"


def test_a_hint_comes_in_stages_and_a_chain_link_by_link(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server, CHAIN)
        for _ in range(4):
            page.locator("#hint").click()
            page.locator("#apply:enabled").wait_for()
            page.locator("#apply").click()
        show_hint(page, 1)
        said(page, "Look at")
        assert page.locator("#pieces path.strong, #pieces circle").count() == 0
        press(page, "h")
        said(page, "The technique is alternating inference chain")
        assert page.locator("#about-step").inner_text() != ""
        press(page, "h")
        said(page, "cannot be 9")
        struck = page.locator("#pieces path.strike").count()
        assert struck == page.locator("#pieces circle.remove").count() >= 1
        assert page.locator("#pieces circle.other").count() >= 1
        links = []
        for at in range(1, 4):
            press(page, "]")
            assert (page.locator("#stage-name").text_content() or "").startswith(f"link {at} of")
            links.append(page.locator("#pieces path.strong, #pieces path.weak").count())
        assert links == [1, 2, 3]
        press(page, "[")
        assert page.locator("#pieces path.strong, #pieces path.weak").count() == 2
        for _ in range(20):
            press(page, "]")
        assert page.locator("#forward").is_disabled()
        assert page.locator("#pieces path.strike").count() == struck
        page.locator("#close").click()
        assert page.locator("#pieces circle").count() == 0
        assert page.locator("#steps").is_hidden()
        assert page.locator("#say").inner_text() == ""
        assert page.locator("#apply").is_disabled()


def test_all_steps_are_listed_and_one_is_gone_to(page: Page) -> None:
    page.locator("#all").click()
    steps = page.locator("#path-steps button")
    steps.nth(50).wait_for()
    assert steps.count() == 51
    words = steps.nth(20).inner_text()
    steps.nth(20).click()
    said(page, words)
    assert len(digits(page, "filled")) == 20
    page.locator("#apply").click()
    assert len(digits(page, "filled")) == 21
    page.locator("#undo").click()
    page.locator("#undo").click()
    assert digits(page, "filled") == []


def test_hints_by_chosen_techniques_and_without_stages(page: Page) -> None:
    setting(page, "stages", False)
    page.locator("#options").click()
    page.locator("#settings summary").click()
    for name in ("hidden single", "locked pair"):
        page.get_by_label(name, exact=True).uncheck()
    page.locator("#settings .row button").click()
    page.locator("#hint").click()
    said(page, "Naked single: ")
    page.reload()
    page.locator("#pieces text.given").first.wait_for()
    page.locator("#options").click()
    page.locator("#settings summary").click()
    assert not page.get_by_label("locked pair", exact=True).is_checked()
    page.locator("#usual").click()
    assert page.get_by_label("locked pair", exact=True).is_checked()
    page.locator("#settings .row button").click()
    page.locator("#hint").click()
    said(page, "Hidden single: ")
    assert page.locator("#pieces circle.place").count() == 1


def test_hints_see_the_notes_of_the_player(page: Page) -> None:
    page.locator("#candidates").click()
    page.locator("#pieces text.note").first.wait_for()
    click_cell(page, 1, 3)  # 4 in the solution
    press(page, "Control+4")
    page.locator("#hint").click()
    said(page, "r1c3")
    page.locator("#apply").click()
    assert "4" in describe(page, 1, 3)
    press(page, "Control+4")
    page.locator("#check").click()
    page.wait_for_function("() => document.getElementById('say').textContent")
    assert "r1c3" in page.locator("#say").inner_text()


def test_missing_notes_are_offered(page: Page) -> None:
    click_cell(page, 1, 3)
    press(page, "Control+1", "Control+2", "Control+4")
    page.locator("#check").click()
    page.locator("#offer").click()
    assert describe(page, 1, 4) == "notes 2 6"
    assert describe(page, 1, 3) == "notes 1 2 4"


# -- sizes of the window -------------------------------------------------------------------------

HARD = "7...68..4.3.4........5.37.9..4..65...9.....4...63..2..4.18.2........4.7.2..73...8"
KEYS = "#pad button, #erase, #tools button, #modes button, #undo, #redo, header button:visible"


@pytest.mark.parametrize("layout", ["classic", "samurai", "4x4"])
@pytest.mark.parametrize(
    "size", [(390, 664), (664, 390), (700, 450), (360, 740), (320, 568)], ids=str
)
def test_no_key_is_cut_off(
    server: Server, browser: Browser, size: tuple[int, int], layout: str
) -> None:
    width, height = size
    phone: dict[str, Any] = {
        "viewport": {"width": width, "height": height},
        "has_touch": True,
        "is_mobile": True,
    }
    with monitored_page(browser, **phone) as page:
        begin(page, server, WIKIPEDIA if layout == "classic" else named(layout))
        page.evaluate("scrollTo(0, 0)")
        assert page.get_by_role("heading", name="Sudoku").count() == 1
        for key in page.locator(KEYS).all():
            box = key.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height or width == 320
            assert min(box["width"], box["height"]) >= 44 or layout == "4x4"
        board = page.locator("#board").bounding_box()
        assert board is not None
        assert board["y"] + board["height"] <= height + 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width


LONG_CHAIN = (
    "If r7c8 is not 1, then r7c2 is 1, then r1c2 is not 1, then r1c1 is 1, then r1c1 is not 9, "
    "then one of r1c8 and r1c9 is 9, then r3c7 is not 9, then r3c7 is 6, then neither r1c8 nor "
    "r3c8 is 6, then r4c8 is 6: r7c8 is 1 or r4c8 is 6, so r4c8 cannot be 1."
)
NET = (
    "If r2c9 is 9, then r1c1 is 9 (its only place in row 1), r7c8 is 9 (its only place in row 7), "
    "r3c4 is 9 (its only place in column 4), and column 4 has no place for 6, so r2c9 cannot be 9."
)
SHOW = """async ([say, details]) => {
    const frame = { say, cells: [], houses: [], place: [], remove: [[0, 1]], marks: [], links: [] };
    const step = { ...frame, about: "", wrong: [], details, stages: [frame], chain: [] };
    (await import("./hints.js")).showHint(step);
}"""


@pytest.mark.parametrize("size", [(390, 664), (664, 390), (700, 450), (1400, 900)], ids=str)
def test_no_message_is_cut_off(server: Server, browser: Browser, size: tuple[int, int]) -> None:
    """The words at the start, and a long hint with its conclusion; the buttons stay free."""
    over = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(talk)"
    with monitored_page(browser, viewport={"width": size[0], "height": size[1]}) as page:
        begin(page, server)
        page.wait_for_function("() => document.getElementById('say').textContent === ''")
        assert page.evaluate(over) <= 1
        page.evaluate(SHOW, [LONG_CHAIN, []])
        assert page.locator("#say").inner_text() == LONG_CHAIN
        assert page.evaluate(over) <= 1
        page.locator("#apply").click(trial=True)
        for key in page.locator("#modes button, #pad button, #close").all():
            key.click(trial=True)  # nothing is over it
        page.evaluate(SHOW, [NET, ["r1c1 is 9", "r7c8 is 9", "r3c4 is 9"]])
        assert page.locator("#say").inner_text() == (
            "If r2c9 is 9, then \u2026, and column 4 has no place for 6, so r2c9 cannot be 9."
        )
        assert page.evaluate(over) <= 1


def test_the_buttons_of_the_solved_dialog_are_seen(server: Server, browser: Browser) -> None:
    with monitored_page(browser, viewport={"width": 664, "height": 390}) as page:
        begin(page, server)
        page.evaluate(
            """() => {
            for (let n = 0; n < 20; n++) {
                document.getElementById("solved-steps").append(document.createElement("li"));
            }
            document.getElementById("solved").showModal();
        }"""
        )
        box = page.locator("#next").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 390
        page.locator("#next").click(trial=True)


def test_a_large_board_is_zoomed_and_moved(server: Server, browser: Browser) -> None:
    scale = "document.getElementById('pieces').viewBox.baseVal.width"
    with monitored_page(browser) as page:
        begin(page, server, named("samurai"))
        whole = page.evaluate(scale)
        page.locator("#in").click()
        assert page.evaluate(scale) == pytest.approx(whole / 1.5)
        page.locator("#fit").click()
        assert page.evaluate(scale) == whole
        page.mouse.move(*center(page, 8, 8))
        page.mouse.wheel(0, -300)
        page.wait_for_function(f"() => {scale} < {whole}")
        zoomed = page.evaluate(scale)
        page.mouse.click(*center(page, 8, 8))  # the point under the mouse has stayed
        assert selected(page) == ["r8c8"]
        page.locator("#move").click()
        before = center(page, 8, 8)
        page.mouse.move(*before)
        page.mouse.down()
        page.mouse.move(before[0] - 30, before[1] - 20, steps=3)
        page.mouse.up()
        after = center(page, 8, 8)
        assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((-30, -20), abs=0.5)
        press(page, "Control+End")  # the cursor stays visible
        assert selected(page) == ["r21c21"]
        box = page.locator("#board").bounding_box()
        x, y = center(page, 21, 21)
        assert box is not None
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]
        assert page.evaluate(scale) == zoomed


def test_two_fingers_zoom(server: Server, browser: Browser) -> None:
    with monitored_page(browser, has_touch=True) as page:
        begin(page, server)
        fingers = """async ([type, points]) => {
            const board = document.getElementById("board");
            board.setPointerCapture = () => {};
            points.forEach(([x, y], at) => board.dispatchEvent(new PointerEvent(type, {
                pointerId: 100 + at, pointerType: "touch", clientX: x, clientY: y, bubbles: true,
            })));
        }"""
        x, y = center(page, 5, 5)
        whole = page.evaluate("document.getElementById('pieces').viewBox.baseVal.width")
        page.evaluate(fingers, ["pointerdown", [[x - 50, y], [x + 50, y]]])
        page.evaluate(fingers, ["pointermove", [[x - 100, y], [x + 100, y]]])
        page.evaluate(fingers, ["pointerup", [[x - 100, y], [x + 100, y]]])
        now = page.evaluate("document.getElementById('pieces').viewBox.baseVal.width")
        assert now == pytest.approx(whole / 2)
        assert len(selected(page)) == 1


def test_coordinates_are_hidden_on_demand(page: Page) -> None:
    shown = page.locator("#ground .coordinates")
    assert shown.is_visible()
    setting(page, "coordinates", False)
    assert shown.is_hidden()
    click_cell(page, 9, 9)
    assert selected(page) == ["r9c9"]


# -- the server, the end of a game ---------------------------------------------------------------


def test_a_dead_server_is_said_and_tried_again(browser: Browser) -> None:
    with monitored_page(browser, unless="ERR_") as page:
        with serving(Server()) as short:
            begin(page, short)
        page.locator("#hint").click()
        page.locator("#dead").wait_for()
        assert "sudoku serve" in page.locator("#dead").inner_text()
        click_cell(page, 1, 3)
        press(page, "4", "ArrowRight", "Control+6")  # the game continues
        assert digits(page, "filled") == ["4"]
        page.locator("#alone").click()
        assert page.locator("#dead").is_hidden()
        page.locator("#hint").click()
        page.locator("#dead").wait_for()
        with serving(Server(port=short.server_port)):
            page.locator("#retry").click()
            page.locator("#dead").wait_for(state="hidden")
            page.locator("#check").click()
            said(page, "No mistakes so far")
            assert digits(page, "filled") == ["4"]


def test_playing_needs_no_request(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or request.url))
    click_cell(page, 1, 3)
    press(page, "Control+1", "x", "2", "v", "3", "z", "4", "Control+z", "Control+y", "0")
    drag(page, (5, 2), (5, 3))
    assert asked == []


def test_a_solved_puzzle(server: Server, browser: Browser) -> None:
    with monitored_page(browser) as page:
        begin(page, server, SOLVED[:78] + "...")
        click_cell(page, 9, 7)
        press(page, "1", "ArrowRight", "7", "ArrowRight", "9")
        page.locator("#solved").wait_for()
        assert re.fullmatch(r"Time: \d+:\d\d", page.locator("#solved-time").inner_text())
        page.locator("#solved-steps li").first.wait_for()
        assert re.search(r"3 steps, score \d+\.$", page.locator("#solved-rate").inner_text())
        assert page.locator("#solved-steps").inner_text() == "full house (3 times)"
        page.locator("#next").click()
        page.wait_for_function("() => document.querySelectorAll('#pieces text.given').length < 70")
        assert page.locator("#solved").is_hidden()


@pytest.mark.parametrize("again", ["reset", "enter"])
def test_a_puzzle_solved_again(server: Server, browser: Browser, again: str) -> None:
    """The dialog comes once for each time, also after the page has shown the solution."""
    puzzle = SOLVED[:78] + "..."
    with monitored_page(browser) as page:
        begin(page, server, puzzle)
        page.locator("#solve").click()
        said(page, "This is the solution.")
        assert page.locator("#solved").is_hidden()
        for _ in range(2):
            if again == "reset":
                page.locator("#reset").click()
            else:
                enter(page, puzzle)
                page.locator("#dialog").wait_for(state="hidden")
            click_cell(page, 9, 7)
            press(page, "1", "ArrowRight", "7", "ArrowRight", "9")
            page.locator("#solved").wait_for()
            press(page, "Escape")


def test_keys_are_listed(page: Page) -> None:
    press(page, "?")
    assert "corner note" in page.locator("#shortcuts").inner_text()
    press(page, "4")  # goes to the dialog
    press(page, "Escape")
    assert digits(page, "filled") == []


def test_there_is_one_primary_action(page: Page) -> None:
    primary = page.locator("button.primary:visible")
    assert primary.all_text_contents() == ["Hint"]
    page.locator("#hint").click()
    page.locator("#apply:enabled").wait_for()
    assert primary.all_text_contents() == ["Do it"]
    page.locator("#start").click()
    assert page.locator("dialog button.primary:visible").all_text_contents() == ["Generate"]


def test_kinds_of_puzzles_are_grouped(page: Page) -> None:
    choose(page, "2x3")
    groups = page.locator("#kinds h3").all_text_contents()
    assert {"overlapping grids", "drawn at random"} <= {*groups}
    for kind in page.locator(".kind").all():
        assert kind.locator("svg path").count() > 1
        assert (kind.locator("span").text_content() or "").endswith(".")
    assert page.locator("#band option:enabled").all_text_contents() == ["any", *bands_of("2x3")]
    page.locator("#new .primary").click()
    page.locator("#about", has_text="6 x 6").wait_for()
    assert page.locator("#pad button").count() == 6
    choose(page, "thermometer")
    page.locator("#symmetry").select_option("none")
    page.locator("#new .primary").click()
    page.locator("#about", has_text="thermometer").wait_for()
    assert "thermometer" in page.locator("#rules").inner_text().lower()
