"""The `dlx min` command: the cheapest solutions of a problem in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from dlx.analysis.minimum import ENGINES, Progress
from dlx.cli.commands import NO_SOLUTION, SOLVED, STOPPED
from dlx.cli.display import Screen
from dlx.cli.shared import (
    given_option,
    json_lines_option,
    load_problem,
    option_text,
    read_given,
    seed_option,
    timeout_option,
)
from dlx.cli.solve import search_summary
from dlx.errors import MinimumInterrupted, WorkDone, counted

if TYPE_CHECKING:
    from rich.text import Text

    from dlx.search.search import Solution

__all__ = ["minimum"]


@click.command("min")
@click.argument("file")
@click.option(
    "-k", type=click.IntRange(min=1), default=1, show_default=True, help="How many solutions."
)
@click.option("--max", "dearest", is_flag=True, help="The dearest solutions instead.")
@given_option
@timeout_option
@seed_option
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Search on N cores at once.",
)
@json_lines_option
def minimum(
    file: str, k: int, dearest: bool, given: tuple[str, ...], as_json: bool, **search: Any
) -> int:
    """Print the cheapest solutions of FILE, in order of cost.

    An option says what it costs by a word like |5; options that say nothing cost nothing. While
    it searches, a terminal shows the best solution so far and what is proved of all others.
    """
    problem = load_problem(file)
    ask = problem.maximum if dearest else problem.minimum
    chosen = read_given(problem, given)
    interrupted: MinimumInterrupted | None = None
    best: Sequence[tuple[int, Solution]]
    with _shown_progress(dearest, as_json) as show:
        try:
            best = ranking = ask(k, given=chosen, progress=show, **search)
        except MinimumInterrupted as error:
            best, interrupted = error.best, error
    stats = ranking.stats if interrupted is None else interrupted.stats
    for number, (cost, solution) in enumerate(best, start=1):
        options = [problem.options[problem.index_of(name)] for name in solution]
        texts = list(map(option_text, options))
        if as_json:
            items = [text.split() for text in texts]
            found = {"solution": number, "cost": cost, "options": solution, "items": items}
            click.echo(json.dumps(found))
            continue
        click.echo(f"solution {number}, cost {cost}:")
        for name, text in zip(solution, texts, strict=True):
            price = problem.cost_of([name])
            click.echo(f"  {name}: {text}" + (f" |{price}" if price else ""))
    _report_end(best, k, stats, interrupted, as_json)
    if interrupted is not None:
        return STOPPED
    return SOLVED if best else NO_SOLUTION


def _report_end(
    best: Sequence[object],
    k: int,
    stats: WorkDone,
    interrupted: MinimumInterrupted | None,
    as_json: bool,
) -> None:
    """Says how the search ended, so that a part of the answer cannot pass for all of it."""
    if as_json:
        click.echo(
            json.dumps(
                {
                    "solutions": len(best),
                    "proved": interrupted is None,
                    "bound": None if interrupted is None else interrupted.bound,
                    "stopped_by": None if interrupted is None else interrupted.reason,
                    "nodes": stats.nodes,
                    "updates": stats.updates,
                    "seconds": stats.seconds,
                }
            )
        )
        return
    ending = "" if interrupted is None else f"; stopped by the {interrupted.reason}: "
    if interrupted is not None:
        ending += _what_is_known(interrupted, k)
    click.echo(
        search_summary(len(best), stats.nodes, stats.updates, stats.seconds) + ending,
        err=True,
    )


def _what_is_known(interrupted: MinimumInterrupted, k: int) -> str:
    best, bound = interrupted.best, interrupted.bound
    if bound is None:
        return "nothing is proved"
    if len(best) == k and bound == best[-1][0]:
        return "the costs are proved, but not which of equal solutions come first"
    return f"not proved; the bound for all others is {bound}"


@contextmanager
def _shown_progress(dearest: bool, as_json: bool) -> Iterator[Callable[[Progress], object] | None]:
    """What to call with news: a line on a terminal that is redrawn, plain lines elsewhere."""
    if sys.stderr.isatty():
        with Screen() as screen:
            yield lambda news: screen.show(_line(news, dearest))
    elif as_json:
        yield None
    else:
        yield _PlainLines(dearest)


class _PlainLines:
    """A line on stderr whenever a better solution is known, not more than that."""

    def __init__(self, dearest: bool) -> None:
        self._dearest = dearest
        self._best: int | None = None

    def __call__(self, news: Progress) -> None:
        if news.best is not None and news.best != self._best:
            self._best = news.best
            click.echo(_line(news, self._dearest).plain, err=True)


def _line(news: Progress, dearest: bool) -> Text:
    from rich.text import Text

    line = Text()
    line.append("best so far ")
    line.append("none yet" if news.best is None else f"{news.best}", style="bold green")
    line.append(" | all others cost at " + ("most " if dearest else "least "))
    line.append("?" if news.bound is None else f"{news.bound}", style="bold")
    if news.best is not None and news.bound is not None:
        gap = (news.bound - news.best) if dearest else (news.best - news.bound)
        if gap > 0 and news.best != 0:
            line.append(f" | gap {gap / abs(news.best):.2%}", style="dim")
    line.append(f" | {counted(news.nodes, 'node')}, {news.seconds:.1f} s", style="dim")
    return line
