"""`sudoku show`: prints puzzles on the terminal, or draws them as SVG, PNG or PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from dlx import SearchInterrupted
from dlx.cli.commands import FILE_NAME, write_output
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.options import (
    PuzzleCommand,
    about,
    json_option,
    layout_option,
    timeout_option,
)
from sudoku.cli.terminal import (
    ResultCounts,
    entries,
    print_error,
    show_grids,
    show_json,
    show_line,
    show_rules,
)

__all__ = ["show_command", "svg_page"]

FILES = ("svg", "png", "pdf")


@click.command("show", cls=PuzzleCommand)
@layout_option
@click.option("--candidates", is_flag=True, help="Show the candidates of empty cells.")
@click.option("--solved", is_flag=True, help="Show the solution, with the givens in bold.")
@click.option(
    "--svg", type=FILE_NAME, metavar="FILE", help="Draw all puzzles into an SVG file; - is stdout."
)
@click.option(
    "--png", type=FILE_NAME, metavar="FILE", help="Draw a PNG file (needs the extra `pictures`)."
)
@click.option(
    "--pdf", type=FILE_NAME, metavar="FILE", help="Draw a PDF file, with any number of pages."
)
@click.option("--coordinates", is_flag=True, help="Draw the names of rows and columns, too.")
@timeout_option
@json_option
@click.option(
    "--per-page",
    type=click.Choice(["1", "2", "4", "6", "9", "12"]),
    help="Puzzles on a page of A4; PNG and SVG have one page. [one: its own size]",
)
@click.argument("puzzles", type=FILE_NAME, nargs=-1, metavar="[PUZZLE|FILE|-]...")
def show_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    candidates: bool,
    solved: bool,
    coordinates: bool,
    per_page: str | None,
    timeout: float | None,
    as_json: bool,
    **files: str | None,
) -> int:
    """Show puzzles, or draw them for printing.

    As text, a puzzle is a grid with its boxes or regions; below it are the name of the layout and
    its rules, such as cages. A picture shows the rules in the grid.
    """
    targets = [(kind, path) for kind in FILES if (path := files[kind]) is not None]
    if len(targets) > 1:
        raise click.UsageError(f"--{targets[0][0]} cannot be used with --{targets[1][0]}")
    if per_page is not None and not targets:
        raise click.UsageError("--per-page needs --svg, --png or --pdf")
    if coordinates and not targets:
        raise click.UsageError("--coordinates needs --svg, --png or --pdf")
    if as_json and targets:
        raise click.UsageError(f"--json cannot be used with --{targets[0][0]}")
    results = ResultCounts()
    shown: list[tuple[Grid, Grid]] = []
    for source, entry in entries(puzzles, layout, results):
        grid = entry.grid
        if solved:
            solution = _solution(grid, timeout, results, source.label())
            if solution is None:
                continue
            grid = solution
        results.good += 1
        if targets:
            shown.append((entry.grid, grid))
            continue
        if as_json:
            show_json(**about(source, entry), **_facts(grid, solved, candidates))
            continue
        if source.name:
            show_line(f"{source.label()}{entry.rest}".rstrip())
        _print(entry.grid, grid, candidates)
    if shown:
        kind, path = targets[0]
        pictures = [
            grid.to_svg(puzzle=puzzle, candidates=candidates, coordinates=coordinates)
            for puzzle, grid in shown
        ]
        write_output(path, _DRAW[kind](pictures, None if per_page is None else int(per_page)))
    return results.status


def _solution(grid: Grid, timeout: float | None, results: ResultCounts, label: str) -> Grid | None:
    """The first solution, or None; a message on standard error if there are several, or none."""
    from sudoku.errors import NoSolution
    from sudoku.solving.first_two import first_two
    from sudoku.solving.no_solution import NoSolutionText

    found, stopped = first_two(grid, timeout=timeout)
    try:
        if len(found) > 1:
            print_error(f"{label}more than one solution; showing one of them")
        if found:
            return found[0]
        raise stopped or NoSolution(NoSolutionText(grid))
    except NoSolution as error:
        results.failed += 1
        print_error(f"{label}{error}")
    except SearchInterrupted as error:
        results.stopped += 1
        print_error(f"{label}{error}")
    return None


def _facts(grid: Grid, solved: bool, candidates: bool) -> dict[str, Any]:
    """The fields of a JSON line besides those about the puzzle."""
    facts: dict[str, Any] = {"solution": grid.line} if solved else {}
    if candidates:
        from sudoku.board.candidates import candidates_of

        facts["candidates"] = [[*cell, list(left)] for cell, left in candidates_of(grid).items()]
    return {**facts, "drawing": str(grid)}


def _print(puzzle: Grid, grid: Grid, candidates: bool) -> None:
    """Prints the grid, or its candidates, and what that does not show of the layout."""
    layout = puzzle.layout
    if candidates:
        from sudoku.drawing.figures import figures

        click.echo(figures(grid))
    else:
        show_grids(puzzle, grid)
    if not layout.is_classic:
        show_line(f"layout: {layout}")
        show_rules(layout)


def _pages(pictures: Sequence[str], per_page: int | None) -> list[str]:
    """The pages; without `per_page`, a single picture is not put on a page."""
    from sudoku.drawing.sheet import sheets

    if per_page is None and len(pictures) == 1:
        return list(pictures)
    return list(sheets(pictures, per_page or 6))


def _one_page(pictures: Sequence[str], per_page: int | None) -> str:
    """The only page; raises a usage error if the puzzles need more."""
    pages = _pages(pictures, per_page)
    if len(pages) > 1:
        raise click.UsageError(
            f"{len(pictures)} puzzles need {len(pages)} pages, but this format has one; increase "
            "--per-page, or use --pdf"
        )
    return pages[0]


def svg_page(pictures: Sequence[str], per_page: int | None = None) -> bytes:
    """An SVG file with these pictures, on a page of A4 if there are several."""
    return _one_page(pictures, per_page).encode()


def _png(pictures: Sequence[str], per_page: int | None) -> bytes:
    from sudoku.drawing.export import png

    return png(_one_page(pictures, per_page))


def _pdf(pictures: Sequence[str], per_page: int | None) -> bytes:
    from sudoku.drawing.export import pdf

    return pdf(_pages(pictures, per_page))


_DRAW: dict[str, Callable[[Sequence[str], int | None], bytes]] = {
    "svg": svg_page,
    "png": _png,
    "pdf": _pdf,
}
