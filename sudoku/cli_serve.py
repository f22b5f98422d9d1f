"""The command `sudoku serve`: a local page to enter, play, check and print Sudokus."""

from __future__ import annotations

import click

from dlx.commands import SOLVED

__all__ = ["serve"]


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8324, show_default=True, metavar="N")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; any other than this one lets others in.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
def serve(port: int, host: str, open_page: bool) -> int:
    """Serve a page on this machine to enter, play, check and print Sudokus; Ctrl-C ends it."""
    import errno

    from sudoku.web.server import Server

    if not host:
        raise click.UsageError("--host is empty; to listen on every address, give 0.0.0.0")
    try:
        server = Server(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"port {port} is in use; give another with --port, or --port 0 for any that is free"
            ) from None
        raise click.ClickException(f"{host}: {error.strerror or error}") from None
    with server:
        click.echo(f"Sudoku at {server.url} (Ctrl-C ends it)")
        if open_page:
            click.launch(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
    return SOLVED
