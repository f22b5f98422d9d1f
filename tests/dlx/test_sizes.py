"""Contradictions between sizes: they are true, and they are found where pieces do not fit."""

from __future__ import annotations

import random

import pytest
from bruteforce import Case, all_subsets
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of
from strategies import multi_cases

import dlx
from dlx import models
from dlx.analysis.sizes import size_conflict


def sentence_of(problem: dlx.Problem) -> str | None:
    found = size_conflict(table_of(problem))
    return None if found is None else found.sentence


@st.composite
def cases_of_pieces(draw: st.DrawFn) -> Case:
    """Options of a piece and some cells; most are contradictions, and many by little."""
    pieces, cells = ("p", "q", "r")[: draw(st.integers(1, 3))], ("a", "b", "c", "d")
    sizes = {piece: draw(st.integers(0, 3)) for piece in pieces}
    optional = draw(st.sampled_from([(), (), ("d",), ("c", "d"), ("p",)]))
    primary = tuple(item for item in (*pieces, *cells) if item not in optional)
    some = st.sampled_from([(0, 1), (1, 2), (1, None), (2, 2), (0, 3), (2, 4)])
    bounds = tuple(draw(some) if draw(st.booleans()) else (1, 1) for _ in primary)
    roomy = {item for item, (_, high) in zip(primary, bounds, strict=True) if high != 1}
    options = []
    for piece in draw(st.lists(st.sampled_from(pieces), max_size=7)):
        size = sizes[piece] + draw(st.sampled_from([0, 0, 0, 1]))
        chosen = [
            dlx.times(cell, 2) if cell in roomy and draw(st.integers(0, 3)) == 0 else cell
            for cell in draw(st.permutations(cells))[:size]
        ]
        options.append(tuple(draw(st.permutations([piece, *chosen]))))
    return Case(
        primary,
        optional,
        tuple(option for option in options if not set(optional).issuperset(option)),
        bounds,
    )


@pytest.mark.parametrize("strategy", [cases_of_pieces(), multi_cases(weights=True)])
@given(data=st.data())
def test_contradictions_are_true(strategy: st.SearchStrategy[Case], data: st.DataObject) -> None:
    """There is no solution, also without all items that they do not name."""
    case = data.draw(strategy)
    found = size_conflict(table_of(case.problem()))
    if found is None:
        return
    kept = {(*case.primary, *case.secondary)[number] for number in found.items}
    pairs = [pair for pair in case.bounds_by_item() if pair[0] in kept]
    named = Case(
        tuple(item for item, _ in pairs),
        tuple(item for item in case.secondary if item in kept),
        tuple(
            tuple(entry for entry in option if getattr(entry, "item", entry) in kept)
            for option in case.options
        ),
        tuple(bounds for _, bounds in pairs),
    )
    assert not all_subsets(case)
    assert not all_subsets(named)


BARS = {f"i{n}": [(0, column) for column in range(n)] for n in (2, 3, 4)}
PIGEONS = [[("pigeon", one), ("hole", other)] for one in range(5) for other in range(4)]
SHIFTS = [[name, day] for name in ("ann", "bob") for day in ("mon", "tue", "wed")]


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (
            models.polyominoes(BARS, models.box(2, 5)),
            "the 3 items 'i2', 'i3', 'i4' cover 9 of the 10 items (0, 0), (0, 1), (0, 2), ...",
        ),
        (
            models.polyominoes(BARS, models.box(2, 4)),
            "the 3 items 'i2', 'i3', 'i4' need 9 of the 8 items (0, 0), (0, 1), (0, 2), ...",
        ),
        (models.polyominoes(BARS, models.box(1, 9)), None),
        (
            models.polyominoes(BARS, models.box(3, 5), counts=dict.fromkeys(BARS, (0, 1))),
            "the 3 items 'i2', 'i3', 'i4' cover at most 9 of the 15 items "
            "(0, 0), (0, 1), (0, 2), ...",
        ),
        (
            dlx.Problem.from_options(PIGEONS, secondary=[("hole", n) for n in range(4)]),
            "the 5 items ('pigeon', 0), ('pigeon', 1), ('pigeon', 2), ... need 5 of the 4 items "
            "('hole', 0), ('hole', 1), ('hole', 2), ...",
        ),
        (
            dlx.Problem.from_options(
                SHIFTS, multiplicities={"ann": (0, 2), "bob": 1, "mon": 2, "wed": (1, 2)}
            ),
            "the 2 items 'ann', 'bob' cover at most 3 of the 4 times that the 3 items 'mon', "
            "'tue', 'wed' need",
        ),
        (
            dlx.Problem.from_options(
                [["kg", "ann"], ["kg", "bob"], ["kg", "cy"]], multiplicities={"kg": (0, 2)}
            ),
            "item 'kg' covers at most 2 of the 3 items 'ann', 'bob', 'cy'",
        ),
        (dlx.Problem(), None),
        (models.langford(5), None),  # a contradiction by parity
    ],
)
def test_sentences(problem: dlx.Problem, sentence: str | None) -> None:
    assert sentence_of(problem) == sentence
    expected = () if sentence is None else (f"{sentence}: there is no solution",)
    assert problem.warnings() == expected


def test_pieces_anywhere_in_an_option() -> None:
    """And of many options, more than the sample of those in which pieces are searched for."""
    rng = random.Random(1)
    problem = models.pentominoes(9, 9, without=[(0, column) for column in range(9)])
    options = [rng.sample(option, len(option)) for option in problem.options]
    many = dlx.Problem.from_options(options * 2, primary=problem.primary)
    assert sentence_of(many) == (
        "the 12 items 'F', 'I', 'L', ... cover 60 of the 72 items (1, 0), (1, 1), (1, 2), ..."
    )


def test_an_explanation_by_sizes() -> None:
    """At once, with all items that do not fit: no set that is proved to be irreducible."""
    problem = models.pentominoes(8, 8)
    found = problem.explain()
    assert found is not None
    assert (found.items, found.givens) == (problem.items, ())
    assert (found.irreducible, found.stopped_by) == (False, None)
    assert str(found) == sentence_of(problem)
    assert "not proved<" in found._repr_html_()
    cells = problem.explain(among=problem.items[12:])
    assert cells is not None
    assert (cells.items, str(cells)) == (problem.items[12:], str(found))
    limited = problem.explain(node_limit=5_000)
    assert limited is not None
    assert limited.reason.endswith("uses 'F', 'I', 'L', ... (12 items), which allow 60")
    stopped = problem.explain(timeout=0)
    assert stopped is not None
    assert (stopped.stopped_by, stopped.reason) == ("timeout", str(found))


def test_a_small_explanation_stays_irreducible() -> None:
    found = models.polyominoes(BARS, models.box(2, 5)).explain()
    assert found is not None
    assert found.irreducible
