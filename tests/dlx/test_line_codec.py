"""`dlx.Code`: lines of text as sets of options, and solutions as lines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlx

NAMES = [(place, letter) for place in range(3) for letter in "ABC"]
PROBLEM = dlx.Problem.from_options({name: [("place", name[0])] for name in NAMES}).freeze()
PLACES = [{c: (place, c.upper()) for c in "ABCabc"} for place in range(3)]
CODE = dlx.Code(PROBLEM, PLACES, blanks=".-")

lines = st.text("ABCabc.-", min_size=3, max_size=3)


def meaning(line: str) -> list[tuple[int, str]]:
    return [(place, c.upper()) for place, c in enumerate(line) if c not in ".-"]


@given(lines)
def test_read_and_write(line: str) -> None:
    assert CODE.read(line) == tuple(meaning(line))
    assert CODE.write(reversed(meaning(line))) == line.upper().replace("-", ".")


@given(st.lists(lines, max_size=30), st.integers(1, 3), st.sampled_from([1, 2, None]))
def test_lines_are_answered_as_their_options_are(
    texts: list[str], workers: int, limit: int | None
) -> None:
    answers = list(PROBLEM.solve_many(texts, limit=limit, workers=workers, code=CODE))
    sets = list(map(meaning, texts))
    named = list(PROBLEM.solve_many(sets, limit=limit))
    if limit == 1:
        assert answers == [CODE.write(solution) for solution in named]
    else:
        assert answers == [[CODE.write(solution) for solution in found] for found in named]
    counts = PROBLEM.count_many(texts, code=CODE, limit=limit, workers=workers)
    assert list(counts) == [int(limit == 1) or len(found) for found in named]


def test_lines_and_sets_in_one_batch(engine: str) -> None:
    mixed: list[Any] = ["A..", [(0, "B")], "..c", [(1, "C"), (2, "B")], "bbb"]
    answers = PROBLEM.solve_many(mixed, code=CODE, engine=engine)
    assert list(answers) == ["AAA", "BAA", "AAC", "ACB", "BBB"]


def test_lines_that_mean_nothing(engine: str) -> None:
    texts = ["AAA", "AA", "AxA", "A\u00e9A", "", "AAAA", "A\nA", "CCC"]
    answers = list(PROBLEM.solve_many(texts, code=CODE, engine=engine, errors="return"))
    assert (answers[0], answers[-1]) == ("AAA", "CCC")
    assert [str(answer) for answer in answers[1:-1]] == [
        "'AA' has 2 characters: expected 3",
        "'x' (character 2 of 'AxA') means nothing",
        "'\u00e9' (character 2 of 'A\u00e9A') means nothing",
        "'' has 0 characters: expected 3",
        "'AAAA' has 4 characters: expected 3",
        "'\\n' (character 2 of 'A\\nA') means nothing",
    ]
    for position, answer in enumerate(answers[1:-1], 1):
        assert isinstance(answer, dlx.FormatError)
        assert answer.position == position
        with pytest.raises(dlx.FormatError):
            CODE.read(texts[position])


def test_no_solution_is_none() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["a", "b"]})
    code = dlx.Code(problem, [{"x": "x", "y": "y"}])
    assert list(problem.solve_many(["x", "y", "."], code=code)) == [None, "y", "y"]


def test_options_in_no_place_are_not_written() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"]})
    code = dlx.Code(problem, [{"*": "y"}], blanks="_.")
    assert list(problem.solve_many(["_", "."], code=code, limit=None)) == [["*"], ["*"]]
    assert code.write(["x"]) == "_"
    problem.add_option(["b"], name="later")
    assert list(problem.solve_many(["."], code=code, limit=None)) == [["*", "_"]]
    assert (len(code), repr(code)) == (1, "<dlx.Code: 1 place>")


@pytest.mark.parametrize(
    ("places", "blanks", "words"),
    [
        ([{"AB": (0, "A")}], ".", "one character that is not a blank"),
        ([{"": (0, "A")}], ".", "one character that is not a blank"),
        ([{".": (0, "A")}], ".", "one character that is not a blank"),
        ([{"\u00e9": (0, "A")}], ".", "printable ASCII"),
        ([{"\n": (0, "A")}], ".", "printable ASCII"),
        ([{1: (0, "A")}], ".", "printable ASCII"),
        ([], "", "blanks is empty"),
        ([], "\u00b7", "printable ASCII"),
        ([], 5, "printable ASCII"),
    ],
)
def test_codes_that_cannot_be(places: Any, blanks: Any, words: str) -> None:
    with pytest.raises(dlx.InvalidArgument, match=words):
        dlx.Code(PROBLEM, places, blanks=blanks)


def test_a_code_knows_its_problem() -> None:
    with pytest.raises(dlx.UnknownOption):
        dlx.Code(PROBLEM, [{"A": "nonsense"}])
    other = dlx.Problem.from_options([["a"]])
    with pytest.raises(dlx.InvalidArgument, match="made for another problem"):
        other.solve_many([], code=CODE)
    with pytest.raises(dlx.InvalidArgument, match="it must be a dlx"):
        other.solve_many([], code="ABC")  # type: ignore[call-overload]
