"""The `dlx min` command: the cheapest solutions of a problem in a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import click

from dlx.analysis.minimum import ALL_ENGINES, Progress
from dlx.cli import display
from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, STOPPED
from dlx.cli.display import Screen, echo, echo_error, echo_json
from dlx.cli.shared import (
    given_options,
    json_lines_option,
    load_problem,
    named_option,
    options_json,
    read_given,
    seed_option,
    timeout_option,
)
from dlx.cli.solve import checkpoint_option, print_resume_hint, resume_hint, search_summary
from dlx.errors import MinimumInterrupted, WorkDone, counted

if TYPE_CHECKING:
    from rich.text import Text

    from dlx.problem import Problem
    from dlx.search.search import Solution

__all__ = ["minimum", "run_minimum"]


@click.command("min")
@click.argument("file", type=FILE_NAME)
@click.option(
    "-k",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of solutions.",
)
@click.option("--max", "maximize", is_flag=True, help="Find the most expensive solutions instead.")
@given_options
@timeout_option
@seed_option
@click.option("--engine", type=click.Choice(ALL_ENGINES), default="auto", show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of worker threads.",
)
@click.option(
    "--any-order",
    is_flag=True,
    help="Of solutions of equal cost, print any, in any order: faster.",
)
@checkpoint_option
@json_lines_option
def minimum(
    file: str,
    k: int,
    maximize: bool,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    as_json: bool,
    **search: Any,
) -> int:
    """Print the cheapest solutions of FILE, in order of cost.

    A word like |5 after the items of an option is its cost; the default is 0. After half
    a second, standard error shows the best cost so far and the bound for all other solutions.
    """
    problem = load_problem(file, names="all")
    search.update(read_given(problem, given, forbid))
    return run_minimum(problem, k, maximize=maximize, as_json=as_json, **search)


def run_minimum(
    problem: Problem,
    k: int,
    *,
    maximize: bool,
    as_json: bool,
    quiet: bool = False,
    checkpoint: str | None = None,
    **search: Any,
) -> int:
    """Prints the best solutions and the result of the search. Returns the exit status."""
    ask = problem.maximum if maximize else problem.minimum
    interrupted: MinimumInterrupted | None = None
    best: Sequence[tuple[int, Solution]]
    plain = not (quiet or as_json)
    with _shown_progress(maximize, quiet=quiet, plain=plain) as show, resume_hint(checkpoint):
        try:
            best = ranking = ask(k, progress=show, checkpoint=checkpoint, **search)
        except MinimumInterrupted as error:
            best, interrupted = error.best, error
    stats = ranking.stats if interrupted is None else interrupted.stats
    line = cache(partial(_option_line, problem))  # solutions have most of their options in common
    for number, (cost, solution) in enumerate(best, start=1):
        if as_json:
            echo_json({"solution": number, "cost": cost, **options_json(problem, solution)})
        else:
            echo("\n".join([f"solution {number}, cost {cost}:", *map(line, solution)]))
    _report_end(best, k, stats, interrupted, as_json)
    if interrupted is not None:
        print_resume_hint(checkpoint)
        return STOPPED
    return SOLVED if best else NO_SOLUTION


def _option_line(problem: Problem, name: Hashable) -> str:
    """The name, the items and the cost of an option."""
    text, price = named_option(problem, name), problem.cost_of([name])
    return f"  {text}" + (f" |{price}" if price else "")


def _report_end(
    best: Sequence[object],
    k: int,
    stats: WorkDone,
    interrupted: MinimumInterrupted | None,
    as_json: bool,
) -> None:
    """Prints whether the search finished or was stopped, and its statistics."""
    if as_json:
        echo_json(
            {
                "solutions": len(best),
                "complete": interrupted is None,
                "stopped_by": None if interrupted is None else interrupted.reason,
                "bound": None if interrupted is None else interrupted.bound,
                "nodes": stats.nodes,
                "updates": stats.updates,
                "seconds": stats.seconds,
            }
        )
        return
    ending = "" if interrupted is None else f"; stopped by the {interrupted.reason}: "
    if interrupted is not None:
        ending += _proof_state(interrupted, k)
    echo_error(search_summary(len(best), stats.nodes, stats.updates, stats.seconds) + ending)


def _proof_state(interrupted: MinimumInterrupted, k: int) -> str:
    """What is proved about the costs when a limit stopped the search, as text."""
    best, bound = interrupted.best, interrupted.bound
    if bound is None:
        return "nothing is proved"
    if len(best) == k and bound == best[-1][0]:
        return "the costs are proved optimal, but not the order of solutions with equal costs"
    return f"not proved; the bound for all others is {bound}"


@contextmanager
def _shown_progress(
    maximize: bool, *, quiet: bool, plain: bool
) -> Iterator[Callable[[Progress], object] | None]:
    """The progress function: redraws a line on a terminal, prints plain lines elsewhere.

    It shows nothing before `display.DELAY`.
    """
    if sys.stderr.isatty() and not quiet:
        with Screen() as screen:

            def show(progress: Progress) -> None:
                if progress.seconds >= display.DELAY:
                    screen.show(_line(progress, maximize))

            yield show
    elif not plain:
        yield None
    else:
        yield _PlainLines(maximize)


class _PlainLines:
    """Prints a line to stderr for each better solution."""

    def __init__(self, maximize: bool) -> None:
        self._maximize = maximize
        self._best: int | None = None

    def __call__(self, progress: Progress) -> None:
        if progress.seconds < display.DELAY:
            return
        if progress.best is not None and progress.best != self._best:
            self._best = progress.best
            echo_error(_line(progress, self._maximize).plain)


def _line(progress: Progress, maximize: bool) -> Text:
    from rich.text import Text

    line = Text()
    line.append("best so far ")
    line.append("none yet" if progress.best is None else f"{progress.best}", style="bold green")
    line.append(" | all others cost at " + ("most " if maximize else "least "))
    line.append("?" if progress.bound is None else f"{progress.bound}", style="bold")
    if progress.best is not None and progress.bound is not None:
        gap = (progress.bound - progress.best) if maximize else (progress.best - progress.bound)
        if gap > 0 and progress.best != 0:
            line.append(f" | gap {gap / abs(progress.best):.2%}", style="dim")
    line.append(f" | {counted(progress.nodes, 'node')}, {progress.seconds:.1f} s", style="dim")
    return line
