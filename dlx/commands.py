"""What command lines built on dlx have in common: exit statuses, and errors as one line.

Used by the `dlx` and `sudoku` commands; needs click, which nothing else in the package does.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from dlx.errors import DLXError
from dlx.formats.files import replace_file

if TYPE_CHECKING:
    from typing import IO

__all__ = [
    "BAD_INPUT",
    "INTERRUPTED",
    "NO_SOLUTION",
    "SOLVED",
    "STOPPED",
    "TERMINATED",
    "Terminated",
    "open_input",
    "run",
    "write_output",
]

SOLVED = 0
NO_SOLUTION = 1
BAD_INPUT = 2
STOPPED = 3
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143


class Terminated(BaseException):
    """SIGTERM came: like `KeyboardInterrupt`, for commands to end in good order.

    Arguments of either are told to the user, each as a part of the one line.
    """


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
    try:
        words = sys.argv[1:] if arguments is None else list(arguments)
        with _heeding_sigterm(), command.make_context(name, words) as context:
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
        print("; ".join([f"{name}: interrupted", *map(str, stop.args)]), file=sys.stderr)
        return INTERRUPTED
    except Terminated as stop:
        print("; ".join([f"{name}: terminated", *map(str, stop.args)]), file=sys.stderr)
        return TERMINATED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
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
def _heeding_sigterm() -> Iterator[None]:
    """Raises `Terminated` when SIGTERM comes, unless somebody else has an opinion on that signal.

    Once: a second one ends the process, as it would without us.
    """
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    ):
        yield
        return

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


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
    print(f"{name}: {' '.join(message.split())}", file=sys.stderr)
    return BAD_INPUT
