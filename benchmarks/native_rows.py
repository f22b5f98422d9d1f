"""The rows of `native.py`, by family, and the files that native programs read them from.

A family is a question about problems of one kind, and has a row for each instance. Problems come
from `instances.py`, `cost_instances.py` and `multiplicity_instances.py`, Sudokus from
`seventeen.txt` and from the package's own generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cost_instances import COST_INSTANCES
from instances import INSTANCES
from multiplicity_instances import FAMILIES as WITH_MULTIPLICITIES

import sudoku
from dlx import Colored, Problem

__all__ = ["FORMATS", "Family", "Row", "Unwritable", "families"]

HERE = Path(__file__).parent
COLORED = ("words-3x4", "words-4x5", "graceful-wheel-7", "graceful-wheel-8", "random-colors")
COUNTED = (  # where `count` is faster than listing
    *("one-of-each-4", "latin-5", "dominoes-6x8", "dominoes-8x8", "matchings-8"),
    *("intervals-40", "coloring-petersen-6", "dominoes-10x10", "dominoes-12x12"),
)
COLORS = [chr(code) for code in range(33, 127) if chr(code) not in ":|"]
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Row(NamedTuple):
    """An instance: a problem, or Sudokus."""

    name: str
    build: Callable[[], Problem] | None
    answer: int | None
    """None if no source says it: then the answer of ours is compared."""
    limit: int | None = None
    heavy: bool = False
    puzzles: Callable[[], list[str]] | None = None


class Family(NamedTuple):
    """Rows of one kind, and the call of ours that is measured."""

    call: str
    rows: list[Row]


class Unwritable(Exception):
    """Why a problem cannot be written in a format."""


# -- rows ----------------------------------------------------------------------------------------


def families(lists: Iterable[Path] = ()) -> dict[str, Family]:
    """The families; `lists` are files of more Sudokus, 81 characters a line."""
    plain: list[Row] = []
    colors: list[Row] = []
    counted: list[Row] = []
    for one in INSTANCES:
        row = Row(one.name, one.build, one.expected, one.limit, one.weight == "heavy")
        if one.name in COUNTED:
            counted.append(row._replace(heavy=False))
        if one.weight != "vast":
            (colors if one.name in COLORED else plain).append(row)
    costs = [Row(name, build, None) for name, build in COST_INSTANCES.items()]
    multiplicities = [
        Row(name, family.build, family.solutions) for name, family in WITH_MULTIPLICITIES.items()
    ]
    one_by_one = "`count(node_limit=...)`: the whole tree, nothing remembered; engine `auto`"
    return {
        "plain": Family(one_by_one, plain),
        "links": Family('`count(node_limit=..., engine="links")`', plain),
        "colors": Family(one_by_one, colors),
        "counting": Family("`count()`, which need not visit what it counts", counted),
        "costs": Family("`minimum()`: the least cost", costs),
        "multiplicities": Family(one_by_one, multiplicities),
        "sudoku": Family(
            "`sudoku.count_many(lines, limit=2)`: uniqueness proved, one thread",
            [*_sudokus(), *(_sudoku_list(path) for path in lists)],
        ),
    }


def _sudokus() -> Iterator[Row]:
    """Lists that are long enough to be measured: each puzzle comes several times."""
    yield Row("17-clue", None, 40_000, puzzles=lambda: 400 * _lines(HERE / "seventeen.txt"))
    yield Row("generated", None, 30_000, puzzles=lambda: 10 * _generated())
    yield Row(
        "one-given-less",
        None,
        60_000,
        puzzles=lambda: 10 * [_without_first_given(line) for line in _generated()],
    )


def _sudoku_list(path: Path) -> Row:
    return Row(path.stem, None, None, puzzles=lambda: _lines(path))


def _lines(path: Path) -> list[str]:
    """The puzzles of a list: the first field of each line that is not a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def _generated() -> list[str]:
    """Minimal puzzles: with one given less, each has several solutions."""
    return [puzzle.line for puzzle in sudoku.generate_many(3000, seed=1, minimal=True)]


def _without_first_given(line: str) -> str:
    at = next(at for at, digit in enumerate(line) if digit in "123456789")
    return f"{line[:at]}.{line[at + 1 :]}"


# -- files ---------------------------------------------------------------------------------------


def knuth_text(row: Row) -> Iterator[str]:
    """Lines of Knuth's format, items by number and colors of one character.

    Raises `Unwritable` if an item has more colors than there are characters.
    """
    problem = _problem(row)
    items = [*problem.primary, *problem.secondary]
    name_of = {item: _short_name(index) for index, item in enumerate(items)}
    bounds = problem.multiplicities
    words = [_bounds(*bounds.get(item, (1, 1))) + name_of[item] for item in problem.primary]
    if problem.secondary:
        words += ["|", *(name_of[item] for item in problem.secondary)]
    yield " ".join(words)
    colors: dict[Any, dict[Any, str]] = {}
    costs = problem.costs
    for index, option in enumerate(problem.options):
        entries = [_entry(entry, name_of, colors) for entry in option]
        yield " ".join([*entries, f"|{costs[index]}"] if costs[index] else entries)


def _short_name(index: int) -> str:
    digits = ""
    while not digits or index:
        index, digit = divmod(index, len(DIGITS))
        digits = DIGITS[digit] + digits
    return digits


def _bounds(low: int, high: int | None) -> str:
    """What stands before a primary item that is covered from `low` to `high` times."""
    if high is None:
        raise Unwritable("no upper bound")
    return "" if (low, high) == (1, 1) else f"{low}:{high}|"


def _entry(entry: Any, name_of: dict[Any, str], colors: dict[Any, dict[Any, str]]) -> str:
    if not isinstance(entry, Colored):
        return name_of[entry]
    known = colors.setdefault(entry.item, {})
    if entry.color not in known:
        if len(known) == len(COLORS):
            raise Unwritable(f"over {len(COLORS)} colors")
        known[entry.color] = COLORS[len(known)]
    return f"{name_of[entry.item]}:{known[entry.color]}"


def rows_text(row: Row) -> Iterator[str]:
    """Lines of item numbers; each secondary item has one more option, which covers it alone."""
    problem = _problem(row)
    items = [*problem.primary, *problem.secondary]
    number_of = {item: str(number) for number, item in enumerate(items)}
    yield f"{len(number_of)} {len(problem) + len(problem.secondary)}"
    for option in problem.options:
        if any(isinstance(entry, Colored) for entry in option):
            raise Unwritable("no colors")
        yield " ".join(number_of[item] for item in option)
    yield from (number_of[item] for item in problem.secondary)


def sudoku_text(row: Row) -> Iterator[str]:
    """Lines of 81 characters."""
    if row.puzzles is None:
        raise Unwritable("no Sudokus")
    yield from row.puzzles()


def _problem(row: Row) -> Problem:
    if row.build is None:
        raise Unwritable("lists of Sudokus")
    return row.build()


FORMATS: dict[str, Callable[[Row], Iterator[str]]] = {
    "knuth": knuth_text,
    "rows": rows_text,
    "sudoku": sudoku_text,
}
"""The lines of a row's file, by format."""
