"""`sudoku compare`: runs six solvers on each puzzle."""

from __future__ import annotations

import click

from sudoku.analysis.compare import Row, compare
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, show_json, show_table
from sudoku.errors import counted

__all__ = ["compare_command"]


@click.command("compare", cls=PuzzleCommand)
@puzzle_options
@click.option(
    "--limit", type=click.IntRange(min=1), default=2, help="Stop at N solutions. [2]", metavar="N"
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=1_000_000,
    metavar="N",
    help="Stop a backtracker after N nodes. [1000000]",
)
def compare_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    as_json: bool,
    limit: int,
    nodes: int,
) -> int:
    """Solve each puzzle with six solvers and print the nodes and the time of each.

    The solvers are four backtrackers (sudoku.analysis.oracle; only for squares with boxes and no
    further rules), and exact cover in plain Python and in the kernel. The timeout is for each exact
    cover search, a minute by default; --nodes limits the backtrackers.
    """
    seconds = 60.0 if timeout is None else timeout
    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        rows = compare(entry.grid, limit=limit, node_limit=nodes, timeout=seconds)
        certain = [row for row in rows if row.stopped_by in (None, "limit")]
        if not certain:
            results.stopped += 1
        elif certain[0].solutions:
            results.good += 1
        else:
            results.failed += 1
        if as_json:
            show_json(**about(source, entry), methods=[row._asdict() for row in rows])
            continue
        notes = {
            None: "",
            "limit": f"stopped at {limit} solution{'s'[: limit > 1]}",
            "node_limit": f"stopped at {counted(nodes, 'node', ',')}",
            "timeout": f"stopped after {seconds:g} s",
        }
        head = ["method", "solutions", "nodes", "time", "note"]
        show_table(
            f"{source.label()}{entry.grid.line}",
            head if any(row.stopped_by for row in rows) else [*head[:-1], ""],
            [_cells(row, notes[row.stopped_by]) for row in rows],
        )
    return results.status


def _cells(row: Row, note: str) -> list[str]:
    unit = f"{row.seconds:.2f} s " if row.seconds >= 1 else f"{row.seconds * 1000:.2f} ms"
    return [row.method, f"{row.solutions:,}", f"{row.nodes:,}", unit, note]
