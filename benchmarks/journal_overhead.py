"""What a journal costs: the same search by the same workers with one and without, side by side.

    python benchmarks/journal_overhead.py [--rounds 5] [--workers 1]

The two searches of a pair run one right after the other, in alternating order. The processor's work
for a journal is reported as the median of the ratios of processor times, which other programs on
the machine disturb least; the disk's work as the share of the time that passed in commits.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import dlx
from dlx.checkpoint.writer import Writer
from dlx.models import langford, pentominoes, queens


@contextmanager
def commits_timed() -> Iterator[list[float]]:
    """The seconds of each commit of a journal, in a list."""
    seconds: list[float] = []
    commit = Writer._commit

    def timed(writer: Writer, *, wait: bool) -> None:
        began = time.perf_counter()
        commit(writer, wait=wait)
        seconds.append(time.perf_counter() - began)

    setattr(Writer, "_commit", timed)  # noqa: B010 - an assignment is none of a method's business
    yield seconds
    setattr(Writer, "_commit", commit)  # noqa: B010


class Case(NamedTuple):
    """A search, and how many solutions it finds."""

    problem: dlx.Problem
    engine: str
    expected: int
    counted: bool

    def __call__(self, checkpoint: Path | None, workers: int) -> int:
        """Runs it."""
        search: dict[str, Any] = {
            "engine": self.engine,
            "workers": workers,
            "checkpoint": checkpoint,
        }
        if self.counted:
            return self.problem.count(**search)
        return sum(1 for _ in self.problem.solutions(**search))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args()
    cases = {
        "pentominoes 6x10, links": Case(pentominoes(6, 10), "links", 9356, counted=False),
        "count of queens 16, bits": Case(queens(16), "bits", 14_772_512, counted=True),
        "Langford 12, bits (solutions come by the thousand)": Case(
            langford(12), "bits", 216_288, counted=False
        ),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, case in cases.items():
            ratios, shares, plain, size, commits = [], [], [], 0, 0
            for number in range(chosen.rounds):
                path = Path(folder) / f"{number}.db"
                worked: dict[bool, float] = {}
                for kept in (number % 2 == 0, number % 2 == 1):
                    processor, began = time.process_time(), time.perf_counter()
                    with commits_timed() as seconds:
                        found = case(path if kept else None, chosen.workers)
                    assert found == case.expected, found
                    passed = time.perf_counter() - began
                    worked[kept] = time.process_time() - processor
                    if kept:
                        shares.append(sum(seconds) / passed)
                        commits = len(seconds)
                ratios.append(worked[True] / worked[False])
                plain.append(worked[False])
                size = path.stat().st_size
                path.unlink()
            print(
                f"{name}: {statistics.median(plain):.2f} s of processor time; with a journal "
                f"{statistics.median(ratios) - 1:+.1%} ({min(ratios) - 1:+.1%} to "
                f"{max(ratios) - 1:+.1%}), and {statistics.median(shares):.2%} of the time in "
                f"{commits} commits; {size / 1e6:.2f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
