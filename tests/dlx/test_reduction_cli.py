"""`dlx reduce`, and what `dlx info` says of it."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest
from commands import Run

import dlx
from dlx.cli.main import main

FIRST_LEFT = """\
a b c d | x
a b
c
a
b c x:A
d c x:A
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "problem.dlx"
    path.write_text(FIRST_LEFT)
    return str(path)


def test_what_is_left_is_written(file: str, run: Run) -> None:
    shown = run("reduce", file)
    # The name of an option is its number in the file.
    assert shown.out == "a c\na\n| dlx name: 4\nc\n"
    assert shown.err == "dlx: 3 of 5 options and 3 of 5 items removed in 1 round\n"


def test_the_map_leads_back(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "map.json"
    assert main(["reduce", file, "--map", str(path)]) == 0
    facts = json.loads(path.read_text())
    assert facts["options"] == [0, 4]
    assert facts["blocked"] == [[1, "d"], [2, "b"], [3, "d"]]
    assert facts["merged"] == [["b", "a"], ["d", "c"]]
    assert facts["dropped"] == ["x"]
    assert (facts["rounds"], facts["complete"], facts["stopped_by"]) == (1, True, None)
    left = tmp_path / "left.dlx"
    left.write_text(capsys.readouterr().out)
    reduced = dlx.Problem.load(left)
    solution = reduced.solve()
    assert solution is not None
    assert [facts["options"][reduced.index_of(name)] for name in solution] == list(solution)
    dlx.Problem.load(file).verify(solution)


def test_a_map_of_items_that_are_tuples(tmp_path: Path) -> None:
    path, places = tmp_path / "problem.json", tmp_path / "map.json"
    dlx.Problem.from_options([[("row", 0), ("row", 1)]]).dump(path)
    assert main(["reduce", str(path), "--map", str(places)]) == 2, "Knuth's format has no tuples"
    assert json.loads(places.read_text())["merged"] == [[["row", 1], ["row", 0]]]


def test_a_timeout_is_no_success(file: str, run: Run) -> None:
    shown = run("reduce", file, "--timeout", "0", status=3)
    assert dlx.Problem.load(file).count() == 1
    assert "stopped by the timeout" in shown.err


def test_nothing_is_written_where_the_map_cannot_be(file: str, tmp_path: Path, run: Run) -> None:
    shown = run("reduce", file, "--map", str(tmp_path / "none" / "map.json"), status=2)
    assert shown.out == ""
    assert shown.err.count("\n") == 1


def test_a_map_that_cannot_be_written_leaves_the_old_one(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files may not grow, as on a full disk."""
    path = tmp_path / "map.json"
    path.write_text("an old map")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
        assert main(["reduce", file, "--map", str(path)]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "an old map"
    assert sorted(tmp_path.iterdir()) == [path, Path(file)]
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "dlx: File too large\n")


def test_a_missing_file(run: Run) -> None:
    assert (
        run("reduce", "no such file", status=2).err
        == "dlx: no such file: No such file or directory\n"
    )


def test_info_says_what_would_go(file: str, capsys: pytest.CaptureFixture[str], run: Run) -> None:
    facts = json.loads(run("info", file, "--json").out)
    assert facts["reduction"] == {"options": 3, "items": 3, "rounds": 1, "complete": True}
    assert main(["info", file]) == 0
    line = "reduction: 3 of 5 options and 3 of 5 items removed in 1 round\n"
    assert line in capsys.readouterr().out
