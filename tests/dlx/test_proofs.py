"""Proofs of `solve`, `solutions` and `explain`: checked by `dlx.check`, compared with searches."""

from __future__ import annotations

import gc
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import cases, large_cases, large_multi_cases, multi_cases

import dlx
from dlx.check import drat, pseudo_boolean

PROBLEMS = st.one_of(
    cases(),
    multi_cases(),
    multi_cases(weights=True),
    large_cases(),
    large_multi_cases(weights=True),
)
MOST = 300  # solutions of a problem that are all listed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


def checked(path: Path) -> Any:
    """What the proof in a file proves, according to the checker."""
    open_it = gzip.open if path.suffix == ".gz" else open
    with open_it(path, "rt") as file:
        proof = file.read().splitlines(keepends=True)
    if ".drat" in path.name:
        formula = path.with_name(f"{path.name.partition('.')[0]}.cnf")
        return drat.check(formula.read_text().splitlines(keepends=True), proof)
    formula = path.with_name(f"{path.name.partition('.')[0]}.opb")
    return pseudo_boolean.check(formula.read_text().splitlines(keepends=True), proof)


def variables_of(problem: dlx.Problem[Any], solution: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(sorted(f"x{problem.names.index(name) + 1}" for name in solution))


@given(PROBLEMS, st.data())
def test_all_solutions_are_proved(folder: Path, case: Any, data: st.DataObject) -> None:
    problem = case.problem()
    found = list(problem.solutions(limit=MOST + 1))
    assume(len(found) <= MOST)
    chosen: list[Any] = []
    if len(problem) and data.draw(st.booleans()):
        chosen = [data.draw(st.sampled_from(problem.names))]
        found = list(problem.solutions(given=chosen))
    path = folder / "all.pbp"
    search = problem.solutions(given=chosen, proof=path)
    assert list(search) == found  # in the same order
    assert search.exhausted
    proved = checked(path)
    assert str(proved) == f"exactly {len(found)} solution{'s' * (len(found) != 1)}"
    expected = sorted(variables_of(problem, solution) for solution in found)
    assert sorted(tuple(sorted(one)) for one in proved.solutions) == expected


@given(PROBLEMS, st.sampled_from([".drat", ".pbp"]), st.data())
def test_no_solution_is_proved(folder: Path, case: Any, suffix: str, data: st.DataObject) -> None:
    problem = case.problem()
    engine = data.draw(st.sampled_from(["auto", "links"]))
    chosen: list[Any] = []
    if len(problem) and data.draw(st.booleans()):
        chosen = [data.draw(st.sampled_from(problem.names))]
    path = folder / f"none{suffix}"
    solution = problem.solve(given=chosen, proof=path, engine=engine)
    expected = problem.solve(given=chosen)
    if solution is None:
        assert expected is None
        assert str(checked(path)) == "no solution"
        return
    problem.verify(solution)
    assert set(chosen) <= set(solution)
    if engine == "links":
        assert solution == problem.solve(given=chosen, engine="links")
    if suffix == ".pbp":
        assert str(checked(path)) == "a solution exists"
    else:
        with pytest.raises(drat.Refused):
            checked(path)


@given(st.one_of(cases(), multi_cases(weights=True)), st.sampled_from([".drat", ".pbp"]))
def test_explanations_are_proved(folder: Path, case: Any, suffix: str) -> None:
    problem = case.problem()
    path = folder / f"core{suffix}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlx.engines.certificates.MIN_NODES", 0)
        patch.setattr("dlx.engines.certificates.WORK_PER_NODE", 10**9)
        found = problem.explain(proof=path)
    assert found == problem.explain()
    if found is not None:
        assert str(checked(path)) == "no solution"


@pytest.mark.parametrize("suffix", [".drat", ".pbp"])
@pytest.mark.parametrize("keywords", [{}, {"givens_only": True}, {"among": ["a", "b"]}])
def test_explanations_with_givens_are_proved(
    tmp_path: Path, suffix: str, keywords: dict[str, Any]
) -> None:
    options = {"x": ["a", "b"], "y": ["b", "c"], "z": ["a", "c"], "w": ["d"], "v": ["b", "d"]}
    problem = dlx.Problem.from_options(options)
    path = tmp_path / f"x{suffix}"
    found = problem.explain(given=["w", "x"], proof=path, **keywords)
    assert found is not None
    assert str(checked(path)) == "no solution"
    units = {".drat": "\n1 0\n", ".pbp": "\n1 x1 >= 1 ;\n"}[suffix]
    formula = path.with_suffix({".drat": ".cnf", ".pbp": ".opb"}[suffix]).read_text()
    assert (units in formula) == ("x" in found.givens)  # a given that is not needed is left out


def board(cut: set[tuple[int, int]]) -> dlx.Problem:
    """Dominoes on a chessboard without these cells."""
    cells = [(r, c) for r in range(8) for c in range(8) if (r, c) not in cut]
    pairs = [[(r, c), other] for r, c in cells for other in ((r + 1, c), (r, c + 1))]
    return dlx.Problem.from_options([pair for pair in pairs if pair[1] in cells], primary=cells)


def test_certificates_are_lines_of_cutting_planes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prices, and weights modulo 2; with givens, which remove options from the sums."""
    monkeypatch.setattr("dlx.engines.certificates.MIN_NODES", 0)
    monkeypatch.setattr("dlx.engines.certificates.WORK_PER_NODE", 10**9)
    dominoes, langford = board({(0, 0), (7, 7)}), dlx.models.langford(18)
    searches: list[tuple[dlx.Problem[Any], int]] = [(dominoes, 3), (langford, 40)]
    for problem, place in searches:
        for chosen in [], [problem.names[place]], [problem.names[place], problem.names[-1]]:
            path = tmp_path / "x.pbp"
            assert problem.solve(given=chosen, proof=path) is None
            assert str(checked(path)) == "no solution"
            assert "\npol " in path.read_text()
            assert path.stat().st_size < 10_000


@given(multi_cases(weights=True), st.data())
def test_certificates_of_multiplicities(folder: Path, case: Any, data: st.DataObject) -> None:
    problem = case.problem()
    chosen = [data.draw(st.sampled_from(problem.names))] if len(problem) else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlx.engines.certificates.MIN_NODES", 0)
        patch.setattr("dlx.engines.certificates.WORK_PER_NODE", 10**9)
        if problem.solve(given=chosen, proof=folder / "mod.pbp") is None:
            assert str(checked(folder / "mod.pbp")) == "no solution"


def test_certificates_that_take_too_long_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dlx.engines.certificates.MIN_NODES", 0)
    monkeypatch.setattr("dlx.engines.certificates.WORK_PER_NODE", 10**9)
    monkeypatch.setattr("dlx.proofs.search.SECONDS", 0.0)
    path = tmp_path / "x.pbp"
    assert dlx.models.langford(9).solve(proof=path) is None
    assert str(checked(path)) == "no solution"
    assert "\npol " not in path.read_text()


def test_the_sat_solver_writes_a_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat")
    problem = dlx.models.langford(6)
    path = tmp_path / "x.drat"
    for engine in "sat", "auto":
        monkeypatch.setattr("dlx.plan.Thresholds.sat", 100)
        assert problem.solve(engine=engine, proof=path) is None
        assert str(checked(path)) == "no solution"
    assert dlx.models.langford(7).solve(engine="sat", proof=path) is not None
    assert "c there is a solution: " in path.read_text()


# -- files ---------------------------------------------------------------------------------------


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "x.pbp.gz"
    assert len(list(dlx.models.langford(7).solutions(proof=path))) == 52
    assert str(checked(path)) == "exactly 52 solutions"


def test_a_search_that_is_stopped_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.pbp"
    search = dlx.models.langford(7).solutions(limit=3, proof=path)
    assert len(list(search)) == 3
    search.close()
    assert str(checked(path)) == "at least 3 solutions; whether these are all is not proved"
    search = dlx.models.langford(7).solutions(limit=3, proof=path)
    assert len(list(search)) == 3
    assert len(list(search.resume())) == 49
    assert str(checked(path)) == "exactly 52 solutions"
    with pytest.raises(dlx.SearchInterrupted):
        dlx.models.langford(13).solve(node_limit=1000, proof=path)
    gc.collect()
    assert str(checked(path)) == "nothing is proved"


def test_what_is_left_after_a_kill_is_no_proof(tmp_path: Path) -> None:
    path = tmp_path / "x.pbp"
    list(dlx.models.langford(7).solutions(proof=path))
    lines = path.read_text().splitlines(keepends=True)
    assert "complete if it ends with" in "".join(lines[:2])
    for length in range(2, len(lines) - 1, 7):
        path.write_text("".join(lines[:length]))
        with pytest.raises(pseudo_boolean.Refused, match="incomplete"):
            checked(path)


class FullDisk:
    """A file that takes the first bytes only."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self._room = file, room

    def write(self, data: bytes) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(28, "No space left on device")
        return int(self._file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_a_full_disk_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.pbp"
    monkeypatch.setattr(
        "dlx.proofs.files.open",
        lambda *words: FullDisk(open(*words), 3000),  # noqa: SIM115  # the caller closes it
        raising=False,
    )
    with pytest.raises(OSError, match=r"No space left on device: '.*x\.pbp'"):
        list(dlx.models.langford(7).solutions(proof=path))
    assert not path.exists()


def test_other_files_are_kept(tmp_path: Path) -> None:
    problem = dlx.models.langford(5)
    proof, formula = tmp_path / "x.pbp", tmp_path / "x.opb"
    proof.write_text("my notes")
    with pytest.raises(dlx.InvalidArgument, match=r"x\.pbp exists, and is not a proof"):
        problem.solve(proof=proof)
    assert proof.read_text() == "my notes"
    assert not formula.exists()
    proof.unlink()
    formula.write_text("* my formula")
    with pytest.raises(dlx.InvalidArgument, match=r"x\.opb exists, and is not a formula"):
        problem.solve(proof=proof)
    assert formula.read_text() == "* my formula"
    formula.unlink()
    problem.solve(proof=proof)
    problem.solve(proof=proof)  # its own files are replaced


def test_without_givens_the_formula_is_the_problem(tmp_path: Path) -> None:
    problem = dlx.models.queens(5)
    for suffix, formula in (".drat", "x.cnf"), (".pbp", "x.opb"):
        problem.solve(proof=tmp_path / f"x{suffix}")
        problem.dump(tmp_path / f"y{formula[1:]}")
        assert (tmp_path / formula).read_text() == (tmp_path / f"y{formula[1:]}").read_text()


# -- keywords ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("engine", "python"),
        ("engine", "sat"),
        ("heuristic", "weighted"),
        ("workers", 2),
        ("checkpoint", "x.journal"),
        ("distinct", True),
        ("part", dlx.Part()),
    ],
)
def test_keywords_that_do_not_go_with_a_proof(tmp_path: Path, keyword: str, value: Any) -> None:
    path = tmp_path / "x.pbp"
    with pytest.raises(dlx.InvalidArgument, match=f"^{keyword} is .*: leave out {keyword}$"):
        dlx.models.langford(5).solutions(proof=path, **{keyword: value})
    assert not list(tmp_path.iterdir())


def test_questions_without_this_proof(tmp_path: Path) -> None:
    problem = dlx.models.langford(5)
    questions: list[Callable[..., Any]] = [problem.solve, problem.solutions, problem.explain]
    for question in questions:
        for path in tmp_path / "x.txt", tmp_path / "x", 7, "":
            with pytest.raises(dlx.InvalidArgument, match=r"^proof"):
                question(proof=path)
    assert problem.explain(proof=tmp_path / "y.drat") is not None
    with pytest.raises(dlx.InvalidArgument, match="takes a file with"):  # though there is no core
        dlx.models.langford(7).explain(proof=tmp_path / "x.txt")
    with pytest.raises(dlx.InvalidArgument, match=r"takes a file with the suffix \.pbp,"):
        problem.solutions(proof=tmp_path / "x.drat")
    search = dlx.models.langford(7).solutions(limit=1, proof=tmp_path / "x.drat")
    assert len(list(search)) == 1
    with pytest.raises(dlx.InvalidArgument, match="cannot be continued; ask for all solutions"):
        list(search.resume())
    assert not search.exhausted


def test_commands(run: Run, tmp_path: Path) -> None:
    problem, path, other = (str(tmp_path / name) for name in ("x.dlx", "x.drat", "x.pbp"))
    dlx.models.langford(6).dump(problem)
    run("solve", problem, "--proof", path, status=1)
    assert str(checked(Path(path))) == "no solution"
    run("explain", problem, "--proof", other, status=1)
    assert str(checked(Path(other))) == "no solution"
    dlx.models.langford(7).dump(problem)
    run("solve", problem, "--all", "--proof", other)
    assert str(checked(Path(other))) == "exactly 52 solutions"
    error = run("solve", problem, "--all", "--proof", path, status=2).err
    assert error.count("\n") == 1
    assert "solutions with a proof takes a file with the suffix .pbp" in error
