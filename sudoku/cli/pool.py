"""`answered`: the answers to puzzles, from worker processes if wanted, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

from dlx import DLXError, SearchInterrupted
from sudoku.board.layout import Layout
from sudoku.cli.options import about
from sudoku.cli.terminal import InputPlace, ResultCounts, entries, print_error, show_json
from sudoku.errors import LayoutError
from sudoku.text.puzzles import Entry

__all__ = ["answered", "answers_of"]

CHUNK = 8  # puzzles in a task
AHEAD = 4  # tasks for each worker that are submitted ahead

Located = tuple[InputPlace, Entry]
Ask = Callable[[Any], Any]


def answered(
    arguments: Sequence[str],
    layout: Layout | None,
    ask: Ask,
    results: ResultCounts,
    workers: int = 1,
    failed: dict[str, Any] | None = None,
    about_what: Callable[[Entry], Any] = attrgetter("grid"),
    refused: tuple[type[DLXError], ...] = (LayoutError,),
) -> Iterator[tuple[InputPlace, Entry, Any]]:
    """Each puzzle in the arguments, and the files that they name, with what `ask` returns for it.

    It is asked about `about_what(entry)`. Exceptions are reported and counted, those in `refused`
    as bad input; `failed` has the fields of a line of JSON in place of an answer.
    """
    puzzles = entries(arguments, layout, results)
    for source, entry, answer in answers_of(puzzles, ask, workers, about_what):
        if isinstance(answer, refused):  # by default, a question that the layout does not have
            results.refuse(f"{source.label()}{answer}")
        elif isinstance(answer, DLXError):
            results.count(answer)
            is_late = isinstance(answer, SearchInterrupted)
            why = "stopped by the timeout" if is_late else str(answer)
            print_error(f"{source.label()}{why}")
            if failed is not None:
                show_json(**about(source, entry), **failed, error=why)
        else:
            results.good += 1
            yield source, entry, answer


def answers_of(
    puzzles: Iterable[Located],
    ask: Ask,
    workers: int,
    about_what: Callable[[Entry], Any] = attrgetter("grid"),
) -> Iterator[tuple[InputPlace, Entry, Any]]:
    """Each puzzle with what `ask` returns for it, or the exception of `dlx` that it raises.

    With several workers, these are processes, which get `ask` pickled, and puzzles are read ahead.
    """
    if workers == 1:
        for source, entry in puzzles:
            yield source, entry, _answer(ask, about_what(entry))
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
                asked = [about_what(entry) for _, entry in chunk]
                waiting.append((chunk, pool.submit(_answers, ask, asked)))
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


def _answers(ask: Ask, asked: list[Any]) -> list[Any]:
    return [_answer(ask, one) for one in asked]


def _answer(ask: Ask, asked: Any) -> Any:
    try:
        return ask(asked)
    except DLXError as error:
        return error
