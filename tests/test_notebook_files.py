"""The notebooks in examples/ run as they are, and show what they have stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from folders import EXAMPLES

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
LARGEST = 100_000
"""Bytes of a notebook with its outputs."""


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell: Any) -> list[str]:
    """What a cell prints and returns, as plain text; nothing of a cell tagged "varies"."""
    if "varies" in cell.metadata.get("tags", []):
        return []
    printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    returned = [
        output.data["text/plain"]
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    return [printed, *returned]


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["counting", "puzzles", "rosters", "sudoku"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_complete(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert path.stat().st_size < LARGEST
    assert notebook.cells[0].cell_type == "markdown"
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    shown = [data for cell in cells for output in cell.outputs for data in output.get("data", {})]
    assert "text/html" in shown  # pictures or tables
    assert not [output for cell in cells for output in cell.outputs if "error" in output]
    assert all(output.get("name") != "stderr" for cell in cells for output in cell.outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    text = "".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    for word in text.replace("(", " ").replace(")", " ").replace("`", " ").split():
        if word.endswith((".md", ".ipynb")):
            folder = EXAMPLES.parent if word.startswith("docs/") else EXAMPLES
            assert (folder / word).exists(), word


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Jupyter
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_has_stored(path: Path, tmp_path: Path) -> None:
    stored, again = read(path), read(path)
    client = nbclient.NotebookClient(
        again,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
        record_timing=False,
    )
    client.execute()
    for before, after in zip(code_cells(stored), code_cells(again), strict=True):
        assert texts(after) == texts(before), before.source
