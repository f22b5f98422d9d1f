"""What several `dlx` commands share: common options, reading the problem, printing its options."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, TypedDict

import click

from dlx.cli.commands import FILE_NAME, STOPPED, open_input
from dlx.core.color import entry_text
from dlx.core.table import Table
from dlx.engines.registry import ENGINES, HEURISTICS
from dlx.errors import UnknownOption, quote
from dlx.formats.load import load
from dlx.problem import Problem

__all__ = [
    "entry_text",
    "given_options",
    "heuristic_option",
    "json_lines_option",
    "json_option",
    "load_problem",
    "option_text",
    "read_given",
    "search_options",
    "seed_option",
    "stopped",
    "timeout_option",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

timeout_option: Final[Decorator] = click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Stop after S seconds, including the time to print.",
)
seed_option: Final[Decorator] = click.option(
    "--seed", type=int, metavar="N", help="Break ties at random, with seed N."
)
heuristic_option: Final[Decorator] = click.option(
    "--heuristic",
    type=click.Choice(HEURISTICS),
    default="mrv",
    show_default=True,
    help="How to choose the item to branch on: fewest options, or also by past dead ends.",
)
json_option: Final[Decorator] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)
json_lines_option: Final[Decorator] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line."
)


def given_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --given and --forbid; `read_given` reads them."""
    for flag, help_text in (
        ("--forbid", "Option that no solution may contain, likewise. Repeatable."),
        (
            "--given",
            "Option that every solution must contain, by number or by its items. Repeatable.",
        ),
    ):
        command = click.option(flag, metavar="NAME", multiple=True, help=help_text)(command)
    return command


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds FILE and the options that the commands `solve` and `count` share."""
    for option in reversed(
        (
            click.argument("file", type=FILE_NAME),
            given_options,
            timeout_option,
            seed_option,
            click.option(
                "--engine",
                type=click.Choice(ENGINES),
                default="auto",
                show_default=True,
                help="Search engine.",
            ),
            heuristic_option,
            json_lines_option,
        )
    ):
        command = option(command)
    return command


# -- reading -------------------------------------------------------------------------------------


def load_problem(path: str, *, names: bool = False) -> Problem:
    """The problem in a file in Knuth's format or in JSON; "-" is standard input.

    The commands know options by number: unless `names`, the names of options are dropped.
    """
    table = Table(open_items=False)
    with open_input(path) as file:
        load(table, file, "json" if path.lower().endswith(".json") else None, names=names)
    return Problem._of_table(table)


class Chosen(TypedDict):
    """The keywords `given` and `forbid` of a method, as indices."""

    given: list[int]
    forbid: list[int]


def read_given(problem: Problem, given: Sequence[str], forbid: Sequence[str]) -> Chosen:
    """The keywords `given` and `forbid`: the indices of the options in --given and --forbid."""
    return {
        "given": _indices(problem, "--given", given),
        "forbid": _indices(problem, "--forbid", forbid),
    }


def _indices(problem: Problem, flag: str, texts: Sequence[str]) -> list[int]:
    """The indices of options, which are numbers or lists of items as in the file."""
    indices = []
    for text in texts:
        if text.strip().isdecimal():
            indices.append(_read_number(problem, text))
            continue
        wanted = sorted(text.split())
        for index, option in enumerate(problem.options):
            if sorted(map(entry_text, option)) == wanted:
                indices.append(index)
                break
        else:
            raise UnknownOption(f"{flag}: no option has exactly the items {quote(text)}")
    return indices


def _read_number(problem: Problem, text: str) -> int:
    try:
        number = int(text)
    except ValueError:  # more digits than Python's limit for int()
        raise UnknownOption(f"there is no option named {quote(text)}") from None
    return problem.index_of(number)


# -- writing -------------------------------------------------------------------------------------


def option_text(option: Sequence[Hashable]) -> str:
    """The text of an option, as in Knuth's format."""
    return " ".join(map(entry_text, option))


def stopped(message: str) -> int:
    """Prints to stderr why the answer is incomplete; returns the exit status for that."""
    click.echo(f"dlx: {message}", err=True)
    return STOPPED
