"""`answers_of`: the answers to puzzles, from worker processes if wanted, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from dlx import DLXError
from sudoku.board.grid import Grid
from sudoku.cli.terminal import InputPlace
from sudoku.text.puzzles import Entry

__all__ = ["answers_of"]

CHUNK = 8  # puzzles in a task
AHEAD = 4  # tasks for each worker that are submitted ahead

Located = tuple[InputPlace, Entry]


def answers_of(
    puzzles: Iterable[Located], ask: Callable[[Grid], Any], workers: int
) -> Iterator[tuple[InputPlace, Entry, Any]]:
    """Each puzzle with what `ask` returns for it, or the exception of `dlx` that it raises.

    With several workers, these are processes, which get `ask` pickled, and puzzles are read ahead.
    """
    if workers == 1:
        for source, entry in puzzles:
            yield source, entry, _answer(ask, entry.grid)
        return
    import signal
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    rest = iter(puzzles)
    waiting: deque[tuple[list[Located], Future[list[Any]]]] = deque()
    # Ctrl-C is for this process, which then ends the others.
    ignored = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignored)
    try:
        while True:
            while len(waiting) < AHEAD * workers and (chunk := list(islice(rest, CHUNK))):
                grids = [entry.grid for _, entry in chunk]
                waiting.append((chunk, pool.submit(_answers, ask, grids)))
            if not waiting:
                break
            chunk, future = waiting.popleft()
            for (source, entry), answer in zip(chunk, future.result(), strict=True):
                yield source, entry, answer
    except BaseException:
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _answers(ask: Callable[[Grid], Any], grids: list[Grid]) -> list[Any]:
    return [_answer(ask, grid) for grid in grids]


def _answer(ask: Callable[[Grid], Any], grid: Grid) -> Any:
    try:
        return ask(grid)
    except DLXError as error:
        return error
