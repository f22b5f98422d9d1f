"""Coloring: the conjugate pairs of a digit in two colors.

A cluster is a connected component of the graph of conjugate pairs. Its cells get two colors so that
the two cells of each pair differ: all cells of one color hold the digit, no cell of the other does.
Remote pairs are clusters of cells that all have the same two candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = ["multi_colors", "remote_pairs", "simple_color_traps", "simple_color_wraps"]

Colors = tuple[int, int]
Sight = dict[int, int]
ColorLink = tuple[tuple[int, int], tuple[int, int], bool]
"""(digit, cells), (digit, cells), strong: as in `Evidence.links`."""


def _clusters(position: Position, digit: int) -> list[Colors]:
    """The clusters of a digit, each as the cells of its two colors."""
    return _connected(position.linked[digit])


def _connected(linked: dict[int, int]) -> list[Colors]:
    """The connected components of a graph of cells, each as the cells of its two colors."""
    found: list[Colors] = []
    seen = 0
    for start in linked:
        if seen >> start & 1:
            continue
        colors = [1 << start, 0]
        frontier, color = 1 << start, 0
        while frontier:
            color = 1 - color
            reached = 0
            for cell in bits(frontier):
                reached |= linked[cell]
            frontier = reached & ~colors[color]
            colors[color] |= frontier
        seen |= colors[0] | colors[1]
        found.append((colors[0], colors[1]))
    return found


def _seen_by_any(position: Position, cells: int) -> int:
    peers, found = position.tables.peers, 0
    for cell in bits(cells):
        found |= peers[cell]
    return found


def _evidence(position: Position, digit: int, clusters: tuple[Colors, ...], text: str) -> Evidence:
    roles = (("on", "off"), ("a", "b"))
    marks = tuple(
        (digit, cells, role)
        for cluster, pair in zip(clusters, roles, strict=False)
        for cells, role in zip(cluster, pair, strict=True)
    )
    links: list[ColorLink] = []
    for cluster in clusters:
        links += _tree(position.linked[digit], digit, cluster[-1])
    return Evidence(text, (), marks, tuple(links))


def _tree(linked: dict[int, int], digit: int, color: int) -> Iterator[ColorLink]:
    """The links from one cell to all others of its cluster: what follows if it holds the digit.

    From a cell with the digit a weak link leads to its neighbours, from one without it a strong.
    """
    start = (color & -color).bit_length() - 1
    seen, queue = 1 << start, [(start, False)]
    for cell, strong in queue:  # the queue grows
        for other in bits(linked[cell] & ~seen):
            seen |= 1 << other
            queue.append((other, not strong))
            yield (digit, 1 << cell), (digit, 1 << other), strong


@technique("simple colors (trap)", "0500", "hard", 150)
def simple_color_traps(position: Position) -> Iterator[Deduction]:
    """Simple colors, trap: cells that see both colors of a cluster lose the digit."""
    tables = position.tables
    for digit in tables.digits:
        for cluster in _clusters(position, digit):
            one, two = cluster
            gone = position.planes[digit] & ~(one | two)
            gone &= _seen_by_any(position, one) & _seen_by_any(position, two)
            if gone:
                text = (
                    f"{symbol(digit)} is either in {names(tables, one)} or in {names(tables, two)}"
                )
                evidence = partial(_evidence, position, digit, (cluster,), text)
                yield Deduction("simple colors (trap)", one | two, (), ((digit, gone),), evidence)


@technique("simple colors (wrap)", "0501", "hard", 150)
def simple_color_wraps(position: Position) -> Iterator[Deduction]:
    """Simple colors, wrap: a color with two cells that see each other is false."""
    tables = position.tables
    for digit in tables.digits:
        for cluster in _clusters(position, digit):
            for color, other in (cluster, cluster[::-1]):
                clash = color & _seen_by_any(position, color)
                if clash:
                    text = _wrap_text(position, digit, color, clash)
                    evidence = partial(_evidence, position, digit, ((other, color),), text)
                    removed = ((digit, color),)
                    yield Deduction("simple colors (wrap)", color | other, (), removed, evidence)


def _wrap_text(position: Position, digit: int, color: int, clash: int) -> str:
    """The sentence for a color that has two cells which see each other."""
    tables = position.tables
    cells = names(tables, color)
    if color.bit_count() == 2:
        return f"{symbol(digit)} is in both {cells} or in neither, but they see each other"
    first = clash & -clash
    second = clash & tables.peers[first.bit_length() - 1]
    pair = names(tables, first | second & -second)
    return f"{symbol(digit)} is in all of {cells} or in none, but {pair} see each other"


@technique("multi-colors 1", "0502", "expert", 200, kind=1)
@technique("multi-colors 2", "0503", "expert", 200, kind=2)
def multi_colors(position: Position, kind: int) -> Iterator[Deduction]:
    """Multi-colors: two clusters that see each other.

    Kind 1: a color of one cluster sees a color of the other, so one of the two opposite colors is
    true. Kind 2: a color of one cluster sees both colors of the other, so it is false.
    """
    tables = position.tables
    technique = f"multi-colors {kind}"
    for digit in tables.digits:
        clusters = _clusters(position, digit)
        if len(clusters) < 2:
            continue
        sight = {color: _seen_by_any(position, color) for cluster in clusters for color in cluster}
        for first, second in permutations(clusters, 2):
            if kind == 2:
                for color, other in (first, first[::-1]):
                    if sight[color] & second[0] and sight[color] & second[1]:
                        text = (
                            f"{symbol(digit)} is either in {names(tables, second[0])} or in "
                            f"{names(tables, second[1])}, and if it were in "
                            f"{names(tables, color)}, it could be in neither"
                        )
                        evidence = partial(
                            _evidence, position, digit, ((other, color), second), text
                        )
                        cells = color | other | second[0] | second[1]
                        yield Deduction(technique, cells, (), ((digit, color),), evidence)
                continue
            if first < second:
                yield from _seen_colors(position, technique, digit, (first, second), sight)


def _seen_colors(
    position: Position, technique: str, digit: int, clusters: tuple[Colors, Colors], sight: Sight
) -> Iterator[Deduction]:
    """Multi-colors 1 between two clusters, all together."""
    tables = position.tables
    gone, reasons = 0, []
    for color, other in (clusters[0], clusters[0][::-1]):
        for near, far in (clusters[1], clusters[1][::-1]):
            here = position.planes[digit] & sight[other] & sight[far]
            if sight[color] & near and here:
                gone |= here
                reasons.append(
                    f"{symbol(digit)} cannot be both in {names(tables, color)} and in "
                    f"{names(tables, near)}: it is in {names(tables, other)}, or in "
                    f"{names(tables, far)}"
                )
    if gone:
        cells = clusters[0][0] | clusters[0][1] | clusters[1][0] | clusters[1][1]
        evidence = partial(_evidence, position, digit, clusters, "; ".join(reasons))
        yield Deduction(technique, cells, (), ((digit, gone),), evidence)


@technique("remote pairs", "0703", "hard", 140)
def remote_pairs(position: Position) -> Iterator[Deduction]:
    """Remote pairs: a cluster of four or more cells with the same two candidates."""
    tables = position.tables
    groups: dict[int, int] = {}
    for cell in bits(position.bivalue):
        digits = position.candidates[cell]
        groups[digits] = groups.get(digits, 0) | 1 << cell
    for digits, cells in groups.items():
        if cells.bit_count() < 4:
            continue
        linked = {cell: near for cell in bits(cells) if (near := tables.peers[cell] & cells)}
        for one, two in _connected(linked):
            if (one | two).bit_count() < 4 or one & two:
                continue
            both = _seen_by_any(position, one) & _seen_by_any(position, two) & ~(one | two)
            removed = tuple((d, gone) for d in bits(digits) if (gone := position.planes[d] & both))
            if removed:
                evidence = partial(_evidence_remote, position, digits, linked, (one, two))
                yield Deduction("remote pairs", one | two, (), removed, evidence)


def _evidence_remote(
    position: Position, digits: int, linked: dict[int, int], colors: Colors
) -> Evidence:
    one, two = colors
    first, second = bits(digits)
    text = (
        f"{names(position.tables, one | two)} all have {symbols(digits)} and see each other in a "
        f"chain: {names(position.tables, one)} hold one digit, {names(position.tables, two)} the "
        "other"
    )
    marks = ((first, one, "on"), (second, one, "off"), (first, two, "off"), (second, two, "on"))
    return Evidence(text, (), marks, tuple(_pairs(linked, (first, second), one)))


def _pairs(linked: dict[int, int], digits: tuple[int, int], color: int) -> Iterator[ColorLink]:
    """The links from one cell to all others: what follows if it does not hold the first digit.

    A cell without one digit holds the other; then its neighbours do not.
    """
    start = (color & -color).bit_length() - 1
    seen, queue = 1 << start, [(start, digits)]
    for cell, (out, held) in queue:  # the queue grows
        yield (out, 1 << cell), (held, 1 << cell), True
        for other in bits(linked[cell] & ~seen):
            seen |= 1 << other
            queue.append((other, (held, out)))
            yield (held, 1 << cell), (held, 1 << other), False
