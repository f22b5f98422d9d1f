"""HTTP server of the page and its requests, by default for this machine only.

It serves the page's files (every `.html`, `.css` and `.js` in this package) and one address for
requests (`POST /ask`, a JSON object), without state between requests. It protects against other
machines, and other web pages in the same browser:

* the server listens on the loopback address; it answers only requests for its own host names, from
  its own pages (see `access`); to listen to other machines, it needs the host names that they use,
  or a token;
* requests must have the content type JSON;
* the page's content security policy lets it load, run and call only what this server serves; every
  response has it, including errors;
* the size of requests and the number of connections are limited, and a whole request must arrive
  within a short time; answers come from a `WorkerPool`, which stops when the client disconnects.

Errors are plain text, which the page shows. Status 503 means too many connections or requests, or
that the server has been stopped; 409 that the page is of another version than the server, as one
that was open during an upgrade. docs/design.md compares `http.server` with other servers.
"""

from __future__ import annotations

import io
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import PurePath
from socketserver import TCPServer
from time import monotonic
from typing import Any, Final, NamedTuple

from sudoku.logs import log
from sudoku.web.access import Access, bracketed, is_unspecified
from sudoku.web.limits import GRACE, LARGEST, SECONDS, ConnectionLimits
from sudoku.web.worker import ClientGone, PoolBusy, PoolClosed, WorkerPool

__all__ = ["DeadlineReader", "Server"]

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_VERSION: Final = b'data-version="%s"'
"""The attribute in `page.html` for the version, which the page sends with each request."""
BUSY: Final = "the server is busy with other requests; try again in a few seconds"
OTHER_VERSION: Final = "the page is of another version than the server; reload it"
_NO_STORE: Final = {"Cache-Control": "no-store"}
_STOP_SECONDS: Final = 1.0
"""Seconds in which the threads of requests can send that the server has been stopped."""


class _File(NamedTuple):
    """A file of the page."""

    content: bytes
    type: str
    etag: str


def _read_files() -> dict[str, _File]:
    """The files of the page by their path; `page.html` has the path `/`.

    All have the same ETag, the digest of all of them: the service worker uses it as the version,
    and `page.html` contains it.
    """
    found, digest = {}, sha256()
    for file in sorted(files("sudoku.web").iterdir(), key=lambda file: file.name):
        kind = _TYPES.get(PurePath(file.name).suffix)
        if kind is not None:
            content = file.read_bytes()
            digest.update(sha256(file.name.encode()).digest() + sha256(content).digest())
            found["/" if file.name == "page.html" else f"/{file.name}"] = (content, kind)
    version = digest.hexdigest()[:32]
    page, kind = found["/"]
    found["/"] = (page.replace(_VERSION % b"", _VERSION % version.encode()), kind)
    return {path: _File(content, kind, f'"{version}"') for path, (content, kind) in found.items()}


class Server(ThreadingHTTPServer):
    """HTTP server of the page. Raises OSError if the port is in use.

    `names` are allowed host names besides those of the loopback address, with `:PORT` if that is
    not `port`. `token` is a secret in the address of the page, which every request needs. Raises
    SudokuError if it would listen to other machines with neither.

    >>> with Server() as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    request_queue_size = ConnectionLimits().connections

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        names: Iterable[str] = (),
        token: str | None = None,
        workers: WorkerPool | None = None,
        limits: ConnectionLimits = ConnectionLimits(),  # noqa: B008 - immutable
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.host = host
        self.request_seconds = limits.seconds
        self.workers = workers or WorkerPool(SECONDS + GRACE)
        self.files = _read_files()
        self._most = limits.connections
        self._open = 0  # connections, including those that are refused
        self._answering = 0
        self._changed = threading.Condition()  # guards both
        self._rules = (tuple(names), token)
        super().__init__((host, port), _Handler)
        self.workers.start()

    def server_bind(self) -> None:
        """Binds the address, without a name lookup, and checks the access rules."""
        TCPServer.server_bind(self)
        address, self.server_port = self.server_address[:2]
        self.server_name = self.host
        self.access = Access(str(address), self.server_port, *self._rules)
        if is_unspecified(str(address)):
            self.host = "::1" if ":" in str(address) else "127.0.0.1"

    @property
    def url(self) -> str:
        """The URL of the page for a browser on this machine."""
        return f"http://{bracketed(self.host)}:{self.server_port}{self.access.prefix}"

    @property
    def version(self) -> str:
        """The version of the page's files."""
        return self.files["/"].etag.strip('"')

    @property
    def other_urls(self) -> list[str]:
        """The URLs of the page by the allowed host names."""
        return [f"http://{name}{self.access.prefix}" for name in self.access.names]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handles a connection in its own thread; closes it when there are twice too many."""
        with self._changed:
            accepted = self._open < 2 * self._most
            self._open += accepted
        if not accepted:
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread was started that would count it
            self._closed_one()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Handles one connection in its own thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._closed_one()

    def _closed_one(self) -> None:
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    def is_busy(self) -> bool:
        """Whether there are too many connections, so that requests are refused."""
        with self._changed:
            return self._open > self._most

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Lets `server_close` wait for a thread that answers a request."""
        with self._changed:
            self._answering += 1
        try:
            yield
        finally:
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores errors of connections: the client has disconnected."""

    def server_close(self) -> None:
        """Closes the server and kills the workers; waiting clients get the status 503."""
        super().server_close()
        self.workers.close()
        with self._changed:
            self._changed.wait_for(lambda: not self._answering, timeout=_STOP_SECONDS)


class DeadlineReader(io.RawIOBase):
    """Reads from a socket within a total number of seconds; after that it raises `TimeoutError`.

    The timeout of a socket applies to each `recv`, so a client that sends a byte now and then would
    keep the connection open.
    """

    def __init__(
        self, connection: socket.socket, seconds: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._connection, self._clock = connection, clock
        self._end = clock() + seconds

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads the available bytes, at least one; returns 0 at the end."""
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
        """Sets the deadline of the request; a connection has one request (HTTP/1.0)."""
        super().setup()
        self.rfile = io.BufferedReader(DeadlineReader(self.connection, self.server.request_seconds))

    def handle(self) -> None:
        """Handles one request; reports internal errors on standard error and to the client."""
        try:
            super().handle()
        except OSError:  # the client has gone
            raise
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error")

    def do_GET(self) -> None:
        """Sends a file of the page, or that the browser's copy of it is the same."""
        path = self._allowed_path()
        if path is None:
            return
        file = self.server.files.get(path)
        if file is None:
            self._refuse(HTTPStatus.NOT_FOUND, "not found")
            return
        same = file.etag in (self.headers.get("If-None-Match") or "")
        status, content = (HTTPStatus.NOT_MODIFIED, b"") if same else (HTTPStatus.OK, file.content)
        self._send(status, content, file.type, {"Cache-Control": "no-cache", "ETag": file.etag})

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """Answers a request of the page."""
        path = self._allowed_path()
        if path is None:
            return
        length = self.headers.get("Content-Length", "")
        version = self.server.version
        if path != "/ask":
            self._refuse(HTTPStatus.NOT_FOUND, "not found")
        elif self.headers.get_content_type() != "application/json":
            what = "the content type must be application/json"
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, what)
        elif self.headers.get("Page-Version", version) != version:
            self._refuse(HTTPStatus.CONFLICT, OTHER_VERSION)
        elif not length.isdecimal():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the request needs a Content-Length")
        elif len(length) > 9 or int(length) > LARGEST:
            most = f"the request is too large; the limit is {LARGEST >> 20} MiB"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, most)
        else:
            self._answer(self.rfile.read(int(length)))

    def _answer(self, body: bytes) -> None:
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "the request is not valid JSON")
            return
        self.connection.settimeout(0)
        with self.server.answering():
            try:
                answer = self.server.workers.run(request, self.client_address[0], self._is_gone)
            except ClientGone:
                self.close_connection = True
            except PoolClosed:
                self._say(HTTPStatus.SERVICE_UNAVAILABLE, "the server has been stopped")
            except PoolBusy:
                self._say(HTTPStatus.SERVICE_UNAVAILABLE, BUSY)
            else:
                self._send(HTTPStatus.OK, json.dumps(answer).encode(), "application/json")

    def _is_gone(self) -> bool:
        """Whether the client has disconnected. Discards bytes after the request."""
        try:
            return not self.connection.recv(1 << 16)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _allowed_path(self) -> str | None:
        """The requested path, without the token; None if the request was refused."""
        access = self.server.access
        headers = self.headers or Message()  # a dict since Python 3.14 if HTTP/0.9 had none
        why = access.refusal(headers.get_all("Host", []), headers.get("Origin"))
        path = access.file_in(self.path.partition("?")[0])
        if why is None and path is None:
            why = "the address lacks the token; open the address that `sudoku serve` printed"
        if why is not None:
            self._refuse(HTTPStatus.FORBIDDEN, why)
            return None
        if self.server.is_busy():
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, BUSY)
            return None
        return path

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Sends an error of the base class in the same form as the other errors."""
        status = HTTPStatus(code)
        self._refuse(status, message or status.phrase)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Sends an error about a request that may not have been read to its end."""
        self._say(status, why)
        self._drain()

    def _say(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, f"{why}\n".encode(errors="replace"), "text/plain; charset=utf-8")

    def _drain(self) -> None:
        """Reads the rest of a request until its deadline. A client may not read the error if its
        connection is closed while it is sending.
        """
        self.connection.shutdown(socket.SHUT_WR)
        while self.rfile.read1(1 << 16):
            pass

    def _send(
        self,
        status: HTTPStatus,
        content: bytes,
        kind: str,
        cache: Mapping[str, str] = _NO_STORE,
    ) -> None:
        self.connection.settimeout(self.server.request_seconds)
        self.request_version = self.protocol_version  # send headers even to HTTP/0.9 requests
        self.send_response(status)
        for name, value in {**_HEADERS, **cache}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Logs a request at the level DEBUG, without the token."""
        text = (format % args).replace(self.server.access.prefix, "/")
        log.debug("%s: %s", self.address_string(), text)
