"""What the `sudoku` commands have in common: their arguments and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from sudoku.board.layout import Layout
from sudoku.errors import LayoutError

__all__ = [
    "PuzzleCommand",
    "about",
    "engine_option",
    "json_option",
    "layout_option",
    "puzzle_options",
    "workers_option",
]

Command = Callable[..., Any]


class PuzzleCommand(click.Command):
    """A command that takes puzzles, also those that begin with a `-` for a blank."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write the blanks of such a puzzle as `.`, so that it does not look like an option."""
        cells = set("-._*0123456789")
        args = [
            arg.replace("-", ".") if arg[:1] == "-" and len(arg) > 15 and set(arg) <= cells else arg
            for arg in args
        ]
        return super().parse_args(ctx, args)


class LayoutName(click.ParamType[Layout]):
    """The name of a layout, such as `2x3` or `diagonal`: a `Layout`."""

    name = "NAME"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Layout:
        """The layout, or a usage error."""
        if isinstance(value, Layout):
            return value
        from sudoku.rules.layouts import named

        try:
            return named(str(value))
        except LayoutError as error:
            self.fail(str(error))


layout_option = click.option(
    "--layout",
    "--box",
    "layout",
    type=LayoutName(),
    help="The kind, such as 2x3 (by its boxes: a grid of 6x6), diagonal, samurai, "
    "hyper+anti-knight.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Lines of JSON.")
engine_option = click.option("--engine", default="auto", metavar="E", help="auto, links or python.")


def workers_option(what: str) -> Callable[[Command], Command]:
    """`--workers N`: so many of what it says, 1 unless told otherwise."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        default=1,
        metavar="N",
        help=f"So many {what}. [1]",
    )


def puzzle_options(command: Command) -> Command:
    """The argument and the options that commands for puzzles have."""
    for decorate in (
        json_option,
        layout_option,
        click.option(
            "--timeout",
            type=click.FloatRange(min=0),
            metavar="S",
            help="Seconds on the clock for each puzzle.",
        ),
        click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]..."),
    ):
        command = decorate(command)
    return command


def about(source: Any, entry: Any) -> dict[str, Any]:
    """What lines of JSON say about each puzzle."""
    layout = entry.grid.layout
    return {
        "source": source.name,
        "line": entry.line or 1,
        "puzzle": entry.grid.line,
        "layout": str(layout),
        "box": [layout.box_rows, layout.box_columns] if layout.box_rows else None,
        "rest": entry.rest,
    }
