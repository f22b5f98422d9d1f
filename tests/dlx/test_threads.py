"""What happens when threads meet: at the end of the interpreter, and over one search."""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import length_hint
from typing import Any

import pytest
from commands import run_python
from internals import (
    batch_of,
    engine_of,
    replace_batch,
    replace_engine,
    slice_with_claim,
    source_of,
)
from kernel_searches import open_engine

import dlx
import dlx.models
from dlx.core.budget import Budget
from dlx.search.search import Search

EXITING = """
import threading
import dlx

class Slow:
    def __del__(self, spin=range(3_000_000)):  # the threads come back meanwhile
        for _ in spin:
            pass

pigeons = range(31)
problem = dlx.Problem.from_options(
    [[("pigeon", i), ("hole", j)] for i in pigeons for j in range(30)],
    secondary=[("hole", j) for j in range(30)],
)
searches = [problem.solutions(engine=engine) for engine in ("links", "bits") * 3]
for search in searches:
    threading.Thread(target=next, args=(search,), daemon=True).start()
threading.Thread(target=problem.count, daemon=True).start()
answers = problem.solve_many([[]] * 9, workers=2)
threading.Thread(target=list, args=(answers,), daemon=True).start()
while any(search.stats.nodes < 2 for search in searches):
    pass
slow = Slow()
"""


@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="without the GIL, Python itself may wait for a lock that an ended thread has held",
)
def test_the_interpreter_ends_while_daemons_search() -> None:
    """Threads that come back to an interpreter that is going do not take the process down."""
    done = run_python(EXITING, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")


FORKING = """
import os, warnings
import dlx
from dlx import models
warnings.simplefilter("ignore")  # Python 3.12 warns of forking with threads
problem = models.langford(11)
answers = problem.count_many([[]] * 100, workers=2)
assert next(answers) == 35584
child = os.fork()
try:
    rest = list(answers)  # what was drawn by then is as good as ever
except dlx.WorkersLost as error:
    print("child:", error, flush=True)
    assert not answers.exhausted
    assert list(problem.count_many([[]] * 2, workers=2)) == [35584] * 2
    {end}
else:
    assert os.waitpid(child, 0)[1] == 0
    print("parent:", rest == [35584] * 99)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("end", ["answers.close()", "del answers", "pass"])
@pytest.mark.lengthy
def test_a_forked_child_is_told_of_many_sets(end: str) -> None:
    """It waits neither for answers nor, at its end, for threads that it does not have."""
    script = FORKING.format(end=end)
    done = run_python(script, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    reported, parent = done.stdout.splitlines()
    assert reported.startswith("child: the workers of this batch are in the process that began it")
    assert parent == "parent: True"


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads give way to each other a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


class Watched:
    """An engine that calls `look` between its end and the handing over of what it found."""

    def __init__(self, engine: Any, look: Callable[[], None]) -> None:
        self._engine = engine
        self._look = look

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def run(self, budget: Budget, into: list[Any]) -> Any:
        found: list[Any] = []
        reason = self._engine.run(budget, found)
        self._look()
        into += found
        return reason


TWICE = dlx.Problem.from_options([["a"], ["a"]])


def test_a_search_is_not_exhausted_before_its_last_solution_is_there() -> None:
    seen: list[tuple[bool, bool, str | None]] = []

    def look() -> None:
        seen.append((engine_of(search).finished, search.exhausted, search.stopped_by))

    search = TWICE.solutions()
    replace_engine(search, Watched(engine_of(search), look))
    assert list(search) == [(0,), (1,)]
    assert seen == [(False, False, None), (True, False, None)]
    assert search.exhausted


def test_a_search_closed_before_its_last_solution_is_there_is_not_exhausted() -> None:
    def look() -> None:
        if engine_of(search).finished:
            search.close()

    search = TWICE.solutions()
    replace_engine(search, Watched(engine_of(search), look))
    assert list(search) == [(0,)]
    assert (search.exhausted, search.stopped_by) == (False, "close")


def test_answers_are_not_exhausted_before_the_last_one_is_there() -> None:
    answers = TWICE.solve_many([[0], [1]])
    seen: list[tuple[int, bool]] = []
    batch = batch_of(answers)

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(batch, name)

        def collect(self, into: list[Any]) -> None:
            found: list[Any] = []
            batch.collect(found)
            seen.append((batch.pending, answers.exhausted))
            into += found

    replace_batch(answers, Slow())
    assert list(answers) == [(0,), (1,)]
    assert seen[1] == (0, False)
    assert answers.exhausted


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize(("engine", "workers"), [("links", 1), ("links", 2), ("python", 1)])
def test_several_threads_draw_from_the_same_answers(engine: str, workers: int) -> None:
    """Each answer goes to one of them, and each error."""
    problem = dlx.Problem.from_options([["a", n] for n in range(300)], secondary=range(300))
    sets = ([n] if n % 7 else [n, n] for n in range(300))
    answers = problem.solve_many(sets, errors="return", engine=engine, workers=workers)
    with ThreadPoolExecutor(4) as pool:
        shares: list[list[object]] = list(pool.map(list, [answers] * 4))
    found = [one for share in shares for one in share]
    clashes = [one.position for one in found if isinstance(one, dlx.GivenClash)]
    assert {one for one in found if isinstance(one, tuple)} == {(n,) for n in range(300) if n % 7}
    assert set(clashes) == set(range(0, 300, 7))
    assert len(found) == 300
    assert answers.exhausted


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize(("engine", "workers"), [("links", 1), ("bits", 1), ("auto", 2)])
def test_several_threads_draw_from_the_same_search(engine: str, workers: int) -> None:
    """Each solution goes to one of them, one at a time or several at once."""
    problem = dlx.models.langford(8)
    search = problem.solutions(engine=engine, workers=workers)

    def draw(size: int) -> list[Any]:
        if size == 1:
            return list(search)
        drawn: list[Any] = []
        while taken := search.take(size):
            drawn += taken
        return drawn

    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(draw, [1, 1, 7, 50]))
    assert sorted(one for share in shares for one in share) == sorted(problem.solutions())
    assert search.exhausted


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("ask", ["count", "minimum", "solve_many", "options"])
def test_options_are_added_while_other_threads_search(ask: str) -> None:
    """Each question is about the options as they were at one moment; none is missed for good."""
    problem = dlx.Problem(["a"])
    problem.add_option(["a"])  # there is always a solution
    total = 400 if ask == "minimum" else 2000
    added = 1

    def look() -> None:
        done = False
        while not done:
            done, least = added == total, added
            if ask == "count":
                assert least <= problem.count() <= total
            elif ask == "minimum":
                assert len(problem.minimum(k=total)) >= least
            elif ask == "solve_many":
                assert len(next(problem.solve_many([[]], limit=None))) >= least
            else:
                assert set(problem.options) <= {("a",), *(("a", n) for n in range(1, total))}

    with ThreadPoolExecutor(3) as pool:
        looking = [pool.submit(look) for _ in range(3)]
        for n in range(1, total):
            problem.add_item(n, secondary=True)
            problem.add_option(["a", n], cost=1)
            added = n + 1
        for one in looking:
            one.result()
    assert problem.count() == total


def test_a_question_in_the_middle_of_a_change_is_not_remembered() -> None:
    class Curious:
        """Asks for the number of solutions when it is hashed."""

        def __hash__(self) -> int:
            counts.append(problem.count())
            return 1

    counts: list[int] = []
    problem = dlx.Problem.from_options([["a"]], secondary=["b"])
    problem.add_option(["a", "b"], name=Curious())
    assert set(counts) == {1}
    assert problem.count() == 2


@pytest.mark.usefixtures("restless")
def test_threads_share_a_diagram() -> None:
    diagram = dlx.models.queens(6).diagram()
    expected = set(diagram)

    def look(seed: int) -> set[Any]:
        fresh = dlx.models.queens(6).diagram() if seed % 2 else diagram
        assert fresh.count() == len(expected)
        assert all(one in expected for one in fresh.sample(10, seed=seed))
        assert fresh.option_counts() == diagram.option_counts()
        return set(fresh)

    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(look, range(20)))


def test_what_threads_find_in_a_layout_is_of_one_problem() -> None:
    """A code is for the very problem that the layout has kept."""
    from sudoku.board.layout import Layout, layout_cache

    both = threading.Barrier(2)

    @layout_cache
    def make(layout: Layout) -> object:
        both.wait()  # both threads have seen that there is none
        return object()

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(make, [Layout(2, 2)] * 2)
    assert one is other


def test_a_shared_iterator_gives_each_element_once() -> None:
    """That of the kernel, which takes the place of a list's own where there is no GIL."""
    from dlx.core.kernel import SharedIterator

    elements = list(range(20_000))
    iterator = SharedIterator(elements)
    assert next(iterator) == 0
    elements.append(20_000)  # not of those that are handed out
    assert length_hint(iterator) == 19_999
    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(list, [iterator] * 4))
    assert sorted(one for share in shares for one in share) == elements[1:-1]
    assert length_hint(iterator) == 0
    assert list(iterator) == []


def test_a_set_given_up_half_way_has_no_answer() -> None:
    """That there is no solution is an answer, and not known."""
    problem = dlx.models.langford(30)
    answers = problem.count_many([[]], engine="python")
    batch = batch_of(answers)
    collected: list[Any] = []

    def close() -> None:
        while batch.stats.nodes == 0 and not getattr(batch, "_search", None):
            pass
        batch.close()

    source_of(answers).send(batch, 1)
    thread = threading.Thread(target=close)
    thread.start()
    batch.collect(collected)
    thread.join()
    assert collected == []
    assert batch.pending == 0


def test_ctrl_c_before_the_last_sets_are_sent_loses_none() -> None:
    class Name(str):
        """Is interrupted when it is looked up for the first time."""

        pressed = False

        def __hash__(self) -> int:
            if not Name.pressed:
                Name.pressed = True
                raise KeyboardInterrupt
            return super().__hash__()

    problem = dlx.Problem.from_options({"x": ["a"], "y": ["a"]})
    for errors in ("raise", "return"):
        Name.pressed = True
        name = Name("y")
        answers = problem.solve_many([["x"], [name]], errors=errors)
        assert next(answers) == ("x",)
        Name.pressed = False
        with pytest.raises(KeyboardInterrupt):
            next(answers)
        assert not answers.exhausted
        assert list(answers) == [("y",)]
        assert answers.exhausted


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("ask", [next, lambda s: s.take(2), pickle.dumps, Search.resume])
def test_what_a_search_calls_cannot_make_it_go_on(
    ask: Callable[[Search], Any], workers: int
) -> None:
    """It would wait for itself."""
    problem = dlx.models.queens(8)
    refused: list[dlx.InvalidArgument] = []

    def look(progress: dlx.SearchProgress) -> None:
        try:
            ask(search)
        except dlx.InvalidArgument as error:
            refused.append(error)

    search = problem.solutions(progress=look, workers=workers)
    assert len(list(search)) == 92
    assert refused
    assert "after that function has returned" in str(refused[0])


def test_what_reads_givens_cannot_ask_for_answers() -> None:
    def sets() -> Iterator[list[int]]:
        yield [0]
        next(answers)

    answers = dlx.Problem.from_options([["a"]]).solve_many(sets())
    assert next(answers) == (0,)
    with pytest.raises(dlx.InvalidArgument, match="after that function has returned"):
        next(answers)


def test_several_tasks_draw_from_one_search() -> None:
    problem = dlx.models.queens(7)

    async def draw(search: Any) -> list[Any]:
        return [solution async for solution in search]

    async def together() -> list[Any]:
        search = problem.asolutions()
        drawn = await asyncio.gather(*(draw(search) for _ in range(4)))
        return [one for many in drawn for one in many]

    for _ in range(5):
        assert sorted(asyncio.run(together())) == sorted(problem.solutions())


def test_a_signal_while_a_step_is_settled_does_not_stop_the_engine() -> None:
    """Settling comes again then: it waits for no thread that never began."""
    engine = open_engine(dlx.models.queens(6), "python")

    class Pressed(dict[str, str]):
        pressed = False

        def setdefault(self, key: str, value: str = "") -> str:
            claimed = super().setdefault(key, value)
            if not self.pressed:
                self.pressed = True
                raise KeyboardInterrupt
            return claimed

    fresh = slice_with_claim(engine, Pressed())
    with pytest.raises(KeyboardInterrupt):
        fresh.settle()
    fresh.settle()
    fresh.run()  # too late
    assert not fresh.ended
