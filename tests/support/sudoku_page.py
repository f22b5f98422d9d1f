"""How tests use the page of `sudoku serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from example_puzzles import WIKIPEDIA

from sudoku.web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
}"""


def begin(page: Page, server: Server, text: str = WIKIPEDIA) -> None:
    """Waits for the first puzzle, and puts another in its place."""
    page.goto(server.url)
    page.locator("#pieces text.given").first.wait_for()
    enter(page, text)
    page.locator("#dialog").wait_for(state="hidden")


def enter(page: Page, text: str) -> None:
    page.locator("#enter").click()
    page.locator("#text").fill(text)
    page.locator("#read").click()


def digits(page: Page, kind: str) -> list[str]:
    return page.locator(f"#pieces text.{kind}").all_text_contents()


def said(page: Page, words: str) -> None:
    page.locator("#say", has_text=words).wait_for()


def center(page: Page, row: int, column: int) -> tuple[float, float]:
    """The point on the screen in the middle of a cell of the board."""
    found: list[float] = page.evaluate(
        """async ([row, column]) => {
            const { game } = await import("./game.js");
            const cell = game.board.cells.find((one) => one[0] === row && one[1] === column);
            const svg = document.getElementById("pieces"), box = svg.getBoundingClientRect();
            const view = svg.viewBox.baseVal, half = game.board.cell / 2;
            return [
                box.left + (cell[2] + half - view.x) * box.width / view.width,
                box.top + (cell[3] + half - view.y) * box.height / view.height,
            ];
        }""",
        [row, column],
    )
    return found[0], found[1]


def click_cell(page: Page, row: int, column: int, *keys: str) -> None:
    """Clicks on a cell, with some keys held down."""
    for key in keys:
        page.keyboard.down(key)
    page.mouse.click(*center(page, row, column))
    for key in keys:
        page.keyboard.up(key)


def drag(page: Page, *cells: tuple[int, int]) -> None:
    """Drags the mouse over some cells."""
    page.mouse.move(*center(page, *cells[0]))
    page.mouse.down()
    for cell in cells[1:]:
        page.mouse.move(*center(page, *cell))
    page.mouse.up()


def press(page: Page, *keys: str) -> None:
    """Presses keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def selected(page: Page) -> list[str]:
    """The selected cells, such as "r1c3", in the order of the board."""
    cells = page.locator("[role=gridcell][aria-selected=true]").all_text_contents()
    words = [text.replace(",", "").split() for text in cells]
    return [f"r{said[1]}c{said[3]}" for said in words]


def describe(page: Page, row: int, column: int) -> str:
    """What a screen reader says about a cell, after its row and column."""
    cell = page.locator("[role=gridcell]", has_text=f"row {row}, column {column},")
    return (cell.text_content() or "").split(", ", 2)[2]


def setting(page: Page, name: str, value: bool | str) -> None:
    """Changes a setting in the dialog."""
    page.locator("#options").click()
    field = page.locator(f"[data-setting={name}]")
    if isinstance(value, bool):
        field.set_checked(value)
    else:
        field.select_option(value)
    page.locator("#settings .row button").click()


def show_hint(page: Page, stage: int = 3) -> None:
    """Requests a hint and shows one of its stages, or the last one before it."""
    page.locator("#hint").click()
    page.locator("#steps").wait_for()
    for _ in range(stage - 1):
        page.locator("#hint").click()
