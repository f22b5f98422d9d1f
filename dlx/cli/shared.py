"""What several `dlx` commands share: common options, reading the problem, printing its options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from io import StringIO
from typing import Any, Final, Literal, TypedDict

import click

from dlx.cli.commands import FILE_NAME, STOPPED, open_input
from dlx.cli.display import echo, echo_error
from dlx.core.entries import entry_text
from dlx.core.table import Table
from dlx.engines.registry import ENGINES, HEURISTICS
from dlx.errors import UnknownOption, counted, did_you_mean, quote, shortened
from dlx.escapes import visible
from dlx.formats.files import hinted_format_of, load, split_choice
from dlx.formats.json_text import entry_value, name_value
from dlx.problem import Problem

__all__ = [
    "given_options",
    "heuristic_option",
    "json_lines_option",
    "json_option",
    "load_problem",
    "named_option",
    "names_json",
    "number_option",
    "option_label",
    "option_text",
    "options_json",
    "print_problem",
    "proof_option",
    "read_given",
    "rotations_option",
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
            "Option that every solution must contain, by number, by name or by its items. "
            "Repeatable.",
        ),
    ):
        command = click.option(flag, metavar="NAME", multiple=True, help=help_text)(command)
    return command


def number_option(
    flag: str, least: int, default: int, help_text: str, *, metavar: str = "N"
) -> Decorator:
    """Adds an option for an integer from `least` up."""
    return click.option(
        flag,
        type=click.IntRange(min=least),
        default=default,
        show_default=True,
        metavar=metavar,
        help=help_text,
    )


def rotations_option(help_text: str) -> Decorator:
    """Adds --rotations: the rotations of the cells are the symmetries."""
    return click.option("--rotations", is_flag=True, help=help_text)


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


def proof_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --proof of a command; `text` says what is proved."""
    advice = "The formula is written beside it; .gz behind the name compresses."
    return click.option("--proof", type=FILE_NAME, metavar="OUT", help=f"{text} {advice}")


# -- reading -------------------------------------------------------------------------------------


def load_problem(
    path: str, *, names: Literal["all", "texts", "none"] = "texts", form: str | None = None
) -> Problem:
    """The problem in a file in a format that can be read; "-" is standard input.

    Without `form`, the suffix or the first line decides on the format.
    With "texts", the names of options are kept if they are texts of one line. Others, such as the
    tuples of `dlx make`, would only repeat the items; these options have their number as name.
    """
    table = Table(open_items=False)
    path, choice = split_choice(path)
    form = hinted_format_of(path) if form is None else form
    with open_input(path) as file:
        load(table, file, form, names=names != "none", choice=choice)
    if names == "texts" and table.names is not None:
        texts = [name if is_text(name) else None for name in table.names]
        table.names, table.names_given = None, {}
        if any(name is not None for name in texts):
            table.set_names(texts)
    return Problem._of_table(table)


def is_text(name: Hashable) -> bool:
    """Whether a name is a text that can stand on a line."""
    return isinstance(name, str) and name != "" and name.isprintable()


class Chosen(TypedDict):
    """The keywords `given` and `forbid` of a method."""

    given: list[Hashable]
    forbid: list[Hashable]


def read_given(problem: Problem, given: Sequence[str], forbid: Sequence[str]) -> Chosen:
    """The keywords `given` and `forbid`: the names of the options in --given and --forbid."""
    return {
        "given": [_name(problem, "--given", text) for text in given],
        "forbid": [_name(problem, "--forbid", text) for text in forbid],
    }


def _name(problem: Problem, flag: str, text: str) -> Hashable:
    """The name of an option: `text` is its number, its name, or its items as in the file."""
    names: Sequence[Hashable] = problem.names
    if text.strip().isdecimal():
        with suppress(ValueError, IndexError):  # more digits than Python's limit for int()
            return names[int(text)]
        options = counted(len(names), "option")
        raise UnknownOption(f"there is no option {shortened(text)}; the problem has {options}")
    if is_text(text) and text in names:
        return text
    wanted = sorted(text.split())
    for name, option in zip(names, problem.options, strict=True):
        if sorted(map(entry_text, option)) == wanted:
            return name
    hint = did_you_mean(text, names)
    raise UnknownOption(f"{flag}: no option has the name or exactly the items {quote(text)}{hint}")


# -- writing -------------------------------------------------------------------------------------


def option_label(problem: Problem, name: Hashable) -> str:
    """The name of an option if it is a text that can stand on a line; otherwise its number."""
    return str(name) if is_text(name) else str(problem.index_of(name))


def options_json(problem: Problem, solution: Sequence[Any]) -> dict[str, Any]:
    """The numbers and the items of options, for JSON, and their names if the problem has any.

    Names and items are those of the JSON format: see `dlx.formats.json_text`.
    """
    numbers = [problem.index_of(name) for name in solution]
    return {
        "options": numbers,
        **names_json(problem, solution),
        "items": [list(map(entry_value, problem.options[number])) for number in numbers],
    }


def named_option(problem: Problem, name: Hashable) -> str:
    """The name or the number of an option, and its items."""
    option = problem.options[problem.index_of(name)]
    return f"{option_label(problem, name)}: {option_text(option)}"


def names_json(problem: Problem, names: Sequence[Any]) -> dict[str, Any]:
    """The key "names" with these names of options, for JSON, if the problem's options have any."""
    return {} if problem._table.names is None else {"names": list(map(name_value, names))}


def option_text(option: Sequence[Hashable]) -> str:
    """The items of an option as in Knuth's format, as visible text."""
    return visible(" ".join(map(entry_text, option)))


def print_problem(problem: Problem, form: str | None = None) -> None:
    """Writes a problem to standard output: exactly, but to a terminal as visible text."""
    if not sys.stdout.isatty():
        problem.dump(sys.stdout, format=form)
        return
    file = StringIO()
    problem.dump(file, format=form)
    echo(file.getvalue(), nl=False)


def stopped(message: str) -> int:
    """Prints to stderr why the answer is incomplete; returns the exit status for that."""
    echo_error(f"dlx: {message}")
    return STOPPED
