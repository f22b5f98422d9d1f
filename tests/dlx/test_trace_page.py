"""The page of `dlx trace --html` in a browser: forward and back, by steps, by links, by keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import monitored_page
from example_problems import TAOCP_EXAMPLE

import dlx

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def file(tmp_path: Path) -> Path:
    problem = dlx.Problem(list("abcdefg"))
    for items in TAOCP_EXAMPLE:
        problem.add_option(list(items))
    path = tmp_path / "page.html"
    path.write_text(problem.trace_page(title="Example"))
    return path


def picture(page: Page) -> str:
    return page.locator("#picture").inner_html()


def where(page: Page) -> str:
    return page.locator("#where").inner_text()


def test_forward_to_the_end_and_all_the_way_back(browser: Browser, file: Path) -> None:
    with monitored_page(browser) as page:
        page.goto(file.as_uri())
        seen = [picture(page)]
        while page.locator("#next").is_enabled():
            page.locator("#next").click()
            seen.append(picture(page))
        assert where(page) == "step 15 of 15, the end"
        assert len(seen) == 16
        assert page.locator("#solutions li").all_inner_texts() == ["3, 4, 0"]
        for expected in seen[-2::-1]:
            page.locator("#back").click()
            assert picture(page) == expected
        assert where(page) == "step 0 of 15"


def test_link_by_link_goes_through_the_same_pictures(browser: Browser, file: Path) -> None:
    with monitored_page(browser) as page:
        page.goto(file.as_uri())
        page.locator("#next").click()
        after_one = picture(page)
        assert page.locator("#picture .gone").count() == 5  # a, and of its options d g and d f
        page.locator("#first").click()
        gone = []
        while picture(page) != after_one:
            page.locator("#link-next").click()
            gone.append(page.locator("#picture .gone").count())
        assert gone == list(range(1, len(gone) + 1))
        assert page.locator("#step").inner_text() == "Level 0: item a (2 options)"
        page.locator("#link-back").click()
        assert page.locator("#step").inner_text().startswith("Next step: Level 0")


def test_the_keyboard_is_enough(browser: Browser, file: Path) -> None:
    with monitored_page(browser) as page:
        page.goto(file.as_uri())
        for key, expected in (
            ("ArrowRight", "step 1 of 15"),
            ("ArrowRight", "step 2 of 15"),
            ("ArrowLeft", "step 1 of 15"),
            ("End", "step 15 of 15, the end"),
            ("Shift+ArrowLeft", "step 14 of 15"),
            ("Home", "step 0 of 15"),
        ):
            page.keyboard.press(key)
            assert where(page) == expected
        page.keyboard.press("Space")
        further = re.compile(r"step ([2-9]|1\d) of 15")  # it does not wait for who looks
        page.locator("#where", has_text=further).wait_for()
        page.keyboard.press("Space")
        assert page.locator("#play").get_attribute("aria-pressed") == "false"
        page.locator("#slider").fill("7")
        assert where(page) == "step 7 of 15"


def test_narrow_and_dark(browser: Browser, file: Path) -> None:
    size = {"width": 360, "height": 640}
    with monitored_page(browser, viewport=size, color_scheme="dark", has_touch=True) as page:
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert max(map(int, paper[4:-1].split(","))) < 64
        page.locator("#next").tap()
        assert where(page) == "step 1 of 15"


def test_hostile_names_are_only_text(browser: Browser, tmp_path: Path) -> None:
    hostile = "</script><img src=x onerror=alert(1)>$data"
    problem = dlx.Problem([hostile, "ok"])
    problem.add_option([hostile], name=hostile)
    problem.add_option(["ok"])
    path = tmp_path / "page.html"
    path.write_text(problem.trace_page(title=hostile))
    with monitored_page(browser) as page:
        page.goto(path.as_uri())
        page.keyboard.press("End")
        assert page.locator("img").count() == 0
        assert page.locator("h1").inner_text() == hostile
        assert page.locator("#solutions li").all_inner_texts() == [f"{hostile}, 1"]
