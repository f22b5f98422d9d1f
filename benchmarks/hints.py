"""How fast hints and ratings are: puzzles rated a second, and the time for a hint.

    python benchmarks/hints.py FILE... [--limit N] [--hints]

For each file of puzzles: the rate on one core (processor time, so that other work on the machine
counts less), the slowest puzzle, and how many are in which band. With --hints, also the time for
each single hint on the way to the solution.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from itertools import islice

import sudoku


def main() -> None:
    """Print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--limit", type=int, default=None, metavar="N", help="the first N puzzles")
    parser.add_argument("--hints", action="store_true", help="time every single hint, too")
    options = parser.parse_args()
    for path in options.files:
        puzzles = [entry.grid for entry in islice(sudoku.read(path), options.limit)]
        sudoku.rate(puzzles[0])  # tables that are made once
        bands: Counter[str] = Counter()
        seconds = []
        for puzzle in puzzles:
            started = time.process_time()
            bands[sudoku.rate(puzzle).band] += 1
            seconds.append(time.process_time() - started)
        print(
            f"{path}: {len(puzzles)} puzzles, {len(puzzles) / sum(seconds):.0f} rated a second, "
            f"the slowest {max(seconds) * 1000:.0f} ms; "
            + ", ".join(f"{count} {band}" for band, count in bands.most_common())
        )
        if options.hints:
            times = [seconds for puzzle in puzzles for seconds in hint_times(puzzle)]
            late = sorted(times)[int(0.99 * len(times))]
            print(
                f"  {len(times)} hints, median {statistics.median(times) * 1000:.2f} ms, "
                f"99 % within {late * 1000:.1f} ms, the slowest {max(times) * 1000:.1f} ms"
            )


def hint_times(puzzle: sudoku.Grid) -> list[float]:
    """Seconds of processor time for each hint."""
    found: list[float] = []
    steps = sudoku.hints(puzzle)
    while True:
        started = time.process_time()
        if next(steps, None) is None:
            return found
        found.append(time.process_time() - started)


if __name__ == "__main__":
    main()
