"""A plugin of pytest that keeps coverage measuring through tests of Ctrl-C and of tracing.

    PYTHONPATH=tests/support coverage run -m pytest -p coverage_tracing

Python stops tracing when a KeyboardInterrupt is raised in coverage's trace function, and some tests
set a trace function of their own. So coverage's function is set again before each test. The lock
that coverage holds while it notes a new file would stay locked after such an interrupt; without
the lock, the GIL protects these notes.
"""

from __future__ import annotations

import sys

import coverage
import pytest

TRACE = sys.gettrace()
CURRENT = coverage.Coverage.current()

if CURRENT is not None and CURRENT._collector is not None:
    CURRENT._collector.data_lock = None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Sets coverage's trace function again if it is gone."""
    if sys.gettrace() is not TRACE:
        sys.settrace(TRACE)
