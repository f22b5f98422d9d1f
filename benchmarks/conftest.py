"""What the benchmarks share: work beside time, and a table of both.

Time on a shared machine is noise; nodes and updates are not. So each benchmark that searches tells
how much it searched in `extra_info`, and the last table of `pytest benchmarks` has both. Instances
that take longer than about three seconds run with `--heavy` only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Problem, Stats

sys.path.insert(0, str(Path(__file__).parent))  # for `import instances` and the like

Record = Callable[[Stats], None]
Build = Callable[[str], Problem]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --heavy."""
    parser.addoption("--heavy", action="store_true", help="run the instances of many seconds, too")


@pytest.fixture
def record(benchmark: BenchmarkFixture) -> Record:
    """Puts the work of a search into the benchmark's extra information."""

    def keep(stats: Stats) -> None:
        benchmark.extra_info["nodes"] = stats.nodes
        benchmark.extra_info["updates"] = stats.updates
        benchmark.extra_info["solutions"] = stats.solutions

    return keep


@pytest.fixture(scope="session")
def build() -> Build:
    """Instances by name, built once: the largest take seconds."""
    from instances import BY_NAME

    return cache(lambda name: BY_NAME[name].build())


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the medians with the nodes and updates behind them."""
    session = getattr(config, "_benchmarksession", None)
    rows = [
        (
            bench.name,
            _time(bench.stats.median),
            *(f"{bench.extra_info[key]:,}" if key in bench.extra_info else "" for key in _WORK),
            _rate(bench),
            *(f"{bench.extra_info[key]:.4g}" if key in bench.extra_info else "" for key in _OTHERS),
        )
        for bench in (session.benchmarks if session is not None else ())
        if bench.stats and not bench.has_error
    ]
    if not rows:
        return
    header = ("benchmark", "median", *_WORK, "a node", *_OTHERS)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    terminalreporter.section("work and time")
    for row in (header, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        terminalreporter.write_line("  ".join(cells).rstrip())


_WORK = ("nodes", "updates", "solutions")
_OTHERS = ("puzzles", "speedup", "import_ms", "cpu", "ideal", "tasks_a_second")


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _rate(bench: Any) -> str:
    nodes = bench.extra_info.get("nodes")
    return _time(bench.stats.median / nodes) if nodes else ""
