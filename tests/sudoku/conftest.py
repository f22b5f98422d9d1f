"""The page of `sudoku serve` for tests in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browser import monitored_page
from sudoku_page import begin
from sudoku_serving import serving

from sudoku.web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A running server, for the tests of a file."""
    with serving(Server()) as running:
        yield running


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """The page with a puzzle (`WIKIPEDIA`) on its board, in which no script may fail."""
    with monitored_page(browser) as opened:
        begin(opened, server)
        yield opened
