"""The kernel checks for signals while it prepares a large problem, not only during the search.

The checks are counted by a clock that only moves when it is read: once for each check.
"""

from __future__ import annotations

import _thread
import signal
from array import array
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

import pytest
from timeouts import simulated_clock

from dlx import _kernel

OPTIONS = 200_000
ENTRIES = 3 * OPTIONS
STEPS = 150_000  # between two looks, at most: a few milliseconds
STARTS = array("i", range(0, ENTRIES + 1, 3))
ITEMS = array("i", (item for option in range(OPTIONS) for item in range(option, option + 3)))
NUMBERS = array("i", range(OPTIONS + 2))
COSTS = array("q", range(OPTIONS))
SWAPPED = array("i", (option ^ 1 for option in range(OPTIONS)))
SECONDARY = bytes(OPTIONS + 2)


class Interrupted(Exception):
    """What the handler raises."""


def problem(order: array[int] | None = None) -> Any:
    return _kernel.Problem(STARTS, ITEMS, None, NUMBERS, order, len(NUMBERS))


def preparing(large: Any) -> dict[str, Callable[[], Any]]:
    """Calls into the kernel that take long and only prepare."""
    ranks = range(OPTIONS - 1, -1, -1)
    fresh = problem()
    state = large.__getstate__()
    reduction = large.reduce([], [], 0, inf)
    return {
        "flaw": partial(_kernel.find_flaw, STARTS, ITEMS, None, SECONDARY),
        "totals": partial(_kernel.option_totals, STARTS, ITEMS, None, NUMBERS),
        "problem": partial(_kernel.Problem, STARTS, ITEMS, None, NUMBERS, None, len(NUMBERS)),
        "ordered problem": partial(
            _kernel.Problem, STARTS, ITEMS, None, NUMBERS, array("i", ranks), len(NUMBERS)
        ),
        "unpickled": partial(_kernel.Problem.__new__(_kernel.Problem).__setstate__, state),
        "first search": partial(_kernel.Search, fresh, [], None, "links", "mrv"),
        "search": partial(_kernel.Search, large, [], None, "links", "mrv"),
        "count": partial(problem().count, [], 2**63, 2**30, "mrv", "auto"),
        "probes": partial(large.probes, [], 1),
        "refuter": large.refuter,
        "reduction": partial(large.reduce, [], [], 0, inf),
        "reduced": partial(reduction.rows, NUMBERS),
        "minimum": partial(large.minimum, COSTS, [], 1),
        "symmetries": partial(large.symmetries, NUMBERS, [0] * OPTIONS, -1, -1),
        "canonical": partial(large.canonical, NUMBERS, [0] * OPTIONS, -1, -1),
        "group": partial(_kernel.PermutationGroup, OPTIONS, [SWAPPED] * 3),
    }


def in_c(steps: list[Callable[[], Any]]) -> None:
    """Calls one after another, from C: nothing else that sees to signals comes in between."""
    list(map(partial.__call__, [partial(step) for step in steps]))


CALLS = list(preparing(problem()))


@pytest.fixture(scope="module")
def large() -> Any:
    made = problem()
    _kernel.Search(made, [], None, "links", "mrv")  # which leaves its torus to the others
    return made


@pytest.mark.parametrize("name", CALLS)
def test_preparing_looks_from_time_to_time(large: Any, name: str) -> None:
    call = preparing(large)[name]
    with simulated_clock(1):
        before = _kernel.simulate_clock(1)
        call()
        looks = _kernel.simulate_clock(1) - before
    assert looks >= ENTRIES // STEPS


@pytest.mark.parametrize("name", CALLS)
def test_a_signal_ends_the_preparing(large: Any, name: str) -> None:
    """One that has come, and could not be seen to before the kernel was called."""
    call = preparing(large)[name]
    prepared: list[Any] = []

    def handler(number: int, frame: Any) -> None:
        raise Interrupted

    steps: list[Callable[[], Any]] = [
        partial(_thread.interrupt_main, signal.SIGINT),
        call,
        partial(prepared.append, "prepared"),
    ]
    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(Interrupted):
            in_c(steps)
    finally:
        signal.signal(signal.SIGINT, before)
    assert prepared == []
    call()  # and nothing is the worse for it
    large.probes([], 1)


def test_a_handler_may_prepare_the_same() -> None:
    """What one search of a problem leaves to the others is made without a lock on it."""
    fresh = problem()
    made: list[Any] = []
    before = signal.signal(
        signal.SIGINT,
        lambda number, frame: made.append(_kernel.Search(fresh, [], None, "links", "mrv")),
    )
    try:
        steps: list[Callable[[], Any]] = [
            partial(_thread.interrupt_main, signal.SIGINT),
            partial(_kernel.Search, fresh, [], None, "links", "mrv"),
            partial(made.append, None),
        ]
        in_c(steps)
    finally:
        signal.signal(signal.SIGINT, before)
    first, last = made
    assert last is None
    assert first.stats.nodes == 0
