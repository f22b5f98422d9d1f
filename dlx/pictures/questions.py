"""The questions of a `Problem` that are answered by something to look at."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, cast

from dlx.questions import Questions
from dlx.search import check_seed

if TYPE_CHECKING:
    from dlx.heuristics import Heuristic
    from dlx.problem import Problem

__all__ = ["PictureQuestions"]


class PictureQuestions(Questions):
    """A `Problem` that can be looked at."""

    __slots__ = ()

    def trace_page(
        self,
        *,
        title: str = "Algorithm X",
        seed: int | None = None,
        steps: int = 1000,
        heuristic: str | Heuristic = "mrv",
    ) -> str:
        """A self-contained HTML page that steps through the search for all solutions.

        It plays the first so many `steps` forwards and backwards, or link by link: what covering an
        item takes out of the lists of the toroidal matrix, and how uncovering puts it back. Where
        the search goes on beyond, the page says so. It loads nothing, and its content security
        policy lets no script run but its own.

        seed, heuristic
            As in `solutions`.

        Raises `InvalidArgument` for a problem of more than 1000 items and entries, which nobody
        could see at once, and if `steps` is no integer from 0 up.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["a", "b"]]).trace_page()[:15]
        '<!DOCTYPE html>'
        """
        from dlx.laying import lay
        from dlx.models.checking import check_number
        from dlx.pictures.recording import RecordedMatrix, RecordedMultipleMatrix
        from dlx.pictures.trace_page import check_size, trace_page

        problem = cast("Problem", self)
        check_number("steps", steps, 0)
        check_size(problem)
        kind = RecordedMultipleMatrix if self._table.has_multiplicities else RecordedMatrix
        prepared = self._prepare(check_seed(seed))
        matrix = lay(self._table, prepared.rank, prepared.order, kind)
        return trace_page(problem, matrix, title=title, steps=steps, heuristic=heuristic)

    def picture(self, solution: Iterable[Hashable]) -> str:
        """A solution as an SVG picture, where its options say in which places they lie.

        Drawn are tilings and packings in the plane (each option covers cells, items such as "3,4"
        or (3, 4)) and queens and the like (each option is in one row and one column, items such as
        "r3" and "c4", or ("row", 3) and ("column", 4), or covers the cells that a queen rules):
        most of `dlx.models`, and problems of your own whose items are named so. Colors tell options
        apart, and borders do in black and white.

        Raises `InvalidArgument` where nothing of the kind is to be seen, or pieces lie on each
        other, and `UnknownOption`.

        >>> import dlx.models
        >>> problem = dlx.models.dominoes(2, 2)
        >>> problem.picture(problem.solve())[:4]
        '<svg'
        """
        from dlx.pictures.boards import board_picture

        return board_picture(cast("Problem", self), solution)

    def _repr_html_(self) -> str:
        """What a notebook shows: the problem in a line, and, if it is small, its matrix."""
        from dlx.pictures.tables import problem_html

        return problem_html(cast("Problem", self))
