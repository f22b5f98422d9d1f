"""The dance itself: every step is undone exactly by its inverse, and check() sees what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from bruteforce import Case, search_slowly
from example_problems import TAOCP_EXAMPLE
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_cases, cases, large_cases, possible_givens

import dlx
from dlx.links.heuristics import HEURISTICS
from dlx.links.matrix import NO_COLOR, PURIFIED, Header, Matrix, Node, TraceStep

COLOR_EXAMPLE = [  # 7.2.2.1, (49)
    ["p", "q", "x", dlx.colored("y", "A")],
    ["p", "r", dlx.colored("x", "A"), "y"],
    ["p", dlx.colored("x", "B")],
    ["q", dlx.colored("x", "A")],
    ["r", dlx.colored("y", "B")],
]


def lay(case: Case) -> Matrix:
    return Matrix(case.primary, case.secondary, case.options)


def nodes_of(matrix: Matrix) -> list[Node]:
    """Root, headers and entries: also those that are out of their lists."""
    nodes: list[Node] = [matrix.root, *matrix.headers.values()]
    for first in matrix.options:
        node = first
        while True:
            nodes.append(node)
            node = node.right
            if node is first:
                break
    return nodes


def links_of(matrix: Matrix) -> list[object]:
    """Every link, color and count there is."""
    matrix.check()
    links: list[object] = [matrix.uncoverable, list(getattr(matrix, "_levels", ()))]
    for node in nodes_of(matrix):
        links += [id(node.left), id(node.right), id(node.up), id(node.down), node.color]
        if isinstance(node, Header):
            links += [node.length, node.need, getattr(node, "bound", None)]
    return links


class Dancer:
    """Does steps that are allowed at the moment, and undoes them one by one.

    An item is settled once it is covered or purified, or an option was hidden from its list:
    nothing may be done to its list any more. An option can be hidden if all of it is in the lists.
    """

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self.settled: set[Header] = set()
        self.undo: list[tuple[list[object], Callable[[], None], Header | None]] = []

    def steps(self) -> list[tuple[str, Node]]:
        """All steps that may come next."""
        headers = [h for h in self.matrix.headers.values() if h not in self.settled]
        steps: list[tuple[str, Node]] = [("cover", header) for header in headers]
        for node in nodes_of(self.matrix):
            if isinstance(node, Header):
                continue
            if node.head not in self.settled and self.is_live(node):
                steps.append(("hide", node))
            if node.color == PURIFIED or (node.head not in self.settled and not is_linked(node)):
                steps.append(("commit", node))
                if node.color > NO_COLOR:
                    steps.append(("purify", node))
        return steps

    def is_live(self, node: Node) -> bool:
        other = node.right
        while other is not node:
            covered = other.head in self.settled and other.color != PURIFIED
            if covered or not is_linked(other):
                return False
            other = other.right
        return is_linked(node)

    def do(self, what: str, node: Node) -> None:
        before = links_of(self.matrix)
        settles: Header | None = None if node.color == PURIFIED else node.head
        inverse = {
            "cover": lambda: self.matrix.uncover(node.head),
            "hide": lambda: self.matrix.unhide(node),
            "purify": lambda: self.matrix.unpurify(node),
            "commit": lambda: self.matrix.uncommit(node),
        }[what]
        if what == "cover":
            self.matrix.cover(node.head)
        else:
            getattr(self.matrix, what)(node)
        if settles:
            self.settled.add(settles)
        self.undo.append((before, inverse, settles))

    def undo_last(self) -> None:
        before, inverse, settles = self.undo.pop()
        inverse()
        if settles:
            self.settled.remove(settles)
        assert links_of(self.matrix) == before


def is_linked(node: Node) -> bool:
    return node.up.down is node and node.down.up is node


@given(case=cases(max_options=12), data=st.data())
def test_whatever_is_done_can_be_undone(case: Case, data: st.DataObject) -> None:
    dancer = Dancer(lay(case))
    fresh = links_of(dancer.matrix)
    for _ in range(data.draw(st.integers(1, 12))):
        steps = dancer.steps()
        if not steps:
            break
        kind = data.draw(st.sampled_from(sorted({kind for kind, _ in steps})))
        step = data.draw(st.sampled_from([node for name, node in steps if name == kind]))
        dancer.do(kind, step)
        dancer.matrix.check()
        if dancer.undo and data.draw(st.integers(0, 4)) == 0:
            dancer.undo_last()
            dancer.matrix.check()
    while dancer.undo:
        dancer.undo_last()
        dancer.matrix.check()
    assert links_of(dancer.matrix) == fresh


@given(case=cases(max_options=12), data=st.data())
def test_take_and_release(case: Case, data: st.DataObject) -> None:
    matrix = lay(case)
    before = links_of(matrix)
    for node in matrix.options:
        if not node.head.primary:
            continue
        matrix.cover(node.head)
        covered = links_of(matrix)
        matrix.take(node)
        matrix.check()
        matrix.release(node)
        assert links_of(matrix) == covered
        matrix.uncover(node.head)
        assert links_of(matrix) == before


@given(
    case=any_cases(max_options=14) | large_cases(),
    heuristic=st.sampled_from(HEURISTICS),
    stop=st.integers(0, 60) | st.just(500),
    data=st.data(),
)
def test_every_step_keeps_the_invariants_and_all_are_undone(
    case: Case, heuristic: str, stop: int, data: st.DataObject
) -> None:
    problem = case.problem()
    chosen = possible_givens(data, problem, None)
    matrix: Matrix = problem.matrix()
    before = links_of(matrix)
    steps = matrix.search(chosen, heuristic)
    for step in islice(steps, stop):
        matrix.check()
        assert str(step)
    steps.close()
    assert links_of(matrix) == before


@given(case=cases(max_options=14))
def test_a_matrix_can_be_searched_again(case: Case) -> None:
    matrix = lay(case)
    expected = search_slowly(case)
    for _ in range(2):
        assert expected == (list(matrix.solutions()), tuple(matrix.profile))


@given(case=cases(max_options=12))
def test_updates_count_unlinked_nodes(case: Case) -> None:
    """Between two steps of a search, `updates` grows by the nodes that lost their place."""
    matrix = lay(case)
    nodes = nodes_of(matrix)

    def linked_in_columns() -> int:
        return sum(is_linked(node) for node in nodes if not isinstance(node, Header))

    before, updates = linked_in_columns(), 0
    for step in matrix.search():
        now = linked_in_columns()
        if step.kind == "choose":
            assert step.updates - updates == before - now
        before, updates = now, step.updates


# -- what a cover, a purification look like ------------------------------------------------------


def test_cover_by_hand() -> None:
    """Covering a takes options 1 and 3 out of all lists but its own."""
    matrix = Matrix("abcdefg", options=TAOCP_EXAMPLE)
    matrix.cover(matrix.headers["a"])
    expected = {"a": (1, 3), "b": (2, 4), "c": (0, 2), "d": (5,), "e": (0, 5), "f": (2,)}
    columns = {item: [option for option, _ in col] for item, col in matrix.columns().items()}
    assert columns == {item: list(col) for item, col in (expected | {"g": (4, 5)}).items()}
    assert matrix.updates == 4
    assert matrix.root.right.head.name == "b"


def test_purify_by_hand() -> None:
    """Taking "q x:A" hides the options that want x in another color, and marks those that agree."""
    matrix = Matrix("pqr", "xy", COLOR_EXAMPLE)
    entry = matrix.options[3]
    matrix.cover(entry.head)  # item q: options 0 and 3 leave the lists of the others
    matrix.take(entry)  # x gets color A: option 2, and option 0 were it not gone, must go
    assert matrix.columns()["x"] == ((1, PURIFIED), (2, 2))
    assert matrix.columns()["p"] == ((1, NO_COLOR),)
    matrix.check()


# -- the trace -----------------------------------------------------------------------------------


def test_the_steps_of_taocps_example() -> None:
    """TAOCP 7.2.2.1, (5): the solution is the options 0 3 4. Updates counted by hand."""
    matrix = Matrix("abcdefg", options=TAOCP_EXAMPLE)
    assert list(matrix.search()) == [
        TraceStep("choose", 0, "a", None, 2, 4),  # hides adg and adf: two nodes each
        TraceStep("try", 0, "a", 1, 0, 7),  # d: deg loses e, g; g: bg loses b
        TraceStep("choose", 1, "b", None, 1, 9),  # bcf loses c, f
        TraceStep("try", 1, "b", 2, 0, 10),  # c: ce loses e; f has nothing left to hide
        TraceStep("dead end", 2, "e", None, 0, 10),
        TraceStep("give up", 1, "b", None, 0, 10),
        TraceStep("try", 0, "a", 3, 0, 14),  # d: deg loses e, g; f: bcf loses b, c
        TraceStep("choose", 1, "b", None, 1, 15),  # bg loses g
        TraceStep("try", 1, "b", 4, 0, 15),
        TraceStep("choose", 2, "c", None, 1, 16),  # ce loses e
        TraceStep("try", 2, "c", 0, 0, 16),
        TraceStep("solution", 3, None, None, 0, 16),
        TraceStep("give up", 2, "c", None, 0, 16),
        TraceStep("give up", 1, "b", None, 0, 16),
        TraceStep("give up", 0, "a", None, 0, 16),
    ]
    assert matrix.profile == [1, 2, 2, 1]


def test_taocps_color_example(engine: str) -> None:
    """TAOCP 7.2.2.1, (49): the only solution is "q x:A" with "p r x:A y"."""
    problem = dlx.Problem.from_options(COLOR_EXAMPLE, primary=["p", "q", "r"], secondary=["x", "y"])
    assert list(map(sorted, problem.solutions(engine=engine))) == [[1, 3]]
    assert list(map(sorted, Matrix("pqr", "xy", COLOR_EXAMPLE).solutions())) == [[1, 3]]


@given(case=cases(max_options=12))
def test_a_trace_tells_the_truth(case: Case) -> None:
    """Levels nest, what is tried contains the item chosen, dead ends are dead, counts agree."""
    matrix = lay(case)
    tries = solutions = 0
    branches: list[tuple[object, int]] = []
    for step in matrix.search():
        lengths = {header.name: header.length for header in open_headers(matrix)}
        if step.kind == "choose":
            branches.append((step.item, step.options))
            assert step.level == len(branches) - 1
            assert matrix.headers[step.item].length == step.options > 0
        elif step.kind == "try":
            tries += 1
            assert step.item == branches[-1][0]
            assert step.option is not None
            option = case.options[step.option]
            assert any(step.item in (e, getattr(e, "item", None)) for e in option)
        elif step.kind == "dead end":
            assert lengths[step.item] == 0
            assert step.level == len(branches)
        elif step.kind == "solution":
            solutions += 1
            assert not lengths
            assert matrix.uncoverable == 0
        else:
            assert step.kind == "give up"
            assert branches.pop()[0] == step.item
        assert str(step)
    assert not branches
    assert tries + 1 == sum(matrix.profile)
    assert solutions == matrix.solutions_found


def open_headers(matrix: Matrix) -> list[Header]:
    headers, node = [], matrix.root.right
    while node is not matrix.root:
        headers.append(node.head)
        node = node.right
    return headers


def test_labels_and_given() -> None:
    matrix = Matrix("ab", options=["a", "b", "ab", "b"], labels=[7, 5, 3, 1])
    assert list(matrix.solutions()) == [(7, 5), (7, 1), (3,)]
    assert list(matrix.solutions([1])) == [(1, 7)]
    matrix.check()


def test_an_option_may_begin_with_its_secondary_items() -> None:
    matrix = Matrix("a", "x", ["xa"])
    before = links_of(matrix)
    assert list(matrix.solutions([0])) == [(0,)]
    assert links_of(matrix) == before


# -- check() -------------------------------------------------------------------------------------


DAMAGE: dict[str, Callable[[Matrix], tuple[object, str, object]]] = {
    "length": lambda m: (m.headers["c"], "length", m.headers["c"].length + 1),
    "length of a secondary item": lambda m: (m.headers["x"], "length", m.headers["x"].length - 1),
    "uncoverable": lambda m: (m, "uncoverable", 1),
    "up": lambda m: (m.headers["b"], "up", m.headers["b"].up.up),
    "down": lambda m: (m.headers["b"], "down", m.headers["b"].down.down),
    "right of the root": lambda m: (m.root, "right", m.root.right.right),
    "left of the root": lambda m: (m.root, "left", m.root.left.left),
    "right in an option": lambda m: (m.options[1], "right", m.options[1].right.right),
    "left in an option": lambda m: (m.options[1], "left", m.options[1].left.left),
    "option": lambda m: (m.options[0].right, "option", 5),
    "head": lambda m: (m.options[0], "head", m.headers["d"]),
}
"""An object, an attribute of it, and a wrong value."""


def make_primary(matrix: Matrix) -> None:
    """A secondary item among the primary ones."""
    header = matrix.headers["x"]
    header.left, header.right = matrix.root.left, matrix.root
    header.left.right = header.right.left = header


def unlink(matrix: Matrix) -> None:
    """A node taken out of its list, its length forgotten."""
    node = matrix.options[2]
    node.up.down, node.down.up = node.down, node.up


@pytest.mark.parametrize(
    "damage",
    [
        *(lambda matrix, wrong=wrong: setattr(*wrong(matrix)) for wrong in DAMAGE.values()),
        make_primary,
        unlink,
    ],
    ids=[*DAMAGE, "primary", "unlinked"],
)
def test_check_sees_damage(damage: Callable[[Matrix], None]) -> None:
    matrix = Matrix("abcdefg", "x", [*TAOCP_EXAMPLE, "ax"])
    matrix.check()
    damage(matrix)
    with pytest.raises(AssertionError):
        matrix.check()
