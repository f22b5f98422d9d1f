"""Splitting a search before it begins, into parts of about the same size.

The search tree is opened from the root on: again and again the subtree that is estimated largest
gives way to its children, until no part is larger than half its fair share of the whole, and there
are as many as were asked for. Then the small ones are put together. What can be one part is
limited, since a part is all that comes after a path and shares a floor: consecutive subtrees at the
*end* of some larger one::

              .---------- root ----------.
            ( 1 )    .---- 2 ----.     ( 3 )       sizes 4, (3, 1, 1), 2
                   ( 4 ) ( 5 ) ( 6 )               5 and 6 may be joined, and 3 to these two

Sizes are means over random descents (Knuth 1975): by the kernel (`probing.hpp`), or by the engine
itself where items may be covered several times. They say how much there is on average, and know
nothing of what a single subtree will turn out to be. Where the tree is deep they are very far off,
and hardly any part would ever seem small enough. So what is spent on them has a limit, after which
no part is opened but to have as many as were asked for. It is counted in steps, not in seconds, so
that the same parts come out every time.

Nobody visits the nodes above the parts: they are not in anybody's statistics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from dlx.core.arguments import UNLIMITED
from dlx.core.part import NONE_YET, Decision, Part
from dlx.engines.registry import open_tree
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.core.kernel import Probes
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Part
    from dlx.engines.protocols import TreeEngine
    from dlx.links.heuristics import Heuristic

__all__ = ["SizeOf", "size_by_descents", "size_by_probes", "split", "split_search"]


Path = tuple[Decision, ...]

SizeOf = Callable[[Path], int | None]
"""About how many nodes the subtree at the end of a path has, its root included.

None: as much has been spent on estimates as may be.
"""

PROBES = 4000  # all in all, or as many for each part asked for as
PROBES_FOR_A_PART = 200
FEWEST, MOST = 4, 200  # for each estimate
WORK = 2 * 10**8  # of all probes together, about: seconds
STEPS = 10**7  # down from the root, of all descents together, likewise


class _SplitNode:
    """A node of the opened tree; what is below it are its children's parts, or all one part."""

    __slots__ = ("before", "children", "path", "pieces", "size")

    def __init__(self, path: Path, before: int, size: int) -> None:
        self.path = path
        self.before = before  # the option tried before, or NONE_YET
        self.size = size
        self.children: list[_SplitNode] = []
        self.pieces: list[_SplitPiece] = []


class _SplitPiece:
    """A part, how large it is, and after which path it begins."""

    __slots__ = ("begins_after", "part", "size")

    def __init__(self, part: Part, begins_after: Path, size: int) -> None:
        self.part = part
        self.begins_after = begins_after
        self.size = size


def split(asked: SearchInput, parts: int, heuristic: str | Heuristic) -> list[Part]:
    """What `Problem.split` returns."""
    if type(parts) is not int or not 1 <= parts <= MOST:
        raise InvalidArgument(f"parts is {quote(parts)}; it must be an integer, 1 to {MOST}")
    name = "python" if callable(heuristic) else "links"
    engine = open_tree(name, asked, heuristic=heuristic, named=False)
    if asked.table.has_multiplicities:
        size_of = size_by_descents(engine, parts)
    else:
        size_of = size_by_probes(asked.numbered.problem.probes(asked.given, 0), asked.given, parts)
    return split_search(engine, size_of, parts)


def split_search(engine: TreeEngine, size_of: SizeOf, parts: int) -> list[Part]:
    """Parts in visiting order that are the whole search: as many as asked for, or some more.

    Fewer if there are not so many nodes. `engine` has all of the search before it, and can tell
    what is untried. O(parts x depth) nodes are visited and estimated, about, and no more than are
    needed for so many parts once `size_of` has nothing more to say.
    """
    root = _SplitNode((), NONE_YET, size_of(()) or 1)
    opened: list[_SplitNode] = []
    leaves = [(-root.size, 0, root)]
    made, whole = 1, 1  # nodes; leaves of the opened tree, those that cannot be opened included
    total = root.size
    estimated = True
    while leaves and (whole < parts or (estimated and -leaves[0][0] > total // (2 * parts))):
        _, _, node = heappop(leaves)
        estimated = _open(engine, size_of, node)
        if not node.children:
            continue
        opened.append(node)
        whole += len(node.children) - 1
        total += sum(child.size for child in node.children) - node.size
        for child in node.children:
            heappush(leaves, (-child.size, made, child))
            made += 1
    return _joined(root, opened, whole - parts, total // (2 * parts))


def _open(engine: TreeEngine, size_of: SizeOf, node: _SplitNode) -> bool:
    """Gives a node its children; none if it is a leaf of the search tree.

    Returns False if there are no more estimates: then they are taken to be equally large.
    """
    found = _first_choice(engine, node.path)
    if found is None:
        return True
    node.path, item, options = found
    path, before = node.path, NONE_YET
    estimated = True
    for option in options:
        below = (*path, (item, option))
        size = size_of(below)
        estimated = size is not None
        share = max(1, node.size // len(options)) if size is None else size
        node.children.append(_SplitNode(below, before, share))
        before = option
    return estimated


def _first_choice(engine: TreeEngine, path: Path) -> tuple[Path, int, list[int]] | None:
    """The first node from the end of a path on with several children, by its path, the item chosen
    there and the options of it; or the last before a leaf. None if there is a leaf at once.

    As each restart goes all the way from the root, the nodes that have one child only are not come
    to one by one. The search goes down 1, 2, 4, ... nodes from the last that is known; the floor
    then says how far there was nothing else. Where it has turned back on the way, that says
    nothing, and half as many nodes are tried.
    """
    ahead = 1
    growing = True
    found: tuple[Path, int, list[int]] | None = None
    while True:
        engine.restart(path, len(path))
        engine.skip(UNLIMITED, -1.0, ahead)
        position = engine.position()
        straight = position is not None and engine.stats[0] == len(position[0]) - len(path)
        if position is None or not straight:
            if ahead == 1:
                return found
            ahead, growing = ahead // 2, False
            continue
        decisions, floor = position
        if floor < len(decisions) - 1:  # beyond a node with a choice
            path, ahead, growing = tuple(decisions[:floor]), 1, False
            continue
        options = engine.untried()
        item = decisions[-1][0]
        path = tuple(decisions[:-1])
        found = path, item, options
        if len(options) > 1:
            return found
        path = (*path, (item, options[0]))
        if growing:
            ahead *= 2


def _joined(root: _SplitNode, opened: list[_SplitNode], spare: int, most: int) -> list[Part]:
    """The parts, joined at the end of each subtree as long as they stay small and are enough."""
    for node in reversed(opened):  # children come before their parents
        for child in node.children:
            node.pieces += child.pieces or [_whole(child)]
            child.pieces = []
        floor = len(node.path)
        while spare > 0 and len(node.pieces) > 1:
            first, second = node.pieces[-2:]
            if first.size + second.size > most:
                break
            joined = Part(first.begins_after, floor)
            node.pieces[-2:] = [_SplitPiece(joined, first.begins_after, first.size + second.size)]
            spare -= 1
    return [piece.part for piece in root.pieces] or [Part()]


def _whole(node: _SplitNode) -> _SplitPiece:
    path = node.path
    begins_after = (*path[:-1], (path[-1][0], node.before))
    return _SplitPiece(Part(path, len(path)), begins_after, node.size)


def size_by_probes(probes: Probes, given: Sequence[int], parts: int) -> SizeOf:
    """Sizes by the kernel's probes. Not for problems with multiplicities."""
    wanted = _probes_for(parts)
    allowed = WORK // (10 * parts)
    left = WORK

    def size_of(path: Path) -> int | None:
        nonlocal left
        if left <= 0:
            return None
        begun = probes.work
        probes.restart([*given, *(option for _, option in path)])
        before, made = probes.work, 0
        while made < wanted and (made == 0 or probes.work - before < allowed):
            made = probes.run(made + 1, -1.0)
        left -= probes.work - begun
        mantissa, exponent = probes.moments()[0][:2]
        return _integer(mantissa, exponent)

    return size_of


def size_by_descents(engine: TreeEngine, parts: int) -> SizeOf:
    """Sizes by descents of the engine itself: slower, and for every kind of problem."""
    from random import Random

    wanted = _probes_for(parts) // 10 + 1
    draw = Random("sizes of parts").random

    left = STEPS

    def size_of(path: Path) -> int | None:
        nonlocal left
        if left <= 0:
            return None
        allowed = max(1, min(left, STEPS // (10 * parts)) // wanted)
        total = 0
        for _ in range(wanted):
            nodes, steps = _descend(engine, draw, path, allowed)
            total += nodes
            left -= steps
        return total // wanted

    return size_of


def _descend(
    engine: TreeEngine, draw: Callable[[], float], path: Path, allowed: int
) -> tuple[int, int]:
    """Goes down to a leaf, or as far as so many steps lead: each level is come to from the root.

    Returns the nodes that all of those on the way stand for, and the steps.
    """
    nodes = weight = 1
    steps = 0
    while True:
        engine.restart(path, len(path))
        engine.skip(UNLIMITED, -1.0, 1)
        steps += len(path) + 1
        position = engine.position()
        if position is None or steps >= allowed:
            return nodes, steps
        options = engine.untried()
        weight *= len(options)
        nodes += weight
        path = (*path, (position[0][-1][0], options[int(draw() * len(options))]))


def _probes_for(parts: int) -> int:
    """How many descents an estimate gets, there being some ten of them for each part."""
    return max(FEWEST, min(MOST, (PROBES + PROBES_FOR_A_PART * parts) // (10 * parts)))


def _integer(mantissa: float, exponent: int) -> int:
    """At least 1: a node is there."""
    whole = int(math.ldexp(mantissa, 53))
    return max(1, whole << (exponent - 53) if exponent >= 53 else whole >> (53 - exponent))


MOST = 10**6
