"""A plugin of pytest that keeps coverage measuring through tests of Ctrl-C and of tracing.

    PYTHONPATH=tests/support coverage run -m pytest -p coverage_tracing

Python stops tracing when a KeyboardInterrupt is raised in coverage's trace function, and some tests
set a trace function of their own. So coverage's function is set again before each test.

Coverage's support of threads has a lock, which stays locked if a signal interrupts its holder. So
it is off (`concurrency` in pyproject.toml), and this module has the threads of `threading` traced;
the GIL protects what they note. Threads that `_thread` starts are not traced.
"""

from __future__ import annotations

import sys
import threading

import coverage
import pytest

TRACE = sys.gettrace()
CURRENT = coverage.Coverage.current()

if CURRENT is not None and CURRENT._collector is not None:
    threading.settrace(CURRENT._collector._installation_trace)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Sets coverage's trace function again if it is gone."""
    if sys.gettrace() is not TRACE:
        sys.settrace(TRACE)
