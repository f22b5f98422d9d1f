"""How fast puzzles are generated: processor time for each layout and kind.

    python benchmarks/generating.py [NAME...] [--seeds N] [--timeout S]

NAME is as in `sudoku generate --layout`: a layout (hyper, 4x4, diagonal+anti-knight, samurai), a
kind whose rules are drawn at random (killer, jigsaw), or both joined by `+`. For each, the median,
the mean and the largest time of a puzzle over seeds 0 to N - 1, and the mean number of givens. The
time for the exact cover problem of a named layout, once per process, is not included.
"""

from __future__ import annotations

import argparse
import statistics
import time

import dlx
import sudoku
from sudoku.generation.kinds import layout_and_kind
from sudoku.rules.cover import cover

NAMES = [
    *("classic", "hyper", "diagonal", "hyper+diagonal", "anti-knight", "diagonal+anti-knight"),
    *("non-consecutive", "4x4", "samurai", "gattai8", "shogun"),
    *("killer", "jigsaw", "thermometer", "arrow", "kropki"),
]


def main() -> None:
    """Print a line for each name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--seeds", type=int, default=8, metavar="N")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for each puzzle")
    options = parser.parse_args()
    for name in options.names:
        layout, kind = layout_and_kind(name)
        cover(layout)
        seconds, givens, stopped = [], [], 0
        for seed in range(options.seeds):
            started = time.process_time()
            try:
                puzzle = sudoku.generate(layout, kind=kind, seed=seed, timeout=options.timeout)
            except dlx.SearchInterrupted:
                stopped += 1
            else:
                givens.append(puzzle.filled)
            seconds.append(time.process_time() - started)
        print(
            f"{name}: median {statistics.median(seconds) * 1000:.1f} ms, "
            f"mean {statistics.mean(seconds) * 1000:.1f}, largest {max(seconds) * 1000:.1f}; "
            f"{statistics.mean(givens or [0]):.1f} givens"
            + (f"; {stopped} stopped by the timeout" if stopped else ""),
            flush=True,
        )


if __name__ == "__main__":
    main()
