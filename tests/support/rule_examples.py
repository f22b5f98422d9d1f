"""Puzzles of our own with rules, one for each technique that needs rules.

`rule_examples.json` has a line for each: the technique, the puzzle as JSON, and the digits and
candidates before the step. `python tests/support/rule_examples.py` searches for them again among
`rule_puzzles`, takes only steps that the verifier accepts, and prints the table of docs/hints.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
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
    """Search for those that the hints no longer have, write the file, print the table."""
    found = {each.technique: each for each in load_examples() if is_example(each)}
    wanted = [technique.name for technique in TECHNIQUES if technique.rules]
    for seed in range(PUZZLES):
        missing = {name for name in wanted if name not in found}
        print(seed, sorted(missing), file=sys.stderr)
        if not missing:
            break
        for puzzle in puzzles(seed):
            board = Board(puzzle)
            steps: list[Step] = []
            for step in sudoku.hints(puzzle):
                board.verify(step)
                board.apply(step)
                steps.append(step)
            for step in steps:
                if step.technique in missing and len(step.sentence) < 400:
                    missing.discard(step.technique)
                    found[step.technique] = RuleExample(step.technique, puzzle, step.sentence)
    examples = [found[name] for name in wanted]
    FILE.write_text("".join(map(line, examples)), "utf-8")
    print("\n".join(row(each.technique, each.sentence) for each in examples))


def puzzles(seed: int) -> Iterator[Grid]:
    """Puzzles of every kind."""
    for kind in KINDS:
        yield rule_puzzle(seed, kind, Layout(3, 3) if kind == "killer" else Layout(2, 3))
    yield sudoku.generate(kind="killer", seed=seed)


def line(example: RuleExample) -> str:
    """The line of an example in the file."""
    out = StringIO()
    dump([Record(example.puzzle)], out, "json")
    return json.dumps([example.technique, example.sentence, out.getvalue()]) + "\n"


def is_example(example: RuleExample) -> bool:
    """Whether the hints for the puzzle still have the sentence."""
    return any(
        (step.technique, step.sentence) == (example.technique, example.sentence)
        for step in sudoku.hints(example.puzzle)
    )


if __name__ == "__main__":
    main()
