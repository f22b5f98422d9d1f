"""Rules that SudokuPad's drawings certainly mean: thermometers, arrows, X and V, dots.

Each kind has a usual drawing, that of the thermometers, arrows and dots which SudokuPad makes of
f-puzzles' constraints:

    thermometer   a thick line, and at one of its ends a large circle of the same color
    arrow         an arrow that begins at a large white circle
    X, V          a text on the border of two cells
    dot           a small white or black circle on the border of two cells

Such drawings may mean something else. They are read as rules only

* where the setter's words have the usual meaning of the kind in each sentence about it, and the
  solution, if the file has one, satisfies all of them; or
* where no words are about the kind, and the solution satisfies all of them, which is unlikely by
  chance.

All others stay drawings.

Source of the usual drawings: SudokuPad/sudokutools, src/fpuzzlesdecoder.js.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import factorial
from typing import Final, NamedTuple

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Rule
from sudoku.errors import LayoutError, counted
from sudoku.formats.editors.sudokupad_drawings import (
    DOTS,
    OTHERWISE,
    border_of,
    dot_color,
    mention_of_dots,
    sentences_about,
)
from sudoku.rules import Arrow, Dot, PairSum, Thermometer
from sudoku.rules.drawings import Shape

__all__ = ["Drawn", "drawn_rules"]

LARGE: Final = (0.6, 1.0)  # the diameter of a bulb and of a circle at an arrow, in cells
THICK: Final = 12  # the least thickness of a thermometer
NEAR: Final = 0.2  # how far a point of a line may be from the center of a cell
UNLIKELY: Final = 0.01  # the largest chance of a coincidence that a solution rules out
XV: Final = {"X": 10, "V": 5}

Finder = Callable[[Sequence[Shape], Layout], list[tuple[Rule, list[Shape]]]]


class Drawn(NamedTuple):
    """What a puzzle's drawings mean."""

    rules: list[tuple[str, list[Rule]]]
    """The rules of each kind that was read, with the name of the layout that has them."""
    shapes: list[Shape]
    """All other shapes."""
    said: list[str]
    """How many rules of each kind there are: "2 thermometers"."""


def drawn_rules(
    shapes: Sequence[Shape],
    words: str,
    layout: Layout,
    solution: Mapping[Cell, int] | None = None,
    *,
    only: str = "",
) -> Drawn:
    """The rules that drawings certainly mean; the solution is None if it is unknown or partial.

    `only` is the end of the names of the kinds that are looked for.
    """
    rules: dict[str, list[Rule]] = {}
    said: list[str] = []
    used: set[int] = set()
    for kind in (kind for kind in _KINDS if kind.name.endswith(only)):
        found = kind.find(shapes, layout)
        read = [rule for rule, _ in found]
        if read and _is_certain(kind, read, words, solution):
            rules.setdefault(kind.layout, []).extend(read)
            said.append(counted(len(read), kind.name))
            used.update(id(shape) for _, own in found for shape in own)
    rest = [shape for shape in shapes if id(shape) not in used]
    return Drawn(list(rules.items()), rest, said)


class _Kind(NamedTuple):
    name: str
    layout: str
    find: Finder
    about: re.Pattern[str]
    """Matches in each sentence about the kind."""
    usual: re.Pattern[str]
    """Matches in sentences that have its usual meaning."""
    otherwise: re.Pattern[str]
    """Matches in sentences that may mean something else."""
    chance: Callable[[Rule], float]
    """How likely random digits satisfy a rule, about."""

    def may_differ(self, sentence: str) -> bool:
        """Whether the sentence may have another meaning than the usual one."""
        return bool(OTHERWISE.search(sentence) or self.otherwise.search(sentence))


def _is_certain(
    kind: _Kind, rules: list[Rule], words: str, solution: Mapping[Cell, int] | None
) -> bool:
    if solution is not None and any(rule.broken(solution) for rule in rules):
        return False
    about = sentences_about(kind.about, words)
    if about:
        usual = all(kind.usual.search(part) and not kind.may_differ(part) for part in about)
        return usual and not _UNUSUAL.search(words)
    chance = 1.0
    for rule in rules:
        chance *= kind.chance(rule)
    return solution is not None and chance <= UNLIKELY


# -- places --------------------------------------------------------------------------------------


def _cell_at(point: tuple[float, float], layout: Layout, near: float = NEAR) -> Cell | None:
    """The cell whose center is near a point."""
    row, column = (int(x // 1) for x in point)
    far = max(abs(point[0] - row - 0.5), abs(point[1] - column - 0.5))
    return (row + 1, column + 1) if far <= near and (row + 1, column + 1) in layout.index else None


def _path(points: Iterable[tuple[float, float]], layout: Layout) -> list[Cell] | None:
    """The cells of a line through centers, by straight or diagonal steps; None for other lines."""
    cells: list[Cell] = []
    for point in points:
        cell = _cell_at(point, layout)
        if cell is None:
            return None
        if cells:
            down, right = cell[0] - cells[-1][0], cell[1] - cells[-1][1]
            steps = max(abs(down), abs(right))
            if steps == 0 or {abs(down), abs(right)} - {0, steps}:
                return None
            row, column = cells[-1]
            cells += [
                (row + down // steps * at, column + right // steps * at)
                for at in range(1, steps + 1)
            ]
        else:
            cells.append(cell)
    return cells if len(cells) > 1 and len(set(cells)) == len(cells) else None


def _circles(shapes: Iterable[Shape], layout: Layout) -> dict[Cell, list[Shape]]:
    """The large circles without a text, by their cells."""
    found: dict[Cell, list[Shape]] = {}
    for shape in shapes:
        if shape.kind == "circle" and not shape.text and shape.width == shape.height:
            cell = _cell_at(shape.points[0], layout, 0.01)
            if cell and LARGE[0] <= shape.width <= LARGE[1]:
                found.setdefault(cell, []).append(shape)
    return found


def _full(color: str) -> str:
    """A color with six digits."""
    short = color[1:] if len(color) == 4 else ""
    return "#" + "".join(c + c for c in short.lower()) if short else color.lower()


def _made(kind: type[Rule], layout: Layout, *arguments: object) -> Rule | None:
    """The rule; None if the layout cannot have it."""
    try:
        rule = kind(*arguments)
        rule.check(layout)
    except LayoutError:
        return None
    return rule


# -- the kinds -----------------------------------------------------------------------------------


def _thermometers(shapes: Sequence[Shape], layout: Layout) -> list[tuple[Rule, list[Shape]]]:
    circles, found = _circles(shapes, layout), []
    for line in shapes:
        cells = _path(line.points, layout) if line.kind == "line" and line.color else None
        if not cells or line.thickness < THICK:
            continue
        bulbs = [
            [one for one in circles.get(end, ()) if _full(one.fill) == _full(line.color)]
            for end in (cells[0], cells[-1])
        ]
        if bool(bulbs[0]) != bool(bulbs[1]):
            rule = _made(Thermometer, layout, cells if bulbs[0] else cells[::-1])
            if rule:
                found.append((rule, [line, *bulbs[0], *bulbs[1]]))
    return found


def _arrows(shapes: Sequence[Shape], layout: Layout) -> list[tuple[Rule, list[Shape]]]:
    circles, found = _circles(shapes, layout), []
    for arrow in shapes:
        start = _cell_at(arrow.points[0], layout, 0.5) if arrow.kind == "arrow" else None
        if start is None or not (
            own := [one for one in circles.get(start, ()) if _full(one.fill) in ("", "#ffffff")]
        ):
            continue
        center = (start[0] - 0.5, start[1] - 0.5)
        cells = _path([center, *arrow.points[1:]], layout)
        rule = _made(Arrow, layout, start, cells[1:]) if cells else None
        if rule:
            found.append((rule, [arrow, *own]))
    return found


def _sums(letter: str) -> Finder:
    def find(shapes: Sequence[Shape], layout: Layout) -> list[tuple[Rule, list[Shape]]]:
        found = []
        for shape in shapes:
            pair = border_of(shape, layout) if shape.text.upper() == letter else None
            rule = _made(PairSum, layout, XV[letter], *pair) if pair else None
            if rule:
                found.append((rule, [shape]))
        return found

    return find


def _dots(color: str) -> Finder:
    def find(shapes: Sequence[Shape], layout: Layout) -> list[tuple[Rule, list[Shape]]]:
        found: list[tuple[Rule, list[Shape]]] = []
        for shape in shapes:
            pair = border_of(shape, layout) if dot_color(shape) == color else None
            if pair:
                found.append((Dot(color, *pair), [shape]))
        return found

    return find


def _words(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


_NEVER = _words(r"(?!)")
_UNUSUAL = _words(
    r"\b(?:incorrect|false|wrong|wrogn|faulty|fake|broken|liar|lie|lies|lying|doubler|doubled|"
    r"multiplier|negator|schr\w+dinger|counts? as|modif\w+|deduced?|determined?|"
    r"one of (?:the|these) following|none of|which (?:is|are) which)"
)
"""Words of puzzles in which some clues, digits or rules are others than those drawn."""
_KINDS: Final = (
    _Kind(
        "thermometer",
        "thermometer",
        _thermometers,
        _words(r"thermo|\bbulb"),
        _words(r"\b(?:increas|ascend|ris(?:e|ing)|grow)"),
        _words(r"\b(?:slow|fast|at least|by|decreas\w*|equal|same|arrow)"),
        lambda rule: 1 / factorial(min(len(rule.cells), 9)),
    ),
    _Kind(
        "arrow",
        "arrow",
        _arrows,
        _words(r"\barrow"),
        _words(
            r"\b(?:sum|add|total)[^.;]*\b(?:circle|bulb)|\b(?:circle|bulb)[^.;]*\b(?:sum|total)"
        ),
        _words(r"\b(?:outside|average|mean|product|difference|thermo\w*|points?|pointing)\b"),
        lambda rule: 0.15,
    ),
    *(
        _Kind(
            letter,
            "xv",
            _sums(letter),
            _words(rf"\b(?:{letter}'?s?|XV'?s?)\b", 0),
            _words(
                rf"(?=.*\b(?:sum|add|total)).*\b{letter}\b(?:(?!\b{other}\b)[^.;])*"
                rf"\b(?:{number})\b",
                re.DOTALL,
            ),
            _words(r"\b(?:difference|product|ratio)"),
            lambda rule: 0.11,
        )
        for letter, other, number in (("X", "V", "10|ten"), ("V", "X", "5|five"))
    ),
    *(
        _Kind(
            f"{color} dot",
            "kropki",
            _dots(color),
            mention_of_dots(color),
            DOTS[color],
            _NEVER,
            lambda rule: 0.22,
        )
        for color in ("white", "black")
    ),
)
