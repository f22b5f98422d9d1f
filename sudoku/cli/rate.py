"""`sudoku rate`: the difficulty of each puzzle."""

from __future__ import annotations

from functools import partial

import click

from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, puzzle_options, workers_option
from sudoku.cli.pool import answered
from sudoku.cli.terminal import ResultCounts, show_json, show_line

__all__ = ["rate_command"]


@click.command("rate", cls=PuzzleCommand)
@click.option(
    "--techniques", is_flag=True, help="Also print the number of steps of each technique."
)
@puzzle_options
@workers_option("processes")
def rate_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    techniques: bool,
    timeout: float | None,
    as_json: bool,
    workers: int,
) -> int:
    """Print band, hardest technique, steps and score of each puzzle, separated by tabs.

    Bands are gentle, easy, medium, hard, expert and extreme; docs/hints.md has the scale.
    """
    from sudoku.hinting import rate

    results = ResultCounts()
    ask = partial(rate, timeout=timeout)
    failed = {"rating": None} if as_json else None
    for source, entry, rating in answered(puzzles, layout, ask, results, workers, failed):
        if as_json:
            values = {**rating._asdict(), "techniques": dict(rating.techniques)}
            show_json(**about(source, entry), rating=values, error=None)
            continue
        fields = [rating.band, rating.hardest or "-", str(rating.steps), str(rating.score)]
        if techniques:
            fields.append(", ".join(f"{count} {name}" for name, count in rating.techniques))
        show_line(source.label() + "\t".join(fields))
    return results.status
