"""Costs of options: how they come in, what is wrong with them, and that they are kept."""

from __future__ import annotations

import copy
import io
import json
import os
import pickle
import pty
import subprocess
import sys
from array import array
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bruteforce import Case
from example_problems import written
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases

import dlx
from dlx.cli.main import main

LARGEST = 2**63 - 1
any_costs = st.integers(-(10**6), 10**6) | st.sampled_from([0, 0, 0, 10**15])


@given(case=cases(), data=st.data())
def test_all_ways_to_give_costs_are_alike(case: Case, data: st.DataObject) -> None:
    costs = [data.draw(any_costs) for _ in case.options]
    kinds = {"primary": case.primary, "secondary": case.secondary}
    one = dlx.Problem.from_options(case.options, costs=costs, **kinds)
    by_name = dlx.Problem.from_options(case.options, costs=dict(enumerate(costs)), **kinds)
    slowly = dlx.Problem(**kinds)
    for option, cost in zip(case.options, costs, strict=True):
        slowly.add_option(option, cost=cost)
    assert one.costs == by_name.costs == slowly.costs == tuple(costs)
    assert one == by_name == slowly
    for same in (copy.copy(one), pickle.loads(pickle.dumps(one))):
        assert same == one
        assert same.costs == one.costs
    if any(costs):
        assert one != case.problem()
    chosen = data.draw(st.lists(st.sampled_from(range(len(costs))))) if costs else []
    assert one.cost_of(chosen) == sum(costs[o] for o in chosen)


@given(case=cases(), data=st.data())
def test_costs_survive_a_file(case: Case, data: st.DataObject) -> None:
    if not case.primary:
        return
    costs = [data.draw(any_costs) for _ in case.options]
    problem = dlx.Problem.from_options(
        case.options, primary=case.primary, secondary=case.secondary, costs=costs
    )
    again = dlx.Problem.load(io.StringIO(written(problem)))
    assert again == problem
    assert again.costs == problem.costs


def test_a_copy_grows_by_itself() -> None:
    problem = dlx.Problem.from_options([["a"]], costs=[5])
    other = copy.copy(problem)
    other.add_option(["a"], cost=2)
    problem.add_option(["a"])
    assert (problem.costs, other.costs) == ((5, 0), (5, 2))


@pytest.mark.parametrize(
    "costs",
    [array("q", [1, -2, 3]), array("b", [1, -2, 3]), [1, -2, 3], (c for c in (1, -2, 3))],
    ids=["q", "b", "list", "generator"],
)
def test_arrays_of_costs(costs: Any) -> None:
    problem = dlx.Problem.from_arrays([0, 1, 2, 4], [0, 1, 0, 1], items=2, costs=costs)
    assert problem.costs == (1, -2, 3)
    assert problem.minimum() == [(-1, (0, 1))]


def test_numpy_costs() -> None:
    np = pytest.importorskip("numpy")
    for kind in (np.int8, np.int32, np.int64, np.uint64):
        problem = dlx.Problem.from_arrays([0, 1, 2], [0, 0], items=1, costs=np.array([4, 3], kind))
        assert problem.minimum() == [(3, (1,))]
        assert all(type(cost) is int for cost in problem.costs)
    assert dlx.Problem.from_options([["a"]], costs=np.array([7])).costs == (7,)
    problem = dlx.Problem()
    problem.add_option(["a"], cost=np.int16(-3))
    assert problem.costs == (-3,)
    for wrong in (np.array([1.0]), np.array([True])):
        with pytest.raises(dlx.InvalidCost, match="option 0 has the cost"):
            dlx.Problem.from_options([["a"]], costs=wrong)


@pytest.mark.parametrize("wrong", [1.5, 1.0, True, False, "3", None, [1], float("nan")])
def test_a_cost_is_an_integer(wrong: Any) -> None:
    problem = dlx.Problem()
    problem.add_option(["a"], cost=3)
    with pytest.raises(dlx.InvalidCost) as caught:
        problem.add_option(["b", "c"], name="two", cost=wrong)
    advice = "; minimum(costs=...) takes others" if isinstance(wrong, float) else ""
    refusal = f"option 1 ('two') has the cost {wrong!r}; a cost is an integer{advice}"
    assert str(caught.value) == refusal
    assert problem == dlx.Problem.from_options([["a"]], costs=[3])
    assert problem.items == ("a",)
    with pytest.raises(dlx.InvalidCost, match=r"option 1 \('y'\) has the cost"):
        dlx.Problem.from_options({"x": ["a"], "y": ["b"]}, costs=[1, wrong])
    with pytest.raises(dlx.InvalidCost, match="option 0 has the cost"):
        dlx.Problem.from_arrays([0, 1], [0], items=1, costs=[wrong])


def test_costs_have_a_limit() -> None:
    problem = dlx.Problem()
    problem.add_option(["a"], cost=-(LARGEST - 5))
    problem.add_option(["a"], cost=5)
    with pytest.raises(dlx.InvalidCost) as caught:
        problem.add_option(["a"], cost=-1)
    assert str(caught.value) == (
        "option 2 has the cost -1; the absolute costs of all options together may be at most "
        "9223372036854775807"
    )
    assert problem.costs == (-(LARGEST - 5), 5)
    problem.add_option(["a"], cost=0)
    with pytest.raises(dlx.InvalidCost, match="option 1 has the cost 9223372036854775807; the abs"):
        dlx.Problem.from_options([["a"], ["a"]], costs=[1, LARGEST])
    with pytest.raises(dlx.InvalidCost, match="option 0 has the cost 1000000"):
        dlx.Problem.from_options([["a"]], costs=[10**1000])


def test_wrong_collections_of_costs() -> None:
    with pytest.raises(dlx.InvalidCost, match="1 cost for 2 options: give one for each"):
        dlx.Problem.from_options([["a"], ["b"]], costs=[1])
    with pytest.raises(dlx.UnknownOption, match="'z'"):
        dlx.Problem.from_options({"x": ["a"]}, costs={"z": 1})
    for wrong in ("12", 7):
        with pytest.raises(dlx.InvalidCost, match="costs is"):
            dlx.Problem.from_options([["a"], ["b"]], costs=wrong)  # type: ignore[arg-type]
    with pytest.raises(dlx.UnknownOption, match="9"):
        dlx.Problem.from_options([["a"]]).cost_of([9])


# -- files and the command -----------------------------------------------------------------------

FILE = "a b | x\na x:1 |3\nb x:1 |4 |-1\na b x |7\n"


def test_costs_in_knuths_format() -> None:
    problem = dlx.Problem.load(io.StringIO(FILE))
    assert problem.costs == (3, 3, 7)
    assert written(problem) == "a b | x\na x:1 |3\nb x:1 |3\na b x |7\n"


@pytest.mark.parametrize("word", ["|", "|x", "|1.5", "|+1", "||1", "|--1", "|\u0661", "|1_0"])
def test_a_wrong_cost_in_a_file(word: str) -> None:
    with pytest.raises(dlx.FormatError) as caught:
        dlx.Problem.load(io.StringIO(f"a b\na\nb {word}\n"))
    assert str(caught.value).startswith(f"line 3: {word!r} should be a cost")


def test_other_wrong_bars_in_a_file() -> None:
    with pytest.raises(dlx.FormatError, match=r"line 2: 'a\|3' contains '\|'; a cost is a word"):
        dlx.Problem.load(io.StringIO("a b\na|3\n"))
    with pytest.raises(dlx.FormatError, match="line 3: option 1 has the cost 92"):
        dlx.Problem.load(io.StringIO(f"a b\na |1\na |{LARGEST}\n"))


def test_a_line_that_begins_with_a_bar_is_a_comment() -> None:
    assert len(dlx.Problem.load(io.StringIO("a b\n|1 a b\nb |2\n"))) == 1


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def dlx_min(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs `dlx min` on a file of that text."""
    path = tmp_path / "problem.dlx"

    def run(*arguments: str, text: str = FILE) -> Done:
        path.write_text(text)
        status = main(["min", str(path), *arguments])
        return Done(status, *capsys.readouterr())

    return run


def test_dlx_min(dlx_min: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dlx.cli.display.DELAY", 0.0)
    done = dlx_min("-k", "5")
    assert done.status == 0
    assert done.out == (
        "solution 1, cost 6:\n  0: a x:1 |3\n  1: b x:1 |3\nsolution 2, cost 7:\n  2: a b x |7\n"
    )
    best, summary = done.err.splitlines()
    assert best.startswith("best so far 6 | all others cost at least 7")
    assert summary.startswith("2 solutions, ")
    monkeypatch.setattr("dlx.cli.display.DELAY", 1e9)
    (summary,) = dlx_min("-k", "5").err.splitlines()
    assert summary.startswith("2 solutions, ")


def test_dlx_min_in_any_order(dlx_min: Run) -> None:
    """A flag of the command reaches the search, and an engine that knows no order of ties."""
    ties = "a b\na |1\nb |1\na b |2\na b |2\n"
    cheapest = dlx_min("--any-order", "--json", text=ties)
    assert json.loads(cheapest.out.splitlines()[0])["cost"] == 2
    assert dlx_min("--any-order", "--engine", "python", "--json", text=ties).status == 0


def test_dlx_min_as_json(dlx_min: Run) -> None:
    done = dlx_min("--max", "--json")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert lines[0] == {"solution": 1, "cost": 7, "options": [2], "items": [["a", "b", "x"]]}
    assert lines[1]["complete"] is True
    assert done.err == ""
    done = dlx_min("--json", "--given", "a b x", "--engine", "python")
    assert json.loads(done.out.splitlines()[0])["cost"] == 7


def test_dlx_min_that_finds_nothing_or_is_stopped(dlx_min: Run) -> None:
    done = dlx_min(text="a b\na |1\n")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("no solutions, ")
    done = dlx_min("--timeout", "0")
    assert (done.status, done.out) == (3, "")
    assert "stopped by the timeout: nothing is proved" in done.err
    done = dlx_min("--timeout", "0", "--json")
    assert json.loads(done.out)["stopped_by"] == "timeout"
    for arguments in (["-k", "0"], ["--engine", "bits"], ["--given", "7"]):
        done = dlx_min(*arguments)
        assert done.status == 2
        assert len(done.err.splitlines()) == 1


EAGER_DLX = """
import sys
from dlx.cli import display
from dlx.cli.main import main
display.DELAY = 0.0
sys.exit(main())
"""


def test_dlx_min_on_a_terminal(tmp_path: Path) -> None:
    """The line of progress is drawn on the terminal and gone at the end; the answer is not."""
    path = tmp_path / "problem.dlx"
    path.write_text(FILE)
    main, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-P", "-c", EAGER_DLX, "min", str(path)],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    ) as process:
        os.close(terminal)
        assert process.stdout is not None
        answer = process.stdout.read()
        shown = b""
        while True:
            try:
                part = os.read(main, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(main)
    assert answer == b"solution 1, cost 6:\n  0: a x:1 |3\n  1: b x:1 |3\n"
    assert b"best so far" in shown
    assert b"\x1b[2K" in shown  # and erased


@pytest.mark.parametrize("engine", ["auto", "links", "python"])
@given(
    st.sampled_from([LARGEST, LARGEST - 1, 2**62, 2**62 - 1, 2**53 + 1]),
    st.lists(st.tuples(st.integers(0, 2**61), st.sampled_from([-1, 1])), max_size=3),
    st.sampled_from([-1, 1]),
)
def test_costs_are_exact_up_to_the_largest_total(
    engine: str, total: int, others: list[tuple[int, int]], sign: int
) -> None:
    """Absolute costs that come to exactly so much: summed up in one solution, and each alone."""
    costs = [size % (total // 4) * way for size, way in others]
    costs.append(sign * (total - sum(map(abs, costs))))
    size = len(costs)
    together = dlx.Problem.from_options([[item] for item in range(size)], costs=costs)
    apart = dlx.Problem.from_options([[0]] * size, costs=costs)
    for ask, way in ((dlx.Problem.minimum, 1), (dlx.Problem.maximum, -1)):
        assert [cost for cost, _ in ask(together, size, engine=engine)] == [sum(costs)]
        ranking = ask(apart, size, engine=engine)
        assert ranking == [
            (costs[index], (index,))
            for index in sorted(range(size), key=lambda index: way * costs[index])
        ]


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("excess", [1, 2**62, 2**63, 10**40])
def test_a_larger_total_is_refused(sign: int, excess: int) -> None:
    costs = [sign * (LARGEST - 1), -1, sign * excess]
    with pytest.raises(dlx.InvalidCost, match=f"together may be at most {LARGEST}"):
        dlx.Problem.from_options([["a"]] * 3, costs=costs)


# -- Costs of other types than int, given to `minimum` and `maximum`: scaled exactly -------------


decimals = st.decimals(-100, 100, places=3)
fractions = st.fractions(-100, 100, max_denominator=30)
floats = st.integers(-800, 800).map(lambda number: number / 8)
TYPES = {Decimal: decimals, Fraction: fractions, float: floats, int: st.integers(-99, 99)}


@given(
    case=cases(),
    kind=st.sampled_from(list(TYPES)),
    k=st.integers(1, 9),
    engine=st.sampled_from(["auto", "links", "python"]),
    data=st.data(),
)
def test_totals_are_exact_and_have_the_type_of_the_costs(
    case: Case, kind: type, k: int, engine: str, data: st.DataObject
) -> None:
    problem = case.problem()
    costs = [data.draw(TYPES[kind] | st.integers(-9, 9)) for _ in case.options]
    exact = [Fraction(cost) for cost in costs]
    solutions = list(problem.solutions())
    for sign, ask in ((1, problem.minimum), (-1, problem.maximum)):
        totals = [(sum((exact[o] for o in one), Fraction(0)), one) for one in solutions]
        totals.sort(key=lambda pair: sign * pair[0])
        found = ask(k, costs=costs, engine=engine)
        assert [(Fraction(total), one) for total, one in found] == totals[:k]
        if any(type(cost) is kind for cost in costs):
            assert all(type(total) is kind for total, _ in found)


def test_a_float_is_its_exact_rational() -> None:
    """0.1 + 0.2 is more than 0.3: as rationals as well."""
    problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]])
    assert problem.minimum(costs=[0.1, 0.2, 0.3]) == [(0.3, (2,))]
    assert Fraction(0.1) + Fraction(0.2) > Fraction(0.3)
    decimals = [Decimal("0.1"), Decimal("0.2"), Decimal("0.3")]
    assert problem.minimum(costs=decimals) == [(Decimal("0.3"), (0, 1))]


def test_costs_by_name_and_of_numpy_and_pandas() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["a"], "z": ["b"]}, costs=[1, 2, 3])
    assert problem.minimum(costs={"z": Fraction(1, 3), "y": 0, "x": 1}) == [
        (Fraction(1, 3), ("z", "y"))
    ]
    assert problem.minimum() == [(4, ("z", "x"))]
    np = pytest.importorskip("numpy")
    for kind in (np.float64, np.float32, np.int16):
        assert problem.minimum(costs=np.array([3, 2, 1], kind)) == [(3, ("z", "y"))]


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_bounds_and_progress_have_the_type_as_well(engine: str) -> None:
    problem = dlx.models.queens(8)
    costs = [Decimal(o % 7) / 4 for o in range(len(problem))]
    seen: list[dlx.Progress] = []
    best = problem.minimum(costs=costs, progress=seen.append, engine=engine)[0][0]
    assert seen[-1].best == best
    assert type(seen[-1].best) is type(seen[-1].bound) is Decimal


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([1, float("nan"), 2], "option 1 has the cost nan; a cost is a finite number"),
        ([1, 2, float("-inf")], "option 2 has the cost -inf; a cost is a finite number"),
        ([1, 2, Decimal("sNaN")], r"option 2 has the cost Decimal\('sNaN'\); a cost is a finite"),
        ([None, 2, 3], "option 0 has the cost None; a cost is a number"),
        ([True, 2, 3], "option 0 has the cost True; a cost is a number"),
        (["1", 2, 3], "option 0 has the cost '1'; a cost is a number"),
        ([1j, 2, 3], "option 0 has the cost 1j; a cost is a number"),
        ([0.5, 1, Decimal(1)], "option 2 .* type float; use one of the two types"),
        ([1, 2], "2 costs for 3 options"),
        ({0: 1, 1: 1}, "costs has no value for option 2"),
        ({1, 2, 3}, "costs is the set"),
        ([1e300, 1, 1], "too many digits"),
        ([1e-300, 1, 1], "too many digits"),
    ],
)
def test_costs_that_are_refused(costs: Any, message: str) -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["a"]])
    with pytest.raises(dlx.InvalidCost, match=message):
        problem.minimum(costs=costs)


def test_the_engine_in_python_has_no_limit_of_digits() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"]])
    costs: Sequence[float] = [1e300, 2e-300, 1.0]
    assert problem.minimum(costs=costs, engine="python") == [(1.0, (2, 1))]
    assert problem.maximum(costs=costs, engine="python") == [(1e300, (2, 0))]
    assert problem.minimum(costs=[10**400, 10**401, 1], engine="python")[0][0] == 10**400 + 1


def test_other_types_in_a_problem_are_refused_with_advice() -> None:
    with pytest.raises(dlx.InvalidCost, match=r"0\.5; a cost is an integer; minimum\(costs="):
        dlx.Problem.from_options([["a"]], costs=[0.5])
