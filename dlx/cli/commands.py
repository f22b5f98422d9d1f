"""Running a command line: exit statuses, error messages of one line, signals, closed streams.

The commands `dlx` and `sudoku` use it. Only the folder `cli` imports click.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final

import click

from dlx.core.encoding import replace_file
from dlx.errors import DLXError, KernelMissingWarning, ObjectiveWarning, SearchInterrupted
from dlx.escapes import visible

if TYPE_CHECKING:
    from typing import IO, TextIO

    from click.shell_completion import CompletionItem

    TextType = click.ParamType[str]
else:
    TextType = click.ParamType  # generic from click 8.5 on

__all__ = [
    "BAD_INPUT",
    "FILE_NAME",
    "HUNG_UP",
    "HungUp",
    "INTERRUPTED",
    "LazyCommands",
    "NO_SOLUTION",
    "SOLVED",
    "STOPPED",
    "TERMINATED",
    "Terminated",
    "open_input",
    "replace_file",
    "run",
    "write_output",
]

SOLVED = 0
NO_SOLUTION = 1
BAD_INPUT = 2
STOPPED = 3
HUNG_UP = 129
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143


class FileName(TextType):
    """The name of a file, or "-", of which the shell completes the rest; any text is accepted."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """An item with which the shell's script completes files by itself."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


FILE_NAME: Final = FileName()


class LazyCommands(Mapping[str, click.Command]):
    """The commands of a group by name; each is imported when it is looked up.

    `places` says where each is: "module:variable". So a command line imports one command's module,
    and `--version` none.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> click.Command:
        module, _, variable = self._places[name].partition(":")
        command: click.Command = getattr(import_module(module), variable)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Terminated(BaseException):
    """Raised at SIGTERM, as `KeyboardInterrupt` is at SIGINT, so that commands can clean up.

    The arguments of either exception are added to the message, separated by semicolons.
    """

    status = TERMINATED
    word = "terminated"


class HungUp(Terminated):
    """Raised at SIGHUP, or when the terminal behind standard output is closed."""

    status = HUNG_UP
    word = "hung up"


def run(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Runs a click command and returns the exit status of the process.

    The command returns the status itself. Bad input gives one line on stderr and status 2, never a
    traceback. A shell that completes a command line gets the completions instead.
    """
    variable = f"_{name.upper()}_COMPLETE"  # set by the scripts for shell completion
    if arguments is None and (instruction := os.environ.get(variable)):
        from click.shell_completion import shell_complete

        return shell_complete(command, {}, name, variable, instruction)
    _replace_closed_streams()
    if sys.stdout is None:
        return _fail(name, "standard output is closed")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for characters the terminal lacks
    words = sys.argv[1:] if arguments is None else list(arguments)
    terminals = [stream for stream in (sys.stdout, sys.stderr) if stream.isatty()]
    try:
        with _raise_on_signals() as received, _one_line_warnings(name):
            return _invoke(command, name, words, received, terminals)
    except Terminated as stop:
        _print_error("; ".join([f"{name}: {stop.word}", *map(str, stop.args)]))
        _discard_closed_streams()
        return stop.status


_PLAIN = r" is not a valid (float|integer)(?: range)?\.$"


_ENGINE = r"\bengine='([a-z-]+)'"
"""An engine as the library's messages quote it; the command line has an option instead."""


def _plain_type(found: re.Match[str]) -> str:
    """The end of click's message about a number, without the name of click's type."""
    return f" is not {'a number' if found[1] == 'float' else 'an integer'}."


def _invoke(
    command: click.Command,
    name: str,
    words: list[str],
    received: Sequence[Terminated],
    terminals: Sequence[TextIO],
) -> int:
    try:
        with command.make_context(name, words) as context:
            status = command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:  # --help, --version
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as help_text:
        help_text.show()
        return BAD_INPUT
    except click.ClickException as error:
        return _fail(name, re.sub(_PLAIN, _plain_type, error.format_message()))
    except (click.Abort, KeyboardInterrupt) as stop:
        _print_error("; ".join([f"{name}: interrupted", *map(str, stop.args)]))
        return INTERRUPTED
    except OSError as error:
        if received:  # such as an error of erasing the progress bar on a closed terminal
            raise received[0] from None
        if error.errno == errno.EIO and any(
            stream is sys.stdout or not stream.isatty()  # any more: it was closed
            for stream in terminals
        ):
            raise HungUp from None
        if isinstance(error, BrokenPipeError):  # the reader of our output, such as head, has ended
            _discard(sys.stdout)
            return BROKEN_PIPE
        where = "" if error.filename is None else f"{error.filename or repr('')}: "
        return _fail(name, f"{where}{error.strerror or error}")
    except SearchInterrupted as error:  # where the command has nothing to print so far
        _print_error(f"{name}: {error}")
        return STOPPED
    except DLXError as error:
        return _fail(name, re.sub(_ENGINE, r"--engine \1", str(error)))
    except MemoryError:
        return _fail(name, "out of memory")
    return status if isinstance(status, int) else SOLVED


def _replace_closed_streams() -> None:
    """Opens the null device for stdin and stderr if they were closed before the process started.

    The null device also takes the stream's file descriptor, which another file would get otherwise.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open until the process ends
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


@contextmanager
def _raise_on_signals() -> Iterator[list[Terminated]]:
    """Raises `Terminated` at SIGTERM and `HungUp` at SIGHUP; yields the list of those raised.

    Only handles a signal whose action is the default: under nohup SIGHUP stays ignored. The second
    signal of a kind ends the process at once.
    """
    received: list[Terminated] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def end(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        received.append(kinds[number]())
        raise received[-1]

    kinds: dict[int, type[Terminated]] = {signal.SIGTERM: Terminated}
    if hasattr(signal, "SIGHUP"):  # not on Windows
        kinds[signal.SIGHUP] = HungUp
    handled = [number for number in kinds if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, end)
    try:
        yield received
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _one_line_warnings(name: str) -> Iterator[None]:
    """Prints the package's own warnings without the place in the source."""
    show = warnings.showwarning

    def show_one(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, KernelMissingWarning | ObjectiveWarning):
            _print_error(f"{name}: warning: {message}")
        else:
            show(message, category, *place)

    warnings.showwarning = show_one  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = show


def _discard_closed_streams() -> None:
    """Keeps Python from failing at exit when it flushes a stream to a closed terminal or pipe."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _discard(stream)


def _discard(stream: IO[str]) -> None:
    """Redirects a stream, with the text in its buffer, to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def open_input(path: str) -> Iterator[IO[str]]:
    """The text file at `path`, or standard input for "-".

    Bytes that are not UTF-8 become surrogate escapes, so that the parser can report their line.
    """
    if path == "-":
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        yield sys.stdin
    else:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            yield file


def write_output(path: str, content: bytes) -> None:
    """Writes a file atomically; "-" is standard output."""
    if path == "-":
        click.echo(content, nl=False)
    else:
        replace_file(path, [content])


def _fail(name: str, message: str) -> int:
    _print_error(f"{name}: {' '.join(message.split())}")
    return BAD_INPUT


def _print_error(line: str) -> None:
    """Prints a line to stderr; does nothing if that is closed."""
    with suppress(OSError):
        print(visible(line), file=sys.stderr)
