"""The server of `sudoku serve` beside Starlette on uvicorn and waitress, which could replace it.

    pip install starlette uvicorn waitress        (in an environment without dlxkit: PYTHONPATH=.)
    python benchmarks/web_servers.py [standard] [uvicorn] [waitress]

Each serves the page and its requests with the same protections, as far as public interfaces have
them. For each: the CPU time until the first page, and its memory; the CPU time of the server for
each small request; after how many seconds it closes the connection of a client that sends a byte
now and then, and of one that is silent; and what another client gets while 200 connections have
sent half a line each. docs/design.md has the numbers and the conclusion. About a minute each.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from sudoku.web.access import Access
from sudoku.web.limits import GRACE, LARGEST, SECONDS, ConnectionLimits
from sudoku.web.server import Server
from sudoku.web.worker import ClientGone, WorkerPool

LIMITS = ConnectionLimits()
PAGE = ("/", "/page.js", "/page.css")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SLOW_SECONDS, HALF_REQUESTS = 25.0, 200
QUESTION = json.dumps({"kind": "candidates", "puzzle": json.dumps({"puzzle": "." * 81})})


# -- the servers ---------------------------------------------------------------------------------


def started_pool() -> WorkerPool:
    """The workers of a server."""
    workers = WorkerPool(SECONDS + GRACE)
    workers.start()
    return workers


def serve_standard(port: int) -> None:
    """Our server, on `http.server`."""
    with Server(port=port) as server:
        server.serve_forever()


def serve_uvicorn(port: int) -> None:
    """Starlette on uvicorn. No setting limits the time of a request that arrives."""
    import asyncio

    import uvicorn
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route

    access, workers, contents = Access("127.0.0.1", port), started_pool(), page_files(port)

    async def file(request: Any) -> Any:
        content, kind = contents[request.url.path]
        return Response(content, media_type=kind)

    async def ask(request: Any) -> Any:
        length = request.headers.get("content-length", "")
        if request.headers.get("content-type") != "application/json":
            raise HTTPException(415, "the content type must be application/json")
        if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST:
            raise HTTPException(413, "the request is too large")
        try:
            async with asyncio.timeout(LIMITS.seconds):
                question = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise HTTPException(400, "the request is not valid JSON") from None
        gone = asyncio.Event()

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            gone.set()

        watcher = asyncio.create_task(watch())
        try:
            run = workers.run
            return JSONResponse(
                await asyncio.to_thread(run, question, request.client.host, gone.is_set)
            )
        except ClientGone:
            return Response(status_code=499)
        finally:
            watcher.cancel()

    async def refused(request: Any, error: Any) -> Any:
        return PlainTextResponse(f"{error.detail}\n", error.status_code)

    routes = [Route(path, file) for path in PAGE]
    inner = Starlette(
        routes=[*routes, Route("/ask", ask, methods=["POST"])],
        exception_handlers={HTTPException: refused},
    )

    async def app(scope: Any, receive: Any, send: Any) -> None:
        """Checks the host and the origin, and adds the headers."""

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        named = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value for name, value in named if name == b"host"]
        origin = next((value for name, value in named if name == b"origin"), None)
        why = access.refusal(hosts, origin)
        answer = inner if why is None else PlainTextResponse(f"{why}\n", 403)
        await answer(scope, receive, with_headers)

    uvicorn.run(
        app,
        port=port,
        log_level="critical",
        limit_concurrency=LIMITS.connections,
        ws="none",
        lifespan="off",
        http="h11",
        loop="asyncio",
    )


def serve_waitress(port: int) -> None:
    """A WSGI function on waitress. Its time limit is for silence, not for a whole request."""
    import logging

    from waitress import serve

    access, workers, contents = Access("127.0.0.1", port), started_pool(), page_files(port)
    logging.getLogger("waitress").setLevel(logging.CRITICAL)

    def app(environ: Any, start: Any) -> Any:
        why = access.refusal([environ.get("HTTP_HOST", "")], environ.get("HTTP_ORIGIN"))
        if why is not None:
            start("403 Forbidden", [("Content-Type", "text/plain"), *HEADERS.items()])
            return [why.encode()]
        if environ["PATH_INFO"] == "/ask":
            question, gone = (
                json.load(environ["wsgi.input"]),
                environ["waitress.client_disconnected"],
            )
            answer = workers.run(question, environ["REMOTE_ADDR"], gone)
            content, kind = json.dumps(answer).encode(), "application/json"
        else:
            content, kind = contents[environ["PATH_INFO"]]
        start("200 OK", [("Content-Type", kind), *HEADERS.items()])
        return [content]

    serve(
        app,
        host="127.0.0.1",
        port=port,
        threads=8,
        connection_limit=LIMITS.connections,
        channel_timeout=LIMITS.seconds,
        channel_request_lookahead=1,
        max_request_body_size=LARGEST,
    )


def page_files(port: int) -> dict[str, tuple[bytes, str]]:
    """The content and the type of each file of the page."""
    with Server(workers=WorkerPool(1, [sys.executable, "-c", ""])) as server:
        return {path: (server.files[path].content, server.files[path].type) for path in PAGE}


SERVERS = {"standard": serve_standard, "uvicorn": serve_uvicorn, "waitress": serve_waitress}


# -- the client ----------------------------------------------------------------------------------


class Measured:
    """A server in a process of its own."""

    def __init__(self, name: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        command = [sys.executable, "-P", __file__, "--serve", name, str(self.port)]
        self.process = subprocess.Popen(command)
        while True:
            try:
                self.get()
                break
            except OSError:
                time.sleep(0.01)

    def get(self, timeout: float = 60) -> int:
        """The status of a request for the page, on a connection of its own."""
        return self._status("GET", "/page.js", None, timeout)

    def ask(self) -> int:
        """The status of a small question."""
        return self._status("POST", "/ask", QUESTION, 60)

    def _status(self, method: str, path: str, body: str | None, timeout: float) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            connection.request(method, path, body, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            reply.read()
            return reply.status

    def connect(self, sent: bytes) -> socket.socket:
        """A connection on which only this was sent."""
        client = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        client.sendall(sent)
        return client

    def cpu(self) -> float:
        """The seconds of CPU time so far."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """The resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def cpu_of_each(server: Measured, action: Callable[[], int], times: int) -> float:
    """Milliseconds of the server's CPU time for one action."""
    before = server.cpu()
    for _ in range(times):
        assert action() == 200
    return 1000 * (server.cpu() - before) / times


def seconds_until_closed(server: Measured, more: bytes) -> str:
    """When the server closes a connection with half a line, on which `more` is sent regularly."""
    began = time.monotonic()
    with server.connect(b"GET /a") as client:
        client.settimeout(0.5)
        while (passed := time.monotonic() - began) < SLOW_SECONDS:
            try:
                if not client.recv(1):
                    break
            except TimeoutError:
                pass
            except OSError:
                break
            with contextlib.suppress(OSError):
                client.sendall(more)
    return f"closed after {passed:.0f} s" if passed < SLOW_SECONDS else "not closed"


def crowded(server: Measured) -> str:
    """What another client gets while many connections have sent half a line, now and later."""
    held = []
    for _ in range(HALF_REQUESTS):
        with contextlib.suppress(OSError):
            held.append(server.connect(b"GET /"))
    found = []
    for wait in (0.0, LIMITS.seconds + 5):
        time.sleep(wait)
        try:
            found.append(str(server.get(timeout=5)))
        except OSError as error:
            found.append(type(error).__name__)
    for client in held:
        client.close()
    return f"{found[0]}, {LIMITS.seconds + 5:.0f} s later {found[1]}"


def measure(name: str) -> None:
    """Prints the numbers of one server."""
    server = Measured(name)
    try:
        print(f"{name}: {server.cpu():.2f} s of CPU time to start, {server.memory():.0f} MiB")
        print(f"  a file: {cpu_of_each(server, server.get, 500):.2f} ms of CPU time")
        print(f"  a question: {cpu_of_each(server, server.ask, 200):.2f} ms of CPU time")
        print(f"  a byte now and then: {seconds_until_closed(server, b'a')}")
        print(f"  a silent client: {seconds_until_closed(server, b'')}")
        print(f"  beside {HALF_REQUESTS} half requests: {crowded(server)}", flush=True)
    finally:
        server.process.terminate()
        server.process.wait()


def main() -> None:
    """Measures the servers named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SERVERS))
    parser.add_argument("--serve", nargs=2, metavar=("NAME", "PORT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        SERVERS[options.serve[0]](int(options.serve[1]))
    else:
        for name in options.names or SERVERS:
            measure(name)


if __name__ == "__main__":
    main()
