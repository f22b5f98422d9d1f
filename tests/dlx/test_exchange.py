"""Problems written for other solvers, and what these answer.

DIMACS is read back by a reader of its own and solved by PySAT, MPS and LP are read and solved by
HiGHS, which is in SciPy. The files in ANSWERS were written by CBC 2.10.3, SCIP 10 (PySCIPOpt 6) and
HiGHS 1.12 about `dump("x.mps")` and `dump("x.lp")` of the same problem.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case, all_subsets
from commands import Run
from example_problems import written
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Cadical195
from strategies import any_cases, cases, large_cases

import dlx
from dlx import models
from dlx.check.pseudo_boolean import Formula, read_opb
from dlx.cli.main import main
from dlx.formats.answers import read_answer

FORMATS = ["cnf", "opb", "mps", "lp"]


def example() -> dlx.Problem:
    """With both kinds of entries for a secondary item: TAOCP's, and one entry more."""
    return dlx.Problem.from_options(
        [
            ["p", "q", "x", dlx.colored("y", "A")],
            ["p", "r", dlx.colored("x", "A"), "y"],
            ["p", dlx.colored("x", "B")],
            ["q", dlx.colored("x", "A")],
            ["r", dlx.colored("y", "B")],
        ],
        secondary=["x", "y"],
    )


# -- DIMACS --------------------------------------------------------------------------------------


def read_dimacs(text: str) -> tuple[list[int], list[list[int]]]:
    """The variables to show, and the clauses; the header must be right."""
    show: list[int] = []
    clauses: list[list[int]] = []
    variables = count = -1
    for line in text.splitlines():
        if line.startswith("c p show "):
            *show, end = map(int, line.split()[3:])
            assert end == 0
        elif line.startswith("p cnf "):
            variables, count = map(int, line.split()[2:])
        elif not line.startswith("c"):
            *clause, end = map(int, line.split())
            assert end == 0
            assert all(0 < abs(literal) <= variables for literal in clause)
            clauses.append(clause)
    assert len(clauses) == count
    return show, clauses


def models_of(text: str) -> Iterator[str]:
    """What a SAT solver prints for each model, as far as the variables to show differ."""
    show, clauses = read_dimacs(text)
    if [] in clauses:
        return
    with Cadical195(bootstrap_with=clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            model += sorted({-v for v in show} - {-abs(v) for v in model})  # in no clause at all
            words = " ".join(map(str, model))
            yield f"c hello\ns SATISFIABLE\nv {words}\nv 0\n"
            clause = [-v for v in model if abs(v) in show]
            if not clause:
                return
            solver.add_clause(clause)


@given(cases())
def test_models_of_clauses_are_the_solutions(case: Case) -> None:
    """Also for who counts models: each solution is one, projected to the variables shown."""
    problem = case.problem()
    texts = list(models_of(written(problem, "cnf")))
    found = [problem.read_model(io.StringIO(text)) for text in texts]
    assert sorted(map(sorted, filter(None, found))) == sorted(  # type: ignore[type-var]
        sorted(s) for s in all_subsets(case) if s
    )
    assert len(found) == len(all_subsets(case))


def test_the_map_says_which_variable_is_which() -> None:
    text = written(example(), "cnf")
    assert text.startswith("c exact cover: 5 options over 5 items\nc option variables: 1 to 5\n")
    assert "\nc 2: p r x:A y\n" in text
    assert "\nc 6: x:A\n" in text
    assert "\nc p show 1 2 3 4 5 0\n" in text


@settings(max_examples=40)
@given(st.recursive(st.text() | st.integers() | st.none(), st.tuples))
def test_comments_stay_on_their_line(name: Any) -> None:
    problem = dlx.Problem(secondary=["s"])
    problem.add_item(("a", name))
    problem.add_option([("a", name), dlx.colored("s", name)], name=("o", name))
    problem.add_option([("a", name), dlx.colored("s", name)], name=("p", name))
    plain = dlx.Problem.from_options([["a", dlx.colored("s", 1)]] * 2, secondary=["s"])
    for form in FORMATS:
        text, same = written(problem, form), written(plain, form)
        bare, expected = (
            [line for line in each.splitlines() if line[0] not in "c*\\"] for each in (text, same)
        )
        assert bare == expected
        text.encode()


# -- OPB -----------------------------------------------------------------------------------------


def satisfying(formula: Formula) -> Iterator[dict[str, int]]:
    """The assignments that satisfy the constraints, by trying all."""
    for values in product([0, 1], repeat=len(formula.names)):
        true = {x if value else -x for x, value in enumerate(values, start=1)}
        if all(
            sum(factor for literal, factor in terms.items() if literal in true) >= degree
            for terms, degree in formula.inequalities
        ):
            yield dict(zip(formula.names, values, strict=True))


@given(any_cases(max_options=7), st.lists(st.integers(-5, 5), min_size=7, max_size=7))
def test_assignments_are_the_solutions(case: Case, costs: list[int]) -> None:
    """One for one: colors follow from the options. Costs become the objective."""
    problem = case.problem(costs[: len(case.options)])
    text = written(problem, "opb")
    formula = read_opb(text.splitlines())
    header = re.match(r"\* #variable= ([0-9]+) #constraint= ([0-9]+)\n", text)
    assert header is not None
    variables, count = map(int, header.groups())
    assert variables >= len(formula.names)
    assert count == len(re.findall(r"(?m)^[^*m].*= -?[0-9]+ ;$", text))
    free = [o for o in range(len(problem)) if f"x{o + 1}" not in formula.names]  # in no constraint
    found = [
        frozenset(o for o in range(len(problem)) if values.get(f"x{o + 1}")) | set(more)
        for values in satisfying(formula)
        for size in range(len(free) + 1)
        for more in combinations(free, size)
    ]
    assert len(found) == len(set(found))
    assert set(found) == all_subsets(case)
    objective = {abs(literal): factor for factor, literal in formula.objective or ()}
    for option, cost in enumerate(costs[: len(problem)]):
        number = formula.literals.get(f"x{option + 1}", 0)
        assert objective.get(number, 0) == cost


def test_an_opb_file() -> None:
    """As in the format's description."""
    problem = dlx.Problem.from_options(
        [
            ["p", dlx.colored("x", "A")],
            ["p", "q", dlx.colored("x", "B")],
            ["q", dlx.colored("x", "A")],
        ],
        secondary=["x"],
        costs=[2, 3, 1],
    )
    assert written(problem, "opb").splitlines() == [
        "* #variable= 4 #constraint= 6",
        "* exact cover: 3 options over 3 items",
        "* x1: p x:A",
        "* x2: p q x:B",
        "* x3: q x:A",
        "* x4: x:A",
        "min: 2 x1 3 x2 1 x3 ;",
        "1 ~x1 1 x4 >= 1 ;",
        "1 ~x3 1 x4 >= 1 ;",
        "1 x1 1 x3 1 ~x4 >= 1 ;",
        "1 x1 1 x2 = 1 ;",
        "1 x2 1 x3 = 1 ;",
        "-1 x4 -1 x2 >= -1 ;",
    ]
    empty = dlx.Problem(secondary=["s"])
    assert written(empty, "opb").startswith("* #variable= 0 #constraint= 0\n")
    assert written(dlx.Problem(["a"]), "opb").endswith("\n>= 1 ;\n")


# -- MPS and LP ----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def highs() -> Any:
    """HiGHS, as SciPy has it."""
    return pytest.importorskip("scipy.optimize._highspy._core")


def answer_of_highs(core: Any, path: Path) -> str:
    solver = core._Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(path)) == core.HighsStatus.kOk  # not a warning, either
    solver.run()
    out = path.with_suffix(".sol")
    solver.writeSolution(str(out), 0)
    return out.read_text()


@given(cases())
def test_programs_have_the_solutions_of_the_problem(case: Case) -> None:
    """Every set of options satisfies the rows, with the best colors, just if it is a solution."""
    problem = case.problem()
    if not 0 < len(problem) <= 8:
        return
    rows = rows_of_lp(written(problem, "lp"))
    assert rows == rows_of_mps(written(problem, "mps"))
    solutions = {
        frozenset(option for option in range(len(problem)) if chosen >> option & 1)
        for chosen in range(2 ** len(problem))
        if satisfied(rows, {f"x{o}": chosen >> o & 1 for o in range(len(problem))})
    }
    assert solutions == all_subsets(case)


Rows = dict[str, tuple[dict[str, int], str, int]]


def satisfied(rows: Rows, values: dict[str, int]) -> bool:
    for terms, sign, _ in rows.values():  # a color is wanted as soon as one option wants it
        for name, factor in terms.items():
            if factor == -1 and name[0] == "k":
                (option,) = (other for other in terms if other != name)
                values[name] = max(values.get(name, 0), values[option])
                assert sign == "<="
    sums = {
        name: sum(factor * values.get(variable, 0) for variable, factor in terms.items())
        for name, (terms, _, _) in rows.items()
    }
    return all(
        sums[name] <= side if sign == "<=" else sums[name] == side
        for name, (_, sign, side) in rows.items()
    )


def rows_of_lp(text: str) -> Rows:
    body = text.partition("Subject To\n")[2].partition("Binary\n")[0]
    rows: Rows = {}
    for line in body.replace("\n   ", " ").splitlines():
        name, _, rest = line.strip().partition(": ")
        words = rest.split()
        sign, side = words[-2:]
        terms: dict[str, int] = {}
        factor = 1
        for word in words[:-2]:
            if word in "+-":
                factor = 1 if word == "+" else -1
            elif word.isdecimal():
                factor *= int(word)
            else:
                terms[word] = factor
                factor = 1
        rows[name] = ({name: factor for name, factor in terms.items() if factor}, sign, int(side))
    return rows


def rows_of_mps(text: str) -> Rows:
    rows: Rows = {}
    section = ""
    for line in text.splitlines():
        if line[0] == "*":
            continue
        words = line.split()
        if line[0] != " ":
            section = words[0]
        elif section == "ROWS" and words[0] != "N":
            rows[words[1]] = ({}, {"L": "<=", "E": "="}[words[0]], 0)
        elif section == "COLUMNS" and words[0] != "MARKER" and words[1] != "cost":
            rows[words[1]][0][words[0]] = int(words[2])
        elif section == "RHS":
            terms, sign, _ = rows[words[1]]
            rows[words[1]] = (terms, sign, int(words[2]))
    return rows


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_larger_programs(highs: Any, tmp_path: Path, form: str) -> None:
    for problem in (models.langford(4), models.queens(5), example()):
        path = tmp_path / f"large.{form}"
        problem.dump(path)
        assert problem.read_model(io.StringIO(answer_of_highs(highs, path))) is not None


# -- bounds and costs ------------------------------------------------------------------------------


@pytest.mark.lengthy
@pytest.mark.parametrize("use", ["engine", "cnf", "mps", "lp"])
@settings(max_examples=80)
@given(
    case=any_cases(max_options=8),
    costs=st.lists(st.integers(-5, 5), min_size=8, max_size=8),
)
def test_any_bounds_and_costs(
    highs: Any,
    tmp_path_factory: pytest.TempPathFactory,
    use: str,
    case: Case,
    costs: list[int],
) -> None:
    problem, expected = case.problem(costs[: len(case.options)]), all_subsets(case)
    if use == "engine":
        found = list(map(frozenset, problem.solutions(engine="sat")))
        assert len(found) == len(expected)
        assert set(found) == expected
        return
    if use == "cnf":
        assert len(list(models_of(written(problem, "cnf")))) == len(expected)
        return
    if not case.options:
        with pytest.raises(dlx.FormatError, match="without options"):
            written(problem, use)
        return
    path = tmp_path_factory.getbasetemp() / f"bounded.{use}"
    problem.dump(path)
    answer = answer_of_highs(highs, path)
    chosen = read_answer(io.StringIO(answer), len(problem))
    assert problem.read_model(io.StringIO(answer)) == (None if chosen is None else tuple(chosen))
    assert (chosen is None) == (not expected)
    if chosen is not None:
        assert frozenset(chosen) in expected
        best = min(sum(costs[index] for index in solution) for solution in expected)
        assert sum(costs[index] for index in chosen) == best


# -- files ---------------------------------------------------------------------------------------


@given(large_cases())
@settings(max_examples=20)
def test_writing_repeats(case: Case) -> None:
    if case.options:
        for form in FORMATS:
            assert written(case.problem(), form) == written(case.problem(), form)


@pytest.mark.parametrize("form", FORMATS)
def test_the_suffix_decides(form: str, tmp_path: Path) -> None:
    problem = example()
    for path in (tmp_path / f"problem.{form}", tmp_path / f"PROBLEM.{form.upper()}"):
        problem.dump(path)
        assert path.read_text() == written(problem, form)
    other = tmp_path / f"{form}.txt"
    problem.dump(other)
    assert dlx.Problem.load(other) == problem
    problem.dump(other, format=form)
    assert other.read_text() == written(problem, form)
    problem.dump(tmp_path / f"back.{form}", format="knuth")
    assert dlx.Problem.load(tmp_path / f"back.{form}", format="knuth") == problem


@pytest.mark.parametrize("wrong", ["", "CNF", "dimacs", 3, ["lp"]])
def test_unknown_format(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(dlx.InvalidArgument, match="no format") as caught:
        example().dump(tmp_path / "x.cnf", format=wrong)
    assert "'mps'" in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_replaced_only_when_complete(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"x.{form}"
    path.write_text("old")
    path.chmod(0o640)

    def fail(*_: object) -> Iterator[Any]:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(
            f"dlx.formats.{'dimacs' if form == 'cnf' else 'relations'}.option_label", fail
        )
        with pytest.raises(MemoryError):
            example().dump(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == [f"x.{form}"]
    example().dump(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.unlink()
    with pytest.raises(OSError, match="No such file"):
        example().dump(tmp_path / "nowhere" / f"x.{form}")


# -- answers -------------------------------------------------------------------------------------

ANSWERS = {
    "a SAT solver": "c by hand\ns SATISFIABLE\nv -1 2 -3\nv 4 -5\nv 6 0\nc end\n",
    "one that says it late": "v -1 2 -3 4 -5 6 0\ns SATISFIABLE\n",
    "one that counts on": "s SATISFIABLE\nv -1 2 -3 4 -5 6 7 -8 9 0\n",
    "a pseudo-Boolean solver": "c by hand\no 0\ns OPTIMUM FOUND\nv -x1 x2 -x3\nv x4 -x5 x6\n",
    "CBC": """Optimal - objective value 0.00000000
      0 x0                     0                       0
      1 x1                     1                       0
      2 x2                     0                       0
      3 x3                     1                       0
      4 x4                     0                       0
      5 k0                     1                       0
""",
    "CBC, nonzeros": """Stopped on time - objective value 3.00000000
      1 x1            0.99999999                       2
      3 x3                     1                       0
""",
    "SCIP": """objective value:                                    0
x1                                                  1 \t(obj:0)
x3                                                  1 \t(obj:0)
k0                                                  1 \t(obj:0)
""",
    "SCIP's shell": """solution status: optimal solution found
objective value:                                    0
x1                                                  1 \t(obj:0)
x3                                                  1 \t(obj:0)
""",
    "HiGHS": """Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns 6
x0 0
x1 1
x2 0
x3 1
x4 0
k0 1
# Rows 7
i2 1
i3 1
c0 0

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
""",
    "Gurobi": """# Solution for model cost
# Objective value = 0
x0 0
x1 1
x2 0
x3 1
x4 -0
k0 1
""",
}

REFUSALS = {
    "a SAT solver": "c x\ns UNSATISFIABLE\n",
    "CBC": """Integer infeasible - objective value 0.00000000
      0 x0                   0.5                       0
      1 x1                   0.5                       0
""",
    "CBC, at once": "Infeasible - objective value 0.00000000\n      0 x0   1   0\n",
    "SCIP's shell": "solution status: infeasible\nno solution available\n",
    "HiGHS": """Model status
Infeasible

# Primal solution values
None

# Dual solution values
None
""",
}


@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
def test_solutions_read_back(text: str, tmp_path: Path) -> None:
    assert example().read_model(io.StringIO(text)) == (1, 3)
    path = tmp_path / "answer"
    path.write_text(text)
    assert example().read_model(path) == (1, 3)
    assert example().read_model(os.fspath(path)) == (1, 3)


@pytest.mark.parametrize("text", REFUSALS.values(), ids=REFUSALS)
def test_no_solution_read_back(text: str) -> None:
    assert example().read_model(io.StringIO(text)) is None


def test_names_come_back() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], ("y", 1): ["b"]})
    assert problem.read_model(io.StringIO("s SATISFIABLE\nv 1 2 0\n")) == ("x", ("y", 1))


def test_the_empty_solution() -> None:
    problem = dlx.Problem(secondary=["s"])
    assert problem.read_model(io.StringIO("s SATISFIABLE\nv 0\n")) == ()
    assert problem.read_model(io.StringIO("Optimal - objective value 0\n")) == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "empty"),
        (" \n\n", None, "empty"),
        ("c nothing more\n", None, "no verdict"),
        ("s SATISFIABLE\n", None, "cut off"),
        ("s SATISFIABLE\nv 1 -2\n", None, "cut off"),
        ("c\nv 1 -2 0\n", None, "no verdict"),
        ("s UNKNOWN\n", 1, "neither a solution nor a proof"),
        ("c\ns PERHAPS\n", 2, "neither a solution nor a proof"),
        ("s SATISFIABLE\ns SATISFIABLE\nv 0\n", 2, "second verdict"),
        ("v 1 0\ns UNSATISFIABLE\n", 2, "though the verdict"),
        ("s SATISFIABLE\nv 1 x 0\n", 2, "'x' is not a literal"),
        ("s SATISFIABLE\nv x1 ~x2\n", 2, "'~x2' is not a literal"),
        ("s SATISFIABLE\nv 1 ²0\n", 2, "is not a literal"),
        ("s SATISFIABLE\nv 1 0 2\n", 2, "after the 0"),
        ("s SATISFIABLE\nv 1 0\nv 2 0\n", 3, "after the 0"),
        ("s SATISFIABLE\nv 1 -2\nv -1 0\n", 3, "option 0 is not chosen, but line 2"),
        ("s SATISFIABLE\nhello\n", 2, "begin with c, s or v"),
        ("p q | x\np x\n", 1, "'q', of variable p, is not a number"),
        ("hello\n", 1, "not a variable's name and value"),
        ("{}\n", 1, "not a variable's name and value"),
        ("x1 one\n", 1, "'one', of variable x1, is not a number"),
        ("# a comment\nx1 1\nx9 1\n", 3, "no variable 'x9': options are x0 to x4"),
        ("y1 1\n", 1, "no variable 'y1'"),
        ("x1 1\nx3 0.5\n", 2, "x3 is 0.5, neither 0 nor 1"),
        ("x1 2\n", 1, "neither 0 nor 1"),
        ("x1 nan\n", 1, "neither 0 nor 1"),
        ("x1 1\nx1 0\n", 2, "option 1 is not chosen, but line 1"),
        ("no solution available\n", 1, "neither a solution nor a proof"),
        ("Model status\nTime limit reached\n\n# Primal solution values\nNone\n", 1, "neither"),
        ("solution status: time limit reached\nno solution available\n", 1, "neither"),
        ("Primal infeasible or unbounded\n", 1, "neither a solution nor a proof"),
        ("# nothing\n", None, "neither values nor a verdict"),
    ],
)
def test_what_is_no_answer(text: str, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "answer.sol"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(dlx.FormatError) as caught:
        example().read_model(path)
    assert caught.value.line == line
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text() | st.text("xksvcp 0123456789.-\n#:=()"))
def test_no_text_does_worse(text: str) -> None:
    try:
        solution = example().read_model(io.StringIO(text))
    except (dlx.FormatError, dlx.InvalidSolution):
        return
    assert solution in (None, (1, 3))


def test_what_is_no_solution() -> None:
    with pytest.raises(dlx.InvalidSolution, match="no option covers item 'q'"):
        example().read_model(io.StringIO("Optimal\nx1 1\n"))
    with pytest.raises(dlx.InvalidSolution, match="both cover item 'p'"):
        example().read_model(io.StringIO("s SATISFIABLE\nv 1 2 0\n"))
    with pytest.raises(OSError, match="No such file"):
        example().read_model("/nowhere/at/all")


# -- dlx convert ---------------------------------------------------------------------------------


@pytest.fixture
def knuth(tmp_path: Path) -> str:
    path = tmp_path / "example.dlx"
    example().dump(path)
    return str(path)


@pytest.mark.parametrize("form", FORMATS)
def test_convert(form: str, knuth: str, tmp_path: Path, run: Run) -> None:
    out = tmp_path / f"out.{form}"
    expected = written(dlx.Problem.load(knuth), form)
    assert main(["convert", knuth, str(out)]) == 0
    assert out.read_text() == expected
    assert run("convert", knuth, "-", "--to", form) == (expected, "")


@pytest.mark.parametrize("suffix", ["jsonl", "tsv", "TSV", "dimacs", "py", "1", "cnf2", "xmpuzzle"])
def test_a_suffix_of_no_format_is_refused(
    suffix: str, knuth: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / f"x.{suffix}"
    message = rf"cannot write .* suffix '\.{suffix}'; supported are \.json, .* \.dlx, .* no suffix"
    with pytest.raises(dlx.InvalidArgument, match=message):
        example().dump(path)
    assert re.search(message, run("convert", knuth, str(path), status=2).err)
    assert not path.exists()
    assert main(["convert", knuth, str(path), "--to", "cnf"]) == 0
    assert path.read_text() == written(dlx.Problem.load(knuth), "cnf")


@pytest.mark.parametrize("name", ["x", "x.dlx", "x.TXT", "x.xc", "a.json/x", ".hidden"])
def test_suffixes_of_knuths_format(name: str, knuth: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    assert main(["convert", knuth, str(path)]) == 0
    assert path.read_text() == written(dlx.Problem.load(knuth), "knuth")


def test_convert_what_is_wrong(knuth: str, tmp_path: Path, run: Run) -> None:
    empty = tmp_path / "empty.dlx"
    empty.write_text("a b\n")
    wrongs = [
        ["convert", str(tmp_path / "none"), "x.cnf"],
        ["convert", knuth, str(tmp_path / "nowhere" / "x.cnf")],
        ["convert", knuth, "-", "--to", "dimacs"],
        ["convert", str(empty), str(tmp_path / "x.lp")],
        ["convert", knuth],
    ]
    for words in wrongs:
        out, err = run(*words, status=2)
        assert out == ""
        assert err.startswith("dlx: ")
        assert err.count("\n") == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty.dlx", "example.dlx"]


def test_sat_and_its_answers_on_the_command_line(knuth: str, run: Run) -> None:
    out, err = run("solve", "--engine", "sat", knuth)
    assert "p r x:A y" in out
    assert "the SAT solver was used" in err
    assert (
        json.loads(run("solve", "--engine", "sat", "--json", knuth).out.splitlines()[-1])[
            "conflicts"
        ]
        >= 0
    )
    assert "conflicts" not in run("solve", "--json", knuth).out
    assert run("count", "--engine", "sat", knuth).out == "1\n"
