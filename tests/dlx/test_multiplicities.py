"""Multiplicities: how a problem is given them, what is wrong with some, and where they show."""

from __future__ import annotations

import copy
import io
import pickle
import sys
from collections.abc import Hashable
from typing import Any

import pytest
from example_problems import options_of, written
from hypothesis import example as tried
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of

import dlx
from dlx.cli.info import describe, texts_of
from dlx.links.matrix import Matrix

ENGINES = ("links", "python")
NAMED = {"x": ["a", "b"], "y": ["a"], "z": ["b"], "w": ["b", "c"]}


def example() -> dlx.Problem:
    return dlx.Problem.from_options(NAMED, multiplicities={"b": (1, 2), "c": (0, 3)})


def test_ways_to_say_it() -> None:
    problem = dlx.Problem()
    problem.add_item("a")
    problem.add_item("b", multiplicity=(1, 2))
    problem.add_item("c", multiplicity=(0, 3))
    for name, items in NAMED.items():
        problem.add_option(items, name=name)
    assert problem == example()
    arrays = dlx.Problem.from_arrays(
        [0, 2, 3, 4, 6],
        [0, 1, 0, 1, 1, 2],
        items=["a", "b", "c"],
        names="xyzw",
        multiplicities={"b": (1, 2), "c": (0, 3)},
    )
    assert arrays == problem
    matrix = dlx.Problem.from_matrix([[1, 1], [0, 1]], multiplicities={1: 2})
    assert matrix.multiplicities == {1: (2, 2)}
    assert matrix.solve() == (0, 1)
    assert dlx.solve(NAMED, multiplicities={"b": 3, "c": (0, 1)}) == ("x", "z", "w")
    assert dlx.count(NAMED, multiplicities={"b": (0, 3), "c": (0, 1)}) == 8
    assert len(list(dlx.solutions(NAMED, multiplicities={"a": 2, "c": (0, 1)}))) == 1
    assert arrays.solve() == problem.solve()


def test_inspection() -> None:
    problem = example()
    assert problem.multiplicities == {"b": (1, 2), "c": (0, 3)}
    assert [problem.multiplicity_of(item) for item in "abc"] == [(1, 1), (1, 2), (0, 3)]
    assert table_of(problem).has_multiplicities
    assert repr(problem).endswith("4 options, multiplicities of 2>")
    with pytest.raises(dlx.UnknownItem, match="item 'q' was not declared"):
        problem.multiplicity_of("q")
    with pytest.raises(dlx.UnknownItem, match="not declared"):
        problem.multiplicity_of([])  # type: ignore[arg-type]
    plain = dlx.Problem(["a", "b"], ["s"], multiplicities={"a": 1, "b": (1, 1)})
    assert plain == dlx.Problem(["a", "b"], ["s"])
    assert not table_of(plain).has_multiplicities
    assert plain.multiplicities == {}
    with pytest.raises(dlx.InvalidMultiplicity, match="'s' is secondary"):
        plain.multiplicity_of("s")


def test_copies_are_equal_and_independent() -> None:
    problem = example()
    for other in (copy.copy(problem), copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        assert other == problem
        assert list(other.solutions()) == list(problem.solutions())
        other.add_item("d", multiplicity=4)
        assert other != problem
        assert "d" not in problem.multiplicities
    assert dlx.Problem.from_options(NAMED) != problem


@pytest.mark.parametrize(
    ("multiplicity", "message"),
    [
        ((3, 2), "item 'a': low is 3 and high 2; low must not be above high"),
        (-1, "the multiplicity -1 is negative"),
        ((-2, -1), "the multiplicity -2 is negative"),
        (0, "upper bound is 0; to exclude the item, leave out"),
        ((0, 0), "upper bound is 0"),
        (1.5, "1.5 is not an integer"),
        ("2", "'2' is not an integer"),
        (True, "True is not an integer"),
        (None, "None is not an integer"),
        ((1, "2"), "'2' is not an integer"),
        ((1, 2, 3), r"\(1, 2, 3\) must be a number n, or a pair"),
        ((), r"\(\) must be a number n, or a pair"),
    ],
)
def test_bad_multiplicities(multiplicity: Any, message: str) -> None:
    problem = dlx.Problem(["z"])
    for _ in range(2):  # nothing is left behind
        with pytest.raises(dlx.InvalidMultiplicity, match=message):
            problem.add_item("a", multiplicity=multiplicity)
    with pytest.raises(dlx.InvalidMultiplicity, match=message):
        dlx.Problem(["a"], multiplicities={"a": multiplicity})
    with pytest.raises(dlx.InvalidMultiplicity, match=message):
        dlx.Problem.from_options([["a"]], multiplicities={"a": multiplicity})
    assert problem == dlx.Problem(["z"])


def test_who_can_have_none() -> None:
    with pytest.raises(dlx.InvalidMultiplicity, match="item 's' is secondary; only primary"):
        dlx.Problem(["a"], ["s"], multiplicities={"s": (0, 2)})
    with pytest.raises(dlx.InvalidMultiplicity, match="item 't' is secondary"):
        dlx.Problem().add_item("t", secondary=True, multiplicity=(0, 2))
    with pytest.raises(dlx.UnknownItem, match="item 'q' was not declared"):
        dlx.Problem(["a"], multiplicities={"q": 2})
    with pytest.raises(dlx.InvalidMultiplicity, match="multiplicities is 7; it must be a mapping"):
        dlx.Problem(["a"], multiplicities=7)  # type: ignore[arg-type]
    with pytest.raises(dlx.ColorOnPrimary, match="primary item 'a' a color"):
        dlx.Problem(["a"], multiplicities={"a": 2}).add_option([dlx.colored("a", 1)])
    with pytest.raises(dlx.FrozenProblem):
        dlx.Problem().freeze().add_item("a", multiplicity=2)


def test_what_verify_says() -> None:
    problem = dlx.Problem.from_options(
        options_of("a ab ab"), primary=["a", "b"], multiplicities={"a": (1, 2), "b": 1}
    )
    problem.verify([0, 1])
    with pytest.raises(dlx.InvalidSolution, match="item 'a' is covered 3 times instead of 1 to 2"):
        dlx.Problem.from_options([["a"]] * 3, multiplicities={"a": (1, 2)}).verify([0, 1, 2])
    with pytest.raises(
        dlx.InvalidSolution, match="item 'a' is covered 1 time instead of exactly 3"
    ):
        dlx.Problem.from_options([["a"]] * 3, multiplicities={"a": 3}).verify([1])
    with pytest.raises(dlx.InvalidSolution, match="option 0 occurs twice"):
        problem.verify([0, 0])
    with pytest.raises(dlx.InvalidSolution, match="options 1 and 2 both cover item 'b'"):
        problem.verify([1, 2])


def test_givens_that_clash() -> None:
    problem = dlx.Problem.from_options(
        {"x": ["a", "b"], "y": ["a"], "z": ["a"], "w": ["b"]}, multiplicities={"a": (0, 2)}
    )
    message = "the given option 'z' is one too many: item 'a' may be covered 2 times at most"
    with pytest.raises(dlx.GivenClash, match=message):
        problem.solve(given=["x", "y", "z"])
    with pytest.raises(dlx.GivenClash, match="'x' and 'w' clash: both contain item 'b'"):
        problem.count(given=["y", "x", "w"])
    with pytest.raises(dlx.GivenClash, match="option 'y' is given twice"):
        problem.count(given=["y", "y"])
    for engine in ENGINES:
        sets = [["x", "y", "z"], ["y", "z"], ["y", "y"], ["x"]]
        answers = list(problem.solve_many(sets, engine=engine, errors="return"))
        assert str(answers[0]) == message
        assert answers[1] == ("y", "z", "w")
        assert isinstance(answers[2], dlx.GivenClash)
        assert answers[3] == ("x", "y")


def test_every_engine_knows_weights(engine: str) -> None:
    problem = dlx.Problem.from_options([[dlx.times("a", 2)], ["a"]], multiplicities={"a": 3})
    assert list(problem.solutions(engine=engine)) == [(0, 1)]
    assert list(problem.solve_many([[], [1]], engine=engine)) == [(0, 1), (1, 0)]


def test_lines_and_threads() -> None:
    problem = dlx.Problem.from_options(
        {(i, j): [("row", i), ("column", j)] for i in range(4) for j in range(4)},
        multiplicities={("row", i): 2 for i in range(4)} | {("column", i): 2 for i in range(4)},
    )
    code = dlx.Code(problem, [{"1": (i, j)} for i in range(4) for j in range(4)], blanks=".")
    lines = ["." * 16, "11..11.........."]
    for engine in ENGINES:
        found: list[Any] = list(problem.solve_many(lines, code=code, engine=engine, limit=None))
        assert len(found[0]) == 90
        assert found[1] == ["11..11....11..11"]
        with pytest.raises(dlx.GivenClash):
            next(problem.solve_many(["111............."], code=code, engine=engine))
    assert list(problem.count_many(lines * 500, code=code, workers=2)) == [90, 1] * 500


# -- describe, and Knuth's format -----------------------------------------------------------------


def test_describe() -> None:
    facts = describe(example())
    assert facts["multiplicities"] == {"items": 2, "low": 0, "high": 3}
    assert dict(texts_of(facts))["multiplicities"] == "2 items, 0 to 3 times each"
    assert facts["warnings"] == []
    problem = dlx.Problem.from_options(
        options_of("ab a"), primary=["a", "b", "c"], multiplicities={"a": 3, "b": 2, "c": (0, 2)}
    )
    assert describe(problem)["warnings"] == [
        "all options together cover item 'a' 2 times, and it needs 3: there is no solution",
        "all options together cover item 'b' 1 time, and it needs 2: there is no solution",
    ]
    assert describe(dlx.Problem(["a"]))["multiplicities"] is None


def test_knuths_item_line() -> None:
    text = "| DLX3\nA 1|B 2:3|C 4|D 0:1|E 007|F | X Y\nA B C X:1\n"
    problem = dlx.Problem.load(io.StringIO(text))
    expected: dict[Hashable, tuple[int, int]] = {"C": (2, 3), "D": (4, 4), "E": (0, 1), "F": (7, 7)}
    assert problem.multiplicities == expected
    assert written(problem).split("\n")[0] == "A B 2:3|C 4|D 0:1|E 7|F | X Y"


MOST = 10**1000 - 1
any_bound = (
    st.integers(0, 5)
    | st.sampled_from([10**17, 10**18, sys.maxsize, 2**64, 10**100, MOST - 1, MOST])
    | st.integers(0, MOST)
)


@given(pair=st.tuples(any_bound, any_bound))
@tried(pair=(0, sys.maxsize))
@tried(pair=(MOST, MOST))
@tried(pair=(0, MOST + 1))
@tried(pair=(1, 10**5000))
@tried(pair=(-(10**5000), 1))
def test_every_multiplicity_that_is_accepted_can_be_dumped(pair: tuple[int, int]) -> None:
    low, high = sorted(pair)
    try:
        problem = dlx.Problem.from_options([["a"], ["a", "b"]], multiplicities={"a": (low, high)})
    except dlx.InvalidMultiplicity:
        assert low < 0 or high in (0, 10**5000, MOST + 1)
        return
    again = dlx.Problem.load(io.StringIO(written(problem)))
    assert again.multiplicities == problem.multiplicities
    assert again.count() == problem.count()
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_more_digits_than_any_multiplicity_has() -> None:
    with pytest.raises(dlx.FormatError, match=r"line 1: .*numbers of at most 1000 digits"):
        dlx.Problem.load(io.StringIO(f"{10**1000}|a\na\n"))
    with pytest.raises(
        dlx.InvalidMultiplicity, match=r"item 'a': .*\.\.\. has more than 1000 digi"
    ):
        dlx.Problem(["a"], multiplicities={"a": MOST + 1})
    with pytest.raises(
        dlx.InvalidMultiplicity, match=r"\(an integer of 16610 bits\) has more than"
    ):
        dlx.Problem(["a"], multiplicities={"a": 10**5000})


def test_numbers_too_long_for_python_to_write() -> None:
    huge = 10**5000
    with pytest.raises(dlx.InvalidCost, match=r"\(an integer of 16610 bits\)"):
        dlx.Problem().add_option(["a"], cost=-huge)
    with pytest.raises(dlx.FormatError, match=r"item \(an integer of 16610 bits\) cannot be writt"):
        dlx.Problem([huge]).dump(io.StringIO())
    with pytest.raises(dlx.DuplicateItem, match="item <tuple that cannot be printed> is declared"):
        dlx.Problem([(huge,), (huge,)])


def test_plain_problems_have_plain_matrices() -> None:
    assert type(dlx.Problem(["a"]).matrix()) is Matrix
