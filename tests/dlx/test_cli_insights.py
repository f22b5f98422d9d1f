"""The commands `dlx estimate`, `dlx explain` and `dlx relaxation`."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from instances import mycielski_graph
from timeouts import TIMEOUTS

import dlx
from dlx import models
from dlx.analysis.symmetry.texts import orbits_text
from dlx.cli.main import main


@pytest.fixture
def langford(tmp_path: Path) -> str:
    path = tmp_path / "langford.dlx"
    models.langford(7).dump(path)
    return str(path)


@pytest.fixture
def no_langford(tmp_path: Path) -> str:
    """No solution, for a reason that takes some thousand nodes to make small."""
    path = tmp_path / "no-langford.dlx"
    models.langford(9).dump(path)
    return str(path)


@pytest.fixture
def hopeless(tmp_path: Path) -> str:
    """Three items of which only two can be covered, and d."""
    path = tmp_path / "hopeless.dlx"
    path.write_text("a b c d\na b\nb c\na c\nd\nd\n")
    return str(path)


@pytest.fixture
def hard(tmp_path: Path) -> str:
    """No solution, but it takes long to tell."""
    path = tmp_path / "hard.dlx"
    models.graph_coloring(mycielski_graph(6), 5).dump(path)
    return str(path)


class TestEstimate:
    def test_text(self, langford: str, run: Run) -> None:
        numbers, time = run("estimate", langford, "--probes", "300", "--seed", "3").out.splitlines()
        assert numbers.startswith("about ")
        assert numbers.endswith("solutions (300 probes, seed 3)")
        assert time.startswith("about ")
        assert time.endswith(" nodes a second")

    def test_json(self, langford: str, run: Run) -> None:
        found = json.loads(run("estimate", "--json", langford).out)
        likely = models.langford(7).estimate()._asdict()
        for name in ("nodes", "nodes_error", "solutions", "probes", "seed", "stopped_by"):
            assert found[name] == likely[name]
        assert found["profile"] == list(likely["profile"])

    def test_profile(self, langford: str, run: Run) -> None:
        lines = run("estimate", "--profile", langford).out.splitlines()
        assert lines[2] == "depth 0: 1 +- 0 nodes"
        assert len(lines) == 2 + len(models.langford(7).estimate().profile)

    def test_given(self, langford: str, run: Run) -> None:
        found = json.loads(run("estimate", "--json", langford, "--given", "7 s0 s8").out)
        likely = models.langford(7).estimate(given=[(7, 0, 8)])
        assert found["nodes"] == likely.nodes

    def test_timeout(self, langford: str, capsys: pytest.CaptureFixture[str], run: Run) -> None:
        for timeout in TIMEOUTS:
            words = ["estimate", langford, "--probes", str(10**12), "--timeout", str(timeout)]
            assert main(words) == 3
            if out := capsys.readouterr().out:  # nothing, if there were not even two
                break
        assert "stopped by the timeout" in out
        assert (
            run("estimate", langford, "--timeout", "0", status=3).err
            == "dlx: timed out before two probes were made; try a longer --timeout\n"
        )

    def test_numbers_no_float_can_hold(self, tmp_path: Path, run: Run) -> None:
        path = tmp_path / "large.dlx"
        dlx.Problem.from_options([[f"i{n}"] for n in range(2000) for _ in "ab"]).dump(path)
        found = json.loads(run("estimate", "--json", str(path), "--probes", "2").out)
        assert found["solutions"] == "1.15e602"
        assert found["profile"][3] == 8

    @pytest.mark.parametrize("wrong", [["--probes", "1"], ["--engine", "x"], ["--given", "99"]])
    def test_bad_input(self, langford: str, run: Run, wrong: list[str]) -> None:
        out, err = run("estimate", langford, *wrong, status=2)
        assert out == ""
        assert err.startswith("dlx: ")
        assert err.count("\n") == 1


class TestExplain:
    def test_text(self, hopeless: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", hopeless]) == 1
        sentence = "items 'a', 'b' and 'c' cannot be satisfied together (all are needed)\n"
        assert capsys.readouterr().out == sentence

    def test_json(self, hopeless: str, run: Run) -> None:
        assert json.loads(run("explain", "--json", hopeless, status=1).out) == {
            "infeasible": True,
            "items": ["a", "b", "c"],
            "givens": [],
            "irreducible": True,
            "stopped_by": None,
            "reason": "",
        }

    def test_sizes(self, tmp_path: Path, run: Run) -> None:
        path = tmp_path / "board.json"
        models.pentominoes(8, 8).dump(path)
        sentence = (
            "the 12 items 'F', 'I', 'L', ... cover 60 of the 64 items (0, 0), (0, 1), (0, 2), ..."
        )
        assert run("explain", str(path), status=1).out == f"{sentence}\n"
        assert f"warnings: {sentence}: there is no solution\n" in run("info", str(path)).out

    def test_among_items_by_their_texts(self, tmp_path: Path, run: Run) -> None:
        """As Knuth's format has them, whatever the file has."""
        for suffix, shown in (("json", "(0, 0)"), ("dlx", "'0,0'")):
            path = str(tmp_path / f"board.{suffix}")
            board = dlx.Problem.from_options([[(0, 0), (0, 1)], [(0, 1), (0, 2)]])
            board.dump(path)
            out = run("explain", "--among", "0,0", "--among", "0,2", path, status=1).out
            assert shown in out
            solved = run("solve", "--given", "0,2 0,1", "--json", path, status=1)
            assert json.loads(solved.out)["solutions"] == 0

    def test_a_solution(self, langford: str, run: Run) -> None:
        assert run("explain", langford).out == "there is a solution\n"
        assert json.loads(run("explain", "--json", langford).out) == {"infeasible": False}

    def test_given(self, hopeless: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", hopeless, "--given", "3", "--given", "4"]) == 1
        sentence = "item 'd' and the given options 3 and 4 cannot be satisfied together"
        assert capsys.readouterr().out == f"{sentence} (all are needed)\n"

    def test_givens_only(self, langford: str, capsys: pytest.CaptureFixture[str], run: Run) -> None:
        givens = ["--given", "7 s0 s8", "--given", "1 s1 s3", "--given", "2 s4 s7"]
        assert main(["explain", langford, "--givens-only", *givens]) == 1
        sentence = "the given options 57 and 16 already leave no solution (all are needed)\n"
        assert capsys.readouterr().out == sentence
        assert json.loads(
            run("explain", langford, "--givens-only", "--json", *givens, status=1).out
        )["givens"] == [57, 16]

    def test_limits(self, hopeless: str, no_langford: str, hard: str, run: Run) -> None:
        assert run("explain", no_langford, "--node-limit", "1000", status=3).out.endswith(
            "together (perhaps not all are needed)\n"
        )
        assert (
            "cannot tell whether there is a solution"
            in run("explain", hopeless, "--timeout", "0", status=3).err
        )
        for limit in (["--timeout", "0"], ["--nodes", "50"]):
            out, err = run("explain", hard, *limit, status=3)
            assert out == ""
            assert err.startswith("dlx: cannot tell whether there is a solution: the search was ")

    @pytest.mark.parametrize(
        "wrong", [["--nodes", "0"], ["--given", "99"], ["--given", "0", "--given", "0"]]
    )
    def test_bad_input(self, hopeless: str, run: Run, wrong: list[str]) -> None:
        out, err = run("explain", hopeless, *wrong, status=2)
        assert out == ""
        assert err.startswith("dlx: ")
        assert err.count("\n") == 1


# -- What `dlx symmetries` and `dlx info` print of a group ---------------------------------------


def test_dlx_info_says_the_orbits(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "problem.dlx"
    models.queens(8).dump(file)
    assert "options in 4 orbits of 4 and 6 of 8; items in 1 orbit of 2 and" in (
        run("info", str(file)).out
    )
    dlx.Problem.from_options([["a"], ["a", "b"]]).dump(file)
    assert "symmetries: 1, the identity alone\n" in run("info", str(file)).out


def test_dlx_symmetries_prints_the_first_of_many(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "pentominoes.dlx"
    models.pentominoes(6, 10).dump(file)
    short = run("symmetries", str(file)).out
    assert "items: 12 orbits of 1 and 15 of 4\n" in short
    assert "  ... 5 more orbits; --full prints all\n" in short
    assert "  ... 504 more orbits; --full prints all\n" in short
    assert "... 20 more cycles\n" in short
    assert max(map(len, short.splitlines())) < 200
    full = run("symmetries", "--full", str(file)).out
    assert "more" not in full
    assert full.count("orbit of 4 options: ") == 514
    assert full.endswith("(2023 2048)\n")


@given(sizes=st.lists(st.integers(1, 9), min_size=1))
def test_the_text_of_orbits_has_all_sizes(sizes: list[int]) -> None:
    text = orbits_text([["x"] * size for size in sizes])
    if len(set(sizes)) <= 4:
        found = re.findall(r"(\d+) (?:orbits? )?of (\d+)", text)
        assert {int(size): int(number) for number, size in found} == dict(Counter(sizes))
    else:
        assert text == f"{len(sizes)} orbits of {min(sizes)} to {max(sizes)}"


class TestRelaxation:
    def test_text(self, run: Run, tmp_path: Path) -> None:
        path = str(tmp_path / "pairs.dlx")
        Path(path).write_text("a b c\na b |2\nb c |3\na c |3\na b c |5\n")
        lines = run("relaxation", path).out.splitlines()
        assert lines == [
            "bound 4",
            *("      0.5  0: a b", "      0.5  1: b c", "      0.5  2: a c"),
            *("price 1 of a", "price 1 of b", "price 2 of c"),
        ]
        whole = ["bound 5", "        1  3: a b c"]
        assert run("relaxation", path, "--max").out.splitlines()[:2] == whole
        assert run("relaxation", path, "--forbid", "0").out.splitlines()[:2] == whole
        assert run("relaxation", path, "--given", "0", status=1).out == (
            "the relaxation has no solution\n"
        )

    @pytest.mark.parametrize("engine", ["highs", "kernel", "auto"])
    def test_json(self, run: Run, langford: str, engine: str) -> None:
        found = json.loads(run("relaxation", "--json", langford, "--engine", engine).out)
        right = models.langford(7).relaxation()
        assert found["bound"] == right.bound
        assert len(found["reduced_costs"]) == len(models.langford(7))
        assert [item for item, _ in found["prices"]] == [*map(str, right.prices)]
        assert len(found["options"]) == len(found["values"])

    def test_timeout(self, run: Run, hard: str) -> None:
        assert "timed out" in run("relaxation", hard, "--timeout", "0", status=3).err
