"""The `sudoku` command, run by tests: in this process, or in one of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
from click.testing import CliRunner, Result

from sudoku.cli.main import main


class Main(click.Command):
    """What CliRunner can run: our `main`, which does more than click's."""

    def main(self, args: Any = None, **_: Any) -> Any:
        sys.exit(main(args))


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(Main("sudoku"), list(arguments), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def refused(*arguments: str, stdin: str | bytes | None = None) -> str:
    """What a command writes that refuses its arguments: one line."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, ""), arguments
    assert result.stderr.count("\n") == 1
    return result.stderr


def spawn(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-P", "-m", "sudoku", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False)
