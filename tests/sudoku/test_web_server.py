"""The server of `sudoku serve`: which clients may ask what, and how it refuses the others."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from example_puzzles import WIKIPEDIA
from hypothesis import given
from hypothesis import strategies as st
from sudoku_internals import closing, wait_for_connections
from sudoku_serving import HOST, JSON, answer_to, partial, request, serving

import sudoku
from sudoku.cli.main import main
from sudoku.web.limits import LARGEST, ConnectionLimits
from sudoku.web.server import DeadlineReader, Server
from sudoku.web.worker import PoolBusy, PoolClosed, WorkerPool

WEB = Path(sudoku.__file__).parent / "web"


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
    assert ask(server, kind="open", text=WIKIPEDIA)["symbols"] == "123456789"


def test_requests_of_another_version_of_the_page_are_refused(server: Server) -> None:
    body = b'{"kind": "offer"}'
    for version, expected in ((server.version, 200), ("other", 409), ("", 409)):
        status, _, content = request(
            server, "POST", "/ask", body, Content_Type="application/json", Page_Version=version
        )
        assert status == expected
    assert content == b"the page is of another version than the server; reload it\n"


def test_every_file_of_the_page_is_served_and_revalidated(server: Server) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
    served = [file for file in WEB.iterdir() if file.suffix in kinds]
    assert {"page.html", "page.css", "page.js"} <= {file.name for file in served}
    for file in served:
        path = "/" if file.name == "page.html" else f"/{file.name}"
        status, headers, content = request(server, "GET", path)
        if path == "/":
            content = content.replace(f'"{server.version}"'.encode(), b'""', 1)
        assert (status, content) == (200, file.read_bytes())
        assert headers["Content-Type"] == f"{kinds[file.suffix]}; charset=utf-8"
        assert headers["Cache-Control"] == "no-cache"
        etag = headers["ETag"]
        for known in (etag, f'"old", W/{etag}'):
            status, headers, content = request(server, "GET", path, If_None_Match=known)
            assert (status, headers["ETag"], content) == (304, etag, b"")
            assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert request(server, "GET", path, If_None_Match='"old"')[0] == 200
    for file in WEB.iterdir():
        if file.suffix not in kinds:
            assert request(server, "GET", f"/{file.name}")[0] == 404


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
    assert (status, said) == (413, b"the request is too large; the limit is 1 MiB\n")
    assert request(server, "POST", "/ask", b"x", Content_Type=kind, Content_Length="-1")[0] == 411
    for body in (b"{", b"\xff\xfe", b"[" * 100_000):
        assert request(server, "POST", "/ask", body, Content_Type=kind)[0] == 400
    assert ask(server, kind="offer")["layouts"]  # it is still there


def test_a_client_that_hangs_up_does_no_harm(server: Server) -> None:
    partial(server, b"POST /ask HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99\r\n").close()
    assert ask(server, kind="offer")["bands"][0] == "gentle"


def test_a_request_has_its_time_however_slowly_it_comes() -> None:
    ours, theirs = socket.socketpair()
    now = 0.0
    with ours, theirs:
        slow = DeadlineReader(ours, 10, clock=lambda: now)
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


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: 127",
        b"POST /ask HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"
        b"Content-Length: 99\r\n\r\n{",
    ],
)
@pytest.mark.lengthy
def test_a_request_that_never_ends_is_hung_up_on(sent: bytes) -> None:
    with (
        serving(Server(limits=ConnectionLimits(seconds=0.05))) as hasty,
        partial(hasty, sent) as client,
        suppress(ConnectionResetError),  # it was too busy to look at what had come
    ):
        assert client.recv(9) == b""


@pytest.mark.lengthy
def test_connections_are_few() -> None:
    get = b"GET / HTTP/1.0\r\nHost: HOST\r\n\r\n"
    with serving(Server(limits=ConnectionLimits(connections=2))) as small:
        held = [partial(small, b"GET /") for _ in range(3)]
        status, head, body = answer_to(small, get)  # the fourth, twice as many as there may be
        assert (status, b"busy with other requests; try again" in body) == (503, True)
        assert all(line in head for line in SECURITY)
        held.append(partial(small, b"GET /"))
        assert answer_to(small, get)[0] is None  # the fifth
        for client in held[1:]:
            client.close()
        wait_for_connections(small, 1)
        assert request(small, "GET", "/")[0] == 200
        held[0].close()


def test_clients_that_wait_learn_that_the_server_stops() -> None:
    asked, stopping = threading.Event(), [threading.Event()]

    class Waiting(WorkerPool):
        """Its requests wait until the server waits for them."""

        def run(self, *arguments: Any) -> dict[str, Any]:
            asked.set()
            assert stopping[0].wait(60)
            raise PoolClosed

    body = JSON + b"Content-Length: 2\r\n\r\n{}"
    with serving(Server(workers=Waiting(60))) as server:
        stopping[0] = closing(server)
        client = partial(server, b"POST /ask HTTP/1.1\r\n" + body)
        assert asked.wait(60)
    with client:  # the process may end now, so the answer must have been sent
        client.setblocking(False)
        said = client.recv(1 << 16)
    assert said.startswith(b"HTTP/1.0 503 ")
    assert said.endswith(b"\r\n\r\nthe server has been stopped\n")


def test_a_request_that_no_worker_takes_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.workers, "run", mock.Mock(side_effect=PoolBusy))
    body = JSON + b"Content-Length: 2\r\n\r\n{}"
    status, _, said = answer_to(server, b"POST /ask HTTP/1.1\r\n" + body)
    assert (status, b"busy with other requests" in said) == (503, True)


SECURITY = (
    "Content-Security-Policy: default-src 'none'; ",
    "X-Content-Type-Options: nosniff\r\n",
    "Referrer-Policy: no-referrer\r\n",
    "Cross-Origin-Resource-Policy: same-origin\r\n",
    "Cache-Control: no-store\r\n",
)


@pytest.mark.parametrize(
    ("sent", "status", "why"),
    [
        (b"nonsense\r\n\r\n", 400, "Bad request syntax"),
        (b"GET / HTTP/x\r\n\r\n", 400, "Bad request version"),
        (b"GET / HTTP/9.9\r\n\r\n", 505, "Invalid HTTP version"),
        (b"\xff\x00 \xff HTTP/1.1\r\n\r\n", 501, "Unsupported method"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 414, ""),
        (b"GET / HTTP/1.1\r\nHost: " + b"a" * 70_000 + b"\r\n\r\n", 431, "Line too long"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431, "Too many headers"),
        (b"PUT /ask HTTP/1.1\r\n" + HOST + b"\r\n", 501, "Unsupported method ('PUT')"),
        (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 501, "Unsupported method ('OPTIONS')"),
        (b"GET /\r\n\r\n", 403, "one Host header"),
        (b"GET / HTTP/1.1\r\n\r\n", 403, "one Host header"),
        (b"GET / HTTP/1.1\r\n" + HOST * 2 + b"\r\n", 403, "one Host header"),
        (b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 403, "host name 'a.example'"),
        (b"GET / HTTP/1.1\r\nHost: \x1b[2J\r\n\r\n", 403, "host name '\\x1b[2J'"),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Origin: http://a.example\r\n\r\n", 403, "pages of"),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Origin: null\r\n\r\n", 403, "pages of 'null'"),
        (b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n", 404, "not found"),
        (b"POST /a HTTP/1.1\r\n" + HOST + b"\r\n", 404, "not found"),
        (b"POST /ask HTTP/1.1\r\n" + HOST + b"\r\n", 415, "application/json"),
        (b"POST /ask HTTP/1.1\r\n" + JSON + b"\r\n", 411, "Content-Length"),
        (b"POST /ask HTTP/1.1\r\n" + JSON + b"Content-Length: 99999999\r\n\r\n", 413, "1 MiB"),
        (b"POST /ask HTTP/1.1\r\n" + JSON + b"Content-Length: 1\r\n\r\n{", 400, "not valid JSON"),
    ],
)
def test_every_error_has_the_security_headers(
    server: Server, sent: bytes, status: int, why: str
) -> None:
    found, head, body = answer_to(server, sent)
    assert found == status
    assert all(line in head for line in SECURITY)
    assert "Content-Type: text/plain; charset=utf-8\r\n" in head
    assert why in body.decode()
    assert b"<" not in body


@given(
    st.one_of(
        st.binary(max_size=99),
        st.lists(
            st.sampled_from(
                [
                    *(b"GET", b"POST", b"HEAD", b" ", b"/", b"/ask", b"HTTP/1.1", b"HTTP/2.0"),
                    *(b"\r\n", b"\n", HOST, JSON, b"Content-Length: 2\r\n", b"{}", b"[", b":"),
                ]
            )
        ).map(b"".join),
    )
)
def test_whatever_is_sent_the_answer_has_the_security_headers(server: Server, sent: bytes) -> None:
    status, head, _ = answer_to(server, sent)
    assert status is None or all(line in head for line in SECURITY)


def test_a_fault_of_the_server_is_said(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server.workers, "run", mock.Mock(side_effect=KeyError("oh")))
    body = JSON + b"Content-Length: 2\r\n\r\n{}"
    status, head, said = answer_to(server, b"POST /ask HTTP/1.1\r\n" + body)
    assert (status, said) == (500, b"internal error\n")
    assert all(line in head for line in SECURITY)
    assert "KeyError: 'oh'" in capsys.readouterr().err


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
    code = "import sys; from sudoku.cli.main import main; sys.exit(main(['serve', '--port', '0']))"
    command = [sys.executable, "-P", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving_it:
        assert serving_it.stdout is not None
        line = serving_it.stdout.readline()
        found = re.fullmatch(r"Sudoku at http://127\.0\.0\.1:(\d+)/ \(Ctrl-C stops it\)\n", line)
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
        f"sudoku: port {server.server_port} is in use; choose another with --port, or --port 0 for "
        "any free port\n"
    )
    assert main(["serve", "--host", "no.such.host.example"]) == 2
    assert capsys.readouterr().err.startswith("sudoku: no.such.host.example: ")
    assert main(["serve", "--host", ""]) == 2
    assert "--host is empty" in capsys.readouterr().err
    for odd in ("ü..", "a\0"):
        assert main(["serve", "--host", odd]) == 2
        said = capsys.readouterr().err
        assert said == f"sudoku: --host {odd!r}: give a host name in ASCII, or an address\n"
