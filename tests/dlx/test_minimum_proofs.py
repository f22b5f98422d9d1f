"""Proofs of `minimum` and `maximum`: checked by `dlx.check`, compared with all subsets of options.

What `test_proofs` shows of files (full disks, kills, compression) is not repeated here.
"""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from bruteforce import all_subsets
from commands import Run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_cases

import dlx
from dlx.analysis.relaxation import TableProgram
from dlx.check import pseudo_boolean


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


def checked(path: Path) -> pseudo_boolean.Proved:
    """What the proof in a file shows, according to the checker."""
    with open(path) as proof, open(path.with_suffix(".opb")) as formula:
        return pseudo_boolean.check(formula, proof)


@st.composite
def costs_of(draw: st.DrawFn, count: int) -> list[Any]:
    """Costs of one type: small and large, negative, equal, with a common factor."""
    whole = st.integers(-9, 9)
    kinds: list[st.SearchStrategy[Any]] = [
        whole,
        st.integers(0, 3),
        st.just(0),
        whole.map(lambda cost: cost * 60),
        st.integers(-(10**13), 10**13),
        whole.map(lambda cost: Fraction(cost, 7)),
        whole.map(lambda cost: Decimal(cost) / 8),
        st.sampled_from([0.1, 0.2, 0.3, 0.7, -0.1]),
        st.tuples(whole, whole),
    ]
    return draw(st.lists(draw(st.sampled_from(kinds)), min_size=count, max_size=count))


@settings(max_examples=300)
@given(data=st.data(), case=any_cases())
def test_the_best_solution_is_proved(folder: Path, data: st.DataObject, case: Any) -> None:
    costs = data.draw(costs_of(len(case.options)))
    names = data.draw(st.permutations(range(len(costs))))
    chosen, out = names[:1], names[1:2]
    if data.draw(st.booleans()):
        chosen, out = [], []
    problem, path = case.problem(), folder / "x.pbp"
    method = data.draw(st.sampled_from([problem.minimum, problem.maximum]))
    asked = {"costs": costs, "given": chosen, "forbid": out}
    expected = method(**asked)
    subsets = [one for one in all_subsets(case) if one.issuperset(chosen) and not one & {*out}]
    assert bool(subsets) == bool(expected)
    engine = data.draw(st.sampled_from(["auto", "links", "python"]))
    timeout = data.draw(st.sampled_from([None, None, None, 0, 1e-4]))
    found = method(**asked, proof=path, engine=engine, timeout=timeout, on_timeout="best")
    proved = checked(path)
    assert proved.conclusion == "BOUNDS"
    if found.proved:
        assert found.stopped_by is None
        assert [cost for cost, _ in found] == [cost for cost, _ in expected]
        assert timeout is not None or found == expected
        assert found.bound == expected.bound
        assert proved.low == proved.high
        assert (proved.low is None) == (not subsets)
        return
    assert found.stopped_by == "timeout"
    assert timeout is not None
    assert proved.low is not None
    assert proved.high is None or proved.low < proved.high
    if expected:
        least, bound = expected[0][0], found.bound
        assert bound <= least if method == problem.minimum else bound >= least


def triples(count: int, seed: int) -> dlx.Problem[int]:
    """Random triples of items, with costs that depend little on the triple."""
    rng = random.Random(seed)
    options = [rng.sample(range(count), 3) for _ in range(5 * count)]
    return dlx.Problem.from_options(options, costs=[rng.randint(80, 99) for _ in options])


@pytest.mark.parametrize("seed", range(3))
def test_a_search_of_some_nodes(tmp_path: Path, seed: int) -> None:
    """With options that the first prices leave out, and a budget in the tree."""
    problem = triples(36, seed)
    expected = problem.minimum()
    found = problem.minimum(proof=tmp_path / "x.pbp")
    assert found == expected
    assert checked(tmp_path / "x.pbp").low == (expected[0][0] if expected else None)


def test_a_cheaper_solution_than_that_of_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof finds it, and it takes the place of the answer."""
    problem = triples(30, 5)
    best, worst = problem.minimum(), problem.maximum()
    assert best != worst
    names = sorted(worst[0][1])
    monkeypatch.setattr(
        "dlx.analysis.proved_minimum.ProvedRanking._search_until",
        lambda self, until: ([(worst[0][0], tuple(names))], worst.stats),
    )
    found = problem.minimum(proof=tmp_path / "x.pbp")
    assert [cost for cost, _ in found] == [best[0][0]]
    problem.verify(found[0][1])
    assert str(checked(tmp_path / "x.pbp")) == f"the minimum is {best[0][0]}"


@pytest.mark.parametrize(("share", "compiled"), [(1.0, True), (1e9, True), (1.0, False)])
def test_small_branches_are_left_to_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, compiled: bool
) -> None:
    """Or the whole problem, or none of it; with colors and secondary items."""
    monkeypatch.setattr("dlx.proofs.minimum.MOST", share)
    monkeypatch.setattr("dlx.proofs.minimum.LEAST", 1e-9 if share == 1.0 else 10.0)
    monkeypatch.setattr("dlx.proofs.minimum.COMPILED", compiled)
    path = tmp_path / "x.pbp"
    for seed in range(12):
        rng = random.Random(seed)
        options = [
            [*rng.sample(range(12), 3), dlx.colored("s", rng.randrange(3)), *rng.sample("tu", 1)]
            if rng.random() < 0.3
            else rng.sample(range(12), 3)
            for _ in range(90)
        ]
        problem = dlx.Problem.from_options(options, secondary=["s", "t", "u"])
        costs = [rng.randint(-5, 30) for _ in options]
        expected = problem.minimum(costs=costs)
        assert problem.minimum(costs=costs, proof=path) == expected
        assert checked(path).low == (expected[0][0] if expected else None)


def test_without_linear_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As without the kernel and HiGHS: a search without prices proves the same."""

    def fails(*_: object, **__: object) -> None:
        raise dlx.DLXError("there is no solver")

    monkeypatch.setattr("dlx.analysis.proved_minimum.TableProgram", fails)
    problem = triples(18, 1)
    assert problem.minimum(proof=tmp_path / "x.pbp") == problem.minimum()
    assert checked(tmp_path / "x.pbp").conclusion == "BOUNDS"


def test_a_timeout_says_what_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, path = triples(36, 0), tmp_path / "x.pbp"
    least = problem.minimum()[0][0]
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(proof=path, timeout=0)
    assert str(checked(path)).startswith("the minimum is at least 0")
    assert caught.value.resume()[0][0] == least
    assert str(checked(path)) == f"the minimum is {least}"
    # The search ends, and the proof is interrupted after its first prices.
    solve, calls = TableProgram.solve, []

    def solve_once(self: TableProgram, until: float) -> bool:
        calls.append(until)
        return solve(self, until if len(calls) == 1 else 0.0)

    monkeypatch.setattr(TableProgram, "solve", solve_once)
    monkeypatch.setattr("dlx.proofs.minimum.COMPILED", False)  # the kernel would finish it
    found = problem.minimum(proof=path, timeout=1e6, on_timeout="best")
    assert found.stopped_by == "timeout"
    assert found.bound is not None
    assert 0 < found.bound <= found[0][0] == least
    assert not found.proved
    assert str(checked(path)) == f"the minimum is between {found.bound} and {least}"


@pytest.mark.parametrize(
    "keywords",
    [
        {"k": 2},
        {"gap": 0.1},
        {"target": 5},
        {"penalties": {0: 1}},
        {"bottleneck": True},
        {"min_difference": 2},
        {"checkpoint": "x.journal"},
    ],
)
def test_questions_without_a_proof(tmp_path: Path, keywords: dict[str, Any]) -> None:
    (keyword,) = keywords
    with pytest.raises(dlx.InvalidArgument, match=rf"^proof cannot be combined with {keyword}: "):
        triples(9, 0).minimum(proof=tmp_path / "x.pbp", **keywords)
    assert not [*tmp_path.iterdir()]


def test_paths_and_costs_without_a_proof(tmp_path: Path) -> None:
    problem = triples(9, 0)
    for path in tmp_path / "x.drat", tmp_path / "x", 7:
        with pytest.raises(dlx.InvalidArgument, match=r"^proof is"):
            problem.minimum(proof=path)  # type: ignore[arg-type]
    large = [(10**17 + one, 10**17 * (one % 7)) for one in range(len(problem))]
    with pytest.raises(dlx.InvalidArgument, match="more than 64 bits together"):
        problem.minimum(costs=large, proof=tmp_path / "x.pbp")
    (tmp_path / "x.pbp").write_text("my notes")
    with pytest.raises(dlx.InvalidArgument, match=r"x\.pbp exists, and is not a proof"):
        problem.maximum(proof=tmp_path / "x.pbp")
    assert [path.name for path in tmp_path.iterdir()] == ["x.pbp"]


def test_command(run: Run, tmp_path: Path) -> None:
    problem, path = tmp_path / "x.dlx", tmp_path / "x.pbp"
    triples(30, 5).dump(problem)
    run("min", str(problem), "--max", "--proof", str(path))
    assert checked(path).low == -triples(30, 5).maximum()[0][0]
    error = run("min", str(problem), "-k", "2", "--proof", str(path), status=2).err
    assert error.count("\n") == 1
    assert "proof cannot be combined with k" in error
