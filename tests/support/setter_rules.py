"""Rules of today's setters at random: each as a rule, and as the oracle has it.

`some_rule` draws one that a given full grid satisfies or, now and then, does not.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from rules_oracle import keeps

from sudoku import Layout, LayoutError, rules
from sudoku.rules import Rule

Cell = tuple[int, int]
Values = dict[Cell, int]
Spec = tuple[Any, ...]
Drawn = tuple[Rule, Spec]


def near(cell: Cell, values: Values) -> list[Cell]:
    """The cells that touch a cell."""
    r, c = cell
    around = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    return [other for other in around if other in values]


@st.composite
def paths(
    draw: st.DrawFn, values: Values, least: int, most: int, good: Callable[[list[Cell]], bool]
) -> list[Cell]:
    """A line of cells that touch; it grows while `good` holds, if it can."""
    line = [draw(st.sampled_from(sorted(values)))]
    length = draw(st.integers(least, most))
    while len(line) < length:
        more = [cell for cell in near(line[-1], values) if cell not in line]
        better = [cell for cell in more if good([*line, cell])]
        if not more:
            break
        line.append(draw(st.sampled_from(better or more)))
    while len(line) < least:  # a dead end: any other cells
        line.append(draw(st.sampled_from([cell for cell in sorted(values) if cell not in line])))
    return line


def always(line: list[Cell]) -> bool:
    return True


@st.composite
def some_rule(draw: st.DrawFn, values: Values, name: str) -> Drawn:
    """A rule of this name, mostly one that the grid satisfies."""
    side = max(values.values())

    def path(least: int, most: int, *spec: Any) -> list[Cell]:
        def good(line: list[Cell]) -> bool:
            return len(line) < least or keeps(values, (name, *spec, line))

        return draw(paths(values, least, most, good))

    def pair() -> tuple[Cell, Cell]:
        a = draw(st.sampled_from(sorted(values)))
        (r, c) = a
        beside = [b for b in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)) if b in values]
        return a, draw(st.sampled_from(beside))

    def house() -> list[Cell]:
        number = draw(st.integers(1, side))
        down = draw(st.booleans())
        cells = [(i, number) if down else (number, i) for i in range(1, side + 1)]
        return cells[::-1] if draw(st.booleans()) else cells

    slip = draw(st.sampled_from([0, 0, 0, 1, -1]))
    if name in _LINES:
        kind, least = _LINES[name]
        line = path(least, {"renban": min(side, 5), "nabner": (side + 1) // 2}.get(name, 5))
        return kind(line), (name, line)
    if name == "whisper":
        least = draw(st.integers(1, max(1, side // 2)))
        line = path(2, 5, least)
        return rules.Whisper(least, line), (name, least, line)
    if name == "entropic line":
        line = path(2, 6, side // 3)
        return rules.EntropicLine(side // 3, line), (name, side // 3, line)
    if name == "lockout line":
        least = draw(st.integers(1, side - 1))
        line = draw(paths(values, 2, 5, always))
        return rules.LockoutLine(least, line), (name, least, line)
    if name == "clone":
        some = draw(st.lists(st.sampled_from(sorted(values)), min_size=1, max_size=3, unique=True))
        same = [
            draw(st.sampled_from([c for c in sorted(values) if values[c] == values[a]]))
            for a in some
        ]
        same = [a if same.count(b) > 1 else b for a, b in zip(some, same, strict=True)]
        if len(set(same)) < len(same):
            same = some
        return rules.Clone(some, same), (name, some, same)
    if name in ("equal sums", "equal areas"):
        line = draw(paths(values, 2, 6, always))
        cuts = sorted(draw(st.sets(st.integers(1, len(line) - 1), max_size=2)))
        parts = [line[a:b] for a, b in zip([0, *cuts], [*cuts, len(line)], strict=True)]
        kind = rules.EqualSums if name == "equal sums" else rules.EqualAreas
        return kind(parts), (name, parts)
    if name in _EVERYWHERE:
        return _EVERYWHERE[name](), (name,)
    if name == "global entropy":
        return rules.GlobalEntropy(side // 3), (name, side // 3)
    if name == "sum line":
        line = draw(paths(values, 1, 6, always))
        line += line[:1] if len(line) > 1 and draw(st.booleans()) else []
        sums = [sum(values[cell] for cell in line[:at]) for at in range(1, len(line) + 1)]
        good = [amount for amount in sums if keeps(values, (name, amount, line))]
        amount = max(1, draw(st.sampled_from(good or sums)) + slip)
        return rules.SumLine(amount, line), (name, amount, line)
    if name == "counting circles":
        some = draw(st.sets(st.integers(1, side), min_size=1, max_size=4))
        every = draw(st.permutations(sorted(values)))
        circles = [c for d in some for c in [c for c in every if values[c] == d][:d]]
        circles = circles[1:] if slip == 1 and len(circles) > 1 else circles
        return rules.CountingCircles(circles), (name, circles)
    if name == "look and say":
        line = draw(paths(values, 1, 9, always))
        digits = draw(st.lists(st.sampled_from([values[c] for c in line]), min_size=1, max_size=2,
                               unique=True))  # fmt: skip
        says = [(sum(values[c] == d for c in line), d) for d in digits]
        if slip == -1:
            says[0] = (max(1, says[0][0] - 1), digits[0])
        elif slip and len(line) > sum(often for often, _ in says):
            says[0] = (says[0][0] + 1, digits[0])
        return rules.LookAndSay(says, line), (name, says, line)
    if name in ("multi-sum", "rellik"):
        line = draw(paths(values, 1, min(side, 5), lambda c: len({values[x] for x in c}) == len(c)))
        amount = max(1, sum(values[cell] for cell in line) + slip)
        if name == "rellik":
            amount = draw(st.integers(1, 3 * side))
            return rules.RellikCage(amount, line), (name, amount, line)
        amounts = [amount, *draw(st.lists(st.integers(1, 3 * side), max_size=2))]
        return rules.MultiSumCage(amounts, line), (name, amounts, line)
    if name in ("pair table", "grid table"):
        digits = range(1, side + 1)
        pairs = {(a, b) for a in digits for b in digits if draw(st.integers(0, 4))}
        table = [[b for b in digits if (a, b) in pairs] for a in digits]
        if name == "pair table":
            line = draw(paths(values, 2, 5, always))
            pairs |= {(values[a], values[b]) for a, b in pairwise(line)} if not slip else set()
            table = [[b for b in digits if (a, b) in pairs] for a in digits]
            return rules.PairTable(table, line, "some pairs"), (name, pairs, line)
        offsets = [draw(st.sampled_from([(0, 1), (1, 0), (1, 1), (-1, 2), (0, -2)]))]
        found = {
            (values[r, c], values[r + down, c + right])
            for down, right in offsets
            for r, c in values
            if (r + down, c + right) in values
        }
        pairs |= found if slip != 1 else set()
        table = [[b for b in digits if (a, b) in pairs] for a in digits]
        return rules.GridTable(table, offsets, "some pairs"), (name, pairs, offsets)
    if name == "automaton":
        line, states = draw(paths(values, 1, 6, always)), draw(st.integers(1, 3))
        rows = [[draw(st.integers(0, states)) for _ in range(side)] for _ in range(states)]
        ends = [n for n in range(1, states + 1) if keeps(values, (name, rows, [n], line))] or [1]
        return rules.AutomatonLine(rows, ends, line, "a word"), (name, rows, ends, line)
    if name == "quadruple":
        r, c = draw(st.integers(1, side - 1)), draw(st.integers(1, side - 1))
        four = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
        some = draw(st.lists(st.sampled_from(four), min_size=1, unique=True))
        digits = [values[cell] for cell in some]
        if slip:
            digits[0] = min(side, digits[0] + 1)
        return rules.Quadruple(digits, four), (name, digits, four)
    if name in _OUTSIDE:
        kind, amount_of = _OUTSIDE[name]
        line = house()
        amount = max(kind.least, amount_of(values, line) + slip)
        amount = min(amount, kind(1, line).most)
        return kind(amount, line), (name, amount, line)
    if name in ("difference", "ratio", "sum"):
        a, b = pair()
        low, high = sorted((values[a], values[b]))
        if name == "difference":
            return rules.Difference(high - low or 1, a, b), (name, high - low or 1, a, b)
        if name == "sum":
            return rules.PairSum(low + high, a, b), (name, low + high, a, b)
        return rules.Ratio(high // low, a, b), (name, high // low, a, b)
    if name == "no more pairs":
        relation = draw(st.sampled_from(["difference", "ratio", "sum"]))
        least, most = {"difference": (1, side - 1), "ratio": (2, side), "sum": (2, 2 * side)}[
            relation
        ]
        amounts = sorted(draw(st.sets(st.integers(least, most), min_size=1, max_size=2)))
        every = [(a, (a[0], a[1] + 1)) for a in values if (a[0], a[1] + 1) in values]
        every += [(a, (a[0] + 1, a[1])) for a in values if (a[0] + 1, a[1]) in values]
        pairs = [
            (a, b)
            for a, b in every
            if any(keeps(values, (relation, amount, a, b)) for amount in amounts)
        ]
        return rules.NoMorePairs(relation, amounts, pairs), (name, relation, amounts, pairs)
    if name == "distant":
        offsets = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 2)), min_size=1,
                                max_size=2))  # fmt: skip
        least = draw(st.integers(1, 2))
        return rules.Distant(least, offsets), (name, least, offsets)
    if name == "extreme":
        sign = draw(st.sampled_from([1, -1]))
        found = [cell for cell in values if keeps(values, (name, [cell], sign))]
        cells = draw(st.lists(st.sampled_from(sorted(found or values)), min_size=1, max_size=3,
                              unique=True))  # fmt: skip
        if slip == 1:
            cells = [*cells, *[c for c in near(cells[0], values) if c not in cells][:1]]
        kind = rules.Minimum if sign == 1 else rules.Maximum
        return kind(cells), (name, cells, sign)
    assert name == "indexer"
    line = house()
    found = [cell for cell in line if keeps(values, (name, cell, line))]
    cell = draw(st.sampled_from(found or line))
    return rules.Indexer(cell, line), (name, cell, line)


_LINES: dict[str, tuple[Callable[[list[Cell]], Rule], int]] = {
    "renban": (rules.Renban, 2),
    "nabner": (rules.Nabner, 2),
    "palindrome": (rules.Palindrome, 2),
    "parity line": (rules.ParityLine, 2),
    "modular line": (rules.ModularLine, 2),
    "between line": (rules.BetweenLine, 3),
    "zipper": (rules.Zipper, 2),
    "slow thermometer": (rules.SlowThermometer, 2),
    "double arrow": (rules.DoubleArrow, 3),
}


def _sandwich(values: Values, line: list[Cell]) -> int:
    digits = [values[cell] for cell in line]
    a, b = sorted((digits.index(1), digits.index(len(line))))
    return sum(digits[a + 1 : b])


_EVERYWHERE: dict[str, Callable[[], Rule]] = {
    "anti-taxicab": rules.AntiTaxicab,
    "diagonal non-consecutive": rules.DiagonalNonConsecutive,
    "global modular": rules.GlobalModular,
}
"""Rules for all cells."""

_OUTSIDE: dict[str, tuple[Any, Callable[[Values, list[Cell]], int]]] = {
    "sandwich": (rules.Sandwich, _sandwich),
    "x-sum": (rules.XSum, lambda values, line: sum(values[c] for c in line[: values[line[0]]])),
    "full rank": (
        rules.FullRank,
        lambda values, line: next(
            (n for n in range(1, 4 * len(line) + 1) if keeps(values, ("full rank", n, line))), 1
        ),
    ),
    "numbered room": (
        rules.NumberedRoom,
        lambda values, line: values[line[values[line[0]] - 1]],
    ),
    "skyscraper": (
        rules.Skyscraper,
        lambda values, line: sum(
            all(values[b] < values[a] for b in line[:at]) for at, a in enumerate(line)
        ),
    ),
}


def ruled(base: Layout, drawn: list[Drawn]) -> Layout:
    """The layout with the rules; not this example if a rule does not fit it, as a long renban."""
    try:
        return base.with_rules(*(rule for rule, _ in drawn))
    except LayoutError:
        reject()


THIRDS = {"entropic line", "global entropy"}
"""Rules for sides that are a multiple of 3."""

NAMES = [
    *_LINES,
    *_OUTSIDE,
    *_EVERYWHERE,
    "global entropy",
    "sum line",
    "counting circles",
    "look and say",
    "multi-sum",
    "rellik",
    "pair table",
    "grid table",
    "automaton",
    "equal areas",
    "whisper",
    "entropic line",
    "lockout line",
    "clone",
    "equal sums",
    "quadruple",
    "difference",
    "ratio",
    "sum",
    "no more pairs",
    "distant",
    "extreme",
    "indexer",
]
