"""The page and its questions over HTTP, for this machine only unless told otherwise.

Three files and one address for questions (`POST /ask`, a JSON object). Nothing is kept between two
questions. What keeps strangers out, web pages that the same browser has open among them:

* the server listens on the loopback address, and answers only requests that name it as their host
  (a page cannot reach it through a name of its own that leads here);
* questions must be JSON by their type and come from the page's own origin;
* the page's content security policy lets it load, run and call nothing but what is here;
* requests are small, connections few, and a whole request must have come in a short time, however
  slowly its bytes come; answers come from a `Worker`.
"""

from __future__ import annotations

import io
import json
import socket
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from time import monotonic
from typing import Any, Final

from sudoku.telling import log
from sudoku.web.limits import GRACE, LARGEST, MOST_CONNECTIONS, PATIENCE, SECONDS
from sudoku.web.worker import Worker

__all__ = ["Hasty", "Server"]

_FILES: Final = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Server(ThreadingHTTPServer):
    """The server of the page. OSError if the port is taken.

    >>> with Server() as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        worker: Worker | None = None,
        patience: float = PATIENCE,
        connections: int = MOST_CONNECTIONS,
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.host = host
        self.patience = patience
        self.worker = worker or Worker(SECONDS + GRACE)
        self.places = {
            name: (files("sudoku.web") / name).read_bytes() for name, _ in _FILES.values()
        }
        self._free = threading.Semaphore(connections)
        super().__init__((host, port), _Handler)
        self.worker.start()

    @property
    def url(self) -> str:
        """Where the page is."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.server_port}/"

    def is_known_host(self, name: str) -> bool:
        """Is this, from a request's header, a name of ours? Any is, if all may come."""
        if self.host in ("0.0.0.0", "::"):
            return True
        port = f":{self.server_port}"
        own = f"[{self.host}]" if ":" in self.host else self.host
        return name.removesuffix(port) in (own, "localhost", "127.0.0.1", "[::1]")

    def process_request(self, request: Any, client_address: Any) -> None:
        """Refuses a connection when there are too many."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # there is no thread that would give it back
            self._free.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One connection, in its own thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone away is no error of ours."""

    def server_close(self) -> None:
        """Ends the worker as well."""
        super().server_close()
        self.worker.close()


class Hasty(io.RawIOBase):
    """What comes from a socket within so many seconds altogether; then `TimeoutError`.

    A socket's own timeout is one for each `recv`, so that a byte now and then would keep it open.
    """

    def __init__(
        self, connection: socket.socket, seconds: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._connection, self._clock = connection, clock
        self._end = clock() + seconds

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As much as there is, at least a byte; 0 at the end."""
        left = self._end - self._clock()
        if left <= 0:
            raise TimeoutError("the request took too long")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "sudoku"
    sys_version = ""

    def setup(self) -> None:
        """A connection has one request (HTTP/1.0), and that has its time."""
        super().setup()
        self.rfile = io.BufferedReader(Hasty(self.connection, self.server.patience))

    def do_GET(self) -> None:
        """A file of the page."""
        if not self._is_welcome():
            return
        path = self.path.partition("?")[0]
        if path in _FILES:
            name, kind = _FILES[path]
            self._send(HTTPStatus.OK, self.server.places[name], kind)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """A question."""
        if not self._is_welcome():
            return
        length = self.headers.get("Content-Length", "")
        if self.path != "/ask":
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question is JSON")
        elif not length.isdecimal():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "a question has a length")
        elif len(length) > 9 or int(length) > LARGEST:
            most = f"that is too long: up to {LARGEST >> 20} MiB can be read at once"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, most)
            self._drain()
        else:
            self._answer(self.rfile.read(int(length)))

    def _drain(self) -> None:
        """Lets the rest of a request come, in its time: who is hung up on while sending may not get
        to read why.
        """
        self.connection.shutdown(socket.SHUT_WR)
        while self.rfile.read1(1 << 16):
            pass

    def _answer(self, asked: bytes) -> None:
        try:
            question = json.loads(asked)
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "that is no JSON")
        else:
            said = json.dumps(self.server.worker.ask(question)).encode()
            self._send(HTTPStatus.OK, said, "application/json")

    def _is_welcome(self) -> bool:
        """Does the request come to us, and from our page or the address bar?"""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if self.server.is_known_host(host) and origin in (None, f"http://{host}"):
            return True
        self._refuse(HTTPStatus.FORBIDDEN, "this page is for this machine")
        return False

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, json.dumps({"error": why}).encode(), "application/json")

    def _send(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.connection.settimeout(self.server.patience)  # of all that is sent at once
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing on the terminal for each request."""
        log.debug("%s: %s", self.address_string(), format % args)
