"""JSON: a problem with everything that belongs to it, the names of options included.

::

    {"dlx": 1,
    "primary": ["p", {"item": "q", "low": 2, "high": 3}, ["row", 0]],
    "secondary": ["x"],
    "options": [
    {"name": "first", "items": ["p", ["row", 0], {"item": "x", "color": "A"}], "cost": 5},
    {"items": [{"item": "q", "times": 2}]}
    ]}

`dlx` is the version of the format. Items, colors and names of options are texts, integers, true,
false, null, and tuples of these, which are lists in JSON. An object in the list of items gives a
multiplicity: `low` and `high`, of which `high` may be null for no upper bound. An object in an
option is a color, as in `dlx.colored`, or a weight, as in `dlx.times`. `name` and `cost` may be
missing: then the name is the option's number, counted from 0, and the cost is 0. `secondary` may be
missing as well. The reader refuses any other key, so that a misspelled one is noticed.

The writer puts each option on a line of its own, for programs that compare files.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from dlx.core.color import Colored
from dlx.core.encoding import name_as_json, name_from_json, text_lines
from dlx.core.multiplicity import ONCE
from dlx.core.times import Times
from dlx.errors import DLXError, FormatError, quote

if TYPE_CHECKING:
    from dlx.core.table import ProblemView, Table

__all__ = ["VERSION", "lines", "name_text", "read", "read_name"]

VERSION: Final = 1

DIGITS: Final = 1000
"""The most digits of a number in a file. More are an error."""


# -- reading -------------------------------------------------------------------------------------


def read(table: Table, file: Iterable[str], where: str | None) -> None:
    """Reads lines of text into an empty table. `where` is the file's name, for messages.

    Raises `FormatError`: with the line if the text is not JSON, otherwise with the place in the
    value, such as `options[3].items[0]`. O(size of the file).
    """
    value = _parse("".join(line for _, line in text_lines(file, where)), where)
    try:
        _Reader(table).read(value)
    except FormatError as error:
        raise FormatError(str(error), source=where) from None


def read_name(text: str) -> Hashable:
    """The name that `name_text` wrote. Raises `FormatError`.

    >>> read_name('["F", [0, 1]]')
    ('F', (0, 1))
    """
    try:
        value = _parse(text, None)
    except FormatError as error:
        raise FormatError(f"{quote(text.strip())} is not a name in JSON: {error}") from None
    return _name_at("the name", value)


class _LongNumber:
    """An integer in a file that has too many digits; the reader refuses it where it is used."""

    def __init__(self, digits: str) -> None:
        self.digits = len(digits)

    def __repr__(self) -> str:
        return f"(an integer of {self.digits} digits)"


def _integer(digits: str) -> int | _LongNumber:
    return int(digits) if len(digits) <= DIGITS else _LongNumber(digits)


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object. Raises `FormatError` for a key that it has twice: Python would drop the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise FormatError(f"an object has the key {quote(key)} twice")
            seen.add(key)
    return found


def _parse(text: str, where: str | None) -> Any:
    try:
        return json.loads(
            text.removeprefix("\ufeff"), parse_int=_integer, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as error:
        message = f"this is not JSON: {error.msg}, at character {error.colno}"
        raise FormatError(message, line=error.lineno, source=where) from None
    except RecursionError:
        raise FormatError("lists and objects are nested too deep", source=where) from None
    except FormatError as error:
        raise FormatError(str(error), source=where) from None


class _Reader:
    """Reads a value that `json.loads` returned into a table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read(self, value: Any) -> None:
        if not isinstance(value, dict) or "dlx" not in value:
            raise FormatError(
                f"this is JSON, but not a problem: that is an object that begins with "
                f'{{"dlx": {VERSION}'
            )
        version = value["dlx"]
        if type(version) is not int or version != VERSION:
            raise FormatError(
                f"dlx is {quote(version)}; this version of dlxkit reads version {VERSION} "
                "of the format"
            )
        _check_keys("the problem", value, ("dlx", "primary", "options"), ("secondary",))
        for key in ("primary", "secondary"):
            for place, item in enumerate(_list_at(key, value.get(key, []))):
                self._read_item(f"{key}[{place}]", item, secondary=key == "secondary")
        for place, option in enumerate(_list_at("options", value["options"])):
            self._read_option(f"options[{place}]", option)

    def _read_item(self, where: str, value: Any, *, secondary: bool) -> None:
        multiplicity: Any = 1
        if isinstance(value, dict):
            _check_keys(where, value, ("item", "low", "high"), ())
            multiplicity = (
                _integer_at(f"{where}.low", value["low"]),
                None if value["high"] is None else _integer_at(f"{where}.high", value["high"]),
            )
            value, of = value["item"], f"{where}.item"
        else:
            of = where
        item = _name_at(of, value)
        try:
            self._table.add_item(item, secondary=secondary, multiplicity=multiplicity)
        except DLXError as error:
            raise FormatError(f"{where}: {error}") from None

    def _read_option(self, where: str, value: Any) -> None:
        if not isinstance(value, dict):
            _refuse(where, value, 'an object such as {"items": ["a", "b"]}')
        _check_keys(where, value, ("items",), ("name", "cost"))
        entries = [
            _entry_at(f"{where}.items[{place}]", entry)
            for place, entry in enumerate(_list_at(f"{where}.items", value["items"]))
        ]
        name = _name_at(f"{where}.name", value["name"]) if "name" in value else None
        cost = _integer_at(f"{where}.cost", value["cost"]) if "cost" in value else 0
        try:
            self._table.add_option(entries, name, cost)
        except DLXError as error:
            raise FormatError(f"{where}: {error}") from None


def _entry_at(where: str, value: Any) -> Hashable:
    """An entry of an option: an item, or an object with its color or its weight."""
    if not isinstance(value, dict):
        return _name_at(where, value)
    kind = "times" if "times" in value else "color"
    _check_keys(where, value, ("item", kind), ())
    item = _name_at(f"{where}.item", value["item"])
    if kind == "times":
        return Times(item, _integer_at(f"{where}.times", value["times"]))
    return Colored(item, _name_at(f"{where}.color", value["color"]))


def _name_at(where: str, value: Any) -> Hashable:
    try:
        _check_text(value)
        return name_from_json(value)
    except (TypeError, RecursionError) as error:
        raise FormatError(f"{where} is {quote(value)}; {error}") from None


def _check_text(value: Any) -> None:
    """Raises `TypeError` for a text with a lone surrogate, which no file can hold."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise TypeError("it has half of a surrogate pair, which is no character") from None
    elif isinstance(value, list):
        for part in value:
            _check_text(part)


def _integer_at(where: str, value: Any) -> int:
    if type(value) is not int:
        _refuse(where, value, f"an integer of at most {DIGITS} digits")
    return value


def _list_at(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        _refuse(where, value, "a list")
    return value


def _refuse(where: str, value: Any, wanted: str) -> NoReturn:
    raise FormatError(f"{where} is {quote(value)}; it must be {wanted}")


def _check_keys(
    where: str, value: Mapping[str, Any], needed: Sequence[str], others: Sequence[str]
) -> None:
    """Raises `FormatError` unless the object has all keys that it needs, and no unknown ones."""
    known = ", ".join([*needed, *others])
    for key in value:
        if key not in needed and key not in others:
            raise FormatError(f"{where} has the unknown key {quote(key)}; it may have {known}")
    for key in needed:
        if key not in value:
            raise FormatError(f"{where} has no {quote(key)}; it must have {', '.join(needed)}")


# -- writing -------------------------------------------------------------------------------------


def lines(problem: ProblemView) -> Iterator[str]:
    """The lines of the file, with line ends. Raises before the first line if any is impossible."""
    return iter(list(_lines(problem)))


def _lines(problem: ProblemView) -> Iterator[str]:
    yield f'{{"dlx": {VERSION},\n'
    primary = [_item_value(item, problem.multiplicity_of(item)) for item in problem.primary]
    yield f'"primary": {_text(primary)},\n'
    secondary = [_value("item", item) for item in problem.secondary]
    if secondary:
        yield f'"secondary": {_text(secondary)},\n'
    last = len(problem) - 1
    yield '"options": [\n' if last >= 0 else '"options": ['
    rows = zip(problem.names, problem.options, problem.costs, strict=True)
    for index, (name, option, cost) in enumerate(rows):
        value: dict[str, Any] = {}
        if type(name) is not int or name != index:
            value["name"] = _value("the option's name", name)
        value["items"] = [_entry_value(entry) for entry in option]
        if cost:
            value["cost"] = cost
        yield f"{_text(value)}{',' if index < last else ''}\n"
    yield "]}\n"


def name_text(name: Hashable) -> str:
    """The name of an option in JSON, on one line. Raises `FormatError` if JSON cannot hold it.

    >>> name_text(("F", (0, 1)))
    '["F", [0, 1]]'
    """
    return _text(_value("the option's name", name))


def _item_value(item: Hashable, bounds: tuple[int, int | None]) -> Any:
    value = _value("item", item)
    if bounds == ONCE:
        return value
    return {"item": value, "low": bounds[0], "high": bounds[1]}


def _entry_value(entry: Hashable) -> Any:
    if isinstance(entry, Colored):
        return {"item": _value("item", entry.item), "color": _value("color", entry.color)}
    if isinstance(entry, Times):
        return {"item": _value("item", entry.item), "times": entry.weight}
    return _value("item", entry)


def _value(what: str, name: Hashable) -> Any:
    try:
        value = name_as_json(name)
        _check_text(value)
        _check_digits(value)
    except (FormatError, TypeError) as error:
        raise FormatError(f"{what} {quote(name)} cannot be written: {error}") from None
    return value


def _check_digits(value: Any) -> None:
    """Raises `TypeError` for an integer that the reader would refuse."""
    if isinstance(value, int) and abs(value) >= 10**DIGITS:
        raise TypeError(f"an integer of more than {DIGITS} digits")
    if isinstance(value, list):
        for part in value:
            _check_digits(part)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
