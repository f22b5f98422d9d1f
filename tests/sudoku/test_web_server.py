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
from sudoku.errors import SudokuError
from sudoku.web.access import Access, is_loopback, is_unspecified, name_and_port
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
    assert ask(server, kind="offer")["groups"]  # it is still there


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


# -- Who may ask `sudoku serve`: host names, origins, tokens -------------------------------------


NAMES = ["localhost", "127.0.0.1", "[::1]"]
OTHERS = ["evil.example", "10.0.0.1", "localhost.evil.example", "0.0.0.0", "[::]", "", "local host"]


@pytest.mark.parametrize("name", NAMES)
def test_loopback_names_need_the_port(name: str) -> None:
    access = Access("127.0.0.1", 8324)
    host = f"{name}:8324"
    assert access.refusal([host], None) is None
    assert access.refusal([host.upper()], None) is None
    assert access.refusal([host], f"http://{host}") is None
    for wrong in (name, f"{name}:80", f"{name}:8325", f"{name}:", f"{name}:8324:8324", f"a{host}"):
        assert access.refusal([wrong], None) is not None
    for origin in ("null", f"https://{host}", f"http://{name}", "http://localhost:8325", ""):
        assert access.refusal([host], origin) is not None
    assert Access("127.0.0.1", 80).refusal([name], f"http://{name}") is None


@given(st.one_of(st.text(), st.from_regex(r"[a-z.]{1,9}(:[0-9]{1,5})?", fullmatch=True)))
def test_no_other_host_is_answered(host: str) -> None:
    allowed = {f"{name}:8324" for name in (*NAMES, "mybox")}
    for listening in ("127.0.0.1", "0.0.0.0", "::", "192.0.2.7"):
        access = Access(listening, 8324, ["mybox"], "secret")
        known = allowed | {f"{listening}:8324"} - {"0.0.0.0:8324", ":::8324"}
        assert (access.refusal([host], None) is None) == (host.lower() in known)


@pytest.mark.parametrize("listening", ["0.0.0.0", "::", "192.0.2.7", "fe80::1%eth0"])
def test_other_machines_need_names_or_a_token(listening: str) -> None:
    with pytest.raises(SudokuError, match=r"add --allow-host NAME .* or --token"):
        Access(listening, 8324)
    named = Access(listening, 8324, ["mybox", "192.0.2.9", "::9", "other.example:9000"])
    for host in ("mybox:8324", "192.0.2.9:8324", "[::9]:8324", "other.example:9000"):
        assert named.refusal([host], f"http://{host}") is None
    for host in (*OTHERS, "mybox", "other.example:8324"):
        assert named.refusal([host], None) is not None
    for host in OTHERS:
        assert named.refusal([f"{host}:8324"], None) is not None
    secret = Access(listening, 8324, token="secret")
    assert secret.refusal(["any.example:8324"], "http://any.example:8324") is None
    assert secret.refusal(["any.example:8324"], "http://evil.example:8324") is not None
    assert secret.refusal(["a b"], None) is not None


def test_only_loopback_addresses_are_this_machine_alone() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.9.1", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.1", "8.8.8.8", "fe80::1%eth0")))
    assert [is_unspecified(one) for one in ("0.0.0.0", "::", "::1")] == [True, True, False]


@given(st.text(max_size=20))
def test_names_are_lower_case_with_a_port(text: str) -> None:
    try:
        found = name_and_port(text, 8324)
    except SudokuError:
        return
    assert name_and_port(found, 1) == found
    assert found == found.lower()


@given(st.text(max_size=20))
def test_a_token_is_needed_whole(path: str) -> None:
    access = Access("127.0.0.1", 8324, token="secret")
    assert access.file_in(f"/secret/{path}") == f"/{path}"
    found = access.file_in(path)
    assert (found is not None) == path.startswith("/secret/")
    assert Access("127.0.0.1", 8324).file_in(f"/{path}") == f"/{path}"


@pytest.mark.lengthy
def test_a_server_with_a_token() -> None:
    with serving(Server("0.0.0.0", token="secret")) as server:
        assert server.url == f"http://127.0.0.1:{server.server_port}/secret/"
        assert server.other_urls == []
        for path in ("/", "/page.js", "/ask", "/secret", "/Secret/", "/?secret/"):
            status, _, why = request(server, "GET", path)
            assert (status, b"token" in why) == (403, True)
        for path, status in (("", 200), ("page.js", 200), ("?a=b", 200), ("secret/", 404)):
            assert request(server, "GET", f"/secret/{path}", Host="any.example")[0] == status
        kind = {"Content_Type": "application/json"}
        asked = b'{"kind": "offer"}'
        assert request(server, "POST", "/secret/ask", asked, **kind)[0] == 200
        assert request(server, "POST", "/ask", asked, **kind)[0] == 403
        evil = "http://evil.example"
        assert request(server, "POST", "/secret/ask", asked, Origin=evil, **kind)[0] == 403


@pytest.mark.lengthy
def test_a_server_with_names() -> None:
    with serving(Server("0.0.0.0", names=["mybox", "far:99"])) as server:
        port = server.server_port
        assert server.url == f"http://127.0.0.1:{port}/"
        assert server.other_urls == [f"http://mybox:{port}/", "http://far:99/"]
        for host, status in ((f"MyBox:{port}", 200), ("far:99", 200), (f"evil:{port}", 403)):
            found, _, why = answer_to(server, b"GET / HTTP/1.1\r\nHost: %b\r\n\r\n" % host.encode())
            assert found == status
            assert (b"--allow-host" in why) == (status == 403)


@pytest.mark.lengthy
def test_tokens_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "sudoku")
    with serving(Server(token="secret")) as server:
        assert request(server, "GET", "/secret/page.js")[0] == 200
    said = " ".join(record.getMessage() for record in caplog.records)
    assert "GET /page.js" in said
    assert "secret" not in said


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_command_refuses_to_let_others_in(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "0", "--host", host]) == 2
    assert capsys.readouterr().err == (
        f"sudoku: listening on {host} lets other machines in: add --allow-host NAME for each name "
        "or address they use for this machine, or --token to put a secret into the address of the "
        "page\n"
    )


@pytest.mark.parametrize("name", ["http://mybox/", "", "my box", "*", "mybox:", "mybox:x"])
def test_a_name_that_is_none(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "0", "--allow-host", name]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"sudoku: {name!r} is not a host name or address, such as mybox.example or 192.0.2.7\n"
    )


def test_the_command_prints_the_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    with mock.patch.object(Server, "serve_forever"):
        command = ["serve", "--port", "0", "--host", "0.0.0.0", "--token"]
        assert main([*command, "--allow-host", "mybox:99"]) == 0
        first, second = capsys.readouterr().out.splitlines()
        path = first.removesuffix(" (Ctrl-C stops it)").rpartition("Sudoku at ")[2].split("/", 3)[3]
        assert second == f"       or http://mybox:99/{path}"
        assert len(path) == 23  # 16 bytes in base 64, and a slash
        assert main(command) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert path not in first
        assert second == "From other machines: the same, with the name or address of this machine"


def test_no_name_of_the_address_is_looked_up() -> None:
    with mock.patch.object(socket, "getfqdn") as lookup, Server():
        lookup.assert_not_called()
