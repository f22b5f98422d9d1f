"""Diagrams as SVG pictures, layer by layer from the root down, and as text for other programs.

A node's layer is the length of the longest path to it, so every arrow goes down. An arrow across
several layers gets a bend in each, which takes part in the layout like a node: arrows then run
between nodes, not behind them. Nodes of a layer are sorted by the mean place of their neighbors
above and below, by turns; at last each is moved as near to that mean as its neighbors leave room.

Source: K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
structures" (1981); for the places in a layer, pool-adjacent-violators (isotonic regression).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from dlx.analysis.diagram.nodes import EMPTY, TOP, Columns
from dlx.core.picture import Label, Picture, boxed, svg_picture, text_width
from dlx.errors import InvalidArgument
from dlx.escapes import visible

__all__ = ["GAP", "LAYER", "MOST", "dot", "graphillion", "picture_of_diagram", "place_in_row"]

MOST: Final = 200
"""The most nodes of a picture; beyond that Graphviz does better (`Diagram.to_dot`)."""

LAYER: Final = 52  # pixels from one layer to the next
HEIGHT: Final = 22  # of a node
GAP: Final = 12  # between neighbors of a layer
MARGIN: Final = 12
SWEEPS: Final = 12  # down and up, half of them to sort, half to move

SOLID: Final = 'stroke="#222"'
DASHED: Final = 'stroke="#777" stroke-dasharray="5 3"'
NODE: Final = 'fill="#e3ecf7" stroke="#555"'
END: Final = 'fill="#b2df8a" stroke="#555"'


class Layout(NamedTuple):
    """Points in layers: first the nodes, then the bends of arrows.

    layers
        The points of each layer from left to right.
    above, below
        The neighbors of each point.
    widths
        The width of each point in pixels; 0 for a bend.
    """

    layers: list[list[int]]
    above: list[list[int]]
    below: list[list[int]]
    widths: list[float]


def picture_of_diagram(columns: Columns, name_of: Callable[[int], Hashable]) -> Picture:
    """The picture of a diagram: see `Diagram.picture`."""
    option, low, high, root = columns
    if root == EMPTY:
        label = Label.of("no solution")
        size = text_width(label.shown) + 14, float(HEIGHT)
        return svg_picture(
            size[0] + 2 * MARGIN,
            HEIGHT + 2 * MARGIN,
            [boxed(size[0] / 2 + MARGIN, HEIGHT / 2 + MARGIN, size, label, END)],
        )
    if root - TOP > MOST:
        raise InvalidArgument(
            f"the diagram has {root - TOP:,} nodes; a picture has room for {MOST}: draw a smaller "
            "one (restrict), or to_dot() with Graphviz"
        )
    nodes = [*range(root, EMPTY, -1)]  # the end is the last
    number = {node: place for place, node in enumerate(nodes)}
    labels = [Label.of(name_of(option[node])) for node in nodes[:-1]]
    labels.append(Label("\u2713", "solution"))
    arrows = [
        (number[node], number[child], solid)
        for node in nodes[:-1]
        for child, solid in ((low[node], False), (high[node], True))
        if child != EMPTY
    ]
    layout, paths = _layered(labels, arrows)
    places = _arranged(layout)
    return _drawn(layout, places, labels, paths)


def _layered(
    labels: Sequence[Label], arrows: Sequence[tuple[int, int, bool]]
) -> tuple[Layout, list[tuple[list[int], bool]]]:
    """The points in layers, and each arrow as a path of points."""
    depth = [0] * len(labels)
    for node, child, _ in arrows:  # from the root down: nodes come after all that lead to them
        depth[child] = max(depth[child], depth[node] + 1)
    layers: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for node, layer in enumerate(depth):
        layers[layer].append(node)
    widths = [max(HEIGHT + 6, text_width(label.shown) + 14) for label in labels]
    above: list[list[int]] = [[] for _ in labels]
    below: list[list[int]] = [[] for _ in labels]
    paths = []
    for node, child, solid in arrows:
        path = [node]
        for layer in range(depth[node] + 1, depth[child]):
            path.append(len(widths))
            layers[layer].append(len(widths))
            widths.append(0.0)
            above.append([])
            below.append([])
        path.append(child)
        for upper, lower in pairwise(path):
            below[upper].append(lower)
            above[lower].append(upper)
        paths.append((path, solid))
    return Layout(layers, above, below, widths), paths


def _arranged(layout: Layout) -> list[float]:
    """The middle of each point from left to right, in pixels, after sorting each layer."""
    layers, above, below, widths = layout
    places = [0.0] * len(widths)
    for layer in layers:
        for number, point in enumerate(layer):
            places[point] = float(number)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        near = above if down else below
        for layer in layers if down else reversed(layers):
            mean = {
                point: sum(places[other] for other in near[point]) / len(near[point])
                if near[point]
                else places[point]
                for point in layer
            }
            if sweep < SWEEPS // 2:
                layer.sort(key=mean.__getitem__)
                for number, point in enumerate(layer):
                    places[point] = number - len(layer) / 2
            else:
                wanted = [mean[point] for point in layer]
                sizes = [widths[point] for point in layer]
                for point, place in zip(layer, place_in_row(wanted, sizes), strict=True):
                    places[point] = place
    return places


def place_in_row(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Places of things in a row, in order, without overlap, as near to the wanted ones as possible.

    The sum of the squares of the distances is the least possible. O(things).

    >>> place_in_row([0, 0], [28, 28])
    [-20.0, 20.0]
    >>> place_in_row([0, 100], [28, 28])
    [0.0, 100.0]
    """
    least = [0.0]  # the place of each, if the first is at 0 and all others as far left as can be
    for left, right in pairwise(widths):
        least.append(least[-1] + (left + right) / 2 + GAP)
    blocks: list[list[float]] = []  # sums of offsets from `least`, and numbers of things
    for place, offset in zip(wanted, least, strict=True):
        blocks.append([place - offset, 1])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            total, number = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += number
    means = [total / number for total, number in blocks for _ in range(int(number))]
    return [offset + mean for offset, mean in zip(least, means, strict=True)]


def _drawn(
    layout: Layout,
    places: Sequence[float],
    labels: Sequence[Label],
    paths: Sequence[tuple[list[int], bool]],
) -> Picture:
    left = min(place - width / 2 for place, width in zip(places, layout.widths, strict=True))
    right = max(place + width / 2 for place, width in zip(places, layout.widths, strict=True))
    x = [place - left + MARGIN for place in places]
    y = [0.0] * len(places)
    for number, layer in enumerate(layout.layers):
        for point in layer:
            y[point] = MARGIN + HEIGHT / 2 + LAYER * number
    drawn = []
    for solid, look in ((False, DASHED), (True, SOLID)):
        lines = "".join(_curve(path, x, y) for path, kind in paths if kind is solid)
        drawn.append(f'<path d="{lines}" fill="none" {look}/>')
    for node, label in enumerate(labels):
        look = END if node == len(labels) - 1 else NODE
        drawn.append(boxed(x[node], y[node], (layout.widths[node], HEIGHT), label, look))
    height = 2 * MARGIN + HEIGHT + LAYER * (len(layout.layers) - 1)
    return svg_picture(right - left + 2 * MARGIN, height, drawn)


def _curve(path: Sequence[int], x: Sequence[float], y: Sequence[float]) -> str:
    """A line through points, which leaves and reaches each of them vertically."""
    start = y[path[0]] + HEIGHT / 2
    found = [f"M{x[path[0]]:g} {start:g}"]
    for before, point in pairwise(path):
        end = y[point] - (HEIGHT / 2 if point == path[-1] else 0)
        middle = (start + end) / 2
        found.append(f"C{x[before]:g} {middle:g} {x[point]:g} {middle:g} {x[point]:g} {end:g}")
        start = end
    return "".join(found)


# -- text formats --------------------------------------------------------------------------------


def dot(columns: Columns, name_of: Callable[[int], Hashable]) -> str:
    """The diagram in the language of Graphviz: see `Diagram.to_dot`."""
    option, low, high, root = columns
    lines = ["digraph diagram {", "  node [shape=circle];"]
    if root == EMPTY:
        lines.append('  0 [shape=box, label="no solution"];')
    else:
        lines.append('  1 [shape=box, label="1"];')
    for node in range(root, TOP, -1):
        label = visible(name_of(option[node])).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  {node} [label="{label}"];')
        lines.append(f"  {node} -> {high[node]};")
        if low[node] != EMPTY:
            lines.append(f"  {node} -> {low[node]} [style=dashed];")
    return "\n".join([*lines, "}", ""])


def graphillion(columns: Columns, variables: Sequence[int]) -> str:
    """The diagram in Graphillion's format: see `Diagram.to_graphillion`."""
    option, low, high, root = columns
    if root <= TOP:
        return f"{'BT'[root]}\n.\n"
    place = {index: number for number, index in enumerate(variables, 1)}
    lines = [
        f"{node} {place[option[node]]} {_child(low[node])} {_child(high[node])}"
        for node in range(TOP + 1, root + 1)
    ]
    return "\n".join([*lines, ".", ""])


def _child(node: int) -> str:
    return "BT"[node] if node <= TOP else str(node)
