"""A step in stages, a chain link by link, nets folded: `Step.stages`, `Step.chain`, `details`."""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import islice

import pytest
from example_puzzles import DIAGONAL, INKALA, WIKIPEDIA
from folders import DOCS
from hint_positions import Example, load

import sudoku
from sudoku import Grid, Step, layouts
from sudoku.board.pattern import Link, Pattern
from sudoku.hinting.deduction import Deduction
from sudoku.hinting.lessons import lesson
from sudoku.hinting.position import Position
from sudoku.hinting.registry import HINT_TECHNIQUES, TECHNIQUES
from sudoku.hinting.technique import registered
from sudoku.hinting.techniques.nets import Conclusion, Contradiction, Net, net_cells, net_evidence
from sudoku.rules import Cage, Thermometer

EXAMPLES = list({example.technique: example for example in load()}.values())
NETS = ("forcing net", "nested forcing net")


@cache
def steps_of(example_number: int) -> list[Step]:
    example = EXAMPLES[example_number]
    found = registered()[example.technique].find(example.position)
    return [deduction.step(example.position) for _, deduction in zip(range(6), found, strict=False)]


def solution_of(example: Example) -> dict[tuple[int, int], int]:
    position = example.position
    grid = Grid.from_cells(tuple(position.values), position.tables.layout)
    return sudoku.solve(grid).values


every_example = pytest.mark.parametrize(
    "number", range(len(EXAMPLES)), ids=[example.technique for example in EXAMPLES]
)


@every_example
def test_each_stage_tells_more(number: int) -> None:
    for step in steps_of(number):
        where, which, last = step.stages()
        assert last == step
        assert (where.technique, where.placements, where.eliminations) == ("", (), ())
        assert where.pattern.marks == where.pattern.links == ()
        assert step.technique not in where.sentence
        assert bool(where.cells) != bool(where.pattern.houses)  # houses; cells if there are none
        assert set(where.cells) <= {*step.cells, *((r, c) for r, c, _ in step.eliminations)}
        assert set(where.pattern.houses) <= set(step.pattern.houses)
        assert which.technique == step.technique
        assert step.technique in which.sentence
        assert (which.placements, which.eliminations) == ((), ())
        if step.placements:  # the digit is not shown before the end
            assert which.pattern.marks == ()
            assert not re.search(r"with \d", which.sentence)
        assert which.sentence != step.sentence


@every_example
def test_links_come_one_by_one(number: int) -> None:
    for step in steps_of(number):
        chain = step.chain()
        if step.technique in NETS:
            assert len(chain) == len(step.pattern.marks) + 1
        elif not step.pattern.links:
            assert chain == ()
            continue
        else:
            assert len(chain) == len(step.pattern.links) + 1
        marks = links = 0
        for frame in chain[:-1]:
            assert (frame.placements, frame.eliminations) == ((), ())
            assert frame.pattern.links == step.pattern.links[: len(frame.pattern.links)]
            assert set(frame.pattern.marks) <= set(step.pattern.marks)
            assert (len(frame.pattern.marks), len(frame.pattern.links)) > (marks, links)
            marks, links = len(frame.pattern.marks), len(frame.pattern.links)
            assert set(frame.cells) <= set(step.cells)
        assert links == len(step.pattern.links)
        assert chain[-1] == step._replace(sentence=chain[-1].sentence)
        assert chain[-1].sentence.endswith((step.result, step.sentence))


def test_colorings_and_sets_have_links() -> None:
    """Of almost locked sets all, those with two digits in common as a loop."""
    with_links, loops = set(), 0
    for example in EXAMPLES:
        if example.technique.startswith(("simple", "multi", "remote", "ALS", "death")):
            found = registered()[example.technique].find(example.position)
            for deduction in islice(found, 40):
                step = deduction.step(example.position)
                links = step.pattern.links
                assert links or not example.technique.startswith(("ALS", "death"))
                if links:
                    assert step.chain()[-1].sentence == step.sentence
                    with_links.add(example.technique)
                    loops += example.technique == "ALS-XZ" and links[0].source == links[-1].target
    assert loops
    assert with_links == {
        *("simple colors (trap)", "simple colors (wrap)", "multi-colors 1", "multi-colors 2"),
        *("remote pairs", "ALS-XZ", "ALS-XY-wing", "death blossom"),
    }


def test_a_death_blossom_petal_by_petal() -> None:
    """From each candidate of the stem through its petal to the digit that is removed."""
    example = next(e for e in EXAMPLES if e.technique == "death blossom")
    for deduction in islice(registered()["death blossom"].find(example.position), 20):
        step = deduction.step(example.position)
        stem = [mark for mark in step.pattern.marks if mark.role == "base"]
        assert len(step.chain()) == 2 * len(stem) + 1
        assert {link.target[0][2] for link in step.pattern.links[1::2]} == {step.eliminations[0][2]}


PART = re.compile(r"(neither|none of|one of)? ?((?:r\d+c\d+(?:, | and | nor )?)+) is (not )?(\d)")


def holds(words: str, solution: dict[tuple[int, int], int]) -> bool:
    """Whether half a sentence is true in the solution."""
    match = PART.fullmatch(words.strip())
    assert match is not None, words
    cells = [(int(row), int(column)) for row, column in re.findall(r"r(\d+)c(\d+)", match[2])]
    is_there = any(solution[cell] == int(match[4]) for cell in cells)
    is_denied = bool(match[3]) or match[1] in ("neither", "none of")
    return is_there != is_denied


@every_example
def test_the_sentence_of_each_link_is_true(number: int) -> None:
    """In the solution: if the first half holds, so does the second; and it is about the link."""
    solution = solution_of(EXAMPLES[number])
    for step in steps_of(number):
        if step.technique in NETS:
            continue
        for frame, link in zip(step.chain(), step.pattern.links, strict=False):
            first, second = re.fullmatch("if (.*), then (.*)", frame.sentence).groups()
            _, _, follows = second.rpartition(": ")  # after "these cells hold all digits but 4: "
            assert holds(follows, solution) or not holds(first, solution), frame.sentence
            is_true = any(solution[row, column] == digit for row, column, digit in link.source)
            assert holds(first, solution) == (is_true != link.strong), frame.sentence


@every_example
def test_what_a_step_changes_in_words(number: int) -> None:
    """All of it, and no more: read again from the sentence."""
    for step in steps_of(number):
        said = set()
        for names, digits in re.findall(
            r"((?:r\d+c\d+(?:, | and )?)+) cannot be ([\d, or]+?)(?= and r|, r|$)", step.result
        ):
            for row, column in re.findall(r"r(\d+)c(\d+)", names):
                said |= {(int(row), int(column), int(digit)) for digit in re.findall(r"\d", digits)}
        assert said == set(step.eliminations)
        for row, column, digit in step.placements:
            assert f"r{row}c{column} is {digit}" in step.result


def test_long_nets_are_folded() -> None:
    """The sentence counts the implications; the details have every one of them, in order."""
    lengths = set()
    for step in islice(sudoku.hints(INKALA), 40):
        if step.technique not in NETS:
            continue
        implied = len(step.details) - 1
        assert implied == len(step.pattern.marks) - 1
        lengths.add(implied > 12)
        if implied > 12:
            assert f", then {implied} implications follow, and {step.details[-1]}, so " in str(step)
            assert len(str(step)) < 140
        elif implied:
            assert f"then {', '.join(step.details[:-1])}, and {step.details[-1]}" in str(step)
        for mark, words in zip(step.pattern.marks[1:], step.details, strict=False):
            verb = "is" if mark.role == "on" else "cannot be"
            assert words.startswith(f"r{mark.row}c{mark.column} {verb} {mark.digit} (") or (
                words == f"r{mark.row}c{mark.column} {verb} {mark.digit}"
            )
    if lengths == {True, False}:
        return
    raise AssertionError("no net of both kinds")


def test_what_a_rule_excludes_at_once_is_one_link() -> None:
    """A net of rules, in a puzzle made for this: its marks are those of its details."""
    layout = layouts.named("anti-knight").with_rules(
        Thermometer("r1c1 r1c2 r1c3 r2c3 r3c3 r3c2"), Cage(20, "r5c5 r5c6 r6c5 r6c6")
    )
    puzzle = Grid.from_cells((0,) * 81, layout)
    position = Position.of(puzzle)
    tables = position.tables
    steps = [
        Conclusion(0, 3, None, ()),
        Conclusion(1, 1, None, (0,), rule="the thermometer"),
        Conclusion(1, 2, None, (0,), rule="the thermometer"),
        Conclusion(2, 9, None, (1, 2)),
    ]
    net = Net(steps, Contradiction(5, None, None, (3,)))
    evidence = partial(net_evidence, tables, net)
    step = Deduction("rule net", net_cells(net), (), ((3, 1),), evidence).step(position)
    assert step.details == (
        "r1c2 is not 1 or 2 (the thermometer)",
        "r1c3 is 9",
        "nothing is left for r1c6",
    )
    assert [(str(link), len(link.pattern.marks)) for link in step.chain()] == [
        ("assume that r1c1 is 3", 1),
        ("r1c2 is not 1 or 2 (the thermometer)", 3),
        ("r1c3 is 9", 4),
        ("nothing is left for r1c6, so r1c1 cannot be 3", 4),
    ]
    assert [len(link.pattern.links) for link in step.chain()] == [0, 2, 4, 4]


def test_words_of_other_layouts() -> None:
    diagonal = layouts.named("diagonal")
    step = next(sudoku.hints(DIAGONAL, layout=diagonal))
    assert step.pattern.houses == ("diagonal 2", "box 7")
    assert str(step.stages()[0]) == "look at the diagonal from r1c9 and box 7"


def test_a_single_is_not_told_too_early() -> None:
    where, which, last = next(sudoku.hints(WIKIPEDIA)).stages()
    assert [str(where), str(which)] == ["look at box 2", "the technique is hidden single"]
    assert where.pattern.houses == which.pattern.houses == ("box 2",)
    assert str(last) == "r1c6 is the only place for 8 in box 2"


def test_a_group_with_the_other_cells() -> None:
    """A place that is in both ends of a strong link is not said to follow from its absence."""
    both = ((1, 1, 4), (1, 2, 4))
    link = Link(both, ((1, 2, 4), (1, 3, 4)), True)
    back = Link(((1, 3, 4),), ((2, 3, 4), (3, 3, 4), (4, 3, 4)), False)
    step = Step("chain", (), (), ((9, 9, 4),), "so it is", Pattern(links=(link, back)))
    assert [str(frame) for frame in step.chain()] == [
        "if neither r1c1 nor r1c2 is 4, then r1c3 is 4",
        "if r1c3 is 4, then none of r2c3, r3c3 and r4c3 is 4",
        "so it is",
    ]


def test_the_lessons() -> None:
    """Each technique has one, and its section is in docs/techniques.md."""
    page = (DOCS / "techniques.md").read_text("utf-8")
    heads = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}
    for technique in TECHNIQUES:
        about, section = lesson(technique.name)
        assert about.endswith("."), technique.name
        assert section in anchors | {""}, technique.name
        assert section or technique.use not in ("usual", "proof"), technique.name
    assert lesson("mistake") == ("", "")
    assert lesson("sashimi swordfish").section == "finned-fish"
    assert {t.name for t in HINT_TECHNIQUES if t.code} <= {t.name for t in TECHNIQUES}
