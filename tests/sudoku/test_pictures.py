"""Grids as pictures: every kind is well-formed SVG that shows what it should; pages, PNG, PDF."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from example_puzzles import WIKIPEDIA as PUZZLE

import dlx
import sudoku
from sudoku import Grid, Layout, formats, layouts, rules
from sudoku.board.candidates import candidates_of
from sudoku.board.pattern import Link, Mark, Pattern
from sudoku.board.step import Step
from sudoku.cli.main import main
from sudoku.drawing.board import candidate_place, figure_size, places_of
from sudoku.drawing.export import pdf
from sudoku.drawing.figures import figures
from sudoku.drawing.frame import SIDE, Places
from sudoku.drawing.sheet import sheets
from sudoku.drawing.steps import link_paths, step_svg
from sudoku.formats import Record
from sudoku.solving.first_two import FirstTwo

SVG = "{http://www.w3.org/2000/svg}"

RULES = (
    rules.Allowed({(1, 1): [2, 4, 6, 8], (1, 2): [1, 3, 5, 7, 9]}),
    rules.Apart([(1, 2), (1, -2), (2, 1), (2, -1)]),
    rules.Arrow("r1c1", "r2c2 r3c3"),
    rules.Arrow("r1c1 r1c2", "r2c2 r3c3"),
    rules.Cage(20, "r1c1 r1c2 r2c2"),
    rules.Cage(None, "r1c1"),
    rules.Dot("white", "r1c1", "r2c1"),
    rules.Dot("black", "r1c1", "r1c2"),
    rules.Greater("r1c1", "r1c2"),
    rules.LittleKiller(20, "r1c3 r2c2 r3c1"),
    rules.NoMoreDots([("r1c1", "r1c2")]),
    rules.NonConsecutive(),
    rules.Thermometer("r1c1 r2c2 r2c3"),
    rules.Unique("r1c1 r2c2 r5c5"),
)


def empty(layout: Layout) -> Grid:
    return Grid.from_cells((0,) * layout.size, layout)


def texts(svg: str, kind: str) -> list[str]:
    return [
        str(text.text)
        for text in ET.fromstring(svg).iter(f"{SVG}text")
        if text.get("class") == kind
    ]


@pytest.mark.parametrize("name", layouts.NAMES)
def test_every_layout_with_a_name_has_a_picture(name: str) -> None:
    layout = layouts.named(name)
    root = ET.fromstring(empty(layout).to_svg())
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_every_rule_changes_the_picture(rule: rules.Rule) -> None:
    plain = empty(Layout(3, 3)).to_svg()
    ruled = empty(Layout(3, 3).with_rules(rule)).to_svg()
    ET.fromstring(ruled)
    assert ruled != plain


def test_a_rule_of_ones_own_is_named() -> None:
    class Odd(rules.Rule):
        """An <odd> corner."""

        __slots__ = fields = ("cells",)

        def __init__(self) -> None:
            self._fill(cells=((1, 1),))

    assert "&lt;odd&gt; corner" in empty(Layout(2, 2).with_rules(Odd())).to_svg()


def test_givens_and_solved_digits_differ() -> None:
    puzzle = sudoku.parse(PUZZLE)
    svg = sudoku.solve(puzzle).to_svg(puzzle=puzzle)
    assert len(texts(svg, "given")) == 30
    assert len(texts(svg, "solved")) == 51
    assert len(texts(puzzle.to_svg(), "given")) == 30
    with pytest.raises(sudoku.PuzzleError, match="the puzzle is of 2x2, the grid of 3x3"):
        puzzle.to_svg(puzzle=empty(Layout(2, 2)))


def test_candidates_are_those_left_by_houses_and_rules() -> None:
    puzzle = sudoku.parse(PUZZLE)
    left = candidates_of(puzzle)
    assert len(texts(puzzle.to_svg(candidates=True), "candidate")) == sum(map(len, left.values()))
    solution = sudoku.solve(puzzle)
    assert len(left) == 51
    for cell, digits in left.items():
        assert solution[cell] in digits
        row, column = cell
        seen = {puzzle[row, c] for c in range(1, 10)} | {puzzle[r, column] for r in range(1, 10)}
        assert not seen.intersection(digits)
    layout = Layout(3, 3).with_rules(rules.Cage(3, "r1c1 r1c2"), rules.Allowed({(5, 5): [7]}))
    assert candidates_of(empty(layout))[5, 5] == (7,)
    assert candidates_of(Grid("1" + "." * 80, layout=layout))[1, 2] == (2,)
    assert texts(empty(layout).to_svg(), "candidate") == ["7"]  # a mark is part of the puzzle
    given = {(9, 9): [3, 1]}
    assert texts(empty(Layout(3, 3)).to_svg(candidates=given), "candidate") == ["1", "3"]
    assert texts(empty(Layout(3, 3)).to_svg(candidates={"r9c9": (2,)}), "candidate") == ["2"]


@pytest.mark.parametrize(
    ("candidates", "error"),
    [
        ({(1, 1): [99]}, "the candidate 99 of r1c1 is not a digit from 1 to 9"),
        ({(1, 1): [0]}, "the candidate 0 of r1c1"),
        ({(1, 1): [-3]}, "the candidate -3 of r1c1"),
        ({"r1c1": ["x"]}, "the candidate 'x' of r1c1"),
        ({(1, 1): 10}, "the candidate 10 of r1c1"),
        ({(10, 1): [1]}, "the candidates of r10c1: 3x3 has no such cell"),
        ({"corner": [1]}, "'corner' is not a cell"),
        ([1, 2], "candidates is .*it must be a bool or a mapping"),
    ],
)
def test_candidates_that_are_none(candidates: Any, error: str) -> None:
    with pytest.raises(sudoku.SudokuError, match=error):
        empty(Layout(3, 3)).to_svg(candidates=candidates)


@pytest.mark.parametrize(
    "layout", [Layout(2, 3), Layout(3, 3), Layout(4, 4), Layout(6, 6)], ids=str
)
def test_candidates_stay_in_their_cells_and_off_the_sums_of_cages(layout: Layout) -> None:
    places = Places(layout, outside=False)
    for caged in (layout, layout.with_rules(rules.Cage(None, "r1c1"))):
        spots = [candidate_place(caged, places, (1, 1), d) for d in range(1, layout.side + 1)]
        half, (left, top) = figure_size(caged) / 2, places.corner((1, 1))
        assert all(left <= x - half and x + half <= left + SIDE for x, _ in spots)
        assert all(y + half <= top + SIDE for _, y in spots)
        assert min(y - half for _, y in spots) >= top + (11 if caged.rules else 0)
        assert min(abs(a - b) + abs(c - d) for (a, c), (b, d) in pairwise(spots)) >= 2 * half


def test_regions_have_thick_lines_where_they_end() -> None:
    def thick(layout: Layout) -> str:
        path = ET.fromstring(empty(layout).to_svg()).findall(f"{SVG}path[@stroke-width='3']")[0]
        return path.get("d") or ""

    drawing = "1112 1222 3334 3444"
    rows = drawing.split()
    inside = sum(a != b for row in rows for a, b in pairwise(row))
    inside += sum(a != b for column in zip(*rows, strict=True) for a, b in pairwise(column))
    boxes, regions = thick(Layout(2, 2)), thick(layouts.jigsaw(drawing))
    assert boxes.count("h") + boxes.count("v") == 16 + 8
    assert regions.count("h") + regions.count("v") == 16 + inside


def test_captions_are_wrapped_and_escaped() -> None:
    svg = sudoku.parse(PUZZLE).to_svg(caption="r1c1 <b> & " + "word " * 30)
    words = [str(text.text) for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert len([line for line in words if "word" in line]) >= 3
    assert "<b>" not in svg


def test_several_to_a_page() -> None:
    pictures = [sudoku.parse(PUZZLE).to_svg()] * 7
    pages = list(sheets(pictures, 6))
    assert [len(ET.fromstring(page).findall(f"{SVG}svg")) for page in pages] == [6, 1]
    with pytest.raises(
        sudoku.PuzzleError, match="5 puzzles per page; expected one of 1, 2, 4, 6, 9, 12"
    ):
        list(sheets(pictures, 5))


@pytest.mark.lengthy
def test_png_and_pdf() -> None:
    pytest.importorskip("cairosvg")
    puzzle = sudoku.parse(PUZZLE)
    picture = puzzle.to_png(scale=1)
    assert picture.startswith(b"\x89PNG")
    width = int.from_bytes(picture[16:20], "big")
    assert f'width="{width}"' in puzzle.to_svg()
    for bad in (0, -1, float("nan"), float("inf"), 1e9, "x", True):
        with pytest.raises(sudoku.PuzzleError, match=r"scale is .*a number from 0.1 to 20"):
            puzzle.to_png(scale=bad)  # type: ignore[arg-type]
    assert puzzle.to_pdf(candidates=True).startswith(b"%PDF")
    from pypdf import PdfReader

    pages = list(sheets([puzzle.to_svg()] * 7, 6))
    assert len(PdfReader(io.BytesIO(pdf(pages))).pages) == 2


def test_notebooks() -> None:
    grid = sudoku.parse(PUZZLE)
    assert grid._repr_svg_() == grid._repr_html_() == grid.to_svg()


def test_figures_show_every_candidate() -> None:
    puzzle = sudoku.parse(PUZZLE)
    text = figures(puzzle)
    left = candidates_of(puzzle)
    assert sum(character.isdigit() for character in text) == 30 + sum(map(len, left.values()))
    assert len(text.split("\n")) == 9 * 4 + 1
    assert "H" in figures(empty(layouts.samurai()))


def test_a_hint_shows_what_it_says() -> None:
    puzzle = sudoku.parse(
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    )
    cells, removed = list(puzzle.cells), []
    kinds = set()
    for step in islice(sudoku.hints(puzzle), 12):
        now = Grid.from_cells(tuple(cells), puzzle.layout)
        svg = step_svg(puzzle, step, filled=now, removed=removed)
        root = ET.fromstring(svg)
        discs = [circle.get("fill") for circle in root.iter(f"{SVG}circle")]
        peers = sum(mark.role == "peer" for mark in step.pattern.marks)  # rings around digits
        assert discs.count("none") == len(step.placements) + peers  # and for print in black
        assert discs.count("#7fd39a") == len(step.placements)
        assert discs.count("#f4a79d") == len(step.eliminations)
        assert step.technique in "".join(str(text.text) for text in root.iter(f"{SVG}text"))
        kinds.add(bool(step.eliminations))
        for row, column, digit in step.placements:
            cells[puzzle.layout.index[row, column]] = digit
        removed += step.eliminations
    assert kinds == {True, False}


@pytest.mark.parametrize("layout", [Layout(3, 3), layouts.samurai(), Layout(4, 4)], ids=str)
def test_coordinates_are_at_the_edge(layout: Layout) -> None:
    """One for each row and column, in line with its cells and outside of the grid."""
    plain, root = (ET.fromstring(empty(layout).to_svg(coordinates=on)) for on in (False, True))
    group = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "coordinates")
    labels = {text.text: (float(text.get("x")), float(text.get("y"))) for text in group}
    rows = {row for row, _ in layout.positions}
    columns = {column for _, column in layout.positions}
    assert set(labels) == {f"r{row}" for row in rows} | {f"c{column}" for column in columns}
    places = places_of(layout, edge=True)
    for row, column in layout.positions:
        left, top = places.corner((row, column))
        assert left < labels[f"c{column}"][0] < left + SIDE
        assert top < labels[f"r{row}"][1] < top + SIDE
        assert labels[f"c{column}"][1] < top
        assert labels[f"r{row}"][0] + 8 < left
    assert int(root.get("width")) > int(plain.get("width"))
    assert not any(g.get("class") == "coordinates" for g in plain.iter(f"{SVG}g"))


def test_stages_are_drawn() -> None:
    """Where to look: the house in color and nothing of the step; with a player's candidates."""
    puzzle = sudoku.parse(PUZZLE)
    step = next(sudoku.hints(puzzle))
    where, which, last = (puzzle.to_svg(hint=stage) for stage in step.stages())
    for stage in (where, which):
        assert "only place" not in stage
        assert "<circle" not in stage
    assert "look at box 2" in where
    colored = next(
        path.get("d")
        for path in ET.fromstring(where).iter(f"{SVG}path")
        if path.get("fill") == "#dff3e4"
    )
    assert colored.count("z") == 9
    assert last == puzzle.to_svg(hint=step)
    mine = puzzle.to_svg(hint=step, candidates={(1, 3): [2]})
    assert len(texts(mine, "candidate")) == len(texts(last, "candidate")) - 2
    other = step._replace(pattern=step.pattern._replace(houses=("cage 7",)))
    with pytest.raises(sudoku.PuzzleError, match="the hint is about cage 7: 3x3 has no such house"):
        puzzle.to_svg(hint=other)


def test_chains_are_drawn() -> None:
    puzzle = sudoku.parse(PUZZLE)
    here, there = ((1, 3, 4),), ((1, 4, 6), (1, 6, 6))
    links = (Link(here, there, True), Link(there, here, False))
    step = Step("chain", ((1, 3),), (), (), "so it is", Pattern(links=links))
    drawn = step_svg(puzzle, step)
    assert drawn.count('stroke="#b3261e"') == 2
    assert list(link_paths(puzzle.layout, Places(puzzle.layout, outside=False), links[:0])) == []
    same = Link(here, here, True)
    assert list(link_paths(puzzle.layout, Places(puzzle.layout, outside=False), (same,))) == []
    assert drawn.count('stroke-dasharray="4 3"') == 1


def test_the_two_sides_of_a_pattern_differ_in_black_and_white() -> None:
    puzzle = sudoku.parse(PUZZLE)
    roles = ("on", "off", "fin", "a", "b", "c", "d")
    marks = tuple(Mark(1, 3, digit, role) for digit, role in enumerate(roles, start=1))
    step = Step("chain", ((1, 3),), (), (), "so it is", Pattern(marks=marks))
    circles = list(ET.fromstring(step_svg(puzzle, step)).iter(f"{SVG}circle"))
    assert [circle.get("fill") for circle in circles].count("none") == 4
    assert len([circle for circle in circles if circle.get("fill") != "none"]) == len(roles)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, pdf_file = tmp_path / "a.svg", tmp_path / "a.pdf"
    assert main(["show", PUZZLE, "--solved", "--svg", str(svg)]) == 0
    assert len(texts(svg.read_text(), "solved")) == 51
    assert main(["show", PUZZLE, "--candidates"]) == 0
    assert capsys.readouterr().out == figures(sudoku.parse(PUZZLE)) + "\n"
    assert main(["hint", PUZZLE, "--steps", "2", "--svg", str(svg)]) == 0
    assert "hidden single" in svg.read_text()
    many = tmp_path / "many.txt"
    many.write_text(f"{PUZZLE}\n" * 7)
    assert main(["show", str(many), "--svg", str(svg)]) == 2
    assert "7 puzzles need 2 pages" in capsys.readouterr().err
    assert main(["show", str(many), "--svg", "-", "--per-page", "9"]) == 0
    assert capsys.readouterr().out.count("<svg") == 8
    assert main(["show", PUZZLE, "--svg", "a", "--pdf", str(pdf_file)]) == 2
    assert main(["show", PUZZLE, "--per-page", "2"]) == 2
    assert "--per-page needs --svg, --png or --pdf" in capsys.readouterr().err
    assert main(["show", "11" + "." * 79, "--solved"]) == 1
    assert "r1c1 and r1c2 are both 1" in capsys.readouterr().err


def test_a_hint_is_drawn_in_its_grid() -> None:
    puzzle = sudoku.parse(PUZZLE)
    step = next(sudoku.hints(puzzle))
    assert puzzle.to_svg(hint=step) == step_svg(puzzle, step)
    first = sudoku.Grid(puzzle.line[:5] + "8" + puzzle.line[6:])
    later = next(sudoku.hints(puzzle, filled=first))
    drawn = first.to_svg(puzzle=puzzle, hint=later)
    assert (len(texts(drawn, "given")), len(texts(drawn, "solved"))) == (30, 1)
    with pytest.raises(sudoku.PuzzleError, match="r1c6: 2x2 has no such cell"):
        sudoku.parse("." * 16).to_svg(hint=step)
    with pytest.raises(sudoku.PuzzleError, match="'X-wing' is not a hint"):
        puzzle.to_svg(hint="X-wing")  # type: ignore[arg-type]


def test_a_hint_becomes_pixels() -> None:
    pytest.importorskip("cairosvg")
    puzzle = sudoku.parse(PUZZLE)
    step = next(sudoku.hints(puzzle))
    assert puzzle.to_png(hint=step)[:4] == b"\x89PNG"
    assert puzzle.to_png(hint=step) != puzzle.to_png()


def test_candidates_that_are_odd_by_chance_are_written_like_the_others() -> None:
    marks = {(1, 1): (1, 3), (1, 2): (1, 2)}
    mixed = Grid("." * 16, layout=Layout(2, 2).with_rules(rules.Allowed(marks)))
    assert sorted(texts(mixed.to_svg(), "candidate")) == ["1", "1", "2", "3"]
    assert "<circle" not in mixed.to_svg()
    odd = Grid("." * 16, layout=Layout(2, 2).with_rules(rules.Allowed({(1, 1): (1, 3)})))
    assert texts(odd.to_svg(), "candidate") == []
    assert "<circle" in odd.to_svg()


def test_show_prints_what_the_grid_does_not_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    four = Layout(2, 2)
    killer = Grid("." * 16, layout=layouts.killer([(3, "r1c1 r1c2"), (7, "r2c1 r2c2")], base=four))
    path = tmp_path / "killer.json"
    with path.open("w") as file:
        formats.dump([Record(killer)], file, "json")
    assert main(["show", str(path)]) == 0
    place, *shown = capsys.readouterr().out.splitlines()
    assert place == f"{path}:1:"
    cages = ["layout: killer", "cage r1c1 r1c2 of sum 3", "cage r2c1 r2c2 of sum 7"]
    assert shown == [*str(killer).splitlines(), *cages]
    assert main(["show", "." * 16, "--layout", "2x2+non-consecutive"]) == 0
    *_, name, rule = capsys.readouterr().out.splitlines()
    assert name == "layout: non-consecutive"
    assert rule == "Cells with a common edge do not have consecutive digits."
    assert main(["show", "." * 16]) == 0
    assert capsys.readouterr().out == f"{Grid('.' * 16)}\n"


def test_show_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--json", "--candidates", "1... .2.. ..3. ...4"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["puzzle"], said["layout"]) == ("1....2....3....4", "2x2")
    assert said["candidates"][0] == [1, 2, [3, 4]]
    assert said["drawing"] == str(sudoku.parse("1... .2.. ..3. ...4"))
    assert main(["show", "--json", "--solved", PUZZLE]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["solution"] == sudoku.solve(PUZZLE).line
    assert main(["show", "--json", "--svg", "-", PUZZLE]) == 2
    assert "--json cannot be used with --svg" in capsys.readouterr().err


def test_show_says_when_a_solution_is_one_of_several_or_takes_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["show", "--solved", "." * 16]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("+-----+-----+\n| 1 2 | 3 4 |")
    assert err == "sudoku: more than one solution; showing one of them\n"
    assert main(["show", "--solved", PUZZLE]) == 0
    assert capsys.readouterr().err == ""
    late = dlx.SearchInterrupted("timeout", count=0, stats=dlx.Stats(1, 0, 0, (1,), 5.0))
    stopped = FirstTwo((), late)
    monkeypatch.setattr("sudoku.solving.first_two.first_two", lambda grid, **search: stopped)
    assert main(["show", "--solved", "--timeout", "5", PUZZLE]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "cut short" in err
