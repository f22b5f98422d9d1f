"""What every test shares: the engines, how hard hypothesis works, and Ctrl-C.

`HYPOTHESIS_PROFILE` chooses between "default", "ci" (fewer examples, always the same ones),
"sanitizer" (few of those, for slow builds), "few" (fewer still, for repeated runs), "quick" (for
`make test-quick`) and "thorough" (for a night).

A test that takes longer than the `faulthandler_timeout` in pyproject.toml ends its process, and
where each thread was is printed. With `-n` that is a worker: the test fails, another worker runs
the rest. `-o faulthandler_timeout=SECONDS` changes the limit; 0 is none.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest
from alarms import Alarm, alarms
from browser import open_browser
from commands import Printed, Run
from example_problems import board_with_hole
from hypothesis import HealthCheck, settings
from orphans import watch
from sqlite_statements import BeforeStatements, before_statements

import dlx
from dlx.cli.main import main
from dlx.engines.registry import IN_ORDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ALL_ENGINES = [name for name in IN_ORDER if name != "auto"]

NO_CLOCK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
if not os.access(".", os.W_OK):
    NO_CLOCK = settings(NO_CLOCK, database=None)  # of failing examples, stored in this folder
settings.register_profile("default", NO_CLOCK, max_examples=100)
settings.register_profile(
    "ci", NO_CLOCK, max_examples=20, derandomize=True, print_blob=True, database=None
)
settings.register_profile("sanitizer", settings.get_profile("ci"), max_examples=10)
settings.register_profile("few", settings.get_profile("ci"), max_examples=10)
settings.register_profile("quick", settings.get_profile("ci"), max_examples=5)
settings.register_profile("thorough", NO_CLOCK, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


LEFT_OUT = ("slow", "lengthy", "browser", "fuzz")
"""Markers of the tests that `--quick` leaves out."""
QUICK = 2
"""Parameter sets of a test that `--quick` keeps: the first and the last."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --quick` is for daily work (`make test-quick`)."""
    parser.addoption(
        "--quick",
        action="store_true",
        help=f"of each test, at most {QUICK} parameter sets; none marked {', '.join(LEFT_OUT)}",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Refuses parameters from a set: their order is another one in each process."""
    for mark in metafunc.definition.iter_markers("parametrize"):
        if isinstance(mark.args[-1], set | frozenset):
            raise pytest.UsageError(
                f"{metafunc.definition.nodeid}: its parameters are a set; "
                "sort them, so that every process collects the same tests in the same order"
            )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the garbage collector from looking at all tests again and again while they grow.

    They are not frozen (`gc.freeze`): hypothesis asks `gc.get_referrers`, which overlooks those.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuses tests with an address in their name, which is another one in each process.

    Slow tests come first, so that no worker is left with one when the others have no more to do.
    With `--quick`, leaves out tests by marker, and most parameter sets of a test.
    """
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(
                f"{item.nodeid}: an address in the name of a test; "
                "give `ids`, so that every process collects the same tests"
            )
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("slow", "lengthy"))))
    if not config.getoption("quick"):
        return
    sets: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not any(item.get_closest_marker(name) for name in LEFT_OUT):
            sets.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = {item for same in sets.values() for item in spread(same, QUICK)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def spread(items: list[pytest.Item], number: int) -> list[pytest.Item]:
    """At most `number` items, the first and the last among them, the others evenly between."""
    if len(items) <= number:
        return items
    return [items[place * (len(items) - 1) // (number - 1)] for place in range(number)]


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known: `pytest -m "not slow"` leaves the largest problems out."""
    # A job in the background may ignore Ctrl-C, and under nohup SIGHUP. All that it starts would
    # ignore them, too; but no process inherits a handler.
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (getattr(signal, "SIGHUP", None), lambda *_: None),
    ):
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    watch()
    config.addinivalue_line("markers", "slow: takes seconds, or far more under a sanitizer")
    config.addinivalue_line("markers", "lengthy: takes seconds; `--quick` leaves it out")
    config.addinivalue_line("markers", "browser: needs Chromium, see tests/support/browser.py")
    config.addinivalue_line("markers", "fuzz: damaged input, DLX_FUZZ inputs each (`make fuzz`)")


@pytest.fixture(scope="session", params=ALL_ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine that keeps the order, one after another: a new one joins by itself."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def hole() -> dlx.Problem:
    """520 solutions, far apart; shared by the tests of a file, which must not change it."""
    return board_with_hole()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for the tests of a file; they are skipped where there is none."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a `dlx` command, which must end with `status`; returns what it has printed."""

    def run(*words: str, status: int = 0) -> Printed:
        assert main([*words]) == status
        return Printed(*capsys.readouterr())

    return run


@pytest.fixture
def statements() -> Iterator[BeforeStatements]:
    """Calling it with a function has that called before every statement of SQLite."""
    with before_statements() as set_before:
        yield set_before


@pytest.fixture
def alarm() -> Iterator[Alarm]:
    """Ctrl-C at a set time."""
    with alarms() as one:
        yield one
