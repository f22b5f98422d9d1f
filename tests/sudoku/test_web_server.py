"""The server of `sudoku serve`: who may ask what, and what happens to those who may not."""

from __future__ import annotations

import http.client
import io
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from unittest import mock

import pytest
from sudoku_serving import serving

from sudoku.cli import main
from sudoku.web.limits import LARGEST
from sudoku.web.server import Hasty, Server
from sudoku.web.worker import Worker
from sudoku.web.worker import main as worker_main

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


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


def ask(server: Server, **question: Any) -> dict[str, Any]:
    body = json.dumps(question).encode()
    status, _, said = request(server, "POST", "/ask", body, Content_Type="application/json")
    assert status == 200
    answer: dict[str, Any] = json.loads(said)
    return answer


def test_the_page_and_a_question(server: Server) -> None:
    for path, kind in (
        ("/", "text/html"),
        ("/page.js", "text/javascript"),
        ("/page.css", "text/css"),
    ):
        status, headers, content = request(server, "GET", path)
        assert (status, len(content)) == (200, int(headers["Content-Length"]))
        assert headers["Content-Type"].startswith(kind)
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
    assert request(server, "HEAD", "/")[2] == b""
    assert ask(server, kind="open", text=PUZZLE)["symbols"] == "123456789"


def test_what_is_not_there(server: Server) -> None:
    assert request(server, "GET", "/etc/passwd")[0] == 404
    assert request(server, "GET", "/../server.py")[0] == 404
    assert request(server, "POST", "/", b"{}", Content_Type="application/json")[0] == 404
    assert request(server, "PUT", "/ask", b"{}")[0] == 501


def test_other_pages_cannot_ask(server: Server) -> None:
    body, kind = b'{"kind": "offer"}', "application/json"
    assert request(server, "POST", "/ask", body, Content_Type="text/plain")[0] == 415
    assert request(server, "POST", "/ask", body, Content_Type=kind, Host="evil.example")[0] == 403
    evil = "http://evil.example"
    assert request(server, "POST", "/ask", body, Content_Type=kind, Origin=evil)[0] == 403
    assert request(server, "GET", "/", Host="evil.example")[0] == 403
    own = server.url.rstrip("/")
    assert request(server, "POST", "/ask", body, Content_Type=kind, Origin=own)[0] == 200


def test_oversized_and_malformed(server: Server) -> None:
    kind = "application/json"
    too_long = str(LARGEST + 1)
    assert (
        request(server, "POST", "/ask", b"", Content_Type=kind, Content_Length=too_long)[0] == 413
    )
    assert (
        request(server, "POST", "/ask", b"", Content_Type=kind, Content_Length="9" * 99)[0] == 413
    )
    status, _, said = request(server, "POST", "/ask", b" " * (8 * LARGEST), Content_Type=kind)
    assert (status, json.loads(said)) == (
        413,
        {"error": "that is too long: up to 1 MiB can be read at once"},
    )
    assert request(server, "POST", "/ask", b"x", Content_Type=kind, Content_Length="-1")[0] == 411
    for body in (b"{", b"\xff\xfe", b"[" * 100_000):
        assert request(server, "POST", "/ask", body, Content_Type=kind)[0] == 400
    assert ask(server, kind="offer")["layouts"]  # it is still there


def test_a_client_that_hangs_up_does_no_harm(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port)) as client:
        client.sendall(b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n")
    assert ask(server, kind="offer")["bands"][0] == "easy"


def test_a_request_has_its_time_however_slowly_it_comes() -> None:
    ours, theirs = socket.socketpair()
    now = 0.0
    with ours, theirs:
        slow = Hasty(ours, 10, clock=lambda: now)
        for byte in b"GET":
            theirs.sendall(bytes([byte]))
            buffer = bytearray(9)
            assert slow.readinto(buffer) == 1
            assert buffer[0] == byte
            assert ours.gettimeout() == 10 - now
            now += 4  # less than 10 each time, more than that together
        theirs.sendall(b" ")
        with pytest.raises(TimeoutError):
            slow.readinto(bytearray(9))


def partial(server: Server, sent: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.server_port), timeout=60)
    client.sendall(sent)
    return client


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: local",
        b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 99\r\n\r\n{",
    ],
)
def test_a_request_that_never_ends_is_hung_up_on(sent: bytes) -> None:
    with (
        serving(Server(patience=0.05)) as hasty,
        partial(hasty, sent) as client,
        suppress(ConnectionResetError),  # it was too busy to look at what had come
    ):
        assert client.recv(9) == b""


def test_connections_are_few() -> None:
    with serving(Server(connections=2)) as small:
        first, second = partial(small, b"GET /"), partial(small, b"GET /")
        with partial(small, b"") as third:
            assert third.recv(9) == b""
        second.sendall(b" HTTP/1.0\r\nHost: localhost\r\n\r\n")
        while second.recv(1 << 16):  # to the end: then it has been given back
            pass
        first.close()
        second.close()
        small._free.acquire(timeout=60)
        small._free.release()
        assert request(small, "GET", "/")[0] == 200


def test_a_question_that_takes_too_long_is_given_up() -> None:
    endless = [sys.executable, "-c", "import sys; sys.stdin.readline()\nwhile True: pass"]
    worker = Worker(0.2, endless)
    assert worker.ask({}) == {"error": "that took too much time (or memory), and was given up"}
    assert worker.ask({}) == {"error": "that took too much time (or memory), and was given up"}
    worker.close()


def test_an_answer_cut_short_is_none() -> None:
    half = "import sys; sys.stdin.readline(); print('{\"say\": 1', end='')"
    worker = Worker(60, [sys.executable, "-c", half])
    assert worker.ask({}) == {"error": "that took too much time (or memory), and was given up"}
    worker.close()


def test_a_question_nested_too_deeply() -> None:
    worker = Worker(60)
    question: list[Any] = []
    for _ in range(100_000):
        question = [question]
    assert worker.ask(question) == {"error": "the question is nested too deeply"}
    while question:  # else its end would be a recursion, too
        (question,) = question
    assert "layouts" in worker.ask({"kind": "offer"})
    worker.close()


def test_what_goes_wrong_in_the_worker_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for error, said in (
        (RecursionError, "the question is nested too deeply"),
        (MemoryError, "that takes more memory than there is"),
        (KeyError, "internal error: KeyError"),
    ):
        into = io.StringIO()
        with monkeypatch.context() as patched:
            patched.setattr("sudoku.web.worker._limit_memory", lambda: None)
            patched.setattr("sudoku.web.answers.answer", mock.Mock(side_effect=error))
            worker_main(io.StringIO("{}\n"), into)
        assert json.loads(into.getvalue()) == {"error": said}
    assert "KeyError" in capsys.readouterr().err


def test_a_worker_that_was_killed_is_started_again() -> None:
    worker = Worker(60)
    worker.start()
    started = worker._process
    assert started is not None
    worker.start()
    assert "layouts" in worker.ask({"kind": "offer"})
    assert worker._process is started
    assert "layouts" in worker.ask({"kind": "offer"})
    assert worker._process is not None
    worker._process.kill()
    worker._process.wait()
    assert "layouts" in worker.ask({"kind": "offer"})
    worker.close()


def test_hostile_puzzles_are_answered(server: Server) -> None:
    cages = ";".join(f"45:{','.join(f'r{r}c{c}' for c in range(1, 10))}" for r in range(1, 10))
    for text in (
        "<script>alert(1)</script>" * 100,
        "9" * 100_000,
        "{" * 50_000,
        f"9 {cages}",
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><opensudoku>&d;',
    ):
        said = ask(server, kind="open", text=text)
        assert "error" in said or "givens" in said


def test_the_command_serves_until_ctrl_c() -> None:
    code = "import sys; from sudoku.cli import main; sys.exit(main(['serve', '--port', '0']))"
    command = [sys.executable, "-P", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving_it:
        assert serving_it.stdout is not None
        line = serving_it.stdout.readline()
        found = re.fullmatch(r"Sudoku at http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends it\)\n", line)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
        serving_it.send_signal(signal.SIGINT)
        assert serving_it.wait(60) == 0


def test_a_port_in_use(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", str(server.server_port)]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"sudoku: port {server.server_port} is in use; give another with --port, or --port 0 for "
        "any that is free\n"
    )
    assert main(["serve", "--host", "no.such.host.example"]) == 2
    assert capsys.readouterr().err.startswith("sudoku: no.such.host.example: ")
    assert main(["serve", "--host", ""]) == 2
    assert "--host is empty" in capsys.readouterr().err
