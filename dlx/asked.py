"""What a caller of `Problem.solutions` and its kin has asked for, in few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dlx.search import check_limit, check_timeout

if TYPE_CHECKING:
    import os

    from dlx.crews import CrewWanted
    from dlx.heuristics import Heuristic
    from dlx.parallel.part import Part

__all__ = ["Asked", "Limits"]


class Limits(NamedTuple):
    """Where a search is to stop; None: nowhere."""

    limit: int | None
    timeout: float | None
    node_limit: int | None

    @classmethod
    def checked(cls, limit: object, timeout: object, node_limit: object) -> Limits:
        """The limits if they mean something; otherwise raises `InvalidArgument`."""
        return cls(
            check_limit(limit), check_timeout(timeout), check_limit(node_limit, "node_limit")
        )


class Asked(NamedTuple):
    """What is to be searched, and how: the keywords of these names.

    `kind` is "solutions", "solve" or "count", `crew` what workers, executor and ordered say.
    """

    kind: str
    seed: int | None
    engine: str
    heuristic: str | Heuristic
    part: Part | None
    crew: CrewWanted | None
    checkpoint: str | os.PathLike[str] | None
