"""What commands draw: solutions as SVG, solutions and search profiles with characters."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from dlx.cli.commands import write_output
from dlx.cli.display import echo_error
from dlx.errors import InvalidArgument

if TYPE_CHECKING:
    from dlx.problem import Problem
    from dlx.search.search import Search, Solution

__all__ = ["DrawConfig", "characters", "command_advice", "profile_chart", "svg_writer"]


class DrawConfig(NamedTuple):
    """What to draw: into a file, one solution or a sheet of all; with characters."""

    svg: str | None = None
    sheet: bool = False
    columns: int | None = None
    text: bool | None = False
    """None: if standard output is a terminal on which the problem's solutions can be drawn."""


@contextmanager
def command_advice() -> Iterator[None]:
    """Lets an error about a problem that cannot be drawn name a command, not a Python method."""
    try:
        yield
    except InvalidArgument as error:
        from dlx.drawing.boards import TREE_ADVICE

        if TREE_ADVICE not in str(error):
            raise
        advice = "; `dlx trace --svg PICTURE FILE` draws the search of any problem"
        raise InvalidArgument(str(error).replace(TREE_ADVICE, advice)) from None


@contextmanager
def svg_writer(
    problem: Problem, config: DrawConfig, search: Search
) -> Iterator[Callable[[Solution], object]]:
    """A function that draws a solution; a sheet is written at the end, also after Ctrl-C.

    Raises `InvalidArgument`, before the search, if the problem's items are not positions.
    """
    path = config.svg
    if path is None:
        yield lambda _: None
        return
    if not config.sheet:
        from dlx.drawing.boards import BoardReader

        BoardReader(problem)
        yield lambda solution: write_output(path, problem.picture(solution).encode())
        return
    from dlx.drawing.sheets import Sheet, class_size

    sheet = Sheet(problem)
    found = 0

    def add(solution: Solution) -> None:
        nonlocal found
        found += 1
        sheet.add(solution, size=class_size(search))

    try:
        yield add
    finally:
        if len(sheet):
            more = found > len(sheet) or not search.exhausted
            picture = sheet.picture(more=more, columns=config.columns)
            write_output(path, picture.encode())
        if found > len(sheet):
            echo_error(f"dlx: the picture has room for the first {len(sheet):,} solutions only")


def characters(problem: Problem, config: DrawConfig) -> Callable[[Solution], str]:
    """A function from a solution to lines of text, which are empty if nothing is to be drawn.

    Raises `InvalidArgument` if the caller wants a drawing and the problem cannot be drawn.
    """
    on_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    wanted = config.text
    if wanted is False or (wanted is None and not on_terminal):
        return lambda _: ""
    from dlx.drawing.boards import BoardReader
    from dlx.drawing.characters import ASCII, board_text

    try:
        reader = BoardReader(problem)
    except InvalidArgument:
        if wanted:
            raise
        return lambda _: ""
    color = on_terminal and not os.environ.get("NO_COLOR")
    most = None if wanted else shutil.get_terminal_size().columns

    def draw(solution: Solution) -> str:
        try:
            board = reader.read(solution)
        except InvalidArgument:
            if wanted:
                raise
            return ""
        plain = board_text(board)
        if most is not None and max(map(len, plain.splitlines()), default=0) > most:
            return ""
        text = board_text(board, color=True) if color else plain
        return "\n" + (text if _can_print(plain) else text.translate(ASCII))

    return draw


def profile_chart(texts: Sequence[str], numbers: Sequence[float]) -> list[str]:
    """Lines of text, with bars if standard output is a terminal on which they can be drawn."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return [*texts]
    from dlx.drawing.characters import ASCII, bar_chart

    lines = bar_chart(texts, numbers, shutil.get_terminal_size().columns - 1)
    unicode = _can_print("".join(lines))
    return lines if unicode else [line.translate(ASCII).rstrip() for line in lines]


def _can_print(text: str) -> bool:
    """Whether standard output can encode this text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
