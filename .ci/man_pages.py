"""Writes man pages of the commands `dlx` and `sudoku`, from what `--help` says.

usage: python .ci/man_pages.py FOLDER      (`make man`: build/man)

    man -l build/man/dlx-solve.1
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import dlx
from dlx.cli.main import dlx as dlx_command
from sudoku.cli.main import commands as sudoku_command

GROUPS: dict[str, click.Group] = {"dlx": dlx_command, "sudoku": sudoku_command}


def main(folder: Path) -> None:
    """Writes a page for each command and subcommand."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, group in GROUPS.items():
        top = click.Context(group, info_name=name, **group.context_settings)
        names = sorted(group.commands)
        others = [f"{name}-{other}" for other in names]
        write(folder / f"{name}.1", page(group, top, others))
        for other in names:
            context = click.Context(group.commands[other], info_name=other, parent=top)
            write(folder / f"{name}-{other}.1", page(group.commands[other], context, [name]))


def write(path: Path, lines: Iterator[str]) -> None:
    """Writes the lines of a page."""
    path.write_text("\n".join(lines) + "\n", "utf-8")


def page(command: click.Command, context: click.Context, others: list[str]) -> Iterator[str]:
    """The lines of a page in roff; `others` are the pages to see also."""
    title = context.command_path.replace(" ", "-")
    first, *paragraphs = re.split(r"\n\s*\n", (command.help or "").strip())
    yield f'.TH {title.upper()} 1 "" "dlxkit {dlx.__version__}"'
    yield from (".SH NAME", f"{roff(title)} \\- {roff(' '.join(first.split()).rstrip('.'))}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (".SH SYNOPSIS", f".B {roff(context.command_path)}", roff(usage))
    yield ".SH DESCRIPTION"
    for paragraph in [first, *paragraphs]:
        yield from (".PP", *text(paragraph))
    yield ".SH OPTIONS"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            yield from (".TP", f"\\fB{roff(record[0])}\\fR", *text(record[1]))
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for name in sorted(command.commands):
            yield from (".TP", f"\\fB{roff(name)}\\fR")
            yield from text(command.commands[name].get_short_help_str(200))
    if command.epilog:
        yield ".SH NOTES"
        for paragraph in re.split(r"\n\s*\n", command.epilog.strip()):
            yield from (".PP", *text(paragraph))
    yield ".SH SEE ALSO"
    yield ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others)


def text(paragraph: str) -> Iterator[str]:
    r"""A paragraph of help as roff; one that begins with \b keeps its lines."""
    if paragraph.lstrip().startswith("\b"):
        lines = paragraph.replace("\b", "").strip("\n").split("\n")
        yield from (".nf", *(roff(line) for line in lines), ".fi")
    else:
        yield roff(" ".join(paragraph.split()))


def roff(plain: str) -> str:
    r"""Plain text as text of roff.

    >>> print(roff(".a --b c\\d"))
    \&.a \-\-b c\ed
    """
    escaped = plain.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    main(Path(sys.argv[1]))
