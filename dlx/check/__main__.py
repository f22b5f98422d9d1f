"""`python -m dlx.check FORMULA PROOF`; in a copy of this folder `python check FORMULA PROOF`."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from decimal import Decimal  # of any number of digits
from importlib import import_module
from pathlib import Path
from typing import Any

MODULES = {".drat": "drat", ".pbp": "pseudo_boolean", ".count": "count"}
"""The checker of each kind of proof, by the suffix of the file (before ".gz")."""

USAGE = """usage: python -m dlx.check [--quiet] FORMULA PROOF

FORMULA PROOF is x.cnf x.drat, x.opb x.pbp, or a problem and x.count; each may be compressed (.gz).
Prints what the proof shows. Exit status: 0 it holds, 1 it is wrong or incomplete, 2 bad input."""


def lines_of(path: str) -> Iterator[str]:
    """The lines of a text file, which may be compressed."""
    with open(path, "rb") as file:
        opened = gzip.open if file.read(2) == b"\x1f\x8b" else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as text:
        yield from text


def text_of_count(proved: Any) -> str:
    """What a count shows.

    >>> from dlx.check.count import Count
    >>> text_of_count(Count(92, 12, [], [7, 9]))
    'exactly 92 solutions, in 12 classes, without options 7, 9'
    """
    parts = [f"exactly {Decimal(proved.solutions)} solution{'s' * (proved.solutions != 1)}"]
    if proved.classes is not None:
        parts.append(f"in {proved.classes} class{'es' * (proved.classes != 1)}")
    for word, options in (("with", proved.given), ("without", proved.forbidden)):
        if options:
            parts.append(f"{word} options {', '.join(map(str, options))}")
    return ", ".join(parts)


def main(arguments: Sequence[str]) -> int:
    """Checks the second file, which is about the first; returns the exit status."""
    paths = [word for word in arguments if not word.startswith("-")]
    if {"-h", "--help"}.intersection(arguments):
        print(USAGE)
        return 0
    if len(paths) != 2 or set(arguments) - {*paths, "--quiet"}:
        print(USAGE, file=sys.stderr)
        return 2
    formula, proof = paths
    name = proof.lower().removesuffix(".gz")
    module = next((module for suffix, module in MODULES.items() if name.endswith(suffix)), None)
    if module is None:
        print(
            f"{proof}: expected the suffix {', '.join(MODULES)}, or that and .gz", file=sys.stderr
        )
        return 2
    folder = Path(__file__).resolve().parent
    if not __package__:
        sys.path.insert(0, str(folder.parent))
    checker = import_module(f"{__package__ or folder.name}.{module}")
    try:
        proved = checker.check(lines_of(formula), lines_of(proof))
    except (checker.Refused, EOFError, zlib.error) as error:
        print(f"{proof}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"{formula}: {error}", file=sys.stderr)
        return 2
    if "--quiet" not in arguments:
        print(text_of_count(proved) if module == "count" else proved)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
