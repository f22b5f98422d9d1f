"""Who may ask `sudoku serve`: host names, origins, tokens."""

from __future__ import annotations

import socket
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sudoku_serving import answer_to, request, serving

from sudoku.cli.main import main
from sudoku.errors import SudokuError
from sudoku.web.access import Access, is_loopback, is_unspecified, name_and_port
from sudoku.web.server import Server

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
