"""Hints: each technique on positions of our own, every step held to first principles."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
import verify_hints
from example_puzzles import INKALA, WIKIPEDIA
from folders import DOCS
from hint_positions import Example, load, random_puzzle
from hint_verifier import Board

import dlx
import sudoku
from sudoku import Grid, Layout, Step
from sudoku.hinting.geometry import bits
from sudoku.hinting.hints import first_deduction
from sudoku.hinting.registry import (
    ALL_HINT_TECHNIQUES,
    BANDS,
    BOX_SINGLE,
    HINT_TECHNIQUES,
    TECHNIQUES,
)
from sudoku.hinting.technique import registered

EXAMPLES = load()
HARDEST = "..2...7...1.....6.5......18....37.......49.....41.23....3.2.9...8.....5.6.......2"


def board_of(example: Example) -> Board:
    """The verifier's view of the position."""
    position = example.position
    places = position.tables.layout.positions
    grid = Grid.from_cells(tuple(position.values), position.tables.layout)
    given = {places[cell] for cell in bits(position.given)}
    plain = Board(grid)
    crossed = [
        (*cell, digit)
        for cell, digits in plain.candidates.items()
        for digit in digits
        if not position.planes[digit] >> places.index(cell) & 1
    ]
    return Board.of(grid, given, crossed)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.technique)
def test_a_technique_finds_what_it_should(example: Example) -> None:
    technique = registered()[example.technique]
    steps = [find.step(example.position) for find in islice(technique.find(example.position), 200)]
    wanted = [
        step
        for step in steps
        if (step.eliminations, step.placements) == (example.removed, example.placed)
    ]
    assert wanted
    board = board_of(example)
    sets = example.technique.startswith(("ALS", "death"))
    for step in (*wanted[:1], *steps[: 40 if sets else 3]):
        board.verify(step)


def test_every_technique_has_an_example() -> None:
    assert {example.technique for example in EXAMPLES} == {
        technique.name for technique in TECHNIQUES if not technique.rules
    }


@pytest.mark.parametrize("example", EXAMPLES[::7], ids=lambda example: example.technique)
def test_all_at_once_is_all_one_by_one(example: Example) -> None:
    """What the rating does in a round is what the steps do one after another."""
    for technique in TECHNIQUES:
        if technique.all is None or technique.name == "trial":
            continue
        removed, placed = [0] * 10, {}
        for find in technique.find(example.position):
            placed.update(find.placed)
            for digit, cells in find.removed:
                removed[digit] |= cells
        found = technique.deduce(example.position)
        assert (found.removed, found.placed) == (removed, placed), technique.name


@pytest.mark.parametrize(
    ("rows", "columns", "seed"),
    [
        *((3, 3, seed) for seed in range(6)),
        *((2, 2, 1), (2, 3, 2), (3, 2, 3), (1, 5, 4), (2, 4, 5)),
        pytest.param(3, 3, None, marks=pytest.mark.lengthy),
    ],
)
def test_hints_lead_to_the_solution(rows: int, columns: int, seed: int | None) -> None:
    """Of puzzles drawn at random, and of the hardest."""
    layout = Layout(rows, columns)
    puzzle = sudoku.parse(INKALA) if seed is None else random_puzzle(seed, layout)
    board = Board(puzzle)
    order = {technique.name: at for at, technique in enumerate(HINT_TECHNIQUES)}
    for step in sudoku.hints(puzzle):
        board.verify(step)
        board.apply(step)
        assert order.get(step.technique) is not None or "nice loop" in step.technique
    assert board.is_solved
    assert list(board.values.values()) == list(sudoku.solve(puzzle).cells)


@pytest.mark.lengthy
def test_the_verifier_refuses_more_than_follows() -> None:
    """A step that also removes what its pattern says nothing about."""
    refused = tried = 0
    for example in EXAMPLES:
        if example.technique.endswith(("trial", "forcing net")) or not example.removed:
            continue
        board = board_of(example)
        steps = (
            find.step(example.position)
            for find in registered()[example.technique].find(example.position)
        )
        step = next(s for s in steps if s.eliminations == example.removed)
        more = [
            (*cell, digit)
            for cell, digits in board.candidates.items()
            for digit in digits
            if board.solution[cell] != digit and (*cell, digit) not in step.eliminations
        ]
        for extra in random.Random(1).sample(more, min(len(more), 4)):
            tried += 1
            try:
                board.verify(step._replace(eliminations=(*step.eliminations, extra)))
            except AssertionError:
                refused += 1
    assert tried > 200
    assert refused > 0.95 * tried  # some patterns do say more: a pair may lie in two houses


def test_the_verifier_refuses_a_net_that_is_not_all_there() -> None:
    example = next(e for e in EXAMPLES if e.technique == "nested forcing net")
    board = board_of(example)
    step = next(registered()[example.technique].find(example.position)).step(example.position)
    board.verify(step)
    base = [mark for mark in step.pattern.marks if mark.role == "on"]
    with pytest.raises(AssertionError, match="no contradiction"):
        board.verify(step._replace(pattern=step.pattern._replace(marks=tuple(base))))
    ((row, column, _),) = step.eliminations
    place = next(cell for cell in board.candidates if cell != (row, column))
    right = base[0]._replace(row=place[0], column=place[1], digit=board.solution[place], role="off")
    with pytest.raises(AssertionError, match="it can be"):
        board.verify(step._replace(pattern=step.pattern._replace(marks=(right,))))


@pytest.mark.lengthy
def test_no_trial_for_the_hardest_puzzles() -> None:
    """Nets within nets are enough for them; a rating, which proves nothing, says trial."""
    steps = [step.technique for step in sudoku.hints(HARDEST)]
    assert "nested forcing net" in steps
    assert "trial" not in steps
    assert sudoku.rate(HARDEST).hardest == "trial"


@pytest.mark.lengthy
def test_whole_lists_are_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{WIKIPEDIA}\n{random_puzzle(8).line}\n")
    assert verify_hints.main([str(path), "--random", "1", "--each", "1"]) == 0
    table = capsys.readouterr().out
    assert "of 3 puzzles | " in table
    assert re.search(r"\| grouped AIC \| [1-9]", table)
    assert table.splitlines()[-1].startswith("0 refused")


def test_hints_from_notes_are_verified(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an offer of notes in some; and an offer that lacks a cell is refused."""
    assert verify_hints.main(["--random", "8", "--marks", "--seed", "40"]) == 0
    assert "of 8 puzzles | " in capsys.readouterr().out
    hints, offers = sudoku.hints, []

    def with_less(puzzle: Grid, **more: object) -> Iterator[Step]:
        for step in hints(puzzle, **more):
            if step.technique == "notes":
                offers.append(step)
                marks = step.pattern.marks[1:]
                step = step._replace(pattern=step.pattern._replace(marks=marks))
            yield step

    monkeypatch.setattr(sudoku, "hints", with_less)
    status = verify_hints.main(["--random", "8", "--marks", "--seed", "40"])
    assert offers
    assert status == 1
    assert capsys.readouterr().out.count("REFUSED notes: ") == len(offers)


def test_what_is_refused_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A technique that is wrong, and hints that end too early."""
    good = list(sudoku.hints(WIKIPEDIA))
    wrong = good[0]._replace(placements=((1, 6, 9),))
    monkeypatch.setattr(sudoku, "hints", lambda *_, **__: iter([wrong]))
    assert verify_hints.main(["--random", "1"]) == 1
    reported = capsys.readouterr().out
    assert (
        "REFUSED hidden single: r1c6 is the only place for 8 in box 2: places a wrong" in reported
    )
    assert random_puzzle(0).line in reported
    monkeypatch.setattr(sudoku, "hints", lambda *_, **__: iter(()))
    assert verify_hints.main(["--random", "1"]) == 1
    assert "the hints end before the solution" in capsys.readouterr().out


def test_the_verifier_refuses_what_is_wrong() -> None:
    board = Board(sudoku.parse(WIKIPEDIA))
    step = next(sudoku.hints(WIKIPEDIA))
    ((row, column, digit),) = step.placements
    with pytest.raises(AssertionError, match="removes a digit"):
        board.verify(step._replace(eliminations=step.placements))
    with pytest.raises(AssertionError, match="does nothing"):
        board.verify(step._replace(placements=()))
    with pytest.raises(AssertionError, match="wrong digit"):
        board.verify(step._replace(placements=((row, column, digit % 9 + 1),)))


def test_what_a_step_is() -> None:
    step = next(sudoku.hints(WIKIPEDIA))
    assert isinstance(step, Step)
    assert (step.technique, step.placements) == ("hidden single", ((1, 6, 8),))
    assert str(step) == "r1c6 is the only place for 8 in box 2"
    assert step.cells == ((1, 6),)
    assert step.pattern.houses == ("box 2",)
    assert pickle.loads(pickle.dumps(step)) == step
    with pytest.raises(AttributeError):
        step.technique = "guess"  # type: ignore[misc]


def test_sentences() -> None:
    """One example each of how families talk."""
    said = {}
    for example in EXAMPLES:
        find = next(iter(registered()[example.technique].find(example.position)))
        said[example.technique] = str(find.step(example.position))
    assert " is the last empty cell of " in said["full house"]
    assert " can only be " in said["naked single"]
    for technique, sentence in said.items():
        assert "  " not in sentence
        assert not sentence.endswith(".")
        if technique not in (
            "full house",
            "hidden single",
            "naked single",
            "trial",
            "template set",
        ):
            assert " cannot be " in sentence, technique


def test_the_page_has_every_technique() -> None:
    """docs/hints.md: names, codes, bands and scores, and an example with its sentence."""
    page = (DOCS / "hints.md").read_text()
    examples = {example.technique: example for example in reversed(EXAMPLES)}
    for technique in TECHNIQUES:
        if technique.rules:  # tests/sudoku/test_hints_rules.py has them
            continue
        example = examples[technique.name]
        band = f"*{technique.use}*" if technique.use in ("rare", "variant") else technique.band
        about = f"| {technique.name} | {technique.code or '-'} | {band} | {technique.score} | "
        steps = (find.step(example.position) for find in technique.find(example.position))
        assert any(f"{about}{step} |\n" in page for step in steps), technique.name


def test_how_nets_are_told() -> None:
    """Also those where the assumption alone leaves nothing."""
    position = next(e for e in EXAMPLES if e.technique == "X-wing").position
    sentences = [str(find.step(position)) for find in registered()["forcing net"].find(position)]
    end = r"(nothing is left for \w+|\w+ \d has no place for \d|\w+ cannot be both \d and \d)"
    form = re.compile(rf"if r\dc\d is \d, (then .*, and )?{end}, so r\dc\d cannot be \d")
    assert all(map(form.fullmatch, sentences))
    assert any(" then " not in sentence for sentence in sentences)
    assert any(" then " in sentence for sentence in sentences)


def test_hints_are_lazy_and_of_the_easiest_technique() -> None:
    example = next(e for e in EXAMPLES if e.technique == "X-wing")
    find = first_deduction(example.position)
    rank = [t.name for t in HINT_TECHNIQUES].index(find.technique)
    for easier in HINT_TECHNIQUES[:rank]:
        assert not list(easier.find(example.position))


def test_hints_go_on_from_what_is_filled_in() -> None:
    steps = list(sudoku.hints(WIKIPEDIA))
    assert len(steps) == 51
    cells = list(sudoku.parse(WIKIPEDIA).cells)
    for row, column, digit in (placed for step in steps[:10] for placed in step.placements):
        cells[row * 9 + column - 10] = digit
    filled = Grid.from_cells(tuple(cells), Layout(3, 3))
    assert next(sudoku.hints(WIKIPEDIA, filled=filled)) == steps[10]
    full = sudoku.solve(WIKIPEDIA)
    assert list(sudoku.hints(WIKIPEDIA, filled=full)) == []
    assert list(sudoku.hints(full)) == []


def test_crossed_out_candidates_are_not_told_again() -> None:
    puzzle = random_puzzle(3)
    steps = sudoku.hints(puzzle)
    gone: list[tuple[int, int, int]] = []
    cells = list(puzzle.cells)
    for step in steps:
        here = next(
            sudoku.hints(puzzle, filled=Grid.from_cells(tuple(cells), puzzle.layout), removed=gone)
        )
        assert here == step
        gone += step.eliminations
        for row, column, digit in step.placements:
            cells[row * 9 + column - 10] = digit


def test_mistakes_are_named() -> None:
    wrong = WIKIPEDIA[:2] + "2" + WIKIPEDIA[3:]
    (step,) = sudoku.hints(WIKIPEDIA, filled=wrong)
    assert (step.technique, step.eliminations) == ("mistake", ((1, 3, 2),))
    assert str(step) == "2 in r1c3 is wrong"
    (step,) = sudoku.hints(WIKIPEDIA, removed=[(1, 3, 4)])
    assert (step.technique, str(step)) == (
        "mistake",
        "r1c3 is 4, which was crossed out",
    )
    assert step.eliminations == ()
    assert step.placements == ((1, 3, 4),)


@pytest.mark.parametrize("ask", [sudoku.hints, sudoku.rate])
def test_puzzles_without_or_with_many_solutions(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(
        sudoku.NoSolution, match=r"^no solution; r1c3=5 is wrong: without it there is exactly"
    ):
        ask(WIKIPEDIA[:2] + "5" + WIKIPEDIA[3:])
    with pytest.raises(sudoku.NoSolution, match=r"no solution; one digit is wrong, perhaps r"):
        ask(WIKIPEDIA[:2] + "2" + WIKIPEDIA[3:])
    with pytest.raises(sudoku.NoSolution, match="both 1"):
        ask("11.............." + "." * 65)
    with pytest.raises(
        sudoku.NotUnique, match=r"more than one solution \(r\dc\d can be \d or \d\)"
    ):
        ask("." * 81)
    with pytest.raises(sudoku.PuzzleError, match="80 characters"):
        ask(WIKIPEDIA[:-1])


def test_a_mistake_that_takes_too_long_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the search for it is given up, and there is no solution all the same."""
    asked: list[object] = []

    def late(*arguments: object, **keywords: object) -> bool:
        asked.append(arguments)
        raise dlx.SearchInterrupted("timeout", count=0, stats=dlx.Stats(0, 0, 0, (), 0.0))

    monkeypatch.setattr("sudoku.hinting.player.is_unique", late)
    with pytest.raises(sudoku.NoSolution, match=r"already leave no solution|both 5"):
        sudoku.hints(WIKIPEDIA[:2] + "5" + WIKIPEDIA[3:])
    assert len(asked) == 1


@pytest.mark.parametrize("ask", [sudoku.hints, sudoku.rate])
def test_a_search_that_takes_too_long(ask: Callable[..., object]) -> None:
    with pytest.raises(dlx.SearchInterrupted) as caught:
        ask("." * 256, timeout=0)
    assert caught.value.reason == "timeout"
    assert ask(WIKIPEDIA, timeout=60)


def test_what_is_filled_in_must_fit() -> None:
    with pytest.raises(sudoku.PuzzleError, match="r1c1 is 5 in the puzzle but 6 in the filled"):
        sudoku.hints(WIKIPEDIA, filled="6" + WIKIPEDIA[1:])
    with pytest.raises(sudoku.PuzzleError, match=r"r1c1 is 5 in the puzzle but \. in the filled"):
        sudoku.hints(WIKIPEDIA, filled="." * 81)
    for wrong in [(0, 1, 2), (1, 10, 2), (1, 2), "r1c2=3", ("1", "2", "3"), (1, 1, True), None]:
        with pytest.raises(sudoku.PuzzleError, match=r"is not a candidate \(row, column"):
            sudoku.hints(WIKIPEDIA, removed=[wrong])  # type: ignore[list-item]
    with pytest.raises(sudoku.PuzzleError):
        sudoku.hints(WIKIPEDIA, filled="." * 16)


@pytest.mark.lengthy
def test_rare_techniques_come_on_request() -> None:
    example = next(e for e in EXAMPLES if e.technique == "sue de coq")
    rare = {t.name for t in ALL_HINT_TECHNIQUES} - {t.name for t in HINT_TECHNIQUES}
    assert {"franken fish", "sue de coq", "template delete"} < rare
    assert any(next(iter(registered()[name].find(example.position)), None) for name in rare)
    puzzle = "........7..4.2.6..8.....31......29...4..9..3...95.6....1......8..6.5.2..7......6."
    assert not rare & {step.technique for step in sudoku.hints(puzzle)}
    with_all = [step.technique for step in sudoku.hints(puzzle, every=True)]
    assert "franken fish" in with_all
    assert not set(with_all) & {t.name for t in TECHNIQUES if t.use == "variant"} - {
        *("continuous nice loop", "discontinuous nice loop"),
        *("grouped continuous nice loop", "grouped discontinuous nice loop"),
    }


def test_the_register() -> None:
    assert len({t.name for t in TECHNIQUES}) == len(TECHNIQUES)
    unordered = {*registered()} - {t.name for t in TECHNIQUES} - {BOX_SINGLE.name}
    assert not unordered, f"add {unordered} to ORDER in sudoku/hinting/registry.py"
    assert HINT_TECHNIQUES[0].name == "full house"
    assert HINT_TECHNIQUES[-1].name == "trial"
    ranks = [BANDS.index(t.band) for t in HINT_TECHNIQUES]
    assert ranks == sorted(ranks)
    with pytest.raises(KeyError):
        registered()["guessing"]


def test_only_the_techniques_asked_for() -> None:
    """In the order of the list, which may end before the solution."""
    puzzle = ".563...7.8.7..2...9....85...3.6......68...25......5.6...24....7...8..1.5.8...739."
    some = ["XY-wing", "naked pair", "easy", "gentle"]
    names = [step.technique for step in sudoku.hints(puzzle, techniques=some)]
    allowed = {"XY-wing", "naked pair", "hidden single", "naked single", "full house"}
    assert {"XY-wing"} < set(names) <= allowed
    assert len(names) < len(list(sudoku.hints(puzzle)))
    usual = {step.technique for step in sudoku.hints(puzzle)}
    without = {step.technique for step in sudoku.hints(puzzle, techniques="-XY-wing, -W-wing")}
    assert usual - without >= {"XY-wing"}
    turned = sudoku.hints(puzzle, techniques=[one.name for one in reversed(HINT_TECHNIQUES)])
    assert next(turned).technique == "trial"
    assert sudoku.rate(puzzle).hardest == "grouped AIC"
    assert sudoku.rate(puzzle, techniques="-grouped AIC").hardest == "forcing net"
    with pytest.raises(sudoku.SudokuError, match="do not solve"):
        sudoku.rate(puzzle, techniques="easy")
    for wrong in (["X-wimg"], "easy,-X-wimg"):
        with pytest.raises(dlx.InvalidArgument, match=r"X-wimg.*did you mean X-wing"):
            sudoku.hints(puzzle, techniques=wrong)
    for nothing in ([], "X-wing,-X-wing", 7, [None]):
        with pytest.raises(dlx.InvalidArgument):
            sudoku.hints(puzzle, techniques=nothing)


EUREKA = {
    "skyscraper": "(7)r6c2=r5c2-r5c7=r6c7 => r6c8<>7",
    "W-wing": "(2=6)r3c2-r3c1=r7c1-(6=2)r8c2 => r79c2<>2",
    "grouped AIC": "(7)r5c2=r6c2-r6c7=r5c7-r56c8=r56c7 => r5c8<>7",
    "continuous nice loop": "(7)r5c2=r6c2-r6c7=r5c7-loop => r56c8<>7",
    "ALS-XZ": "(3=8)r4c7-(8=3)r2569c7-loop => r56c8<>7",
    "AIC with ALS": "(3=6)r1c9-(6=4)r78c9,r9c79 => r9c9<>3",
    "remote pairs": "",
    "X-wing": "",
    "forcing net": "",
}


def test_eureka_notation() -> None:
    found = {}
    for example in reversed(EXAMPLES):
        if example.technique in EUREKA:
            steps = registered()[example.technique].find(example.position)
            right = (find.step(example.position) for find in steps)
            found[example.technique] = next(
                step.eureka for step in right if step.eliminations == example.removed
            )
    assert found == EUREKA
