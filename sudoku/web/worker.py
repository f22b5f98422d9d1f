"""Worker processes that answer requests and can be killed, so that no puzzle can hang the server.

A process (`python -m sudoku.web.worker`) writes a line once it is ready; then it reads a request
on each line of its standard input and writes an answer on each line of its standard output. A
`WorkerPool` starts processes before they are needed, and kills one when its request takes too long
or the client has disconnected. The memory of a process is limited where the system supports that.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from typing import IO, Any, Final

from sudoku.logs import log
from sudoku.web.limits import LONG_PLACES, MEMORY, SHORT, WAIT

__all__ = ["ClientGone", "FairQueue", "PoolBusy", "PoolClosed", "WorkerPool", "main"]

TOO_DEEP: Final = "the request is nested too deeply"
GIVEN_UP: Final = "Stopped: this took too much time or memory."
READY: Final = "ready\n"
POLL: Final = 0.1
"""Seconds between two checks whether the client is still connected."""


class ClientGone(Exception):
    """The answer is not needed: the client has disconnected."""


class PoolClosed(Exception):
    """There is no answer: the pool has been closed."""


class PoolBusy(Exception):
    """There is no answer: other requests have taken all places for too long."""


class FairQueue:
    """A fair queue of requests for a number of places: round-robin between clients.

    >>> queue = FairQueue(1)
    >>> for client, request in [("a", 1), ("a", 2), ("a", 3), ("b", 4)]:
    ...     queue.add(client, request)
    >>> [queue.take_next() for _ in range(len(queue))]
    [1, 4, 2, 3]
    """

    def __init__(self, places: int) -> None:
        self.free = places
        self._waiting: OrderedDict[str, deque[object]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, client: str, request: object) -> None:
        """Appends a request to those of its client."""
        self._waiting.setdefault(client, deque()).append(request)

    def next(self) -> object:
        """The request that is next; the queue must not be empty."""
        return next(iter(self._waiting.values()))[0]

    def take_next(self) -> object:
        """Removes the request that is next, and returns it; its client moves to the end."""
        client, requests = self._waiting.popitem(last=False)
        request = requests.popleft()
        if requests:
            self._waiting[client] = requests
        return request

    def remove(self, client: str, request: object) -> None:
        """Removes a waiting request."""
        requests = self._waiting[client]
        requests.remove(request)
        if not requests:
            del self._waiting[client]


class WorkerPool:
    """A pool of processes that answer one request at a time each, within a time limit.

    There is one place for short requests, and `long_places` places for long ones. Each request
    starts as a short one. After `short` seconds it becomes long, and moves to a long place if one
    is free. If none is free and another short request waits, its process is killed, and the request
    waits for a long place and runs again from the start. So a short request never waits for a long
    one to finish, and at most `long_places + 1` processes work at once. A request that has waited
    `wait` seconds for a place is refused.
    """

    def __init__(
        self,
        seconds: float,
        command: Sequence[str] | None = None,
        *,
        short: float = SHORT,
        long_places: int = LONG_PLACES,
        wait: float = WAIT,
    ) -> None:
        self._seconds, self._short_seconds, self._wait_seconds = seconds, short, wait
        self._command = command or [sys.executable, "-P", "-m", "sudoku.web.worker"]
        self._changed = threading.Condition()  # guards all that follows
        self._short, self._long = FairQueue(1), FairQueue(long_places)
        self._idle: list[_Process] = []
        self._working: set[_Process] = set()
        self._closed = False

    def run(
        self, request: object, client: str = "", is_gone: Callable[[], bool] = lambda: False
    ) -> dict[str, Any]:
        """The answer to a request, or `{"error": ...}` after the time limit.

        Blocks until a process is free and has answered. Calls `is_gone` about ten times a second;
        raises ClientGone once it returns True, PoolClosed once the pool is closed, and PoolBusy if
        no place becomes free in time.
        """
        try:
            line = json.dumps(request)
        except RecursionError:
            return {"error": TOO_DEEP}
        with self._changed:
            said = self._attempt(line, self._short, client, is_gone)
            if said is None:
                said = self._attempt(line, self._long, client, is_gone)
        answer: dict[str, Any] = json.loads(said) if said else {"error": GIVEN_UP}
        return answer

    def start(self) -> None:
        """Starts a process if none is idle, so that the next request need not wait for that."""
        with self._changed:
            self._start_spare()

    def close(self) -> None:
        """Kills the processes; `run` raises PoolClosed from now on."""
        with self._changed:
            self._closed = True
            processes = [*self._idle, *self._working]
            self._idle.clear()
            self._changed.notify_all()
        for process in processes:
            process.kill()

    def _attempt(
        self, line: str, places: FairQueue, client: str, is_gone: Callable[[], bool]
    ) -> str | None:
        """The answer to a request line; "" after the time limit or the end of the process.

        None if a short request waits, so that this one must run again as a long one. The caller
        holds the lock.
        """
        self._take_place(places, client, is_gone)
        process, why, began = None, "given up", time.monotonic()
        try:
            process = self._take_process()
            began = time.monotonic()
            process.send(line, self._changed)
            while process.answer is None:
                self._raise_if_gone(is_gone)
                seconds = time.monotonic() - began
                if seconds >= self._seconds:
                    return ""
                if places is self._short and process.worked() >= self._short_seconds:
                    if self._long.free and not len(self._long):
                        self._short.free += 1
                        self._long.free -= 1
                        places = self._long
                        self._changed.notify_all()
                    elif len(self._short):
                        why = "stopped, to run again as a long request,"
                        return None
                self._changed.wait(POLL)
            return process.answer
        except ClientGone:
            why = "stopped, as the client has disconnected,"
            raise
        finally:
            places.free += 1
            if process is not None:
                self._put_back(process, why, time.monotonic() - began)
            self._changed.notify_all()

    def _take_place(self, places: FairQueue, client: str, is_gone: Callable[[], bool]) -> None:
        """Waits until this request is next and a place is free, and takes the place."""
        ticket, began = object(), time.monotonic()
        places.add(client, ticket)
        try:
            while not places.free or places.next() is not ticket:
                self._raise_if_gone(is_gone)
                if time.monotonic() - began >= self._wait_seconds:
                    raise PoolBusy
                self._changed.wait(POLL)
        except BaseException:
            places.remove(client, ticket)
            self._changed.notify_all()
            raise
        places.take_next()
        places.free -= 1
        self._changed.notify_all()

    def _raise_if_gone(self, is_gone: Callable[[], bool]) -> None:
        if self._closed:
            raise PoolClosed
        if is_gone():
            raise ClientGone

    def _take_process(self) -> _Process:
        if self._closed:
            raise PoolClosed
        while self._idle:
            process = self._idle.pop()
            if process.is_alive():
                break
            process.kill()
        else:
            process = _Process(self._command)
        self._working.add(process)
        return process

    def _put_back(self, process: _Process, why: str, seconds: float) -> None:
        self._working.discard(process)
        if process.answer:
            log.debug("worker %d: answered in %.3g seconds", process.pid, seconds)
            self._idle.append(process)
            return
        log.info("worker %d: no answer, %s after %.3g seconds", process.pid, why, seconds)
        process.kill()
        self._start_spare()

    def _start_spare(self) -> None:
        if not self._idle and not self._closed:
            self._idle.append(_Process(self._command))


class _Process:
    """A worker process. `answer` is None while it works, "" if it has ended without one."""

    def __init__(self, command: Sequence[str]) -> None:
        # In a session of its own: Ctrl-C and the end of the terminal are for the server to handle.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,
        )
        self._exchanging = self._is_ready = self._is_killed = False
        self._began: float | None = None
        self.pid = self._process.pid
        self.answer: str | None = None
        log.info("worker %d: started", self.pid)

    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def worked(self) -> float:
        """Seconds since it started its request, without the start of the process."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def send(self, line: str, changed: threading.Condition) -> None:
        """Sends a request; `changed` is notified once `answer` is set."""
        self.answer, self._began, self._exchanging = None, None, True
        threading.Thread(target=self._exchange, args=(line, changed), daemon=True).start()

    def kill(self) -> None:
        """Kills the process and closes its pipes."""
        self._is_killed = True
        self._process.kill()
        self._process.wait()
        if not self._exchanging:  # otherwise the thread that reads from them closes them
            self._close_pipes()

    def _exchange(self, line: str, changed: threading.Condition) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        said = ""
        with suppress(OSError, ValueError):  # the process has ended, or has not written UTF-8
            if not self._is_ready:
                self._is_ready = self._process.stdout.readline() == READY
            self._began = time.monotonic()
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            said = self._process.stdout.readline()
        if not said.endswith("\n"):  # it was killed, maybe while it was writing
            said = ""
        with changed:
            self._exchanging = False
            if not said or self._is_killed:  # maybe after it had written its answer
                self._close_pipes()
            self.answer = said
            changed.notify_all()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError, ValueError):  # it has not read all; `kill` closes them, too
                if pipe is not None:
                    pipe.close()


def main(requests: Iterable[str], answers: IO[str]) -> None:
    """Answers the request on each line, to the end of the file."""
    for name in ("hinting", "analysis.verdict", "generation.generate"):  # lazily imported
        import_module(f"sudoku.{name}")
    from sudoku.web.answers import answer

    _limit_memory()
    answers.write(READY)
    answers.flush()
    for line in requests:
        try:
            said = json.dumps(answer(json.loads(line)))
        except RecursionError:
            said = json.dumps({"error": TOO_DEEP})
        except MemoryError:
            said = json.dumps({"error": "Stopped: this needs too much memory."})
        except Exception as error:  # a bug, which must not look like an error in the puzzle
            said = json.dumps({"error": f"internal error: {type(error).__name__}"})
            sys.excepthook(type(error), error, error.__traceback__)
        answers.write(said + "\n")
        answers.flush()


def _lines_until_closed(file: IO[str]) -> Iterator[str]:
    """The lines of the file; at its end the process exits at once, even in the middle of a request.

    The end of the file means that the server has ended. If it was killed, it could not kill its
    workers.
    """
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        with suppress(ValueError):  # not UTF-8
            for line in file:
                lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on this system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        main(_lines_until_closed(sys.stdin), sys.stdout)
    except BrokenPipeError:  # the server has ended
        os._exit(0)
