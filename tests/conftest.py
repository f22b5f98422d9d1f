"""What every test shares: the engines, how hard hypothesis works, and Ctrl-C.

`HYPOTHESIS_PROFILE` chooses between "default", "ci" (fewer examples, always the same ones),
"sanitizer" (few of those, for slow builds), "few" (fewer still, for repeated runs) and "thorough"
(for a night).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from alarms import Alarm, alarms
from example_problems import board_with_hole
from hypothesis import settings

import dlx
from dlx.engines.registry import IN_ORDER

ALL_ENGINES = [name for name in IN_ORDER if name != "auto"]

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile(
    "ci", deadline=None, max_examples=50, derandomize=True, print_blob=True, database=None
)
settings.register_profile("sanitizer", settings.get_profile("ci"), max_examples=12)
settings.register_profile("few", settings.get_profile("ci"), max_examples=10)
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known: `pytest -m "not slow"` leaves the largest problems out."""
    # A job in the background may have been started deaf to Ctrl-C, and so would all it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "slow: takes seconds, or far more under a sanitizer")
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


@pytest.fixture
def alarm() -> Iterator[Alarm]:
    """Ctrl-C at a set time."""
    with alarms() as one:
        yield one
