"""Published puzzles with the rules of today's setters: one solution each, the published one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import sudoku
from sudoku import Grid, Layout, layouts, rules
from sudoku.rules import Rule
from sudoku.rules.layouts.clues import line_seen_from
from sudoku.rules.lines.sums import parts_by_box

NINE = Layout(3, 3)
HARD = ("Lockout", "The Zip", "Raw Spaghetti", "Quadruple X")
"""The search in order takes for ever to prove that there is one solution; `judge` does not."""
FILE = Path(__file__).parent.parent / "support" / "setter_puzzles.txt"
LINES = [line for line in FILE.read_text("utf-8").splitlines() if line[:1] != "#"]
PUZZLES = {LINES[at]: (LINES[at + 2], LINES[at + 3]) for at in range(0, len(LINES), 4)}


def outside(kind: type[rules.Sandwich | rules.XSum | rules.Skyscraper], line: str,
            totals: list[str]) -> Iterator[Rule]:  # fmt: skip
    """The clues at the start and the end of a line such as R3."""
    name = f"{'row' if line[0] == 'R' else 'column'} {line[1:]}"
    for total, end in zip(totals, ("", " reversed"), strict=False):
        if total:
            yield kind(int(total), line_seen_from(name + end, NINE))


def constraint(name: str, words: list[str]) -> Iterator[Rule]:
    """The rules of a constraint in the notation of the file."""
    lines = {
        "Between": rules.BetweenLine,
        "DoubleArrow": rules.DoubleArrow,
        "Palindrome": rules.Palindrome,
        "Renban": rules.Renban,
        "Zipper": rules.Zipper,
    }
    if name in lines:
        yield lines[name](words)
    elif name in ("Whisper", "Lockout", "Cage"):
        kind = {"Whisper": rules.Whisper, "Lockout": rules.LockoutLine, "Cage": rules.Cage}[name]
        yield kind(int(words[0]), words[1:])
    elif name == "Modular":
        yield rules.ModularLine(words[1:])
    elif name == "RegionSumLine":
        yield rules.EqualSums(parts_by_box(words, NINE))
    elif name in ("WhiteDot", "BlackDot"):
        yield rules.Dot(name[:5].lower(), *words)
    elif name in ("X", "V"):
        yield rules.PairSum({"X": 10, "V": 5}[name], *words)
    elif name == "StrictXV":
        yield rules.NoMorePairs("sum", [5, 10])
    elif name == "Quad":
        row, column = int(words[0][1]), int(words[0][3])
        cells = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
        yield rules.Quadruple(map(int, words[1:]), cells)
    elif name == "Sandwich":
        yield from outside(rules.Sandwich, words[1], words[:1])
    elif name in ("XSum", "Skyscraper"):
        kinds = {"XSum": rules.XSum, "Skyscraper": rules.Skyscraper}
        yield from outside(kinds[name], words[0], words[1:])
    else:
        assert name == "Indexing"
        yield from layouts.indexers(columns=words[1:]).rules


@pytest.mark.parametrize("name", PUZZLES)
def test_published_puzzle(name: str) -> None:
    text, solution = PUZZLES[name]
    layout, cells, found = NINE, ["."] * 81, list[Rule]()
    for part in text.split(".")[1:]:
        kind, *words = part.split("~")
        if not kind:
            for word in words:
                place, digit = word.split("_")
                cells[9 * int(place[1]) + int(place[3]) - 10] = digit
        elif kind == "Diagonal":
            layout = layouts.diagonal()
        else:
            found += constraint(kind, words)
    layout = layout.with_rules(*found)
    assert Grid(solution, layout=layout).is_solved
    puzzle = "".join(cells)
    if name.startswith(HARD):
        pytest.importorskip("pysat")
        verdict = sudoku.judge(puzzle, layout=layout)
        assert [verdict.kind, *(grid.line for grid in verdict.solutions)] == ["unique", solution]
        return
    lines = [grid.line for grid in sudoku.solutions(puzzle, layout=layout, limit=2)]
    assert lines == [solution]
