"""Positions of our own, one or two for each technique, and what it should find there.

`hint_positions.txt` has a line `technique;position;crossed out;removed;placed` for each: in the
position a `+` stands before digits that are no givens; candidates are digit-row-column. They come
from random puzzles; `python tests/support/hint_positions.py` searches for them again, and takes
only steps that tests/support/hint_verifier.py has verified.
"""

from __future__ import annotations

import random
import sys
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hint_verifier import Board

from sudoku import Grid, Layout, Step, is_unique, solve
from sudoku.hinting.deduction import changes_of
from sudoku.hinting.geometry import bits
from sudoku.hinting.hints import first_deduction
from sudoku.hinting.position import Position
from sudoku.hinting.registry import TECHNIQUES

FILE = Path(__file__).parent / "hint_positions.txt"
EACH = 2
SOME = 100
PUZZLES = 4000

NINE = Layout(3, 3)
Candidates = tuple[tuple[int, int, int], ...]


class Example(NamedTuple):
    """One line."""

    technique: str
    position: Position
    removed: Candidates
    placed: Candidates


def load() -> list[Example]:
    """The examples of the file."""
    found = []
    for line in FILE.read_text().splitlines():
        technique, text, crossed, removed, placed = line.split(";")
        found.append(
            Example(technique, _position(text, _read(crossed)), _read(removed), _read(placed))
        )
    return found


def _position(text: str, crossed: Candidates) -> Position:
    digits = text.replace("+", "")
    plus = {
        at - 2 * n - 1 + n for n, at in enumerate(i + 1 for i, c in enumerate(text) if c == "+")
    }
    grid = Grid(digits)
    given = sum(1 << c for c, value in enumerate(grid.cells) if value and c not in plus)
    gone = [((row - 1) * 9 + column - 1, digit) for row, column, digit in crossed]
    return Position.of(grid, given=given, removed=gone)


def _read(field: str) -> Candidates:
    return tuple((int(word[1]), int(word[2]), int(word[0])) for word in field.split())


def _write(candidates: Candidates) -> str:
    return " ".join(f"{digit}{row}{column}" for row, column, digit in candidates)


def _line(position: Position, step: Step) -> str:
    text = "".join(
        "." if not value else str(value) if position.given >> cell & 1 else f"+{value}"
        for cell, value in enumerate(position.values)
    )
    plain = Position.of(Grid.from_cells(tuple(position.values), position.tables.layout))
    crossed = tuple(
        (*position.tables.layout.positions[cell], digit)
        for digit in position.tables.digits
        for cell in bits(plain.planes[digit] & ~position.planes[digit])
    )
    fields = (_write(crossed), _write(step.eliminations), _write(step.placements))
    return ";".join((step.technique, text, *fields))


def random_puzzle(seed: int, layout: Layout = NINE) -> Grid:
    """A minimal puzzle."""
    chance = random.Random(seed)
    cells = list(solve("." * layout.size, layout=layout, seed=seed).cells)
    for cell in chance.sample(range(layout.size), layout.size):
        kept, cells[cell] = cells[cell], 0
        if not is_unique(Grid.from_cells(tuple(cells), layout)):
            cells[cell] = kept
    return Grid.from_cells(tuple(cells), layout)


def main() -> None:
    """Search until there are enough of each."""
    found: dict[str, list[str]] = {technique.name: [] for technique in TECHNIQUES}
    for seed in range(PUZZLES):
        missing = [t for t in TECHNIQUES if len(found[t.name]) < EACH]
        if not missing:
            break
        grid = random_puzzle(seed)
        board, position = Board(grid), Position.of(grid)
        new: set[str] = set()  # one of a puzzle
        while not position.is_solved:
            first = first_deduction(position)
            for technique in missing:
                late = technique.band in ("gentle", "easy") or "avoidable" in technique.name
                if technique.name in new or (first.placed and not late):
                    continue  # wait for a position without singles
                finds = [
                    find
                    for find in islice(technique.find(position), SOME)
                    if find.technique == technique.name
                ]
                if finds:
                    # Of chains not the first, which may be no more than locked candidates.
                    find = max(finds, key=lambda find: min(find.cells.bit_count(), 8))
                    step = find.step(position)
                    board.verify(step)
                    new.add(technique.name)
                    found[technique.name].append(_line(position, step))
            step = first.step(position)
            board.apply(step)
            position = position.after(changes_of(position, [first]))
        print(seed, len(missing), file=sys.stderr)
        FILE.write_text("\n".join(line for lines in found.values() for line in lines) + "\n")
    print("few of:", [name for name, lines in found.items() if len(lines) < EACH])


if __name__ == "__main__":
    main()
