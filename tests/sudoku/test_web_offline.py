"""The page of `sudoku serve` without its server: the service worker, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser import watched_page
from sudoku_serving import serving

from sudoku.web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

KEPT = """async () => {
    const cache = await caches.open("sudoku-page-1");
    return (await cache.keys()).map((request) => new URL(request.url).pathname);
}"""


def givens(page: Page) -> list[str]:
    page.locator("#pieces text.given").first.wait_for()
    return page.locator("#pieces text.given").all_text_contents()


def test_the_page_opens_when_the_server_has_been_stopped(browser: Browser) -> None:
    with watched_page(browser, unless="net::ERR_CONNECTION_REFUSED", offline=True) as page:
        with serving(Server()) as stopped:
            page.goto(stopped.url)
            before = givens(page)
            page.wait_for_function(f"async () => (await ({KEPT})()).includes('/page.js')")
            assert set(page.evaluate(KEPT)) == set(stopped.files) - {"/sw.js"}
        page.reload()
        page.locator("#dead").wait_for()
        assert givens(page) == before


def test_nothing_is_kept_under_a_token(browser: Browser) -> None:
    with serving(Server(token="secret")) as server, watched_page(browser, offline=True) as page:
        page.goto(server.url)
        givens(page)
        workers = "navigator.serviceWorker.getRegistrations()"
        assert page.evaluate(f"async () => (await {workers}).length") == 0
