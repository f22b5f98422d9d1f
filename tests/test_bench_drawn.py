"""`benchmarks/drawn.py`, by known numbers of solutions; `benchmarks/counts.py` on small files."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import counts
import drawn
import first_solutions
import pytest

from dlx import Problem, models

WORKER = Path(counts.__file__).with_name("counts_worker.py")


@pytest.mark.parametrize(("vertices", "known"), [(4, 1), (6, 6), (8, 6240)])  # OEIS A000438
def test_one_factorizations(vertices: int, known: int) -> None:
    assert drawn.one_factorizations(vertices).count() == known


def test_an_empty_sudoku_of_four_digits() -> None:
    problem = drawn.sudoku_with_holes(random.Random(1), 2, 1.0)
    assert problem.count() == 288  # OEIS A107739


def test_lines_of_a_nonogram() -> None:
    assert sorted(drawn.patterns([2, 1], 5)) == [(0, 1, 1, 0, 1), (1, 1, 0, 0, 1), (1, 1, 0, 1, 0)]
    assert list(drawn.patterns([], 2)) == [(0, 0)]


def test_a_kakuro_is_solved_by_distinct_digits_with_its_sums() -> None:
    problem = drawn.kakuro(random.Random(3), 6)
    solution = problem.solve()
    assert solution is not None
    numbers = [problem.index_of(option) for option in solution]
    options = list(problem.options)
    digits = {}
    for number in numbers:
        run = {entry.item: entry.color for entry in options[number][1:]}
        assert len(set(run.values())) == len(run) >= 2
        assert all(digits.setdefault(cell, digit) == digit for cell, digit in run.items())
    assert len(numbers) == len(problem.primary)
    assert set(digits) == set(problem.secondary)


def test_edge_matching_keeps_the_border_and_one_corner() -> None:
    problem = drawn.edge_matching(random.Random(1), 4, 9)
    solution = problem.solve()
    assert solution is not None
    placed = {(r, c): (number, turned) for number, r, c, turned in solution}
    assert placed[0, 0][0] == 0
    assert len(placed) == len({number for number, _ in placed.values()}) == 16
    for (r, c), (_, (top, right, bottom, left)) in placed.items():
        assert (top == 0, right == 0) == (r == 0, c == 3)
        assert (bottom == 0, left == 0) == (r == 3, c == 0)
        assert c == 3 or right == placed[r, c + 1][1][3]
        assert r == 3 or bottom == placed[r + 1, c][1][0]


def test_partitioning_and_covers_have_their_hidden_solution() -> None:
    for seed in range(5):
        rng = random.Random(seed)
        assert drawn.partitioning(rng, 40, 60).solve() is not None
        assert drawn.random_cover(rng, 30, 4, 10).solve() is not None


def test_cubic_graphs_and_trees() -> None:
    edges = drawn.cubic_graph(random.Random(2), 10)
    ends = [vertex for edge in edges for vertex in edge]
    assert len(set(edges)) == 15
    assert all(ends.count(vertex) == 3 for vertex in range(10))
    assert models.perfect_matchings(drawn.random_tree(random.Random(1), 9)).count() == 0


def test_a_seed_draws_the_same_again() -> None:
    first, again, other = (list(drawn.draw_many(seed, 4)) for seed in (1, 1, 2))
    assert [one.family for one in first] == [family.name for family in drawn.FAMILIES[:4]]
    for one, two in zip(first, again, strict=True):
        assert list(one.problem.options) == list(two.problem.options)
    assert any(
        list(one.problem.options) != list(two.problem.options)
        for one, two in zip(first, other, strict=True)
    )


def test_who_had_the_answer() -> None:
    assert first_solutions.by_auto(models.queens(6)) == "in order"
    assert first_solutions.by_auto(models.queens(100)) == "restarts"
    assert first_solutions.by_auto(models.langford(21)) == "certificates"


def test_a_row_for_each_method(capsys: pytest.CaptureFixture[str]) -> None:
    problems = [drawn.Drawn("queens", f"queens {n}", models.queens(n)) for n in (6, 8, 100)]
    rows = first_solutions.untuned(problems, 100).split("\n")[2:]
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    assert [row[:3] for row in cells] == [
        ["in order", "2", "67 %"],
        ["restarts", "1", "33 %"],
        ["all", "3", "100 %"],
    ]
    assert cells[0][-1] == "queens 2"
    assert capsys.readouterr().err.count("queens") == 3


def test_the_worker_counts(tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    models.dominoes(4, 4).dump(file)
    run = subprocess.run([sys.executable, WORKER, "ours", file], capture_output=True, check=True)
    outcome = json.loads(run.stdout)
    assert outcome["answer"] == 36
    assert outcome["seconds"] > 0


def test_rows_say_who_is_late_and_whose_answers_differ() -> None:
    problem: Problem[object] = models.dominoes(2, 2)

    def cells(ours: counts.Times, ganak: counts.Times) -> list[str]:
        return [
            cell.strip() for cell in counts.row("name", problem, ours, ganak)[0].split("|")[3:-1]
        ]

    late = counts.Times([30.0], None, "over 30 s")
    fast, slow = counts.Times([1.0, 3.0, 2.0], 2), counts.Times([5.0], 2)
    assert cells(fast, slow) == ["2", "2 s", "5 s", "2.5x"]
    assert cells(fast, late) == ["2", "2 s", "over 30 s", ">15x"]
    assert cells(late, slow) == ["2", "over 30 s", "5 s", "<0.167x"]
    assert cells(late, late) == ["?", "over 30 s", "over 30 s", ""]
    assert cells(counts.Times([0.0], 2), counts.Times([0.5], 2))[-1] == "500000x"
    assert "differ" in cells(fast, counts.Times([5.0], 3))[-1]
