"""Answers to the requests of the page: JSON objects in and out, without state in between.

A request has a `kind` and the arguments of that kind. Nearly every request has

* `puzzle`: a JSON document of `sudoku.formats`, which includes the layout with all its rules
* `filled`: the digit in each cell, 0 for none

and those about the player's notes (hint, check, export, fix) also

* `marks`: for each cell the list of its candidates as the player has written them; an empty list
  where nothing is written. Digits that a filled cell excludes are ignored. Only notes that are
  candidates belong here, not marks of other kinds, such as corner marks.
* `removed`: the candidates that the player has crossed out, pairs of a cell and a digit. They count
  in cells without marks only: in the others the marks say what is left.

In answers, cells are numbers in the order of the layout, and candidates are pairs [cell, digit].

The answer to **hint** has the drawing of the step: `say`, `cells`, `houses` (the cells of each),
`place`, `remove` (candidates), `marks` ([cell, digit, role]) and `links` ([SVG path, strong]); the
same keys in each entry of `stages` (where to look, which technique, what follows) and of `chain`
(link by link; the marks and links so far). Besides, `technique`, `about` (what it is), `eureka`
(the chain in Eureka notation), `details` (the implications of a net) and `candidates` (those of
each cell, to be written first, so that the notes show what the step removes; empty if there are
notes). The technique "mistake" has `wrong` (cells to mark), `erase` (cells with wrong digits) and
`notes` (candidates to restore); "notes" has candidates to write in `notes`; `""` is a digit without
a reason. `techniques` names those to try,
as in `sudoku.hints`; without it, the usual ones are. The answer to **path** has `steps`, such
answers up to the solution, and `say`, why they end before it.

The answer to **check** has `say`, `solved`, `wrong` (cells), `lost` (digits of the solution that
marks lack or that are crossed out), `missing` (the candidates of cells without marks, if others
have marks and there is no mistake) and `excluded` (marks that digits or rules exclude).

A setter's requests: **tools** lists the rules that can be drawn (see `sudoku.web.setter`); **draw**
adds one (`rule`, the `cells` in order, `values` by field), removes one (`remove_rule`, its place in
`drawn`) or sets `title` and `author`; **solutions** counts the solutions of the position (`say`)
and has the `digits` of each cell in them.

The answer to **broken** has `cells`, a list of cells for each house and rule that the digits break
for certain, and `say`, a sentence for each; it takes milliseconds. The answers with a board have,
besides what is drawn, `rules` (sentences), `drawn` (a text for each rule), `formats` (those that
can hold the puzzle) and `share` (a text for the fragment of a URL, which **open** reads).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import dlx
from sudoku import formats, layouts
from sudoku.board.candidates import candidates_of
from sudoku.board.cells import cell_name, symbol
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.drawing.board import Highlights, board_svg, candidate_place, figure_size, places_of
from sudoku.drawing.frame import SIDE
from sudoku.drawing.rule_text import rule_sentences, violations
from sudoku.drawing.steps import house_cells, link_paths
from sudoku.errors import (
    LayoutError,
    NoSolution,
    NotUnique,
    PuzzleError,
    SudokuError,
    listed,
    shorten,
)
from sudoku.formats.editors.share import share_text
from sudoku.formats.record import Record
from sudoku.solving.solve import count
from sudoku.text.puzzles import parse
from sudoku.web.limits import SECONDS
from sudoku.web.setter import drawn, tools, without

if TYPE_CHECKING:
    from sudoku.analysis.verdict import Verdict
    from sudoku.board.step import Step

__all__ = ["answer"]

Request = dict[str, Any]
Answer = dict[str, Any]

FEW = 6  # cells that the message of a check names
FIRST = ("json", "sudokupad", "fpuzzles", "links")
"""The formats that the page offers first; `json` keeps all that the page has."""
MOST = 1000
"""The number up to which the solutions of a puzzle that is being set are counted."""
NOTHING_FOUND = "None of the techniques chosen in the settings finds a step"
PATH_SECONDS = 0.7 * SECONDS
"""Seconds after which the list of all steps ends."""


def answer(request: object) -> Answer:
    """The answer to a request of the page; `{"error": ...}` if it is malformed or fails.

    >>> answer({"kind": "open", "text": "1... .2.. ..3. ...4"})["givens"][:6]
    (1, 0, 0, 0, 0, 2)
    >>> answer({"kind": "opne"})
    {'error': "unknown kind of request: 'opne'"}
    """
    try:
        if not isinstance(request, dict):
            raise PuzzleError("the request must be a JSON object")
        handler = _KINDS.get(str(request.get("kind")))
        if handler is None:
            raise PuzzleError(f"unknown kind of request: {shorten(str(request.get('kind')))}")
        return handler(request)
    except dlx.SearchInterrupted:
        return {"error": f"Stopped: this took more than {SECONDS:g} seconds."}
    except dlx.DLXError as error:
        return {"error": str(error)}


def _open(request: Request) -> Answer:
    """The board of the first puzzle of a text in any format; an empty board if the text is empty
    and there is a layout.
    """
    text = _text(request, "text")
    layout = layouts.named(_text(request, "layout")) if request.get("layout") else None
    if layout is not None and not text.strip():
        return _board(Record(Grid.from_cells((0,) * layout.size, layout)))
    data = io.BytesIO(text.encode(errors="replace"))
    records = formats.load(data, layout, on_warning=lambda record: None)
    record = next(records, None)
    if record is None:
        raise PuzzleError("the text contains no puzzle")
    return {**_board(record), "say": " ".join(filter(None, _notes_on(record, records)))}


def _notes_on(record: Record, rest: Iterator[Record]) -> Iterator[str]:
    """The notes for the player on a text that was read: rules that are missing, more puzzles."""
    if record.warning:
        yield _capitalized(record.warning)
    yield _rest_of_text(rest)


def _rest_of_text(records: Iterator[Record]) -> str:
    """A note for a text that continues after its first puzzle; empty if it does not."""
    try:
        more = next(records, None)
    except SudokuError:
        return "The text after this puzzle could not be read and was ignored."
    return "" if more is None else "This is the first of several puzzles in the text."


def _fix(request: Request) -> Answer:
    """The board with all filled cells as givens."""
    record = _record(request)
    filled, marks = _filled(request, record.grid), _marks(request, record.grid.layout)
    return _board(replace(record, grid=filled, placed=None, marks=marks, solution=None))


def _new(request: Request) -> Answer:
    """A board with a new puzzle, of a layout or of a kind whose rules are drawn at random."""
    from sudoku.generation.generate import generate
    from sudoku.generation.kinds import layout_and_kind

    layout, kind = layout_and_kind(_text(request, "layout"))
    band = request.get("difficulty") or None
    symmetry = request.get("symmetry") or "none"
    seed = request.get("seed")
    if seed is not None and type(seed) is not int:
        raise PuzzleError("the seed must be an integer")
    puzzle = generate(
        layout, kind=kind, symmetry=symmetry, difficulty=band, seed=seed, timeout=SECONDS
    )
    return _board(Record(puzzle))


def _board(record: Record) -> Answer:
    """The data that the page needs to draw a grid and let the player fill it."""
    grid = record.grid
    layout = grid.layout
    places = places_of(layout, edge=True)
    out = io.StringIO()
    formats.dump([replace(record, placed=None, marks=None)], out, "json")
    filled = parse(record.placed, layout).cells if record.placed else grid.cells
    digits = range(1, layout.side + 1)
    marks = record.marks or (0,) * layout.size
    return {
        "puzzle": out.getvalue(),
        "say": "",
        "name": _display_name(layout),
        "title": record.about.get("title", ""),
        "author": record.about.get("author", ""),
        "ground": board_svg(
            Grid.from_cells((0,) * layout.size, layout), candidates=None, edge=True
        ),
        "cell": SIDE,
        "cells": [[*place, *places.corner(place)] for place in layout.positions],
        "small": [candidate_place(layout, places, layout.positions[0], d) for d in digits],
        "figure": figure_size(layout),
        "symbols": layout.symbols,
        "houses": [house.cells for house in layout.houses],
        "names": [house.name for house in layout.houses],
        "givens": grid.cells,
        "filled": filled,
        "marks": [[digit for digit in digits if bits >> digit & 1] for bits in marks],
        "hints": _has_hints(layout),
        "rules": rule_sentences(layout),
        "drawn": [str(rule) for rule in layout.rules],
        "formats": _formats(record),
        "share": share_text(Record(grid, about=record.about)),
    }


def _formats(record: Record) -> list[str]:
    """The names of the formats that can hold a puzzle, those that most people need first."""
    drawn = (record.drawn or record).grid
    able = [
        form.name
        for form in formats.FORMATS
        if not (form.refuses(record.grid) and form.refuses(drawn))
    ]
    return sorted(able, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))


def _draw(request: Request) -> Answer:
    """The board with a rule more or less, or with another title; the digits and notes stay."""
    record = _record(request)
    layout, remove = record.grid.layout, request.get("remove_rule")
    filled, marks = _filled(request, record.grid), _marks(request, layout)
    if type(remove) is int and 0 <= remove < len(layout.rules):
        layout = without(layout, remove)
    elif request.get("rule"):
        order, values = request.get("cells"), request.get("values") or {}
        if not isinstance(order, list) or not isinstance(values, dict):
            raise PuzzleError("cells must be a list of cells, and values an object")
        if not all(type(cell) is int and 0 <= cell < layout.size for cell in order):
            raise PuzzleError(f"cells must be numbers below {layout.size}")
        rule = drawn(request["rule"], [layout.positions[cell] for cell in order], values, layout)
        if rule in layout.rules:
            raise PuzzleError(f"{rule} is drawn already")
        layout = layout.with_rules(rule, name=rule.kind)
    about = {name: _text(request, name).strip() for name in ("title", "author") if name in request}
    return _board(
        Record(
            Grid.from_cells(record.grid.cells, layout),
            placed=filled.line,
            marks=marks,
            rest=record.rest,
            about={name: text for name, text in (record.about | about).items() if text},
        )
    )


def _solutions(request: Request) -> Answer:
    """How many solutions the position has, up to a limit, and the digits of each cell in them."""
    from sudoku.analysis.solution_candidates import candidates_of_solutions

    _, filled = _position(request)
    try:
        found = count(filled, limit=MOST, timeout=SECONDS / 2)
    except dlx.SearchInterrupted:
        say = f"Could not count the solutions within {SECONDS / 2:g} seconds."
    else:
        say = f"{found} solutions{' or more' if found == MOST else ''}."
        if found < 2:
            say = "Exactly one solution." if found else _problem(filled, _verdict(filled))
    every = candidates_of_solutions(filled, timeout=SECONDS / 2).digits
    return {"say": say, "digits": [every[cell] for cell in filled.layout.positions]}


def _display_name(layout: Layout) -> str:
    """The name of a layout for players: the size of the grid with the box shape, or its kind.

    >>> _display_name(Layout(2, 3)), _display_name(Layout(3, 3)), _display_name(layouts.diagonal())
    ('6 x 6, boxes of 2 x 3', '', 'diagonal')
    """
    if not layout.is_classic:
        return str(layout)
    if layout is Layout(3, 3):
        return ""
    return f"{layout.side} x {layout.side}, boxes of {layout.box_rows} x {layout.box_columns}"


def _broken(request: Request) -> Answer:
    """The rules that the digits break for certain: cells and a sentence for each; no search."""
    _, filled = _position(request)
    index, found = filled.layout.index, violations(filled)
    return {
        "cells": [[index[cell] for cell in each.cells] for each in found],
        "say": [each.sentence for each in found],
    }


def _candidates(request: Request) -> Answer:
    """The candidates of each cell; none for a filled cell."""
    _, filled = _position(request)
    left = candidates_of(filled)
    return {"candidates": [left.get(place, ()) for place in filled.layout.positions]}


class Notes(NamedTuple):
    """The notes of a player in a position, as candidates of cells."""

    marks: tuple[int, ...]
    """For each cell the candidates written in it, bit d for digit d."""
    removed: frozenset[tuple[int, int]]
    """The candidates crossed out in cells without marks."""


def _notes(request: Request, layout: Layout) -> Notes:
    marks = _marks(request, layout) or (0,) * layout.size
    pairs = _pairs(request, layout)
    return Notes(marks, frozenset((cell, digit) for cell, digit in pairs if not marks[cell]))


def _check(request: Request) -> Answer:
    """The mistakes in the digits and in the notes, the notes missing, and a message."""
    puzzle, filled = _position(request)
    return _checked(puzzle, filled, _notes(request, puzzle.layout), _verdict(puzzle))


def _verdict(puzzle: Grid) -> Verdict:
    from sudoku.analysis.verdict import judge

    return judge(puzzle, timeout=SECONDS)


def _checked(puzzle: Grid, filled: Grid, notes: Notes, verdict: Verdict) -> Answer:
    """The mistakes of a position, given the verdict on its puzzle, and a message."""
    nothing: Answer = {"wrong": [], "lost": [], "missing": [], "excluded": [], "solved": False}
    if verdict.kind != "unique":
        return {**nothing, "say": _problem(puzzle, verdict)}
    solution = verdict.solutions[0].cells
    wrong = [
        cell
        for cell, (now, right) in enumerate(zip(filled.cells, solution, strict=True))
        if now and now != right
    ]
    empty = [cell for cell, now in enumerate(filled.cells) if not now]
    lost = [
        (cell, solution[cell])
        for cell in empty
        if (notes.marks[cell] and not notes.marks[cell] >> solution[cell] & 1)
        or (cell, solution[cell]) in notes.removed
    ]
    left = candidates_of(filled)
    candidates = {cell: left[filled.layout.positions[cell]] for cell in empty}
    excluded = [
        (cell, digit)
        for cell in empty
        for digit in range(1, filled.layout.side + 1)
        if notes.marks[cell] >> digit & 1 and digit not in candidates[cell]
    ]
    missing = [
        (cell, digit)
        for cell in empty
        if not notes.marks[cell]
        for digit in candidates[cell]
        if (cell, digit) not in notes.removed
    ]
    is_begun = any(notes.marks[cell] for cell in empty) and not wrong and not lost
    return {
        "wrong": wrong,
        "lost": lost,
        "missing": missing if is_begun else [],
        "excluded": excluded,
        "solved": not wrong and not empty,
        "say": _said(filled, wrong, lost, missing if is_begun else []),
    }


def _said(
    filled: Grid,
    wrong: Collection[int],
    lost: Collection[tuple[int, int]],
    missing: Collection[tuple[int, int]],
) -> str:
    """The message of a check: wrong digits first, then notes that lack the digit of their cell."""
    places, parts = filled.layout.positions, []

    def named(cells: Iterable[int]) -> str:
        return listed([cell_name(*places[cell]) for cell in cells], "and", FEW)

    if len(wrong) == 1:
        [cell] = wrong
        parts = [f"{symbol(filled.cells[cell])} in {named(wrong)} is wrong."]
    elif wrong:
        parts = [f"The digits in {named(wrong)} are wrong."]
    if lost:
        own = "the digit of this cell" if len(lost) == 1 else "the digits of these cells"
        parts.append(f"The notes of {named(cell for cell, _ in lost)} lack {own}.")
    if parts:
        return " ".join(parts)
    empty = filled.cells.count(0)
    if not empty:
        return "Solved!"
    say = f"No mistakes so far; {empty} cell{' is' if empty == 1 else 's are'} empty"
    bare = len({cell for cell, _ in missing})
    return f"{say}, {bare} of them without notes." if bare else f"{say}."


_PROBLEMS: dict[str, str] = {
    "no solution": "The puzzle has no solution",
    "not unique": "The puzzle has more than one solution",
    "unknown": f"Could not check the puzzle within {SECONDS:g} seconds",
}


def _problem(puzzle: Grid, verdict: Verdict) -> str:
    """What a verdict other than "unique" says, with the reasons: one for each clash."""
    reasons = [found.sentence.removesuffix(".") for found in violations(puzzle)]
    reasons = reasons or [str(each) for each in (verdict.difference, verdict.clash) if each]
    reasons = reasons or [str(flaw) for flaw in verdict.flaws]
    return f"{': '.join(filter(None, (_PROBLEMS[verdict.kind], '; '.join(reasons))))}."


def _hint(request: Request) -> Answer:
    """The next step and its highlights; for layouts without techniques, a digit."""
    puzzle, filled = _position(request)
    if filled.cells.count(0) == 0:
        return _check(request)
    if not _has_hints(puzzle.layout):
        return _digit(puzzle, filled, _notes(request, puzzle.layout))
    step = next(_steps(request), None)
    if step is None:
        raise PuzzleError(f"{NOTHING_FOUND}.")
    return step


def _path(request: Request) -> Answer:
    """The hints from here to the solution."""
    end, steps, say = monotonic() + PATH_SECONDS, [], ""
    for step in _steps(request):
        steps.append(step)
        if monotonic() > end:
            say = "More steps follow; the time was too short for them."
            break
    placed = {cell for step in steps for cell, _ in step["place"]}
    empty = _position(request)[1].cells.count(0)
    is_end = len(placed) == empty or any(step["technique"] == "mistake" for step in steps)
    return {"steps": steps, "say": "" if is_end else say or f"{NOTHING_FOUND}."}


def _steps(request: Request) -> Iterator[Answer]:
    """The steps from here on. The first that removes candidates brings all, if none is written."""
    from sudoku.hinting import hints

    puzzle, filled = _position(request)
    layout, notes = puzzle.layout, _notes(request, puzzle.layout)
    removed = [(*layout.positions[cell], digit) for cell, digit in notes.removed]
    cells, has_notes = list(filled.cells), any(notes.marks)
    some = request.get("techniques") or None
    try:
        found = hints(
            puzzle, filled=filled, removed=removed, candidates=notes.marks, techniques=some
        )
    except (NoSolution, NotUnique):
        raise PuzzleError(_problem(puzzle, _verdict(puzzle))) from None
    for step in found:
        shown = _step(layout, step)
        if shown["remove"] and not has_notes:
            left = candidates_of(Grid.from_cells(tuple(cells), layout))
            shown["candidates"] = [left.get(place, ()) for place in layout.positions]
            has_notes = True
        for cell, digit in shown["place"]:
            cells[cell] = digit
        yield shown


def _step(layout: Layout, step: Step) -> Answer:
    """A step with its drawing."""
    from sudoku.hinting.lessons import lesson

    drawing = _frame(layout, step)
    if step.technique in ("mistake", "notes"):
        is_mistake = step.technique == "mistake"
        marks = [(*mark[:2], mark.digit) for mark in step.pattern.marks]
        if is_mistake:
            drawing |= {"place": [], "remove": []}
        return _explained(
            drawing,
            technique=step.technique,
            about=lesson(step.technique).about,
            wrong=drawing["cells"] if is_mistake else [],
            erase=[cell for cell, _ in _numbered(layout, step.eliminations)],
            notes=_numbered(layout, step.placements if is_mistake else marks),
        )
    return _explained(
        drawing,
        say=_capitalized(f"{step.technique}: {step.sentence}"),
        technique=step.technique,
        about=lesson(step.technique).about,
        eureka=step.eureka,
        details=list(step.details),
        stages=[_frame(layout, stage) for stage in step.stages()],
        chain=[_frame(layout, link) for link in step.chain()],
    )


def _explained(drawing: Answer, **more: Any) -> Answer:
    """The answer to **hint** with this drawing; what is not given is empty."""
    lists: Answer = {
        key: [] for key in ("wrong", "erase", "notes", "details", "chain", "candidates")
    }
    return {
        **drawing,
        "technique": "",
        "about": "",
        "eureka": "",
        **lists,
        "stages": [drawing],
        **more,
    }


def _frame(layout: Layout, step: Step) -> Answer:
    """The drawing of a step, of one of its stages or of a link of its chain."""
    index = layout.index
    marks = [(index[mark.row, mark.column], mark.digit, mark.role) for mark in step.pattern.marks]
    return {
        "say": _capitalized(step.sentence),
        "cells": [index[cell] for cell in step.cells],
        "houses": [[index[cell] for cell in house] for house in house_cells(layout, step)],
        "place": _numbered(layout, step.placements),
        "remove": _numbered(layout, step.eliminations),
        "marks": marks,
        "links": list(link_paths(layout, places_of(layout, edge=True), step.pattern.links)),
    }


def _numbered(layout: Layout, candidates: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The candidates as pairs of a cell's number and a digit."""
    return [(layout.index[row, column], digit) for row, column, digit in candidates]


def _capitalized(sentence: str) -> str:
    """The sentence with a capital letter and a full stop; names of cells stay as they are."""
    starts_with_cell = sentence[:1] == "r" and sentence[1:2].isdigit()
    start = sentence[:1] if starts_with_cell else sentence[:1].upper()
    return f"{start}{sentence[1:]}."


def _has_hints(layout: Layout) -> bool:
    """Whether there are techniques for the layout."""
    from sudoku.hinting.geometry import has_hints

    return has_hints(layout)


def _digit(puzzle: Grid, filled: Grid, notes: Notes) -> Answer:
    """A digit of the cell with the fewest candidates, or the mistakes, without techniques."""
    verdict = _verdict(puzzle)
    checked = _checked(puzzle, filled, notes, verdict)
    if checked["wrong"] or checked["lost"] or verdict.kind != "unique":
        return checked
    left = {
        place: [digit for digit in digits if _is_left(notes, puzzle.layout.index[place], digit)]
        for place, digits in candidates_of(filled).items()
    }
    place = min(left, key=lambda cell: len(left[cell]))
    digit = verdict.solutions[0][place]
    cell = puzzle.layout.index[place]
    row, column = place
    symbol = puzzle.layout.symbols[digit - 1]
    only = len(left[place]) == 1
    reason = "it is the only candidate" if only else "taken from the solution"
    drawing = {
        "say": f"r{row}c{column} is {symbol}: {reason}.",
        "cells": [cell],
        "houses": [],
        "place": [(cell, digit)],
        "remove": [],
        "marks": [],
        "links": [],
    }
    return _explained(drawing)


def _is_left(notes: Notes, cell: int, digit: int) -> bool:
    """Whether the notes leave a candidate."""
    if notes.marks[cell]:
        return bool(notes.marks[cell] >> digit & 1)
    return (cell, digit) not in notes.removed


def _solve(request: Request) -> Answer:
    """The solution; if there are several, one of them and where two of them differ."""
    puzzle, _ = _position(request)
    verdict = _verdict(puzzle)
    if not verdict.solutions:
        raise PuzzleError(_problem(puzzle, verdict))
    say = ""
    if verdict.kind != "unique":
        say = f"{_problem(puzzle, verdict)} This is one of them."
    return {"filled": verdict.solutions[0].cells, "say": say}


def _rate(request: Request) -> Answer:
    """The difficulty, and the techniques with the number of their steps, from the easiest."""
    from sudoku.hinting import rate

    puzzle, _ = _position(request)
    rating = rate(puzzle)
    return {"say": f"Difficulty: {rating}.", "techniques": rating.techniques}


def _export(request: Request) -> Answer:
    """The puzzle, the digits filled in, the notes and the metadata, in a chosen format."""
    puzzle = _record(request)
    filled = _filled(request, puzzle.grid)
    form = formats.named(_text(request, "format"))
    lost: list[str] = []
    out = io.StringIO()
    record = replace(puzzle, placed=filled.line, marks=_marks(request, puzzle.grid.layout))
    formats.dump([record], out, form.name, lost=lambda record, part: lost.append(part))
    say = f"The format {form.name} cannot store: {', '.join(lost)}." if lost else ""
    suffix = form.suffixes[0] if form.suffixes else ".txt"
    return {"text": out.getvalue(), "name": f"sudoku{suffix}", "say": say}


def _offer(request: Request) -> Answer:
    """The choices of the page's menus. A technique has its difficulty, its name, and whether hints
    use it by default.
    """
    from sudoku.generation.symmetries import SYMMETRIES
    from sudoku.hinting.registry import ALL_HINT_TECHNIQUES, BANDS, HINT_TECHNIQUES

    return {
        "techniques": [(one.band, one.name, one in HINT_TECHNIQUES) for one in ALL_HINT_TECHNIQUES],
        "groups": _groups(_names()),
        "known": {name: _display_name(layouts.named(name)) for name in SIZES},
        "bands": BANDS,
        "symmetries": SYMMETRIES,
    }


SIZES = ("2x2", "2x3", "3x4", "4x4")


def _names() -> list[str]:
    """The names of the layouts that the page offers."""
    return ["classic", *SIZES, *(name for name in layouts.NAMES if name != "classic")]


def _kinds(request: Request) -> Answer:
    """All kinds for **new** in groups, each with its name, a picture, a sentence, and the
    difficulties that new puzzles may have (`bands`).

    A picture has a digit, and the cells whose candidates it restricts in color. Kinds whose rules
    are drawn at random have an example.
    """
    from sudoku.generation.kinds import KINDS, draw
    from sudoku.generation.random import SeededRandom
    from sudoku.solving.deadline import Deadline

    groups = [
        {
            "name": group["name"],
            "kinds": [_kind(name, layouts.named(name)) for name in group["layouts"]],
        }
        for group in _groups(_names())
    ]
    drawn = [(kind, draw(kind, Layout(3, 3), SeededRandom(1), Deadline(SECONDS))) for kind in KINDS]
    examples = [_kind(kind, found.layout, is_drawn=True) for kind, found in drawn]
    return {"groups": [groups[0], {"name": "drawn at random", "kinds": examples}, *groups[1:]]}


def _kind(value: str, layout: Layout, *, is_drawn: bool = False) -> Answer:
    """A kind of puzzle as **kinds** shows it."""
    from sudoku.generation.kinds import bands_of

    cells = [0] * layout.size
    middle = layout.size // 2
    if not is_drawn:
        cells[middle] = (layout.side + 1) // 2
    grid = Grid.from_cells(tuple(cells), layout)
    left = {} if is_drawn else candidates_of(grid)
    seen = [cell for cell, digits in left.items() if len(digits) < layout.side]
    first, *more = rule_sentences(layout)
    usual = first.startswith("Each row, column and box has")
    return {
        "value": value,
        "name": value if is_drawn else _display_name(layout) or "classic",
        "say": " ".join(more if usual and more else [first, *more]),
        "picture": board_svg(grid, candidates=None, highlights=Highlights(seen, "#d9e8fb")),
        "bands": bands_of(value),
    }


def _groups(names: Iterable[str]) -> list[dict[str, Any]]:
    """The names of layouts by their group; each group is an object with its name."""
    groups: dict[str, list[str]] = {}
    for name in names:
        layout = layouts.named(name)
        if layout.is_classic:
            group = "classic"
        elif any(house.kind.startswith("grid ") for house in layout.houses):
            group = "overlapping grids"
        elif not layout.is_square:
            group = "other shapes"
        else:
            group = "rules" if layout.rules else "more houses"
        groups.setdefault(group, []).append(name)
    return [{"name": group, "layouts": members} for group, members in groups.items()]


# -- reading requests ----------------------------------------------------------------------------


def _text(request: Request, name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str):
        raise PuzzleError(f"the request has no {name}")
    return value


def _record(request: Request) -> Record:
    """The puzzle with its metadata."""
    document = _text(request, "puzzle").encode(errors="replace")
    data = io.BytesIO(document)
    record = next(formats.load(data, format="json", on_warning=lambda record: None), None)
    if record is None:
        raise PuzzleError("the request has no puzzle")
    return record


def _filled(request: Request, puzzle: Grid) -> Grid:
    """The grid with the digits filled in so far."""
    layout = puzzle.layout
    cells = request.get("filled")
    if cells is None:
        return puzzle
    good = isinstance(cells, list) and len(cells) == layout.size
    if not good or not all(type(cell) is int and 0 <= cell <= layout.side for cell in cells):
        raise PuzzleError(f"filled must be a list of {layout.size} digits")
    return Grid.from_cells(tuple(cells), layout)


def _position(request: Request) -> tuple[Grid, Grid]:
    """The puzzle, and the grid with the digits filled in so far."""
    puzzle = _record(request).grid
    return puzzle, _filled(request, puzzle)


def _marks(request: Request, layout: Layout) -> tuple[int, ...] | None:
    """The notes: for each cell its candidates, bit d for digit d; None if there are none."""
    notes = request.get("marks") or []
    good = isinstance(notes, list) and all(
        isinstance(digits, list)
        and all(type(digit) is int and 1 <= digit <= layout.side for digit in digits)
        for digits in notes
    )
    if not good or len(notes) not in (0, layout.size):
        raise PuzzleError(f"marks must be a list of {layout.size} lists of digits")
    bits = tuple(sum(1 << digit for digit in set(digits)) for digits in notes)
    return bits if any(bits) else None


def _pairs(request: Request, layout: Layout) -> list[tuple[int, int]]:
    """The candidates that the player has crossed out: pairs of a cell number and a digit."""
    pairs = request.get("removed") or []
    good = isinstance(pairs, list) and all(
        isinstance(pair, list)
        and len(pair) == 2
        and all(type(number) is int for number in pair)
        and 0 <= pair[0] < layout.size
        and 1 <= pair[1] <= layout.side
        for pair in pairs
    )
    if not good:
        raise LayoutError("removed must be a list of pairs of a cell and a digit")
    return [(cell, digit) for cell, digit in pairs]


_KINDS: dict[str, Callable[[Request], Answer]] = {
    "broken": _broken,
    "candidates": _candidates,
    "check": _check,
    "export": _export,
    "draw": _draw,
    "fix": _fix,
    "hint": _hint,
    "kinds": _kinds,
    "new": _new,
    "offer": _offer,
    "open": _open,
    "path": _path,
    "rate": _rate,
    "solutions": _solutions,
    "solve": _solve,
    "tools": lambda request: {"tools": tools()},
}
