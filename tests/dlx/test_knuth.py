"""Knuth's text format: what is written is read again, and what is wrong is said with its line."""

from __future__ import annotations

import io
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case
from example_problems import written
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_cases, words

import dlx

EXAMPLE = """\
| a comment
p q r | x y
p q x y:A
p r x:A y
p x:B
q x:A
r y:B
"""


def load(text: str) -> dlx.Problem:
    return dlx.Problem.load(io.StringIO(text))


def complaint(content: bytes) -> dlx.FormatError:
    """What loading a file of this content raises; always with the file's name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wrong.dlx"
        path.write_bytes(content)
        with pytest.raises(dlx.FormatError) as caught:
            dlx.Problem.load(path)
    assert caught.value.source == str(path)
    assert str(path) in str(caught.value)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    if caught.value.line is not None:
        assert f"line {caught.value.line}" in message
    return caught.value


# -- there and back ------------------------------------------------------------------------------


@settings(max_examples=130)
@given(case=any_cases(max_options=12))
def test_load_of_dump_is_the_problem(case: Case) -> None:
    if case.primary:
        problem = case.problem()
        again = load(written(problem))
        assert again == problem
        assert written(again) == written(problem)
        assert list(again.solutions()) == list(problem.solutions())


@st.composite
def odd_texts(draw: st.DrawFn) -> Case:
    """Problems whose items and colors are any texts that the format can hold."""
    items = draw(st.lists(words, min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(items)))
    primary, secondary = tuple(items[:cut]), tuple(items[cut:])
    options = []
    for first in draw(st.lists(st.sampled_from(primary), max_size=5)):
        option: list[Any] = [first]
        for item in secondary:
            color = draw(st.none() | words)
            option.append(item if color is None else dlx.colored(item, color))
        options.append(tuple(option))
    return Case(primary, secondary, tuple(options))


@given(case=odd_texts(), as_path=st.booleans())
def test_any_word_survives_a_file(case: Case, as_path: bool) -> None:
    problem = case.problem()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem"
        target = path if as_path else str(path)
        problem.dump(target)
        assert dlx.Problem.load(target) == problem
        with path.open(encoding="utf-8") as file:
            assert dlx.Problem.load(file) == problem


def test_secondary_items_declared_first_survive_too() -> None:
    """Such are all problems with open items; the item line names primary items first."""
    problem = dlx.Problem.from_options([["a", dlx.colored("x", "A")], ["a"]], secondary=["x"])
    again = load(written(problem))
    assert again.primary == problem.primary
    assert again.secondary == problem.secondary
    assert again.options == problem.options
    assert list(again.solutions()) == list(problem.solutions())
    assert again == problem


def test_integers_are_written_as_their_digits() -> None:
    problem = dlx.Problem.from_options(
        [[1, dlx.colored(0, -2)], [2]], primary=[1, 2], secondary=[0]
    )
    assert written(problem) == "1 2 | 0\n1 0:-2\n2\n"
    assert load(written(problem)).options == [("1", dlx.colored("0", "-2")), ("2",)]


def test_tuples_of_integers_are_written_without_brackets() -> None:
    problem = dlx.Problem.from_options(
        [[(1, 2), dlx.colored((0, -1, 3), (4, 5))], [dlx.times((1, 2), 2)]],
        primary=[(1, 2)],
        secondary=[(0, -1, 3)],
        multiplicities={(1, 2): (1, 2)},
    )
    text = "1:2|1,2 | 0,-1,3\n1,2 0,-1,3:4,5\n1,2*2\n"
    assert written(problem) == text
    assert written(load(text)) == text


def test_what_is_written() -> None:
    problem = load(EXAMPLE)
    assert written(problem) == EXAMPLE.partition("\n")[2]


# -- reading -------------------------------------------------------------------------------------


def test_the_example() -> None:
    problem = load(EXAMPLE)
    assert problem.primary == ("p", "q", "r")
    assert problem.secondary == ("x", "y")
    x = dlx.colored
    assert problem.options == [
        ("p", "q", "x", x("y", "A")), ("p", "r", x("x", "A"), "y"), ("p", x("x", "B")),
        ("q", x("x", "A")), ("r", x("y", "B")),
    ]  # fmt: skip
    assert [frozenset(solution) for solution in problem.solutions()] == [{1, 3}]


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace("\n", "\r"),
        EXAMPLE.replace(" ", "\t \t"),
        EXAMPLE.rstrip("\n"),
        "\n\n  \n" + EXAMPLE + "\n \n",
        EXAMPLE.replace("\n", "\n|\n||\n| p q\n  | indented: x y z:A:B\n\n"),
        EXAMPLE.replace("| x y", "|\tx    y   "),
    ],
    ids=["CRLF", "CR", "tabs", "no newline at the end", "blank", "comments everywhere", "spaces"],
)
def test_the_example_in_disguise(text: str, tmp_path: Path) -> None:
    path = tmp_path / "disguised"
    path.write_bytes(text.encode())
    assert dlx.Problem.load(path) == load(EXAMPLE)


def test_a_comment_in_the_middle_is_no_option() -> None:
    problem = load("| top\na b\n| between a and b\na\n|a b\nb\n|")
    assert problem.options == [("a",), ("b",)]
    assert problem.items == ("a", "b")


def test_a_bar_without_secondary_items() -> None:
    assert load("a b |\na\n").items == ("a", "b")


def test_items_without_options() -> None:
    assert load("a b\n").count() == 0


def test_a_byte_order_mark_is_no_part_of_an_item(tmp_path: Path) -> None:
    path = tmp_path / "from-windows"
    path.write_bytes(EXAMPLE.partition("\n")[2].encode("utf-8-sig"))
    assert dlx.Problem.load(path).primary == ("p", "q", "r")


def test_names_longer_than_knuths(tmp_path: Path) -> None:
    long = "i" * 100
    assert load(f"{long} | s\n{long} s:{long}").options[0] == (long, dlx.colored("s", long))


def test_a_million_options_character_by_character() -> None:
    """A very long line is no problem in itself."""
    names = [f"item{i}" for i in range(100_000)]
    problem = load(" ".join(names) + "\n" + " ".join(names) + "\n")
    assert len(problem.options[0]) == 100_000
    assert problem.count() == 1


# -- wrong files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"\n\n", b"| only a comment\n", b"  \n| x\n|\n"])
def test_no_item_line(content: bytes) -> None:
    error = complaint(content)
    assert error.line is None
    assert "no line that names the items" in str(error)


@pytest.mark.parametrize(
    ("content", "line", "parts"),
    [
        (b"a b\na z\n", 2, ["option 0", "item 'z'", "not declared"]),
        (b"| c\n\na b\n\n| c\nb\na z:A\n", 7, ["option 1", "item 'z'"]),
        (b"a\r\nb\r\n", 2, ["'b'"]),
        (b"a a\n", 1, ["item 'a'", "twice"]),
        (b"\na | b a\n", 2, ["item 'a'", "twice"]),
        (b"a | b b\n", 1, ["item 'b'", "twice"]),
        (b"a b\na b a\n", 2, ["option 0", "item 'a'", "twice"]),
        (b"a | s\na s:A s:B\n", 2, ["option 0", "item 's'", "twice"]),
        (b"a b\na:A b\n", 2, ["option 0", "primary item 'a'", "color"]),
        (b"a | s\na\ns\n", 3, ["option 1", "no primary item"]),
        (b"a | s\na\ns:A\n", 3, ["option 1", "no primary item"]),
        (b"a | s | t\na\n", 1, ["second '|'"]),
        (b"a | s | t\n", 1, ["second '|'"]),
        (b"a b:A\na\n", 1, ["'b:A'", "':'"]),
        (b"a | s:\n", 1, ["'s:'"]),
        (b"a 3:2|b\n", 1, ["item 'b'", "low is 3", "high 2"]),
        (b"a 0|b\n", 1, ["item 'b'", "upper bound is 0"]),
        (b"a -1:2|b\n", 1, ["'-1:2|b'", "low:high|item"]),
        (b"a x|b\n", 1, ["'x|b'", "n|item"]),
        (b"a 2:|b\n", 1, ["'2:|b'", "low:high|item"]),
        (b"a 1:2:3|b\n", 1, ["'1:2:3|b'", "low:high|item"]),
        (b"a 2|\n", 1, ["'2|'", "n|item"]),
        (b"a 2|3|b\n", 1, ["'2|3|b'", "n|item"]),
        (b"a 2|b:c\n", 1, ["'b:c'", "':'"]),
        (b"a | 0:1|s\n", 1, ["secondary item 's'", "multiplicity"]),
        (b"a b\na b|5\n", 2, ["'b|5'", "cost", "a word of its own"]),
        (b"a b\na |5x\n", 2, ["'|5x'", "cost", "integer"]),
        (b"a b\na |\n", 2, ["'|'"]),
        (b"a | s\na s:\n", 2, ["'s:'"]),
        (b"a | s\na :A\n", 2, ["':A'"]),
        (b"a | s\na :\n", 2, ["':'"]),
        (b"a | s\na s:A:B\n", 2, ["'s:A:B'"]),
        (b"a | s\na s::\n", 2, ["'s::'"]),
    ],
)
def test_wrong_lines(content: bytes, line: int, parts: list[str]) -> None:
    error = complaint(content)
    assert error.line == line
    for part in parts:
        assert part in str(error)


def test_options_before_the_item_line() -> None:
    """The first option is then taken for the item line, and the next line tells."""
    error = complaint(b"p q x:A\np r\n")
    assert error.line == 1
    error = complaint(b"p q\nr\np q r\n")
    assert error.line == 2


def test_a_truncated_file() -> None:
    """Cut anywhere, a file is wrong or a shorter problem: never a crash, never a wrong option."""
    whole = load(EXAMPLE)
    for end in range(len(EXAMPLE)):
        try:
            problem = load(EXAMPLE[:end])
        except dlx.FormatError:
            continue
        complete = EXAMPLE[:end].count("\n") - 2
        if complete > 0:
            assert list(problem.options)[:complete] == list(whole.options)[:complete]


@pytest.mark.parametrize(
    "line", ["z" * 1_000_000, "a " + "z" * 1_000_000, "a " * 500_000, "a:" + ":" * 1_000_000]
)
def test_a_line_of_a_million_characters(line: str) -> None:
    assert complaint(f"a b\na\n{line}\n".encode()).line == 3
    assert complaint(f"{line} :|\na\n".encode()).line == 1


@pytest.mark.parametrize(
    "content",
    [
        bytes(range(256)),
        b"\x7fELF\x02\x01\x01" + bytes(64),
        b"a b\na\n\0\n",
        b"\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        bytes(100_000),
        b"\xff" * 100_000,
        "a b\na\n".encode("utf-16"),
        "a b\na\n".encode("utf-32"),
    ],
)
def test_binary_files(content: bytes) -> None:
    error = complaint(content)
    assert error.line is not None
    assert "text" in str(error)


@given(content=st.binary(max_size=60))
def test_any_bytes_are_a_problem_or_a_complaint(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any"
        path.write_bytes(content)
        try:
            problem = dlx.Problem.load(path)
        except dlx.FormatError as error:
            assert "any" in str(error)  # noqa: PT017
        else:
            problem.count(limit=5)


@given(
    text=st.lists(
        st.lists(st.sampled_from(["a", "b", "s", "|", "s:A", "a:B", "2|a", "|x", ":", "\0"]))
        .map(" ".join)
    ).map("\n".join)
)  # fmt: skip
def test_any_lines_are_a_problem_or_a_complaint(text: str) -> None:
    try:
        problem = load(text)
    except dlx.FormatError as error:
        assert error.line is None or 0 < error.line <= text.count("\n") + 1  # noqa: PT017
    else:
        if problem.primary:
            assert load(written(problem)) == problem


@pytest.mark.parametrize("line", [1, 2, 3, 500])
def test_latin_1_is_said_to_be_no_utf_8_in_its_line(line: int) -> None:
    lines = [b"a b", *[b"a"] * 600]
    lines[line - 1] = "a \xe9".encode("latin-1")
    error = complaint(b"\n".join(lines))
    assert "UTF-8" in str(error)
    assert error.line == line


def test_an_open_file_without_a_name() -> None:
    with pytest.raises(dlx.FormatError) as caught:
        load("a b\nz\n")
    assert str(caught.value).startswith("line 2: ")
    assert caught.value.source is None


@pytest.mark.parametrize("kind", [str, Path])
def test_missing_file_and_directory(kind: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        dlx.Problem.load(kind(tmp_path / "missing"))
    with pytest.raises(IsADirectoryError):
        dlx.Problem.load(kind(tmp_path))
    with pytest.raises(OSError, match=tmp_path.name):
        dlx.Problem(["a"]).dump(kind(tmp_path))
    with pytest.raises(FileNotFoundError):
        dlx.Problem(["a"]).dump(kind(tmp_path / "no" / "folder"))


# -- writing -------------------------------------------------------------------------------------

UNWRITABLE: list[tuple[dlx.Problem, str]] = [
    (dlx.Problem(["a b"]), "'a b' cannot be written in Knuth's format: it must"),
    (dlx.Problem(["a\n"]), "'a\\n'"),
    (dlx.Problem([" a"]), "' a'"),
    (dlx.Problem(["a\u2003b"]), "cannot be written"),
    (dlx.Problem([""]), "''"),
    (dlx.Problem(["|"]), "'|'"),
    (dlx.Problem(["a|b"]), "'a|b'"),
    (dlx.Problem(["a"], ["b:c"]), "'b:c'"),
    (dlx.Problem(["a\0"]), "cannot be written"),
    (
        dlx.Problem([("row", 1)]),
        "Knuth's format: only texts, integers and tuples of integers can; JSON",
    ),
    (dlx.Problem([None]), "None"),
    (dlx.Problem([1.5]), "1.5"),
    (dlx.Problem([b"a"]), "b'a'"),
    (dlx.Problem([1, "1"]), "have the same text"),
    (dlx.Problem([(1, 2)], ["1,2"]), r"the same text, as 7 and '7', or (1, 2) and '1,2', have"),
    (dlx.Problem([(1,)]), "item (1,) cannot"),
    (dlx.Problem([(1, True)]), "item (1, True) cannot"),
    (dlx.Problem([(1, 10**5000)]), "it is too long"),
    (dlx.Problem(), "without primary items"),
    (dlx.Problem.from_options([["a", dlx.colored("x", "A B")]], secondary=["x"]), "color 'A B'"),
    (dlx.Problem.from_options([["a", dlx.colored("x", "")]], secondary=["x"]), "color ''"),
    (dlx.Problem.from_options([["a", dlx.colored("x", (1,))]], secondary=["x"]), "color (1,)"),
    (dlx.Problem([], ["x"]), "primary"),  # its item line would be a comment
    (dlx.Problem(["\ud800"]), "ud800"),
    (
        dlx.Problem.from_options(
            [["a", dlx.colored("x", 1)], ["a", dlx.colored("x", "1")]], secondary=["x"]
        ),
        "have the same text",
    ),
]


@pytest.mark.parametrize(("problem", "part"), UNWRITABLE)
def test_what_cannot_be_written_leaves_the_old_file(
    problem: dlx.Problem, part: str, tmp_path: Path
) -> None:
    path = tmp_path / "old"
    path.write_text("precious")
    with pytest.raises(dlx.FormatError) as caught:
        problem.dump(path)
    assert part in str(caught.value)
    assert path.read_text() == "precious"
    assert os.listdir(tmp_path) == ["old"]
    target = io.StringIO()
    with pytest.raises(dlx.FormatError):
        problem.dump(target)
    assert target.getvalue() == ""


def test_dump_replaces_a_file_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the new file is complete, the old one is what others see; nothing else is left."""
    path = tmp_path / "file"
    path.write_text("old")
    replace = os.replace
    seen = []

    def watch(source: str, target: str) -> None:
        seen.append((path.read_text(), Path(source).read_text()))
        replace(source, target)

    monkeypatch.setattr(os, "replace", watch)
    dlx.Problem(["a"]).dump(path)
    assert seen == [("old", "a\n")]
    assert path.read_text() == "a\n"
    assert os.listdir(tmp_path) == ["file"]


def test_dump_that_fails_half_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        dlx.Problem(["a"]).dump(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_problem_that_grows_meanwhile_is_written_as_it_was() -> None:
    """As by another thread: here it grows whenever its item is hashed."""

    class Item(str):
        def __hash__(self) -> int:
            if growing:
                problem.add_item(f"new{len(problem.items)}")
            return super().__hash__()

    growing = False
    problem = dlx.Problem([Item("a")])
    growing = True
    assert written(problem) == "a\n"
    assert len(problem.items) > 1


def test_dump_into_a_device() -> None:
    dlx.Problem(["a"]).dump(os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


NAMES = ["x", ("F", ((0, 1), (2, 3))), "two words", True, -1, "", "| |", "\u00e9", 10**900]


def test_names_of_options_survive_in_comments() -> None:
    """Only those that are not the option's number have a comment."""
    named = {("F", (0, 1)): ["a"], 1: ["b"], "two words": ["a", "b"]}
    problem = dlx.Problem.from_options(named)
    assert written(problem) == (
        'a b\n| dlx name: ["F", [0, 1]]\na\nb\n| dlx name: "two words"\na b\n'
    )
    assert load(written(problem)) == problem
    many = dlx.Problem.from_options({name: ["a"] for name in NAMES})
    again = load(written(many))
    assert again == many
    assert list(map(type, again.names)) == list(map(type, NAMES))


def test_a_name_that_json_cannot_hold_becomes_a_plain_comment() -> None:
    problem = dlx.Problem.from_options({frozenset([1]): ["a"], "lone \ud800": ["a"], 2.5: ["a"]})
    text = written(problem)
    assert text == (
        "a\n| option 0: frozenset({1})\na\n| option 1: 'lone \\ud800'\na\n| option 2: 2.5\na\n"
    )
    assert load(text).names == (0, 1, 2)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("| dlx name: 3\na\na\n", 1, "this names no option"),
        ("a\n| dlx name: 3\n", 2, "the file ends"),
        ("a\n| dlx name: 3\n\n| dlx name: 4\na\n", 4, "this names no option"),
        ("a\n| dlx name: x\na\n", 2, "'x' is not a name in JSON"),
        ("a\n| dlx name:\na\n", 2, "'' is not a name in JSON"),
        ("a\n| dlx name: {}\na\n", 2, "the name is {}; a name is"),
        ('a\n| dlx name: "x"\na\n| dlx name: "x"\na\n', 5, "both named 'x'"),
        ("a\n| dlx name: [1.5]\na\n", 2, "the name is"),
        (f"a\n| dlx name: {'7' * 5000}\na\n", 2, "an integer of 5000 digits"),
        (f"a\n| dlx name: {'[' * 100_000}\na\n", 2, "nested too deep"),
    ],
)
def test_wrong_names_are_refused_with_their_line(text: str, line: int, expected: str) -> None:
    with pytest.raises(dlx.FormatError) as caught:
        load(text)
    assert caught.value.line == line
    assert expected in str(caught.value)
    assert len(str(caught.value)) < 400


def test_other_comments_are_no_names() -> None:
    assert load("a\n| name: x\na\n|dlx name: 3\na\n").names == (0, 1)
