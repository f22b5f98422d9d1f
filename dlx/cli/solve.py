"""`dlx solve` and `dlx count`: searches with workers, journals and a progress bar.

`--scheduler` runs the search on a Dask cluster, through its executor.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED, STOPPED, Terminated
from dlx.cli.display import Display, echo, echo_error, echo_json, json_line
from dlx.cli.drawing import DrawConfig, characters, command_advice, svg_writer
from dlx.cli.shared import (
    load_problem,
    named_option,
    options_json,
    proof_option,
    read_given,
    rotations_option,
    search_options,
)
from dlx.core.stats import Stats
from dlx.errors import SearchInterrupted, counted
from dlx.problem import Problem
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = [
    "WorkConfig",
    "checkpoint_option",
    "cluster",
    "count",
    "print_resume_hint",
    "resume_hint",
    "run_count",
    "run_solve",
    "search_summary",
    "solution_json",
    "solution_text",
    "solve",
    "work_options",
]


class WorkConfig(NamedTuple):
    """The options of a search that do not change its result: workers, journal, progress."""

    workers: int | None = None
    scheduler: str | None = None
    checkpoint: str | None = None
    quiet: bool = False


def work_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of commands that may run for long."""
    for option in (
        click.option("--quiet", is_flag=True, help="Do not show progress."),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Run on the Dask cluster at tcp://HOST:PORT; 'local' starts local processes.",
        ),
        click.option(
            "--workers", type=click.IntRange(min=1), metavar="N", help="Number of worker threads."
        ),
    ):
        command = option(command)
    return command


checkpoint_option = click.option(
    "--checkpoint",
    type=FILE_NAME,
    metavar="PATH",
    help="Keep a journal in PATH; to continue later, run `dlx resume PATH`.",
)

distinct_rotations = rotations_option(
    "As --distinct, but symmetric by rotations of the cells alone, not by reflections."
)


@click.command()
@search_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Print up to N solutions.")
@click.option("--all", "everything", is_flag=True, help="Print all solutions.")
@click.option(
    "--distinct",
    is_flag=True,
    help="Print one solution of each class of symmetric ones: of all classes, without --limit.",
)
@distinct_rotations
@click.option(
    "--svg",
    type=FILE_NAME,
    metavar="PICTURE",
    help="Draw the solution as SVG into this file; with --limit, --all or --distinct, a sheet.",
)
@click.option(
    "--columns",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --svg, the number of pictures in a row of the sheet.",
)
@click.option(
    "--draw/--no-draw",
    default=None,
    help="Draw tilings and boards with characters [default: on a terminal].",
)
@proof_option(
    "Write a proof that there is no solution to OUT.drat or OUT.pbp; with --all, that these are "
    "all, to OUT.pbp."
)
@work_options
@checkpoint_option
def solve(
    file: str,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    limit: int | None,
    everything: bool,
    distinct: bool,
    rotations: bool,
    svg: str | None,
    columns: int | None,
    draw: bool | None,
    as_json: bool,
    workers: int | None,
    scheduler: str | None,
    checkpoint: str | None,
    quiet: bool,
    **search: Any,
) -> int:
    """Print the first solution of FILE, or more with --limit, --all or --distinct.

    A solution is printed as the names (or else the numbers) and the items of its options.
    """
    if everything and limit is not None:
        raise click.UsageError("--all and --limit cannot be used together")
    if limit is None and not (everything or distinct or rotations):
        limit = 1
    if columns is not None and (svg is None or limit == 1):
        raise click.UsageError("--columns needs --svg, and --limit, --all or --distinct")
    if draw and as_json:
        raise click.UsageError("--draw and --json cannot be used together")
    problem = load_problem(file, names="all")
    work = WorkConfig(workers, scheduler, checkpoint, quiet)
    search.update(read_given(problem, given, forbid), limit=limit)
    search["distinct"] = "rotations" if rotations else distinct
    drawing = DrawConfig(svg, limit != 1, columns, False if as_json else draw)
    with command_advice():
        return run_solve(problem, work, as_json=as_json, drawing=drawing, **search)


@click.command()
@search_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Stop counting at N.")
@click.option("--distinct", is_flag=True, help="Count solutions symmetric to each other once.")
@distinct_rotations
@click.option(
    "--no-symmetry", is_flag=True, help="Count every subproblem, also if it is like another one."
)
@click.option(
    "--memory-limit", metavar="SIZE", help="Memory for caching, as in '500 MB' [default: 1 GiB]."
)
@click.option(
    "--proof",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a certificate of the number to FILE, x.count, for dlx check-count.",
)
@work_options
@checkpoint_option
def count(
    file: str,
    given: tuple[str, ...],
    forbid: tuple[str, ...],
    limit: int | None,
    distinct: bool,
    rotations: bool,
    as_json: bool,
    no_symmetry: bool,
    workers: int | None,
    scheduler: str | None,
    checkpoint: str | None,
    quiet: bool,
    **search: Any,
) -> int:
    """Print the number of solutions of FILE."""
    problem = load_problem(file, names="all" if rotations else "texts")
    work = WorkConfig(workers, scheduler, checkpoint, quiet)
    search.update(read_given(problem, given, forbid), limit=limit, symmetry=not no_symmetry)
    search["distinct"] = "rotations" if rotations else distinct
    return run_count(problem, work, as_json=as_json, **search)


# -- running -------------------------------------------------------------------------------------


NO_DRAWING = DrawConfig()


def run_solve(
    problem: Problem,
    work: WorkConfig,
    *,
    as_json: bool,
    drawing: DrawConfig = NO_DRAWING,
    timeout: float | None = None,
    **search: Any,
) -> int:
    """Prints (and draws) solutions and the result of the search. Returns the exit status."""
    show = solution_json if as_json else solution_text
    drawn = characters(problem, drawing)
    found = 0
    until = None if timeout is None else time.monotonic() + timeout
    with (
        _search_keywords(work) as (keywords, display),
        problem.solutions(timeout=timeout, **search, **keywords) as solutions,
    ):
        with display, svg_writer(problem, drawing, solutions) as draw:
            printed = _until(until, solutions, search["limit"])
            for found, solution in enumerate(printed, start=1):
                display.echo(show(problem, found, solution) + drawn(solution))
                draw(solution)
        stopped_by = solutions.stopped_by or (None if solutions.exhausted else "timeout")
        _report_end(solutions, found, stopped_by, as_json)
        if stopped_by == "timeout":
            print_resume_hint(work.checkpoint)
            return STOPPED
        return SOLVED if found or stopped_by else NO_SOLUTION


def _until(deadline: float | None, search: Search, limit: int | None) -> Iterator[Solution]:
    """The solutions up to a deadline on the monotonic clock, the caller's own time included.

    The timeout of a `Search` does not count the time between two solutions, such as for printing.
    """
    if deadline is None:
        yield from search
        return
    found = 0
    while found == limit or time.monotonic() < deadline:
        some = search.take(1, max(0.0, deadline - time.monotonic()))
        if not some:  # the end or the limit, which `search.stopped_by` tells apart
            return
        found += 1
        yield some[0]


def run_count(problem: Problem, work: WorkConfig, *, as_json: bool, **search: Any) -> int:
    """Prints the number of solutions. Returns the exit status."""
    stopped_by = None
    limit = search["limit"]
    try:
        with _search_keywords(work) as (keywords, display), display:
            number = problem.count(**search, **keywords)
        if number == limit:
            stopped_by = "limit"
            echo_error(f"dlx: stopped at the limit of {limit}; there may be more")
    except SearchInterrupted as error:
        number, stopped_by = error.count, error.reason
        echo_error(f"dlx: {error}")
        print_resume_hint(work.checkpoint)
    if as_json:
        echo_json({"solutions": number, "exhausted": stopped_by is None, "stopped_by": stopped_by})
    else:
        echo(Decimal(number))  # Python limits the digits of str(number)
    if stopped_by is not None:
        return STOPPED
    return SOLVED if number else NO_SOLUTION


@contextmanager
def _search_keywords(work: WorkConfig) -> Iterator[tuple[dict[str, Any], Display]]:
    """The keywords for `Problem.solutions` or `Problem.count`, and the progress display."""
    display = Display()
    with resume_hint(work.checkpoint), _workers(work) as keywords:
        if work.checkpoint is not None:
            keywords["checkpoint"] = work.checkpoint
        if not work.quiet:
            keywords["progress"] = display
        yield keywords, display


@contextmanager
def resume_hint(checkpoint: str | None) -> Iterator[None]:
    """When a signal ends the block, its message says how to go on with the journal, if any."""
    try:
        yield
    except (KeyboardInterrupt, Terminated) as signal:
        if checkpoint is not None:
            signal.args = (f"progress is saved; to continue: dlx resume {checkpoint}",)
        raise


@contextmanager
def _workers(work: WorkConfig) -> Iterator[dict[str, Any]]:
    if work.scheduler is None:
        yield {} if work.workers is None else {"workers": work.workers}
        return

    with cluster(work.scheduler, work.workers) as executor:
        yield {"executor": executor}


def print_resume_hint(checkpoint: str | None) -> None:
    """Prints how to go on with the journal, if any."""
    if checkpoint is not None:
        echo_error(f"dlx: to continue: dlx resume {checkpoint}")


def solution_text(problem: Problem, number: int, solution: Solution) -> str:
    """A solution as lines of text: the names and the items of its options."""
    options = (f"  {named_option(problem, name)}" for name in solution)
    return "\n".join([f"solution {number}:", *options])


def solution_json(problem: Problem, number: int, solution: Solution) -> str:
    """A solution as a line of JSON: its options' numbers, their names if any, and their items."""
    return json_line({"solution": number, **options_json(problem, solution)})


_HELP = {
    "propagation": "a search by propagation of colors was used",
    "restarts": "searches in random orders were used",
    "weighted": "a search by the heuristic 'weighted' was used",
    "symmetric": "a search that leaves out symmetric subtrees was used",
    "parts": "independent parts of the problem were searched by themselves",
    "counting": "no solution: proved by counting, see dlx explain",
    "parity": "no solution: proved by parity, see dlx explain",
    "modulo 2147483647": "no solution: proved by counting modulo a prime, see dlx explain",
}
"""The sentences about `Stats.helpers`; the SAT solver has one with its conflicts."""


def _report_end(search: Search, found: int, stopped_by: str | None, as_json: bool) -> None:
    """Prints whether the search finished or was stopped, and its statistics."""
    stats: Stats = search.stats
    if as_json:
        echo_json(
            {
                "solutions": found,
                "exhausted": search.exhausted,
                "stopped_by": stopped_by,
                "nodes": stats.nodes,
                "updates": stats.updates,
                "seconds": stats.seconds,
                **({} if stats.conflicts is None else {"conflicts": stats.conflicts}),
                **({"helpers": stats.helpers} if stats.helpers else {}),
            }
        )
        return
    for helper in stats.helpers:
        if (sentence := _HELP.get(helper)) is not None:
            echo_error(sentence)
    if stats.conflicts is not None:
        echo_error(f"the SAT solver was used: {counted(stats.conflicts, 'conflict')}")
    ending = {
        None: "" if search.exhausted else "; there may be more",
        "limit": "; there may be more",
        "timeout": "; stopped by the timeout",
    }[stopped_by]
    echo_error(f"{search_summary(found, stats.nodes, stats.updates, stats.seconds)}{ending}")


def search_summary(found: int, nodes: int, updates: int, seconds: float | None = None) -> str:
    """The result and the work of a search in a line."""
    time = "" if seconds is None else f", {seconds:.3g} s"
    solutions = counted(found, "solution") if found else "no solutions"
    return f"{solutions}, {counted(nodes, 'node')}, {counted(updates, 'update')}{time}"


LOCAL = "local"
CONNECT_TIMEOUT = 10  # seconds to connect to the scheduler
START_ATTEMPTS = 3  # to start local workers


@contextmanager
def cluster(address: str, workers: int | None) -> Iterator[Executor]:
    """The executor of the Dask cluster at an address; 'local' starts `workers` processes."""
    try:
        dask: Any = import_module("distributed")  # it has no type hints
    except ImportError:
        raise click.ClickException("--scheduler needs Dask: pip install distributed") from None
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):  # errors are reported in one line instead
            logging.getLogger(name).setLevel(logging.CRITICAL)
    local = address == LOCAL
    if workers is not None and not local:
        raise click.UsageError(
            "--workers is for local workers only; a cluster has its own number of workers"
        )
    with ExitStack() as stack:
        try:
            started: Any = address
            if local:
                started = stack.enter_context(_closing(_local_cluster(dask, workers)))
            client = stack.enter_context(_closing(dask.Client(started, timeout=CONNECT_TIMEOUT)))
            executor: Executor = client.get_executor(pure=False)
        except Exception as error:  # Dask has no class for all of its own
            what = "start local workers" if local else f"connect to the scheduler at {address}"
            raise click.ClickException(f"cannot {what}: {error}") from None
        yield executor


def _local_cluster(dask: Any, workers: int | None) -> Any:
    """Starts worker processes. Dask gives up if one of them dies early; this tries again."""
    for left in reversed(range(START_ATTEMPTS)):
        with suppress(*(Exception,) if left else ()):
            return dask.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
    raise AssertionError("unreachable")


@contextmanager
def _closing(resource: Any) -> Iterator[Any]:
    """Closes a client or cluster. An error then, such as of a dead worker, costs no result."""
    try:
        yield resource
    finally:
        with suppress(Exception):
            resource.close()
