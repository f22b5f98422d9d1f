"""How well ratings agree with published ones: Spearman's rank correlation, and a table of bands.

    python benchmarks/ratings_correlation.py FILE...

Each line of a file is a puzzle and its rating by another program, a number; lines that start with #
are comments. `benchmarks/ratings/` has two such files. Two orders of the puzzles are compared with
the published one: by the score of `sudoku.rate`, and by its hardest technique, where puzzles with
the same hardest technique are ordered by score. Equal ranks count as their mean.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import correlation, quantiles
from typing import Any

import sudoku
from sudoku.hinting.registry import BANDS, RATING_TECHNIQUES

ORDER = {"": -1, **{technique.name: at for at, technique in enumerate(RATING_TECHNIQUES)}}


def read(path: Path) -> Iterator[tuple[str, float]]:
    """The puzzles of a file with their ratings."""
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            puzzle, rating = line.split()
            yield puzzle, float(rating)


def ranks(values: Sequence[Any]) -> list[float]:
    """The rank of each value; equal values have the mean of their ranks.

    >>> ranks([30, 10, 20, 20])
    [3.0, 0.0, 1.5, 1.5]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for at in order[start:end]:
            result[at] = (start + end - 1) / 2
        start = end
    return result


def spearman(first: Sequence[Any], second: Sequence[Any]) -> float:
    """Spearman's rank correlation of two rows of values: Pearson's of their ranks.

    >>> spearman([1, 2, 3], [10, 20, 15])
    0.5
    """
    return correlation(ranks(first), ranks(second))


def main() -> None:
    """Print the correlations and a table of bands for each file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for path in parser.parse_args().files:
        puzzles = list(read(path))
        ours = [sudoku.rate(puzzle) for puzzle, _ in puzzles]
        theirs = [rating for _, rating in puzzles]
        scores = spearman([rating.score for rating in ours], theirs)
        hardest = spearman([(ORDER[rating.hardest], rating.score) for rating in ours], theirs)
        print(f"{path.name}: {len(ours)} puzzles")
        print(f"  by score {scores:.3f}, by hardest technique and score {hardest:.3f}")
        print("  | band | puzzles | lowest | 10 % | median | 90 % | highest |")
        for band in BANDS:
            those = [x for rating, x in zip(ours, theirs, strict=True) if rating.band == band]
            if len(those) > 1:
                tenths = quantiles(those, n=10, method="inclusive")
                values = (min(those), tenths[0], tenths[4], tenths[8], max(those))
                row = " | ".join(f"{value:.4g}" for value in values)
                print(f"  | {band} | {len(those)} | {row} |")


if __name__ == "__main__":
    main()
