"""The logger `sudoku`, without importing `logging` in programs that do not use it.

It has only a `NullHandler`, so the program decides what is shown. Until the program has imported
`logging`, nothing is logged.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from logging import Logger

__all__ = ["log"]

DEBUG: Final = 10  # as in `logging`
INFO: Final = 20
LONG: Final = 1.0  # seconds; operations that take as long are logged at INFO


class _Log:
    """Logs to the logger `sudoku` if the program uses `logging`."""

    __slots__ = ("_logger",)

    def __init__(self) -> None:
        self._logger: Logger | None = None

    def debug(self, message: str, *values: object) -> None:
        """Logs at the level DEBUG."""
        self._log(DEBUG, message, values)

    def info(self, message: str, *values: object) -> None:
        """Logs at the level INFO."""
        self._log(INFO, message, values)

    def done(self, seconds: float, message: str, *values: object) -> None:
        """Logs the end of an operation: at INFO if it took a second or more, otherwise at DEBUG."""
        self._log(INFO if seconds >= LONG else DEBUG, message, values)

    def _log(self, level: int, message: str, values: tuple[object, ...]) -> None:
        logger = self._logger or self._find()
        if logger is not None and logger.isEnabledFor(level):
            logger.log(level, message, *values, stacklevel=3)

    def _find(self) -> Logger | None:
        logging = sys.modules.get("logging")
        if logging is None or not hasattr(logging, "NullHandler"):  # it may be half imported
            return None
        self._logger = logging.getLogger("sudoku")
        self._logger.addHandler(logging.NullHandler())
        return self._logger


log = _Log()
