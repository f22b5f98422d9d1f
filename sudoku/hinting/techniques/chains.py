"""Chains: if one end is false, then, link by link, the other end is true.

So at least one of the ends is true, and the candidates that conflict with both are false. X-chains
use one digit, XY-chains cells with two candidates, alternating inference chains (AIC) all links. If
the ends conflict with each other, the chain closes to a continuous nice loop: one end of every weak
link is true. If both ends are the same candidate, it is true.

In a chain with almost locked sets (ALS) a link may lead through a set: without one of its digits
its cells hold all the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.technique import technique, together
from sudoku.hinting.techniques.als import AlmostLockedSet
from sudoku.hinting.techniques.graph import LinkGraph

__all__ = ["Chain", "aics", "all_aics", "all_x_chains", "all_xy_chains", "x_chains", "xy_chains"]


CLOSED, OPEN = "continuous", "discontinuous"

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""The roles of almost locked sets."""


class Chain(NamedTuple):
    """Nodes that are alternately false and true: the first is false, the last is true."""

    nodes: tuple[int, ...]
    gone: int
    """The candidates that conflict with both ends, as one set."""


def chains(graph: LinkGraph) -> Iterator[Chain]:
    """A shortest chain between each two ends that remove something or close, in order of length.

    A breadth-first search from each node, level by level, all of them in step.
    """
    steps, conflict, singles = graph.next_true, graph.conflict, graph.singles
    searches = []
    for start, direct in graph.strong.items():
        ends = conflict[start] if graph.sets else 0
        for candidate in bits(conflict[start] & singles):
            ends |= conflict[candidate]
        if ends := ends >> start << start:  # each chain once
            searches.append((start, ends, [direct], direct))
    while searches:
        ahead = []
        for start, ends, levels, seen in searches:
            for end in bits(levels[-1] & ends):
                nodes = _path(graph, steps, start, end, levels)
                yield Chain(nodes, conflict[start] & conflict[end] & singles)
            reached = 0
            for node in bits(levels[-1]):
                reached |= steps[node]
            if (reached := reached & ~seen) and ends & ~seen:
                ahead.append((start, ends, [*levels, reached], seen | reached))
        searches = ahead


def _path(
    graph: LinkGraph, steps: dict[int, int], start: int, end: int, levels: list[int]
) -> tuple[int, ...]:
    """The nodes of a path from the start (false) to the end (true, on the last level)."""
    nodes = [end]
    at = end
    for level in reversed(levels[:-1]):
        before = next(node for node in bits(level) if steps[node] >> at & 1)
        between = graph.conflict[before] & graph.strong[at]
        nodes += [(between & -between).bit_length() - 1, before]
        at = before
    return (start, *reversed(nodes))


def removed(position: Position, flat: int) -> tuple[tuple[int, int], ...]:
    """A set of candidates as a tuple of (digit, cells)."""
    tables = position.tables
    whole = tables.all_cells
    return tuple(
        (digit, cells)
        for digit in tables.digits
        if (cells := flat >> (digit - 1) * tables.size & whole)
    )


def removal(position: Position, flat: int) -> Changes:
    """The removal of a set of candidates, as `Changes`."""
    found = Changes(position.tables.side)
    for digit, cells in removed(position, flat):
        found.removed[digit] = cells
    return found


def _sets(graph: LinkGraph, nodes: tuple[int, ...]) -> list[tuple[int, AlmostLockedSet, int]]:
    """The almost locked sets along a chain: number of the strong link, set, its other digits."""
    found = []
    for at, link in enumerate(zip(nodes[::2], nodes[1::2], strict=True)):
        if als := graph.sets.get(link):
            ends = sum(1 << graph.node(node)[0] for node in link)
            found.append((at, als, als.digits & ~ends))
    return found


def _deduction(
    graph: LinkGraph, technique: str, nodes: tuple[int, ...], gone: int, *, loop: bool
) -> Deduction:
    cells = 0
    for node in nodes:
        cells |= graph.node(node)[1]
    for _, als, _ in _sets(graph, nodes):
        cells |= als.cells
    evidence = partial(_evidence, graph, nodes, loop)
    return Deduction(technique, cells, (), removed(graph.position, gone), evidence)


def _say(graph: LinkGraph, node: int, *, true: bool) -> str:
    """Half a sentence: the node is true, or it is false."""
    digit, cells = graph.node(node)
    where = names(graph.position.tables, cells)
    if cells & (cells - 1):
        if true:
            return f"one of {where} is {symbol(digit)}"
        if cells.bit_count() == 2:
            return f"neither {where.replace(' and ', ' nor ')} is {symbol(digit)}"
        return f"none of {where} is {symbol(digit)}"
    return f"{where} is {'' if true else 'not '}{symbol(digit)}"


def _evidence(graph: LinkGraph, nodes: tuple[int, ...], loop: bool) -> Evidence:
    """The sentence of a chain or a loop, link by link."""
    words = [_say(graph, node, true=bool(at % 2)) for at, node in enumerate(nodes)]
    last = words[-1]
    sets = [0] * len(nodes)
    marks = [(*graph.node(node), "on" if at % 2 else "off") for at, node in enumerate(nodes)]
    for at, als, digits in _sets(graph, nodes):
        others = symbols(als.digits & ~(1 << graph.node(nodes[2 * at])[0]))
        words[2 * at + 1] = f"{names(graph.position.tables, als.cells)} hold {others}"
        sets[2 * at] = als.cells
        letter = LETTERS[at % len(LETTERS)]
        marks += [(digit, als.places[digit], letter) for digit in bits(digits)]
    if loop:
        text = (
            f"if {words[0]}, then {', then '.join(words[1:])}, and so on around the loop: one of "
            "every two neighbours is true"
        )
    elif nodes[0] == nodes[-1]:
        text = f"if {words[0]}, then {', then '.join(words[1:])}"
    else:
        first = _say(graph, nodes[0], true=True)
        text = f"if {words[0]}, then {', then '.join(words[1:])}: {first} or {last}"
    around = (*nodes, nodes[0]) if loop else nodes
    links = tuple(
        (graph.node(one), graph.node(two), at % 2 == 0)
        for at, (one, two) in enumerate(pairwise(around))
    )
    return Evidence(text, (), tuple(marks), links, sets=tuple(sets[: len(links)]))


@technique("X-chain", "0701", "expert", 240)
def x_chains(position: Position) -> Iterator[Deduction]:
    """X-chains: chains of one digit."""
    for digit in position.tables.digits:
        if len(position.pairs[digit]) > 1:
            graph = LinkGraph(position, cells=False, only=digit)
            for chain in chains(graph):
                yield _deduction(graph, "X-chain", chain.nodes, chain.gone, loop=False)


@together("X-chain")
def all_x_chains(position: Position) -> Changes:
    """The removals of all X-chains together."""
    gone = 0
    for digit in position.tables.digits:
        if len(position.pairs[digit]) > 1:
            gone |= LinkGraph(position, cells=False, only=digit).refuted()
    return removal(position, gone)


@technique("XY-chain", "0702", "expert", 250)
def xy_chains(position: Position) -> Iterator[Deduction]:
    """XY-chains: through cells with two candidates; both ends have the same digit."""
    graph = LinkGraph(position, houses=False)
    for chain in chains(graph):
        if graph.node(chain.nodes[0])[0] == graph.node(chain.nodes[-1])[0]:
            yield _deduction(graph, "XY-chain", chain.nodes, chain.gone, loop=False)


@together("XY-chain")
def all_xy_chains(position: Position) -> Changes:
    """The removals of all XY-chains together."""
    whole = 0
    for chain in xy_chains(position):
        for digit, cells in chain.removed:
            whole |= cells << (digit - 1) * position.tables.size
    return removal(position, whole)


def _around(graph: LinkGraph, nodes: tuple[int, ...]) -> int:
    """The candidates that conflict with both ends of some weak link of a continuous loop."""
    gone = 0
    around = (*nodes[1:], nodes[0])
    for one, two in zip(around[::2], around[1::2], strict=True):
        gone |= graph.conflict[one] & graph.conflict[two]
    for _, als, digits in _sets(graph, nodes):
        for digit in bits(digits):
            gone |= als.sees[digit] << (digit - 1) * graph.position.tables.size
    return gone & graph.singles


@technique("alternating inference chain", "0708", "expert", 280)
@technique("grouped AIC", "0711", "expert", 320, grouped=True)
@technique("AIC with ALS", "0711 0903", "extreme", 390, use="proof", grouped=True, sets=True)
def aics(
    position: Position, *, grouped: bool = False, sets: bool = False, kind: str = ""
) -> Iterator[Deduction]:
    """Alternating inference chains and nice loops.

    `kind` is "continuous" or "discontinuous" (only such nice loops), or "" (each under the name
    that fits). A chain whose ends are the same candidate is a discontinuous nice loop. With
    `kind="discontinuous"`, so is each candidate that conflicts with both ends of a chain: it closes
    the chain to a loop. `sets`: only chains with links by almost locked sets.
    """
    graph = LinkGraph(position, grouped=grouped, sets=sets)
    before, after = "grouped " if grouped and not sets else "", " with ALS" if sets else ""
    continuous = f"{before}{CLOSED} nice loop{after}"
    discontinuous = f"{before}{OPEN} nice loop{after}"
    plain = f"{before}AIC{after}" if grouped else "alternating inference chain"
    for nodes, gone in chains(graph):
        if sets and not _sets(graph, nodes):
            continue
        first, last = nodes[0], nodes[-1]
        if first == last:
            if kind in ("", OPEN):
                if kind and first < graph.first_group:
                    gone &= _in_cell(graph, first)
                if gone:
                    yield _deduction(graph, discontinuous, nodes, gone, loop=False)
        elif graph.conflict[first] >> last & 1 and len(nodes) > 2 and kind in ("", CLOSED):
            if gone := _around(graph, nodes):
                yield _deduction(graph, continuous, nodes, gone, loop=True)
        elif kind == OPEN:
            for candidate in bits(gone):
                yield _deduction(graph, discontinuous, nodes, 1 << candidate, loop=False)
        elif gone and not kind:
            yield _deduction(graph, plain, nodes, gone, loop=False)


for _kind, _plain, _grouped in ((CLOSED, "0706", "0709"), (OPEN, "0707", "0710")):
    _loop, _find = f"{_kind} nice loop", partial(aics, kind=_kind)
    technique(_loop, _plain, "expert", 280, use="variant")(_find)
    technique(f"grouped {_loop}", _grouped, "expert", 320, use="variant", grouped=True)(_find)
    technique(
        f"{_loop} with ALS", _grouped, "extreme", 390, use="variant", grouped=True, sets=True
    )(_find)


def _in_cell(graph: LinkGraph, node: int) -> int:
    """The other candidates in the cell of a candidate."""
    size = graph.position.tables.size
    cell = node % size
    return graph.conflict[node] & sum(
        1 << (digit - 1) * size + cell for digit in graph.position.tables.digits
    )


@together("alternating inference chain")
@together("grouped AIC", grouped=True)
def all_aics(position: Position, *, grouped: bool = False) -> Changes:
    """The removals of all alternating inference chains and nice loops together."""
    return removal(position, LinkGraph(position, grouped=grouped).refuted())
