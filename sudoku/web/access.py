"""Access control of the server: by host name, origin and, if there is one, token.

A page of another site can make its own name resolve to this machine (DNS rebinding), and then reads
answers as if they came from its own server. But its name is in the Host header, and it does not
know the token.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from secrets import compare_digest
from typing import Final

from sudoku.errors import SudokuError, shorten

__all__ = ["Access", "bracketed", "is_loopback", "is_unspecified", "name_and_port"]

_NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::([0-9]{1,5}))?")
_HTTP_PORT: Final = 80  # the port of a Host header without one


class Access:
    """The access rules of one server: allowed host names, origins and the token.

    `listening` is the numeric address that the server listens on. `localhost`, the loopback
    addresses and `names` are allowed host names. If there is a `token`, each path must begin with
    it; other machines may then use any host name, unless `names` are given. Raises SudokuError if
    other machines had access without either.

    >>> access = Access("127.0.0.1", 8324)
    >>> access.refusal(["localhost:8324"], None)
    >>> access.refusal(["evil.example:8324"], None)
    "the host name 'evil.example:8324' is not allowed; `sudoku serve --allow-host` allows names"
    """

    def __init__(
        self, listening: str, port: int, names: Iterable[str] = (), token: str | None = None
    ) -> None:
        self.names = [name_and_port(name, port) for name in names]
        local = is_loopback(listening)
        if not local and not self.names and token is None:
            raise SudokuError(
                f"listening on {listening} lets other machines in: add --allow-host NAME for each "
                "name or address they use for this machine, or --token to put a secret into the "
                "address of the page"
            )
        self.any_host = not local and not self.names
        own = ["localhost", "127.0.0.1", "[::1]"]
        if not is_unspecified(listening):
            own.append(bracketed(listening))
        self._hosts = {*(f"{name}:{port}" for name in own), *self.names}
        self.prefix = "/" if token is None else f"/{token}/"

    def refusal(self, hosts: list[str], origin: str | None) -> str | None:
        """Why a request with these Host headers and Origin is refused; None if it is allowed."""
        if len(hosts) != 1:
            return "the request must have one Host header"
        try:
            name = name_and_port(hosts[0], _HTTP_PORT)
        except SudokuError:
            name = ""
        if name not in self._hosts and not (self.any_host and name):
            return (
                f"the host name {shorten(hosts[0])} is not allowed; "
                "`sudoku serve --allow-host` allows names"
            )
        if origin is not None and origin.lower() != f"http://{hosts[0].lower()}":
            return f"requests from pages of {shorten(origin)} are not allowed"
        return None

    def file_in(self, path: str) -> str | None:
        """The path without the token; None if it does not begin with the token."""
        start = path[: len(self.prefix)]
        if not compare_digest(start.encode(errors="replace"), self.prefix.encode()):
            return None
        return path[len(self.prefix) - 1 :]


def bracketed(host: str) -> str:
    """A host as in a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach this numeric address."""
    return ip_address(address.partition("%")[0]).is_loopback


def is_unspecified(address: str) -> bool:
    """Whether this numeric address means all addresses of this machine."""
    return ip_address(address.partition("%")[0]).is_unspecified


def name_and_port(text: str, port: int) -> str:
    """A host name or address with its port; `port` if the text has no port.

    Raises SudokuError for other texts.

    >>> name_and_port("MyBox.example", 80), name_and_port("::1", 80), name_and_port("[::1]:81", 80)
    ('mybox.example:80', '[::1]:80', '[::1]:81')
    """
    try:
        bare = bracketed(str(ip_address(text)))
    except ValueError:
        bare = text
    found = _NAME.fullmatch(bare.lower())
    if found is None:
        raise SudokuError(
            f"{shorten(text)} is not a host name or address, such as mybox.example or 192.0.2.7"
        )
    return f"{found[1]}:{found[2] or port}"
