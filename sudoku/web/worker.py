"""Answers made by a process of its own, which can be killed: no puzzle can hang the server.

The process (`python -m sudoku.web.worker`) reads a question on each line of its standard input and
writes an answer on each line of its standard output. A `Worker` starts it before it is first
needed, and again after it was killed. How much memory it may take is limited where the system can.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Final

from sudoku.telling import log
from sudoku.web.limits import MEMORY

__all__ = ["Worker", "main"]

TOO_DEEP: Final = "the question is nested too deeply"


class Worker:
    """A process that answers one question at a time, in so many seconds or not at all."""

    def __init__(self, seconds: float, command: Sequence[str] | None = None) -> None:
        self._seconds = seconds
        self._command = command or [sys.executable, "-P", "-m", "sudoku.web.worker"]
        self._process: subprocess.Popen[str] | None = None
        self._asking = threading.Lock()

    def ask(self, question: object) -> dict[str, Any]:
        """The answer, or `{"error": ...}` if there was none in time. Waits for its turn."""
        try:
            asked = json.dumps(question)
        except RecursionError:
            return {"error": TOO_DEEP}
        with self._asking:
            process = self._running()
            began = time.monotonic()
            timer = threading.Timer(self._seconds, process.kill)
            timer.start()
            try:
                line = _exchange(process, asked)
            finally:
                timer.cancel()
            seconds = time.monotonic() - began
            if line.endswith("\n"):  # it may have been killed while it was writing
                log.debug("worker %d: answered in %.3g seconds", process.pid, seconds)
                answer: dict[str, Any] = json.loads(line)
                return answer
            log.info("worker %d: no answer, given up after %.3g seconds", process.pid, seconds)
            self.close()
            return {"error": "that took too much time (or memory), and was given up"}

    def start(self) -> None:
        """Starts the process, so that the first question need not wait for that."""
        with self._asking:
            self._running()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            log.info("worker %d: started", self._process.pid)
        return self._process

    def close(self) -> None:
        """Ends the process; the next question starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(BrokenPipeError):  # of a question that nobody has read
                if pipe is not None:
                    pipe.close()


def _exchange(process: subprocess.Popen[str], question: str) -> str:
    """The line that answers a line; none if the process ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except (BrokenPipeError, ValueError):
        return ""


def main(questions: IO[str], answers: IO[str]) -> None:
    """Answers a question on each line, to the end of the file."""
    from sudoku.web.answers import answer

    _limit_memory()
    for line in questions:
        try:
            said = json.dumps(answer(json.loads(line)))
        except RecursionError:
            said = json.dumps({"error": TOO_DEEP})
        except MemoryError:
            said = json.dumps({"error": "that takes more memory than there is"})
        except Exception as error:  # a fault of ours must not look like one of the puzzle
            said = json.dumps({"error": f"internal error: {type(error).__name__}"})
            sys.excepthook(type(error), error, error.__traceback__)
        answers.write(said + "\n")
        answers.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on this system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


if __name__ == "__main__":
    try:
        with suppress(KeyboardInterrupt):
            main(sys.stdin, sys.stdout)
    except BrokenPipeError:  # the server was killed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
