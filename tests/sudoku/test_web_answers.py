"""Requests of the page of `sudoku serve` and the answers to them, without the web."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from example_puzzles import WIKIPEDIA as PUZZLE
from hypothesis import given
from hypothesis import strategies as st

import dlx
import sudoku
from sudoku.web.answers import answer

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

    board = answer({"kind": "new", "layout": "anti-knight", "seed": 5})
    for name in ("solutions", "solve", "is_unique", "count"):
        monkeypatch.setattr(dlx.Problem, name, counted)
    hint = about(board, "hint")
    assert len(hint["place"]) == 1
    assert len(searches) == 1


def test_difficulties() -> None:
    board = answer({"kind": "new", "layout": "classic", "difficulty": "easy", "seed": 1})
    assert about(board, "rate")["say"].startswith("Difficulty: easy")
    assert answer({"kind": "new", "layout": "classic", "difficulty": "evil"}) == {
        "error": "unknown difficulty 'evil': expected easy, medium, hard, expert or extreme"
    }


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
    layout = sudoku.Layout(5, 5)
    solution = sudoku.solve(sudoku.Grid.from_cells((0,) * 625, layout))
    board = opened(solution.line[:600] + "." * 25)
    assert not board["hints"]
    hint = about(board, "hint")
    assert hint["place"] == [[600, solution.cells[600]]]
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
    assert about(wrong, "check") == {"wrong": [2], "say": "This digit is wrong.", "solved": False}
    assert about(wrong, "hint")["wrong"] == [2]
    assert about(wrong, "hint")["remove"] == []


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


def test_sizes_are_offered_as_players_call_them() -> None:
    offer = answer({"kind": "offer"})
    assert offer["known"]["4x4"] == "16 x 16, boxes of 4 x 4"
    assert set(offer["known"]) < set(offer["rated"]) <= set(offer["layouts"])
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
        ({"kind": "open", "text": PUZZLE, "layout": "samurai"}, "expected 18"),
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
