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
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NoReturn

from dlx.core.encoding import name_as_json, name_from_json, text_lines
from dlx.core.entries import Colored, Times
from dlx.core.multiplicity import ONCE
from dlx.errors import DLXError, FormatError, did_you_mean, quote

if TYPE_CHECKING:
    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = ["VERSION", "entry_value", "lines", "name_text", "name_value", "read", "read_name"]

VERSION: Final = 1

DIGITS: Final = 1000
"""The most digits of a number in a file. More are an error."""

LARGEST: Final = 10**DIGITS


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
    text = text.removeprefix("\ufeff")
    try:
        try:
            return json.loads(text, object_pairs_hook=_unique)
        except (json.JSONDecodeError, FormatError):
            raise
        except ValueError:  # an integer of more digits than Python reads
            return json.loads(text, object_pairs_hook=_unique, parse_int=_integer)
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
        self._read_options(_list_at("options", value["options"]))

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

    def _read_options(self, values: list[Any]) -> None:
        costs: list[int] = []
        table = self._table
        try:
            table.extend(map(_option_at, range(len(values)), values, repeat(costs)), named=True)
        except FormatError:
            raise
        except DLXError as error:
            raise FormatError(f"options[{len(table)}]: {error}") from None
        try:
            table.check_weights()
            if any(costs):
                table.set_costs(costs)
        except DLXError as error:  # it names the option
            raise FormatError(str(error)) from None


def _option_at(place: int, value: Any, costs: list[int]) -> tuple[Hashable, list[Hashable]]:
    """The name and the entries of an option; appends its cost to the list."""
    where = f"options[{place}]"
    if not isinstance(value, dict):
        _refuse(where, value, 'an object such as {"items": ["a", "b"]}')
    _check_keys(where, value, ("items",), ("name", "cost"))
    entries = [
        _entry_at(f"{where}.items[{number}]", entry)
        for number, entry in enumerate(_list_at(f"{where}.items", value["items"]))
    ]
    costs.append(_integer_at(f"{where}.cost", value["cost"]) if "cost" in value else 0)
    return (_name_at(f"{where}.name", value["name"]) if "name" in value else None), entries


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
    if _is_plain(value):
        return tuple(value) if type(value) is list else value
    try:
        try:
            _check_parts(value)
            return name_from_json(value)
        except TypeError as error:
            raise FormatError(f"{where} is {quote(value)}; {error}") from None
    except RecursionError:  # of these functions, or of `repr`
        raise FormatError(f"{where} has lists that are nested too deep") from None


def _is_plain(value: Any) -> bool:
    """Whether a value is a name that needs no further check: the common ones, found fast."""
    if type(value) is list:
        return all(type(part) is not list and _is_plain(part) for part in value)
    if type(value) is int:
        return -LARGEST < value < LARGEST
    return type(value) is str and value.isascii()


def _check_parts(value: Any) -> None:
    """Raises `TypeError` for a part that no file can hold: half a character, too many digits."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise TypeError("it has half of a surrogate pair, which is no character") from None
    elif isinstance(value, int) and not -LARGEST < value < LARGEST:
        raise TypeError(f"an integer has at most {DIGITS} digits")
    elif isinstance(value, list):
        for part in value:
            _check_parts(part)


def _integer_at(where: str, value: Any) -> int:
    if type(value) is not int or not -LARGEST < value < LARGEST:
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
            hint = did_you_mean(key, [*needed, *others]) or f"; it may have {known}"
            raise FormatError(f"{where} has the unknown key {quote(key)}{hint}")
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
    texts: dict[Hashable, str] = {}  # of items and entries that have been written
    rows = zip(problem.names, problem.options, problem.costs, strict=True)
    for index, (name, option, cost) in enumerate(rows):
        words = [texts.get(entry) or _entry_text(entry, texts) for entry in option]
        named = "" if type(name) is int and name == index else f'"name": {name_text(name)}, '
        priced = f', "cost": {cost}' if cost else ""
        end = "," if index < last else ""
        yield f'{{{named}"items": [{", ".join(words)}]{priced}}}{end}\n'
    yield "]}\n"


def name_text(name: Hashable) -> str:
    """The name of an option in JSON, on one line. Raises `FormatError` if JSON cannot hold it.

    >>> name_text(("F", (0, 1)))
    '["F", [0, 1]]'
    """
    return _text(name_value(name))


def name_value(name: Hashable) -> Any:
    """The name of an option as a value that `json.dumps` takes. Raises `FormatError`."""
    return _value("the option's name", name)


def _item_value(item: Hashable, bounds: tuple[int, int | None]) -> Any:
    value = _value("item", item)
    if bounds == ONCE:
        return value
    return {"item": value, "low": bounds[0], "high": bounds[1]}


def _entry_text(entry: Hashable, texts: dict[Hashable, str]) -> str:
    """The text of an option's entry; keeps it in `texts`."""
    texts[entry] = _text(entry_value(entry))
    return texts[entry]


def entry_value(entry: Hashable) -> Any:
    """An option's entry as a value that `json.dumps` takes. Raises `FormatError` if there is none.

    >>> entry_value(("row", 0)), entry_value(Colored("x", "A")), entry_value(Times("q", 2))
    (['row', 0], {'item': 'x', 'color': 'A'}, {'item': 'q', 'times': 2})
    """
    if isinstance(entry, Colored):
        return {"item": _value("item", entry.item), "color": _value("color", entry.color)}
    if isinstance(entry, Times):
        return {"item": _value("item", entry.item), "times": entry.weight}
    return _value("item", entry)


def _value(what: str, name: Hashable) -> Any:
    plain = [*name] if type(name) is tuple else name
    if _is_plain(plain):
        return plain
    try:
        value = name_as_json(name)
        _check_parts(value)
    except (FormatError, TypeError) as error:
        raise FormatError(f"{what} {quote(name)} cannot be written: {error}") from None
    return value


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)  # `json.dumps` makes one in each call


def _text(value: Any) -> str:
    """JSON in which characters that are not printable have JSON's escapes."""
    text = _ENCODER.encode(value)
    return text if text.isprintable() else json.dumps(value).replace("\x7f", "\\u007f")
