"""`hints`: the steps to the solution, each of the easiest human technique that applies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.board.pattern import Candidate, Mark, Pattern
from sudoku.board.step import Step
from sudoku.errors import listed
from sudoku.hinting.candidates import PlayerCandidates, marks_of
from sudoku.hinting.deduction import Deduction, changes_of
from sudoku.hinting.geometry import bits
from sudoku.hinting.player import PlayerState, Puzzle, player_state
from sudoku.hinting.position import Position
from sudoku.hinting.registry import ALL_HINT_TECHNIQUES, HINT_TECHNIQUES, Technique, chosen
from sudoku.text.puzzles import parse

__all__ = ["first_deduction", "hints"]

FEW = 6  # cells that the offer of notes names


def hints(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    filled: Puzzle | None = None,
    removed: Iterable[Candidate] = (),
    candidates: PlayerCandidates | None = None,
    every: bool = False,
    techniques: str | Iterable[str] | None = None,
    timeout: float | None = None,
) -> Iterator[Step]:
    """The steps from here to the solution, one after another, each of the easiest technique.

    filled
        The grid with the digits that a player has filled in, if there are any.
    candidates
        The player's own candidates, where they are written. A cell has no others; cells with
        nothing written have all that the digits do not exclude. Either a mapping from (row, column)
        to digits; or for each cell a list of digits, or its bits as in `Record.marks`; or a text in
        any format that has pencil marks: a grid of groups of digits, a character for each digit of
        each cell (729 for 9x9), HoDoKu's library lines, OpenSudoku, JSON and others. If the text
        also has digits filled in, they are taken unless `filled` is given.
    removed
        The candidates (row, column, digit) that the player has crossed out, besides those that the
        digits exclude and those that `candidates` leaves out.
    every
        Tries rare techniques, too: sue de coq, franken and mutant fish, templates; that may take a
        second per step.
    techniques
        Names of the techniques to try, in this order, as a list or a text with commas. A band
        (`"hard"`) means all its techniques; with a minus sign before it, a technique or a band is
        left out, `["-X-wing"]`. The steps end where none of them finds any.
    timeout
        Limits the search that checks for exactly one solution, in seconds.

    If the player has made mistakes, the first and only step names them; its technique is
    "mistake": wrong digits (in `eliminations`), and digits of the solution that are crossed out or
    not among a cell's candidates (in `placements`). If candidates are written in some of the empty
    cells only, a step "notes" comes before the first step that removes candidates: its pattern has
    the candidates of all other cells, and it changes nothing. The iterator is lazy, so the next
    hint is `next(hints(...))`.

    >>> for step in hints("1... .2.. ..3. 4..."): print(step.technique, "-", step)
    ... # doctest: +ELLIPSIS
    hidden single - ...
    >>> print(next(hints("1... .2.. ..3. 4...", filled="13.. .2.. ..3. 4...")))
    3 in r1c2 is wrong
    >>> print(next(hints("1... .2.. ..3. 4...", candidates={(1, 2): [3]})))
    r1c2 is 4, which its candidates lack

    Raises, when called: `NoSolution` or `NotUnique` for a puzzle that does not have exactly one
    solution; `LayoutError` for a layout with a side of more than 16; `PuzzleError` for candidates
    that are not of this puzzle; `dlx.InvalidArgument` for unknown techniques;
    `dlx.SearchInterrupted` after `timeout` seconds.
    """
    usual = ALL_HINT_TECHNIQUES if every else HINT_TECHNIQUES
    some = usual if techniques is None else chosen(techniques, usual)
    grid = parse(puzzle, layout)
    marked = None if candidates is None else marks_of(candidates, grid)
    now = None if filled is None else parse(filled, grid.layout)
    if now is None and marked is not None:
        now = marked.filled
    state = player_state(grid, now, removed, marked, timeout)
    if state.wrong or state.lost or state.unmarked:
        return iter([_mistake(state)])
    return _steps(state.position, some, state.blank)


def _mistake(state: PlayerState) -> Step:
    """One step for all mistakes: the digits to take back and the candidates to restore."""
    parts = [f"{symbol(d)} in {cell_name(row, column)} is wrong" for row, column, d in state.wrong]
    for missing, why in (
        (state.lost, "which was crossed out"),
        (state.unmarked, "which its candidates lack"),
    ):
        parts += [f"{cell_name(row, column)} is {symbol(d)}, {why}" for row, column, d in missing]
    restored = (*state.lost, *state.unmarked)
    cells = tuple((row, column) for row, column, _ in (*state.wrong, *restored))
    return Step("mistake", cells, restored, tuple(state.wrong), "; ".join(parts))


def _notes(position: Position, blank: int) -> Step:
    """The offer of candidates for the cells without any; a step that changes nothing."""
    places = position.tables.layout.positions
    cells = tuple(places[cell] for cell in bits(blank))
    marks = tuple(
        Mark(*places[cell], digit, "note")
        for cell in bits(blank)
        for digit in position.digits_of[cell]
    )
    names = listed([cell_name(*cell) for cell in cells], "and", FEW)
    says = f"the next step needs candidates, and {names} {'have' if len(cells) > 1 else 'has'} none"
    return Step("notes", cells, (), (), f"{says} written", Pattern(marks=marks))


def _steps(position: Position, techniques: Iterable[Technique], blank: int = 0) -> Iterator[Step]:
    """The steps from a position to the solution, as far as the techniques lead.

    Before the first one that removes candidates, those of the cells in `blank` are offered.
    """
    while not position.is_solved:
        deduction = first_deduction(position, techniques)
        if deduction is None:
            return
        if blank and deduction.removed:
            if blank & position.unsolved:
                yield _notes(position, blank & position.unsolved)
            blank = 0
        yield deduction.step(position)
        position = position.after(changes_of(position, [deduction]))


def first_deduction(
    position: Position, techniques: Iterable[Technique] = HINT_TECHNIQUES
) -> Deduction | None:
    """The first deduction of the first technique that finds any; trial, the last, always does."""
    return next((found for technique in techniques for found in technique.find(position)), None)
