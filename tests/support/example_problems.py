"""Exact cover problems that several test files use, and what they compare of a search."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dlx
from dlx import models

TAOCP_EXAMPLE = ["ce", "adg", "bcf", "adf", "bg", "deg"]
"""TAOCP 7.2.2.1, (5) and (6): options of the items a to g; the solution is 0 3 4."""


class Unhashable:
    """No item, because it has no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "Unhashable()"


def pigeons(holes: int) -> dlx.Problem:
    """One pigeon more than holes: no solution, and more than holes! nodes to find that out.

    For diagrams there are 2^holes subproblems. No engine, SAT included, ends with 30 holes.
    """
    return dlx.Problem.from_options(
        [[("pigeon", i), ("hole", j)] for i in range(holes + 1) for j in range(holes)],
        secondary=[("hole", j) for j in range(holes)],
    )


def mutilated_board(size: int) -> dlx.Problem:
    """Dominoes on a board without two opposite corners."""
    cells = [(x, y) for x in range(size) for y in range(size)][1:-1]
    pairs = [((x, y), cell) for x, y in cells for cell in ((x + 1, y), (x, y + 1))]
    return dlx.Problem.from_options([pair for pair in pairs if pair[1] in cells], primary=cells)


def pigeons_at_will(holes: int) -> dlx.Problem:
    """Options 0 and 2 are solutions; with option 1 there is none, and the search for it is long."""
    pigeons = [("pigeon", i) for i in range(holes + 1)]
    options: list[list[object]] = [["start", *pigeons], ["start"], ["start", *pigeons]]
    options += [[pigeon, ("hole", j)] for pigeon in pigeons for j in range(holes)]
    return dlx.Problem.from_options(options, secondary=[("hole", j) for j in range(holes)])


def spread(plain: dlx.Problem, most: int) -> dlx.Problem:
    """The problem with costs that look like chance, from 0 to `most`."""
    return dlx.Problem.from_options(
        plain.options,
        primary=plain.primary,
        secondary=plain.secondary,
        costs=[(1103515245 * o + 12345) % 2**31 % (most + 1) for o in range(len(plain))],
    )


def board_with_hole() -> dlx.Problem:
    """The pentominoes on a chessboard without its middle: 520 solutions, far apart."""
    return models.pentominoes(8, 8, without=models.box(2, 2, at=(3, 3)))


def options_of(words: str) -> list[list[str]]:
    """Options of items of one letter, from words: "ab b" is `[["a", "b"], ["b"]]`."""
    return [list(word) for word in words.split()]


def written(problem: dlx.Problem, form: str | None = None) -> str:
    """The problem as `Problem.dump` writes it in a format, by default Knuth's."""
    file = io.StringIO()
    problem.dump(file, format=form)
    return file.getvalue()


def result_of(search: dlx.Search) -> tuple[Any, ...]:
    """All that engines must agree on, after running the search to its end."""
    found = list(search)
    stats = search.stats
    return found, search.exhausted, search.stopped_by, stats.nodes, stats.profile


def comparable(answers: Iterable[Any]) -> list[Any]:
    """Answers of a batch with exceptions as their type and text; checks their positions."""
    listed = []
    for position, answer in enumerate(answers):
        if isinstance(answer, dlx.DLXError):
            assert answer.position == position
            answer = (type(answer), str(answer))
        listed.append(answer)
    return listed


TWO_PUZZLES = """<puzzle version="2">
<gridType type="0"/>
<shapes>
<voxel x="2" y="2" z="1" type="0" name="corner">##_#</voxel>
<voxel x="2" y="1" z="1" weight="2" type="0" name="a bar">##</voxel>
<voxel x="3" y="3" z="1" type="0" name="result">#########</voxel>
<voxel x="2" y="2" z="1" type="0">#+#+</voxel>
</shapes>
<problems><problem name="first" state="0">
<shapes><shape id="0"/><shape id="1" min="0" max="3" group="1"/></shapes>
<result id="2"/><bitmap/></problem>
<problem><shapes><shape id="1" count="1"><group group="2" count="1"/></shape></shapes>
<result id="3"/><solutions><solution><assembly>0 0 0 0</assembly></solution></solutions>
</problem></problems><comment>Two problems.</comment></puzzle>
"""
"""A file of BurrTools: a corner and three bars for 3 x 3 cells, and one bar for 2 x 1."""


def xmpuzzle(
    spaces: Sequence[Mapping[tuple[int, ...], str]],
    bounds: Iterable[Sequence[int]],
    *,
    pairs: Iterable[tuple[int, int]] = (),
    colors: int = 0,
    holes: int | None = None,
) -> str:
    """A file of BurrTools with a problem: shapes, by the states of their cells, and the result."""
    lines = ['<puzzle version="2">', '<gridType type="0"/>', "<colors>"]
    lines += ['<color red="0" green="0" blue="255"/>'] * colors + ["</colors>", "<shapes>"]
    for space in spaces:
        depth, height, width = (max(side) + 1 for side in zip(*space, strict=True))
        states = [space.get(cell, "_") for cell in models.box(depth, height, width)]
        sides = f'x="{width}" y="{height}" z="{depth}"'
        lines.append(f'<voxel {sides} type="0">{"".join(states)}</voxel>')
    most = "" if holes is None else f' maxHoles="{holes}"'
    lines += ["</shapes>", f"<problems><problem{most}>", "<shapes>"]
    for number, (low, high) in enumerate(bounds):
        count = f'count="{low}"' if low == high else f'min="{low}" max="{high}"'
        lines.append(f'<shape id="{number}" {count}/>')
    lines += ["</shapes>", f'<result id="{len(spaces) - 1}"/>', "<bitmap>"]
    lines += [f'<pair piece="{piece - 1}" result="{result - 1}"/>' for piece, result in pairs]
    return "\n".join([*lines, "</bitmap>", "</problem></problems>", "</puzzle>", ""])
