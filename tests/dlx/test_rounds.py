"""`count_many` where the kernel counts in rounds, with dominance (bits/rounds/loop.hpp).

Its tree is another one than that of `links`, so that only the counts are compared. That it is the
same on each instruction set is a test of test_simd.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import strategies as some
from bruteforce import Case, all_subsets
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem
from timeouts import cut_short, simulated_clock

import dlx
import sudoku
from dlx import models

LIMITS = [0, 1, 2, 3, 10, None]
EASTER_MONSTER = (  # one of the hardest known, 2007
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
)


def padded(case: Case) -> tuple[dlx.Problem, int]:
    """A problem with 291 more items, so that it is laid out in slices, and an option to be given.

    Each of the other items has one option, only "many" has twelve. They are in the middle, because
    a round takes the first and the last forced item.
    """
    half = len(case.primary) // 2
    many = [("many",)] * 12
    fillers = [(("filler", n),) for n in range(290)]
    problem = dlx.Problem.from_options(
        [*case.options, *many, *fillers],
        primary=[
            *case.primary[:half],
            "many",
            *(filler for (filler,) in fillers),
            *case.primary[half:],
        ],
        secondary=case.secondary,
    )
    return problem, len(case.options) + 5


def counts(problem: dlx.Problem, sets: list[list[int]], **search: object) -> list[object]:
    """The answers of `count_many`, errors by their type."""
    answers = problem.count_many(sets, errors="return", **search)  # type: ignore[call-overload]
    return [type(answer) if isinstance(answer, Exception) else answer for answer in answers]


@pytest.mark.parametrize("engine", ["auto", "bits"])
@given(
    st.one_of(some.cases(), some.large_cases()),
    st.data(),
    st.sampled_from(LIMITS),
    st.integers(1, 3),
)
def test_as_a_search_without_the_padding(
    engine: str, case: Case, data: st.DataObject, limit: int | None, workers: int
) -> None:
    """Sets of givens may clash; options may clash by the color of a secondary item only."""
    options = st.integers(0, max(0, len(case.options) - 1))
    size = 3 if case.options else 0
    sets = data.draw(st.lists(st.lists(options, max_size=size), min_size=1, max_size=5))
    small = case.problem()
    bounded = 50 if limit is None and len(case.options) > 12 else limit
    expected = counts(small, sets, limit=bounded, engine="links")
    problem, chosen = padded(case)
    sets = [[*given_set, chosen] for given_set in sets]
    assert counts(problem, sets, limit=bounded, engine=engine, workers=workers) == expected
    whole = all_subsets(case) if len(case.options) <= 8 else None
    if whole is not None:
        assert counts(problem, [[chosen]], engine=engine) == [len(whole)]
        assert counts(problem, [[]], engine=engine) == [12 * len(whole)]


@pytest.mark.parametrize("order", [10, 11])
@given(st.integers(0, 2**32), st.sampled_from(LIMITS[1:-1]), st.integers(1, 3))
def test_latin_squares(order: int, seed: int, limit: int, workers: int) -> None:
    """States in registers (10 options an item) and in memory (11); many branches and dead ends.

    The first square of a set is a part of a whole one, the others have numbers that do not belong.
    """
    rng = random.Random(seed)
    rows, columns, numbers = (rng.sample(range(order), order) for _ in range(3))
    squares = []
    for wrong in range(3):
        square = [[0] * order for _ in range(order)]
        for r, c in rng.sample([(r, c) for r in range(order) for c in range(order)], 7 * order):
            square[r][c] = numbers[(rows[r] + columns[c]) % order] + 1
        blanks = [(r, c) for r in range(order) for c in range(order) if not square[r][c]]
        for r, c in rng.sample(blanks, 2 * wrong):
            fitting = set(range(1, order + 1)) - set(square[r]) - {row[c] for row in square}
            if fitting:
                square[r][c] = min(fitting)
        squares.append(square)
    sets = [
        [(r, c, square[r][c]) for r in range(order) for c in range(order) if square[r][c]]
        for square in squares
    ]
    problem = models.latin_square(order)
    expected = [models.latin_square(order, square).count(limit=limit) for square in squares]
    assert list(problem.count_many(sets, limit=limit, engine="bits", workers=workers)) == expected


@pytest.mark.parametrize("order", [10, 11])
def test_many_solutions(order: int) -> None:
    """Where solutions are plenty, the search branches freely; it counts each of them once."""
    rng = random.Random(order)
    square = [(r, c, (r + c) % order + 1) for r in range(order) for c in range(order)]
    sets = [rng.sample(square, len(square) * percent // 100) for percent in (60, 55, 52, 50) * 2]
    problem = models.latin_square(order)
    counts = list(problem.count_many(sets, limit=3000, engine="bits"))
    assert counts == list(problem.count_many(sets, limit=3000, engine="links"))
    assert any(100 < count < 3000 for count in counts)


def test_wide_slices() -> None:
    """1024 items: two vectors a slice."""
    layout = sudoku.Layout(4, 4)
    letters = "123456789ABCDEFG"
    solved = [letters[(4 * (r % 4) + r // 4 + c) % 16] for r in range(16) for c in range(16)]
    rng = random.Random(1)
    puzzles = []
    for _ in range(20):
        puzzle = list(solved)
        for cell in rng.sample(range(256), 120):
            puzzle[cell] = "."
        puzzles.append("".join(puzzle))
    answers = list(sudoku.count_many(puzzles, layout=layout, limit=3, engine="bits"))
    assert answers == [
        sudoku.count(sudoku.parse(puzzle, layout), limit=3, engine="links") for puzzle in puzzles
    ]
    assert len(set(answers)) > 1


@pytest.mark.parametrize(("color", "expected"), [("red", 1), ("blue", 0)])
def test_two_forced_options_that_clash(color: str, expected: int) -> None:
    """In a secondary item only, so that they cover no item twice."""
    case = Case(
        ("a", "b"),
        ("s",),
        (("a", dlx.colored("s", "red")), ("b", dlx.colored("s", color))),
    )
    problem, chosen = padded(case)
    assert kernel_problem(problem).bits_layout("bits") == "slices"
    assert list(problem.count_many([[chosen]], engine="bits")) == [expected]


def nine_digits() -> dlx.Problem:
    return dlx.Problem.from_options(
        {
            (r, c, d): [(r, c), ("row", r, d), ("column", c, d), ("box", r // 3, c // 3, d)]
            for r in range(9)
            for c in range(9)
            for d in range(1, 10)
        }
    )


def easter_monster(rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int, int]]:
    """The puzzle with its rows and columns in these places."""
    cells = enumerate(EASTER_MONSTER)
    return [(rows[at // 9], columns[at % 9], int(digit)) for at, digit in cells if digit != "."]


def test_dominance_wherever_the_options_are() -> None:
    """What is removed depends on the places of options, whether it may be does not."""
    rng = random.Random(0)

    def lines() -> list[int]:
        return [
            3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)
        ]

    sets = [easter_monster(lines(), lines()) for _ in range(300)]
    assert list(nine_digits().count_many(sets, engine="bits")) == [1] * 300


class TestWork:
    """What `Answers.stats` and errors tell of it."""

    def test_nodes_by_depth(self) -> None:
        answers = models.latin_square(10).count_many([[], [(0, 0, 1)]] * 3, limit=2, engine="bits")
        assert list(answers) == [2] * 6
        stats = answers.stats
        assert sum(stats.profile) == stats.nodes
        assert stats.profile[0] == 6
        assert stats.solutions == 12
        assert stats.updates > 0

    @pytest.mark.parametrize(
        ("line", "part"),
        [
            (
                "........1.......23..4..5.........6......2.....3.17.........458......6...91......7",
                0.4,
            ),
            (EASTER_MONSTER, 0.5),
        ],
    )
    def test_the_tree_is_smaller(self, line: str, part: float) -> None:
        """By dominance, for 17 givens; by the choice of the item to branch on, for the hardest."""
        cells = enumerate(line)
        clues = [(at // 9, at % 9, int(digit)) for at, digit in cells if digit != "."]
        whole = nine_digits()
        search = whole.solutions(given=clues, engine="bits")
        assert len(list(search)) == 1
        answers = whole.count_many([clues], engine="bits")
        assert list(answers) == [1]
        assert answers.stats.nodes < part * search.stats.nodes

    def test_a_timeout(self) -> None:
        problem = models.latin_square(11)

        def ask(timeout: float) -> None:
            (answer,) = problem.count_many([[]], timeout=timeout, engine="bits", errors="return")
            raise answer  # type: ignore[misc]

        error = cut_short(ask, lambda error: error.count)
        assert error.stats.nodes > error.count > 0
        assert sum(error.stats.profile) == error.stats.nodes

    def test_no_time_at_all(self) -> None:
        problem = models.latin_square(10)
        (answer,) = problem.count_many([[]], timeout=0, engine="bits", errors="return")
        assert isinstance(answer, dlx.SearchInterrupted)
        assert list(problem.count_many([[]], limit=0, timeout=0, engine="bits")) == [0]


class TestTwoByTurns:
    """A thread runs two searches at a time; nothing of that is seen from outside."""

    def squares(self, sizes: list[int], seed: int) -> list[list[tuple[int, int, int]]]:
        """Parts of Latin squares of order 10, `size` rows of blanks each; 0: two givens clash."""
        rng = random.Random(seed)
        sets = []
        for size in sizes:
            shift = rng.randrange(10)
            cells = [(r, c, (r + c + shift) % 10 + 1) for r in range(10) for c in range(10)]
            sets.append(rng.sample(cells, 100 - 10 * size) if size else [(0, 0, 1), (0, 1, 1)])
        return sets

    @given(st.lists(st.integers(0, 7), max_size=12), st.integers(0, 2**32), st.integers(1, 3))
    def test_as_one_by_one(self, sizes: list[int], seed: int, workers: int) -> None:
        """The same answers and the same work, whatever a search has for company."""
        problem = models.latin_square(10)
        sets = self.squares(sizes, seed)
        search = {"limit": 40, "engine": "bits", "errors": "return"}
        together = problem.count_many(sets, workers=workers, **search)
        alone = [problem.count_many([given_set], **search) for given_set in sets]
        expected = [next(answers) for answers in alone]
        answers = list(together)
        assert list(map(str, answers)) == [
            str(answer).replace("givens[0]", f"givens[{n}]") for n, answer in enumerate(expected)
        ]
        for n, answer in enumerate(answers):
            if sizes[n] == 0:
                assert isinstance(answer, dlx.GivenClash)
                assert answer.position == n
        assert together.stats.nodes == sum(one.stats.nodes for one in alone)
        assert together.stats.updates == sum(one.stats.updates for one in alone)
        assert together.stats.solutions == sum(one.stats.solutions for one in alone)

    def test_answers_before_a_long_search_come_first(self) -> None:
        problem = models.latin_square(10)
        short = self.squares([3], 1)[0]
        with problem.count_many([short, short, [], short], engine="bits") as answers:
            assert next(answers) == next(answers) > 0

    def test_timeouts_in_their_places(self) -> None:
        """Both searches run out of time, while shorter ones begin and end."""
        problem = models.latin_square(10)
        short, clash = self.squares([2, 0], 1)
        sets = [short, [], clash, short, [], [], short, clash, short]
        with simulated_clock(1_000_000):
            answers = list(problem.count_many(sets, timeout=0.3, engine="bits", errors="return"))
        count = problem.count(given=short)
        assert [getattr(answer, "position", answer) for answer in answers] == [
            count if given_set is short else n for n, given_set in enumerate(sets)
        ]
        late = [answer for answer in answers if isinstance(answer, dlx.SearchInterrupted)]
        assert [answer.position for answer in late] == [1, 4, 5]
        assert all(answer.stats.nodes > answer.count > 0 for answer in late)
        assert all(answer.stats.seconds >= 0.3 for answer in late)


def test_the_work_of_a_list_is_that_of_its_puzzles() -> None:
    """Whatever depths the search before came to: the puzzles have few givens or many."""
    draw = random.Random(5)
    solved = sudoku.random_grid(seed=5).line
    lines = []
    for number in range(40):
        blanks = draw.sample(range(81), draw.choice([0, 3, 30, 45, 60]))
        lines.append("".join("." if n in blanks else c for n, c in enumerate(solved)))
        if number % 5 == 0:
            lines[-1] = EASTER_MONSTER
    sets = [
        [(n // 9 + 1, n % 9 + 1, int(c)) for n, c in enumerate(line) if c != "."] for line in lines
    ]
    problem = sudoku.cover()

    def work(several: list[list[tuple[int, int, int]]]) -> tuple[int, ...]:
        with problem.count_many(several, limit=2, engine="bits") as answers:
            assert len(list(answers)) == len(several)
            nodes, updates, solutions, profile, *_ = answers.stats
        assert sum(profile) == nodes
        return updates, solutions, *profile, *[0] * (400 - len(profile))

    assert work(sets) == tuple(map(sum, zip(*(work([one]) for one in sets), strict=True)))
