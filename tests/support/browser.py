"""A headless Chromium for tests of pages; they are skipped where it or Playwright is missing.

`make test-browser` runs them; it needs Debian's package chromium, or CHROMIUM=/path/to/it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)

# A closed network must not slow the start down, nor root be refused.
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """The browser; skips the test if there is none."""
    api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with api.sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def monitored_page(
    browser: Browser, *, unless: str | None = None, offline: bool = False, **settings: Any
) -> Iterator[Page]:
    """A page of its own, in which no script may fail and nothing may be said on the console.

    But for what contains `unless`, if that is given: then the console must say so. There is no
    service worker without `offline`: requests that pass through one have no routes.
    """
    context = browser.new_context(**settings)
    if not offline:
        context.add_init_script("delete Navigator.prototype.serviceWorker")
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    yield page
    expected = [text for text in complaints if unless is not None and unless in text]
    assert complaints == expected
    assert (unless is None) == (not expected)
    context.close()
