"""Logging to the loggers `dlx` and `sudoku`, without importing `logging` itself.

Importing `logging` takes milliseconds, and a program that has not imported it cannot have enabled a
logger. So a message is dropped as long as `logging` is not in `sys.modules`. The only setup here is
a `NullHandler`; levels and handlers are the application's.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from logging import Logger

__all__ = ["EndLogger", "LazyLogger", "log"]

DEBUG: Final = 10  # as in `logging`
INFO: Final = 20
LONG: Final = 1.0  # seconds; work that takes as long is logged at INFO instead of DEBUG


class LazyLogger:
    """Logs messages to the logger of that name once `logging` has been imported.

    >>> import logging
    >>> quiet = LazyLogger("example")
    >>> quiet.is_enabled(), len(logging.getLogger("example").handlers)
    (False, 1)
    """

    __slots__ = ("_logger", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._logger: Logger | None = None

    def is_enabled(self, level: int = INFO) -> bool:
        """Is the logger enabled for this level? Takes some tenths of a microsecond."""
        logger = self._logger or self._find()
        return logger is not None and logger.isEnabledFor(level)

    def info(self, message: str, *values: object) -> None:
        """Logs a message at the level INFO."""
        self._log(INFO, message, values)

    def debug(self, message: str, *values: object) -> None:
        """Logs a message at the level DEBUG."""
        self._log(DEBUG, message, values)

    def done(self, seconds: float, message: str, *values: object) -> None:
        """Logs the end of some work: at INFO if it took `LONG` seconds or more, else at DEBUG."""
        self._log(INFO if seconds >= LONG else DEBUG, message, values)

    def _log(self, level: int, message: str, values: tuple[object, ...]) -> None:
        logger = self._logger or self._find()
        if logger is not None and logger.isEnabledFor(level):
            logger.log(level, message, *values, stacklevel=3)

    def _find(self) -> Logger | None:
        """The logger; None if `logging` has not been imported."""
        logging = sys.modules.get("logging")
        if logging is None or not hasattr(logging, "NullHandler"):  # or partly imported
            return None
        self._logger = logging.getLogger(self._name)
        self._logger.addHandler(logging.NullHandler())
        return self._logger


class EndLogger:
    """Logs each stop of a search that may be continued, but at most one timeout per second.

    A program that searches in time slices stops the search by a timeout every few hundredths of a
    second.
    """

    __slots__ = ("_logged_at",)

    def __init__(self) -> None:
        self._logged_at: float | None = None  # seconds of work at the last message

    def log(self, why: str, seconds: float, message: str, *values: object) -> None:
        """As `LazyLogger.done` for `seconds` of work in all; skips timeouts that come too often."""
        last = self._logged_at
        often = why == "timeout" and last is not None and seconds - last < LONG
        if not often:
            self._logged_at = seconds
            log.done(seconds, message, *values)


log = LazyLogger("dlx")
