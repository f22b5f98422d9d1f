"""The command `info`, and the facts that it prints: a problem's size, and likely mistakes in it."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import click

from dlx.analysis.reduce import amount_text, reducible
from dlx.analysis.symmetry.group import SymmetryArguments, find_symmetries, order_text
from dlx.analysis.symmetry.texts import orbit_sizes, sizes_text
from dlx.cli.commands import FILE_NAME, SOLVED
from dlx.cli.display import echo, echo_json
from dlx.cli.drawing import profile_chart
from dlx.cli.shared import json_option, load_problem
from dlx.core.entries import Colored, Times, item_of
from dlx.core.multiplicity import Bounds
from dlx.errors import SearchInterrupted, counted
from dlx.escapes import visible
from dlx.search.options import SearchOptions

if TYPE_CHECKING:
    from dlx.analysis.estimate import Estimate
    from dlx.keywords import RankingName, SearchName
    from dlx.problem import Problem

__all__ = ["describe", "info", "profile_rows", "search_estimate", "texts_of"]

ENOUGH = 2_000_000_000
"""The limit on entries examined to find what `dlx reduce` would remove: some seconds of work."""

PROBES = 500
ENOUGH_SECONDS = 0.5
MOST_ROWS = 30
MOST_WARNINGS = 10  # in a text; JSON has all

ENOUGH_EDGES = 100_000_000
"""The limit on edges that are read to find symmetries: less than a second of work."""


@click.command()
@click.argument("file", type=FILE_NAME)
@click.option("--plan", is_flag=True, help="Print by which methods questions are answered instead.")
@json_option
def info(file: str, plan: bool, as_json: bool) -> int:
    """Print the size of FILE and likely mistakes in it.

    On a terminal it also estimates the search, and draws its nodes by depth (see dlx estimate).
    """
    problem = load_problem(file, names="none")
    if plan:
        _print_plans(problem, as_json=as_json)
        return SOLVED
    facts = describe(problem)
    if as_json:
        echo_json(facts)
    elif sys.stdout.isatty():
        _print_table(texts_of(facts))
        if (found := search_estimate(problem)) is not None:
            echo(f"\n{found}")
            for line in profile_chart(*profile_rows(found)):
                echo(line)
    else:
        for name, text in texts_of(facts):
            echo(f"{name}: {text}")
    return SOLVED


def _print_plans(problem: Problem, *, as_json: bool) -> None:
    """Prints the plan of each question that commands ask."""
    questions: tuple[SearchName | RankingName, ...] = ("solve", "is_unique", "count", "minimum")
    plans = [problem.plan(question) for question in questions]
    if not as_json:
        echo("\n".join(map(str, plans)))
        return
    as_dicts = [
        {**plan._asdict(), "steps": [step._asdict() for step in plan.steps]} for plan in plans
    ]
    echo_json({"plans": as_dicts})


def describe(problem: Problem) -> dict[str, Any]:
    """Facts about a problem, by name: numbers, and "warnings" as of `Problem.warnings`.

    "reduction" is what `Problem.reduced` would remove, "symmetries" what `Problem.symmetries`
    finds, with the numbers of orbits by their sizes. Takes some seconds at most, and O(items +
    entries) memory.

    >>> import dlx
    >>> describe(dlx.Problem.from_options([["a", "b"], ["a"]]))["entries"]
    3
    """
    options = [tuple(option) for option in problem.options]
    uses: dict[Hashable, int] = dict.fromkeys(problem.items, 0)
    colors: set[Hashable] = set()
    for option in options:
        for entry in option:
            if isinstance(entry, Colored):
                colors.add(entry.color)
            uses[item_of(entry)] += 1
    entries = problem.entry_count
    heavy = [entry.weight for option in options for entry in option if isinstance(entry, Times)]
    cells = len(problem.items) * len(options)
    return {
        "primary_items": len(problem.primary),
        "secondary_items": len(problem.secondary),
        "multiplicities": _range(problem.multiplicities),
        "weights": {"entries": len(heavy), "largest": max(heavy)} if heavy else None,
        "options": len(options),
        "entries": entries,
        "colors": len(colors),
        "density": entries / cells if cells else 0.0,
        "items_per_option": _spread([len(option) for option in options]),
        "options_per_item": _spread(list(uses.values())),
        "reduction": reducible(problem._input(SearchOptions()), ENOUGH),
        "symmetries": _symmetries(problem),
        "warnings": list(problem.warnings()),
    }


def texts_of(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The facts that `describe` returned as names and texts; without those that are None.

    >>> import dlx
    >>> texts_of(describe(dlx.Problem.from_options([["a", "b"], ["a"]])))[2:4]
    [('options', '2'), ('entries', '3')]
    """
    texts: dict[str, object] = {**facts, "density": f"{facts['density']:.4g}"}
    if (bounds := facts["multiplicities"]) is not None:
        most = "times or more" if bounds["high"] is None else f"to {bounds['high']} times"
        texts["multiplicities"] = f"{counted(bounds['items'], 'item')}, {bounds['low']} {most} each"
    if (weights := facts["weights"]) is not None:
        texts["weights"] = f"{weights['entries']}, the largest {weights['largest']}"
    for name in ("items_per_option", "options_per_item"):
        if (spread := facts[name]) is not None:
            mean = f"{spread['mean']:.4g} on average"
            texts[name] = f"{spread['smallest']} to {spread['largest']}, {mean}"
    found, group = facts["reduction"], facts["symmetries"]
    items = facts["primary_items"] + facts["secondary_items"]
    texts["reduction"] = _at_least(found) + amount_text(
        found["options"], facts["options"], found["items"], items, found["rounds"]
    )
    texts["symmetries"] = f"{_at_least(group)}{order_text(group['order'])}" + (
        ", the identity alone"
        if group["order"] == 1
        else f"; options in {sizes_text(group['option_orbits'])}"
        f"; items in {sizes_text(group['item_orbits'])}"
    )
    shown, more = facts["warnings"][:MOST_WARNINGS], len(facts["warnings"]) - MOST_WARNINGS
    texts["warnings"] = "; ".join(shown + [f"{more} more"] * (more > 0)) or "none"
    return [(name.replace("_", " "), str(text)) for name, text in texts.items() if text is not None]


def search_estimate(problem: Problem) -> Estimate | None:
    """An estimate of the search, from `PROBES` probes in half a second; None if there was no time.

    >>> import dlx
    >>> round(search_estimate(dlx.models.queens(6)).nodes_error) < 20
    True
    """
    try:
        return problem.estimate(PROBES, timeout=ENOUGH_SECONDS)
    except SearchInterrupted:
        return None


def profile_rows(found: Estimate) -> tuple[list[str], list[float]]:
    """Texts and numbers of the nodes by depth, at most `MOST_ROWS`: of many, each n-th.

    >>> import dlx
    >>> profile_rows(dlx.Problem.from_options([["a"]]).estimate(2))
    (['depth 0: 1 +- 0 nodes', 'depth 1: 1 +- 0 nodes'], [1.0, 1.0])
    """
    step = -(-len(found.profile) // MOST_ROWS)
    return found.profile_lines()[::step], list(found.profile[::step])


def _symmetries(problem: Problem) -> dict[str, Any]:
    """The number of symmetries, and the numbers of orbits by their sizes, as pairs."""
    options = SearchOptions()
    group = find_symmetries(problem._input(options), options, SymmetryArguments(work=ENOUGH_EDGES))
    return {
        "order": group.order,
        "option_orbits": orbit_sizes(group.option_orbits),
        "item_orbits": orbit_sizes(group.item_orbits),
        "complete": group.complete,
    }


def _range(bounds: dict[Hashable, Bounds]) -> dict[str, int | None] | None:
    """The number of items with a multiplicity, and the smallest and largest bound; or None."""
    if not bounds:
        return None
    highs = [high for _, high in bounds.values() if high is not None]
    return {
        "items": len(bounds),
        "low": min(low for low, _ in bounds.values()),
        "high": max(highs) if len(highs) == len(bounds) else None,
    }


def _spread(numbers: Sequence[int]) -> dict[str, float] | None:
    if not numbers:
        return None
    mean = sum(numbers) / len(numbers)
    return {"smallest": min(numbers), "largest": max(numbers), "mean": mean}


def _at_least(found: dict[str, Any]) -> str:
    return "" if found["complete"] else "at least "


def _print_table(facts: Sequence[tuple[str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, text in facts:
        table.add_row(name, Text(visible(text)))
    Console().print(table)
