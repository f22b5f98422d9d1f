"""`sudoku serve`: a local web page to enter, play, check and print Sudokus."""

from __future__ import annotations

import click

from dlx.cli.commands import SOLVED

__all__ = ["serve"]


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8324, show_default=True, metavar="N")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on. An address other than loopback gives other machines access, "
    "and needs --allow-host or --token.",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name or address that browsers use for this machine, with :PORT if that is not --port. "
    "May be repeated.",
)
@click.option(
    "--token", "with_token", is_flag=True, help="Require a new secret in the address of the page."
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
def serve(port: int, host: str, names: tuple[str, ...], with_token: bool, open_page: bool) -> int:
    """Serve a web page to enter, play, check and print Sudokus; Ctrl-C stops the server."""
    import errno
    import secrets
    import socket

    from sudoku.errors import shorten
    from sudoku.web.server import Server

    if not host:
        raise click.UsageError("--host is empty; to listen on every address, give 0.0.0.0")
    if not host.isascii() or "\0" in host:
        raise click.UsageError(f"--host {shorten(host)}: give a host name in ASCII, or an address")
    token = secrets.token_urlsafe(16) if with_token else None
    try:
        server = Server(host, port, names=names, token=token)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"port {port} is in use; choose another with --port, or --port 0 for any free port"
            ) from None
        where = host if isinstance(error, socket.gaierror) else f"{host}, port {port}"
        raise click.ClickException(f"{where}: {error.strerror or error}") from None
    with server:
        click.echo(f"Sudoku at {server.url} (Ctrl-C stops it)")
        for url in server.other_urls:
            click.echo(f"       or {url}")
        if server.access.any_host:
            click.echo("From other machines: the same, with the name or address of this machine")
        if open_page:
            click.launch(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
    return SOLVED
