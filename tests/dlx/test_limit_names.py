"""One limit, one name: what stopped a question is called as the keyword that set the limit."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Run

import dlx
from dlx import models

LIMITS = ("limit", "timeout", "node_limit", "memory_limit")
HARD = models.pentominoes(6, 10)
WITHOUT = models.langford(14)  # no solution, which takes a while to see

SMALLEST: dict[str, Any] = {
    "limit": 1,
    "timeout": 0,
    "node_limit": 1,
    "memory_limit": 10_000,
}


def questions() -> list[tuple[str, str]]:
    """The methods of a problem that take limits, with each of these."""
    found = []
    for name, method in inspect.getmembers(dlx.Problem, callable):
        if name.startswith("_"):
            continue
        keywords = inspect.signature(method).parameters
        found += [(name, limit) for limit in LIMITS if limit in keywords]
    return found


def test_no_other_names() -> None:
    asked = questions()
    assert {limit for _, limit in asked} == set(LIMITS)
    for name in {name for name, _ in asked}:
        keywords = inspect.signature(getattr(dlx.Problem, name)).parameters
        assert not {"nodes", "max_nodes", "memory", "seconds", "max_solutions"} & set(keywords)


def ask(name: str, **limits: Any) -> Any:
    problem = WITHOUT if name == "explain" else HARD
    others = [problem] if name == "is_isomorphic" else []
    asked = getattr(problem, name)(*others, **limits)
    if name == "solutions":
        list(asked)
    return asked


def stopped_by(asking: Callable[[], Any]) -> str | None:
    """What the question says has stopped it: raised, or in its answer."""
    try:
        answer = asking()
    except dlx.SearchInterrupted as error:
        return error.reason if error.reason.replace("_", " ") in str(error) else str(error)
    except dlx.DiagramTooLarge as error:
        return "memory_limit" if "memory_limit=" in str(error) else str(error)
    told: str | None = getattr(answer, "stopped_by", None)
    return told


NOTHING_STOPS = {
    ("count", "limit"),  # the answer is that up to the limit
    ("count", "memory_limit"),  # less is remembered
    ("reduced", "timeout"),  # what was reduced by then is an answer
    ("symmetries", "node_limit"),  # and so is the group found by then
    *((name, limit) for name in ("count_many", "solve_many") for limit in LIMITS),  # set by set
}


@pytest.mark.parametrize(("name", "limit"), sorted({*questions()} - NOTHING_STOPS))
def test_the_name_of_the_keyword(name: str, limit: str) -> None:
    assert stopped_by(lambda: ask(name, **{limit: SMALLEST[limit]})) == limit


@pytest.mark.parametrize("limit", ["timeout", "node_limit"])
@pytest.mark.lengthy
def test_with_journals_and_the_loop(limit: str, tmp_path: Path) -> None:
    limits = {limit: SMALLEST[limit]}
    for number, keep in enumerate(({}, {"checkpoint": tmp_path / "run.db"})):
        assert stopped_by(lambda keep=keep: HARD.count(**limits, **keep)) == limit
        if keep:
            keep = {"checkpoint": tmp_path / f"{number}.db"}
        assert stopped_by(lambda keep=keep: asyncio.run(HARD.acount(**limits, **keep))) == limit


def test_on_the_command_line(tmp_path: Path, run: Run) -> None:
    file = str(tmp_path / "hard.dlx")
    WITHOUT.dump(file)
    for name in ("--node-limit", "--nodes"):
        assert "its node limit after" in run("explain", file, name, "1", status=3).err
    run("explain", file, "--timeout", "0", status=3)
