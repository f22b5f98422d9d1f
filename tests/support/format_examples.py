"""An example of each format, as small as can be; and those of docs/formats.md."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from typing import Any

from example_puzzles import REGIONS, ROWS, SOLVED, WIKIPEDIA
from folders import DOCS

from sudoku import Grid, rules
from sudoku.formats import Record, dump, load
from sudoku.formats.editors.share import share_text
from sudoku.formats.record import Lost

CAGES = "9 3:r1c1,r1c2;15:r2c1,r3c1"
GAME = f'<game data="{WIKIPEDIA.replace(".", "0")}" note="a"/>'
SDK = "\n".join(["#A me", "[Puzzle]", *ROWS])

EXAMPLES = {
    "lines": WIKIPEDIA,
    "candidates": "\n".join(["12 3 4 5 6 7 8 9 12", *["1 2 3 4 5 6 7 8 9"] * 8]),
    "sukaku": "123456789" * 81,
    "sdk": SDK,
    "hodoku": f":0000:x:{WIKIPEDIA}:941:::",
    "opensudoku": f"<opensudoku>{GAME}</opensudoku>",
    "csv": f"puzzle,level\n{WIKIPEDIA},easy",
    "json": json.dumps({"puzzle": WIKIPEDIA}),
    "fpuzzles": json.dumps({"size": 9, "grid": [[{}] * 9] * 9}),
    "sudokupad": json.dumps(
        {
            "cells": [[{}] * 4] * 4,
            "regions": [
                [[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)
            ],
        }
    ),
    "links": "https://sudokupad.app/fpuzzlesN4IgzglgXgpiBcACALAGkSALhTAbOSII6IAhgK6YAWA9gE4IbEZ3n5gyaNEkDmdEACaMA2iNAA3UrnIFEARj4QJMAHaNMrGAF90wXYn17tAXXTiDRw5dPmr9m2cQXjr6yacg6agEal1SOIguBCqMGCiIiAASvIAwgBMzDEJicnRAMxxGSAeptpAA",
    "penpa": "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VRdb9owFH3nVyA/X01xUkrit64re2FsHUxTFSEUIC1RA+6cZJ2C8t93700oNcm+Hqb1YTK5nBw7vufaPs6+FJGJ4Qyb54MDklrg8BNI+jlNmyV5Gqv+RL/qS7go8o02qg8A70cjuI3SLO6FzdB5b18GqryG8q0KhRQgXHykmEN5rfblO1VOoJxilwCJ3Lge5CK8OsLP3E/osialg3jSYIQ3CFeJWaXxYlwzH1RYzkBQntf8NUGx1V9j0eig95XeLhMillGOFWWb5KHpyYq1vi/EIUUF5UUtd9oh1zvK9Z7ket1y3b8vN5hXFS77RxS8UCFp/3SE/hFO1b4iXXsh/UOlvDfISu674Tji6HKcqTCUAbhD8M7nqNbDqaB8w9HhOOA45tFXOPdwAL4nlAvCDyBwGPGBqjnvgOiEuTVyIfCeuKBGAa7iEGFF60tzX3I843jOOYdU1h8V/vNCf6e8X8oJpV8bCQbd//NeiCYRmU4XWWFuoxVuOXsImNsV22VsLCrV+iFNdva45G6nTdzZRWS8vusav9RmfTL7Y5SmFpHxtWBR9eG1qNwk1ntkjH60mG2Ubyzi2Sm2Zop3uS0gj2yJ0X10km17rLnqiW+Cn9CjS+z/FfSvriDaA+el+fGlyeHjq02n95HusD+ynTZv+JbTkW95mhK2bY1sh7ORPTU3Um1/I9myOHI/cDnNemp0UnXqdUrVsjuleu54vEEZfQc=",
    "share": share_text(Record(Grid(WIKIPEDIA), about={"title": "Nr. 1"})),
    "jigsaw": WIKIPEDIA + REGIONS,
    "killer": CAGES,
    "ps": "3x3::k:" + "2816:" * 2 + "0:" * 79,
    "sumocue": "SumoCueV1=11+0" + "=0" * 79,
    "solo": "3x3:b9b3b2a3_1_4d8a8c9b1c8_7e4_6a2a7_1e4_1c4b7c2a1d4_6_3a9b6b1b",
    "overlaps": f"21 21 {'.' * 9}###{'.' * 9}" + "." * 420,
    "even-odd": "E" + WIKIPEDIA[1:],
}

PEOPLE = [
    ("lines", f"0000183b305c {WIKIPEDIA.replace('.', '0')}  1.2"),
    ("lines", WIKIPEDIA.translate(str.maketrans("123456789", "WORDPLAYS"))),
    ("lines", "\n".join("|" + "|".join(row).replace(".", " ") + "|" for row in ROWS)),
    ("lines", WIKIPEDIA.translate({ord(str(n)): chr(0xFF10 + n) for n in range(10)})),
    ("lines", " ".join(WIKIPEDIA)),
    ("csv", f"source;question;answer\nx;{WIKIPEDIA};{SOLVED}"),
    ("json", json.dumps([[int(c) for c in row.replace(".", "0")] for row in ROWS])),
    ("links", f"https://sudoku.coach/en/play/{WIKIPEDIA.replace('.', '0')}"),
    ("killer", "D<C<OF<C<^K<<^R<<^7^P<^N<^A^^^^^^^^^C<<N0^C<<DV>^EI<NF^^^^^^^^^E^<<^>>^I^<A<^7<>^"),
    (
        "solo",
        (
            "3x4:10b5_12_6_3b7a1e7a1b10a11b3c4c5b11c10_2a8_9a3_12b7f2d8_3d6_7_1_7d2_10d2f9b4_3a10"
            "_3a6_12c5b5c10c4b11a11b9a6e4a2b8_7_5_12b6"
        ),
    ),
    (
        "solo",
        (
            "3x3xk:zzzc,_aa_aa__a___a__a_____aa____aa___a_a______a_____a____aababa__aaaaaaaaa_a__"
            "a__aa___aaa____aa____baaa_,16_9a15a18_6a10b14_9b10_12a10c17c13a3_10_9b15b16c8a10a5a9"
            "_13_9a12_10e10_5a10a10_8_17_10b19a17d11e"
        ),
    ),
    (
        "solo",
        (
            "9jx:7d5_9_1y2e1_6a7a8_6_2a9b8b2b6_1c7_3c2_9e5f,abbba_b___ba___a_a____a______aab_aaaa"
            "accbka__ee_bagc___d_bhc"
        ),
    ),
    (
        "solo",
        (
            "6jk:zj,da_da_acabcbaac__aa_aaaab_,__a_______a_aaaa___a___aa_a____a_aa_b__b_b,8_5_7a9"
            "_5b9_11b8c7b8a6a10_10a6_5_9a3e"
        ),
    ),
    (
        "links",
        "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/solo.html#3x3:b9b3b2a3_1_4d8a8c9b1c8_7e4_6a2a7_1e4_1c4b7c2a1d4_6_3a9b6b1b",
    ),
]
"""Files as people have them, each with one puzzle: the format that detects it, and the text."""

PAGE = (DOCS / "formats.md").read_text("utf-8")
ON_PAGE = {
    name: example
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]
    for example in re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    for name in section.partition("\n")[0].split(", ")
}

SETTER_RULES = [
    rules.BetweenLine("r1c1 r1c2 r1c3"),
    rules.Clone("r1c1 r1c2", "r4c4 r4c5"),
    rules.Difference(4, "r1c1", "r1c2"),
    rules.Distant(2, [(1, 1), (1, -1)]),
    rules.DoubleArrow("r1c1 r2c2 r2c3 r3c3"),
    rules.EntropicLine(3, "r3c1 r3c2 r3c3"),
    rules.EqualSums(["r1c2 r1c3", "r1c4", "r2c4 r2c5"]),
    rules.Indexer("r1c1", [(1, column) for column in range(1, 10)]),
    rules.LockoutLine(4, "r7c1 r7c2 r7c3"),
    rules.Maximum("r5c5 r5c6"),
    rules.Minimum("r7c7"),
    rules.ModularLine("r4c1 r4c2 r4c3"),
    rules.Nabner("r1c7 r1c8 r1c9"),
    rules.NoMorePairs("sum", [5, 10], [("r1c1", "r1c2")]),
    rules.PairSum(10, "r1c1", "r1c2"),
    rules.Palindrome("r1c1 r2c2 r3c3"),
    rules.ParityLine("r9c1 r9c2 r9c3"),
    rules.Quadruple([1, 2], "r1c1 r1c2 r2c1 r2c2"),
    rules.Ratio(3, "r1c1", "r1c2"),
    rules.Renban("r1c1 r2c2 r2c3"),
    rules.Sandwich(20, [(1, column) for column in range(1, 10)]),
    rules.Skyscraper(3, [(row, 1) for row in range(9, 0, -1)]),
    rules.SlowThermometer("r1c1 r2c1 r3c1"),
    rules.Whisper(5, "r1c1 r2c2 r2c3 r1c2 r1c1"),
    rules.XSum(20, [(2, column) for column in range(1, 10)]),
    rules.Zipper("r1c1 r2c2 r2c3"),
    rules.AntiTaxicab(),
    rules.AutomatonLine([[1] * 8 + [2], [2] * 8 + [0]], [2], "r1c1 r2c2 r3c2", "exactly one 9"),
    rules.CountingCircles("r1c1 r2c2 r2c5"),
    rules.DiagonalNonConsecutive(),
    rules.EqualAreas(["r1c2 r1c3", "r1c4", "r2c4 r2c5"]),
    rules.FullRank(17, [(1, column) for column in range(9, 0, -1)]),
    rules.GlobalEntropy(3),
    rules.GlobalModular(),
    rules.GridTable([[1, 2], *[[2, 3]] * 8], [(1, 2), (-1, 1)], "few pairs"),
    rules.LookAndSay([(2, 1), (1, 4)], "r1c1 r2c2 r2c4"),
    rules.MultiSumCage([10, 12], "r1c1 r1c2 r2c1"),
    rules.NumberedRoom(3, [(row, 1) for row in range(9, 0, -1)]),
    rules.PairTable([[1, 2], *[[2, 3]] * 8], "r1c1 r1c2 r2c1", "few pairs"),
    rules.RellikCage(10, "r1c1 r1c2 r2c1"),
    rules.SumLine(10, "r1c1 r2c2 r3c2 r3c3"),
]
NO_FPUZZLES = {type(rule).__name__ for rule in SETTER_RULES[26:]} | {"Distant", "ParityLine"}
"""The classes of setters' rules that f-puzzles does not have."""
EVERY_RULE = [
    rules.Allowed({"r1c1": [1, 2], "r2c2": [3]}),
    *SETTER_RULES,
    rules.Apart([(1, 2), (2, -1)]),
    rules.Arrow("r1c1", "r1c2 r1c3"),
    rules.Cage(10, "r3c1 r3c2"),
    rules.Cage(None, "r4c1 r4c2"),
    rules.Dot("white", "r5c1", "r5c2"),
    rules.Drawings(
        [
            rules.Shape("line", ((0.5, 0.5), (1.5, 1)), color="#ff0000", thickness=8),
            rules.Shape("circle", ((1, 0.5),), 0.3, 0.3, fill="#fff", text="<7>", under=True),
            rules.Shape("image"),
        ]
    ),
    rules.Greater("r5c5", "r5c6"),
    rules.LittleKiller(12, "r1c2 r2c1"),
    rules.NoMoreDots([("r5c1", "r5c2")]),
    rules.NonConsecutive(),
    rules.Thermometer("r6c1 r6c2 r7c2"),
    rules.Unique("r8c1 r9c2"),
]


def dumped(records: Iterable[Record], name: str, lost: Lost | None = None) -> str:
    """The text of the records in a format."""
    out = io.StringIO()
    dump(records, out, name, lost=lost)
    return out.getvalue()


def content(record: Record) -> tuple[Any, ...]:
    """All but the line."""
    about = dict(sorted(record.about.items()))
    parts = (record.rest, record.placed, record.marks, record.solution, about)
    return (record.grid, *parts)


def as_dot(rule: rules.Rule) -> rules.Rule:
    """A difference of 1 and a ratio of 2 are dots in f-puzzles."""
    if isinstance(rule, rules.Difference) and rule.value == 1:
        return rules.Dot("white", *rule.cells)
    if isinstance(rule, rules.Ratio) and rule.value == 2:
        return rules.Dot("black", *rule.cells)
    return rule


def read_text(text: str, name: str | None = None) -> list[Record]:
    """The records of the text, which is of the format `name`, or of one that is found out.

    Warnings are in the records.
    """
    data = io.BytesIO(text.encode())
    return list(load(data, format=name, on_warning=lambda record: None))
