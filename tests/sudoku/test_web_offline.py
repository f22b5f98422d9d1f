"""The page of `sudoku serve` without its server: the service worker, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser import monitored_page
from sudoku_serving import serving

from sudoku.web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

KEPT = """async () => {
    const cache = await caches.open("sudoku-page-2");
    return (await cache.keys()).map((request) => new URL(request.url).pathname);
}"""


def wait_until(page: Page, condition: str) -> None:
    """Waits for a promise to be true: `wait_for_function` takes the promise itself for true."""
    page.evaluate(
        f"""async () => {{
            const end = Date.now() + 30_000;
            while (!(await {condition})) {{
                if (Date.now() > end) throw new Error("waited for half a minute in vain");
                await new Promise((done) => setTimeout(done, 20));
            }}
        }}"""
    )


def wait_until_kept(page: Page, server: Server) -> None:
    """Waits until the service worker has copies of all files of the page."""
    files = sorted(set(server.files) - {"/sw.js"})
    wait_until(page, f"({KEPT})().then((kept) => String(kept.sort()) === String({files}))")


def givens(page: Page) -> list[str]:
    page.locator("#pieces text.given").first.wait_for()
    page.locator("body:not(.busy)").wait_for()  # no request is open when a server stops
    return page.locator("#pieces text.given").all_text_contents()


def test_the_page_opens_when_the_server_has_been_stopped(browser: Browser) -> None:
    with monitored_page(browser, unless="net::ERR_CONNECTION_REFUSED", offline=True) as page:
        with serving(Server()) as stopped:
            page.goto(stopped.url)
            before = givens(page)
            wait_until_kept(page, stopped)
        page.reload()
        page.locator("#dead").wait_for()
        assert givens(page) == before


def upgraded(server: Server) -> Server:
    """A server that is not running yet, with another version of the style sheet and page.html."""
    for path, more in (("/page.css", b"\nh1 { color: rgb(1, 2, 3); }"), ("/", b"<!-- new -->")):
        file = server.files[path]
        server.files[path] = file._replace(content=file.content + more)
    old = server.version.encode()
    for path, file in server.files.items():
        content = file.content.replace(old, b"new")
        server.files[path] = file._replace(content=content, etag='"new"')
    return server


STYLE = "getComputedStyle(document.querySelector('h1')).color"
KEPT_VERSIONS = """async () => {
    const cache = await caches.open("sudoku-page-2");
    const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    return [...new Set(kept.map((reply) => reply.headers.get("ETag")))];
}"""


def test_another_version_on_the_same_port_is_shown_at_once(browser: Browser) -> None:
    with monitored_page(browser, unless="net::ERR", offline=True) as page:
        with serving(Server()) as old:
            page.goto(old.url)
            givens(page)
            wait_until_kept(page, old)
            port = old.server_port
        with serving(upgraded(Server(port=port))):
            page.reload()
            givens(page)
            assert page.evaluate(STYLE) == "rgb(1, 2, 3)"
            wait_until(page, f"({KEPT_VERSIONS})().then((kept) => String(kept) === '\"new\"')")
        page.reload()
        page.locator("#dead").wait_for()
        assert page.evaluate(STYLE) == "rgb(1, 2, 3)"


def test_files_of_two_versions_are_not_mixed(browser: Browser) -> None:
    with monitored_page(browser, unless="", offline=True) as page:  # each file refused is said
        with serving(Server()) as old:
            page.goto(old.url)
            givens(page)
            wait_until_kept(page, old)
            port = old.server_port
        new = upgraded(Server(port=port))
        asked = iter([False])  # page.html comes; then the server is busy
        new.is_busy = lambda: next(asked, True)  # type: ignore[method-assign]
        with serving(new):
            page.reload()
            page.wait_for_load_state("load")
            assert page.evaluate("getComputedStyle(document.body).margin") == "8px"  # no style


def test_nothing_is_kept_under_a_token(browser: Browser) -> None:
    with serving(Server(token="secret")) as server, monitored_page(browser, offline=True) as page:
        page.goto(server.url)
        givens(page)
        workers = "navigator.serviceWorker.getRegistrations()"
        assert page.evaluate(f"async () => (await {workers}).length") == 0
