"""Sheets: the pictures of many solutions in one SVG, and the paths around pieces."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx.cli.main import main
from dlx.drawing import sheets
from dlx.drawing.pictures import outline
from dlx.models import dominoes, latin_square, make, pentominoes, queens, soma

SVG = "{http://www.w3.org/2000/svg}"
Cells = frozenset[tuple[int, int]]
areas = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1)


def inside(path: str, side: int) -> Cells:
    """The cells of a closed path of horizontal and vertical lines, by the even-odd rule."""
    edges = []  # vertical: x, and the rows beside
    for loop in re.findall(r"M(-?\d+) (-?\d+)([^M]*)z", path):
        first_x, first_y, steps = int(loop[0]), int(loop[1]), loop[2]
        x, y = first_x, first_y
        corners = [(x, y)]
        for letter, text in re.findall(r"([hv])(-?\d+)", steps):
            x, y = (x + int(text), y) if letter == "h" else (x, y + int(text))
            corners.append((x, y))
        corners.append((first_x, first_y))
        for (x1, y1), (x2, y2) in pairwise(corners):
            assert x1 == x2 or y1 == y2
            if x1 == x2:
                edges += [
                    (x1 // side, row) for row in range(min(y1, y2) // side, max(y1, y2) // side)
                ]
    rows = {row for _, row in edges}
    found = set()
    for row in rows:
        crossings = sorted(x for x, other in edges if other == row)
        for left, right in zip(crossings[::2], crossings[1::2], strict=True):
            found |= {(row, column) for column in range(left, right)}
    return frozenset(found)


@given(area=areas, side=st.integers(1, 9))
def test_the_path_around_places_has_those_inside(area: Cells, side: int) -> None:
    path = outline(area, side)
    assert inside(path, side) == area
    assert not re.search(r"h-?\d+h|v-?\d+v", path), "only corners are named"


def test_the_path_around_a_square() -> None:
    assert outline([(0, 0), (0, 1), (1, 0), (1, 1)], 5, 7) == "M7 7h10v10h-10z"


def side_of(sheet: str) -> int:
    """The pixels of a cell, from the scale of what is drawn: the least length of a path."""
    return min(int(text) for text in re.findall(r"[hv](\d+)", sheet))


def pieces(sheet: str) -> Iterator[list[ET.Element]]:
    """The shapes of each board, in order."""
    drawn = ET.fromstring(sheet)
    shapes = {shape.get("id"): shape for shape in drawn.iterfind(f"{SVG}defs/*")}
    assert None not in shapes
    for board in drawn.findall(f"{SVG}g/{SVG}g"):
        yield [shapes[str(use.get("href"))[1:]] for use in board]


def captions(sheet: str) -> list[str]:
    """The title and the captions."""
    drawn = ET.fromstring(sheet)
    texts = [*drawn.findall(f"{SVG}text"), *drawn.findall(f"{SVG}g/{SVG}text")]
    return [str(text.text) for text in texts]


@pytest.mark.parametrize(
    "problem", [dominoes(4, 4), pentominoes(3, 20), soma()], ids=["dominoes", "pentominoes", "soma"]
)
def test_every_solution_is_on_the_sheet(problem: dlx.Problem) -> None:
    solutions = list(islice(problem.solutions(), 36))
    sheet = problem.sheet(solutions)
    drawn = list(pieces(sheet))
    assert len(drawn) == len(solutions)
    layer = 4  # the columns of a layer of the Soma cube, with the free one
    for board, solution in zip(drawn, solutions, strict=True):
        expected = set()
        for name in solution:
            cells = [
                re.findall(r"\d+", str(item)) for item in problem.options[problem.index_of(name)]
            ]
            expected.add(
                frozenset(
                    (int(cell[-2]), layer * int((["0", *cell])[-3]) + int(cell[-1]))
                    for cell in cells
                    if len(cell) > 1
                )
            )
        side = side_of(sheet)
        assert {inside(str(shape.get("d")), side) for shape in board} == expected
    assert captions(sheet) == [
        f"{len(solutions)} solutions",
        *map(str, range(1, len(solutions) + 1)),
    ]


def test_a_piece_has_the_same_color_everywhere() -> None:
    problem = pentominoes(3, 20)
    sheet = problem.sheet(problem.solutions())
    colors = [sorted(str(shape.get("fill")) for shape in board) for board in pieces(sheet)]
    assert len(colors) == 8
    assert len(set(colors[0])) == 12
    used: dict[str, set[str | None]] = {}
    for board, solution in zip(pieces(sheet), problem.solutions(), strict=True):
        for shape, name in zip(board, solution, strict=True):
            piece = problem.options[problem.index_of(name)][0]
            used.setdefault(str(piece), set()).add(shape.get("fill"))
    assert {len(fills) for fills in used.values()} == {1}


def test_neighbors_without_names_differ_in_color() -> None:
    problem = dominoes(4, 5)
    sheet = problem.sheet(problem.solutions(limit=20))
    side = side_of(sheet)
    for board in pieces(sheet):
        fill = {
            cell: shape.get("fill") for shape in board for cell in inside(str(shape.get("d")), side)
        }
        for row, column in fill:
            equal = [
                other
                for other in (
                    (row - 1, column),
                    (row + 1, column),
                    (row, column - 1),
                    (row, column + 1),
                )
                if fill.get(other) == fill[row, column]
            ]
            assert len(equal) == 1  # the other half of the domino


def test_queens_are_on_their_squares() -> None:
    problem = queens(6)
    solutions = list(problem.solutions())
    sheet = ET.fromstring(problem.sheet(solutions))
    boards = sheet.findall(f"{SVG}g/{SVG}g")
    for board, solution in zip(boards, solutions, strict=True):
        crowns = list(board)[1:]
        side = 16
        places = {(int(str(c.get("y"))) // side, int(str(c.get("x"))) // side) for c in crowns}
        assert places == set(solution)


def test_latin_squares_and_words_are_written(tmp_path: Path) -> None:
    problem = latin_square(3)
    solution = problem.solve()
    assert solution is not None
    [board] = pieces(problem.sheet([solution]))
    written = {
        (*next(iter(inside(str(cell[0].get("d")), 24))), int(str(cell[1].text))) for cell in board
    }
    assert written == set(solution)
    colors = {(cell[0].get("fill"), cell[1].text) for cell in board}
    assert len(colors) == 3, "a color for each number"
    texts = ET.fromstring(problem.picture(solution)).iter(f"{SVG}text")
    assert [text.text for text in texts] == [str(name[2]) for name in solution]  # type: ignore[index]
    (tmp_path / "words.txt").write_text("ab\ncd\nac\nbd\n")
    crossword = make("words", ["2", "2", str(tmp_path / "words.txt")])
    found = [
        [str(shape.text) for shape in board[1:]]
        for board in pieces(crossword.sheet(crossword.solutions()))
    ]
    assert sorted(map(sorted, found)) == [list("abcd")] * 2


def test_the_title_says_whether_there_may_be_more() -> None:
    problem = queens(8)
    assert captions(problem.sheet(problem.solutions()))[0] == "92 solutions"
    assert (
        captions(problem.sheet(problem.solutions(limit=5)))[0] == "5 solutions; there may be more"
    )
    assert captions(problem.sheet(problem.solutions(node_limit=0)))[0] == (
        "0 solutions; there may be more"
    )
    assert captions(problem.sheet([problem.solve() or ()], title="<One>", captions=["a & b"])) == [
        "<One>",
        "a & b",
    ]


def test_numbers_as_captions() -> None:
    problem = queens(4)
    sheet = problem.sheet(problem.solutions(), captions=[17, 4], title=2026)  # type: ignore[list-item, arg-type]
    assert captions(sheet) == ["2026", "17", "4"]


def test_classes_have_their_sizes() -> None:
    problem = queens(8)
    title, *lines = captions(problem.sheet(problem.solutions(distinct=True)))
    assert title == "12 classes of symmetric solutions, with 92 solutions (4\u00d7: a class of 4)"
    search: Any = problem.solutions(distinct=True)
    assert lines == [f"{k} \u00b7 {search.orbit_size}\u00d7" for k, _ in enumerate(search, start=1)]
    title = captions(problem.sheet(problem.solutions(distinct=True, limit=1)))[0]
    assert title.startswith("1 class of symmetric solutions, with 8 solutions")
    assert title.endswith("; there may be more")


def test_a_full_sheet_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    monkeypatch.setattr(sheets, "MOST_PARTS", 20)
    problem = dominoes(4, 4)
    for solutions in (problem.solutions(), list(problem.solutions()), problem.solutions(limit=4)):
        sheet = problem.sheet(solutions)
        assert captions(sheet)[0] == "3 solutions; there may be more"
        assert len(list(pieces(sheet))) == 3
    path, picture = tmp_path / "d.dlx", tmp_path / "d.svg"
    problem.dump(path)
    printed = run("solve", "--all", "--svg", str(picture), str(path))
    assert "solution 36:" in printed.out
    assert "the picture has room for the first 3 solutions only" in printed.err
    assert captions(picture.read_text())[0] == "3 solutions; there may be more"


def test_wrong_arguments() -> None:
    problem = queens(6)
    for lines in ([], ["a"] * 3):
        with pytest.raises(dlx.InvalidArgument, match=f"captions has {len(lines)} lines, and"):
            problem.sheet(problem.solutions(), captions=lines)
    with pytest.raises(dlx.InvalidArgument, match="captions has more than 4 lines"):
        problem.sheet(problem.solutions(), captions=["a"] * 5)
    for wrong in ("abcd", 4):
        with pytest.raises(dlx.InvalidArgument, match=r"captions is .*; give a list of lines"):
            problem.sheet(problem.solutions(), captions=wrong)  # type: ignore[arg-type]
    for columns in (0, True, "3"):
        with pytest.raises(dlx.InvalidArgument, match="columns is"):
            problem.sheet([], columns=columns)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="cannot draw"):
        dlx.Problem.from_options([["a"]]).sheet([])
    with pytest.raises(dlx.UnknownOption):
        problem.sheet([[(0, 99)]])
    assert captions(problem.sheet([])) == ["0 solutions"]


@pytest.mark.parametrize("columns", [1, 3, 50])
def test_columns(columns: int) -> None:
    problem = queens(8)
    sheet = ET.fromstring(problem.sheet(problem.solutions(), columns=columns))
    places = [str(board.get("transform")) for board in sheet.findall(f"{SVG}g/{SVG}g")]
    lefts = [place.split()[0] for place in places]
    assert len(set(places)) == 92
    assert len(set(lefts)) == columns
    width, height = int(str(sheet.get("width"))), int(str(sheet.get("height")))
    for place in places:
        x, y = map(int, re.findall(r"\d+", place))
        assert x + 96 <= width
        assert y + 96 + sheets.LINE <= height


def test_long_captions_have_room() -> None:
    problem = queens(6)
    lines = ["short", "a line of thirty letters below", "", "x"]
    sheet = ET.fromstring(problem.sheet(problem.solutions(), captions=lines, columns=4))
    texts = sheet.findall(f"{SVG}g/{SVG}text")
    middles = {str(text.text): float(str(text.get("x"))) for text in texts}
    assert len(middles) == 3
    assert middles[lines[1]] - middles["short"] > 6 * len(lines[1])


def test_a_picture_is_a_text_that_notebooks_show() -> None:
    problem = queens(6)
    for picture in (problem.picture(problem.solve() or ()), problem.sheet(problem.solutions())):
        assert type(picture.svg) is str
        assert picture == picture.svg
        assert re.fullmatch(r"<dlx.Picture: SVG, [\d,]+ bytes>", repr(picture))
        html = ET.fromstring(picture._repr_html_())
        data = str(html.get("src")).removeprefix("data:image/svg+xml;base64,")
        assert base64.b64decode(data).decode() == picture


def test_all_rectangles_of_pentominoes_fit_into_a_megabyte() -> None:
    """The commands' own example; `test_distinct` knows their number by another way."""
    problem = pentominoes(6, 10)
    one = problem.solve() or ()
    few, many = (len(problem.sheet([one] * number, captions=[""] * number)) for number in (10, 110))
    assert (many - few) / 100 < 270


def solve(*words: str | Path) -> int:
    return main(["solve", *map(str, words)])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, svg = tmp_path / "queens.dlx", tmp_path / "q.svg"
    queens(8).dump(path)
    cases: list[tuple[list[Any], str]] = [
        (
            ["--distinct"],
            "12 classes of symmetric solutions, with 92 solutions (4\u00d7: a class of 4)",
        ),
        (["--all"], "92 solutions"),
        (["--limit", 7], "7 solutions; there may be more"),
        (["--limit", 500], "92 solutions"),
        (["--all", "--workers", 2], "92 solutions"),
    ]
    for options, title in cases:
        assert solve(*map(str, options), "--svg", svg, path) == 0
        assert captions(svg.read_text())[0] == title, options
    capsys.readouterr()
    assert solve("--distinct", path) == 0
    assert capsys.readouterr().out.count("solution ") == 12
    assert solve("--distinct", "--limit", "1", "--svg", svg, path) == 0
    assert "<use" not in svg.read_text(), "one solution is drawn large"
    assert solve("--all", "--svg", svg, "--columns", "3", path) == 0
    lefts = {x for x, _ in re.findall(r"translate\((\d+) (\d+)\)", svg.read_text())}
    assert len(lefts) == 3


def test_the_command_stopped_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, svg = tmp_path / "queens.dlx", tmp_path / "q.svg"
    queens(8).dump(path)
    assert solve("--all", "--timeout", "0", "--svg", svg, path) == 3
    assert not svg.exists(), "there is nothing to draw"
    for options in (["--columns", "3"], ["--svg", str(svg), "--columns", "3"]):
        assert solve(*options, path) == 2
        assert "--columns needs --svg, and" in capsys.readouterr().err
    dlx.Problem.from_options([["a"]]).dump(path)
    for options in (["--all"], []):  # a sheet, a picture: refused before the search
        assert solve(*options, "--svg", svg, path) == 2
        printed = capsys.readouterr()
        assert "cannot draw" in printed.err
        assert printed.err.endswith(
            "; `dlx trace --svg PICTURE FILE` draws the search of any problem\n"
        )
        assert not printed.out


def test_a_search_that_fails_leaves_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, svg = tmp_path / "queens.dlx", tmp_path / "q.svg"
    queens(8).dump(path)
    shown = iter(range(3))

    def show(*_: object) -> str:
        if next(shown, None) is None:
            raise KeyboardInterrupt
        return ""

    monkeypatch.setattr("dlx.cli.solve.solution_text", show)
    assert solve("--all", "--svg", svg, path) == 130
    assert captions(svg.read_text())[0] == "3 solutions; there may be more"
