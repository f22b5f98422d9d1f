"""Verifies the hints of whole lists of puzzles, step by step, with `hint_verifier`.

    python tests/support/verify_hints.py FILE... --random 1000 --each 2

For each puzzle: every step of `sudoku.hints`, to the solution. With --each N also, wherever it
takes more than singles, the first N steps that each of the other techniques sees there: so
techniques are verified that hints hardly ever come to. With --marks, hints start from random notes
of a player: in half of the cells or in all, each wrong candidate left out with a chance of 15 %.
What is refused is printed with the puzzle, and makes the exit status 1. At the end, and whenever
--every seconds have passed, there is a table of how many steps of which technique were verified.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from hint_positions import random_puzzle
from hint_verifier import Board, Cell

import sudoku
from sudoku import Grid, Layout, Step
from sudoku.board.candidates import candidates_of
from sudoku.hinting.position import Position
from sudoku.hinting.registry import TECHNIQUES, Technique

SLOW = ("ALS", "death", "template")  # seconds a position
TOLD = tuple(technique.name for technique in TECHNIQUES)


class Tally:
    """What was verified so far, and what was refused."""

    def __init__(self) -> None:
        self.puzzles = 0
        self.steps: Counter[str] = Counter()
        self.refused: list[str] = []
        self.slowest = (0.0, "")
        """The seconds of processor time, and the technique, of the slowest step."""

    def timed(self, steps: Iterator[Step]) -> Iterator[Step]:
        """The same steps; takes their times."""
        started = time.process_time()
        for step in steps:
            self.slowest = max(self.slowest, (time.process_time() - started, step.technique))
            yield step
            started = time.process_time()

    def verify(self, board: Board, step: Step, puzzle: Grid) -> bool:
        """Whether the step is right; counts it, or keeps what is wrong with it."""
        try:
            board.verify(step)
        except AssertionError as error:
            filled = Grid.from_cells(tuple(board.values.values()), board.layout).line
            where = f"in {puzzle.line} ({puzzle.layout}), filled in {filled}"
            self.refused.append(f"{step.technique}: {step}: {error}, {where}")
            return False
        self.steps[step.technique] += 1
        return True

    def table(self) -> str:
        """How many steps of which technique, from the easiest."""
        rows = [(name, self.steps[name]) for name in TOLD if self.steps[name]]
        rows.append((f"all, of {self.puzzles} puzzles", self.steps.total()))
        lines = (f"| {name} | {number:,} |" for name, number in rows)
        return "\n".join(["| technique | steps |", "|---|--:|", *lines])


def random_marks(puzzle: Grid) -> dict[Cell, list[int]]:
    """Notes of a player: never without the digit of the solution, and not in all cells."""
    chance, solution = random.Random(puzzle.line), sudoku.solve(puzzle)
    cells = chance.choice([0.5, 1.0])
    return {
        cell: [digit for digit in digits if digit == solution[cell] or chance.random() > 0.15]
        for cell, digits in candidates_of(puzzle).items()
        if chance.random() < cells
    }


def is_right_offer(board: Board, step: Step, marks: dict[Cell, list[int]]) -> bool:
    """Whether a step "notes" has all candidates of the empty cells without notes, and no others."""
    offered: dict[Cell, set[int]] = {}
    for mark in step.pattern.marks:
        offered.setdefault((mark.row, mark.column), set()).add(mark.digit)
    left = {cell: digits for cell, digits in board.candidates.items() if cell not in marks}
    return offered == left and step.cells == tuple(left)


def verify_puzzle(
    puzzle: Grid,
    tally: Tally,
    others: Iterable[Technique] = (),
    each: int = 0,
    *,
    every: bool,
    marks: dict[Cell, list[int]] | None = None,
) -> bool:
    """Verify the hints for a puzzle; False if a step is refused, which ends the way there."""
    left = marks or {}
    possible = candidates_of(puzzle)
    gone = [(*cell, d) for cell, digits in left.items() for d in possible[cell] if d not in digits]
    board = Board.of(puzzle, set(puzzle.values), gone)
    tally.puzzles += 1
    for step in tally.timed(sudoku.hints(puzzle, every=every, candidates=marks)):
        if step.technique == "notes":
            if not is_right_offer(board, step, left):
                tally.refused.append(f"notes: {step}, in {puzzle.line} with {marks}")
            continue
        if each and not step.placements:
            position = position_of(board)
            for technique in others:
                for find in islice(technique.find(position), each):
                    tally.verify(board, find.step(position), puzzle)
        if not tally.verify(board, step, puzzle):
            return False
        board.apply(step)
    if not board.is_solved:
        tally.refused.append(f"the hints end before the solution: {puzzle.line}")
    return board.is_solved


def position_of(board: Board) -> Position:
    """The position of a board, as the techniques know it."""
    layout = board.layout
    grid = Grid.from_cells(tuple(board.values[place] for place in layout.positions), layout)
    plain = Board(grid).candidates
    gone = [
        (layout.index[cell], digit)
        for cell, digits in plain.items()
        for digit in digits - board.candidates[cell]
    ]
    given = sum(1 << layout.index[cell] for cell in board.given)
    return Position.of(grid, given=given, removed=gone)


def puzzles(options: argparse.Namespace) -> Iterator[Grid]:
    """Those of the files, then random ones of each layout."""
    for path in options.files:
        for entry in islice(sudoku.read(path, options.layout), options.limit):
            yield entry.grid
    layout = options.layout or Layout(3, 3)
    if options.regions:
        layout = sudoku.layouts.jigsaw(options.regions)
    if options.diagonals:
        layout = sudoku.layouts.diagonal(layout)
    for seed in range(options.seed, options.seed + options.random):
        yield random_puzzle(seed, layout)


def main(arguments: list[str] | None = None) -> int:
    """Verify, and print what was refused and the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N puzzles of each file")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="N random puzzles")
    parser.add_argument("--seed", type=int, default=0, help="the first of the random ones")
    parser.add_argument("--layout", type=sudoku.layouts.named, help="of the puzzles, such as 2x3")
    parser.add_argument("--regions", metavar="TEXT", help="of a jigsaw, instead of --layout")
    parser.add_argument("--diagonals", action="store_true", help="with both diagonals, too")
    parser.add_argument("--each", type=int, default=0, metavar="N", help="N of each technique")
    parser.add_argument("--only", default="", help="--each: techniques that begin so [all fast]")
    parser.add_argument("--marks", action="store_true", help="from random notes of a player")
    parser.add_argument("--rare", action="store_true", help="hints(every=True)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="then it ends")
    parser.add_argument("--every", type=float, default=60.0, help="seconds between two tables")
    options = parser.parse_args(arguments)
    others = [
        technique
        for technique in TECHNIQUES
        if technique.name.startswith(options.only or ("",))
        and (options.only or not technique.name.startswith(SLOW))
    ]
    tally = Tally()
    started = reported = time.monotonic()
    for puzzle in puzzles(options):
        known = len(tally.refused)
        marks = random_marks(puzzle) if options.marks else None
        verify_puzzle(puzzle, tally, others, options.each, every=options.rare, marks=marks)
        for refused in tally.refused[known:]:
            print("REFUSED", refused, flush=True)
        now = time.monotonic()
        if now - reported > options.every:
            reported = now
            print(tally.table(), flush=True)
        if now - started > options.seconds:
            break
    print(tally.table())
    print(f"{len(tally.refused)} refused, {time.monotonic() - started:.0f} s")
    return 1 if tally.refused else 0


if __name__ == "__main__":
    sys.exit(main())
