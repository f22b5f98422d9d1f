"""The messages to the logger `sudoku`."""

from __future__ import annotations

import logging
import sys

import pytest

import sudoku
from sudoku.web.worker import WorkerPool


@pytest.fixture(autouse=True)
def listening(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="sudoku")


def reported(caplog: pytest.LogCaptureFixture) -> list[str]:
    texts = [record.getMessage() for record in caplog.records if record.name == "sudoku"]
    caplog.clear()
    return texts


def test_making_puzzles(caplog: pytest.LogCaptureFixture) -> None:
    puzzle = sudoku.generate(sudoku.Layout(2, 2), seed=1)
    one, end = reported(caplog)
    assert one == f"puzzle 1 of seed 1: {puzzle.filled} givens"
    assert end.startswith("a puzzle of seed 1 in ")
    assert list(sudoku.generate_many(1, sudoku.Layout(2, 2), seed=1)) == [puzzle]
    one, end = reported(caplog)
    assert one == f"puzzle 1 of seed 1: {puzzle.filled} givens"
    assert end.startswith("puzzles of seed 1: all made, 1 of them in ")
    with sudoku.generate_many(layout=sudoku.Layout(2, 2), seed=1) as endless:
        next(endless)
    assert reported(caplog)[-1].startswith("puzzles of seed 1: closed, 1 of them in ")


def test_attempts(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(sudoku.NoPuzzle):
        sudoku.generate(clues=40, seed=1, attempts=3)
    lines = reported(caplog)
    assert len(lines) == 2
    assert all(line.endswith(" givens, not 40") for line in lines)


def test_the_worker_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    echo = [sys.executable, "-c", "print('ready'); print(input(), flush=True); input()"]
    worker = WorkerPool(60.0, echo)
    assert worker.run({"cells": 1}) == {"cells": 1}
    assert "error" in worker.run({})  # it has ended
    worker.close()
    started, answered, given_up, again = reported(caplog)
    assert started.endswith(": started")
    assert again.endswith(": started")
    assert ": answered in " in answered
    assert ": no answer, given up after " in given_up
