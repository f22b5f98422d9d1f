"""Damaged files of puzzles: what a seeded generator does to good ones, by their structure."""

from __future__ import annotations

import encodings
import json
import re
from collections.abc import Callable, Iterator
from encodings.aliases import aliases
from io import StringIO
from pkgutil import iter_modules
from random import Random
from typing import Any

from example_puzzles import REGIONS, ROWS, WIKIPEDIA
from format_examples import CAGES, EVERY_RULE, EXAMPLES, GAME, ON_PAGE, PEOPLE

from sudoku import Grid, Layout, NoSolution, layouts, solve
from sudoku.formats import FORMATS, Record, dump

CODECS = sorted(
    {*aliases, *aliases.values(), *(one.name for one in iter_modules(encodings.__path__))}
)
"""Every name of an encoding that Python knows."""

TEXTS = [
    "", " ", "\t", "\n", "\r", "\r\n", "\n\n", "\0", "\ufeff", "\x85", "\u2028", "\v", "\f", "\x1c",
    "\xa0", "\ud7ff", "\U0001f600", "é", "\u0661", "\uff15", "²", "①", "\u200b", "\u0130", "ß", "0",
    "1", "9", "10", "36", "37", "-1", "+1", "00", "1.5", "1e3", "1e999", "NaN", "Infinity", "true",
    "null", "9" * 20, "9" * 21, "9" * 25, "1" * 5000, "-" + "1" * 5000, "." * 81, "-" * 81,
    "#" * 81, "?" * 81, "." * 64, "." * 441, "*" * 11, "-" * 11, "|", "+", "_", "X", "?", "#", "#A",
    "# x", "#A x", "x" * 70_000, "[", "]", "{", "}", "[[", "]]", "{}", "[]", '"', '\\', "\\ud800",
    "\\udc00", "\\u0000", "'", ",", ";", ":", "=", "r1c1", "r0c0", "r9c10", "r500c500", "r501c1",
    "R1C1", "r1c1,r1c1", "1:r1c1", "?:r1c1", "[Puzzle]", "[State]", "[PencilMarks]", "[Colours]",
    "[puzzle]", "[Other]", "<", ">", "</", "/>", "<!--", "-->", "&", "&amp;", "&#0;", "&#65;",
    "&#x110000;", "&lol;", "<![CDATA[", "]]>", "<?pi?>", "<game", "data=", "version: 3 ",
    "version: 1 ", "SumoCueV1", "3x3::k:", "=16", "+0", "J0", "classic", "diagonal", "samurai",
    "box", "3x3", "6x6", "E", "O", "EO", WIKIPEDIA, REGIONS, CAGES, GAME, *ROWS[:2],
]  # fmt: skip
"""What is put into files: tokens of every format, and what trips readers."""

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 9, 10, 36, 37, 501, 10**19, 1.0, 1.5, 1e308, "", " ", "1", "9",
    "x", "\ud800", "é", "\0", "\n", "r1c1", "r9c9", "r10c1", "r1c1 r1c2", "R1C1", "white", "black",
    "diagonal", "samurai", "6x6", "x+" * 30, "Cage", "Allowed", WIKIPEDIA, REGIONS, [], {}, [[]],
    [{}], [None], [1], [0, 0], [3, 3], [6, 6], [1, 36], ["r1c1"], ["r1c1", "r1c1"],
    ["R1C1", "R1C2"], {"rule": "Cage"}, {"box": [3, 3]}, {"r1c1": [1]}, {"cells": ["R1C1"]},
    [[1, 1], [1, 2]], ["row", "r1c1"], {"value": 5, "given": True}, {"region": 1},
    {"lines": [["R1C1", "R1C2"]]}, "x" * 5000, "a\nb", "?", "0" * 81, "." * 80, "5." * 40,
]  # fmt: skip
"""What stands in the place of values of JSON."""


def files(name: str | None) -> list[bytes]:
    """Good files of a format; of all, for None."""
    texts = (*EXAMPLES.items(), *ON_PAGE.items(), *PEOPLE)
    found = [text for form, text in texts if name in (None, form)]
    made = [_record(layout) for layout in _layouts()]
    for form in FORMATS:
        if name in (None, form.name):
            for record in made:
                if form.refuses(record.grid) is None:
                    out = StringIO()
                    dump([record], out, form.name, lost=lambda record, part: None)
                    found.append(out.getvalue())
    return [text.encode() for text in found]


def _layouts() -> Iterator[Layout]:
    yield Layout(3, 3)
    yield Layout(2, 2)
    yield Layout(3, 2)
    yield layouts.diagonal()
    yield layouts.jigsaw(REGIONS)
    yield layouts.killer([(3, "r1c1 r1c2"), (15, "r2c1 r3c1")])
    yield layouts.even_odd(["r9c8"], ["r9c9"])
    yield layouts.overlapping(["r1c1", "r3c3"], base=Layout(2, 2))
    yield layouts.butterfly()
    for rule in EVERY_RULE:
        yield Layout(3, 3).with_rules(rule)


def _record(layout: Layout) -> Record:
    """A puzzle with everything that a file can say about it."""
    empty = (0,) * (layout.size - 1)
    about = {"title": "A", "author": "é", "step code": "0709-1", "colors": "1,2"}
    every = (2 << layout.side) - 2
    grid = Grid.from_cells((1, *empty) if not layout.rules else (0, *empty), layout)
    try:
        solution = solve(grid).line
    except NoSolution:  # a palindrome in a box
        solution = None
    return Record(
        grid,
        rest="hard",
        placed="1" + "." * (layout.size - 1),
        marks=(every,) * layout.size,
        solution=solution,
        about=about,
    )


def damaged(random: Random, good: list[bytes]) -> bytes:
    """One of the good files with one to four things done to it."""
    data = random.choice(good)
    for _ in range(random.choice((1, 1, 1, 2, 3, 4))):
        known = [*_ANY]
        start = data.lstrip()[:1]
        if start in b"{[" and start:
            known += [_json] * len(_ANY)
        elif start == b"<":
            known += [_xml] * len(_ANY)
        data = random.choice(known)(random, data, good)
        data = data[: 1 << 18]
    return data


# -- bytes ---------------------------------------------------------------------------------------


def _place(random: Random, size: int) -> tuple[int, int]:
    start = random.randint(0, size)
    return start, min(size, start + random.choice((0, 1, 2, 9, 81, 1000)))


def _overwritten(random: Random, data: bytes, good: list[bytes]) -> bytes:
    start, end = _place(random, len(data))
    more = random.choice(TEXTS).encode("utf-8", "surrogatepass")
    return data[:start] + more + data[end:]


def _flipped(random: Random, data: bytes, good: list[bytes]) -> bytes:
    start, end = _place(random, len(data))
    mask = random.choice((1, 2, 4, 16, 32, 128, 255))
    return data[:start] + bytes(byte ^ mask for byte in data[start:end]) + data[end:]


def _any_bytes(random: Random, data: bytes, good: list[bytes]) -> bytes:
    start, end = _place(random, len(data))
    return data[:start] + random.randbytes(random.randint(1, 4)) + data[end:]


def _cut_out(random: Random, data: bytes, good: list[bytes]) -> bytes:
    start, end = _place(random, len(data))
    return data[:start] + data[end:]


def _doubled(random: Random, data: bytes, good: list[bytes]) -> bytes:
    start, end = _place(random, len(data))
    return data[:start] + data[start:end] * random.choice((2, 3, 50)) + data[end:]


def _truncated(random: Random, data: bytes, good: list[bytes]) -> bytes:
    return data[: random.randint(0, len(data))]


def _spliced(random: Random, data: bytes, good: list[bytes]) -> bytes:
    other = random.choice(good)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _appended(random: Random, data: bytes, good: list[bytes]) -> bytes:
    return data + random.choice((b"", b"\n", b"\n\n", b"\r\n")) + random.choice(good)


# -- text ----------------------------------------------------------------------------------------


def _encoded(random: Random, data: bytes, good: list[bytes]) -> bytes:
    """In another encoding, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    kind = random.randrange(8)
    if kind == 0:
        return text.replace("\n", "\r\n").encode()
    if kind == 1:
        return text.replace("\n", random.choice(("\r", "\n\r", "\x85", "\u2028", "\0"))).encode()
    if kind == 2:
        return b"\xef\xbb\xbf" * random.randint(1, 2) + data
    if kind == 3:
        return random.choice((str.upper, str.lower, str.swapcase, str.title))(text).encode()
    if kind == 4:  # digits that are none of ours
        zero = random.choice((0x660, 0x966, 0xFF10, 0x1D7CE))
        return text.translate({48 + n: zero + n for n in range(10)}).encode()
    code = random.choice(
        ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-7", "cp037", "utf-8-sig")
    )
    return text.encode(code, "replace")


def _lines(random: Random, data: bytes, good: list[bytes]) -> bytes:
    """Lines doubled, left out, exchanged, moved, joined, indented, cut short."""
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(9)
    if kind == 0:
        lines.insert(one, lines[one])
    elif kind == 8:
        del lines[one : one + random.choice((2, 3, 8, 9, 10))]
    elif kind == 1:
        del lines[one]
    elif kind == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif kind == 3:
        lines.insert(other, lines.pop(one))
    elif kind == 4:
        lines[one] = lines[one][: random.randint(0, len(lines[one]))]
    elif kind == 5:
        lines[one] += lines[other]
    elif kind == 6:
        lines[one] = random.choice((b" ", b"\t", b"#", b"# ", b"|", b"  ")) + lines[one]
    else:
        lines.insert(one, random.choice(TEXTS).encode("utf-8", "surrogatepass"))
    return b"\n".join(lines)


_TOKEN = re.compile(rb"[0-9]+|[A-Za-z]+|[ \t]+|.", re.DOTALL)
_WORD = re.compile(rb"[^\s:;,|<>\"'={}\[\]]+")


def _tokens(random: Random, data: bytes, good: list[bytes]) -> bytes:
    """A token doubled, left out, exchanged with another, or something else in its place."""
    found = list(random.choice((_TOKEN, _WORD)).finditer(data))
    if not found:
        return data
    one, other = sorted(random.choices(found, k=2), key=re.Match.start)
    kind = random.randrange(5)
    if kind == 0 and one is not other:
        middle = data[one.end() : other.start()]
        return data[: one.start()] + other[0] + middle + one[0] + data[other.end() :]
    near = str(int(one[0][:9]) + random.choice((-1, 1))) if one[0].isdigit() else "x"
    more = random.choice((b"", one[0] * 2, other[0], near.encode(), random.choice(TEXTS).encode()))
    return data[: one.start()] + more + data[one.end() :]


# -- JSON ----------------------------------------------------------------------------------------


def _json(random: Random, data: bytes, good: list[bytes]) -> bytes:
    """A value, a key, or the nesting of one changed; or written otherwise."""
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"), parse_int=_small)
    except (ValueError, RecursionError):
        lines = data.splitlines()
        return b"\n".join(_json_line(random, line) for line in lines) if lines else data
    return _dumped(random, _changed(random, value))


def _small(digits: str) -> int:
    return int(digits[:20].rstrip("-") or "0")


def _json_line(random: Random, line: bytes) -> bytes:
    try:
        value = json.loads(line, parse_int=_small)
    except (ValueError, RecursionError):
        return line
    return _dumped(random, _changed(random, value))


def _dumped(random: Random, value: Any) -> bytes:
    indent = random.choice((None, None, None, 0, 1, 4))
    text = json.dumps(value, ensure_ascii=random.random() < 0.5, indent=indent)
    if random.random() < 0.1:  # a number that json.dumps does not write
        number = random.choice(("1" * 5000, "1e999", "-0", "1E400", "NaN", "01", "1.", "0x1"))
        text = re.sub(r"\b\d+\b", number, text, count=1)
    return text.encode("utf-8", "surrogatepass")


def _changed(random: Random, value: Any) -> Any:
    holder, key = _place_in(random, value)
    if holder is None:
        return random.choice(VALUES)
    kind = random.randrange(10)
    if kind < 5:
        holder[key] = random.choice(VALUES)
    elif kind == 5:
        del holder[key]
    elif kind == 6:
        for _ in range(random.choice((1, 2, 30, 300))):
            holder[key] = [holder[key]]
    elif kind == 7 and isinstance(holder, list):
        holder[key:key] = [holder[key]] * random.choice((1, 2, 40))
    elif kind == 7:
        name = random.choice(
            ("puzzle", "layout", "rules", "box", "x", "", "\ud800", "size", "grid")
        )
        holder[name] = holder.pop(key)
    elif kind == 8:
        other, place = _place_in(random, value)
        holder[key] = json.loads(json.dumps(other[place]))
    else:
        return [value] * random.choice((1, 2, 20))
    return value


def _place_in(random: Random, value: Any) -> tuple[Any, Any]:
    """What holds some value, and where; at each depth as often. None, None in what holds none."""
    found = None, None
    depth = random.randint(1, 6)
    while isinstance(value, dict | list) and value and depth:
        key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        found, value, depth = (value, key), value[key], depth - 1
    return found


# -- XML -----------------------------------------------------------------------------------------


def _xml(random: Random, data: bytes, good: list[bytes]) -> bytes:
    """Declarations, attributes, entities, tags."""
    text = data.decode("utf-8", "replace")
    kind = random.randrange(7)
    if kind == 0:
        quote = random.choice("\"'")
        head = f"<?xml version={quote}{random.choice(('1.0', '1.1', ''))}{quote}"
        name = random.choice((*CODECS, *TEXTS[:40]))
        text = re.sub(r"^<\?xml.*?\?>", "", text)
        return f"{head} encoding={quote}{name}{quote}?>{text}".encode()
    if kind == 1:
        attributes = list(re.finditer(r'(\w+)="([^"]*)"', text))
        if attributes:
            found = random.choice(attributes)
            name = random.choice((found[1], "data", "note", "name", "cells_data"))
            value = random.choice(
                (*TEXTS, "version: 3\n" + "0|0|1|" * 81, "version: 1\n" + "1|1,2|1|" * 81)
            )
            return f'{text[: found.start()]}{name}="{value}"{text[found.end() :]}'.encode()
        return data
    if kind == 2:
        return text.replace(">", f' data="{random.choice(TEXTS)}">', random.randint(1, 2)).encode()
    if kind == 3:
        entity = random.choice(("&lol;", "&#0;", "&amp;", "&#1114112;", "&#xd800;", "&x;" * 9))
        return text.replace('="', f'="{entity}', 1).encode()
    if kind == 4:
        doctype = '<!DOCTYPE a [<!ENTITY lol "lol"><!ENTITY x "&lol;&lol;">]>'
        return (doctype + text).encode()
    if kind == 5:
        tag = random.choice(("game", "name", "folder", "opensudoku", "level", "a:b", "author"))
        return re.sub(r"(</?)\w+", rf"\1{tag}", text, count=random.choice((1, 2, 0))).encode()
    places = [found.start() for found in re.finditer("<", text)] or [0]
    at = random.choice(places)
    more = random.choice((
        GAME, "<a>" * 30, "<name>x</name>", f"<name>{'é' * 300}</name>", "<!-- x -->", "<?x?>",
        "</a>", "<folder name='x'>", "<game/>", "<game data=''/>", f"<game data='{'0' * 80}'/>",
        "<level> \n </level>", "<![CDATA[" + GAME + "]]>", "<name>&#x1F600;</name>",
        f"<game note='{WIKIPEDIA}' data='{'1' * 81}'/>",
    ))  # fmt: skip
    return f"{text[:at]}{more}{text[at:]}".encode()


_ANY: list[Callable[[Random, bytes, list[bytes]], bytes]] = [
    _overwritten,
    _overwritten,
    _flipped,
    _any_bytes,
    _cut_out,
    _doubled,
    _truncated,
    _spliced,
    _appended,
    _encoded,
    _lines,
    _lines,
    _tokens,
    _tokens,
]
