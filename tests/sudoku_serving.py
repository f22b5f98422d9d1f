"""A running server of the page, for tests of it and of the page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sudoku.web.server import Server

__all__ = ["serving"]


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """The server, which answers until the end of the block."""
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
