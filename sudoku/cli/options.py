"""Arguments and options that several `sudoku` commands share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from dlx.cli.commands import FILE_NAME
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError

__all__ = [
    "LAYOUT_HELP",
    "PuzzleCommand",
    "about",
    "engine_option",
    "json_option",
    "layout_option",
    "layout_or_box",
    "puzzle_options",
    "timeout_option",
    "workers_option",
]

Command = Callable[..., Any]


class PuzzleCommand(click.Command):
    """A command whose arguments are puzzles, which may begin with a `-` for a blank."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Replaces the `-` of such a puzzle by `.`, so that it does not look like an option."""
        cells = set("-._*0123456789")
        args = [
            arg.replace("-", ".") if arg[:1] == "-" and len(arg) > 15 and set(arg) <= cells else arg
            for arg in args
        ]
        return super().parse_args(ctx, args)


def layout_or_box(convert: Callable[[str], Any], text: str) -> Callable[[Command], Command]:
    """The option `--layout NAME` or `--box NAME`, whose value is `convert(NAME)`.

    The names of several such options are joined: `--box 2x3 --layout diagonal` is
    `--layout 2x3+diagonal`. Without the option the value is None. A `LayoutError` of `convert` is a
    usage error.
    """

    def read(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> Any:
        try:
            return convert("+".join(names)) if names else None
        except LayoutError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return click.option(
        "--layout", "--box", "layout", multiple=True, metavar="NAME", callback=read, help=text
    )


def _layout(name: str) -> Layout:
    """The layout of this name; the error says what to do with a kind such as "killer"."""
    from sudoku.rules.layouts import named

    try:
        return named(name)
    except LayoutError:
        from sudoku.generation.kinds import layout_and_kind

        kind = None
        with suppress(LayoutError):
            kind = layout_and_kind(name)[1]
        if kind is None:
            raise
        raise LayoutError(
            f"{kind} alone is no layout, since its rules differ from puzzle to puzzle: leave out "
            f"--layout and use a file that has the rules, such as one of "
            f"`sudoku generate --layout {kind}`"
        ) from None


LAYOUT_HELP = (
    "The layout: box size such as 2x3 (for 6x6 grids), diagonal, samurai, hyper+anti-knight, ..."
)

layout_option = layout_or_box(_layout, LAYOUT_HELP)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")


def engine_option(*more: str) -> Callable[[Command], Command]:
    """The option `--engine`: the engines that solve lists of puzzles, and `more`."""
    return click.option(
        "--engine",
        type=click.Choice(["auto", "bits", "links", "python", *more]),
        default="auto",
        show_default=True,
        help="Search engine.",
    )


timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Time limit for each puzzle, in seconds.",
)


def workers_option(what: str) -> Callable[[Command], Command]:
    """The option `--workers N`, by default 1; `what` is "threads" or "processes"."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        default=1,
        metavar="N",
        help=f"Number of {what}. [1]",
    )


def puzzle_options(command: Command) -> Command:
    """Adds the argument and the options of commands that read puzzles."""
    for decorate in (
        json_option,
        layout_option,
        timeout_option,
        click.argument("puzzles", type=FILE_NAME, nargs=-1, metavar="[PUZZLE|FILE|-]..."),
    ):
        command = decorate(command)
    return command


def about(source: Any, entry: Any) -> dict[str, Any]:
    """The fields of a JSON line about a puzzle."""
    layout = entry.grid.layout
    return {
        "source": source.name,
        "line": entry.line or 1,
        "puzzle": entry.grid.line,
        "layout": str(layout),
        "box": [layout.box_rows, layout.box_columns] if layout.box_rows else None,
        "rest": entry.rest,
    }
