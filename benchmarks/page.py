"""How fast the page of `sudoku serve` is: its first paint, its first puzzle, its answer to a click.

    python benchmarks/page.py [--times 20]

Chromium (see tests/support/browser.py) loads the page `--times` times, each time with an empty
cache; then cells, the hint button and the check button are clicked `--times` times each. All times
are the browser's own, in milliseconds: `first-contentful-paint`, and measures of the Performance
API, from the start of the navigation or from the time stamp of the `pointerdown` event to the frame
that shows the change. `event` is what the Event Timing API reports for the same clicks: it lists
events of 16 ms and more, in steps of 8 ms.
"""

from __future__ import annotations

import argparse
import platform
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from sudoku.web.server import Server

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

# What a promise is kept by: the frame after the change has been drawn.
OBSERVE = """
window.seen = (start) => new Promise((resolve) => {
  const shown = (_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () =>
        resolve(performance.measure("seen", { start: start() }).duration);
      channel.port2.postMessage(0);
    });
  };
  const pieces = document.getElementById("pieces");
  new MutationObserver(shown).observe(pieces, { childList: true });
});
window.paint = new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) {
    if (name === "first-contentful-paint") resolve(startTime);
  }
}).observe({ type: "paint", buffered: true }));
window.slow = [];
const note = (list) => window.slow.push(...list.getEntries().map((entry) => entry.duration));
new PerformanceObserver(note).observe({ type: "event", durationThreshold: 16 });
document.addEventListener("DOMContentLoaded", () => { window.first = seen(() => 0); });
"""
NEXT = """() => {
  let pressed;
  const press = (event) => { pressed = event.timeStamp; };
  addEventListener("pointerdown", press, { once: true, capture: true });
  window.next = seen(() => pressed);
}"""
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
}"""


def load(browser: Any, url: str) -> tuple[float, float]:
    """Milliseconds to the first paint, and to the first puzzle, of a page of its own."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(OBSERVE)
    page.goto(url)
    puzzle = page.evaluate("() => window.first")
    paint = page.evaluate("() => window.paint")
    context.close()
    return float(paint), float(puzzle)


def click(page: Any, x: float, y: float) -> float:
    """Milliseconds from the pointer going down to the frame that shows what has changed."""
    page.evaluate(NEXT)
    page.mouse.click(x, y)
    return float(page.evaluate("() => window.next"))


def clicks(browser: Any, url: str, times: int) -> dict[str, list[float]]:
    """For cells and buttons, how long each click took; and what Event Timing lists."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(OBSERVE)
    page.goto(url)
    page.evaluate("() => window.first")
    page.evaluate(PASTE, PUZZLE)
    page.wait_for_function("() => document.querySelectorAll('#pieces text.given').length === 17")
    found: dict[str, list[float]] = {}
    board = page.locator("#board").bounding_box()
    side = board["width"] / 10
    places = [
        (board["x"] + side * (1 + turn % 9), board["y"] + side * (1 + turn // 9))
        for turn in range(times)
    ]
    found["a cell"] = [click(page, *place) for place in places]
    for name in ("candidates", "hint", "check"):
        box = page.locator(f"#{name}").bounding_box()
        spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if name == "candidates":
            click(page, *spot)
        else:
            found[name] = [click(page, *spot) for _ in range(times)]
    found["event"] = [float(duration) for duration in page.evaluate("() => window.slow")]
    context.close()
    return found


def table(rows: dict[str, Sequence[float]]) -> str:
    """Median and worst of each row, in milliseconds."""
    lines = [f"{'ms':28}{'median':>8}{'worst':>8}"]
    for name, taken in rows.items():
        numbers = f"{median(taken):8.1f}{max(taken):8.1f}" if taken else f"{'none':>8}{'':>8}"
        lines.append(f"{name:28}{numbers}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=20, help="loads, and clicks of each kind")
    times = parser.parse_args(arguments).times
    sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
    open_browser = import_module("browser").open_browser
    with Server() as server, open_browser() as browser:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            loads = [load(browser, server.url) for _ in range(times)]
            found = clicks(browser, server.url, times)
            version = browser.version
        finally:
            server.shutdown()
            thread.join()
    print(f"{platform.machine()}, Python {platform.python_version()}, Chromium {version}")
    print(f"{times} loads, {times} clicks of each kind")
    print(
        table(
            {
                "first contentful paint": [paint for paint, _ in loads],
                "first puzzle, newly made": [puzzle for _, puzzle in loads],
                "a click on a cell": found["a cell"],
                "a click on Hint": found["hint"],
                "a click on Check": found["check"],
                "event timing, 16 ms and more": found["event"],
            }
        )
    )


if __name__ == "__main__":
    main()
