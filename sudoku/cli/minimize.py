"""`sudoku minimize`: removes redundant givens."""

from __future__ import annotations

import click

from dlx import SearchInterrupted
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, print_error, show_json, show_line
from sudoku.errors import LayoutError, SudokuError
from sudoku.formats.json_format.records import json_text, value_of
from sudoku.formats.record import Record
from sudoku.generation.minimize import minimize
from sudoku.generation.symmetries import check_symmetry

__all__ = ["minimize_command"]


@click.command("minimize", cls=PuzzleCommand)
@puzzle_options
@engine_option()
@click.option(
    "--symmetry",
    default="none",
    metavar="NAME",
    help="Keep a symmetry: rotation-2, rotation-4, mirror, diagonal or full. [none]",
)
@click.option("--rules", is_flag=True, help="Remove redundant rules, too.")
@click.option(
    "--seed", type=int, metavar="N", help="Try the givens in random order. [last to first]"
)
def minimize_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
    symmetry: str,
    rules: bool,
    seed: int | None,
) -> int:
    """Remove givens from each puzzle until every one is needed.

    Prints a line for each puzzle, followed by the rest of its input line. The order in which givens
    are tried decides how many remain. A puzzle without solution, or with several, is reported on
    standard error. With --symmetry, whole orbits of givens are removed, and symmetric puzzles stay
    symmetric. With --rules, puzzles that have rules are printed with the rules that are left, as
    lines of JSON, which all commands read.
    """
    check_symmetry(symmetry)
    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        try:
            least = minimize(
                entry.grid,
                symmetry=symmetry,
                rules=rules,
                seed=seed,
                timeout=timeout,
                engine=engine,
            )
        except LayoutError as error:  # the layout does not have the symmetry
            results.refuse(f"{source.label()}{error}")
            continue
        except (SudokuError, SearchInterrupted) as error:
            results.count(error)
            late = isinstance(error, SearchInterrupted)
            why = "stopped by the timeout" if late else str(error)
            print_error(f"{source.label()}{why}")
            if as_json:
                show_json(**about(source, entry), minimal=None, clues=None, error=why, removed=[])
            continue
        results.good += 1
        if as_json:
            left = least.layout.rules
            removed = [str(rule) for rule in entry.grid.layout.rules if rule not in left]
            values = {"minimal": least.line, "clues": least.filled, "error": None}
            show_json(**about(source, entry), **values, removed=removed)
        elif rules and entry.grid.layout.rules:
            click.echo(json_text(value_of(Record(least, rest=entry.rest))), nl=False)
        else:
            show_line(f"{least.line} {entry.rest}".rstrip())
    return results.status
