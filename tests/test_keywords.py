"""The keywords that type checkers know of a question are those that its method spells out."""

from __future__ import annotations

import inspect
from typing import Any, ForwardRef, get_args

import pytest

import dlx
from dlx import keywords
from dlx.plan import QUESTIONS

OF = {
    "from_options": keywords.FromOptionsKeywords,
    "covering": keywords.CoveringKeywords,
    "packing": keywords.PackingKeywords,
    "solutions": keywords.SolutionsKeywords,
    "solve": keywords.SolveKeywords,
    "count": keywords.CountKeywords,
    "is_unique": keywords.UniqueKeywords,
    "solve_many": keywords.ManyKeywords,
    "count_many": keywords.ManyKeywords,
    "minimum": keywords.RankingKeywords,
    "maximum": keywords.RankingKeywords,
    "diagram": keywords.DiagramKeywords,
    "sample": keywords.SampleKeywords,
    "explain": keywords.ExplainKeywords,
}
APART = {"costs": ("minimum", "maximum"), "limit": ("solve_many", "count_many")}
APART |= dict.fromkeys(("errors", "code"), APART["limit"])
"""Keywords that overloads name, because the type of the answer depends on them."""


def declared(kind: Any) -> dict[str, str]:
    """The keywords of a TypedDict, and their types as texts."""
    return {
        name: one.__forward_arg__ if isinstance(one, ForwardRef) else one
        for name, one in kind.__annotations__.items()
    }


@pytest.mark.parametrize("method", OF)
def test_the_keywords_are_those_of_the_method(method: str) -> None:
    parameters = inspect.signature(getattr(dlx.Problem, method)).parameters.values()
    spelled_out = {
        one.name: one.annotation
        for one in parameters
        if one.kind == one.KEYWORD_ONLY and method not in APART.get(one.name, ())
    }
    assert declared(OF[method]) == spelled_out


def test_those_of_plans() -> None:
    of_rankings = get_args(keywords.RankingName)
    assert {*get_args(keywords.SearchName), *of_rankings} == {*QUESTIONS}
    known = declared(keywords.PlanKeywords)
    for question in set(QUESTIONS) - {*of_rankings}:
        parameters = inspect.signature(getattr(dlx.Problem, question)).parameters.values()
        named = {one.name: one.annotation for one in parameters if one.kind == one.KEYWORD_ONLY}
        assert named.items() <= known.items()


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_with_all_its_keywords_has_a_plan(question: str) -> None:
    parameters = inspect.signature(getattr(dlx.Problem, question)).parameters.values()
    given = {one.name: one.default for one in parameters if one.default is not one.empty}
    assert dlx.Problem(["a"]).plan(question, **given) == dlx.Problem(["a"]).plan(question)


def test_those_of_the_functions() -> None:
    of_items = declared(keywords.ProblemKeywords)
    for name, kind in (
        ("solve", keywords.SolveFunctionKeywords),
        ("solutions", keywords.SolutionsFunctionKeywords),
    ):
        assert declared(kind) == {**of_items, **declared(OF[name])}
        parameters = inspect.signature(getattr(dlx, name)).parameters.values()
        assert {one.name for one in parameters if one.kind == one.KEYWORD_ONLY} == set(of_items)
