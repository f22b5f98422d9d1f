"""`dlx check-count`: checks the certificate of a count."""

from __future__ import annotations

import gzip
import zlib
from decimal import Decimal

import click

from dlx.check.count import Refused, check, lines_of
from dlx.cli.commands import FILE_NAME, NO_SOLUTION, SOLVED
from dlx.cli.display import echo, echo_json
from dlx.cli.shared import json_option, load_problem
from dlx.errors import FormatError
from dlx.proofs.count import numbered_lines

__all__ = ["check_count"]


@click.command("check-count")
@click.argument("problem", type=FILE_NAME)
@click.argument("certificate", type=FILE_NAME)
@json_option
def check_count(problem: str, certificate: str, as_json: bool) -> int:
    """Check the number of solutions of PROBLEM by a certificate.

    CERTIFICATE is a file that `dlx count --proof` has written. Prints the number that it proves. To
    check it without the rest of this package, use dlx/check/count.py, which is a program by itself.
    """
    try:
        proved = check(numbered_lines(load_problem(problem)), lines_of(certificate))
    except (Refused, EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(f"the certificate is refused: {error}", source=certificate) from None
    if as_json:
        echo_json(proved._asdict())
        return SOLVED if proved.solutions else NO_SOLUTION
    text = f"proved: {Decimal(proved.solutions)} solution{'' if proved.solutions == 1 else 's'}"
    if proved.classes is not None:
        text += f" in {proved.classes} class{'' if proved.classes == 1 else 'es'}"
    for word, options in (("with", proved.given), ("without", proved.forbidden)):
        if options:
            text += f", {word} options {', '.join(map(str, options))}"
    echo(text)
    return SOLVED if proved.solutions else NO_SOLUTION
