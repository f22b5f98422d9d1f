"""Reads problems from files and writes them; a table of the formats and their suffixes.

`puzzle.xmpuzzle#2` is the second problem in a file of several.
"""

from __future__ import annotations

import os
from codecs import iterdecode
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from io import StringIO
from itertools import chain, islice
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from dlx.core.arguments import check_path
from dlx.core.encoding import CHUNK, GZIP, open_text, replace_file, text_lines, unpacked
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = [
    "FORMATS",
    "READABLE",
    "dump",
    "format_of",
    "hinted_format_of",
    "load",
    "split_choice",
]

Target = str | os.PathLike[str] | IO[str]


class _Format(NamedTuple):
    """A format: its module in `dlx.formats`, the functions there that write and read; its suffixes.

    The former returns the lines of a problem's table; in the formats that can be read, of a
    problem. None: the format is only read, or only written.
    """

    module: str
    lines: str | None
    suffixes: tuple[str, ...]
    read: str | None = "read"


PUZZLES: Final = ".xmpuzzle"
PACKED: Final = ".gz"

_FORMATS: Final[Mapping[str, _Format]] = MappingProxyType(
    {
        "knuth": _Format("knuth", "lines", ("", ".dlx", ".knuth", ".txt", ".xc")),
        "json": _Format("json_text", "lines", (".json",)),
        "csv": _Format("frames", "csv_lines", (".csv",), None),
        "cnf": _Format("dimacs", "lines", (".cnf",), None),
        "opb": _Format("opb", "lines", (".opb",), None),
        "mps": _Format("mps", "lines", (".mps",)),
        "lp": _Format("lp", "lines", (".lp",)),
        "scp": _Format("orlib", "scp_lines", (".scp",), "read_scp"),
        "rail": _Format("orlib", "rail_lines", (".rail",), "read_rail"),
        "spp": _Format("orlib", "spp_lines", (".spp",), "read_spp"),
        "minizinc": _Format("minizinc", "lines", (".mzn",), None),
        "dzn": _Format("minizinc", "data_lines", (".dzn",), None),
        "xcsp3": _Format("xcsp3", "lines", (".xml",), None),
        "xmpuzzle": _Format("xmpuzzle", None, (PUZZLES,)),
    }
)

FORMATS: Final = tuple(name for name, form in _FORMATS.items() if form.lines)
"""The formats that can be written."""

READABLE: Final = tuple(name for name, form in _FORMATS.items() if form.read)
"""The formats that can be read."""

_BY_SUFFIX: Final = {suffix: name for name, form in _FORMATS.items() for suffix in form.suffixes}
_KNUTH: Final = ", ".join(_FORMATS["knuth"].suffixes[1:])


# -- reading -------------------------------------------------------------------------------------


def load(
    table: Table,
    source: Target,
    form: str | None = None,
    *,
    names: bool = True,
    choice: str = "",
) -> None:
    """Reads a file, given by path or open in text mode, into an empty table.

    `form` is one of `READABLE`. By default the suffix of a path decides, and for an open file its
    first line: `{"dlx": 1` in JSON and nowhere else, `<` in XML, the first comment of `dump` in MPS
    and LP. Without `names`, options are known by their numbers. `choice` is the part of a path
    after "#", if the caller has opened the file. Raises `InvalidArgument` for an unknown format or
    suffix.
    """
    if form is not None and form not in READABLE:
        raise InvalidArgument(
            f"format is {quote(form)}; files can be read in the formats {', '.join(READABLE)}"
        )
    if isinstance(source, str | os.PathLike):
        source, choice = split_choice(check_path("source", source))
        form = _readable_format_of(source) if form is None else form
    with open_text(source, errors="surrogateescape") as (file, where):
        packed = None if form == "xmpuzzle" else _packed_bytes(file)  # that one need not be UTF-8
        if packed is not None:
            content = unpacked(iter(partial(packed.read, CHUNK), b""), where)
            file = StringIO("".join(iterdecode(content, "utf-8", "surrogateescape")), newline=None)
        if form is None:
            form, file = _form_of_content(file, where)
        chosen = (choice,) if form == "xmpuzzle" else ()
        module = import_module(f"dlx.formats.{_FORMATS[form].module}")
        getattr(module, _FORMATS[form].read or "")(table, file, where, *chosen)
    if not names:
        table.names, table.names_given = None, {}


def _packed_bytes(file: Any) -> Any:
    """The binary file that was opened as this text file, if it is compressed, or None."""
    buffer: Any = getattr(file, "buffer", None)
    return buffer if hasattr(buffer, "peek") and buffer.peek(2).startswith(GZIP) else None


def _form_of_content(file: Iterable[str], where: str | None) -> tuple[str, Iterable[str]]:
    """The format of an open file, and all of its lines."""
    lines = iter(file)
    first = next((line for _, line in text_lines(lines, where)), "")
    # No item of Knuth's format contains a colon.
    words = "".join(first.removeprefix("\ufeff").split())
    begins = {'{"dlx":': "json", "*exactcover:": "mps", "\\exactcover:": "lp"}
    begins |= {"<?xml": "xmpuzzle", "<puzzle": "xmpuzzle"}
    form = next((form for text, form in begins.items() if words.startswith(text)), "knuth")
    return form, chain([first], lines)


def _suffix(path: str) -> str:
    """The suffix that decides on the format: that before ".gz", if the path ends so.

    >>> _suffix("a.MPS"), _suffix("a.mps.gz"), _suffix("a.b/c.gz")
    ('.MPS', '.mps', '')
    """
    name, suffix = os.path.splitext(path)
    return os.path.splitext(name)[1] if suffix.lower() == PACKED else suffix


def split_choice(path: str) -> tuple[str, str]:
    """A path, and what follows "#" after the suffix of a format with several problems in a file.

    >>> split_choice("a#1.xmpuzzle#2"), split_choice("b#2")
    (('a#1.xmpuzzle', '2'), ('b#2', ''))
    """
    file, mark, choice = path.rpartition(f"{PUZZLES}#")
    return (file + PUZZLES, choice) if mark else (path, "")


def _readable_format_of(path: str) -> str:
    """The format of a file to be read, by its suffix. Raises `InvalidArgument`."""
    suffix = _suffix(path)
    form = _BY_SUFFIX.get(suffix.lower())
    if form is None:
        raise InvalidArgument(
            f"{path}: files with the suffix {quote(suffix)} have no known format; .json is JSON, "
            f"{PUZZLES} BurrTools', and {_KNUTH} or no suffix is Knuth's format. For other "
            f"suffixes give the format: {', '.join(READABLE)}"
        )
    if form not in READABLE:
        raise InvalidArgument(
            f"{path}: files with the suffix {quote(suffix)} are written for other solvers and "
            f"cannot be read; files in the formats {', '.join(READABLE)} can"
        )
    return form


def hinted_format_of(path: str) -> str | None:
    """The format of a file whose suffix need not be one of ours: None if its content decides.

    Raises `InvalidArgument` for a suffix of a format that cannot be read.

    >>> hinted_format_of("queens.json"), hinted_format_of("queens.txt"), hinted_format_of("a.out")
    ('json', None, None)
    """
    form = _BY_SUFFIX.get(_suffix(path).lower(), "knuth")
    return None if form == "knuth" else _readable_format_of(path)


# -- writing -------------------------------------------------------------------------------------


def dump(problem: ProblemView, target: Target, form: str | None) -> None:
    """Writes a problem; `form` is one of FORMATS, or None to use the suffix of the path.

    An open file gets Knuth's format by default. Raises `InvalidArgument` for an unknown format or
    suffix.
    """
    if isinstance(target, str | os.PathLike):
        path = check_path("target", target)
        lines = _lines(problem, format_of(path) if form is None else form)
        parts = (text.encode() for text in iter(lambda: "".join(islice(lines, 1000)), ""))
        replace_file(path, _packed(parts) if path.lower().endswith(PACKED) else parts)
    elif not hasattr(target, "writelines"):
        raise InvalidArgument(f"target is {quote(target)}; it must be a path or an open text file")
    else:
        lines = _lines(problem, "knuth" if form is None else form)
        # Those of other formats may fail half way, and then nothing is to be written.
        target.writelines(lines if form in ("knuth", None) else list(lines))


def _packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a compressed file."""
    import zlib

    packer = zlib.compressobj(wbits=31)
    yield from map(packer.compress, parts)
    yield packer.flush()


def _lines(problem: ProblemView, form: object) -> Iterator[str]:
    if not isinstance(form, str) or form not in FORMATS:
        raise InvalidArgument(
            f"there is no format {quote(form)}; choose one of {', '.join(map(repr, FORMATS))}"
        )
    module, function, *_ = _FORMATS[form]
    assert function is not None  # of a format that can be written
    write = getattr(import_module(f"dlx.formats.{module}"), function)
    lines: Iterator[str] = write(problem if form in READABLE else problem._table)
    return lines


def format_of(path: str) -> str:
    """The format of a path's suffix. Raises `InvalidArgument` for any other suffix.

    >>> format_of("queens.JSON"), format_of("problems.d/queens")
    ('json', 'knuth')
    """
    suffix = _suffix(path)
    form = _BY_SUFFIX.get(suffix.lower())
    if form is None or form not in FORMATS:
        others = ", ".join(
            suffix for suffix, form in _BY_SUFFIX.items() if form in FORMATS and form != "knuth"
        )
        raise InvalidArgument(
            f"cannot write a file with the suffix {quote(suffix)}; supported are {others}, and for "
            f"Knuth's format {_KNUTH} or no suffix. For other suffixes give the format: "
            f"{', '.join(FORMATS)}"
        )
    return form
