"""Published puzzles with the rules of today's setters: one solution each, the published one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sudoku
from sudoku import Grid, Layout, layouts, rules
from sudoku.rules import Rule
from sudoku.rules.clues.outside import OutsideClue
from sudoku.rules.layouts.clues import line_seen_from
from sudoku.rules.lines.sums import parts_by_box

NINE = Layout(3, 3)
HARD = ("Lockout", "The Zip", "Raw Spaghetti", "10 Lines")
"""The search in order takes for ever to prove that there is one solution; `judge` does not."""
FILE = Path(__file__).parent.parent / "support" / "setter_puzzles.txt"
LINES = [line for line in FILE.read_text("utf-8").splitlines() if line[:1] != "#"]
PUZZLES = {LINES[at]: (LINES[at + 2], LINES[at + 3]) for at in range(0, len(LINES), 4)}


OUTSIDE = {
    "FullRank": rules.FullRank,
    "NumberedRoom": rules.NumberedRoom,
    "Sandwich": rules.Sandwich,
    "Skyscraper": rules.Skyscraper,
    "XSum": rules.XSum,
}
EVERYWHERE = {
    "AntiKnight": layouts.anti_knight().rules[0],
    "AntiTaxicab": rules.AntiTaxicab(),
    "GlobalEntropy": rules.GlobalEntropy(3),
    "GlobalMod": rules.GlobalModular(),
}


def outside(
    kind: type[OutsideClue], line: str, totals: list[str], layout: Layout
) -> Iterator[Rule]:
    """The clues at the start and the end of a line such as R3."""
    name = f"{'row' if line[0] == 'R' else 'column'} {line[1:]}"
    for total, end in zip(totals, ("", " reversed"), strict=False):
        if total:
            yield kind(int(total), line_seen_from(name + end, layout))


def groups(words: list[str], between: str) -> list[list[str]]:
    """The words between others."""
    return [part.split("~") for part in "~".join(words).split(between)]


def arithmetic(state: Any, digit: int) -> Any:
    """The last digit and the difference to the digit before."""
    last, difference = state
    found = digit - last if last else None
    return None if difference is not None and found != difference else (digit, found)


def constraint(name: str, words: list[str], layout: Layout) -> Iterator[Rule]:
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
    elif name in EVERYWHERE:
        yield EVERYWHERE[name]
    elif name in ("Whisper", "Lockout", "Cage", "SumLine", "RellikCage"):
        kinds = {"Whisper": rules.Whisper, "Lockout": rules.LockoutLine, "Cage": rules.Cage}
        kind = {**kinds, "SumLine": rules.SumLine, "RellikCage": rules.RellikCage}[name]
        yield kind(int(words[0]), words[1:-1] + words[1:2] if words[-1] == "LOOP" else words[1:])
    elif name == "LookAndSay":
        yield from layouts.look_and_say([(words[0], words[1:])], base=layout).rules
    elif name == "CountingCircles":
        yield rules.CountingCircles(words)
    elif name == "EqualSum":
        yield rules.EqualAreas(groups(words, "~-~"))
    elif name == "OddEvenThermo":
        rising = [range(digit + 2, 10, 2) for digit in range(1, 10)]
        for line in groups(words, "~~"):
            yield rules.PairTable(rising, line, "digits rise, and are all odd or all even")
    elif name == "Arithmetic":
        for line in groups(words, "~~"):
            yield rules.AutomatonLine.of(
                line, 9, (0, None), arithmetic, lambda state: True, "an arithmetic sequence"
            )
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
        yield from outside(rules.Sandwich, words[1], words[:1], layout)
    elif name in OUTSIDE:
        yield from outside(OUTSIDE[name], words[0], words[1:], layout)
    else:
        assert name == "Indexing"
        yield from layouts.indexers(columns=words[1:]).rules


@pytest.mark.parametrize("name", PUZZLES)
def test_published_puzzle(name: str) -> None:
    text, solution = PUZZLES[name]
    layout = Layout(2, 3) if "Shape~6x6" in text else NINE
    cells, found = ["."] * layout.size, list[Rule]()
    for part in text.split(".")[1:]:
        kind, *words = part.split("~")
        if not kind:
            for word in words:
                place, digit = word.split("_")
                cells[9 * int(place[1]) + int(place[3]) - 10] = digit
        elif kind == "Diagonal":
            layout = layouts.diagonal()
        elif kind != "Shape":
            found += constraint(kind, words, layout)
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
