"""Search trees as SVG pictures: what Algorithm X branches on, and where each branch ends.

The tree grows to the right: a box is an item that the search branches on, the word on the line to
it is the option taken before. A leaf is a solution or a dead end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from dlx.core.arguments import check_number
from dlx.core.picture import Label, Picture, boxed, svg_picture, text_width
from dlx.escapes import markup

if TYPE_CHECKING:
    from dlx.core.view import ProblemView
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Matrix, TraceStep

__all__ = ["TreeNode", "read_tree", "tree_picture"]

MOST: Final = 2000
"""The most nodes of a picture; it is then about 25 000 pixels high."""

ROW: Final = 26  # pixels from one leaf to the next
HEIGHT: Final = 20  # of a box
MARGIN: Final = 12
GAP: Final = 14  # between a box and the words beside it

FILLS: Final = {"item": "#e3ecf7", "solution": "#b2df8a", "dead end": "#fb9a99", "cut": "white"}


@dataclass(slots=True)
class TreeNode:
    """A node of a search tree.

    kind
        "item", "solution", "dead end", or "cut": what follows is left out.
    label
        What its box says.
    option
        The option that leads to it, by index; None for the root, and where no option is taken.
    """

    kind: str
    label: Label
    depth: int
    option: int | None
    options: int = 0
    """The number of options of its item."""
    children: list[TreeNode] = field(default_factory=list)
    row: float = 0.0
    """Its place from top to bottom, in rows of leaves."""


def read_tree(steps: Iterable[TraceStep], nodes: int) -> TreeNode | None:
    """The first `nodes` nodes of a search, as a tree; None for a search without a node.

    A branch that is not complete ends with a node of the kind "cut". O(nodes).

    >>> import dlx
    >>> root = read_tree(dlx.Problem.from_options([["a"], ["b"]]).matrix().search(), 10)
    >>> root.label.shown, root.children[0].label.shown, root.children[0].children[0].kind
    ('a', 'b', 'solution')
    """
    path: list[TreeNode] = []  # from the root to the latest node
    taken: int | None = None
    root: TreeNode | None = None
    left = nodes
    for step in steps:
        if step.kind == "try":
            del path[step.level + 1 :]
            taken = step.option
        elif step.kind in ("choose", "dead end", "solution"):
            if step.kind == "dead end" and len(path) == step.level + 1 and not path[-1].children:
                path[-1].kind = "dead end"  # found after it was chosen
                continue
            del path[step.level :]
            node = _node_of(step, taken if path else None) if left else _cut(len(path), taken)
            if path:
                path[-1].children.append(node)
            else:
                root = node
            path.append(node)
            if not left:
                for above in path[:-2]:
                    if len(above.children) < above.options:
                        above.children.append(_cut(above.depth + 1, None))
                break
            left -= 1
    return root


def _node_of(step: TraceStep, option: int | None) -> TreeNode:
    if step.kind == "solution":
        return TreeNode("solution", Label.of("solution"), step.level, option)
    kind = "item" if step.kind == "choose" else "dead end"
    return TreeNode(kind, Label.of(step.item), step.level, option, step.options)


def _cut(depth: int, option: int | None) -> TreeNode:
    return TreeNode(
        "cut", Label("\u2026", "the picture ends here, the search does not"), depth, option
    )


def tree_picture(
    problem: ProblemView, matrix: Matrix, *, nodes: int, heuristic: str | Heuristic
) -> Picture:
    """The picture of a search tree: see `Problem.tree_picture`. O(nodes)."""
    nodes = check_number("nodes", nodes, 1, MOST)
    search = matrix.search(heuristic=heuristic)
    root = read_tree(search, nodes)
    search.close()
    if root is None:
        root = TreeNode("solution", Label.of("solution"), 0, None)
    every = _in_rows(root)
    words = _option_words(problem, every)
    lefts = _columns(every, words)
    lines = "".join(_line(node, child, lefts) for node in every for child in node.children)
    drawn = [f'<path d="{lines}" fill="none" stroke="#555"/>']
    for node in every:
        drawn.append(_box(node, lefts))
        if (label := words.get(id(node))) is not None:
            x, y = lefts[node.depth][0] - GAP / 2, _y(node)
            drawn.append(
                f'<text x="{x:g}" y="{y - 4:g}" text-anchor="end" fill="#222">{_text(label)}</text>'
            )
    rows = 1 + max(node.row for node in every)
    last = max(lefts)
    width = lefts[last][0] + lefts[last][1] + MARGIN
    return svg_picture(width, 2 * MARGIN + ROW * rows, drawn)


def _in_rows(root: TreeNode) -> list[TreeNode]:
    """All nodes, parents first, after each got its row: leaves in turn, parents in the middle."""
    every = [root]
    for node in every:  # grows
        every += node.children
    waiting = [root]
    leaves = 0
    while waiting:
        node = waiting.pop()
        if not node.children:
            node.row = leaves
            leaves += 1
        waiting += reversed(node.children)
    for node in reversed(every):
        if node.children:
            node.row = (node.children[0].row + node.children[-1].row) / 2
    return every


def _option_words(problem: ProblemView, every: Sequence[TreeNode]) -> dict[int, Label]:
    """The word on the line to each node, by its `id`; nothing above a cut."""
    names = problem.names
    return {
        id(child): Label.of("none" if child.option is None else names[child.option])
        for node in every
        for child in node.children
        if child.kind != "cut" or child.option is not None
    }


def _columns(every: Sequence[TreeNode], words: dict[int, Label]) -> dict[int, tuple[float, float]]:
    """For each depth, where its boxes begin, and how wide they are."""
    wide: dict[int, float] = {}
    room: dict[int, float] = {}
    for node in every:
        wide[node.depth] = max(wide.get(node.depth, 0), _width(node))
        word = words.get(id(node))
        said = 0.0 if word is None else text_width(word.shown)
        room[node.depth] = max(room.get(node.depth, 0), said)
    found: dict[int, tuple[float, float]] = {}
    x = float(MARGIN)
    for depth in sorted(wide):
        if depth:
            x += 2.5 * GAP + room[depth]
        found[depth] = x, wide[depth]
        x += wide[depth]
    return found


def _width(node: TreeNode) -> float:
    return max(HEIGHT + 4, text_width(node.label.shown) + 14)


def _y(node: TreeNode) -> float:
    return MARGIN + ROW * (node.row + 0.5)


def _line(node: TreeNode, child: TreeNode, lefts: dict[int, tuple[float, float]]) -> str:
    """A path from the right side of a box: down or up beside it, then level to the child."""
    x = lefts[node.depth][0] + _width(node)
    turn = lefts[node.depth][0] + lefts[node.depth][1] + GAP
    return f"M{x:g} {_y(node):g}H{turn:g}V{_y(child):g}H{lefts[child.depth][0]:g}"


def _box(node: TreeNode, lefts: dict[int, tuple[float, float]]) -> str:
    width = _width(node)
    look = f'fill="{FILLS[node.kind]}" stroke="#555"'
    full = node.label.full if node.kind != "dead end" else f"{node.label.full}: no option is left"
    label = Label(node.label.shown, full)
    return boxed(lefts[node.depth][0] + width / 2, _y(node), (width, HEIGHT), label, look)


def _text(label: Label) -> str:
    return f"<title>{markup(label.full)}</title>{markup(label.shown)}"
