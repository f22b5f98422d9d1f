"""Requests of the page of `sudoku serve` and the answers to them, without the web."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from example_puzzles import WIKIPEDIA as PUZZLE
from hypothesis import given
from hypothesis import strategies as st

import dlx
import sudoku
from sudoku.web.answers import answer

TOO_LARGE = sudoku.solve("." * 625).line[:600] + "." * 25
"""A puzzle for which there are no hints."""
DOCUMENT = json.dumps({"puzzle": PUZZLE})


def opened(text: str = PUZZLE, **more: Any) -> dict[str, Any]:
    board = answer({"kind": "open", "text": text, **more})
    assert "error" not in board
    return board


def about(board: dict[str, Any], kind: str, **more: Any) -> dict[str, Any]:
    question = {"kind": kind, "puzzle": board["puzzle"], "filled": list(board["filled"]), **more}
    said: dict[str, Any] = json.loads(json.dumps(answer(json.loads(json.dumps(question)))))
    return said


def test_a_board_has_all_that_is_drawn() -> None:
    board = opened()
    assert board["givens"] == board["filled"] == sudoku.parse(PUZZLE).cells
    assert len(board["cells"]) == 81
    assert board["cells"][9][:2] == [2, 1]
    assert len(board["houses"]) == 27
    assert board["ground"].startswith("<svg")
    assert board["symbols"] == "123456789"
    json.dumps(board)


@pytest.mark.parametrize("layout", ["samurai", "diagonal", "hyper", "4x4", "anti-king", "2x3"])
def test_every_layout_opens_solves_and_hints(layout: str) -> None:
    board = answer({"kind": "new", "layout": layout, "seed": 5})
    assert "error" not in board
    hint = about(board, "hint")
    solved = about(board, "solve")
    assert 0 not in solved["filled"]
    for cell, digit in hint["place"]:
        assert solved["filled"][cell] == digit
    assert about({**board, "filled": solved["filled"]}, "check")["solved"]


@pytest.mark.parametrize("layout", ["diagonal", "hyper", "2x3"])
def test_a_hint_is_explained_where_there_are_techniques(layout: str) -> None:
    board = answer({"kind": "new", "layout": layout, "seed": 5})
    assert board["hints"]
    assert "only place for" in about(board, "hint")["say"]
    assert about(board, "rate")["say"].startswith("Difficulty: ")


def test_a_digit_as_a_hint_takes_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[object] = []
    solutions = dlx.Problem.solutions

    def counted(self: dlx.Problem, *args: Any, **more: Any) -> Any:
        searches.append(self)
        return solutions(self, *args, **more)

    board = opened(TOO_LARGE)
    assert not board["hints"]
    for name in ("solutions", "solve", "is_unique", "count"):
        monkeypatch.setattr(dlx.Problem, name, counted)
    hint = about(board, "hint")
    assert len(hint["place"]) == 1
    assert len(searches) == 1


def test_difficulties() -> None:
    board = answer({"kind": "new", "layout": "classic", "difficulty": "easy", "seed": 1})
    assert about(board, "rate")["say"].startswith("Difficulty: easy")
    assert answer({"kind": "new", "layout": "classic", "difficulty": "evil"}) == {
        "error": "unknown difficulty 'evil': expected gentle, easy, medium, hard, expert or extreme"
    }


def test_symmetries() -> None:
    offered = answer({"kind": "offer"})["symmetries"]
    assert offered == ("none", "rotation-2", "rotation-4", "mirror", "diagonal", "full")
    request = {"kind": "new", "layout": "classic", "difficulty": "gentle", "seed": 1}
    givens = answer({**request, "symmetry": "rotation-2"})["givens"]
    assert [not digit for digit in givens] == [not digit for digit in reversed(givens)]
    assert answer({**request, "symmetry": ""})["givens"] == answer(request)["givens"] != givens
    assert "did you mean mirror" in answer({**request, "symmetry": "miror"})["error"]


def test_hints_lead_to_the_solution() -> None:
    board = opened()
    filled, removed = list(board["filled"]), []
    for _ in range(200):
        if 0 not in filled:
            break
        hint = about({**board, "filled": filled}, "hint", removed=removed)
        assert hint["place"] or hint["remove"]
        assert hint["say"].endswith(".")
        for cell, digit in hint["place"]:
            filled[cell] = digit
        removed += hint["remove"]
    assert tuple(filled) == sudoku.solve(PUZZLE).cells


def test_candidates_of_empty_cells() -> None:
    board = opened()
    left = about(board, "candidates")["candidates"]
    assert left[:4] == [[], [], [1, 2, 4], [2, 6]]
    full = about(board, "solve")["filled"]
    assert about({**board, "filled": full}, "candidates")["candidates"] == [[]] * 81


def test_a_grid_too_large_for_techniques_still_has_hints() -> None:
    board = opened(TOO_LARGE)
    assert not board["hints"]
    hint = about(board, "hint")
    assert hint["place"] == [[600, sudoku.solve(TOO_LARGE).cells[600]]]
    assert hint["say"].startswith("r25c1 is ")


def test_a_full_grid_needs_no_hint() -> None:
    board = opened()
    full = about(board, "solve")["filled"]
    assert about({**board, "filled": full}, "hint")["say"] == "Solved!"


def test_a_text_is_read_in_a_layout_and_none_is_an_empty_grid() -> None:
    board = opened("." * 81, layout="diagonal")
    assert board["name"] == "diagonal"
    blank = opened(" \n", layout="2x3")
    assert (blank["name"], blank["givens"], blank["filled"]) == (
        "6 x 6, boxes of 2 x 3",
        (0,) * 36,
        (0,) * 36,
    )


def test_what_is_filled_in_becomes_the_puzzle() -> None:
    board = opened(json.dumps({"puzzle": "." * 81, "about": {"title": "Mine"}}))
    filled = list(sudoku.parse(PUZZLE).cells)
    marks: list[list[int]] = [[] for _ in filled]
    marks[2] = [4]
    fixed = about({**board, "filled": filled}, "fix", marks=marks)
    assert fixed["givens"] == fixed["filled"] == filled
    assert (fixed["title"], fixed["marks"]) == ("Mine", marks)
    assert about(fixed, "check")["say"].startswith("No mistakes so far")


def test_mistakes_are_found() -> None:
    board = opened()
    filled = list(board["filled"])
    filled[2] = 1  # it is a 4
    wrong = {**board, "filled": filled}
    checked = about(wrong, "check")
    assert (checked["wrong"], checked["say"]) == ([2], "This digit is wrong.")
    assert not checked["solved"]
    assert about(wrong, "hint")["wrong"] == [2]
    assert about(wrong, "hint")["remove"] == []


def noted(board: dict[str, Any], **notes: list[int]) -> list[list[int]]:
    """Notes for some cells, by their numbers: `c2=[1, 4]`."""
    return [notes.get(f"c{cell}", []) for cell in range(len(board["cells"]))]


DRAWING = {"say", "cells", "houses", "place", "remove", "marks", "links"}
HARD = "7...68..4.3.4........5.37.9..4..65...9.....4...63..2..4.18.2........4.7.2..73...8"


def walked(board: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[int], list[list[int]]]]:
    """Each hint up to the solution with the digits and notes before it; the hints are applied."""
    filled = list(board["filled"])
    marks = about(board, "candidates")["candidates"]
    while 0 in filled:
        hint = about({**board, "filled": filled}, "hint", marks=marks)
        yield hint, list(filled), [list(digits) for digits in marks]
        assert hint["place"] or hint["remove"]
        for cell, digit in hint["place"]:
            filled[cell], marks[cell] = digit, []
        for cell, digit in hint["remove"]:
            marks[cell].remove(digit)  # it was there: the player's notes are what the hint sees


def test_hints_from_notes_lead_to_the_solution() -> None:
    """Each hint has its drawing, its stages and its chain, all of the same form."""
    board = opened(HARD)
    techniques = []
    for hint, filled, marks in walked(board):
        techniques.append(hint["technique"])
        assert hint["about"]
        assert len(hint["stages"]) == 3
        for frame in (*hint["stages"], *hint["chain"]):
            assert set(frame) == DRAWING
            assert frame["say"].endswith(".")
        where, which, last = hint["stages"]
        assert [where[key] for key in ("marks", "links", "place", "remove")] == [[], [], [], []]
        assert bool(where["houses"]) != bool(where["cells"])
        assert [which["place"], which["remove"]] == [[], []]
        for frame in (last, *hint["chain"][-1:]):
            assert {**frame, "say": ""} == {key: hint[key] for key in DRAWING} | {"say": ""}
        assert hint["say"].lower().startswith(hint["technique"].lower())
        for before, after in pairwise(hint["chain"]):
            assert after["links"][: len(before["links"])] == before["links"]
        checked = about({**board, "filled": filled}, "check", marks=marks)
        assert checked["wrong"] == checked["lost"] == checked["missing"] == []
        stale = {(cell, digit) for cell, digit in checked["excluded"]}
        assert stale <= {(c, d) for c, digits in enumerate(marks) for d in digits}
    assert "skyscraper" in techniques


def test_a_deleted_digit_of_the_solution_is_said_first() -> None:
    board = opened()
    marks = noted(board, c2=[1, 2], c3=[6])
    hint = about(board, "hint", marks=marks)
    assert (hint["technique"], hint["notes"], hint["erase"]) == ("mistake", [[2, 4]], [])
    assert hint["say"] == "r1c3 is 4, which its candidates lack."
    assert (hint["place"], hint["remove"], hint["cells"], hint["wrong"]) == ([], [], [2], [2])
    checked = about(board, "check", marks=marks)
    assert (checked["wrong"], checked["lost"], checked["missing"]) == ([], [[2, 4]], [])
    assert checked["say"] == "The notes of r1c3 lack the digit of this cell."
    filled = list(board["filled"])
    filled[8] = 4
    both = about({**board, "filled": filled}, "hint", marks=marks)
    assert (both["erase"], both["notes"], both["wrong"]) == ([8], [[2, 4]], [8, 2])
    checked = about({**board, "filled": filled}, "check", marks=noted(board, c2=[1], c3=[2]))
    assert checked["say"].startswith("This digit is wrong. The notes of r1c3 and r1c4 lack the")
    assert not checked["solved"]


def test_notes_say_what_is_left_and_pairs_only_where_there_are_none() -> None:
    board = opened()
    crossed = [[2, 4]]
    assert about(board, "hint", removed=crossed)["technique"] == "mistake"
    assert about(board, "check", removed=crossed)["lost"] == [[2, 4]]
    again = {"removed": crossed, "marks": noted(board, c2=[4, 1])}  # written again
    assert about(board, "hint", **again)["technique"] == "hidden single"
    assert about(board, "check", **again)["lost"] == []


def test_missing_notes_are_offered() -> None:
    board = opened()
    left = about(board, "candidates")["candidates"]
    empty = [cell for cell, digit in enumerate(board["filled"]) if not digit]
    assert about(board, "check")["missing"] == []
    checked = about(board, "check", marks=noted(board, c2=left[2]), removed=[[3, 2]])
    assert [cell for cell, _ in checked["missing"][:2]] == [3, 5]  # r1c4 has one of its two left
    everything = [[cell, digit] for cell in empty[1:] for digit in left[cell]]
    assert checked["missing"] == [pair for pair in everything if pair != [3, 2]]
    assert checked["say"] == "No mistakes so far; 51 cells are empty, 50 of them without notes."
    board = opened(HARD)
    for hint, filled, marks in walked(board):
        if hint["remove"]:
            few = [digits if cell % 2 else [] for cell, digits in enumerate(marks)]
            offer = about({**board, "filled": filled}, "hint", marks=few)
            assert offer["technique"] == "notes"
            checked = about({**board, "filled": filled}, "check", marks=few)
            assert offer["notes"] == checked["missing"]
            assert {cell for cell, _ in offer["notes"]} == set(offer["cells"])
            break


def test_notes_that_a_digit_excludes() -> None:
    board = opened()
    checked = about(board, "check", marks=noted(board, c2=[4, 5, 9, 1]))
    assert checked["excluded"] == [[2, 5], [2, 9]]


@pytest.mark.parametrize("layout", ["anti-knight", "samurai"])
def test_notes_in_other_layouts(layout: str) -> None:
    board = answer({"kind": "new", "layout": layout, "seed": 5})
    solution = about(board, "solve")["filled"]
    cell = board["filled"].index(0)
    wrong = [digit for digit in range(1, 10) if digit != solution[cell]][:3]
    marks = noted(board, **{f"c{cell}": wrong})
    assert about(board, "check", marks=marks)["lost"] == [[cell, solution[cell]]]
    hint = about(board, "hint", marks=marks)
    assert (hint["technique"], hint["notes"]) == ("mistake", [[cell, solution[cell]]])
    assert about(board, "hint")["stages"]


def test_notes_where_there_are_no_techniques() -> None:
    solution = sudoku.solve(sudoku.Grid.from_cells((0,) * 625, sudoku.Layout(5, 5))).cells
    board = opened(sudoku.Grid.from_cells(solution, sudoku.Layout(5, 5)).line[:600] + "." * 25)
    cell = 610
    wrong = [digit for digit in range(1, 26) if digit != solution[cell]][:3]
    marks = noted(board, **{f"c{cell}": wrong})
    assert about(board, "check", marks=marks)["lost"] == [[cell, solution[cell]]]
    assert about(board, "hint", marks=marks)["lost"] == [[cell, solution[cell]]]
    hint = about(board, "hint", marks=noted(board, **{f"c{cell}": [solution[cell]]}))
    assert (hint["technique"], hint["place"]) == ("", [[600, solution[600]]])
    assert "only candidate" in hint["say"]
    assert set(hint["stages"][0]) == DRAWING


def test_the_ground_has_coordinates() -> None:
    board = opened()
    assert 'class="coordinates"' in board["ground"]
    assert ">r9</text>" in board["ground"]
    width = int(board["ground"].split('viewBox="0 0 ')[1].split()[0])
    assert max(x for _, _, x, _ in board["cells"]) + board["cell"] < width


def test_puzzles_that_are_none() -> None:
    many = opened("." * 81)
    assert "more than one solution" in about(many, "check")["say"]
    assert "more than one solution" in about(many, "hint")["error"]
    assert "This is one of them" in about(many, "solve")["say"]
    none = opened("11" + "." * 79)
    assert "no solution" in about(none, "check")["say"]
    assert "r1c1 and r1c2 are both 1" in about(none, "solve")["error"]


def test_a_text_with_more_than_one_puzzle_says_so() -> None:
    assert opened()["say"] == ""
    assert "first of several" in opened(f"{PUZZLE}\n{PUZZLE}")["say"]
    assert "ignored" in opened(f"{PUZZLE}\n53..7")["say"]


def test_rules_are_said_and_broken_ones_found_without_a_search() -> None:
    board = opened("." * 81, layout="anti-knight")
    assert board["rules"][1] == "Cells a knight's move apart have different digits."
    assert about(board, "broken") == {"cells": [], "say": []}
    filled = [0] * 81
    filled[0] = filled[11] = filled[1] = 5
    broken = about({**board, "filled": filled}, "broken")
    assert broken["cells"] == [[0, 1], [0, 1, 11], [0, 11]]
    assert broken["say"][0] == "r1c1 and r1c2 are both 5 (row 1)."
    assert "knight's move" in broken["say"][2]


def test_a_shared_text_opens_the_same_board() -> None:
    for text, layout in ((PUZZLE, None), ("." * 81, "diagonal"), ("", "samurai"), ("", "4x4")):
        board = opened(text, layout=layout)
        assert opened(board["share"]) == board
    titled = opened(json.dumps({"puzzle": PUZZLE, "about": {"title": "Mine"}, "remark": "secret"}))
    again = opened(titled["share"])
    assert (again["title"], "secret" in again["puzzle"]) == ("Mine", False)
    damaged = answer({"kind": "open", "text": titled["share"][:-5]})
    assert "the shared puzzle is damaged; copy the whole link" in damaged["error"]


def test_every_offered_layout_is_in_one_group() -> None:
    offer = answer({"kind": "offer"})
    members = [name for group in offer["groups"] for name in group["layouts"]]
    assert sorted(members) == sorted(offer["layouts"])
    groups = {group["name"]: group["layouts"] for group in offer["groups"]}
    assert groups["classic"][:2] == ["classic", "2x2"]
    assert "samurai" in groups["overlapping grids"]
    assert "hyper" in groups["more houses"]
    assert "anti-knight" in groups["rules"]


def test_drawn_kinds_are_offered_and_made() -> None:
    offer = answer({"kind": "offer"})
    assert {"killer", "jigsaw"} <= set(offer["drawn"])
    assert not set(offer["drawn"]) & set(offer["layouts"])
    for kind in offer["drawn"]:
        board = answer({"kind": "new", "layout": f"2x3 + {kind}", "seed": 1})
        assert kind.removesuffix("s") in board["name"]
        assert len(board["rules"]) > 1 or "region" in board["rules"][0]
        said = answer({"kind": "new", "layout": f"2x3+{kind}", "difficulty": "easy", "seed": 1})
        assert ("error" in said) == ("easy" not in offer["rated"][kind])
        assert opened(board["share"])["puzzle"] == board["puzzle"]


def test_sizes_are_offered_as_players_call_them() -> None:
    offer = answer({"kind": "offer"})
    assert offer["known"]["4x4"] == "16 x 16, boxes of 4 x 4"
    rated = set(offer["rated"]) - set(offer["drawn"])
    assert set(offer["known"]) < rated <= set(offer["layouts"])
    assert "diagonal" in offer["rated"]
    for name in offer["layouts"]:
        board = answer({"kind": "open", "text": "", "layout": name})
        assert board["hints"] == (name in offer["rated"])


def test_every_format_is_offered_and_written() -> None:
    offer = answer({"kind": "offer"})
    board = opened()
    written = 0
    for name in offer["formats"]:
        saved = about(board, "export", format=name)
        if "error" in saved:
            assert name in saved["error"]
            continue
        written += 1
        again = opened(saved["text"])
        assert about(again, "solve")["filled"] == about(board, "solve")["filled"], name
    assert written > 8


def test_what_is_said_of_a_puzzle_is_exported_with_the_notes() -> None:
    about_it = {"title": "Nr. 7", "author": "Ann"}
    board = opened(json.dumps({"puzzle": PUZZLE, "about": about_it, "remark": "a gift"}))
    marks: list[list[int]] = [[] for _ in range(81)]
    marks[2] = [4, 2, 4]
    saved = about(board, "export", format="json", marks=marks)
    (record,) = sudoku.formats.load(io.BytesIO(saved["text"].encode()))
    assert (record.about, record.rest) == (about_it, "a gift")
    assert record.marks is not None
    assert record.marks[2] == 1 << 2 | 1 << 4
    assert sum(map(bool, record.marks)) == 1
    assert "pencil marks" in about(board, "export", format="lines", marks=marks)["say"]
    assert "marks" not in about(board, "export", format="json", marks=[[]] * 81)["text"]


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ([], "the request must be a JSON object"),
        ({}, "unknown kind of request: 'None'"),
        ({"kind": "open"}, "the request has no text"),
        ({"kind": "open", "text": "hello"}, "hello"),
        ({"kind": "open", "text": ""}, "no puzzle"),
        ({"kind": "new", "layout": "samuri"}, "did you mean samurai?"),
        ({"kind": "new", "layout": "classic", "seed": "x"}, "the seed must be an integer"),
        ({"kind": "check"}, "the request has no puzzle"),
        ({"kind": "check", "puzzle": "{"}, "not valid JSON"),
        ({"kind": "check", "puzzle": ""}, "the request has no puzzle"),
        ({"kind": "open", "text": PUZZLE, "layout": "samurai"}, "the first row has 18"),
        ({"kind": "check", "puzzle": '{"puzzle": 1}'}, "puzzle must be a string"),
        ({"kind": "check", "puzzle": DOCUMENT, "filled": [1]}, "81 digits"),
        (
            {"kind": "hint", "puzzle": DOCUMENT, "removed": [[81, 1]]},
            "removed must be a list",
        ),
        *(
            (
                {"kind": "export", "puzzle": DOCUMENT, "format": "json", "marks": marks},
                "marks must be a list of 81 lists of digits",
            )
            for marks in ("x", [[1]], [[10]] * 81, [["1"]] * 81, [1] * 81)
        ),
    ],
)
def test_bad_questions_get_one_clear_error(question: object, error: str) -> None:
    said = answer(question)
    assert list(said) == ["error"]
    assert error in said["error"]
    assert "\n" not in said["error"]


@given(
    st.dictionaries(
        st.sampled_from(["kind", "text", "puzzle", "filled", "removed", "layout", "format"]),
        st.sampled_from(["open", "check", "hint", "export"])
        | st.text(max_size=30)
        | st.integers()
        | st.lists(st.integers(-1, 99), max_size=4)
        | st.none(),
    )
)
def test_no_question_does_any_harm(question: dict[str, Any]) -> None:
    assert isinstance(json.dumps(answer(question)), str)
