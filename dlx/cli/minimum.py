"""The `dlx min` command: the cheapest solutions of a problem in a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import starmap
from math import inf
from typing import TYPE_CHECKING, Any

import click

from dlx.analysis.minimum import ALL_ENGINES, Progress, Ranking
from dlx.cli import display
from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, STOPPED, TextType, write_output
from dlx.cli.display import Screen, echo, echo_error, echo_json
from dlx.cli.shared import (
    given_options,
    json_lines_option,
    load_problem,
    named_option,
    number_option,
    options_json,
    read_given,
    seed_option,
    timeout_option,
)
from dlx.cli.solve import checkpoint_option, print_resume_hint, resume_hint, search_summary
from dlx.core.entries import item_text
from dlx.errors import counted
from dlx.formats.json_text import name_value

if TYPE_CHECKING:
    from rich.text import Text

    from dlx.problem import Problem

__all__ = ["minimum", "run_minimum", "stopping_options"]


class _Rational(TextType):
    """A number such as 12, 0.01, 1/3 or 1%."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from fractions import Fraction  # slow: few calls have such options

        text = value.removesuffix("%")
        try:
            return Fraction(text) / (100 if text != value else 1)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a number, such as 0.01 or 1%", param, ctx)


def stopping_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --gap, --target and --svg."""
    for flag, kind, metavar, help_text in (
        (
            "--svg",
            FILE_NAME,
            "PICTURE",
            "Draw the best cost and the bound over time into this SVG file.",
        ),
        (
            "--target",
            _Rational(),
            "COST",
            "Stop when N solutions cost at most COST (with --max, at least).",
        ),
        (
            "--gap",
            _Rational(),
            "GAP",
            "Stop when solution N is proved to be within GAP, such as 1% or 0.01, of its cost.",
        ),
    ):
        command = click.option(flag, type=kind, metavar=metavar, help=help_text)(command)
    return command


def _penalties(problem: Problem, soft: tuple[str, ...]) -> dict[Hashable, int] | None:
    """The penalties by item of the words of --soft, such as a=5. None if there are none."""
    items = {item_text(item): item for item in problem.items} if soft else {}
    found: dict[Hashable, int] = {}
    for word in soft:
        text, sign, price = word.rpartition("=")
        try:
            penalty = int(price)
        except ValueError:
            sign = ""
        if not sign:
            raise click.BadParameter(f"{word!r} is not ITEM=COST", param_hint="--soft")
        found[items.get(text, text)] = penalty
    return found or None


@click.command("min")
@click.argument("file", type=FILE_NAME)
@number_option("-k", 1, 1, "Number of solutions.")
@click.option("--max", "maximize", is_flag=True, help="Find the most expensive solutions instead.")
@given_options
@timeout_option
@seed_option
@click.option("--engine", type=click.Choice(ALL_ENGINES), default="auto", show_default=True)
@number_option("--workers", 1, 1, "Number of worker threads.")
@click.option(
    "--any-order",
    is_flag=True,
    help="Of solutions of equal cost, print any, in any order: faster.",
)
@click.option(
    "--soft",
    multiple=True,
    metavar="ITEM=COST",
    help="Let ITEM be covered too rarely or too often, at this cost for each time. Repeatable.",
)
@click.option(
    "--bottleneck", is_flag=True, help="Minimize the greatest cost of an option, not the total."
)
@number_option(
    "--min-difference",
    1,
    1,
    "Print solutions without D or more of the options of each one before.",
    metavar="D",
)
@stopping_options
@checkpoint_option
@click.option(
    "--proof",
    type=FILE_NAME,
    metavar="PROOF",
    help="Write a proof that no solution is cheaper: x.pbp, for VeriPB, and its formula x.opb.",
)
@json_lines_option
def minimum(
    file: str,
    k: int,
    maximize: bool,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    soft: tuple[str, ...],
    as_json: bool,
    **search: Any,
) -> int:
    """Print the cheapest solutions of FILE, in order of cost.

    A word like |5 after the items of an option is its cost; the default is 0. After half
    a second, standard error shows the best cost so far and the bound for all other solutions.
    """
    problem = load_problem(file, names="all")
    search.update(read_given(problem, given, forbid))
    search["penalties"] = _penalties(problem, soft)
    return run_minimum(problem, k, maximize=maximize, as_json=as_json, **search)


def run_minimum(
    problem: Problem,
    k: int,
    *,
    maximize: bool,
    as_json: bool,
    quiet: bool = False,
    checkpoint: str | None = None,
    svg: str | None = None,
    **search: Any,
) -> int:
    """Prints the best solutions and the result of the search. Returns the exit status."""
    ask = problem.maximum if maximize else problem.minimum
    plain = not (quiet or as_json)
    search["gap"] = search.get("gap") or 0.0
    with (
        _shown_progress(maximize, quiet=quiet, plain=plain) as show,
        _drawn(svg, show) as report,
        resume_hint(checkpoint),
    ):
        ranking = ask(k, progress=report, checkpoint=checkpoint, on_timeout="best", **search)
    line = cache(partial(_option_line, problem))  # solutions have most of their options in common
    for number, (cost, solution) in enumerate(ranking, start=1):
        wrong = problem.deviations(solution) if search.get("penalties") else {}
        if as_json:
            facts = {"solution": number, "cost": cost, **options_json(problem, solution)}
            if search.get("penalties"):
                facts["deviations"] = [[name_value(item), times] for item, times in wrong.items()]
            echo_json(facts)
        else:
            lines = [*map(line, solution), *starmap(_deviation_line, wrong.items())]
            echo("\n".join([f"solution {number}, cost {cost}:", *lines]))
    _report_end(ranking, as_json)
    if ranking.stopped_by is not None:
        print_resume_hint(checkpoint)
    if ranking.stopped_by == "timeout":
        return STOPPED
    return SOLVED if ranking else NO_SOLUTION


def _option_line(problem: Problem, name: Hashable) -> str:
    """The name, the items and the cost of an option."""
    text, price = named_option(problem, name), problem.cost_of([name])
    return f"  {text}" + (f" |{price}" if price else "")


def _deviation_line(item: Hashable, times: int) -> str:
    """How often an item is covered too rarely (negative) or too often."""
    how = "rarely" if times < 0 else "often"
    return f"  {item_text(item)}: {counted(abs(times), 'time')} too {how}"


def _report_end(ranking: Ranking[Any], as_json: bool) -> None:
    """Prints whether the search finished or was stopped, and its statistics."""
    stats, stopped_by = ranking.stats, ranking.stopped_by
    if as_json:
        echo_json(
            {
                "solutions": len(ranking),
                "complete": stopped_by is None,
                "stopped_by": stopped_by,
                "proved": ranking.proved,
                "bound": None if stopped_by is None else ranking.bound,
                "gap": None if ranking.gap == inf else ranking.gap,
                "nodes": stats.nodes,
                "updates": stats.updates,
                "seconds": stats.seconds,
            }
        )
        return
    ending = "" if stopped_by is None else f"; {ranking.proof_state()}"
    summary = search_summary(len(ranking), stats.nodes, stats.updates, stats.seconds)
    echo_error(summary + ending)


@contextmanager
def _drawn(
    path: str | None, show: Callable[[Progress], object] | None
) -> Iterator[Callable[[Progress], object] | None]:
    """A progress function for a picture of the search as well, which is written at the end."""
    if path is None:
        yield show
        return
    from dlx.drawing.trajectory import Trajectory

    trajectory = Trajectory()

    def report(progress: Progress) -> None:
        trajectory(progress)
        if show is not None:
            show(progress)

    try:
        yield report
    finally:
        write_output(path, trajectory.picture().encode())


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
    if 0 < progress.relative_gap < inf:
        line.append(f" | gap {progress.relative_gap:.2%}", style="dim")
    line.append(f" | {counted(progress.nodes, 'node')}, {progress.seconds:.1f} s", style="dim")
    return line
