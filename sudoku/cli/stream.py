"""`sudoku solve` as a filter: lines in, lines out, at the speed of the engine.

Puzzles come in *pieces* (`terminal.Inputs.pieces`): blocks of plain lines, single puzzles, and
errors. Pieces that follow each other and are of one layout make a *run*, one batch for
`dlx.Problem.solve_many`, which gets texts of one line and answers with such; what is wrong takes
part as it is and is answered with something that nobody looks at. The pieces of a run wait in a
queue until their answers have come, so that everything comes out in order. Memory is bounded by
the few blocks on their way. Where the next puzzle has to be waited for - standard input may be a
pipe that somebody talks through - a run ends, so that all there is is printed first.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.terminal import Inputs, Outcome, Source, complain
from sudoku.errors import LayoutError, NoSolution, PuzzleError
from sudoku.rules.cover import cover
from sudoku.solving.many import code_of
from sudoku.solving.why import Why
from sudoku.text.blocks import Block
from sudoku.text.puzzles import Entry

__all__ = ["solve_lines"]

CHUNK = 64  # answers taken at a time: more would only keep them from being printed

Wrong = PuzzleError | LayoutError
Piece = tuple[str, Block | Entry | Wrong]


def solve_lines(
    inputs: Inputs, outcome: Outcome, tick: Callable[[], object], **search: Any
) -> None:
    """Prints the solution of each puzzle on a line, and what followed the puzzle.

    What cannot be solved or read is reported on standard error and counted in `outcome`. `tick` is
    called now and then; `search` is what `solve_many` takes.
    """
    pieces = _Pieces(inputs.pieces())
    while (first := pieces.peek()) is not None:
        run = _Run(pieces, _key(first))
        _print(run.answers(search), run, outcome, tick)
        sys.stdout.flush()


def _print(
    answers: dlx.Answers[Any], run: _Run, outcome: Outcome, tick: Callable[[], object]
) -> None:
    with answers:
        while True:
            chunk: list[Any] = []
            try:
                chunk.extend(islice(answers, CHUNK))  # after Ctrl-C it has those before
            finally:
                _settle(chunk, run, outcome)
            if not chunk:
                return
            tick()


def _settle(answers: list[Any], run: _Run, outcome: Outcome) -> None:
    """Prints these answers, which belong to the pieces that have waited longest."""
    at = 0
    while at < len(answers):
        name, piece = run.waiting[0]
        if isinstance(piece, Block):
            part = answers[at : at + len(piece.puzzles) - run.done]
            _show_block(name, piece, run.done, part, outcome)
            at, run.done = at + len(part), run.done + len(part)
            if run.done < len(piece.puzzles):
                return
        else:
            _show_one(name, piece, answers[at], outcome)
            at += 1
        run.done = 0
        run.waiting.popleft()


def _show_block(name: str, block: Block, at: int, answers: list[Any], outcome: Outcome) -> None:
    try:
        text = "\n".join(answers)
    except TypeError:
        for number, answer in enumerate(answers, at):
            if isinstance(answer, str):
                _show_block(name, block, number, [answer], outcome)
                continue
            grid = Grid.from_line(block.puzzles[number], block.layout)
            _complain(name, block.line + number, grid, answer, outcome)
    else:
        sys.stdout.write(f"{text}\n")
        outcome.good += len(answers)


def _show_one(name: str, piece: Entry | Wrong, answer: Any, outcome: Outcome) -> None:
    if not isinstance(piece, Entry):
        outcome.refuse(f"{Source(name, None).label()}{piece}")
    elif isinstance(answer, str):
        sys.stdout.write(f"{answer} {piece.rest}\n" if piece.rest else f"{answer}\n")
        outcome.good += 1
    else:
        _complain(name, piece.line or None, piece.grid, answer, outcome)


def _complain(name: str, line: int | None, grid: Grid, answer: Any, outcome: Outcome) -> None:
    """Says why there is no solution: the answer is None, clashing givens, or a search cut short."""
    if not isinstance(answer, dlx.SearchInterrupted):
        answer = NoSolution(Why(grid))
    outcome.count(answer)
    complain(f"{Source(name, line).label()}{answer}")


class _Pieces:
    """Pieces, with a look at the next."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._ahead: Piece | None = None

    def peek(self) -> Piece | None:
        """The next piece, which stays; None at the end."""
        if self._ahead is None:
            self._ahead = next(self._pieces, None)
        return self._ahead

    def pop(self) -> None:
        """Takes the piece that was seen last."""
        self._ahead = None


def _key(piece: Piece) -> Layout:
    """What the pieces of one batch have in common: the layout."""
    content = piece[1]
    if isinstance(content, Block):
        return content.layout
    if isinstance(content, Entry):
        return content.grid.layout
    return Layout(3, 3)


class _Run:
    """Pieces of one layout, one after another, from their puzzles to their answers."""

    def __init__(self, pieces: _Pieces, key: Layout) -> None:
        self._pieces = pieces
        self._key = key
        self.waiting: deque[Piece] = deque()
        """The pieces whose answers have not all been printed."""
        self.done = 0
        """How many answers of the first of them have been."""

    def answers(self, search: dict[str, Any]) -> Any:
        """The answers to all puzzles of the run, in order."""
        return cover(self._key).solve_many(
            self._puzzles(), errors="return", code=code_of(self._key), **search
        )

    def _puzzles(self) -> Iterator[Any]:
        pieces, waiting = self._pieces, self.waiting
        while (piece := pieces.peek()) is not None:
            content = piece[1]
            if isinstance(content, Block) and not content.puzzles:
                pieces.pop()
                if waiting:
                    return  # print what we have, and wait then
                continue
            if not isinstance(content, Wrong) and _key(piece) is not self._key:
                return
            pieces.pop()
            waiting.append(piece)
            if isinstance(content, Block):
                yield from content.puzzles
            elif isinstance(content, Entry):
                yield content.grid.line
            else:
                yield content
