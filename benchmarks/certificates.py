"""Certificates of counts: the time to count, to write a certificate, and to check it.

    python benchmarks/certificates.py [NAME ...]

The checker is dlx/check/count.py, plain Python. Times are processor time of one run each. The exit
status is 1 if a certificate is refused, or proves another number than the published one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from drawn import one_factorizations
from multiplicity_instances import FAMILIES, factors
from peers import show_time

from dlx import Problem, models
from dlx.check.count import Refused, check, lines_of
from dlx.proofs.count import numbered_lines

__all__ = ["KNOWN", "main"]


class Known(NamedTuple):
    """A problem, its number of solutions, and who has published that."""

    build: Callable[[], Problem[Any]]
    solutions: int
    source: str


KNOWN: dict[str, Known] = {
    "queens 12": Known(lambda: models.queens(12), 14200, "OEIS A000170"),
    "queens 13": Known(lambda: models.queens(13), 73712, "OEIS A000170"),
    "dominoes 8x8": Known(lambda: models.dominoes(8, 8), 12988816, "OEIS A004003"),
    "dominoes 12x12": Known(lambda: models.dominoes(12, 12), 53060477521960000, "OEIS A004003"),
    "dominoes 16x16": Known(
        lambda: models.dominoes(16, 16), 2444888770250892795802079170816, "OEIS A004003"
    ),
    "pentominoes 3x20": Known(lambda: models.pentominoes(3, 20), 4 * 2, "Haselgrove 1960"),
    "pentominoes 4x15": Known(lambda: models.pentominoes(4, 15), 4 * 368, "Haselgrove 1960"),
    "pentominoes 5x12": Known(lambda: models.pentominoes(5, 12), 4 * 1010, "Haselgrove 1960"),
    "pentominoes 6x10": Known(lambda: models.pentominoes(6, 10), 4 * 2339, "Haselgrove 1960"),
    "pentominoes 2x3x10": Known(
        lambda: models.polyominoes(models.PENTOMINOES, models.box(2, 3, 10)), 8 * 12, "Bouwkamp"
    ),
    "Soma cube": Known(models.soma, 48 * 240, "TAOCP 7.2.2.1"),
    "Latin squares of order 6": Known(lambda: models.latin_square(6), 812851200, "OEIS A002860"),
    "Latin squares of order 7": Known(
        lambda: models.latin_square(7), 61479419904000, "OEIS A002860"
    ),
    "Latin squares of order 8": Known(
        lambda: models.latin_square(8), 108776032459082956800, "OEIS A002860"
    ),
    "Langford 11": Known(lambda: models.langford(11), 2 * 17792, "OEIS A014552"),
    "Langford 12": Known(lambda: models.langford(12), 2 * 108144, "OEIS A014552"),
    "one-factorizations of K8": Known(lambda: one_factorizations(8), 6240, "OEIS A000474"),
    "one-factorizations of K10": Known(lambda: one_factorizations(10), 1225566720, "OEIS A000474"),
    "perfect matchings of 32 people": Known(
        lambda: models.matchings(16), prod(range(1, 32, 2)), "OEIS A001147"
    ),
    "6-colorings, Petersen": Known(
        lambda: models.graph_coloring(models.petersen_graph(), 6), 3868080, "chromatic polynomial"
    ),
    "queen domination 7, 4": Known(lambda: models.queen_domination(7, 4), 86, "OEIS A002564"),
    "two-factors of K10": Known(lambda: factors(10, 2), 286884, "OEIS A001205"),
    "0-1 matrices 6x6, sums 3": Known(
        FAMILIES["matrices-6x6-3"].build, FAMILIES["matrices-6x6-3"].solutions, "OEIS A001501"
    ),
}
"""The problems by name."""


def measure(known: Known, folder: str) -> tuple[float, float, int, float]:
    """Seconds to count and to write a certificate, its bytes, and seconds to check it.

    Raises `Refused`, also if it proves another number.
    """
    problem, path = known.build(), f"{folder}/x.count"
    moments = [process_time()]
    problem.count()
    moments.append(process_time())
    problem.count(proof=path, memory_limit="4 GiB")
    moments.append(process_time())
    proved = check(numbered_lines(problem), lines_of(path))
    moments.append(process_time())
    if proved.solutions != known.solutions:
        raise Refused(f"it proves {proved.solutions}")
    counting, writing, checking = (b - a for a, b in pairwise(moments))
    return counting, writing, Path(path).stat().st_size, checking


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a row for each problem."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", choices=[[], *KNOWN], metavar="NAME")
    names = parser.parse_args(arguments).names or [*KNOWN]
    status = 0
    print("| problem | solutions | source | count | with a proof | size | checked |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    for name in names:
        known = KNOWN[name]
        with tempfile.TemporaryDirectory() as folder:
            try:
                counting, writing, size, checking = measure(known, folder)
            except Refused as error:
                print(f"{name}: refused: {error}")
                status = 1
                continue
        times = f"{show_time(counting)} | {show_time(writing)} | {size / 1e6:.3g} MB"
        number = f"{known.solutions:,}".replace(",", " ")
        row = f"{name} | {number} | {known.source} | {times} | {show_time(checking)}"
        print(f"| {row} |", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
