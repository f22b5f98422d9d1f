"""The public names of `sudoku`, the cost of its import, and its exceptions."""

from __future__ import annotations

import importlib
import pickle

import pytest
from commands import run_python

import sudoku

MODULES = [
    "analysis.canonical",
    "analysis.complete",
    "analysis.lint",
    "analysis.solution_candidates",
    "analysis.verdict",
    "board.grid",
    "board.layout",
    "errors",
    "formats.read",
    "generation",
    "hinting",
    "rules.check",
    "rules.cover",
    "solving.many",
    "solving.solve",
    "text.puzzles",
]
INTERNAL = {
    "Candidates",
    "CellDigits",
    "CoverModel",
    "LettersEntry",
    "LocatedPuzzle",
    "KINDS",
    "Kind",
    "MAX_SIDE",
    "RecordEntry",
    "Renderer",
    "Rule",
    "SYMBOLS",
    "cell_name",
    "cover_with_rules",
    "cover_within",
    "layout_cache",
    "lint_located",
    "listed",
    "set_renderer",
    "symbol",
    "words_of",
}


def test_all_is_sorted_and_complete() -> None:
    assert list(sudoku.__all__) == sorted(sudoku.__all__)
    for name in sudoku.__all__:
        assert getattr(sudoku, name).__doc__
    public = {name for m in MODULES for name in importlib.import_module(f"sudoku.{m}").__all__}
    assert public - set(sudoku.__all__) == INTERNAL
    assert set(sudoku.__all__) <= public


def test_an_import_is_light() -> None:
    code = (
        "import sys; before = set(sys.modules); import sudoku; "
        "print([m for m in ('click', 'rich', 'numpy', 'inspect', 'dataclasses', 'json')"
        " if m in set(sys.modules) - before])"
    )
    result = run_python(code, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "error",
    [
        sudoku.PuzzleError("what", line=3, text="text"),
        sudoku.NoSolution("none"),
        sudoku.LayoutError("boxes"),
    ],
)
def test_errors_pickle(error: sudoku.SudokuError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
