"""The JSON of every command fits docs/dlx.schema.json, and its words are those of Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from commands import Run
from folders import DOCS
from schemas import Schema

import dlx
from dlx.cli.main import dlx as dlx_group
from dlx.cli.main import main
from dlx.models import dominoes

SCHEMA = Schema(DOCS / "dlx.schema.json")
KINDS = [choice["$ref"].removeprefix("#/$defs/") for choice in SCHEMA.value["oneOf"]]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files: problems of several kinds, and journals."""
    folder = tmp_path_factory.mktemp("json")
    names = (
        "NAMED",
        "PLAIN",
        "WEIGHTS",
        "HUGE",
        "SAME",
        "HARD",
        "BAD",
        "EMPTY",
        "RUN",
        "BEST",
        "MAP",
    )
    paths = {name: str(folder / f"{name}.json") for name in names}
    named = dlx.Problem([("row", 0), "b", True], ["x"])
    named.add_option([("row", 0), dlx.colored("x", 1)], name="red", cost=4)
    named.add_option(["b", dlx.colored("x", 1)], name=("b", None))
    named.add_option(["b", True])
    named.add_option([True])
    weights = dlx.Problem(["a", "b"], multiplicities={"a": (2, None)})
    weights.add_option([dlx.times("a", 2), "b"])
    weights.add_option(["a"])
    problems = {
        "NAMED": named,
        "PLAIN": dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]]),
        "WEIGHTS": weights,
        "HUGE": dlx.Problem.from_options([[f"i{n}"] for n in range(15_000) for _ in "ab"]),
        "SAME": dlx.Problem.from_options([["a"]] * 2000),
        "HARD": dominoes(40, 40),
        "BAD": dlx.Problem.from_options([["a", "b"], ["a", "c"], ["b", "c"]]),
        "EMPTY": dlx.Problem(),
    }
    for name, problem in problems.items():
        problem.dump(paths[name])
    assert main(["count", "--checkpoint", paths["RUN"], paths["PLAIN"]]) == 0
    assert main(["min", "--checkpoint", paths["BEST"], paths["NAMED"]]) == 0
    paths["PROOF"] = str(folder / "x.count")
    assert main(["count", "--distinct", "--proof", paths["PROOF"], paths["PLAIN"]]) == 0
    return paths


LINES = [
    ("solve NAMED", "solution search"), ("solve --all PLAIN", "solution solution solution search"),
    ("solve --limit 0 PLAIN", "search"), ("solve BAD", "search"),
    ("solve WEIGHTS", "solution search"), ("count HUGE", "count"),
    ("solve --engine sat NAMED", "solution search"), ("solve --all --timeout 0 HARD", "search"),
    ("solve --distinct NAMED", "solution solution search"), ("count NAMED", "count"),
    ("count --limit 2 PLAIN", "count"), ("count --timeout 0 HARD", "count"), ("count BAD", "count"),
    ("min NAMED", "solution ranking"), ("min --max -k 9 PLAIN", "solution " * 3 + "ranking"),
    ("min --soft b=3 NAMED", "solution ranking"), ("min --soft a=1 BAD", "solution ranking"),
    ("min BAD", "ranking"), ("min --timeout 0 HARD", "ranking"), ("info NAMED", "info"),
    ("info WEIGHTS", "info"), ("info EMPTY", "info"), ("info BAD", "info"),
    ("info --plan NAMED", "plans"), ("estimate NAMED", "estimate"),
    ("estimate --probes 2 HUGE", "estimate"),
    ("explain NAMED", "explanation"), ("explain BAD", "explanation"),
    ("explain --given red --givens-only NAMED", "explanation"),
    ("relaxation NAMED", "relaxation"), ("relaxation --max WEIGHTS", "relaxation"),
    ("relaxation BAD", "relaxation"), ("relaxation EMPTY", "relaxation"),
    ("symmetries NAMED", "symmetries"), ("symmetries PLAIN", "symmetries"),
    ("symmetries --node-limit 1 HARD", "symmetries"), ("symmetries SAME", "symmetries"),
    ("status RUN", "status"), ("status BEST", "status"), ("status --solutions BEST", "solution"),
    ("resume RUN", "count"), ("resume BEST", "solution ranking"), ("doctor", "installation"),
    ("check-count PLAIN PROOF", "certificate"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "kinds"), LINES)
def test_every_line_fits_the_schema(
    places: dict[str, str], capsys: pytest.CaptureFixture[str], command: str, kinds: str
) -> None:
    first, *words = command.split()
    assert main([first, "--json", *(places.get(word, word) for word in words)]) != 2
    values = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [kind_of(value) for value in values] == kinds.split()


def kind_of(value: Any) -> str:
    """The only definition that the value fits; the keys of all objects in it are one word."""
    assert SCHEMA.fits(value)
    assert all(re.fullmatch("[a-z_]+", key) for key in value)
    [kind] = [kind for kind in KINDS if SCHEMA.fits(value, kind)]
    return kind


def test_the_map_of_a_reduction(places: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["PLAIN"], ["BAD"], ["BAD", "--timeout", "0"], ["NAMED"]):
        main(["reduce", *(places.get(word, word) for word in words), "--map", places["MAP"]])
        assert kind_of(json.loads(Path(places["MAP"]).read_text())) == "reduction"


def test_a_number_on_a_line_has_all_digits(places: dict[str, str], run: Run) -> None:
    digits = run("count", places["HUGE"]).out.removesuffix("\n")
    assert (len(digits), int(digits[:4000])) == (4516, 2**15_000 // 10**516)


def test_every_command_and_kind_is_tried() -> None:
    with_json = {
        name
        for name, command in dlx_group.commands.items()
        if any("--json" in parameter.opts for parameter in command.params)
    }
    assert with_json == {command.split()[0] for command, _ in LINES}
    assert {kind for _, kinds in LINES for kind in kinds.split()} == {*KINDS} - {"reduction"}
    assert isinstance(dlx_group, click.Group)


def test_words_are_those_of_python() -> None:
    """Keys are fields of the classes that the methods return, unless a file needs another."""
    keys = {kind: {*SCHEMA.definitions[kind]["properties"]} for kind in KINDS}
    assert keys["search"] - {"exhausted", "stopped_by"} <= {*dlx.Stats._fields}
    assert {"exhausted", "stopped_by"} <= {*dir(dlx.Search)}
    assert keys["count"] <= keys["search"]
    assert keys["ranking"] - {"complete"} <= {*dlx.Stats._fields, *dir(dlx.Ranking)}
    assert keys["estimate"] == {*dlx.Estimate._fields}
    assert keys["explanation"] - {"infeasible"} == {*dlx.Explanation._fields} - {"fixed"}
    assert keys["relaxation"] - {"options", "names"} == {*dlx.Relaxation._fields}
    assert keys["symmetries"] - {"stopped_by", "names"} <= {*dir(dlx.Symmetries)}
    assert keys["reduction"] - {"stopped_by", "names", "options"} <= {*dlx.Reduction._fields}
    status = {*dlx.JournalStatus._fields, *dlx.Stats._fields, *dlx.SearchProgress._fields}
    assert keys["status"] - {"problem", "question", "rate"} <= status


@pytest.mark.parametrize(
    "value",
    [
        {"solutions": 3, "complete": True},
        {"solutions": 3, "exhausted": 1, "stopped_by": None},
        {"solutions": 3, "exhausted": True, "stopped_by": "time"},
        {"count": 3, "exhausted": True, "stopped_by": None},
        {"solution": 0, "options": [], "items": []},
        {"infeasible": False, "more": 1},
    ],
)
def test_what_does_not_fit(value: dict[str, Any]) -> None:
    assert not SCHEMA.fits(value)
