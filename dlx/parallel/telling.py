"""What is said to the logger `dlx`, without importing `logging` for those who do not use it."""

from __future__ import annotations

import sys

__all__ = ["debug", "info"]


def info(message: str, *values: object) -> None:
    """Logs at level INFO. Nobody can be listening if `logging` was not imported."""
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("dlx").info(message, *values)


def debug(message: str, *values: object) -> None:
    """The same at level DEBUG."""
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("dlx").debug(message, *values)
