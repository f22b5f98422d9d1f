"""What is in the tables of a journal, and how damage to it is noticed.

::

    facts     name, value, digest                what never changes: "question", "problem", "made"
    state     value, digest                      one row: the totals, as JSON
    parts     prefix, number, part               what is left; the place is `place(prefix, number)`
    slices    id, place, options, lengths, digest    solutions found, in the order of recording

Options are indices, 32 bits each, the least significant byte first; `lengths` says how many of
them each solution has. A slice without solutions has no row. Journals of counts have no slices.

SQLite notices damage to its own structure only. So each value has its SHA-256 beside it, and the
state has two sums, modulo 2**256: of the digests of all parts and of all slices. They change with
every row that comes or goes at the price of that row alone, and show when one is wrong, missing or
there twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.formats.columns import from_little_endian
from dlx.journals.places import place
from dlx.kernel import Pack

if TYPE_CHECKING:
    from sqlite3 import Connection

    from dlx.engines import RawStats
    from dlx.parallel.part import Part

__all__ = [
    "APPLICATION",
    "Damage",
    "Left",
    "SCHEMA",
    "State",
    "VERSION",
    "check_all",
    "check_slice",
    "digest_of",
    "part_from_json",
    "part_to_json",
    "read_fact",
    "read_parts",
    "read_state",
    "unpacked",
]

APPLICATION = 0x444C584A  # "DLXJ", in the header of the file
VERSION = 1

SCHEMA = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB, digest BLOB)",
    "CREATE TABLE state (id INTEGER PRIMARY KEY, value BLOB, digest BLOB)",
    "CREATE TABLE parts (prefix BLOB PRIMARY KEY, number INTEGER, part BLOB)",
    "CREATE TABLE slices (id INTEGER PRIMARY KEY, place BLOB UNIQUE, options BLOB, lengths BLOB,"
    " digest BLOB)",
)
MODULUS = 2**256


class Damage(Exception):
    """What is wrong with the contents of a journal."""


class Left(NamedTuple):
    """A part that is left, and where it belongs."""

    prefix: bytes
    number: int
    part: Part

    @property
    def place(self) -> bytes:
        """Before the places of what comes later in visiting order."""
        return place(self.prefix, self.number)

    @property
    def digest(self) -> int:
        """That of its row."""
        return digest_of(self.place, part_to_json(self.part))


class State(NamedTuple):
    """The totals of all that was done.

    stats
        Nodes, updates, solutions, profile and seconds of work.
    slices, parts_done
        How many pieces of work were done, and how many of them finished their part.
    runs, elapsed
        How many runs have worked on it, and for how many seconds, in all.
    parts_sum, slices_sum
        Of the digests of all rows of those tables.
    """

    stats: RawStats = (0, 0, 0, [], 0.0)
    slices: int = 0
    parts_done: int = 0
    runs: int = 0
    elapsed: float = 0.0
    parts_sum: int = 0
    slices_sum: int = 0

    def to_json(self) -> bytes:
        """As it is in the row."""
        sums = {"parts_sum": hex(self.parts_sum), "slices_sum": hex(self.slices_sum)}
        return json.dumps({**self._asdict(), **sums}).encode()

    @classmethod
    def from_json(cls, data: bytes) -> State:
        """The state that was written so. Raises `Damage` if it is none."""
        try:
            fields = json.loads(data)
            nodes, updates, solutions, profile, seconds = fields["stats"]
            fields["stats"] = (nodes, updates, solutions, profile, float(seconds))
            for name in ("parts_sum", "slices_sum"):
                fields[name] = int(fields[name], 16)
            return cls(**fields)
        except (ValueError, TypeError, KeyError):
            raise Damage("its totals make no sense") from None


def digest_of(*fields: bytes) -> int:
    """A number for a row: its SHA-256, with the lengths of the fields in it."""
    digest = sha256(json.dumps([len(field) for field in fields]).encode())
    for field in fields:
        digest.update(field)
    return int.from_bytes(digest.digest(), "little")


def part_to_json(part: Part) -> bytes:
    """A part as it is in its row."""
    return json.dumps([part.floor, *part.path], separators=(",", ":")).encode()


def part_from_json(data: bytes) -> Part:
    """The part that was written so. Raises `Damage` if it is none."""
    from dlx.parallel.part import Part

    try:
        floor, *decisions = json.loads(data)
        path = tuple((item, option) for item, option in decisions)
    except (ValueError, TypeError):
        raise Damage("a part makes no sense") from None
    numbers = [floor, *(number for decision in path for number in decision)]
    if not all(type(number) is int for number in numbers) or not 0 <= floor <= len(path):
        raise Damage("a part makes no sense")
    return Part(path, floor)


# -- reading -------------------------------------------------------------------------------------


def read_fact(connection: Connection, name: str) -> bytes:
    """A fact. Raises `Damage` if it is missing or not what was written."""
    row = connection.execute("SELECT value, digest FROM facts WHERE name = ?", (name,)).fetchone()
    return _checked(row, f"its {name}")


def read_state(connection: Connection) -> State:
    """The totals, checked by their digest."""
    row = connection.execute("SELECT value, digest FROM state WHERE id = 1").fetchone()
    return State.from_json(_checked(row, "the row of its totals"))


def read_parts(connection: Connection, state: State) -> list[Left]:
    """What is left, in visiting order, checked against the sum."""
    left = []
    for prefix, number, data in connection.execute("SELECT prefix, number, part FROM parts"):
        if not (type(prefix) is bytes and type(number) is int and type(data) is bytes):
            raise Damage("a part makes no sense")
        if not 0 <= number < 2**62:
            raise Damage("a part makes no sense")
        left.append(Left(prefix, number, part_from_json(data)))
    if sum(entry.digest for entry in left) % MODULUS != state.parts_sum:
        raise Damage("the parts that are left do not match their checksum")
    return sorted(left, key=lambda entry: entry.place)


def check_all(connection: Connection) -> None:
    """Reads every row there is. Raises `Damage` if anything is not what was written."""
    from sqlite3 import OperationalError

    schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
    if sorted(connection.execute(schema)) != sorted((line,) for line in SCHEMA):
        raise Damage("its tables are not those of a journal")
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != ("ok",):
        raise Damage(f"SQLite says: {found[0] if found else 'nothing'}")
    state = read_state(connection)
    read_parts(connection, state)
    for name in ("question", "problem", "made"):
        read_fact(connection, name)
    total = 0
    try:
        for row in connection.execute("SELECT place, options, lengths, digest FROM slices"):
            total += check_slice(row)
    except OperationalError as error:  # a text that is none
        raise Damage(str(error)) from None
    if total % MODULUS != state.slices_sum:
        raise Damage("the solutions do not match their checksum")


def check_slice(row: Iterable[Any]) -> int:
    """The digest of a row of slices. Raises `Damage` if it is not that beside it."""
    *fields, digest = row
    if not all(type(field) is bytes for field in (*fields, digest)):
        raise Damage("a row of solutions makes no sense")
    number = digest_of(*fields)
    if number.to_bytes(32, "little") != digest:
        raise Damage("solutions do not match their checksum")
    return number


def unpacked(options: bytes, lengths: bytes, count: int) -> Pack:
    """The solutions of a row, whose options are numbered below `count`, for this machine."""
    try:
        numbers = from_little_endian("i", options)
        pack = Pack(numbers.tobytes(), from_little_endian("i", lengths).tobytes())
    except ValueError as error:
        raise Damage(f"a row of solutions makes no sense: {error}") from None
    if numbers and not 0 <= min(numbers) <= max(numbers) < count:
        raise Damage("a solution has an option that there is not")
    return pack


def _checked(row: tuple[Any, Any] | None, what: str) -> bytes:
    if row is None:
        raise Damage(f"{what} is missing")
    value, digest = row
    if type(value) is not bytes or sha256(value).digest() != digest:
        raise Damage(f"{what} does not match its checksum")
    return value
