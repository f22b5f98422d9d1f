"""`sudoku candidates`: the digits that each cell has in some solution."""

from __future__ import annotations

import click

from sudoku.analysis.solution_candidates import candidates_of_solutions
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, print_error, show_json, show_line

__all__ = ["candidates_command"]


@click.command("candidates", cls=PuzzleCommand)
@puzzle_options
@engine_option("sat")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Count the solutions of each candidate, up to N. [1]",
)
def candidates_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
    limit: int,
) -> int:
    """Print the digits that each cell has in some solution, as pencil marks.

    With --limit, each digit is followed by the number of solutions that have it, and by a `+` if
    there may be more. After the timeout, a `?` follows the digits of which it is unknown whether
    they are in a solution.
    """
    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        found = candidates_of_solutions(entry.grid, limit=limit, timeout=timeout, engine=engine)
        if found.undecided:
            results.stopped += 1
            print_error(f"{source.label()}stopped by the timeout")
        elif any(found.counts.values()):
            results.good += 1
        else:
            results.failed += 1
        if as_json:
            show_json(
                **about(source, entry),
                candidates=[[*cell, counts] for cell, counts in found.counts.items()],
                undecided=[[*cell, digits] for cell, digits in found.undecided.items()],
            )
        elif found.undecided or any(found.counts.values()):
            if source.name:
                show_line(f"{source.label()}{entry.rest}".rstrip())
            show_line(found)
        else:
            print_error(f"{source.label()}no solution")
    return results.status
