"""The tables of a journal: schema, reading, and checks for damage.

::

    facts     name, value, digest                never change: "question", "problem", "made"
    state     id, value, digest                  1: the totals, as JSON; 2: see below
    parts     prefix, number, part               what is left; its key is `sort_key(prefix, number)`
    slices    id, place, options, lengths, digest    solutions found, in the order of recording

`place` is a sort key (see `dlx.checkpoint.sort_keys`). Options are indices of 32 bits each, the
least significant byte first; `lengths` has the number of options of each solution. A slice without
solutions has no row. The journal of a count has no slices.

The journal of a `minimum` has one part, the whole, until it is finished; one slice with the best
solutions so far, the best first; and in row 2 of `state` what else is known: see `RankingState`.

SQLite notices damage to its own structure only. So each value has its SHA-256 beside it. The state
also has two sums, modulo 2**256: of the digests of all parts, and of all slices. Updating a sum
costs only the rows that change. A sum shows when a row is wrong, missing or there twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.checkpoint import values
from dlx.checkpoint.description import JournalDescription
from dlx.checkpoint.sort_keys import sort_key
from dlx.checkpoint.values import DamagedJournal
from dlx.core.encoding import from_little_endian
from dlx.core.kernel import Pack
from dlx.core.stats import NO_STATS, Stats
from dlx.errors import quote

if TYPE_CHECKING:
    from sqlite3 import Connection

    from dlx.core.part import Part

__all__ = [
    "APPLICATION",
    "JournalTotals",
    "RankingState",
    "RemainingPart",
    "SCHEMA",
    "VERSION",
    "VERSIONS",
    "bytes_of",
    "check_all",
    "check_schema",
    "check_slice",
    "digest_of",
    "part_from_json",
    "part_to_json",
    "read_description",
    "read_fact",
    "read_parts",
    "read_ranking",
    "read_state",
    "unpacked",
]

APPLICATION = 0x444C584A  # "DLXJ", in the header of the file
VERSIONS = (1, 2)  # 2 only for a `minimum` or `maximum`
VERSION = VERSIONS[-1]

SCHEMA = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB, digest BLOB)",
    "CREATE TABLE state (id INTEGER PRIMARY KEY, value BLOB, digest BLOB)",
    "CREATE TABLE parts (prefix BLOB PRIMARY KEY, number INTEGER, part BLOB)",
    "CREATE TABLE slices (id INTEGER PRIMARY KEY, place BLOB UNIQUE, options BLOB, lengths BLOB,"
    " digest BLOB)",
)
EXPECTED = {
    *(("table", line.split()[2], line) for line in SCHEMA),
    *(("index", f"sqlite_autoindex_{table}_1", None) for table in ("facts", "parts", "slices")),
}
"""Type, name and SQL of all entries in the schema of a journal."""
MODULUS = 2**256
SUM = re.compile("0x[0-9a-f]{1,64}")
LENGTH = 4  # bytes of an entry of `lengths`
LEAST_ROW = 8  # bytes of the smallest row of `parts`


class RemainingPart(NamedTuple):
    """A part that is left, with the fields of its sort key."""

    prefix: bytes
    number: int
    part: Part

    @property
    def sort_key(self) -> bytes:
        """Less than the sort keys of all that comes later in visiting order."""
        return sort_key(self.prefix, self.number)

    @property
    def digest(self) -> int:
        """The digest of its row."""
        return digest_of(self.sort_key, part_to_json(self.part))


class JournalTotals(NamedTuple):
    """The totals of all runs.

    stats
        Nodes, updates, solutions, profile and seconds of work.
    slices, parts_done
        How many results were recorded, and how many of them finished their part.
    runs, elapsed
        Number of runs, and their seconds on the clock.
    parts_sum, slices_sum
        Sums of the digests of all rows of those tables, modulo 2**256.
    """

    stats: Stats = NO_STATS
    slices: int = 0
    parts_done: int = 0
    runs: int = 0
    elapsed: float = 0.0
    parts_sum: int = 0
    slices_sum: int = 0

    def to_json(self) -> bytes:
        """The totals as stored in the row of `state`."""
        sums = {"parts_sum": hex(self.parts_sum), "slices_sum": hex(self.slices_sum)}
        return json.dumps({**self._asdict(), "stats": self.stats[:5], **sums}).encode()

    @classmethod
    def from_json(cls, data: bytes) -> JournalTotals:
        """Reads totals that `to_json` wrote. Raises `DamagedJournal` if they are not valid."""
        what = "its totals"
        found = values.fields(values.json_value(data, what), cls._fields, what)
        nodes, updates, solutions, profile, worked = values.list_of(found["stats"], what, 5)
        levels = (values.count(number, what) for number in values.list_of(profile, what))
        work = Stats(
            values.count(nodes, what),
            values.count(updates, what),
            values.count(solutions, what),
            tuple(levels),
            values.seconds(worked, what),
        )
        return cls(
            stats=work,
            slices=values.count(found["slices"], what),
            parts_done=values.count(found["parts_done"], what),
            runs=values.count(found["runs"], what),
            elapsed=values.seconds(found["elapsed"], what),
            parts_sum=_sum(found["parts_sum"], what),
            slices_sum=_sum(found["slices_sum"], what),
        )


class RankingState(NamedTuple):
    """What the journal of a `minimum` or `maximum` knows besides the best solutions.

    best, bound
        The best cost so far and the bound of all other solutions, as text; None if unknown.
    gap
        How far the last solution is from the bound (see `dlx.Ranking`); None if that is unknown.
    saved
        The state of the engine, which nothing but the engine understands.
    """

    best: str | None = None
    bound: str | None = None
    gap: float | None = None
    saved: bytes = b""

    def to_bytes(self) -> bytes:
        """The value of its row: one line of JSON, followed by the state of the engine."""
        known = {"best": self.best, "bound": self.bound, "gap": self.gap}
        return json.dumps(known).encode() + b"\n" + self.saved

    @classmethod
    def from_bytes(cls, data: bytes) -> RankingState:
        """Reads what `to_bytes` returned. Raises `DamagedJournal` if it is not valid."""
        what = "what is known of the best solutions"
        line, _, saved = data.partition(b"\n")
        found = values.fields(values.json_value(line, what), ("best", "bound", "gap"), what)
        best, bound = (
            None if found[name] is None else values.text(found[name], what)
            for name in ("best", "bound")
        )
        gap = None if found["gap"] is None else values.number(found["gap"], what)
        return cls(best, bound, gap, saved)


def _sum(value: object, what: str) -> int:
    if SUM.fullmatch(values.text(value, what)) is None:
        raise DamagedJournal(f"{what} cannot be read")
    return int(str(value), 16)


def digest_of(*fields: bytes) -> int:
    """The digest of a row as a number: the SHA-256 of the lengths of its fields, and the fields."""
    digest = sha256(json.dumps([len(field) for field in fields]).encode())
    for field in fields:
        digest.update(field)
    return int.from_bytes(digest.digest(), "little")


def part_to_json(part: Part) -> bytes:
    """A part as stored in its row of `parts`."""
    return json.dumps([part.floor, *part.path], separators=(",", ":")).encode()


def part_from_json(data: bytes) -> Part:
    """Reads a part that `part_to_json` wrote. Raises `DamagedJournal` if it is not valid."""
    numbers = values.list_of(values.json_value(data, "a part"), "a part")
    if not numbers:
        raise DamagedJournal("a part cannot be read")
    return values.part(numbers[1:], numbers[0], "a part")


# -- reading -------------------------------------------------------------------------------------


def read_fact(connection: Connection, name: str) -> bytes:
    """Reads the value of a fact. Raises `DamagedJournal` if it is missing or damaged."""
    row = connection.execute("SELECT value, digest FROM facts WHERE name = ?", (name,)).fetchone()
    return _checked(row, f"its {name}")


def read_description(connection: Connection) -> JournalDescription:
    """Reads which problem and arguments the journal is for: the fact "question"."""
    return JournalDescription.from_json(read_fact(connection, "question"))


def read_state(connection: Connection) -> JournalTotals:
    """Reads the totals, checked by their digest."""
    row = connection.execute("SELECT value, digest FROM state WHERE id = 1").fetchone()
    return JournalTotals.from_json(_checked(row, "the row of its totals"))


def read_ranking(connection: Connection) -> RankingState:
    """Reads what the journal of a `minimum` knows, checked by its digest."""
    row = connection.execute("SELECT value, digest FROM state WHERE id = 2").fetchone()
    return RankingState.from_bytes(_checked(row, "the row of what is known"))


def read_parts(connection: Connection, state: JournalTotals) -> list[RemainingPart]:
    """Reads what is left, in visiting order, checked against the sum of digests."""
    left: list[RemainingPart] = []
    keys: set[bytes] = set()
    most = bytes_of(connection) // LEAST_ROW  # SQLite may read damaged pages again and again
    for prefix, number, data in connection.execute("SELECT prefix, number, part FROM parts"):
        if not (type(prefix) is bytes and type(data) is bytes) or len(left) >= most:
            raise DamagedJournal("a part cannot be read")
        left.append(
            RemainingPart(
                prefix, values.count(number, "the number of a part"), part_from_json(data)
            )
        )
        keys.add(left[-1].sort_key)
    if sum(entry.digest for entry in left) % MODULUS != state.parts_sum:
        raise DamagedJournal("the parts that are left do not match their checksum")
    if len({entry.part for entry in left}) < len(left) or len(keys) < len(left):
        raise DamagedJournal("a part is there twice")
    return sorted(left, key=lambda entry: entry.sort_key)


def bytes_of(connection: Connection) -> int:
    """The size of the file, as the transaction sees it."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(size)


def check_schema(connection: Connection) -> None:
    """Raises `DamagedJournal` if the schema has anything but the tables of a journal.

    It is called before anything else is read. If a table were a view or had computed columns,
    reading it would run expressions from the file, perhaps without end.
    """
    query = f"SELECT type, name, sql FROM sqlite_schema LIMIT {len(EXPECTED) + 1}"
    found = connection.execute(query).fetchall()
    for kind, name, sql in found:
        if (kind, name, sql) not in EXPECTED:
            raise DamagedJournal(
                f"its tables are not those of a journal: {quote(kind)} {quote(name)}"
            )
    if len(found) != len(EXPECTED):
        raise DamagedJournal("its tables are not those of a journal")


def check_all(connection: Connection) -> None:
    """Reads and checks every row. Raises `DamagedJournal` if anything is damaged."""
    check_schema(connection)
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != ("ok",):
        raise DamagedJournal(f"SQLite says: {found[0] if found else 'nothing'}")
    state = read_state(connection)
    read_parts(connection, state)
    description = read_description(connection)
    for name in ("problem", "made"):
        read_fact(connection, name)
    total = solutions = 0
    for row in connection.execute("SELECT place, options, lengths, digest FROM slices"):
        total += check_slice(row)
        solutions += len(row[2]) // LENGTH
    if total % MODULUS != state.slices_sum:
        raise DamagedJournal("the solutions do not match their checksum")
    if description.is_ranking:
        read_ranking(connection)
        if solutions > description.k:
            raise DamagedJournal("it has more solutions than were wanted")
    elif solutions != (0 if description.kind == "count" else state.stats.solutions):
        raise DamagedJournal("its totals do not match its solutions")


def check_slice(row: Iterable[Any]) -> int:
    """The digest of a row of `slices`. Raises `DamagedJournal` if it is not the stored one."""
    *fields, digest = row
    if not all(type(field) is bytes for field in (*fields, digest)):
        raise DamagedJournal("a row of solutions cannot be read")
    number = digest_of(*fields)
    if number.to_bytes(32, "little") != digest:
        raise DamagedJournal("solutions do not match their checksum")
    return number


def unpacked(options: bytes, lengths: bytes, count: int) -> Pack:
    """The solutions of a row, in the byte order of this machine.

    Raises `DamagedJournal` if an option is not below `count`.
    """
    try:
        numbers = from_little_endian("i", options)
        pack = Pack(numbers.tobytes(), from_little_endian("i", lengths).tobytes())
    except ValueError as error:
        raise DamagedJournal(f"a row of solutions cannot be read: {error}") from None
    if numbers and not 0 <= min(numbers) <= max(numbers) < count:
        raise DamagedJournal("a solution has an option that does not exist")
    return pack


def _checked(row: tuple[Any, Any] | None, what: str) -> bytes:
    if row is None:
        raise DamagedJournal(f"{what} is missing")
    value, digest = row
    if type(value) is not bytes or sha256(value).digest() != digest:
        raise DamagedJournal(f"{what} does not match its checksum")
    return value
