"""What is said to loggers, without importing `logging` for those who do not use it.

The loggers `dlx` and `sudoku` belong to whoever listens: nothing is set up here but a handler that
does nothing. Nobody can be listening as long as `logging` was not imported.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from logging import Logger

__all__ = ["EndLogger", "LazyLogger", "log"]

DEBUG: Final = 10  # as in `logging`
INFO: Final = 20
LONG: Final = 1.0  # seconds; what takes as long is worth a line at INFO


class LazyLogger:
    """Speaks to the logger of a name.

    >>> import logging
    >>> quiet = LazyLogger("somebody")
    >>> quiet.is_enabled(), len(logging.getLogger("somebody").handlers)
    (False, 1)
    """

    __slots__ = ("_logger", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._logger: Logger | None = None

    def is_enabled(self, level: int = INFO) -> bool:
        """Does anybody want to know what is said at this level? Some tenths of a microsecond."""
        logger = self._logger or self._find()
        return logger is not None and logger.isEnabledFor(level)

    def info(self, message: str, *values: object) -> None:
        """Says something at the level INFO."""
        self._say(INFO, message, values)

    def debug(self, message: str, *values: object) -> None:
        """Says something at the level DEBUG."""
        self._say(DEBUG, message, values)

    def done(self, seconds: float, message: str, *values: object) -> None:
        """Says what came to its end: at INFO if it took a second or more, else at DEBUG."""
        self._say(INFO if seconds >= LONG else DEBUG, message, values)

    def _say(self, level: int, message: str, values: tuple[object, ...]) -> None:
        logger = self._logger or self._find()
        if logger is not None and logger.isEnabledFor(level):
            logger.log(level, message, *values, stacklevel=3)

    def _find(self) -> Logger | None:
        logging = sys.modules.get("logging")
        if logging is None or not hasattr(logging, "NullHandler"):  # it may be half imported
            return None
        self._logger = logging.getLogger(self._name)
        self._logger.addHandler(logging.NullHandler())
        return self._logger


class EndLogger:
    """Says how something ended that may go on from there: at once, or again and again.

    Who answers in slices stops it by a timeout every few hundredths of a second.
    """

    __slots__ = ("_told",)

    def __init__(self) -> None:
        self._told: float | None = None  # after how many seconds it was said last

    def say(self, why: str, seconds: float, message: str, *values: object) -> None:
        """As `LazyLogger.done`, for `seconds` in all, but not each of many timeouts."""
        often = why == "timeout" and self._told is not None and seconds - self._told < LONG
        if not often:
            self._told = seconds
            log.done(seconds, message, *values)


log = LazyLogger("dlx")
