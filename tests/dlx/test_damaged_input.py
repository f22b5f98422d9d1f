"""Damaged files, arrays, parts and lines, to every reader of `dlx`: a value or a `DLXError`.

The damage knows the formats: it changes words, numbers, fields and bytes, and signs what it has
changed. `DLX_FUZZ=20000` (`make fuzz`) is the number of inputs for each reader. The seeds are those
of the numbers, so that each input is found again.
"""

from __future__ import annotations

import array
import gzip
import io
import json
import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from example_problems import TWO_PUZZLES, written, xmpuzzle

import dlx
from dlx import models
from dlx.errors import quote

NUMBER = int(os.environ.get("DLX_FUZZ", "300"))
"""How many damaged inputs each reader gets."""

LONG = "7" * 5000
"""More digits than Python turns into a number."""


def check_reader(
    name: str, damaged: Callable[[Random], Any], take: Callable[[Any], object]
) -> tuple[int, int]:
    """Has a reader take each input; returns how many were taken and how many refused."""
    refused, messages = 0, list[str]()
    for number in range(NUMBER):
        source = damaged(Random(f"{name} {number}"))
        try:
            take(source)
        except dlx.DLXError as error:
            refused += 1
            messages.append(str(error))
        except BaseException as error:
            error.add_note(f"damage {number} of {name}: {quote(source, 2000)}")
            raise
    assert all(len(message) < 1500 and "\n" not in message for message in messages)
    return NUMBER - refused, refused


def use(problem: dlx.Problem) -> None:
    """Asks a few questions of a problem that was read."""
    assert len(repr(problem)) < 200
    with suppress(dlx.SearchInterrupted):
        problem.count(limit=9, node_limit=500)
    if not problem.multiplicities:
        with suppress(dlx.MinimumInterrupted):
            problem.minimum(timeout=0)
    file = io.StringIO()
    with suppress(dlx.FormatError):  # items may be what no file can hold
        problem.dump(file)
        again = dlx.Problem.load(io.StringIO(file.getvalue()))
        assert len(again) == len(problem)


# -- texts ---------------------------------------------------------------------------------------

CHARACTERS = "|:-+.0129ax \t\n\r\v\f\0\x1c\x85\u2028\ufeff\udc80\ud800\u0663\u00b2\u00e9#\"'"
WORDS = [
    "|",
    "||",
    ":",
    "a:",
    ":a",
    "a:A:B",
    "|5",
    "|-5",
    "|--5",
    "| 5",
    "|x",
    "2|a",
    "1:3|a",
    "3:1|a",
]
WORDS += ["0|a", "-1|a", f"{LONG}|a", f"0:{LONG}|a", f"|{LONG}", f"|-{LONG}", "9" * 900 + "|a"]
WORDS += [LONG, f"x{LONG}", f"-{LONG}", "-0", "0", "1", "nan", "inf", "1e400", "-1e-400", "1_0"]
WORDS += ["| dlx name: 1", "\n| dlx name: [1, []]\n", "\n| dlx name:\n", "x[]", "k[]", "0x3", "0x"]
WORDS += [f"0x{LONG}", "----------", "==========", "=====UNSATISFIABLE=====", "<list>", "</values>"]
WORDS += ["x0", "x1", "x-1", "k0", f"k{LONG}", "s", "v", "c", "SATISFIABLE", "Optimal", "#", "**"]


def damaged_text(random: Random, texts: list[str], words: list[str]) -> str:
    """One of the texts after a few changes to its lines, words and characters."""
    text = random.choice(texts)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        text = random.choice(CHANGES)(random, text, words)
    return text


def change_word(random: Random, text: str, words: list[str]) -> str:
    lines = [line.split(" ") for line in text.split("\n")]
    line = random.choice(lines)
    place = random.randrange(len(line))
    line[place : place + random.choice((0, 1, 1, 2))] = random.choice(
        ([], [random.choice(words)], [line[place]] * 2, [random.choice(random.choice(lines))])
    )
    return "\n".join(" ".join(line) for line in lines)


def change_line(random: Random, text: str, words: list[str]) -> str:
    lines = text.split("\n")
    place = random.randrange(len(lines))
    other = random.choice([*lines, "", " ", " ".join(random.choices(words, k=3))])
    lines[place : place + random.choice((0, 1))] = random.choice(([], [other], [other, other]))
    return "\n".join(lines)


def change_character(random: Random, text: str, words: list[str]) -> str:
    place = random.randrange(len(text) + 1)
    new = random.choice(("", random.choice(CHARACTERS), random.choice(words)))
    return text[:place] + new + text[place + random.choice((0, 1)) :]


def cut_off(random: Random, text: str, words: list[str]) -> str:
    return text[: random.randrange(len(text) + 1)]


CHANGES = (change_word, change_word, change_line, change_character, cut_off)


KNUTH = [
    "| a comment\np q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n",
    "a 2|b 0:2|c | x\na b x:1 |3\nb c x:1 |4 |-1\na b c |7\nb\n",
    written(models.queens(4)),
    written(models.graph_coloring(models.cycle_graph(3), 3)),
]


@pytest.mark.fuzz
def test_files_in_knuths_format(tmp_path: Path) -> None:
    path = tmp_path / "damaged.dlx"

    def take(text: str) -> None:
        use(dlx.Problem.load(io.StringIO(text)))
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with suppress(dlx.FormatError):  # of bytes that are not UTF-8, and of other line ends
            use(dlx.Problem.load(path))

    taken, refused = check_reader(
        "Problem.load", lambda random: damaged_text(random, KNUTH, WORDS), take
    )
    assert min(taken, refused) >= NUMBER // 10


JSON: dict[str, Any] = {
    "dlx": 1,
    "primary": ["a", {"item": "b", "low": 1, "high": None}, ["c", 0, True]],
    "secondary": ["x", None],
    "options": [
        {"name": "one", "items": ["a", {"item": "x", "color": "A"}], "cost": 3},
        {"name": ["two", [2]], "items": [{"item": "b", "times": 2}, ["c", 0, True]]},
        {"items": ["b", ["c", 0, True], {"item": "x", "color": ["A", 1]}], "cost": -1},
    ],
}


def damaged_tree(random: Random, value: Any) -> Any:
    """A value of JSON with something in it changed, at any depth."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        changed = dict(value)
        key = random.choice(list(changed))
        if random.random() < 0.15:
            changed[random.choice(["items", "name", "cost", "times", "low", key + " "])] = changed[
                key
            ]
        if random.random() < 0.1:
            del changed[key]
        else:
            changed[key] = damaged_tree(random, changed[key])
        return changed
    if isinstance(value, list) and value and random.random() < 0.85:
        listed = list(value)
        place = random.randrange(len(listed))
        listed[place] = damaged_tree(random, listed[place])
        if random.random() < 0.1:
            listed.append(random.choice(listed))
        return listed
    return damaged_json(random, value)


def damaged_json_text(random: Random) -> str:
    value: Any = JSON
    for _ in range(random.choice((0, 1, 1, 2))):
        value = damaged_tree(random, value)
    text = json.dumps(value, indent=random.choice((None, 1)), ensure_ascii=random.random() < 0.5)
    if random.random() < 0.3:
        place = random.randrange(len(text))
        new = random.choice(["", "[", "{", '"', ",", "}", LONG, "1e999", "\\", "\x00", "[" * 10**5])
        text = text[:place] + new + text[place + random.choice((0, 1)) :]
    return text


@pytest.mark.fuzz
def test_files_in_json(tmp_path: Path) -> None:
    path = tmp_path / "damaged.json"

    def take(text: str) -> None:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        problem = dlx.Problem.load(path)
        use(problem)
        again = written(problem, "json")  # what was read can be written
        assert dlx.Problem.load(io.StringIO(again)) == problem

    taken, refused = check_reader("Problem.load JSON", damaged_json_text, take)
    assert min(taken, refused) >= NUMBER // 10


PUZZLES = [
    TWO_PUZZLES,
    xmpuzzle(
        [{(0, 0, 0): "#1", (0, 0, 1): "#2"}, dict.fromkeys(models.box(1, 3, 3), "+2")],
        [[1, 4]],
        pairs=[(1, 2), (2, 2)],
        colors=2,
        holes=3,
    ),
]
TAGS = ["<voxel", "<shape", "<result", "</shapes>", 'x="3"', 'id="1"', 'id="-1"', f'max="{LONG}"']
TAGS += ["<!DOCTYPE a>", "&lt;", "&a;", "#_+", "#9", 'count="0"', 'min="2"', "<a>", "</a>", "/>"]


@pytest.mark.fuzz
def test_files_of_burrtools(tmp_path: Path) -> None:
    path = tmp_path / "damaged.xmpuzzle"

    def take(text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        path.write_bytes(gzip.compress(data, 1)[: -(len(data) % 7) or None])
        with suppress(dlx.FormatError):
            models.read_puzzles(path)
        path.write_bytes(data)
        for problem in models.read_puzzles(path).values():
            use(problem)

    taken, refused = check_reader(
        "read_puzzles", lambda random: damaged_text(random, PUZZLES, TAGS), take
    )
    assert min(taken, refused) >= NUMBER // 10


ANSWERS = [
    "c a comment\ns SATISFIABLE\nv 1 2\nv -3 0\n",
    "s UNSATISFIABLE\n",
    "Optimal - objective value 3\n      0 x0    1    0\n      1 x1    1    0\n",
    "Infeasible - objective value 0\n",
    "# Objective value = 3\nx0 1\nx1 1\nx2 0\nk0 1\n",
    "solution status: optimal\nobjective value: 3\nx0  1  (obj:1)\nx1 1 (obj:2)\n",
    "Model status\nOptimal\n\n# Columns 3\nx0 1\nx1 1\nx2 0\n# Rows 2\ni0 1\n",
    "x2 1\n----------\nx0 1\nx1 1\n----------\n==========\n",
    "=====UNSATISFIABLE=====\n",
    "c a\no 3\ns OPTIMUM FOUND\nv <instantiation cost='3'>\nv <list> x[] </list>\n"
    "v <values> 1 1 0 </values>\nv </instantiation>\nd END\n",
    "s SATISFIABLE\nv <instantiation> <list> x[2] x[] k[] </list> <values> 0 1x2 0 1 </values> "
    "</instantiation>\n",
]


@pytest.mark.fuzz
def test_answers_of_solvers(tmp_path: Path) -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
    path = tmp_path / "answer"

    def take(text: str) -> None:
        solution = problem.read_model(io.StringIO(text))
        assert solution in (None, ("x", "y"), ("xy",))
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with suppress(dlx.DLXError):
            problem.read_model(path)

    taken, refused = check_reader(
        "read_model", lambda random: damaged_text(random, ANSWERS, WORDS), take
    )
    assert min(taken, refused) >= NUMBER // 10


@pytest.mark.parametrize(
    "text",
    [
        f"s SATISFIABLE\nv 1 {LONG} 0\n",
        f"s SATISFIABLE\nv 1 -{LONG} 0\n",
        f"Optimal\nx{LONG} 1\n",
        f"Optimal\nx0 {LONG}\n",
    ],
)
def test_numbers_of_5000_digits_in_answers(text: str) -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["a"]})
    with pytest.raises(dlx.FormatError, match=r"^line 2: .{,400}$"):
        problem.read_model(io.StringIO(text))


@pytest.mark.parametrize("read", [dlx.Problem.load, models.queens(4).read_model])
def test_files_opened_otherwise(read: Callable[[Any], object]) -> None:
    with pytest.raises(dlx.FormatError, match="open it as text"):
        read(io.BytesIO(b"a b\na b\n"))
    latin = io.TextIOWrapper(io.BytesIO("a \u00e9\na b\n".encode("latin-1")), encoding="utf-8")
    with pytest.raises(dlx.FormatError, match="not text in utf-8"):
        read(latin)


# -- values, instead of files --------------------------------------------------------------------

ODD: list[Any] = [
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        3,
        7,
        2**31 - 1,
        2**31,
        -(2**31) - 1,
        2**63,
        -(2**63),
        10**5000,
    ),
    *(
        0.0,
        1.0,
        0.5,
        float("nan"),
        float("inf"),
        1j,
        "",
        "a",
        "0",
        b"0",
        (),
        [],
        {},
        set(),
        object(),
    ),
    *([0], (0, 1), [[]], [None], {"a": 1}, {0: 1}, range(3), memoryview(b"abc")),
    *(array.array("d", [1.0]), array.array("B", [1, 0]), NotImplemented, ..., int, len),
]


def damaged_value(random: Random, value: Any, depth: int = 0) -> Any:
    """A value of lists, tuples and others with something in it changed."""
    if not isinstance(value, list | tuple) or random.random() < (0.05, 0.1, 0.3, 1)[min(depth, 3)]:
        near = [value + 1, value - 1, -value] if type(value) is int else [value]
        return random.choice([*near, *near, random.choice(ODD)])
    parts = list(value)
    place = random.randrange(len(parts) + 1)
    if place == len(parts) or random.random() < 0.1:
        new = random.choice([*parts, random.choice(ODD)])
        parts[place : place + random.choice((0, 0, 1))] = random.choice(([], [new], [new, new]))
    else:
        parts[place] = damaged_value(random, parts[place], depth + 1)
    return type(value)(parts) if type(value) in (list, tuple) else tuple(parts)


def damaged_keywords(random: Random, keywords: dict[str, Any]) -> dict[str, Any]:
    """Keywords of which one or two are otherwise."""
    changed = dict(keywords)
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(list(changed))
        changed[name] = damaged_value(random, changed[name])
    return changed


ARRAYS: dict[str, Any] = {
    "indptr": [0, 2, 4, 5, 6],
    "indices": [0, 2, 1, 2, 0, 1],
    "items": 3,
    "secondary": 1,
    "colors": [0, 1, 0, 1, 0, 0],
    "names": ["w", "x", "y", "z"],
    "multiplicities": [("w", 1)],
    "costs": [3, 1, 2, 4],
}


def number_of_items(items: object) -> int:
    return items if isinstance(items, int) else 0


def some_arrays(random: Random) -> dict[str, Any]:
    chosen = {**ARRAYS, "multiplicities": [(0, 1), (1, (0, 2))]}
    if random.random() < 0.5:
        chosen["items"] = ["p", ("q", 1), "s"]
        chosen["multiplicities"] = [("p", 1), (("q", 1), (0, 2))]
    kinds: list[Callable[[list[int]], Any]] = [list, tuple, lambda values: array.array("q", values)]
    changed = damaged_keywords(random, chosen)
    for name in ("indptr", "indices", "colors", "costs"):
        with suppress(TypeError, OverflowError, ValueError):
            changed[name] = random.choice(kinds)(changed[name])
    return changed


@pytest.mark.fuzz
def test_compressed_rows() -> None:
    def take(keywords: dict[str, Any]) -> None:
        if number_of_items(keywords["items"]) > 10**5:
            return  # may be, and takes long
        use(dlx.Problem.from_arrays(**keywords))

    taken, refused = check_reader("from_arrays", some_arrays, take)
    assert min(taken, refused) >= NUMBER // 10


MATRIX = [[1, 0, 1], [0, 1, 0], [1, 1, 1], [False, True, True]]


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", ["list", "numpy", "scipy"])
def test_matrices(kind: str) -> None:
    convert: Callable[[Any], Any] = list
    if kind == "numpy":
        convert = pytest.importorskip("numpy").array
    elif kind == "scipy":
        convert = pytest.importorskip("scipy.sparse").csr_array

    def some(random: Random) -> Any:
        changed = damaged_value(random, [MATRIX, 1])
        matrix, secondary = changed if isinstance(changed, list) and len(changed) == 2 else (0, 0)
        with suppress(Exception):  # what is no array stays as it is
            return convert(matrix), secondary
        return matrix, secondary

    def take(source: tuple[Any, Any]) -> None:
        matrix, secondary = source
        use(dlx.Problem.from_matrix(matrix, secondary=secondary))

    taken, refused = check_reader(f"from_matrix {kind}", some, take)
    assert min(taken, refused) >= NUMBER // 20


# -- data frames ---------------------------------------------------------------------------------

LONG_FRAME: list[Any] = [
    [["x", "x", "y", "y", "z"], ["a", "b", "a", "c", "b"], [None, None, None, "A", None], [3] * 5],
    ["o", "i", "k", "p"],
]


def some_frame(random: Random) -> tuple[Any, dict[str, Any]]:
    """Columns of a long or a wide frame, and the keywords, with changes to both."""
    columns, names = damaged_value(random, [*LONG_FRAME, 1])[:2] or ([], [])
    frame: Any = columns
    with suppress(TypeError):
        frame = dict(zip(names, columns, strict=False))
    keywords = {"option": "o", "item": "i", "color": "k", "cost": "p"}
    if random.random() < 0.3:
        keywords = {"option": "o", "color": "k"}
        with suppress(TypeError):
            frame["i"] = random.choice(([0, 1, 1, 0, 1], [2, 1, 1, 1, 0.0], [1, 1, None, 1, 1]))
            frame["p"] = random.choice(([1] * 5, [1] * 4, "11111", 3))
    return frame, damaged_keywords(random, keywords) if random.random() < 0.4 else keywords


@pytest.mark.fuzz
def test_data_frames() -> None:
    def some(random: Random) -> Any:
        try:
            return some_frame(random)
        except (TypeError, ValueError):  # of what is no list of columns
            return 3, {}

    def take(source: tuple[Any, dict[str, Any]]) -> None:
        frame, keywords = source
        use(dlx.Problem.from_frame(frame, **keywords))

    taken, refused = check_reader("from_frame", some, take)
    assert min(taken, refused) >= NUMBER // 20


# -- diagrams ------------------------------------------------------------------------------------


def files_of_diagrams(folder: Path) -> list[bytes]:
    problems = [
        dlx.Problem.from_options({"x": ["a"], ("y", 1): ["b"], None: ["a", "b"], True: ["b"]}),
        models.queens(4),
        dlx.Problem(["a"]),
    ]
    files = []
    for problem in problems:
        for order in ("search", "narrow"):
            problem.diagram(order=order).save(folder / "good")
            files.append((folder / "good").read_bytes())
    return files


def damaged_diagram(random: Random, files: list[bytes]) -> bytes:
    """A file with changes to its header, its columns or its bytes; often signed again."""
    first, second, rest = random.choice(files).split(b"\n", 2)
    header, body = json.loads(second), bytearray(rest[:-32])
    for _ in range(random.choice((1, 1, 2))):
        change = random.random()
        if change < 0.3:
            key = random.choice(list(header))
            header[key] = damaged_json(random, header[key])
        elif change < 0.45:
            del header[random.choice(list(header))]
            if not header:
                header["nodes"] = 0
        elif change < 0.8 and len(body) >= 4:
            place = random.randrange(len(body) // 4) * 4
            new = random.choice((0, 1, 2, 3, 4, body[place] + 1, 255, 2**31 - 1, 2**32 - 1))
            body[place : place + 4] = new.to_bytes(4, "little")
        elif change < 0.9:
            place = random.randrange(len(body) + 1)
            body[place : place + random.choice((0, 1, 4))] = random.randbytes(
                random.choice((0, 1, 4))
            )
        else:
            first = random.choice(
                (b"dlx diagram 2", b"dlx diagram", b"dlx diagram 01", first + b"\r")
            )
    line = json.dumps(header).encode()
    if random.random() < 0.1:
        line = random.choice((b"[]", b"", b"null", b"[" * 10**5, LONG.encode(), line[:-1], b"\xff"))
        line = line.replace(b"7", b"8") if random.random() < 0.5 else line
    data = first + b"\n" + line + b"\n" + bytes(body)
    data += sha256(data).digest()
    if random.random() < 0.2:
        place = random.randrange(len(data))
        data = data[:place] + random.randbytes(1) * random.choice((0, 1)) + data[place + 1 :]
    return data


def damaged_json(random: Random, value: Any) -> Any:
    odd: list[Any] = [None, True, False, -1, 0, 1, 2, 3, 2**31, 2**32 - 1, 2**32, 1.5, "a", "", []]
    odd += [{}, [[]], [0], {"a": []}, float("nan"), "\ud800", [1, True, 1.0]]
    if isinstance(value, list) and value and random.random() < 0.8:
        changed = list(value)
        changed[random.randrange(len(changed))] = random.choice([*odd, *changed])
        return changed
    return random.choice([*odd, value + 1 if type(value) is int else value])


@pytest.mark.fuzz
def test_files_of_diagrams(tmp_path: Path) -> None:
    good, path, again = files_of_diagrams(tmp_path), tmp_path / "bad", tmp_path / "again"

    def take(data: bytes) -> None:
        path.write_bytes(data)
        diagram = dlx.Diagram.load(path)
        assert diagram.count() >= bool(diagram)
        for solution in islice(diagram, 5):
            hash(solution)
        if bool(diagram):
            diagram.sample(2, seed=1)
        diagram.save(again)
        assert dlx.Diagram.load(again).count() == diagram.count()
        str(diagram.to_dot())

    taken, refused = check_reader(
        "Diagram.load", lambda random: damaged_diagram(random, good), take
    )
    assert refused >= NUMBER // 2
    assert taken >= NUMBER // 30


def signed(header: dict[str, Any], *columns: int) -> bytes:
    """A file of a diagram with a right digest, whatever is in it."""
    numbers = b"".join(number.to_bytes(4, "little") for number in columns)
    data = b"dlx diagram 1\n" + json.dumps(header).encode() + b"\n" + numbers
    return data + sha256(data).digest()


@pytest.mark.parametrize("key", ["nodes", "root", "options", "ordered", "names"])
def test_a_signed_diagram_without_a_field(key: str, tmp_path: Path) -> None:
    header = {"nodes": 1, "root": 2, "options": 1, "ordered": False, "names": None}
    path = tmp_path / "diagram"
    path.write_bytes(signed(header, 0, 0, 1))
    assert list(dlx.Diagram.load(path)) == [(0,)]
    del header[key]
    path.write_bytes(signed(header, 0, 0, 1))
    with pytest.raises(dlx.FormatError, match="second line"):
        dlx.Diagram.load(path)


@pytest.mark.parametrize("names", [["x", "x"], [1, True], [["a"], ["a"]]])
def test_a_signed_diagram_with_a_name_twice(names: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "diagram"
    header = {"nodes": 1, "root": 2, "options": 2, "ordered": False, "names": names}
    path.write_bytes(signed(header, 0, 0, 1))
    with pytest.raises(dlx.FormatError, match="name"):
        dlx.Diagram.load(path)


# -- parts and lines -----------------------------------------------------------------------------


def plain(part: dlx.Part) -> list[Any]:
    return [part.path, part.floor]


@pytest.mark.fuzz
@pytest.mark.parametrize("engine", ["auto", "bits", "links", "python"])
def test_parts_of_searches(engine: str) -> None:
    """What comes out of a damaged pickle is no part, or one of some search."""
    problem = models.queens(5)
    whole = set(map(frozenset, problem.solutions()))  # a path may choose items in another order
    parts = [plain(part) for n in (2, 5, 9) for part in problem.split(n)] + [plain(dlx.Part())]

    def some(random: Random) -> Any:
        changed = damaged_value(random, random.choice(parts))
        return changed if isinstance(changed, list) else [changed]

    def take(fields: list[Any]) -> None:
        part: Any
        try:
            part = pickle.loads(pickle.dumps(dlx.Part(*fields)))
        except (TypeError, AttributeError, pickle.PicklingError, ValueError):
            return  # no part, or nothing that a pickle can hold
        found = set(map(frozenset, problem.solutions(part=part, engine=engine)))
        assert found <= whole
        assert problem.count(part=part, engine=engine) == len(found)

    taken, refused = check_reader(f"Part {engine}", some, take)
    assert min(taken, refused) >= NUMBER // 20


PLACES = [{"a": "a", "b": "b"}, {"c": "c", "d": "d"}, {"e": "e", "f": "e"}]
LINES = ["...", "a..", ".d.", "bce", "..f"]


def coded() -> dlx.Problem:
    return dlx.Problem.from_options({"a": [1], "b": [1], "c": [2], "d": [2], "e": [3]})


@pytest.mark.fuzz
def test_lines_of_a_code() -> None:
    problem = coded()
    code = dlx.Code(problem, PLACES)

    def some(random: Random) -> Any:
        line = damaged_text(random, LINES, ["a", ".", "ab", "\u00e9", LONG])
        return random.choice((line, line, line, random.choice(ODD)))

    def take(line: Any) -> None:
        names = code.read(line)
        assert code.write(names).replace("f", "e") == line.replace("f", "e")
        (solved,) = problem.solve_many([line], code=code)
        assert solved is None or code.read(solved)

    taken, refused = check_reader("Code.read", some, take)
    assert min(taken, refused) >= NUMBER // 20


@pytest.mark.fuzz
def test_tables_of_codes() -> None:
    problem = coded()

    def some(random: Random) -> tuple[Any, Any]:
        rows = [list(place.items()) for place in PLACES]
        changed = damaged_value(random, rows)
        places: Any = changed
        with suppress(TypeError, ValueError):
            places = [dict(row) for row in changed]
        blanks = random.choice((".", ".", ".0", "a", "", "\u00e9", "\n", None, 3))
        return places, blanks

    def take(source: tuple[Any, Any]) -> None:
        places, blanks = source
        code = dlx.Code(problem, places, blanks=blanks)
        line = blanks[0] * len(code)
        assert code.read(line) == ()

    taken, refused = check_reader("Code", some, take)
    assert min(taken, refused) >= NUMBER // 20


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_values_that_are_no_line(value: Any) -> None:
    code = dlx.Code(coded(), PLACES)
    with pytest.raises(dlx.FormatError):
        code.read(value)
    with pytest.raises(dlx.DLXError):
        code.write(value if isinstance(value, str) and value else [object()])
