"""Files of every format, damaged badly, to every reader; and what is read to every writer."""

from __future__ import annotations

import io

import pytest
from format_examples import EXAMPLES, ON_PAGE
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku import Grid, Layout, PuzzleError, SudokuError
from sudoku.formats import FORMATS, Record, detect, dump, load

FILES = [text.encode() for text in (*EXAMPLES.values(), *ON_PAGE.values())]
BITS = [
    b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\0", b"[", b"{", b'"', b"\\ud800", b"&#0;",
    b"<![CDATA[", b"r500c500", b"36", b"-1", "\u2028".encode(), b"9" * 25, b"1" * 5000, b"\t", b":",
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A file with pieces flipped, cut out, doubled, overwritten, or taken from another."""
    data = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 1, 2, 9, 81, 1000])))
        other = draw(st.sampled_from(FILES))
        middle = draw(
            st.sampled_from([
                b"", data[start:end] * 2, other[start:end], other, data, bytes(end - start),
                bytes(byte ^ 16 for byte in data[start:end]), *BITS,
            ])
        )  # fmt: skip
        data = data[:start] + middle + (data[end:] if draw(st.booleans()) else b"")
    return data


@settings(max_examples=60)
@given(damaged())
def test_every_reader_takes_everything(data: bytes) -> None:
    """Records and errors with a line, each a short line itself; no other exception."""
    found: list[Record] = []
    for name in (None, *(form.name for form in FORMATS)):
        errors: list[PuzzleError] = []
        found[:0] = load(io.BytesIO(data), format=name, on_error=errors.append)
        for error in errors:
            assert error.line is not None
            assert len(str(error)) < 700
            assert "\n" not in str(error)
    for record in found[:3]:
        for form in FORMATS:
            if form.refuses(record.grid) is None:
                out = io.StringIO()
                dump([record], out, form.name, lost=lambda record, part: None)
                (again,) = load(io.BytesIO(out.getvalue().encode()), format=form.name)
                if form.name not in ("sukaku", "candidates"):  # which take a given for a mark
                    assert again.grid.cells == record.grid.cells


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
@pytest.mark.parametrize(
    "piece", [b"\n", b"[\n", b'{"a":\n', b"<a>", b"1:r1c1;", b"#A\n", b"[Puzzle]\n", b"5,\n", b"{}"]
)
def test_one_piece_a_thousand_times(name: str, piece: bytes) -> None:
    errors: list[PuzzleError] = []
    found = list(load(io.BytesIO(piece * 1000), format=name, on_error=errors.append))
    assert len(found) + len(errors) <= 2001
    assert all(record.grid.filled == 0 for record in found)  # of [Puzzle] and nothing more
    assert detect(piece * 1000).name


def test_the_smallest_grid() -> None:
    for layout in (Layout(1, 1), Layout(1, 2), Layout(1, 3)):
        record = Record(Grid.from_cells((0,) * layout.size, layout))
        for form in FORMATS:
            if form.refuses(record.grid) is not None:
                with pytest.raises(SudokuError, match="has no place for"):
                    dump([record], io.StringIO(), form.name)
                continue
            out = io.StringIO()
            dump([record], out, form.name)
            (again,) = load(io.BytesIO(out.getvalue().encode()), format=form.name)
            assert again.grid == record.grid
