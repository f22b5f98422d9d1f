"""Pictures of search trees and diagrams: all that is there is drawn, where it belongs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, multi_cases

import dlx
from dlx import models
from dlx.analysis.diagram.drawing import GAP, LAYER, MOST, place_in_row
from dlx.cli.main import main
from dlx.drawing.search_tree import TreeNode, read_tree

problems = (cases() | multi_cases(weights=True)).map(lambda case: case.problem())
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = {
    "red": ["c", "e"], "blue": ["a", "d", "g"], "gold": ["b", "c", "f"],
    "pink": ["a", "d", "f"], "grey": ["b", "g"], "lime": ["d", "e", "g"],
}  # fmt: skip


def nodes_of(root: TreeNode | None) -> list[TreeNode]:
    found = [] if root is None else [root]
    for node in found:
        found += node.children
    return found


def boxes(picture: str) -> list[tuple[str, str, tuple[float, ...]]]:
    """The word, the fill, and the left, top, right and bottom of each box."""
    found = []
    for group in ET.fromstring(picture).iter(f"{SVG}g"):
        box, text = group.find(f"{SVG}rect"), group.find(f"{SVG}text")
        assert box is not None
        assert text is not None
        x, y, width, height = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        found.append((str(text.text), box.attrib["fill"], (x, y, x + width, y + height)))
    return found


def assert_apart(drawn: list[tuple[str, str, tuple[float, ...]]], picture: str) -> None:
    """No two boxes overlap, and all are in the picture."""
    page = ET.fromstring(picture)
    width, height = float(page.attrib["width"]), float(page.attrib["height"])
    for number, (_, _, (left, top, right, bottom)) in enumerate(drawn):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        for _, _, (x, y, z, w) in drawn[:number]:
            assert right <= x or z <= left or bottom <= y or w <= top


# -- trees -----------------------------------------------------------------------------------------


@given(problems)
def test_a_tree_has_the_nodes_of_the_search(problem: dlx.Problem) -> None:
    with problem.solutions(engine="links") as search:
        solutions = list(search)
    every = nodes_of(read_tree(problem.matrix().search(), 10**6))
    depths = Counter(node.depth for node in every)
    if every:  # a search without open items has a solution and no step to see
        assert tuple(depths[depth] for depth in range(len(depths))) == search.stats.profile
        assert sum(node.kind == "solution" for node in every) == len(solutions)
        assert not any(node.kind == "cut" for node in every)


@given(problems, st.integers(1, 8))
def test_a_tree_is_cut_after_so_many_nodes(problem: dlx.Problem, nodes: int) -> None:
    whole = nodes_of(read_tree(problem.matrix().search(), 10**6))
    every = nodes_of(read_tree(problem.matrix().search(), nodes))
    drawn = [node for node in every if node.kind != "cut"]
    assert len(drawn) == min(nodes, len(whole))
    assert (len(whole) > nodes) == any(node.kind == "cut" for node in every)


@given(cases(), st.integers(1, 8))
def test_three_dots_are_where_options_are_left(case: Case, nodes: int) -> None:
    """The items of a cut tree have three dots just if they have more options in the whole tree."""
    problem = case.problem()
    whole = read_tree(problem.matrix().search(), 10**6)
    waiting = [(read_tree(problem.matrix().search(), nodes), whole)]
    for drawn, complete in waiting:  # grows
        if drawn is None or complete is None:
            continue
        shown = [child for child in drawn.children if child.kind != "cut"]
        assert (len(shown) < len(complete.children)) == (len(shown) < len(drawn.children))
        waiting += zip(shown, complete.children, strict=False)


def test_dots_on_each_level() -> None:
    every = nodes_of(read_tree(models.langford(7).matrix().search(), 40))
    assert sorted(node.depth for node in every if node.kind == "cut") == [1, 2, 3, 4, 5]


def test_the_picture_of_a_tree() -> None:
    picture = dlx.Problem.from_options(EXAMPLE).tree_picture()
    drawn = boxes(picture)
    assert Counter(word for word, *_ in drawn) == Counter(
        {"c": 1, "b": 1, "a": 2, "solution": 1, "e": 1}
    )
    assert [fill for word, fill, _ in drawn if word == "a"] == ["#e3ecf7", "#fb9a99"]
    assert_apart(drawn, picture)
    words = re.findall(r'text-anchor="end"[^>]*><title>[^<]*</title>([^<]*)<', picture)
    assert sorted(words) == ["gold", "grey", "lime", "pink", "red"]


@pytest.mark.parametrize("nodes", [1, 2, 30, 200])
def test_boxes_of_a_tree_do_not_overlap(nodes: int) -> None:
    for problem in (models.langford(7), models.queen_domination(4, 2)):
        picture = problem.tree_picture(nodes=nodes)
        assert_apart(boxes(picture), picture)


def test_names_are_escaped_and_cut() -> None:
    problem = dlx.Problem.from_options({"<" * 30: ["a&b"], "y": ["a&b"]})
    picture = problem.tree_picture()
    assert f"{'&lt;' * 23}\u2026<" in picture
    assert f"<title>{'&lt;' * 30}</title>" in picture
    assert boxes(picture)[0][0] == "a&b"


@pytest.mark.parametrize("nodes", [0, 2001, "3"])
def test_numbers_of_nodes_out_of_range(nodes: int) -> None:
    with pytest.raises(dlx.InvalidArgument, match="nodes is"):
        models.queens(4).tree_picture(nodes=nodes)


def test_a_problem_without_items_is_solved_at_once() -> None:
    assert "solution" in dlx.Problem().tree_picture()


def test_the_command(tmp_path: Path) -> None:
    file, picture, page = (tmp_path / name for name in ("q.dlx", "tree.svg", "page.html"))
    dlx.Problem.from_options(EXAMPLE.values()).dump(file)  # commands number the options
    assert main(["trace", "--svg", str(picture), "--html", str(page), str(file)]) == 0
    assert picture.read_text() == dlx.Problem.load(file).tree_picture()
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert main(["trace", "--svg", str(picture), "--nodes", "3", "--seed", "1", str(file)]) == 0
    assert picture.read_text() == dlx.Problem.load(file).tree_picture(nodes=3, seed=1)


# -- diagrams --------------------------------------------------------------------------------------


def arrows(picture: str) -> list[tuple[str, tuple[float, float], tuple[float, float]]]:
    """The kind, the start and the end of each line."""
    found = []
    for path in ET.fromstring(picture).iter(f"{SVG}path"):
        kind = "dashed" if "stroke-dasharray" in path.attrib else "solid"
        for line in path.attrib["d"].split("M")[1:]:
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", line)]
            found.append((kind, (numbers[0], numbers[1]), (numbers[-2], numbers[-1])))
    return found


@given(problems, st.sampled_from(["search", "narrow"]))
def test_a_diagram_can_be_read_off_its_picture(problem: dlx.Problem, order: str) -> None:
    """By the lines from box to box: these are the solutions, in the diagram's order."""
    diagram = problem.diagram(order=order)  # type: ignore[arg-type]
    if diagram.nodes > MOST or not diagram.count():
        return
    picture = diagram.picture()
    drawn = boxes(picture)
    assert len(drawn) == diagram.nodes + 1
    assert_apart(drawn, picture)
    below: dict[int, dict[str, int]] = {number: {} for number in range(len(drawn))}
    for kind, (x, y), (z, w) in arrows(picture):
        upper, lower = (
            next(
                number
                for number, (_, _, box) in enumerate(drawn)
                if abs((box[0] + box[2]) / 2 - across) < 0.01 and abs(box[side] - down) < 0.01
            )
            for across, down, side in ((x, y, 3), (z, w, 1))
        )
        below[upper][kind] = lower

    def solutions(node: int, taken: tuple[str, ...]) -> list[tuple[str, ...]]:
        if drawn[node][0] == "\u2713":
            return [taken]
        found = solutions(below[node]["solid"], (*taken, drawn[node][0]))
        other = below[node].get("dashed")
        return found if other is None else found + solutions(other, taken)

    assert solutions(0, ()) == [tuple(map(str, solution)) for solution in diagram]


def test_few_lines_cross() -> None:
    """Without sorting, 49 pairs do."""
    picture = models.dominoes(4, 4).diagram(order="narrow").picture()
    pieces = []
    for path in ET.fromstring(picture).iter(f"{SVG}path"):
        for line in path.attrib["d"].split("M")[1:]:
            x, y, *rest = map(float, re.findall(r"-?[\d.]+", line))
            points = [(x, y), *zip(rest[4::6], rest[5::6], strict=True)]
            pieces += pairwise(points)
    crossed = [
        (one, other)
        for one, other in combinations(pieces, 2)
        if one[0][1] // LAYER == other[0][1] // LAYER  # in the same layer
        and (one[0][0] - other[0][0]) * (one[1][0] - other[1][0]) < 0
    ]
    assert len(crossed) <= 8


def test_no_solution_and_the_empty_one() -> None:
    assert [word for word, *_ in boxes(models.langford(5).diagram().picture())] == ["no solution"]
    assert [word for word, *_ in boxes(dlx.Problem().diagram().picture())] == ["\u2713"]


def test_a_diagram_with_too_many_nodes() -> None:
    diagram = models.langford(7).diagram()
    with pytest.raises(dlx.InvalidArgument, match="has 267 nodes; a picture has room for 200"):
        diagram.picture()
    assert "<img" not in diagram._repr_html_()
    assert "<img" in models.queens(6).diagram()._repr_html_()


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(0, 50)), min_size=1, max_size=8))
def test_places_in_a_row(things: list[tuple[float, float]]) -> None:
    """In order, without overlap; moving one thing, or all from one on, brings none nearer."""
    wanted, widths = zip(*things, strict=True)
    places = place_in_row(wanted, widths)
    room = [
        right - left - (a + b) / 2 - GAP
        for left, right, a, b in zip(places, places[1:], widths, widths[1:], strict=False)
    ]
    assert all(space > -1e-6 for space in room)

    def cost(moved: list[float]) -> float:
        return sum((place - target) ** 2 for place, target in zip(moved, wanted, strict=True))

    for first in range(len(places)):
        for last in range(first + 1, len(places) + 1):
            for step in (-0.01, 0.01):
                moved = [*places[:first], *(p + step for p in places[first:last]), *places[last:]]
                blocked = (step < 0 and first and room[first - 1] < 0.01) or (
                    step > 0 and last < len(places) and room[last - 1] < 0.01
                )
                assert blocked or cost(moved) > cost(places) - 1e-6
