"""Knuth's text format for exact cover problems, as his programs DLX1, DLX2 and DLX3 read it.

::

    | a comment: any line that begins with a vertical bar
    p q r | x y
    p q x y:A
    p r x:A y
    p x:B
    q x:A
    r y:B

The first line that is neither a comment nor blank names the items: the primary items, then, after a
separate bar, the secondary items. Every further line is an option. `x:A` gives the secondary item x
the color A. A word `|5` after the items is the option's cost; several such words are added up (as
in DLX5, but costs may be negative here). Names consist of any characters but white space, ":" and
"|" (Knuth's programs allow eight characters, and one for a color). Integers and tuples of integers
become texts, the cell (1, 2) "1,2".

Options have no names in this format: they are numbered from 0. Names of options are kept in
comments, which Knuth's programs skip: a line `| dlx name: ["F", [0, 1]]` names the option in the
next line. After the colon is the name in JSON, where a tuple is a list. A name that JSON cannot
hold is not kept; a comment with its text takes its place.

A multiplicity precedes its primary item: `2:3|p` must be covered at least twice and at most three
times, `4|q` exactly four times. Not known to Knuth's programs is `1:*|p`: at least once, without an
upper bound.

An option may cover a primary item several times: `p*3` in an option is p with the weight 3 (see
`dlx.times`). That is an extension of this package, too. If an item named `p*3` was declared, that
item is meant; a problem with p, `p*3` and p three times in an option cannot be written.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import chain, compress, islice, repeat
from operator import add, sub
from typing import TYPE_CHECKING, Final

from dlx.core import kernel
from dlx.core.encoding import check_utf_8, checked_text, undecodable
from dlx.core.entries import Colored, Times, is_cell, item_text
from dlx.core.multiplicity import ONCE, Bounds
from dlx.errors import DLXError, FormatError, quote

if TYPE_CHECKING:
    from array import array

    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = ["lines", "read"]

NAME: Final = "| dlx name:"
"""The beginning of the comment that names the next option."""

JSON_ADVICE: Final = "JSON (a path ending in .json) takes any text, integer or tuple"
"""What to do about a name that this format cannot hold."""


# -- reading -------------------------------------------------------------------------------------


def read(table: Table, file: Iterable[str], where: str | None) -> None:
    """Reads lines of text into an empty table. `where` is the file's name, for messages.

    The kernel adds ordinary options to the table, and this all others. Raises `FormatError` with
    the number of the line. O(size of the file), 0.1 microseconds an entry.
    """
    reader = kernel.LineReader(table, iter(file))
    items_read = False
    name: Hashable = None
    named_at: int | None = None  # the line of a name whose option has not come

    def content() -> Iterator[tuple[int, str]]:
        """The lines that the kernel leaves to Python, except blank ones and plain comments."""
        try:
            while (drawn := reader.read(items_read and named_at is None)) is not None:
                number, line = drawn
                check_utf_8(checked_text(line, where), number, where)
                line = line.removeprefix("\ufeff").strip()  # some editors write a byte order mark
                if line and (line[0] != "|" or line.startswith(NAME)):
                    yield number, line
        except UnicodeDecodeError as error:
            raise undecodable(error, reader.drawn + 1, where) from None

    for number, line in content():
        try:
            if line.startswith(NAME):
                if not items_read or named_at is not None:
                    raise FormatError("this names no option: the next line has to be one")
                name, named_at = _read_name(line), number
            elif items_read:
                _read_option(table, line, name)
                name = named_at = None
            else:
                _read_items(table, line)
                items_read = True
        except DLXError as error:
            raise FormatError(str(error), line=number, source=where) from None
    if not items_read:
        raise FormatError("there is no line that names the items", source=where)
    if named_at is not None:
        raise FormatError("this names no option: the file ends", line=named_at, source=where)


def _read_name(line: str) -> Hashable:
    from dlx.formats import json_text  # only here: it imports `json`

    return json_text.read_name(line.removeprefix(NAME))


def _read_items(table: Table, line: str) -> None:
    secondary = False
    for word in line.split():
        if word == "|":
            if secondary:
                raise FormatError("the item line has a second '|'")
            secondary = True
            continue
        bounds, bar, item = word.rpartition("|")
        if ":" in item:
            raise FormatError(f"item {quote(item)} contains ':', which separates items from colors")
        multiplicity = _read_bounds(bounds, word) if bar else 1
        if bar and secondary:
            raise FormatError(
                f"{quote(word)} gives the secondary item {quote(item)} a multiplicity; "
                "only primary items can have one"
            )
        table.add_item(item, secondary=secondary, multiplicity=multiplicity)


def _read_bounds(text: str, word: str) -> Bounds:
    """The bounds before an item: `n`, `low:high` or `low:*`."""
    low, colon, high = text.partition(":")
    numbers = (low, high) if colon and high != "*" else (low, low)
    if word.endswith("|") or not all(map(_is_number, numbers)):
        raise FormatError(
            f"{quote(word)} should be an item, or n|item, low:high|item or low:*|item with numbers "
            "of at most 1000 digits"
        )
    return int(low), None if high == "*" else int(numbers[1])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 1000


def _read_option(table: Table, line: str, name: Hashable) -> None:
    if "|" not in line:
        table.add_option([_read_entry(table, word) for word in line.split()], name)
        return
    words = line.split()
    costs = [_read_cost(word) for word in words if word.startswith("|")]
    entries = [_read_entry(table, word) for word in words if not word.startswith("|")]
    table.add_option(entries, name, sum(costs))


def _read_cost(word: str) -> int:
    digits = word[1:].removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 1000):
        raise FormatError(f"{quote(word)} should be a cost: '|' and an integer, as in '|5'")
    return int(word[1:])


def _read_entry(table: Table, word: str) -> Hashable:
    if "|" in word:
        raise FormatError(f"{quote(word)} contains '|'; a cost is a word of its own, as in '|5'")
    item, colon, color = word.partition(":")
    if not colon:
        return _read_weight(item) if "*" in item and item not in table.item_numbers else item
    if not item or not color or ":" in color:
        raise FormatError(f"{quote(word)} should be an item, or an item:color")
    return Colored(item, color)


def _read_weight(word: str) -> Hashable:
    """An item with a weight, as in `p*3`; the word itself if it is not of this form."""
    item, _, weight = word.rpartition("*")
    return Times(item, int(weight)) if item and _is_number(weight) else word


# -- writing -------------------------------------------------------------------------------------


def lines(problem: ProblemView) -> Iterator[str]:
    """The lines of the file, with line ends. Raises before the first line if any is impossible.

    O(items + entries). The lines are made one by one; the problem must not change meanwhile.
    """
    table = problem._table
    start, numbers, flags, items = table.start, table.entry_item, table.secondary, table.items
    colors, weights = table.entry_color, table.entry_weight
    words = [_word(item, "item") for item in items]
    if all(flags):
        raise FormatError("a problem without primary items cannot be written in Knuth's format")
    _check_distinct(words, "items")
    tints = {n: f":{_word(table.color_names[n - 1], 'color')}" for n in set(colors) if n}
    _check_distinct([*tints.values()], "colors")
    _check_weights(items, numbers, weights, words)
    names = {
        index: _name_text(index, name)
        for index, name in enumerate(table.names or ())
        if type(name) is not int or name != index
    }
    texts: Iterator[str] = map(words.__getitem__, numbers)
    if colors:
        texts = map(add, texts, map({0: "", **tints}.__getitem__, colors))
    if weights:
        factors = {n: f"*{n}" if n > 1 else "" for n in set(weights)}
        texts = map(add, texts, map(factors.__getitem__, weights))
    listed = [
        _bounds_text(table.multiplicities.get(n, ONCE)) + words[n]
        for n, flag in enumerate(flags)
        if not flag
    ]
    secondary = [*compress(words, flags)]
    first = " ".join(listed + (["|", *secondary] if secondary else []))
    sizes = map(sub, islice(start, 1, None), start)
    options = zip(sizes, chain(table.costs, repeat(0)), strict=False)
    return chain([f"{first}\n"], _option_lines(options, texts, names))


def _option_lines(
    options: Iterable[tuple[int, int]], texts: Iterator[str], names: Mapping[int, str]
) -> Iterator[str]:
    """The lines of options, given by their sizes and costs, after those that name them."""
    for index, (size, cost) in enumerate(options):
        if index in names:
            yield names[index]
        words = " ".join(islice(texts, size))
        yield f"{words} |{cost}\n" if cost else f"{words}\n"


def _name_text(index: int, name: Hashable) -> str:
    """The comment that names an option; a plain comment if JSON cannot hold its name."""
    from dlx.formats import json_text  # only here: it imports `json`

    try:
        return f"{NAME} {json_text.name_text(name)}\n"
    except FormatError:
        shown = quote(name).encode("ascii", "backslashreplace").decode()
        return f"| option {index}: {' '.join(shown.split())}\n"


def _bounds_text(bounds: Bounds) -> str:
    low, high = bounds
    if high is None:
        return f"{low}:*|"
    if low == high:
        return "" if low == 1 else f"{low}|"
    return f"{low}:{high}|"


def _check_distinct(words: list[str], what: str) -> None:
    if len(set(words)) < len(words):
        raise FormatError(f"two {what} have the same text, as 7 and '7', or (1, 2) and '1,2', have")


def _check_weights(
    items: list[Hashable], numbers: array[int], weights: array[int], words: list[str]
) -> None:
    """Raises for an item with a weight whose text is the name of another item."""
    known = set(words)
    for number, weight in dict.fromkeys(zip(numbers, weights, strict=False)):
        text = f"{words[number]}*{weight}"
        if weight > 1 and text in known:
            raise FormatError(
                f"{quote(Times(items[number], weight))} cannot be written as {quote(text)}: "
                "an item has that name"
            )


def _word(value: Hashable, what: str) -> str:
    try:
        text = item_text(value) if isinstance(value, int) or is_cell(value) else value
    except ValueError:  # `str` rejects integers of more than 4300 digits
        raise FormatError(f"{what} {quote(value)} cannot be written: it is too long") from None
    if not isinstance(text, str):
        raise FormatError(
            f"{what} {quote(value)} cannot be written in Knuth's format: only texts, integers "
            f"and tuples of integers can; {JSON_ADVICE}"
        )
    if not text or set(text) & set(":|\0") or len(text.split()) != 1 or text.split()[0] != text:
        raise FormatError(
            f"{what} {quote(text)} cannot be written in Knuth's format: it must not be empty or "
            f"contain white space, ':' or '|'; {JSON_ADVICE}"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FormatError(f"{what} {quote(text)} cannot be written in UTF-8") from None
    return text
