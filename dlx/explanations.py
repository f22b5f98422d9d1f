"""Why there is no solution: the question `Problem.explain`, and its answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dlx.errors import quote
from dlx.searching import SearchQuestions

if TYPE_CHECKING:
    pass

__all__ = ["ExplainQuestion", "Explanation"]


class Explanation(NamedTuple):
    """Items and given options that have no solution together; `str` is a sentence that says so.

    That they have none is certain, whatever `irreducible` says.
    """

    items: tuple[Hashable, ...]
    """The items, as declared, primary and secondary ones."""
    givens: tuple[Hashable, ...]
    """The names of the given options, as given."""
    irreducible: bool
    """Is it proved that all of them are needed: that without any one of them (and without what is
    not among them) there is a solution?"""
    stopped_by: str | None
    """What kept that from being proved: "timeout" or "node_limit"; None if it is proved."""

    def __str__(self) -> str:
        needed = " (all are needed)" if self.irreducible else " (perhaps not all are needed)"
        givens = f"the given option{'s'[: len(self.givens) != 1]} {_listed(self.givens)}"
        if not self.items and not self.givens:
            return "there is no solution, whatever is given"
        if not self.items:
            leave = "leaves" if len(self.givens) == 1 else "leave"
            return f"{givens} already {leave} no solution{needed[: 99 * (len(self.givens) > 1)]}"
        if len(self.items) == 1 and not self.givens:
            return f"no option contains item {quote(self.items[0])}"
        items = f"item{'s'[: len(self.items) != 1]} {_listed(self.items)}"
        both = f"{items} and {givens}" if self.givens else items
        return f"{both} cannot be satisfied together{needed}"


class ExplainQuestion(SearchQuestions):
    """What a `Problem` without solutions can be asked."""

    __slots__ = ()

    def explain(
        self,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        node_limit: int | None = None,
        givens_only: bool = False,
    ) -> Explanation | None:
        """Why there is no solution: a small irreducible set of items, and of givens; else None.

        An item that is *dropped* is taken out of all options: it may then be covered any number of
        times, or not at all, in any colors; a dropped secondary item no longer restricts anything.
        A given that is dropped need not be taken (but may be). What is returned has no solution
        even if everything else is dropped; and if it is `irreducible`, it has one as soon as one
        more is.

        Unlike elsewhere, givens that clash are no error here but an explanation. It is not the
        smallest there is, but smaller ones are looked for a while.

        given
            Names of options, as in `solutions`, each once.
        timeout
            Stop looking for smaller sets after so many seconds. What is found by then is returned,
            with `irreducible` false if that could not be proved.
        node_limit
            Stop after so many nodes of all searches together: a limit that repeats, as times do
            not. Without limits, the answer is always irreducible.
        givens_only
            Drop givens only; all items stay, and are not part of the answer. The question for
            puzzles, whose rules are fixed. The answer has no givens if there is no solution anyway.

        Raises `SearchInterrupted` if a limit comes before it is clear that there is no solution,
        `UnknownOption`, `GivenClash` for an option given twice, and `InvalidArgument`.

        Each search is one for a solution, with all that may take; there are about as many as items
        and givens in the answer, and some more. They are searches of a kind that says which items
        a failure was due to: see `dlx.explaining`.

        >>> import dlx
        >>> options = [["a", "b"], ["b", "c"], ["a", "c"], ["d"], ["d", "e"], ["e"]]
        >>> problem = dlx.Problem.from_options(options)
        >>> print(problem.explain())
        items 'a', 'b' and 'c' cannot be satisfied together (all are needed)
        >>> problem.explain(given=[3, 4]).givens
        (3, 4)
        """
        from dlx.explaining import explain

        return explain(
            self._table,
            self._prepare(None),
            self.solutions,
            given=given,
            timeout=timeout,
            node_limit=node_limit,
            givens_only=givens_only,
        )


def _listed(names: Sequence[Hashable]) -> str:
    if not names:
        return ""
    *most, last = map(quote, names)
    return f"{', '.join(most)} and {last}" if most else last
