"""Problems for constraint solvers: MiniZinc models and XCSP3 instances.

Both are read back by small readers of this file, which try all values, and are solved by MiniZinc
(with Gecode) and by ACE (from the package pycsp3, with Java) where these are installed.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bruteforce import Case, all_subsets
from example_problems import written
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, multi_cases

import dlx
from dlx import models
from dlx.formats.minizinc import MODEL

FORMATS = ["minizinc", "xcsp3"]


def example() -> dlx.Problem:
    """With colors, multiplicities, weights, costs, and names."""
    problem = dlx.Problem(["p", "q"], ["x", "y"], multiplicities={"p": (1, 3), "q": (0, None)})
    problem.add_option(["p", dlx.colored("x", "A"), dlx.colored("y", 1)], name="first", cost=3)
    problem.add_option([dlx.times("p", 2), "q", dlx.colored("x", "A")], name=("s", 1), cost=1)
    problem.add_option(["p", "q", dlx.colored("x", "B"), "y"], cost=-2)
    problem.add_option(["q", dlx.colored("y", 1)], name="--")
    return problem


# -- readers of this file ------------------------------------------------------------------------

Assignment = tuple[int, ...]
Test = Callable[[Assignment, Assignment], bool]


def assignments(options: int, colors: int, tests: list[Test]) -> Iterator[Assignment]:
    """The values of x in all assignments that pass the tests, each as often as there are such."""
    for values in product((0, 1), repeat=options + colors):
        x, k = values[:options], values[options:]
        if all(test(x, k) for test in tests):
            yield x


def read_minizinc(text: str) -> tuple[list[Assignment], Callable[[Assignment], int] | None]:
    """The values of x in all solutions of a model of our form, and its objective."""
    text = re.sub(r"%.*", "", text)
    sizes = {name: int(last) + 1 for last, name in re.findall(r"0\.\.(-?\d+)\] of .*: (\w);", text)}
    tests: list[Test] = []
    for constraint in re.findall(r"constraint ([^;]*);", text):
        python = re.sub(r" = ", " == ", " ".join(constraint.split()))
        python = re.sub(r" in (-?\d+)\.\.(-?\d+)", r" in range(\1, \2 + 1)", python)
        code = compile(python, "constraint", "eval")
        tests.append(lambda x, k, code=code: bool(eval(code, {"x": x, "k": k, "max": max})))
    found = list(assignments(sizes["x"], sizes.get("k", 0), tests))
    (goal,) = re.findall(r"solve ([^;]*);", text)
    if goal == "satisfy":
        return found, None
    code = compile(" ".join(goal.removeprefix("minimize ").split()), "objective", "eval")
    return found, lambda x: int(eval(code, {"x": x}))


def read_xcsp3(text: str) -> tuple[list[Assignment], Callable[[Assignment], int] | None]:
    """The same of an XCSP3 instance."""
    root = ElementTree.fromstring(text)
    sizes = {
        str(array.get("id")): int(str(array.get("size"))[1:-1])
        for array in root.iter("array")
        if str(array.text).split() == ["0", "1"]
    }

    def value(name: str, x: Assignment, k: Assignment) -> int:
        return {"x": x, "k": k}[name[0]][int(name[2:-1])]

    def holds(element: ElementTree.Element, x: Assignment, k: Assignment) -> bool:
        values = [value(name, x, k) for name in str(element.findtext("list")).split()]
        assert values
        if element.tag == "sum":
            factors = map(int, str(element.findtext("coeffs")).split())
            result = sum(a * b for a, b in zip(factors, values, strict=True))
        else:
            assert element.tag == "maximum"
            result = max(values)
        condition = str(element.findtext("condition")).strip()[1:-1]
        relation, _, operand = condition.partition(",")
        if relation == "in":
            low, high = map(int, operand.split(".."))
            return low <= result <= high
        right = int(operand) if operand.isdigit() else value(operand, x, k)
        return {"eq": result == right, "le": result <= right, "ge": result >= right}[relation]

    constraints = list(root.find("constraints") or ())
    found = list(
        assignments(
            sizes["x"],
            sizes.get("k", 0),
            [lambda x, k, one=one: holds(one, x, k) for one in constraints],
        )
    )
    goal = root.find("objectives/minimize")
    assert (root.get("type") == "COP") == (goal is not None)
    if goal is None:
        return found, None
    names = [name[2:-1] for name in str(goal.findtext("list")).split()]
    costs = list(map(int, str(goal.findtext("coeffs")).split()))
    return found, lambda x: sum(c * x[int(n)] for c, n in zip(costs, names, strict=True))


READERS: dict[str, Any] = {"minizinc": read_minizinc, "xcsp3": read_xcsp3}


def solutions_of(text: str, form: str) -> list[frozenset[int]]:
    return [
        frozenset(place for place, chosen in enumerate(x) if chosen) for x in READERS[form](text)[0]
    ]


# -- what is written -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
@given(case=cases(max_options=6))
def test_solutions_are_one_to_one(form: str, case: Case) -> None:
    if case.options:
        found = solutions_of(written(case.problem(), form), form)
        assert len(found) == len(set(found))
        assert set(found) == all_subsets(case)


@pytest.mark.parametrize("form", FORMATS)
@given(case=multi_cases(), data=st.data())
def test_multiplicities_weights_and_costs(form: str, case: Case, data: st.DataObject) -> None:
    if not 0 < len(case.options) <= 7:
        return
    costs = data.draw(st.lists(st.integers(-9, 9), min_size=len(case.options), max_size=7))
    problem = case.problem(costs[: len(case.options)])
    text = written(problem, form)
    found = solutions_of(text, form)
    assert len(found) == len(set(found))
    assert set(found) == all_subsets(case)
    assignments, objective = READERS[form](text)
    assert (objective is None) == (not any(problem.costs))
    for x in assignments if objective else ():
        chosen = [index for index, value in enumerate(x) if value]
        assert objective(x) == problem.cost_of(chosen)


def read_data(text: str) -> list[Assignment]:
    """The values of x in all solutions of `MODEL` with data of our form."""
    python = re.sub(r"%.*", "", text).replace(";", "")
    data: dict[str, Any] = {}
    exec(python, data)
    options, colors = data["options"], data["colors"]

    def holds(x: Assignment, k: Assignment) -> bool:
        values = (None, *x, *k)
        for s, (low, high) in enumerate(zip(data["low"], data["high"], strict=True)):
            terms = range(data["first"][s] - 1, data["first"][s + 1] - 1)
            if not low <= sum(data["weight"][t] * values[data["term"][t]] for t in terms) <= high:
                return False
        return all(k[n] == max(values[o] for o in users) for n, users in enumerate(data["users"]))

    assert len(data["cost"]) == options
    return list(assignments(options, colors, [holds]))


@given(case=multi_cases())
def test_data_files(case: Case) -> None:
    if 0 < len(case.options) <= 7:
        found = read_data(written(case.problem(), "dzn"))
        assert len(found) == len(set(found))
        chosen = {frozenset(n for n, value in enumerate(x) if value) for x in found}
        assert chosen == all_subsets(case)


def test_what_is_written_as_data() -> None:
    text = written(example(), "dzn").partition("options = ")[2]
    assert (
        text
        == """4;
colors = 2;
low = [1, 0, 0];
high = [3, 1, 1];
first = [1, 4, 6, 8];
term = [1, 2, 3, 5, 3, 3, 6];
weight = [1, 2, 1, 1, 1, 1, 1];
users = [{1, 2}, {1, 4}];
cost = [3, 1, -2, 0];
"""
    )


@pytest.mark.parametrize("form", FORMATS)
def test_bounds_out_of_reach(form: str) -> None:
    for high in (10**1000 - 1, None):
        problem = dlx.Problem(["a"], multiplicities={"a": (10**999, high)})
        problem.add_option(["a"])
        assert len(written(problem, form)) < 1000
        assert solutions_of(written(problem, form), form) == []
        problem = dlx.Problem(["a"], multiplicities={"a": (0, high)})
        problem.add_option(["a"])
        assert len(solutions_of(written(problem, form), form)) == 2
    uncoverable = dlx.Problem.from_options([["a"]], primary=["a", "b"])
    assert solutions_of(written(uncoverable, form), form) == []
    with pytest.raises(dlx.FormatError, match="without options"):
        written(dlx.Problem(["a"]), form)


def test_comments_say_what_variables_are() -> None:
    text = written(example(), "minizinc")
    assert "% x[1]: ('s',1) = p*2 q x:A\n" in text
    assert "% x[3]: -- = q y:1\n" in text
    assert "% k[0]: x:A\n" in text
    assert ";  % p\n" in text
    text = written(example(), "xcsp3")
    assert "<!-- x[1]: ('s',1) = p*2 q x:A -->\n" in text
    assert "<!-- x[3]: - -  = q y:1 -->\n" in text  # XML allows no "--" in a comment


# -- answers -------------------------------------------------------------------------------------

XCSP3_ANSWER = """\
c ACE
o 3
s OPTIMUM FOUND
v <instantiation id='sol1' type='solution' cost='1'>
v <list> x[] k[] </list> <values> {values} </values>
v </instantiation>
d COMPLETE EXPLORATION
"""


@pytest.mark.parametrize("values", ["0 1 0x2 1 0", "0 1 0 0 1 0", "0x1 1 0x2"])
def test_answers_of_xcsp3_solvers(values: str) -> None:
    answer = XCSP3_ANSWER.format(values=values)
    assert example().read_model(io.StringIO(answer)) == (("s", 1),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s UNSATISFIABLE\nd COMPLETE EXPLORATION\n", None),
        ("=====UNSATISFIABLE=====\n", None),
        ("x1 1\n----------\n", (("s", 1),)),
        ("x0 1\nx3 1\n----------\nx1 1\n----------\n==========\n", (("s", 1),)),
        (
            "s SATISFIABLE\nv <instantiation> <list> x[1] x[0] x[2] x[3] </list> "
            "<values> 1 0 0 0 </values> </instantiation>\n",
            (("s", 1),),
        ),
    ],
)
def test_other_answers(text: str, expected: object) -> None:
    assert example().read_model(io.StringIO(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=====UNKNOWN=====\n", "line 1: .*neither a solution nor a proof"),
        (XCSP3_ANSWER.format(values="0 1 2 0"), r"line 6: the value of x\[2\] is '2', not 0 or 1"),
        (XCSP3_ANSWER.format(values="0 1 *"), r"x\[2\] is '\*'"),
        (XCSP3_ANSWER.format(values="0 1 0"), r"line 6: the value of x\[3\] is missing"),
        (XCSP3_ANSWER.format(values="0 1xx 0"), "'1xx' is neither a value nor a repeated one"),
        (XCSP3_ANSWER.format(values="0 1 0 0").replace("x[]", "y[]"), r"no variable 'y\[\]'"),
        (XCSP3_ANSWER.format(values="0 1 0 0").replace("x[]", "x[4]"), r"no variable 'x\[4\]'"),
        (XCSP3_ANSWER.format(values="0 1 0 0").replace("values", "valves"), "has no list of"),
        (XCSP3_ANSWER.partition("v </")[0], "cut off: no </instantiation>"),
    ],
)
def test_answers_that_are_wrong(text: str, expected: str) -> None:
    with pytest.raises(dlx.FormatError, match=expected):
        example().read_model(io.StringIO(text))


def test_an_answer_that_repeats_a_value_very_often_takes_no_time() -> None:
    answer = XCSP3_ANSWER.format(values="0 1 0x999999999999999999")
    assert example().read_model(io.StringIO(answer)) == (("s", 1),)


# -- solvers -------------------------------------------------------------------------------------

PROBLEMS = {
    "example": example(),
    "queens": models.queens(5),
    "covering": dlx.Problem.covering({"x": ["a", "b"], "y": ["b", "c"], "z": ["a", "c"]}),
    "none": dlx.Problem.from_options([["a"], ["a", "b"]], primary=["a", "b", "c"]),
    "weights": dlx.Problem.from_options(
        [[dlx.times("kg", n)] for n in (1, 2, 3)], multiplicities={"kg": (3, 4)}
    ),
}


def check_answers(problem: dlx.Problem, texts: list[str]) -> None:
    """Each text is one answer. With costs there is one, of the least cost; otherwise all are."""
    found = [problem.read_model(io.StringIO(text)) for text in texts]
    best = problem.minimum()
    if any(problem.costs):
        (solution,) = found
        assert solution is not None
        assert problem.cost_of(solution) == best[0][0]
    elif not best:
        assert found == [None]
    else:
        expected = {frozenset(solution) for solution in problem.solutions()}
        assert sorted(map(sorted, found)) == sorted(map(sorted, expected))  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("minizinc") is None, reason="needs MiniZinc")
@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_minizinc_solves_it(name: str, tmp_path: Path) -> None:
    problem, path = PROBLEMS[name], tmp_path / "model.mzn"
    problem.dump(path)
    everything = [] if any(problem.costs) else ["-a"]
    done = subprocess.run(
        ["minizinc", *everything, str(path)], capture_output=True, text=True, check=True
    )
    if any(problem.costs) or "UNSATISFIABLE" in done.stdout:
        check_answers(problem, [done.stdout])
    else:
        ends = done.stdout.split("----------\n")[:-1]
        check_answers(problem, [f"{text}----------\n" for text in ends])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("minizinc") is None, reason="needs MiniZinc")
@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_minizinc_solves_it_as_data(name: str, tmp_path: Path) -> None:
    problem, model, data = PROBLEMS[name], tmp_path / "model.mzn", tmp_path / "problem.dzn"
    problem.dump(data)
    model.write_text(MODEL)
    done = subprocess.run(
        ["minizinc", str(model), str(data)], capture_output=True, text=True, check=True
    )
    found, best = problem.read_model(io.StringIO(done.stdout)), problem.minimum()
    assert (found is None) == (not best)
    assert found is None or problem.cost_of(found) == best[0][0]


def ace_jar() -> Path | None:
    """The solver ACE in the package pycsp3, if that is installed, and Java."""
    package = find_spec("pycsp3")
    if package is None or package.origin is None or shutil.which("java") is None:
        return None
    jars = sorted(Path(package.origin).parent.glob("solvers/ace/ACE-*.jar"))
    return jars[-1] if jars else None


@pytest.mark.slow
@pytest.mark.skipif(ace_jar() is None, reason="needs pycsp3 and Java")
@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_ace_solves_it(name: str, tmp_path: Path) -> None:
    problem, path = PROBLEMS[name], tmp_path / "instance.xml"
    problem.dump(path)
    everything = [] if any(problem.costs) else ["-s=all"]
    done = subprocess.run(
        ["java", "-jar", str(ace_jar()), str(path), "-npc", "-xe", *everything],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if line[:2] in ("s ", "v ")]
    values = [line for line in lines if line.startswith("v ")]
    verdict = next(line for line in lines if line.startswith("s "))
    if any(problem.costs) or not values:
        check_answers(problem, ["\n".join([verdict, *values[-1:]])])
    else:
        check_answers(problem, [f"{verdict}\n{line}\n" for line in values])
