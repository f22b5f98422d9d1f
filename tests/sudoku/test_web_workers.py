"""The worker processes of `sudoku serve`: whose turn it is, and what ends them."""

from __future__ import annotations

import io
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sudoku_internals import (
    idle_workers,
    kill_worker,
    long_queue,
    short_queue,
    until,
    working_workers,
)
from sudoku_serving import JSON, partial, serving

from sudoku.web.limits import MEMORY
from sudoku.web.server import Server
from sudoku.web.worker import ClientGone, FairQueue, PoolBusy, PoolClosed, WorkerPool, _Process
from sudoku.web.worker import main as worker_main

if TYPE_CHECKING:
    from pathlib import Path

GIVEN_UP = {"error": "Stopped: this took too much time or memory."}

# Sends each question back; one with a "wait" after something was written into that named pipe.
ECHO = """
import json, sys
print("ready", flush=True)
for line in sys.stdin:
    pipe = json.loads(line).get("wait")
    if pipe:
        open(pipe).read()
    print(line, end="", flush=True)
"""

# The true worker, but each question takes for ever.
ENDLESS = """
import sys, threading
from sudoku.web import answers, worker

def answer(question):
    print("working", file=sys.stderr, flush=True)
    threading.Event().wait()

answers.answer = answer
worker.main(worker._lines_until_closed(sys.stdin), sys.stdout)
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-P", "-c", code]


@contextmanager
def pool_of(code: str = ECHO, seconds: float = 600.0, **settings: Any) -> Iterator[WorkerPool]:
    pool = WorkerPool(seconds, python(code), **settings)
    try:
        yield pool
    finally:
        pool.close()


class Asking:
    """A question that a thread asks. It has its place among others when this is constructed."""

    def __init__(self, pool: WorkerPool, question: object, client: str = "") -> None:
        self._pool, self._question, self._client = pool, question, client
        self._waits, self.gone = threading.Event(), threading.Event()
        self.answer: dict[str, Any] | None = None
        self._thread = threading.Thread(target=self._ask, daemon=True)
        self._thread.start()
        assert self._waits.wait(60)

    def _ask(self) -> None:
        def is_gone() -> bool:
            self._waits.set()
            return self.gone.is_set()

        try:
            self.answer = self._pool.run(self._question, self._client, is_gone)
        except ClientGone:
            self.answer = {"gone": True}
        except PoolClosed:
            self.answer = {"closed": True}
        self._waits.set()

    def end(self) -> dict[str, Any] | None:
        self._thread.join(60)
        return self.answer

    def leave(self) -> None:
        self.gone.set()
        assert self.end() == {"gone": True}


@pytest.fixture
def pipes(tmp_path: Path) -> Callable[[], str]:
    """Makes named pipes."""
    made: list[str] = []

    def make() -> str:
        made.append(str(tmp_path / str(len(made))))
        os.mkfifo(made[-1])
        return made[-1]

    return make


def write(pipe: str) -> None:
    with open(pipe, "w"):
        pass


@given(st.lists(st.sampled_from("abc")), st.integers(1, 3))
def test_clients_take_turns(clients: list[str], rounds: int) -> None:
    queue = FairQueue(1)
    for number, client in enumerate(clients * rounds):
        queue.add(client, (client, number))
    taken: list[Any] = []
    while len(queue):
        due = queue.next()
        taken.append(queue.take_next())
        assert taken[-1] == due
    assert sorted(taken, key=lambda pair: pair[1]) == list(
        zip(clients * rounds, range(len(taken)), strict=True)
    )
    for client in "abc":
        numbers = [number for one, number in taken if one == client]
        assert numbers == sorted(numbers)
        turns = [turn for turn, (one, _) in enumerate(taken) if one == client]
        for before, after in itertools.pairwise(turns):  # no client twice in between
            others = [one for one, _ in taken[before + 1 : after]]
            assert len(others) == len(set(others))


def test_an_easy_question_does_not_wait_for_hard_ones(pipes: Callable[[], str]) -> None:
    with pool_of(short=0.0) as pool:
        hard = [Asking(pool, {"wait": pipes()}) for _ in range(5)]
        for number in range(3):
            assert Asking(pool, {"number": number}).end() == {"number": number}
        assert [one.answer for one in hard] == [None] * 5
        assert len(working_workers(pool)) <= 3
        for one in hard:
            one.leave()


def test_a_hard_question_that_made_way_is_answered_later(pipes: Callable[[], str]) -> None:
    with pool_of(short=0.0, long_places=1) as pool:
        first, second = pipes(), pipes()
        longest = Asking(pool, {"wait": first})
        until(pool, lambda: not long_queue(pool).free)
        long = Asking(pool, {"wait": second, "number": 2})
        assert Asking(pool, {}).end() == {}  # `long` has made way, and begins again
        write(first)
        assert longest.end() == {"wait": first}
        write(second)
        assert long.end() == {"wait": second, "number": 2}
        assert (short_queue(pool).free, long_queue(pool).free) == (1, 1)


def test_the_start_of_a_process_does_not_count(pipes: Callable[[], str]) -> None:
    gate = pipes()
    wait = f"import os\nif os.path.exists({gate!r}): open({gate!r}).read()\n"
    with pool_of(wait + ECHO, short=1e-9) as pool:
        first = Asking(pool, {"number": 1})
        second = Asking(pool, {"number": 2})
        [process] = working_workers(pool)
        assert process.worked() == 0.0
        assert (long_queue(pool).free, len(short_queue(pool))) == (2, 1)
        write(gate)
        os.unlink(gate)  # further processes start at once
        assert (first.end(), second.end()) == ({"number": 1}, {"number": 2})


def test_one_client_does_not_keep_another_waiting(pipes: Callable[[], str]) -> None:
    with pool_of(short=600.0) as pool:
        gate = pipes()
        many = [Asking(pool, {"wait": gate}, "many")]
        many += [Asking(pool, {"wait": gate}, "many") for _ in range(3)]
        few = Asking(pool, {}, "few")
        many[0].leave()
        until(pool, lambda: len(short_queue(pool)) == 3)  # the second has its turn
        many[1].leave()
        assert few.end() == {}
        assert [one.answer for one in many[2:]] == [None, None]


def test_a_client_that_is_gone_is_not_worked_for(pipes: Callable[[], str]) -> None:
    with pool_of(short=600.0) as pool:
        works, waits = Asking(pool, {"wait": pipes()}), Asking(pool, {"wait": pipes()})
        until(pool, lambda: working_workers(pool))
        [process] = working_workers(pool)
        waits.leave()
        works.leave()
        assert not process.is_alive()
        assert pool.run({"number": 1}) == {"number": 1}
        assert (short_queue(pool).free, len(short_queue(pool))) == (1, 0)


def test_a_request_that_waits_too_long_is_refused(pipes: Callable[[], str]) -> None:
    with pool_of(short=600.0, wait=0.0) as pool:
        works = Asking(pool, {"wait": pipes()})
        until(pool, lambda: working_workers(pool))
        with pytest.raises(PoolBusy):
            pool.run({})
        assert len(short_queue(pool)) == 0
        works.leave()
        assert pool.run({}) == {}


def test_a_closed_pool_answers_nobody(pipes: Callable[[], str]) -> None:
    with pool_of(short=600.0) as pool:
        works, waits = Asking(pool, {"wait": pipes()}), Asking(pool, {})
        until(pool, lambda: working_workers(pool))
        [process] = working_workers(pool)
    assert works.end() == waits.end() == {"closed": True}
    assert not process.is_alive()
    with pytest.raises(PoolClosed):
        pool.run({})
    assert not idle_workers(pool)


@pytest.mark.lengthy
def test_a_question_of_a_client_that_hangs_up_is_stopped(pipes: Callable[[], str]) -> None:
    pool = WorkerPool(600.0, python(ECHO))
    with serving(Server(workers=pool)) as server:
        body = json.dumps({"wait": pipes()}).encode()
        head = b"POST /ask HTTP/1.1\r\n" + JSON + b"Content-Length: %d\r\n\r\n" % len(body)
        with partial(server, head + body + b"and more"):
            until(pool, lambda: working_workers(pool))
        until(pool, lambda: not working_workers(pool))
        assert pool.run({}) == {}


@pytest.mark.lengthy
def test_a_question_that_takes_too_long_is_given_up() -> None:
    with pool_of("print('ready', flush=True)\nwhile True: pass", 0.2) as pool:
        assert pool.run({}) == GIVEN_UP
        assert pool.run({}) == GIVEN_UP


def test_a_long_question_is_given_up_as_well() -> None:
    with pool_of("print('ready', flush=True)\nwhile True: pass", 0.2, short=0.0) as pool:
        assert pool.run({}) == GIVEN_UP
        assert long_queue(pool).free == 2


def test_an_answer_cut_short_is_none() -> None:
    with pool_of("print('ready', flush=True); input(); print('{\"say\": 1', end='')") as pool:
        assert pool.run({}) == GIVEN_UP


def test_a_worker_killed_just_after_its_answer_leaves_no_pipe_open() -> None:
    changed = threading.Condition()
    worker = _Process([sys.executable, "-c", "print('ready', flush=True); print(input())"])
    pipes = [worker._process.stdin, worker._process.stdout]
    with changed:
        worker.send("{}", changed)
        worker._process.wait()  # it has answered; its thread waits for the lock
        worker.kill()
        changed.wait_for(lambda: worker.answer is not None)
    assert worker.answer == "{}\n"
    assert all(pipe is not None and pipe.closed for pipe in pipes)


def test_an_answer_that_is_no_text_is_none() -> None:
    with pool_of(
        "import sys; print('ready', flush=True); input(); sys.stdout.buffer.write(b'\\xff\\n')"
    ) as pool:
        assert pool.run({}) == GIVEN_UP


@pytest.mark.lengthy
def test_a_question_nested_too_deeply() -> None:
    pool = WorkerPool(60)
    question: list[Any] = []
    for _ in range(100_000):
        question = [question]
    assert pool.run(question) == {"error": "the request is nested too deeply"}
    while question:  # else its end would be a recursion, too
        (question,) = question
    assert "groups" in pool.run({"kind": "offer"})
    pool.close()


def test_what_goes_wrong_in_the_worker_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for error, said in (
        (RecursionError, "the request is nested too deeply"),
        (MemoryError, "Stopped: this needs too much memory."),
        (KeyError, "internal error: KeyError"),
    ):
        into = io.StringIO()
        with monkeypatch.context() as patched:
            patched.setattr("sudoku.web.worker._limit_memory", lambda: None)
            patched.setattr("sudoku.web.answers.answer", mock.Mock(side_effect=error))
            worker_main(io.StringIO("{}\n"), into)
        assert json.loads(into.getvalue().removeprefix("ready\n")) == {"error": said}
    assert "KeyError" in capsys.readouterr().err


@pytest.mark.parametrize("least", [False, True], ids=["unlimited", "limited"])
@pytest.mark.lengthy
def test_memory_is_limited(least: bool) -> None:
    lower = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
    code = f"""
import sys
from sudoku.web import answers, worker
answers.answer = lambda question: bytearray({MEMORY})
worker.main(sys.stdin, sys.stdout)
"""
    with pool_of(lower + code if least else code) as pool:
        assert pool.run({}) == {"error": "Stopped: this needs too much memory."}


def test_a_worker_that_was_killed_is_started_again() -> None:
    with pool_of() as pool:
        pool.start()
        [started] = idle_workers(pool)
        pool.start()
        assert pool.run({"number": 1}) == {"number": 1}
        assert idle_workers(pool) == [started]
        kill_worker(started)
        assert pool.run({"number": 2}) == {"number": 2}
        assert started not in idle_workers(pool)


def test_a_worker_ends_with_its_server_while_it_works() -> None:
    with subprocess.Popen(
        python(ENDLESS),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as worker:
        assert worker.stdin is not None
        assert worker.stderr is not None
        worker.stdin.write("{}\n")
        worker.stdin.flush()
        assert worker.stderr.readline() == "working\n"
        worker.stdin.close()
        assert worker.wait(60) == 0
        assert worker.stderr.read() == ""


def test_a_worker_whose_server_ends_while_it_starts_complains_of_nothing() -> None:
    into, out = os.pipe()
    os.close(into)
    command = [sys.executable, "-P", "-m", "sudoku.web.worker"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE
    ) as worker:
        os.close(out)
        assert worker.stderr is not None
        assert (worker.stderr.read(), worker.wait(60)) == (b"", 0)


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [
        (signal.SIGINT, 0, ""),
        (signal.SIGTERM, 143, "sudoku: terminated\n"),
        (signal.SIGHUP, None, None),  # as of other commands
        (signal.SIGKILL, -signal.SIGKILL, ""),
    ],
    ids=lambda one: one.name if isinstance(one, signal.Signals) else "",
)
@pytest.mark.lengthy
def test_a_signal_ends_the_server_with_its_workers(
    number: signal.Signals, status: int | None, said: str | None
) -> None:
    code = f"""
import sys
from sudoku.cli.main import main
from sudoku.web import server, worker
server.WorkerPool = lambda seconds: worker.WorkerPool(600, {python(ENDLESS)!r})
sys.exit(main(["serve", "--port", "0"]))
"""
    with subprocess.Popen(
        python(code),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        url = command.stdout.readline().split()[2]
        with socket.create_connection(("127.0.0.1", int(url.split(":")[2][:-1]))) as client:
            host = url.split("/")[2].encode()
            head = (
                b"POST /ask HTTP/1.1\r\nHost: " + host + b"\r\nContent-Type: application/json\r\n"
            )
            client.sendall(head + b"Content-Length: 2\r\n\r\n{}")
            assert command.stderr.readline() == "working\n"
            os.killpg(command.pid, number)  # as a terminal does
            complaint = command.stderr.read()  # to the end: no worker has it open any more
            assert "Traceback" not in complaint
            assert said is None or complaint == said
            found = command.wait(60)
            assert found != 0 if status is None else found == status
