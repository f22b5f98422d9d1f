"""Links of f-puzzles, SudokuPad and sudokuwiki; SudokuPad's JSON and its shortened form."""

from __future__ import annotations

import builtins
import io
import json
import sys
from typing import Any

import pytest
from example_puzzles import REGIONS, WIKIPEDIA
from format_examples import dumped, read_text
from hypothesis import given
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout, MissingExtra, PuzzleError, layouts, rules
from sudoku.formats import Record, detect, dump, load
from sudoku.formats.editors.links import packed, unpacked
from sudoku.formats.editors.share import share_text
from sudoku.formats.editors.sudokupad import expanded

FOUR = Layout(2, 2)
BOXES = "[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]"  # fmt: skip  # noqa: E501
SHORT = "{ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:[" + BOXES + "],ca:[{ce:[[0,1],[0,2]],v:5,u:t}]}"
FPUZZLE = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "renban": [{"lines": [["R1C1", "R1C2"]]}]})
RENBAN = FOUR.with_rules(rules.Renban("r1c1 r1c2"))


def one(text: str) -> Record:
    (record,) = read_text(text)
    return record


@pytest.mark.parametrize(
    "link",
    [
        "https://www.f-puzzles.com/?load={}",
        "https://f-puzzles.com/?load={}&x=1",
        "https://sudokupad.app/fpuzzles{}",
        "https://sudokupad.app/fpuz{}",
        "https://app.crackingthecryptic.com/sudoku/fpuzzles{}",
        "https://sudokupad.app/?puzzleid=fpuzzles{}",
        "fpuzzles{}",
    ],
)
@pytest.mark.parametrize("quoted", [False, True])
def test_links_with_the_json_of_f_puzzles(link: str, quoted: bool) -> None:
    code = packed(FPUZZLE)
    text = link.format(code.replace("+", "%2B").replace("/", "%2F") if quoted else code)
    assert detect(text.encode()).name == "links"
    record = one(f"# mine\n{text}\teasy one\n")
    assert record.grid.layout.rules == RENBAN.rules
    assert (record.rest, record.line) == ("easy one", 2)


@pytest.mark.parametrize("prefix", ["scl", "ctc"])
def test_links_with_the_json_of_sudokupad(prefix: str) -> None:
    for text in (SHORT, json.dumps(expanded(SHORT) | {"cages": []})):
        record = one(f"https://sudokupad.app/{prefix}{packed(text)}")
        assert record.grid.line == "1" + "." * 15
    record = one(f"https://sudokupad.app/{prefix}{packed(SHORT[:-1] + ',ux:1}')}")
    assert record.warning.startswith("1 effect and the constraint 'ux' may mean rules")


def test_links_of_sudokuwiki() -> None:
    text = f"https://www.sudokuwiki.org/sudoku.htm?bd={WIKIPEDIA.replace('.', '0')} hard"
    record = one(text)
    assert (record.grid.line, record.rest) == (WIKIPEDIA, "hard")
    assert detect(text.encode()).name == "links"


WILD = {
    "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSQA3AQwBsBXOeAdlTQgpgDsEAXDBkmSGDBlWgwQBmVuy69+MUdXqMArDI7d4fAQF1khMSoQAODXO0KRpa8PLKJSc1p2KbN/YSXjGAJmfyAu6gDowAbAGWQSE+CCzosi5WwbZEnnYZ3sbw0gmagW4x2ep5Fq5ZjhGlSdFpBpnBRo4AjJHlKY2hUm1W6bZNfj219rHwZtUFqSPZACxDhXVeHUUt8xWMKBNRC52jJWz52yJ9y+sI+4mTywNxax71Uw0ZN/BzW+W6+iDYEFRoAPacWgAagKqB+f0BtAAtJMgA===": (  # noqa: E501
        "..7....358.....9...2.67.........356.....1...3..2.8..4....19..5.....5..7.........4",
        layouts.diagonal(),
    ),
    "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRfALrJCwgTOlyJU0XKVKFsles1c1yrRu2S9R+Yd1nVp/Vdk7r58WK5A": (  # noqa: E501
        "1" + "." * 80,
        Layout(3, 3),
    ),
    "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgIm9hk0UM6zR4rssX0QAawgAbLTAwBjAIZo48QiH0wdYfCABKARgDCDkKjsAmFyDUA3Q1oArqYgiCAUFlZaNmb2zh5ucU4AzImeTgnuXqnuyRk+qP5BIcmpRGqG+gAuEL4wTgD2AHZgVRiGEE1VMXggANLauhgABE7GcLREQA=": (  # noqa: E501
        "." * 81,
        layouts.killer([(9, "r1c1 r2c1"), (33, "r1c2 r1c3 r2c2 r2c3 r3c2")]),
    ),
}
"""Links that others have published, in the tests of two solvers and in a library's README."""


@pytest.mark.parametrize("link", WILD)
def test_links_from_the_wild(link: str) -> None:
    line, layout = WILD[link]
    record = one(link)
    assert record.grid.line[: len(line)] == line
    assert record.grid.layout is layout


@pytest.mark.parametrize("form", ["links", "fpuzzles", "share", "json"])
@pytest.mark.parametrize("link", WILD)
def test_links_from_the_wild_come_back(link: str, form: str) -> None:
    """Another format, and what that is read as, has the same puzzle with the same rules."""
    record = one(link)
    (again,) = load(io.BytesIO(dumped([record], form).encode()))
    assert (again.grid, again.placed, again.marks) == (record.grid, record.placed, record.marks)
    assert again.about == record.about
    assert again.grid.layout is record.grid.layout


STATES = {  # published states, and the puzzles that they began with
    "S9B4s010g091803064a4c281c1i2t082q7r7v81094g520l1o1m054b074i0g024i018i04038i4nbqba048y02b70gc34306040c07b6020eb707bk01447wbeba0f0558bgc22q032qb7bfbf4ebi05067u010g02bi":
    "010903600000080000900000507002010430000402000064070200701000005000030000005601020",
    "S9B015y2e685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w9i102e020a089e03050f9e0d5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id205":
    "100000569402000008050009040000640801000010000208035000040500010900000402621000005",
}  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_states_of_sudokuwiki(state: str) -> None:
    """The givens are those of the puzzle; the digits and the candidates agree with its solution."""
    record = one(f"https://www.sudokuwiki.org/sudoku.htm?bd={state}")
    start = STATES[state].replace("0", ".")
    assert record.grid.line == start
    solution = sudoku.solve(start).line
    assert record.placed is not None
    assert record.marks is not None
    for digit, placed, marks in zip(solution, record.placed, record.marks, strict=True):
        assert placed == digit or (placed == "." and marks >> int(digit) & 1)
        assert (placed == ".") == (marks > 0)


def test_written_links_are_those_of_sudokupad() -> None:
    link, rest = dumped([Record(Grid.from_cells((0,) * 16, RENBAN), rest="x")], "links").split()
    assert link.startswith("https://sudokupad.app/fpuzzlesN4I")
    assert rest == "x"
    value = json.loads(unpacked(link.removeprefix("https://sudokupad.app/fpuzzles")))
    assert value["renban"] == [{"lines": [["R1C1", "R1C2"]]}]
    assert value["ruleset"] == (
        "Each row, column and box has each of the digits 1 to 4 once. A pink line has different "
        "consecutive digits in any order."
    )
    own = Record(Grid.from_cells((0,) * 16, RENBAN), about={"description": "My words."})
    (again,) = load(io.BytesIO(dumped([own], "links").encode()))
    assert again.about == own.about


@pytest.mark.parametrize("odd", [[], ["r2c2", "r3c3"]])
def test_even_and_odd_cells_come_back(odd: list[str]) -> None:
    layout = layouts.even_odd(["r1c1", "r9c9"], odd)
    record = Record(Grid.from_cells((0,) * 81, layout))
    value = json.loads(dumped([record], "fpuzzles"))
    assert value["even"] == [{"cell": "R1C1"}, {"cell": "R9C9"}]
    assert [item["cell"].lower() for item in value.get("odd", [])] == odd
    (again,) = load(io.BytesIO(dumped([record], "links").encode()))
    assert again.grid.layout == layout


@given(st.text(max_size=300))
def test_compression_round_trips(text: str) -> None:
    text = "".join(c for c in text if ord(c) < 0xD800) + "x"
    assert unpacked(packed(text)) == text


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("https://sudokupad.app/abc123", "perhaps its name on a server; open the link and copy"),
        (
            "https://sudokupad.app/scfN4IgzglgXgpiBcACALAGkSALhTA",
            "links with scf are not supported",
        ),
        ("https://www.f-puzzles.com/?load=N4IgzglgX", "the link is damaged"),
        ("https://www.f-puzzles.com/?load=" + "A" * 40_000, "a link of 40,000 characters"),
        ("https://www.f-puzzles.com/?load=" + packed("hello"), "the link has no JSON in it"),
        ("https://www.f-puzzles.com/?load=" + packed("[]"), "not the JSON of an f-puzzles puzzle"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=123", "bd has 3 characters; a 9x9 grid has 81"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=S9B123", "bd must have two characters"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=S9B" + "00" * 81, "without candidates"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZ", "the link is damaged"),
        ("https://[", "not a link"),
        ("https://sudokupad.app/fpuzzles7777777777777777777777", "the link is damaged"),
        ("https://sudokupad.app/scl7777777777777777777777", "the link is damaged"),
        ("https://www.f-puzzles.com/?load=xx", "the link is damaged"),
    ],
)
def test_links_that_cannot_be_read(link: str, words: str) -> None:
    with pytest.raises(PuzzleError, match="line 1") as caught:
        one(link)
    assert words in str(caught.value)


@pytest.mark.parametrize("error", [UnboundLocalError, ArithmeticError, RecursionError])
def test_a_decoder_that_fails_in_any_way(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*arguments: object, **keywords: object) -> None:
        raise error

    share = share_text(Record(Grid.from_cells((0,) * 369, layouts.samurai())))
    for target, name, text in (
        ("lzstring.LZString", "decompressFromBase64", next(iter(WILD))),
        ("zlib", "decompressobj", "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZ"),
        ("zlib", "decompressobj", share),
        ("sudoku.formats.editors.links", "urlsplit", next(iter(WILD))),
        ("csv", "reader", "puzzle,solution\n"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"{target}.{name}", fail)
            with pytest.raises(PuzzleError, match=r"damaged|not "):
                one(text)


def test_links_without_lzstring(monkeypatch: pytest.MonkeyPatch) -> None:
    code, load_module = packed(FPUZZLE), builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name == "lzstring":
            raise ImportError(name)
        return load_module(name, *rest)

    monkeypatch.delitem(sys.modules, "lzstring", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match="`pip install lzstring`"):
        one(f"https://www.f-puzzles.com/?load={code}")


# -- SudokuPad's JSON ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "layout",
    [
        FOUR,
        layouts.jigsaw(REGIONS),
        layouts.killer([(5, "r1c1 r1c2"), (None, "r2c1 r3c1")], base=FOUR),
    ],
)
def test_what_sudokupad_holds(layout: Layout) -> None:
    size = layout.size
    record = Record(
        Grid.from_cells((1,) + (0,) * (size - 1), layout),
        1,
        marks=(0, 6) + (0,) * (size - 2),
        solution="1" * size,
        about={"title": "A: b", "author": "é", "description": "all of them"},
    )
    out = io.StringIO()
    dump([record], out, "sudokupad")
    assert detect(out.getvalue().encode()).name == "sudokupad"
    again = one(out.getvalue())
    assert again == record


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"overlays": [{"center": [1]}, {"center": 2, "text": "x"}]}, "not the JSON of a"),
        ({"lines": [{"wayPoints": [["a", 1]]}]}, "not the JSON of a SudokuPad puzzle"),
        ({"lines": [{}] * 5001}, "more than 5,000 drawings"),
        ({"regions": []}, "no regions"),
        ({"regions": [[[0, 0]]]}, "regions must have every cell once"),
        ({"cells": [[{}]]}, "regions must have every cell once"),
        ({"cells": [[{}], []]}, "a square"),
        ({"cells": [[{"value": "x"}] * 4] * 4}, "the given 'x' is not a digit"),
        ({"cells": [[{"centremarks": [5]}] * 4] * 4}, "pencil marks must be digits from 1 to 4"),
        ({"cages": [{"cells": [[8, 0]], "value": "3"}]}, "r9c1, which is not in the grid"),
        ({"cages": 5}, "not the JSON of a SudokuPad puzzle"),
    ],
)
def test_what_sudokupad_does_not_hold(more: dict[str, Any], words: str) -> None:
    value = expanded(SHORT) | {"cages": []} | more
    with pytest.raises(PuzzleError, match="line 1") as caught:
        list(load(io.BytesIO(json.dumps(value).encode()), format="sudokupad"))
    assert words in str(caught.value)


def test_what_is_not_written_for_sudokupad() -> None:
    from sudoku.formats import named

    for layout, words in (
        (RENBAN, "cannot hold rules besides cages"),
        (layouts.diagonal(), "cannot hold a diagonal layout"),
        (Layout(3, 2), "cannot hold a grid of 3x2 boxes"),
        (layouts.samurai(), "cannot hold a samurai layout"),
    ):
        grid = Grid.from_cells((0,) * layout.size, layout)
        assert named("sudokupad").refuses(grid) == words + ", only drawings" * (layout is RENBAN)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[]", []),
        ("{}", {}),
        ("[,]", [{}, {}]),
        ("[[],]", [[], {}]),
        ("{v:-5,w:0.25,t:'a',x:null}", {"value": -5, "width": 0.25, "title": "a", "x": None}),
        ("['It\\\\'s',\"b\",t,f,#0,#F,ff00aa]".replace("\\\\", "\\"),
         ["It's", "b", True, False, "#000000", "#FFFFFF", "#ff00aa"]),
        ("['a\\\\n\\\\u0041']".replace("\\\\", "\\"), ["a\nA"]),
        ('{"cells":[[{"v":"1"}]]}', {"cells": [[{"value": "1"}]]}),
    ],
)  # fmt: skip
def test_the_shortened_form(text: str, value: Any) -> None:
    assert expanded(text) == value


@pytest.mark.parametrize(
    "text", ["[", "{", "{a}", "{a:1", "[1", "]", "[1}", "{:1}", "'", "[1]2", "{a:1:2}", "[" * 50]
)
def test_what_is_no_shortened_form(text: str) -> None:
    with pytest.raises(PuzzleError, match="SudokuPad's"):
        expanded(text)


@given(st.text("[]{},:'\"\\\\atf#01.- ", max_size=30))
def test_any_text_is_expanded_or_refused(text: str) -> None:
    try:
        expanded(text)
    except PuzzleError as error:
        message = str(error)
    else:
        message = ""
    assert len(message) < 300
