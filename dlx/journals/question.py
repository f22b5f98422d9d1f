"""The question of a journal: which problem, and what was asked of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import NoneType
from typing import NamedTuple

from dlx.errors import counted, quote
from dlx.parallel.part import Part

__all__ = ["Question"]

KEYWORDS = ("given", "limit", "seed", "engine", "heuristic", "part")
KINDS = {
    "fingerprint": (str,),
    "names": (str, NoneType),
    "limit": (int, NoneType),
    "seed": (int, NoneType),
    "engine": (str,),
    "heuristic": (str,),
}
"""What those of the fields are that need no closer look."""


class Question(NamedTuple):
    """What a search is after. Two searches with equal questions have the same answer.

    kind
        "solutions" or "count".
    fingerprint, names
        Of the problem: see `dlx.fingerprints`; and of its names, None if no file can hold them.
    given
        Indices of options.
    limit, seed, engine, heuristic, part
        As in `Problem.solutions`.
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

    def to_json(self) -> str:
        """All of it as one line."""
        return json.dumps(self._asdict())

    @classmethod
    def from_json(cls, text: str | bytes) -> Question:
        """The question that was written so. Raises ValueError if it is none."""
        try:
            fields = json.loads(text)
            path, floor = fields["part"]
            part = Part(tuple((item, option) for item, option in path), floor)
            question = cls(**{**fields, "given": tuple(fields["given"]), "part": part})
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError("this is no question") from error
        question._check_types()
        return question

    def _check_types(self) -> None:
        """Raises ValueError if something is of a kind that `to_json` never writes."""
        if self.kind not in ("solutions", "count"):
            raise ValueError(f"this is no kind of question: {self.kind!r}")
        if not all(type(index) is int for index in self.given):
            raise ValueError("the given options are no indices")
        numbers = [self.part.floor, *(number for pair in self.part.path for number in pair)]
        if not all(type(number) is int for number in numbers):
            raise ValueError("the part is none")
        for name, kinds in KINDS.items():
            value = getattr(self, name)
            if type(value) not in kinds:
                raise ValueError(f"{name} is {quote(value)}")

    def difference(self, wanted: Question) -> str | None:
        """Why this is not the question that is wanted, in words; None if it is.

        >>> one = Question("count", "ab12", None)
        >>> one.difference(one._replace(seed=3, limit=5))
        'of count(limit=None, seed=None), not of count(limit=5, seed=3)'
        """
        if self.fingerprint != wanted.fingerprint:
            return "of another problem"
        if None not in (self.names, wanted.names) and self.names != wanted.names:
            return "of another problem: one of the same shape, with other names"
        changed = [name for name in KEYWORDS if getattr(self, name) != getattr(wanted, name)]
        if not changed and self.kind == wanted.kind:
            return None
        return f"of {self.as_call(changed)}, not of {wanted.as_call(changed)}"

    def as_call(self, fields: Sequence[str] | None = None) -> str:
        """The question as Python has it, with these of its keywords; or else with all of them, but
        for a part that is the whole.

        >>> Question("count", "ab12", None, part=Part(((0, 2),), 1)).as_call()[-52:]
        "heuristic='mrv', part=Part(path=((0, 2),), floor=1))"
        """
        if fields is None:
            fields = KEYWORDS[:-1] if self.part == Part() else KEYWORDS
        shown = []
        for name in fields:
            value = getattr(self, name)
            if name == "given" and len(value) > 8:
                shown.append(f"given=<{counted(len(value), 'option')}>")
            else:
                shown.append(f"{name}={list(value) if name == 'given' else value!r}")
        return f"{self.kind}({', '.join(shown)})"
