"""Eureka notation: a chain as players write it, `(9)r1c4=r1c3-r9c3=r9c6 => r2c6<>9`.

`=` is a strong link, `-` a weak one. The digits of links within a cell or an almost locked set
stand together before its cells; a digit that stays the same is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from sudoku.board.cells import cell_name, symbol
from sudoku.board.pattern import Candidate, Link

__all__ = ["eureka", "is_path"]


def is_path(links: tuple[Link, ...]) -> bool:
    """Whether each link begins where the one before ends, strong and weak ones in turn."""
    return all(
        one.target == two.source and one.strong != two.strong for one, two in pairwise(links)
    )


def eureka(
    technique: str,
    links: tuple[Link, ...],
    placements: tuple[Candidate, ...],
    eliminations: tuple[Candidate, ...],
) -> str:
    """The chain of a step and what it changes; `""` if it has none, or one that branches."""
    if not links or not links[0].strong or not is_path(links):
        return ""
    is_loop = not links[-1].strong
    gone = {digit for *_, digit in eliminations}
    if "colors" in technique or technique == "remote pairs":
        return ""  # what they remove sees others than the ends
    if technique.startswith("ALS") and not is_loop and len(gone) > 1:
        return ""  # each digit that is removed has a chain of its own
    first = links[0].source
    terms = [["", symbol(first[0][2]), places(cell[:2] for cell in first)]]
    for at, link in enumerate(links[:-1] if is_loop else links):
        sign, digit = "=" if link.strong else "-", symbol(link.target[0][2])
        beside = any(near.cells for near in links[max(at - 1, 0) : at + 2])
        if link.cells:
            terms[-1][1:] = [f"{terms[-1][1]}={digit}", places(link.cells)]
        elif len(link.source) == 1 and link.source[0][:2] == link.target[0][:2] and not beside:
            terms[-1][1] += sign + digit
        else:
            terms.append([sign, digit, places(cell[:2] for cell in link.target)])
    before, text = "", ""
    for sign, digits, where in terms:
        text += sign + (where if digits == before else f"({digits}){where}")
        before = digits[-1]
    return f"{text}{'-loop' if is_loop else ''} => {', '.join(_changes(placements, eliminations))}"


def _changes(placements: tuple[Candidate, ...], eliminations: tuple[Candidate, ...]) -> list[str]:
    """The digits placed, `r1c2=3`, and removed, `r12c3<>4`."""
    placed = [f"{cell_name(row, column)}={symbol(d)}" for row, column, d in placements]
    by_digit: dict[int, list[Candidate]] = {}
    for candidate in sorted(eliminations, key=lambda one: one[2]):
        by_digit.setdefault(candidate[2], []).append(candidate)
    removed = [f"{places(c[:2] for c in gone)}<>{symbol(d)}" for d, gone in by_digit.items()]
    return placed + removed


def places(cells: Iterable[tuple[int, int]]) -> str:
    """Cells in short: those of one row, or of rows with the same columns, together.

    >>> places([(1, 2), (1, 3), (4, 2), (4, 3), (5, 9)])
    'r14c23,r5c9'
    >>> places([(1, 9), (1, 10)])
    'r1c9,r1c10'
    """
    found = sorted(cells)
    if max(max(cell) for cell in found) > 9:
        return ",".join(cell_name(*cell) for cell in found)
    rows: dict[int, str] = {}
    for row, column in found:
        rows[row] = rows.get(row, "") + str(column)
    columns: dict[str, str] = {}
    for row, text in rows.items():
        columns[text] = columns.get(text, "") + str(row)
    return ",".join(f"r{text}c{which}" for which, text in columns.items())
