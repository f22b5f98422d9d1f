"""Integer programs read as problems: MPS, LP, and OR-Library's files.

The oracle is brute force over the 0/1 variables of the program. HiGHS writes the same programs in
files of its own, and reads what we write.
"""

from __future__ import annotations

import gzip
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bruteforce import Case, all_subsets
from commands import Run
from example_problems import written
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_cases

import dlx
from dlx import models
from dlx.core.entries import item_of

PROGRAMS = ["mps", "lp"]
OF_OR_LIBRARY = ["scp", "rail", "spp"]


def read(text: str, form: str) -> dlx.Problem[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dlx.ObjectiveWarning)
        return dlx.Problem.load(io.StringIO(text), format=form)


def bare(text: str) -> str:
    """The lines of an MPS or LP file without its comments."""
    return "".join(line for line in text.splitlines(keepends=True) if line[0] not in "*\\")


# -- what we write we read ------------------------------------------------------------------------

COSTS = st.lists(st.integers(-9, 9), min_size=1, max_size=10)
NAMES = st.lists(
    st.text() | st.tuples(st.recursive(st.text() | st.integers() | st.none(), st.tuples)),
    min_size=10,
    unique=True,
)


@pytest.mark.parametrize("form", PROGRAMS)
@given(case=any_cases(), costs=COSTS, names=NAMES)
def test_everything_comes_back(form: str, case: Case, costs: list[int], names: list[Any]) -> None:
    plain = case.problem(costs)
    named = dlx.Problem()
    for item in case.secondary:  # these come first
        named.add_item(item, secondary=True)
    for item, bounds in case.bounds_by_item():
        named.add_item(item, multiplicity=bounds)
    for name, option in zip(names, case.options, strict=False):
        named.add_option(option, name=name)
    for problem in (plain, named):
        if case.options:
            text = written(problem, form)
            assert read(text, form) == dlx.Problem.load(io.StringIO(text)) == problem


@pytest.mark.parametrize("form", PROGRAMS)
@given(case=any_cases(max_options=8), costs=COSTS)
def test_without_comments_the_solutions_come_back(form: str, case: Case, costs: list[int]) -> None:
    if not case.options:
        return
    problem = case.problem(costs)
    found = read(bare(written(problem, form)), form)
    number_of = {name: int(name[1:]) for name in found.names}
    assert [found.costs[found.index_of(name)] for name in number_of] == [
        problem.costs[number] for number in number_of.values()
    ]
    solutions = list(found.solutions())
    chosen = {frozenset(map(number_of.__getitem__, names)) for names in solutions}
    assert len(solutions) == len(chosen)
    assert chosen == all_subsets(case)


@pytest.mark.parametrize("form", PROGRAMS)
def test_long_comments_are_broken(form: str) -> None:
    """CBC reads at most 1000 bytes of a line."""
    name = "\u20ac x " * 999
    problem = dlx.Problem.from_options({name: [(name, n) for n in range(3)], "b": [(name, 1)]})
    text = written(problem, form)
    assert max(len(line.encode()) for line in text.splitlines()) < 1000
    assert read(text, form) == problem


def test_names_that_json_cannot_hold() -> None:
    odd = frozenset([1])
    problem = dlx.Problem.from_options({odd: ["a", odd], "y": ["a"]})
    found = read(written(problem, "mps"), "mps")
    assert (found.items, found.names) == (("i0", "i1"), ("x0", "x1"))


@pytest.mark.parametrize("form", PROGRAMS)
def test_a_changed_program_is_read_as_it_is(form: str) -> None:
    problem = dlx.Problem.from_options({"left": ["a"], "right": ["a", "b"], "b": ["b"]})
    text = written(problem, form)
    changed = re.sub(r"(RHS i1|x1 \+ x2 =) 1", r"\1 2", text)
    assert changed != text
    assert read(changed, form).multiplicities == {"i1": (2, 2)}
    assert read(changed.replace('"left"', "left"), form).names == ("x0", "x1", "x2")


# -- any programs ---------------------------------------------------------------------------------


class Program(NamedTuple):
    """Rows as factors and sides, columns as costs and bounds."""

    rows: list[tuple[list[int], int | None, int | None]]
    costs: list[int]
    bounds: list[tuple[int, int]]
    constant: int

    def choices(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The cost and the values of each solution."""
        for values in product((0, 1), repeat=len(self.costs)):
            sums = [sum(map(int.__mul__, row, values)) for row, _, _ in self.rows]
            if all(
                (low is None or low <= total) and (high is None or total <= high)
                for total, (_, low, high) in zip(sums, self.rows, strict=True)
            ) and all(low <= v <= high for v, (low, high) in zip(values, self.bounds, strict=True)):
                yield sum(map(int.__mul__, self.costs, values)) + self.constant, values

    def mps(self, *, spaces: bool) -> str:
        """A file of fixed form, if names have spaces, or else of free form."""
        gap = " " if spaces else "_"
        rows = [f"row{gap}{number}" for number in range(len(self.rows))]
        columns = [f"col{gap}{number}" for number in range(len(self.costs))]
        kinds: list[str] = []
        sides: list[tuple[str, int]] = []
        ranges: list[tuple[str, int]] = []
        for at, (name, (_, low, high)) in enumerate(zip(rows, self.rows, strict=True)):
            if low is None or high is None:
                kinds.append("N" if low is high else "L" if low is None else "G")
            else:
                kinds.append("E" if low == high else "EGLE"[at % 4])
                if low != high:
                    ranges.append((name, low - high if at % 4 == 3 else high - low))
            upper = low is None or (low != high and at % 4 > 1 and high is not None)
            sides.append((name, (high or 0) if upper else low or 0))
        kinds = ["N", *kinds]
        lines = ["NAME          X", "ROWS"]
        lines += [f" {kind}  {name}" for kind, name in zip(kinds, ["cost", *rows], strict=True)]
        lines += ["COLUMNS", _fields("", "M", "'MARKER'", "", "'INTORG'")]
        for number, name in enumerate(columns):
            entries = [("cost", self.costs[number])]
            entries += [(row, self.rows[at][0][number]) for at, row in enumerate(rows)]
            for row, value in entries:
                lines.append(_fields("", name, row, str(value)))
        lines += [_fields("", "M", "'MARKER'", "", "'INTEND'"), "RHS"]
        for name, value in [("cost", -self.constant), *sides]:
            lines.append(_fields("", "RHS" if spaces else "", name, f"{value}.0"))
        lines += ["RANGES", *(_fields("", "R", name, str(value)) for name, value in ranges)]
        lines.append("BOUNDS")
        for name, bounds in zip(columns, self.bounds, strict=True):
            kind, value = {(0, 1): ("BV", ""), (0, 0): ("UP", "0"), (1, 1): ("FX", "1")}[bounds]
            lines.append(_fields(kind, "B", name, value))
        return "".join(f"{line.rstrip()}\n" for line in [*lines, "ENDATA"])


def _fields(*fields: str) -> str:
    """A line of fixed form."""
    line = ""
    for place, field in zip((1, 4, 14, 24, 39), fields, strict=False):
        line = line.ljust(place) + field
    return line


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Rows of all kinds, most of which some choice of columns meets."""
    columns = draw(st.integers(1, 6))
    planted = draw(st.lists(st.integers(0, 1), min_size=columns, max_size=columns))
    rows: list[tuple[list[int], int | None, int | None]] = []
    for _ in range(draw(st.integers(0, 5))):
        factors = st.sampled_from([0, 0, 1, 1, 1, draw(st.sampled_from([1, 1, 2, 3]))])
        row = draw(st.lists(factors, min_size=columns, max_size=columns))
        total = sum(map(int.__mul__, row, planted)) + draw(st.sampled_from([0, 0, 0, 1]))
        low = draw(st.none() | st.integers(total - 2, total))
        high = draw(st.none() | st.integers(max(total, 0), total + 2))
        if draw(st.integers(0, 4)) == 0:
            row, low, high = [-factor for factor in row], high and -high, low and -low
            if low is not None and high is not None:
                low, high = min(low, high), max(low, high)
        rows.append((row, low, high))
    bounds = [draw(st.sampled_from([(0, 1)] * 6 + [(0, 0), (1, 1)])) for _ in range(columns)]
    costs = draw(st.lists(st.integers(-5, 9), min_size=columns, max_size=columns))
    return Program(rows, costs, bounds, draw(st.sampled_from([0, 0, 7, -3])))


def check(problem: dlx.Problem[Any], program: Program) -> None:
    """The problem has the solutions of the program, with their costs."""
    expected = sorted(program.choices())
    found = []
    for solution in problem.solutions():
        chosen = {int(name[4:]) for name in solution if name != "constant"}
        values = tuple(int(number in chosen) for number in range(len(program.costs)))
        found.append((problem.cost_of(solution), values))
    assert sorted(found) == expected
    if expected:
        assert problem.minimum()[0][0] == expected[0][0]


def satisfiable(program: Program) -> bool:
    """May a file say so? A row that nothing can meet, as it must be below 0, is an error."""
    return all(
        (high is None or high >= 0 or min(row) < 0) and (low is None or low <= 0 or min(row) >= 0)
        for row, low, high in program.rows
    )


@pytest.mark.parametrize("spaces", [False, True])
@given(program=programs())
def test_mps_files_have_the_solutions_of_the_program(spaces: bool, program: Program) -> None:
    if satisfiable(program):
        check(read(program.mps(spaces=spaces), "mps"), program)


def test_fields_of_fixed_form_that_are_too_long() -> None:
    text = Program([([1], 1, 1)], [3], [(0, 1)], 0).mps(spaces=True)
    assert read(text, "mps").costs == (3,)
    with pytest.raises(dlx.FormatError, match="line 4: 'E row 0' is not a kind"):
        read(text.replace("cost      3", f"cost      {'3' * 14}"), "mps")


# -- HiGHS ----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def highs() -> Any:
    return pytest.importorskip("highspy")


def model_of(highs: Any, program: Program) -> Any:
    """The program as HiGHS has it."""
    solver = highs.Highs()
    solver.setOptionValue("output_flag", False)
    endless = highs.kHighsInf
    for number, (cost, (low, high)) in enumerate(zip(program.costs, program.bounds, strict=True)):
        solver.addCol(cost, low, high, 0, [], [])
        solver.changeColIntegrality(number, highs.HighsVarType.kInteger)
        solver.passColName(number, f"col_{number}")
    for number, (row, low, high) in enumerate(program.rows):
        places = [place for place, factor in enumerate(row) if factor]
        sides = -endless if low is None else low, endless if high is None else high
        solver.addRow(*sides, len(places), places, [row[place] for place in places])
        solver.passRowName(number, f"row_{number}")
    solver.changeObjectiveOffset(program.constant)
    return solver


@pytest.mark.parametrize("form", PROGRAMS)
@settings(max_examples=50)
@given(program=programs())
def test_files_of_highs(
    highs: Any, form: str, program: Program, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if satisfiable(program):
        path = tmp_path_factory.getbasetemp() / f"highs.{form}"
        assert model_of(highs, program).writeModel(str(path)) != highs.HighsStatus.kError
        check(dlx.Problem.load(path), program)


@pytest.mark.parametrize("form", PROGRAMS)
@settings(max_examples=30)
@given(case=any_cases(max_options=6), costs=COSTS)
def test_highs_passes_colors_on(
    highs: Any, form: str, case: Case, costs: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It reads what we write, and writes it without comments."""
    if not case.options:
        return
    path = tmp_path_factory.getbasetemp() / f"passed.{form}"
    problem = case.problem(costs)
    problem.dump(path)
    solver = highs.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(path)) == highs.HighsStatus.kOk
    solver.writeModel(str(path))
    found = dlx.Problem.load(path)
    chosen = {frozenset(int(name[1:]) for name in names) for names in found.solutions()}
    assert chosen == all_subsets(case)


# -- what files may say ---------------------------------------------------------------------------

SMALL = """NAME small
OBJSENSE
    MAX
ROWS
 N  cost
 E  exact
 G  cover
 L  pack
 L  hours
 N  other
COLUMNS
    M 'MARKER' 'INTORG'
    a  cost  1.0  exact  1  hours  2
    a  other  7
    b  cost  -25e-1  exact  1  cover  1
    b  hours  3
* a comment
    c  cost  3  cover  1  pack  1
    d  pack  1  hours  40
    M 'MARKER' 'INTEND'
RHS
    RHS  exact  1  cover  1
    RHS  pack  1  hours  5
RANGES
    RNG  hours  3
ENDATA
"""
SMALL_LP = r"""\ a comment
MAXIMIZE
 obj: a - 2.5 b + 3 c + 0 d
s.t.
 exact: a + b = 1
 cover: b + c
   >= 1
 pack: c + d <= 1
 2 <= 2 a + 3 b + 40 d <= 5
Bounds
 d >= 0
Binaries
 a b
 c d
END
"""


@pytest.mark.parametrize("form", PROGRAMS)
def test_what_rows_and_columns_become(form: str) -> None:
    text = {"mps": SMALL, "lp": SMALL_LP}[form]
    hours = "hours" if form == "mps" else "c4"
    problem = read(text, form)
    assert (problem.primary, problem.secondary) == (("exact", "cover", hours), ("pack",))
    assert problem.multiplicities == {"cover": (1, None), hours: (2, 5)}
    assert problem.names == ("a", "b", "c")  # d would exceed the hours
    assert problem.costs == (10, -25, 30)
    assert [set(option) for option in problem.options] == [
        {"exact", dlx.times(hours, 2)},
        {"exact", "cover", dlx.times(hours, 3)},
        {"cover", "pack"},
    ]
    assert problem.maximum() == [(40, ("a", "c"))]


@pytest.mark.parametrize("form", PROGRAMS)
def test_warnings_about_the_objective(form: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / f"small.{form}"
    path.write_text({"mps": SMALL, "lp": SMALL_LP}[form])
    with pytest.warns(dlx.ObjectiveWarning) as caught:
        dlx.Problem.load(path)
    assert [one.filename for one in caught] == [__file__] * 2
    scaled, maximized = (str(one.message) for one in caught)
    assert scaled.startswith(f"{path}: costs are multiplied by 10 to make them integers; divide")
    assert maximized == f"{path}: the objective is to be maximized: call Problem.maximum, " + (
        "or dlx min --max"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        out, err = run("min", "--max", str(path))
    assert "cost 40" in out
    assert err.startswith(f"dlx: warning: {scaled}\ndlx: warning: {maximized}\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path.write_text(re.sub("25e-1|2.5", "3", path.read_text()).replace("MAX", "MIN"))
        assert dlx.Problem.load(path).minimum() == [(-3, ("b",))]


def test_costs_with_decimals() -> None:
    text = "min\n .125 a + 3.50 b + 1e1 c - 2.75\nst\n r: a + b + c = 1\nbin\na b c\nend"
    assert read(text, "lp").costs == (125, 3500, 10_000, -2750)
    with pytest.raises(dlx.FormatError, match="a cost has 19 decimal places; round it to at most"):
        read(text.replace("3.50", "1.0000000000000000001"), "lp")
    with pytest.raises(dlx.FormatError, match=r"option 1 .'b'. has the cost 92233720368547758080"):
        read(text.replace("3.50", "92233720368547758.08"), "lp")


FIXED = """NAME
ROWS
 N  o
 L  r
COLUMNS
    M 'MARKER' 'INTORG'
    x  r  1
    y  r  1  o  1
    z  o  5
    M 'MARKER' 'INTEND'
RHS
    r  1  o  -2
BOUNDS
 FX B z 1
ENDATA
"""


def test_items_that_are_made() -> None:
    """For options without a primary item, for fixed columns, and for the constant."""
    problem = read(FIXED, "mps")
    assert (problem.primary, problem.secondary) == (("r", "z", "constant"), ())
    assert problem.multiplicities == {"r": (0, 1)}
    assert sorted((cost, *sorted(names)) for cost, names in problem.minimum(k=9)) == [
        (7, "constant", "x", "z"),
        (7, "constant", "z"),
        (8, "constant", "y", "z"),
    ]


def test_packing_and_columns_in_no_row() -> None:
    problem = read(
        "max\n x + 2 y + 3 z + 5 free'\nst\n a: x + y <= 1\n b: y + z <= 1\nbin\n"
        "x y z free'\nend\n",
        "lp",
    )
    assert (problem.primary, problem.secondary) == (("a", "b", "free'"), ())
    assert problem.multiplicities == dict.fromkeys(problem.primary, (0, 1))
    ((cost, chosen),) = problem.maximum()
    assert (cost, {*chosen}) == (9, {"x", "z", "free'"})


@pytest.mark.parametrize(
    "rows",
    [
        "r: a + 2 b <= 3\nr2: b + c = 1",
        "r: a + b + b <= 3 r2: b + c = 1",
        "r: a\n + 2\n b\n <= 3\nr2: b + c =\n 1",
        "r: 3\n >= a + 2 b\nr2: 1 = b + c",
        "r: 0 <= a\n + 2 b\n <= 3\nr2: 2 b + c - 1 = b",
        "r: - a - 2 b + 1 >= - 2\nr2: + b + 1.0 c = 10e-1",
        "r: a - 1 <= 2 - 2 b + 0 c\nr2: 1 - c = b",
        "r : 3 >= - - a + 2 b >= -1\nr2: b = 1 - c",
        "r: a + 2b =< 3\nr2: b + c = 1\n -b <= a\n\n free: a + b + c >= 0",
    ],
)
def test_ways_to_write_a_row(rows: str) -> None:
    text = "minimize 3 a - 2 b + 5 a\nsubject to\n{}\nbinary\na b c\nend"
    expected = dlx.Problem(["r", "r2"], multiplicities={"r": (0, 3)})
    expected.add_option(["r"], name="a", cost=8)
    expected.add_option([dlx.times("r", 2), "r2"], name="b", cost=-2)
    expected.add_option(["r2"], name="c")
    assert read(text.format(rows), "lp") == expected


@pytest.mark.parametrize(
    ("row", "bounds"),
    [
        ("c1: a + b + d >= 2\nc2: d + e >= 1", (2, None)),
        ("c1: a + b + d >= 2\nd + e >= 1", (2, None)),
        ("a + b + d >= 2\nd + e >= 1", (2, None)),
        ("2 <= a + b + d\nd + e >= 1", (2, None)),
        ("2 <= a + b + d <= 3\n1 <= d + e", (2, 3)),
        ("a + b >= 2 - d\n1 - d <= e", (2, None)),
        ("2<=a+b+d<=3\n1<=d+1e\n0<=a+b", (2, 3)),
    ],
)
def test_rows_without_names(row: str, bounds: tuple[int, int | None]) -> None:
    problem = read(f"max\nst\n{row}\nbin\na b d e\nend", "lp")
    assert problem.multiplicities == {"c1": bounds, "c2": (1, None)}
    assert [set(problem.option(name)) for name in "abde"] == [
        {"c1"},
        {"c1"},
        {"c1", "c2"},
        {"c2"},
    ]


@pytest.mark.parametrize("width", ["2", "-2"])
def test_ranges_of_both_signs(width: str) -> None:
    found = []
    for kind in "LGE":
        text = SMALL.replace(" L  hours", f" {kind}  hours")
        found.append(read(text.replace("RNG  hours  3", f"RNG  hours  {width}"), "mps"))
    upward = [(3, 5), (5, 7), (5, 7) if width == "2" else (3, 5)]
    assert [problem.multiplicities["hours"] for problem in found] == upward


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("k + z <= 1", "k + z <= 2"),
        ("k + z <= 1", "2 k + z <= 1"),
        ("k + z <= 1", "k + z = 1"),
        ("k + z <= 1", "k + z <= 1\nj: k + y >= 1"),
        ("min z", "min z + k"),
        ("Bounds", "Bounds\nk = 1"),
        ("x y z k", "x y z\ngeneral\nk"),
        ("x - k <= 0", "x - k <= 1"),
        ("x - k <= 0", "2 x - k <= 0"),
        ("x - k <= 0", "x + y - k <= 0"),
    ],
)
def test_what_is_almost_a_color(old: str, new: str) -> None:
    text = "min z\nst\np: x + y + z = 2\ni: k + z <= 1\nx - k <= 0\ny - k <= 0\n"
    text += "Bounds\nx >= 0\nbinary\nx y z k\nend\n"
    problem = read(text, "lp")
    assert problem.option("x") == ("p", dlx.colored("i", "k"))
    assert list(map(set, problem.solutions())) == [{"x", "y"}]
    assert old in text
    with pytest.raises(dlx.FormatError, match=r"the factor -1 for column 'k'"):
        read(text.replace(old, new), "lp")


def test_colors_that_an_option_cannot_have() -> None:
    """Options x and v would cover i twice. The rows say twice that y needs k."""
    text = "min\nst\np: x + y + z + v = 1\ni: k + l + z + v <= 1\nx - k <= 0\nx - l <= 0\n"
    text += "v - k <= 0\ny - k <= 0\ny - k <= 0\nbinary\nx y z v k l\nend\n"
    problem = read(text, "lp")
    assert problem.names == ("y", "z")
    assert [*problem.options] == [("p", dlx.colored("i", "k")), ("p", "i")]


@pytest.mark.parametrize("factor", ["1e9", "9e99"])
def test_factors_that_are_too_large(factor: str) -> None:
    """They are left out if they exceed the row's upper bound, and else an error."""
    assert read(SMALL.replace("40", factor), "mps").names == ("a", "b", "c")
    with pytest.raises(dlx.FormatError, match=r"option 2 \('c'\) .* item 'cover' too often"):
        read(SMALL.replace("3  cover  1", f"3  cover  {factor}"), "mps")


# -- bad files ------------------------------------------------------------------------------------

BAD_MPS = [
    ("exact  1  cover  1", "exact  .5  cover  1", 15, "factor 0.5 for column 'b'"),
    ("a  cost  1.0  exact  1", "a  cost  1.0  exact  -1", 13, "the factor -1 for column 'a'"),
    ("a  cost  1.0", "a  cost  1e9999", 13, "'1e9999' is not a number"),
    ("a  cost  1.0", "a  cost  x", 13, "'x' is not a number"),
    ("a  cost  1.0", "a  cost", 13, "expected pairs of a row and a number"),
    ("a  other  7", "a  exact  7", 14, "column 'a' is in the row 'exact' twice"),
    ("a  other  7", "a  cost  7", 14, "column 'a' is in the row 'cost' twice"),
    ("a  other  7", "a  none  7", 14, "there is no row 'none'"),
    ("d  pack", "a  pack", 19, "the lines of column 'a' must be next to each other"),
    (" N  other", " E  exact", 10, "a second row has the name 'exact'"),
    (" N  other", " X  other", 10, "'X other' is not a kind"),
    (" N  other", "   X", 10, "'X' is not a kind"),
    ("'INTORG'", "'INT'", 12, "marker 'INT' is neither"),
    ("    M 'MARKER' 'INTORG'\n", "", 12, "column 'a' is not an integer with .*"),
    ("    RHS  exact  1", "    RHS  exact  1.5", 6, "row 'exact' has the side 1.5"),
    ("    RHS  exact  1", "    RHS  exact  -1", 6, "row 'exact' must be at least 0 and at most -1"),
    ("    RHS  pack", "    RHX  pack", 23, "RHS has a second set, 'RHX'"),
    ("    RHS  pack", "    RHS  exact", 23, "row 'exact' is in the section RHS twice"),
    ("RHS\n", "SOS1\n", 21, "'SOS1' is none of the sections that are read"),
    ("NAME small", " NAME", 1, "'NAME' comes before the first section"),
    ("    MAX", "    MOST", 3, "the sense of the objective is 'MOST'; it is MIN or MAX"),
    ("ENDATA", "BOUNDS\n UP B a 2\nENDATA", 13, "column 'a' is an integer .* upper bound 2"),
    ("ENDATA", "BOUNDS\n FR B a\nENDATA", 13, "no lower bound and no upper bound"),
    ("ENDATA", "BOUNDS\n UP B e 1\nENDATA", 27, "there is no column 'e'"),
    ("ENDATA", "BOUNDS\n SC B a 1\nENDATA", 27, "'SC' is none of the bounds"),
    ("ENDATA", "BOUNDS\n UP a\nENDATA", 27, "the bound UP has 1 field"),
    ("ENDATA\n", "", 25, "the file ends without ENDATA"),
]  # fmt: skip
BAD_LP = [
    ("a + b = 1", "a + 0.5 b = 1", 5, "row 'exact' has the factor 0.5 for column 'b'"),
    ("a + b = 1", "a - b = 1", 5, "row 'exact' has the factor -1 for column 'b'"),
    ("a + b = 1", "a b = 1", 5, "expected [+] or - and a column before 'b'"),
    ("a + b = 1", "2 3 a = 1", 5, "a column before '3 a'"),
    ("a + b = 1", "a + b = 1.5", 5, "row 'exact' has the side 1.5"),
    ("a + b = 1", "a ^ 2 = 1", 5, r"a column before '\^ 2'"),
    ("a + b = 1", "[ a ] = 1", 5, r"a column before '\[ a ]'"),
    ("a + b = 1", "a + b", 5, "row 'exact' must be a sum, a relation such as <=, and a number"),
    ("2 <= 2 a", "2 >= 2 a", 9, "'c4' has two relations of the same direction"),
    ("cover:", "exact:", 6, "a second row has the name 'exact'"),
    ("s.t.", "", 5, "'exact' comes before the section Subject To"),
    ("MAXIMIZE", "Optimize", 2, "'Optimize': expected Minimize or Maximize"),
    (" c d\n", " d\n", 3, "column 'c' is not an integer with the lower bound 0 and no upper"),
    (" c d\n", " d\nGeneral\n c\n", 3, "'c' is an integer with the lower bound 0"),
    (" d >= 0", " d >= 0 a", 11, "'d >= 0 a': expected bounds, as 0 <= x <= 1 or x free"),
    (" d >= 0", " d", 11, "'d': expected bounds"),
    (" d >= 0", " d = 2", 3, "column 'd' .* lower bound 2 .* upper bound 1"),
    ("Binaries", "sos1", 13, "'a b' is semi-continuous or of a special ordered set"),
    ("END", "", 15, "the file ends without End"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "old", "new", "line", "message"),
    [("mps", *bad) for bad in BAD_MPS] + [("lp", *bad) for bad in BAD_LP],
)
def test_bad_files(
    form: str, old: str, new: str, line: int | None, message: str, tmp_path: Path, run: Run
) -> None:
    text = {"mps": SMALL, "lp": SMALL_LP}[form]
    assert old in text
    path = tmp_path / f"bad.{form}"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(dlx.FormatError, match=message) as caught:
        dlx.Problem.load(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert run("count", str(path), status=2).err == f"dlx: {caught.value}\n"


@pytest.mark.parametrize("form", [*PROGRAMS, *OF_OR_LIBRARY])
@given(data=st.data())
def test_no_damage_does_worse(form: str, data: st.DataObject) -> None:
    """A file that is cut, or has other words or lines, is an error of ours, or another problem."""
    text = {"mps": SMALL, "lp": SMALL_LP}.get(form) or OR_LIBRARY[form]
    words = re.findall(r"\s+|\S+", text)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at] = data.draw(
            st.sampled_from([*words, "-1", "0", "7", "1e9", "<=", ":", "free", "N", "\n", "\0"])
            | st.text(max_size=3)
        )
    text = "".join(words[: data.draw(st.integers(0, len(words)) | st.just(len(words)))])
    with suppress(dlx.FormatError):
        assert read(text, form).items is not None


def test_long_words_take_no_longer() -> None:
    """Patterns that try a match at every character, or at every line, would take an hour."""
    words = ["a" * 1_000_000, "a " * 500_000, "+" * 1_000_000, "< " * 500_000, "1" * 1_000_000]
    for text in (*words, "a\n" * 200_000):
        with pytest.raises(dlx.FormatError):
            read(f"min x\nst\n{text}\nend\n", "lp")
        with pytest.raises(dlx.FormatError):
            read(SMALL.replace("1.0", text), "mps")


# -- OR-Library -----------------------------------------------------------------------------------

OR_LIBRARY = {
    "scp": " 3 4 \n 5 1 1 \n 2 \n 2\n 1 2 \n 3\n 1 3 4 \n 2\n 3\n 4\n",
    "rail": "3 4\n5 2 1 2\n1 1 1\n1 2 2 3\n2 2 2 3\n",
    "spp": "3 4\n5 2 1 2\n1 1 1\n1 2 2 3\n2 2 2 3\n",
}


def test_files_of_or_library() -> None:
    covers = [read(OR_LIBRARY[form], form) for form in ("scp", "rail")]
    assert covers[0] == covers[1]
    assert covers[0].items == (1, 2, 3)
    assert list(covers[0].options) == [(1, 2), (1,), (2, 3), (2, 3)]
    assert covers[0].costs == (5, 1, 1, 2)
    assert covers[0].multiplicities == dict.fromkeys((1, 2, 3), (1, None))
    assert covers[0].minimum()[0][0] == 2
    partition = read(OR_LIBRARY["spp"], "spp")
    assert partition.minimum() == [(2, (1, 2))]
    assert partition.count() == 2


@pytest.mark.parametrize("form", OF_OR_LIBRARY)
@given(case=any_cases(), costs=COSTS)
def test_problems_come_back_without_names(form: str, case: Case, costs: list[int]) -> None:
    bounds = (1, 1) if form == "spp" else (1, None)
    plain = Case(case.primary, (), case.options, tuple(bounds for _ in case.primary))
    options = [
        tuple(dict.fromkeys(item_of(entry) for entry in option if item_of(entry) in case.primary))
        for option in case.options
    ]
    plain = plain._replace(options=tuple(options))
    problem = plain.problem(costs)
    found = read(written(problem, form), form)
    assert found.costs == problem.costs
    number_of = {item: number for number, item in enumerate(problem.items, start=1)}
    assert list(map(sorted, found.options)) == [
        sorted(map(number_of.__getitem__, option)) for option in options
    ]
    assert {*found.multiplicities.values()} <= {bounds}


@pytest.mark.parametrize(
    ("form", "problem", "message"),
    [
        ("spp", dlx.Problem(["a"], ["x"]), "item 'x' is secondary"),
        ("scp", dlx.Problem(["a"]), "item 'a' is covered exactly 1; in .* at least 1"),
        ("rail", dlx.Problem(["a"], multiplicities={"a": (0, 2)}), "'a' is covered 0 to 2; in"),
        (
            "scp",
            dlx.Problem.from_options([[dlx.times("a", 2)]], multiplicities={"a": (1, None)}),
            "'a' is covered in some options several times",
        ),
    ],
)  # fmt: skip
def test_what_or_library_cannot_say(
    form: str, problem: dlx.Problem[Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(dlx.FormatError, match=message):
        problem.dump(tmp_path / f"x.{form}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("form", "text", "line", "message"),
    [
        ("scp", "", 0, "the file ends before the number of rows"),
        ("scp", "1", 1, "the file ends before the number of columns"),
        ("scp", "1 -1", 1, "1 rows and -1 columns"),
        ("scp", "1 2\n3", 2, "the file ends before the cost of column 2"),
        ("scp", "1 1\n3.5", 2, "'3.5' is not an integer"),
        ("scp", "1 1\n3\n", 2, "the file ends before the number of columns of row 1"),
        ("scp", "1 1\n3\n2\n1 1", 3, "row 1 has 2 columns; there are 1"),
        ("scp", "1 2\n3 3\n2\n1", 4, "the file ends in row 1: 1 of 2 columns"),
        ("scp", "1 2\n3 3\n2\n1 3", 4, "row 1 has the column 3; they are 1 to 2"),
        ("scp", "1 2\n3 3\n2\n1 1", 4, "row 1 has a column twice"),
        ("scp", "1 1\n3\n1\n1\n1", 5, "1 comes after the last number"),
        ("scp", "1 2\n3 3\n1\n1", None, "option 1 has no items"),
        ("spp", "2 1\n3 1 3", 2, "column 1 has the row 3; they are 1 to 2"),
        ("rail", "2 1\n3 2 1", 2, "the file ends in column 1: 1 of 2 rows"),
        ("rail", f"1 1\n{10**17} 1 x", 2, "'x' is not an integer"),
    ],
)
def test_bad_files_of_or_library(
    form: str, text: str, line: int | None, message: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / f"bad.{form}"
    path.write_text(text)
    with pytest.raises(dlx.FormatError, match=message) as caught:
        dlx.Problem.load(path)
    assert caught.value.line == line
    assert run("count", str(path), status=2).err == f"dlx: {caught.value}\n"


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["mps", "lp", "json", "dlx"])
def test_compressed_files(form: str, tmp_path: Path, run: Run, monkeypatch: Any) -> None:
    problem = models.langford(3)
    for name in (f"x.{form}.gz", f"X.{form}.GZ".upper()):
        problem.dump(tmp_path / name)
        data = (tmp_path / name).read_bytes()
        text = gzip.decompress(data).decode()
        assert text == written(problem, "knuth" if form == "dlx" else form)
        found = dlx.Problem.load(tmp_path / name)
        assert found.count() == 2
        parts = text[:9], text[9:]  # as `cat a.gz b.gz` makes them
        (tmp_path / name).write_bytes(b"".join(gzip.compress(one.encode()) for one in parts))
        with open(tmp_path / name, errors="surrogateescape") as file:
            assert dlx.Problem.load(file) == found
        assert run("count", str(tmp_path / name)).out == "2\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))  # type: ignore[arg-type]
    assert run("count", "-").out == "2\n"
    for bad, message in (
        (data[:-9], "incomplete"),
        (data[:30] + b"\0\1\2\3" + data[34:], "damaged"),
    ):
        (tmp_path / f"bad.{form}.gz").write_bytes(bad)
        with pytest.raises(dlx.FormatError, match=f"gz: the compressed file is {message}"):
            dlx.Problem.load(tmp_path / f"bad.{form}.gz")


def test_commands_read_programs(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "small.mps"
    path.write_text(SMALL.replace("-25e-1", "-3").replace("MAX", "MIN"))
    assert "cost -3:" in run("min", str(path)).out
    assert "options: 3\n" in run("info", str(path)).out
    run("convert", str(path), str(tmp_path / "small.lp.gz"))
    assert dlx.Problem.load(tmp_path / "small.lp.gz") == dlx.Problem.load(path)
    (tmp_path / "cover.txt").write_text(OR_LIBRARY["scp"])
    run("convert", "--from", "scp", str(tmp_path / "cover.txt"), str(tmp_path / "cover.rail"))
    assert dlx.Problem.load(tmp_path / "cover.rail") == read(OR_LIBRARY["rail"], "rail")
