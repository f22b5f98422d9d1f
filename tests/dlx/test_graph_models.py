"""Problems on graphs, compared with NetworkX and with all subsets; incidence graphs and back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain, combinations
from typing import Any

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from strategies import multi_cases

import dlx
from dlx import InvalidArgument, models

nx = pytest.importorskip("networkx")


@st.composite
def graphs(draw: st.DrawFn, *, most: int = 7) -> Any:
    """Graphs of up to `most` vertices, whose names are numbers, texts or tuples."""
    size = draw(st.integers(1, most))
    names: list[Hashable] = [
        (n if n % 3 == 0 else f"v{n}" if n % 3 == 1 else (n, n)) for n in range(size)
    ]
    graph = nx.Graph()
    graph.add_nodes_from(draw(st.permutations(names)))
    pairs = list(combinations(names, 2))
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    return graph


def subsets(values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    listed = list(values)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def solutions_of(problem: dlx.Problem) -> set[frozenset[Any]]:
    """All solutions as sets, of which each comes once."""
    found = [frozenset(solution) for solution in problem.solutions()]
    assert len(found) == len(set(found))
    return set(found)


def with_weights(graph: Any, data: st.DataObject) -> Any:
    """The graph, where some edges and nodes have a weight."""
    weights = st.integers(1, 9)
    for view in (graph.nodes, graph.edges):
        for one in view:
            if data.draw(st.booleans()):
                view[one]["weight"] = data.draw(weights)
    return graph


# -- matchings -----------------------------------------------------------------------------------


@given(graph=graphs())
def test_perfect_matchings_are_those_of_networkx(graph: Any) -> None:
    edges = [
        chosen for chosen in subsets(graph.edges) if nx.is_perfect_matching(graph, set(chosen))
    ]
    expected = set(map(frozenset, edges))
    assert solutions_of(models.perfect_matchings(graph)) == expected
    assert solutions_of(models.matchings(graph)) == expected
    assert solutions_of(models.perfect_matchings(graph.edges, graph.nodes)) == expected


@given(graph=graphs())
def test_matchings_that_need_not_be_perfect(graph: Any) -> None:
    problem = models.matchings(graph, perfect=False)
    edges = [chosen for chosen in subsets(graph.edges) if nx.is_matching(graph, set(chosen))]
    assert solutions_of(problem) == set(map(frozenset, edges))
    largest = nx.max_weight_matching(graph, maxcardinality=True)
    assert problem.maximum()[0][0] == len(largest)


@given(graph=graphs(most=9), data=st.data())
def test_weights_of_matchings(graph: Any, data: st.DataObject) -> None:
    with_weights(graph, data)

    def total(matching: Any) -> int:
        return sum(graph.edges[edge].get("weight", 1) for edge in matching)

    heaviest = nx.max_weight_matching(graph)
    free = models.matchings(graph, perfect=False, weight="weight")
    assert free.maximum()[0][0] == total(heaviest)
    lightest = nx.min_weight_matching(graph)
    best = models.perfect_matchings(graph, weight="weight").minimum()
    assert bool(best) == nx.is_perfect_matching(graph, lightest)
    if best:
        assert best[0][0] == total(lightest)


# -- sets of vertices ----------------------------------------------------------------------------


@given(graph=graphs(), data=st.data())
def test_vertex_covers(graph: Any, data: st.DataObject) -> None:
    with_weights(graph, data)
    covers = [
        chosen
        for chosen in subsets(graph)
        if all(a in chosen or b in chosen for a, b in graph.edges)
    ]
    problem = models.vertex_covers(graph, weight="weight")
    assert solutions_of(problem) == set(map(frozenset, covers))
    assert problem.minimum()[0][0] == min(
        sum(graph.nodes[vertex].get("weight", 1) for vertex in cover) for cover in covers
    )
    fewest = models.vertex_covers(graph.edges, graph.nodes).minimum()[0][0]
    assert fewest == min(map(len, covers))


@given(graph=graphs())
def test_dominating_sets(graph: Any) -> None:
    sets = [chosen for chosen in subsets(graph) if nx.is_dominating_set(graph, set(chosen))]
    problem = models.dominating_sets(graph)
    assert solutions_of(problem) == set(map(frozenset, sets))
    assert problem.minimum()[0][0] == min(map(len, sets))
    codes = [
        chosen
        for chosen in subsets(graph)
        if all(len({vertex, *graph[vertex]} & set(chosen)) == 1 for vertex in graph)
    ]
    assert solutions_of(models.dominating_sets(graph, perfect=True)) == set(map(frozenset, codes))


def test_covers_of_a_bipartite_graph_are_as_large_as_matchings() -> None:
    """Koenig's theorem."""
    graph = nx.hypercube_graph(4)
    cover = models.vertex_covers(graph).minimum()[0][0]
    assert cover == models.matchings(graph, perfect=False).maximum()[0][0] == 8


# -- colorings -----------------------------------------------------------------------------------


@given(graph=graphs(most=6), colors=st.integers(1, 4))
def test_colorings_are_counted_by_the_chromatic_polynomial(graph: Any, colors: int) -> None:
    def count(vertices: int, edges: list[tuple[Any, Any]]) -> int:
        """By deletion and contraction."""
        if not edges:
            return colors**vertices
        (a, b), *rest = edges
        merged = {frozenset(a if end == b else end for end in edge) for edge in rest}
        return count(vertices, rest) - count(vertices - 1, [tuple(e) for e in merged])  # type: ignore[misc]

    problem = models.graph_coloring(graph, colors)
    assert problem.count() == count(len(graph), list(graph.edges))


# -- wrong arguments -----------------------------------------------------------------------------

BUILDERS: list[Callable[[Any], dlx.Problem]] = [
    models.perfect_matchings,
    models.matchings,
    models.vertex_covers,
    models.dominating_sets,
]


@pytest.mark.parametrize("build", BUILDERS)
def test_graphs_that_are_refused(build: Callable[[Any], dlx.Problem]) -> None:
    for graph, message in (
        (nx.DiGraph([(0, 1)]), "edges is a directed graph"),
        (nx.MultiGraph([(0, 1)]), "edges is a multigraph"),
        ([(0, 0)], "edge 0 joins 0 to itself"),
        ([(0, 1), (1, 0)], "edge 1, .*, is given twice"),
        ([(0, "0")], "with the same text"),
        ("ab", "edges is 'ab'; it must be a list"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            build(graph)


def test_weights_without_a_graph_of_networkx() -> None:
    for build in (models.perfect_matchings, models.vertex_covers, models.dominating_sets):
        with pytest.raises(InvalidArgument, match="weight is 'w', an attribute in a graph of Netw"):
            build([(0, 1)], weight="w")
    graph = nx.Graph()
    graph.add_edge("a", "b", w=1.5)
    with pytest.raises(dlx.InvalidCost, match=r"option 0 \(\('a', 'b'\)\) has the cost 1\.5"):
        models.perfect_matchings(graph, weight="w")


def test_a_lone_vertex_named_like_an_edge() -> None:
    with pytest.raises(InvalidArgument, match="vertex 'e0' is named like an item of this model"):
        models.vertex_covers([(0, 1)], ["e0"])


def test_matchings_by_number_or_graph() -> None:
    assert models.matchings(3) == models.perfect_matchings(models.complete_graph(6))
    for wrong in (0, -1, True, 2.5, None):
        with pytest.raises(InvalidArgument, match="it must be an integer from 1 up"):
            models.matchings(wrong)  # type: ignore[arg-type]


def test_models_by_name() -> None:
    assert models.make("matchings", ["3"]) == models.matchings(3)
    assert models.make("matchings", ["petersen"]).count() == 6
    assert models.make("vertex-covers", ["cycle5"]).count() == 11
    assert models.make("dominating-sets", ["a-b", "b-c"]).count() == 5
    with pytest.raises(InvalidArgument, match="n is -2; it must be an integer from 1 up"):
        models.make("matchings", ["-2"])
    with pytest.raises(InvalidArgument, match="'three' is neither an edge 'a-b' nor the name of a"):
        models.make("matchings", ["three"])


# -- incidence graphs ----------------------------------------------------------------------------


@given(case=multi_cases(), data=st.data())
def test_a_problem_survives_its_incidence_graph(case: Case, data: st.DataObject) -> None:
    count = len(case.options)
    costs = data.draw(st.lists(st.integers(-9, 9), min_size=count, max_size=count))
    plain = case.problem(costs)
    graph = models.incidence_graph(plain)
    assert nx.is_bipartite(graph)
    assert graph.number_of_edges() == plain.entry_count
    assert len(graph) == len(plain.items) + len(plain)
    assert models.from_incidence_graph(graph) == plain


def test_names_survive_an_incidence_graph() -> None:
    problem = models.dominoes(2, 3)
    assert models.from_incidence_graph(models.incidence_graph(problem)) == problem
    same = dlx.Problem.from_options({"a": ["a", 0], 0: ["a"]})  # options named like items
    assert models.from_incidence_graph(models.incidence_graph(same)).solve() == ("a",)


def test_graphs_of_others_become_problems() -> None:
    graph = nx.complete_bipartite_graph(2, 3)
    problem = models.from_incidence_graph(graph)
    assert problem.names == (0, 1)
    assert problem.items == (2, 3, 4)
    assert problem.count() == 2


@pytest.mark.parametrize(
    ("edges", "sides", "message"),
    [
        ([("x", "a")], {"x": 0}, "node 'a' has bipartite=None; it must be 0 for an option, or 1"),
        ([("x", "a")], {"x": 0, "a": 2}, "node 'a' has bipartite=2"),
        ([("x", "y")], {"x": 0, "y": 0}, "an edge joins the options 'x' and 'y'"),
        ([("a", "b")], {"a": 1, "b": 1}, "an edge joins the items 'a' and 'b'"),
    ],
)
def test_graphs_that_are_no_problems(
    edges: list[tuple[str, str]], sides: dict[str, int], message: str
) -> None:
    graph = nx.Graph(edges)
    nx.set_node_attributes(graph, sides, "bipartite")
    with pytest.raises(InvalidArgument, match=message):
        models.from_incidence_graph(graph)


@pytest.mark.parametrize(
    ("kind", "message"), [(nx.DiGraph, "graph is a directed graph"), (nx.MultiGraph, "a multigr")]
)
def test_incidence_graphs_that_would_lose_edges(kind: type[nx.Graph], message: str) -> None:
    graph = kind([("x", "a"), ("b", "x")])
    nx.set_node_attributes(graph, {"x": 0, "a": 1, "b": 1}, "bipartite")
    with pytest.raises(InvalidArgument, match=message):
        models.from_incidence_graph(graph)


def test_what_is_not_a_graph() -> None:
    for wrong in (3, [(0, 1)], None):
        with pytest.raises(InvalidArgument, match="is not a graph of NetworkX"):
            models.from_incidence_graph(wrong)
