"""Problems as bipartite graphs of options and items, for NetworkX, and back."""

from __future__ import annotations

from collections.abc import Hashable
from importlib import import_module
from typing import Any

from dlx.core.entries import Colored, Times, colored, times
from dlx.errors import InvalidArgument, quote
from dlx.models.graph_problems import refuse_other_graphs
from dlx.problem import Problem

__all__ = ["from_incidence_graph", "incidence_graph"]


def incidence_graph(problem: Problem) -> Any:
    """The bipartite graph of a problem: a `networkx.Graph`. O(items + entries).

    Its nodes are the pairs ("option", name) and ("item", item), with the attributes of the table;
    the edges join each option with its items. `from_incidence_graph` returns the same problem.

    =======  ===============================================================================
    options  bipartite=0, name, cost
    items    bipartite=1, name, secondary; low and high if the item is not covered just once
    edges    color if the item has one, times if the option covers the item several times
    =======  ===============================================================================

    >>> import dlx, dlx.models
    >>> problem = dlx.Problem.from_options({"x": ["a", "b"], "y": ["b"]})
    >>> graph = dlx.models.incidence_graph(problem)
    >>> sorted(graph.degree)
    [(('item', 'a'), 1), (('item', 'b'), 2), (('option', 'x'), 2), (('option', 'y'), 1)]
    """
    if not isinstance(problem, Problem):
        raise InvalidArgument(f"problem is {quote(problem)}; it must be a dlx.Problem")
    graph = import_module("networkx").Graph()
    bounds = problem.multiplicities
    for items, secondary in ((problem.primary, False), (problem.secondary, True)):
        for item in items:
            attributes: dict[str, Any] = {"bipartite": 1, "name": item, "secondary": secondary}
            if item in bounds:
                attributes["low"], attributes["high"] = bounds[item]
            graph.add_node(("item", item), **attributes)
    for name, option, cost in zip(problem.names, problem.options, problem.costs, strict=True):
        node = ("option", name)
        graph.add_node(node, bipartite=0, name=name, cost=cost)
        for entry in option:
            if isinstance(entry, Colored):
                graph.add_edge(node, ("item", entry.item), color=entry.color)
            elif isinstance(entry, Times):
                graph.add_edge(node, ("item", entry.item), times=entry.weight)
            else:
                graph.add_edge(node, ("item", entry))
    return graph


def from_incidence_graph(graph: Any) -> Problem:
    """The problem of a bipartite NetworkX graph: the reverse of `incidence_graph`.

    Each node has the attribute `bipartite`, as NetworkX recommends: 0 for an option, 1 for an item.
    All other attributes that `incidence_graph` lists may be missing: then the node itself is the
    name, and items are primary items to be covered once. Raises `InvalidArgument` for a node
    without `bipartite`, for an edge between two options or two items, for directed graphs and
    multigraphs, and for what is not a graph of NetworkX; `ProblemError` for what is wrong in the
    problem.

    >>> import dlx.models, networkx
    >>> graph = networkx.Graph([("x", "a"), ("x", "b"), ("y", "b")])
    >>> networkx.set_node_attributes(graph, {"x": 0, "y": 0, "a": 1, "b": 1}, "bipartite")
    >>> dlx.models.from_incidence_graph(graph).solve()
    ('x',)
    """
    nodes = getattr(graph, "nodes", None)
    if not callable(nodes) or not hasattr(graph, "adj"):
        raise InvalidArgument(f"{quote(graph)} is not a graph of NetworkX")
    refuse_other_graphs("graph", graph)
    sides = {node: _side(node, attributes) for node, attributes in nodes(data=True)}
    names = {node: attributes.get("name", node) for node, attributes in nodes(data=True)}
    for first, second in graph.edges():
        if sides[first] == sides[second]:
            kind = "items" if sides[first] else "options"
            raise InvalidArgument(f"an edge joins the {kind} {quote(first)} and {quote(second)}")
    problem = Problem(primary=())
    for node, attributes in nodes(data=True):
        if sides[node] == 1:
            secondary = bool(attributes.get("secondary", False))
            bounds = (attributes.get("low", 1), attributes.get("high", 1))
            problem.add_item(names[node], secondary=secondary, multiplicity=bounds)
    for node, attributes in nodes(data=True):
        if sides[node] == 0:
            entries = [_entry(names[other], edge) for other, edge in graph.adj[node].items()]
            problem.add_option(entries, name=names[node], cost=attributes.get("cost", 0))
    return problem


def _side(node: Hashable, attributes: dict[str, Any]) -> int:
    side = attributes.get("bipartite")
    if side not in (0, 1):
        raise InvalidArgument(
            f"node {quote(node)} has bipartite={quote(side)}; it must be 0 for an option, or 1 for "
            "an item"
        )
    return int(side)


def _entry(item: Hashable, edge: dict[str, Any]) -> Hashable:
    if "color" in edge:
        return colored(item, edge["color"])
    return times(item, edge["times"]) if "times" in edge else item
