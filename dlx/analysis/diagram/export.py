"""Text formats of diagrams: Graphviz and Graphillion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from dlx.analysis.diagram.nodes import EMPTY, TOP, Columns
from dlx.escapes import visible

__all__ = ["dot", "graphillion"]


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
