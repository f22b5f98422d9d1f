"""What command lines built on dlx have in common: exit statuses, and errors as one line.

Used by the `dlx` and `sudoku` commands; needs click, which nothing else in the package does.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from dlx.core.encoding import replace_file
from dlx.errors import DLXError

if TYPE_CHECKING:
    from typing import IO

__all__ = [
    "BAD_INPUT",
    "HUNG_UP",
    "HungUp",
    "INTERRUPTED",
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


class Terminated(BaseException):
    """SIGTERM came: like `KeyboardInterrupt`, for commands to end in good order.

    Arguments of either are told to the user, each as a part of the one line.
    """

    status = TERMINATED
    word = "terminated"


class HungUp(Terminated):
    """SIGHUP came, or the terminal that standard output was is gone."""

    status = HUNG_UP
    word = "hung up"


def run(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Runs a click command and returns the exit status of the process.

    The command returns the status itself. What is wrong with the input becomes one line on stderr
    and status 2, never a traceback.
    """
    _replace_closed_streams()
    if sys.stdout is None:
        return _fail(name, "standard output is closed: there is no place for answers")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever the terminal cannot show
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        with _heeding_signals() as received:
            return _invoke(command, name, words, received)
    except Terminated as stop:
        _say("; ".join([f"{name}: {stop.word}", *map(str, stop.args)]))
        _abandon_lost_streams()
        return stop.status


def _invoke(
    command: click.Command, name: str, words: list[str], received: Sequence[Terminated]
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
        return _fail(name, error.format_message())
    except (click.Abort, KeyboardInterrupt) as stop:
        _say("; ".join([f"{name}: interrupted", *map(str, stop.args)]))
        return INTERRUPTED
    except OSError as error:
        if received:  # while a bar was erased on a terminal that is gone, say
            raise received[0] from None
        if error.errno == errno.EIO and sys.stdout.isatty():
            raise HungUp from None
        if isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
            _abandon(sys.stdout)
            return BROKEN_PIPE
        where = "" if error.filename is None else f"{error.filename or repr('')}: "
        return _fail(name, f"{where}{error.strerror or error}")
    except DLXError as error:
        return _fail(name, str(error))
    except MemoryError:
        return _fail(name, "this needs more memory than there is")
    return status if isinstance(status, int) else SOLVED


def _replace_closed_streams() -> None:
    """A stream that was closed before the process began is None: it has nothing, or takes all.

    The file takes the number of the stream, too, which some other file would get otherwise.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as we are
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


@contextmanager
def _heeding_signals() -> Iterator[list[Terminated]]:
    """Raises `Terminated` at SIGTERM and `HungUp` at SIGHUP; yields a list of those raised.

    Only for a signal with its default action: under nohup SIGHUP stays ignored. The second signal
    of a kind ends the process at once.
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
    heeded = [number for number in kinds if signal.getsignal(number) is signal.SIG_DFL]
    for number in heeded:
        signal.signal(number, end)
    try:
        yield received
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)


def _abandon_lost_streams() -> None:
    """Has streams to a terminal or pipe that is gone fail no more, when Python flushes them."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _abandon(stream)


def _abandon(stream: IO[str]) -> None:
    """Sends what is left of a stream nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def open_input(path: str) -> Iterator[IO[str]]:
    """The text file at `path`, or standard input for "-".

    Bytes that are no UTF-8 become surrogate escapes, for the reader to complain of their line.
    """
    if path == "-":
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        yield sys.stdin
    else:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            yield file


def write_output(path: str, content: bytes) -> None:
    """Writes a file, wholly or not at all; "-" is standard output."""
    if path == "-":
        click.echo(content, nl=False)
    else:
        replace_file(path, [content])


def _fail(name: str, message: str) -> int:
    _say(f"{name}: {' '.join(message.split())}")
    return BAD_INPUT


def _say(line: str) -> None:
    """Prints a line to stderr, if that is still there."""
    with suppress(OSError):
        print(line, file=sys.stderr)
