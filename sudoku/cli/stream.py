"""`sudoku solve` as a filter: lines in, lines out, at the speed of the engine.

The input comes in *pieces* (`terminal.Inputs.pieces`): chunks of plain lines, single puzzles, and
errors. Consecutive pieces of one layout form a batch for `dlx.Problem.solve_many`, which reads and
writes puzzles as lines of text. An error is part of a batch too, and its answer is ignored. The
pieces of a batch wait in a queue until their answers arrive, so that the output is in order. The
queue has only a few chunks at a time, which bounds the memory. A batch ends where the next read may
block, since standard input may be an interactive pipe: the answers so far are printed first.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import dlx
from dlx.escapes import visible
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.terminal import InputPlace, Inputs, ResultCounts, print_error
from sudoku.errors import LayoutError, NoSolution, PuzzleError
from sudoku.formats.read import RecordEntry
from sudoku.rules.cover import cover
from sudoku.solving.many import code_of
from sudoku.solving.no_solution import NoSolutionText
from sudoku.text.chunks import Chunk
from sudoku.text.puzzles import Entry

__all__ = ["solve_lines"]

CHUNK = 64  # answers printed at a time

InputError = PuzzleError | LayoutError
Piece = tuple[str, Chunk | Entry | InputError]


def solve_lines(
    inputs: Inputs, results: ResultCounts, tick: Callable[[], object], **search: Any
) -> None:
    """Prints the solution of each puzzle on a line, with the rest of the puzzle's line.

    Errors are reported on standard error and counted in `results`. `tick` is called after each
    group of answers; `search` are keyword arguments of `solve_many`.
    """
    pieces = _Pieces(inputs.pieces())
    while (first := pieces.peek()) is not None:
        batch = _Batch(pieces, _layout_of(first))
        _print(batch.answers(search), batch, results, tick)
        sys.stdout.flush()


def _print(
    answers: dlx.Answers[Any], batch: _Batch, results: ResultCounts, tick: Callable[[], object]
) -> None:
    """Prints the answers of a batch, a chunk at a time."""
    with answers:
        while True:
            chunk: list[Any] = []
            try:
                chunk.extend(islice(answers, CHUNK))  # after Ctrl-C it has the answers so far
            finally:
                _print_answers(chunk, batch, results)
            if not chunk:
                return
            tick()


def _print_answers(answers: list[Any], batch: _Batch, results: ResultCounts) -> None:
    """Prints these answers, which belong to the first pieces in the queue."""
    at = 0
    while at < len(answers):
        name, piece = batch.waiting[0]
        if isinstance(piece, Chunk):
            part = answers[at : at + len(piece.puzzles) - batch.done]
            _print_chunk(name, piece, batch.done, part, results)
            at, batch.done = at + len(part), batch.done + len(part)
            if batch.done < len(piece.puzzles):
                return
        else:
            _print_one(name, piece, answers[at], results)
            at += 1
        batch.done = 0
        batch.waiting.popleft()


def _print_chunk(
    name: str, chunk: Chunk, at: int, answers: list[Any], results: ResultCounts
) -> None:
    """Prints the answers for the puzzles of a chunk, from puzzle number `at` on."""
    try:
        text = "\n".join(answers)
    except TypeError:
        for number, answer in enumerate(answers, at):
            if isinstance(answer, str):
                _print_chunk(name, chunk, number, [answer], results)
                continue
            grid = Grid.from_line(chunk.puzzles[number], chunk.layout)
            _report_failure(name, chunk.line + number, grid, answer, results)
    else:
        sys.stdout.write(f"{text}\n")
        results.good += len(answers)


def _print_one(name: str, piece: Entry | InputError, answer: Any, results: ResultCounts) -> None:
    """Prints the answer for a piece that is not a chunk."""
    if not isinstance(piece, Entry):
        results.refuse(f"{InputPlace(name, None).label()}{piece}")
    elif isinstance(answer, str):
        answer = piece.record.in_letters(answer) if isinstance(piece, RecordEntry) else answer
        line = f"{answer} {piece.rest}" if piece.rest else answer
        sys.stdout.write(visible(line, keep="\t") + "\n")
        results.good += 1
    else:
        _report_failure(name, piece.line or None, piece.grid, answer, results)


def _report_failure(
    name: str, line: int | None, grid: Grid, answer: Any, results: ResultCounts
) -> None:
    """Reports why there is no solution: none exists, givens clash, or the search was stopped."""
    if not isinstance(answer, dlx.SearchInterrupted):
        answer = NoSolution(NoSolutionText(grid))
    results.count(answer)
    print_error(f"{InputPlace(name, line).label()}{answer}")


class _Pieces:
    """An iterator of pieces with one piece of lookahead."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._ahead: Piece | None = None

    def peek(self) -> Piece | None:
        """The next piece, without removing it; None at the end."""
        if self._ahead is None:
            self._ahead = next(self._pieces, None)
        return self._ahead

    def pop(self) -> None:
        """Removes the piece that `peek` returned."""
        self._ahead = None


def _layout_of(piece: Piece) -> Layout:
    """The layout of a piece; all pieces of a batch have the same."""
    content = piece[1]
    if isinstance(content, Chunk):
        return content.layout
    if isinstance(content, Entry):
        return content.grid.layout
    return Layout(3, 3)


class _Batch:
    """Consecutive pieces of one layout, solved as one batch."""

    def __init__(self, pieces: _Pieces, layout: Layout) -> None:
        self._pieces = pieces
        self._layout = layout
        self.waiting: deque[Piece] = deque()
        """The pieces whose answers have not all been printed."""
        self.done = 0
        """The number of answers of the first waiting piece that have been printed."""

    def answers(self, search: dict[str, Any]) -> Any:
        """The answers to all puzzles of the batch, in order."""
        return cover(self._layout).solve_many(
            self._puzzles(), errors="return", code=code_of(self._layout), **search
        )

    def _puzzles(self) -> Iterator[Any]:
        """The puzzles of the batch for the kernel; moves their pieces to the queue `waiting`."""
        pieces, waiting = self._pieces, self.waiting
        while (piece := pieces.peek()) is not None:
            content = piece[1]
            if isinstance(content, Chunk) and not content.puzzles:
                pieces.pop()
                if waiting:
                    return  # the answers so far are printed before the next read
                continue
            if not isinstance(content, InputError) and _layout_of(piece) is not self._layout:
                return
            pieces.pop()
            waiting.append(piece)
            if isinstance(content, Chunk):
                yield from content.puzzles
            elif isinstance(content, Entry):
                yield content.grid.line
            else:
                yield content
