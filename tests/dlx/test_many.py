"""Many sets of givens at once are answered as they would be one by one, by any engine or worker."""

from __future__ import annotations

import functools
import gc
import itertools
import os
import random
import subprocess
import sys
import weakref
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import strategies as some
from bruteforce import Case
from example_problems import comparable
from hypothesis import given
from hypothesis import strategies as st
from internals import send_sets, source_of
from timeouts import cut_short

import dlx
from dlx.engines.registry import HEURISTICS

LIMITS = [0, 1, 2, 5, None]
KERNEL_WORKERS = [1, 2, 7]

XY = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"], "x2": ["a"]}).freeze()


def one_by_one(
    problem: dlx.Problem, sets: Sequence[Sequence[Any]], limit: int | None, **search: Any
) -> list[Any]:
    """What `solve_many` must say, from `solutions`; errors by their type and text."""
    answers: list[Any] = []
    for givens in sets:
        try:
            found = list(problem.solutions(given=givens, limit=limit, **search))
        except dlx.DLXError as error:
            answers.append((type(error), str(error)))
            continue
        answers.append((found[0] if found else None) if limit == 1 else found)
    return answers


@st.composite
def cases_and_sets(draw: st.DrawFn) -> tuple[Case, list[list[int]]]:
    """A problem and sets of givens: possible, clashing, repeated and unknown ones."""
    case = draw(st.one_of(some.cases(), some.large_cases()))
    options = st.integers(0, max(0, len(case.options) - 1))
    wild = options if draw(st.booleans()) else st.integers(-1, len(case.options) + 1)
    sets = draw(st.lists(st.lists(wild, max_size=3), max_size=20))
    solutions = list(case.problem().solutions(limit=3))
    if solutions:
        sets += draw(st.lists(some.parts_of_solutions(solutions).map(list), max_size=10))
    return case, draw(st.permutations(sets))


@given(
    cases_and_sets(),
    st.sampled_from(LIMITS),
    st.sampled_from([None, 1, 2]),
    st.integers(1, 9),
    st.sampled_from(HEURISTICS),
)
def test_as_one_by_one(
    engine: str,
    case_and_sets: tuple[Case, list[list[int]]],
    limit: int | None,
    seed: int | None,
    workers: int,
    heuristic: str,
) -> None:
    case, sets = case_and_sets
    problem = case.problem()
    bounded = 50 if limit is None else limit  # large cases can have millions
    order: dict[str, Any] = {"seed": seed, "heuristic": heuristic}
    expected = one_by_one(problem, sets, bounded, **order)
    search: dict[str, Any] = {**order, "engine": engine, "errors": "return"}
    search["workers"] = 1 if engine == "python" else workers
    assert comparable(problem.solve_many(sets, limit=bounded, **search)) == expected
    counts = comparable(problem.count_many(iter(sets), limit=bounded, **search))
    assert counts == [
        answer
        if isinstance(answer, tuple) and answer and isinstance(answer[0], type)
        else len(answer)
        if isinstance(answer, list)
        else int(answer is not None)
        for answer in expected
    ]


@given(some.cases(), st.integers(1, 4))
def test_all_solutions_of_many_sets(case: Case, workers: int) -> None:
    problem = case.problem()
    sets: list[list[int]] = [[], *([option] for option in range(len(case.options))), []]
    answers = list(problem.solve_many(sets, limit=None, workers=workers))
    assert answers == one_by_one(problem, sets, None)
    assert list(problem.count_many(sets, workers=workers)) == list(map(len, answers))


@pytest.mark.parametrize("workers", KERNEL_WORKERS)
def test_thousands_of_sets_stay_in_order(workers: int) -> None:
    """More sets than fit into any batch, with answers that differ."""
    problem = dlx.Problem.from_options(
        [["a", n] for n in range(500)], primary=["a"], secondary=range(500)
    )
    sets = [[n * 7 % 500] for n in range(20_000)]
    assert list(problem.solve_many(sets, workers=workers)) == [tuple(s) for s in sets]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_set_that_takes_many_slices(workers: int) -> None:
    """Answers before it are handed over while it has found a part of its own solutions."""
    grid = [[("row", r), ("column", c)] for r in range(9) for c in range(9)]
    problem = dlx.Problem.from_options(grid)
    expected = [list(problem.solutions(given=[9 * r])) for r in range(3)]
    sets = [[0], [1, 9], [18], [9]]
    answers = problem.solve_many(sets, limit=None, workers=workers)
    found = list(answers)
    assert found[0] == expected[0]
    assert found[1] == list(problem.solutions(given=[1, 9]))
    assert found[2:] == [expected[2], expected[1]]
    whole = problem.solve_many([[0, 10], []], limit=None, workers=workers)
    assert list(map(len, whole)) == [5040, 362_880]


@functools.cache
def squares_of_order(n: int) -> Any:
    """All Latin squares with cells in {0, ..., n - 1}, one a row. By brute force."""
    lines = np.array(list(itertools.permutations(range(n))), dtype=np.int8)
    squares = lines
    for row in range(1, n):
        clash = [
            (squares[:, above * n : (above + 1) * n] == line).any(axis=1)
            for line in lines
            for above in range(row)
        ]
        fits = ~np.array(clash).reshape(len(lines), row, len(squares)).any(axis=1)
        line, above = np.nonzero(fits)
        squares = np.hstack([squares[above], lines[line]])
    return squares


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("limit", [1, 2, None])
def test_sets_with_forbidden_options_and_errors_are_counted(
    limit: int | None, workers: int
) -> None:
    n = 5
    squares = squares_of_order(n)
    assert len(squares) == 161_280  # OEIS A002860
    problem = dlx.models.latin_square(n)
    draw = random.Random(0)
    sets: list[list[Any]] = []
    forbids: list[list[Any]] = []
    wanted: list[Any] = []
    for number in range(112):
        square = squares[draw.randrange(len(squares))]
        cells = draw.sample(range(n * n), draw.randint(4, 16))
        givens = [(*divmod(cell, n), int(square[cell]) + 1) for cell in cells[2:]]
        gone = [(*divmod(cell, n), int(square[cell]) + 1) for cell in cells[: number % 3]]
        gone = gone if number % 4 else []
        answer: Any = np.ones(len(squares), bool)
        for row, column, value in givens:
            answer &= squares[:, row * n + column] == value - 1
        for row, column, value in gone:
            answer &= squares[:, row * n + column] != value - 1
        answer = int(answer.sum()) if limit is None else min(int(answer.sum()), limit)
        if number % 7 == 0:
            givens = [*givens, (0, 0, 1), (0, 0, 2)]
            answer = dlx.GivenClash
        elif number % 7 == 3:
            givens = [*givens, (n, n, n)]
            answer = dlx.UnknownOption
        elif number % 7 == 5:
            gone = [*gone, givens[0]]
            answer = dlx.GivenClash
        sets.append(givens)
        forbids.append(gone)
        wanted.append(answer)
    for engine in ("bits", "auto"):
        answers = problem.count_many(
            sets, forbids=forbids, limit=limit, workers=workers, engine=engine, errors="return"
        )
        found = [type(one) if isinstance(one, dlx.DLXError) else one for one in answers]
        assert found == wanted


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("limit", [1, 2, None])
def test_sets_between_those_with_errors_are_counted(limit: int | None, workers: int) -> None:
    """With AVX-512, `bits` alternates between two searches, not those with forbidden options."""
    n = 10
    problem = dlx.models.latin_square(n)
    sets: list[list[Any]] = []
    forbids: list[list[Any]] = []
    for number in range(24):
        cells = [(row, column, (row + column) % n + 1) for row in range(n) for column in range(n)]
        hard = number % 8 == 5
        sets.append([] if hard else random.Random(number).sample(cells[1:], 70))
        if number % 8 == 2:
            sets[-1] += [(0, 0, 1), (0, 0, 2)]
        forbids.append(cells[:1] if number % 3 == 0 else [])
    answers = problem.count_many(
        sets,
        forbids=forbids,
        limit=limit,
        workers=workers,
        engine="bits",
        errors="return",
        timeout=0.05,
    )
    for givens, gone, answer in zip(sets, forbids, answers, strict=True):
        if isinstance(answer, dlx.SearchInterrupted):  # the others may, on a busy machine
            continue
        if (0, 0, 2) in givens:
            assert isinstance(answer, dlx.GivenClash)
            continue
        assert answer == problem.count(given=givens, forbid=gone, limit=limit, engine="links")


def test_a_set_with_forbidden_options_does_not_wait_for_those_after_it() -> None:
    n = 10
    problem = dlx.models.latin_square(n)
    cells = [(row, column, (row + column) % n + 1) for row in range(n) for column in range(n)]
    sets = [cells, cells[1:]] * 21 + [[]] * 200  # an empty one takes years
    forbids = [[], cells[:1]] * 21 + [[]] * 200
    with problem.count_many(sets, forbids=forbids, engine="bits", workers=1) as answers:
        assert [next(answers) for _ in range(42)] == [1, 0] * 21


def test_work_is_that_of_the_searches(engine: str) -> None:
    sets: list[list[str]] = [[], [], ["x"], ["x", "xy"], ["xy"]]
    expected = [XY.solutions(given=s, engine=engine) for s in (*sets[:3], sets[4])]
    for search in expected:
        list(search)
    with XY.solve_many(sets, limit=None, engine=engine, errors="return") as answers:
        assert len(list(answers)) == 5
        stats = answers.stats
    assert stats.nodes == sum(search.stats.nodes for search in expected)
    assert stats.updates == sum(search.stats.updates for search in expected)
    assert stats.solutions == 3 + 3 + 1 + 1
    assert sum(stats.profile) == stats.nodes
    assert stats.profile[0] == 4
    assert stats.seconds > 0


class TestForms:
    """The forms sets can have."""

    def test_names_and_indices(self, engine: str) -> None:
        numbered = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]])
        forms: list[Any] = [
            [0],
            (1,),
            range(1),
            {2},
            iter([0]),
            array("q", [1]),
            np.array([0]),
            [0.0],
        ]
        expected = [(0, 1), (1, 0), (0, 1), (2,), (0, 1), (1, 0), (0, 1), (0, 1)]
        assert list(numbered.solve_many(forms, engine=engine)) == expected
        mixed = dlx.Problem()
        for name in ("first", None, (2, 2)):
            mixed.add_option(["a"], name=name)
        assert list(mixed.solve_many([["first"], [1], [(2, 2)]], engine=engine)) == [
            ("first",),
            (1,),
            ((2, 2),),
        ]

    @pytest.mark.parametrize("kind", ["i", "q", "numpy32", "numpy64"])
    def test_arrays(self, engine: str, kind: str) -> None:
        def make(values: list[int]) -> Any:
            if kind.startswith("numpy"):
                return np.array(values, dtype=f"int{kind[5:]}")
            return array(kind, values)

        pair = (make([0, 0, 1, 3, 4]), make([2, 0, 2, 1]))
        answers = list(XY.solve_many(pair, engine=engine, errors="return"))
        assert answers[:2] == [("y", "x"), ("xy",)]
        assert isinstance(answers[2], dlx.GivenClash)
        assert answers[3:] == [("y", "x")]
        assert list(XY.count_many((make([0]), make([])), engine=engine)) == []

    def test_many_rows_of_arrays(self) -> None:
        start = array("i", range(30_001))
        options = array("i", [n % 4 for n in range(30_000)])
        expected = {0: ("x", "y"), 1: ("y", "x"), 2: ("xy",), 3: ("x2", "y")}
        answers = XY.solve_many((start, options), workers=2)
        assert list(answers) == [expected[n % 4] for n in range(30_000)]
        assert answers.exhausted

    @pytest.mark.parametrize(
        ("indptr", "indices", "words"),
        [
            ([0, 2, 1, 3], [0, 1, 2], "descends from 2 to 1 at 2"),
            ([1, 2], [0, 1], "goes from 1 to 2"),
            ([0, 1], [0, 1], "goes from 0 to 1"),
            ([], [0], "indptr is empty"),
            (np.array([[0, 1]]), [0], "has 2 dimensions"),
            (np.array([0.0, 1.0]), [0], "must hold integers"),
        ],
    )
    def test_arrays_that_cannot_be(self, indptr: Any, indices: Any, words: str) -> None:
        pair = (array("i", indptr) if isinstance(indptr, list) else indptr, array("i", indices))
        with pytest.raises(dlx.InvalidEntry, match=words):
            XY.solve_many(pair)

    def test_an_array_element_that_is_no_option(self, engine: str) -> None:
        pair = (array("i", [0, 1, 2, 3, 4]), array("i", [0, 4, -1, 2]))
        first, second, third, last = XY.solve_many(pair, engine=engine, errors="return")
        assert (first, last) == (("x", "y"), ("xy",))
        assert str(second) == "there is no option named 4"
        assert str(third) == "there is no option named -1"

    def test_no_sets(self, engine: str) -> None:
        assert list(XY.solve_many([], engine=engine)) == []

    def test_givens_that_are_none(self) -> None:
        for wrong in ("xy", b"xy", 5, None):
            with pytest.raises(dlx.UnknownOption, match="givens is "):
                XY.solve_many(wrong)  # type: ignore[call-overload]


class TestErrors:
    """Sets without an answer spoil none of the others."""

    SETS: list[Any] = [
        ["x"],
        ["x", "nonsense"],
        ["xy"],
        ["x", "xy"],
        "xy",
        7,
        [["x"]],
        ["y", "y"],
        [],
    ]
    TEXTS = [
        None,
        "there is no option named 'nonsense'",
        None,
        "the given options 'x' and 'xy' clash: both contain item 'a'",
        "'xy' is not a set of givens; give a list of option names",
        "7 is not a set of givens; give a list of option names",
        "there is no option named ['x']",
        "option 'y' is given twice",
        None,
    ]

    @pytest.mark.parametrize("workers", KERNEL_WORKERS)
    def test_returned(self, workers: int) -> None:
        self.check_returned("links", workers)

    def test_returned_by_every_engine(self, engine: str) -> None:
        self.check_returned(engine, 1)

    def check_returned(self, engine: str, workers: int) -> None:
        answers = list(XY.solve_many(self.SETS, errors="return", engine=engine, workers=workers))
        texts = [str(a) if isinstance(a, dlx.DLXError) else None for a in answers]
        assert texts == self.TEXTS
        assert [a for a in answers if not isinstance(a, dlx.DLXError)] == [
            ("x", "y"),
            ("xy",),
            ("y", "x"),
        ]

    def test_raised_in_their_turn(self, engine: str) -> None:
        answers = XY.solve_many(self.SETS, engine=engine)
        for position, text in enumerate(self.TEXTS):
            if text is None:
                assert isinstance(next(answers), tuple)
                continue
            with pytest.raises(dlx.DLXError) as caught:
                next(answers)
            assert caught.value.position == position
            assert str(caught.value) == f"givens[{position}]: {text}"
        assert next(answers, None) is None
        assert answers.exhausted

    def test_the_iterator_of_the_caller_fails(self, engine: str) -> None:
        def sets() -> Iterator[list[str]]:
            yield ["x"]
            yield ["y"]
            raise RuntimeError("no more")

        answers = XY.solve_many(sets(), engine=engine)
        assert [next(answers), next(answers)] == [("x", "y"), ("y", "x")]
        with pytest.raises(RuntimeError, match="no more"):
            next(answers)
        assert next(answers, None) is None

    def test_timeout(self, engine: str) -> None:
        answers = XY.solve_many([["xy"], []], timeout=0, limit=None, engine=engine)
        assert next(answers) == [("xy",)]  # found where the search began
        with pytest.raises(dlx.SearchInterrupted) as caught:
            next(answers)
        assert caught.value.position == 1
        assert str(caught.value).startswith("givens[1]: the search was cut short by its timeout")
        assert caught.value.stats.nodes == 1
        assert next(answers, None) is None

    def test_a_timeout_keeps_what_was_found(self) -> None:
        grid = [[("row", r), ("column", c)] for r in range(12) for c in range(12)]
        problem = dlx.Problem.from_options(grid)  # 12! solutions

        def ask(timeout: float) -> None:
            (answer,) = problem.solve_many([[]], limit=None, timeout=timeout, errors="return")
            assert isinstance(answer, dlx.SearchInterrupted)
            raise answer

        def count(timeout: float) -> None:
            found = problem.count_many([[]], engine="links", timeout=timeout, errors="return")
            (answer,) = found
            assert isinstance(answer, dlx.SearchInterrupted)
            raise answer

        error = cut_short(ask, lambda error: error.count > 0)
        assert error.count == len(error.solutions)
        assert error.solutions == tuple(problem.solutions(limit=error.count))
        error = cut_short(count, lambda error: error.count > 0)
        assert not error.solutions
        assert list(problem.count_many([[], []])) == [479001600, 479001600]  # by another method

    @pytest.mark.parametrize(
        ("search", "words"),
        [
            ({"workers": 0}, "workers is 0; it must be a number of threads from 1 to 1024"),
            ({"workers": 1025}, "workers is 1025; "),
            ({"workers": -1}, "workers is -1; "),
            ({"workers": 2.0}, "workers is 2.0; "),
            ({"workers": True}, "workers is True; "),
            ({"workers": 2, "engine": "python"}, "'python' uses one thread only"),
            ({"errors": "ignore"}, "errors is 'ignore'; it must be 'raise' or 'return'"),
            ({"limit": -1}, "limit is -1"),
            ({"timeout": "x"}, "timeout is 'x'"),
            ({"seed": "x"}, "seed is 'x'"),
            ({"engine": "steam"}, "there is no engine 'steam'"),
        ],
    )
    @pytest.mark.parametrize("question", ["solve_many", "count_many"])
    def test_wrong_arguments_are_refused_at_once(
        self, question: str, search: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(dlx.InvalidArgument, match=words):
            getattr(XY, question)([], **search)


class TestLaziness:
    """Answers come as they are found; nothing is read far ahead, nothing forgotten."""

    @pytest.mark.parametrize("workers", KERNEL_WORKERS)
    def test_an_endless_generator(self, workers: int) -> None:
        read = 0

        def sets() -> Iterator[list[str]]:
            nonlocal read
            for name in itertools.cycle(["x", "xy"]):
                read += 1
                yield [name]

        answers = XY.solve_many(sets(), workers=workers)
        assert next(answers) == ("x", "y")
        assert read <= 2 * workers
        assert [next(answers) for _ in range(9999)] == [("xy",), ("x", "y")] * 4999 + [("xy",)]
        assert read <= 10_000 + 1024 * (workers + 1)
        assert not answers.exhausted
        answers.close()
        assert next(answers, None) is None

    @pytest.mark.parametrize("errors", ["raise", "return"])
    @given(
        st.lists(st.sampled_from([["x"], ["xy"], ["x", "xy"], ["?"]]), max_size=40),
        st.lists(st.booleans(), max_size=40),
    )
    def test_answers_taken_in_bulk(
        self, errors: str, sets: list[list[str]], one_by_one: list[bool]
    ) -> None:
        """Mixed with `next`, the answers and errors are the same, in the same order."""

        def drawn(answers: dlx.Answers[Any], steps: Iterator[bool]) -> list[Any]:
            found: list[Any] = []
            while True:
                before = len(found)
                try:
                    if next(steps, True):
                        found.append(next(answers))
                    else:
                        answers.take(found)
                except StopIteration:
                    return found
                except dlx.DLXError as error:
                    found.append(error)
                if len(found) == before:
                    return found

        texts = [
            [str(one) for one in drawn(XY.count_many(sets, errors=errors), iter(steps))]
            for steps in ([], one_by_one)
        ]
        assert texts[0] == texts[1]
        assert len(texts[0]) == len(sets)

    def test_a_reader_of_sets(self, engine: str) -> None:
        """It is asked for a chunk at a time, never for more than the size of a chunk."""

        class Reader:
            def __init__(self) -> None:
                self.left = iter([["x"], ["xy"], ["x", "xy"], ["xy"]] * 500)
                self.asked: list[int] = []

            def __iter__(self) -> Iterator[list[str]]:
                return iter(())

            def read_sets(self, into: list[Any], count: int) -> None:
                self.asked.append(count)
                into.extend(itertools.islice(self.left, count))

        reader = Reader()
        answers = XY.count_many(reader, engine=engine, errors="return")
        assert next(answers) == 1
        assert reader.asked == [1]
        assert [one if isinstance(one, int) else type(one) for one in answers] == (
            [1, 1, dlx.GivenClash, 1] * 500
        )[1:]
        assert max(reader.asked) <= 1024

    def test_dropped_half_way(self) -> None:
        """Its threads end with it, though the first of them has work without end."""
        pigeons = [[("pigeon", i), ("hole", j)] for i in range(31) for j in range(30)]
        hopeless = dlx.Problem.from_options(
            [["start"], *pigeons], secondary=[("hole", j) for j in range(30)]
        )
        answers = hopeless.solve_many(itertools.repeat([]), workers=3)
        send_sets(answers)
        gone = weakref.ref(source_of(answers))
        del answers
        gc.collect()
        assert gone() is None

    def test_changes_come_too_late(self, engine: str) -> None:
        problem = dlx.Problem(["a"])
        problem.add_option(["a"], name="one")
        answers = problem.solve_many(
            [[], [], ["two"], []], limit=None, engine=engine, errors="return"
        )
        assert next(answers) == [("one",)]
        problem.add_option(["a"], name="two")
        second, third, fourth = answers
        assert (second, fourth) == ([("one",)], [("one",)])
        assert isinstance(third, dlx.UnknownOption)

    def test_close_and_with(self, engine: str) -> None:
        with XY.solve_many([["x"]] * 5, engine=engine) as answers:
            assert next(answers) == ("x", "y")
        assert list(answers) == []
        assert "of givens read" in repr(answers)

    def test_workers_none_is_as_many_as_there_are(self) -> None:
        assert list(XY.solve_many([["x"]] * 5, workers=None)) == [("x", "y")] * 5


OUT_OF_MEMORY = """
import resource, sys
import dlx
size = 300_000
problem = dlx.Problem.from_arrays(range(0, 3 * size + 1, 3), range(3 * size), items=3 * size)
problem.solve_many([[]], limit=0)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 20_000_000, -1))
answers = problem.count_many([[]] * 8, workers=int(sys.argv[1]), limit=0)
for _ in range(2):
    try:
        next(answers)
    except MemoryError:
        print("MemoryError")
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="ASan ends the process")
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.lengthy
def test_out_of_memory(workers: int) -> None:
    command = [sys.executable, "-P", "-c", OUT_OF_MEMORY, str(workers)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("MemoryError\nMemoryError\n", "", 0)
