"""An installation without the compiled kernel: what works, what raises, and how often it warns."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from array import array
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from internals import numbered, table_of
from strategies import Case, cases

import dlx
from dlx import models
from dlx.core import kernel, portable

# As if there were no such module. The answers are compared with those of this process.
BLOCKED = "import sys; sys.modules['dlx._kernel'] = None\n"


def run_without(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", *options, "-c", BLOCKED + code], capture_output=True, text=True
    )


EVERYDAY = """
import dlx, json, sudoku, pickle
from dlx import models
queens, given = models.queens(6), [(1, 3)]
colored = dlx.Problem.from_options(
    [["p", "q", "x", dlx.colored("y", "A")], ["p", "r", dlx.colored("x", "A"), "y"],
     ["p", dlx.colored("x", "B")], ["q", dlx.colored("x", "A")], ["r", dlx.colored("y", "B")]],
    secondary=["x", "y"], costs=[5, 4, 3, 2, 1])
letters = dlx.Problem.from_options({"a": [1], "b": [1], "c": [2], "d": [2]})
code = dlx.Code(letters, [{"a": "a", "b": "b"}, {"c": "c", "d": "d"}])
puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
print(json.dumps([
    list(queens.solutions()), queens.solve(), queens.solve(seed=5), queens.solve(given=given),
    queens.count(), queens.count(limit=2), queens.is_unique(), queens.count(workers=2),
    queens.count(progress=lambda report: None), queens.count(part=queens.split(3)[0]) >= 0,
    list(queens.solve_many([[], given, [(1, 3), (0, 1)]])), list(queens.count_many([[], given])),
    pickle.loads(pickle.dumps(queens)).count(), len(queens.reduced.__doc__) > 0,
    list(colored.solutions()), colored.minimum(2), colored.maximum(), colored.options[1],
    list(letters.solve_many(["..", "b.", ".d"], code=code)), code.read("b."), code.write(["d"]),
    models.queen_domination(4, 2).count(), models.partridge(1).solve(),
    dlx.Problem.from_matrix([[1, 0], [0, 1]]).solve(), dlx.Problem.from_matrix([[0, 1]]).count(),
    dlx.Problem.covering({"a": [1, 2], "b": [2, 3], "c": [3]}).minimum(),
    len(models.pentominoes(5, 12).picture(models.pentominoes(5, 12).solve())) > 1000,
    sudoku.solve(puzzle).line, sudoku.is_unique(puzzle), str(next(sudoku.hints(puzzle))),
    [grid.line for grid in sudoku.solve_many([puzzle, puzzle])], str(sudoku.judge(puzzle)),
    sudoku.random_grid(seed=2).line, sudoku.generate(seed=1).line,
    str(sudoku.candidates_of_solutions("1... .2.. ..3. ....", limit=2)),
    sudoku.complete("1... .2.. ..3. ....").line,
], default=str))
"""


@pytest.mark.lengthy
def test_everyday_calls_have_the_same_answers() -> None:
    done = run_without(EVERYDAY, "-W", "ignore")
    assert done.returncode == 0, done.stderr
    with_kernel = subprocess.run(
        [sys.executable, "-P", "-c", EVERYDAY], capture_output=True, text=True, check=True
    )
    for one, other in zip(json.loads(done.stdout), json.loads(with_kernel.stdout), strict=True):
        assert one == other


def test_it_warns_once_and_where_the_call_is() -> None:
    code = "import dlx, dlx.models\nfor _ in range(3):\n    dlx.models.queens(4).count()\n"
    code += "print(dlx.models.queens(4).solve())"
    done = run_without(code, "-W", "always")
    assert done.returncode == 0
    assert done.stderr.count("KernelMissingWarning") == 1
    assert done.stderr.startswith("<string>:4: KernelMissingWarning: dlx is installed without")


def test_a_command_warns_in_one_line() -> None:
    code = "import sys, dlx.models\nfrom dlx.cli.main import main\n"
    code += "import io; sys.stdin = io.StringIO('a b | \\na b\\n')\nmain(['count', '-'])"
    done = run_without(code)
    assert done.stdout == "1\n", done.stderr
    [line] = done.stderr.splitlines()
    assert line.startswith("dlx: warning: dlx is installed without its compiled kernel")


@pytest.mark.parametrize("engine", ["python", "sat"])
def test_an_engine_that_needs_no_kernel_does_not_warn(engine: str) -> None:
    if engine == "sat":
        pytest.importorskip("pysat")
    code = f"import dlx.models; print(len(dlx.models.queens(5).solve(engine={engine!r})))"
    done = run_without(code, "-W", "error")
    assert (done.stdout.strip(), done.stderr) == ("5", "")


@pytest.mark.parametrize(
    "call",
    [
        "count(engine='links')",
        "solve(engine='bits')",
        "count(distinct=True)",
        "diagram()",
        "count(proof='x.count')",
        "sample(1)",
        "reduced()",
        "symmetries()",
        "canonical()",
        "explain(given=[(0, 0)])",
        "minimum(engine='links')",
        "estimate(engine='links')",
        "solve_many([[]], engine='links')",
        "count(engine='links', workers=2)",
    ],
)
def test_what_needs_the_kernel_says_how_to_get_it(call: str) -> None:
    code = f"import dlx.models\ntry:\n    dlx.models.queens(6).{call}\n"
    code += "except dlx.KernelMissing as error:\n    print(error)"
    done = run_without(code, "-W", "ignore")
    assert "needs the compiled kernel, and dlx is installed without it; install" in done.stdout


def test_the_info_says_why_there_is_no_kernel() -> None:
    done = run_without("import dlx; print(*dlx.kernel_info(), sep='|')")
    compiler, engines, simd, levels, missing = done.stdout.strip().split("|")
    assert (compiler, simd, levels) == ("", "none", "()")
    assert engines == "('auto', 'python', 'sat')"
    assert "dlx._kernel" in missing
    assert dlx.kernel_info().missing == ""


def test_a_journal_of_the_kernel_goes_on_without_it(tmp_path: Path) -> None:
    """Its positions are those of all engines; the journal must be one of the engine "python"."""
    journal = str(tmp_path / "queens.db")
    with models.queens(6).solutions(checkpoint=journal, engine="python") as search:
        first = next(search)
    code = f"import dlx.models; print(list(dlx.models.queens(6).solutions(checkpoint={journal!r})))"
    done = run_without(code, "-W", "ignore")
    assert done.returncode == 0, done.stderr
    rest = eval(done.stdout)
    assert first in rest
    assert sorted(rest) == sorted(models.queens(6).solutions())


# -- the stand-ins against the kernel --------------------------------------------------------------


@given(case=cases(), seed=st.none() | st.integers(0, 5), data=st.data())
def test_problems_are_numbered_alike(case: Case, seed: int | None, data: st.DataObject) -> None:
    problem = case.problem()
    compiled = numbered(problem, seed)
    table = table_of(problem)
    start, item = table.start, table.entry_item
    rest = (table.entry_color or None, compiled.rank, compiled.order, table.secondary.count(0))
    own = portable.Problem(start, item, *rest)
    assert own.__getstate__() == compiled.problem.__getstate__()
    assert pickle.loads(pickle.dumps(own)).__getstate__() == own.__getstate__()
    chosen = (
        data.draw(st.lists(st.integers(0, len(problem) - 1), max_size=4)) if case.options else []
    )
    assert own.clash(chosen) == compiled.problem.clash(chosen)


@given(
    weights=st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1, max_size=4),
    high=st.tuples(st.integers(3, 5), st.integers(3, 5)),
    data=st.data(),
)
def test_clashes_beyond_an_upper_bound_are_the_same(
    weights: list[list[int]], high: tuple[int, int], data: st.DataObject
) -> None:
    start, item, weight = array("i", [0]), array("i"), array("i")
    for row in weights:
        row[0] = row[0] or 1
        item.extend(number for number, times in enumerate(row) if times)
        weight.extend(times for times in row if times)
        start.append(len(item))
    rank, low = array("i", [0, 1]), array("i", [1, 1])
    arguments = (start, item, None, rank, None, 2, low, array("i", high), weight)
    chosen = data.draw(st.lists(st.integers(0, len(weights) - 1), max_size=5))
    own, compiled = portable.Problem(*arguments), kernel.Problem(*arguments)
    assert (own.multiple, own.weighted) == (compiled.multiple, compiled.weighted)
    assert own.__getstate__() == compiled.__getstate__()
    assert own.clash(chosen) == compiled.clash(chosen)


SMALL = st.lists(st.integers(-1, 4), max_size=6)


@given(item=SMALL, color=SMALL, start=SMALL, secondary=st.binary(max_size=4), colors=st.booleans())
def test_flaws_are_found_alike(
    item: list[int], color: list[int], start: list[int], secondary: bytes, colors: bool
) -> None:
    numbers = array("i", item)
    tints = array("i", (color + [0] * len(item))[: len(item)]) if colors else None
    flags = bytearray(one % 2 for one in secondary)
    arguments = (array("i", [0, *start]), numbers, tints or None, flags)
    assert portable.find_flaw(*arguments) == kernel.find_flaw(*arguments)


@given(
    options=st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 9)), max_size=5)),
    values=st.lists(st.integers(-9, 9), min_size=5, max_size=5),
    weighted=st.booleans(),
)
def test_totals_are_added_alike(
    options: list[list[tuple[int, int]]], values: list[int], weighted: bool
) -> None:
    start = array("i", [0, *accumulate(map(len, options))])
    item = array("i", [number for option in options for number, _ in option])
    weight = array("i", [times for option in options for _, times in option])
    arguments = (start, item, weight if weighted else None, array("i", values))
    totals = portable.option_totals(*arguments)
    assert totals == kernel.option_totals(*arguments)
    assert totals == [
        sum(values[number] * (times if weighted else 1) for number, times in option)
        for option in options
    ]


SOLUTIONS = st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=3)
STEPS = st.lists(
    st.tuples(st.just("append"), st.lists(st.integers(0, 3), max_size=3))
    | st.tuples(st.just("extend"), SOLUTIONS)
    | st.tuples(st.sampled_from(["take", "named", "drop"]), st.integers(0, 4)),
    max_size=12,
)


@given(steps=STEPS)
def test_packs_do_the_same(steps: list[tuple[str, Any]]) -> None:
    packs = [kernel.Pack(), portable.Pack()]
    for name, argument in steps:
        seen = []
        for pack in packs:
            into: list[Any] = []
            result = None
            if name == "append":
                pack.append(argument)
            elif name == "extend":
                other = type(pack)()
                for solution in argument:
                    other.append(solution)
                pack.extend(other)  # type: ignore[arg-type]
                assert len(other) == 0
            elif name == "drop":
                result = pack.drop(argument)
            else:
                result = pack.take(argument, list("abcd") if name == "named" else None, into)
            again = pickle.loads(pickle.dumps(pack))
            state = (len(pack), pack.taken, pack.options, pack.lengths)
            assert (len(again), again.options, again.lengths) == (state[0], *state[2:])
            seen.append((state, into, result))
        assert seen[0] == seen[1]


@pytest.mark.parametrize("arguments", [(b"\0\0\0", b""), (b"", b"\1\0\0\0"), (b"", b"\xff" * 4)])
def test_packs_refuse_the_same(arguments: tuple[bytes, bytes]) -> None:
    for pack in (kernel.Pack, portable.Pack):
        with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
            pack(*arguments)


@given(
    meaning=st.lists(st.dictionaries(st.sampled_from("abc."), st.integers(-1, 3)), max_size=3),
    letters=st.text("abc", min_size=4, max_size=4),
    line=st.text("abc.é", max_size=4),
    options=st.lists(st.integers(0, 5), max_size=3),
)
def test_codecs_do_the_same(
    meaning: list[dict[str, int]], letters: str, line: str, options: list[int]
) -> None:
    rows = array("i", [portable.Code.FOREIGN] * (128 * len(meaning)))
    for place, row in enumerate(meaning):
        for character, option in row.items():
            rows[128 * place + ord(character)] = option
    arguments = (rows, bytearray(letters, "ascii"), ord("."))
    own, compiled = portable.Code(*arguments), kernel.Code(*arguments)
    assert own.write(options) == compiled.write(options)
    for text in (line, line.ljust(len(meaning), ".")[: len(meaning)]):
        if text.isascii():
            assert own.read(text) == compiled.read(text)


def test_a_shared_iterator_hands_out_each_element_once() -> None:
    shared = portable.SharedIterator([1, 2, 3])
    assert (iter(shared), next(shared), shared.__length_hint__()) == (shared, 1, 2)
    assert list(shared) == [2, 3]
