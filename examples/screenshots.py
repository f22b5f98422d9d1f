"""Makes the screenshots of docs/pictures.md; pictures.sh calls it.

    python examples/screenshots.py FOLDER

It needs Playwright and Chromium, as the tests of the web pages do (see tests/support/browser.py).
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import dlx
from sudoku.web.server import Server

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from browser import monitored_page, open_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HARD = "...3..5...5..1..3...7..4..12.....4...6..9......1..6..28..7..2...9..8..5...5..9..7"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DESKTOP = {"width": 1280, "height": 780}
PHONE = {"width": 360, "height": 740}


def enter(page: Page, server: Server, puzzle: str) -> None:
    """Opens the web page and enters a puzzle."""
    page.goto(server.url)
    page.locator("#pieces text.given").first.wait_for()
    page.locator("#enter").click()
    page.locator("#text").fill(puzzle)
    page.locator("#read").click()
    page.locator("#dialog").wait_for(state="hidden")


def hint(page: Page) -> str:
    """Shows all stages of a hint, and returns the sentence that names its technique."""
    page.locator("#hint").click()
    page.locator("#apply:enabled").wait_for()
    page.locator("#hint").click()
    sentence: str = page.locator("#say").inner_text()
    page.locator("#hint").click()
    return sentence


def show_page(browser: Browser, server: Server, folder: Path) -> None:
    """Takes a hint in light colors, a mistake in dark colors, and a hint on a narrow screen."""
    with monitored_page(browser, viewport=DESKTOP) as page:
        enter(page, server, HARD)
        page.locator("#candidates").click()
        page.locator("#pieces text.note").first.wait_for()
        while "chain" not in hint(page):
            page.locator("#apply").click()
        page.screenshot(path=folder / "page-light.png")
    with monitored_page(browser, viewport=DESKTOP, color_scheme="dark") as page:
        enter(page, server, EASY)
        page.locator("#board").focus()
        page.keyboard.press("1")
        page.locator("#check").click()
        page.locator("#say", has_text="wrong").wait_for()
        page.screenshot(path=folder / "page-dark.png")
    with monitored_page(browser, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        enter(page, server, EASY)
        hint(page)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=folder / "page-narrow.png")


def show_trace(browser: Browser, folder: Path) -> None:
    """Takes the page of `dlx trace --html` with TAOCP's first example, after its first option."""
    problem = dlx.Problem(list("abcdefg"))
    for items in ("ce", "adg", "bcf", "adf", "bg", "deg"):
        problem.add_option(list(items))
    with monitored_page(browser, viewport={"width": 1280, "height": 600}) as page:
        page.set_content(problem.trace_page(title="Algorithm X on standard input"))
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        page.screenshot(path=folder / "trace.png")


def main(folder: Path) -> None:
    """Takes all screenshots and writes them into a folder."""
    with Server() as server, open_browser() as browser:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            show_page(browser, server, folder)
            show_trace(browser, folder)
        finally:
            server.shutdown()
            thread.join()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
