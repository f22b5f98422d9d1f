"""The `dlx` command in this process, as the fixture `run` has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Printed(NamedTuple):
    """What a command wrote to standard output and to standard error."""

    out: str
    err: str


Run = Callable[..., Printed]
"""Takes words and, by keyword, the exit status that is expected (0)."""
