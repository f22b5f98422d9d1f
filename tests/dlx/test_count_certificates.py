"""Certificates of counts, and their checker, which is independent of the rest."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from contextlib import suppress
from math import inf, prod
from pathlib import Path
from typing import Any

import known_counts
import pytest
from alarms import alarms
from bruteforce import Case, all_subsets
from commands import Run
from example_problems import written
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem, search_input
from known_counts import Known
from strategies import any_cases, any_large_cases, cases, parts_of_solutions, possible_givens
from timeouts import cut_short

import dlx
from dlx import models
from dlx.check import count as checker
from dlx.check.count import Count, Refused
from dlx.proofs.count import _head, numbered_lines


def writable(cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """Those that Knuth's format can hold: with a primary item."""
    return cases.filter(lambda case: case.primary)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("certificates") / "x.count")


def certified(problem: dlx.Problem, path: str, **keywords: Any) -> Count:
    """What the certificate proves; the answer of `count` is the same."""
    number = problem.count(proof=path, **keywords)
    proved = checker.check(numbered_lines(problem), checker.lines_of(path))
    assert number == (proved.solutions if proved.classes is None else proved.classes)
    return proved


# -- certificates of random problems -------------------------------------------------------------


@given(writable(any_cases()), st.data())
def test_small_problems(path: str, case: Case, data: st.DataObject) -> None:
    solutions = sorted(map(sorted, all_subsets(case)))
    chosen = data.draw(parts_of_solutions(solutions)) if solutions else ()
    others = sorted({*range(len(case.options))} - {*chosen})
    forbid = data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    problem = case.problem()
    proved = certified(problem, path, given=chosen, forbid=forbid)
    assert checker.check(written(problem).splitlines(), checker.lines_of(path)) == proved
    wanted = [one for one in solutions if {*chosen} <= {*one} and not {*forbid} & {*one}]
    assert proved.solutions == len(wanted)
    assert proved.forbidden == sorted(forbid)


@given(writable(any_large_cases()), st.data())
def test_larger_problems(path: str, case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    chosen = possible_givens(data, problem, None)
    assert certified(problem, path, given=chosen).solutions == problem.count(given=chosen)


@given(writable(any_cases()))
def test_classes_of_small_problems(path: str, case: Case) -> None:
    problem = case.problem()
    proved = certified(problem, path, distinct=True)
    assert proved.solutions == len(all_subsets(case))
    assert proved.classes == problem.count(distinct=True)


@pytest.mark.parametrize(
    ("problem", "keywords", "solutions", "classes"),
    [
        (models.queens(8), {}, 92, 12),
        (models.queens(6), {"given": [(0, 2)]}, 1, 1),
        (models.queens(6), {"forbid": [(0, 1), (0, 4)]}, 2, 1),
        (models.dominoes(4, 6), {}, 281, 98),
        (dlx.Problem.from_options([["a"], ["a"], ["a"]]), {}, 3, 1),
    ],
    ids=repr,
)
def test_classes(
    path: str, problem: dlx.Problem, keywords: Any, solutions: int, classes: int
) -> None:
    assert certified(problem, path, distinct=True, **keywords)[:2] == (solutions, classes)


def test_classes_under_rotations(path: str) -> None:
    assert certified(models.queens(8), path, distinct="rotations")[:2] == (92, 24)


@given(
    writable(any_cases(max_options=8) | cases(max_options=12)),
    st.booleans(),
    st.booleans(),
    st.data(),
)
def test_all_ways(case: Case, narrow: bool, isomorphic: bool, data: st.DataObject) -> None:
    """Also damaged names of options prove no wrong number."""
    problem = case.problem()
    lines = diagram(problem, narrow=narrow, isomorphic=isomorphic)
    solutions = len(all_subsets(case))
    assert checker.check(numbered_lines(problem), lines) == (solutions, None, [], [])
    names = [at for at, line in enumerate(lines) if ":" in line.partition(" ")[2] and at > 0]
    if names:
        at = data.draw(st.sampled_from(names))
        words = re.split(r"([:, ])", lines[at])
        places = [at for at, word in enumerate(words) if word.isdigit()]
        words[data.draw(st.sampled_from(places))] = words[data.draw(st.sampled_from(places))]
        lines[at] = "".join(words)
        with suppress(Refused):
            assert checker.check(numbered_lines(problem), lines).solutions == solutions


def diagram(problem: dlx.Problem, *, narrow: bool, isomorphic: bool) -> list[str]:
    """The lines of a certificate that is written in one of the ways."""
    kernel = kernel_problem(problem)
    order = kernel.narrow_order() if narrow else []
    work = kernel.count_certificate([], order, isomorphic, 2**30)
    text = _head(search_input(problem), []) + work.run(inf, 2**62).decode()
    assert work.finished
    number = int.from_bytes(work.solutions, "little")
    return f"{text}solutions {number}\nend\n".splitlines()


@pytest.mark.parametrize(
    ("problem", "solutions", "states"),
    [
        (models.latin_square(5), 161280, 50),
        (models.latin_square(6), 812851200, 222),
        (models.queens(8), 92, 123),
    ],
    ids=repr,
)
def test_isomorphic_states_are_few(problem: dlx.Problem, solutions: int, states: int) -> None:
    lines = diagram(problem, narrow=False, isomorphic=True)
    assert checker.check(numbered_lines(problem), lines).solutions == solutions
    assert len(lines) == states + 7  # with those before and after


# -- damage --------------------------------------------------------------------------------------

Lines = list[list[str]]


@st.composite
def damaged(draw: st.DrawFn, lines: Lines) -> Lines:
    """The lines after some changes of numbers, branches, words and whole lines."""
    lines = [[*line] for line in lines]
    words = sorted({word for line in lines[1:] for word in line})
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(lines) - 1))
        other = draw(st.integers(0, len(lines) - 1))
        place = draw(st.integers(0, len(lines[at]) - 1)) if lines[at] else 0
        kind = draw(st.sampled_from(["drop", "twice", "swap", "cut", "word", "less", "more"]))
        if kind == "drop":
            del lines[at]
        elif kind == "twice":
            lines.insert(other, [*lines[at]])
        elif kind == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == "cut":
            lines = lines[: at + 1]
        elif kind == "word":
            lines[at][place : place + 1] = [draw(st.sampled_from([*words, "-1", "0", "1", "2"]))]
        elif kind == "less":
            del lines[at][place : place + 1]
        else:
            lines[at].insert(place, draw(st.sampled_from(words)))
        if not lines:
            break
    return lines


@given(writable(any_cases(max_options=8)), st.booleans(), st.data())
def test_damage_proves_no_wrong_number(
    path: str, case: Case, distinct: bool, data: st.DataObject
) -> None:
    problem = case.problem()
    problem.count(proof=path, distinct=distinct)
    lines = [line.split() for line in Path(path).read_text().splitlines()]
    changed = data.draw(damaged(lines))
    try:
        proved = checker.check(written(problem).splitlines(), map(" ".join, changed))
    except Refused:
        return
    forbid = [option for option in proved.forbidden if option < len(case.options)]
    left = [option for option in range(len(case.options)) if option not in forbid]
    chosen = [left[option] for option in proved.given]
    right = [one for one in all_subsets(case) if one.issuperset(chosen) and not one & {*forbid}]
    assert proved.solutions == len(right)
    if proved.classes is not None:
        generators = [line[1:] for line in changed if line[:1] == ["generator"]]
        assert proved.classes == orbits(
            right, left, [[*map(int, line[: len(left)])] for line in generators]
        )


def orbits(solutions: list[frozenset[int]], left: list[int], generators: list[list[int]]) -> int:
    """The number of orbits of solutions under permutations of the options that are left."""
    classes = {solution: {solution} for solution in solutions}
    for images in generators:
        for solution in solutions:
            image = frozenset(left[images[left.index(option)]] for option in solution)
            union = classes[solution] | classes[image]
            classes.update(dict.fromkeys(union, union))
    return len({frozenset(union) for union in classes.values()})


FORGED = {
    "a branch is left out": ("a b / a / a / b", "root 1 / 1 1 2 / 2 2 0 / solutions 1"),
    "a branch is not dead": ("a b / a / a / b", "root 1 / 1 1 2 -2 / 2 2 0 / solutions 1"),
    "a branch is no solution": ("a b / a / b / b", "root 1 / 1 1 0 / solutions 1"),
    "a node has another state": (
        "a b | x / a / a x / b / b x",
        "root 1 / 1 1 2 2 / 2 2 0 0 / solutions 4",
    ),
    "two options become one": (
        "a b | x / a x / a / b / b x",
        "root 1 / 1 1 2 2:2,2 / 2 2 0 / solutions 2",
    ),
    "a map to other items": (
        "a b c | x / a x / a c / b x / b / b / c",
        "root 1 / 1 1 2 2:3,4,5 / 2 2 3 3 / 3 3 0 / solutions 4",
    ),
    "a map that forgets a secondary item": (
        "a b c | x y z / a y / a z / b y x / b z / b / c x / c",
        "root 1 / 1 1 2 2:3,4,5,6 / 2 2 3 3 / 3 3 0 0 / solutions 8",
    ),
    "a map that forgets a color": (
        "a b c | x y z / a y / a z / b y x:A / b z x:B / b / c x:B / c",
        "root 1 / 1 1 2 2:3,4,5,6 / 2 2 3 3 / 3 3 0 0 / solutions 8",
    ),
    "a map to other bounds": (
        "a 0:2|b / a b / a / b / b",
        "root 1 / 1 1 2 2:2,3 / 2 2 0 0 0 / solutions 6",
    ),
    "no symmetry": (
        "a b / a / a / b",
        "generator 0 2 1 / root 1 / 1 1 2 2 / 2 2 0 / solutions 2 / class 2 0 2 / classes 1",
    ),
    "a symmetry that moves a given option": (
        "a b / a / a / b / b",
        "given 0 / generator 1 0 2 3 / root 1 / 1 2 0 0 / solutions 2 / class 2 0 2 / classes 1",
    ),
    "classes without a given option": (
        "a b | u v w / a u / a w / b w / b w / b u / b u v",
        "given 0 / generator 0 1 3 2 4 5 / root 1 / 1 2 0 0 / solutions 2 / "
        "class 1 1 4 / class 1 1 5 / classes 2",
    ),
    "a class is left out": (
        "a b / a / a / b",
        "root 1 / 1 1 2 2 / 2 2 0 / solutions 2 / class 1 0 2 / classes 1",
    ),
    "a class is there twice": (
        "a b / a / a / b",
        "root 1 / 1 1 2 2 / 2 2 0 / solutions 2 / class 1 0 2 / class 1 0 2 / classes 1",
    ),
    "classes are counted wrongly": (
        "a b / a / a / b",
        "root 1 / 1 1 2 2 / 2 2 0 / solutions 2 / class 1 0 2 / class 1 1 2 / classes 1",
    ),
    "an option covers an item twice": ("a b / a*2 b / a b", "root 1 / 1 1 0 0 / solutions 2"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_certificates(name: str) -> None:
    """Each of them is refused by one of the tests of the checker, and by no other."""
    problem, lines = FORGED[name]
    rows = problem.split(" / ")
    primary, _, secondary = (words.split() for words in rows[0].partition(" | "))
    size = f"problem {len(primary)} {len(primary + secondary)} {len(rows) - 1}"
    given = [] if "given" in lines else ["given"]
    head = ["dlx proof: count certificate 1", size, "forbid"]
    with pytest.raises(Refused):
        checker.check(rows, [*head, *given, *lines.split(" / "), "end"])


@pytest.fixture(scope="module")
def queens(path: str) -> list[str]:
    """The lines of a certificate."""
    assert models.queens(5).count(proof=path, distinct=True) == 2
    return Path(path).read_text().splitlines()


def refusal(lines: list[str], problem: dlx.Problem | None = None) -> str:
    with pytest.raises(Refused) as caught:
        checker.check(written(problem or models.queens(5)).splitlines(), lines)
    return str(caught.value)


def test_every_prefix_is_refused(queens: list[str]) -> None:
    for end in range(len(queens)):
        assert f"line {end}" in refusal(queens[:end])
    assert checker.check(written(models.queens(5)).splitlines(), queens)[:2] == (10, 2)


def test_every_line_is_needed(queens: list[str]) -> None:
    for at in range(len(queens)):
        if not queens[at].startswith("generator"):
            refusal(queens[:at] + queens[at + 1 :])


def test_every_number_counts(queens: list[str]) -> None:
    """No number of a diagram can be made larger, but for names of nodes that nothing else has."""
    first = next(at for at, line in enumerate(queens) if line.startswith("root"))
    last = next(at for at, line in enumerate(queens) if line.startswith("classes"))
    for at in range(first, last + 1):
        words = queens[at].split()
        for place, word in enumerate(words):
            if word.lstrip("-").isdigit():
                larger = [*words[:place], str(int(word) + 100), *words[place + 1 :]]
                refusal([*queens[:at], " ".join(larger), *queens[at + 1 :]])


def test_other_problems_are_refused(queens: list[str]) -> None:
    assert "another problem" in refusal(queens, models.queens(6))
    problem = models.queens(5)
    shuffled = dlx.Problem([*problem.items[:10]], [*problem.items[10:]])
    for option in [*problem.options][::-1][1:] + [*problem.options][-1:]:
        shuffled.add_option(option)
    refusal(queens, shuffled)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "list index"),
        ("a a\na", "same name"),
        ("a | x\nx", "no primary item"),
        ("a | x\na a", "twice"),
        ("a | x\na:B", "a:B is wrong"),
        ("a | x\na x*2", "x*2 is wrong"),
        ("a | x\na*0", "a*0 is wrong"),
        ("a | x\nb", "'b'"),
    ],
)
def test_invalid_problems(text: str, message: str, queens: list[str]) -> None:
    with pytest.raises(Refused) as caught:
        checker.check(text.splitlines(), queens)
    assert message in str(caught.value)


# -- known numbers -------------------------------------------------------------------------------


LONG = {
    "pentominoes(5, 12)",
    "pentominoes(6, 10)",
    "pentominoes in a box of 2 x 3 x 10",
    "queen_domination(7, 4)",
}
"""Those that take more than two seconds: benchmarks/count_certificates.py has them."""


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "known",
    [one for one in [*known_counts.ALL, *known_counts.MULTIPLE] if one.name not in LONG],
    ids=lambda known: known.name,
)
def test_published_numbers(known: Known, path: str) -> None:
    assert certified(known.build(), path).solutions == known.solutions


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("problem", "solutions"),
    [
        (models.queens(12), 14200),  # OEIS A000170
        (models.langford(11), 2 * 17792),  # OEIS A014552
        (models.dominoes(12, 12), 53060477521960000),  # OEIS A004003
        (models.dominoes(16, 16), 2444888770250892795802079170816),
        (models.latin_square(6), 812851200),  # OEIS A002860
        (models.latin_square(7), 61479419904000),
        (models.matchings(16), prod(range(1, 32, 2))),  # OEIS A001147
        (models.graph_coloring(models.petersen_graph(), 6), 3868080),
    ],
    ids=repr,
)
def test_numbers_that_nobody_lists(problem: dlx.Problem, solutions: int, path: str) -> None:
    assert certified(problem, path).solutions == solutions


def test_numbers_of_many_digits(path: str) -> None:
    """Python limits the digits of str(number)."""
    problem = dlx.Problem.from_options([[item] for item in range(1100) for _ in range(4)])
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert certified(problem, path).solutions == 4**1100
    finally:
        sys.set_int_max_str_digits(before)


# -- keywords and files --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"engine": "bits"}, "leave out engine"),
        ({"heuristic": "weighted"}, "leave out heuristic"),
        ({"seed": 1}, "leave out seed"),
        ({"limit": 3}, "leave out limit"),
        ({"node_limit": 3}, "leave out node_limit"),
        ({"workers": 2}, "leave out workers or executor"),
        ({"checkpoint": "x.db"}, "leave out checkpoint"),
        ({"part": models.queens(5).split(2)[0]}, "leave out part"),
        ({"proof": "x.drat"}, "the suffix .count"),
        ({"proof": 5}, "proof is 5"),
        ({"progress": 5}, "progress is 5"),
    ],
)
def test_wrong_keywords(path: str, keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(dlx.InvalidArgument, match=message):
        models.queens(5).count(**{"proof": path, **keywords})


def test_too_many_solutions_for_classes(tmp_path: Path) -> None:
    path = tmp_path / "x.count"
    with pytest.raises(dlx.InvalidArgument, match=r"all 12988816 solutions .* 5000000 at most"):
        models.dominoes(8, 8).count(proof=path, distinct=True)
    assert not path.exists()


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.count"
    path.write_text("my counts")
    with pytest.raises(dlx.InvalidArgument, match="choose another file"):
        models.queens(5).count(proof=path)
    assert path.read_text() == "my counts"


def test_packed_certificates(tmp_path: Path) -> None:
    path = tmp_path / "x.count.gz"
    assert certified(models.queens(6), str(path)).solutions == 4
    packed = path.read_bytes()
    assert gzip.decompress(packed).endswith(b"solutions 4\nend\n")
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(EOFError):
        checker.check(numbered_lines(models.queens(6)), checker.lines_of(str(path)))


def test_a_timeout_leaves_a_beginning(tmp_path: Path) -> None:
    path = tmp_path / "x.count"
    long = models.dominoes(16, 17)
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        long.count(proof=path, timeout=0)
    error = cut_short(lambda timeout: long.count(proof=path, timeout=timeout))
    assert error.count < long.count()
    if path.exists():
        with pytest.raises(Refused, match="it ends after line"):
            checker.check(numbered_lines(long), checker.lines_of(str(path)))


def test_ctrl_c(tmp_path: Path) -> None:
    with alarms() as alarm, alarm.expected():
        models.pentominoes(6, 10).count(proof=tmp_path / "x.count")


def test_the_memory_limit_is_kept(tmp_path: Path) -> None:
    with pytest.raises(dlx.DiagramTooLarge, match="more than memory_limit=1048576 bytes") as caught:
        models.langford(9).count(proof=tmp_path / "x.count", memory_limit="1 MiB")
    assert caught.value.nodes > 0
    with pytest.raises(dlx.DiagramTooLarge):  # its tables alone are larger
        models.latin_square(12).count(proof=tmp_path / "x.count", memory_limit="1 MiB")


def test_progress_is_reported(tmp_path: Path) -> None:
    seen: list[dlx.SearchProgress] = []
    problem = models.queens(10)
    while not seen:  # until it takes longer than the interval between two reports
        assert problem.count(proof=tmp_path / "x.count", progress=seen.append) in (724, 2680, 14200)
        problem = models.queens(len(problem.primary) // 2 + 1)
    assert seen[-1].nodes > 0
    assert seen[-1].fraction is None


def test_the_plan() -> None:
    plan = models.queens(6).plan("count", proof="x.count")
    assert plan.methods == ("certificate",)


# -- commands ------------------------------------------------------------------------------------


def test_the_commands(run: Run, tmp_path: Path) -> None:
    problem, certificate = str(tmp_path / "x.dlx"), str(tmp_path / "x.count")
    models.queens(6).dump(problem)
    assert run("count", problem, "--proof", certificate, "--quiet").out == "4\n"
    assert run("check-count", problem, certificate).out == "proved: 4 solutions\n"
    assert run("check-count", problem, certificate, "--json").out == (
        '{"solutions": 4, "classes": null, "given": [], "forbidden": []}\n'
    )
    run("count", problem, "--proof", certificate, "--distinct", "--given", "1", "--quiet")
    assert run("check-count", problem, certificate).out == (
        "proved: 1 solution in 1 class, with options 1\n"
    )
    text = Path(certificate).read_text()
    Path(certificate).write_text(text.replace("solutions 1", "solutions 2"))
    refused = run("check-count", problem, certificate, status=2).err
    assert "the certificate is refused: line" in refused
    problem = str(tmp_path / "x.json")
    models.queens(6).dump(problem)
    run("count", problem, "--proof", certificate, "--forbid", "0", "--quiet")
    assert run("check-count", problem, certificate).out == (
        "proved: 4 solutions, without options 0\n"
    )


def test_the_checker_is_a_program_by_itself(tmp_path: Path) -> None:
    problem, certificate = tmp_path / "x.dlx", tmp_path / "x.count.gz"
    models.queens(6).dump(problem)
    models.queens(6).count(proof=certificate)
    copy = tmp_path / "count.py"
    source = Path(checker.__file__).read_text()
    copy.write_text(source)
    assert len(source.splitlines()) <= 300
    command = [sys.executable, "-I", str(copy), str(problem), str(certificate)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "solutions: 4, classes: None, given: [], forbidden: []\n"
    models.queens(7).dump(problem)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "it is about another problem" in done.stderr
