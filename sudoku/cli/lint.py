"""`sudoku lint`: finds faulty, redundant and repeated puzzles in collections."""

from __future__ import annotations

import time
from collections.abc import Iterator

import click

from dlx.cli.commands import BAD_INPUT, NO_SOLUTION, SOLVED, STOPPED
from sudoku.analysis.lint import KINDS, LocatedPuzzle, lint_located
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, engine_option, puzzle_options, workers_option
from sudoku.cli.progress import Bar
from sudoku.cli.terminal import Inputs, print_error, show_json, show_line
from sudoku.errors import PuzzleError, counted

__all__ = ["lint_command"]


@click.command("lint", cls=PuzzleCommand)
@puzzle_options
@engine_option()
@workers_option("threads")
@click.option("--no-equivalents", is_flag=True, help="Do not search for equivalent puzzles.")
@click.option("--no-minimal", is_flag=True, help="Do not search for redundant givens.")
@click.option("--rules", is_flag=True, help="Search for rules that the rest implies, too.")
def lint_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
    no_equivalents: bool,
    no_minimal: bool,
    rules: bool,
) -> int:
    """Find problems in collections of puzzles.

    Reports unreadable lines, puzzles without solution or with several, redundant givens, duplicates
    (also in different files), and puzzles equivalent to another (see `sudoku canonical`). The exit
    status is 1 if there is a finding. The timeout is for each search: one for the solutions of a
    puzzle, and one for each of its givens and rules.
    """
    started = time.perf_counter()
    inputs = _CountedInputs(Inputs(puzzles, layout))
    found = dict.fromkeys(KINDS, 0)
    findings = lint_located(
        inputs,
        equivalents=not no_equivalents,
        minimal=not no_minimal,
        rules=rules,
        workers=workers,
        timeout=timeout,
        engine=engine,
    )
    with Bar() as bar:
        inputs.bar = bar
        for finding in findings:
            found[finding.kind] += 1
            if as_json:
                show_json(
                    source=finding.source,
                    line=finding.line,
                    kind=finding.kind,
                    text=finding.text,
                    puzzle=None if finding.puzzle is None else finding.puzzle.line,
                    other=None if finding.other is None else list(finding.other),
                )
                continue
            place = ":".join(filter(None, (finding.source, str(finding.line or ""))))
            show_line(f"{place}: {finding}" if place else f"{finding}")
    for error in inputs.errors:
        print_error(error)
    seconds = time.perf_counter() - started
    listed = ", ".join(f"{number} {kind}" for kind, number in found.items() if number)
    if inputs.puzzles or listed or not inputs.errors:
        total = counted(inputs.puzzles, "puzzle")
        click.echo(f"{total}: {listed or 'no problems'} in {seconds:.3f} s", err=True)
    if inputs.errors:
        return BAD_INPUT
    if any(number for kind, number in found.items() if kind != "undecided"):
        return NO_SOLUTION
    return STOPPED if found["undecided"] else SOLVED


class _CountedInputs:
    """Counts the puzzles that are passed to `lint`, and collects the errors of unreadable files."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self.puzzles = 0
        self.errors: list[str] = []
        self.bar: Bar | None = None

    def __iter__(self) -> Iterator[LocatedPuzzle]:
        for number, item in enumerate(self._inputs, 1):
            grid = item.grid
            if isinstance(grid, Grid):
                self.puzzles += 1
                yield item.name, item.line or 0, grid
            elif item.name and isinstance(grid, PuzzleError) and grid.line is None:
                self.errors.append(f"{item.source.label()}{grid}")
            else:
                line = grid.line if isinstance(grid, PuzzleError) else None
                yield item.name, line or 0, grid
            if self.bar is not None and self.bar.wanted and number % 64 == 0:
                self.bar.show(self.puzzles, self._inputs.share)
