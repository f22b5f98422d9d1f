"""The kernel's reading of lines in Knuth's format, which must be Python's, only faster."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterable
from itertools import chain, islice, repeat
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import pytest
from alarms import Alarm
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of

import dlx
from dlx.core import kernel, portable
from dlx.core.table import Table

BLOCK = 4096  # options that the kernel keeps before it moves them into the arrays
ITEMS = "a b \ufeffa 2|c 0:3|d 1:*|e d*2 long-name-of-an-item \u00e9t\u00e9 | s t \u4e2d\u6587\n"


def outcome(read: Callable[[], dlx.Problem]) -> Any:
    """All there is in the table that is read, or the error with its line."""
    try:
        table = table_of(read())
    except dlx.FormatError as error:
        return type(error), str(error), error.line, error.source
    kinds = [*map(type, table.names or ())]
    return [(slot, getattr(table, slot)) for slot in table.columns], kinds


def check(source: Callable[[], Any], **options: str) -> Any:
    """The outcome of reading it, which must be the same in Python."""
    found = outcome(lambda: dlx.Problem.load(source(), **options))
    with mock.patch.object(kernel, "LineReader", portable.LineReader):
        assert outcome(lambda: dlx.Problem.load(source(), **options)) == found
    return found


# -- the same as in Python -----------------------------------------------------------------------

PLAIN = ["a", "b", "c", "d", "e", "d*2", "long-name-of-an-item", "\u00e9t\u00e9"]
TINTED = ["s:A", "s:B", "s:\u00e9", "s", "t:A", "t:long-name-of-a-color", "\u4e2d\u6587:A", "t"]
WEIGHED = ["c*2", "d*3", "d*02", "e*9", "e*65536", "e*65537", "e*100000000", "c*1"]
COSTS = ["|5", "|-7", "|0", "|05", "|-0", "|9223372036854775807", f"|{10**16}", f"|{'9' * 17}"]
WRONG = ["c*3", "d*4", "s*2", "s*1", "a*2", "*2", "d*", "d*x", "d**2", "d*-1", "d*2:A", "e*\u0663"]
WRONG += ["z", "a:A", "s:", ":A", ":", "s:A:B", "s::", "|", "||5", "|x", "|5x", "|--5", "| 5"]
WRONG += ["a|5", "|\u0663", f"|{10**18}", "\0", "a\0", "s:\0", "\ufeffa", "\ud800", "a\udc80"]
WRONG += ["s:\ud800", "long-name-of-an-iten", "long-name-of-an-itemm", "long-name-of-an-ite", ""]
WRONG += [f"e*{2**29}", f"e*{'7' * 5000}", f"|{'7' * 5000}", "s:x\u2003y", "a\u2028b", "\x85"]
SPACES = [" ", " ", " ", "  ", "\t", "\x0b\f", "\x1c\x1d", "\x1f", "\u2003", "\x85", "\xa0"]
LINES = ["", "  ", "| a comment", "|", "|z", "| \0", "| \udc80", "\ufeff", "\u2003| c"]
LINES += ["\ufeff|", "|5"]
NAMES = ['"x"', '["F", [0, 1]]', '["F",[ 0 ,-1 ]]', '[""]', '"\u00e9 \u2028"', '""', '["x"] ']
NAMES += ['[["x"]]']
NAMES += ["1", "true", "null", "[]", "[true]", '["a\\n"]', "[01]", "[-0]", "[1.0]", "[1e3]"]
NAMES += ["[1", '"']
NAMES += ["[1]]", "[1,]", "{}", "x", '"a\tb"', f"[{10**18}]", f"[{10**16}]"]
NAMES += ["[" * 12 + "1" + "]" * 12]
NAMES += ['"a\0"', '"\udc80"', "[1 2]", '["x"]\u2003', '"x"\0', "7", "[--1]", "[-]"]
words = st.one_of(*(st.sampled_from(some) for some in (PLAIN, PLAIN, TINTED, WEIGHED, COSTS)))


@st.composite
def lines(draw: st.DrawFn) -> str:
    """A line of any kind; one in a few is wrong."""
    kind = draw(st.integers(0, 11))
    if kind == 0:
        return draw(st.sampled_from(LINES))
    if kind <= 3:
        start = draw(
            st.sampled_from(["| dlx name: ", "| dlx name: ", "| dlx name:", " | dlx name:"])
        )
        return start + draw(st.sampled_from(NAMES))
    listed = draw(st.lists(words, min_size=1, max_size=5, unique=True))
    if kind == 4:
        listed.insert(draw(st.integers(0, len(listed))), draw(st.sampled_from(WRONG)))
    space = draw(st.sampled_from(SPACES))
    edges = draw(st.sampled_from(["", "", " ", "\t", "\u2003"]))
    return edges + space.join(listed) + edges


@given(
    read=st.lists(lines(), max_size=8),
    end=st.sampled_from(["\n", "\n", "\r\n", "\r", ""]),
    head=st.sampled_from([ITEMS, ITEMS, ITEMS, "\ufeff" + ITEMS, "", "a:b\n", "a a\n"]),
)
def test_lines_of_every_kind(read: list[str], end: str, head: str) -> None:
    whole = [head, *(line + end for line in read)]
    check(lambda: iter(whole), format="knuth")
    check(lambda: whole)
    check(lambda: io.StringIO("".join(whole)))
    check(lambda: io.StringIO("".join(whole), newline=""))


@pytest.mark.parametrize(
    "form", ["{}", "{} b", "b {}", "b {}\n", " b  {}\tc", "b s:{}", "b {}:A", "{}\nb"]
)
def test_each_word_by_itself(form: str) -> None:
    """In the places of a line where it may mean something."""
    for word in [*PLAIN, *TINTED, *WEIGHED, *COSTS, *WRONG, *SPACES, *LINES]:
        for before in ([], ["b\n", '| dlx name: "x"\n']):
            check(lambda: [ITEMS, *before, form.format(word), "b |1 s:A"])  # noqa: B023


def test_each_character_between_two_words() -> None:
    """White space or not, and in a color that is new."""
    for number in [*range(0x100), 0x1680, 0x2003, 0x2028, 0x3000, 0xFEFF, 0xFFFD]:
        for form in ("a{}b", "a s:x{}b", "a |5{}b", "a d*2{}b", "{}a", "a{}", "{}| c", "{}"):
            check(lambda: [ITEMS, form.format(chr(number)), "b s:y"])  # noqa: B023


@pytest.mark.parametrize("form", ["| dlx name: {}", "\t| dlx name:{} ", "| dlx name: {}\n"])
def test_each_name_by_itself(form: str) -> None:
    """Of the first option that has one, and of a later one."""
    for name in NAMES:
        for before in ([], ["b\n", '| dlx name: "first"\n', "b\n"]):
            for after in (["b\n", "b"], ["z"], ["| c", "", " \n", "b"], []):
                check(lambda: [ITEMS, *before, form.format(name), *after])  # noqa: B023


@given(read=st.lists(lines(), max_size=6), damage=st.integers(0, 400))
def test_files(read: list[str], damage: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """By path, where bytes that are not UTF-8 may be in the file, also cut within a character."""
    text = (ITEMS + "\n".join(read)).encode("utf-8", "surrogatepass")
    path = tmp_path_factory.getbasetemp() / "lines.dlx"
    for content in (text, text[:damage], text[:damage] + b"\xe9" + text[damage:]):
        path.write_bytes(content)
        check(lambda: path)
    check(lambda: io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
    with gzip.open(path, "wb") as file:
        file.write(text)
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape") as packed:
        check(lambda: packed.seek(0) or packed)


@given(seed=st.integers(0, 2**32))
def test_words_by_their_bytes(seed: int) -> None:
    """Words that differ in one character or in length only, of any length."""
    random = Random(seed)
    stems = ["x" * random.randrange(1, 40) for _ in range(6)]
    known = {stem[:at] + end + stem[at + 1 :] for stem in stems for at in range(3) for end in "xyz"}
    known |= {stem[:-1] + end for stem in stems for end in ("x", "y", "\u00e9")}
    known |= {f"as-long-as-{number + random.randrange(500)}" for number in range(100, 300)}
    listed = sorted(known)
    random.shuffle(listed)
    text = [" ".join(listed) + " | s\n"]
    text += [f"{word} {listed[-1 - place]}\n" for place, word in enumerate(listed[:9])]
    text += [f"{word} s:{word}\n" for word in listed]
    assert check(lambda: text)[0][0][0] == "color_names"
    text += ["x" * random.randrange(1, 45) + random.choice(["", "w", "\u00e8"])]
    check(lambda: text)


@pytest.mark.parametrize("place", [1, 2, BLOCK, BLOCK + 1, BLOCK + 2, 2 * BLOCK + 5])
@pytest.mark.parametrize("line", ["z", "a a", "| dlx name: 3\n", "a d*4", "s", "d |x", "| \0", ""])
def test_the_place_of_a_wrong_line_among_many(place: int, line: str) -> None:
    random = Random(place)
    read = [
        f"{random.choice('ab')} d*{number % 3 + 1} s:{number % 50} |{number % 7}\n"
        for number in range(2 * BLOCK + 9)
    ]
    whole = [ITEMS, *read]
    whole.insert(place, line + "\n")
    found = check(lambda: whole)
    assert line == "" or found[2] == place + 1 or line.startswith("| dlx")


@pytest.mark.parametrize(
    "named", ['| dlx name: ["x", {}]\n', '| dlx name: "x{}"\n', "| dlx name: -{}\n"]
)
@pytest.mark.parametrize("first", [0, 1, BLOCK, 2 * BLOCK])
def test_blocks(named: str, first: int, tmp_path: Path) -> None:
    """Names, colors, weights and costs from some option on, then no more of them."""
    rows = chain(
        ["a\n"] * first,
        chain.from_iterable(
            (named.format(n + 1), f"a e*{n % 5 + 1} s:{n} |{n}\n") for n in range(9)
        ),
        ["b\n"] * (BLOCK + 3),
    )
    whole = [ITEMS, *rows]
    columns = dict(check(lambda: whole)[0])
    assert len(columns["costs"]) == first + 9
    assert columns["cost_total"] == sum(range(9))
    problem = dlx.Problem.load(whole)  # type: ignore[arg-type]
    problem.dump(tmp_path / "again.dlx")  # in blocks, too
    assert dlx.Problem.load(tmp_path / "again.dlx") == problem
    with (tmp_path / "open.dlx").open("w+", encoding="utf-8") as file:
        problem.dump(file)
        assert file.seek(0) or file.read() == (tmp_path / "again.dlx").read_text("utf-8")


def test_options_longer_than_a_block() -> None:
    items = [f"i{number}" for number in range(70_000)]
    whole = [" ".join(items) + " | s\n", "i3\n", " ".join(items) + " s:A\n", "i5 s\n"]
    assert len(dict(check(lambda: whole)[0])["entry_item"]) == 70_004


@pytest.mark.parametrize("kind", ["name given before", "index given before", "given twice"])
def test_names_that_clash(kind: str) -> None:
    """A name may be an option's index; who comes second is refused."""
    names = {"name given before": ["3", "", "", ""], "index given before": ["", '"x"', "0"]}
    listed = names.get(kind, ['"x"', '["y"]', '["y"]'])
    whole = [ITEMS, *(f"| dlx name: {name}\na\n" if name else "a\n" for name in listed)]
    assert "both named" in check(lambda: "".join(whole).splitlines())[1]


def test_costs_and_weights_that_are_too_large_in_all() -> None:
    costs = [f"a |{10**17 - 1}\n"] * 93
    assert check(lambda: [ITEMS, *costs])[2] == 94
    weights = ["e*65536\n"] * 8195
    assert check(lambda: [ITEMS, *weights])[2] == 8194
    assert "too often" in check(lambda: [ITEMS, *weights])[1]


# -- what is read where --------------------------------------------------------------------------


def test_what_is_not_ordinary_is_left_to_python() -> None:
    """So it is the fast path that these tests compare with the other."""
    table = Table(open_items=False)
    for item in ("a", "\u00e9"):
        table.add_item(item, secondary=False)
    table.add_item("s", secondary=True)
    table.add_item("w", secondary=False, multiplicity=(0, 5))
    table.add_option(["a"], "first")
    named = [
        '| dlx name: ["x", [1, "y"]]\n',
        "a \u00e9 s:A w*3 |5 |-8\n",
        "| comment\n",
        " \n",
        "a s\n",
    ]
    wrong = ["z\n", named[0], "a\n", '| dlx name: "new"\n', "| comment", "z\n"]
    read: list[Any] = [*named, *wrong, "a\n", '| dlx name: "last"\n']
    reader = kernel.LineReader(table, iter(read))
    assert reader.read(True) == (6, "z\n")
    assert [*table.entry_weight] == [1, 1, 1, 1, 3, 1, 1]
    assert table.names == ["first", ("x", (1, "y")), 2]
    assert ([*table.costs], table.cost_total) == ([0, -3], 3)
    assert reader.read(True) == (7, named[0])  # the name is known
    assert reader.drawn == 8
    assert reader.read(False) == (8, "a\n")
    assert reader.read(True) == (9, '| dlx name: "new"\n')
    assert reader.read(False) == (11, "z\n")
    assert len(table) == 3
    assert reader.read(True) == (13, '| dlx name: "last"\n')
    assert (len(table), reader.drawn) == (4, 13)
    assert reader.read(False) is reader.read(True) is None


def test_what_the_reader_must_be_given() -> None:
    table: Any = Table(open_items=False)
    with pytest.raises(TypeError):
        kernel.LineReader(table, [])  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        kernel.LineReader(5, iter(()))  # type: ignore[arg-type]
    assert kernel.LineReader(table, iter([5, b"a"])).read(True) == (1, 5)


@pytest.mark.parametrize("line", [0, 1, 5])
def test_lines_that_are_no_text(line: int, tmp_path: Path) -> None:
    """A file in binary mode; an error of the file, wherever it comes, is its own."""
    path = tmp_path / "file"
    path.write_text(ITEMS + "a\n" * 9)
    with path.open("rb") as file, pytest.raises(dlx.FormatError, match="open it as text"):
        dlx.Problem.load(file, format="knuth")  # type: ignore[arg-type]

    def broken() -> Iterable[str]:
        yield from [ITEMS, *["a\n"] * 9][:line]
        raise OSError("disk on fire")

    with pytest.raises(OSError, match="disk on fire"):
        dlx.Problem.load(broken())  # type: ignore[arg-type]


def test_ctrl_c(alarm: Alarm) -> None:
    """Between two blocks, among long options and comments: nothing here runs in Python."""
    long = " ".join(map(str, range(30_000))) + "\n"
    few, many = 400, 200_000_000
    for head, line, count in [(ITEMS, "a b\n", many), (ITEMS, "| c\n", many), (long, long, few)]:
        rest = islice(repeat(line), count)
        with alarm.expected():
            dlx.Problem.load(chain([head], rest))  # type: ignore[arg-type]
        assert next(rest, None) is not None
