"""Messages say "1 option" and "2 options"."""

from __future__ import annotations

import re

import pytest

import dlx
import dlx.models
from dlx.errors import counted

ONE = dlx.Problem.from_options([["a"]])


def test_counted() -> None:
    assert [counted(n, "node") for n in (0, 1, 2)] == ["0 nodes", "1 node", "2 nodes"]
    assert counted(10**6, "primary item", ",") == "1,000,000 primary items"


def test_states_of_searches() -> None:
    search = ONE.solutions(engine="links")
    assert repr(search) == "<dlx.Search: 0 solutions found, not started>"
    next(search)
    assert repr(search) in (
        "<dlx.Search: 1 solution found, under way>",
        "<dlx.Search: 1 solution found, exhausted>",
    )
    answers = ONE.solve_many([[]])
    assert repr(answers) == "<dlx.Answers: 0 sets of givens read, not started>"
    next(answers)
    assert repr(answers).startswith("<dlx.Answers: 1 set of givens read, ")


def test_a_search_of_one_node() -> None:
    with pytest.raises(dlx.SearchInterrupted, match="after 1 node, with 0 solutions found so far"):
        dlx.models.queens(8).count(node_limit=1)


@pytest.mark.parametrize(
    "text",
    [
        str(ONE.reduced().summary),
        repr(dlx.Code(ONE, [{"*": 0}])),
        repr(ONE.diagram()),
        repr(ONE),
    ],
)
def test_one_of_everything(text: str) -> None:
    assert not re.search(r"\b1 \w+ ?\w*(options|items|places|nodes|solutions|rounds)\b", text), text
    assert not re.search(r"\b1 (options|items|places|nodes|solutions|rounds)\b", text), text
