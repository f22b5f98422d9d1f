"""What a journal costs: the same search by the same workers with one and without, side by side.

    python benchmarks/journal_overhead.py [--rounds 5]

Prints medians of ratios; the two of a pair run one right after the other, in turns of order.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dlx
from dlx.models import langford, pentominoes, queens


def seconds_of(work: Callable[[], object]) -> float:
    """The wall-clock time of a call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def drain(problem: dlx.Problem, engine: str, workers: int, checkpoint: Path | None) -> int:
    """Draws all solutions."""
    solutions = problem.solutions(engine=engine, workers=workers, checkpoint=checkpoint)
    return sum(1 for _ in solutions)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args()
    workers = chosen.workers
    pieces, queens_15, pairs = pentominoes(6, 10), queens(15), langford(12)
    cases: dict[str, Callable[[Path | None], object]] = {
        "pentominoes 6x10, links, 9356 solutions": lambda path: drain(
            pieces, "links", workers, path
        ),
        "count of queens 15, bits": lambda path: queens_15.count(
            engine="bits", workers=workers, checkpoint=path
        ),
        "Langford 12, bits, 216288 solutions": lambda path: drain(pairs, "bits", workers, path),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, case in cases.items():
            ratios, plain, size = [], [], 0
            for number in range(chosen.rounds):
                path = Path(folder) / f"{len(name)}-{number}.db"
                times = {}
                for kept in (number % 2 == 0, number % 2 == 1):
                    times[kept] = seconds_of(lambda kept=kept: case(path if kept else None))
                ratios.append(times[True] / times[False])
                plain.append(times[False])
                size = path.stat().st_size
            print(
                f"{name}: {statistics.median(plain):.2f} s without, "
                f"{statistics.median(ratios) - 1:+.1%} with a journal of {size / 1e6:.2f} MB "
                f"({min(ratios) - 1:+.1%} to {max(ratios) - 1:+.1%})",
                flush=True,
            )


if __name__ == "__main__":
    main()
