"""Files of BurrTools (.xmpuzzle) and drawings, compared with `models.polyominoes`."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from example_problems import TWO_PUZZLES, xmpuzzle
from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx import models
from dlx.core.cells import Cell

Cells = dict[Cell, str]


def read(text: str) -> dlx.Problem[Any]:
    """The only problem of a file."""
    return dlx.Problem.load(io.StringIO(text))


# -- what a file means ---------------------------------------------------------------------------

CELLS = st.tuples(*[st.integers(0, 2)] * 3)
SHAPES = st.lists(st.sets(CELLS, min_size=1, max_size=4), min_size=1, max_size=3)
BOUNDS = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(sorted)


@given(
    shapes=SHAPES,
    result=st.dictionaries(CELLS, st.sampled_from("#+"), min_size=1),
    data=st.data(),
)
def test_a_file_is_the_model_of_polyominoes(
    shapes: list[set[Cell]], result: Cells, data: st.DataObject
) -> None:
    bounds = [data.draw(BOUNDS) for _ in shapes]
    spaces = [dict.fromkeys(shape, "#") for shape in shapes]
    found = read(xmpuzzle([*spaces, result], bounds))
    used = [number for number, (_, high) in enumerate(bounds) if high]
    expected = models.polyominoes(
        {f"S{number + 1}": shapes[number] for number in used},
        list(result),
        optional=[cell for cell, state in result.items() if state == "+"],
        counts={f"S{number + 1}": (*bounds[number],) for number in used},  # type: ignore[misc]
    )
    assert found == expected


def test_all_problems_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "two.xmpuzzle"
    path.write_text(TWO_PUZZLES)
    puzzles = models.read_puzzles(path)
    assert list(puzzles) == ["first", "P2"]
    assert puzzles["first"].items[:3] == ("corner", "a_bar", (0, 0, 0))
    assert puzzles["first"].multiplicities == {"a_bar": (0, 3)}
    assert puzzles["P2"].secondary == ((0, 0, 1), (0, 1, 1))
    for choice, name in (("1", "first"), ("first", "first"), ("2", "P2"), ("P2", "P2")):
        assert dlx.Problem.load(f"{path}#{choice}") == puzzles[name]
    with open(path) as file:
        assert models.read_puzzles(file) == puzzles


def test_a_soma_cube_has_rotations_as_symmetries() -> None:
    spaces = [{(z, y, x): "#" for x, y, z in cells} for cells in lifted(models.SOMA.values())]
    cube = dict.fromkeys(models.box(3, 3, 3), "#")
    found = read(xmpuzzle([*spaces, cube], [[1, 1]] * 7))
    assert found.count() == 11520
    assert found.count(distinct="rotations") == 480


def lifted(shapes: Any) -> list[list[Cell]]:
    return [[(*cell, 0)[:3] for cell in shape] for shape in shapes]


@given(
    shape=st.dictionaries(CELLS, st.integers(0, 2), min_size=1, max_size=3),
    result=st.dictionaries(CELLS, st.integers(0, 2), min_size=1),
    pairs=st.sets(st.tuples(st.integers(1, 2), st.integers(1, 2))),
    colors=st.booleans(),
)
def test_colors(
    shape: dict[Cell, int], result: dict[Cell, int], pairs: set[tuple[int, int]], colors: bool
) -> None:
    """Against all moves of all 24 rotations, one option for each set of cells that fits."""
    spaces = [
        {cell: f"#{color or ''}" for cell, color in space.items()} for space in (shape, result)
    ]
    found = read(xmpuzzle(spaces, [[0, 9]], pairs=pairs, colors=2 if colors else 0))
    places = set()
    for turned in rotated(shape):
        for by in models.box(7, 7, 7, at=(-2, -2, -2)):
            moved = {tuple(a + b for a, b in zip(cell, by, strict=True)): c for cell, c in turned}
            if all(
                cell in result
                and (not colors or not color or not result[cell] or (color, result[cell]) in pairs)
                for cell, color in moved.items()
            ):
                places.add(("S1", tuple(sorted(moved))))
    assert set(found.names) == places


def test_a_pair_is_a_color_of_shapes_and_one_of_the_result() -> None:
    spaces = [{(0, 0, 0): "#1"}, {(0, 0, 0): "#2"}]
    counts = [
        read(xmpuzzle(spaces, [[1, 1]], pairs=pairs, colors=2)).count()
        for pairs in ([], [(1, 2)], [(2, 1)])
    ]
    assert counts == [0, 1, 0]


def test_counts_of_a_shape_that_is_listed_twice_are_added() -> None:
    twice = TWO_PUZZLES.replace('<shape id="0"/>', '<shape id="1" count="1"/>' * 2)
    assert models.read_puzzles(io.StringIO(twice))["first"].multiplicities == {"a_bar": (2, 5)}


def rotated(shape: dict[Cell, int]) -> list[list[tuple[Cell, int]]]:
    """The 24 rotations: products of quarter turns about two axes."""
    turns: set[tuple[tuple[Cell, int], ...]] = {tuple(shape.items())}
    while True:
        more = turns | {
            tuple((turn(cell), color) for cell, color in turned)
            for turned in turns
            for turn in (lambda c: (c[0], c[2], -c[1]), lambda c: (c[2], c[1], -c[0]))
        }
        if more == turns:
            return [list(turned) for turned in turns]
        turns = more


@pytest.mark.parametrize("holes", range(5))
def test_the_most_holes(holes: int) -> None:
    board = dict.fromkeys(models.box(1, 2, 4), "+")
    spaces = [dict.fromkeys(models.box(1, 1, 2), "#"), board]
    every = list(read(xmpuzzle(spaces, [[0, 4]])).solutions())
    found = read(xmpuzzle(spaces, [[0, 4]], holes=holes))
    wanted = {frozenset(solution) for solution in every if 8 - 2 * len(solution) <= holes}
    assert set(map(frozenset, found.solutions())) == wanted
    fixed = read(xmpuzzle(spaces, [[3, 3]], holes=0))  # ignored, as the counts say it
    assert fixed.count() == sum(len(solution) == 3 for solution in every)


# -- ways to read one ----------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_compressed_or_not(
    pack: Callable[[str], bytes], end: str, tmp_path: Path, run: Run, monkeypatch: Any
) -> None:
    board = dict.fromkeys(models.box(1, 2, 3), "#")
    text = xmpuzzle([dict.fromkeys(models.box(1, 1, 2), "#"), board], [[3, 3]])
    data = pack(text.replace("\n", end))
    path = tmp_path / "dominoes.XMPUZZLE"
    path.write_bytes(data)
    problem = read(text)
    assert problem.count() == 3
    assert dlx.Problem.load(path) == problem
    with open(path, errors="surrogateescape") as file:
        assert dlx.Problem.load(file) == problem
    with open(path, "rb") as binary:
        assert dlx.Problem.load(binary, format="xmpuzzle") == problem  # type: ignore[arg-type]
    assert run("count", str(path)).out == "3\n"
    assert run("explain", "--among", "0,0,0", str(path)).out == "there is a solution\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))  # type: ignore[arg-type]
    assert run("count", "-").out == "3\n"


def test_commands_choose_a_problem(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "two.xmpuzzle"
    path.write_text(TWO_PUZZLES)
    assert run("count", f"{path}#2").out == "1\n"
    err = run("count", str(path), status=2).err
    assert err == (
        f"dlx: {path}: the file has 2 problems, #1 'first', #2 'P2'; add the number of one to the "
        "name of the file\n"
    )
    for choice in ("3", "0", "second"):
        err = run("solve", f"{path}#{choice}", status=2).err
        assert err.endswith(f"#2 'P2'; '{choice}' is none of them\n")
        assert err.count("\n") == 1
    run("convert", f"{path}#1", str(tmp_path / "one.dlx"))
    assert (
        dlx.Problem.load(tmp_path / "one.dlx").count() == models.read_puzzles(path)["first"].count()
    )
    err = run("convert", f"{path}#1", str(tmp_path / "one.xmpuzzle"), status=2).err
    assert err.startswith("dlx: cannot write a file with the suffix '.xmpuzzle'")


# -- bad files -----------------------------------------------------------------------------------

BAD = [
    (("<puzzle", "<sudoku"), 1, "begins with <puzzle>"),
    (("<puzzle version", "<!DOCTYPE puzzle>\n<puzzle version"), 1, "has a document type"),
    (("</shapes>\n<problems>", "<problems>"), None, "this is not XML: "),
    (('gridType type="0"', 'gridType type="2"'), 2, r"type 2 \(spheres\); only grids of cubes"),
    (('gridType type="0"', 'gridType type="77"'), 2, "type 77; only"),
    (('gridType type="0"', "gridType"), 2, "<gridType> has type=''; it must be a number"),
    (('x="2" y="2"', 'x="2" y="3"'), 4, r"has 4 cells; 1 x 3 x 2 is 6"),
    (('x="2" y="2"', 'x="-2" y="2"'), 4, "x='-2'; it must be a number from 0"),
    (('x="2" y="2"', 'x="999999999" y="2"'), 4, "<voxel> has x='999999999'"),
    (('x="2" y="2"', 'x="99999" y="99999"'), 4, "more than 100,000 cells"),
    (("##_#", "##?#"), 4, r"has '\?'; it is made of"),
    (("##_#", "#1234#_#"), 4, "has '1234'"),
    (("##_#", "#+_#"), 9, "shape 'corner' has cells that may stay empty; only a result may"),
    (("##_#", "____"), 9, "shape 'corner' has no cells"),
    (('id="0"/>', 'id="4"/>'), 10, "id='4'; it must be a number from 0 to 3"),
    (('id="0"/>', "/>"), 10, "<shape> has id=''"),
    (('min="0" max="3"', 'min="4" max="3"'), 10, "min=4 and max=3"),
    (('<result id="2"/>', ""), 9, "problem 'first': it has no <result>"),
    (('<result id="2"/>', '<result id="9"/>'), 11, "<result> has id='9'"),
    (('name="first"', 'name="first" maxHoles="x"'), 9, "maxHoles='x'"),
]


@pytest.mark.parametrize(("change", "line", "message"), BAD)
def test_bad_files(
    change: tuple[str, str], line: int | None, message: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "bad.xmpuzzle"
    assert change[0] in TWO_PUZZLES
    path.write_text(TWO_PUZZLES.replace(*change, 1))
    number = r"\d+" if line is None else line
    place = rf"{re.escape(str(path))}, line {number}: "
    with pytest.raises(dlx.FormatError, match=f"^{place}.*{message}") as caught:
        dlx.Problem.load(f"{path}#1")
    assert run("count", f"{path}#1", status=2).err == f"dlx: {caught.value}\n"


def test_bad_compression_and_no_problems() -> None:
    data = gzip.compress(TWO_PUZZLES.encode())
    for bad, message in (
        (data[:-9], "the compressed file is incomplete"),
        (data[:20] + b"\0\1\2" + data[23:], "the compressed file is damaged"),
        (b"<puzzle/>", "the file has no problem"),
        (b"", "this is not XML: no element found"),
        (b"<puzzle>\xff</puzzle>", "this is not XML"),
        (b"<puzzle><problems><problem><result id='0'/></problem></problems></puzzle>", "before"),
    ):
        with pytest.raises(dlx.FormatError, match=message):
            models.read_puzzles(io.TextIOWrapper(io.BytesIO(bad)))


def test_a_file_of_spaces_without_end_is_refused() -> None:
    parts = ["<puzzle><shapes><voxel x='1' y='1' z='1' type='0'>", *[" " * 2**16] * 100]
    with pytest.raises(dlx.FormatError, match="line 1: the voxel space has too much text"):
        models.read_puzzles(iter(parts))  # type: ignore[arg-type]


# -- drawings ------------------------------------------------------------------------------------


def test_drawings_of_the_plane() -> None:
    assert models.drawing("  .#.\n   #A") == {"#": [(0, 1), (1, 1)], "A": [(1, 2)]}
    assert models.drawing("") == models.drawing(" . \n") == {}
    apart = models.drawing("##\n\n\nA\n\n B")
    assert apart == {"#": [(0, 0), (0, 1)], "A": [(0, 0)], "B": [(0, 1)]}


def test_drawings_of_space() -> None:
    cube = "##  A\n##\n\n##  AA\n##\n"
    drawn = models.drawing(cube)
    assert drawn["#"] == models.box(2, 2, 2)
    assert drawn["A"] == [(0, 0, 4), (1, 0, 4), (1, 0, 5)]


@pytest.mark.parametrize("text", [7, None, b"#", ["#"]])
def test_a_drawing_is_a_text(text: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match=r"the drawing is .*; it must be a text"):
        models.drawing(text)


def test_the_command_make(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "board.txt"
    path.write_text("####+\n####\n\nAAA\n")
    problem = models.make("polyominoes", [str(path), "A=2", "V3=0:1"])
    board = [*models.box(2, 4), (0, 4)]
    expected = models.polyominoes(
        {"A": [(0, 0), (0, 1), (0, 2)], "V3": models.TROMINOES["V3"]},
        board,
        optional=[(0, 4)],
        counts={"A": 2, "V3": (0, 1)},
    )
    assert problem == expected
    assert problem.count() > 0
    file = tmp_path / "made.dlx"
    file.write_text(run("make", "polyominoes", str(path), "A=2", "V3=0:1").out)
    assert run("count", str(file)).out == f"{problem.count()}\n"
    for word, message in (("Q", "'Q' is neither drawn nor a standard piece"), ("A=x", "a count")):
        assert message in run("make", "polyominoes", str(path), word, status=2).err
    path.write_bytes(b"\xff")
    assert "is not UTF-8 text" in run("make", "polyominoes", str(path), status=2).err
    assert "No such file" in run("make", "polyominoes", str(tmp_path / "none"), status=2).err
    assert "2 or more arguments" in run("make", "polyominoes", "3x5", status=2).err
