"""A running server of the page and requests to it, for tests of it and of the page."""

from __future__ import annotations

import http.client
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from sudoku.web.server import Server

HOST: Final = b"Host: HOST\r\n"
JSON: Final = HOST + b"Content-Type: application/json\r\n"


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


def request(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, named)
    reply = connection.getresponse()
    answer = reply.status, dict(reply.getheaders()), reply.read()
    connection.close()
    return answer


def partial(server: Server, sent: bytes) -> socket.socket:
    """A connection on which only this was sent, with the server's name for HOST."""
    client = socket.create_connection(("127.0.0.1", server.server_port), timeout=60)
    client.sendall(sent.replace(b"HOST", b"127.0.0.1:%d" % server.server_port))
    return client


def answer_to(server: Server, sent: bytes) -> tuple[int | None, str, bytes]:
    """Status, head and body of the answer to some bytes; None for none."""
    said = b""
    # The server may have closed the connection before everything is sent.
    with suppress(ConnectionError), partial(server, sent) as client:
        with suppress(OSError):  # "not connected", which has no class of its own
            client.shutdown(socket.SHUT_WR)
        while part := client.recv(1 << 16):
            said += part
    head, _, body = said.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.0 (\d{3}) ", head)
    assert (status is None) == (said == b"")
    return int(status[1]) if status else None, head.decode(), body
