"""`sudoku convert`: writes puzzles in another format, and reports what that format cannot hold."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from typing import IO, TYPE_CHECKING

import click

from dlx.cli.commands import BAD_INPUT, FILE_NAME, SOLVED, replace_file
from dlx.escapes import visible
from sudoku.board.layout import Layout
from sudoku.cli.options import layout_option
from sudoku.cli.terminal import print_error
from sudoku.errors import SudokuError, counted

if TYPE_CHECKING:
    from sudoku.formats import Format, Record

__all__ = ["convert"]


class FormatName(click.ParamType["Format"]):
    """The name of a format."""

    name = "FORMAT"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Format:
        """The format, or a usage error."""
        from sudoku import formats

        try:
            return formats.named(value)
        except SudokuError as error:
            self.fail(str(error))


@click.command()
@click.option("--to", "to", type=FormatName(), help="The format to write.")
@click.option("--from", "source", type=FormatName(), help="The format to read. [detected]")
@click.option(
    "-o", "--output", type=FILE_NAME, metavar="OUT", help="The file to write; - is standard output."
)
@layout_option
@click.option("--title", metavar="TEXT", help="The title of puzzles that have none.")
@click.option("--author", metavar="TEXT", help="The author of puzzles that have none.")
@click.option(
    "--keep-drawings",
    is_flag=True,
    help="Read no drawing of SudokuPad as a rule.",
)
@click.option("--formats", "listed", is_flag=True, help="List the formats and exit.")
@click.argument("inputs", type=FILE_NAME, nargs=-1, metavar="[IN|-]...")
def convert(
    inputs: tuple[str, ...],
    to: Format | None,
    source: Format | None,
    output: str | None,
    layout: Layout | None,
    title: str | None,
    author: str | None,
    keep_drawings: bool,
    listed: bool,
) -> int:
    """Write the puzzles of files in another format.

    The input format is detected from the content. The output format is that of --to, or of the
    suffix of OUT, or else `lines`. A puzzle that the format cannot hold is skipped, which is an
    error. For other losses - notes, solutions, titles - standard error shows a count. OUT is
    replaced atomically at the end, and unchanged if there is no puzzle to write.
    """
    from sudoku import formats

    if listed:
        for each in formats.FORMATS:
            suffixes = f" ({', '.join(each.suffixes)})" if each.suffixes else ""
            click.echo(f"{each.name:<11} {each.what}{suffixes}")
        return SOLVED
    if not inputs and sys.stdin.isatty():
        raise click.UsageError("no input: give a FILE or - (standard input)")
    form = to or (formats.format_of_path(output) if output else None)
    if form is None and output not in (None, "-"):
        raise click.UsageError(f"unknown suffix of {output}: give the format with --to")
    about = {"title": title, "author": author}
    work = _Conversion(form or formats.LINES, source, layout, keep_drawings, about)
    records = work.records(inputs or ("-",))
    first = next(records, None)
    if first is not None:  # otherwise an existing file is left unchanged
        texts = work.form.write(chain([first], records), work.lose)
        if output is None or output == "-":
            for text in texts:
                shown = visible(text, keep="\n\t") if sys.stdout.isatty() else text
                click.echo(shown, nl=False)  # which flushes
        else:
            replace_file(output, (text.encode() for text in texts))
    return work.report()


class _Conversion:
    """Reads the records that can be written, and counts what is lost."""

    def __init__(
        self,
        form: Format,
        source: Format | None,
        layout: Layout | None,
        keep_drawings: bool,
        about: dict[str, str | None],
    ) -> None:
        self.form = form
        self._about = {name: text for name, text in about.items() if text}
        self._keep_drawings = keep_drawings
        self._source = source
        self._layout = layout
        self._lost: Counter[str] = Counter()
        self._refused = 0

    def records(self, paths: tuple[str, ...]) -> Iterator[Record]:
        """The records of all files that can be written; errors are reported."""
        for path in paths:
            name = "standard input" if path == "-" else path
            found, refused = 0, self._refused
            try:
                with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
                    for record in self._read(name, file):
                        found += 1
                        yield record
            except OSError as error:
                if error.filename is not None and error.filename != path:
                    raise  # not an error of reading this file
                self._refuse(f"{name}: {error.strerror or error}")
            else:
                if found == 0 and self._refused == refused:
                    self._refuse(f"{name}: no puzzles found")

    def _read(self, name: str, file: IO[bytes]) -> Iterator[Record]:
        """The records of a file that the target format can hold."""
        from sudoku import formats

        source = None if self._source is None else self._source.name
        records = formats.load(
            file,
            self._layout,
            format=source,
            on_error=lambda error: self._refuse(f"{name}: {error}"),
            on_warning=lambda record: print_error(
                f"{name}:{record.line}: warning: {record.warning}"
            ),
            keep_drawings=self._keep_drawings,
        )
        return formats.fitting(
            self.form,
            (replace(record, about=self._about | record.about) for record in records),
            self.lose,
            lambda record, why: self._refuse(f"{name}:{record.line}: {why}: skipped"),
        )

    def lose(self, record: Record, part: str) -> None:
        """Counts a part of a record that is not written."""
        self._lost[part] += 1

    def _refuse(self, what: str) -> None:
        self._refused += 1
        print_error(what)

    def report(self) -> int:
        """Reports the losses, and returns the exit status."""
        sys.stdout.flush()
        for part, count in self._lost.items():
            puzzles = counted(count, "puzzle", ",")
            print_error(f"{self.form.name} cannot hold {part}: lost for {puzzles}")
        return BAD_INPUT if self._refused else SOLVED
