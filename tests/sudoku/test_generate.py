"""`generate` and `generate_many`: unique, minimal, symmetric, and a function of the seed."""

from __future__ import annotations

import itertools
import pickle
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sudoku_strategies as some
from alarms import ProfiledCtrlC
from hypothesis import given, settings
from hypothesis import strategies as st

import dlx
import sudoku
from sudoku import SYMMETRIES, Grid, Layout, LayoutError, NoPuzzle, NoSolution, PuzzleError
from sudoku.analysis import oracle
from sudoku.generation import grids, other_solutions, uniqueness
from sudoku.generation.other_solutions import OtherChecks, OtherSolutions
from sudoku.generation.uniqueness import BatchScheduler, CheckOptions, PuzzleCoroutine
from sudoku.hinting.position import Position
from sudoku.hinting.rating import taken
from sudoku.hinting.registry import RATING_TECHNIQUES
from sudoku.rules.layouts import named
from sudoku.solving.deadline import Deadline, timed_out

QUICK = [Layout(2, 2), Layout(2, 3), Layout(3, 2), Layout(1, 5), Layout(2, 4), Layout(3, 3)]
TURNED = {  # what each symmetry does to a place, in a square whose last row and column are `last`
    "none": [],
    "rotation-2": [lambda r, c, last: (last - r, last - c)],
    "rotation-4": [lambda r, c, last: (c, last - r)],
    "mirror": [lambda r, c, last: (r, last - c)],
    "diagonal": [lambda r, c, last: (c, r)],
    "full": [lambda r, c, last: (c, last - r), lambda r, c, last: (r, last - c)],
}

few = settings(max_examples=20, deadline=None)


def solutions_of(puzzle: Grid) -> int:
    """How many, up to 2, by a backtracker that knows nothing of exact cover."""
    layout = puzzle.layout
    found = oracle.fewest_first(
        puzzle.cells, layout.box_rows, layout.box_columns, limit=2, node_limit=None
    )
    return len(found.solutions)


def orbits_of(puzzle: Grid, symmetry: str) -> set[frozenset[int]]:
    """The sets of cells that go together."""
    side = puzzle.layout.side
    orbits = []
    for cell in range(side * side):
        orbit, todo = {divmod(cell, side)}, [divmod(cell, side)]
        while todo:
            row, column = todo.pop()
            for turn in TURNED[symmetry]:
                place = turn(row, column, side - 1)
                if place not in orbit:
                    orbit.add(place)
                    todo.append(place)
        orbits.append(frozenset(row * side + column for row, column in orbit))
    return set(orbits)


def without(puzzle: Grid, cells: Any) -> Grid:
    left = (0 if cell in cells else digit for cell, digit in enumerate(puzzle.cells))
    return Grid.from_cells(tuple(left), puzzle.layout)


@few
@given(st.sampled_from(QUICK), st.sampled_from(SYMMETRIES), st.integers(0, 2**60))
def test_unique_minimal_and_symmetric(layout: Layout, symmetry: str, seed: int) -> None:
    puzzle = sudoku.generate(layout, symmetry=symmetry, seed=seed)
    assert puzzle.layout is layout
    assert solutions_of(puzzle) == 1
    for orbit in orbits_of(puzzle, symmetry):
        given_cells = {cell for cell in orbit if puzzle.cells[cell]}
        assert given_cells in (set(), orbit)
        if given_cells:
            assert solutions_of(without(puzzle, orbit)) == 2


def test_every_symmetry_of_9x9() -> None:
    for symmetry in SYMMETRIES:
        puzzle = sudoku.generate(symmetry=symmetry, seed=7)
        for orbit in orbits_of(puzzle, symmetry):
            assert len({bool(puzzle.cells[cell]) for cell in orbit}) == 1


@few
@given(st.integers(0, 2**60), st.integers(1, 3), st.sampled_from(SYMMETRIES))
def test_the_same_seed_makes_the_same(seed: int, workers: int, symmetry: str) -> None:
    layout = Layout(2, 3)
    first = sudoku.generate(layout, symmetry=symmetry, seed=seed)
    for engine in ("links", "auto"):
        assert sudoku.generate(layout, symmetry=symmetry, seed=seed, engine=engine) == first
    made = sudoku.generate_many(5, layout, symmetry=symmetry, seed=seed)
    many = list(made)
    assert many[0] == first
    again = sudoku.generate_many(5, layout, symmetry=symmetry, seed=made.seed, workers=workers)
    assert list(again) == many
    assert again.made == 5


def test_made_on_every_machine() -> None:
    """Puzzles that were made before: another version must not make others from the same seeds."""
    made = [
        sudoku.generate(Layout(2, 2), seed=1),
        sudoku.generate(Layout(2, 3), symmetry="rotation-2", seed=1),
        sudoku.generate(seed=1),
        sudoku.random_grid(seed=1),
        sudoku.random_grid(Layout(2, 3), seed=1),
    ]
    assert [grid.line for grid in made] == [
        "3.2..........3.4",
        "..4.1......3.3.6....5.3.2......4.5..",
        "2...3.1.49.......8.4.....5..8..6.47....25...6.2.8.4.1.5..7...81...9.....4...85..9",
        "435276189186395247729418536647523918398741625512869374854632791973154862261987453",
        "465312231654342165516243653421124536",
    ]


def results_of(made: sudoku.Generated) -> list[Grid | str]:
    """The puzzles, or why there is none."""
    results: list[Grid | str] = []
    while True:
        try:
            results.append(next(made))
        except NoPuzzle as error:
            results.append(str(error))
        except StopIteration:
            return results


@given(st.sampled_from([Layout(2, 3), Layout(3, 3), named("hyper")]), st.integers(0, 2**60))
@settings(max_examples=6, deadline=None)
def test_searches_for_other_solutions_make_the_same(layout: Layout, seed: int) -> None:
    """They are meant for large grids only, where this comparison takes long."""
    some_givens: dict[str, Any] = {"clues": layout.size * 2 // 5, "minimal": False}
    for wanted in ({}, some_givens):
        lines = sudoku.generate(layout, seed=seed, engine="links", **wanted)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(other_solutions, "CELLS", range(300))
            patch.setattr(sys.modules["sudoku.generation.minimize"], "FAILED", 1 + seed % 8)
            assert sudoku.generate(layout, seed=seed, **wanted) == lines
            assert next(iter(sudoku.generate_many(2, layout, seed=seed, **wanted))) == lines


def test_other_solutions_of_a_large_grid() -> None:
    layout = Layout(4, 4)
    assert other_solutions.suits_other_solutions(layout, "auto")
    puzzle = sudoku.generate(layout, seed=4)
    full = sudoku.solve(puzzle).line
    givens = [cell for cell, digit in enumerate(puzzle.cells) if digit]
    extra = next(cell for cell, digit in enumerate(puzzle.cells) if not digit)
    line = puzzle.line[:extra] + full[extra] + puzzle.line[extra + 1 :]
    search = OtherSolutions(layout, full, givens[:20])
    counts = search.counts(line, [extra, *givens[20:]], Deadline(None))
    expected = [line[:cell] + "." + line[cell + 1 :] for cell in (extra, *givens[20:])]
    assert counts == list(sudoku.count_many(expected, layout=layout, limit=2))
    assert counts[0] == 1
    with pytest.raises(dlx.SearchInterrupted):
        search.counts(line, givens[20:], Deadline(0))


def test_checks_at_the_deadline_are_repeated() -> None:
    class Interrupted(OtherSolutions):
        def __init__(self) -> None:
            self.calls = 0

        def counts(self, line: str, cells: Any, deadline: Deadline) -> list[int]:
            self.calls += 1
            if self.calls == 2:
                raise timed_out()
            return [self.calls]

    def make(number: int) -> PuzzleCoroutine[str]:
        sent = []
        for _ in range(3):
            sent += yield OtherChecks(search, "." * 16, [0])
        return "".join(map(str, sent))

    search = Interrupted()
    scheduler = BatchScheduler(make, 0, 1, CheckOptions(Layout(2, 2), "auto", Deadline(None)))
    assert scheduler.peek() == "134"


def test_an_executor_makes_the_same() -> None:
    wanted: dict[str, Any] = {"clues": 5, "attempts": 3, "seed": 9}
    expected = results_of(sudoku.generate_many(40, Layout(2, 2), **wanted))
    assert len(expected) == 40
    assert {type(result) for result in expected} == {Grid, str}
    with ThreadPoolExecutor(2) as executor:
        made = sudoku.generate_many(40, Layout(2, 2), **wanted, executor=executor)
        assert results_of(made) == expected
        endless = sudoku.generate_many(layout=Layout(2, 2), seed=9, executor=executor)
        assert [puzzle.line for puzzle in itertools.islice(endless, 3)]
        endless.close()
        assert list(endless) == []
        with pytest.raises(
            dlx.InvalidArgument, match="timeout cannot be combined with an executor"
        ):
            sudoku.generate_many(1, executor=executor, timeout=1)


class Counting(ThreadPoolExecutor):
    """Says that it has many workers, and counts what they are given to do."""

    def __init__(self, workers: int) -> None:
        super().__init__(2)
        self._max_workers = workers
        self.tasks = 0

    def submit(self, *arguments: Any, **keywords: Any) -> Any:
        self.tasks += 1
        return super().submit(*arguments, **keywords)


@pytest.mark.lengthy
def test_all_workers_of_an_executor_have_work() -> None:
    for workers in (1, 40):
        with Counting(workers) as executor:
            made = sudoku.generate_many(layout=Layout(2, 2), seed=1, executor=executor)
            assert next(made) == sudoku.generate(Layout(2, 2), seed=1)
            made.close()
        assert workers < executor.tasks <= 2 * workers + 1


def test_searches_of_large_grids_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 20x20 on; here with few nodes on 9x9, so that givens stay that are not needed."""
    generating = sys.modules["sudoku.generation.generate"]
    monkeypatch.setattr(generating, "LARGE", 81)
    monkeypatch.setattr(generating, "MAX_CHECK_NODES", 70)
    puzzle = sudoku.generate(seed=1)
    assert sudoku.is_unique(puzzle)
    assert puzzle.filled > sudoku.minimize(puzzle).filled
    assert list(sudoku.generate_many(1, seed=1)) == [puzzle]


def test_many_is_lazy_and_endless() -> None:
    with sudoku.generate_many(layout=Layout(2, 2), seed=3) as made:
        some_puzzles = list(itertools.islice(made, 20))
    assert len({puzzle.line for puzzle in some_puzzles}) == 20
    assert list(made) == []
    assert "20 so far" in repr(made)
    assert list(sudoku.generate_many(0)) == []


def results_of_interrupted(made: sudoku.Generated, at: int) -> tuple[bool, list[Grid | str]]:
    """Whether it came to be interrupted, and all that was made before and after."""
    results: list[Grid | str] = []
    stop = ProfiledCtrlC("sudoku/generation", at - 1)
    sys.setprofile(stop)
    try:
        while True:
            try:
                for puzzle in made:
                    results.append(puzzle)
            except KeyboardInterrupt:
                continue
            except NoPuzzle as error:
                results.append(str(error))
                continue
            return stop.raised, results
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.lengthy
def test_ctrl_c_loses_nothing(spread: bool) -> None:
    """Wherever it comes, all puzzles are made once, and none is another one than it ought to be."""
    wanted: dict[str, Any] = {"symmetry": "rotation-4", "clues": 8, "attempts": 2, "seed": 6}
    expected = results_of(sudoku.generate_many(5, Layout(2, 2), **wanted))
    assert {type(result) for result in expected} == {Grid, str}
    with ThreadPoolExecutor(2) as executor:
        if spread:
            wanted["executor"] = executor
        for at in itertools.count(1):
            made = sudoku.generate_many(5, Layout(2, 2), **wanted)
            interrupted, results = results_of_interrupted(made, at)
            assert results == expected
            assert made.made == sum(isinstance(result, Grid) for result in expected)
            if not interrupted:
                break
    assert at > 50


@few
@given(st.integers(28, 81), st.integers(0, 2**60))
def test_clues_of_puzzles_that_need_not_be_minimal(clues: int, seed: int) -> None:
    puzzle = sudoku.generate(clues=clues, minimal=False, seed=seed)
    assert puzzle.filled == clues
    assert sudoku.is_unique(puzzle)


@pytest.mark.parametrize("clues", [21, 24, 27])
def test_clues_of_minimal_puzzles(clues: int) -> None:
    puzzle = sudoku.generate(clues=clues, seed=clues)
    assert puzzle.filled == clues
    assert sudoku.minimize(puzzle) == puzzle


def test_clues_that_are_not_reached() -> None:
    with pytest.raises(NoPuzzle, match=r"^no minimal puzzle with 45 givens in 7 attempts: .* min"):
        sudoku.generate(clues=45, attempts=7, seed=1)
    with pytest.raises(NoPuzzle, match="no puzzle with one solution with 17 givens in 1 attempt: "):
        sudoku.generate(clues=17, attempts=1, minimal=False, seed=1)
    with pytest.raises(NoPuzzle, match="has 16 givens: it needs at least 17"):
        sudoku.generate(clues=16)
    with pytest.raises(NoPuzzle, match="has 6 givens: it needs at least 7"):
        sudoku.generate(Layout(2, 4), clues=6)
    made = sudoku.generate_many(3, Layout(2, 2), clues=12, attempts=2, seed=1)
    for _ in range(3):
        with pytest.raises(NoPuzzle, match="12 givens in 2 attempts"):
            next(made)
    assert list(made) == []


def test_bad_input() -> None:
    with pytest.raises(dlx.InvalidArgument, match="unknown symmetry 'miror': did you mean mirror"):
        sudoku.generate(symmetry="miror")
    with pytest.raises(dlx.InvalidArgument, match="expected none, rotation-2"):
        sudoku.generate(symmetry="#")
    with pytest.raises(dlx.InvalidArgument, match="possible numbers are 29 and 32"):
        sudoku.generate(symmetry="full", clues=30)
    for bad in (82, -1, "24", True, 2.5):
        with pytest.raises(dlx.InvalidArgument, match="clues is "):
            sudoku.generate(clues=bad)  # type: ignore[arg-type]
    for seed in ("1", 1.5, True):
        with pytest.raises(dlx.InvalidArgument, match="seed is "):
            sudoku.generate(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="attempts is 0"):
        sudoku.generate(attempts=0)
    for number in (-1, "3", True):
        with pytest.raises(dlx.InvalidArgument, match="number is "):
            sudoku.generate_many(number)  # type: ignore[arg-type]
    for timeout in ("x", -1, float("nan")):
        for ask in (sudoku.generate, sudoku.random_grid):
            with pytest.raises(dlx.InvalidArgument, match="timeout is "):
                ask(timeout=timeout)  # type: ignore[operator]
        with pytest.raises(dlx.InvalidArgument, match="timeout is "):
            sudoku.minimize("." * 81, timeout=timeout)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="executor is 5, which has no submit"):
        sudoku.generate_many(1, executor=5)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="unknown symmetry"):
        sudoku.generate(symmetry=[])  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="workers is 0"):
        list(sudoku.generate_many(1, workers=0))
    with pytest.raises(LayoutError, match="windmill has no symmetry 'mirror'"):
        sudoku.generate(named("windmill"), symmetry="mirror")


def test_timeout() -> None:
    for ask in (sudoku.generate, sudoku.random_grid):
        with pytest.raises(dlx.SearchInterrupted):
            ask(Layout(5, 5), seed=1, timeout=0)
    with pytest.raises(dlx.SearchInterrupted):
        list(sudoku.generate_many(2, timeout=0, seed=1))
    with pytest.raises(dlx.SearchInterrupted):
        sudoku.minimize("." * 81, timeout=0)


def test_a_timeout_is_that_of_the_whole_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """The many searches that shake a large grid have what is left of it, each less."""
    given: list[float | None] = []

    def solve(puzzle: Grid, *, timeout: float | None = None, **search: Any) -> Grid:
        given.append(timeout)
        return sudoku.solve(puzzle, **search)

    monkeypatch.setattr(grids, "solve", solve)
    sudoku.random_grid(Layout(2, 13), seed=1, timeout=100)
    left = [seconds for seconds in given if seconds is not None]
    assert len(left) == len(given) > 20
    assert left == sorted(left, reverse=True)
    assert left[-1] < left[0] < 100


@pytest.mark.lengthy
def test_a_timeout_while_small_grids_are_listed() -> None:
    layout = sudoku.layouts.killer([(7, "r1c1 r1c2")], base=Layout(2, 3))
    with pytest.raises(dlx.SearchInterrupted):
        sudoku.random_grid(layout, seed=1, timeout=0)
    assert sudoku.random_grid(layout, seed=1).is_solved


class Countdown(Deadline):
    """A deadline that comes after it was looked at `looks` times."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    @property
    def left(self) -> float:
        self.looks -= 1
        return 60.0 if self.looks > 0 else 0.0


def test_what_is_made_at_the_deadline_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first puzzle takes for ever, and three others wait behind it."""
    monkeypatch.setattr(uniqueness, "SHORT_ROUND", float("inf"))

    def make(number: int) -> PuzzleCoroutine[str]:
        while number == 0:
            yield "." * 16
        return "1234" * number

    def drain(scheduler: BatchScheduler) -> None:
        while (line := scheduler.peek()) is not None:
            made.append(line)
            scheduler.discard()

    for count in (4, None):
        made: list[object] = []
        options = CheckOptions(Layout(2, 2), "auto", Countdown(15))
        scheduler = BatchScheduler(make, 0, count, options)
        with pytest.raises(dlx.SearchInterrupted):
            drain(scheduler)
        assert made == ["1234" * number for number in range(1, len(made) + 1)]
        assert len(made) == 3 if count else len(made) > 3
        with pytest.raises(dlx.SearchInterrupted):
            drain(scheduler)
        scheduler.close()
        drain(scheduler)


@pytest.mark.parametrize("kind", ["diagonal", "hyper", "2x3+anti-knight", "butterfly", "killer"])
def test_other_kinds(kind: str) -> None:
    if kind == "killer":
        layout = sudoku.layouts.killer([(4, "r1c1 r1c2"), (5, "r2c3 r3c3")], base=Layout(2, 2))
    else:
        layout = named(kind)
    grid = sudoku.random_grid(layout, seed=1)
    assert grid.is_solved
    puzzle = sudoku.generate(layout, seed=1, symmetry="rotation-2")
    assert puzzle.layout is layout
    assert sudoku.count(puzzle, limit=2, engine="links") == 1
    assert sudoku.minimize(puzzle, symmetry="rotation-2") == puzzle
    size = layout.size
    numbers = {place: cell for cell, place in enumerate(layout.positions)}
    bottom, right = layout.height + 1, layout.width + 1
    for cell in range(size):
        row, column = layout.positions[cell]
        opposite = numbers[bottom - row, right - column]
        assert bool(puzzle.cells[cell]) == bool(puzzle.cells[opposite])


@pytest.mark.parametrize("need", [False, True])
@pytest.mark.parametrize("name", ["X-wing", "naked pair", "hidden single"])
def test_a_technique(name: str, need: bool) -> None:
    for puzzle in sudoku.generate_many(3, technique=name.lower(), need=need, seed=2):
        assert sudoku.is_unique(puzzle)
        rating = sudoku.rate(puzzle)
        assert name in dict(rating.techniques)
        if need:
            assert rating.hardest == name
            easier = RATING_TECHNIQUES[: [one.name for one in RATING_TECHNIQUES].index(name)]
            assert not taken(Position.of(puzzle), easier, Deadline(None))[1]


def test_a_technique_and_a_difficulty() -> None:
    puzzle = sudoku.generate(technique="naked pair", difficulty="hard", seed=1)
    rating = sudoku.rate(puzzle)
    assert (rating.band, "naked pair" in dict(rating.techniques)) == ("hard", True)
    killer = sudoku.generate(
        kind="killer", technique="cage-house interaction", difficulty="medium", seed=1
    )
    assert "cage-house interaction" in dict(sudoku.rate(killer).techniques)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"technique": "xwing"}, "unknown technique 'xwing' of ratings: did you mean X-wing"),
        ({"technique": 5}, "unknown technique 5 of ratings: `sudoku rate` prints"),
        ({"technique": "X-wing", "difficulty": "easy"}, "is solved with it is hard or harder"),
        (
            {"technique": "X-wing", "difficulty": "expert", "need": True},
            "X-wing and the difficulty expert exclude each other: a puzzle that needs it is hard",
        ),
        ({"need": True}, "need=True is for a technique; there is none"),
        ({"technique": "thermometer"}, "thermometer needs rules"),
    ],
)
def test_techniques_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(dlx.DLXError) as caught:
        sudoku.generate(**arguments, seed=1)
    assert message in str(caught.value)


# -- minimizing --------------------------------------------------------------------------------


@few
@given(some.full_grids([Layout(2, 2), Layout(2, 3), Layout(3, 3)]), st.none() | st.integers(0, 99))
def test_minimize(grid: Grid, seed: int | None) -> None:
    puzzle = sudoku.minimize(grid, seed=seed)
    assert solutions_of(puzzle) == 1
    assert all(digit in (0, grid.cells[cell]) for cell, digit in enumerate(puzzle.cells))
    for cell, digit in enumerate(puzzle.cells):
        if digit:
            assert solutions_of(without(puzzle, {cell})) == 2
    assert sudoku.minimize(puzzle, seed=seed) == puzzle
    assert sudoku.minimize(grid, seed=seed, engine="links") == puzzle


def test_minimize_is_one_after_another() -> None:
    """Taking away many givens at once makes no difference."""
    grid = sudoku.random_grid(seed=4)
    slow = grid
    for cell in reversed(range(81)):
        tried = without(slow, {cell})
        if sudoku.is_unique(tried):
            slow = tried
    assert sudoku.minimize(grid) == slow


def test_minimize_what_cannot_be() -> None:
    with pytest.raises(NoSolution, match="r1c1 and r1c4 are both 1"):
        sudoku.minimize("1..1" + "." * 12)
    with pytest.raises(PuzzleError, match="more than one solution"):
        sudoku.minimize("1..." + "." * 12)
    with pytest.raises(PuzzleError, match="a 9x9 grid has 81"):
        sudoku.minimize("1234567")


# -- random grids ------------------------------------------------------------------------------


@few
@given(st.sampled_from(some.LAYOUTS), st.integers(0, 2**60))
def test_random_grids_are_solved(layout: Layout, seed: int) -> None:
    grid = sudoku.random_grid(layout, seed=seed)
    assert grid.is_solved
    assert sudoku.random_grid(layout, seed=seed) == grid


@pytest.mark.lengthy
def test_large_grids() -> None:
    for layout in (Layout(4, 4), Layout(2, 13)):
        grid = sudoku.random_grid(layout, seed=1)
        assert grid.is_solved
        assert grid != sudoku.random_grid(layout, seed=2)


def test_all_grids_of_4x4_are_equally_likely() -> None:
    """Chi squared of 288 grids, 20 of each expected; 287 degrees of freedom: below 400 in 99.999%.

    The draws are seeded, so this never fails by chance.
    """
    counts = Counter(sudoku.random_grid(Layout(2, 2), seed=seed).line for seed in range(288 * 20))
    assert len(counts) == 288
    assert sum((count - 20) ** 2 / 20 for count in counts.values()) < 400


def test_a_search_that_takes_long_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one node for each cell a run ends early; the grid is found, the same each time."""
    monkeypatch.setattr(grids, "NODES_PER_CELL", 1)
    seeds = []
    draw = grids.SeededRandom.seed
    monkeypatch.setattr(grids.SeededRandom, "seed", lambda rng: seeds.append(rng) or draw(rng))
    layout = named("anti-king")
    grid = sudoku.random_grid(layout, seed=1)
    assert grid.is_solved
    assert len(seeds) > 1
    assert sudoku.random_grid(layout, seed=1) == grid
    with pytest.raises(dlx.SearchInterrupted):
        sudoku.random_grid(layout, seed=1, timeout=0)


def test_a_layout_that_no_grid_fits() -> None:
    large = sudoku.layouts.killer([(3, "r1c1 r1c2"), (3, "r1c8 r1c9")])
    for layout in (named("2x2+non-touching"), large):
        with pytest.raises(NoSolution, match="no solved grid satisfies the rules"):
            sudoku.random_grid(layout)


def test_pickling_of_what_is_raised() -> None:
    error = pickle.loads(pickle.dumps(NoPuzzle("none")))
    assert (type(error), str(error)) == (NoPuzzle, "none")
