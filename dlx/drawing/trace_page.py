"""The interactive page that plays Algorithm X step by step: `dlx trace --html`."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final

from dlx.core.arguments import check_number
from dlx.core.entries import Colored, Times, entry_text, item_text
from dlx.drawing.recording import RECORDED, Recording, record
from dlx.errors import InvalidArgument, counted
from dlx.escapes import markup, visible
from dlx.links.build import build_matrix_of_kind

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.view import ProblemView
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import TraceStep

__all__ = ["trace_page"]

LARGEST: Final = 2000
"""The most nodes, headers included, that a page can show readably."""

NONE_MORE: Final = -1


def check_size(problem: ProblemView) -> None:
    """Raises `InvalidArgument` if the problem is too large for a page."""
    size = len(problem.items) + problem.entry_count
    if size > LARGEST:
        raise InvalidArgument(
            f"the problem has {size} items and entries; a page shows up to {LARGEST}: use the "
            "trace as text, or a smaller problem"
        )


def trace_page(
    problem: ProblemView,
    numbered: NumberedProblem,
    *,
    title: str,
    steps: int,
    heuristic: str | Heuristic,
) -> str:
    """The HTML of the page, as text: see `Problem.trace_page`."""
    steps = check_number("steps", steps, 0)
    check_size(problem)
    table = problem._table
    matrix = build_matrix_of_kind(table, numbered.rank, numbered.order, RECORDED)
    recording = record(matrix, steps, heuristic)
    data = json.dumps(_data(problem, recording), ensure_ascii=True, separators=(",", ":"))
    script = _piece("page.js").replace("$data", data.replace("<", "\\u003c"), 1)
    style = _piece("page.css")
    return Template(_piece("page.html")).substitute(
        title=markup(title),
        summary=markup(_summary(problem, recording)),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
    )


def _piece(name: str) -> str:
    return (files("dlx.drawing") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The hash of an inline script or style for the content security policy."""
    return b64encode(sha256(text.encode()).digest()).decode()


def _summary(problem: ProblemView, recording: Recording) -> str:
    found = sum(step.kind == "solution" for _, step in recording.steps)
    parts = [
        counted(len(problem.items), "item"),
        counted(len(problem), "option"),
        counted(len(recording.steps), "step"),
        counted(len(recording.events), "link") + " changed",
        counted(found, "solution"),
    ]
    cut = "" if recording.complete else "; cut here, there are more steps"
    return ", ".join(parts) + cut


def _data(problem: ProblemView, recording: Recording) -> dict[str, Any]:
    """The data of the page, in the structure that its script page.js reads."""
    columns = {
        node.head.name: place for place, node in enumerate(recording.nodes[: len(problem.items)])
    }
    primary = set(problem.primary)
    rows: dict[int, int] = {}  # option index -> row, in the order in which options are tried
    for node in recording.nodes[len(columns) :]:
        rows.setdefault(node.option, len(rows))
    options = [problem.options[index] for index in rows]
    every_name = problem.names
    names = [visible(every_name[index]) for index in rows]
    return {
        "items": [
            {"name": visible(item_text(item)), "primary": item in primary} for item in columns
        ],
        "options": [
            {
                "name": name,
                "full": f"{name}: {visible(' '.join(map(entry_text, option)))}",
                "entries": [_entry(columns, entry) for entry in option],
            }
            for name, option in zip(names, options, strict=True)
        ],
        "events": [number for event in recording.events for number in event],
        "steps": list(_steps(recording.steps, rows, names)),
        "complete": recording.complete,
    }


def _entry(columns: dict[Any, int], entry: Any) -> tuple[int, str | None]:
    if isinstance(entry, Colored):
        return columns[entry.item], visible(entry.color)
    if isinstance(entry, Times):
        return columns[entry.item], f"*{entry.weight}"
    return columns[entry], None


def _steps(
    steps: Sequence[tuple[int, TraceStep]], rows: dict[int, int], names: Sequence[str]
) -> Any:
    """For each step its text, and the rows of the options that are taken after it."""
    taken: list[int] = []
    for events, step in steps:
        del taken[step.level :]
        if step.kind == "try":
            taken.append(NONE_MORE if step.option is None else rows[step.option])
        words = str(step).strip()
        if step.kind == "try" and step.option is not None:
            words = f"try option {names[rows[step.option]]}"
        yield {
            "events": events,
            "kind": step.kind,
            "text": words[0].upper() + words[1:],
            "taken": [row for row in taken if row != NONE_MORE],
        }
