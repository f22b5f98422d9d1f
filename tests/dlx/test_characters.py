"""Boards drawn with characters, and when `dlx solve` draws them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from commands import Run
from hypothesis import example, given
from hypothesis import strategies as st
from terminals import Terminal

import dlx
from dlx import models
from dlx.cli.main import main
from dlx.drawing.boards import BoardReader, Piece, Tiling
from dlx.drawing.characters import ASCII, BAR, JUNCTIONS, bar_chart, board_text

Place = tuple[int, int]
labelled = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), st.none() | st.integers(0, 3), min_size=1
)


def by_label(labels: dict[Place, int | None]) -> dict[int, set[Place]]:
    """The places of each label."""
    found: dict[int, set[Place]] = {}
    for place, label in labels.items():
        if label is not None:
            found.setdefault(label, set()).add(place)
    return found


def parts_of(places: set[Place]) -> list[set[Place]]:
    """The connected parts, by merging."""
    parts: list[set[Place]] = []
    for row, column in places:
        near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        joined = [part for part in parts if part & near]
        parts = [part for part in parts if part not in joined]
        parts.append({(row, column)}.union(*joined))
    return parts


def tiling_of(labels: dict[Place, int | None]) -> Tiling:
    """Pieces of equal labels; None is a free place."""
    pieces = by_label(labels)
    return Tiling(
        frozenset(labels),
        tuple(Piece(tuple(sorted(one)), str(label)) for label, one in pieces.items()),
    )


def stripped(text: str) -> str:
    """The text without escape sequences and spaces at the ends of lines."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return "\n".join(line.rstrip() for line in plain.split("\n"))


@given(labels=labelled)
def test_lines_are_between_pieces_and_meet(labels: dict[Place, int | None]) -> None:
    text = board_text(tiling_of(labels))
    lines = text.split("\n")

    def at(row: int, column: int) -> str:
        return (
            lines[row][column] if 0 <= row < len(lines) and 0 <= column < len(lines[row]) else " "
        )

    def owner(row: int, column: int) -> object:
        label = labels.get((row, column), "outside")
        return (row, column) if label is None else label

    height, width = (1 + max(numbers) for numbers in zip(*labels, strict=True))
    for row in range(height + 1):
        for column in range(width + 1):
            here = owner(row, column)
            assert (at(2 * row + 1, 4 * column) == "│") == (owner(row, column - 1) != here)
            assert (at(2 * row, 4 * column + 2) == "─") == (owner(row - 1, column) != here)
            meet = (
                (at(2 * row - 1, 4 * column) == "│")
                + 2 * (at(2 * row, 4 * column + 1) == "─")
                + 4 * (at(2 * row + 1, 4 * column) == "│")
                + 8 * (at(2 * row, 4 * column - 1) == "─")
            )
            assert at(2 * row, 4 * column) == JUNCTIONS[meet]
    for label, places in by_label(labels).items():
        for part in parts_of(places):
            written = [at(2 * row + 1, 4 * column + 2) for row, column in part]
            assert sorted(written) == sorted([str(label), *" " * (len(part) - 1)])
    assert stripped(board_text(tiling_of(labels), color=True)) == text
    assert text.translate(ASCII).isascii()


def test_colors_fill_the_pieces() -> None:
    problem = models.dominoes(1, 4)
    text = board_text(BoardReader(problem).read(problem.solve() or ()), color=True)
    middle = text.split("\n")[1]
    first, second = re.findall(r"│\x1b\[38;5;16;48;5;(\d+)m {7}\x1b\[0m", middle)
    assert first != second


def test_queens_and_letters(tmp_path: Path) -> None:
    problem = models.queens(6)
    solution = problem.solve()
    assert solution is not None
    lines = board_text(BoardReader(problem).read(solution)).split("\n")
    found = {
        (row, column // 2)
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if character == "♛"
    }
    assert found == set(solution)
    (tmp_path / "words.txt").write_text("ab\ncd\nac\nbd\n")
    words = models.make("words", ["2", "2", str(tmp_path / "words.txt")])
    text = board_text(BoardReader(words).read(words.solve() or ()))
    assert re.findall("[a-z]", text) in (list("abcd"), list("acbd"))


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return monkeypatch


def shown(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> str:
    """What `dlx solve` writes to a terminal."""
    return on_terminal(monkeypatch, "solve", "--quiet", *arguments)


def on_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> str:
    """What a command writes to a terminal."""
    out = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        assert main([*map(str, arguments)]) == 0
    return out.getvalue()


@pytest.fixture
def dominoes(tmp_path: Path) -> Path:
    path = tmp_path / "dominoes.dlx"
    models.dominoes(2, 3).dump(path)
    return path


BOARD = "┌───────┬───┐\n│       │   │\n├───────┤   │\n│       │   │\n└───────┴───┘\n"


def test_a_terminal_shows_the_board(terminal: pytest.MonkeyPatch, dominoes: Path) -> None:
    text = shown(terminal, dominoes)
    assert "\x1b[" in text
    assert stripped(text).endswith(BOARD)
    assert stripped(shown(terminal, "--all", dominoes)).count("└") == 3
    assert "│" not in shown(terminal, "--no-draw", dominoes)
    assert "│" not in shown(terminal, "--json", dominoes)
    terminal.setenv("NO_COLOR", "1")
    plain = shown(terminal, dominoes)
    assert plain.endswith(BOARD)
    assert "\x1b[" not in plain
    terminal.setenv("COLUMNS", "12")
    assert "│" not in shown(terminal, dominoes), "it does not fit"
    assert "│" in shown(terminal, "--draw", dominoes)
    terminal.setenv("COLUMNS", "13")
    assert "│" in shown(terminal, dominoes)
    terminal.setenv("TERM", "dumb")
    assert "│" not in shown(terminal, dominoes)


def test_a_terminal_without_unicode(terminal: pytest.MonkeyPatch, dominoes: Path) -> None:
    terminal.setenv("NO_COLOR", "1")
    terminal.setattr(Terminal, "encoding", "ascii")
    assert shown(terminal, dominoes).endswith(BOARD.translate(ASCII))


def test_what_cannot_be_drawn_is_printed_all_the_same(
    terminal: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "problem.dlx"
    dlx.Problem.from_options([["a"], ["b"]]).dump(path)
    assert shown(terminal, path).startswith("solution 1:\n")
    crossed = dlx.Problem.from_options([["0,0", "0,1"], ["0,1", "0,2"]], multiplicities={"0,1": 2})
    crossed.dump(path)
    assert shown(terminal, path).startswith("solution 1:\n")


def test_a_pipe_gets_no_board_but_by_the_option(dominoes: Path, tmp_path: Path, run: Run) -> None:
    piped = run("solve", str(dominoes)).out
    assert "│" not in piped
    assert run("solve", "--draw", str(dominoes)).out == piped + BOARD
    assert (
        "--draw and --json cannot be used together"
        in run("solve", "--draw", "--json", str(dominoes), status=2).err
    )
    other = tmp_path / "other.dlx"
    dlx.Problem.from_options([["a"]]).dump(other)
    assert (
        "; `dlx trace --svg PICTURE FILE` draws" in run("solve", "--draw", str(other), status=2).err
    )


def test_squares_of_a_chessboard_have_colors_instead_of_dots() -> None:
    problem = models.queens(4)
    board = BoardReader(problem).read(problem.solve() or ())
    assert board_text(board) == "· ♛ · ·\n· · · ♛\n♛ · · ·\n· · ♛ ·"
    text = board_text(board, color=True)
    assert stripped(text) == "  ♛\n      ♛\n♛\n    ♛"
    assert len(set(re.findall(r"48;5;(\d+)", text))) == 2


def test_long_words_are_cut() -> None:
    problem = dlx.Problem.from_options({"x": ["1x1x2", "0,0,0", "1,0,0"]})
    text = board_text(BoardReader(problem).read(["x"]))
    assert text.split("\n")[1] == "│1x…│   │1x…│", "in both layers"


# -- bars ------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.text("ab", max_size=9), st.integers(0, 10**400)), max_size=9),
    st.integers(0, 60),
)
@example([("a", 1), ("b", 10**9), ("", 0)], 20)
def test_bars_are_as_long_as_their_numbers(rows: list[tuple[str, int]], width: int) -> None:
    texts, numbers = [text for text, _ in rows], [number for _, number in rows]
    left = max(map(len, texts), default=0)
    room = max(8, width - left - 1)
    for line, text, number in zip(bar_chart(texts, numbers, width), texts, numbers, strict=True):
        assert line[:left].rstrip() == text
        bar = line[left + 1 :]
        eighths = sum(map(BAR.index, bar))
        assert eighths == max(8 * room * number // max(1, *numbers), 1 if number else 0)
        assert len(line) <= left + 1 + room


def test_a_profile_has_bars_on_a_terminal_only(
    tmp_path: Path, terminal: pytest.MonkeyPatch, run: Run
) -> None:
    file = tmp_path / "queens.dlx"
    models.queens(8).dump(file)
    plain = run("estimate", "--profile", str(file)).out.splitlines()[2:]
    drawn = on_terminal(terminal, "estimate", "--profile", file).splitlines()[2:]
    assert [line.rstrip(BAR) for line in drawn] == plain
    assert max(line.count("\u2588") for line in drawn) > 30
    terminal.setenv("TERM", "dumb")
    assert on_terminal(terminal, "estimate", "--profile", file).splitlines()[2:] == plain


def test_info_draws_the_profile_on_a_terminal(
    tmp_path: Path, terminal: pytest.MonkeyPatch, run: Run
) -> None:
    file = tmp_path / "many.dlx"
    dlx.Problem.from_options([[f"i{n}"] for n in range(100) for _ in "ab"]).dump(file)
    drawn = on_terminal(terminal, "info", file)
    depths = re.findall(r"^depth (\d+): .* nodes +[\u2588\u2589-\u258f]+$", drawn, re.M)
    assert [int(depth) for depth in depths] == [*range(0, 101, 4)]
    assert "about " in drawn
    assert "depth" not in run("info", str(file)).out
