"""Logging to the logger `sudoku`, without importing `logging` itself.

Importing `logging` takes milliseconds, and a program that has not imported it cannot have enabled a
logger. So until then messages are dropped. (`dlx` logs in the same way; its class is not public.)
"""

from __future__ import annotations

import sys
from typing import Final

__all__ = ["log"]

DEBUG: Final = 10  # as in `logging`
INFO: Final = 20
LONG: Final = 1.0  # seconds; the end of an operation that takes as long is logged at INFO


class _SudokuLog:
    """Logs messages to the logger `sudoku` once `logging` has been imported."""

    def debug(self, message: str, *values: object) -> None:
        """Logs a message at the level DEBUG."""
        self._log(DEBUG, message, values)

    def info(self, message: str, *values: object) -> None:
        """Logs a message at the level INFO."""
        self._log(INFO, message, values)

    def done(self, seconds: float, message: str, *values: object) -> None:
        """Logs the end of an operation: at INFO if it took `LONG` seconds or more, else DEBUG."""
        self._log(INFO if seconds >= LONG else DEBUG, message, values)

    def _log(self, level: int, message: str, values: tuple[object, ...]) -> None:
        logging = sys.modules.get("logging")
        if logging is not None and hasattr(logging, "getLogger"):  # it may be partly imported
            logging.getLogger("sudoku").log(level, message, *values, stacklevel=3)


log = _SudokuLog()
