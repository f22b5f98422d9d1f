"""The private attributes of `sudoku` that tests look at, each read in this one place."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from sudoku.web.server import Server
from sudoku.web.worker import FairQueue, WorkerPool


def until(pool: WorkerPool, condition: Callable[[], object]) -> None:
    """Waits until the condition holds; the pool's changes are when it is checked."""
    with pool._changed:
        assert pool._changed.wait_for(condition, 60)


def idle_workers(pool: WorkerPool) -> list[Any]:
    """The processes that wait for a question."""
    return pool._idle


def working_workers(pool: WorkerPool) -> set[Any]:
    """The processes that work on a question."""
    return pool._working


def short_queue(pool: WorkerPool) -> FairQueue:
    """The places of questions that have not worked for long, and the queue for these places."""
    return pool._short


def long_queue(pool: WorkerPool) -> FairQueue:
    """The places of questions that have worked for long, and the queue for these places."""
    return pool._long


def kill_worker(worker: Any) -> None:
    """Kills the process and waits until it is dead."""
    worker._process.kill()
    worker._process.wait()


def wait_for_connections(server: Server, number: int) -> None:
    """Waits until the server has at most this number of open connections."""
    with server._changed:
        assert server._changed.wait_for(lambda: server._open <= number, 60)


def closing(server: Server) -> threading.Event:
    """An event that is set once the server, while it closes, waits for the threads that answer."""
    event, wait_for = threading.Event(), server._changed.wait_for

    def noticed(predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        event.set()
        return wait_for(predicate, timeout)

    server._changed.wait_for = noticed  # type: ignore[method-assign]
    return event
