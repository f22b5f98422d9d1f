"""Random small puzzles with rules, for the verification of hints.

Each kind draws its rules from a random solution of a grid, so that they fit it, and adds givens
until there is one solution. `python tests/support/rule_puzzles.py KIND --count 2000` verifies the
hints of that many; see `verify_hints` for what is printed. The kinds "generated-killer",
"generated-thermometer" and so on are drawn by `sudoku.generate(kind=)`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

from verify_hints import SLOW, Tally, verify_puzzle

import sudoku
from sudoku import Grid, Layout, layouts, rules
from sudoku.hinting.registry import TECHNIQUES

Cell = tuple[int, int]
Values = dict[Cell, int]
Kind = Callable[[random.Random, Values, Layout], list[rules.Rule]]


def path(chance: random.Random, cells: Values, length: int) -> list[Cell]:
    """A random path of neighbours, of at most that length."""
    found = [chance.choice(sorted(cells))]
    while len(found) < length:
        row, column = found[-1]
        near = [
            (row + down, column + right)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if (row + down, column + right) in cells and (row + down, column + right) not in found
        ]
        if not near:
            break
        found.append(chance.choice(near))
    return found


def cages(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Cages that cover nearly all cells."""
    free, found = set(values), []
    for start in sorted(values, key=lambda cell: chance.random()):
        if start not in free:
            continue
        cage = [start]
        for _ in range(chance.choice((1, 1, 2, 2, 3))):
            near = [
                (row + down, column + right)
                for row, column in cage
                for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if (row + down, column + right) in free - set(cage)
                and values[row + down, column + right] not in {values[cell] for cell in cage}
            ]
            if near:
                cage.append(chance.choice(near))
        free -= set(cage)
        if len(cage) > 1 or chance.random() < 0.1:
            found.append(rules.Cage(sum(values[cell] for cell in cage), cage))
    return found


def rising(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Thermometers, slow ones, and inequalities."""
    found: list[rules.Rule] = []
    for _ in range(3 * layout.side):
        line = path(chance, values, chance.randint(2, 5))
        digits = [values[cell] for cell in line]
        if len(line) < 2:
            continue
        if all(a < b for a, b in pairwise(digits)):
            found.append(rules.Thermometer(line))
        elif all(a <= b for a, b in pairwise(digits)):
            found.append(rules.SlowThermometer(line))
        elif digits[0] > digits[1] and chance.random() < 0.5:
            found.append(rules.Greater(line[0], line[1]))
    return found


def arrows(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Arrows, double arrows."""
    found: list[rules.Rule] = []
    for _ in range(8 * layout.side):
        line = path(chance, values, chance.randint(2, 4))
        digits = [values[cell] for cell in line]
        if len(line) > 1 and digits[0] == sum(digits[1:]):
            found.append(rules.Arrow([line[0]], line[1:]))
        elif len(line) > 2 and digits[0] + digits[-1] == sum(digits[1:-1]):
            found.append(rules.DoubleArrow(line))
    return found


def neighbours(values: Values) -> Iterator[tuple[Cell, Cell]]:
    """The pairs of cells with a common edge."""
    for row, column in values:
        for other in ((row, column + 1), (row + 1, column)):
            if other in values:
                yield (row, column), other


def dots(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """All Kropki dots, and no more of them; or some of them, and X and V."""
    found: list[rules.Rule] = []
    every = chance.random() < 0.5
    for one, two in neighbours(values):
        a, b = values[one], values[two]
        if not every and chance.random() < 0.5:
            continue
        if abs(a - b) == 1:
            found.append(rules.Dot("white", one, two))
        elif a in (2 * b, b / 2):
            found.append(rules.Dot("black", one, two))
        elif not every and a + b in (5, 10):
            found.append(rules.PairSum(a + b, one, two))
    if every:
        found.append(rules.NoMoreDots([rule.cells for rule in found]))
    return found


def lines(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Lines of several kinds, wherever the solution has them."""
    found: list[rules.Rule] = []
    for _ in range(20 * layout.side):
        line = path(chance, values, chance.randint(3, 5))
        if len(line) < 3:
            continue
        make: list[Callable[[], rules.Rule]] = [
            lambda line=line: rules.Palindrome(line),
            lambda line=line: rules.Renban(line),
            lambda line=line: rules.BetweenLine(line),
            lambda line=line: rules.Whisper(layout.side // 2, line),
            lambda line=line: rules.ParityLine(line),
            lambda line=line: rules.EntropicLine(layout.side // 3, line),
            lambda line=line: rules.ModularLine(line),
        ]
        try:
            rule = chance.choice(make)()
            rule.check(layout)
        except sudoku.LayoutError:
            continue
        if not rule.broken(values):
            found.append(rule)
    return found[: 2 * layout.side]


def diagonals(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Little killers."""
    side, found = layout.side, []
    for start in range(1, side + 1):
        for cells in (
            [(row, start + row - 1) for row in range(1, side + 2 - start)],
            [(row, start + 1 - row) for row in range(1, start + 1)],
        ):
            if 1 < len(cells) <= 6 and chance.random() < 0.7:
                found.append(rules.LittleKiller(sum(values[cell] for cell in cells), cells))
    return found


def outside(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Clues outside the grid, and quadruples."""
    side, found = layout.side, []
    for number in range(1, side + 1):
        for cells in (
            [(number, at) for at in range(1, side + 1)],
            [(at, number) for at in range(1, side + 1)],
        ):
            seen = [values[cell] for cell in cells]
            kind = chance.randrange(4)
            if kind == 0:
                low, high = sorted((seen.index(1), seen.index(side)))
                found.append(rules.Sandwich(sum(seen[low + 1 : high]), cells))
            elif kind == 1:
                found.append(rules.XSum(sum(seen[: seen[0]]), cells))
            elif kind == 2:
                tall = sum(all(a < b for a in seen[:at]) for at, b in enumerate(seen))
                found.append(rules.Skyscraper(tall, cells))
    row, column = chance.randint(1, side - 1), chance.randint(1, side - 1)
    four = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
    found.append(rules.Quadruple(chance.sample([values[cell] for cell in four], 2), four))
    return found


def today(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Rules of today's puzzles: sums along lines, rooms, circles, cages, tables and automata."""
    side, found = layout.side, []
    for number in range(1, side + 1):
        for cells in (
            [(number, at) for at in range(1, side + 1)],
            [(at, number) for at in range(side, 0, -1)],
        ):
            if chance.random() < 0.5:
                room = cells[values[cells[0]] - 1]
                found.append(rules.NumberedRoom(values[room], cells))
    digits = chance.sample(range(1, side + 1), 2)
    circles = [c for d in digits for c in [c for c in values if values[c] == d][:d]]
    found.append(rules.CountingCircles(circles))
    pairs = [(a, b) for a in range(1, side + 1) for b in range(1, side + 1)]
    partners = [[b for a, b in pairs if a == one and chance.random() < 0.7]
                for one in range(1, side + 1)]  # fmt: skip
    for _ in range(20 * side):
        line = path(chance, values, chance.randint(2, 5))
        seen = [values[cell] for cell in line]
        make: list[Callable[[], rules.Rule]] = [
            lambda line=line, seen=seen: rules.SumLine(sum(seen[:2]), line),
            lambda line=line, seen=seen: rules.MultiSumCage([sum(seen), side + 1], line),
            lambda line=line: rules.RellikCage(side, line),
            lambda line=line, seen=seen: rules.LookAndSay([(seen.count(seen[0]), seen[0])], line),
            lambda line=line: rules.PairTable(partners, line, "some pairs"),
            lambda line=line: rules.EqualAreas([line[:1], line[1:]]),
            lambda line=line: rules.AutomatonLine.of(
                line, side, 0, lambda n, d: (n + d) % 3, lambda n: n == 0, "the sum is 3n"
            ),
        ]
        try:
            rule = chance.choice(make)()
            rule.check(layout)
        except sudoku.LayoutError:
            continue
        if not rule.broken(values):
            found.append(rule)
    return chance.sample(found, min(len(found), 3 * side))


def mixed(chance: random.Random, values: Values, layout: Layout) -> list[rules.Rule]:
    """Some rules of every kind."""
    every = [
        rule
        for kind in (cages, rising, arrows, dots, lines, diagonals, outside, today)
        for rule in kind(chance, values, layout)
    ]
    return chance.sample(every, min(len(every), layout.side))


KINDS: dict[str, Kind] = {
    "killer": cages,
    "thermometer": rising,
    "arrow": arrows,
    "kropki": dots,
    "lines": lines,
    "little-killer": diagonals,
    "outside": outside,
    "today": today,
    "mixed": mixed,
}
"""Rules drawn from a solution."""

GLOBAL = (
    *("anti-knight", "anti-king", "non-consecutive", "windoku", "diagonal+anti-knight"),
    *("anti-taxicab", "diagonal-non-consecutive", "global-entropy", "global-modular"),
)

GENERATED = "generated-"
"""The prefix of the kinds that `sudoku.generate` draws, such as "generated-killer"."""


def thinned(chance: random.Random, layout: Layout, cells: list[int], most: int) -> Grid:
    """The puzzle of a solution without as many digits as can go, none of them twice tried.

    `most` limits how many cells are tried one by one; the others go first, if all of them can.
    """
    order = chance.sample(range(layout.size), layout.size)
    for share in (1.0, 0.8, 0.6, 0.4, 0.2):
        first = order[: int(share * len(order))]
        kept = [0 if at in first else digit for at, digit in enumerate(cells)]
        if sudoku.is_unique(Grid.from_cells(tuple(kept), layout)):
            cells = kept
            break
    tried = [at for at in order if cells[at]][:most]
    for at in tried:
        digit, cells[at] = cells[at], 0
        if not sudoku.is_unique(Grid.from_cells(tuple(cells), layout)):
            cells[at] = digit
    return Grid.from_cells(tuple(cells), layout)


def rule_puzzle(seed: int, kind: str, base: Layout, most: int = 40) -> Grid:
    """A random puzzle with rules of that kind."""
    if kind.startswith(GENERATED):
        return sudoku.generate(base, kind=kind.removeprefix(GENERATED), seed=seed)
    chance = random.Random(f"{kind} {seed}")
    if kind in KINDS:
        full = sudoku.solve("." * base.size, layout=base, seed=seed)
        values = dict(zip(base.positions, full.cells, strict=True))
        layout = base.with_rules(*KINDS[kind](chance, values, base))
    else:
        layout = layouts.named(kind) if base is Layout(3, 3) else base
        full = sudoku.solve(Grid.from_cells((0,) * layout.size, layout), seed=seed)
    return thinned(chance, layout, list(full.cells), most)


def main(arguments: list[str] | None = None) -> int:
    """Verify, and print what was refused and the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="+", metavar="KIND", help=", ".join((*KINDS, *GLOBAL)))
    parser.add_argument("--count", type=int, default=20, metavar="N", help="puzzles of each [20]")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--layout", type=layouts.named, default=Layout(2, 3), help="such as 3x3")
    parser.add_argument("--each", type=int, default=0, metavar="N", help="N of each technique")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of each kind")
    options = parser.parse_args(arguments)
    others = [t for t in TECHNIQUES if not t.name.startswith(SLOW)]
    refused = 0
    for kind in options.kinds:
        tally, started = Tally(), time.monotonic()
        for seed in range(options.seed, options.seed + options.count):
            puzzle, known = rule_puzzle(seed, kind, options.layout), len(tally.refused)
            verify_puzzle(puzzle, tally, others, options.each, every=False)
            for each in tally.refused[known:]:
                print("REFUSED", each, puzzle.layout.rules, flush=True)
            if time.monotonic() - started > options.seconds:
                break
        refused += len(tally.refused)
        print(tally.table())
        slowest, technique = tally.slowest
        print(
            f"{kind}: {tally.puzzles} puzzles, {tally.steps.total()} steps, "
            f"{len(tally.refused)} refused, {time.monotonic() - started:.0f} s, "
            f"the slowest step {slowest:.2f} s ({technique})",
            flush=True,
        )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
