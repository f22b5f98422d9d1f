"""The page and its questions over HTTP, for this machine only unless told otherwise.

Three files and one address for questions (`POST /ask`, a JSON object). Nothing is kept between two
questions. What keeps strangers out, web pages that the same browser has open among them:

* the server listens on the loopback address, and answers only requests for its own host names, that
  come from no other origin (see `access`); to listen to other machines it needs their names for it,
  or a token;
* questions must be JSON by their type;
* the page's content security policy lets it load, run and call nothing but what is here; every
  response has it, errors too;
* requests are small, connections few, and a whole request must have come in a short time, however
  slowly its bytes come; answers come from a `WorkerPool`, which stops working on those whose client
  has disconnected.

Errors are plain text.
"""

from __future__ import annotations

import io
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from time import monotonic
from typing import Any, Final

from sudoku.logs import log
from sudoku.web.access import Access, bracketed, is_unspecified
from sudoku.web.limits import GRACE, LARGEST, MOST_CONNECTIONS, PATIENCE, SECONDS
from sudoku.web.worker import ClientGone, WorkerPool

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

    `names` are host names it answers to besides those of the loopback address, with `:PORT` if that
    is not `port`. `token` is a secret in the address of the page, which every request needs.
    SudokuError if it would listen to other machines with neither.

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
        names: Iterable[str] = (),
        token: str | None = None,
        workers: WorkerPool | None = None,
        patience: float = PATIENCE,
        connections: int = MOST_CONNECTIONS,
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.host = host
        self.patience = patience
        self.workers = workers or WorkerPool(SECONDS + GRACE)
        self.places = {
            name: (files("sudoku.web") / name).read_bytes() for name, _ in _FILES.values()
        }
        self._free = threading.Semaphore(connections)
        self._rules = (tuple(names), token)
        super().__init__((host, port), _Handler)
        self.workers.start()

    def server_bind(self) -> None:
        """Binds the address; no name of it is looked up, and none is listened to that is open."""
        TCPServer.server_bind(self)
        address, self.server_port = self.server_address[:2]
        self.server_name = self.host
        self.access = Access(str(address), self.server_port, *self._rules)
        if is_unspecified(str(address)):
            self.host = "::1" if ":" in str(address) else "127.0.0.1"

    @property
    def url(self) -> str:
        """Where the page is, for a browser on this machine."""
        return f"http://{bracketed(self.host)}:{self.server_port}{self.access.prefix}"

    @property
    def other_urls(self) -> list[str]:
        """Where it is by the names that were given."""
        return [f"http://{name}{self.access.prefix}" for name in self.access.names]

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
        """Ends the workers as well, and what they are working on."""
        super().server_close()
        self.workers.close()


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

    def handle(self) -> None:
        """One request; a fault of ours is said on standard error and to the client."""
        try:
            super().handle()
        except OSError:  # the client has gone
            raise
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error")

    def do_GET(self) -> None:
        """A file of the page."""
        path = self._allowed_path()
        if path is None:
            return
        if path in _FILES:
            name, kind = _FILES[path]
            self._send(HTTPStatus.OK, self.server.places[name], kind)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """A question."""
        path = self._allowed_path()
        if path is None:
            return
        length = self.headers.get("Content-Length", "")
        if path != "/ask":
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question is JSON")
        elif not length.isdecimal():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "a question has a length")
        elif len(length) > 9 or int(length) > LARGEST:
            most = f"that is too long: up to {LARGEST >> 20} MiB can be read at once"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, most)
        else:
            self._answer(self.rfile.read(int(length)))

    def _answer(self, asked: bytes) -> None:
        try:
            question = json.loads(asked)
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "that is no JSON")
            return
        self.connection.settimeout(0)
        try:
            answer = self.server.workers.ask(question, self.client_address[0], self._is_gone)
        except ClientGone:
            self.close_connection = True
        else:
            self._send(HTTPStatus.OK, json.dumps(answer).encode(), "application/json")

    def _is_gone(self) -> bool:
        """Has the client disconnected? What it sends after its request is thrown away."""
        try:
            return not self.connection.recv(1 << 16)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _allowed_path(self) -> str | None:
        """The path that is asked for, without the token; None if the request was refused."""
        access = self.server.access
        why = access.refusal(self.headers.get_all("Host", []), self.headers.get("Origin"))
        path = access.file_in(self.path.partition("?")[0])
        if why is None and path is None:
            why = "the address lacks the token; open the address that `sudoku serve` has printed"
        if why is not None:
            self._refuse(HTTPStatus.FORBIDDEN, why)
            return None
        return path

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Sends an error that the base class has found, as all others are sent."""
        status = HTTPStatus(code)
        self._refuse(status, message or status.phrase)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, f"{why}\n".encode(errors="replace"), "text/plain; charset=utf-8")
        self._drain()

    def _drain(self) -> None:
        """Lets the rest of a request come, in its time: a client whose connection is closed while
        it is sending may not get to read why.
        """
        self.connection.shutdown(socket.SHUT_WR)
        while self.rfile.read1(1 << 16):
            pass

    def _send(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.connection.settimeout(self.server.patience)  # of all that is sent at once
        self.request_version = self.protocol_version  # a request without one gets headers, too
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing on the terminal for each request; the token in no log."""
        said = (format % args).replace(self.server.access.prefix, "/")
        log.debug("%s: %s", self.address_string(), said)
