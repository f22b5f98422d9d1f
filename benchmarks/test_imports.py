"""What `import dlx` and `import sudoku` cost, in a process of their own."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

# What the package adds to a bare interpreter, measured inside it.
MEASURE = """
import time
started = time.perf_counter()
import {package}
print(time.perf_counter() - started)
import sys
print(*(name for name in {unwanted} if name in sys.modules))
"""
UNWANTED = ("numpy", "click", "rich")


def run(package: str) -> tuple[float, str]:
    """Seconds for the import, and what should not have come with it."""
    code = MEASURE.format(package=package, unwanted=UNWANTED)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, unwanted = done.stdout.split("\n")[:2]
    return float(seconds), unwanted


@pytest.mark.benchmark(group="import")
@pytest.mark.parametrize("package", ["dlx", "sudoku", "dlx.models"])
def test_import(package: str, benchmark: BenchmarkFixture) -> None:
    """The whole process is timed; `extra_info` has the import alone, the best of all rounds."""
    seconds: list[float] = []

    def start() -> None:
        taken, unwanted = run(package)
        assert not unwanted
        seconds.append(taken)

    benchmark.pedantic(start, rounds=10, warmup_rounds=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["import_ms"] = round(1e3 * sorted(seconds)[len(seconds) // 2], 2)
