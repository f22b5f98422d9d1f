"""Puzzles of our own with rules, one for each technique that needs rules.

`rule_examples.json` has a line for each: the technique, the puzzle as JSON, and the digits and
candidates before the step. `python tests/support/rule_examples.py` searches for them again among
`rule_puzzles`, takes only steps that the verifier accepts, and prints the table of docs/hints.md.
"""

from __future__ import annotations

import json
import sys
from io import BytesIO, StringIO
from pathlib import Path
from typing import NamedTuple

from hint_verifier import Board
from rule_puzzles import rule_puzzle

import sudoku
from sudoku import Grid, Layout, Step
from sudoku.formats import Record, dump, load
from sudoku.hinting.registry import TECHNIQUES

FILE = Path(__file__).parent / "rule_examples.json"
PUZZLES = 40
KINDS = ("killer", "kropki", "thermometer", "arrow", "lines", "little-killer", "outside", "mixed")


class RuleExample(NamedTuple):
    """One line."""

    technique: str
    puzzle: Grid
    sentence: str


def load_examples() -> list[RuleExample]:
    """The examples of the file."""
    found = []
    for line in FILE.read_text("utf-8").splitlines():
        name, sentence, text = json.loads(line)
        (record,) = load(BytesIO(text.encode()), format="json")
        found.append(RuleExample(name, record.grid, sentence))
    return found


def row(technique: str, sentence: str) -> str:
    """A row of the table in docs/hints.md."""
    about = next(each for each in TECHNIQUES if each.name == technique)
    return f"| {technique} | {about.band} | {about.score} | {sentence} |"


def main() -> None:
    """Search, write the file, print the table."""
    missing = {technique.name for technique in TECHNIQUES if technique.rules}
    lines: dict[str, str] = {}
    told: dict[str, str] = {}
    for seed in range(PUZZLES):
        for kind in KINDS:
            base = Layout(3, 3) if kind == "killer" else Layout(2, 3)
            puzzle = rule_puzzle(seed, kind, base)
            board = Board(puzzle)
            steps: list[Step] = []
            for step in sudoku.hints(puzzle):
                board.verify(step)
                board.apply(step)
                steps.append(step)
            for step in steps:
                if step.technique in missing and len(step.sentence) < 400:
                    missing.discard(step.technique)
                    out = StringIO()
                    dump([Record(puzzle)], out, "json")
                    line = json.dumps([step.technique, step.sentence, out.getvalue()])
                    lines[step.technique], told[step.technique] = line, step.sentence
        print(seed, sorted(missing), file=sys.stderr)
        if not missing:
            break
    names = [technique.name for technique in TECHNIQUES if technique.name in lines]
    FILE.write_text("".join(f"{lines[name]}\n" for name in names), "utf-8")
    print("\n".join(row(name, told[name]) for name in names))


if __name__ == "__main__":
    main()
