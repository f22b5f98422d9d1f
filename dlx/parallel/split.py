"""Splitting a search before it begins, into parts of about the same size.

The search tree is opened from the root: again and again, the subtree with the largest estimate is
replaced by its children. That ends when no part is larger than half its fair share of the whole and
there are as many parts as the caller wants. Then small parts are joined. Not all can be: a part is
all that comes after a path and shares a floor, so it is a run of consecutive subtrees at the *end*
of some larger subtree::

              .---------- root ----------.
            ( 1 )    .---- 2 ----.     ( 3 )       sizes 4, (3, 1, 1), 2
                   ( 4 ) ( 5 ) ( 6 )               5 and 6 may be joined, and 3 to these two

A size is the mean over random descents (Knuth 1975). They are made by the kernel
(`dlx/cpp/estimate/probes.hpp`), or by the engine itself where items may be covered several
times. The mean estimates well on average, but a single subtree may be far from it. In deep trees
the estimates are so far off that hardly any part would ever seem small enough. So they have a
budget; when it is spent, the tree is opened only until there are enough parts. The budget is
counted in steps, not in seconds, so that the same parts come out every time.

No worker visits the nodes above the parts: no statistics count them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from dlx.core.arguments import check_number
from dlx.core.budget import Budget
from dlx.core.kernel import COMPILED
from dlx.core.part import NONE_YET, Decision, Part
from dlx.engines.spec import engine_spec

if TYPE_CHECKING:
    from dlx.core.kernel import Probes
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Part
    from dlx.engines.protocols import TreeEngine
    from dlx.search.options import SearchOptions

__all__ = ["SizeOf", "size_by_descents", "size_by_probes", "split", "split_search"]


Path = tuple[Decision, ...]

SizeOf = Callable[[Path], int | None]
"""About how many nodes the subtree at the end of a path has, its root included.

None: the budget for estimates is spent.
"""

MOST_PARTS = 10**6
PROBES = 4000  # of all estimates together, and for each part in addition
PROBES_FOR_A_PART = 200
LEAST_PROBES, MOST_PROBES = 4, 200  # for each estimate
WORK = 2 * 10**8  # steps of all probes together: takes seconds
STEPS = 10**7  # steps down from the root of all descents together: takes seconds


class _SplitNode:
    """A node of the opened tree: its children's parts are below it, or it is one part."""

    __slots__ = ("before", "children", "path", "pieces", "size")

    def __init__(self, path: Path, before: int, size: int) -> None:
        self.path = path
        self.before = before  # the option that the search tries before this one, or NONE_YET
        self.size = size
        self.children: list[_SplitNode] = []
        self.pieces: list[_SplitPiece] = []


class _SplitPiece:
    """A part with its size, and the path after which it begins."""

    __slots__ = ("begins_after", "part", "size")

    def __init__(self, part: Part, begins_after: Path, size: int) -> None:
        self.part = part
        self.begins_after = begins_after
        self.size = size


def split(search_input: SearchInput, options: SearchOptions, *, parts: int) -> list[Part]:
    """What `Problem.split` returns."""
    heuristic = options.heuristic
    parts = check_number("parts", parts, 1, MOST_PARTS)
    name = "links" if COMPILED and not callable(heuristic) else "python"
    engine = engine_spec(search_input, name, heuristic).open()
    if search_input.table.has_multiplicities or not COMPILED:
        size_of = size_by_descents(engine, parts)
    else:
        given = search_input.given
        size_of = size_by_probes(search_input.numbered.problem.probes(given, 0), given, parts)
    return split_search(engine, size_of, parts)


def split_search(engine: TreeEngine, size_of: SizeOf, parts: int) -> list[Part]:
    """Splits a whole search into at least `parts` parts, in visiting order.

    Returns fewer if the search tree has fewer nodes. `engine` is at the root of the search, and
    supports `untried`. Visits and estimates about O(parts x depth) nodes; once `size_of` returns
    None, only as many as `parts` parts need.
    """
    root = _SplitNode((), NONE_YET, size_of(()) or 1)
    opened: list[_SplitNode] = []
    leaves = [(-root.size, 0, root)]
    made, whole = 1, 1  # nodes; leaves of the opened tree, including those of the search tree
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
    """Makes the children of a node; none if it is a leaf of the search tree.

    Returns False if the budget for estimates is spent: then all children get equal sizes.
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
    """The first node below a path that has several children: its path, item and options.

    The last node before a leaf, if none has several; None if the path itself ends at a leaf.

    Each restart goes all the way from the root, so visiting nodes with a single child one by one
    would be slow. The search goes down 1, 2, 4, ... nodes from the last node known. The floor of
    its position then shows how far there was no choice. If the search had to backtrack on the way,
    the position shows nothing, and half as many nodes are tried.
    """
    ahead = 1
    growing = True
    found: tuple[Path, int, list[int]] | None = None
    while True:
        engine.restart(path, len(path))
        engine.skip(Budget(nodes=ahead))
        position = engine.position()
        straight = position is not None and engine.stats.nodes == len(position[0]) - len(path)
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
    """Joins small parts at the end of each subtree, as long as enough parts are left."""
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
    """Estimates sizes by the kernel's probes. Not for problems with multiplicities."""
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
            made = probes.run(made + 1)
        left -= probes.work - begun
        mantissa, exponent = probes.moments()[0][:2]
        return _integer(mantissa, exponent)

    return size_of


def size_by_descents(engine: TreeEngine, parts: int) -> SizeOf:
    """Estimates sizes by descents of the engine itself: slower, but for every kind of problem."""
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
    """Goes down at random to a leaf, or until `allowed` steps are done.

    Each level costs a restart from the root. Returns the estimated number of nodes below the path,
    and the number of steps.
    """
    nodes = weight = 1
    steps = 0
    while True:
        engine.restart(path, len(path))
        engine.skip(Budget(nodes=1))
        steps += len(path) + 1
        position = engine.position()
        if position is None or steps >= allowed:
            return nodes, steps
        options = engine.untried()
        weight *= len(options)
        nodes += weight
        path = (*path, (position[0][-1][0], options[int(draw() * len(options))]))


def _probes_for(parts: int) -> int:
    """How many descents an estimate gets. There are about ten estimates for each part."""
    return max(LEAST_PROBES, min(MOST_PROBES, (PROBES + PROBES_FOR_A_PART * parts) // (10 * parts)))


def _integer(mantissa: float, exponent: int) -> int:
    """The number as an integer of at least 1, since the subtree has a root."""
    whole = int(math.ldexp(mantissa, 53))
    return max(1, whole << (exponent - 53) if exponent >= 53 else whole >> (53 - exponent))
