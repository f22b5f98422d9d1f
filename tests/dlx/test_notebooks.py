"""What notebooks show of values: tables and bars, well-formed and escaped."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx import models
from dlx.core.html import MOST_BARS, bars


def facts(value: Any) -> dict[str, str]:
    """The rows of a name and a value; fails if the HTML is not well-formed."""
    page = ET.fromstring(f"<div>{value._repr_html_()}</div>")
    return {
        str(row[0].text): str(row[1].text)
        for row in page[0].findall("tr")
        if [cell.tag for cell in row] == ["th", "td"]
    }


def rows_of(html: str) -> list[tuple[str, str, float]]:
    """The places, the text and the width in percent of each bar."""
    rows = ET.fromstring(f"<div>{html}</div>").findall("table/tr/td/..")
    found = []
    for row in rows:
        bar = row.find("td/div")
        if bar is not None:
            width = re.search(r"width:([\d.e+-]+)%", str(bar.get("style")))
            assert width is not None
            found.append((str(row[0].text), str(row[1].text), float(width[1])))
    return found


def test_symmetries() -> None:
    shown = facts(models.queens(8).symmetries())
    assert shown["order"] == "8"
    assert shown["options"] == "64 in 4 orbits of 4 and 6 of 8"
    assert shown["items"] == "42 in 1 orbit of 2 and 10 of 4"
    assert shown["generators"] == "2"
    assert shown["generator 1"].startswith("items (r4 c3 r3 c4)(")
    group = models.latin_square(5).symmetries()
    shown = facts(group)
    assert shown["order"] == "10,368,000"
    assert shown["..."] == f"{len(group.generators) - 5} more"
    assert max(map(len, shown.values())) < 140


def test_symmetries_found_within_a_limit_and_none() -> None:
    assert facts(models.latin_square(4).symmetries(node_limit=0))["order"] == (
        "at least 1 (stopped by a limit)"
    )
    alone = facts(dlx.Problem.from_options([["<a>"], ["<a>", "b"]]).symmetries())
    assert alone["order"] == "1"
    assert alone["generators"] == "0"
    equal = facts(dlx.Problem.from_options({"<x>": ["a"], "y": ["a"]}).symmetries())
    assert equal["generator 1"] == "options (<x> y)"


def test_the_statistics_of_a_search() -> None:
    search = models.queens(8).solutions(engine="links")
    assert len(list(search)) == 92
    stats = search.stats
    assert facts(stats)["nodes"] == "1,049"
    shown = rows_of(stats._repr_html_())
    assert [(int(place), int(text)) for place, text, _ in shown] == [*enumerate(stats.profile)]
    for (*_, width), nodes in zip(shown, stats.profile, strict=True):
        assert abs(width - 100 * nodes / max(stats.profile)) < 0.1
    learned = facts(stats._replace(conflicts=5, helpers=("sat", "<x>"), profile=()))
    assert (learned["conflicts"], learned["helpers"]) == ("5", "sat, <x>")


def test_a_search_shows_its_state_and_searches_no_further() -> None:
    search = models.queens(8).solutions(limit=10)
    assert facts(search)["state"] == "not started"
    assert search.stats.nodes == 0
    next(search)
    assert facts(search)["state"] == "under way"
    assert len(list(search)) == 9
    shown = facts(search)
    assert (shown["state"], shown["solutions"]) == ("limit", "10")
    assert len(list(search.resume())) == 82
    assert facts(search)["state"] == "exhausted"


@given(st.lists(st.integers(0, 10**400) | st.floats(0, 1e300), min_size=1, max_size=3 * MOST_BARS))
def test_bars_of_any_numbers(numbers: list[float]) -> None:
    shown = rows_of(bars(("place", "<number>"), numbers, [f"<{n}>" for n in numbers]))
    assert len(shown) <= MOST_BARS
    places: list[int] = []
    for place, text, width in shown:
        ends = [*map(int, place.split(" to "))]
        row = range(ends[0], ends[-1] + 1)
        places += row
        assert text == f"<{max(numbers[index] for index in row)}>"
        assert 0 <= width <= 100
    assert places == [*range(len(numbers))]
    assert max(width for *_, width in shown) == (100 if any(numbers) else 0)


def test_many_bars_share_rows() -> None:
    numbers = [0, 3, 1, *range(100, 200)]
    shown = rows_of(bars(("place", "number"), numbers, [*map(str, numbers)]))
    assert [row[:2] for row in shown[:2]] == [("0 to 2", "3"), ("3 to 5", "102")]
    assert shown[-1] == ("102", "199", 100.0)
    assert "Each row has the largest of 3 numbers" in bars(("", ""), numbers, [*map(str, numbers)])


def test_an_estimate() -> None:
    found = models.queens(8).estimate(50)
    assert " ".join(facts(found).values()) == str(found).replace("\n", " ")
    assert len(rows_of(found._repr_html_())) == len(found.profile)
    empty = dlx.Problem.from_options([["a"]]).estimate(2)
    assert rows_of(empty._repr_html_())


def test_an_explanation() -> None:
    found = dlx.Problem.from_options([["<a>", "b"], ["b", "c"], ["c", "<a>"]]).explain()
    assert found is not None
    shown = facts(found)
    assert shown["items"] == ", ".join(map(repr, found.items))
    assert shown["all are needed"] == "yes"
    assert shown.get("contradiction", "") == found.reason
    cut = found._replace(irreducible=False, stopped_by="timeout", givens=("x",))
    assert facts(cut)["all are needed"] == "not proved, stopped by timeout"
    assert facts(cut)["given options"] == "'x'"


def test_a_diagram() -> None:
    shown = facts(models.dominoes(8, 8).diagram())
    assert (shown["solutions"], shown["options"]) == ("12,988,816", "112")
    many = dlx.Problem.from_options([[place] for place in range(3000) for _ in range(3)])
    assert facts(many.diagram())["solutions"] == "2.31e1431"
