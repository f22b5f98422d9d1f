"""What each technique finds in HoDoKu's regression cases: a table of hits and misses.

    python benchmarks/hodoku_techniques.py FILE [--misses] [--code CODE]

Every line of the file is a position and the one outcome that is right for it:
`:code:digits:position:deleted:eliminations:placements:extra`. A case is a hit if a step of that
technique, in that position, removes and places exactly what the line says; in a case whose code
ends in -x the technique must find nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sudoku import Grid, formats
from sudoku.hinting.deduction import Deduction
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.registry import TECHNIQUES, Technique

Candidates = frozenset[tuple[int, int]]


class Case(NamedTuple):
    """One line of the file."""

    line: int
    code: str
    position: Position
    removed: Candidates
    """(cell, digit)."""
    placed: Candidates
    nothing: bool
    """Whether the technique must find nothing."""


def candidates(field: str) -> Candidates:
    """The candidates in a field: `436` is 4 in r3c6."""
    return frozenset(
        ((int(word[1]) - 1) * 9 + int(word[2]) - 1, int(word[0])) for word in field.split()
    )


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for record in formats.load(path, format="hodoku"):
        filled = Grid.from_line(record.placed or record.grid.line, record.grid.layout)
        given = sum(1 << cell for cell, digit in enumerate(record.grid.cells) if digit)
        deleted = (
            (cell, digit)
            for cell, left in enumerate(record.marks or ())
            for digit in range(1, 10)
            if not left >> digit & 1
        )
        code, removed, placed = (
            record.about.get(f"step {name}", "") for name in ("code", "removed", "placed")
        )
        yield Case(
            record.line,
            code.removesuffix("-x"),
            Position.of(filled, given=given, removed=deleted),
            candidates(removed),
            candidates(placed),
            code.endswith("-x"),
        )


def outcome(deduction: Deduction) -> tuple[Candidates, Candidates]:
    """What a deduction removes and places."""
    removed = ((cell, digit) for digit, cells in deduction.removed for cell in bits(cells))
    return frozenset(removed), frozenset(deduction.placed)


def is_hit(case: Case, techniques: list[Technique]) -> bool:
    """Whether one of the techniques sees just what the case says."""
    found = (outcome(deduction) for t in techniques for deduction in t.find(case.position))
    if case.nothing:
        return not any(found)
    return any(removed == case.removed and placed == case.placed for removed, placed in found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--misses", action="store_true", help="print the lines missed")
    parser.add_argument("--code", default="", help="only codes that begin like this")
    options = parser.parse_args()
    by_code: dict[str, list[Technique]] = {}
    for technique in TECHNIQUES:
        for code in technique.code.split():
            by_code.setdefault(code, []).append(technique)
    rows: dict[str, list[int]] = {}
    missed: list[str] = []
    started = time.perf_counter()
    for case in cases(options.file):
        if not case.code.startswith(options.code):
            continue
        code = case.code.partition("-")[0]
        row = rows.setdefault(code, [0, 0])
        hit = is_hit(case, by_code.get(code, []))
        row[0] += 1
        row[1] += hit
        if not hit:
            missed.append(f"line {case.line}: {case.code}")
    print("| code | technique | cases | hits | misses |\n|---|---|--:|--:|--:|")
    for code, (number, hits) in sorted(rows.items()):
        name = ", ".join(technique.name for technique in by_code.get(code, [])) or "-"
        print(f"| {code} | {name} | {number} | {hits} | {number - hits} |")
    number, hits = (sum(column) for column in zip(*rows.values(), strict=True))
    print(f"| | all | {number} | {hits} | {number - hits} |")
    print(f"{time.perf_counter() - started:.1f} s")
    if options.misses:
        print("\n".join(missed))


if __name__ == "__main__":
    main()
