"""How fast hints and ratings are: puzzles rated a second, and the time for a hint.

    python benchmarks/hints.py FILE... [--limit N] [--hints]

For each file of puzzles: the rate on one core (processor time, so that other work on the machine
counts less), the slowest puzzle, and how many are in which band. With --hints, also the time for
each single hint on the way to the solution, and how many of these it took that are extreme.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from itertools import islice

import sudoku
from sudoku.hinting.registry import HINT_TECHNIQUES

EXTREME = [technique.name for technique in HINT_TECHNIQUES if technique.band == "extreme"]


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
            timed = [hint for puzzle in puzzles for hint in hint_times(puzzle)]
            times = sorted(seconds for seconds, _ in timed)
            last = Counter(technique for _, technique in timed if technique in EXTREME)
            print(
                f"  {len(times)} hints, median {statistics.median(times) * 1000:.2f} ms, "
                f"99 % within {times[int(0.99 * len(times))] * 1000:.1f} ms, "
                f"the slowest {times[-1] * 1000:.1f} ms ({max(timed)[1]}); "
                + ", ".join(f"{last[technique]} {technique}" for technique in EXTREME)
            )


def hint_times(puzzle: sudoku.Grid) -> list[tuple[float, str]]:
    """Seconds of processor time for each hint, and its technique."""
    found: list[tuple[float, str]] = []
    started = time.process_time()
    for step in sudoku.hints(puzzle):
        found.append((time.process_time() - started, step.technique))
        started = time.process_time()
    return found


if __name__ == "__main__":
    main()
