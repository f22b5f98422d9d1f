"""What a journal is for: which problem, and the arguments of the search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from dlx.checkpoint import values
from dlx.core.part import Part
from dlx.engines.registry import IN_ORDER, KEPT_RANKINGS
from dlx.errors import counted
from dlx.links.heuristics import HEURISTICS

__all__ = ["JournalDescription", "RANKINGS"]

RANKINGS = ("minimum", "maximum")
NOUNS = {"solutions": "the solutions", "count": "a count"} | {
    kind: f"a {kind}" for kind in RANKINGS
}
KINDS = tuple(NOUNS)
KEYWORDS = ("given", "limit", "seed", "engine", "heuristic", "distinct", "part")
RANKING_KEYWORDS = ("k", "given", "seed", "engine", "any_order", "costs")
ONLY_RANKINGS = ("k", "any_order", "costs")


class JournalDescription(NamedTuple):
    """A problem and the arguments of a search. Equal descriptions have the same answer.

    kind
        "solutions", "count", "minimum" or "maximum".
    fingerprint, names
        Fingerprint of the problem (see `dlx.checkpoint.problems`), and SHA-256 of its names; None
        if no file can hold them.
    given
        Indices of options.
    limit, seed, engine, heuristic, part
        As in `Problem.solutions`.
    distinct
        "all" if the search returns one solution of each class of symmetric ones, under all
        symmetries; "rotations" if under rotations; a digest of the generators, if under others;
        None for all solutions.
    k, any_order
        As in `Problem.minimum`.
    costs
        A digest of the costs that `minimum` got beside those of the problem; None if it got none.
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
    k: int = 1
    any_order: bool = False
    costs: str | None = None

    @property
    def is_ranking(self) -> bool:
        """Whether the journal is that of a `minimum` or `maximum`."""
        return self.kind in RANKINGS

    @property
    def version(self) -> int:
        """The version of the journal's format.

        Programs that know only 1 can read neither a ranking nor a search for distinct solutions.
        """
        return 1 if not self.is_ranking and self.distinct is None else 2

    def to_json(self) -> str:
        """All fields that its kind has, as one line of JSON; `distinct` only if it is not None."""
        fields = self._asdict()
        for name in () if self.is_ranking else ONLY_RANKINGS:
            del fields[name]
        if self.distinct is None:
            del fields["distinct"]
        return json.dumps(fields)

    @classmethod
    def from_json(cls, data: bytes) -> JournalDescription:
        """Reads what `to_json` wrote. Raises `DamagedJournal` if it is not valid."""
        what = "its description"
        value = values.json_value(data, what)
        ranked = isinstance(value, dict) and value.get("kind") in RANKINGS
        names_of_fields = cls._fields if ranked else cls._fields[: -len(ONLY_RANKINGS)]
        if isinstance(value, dict):
            value = {"distinct": None} | value
        found = values.fields(value, names_of_fields, what)
        path, floor = values.list_of(found["part"], "part", 2)
        names, limit, seed = found["names"], found["limit"], found["seed"]
        return cls(
            kind=values.choice(found["kind"], KINDS, "the kind of its search"),
            fingerprint=values.text(found["fingerprint"], "fingerprint"),
            names=None if names is None else values.text(names, "names"),
            given=tuple(
                values.integer(index, "a given option", None, None)
                for index in values.list_of(found["given"], "given")
            ),
            limit=None if limit is None else values.integer(limit, "limit", 0, None),
            seed=None if seed is None else values.integer(seed, "seed", None, None),
            engine=values.choice(found["engine"], KEPT_RANKINGS if ranked else IN_ORDER, "engine"),
            heuristic=values.choice(found["heuristic"], HEURISTICS, "heuristic"),
            part=values.part(values.list_of(path, "part"), floor, "part"),
            distinct=(
                None if found["distinct"] is None else values.text(found["distinct"], "distinct")
            ),
            k=values.integer(found.get("k", 1), "k", 1, None),
            any_order=values.flag(found.get("any_order", False), "any_order"),
            costs=None if found.get("costs") is None else values.text(found["costs"], "costs"),
        )

    def difference(self, wanted: JournalDescription) -> str | None:
        """Says in words how this differs from the description `wanted`; None if they are equal.

        >>> one = JournalDescription("count", "ab12", None)
        >>> one.difference(one._replace(seed=3, limit=5))
        'is of count(limit=None, seed=None), not of count(limit=5, seed=3)'
        """
        if self.fingerprint != wanted.fingerprint:
            return "is of another problem"
        if not self.is_of_same_problem(wanted):
            return "is of another problem: one of the same shape, with other names"
        if self.kind != wanted.kind:
            held, asked = NOUNS[self.kind], NOUNS[wanted.kind]
            return f"holds {held} of this problem, and this call asks for {asked}"
        keywords = RANKING_KEYWORDS if self.is_ranking else KEYWORDS
        changed = [name for name in keywords if getattr(self, name) != getattr(wanted, name)]
        if not changed:
            return None
        return f"is of {self.as_call(changed)}, not of {wanted.as_call(changed)}"

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
            if self.is_ranking:
                fields = RANKING_KEYWORDS
            elif self.distinct is None:
                fields = [name for name in fields if name != "distinct"]
        shown = []
        for name in fields:
            value = getattr(self, name)
            if name == "distinct":
                shown.append(f"distinct={_distinct_text(value)}")
                continue
            if name == "given" and len(value) > 8:
                shown.append(f"given=<{counted(len(value), 'option')}>")
            elif name == "costs" and value is not None:
                shown.append(f"costs=<with the digest {value[:8]}>")
            else:
                shown.append(f"{name}={list(value) if name == 'given' else value!r}")
        return f"{self.kind}({', '.join(shown)})"


def _distinct_text(distinct: str | None) -> str:
    """The argument that this field describes, as in a call."""
    if distinct in (None, "all"):
        return str(distinct == "all")
    if distinct == "rotations":
        return repr(distinct)
    return f"<symmetries {distinct[:8]}>" if distinct else "False"
