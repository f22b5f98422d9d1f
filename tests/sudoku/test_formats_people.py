"""The files that people have: banks, any CSV, nested lists, letters, frames, IDs and links."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from example_puzzles import ROWS, SOLVED, WIKIPEDIA, WIKIPEDIA_GRID
from format_examples import PEOPLE
from hypothesis import given, settings
from hypothesis import strategies as st
from sudoku_commands import run

from sudoku import Grid, Layout, PuzzleError, layouts, parse, read, solutions
from sudoku.board.notations import letters_as_digits, numbers_as_symbols
from sudoku.board.parse import _read_usual, read_puzzle  # the reading before other notations
from sudoku.formats import Record, detect, load

ZEROS = WIKIPEDIA.replace(".", "0")


def records(text: str, name: str | None = None) -> list[Record]:
    return list(load(io.BytesIO(text.encode()), format=name))


def error_of(text: str) -> PuzzleError:
    """The one error of a file."""
    errors: list[PuzzleError] = []
    assert not list(load(io.BytesIO(text.encode()), on_error=errors.append))
    (error,) = errors
    return error


@pytest.mark.parametrize("number", range(len(PEOPLE)))
def test_each_is_known_by_itself(number: int) -> None:
    """Each sample is a puzzle with one solution, with every door to a file."""
    name, text = PEOPLE[number]
    assert detect(text.encode()).name == name
    (record,) = records(text)
    assert record.grid == next(read(io.BytesIO(text.encode()))).grid
    found = solutions(record.grid)
    assert next(found).is_solved
    assert next(found, None) is None


# -- what was read before ------------------------------------------------------------------------


SPACED = st.sampled_from(["{}", " {}", "{} ", "| {} |", "|{}|", "║ {} ║"])


@settings(max_examples=100)
@given(
    side=st.sampled_from([4, 6, 9, 12, 16]),
    blank=st.sampled_from(".0-_*?"),
    data=st.data(),
)
def test_what_was_read_before_is_read_as_before(side: int, blank: str, data: st.DataObject) -> None:
    layout = Layout.of_side(side)
    symbols = layout.symbols + blank * side
    rows = [
        "".join(data.draw(st.lists(st.sampled_from(symbols), min_size=side, max_size=side)))
        for _ in range(side)
    ]
    sep, group = (
        data.draw(st.sampled_from(["", " "])),
        data.draw(st.sampled_from(["", " ", "|", " | "])),
    )
    wide = layout.box_columns
    lines = [
        data.draw(st.just(data.draw(SPACED))).format(
            group.join(sep.join(row[at : at + wide]) for at in range(0, side, wide))
        )
        for row in rows
    ]
    text = data.draw(st.sampled_from(["\n", ""])).join(lines)
    try:
        before = _read_usual(text, None)
    except PuzzleError:
        return
    assert read_puzzle(text) == (*before, "")


# -- text ----------------------------------------------------------------------------------------


def test_banks_of_puzzles() -> None:
    """A hash, a number or a name before the puzzle; what follows it stays first."""
    text = f"0000183b305c {ZEROS}  1.2\n7,{WIKIPEDIA},{SOLVED}\n{WIKIPEDIA} hard\n"
    found = records(text)
    assert [record.grid.line for record in found] == [WIKIPEDIA] * 3
    assert [record.rest for record in found] == ["1.2 0000183b305c", "7", "hard"]
    assert [record.solution for record in found] == [None, SOLVED, None]


def test_a_damaged_puzzle_does_not_make_its_solution_one() -> None:
    assert "'x' (character 1)" in error_of(f"x{WIKIPEDIA[1:]} {SOLVED}\n").what
    for after in (SOLVED, WIKIPEDIA):
        assert "80 characters" in error_of(f"{WIKIPEDIA[1:]} {after}\n").what


def test_numbers_with_spaces() -> None:
    numbers = [
        [(4 * row + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)
    ]
    line = "".join(Layout(4, 4).symbols[number - 1] for row in numbers for number in row)
    line = f".{line[1:-1]}."
    numbers[0][0] = numbers[15][15] = 0
    rows = [" ".join(map(str, row)) for row in numbers]
    padded = ["  ".join(f"{number:02}" for number in row).replace("00", ".") for row in numbers]
    barred = [
        "|".join(" ".join(f"{number:2}" for number in row[at : at + 4]) for at in (0, 4, 8, 12))
        for row in numbers
    ]
    for text in (
        "\n".join(rows),
        " ".join(rows),
        "\n".join(padded),
        "\n".join(barred),
        ",".join(rows).replace(" ", ","),
    ):
        assert [record.grid.line for record in records(f"{text}\n")] == [line]
        assert parse(text).line == line
    rows[3] = rows[3].replace("16", "17")
    assert str(error_of("\n".join(rows))).startswith("line 4: a number larger than 16: '13 14 15")
    with pytest.raises(PuzzleError, match="line 4: a number is larger than the side"):
        parse("\n".join(rows))


@pytest.mark.parametrize("lower", [False, True])
def test_letters(lower: bool) -> None:
    word = WIKIPEDIA.translate(str.maketrans("123456789", "WORDPLAYS"))
    for text in (word, "\n".join(word[at : at + 9] for at in range(0, 81, 9))):
        (record,) = records((text.lower() if lower else text) + "\n")
        letters = record.about["letters"]
        assert letters == "ADLOPRSWY"
        assert record.in_letters(record.grid.line) == word
    hexadecimal = "".join("ABCDEFGHIJKLMNOP"[at % 16] if at % 3 else "." for at in range(256))
    (record,) = records(hexadecimal)
    assert record.about == {"letters": "ABCDEFGHIJKLMNOP"}
    assert record.grid.line.startswith(".23.56.89.BC")


def test_what_has_letters_but_is_no_wordoku() -> None:
    for text in ("ABCDEFGHIJ" + "." * 71, "A" + "." * 80, "1BCDEFGHI" + "." * 72):
        assert "is neither a digit nor a blank" in error_of(text).what
    assert letters_as_digits("." * 16, 4) is None
    assert [error_of(word).line for word in ("diabolical", "classic")] == [1, 1]


def framed(left: str, bar: str, beside: str, blank: str, *rulers: str) -> str:
    """The puzzle in a frame with a bar between any two cells."""
    lines = [rulers[0]]
    for number, row in enumerate(ROWS, 1):
        boxes = (bar.join(f" {c} " for c in row[at : at + 3]) for at in (0, 3, 6))
        lines.append(left + beside.join(boxes).replace(".", blank) + left)
        lines.append(rulers[-1] if number == 9 else rulers[2 if number % 3 else 1])
    return "\n".join(lines)


@pytest.mark.parametrize("blank", [" ", ".", "0"])
def test_frames(blank: str) -> None:
    double = "═══╪═══╪═══"
    single = "───┼───┼───"
    unicode = framed(
        "║", "│", "║", blank,
        "╔" + "╦".join([double.replace("╪", "╤")] * 3) + "╗",
        "╠" + "╬".join([double] * 3) + "╣",
        "╟" + "╫".join([single] * 3) + "╢",
        "╚" + "╩".join([double.replace("╪", "╧")] * 3) + "╝",
    )  # fmt: skip
    narrow = ["|" + "|".join(row[at : at + 3] for at in (0, 3, 6)) + "|" for row in ROWS]
    groups = ["\n".join(["+---+---+---+", *narrow, "+---+---+---+"]), str(Grid(WIKIPEDIA))]
    for text in (unicode, *(group.replace(".", blank) for group in groups)):
        assert parse(text).line == WIKIPEDIA
        both = records(f"{text}\n{text}\n\n{WIKIPEDIA}\n")
        assert [record.grid.line for record in both] == [WIKIPEDIA] * 3
        assert both[0].line in (1, 2)


def test_lines_that_keep_rows_at_a_distance_are_no_rows() -> None:
    lines = str(WIKIPEDIA_GRID).splitlines()
    text = "\n".join(line + "\n|       |       |       |" * (line[0] == "|") for line in lines)
    assert parse(text) == WIKIPEDIA_GRID
    assert [record.grid for record in records(f"{text}\n\n{text}\n")] == [WIKIPEDIA_GRID] * 2


def test_pairs_of_cells_are_no_numbers() -> None:
    assert numbers_as_symbols(" ".join(["12"] * 16)) is None
    assert numbers_as_symbols(" ".join(["02", *["12"] * 15])) == "2" + "C" * 15


def test_a_frame_with_a_row_missing() -> None:
    lines = [
        "|" + "|".join(row[at : at + 3] for at in (0, 3, 6)).replace(".", " ") + "|" for row in ROWS
    ]
    error = error_of("\n".join(lines[:8]))
    assert (error.what, error.line) == ("8 rows; the grid has 9", 1)
    with pytest.raises(PuzzleError, match="8 rows; the grid has 9"):
        parse("\n".join(lines[:8]))


def test_digits_of_other_scripts() -> None:
    for first in (0xFF10, 0x0660, 0x0966):
        wide = ZEROS.translate({ord("0") + n: chr(first + n) for n in range(10)})
        assert [record.grid.line for record in records(f"{wide} \uff11\n")] == [WIKIPEDIA]
        assert parse(wide).line == WIKIPEDIA
    assert parse(WIKIPEDIA.replace(".", "\xb7")).line == WIKIPEDIA
    assert "'\u00e9' (character 3)" in error_of(WIKIPEDIA.replace(".", "\xe9", 1)).what


# -- CSV and JSON --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    ["question,answer", "board,solved_board", "Quizzes,Solutions", "start,finish", "a b,c"],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_any_heading(heading: str, delimiter: str) -> None:
    names = ["id", *heading.split(",")]
    rows = [
        names,
        ["1", ZEROS, SOLVED],
        ["2", ZEROS, SOLVED.replace("1", "x").replace("2", "1").replace("x", "2")],
    ]
    text = "\n".join(delimiter.join(row) for row in rows)
    errors: list[PuzzleError] = []
    (record,) = load(io.BytesIO(text.encode()), on_error=errors.append)
    assert (record.grid.line, record.solution) == (WIKIPEDIA, SOLVED)
    assert record.about == {"id": "1"}
    assert [(error.line, error.what[:16]) for error in errors] == [(3, "the solution has")]


def test_a_full_grid_with_other_digits_is_no_solution() -> None:
    (record,) = records(f"start,other\n{WIKIPEDIA},{SOLVED[::-1]}\n")
    assert (record.solution, record.about) == (None, {"other": SOLVED[::-1]})


def test_headings_without_puzzles() -> None:
    with pytest.raises(PuzzleError, match="line 2: no puzzle in the first row; name its column"):
        records("name,level\n1,2\n", "csv")


GRID = [[int(c) for c in row.replace(".", "0")] for row in ROWS]


@pytest.mark.parametrize(
    ("value", "many"),
    [
        (GRID, 1),
        ([GRID, GRID], 2),
        ([[cell or None for cell in row] for row in GRID], 1),
        ([str(cell) for row in GRID for cell in row], 1),
        ([[str(cell) for cell in row] for row in GRID], 1),
        (ROWS, 1),
        ([WIKIPEDIA, WIKIPEDIA], 2),
        ({"puzzle": GRID, "solution": SOLVED}, 1),
        ([[cell for row in GRID for cell in row]] * 2, 2),
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_lists_in_json(value: object, many: int, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert [record.grid.line for record in records(text)] == [WIKIPEDIA] * many


def test_damaged_lists() -> None:
    error = error_of(json.dumps(GRID[:8]))
    assert (error.what, error.line) == ("8 rows of 9; the grid has 9", 1)
    bad = json.dumps([*GRID[:8], [*GRID[8][:8], 10]])
    assert "row 9, column 9 is 10" in error_of(f"\n{bad}").what
    assert error_of(f"\n{bad}").line == 2


# -- killers, IDs of Solo, links -----------------------------------------------------------------


def test_killers_of_forums() -> None:
    cells = "3<" + "0" * 79
    (record,) = records(cells + " mine")
    assert str(record.grid.layout.rules[0]) == str(layouts.killer([(3, "r1c1 r1c2")]).rules[0])
    assert len(record.grid.layout.rules) == 1
    assert record.rest == "mine"
    (record,) = records("0<" + "0" * 79)
    assert record.grid.layout.rules == layouts.killer([(None, "r1c1 r1c2")]).rules
    assert error_of("<" + cells[1:]).what == "< in r1c1 points out of the grid"
    assert (
        error_of("><" + cells[2:]).what
        == "the cage of r1c1 has no sum: its cells point in a circle"
    )


def test_ids_of_solo() -> None:
    for text, what in [
        ("3x3#12345", "a random seed"),
        ("3x3:a5", "2 cells; the grid has 81"),
        ("3x3:10zzzb", "numbers must be from 1 to 9"),
        ("3x3k:zzzc", "1 field with commas between; expected cells, borders of cages, sums"),
        ("9j:zzzc,a", "2 borders; the grid has 145"),
        ("9j:zzzc,a5", "'5' among borders"),
        ("9x9:a", "a grid of side 81; at most 36 is read"),
    ]:
        error = error_of(text)
        assert what in error.what
        assert error.line == 1


@pytest.mark.parametrize(
    "link",
    [
        "https://sudokuexchange.com/play/?s={}",
        "https://sudoku.coach/en/play/{}",
        "https://www.sudokuwiki.org/sudoku.htm?bd={}",
        "https://example.org/#a={}&b=1",
        "http://example.org/{}/hint",
    ],
)
@pytest.mark.parametrize("blank", "0._")
def test_links_with_81_digits(link: str, blank: str) -> None:
    (record,) = records(link.format(WIKIPEDIA.replace(".", blank)) + " mine")
    assert (record.grid.line, record.rest) == (WIKIPEDIA, "mine")
    cut = error_of(link.format(ZEROS[1:])).what
    assert re.search("perhaps its name on a server|no puzzle|bd must have two|bd has 80", cut)


# -- the command line ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(PEOPLE)))
def test_each_is_an_argument(number: int) -> None:
    (record,) = records(PEOPLE[number][1])
    solution = next(solutions(record.grid)).line
    found = run("solve", PEOPLE[number][1])
    assert found.exit_code == 0
    assert found.stdout.split()[0] == record.in_letters(solution)


def test_words_are_solved_as_words(tmp_path: Path) -> None:
    to_word = str.maketrans("123456789", "WORDPLAYS")
    path = tmp_path / "words.txt"
    path.write_text(f"{WIKIPEDIA}\n{WIKIPEDIA.translate(to_word)} easy\n")
    found = run("solve", str(path))
    assert found.stdout.splitlines() == [SOLVED, f"{SOLVED.translate(to_word)} easy"]
    (said, _) = run("hint", WIKIPEDIA.translate(to_word)).output.splitlines()
    assert said == "sudoku: the letters ADLOPRSWY are the digits from 1 on"
    boxed = run("solve", "--grid", WIKIPEDIA.translate(to_word)).stdout
    assert boxed.splitlines()[1] == "| P R D | L A Y | S W O |"


def test_titles_and_authors(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_text(f"puzzle,title\n{WIKIPEDIA},\n{WIKIPEDIA},Mine\n")
    found = run("convert", "--to", "fpuzzles", "--title", "Nr. 1", "--author", "me", str(path))
    values = [json.loads(line) for line in found.stdout.splitlines()]
    assert [(value["title"], value["author"]) for value in values] == [
        ("Nr. 1", "me"),
        ("Mine", "me"),
    ]
    assert values[0]["ruleset"] == "Each row, column and box has each of the digits 1 to 9 once."


@pytest.mark.parametrize("text", ["3x3#123456", "[[5, 3]]", "https://sudoku.coach/en/play/123"])
def test_a_damaged_argument_is_one_line(text: str) -> None:
    found = run("solve", text)
    assert (found.exit_code, found.stdout) == (2, "")
    assert len(found.stderr.splitlines()) == 1


def test_the_name_of_a_missing_file_is_no_text() -> None:
    for name in ("puzzle", "question.csv", "solo.txt"):
        assert run("solve", name).stderr == f"sudoku: {name}: No such file or directory\n"
