"""`sudoku rate`: the difficulty of each puzzle."""

from __future__ import annotations

import click

from dlx import SearchInterrupted
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, print_error, show_json, show_line
from sudoku.errors import LayoutError, NoSolution, NotUnique

__all__ = ["rate_command"]


@click.command("rate", cls=PuzzleCommand)
@click.option(
    "--techniques", is_flag=True, help="Also print the number of steps of each technique."
)
@puzzle_options
def rate_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    techniques: bool,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Print band, hardest technique, steps and score of each puzzle, separated by tabs.

    Bands are gentle, easy, medium, hard, expert and extreme; docs/hints.md has the scale.
    """
    from sudoku.hinting import rate

    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        try:
            rating = rate(entry.grid, timeout=timeout)
        except (NoSolution, NotUnique, SearchInterrupted) as error:
            results.count(error)
            print_error(f"{source.label()}{error}")
            if as_json:
                show_json(**about(source, entry), rating=None, error=str(error))
            continue
        except LayoutError as error:
            results.refuse(f"{source.label()}{error}")
            continue
        results.good += 1
        if as_json:
            values = {**rating._asdict(), "techniques": dict(rating.techniques)}
            show_json(**about(source, entry), rating=values, error=None)
            continue
        fields = [rating.band, rating.hardest or "-", str(rating.steps), str(rating.score)]
        if techniques:
            fields.append(", ".join(f"{count} {name}" for name, count in rating.techniques))
        show_line(source.label() + "\t".join(fields))
    return results.status
