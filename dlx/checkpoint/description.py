"""What a journal is for: which problem, and the arguments of the search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from dlx.checkpoint import values
from dlx.core.part import Part
from dlx.engines.registry import IN_ORDER
from dlx.errors import counted
from dlx.links.heuristics import HEURISTICS

__all__ = ["JournalDescription"]

KEYWORDS = ("given", "limit", "seed", "engine", "heuristic", "distinct", "part")


class JournalDescription(NamedTuple):
    """A problem and the arguments of a search. Equal descriptions have the same answer.

    kind
        "solutions" or "count".
    fingerprint, names
        Fingerprint of the problem (see `dlx.checkpoint.problems`), and SHA-256 of its names; None
        if no file can hold them.
    given
        Indices of options.
    limit, seed, engine, heuristic, part
        As in `Problem.solutions`.
    distinct
        "all" if the search returns one solution of each class of symmetric ones, under all
        symmetries; a digest of the generators, if under others; None for all solutions.
    """

    kind: str
    fingerprint: str
    names: str | None
    given: tuple[int, ...] = ()
    limit: int | None = None
    seed: int | None = None
    engine: str = "auto"
    heuristic: str = "mrv"
    part: Part = Part()
    distinct: str | None = None

    def to_json(self) -> str:
        """All fields as one line of JSON; without `distinct` if it is None, as once before."""
        found = self._asdict()
        if self.distinct is None:
            del found["distinct"]
        return json.dumps(found)

    @classmethod
    def from_json(cls, data: bytes) -> JournalDescription:
        """Reads what `to_json` wrote. Raises `DamagedJournal` if it is not valid."""
        what = "its description"
        found = values.json_value(data, what)
        if isinstance(found, dict):
            found = {"distinct": None} | found
        found = values.fields(found, cls._fields, what)
        path, floor = values.list_of(found["part"], "part", 2)
        names, limit, seed = found["names"], found["limit"], found["seed"]
        return cls(
            kind=values.choice(found["kind"], ("solutions", "count"), "the kind of its search"),
            fingerprint=values.text(found["fingerprint"], "fingerprint"),
            names=None if names is None else values.text(names, "names"),
            given=tuple(
                values.integer(index, "a given option", None, None)
                for index in values.list_of(found["given"], "given")
            ),
            limit=None if limit is None else values.integer(limit, "limit", 0, None),
            seed=None if seed is None else values.integer(seed, "seed", None, None),
            engine=values.choice(found["engine"], IN_ORDER, "engine"),
            heuristic=values.choice(found["heuristic"], HEURISTICS, "heuristic"),
            part=values.part(values.list_of(path, "part"), floor, "part"),
            distinct=(
                None if found["distinct"] is None else values.text(found["distinct"], "distinct")
            ),
        )

    def difference(self, wanted: JournalDescription) -> str | None:
        """Says in words how this differs from the description `wanted`; None if they are equal.

        >>> one = JournalDescription("count", "ab12", None)
        >>> one.difference(one._replace(seed=3, limit=5))
        'of count(limit=None, seed=None), not of count(limit=5, seed=3)'
        """
        if self.fingerprint != wanted.fingerprint:
            return "of another problem"
        if not self.is_of_same_problem(wanted):
            return "of another problem: one of the same shape, with other names"
        changed = [name for name in KEYWORDS if getattr(self, name) != getattr(wanted, name)]
        if not changed and self.kind == wanted.kind:
            return None
        return f"of {self.as_call(changed)}, not of {wanted.as_call(changed)}"

    def is_of_same_problem(self, other: JournalDescription) -> bool:
        """Do both have the same problem, as far as is known? Names may be unknown."""
        same_names = None in (self.names, other.names) or self.names == other.names
        return self.fingerprint == other.fingerprint and same_names

    def as_call(self, fields: Sequence[str] | None = None) -> str:
        """The call in Python with these keywords; by default all, without a `part` of the whole.

        >>> JournalDescription("count", "ab12", None, part=Part(((0, 2),), 1)).as_call()[-52:]
        "heuristic='mrv', part=Part(path=((0, 2),), floor=1))"
        """
        if fields is None:
            fields = KEYWORDS[:-1] if self.part == Part() else KEYWORDS
            if self.distinct is None:
                fields = [name for name in fields if name != "distinct"]
        shown = []
        for name in fields:
            value = getattr(self, name)
            if name == "distinct":
                shown.append(f"distinct={_distinct_text(value)}")
                continue
            if name == "given" and len(value) > 8:
                shown.append(f"given=<{counted(len(value), 'option')}>")
            else:
                shown.append(f"{name}={list(value) if name == 'given' else value!r}")
        return f"{self.kind}({', '.join(shown)})"


def _distinct_text(distinct: str | None) -> str:
    """The argument that this field describes, as in a call."""
    if distinct in (None, "all"):
        return str(distinct == "all")
    return f"<symmetries {distinct[:8]}>" if distinct else "False"
