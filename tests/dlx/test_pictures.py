"""Pictures: recordings of a search, the page that plays them, boards, and what notebooks show."""

from __future__ import annotations

import doctest
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case
from commands import Run
from folders import ROOT
from hypothesis import given
from hypothesis import strategies as st
from internals import numbered, table_of
from strategies import cases, multi_cases

import dlx
import sudoku
from dlx import models
from dlx.analysis.diagram.drawing import GAP, LAYER, MOST, place_in_row
from dlx.cli.main import main
from dlx.drawing.matrix_picture import GIVEN, GONE, LIVE
from dlx.drawing.recording import RECORDED, Recording, record
from dlx.drawing.search_tree import TreeNode, read_tree
from dlx.links.build import build_matrix_of_kind
from dlx.links.matrix import PURIFIED, Matrix, Node
from dlx.models import dominoes, make, pentominoes, polyominoes, queen_domination, queens, soma

SVG = "{http://www.w3.org/2000/svg}"


def lists_of(matrix: Matrix) -> list[object]:
    """All that the links say: who is in which list, in order, and which entries are purified."""
    vertical = []
    for header in matrix.headers.values():
        node: Node = header.down
        column = []
        while node is not header:
            column.append((node.option, node.color == PURIFIED))
            node = node.down
        vertical.append(column)
    return [[header.name for header in Matrix.open_headers(matrix)], vertical]


class Player:
    """The links of a recording, moved by its events alone, as the page does it."""

    def __init__(self, recording: Recording) -> None:
        self.nodes = recording.nodes
        headers = [node for node in self.nodes if node.option < 0]
        self.items = len(headers)
        self.column = [
            next(place for place, header in enumerate(headers) if node.head is header)
            for node in self.nodes
        ]
        self.primary = [header.primary for header in headers]
        self.gone = [False] * len(self.nodes)
        self.purified = [False] * len(self.nodes)

    def play(self, operation: int, node: int) -> None:
        if operation < 4:
            assert self.gone[node] == bool(operation % 2), "it left twice, or came without leaving"
            self.gone[node] = not operation % 2
        else:
            self.purified[node] = operation == 4

    def lists(self) -> list[object]:
        vertical: list[list[tuple[int, bool]]] = [[] for _ in range(self.items)]
        for place in range(self.items, len(self.nodes)):
            if not self.gone[place]:
                entry = (self.nodes[place].option, self.purified[place])
                vertical[self.column[place]].append(entry)
        opened = [
            self.nodes[item].head.name
            for item in range(self.items)
            if self.primary[item] and not self.gone[item]
        ]
        return [opened, vertical]


@given(
    case=cases() | multi_cases(weights=True),
    cut=st.integers(0, 30),
    seed=st.none() | st.integers(0, 3),
)
def test_the_events_of_a_recording_are_what_happened_to_the_links(
    case: Case, cut: int, seed: int | None
) -> None:
    problem = case.problem()
    prepared = numbered(problem, seed)
    recording = record(
        build_matrix_of_kind(table_of(problem), prepared.rank, prepared.order, RECORDED), cut
    )
    every = sum(1 for _ in problem.matrix(seed).search())
    assert recording.complete == (every <= cut)
    assert len(recording.steps) == min(every, cut)

    plain = problem.matrix(seed)
    search = plain.search()
    player, played = Player(recording), 0
    begin = player.lists()
    for (events, step), expected in zip(recording.steps, search, strict=False):
        assert step == expected
        for event in recording.events[played:events]:
            player.play(*event)
        played = events
        assert player.lists() == lists_of(plain)
    search.close()
    for operation, node in reversed(recording.events[:played]):
        player.play(operation ^ 1, node)
    assert player.lists() == begin


def data_of(page: str) -> dict[str, object]:
    """What the page's script is given."""
    found = re.search(r"^const data = (\{.*\});$", page, re.MULTILINE)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def test_a_page_has_all_steps_and_loads_nothing() -> None:
    problem = dlx.Problem(["a", "<b>"])
    problem.add_option(["a"], name="</script><script>alert(1)</script>")
    problem.add_option(["<b>"])
    page = problem.trace_page(title="<i>&")
    assert page.count("<script>") == page.count("</script>") == 1
    assert "<title>&lt;i&gt;&amp;</title>" in page
    assert not re.search(r"(src|href|url|import)\s*[=(]", page)
    data = data_of(page)
    assert data["complete"] is True
    assert [step["kind"] for step in data["steps"]] == [  # type: ignore[attr-defined]
        *["choose", "try", "choose", "try", "solution", "give up", "give up"]
    ]
    assert data["options"][0]["name"] == "</script><script>alert(1)</script>"  # type: ignore[index]


def test_a_page_that_is_cut_says_so() -> None:
    page = queens(4).trace_page(steps=5)
    assert "5 steps" in page
    assert "cut here, there are more steps" in page
    assert "0 steps" in queens(4).trace_page(steps=0)
    for steps in (-1, "x", 1.5, None, True):
        with pytest.raises(dlx.InvalidArgument, match=r"steps is .*it must be an integer from 0"):
            queens(4).trace_page(steps=steps)  # type: ignore[arg-type]
    assert data_of(page)["complete"] is False


def test_too_large_for_a_page() -> None:
    with pytest.raises(dlx.InvalidArgument, match="3770 items and entries; a page shows up"):
        queens(30).trace_page()


def test_pages_show_multiplicities() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["a"]], multiplicities={"a": (1, 2)})
    steps = data_of(problem.trace_page())["steps"]
    solutions = [step["taken"] for step in steps if step["kind"] == "solution"]  # type: ignore[attr-defined]
    assert sorted(solutions) == sorted(map(list, problem.solutions()))


def rectangles(svg: str) -> list[ET.Element]:
    """The cells drawn; the first rectangle is the paper."""
    return ET.fromstring(svg).findall(f"{SVG}rect")[1:]


def test_a_tiling_is_drawn_cell_by_cell() -> None:
    problem = pentominoes(6, 10)
    svg = problem.picture(problem.solve() or ())
    assert len(rectangles(svg)) == 60
    assert len({cell.get("fill") for cell in rectangles(svg)}) > 3
    assert sorted(str(text.text) for text in ET.fromstring(svg).iter(f"{SVG}text")) == sorted(
        "FILNPTUVWXYZ"
    )


def test_neighbours_differ_in_color() -> None:
    problem = dominoes(6, 6)
    solution = problem.solve(seed=2)
    assert solution is not None
    cells = rectangles(problem.picture(solution))
    fill = {divmod(place, 6): cell.get("fill") for place, cell in enumerate(cells)}
    owner = {cell: pair for pair in solution for cell in pair}  # type: ignore[attr-defined]
    for (row, column), shade in fill.items():
        for other in ((row + 1, column), (row, column + 1)):
            if other in fill:
                assert (fill[other] == shade) == (owner[other] == owner[row, column])


@pytest.mark.parametrize("first", [0, 1, 7])
def test_a_chessboard_begins_with_its_first_row(first: int) -> None:
    """Rows from r1 to r4 are four, as are those from r0 to r3."""
    places = [(row, column) for row in range(first, first + 4) for column in range(1, 5)]
    problem = dlx.Problem.from_options(
        {f"{row}{column}": [f"r{row}", f"c{column}"] for row, column in places}
    )
    svg = problem.picture([f"{first}2", f"{first + 3}4"])
    assert len(rectangles(svg)) == 16 + 1  # and the frame
    crowns = [str(crown.get("points")) for crown in ET.fromstring(svg).iter(f"{SVG}polygon")]
    assert [crown.split(",")[0] for crown in crowns] == ["60", "140"]  # columns 2 and 4


@pytest.mark.parametrize(
    "items",
    [
        ["r0", "r1000000", "c0"],
        ["r0", "c0", "c999999999"],
        ["0,0", "0,250000"],
        ["-500,0", "0,500"],
        ["999999999,0,0"],
    ],
)
def test_boards_that_are_too_large_are_refused(items: list[str]) -> None:
    problem = dlx.Problem.from_options([items])
    with pytest.raises(dlx.InvalidArgument, match=r"a board of .* squares.* at most 250,000"):
        problem.picture([])
    enough = dlx.Problem.from_options([["0,0", "0,249999"]])
    assert len(rectangles(enough.picture([]))) == 2
    endless = dlx.Problem.from_options([["r" + "1" * 5000, "c1"]])
    with pytest.raises(dlx.InvalidArgument, match="cannot draw the solution"):
        endless.picture([])


def test_holes_and_layers_and_parts_of_solutions() -> None:
    region = [(0, 0), (0, 1), (5, 5), (5, 6)]
    problem = polyominoes({"bar": [(0, 0), (0, 1)]}, region, counts={"bar": 2})
    assert len(rectangles(problem.picture(problem.solve() or ()))) == 4
    assert {cell.get("fill") for cell in rectangles(problem.picture(()))} == {"none"}
    assert len(rectangles(soma().picture(soma().solve() or ()))) == 27


def test_queens_are_crowns() -> None:
    problem = queens(6)
    svg = problem.picture(problem.solve() or ())
    assert len(ET.fromstring(svg).findall(f"{SVG}g")) == 6


@pytest.mark.parametrize(("n", "queens"), [(8, 5), (5, 3), (3, 1), (2, 2), (1, 1)])
def test_queens_that_rule_a_board_stand_on_their_squares(n: int, queens: int) -> None:
    problem = queen_domination(n, queens)
    solution = problem.solve()
    assert solution is not None
    svg = problem.picture(solution)
    looks = [piece.get("fill") for piece in ET.fromstring(svg).iter(f"{SVG}rect")]
    assert looks.count("#e9e4d8") + looks.count("#b3a58c") == n * n
    assert crowns(svg) == set(solution)
    assert len(solution) == queens


def test_pieces_that_lie_on_each_other_are_not_drawn() -> None:
    problem = dlx.Problem.from_options(
        {"left": ["0,0", "0,1"], "right": ["0,1", "0,2"]}, multiplicities={"0,1": (1, 2)}
    )
    with pytest.raises(dlx.InvalidArgument, match="two options overlap at 0,1"):
        problem.picture(["left", "right"])


def test_words_are_letters_in_cells(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("ab\ncd\nac\nbd\n")
    problem = make("words", ["2", "2", str(tmp_path / "words.txt")])
    solution = problem.solve()
    assert solution is not None
    drawn = ET.fromstring(problem.picture(solution))
    letters = [text.text for text in drawn.iter(f"{SVG}text")]
    assert letters in (["a", "b", "c", "d"], ["a", "c", "b", "d"])


def crowns(svg: str) -> set[tuple[int, int]]:
    """The squares of the queens that are drawn."""
    tops = [
        tuple(map(float, str(crown.get("points")).split()[2].split(",")))
        for crown in ET.fromstring(svg).iter(f"{SVG}polygon")
    ]  # the middle of the crown, 20 to the right and 9 below the corner of its square
    return {(int((y - 21) // 40), int((x - 32) // 40)) for x, y in tops}


@pytest.mark.parametrize(
    ("row", "column"),
    [("row", "column"), ("r", "c"), ("Row", "Col")],
)
def test_queens_whose_items_are_tuples(row: str, column: str) -> None:
    """As in docs/modelling.md, and with other words; the names of the options do not matter."""
    n = 6
    problem = dlx.Problem(
        primary=[(kind, i) for i in range(n) for kind in (row, column)],
        secondary=[(kind, i) for i in range(1 - n, 2 * n) for kind in ("up", "down")],
    )
    for r in range(n):
        for c in range(n):
            items = [(row, r), (column, c), ("up", r + c), ("down", r - c)]
            problem.add_option(items, name=(r, c))
    solution = problem.solve()
    assert solution is not None
    assert crowns(problem.picture(solution)) == set(solution)


def test_examples_of_the_modelling_page_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its queens and its word square show their solutions."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "modelling.md").read_text("utf-8")
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(page):
        exec(example.source, names)
        if "square" in example.source and "save" in example.source:
            break
    board = names["queens"](8)
    assert len(crowns(board.picture(board.solve()))) == 8
    solution = next(names["square"].solutions())
    letters = [
        text.text for text in ET.fromstring(names["square"].picture(solution)).iter(f"{SVG}text")
    ]
    words = ["".join(letters[i : i + 3]) for i in (0, 3, 6)]
    assert {("across", i, word) for i, word in enumerate(words)} < set(solution)


@pytest.mark.parametrize(
    "item", [lambda r, c: (r, c), lambda r, c: ("cell", r, c), lambda r, c: (0, r, c)]
)
def test_tilings_whose_items_are_tuples(item: Callable[[int, int], Any]) -> None:
    dominoes = [[(r, c), (r, c + 1)] for r in range(2) for c in range(2)]
    dominoes += [[(0, c), (1, c)] for c in range(3)]
    problem = dlx.Problem.from_options(
        [[item(*cell) for cell in cells] for cells in dominoes],
    )
    solution = problem.solve()
    assert solution is not None
    texts = dlx.Problem.from_options([[f"{r},{c}" for r, c in cells] for cells in dominoes])
    assert problem.picture(solution) == texts.picture(solution)


def test_the_word_of_a_piece_that_is_a_tuple() -> None:
    problem = dlx.Problem.from_options([[("piece", "T"), (0, 0), (0, 1)]])
    texts = ET.fromstring(problem.picture([0])).iter(f"{SVG}text")
    assert [text.text for text in texts] == ["T"]


@pytest.mark.parametrize(
    "items",
    [
        [("row", 1, 2), ("column", 1, 2)],  # which of them is a cell?
        [(True, False)],
        [(1.5, 2.5)],
        [("row", 1), ("row", 2), ("column", 3)],
        [("up", 1), ("down", 2)],
        [(0, 10**9)],
        [(-1, 0, 0)],
    ],
)
def test_tuples_that_are_no_places(items: list[Any]) -> None:
    with pytest.raises(dlx.InvalidArgument, match="cannot draw"):
        dlx.Problem.from_options([items]).picture([0])


def test_nothing_to_draw() -> None:
    problem = dlx.Problem.from_options([["a"], ["b"]])
    with pytest.raises(dlx.InvalidArgument, match="cannot draw"):
        problem.picture([0, 1])
    with pytest.raises(dlx.UnknownOption, match="7"):
        dlx.Problem.from_options([["0,0"]]).picture([7])


def test_notebooks_see_the_matrix_of_a_small_problem() -> None:
    problem = dlx.Problem(["<a>"], ["s"])
    problem.add_option(["<a>", dlx.colored("s", "red")])
    html = problem._repr_html_()
    assert "<th>&lt;a&gt;</th>" in html
    assert "<th><i>s</i></th>" in html
    assert "<td>1</td><td>red</td>" in html
    assert "table" not in queens(8)._repr_html_()
    many = dlx.Problem.from_options([["a"]] * 61)
    assert "and 1 more option<" in many._repr_html_()


def test_the_commands_write_pages_and_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], run: Run
) -> None:
    file, page, picture = (str(tmp_path / name) for name in ("d.dlx", "p.html", "p.svg"))
    dominoes(2, 3).dump(file)
    assert main(["trace", file, "--html", page]) == 0
    assert "Algorithm X on d.dlx" in Path(page).read_text()
    assert main(["solve", file, "--svg", picture]) == 0
    assert len(rectangles(Path(picture).read_text())) == 6
    capsys.readouterr()
    assert (
        "No such file"
        in run("trace", file, "--html", str(tmp_path / "no" / "p.html"), status=2).err
    )
    assert run("trace", file, "--html", "-").out.startswith("<!DOCTYPE html>")


# -- Pictures of search trees and diagrams: all that is there is drawn, where it belongs ---------


problems = (cases() | multi_cases(weights=True)).map(lambda case: case.problem())
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


# -- matrices --------------------------------------------------------------------------------------


@given(problems, st.data())
def test_a_matrix_has_a_dot_for_each_entry_colored_by_what_givens_leave(
    problem: dlx.Problem, data: st.DataObject
) -> None:
    chosen = [data.draw(st.sampled_from(problem.names))] if len(problem) else []
    picture = problem.matrix_picture(iter(chosen))
    dots = {
        color: path.count("z")
        for color, path in re.findall(r'<path fill="(.*?)" d="(.*?)"', picture)
    }
    left = set(problem.residual(chosen).names)
    sizes = {name: len(option) for name, option in zip(problem.names, problem.options, strict=True)}
    live = sum(sizes[name] for name in left)
    given_size = sum(map(sizes.__getitem__, chosen))
    wanted = {GIVEN: given_size, LIVE: live, GONE: sum(sizes.values()) - live - given_size}
    assert dots == {color: number for color, number in wanted.items() if number}


def test_the_matrix_of_a_sudoku_names_its_kinds_of_items() -> None:
    picture = sudoku.cover().matrix_picture([(1, 1, 5)])
    assert re.findall(r"<text[^>]*>(.*?)<", picture) == ["cell", "row", "column", "box"]
    with pytest.raises(dlx.InvalidArgument, match=r"4000 columns, .* draw what is left"):
        dlx.Problem.from_options([range(4000)]).matrix_picture()


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


def test_saving_a_picture(tmp_path: Path) -> None:
    board = models.queens(6)
    picture = board.picture(board.solve())
    picture.save(tmp_path / "queens.svg")
    assert (tmp_path / "queens.svg").read_bytes() == picture.encode()
    with pytest.raises(dlx.InvalidArgument, match=r"'queens.jpg' must end in .svg, .png or .pdf"):
        picture.save(tmp_path / "queens.jpg")
    with pytest.raises(dlx.InvalidArgument, match="path is 7; it must be the path of a file"):
        picture.save(7)  # type: ignore[arg-type]


def test_saving_pixels_and_pages(tmp_path: Path) -> None:
    pytest.importorskip("cairosvg")
    board = models.queens(6)
    picture = board.picture(board.solve())
    picture.save(str(tmp_path / "queens.PNG"))
    data = (tmp_path / "queens.PNG").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert f'width="{int.from_bytes(data[16:20], "big") // 2}"' in picture
    picture.save(tmp_path / "queens.pdf")
    assert (tmp_path / "queens.pdf").read_bytes().startswith(b"%PDF")


def test_saving_pixels_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(dlx.InvalidArgument, match=r"CairoSVG \(pip install CairoSVG\)"):
        models.queens(4).picture([]).save(tmp_path / "queens.png")
    assert not [*tmp_path.iterdir()]


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


def test_the_command_draws_what_givens_leave(tmp_path: Path, run: Run) -> None:
    file, picture, tree = (str(tmp_path / name) for name in ("x.dlx", "matrix.svg", "tree.svg"))
    problem = dlx.Problem.from_options([*EXAMPLE.values(), list("adfg"), ["a"]])
    problem.dump(file)  # commands number the options
    given, forbid = 5, 1
    chosen = ["--given", str(given), "--forbid", str(forbid)]
    rest = problem.residual([given], forbid=[forbid])
    assert main(["trace", *chosen, "--matrix", picture, "--svg", tree, file]) == 0
    assert Path(picture).read_text() == problem.matrix_picture([given], forbid=[forbid])
    assert Path(tree).read_text() == rest.tree_picture()
    assert Path(tree).read_text() == problem.tree_picture(given=[given], forbid=[forbid])
    assert problem.trace_page(given=[given], forbid=[forbid]) == rest.trace_page()
    assert run("trace", *chosen, file).out.count("solution!") == rest.count()
    assert "no option has the name" in run("trace", "--given", "x", file, status=2).err
