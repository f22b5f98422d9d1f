"""What several `dlx` commands have in common: reading a problem, options, and texts of both."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

import click

from dlx.cli.commands import STOPPED, open_input
from dlx.core.color import entry_text
from dlx.engines.registry import ENGINES, HEURISTICS
from dlx.errors import UnknownOption, quote
from dlx.problem import Problem

__all__ = [
    "entry_text",
    "given_option",
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

given_option: Final[Decorator] = click.option(
    "--given",
    metavar="NAME",
    multiple=True,
    help="An option every solution must contain: its number or its items. Repeatable.",
)
timeout_option: Final[Decorator] = click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Stop after S seconds on the clock, printing included.",
)
seed_option: Final[Decorator] = click.option(
    "--seed", type=int, metavar="N", help="Break ties at random, as N has it."
)
heuristic_option: Final[Decorator] = click.option(
    "--heuristic",
    type=click.Choice(HEURISTICS),
    default="mrv",
    show_default=True,
    help="The item to branch on: that with the fewest options, or by its dead ends as well.",
)
json_option: Final[Decorator] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)
json_lines_option: Final[Decorator] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, an object a line."
)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """FILE and the options that every searching command has."""
    for option in reversed(
        (
            click.argument("file"),
            given_option,
            timeout_option,
            seed_option,
            click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True),
            heuristic_option,
            json_lines_option,
        )
    ):
        command = option(command)
    return command


# -- reading -------------------------------------------------------------------------------------


def load_problem(path: str) -> Problem:
    """The problem in a file in Knuth's format; "-" is standard input."""
    with open_input(path) as file:
        return Problem.load(file)


def read_given(problem: Problem, texts: Sequence[str]) -> list[int]:
    """The options meant by --given: by their numbers, or by their items as the file has them."""
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
            raise UnknownOption(f"there is no option with the items {quote(text)}")
    return indices


def _read_number(problem: Problem, text: str) -> int:
    try:
        number = int(text)
    except ValueError:  # Python reads no more than some thousands of digits
        raise UnknownOption(f"there is no option named {quote(text)}") from None
    return problem.index_of(number)


# -- writing -------------------------------------------------------------------------------------


def option_text(option: Sequence[Hashable]) -> str:
    """An option as the file has it."""
    return " ".join(map(entry_text, option))


def stopped(message: str) -> int:
    """Says on stderr why there is no whole answer; returns the exit status that means it."""
    click.echo(f"dlx: {message}", err=True)
    return STOPPED
