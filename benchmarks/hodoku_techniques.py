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

from sudoku import Layout
from sudoku.hinting.deduction import Deduction
from sudoku.hinting.geometry import bits, geometry
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


def position(text: str, deleted: Candidates) -> Position:
    """The position: a `+` before a digit means that it is not given."""
    values: list[int] = []
    given, plus = 0, False
    for character in text:
        if character == "+":
            plus = True
            continue
        value = int(character) if character.isdecimal() else 0
        if value and not plus:
            given |= 1 << len(values)
        values.append(value)
        plus = False
    tables = geometry(Layout(3, 3))
    planes = [0, *[tables.all_cells] * 9]
    for cell, value in enumerate(values):
        if value:
            planes[value] &= ~tables.peers[cell]
            planes = [plane & ~(1 << cell) for plane in planes]
    for cell, digit in deleted:
        planes[digit] &= ~(1 << cell)
    unsolved = sum(1 << cell for cell, value in enumerate(values) if not value)
    return Position(tables, values, planes, given, unsolved)


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.startswith(":"):
            continue
        fields = line.split(":") + [""] * 3
        _, code, _, text, deleted, removed, placed = fields[:7]
        yield Case(
            number,
            code.removesuffix("-x"),
            position(text, candidates(deleted)),
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
