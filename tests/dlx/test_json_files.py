"""Problems in JSON: what is written is read again, and what is wrong is said with its place."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case
from commands import Run, run_python
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_cases

import dlx
from dlx import models
from dlx.errors import quote

EXAMPLE = """\
{"dlx": 1,
"primary": ["p", {"item": "q", "low": 2, "high": 3}, ["row", 0]],
"secondary": ["x"],
"options": [
{"name": "first", "items": ["p", ["row", 0], {"item": "x", "color": "A"}], "cost": 5},
{"items": [{"item": "q", "times": 2}]}
]}
"""


def written(problem: dlx.Problem) -> str:
    file = io.StringIO()
    problem.dump(file, format="json")
    return file.getvalue()


def load(text: str) -> dlx.Problem:
    return dlx.Problem.load(io.StringIO(text), format="json")


def example() -> dlx.Problem:
    problem = dlx.Problem(["p", "q", ("row", 0)], ["x"], multiplicities={"q": (2, 3)})
    problem.add_option(["p", ("row", 0), dlx.colored("x", "A")], name="first", cost=5)
    problem.add_option([dlx.times("q", 2)])
    return problem


# -- there and back ------------------------------------------------------------------------------

texts = st.text(max_size=5)  # without lone surrogates
scalars = texts | st.integers() | st.booleans()
names = st.recursive(scalars | st.none(), lambda parts: st.lists(parts, max_size=3).map(tuple))


@st.composite
def named_problems(draw: st.DrawFn) -> dlx.Problem:
    """Problems with everything: names, tuples, colors, multiplicities, weights, costs."""
    items = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(items)))
    problem = dlx.Problem((), items[cut:])
    for item in items[:cut]:
        low = draw(st.integers(0, 2))
        high = draw(st.none() | st.integers(max(low, 1), 4))
        problem.add_item(item, multiplicity=(low, high))
    for name in draw(st.lists(st.none() | names, max_size=5, unique=True)):
        first = draw(st.sampled_from(items[:cut]))
        most = problem.multiplicity_of(first)[1]
        option: list[Any] = [dlx.times(first, draw(st.integers(1, 3 if most is None else most)))]
        for item in items[cut:]:
            color = draw(st.none() | names)
            option.append(item if color is None else dlx.colored(item, color))
        try:
            problem.add_option(option, name=name, cost=draw(st.integers(-(10**6), 10**6)))
        except dlx.DuplicateName:  # such as 1 after the second option
            continue
    return problem


def kinds(name: Any) -> Any:
    """The types within a name: 1 and True are equal, and differ in JSON."""
    return [kinds(part) for part in name] if isinstance(name, tuple) else type(name)


@given(problem=named_problems())
def test_everything_survives_a_file(problem: dlx.Problem) -> None:
    again = load(written(problem))
    assert again == problem
    assert written(again) == written(problem)
    assert list(map(kinds, again.names)) == list(map(kinds, problem.names))
    assert list(map(kinds, again.items)) == list(map(kinds, (*problem.primary, *problem.secondary)))


@settings(max_examples=150)
@given(case=any_cases())
def test_solutions_are_the_same(case: Case) -> None:
    problem = case.problem()
    again = load(written(problem))
    assert again == problem
    assert list(again.solutions(limit=50)) == list(problem.solutions(limit=50))


def test_what_is_written() -> None:
    assert written(example()) == EXAMPLE
    assert load(EXAMPLE) == example()
    assert json.loads(EXAMPLE)["options"][1] == {"items": [{"item": "q", "times": 2}]}
    empty = dlx.Problem(["a"])
    assert written(empty) == '{"dlx": 1,\n"primary": ["a"],\n"options": []}\n'
    assert load(written(empty)) == empty


def test_texts_of_any_alphabet_stay_readable() -> None:
    problem = dlx.Problem.from_options({"\u5bff": ["\u00e9"]})
    assert "\u5bff" in written(problem)


def test_names_that_are_numbers_of_options_are_left_out() -> None:
    problem = dlx.Problem.from_options({0: ["a"], "x": ["a"], 2: ["a"]})
    assert written(problem).count("name") == 1
    swapped = dlx.Problem.from_options({1: ["a"], 0: ["b"]})
    assert load(written(swapped)).names == (1, 0)


@pytest.mark.parametrize(
    ("items", "name"),
    [
        ([2.5], None),
        ([frozenset([1])], None),
        ([("a", b"b")], None),
        (["\ud800"], None),
        ([10**5000], None),
        (["a"], 2.5),
        (["a"], ("x", ("y", 10**1000))),
        (["a"], "\udc80"),
    ],
)
def test_what_json_cannot_hold_is_refused(items: list[Any], name: Any, tmp_path: Path) -> None:
    problem = dlx.Problem()
    problem.add_option(items, name=name)
    path = tmp_path / "x.json"
    path.write_text("as it was")
    with pytest.raises(dlx.FormatError, match=r"^(item|the option's name) .{,300} cannot be"):
        problem.dump(path)
    assert path.read_text() == "as it was"


# -- paths and open files ------------------------------------------------------------------------


def test_the_suffix_chooses_the_format(tmp_path: Path) -> None:
    problem = models.queens(4)
    for name in ("queens.json", "QUEENS.JSON"):
        problem.dump(tmp_path / name)
        assert (tmp_path / name).read_text().startswith('{"dlx": 1,')
        assert dlx.Problem.load(tmp_path / name) == problem
    for name in ("queens", "queens.dlx", "queens.txt", "queens.xc", "queens.knuth"):
        problem.dump(tmp_path / name)
        assert (tmp_path / name).read_text().startswith("r2 c2")
        assert dlx.Problem.load(tmp_path / name) == problem


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "queens.jsn"
    with pytest.raises(dlx.InvalidArgument, match=r"suffix '\.jsn'; supported are \.json"):
        models.queens(4).dump(path)
    assert not path.exists()
    path.write_text(EXAMPLE)
    with pytest.raises(
        dlx.InvalidArgument, match=r"suffix '\.jsn' have no known format; \.json is"
    ):
        dlx.Problem.load(path)
    assert dlx.Problem.load(path, format="json") == example()
    with pytest.raises(dlx.FormatError, match="line 1"):
        dlx.Problem.load(path, format="knuth")


@pytest.mark.parametrize("suffix", [".cnf", ".opb", ".mzn", ".dzn", ".xml"])
def test_files_for_other_solvers_are_not_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"queens{suffix}"
    models.queens(4).dump(path)
    with pytest.raises(dlx.InvalidArgument, match="cannot be read; files in the formats"):
        dlx.Problem.load(path)
    with pytest.raises(dlx.InvalidArgument, match="format is 'xml'; files can be read in"):
        dlx.Problem.load(path, format="xml")


def test_the_first_line_of_an_open_file_tells_the_format(tmp_path: Path) -> None:
    path = tmp_path / "queens.other"
    for text in (EXAMPLE, "\ufeff" + EXAMPLE, EXAMPLE.replace('{"dlx": 1', '{ "dlx" : 1')):
        path.write_text(text, encoding="utf-8")
        with path.open(encoding="utf-8") as file:
            assert dlx.Problem.load(file) == example()
        assert dlx.Problem.load(io.StringIO(text)) == example()
    assert dlx.Problem.load(io.StringIO("{ }\n{ }\n")).primary == ("{", "}")


# -- what is wrong -------------------------------------------------------------------------------


def changed(**keys: Any) -> str:
    return json.dumps({"dlx": 1, "primary": ["a", "b"], "options": [{"items": ["a"]}], **keys})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1: this is not JSON: Expecting value, at character 1"),
        ('{"dlx": 1,\n"primary": [1 2]}', "line 2: this is not JSON: Expecting ',' delimiter"),
        ("[]", 'this is JSON, but not a problem: that is an object that begins with {"dlx": 1'),
        ('{"puzzle": "12"}', "this is JSON, but not a problem"),
        ('{"dlx": 2}', "dlx is 2; this version of dlxkit reads version 1 of the format"),
        ('{"dlx": true}', "dlx is True"),
        ('{"dlx": 1, "dlx": 1}', "an object has the key 'dlx' twice"),
        ('{"dlx": 1, "primary": []}', "the problem has no 'options'; it must have"),
        (changed(cost=[1]), "the problem has the unknown key 'cost'; it may have dlx, primary"),
        (changed(option=[]), "the problem has the unknown key 'option'; did you mean 'options'?"),
        (changed(primary="ab"), "primary is 'ab'; it must be a list"),
        (changed(primary=["a", 1.5]), "primary[1] is 1.5; a name is a text"),
        (changed(primary=["a", "a"]), "primary[1]: item 'a' is declared twice"),
        (changed(primary=[{"item": "a", "low": 1}]), "primary[0] has no 'high'"),
        (changed(primary=[{"item": "a", "low": "1", "high": 1}]), "primary[0].low is '1'"),
        (changed(primary=[{"item": "a", "low": 2, "high": 1}]), "primary[0]: item 'a': low is 2"),
        (changed(primary=[{"item": {}, "low": 0, "high": 1}]), "primary[0].item is {}"),
        (changed(secondary=[{"item": "x", "low": 2, "high": 2}]), "secondary[0]: item 'x' is sec"),
        (changed(options={}), "options is {}; it must be a list"),
        (changed(options=[["a"]]), "options[0] is ['a']; it must be an object such as"),
        (changed(options=[{"items": "ab"}]), "options[0].items is 'ab'; it must be a list"),
        (changed(options=[{"items": ["z"]}]), "options[0]: option 0: item 'z' was not declared"),
        (changed(options=[{"items": []}]), "options[0]: option 0 has no items"),
        (
            changed(options=[{"items": ["a"], "nmae": 1}]),
            "options[0] has the unknown key 'nmae'; did you mean 'name'?",
        ),
        (changed(options=[{"items": ["a"], "cost": 1.0}]), "options[0].cost is 1.0; it must be an"),
        (
            changed(options=[{"items": ["a"], "cost": 2**63}]),
            "option 0 has the cost 9223372036854775808",
        ),
        (changed(options=[{"items": ["a"], "name": {}}]), "options[0].name is {}; a name is"),
        (changed(options=[{"items": [{"item": "a"}]}]), "options[0].items[0] has no 'color'"),
        (
            changed(options=[{"items": ["a"]}, {"items": [{"item": "a", "color": "A"}]}]),
            "options[1]: option 1 gives the primary item 'a' a color",
        ),
        (
            changed(options=[{"items": [{"item": "a", "times": 0}]}]),
            "options[0]: option 0",
        ),
        (
            changed(options=[{"items": ["a"], "name": "x"}, {"items": ["b"], "name": "x"}]),
            "options[1]: options 0 and 1 are both named 'x'",
        ),
        (changed().replace('"a"', "NaN"), "primary[0] is nan"),
        (changed().replace('"a"', '"\\ud800"'), "primary[0] is '\\ud800'; it has half of a"),
        (changed().replace('"a"', "7" * 5000), "primary[0] is (an integer of 5000 digits)"),
        (changed().replace('"a"', "-" + "7" * 1001), "; an integer has at most 1000 digits"),
        (changed().replace('"a"', "[" * 150 + "]" * 150), "primary[0] is [[["),
        *(
            (changed().replace('"a"', "[" * depth + "]" * depth), "primary[0]")
            for depth in (101, 300, 700, 900)
        ),
        (changed().replace('"a"', "[" * 10**5 + "]" * 10**5), "nested too deep"),
        (changed().replace('"a"', '{"a":' * 10**5 + "1" + "}" * 10**5), "nested too deep"),
        ("[" * 10**6, "nested too deep"),
        ("\0", "line 1: a null character: this is not text"),
    ],
)
def test_one_clear_error_with_the_place(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text)
    with pytest.raises(dlx.FormatError) as caught:
        dlx.Problem.load(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert expected in message
    assert "\n" not in message
    assert len(message) < 500


@pytest.mark.parametrize(
    "text",
    [
        '{"dlx": @}',
        '{"dlx": 1, "primary": {"a": @}, "options": []}',
        '{"dlx": 1, "primary": ["a", @], "options": []}',
        '{"dlx": 1, "primary": ["a"], "options": {"b": @}}',
        '{"dlx": 1, "primary": ["a"], "options": [@]}',
        '{"dlx": 1, "primary": ["a"], "options": [{"items": [{"item": @, "color": 1}]}]}',
        '{"dlx": 1, "primary": ["a"], "options": [{"items": ["a"], "cost": @}]}',
    ],
)
def test_deep_lists_anywhere_are_one_clear_error(text: str) -> None:
    """Whatever meets Python's limit first: the parser, a check, or `repr` for the message."""
    limit = sys.getrecursionlimit()
    for depth in (300, *range(limit - 150, limit, 15), 50_000):
        for deep in ("[" * depth + "]" * depth, '{"x":' * depth + "1" + "}" * depth):
            with pytest.raises(dlx.FormatError, match=r"^[^\n]{,400}$"):
                load(text.replace("@", deep))


def test_a_value_that_is_too_deep_to_print_can_be_quoted() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert quote(deep) == "<list that cannot be printed>"


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(EXAMPLE.encode().replace(b"first", b"f\xffrst"))
    with pytest.raises(dlx.FormatError, match="line 5: this is not UTF-8 text"):
        dlx.Problem.load(path)
    with pytest.raises(dlx.FormatError, match="open it as text"):
        dlx.Problem.load(io.BytesIO(EXAMPLE.encode()), format="json")  # type: ignore[arg-type]


# -- commands ------------------------------------------------------------------------------------


def test_commands_read_and_write_json(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "queens.json"
    models.queens(5).dump(path)
    assert run("count", str(path)) == ("10\n", "")
    assert "\n  0: r0 c0 b0" in run("solve", "--all", str(path)).out
    for there, back in (("queens.dlx", "again.json"), ("queens.txt", "third.json")):
        run("convert", str(path), str(tmp_path / there))
        run("convert", str(tmp_path / there), str(tmp_path / back))
        assert (tmp_path / back).read_text() == path.read_text()
    wrong = tmp_path / "wrong.json"
    wrong.write_text("a b\na\n")
    _, error = run("count", str(wrong), status=2)
    assert "wrong.json, line 1: this is not JSON" in error


def test_a_command_refuses_files_for_other_solvers(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "queens.cnf"
    models.queens(4).dump(path)
    _, error = run("count", str(path), status=2)
    assert "files with the suffix '.cnf' are written for other solvers and cannot be read" in error
    path = tmp_path / "queens.out"  # no format has this suffix: the first line decides
    path.write_text(written(models.queens(5)))
    assert run("count", str(path)) == ("10\n", "")


def test_a_command_reads_json_from_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(written(models.queens(5))))
    assert run("count", "-") == ("10\n", "")


def test_json_is_imported_with_the_first_file() -> None:
    code = (
        "import sys, dlx, io; p = dlx.Problem.load(io.StringIO('a\\na\\n')); "
        "p.dump(io.StringIO()); print('json' in sys.modules, end=' '); "
        "p.dump(io.StringIO(), format='json'); print('json' in sys.modules)"
    )
    done = run_python(code)
    assert (done.stdout, done.stderr) == ("False True\n", "")
