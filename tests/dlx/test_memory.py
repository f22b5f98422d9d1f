"""Memory that cannot be had is a `MemoryError`: no crash, and nothing passes for what it is not.

Each test sends a process of its own through the same search again and again, with a little more
memory each time, from none at all to plenty. Afterwards the same problem must do what it always
does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run_python

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux"),
    pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="ASan needs no less"),
]

SWEEP = """
import resource, sys
from contextlib import contextmanager
import dlx
from dlx import models

LIMIT = 1000

def build():
    return models.random_exact_cover(40, 6_000, 5, seed=1)

@contextmanager
def memory(margin):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + margin, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

def sweep(attempt):
    return [attempt(build(), megabytes * 1_000_000) for megabytes in range(0, 40, 4)]

reference = build().solutions(engine="links", limit=LIMIT)
expected = list(reference)
"""

DRAW = """
def attempt(problem, margin):
    found, search = [], None
    complete = False
    try:
        with memory(margin):
            search = problem.solutions(engine=engine, limit=LIMIT)
            for solution in search:
                found.append(solution)
            complete = True
            assert found == expected and search.stopped_by == "limit"
    except MemoryError:
        pass
    if search is not None and not complete:
        assert not search.exhausted
        try:
            found.extend(search)
        except MemoryError:
            assert found == expected[:len(found)]
            assert not search.exhausted and search.stopped_by is None
            search.close()
            assert list(search) == [] and not search.exhausted
        else:
            assert found == expected
    again = problem.solutions(engine=engine, limit=LIMIT)
    assert list(again) == expected
    assert again.stats.profile == reference.stats.profile
    return search.stats.updates if complete else None

engine = sys.argv[1]
outcomes = sweep(attempt)
assert outcomes[0] is None and outcomes[-1] is not None
like_links = sum(each is not None and each > reference.stats.updates // 2 for each in outcomes)
print(outcomes.count(None), like_links)
"""

MANY = """
SETS = [[], [0], []]

def attempt(problem, margin):
    try:
        with memory(margin):
            answers = list(problem.solve_many(SETS, limit=300, engine=engine, workers=workers))
            assert answers == right
            done = True
    except MemoryError:
        done = False
    assert list(problem.solve_many(SETS, limit=300, engine=engine, workers=workers)) == right
    return done

engine, workers = sys.argv[1], int(sys.argv[2])
right = list(build().solve_many(SETS, limit=300, engine="links"))
assert right[0] == expected[:300]
outcomes = sweep(attempt)
assert not outcomes[0] and outcomes[-1]
"""


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-P", "-c", SWEEP + code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.slow
def test_drawing_solutions() -> None:
    """Where there is no memory for tables, auto continues with links."""
    failures, like_links = {}, {}
    for engine in ("auto", "bits", "links"):
        failures[engine], like_links[engine] = map(int, run(DRAW, engine).split())
    assert failures["links"] <= failures["auto"] < failures["bits"]
    assert like_links["auto"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["auto", "bits", "links"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_many_sets(engine: str, workers: str) -> None:
    run(MANY, engine, workers)


COUNT = """
def count(problem, margin):
    try:
        with memory(margin):
            return problem.count(timeout=20)
    except MemoryError as error:
        return str(error)

models.dominoes(2, 2).count()
print(count(models.dominoes(20, 20), 1_000_000))
print(count(models.queens(10), 1_000_000))
"""


def test_a_count_without_memory_for_its_cache_does_not_enumerate_for_ever() -> None:
    """There are 10^48 tilings, which a timeout would report as a few millions so far."""
    failed, listed = run(COUNT).splitlines()
    assert failed.startswith("not enough memory for the cache of this count")
    assert listed == "724"


LONG_SOLUTIONS = """
LENGTH = 2000  # of 2 ** 2000 solutions: the numbers written in binary

def check(number, solution):
    assert len(solution) == LENGTH
    assert solution[-20:] == tuple(
        2 * (LENGTH - 20 + place) + (number >> (19 - place) & 1) for place in range(20)
    )

problem = dlx.Problem.from_options([item] for item in range(LENGTH) for _ in range(2))
engine = sys.argv[1]
failures = 0

for megabytes in range(4, 60, 8):
    search = problem.solutions(engine=engine, limit=3000)
    number = -1
    try:
        with memory(megabytes * 1_000_000):
            for number, solution in enumerate(search):
                check(number, solution)
        assert number == 2999
        continue
    except MemoryError:
        failures += 1
    for _ in range(3):
        try:
            for number, solution in enumerate(search, number + 1):
                check(number, solution)
        except MemoryError:
            continue
        assert False, "not all solutions were drawn"
    assert not search.exhausted
    search.close()
    assert next(search, None) is None
print(failures)
"""

MANY_LONG_SOLUTIONS = """
problem = dlx.Problem.from_options([item] for item in range(2000) for _ in range(2))
engine, workers = sys.argv[1], int(sys.argv[2])
list(problem.solve_many([[]], limit=2, engine=engine, workers=workers))
answers = problem.solve_many([[]] * 3, limit=3000, engine=engine, workers=workers)
for attempt in range(4):
    try:
        if attempt > 0:
            next(answers)
        else:
            with memory(12_000_000):
                next(answers)
    except MemoryError:
        print("MemoryError")
"""


@pytest.mark.parametrize("engine", ["auto", "bits", "links"])
@pytest.mark.lengthy
def test_a_search_that_ran_out_of_memory_never_passes_for_a_finished_one(engine: str) -> None:
    """In the middle of a solution, perhaps; it raises ever after."""
    assert int(run(LONG_SOLUTIONS, engine)) > 0


@pytest.mark.parametrize("engine", ["bits", "links"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_answer_for_which_there_was_no_memory_stays_missing(engine: str, workers: str) -> None:
    assert run(MANY_LONG_SOLUTIONS, engine, workers) == "MemoryError\n" * 4


ONE_WIDE_OPTION = """
problem = dlx.Problem.from_arrays([0, 300_000], range(300_000), items=300_000)
with memory(60_000_000):
    print(problem.solve(engine="bits"))
"""

FAR_TOO_LARGE = """
problem = dlx.Problem.from_arrays(range(200_001), range(200_000), items=200_000)
problem.solve(engine="links")
with memory(4_000_000):
    try:
        problem.solve(engine="bits")
    except dlx.InvalidArgument as error:
        print(error)
"""


def test_states_are_as_many_as_there_can_be_branches() -> None:
    """Not as many as items: a state for each of these would take 90 gigabytes."""
    assert run(ONE_WIDE_OPTION) == "(0,)\n"


def test_what_is_too_large_takes_no_memory() -> None:
    assert "10,0" in run(FAR_TOO_LARGE)


NO_MEMORY_FOR_THE_THREAD = """
import _thread, sys
import dlx
from dlx.engines import stepping

class Full(dict):
    def setdefault(self, *pair):
        if pair[1] == "run":
            raise MemoryError("injected")
        return super().setdefault(*pair)

start = _thread.start_new_thread
if sys.argv[1] == "call":  # Python has no memory for the frame of `run`
    stepping._thread.start_new_thread = lambda run, token: start(lambda *token: None, token)
else:  # for what `run` does first
    init = stepping._SearchSlice.__init__
    def full(part, *arguments):
        init(part, *arguments)
        part._claim = Full()
    stepping._SearchSlice.__init__ = full
search = dlx.Problem.from_options([["a"], ["a"]]).solutions(engine="python")
for _ in range(2):
    try:
        print(next(search))
    except MemoryError as error:
        print("MemoryError")
search.close()
print("closed")
"""


@pytest.mark.parametrize("where", ["call", "claim"])
def test_a_thread_that_cannot_begin_is_not_waited_for(where: str) -> None:
    done = run_python(NO_MEMORY_FOR_THE_THREAD, where, timeout=120)
    assert (done.stdout, done.returncode) == ("MemoryError\nMemoryError\nclosed\n", 0)
